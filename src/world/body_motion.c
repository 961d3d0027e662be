// How bodies move: velocities, forces and impulses, and what bears on them: mass, damping, gravity,
// locked axes.
#include "world_data.h"

#include <string.h>

static trv_result first_error(const trv_result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (results[i] != TRV_OK)
            return results[i];
    return TRV_OK;
}

void trvi_body_give_velocity(const trvi_body *body, trvi_mobile *mobile, trv_vec3 linear,
                             trv_vec3 angular)
{
    uint32_t locks = body->kind == TRV_BODY_DYNAMIC ? body->locks : 0;
    mobile->linear_velocity = trvi_unlocked(linear, locks);
    mobile->angular_velocity = trvi_unlocked(angular, locks / TRV_LOCK_ANGULAR_X);
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
    const trvi_mobile *mobile = trvi_mobile_of(world, &trvi_bodies(world)[index]);
    *linear = mobile->linear_velocity;
    *angular = mobile->angular_velocity;
    return TRV_OK;
}

trv_result trv_body_linear_velocity(const trv_world *world, trv_body_id id, trv_vec3 *linear)
{
    trv_vec3 angular;
    return trv_body_velocity(world, id, linear, &angular);
}

trv_result trv_body_angular_velocity(const trv_world *world, trv_body_id id, trv_vec3 *angular)
{
    trv_vec3 linear;
    return trv_body_velocity(world, id, &linear, angular);
}

trv_result trv_body_velocity_at(const trv_world *world, trv_body_id id, trv_vec3 point,
                                trv_vec3 *velocity)
{
    if (velocity == NULL)
        return TRV_ERROR_NULL;
    *velocity = (trv_vec3){0.0f, 0.0f, 0.0f};
    uint32_t index;
    trv_result result = trvi_find_body(world, id, &index);
    if (result == TRV_OK)
        result = trvi_check_vec3(point);
    if (result != TRV_OK)
        return result;
    *velocity = trvi_velocity_at(world, &trvi_bodies(world)[index], point);
    return TRV_OK;
}

// A body of the kind that a call needs.
static trv_result find_to_push(trv_world *world, trv_body_id id, trv_body_kind least,
                               uint32_t *index)
{
    trv_result result = trvi_find_body_to_change(world, id, index);
    if (result == TRV_OK && trvi_bodies(world)[*index].kind < (uint8_t)least)
        result = TRV_ERROR_KIND;
    return result;
}

// Sets what is not NULL.
static trv_result set_velocity(trv_world *world, trv_body_id id, const trv_vec3 *linear,
                               const trv_vec3 *angular)
{
    uint32_t index;
    trv_result result = find_to_push(world, id, TRV_BODY_KINEMATIC, &index);
    if (result == TRV_OK && linear)
        result = trvi_check_vec3(*linear);
    if (result == TRV_OK && angular)
        result = trvi_check_vec3(*angular);
    if (result != TRV_OK)
        return result;
    trvi_wake(world, index);
    const trvi_body *body = &trvi_bodies(world)[index];
    trvi_mobile *mobile = trvi_own_mobile(world, body);
    trvi_body_give_velocity(body, mobile, linear ? *linear : mobile->linear_velocity,
                            angular ? *angular : mobile->angular_velocity);
    return TRV_OK;
}

trv_result trv_body_set_velocity(trv_world *world, trv_body_id id, trv_vec3 linear,
                                 trv_vec3 angular)
{
    return set_velocity(world, id, &linear, &angular);
}

trv_result trv_body_set_linear_velocity(trv_world *world, trv_body_id id, trv_vec3 linear)
{
    return set_velocity(world, id, &linear, NULL);
}

trv_result trv_body_set_angular_velocity(trv_world *world, trv_body_id id, trv_vec3 angular)
{
    return set_velocity(world, id, NULL, &angular);
}

