// Impacts in a sub-step, in the order of their times.
//
// The solver finds speeds for whole sub-steps; what bounces in the middle of one, or is through a
// wall by its end, is not its business. Contacts with restitution that close in faster than the
// threshold are held back from it; they, and all contacts of bodies that move far for their
// thickness, are followed along the bodies' flights. The next meeting of all is taken from a heap,
// the blow is resolved at its own time, and the flights go on from there with new speeds, for which
// meetings are looked for anew. A body that a blow throws out of the broadphase box that its step
// was planned in asks the broadphase itself, in each sub-step and after blows near it.
//
// Invariant: of two swept bodies the way is proven free up to each blow, so that none passes. A
// body that has had MAX_BLOWS in one sub-step, or fewer in a crowd, waits for the next one where it
// is; so do two that were looked at too often and would still meet (impact_look.c). What a blow sends to
// where something sleeps waits there, with its speed, for the next step, in which both are awake.
//
// Based on: B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems" (1996), chapter 2.
#include "impact_data.h"

// After each blow all neighbours are looked at anew: with more than 128 of them that move there are fewer blows,
// of which so many looks come, but no fewer than LEAST_BLOWS. Small balls that fall fast have a hundred.
enum { MAX_BLOWS = 32, LEAST_BLOWS = 4, MAX_LOOKS = 4096 };

void trvi_impacts_init(trv_world *world)
{
    world->flights.stride = sizeof(trvi_flight);
    world->meetings.stride = sizeof(trvi_meeting);
    world->meeting_heap.stride = sizeof(uint32_t);
    trvi_bounces_init(world);
    world->held.stride = sizeof(uint32_t);
    world->waiting.stride = sizeof(uint32_t);
    world->diverted.stride = sizeof(uint32_t);
    world->strays.stride = sizeof(trvi_stray);
    world->strike.stride = sizeof(trvi_strike);
    world->knots.stride = sizeof(trvi_knot);
    world->advances.stride = sizeof(trvi_advance);
}

bool trvi_impacts_reserve(trv_world *world)
{
    const trv_allocator *allocator = &world->allocator;
    uint32_t bodies = world->awake.count + 1, all = world->active.count + bodies;
    if (!trvi_array_reserve(allocator, &world->flights, bodies) ||
        !trvi_array_reserve(allocator, &world->meetings, all) ||
        !trvi_array_reserve(allocator, &world->meeting_heap, all) || !trvi_bounces_reserve(world) ||
        !trvi_array_reserve(allocator, &world->held, world->active.count) ||
        !trvi_array_reserve(allocator, &world->waiting, bodies) ||
        !trvi_array_reserve(allocator, &world->diverted, bodies) ||
        !trvi_array_reserve(allocator, &world->strays, bodies) ||
        !trvi_array_reserve(allocator, &world->hits, world->active.count + bodies) ||
        !trvi_array_reserve(allocator, &world->knots, trvi_most_knots(world)) ||
        !trvi_array_reserve(allocator, &world->advances, bodies) ||
        !trvi_array_reserve(allocator, &world->strike, 1))
        return false;
    return true;
}

void trvi_impacts_list(trv_world *world)
{
    world->held.count = world->waiting.count = world->strays.count = 0;
    trvi_meetings_renew(world);
    trvi_bounces_list(world);
    trvi_advances_list(world);
    trvi_neighbors_list(world);
}

// What waits is calmed with all that the blow came from or went on to.
static void calm_struck(const trvi_step *step, const trvi_strike *strike)
{
    for (uint32_t i = 0; i < strike->contact_count; i++) {
        trvi_pairing pair = trvi_pairing_of(step->world, strike->contacts[i]);
        bool waits_a = pair.a != TRVI_UNMOVED && trvi_waits(step, pair.a);
        bool waits_b = pair.b != TRVI_UNMOVED && trvi_waits(step, pair.b);
        if (waits_a || waits_b)
            trvi_calm(step, &pair);
    }
    if (strike->met[0].pair.contact == TRVI_NONE)
        trvi_calm(step, &strike->met[0].pair);
}

