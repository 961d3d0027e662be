// Bodies in and out of the solver, and their motion within a sub-step.
//
// A body that no contact has acted on in the step is moved once more, from where the step began,
// along the exact parabola and by spin.c, in double: what float32 has lost over the sub-steps comes
// back, and what it cannot hold is kept beside it for the next step. Others are moved sub-step by
// sub-step, on a parabola where no contact has pushed them in it.
#include "solver_data.h"

#include <stddef.h>
#include <string.h>

trvi_symmetric trvi_turn_symmetric(trv_quat rotation, const trvi_symmetric *m)
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
static trvi_symmetric free_inertia(const trvi_mobile *mobile, trv_quat rotation, uint32_t locked)
{
    trvi_symmetric i = trvi_turn_symmetric(rotation, &mobile->inertia), free = {0};
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

trvi_symmetric trvi_inverse_inertia_at(const trvi_mobile *mobile, trv_quat rotation, uint32_t locks)
{
    uint32_t turns = locks / TRV_LOCK_ANGULAR_X;
    return turns != 0 ? free_inertia(mobile, rotation, turns)
                      : trvi_turn_symmetric(rotation, &mobile->inverse_inertia);
}

trvi_symmetric trvi_inverse_inertia_turned(const trvi_step *step, uint32_t solver, trv_quat turned)
{
    const trvi_body *body = &trvi_bodies(step->world)[step->bodies[solver].body];
    return trvi_inverse_inertia_at(trvi_mobile_of(step->world, body),
                                   trvi_quat_mul(turned, body->rotation),
                                   step->bodies[solver].locks);
}

float trvi_yield_along(float inverse_mass, const trvi_symmetric *inverse_inertia, uint32_t locks,
                       trv_vec3 arm, trv_vec3 axis)
{
    trv_vec3 turn = trvi_cross(arm, axis);
    float yields = inverse_mass * trvi_dot(trvi_unlocked(axis, locks), axis) +
                   trvi_dot(turn, trvi_symmetric_mul(inverse_inertia, turn));
    return locks != 0 && yields < TRVI_LOCKED_YIELD * inverse_mass ? 0.0f : yields;
}

// Round bodies, and where bearings take the spin's own torque.
static bool turns_plainly(const trvi_body *body)
{
    return (body->flags & TRVI_BODY_ROUND_INERTIA) || body->locks >= TRV_LOCK_ANGULAR_X;
}

// By how much the largest moment of inertia is above the least, as parts of that.
static float slenderness_of(const trvi_mobile *mobile)
{
    trv_vec3 m = mobile->moments;
    float least = trvi_smaller(m.x, trvi_smaller(m.y, m.z));
    float largest = trvi_larger(m.x, trvi_larger(m.y, m.z));
    return least > 0.0f ? (largest - least) / least : 0.0f;
}

// Does it need no sub-steps? trvi_motion_store moves it along its whole way, and nobody asks where it
// is until then, as long as nobody needs the guard.
static bool flies_alone(const trvi_step *step, const trvi_solver_body *solver,
                        const trvi_body *body)
{
    return solver->alone && body->kind == TRV_BODY_DYNAMIC && body->locks == 0 && !step->together &&
           !step->world->has_impacts && trvi_stays_foreseen(step->world, body, step->dt);
}

void trvi_motion_load(const trvi_step *step, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        trvi_solver_body *solver = &step->bodies[i];
        const trvi_body *body = &trvi_bodies(step->world)[solver->body];
        const trvi_mobile *mobile = trvi_mobile_of(step->world, body);
        bool dynamic = body->kind == TRV_BODY_DYNAMIC;
        trvi_motion *motion = &step->motions[i];
        memset(motion, 0, sizeof *motion);
        motion->linear = mobile->linear_velocity;
        motion->angular = mobile->angular_velocity;
        motion->pushable = dynamic && mobile->inverse_mass > 0.0f ? 1.0f : 0.0f;
        motion->touched = solver->colors != 0 ? 1.0f : 0.0f;
        motion->turned = trv_identity_quat();
        solver->inverse_mass = mobile->inverse_mass; // burden.c changes it
        solver->linear_before = motion->linear;
        solver->mends = false;
        solver->gain = mobile->gain;
        solver->pushed = dynamic;
        solver->plain = !dynamic || turns_plainly(body);
        solver->slender = slenderness_of(mobile);
        solver->far_way = trvi_guard_way(body);
        if (solver->top != TRVI_NONE)
            trvi_top_load(step, i);
        if (flies_alone(step, solver, body)) {
            solver->apart = true;
            solver->gain = trvi_acceleration_of(step->world, mobile);
            trvi_guard_set_far(step, i, 0);
            continue;
        }
        if (!dynamic)
            continue;
        // Implicit damping: never overshoots, whatever the coefficient.
        solver->keep_linear = 1.0f / (1.0f + step->h * mobile->linear_damping);
        solver->keep_angular = 1.0f / (1.0f + step->h * mobile->angular_damping);
        solver->inverse_inertia = trvi_inverse_inertia_at(mobile, body->rotation, solver->locks);
        solver->acceleration = trvi_acceleration_of(step->world, mobile);
        if (solver->locks != 0)
            solver->acceleration = trvi_unlocked(solver->acceleration, solver->locks);
        solver->angular_acceleration = trvi_symmetric_mul(&solver->inverse_inertia, mobile->torque);
    }
}

