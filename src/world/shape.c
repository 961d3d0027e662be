// Shapes of bodies: making and destroying them, and what may be asked of them.
//
// A compound is one shape to the outside. Inside, each part is a shape with a proxy and contacts of
// its own, in the body's frame; the first part stands for all, and they follow one another in the
// body's list, last first. So nothing that moves, tests or solves has to know of compounds.
#include "world_data.h"

#include <string.h>

trv_shape_def trv_default_shape_def(void)
{
    trv_shape_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TRVI_COOKIE_SHAPE;
    def.material.friction = 0.6f;
    def.material.density = 1000.0f;
    def.filter = trv_default_filter();
    def.touch_events = true;
    def.hit_events = true;
    def.sensor_events = true;
    return def;
}

trv_result trvi_check_material(const trv_material *material)
{
    trv_result result = trvi_check_range(material->friction, 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK)
        result = trvi_check_range(material->restitution, 0.0f, 1.0f);
    if (result == TRV_OK)
        result = trvi_check_range(material->rolling_friction, 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK)
        result = trvi_check_range(material->density, 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK)
        result = trvi_check_vec3(material->surface_velocity);
    return result;
}

static trv_result check_def(const trv_shape_def *def)
{
    if (def->cookie != TRVI_COOKIE_SHAPE)
        return TRV_ERROR_DEF;
    trv_result result = trvi_check_material(&def->material);
    if (result == TRV_OK && def->bounds != TRV_BOUNDS_EXACT && def->bounds != TRV_BOUNDS_REST_BOX)
        result = TRV_ERROR_RANGE;
    return result;
}

static uint16_t switches_of(const trv_shape_def *def)
{
    uint32_t bits = 0;
    bits |= def->sensor ? TRV_SHAPE_SENSOR : 0u;
    bits |= def->sees_sensors ? TRV_SHAPE_SEES_SENSORS : 0u;
    bits |= def->touch_events ? TRV_SHAPE_TOUCH_EVENTS : 0u;
    bits |= def->hit_events ? TRV_SHAPE_HIT_EVENTS : 0u;
    bits |= def->sensor_events ? TRV_SHAPE_SENSOR_EVENTS : 0u;
    bits |= def->pre_solve ? TRV_SHAPE_PRE_SOLVE : 0u;
    bits |= def->by_hand ? TRV_SHAPE_BY_HAND : 0u;
    return (uint16_t)bits;
}

void trvi_copy_solid(trv_shape *to, const trv_shape *from)
{
    memset(to, 0, sizeof *to);
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
                       const trv_shape *solid, uint32_t trait)
{
    uint16_t generation = (uint16_t)(shape->generation + 1);
    memset(shape, 0, sizeof *shape);
    shape->generation = generation;
    shape->flags = (uint16_t)(TRVI_SHAPE_LIVE | switches_of(def));
    if (def->bounds == TRV_BOUNDS_REST_BOX && solid->kind != TRV_SHAPE_PLANE)
        shape->flags |= TRVI_SHAPE_REST_BOX;
    shape->body = body;
    trvi_copy_solid(&shape->solid, solid);
    shape->trait = trait;
    shape->user = def->user;
}

// Gives a place back that a shape was to have, as it was.
static void untake(trv_world *world, uint32_t index)
{
    trvi_shape *shape = &trvi_shapes(world)[index];
    trvi_trait_give(world, shape->trait);
    shape->flags = 0;
    shape->generation--;
    trvi_pool_untake(&world->shapes, index, shape->generation == 0);
}

// The hull's vertices in another frame, hulled anew.
static trv_result move_hull(const trv_world *world, const trv_hull *hull, trv_pose pose,
                            const trv_hull **moved)
{
    uint32_t count;
    const trv_vec3 *vertices = trv_hull_vertices(hull, &count);
    trv_vec3 *points = trvi_allocate(&world->allocator, count * sizeof *points);
    if (points == NULL)
        return TRV_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        points[i] = trvi_pose_apply(pose, vertices[i]);
    trv_hull_def def = trv_default_hull_def();
    def.allocator = world->allocator;
    trv_hull *made;
    trv_result result = trv_hull_create(points, count, &def, &made);
    trvi_free(&world->allocator, points, count * sizeof *points);
    *moved = made;
    return result;
}

