// Bodies that wait where they are for the next sub-step: they had too many blows in this one, or meet again
// and again.
//
// Invariant: each waits once in a sub-step. Who waits gives up half of the speed between it and what it met,
// and what its weight would have given it, so that it need not wait for long.
#include "impact_data.h"

static trvi_symmetric inverse_inertia_now(const trvi_step *step, uint32_t solver)
{
    trvi_symmetric none = {0};
    if (step->motions[solver].pushable == 0.0f)
        return none;
    return trvi_inverse_inertia_turned(step, solver, trvi_flight_of(step, solver)->turned);
}

// What waits gives up half of the speed between the two, and up to half of that of their spins, so
// that it does not wait for long: what is slow is not swept. By equal and opposite impulses, which
// take energy: no axis yields more than the sum over three.
void trvi_calm(const trvi_step *step, const trvi_pairing *pair)
{
    const uint32_t solvers[2] = {pair->a, pair->b};
    float masses[2], mass = 0.0f, trace = 0.0f;
    trvi_symmetric inertias[2];
    for (int side = 0; side < 2; side++) {
        bool pushable = step->motions[solvers[side]].pushable != 0.0f;
        masses[side] = pushable ? step->bodies[solvers[side]].inverse_mass : 0.0f;
        inertias[side] = inverse_inertia_now(step, solvers[side]);
        mass += masses[side];
        trace += inertias[side].xx + inertias[side].yy + inertias[side].zz;
    }
    const trvi_motion *a = &step->motions[pair->a], *b = &step->motions[pair->b];
    trv_vec3 push = trvi_sub(b->linear, a->linear), turn = trvi_sub(b->angular, a->angular);
    push = trvi_scale(push, mass > 0.0f ? 0.5f / mass : 0.0f);
    turn = trvi_scale(turn, trace > 0.0f ? 0.5f / trace : 0.0f);
    for (int side = 0; side < 2; side++) {
        trvi_motion *motion = &step->motions[solvers[side]];
        float sense = side == 0 ? 1.0f : -1.0f;
        if (!(masses[side] > 0.0f))
            continue;
        trv_vec3 yields = trvi_unlocked(push, step->bodies[solvers[side]].locks);
        motion->linear = trvi_mul_add(motion->linear, yields, sense * masses[side]);
        motion->angular =
            trvi_mul_add(motion->angular, trvi_symmetric_mul(&inertias[side], turn), sense);
        trvi_flight_of(step, solvers[side])->spin = motion->angular;
        trvi_divert(step, solvers[side]);
        trvi_advance_renew(step, solvers[side]);
    }
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
