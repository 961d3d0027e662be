// Shapes of bodies: making and destroying them, and what may be asked of them.
#include "world_data.h"

#include <string.h>

trv_shape_def trv_default_shape_def(void)
{
    trv_shape_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TRVI_COOKIE_SHAPE;
    def.material = (trv_material){0.6f, 0.0f, 0.0f, 1000.0f};
    def.filter = trv_default_filter();
    def.hit_events = true;
    return def;
}

static trv_result check_def(const trv_shape_def *def)
{
    if (def->cookie != TRVI_COOKIE_SHAPE)
        return TRV_ERROR_DEF;
    trv_result result = trvi_check_range(def->material.friction, 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK)
        result = trvi_check_range(def->material.restitution, 0.0f, 1.0f);
    if (result == TRV_OK)
        result = trvi_check_range(def->material.rolling_friction, 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK)
        result = trvi_check_range(def->material.density, 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK && def->bounds != TRV_BOUNDS_EXACT && def->bounds != TRV_BOUNDS_REST_BOX)
        result = TRV_ERROR_RANGE;
    return result;
}

static trv_proxy_set set_of(const trvi_body *body)
{
    if (body->kind == TRV_BODY_STATIC)
        return TRV_PROXY_STATIC;
    return body->flags & TRVI_BODY_AWAKE ? TRV_PROXY_AWAKE : TRV_PROXY_ASLEEP;
}

// Only what the kind has: the rest of the union may be anything, and would be saved.
static void copy_solid(trv_shape *to, const trv_shape *from)
{
    to->kind = from->kind;
    switch (from->kind) {
    case TRV_SHAPE_SPHERE:
        to->as.sphere = from->as.sphere;
        break;
    case TRV_SHAPE_CAPSULE:
        to->as.capsule = from->as.capsule;
        break;
    case TRV_SHAPE_BOX:
        to->as.box = from->as.box;
        break;
    case TRV_SHAPE_HULL:
        to->as.hull = from->as.hull;
        break;
    default:
        to->as.plane = from->as.plane;
        break;
    }
}

static void fill_shape(trvi_shape *shape, uint32_t body, const trv_shape_def *def,
                       const trv_shape *solid)
{
    uint16_t generation = (uint16_t)(shape->generation + 1);
    memset(shape, 0, sizeof *shape);
    shape->generation = generation;
    shape->flags = TRVI_SHAPE_LIVE;
    if (def->hit_events)
        shape->flags |= TRVI_SHAPE_HIT_EVENTS;
    if (def->bounds == TRV_BOUNDS_REST_BOX && solid->kind != TRV_SHAPE_PLANE)
        shape->flags |= TRVI_SHAPE_REST_BOX;
    shape->body = body;
    copy_solid(&shape->solid, solid);
    shape->rest_box = trvi_rest_box(solid);
    shape->material = def->material;
    shape->filter = def->filter;
    shape->user = def->user;
}

// Puts the filled shape into the broadphase and the body's list, and renews the body's mass;
// undoes everything where that fails.
static trv_result join_body(trv_world *world, uint32_t index)
{
    trvi_shape *shape = &trvi_shapes(world)[index];
    trvi_body *body = &trvi_bodies(world)[shape->body];
    trv_aabb box = trvi_shape_place(shape, trvi_body_frame(body), 0.0f);
    trv_result result =
        trv_broad_add(world->broad, box, shape->filter, set_of(body), index, &shape->proxy);
    if (result != TRV_OK)
        return result;
    trvi_body before = *body;
    shape->next = body->first_shape;
    body->first_shape = index;
    body->covered = 0.0f; // what this shape's box has room for
    result = trvi_body_update_mass(world, body);
    if (result == TRV_OK)
        return TRV_OK;
    *body = before;
    trv_broad_remove(world->broad, shape->proxy);
    return result;
}

