// Time of impact where one of the shapes is a compound: which pairs of parts can meet, and how
// soon.
//
// The trees of both are descended together. Two nodes cannot meet before the time at which their
// boxes, carried along, can: along each of their axes and along the line between their middles, a
// gap is used up no faster than by the travel along it and by how fast turning takes a box's points
// along it. The longest of these times is a step that is free of contact; the boxes are put there
// and looked at again, a few times. Boxes that turn fast stay in balls about the turning centres,
// too. What cannot begin before the best time found so far is never looked at.
// The last time goes from contact to contact: at the end of one, any pair of parts that touches
// then carries it on, to the end of its own contact; where there is none, all have parted.
// Invariant: a bound never is later than the first contact of any two parts below its nodes.
// Based on: Redon, Kim, Lin and Manocha 2004, "Fast continuous collision detection for articulated
// models" (trees in motion); Mirtich 1996, "Impulse-based Dynamic Simulation" (conservative
// advancement); Gomez 1999, "Simple Intersection Tests for Games".
#include <string.h>

#include "compound.h"
#include "impact.h"

// Steps that one pair of boxes is worth; one that gains less than this part of what is left is the
// last.
enum { BOX_STEPS = 8 };
#define SMALL_GAIN 0.02

// All pairs together are worth as many steps of their proofs as a few that are hard to decide. What
// is left goes to each in turn; where nothing is, a pair still gets more than most ever need.
enum { ALL_STEPS = 4 * TRVI_IMPACT_STEPS, LEAST_STEPS = 64 };

// The search for the last time looks at so many pairs and planes, and a walk counts as some; then
// the answer is where it had come to.
enum { LOOK_LIMIT = 1 << 17, WALK_LOOKS = 8 };

// An end later by less than this adds nothing that a float32 fraction could tell.
#define SAME_END 1.0e-9

// Two sets of parts on their way, one of which may be a half-space. Holds pointers into itself:
// fill it where it stays.
typedef struct flight {
    trvi_parts a, b;
    const trv_shape *shape_a, *shape_b;
    const trv_motion *motion_a, *motion_b;
    trvi_mover frame_a, frame_b;  // of the sets' frames
    trvi_dvec3 between, travel;   // of the turning centres, from A's to B's
    double slack;                 // by which boxes count as larger, m
    double noise;                 // lengths below it are rounding of the motion
    double limit;                 // times after it are of no interest
    const trvi_mover *half_space; // A's, B's or NULL
    trvi_dvec3 up;                // the half-space's unit normal at time 0, world
    double height;                // of its turning centre over its surface
} flight;

// A node's box on its way: what its turning does.
typedef struct block {
    trvi_dvec3 middle, half; // in the set's frame
    double reach;            // no point is farther from the turning centre
    double swing;            // ... from the axis through it
} block;

// Where both frames are at a time.
typedef struct stage {
    trvi_dmat3 rotation_a, rotation_b;
    trvi_dvec3 origin_a, origin_b; // from the turning centre to the frame's origin
    trvi_dvec3 apart;              // from A's turning centre to B's
    trvi_dvec3 up;
} stage;

// A half-space is a set of one part, whose box says nothing.
static void set_parts(trvi_parts *parts, const trv_shape *shape, trv_pose pose)
{
    if (shape->kind != TRV_SHAPE_PLANE) {
        trvi_parts_set(parts, shape, pose);
        return;
    }
    memset(parts, 0, sizeof *parts);
    parts->own_part.shape = *shape;
    parts->nodes = &parts->own_node;
    parts->parts = &parts->own_part;
}

