// The ways of bodies through a sub-step, as the guard has them: as they were flown, with their
// bends, up to where they were stopped, or carried on.
//
// Invariant: the broadphase's boxes hold the way of each body, from its beginning straight to its
// end, that came far or had its way changed.
#include "guard_data.h"

#include <string.h>

void trvi_guard_init(trv_world *world)
{
    world->certified.stride = sizeof(trvi_certified);
    world->far_bodies.stride = sizeof(uint8_t);
    world->guards.stride = sizeof(trvi_guard);
    trvi_neighbors_init(world);
    world->guard_queue.stride = sizeof(uint32_t);
}

bool trvi_guard_reserve(trv_world *world)
{
    const trv_allocator *allocator = &world->allocator;
    uint32_t bodies = world->awake.count + 1;
    if (!trvi_array_reserve(allocator, &world->certified, bodies) ||
        !trvi_array_reserve(allocator, &world->far_bodies, bodies) ||
        !trvi_array_reserve(allocator, &world->guards, bodies) ||
        !trvi_array_reserve(allocator, &world->guard_queue, bodies) ||
        !trvi_neighbors_reserve(world))
        return false;
    world->guard_strays = false;
    return true;
}

// The rotation vector of the sub-step: of all that lead to the same end the one nearest to the
// spin's.
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
    return trvi_scale(axis, angle + whole * trvi_smaller(trvi_larger(turns, -64.0f), 64.0f));
}

static void measure(const trvi_step *step, uint32_t solver)
{
    const trv_quat none = {0.0f, 0.0f, 0.0f, 1.0f};
    const trvi_certified *from = trvi_certified_of(step, solver);
    trvi_guard *g = &trvi_guards(step)[solver];
    float extent = trvi_guard_body(step, solver)->extent;
    g->swing = trvi_smaller(trvi_length(g->net_turn), 2.0f) * extent;
    g->reach = trvi_length(from->moved) + trvi_chord_of_turn(from->turned, none) * extent +
               trvi_length(g->net) + g->swing;
}

