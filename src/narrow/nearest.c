// Chooses how the signed distance of two cores is found, in the order of what each method is good
// at.
//
// Boxes: the 15 axes, which tell overlap exactly and apart cheaply. Everything else: the distance
// search, and where the cores overlap the growing polytope, or, where that gives up, every facet.
// Invariant: a positive gap along an axis is a proof of "apart"; only such a proof yields one.
#include "nearest.h"

static void from_gjk(const trvi_gjk *gjk, trvi_nearest *out)
{
    out->axis.normal = gjk->normal;
    out->axis.gap = gjk->distance;
    out->axis.vertex_a = gjk->vertex_a;
    out->axis.vertex_b = gjk->vertex_b;
    out->beyond = gjk->state == TRVI_GJK_BEYOND;
    out->has_simplex = true;
    out->simplex = gjk->simplex;
}

// Takes the direction of a search where its gap is wider.
static void take_widest(const trvi_widest *widest, trvi_nearest *out)
{
    if (!(widest->gap > out->axis.gap))
        return;
    out->axis.normal = trvi_dnormalize_or(widest->along, out->axis.normal);
    out->axis.gap = widest->gap;
    out->axis.vertex_a = widest->vertex_a;
    out->axis.vertex_b = widest->vertex_b;
    out->has_simplex = false;
}

// Takes the direction of the widest gap of all facets' where its gap is wider.
static void take_facet(const trvi_couple *couple, trvi_nearest *out)
{
    trvi_axis axis;
    trvi_walk_facets(couple, &axis);
    if (!(axis.gap > out->axis.gap))
        return;
    out->axis = axis;
    out->has_simplex = false;
}

// What a distance search from the axis comes to, where that proves as wide a gap. Where its bounds do
// not meet, the lower one counts, and has to be wider.
static void search_again(const trvi_couple *couple, trvi_nearest *out)
{
    const trvi_dvec3 unmoved = {0.0, 0.0, 0.0};
    trvi_gjk again;
    again.vertex_a = out->axis.vertex_a;
    again.vertex_b = out->axis.vertex_b;
    trvi_gjk_resume(couple, unmoved, out->axis.normal, HUGE_VAL, &again);
    double loose = TRVI_GJK_LOOSE * again.distance;
    bool met = again.distance - again.gap <= loose;
    if (again.state != TRVI_GJK_APART || !(again.gap > out->axis.gap - (met ? loose : 0.0)) ||
        !trvi_gap_exceeds(couple, again.normal, again.gap, TRVI_TOUCH * couple->scale))
        return;
    from_gjk(&again, out);
    out->axis.gap = met ? again.distance : again.gap;
}

// The distance search did not find the cores apart. Where that is for rounding, its direction may
// still be the best: a facet that is flat only within a tolerance has none that is as good. Or they
// are apart, and a search from there finds it.
static void find_depth(const trvi_couple *couple, const trvi_gjk *gjk, trvi_nearest *out)
{
    bool both_flat = couple->a.face_count == 0 && couple->b.face_count == 0;
    trvi_axis grown = {{0.0, 0.0, 0.0}, -HUGE_VAL, 0, 0};
    bool grew = !both_flat && trvi_expand(couple, &gjk->simplex, &grown, &out->simplex);
    if (grew) {
        out->axis = grown;
        out->has_simplex = out->simplex.count > 0;
    } else { // which looks at united faces by the planes of some of their corners only
        trvi_walk_facets(couple, &out->axis);
        if (grown.gap > out->axis.gap)
            out->axis = grown;
    }
    if (gjk->state != TRVI_GJK_UNSURE)
        return;
    take_widest(&gjk->widest, out);
    if (grew && gjk->distance - gjk->gap > TRVI_GJK_UNSURE_BY * couple->scale)
        take_facet(couple, out);
    search_again(couple, out);
}

// The search came to rest before its bounds met: the gap is what its normal proves, or one on its
// way, or a facet's, or what a search from there comes to.
static void improve(const trvi_couple *couple, const trvi_gjk *gjk, trvi_nearest *out)
{
    out->axis.gap = gjk->gap;
    take_widest(&gjk->widest, out);
    take_facet(couple, out);
    search_again(couple, out);
}

// True where the distance search proves the cores apart; `out` is then what it found.
static bool search(const trvi_couple *couple, double beyond, trvi_gjk *gjk, trvi_nearest *out)
{
    trvi_dvec3 unmoved = {0.0, 0.0, 0.0};
    trvi_gjk_run(couple, unmoved, beyond, gjk);
    if (gjk->state != TRVI_GJK_APART && gjk->state != TRVI_GJK_BEYOND)
        return false;
    if (!trvi_gap_exceeds(couple, gjk->normal, gjk->gap, TRVI_TOUCH * couple->scale))
        return false;
    from_gjk(gjk, out);
    if (gjk->distance - gjk->gap > TRVI_GJK_LOOSE * gjk->distance)
        improve(couple, gjk, out);
    return true;
}