// Did its speed change as in the sub-step before? Or by a part of that: what brakes comes to rest within one.
static bool is_steady(const trvi_step *step, const trvi_solver_body *solver, trv_vec3 change)
{
    trv_vec3 other = trvi_sub(change, trvi_scale(solver->gain, step->h));
    trv_vec3 usual = trvi_scale(solver->acceleration, TRVI_STEADY * step->h);
    return trvi_dot(other, other) <= trvi_dot(usual, usual) || trvi_dot(change, other) <= 0.0f;
}

// What of a change of speed is to be made up for. What turns about a place where friction holds it does so by the spin
// at the sub-step's end, and its centre has to go along: moved by another speed it would be taken back there, and
// swing farther each time. But as it comes down on that place it is stopped there, too.
static trv_vec3 mended_part(const trvi_solver_body *solver, const trvi_motion *motion,
                            trv_vec3 change)
{
    const uint32_t held = TRVI_BEARING_TURNS, slips = TRVI_BEARING_SLIPS;
    const trv_vec3 pull = solver->acceleration;
    float square = trvi_dot(pull, pull), slow = TRVI_TURNS_LEAST * sqrtf(square) / solver->extent;
    if ((solver->bearing & (held | slips)) == held &&
        trvi_dot(motion->angular, motion->angular) > slow)
        change = trvi_scale(pull, square > 0.0f ? trvi_dot(change, pull) / square : 0.0f);
    // How high the centre of what rocks on something round is follows from its spin as well.
    return trvi_mul_add(change, solver->rocks, -trvi_dot(change, solver->rocks));
}

// The solver moves bodies by the speeds at the ends of sub-steps. Where these change no faster than
// by weight and forces, as in sliding and rolling, the mean of both ends is the truth; where blows
// change them it is not. What comes to rest on something was stopped where it met that, and would be in it.
static void mend_way(const trvi_step *step, uint32_t i)
{
    trvi_motion *motion = &step->motions[i];
    trvi_solver_body *solver = &step->bodies[i];
    trv_vec3 change = trvi_sub(motion->linear, solver->linear_before);
    trv_vec3 usual = trvi_scale(solver->acceleration, TRVI_SMOOTH * step->h);
    solver->linear_before = motion->linear;
    if (solver->mends && trvi_dot(change, change) <= trvi_dot(usual, usual)) {
        float share = 1.0f;
        if (!is_steady(step, solver, change)) {
            float way = 0.5f * step->h * trvi_length(change);
            float most = TRVI_STEADY_WAY * trvi_bodies(step->world)[solver->body].thickness;
            share = way <= most ? 1.0f : most / way;
        }
        trv_vec3 part = mended_part(solver, motion, change);
        motion->moved = trvi_mul_add(motion->moved, part, -0.5f * step->h * share);
    }
    if (solver->mends)
        solver->gain = trvi_scale(change, step->inverse_h);
    solver->rocks = trvi_vec3(0.0f, 0.0f, 0.0f);
    solver->mends = false;
}