static uint32_t most_blows_of(const trvi_step *step, uint32_t solver)
{
    uint32_t count, moving = 0;
    const trvi_neighbor *near = trvi_neighbors_of(step->world, solver, &count);
    for (uint32_t i = 0; i < count; i++)
        moving += near[i].other != TRVI_UNMOVED;
    if (moving <= MAX_LOOKS / MAX_BLOWS)
        return MAX_BLOWS;
    uint32_t most = MAX_LOOKS / moving;
    return most > LEAST_BLOWS ? most : LEAST_BLOWS;
}

static void after_blow(const trvi_step *step, trvi_strike *strike, float time)
{
    bool waits = false;
    for (uint32_t i = 0; i < strike->body_count; i++) {
        uint32_t solver = strike->bodies[i].solver;
        if (!(strike->bodies[i].inverse_mass > 0.0f))
            continue;
        trvi_flight *flight = trvi_flight_of(step, solver);
        if (++flight->blows >= most_blows_of(step, solver) && !trvi_waits(step, solver)) {
            trvi_flight_wait(step, solver, time);
            waits = true;
        }
        trvi_stray_follow(step, solver, time);
    }
    if (waits)
        calm_struck(step, strike);
    for (uint32_t i = 0; i < strike->body_count; i++)
        if (strike->bodies[i].inverse_mass > 0.0f)
            trvi_look_for_body(step, strike->bodies[i].solver, time, false);
    trvi_look_for_strays(step, time, false);
}

static trvi_pairing pairing_of_meeting(const trvi_step *step, uint32_t id)
{
    if (id < step->world->active.count)
        return trvi_pairing_of_active(step, id);
    return trvi_pairing_of_shapes(step, trvi_meetings(step)[id].shape_a,
                                  trvi_meetings(step)[id].shape_b);
}

static bool is_seam(const trvi_step *step, const trvi_met *met, float time)
{
    uint32_t contact = met->pair.contact;
    return contact != TRVI_NONE && trvi_is_seam(step, time, contact, &met->manifold);
}

static bool is_let_through(const trvi_step *step, const trvi_met *met)
{
    trvi_contact *contacts = trvi_contacts(step->world);
    return met->pair.contact != TRVI_NONE &&
           !trvi_pre_solve_blow(step->world, &contacts[met->pair.contact], &met->manifold);
}

// Sliding past: look on from `later`, along what the velocities say at a time.
static void look_on(const trvi_step *step, uint32_t id, const trvi_pairing *pair, float time,
                    float later)
{
    const uint32_t solvers[2] = {pair->a, pair->b};
    for (int side = 0; side < 2; side++)
        if (trvi_flight_commit(step, solvers[side], time)) {
            trvi_divert(step, solvers[side]);
            trvi_look_for_body(step, solvers[side], time, false);
        }
    if (id >= step->world->active.count)
        trvi_look_for_stray(step, id - step->world->active.count, later, true, NULL);
    else
        trvi_look_for(step, id, pair, later);
}

// Is one of the two asleep? It has no part in this step.
static bool has_sleeper(const trvi_step *step, const trvi_pairing *pair)
{
    const uint32_t solvers[2] = {pair->a, pair->b}, shapes[2] = {pair->shape_a, pair->shape_b};
    for (int side = 0; side < 2; side++)
        if (solvers[side] == TRVI_UNMOVED &&
            trvi_body_of_shape(step->world, shapes[side])->kind == TRV_BODY_DYNAMIC)
            return true;
    return false;
}

// Does the pair of a contact meet, too, at the same time?
static bool meets_too(const trvi_step *step, uint32_t id, float time, float reach, trvi_met *out)
{
    trvi_blow blow;
    *out = (trvi_met){.meeting = id, .pair = pairing_of_meeting(step, id)};
    trvi_meeting *meeting = trvi_meeting_of(step, id);
    if (meeting->let_through || has_sleeper(step, &out->pair) || !trvi_may_blow(step, &out->pair) ||
        !trvi_closes_at(step, &out->pair, time, meeting->blows, reach, &blow))
        return false;
    out->manifold = blow.manifold;
    out->closing = blow.closing;
    if (is_seam(step, out, time))
        return false;
    meeting->let_through = is_let_through(step, out);
    out->pair = pairing_of_meeting(step, id);
    return !meeting->let_through;
}

static bool is_met(const trvi_strike *strike, uint32_t id)
{
    for (uint32_t i = 0; i < strike->met_count; i++)
        if (strike->met[i].meeting == id)
            return true;
    return false;
}

