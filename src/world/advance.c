// How far bodies come at the pace that they have now: who is fast, and which pairs of them may pass
// through one another unseen.
//
// Each body's advance is worked out once for all its pairs, and anew whenever something has changed
// its pace. Invariant: within trvi_impacts_hold and trvi_impacts_run it is that of pace_of.
// `advances_changed` tells that one is not what trvi_advances_take has found.
#include "impact_data.h"

#include <string.h>

// What the body moves with: whatever was struck in this sub-step, with what the blow left.
static void pace_of(const trvi_step *step, uint32_t solver, trv_vec3 *linear, trv_vec3 *angular)
{
    const trvi_flight *flight = &((const trvi_flight *)step->world->flights.items)[solver];
    bool struck =
        flight->stamp == step->world->impact_stamp && (flight->flags & TRVI_FLIGHT_STRUCK);
    *linear = struck ? flight->speed : step->motions[solver].linear;
    *angular = struck ? flight->spin : step->motions[solver].angular;
}

// Is a way, or the part of it that comes of turning, much for a thickness, in a sub-step?
static bool goes_through(const trvi_step *step, float way, float thickness)
{
    return way > TRVI_SWEEP_THROUGH * thickness * step->dt * step->inverse_h;
}

static bool turns_far(const trvi_step *step, float swing, float thickness)
{
    return swing > TRVI_SWEEP_SHARE * thickness * step->dt * step->inverse_h;
}

// What does not move is seen as being very thick: only others are thin.
void trvi_advances_list(trv_world *world)
{
    trvi_advance *all = world->advances.items;
    const trvi_solver_body *solvers = world->solver_bodies.items;
    memset(&all[TRVI_UNMOVED], 0, sizeof *all);
    all[TRVI_UNMOVED].thickness = TRV_COORD_MAX;
    for (uint32_t i = 1; i <= world->awake.count; i++) {
        const trvi_body *body = &trvi_bodies(world)[solvers[i].body];
        all[i].extent = body->extent;
        all[i].thickness = body->thickness;
        all[i].discrete = (body->flags & TRVI_BODY_DISCRETE) != 0;
    }
}

static void renew(const trvi_step *step, uint32_t solver)
{
    trvi_advance *a = &trvi_advances(step)[solver];
    trv_vec3 angular;
    pace_of(step, solver, &a->linear, &angular);
    a->swing = fminf(trvi_length(angular) * step->dt, 2.0f) * a->extent;
    float way = trvi_length(a->linear) * step->dt + a->swing;
    a->seen = fminf(way, TRVI_SPECULATIVE_SHARE * a->extent);
    // Farther than contacts look ahead, or far for its thickness.
    a->fast = !a->discrete &&
              (way > TRVI_SPECULATIVE_SHARE * a->extent || goes_through(step, way, a->thickness) ||
               turns_far(step, a->swing, a->thickness));
}

void trvi_advance_renew(const trvi_step *step, uint32_t solver)
{
    step->world->advances_changed = true;
    renew(step, solver);
}

void trvi_advances_take(const trvi_step *step)
{
    step->world->advances_changed = false;
    trvi_for_solvers(step, renew);
}

bool trvi_is_fast(const trvi_step *step, uint32_t solver)
{
    return trvi_advances(step)[solver].fast;
}

bool trvi_are_swept(const trvi_step *step, uint32_t a, uint32_t b, float inside)
{
    const trvi_advance *of_a = &trvi_advances(step)[a], *of_b = &trvi_advances(step)[b];
    if (!of_a->fast && !of_b->fast)
        return false;
    float thinner = fminf(of_a->thickness, of_b->thickness);
    float swing = of_a->swing + of_b->swing, seen = of_a->seen + of_b->seen;
    inside = fminf(inside, 2.0f * thinner); // in thick ground it would still be deep for a thin one
    float way = trvi_length(trvi_sub(of_b->linear, of_a->linear)) * step->dt + swing;
    float deep = fminf(TRVI_SWEEP_SHARE * inside, TRVI_SWEEP_DEEP * thinner);
    return way > seen + deep || goes_through(step, way, inside) || turns_far(step, swing, thinner);
}
