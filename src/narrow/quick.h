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

// trvi_collide; `cache` may be NULL, and the manifold is zeroed.
trvi_answer trvi_collide_good(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                              const trv_pose *pose_b, float margin, trv_plane_cache *cache,
                              trv_manifold *out);

// True where the cache's source and indices are what a plane between these shapes can have been
// made of; a cache that says otherwise is the caller's.
bool trvi_is_known_source(const trv_shape *a, const trv_shape *b, const trv_plane_cache *cache);

// trv_separate with a cache: for any shapes by the cache's plane, else anew.
trv_result trvi_separate_any(const trv_shape *a, const trv_shape *b, trv_plane_cache *cache,
                             trv_separation *out, const trv_pose *pose_a, const trv_pose *pose_b);

// The same for two hulls of more than TRVI_FAN_VERTICES vertices and a cache whose plane is worth
// asking.
trv_result trvi_separate_hulls(const trv_shape *a, const trv_shape *b, trv_plane_cache *cache,
                               trv_separation *out, const trv_pose *pose_a, const trv_pose *pose_b);
#if defined(TRVI_CAN_EIGHT)
// The same, for processors that have AVX.
trv_result trvi_separate_hulls_eight(const trv_shape *a, const trv_shape *b, trv_plane_cache *cache,
                                     trv_separation *out, const trv_pose *pose_a,
                                     const trv_pose *pose_b);
#endif

#endif
