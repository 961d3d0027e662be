// Impacts within a sub-step: where bodies are at any time of it, and what a blow does to them.
//
// Bodies fly along parabolas, or straight on where something has pushed them in the sub-step, and
// turn evenly to where their spin takes them. What may bounce, or pass through something, is
// followed to the times at which it meets others; there the blow is resolved, hard, and the flights
// go on with the speeds after it for the rest of the sub-step.
#ifndef TRVI_IMPACT_DATA_H
#define TRVI_IMPACT_DATA_H

#include "solver_data.h"

enum {
    TRVI_STRIKE_CONTACTS = 128, // that a blow goes on through at once, at most
    TRVI_STRIKE_BODIES = TRVI_STRIKE_CONTACTS + 2,
    TRVI_STRIKE_POINTS = 128, // that all of these have, at most
    TRVI_STRIKE_MET = 16,     // that meet in one blow
    TRVI_STRAY_LISTS = 64,    // of what is near a stray's way, that are made at once
    TRVI_STRAY_NEAR = 24      // in each, at most
};

enum {
    TRVI_FLIGHT_STRUCK = 1,
    TRVI_FLIGHT_WAITS = 2,
    TRVI_FLIGHT_KEEPS_AXIS = 4, // turns about its spin, which stays what it is
    TRVI_FLIGHT_DIVERTED = 8    // is in `diverted`
};

enum { TRVI_FLIGHT_KNOTS = 40 }; // that are remembered of one flight, at most

// Where a flight was bent: the end of a piece of it.
typedef struct trvi_knot {
    uint32_t next;   // or TRVI_NONE
    float time;      // s since the beginning of the sub-step
    trv_vec3 moved;  // as in trvi_motion
    trv_quat turned; //
    trv_vec3 turn;   // rotation vector of the piece
} trvi_knot;

// A body's way through the sub-step, from its last blow on.
typedef struct trvi_flight {
    uint32_t stamp;   // of the sub-step that the rest is of, but for:
    uint32_t strayed; // of the step in which the body last left its broadphase box
    uint32_t flags;
    uint32_t blows; // in this sub-step
    uint32_t first_knot, last_knot, knots;
    float start;     // s since the beginning of the sub-step
    trv_vec3 moved;  // at the start; as in trvi_motion
    trv_quat turned; //
    trv_vec3 speed;  // at the start, m/s; zero while the body waits
    trv_vec3 acceleration;
    trv_vec3 spin; // at the start, rad/s
    trv_vec3 rate; // the even turn that leads to the same end; for round bodies the spin
    float bent;    // no point of it is farther from where it would be by the flight's first plan, m
} trvi_flight;

// Two shapes on their flights.
typedef struct trvi_pairing {
    uint32_t shape_a, shape_b;
    uint32_t a, b;    // solver bodies; TRVI_UNMOVED for what rests or sleeps
    uint32_t contact; // or TRVI_NONE
    float friction, restitution;
    bool unseen; // the solver has no contact of it in this step
    bool met;    // they have met in it in a way that the solver does not know
    bool held;   // it left its contact of them to impacts as the sub-step began
} trvi_pairing;

// When two shapes meet next.
typedef struct trvi_meeting {
    float time;       // s since the beginning of the sub-step
    bool loose;       // they are not looked for yet: it is only known that they do not meet before
    uint32_t put_off; // how often that was so, one after the other
    uint32_t place;   // in the heap, or TRVI_NONE
    uint32_t lane;    // of an active contact: block * TRVI_BLOCK_LANES + lane, or TRVI_NONE
    uint32_t stamp;   // of the sub-step in which it was looked for last
    uint32_t tries;   // searches in this sub-step
    uint32_t blows;   // in this sub-step
    uint32_t corner;  // of the last one: the feature of its nearest point
    bool let_through; // the caller wants no blow of it in this sub-step
    float room;       // while both flights are bent by no more, nothing comes of it, m
    uint32_t met;     // the last step in which they met in a way that the solver did not know
    uint32_t shape_a, shape_b; // of a stray
} trvi_meeting;

// One of the bodies that a blow reaches.
typedef struct trvi_struck {
    uint32_t solver;
    float inverse_mass;
    uint32_t locks;                 // bits of trv_lock
    trvi_symmetric inverse_inertia; // world axes, now
    trv_vec3 linear, angular;       // now
    trv_vec3 linear_before, angular_before;
    bool passes_on; // the contacts by which it does are among those of the blow
} trvi_struck;