static void set_half_space(flight *f)
{
    bool is_a = f->shape_a->kind == TRV_SHAPE_PLANE;
    f->half_space = NULL;
    if (!is_a && f->shape_b->kind != TRV_SHAPE_PLANE)
        return;
    const trv_plane *plane = is_a ? &f->shape_a->as.plane : &f->shape_b->as.plane;
    const trv_motion *motion = is_a ? f->motion_a : f->motion_b;
    f->half_space = is_a ? &f->frame_a : &f->frame_b;
    trvi_dvec3 n = trvi_dvec3_from(plane->normal), c = trvi_turning_center(motion);
    f->height = (trvi_ddot(n, c) + (double)plane->offset) / trvi_dlength(n);
    f->up = trvi_dnormalize_or(trvi_dmat3_mul(&f->half_space->start, n), n);
}

static void set_flight(flight *f, const trv_shape *a, const trv_motion *motion_a,
                       const trv_shape *b, const trv_motion *motion_b, double margin)
{
    f->shape_a = a;
    f->shape_b = b;
    f->motion_a = motion_a;
    f->motion_b = motion_b;
    set_parts(&f->a, a, motion_a->pose);
    set_parts(&f->b, b, motion_b->pose);
    trvi_mover *ma = &f->frame_a, *mb = &f->frame_b;
    trvi_mover_set(ma, motion_a);
    trvi_mover_set(mb, motion_b);
    f->between = trvi_movers_between(ma, motion_a, mb, motion_b);
    f->travel = trvi_dsub(mb->travel, ma->travel);
    set_half_space(f);
    double reach_a = f->a.reach + trvi_dlength(ma->arm),
           reach_b = f->b.reach + trvi_dlength(mb->arm);
    double way = trvi_dlength(f->between) + trvi_dlength(ma->travel) + trvi_dlength(mb->travel);
    if (f->half_space != NULL)
        way += fabs(f->height);
    f->noise =
        TRVI_MOTION_ROUNDING * (way + (1.0 + ma->rate) * reach_a + (1.0 + mb->rate) * reach_b);
    f->slack = margin + TRVI_BOUND_SLACK * (way + 2.0 * (reach_a + reach_b)) + 2.0 * f->noise;
}

static void set_stage(const flight *f, double time, stage *s)
{
    const trvi_mover *movers[2] = {&f->frame_a, &f->frame_b};
    trvi_dmat3 *rotations[2] = {&s->rotation_a, &s->rotation_b};
    trvi_dvec3 *origins[2] = {&s->origin_a, &s->origin_b};
    s->up = f->up;
    for (int i = 0; i < 2; i++) {
        trvi_mover m = *movers[i];
        trvi_mover_place(&m, time);
        *rotations[i] = m.rotation;
        *origins[i] = m.origin;
        if (movers[i] == f->half_space)
            s->up = trvi_dmat3_mul(&m.turned, f->up);
    }
    s->apart = trvi_dmul_add(f->between, f->travel, time);
}

static block block_of(const trvi_node *node, const trvi_mover *m, const trv_motion *motion)
{
    block k;
    trvi_dvec3 lower = trvi_dvec3_from(node->lower), upper = trvi_dvec3_from(node->upper);
    k.middle = trvi_dscale(trvi_dadd(lower, upper), 0.5);
    k.half = trvi_dscale(trvi_dsub(upper, lower), 0.5);
    k.reach = k.swing = 0.0;
    if (!(m->rate > 0.0))
        return k;
    trvi_dvec3 from_center = trvi_dsub(k.middle, trvi_dvec3_from(motion->center_local));
    trvi_dvec3 axis = trvi_dmat3_mul_transposed(&m->start, trvi_dscale(m->turn, 1.0 / m->rate));
    double diagonal = trvi_dlength(k.half);
    k.reach = trvi_dlength(from_center) + diagonal;
    k.swing = trvi_dlength(trvi_dcross(axis, from_center)) + diagonal;
    return k;
}

static trvi_dvec3 column(const trvi_dmat3 *m, int i)
{
    return (trvi_dvec3){m->m[0][i], m->m[1][i], m->m[2][i]};
}

