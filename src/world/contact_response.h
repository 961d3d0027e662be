// How the two sides of a contact give way to forces and torques at its middle.
//
// The points of a contact share one normal and lie close together. So what they do to each other
// goes through six numbers, the relative velocity and spin of the two sides at the contact's
// middle, and a symmetric matrix of six by six: to push at a point and to see what that does to the
// next takes a few multiplications, and the bodies themselves are only looked at once in a sweep
// over the points.
//
// A force f and a torque t at the middle turn a body by J (t + r x f), with its inverse inertia J
// and r from its centre of mass to the middle; that moves the middle on by the cross product with
// r.
//
// Private to contact_solve.c.
#ifndef TRVI_CONTACT_RESPONSE_H
#define TRVI_CONTACT_RESPONSE_H

#include "solver_data.h"

#include <float.h>

static trvi_wide3 if_greater3(trvi_lanes x, trvi_lanes y, trvi_wide3 a, trvi_wide3 b)
{
    return (trvi_wide3){trvi_lanes_if_greater(x, y, a.x, b.x),
                        trvi_lanes_if_greater(x, y, a.y, b.y),
                        trvi_lanes_if_greater(x, y, a.z, b.z)};
}

// What of a vector goes across a normal.
static trvi_wide3 along_surface(trvi_wide3 normal, trvi_wide3 v)
{
    return trvi_wide_sub(v, trvi_wide_scale(normal, trvi_wide_dot(normal, v)));
}

// The squares of the radii of what is round; of what is not far more than any way.
static trvi_lanes round_squares(const trvi_block *block, uint32_t first)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), far = trvi_lanes_splat(FLT_MAX);
    trvi_lanes a = trvi_lanes_load(block->radius_a + first);
    trvi_lanes b = trvi_lanes_load(block->radius_b + first);
    trvi_lanes sum = trvi_lanes_add(trvi_lanes_mul(a, a), trvi_lanes_mul(b, b));
    return trvi_lanes_if_greater(sum, zero, sum, far);
}

// Inverse mass or inertia in a frame.
static trvi_wide_symmetric in_frame(const trvi_wide_frame *frame, trvi_wide3 n, trvi_wide3 t1,
                                    trvi_wide3 t2)
{
    return (trvi_wide_symmetric){
        trvi_wide_dot(frame->normal, n),     trvi_wide_dot(frame->tangent_1, t1),
        trvi_wide_dot(frame->tangent_2, t2), trvi_wide_dot(frame->normal, t1),
        trvi_wide_dot(frame->normal, t2),    trvi_wide_dot(frame->tangent_1, t2)};
}

static trvi_wide_symmetric sum_of(trvi_wide_symmetric a, trvi_wide_symmetric b)
{
    return (trvi_wide_symmetric){trvi_lanes_add(a.xx, b.xx), trvi_lanes_add(a.yy, b.yy),
                                 trvi_lanes_add(a.zz, b.zz), trvi_lanes_add(a.xy, b.xy),
                                 trvi_lanes_add(a.xz, b.xz), trvi_lanes_add(a.yz, b.yz)};
}

static bool all_at_least(trvi_lanes a, trvi_lanes b)
{
    return trvi_lanes_at_least(a, b) == (1u << TRVI_LANES) - 1;
}

static trvi_lanes sum_of_sizes(trvi_lanes x, trvi_lanes y, trvi_lanes z)
{
    return trvi_lanes_add(trvi_lanes_add(trvi_lanes_abs(x), trvi_lanes_abs(y)), trvi_lanes_abs(z));
}

// What is far below what rounding leaves of the diagonal is nothing, see TRVI_RESPONSE_NONE; where that ends.
static trvi_lanes leave_out_off(trvi_wide_symmetric *m)
{
    trvi_lanes few =
        trvi_lanes_mul(trvi_lanes_splat(TRVI_RESPONSE_NONE), sum_of_sizes(m->xx, m->yy, m->zz));
    m->xy = trvi_lanes_unless_less(m->xy, few);
    m->xz = trvi_lanes_unless_less(m->xz, few);
    m->yz = trvi_lanes_unless_less(m->yz, few);
    return few;
}

// How a body, or both together, turn and move: spins by torques, spins by forces along the three
// axes, speeds by these forces. In the frame of the block.
typedef struct yielding {
    trvi_wide_symmetric spins;
    trvi_wide3 turns[3];
    trvi_wide_symmetric speeds;
    trvi_lanes reach; // of forces: the length of the arm, at least, m
    trvi_lanes least; // along an axis, 1/kg: what yields no more than that counts as held
} yielding;

// The torques of unit forces along the three axes at `arm`.
typedef struct wide_torques {
    trvi_wide3 of[3];
} wide_torques;