// One direction of a point: how its speed comes from those of the bodies, and what an impulse of 1 N s
// gives these. Of the four numbers the last is zero.
typedef struct trvi_strike_row {
    float along[TRVI_LANES];
    float turn_a[TRVI_LANES], turn_b[TRVI_LANES]; // arm x along
    float spin_a[TRVI_LANES], spin_b[TRVI_LANES]; // inverse inertia times that
} trvi_strike_row;

typedef struct trvi_strike_point {
    uint32_t a, b; // in `bodies`
    trv_vec3 arm_a, arm_b;
    trvi_strike_row rows[3]; // along the normal and two tangents
    float masses[3];
    float impulses[3];
    float wanted;  // normal speed after the blow, at least, m/s
    float closing; // before it
    float friction;
    float most; // impulse of friction, whatever the normal one, N s; or below 0
} trvi_strike_point;

// Two shapes that meet in a blow.
typedef struct trvi_met {
    uint32_t meeting;
    trvi_pairing pair;
    trv_manifold manifold;
    float closing;                // of the nearest points, m/s
    uint32_t first_point, points; // of the strike's
} trvi_met;

// A body that a blow has thrown out of the broadphase's boxes.
typedef struct trvi_stray {
    uint32_t solver;
    bool asked;   // it may meet others than when it was asked last
    trv_aabb way; // of all its shapes, with what they see, to the sub-step's end
} trvi_stray;

// What the broadphase has near a stray's way, with which it shares no contact: pairs of shapes, its
// own first, in the order in which they were found.
typedef struct trvi_stray_list {
    uint32_t stray; // its place among all
    uint32_t count;
    bool full; // there are more: they are not listed
    uint32_t shapes[TRVI_STRAY_NEAR][2];
} trvi_stray_list;

// A blow: the pair that it comes from, with all that meet at the same time for the same reason, and
// the contacts that pass it on without bouncing.
typedef struct trvi_strike {
    float time;
    uint32_t met_count;
    trvi_met met[TRVI_STRIKE_MET];
    uint32_t body_count, point_count, seed_points, contact_count;
    uint32_t most_contacts; // that this one may have
    trvi_struck bodies[TRVI_STRIKE_BODIES];
    trvi_strike_point points[TRVI_STRIKE_POINTS];
    uint32_t contacts[TRVI_STRIKE_CONTACTS];
    trvi_stray_list near[TRVI_STRAY_LISTS];
} trvi_strike;

// What a body comes to in the step at its pace.
typedef struct trvi_advance {
    float extent, thickness; // of the body
    trv_vec3 linear;         // m/s
    float swing;             // no point of it is moved more than this by its turning, m
    float seen;              // so far of its way do contacts look ahead, m
    float foresight; // it is not too deep anywhere while it is driven no farther than this, m
    float driven;    // beyond what was foreseen, by the sub-step's end, m
    trv_vec3 linear_begun, angular_begun; // the velocities that the step began with
    bool fast, discrete;
    bool met;    // it has met somebody in this step in a way that the solver does not know
    bool astray; // may meet what no contact has looked for
    // Of a fast one, as it was when all were looked at by all workers.
    bool stale;   // the solver has its inertia of another attitude
    bool meets;   // it may meet a neighbour
    bool covered; // the broadphase's boxes hold its way through the sub-step
} trvi_advance;

// One of those that a body may meet in the step.
typedef struct trvi_neighbor {
    uint32_t active;               // the contact
    uint32_t other;                // solver body
    float inside, thinner, budget; // as in trvi_sides
    bool bounces;
} trvi_neighbor;

// How a body drifts from a time of a sub-step on: what it has moved by since the step began, and
// goes on at, along a parabola; and what turning may add, from the step's beginning to the
// sub-step's end, m.
typedef struct trvi_drift {
    trv_vec3 moved, speed, bend;
    float swing;
} trvi_drift;

// How two shapes meet.
typedef struct trvi_blow {
    trv_manifold manifold;
    float closing; // of the nearest points, m/s
    float leave;   // what they have to part with, m/s
} trvi_blow;

static inline const trvi_body *trvi_body_of_shape(const trv_world *world, uint32_t shape)
{
    return &trvi_bodies(world)[trvi_shapes(world)[shape].body];
}

