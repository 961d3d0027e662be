// Validity of what callers hand in: each check yields the result code that names what is wrong.
#ifndef TRVI_CHECK_H
#define TRVI_CHECK_H

#include "linear.h"
#include "tolerance.h"

static inline bool trvi_is_finite(float x)
{
    return fabsf(x) <= 3.4028235e38f;
}

// Finite and within +- TRV_COORD_MAX.
static inline trv_result trvi_check_coordinate(float x)
{
    if (!trvi_is_finite(x))
        return TRV_ERROR_NUMBER;
    return fabsf(x) <= TRV_COORD_MAX ? TRV_OK : TRV_ERROR_RANGE;
}

static inline trv_result trvi_check_vec3(trv_vec3 v)
{
    if (!trvi_is_finite(v.x) || !trvi_is_finite(v.y) || !trvi_is_finite(v.z))
        return TRV_ERROR_NUMBER;
    bool near =
        fabsf(v.x) <= TRV_COORD_MAX && fabsf(v.y) <= TRV_COORD_MAX && fabsf(v.z) <= TRV_COORD_MAX;
    return near ? TRV_OK : TRV_ERROR_RANGE;
}

// Finite, and lower <= value <= upper.
static inline trv_result trvi_check_range(float value, float lower, float upper)
{
    if (!trvi_is_finite(value))
        return TRV_ERROR_NUMBER;
    return value >= lower && value <= upper ? TRV_OK : TRV_ERROR_RANGE;
}

static inline trv_result trvi_check_quat(trv_quat q)
{
    double square = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
    const double least = 1.0 - TRVI_UNIT_TOLERANCE, most = 1.0 + TRVI_UNIT_TOLERANCE;
    if (square >= least * least && square <= most * most)
        return TRV_OK;
    return square < HUGE_VAL ? TRV_ERROR_ROTATION : TRV_ERROR_NUMBER; // NaN is not < anything
}

// False for all that trvi_check_quat refuses, and for some that it does not; in float32, for its speed.
static inline bool trvi_is_nearly_unit(const trv_quat *q)
{
    float square = (q->x * q->x + q->y * q->y) + (q->z * q->z + q->w * q->w);
    return fabsf(square - 1.0f) <= (float)TRVI_UNIT_TOLERANCE;
}

static inline trv_result trvi_check_pose(trv_pose pose)
{
    trv_result result = trvi_check_vec3(pose.position);
    return result != TRV_OK ? result : trvi_check_quat(pose.rotation);
}

static inline trv_result trvi_check_aabb(trv_aabb box)
{
    trv_result result = trvi_check_vec3(box.lower);
    if (result == TRV_OK)
        result = trvi_check_vec3(box.upper);
    if (result != TRV_OK)
        return result;
    bool ordered =
        box.lower.x <= box.upper.x && box.lower.y <= box.upper.y && box.lower.z <= box.upper.z;
    return ordered ? TRV_OK : TRV_ERROR_RANGE;
}

#endif