// How fast it is damped, 1/s, as it goes past what it stands on, by whether it loses speed: what gains that may be
// toppling.
static float sway_rate(const trvi_solver_body *body, trv_vec3 past, float spin, bool loses)
{
    float linear = trvi_length(past), angular = spin * body->extent;
    if (linear >= TRVI_SWAY_FASTEST || angular >= TRVI_SWAY_SPIN)
        return 0.0f;
    float swing = sqrtf(trvi_length(body->acceleration) / body->extent); // of a pendulum, rad/s
    float rate = trvi_larger(TRVI_SWAY_DAMPING, TRVI_SWAY_SWINGS * swing);
    if (loses)
        return TRVI_SWAY_LOSES * rate;
    return linear + angular < TRVI_SWAY_SLOWEST * swing * body->extent ? rate : 0.0f;
}

// Stacks bend and rock in ways that sweeps over their contacts are slow to find the forces for;
// what comes late feeds the sway. Where it is slow, and a foot stands still, or goes along straight and
// evenly, it is damped as by the give of real matter. The gains are of the last two sub-steps: the
// solver's errors change the sign of one.
static void damp_sway(const trvi_step *step, const trvi_solver_body *body, trvi_motion *motion,
                      trv_vec3 gain_before)
{
    trv_vec3 ride = step->motions[body->rides].linear, past = trvi_sub(motion->linear, ride);
    bool loses = trvi_dot(body->gain, past) < 0.0f && trvi_dot(gain_before, past) < 0.0f;
    float keep =
        1.0f / (1.0f + step->h * sway_rate(body, past, trvi_length(motion->angular), loses));
    motion->linear = trvi_mul_add(ride, past, keep);
    motion->angular = trvi_scale(motion->angular, keep);
}

// Has something else changed its speed by as much as its weight does? It was hit.
static bool is_jolted(const trvi_solver_body *body)
{
    float most = TRVI_SWAY_JOLT * TRVI_SWAY_JOLT * trvi_dot(body->acceleration, body->acceleration);
    return trvi_dot(body->gain, body->gain) > most;
}

// What is slower than anything is still. By the row, as contacts have left it: a speed and a flag of 0 or more.
static void leave_out_none(trvi_motion *motion)
{
    const trvi_lanes least = trvi_lanes_splat(TRVI_SPEED_NONE);
    const size_t rows[2] = {offsetof(trvi_motion, linear), offsetof(trvi_motion, angular)};
    for (int k = 0; k < 2; k++) {
        void *row = (char *)motion + rows[k];
        trvi_lanes_store(row, trvi_lanes_unless_less(trvi_lanes_load(row), least));
    }
}

static void accelerate_body(const trvi_step *step, uint32_t i)
{
    trvi_solver_body *solver = &step->bodies[i];
    trvi_motion *motion = &step->motions[i];
    leave_out_none(motion);
    trv_vec3 gain_before = solver->gain;
    mend_way(step, i);
    if (solver->stands && is_jolted(solver))
        solver->stands = false; // until the next step tells what holds it
    if (solver->stands)
        damp_sway(step, solver, motion, gain_before);
    motion->linear = trvi_mul_add(motion->linear, solver->acceleration, step->h);
    motion->angular = trvi_mul_add(motion->angular, solver->angular_acceleration, step->h);
    motion->linear = trvi_scale(motion->linear, solver->keep_linear);
    motion->angular = trvi_scale(motion->angular, solver->keep_angular);
    solver->free = motion->linear;
    solver->free_spin = motion->angular;
}

void trvi_motion_accelerate(const trvi_step *step, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        trvi_guard_begin(step, i);
        step->bodies[i].free = step->motions[i].linear;
        step->bodies[i].free_spin = step->motions[i].angular;
        if (step->bodies[i].pushed && !trvi_is_top(step, i))
            accelerate_body(step, i);
    }
}

