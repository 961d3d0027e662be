// What is told of a blow: by the contact of the two, or, where they share none, by an event.
//
// A contact that had no points yet has those of the blow, as if it had been made where that was.
#include "impact_data.h"

#include <string.h>

static uint32_t nearest_point(const trv_manifold *manifold, trv_vec3 to)
{
    uint32_t nearest = 0;
    float least = 0.0f;
    for (uint32_t i = 0; i < manifold->count; i++) {
        trv_vec3 d = trvi_sub(manifold->points[i].point, to);
        if (i > 0 && trvi_dot(d, d) >= least)
            continue;
        least = trvi_dot(d, d);
        nearest = i;
    }
    return nearest;
}

// The normal impulse that the pair got, at all its points.
static float blow_of(const trvi_strike *strike, const trvi_met *met)
{
    float impulse = 0.0f;
    for (uint32_t i = 0; i < met->points; i++)
        impulse += strike->points[met->first_point + i].impulses[0];
    return impulse;
}

// The contact tells what was felt, as of the solver's own impulses.
static void record(const trvi_step *step, const trvi_strike *strike, const trvi_met *met)
{
    uint32_t active = met->meeting;
    const trv_manifold *manifold = &met->manifold;
    trvi_entry *entry = &((trvi_entry *)step->world->active.items)[active];
    trvi_contact *contact = &trvi_contacts(step->world)[entry->value];
    trvi_point_step *points = trvi_point_steps(step->world, entry->value);
    uint32_t lane = trvi_meetings(step)[active].lane;
    if (contact->manifold.count == 0) {
        entry->extra |= TRVI_ENTRY_NEAR;
        contact->manifold = *manifold;
        memset(contact->impulses, 0, sizeof contact->impulses);
        contact->rolled = 0;
        memset(&contact->normal_local, 0, sizeof contact->normal_local);
        memset(contact->anchor_a, 0, sizeof contact->anchor_a);
        memset(contact->anchor_b, 0, sizeof contact->anchor_b);
        memset(&contact->between, 0, sizeof contact->between);
        memset(&contact->stance, 0, sizeof contact->stance);
        contact->travelled = -1.0;
        contact->flags &= ~(uint32_t)TRVI_CONTACT_SLIDES_ALL;
        memset(points, 0, TRV_MANIFOLD_POINTS * sizeof *points);
    }
    trvi_blow_place *place = &trvi_blow_places(step->world)[active];
    if (!(entry->extra & TRVI_ENTRY_MET) || met->closing > place->speed)
        *place = (trvi_blow_place){manifold->points[0].point, manifold->normal, met->closing, 0.0f};
    entry->extra |= TRVI_ENTRY_MET;
    float impulse = blow_of(strike, met);
    uint32_t p = nearest_point(&contact->manifold, manifold->points[0].point);
    float *largest = &points[p].largest, *approach = &points[p].approach, *given = &contact->given;
    if (lane != TRVI_NONE) {
        trvi_block *block = &step->blocks[lane / TRVI_BLOCK_LANES];
        largest = &block->point[p].largest[lane % TRVI_BLOCK_LANES];
        approach = &block->point[p].approach[lane % TRVI_BLOCK_LANES];
        given = &block->given[lane % TRVI_BLOCK_LANES];
    }
    *approach = *largest > 0.0f ? trvi_smaller(*approach, -met->closing) : -met->closing;
    *largest = trvi_larger(*largest, impulse);
    *given += impulse;
}

static void tell_stray_hit(const trvi_step *step, const trvi_strike *strike, const trvi_met *met)
{
    trv_world *world = step->world;
    // As many as room was made for, and never more because there happens to be some.
    if (!trvi_wants_hits(world, met->pair.shape_a, met->pair.shape_b) ||
        !(met->closing > world->hit_threshold) || world->hits.count > world->awake.count)
        return;
    const trvi_blow_place place = {met->manifold.points[0].point, met->manifold.normal,
                                   met->closing, 0.0f};
    trvi_tell_hit(world, met->pair.shape_a, met->pair.shape_b, &place, blow_of(strike, met));
}

void trvi_tell_blow(const trvi_step *step, const trvi_strike *strike, const trvi_met *met)
{
    if (met->pair.contact != TRVI_NONE)
        record(step, strike, met);
    else
        tell_stray_hit(step, strike, met);
}