// Is one side of a contact a ball? Not of none.
static inline bool trvi_has_ball(const trv_world *world, uint32_t contact)
{
    if (contact == TRVI_NONE)
        return false;
    const trvi_contact *of = &trvi_contacts(world)[contact];
    return trvi_is_ball(world, of->shape_a) || trvi_is_ball(world, of->shape_b);
}

// Of the two, how thick the thinner one is, m.
static inline float trvi_thinner_of(const trvi_step *step, const trvi_pairing *pair)
{
    return trvi_smaller(trvi_body_of_shape(step->world, pair->shape_a)->thickness,
                        trvi_body_of_shape(step->world, pair->shape_b)->thickness);
}

// How much farther than the nearest point of two bodies others may be that are struck with it, m.
static inline float trvi_strike_face(const trvi_body *a, const trvi_body *b)
{
    return trvi_larger(TRVI_STRIKE_FACE * trvi_smaller(a->extent, b->extent),
                       TRVI_STRIKE_FACE_LEAST_M);
}

// TRVI_UNMOVED for what rests or sleeps.
static inline uint32_t trvi_awake_solver(const trvi_body *body)
{
    return (body->flags & TRVI_BODY_AWAKE) && trvi_body_moves(body) ? body->solver : TRVI_UNMOVED;
}

// Those of both bodies of an active contact.
static inline void trvi_solvers_of_active(const trv_world *world, uint32_t active,
                                          uint32_t solvers[2])
{
    const trvi_sides *sides = &trvi_sides_of_active(world)[active];
    solvers[0] = trvi_awake_solver(&trvi_bodies(world)[sides->body_a]);
    solvers[1] = trvi_awake_solver(&trvi_bodies(world)[sides->body_b]);
}

// neighbors.c
// Those of a solver body that moves: first those that contacts have points of, each part in canonical order.
const trvi_neighbor *trvi_neighbors_of(const trv_world *world, uint32_t solver, uint32_t *count);
// The first part alone: the solver has none of the others.
const trvi_neighbor *trvi_touching_neighbors_of(const trv_world *world, uint32_t solver,
                                                uint32_t *count);

// meet.c
trvi_pairing trvi_pairing_of(const trv_world *world, uint32_t contact);
bool trvi_waits(const trvi_step *step, uint32_t solver);
// See trvi_are_followed.
bool trvi_is_swept(const trvi_step *step, const trvi_pairing *pair);
// Asked of bodies without a flight, too, which get none by that.
trvi_drift trvi_drift_of(const trvi_step *step, uint32_t solver, float from);
// Two that cannot meet before they have moved as far as `budget` since the step began: what is left of
// that at the sub-step's end, m. They stay apart where it is more than nothing.
float trvi_drift_room(const trvi_step *step, const trvi_drift *a, const trvi_drift *b, float from,
                      float budget);
// The same of the balls about two that move.
float trvi_drift_past(const trvi_step *step, uint32_t a, const trvi_drift *of_a, uint32_t b,
                      const trvi_drift *of_b, float from);
// When the pair meets with a blow, or is to be asked again, from a time on; false: not in this
// sub-step. `touch`: it is known that they touch by then.
bool trvi_next_blow(const trvi_step *step, const trvi_pairing *pair, float from, bool touch,
                    float *time);
// Until when the pair, flying on from a time, does not come near enough for a blow, by a plane
// between them and how fast they go along it: a part of what a sweep costs. The sub-step's end where
// that holds up to there, with `room` left between them, m; `from` where it tells nothing. `touch` where
// it tells that they touch.
float trvi_apart_until(const trvi_step *step, const trvi_pairing *pair, float from, bool *touch,
                       float *room);
// The feature of the nearest point.
uint32_t trvi_corner_of(const trv_manifold *manifold);
// How they meet at a time, after what has been of their meeting in the sub-step, with all points that are struck
// with the nearest; false where they only pass, or are not within what a search comes short of.
bool trvi_blow_at(const trvi_step *step, const trvi_pairing *pair, float time,
                  const trvi_meeting *meeting, trvi_blow *blow);
// Does it close in by then, too, within `reach`? What it leaves with is not asked for.
bool trvi_closes_at(const trvi_step *step, const trvi_pairing *pair, float time, uint32_t blows,
                    float reach, trvi_blow *blow);

