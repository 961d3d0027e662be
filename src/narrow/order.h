// The order in which two shapes are looked at, whichever way the caller gave them.
#ifndef TRVI_ORDER_H
#define TRVI_ORDER_H

#include "view.h"

// True where `b` is to be looked at as the first of the two, so that both ways of asking do the
// very same sums and the answers mirror each other to the last bit. Neither is a half-space or
// compound.
bool trvi_is_turned(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                    const trv_pose *pose_b);

// trvi_couple_set with the one that is to be looked at first as A; `couple->turned` tells whether
// that is `b`.
void trvi_couple_in_order(trvi_couple *couple, const trv_shape *a, trv_pose pose_a,
                          const trv_shape *b, trv_pose pose_b);

// What the cache of (a, b) is for (b, a); another one.
void trvi_turn_cache(const trv_plane_cache *cache, const trv_shape *a, const trv_pose *pose_a,
                     const trv_shape *b, const trv_pose *pose_b, trv_plane_cache *turned);

// What a cache remembers: where this stays, so does all but where searches end.
typedef struct trvi_memory {
    trv_vec3 normal;
    uint32_t source, index_a, index_b;
} trvi_memory;

trvi_memory trvi_memory_of(const trv_plane_cache *cache);

// Brings what was learnt as (b, a) back to the cache of (a, b); `before` is of what trvi_turn_cache
// gave.
void trvi_turn_back(const trvi_memory *before, const trv_plane_cache *after, const trv_shape *a,
                    const trv_pose *pose_a, const trv_shape *b, const trv_pose *pose_b,
                    trv_plane_cache *cache);

#endif
