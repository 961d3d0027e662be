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

static trv_result first_error(const trv_result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (results[i] != TRV_OK)
            return results[i];
    return TRV_OK;
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
    };
    trv_result result = first_error(results, sizeof results / sizeof *results);
    if (result != TRV_OK)
        return result;
    if ((int)def->kind < TRV_BODY_STATIC || def->kind > TRV_BODY_DYNAMIC)
        return TRV_ERROR_KIND;
    return TRV_OK;
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
    uint32_t index;
    result = trvi_pool_take(&world->allocator, &world->bodies, &index);
    if (result != TRV_OK)
        return result;
    // Every body that moves may be awake at once: the list never has to grow later.
    if (!trvi_array_reserve(&world->allocator, &world->awake, world->bodies.items.capacity)) {
        trvi_pool_give(&world->bodies, index);
        return TRV_ERROR_MEMORY;
    }
    trvi_body *body = &trvi_bodies(world)[index];
    uint16_t generation = (uint16_t)(body->generation + 1);
    memset(body, 0, sizeof *body);
    body->generation = generation;
    body->kind = (uint8_t)def->kind;
    body->flags = TRVI_BODY_LIVE;
    if (def->never_sleeps)
        body->flags |= TRVI_BODY_NEVER_SLEEPS;
    body->first_shape = TRVI_NONE;
    body->first_contact = TRVI_NONE;
    body->ring_next = index;
    body->position = def->position;
    body->rotation = trvi_quat_normalize(def->rotation);
    body->center = def->position;
    if (def->kind != TRV_BODY_STATIC) {
        body->linear_velocity = def->linear_velocity;
        body->angular_velocity = def->angular_velocity;
    }
    body->linear_damping = def->linear_damping;
    body->angular_damping = def->angular_damping;
    body->gravity_scale = def->gravity_scale;
    body->rest_center = body->center;
    body->rest_rotation = body->rotation;
    body->user = def->user;
    if (!(def->asleep && def->kind == TRV_BODY_DYNAMIC))
        trvi_wake(world, index);
    *id = trvi_body_id(world, index);
    return TRV_OK;
}

static void leave_awake_list(trv_world *world, uint32_t body)
{
    trvi_entry *awake = world->awake.items;
    for (uint32_t i = 0; i < world->awake.count; i++) {
        if (awake[i].value != body)
            continue;
        memmove(&awake[i], &awake[i + 1], (world->awake.count - i - 1) * sizeof *awake);
        world->awake.count--;
        return;
    }
}

trv_result trv_body_destroy(trv_world *world, trv_body_id id)
{
    uint32_t index;
    trv_result result = trvi_find_body_to_change(world, id, &index);
    if (result != TRV_OK)
        return result;
    trvi_wake(world, index); // leaves its ring of sleepers
    trvi_wake_neighbors(world, index);
    trvi_body *body = &trvi_bodies(world)[index];
    while (body->first_shape != TRVI_NONE)
        trvi_shape_remove(world, body->first_shape);
    if (body->flags & TRVI_BODY_AWAKE)
        leave_awake_list(world, index);
    body->flags = 0;
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
        *pose = trvi_body_frame(&trvi_bodies(world)[index]);
    return result;
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
    body->center = trvi_pose_apply(trvi_body_frame(body), body->local_center);
    body->center_rest = (trv_vec3){0.0f, 0.0f, 0.0f};
    body->rotation_rest = (trv_quat){0.0f, 0.0f, 0.0f, 0.0f};
    body->rest_center = body->center;
    body->rest_rotation = body->rotation;
    body->still_time = 0.0f;
    body->rest_age = 0.0f;
    trvi_body_place_shapes(world, index, 0.0f);
    return TRV_OK;
}

trv_result trv_body_velocity(const trv_world *world, trv_body_id id, trv_vec3 *linear,
                             trv_vec3 *angular)
{
    if (linear == NULL || angular == NULL)
        return TRV_ERROR_NULL;
    *linear = *angular = (trv_vec3){0.0f, 0.0f, 0.0f};
    uint32_t index;
    trv_result result = trvi_find_body(world, id, &index);
    if (result != TRV_OK)
        return result;
    *linear = trvi_bodies(world)[index].linear_velocity;
    *angular = trvi_bodies(world)[index].angular_velocity;
    return TRV_OK;
}

// A body of the kind that a call needs, woken, ready to be pushed.
static trv_result find_to_push(trv_world *world, trv_body_id id, trv_body_kind least,
                               trvi_body **body)
{
    uint32_t index;
    trv_result result = trvi_find_body_to_change(world, id, &index);
    if (result != TRV_OK)
        return result;
    if (trvi_bodies(world)[index].kind < (uint8_t)least)
        return TRV_ERROR_KIND;
    trvi_wake(world, index);
    *body = &trvi_bodies(world)[index];
    return TRV_OK;
}