// How far a box reaches from its middle along a direction of the world.
static double width_along(const trvi_dmat3 *rotation, const block *k, trvi_dvec3 n)
{
    trvi_dvec3 local = trvi_dmat3_mul_transposed(rotation, n);
    return fabs(local.x) * k->half.x + fabs(local.y) * k->half.y + fabs(local.z) * k->half.z;
}

// How long a gap lasts at most that is used up by `closing` per step; 0 where there is none.
static double time_of_gap(double gap, double closing)
{
    if (!(gap > 0.0))
        return 0.0;
    return closing > 0.0 ? gap / closing : TRVI_NEVER;
}

// How far from the stage's time, along one axis, two boxes are sure not to meet.
static double step_along(const flight *f, const stage *s, const block *a, const block *b,
                         trvi_dvec3 from_a, trvi_dvec3 n)
{
    double along = trvi_ddot(n, from_a);
    if (along < 0.0)
        n = trvi_dnegate(n);
    double gap = fabs(along) - width_along(&s->rotation_a, a, n) -
                 width_along(&s->rotation_b, b, n) - f->slack;
    double closing = -trvi_ddot(n, f->travel);
    if (f->frame_a.rate > 0.0)
        closing += a->swing * trvi_dlength(trvi_dcross(n, f->frame_a.turn));
    if (f->frame_b.rate > 0.0)
        closing += b->swing * trvi_dlength(trvi_dcross(n, f->frame_b.turn));
    return time_of_gap(gap, closing);
}

static double step_of_boxes(const flight *f, const stage *s, const block *a, const block *b)
{
    trvi_dvec3 at_a = trvi_dadd(trvi_dmat3_mul(&s->rotation_a, a->middle), s->origin_a);
    trvi_dvec3 at_b = trvi_dadd(trvi_dmat3_mul(&s->rotation_b, b->middle), s->origin_b);
    trvi_dvec3 from_a = trvi_dadd(s->apart, trvi_dsub(at_b, at_a));
    trvi_dvec3 between = trvi_dnormalize_or(from_a, (trvi_dvec3){1.0, 0.0, 0.0});
    double step = step_along(f, s, a, b, from_a, between);
    for (int i = 0; i < 3; i++) {
        trvi_dvec3 axis_a = column(&s->rotation_a, i), axis_b = column(&s->rotation_b, i);
        step = trvi_dmax(step, step_along(f, s, a, b, from_a, axis_a));
        step = trvi_dmax(step, step_along(f, s, a, b, from_a, axis_b));
    }
    return step;
}

// How high the box's lowest corner is over the half-space at the stage.
static double height_of_box(const flight *f, const stage *s, const block *a, const block *b)
{
    bool is_a = f->half_space == &f->frame_a;
    const block *k = is_a ? b : a;
    const trvi_dmat3 *rotation = is_a ? &s->rotation_b : &s->rotation_a;
    trvi_dvec3 origin = is_a ? s->origin_b : s->origin_a;
    trvi_dvec3 from_center = is_a ? s->apart : trvi_dnegate(s->apart);
    trvi_dvec3 middle = trvi_dadd(trvi_dmat3_mul(rotation, k->middle), origin);
    return f->height + trvi_ddot(s->up, trvi_dadd(from_center, middle)) -
           width_along(rotation, k, s->up) - f->slack;
}

static double step_to_half_space(const flight *f, const stage *s, const block *a, const block *b)
{
    bool is_a = f->half_space == &f->frame_a;
    const block *k = is_a ? b : a;
    const trvi_mover *m = is_a ? &f->frame_b : &f->frame_a;
    double sink = is_a ? -trvi_ddot(s->up, f->travel) : trvi_ddot(s->up, f->travel);
    if (m->rate > 0.0)
        sink += k->swing * trvi_dlength(trvi_dcross(s->up, m->turn));
    if (f->half_space->rate > 0.0) { // as fast as the surface is away, wherever its normal turns to
        double travel = trvi_dlength(f->travel), arm = trvi_dlength(m->arm);
        double reach = arm + trvi_dlength(k->middle) + trvi_dlength(k->half);
        sink = travel + m->rate * k->swing +
               f->half_space->rate * (trvi_dlength(f->between) + travel + reach);
    }
    return time_of_gap(height_of_box(f, s, a, b), sink);
}

