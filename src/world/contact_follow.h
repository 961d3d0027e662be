// Where the sides of a contact have got to as a sub-step begins, and how they touch there.
//
// Arms turn with their bodies, normals with the faces that they belong to, between balls with the line of their
// centres, as that is going to lie when they meet, and where something round meets an edge, a corner or a capsule
// with the nearest points (contact_meet.c). What moves less than some bound is left as the step began. Invariant:
// what comes of a lane hangs on that lane alone; a block is left alone only where nothing in any of its lanes could
// change.
//
// Private to contact_solve.c.
#ifndef TRVI_CONTACT_FOLLOW_H
#define TRVI_CONTACT_FOLLOW_H

#include "contact_response.h"

// A row of the motions of a block's bodies on one side: the x of all, the y, and so on. It begins
// with `linear`, `angular`, `moved` or `turned`.
static void gather_row(const trvi_motion *motions, const uint32_t *bodies, size_t row,
                       trvi_lanes words[4])
{
    const float *from[TRVI_LANES];
    for (int lane = 0; lane < TRVI_LANES; lane++) {
        const void *at = (const char *)&motions[bodies[lane]] + row;
        from[lane] = at;
    }
    trvi_lanes_load_rows(words, from, 0);
}

// The velocities of the bodies on one side, and the words beside them.
typedef struct side_state {
    trvi_wide3 linear, angular;
    trvi_lanes pushable, touched;
} side_state;

typedef struct pair_state {
    side_state a, b;
} pair_state;

static side_state gather_side(const trvi_motion *motions, const uint32_t *bodies)
{
    trvi_lanes v[4], w[4];
    gather_row(motions, bodies, offsetof(trvi_motion, linear), v);
    gather_row(motions, bodies, offsetof(trvi_motion, angular), w);
    return (side_state){{v[0], v[1], v[2]}, {w[0], w[1], w[2]}, v[3], w[3]};
}

static pair_state gather(const trvi_step *step, const trvi_block *block, uint32_t first)
{
    return (pair_state){gather_side(step->motions, block->body_a + first),
                        gather_side(step->motions, block->body_b + first)};
}

static trvi_lanes mul_add(trvi_lanes a, trvi_lanes b, trvi_lanes c)
{
    return trvi_lanes_add(a, trvi_lanes_mul(b, c));
}

static trvi_lanes mul_sub(trvi_lanes a, trvi_lanes b, trvi_lanes c)
{
    return trvi_lanes_sub(a, trvi_lanes_mul(b, c));
}

// How fast B leaves A at the contact's middle, and along the tangents: of one surface over the other.
static inline trvi_wide3 relative_speed(const trvi_block *block, uint32_t first,
                                        const trvi_wide_frame *frame, const pair_state *s)
{
    trvi_wide3 at_a = trvi_wide_add(
        s->a.linear, trvi_wide_cross(s->a.angular, trvi_wide_load(&block->middle_a, first)));
    trvi_wide3 at_b = trvi_wide_add(
        s->b.linear, trvi_wide_cross(s->b.angular, trvi_wide_load(&block->middle_b, first)));
    trvi_wide3 speed = trvi_into_frame(frame, trvi_wide_sub(at_b, at_a));
    if (block->runs) {
        speed.y = trvi_lanes_add(speed.y, trvi_lanes_load(block->surface_1 + first));
        speed.z = trvi_lanes_add(speed.z, trvi_lanes_load(block->surface_2 + first));
    }
    return speed;
}

// ... at a point along the normal; `press`: that speed at the middle, and the spins about both tangents.
static trvi_lanes speed_at(const trvi_block_point *point, uint32_t first, trvi_wide3 press)
{
    return mul_sub(mul_add(press.x, trvi_lanes_load(point->at.z + first), press.y),
                   trvi_lanes_load(point->at.y + first), press.z);
}

// Where bodies have got to since the beginning of the step.
typedef struct wide_way {
    trvi_wide3 moved, axis;
    trvi_lanes w, odd;
} wide_way;

