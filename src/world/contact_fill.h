// From contacts to the lanes of a block: effective masses, softness and starting impulses.
//
// Contacts and bodies are read four words of each at a time: as many of them as there are lanes, turned
// so that each word is a vector. Lanes without a contact are filled from an empty one.
//
// Private to contact_solve.c.
#ifndef TRVI_CONTACT_FILL_H
#define TRVI_CONTACT_FILL_H

#include "contact_response.h"
#include "contact_rolling.h"

// Four words from byte `at` on of what each lane's row points to.
static void gather_words(const float *const *rows, size_t at, trvi_lanes words[4])
{
    trvi_lanes_load_rows(words, rows, at / sizeof(float));
}

// Of the bodies on one side.
typedef struct wide_matter {
    trvi_wide_symmetric inertia; // inverse, as the mass
    trvi_lanes mass, extent;
    trvi_wide3 center;
} wide_matter;

static wide_matter gather_matter(const trvi_solver_body *bodies, const uint32_t *which,
                                 const float *const *centers, const float *shares)
{
    const float *rows[TRVI_LANES];
    for (int lane = 0; lane < TRVI_LANES; lane++) {
        const void *at = &bodies[which[lane]].inverse_inertia;
        rows[lane] = at;
    }
    trvi_lanes i[4], j[4], c[4];
    trvi_lanes_load_rows(i, rows, 0);
    trvi_lanes_load_rows(j, rows, 4); // the inverse mass stands behind the inertia
    trvi_lanes_load_rows(c, centers, 0);
    trvi_lanes share = trvi_lanes_load(shares);
    wide_matter m = {{trvi_lanes_mul(i[0], share), trvi_lanes_mul(i[1], share),
                      trvi_lanes_mul(i[2], share), trvi_lanes_mul(i[3], share),
                      trvi_lanes_mul(j[0], share), trvi_lanes_mul(j[1], share)},
                     trvi_lanes_mul(j[2], share),
                     c[3],
                     {c[0], c[1], c[2]}};
    leave_out_off(&m.inertia);
    return m;
}

// 1 where a > b, else 0.
static trvi_lanes is_greater(trvi_lanes a, trvi_lanes b)
{
    return trvi_lanes_if_greater(a, b, trvi_lanes_splat(1.0f), trvi_lanes_splat(0.0f));
}

// The same as bits.
static uint32_t greater_bits(trvi_lanes a, trvi_lanes b)
{
    return trvi_lanes_at_least(is_greater(a, b), trvi_lanes_splat(1.0f));
}

// trvi_normalize_or of each lane.
static trvi_wide3 normalize_or(trvi_wide3 a, trvi_wide3 fallback)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes biggest = trvi_lanes_max(trvi_lanes_max(trvi_lanes_abs(a.x), trvi_lanes_abs(a.y)),
                                        trvi_lanes_abs(a.z));
    trvi_lanes good = trvi_lanes_if_greater(
        biggest, trvi_lanes_splat(TRVI_SQUARABLE),
        trvi_lanes_if_greater(biggest, trvi_lanes_splat(3.4028235e38f), zero, one), zero);
    trvi_lanes divisor = trvi_lanes_if_greater(good, zero, biggest, one);
    trvi_wide3 scaled = {trvi_lanes_div(a.x, divisor), trvi_lanes_div(a.y, divisor),
                         trvi_lanes_div(a.z, divisor)};
    trvi_lanes square = trvi_wide_dot(scaled, scaled);
    trvi_lanes length = trvi_lanes_sqrt(trvi_lanes_if_greater(good, zero, square, one));
    trvi_wide3 unit = trvi_wide_scale(scaled, trvi_lanes_div(one, length));
    return if_greater3(good, zero, unit, fallback);
}

// trvi_tangent_of each lane.
static trvi_wide3 tangent_of(trvi_wide3 n)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes x = trvi_lanes_abs(n.x), y = trvi_lanes_abs(n.y), z = trvi_lanes_abs(n.z);
    trvi_lanes on_x = trvi_lanes_if_greater(x, y, zero, trvi_lanes_if_greater(x, z, zero, one));
    trvi_lanes on_y =
        trvi_lanes_if_greater(on_x, zero, zero, trvi_lanes_if_greater(y, z, zero, one));
    trvi_wide3 axis = {on_x, on_y, trvi_lanes_sub(trvi_lanes_sub(one, on_x), on_y)};
    return normalize_or(trvi_wide_cross(axis, n), axis);
}

