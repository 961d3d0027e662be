// Two posed shapes, and what else a question about them takes, read from any bytes.
#ifndef TRV_TESTS_FUZZ_SCENE_H
#define TRV_TESTS_FUZZ_SCENE_H

#include <trivet/collide.h>
#include <trivet/mesh.h>

#include "bytes.h"

enum { SCENE_POINTS = 40 }; // of a hull at most

typedef struct fuzz_scene {
    trv_shape a, b;
    trv_pose pose_a, pose_b;
    float margin;
    trv_plane_cache cache; // garbage, mostly
    trv_ray ray;
    trv_hull *hulls[2]; // owned; NULL where not used
} fuzz_scene;

// Every sequence of bytes is a scene.
void scene_read(fuzz_scene *scene, fuzz_bytes *bytes);
void scene_free(fuzz_scene *scene);

// Parts of one. `owned` is set where the shape is a hull, for the caller to release.
trv_shape scene_read_shape(fuzz_bytes *bytes, trv_hull **owned);
trv_pose scene_read_pose(fuzz_bytes *bytes);

// Fails the run, and names the line, unless `condition` holds. Also in builds without assertions.
#define demand(condition)                                                                          \
    ((condition) ? (void)0 : scene_fail(#condition, __FILE__, __LINE__, __func__))
_Noreturn void scene_fail(const char *condition, const char *file, int line, const char *function);

// Whether `used` is within `allowed`; false for NaN. The share of it is kept for each place in the
// code that asks: who looks for inputs that fail can tell how near to it they come.
#define within(used, allowed) scene_within(used, allowed, __FILE__, __LINE__)
bool scene_within(double used, double allowed, const char *file, int line);

typedef struct scene_share {
    const char *file;
    int line;
    double share; // the largest of used / allowed since scene_forget_shares
} scene_share;

enum { SCENE_SHARES = 64 };
uint32_t scene_shares(const scene_share **shares);
void scene_forget_shares(void);

// One line of numbers about a failure, printed where it is followed by a demand that fails.
void scene_note(const char *name, double value);

#endif