static wide_way gather_ways(const trvi_motion *motions, const uint32_t *bodies)
{
    trvi_lanes moved[4], turned[4];
    gather_row(motions, bodies, offsetof(trvi_motion, moved), moved);
    gather_row(motions, bodies, offsetof(trvi_motion, turned), turned);
    return (wide_way){
        {moved[0], moved[1], moved[2]}, {turned[0], turned[1], turned[2]}, turned[3], moved[3]};
}

static uint32_t bits_of_turned(trvi_lanes odd)
{
    return trvi_lanes_at_least(odd, trvi_lanes_splat(TRVI_TURNED));
}

static trvi_wide3 gather_moved(const trvi_motion *motions, const uint32_t *bodies, uint32_t *turned)
{
    trvi_lanes moved[4];
    gather_row(motions, bodies, offsetof(trvi_motion, moved), moved);
    *turned = bits_of_turned(moved[3]);
    return (trvi_wide3){moved[0], moved[1], moved[2]};
}

// How far a turn moves what is at `arm` from the centre of mass.
static trvi_wide3 swing(const wide_way *way, trvi_wide3 arm)
{
    trvi_wide3 t = trvi_wide_cross(way->axis, arm);
    t = trvi_wide_add(t, t);
    return trvi_wide_add(trvi_wide_scale(t, way->w), trvi_wide_cross(way->axis, t));
}

// An arm as its side has turned since the step began; where that is hardly anything, as it was then. Of what
// is round only the core turns.
static trvi_wide3 arm_by_now(const trvi_lane_vec3 *arm, const trvi_lane_vec3 *core, uint32_t first,
                             const wide_way *way)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    const trvi_lanes flat = trvi_lanes_splat(TRVI_ARM_TURNED * TRVI_ARM_TURNED);
    const trvi_lanes round = trvi_lanes_splat(TRVI_ARM_ROLLED * TRVI_ARM_ROLLED);
    trvi_wide3 then = trvi_wide_load(arm, first), turns = trvi_wide_load(core, first);
    trvi_wide3 rim = trvi_wide_sub(then, turns);
    trvi_wide3 moved = trvi_wide_unless_less(swing(way, turns), trvi_lanes_splat(TRVI_TURN_NONE));
    trvi_lanes least = trvi_lanes_if_greater(trvi_wide_dot(rim, rim), zero, round, flat);
    trvi_lanes few = trvi_lanes_mul(least, trvi_wide_dot(then, then));
    return if_greater3(trvi_wide_dot(moved, moved), few, trvi_wide_add(then, moved), then);
}

static bool is_none3(trvi_wide3 a)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    return all_at_least(zero, trvi_wide_dot(a, a));
}

static bool is_same3(trvi_wide3 a, trvi_wide3 b)
{
    return is_none3(trvi_wide_sub(a, b));
}

// Both sides as a sub-step begins.
typedef struct wide_sides {
    wide_way way_a, way_b;
    trvi_wide3 arm_a, arm_b; // by now
    trvi_lanes kept; // more than 0 where what turns by hand carries one of them, see carry_part
} wide_sides;

// More than 0 in lanes where a side is being turned by hand; of blocks that say so.
static trvi_lanes turned_by_hand(const trvi_block *block, uint32_t first)
{
    trvi_wide3 spin = trvi_wide_load(&block->carrier, first);
    return trvi_wide_dot(spin, spin);
}

static wide_sides see_sides(const trvi_step *step, const trvi_block *block, uint32_t first)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    wide_sides now = {gather_ways(step->motions, block->body_a + first),
                      gather_ways(step->motions, block->body_b + first),
                      {zero, zero, zero},
                      {zero, zero, zero},
                      zero};
    now.arm_a = arm_by_now(&block->arm_a, &block->core_a, first, &now.way_a);
    now.arm_b = arm_by_now(&block->arm_b, &block->core_b, first, &now.way_b);
    if (block->carried) { // where they have got to is found as they are aimed at
        now.kept = turned_by_hand(block, first);
        now.arm_a = if_greater3(now.kept, zero, trvi_wide_load(&block->arm_a, first), now.arm_a);
        now.arm_b = if_greater3(now.kept, zero, trvi_wide_load(&block->arm_b, first), now.arm_b);
    }
    return now;
}