// When two balls about the turning centres meet that hold what turns of the boxes.
static double balls_meet(const flight *f, const block *a, const block *b)
{
    const trvi_mover *ma = &f->frame_a, *mb = &f->frame_b;
    if (f->half_space != NULL || (!(ma->rate > 0.0) && !(mb->rate > 0.0)))
        return 0.0;
    double reach_a = a->reach, reach_b = b->reach;
    trvi_dvec3 from = f->between;
    if (!(ma->rate > 0.0)) { // about its own middle: it does not turn
        from = trvi_dsub(from, trvi_dadd(trvi_dmat3_mul(&ma->start, a->middle), ma->arm));
        reach_a = trvi_dlength(a->half);
    }
    if (!(mb->rate > 0.0)) {
        from = trvi_dadd(from, trvi_dadd(trvi_dmat3_mul(&mb->start, b->middle), mb->arm));
        reach_b = trvi_dlength(b->half);
    }
    return trvi_balls_meet(from, f->travel, reach_a + reach_b + f->slack);
}

// No parts below the nodes meet sooner.
static double earliest(const trvi_pair_walk *walk, const trvi_node *node_a, const trvi_node *node_b,
                       double known)
{
    const flight *f = walk->context;
    block a = block_of(node_a, &f->frame_a, f->motion_a);
    block b = block_of(node_b, &f->frame_b, f->motion_b);
    double time = trvi_dmax(trvi_dmax(known, 0.0), balls_meet(f, &a, &b));
    for (int i = 0; i < BOX_STEPS && time <= f->limit; i++) {
        stage s;
        set_stage(f, time, &s);
        double step = f->half_space != NULL ? step_to_half_space(f, &s, &a, &b)
                                            : step_of_boxes(f, &s, &a, &b);
        time += step;
        if (step <= SMALL_GAIN * (f->limit - time))
            break;
    }
    return time;
}

static trvi_actor actor_of(const trv_shape *shape, const trvi_parts *parts, uint32_t part,
                           const trv_motion *motion)
{
    bool whole = shape->kind != TRV_SHAPE_COMPOUND;
    trvi_actor actor = {&parts->parts[part].shape, whole ? NULL : &parts->parts[part].pose, motion};
    return actor;
}

// The sooner; at the start what overlaps more; of equals the one of lowest numbers, whatever the
// tree.
static bool is_better(const trvi_impact_times *best, const trvi_impact_times *other)
{
    if (!other->hit || !best->hit)
        return other->hit;
    if (other->first != best->first)
        return other->first < best->first;
    if (other->start != best->start)
        return other->start;
    if (other->gap != best->gap)
        return other->gap < best->gap;
    return other->part_a < best->part_a ||
           (other->part_a == best->part_a && other->part_b < best->part_b);
}

// For the next pair, once the others took `taken` steps.
static uint32_t steps_left(uint32_t taken)
{
    uint32_t left = taken < ALL_STEPS ? ALL_STEPS - taken : 0;
    if (left > TRVI_IMPACT_STEPS)
        return TRVI_IMPACT_STEPS;
    return left > LEAST_STEPS ? left : LEAST_STEPS;
}