void trvi_guard_plan(const trvi_step *step, uint32_t solver)
{
    const trvi_motion *motion = &step->motions[solver];
    const trvi_certified *from = trvi_certified_of(step, solver);
    trvi_guard *g = &trvi_guards(step)[solver];
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
    return trvi_smaller(trvi_larger(time, from), to) - from;
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
    const trvi_guard *g = &trvi_guards(step)[solver];
    const trvi_motion *motion = &step->motions[solver];
    const trvi_certified *from = trvi_certified_of(step, solver);
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

void trvi_guard_place(const trvi_step *step, uint32_t solver, float time, trv_vec3 *moved,
                      trv_quat *turned)
{
    const trvi_guard *g = &trvi_guards(step)[solver];
    float until = trvi_smaller(time, g->stop);
    piece p = piece_at(step, solver, until);
    float part = p.to > p.from ? (until - p.from) / (p.to - p.from) : 1.0f;
    *moved = trvi_mul_add(p.moved, p.travel, part);
    float carried = part_of(time, g->carry_from, g->carry_to);
    *moved = trvi_mul_add(*moved, g->carry, carried);
    *turned = trvi_quat_mul(trvi_turn_by(p.turn, part), p.turned);
    if (g->carries > 0)
        *turned = trvi_quat_mul(trvi_turn_by(g->carry_turn, carried), *turned);
    *turned = trvi_quat_normalize(*turned);
}

// How it turns between two times that no bend lies between.
static trv_vec3 turn_from(const trvi_step *step, uint32_t solver, float from, float to)
{
    const trvi_guard *g = &trvi_guards(step)[solver];
    piece p = piece_at(step, solver, from);
    float whole = p.to - p.from, part = trvi_smaller(to, g->stop) - trvi_smaller(from, g->stop);
    trv_vec3 own = trvi_scale(p.turn, whole > 0.0f ? part / whole : 0.0f);
    if (g->carries == 0)
        return own;
    float carried =
        part_of(to, g->carry_from, g->carry_to) - part_of(from, g->carry_from, g->carry_to);
    return trvi_mul_add(own, g->carry_turn, carried);
}

// A motion that has not begun yet.
static trv_motion motion_from(const trvi_step *step, const trvi_body *body, trv_pose pose)
{
    return (trv_motion){pose,
                        {0.0f, 0.0f, 0.0f},
                        {0.0f, 0.0f, 0.0f},
                        trvi_mobile_of(step->world, body)->local_center};
}

trv_motion trvi_guard_motion(const trvi_step *step, const trvi_body *body, uint32_t solver,
                             float from, float to)
{
    if (solver == TRVI_UNMOVED)
        return motion_from(step, body, body->frame);
    trv_vec3 moved, end;
    trv_quat turned, unused;
    trvi_guard_place(step, solver, from, &moved, &turned);
    trvi_guard_place(step, solver, to, &end, &unused);
    trv_motion motion = motion_from(step, body, trvi_pose_moved(step, body, moved, turned));
    motion.travel = trvi_sub(end, moved);
    motion.turn = turn_from(step, solver, from, to);
    return motion;
}

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
uint32_t trvi_guard_bends(const trvi_step *step, const trvi_pairing *pair, float *bends)
{
    const uint32_t solvers[2] = {pair->a, pair->b};
    uint32_t count = 0;
    bends[count++] = 0.0f;
    for (int side = 0; side < 2; side++) {
        if (solvers[side] == TRVI_UNMOVED)
            continue;
        const trvi_guard *g = &trvi_guards(step)[solvers[side]];
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
trv_motion trvi_guard_straight(const trvi_step *step, const trvi_body *body, uint32_t solver)
{
    if (solver == TRVI_UNMOVED)
        return motion_from(step, body, body->frame);
    const trvi_certified *from = trvi_certified_of(step, solver);
    trv_motion motion =
        motion_from(step, body, trvi_pose_moved(step, body, from->moved, from->turned));
    motion.travel = trvi_guards(step)[solver].net;
    motion.turn = trvi_guards(step)[solver].net_turn;
    return motion;
}

static bool is_covered(const trvi_step *step, uint32_t solver, const trv_motion *way)
{
    trv_pose end = {trvi_add(way->pose.position, way->travel), way->pose.rotation};
    return trvi_is_covered(step->world, trvi_guard_body(step, solver), way->pose, end,
                           trvi_guards(step)[solver].swing);
}

// The broadphase's boxes have to hold what has left those that the step's contacts were found by.
static void cover(const trvi_step *step, uint32_t solver)
{
    trv_world *world = step->world;
    trv_motion way = trvi_guard_straight(step, trvi_guard_body(step, solver), solver);
    if (is_covered(step, solver, &way))
        return;
    trv_pose end = {trvi_add(way.pose.position, way.travel), way.pose.rotation};
    trvi_guard_tell_stray(step, solver);
    trvi_body_place_between(world, step->bodies[solver].body, way.pose, end,
                            trvi_guards(step)[solver].swing);
}

// Boxes that nobody has changed in the step hold the way that was foreseen.
void trvi_guard_look_for_cover(const trvi_step *step, uint32_t solver)
{
    const trv_world *world = step->world;
    const trvi_body *body = trvi_guard_body(step, solver);
    trvi_guard *g = &trvi_guards(step)[solver];
    trv_vec3 moved = trvi_add(trvi_certified_of(step, solver)->moved, g->net);
    g->cover = TRVI_GUARD_WITHIN;
    float over = g->reach - trvi_mobile_of(world, body)->covered;
    if (over <= 0.0f || over <= trvi_least_sight(world, body))
        return;
    bool foreseen = trvi_is_foreseen(world, body, step->dt, moved, step->motions[solver].turned);
    trv_motion way = trvi_guard_straight(step, body, solver);
    if (foreseen && !world->guard_strays)
        g->cover = TRVI_GUARD_FORESEEN;
    else if (!is_covered(step, solver, &way))
        g->cover = TRVI_GUARD_BEYOND;
}

void trvi_guard_cover(const trvi_step *step)
{
    const trvi_guard *guards = trvi_guards(step);
    for (uint32_t i = 1; i <= step->world->awake.count; i++)
        if (guards[i].cover == TRVI_GUARD_BEYOND ||
            (guards[i].cover == TRVI_GUARD_FORESEEN && step->world->guard_strays))
            cover(step, i);
}

// Where its way leads now.
void trvi_guard_renew(const trvi_step *step, uint32_t solver)
{
    trvi_guard *g = &trvi_guards(step)[solver];
    const trvi_certified *from = trvi_certified_of(step, solver);
    trv_vec3 moved;
    trv_quat turned;
    trvi_guard_place(step, solver, 1.0f, &moved, &turned);
    g->net = trvi_sub(moved, from->moved);
    trv_vec3 spin = trvi_scale(g->turn, g->stop);
    if (g->carries > 0)
        spin = trvi_mul_add(spin, g->carry_turn, g->carry_to - g->carry_from);
    g->net_turn = turn_between(from->turned, turned, spin);
    measure(step, solver);
    cover(step, solver);
}