// The square of the turn, rad, and of the way, in parts of the arms, from which on the place is followed.
static trvi_lanes least_turn(const trvi_block *block, uint32_t first)
{
    trvi_lanes radii = trvi_lanes_add(trvi_lanes_load(block->radius_a + first),
                                      trvi_lanes_load(block->radius_b + first));
    return trvi_lanes_if_greater(radii, trvi_lanes_splat(0.0f),
                                 trvi_lanes_splat(TRVI_ARM_TURNED * TRVI_ARM_TURNED),
                                 trvi_lanes_splat(TRVI_PLACE_LEFT * TRVI_PLACE_LEFT));
}

// How far turning has moved the end of an arm.
static trvi_wide3 swung(const trvi_lane_vec3 *arm, uint32_t first, trvi_wide3 now)
{
    return trvi_wide_sub(now, trvi_wide_load(arm, first));
}

// How far B's side has gone past A's where they touched.
static trvi_wide3 all_past(const trvi_block *block, uint32_t first, const wide_sides *now)
{
    trvi_wide3 at_a = trvi_wide_add(now->way_a.moved, swung(&block->arm_a, first, now->arm_a));
    trvi_wide3 at_b = trvi_wide_add(now->way_b.moved, swung(&block->arm_b, first, now->arm_b));
    return trvi_wide_sub(at_b, at_a);
}

// The same; 0 where that is hardly anything.
static trvi_wide3 way_past(const trvi_block *block, uint32_t first, const wide_sides *now)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_wide3 then_a = trvi_wide_load(&block->arm_a, first);
    trvi_wide3 then_b = trvi_wide_load(&block->arm_b, first);
    trvi_wide3 past =
        trvi_wide_unless_less(all_past(block, first, now), trvi_lanes_splat(TRVI_TURN_NONE));
    const trvi_wide3 none = {zero, zero, zero};
    trvi_lanes arms = trvi_lanes_max(trvi_wide_dot(then_a, then_a), trvi_wide_dot(then_b, then_b));
    trvi_lanes few = trvi_lanes_mul(least_turn(block, first), arms);
    past = if_greater3(trvi_wide_dot(past, past), few, past, none);
    return if_greater3(now->kept, zero, none, past);
}

// The sum, of which not even the sign of a zero changes where there is nothing to add: who shares a block with
// what moves is as elsewhere.
static trvi_wide3 add_some(trvi_wide3 to, trvi_wide3 some)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    return if_greater3(trvi_wide_dot(some, some), zero, trvi_wide_add(to, some), to);
}

// The square of the sine of half the turn, from which on normals turn with their faces.
static trvi_lanes least_of_faces(const trvi_block *block, uint32_t first)
{
    return trvi_lanes_mul(least_turn(block, first), trvi_lanes_splat(0.25f));
}

// Has any side turned so far that it would take its normals along?
static bool any_turned(const trvi_block *block, uint32_t first, const wide_sides *now)
{
    trvi_lanes most = trvi_lanes_max(trvi_wide_dot(now->way_a.axis, now->way_a.axis),
                                     trvi_wide_dot(now->way_b.axis, now->way_b.axis));
    return !all_at_least(least_of_faces(block, first), most);
}