trv_result trv_shape_create(trv_world *world, trv_body_id body_id, const trv_shape_def *def,
                            const trv_shape *solid, trv_shape_id *id)
{
    if (id == NULL)
        return TRV_ERROR_NULL;
    *id = (trv_shape_id){0, 0, 0};
    if (world == NULL || def == NULL || solid == NULL)
        return TRV_ERROR_NULL;
    uint32_t body, index;
    trv_result result = trvi_find_body_to_change(world, body_id, &body);
    if (result == TRV_OK)
        result = check_def(def);
    if (result == TRV_OK)
        result = trv_shape_check(solid);
    if (result == TRV_OK && solid->kind == TRV_SHAPE_PLANE &&
        trvi_bodies(world)[body].kind != TRV_BODY_STATIC)
        result = TRV_ERROR_KIND;
    if (result == TRV_OK && solid->kind == TRV_SHAPE_COMPOUND) {
        trvi_log(&world->log, TRV_LOG_ERROR,
                 "a compound is no shape of a body: each part is a shape of its own on a body");
        result = TRV_ERROR_KIND;
    }
    if (result == TRV_OK && solid->kind == TRV_SHAPE_HULL && !trvi_hold_reserve(world))
        result = TRV_ERROR_MEMORY;
    if (result == TRV_OK)
        result = trvi_pool_take(&world->allocator, &world->shapes, &index);
    if (result != TRV_OK)
        return result;
    fill_shape(&trvi_shapes(world)[index], body, def, solid);
    result = join_body(world, index);
    if (result != TRV_OK) { // the place is as if nobody had tried, for the ids that will be made
        trvi_shapes(world)[index].flags = 0;
        trvi_shapes(world)[index].generation--;
        trvi_pool_give(&world->shapes, index);
        return result;
    }
    trvi_hold(world, &trvi_shapes(world)[index]);
    trvi_wake(world, body);
    *id = trvi_shape_id(world, index);
    return TRV_OK;
}

void trvi_shape_remove(trv_world *world, uint32_t index)
{
    trvi_shape *shape = &trvi_shapes(world)[index];
    trvi_body *body = &trvi_bodies(world)[shape->body];
    uint32_t link = body->first_contact;
    while (link != TRVI_NONE) {
        const trvi_contact *contact = &trvi_contacts(world)[link / 2];
        uint32_t following = contact->next[link % 2];
        if (contact->shape_a == index || contact->shape_b == index)
            trvi_contact_remove(world, link / 2);
        link = following;
    }
    uint32_t *at = &body->first_shape;
    while (*at != index)
        at = &trvi_shapes(world)[*at].next;
    *at = shape->next;
    trv_broad_remove(world->broad, shape->proxy);
    trvi_let_go(world, shape);
    shape->flags = 0;
    trvi_pool_give(&world->shapes, index);
}

trv_result trv_shape_destroy(trv_world *world, trv_shape_id id)
{
    uint32_t index;
    trv_result result = trvi_find_shape_to_change(world, id, &index);
    if (result != TRV_OK)
        return result;
    uint32_t body = trvi_shapes(world)[index].body;
    trvi_wake(world, body);
    trvi_wake_neighbors(world, body);
    trvi_shape_remove(world, index);
    // Less mass of valid shapes is valid mass: this cannot fail.
    trvi_body_update_mass(world, &trvi_bodies(world)[body]);
    return TRV_OK;
}

trv_result trv_shape_body(const trv_world *world, trv_shape_id id, trv_body_id *body)
{
    if (body == NULL)
        return TRV_ERROR_NULL;
    *body = (trv_body_id){0, 0, 0};
    uint32_t index;
    trv_result result = trvi_find_shape(world, id, &index);
    if (result == TRV_OK)
        *body = trvi_body_id(world, trvi_shapes(world)[index].body);
    return result;
}

trv_result trv_shape_solid(const trv_world *world, trv_shape_id id, trv_shape *solid)
{
    if (solid == NULL)
        return TRV_ERROR_NULL;
    memset(solid, 0, sizeof *solid);
    uint32_t index;
    trv_result result = trvi_find_shape(world, id, &index);
    if (result == TRV_OK)
        *solid = trvi_shapes(world)[index].solid;
    return result;
}

trv_result trv_shape_bounds(const trv_world *world, trv_shape_id id, trv_aabb *bounds)
{
    if (bounds == NULL)
        return TRV_ERROR_NULL;
    memset(bounds, 0, sizeof *bounds);
    uint32_t index;
    trv_result result = trvi_find_shape(world, id, &index);
    if (result == TRV_OK)
        *bounds = trvi_shapes(world)[index].bounds;
    return result;
}

trv_result trv_shape_user(const trv_world *world, trv_shape_id id, uint64_t *user)
{
    if (user == NULL)
        return TRV_ERROR_NULL;
    *user = 0;
    uint32_t index;
    trv_result result = trvi_find_shape(world, id, &index);
    if (result == TRV_OK)
        *user = trvi_shapes(world)[index].user;
    return result;
}
