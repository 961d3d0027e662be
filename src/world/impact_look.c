// Looking for meetings: which of the pairs that may give each other a blow meet next, and when; as the
// sub-step begins, and for bodies whose way has changed.
//
// Most of those that blows send one another's way are sent elsewhere before they meet. So a pair that a
// plane keeps apart for a while is not swept before that while is over.
//
// Invariant: of what may meet each pair is either in the heap of meetings, at a time that is no later than it
// meets, or known not to meet as both go now. Two that were looked at MAX_TRIES times in a sub-step, and
// would still meet, wait.
#include "impact_data.h"

enum { MAX_TRIES = 64, MAX_PUT_OFF = 8 };

bool trvi_may_blow(const trvi_step *step, const trvi_pairing *pair)
{
    bool pushes =
        step->motions[pair->a].pushable != 0.0f || step->motions[pair->b].pushable != 0.0f;
    bool apart = pair->contact != TRVI_NONE &&
                 (trvi_contacts(step->world)[pair->contact].flags & TRVI_CONTACT_SENSOR);
    return pushes && !apart && (pair->restitution > 0.0f || trvi_is_swept(step, pair));
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
void trvi_look_for(const trvi_step *step, uint32_t id, const trvi_pairing *pair, float from)
{
    trvi_meeting *meeting = trvi_meeting_of(step, id);
    float time;
    meeting->loose = false;
    bool meets = !meeting->let_through && from < step->h && trvi_may_blow(step, pair);
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
        trvi_wait_both_from(step, pair, from);
        trvi_calm(step, pair);
        meets = false;
    }
    if (meets)
        trvi_meeting_expect(step, id, time);
    else
        trvi_meeting_drop(step, id);
}

trvi_pairing trvi_pairing_of_active(const trvi_step *step, uint32_t active)
{
    const trvi_entry *entries = step->world->active.items;
    trvi_pairing pair = trvi_pairing_of(step->world, entries[active].value);
    pair.unseen = trvi_is_unseen(step, active);
    pair.met = trvi_has_met_unforeseen(step, active);
    pair.held = trvi_is_held(step, active);
    return pair;
}

static void look_for_contact(const trvi_step *step, uint32_t active, float from)
{
    trvi_pairing pair = trvi_pairing_of_active(step, active);
    trvi_meeting_of(step, active)->put_off = 0;
    trvi_look_for(step, active, &pair, from);
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

void trvi_look_for_body(const trvi_step *step, uint32_t solver, float from, bool once)
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

void trvi_look_for_stray(const trvi_step *step, uint32_t solver, float from, bool tries,
                         const trvi_stray_list *near)
{
    uint32_t id = trvi_stray_meeting(step, solver);
    trvi_meeting *meeting = trvi_meeting_of(step, id);
    bool meets = trvi_stray_meets(step, solver, from, near, meeting);
    if (tries && meets && meeting->tries++ >= MAX_TRIES) {
        trvi_wait_from(step, solver, from);
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
        trvi_look_for_stray(step, solver, from, trvi_is_struck(strike, solver),
                            step->world->advances_changed ? NULL : &strike->near[k]);
    }
    return i;
}

void trvi_look_for_strays(const trvi_step *step, float from, bool all)
{
    trvi_strays_choose(step, from, all);
    for (uint32_t i = 0; i < step->world->strays.count;)
        i = look_for_some_strays(step, i, from);
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

void trvi_look_for_all(const trvi_step *step)
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
        else
            trvi_flight_recall(step, i);
        if (world->advances_changed || advance->meets)
            trvi_look_for_body(step, i, 0.0f, true);
    }
    trvi_look_for_strays(step, 0.0f, true);
}
