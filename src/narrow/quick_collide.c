// trv_collide's short way: the remembered plane, asked straight from the shapes before anything
// else is prepared. What is out of the ordinary, and what the plane parts no more, goes on to
// collide.c.
//
// Invariant: "apart" is a proof.
// Based on: Lander 1999, "Crashing into the New Year" (the plane remembered per pair).
#include "carry.h"
#include "quick.h"

// On its own: it is not to be written out twice.
static bool is_still_apart(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                           const trv_pose *pose_b, float margin, bool leads, trv_plane_cache *cache)
{
    trvi_quick quick;
    return trvi_quickly_apart(a, pose_a, b, pose_b, cache, margin, leads, &quick);
}

float trvi_gap_left(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                    const trv_pose *pose_b, trv_plane_cache *cache)
{
    bool apart = trvi_is_parting(cache) && is_still_apart(a, pose_a, b, pose_b, 0.0f, false, cache);
    return apart ? cache->gap : 0.0f;
}

// One by one, which compilers join to a few stores: for the whole they call a function.
static inline void clear(trv_manifold *out)
{
    static const trv_manifold_point none = {{0.0f, 0.0f, 0.0f}, 0.0f, 0};
    out->normal = (trv_vec3){0.0f, 0.0f, 0.0f};
    out->count = out->part_a = out->part_b = 0;
    out->points[0] = none;
    out->points[1] = none;
    out->points[2] = none;
    out->points[3] = none;
}

trvi_answer trvi_collide(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                         float margin, trv_plane_cache *cache, const trvi_held *held,
                         trv_manifold *out)
{
    clear(out);
    if (cache != NULL && trvi_is_parting(cache) &&
        is_still_apart(a, &pose_a, b, &pose_b, margin, true, cache))
        return TRVI_APART_REMEMBERED;
    return trvi_collide_good(a, &pose_a, b, &pose_b, margin, cache, held, out);
}

trv_result trv_collide(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                       float margin, trv_plane_cache *cache, trv_manifold *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    clear(out);
    if (a != NULL && b != NULL && cache != NULL && trvi_is_parting(cache) && margin >= 0.0f &&
        margin <= TRV_COORD_MAX && is_still_apart(a, &pose_a, b, &pose_b, margin, true, cache))
        return TRV_OK;
    return trvi_collide_anew(a, &pose_a, b, &pose_b, margin, cache, out);
}
