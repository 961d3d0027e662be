// Bodies that wait where they are for the next sub-step: they had too many blows in this one, or meet again
// and again.
//
// Invariant: each waits once in a sub-step. Who waits gives up half of the speed between it and what it met,
// and what its weight would have given it, so that it need not wait for long.
#include "impact_data.h"

#include <string.h>

static trvi_symmetric inverse_inertia_now(const trvi_step *step, uint32_t solver)
{
    trvi_symmetric none = {0};
    if (step->motions[solver].pushable == 0.0f)
        return none;
    return trvi_inverse_inertia_turned(step, solver, trvi_flight_of(step, solver)->turned);
}

// Of one of the two that give up speed.
typedef struct yielder {
    float mass; // inverse, 1/kg
    trvi_symmetric inertia;
    trv_vec3 arm; // from its centre of mass to where the two push one another, m
} yielder;

// Both push one another at one place, so that their angular momentum stays: at the centre of mass of both.
static void find_arms(const trvi_step *step, const uint32_t solvers[2], yielder of[2])
{
    if (!(of[0].mass > 0.0f && of[1].mass > 0.0f))
        return; // what does not yield takes it all
    const trvi_body *bodies = trvi_bodies(step->world);
    trv_vec3 centers[2];
    for (int side = 0; side < 2; side++)
        centers[side] = trvi_add(bodies[step->bodies[solvers[side]].body].center,
                                 trvi_flight_of(step, solvers[side])->moved);
    trv_vec3 between = trvi_sub(centers[1], centers[0]);
    float share = of[0].mass / (of[0].mass + of[1].mass);
    of[0].arm = trvi_scale(between, share);
    of[1].arm = trvi_scale(between, share - 1.0f);
}

static trv_vec3 speed_of(const trvi_motion *motion, trv_vec3 arm)
{
    return trvi_add(motion->linear, trvi_cross(motion->angular, arm));
}

// No axis yields more than this, to a push and to a turn.
static float yield_to_push(const yielder *of, float turn)
{
    return of->mass + turn * trvi_dot(of->arm, of->arm);
}

static float yield_to_turn(const yielder *of)
{
    return of->inertia.xx + of->inertia.yy + of->inertia.zz;
}

static void take(const trvi_step *step, uint32_t solver, const yielder *of, trv_vec3 push,
                 trv_vec3 turn)
{
    if (!(of->mass > 0.0f))
        return;
    trvi_motion *motion = &step->motions[solver];
    push = trvi_unlocked(push, step->bodies[solver].locks);
    turn = trvi_add(turn, trvi_cross(of->arm, push));
    motion->linear = trvi_mul_add(motion->linear, push, of->mass);
    motion->angular = trvi_add(motion->angular, trvi_symmetric_mul(&of->inertia, turn));
    trvi_flight_of(step, solver)->spin = motion->angular;
    trvi_divert(step, solver);
    trvi_advance_renew(step, solver);
}

// To A, and the opposite to B.
static void exchange(const trvi_step *step, const trvi_pairing *pair, const yielder of[2],
                     trv_vec3 push, trv_vec3 turn)
{
    take(step, pair->a, &of[0], push, turn);
    take(step, pair->b, &of[1], trvi_negate(push), trvi_negate(turn));
}

// What waits gives up half of the speed between the two, and up to half of that of their spins, so
// that it does not wait for long: what is slow is not swept. By equal and opposite impulses, which
// take energy, as none is more than half of what would stop the axis that yields most.
void trvi_calm(const trvi_step *step, const trvi_pairing *pair)
{
    const uint32_t solvers[2] = {pair->a, pair->b};
    const trv_vec3 none = {0.0f, 0.0f, 0.0f};
    yielder of[2];
    memset(of, 0, sizeof of);
    for (int side = 0; side < 2; side++) {
        bool pushable = step->motions[solvers[side]].pushable != 0.0f;
        of[side].mass = pushable ? step->bodies[solvers[side]].inverse_mass : 0.0f;
        of[side].inertia = inverse_inertia_now(step, solvers[side]);
    }
    find_arms(step, solvers, of);
    const trvi_motion *a = &step->motions[pair->a], *b = &step->motions[pair->b];
    float turns[2] = {yield_to_turn(&of[0]), yield_to_turn(&of[1])};
    float turned = turns[0] + turns[1];
    float pushed = yield_to_push(&of[0], turns[0]) + yield_to_push(&of[1], turns[1]);
    trv_vec3 push = trvi_sub(speed_of(b, of[1].arm), speed_of(a, of[0].arm));
    push = trvi_scale(push, pushed > 0.0f ? 0.5f / pushed : 0.0f);
    exchange(step, pair, of, push, none);
    trv_vec3 turn = trvi_sub(b->angular, a->angular);
    turn = trvi_scale(turn, turned > 0.0f ? 0.5f / turned : 0.0f);
    exchange(step, pair, of, none, turn);
}

// Each body gets in once, and there is room for all.
void trvi_wait_from(const trvi_step *step, uint32_t solver, float time)
{
    trvi_array *waiting = &step->world->waiting;
    if (step->motions[solver].pushable == 0.0f || trvi_waits(step, solver))
        return;
    trvi_flight_wait(step, solver, time);
    trvi_divert(step, solver);
    ((uint32_t *)waiting->items)[waiting->count++] = solver;
}

void trvi_wait_both_from(const trvi_step *step, const trvi_pairing *pair, float time)
{
    trvi_wait_from(step, pair->a, time);
    trvi_wait_from(step, pair->b, time);
}
