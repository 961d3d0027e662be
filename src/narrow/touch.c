// Contact of two convex shapes that are placed in one another's frame: by what is remembered of them,
// else by a search, and from there to contact points.
//
// Everything on this way is compiled twice, for all processors and by touch_eight.c for those that
// have AVX.
#include "touch.h"

#include "box_contact.h"
#include "carry.h"
#include "manifold.h"
#include "remember.h"
#include "spheres.h"

static void note_gap(const trvi_couple *couple, double gap, trv_plane_cache *cache)
{
    double surfaces = gap - couple->a.radius - couple->b.radius;
    cache->gap = trvi_gap_to_keep(surfaces, couple->scale);
}

// Two boxes, by their axes. False where these do not tell enough: they are apart, but closer than
// the margin, and not by a face.
static bool collide_boxes(trvi_couple *couple, double closed, trv_plane_cache *cache,
                          trv_manifold *out, trvi_answer *answer)
{
    trvi_axis axis;
    trvi_box_gaps gaps;
    trvi_box_axes(couple, closed, &gaps, &axis);
    bool apart = axis.gap > closed;
    *answer = apart ? TRVI_APART_SEARCHED : TRVI_CONTACT;
    if (!apart && !trvi_box_contact(couple, &gaps, &axis, closed, out)) {
        if (!(axis.gap <= TRVI_TOUCH * couple->scale))
            return false;
        trvi_nearest nearest;
        trvi_box_nearest(couple, &gaps, &axis, &nearest);
        if (!trvi_box_crossing(couple, &gaps, &nearest, out)) {
            trvi_couple_fill(couple);
            trvi_manifold_make(couple, &nearest, closed, out);
        }
    }
    trvi_remember(&axis, apart, cache);
    note_gap(couple, axis.gap, cache);
    return true;
}

trvi_answer trvi_touch(trvi_couple *couple, double margin, trv_plane_cache *cache,
                       trv_manifold *out)
{
    // Touching within rounding is touching: it counts as within the margin.
    double closed = margin + TRVI_TOUCH * couple->scale;
    double beyond = closed + couple->a.radius + couple->b.radius;
    trvi_nearest nearest;
    trvi_witnesses known;
    trvi_answer answer;
    if (couple->a.is_box && couple->b.is_box && collide_boxes(couple, closed, cache, out, &answer))
        return answer;
    trvi_couple_fill(couple);
    if (trvi_is_parting(cache) && trvi_remembered(couple, cache, beyond, &nearest.axis)) {
        note_gap(couple, nearest.axis.gap, cache);
        cache->steady = 0; // that is the direction which was asked, and which the gap is along
        return TRVI_APART_REMEMBERED;
    }
    bool carried = trvi_carries_on(couple, beyond, cache, &nearest);
    bool grown = !carried && trvi_grows_on(couple, cache, &nearest, &known);
    if (!carried && !grown)
        trvi_nearest_find(couple, beyond, &nearest);
    note_gap(couple, nearest.axis.gap, cache);
    if (nearest.axis.gap > beyond) {
        trvi_remember(&nearest.axis, true, cache);
        if (nearest.has_simplex)
            trvi_remember_nearest(&nearest.simplex, cache);
        return TRVI_APART_SEARCHED;
    }
    if (!carried) {
        trvi_carry(couple, &nearest, grown ? &known : NULL, cache);
        // Measured by its feature the gap may be rounded past what is asked about.
        nearest.axis.gap = trvi_dmin(nearest.axis.gap, beyond);
    }
    // A depth that is carried on has no simplex: with and without, the points are the same.
    nearest.has_simplex = nearest.has_simplex && nearest.axis.gap > TRVI_TOUCH * couple->scale;
    cache->vertex_a = nearest.axis.vertex_a;
    cache->vertex_b = nearest.axis.vertex_b;
    trvi_manifold_make(couple, &nearest, closed, out);
    return TRVI_CONTACT;
}
