// The guard: no body passes another in a sub-step.
//
// Everything else that stops bodies, the solver and impacts at their own times, is there to stop them
// well; this is there so that they are stopped for certain, whatever the rest has made of their ways.
// After the bodies have moved, the straight way of each that came far, from where it was at the end of
// the sub-step before, is asked whether it leads deeper into another body than it may: by half of the
// balls that lie inside the two. Who would goes back to where they met, and the speed at which they
// close in is taken there, or thrown back, as restitution has it. Stopped it may stand in the way of
// others, so that its pairs are asked anew, until no answer changes. What is moved by hand does not
// stop: it takes along whom it meets, and where that is stopped by something else, goes on alone.
//
// Why nothing passes: for one convex body to get through another, along any way, the depth by which they
// overlap has to grow to the sum of the radii of balls inside of both, R.
// - Of two bodies that came less far than a quarter of their balls in the sub-step, the depth grew by at most
//   R / 4: there the solver is the one to part them.
// - All other pairs end where their ways as they end were asked last: a pair is asked again whenever one of the
//   two ways changes; ways only ever get shorter, so this ends, at the latest with all ways zero. The
//   answer comes from a search that proves each bit of the way before it goes there, with rotation; where it
//   finds no proof it says that they meet. So the depth is R / 2 at most, or hardly more than it was.
// - No pair is left out: both bodies stayed in the boxes that the step's contacts were found by, or the
//   broadphase, which has been told of the ways, is asked.
// - Where bodies are is what the guard has left: trvi_motion_store takes it from there, but for the mending of
//   ways, by less than weight moves a body in a sub-step, which the next sub-step's way begins with.
// Left out are pairs that overlapped by nearly R already, that the caller lets through, or whose
// bodies are all swept only for the others' sake (discrete); and whom two things moved by hand squeeze.
//
// Based on: B. Mirtich, "Timewarp Rigid Body Simulation" (2000), for going back to the last time that
// was good; conservative advancement as in narrow/impact_step.c.
#include "impact_data.h"

#include <string.h>

// Of a body in one sub-step: beyond, it stays where it was, or yields to what would take it along.
enum { MOST_STOPS = 8, MOST_CARRIES = 4 };

// A body's way through the sub-step, in parts of which times are told: as it has flown until `stop`, and
// from `carry_from` to `carry_to` along with something else.
struct trvi_guard {
    trv_vec3 travel, turn;  // the chord of all of it
    const trvi_knot *knots; // where it is bent; NULL: it is the chord
    trv_vec3 net, net_turn; // from its beginning straight to where it ends now
    float swing;            // no point is moved by more than this by that turn, m
    float reach;         // no point has come farther since the step began, nor will on that way, m
    trv_vec3 end_moved;  // where it ends
    trv_quat end_turned; //
    trv_vec3 carry;      // m per sub-step
    float stop, carry_from, carry_to;
    uint8_t stops, carries;
    bool queued, changed, yields;
};

typedef struct trvi_guard guard;

static guard *guards(const trvi_step *step)
{
    return step->world->guards.items;
}

static const trvi_body *body_of(const trvi_step *step, uint32_t solver)
{
    return &trvi_bodies(step->world)[step->bodies[solver].body];
}

static const trvi_certified *certified(const trvi_step *step, uint32_t solver)
{
    return &((const trvi_certified *)step->world->certified.items)[solver];
}

void trvi_guard_init(trv_world *world)
{
    world->certified.stride = sizeof(trvi_certified);
    world->far_bodies.stride = sizeof(uint8_t);
    world->guards.stride = sizeof(guard);
    world->guard_queue.stride = sizeof(uint32_t);
}

bool trvi_guard_reserve(trv_world *world)
{
    const trv_allocator *allocator = &world->allocator;
    uint32_t bodies = world->awake.count + 1;
    if (!trvi_array_reserve(allocator, &world->certified, bodies) ||
        !trvi_array_reserve(allocator, &world->far_bodies, bodies) ||
        !trvi_array_reserve(allocator, &world->guards, bodies) ||
        !trvi_array_reserve(allocator, &world->guard_queue, bodies))
        return false;
    world->guard_strays = false;
    return true;
}

void trvi_guard_begin(const trvi_step *step, uint32_t solver)
{
    trvi_certified *from = &((trvi_certified *)step->world->certified.items)[solver];
    from->moved = step->motions[solver].moved;
    from->turned = step->motions[solver].turned;
}

