// Bodies in and out of the solver, and their motion within a sub-step.
//
// A body that no contact may act on in the step is moved along the exact parabola. Spin follows
// Euler's equations by the implicit midpoint rule in the body's frame, which keeps energy and the
// length of the angular momentum.
//
// Based on: E. Hairer, C. Lubich, G. Wanner, "Geometric Numerical Integration" (2006), VII.5.
#include "solver_data.h"

#include <string.h>

// R m R^T for a symmetric m.
static trvi_symmetric turn_symmetric(trv_quat rotation, const trvi_symmetric *m)
{
    trvi_mat3 r = trvi_mat3_from_quat(rotation);
    trv_vec3 rows[3];
    for (int i = 0; i < 3; i++)
        rows[i] = trvi_symmetric_mul(m, trvi_vec3(r.m[i][0], r.m[i][1], r.m[i][2]));
    trv_vec3 x = {r.m[0][0], r.m[0][1], r.m[0][2]};
    trv_vec3 y = {r.m[1][0], r.m[1][1], r.m[1][2]};
    trv_vec3 z = {r.m[2][0], r.m[2][1], r.m[2][2]};
    return (trvi_symmetric){trvi_dot(rows[0], x), trvi_dot(rows[1], y), trvi_dot(rows[2], z),
                            trvi_dot(rows[0], y), trvi_dot(rows[0], z), trvi_dot(rows[1], z)};
}

// The inverse of the inertia about the axes that are free; about the others nothing turns the body.
static trvi_symmetric invert_free(const trvi_body *body, uint32_t locked)
{
    trvi_symmetric i = turn_symmetric(body->rotation, &body->inertia), free = {0};
    const float diagonal[3] = {i.xx, i.yy, i.zz};
    float *inverse[3] = {&free.xx, &free.yy, &free.zz};
    uint32_t axes = ~locked & 7u;
    for (uint32_t a = 0; a < 3; a++)
        if (axes == 1u << a && diagonal[a] > 0.0f)
            *inverse[a] = 1.0f / diagonal[a];
    if (axes != 3u && axes != 5u && axes != 6u)
        return free;
    uint32_t a = axes == 6u ? 1 : 0, b = axes == 3u ? 1 : 2;
    float off = axes == 3u ? i.xy : axes == 5u ? i.xz : i.yz;
    float determinant = diagonal[a] * diagonal[b] - off * off;
    if (!(determinant > 0.0f))
        return free;
    *inverse[a] = diagonal[b] / determinant;
    *inverse[b] = diagonal[a] / determinant;
    *(axes == 3u ? &free.xy : axes == 5u ? &free.xz : &free.yz) = -off / determinant;
    return free;
}

static void lock_axes(trvi_solver_body *solver, const trvi_body *body)
{
    uint32_t turns = solver->locks / TRV_LOCK_ANGULAR_X;
    solver->acceleration = trvi_unlocked(solver->acceleration, solver->locks);
    if (turns != 0)
        solver->inverse_inertia = invert_free(body, turns);
}

void trvi_motion_load(const trvi_step *step, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        trvi_solver_body *solver = &step->bodies[i];
        const trvi_body *body = &trvi_bodies(step->world)[solver->body];
        bool dynamic = body->kind == TRV_BODY_DYNAMIC;
        trvi_motion *motion = &step->motions[i];
        memset(motion, 0, sizeof *motion);
        motion->linear = body->linear_velocity;
        motion->angular = body->angular_velocity;
        motion->pushable = dynamic && body->inverse_mass > 0.0f ? 1.0f : 0.0f;
        motion->touched = solver->colors != 0 ? 1.0f : 0.0f;
        motion->turned = trv_identity_quat();
        if (!dynamic)
            continue;
        solver->inverse_inertia = turn_symmetric(body->rotation, &body->inverse_inertia);
        solver->acceleration = trvi_mul_add(trvi_scale(step->world->gravity, body->gravity_scale),
                                            body->force, body->inverse_mass);
        if (solver->locks != 0)
            lock_axes(solver, body);
        solver->angular_acceleration = trvi_symmetric_mul(&solver->inverse_inertia, body->torque);
    }
}

// The spin after h without torque, in the body's frame: implicit midpoint by fixed-point iteration,
// which contracts while h |w| < 1. Faster spin takes micro-steps of at most half a radian; beyond
// sixteen of them the torque is left out, and the spin keeps its axis.
static trv_vec3 spin_freely(const trvi_body *body, trv_vec3 w, float h)
{
    float radians = h * trvi_length(w);
    if (!(radians <= 8.0f))
        return w;
    int micro_steps = 1 + (int)(2.0f * radians);
    float micro = h / (float)micro_steps;
    for (int s = 0; s < micro_steps; s++) {
        trv_vec3 after = w;
        for (int round = 0; round < 4; round++) {
            trv_vec3 middle = trvi_scale(trvi_add(w, after), 0.5f);
            trv_vec3 torque = trvi_cross(trvi_symmetric_mul(&body->inertia, middle), middle);
            after = trvi_mul_add(w, trvi_symmetric_mul(&body->inverse_inertia, torque), micro);
        }
        w = after;
    }
    return w;
}

static void accelerate_spin(const trvi_step *step, const trvi_body *body, trvi_motion *motion)
{
    if (body->flags & TRVI_BODY_ROUND_INERTIA)
        return;
    trv_quat rotation = trvi_quat_mul(motion->turned, body->rotation);
    trv_vec3 local = trvi_rotate_inverse(rotation, motion->angular);
    motion->angular = trvi_rotate(rotation, spin_freely(body, local, step->h));
}

