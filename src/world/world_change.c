// Changing a world that lives: gravity, settings, the pre-solve function, and where its origin is.
#include "world_data.h"

#include <string.h>

static trv_result check_to_change(trv_world *world)
{
    if (world == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    trvi_resume_drop(world);
    return TRV_OK;
}

static void wake_dynamic(trv_world *world, bool by_gravity)
{
    for (uint32_t i = 0; i < world->bodies.items.count; i++) {
        const trvi_body *body = &trvi_bodies(world)[i];
        if (!(body->flags & TRVI_BODY_LIVE) || body->kind != TRV_BODY_DYNAMIC)
            continue;
        if (by_gravity && trvi_mobile_of(world, body)->gravity_scale == 0.0f)
            continue;
        trvi_wake(world, i);
        if (by_gravity)
            trvi_forget_loads(world, i);
    }
}

trv_result trv_world_gravity(const trv_world *world, trv_vec3 *gravity)
{
    if (gravity == NULL)
        return TRV_ERROR_NULL;
    *gravity = (trv_vec3){0.0f, 0.0f, 0.0f};
    if (world == NULL)
        return TRV_ERROR_NULL;
    *gravity = world->gravity;
    return TRV_OK;
}

trv_result trv_world_set_gravity(trv_world *world, trv_vec3 gravity)
{
    trv_result result = check_to_change(world);
    if (result == TRV_OK)
        result = trvi_check_vec3(gravity);
    if (result != TRV_OK)
        return result;
    trv_vec3 before = world->gravity;
    world->gravity = gravity;
    if (before.x != gravity.x || before.y != gravity.y || before.z != gravity.z)
        wake_dynamic(world, true);
    return TRV_OK;
}

trv_result trv_world_settings_get(const trv_world *world, trv_world_settings *settings)
{
    if (settings == NULL)
        return TRV_ERROR_NULL;
    memset(settings, 0, sizeof *settings);
    if (world == NULL)
        return TRV_ERROR_NULL;
    settings->sleep = world->sleep;
    settings->restitution_threshold = world->restitution_threshold;
    settings->hit_threshold = world->hit_threshold;
    settings->push_speed = world->push_speed;
    settings->sleep_time = world->sleep_time;
    return TRV_OK;
}

trv_result trv_world_set_settings(trv_world *world, const trv_world_settings *settings)
{
    trv_result result = check_to_change(world);
    if (result == TRV_OK && settings == NULL)
        result = TRV_ERROR_NULL;
    if (result != TRV_OK)
        return result;
    const float values[] = {settings->restitution_threshold, settings->hit_threshold,
                            settings->push_speed, settings->sleep_time};
    for (int i = 0; i < 4 && result == TRV_OK; i++)
        result = trvi_check_range(values[i], 0.0f, TRV_COORD_MAX);
    if (result != TRV_OK)
        return result;
    if (world->sleep && !settings->sleep)
        wake_dynamic(world, false);
    world->sleep = settings->sleep;
    world->restitution_threshold = settings->restitution_threshold;
    world->hit_threshold = settings->hit_threshold;
    world->push_speed = settings->push_speed;
    world->sleep_time = settings->sleep_time;
    return TRV_OK;
}

trv_result trv_world_set_pre_solve(trv_world *world, trv_pre_solve pre_solve)
{
    trv_result result = check_to_change(world);
    if (result == TRV_OK)
        world->pre_solve = pre_solve;
    return result;
}

// Bodies are checked where they would be, before any of them moves.
static bool stays_in_range(const trv_world *world, trv_vec3 origin)
{
    for (uint32_t i = 0; i < world->bodies.items.count; i++) {
        const trvi_body *body = &trvi_bodies(world)[i];
        if (!(body->flags & TRVI_BODY_LIVE))
            continue;
        if (trvi_check_vec3(trvi_sub(body->position, origin)) != TRV_OK ||
            trvi_check_vec3(trvi_sub(body->center, origin)) != TRV_OK)
            return false;
    }
    return true;
}

// The broadphase's boxes keep what they were grown by.
static void shift_shape(trv_world *world, trvi_shape *shape, trv_vec3 origin)
{
    trv_aabb tight, fat;
    trvi_shape_place(shape, trvi_bodies(world)[shape->body].frame, 0.0f);
    trv_broad_get(world->broad, shape->proxy, &tight, &fat);
    trv_aabb moved = {trvi_sub(tight.lower, origin), trvi_sub(tight.upper, origin)};
    trv_broad_move(world->broad, shape->proxy, trvi_within_range(moved, 0.0f));
}

// The way that a body has travelled counts what rounding may have done to it: gaps that contacts
// remember stay proven.
static void shift_body(trv_world *world, uint32_t index, trv_vec3 origin)
{
    trvi_body *body = &trvi_bodies(world)[index];
    trv_vec3 size = trvi_abs(origin), far = trvi_abs(body->position);
    double largest = fmax(fmax(size.x, fmax(size.y, size.z)), fmax(far.x, fmax(far.y, far.z)));
    if (largest > 0.0 && (size.x != 0.0f || size.y != 0.0f || size.z != 0.0f))
        body->travelled += 2.0e-7 * largest;
    body->position = trvi_sub(body->position, origin);
    body->center = trvi_sub(body->center, origin);
    if (body->mobile != TRVI_IMMOBILE) {
        trvi_mobile *mobile = trvi_own_mobile(world, body);
        mobile->rest_center = trvi_sub(mobile->rest_center, origin);
    }
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next)
        shift_shape(world, &trvi_shapes(world)[s], origin);
}

static void shift_contact(trvi_contact *contact, trv_vec3 origin)
{
    for (uint32_t p = 0; p < contact->manifold.count; p++)
        contact->manifold.points[p].point = trvi_sub(contact->manifold.points[p].point, origin);
}

trv_result trv_world_shift_origin(trv_world *world, trv_vec3 origin)
{
    trv_result result = check_to_change(world);
    if (result == TRV_OK)
        result = trvi_check_vec3(origin);
    if (result == TRV_OK && !stays_in_range(world, origin))
        result = TRV_ERROR_RANGE;
    if (result != TRV_OK)
        return result;
    for (uint32_t i = 0; i < world->bodies.items.count; i++)
        if (trvi_bodies(world)[i].flags & TRVI_BODY_LIVE)
            shift_body(world, i, origin);
    for (uint32_t i = 0; i < world->contacts.count; i++)
        if (trvi_contacts(world)[i].flags & TRVI_CONTACT_LIVE)
            shift_contact(&trvi_contacts(world)[i], origin);
    return TRV_OK;
}
