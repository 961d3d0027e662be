// What a pass over a contact's points aims at.
//
// Where the anchors of a point have got to follows from where both bodies are, which no sweep
// changes. The bodies' turns since the beginning of the step are exact, however far: of a point
// near the contact's middle only the difference of both turns counts.
//
// Private to contact_solve.c.
#ifndef TRVI_CONTACT_AIM_H
#define TRVI_CONTACT_AIM_H

#include "contact_follow.h"

// Where B's anchors are from A's, in the frame of the block: of a point at the middle, and for each
// unit along the three axes from there.
typedef struct wide_offsets {
    trvi_wide3 middle;
    trvi_wide3 rows[3];
    trvi_wide3 parted;           // how far its centre of mass has moved past A's, world space
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
        out.parted = trvi_wide_sub(at_b, at_a);
        out.middle = trvi_into_frame(&frame, out.parted);
        out.rows[0] = out.rows[1] = out.rows[2] = out.middle; // there is no point but at the middle
        return out;
    }
    wide_way a = gather_ways(step->motions, bodies_a), b = gather_ways(step->motions, bodies_b);
    out.parted = trvi_wide_sub(b.moved, a.moved);
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
        gap = with_turn_of_balls(block, point, first, gap);
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

// As a sub-step begins: which lanes have several points, one of which bears something.
static void see_borne(trvi_block *block, uint32_t first)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes bears = zero, several = zero;
    for (uint32_t p = 0; p < block->points; p++)
        bears = trvi_lanes_max(bears, trvi_lanes_load(block->point[p].normal + first));
    if (block->points > 1)
        several = trvi_lanes_load(block->point[1].normal_mass + first);
    trvi_lanes_store(block->borne + first, trvi_lanes_if_greater(several, zero, bears, zero));
}

// How fast the points close in, m/s.
static void see_closing(const trvi_step *step, const trvi_block *block, uint32_t first,
                        trvi_lanes closing[TRV_MANIFOLD_POINTS])
{
    pair_state s = gather(step, block, first);
    trvi_wide_frame frame = trvi_block_frame(block, first);
    trvi_wide3 speed = relative_speed(block, first, &frame, &s);
    trvi_wide3 spin = trvi_into_frame(&frame, trvi_wide_sub(s.b.angular, s.a.angular));
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_lanes parting =
            speed_at(&block->point[p], first, (trvi_wide3){speed.x, spin.y, spin.z});
        closing[p] = trvi_lanes_sub(trvi_lanes_splat(0.0f), parting);
    }
}

// Lanes in which something round has followed both: it meets by another normal in the next sub-step. Else 0.
static TRVI_RARE trvi_lanes turned_lanes(const trvi_block *block, uint32_t first)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_wide3 change = trvi_wide_sub(trvi_wide_load(&block->normal, first),
                                      trvi_wide_load(&block->normal_then, first));
    trvi_lanes turned = trvi_lanes_if_greater(trvi_wide_dot(change, change), zero, one, zero);
    return trvi_lanes_if_greater(zero, trvi_lanes_load(block->over_a + first), turned, zero);
}

// From what gap on a point has not met yet, and does not meet as good as at once.
static trvi_lanes least_unmet(const trvi_step *step)
{
    return trvi_lanes_splat(TRVI_UNMET_LEAST * step->weight * step->h);
}

// `is` in lanes where the point is there and bears nothing, else the other.
static trvi_lanes if_idle(const trvi_block_point *point, uint32_t first, trvi_lanes is,
                          trvi_lanes other)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    is = trvi_lanes_if_greater(trvi_lanes_load(point->normal_mass + first), zero, is, other);
    return trvi_lanes_if_greater(trvi_lanes_load(point->normal + first), zero, other, is);
}

// What has not met yet is not slowed before it does, in a later sub-step, where another point bore the body as this
// one began. That goes on to until then: were it relieved now, what rocks from edge to edge would lose too much each
// time. Nor is it made faster, but by weight: what lands flat would be turned by all that is still on its way.
static void let_unmet(const trvi_step *step, const trvi_block *block, uint32_t first,
                      trvi_wide3 *at)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), h = trvi_lanes_splat(step->h);
    const trvi_lanes weight = trvi_lanes_splat(step->weight), far = trvi_lanes_splat(TRVI_HELD_M);
    trvi_lanes most = trvi_lanes_mul(weight, trvi_lanes_splat(TRVI_UNMET_FALL));
    most = trvi_lanes_if_greater(trvi_lanes_load(block->borne + first), zero, most, zero);
    trvi_lanes turned = zero, any = zero;
    if (block->balls != 0 && block->placed)
        turned = turned_lanes(block, first);
    trvi_lanes unmet[TRV_MANIFOLD_POINTS], closing[TRV_MANIFOLD_POINTS];
    for (uint32_t p = 0; p < block->points; p++) {
        unmet[p] = trvi_lanes_if_greater(most, at[p].x, at[p].x, zero);
        unmet[p] = trvi_lanes_if_greater(at[p].x, least_unmet(step), unmet[p], zero);
        unmet[p] = trvi_lanes_if_greater(turned, zero, at[p].x, unmet[p]);
        unmet[p] = if_idle(&block->point[p], first, unmet[p], zero);
        any = trvi_lanes_max(any, unmet[p]);
    }
    if (all_at_least(zero, any))
        return;
    see_closing(step, block, first, closing);
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_lanes way = trvi_lanes_mul(trvi_lanes_add(closing[p], weight), h);
        way = trvi_lanes_max(at[p].x, trvi_lanes_if_greater(turned, zero, far, way));
        at[p].x = trvi_lanes_if_greater(unmet[p], zero, way, at[p].x);
    }
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

