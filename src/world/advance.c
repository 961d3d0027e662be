// How far bodies come at the pace that they have now: who is fast, and which pairs of them may pass
// through one another unseen.
//
// Where a blow or a push has driven a body beyond what contacts were looked for by, it may enter what
// the solver has no contact with: such pairs are swept, too. So are those that it has one with, but has
// not seen as they go now: a blow has sent them since, or they were left to impacts.
//
// Each body's advance is worked out once for all its pairs, and anew whenever something has changed
// its pace. Invariant: within trvi_impacts_hold and trvi_impacts_run it is that of pace_of.
// `advances_changed` tells that one is not what trvi_advances_take has found.
#include "impact_data.h"

#include <string.h>

bool trvi_was_struck(const trvi_step *step, uint32_t solver)
{
    const trvi_flight *flight = trvi_flight_if_known(step, solver);
    return flight != NULL && (flight->flags & TRVI_FLIGHT_STRUCK) != 0;
}

// What the body moves with: whatever was struck in this sub-step, with what the blow left. False where
// nothing has touched it since the step began.
static bool pace_of(const trvi_step *step, uint32_t solver, trv_vec3 *linear, trv_vec3 *angular)
{
    bool struck = trvi_was_struck(step, solver);
    const trvi_flight *flight = trvi_flight_if_known(step, solver);
    *linear = struck ? flight->speed : step->motions[solver].linear;
    *angular = struck ? flight->spin : step->motions[solver].angular;
    return struck || step->motions[solver].touched != 0.0f;
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

// How far a way, or a turn, is from all that contacts were looked for by: the step's at the velocity
// that it began with, and less of it, as the body may be stopped.
static float unforeseen(trv_vec3 way, trv_vec3 foreseen)
{
    float square = trvi_dot(foreseen, foreseen);
    float share = square > 0.0f ? trvi_dot(way, foreseen) / square : 0.0f;
    share = trvi_smaller(trvi_larger(share, 0.0f), 1.0f);
    return trvi_length(trvi_mul_add(way, foreseen, -share));
}

static float square_of(trv_vec3 v)
{
    return trvi_dot(v, v);
}

// By the sub-step's end; 0 for what hardly moves. Of its turn so far the chord.
static float driven_by(const trvi_step *step, uint32_t solver, const trvi_advance *a,
                       trv_vec3 angular)
{
    const trvi_motion *motion = &step->motions[solver];
    trv_vec3 way = trvi_mul_add(motion->moved, a->linear, step->h);
    trv_vec3 turn = {motion->turned.x, motion->turned.y, motion->turned.z};
    turn = trvi_scale(turn, motion->turned.w < 0.0f ? -2.0f : 2.0f);
    turn = trvi_mul_add(turn, angular, step->h);
    float little = 0.25f * a->foresight;
    if (square_of(way) <= little * little &&
        square_of(turn) * a->extent * a->extent <= little * little)
        return 0.0f;
    return unforeseen(way, trvi_scale(a->linear_begun, step->dt)) +
           trvi_smaller(unforeseen(turn, trvi_scale(a->angular_begun, step->dt)), 2.0f) * a->extent;
}

// What does not move is seen as being very thick: only others are thin.
void trvi_advances_list(trv_world *world)
{
    trvi_advance *all = world->advances.items;
    const trvi_solver_body *solvers = world->solver_bodies.items;
    memset(&all[TRVI_UNMOVED], 0, sizeof *all);
    all[TRVI_UNMOVED].thickness = all[TRVI_UNMOVED].foresight = TRV_COORD_MAX;
    for (uint32_t i = 1; i <= world->awake.count; i++) {
        const trvi_body *body = &trvi_bodies(world)[solvers[i].body];
        all[i].extent = body->extent;
        all[i].thickness = body->thickness;
        all[i].discrete = (body->flags & TRVI_BODY_DISCRETE) != 0;
        all[i].stale = all[i].met = false;
        all[i].foresight = trvi_least_sight(world, body) + TRVI_DRIVEN_DEEP * body->thickness;
        all[i].linear_begun = trvi_mobile_of(world, body)->linear_velocity;
        all[i].angular_begun = trvi_mobile_of(world, body)->angular_velocity;
    }
}

static void renew(const trvi_step *step, uint32_t solver, bool drives)
{
    trvi_advance *a = &trvi_advances(step)[solver];
    trv_vec3 angular;
    bool touched = pace_of(step, solver, &a->linear, &angular);
    a->swing = trvi_smaller(trvi_length(angular) * step->dt, 2.0f) * a->extent;
    float way = trvi_length(a->linear) * step->dt + a->swing;
    a->seen = trvi_smaller(way, TRVI_SPECULATIVE_SHARE * a->extent);
    // Farther than contacts look ahead, or far for its thickness.
    a->fast = !a->discrete &&
              (a->met || way > TRVI_SPECULATIVE_SHARE * a->extent ||
               goes_through(step, way, a->thickness) || turns_far(step, a->swing, a->thickness));
    a->driven = drives && touched && !a->discrete ? driven_by(step, solver, a, angular) : 0.0f;
    a->astray = a->driven > 0.5f * a->foresight;
}

static void renew_pace(const trvi_step *step, uint32_t solver)
{
    renew(step, solver, false);
}

static void renew_all(const trvi_step *step, uint32_t solver)
{
    renew(step, solver, true);
}

void trvi_advance_renew(const trvi_step *step, uint32_t solver)
{
    step->world->advances_changed = true;
    renew_all(step, solver);
}

void trvi_advances_take(const trvi_step *step, bool drives)
{
    step->world->advances_changed = false;
    trvi_for_solvers(step, drives ? renew_all : renew_pace);
}

// Have blows or pushes driven two solver bodies farther than contacts were looked for? Those that
// were not found then may meet now.
static bool are_driven(const trvi_step *step, uint32_t a, uint32_t b)
{
    const trvi_advance *of_a = &trvi_advances(step)[a], *of_b = &trvi_advances(step)[b];
    return (of_a->astray || of_b->astray) &&
           of_a->driven + of_b->driven > trvi_smaller(of_a->foresight, of_b->foresight);
}

// May two solver bodies, with so much inside of both, pass through one another unseen? They come
// nearer in the step by more than the margin within which contacts are looked for and a part of
// what is inside them, or go or turn by much for their thickness in a sub-step. Bodies that fly
// along together are not fast to one another.
static bool are_swept(const trvi_step *step, uint32_t a, uint32_t b, float inside)
{
    const trvi_advance *of_a = &trvi_advances(step)[a], *of_b = &trvi_advances(step)[b];
    if (!of_a->fast && !of_b->fast)
        return false;
    if (of_a->stale || of_b->stale) // the solver is not to have what they meet
        return true;
    float thinner = trvi_smaller(of_a->thickness, of_b->thickness);
    float swing = of_a->swing + of_b->swing, seen = of_a->seen + of_b->seen;
    // In thick ground it would still be deep for a thin one.
    inside = trvi_smaller(inside, 2.0f * thinner);
    float way = trvi_length(trvi_sub(of_b->linear, of_a->linear)) * step->dt + swing;
    float deep = trvi_smaller(TRVI_SWEEP_SHARE * inside, TRVI_SWEEP_DEEP * thinner);
    return way > seen + deep || goes_through(step, way, inside) || turns_far(step, swing, thinner);
}

bool trvi_are_followed(const trvi_step *step, uint32_t a, uint32_t b, float inside, bool unseen,
                       bool met)
{
    return met || are_swept(step, a, b, inside) || (unseen && are_driven(step, a, b));
}

// Were the two as deep in one another as the step began? What is crushed is past being kept apart.
static bool is_in(const trv_world *world, uint32_t contact, float depth)
{
    return contact != TRVI_NONE &&
           trvi_nearest_of(&trvi_contacts(world)[contact].manifold) < -depth;
}

bool trvi_are_sent(const trvi_step *step, uint32_t a, uint32_t b, uint32_t contact, bool held)
{
    float from = 0.0f;
    bool sent = held;
    const uint32_t solvers[2] = {a, b};
    for (int side = 0; side < 2; side++)
        if (trvi_was_struck(step, solvers[side])) {
            from = trvi_larger(from, trvi_flight_if_known(step, solvers[side])->start);
            sent = true;
        }
    if (!sent)
        return false;
    const trvi_advance *of_a = &trvi_advances(step)[a], *of_b = &trvi_advances(step)[b];
    float way = trvi_length(trvi_sub(of_b->linear, of_a->linear)) * (step->h - from);
    float thinner = trvi_smaller(of_a->thickness, of_b->thickness);
    float most = trvi_has_ball(step->world, contact) ? TRVI_STRIKE_SENDS_BALLS : TRVI_STRIKE_SENDS;
    return way > most * thinner && !is_in(step->world, contact, TRVI_JAM_SHALLOW * thinner);
}

bool trvi_is_neighbor_swept(const trvi_step *step, uint32_t solver, const trvi_neighbor *n)
{
    const trvi_entry *entries = step->world->active.items;
    return trvi_are_followed(step, solver, n->other, n->inside, trvi_is_unseen(step, n->active),
                             trvi_has_met_unforeseen(step, n->active)) ||
           (!n->bounces && trvi_are_sent(step, solver, n->other, entries[n->active].value,
                                         trvi_is_held(step, n->active)));
}

bool trvi_meets_any(const trvi_step *step, uint32_t solver)
{
    uint32_t count;
    const trvi_neighbor *near = trvi_neighbors_of(step->world, solver, &count);
    for (uint32_t i = 0; i < count; i++)
        if (near[i].bounces || trvi_is_neighbor_swept(step, solver, &near[i]))
            return true;
    return false;
}
