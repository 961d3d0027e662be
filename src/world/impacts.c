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
// Most of those that blows send one another's way are sent elsewhere before they meet. So a pair that a
// plane keeps apart for a while is not swept before that while is over.
//
// Invariant: of two swept bodies the way is proven free up to each blow, so that none passes. A
// body that has had MAX_BLOWS in one sub-step, or fewer in a crowd, waits for the next one where it
// is; so do two that were looked at MAX_TRIES times and would still meet. Who waits gives up half of
// the speed between it and what it met, and what its weight would have given it. What a blow sends to
// where something sleeps waits there, with its speed, for the next step, in which both are awake.
//
// Based on: B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems" (1996), chapter 2.
#include "impact_data.h"

// After each blow all neighbours are looked at anew: with more than 128 of them that move there are fewer blows,
// of which so many looks come, but no fewer than LEAST_BLOWS. Small balls that fall fast have a hundred.
enum { MAX_BLOWS = 32, LEAST_BLOWS = 4, MAX_LOOKS = 4096, MAX_TRIES = 64, MAX_PUT_OFF = 8 };

// Looking for meetings ----------------------------------------------------------------------------

static bool may_blow(const trvi_step *step, const trvi_pairing *pair)
{
    bool pushes =
        step->motions[pair->a].pushable != 0.0f || step->motions[pair->b].pushable != 0.0f;
    bool apart = pair->contact != TRVI_NONE &&
                 (trvi_contacts(step->world)[pair->contact].flags & TRVI_CONTACT_SENSOR);
    return pushes && !apart && (pair->restitution > 0.0f || trvi_is_swept(step, pair));
}

static trvi_symmetric inverse_inertia_now(const trvi_step *step, uint32_t solver)
{
    trvi_symmetric none = {0};
    if (step->motions[solver].pushable == 0.0f)
        return none;
    const trvi_body *body = &trvi_bodies(step->world)[step->bodies[solver].body];
    trv_quat rotation = trvi_quat_mul(trvi_flight_of(step, solver)->turned, body->rotation);
    return trvi_inverse_inertia_at(trvi_mobile_of(step->world, body), rotation,
                                   step->bodies[solver].locks);
}

// What waits gives up half of the speed between the two, and up to half of that of their spins, so
// that it does not wait for long: what is slow is not swept. By equal and opposite impulses, which
// take energy: no axis yields more than the sum over three.
static void calm(const trvi_step *step, const trvi_pairing *pair)
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
static void wait_from(const trvi_step *step, uint32_t solver, float time)
{
    trvi_array *waiting = &step->world->waiting;
    if (step->motions[solver].pushable == 0.0f || trvi_waits(step, solver))
        return;
    trvi_flight_wait(step, solver, time);
    trvi_divert(step, solver);
    ((uint32_t *)waiting->items)[waiting->count++] = solver;
}

static void wait_both_from(const trvi_step *step, const trvi_pairing *pair, float time)
{
    wait_from(step, pair->a, time);
    wait_from(step, pair->b, time);
}

// They do not meet for a while: they are looked for after that, or not at all.
static bool is_put_off(const trvi_step *step, uint32_t id, const trvi_pairing *pair, float from,
                       bool *touch)
{
    trvi_meeting *meeting = trvi_meeting_of(step, id);
    if (meeting->put_off++ >= MAX_PUT_OFF)
        return false;
    float room, until = trvi_apart_until(step, pair, from, touch, &room);
    if (!(until > from + TRVI_PUT_OFF * (step->h - from)))
        return false;
    meeting->loose = until < step->h;
    if (meeting->loose) {
        trvi_meeting_expect(step, id, until);
    } else {
        trvi_meeting_keep_room(step, id, pair->a, pair->b, room);
        trvi_meeting_drop(step, id);
    }
    return true;
}

