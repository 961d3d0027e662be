// Axis-aligned boxes: the few operations that every layer needs, by value.
#ifndef TRVI_BOUNDS_H
#define TRVI_BOUNDS_H

#include "linear.h"

static inline trv_aabb trvi_aabb_union(trv_aabb a, trv_aabb b)
{
    return (trv_aabb){trvi_min(a.lower, b.lower), trvi_max(a.upper, b.upper)};
}

static inline trv_vec3 trvi_aabb_center(trv_aabb box)
{
    return trvi_scale(trvi_add(box.lower, box.upper), 0.5f);
}

static inline trv_obb trvi_aabb_as_obb(trv_aabb box)
{
    return (trv_obb){trvi_aabb_center(box), trvi_scale(trvi_sub(box.upper, box.lower), 0.5f),
                     trv_identity_quat()};
}

static inline trv_aabb trvi_aabb_grown(trv_aabb a, float margin)
{
    trv_vec3 m = {margin, margin, margin};
    return (trv_aabb){trvi_sub(a.lower, m), trvi_add(a.upper, m)};
}

static inline float trvi_aabb_longest(trv_aabb a)
{
    trv_vec3 size = trvi_sub(a.upper, a.lower);
    return trvi_larger(trvi_larger(size.x, size.y), size.z);
}

static inline bool trvi_aabb_contains(trv_aabb outer, trv_aabb inner)
{
    return outer.lower.x <= inner.lower.x && outer.lower.y <= inner.lower.y &&
           outer.lower.z <= inner.lower.z && inner.upper.x <= outer.upper.x &&
           inner.upper.y <= outer.upper.y && inner.upper.z <= outer.upper.z;
}

static inline bool trvi_aabb_overlaps(trv_aabb a, trv_aabb b)
{
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

#endif