// How the face has turned that the normal belongs to: not at all where there is none, nor where it whirls, as it
// does not face the other any more.
static wide_way turn_of_face(const trvi_block *block, uint32_t first, const wide_sides *now)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f),
                     half = trvi_lanes_splat(0.5f); // 1 is over a face
    const trvi_lanes least = least_of_faces(block, first);
    const trvi_lanes most = trvi_lanes_splat(0.25f * TRVI_FACE_TURNS * TRVI_FACE_TURNS);
    const trvi_wide3 none = {zero, zero, zero};
    trvi_lanes of_a = trvi_lanes_load(block->over_a + first);
    trvi_lanes of_b = trvi_lanes_load(block->over_b + first);
    wide_way face = {none, now->way_b.axis, now->way_b.w, zero};
    face.axis = if_greater3(of_a, half, now->way_a.axis, if_greater3(of_b, half, face.axis, none));
    face.w = trvi_lanes_if_greater(of_a, half, now->way_a.w, face.w);
    trvi_lanes square = trvi_wide_dot(face.axis, face.axis); // of the sine of half the turn
    face.axis = if_greater3(square, least, face.axis, none);
    face.axis = if_greater3(square, most, none, face.axis);
    face.axis = if_greater3(now->kept, zero, none, face.axis);
    return face;
}

// The normal turns with its face, and what is round touches that at another side.
static void turn_normal(trvi_block *block, uint32_t first, wide_sides *now)
{
    wide_way face = turn_of_face(block, first, now);
    trvi_wide3 n = trvi_wide_load(&block->normal_then, first), moved = swing(&face, n);
    trvi_wide3 t = trvi_wide_load(&block->tangent_then, first);
    trvi_wide_store(&block->normal, first, add_some(n, moved));
    trvi_wide_store(&block->tangent_1, first, add_some(t, swing(&face, t)));
    trvi_lanes out_a = trvi_lanes_load(block->radius_a + first);
    trvi_lanes in_b =
        trvi_lanes_sub(trvi_lanes_splat(0.0f), trvi_lanes_load(block->radius_b + first));
    now->arm_a = add_some(now->arm_a, trvi_wide_scale(moved, out_a));
    now->arm_b = add_some(now->arm_b, trvi_wide_scale(moved, in_b));
}

// How far B's centre has come past A's since the step began, and how fast it goes on.
typedef struct wide_passing {
    trvi_wide3 past, speed;
} wide_passing;

// More than 0 where what is round comes past the other by so much, in parts of the radii, that its normal is
// another.
static trvi_lanes rounds(const trvi_block *block, uint32_t first, trvi_wide3 n, trvi_wide3 past,
                         float least)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_wide3 along = along_surface(n, past);
    trvi_lanes few = trvi_lanes_mul(trvi_lanes_splat(least * least), round_squares(block, first));
    return trvi_lanes_if_greater(trvi_wide_dot(along, along), few, one, zero);
}

// Of the centres of what is round on one side, which have swung since the step began.
static trvi_wide3 center_speed(const side_state *s, const trvi_lane_vec3 *core, uint32_t first,
                               trvi_wide3 by)
{
    trvi_wide3 now = trvi_wide_add(trvi_wide_load(core, first), by);
    return trvi_wide_add(s->linear, trvi_wide_cross(s->angular, now));
}

static wide_passing see_passing(const trvi_step *step, const trvi_block *block, uint32_t first,
                                const wide_sides *now)
{
    const pair_state s = gather(step, block, first);
    trvi_wide3 swung_a = swung(&block->arm_a, first, now->arm_a);
    trvi_wide3 swung_b = swung(&block->arm_b, first, now->arm_b);
    return (wide_passing){all_past(block, first, now),
                          trvi_wide_sub(center_speed(&s.b, &block->core_b, first, swung_b),
                                        center_speed(&s.a, &block->core_a, first, swung_a))};
}

// The same by what has come past up to now, or will have by the sub-step's end.
static trvi_lanes rounds_by_end(const trvi_step *step, const trvi_block *block, uint32_t first,
                                trvi_wide3 n, const wide_passing *p, float least)
{
    trvi_wide3 onward = trvi_wide_mul_add(p->past, p->speed, trvi_lanes_splat(step->h));
    return trvi_lanes_max(rounds(block, first, n, p->past, least),
                          rounds(block, first, n, onward, least));
}

// May any normal of balls change within the sub-step? By a little less than it takes: whoever changes is among
// them, whatever rounding does.
static bool any_rounds(const trvi_step *step, const trvi_block *block, uint32_t first,
                       const wide_passing *p)
{
    trvi_wide3 n = trvi_wide_load(&block->normal, first);
    trvi_lanes any = rounds_by_end(step, block, first, n, p, 0.99f * TRVI_BALLS_LEFT);
    return !all_at_least(trvi_lanes_splat(0.0f), any);
}