// A part of a compound as a solid in the frame of the whole; a hull in it has one more reference.
static trv_result place_part(const trv_world *world, const trv_compound_part *part,
                             trv_shape *solid)
{
    trv_pose pose = part->pose;
    *solid = part->shape;
    switch (solid->kind) {
    case TRV_SHAPE_SPHERE:
        solid->as.sphere.center = trvi_pose_apply(pose, solid->as.sphere.center);
        return TRV_OK;
    case TRV_SHAPE_CAPSULE:
        solid->as.capsule.a = trvi_pose_apply(pose, solid->as.capsule.a);
        solid->as.capsule.b = trvi_pose_apply(pose, solid->as.capsule.b);
        return TRV_OK;
    case TRV_SHAPE_BOX:
        solid->as.box.center = trvi_pose_apply(pose, solid->as.box.center);
        solid->as.box.rotation =
            trvi_quat_normalize(trvi_quat_mul(pose.rotation, solid->as.box.rotation));
        return TRV_OK;
    case TRV_SHAPE_HULL:
        break;
    default:
        return TRV_OK; // a half-space is no part of a compound
    }
    const trv_vec3 *p = &pose.position;
    if (trvi_quat_turns(pose.rotation) || p->x != 0.0f || p->y != 0.0f || p->z != 0.0f)
        return move_hull(world, part->shape.as.hull, pose, &solid->as.hull);
    trv_hull_retain(solid->as.hull);
    return TRV_OK;
}

// The parts of a solid on their way into a body.
typedef struct arrivals {
    uint32_t count;
    trv_shape *solids; // in the body's frame; a hull has one more reference
    trv_proxy_def *proxies;
    trv_proxy_id *ids;
} arrivals;

static size_t size_of_arrivals(const arrivals *parts)
{
    return parts->count * (sizeof *parts->solids + sizeof *parts->proxies + sizeof *parts->ids);
}

static bool make_room(const trv_world *world, arrivals *parts)
{
    char *block = trvi_allocate(&world->allocator, size_of_arrivals(parts));
    if (block == NULL)
        return false;
    parts->proxies = (trv_proxy_def *)(void *)block; // first what has the widest numbers
    parts->solids = (trv_shape *)(void *)(parts->proxies + parts->count);
    parts->ids = (trv_proxy_id *)(void *)(parts->solids + parts->count);
    return true;
}

static void release_hulls(const arrivals *parts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (parts->solids[i].kind == TRV_SHAPE_HULL)
            trv_hull_release(parts->solids[i].as.hull);
}

// Those of a compound, or the solid itself.
static trv_result place_parts(const trv_world *world, const trv_shape *solid, arrivals *parts)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        trv_compound_part part = {*solid, trv_make_pose(trvi_vec3(0.0f, 0.0f, 0.0f))};
        if (solid->kind == TRV_SHAPE_COMPOUND)
            trv_compound_part_get(solid->as.compound, i, &part);
        trv_result result = place_part(world, &part, &parts->solids[i]);
        if (result != TRV_OK) {
            release_hulls(parts, i);
            return result;
        }
    }
    return TRV_OK;
}

// Gives the parts places, and puts each first into the body's list; `taken` says how many.
static trv_result take_places(trv_world *world, uint32_t body_index, const trv_shape_def *def,
                              arrivals *parts, uint32_t *taken)
{
    trvi_body *body = &trvi_bodies(world)[body_index];
    for (*taken = 0; *taken < parts->count; (*taken)++) {
        uint32_t index, trait, part = *taken;
        if (!trvi_trait_take(world, &def->material, &def->filter, &trait))
            return TRV_ERROR_MEMORY;
        trv_result result = trvi_pool_take(&world->allocator, &world->shapes, &index);
        if (result != TRV_OK) {
            trvi_trait_give(world, trait);
            return result;
        }
        trvi_shape *shape = &trvi_shapes(world)[index];
        fill_shape(shape, body_index, def, &parts->solids[part], trait);
        shape->part = part;
        shape->lead = part == 0 ? index : trvi_shapes(world)[body->first_shape].lead;
        shape->next = body->first_shape;
        body->first_shape = index;
        parts->proxies[part] = (trv_proxy_def){
            .box = trvi_shape_place(shape, body->frame, 0.0f),
            .set = trvi_shape_set(body, shape),
            .filter = trvi_shape_filter(world, body, shape),
            .user = index,
        };
    }
    return TRV_OK;
}