// Twice the sine of half the angle between two attitudes: no point has moved by more than that times
// its distance from the centre.
static float chord_of_turn(trv_quat a, trv_quat b)
{
    trv_quat turn = trvi_quat_mul(a, trvi_quat_conjugate(b));
    return 2.0f * sqrtf(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
}

void trvi_guard_end(const trvi_step *step, uint32_t solver)
{
    const trvi_body *body = body_of(step, solver);
    const trvi_motion *motion = &step->motions[solver];
    const trvi_certified *from = certified(step, solver);
    float way = trvi_length(trvi_sub(motion->moved, from->moved)) +
                chord_of_turn(motion->turned, from->turned) * body->extent;
    bool swept = !(body->flags & TRVI_BODY_DISCRETE);
    // A turn by more than half of one ends near to where it began.
    float spin = trvi_length(motion->angular) * step->h;
    bool far = way > TRVI_GUARD_WAY * body->thickness ||
               (spin > 3.0f && spin * body->extent > TRVI_GUARD_WAY * body->thickness);
    ((uint8_t *)step->world->far_bodies.items)[solver] = swept && far;
}

// Ways ------------------------------------------------------------------------------------------------

// The rotation vector of the sub-step: of all that lead to the same end the one nearest to the spin's.
static trv_vec3 turn_between(trv_quat from, trv_quat to, trv_vec3 spin)
{
    trv_quat turn = trvi_quat_mul(to, trvi_quat_conjugate(from));
    if (turn.w < 0.0f)
        turn = (trv_quat){-turn.x, -turn.y, -turn.z, -turn.w};
    trv_vec3 axis = {turn.x, turn.y, turn.z};
    float sine = trvi_length(axis), whole = 6.28318530718f;
    if (!(sine > 0.0f))
        return axis;
    axis = trvi_scale(axis, 1.0f / sine);
    float square = sine * sine; // the series is exact to float32 up to .1
    float angle = sine < 0.1f ? 2.0f * sine * (1.0f + square * (1.0f / 6.0f + square * 0.075f))
                              : 2.0f * (float)trvi_dangle(sine, turn.w);
    float turns = floorf((trvi_dot(spin, axis) - angle) / whole + 0.5f);
    return trvi_scale(axis, angle + whole * fminf(fmaxf(turns, -64.0f), 64.0f));
}

static void measure(const trvi_step *step, uint32_t solver)
{
    const trv_quat none = {0.0f, 0.0f, 0.0f, 1.0f};
    const trvi_certified *from = certified(step, solver);
    guard *g = &guards(step)[solver];
    float extent = body_of(step, solver)->extent;
    g->swing = fminf(trvi_length(g->net_turn), 2.0f) * extent;
    g->reach = trvi_length(from->moved) + chord_of_turn(from->turned, none) * extent +
               trvi_length(g->net) + g->swing;
}

static void plan(const trvi_step *step, uint32_t solver)
{
    const trvi_motion *motion = &step->motions[solver];
    const trvi_certified *from = certified(step, solver);
    guard *g = &guards(step)[solver];
    memset(g, 0, sizeof *g);
    g->stop = g->carry_from = g->carry_to = 1.0f;
    g->travel = trvi_sub(motion->moved, from->moved);
    g->turn = turn_between(from->turned, motion->turned, trvi_scale(motion->angular, step->h));
    g->knots = trvi_flight_knots(step, solver);
    g->end_moved = motion->moved;
    g->end_turned = motion->turned;
    g->net = g->travel;
    g->net_turn = g->turn;
    measure(step, solver);
}

static const trvi_knot *next_knot(const trvi_step *step, const trvi_knot *knot)
{
    const trvi_knot *knots = step->world->knots.items;
    return knot->next == TRVI_NONE ? NULL : &knots[knot->next];
}

static float part_of(float time, float from, float to)
{
    return fminf(fmaxf(time, from), to) - from;
}

// A straight piece of the way.
typedef struct piece {
    float from, to;
    trv_vec3 moved, travel;
    trv_quat turned;
    trv_vec3 turn;
} piece;

// The piece in which a time lies.
static piece piece_at(const trvi_step *step, uint32_t solver, float time)
{
    const guard *g = &guards(step)[solver];
    const trvi_motion *motion = &step->motions[solver];
    const trvi_certified *from = certified(step, solver);
    piece p = {0.0f, 1.0f, from->moved, g->travel, from->turned, g->turn};
    for (const trvi_knot *k = g->knots; k != NULL; k = next_knot(step, k)) {
        float to = k->time * step->inverse_h;
        if (time < to) {
            p.to = to;
            p.travel = trvi_sub(k->moved, p.moved);
            p.turn = turn_between(p.turned, k->turned, k->turn);
            return p;
        }
        p.from = to;
        p.moved = k->moved;
        p.turned = k->turned;
    }
    if (g->knots == NULL)
        return p;
    trv_vec3 spin = trvi_scale(motion->angular, step->h * (1.0f - p.from));
    p.travel = trvi_sub(g->end_moved, p.moved);
    p.turn = turn_between(p.turned, g->end_turned, spin);
    return p;
}

static void place_at(const trvi_step *step, uint32_t solver, float time, trv_vec3 *moved,
                     trv_quat *turned)
{
    const guard *g = &guards(step)[solver];
    float until = fminf(time, g->stop);
    piece p = piece_at(step, solver, until);
    float part = p.to > p.from ? (until - p.from) / (p.to - p.from) : 1.0f;
    *moved = trvi_mul_add(p.moved, p.travel, part);
    *moved = trvi_mul_add(*moved, g->carry, part_of(time, g->carry_from, g->carry_to));
    *turned = trvi_quat_normalize(trvi_quat_mul(trvi_turn_by(p.turn, part), p.turned));
}

// How it turns between two times that no bend lies between.
static trv_vec3 turn_from(const trvi_step *step, uint32_t solver, float from, float to)
{
    const guard *g = &guards(step)[solver];
    piece p = piece_at(step, solver, from);
    float whole = p.to - p.from, part = fminf(to, g->stop) - fminf(from, g->stop);
    return trvi_scale(p.turn, whole > 0.0f ? part / whole : 0.0f);
}

static trv_motion motion_between(const trvi_step *step, const trvi_body *body, uint32_t solver,
                                 float from, float to)
{
    trv_motion motion = {
        trvi_body_frame(body), {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, body->local_center};
    if (solver == TRVI_UNMOVED)
        return motion;
    trv_vec3 moved, end;
    trv_quat turned, unused;
    place_at(step, solver, from, &moved, &turned);
    place_at(step, solver, to, &end, &unused);
    motion.pose.rotation = trvi_quat_normalize(trvi_quat_mul(turned, body->rotation));
    motion.pose.position = trvi_sub(trvi_add(body->center, moved),
                                    trvi_rotate(motion.pose.rotation, body->local_center));
    motion.travel = trvi_sub(end, moved);
    motion.turn = turn_from(step, solver, from, to);
    return motion;
}

enum { MOST_BENDS = 2 * (TRVI_FLIGHT_KNOTS + 3) + 2 };

static uint32_t add_bend(float *bends, uint32_t count, float time)
{
    uint32_t at = count;
    if (!(time > 0.0f) || !(time < 1.0f))
        return count;
    for (; bends[at - 1] > time; at--)
        bends[at] = bends[at - 1];
    bends[at] = time;
    return count + 1;
}

// Times at which the way of one of the two bends, from 0 to 1, in order.
static uint32_t list_bends(const trvi_step *step, const trvi_pairing *pair, float *bends)
{
    const uint32_t solvers[2] = {pair->a, pair->b};
    uint32_t count = 0;
    bends[count++] = 0.0f;
    for (int side = 0; side < 2; side++) {
        if (solvers[side] == TRVI_UNMOVED)
            continue;
        const guard *g = &guards(step)[solvers[side]];
        count = add_bend(bends, count, g->stop);
        count = add_bend(bends, count, g->carry_from);
        count = add_bend(bends, count, g->carry_to);
        for (const trvi_knot *k = g->knots; k != NULL; k = next_knot(step, k))
            if (k->time * step->inverse_h < g->stop)
                count = add_bend(bends, count, k->time * step->inverse_h);
    }
    bends[count] = 1.0f;
    return count;
}

// The motion from the beginning straight to the end.
static trv_motion straight_of(const trvi_step *step, const trvi_body *body, uint32_t solver)
{
    trv_motion motion = motion_between(step, body, solver, 0.0f, 0.0f);
    if (solver != TRVI_UNMOVED) {
        motion.travel = guards(step)[solver].net;
        motion.turn = guards(step)[solver].net_turn;
    }
    return motion;
}

// The broadphase's boxes have to hold what has left those that the step's contacts were found by.
static void cover(const trvi_step *step, uint32_t solver)
{
    trv_world *world = step->world;
    const trvi_body *body = body_of(step, solver);
    trv_motion way = straight_of(step, body, solver);
    trv_pose end = {trvi_add(way.pose.position, way.travel), way.pose.rotation};
    float swing = guards(step)[solver].swing;
    if (trvi_is_covered(world, body, way.pose, end, swing))
        return;
    world->guard_strays = true;
    trvi_body_place_between(world, step->bodies[solver].body, way.pose, end, swing);
}

static bool is_far(const trvi_step *step, uint32_t solver)
{
    return solver != TRVI_UNMOVED && ((const uint8_t *)step->world->far_bodies.items)[solver] != 0;
}

// Boxes that nobody has changed in the step hold the way that was foreseen.
static void cover_all(const trvi_step *step)
{
    for (uint32_t i = 1; i <= step->world->awake.count; i++) {
        const trvi_body *body = body_of(step, i);
        trv_vec3 moved = trvi_add(certified(step, i)->moved, guards(step)[i].net);
        bool within = guards(step)[i].reach <= body->covered + TRVI_SPECULATIVE_M;
        if (!within &&
            (step->world->guard_strays ||
             !trvi_is_foreseen(step->world, body, step->dt, moved, step->motions[i].turned)))
            cover(step, i);
    }
}

// Asking a pair ---------------------------------------------------------------------------------------

// How two bodies would pass one another.
typedef struct passage {
    float time; // of the sub-step: until then nobody is too deep
    trv_vec3 normal, point;
    trvi_pairing pair;
} passage;

static float inside_of(const trvi_step *step, const trvi_pairing *pair)
{
    const trvi_shape *a = &trvi_shapes(step->world)[pair->shape_a];
    const trvi_shape *b = &trvi_shapes(step->world)[pair->shape_b];
    float ra = trvi_bodies(step->world)[a->body].thickness;
    float rb = trvi_bodies(step->world)[b->body].thickness;
    return ra + fminf(rb, 1.0e3f * ra); // half-spaces have no end
}

// How deep they may get.
static float depth_of(const trvi_step *step, const trvi_pairing *pair)
{
    const trvi_shape *a = &trvi_shapes(step->world)[pair->shape_a];
    const trvi_shape *b = &trvi_shapes(step->world)[pair->shape_b];
    float ra = trvi_bodies(step->world)[a->body].thickness;
    float rb = trvi_bodies(step->world)[b->body].thickness;
    return TRVI_GUARD_DEPTH * fminf(ra + rb, TRVI_GUARD_THICK * fminf(ra, rb));
}

static void sweep(const trvi_step *step, const trvi_pairing *pair, float from, float to,
                  float margin, trv_impact_hit *hit)
{
    const trvi_shape *a = &trvi_shapes(step->world)[pair->shape_a];
    const trvi_shape *b = &trvi_shapes(step->world)[pair->shape_b];
    trv_motion motion_a =
        motion_between(step, &trvi_bodies(step->world)[a->body], pair->a, from, to);
    trv_motion motion_b =
        motion_between(step, &trvi_bodies(step->world)[b->body], pair->b, from, to);
    trvi_sweep(&a->solid, &motion_a, &b->solid, &motion_b, margin, hit);
}

// By how much they overlap when the sub-step begins, m; less than zero where they are apart.
static float depth_at_start(const trvi_step *step, const trvi_pairing *pair)
{
    const trvi_shape *a = &trvi_shapes(step->world)[pair->shape_a];
    const trvi_shape *b = &trvi_shapes(step->world)[pair->shape_b];
    const trvi_body *body_a = &trvi_bodies(step->world)[a->body];
    const trvi_body *body_b = &trvi_bodies(step->world)[b->body];
    trv_gap gap;
    trv_motion at_a = motion_between(step, body_a, pair->a, 0.0f, 0.0f);
    trv_motion at_b = motion_between(step, body_b, pair->b, 0.0f, 0.0f);
    if (trv_distance(&a->solid, at_a.pose, &b->solid, at_b.pose, &gap) != TRV_OK)
        return TRV_COORD_MAX;
    return -gap.distance;
}

// The first time at which they would be too deep; `depth` is what counts as that.
static bool gets_deep(const trvi_step *step, const trvi_pairing *pair, float *depth,
                      trv_impact_hit *hit, float *time)
{
    float bends[MOST_BENDS];
    uint32_t count = list_bends(step, pair, bends);
    for (uint32_t i = 0; i < count; i++) {
        sweep(step, pair, bends[i], bends[i + 1], -*depth, hit);
        if (i == 0 && hit->hit && hit->start) {
            float inside = inside_of(step, pair), begun = depth_at_start(step, pair);
            if (!(begun < TRVI_GUARD_LOST * inside))
                return false; // nobody knows any more on which side they were
            *depth = fmaxf(begun, *depth) + TRVI_GUARD_MORE * inside;
            sweep(step, pair, bends[i], bends[i + 1], -*depth, hit);
        }
        if (!hit->hit)
            continue;
        *time = bends[i] + hit->fraction * (bends[i + 1] - bends[i]);
        return true;
    }
    return false;
}

// Where they only touched, if they were apart before.
static void go_back_to_touch(const trvi_step *step, const trvi_pairing *pair, passage *out)
{
    float bends[MOST_BENDS];
    uint32_t count = list_bends(step, pair, bends);
    for (uint32_t i = 0; i < count && bends[i] < out->time; i++) {
        trv_impact_hit hit;
        sweep(step, pair, bends[i], bends[i + 1], TRVI_SWEEP_MARGIN_M, &hit);
        if (hit.hit && hit.start)
            return;
        if (!hit.hit)
            continue;
        out->time = fminf(out->time, bends[i] + hit.fraction * (bends[i + 1] - bends[i]));
        out->normal = hit.normal;
        out->point = hit.point;
        return;
    }
}

static bool is_let_through(const trvi_step *step, const passage *at)
{
    if (at->pair.contact == TRVI_NONE)
        return ((trvi_shapes(step->world)[at->pair.shape_a].flags |
                 trvi_shapes(step->world)[at->pair.shape_b].flags) &
                TRV_SHAPE_PRE_SOLVE) != 0;
    trvi_contact *contact = &trvi_contacts(step->world)[at->pair.contact];
    trv_manifold manifold;
    memset(&manifold, 0, sizeof manifold);
    manifold.count = 1;
    manifold.normal = at->normal;
    manifold.points[0].point = at->point;
    return !trvi_pre_solve_blow(step->world, contact, &manifold);
}

// How far the two came to one another at most.
static float way_between(const trvi_step *step, const trvi_pairing *pair)
{
    const uint32_t solvers[2] = {pair->a, pair->b};
    trv_vec3 relative = {0.0f, 0.0f, 0.0f};
    float more = 0.0f;
    for (int side = 0; side < 2; side++) {
        if (solvers[side] == TRVI_UNMOVED)
            continue;
        const guard *g = &guards(step)[solvers[side]];
        relative = trvi_sub(g->net, relative);
        more += g->swing;
    }
    return trvi_length(relative) + more;
}

// The motion budget of the contact's last test: too far apart for the ways since.
static bool is_out_of_reach(const trvi_step *step, const trvi_pairing *pair)
{
    if (pair->contact == TRVI_NONE)
        return false;
    const trvi_contact *contact = &trvi_contacts(step->world)[pair->contact];
    const uint32_t solvers[2] = {pair->a, pair->b};
    if (contact->answer == TRVI_CONTACT || !(contact->travelled >= 0.0))
        return false;
    double way = trvi_bodies(step->world)[contact->body_a].travelled +
                 trvi_bodies(step->world)[contact->body_b].travelled - contact->travelled;
    for (int side = 0; side < 2; side++)
        if (solvers[side] != TRVI_UNMOVED)
            way += (double)guards(step)[solvers[side]].reach;
    return 1.001 * way < (double)contact->plane.gap;
}

static bool is_pushable(const trvi_step *step, uint32_t solver)
{
    return step->motions[solver].pushable != 0.0f;
}

// What is to become of a body's way at a passage.
typedef enum guard_verdict {
    GUARD_LEAVE,
    GUARD_STOP,  // it ends there
    GUARD_DROP,  // it was being carried: no farther than there
    GUARD_CARRY, // it goes along with what is moved by hand
    GUARD_YIELD  // these squeeze it: it goes with none any more
} guard_verdict;

static guard_verdict judge(const trvi_step *step, uint32_t solver, uint32_t other, float time)
{
    const guard *g = &guards(step)[solver];
    if (!is_pushable(step, solver))
        return GUARD_LEAVE;
    if (other != TRVI_UNMOVED && !is_pushable(step, other))
        return g->carries == MOST_CARRIES ? GUARD_YIELD : GUARD_CARRY;
    if (time < g->stop)
        return GUARD_STOP;
    return time >= g->carry_from && time < g->carry_to ? GUARD_DROP : GUARD_LEAVE;
}

// Whom blows have sent to and fro: does the way from the beginning straight to the end lead through the
// other? Where it does not nobody is on the wrong side, however they got there.
static bool crosses_straight(const trvi_step *step, const trvi_pairing *pair, float depth)
{
    const trvi_shape *a = &trvi_shapes(step->world)[pair->shape_a];
    const trvi_shape *b = &trvi_shapes(step->world)[pair->shape_b];
    const uint32_t solvers[2] = {pair->a, pair->b};
    bool bent = false;
    for (int side = 0; side < 2; side++) {
        if (solvers[side] == TRVI_UNMOVED)
            continue;
        const guard *g = &guards(step)[solvers[side]];
        bent = bent || g->changed || g->knots != NULL;
    }
    if (!bent)
        return true;
    trv_motion motion_a = straight_of(step, &trvi_bodies(step->world)[a->body], pair->a);
    trv_motion motion_b = straight_of(step, &trvi_bodies(step->world)[b->body], pair->b);
    trv_impact_hit hit;
    trvi_sweep(&a->solid, &motion_a, &b->solid, &motion_b, -depth, &hit);
    return hit.hit;
}

static bool passes(const trvi_step *step, const trvi_pairing *pair, passage *out)
{
    bool push_a = is_pushable(step, pair->a), push_b = is_pushable(step, pair->b);
    if (!push_a && !push_b)
        return false;
    if (!(push_a && push_b) && (guards(step)[push_a ? pair->a : pair->b].yields) &&
        (push_a ? pair->b : pair->a) != TRVI_UNMOVED)
        return false;
    float depth = depth_of(step, pair);
    if (way_between(step, pair) <= 0.5f * depth || is_out_of_reach(step, pair) ||
        !crosses_straight(step, pair, depth))
        return false;
    trv_impact_hit hit;
    out->pair = *pair;
    if (!gets_deep(step, pair, &depth, &hit, &out->time))
        return false;
    out->normal = hit.normal;
    out->point = hit.point;
    go_back_to_touch(step, pair, out);
    return (judge(step, pair->a, pair->b, out->time) != GUARD_LEAVE ||
            judge(step, pair->b, pair->a, out->time) != GUARD_LEAVE) &&
           !is_let_through(step, out);
}

// The earliest passage of a body -------------------------------------------------------------------------

typedef struct guard_search {
    const trvi_step *step;
    uint32_t solver, shape; // the body's
    bool found;
    passage first;
    uint64_t key; // of two at the same time the smaller one comes first
} guard_search;

static void ask(guard_search *search, const trvi_pairing *pair)
{
    passage at;
    const trvi_step *step = search->step;
    uint32_t other = pair->a == search->solver ? pair->b : pair->a;
    bool far = is_far(step, other);
    if (!far && !is_far(step, search->solver))
        return;
    // Two that are as they were are asked once, for the sake of the first of them.
    if (far && other < search->solver && !guards(step)[other].changed &&
        !guards(step)[search->solver].changed)
        return;
    if (!passes(step, pair, &at))
        return;
    uint32_t pa = trvi_shapes(step->world)[pair->shape_a].proxy.index1;
    uint32_t pb = trvi_shapes(step->world)[pair->shape_b].proxy.index1;
    uint64_t key = pa < pb ? (uint64_t)pa << 32 | pb : (uint64_t)pb << 32 | pa;
    if (search->found &&
        (search->first.time < at.time || (search->first.time == at.time && search->key <= key)))
        return;
    search->found = true;
    search->first = at;
    search->key = key;
}

static bool visit_near_far(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    guard_search *search = context;
    const trv_world *world = search->step->world;
    uint32_t other = (uint32_t)user, body = trvi_shapes(world)[search->shape].body;
    uint32_t flags = trvi_shapes(world)[search->shape].flags | trvi_shapes(world)[other].flags;
    if ((flags & TRV_SHAPE_SENSOR) || trvi_shapes(world)[other].body == body ||
        trvi_share_contact(world, &trvi_bodies(world)[body], search->shape, other))
        return true;
    trvi_pairing pair = trvi_pairing_of_shapes(search->step, search->shape, other);
    ask(search, &pair);
    return true;
}

static bool find_passage(const trvi_step *step, uint32_t solver, guard_search *search)
{
    const trv_world *world = step->world;
    const trvi_body *body = body_of(step, solver);
    const uint32_t apart = TRVI_CONTACT_SENSOR | TRVI_CONTACT_BY_HAND;
    *search = (guard_search){.step = step, .solver = solver};
    for (uint32_t link = body->first_contact; link != TRVI_NONE;
         link = trvi_contacts(world)[link / 2].next[link % 2]) {
        uint32_t flags = trvi_contacts(world)[link / 2].flags;
        if (!(flags & TRVI_CONTACT_ACTIVE) || (flags & apart))
            continue;
        trvi_pairing pair = trvi_pairing_of(world, link / 2);
        ask(search, &pair);
    }
    if (!world->guard_strays)
        return search->found;
    trv_motion way = straight_of(step, body, solver);
    trv_pose end = {trvi_add(way.pose.position, way.travel), way.pose.rotation};
    float swing = fminf(trvi_length(way.turn), 2.0f) * body->extent;
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        search->shape = s;
        trv_broad_query_aabb(world->broad, trvi_shape_way(shape, way.pose, end, swing),
                             trvi_shape_filter(body, shape), visit_near_far, search);
    }
    return search->found;
}

// Stopping ---------------------------------------------------------------------------------------------

static void queue(const trvi_step *step, uint32_t solver)
{
    trvi_array *list = &step->world->guard_queue;
    guard *g = &guards(step)[solver];
    if (g->queued || solver == TRVI_UNMOVED)
        return;
    g->queued = true;
    ((uint32_t *)list->items)[list->count++] = solver;
}

static trv_vec3 center_at(const trvi_step *step, uint32_t solver, float time)
{
    trv_vec3 moved;
    trv_quat unused;
    place_at(step, solver, time, &moved, &unused);
    return trvi_add(body_of(step, solver)->center, moved);
}

// The way of a point that is fixed to a body, from a time to the end.
static trv_vec3 way_of_point(const trvi_step *step, uint32_t solver, float from, trv_vec3 point)
{
    const guard *g = &guards(step)[solver];
    trv_vec3 arm = trvi_sub(point, center_at(step, solver, from)); // it is moved by hand: no bends
    trv_vec3 turned = trvi_rotate(trvi_turn_by(g->turn, 1.0f - from), arm);
    return trvi_add(trvi_scale(g->travel, 1.0f - from), trvi_sub(turned, arm));
}

// The earlier end; at the last stop the beginning.
static float ended(guard *g, float time, float begin)
{
    return ++g->stops > MOST_STOPS ? begin : time;
}

// Goes along with what is moved by hand; with more than one, as each of them asks.
static void carry_on(const trvi_step *step, uint32_t solver, uint32_t other, const passage *at)
{
    guard *g = &guards(step)[solver];
    trv_vec3 speed = trvi_scale(way_of_point(step, other, at->time, at->point),
                                1.0f / fmaxf(1.0f - at->time, 1.0e-6f));
    if (g->carries++ == 0) {
        g->carry = speed;
        g->carry_from = at->time;
        g->carry_to = 1.0f;
    } else {
        float more = fabsf(trvi_dot(trvi_sub(speed, g->carry), at->normal));
        g->carry = trvi_mul_add(g->carry, at->normal, solver == at->pair.a ? -more : more);
        g->carry_from = fminf(g->carry_from, at->time);
    }
    ((uint8_t *)step->world->far_bodies.items)[solver] = 1; // now it may come far
}

// Where its way leads now.
static void measure_net(const trvi_step *step, uint32_t solver)
{
    guard *g = &guards(step)[solver];
    const trvi_certified *from = certified(step, solver);
    trv_vec3 moved;
    trv_quat turned;
    place_at(step, solver, 1.0f, &moved, &turned);
    g->net = trvi_sub(moved, from->moved);
    g->net_turn = turn_between(from->turned, turned, trvi_scale(g->turn, g->stop));
    measure(step, solver);
    cover(step, solver);
}

static void redirect(const trvi_step *step, uint32_t solver, uint32_t other, const passage *at)
{
    guard *g = &guards(step)[solver];
    guard_verdict verdict = judge(step, solver, other, at->time);
    if (verdict == GUARD_LEAVE)
        return;
    g->changed = true;
    if (verdict == GUARD_DROP)
        g->carry_to = ended(g, at->time, g->carry_from);
    if (verdict == GUARD_YIELD)
        g->yields = true;
    if ((verdict == GUARD_STOP || verdict == GUARD_CARRY) && at->time < g->stop)
        g->stop = ended(g, at->time, 0.0f);
    if (verdict == GUARD_CARRY)
        carry_on(step, solver, other, at);
    measure_net(step, solver);
}

typedef struct struck_side {
    trv_vec3 arm;
    float inverse_mass;
    trvi_symmetric inverse_inertia;
} struck_side;

static struck_side side_of(const trvi_step *step, uint32_t solver, const passage *at)
{
    struck_side side;
    memset(&side, 0, sizeof side);
    if (solver == TRVI_UNMOVED)
        return side;
    const trvi_body *body = body_of(step, solver);
    side.arm = trvi_sub(at->point, center_at(step, solver, at->time));
    if (!is_pushable(step, solver))
        return side;
    trv_quat rotation = motion_between(step, body, solver, at->time, at->time).pose.rotation;
    uint32_t turns = body->locks / TRV_LOCK_ANGULAR_X;
    side.inverse_mass = body->inverse_mass;
    side.inverse_inertia = turns != 0 ? trvi_free_inertia(body, rotation, turns)
                                      : trvi_turn_symmetric(rotation, &body->inverse_inertia);
    return side;
}

// Takes the speed at which they close in, or throws it back.
static void strike(const trvi_step *step, const passage *at)
{
    const uint32_t solvers[2] = {at->pair.a, at->pair.b};
    struck_side sides[2];
    trv_vec3 n = at->normal;
    float closing = 0.0f, yield = 0.0f;
    for (int i = 0; i < 2; i++) {
        const trvi_motion *motion = &step->motions[solvers[i]];
        uint32_t locks = solvers[i] == TRVI_UNMOVED ? 0 : step->bodies[solvers[i]].locks;
        sides[i] = side_of(step, solvers[i], at);
        trv_vec3 turn = trvi_cross(sides[i].arm, n);
        trv_vec3 speed = trvi_add(motion->linear, trvi_cross(motion->angular, sides[i].arm));
        closing += (i == 0 ? 1.0f : -1.0f) * trvi_dot(speed, n);
        yield += sides[i].inverse_mass * trvi_dot(trvi_unlocked(n, locks), n) +
                 trvi_dot(turn, trvi_symmetric_mul(&sides[i].inverse_inertia, turn));
    }
    if (!(closing > 0.0f) || !(yield > 0.0f))
        return;
    float bounce = closing > step->restitution_threshold ? at->pair.restitution : 0.0f;
    for (int i = 0; i < 2; i++) {
        float impulse = (i == 0 ? -1.0f : 1.0f) * (1.0f + bounce) * closing / yield;
        trvi_motion *motion = &step->motions[solvers[i]];
        if (!(sides[i].inverse_mass > 0.0f))
            continue;
        trv_vec3 along = trvi_unlocked(n, step->bodies[solvers[i]].locks);
        motion->linear = trvi_mul_add(motion->linear, along, impulse * sides[i].inverse_mass);
        trv_vec3 turn = trvi_cross(sides[i].arm, trvi_scale(n, impulse));
        motion->angular =
            trvi_add(motion->angular, trvi_symmetric_mul(&sides[i].inverse_inertia, turn));
    }
}

static void stop(const trvi_step *step, const passage *at)
{
    uint32_t a = at->pair.a, b = at->pair.b;
    redirect(step, a, b, at);
    redirect(step, b, a, at);
    strike(step, at);
    queue(step, a);
    queue(step, b);
}

static bool any_far(const trvi_step *step)
{
    const trv_world *world = step->world;
    return memchr((const uint8_t *)world->far_bodies.items + 1, 1, world->awake.count) != NULL;
}

void trvi_guard_run(const trvi_step *step)
{
    trv_world *world = step->world;
    if (world->awake.count == 0 || !any_far(step))
        return;
    world->guard_queue.count = 0;
    for (uint32_t i = 1; i <= world->awake.count; i++)
        plan(step, i);
    cover_all(step);
    for (uint32_t i = world->awake.count; i >= 1; i--)
        if (is_far(step, i))
            queue(step, i);
    while (world->guard_queue.count > 0) {
        guard_search search;
        uint32_t solver = ((uint32_t *)world->guard_queue.items)[--world->guard_queue.count];
        guards(step)[solver].queued = false;
        if (find_passage(step, solver, &search))
            stop(step, &search.first);
    }
    for (uint32_t i = 1; i <= world->awake.count; i++) {
        trvi_motion *motion = &step->motions[i];
        if (!guards(step)[i].changed)
            continue;
        place_at(step, i, 1.0f, &motion->moved, &motion->turned);
        motion->touched = 1.0f;
        step->bodies[i].mends = false;
    }
}