// What of a part of a block is on its way from contacts and bodies to the lanes.
typedef struct filling {
    pair_state speeds;
    wide_matter a, b;
    trvi_wide_frame frame;
    trvi_wide3 middle_a, middle_b;
    trvi_lanes points;                       // how many
    trvi_lanes carried[TRV_MANIFOLD_POINTS]; // by them, N s
} filling;

static trvi_lanes has_point(const filling *now, uint32_t p)
{
    return is_greater(now->points, trvi_lanes_splat((float)p));
}

// Where the points are from A's centre of mass, and how far the surfaces are apart there.
typedef struct wide_points {
    trvi_wide3 at[TRV_MANIFOLD_POINTS];
    trvi_lanes gap[TRV_MANIFOLD_POINTS];
} wide_points;

static void gather_points(const trvi_block *block, const trvi_sources *from, uint32_t first,
                          const filling *now, wide_points *points)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), none = trvi_lanes_load(from->no_gap + first);
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_lanes row[4], used = has_point(now, p);
        gather_words(from->contact + first, offsetof(trvi_contact, manifold.points[p]), row);
        trvi_wide3 at = trvi_wide_sub((trvi_wide3){row[0], row[1], row[2]}, now->a.center);
        points->at[p] = if_greater3(used, zero, at, no_wide());
        trvi_lanes gap = trvi_lanes_if_greater(row[3], none, row[3], trvi_lanes_min(row[3], zero));
        points->gap[p] = trvi_lanes_if_greater(used, zero, gap, zero);
    }
}

static void find_middle(const trvi_block *block, const wide_points *points, filling *now)
{
    trvi_lanes one = trvi_lanes_splat(1.0f);
    trvi_wide3 sum = no_wide();
    for (uint32_t p = 0; p < block->points; p++)
        sum = trvi_wide_add(sum, points->at[p]);
    trvi_lanes share = trvi_lanes_div(one, trvi_lanes_max(now->points, one));
    now->middle_a = trvi_wide_scale(sum, share);
    now->middle_b = trvi_wide_add(now->middle_a, trvi_wide_sub(now->a.center, now->b.center));
}

// 1 where both can be pushed.
static trvi_lanes both_yield(const filling *now)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    return trvi_lanes_if_greater(now->a.mass, zero, is_greater(now->b.mass, zero), zero);
}

static trvi_lanes longer_arm(const filling *now)
{
    return trvi_lanes_max(trvi_wide_dot(now->middle_a, now->middle_a),
                          trvi_wide_dot(now->middle_b, now->middle_b));
}

// Points lie half-way between the surfaces. What is to land on something that does not yield is pushed once it
// is there, so where its own surface is: by a longer arm friction would turn it by more than it slows it. Of two
// that yield either's arm goes half-way: they are pushed at one place, or angular momentum would come from nowhere.
static void meet_surfaces(const trvi_block *block, const wide_points *points, filling *now)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), gap = points->gap[0];
    for (uint32_t p = 1; p < block->points; p++)
        gap = trvi_lanes_if_greater(has_point(now, p), zero, trvi_lanes_min(gap, points->gap[p]),
                                    gap);
    gap = trvi_lanes_if_greater(both_yield(now), zero, zero, trvi_lanes_max(gap, zero));
    trvi_lanes out = trvi_lanes_mul(trvi_lanes_splat(0.5f), gap), square = trvi_lanes_mul(out, out);
    trvi_lanes few =
        trvi_lanes_mul(trvi_lanes_splat(TRVI_ARM_LONG * TRVI_ARM_LONG), longer_arm(now));
    if (greater_bits(square, few) == 0)
        return;
    trvi_wide3 way = trvi_wide_scale(now->frame.normal, out);
    now->middle_a = if_greater3(square, few, trvi_wide_sub(now->middle_a, way), now->middle_a);
    now->middle_b = if_greater3(square, few, trvi_wide_add(now->middle_b, way), now->middle_b);
}

