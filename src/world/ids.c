// Ids: what the outside calls the parts of a world, and the way back to their index.
//
// An id holds an index, the world's tag and the generation of what lived at the index when the id
// was made: a place that is used again has another generation, so that old ids are told apart.
#include "world_data.h"

#include <string.h>

trv_body_id trvi_body_id(const trv_world *world, uint32_t body)
{
    return (trv_body_id){body + 1, world->tag, trvi_bodies(world)[body].generation};
}

trv_shape_id trvi_shape_id(const trv_world *world, uint32_t shape)
{
    uint32_t lead = trvi_shapes(world)[shape].lead; // parts of compounds have no id of their own
    return (trv_shape_id){lead + 1, world->tag, trvi_shapes(world)[lead].generation};
}

trv_result trvi_find_body(const trv_world *world, trv_body_id id, uint32_t *body)
{
    *body = 0;
    if (world == NULL)
        return TRV_ERROR_NULL;
    if (id.index1 != 0 && id.world != world->tag)
        return TRV_ERROR_FOREIGN;
    if (id.index1 == 0 || id.index1 > world->bodies.items.count)
        return TRV_ERROR_STALE;
    const trvi_body *found = &trvi_bodies(world)[id.index1 - 1];
    if (!(found->flags & TRVI_BODY_LIVE) || found->generation != id.generation)
        return TRV_ERROR_STALE;
    *body = id.index1 - 1;
    return TRV_OK;
}

trv_result trvi_find_shape(const trv_world *world, trv_shape_id id, uint32_t *shape)
{
    *shape = 0;
    if (world == NULL)
        return TRV_ERROR_NULL;
    if (id.index1 != 0 && id.world != world->tag)
        return TRV_ERROR_FOREIGN;
    if (id.index1 == 0 || id.index1 > world->shapes.items.count)
        return TRV_ERROR_STALE;
    const trvi_shape *found = &trvi_shapes(world)[id.index1 - 1];
    if (!(found->flags & TRVI_SHAPE_LIVE) || found->generation != id.generation ||
        found->lead != id.index1 - 1)
        return TRV_ERROR_STALE;
    *shape = id.index1 - 1;
    return TRV_OK;
}

trv_result trvi_ask_body(const trv_world *world, trv_body_id id, void *answer, size_t size,
                         const trvi_body **body)
{
    uint32_t index;
    if (answer == NULL)
        return TRV_ERROR_NULL;
    memset(answer, 0, size);
    trv_result result = trvi_find_body(world, id, &index);
    if (result == TRV_OK)
        *body = &trvi_bodies(world)[index];
    return result;
}

trv_result trvi_ask_shape(const trv_world *world, trv_shape_id id, void *answer, size_t size,
                          const trvi_shape **shape)
{
    uint32_t index;
    if (answer == NULL)
        return TRV_ERROR_NULL;
    memset(answer, 0, size);
    trv_result result = trvi_find_shape(world, id, &index);
    if (result == TRV_OK)
        *shape = &trvi_shapes(world)[index];
    return result;
}

trv_result trvi_ask_body_list(const trv_world *world, trv_body_id id, const void *out,
                              uint32_t capacity, uint32_t *count, const trvi_body **body)
{
    trv_result result = trvi_ask_body(world, id, count, sizeof *count, body);
    return result == TRV_OK && out == NULL && capacity > 0 ? TRV_ERROR_NULL : result;
}

trv_result trvi_ask_shape_list(const trv_world *world, trv_shape_id id, const void *out,
                               uint32_t capacity, uint32_t *count, const trvi_shape **shape)
{
    trv_result result = trvi_ask_shape(world, id, count, sizeof *count, shape);
    return result == TRV_OK && out == NULL && capacity > 0 ? TRV_ERROR_NULL : result;
}

static trv_result to_change(trv_world *world)
{
    if (world->stepping)
        return TRV_ERROR_BUSY;
    trvi_resume_drop(world);
    return TRV_OK;
}

trv_result trvi_find_body_to_change(trv_world *world, trv_body_id id, uint32_t *body)
{
    trv_result result = trvi_find_body(world, id, body);
    return result == TRV_OK ? to_change(world) : result;
}

trv_result trvi_find_shape_to_change(trv_world *world, trv_shape_id id, uint32_t *shape)
{
    trv_result result = trvi_find_shape(world, id, shape);
    return result == TRV_OK ? to_change(world) : result;
}

uint32_t trvi_first_part(const trv_world *world, uint32_t lead)
{
    const trvi_shape *shapes = trvi_shapes(world);
    uint32_t s = trvi_bodies(world)[shapes[lead].body].first_shape;
    while (shapes[s].lead != lead) // the lead itself is in the list
        s = shapes[s].next;
    return s;
}

uint32_t trvi_next_part(const trv_world *world, uint32_t shape)
{
    uint32_t next = trvi_shapes(world)[shape].next;
    bool same =
        next != TRVI_NONE && trvi_shapes(world)[next].lead == trvi_shapes(world)[shape].lead;
    return same ? next : TRVI_NONE;
}