// All or nothing: what fails leaves the places as if nobody had tried, for ids to come.
static trv_result add_parts(trv_world *world, uint32_t body_index, const trv_shape_def *def,
                            arrivals *parts)
{
    uint32_t hulls = 0, taken;
    for (uint32_t i = 0; i < parts->count; i++)
        hulls += parts->solids[i].kind == TRV_SHAPE_HULL;
    if (hulls > 0 && !trvi_hold_reserve(world, hulls))
        return TRV_ERROR_MEMORY;
    trvi_body *body = &trvi_bodies(world)[body_index], before = *body;
    trvi_mobile mobile_before = *trvi_mobile_of(world, body);
    trv_result result = take_places(world, body_index, def, parts, &taken);
    if (result == TRV_OK)
        result = trvi_body_update_mass(world, body);
    if (result == TRV_OK)
        result = trv_broad_add_many(world->broad, parts->proxies, parts->count, parts->ids);
    if (result != TRV_OK) {
        for (; taken > 0; taken--) {
            uint32_t last = body->first_shape;
            body->first_shape = trvi_shapes(world)[last].next;
            untake(world, last);
        }
        *body = before;
        if (body->mobile != TRVI_IMMOBILE)
            *trvi_own_mobile(world, body) = mobile_before;
        return result;
    }
    for (uint32_t i = parts->count, s = body->first_shape; i-- > 0;
         s = trvi_shapes(world)[s].next) {
        trvi_shapes(world)[s].proxy = parts->ids[i];
        trvi_hold(world, &trvi_shapes(world)[s]);
        world->sensors += def->sensor;
    }
    trvi_body_own_proxies(world, body_index, before.first_shape);
    trvi_forget_loads(world, body_index);
    if (body->mobile != TRVI_IMMOBILE)
        trvi_own_mobile(world, body)->covered = 0.0f; // what the new boxes have room for
    return TRV_OK;
}

static trv_result place_and_add(trv_world *world, uint32_t body, const trv_shape_def *def,
                                const trv_shape *solid)
{
    trv_shape own;
    trv_proxy_def proxy;
    trv_proxy_id id;
    arrivals parts = {1, &own, &proxy, &id};
    bool compound = solid->kind == TRV_SHAPE_COMPOUND;
    if (compound) {
        parts.count = trv_compound_part_count(solid->as.compound);
        if (!make_room(world, &parts))
            return TRV_ERROR_MEMORY;
    }
    trv_result result = place_parts(world, solid, &parts);
    if (result == TRV_OK) {
        result = add_parts(world, body, def, &parts);
        if (result != TRV_OK)
            release_hulls(&parts, parts.count);
    }
    if (compound)
        trvi_free(&world->allocator, parts.proxies, size_of_arrivals(&parts));
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
    uint32_t body;
    trv_result result = trvi_find_body_to_change(world, body_id, &body);
    if (result == TRV_OK)
        result = check_def(def);
    if (result == TRV_OK)
        result = trv_shape_check(solid);
    if (result == TRV_OK && solid->kind == TRV_SHAPE_PLANE &&
        trvi_bodies(world)[body].kind != TRV_BODY_STATIC)
        result = TRV_ERROR_KIND;
    if (result == TRV_OK)
        result = place_and_add(world, body, def, solid);
    if (result != TRV_OK)
        return result;
    if (!(trvi_bodies(world)[body].settings & TRVI_BODY_BORN_ASLEEP))
        trvi_wake(world, body);
    *id = trvi_shape_id(world, trvi_shapes(world)[trvi_bodies(world)[body].first_shape].lead);
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
    trvi_trait_give(world, shape->trait);
    if (shape->flags & TRV_SHAPE_SENSOR)
        world->sensors--;
    shape->flags = 0;
    trvi_pool_give(&world->shapes, index);
}

