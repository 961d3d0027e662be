// Rolling friction: a torque against the relative spin of a contact's sides, at most the lever arm
// times what presses.
//
// It goes on from the one of the step before, as other impulses do: what it holds would creep if it
// were found from none again and again.
//
// Private to contact_solve.c.
#ifndef TRVI_CONTACT_ROLLING_H
#define TRVI_CONTACT_ROLLING_H

#include "contact_aim.h"

static trvi_wide3 no_wide(void)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    return (trvi_wide3){zero, zero, zero};
}

// The normal impulses of all points, N s.
static trvi_lanes pressed_by(const trvi_block *block, uint32_t first)
{
    trvi_lanes sum = trvi_lanes_splat(0.0f);
    for (uint32_t p = 0; p < block->points; p++)
        sum = trvi_lanes_add(sum, trvi_lanes_load(block->point[p].normal + first));
    return sum;
}

// Of a contact's rolled: fine enough that nothing is seen to change by what is rounded off.
enum { ROLLED_BITS = 21, ROLLED_MOST = (1 << (ROLLED_BITS - 1)) - 1 };

static uint64_t rolled_of(float torque, float most)
{
    float part = most > 0.0f ? trvi_smaller(trvi_larger(torque / most, -1.0f), 1.0f) : 0.0f;
    int32_t whole = (int32_t)(part * (float)ROLLED_MOST + (part < 0.0f ? -0.5f : 0.5f));
    return (uint32_t)whole & ((1u << ROLLED_BITS) - 1);
}

static float part_of_most(uint64_t rolled, int axis)
{
    int32_t whole = (int32_t)(rolled >> axis * ROLLED_BITS & ((1u << ROLLED_BITS) - 1));
    return (float)(whole > ROLLED_MOST ? whole - (1 << ROLLED_BITS) : whole) / (float)ROLLED_MOST;
}

// The torque of the last step, N m s, which is measured by what presses: it goes along with loads.
static void recall_rolled(trvi_block *block, const trvi_sources *from, uint32_t first)
{
    trvi_lane_floats most;
    trvi_lanes_store(most + first, trvi_lanes_mul(trvi_lanes_load(block->rolling + first),
                                                  pressed_by(block, first)));
    for (uint32_t lane = first; lane < first + TRVI_LANES; lane++) {
        uint64_t rolled = ((const trvi_contact *)from->contact[lane])->rolled;
        block->rolled.x[lane] = most[lane] * part_of_most(rolled, 0);
        block->rolled.y[lane] = most[lane] * part_of_most(rolled, 1);
        block->rolled.z[lane] = most[lane] * part_of_most(rolled, 2);
    }
}

static trvi_lanes row_sum(trvi_lanes on, trvi_lanes off_1, trvi_lanes off_2)
{
    return trvi_lanes_add(on, trvi_lanes_add(trvi_lanes_abs(off_1), trvi_lanes_abs(off_2)));
}

// No axis yields more than the largest sum over a row, so that a torque found with it never
// overshoots; the rows of what is as long as it is wide have but the yield of every axis.
static void fill_rolling(trvi_block *block, const trvi_sources *from, uint32_t first,
                         const trvi_wide_symmetric *i, const trvi_wide_symmetric *j)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes xy = trvi_lanes_add(i->xy, j->xy), xz = trvi_lanes_add(i->xz, j->xz);
    trvi_lanes yz = trvi_lanes_add(i->yz, j->yz);
    trvi_lanes most = row_sum(trvi_lanes_add(i->xx, j->xx), xy, xz);
    most = trvi_lanes_max(most, row_sum(trvi_lanes_add(i->yy, j->yy), xy, yz));
    most = trvi_lanes_max(most, row_sum(trvi_lanes_add(i->zz, j->zz), xz, yz));
    trvi_lanes some = trvi_lanes_if_greater(most, zero, most, one);
    trvi_lanes_store(block->rolling_mass + first,
                     trvi_lanes_if_greater(most, zero, trvi_lanes_div(one, some), zero));
    recall_rolled(block, from, first);
}

