// Two shapes seen along a direction, in float32 and straight from the shapes.
#ifndef TRVI_ALONG_H
#define TRVI_ALONG_H

#include "math/math.h"
#include "narrow.h"

// Two shapes seen along the plane that parts them.
typedef struct trvi_quick {
    trv_vec3 normal; // in world space, of unit length within 1e-6
    float gap;       // between the surfaces
    float middle;    // of the gap, along the normal from A's position
    float doubt;     // how far both may be off
} trvi_quick;

// Two posed shapes, and where searches for their vertices begin and end.
typedef struct trvi_duo {
    const trv_shape *a, *b;
    const trv_pose *pose_a, *pose_b;
    uint32_t vertex_a, vertex_b;
} trvi_duo;

// True where the shapes are apart by more than `margin` along `n`, which is `in_world` in A's frame,
// both about unit, beyond all doubt. False tells nothing, and `out` then holds what was measured, if
// anything.
bool trvi_apart_along(trvi_duo *duo, const trv_vec3 *n, const trv_vec3 *in_world, float margin,
                      trvi_quick *out);

// The sum of the coordinates' magnitudes: not below the length, and NaN or infinite if any of them is.
static inline float trvi_spread(const trv_vec3 *v)
{
    return fabsf(v->x) + fabsf(v->y) + fabsf(v->z);
}

// As good as unit: rounding in a normalisation leaves a tenth of this.
static inline bool trvi_is_quick_unit(const trv_quat *q)
{
    float square = (q->x * q->x + q->y * q->y) + (q->z * q->z + q->w * q->w);
    return fabsf(square - 1.0f) <= TRVI_QUICK_UNIT;
}

#endif