// A pair that was looked at too often waits.
static void look_for(const trvi_step *step, uint32_t id, const trvi_pairing *pair, float from)
{
    trvi_meeting *meeting = trvi_meeting_of(step, id);
    float time;
    meeting->loose = false;
    bool meets = !meeting->let_through && from < step->h && may_blow(step, pair);
    bool touch = false;
    float room = meets ? trvi_shallow_room(step, pair, from) : 0.0f;
    if (room > 0.0f) {
        trvi_meeting_keep_room(step, id, pair->a, pair->b, room);
        meets = false;
    }
    if (meets && is_put_off(step, id, pair, from, &touch))
        return;
    meets = meets && trvi_next_blow(step, pair, from, touch, &time);
    if (meets && meeting->tries++ >= MAX_TRIES) {
        wait_both_from(step, pair, from);
        calm(step, pair);
        meets = false;
    }
    if (meets)
        trvi_meeting_expect(step, id, time);
    else
        trvi_meeting_drop(step, id);
}

static trvi_pairing pairing_of_active(const trvi_step *step, uint32_t active)
{
    const trvi_entry *entries = step->world->active.items;
    trvi_pairing pair = trvi_pairing_of(step->world, entries[active].value);
    pair.unseen = trvi_is_unseen(step, active);
    pair.met = trvi_has_met_unseen(step, active);
    pair.held = trvi_is_held(step, active);
    return pair;
}

static void look_for_contact(const trvi_step *step, uint32_t active, float from)
{
    trvi_pairing pair = pairing_of_active(step, active);
    trvi_meeting_of(step, active)->put_off = 0;
    look_for(step, active, &pair, from);
}

static bool meeting_is_known(const trvi_step *step, uint32_t active)
{
    return trvi_meetings(step)[active].stamp == step->world->impact_stamp;
}

// How much room is left between two that are too far off to be met in the sub-step, m, as far as that is
// known without looking at the pair; else no more than nothing.
static float room_beyond(const trvi_step *step, uint32_t solver, const trvi_drift *mine,
                         uint32_t other, float budget, float from)
{
    const trvi_drift its = trvi_drift_of(step, other, from);
    float room = 0.0f;
    if (budget > TRVI_SWEEP_MARGIN_M)
        room = trvi_drift_room(step, mine, &its, from, budget);
    if (!(room > 0.0f) && other != TRVI_UNMOVED)
        room = trvi_drift_past(step, solver, mine, other, &its, from);
    return room;
}

// Those that neither bounce nor are swept meet nobody; nor do they any more, where they were to.
// `once`: only those that were not looked at in this sub-step.
static void look_for_body(const trvi_step *step, uint32_t solver, float from, bool once)
{
    uint32_t count;
    const trvi_neighbor *near = trvi_neighbors_of(step->world, solver, &count);
    const trvi_drift mine = trvi_drift_of(step, solver, from);
    for (uint32_t i = 0; i < count; i++) {
        const trvi_neighbor *n = &near[i];
        bool looked = meeting_is_known(step, n->active);
        if (looked && (once || trvi_meeting_has_room(step, n->active, solver, n->other)))
            continue;
        bool may = n->bounces || trvi_is_neighbor_swept(step, solver, n);
        float room = may ? room_beyond(step, solver, &mine, n->other, n->budget, from) : 0.0f;
        if (may && !(room > 0.0f)) {
            look_for_contact(step, n->active, from);
            continue;
        }
        if (may)
            trvi_meeting_keep_room(step, n->active, solver, n->other, room);
        if (may || looked)
            trvi_meeting_drop(step, n->active);
    }
}

// It is asked anew after blows that may send others its way; only those of its own are `tries`.
static void look_for_stray(const trvi_step *step, uint32_t solver, float from, bool tries,
                           const trvi_stray_list *near)
{
    uint32_t id = trvi_stray_meeting(step, solver);
    trvi_meeting *meeting = trvi_meeting_of(step, id);
    bool meets = trvi_stray_meets(step, solver, from, near, meeting);
    if (tries && meets && meeting->tries++ >= MAX_TRIES) {
        wait_from(step, solver, from);
        meets = false;
    }
    if (meets)
        trvi_meeting_expect(step, id, meeting->time);
    else
        trvi_meeting_drop(step, id);
}

typedef struct strays_job {
    const trvi_step *step;
    float from;
} strays_job;