static void store_rolled(const trvi_step *step, const trvi_block *block, uint32_t first)
{
    trvi_lane_floats pressed;
    trvi_lanes_store(pressed + first, pressed_by(block, first));
    for (uint32_t lane = first; lane < first + TRVI_LANES; lane++) {
        if (block->contact[lane] == TRVI_NONE)
            continue;
        trvi_contact *contact = &trvi_contacts(step->world)[block->contact[lane]];
        contact->rolled = 0;
        if (!block->rolls)
            continue;
        float most = block->rolling[lane] * pressed[lane];
        contact->rolled = rolled_of(block->rolled.x[lane], most) |
                          rolled_of(block->rolled.y[lane], most) << ROLLED_BITS |
                          rolled_of(block->rolled.z[lane], most) << 2 * ROLLED_BITS;
    }
}

static void turn_apart(const trvi_block *block, uint32_t first, pair_state *s, trvi_wide3 torque)
{
    trvi_wide_symmetric inertia_a = trvi_wide_load_symmetric(&block->inverse_inertia_a, first);
    trvi_wide_symmetric inertia_b = trvi_wide_load_symmetric(&block->inverse_inertia_b, first);
    s->a.angular = trvi_wide_sub(s->a.angular, trvi_wide_symmetric_mul(&inertia_a, torque));
    s->b.angular = trvi_wide_add(s->b.angular, trvi_wide_symmetric_mul(&inertia_b, torque));
}

// What has settled keeps what it had.
static void solve_rolling(trvi_block *block, uint32_t first, pair_state *s)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes most =
        trvi_lanes_mul(trvi_lanes_load(block->rolling + first), pressed_by(block, first));
    trvi_wide3 spin = trvi_wide_sub(s->b.angular, s->a.angular);
    trvi_wide3 before = trvi_wide_load(&block->rolled, first);
    trvi_wide3 after =
        trvi_wide_mul_sub(before, spin, trvi_lanes_load(block->rolling_mass + first));
    trvi_lanes length = trvi_lanes_sqrt(trvi_wide_dot(after, after));
    trvi_lanes divisor = trvi_lanes_if_greater(length, most, length, one);
    trvi_lanes scale = trvi_lanes_if_greater(length, most, trvi_lanes_div(most, divisor), one);
    trvi_lanes on = trvi_lanes_load(block->solving + first);
    after = trvi_wide_scale(after, scale);
    after = if_greater3(on, zero, after, before);
    trvi_wide_store(&block->rolled, first, after);
    turn_apart(block, first, s, trvi_wide_sub(after, before));
}

// A torque times what it changes the sides' spins by, at most.
static trvi_lanes rolling_energy(const trvi_block *block, uint32_t first, trvi_wide3 torque)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes mass = trvi_lanes_load(block->rolling_mass + first);
    trvi_lanes some = trvi_lanes_if_greater(mass, zero, mass, trvi_lanes_splat(1.0f));
    return trvi_lanes_if_greater(mass, zero, trvi_lanes_div(trvi_wide_dot(torque, torque), some),
                                 zero);
}

// As go_on_part does with impulses.
static void go_on_rolling(trvi_block *block, uint32_t first, trvi_trial *trial, trvi_lanes part,
                          pair_state *s)
{
    trvi_wide3 now = trvi_wide_load(&block->rolled, first);
    trvi_wide3 change = trvi_wide_sub(now, trvi_wide_load(&trial->rolled_before, first));
    trvi_wide3 way = trvi_wide_load(&trial->rolled_way, first); // the first one is none yet
    trvi_wide3 on = if_greater3(part, trvi_lanes_splat(0.0f), way, no_wide());
    on = trvi_wide_scale(on, part);
    trvi_wide_store(&block->rolled, first, trvi_wide_add(now, on));
    trvi_wide_store(&trial->rolled_way, first, trvi_wide_add(on, change));
    turn_apart(block, first, s, on);
}

#endif