// Adds the pair of a contact to those of the blow, where it meets, too, and there is room.
static void add_met(const trvi_step *step, uint32_t id, float time, float reach,
                    trvi_strike *strike)
{
    if (strike->met_count < TRVI_STRIKE_MET && !is_met(strike, id) &&
        meets_too(step, id, time, reach, &strike->met[strike->met_count]))
        strike->met_count++;
}

// All by which the same two bodies meet, or one of them what does not yield: one blow, as if they were
// one shape. Blows that others take are passed on one after the other.
static void gather(const trvi_step *step, float time, float reach, trvi_strike *strike)
{
    trvi_pairing pair = strike->met[0].pair;
    bool yields_a = step->motions[pair.a].pushable != 0.0f;
    bool yields_b = step->motions[pair.b].pushable != 0.0f;
    uint32_t body = yields_a ? pair.a : pair.b, other = yields_a ? pair.b : pair.a, count;
    const trvi_neighbor *near = trvi_neighbors_of(step->world, body, &count);
    for (uint32_t i = 0; i < count; i++)
        if (yields_a && yields_b ? near[i].other == other
                                 : step->motions[near[i].other].pushable == 0.0f)
            add_met(step, near[i].active, time, reach, strike);
}

// Is it known that they meet by then, and were they to bounce?
static bool is_due(const trvi_step *step, const trvi_neighbor *near, float time)
{
    const trvi_meeting *meeting = &trvi_meetings(step)[near->active];
    return near->bounces && meeting->stamp == step->world->impact_stamp &&
           meeting->place != TRVI_NONE && !meeting->loose && meeting->time <= time;
}

// What bounces off one of those who are struck, at the same time, and off these in turn: as if one by one, but
// with nobody first. Nothing that only this blow brings about is among them.
static void gather_at_once(const trvi_step *step, float time, float reach, trvi_strike *strike)
{
    float now = time + TRVI_AT_ONCE * step->h;
    for (uint32_t m = 0; m < strike->met_count; m++) {
        const uint32_t sides[2] = {strike->met[m].pair.a, strike->met[m].pair.b};
        for (int side = 0; side < 2; side++) {
            uint32_t count;
            if (step->motions[sides[side]].pushable == 0.0f)
                continue;
            const trvi_neighbor *near = trvi_neighbors_of(step->world, sides[side], &count);
            for (uint32_t i = 0; i < count; i++)
                if (is_due(step, &near[i], now))
                    add_met(step, near[i].active, time, reach, strike);
        }
    }
}

// Does it turn, after a blow, farther than `most` otherwise than as it began the step? Other corners than those
// that contacts know may come down then. Where it has all but stopped, those that were near as that began are the
// ones; but not where the contact has those of its end, which it was to turn to.
static bool swings_otherwise(const trvi_step *step, uint32_t solver, bool foreseen, float most)
{
    const trvi_flight *flight = trvi_flight_if_known(step, solver);
    if (flight == NULL || step->motions[solver].pushable == 0.0f)
        return false;
    const trvi_advance *a = &trvi_advances(step)[solver];
    float spin = trvi_length(trvi_sub(flight->spin, a->angular_begun));
    if (!foreseen)
        spin = trvi_smaller(spin, trvi_length(flight->spin));
    return spin * step->dt * a->extent > most;
}

// Does the solver have other points of a pair than those by which the two are going to touch after a blow? Where both
// move, hardly any get deeper for it, and in a crowd, where each strikes the next, all would be swept.
static bool is_misplaced(const trvi_step *step, const trvi_pairing *pair)
{
    bool both_move = pair->a != TRVI_UNMOVED && pair->b != TRVI_UNMOVED;
    if (both_move || trvi_has_ball(step->world, pair->contact))
        return false;
    bool foreseen = trvi_contacts(step->world)[pair->contact].travelled < 0.0;
    float most = TRVI_SWINGS * trvi_thinner_of(step, pair);
    return swings_otherwise(step, pair->a, foreseen, most) ||
           swings_otherwise(step, pair->b, foreseen, most);
}