// Where nothing swings: centres stay in the middles of their bodies.
static TRVI_RARE bool any_rounds_unswung(const trvi_step *step, const trvi_block *block,
                                         uint32_t first)
{
    uint32_t odd;
    const pair_state s = gather(step, block, first);
    trvi_wide3 at_a = gather_moved(step->motions, block->body_a + first, &odd);
    trvi_wide3 at_b = gather_moved(step->motions, block->body_b + first, &odd);
    const wide_passing p = {trvi_wide_sub(at_b, at_a), trvi_wide_sub(s.b.linear, s.a.linear)};
    return any_rounds(step, block, first, &p);
}

static TRVI_RARE bool any_rounds_by_now(const trvi_step *step, const trvi_block *block,
                                        uint32_t first, const wide_sides *now)
{
    const wide_passing p = see_passing(step, block, first, now);
    return any_rounds(step, block, first, &p);
}

// When balls meet within the sub-step, going on as they do; its end where they do not, at once where they
// touch. `between`: from centre to centre as it begins.
static trvi_lanes time_of_meeting(const trvi_step *step, const trvi_block *block, uint32_t first,
                                  trvi_wide3 between, trvi_wide3 speed)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), h = trvi_lanes_splat(step->h);
    trvi_lanes radii = trvi_lanes_add(trvi_lanes_load(block->radius_a + first),
                                      trvi_lanes_load(block->radius_b + first));
    trvi_lanes apart =
        trvi_lanes_sub(trvi_wide_dot(between, between), trvi_lanes_mul(radii, radii));
    trvi_lanes closing = trvi_lanes_sub(zero, trvi_wide_dot(between, speed));
    trvi_lanes root = trvi_lanes_sub(trvi_lanes_mul(closing, closing),
                                     trvi_lanes_mul(trvi_wide_dot(speed, speed), apart));
    trvi_lanes over = trvi_lanes_add(closing, trvi_lanes_sqrt(trvi_lanes_max(root, zero)));
    trvi_lanes meets = trvi_lanes_if_greater(closing, zero, over, zero);
    meets = trvi_lanes_if_greater(zero, root, zero, meets);
    trvi_lanes time = trvi_lanes_div(apart, trvi_lanes_if_greater(meets, zero, meets, h));
    time = trvi_lanes_if_greater(meets, zero, trvi_lanes_min(time, h), h);
    return trvi_lanes_if_greater(apart, zero, time, zero);
}

// How far the cores of what follows both were apart as the step began; 0 of what else touches.
static trvi_lanes cores_apart(const trvi_block *block, const trvi_block_point *point,
                              uint32_t first)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes radii = trvi_lanes_add(trvi_lanes_load(block->radius_a + first),
                                      trvi_lanes_load(block->radius_b + first));
    trvi_lanes apart = trvi_lanes_add(radii, trvi_lanes_load(point->gap + first));
    return trvi_lanes_if_greater(zero, trvi_lanes_load(block->over_a + first), apart, zero);
}

// The normal of balls goes from centre to centre as they meet. How it has changed; not at all of what else
// touches.
static trvi_wide3 change_between_balls(const trvi_step *step, const trvi_block *block,
                                       uint32_t first, const wide_passing *p)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    const trvi_wide3 none = {zero, zero, zero};
    trvi_wide3 n = trvi_wide_load(&block->normal_then, first);
    trvi_lanes apart = cores_apart(block, &block->point[0], first);
    trvi_wide3 between = trvi_wide_add(trvi_wide_scale(n, apart), p->past);
    trvi_lanes time = time_of_meeting(step, block, first, between, p->speed);
    trvi_wide3 past = trvi_wide_mul_add(p->past, p->speed, time);
    trvi_lanes goes = rounds(block, first, n, past, TRVI_BALLS_LEFT);
    goes = trvi_lanes_if_greater(apart, zero, goes, zero);
    goes = trvi_lanes_if_greater(zero, trvi_lanes_load(block->over_b + first), goes, zero);
    between = trvi_wide_mul_add(between, p->speed, time);
    trvi_lanes square = trvi_wide_dot(between, between);
    goes = trvi_lanes_if_greater(square, zero, goes, zero);
    square = trvi_lanes_if_greater(square, zero, square, one);
    between = trvi_wide_scale(between, trvi_lanes_div(one, trvi_lanes_sqrt(square)));
    return if_greater3(goes, zero, trvi_wide_sub(between, n), none);
}