void trvi_motion_accelerate(const trvi_step *step, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        const trvi_solver_body *solver = &step->bodies[i];
        const trvi_body *body = &trvi_bodies(step->world)[solver->body];
        trvi_motion *motion = &step->motions[i];
        if (body->kind != TRV_BODY_DYNAMIC)
            continue;
        // Bearings take the spin's own torque.
        if (body->inverse_mass > 0.0f && solver->locks < TRV_LOCK_ANGULAR_X)
            accelerate_spin(step, body, motion);
        motion->linear = trvi_mul_add(motion->linear, solver->acceleration, step->h);
        motion->angular = trvi_mul_add(motion->angular, solver->angular_acceleration, step->h);
        // Implicit damping: never overshoots, whatever the coefficient.
        motion->linear = trvi_scale(motion->linear, 1.0f / (1.0f + step->h * body->linear_damping));
        motion->angular =
            trvi_scale(motion->angular, 1.0f / (1.0f + step->h * body->angular_damping));
    }
}

// The rotation by w * h. The series is exact to float32 for half angles up to 1/2.
static trv_quat turn_by(trv_vec3 w, float h)
{
    trv_vec3 half = trvi_scale(w, 0.5f * h);
    float square = trvi_dot(half, half);
    float sine_over_angle, cosine;
    if (square <= 0.25f) {
        sine_over_angle =
            1.0f - square * (1.0f / 6.0f - square * (1.0f / 120.0f - square * (1.0f / 5040.0f)));
        cosine = 1.0f - square * (0.5f - square * (1.0f / 24.0f - square * (1.0f / 720.0f)));
    } else {
        float angle = sqrtf(square);
        sine_over_angle = trvi_sin(angle) / angle;
        cosine = trvi_cos(angle);
    }
    return (trv_quat){half.x * sine_over_angle, half.y * sine_over_angle, half.z * sine_over_angle,
                      cosine};
}

void trvi_motion_move(const trvi_step *step, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        trvi_motion *motion = &step->motions[i];
        trv_vec3 speed = motion->linear;
        if (motion->touched == 0.0f) // the mean speed of the sub-step
            speed = trvi_mul_add(speed, step->bodies[i].acceleration, -0.5f * step->h);
        motion->moved = trvi_mul_add(motion->moved, speed, step->h);
        motion->turned =
            trvi_quat_normalize(trvi_quat_mul(turn_by(motion->angular, step->h), motion->turned));
    }
}

// A body is still while none of its points takes less than the sleep time to leave a small ball about
// where it was: then the ball is laid anew, and creeping on slowly does not count as moving.
static void count_stillness(trvi_body *body, float dt, float sleep_time)
{
    float moved = trvi_length(trvi_sub(body->center, body->rest_center));
    trv_quat turn = trvi_quat_mul(body->rotation, trvi_quat_conjugate(body->rest_rotation));
    trv_vec3 axis = {turn.x, turn.y, turn.z}; // of length sin(angle / 2); chord = 2 sin * extent
    body->still_time += dt;
    body->rest_age += dt;
    if (moved + 2.0f * trvi_length(axis) * body->extent <= TRVI_STILL_M)
        return;
    if (body->rest_age < sleep_time)
        body->still_time = 0.0f;
    body->rest_age = 0.0f;
    body->rest_center = body->center;
    body->rest_rotation = body->rotation;
}

// A body that leaves the range of coordinates, or that numbers too large have spoilt, stays where it
// was, at rest: the rest of the world goes on.
static bool is_sound(const trvi_motion *motion, trv_vec3 center)
{
    float turn = motion->turned.x + motion->turned.y + motion->turned.z + motion->turned.w;
    return trvi_check_vec3(center) == TRV_OK && trvi_check_vec3(motion->linear) == TRV_OK &&
           trvi_check_vec3(motion->angular) == TRV_OK && trvi_is_finite(turn);
}

// Adds what no point of the body has moved farther than: the way of its frame, and the chord of its
// turn; all of it after rounding, and with the rounding of the rotation itself.
static void count_travel(trvi_body *body, trv_vec3 before, trv_quat turned)
{
    trvi_dvec3 way = trvi_dsub(trvi_dvec3_from(body->position), trvi_dvec3_from(before));
    double sine = trvi_dlength((trvi_dvec3){turned.x, turned.y, turned.z}); // of half the angle
    double reach = (double)body->extent + (double)trvi_length(body->local_center);
    body->travelled += trvi_dlength(way) + (2.0 * sine + 1.0e-6) * 1.00001 * reach;
}

static void store_body(trvi_body *body, trvi_motion *motion)
{
    body->force = (trv_vec3){0.0f, 0.0f, 0.0f};
    body->torque = (trv_vec3){0.0f, 0.0f, 0.0f};
    trv_vec3 center = trvi_add(body->center, motion->moved);
    if (!is_sound(motion, center)) {
        motion->unsound = 1.0f;
        body->linear_velocity = (trv_vec3){0.0f, 0.0f, 0.0f};
        body->angular_velocity = (trv_vec3){0.0f, 0.0f, 0.0f};
        return;
    }
    trv_vec3 before = body->position;
    body->linear_velocity = motion->linear;
    body->angular_velocity = motion->angular;
    body->center = center;
    body->rotation = trvi_quat_normalize(trvi_quat_mul(motion->turned, body->rotation));
    body->position = trvi_sub(center, trvi_rotate(body->rotation, body->local_center));
    count_travel(body, before, motion->turned);
}

void trvi_motion_store(const trvi_step *step, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        trvi_body *body = &trvi_bodies(step->world)[step->bodies[i].body];
        store_body(body, &step->motions[i]);
        count_stillness(body, step->dt, step->world->sleep_time);
    }
}