static void list_strays(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const strays_job *job = context;
    trvi_strike *strike = job->step->world->strike.items;
    for (uint32_t i = first; i < last; i++)
        trvi_stray_list_near(job->step, job->from, &strike->near[i]);
}

// As many of those that are chosen, from the first on, as there are lists; gives who comes after them. What
// is near them is listed by all workers first, which holds until a way changes.
static uint32_t look_for_some_strays(const trvi_step *step, uint32_t first, float from)
{
    trvi_strike *strike = step->world->strike.items;
    uint32_t i = first, count = 0;
    for (; i < step->world->strays.count && count < TRVI_STRAY_LISTS; i++)
        if (trvi_strays(step)[i].asked)
            strike->near[count++].stray = i;
    strays_job job = {step, from};
    trvi_parallel_for(&step->world->workers, count, 8, list_strays, &job);
    step->world->advances_changed = false;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t solver = trvi_strays(step)[strike->near[k].stray].solver;
        look_for_stray(step, solver, from, trvi_is_struck(strike, solver),
                       step->world->advances_changed ? NULL : &strike->near[k]);
    }
    return i;
}

static void look_for_strays(const trvi_step *step, float from, bool all)
{
    trvi_strays_choose(step, from, all);
    for (uint32_t i = 0; i < step->world->strays.count;)
        i = look_for_some_strays(step, i, from);
}

// The sub-step ------------------------------------------------------------------------------------

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

// Whether it is covered is found along its flight; but nobody knows that until it is asked for.
static void look_ahead(const trvi_step *step, uint32_t solver)
{
    trvi_advance *advance = &trvi_advances(step)[solver];
    if (!advance->fast && !advance->astray)
        return;
    advance->covered = trvi_stray_is_covered(step, solver, 0.0f);
    advance->meets = trvi_meets_any(step, solver);
    trvi_flight_forget(step, solver);
}

// One that may bounce, at the beginning of the sub-step.
static void look_for_quick(const trvi_step *step, uint32_t active)
{
    uint32_t solvers[2];
    if (!trvi_is_unseen(step, active) && !trvi_is_held(step, active)) // the solver sees to it
        return;
    trvi_solvers_of_active(step->world, active, solvers);
    int moves = solvers[0] == TRVI_UNMOVED;
    const trvi_drift mine = trvi_drift_of(step, solvers[moves], 0.0f);
    float budget = trvi_sides_of_active(step->world)[active].budget;
    if (!(room_beyond(step, solvers[moves], &mine, solvers[1 - moves], budget, 0.0f) > 0.0f))
        look_for_contact(step, active, 0.0f);
}

// What was swept as the sub-step began, and is not by now, was left out by the solver all the same.
static void look_for_held(const trvi_step *step)
{
    const uint32_t *held = step->world->held.items;
    const trvi_entry *entries = step->world->active.items;
    for (uint32_t i = 0; i < step->world->held.count; i++) {
        uint32_t active =
            step->blocks[held[i] / TRVI_BLOCK_LANES].active[held[i] % TRVI_BLOCK_LANES];
        bool dull = !(entries[active].extra & TRVI_ENTRY_BOUNCES);
        if (dull && !meeting_is_known(step, active))
            look_for_contact(step, active, 0.0f);
    }
}

static void look_for_all(const trvi_step *step)
{
    const trv_world *world = step->world;
    const uint32_t *quick = world->quick.items;
    trvi_for_solvers(step, look_ahead);
    trvi_bounces_find(step); // the solver has given others speed
    for (uint32_t i = 0; i < world->quick.count; i++)
        look_for_quick(step, quick[i]);
    look_for_held(step);
    for (uint32_t i = 1; i <= world->awake.count; i++) {
        const trvi_advance *advance = &trvi_advances(step)[i];
        if (!advance->fast && !advance->astray)
            continue;
        // Once a pace is another, what was found ahead may be, too.
        if (world->advances_changed || !advance->covered)
            trvi_stray_follow(step, i, 0.0f); // blows and pushes have sent it elsewhere
        else if (!world->advances_changed)
            trvi_flight_recall(step, i);
        if (world->advances_changed || advance->meets)
            look_for_body(step, i, 0.0f, true);
    }
    look_for_strays(step, 0.0f, true);
}