// Does a body turn in a sub-step by more than what it touched with stays near for?
static bool whirls(const trvi_step *step, uint32_t solver)
{
    trv_vec3 turn = trvi_scale(step->motions[solver].angular, step->h);
    return trvi_dot(turn, turn) > TRVI_WHIRLS * TRVI_WHIRLS;
}

// The point that was pushed has whirled away from where that was: to take the push back, because there is room
// now, would be to pull at another place, towards the other side, and gives energy. `turned`: bits of the lanes
// whose inertia has turned, too.
static TRVI_RARE void hold_whirling(const trvi_step *step, const trvi_block *block,
                                    const trvi_block_point *point, uint32_t first, uint32_t turned,
                                    trvi_aim *aim)
{
    for (uint32_t lane = first; lane < first + TRVI_LANES; lane++)
        if ((turned >> (lane - first) & 1u) && point->normal[lane] > 0.0f &&
            (whirls(step, block->body_a[lane]) || whirls(step, block->body_b[lane])))
            aim->bias[lane] = 0.0f;
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
    if (all_at_least(zero, excess))
        return;
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_lanes bias = trvi_lanes_load(aims->of[p].bias + first);
        trvi_lanes slower = trvi_lanes_min(trvi_lanes_add(bias, excess), zero);
        trvi_lanes_store(aims->of[p].bias + first, trvi_lanes_if_greater(zero, bias, slower, bias));
    }
}

// `more` to a speed in lanes that are `on`; the others keep it to the bit.
static void add_where(trvi_lanes on, trvi_lanes more, float *speed)
{
    trvi_lanes then = trvi_lanes_load(speed);
    trvi_lanes_store(
        speed, trvi_lanes_if_greater(on, trvi_lanes_splat(0.0f), trvi_lanes_add(then, more), then));
}

// Where one side turns by itself, the point that bears on it goes to places of another speed: what
// counts is where it is at the end of the sub-step, which lies `ahead` of the bodies (s).
static void carry_part(const trvi_step *step, const trvi_block *block, uint32_t first, float ahead,
                       trvi_aims *aims)
{
    trvi_lane_vec3 way;
    for (uint32_t lane = first; lane < first + TRVI_LANES; lane++) {
        const trvi_motion *a = &step->motions[block->body_a[lane]];
        const trvi_motion *b = &step->motions[block->body_b[lane]];
        trv_vec3 moved =
            trvi_mul_add(trvi_sub(b->moved, a->moved), trvi_sub(b->linear, a->linear), ahead);
        trvi_lane_set(&way, lane, moved);
    }
    trvi_wide_frame frame = trvi_block_frame(block, first);
    trvi_wide3 spin = trvi_wide_load(&block->carrier, first);
    trvi_lanes carried = turned_by_hand(block, first);
    trvi_wide3 speed = trvi_into_frame(&frame, trvi_wide_cross(trvi_wide_load(&way, first), spin));
    for (uint32_t p = 0; p < block->points; p++) {
        add_where(carried, speed.x, aims->of[p].bias + first);
        add_where(carried, speed.y, aims->of[p].back_1 + first);
        add_where(carried, speed.z, aims->of[p].back_2 + first);
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
    if (block->carried)
        slides = trvi_lanes_if_greater(turned_by_hand(block, first), zero, zero, slides);
    trvi_lanes back_1 = trvi_lanes_if_greater(slides, zero, at->y, zero);
    trvi_lanes back_2 = trvi_lanes_if_greater(slides, zero, at->z, zero);
    trvi_lanes_store(point->slip_1 + first, trvi_lanes_sub(slip_1, back_1));
    trvi_lanes_store(point->slip_2 + first, trvi_lanes_sub(slip_2, back_2));
    at->y = trvi_lanes_sub(at->y, back_1);
    at->z = trvi_lanes_sub(at->z, back_2);
}

// More than 0 in lanes with a point that may meet within the sub-step, from such a gap. Steady gaps of what rests
// are mostly smaller, or larger.
static trvi_lanes may_meet(const trvi_step *step, const trvi_block_point *point, uint32_t first,
                           trvi_lanes gap)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes speed = trvi_lanes_sub(trvi_lanes_splat(step->weight * (float)step->substeps),
                                      trvi_lanes_load(point->approach + first));
    trvi_lanes room = trvi_lanes_sub(trvi_lanes_mul(speed, trvi_lanes_splat(step->h)), gap);
    room = trvi_lanes_if_greater(gap, least_unmet(step), room, zero);
    return if_idle(point, first, room, zero);
}

