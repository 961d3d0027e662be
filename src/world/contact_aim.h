// What a pass over a contact's points aims at.
//
// Where the anchors of a point have got to follows from where both bodies are, which no sweep
// changes. The bodies' turns since the beginning of the step are exact, however far: of a point
// near the contact's middle only the difference of both turns counts.
//
// Private to contact_solve.c.
#ifndef TRVI_CONTACT_AIM_H
#define TRVI_CONTACT_AIM_H

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
    return trvi_lanes_at_least(zero, trvi_wide_dot(a, a)) == (1u << TRVI_LANES) - 1;
}

static bool is_same3(trvi_wide3 a, trvi_wide3 b)
{
    return is_none3(trvi_wide_sub(a, b));
}

// Both sides as a sub-step begins.
typedef struct wide_sides {
    wide_way way_a, way_b;
    trvi_wide3 arm_a, arm_b; // by now
    trvi_lanes kept; // more than 0 where what turns by hand carries one of them, see add_carrying
} wide_sides;

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
        trvi_wide3 spin = trvi_wide_load(&block->carrier, first);
        now.kept = trvi_wide_dot(spin, spin);
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

// How far B's side has gone past A's where they touched; 0 where that is hardly anything.
static trvi_wide3 way_past(const trvi_block *block, uint32_t first, const wide_sides *now)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_wide3 then_a = trvi_wide_load(&block->arm_a, first);
    trvi_wide3 then_b = trvi_wide_load(&block->arm_b, first);
    trvi_wide3 at_a = trvi_wide_add(now->way_a.moved, trvi_wide_sub(now->arm_a, then_a));
    trvi_wide3 at_b = trvi_wide_add(now->way_b.moved, trvi_wide_sub(now->arm_b, then_b));
    trvi_wide3 past =
        trvi_wide_unless_less(trvi_wide_sub(at_b, at_a), trvi_lanes_splat(TRVI_TURN_NONE));
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
    return trvi_lanes_at_least(least_of_faces(block, first), most) != (1u << TRVI_LANES) - 1;
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

// More than 0 where balls come past each other by so much, in parts of their arms, that their normal is another.
static trvi_lanes rounds(const trvi_block *block, uint32_t first, trvi_wide3 n, trvi_wide3 past,
                         float least)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_wide3 along = trvi_wide_sub(past, trvi_wide_scale(n, trvi_wide_dot(n, past)));
    trvi_wide3 arm_a = trvi_wide_load(&block->arm_a, first);
    trvi_wide3 arm_b = trvi_wide_load(&block->arm_b, first);
    trvi_lanes few =
        trvi_lanes_mul(trvi_lanes_splat(least * least),
                       trvi_lanes_add(trvi_wide_dot(arm_a, arm_a), trvi_wide_dot(arm_b, arm_b)));
    return trvi_lanes_if_greater(trvi_wide_dot(along, along), few, one, zero);
}

// Of the centres of what is round on one side, which have swung since.
static trvi_wide3 center_speed(const side_state *s, const trvi_lane_vec3 *core, uint32_t first,
                               trvi_wide3 swung)
{
    trvi_wide3 now = trvi_wide_add(trvi_wide_load(core, first), swung);
    return trvi_wide_add(s->linear, trvi_wide_cross(s->angular, now));
}

static wide_passing see_passing(const trvi_step *step, const trvi_block *block, uint32_t first,
                                const wide_sides *now)
{
    const pair_state s = gather(step, block, first);
    trvi_wide3 swung_a = trvi_wide_sub(now->arm_a, trvi_wide_load(&block->arm_a, first));
    trvi_wide3 swung_b = trvi_wide_sub(now->arm_b, trvi_wide_load(&block->arm_b, first));
    trvi_wide3 at_a = trvi_wide_add(now->way_a.moved, swung_a);
    trvi_wide3 at_b = trvi_wide_add(now->way_b.moved, swung_b);
    return (wide_passing){trvi_wide_sub(at_b, at_a),
                          trvi_wide_sub(center_speed(&s.b, &block->core_b, first, swung_b),
                                        center_speed(&s.a, &block->core_a, first, swung_a))};
}

