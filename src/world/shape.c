// Shapes of bodies: making and destroying them, their bounds by either of Lander's ways, and their
// proxies in the broadphase.
#include "world_data.h"

#include <string.h>

trv_shape_def trv_default_shape_def(void)
{
    trv_shape_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TRVI_COOKIE_SHAPE;
    def.material = (trv_material){0.6f, 0.0f, 1000.0f};
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
        result = trvi_check_range(def->material.density, 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK && def->bounds != TRV_BOUNDS_EXACT && def->bounds != TRV_BOUNDS_REST_BOX)
        result = TRV_ERROR_RANGE;
    return result;
}

static trv_aabb ball_bounds(trv_vec3 center, float radius)
{
    return trvi_aabb_grown((trv_aabb){center, center}, radius);
}

// The half-space fills all but the part of space above it; only where its plane is along an axis
// can a box say more than "everywhere".
static trv_aabb half_space_bounds(trv_plane plane, trv_pose frame)
{
    trv_vec3 n = trvi_rotate(frame.rotation, plane.normal);
    float offset = plane.offset - trvi_dot(n, frame.position);
    const float far = TRV_COORD_MAX;
    trv_aabb box = {{-far, -far, -far}, {far, far, far}};
    float *lower[3] = {&box.lower.x, &box.lower.y, &box.lower.z};
    float *upper[3] = {&box.upper.x, &box.upper.y, &box.upper.z};
    const float normal[3] = {n.x, n.y, n.z};
    for (int axis = 0; axis < 3; axis++) {
        if (normal[axis] == 1.0f)
            *upper[axis] = fminf(far, -offset);
        else if (normal[axis] == -1.0f)
            *lower[axis] = fmaxf(-far, offset);
    }
    return box;
}

static trv_aabb solid_bounds(const trv_shape *solid, trv_pose frame)
{
    switch (solid->kind) {
    case TRV_SHAPE_SPHERE:
        return ball_bounds(trvi_pose_apply(frame, solid->as.sphere.center),
                           solid->as.sphere.radius);
    case TRV_SHAPE_CAPSULE: {
        float radius = solid->as.capsule.radius;
        return trvi_aabb_union(ball_bounds(trvi_pose_apply(frame, solid->as.capsule.a), radius),
                               ball_bounds(trvi_pose_apply(frame, solid->as.capsule.b), radius));
    }
    case TRV_SHAPE_BOX:
        return trv_bounds_of_box(solid->as.box, frame);
    case TRV_SHAPE_HULL: {
        uint32_t count;
        const trv_vec3 *vertices = trv_hull_vertices(solid->as.hull, &count);
        return trv_bounds_of_vertices(vertices, count, frame);
    }
    default:
        return half_space_bounds(solid->as.plane, frame);
    }
}

// The box around the shape in the body's frame: what the rest-box way turns and re-boxes.
static trv_obb rest_box_of(const trv_shape *solid)
{
    if (solid->kind == TRV_SHAPE_BOX)
        return solid->as.box;
    trv_aabb box = solid_bounds(solid, trv_make_pose(trvi_vec3(0.0f, 0.0f, 0.0f)));
    return (trv_obb){trvi_scale(trvi_add(box.lower, box.upper), 0.5f),
                     trvi_scale(trvi_sub(box.upper, box.lower), 0.5f), trv_identity_quat()};
}

void trvi_shape_update_bounds(trvi_shape *shape, trv_pose frame)
{
    if (shape->flags & TRVI_SHAPE_REST_BOX)
        shape->bounds = trv_bounds_of_box(shape->rest_box, frame);
    else
        shape->bounds = solid_bounds(&shape->solid, frame);
}

// What the broadphase may take: never beyond the largest coordinate.
static trv_aabb clamped(trv_aabb box, float margin)
{
    const float far = TRV_COORD_MAX;
    trv_aabb grown = trvi_aabb_grown(box, margin);
    trv_vec3 low = {-far, -far, -far}, high = {far, far, far};
    return (trv_aabb){trvi_min(trvi_max(grown.lower, low), high),
                      trvi_max(trvi_min(grown.upper, high), low)};
}

void trvi_body_place_shapes(trv_world *world, uint32_t index, float margin)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    trv_pose frame = trvi_body_frame(body);
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        trvi_shape *shape = &trvi_shapes(world)[s];
        trvi_shape_update_bounds(shape, frame);
        trv_aabb box = clamped(shape->bounds, TRVI_SPECULATIVE_M + margin);
        trv_result result = trv_broad_move(world->broad, shape->proxy, box);
        TRVI_ASSERT(result == TRV_OK);
        (void)result;
    }
}

void trvi_body_set_proxies(trv_world *world, uint32_t index, trv_proxy_set set)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next)
        trv_broad_set(world->broad, trvi_shapes(world)[s].proxy, set);
}

static trv_proxy_set set_of(const trvi_body *body)
{
    if (body->kind == TRV_BODY_STATIC)
        return TRV_PROXY_STATIC;
    return body->flags & TRVI_BODY_AWAKE ? TRV_PROXY_AWAKE : TRV_PROXY_ASLEEP;
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
    shape->solid = *solid;
    shape->rest_box = rest_box_of(solid);
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
    trvi_shape_update_bounds(shape, trvi_body_frame(body));
    trv_result result = trv_broad_add(world->broad, clamped(shape->bounds, TRVI_SPECULATIVE_M),
                                      shape->filter, set_of(body), index, &shape->proxy);
    if (result != TRV_OK)
        return result;
    trvi_body before = *body;
    shape->next = body->first_shape;
    body->first_shape = index;
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
    if (result == TRV_OK)
        result = trvi_pool_take(&world->allocator, &world->shapes, &index);
    if (result != TRV_OK)
        return result;
    fill_shape(&trvi_shapes(world)[index], body, def, solid);
    result = join_body(world, index);
    if (result != TRV_OK) {
        trvi_shapes(world)[index].flags = 0;
        trvi_pool_give(&world->shapes, index);
        return result;
    }
    if (solid->kind == TRV_SHAPE_HULL)
        trv_hull_retain(solid->as.hull);
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
    if (shape->solid.kind == TRV_SHAPE_HULL)
        trv_hull_release(shape->solid.as.hull);
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
