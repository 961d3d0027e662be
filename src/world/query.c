// Questions about the whole world: rays.
#include "world_data.h"

#include <string.h>

typedef struct ray_search {
    const trv_world *world;
    trv_ray ray;
    uint32_t shape;
    trv_ray_hit hit;
} ray_search;

// Ties go to the lower shape index, whatever the order of the boxes.
static float visit_box(void *context, trv_proxy_id proxy, uint64_t user, float limit)
{
    (void)proxy;
    ray_search *search = context;
    const trvi_shape *shape = &trvi_shapes(search->world)[user];
    const trvi_body *body = &trvi_bodies(search->world)[shape->body];
    trv_ray_hit hit;
    trv_result result = trv_shape_cast_ray(&shape->solid, trvi_body_frame(body), search->ray, &hit);
    if (result != TRV_OK || !hit.hit || hit.fraction > limit)
        return limit;
    bool nearer = !search->hit.hit || hit.fraction < search->hit.fraction ||
                  (hit.fraction == search->hit.fraction && (uint32_t)user < search->shape);
    if (!nearer)
        return limit;
    search->hit = hit;
    search->shape = (uint32_t)user;
    // A limit of 0 would end the search; a shape of lower index may share the ray's origin.
    return hit.fraction > 0.0f ? hit.fraction : limit;
}

trv_result trv_world_cast_ray(const trv_world *world, trv_ray ray, trv_filter filter,
                              trv_shape_id *shape, trv_ray_hit *hit)
{
    if (shape == NULL || hit == NULL)
        return TRV_ERROR_NULL;
    *shape = (trv_shape_id){0, 0, 0};
    memset(hit, 0, sizeof *hit);
    if (world == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    ray_search search = {world, ray, 0, {0}};
    trv_result result = trv_broad_cast_ray(world->broad, ray, filter, visit_box, &search);
    if (result != TRV_OK || !search.hit.hit)
        return result;
    *hit = search.hit;
    *shape = trvi_shape_id(world, search.shape);
    return TRV_OK;
}