// The rotation vector from one orientation to another by the shorter way, in double.
static trvi_dvec3 turn_between(trv_quat from, trv_quat to)
{
    trv_quat q = trvi_quat_mul(to, trvi_quat_conjugate(from));
    double side = q.w < 0.0f ? -1.0 : 1.0;
    trvi_dvec3 axis = {side * q.x, side * q.y, side * q.z};
    double sine = trvi_dlength(axis), half = trvi_dangle(sine, side * q.w);
    return trvi_dscale(axis, sine > 1.0e-12 ? 2.0 * half / sine : 2.0);
}

trv_result trv_body_move_to(trv_world *world, trv_body_id id, trv_pose target, float dt)
{
    uint32_t index;
    trv_result result = find_to_push(world, id, TRV_BODY_KINEMATIC, &index);
    if (result == TRV_OK && trvi_bodies(world)[index].kind != TRV_BODY_KINEMATIC)
        result = TRV_ERROR_KIND;
    if (result == TRV_OK)
        result = trvi_check_pose(target);
    if (result == TRV_OK)
        result = trvi_check_range(dt, 1.0e-6f, 1.0f);
    if (result != TRV_OK)
        return result;
    const trvi_body *body = &trvi_bodies(world)[index];
    trv_quat rotation = trvi_quat_normalize(target.rotation);
    trvi_dvec3 way = trvi_dsub(trvi_dvec3_from(target.position), trvi_dvec3_from(body->position));
    trvi_dvec3 turn = turn_between(body->rotation, rotation);
    trv_vec3 linear = trvi_vec3_from_double(trvi_dscale(way, 1.0 / (double)dt));
    trv_vec3 angular = trvi_vec3_from_double(trvi_dscale(turn, 1.0 / (double)dt));
    return set_velocity(world, id, &linear, &angular);
}

// To `value` adds `more`, unless the sum leaves what numbers can be trusted with.
static trv_result add_within(trv_vec3 *value, trv_vec3 more, float most)
{
    trv_vec3 sum = trvi_add(*value, more), size = trvi_abs(sum);
    if (!(size.x <= most && size.y <= most && size.z <= most))
        return TRV_ERROR_RANGE;
    *value = sum;
    return TRV_OK;
}

// Impulse and angular impulse about the centre of mass.
static trv_result push(trv_world *world, uint32_t index, trv_vec3 impulse, trv_vec3 turn)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    trvi_mobile *mobile = trvi_own_mobile(world, body);
    trv_vec3 local =
        trvi_symmetric_mul(&mobile->inverse_inertia, trvi_rotate_inverse(body->rotation, turn));
    trv_vec3 linear = mobile->linear_velocity, angular = mobile->angular_velocity;
    trv_result result =
        add_within(&linear, trvi_scale(impulse, mobile->inverse_mass), TRV_COORD_MAX);
    if (result == TRV_OK)
        result = add_within(&angular, trvi_rotate(body->rotation, local), TRV_COORD_MAX);
    if (result != TRV_OK || trvi_is_disabled(body))
        return result;
    trvi_wake(world, index);
    trvi_body_give_velocity(body, mobile, linear, angular);
    return TRV_OK;
}

static trv_result add_force(trv_world *world, uint32_t index, trv_vec3 force, trv_vec3 torque)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    trvi_mobile *mobile = trvi_own_mobile(world, body);
    trv_vec3 sum = mobile->force, turn = mobile->torque;
    trv_result result = add_within(&sum, force, 1.0e30f);
    if (result == TRV_OK)
        result = add_within(&turn, torque, 1.0e30f);
    if (result != TRV_OK || trvi_is_disabled(body))
        return result;
    trvi_wake(world, index);
    mobile->force = sum;
    mobile->torque = turn;
    return TRV_OK;
}

static const trv_vec3 none = {0.0f, 0.0f, 0.0f};

// What adds something straight and something that turns to a body.
typedef trv_result add_fn(trv_world *world, uint32_t index, trv_vec3 straight, trv_vec3 turning);