// The tangent is turned from one normal to the other, by the shortest way.
static trvi_wide3 change_of_tangent(trvi_wide3 n, trvi_wide3 change, trvi_wide3 tangent)
{
    trvi_wide3 after = trvi_wide_add(n, change), sum = trvi_wide_add(n, after);
    trvi_lanes one = trvi_lanes_splat(1.0f);
    trvi_lanes share =
        trvi_lanes_div(trvi_wide_dot(after, tangent),
                       trvi_lanes_max(trvi_lanes_add(one, trvi_wide_dot(n, after)), one));
    return trvi_wide_scale(sum, trvi_lanes_sub(trvi_lanes_splat(0.0f), share));
}

// What of an arm goes from the centre of what is round to where it touches.
static trvi_wide3 rim_of(const trvi_lane_vec3 *arm, const trvi_lane_vec3 *core, uint32_t first)
{
    return trvi_wide_sub(trvi_wide_load(arm, first), trvi_wide_load(core, first));
}

static TRVI_RARE void turn_between_balls(const trvi_step *step, trvi_block *block, uint32_t first,
                                         const wide_passing *p, wide_sides *now)
{
    trvi_wide3 n = trvi_wide_load(&block->normal_then, first);
    trvi_wide3 t = trvi_wide_load(&block->tangent_then, first);
    trvi_wide3 change = change_between_balls(step, block, first, p);
    trvi_lanes goes = trvi_wide_dot(change, change);
    trvi_wide3 tangent = trvi_wide_add(t, change_of_tangent(n, change, t));
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_wide_store(
        &block->normal, first,
        if_greater3(goes, zero, trvi_wide_add(n, change), trvi_wide_load(&block->normal, first)));
    trvi_wide_store(&block->tangent_1, first,
                    if_greater3(goes, zero, tangent, trvi_wide_load(&block->tangent_1, first)));
    trvi_wide3 rim_a = rim_of(&block->arm_a, &block->core_a, first);
    trvi_wide3 rim_b = rim_of(&block->arm_b, &block->core_b, first);
    now->arm_a = add_some(now->arm_a, trvi_wide_scale(change, trvi_wide_dot(n, rim_a)));
    now->arm_b = add_some(now->arm_b, trvi_wide_scale(change, trvi_wide_dot(n, rim_b)));
}

// What is round and meets an edge: see contact_meet.c. Only where its own way makes that worth while, whoever
// shares the block.
static TRVI_RARE void turn_at_edges(const trvi_step *step, trvi_block *block, uint32_t first,
                                    const wide_passing *p, wide_sides *now)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_wide3 n = trvi_wide_load(&block->normal_then, first);
    trvi_lanes goes = rounds_by_end(step, block, first, n, p, TRVI_BALLS_LEFT);
    goes = trvi_lanes_if_greater(zero, trvi_lanes_load(block->over_a + first), goes, zero);
    goes = trvi_lanes_if_greater(zero, trvi_lanes_load(block->over_b + first), zero, goes);
    if (all_at_least(zero, goes))
        return;
    trvi_lane_floats turns;
    trvi_lane_vec3 arm_a, arm_b;
    trvi_lanes_store(turns + first, goes);
    trvi_wide_store(&arm_a, first, now->arm_a);
    trvi_wide_store(&arm_b, first, now->arm_b);
    for (uint32_t lane = first; lane < first + TRVI_LANES; lane++)
        if (turns[lane] > 0.0f)
            trvi_block_meet(step, block, lane, &arm_a, &arm_b);
    now->arm_a = trvi_wide_load(&arm_a, first);
    now->arm_b = trvi_wide_load(&arm_b, first);
}