// After which share of the sub-step the first of the points meets that bear nothing yet, and close in faster than
// by what weight makes of a speed in that time; 0 where none does.
static trvi_lanes share_until_met(const trvi_step *step, const trvi_block *block, uint32_t first,
                                  const trvi_wide3 *at)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    const trvi_lanes slow = trvi_lanes_splat(step->weight), h = trvi_lanes_splat(step->h);
    trvi_lanes closing[TRV_MANIFOLD_POINTS], soonest = one;
    see_closing(step, block, first, closing);
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_lanes fast = trvi_lanes_if_greater(closing[p], slow, closing[p], one);
        trvi_lanes share = trvi_lanes_div(at[p].x, trvi_lanes_mul(fast, h));
        share = trvi_lanes_if_greater(closing[p], slow, share, one);
        share = trvi_lanes_if_greater(at[p].x, zero, share, one);
        soonest = trvi_lanes_min(soonest, if_idle(&block->point[p], first, share, one));
    }
    return trvi_lanes_if_greater(one, soonest, soonest, zero);
}

// Where a point meets within the sub-step, what bore the body goes on to until then, as the impulses of the sub-step
// tell no time: else what is met would bear it from the beginning. No more than as much as one point would have to
// bear of it alone: loads from elsewhere may be gone by now. `meets`: more than 0 in the lanes that are asked about.
static TRVI_RARE void bear_until_met(const trvi_step *step, trvi_block *block, uint32_t first,
                                     trvi_lanes meets, const trvi_wide3 *at)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes share = share_until_met(step, block, first, at);
    share = trvi_lanes_if_greater(meets, zero, share, zero);
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_block_point *point = &block->point[p];
        trvi_lanes alone = trvi_lanes_mul(trvi_lanes_load(point->normal_mass + first),
                                          trvi_lanes_splat(step->weight));
        trvi_lanes bears = trvi_lanes_min(trvi_lanes_load(point->normal + first), alone);
        trvi_lanes_store(point->least + first, trvi_lanes_mul(bears, share));
    }
}

// Once in a sub-step, by what the one before has found.
static void begin_part(const trvi_step *step, trvi_block *block, uint32_t first, trvi_wide3 *at)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes meets = zero;
    see_borne(block, first);
    for (uint32_t p = 0; p < block->points; p++) {
        let_slide(block, &block->point[p], first, &at[p]);
        trvi_lanes_store(block->point[p].least + first, zero);
        meets = trvi_lanes_max(meets, may_meet(step, &block->point[p], first, at[p].x));
    }
    if (!all_at_least(zero, meets))
        bear_until_met(step, block, first, meets, at);
}

static void aim_pushing(const trvi_step *step, trvi_block *block, uint32_t first, trvi_wide3 *at,
                        trvi_aims *aims)
{
    trvi_lanes fastest = trvi_lanes_splat(0.0f);
    if (!block->aimed)
        begin_part(step, block, first, at);
    for (uint32_t p = 0; p < block->points; p++)
        fastest = trvi_lanes_min(
            fastest, aim_to_push(step, block, &block->point[p], first, at[p], &aims->of[p]));
    limit_pushes(step, block, first, fastest, aims);
}

static void aim_holding(const trvi_step *step, const trvi_block *block, uint32_t first,
                        trvi_wide3 *at, uint32_t turned, trvi_aims *aims)
{
    trvi_lanes leak =
        trvi_lanes_mul(trvi_lanes_load(block->jammed + first), trvi_lanes_splat(TRVI_JAM_LEAK));
    let_unmet(step, block, first, at);
    for (uint32_t p = 0; p < block->points; p++) {
        aim_to_hold(step, &block->point[p], first, at[p].x, leak, &aims->of[p]);
        if (turned != 0)
            hold_whirling(step, block, &block->point[p], first, turned, &aims->of[p]);
    }
}