// The lanes in which what is round, and touches at a point or along a line, comes so far past the other in the
// step, as it is now, that the normal may turn.
static uint32_t passing_balls(const trvi_step *step, const trvi_block *block, uint32_t first,
                              trvi_wide3 speed, const filling *now)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), line = trvi_lanes_splat(2.0f);
    trvi_lanes dt = trvi_lanes_splat(step->dt);
    trvi_wide3 along = along_surface(now->frame.normal, speed);
    trvi_lanes way = trvi_lanes_mul(trvi_lanes_mul(dt, dt), trvi_wide_dot(along, along));
    trvi_lanes few = trvi_lanes_mul(trvi_lanes_splat(TRVI_BALLS_LEFT * TRVI_BALLS_LEFT),
                                    round_squares(block, first));
    way = trvi_lanes_if_greater(now->points, line, zero, way);
    return greater_bits(way, few) << first;
}

// The impulses of the last step and how far B's anchor had been dragged.
static void fill_impulses(trvi_block *block, const trvi_sources *from, uint32_t first, uint32_t p,
                          filling *now)
{
    trvi_block_point *point = &block->point[p];
    trvi_lanes zero = trvi_lanes_splat(0.0f), used = has_point(now, p);
    trvi_lanes pressed[4], tangent[4], drift[4];
    gather_words(from->contact + first, offsetof(trvi_contact, impulses[p].normal), pressed);
    gather_words(from->contact + first, offsetof(trvi_contact, impulses[p].tangent), tangent);
    gather_words(from->points + first,
                 p * sizeof(trvi_point_step) + offsetof(trvi_point_step, approach), drift);
    trvi_wide3 pulled = {tangent[0], tangent[1], tangent[2]};
    trvi_wide3 dragged = {drift[1], drift[2], drift[3]};
    const trvi_lanes words[5] = {pressed[0], trvi_wide_dot(pulled, now->frame.tangent_1),
                                 trvi_wide_dot(pulled, now->frame.tangent_2),
                                 trvi_wide_dot(dragged, now->frame.tangent_1),
                                 trvi_wide_dot(dragged, now->frame.tangent_2)};
    float *const to[5] = {point->normal, point->tangent_1, point->tangent_2, point->slip_1,
                          point->slip_2};
    for (int k = 0; k < 5; k++)
        trvi_lanes_store(to[k] + first, trvi_lanes_if_greater(used, zero, words[k], zero));
    trvi_lanes_store(point->largest + first, zero);
    now->carried[p] = trvi_lanes_if_greater(used, zero, tangent[3], zero);
}

// How deep one is in the other, by the deepest point: 0 up to TRVI_JAM_SHALLOW of the thinner one's thickness,
// 1 from TRVI_JAM_DEEP on.
static trvi_lanes depth_of(const trvi_block *block, const trvi_sources *from, uint32_t first,
                           const wide_points *points)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f), least = zero;
    for (uint32_t p = 0; p < block->points; p++)
        least = trvi_lanes_min(least, points->gap[p]);
    trvi_lanes part = trvi_lanes_div(least, trvi_lanes_load(from->thinner + first));
    trvi_lanes beyond = trvi_lanes_sub(trvi_lanes_splat(-TRVI_JAM_SHALLOW), part);
    trvi_lanes range = trvi_lanes_splat(TRVI_JAM_DEEP - TRVI_JAM_SHALLOW);
    return trvi_lanes_min(trvi_lanes_max(trvi_lanes_div(beyond, range), zero), one);
}

// More than what weights and forces come to there, and pushing overlap out, N s.
static trvi_lanes most_load(const trvi_step *step, const trvi_sources *from, uint32_t first,
                            const filling *now)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes yields = trvi_lanes_add(now->a.mass, now->b.mass);
    trvi_lanes push = trvi_lanes_div(trvi_lanes_splat(TRVI_JAM_PUSHES * step->push_speed),
                                     trvi_lanes_if_greater(yields, zero, yields, one));
    trvi_lanes most = trvi_lanes_add(trvi_lanes_load(from->load + first), push);
    return trvi_lanes_if_greater(most, zero, most, trvi_lanes_splat(FLT_MAX)); // nothing to go by
}