// May any normal of balls change within the sub-step? By a little less than it takes: whoever changes is among
// them, whatever rounding does.
static bool any_rounds(const trvi_step *step, const trvi_block *block, uint32_t first,
                       const wide_passing *p)
{
    trvi_wide3 n = trvi_wide_load(&block->normal, first);
    trvi_wide3 onward = trvi_wide_mul_add(p->past, p->speed, trvi_lanes_splat(step->h));
    const float least = 0.99f * TRVI_BALLS_LEFT;
    trvi_lanes any = trvi_lanes_max(rounds(block, first, n, p->past, least),
                                    rounds(block, first, n, onward, least));
    return trvi_lanes_at_least(trvi_lanes_splat(0.0f), any) != (1u << TRVI_LANES) - 1;
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

// How far the centres of balls were apart as the step began; 0 of what else touches.
static trvi_lanes centers_apart(const trvi_block *block, uint32_t first)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes radii = trvi_lanes_add(trvi_lanes_load(block->radius_a + first),
                                      trvi_lanes_load(block->radius_b + first));
    trvi_lanes apart = trvi_lanes_add(radii, trvi_lanes_load(block->point[0].gap + first));
    return trvi_lanes_if_greater(zero, trvi_lanes_load(block->over_a + first), apart, zero);
}

// The normal of balls goes from centre to centre as they meet. How it has changed; not at all of what else
// touches.
static trvi_wide3 change_between_balls(const trvi_step *step, const trvi_block *block,
                                       uint32_t first, const wide_sides *now)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    const trvi_wide3 none = {zero, zero, zero};
    wide_passing p = see_passing(step, block, first, now);
    trvi_wide3 n = trvi_wide_load(&block->normal_then, first);
    trvi_lanes apart = centers_apart(block, first);
    trvi_wide3 between = trvi_wide_add(trvi_wide_scale(n, apart), p.past);
    trvi_lanes time = time_of_meeting(step, block, first, between, p.speed);
    trvi_wide3 past = trvi_wide_mul_add(p.past, p.speed, time);
    trvi_lanes goes = rounds(block, first, n, past, TRVI_BALLS_LEFT);
    goes = trvi_lanes_if_greater(apart, zero, goes, zero);
    between = trvi_wide_mul_add(between, p.speed, time);
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
                                         wide_sides *now)
{
    trvi_wide3 n = trvi_wide_load(&block->normal_then, first);
    trvi_wide3 t = trvi_wide_load(&block->tangent_then, first);
    trvi_wide3 change = change_between_balls(step, block, first, now);
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

// Forces act on both at the one place where they touch.
static void meet_at_place(const trvi_block *block, uint32_t first, wide_sides *now)
{
    trvi_wide3 past = way_past(block, first, now);
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes forth = trvi_lanes_max(trvi_lanes_load(block->over_a + first), zero);
    trvi_lanes back = trvi_lanes_max(trvi_lanes_load(block->over_b + first), zero);
    now->arm_a = add_some(now->arm_a, trvi_wide_scale(past, forth));
    now->arm_b = add_some(now->arm_b, trvi_wide_scale(past, trvi_lanes_sub(zero, back)));
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
    if (balls)
        turn_between_balls(step, block, first, &now);
    meet_at_place(block, first, &now);
    trvi_wide_store(&block->middle_a, first, now.arm_a);
    trvi_wide_store(&block->middle_b, first, now.arm_b);
    respond_part(block, first);
}

// Balls are farther apart along their normal of now than what they have moved along that tells.
static TRVI_RARE trvi_lanes with_turn_of_balls(const trvi_block *block, uint32_t first,
                                               trvi_lanes gap)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes apart = centers_apart(block, first);
    trvi_wide3 n = trvi_wide_load(&block->normal_then, first);
    trvi_wide3 change = trvi_wide_sub(trvi_wide_load(&block->normal, first), n);
    trvi_lanes more = trvi_lanes_mul(apart, trvi_wide_dot(change, n));
    return trvi_lanes_if_greater(apart, zero, trvi_lanes_add(gap, more), gap);
}

// Where B's anchors are from A's, in the frame of the block: of a point at the middle, and for each
// unit along the three axes from there.
typedef struct wide_offsets {
    trvi_wide3 middle;
    trvi_wide3 rows[3];
    uint32_t turned_a, turned_b; // bits of lanes
} wide_offsets;