// To float32, and what that leaves.
static trv_vec3 round_vec3(trvi_dvec3 v, trv_vec3 *rest)
{
    trv_vec3 near = trvi_vec3_from_double(v);
    *rest = trvi_vec3_from_double(trvi_dsub(v, trvi_dvec3_from(near)));
    return near;
}

// A part of a turn that is nothing is 0; not a number stays what it is.
static double unless_none(double part)
{
    return fabs(part) < (double)TRVI_TURN_NONE ? 0.0 : part;
}

// The same in float32.
static float unless_none_float(float part)
{
    return fabsf(part) < TRVI_TURN_NONE ? 0.0f : part;
}

static trv_quat round_quat(trvi_dquat q, trv_quat *rest)
{
    q = (trvi_dquat){unless_none(q.x), unless_none(q.y), unless_none(q.z), q.w};
    trv_quat near = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    if (rest != NULL)
        *rest = (trv_quat){(float)(q.x - (double)near.x), (float)(q.y - (double)near.y),
                           (float)(q.z - (double)near.z), (float)(q.w - (double)near.w)};
    return near;
}

static trvi_dvec3 with_rest(trv_vec3 v, trv_vec3 rest)
{
    return trvi_dadd(trvi_dvec3_from(v), trvi_dvec3_from(rest));
}

// The series is exact to float32 for half angles up to 1/2.
trv_quat trvi_turn_by(trv_vec3 w, float h)
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

bool trvi_flies_freely(const trvi_step *step, uint32_t solver)
{
    trv_vec3 now = step->motions[solver].linear, free = step->bodies[solver].free;
    return step->motions[solver].touched == 0.0f ||
           (now.x == free.x && now.y == free.y && now.z == free.z);
}

void trvi_motion_withhold(const trvi_step *step, uint32_t solver, float stood)
{
    trv_vec3 *linear = &step->motions[solver].linear, pull = step->bodies[solver].acceleration;
    float square = trvi_dot(pull, pull), along = trvi_dot(*linear, pull);
    if (square > 0.0f && along > 0.0f)
        *linear = trvi_mul_add(*linear, pull, -trvi_smaller(stood, along / square));
}

static void turn_by_spin(trvi_motion *motion, float h)
{
    trv_quat turned =
        trvi_quat_normalize(trvi_quat_mul(trvi_turn_by(motion->angular, h), motion->turned));
    motion->turned = (trv_quat){unless_none_float(turned.x), unless_none_float(turned.y),
                                unless_none_float(turned.z), turned.w};
}

void trvi_motion_turn(const trv_world *world, const trvi_body *body, trvi_motion *motion, float h)
{
    const trv_quat none = {0.0f, 0.0f, 0.0f, 0.0f};
    bool slow = h * trvi_length(motion->angular) < TRVI_SPIN_STILL;
    if (slow || turns_plainly(body) || body->kind != TRV_BODY_DYNAMIC) {
        turn_by_spin(motion, h);
        return;
    }
    if (h * trvi_length(motion->angular) < TRVI_SPIN_GENTLE) {
        trvi_turn_gently(body, trvi_mobile_of(world, body), motion, h);
        return;
    }
    trvi_dquat before = trvi_dquat_from(body->rotation, none);
    trvi_turning turning = {trvi_dquat_mul(trvi_dquat_from(motion->turned, none), before),
                            trvi_dvec3_from(motion->angular)};
    trvi_turn_way way = {{0.0, 0.0, 0.0}, h, 1};
    trvi_turn_freely(trvi_mobile_of(world, body), &turning, &way);
    motion->angular = trvi_vec3_from_double(turning.spin);
    motion->turned =
        round_quat(trvi_dquat_mul(turning.rotation, trvi_dquat_conjugate(before)), NULL);
}