static wide_torques torques_at(trvi_wide3 arm)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_wide3 back = {trvi_lanes_sub(zero, arm.x), trvi_lanes_sub(zero, arm.y),
                       trvi_lanes_sub(zero, arm.z)};
    return (wide_torques){{{zero, arm.z, back.y}, {back.z, zero, arm.x}, {arm.y, back.x, zero}}};
}

static yielding yielding_of(const trvi_wide_frame *frame, const trvi_lane_symmetric *inertia,
                            const trvi_lane_vec3 *middle, uint32_t first)
{
    trvi_wide_symmetric j = trvi_wide_load_symmetric(inertia, first);
    yielding y;
    y.spins = in_frame(frame, trvi_wide_symmetric_mul(&j, frame->normal),
                       trvi_wide_symmetric_mul(&j, frame->tangent_1),
                       trvi_wide_symmetric_mul(&j, frame->tangent_2));
    trvi_wide3 arm = trvi_into_frame(frame, trvi_wide_load(middle, first));
    wide_torques arms = torques_at(arm);
    // No loop: of plain C lanes gcc 12 makes vectors here, at -O3, and gets them wrong.
    y.turns[0] = trvi_wide_symmetric_mul(&y.spins, arms.of[0]);
    y.turns[1] = trvi_wide_symmetric_mul(&y.spins, arms.of[1]);
    y.turns[2] = trvi_wide_symmetric_mul(&y.spins, arms.of[2]);
    y.speeds = (trvi_wide_symmetric){
        trvi_wide_dot(arms.of[0], y.turns[0]), trvi_wide_dot(arms.of[1], y.turns[1]),
        trvi_wide_dot(arms.of[2], y.turns[2]), trvi_wide_dot(arms.of[0], y.turns[1]),
        trvi_wide_dot(arms.of[0], y.turns[2]), trvi_wide_dot(arms.of[1], y.turns[2])};
    y.reach = sum_of_sizes(arm.x, arm.y, arm.z);
    return y;
}

// Where locks leave all but nothing of it, to push a body along what they leave would take a vast
// impulse, which rounding of the normal then decides on. As seen from the heavier of those
// that can be pushed.
static trvi_lanes least_yield(const trvi_block *block, uint32_t first)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    if (!block->locked)
        return zero;
    trvi_lanes a = trvi_lanes_load(block->inverse_mass_a + first);
    trvi_lanes b = trvi_lanes_load(block->inverse_mass_b + first);
    trvi_lanes of_a = trvi_lanes_if_greater(a, zero, a, b),
               of_b = trvi_lanes_if_greater(b, zero, b, a);
    return trvi_lanes_mul(trvi_lanes_splat(TRVI_LOCKED_YIELD), trvi_lanes_min(of_a, of_b));
}

static void leave_out_none(yielding *y)
{
    trvi_lanes few = trvi_lanes_mul(leave_out_off(&y->spins), y->reach);
    for (int k = 0; k < 3; k++)
        y->turns[k] = trvi_wide_unless_less(y->turns[k], few);
    leave_out_off(&y->speeds);
}

static yielding yielding_of_both(const trvi_block *block, uint32_t first,
                                 const trvi_wide_frame *frame)
{
    yielding a = yielding_of(frame, &block->inverse_inertia_a, &block->middle_a, first);
    yielding b = yielding_of(frame, &block->inverse_inertia_b, &block->middle_b, first);
    trvi_lanes mass = trvi_lanes_add(trvi_lanes_load(block->inverse_mass_a + first),
                                     trvi_lanes_load(block->inverse_mass_b + first));
    trvi_wide3 m = {mass, mass, mass};
    if (block->locked)
        m = trvi_wide_add(trvi_wide_load(&block->free_a, first),
                          trvi_wide_load(&block->free_b, first));
    trvi_wide_symmetric straight =
        in_frame(frame, trvi_wide_mul(m, frame->normal), trvi_wide_mul(m, frame->tangent_1),
                 trvi_wide_mul(m, frame->tangent_2));
    a.spins = sum_of(a.spins, b.spins);
    a.speeds = sum_of(sum_of(a.speeds, b.speeds), straight);
    for (int k = 0; k < 3; k++)
        a.turns[k] = trvi_wide_add(a.turns[k], b.turns[k]);
    a.reach = trvi_lanes_max(a.reach, b.reach);
    a.least = least_yield(block, first);
    leave_out_none(&a);
    return a;
}

static void store_response(trvi_block *block, uint32_t first, const yielding *y)
{
    trvi_wide_store_symmetric(&block->speeds, first, y->speeds);
    trvi_wide_store_symmetric(&block->turning.spins, first, y->spins);
    for (int k = 0; k < 3; k++)
        trvi_wide_store(&block->turning.turns[k], first, y->turns[k]);
}

// The inverse, of what is more than the least; else 0.
static trvi_lanes mass_of(trvi_lanes yields, trvi_lanes least)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes some = trvi_lanes_if_greater(yields, least, yields, one);
    return trvi_lanes_if_greater(yields, least, trvi_lanes_div(one, some), zero);
}