static wide_offsets offsets_of(const trvi_step *step, const trvi_block *block, uint32_t first)
{
    const uint32_t *bodies_a = block->body_a + first, *bodies_b = block->body_b + first;
    trvi_wide_frame frame = trvi_block_frame(block, first);
    wide_offsets out;
    if (!block->swings) {
        trvi_wide3 at_a = gather_moved(step->motions, bodies_a, &out.turned_a);
        trvi_wide3 at_b = gather_moved(step->motions, bodies_b, &out.turned_b);
        out.middle = trvi_into_frame(&frame, trvi_wide_sub(at_b, at_a));
        out.rows[0] = out.rows[1] = out.rows[2] = out.middle; // there is no point but at the middle
        return out;
    }
    wide_way a = gather_ways(step->motions, bodies_a), b = gather_ways(step->motions, bodies_b);
    out.turned_a = bits_of_turned(a.odd);
    out.turned_b = bits_of_turned(b.odd);
    trvi_wide3 at_a = trvi_wide_add(a.moved, swing(&a, trvi_wide_load(&block->core_a, first)));
    trvi_wide3 at_b = trvi_wide_add(b.moved, swing(&b, trvi_wide_load(&block->core_b, first)));
    out.middle = trvi_into_frame(&frame, trvi_wide_sub(at_b, at_a));
    if (block->points < 2) {
        out.rows[0] = out.rows[1] = out.rows[2] = out.middle;
        return out;
    }
    const trvi_wide3 axes[3] = {frame.normal, frame.tangent_1, frame.tangent_2};
    trvi_wide3 columns[3];
    for (int k = 0; k < 3; k++)
        columns[k] = trvi_into_frame(&frame, trvi_wide_sub(swing(&b, axes[k]), swing(&a, axes[k])));
    out.rows[0] = (trvi_wide3){columns[0].x, columns[1].x, columns[2].x};
    out.rows[1] = (trvi_wide3){columns[0].y, columns[1].y, columns[2].y};
    out.rows[2] = (trvi_wide3){columns[0].z, columns[1].z, columns[2].z};
    return out;
}

// B's anchor from A's along the normal and the tangents.
static trvi_wide3 offset_at(const wide_offsets *offsets, const trvi_block *block,
                            const trvi_block_point *point, uint32_t first)
{
    trvi_wide3 at = offsets->middle;
    if (block->points > 1) {
        trvi_wide3 from = trvi_wide_load(&point->at, first);
        at = trvi_wide_add(at, (trvi_wide3){trvi_wide_dot(offsets->rows[0], from),
                                            trvi_wide_dot(offsets->rows[1], from),
                                            trvi_wide_dot(offsets->rows[2], from)});
    }
    trvi_lanes gap =
        trvi_lanes_add(trvi_lanes_load(point->gap + first), trvi_lanes_load(point->held + first));
    if (block->balls != 0 && block->placed)
        gap = with_turn_of_balls(block, first, gap);
    return (trvi_wide3){trvi_lanes_add(at.x, gap),
                        trvi_lanes_add(at.y, trvi_lanes_load(point->slip_1 + first)),
                        trvi_lanes_add(at.z, trvi_lanes_load(point->slip_2 + first))};
}

// What of an error lies beyond the slop.
static trvi_lanes beyond(trvi_lanes error, trvi_lanes slop)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), low = trvi_lanes_sub(zero, slop);
    return trvi_lanes_sub(error, trvi_lanes_max(trvi_lanes_min(error, slop), low));
}

// A gap may be closed within the sub-step. What is jammed gives way in all passes.
static void aim_to_hold(const trvi_step *step, const trvi_block_point *point, uint32_t first,
                        trvi_lanes gap, trvi_lanes leak, trvi_aim *aim)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes close = trvi_lanes_mul(gap, trvi_lanes_splat(step->inverse_h));
    trvi_lanes_store(aim->bias + first, trvi_lanes_if_greater(gap, zero, close, zero));
    trvi_lanes_store(aim->mass + first, trvi_lanes_load(point->normal_mass + first));
    trvi_lanes_store(aim->leak + first, trvi_lanes_if_greater(gap, zero, zero, leak));
    trvi_lanes_store(aim->back_1 + first, zero);
    trvi_lanes_store(aim->back_2 + first, zero);
}

// How fast overlap is pushed out at most. What gives way along its free axes alone, and at a slant, is
// not faster than that along these.
static trvi_lanes fastest_push(const trvi_step *step, const trvi_block *block, uint32_t first)
{
    trvi_lanes limit = trvi_lanes_splat(step->push_speed), one = trvi_lanes_splat(1.0f);
    if (!block->locked)
        return limit;
    trvi_lanes yields = trvi_lanes_load(block->speeds.xx + first);
    trvi_lanes whole = trvi_lanes_add(trvi_lanes_load(block->inverse_mass_a + first),
                                      trvi_lanes_load(block->inverse_mass_b + first));
    trvi_lanes share = trvi_lanes_div(yields, trvi_lanes_max(whole, trvi_lanes_splat(1.0e-30f)));
    share = trvi_lanes_max(share, trvi_lanes_splat(TRVI_LOCKED_YIELD));
    return trvi_lanes_mul(limit, trvi_lanes_sqrt(trvi_lanes_min(share, one)));
}