static void move_body(const trvi_step *step, uint32_t i)
{
    trvi_motion *motion = &step->motions[i];
    if (motion->touched == TRVI_LANDED) {
        motion->touched = 1.0f;
        trvi_top_leave(step, i);
        return;
    }
    if (trvi_is_top(step, i)) {
        if (trvi_top_move(step, i))
            return;
        accelerate_body(step, i);
    }
    bool free = trvi_flies_freely(step, i);
    step->bodies[i].mends = !free;
    leave_out_none(motion);
    trv_vec3 speed = motion->linear;
    if (free) { // the mean speed of the sub-step
        speed = trvi_mul_add(speed, step->bodies[i].acceleration, -0.5f * step->h);
        step->bodies[i].gain = step->bodies[i].acceleration;
    }
    motion->moved = trvi_mul_add(motion->moved, speed, step->h);
    if (step->bodies[i].plain)
        turn_by_spin(motion, step->h);
    else
        trvi_motion_turn(step->world, &trvi_bodies(step->world)[step->bodies[i].body], motion,
                         step->h);
}

trv_vec3 trvi_motion_veers(const trvi_step *step, uint32_t solver)
{
    if (step->bodies[solver].plain)
        return trvi_vec3(0.0f, 0.0f, 0.0f);
    const trvi_motion *motion = &step->motions[solver];
    const trvi_body *body = &trvi_bodies(step->world)[step->bodies[solver].body];
    trv_quat now = trvi_quat_mul(motion->turned, body->rotation);
    trv_vec3 spin = trvi_rotate_inverse(now, motion->angular);
    return trvi_rotate(now, trvi_spin_veers(trvi_mobile_of(step->world, body), spin));
}

// Contacts would give energy to what has turned away from the inertia that they know of: of a rod that
// spins about its axis, as of one that turns over.
static void renew_inertia(const trvi_step *step, uint32_t i)
{
    trvi_solver_body *solver = &step->bodies[i];
    trvi_motion *motion = &step->motions[i];
    trv_vec3 half = {motion->turned.x, motion->turned.y, motion->turned.z};
    float square = 4.0f * trvi_dot(half, half); // of the angle
    bool rocks = trvi_dot(solver->rocks, solver->rocks) > 0.0f;
    float most = rocks ? TRVI_INERTIA_ROCKS : TRVI_INERTIA_OFF;
    if (!(square * solver->slender > most) || motion->pushable == 0.0f)
        return;
    const trvi_body *body = &trvi_bodies(step->world)[solver->body];
    const trvi_mobile *mobile = trvi_mobile_of(step->world, body);
    motion->odd = TRVI_TURNED;
    trvi_symmetric now = trvi_inverse_inertia_turned(step, i, motion->turned);
    float share = solver->inverse_mass / mobile->inverse_mass; // see burden.c
    solver->inverse_inertia = (trvi_symmetric){share * now.xx, share * now.yy, share * now.zz,
                                               share * now.xy, share * now.xz, share * now.yz};
    solver->angular_acceleration = trvi_symmetric_mul(&now, mobile->torque);
}

void trvi_motion_move(const trvi_step *step, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        move_body(step, i);
        renew_inertia(step, i);
        trvi_guard_end(step, i);
    }
}

float trvi_rest_way(const trvi_body *body, const trvi_mobile *mobile)
{
    float moved = trvi_length(trvi_sub(body->center, mobile->rest_center));
    return moved + trvi_chord_of_turn(body->rotation, mobile->rest_rotation) * body->extent;
}

void trvi_lay_rest_ball(const trvi_body *body, trvi_mobile *mobile)
{
    mobile->rest_age = 0.0f;
    mobile->rest_center = body->center;
    mobile->rest_rotation = body->rotation;
}

float trvi_fastest_of(const trvi_body *body, const trvi_mobile *mobile)
{
    return trvi_length(mobile->linear_velocity) +
           trvi_length(mobile->angular_velocity) * body->extent;
}

bool trvi_is_slower(const trvi_body *body, const trvi_mobile *mobile, float moved, float share)
{
    return trvi_fastest_of(body, mobile) * mobile->rest_age <= share * moved;
}

bool trvi_creeps(const trvi_mobile *mobile, float moved, float sleep_time)
{
    return moved * sleep_time <= TRVI_CREEPS * TRVI_STILL_M * mobile->rest_age;
}

