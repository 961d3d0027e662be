// From the lanes of a block back to contacts: the impulses that were found, whether points slide, and what
// is to be told of them.
//
// Contacts are written as they were read, see contact_fill.h. What a row of four words shares with others is
// read first.
//
// Private to contact_solve.c.
#ifndef TRVI_CONTACT_STORE_H
#define TRVI_CONTACT_STORE_H

#include "contact_fill.h"

// What the impulses of a part's contacts tell, as bits of its lanes.
typedef struct verdicts {
    uint32_t pushed, held;
    uint32_t struck;  // by what its points approached with
    uint32_t stopped; // by as much as what is struck
} verdicts;

// Whether it was dragged on within the step: where it is held from is then no longer where `drag`,
// of which the last three words are its drift, tells.
static uint32_t has_slid(const trvi_block_point *point, const trvi_wide_frame *frame,
                         uint32_t first, const trvi_lanes drag[4])
{
    trvi_wide3 drift = {drag[1], drag[2], drag[3]};
    trvi_lanes off_1 = trvi_lanes_sub(trvi_lanes_load(point->slip_1 + first),
                                      trvi_wide_dot(drift, frame->tangent_1));
    trvi_lanes off_2 = trvi_lanes_sub(trvi_lanes_load(point->slip_2 + first),
                                      trvi_wide_dot(drift, frame->tangent_2));
    trvi_lanes off = trvi_lanes_max(trvi_lanes_abs(off_1), trvi_lanes_abs(off_2));
    return greater_bits(off, trvi_lanes_splat(0.0f));
}

// Writes the impulses of point p to the contacts that have it. The words that the rows share with
// others are read first.
static void store_impulses(const trvi_step *step, const trvi_block *block, const trvi_sources *to,
                           uint32_t first, uint32_t p, verdicts *tell)
{
    const trvi_block_point *point = &block->point[p];
    const trvi_wide_frame frame = trvi_block_frame(block, first);
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes share = trvi_lanes_splat(trvi_smaller(step->dt / TRVI_SAG_TIME_S, 1.0f));
    trvi_lanes normal = trvi_lanes_load(point->normal + first);
    trvi_lanes largest = trvi_lanes_load(point->largest + first);
    trvi_lanes approach = trvi_lanes_load(point->approach + first);
    trvi_lanes row[4], drag[4];
    gather_words(to->contact + first, offsetof(trvi_contact, impulses[p].tangent), row);
    gather_words(to->points + first,
                 p * sizeof(trvi_point_step) + offsetof(trvi_point_step, approach), drag);
    trvi_lanes change = trvi_lanes_mul(share, trvi_lanes_sub(normal, row[3]));
    trvi_wide3 tangent =
        trvi_wide_scale(frame.tangent_1, trvi_lanes_load(point->tangent_1 + first));
    tangent =
        trvi_wide_mul_add(tangent, frame.tangent_2, trvi_lanes_load(point->tangent_2 + first));
    const trvi_lanes pressed[4] = {normal, tangent.x, tangent.y, tangent.z};
    const trvi_lanes pulled[4] = {tangent.x, tangent.y, tangent.z, trvi_lanes_add(row[3], change)};
    const trvi_lanes felt[4] = {largest, approach, zero, zero}; // the drift has been taken over
    uint32_t used = trvi_lanes_at_least(trvi_lanes_load(block->counts + first),
                                        trvi_lanes_splat((float)(p + 1)));
    trvi_lanes most = trvi_lanes_mul(trvi_lanes_load(block->friction + first), normal);
    uint32_t slides = trvi_lanes_at_least(trvi_lanes_sqrt(trvi_wide_dot(tangent, tangent)),
                                          trvi_lanes_mul(trvi_lanes_splat(TRVI_SLIDING), most));
    slides |= has_slid(point, &frame, first, drag);
    float *rows[3][TRVI_LANES];
    for (uint32_t lane = 0; lane < TRVI_LANES; lane++) {
        uint32_t at = first + lane;
        bool has = (used >> lane & 1u) != 0;
        uint32_t index = block->contact[has ? at : first]; // that one is there
        trvi_contact *contact = &trvi_contacts(step->world)[index];
        rows[0][lane] = &contact->impulses[p].normal;
        rows[1][lane] = &contact->impulses[p].tangent.x;
        rows[2][lane] = &trvi_point_steps(step->world, index)[p].largest;
        if (has)
            trvi_set_slides_at(contact, p, slides >> lane & 1u);
    }
    trvi_lanes_store_rows(rows[0], used, pressed);
    trvi_lanes_store_rows(rows[1], used, pulled);
    trvi_lanes_store_rows(rows[2], used, felt);
    uint32_t hit = greater_bits(largest, zero) & used;
    trvi_lanes threshold =
        trvi_lanes_splat(step->world->hit_threshold - step->weight * (float)step->substeps);
    tell->pushed |= hit;
    tell->struck |= hit & greater_bits(trvi_lanes_sub(zero, approach), threshold);
    trvi_lanes mass = trvi_lanes_load(point->normal_mass + first);
    tell->stopped |= hit & greater_bits(largest, trvi_lanes_mul(threshold, mass));
    tell->held |= greater_bits(normal, zero) & used & ~slides;
}

static void tell_verdicts(const trvi_step *step, const trvi_block *block, uint32_t first,
                          const verdicts *tell)
{
    trvi_entry *active = step->world->active.items;
    trvi_lane_floats given;
    trvi_lanes_store(given + first, trvi_lanes_add(trvi_lanes_load(block->given + first),
                                                   pressed_by(block, first)));
    for (uint32_t lane = 0; lane < TRVI_LANES; lane++) {
        uint32_t contact = block->contact[first + lane];
        if (contact == TRVI_NONE)
            continue;
        uint32_t marks = TRVI_ENTRY_SOLVED;
        marks |= (tell->pushed >> lane & 1u) * TRVI_ENTRY_PUSHED;
        marks |= (tell->struck >> lane & 1u) * TRVI_ENTRY_STRUCK;
        marks |= (tell->held >> lane & 1u) * TRVI_ENTRY_HELD;
        marks |= active[block->active[first + lane]].extra;
        bool stopped = (tell->stopped >> lane & 1u) && !(marks & TRVI_ENTRY_TOUCHED);
        if (stopped || (marks & (TRVI_ENTRY_STRUCK | TRVI_ENTRY_MET)))
            trvi_place_blow(step, block, first + lane, marks);
        marks |= stopped ? TRVI_ENTRY_STRUCK : 0;
        active[block->active[first + lane]].extra = marks;
        if (marks & (TRVI_ENTRY_STRUCK | TRVI_ENTRY_BLOWING))
            trvi_contacts(step->world)[contact].given += given[first + lane];
    }
}

static void store_part(const trvi_step *step, const trvi_block *block, uint32_t first)
{
    verdicts tell = {0, 0, 0, 0};
    trvi_sources to;
    for (uint32_t lane = first; lane < first + TRVI_LANES; lane++) {
        bool used = block->contact[lane] != TRVI_NONE;
        const void *contact = &trvi_contacts(step->world)[block->contact[used ? lane : first]];
        to.contact[lane] = contact;
        const void *points = trvi_point_steps(step->world, block->contact[used ? lane : first]);
        to.points[lane] = points;
    }
    for (uint32_t p = 0; p < block->points; p++)
        store_impulses(step, block, &to, first, p, &tell);
    store_rolled(step, block, first);
    tell_verdicts(step, block, first, &tell);
}

#endif