// A time in which no point of one comes nearer to the other's middle than by a part of what is
// inside them, as far as the normal goes: nobody is through the other by then.
float trvi_short_while(const trvi_step *step, const trvi_pairing *pair, trv_vec3 normal,
                       float from);
// Until when what came so near, but does not close in, may glide along within the margin unseen: to
// find each time how little it comes nearer would take more tries than there are.
float trvi_glide_end(const trvi_step *step, const trvi_pairing *pair, const trv_manifold *manifold,
                     float from);

// Does one of the two come nearer to where the other waits, as fast as that is going to go on: so that
// they do not close in? It has to wait, too.
bool trvi_is_held_up(const trvi_step *step, const trvi_pairing *pair, const trv_manifold *manifold,
                     float time);

static inline trvi_meeting *trvi_meetings(const trvi_step *step)
{
    return step->world->meetings.items;
}

// meetings.c
// A stamp for the step: what other steps have left of meetings and flights counts for nothing.
void trvi_meetings_renew(trv_world *world);
// As of this sub-step: nothing is known yet of one that nobody has asked for.
trvi_meeting *trvi_meeting_of(const trvi_step *step, uint32_t id);
// Is to come at a time; not to come.
void trvi_meeting_expect(const trvi_step *step, uint32_t id, float time);
void trvi_meeting_drop(const trvi_step *step, uint32_t id);
// As two bodies go now there is so much room between them up to the sub-step's end, m; have blows left any of
// what was kept, in this sub-step? What is used up comes not back, so that nobody has to take it off.
void trvi_meeting_keep_room(const trvi_step *step, uint32_t meeting, uint32_t a, uint32_t b,
                            float room);
bool trvi_meeting_has_room(const trvi_step *step, uint32_t meeting, uint32_t a, uint32_t b);

// A contact with restitution.
typedef struct trvi_bouncer {
    uint32_t active;
    uint32_t a, b;   // solver bodies; TRVI_UNMOVED for what rests or sleeps
    float threshold; // m/s
} trvi_bouncer;

// bounce.c
void trvi_bounces_init(trv_world *world);
bool trvi_bounces_reserve(trv_world *world);
void trvi_bounces_list(trv_world *world);
// trvi_bounce_threshold of the bodies whose shapes meet; less where only impacts can see to them.
float trvi_pairing_threshold(const trv_world *world, const trvi_pairing *pair);
// Puts those that may bounce before the sub-step's end, as bodies go now, into world->quick.
void trvi_bounces_find(const trvi_step *step);

// stray.c
// Do the broadphase's boxes hold the body on its way?
bool trvi_is_covered(const trv_world *world, const trvi_body *body, trv_pose start, trv_pose end,
                     float swing);
trvi_pairing trvi_pairing_of_shapes(const trvi_step *step, uint32_t a, uint32_t b);
// Where its shapes come from a time to the sub-step's end, with what they see.
trv_aabb trvi_stray_way(const trvi_step *step, uint32_t solver, float from);
static inline trvi_stray *trvi_strays(const trvi_step *step)
{
    return step->world->strays.items;
}
// Changes nothing but the stray that the list is of, and the list: for several at once.
void trvi_stray_list_near(const trvi_step *step, float from, trvi_stray_list *list);
// The next meeting, from a time on, with what the stray shares no contact with. `near` was listed
// for that time, and no way has changed since; or NULL.
bool trvi_stray_meets(const trvi_step *step, uint32_t solver, float from,
                      const trvi_stray_list *near, trvi_meeting *meeting);
// Do its boxes there hold its way from a time of the sub-step on?
bool trvi_stray_is_covered(const trvi_step *step, uint32_t solver, float time);
// Room in the broadphase for what is left of the step; a body that leaves its box is a stray from
// now on.
void trvi_stray_follow(const trvi_step *step, uint32_t solver, float time);

// stray_choice.c
// Is a solver body one of those that the blow has sent elsewhere? What does not yield is as it was.
bool trvi_is_struck(const trvi_strike *strike, uint32_t solver);
// It goes elsewhere, but not by a blow.
void trvi_divert(const trvi_step *step, uint32_t solver);
// Marks the strays that may meet others, from a time on, than when they were asked last: near whom the
// blow has struck, if there was one, and who was diverted; or all.
void trvi_strays_choose(const trvi_step *step, float from, bool all);

static inline uint32_t trvi_stray_meeting(const trvi_step *step, uint32_t solver)
{
    return step->world->active.count + solver;
}