// Overlap beyond the slop is pushed out, by the spring where there is one; what friction let go by
// is taken back, too. Gives how fast it is pushed out, below 0.
static trvi_lanes aim_to_push(const trvi_step *step, const trvi_block *block,
                              const trvi_block_point *point, uint32_t first, trvi_wide3 at,
                              trvi_aim *aim)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), gap = at.x;
    trvi_lanes rate = trvi_lanes_load(block->bias_rate + first);
    trvi_lanes hold = trvi_lanes_load(block->hold_rate + first);
    trvi_lanes hold_slop = trvi_lanes_load(block->hold_slop + first);
    trvi_lanes close = trvi_lanes_mul(gap, trvi_lanes_splat(step->inverse_h));
    trvi_lanes deep =
        trvi_lanes_min(trvi_lanes_add(gap, trvi_lanes_load(block->slop + first)), zero);
    trvi_lanes out = trvi_lanes_mul(rate, deep);
    trvi_lanes mass = trvi_lanes_load(point->normal_mass + first);
    trvi_lanes soft = trvi_lanes_mul(mass, trvi_lanes_load(block->mass_scale + first));
    trvi_lanes leak = trvi_lanes_load(block->impulse_scale + first);
    trvi_lanes_store(aim->bias + first, trvi_lanes_if_greater(gap, zero, close, out));
    trvi_lanes_store(aim->mass + first, trvi_lanes_if_greater(gap, zero, mass, soft));
    trvi_lanes_store(aim->leak + first, trvi_lanes_if_greater(gap, zero, zero, leak));
    trvi_lanes_store(aim->back_1 + first, trvi_lanes_mul(hold, beyond(at.y, hold_slop)));
    trvi_lanes_store(aim->back_2 + first, trvi_lanes_mul(hold, beyond(at.z, hold_slop)));
    return trvi_lanes_if_greater(mass, zero, out, zero);
}

// Where the deepest point would be pushed out too fast all are slower by the same: what lies aslant in
// another straightens as it comes out. `fastest`: of the points, below 0.
static void limit_pushes(const trvi_step *step, const trvi_block *block, uint32_t first,
                         trvi_lanes fastest, trvi_aims *aims)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), limit = fastest_push(step, block, first);
    fastest = trvi_lanes_sub(zero, fastest);
    trvi_lanes_store(aims->pushes + first, trvi_lanes_min(fastest, limit));
    trvi_lanes excess = trvi_lanes_max(trvi_lanes_sub(fastest, limit), zero);
    if (trvi_lanes_at_least(zero, excess) == (1u << TRVI_LANES) - 1)
        return;
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_lanes bias = trvi_lanes_load(aims->of[p].bias + first);
        trvi_lanes slower = trvi_lanes_min(trvi_lanes_add(bias, excess), zero);
        trvi_lanes_store(aims->of[p].bias + first, trvi_lanes_if_greater(zero, bias, slower, bias));
    }
}

// Where one side turns by itself, the point that bears on it goes to places of another speed: what
// counts is where it is at the end of the sub-step, which lies `ahead` of the bodies (s).
static void add_carrying(const trvi_step *step, const trvi_block *block, uint32_t first,
                         float ahead, trvi_aims *aims)
{
    trvi_lane_vec3 way;
    for (uint32_t lane = first; lane < first + TRVI_LANES; lane++) {
        const trvi_motion *a = &step->motions[block->body_a[lane]];
        const trvi_motion *b = &step->motions[block->body_b[lane]];
        trv_vec3 moved =
            trvi_mul_add(trvi_sub(b->moved, a->moved), trvi_sub(b->linear, a->linear), ahead);
        way.x[lane] = moved.x;
        way.y[lane] = moved.y;
        way.z[lane] = moved.z;
    }
    trvi_wide_frame frame = trvi_block_frame(block, first);
    trvi_wide3 speed =
        trvi_into_frame(&frame, trvi_wide_cross(trvi_wide_load(&way, first),
                                                trvi_wide_load(&block->carrier, first)));
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_aim *aim = &aims->of[p];
        trvi_lanes_store(aim->bias + first,
                         trvi_lanes_add(trvi_lanes_load(aim->bias + first), speed.x));
        trvi_lanes_store(aim->back_1 + first,
                         trvi_lanes_add(trvi_lanes_load(aim->back_1 + first), speed.y));
        trvi_lanes_store(aim->back_2 + first,
                         trvi_lanes_add(trvi_lanes_load(aim->back_2 + first), speed.z));
    }
}