// What has met, and does not bounce, stays together: by sweeps, for the rest of a step in which the solver
// does not see them, or sees them as they are not going to be.
static void follow_from_now(const trvi_step *step, const trvi_met *met)
{
    if (met->pair.contact == TRVI_NONE || (!met->pair.unseen && !is_misplaced(step, &met->pair)))
        return;
    trvi_meetings(step)[met->meeting].met = step->world->impact_step;
    trvi_advances(step)[met->pair.a].met = trvi_advances(step)[met->pair.b].met = true;
}

static void meet(const trvi_step *step, uint32_t id)
{
    trvi_strike *strike = step->world->strike.items;
    trvi_meeting *meeting = &trvi_meetings(step)[id];
    trvi_met *met = &strike->met[0];
    float time = meeting->time;
    trvi_blow blow;
    if (meeting->loose) {
        trvi_pairing pair = trvi_pairing_of_active(step, id);
        trvi_look_for(step, id, &pair, time);
        return;
    }
    strike->met_count = 1;
    *met = (trvi_met){.meeting = id, .pair = pairing_of_meeting(step, id)};
    bool blows = trvi_blow_at(step, &met->pair, time, meeting, &blow);
    if (blows) {
        met->manifold = blow.manifold;
        met->closing = blow.closing;
        if (is_seam(step, met, time)) { // as long as the other piece is what bears the body
            trvi_look_for(step, id, &met->pair, time + TRVI_LOOK_AGAIN * step->h);
            return;
        }
        meeting->let_through = is_let_through(step, met);
        met->pair = pairing_of_meeting(step, id);
    }
    if (meeting->let_through)
        return;
    if (!blows) {
        if (trvi_is_held_up(step, &met->pair, &blow.manifold, time))
            trvi_wait_both_from(step, &met->pair, time);
        else
            look_on(step, id, &met->pair, time,
                    trvi_glide_end(step, &met->pair, &blow.manifold, time));
        return;
    }
    if (has_sleeper(step, &met->pair)) { // a blow has sent the other there
        trvi_wait_both_from(step, &met->pair, time);
        return;
    }
    float reach = trvi_strike_reach(step->world, met);
    if (met->pair.contact != TRVI_NONE)
        gather(step, time, reach, strike);
    if (met->pair.restitution > 0.0f)
        gather_at_once(step, time, reach, strike);
    if (!trvi_strike_solve(step, time, blow.leave, strike)) { // it may be one a little later
        float later = time + trvi_short_while(step, &met->pair, met->manifold.normal, time);
        look_on(step, id, &met->pair, time, later);
        return;
    }
    for (uint32_t i = 0; i < strike->met_count; i++) {
        const trvi_met *with = &strike->met[i];
        trvi_meeting *of = &trvi_meetings(step)[with->meeting];
        of->blows++;
        of->corner = trvi_corner_of(&with->manifold);
        follow_from_now(step, with);
        trvi_tell_blow(step, strike, with);
    }
    after_blow(step, strike, time);
}

// After what was no blow.
static void look_for_diverted(const trvi_step *step, float from)
{
    trvi_strike *strike = step->world->strike.items;
    strike->body_count = 0;
    if (step->world->diverted.count > 0)
        trvi_look_for_strays(step, from, false);
}

void trvi_impacts_run(const trvi_step *step)
{
    trv_world *world = step->world;
    world->meeting_heap.count = world->knots.count = world->diverted.count = 0;
    ((trvi_strike *)world->strike.items)->body_count = 0;
    trvi_advances_take(step, true);
    trvi_look_for_all(step);
    // Each round takes a try of a meeting, so that the loop ends.
    while (world->meeting_heap.count > 0 || world->waiting.count > 0) {
        float time;
        if (world->waiting.count > 0) { // what is on its way to them sees them stay
            uint32_t solver = ((const uint32_t *)world->waiting.items)[--world->waiting.count];
            time = trvi_flight_of(step, solver)->start;
            trvi_look_for_body(step, solver, time, false);
        } else {
            uint32_t id = ((const uint32_t *)world->meeting_heap.items)[0];
            time = trvi_meetings(step)[id].time;
            trvi_meeting_drop(step, id);
            meet(step, id);
        }
        look_for_diverted(step, time);
    }
    for (uint32_t i = 1; i <= world->awake.count; i++)
        if (trvi_was_struck(step, i))
            trvi_flight_land(step, i);
}
