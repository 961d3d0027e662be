// Two shapes on their way, and what must hold of the answers about when they meet.
#ifndef TRV_TESTS_FUZZ_MOVING_H
#define TRV_TESTS_FUZZ_MOVING_H

#include "scene.h"

typedef struct fuzz_moving {
    trv_shape a, b; // of any kind, compounds too
    trv_motion motion_a, motion_b;
    float margin, until;   // of the questions that the world asks
    trv_plane_cache cache; // garbage, mostly
} fuzz_moving;

// Reads how the shapes move; all else is set by the next.
void moving_read(fuzz_moving *moving, fuzz_bytes *bytes);

// Puts the shapes where the scene is, lets B come A's way where the bytes said so, and checks all that
// is to be asked.
void moving_ask(fuzz_moving *moving, const trv_shape *a, const trv_shape *b,
                const fuzz_scene *scene);

void check_moving(const fuzz_moving *moving);

// How far from the origin a shape reaches in its own frame; for a half-space, the distance of its
// surface. The shape must be good.
double shape_reach(const trv_shape *shape);

#endif
