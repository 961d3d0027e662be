// The guard's view of a sub-step: the way of each body, and how two would pass one another.
#ifndef TRVI_GUARD_DATA_H
#define TRVI_GUARD_DATA_H

#include "impact_data.h"

enum {
    // Of one body in a sub-step, at most: by what is moved by hand; and stops, beyond which it stays
    // where it was, or with what took it along first.
    TRVI_GUARD_CARRIES = 4,
    TRVI_GUARD_STOPS = 8,
    TRVI_GUARD_BENDS = 2 * (TRVI_FLIGHT_KNOTS + 3) + 2 // of two ways, and their ends
};

// A body's way through the sub-step, in parts of which times are told: as it has flown until
// `stop`, and from `carry_from` to `carry_to` along with something else.
typedef struct trvi_guard {
    trv_vec3 travel, turn;  // the chord of all of it
    const trvi_knot *knots; // where it is bent; NULL: it is the chord
    trv_vec3 net, net_turn; // from its beginning straight to where it ends now
    float swing;            // no point is moved by more than this by that turn, m
    float reach;         // no point has come farther since the step began, nor will on that way, m
    trv_vec3 end_moved;  // where it ends
    trv_quat end_turned; //
    trv_vec3 carry, carry_turn; // m and rad per sub-step
    float stop, carry_from, carry_to;
    uint32_t carrier; // what is moved by hand that took it along first, while `carries` is not 0
    uint8_t stops, carries, boards;
    bool queued, changed, yields;
    bool quiet;    // with all ways as they were planned it passes nobody
    uint8_t cover; // TRVI_GUARD_WITHIN ...
} trvi_guard;

// How the broadphase's boxes hold a body's way.
enum {
    TRVI_GUARD_WITHIN,
    TRVI_GUARD_FORESEEN, // unless a box was changed in the step
    TRVI_GUARD_BEYOND    // they may not
};

// How two bodies would pass one another.
typedef struct trvi_passage {
    float time; // of the sub-step: until then nobody is too deep
    trv_vec3 normal, point;
    trvi_pairing pair;
} trvi_passage;

// What is to become of a body's way at a passage.
typedef enum trvi_verdict {
    TRVI_GUARD_LEAVE,
    TRVI_GUARD_STOP,  // it ends there
    TRVI_GUARD_DROP,  // it was being carried: no farther than there
    TRVI_GUARD_CARRY, // it goes along with what is moved by hand, or with what does so
    TRVI_GUARD_YIELD  // these squeeze it: it goes with none any more
} trvi_verdict;

static inline trvi_guard *trvi_guards(const trvi_step *step)
{
    return step->world->guards.items;
}

static inline const trvi_certified *trvi_certified_of(const trvi_step *step, uint32_t solver)
{
    return &((const trvi_certified *)step->world->certified.items)[solver];
}

static inline const trvi_body *trvi_guard_body(const trvi_step *step, uint32_t solver)
{
    return &trvi_bodies(step->world)[step->bodies[solver].body];
}

static inline bool trvi_guard_pushes(const trvi_step *step, uint32_t solver)
{
    return step->motions[solver].pushable != 0.0f;
}

// guard_way.c
void trvi_guard_plan(const trvi_step *step, uint32_t solver);
// After its way has changed.
void trvi_guard_renew(const trvi_step *step, uint32_t solver);
// How the boxes in which the step's contacts were found hold its way; and tells the broadphase of
// all that has left them.
void trvi_guard_look_for_cover(const trvi_step *step, uint32_t solver);
void trvi_guard_cover(const trvi_step *step);
// Where the body is at a time, in parts of the sub-step.
void trvi_guard_place(const trvi_step *step, uint32_t solver, float time, trv_vec3 *moved,
                      trv_quat *turned);
// Its motion between two times that no bend lies between; of what does not move, too.
trv_motion trvi_guard_motion(const trvi_step *step, const trvi_body *body, uint32_t solver,
                             float from, float to);
// The motion from the beginning straight to the end.
trv_motion trvi_guard_straight(const trvi_step *step, const trvi_body *body, uint32_t solver);
// Times at which the way of one of the two bends, from 0 to 1, in order; returns how many pieces
// there are.
uint32_t trvi_guard_bends(const trvi_step *step, const trvi_pairing *pair, float *bends);

// guard_pair.c
trvi_verdict trvi_guard_judge(const trvi_step *step, uint32_t solver, uint32_t other, float time);
// The first passage of a body by another; false where there is none.
bool trvi_guard_find(const trvi_step *step, uint32_t solver, trvi_passage *out);
// True where the ways alone say that there is none: changes nothing, and asks no caller.
bool trvi_guard_is_quiet(const trvi_step *step, uint32_t solver);

#endif