// Who bears more than that for a while, and is deep in something all the same, is jammed between things that
// do not yield. What it was pressed with counts for less then, or for nothing: carried on, it would grow from
// step to step. Nor does a spring begin with more, which what was held rigidly before may have left.
static void find_jams(const trvi_step *step, trvi_block *block, const trvi_sources *from,
                      uint32_t first, const wide_points *points, filling *now)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes most = most_load(step, from, first, now), carried = zero;
    for (uint32_t p = 0; p < block->points; p++)
        carried = trvi_lanes_add(carried, now->carried[p]);
    trvi_lanes over = trvi_lanes_sub(trvi_lanes_div(carried, most), one);
    trvi_lanes jam = trvi_lanes_mul(depth_of(block, from, first, points),
                                    trvi_lanes_min(trvi_lanes_max(over, zero), one));
    trvi_lanes_store(block->jammed + first, jam);
    trvi_lanes counts = trvi_lanes_div(most, trvi_lanes_max(pressed_by(block, first), most));
    counts = trvi_lanes_if_greater(trvi_lanes_load(from->hard + first), zero, one, counts);
    counts = trvi_lanes_min(counts, trvi_lanes_sub(one, jam));
    if (all_at_least(counts, one))
        return;
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_block_point *point = &block->point[p];
        float *const impulses[3] = {point->normal, point->tangent_1, point->tangent_2};
        for (int k = 0; k < 3; k++)
            trvi_lanes_store(impulses[k] + first,
                             trvi_lanes_mul(trvi_lanes_load(impulses[k] + first), counts));
        now->carried[p] = trvi_lanes_mul(now->carried[p], counts);
    }
}

// The points, about the contact's middle.
static void fill_points(const trvi_step *step, trvi_block *block, const trvi_sources *from,
                        uint32_t first, filling *now)
{
    wide_points points;
    gather_points(block, from, first, now, &points);
    find_middle(block, &points, now);
    const trvi_wide3 middle = now->middle_a;
    meet_surfaces(block, &points, now);
    trvi_wide_store(&block->middle_a, first, now->middle_a);
    trvi_wide_store(&block->middle_b, first, now->middle_b);
    const side_state *a = &now->speeds.a, *b = &now->speeds.b;
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_wide3 spin = trvi_into_frame(&now->frame, trvi_wide_sub(b->angular, a->angular));
    trvi_wide3 at_b = trvi_wide_add(b->linear, trvi_wide_cross(b->angular, now->middle_b));
    trvi_wide3 at_a = trvi_wide_add(a->linear, trvi_wide_cross(a->angular, now->middle_a));
    trvi_lanes closing = trvi_wide_dot(trvi_wide_sub(at_b, at_a), now->frame.normal);
    if (block->round)
        block->balls |=
            (uint8_t)passing_balls(step, block, first, trvi_wide_sub(b->linear, a->linear), now);
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_block_point *point = &block->point[p];
        trvi_lanes used = has_point(now, p);
        trvi_wide3 at = trvi_into_frame(&now->frame, trvi_wide_sub(points.at[p], middle));
        at = if_greater3(used, zero, at, no_wide());
        trvi_lanes swing =
            trvi_lanes_sub(trvi_lanes_mul(at.z, spin.y), trvi_lanes_mul(at.y, spin.z));
        trvi_lanes approach = trvi_lanes_add(closing, swing);
        trvi_wide_store(&point->at, first, at);
        trvi_lanes_store(point->gap + first, points.gap[p]);
        trvi_lanes_store(point->held + first, zero);
        trvi_lanes_store(point->slid + first, zero);
        trvi_lanes_store(point->approach + first,
                         trvi_lanes_if_greater(used, zero, approach, zero));
        fill_impulses(block, from, first, p, now);
    }
    find_jams(step, block, from, first, &points, now);
}

