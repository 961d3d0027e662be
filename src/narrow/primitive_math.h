// What the primitive tests share: validity, box frames in double, exact cross products, ball entry.
//
// float32 numbers become double at once: products of two are then exact, differences nearly always,
// and no power up to the sixth leaves the range.
#ifndef TRVI_PRIMITIVE_MATH_H
#define TRVI_PRIMITIVE_MATH_H

#include <float.h>

#include <trivet/primitives.h>

#include "math/math.h"

static inline bool trvi_finite_vec3(trv_vec3 v)
{
    return trvi_is_finite(v.x) && trvi_is_finite(v.y) && trvi_is_finite(v.z);
}

static inline bool trvi_finite_aabb(trv_aabb box)
{
    return trvi_finite_vec3(box.lower) && trvi_finite_vec3(box.upper);
}

// lower <= upper on every axis; false with a NaN.
static inline bool trvi_ordered_aabb(trv_aabb box)
{
    return box.lower.x <= box.upper.x && box.lower.y <= box.upper.y && box.lower.z <= box.upper.z;
}

static inline bool trvi_good_sphere(trv_sphere sphere)
{
    return trvi_finite_vec3(sphere.center) && sphere.radius >= 0.0f &&
           trvi_is_finite(sphere.radius);
}

static inline bool trvi_good_aabb(trv_aabb box)
{
    return trvi_finite_aabb(box) && trvi_ordered_aabb(box);
}

// To float32; infinite beyond its range, where the plain conversion is undefined.
static inline float trvi_narrow(double x)
{
    if (x > (double)FLT_MAX)
        return HUGE_VALF;
    if (x < -(double)FLT_MAX)
        return -HUGE_VALF;
    return (float)x;
}

static inline trv_vec3 trvi_narrow_vec3(trvi_dvec3 v)
{
    return (trv_vec3){trvi_narrow(v.x), trvi_narrow(v.y), trvi_narrow(v.z)};
}

// The vector at unit length; its squares neither over- nor underflow in double.
static inline trvi_dvec3 trvi_dunit(trvi_dvec3 v)
{
    return trvi_dscale(v, 1.0 / trvi_dlength(v));
}

// A box in double: axes are the columns of its rotation.
typedef struct trvi_box_frame {
    trvi_dvec3 center;
    trvi_dvec3 axis[3];
    double half[3];
} trvi_box_frame;

// M(q) / |q|^2 by division, entry by entry: quarter and half turns come out as exact 0 and +-1,
// which a shared reciprocal does not give.
static inline bool trvi_box_frame_of(trv_obb box, trvi_box_frame *frame)
{
    double x = box.rotation.x, y = box.rotation.y, z = box.rotation.z, w = box.rotation.w;
    double xx = x * x, yy = y * y, zz = z * z, ww = w * w;
    double square = (xx + yy) + (zz + ww);
    bool good = trvi_finite_vec3(box.center) && trvi_finite_vec3(box.half) && box.half.x >= 0.0f &&
                box.half.y >= 0.0f && box.half.z >= 0.0f && square > 0.0 && square < HUGE_VAL;
    if (!good)
        return false;
    frame->center = trvi_dvec3_from(box.center);
    frame->half[0] = box.half.x;
    frame->half[1] = box.half.y;
    frame->half[2] = box.half.z;
    frame->axis[0] = (trvi_dvec3){((xx - yy) + (ww - zz)) / square, 2.0 * (x * y + w * z) / square,
                                  2.0 * (x * z - w * y) / square};
    frame->axis[1] = (trvi_dvec3){2.0 * (x * y - w * z) / square, ((yy - xx) + (ww - zz)) / square,
                                  2.0 * (y * z + w * x) / square};
    frame->axis[2] = (trvi_dvec3){2.0 * (x * z + w * y) / square, 2.0 * (y * z - w * x) / square,
                                  ((zz - xx) + (ww - yy)) / square};
    return true;
}

// The frame of an AABB; centre and half extents of float32 bounds are exact in double.
static inline bool trvi_box_frame_of_aabb(trv_aabb box, trvi_box_frame *frame)
{
    if (!trvi_good_aabb(box))
        return false;
    trvi_dvec3 lower = trvi_dvec3_from(box.lower), upper = trvi_dvec3_from(box.upper);
    trvi_dvec3 half = trvi_dscale(trvi_dsub(upper, lower), 0.5);
    frame->center = trvi_dscale(trvi_dadd(lower, upper), 0.5);
    frame->axis[0] = (trvi_dvec3){1.0, 0.0, 0.0};
    frame->axis[1] = (trvi_dvec3){0.0, 1.0, 0.0};
    frame->axis[2] = (trvi_dvec3){0.0, 0.0, 1.0};
    frame->half[0] = half.x;
    frame->half[1] = half.y;
    frame->half[2] = half.z;
    return true;
}

// A direction in the frame's axes.
static inline trvi_dvec3 trvi_box_local(const trvi_box_frame *frame, trvi_dvec3 v)
{
    return (trvi_dvec3){trvi_ddot(frame->axis[0], v), trvi_ddot(frame->axis[1], v),
                        trvi_ddot(frame->axis[2], v)};
}

// Back to world axes.
static inline trvi_dvec3 trvi_box_world(const trvi_box_frame *frame, trvi_dvec3 v)
{
    trvi_dvec3 sum = trvi_dscale(frame->axis[0], v.x);
    sum = trvi_dmul_add(sum, frame->axis[1], v.y);
    return trvi_dmul_add(sum, frame->axis[2], v.z);
}

// (b - a) x (c - a), each component the exact value rounded about once; zero only if it is zero.
trvi_dvec3 trvi_exact_normal(trv_vec3 a, trv_vec3 b, trv_vec3 c);

// The first u in [0, 1] at which the point p + u v comes within r of the origin, for a start
// outside: p p > r r. False when it never does.
bool trvi_enter_ball(trvi_dvec3 p, trvi_dvec3 v, double r, double *u);

// The point of the segment from a to b that is closest to p.
trvi_dvec3 trvi_closest_on_segment(trvi_dvec3 a, trvi_dvec3 b, trvi_dvec3 p);

// primitives_ray.c: rays against good solids that are placed from the ray's origin, in double.
trv_ray_hit trvi_ray_ball(trv_ray ray, trvi_dvec3 center, double radius);
trv_ray_hit trvi_ray_rod(trv_ray ray, trvi_dvec3 a, trvi_dvec3 b, double radius);
// The frame's own centre does not count.
trv_ray_hit trvi_ray_box(trv_ray ray, const trvi_box_frame *frame, trvi_dvec3 center);

#endif
