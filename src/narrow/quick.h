// What the public questions ask where their short way ends.
#ifndef TRVI_QUICK_H
#define TRVI_QUICK_H

#include "along.h"

// trv_separate and trv_collide whose outputs are there; `cache` may be NULL. The manifold is
// zeroed.
trv_result trvi_separate_anew(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                              const trv_pose *pose_b, trv_plane_cache *cache, trv_separation *out);
trv_result trvi_collide_anew(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                             const trv_pose *pose_b, float margin, trv_plane_cache *cache,
                             trv_manifold *out);

// trvi_collide; `cache` may be NULL as well, and the manifold is zeroed.
trvi_answer trvi_collide_good(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                              const trv_pose *pose_b, float margin, trv_plane_cache *cache,
                              const trvi_held *held, trv_manifold *out);

// True where the cache's source and indices are what a plane between these shapes can have been
// made of; a cache that says otherwise is the caller's.
bool trvi_is_known_source(const trv_shape *a, const trv_shape *b, const trv_plane_cache *cache);

// The commonest of them at once.
static inline bool trvi_is_known(const trv_shape *a, const trv_shape *b,
                                 const trv_plane_cache *cache)
{
    if (cache->source == TRV_PLANE_VERTICES && a->kind == TRV_SHAPE_HULL &&
        b->kind == TRV_SHAPE_HULL)
        return cache->index_a < a->as.hull->vertex_count &&
               cache->index_b < b->as.hull->vertex_count;
    return trvi_is_known_source(a, b, cache);
}

// trv_separate: for any shapes by the cache's plane, else anew. Pointers may be NULL.
typedef trv_result trvi_separate_way(const trv_shape *a, const trv_shape *b, trv_plane_cache *cache,
                                     trv_separation *out, const trv_pose *pose_a,
                                     const trv_pose *pose_b);
trvi_separate_way trvi_separate_any;

// The same where the cache's plane was asked already, in good poses, and parts the shapes no more.
trvi_separate_way trvi_separate_led;

// The same with a short way for two hulls or two boxes that the cache's plane parts. The second is
// for processors that have AVX.
trvi_separate_way trvi_separate_four;
#if defined(TRVI_CAN_EIGHT)
trvi_separate_way trvi_separate_eight;
#endif

#endif