// Where a body whirls, its spin carries the points on while it turns, in each sub-step anew: they
// are brought back sooner.
static trvi_lanes hard_rate(const trvi_step *step, const filling *now)
{
    const trvi_wide3 a = now->speeds.a.angular, b = now->speeds.b.angular;
    trvi_lanes spin =
        trvi_lanes_max(trvi_lanes_sqrt(trvi_wide_dot(a, a)), trvi_lanes_sqrt(trvi_wide_dot(b, b)));
    trvi_lanes more = trvi_lanes_mul(trvi_lanes_mul(trvi_lanes_splat(TRVI_WHIRL_SHARE), spin),
                                     trvi_lanes_splat(step->h));
    trvi_lanes share = trvi_lanes_min(trvi_lanes_add(trvi_lanes_splat(TRVI_HARD_SHARE), more),
                                      trvi_lanes_splat(TRVI_WHIRL_MOST));
    return trvi_lanes_mul(share, trvi_lanes_splat(step->inverse_h));
}

// Of the bodies that can be pushed.
static trvi_lanes least_extent(const filling *now)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes least = trvi_lanes_min(now->a.extent, now->b.extent);
    trvi_lanes of_a = trvi_lanes_if_greater(now->b.mass, zero, least, now->a.extent);
    return trvi_lanes_if_greater(now->a.mass, zero, of_a, now->b.extent);
}

static void fill_softness(const trvi_step *step, trvi_block *block, const trvi_sources *from,
                          uint32_t first, const filling *now)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes both = both_yield(now), hard = trvi_lanes_load(from->hard + first);
    const float pairs[3][2] = {{step->soft_both.bias_rate, step->soft.bias_rate},
                               {step->soft_both.mass_scale, step->soft.mass_scale},
                               {step->soft_both.impulse_scale, step->soft.impulse_scale}};
    trvi_lanes soft[3];
    for (int k = 0; k < 3; k++)
        soft[k] = trvi_lanes_if_greater(both, zero, trvi_lanes_splat(pairs[k][0]),
                                        trvi_lanes_splat(pairs[k][1]));
    trvi_lanes rate = trvi_lanes_if_greater(hard, zero, hard_rate(step, now), soft[0]);
    trvi_lanes extent = least_extent(now);
    trvi_lanes slop = trvi_lanes_mul(trvi_lanes_splat(TRVI_SLOP), extent);
    trvi_lanes holds = trvi_lanes_load(from->holds + first);
    trvi_lanes_store(block->bias_rate + first, rate);
    trvi_lanes_store(block->mass_scale + first, trvi_lanes_if_greater(hard, zero, one, soft[1]));
    trvi_lanes_store(block->impulse_scale + first,
                     trvi_lanes_if_greater(hard, zero, zero, soft[2]));
    trvi_lanes_store(block->slop + first, trvi_lanes_if_greater(hard, zero, slop, zero));
    trvi_lanes_store(block->hold_rate + first, trvi_lanes_if_greater(holds, zero, rate, zero));
    trvi_lanes_store(block->hold_slop + first,
                     trvi_lanes_mul(trvi_lanes_splat(0.5f * TRVI_SLOP), extent));
}

// Round shapes touch at the same side, however they spin: only their cores turn. Where a core is no
// farther from the centre of mass than the surfaces are from one another, as of balls, that moves
// nothing.
static void fill_core(trvi_block *block, uint32_t first, const filling *now, uint32_t moved,
                      trvi_wide3 middle, trvi_lanes inwards, trvi_lane_vec3 *to)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes gap = trvi_lanes_load(block->point[0].gap + first);
    trvi_wide3 core = trvi_wide_mul_add(middle, now->frame.normal, inwards);
    trvi_lanes stays =
        trvi_lanes_if_greater(trvi_wide_dot(core, core), trvi_lanes_mul(gap, gap), zero, one);
    stays = trvi_lanes_if_greater(now->points, one, zero, stays);
    stays = trvi_lanes_if_greater(trvi_lanes_abs(inwards), zero, stays, zero);
    block->swings = block->swings || (moved >> first & ~trvi_lanes_at_least(stays, one) &
                                      ((1u << TRVI_LANES) - 1)) != 0;
    trvi_wide_store(to, first, if_greater3(stays, zero, no_wide(), core));
}