// The mass that a unit of impulse along axis k at a point feels: it turns the sides by the torque
// `arm`, too.
static trvi_lanes mass_along(const yielding *y, int k, trvi_lanes speed, trvi_wide3 arm)
{
    trvi_wide3 turned = trvi_wide_symmetric_mul(&y->spins, arm);
    turned = trvi_wide_add(trvi_wide_add(turned, y->turns[k]), y->turns[k]);
    return mass_of(trvi_lanes_add(speed, trvi_wide_dot(arm, turned)), y->least);
}

static void put_mass(const yielding *y, int k, trvi_lanes speed, const wide_torques *arms,
                     trvi_lanes used, float *to)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes mass = mass_along(y, k, speed, arms->of[k]);
    trvi_lanes_store(to, trvi_lanes_if_greater(used, zero, mass, zero));
}

// A single point is at the contact's middle, where only forces act.
static void respond_single(trvi_block *block, uint32_t first, const yielding *y)
{
    trvi_block_point *point = &block->point[0];
    trvi_lanes zero = trvi_lanes_splat(0.0f), used = trvi_lanes_load(block->counts + first);
    const trvi_lanes yields[3] = {y->speeds.xx, y->speeds.yy, y->speeds.zz};
    float *const to[3] = {point->normal_mass, point->tangent_mass_1, point->tangent_mass_2};
    trvi_wide_store_symmetric(&block->speeds, first, y->speeds);
    for (int k = 0; k < 3; k++)
        trvi_lanes_store(to[k] + first,
                         trvi_lanes_if_greater(used, zero, mass_of(yields[k], y->least), zero));
}

// Does friction at such a distance (squared) off the plane through the middle tilt the contact much, beside how it
// moves it?
static void see_tilts(const yielding *y, trvi_lanes off, float *tilts)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes turned = trvi_lanes_mul(off, trvi_lanes_add(y->spins.yy, y->spins.zz));
    trvi_lanes moved =
        trvi_lanes_mul(trvi_lanes_splat(TRVI_TILTS), trvi_lanes_add(y->speeds.yy, y->speeds.zz));
    trvi_lanes_store(tilts, trvi_lanes_if_greater(turned, moved, turned, zero));
}

static void respond_part(trvi_block *block, uint32_t first)
{
    trvi_wide_frame frame = trvi_block_frame(block, first);
    yielding y = yielding_of_both(block, first, &frame);
    if (block->points == 1) {
        respond_single(block, first, &y);
        return;
    }
    store_response(block, first, &y);
    trvi_lanes off = trvi_lanes_splat(0.0f);
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_block_point *point = &block->point[p];
        trvi_wide3 at = trvi_wide_load(&point->at, first);
        wide_torques arms = torques_at(at);
        trvi_lanes used =
            trvi_lanes_sub(trvi_lanes_load(block->counts + first), trvi_lanes_splat((float)p));
        off = trvi_lanes_if_greater(used, trvi_lanes_splat(0.0f),
                                    trvi_lanes_max(off, trvi_lanes_mul(at.x, at.x)), off);
        put_mass(&y, 0, y.speeds.xx, &arms, used, point->normal_mass + first);
        put_mass(&y, 1, y.speeds.yy, &arms, used, point->tangent_mass_1 + first);
        put_mass(&y, 2, y.speeds.zz, &arms, used, point->tangent_mass_2 + first);
    }
    see_tilts(&y, off, block->tilts + first);
}

// Of sides that have turned far since the step began.
static void renew_side(const trvi_step *step, const uint32_t *bodies, uint32_t which,
                       const float *mass, uint32_t first, trvi_lane_symmetric *inertia)
{
    float *to[6] = {inertia->xx, inertia->yy, inertia->zz, inertia->xy, inertia->xz, inertia->yz};
    for (uint32_t lane = first; lane < first + TRVI_LANES; lane++) {
        if (!(which >> (lane - first) & 1u))
            continue;
        const trvi_solver_body *solver = &step->bodies[bodies[lane]];
        const trvi_symmetric *now = &solver->inverse_inertia;
        const float from[6] = {now->xx, now->yy, now->zz, now->xy, now->xz, now->yz};
        float share = mass[lane] / solver->inverse_mass; // of them that counts
        for (int k = 0; k < 6; k++)
            to[k][lane] = share * from[k];
    }
}

// `a`, `b`: bits of the lanes, from `first` on.
static void renew_response(const trvi_step *step, trvi_block *block, uint32_t first, uint32_t a,
                           uint32_t b)
{
    renew_side(step, block->body_a, a, block->inverse_mass_a, first, &block->inverse_inertia_a);
    renew_side(step, block->body_b, b, block->inverse_mass_b, first, &block->inverse_inertia_b);
    respond_part(block, first);
}

#endif