trv_result trv_shape_destroy(trv_world *world, trv_shape_id id)
{
    uint32_t lead;
    trv_result result = trvi_find_shape_to_change(world, id, &lead);
    if (result != TRV_OK)
        return result;
    uint32_t body = trvi_shapes(world)[lead].body;
    trvi_wake(world, body);
    trvi_wake_neighbors(world, body);
    for (uint32_t s = trvi_first_part(world, lead), next; s != TRVI_NONE; s = next) {
        next = trvi_next_part(world, s);
        trvi_shape_remove(world, s);
    }
    trvi_body_lose_mass(world, &trvi_bodies(world)[body]);
    trvi_forget_loads(world, body);
    return TRV_OK;
}

trv_result trv_shape_alive(const trv_world *world, trv_shape_id id)
{
    uint32_t index;
    return trvi_find_shape(world, id, &index);
}

trv_result trv_shape_body(const trv_world *world, trv_shape_id id, trv_body_id *body)
{
    const trvi_shape *shape;
    trv_result result = trvi_ask_shape(world, id, body, sizeof *body, &shape);
    if (result == TRV_OK)
        *body = trvi_body_id(world, shape->body);
    return result;
}

trv_result trv_shape_part_count(const trv_world *world, trv_shape_id id, uint32_t *count)
{
    if (count == NULL)
        return TRV_ERROR_NULL;
    *count = 0;
    uint32_t lead;
    trv_result result = trvi_find_shape(world, id, &lead);
    if (result == TRV_OK) // the last part comes first
        *count = trvi_shapes(world)[trvi_first_part(world, lead)].part + 1;
    return result;
}

trv_result trv_shape_part(const trv_world *world, trv_shape_id id, uint32_t part, trv_shape *solid)
{
    if (solid == NULL)
        return TRV_ERROR_NULL;
    memset(solid, 0, sizeof *solid);
    uint32_t lead;
    trv_result result = trvi_find_shape(world, id, &lead);
    if (result != TRV_OK)
        return result;
    uint32_t s = part == 0 ? lead : trvi_first_part(world, lead);
    while (s != TRVI_NONE && trvi_shapes(world)[s].part != part)
        s = trvi_next_part(world, s);
    if (s == TRVI_NONE)
        return TRV_ERROR_INDEX;
    *solid = trvi_shapes(world)[s].solid;
    return TRV_OK;
}

trv_result trv_shape_solid(const trv_world *world, trv_shape_id id, trv_shape *solid)
{
    return trv_shape_part(world, id, 0, solid);
}

trv_result trv_shape_bounds(const trv_world *world, trv_shape_id id, trv_aabb *bounds)
{
    if (bounds == NULL)
        return TRV_ERROR_NULL;
    memset(bounds, 0, sizeof *bounds);
    uint32_t lead;
    trv_result result = trvi_find_shape(world, id, &lead);
    if (result != TRV_OK)
        return result;
    *bounds = trvi_shapes(world)[lead].bounds;
    uint32_t s = trvi_first_part(world, lead);
    for (; s != lead; s = trvi_next_part(world, s))
        *bounds = trvi_aabb_union(*bounds, trvi_shapes(world)[s].bounds);
    return TRV_OK;
}

trv_result trv_body_bounds(const trv_world *world, trv_body_id id, trv_aabb *bounds)
{
    const trvi_body *body;
    trv_result result = trvi_ask_body(world, id, bounds, sizeof *bounds, &body);
    if (result != TRV_OK)
        return result;
    uint32_t s = body->first_shape;
    trv_vec3 origin = body->frame.position;
    *bounds = s != TRVI_NONE ? trvi_shapes(world)[s].bounds : (trv_aabb){origin, origin};
    for (; s != TRVI_NONE; s = trvi_shapes(world)[s].next)
        *bounds = trvi_aabb_union(*bounds, trvi_shapes(world)[s].bounds);
    return TRV_OK;
}

trv_result trv_shape_user(const trv_world *world, trv_shape_id id, uint64_t *user)
{
    const trvi_shape *shape;
    trv_result result = trvi_ask_shape(world, id, user, sizeof *user, &shape);
    if (result == TRV_OK)
        *user = shape->user;
    return result;
}
