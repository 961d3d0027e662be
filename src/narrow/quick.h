// The remembered plane, asked straight from the shapes.
#ifndef TRVI_QUICK_H
#define TRVI_QUICK_H

#include "along.h"

// True where the cache's plane leaves more than `margin` between good shapes in good poses, beyond
// all doubt; the cache's vertices are then up to date. False tells nothing: not that the shapes are
// close, nor that they are good. No NaN, infinity or number out of range is ever answered with true.
bool trvi_quick_apart(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                      const trv_pose *pose_b, trv_plane_cache *cache, float margin,
                      trvi_quick *out);

#endif