// A body is still while none of its points takes less than the sleep time to leave a small ball
// about where it was: then the ball is laid anew, and creeping on slowly does not count as moving.
// What friction does not hold does not creep, but slides: after that time, its ball is smaller yet,
// unless it has been slowing down and so comes to rest. Where it merely creeps the sign says so: whether
// that counts is for its company to tell (trvi_sleep_islands).
static void count_stillness(const trv_world *world, const trvi_body *body, trvi_mobile *mobile,
                            float dt)
{
    const float sleep_time = world->sleep_time;
    mobile->still_time += dt;
    mobile->rest_age += dt;
    mobile->loose_time += dt;
    float moved = trvi_rest_way(body, mobile);
    bool loose = mobile->rest_age >= sleep_time && mobile->loose_time >= sleep_time;
    bool slides = loose && moved > TRVI_LOOSE * body->extent &&
                  !trvi_is_slower(body, mobile, moved, TRVI_SLOWS);
    if (moved <= TRVI_STILL_M && !slides)
        return;
    bool creeps = world->sleep && slides && trvi_creeps(mobile, moved, sleep_time);
    if (mobile->rest_age < sleep_time ||
        mobile->loose_time >= trvi_smaller(mobile->rest_age, sleep_time))
        mobile->still_time = creeps ? -mobile->still_time : 0.0f;
    trvi_lay_rest_ball(body, mobile);
}

// Where a body is at the end of the step.
typedef struct landing {
    trvi_dvec3 linear, angular, center;
    trvi_dquat rotation;
} landing;

// Is it without speed, and was only pushed about by how its place and those of its contacts are
// rounded?
static bool is_pushed_by_rounding(const trvi_step *step, const trvi_body *body,
                                  const trvi_motion *motion)
{
    float rounding = TRVI_PLACE_ROUNDING * trvi_largest_of(body->center);
    float way = trvi_length(motion->moved) + trvi_chord_of(motion->turned) * body->extent;
    float speed = trvi_length(motion->linear) + trvi_length(motion->angular) * body->extent;
    return way <= rounding && way > TRVI_PLACE_PUSHED * speed * step->dt;
}

static landing land_as_moved(const trvi_body *body, const trvi_mobile *mobile,
                             const trvi_motion *motion)
{
    const trv_quat none = {0.0f, 0.0f, 0.0f, 0.0f};
    trvi_dquat before = trvi_dquat_from(body->rotation, mobile->rotation_rest);
    return (landing){
        trvi_dvec3_from(motion->linear), trvi_dvec3_from(motion->angular),
        trvi_dadd(with_rest(body->center, mobile->center_rest), trvi_dvec3_from(motion->moved)),
        trvi_dquat_normalize(trvi_dquat_mul(trvi_dquat_from(motion->turned, none), before))};
}

// Nothing but gravity and the forces set for the step: the velocity changes evenly, so that the
// mean of its ends moves the body.
static landing land_freely(const trvi_step *step, const trvi_body *body, const trvi_mobile *mobile,
                           trvi_motion *motion)
{
    double h = (double)step->dt / step->substeps;
    double keep = 1.0 / (1.0 + h * (double)mobile->linear_damping);
    landing end = {with_rest(mobile->linear_velocity, mobile->linear_rest),
                   {0.0, 0.0, 0.0},
                   with_rest(body->center, mobile->center_rest),
                   {0.0, 0.0, 0.0, 1.0}};
    const trvi_dvec3 start = end.center;
    trvi_dvec3 acceleration =
        trvi_dscale(trvi_dvec3_from(step->world->gravity), (double)mobile->gravity_scale);
    acceleration =
        trvi_dmul_add(acceleration, trvi_dvec3_from(mobile->force), (double)mobile->inverse_mass);
    for (uint32_t s = 0; s < step->substeps; s++) {
        trvi_dvec3 before = end.linear;
        end.linear = trvi_dscale(trvi_dmul_add(before, acceleration, h), keep);
        end.center = trvi_dmul_add(end.center, trvi_dadd(before, end.linear), 0.5 * h);
    }
    trvi_dquat rotation = trvi_dquat_from(body->rotation, mobile->rotation_rest);
    trvi_turning turning = {trvi_dquat_normalize(rotation),
                            with_rest(mobile->angular_velocity, mobile->angular_rest)};
    trvi_turn_way way = {trvi_dvec3_from(mobile->torque), h, step->substeps};
    trvi_turn_freely(mobile, &turning, &way);
    end.angular = turning.spin;
    end.rotation = turning.rotation;
    motion->moved = trvi_vec3_from_double(trvi_dsub(end.center, start));
    motion->turned = round_quat(trvi_dquat_mul(end.rotation, trvi_dquat_conjugate(rotation)), NULL);
    return end;
}