static trvi_lanes square_of(trvi_lanes x, trvi_lanes y)
{
    return trvi_lanes_add(trvi_lanes_mul(x, x), trvi_lanes_mul(y, y));
}

// What slid in the sub-step before is held from where it is now; and so is what did in the one before
// that, and has come to a stop since: it is not pulled back to where its last sub-step began. Less than
// the slop of the way is left to the hold: where points take turns in sliding, nothing creeps. What
// turns by hand carries its points along circles, which friction at its limit is late to follow: there,
// too, the hold brings them back.
static void let_slide(const trvi_block *block, trvi_block_point *point, uint32_t first,
                      trvi_wide3 *at)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes pull_1 = trvi_lanes_load(point->tangent_1 + first);
    trvi_lanes pull_2 = trvi_lanes_load(point->tangent_2 + first);
    trvi_lanes most = trvi_lanes_mul(
        trvi_lanes_mul(trvi_lanes_load(block->friction + first), trvi_lanes_splat(TRVI_SLIDING)),
        trvi_lanes_load(point->normal + first));
    trvi_lanes pull = square_of(pull_1, pull_2);
    trvi_lanes slides = trvi_lanes_if_greater(pull, trvi_lanes_mul(most, most), one, zero);
    trvi_lanes slid = trvi_lanes_load(point->slid + first);
    trvi_lanes_store(point->slid + first, slides);
    slides = trvi_lanes_max(slides, slid);
    trvi_lanes slip_1 = trvi_lanes_load(point->slip_1 + first);
    trvi_lanes slip_2 = trvi_lanes_load(point->slip_2 + first);
    trvi_lanes way = square_of(trvi_lanes_sub(at->y, slip_1), trvi_lanes_sub(at->z, slip_2));
    trvi_lanes slop = trvi_lanes_load(block->hold_slop + first);
    slides = trvi_lanes_if_greater(way, trvi_lanes_mul(slop, slop), slides, zero);
    slides = trvi_lanes_if_greater(trvi_lanes_load(block->hold_rate + first), zero, slides, zero);
    if (block->carried) {
        trvi_wide3 spin = trvi_wide_load(&block->carrier, first);
        slides = trvi_lanes_if_greater(trvi_wide_dot(spin, spin), zero, zero, slides);
    }
    trvi_lanes back_1 = trvi_lanes_if_greater(slides, zero, at->y, zero);
    trvi_lanes back_2 = trvi_lanes_if_greater(slides, zero, at->z, zero);
    trvi_lanes_store(point->slip_1 + first, trvi_lanes_sub(slip_1, back_1));
    trvi_lanes_store(point->slip_2 + first, trvi_lanes_sub(slip_2, back_2));
    at->y = trvi_lanes_sub(at->y, back_1);
    at->z = trvi_lanes_sub(at->z, back_2);
}

static void aim_part(const trvi_step *step, trvi_block *block, uint32_t first, bool push,
                     trvi_aims *aims)
{
    wide_offsets offsets = offsets_of(step, block, first);
    trvi_lanes fastest = trvi_lanes_splat(0.0f);
    trvi_lanes leak =
        trvi_lanes_mul(trvi_lanes_load(block->jammed + first), trvi_lanes_splat(TRVI_JAM_LEAK));
    if ((offsets.turned_a | offsets.turned_b) != 0)
        renew_response(step, block, first, offsets.turned_a, offsets.turned_b);
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_block_point *point = &block->point[p];
        trvi_wide3 at = offset_at(&offsets, block, point, first);
        if (push && !block->aimed) // once in a sub-step, by what the one before has found
            let_slide(block, point, first, &at);
        if (push)
            fastest =
                trvi_lanes_min(fastest, aim_to_push(step, block, point, first, at, &aims->of[p]));
        else
            aim_to_hold(step, point, first, at.x, leak, &aims->of[p]);
    }
    if (push)
        limit_pushes(step, block, first, fastest, aims);
    if (block->carried)
        add_carrying(step, block, first, push ? step->h : 0.0f, aims);
}

#endif