// impact_wait.c
// Two that meet, of which one is to wait, give up half of what is between their speeds.
void trvi_calm(const trvi_step *step, const trvi_pairing *pair);
// A body that can be pushed waits from a time on, and whoever is on its way there is told: world->waiting.
void trvi_wait_from(const trvi_step *step, uint32_t solver, float time);
void trvi_wait_both_from(const trvi_step *step, const trvi_pairing *pair, float time);

// impact_look.c
bool trvi_may_blow(const trvi_step *step, const trvi_pairing *pair);
// Of an active contact, with what is known of it in this sub-step.
trvi_pairing trvi_pairing_of_active(const trvi_step *step, uint32_t active);
// All look from a time of the sub-step on. A pair, for its meeting `id`.
void trvi_look_for(const trvi_step *step, uint32_t id, const trvi_pairing *pair, float from);
// Those that neither bounce nor are swept meet nobody; nor do they any more, where they were to.
// `once`: only those that were not looked at in this sub-step.
void trvi_look_for_body(const trvi_step *step, uint32_t solver, float from, bool once);
// It is asked anew after blows that may send others its way; only those of its own are `tries`. `near`: see
// trvi_stray_meets.
void trvi_look_for_stray(const trvi_step *step, uint32_t solver, float from, bool tries,
                         const trvi_stray_list *near);
// Those that trvi_strays_choose marks.
void trvi_look_for_strays(const trvi_step *step, float from, bool all);
// As the sub-step begins.
void trvi_look_for_all(const trvi_step *step);

// leeway.c
// How deep two may get in one another before that is a blow, m; 0 where one does not yield, or the solver does
// not see them.
float trvi_leeway_of(const trvi_step *step, const trvi_pairing *pair);
// How much nearer may they come, as they go on from a time, and be no deeper in one another than that within a
// sub-step, m? Found along what the contact remembers; no more than nothing tells nothing.
float trvi_shallow_room(const trvi_step *step, const trvi_pairing *pair, float from);
// Are they no deeper along a normal? `depth`: if they are no deeper at the sub-step's end it is so all the same; 0
// where that cannot be said, m.
bool trvi_stays_shallow_along(const trvi_step *step, const trvi_pairing *pair, float from,
                              trv_vec3 normal, float *depth);

// flight.c
trvi_flight *trvi_flight_of(const trvi_step *step, uint32_t solver);
// NULL where nobody has asked for it in this sub-step: the body goes as its motion says.
static inline const trvi_flight *trvi_flight_if_known(const trvi_step *step, uint32_t solver)
{
    const trvi_flight *flight = &((const trvi_flight *)step->world->flights.items)[solver];
    return flight->stamp == step->world->impact_stamp ? flight : NULL;
}
// It is not known any more, and known again as it was: while nothing has changed the body's motion.
void trvi_flight_forget(const trvi_step *step, uint32_t solver);
void trvi_flight_recall(const trvi_step *step, uint32_t solver);
// The frame of a body that has moved, and turned, by so much since the step began.
trv_pose trvi_pose_moved(const trvi_step *step, const trvi_body *body, trv_vec3 moved,
                         trv_quat turned);
// Where the body is at a time of the sub-step; the second is the way alone.
void trvi_flight_at(const trvi_step *step, uint32_t solver, float time, trv_vec3 *moved,
                    trv_quat *turned);
trv_vec3 trvi_flight_way(const trvi_step *step, uint32_t solver, float time);
trv_pose trvi_flight_pose(const trvi_step *step, const trvi_body *body, uint32_t solver,
                          float time);
// Its motion from a time to the end of the sub-step, on the chord.
trv_motion trvi_flight_motion(const trvi_step *step, const trvi_body *body, uint32_t solver,
                              float from);
// The body's velocities at a time.
trv_vec3 trvi_flight_speed(const trvi_step *step, uint32_t solver, float time);
trv_vec3 trvi_flight_spin(const trvi_step *step, uint32_t solver, float time);
// Goes on from a time with these velocities.
void trvi_flight_turn(const trvi_step *step, uint32_t solver, float time, trv_vec3 linear,
                      trv_vec3 angular);