// The best of all pairs that meet by `until`.
static void search(flight *f, double until, double margin, trvi_impact_times *best)
{
    trvi_impact_goal goal = {until, margin, NULL, false, false, 0};
    trvi_pair_walk walk;
    uint32_t part_a, part_b;
    f->limit = until;
    trvi_pair_walk_ask(&walk, &f->a, &f->b, earliest, f);
    while (trvi_pair_walk_next(&walk, f->limit, &part_a, &part_b)) {
        trvi_actor a = actor_of(f->shape_a, &f->a, part_a, f->motion_a);
        trvi_actor b = actor_of(f->shape_b, &f->b, part_b, f->motion_b);
        trvi_impact_times times;
        goal.until = f->limit;
        goal.steps = steps_left(best->turns);
        trvi_impact_pair(&a, &b, &goal, &times);
        times.part_a = part_a;
        times.part_b = part_b;
        uint32_t pairs = best->pairs + 1, turns = best->turns + times.turns;
        if (is_better(best, &times))
            *best = times;
        best->pairs = pairs;
        best->turns = turns;
        if (best->hit)
            f->limit = best->first;
    }
}

// A flight that stands still.
typedef struct still {
    const flight *flight;
    stage at;
} still;

static double height_now(const trvi_pair_walk *walk, const trvi_node *node_a,
                         const trvi_node *node_b, double known)
{
    const still *now = walk->context;
    const flight *f = now->flight;
    block a = block_of(node_a, &f->frame_a, f->motion_a);
    block b = block_of(node_b, &f->frame_b, f->motion_b);
    (void)known; // boxes inside boxes are measured anew
    return height_of_box(f, &now->at, &a, &b);
}

// A walk over the pairs of parts that may touch at a time.
static void start_walk_at(flight *f, double time, still *now, trvi_pair_walk *walk)
{
    now->flight = f;
    set_stage(f, time, &now->at);
    if (f->half_space != NULL) {
        trvi_pair_walk_ask(walk, &f->a, &f->b, height_now, now);
        return;
    }
    f->a.rotation = now->at.rotation_a;
    f->b.rotation = now->at.rotation_b;
    f->a.position = now->at.origin_a;
    f->b.position = trvi_dadd(now->at.apart, now->at.origin_b);
    trvi_pair_walk_start(walk, &f->a, &f->b);
}

// The latest end of the contact of a pair of parts that touch at `time`, or of the first that
// lasts.
static double carried_on(flight *f, double time, trvi_impact_times *sum)
{
    still now;
    trvi_pair_walk walk;
    uint32_t part_a, part_b;
    double last = time;
    start_walk_at(f, time, &now, &walk);
    while (trvi_pair_walk_next(&walk, 2.0 * f->noise, &part_a, &part_b)) {
        trvi_actor a = actor_of(f->shape_a, &f->a, part_a, f->motion_a);
        trvi_actor b = actor_of(f->shape_b, &f->b, part_b, f->motion_b);
        sum->pairs++;
        sum->turns++;
        if (!trvi_impact_touch(&a, &b, time))
            continue;
        last = trvi_dmax(last, trvi_impact_end(&a, &b, time, &sum->turns));
        if (last > time + SAME_END)
            break;
    }
    return last;
}

static void find_last(flight *f, trvi_impact_times *times)
{
    trvi_actor a = actor_of(f->shape_a, &f->a, times->part_a, f->motion_a);
    trvi_actor b = actor_of(f->shape_b, &f->b, times->part_b, f->motion_b);
    uint32_t before = times->pairs + times->turns;
    times->last = trvi_impact_end(&a, &b, times->first, &times->turns);
    for (uint32_t walks = 0; times->last < 1.0; walks++) {
        double last = times->last;
        times->last = carried_on(f, last, times);
        uint32_t looks = times->pairs + times->turns - before + WALK_LOOKS * walks;
        if (!(times->last > last + SAME_END) || looks > LOOK_LIMIT)
            return;
    }
}

void trvi_impact_compound(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                          const trv_motion *motion_b, const trvi_impact_goal *goal,
                          trvi_impact_times *out)
{
    flight f;
    memset(out, 0, sizeof *out);
    set_flight(&f, a, motion_a, b, motion_b, 2.0 * goal->margin);
    search(&f, 0.0, 0.0, out); // what touches at once spares all other proofs
    if (!out->hit)
        search(&f, goal->until, goal->margin, out);
    if (out->hit && goal->want_last)
        find_last(&f, out);
}