// True where `p` lies over the face of a box with half extents `h` that looks along `n`; false also
// where `n` is no face's normal.
static bool is_over_face(trvi_dvec3 h, trvi_dvec3 n, trvi_dvec3 p)
{
    bool x = fabs(p.x) <= h.x, y = fabs(p.y) <= h.y, z = fabs(p.z) <= h.z;
    double off_x = fabs(n.y) + fabs(n.z), off_y = fabs(n.z) + fabs(n.x);
    if (off_x <= TRVI_FACE_AXIS)
        return y && z;
    if (off_y <= TRVI_FACE_AXIS)
        return x && z;
    return fabs(n.x) + fabs(n.y) <= TRVI_FACE_AXIS && x && y;
}

// True where the gap of two boxes along a face's normal is their distance: the deepest vertex of one
// lies over that face of the other.
static bool is_vertex_over_face(const trvi_couple *couple, const trvi_axis *axis)
{
    trvi_dvec3 half_a = couple->a.half;
    if (is_over_face(half_a, axis->normal, trvi_vertex_of_b(couple, axis->vertex_b)))
        return true;
    trvi_dvec3 from_b = trvi_dsub(trvi_vertex(&couple->a, axis->vertex_a), couple->offset);
    return is_over_face(couple->b.half, trvi_dmat3_mul_transposed(&couple->rotation, axis->normal),
                        trvi_dmat3_mul_transposed(&couple->rotation, from_b));
}

void trvi_nearest_find(const trvi_couple *couple, double beyond, trvi_nearest *out)
{
    trvi_gjk gjk;
    out->face_a = out->face_b = TRVI_NO_VERTEX;
    out->has_simplex = out->has_points = false;
    out->beyond = false;
    bool boxes = couple->a.is_box && couple->b.is_box;
    if (boxes) {
        trvi_box_gaps gaps;
        trvi_box_axes(couple, beyond, &gaps, &out->axis);
        out->beyond = out->axis.gap > beyond;
        if (out->beyond || out->axis.gap <= TRVI_TOUCH * couple->scale ||
            (gaps.edge_a < 0 && is_vertex_over_face(couple, &out->axis)))
            return;
    }
    if (!search(couple, beyond, &gjk, out) && !boxes)
        find_depth(couple, &gjk, out);
}

bool trvi_nearest_apart(const trvi_couple *couple, double limit, trvi_nearest *out)
{
    trvi_gjk gjk;
    trvi_box_gaps gaps;
    out->face_a = out->face_b = TRVI_NO_VERTEX;
    out->has_simplex = out->has_points = false;
    out->beyond = false;
    if (couple->a.is_box && couple->b.is_box)
        trvi_box_axes(couple, couple->hasty ? limit : HUGE_VAL, &gaps, &out->axis);
    else if (!search(couple, limit, &gjk, out)) {
        out->has_simplex = gjk.state == TRVI_GJK_TOUCH && gjk.simplex.count == 4;
        out->simplex = gjk.simplex;
        if (gjk.state != TRVI_GJK_UNSURE)
            return false;
        find_depth(couple, &gjk, out);
    }
    return out->axis.gap > limit;
}

trvi_dvec3 trvi_parting(const trvi_couple *couple, const trvi_axis *axis)
{
    double move = TRVI_PART * (couple->a.extent + couple->b.extent + couple->scale);
    return trvi_dscale(axis->normal, move - axis->gap);
}

// The points that a simplex makes; returns by how much what is between them is not the gap.
static double make_points(const trvi_couple *couple, const trvi_axis *axis,
                          const trvi_simplex *simplex, trvi_dvec3 *on_a, trvi_dvec3 *on_b)
{
    trvi_gjk_points(couple, simplex, on_a, on_b);
    return trvi_dlength(trvi_dmul_add(trvi_dsub(*on_b, *on_a), axis->normal, -axis->gap));
}

// Moved apart along the best axis, the features that touched are the nearest ones. Where a simplex is
// known they are asked only if its points are no answer, for rounding of its shares over a sliver of a
// vast face or for an axis that is another search's. Over needles that axis may lead to others; then
// the points where the cores meet, once moved along it by the gap, are asked for, too. The best are
// taken.
void trvi_nearest_points(const trvi_couple *couple, trvi_nearest *nearest, trvi_dvec3 *on_a,
                         trvi_dvec3 *on_b)
{
    const trvi_axis *axis = &nearest->axis;
    double missed = HUGE_VAL;
    double allowed = (axis->gap > 0.0 ? TRVI_TOUCH : TRVI_DEPTH_GAP) * couple->scale;
    if (nearest->has_points) {
        *on_a = nearest->on_a;
        *on_b = nearest->on_b;
        return;
    }
    if (nearest->has_simplex)
        missed = make_points(couple, axis, &nearest->simplex, on_a, on_b);
    for (int way = 0; way < 2 && missed > allowed; way++) {
        trvi_dvec3 a, b, shift = trvi_parting(couple, axis);
        trvi_gjk gjk;
        if (way == 1)
            shift = trvi_dscale(axis->normal, -axis->gap);
        trvi_gjk_run(couple, shift, HUGE_VAL, &gjk);
        double miss = make_points(couple, axis, &gjk.simplex, &a, &b);
        if (!(miss < missed) && nearest->has_simplex)
            continue;
        *on_a = a;
        *on_b = b;
        missed = miss;
        nearest->simplex = gjk.simplex;
        nearest->has_simplex = true;
    }
}