// What waits is calmed with all that the blow came from or went on to.
static void calm_struck(const trvi_step *step, const trvi_strike *strike)
{
    for (uint32_t i = 0; i < strike->contact_count; i++) {
        trvi_pairing pair = trvi_pairing_of(step->world, strike->contacts[i]);
        bool waits_a = pair.a != TRVI_UNMOVED && trvi_waits(step, pair.a);
        bool waits_b = pair.b != TRVI_UNMOVED && trvi_waits(step, pair.b);
        if (waits_a || waits_b)
            calm(step, &pair);
    }
    if (strike->met[0].pair.contact == TRVI_NONE)
        calm(step, &strike->met[0].pair);
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
            look_for_body(step, strike->bodies[i].solver, time, false);
    look_for_strays(step, time, false);
}

static trvi_pairing pairing_of_meeting(const trvi_step *step, uint32_t id)
{
    if (id < step->world->active.count)
        return pairing_of_active(step, id);
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
            look_for_body(step, solvers[side], time, false);
        }
    if (id >= step->world->active.count)
        look_for_stray(step, id - step->world->active.count, later, true, NULL);
    else
        look_for(step, id, pair, later);
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
    if (meeting->let_through || has_sleeper(step, &out->pair) || !may_blow(step, &out->pair) ||
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

// What has met, and does not bounce, stays together: by sweeps, for the rest of a step in which the solver
// does not see them.
static void follow_from_now(const trvi_step *step, const trvi_met *met)
{
    if (!met->pair.unseen || met->pair.contact == TRVI_NONE)
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
        trvi_pairing pair = pairing_of_active(step, id);
        look_for(step, id, &pair, time);
        return;
    }
    strike->met_count = 1;
    *met = (trvi_met){.meeting = id, .pair = pairing_of_meeting(step, id)};
    bool blows = trvi_blow_at(step, &met->pair, time, meeting->blows, &blow);
    if (blows) {
        met->manifold = blow.manifold;
        met->closing = blow.closing;
        if (is_seam(step, met, time)) { // as long as the other piece is what bears the body
            look_for(step, id, &met->pair, time + TRVI_LOOK_AGAIN * step->h);
            return;
        }
        meeting->let_through = is_let_through(step, met);
        met->pair = pairing_of_meeting(step, id);
    }
    if (meeting->let_through)
        return;
    if (!blows) {
        if (trvi_is_held_up(step, &met->pair, &blow.manifold, time))
            wait_both_from(step, &met->pair, time);
        else
            look_on(step, id, &met->pair, time,
                    trvi_glide_end(step, &met->pair, &blow.manifold, time));
        return;
    }
    if (has_sleeper(step, &met->pair)) { // a blow has sent the other there
        wait_both_from(step, &met->pair, time);
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
        trvi_meetings(step)[strike->met[i].meeting].blows++;
        follow_from_now(step, &strike->met[i]);
        trvi_tell_blow(step, strike, &strike->met[i]);
    }
    after_blow(step, strike, time);
}

// After what was no blow.
static void look_for_diverted(const trvi_step *step, float from)
{
    trvi_strike *strike = step->world->strike.items;
    strike->body_count = 0;
    if (step->world->diverted.count > 0)
        look_for_strays(step, from, false);
}

void trvi_impacts_run(const trvi_step *step)
{
    trv_world *world = step->world;
    world->meeting_heap.count = world->knots.count = world->diverted.count = 0;
    ((trvi_strike *)world->strike.items)->body_count = 0;
    trvi_advances_take(step, true);
    look_for_all(step);
    // Each round takes a try of a meeting, so that the loop ends.
    while (world->meeting_heap.count > 0 || world->waiting.count > 0) {
        float time;
        if (world->waiting.count > 0) { // what is on its way to them sees them stay
            uint32_t solver = ((const uint32_t *)world->waiting.items)[--world->waiting.count];
            time = trvi_flight_of(step, solver)->start;
            look_for_body(step, solver, time, false);
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
