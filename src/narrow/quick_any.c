// trv_separate's short way for shapes of any kind: the remembered plane, asked straight from the
// shapes before anything else is prepared.
//
// What is out of the ordinary, and what the plane parts no more, goes the long way, which is in
// separate.c: on its own, so that nothing has to be kept for it.
// Invariant: "apart" is a proof.
// Based on: Lander 1999, "Crashing into the New Year" (the plane remembered per pair).
#include "carry.h"
#include "quick.h"

#include <float.h>

// False where the normal is not unit, or rounding of the plane's offset, far from the origin, leaves
// a doubt that it parts the shapes.
static inline bool tell_quick(const trvi_quick *quick, trv_plane_cache *cache, const trv_vec3 *from,
                              trv_separation *out)
{
    const float *n = quick->normal;
    double offset = -((double)n[0] * from->x + (double)n[1] * from->y + (double)n[2] * from->z +
                      (double)quick->middle);
    float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (!(fabsf(square - 1.0f) <= TRVI_QUICK_NORMAL) ||
        !(0.5 * quick->gap > quick->doubt + FLT_EPSILON * fabs(offset)))
        return false;
    cache->gap = quick->gap - quick->doubt;
    out->apart = true;
    out->remembered = true;
    out->source = (trv_plane_source)cache->source;
    out->index_a = cache->index_a;
    out->index_b = cache->index_b;
    out->gap = quick->gap;
    out->plane.normal.x = n[0];
    out->plane.normal.y = n[1];
    out->plane.normal.z = n[2];
    out->plane.offset = (float)offset;
    out->part_a = out->part_b = 0;
    return true;
}

// Tells what was found; else the cache is as it was before. What is good enough to lead on may not be good enough to
// tell, far from the origin: each call would lead away from the better plane that the one before had found.
static inline bool tell_found(const trv_shape *a, const trv_shape *b, const trvi_quick *quick,
                              const trv_plane_cache *before, trv_plane_cache *cache,
                              const trv_vec3 *from, trv_separation *out)
{
    if (trvi_is_known(a, b, cache) && tell_quick(quick, cache, from, out))
        return true;
    *cache = *before;
    return false;
}

trv_result trvi_separate_any(const trv_shape *a, const trv_shape *b, trv_plane_cache *cache,
                             trv_separation *out, const trv_pose *pose_a, const trv_pose *pose_b)
{
    trvi_quick quick;
    if (out == NULL)
        return TRV_ERROR_NULL;
    if (a == NULL || b == NULL || cache == NULL)
        return trvi_separate_anew(a, pose_a, b, pose_b, cache, out);
    const trv_plane_cache before = *cache;
    if (trvi_is_parting(cache) &&
        trvi_quickly_apart(a, pose_a, b, pose_b, cache, 0.0f, true, &quick) &&
        tell_found(a, b, &quick, &before, cache, &pose_a->position, out))
        return TRV_OK;
    return trvi_separate_anew(a, pose_a, b, pose_b, cache, out);
}

trv_result trvi_separate_led(const trv_shape *a, const trv_shape *b, trv_plane_cache *cache,
                             trv_separation *out, const trv_pose *pose_a, const trv_pose *pose_b)
{
    trvi_quick quick;
    const trv_plane_cache before = *cache;
    trvi_duo duo = trvi_duo_of(a, pose_a, b, pose_b, cache);
    if (trvi_lead(&duo, 0.0f, cache, &quick) &&
        tell_found(a, b, &quick, &before, cache, &pose_a->position, out))
        return TRV_OK;
    return trvi_separate_anew(a, pose_a, b, pose_b, cache, out);
}
