// Mobiles: what a body needs that moves, kept apart from what every body has.
//
// They stand side by side, so that a step reads little else: one that is dropped is replaced by the
// last. Where a body's mobile stands means nothing, and is neither hashed nor written to files.
//
// Invariant: a body that is not static has a mobile of its own; the awake list, and the events of
// falling asleep, have room for all mobiles.
#include "world_data.h"

#include <string.h>

static trvi_mobile at_rest(uint32_t body)
{
    trvi_mobile mobile;
    memset(&mobile, 0, sizeof mobile);
    mobile.body = body;
    mobile.gravity_scale = 1.0f;
    mobile.rest_rotation = mobile.principal = trv_identity_quat();
    return mobile;
}

bool trvi_mobiles_init(trv_world *world)
{
    world->mobiles.stride = sizeof(trvi_mobile);
    if (!trvi_array_reserve(&world->allocator, &world->mobiles, 1))
        return false;
    *(trvi_mobile *)world->mobiles.items = at_rest(TRVI_NONE);
    world->mobiles.count = 1;
    return true;
}

void trvi_mobile_rests(trvi_mobile *mobile, const trvi_body *body)
{
    mobile->rest_center = body->center;
    mobile->rest_rotation = body->rotation;
    mobile->still_time = 0.0f;
    mobile->rest_age = 0.0f;
}

bool trvi_mobile_give(trv_world *world, uint32_t index)
{
    const trv_allocator *allocator = &world->allocator;
    trvi_body *body = &trvi_bodies(world)[index];
    if (body->mobile != TRVI_IMMOBILE)
        return true;
    if (!trvi_array_reserve(allocator, &world->mobiles, world->mobiles.count + 1) ||
        !trvi_array_reserve(allocator, &world->awake, world->mobiles.capacity) ||
        !trvi_array_reserve(allocator, &world->shifts, world->mobiles.capacity) ||
        !trvi_events_reserve_bodies(world))
        return false;
    body->mobile = world->mobiles.count++;
    trvi_mobile *mobile = trvi_own_mobile(world, body);
    *mobile = at_rest(index);
    trvi_mobile_rests(mobile, body);
    return true;
}

void trvi_mobile_drop(trv_world *world, uint32_t index)
{
    trvi_body *body = &trvi_bodies(world)[index];
    if (body->mobile == TRVI_IMMOBILE)
        return;
    trvi_mobile *mobiles = world->mobiles.items;
    trvi_mobile *last = &mobiles[--world->mobiles.count];
    trvi_bodies(world)[last->body].mobile = body->mobile;
    mobiles[body->mobile] = *last;
    memset(last, 0, sizeof *last);
    body->mobile = TRVI_IMMOBILE;
}