static void fill_cores(trvi_block *block, const trvi_sources *from, uint32_t first,
                       const filling *now)
{
    trvi_lanes out_a = trvi_lanes_load(block->radius_a + first);
    trvi_lanes in_b = trvi_lanes_load(block->radius_b + first);
    fill_core(block, first, now, from->moved_a, now->middle_a,
              trvi_lanes_sub(trvi_lanes_splat(0.0f), out_a), &block->core_a);
    fill_core(block, first, now, from->moved_b, now->middle_b, in_b, &block->core_b);
}

static void fill_arms_as_cores(trvi_block *block, uint32_t first, const filling *now)
{
    block->swings = true;
    trvi_wide_store(&block->core_a, first, now->middle_a);
    trvi_wide_store(&block->core_b, first, now->middle_b);
}

// What is being turned by hand; at most one of a contact's sides is.
static void fill_carrier(trvi_block *block, uint32_t first, const filling *now)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    const side_state *a = &now->speeds.a, *b = &now->speeds.b;
    trvi_wide3 spin = if_greater3(a->pushable, zero, no_wide(), a->angular);
    spin = if_greater3(b->pushable, zero, spin, trvi_wide_add(spin, b->angular));
    if (greater_bits(trvi_wide_dot(spin, spin), zero) != 0 && !block->carried) {
        memset(&block->carrier, 0, sizeof block->carrier); // no part before this one is
        block->carried = true;
    }
    if (block->carried)
        trvi_wide_store(&block->carrier, first, spin);
}

// Inverse masses along the axes of the world.
static void fill_free(const trvi_solver_body *bodies, const uint32_t *which, uint32_t first,
                      const float *mass, trvi_lane_vec3 *to)
{
    for (uint32_t lane = first; lane < first + TRVI_LANES; lane++) {
        trv_vec3 m = {mass[lane], mass[lane], mass[lane]};
        trvi_lane_set(to, lane, trvi_unlocked(m, bodies[which[lane]].locks));
    }
}

static void fill_materials(const trvi_step *step, trvi_block *block, const trvi_sources *from,
                           uint32_t first, const filling *now)
{
    if (block->rolls)
        fill_rolling(block, from, first, &now->a.inertia, &now->b.inertia);
    if (block->runs) {
        trvi_lanes surface[4];
        gather_words(from->contact + first, offsetof(trvi_contact, rolling_friction), surface);
        trvi_wide3 speed = {surface[1], surface[2], surface[3]};
        trvi_lanes_store(block->surface_1 + first, trvi_wide_dot(speed, now->frame.tangent_1));
        trvi_lanes_store(block->surface_2 + first, trvi_wide_dot(speed, now->frame.tangent_2));
    }
    if (block->locked) {
        fill_free(step->bodies, block->body_a, first, block->inverse_mass_a, &block->free_a);
        fill_free(step->bodies, block->body_b, first, block->inverse_mass_b, &block->free_b);
    }
    if (block->round)
        fill_cores(block, from, first, now);
    else
        fill_arms_as_cores(block, first, now);
    trvi_wide_store(&block->arm_a, first, now->middle_a);
    trvi_wide_store(&block->arm_b, first, now->middle_b);
    fill_carrier(block, first, now);
}

