// Scenes for pairs of convex solids: the solids, and coherent motion with the truth for each frame.
#ifndef TRV_BENCH_SCENE_H
#define TRV_BENCH_SCENE_H

#include <trivet/collide.h>

#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

// A solid in the forms that the contestants like. All numbers are float numbers.
typedef struct bench_solid {
    trv_shape shape;
    uint32_t count;
    const trv_vec3 *vertices;
    double (*points)[3]; // the same in double
    // Face f has the corners corners[first[f] .. first[f + 1]); no faces for a box.
    uint32_t faces;
    const uint32_t *first, *corners;
    // Vertex v has the neighbours around[around_first[v] .. around_first[v + 1]).
    uint32_t *around_first, *around;
} bench_solid;

// One frame of one pair. The matrices follow from the poses, in double.
typedef struct bench_frame {
    trv_pose pose[2];
    bench_place place[2];
    bench_truth truth;
} bench_frame;

typedef struct bench_pair {
    bench_solid solid[2];
    bench_frame *frames;
    double *touch; // for each frame: how far apart along `way` the origins are when the two touch
    float (*way)[3];
} bench_pair;

typedef struct bench_scene {
    uint32_t count, frames;
    bench_pair *pairs;
} bench_scene;

// How far the pair is moved from touching along the line of approach: middle + swing * wave, m.
typedef struct bench_gap {
    const char *name;
    double middle, swing;
} bench_gap;

// `vertices` on each of two ellipsoids of semi-axes .6 to 1 m; 0: boxes of 1 m. Both turn about
// axes of their own by `low` to `high` degrees in each frame.
bench_scene bench_scene_create(uint32_t vertices, uint32_t pairs, uint32_t frames, double low,
                               double high, uint64_t seed);
// Moves the pairs to the gap and finds the truth. The bounds of a pair overlap in each frame.
// Returns how many truths are not certain to 1e-6 m.
uint32_t bench_scene_place(bench_scene *scene, bench_gap gap);
// Fills the places and the truth of a frame whose poses were written by hand.
void bench_frame_settle(bench_pair *pair, bench_frame *frame);
void bench_scene_destroy(bench_scene *scene);

// malloc, or the end of the program.
void *bench_allocate(size_t count, size_t size);

#ifdef __cplusplus
}
#endif

#endif