// Checks all, and adds `straight` at the point, or at the centre of mass where there is none.
static trv_result add_to_body(trv_world *world, trv_body_id id, add_fn *add, trv_vec3 straight,
                              const trv_vec3 *point, trv_vec3 turning)
{
    uint32_t index;
    const trv_result checks[] = {
        find_to_push(world, id, TRV_BODY_DYNAMIC, &index), trvi_check_vec3(straight),
        point ? trvi_check_vec3(*point) : TRV_OK, trvi_check_vec3(turning)};
    trv_result result = first_error(checks, 4);
    if (result != TRV_OK)
        return result;
    if (point != NULL) {
        trv_vec3 arm = trvi_sub(*point, trvi_bodies(world)[index].center);
        turning = trvi_add(turning, trvi_cross(arm, straight));
    }
    return add(world, index, straight, turning);
}

trv_result trv_body_apply_impulse(trv_world *world, trv_body_id id, trv_vec3 impulse,
                                  trv_vec3 point)
{
    return add_to_body(world, id, push, impulse, &point, none);
}

trv_result trv_body_apply_impulse_to_center(trv_world *world, trv_body_id id, trv_vec3 impulse)
{
    return add_to_body(world, id, push, impulse, NULL, none);
}

trv_result trv_body_apply_angular_impulse(trv_world *world, trv_body_id id, trv_vec3 impulse)
{
    return add_to_body(world, id, push, none, NULL, impulse);
}

trv_result trv_body_apply_force(trv_world *world, trv_body_id id, trv_vec3 force, trv_vec3 point,
                                trv_vec3 torque)
{
    return add_to_body(world, id, add_force, force, &point, torque);
}

trv_result trv_body_apply_force_to_center(trv_world *world, trv_body_id id, trv_vec3 force)
{
    return add_to_body(world, id, add_force, force, NULL, none);
}

trv_result trv_body_apply_torque(trv_world *world, trv_body_id id, trv_vec3 torque)
{
    return add_to_body(world, id, add_force, none, NULL, torque);
}

trv_result trv_body_gravity_scale(const trv_world *world, trv_body_id id, float *scale)
{
    const trvi_body *body;
    trv_result result = trvi_ask_body(world, id, scale, sizeof *scale, &body);
    if (result == TRV_OK)
        *scale = trvi_mobile_of(world, body)->gravity_scale;
    return result;
}

trv_result trv_body_set_gravity_scale(trv_world *world, trv_body_id id, float scale)
{
    uint32_t index;
    trv_result result = trvi_find_body_to_change(world, id, &index);
    if (result == TRV_OK)
        result = trvi_check_coordinate(scale);
    if (result != TRV_OK)
        return result;
    if (trvi_mobile_of(world, &trvi_bodies(world)[index])->gravity_scale != scale &&
        !trvi_mobile_give(world, index))
        return TRV_ERROR_MEMORY;
    trvi_wake(world, index);
    const trvi_body *body = &trvi_bodies(world)[index];
    if (body->mobile != TRVI_IMMOBILE) // else it is as it was
        trvi_own_mobile(world, body)->gravity_scale = scale;
    trvi_forget_loads(world, index);
    return TRV_OK;
}

trv_result trv_body_damping(const trv_world *world, trv_body_id id, float *linear, float *angular)
{
    if (linear == NULL || angular == NULL)
        return TRV_ERROR_NULL;
    *linear = *angular = 0.0f;
    uint32_t index;
    trv_result result = trvi_find_body(world, id, &index);
    if (result != TRV_OK)
        return result;
    const trvi_mobile *mobile = trvi_mobile_of(world, &trvi_bodies(world)[index]);
    *linear = mobile->linear_damping;
    *angular = mobile->angular_damping;
    return TRV_OK;
}