trv_result trv_body_set_velocity(trv_world *world, trv_body_id id, trv_vec3 linear,
                                 trv_vec3 angular)
{
    const trv_result checks[] = {trvi_check_vec3(linear), trvi_check_vec3(angular)};
    trv_result result = first_error(checks, 2);
    trvi_body *body;
    if (result == TRV_OK)
        result = find_to_push(world, id, TRV_BODY_KINEMATIC, &body);
    if (result != TRV_OK)
        return result;
    body->linear_velocity = linear;
    body->angular_velocity = angular;
    return TRV_OK;
}

trv_result trv_body_apply_impulse(trv_world *world, trv_body_id id, trv_vec3 impulse,
                                  trv_vec3 point)
{
    const trv_result checks[] = {trvi_check_vec3(impulse), trvi_check_vec3(point)};
    trv_result result = first_error(checks, 2);
    trvi_body *body;
    if (result == TRV_OK)
        result = find_to_push(world, id, TRV_BODY_DYNAMIC, &body);
    if (result != TRV_OK)
        return result;
    trv_vec3 turn = trvi_cross(trvi_sub(point, body->center), impulse);
    trv_vec3 local =
        trvi_symmetric_mul(&body->inverse_inertia, trvi_rotate_inverse(body->rotation, turn));
    body->linear_velocity = trvi_mul_add(body->linear_velocity, impulse, body->inverse_mass);
    body->angular_velocity = trvi_add(body->angular_velocity, trvi_rotate(body->rotation, local));
    return TRV_OK;
}

trv_result trv_body_apply_force(trv_world *world, trv_body_id id, trv_vec3 force, trv_vec3 point,
                                trv_vec3 torque)
{
    const trv_result checks[] = {trvi_check_vec3(force), trvi_check_vec3(point),
                                 trvi_check_vec3(torque)};
    trv_result result = first_error(checks, 3);
    trvi_body *body;
    if (result == TRV_OK)
        result = find_to_push(world, id, TRV_BODY_DYNAMIC, &body);
    if (result != TRV_OK)
        return result;
    body->force = trvi_add(body->force, force);
    trv_vec3 turn = trvi_cross(trvi_sub(point, body->center), force);
    body->torque = trvi_add(body->torque, trvi_add(torque, turn));
    return TRV_OK;
}

trv_result trv_body_mass(const trv_world *world, trv_body_id id, float *mass, trv_vec3 *center,
                         float inertia[6])
{
    if (mass == NULL || center == NULL || inertia == NULL)
        return TRV_ERROR_NULL;
    *mass = 0.0f;
    *center = (trv_vec3){0.0f, 0.0f, 0.0f};
    memset(inertia, 0, 6 * sizeof *inertia);
    uint32_t index;
    trv_result result = trvi_find_body(world, id, &index);
    if (result != TRV_OK)
        return result;
    const trvi_body *body = &trvi_bodies(world)[index];
    const trvi_symmetric *i = &body->inertia;
    const float entries[6] = {i->xx, i->yy, i->zz, i->xy, i->xz, i->yz};
    *mass = body->mass;
    *center = body->local_center;
    memcpy(inertia, entries, sizeof entries);
    return TRV_OK;
}

trv_result trv_body_awake(const trv_world *world, trv_body_id id, bool *awake)
{
    if (awake == NULL)
        return TRV_ERROR_NULL;
    *awake = false;
    uint32_t index;
    trv_result result = trvi_find_body(world, id, &index);
    if (result == TRV_OK)
        *awake = (trvi_bodies(world)[index].flags & TRVI_BODY_AWAKE) != 0;
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
    if (awake)
        trvi_wake(world, index);
    else
        trvi_sleep_alone(world, index);
    return TRV_OK;
}

trv_result trv_body_kind_get(const trv_world *world, trv_body_id id, trv_body_kind *kind)
{
    if (kind == NULL)
        return TRV_ERROR_NULL;
    *kind = TRV_BODY_STATIC;
    uint32_t index;
    trv_result result = trvi_find_body(world, id, &index);
    if (result == TRV_OK)
        *kind = (trv_body_kind)trvi_bodies(world)[index].kind;
    return result;
}

trv_result trv_body_user(const trv_world *world, trv_body_id id, uint64_t *user)
{
    if (user == NULL)
        return TRV_ERROR_NULL;
    *user = 0;
    uint32_t index;
    trv_result result = trvi_find_body(world, id, &index);
    if (result == TRV_OK)
        *user = trvi_bodies(world)[index].user;
    return result;
}