// More than 0 where what is round does not turn about its body's centre of mass, by a good part of its radius.
static trvi_lanes is_off(const trvi_lane_vec3 *core, const float *radius, uint32_t first)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_wide3 off = trvi_wide_load(core, first);
    trvi_lanes least =
        trvi_lanes_mul(trvi_lanes_load(radius + first), trvi_lanes_splat(TRVI_CORE_OFF));
    trvi_lanes over = trvi_lanes_sub(trvi_wide_dot(off, off), trvi_lanes_mul(least, least));
    return trvi_lanes_if_greater(least, zero, over, zero);
}

static trvi_lanes off_center(const trvi_block *block, uint32_t first)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes off = trvi_lanes_max(is_off(&block->core_a, block->radius_a, first),
                                    is_off(&block->core_b, block->radius_b, first));
    return block->carried ? trvi_lanes_if_greater(turned_by_hand(block, first), zero, zero, off)
                          : off;
}

// A core that goes about its body's centre of mass: how fast, and what it gains of speed by that, m/s^2.
typedef struct core_swing {
    trv_vec3 speed, gain;
} core_swing;

// Not of what whirls.
static core_swing swing_of_core(const trvi_step *step, uint32_t solver, float radius, trv_vec3 core)
{
    const trvi_motion *motion = &step->motions[solver];
    core_swing is = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (!(radius > 0.0f) || motion->pushable == 0.0f || whirls(step, solver))
        return is;
    core = trvi_rotate(motion->turned, core);
    is.speed = trvi_cross(motion->angular, core);
    is.gain = trvi_add(trvi_cross(motion->angular, is.speed),
                       trvi_cross(trvi_motion_veers(step, solver), core));
    return is;
}

// What is round and has its weight elsewhere: its core goes about that, and by the middle of the sub-step has another
// speed than as it begins. The sides are to go together by then, while impulses act along the arms that they have
// now: only so neither takes energy from, nor gives it to, what rolls on. The bodies are told along which normal
// their centres do not go evenly.
static void aim_by_core(const trvi_step *step, const trvi_block *block, uint32_t lane, bool push,
                        trvi_aims *aims)
{
    uint32_t a = block->body_a[lane], b = block->body_b[lane];
    core_swing of_a =
        swing_of_core(step, a, block->radius_a[lane], trvi_lane_get(&block->core_a, lane));
    core_swing of_b =
        swing_of_core(step, b, block->radius_b[lane], trvi_lane_get(&block->core_b, lane));
    trv_vec3 gain = trvi_scale(trvi_sub(of_b.gain, of_a.gain), 0.5f * step->h);
    trv_vec3 n = trvi_lane_get(&block->normal, lane);
    trv_vec3 t = trvi_lane_get(&block->tangent_1, lane);
    bool bears = false;
    for (uint32_t p = 0; p < block->points; p++) {
        if (!(block->point[p].normal[lane] > 0.0f))
            continue;
        bears = true;
        aims->of[p].bias[lane] += trvi_dot(gain, n);
        aims->of[p].back_1[lane] += trvi_dot(gain, t);
        aims->of[p].back_2[lane] += trvi_dot(gain, trvi_cross(n, t));
    }
    const float least = TRVI_CORE_SWINGS * step->weight;
    if (!bears || !push)
        return;
    if ((block->pushes_a >> lane & 1u) && trvi_length(of_a.speed) > least)
        step->bodies[a].rocks = n;
    if ((block->pushes_b >> lane & 1u) && trvi_length(of_b.speed) > least)
        step->bodies[b].rocks = n;
}

static TRVI_RARE void aim_by_cores(const trvi_step *step, const trvi_block *block, uint32_t first,
                                   bool push, trvi_aims *aims)
{
    trvi_lane_floats off;
    trvi_lanes_store(off + first, off_center(block, first));
    for (uint32_t lane = first; lane < first + TRVI_LANES; lane++)
        if (off[lane] > 0.0f)
            aim_by_core(step, block, lane, push, aims);
}

static void aim_part(const trvi_step *step, trvi_block *block, uint32_t first, bool push,
                     trvi_aims *aims)
{
    wide_offsets offsets = offsets_of(step, block, first);
    trvi_wide3 at[TRV_MANIFOLD_POINTS];
    uint32_t turned = offsets.turned_a | offsets.turned_b;
    if (!push && block->swings)
        rejoin_places(step, block, first, offsets.parted);
    if (turned != 0)
        renew_response(step, block, first, offsets.turned_a, offsets.turned_b);
    for (uint32_t p = 0; p < block->points; p++)
        at[p] = offset_at(&offsets, block, &block->point[p], first);
    if (push)
        aim_pushing(step, block, first, at, aims);
    else
        aim_holding(step, block, first, at, turned, aims);
    if (block->round && block->swings)
        aim_by_cores(step, block, first, push, aims);
}

#endif