// A body that was not struck yet in the sub-step turns about its spin from now on: what is found on
// its way goes by its velocities, and its way ends there. False where that changes nothing.
bool trvi_flight_commit(const trvi_step *step, uint32_t solver, float time);
// Does it turn so fast that its way is not known before it is committed?
bool trvi_flight_is_whirling(const trvi_step *step, uint32_t solver);
// Stays where it is from a time to the end of the sub-step; its velocities stay, too.
void trvi_flight_wait(const trvi_step *step, uint32_t solver, float time);
// Hands the way that was gone to the body's motion, which is then not moved again.
void trvi_flight_land(const trvi_step *step, uint32_t solver);
// How many knots there may be in a sub-step; never what happens to fit, on which nothing may hang.
static inline uint32_t trvi_most_knots(const trv_world *world)
{
    return 2 * (world->awake.count + 1) + TRVI_FLIGHT_KNOTS;
}

// The first knot of the sub-step's flight; NULL where it was not bent.
const trvi_knot *trvi_flight_knots(const trvi_step *step, uint32_t solver);

// seam.c
// Would the contact with that manifold, met at a time of the sub-step, be no more than a seam?
bool trvi_is_seam(const trvi_step *step, float time, uint32_t contact,
                  const trv_manifold *manifold);

// neighbors.c: calls it for each solver body that moves, by all workers.
typedef void trvi_solver_fn(const trvi_step *step, uint32_t solver);
void trvi_for_solvers(const trvi_step *step, trvi_solver_fn *fn);

// advance.c
void trvi_advances_list(trv_world *world);
// Of one body whose pace has changed; of all, with what has driven them or without.
void trvi_advance_renew(const trvi_step *step, uint32_t solver);
void trvi_advances_take(const trvi_step *step, bool drives);
static inline trvi_advance *trvi_advances(const trvi_step *step)
{
    return step->world->advances.items;
}
// Are two solver bodies, with so much inside of both, followed on their ways? Those that may pass through
// one another, those that have met in this step in a way that the solver does not know, and, where that has no
// contact of the two, those that have been driven together.
bool trvi_are_followed(const trvi_step *step, uint32_t a, uint32_t b, float inside, bool unseen,
                       bool met);
// Does one of two dull bodies go the other's way, farther in the sub-step than it may be in that, where the solver
// has not seen it: as a blow has sent it since, or the pair was `held` back as the sub-step began? `contact`: of
// the two, or TRVI_NONE.
bool trvi_are_sent(const trvi_step *step, uint32_t a, uint32_t b, uint32_t contact, bool held);

// May a body and a neighbour pass, or enter, one another unseen?
bool trvi_is_neighbor_swept(const trvi_step *step, uint32_t solver, const trvi_neighbor *n);
// May it meet any of its neighbours, as far as bounces and paces tell?
bool trvi_meets_any(const trvi_step *step, uint32_t solver);

// Is any point of a lane left to impacts in the sub-step?
static inline bool trvi_is_held_back(const trvi_step *step, uint32_t lane)
{
    const trvi_block *block = &step->blocks[lane / TRVI_BLOCK_LANES];
    for (uint32_t p = 0; p < block->points; p++)
        if (block->point[p].held[lane % TRVI_BLOCK_LANES] > 0.0f)
            return true;
    return false;
}

// Was an active pair left to impacts as the sub-step began? By now they may be slower.
static inline bool trvi_is_held(const trvi_step *step, uint32_t active)
{
    uint32_t lane = trvi_meetings(step)[active].lane;
    return lane != TRVI_NONE && trvi_is_held_back(step, lane);
}

// The solver has no contact of an active pair in this step.
static inline bool trvi_is_unseen(const trvi_step *step, uint32_t active)
{
    return trvi_meetings(step)[active].lane == TRVI_NONE;
}
// They have met in this step in a way that the solver does not know.
static inline bool trvi_has_met_unforeseen(const trvi_step *step, uint32_t active)
{
    return trvi_meetings(step)[active].met == step->world->impact_step;
}

// blow_record.c
// Of one of those who met in the blow that was resolved.
void trvi_tell_blow(const trvi_step *step, const trvi_strike *strike, const trvi_met *met);

// strike.c
// Resolves the blow of those that strike->met holds, at the points of their manifolds; those of the
// first then part at `leave` (m/s) at least, or as restitution has it. False, with all as
// it was, where that would not change how they close in.
bool trvi_strike_solve(const trvi_step *step, float time, float leave, trvi_strike *strike);
// Only points this near together are struck at once: they touch by no more than the first of `met`.
float trvi_strike_reach(const trv_world *world, const trvi_met *first);

#endif
