// Questions about the whole world: what all of them share, and rays.
#include "query_data.h"

#include <string.h>

trv_query trv_default_query(void)
{
    trv_query query;
    memset(&query, 0, sizeof query);
    query.cookie = TRVI_COOKIE_QUERY;
    query.filter = trv_default_filter();
    return query;
}

trv_result trvi_ask(const trv_world *world, const trv_query *query, trv_query *usual,
                    trvi_asked *asked)
{
    *usual = trv_default_query();
    if (world == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    if (query != NULL && query->cookie != TRVI_COOKIE_QUERY)
        return TRV_ERROR_DEF;
    *asked = (trvi_asked){world, query != NULL ? query : usual};
    return TRV_OK;
}

bool trvi_may_see(const trvi_asked *asked, uint32_t index)
{
    const trvi_shape *shape = &trvi_shapes(asked->world)[index];
    if ((shape->flags & TRV_SHAPE_SENSOR) && !asked->query->sensors)
        return false;
    return asked->query->accept == NULL ||
           asked->query->accept(asked->query->context, trvi_shape_id(asked->world, index),
                                shape->user);
}

trv_world_found trvi_found(const trv_world *world, uint32_t index)
{
    const trvi_shape *shape = &trvi_shapes(world)[index];
    return (trv_world_found){trvi_shape_id(world, index), trvi_body_id(world, shape->body),
                             shape->user, shape->part};
}

trv_pose trvi_shape_frame(const trv_world *world, uint32_t index)
{
    return trvi_bodies(world)[trvi_shapes(world)[index].body].frame;
}

static bool comes_before(const trv_world_hit *a, const trv_world_hit *b)
{
    if (a->fraction != b->fraction)
        return a->fraction < b->fraction;
    if (a->shape.index1 != b->shape.index1)
        return a->shape.index1 < b->shape.index1;
    return a->part < b->part;
}

void trvi_keep_hit(trvi_hits *hits, const trv_world_hit *hit)
{
    hits->count++;
    uint32_t at = hits->kept;
    while (at > 0 && comes_before(hit, &hits->hits[at - 1]))
        at--;
    if (at >= hits->capacity)
        return;
    if (hits->kept < hits->capacity)
        hits->kept++;
    memmove(&hits->hits[at + 1], &hits->hits[at], (hits->kept - at - 1) * sizeof *hit);
    hits->hits[at] = *hit;
}

float trvi_limit_after(float fraction, trv_vec3 start, trv_vec3 travel, float limit)
{
    if (fraction > 0.0f)
        return fraction;
    float start_scale =
        trvi_largest_of(start) / trvi_length(travel); // of no travel: NaN or infinite
    return trvi_smaller(TRVI_NEARER_SLACK * (1.0f + start_scale), limit);
}

typedef struct ray_search {
    trvi_asked asked;
    trv_ray ray;
    trv_world_hit best;
    trvi_hits *all; // or NULL: the closest
    bool any;       // the first that is found will do
} ray_search;

static trv_world_hit ray_hit(const trv_world *world, uint32_t index, const trv_ray_hit *hit)
{
    trv_world_found found = trvi_found(world, index);
    return (trv_world_hit){true,        hit->inside, hit->fraction, hit->point, hit->normal,
                           found.shape, found.body,  found.user,    found.part};
}

static float visit_box(void *context, trv_proxy_id proxy, uint64_t user, float limit)
{
    (void)proxy;
    ray_search *search = context;
    const trv_world *world = search->asked.world;
    uint32_t index = (uint32_t)user;
    trv_ray_hit hit;
    trv_result result = trv_shape_cast_ray(&trvi_shapes(world)[index].solid,
                                           trvi_shape_frame(world, index), search->ray, &hit);
    if (result != TRV_OK || !hit.hit || hit.fraction > limit ||
        !trvi_may_see(&search->asked, index))
        return limit;
    trv_world_hit met = ray_hit(world, index, &hit);
    if (search->all != NULL) {
        trvi_keep_hit(search->all, &met);
        return limit;
    }
    if (search->best.hit && !comes_before(&met, &search->best))
        return limit;
    search->best = met;
    if (search->any)
        return 0.0f;
    return trvi_limit_after(hit.fraction, search->ray.origin, search->ray.travel, limit);
}

static trv_result search_ray(const trv_world *world, const trv_query *query, ray_search *search)
{
    trv_query usual;
    trv_result result = trvi_ask(world, query, &usual, &search->asked);
    if (result != TRV_OK)
        return result;
    return trv_broad_cast_ray(world->broad, search->ray, search->asked.query->filter, visit_box,
                              search);
}

trv_result trv_world_ray_closest(const trv_world *world, trv_ray ray, const trv_query *query,
                                 trv_world_hit *hit)
{
    if (hit == NULL)
        return TRV_ERROR_NULL;
    memset(hit, 0, sizeof *hit);
    ray_search search = {.ray = ray};
    trv_result result = search_ray(world, query, &search);
    if (result == TRV_OK)
        *hit = search.best;
    return result;
}

trv_result trv_world_ray_any(const trv_world *world, trv_ray ray, const trv_query *query, bool *any)
{
    if (any == NULL)
        return TRV_ERROR_NULL;
    ray_search search = {.ray = ray, .any = true};
    trv_result result = search_ray(world, query, &search);
    *any = result == TRV_OK && search.best.hit;
    return result;
}

trv_result trv_world_ray_all(const trv_world *world, trv_ray ray, const trv_query *query,
                             trv_world_hit *hits, uint32_t capacity, uint32_t *count)
{
    if (count == NULL)
        return TRV_ERROR_NULL;
    *count = 0;
    if (hits == NULL && capacity > 0)
        return TRV_ERROR_NULL;
    trvi_hits all = {hits, capacity, 0, 0};
    ray_search search = {.ray = ray, .all = &all};
    trv_result result = search_ray(world, query, &search);
    if (result == TRV_OK)
        *count = all.count;
    return result;
}

trv_result trv_world_cast_ray(const trv_world *world, trv_ray ray, trv_filter filter,
                              trv_shape_id *shape, trv_ray_hit *hit)
{
    if (shape == NULL || hit == NULL)
        return TRV_ERROR_NULL;
    *shape = (trv_shape_id){0, 0, 0};
    memset(hit, 0, sizeof *hit);
    trv_query query = trv_default_query();
    query.filter = filter;
    trv_world_hit met;
    trv_result result = trv_world_ray_closest(world, ray, &query, &met);
    if (result != TRV_OK || !met.hit)
        return result;
    *hit = (trv_ray_hit){true, met.start, met.fraction, met.point, met.normal};
    *shape = met.shape;
    return TRV_OK;
}

typedef struct ray_job {
    const trv_world *world;
    const trv_ray *rays;
    const trv_query *query;
    trv_world_hit *hits;
} ray_job;

static void cast_rays(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const ray_job *job = context;
    for (uint32_t i = first; i < last; i++)
        trv_world_ray_closest(job->world, job->rays[i], job->query, &job->hits[i]);
}

trv_result trv_world_rays(const trv_world *world, const trv_ray *rays, uint32_t count,
                          const trv_query *query, trv_world_hit *hits)
{
    if (hits == NULL || rays == NULL)
        return count == 0 && world != NULL ? TRV_OK : TRV_ERROR_NULL;
    memset(hits, 0, count * sizeof *hits);
    trv_query usual;
    trvi_asked asked;
    trv_result result = trvi_ask(world, query, &usual, &asked);
    for (uint32_t i = 0; i < count && result == TRV_OK; i++) {
        result = trvi_check_vec3(rays[i].origin);
        if (result == TRV_OK)
            result = trvi_check_vec3(rays[i].travel);
    }
    if (result != TRV_OK)
        return result;
    ray_job job = {world, rays, query, hits};
    trvi_parallel_for(&world->workers, count, 8, cast_rays, &job);
    return TRV_OK;
}

trv_result trv_shape_ray(const trv_world *world, trv_shape_id id, trv_ray ray, trv_world_hit *hit)
{
    if (hit == NULL)
        return TRV_ERROR_NULL;
    memset(hit, 0, sizeof *hit);
    uint32_t lead;
    trv_result result = trvi_find_shape(world, id, &lead);
    if (result != TRV_OK)
        return result;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    trv_world_hit best = {0};
    for (uint32_t s = trvi_first_part(world, lead); s != TRVI_NONE; s = trvi_next_part(world, s)) {
        trv_ray_hit one;
        result =
            trv_shape_cast_ray(&trvi_shapes(world)[s].solid, trvi_shape_frame(world, s), ray, &one);
        if (result != TRV_OK)
            return result;
        trv_world_hit met = ray_hit(world, s, &one);
        if (one.hit && (!best.hit || comes_before(&met, &best)))
            best = met;
    }
    *hit = best;
    return TRV_OK;
}