// How far the spring gives under the load that the contact has been carrying, m: where the solver's
// push and its leak balance. The mean over the points, weighted by what they carry: one height for
// all, because a point that rose by itself would push back late where a body sways, and feed that.
// Springs are raised against it, so that loads rest at the surface and not below.
static void raise(trvi_block *block, const trvi_sources *from, uint32_t first, const filling *now)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes load = zero, weighted = zero;
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_lanes carried = now->carried[p];
        trvi_lanes mass = trvi_lanes_load(block->point[p].normal_mass + first);
        trvi_lanes some = trvi_lanes_if_greater(mass, zero, mass, one);
        trvi_lanes part = trvi_lanes_div(trvi_lanes_mul(carried, carried), some);
        load = trvi_lanes_if_greater(mass, zero, trvi_lanes_add(load, carried), load);
        weighted = trvi_lanes_if_greater(mass, zero, trvi_lanes_add(weighted, part), weighted);
    }
    trvi_lanes rate = trvi_lanes_load(block->bias_rate + first);
    trvi_lanes leak = trvi_lanes_load(block->impulse_scale + first);
    trvi_lanes soft = trvi_lanes_load(block->mass_scale + first);
    trvi_lanes loaded = trvi_lanes_if_greater(load, zero, load, one);
    trvi_lanes gives = trvi_lanes_div(weighted, trvi_lanes_mul(loaded, rate)); // by what is leaked
    trvi_lanes sag = trvi_lanes_div(trvi_lanes_mul(leak, gives), soft);
    // So far only: sag = leak gives / (1 - leak) = most.
    trvi_lanes most = trvi_lanes_mul(trvi_lanes_splat(TRVI_SAG_SHARE), least_extent(now));
    trvi_lanes stiff = trvi_lanes_div(most, trvi_lanes_add(most, gives));
    leak = trvi_lanes_if_greater(sag, most, stiff, leak);
    soft = trvi_lanes_if_greater(sag, most, trvi_lanes_sub(one, stiff), soft);
    sag = trvi_lanes_min(sag, most);
    trvi_lanes_store(block->impulse_scale + first, leak);
    trvi_lanes_store(block->mass_scale + first, soft);
    sag = trvi_lanes_min(trvi_lanes_if_greater(load, zero, sag, zero),
                         trvi_lanes_splat(TRVI_SAG_MAX_M));
    sag = trvi_lanes_if_greater(trvi_lanes_load(from->hard + first), zero, zero, sag);
    for (uint32_t p = 0; p < block->points; p++) {
        float *gap = block->point[p].gap + first;
        trvi_lanes raised = trvi_lanes_sub(trvi_lanes_load(gap), sag);
        trvi_lanes_store(
            gap, trvi_lanes_if_greater(has_point(now, p), zero, raised, trvi_lanes_load(gap)));
    }
}

static void fill_part(const trvi_step *step, trvi_block *block, const trvi_sources *from,
                      uint32_t first)
{
    trvi_lanes words[4];
    filling now;
    now.speeds = gather(step, block, first);
    now.a = gather_matter(step->bodies, block->body_a + first, from->center_a + first,
                          from->share_a + first);
    now.b = gather_matter(step->bodies, block->body_b + first, from->center_b + first,
                          from->share_b + first);
    now.points = trvi_lanes_load(block->counts + first);
    const size_t normal = offsetof(trvi_contact, manifold.normal);
    gather_words(from->contact + first, normal - sizeof(float), words); // behind it is no float
    const trvi_lanes few = trvi_lanes_splat(TRVI_RESPONSE_NONE);
    trvi_wide3 n = trvi_wide_unless_less((trvi_wide3){words[1], words[2], words[3]}, few);
    now.frame = trvi_wide_frame_of(n, trvi_wide_unless_less(tangent_of(n), few));
    trvi_wide_store(&block->normal, first, now.frame.normal);
    trvi_wide_store(&block->tangent_1, first, now.frame.tangent_1);
    trvi_lanes one = trvi_lanes_splat(1.0f);
    block->pushes_a |= trvi_lanes_at_least(now.speeds.a.pushable, one) << first;
    block->pushes_b |= trvi_lanes_at_least(now.speeds.b.pushable, one) << first;
    trvi_lanes_store(block->inverse_mass_a + first, now.a.mass);
    trvi_lanes_store(block->inverse_mass_b + first, now.b.mass);
    trvi_wide_store_symmetric(&block->inverse_inertia_a, first, now.a.inertia);
    trvi_wide_store_symmetric(&block->inverse_inertia_b, first, now.b.inertia);
    fill_points(step, block, from, first, &now);
    fill_softness(step, block, from, first, &now);
    fill_materials(step, block, from, first, &now);
    respond_part(block, first);
    raise(block, from, first, &now);
    // What the step before has left is counted when the first sub-step begins, but was not given in
    // this one.
    trvi_lanes_store(block->given + first,
                     trvi_lanes_sub(trvi_lanes_splat(0.0f), pressed_by(block, first)));
}

// Who sums over all lanes finds nothing there.
static void leave_empty(trvi_block *block, uint32_t first)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_lanes_store(block->point[p].normal + first, zero);
        trvi_lanes_store(block->point[p].normal_mass + first, zero);
        trvi_lanes_store(block->point[p].approach + first, zero);
    }
}

#endif