trv_result trv_body_set_damping(trv_world *world, trv_body_id id, float linear, float angular)
{
    uint32_t index;
    const trv_result checks[] = {trvi_find_body_to_change(world, id, &index),
                                 trvi_check_range(linear, 0.0f, TRV_COORD_MAX),
                                 trvi_check_range(angular, 0.0f, TRV_COORD_MAX)};
    trv_result result = first_error(checks, 3);
    if (result != TRV_OK)
        return result;
    if ((linear != 0.0f || angular != 0.0f) && !trvi_mobile_give(world, index))
        return TRV_ERROR_MEMORY;
    trvi_wake(world, index);
    const trvi_body *body = &trvi_bodies(world)[index];
    if (body->mobile == TRVI_IMMOBILE) // it has none
        return TRV_OK;
    trvi_mobile *mobile = trvi_own_mobile(world, body);
    mobile->linear_damping = linear;
    mobile->angular_damping = angular;
    return TRV_OK;
}

trv_result trv_body_locks(const trv_world *world, trv_body_id id, uint32_t *locks)
{
    const trvi_body *body;
    trv_result result = trvi_ask_body(world, id, locks, sizeof *locks, &body);
    if (result == TRV_OK)
        *locks = body->locks;
    return result;
}

trv_result trv_body_set_locks(trv_world *world, trv_body_id id, uint32_t locks)
{
    uint32_t index;
    trv_result result = trvi_find_body_to_change(world, id, &index);
    if (result == TRV_OK && (locks & ~(uint32_t)TRV_LOCK_ALL))
        result = TRV_ERROR_RANGE;
    if (result != TRV_OK)
        return result;
    trvi_wake(world, index);
    trvi_body *body = &trvi_bodies(world)[index];
    body->locks = (uint16_t)locks;
    if (body->mobile != TRVI_IMMOBILE) {
        trvi_mobile *mobile = trvi_own_mobile(world, body);
        trvi_body_give_velocity(body, mobile, mobile->linear_velocity, mobile->angular_velocity);
    }
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
    const trvi_mobile *mobile = trvi_mobile_of(world, &trvi_bodies(world)[index]);
    const trvi_symmetric *i = &mobile->inertia;
    const float entries[6] = {i->xx, i->yy, i->zz, i->xy, i->xz, i->yz};
    *mass = mobile->mass;
    *center = mobile->local_center;
    memcpy(inertia, entries, sizeof entries);
    return TRV_OK;
}

trv_result trv_body_set_mass(trv_world *world, trv_body_id id, float mass, trv_vec3 center,
                             const float inertia[6])
{
    if (inertia == NULL)
        return TRV_ERROR_NULL;
    uint32_t index;
    const trv_result checks[] = {find_to_push(world, id, TRV_BODY_DYNAMIC, &index),
                                 trvi_is_finite(mass) ? TRV_OK : TRV_ERROR_NUMBER,
                                 mass > 0.0f ? TRV_OK : TRV_ERROR_RANGE, trvi_check_vec3(center)};
    trv_result result = first_error(checks, 4);
    for (int e = 0; e < 6 && result == TRV_OK; e++)
        result = trvi_is_finite(inertia[e]) ? TRV_OK : TRV_ERROR_NUMBER;
    if (result == TRV_OK)
        result = trvi_body_take_mass(world, &trvi_bodies(world)[index], mass, center, inertia);
    if (result != TRV_OK)
        return result;
    trvi_forget_loads(world, index);
    trvi_wake(world, index);
    return TRV_OK;
}

trv_result trv_body_reset_mass(trv_world *world, trv_body_id id)
{
    uint32_t index;
    trv_result result = find_to_push(world, id, TRV_BODY_DYNAMIC, &index);
    if (result != TRV_OK)
        return result;
    trvi_body *body = &trvi_bodies(world)[index];
    uint16_t before = body->settings;
    body->settings &= (uint16_t)~TRVI_BODY_MASS_SET;
    result = trvi_body_update_mass(world, body);
    if (result != TRV_OK) {
        body->settings = before;
        return result;
    }
    trvi_forget_loads(world, index);
    trvi_wake(world, index);
    return TRV_OK;
}