// A body that leaves the range of coordinates, or that numbers too large have spoilt, stays where
// it was, at rest: the rest of the world goes on.
static bool is_sound(const landing *end, trv_vec3 position)
{
    double turn = end->rotation.x + end->rotation.y + end->rotation.z + end->rotation.w;
    return trvi_check_vec3(trvi_vec3_from_double(end->center)) == TRV_OK &&
           trvi_check_vec3(position) == TRV_OK &&
           trvi_check_vec3(trvi_vec3_from_double(end->linear)) == TRV_OK &&
           trvi_check_vec3(trvi_vec3_from_double(end->angular)) == TRV_OK &&
           trvi_is_finite((float)turn);
}

// What no point of the body has moved farther than: the way of its frame, and the chord of its
// turn; all of it after rounding, and with the rounding of the rotation itself.
static double travel_of(const trvi_body *body, const trvi_mobile *mobile, trv_vec3 to,
                        trv_quat turned)
{
    trvi_dvec3 way = trvi_dsub(trvi_dvec3_from(to), trvi_dvec3_from(body->position));
    double sine = trvi_dlength((trvi_dvec3){turned.x, turned.y, turned.z}); // of half the angle
    double reach = (double)body->extent + (double)trvi_length(mobile->local_center);
    return trvi_dlength(way) + (2.0 * sine + 1.0e-6) * 1.00001 * reach;
}

static void stop(trvi_mobile *mobile)
{
    const trv_vec3 none = {0.0f, 0.0f, 0.0f};
    mobile->linear_velocity = mobile->linear_rest = mobile->gain = none;
    mobile->angular_velocity = mobile->angular_rest = none;
}

static void store_body(const trvi_step *step, trvi_body *body, trvi_mobile *mobile,
                       trvi_motion *motion)
{
    bool free = body->kind == TRV_BODY_DYNAMIC && motion->touched == 0.0f && body->locks == 0;
    if (!free && is_pushed_by_rounding(step, body, motion)) {
        motion->moved = trvi_vec3(0.0f, 0.0f, 0.0f);
        motion->turned = trv_identity_quat();
    }
    landing end =
        free ? land_freely(step, body, mobile, motion) : land_as_moved(body, mobile, motion);
    trvi_drop_forces(mobile);
    trv_vec3 center_rest, center = round_vec3(end.center, &center_rest);
    trv_quat rotation_rest, rotation = round_quat(end.rotation, &rotation_rest);
    trv_vec3 position = trvi_sub(center, trvi_rotate(rotation, mobile->local_center));
    double travel = travel_of(body, mobile, position, motion->turned);
    if (!is_sound(&end, position) || !(travel < (double)TRV_COORD_MAX * 100.0)) {
        motion->odd = TRVI_UNSOUND;
        stop(mobile);
        return;
    }
    mobile->linear_velocity = round_vec3(end.linear, &mobile->linear_rest);
    mobile->angular_velocity = round_vec3(end.angular, &mobile->angular_rest);
    body->center = center;
    mobile->center_rest = center_rest;
    body->rotation = rotation;
    mobile->rotation_rest = rotation_rest;
    body->position = position;
    body->travelled += travel;
}

void trvi_motion_store(const trvi_step *step, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        trvi_body *body = &trvi_bodies(step->world)[step->bodies[i].body];
        trvi_mobile *mobile = trvi_own_mobile(step->world, body);
        if (step->bodies[i].top != TRVI_NONE)
            trvi_top_store(step, i);
        mend_way(step, i);
        mobile->gain = step->bodies[i].gain;
        store_body(step, body, mobile, &step->motions[i]);
        count_stillness(step->world, body, mobile, step->dt);
    }
}