// From now on forces act on both at the one place where they touch.
static void meet_at_place(trvi_block *block, uint32_t first, const wide_sides *now)
{
    trvi_wide3 past = way_past(block, first, now);
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes forth = trvi_lanes_max(trvi_lanes_load(block->over_a + first), zero);
    trvi_lanes back = trvi_lanes_max(trvi_lanes_load(block->over_b + first), zero);
    trvi_wide3 arm_a = add_some(now->arm_a, trvi_wide_scale(past, forth));
    trvi_wide3 arm_b = add_some(now->arm_b, trvi_wide_scale(past, trvi_lanes_sub(zero, back)));
    trvi_wide_store(&block->middle_a, first, arm_a);
    trvi_wide_store(&block->middle_b, first, arm_b);
    respond_part(block, first);
}

// Is all of it as the step began? Whatever could change in a lane must count here, by that lane's own bounds:
// else it would hang on who shares the block.
static bool is_as_it_began(const trvi_step *step, const trvi_block *block, uint32_t first,
                           const wide_sides *now)
{
    return is_same3(now->arm_a, trvi_wide_load(&block->arm_a, first)) &&
           is_same3(now->arm_b, trvi_wide_load(&block->arm_b, first)) &&
           is_none3(way_past(block, first, now)) && !any_turned(block, first, now) &&
           !(block->balls != 0 && any_rounds_by_now(step, block, first, now));
}

// As a sub-step begins: forces act where the sides have got to. With arms, and normals, as of the step's
// beginning what rocks is brought back late, by half a step on average, and swings farther each time.
static void follow_arms(const trvi_step *step, trvi_block *block, uint32_t first)
{
    bool balls = block->balls != 0;
    if (!block->swings && !(balls && (block->placed || any_rounds_unswung(step, block, first))))
        return;
    wide_sides now = see_sides(step, block, first);
    if (!block->placed) {
        if (is_as_it_began(step, block, first, &now))
            return;
        trvi_block_place(step, block);
    }
    turn_normal(block, first, &now);
    if (balls) {
        const wide_passing p = see_passing(step, block, first, &now);
        turn_between_balls(step, block, first, &p, &now);
        turn_at_edges(step, block, first, &p, &now);
    }
    meet_at_place(block, first, &now);
}

// Balls are farther apart along their normal of now than what they have moved along that tells.
static TRVI_RARE trvi_lanes with_turn_of_balls(const trvi_block *block,
                                               const trvi_block_point *point, uint32_t first,
                                               trvi_lanes gap)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes apart = cores_apart(block, point, first);
    trvi_wide3 n = trvi_wide_load(&block->normal_then, first);
    trvi_wide3 change = trvi_wide_sub(trvi_wide_load(&block->normal, first), n);
    trvi_lanes more = trvi_lanes_mul(apart, trvi_wide_dot(change, n));
    return trvi_lanes_if_greater(apart, zero, trvi_lanes_add(gap, more), gap);
}

// As a sub-step is relaxed, after all have moved: what touches only by then is held at the one place where it does.
// `parted`: how far B's centre of mass has moved since the step began, less how far A's.
static void rejoin_places(const trvi_step *step, trvi_block *block, uint32_t first,
                          trvi_wide3 parted)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    const trvi_wide3 none = {zero, zero, zero};
    wide_sides now = {{none, none, zero, zero}, {parted, none, zero, zero}, none, none, zero};
    now.arm_a = trvi_wide_load(&block->middle_a, first);
    now.arm_b = trvi_wide_load(&block->middle_b, first);
    if (block->carried)
        now.kept = turned_by_hand(block, first);
    if (is_none3(way_past(block, first, &now)))
        return;
    if (!block->placed)
        trvi_block_place(step, block);
    meet_at_place(block, first, &now);
}

#endif
