// The gap between two shapes along the direction that a cache has kept: no search, and no doubt.
//
// For callers that want to know quickly how far two moving shapes are from meeting, and who search
// where that is not enough.
// Based on: Lander 1999, "Crashing into the New Year" (the plane remembered per pair).
#include "along.h"

static bool measure(trvi_duo *duo, trvi_lanes n, trvi_lanes in_world, trv_vec3 *normal, float *gap)
{
    trvi_quick quick;
    quick.doubt = -1.0f;
    trvi_apart_along(duo, n, in_world, 0.0f, &quick);
    if (!(quick.doubt >= 0.0f))
        return false;
    *normal = (trv_vec3){quick.normal[0], quick.normal[1], quick.normal[2]};
    *gap = quick.gap - quick.doubt;
    return true;
}

static bool is_direction(trvi_lanes own)
{
    float square = trvi_lanes_first(trvi_lanes_sums(trvi_lanes_mul(own, own), own));
    return fabsf(square - 1.0f) <= TRVI_QUICK_UNIT;
}

bool trvi_glance(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                 const trv_pose *pose_b, const trv_plane_cache *cache, trv_vec3 *normal, float *gap)
{
    trvi_lanes n, in_world, own = trvi_lanes_load3(&cache->normal.x);
    if (!is_direction(own))
        return false;
    trvi_duo duo = trvi_duo_of(a, pose_a, b, pose_b, cache);
    trvi_along_cached(&duo, own, false, &n, &in_world);
    return measure(&duo, n, in_world, normal, gap);
}

bool trvi_glance_along(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                       const trv_pose *pose_b, const trv_plane_cache *cache, trv_vec3 normal,
                       float *gap)
{
    trvi_lanes n, in_world, own = trvi_lanes_load3(&normal.x);
    if (!is_direction(own))
        return false;
    trvi_duo duo = trvi_duo_of(a, pose_a, b, pose_b, cache);
    trvi_along_cached(&duo, own, true, &n, &in_world);
    return measure(&duo, n, in_world, &normal, gap);
}
