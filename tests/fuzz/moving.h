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

// Reads how the shapes move; all else is for the caller to set.
void moving_read(fuzz_moving *moving, fuzz_bytes *bytes);

// After the poses are set: lets B come A's way, where the bytes said so.
void moving_aim(fuzz_moving *moving);

void check_moving(const fuzz_moving *moving);

// How far from the origin a shape reaches in its own frame; for a half-space, the distance of its
// surface. The shape must be good.
double shape_reach(const trv_shape *shape);

// How far rounding to float32 may move what a pose and a shape's own place put somewhere.
double pose_rounding(const trv_shape *shape, trv_pose pose);

#endif
