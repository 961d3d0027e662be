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

// What two boxes that meet have in common.
static inline trv_aabb trvi_aabb_cut(trv_aabb a, trv_aabb b)
{
    return (trv_aabb){trvi_max(a.lower, b.lower), trvi_min(a.upper, b.upper)};
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

// Between two closed stretches of an axis, in double.
static inline double trvi_aabb_gap(float lower_a, float upper_a, float lower_b, float upper_b)
{
    if (upper_a < lower_b)
        return (double)lower_b - (double)upper_a;
    return lower_a > upper_b ? (double)lower_a - (double)upper_b : 0.0;
}

// 0 where they overlap.
static inline double trvi_aabb_distance(trv_aabb a, trv_aabb b)
{
    double x = trvi_aabb_gap(a.lower.x, a.upper.x, b.lower.x, b.upper.x);
    double y = trvi_aabb_gap(a.lower.y, a.upper.y, b.lower.y, b.upper.y);
    double z = trvi_aabb_gap(a.lower.z, a.upper.z, b.lower.z, b.upper.z);
    return sqrt(x * x + y * y + z * z);
}

static inline float trvi_largest_of(trv_vec3 v)
{
    trv_vec3 a = trvi_abs(v);
    return trvi_larger(trvi_larger(a.x, a.y), a.z);
}

// The largest of its coordinates.
static inline float trvi_aabb_reach(trv_aabb box)
{
    return trvi_larger(trvi_largest_of(box.lower), trvi_largest_of(box.upper));
}

#endif
