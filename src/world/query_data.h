// What the questions about a world share.
#ifndef TRVI_QUERY_DATA_H
#define TRVI_QUERY_DATA_H

#include "world_data.h"

// A query is under way; `query` is never NULL.
typedef struct trvi_asked {
    const trv_world *world;
    const trv_query *query;
} trvi_asked;

// TRV_ERROR_NULL, _BUSY, _DEF. `usual` is filled in and used where there is no query.
trv_result trvi_ask(const trv_world *world, const trv_query *query, trv_query *usual,
                    trvi_asked *asked);

// Switch of sensors and predicate; the broadphase has seen to the filter.
bool trvi_may_see(const trvi_asked *asked, uint32_t shape);

trv_world_found trvi_found(const trv_world *world, uint32_t shape);
trv_pose trvi_shape_frame(const trv_world *world, uint32_t shape);

// Hits in the caller's array: the first `capacity` by fraction, then by index of shape.
typedef struct trvi_hits {
    trv_world_hit *hits;
    uint32_t capacity;
    uint32_t kept;
    uint32_t count;
} trvi_hits;

void trvi_keep_hit(trvi_hits *hits, const trv_world_hit *hit);

// Up to what fraction others are of interest once one is met at `fraction`. 0 would end the search: at
// the start there may be others, of lower index, but for rounding.
float trvi_limit_after(float fraction, trv_vec3 start, trv_vec3 travel, float limit);

// query_cast.c: a solid at rest and a mover.
void trvi_cast_at(const trv_shape *mover, const trv_motion *motion, const trv_shape *solid,
                  trv_pose frame, float max_fraction, trv_impact_hit *hit);

#endif
