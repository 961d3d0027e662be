// Bodies: making and destroying them, and what may be asked and changed.
#include "world_data.h"

#include <string.h>

trv_body_def trv_default_body_def(void)
{
    trv_body_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TRVI_COOKIE_BODY;
    def.kind = TRV_BODY_STATIC;
    def.rotation = trv_identity_quat();
    def.gravity_scale = 1.0f;
    return def;
}

static trv_result check_def(const trv_body_def *def)
{
    if (def->cookie != TRVI_COOKIE_BODY)
        return TRV_ERROR_DEF;
    const trv_result results[] = {
        trvi_check_vec3(def->position),
        trvi_check_quat(def->rotation),
        trvi_check_vec3(def->linear_velocity),
        trvi_check_vec3(def->angular_velocity),
        trvi_check_range(def->linear_damping, 0.0f, TRV_COORD_MAX),
        trvi_check_range(def->angular_damping, 0.0f, TRV_COORD_MAX),
        trvi_check_coordinate(def->gravity_scale),
        def->locks & ~(uint32_t)TRV_LOCK_ALL ? TRV_ERROR_RANGE : TRV_OK,
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (results[i] != TRV_OK)
            return results[i];
    if ((int)def->kind < TRV_BODY_STATIC || def->kind > TRV_BODY_DYNAMIC)
        return TRV_ERROR_KIND;
    if (def->motion != TRV_MOTION_CONTINUOUS && def->motion != TRV_MOTION_DISCRETE)
        return TRV_ERROR_RANGE;
    return TRV_OK;
}

// A static body may be given what it has no use for, until it is made one that moves.
static bool wants_mobile(const trv_body_def *def)
{
    return def->kind != TRV_BODY_STATIC || def->linear_damping != 0.0f ||
           def->angular_damping != 0.0f || def->gravity_scale != 1.0f;
}

static void fill_mobile(const trvi_body *body, trvi_mobile *mobile, const trv_body_def *def)
{
    if (def->kind != TRV_BODY_STATIC)
        trvi_body_give_velocity(body, mobile, def->linear_velocity, def->angular_velocity);
    mobile->linear_damping = def->linear_damping;
    mobile->angular_damping = def->angular_damping;
    mobile->gravity_scale = def->gravity_scale;
    trvi_mobile_rests(mobile, body);
}

// Makes the body of a place that was taken for it, which has its mobile if it wants one.
static void fill_body(trv_world *world, uint32_t index, const trv_body_def *def)
{
    trvi_body *body = &trvi_bodies(world)[index];
    trvi_body before = *body;
    memset(body, 0, sizeof *body);
    body->generation = (uint16_t)(before.generation + 1);
    body->settings = before.settings & TRVI_BODY_PUT_TO_SLEEP;
    body->mobile = before.mobile;
    body->kind = (uint8_t)def->kind;
    body->flags = TRVI_BODY_LIVE;
    if (def->never_sleeps)
        body->flags |= TRVI_BODY_NEVER_SLEEPS;
    if (def->motion == TRV_MOTION_DISCRETE)
        body->flags |= TRVI_BODY_DISCRETE;
    body->first_shape = TRVI_NONE;
    body->first_contact = TRVI_NONE;
    body->ring_next = index;
    body->position = def->position;
    body->rotation = trvi_quat_normalize(def->rotation);
    body->center = def->position;
    body->locks = (uint16_t)def->locks;
    body->user = def->user;
    if (body->mobile != TRVI_IMMOBILE)
        fill_mobile(body, trvi_own_mobile(world, body), def);
    if (def->disabled)
        body->settings |= TRVI_BODY_DISABLED;
    if (def->asleep && def->kind == TRV_BODY_DYNAMIC) {
        body->settings |= TRVI_BODY_BORN_ASLEEP;
    } else {
        body->settings |= TRVI_BODY_TOLD_AWAKE;
        trvi_wake(world, index);
    }
}

trv_result trv_body_create(trv_world *world, const trv_body_def *def, trv_body_id *id)
{
    if (id == NULL)
        return TRV_ERROR_NULL;
    *id = (trv_body_id){0, 0, 0};
    if (world == NULL || def == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    trv_result result = check_def(def);
    if (result != TRV_OK)
        return result;
    trvi_resume_drop(world);
    uint32_t index;
    result = trvi_pool_take(&world->allocator, &world->bodies, &index);
    if (result != TRV_OK)
        return result;
    if (!trvi_events_reserve_bodies(world) ||
        (wants_mobile(def) && !trvi_mobile_give(world, index))) {
        trvi_pool_untake(&world->bodies, index, trvi_bodies(world)[index].generation == 0);
        return TRV_ERROR_MEMORY;
    }
    fill_body(world, index, def);
    *id = trvi_body_id(world, index);
    return TRV_OK;
}

trv_result trv_body_destroy(trv_world *world, trv_body_id id)
{
    uint32_t index;
    trv_result result = trvi_find_body_to_change(world, id, &index);
    if (result != TRV_OK)
        return result;
    trvi_wake(world, index); // leaves its ring of sleepers
    trvi_wake_neighbors(world, index);
    trvi_body_remove_contacts(world, index);
    trvi_body *body = &trvi_bodies(world)[index];
    while (body->first_shape != TRVI_NONE)
        trvi_shape_remove(world, body->first_shape);
    if (body->flags & TRVI_BODY_AWAKE)
        trvi_leave_awake_list(world, index);
    body->flags = 0;
    trvi_mobile_drop(world, index);
    trvi_pool_give(&world->bodies, index);
    return TRV_OK;
}

trv_result trv_body_check(const trv_world *world, trv_body_id id)
{
    uint32_t index;
    return trvi_find_body(world, id, &index);
}

trv_result trv_body_pose(const trv_world *world, trv_body_id id, trv_pose *pose)
{
    if (pose == NULL)
        return TRV_ERROR_NULL;
    *pose = (trv_pose){0};
    uint32_t index;
    trv_result result = trvi_find_body(world, id, &index);
    if (result == TRV_OK)
        *pose = trvi_bodies(world)[index].frame;
    return result;
}

static void place_mobile(const trvi_body *body, trvi_mobile *mobile)
{
    mobile->center_rest = (trv_vec3){0.0f, 0.0f, 0.0f};
    mobile->rotation_rest = (trv_quat){0.0f, 0.0f, 0.0f, 0.0f};
    trvi_mobile_rests(mobile, body);
}

trv_result trv_body_set_pose(trv_world *world, trv_body_id id, trv_pose pose)
{
    uint32_t index;
    trv_result result = trvi_find_body_to_change(world, id, &index);
    if (result == TRV_OK)
        result = trvi_check_pose(pose);
    if (result != TRV_OK)
        return result;
    trvi_wake(world, index);
    trvi_wake_neighbors(world, index);
    trvi_body *body = &trvi_bodies(world)[index];
    trvi_forget_gaps(world, index);
    body->position = pose.position;
    body->rotation = trvi_quat_normalize(pose.rotation);
    body->center = trvi_pose_apply(body->frame, trvi_mobile_of(world, body)->local_center);
    if (body->mobile != TRVI_IMMOBILE)
        place_mobile(body, trvi_own_mobile(world, body));
    trvi_body_place_shapes(world, index, 0.0f);
    trvi_body_renew_pairs(world, index);
    return TRV_OK;
}

trv_result trv_body_awake(const trv_world *world, trv_body_id id, bool *awake)
{
    const trvi_body *body;
    trv_result result = trvi_ask_body(world, id, awake, sizeof *awake, &body);
    if (result == TRV_OK)
        *awake = (body->flags & TRVI_BODY_AWAKE) != 0;
    return result;
}

trv_result trv_body_set_awake(trv_world *world, trv_body_id id, bool awake)
{
    uint32_t index;
    trv_result result = trvi_find_body_to_change(world, id, &index);
    if (result != TRV_OK)
        return result;
    if (trvi_bodies(world)[index].kind != TRV_BODY_DYNAMIC)
        return TRV_ERROR_KIND;
    if (awake) {
        trvi_wake(world, index);
    } else {
        trvi_sleep_alone(world, index);
        trvi_body_renew_pairs(world, index); // it may have moved since sensors looked at it
    }
    return TRV_OK;
}

trv_result trv_body_never_sleeps(const trv_world *world, trv_body_id id, bool *never)
{
    const trvi_body *body;
    trv_result result = trvi_ask_body(world, id, never, sizeof *never, &body);
    if (result == TRV_OK)
        *never = (body->flags & TRVI_BODY_NEVER_SLEEPS) != 0;
    return result;
}

trv_result trv_body_set_never_sleeps(trv_world *world, trv_body_id id, bool never)
{
    uint32_t index;
    trv_result result = trvi_find_body_to_change(world, id, &index);
    if (result != TRV_OK)
        return result;
    trvi_body *body = &trvi_bodies(world)[index];
    uint8_t bit = TRVI_BODY_NEVER_SLEEPS;
    body->flags = (uint8_t)(never ? body->flags | bit : body->flags & ~(uint32_t)bit);
    if (never)
        trvi_wake(world, index);
    return TRV_OK;
}

trv_result trv_body_enabled(const trv_world *world, trv_body_id id, bool *enabled)
{
    if (enabled == NULL)
        return TRV_ERROR_NULL;
    *enabled = false;
    uint32_t index;
    trv_result result = trvi_find_body(world, id, &index);
    if (result == TRV_OK)
        *enabled = !trvi_is_disabled(&trvi_bodies(world)[index]);
    return result;
}

// Out of sleep, of the awake list and of all contacts, as before being destroyed; what was to act on it is gone.
static void withdraw(trv_world *world, uint32_t index)
{
    trvi_wake(world, index); // leaves its ring of sleepers
    trvi_wake_neighbors(world, index);
    trvi_body_remove_contacts(world, index);
    trvi_body *body = &trvi_bodies(world)[index];
    if (body->flags & TRVI_BODY_AWAKE)
        trvi_leave_awake_list(world, index);
    body->flags &= (uint8_t)~TRVI_BODY_AWAKE;
    if (body->mobile != TRVI_IMMOBILE)
        trvi_drop_forces(trvi_own_mobile(world, body));
}

// Back among the others, and awake: what was told asleep is told to wake.
static void return_body(trv_world *world, uint32_t index)
{
    trvi_wake(world, index);
    trvi_body_set_proxies(world, index);
    trvi_body_renew_pairs(world, index);
}

trv_result trv_body_set_enabled(trv_world *world, trv_body_id id, bool enabled)
{
    uint32_t index;
    trv_result result = trvi_find_body_to_change(world, id, &index);
    if (result != TRV_OK)
        return result;
    trvi_body *body = &trvi_bodies(world)[index];
    if (enabled != trvi_is_disabled(body))
        return TRV_OK;
    if (enabled) {
        body->settings &= (uint16_t)~TRVI_BODY_DISABLED;
    } else {
        withdraw(world, index);
        body->settings |= TRVI_BODY_DISABLED;
    }
    return_body(world, index);
    return TRV_OK;
}

trv_result trv_body_kind_get(const trv_world *world, trv_body_id id, trv_body_kind *kind)
{
    const trvi_body *body;
    trv_result result = trvi_ask_body(world, id, kind, sizeof *kind, &body);
    if (result == TRV_OK)
        *kind = (trv_body_kind)body->kind;
    return result;
}

trv_result trv_body_user(const trv_world *world, trv_body_id id, uint64_t *user)
{
    const trvi_body *body;
    trv_result result = trvi_ask_body(world, id, user, sizeof *user, &body);
    if (result == TRV_OK)
        *user = body->user;
    return result;
}

static bool has_half_space(const trv_world *world, const trvi_body *body)
{
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next)
        if (trvi_shapes(world)[s].solid.kind == TRV_SHAPE_PLANE)
            return true;
    return false;
}

// The body as one of another kind; fails for want of a mass, and has then not changed.
static trv_result become(const trv_world *world, trvi_body *body, trvi_mobile *mobile,
                         trv_body_kind kind)
{
    const trv_vec3 none = {0.0f, 0.0f, 0.0f};
    trvi_body other = *body;
    other.kind = (uint8_t)kind;
    other.settings &= (uint16_t)~TRVI_BODY_MASS_SET;
    trv_result result = trvi_mass_update(world, &other, mobile);
    if (result != TRV_OK)
        return result;
    if (kind == TRV_BODY_STATIC)
        mobile->linear_velocity = mobile->angular_velocity = none;
    trvi_body_give_velocity(&other, mobile, mobile->linear_velocity, mobile->angular_velocity);
    *body = other;
    return TRV_OK;
}

trv_result trv_body_set_kind(trv_world *world, trv_body_id id, trv_body_kind kind)
{
    uint32_t index;
    trv_result result = trvi_find_body_to_change(world, id, &index);
    if (result != TRV_OK)
        return result;
    trvi_body *body = &trvi_bodies(world)[index];
    if ((int)kind < TRV_BODY_STATIC || kind > TRV_BODY_DYNAMIC ||
        (kind != TRV_BODY_STATIC && has_half_space(world, body)))
        return TRV_ERROR_KIND;
    if (body->kind == (uint8_t)kind)
        return TRV_OK;
    bool lent = body->mobile == TRVI_IMMOBILE;
    if (!trvi_mobile_give(world, index))
        return TRV_ERROR_MEMORY;
    trvi_body trial = *body;
    trvi_mobile trial_mobile = *trvi_mobile_of(world, body);
    result = become(world, &trial, &trial_mobile, kind);
    if (result != TRV_OK) {
        if (lent)
            trvi_mobile_drop(world, index);
        return result;
    }
    withdraw(world, index);
    become(world, body, trvi_own_mobile(world, body), kind); // as the trial did
    return_body(world, index);
    trvi_body_own_proxies(world, index, TRVI_NONE);
    return TRV_OK;
}

trv_result trv_body_set_user(trv_world *world, trv_body_id id, uint64_t user)
{
    uint32_t index;
    trv_result result = trvi_find_body_to_change(world, id, &index);
    if (result == TRV_OK)
        trvi_bodies(world)[index].user = user;
    return result;
}

// The list holds the latest shape first, and of a compound the last part.
trv_result trv_body_shapes(const trv_world *world, trv_body_id id, trv_shape_id *out,
                           uint32_t capacity, uint32_t *count)
{
    const trvi_body *body;
    trv_result result = trvi_ask_body_list(world, id, out, capacity, count, &body);
    if (result != TRV_OK)
        return result;
    const trvi_shape *shapes = trvi_shapes(world);
    uint32_t first = body->first_shape, found = 0;
    for (uint32_t s = first; s != TRVI_NONE; s = shapes[s].next)
        found += shapes[s].lead == s;
    *count = found;
    for (uint32_t s = first; s != TRVI_NONE; s = shapes[s].next)
        if (shapes[s].lead == s && --found < capacity)
            out[found] = trvi_shape_id(world, s);
    return TRV_OK;
}

trv_result trv_world_bodies(const trv_world *world, trv_body_id *out, uint32_t capacity,
                            uint32_t *count)
{
    if (count == NULL)
        return TRV_ERROR_NULL;
    *count = 0;
    if (world == NULL || (out == NULL && capacity > 0))
        return TRV_ERROR_NULL;
    uint32_t found = 0;
    for (uint32_t i = 0; i < world->bodies.items.count; i++) {
        if (!(trvi_bodies(world)[i].flags & TRVI_BODY_LIVE))
            continue;
        if (found < capacity)
            out[found] = trvi_body_id(world, i);
        found++;
    }
    *count = found;
    return TRV_OK;
}
