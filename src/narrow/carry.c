// Keeps the feature that carries a contact, and proves in the next frame that it still does.
//
// Overlapping polyhedra are parted by the least move along the normal of a face of one of them, or
// along the product of an edge of each. Shapes that rest on one another keep that feature for long.
// It is measured where it is now; then a polytope between its facet of B - A and the point farthest
// behind it is grown only until no side of it is nearer than the facet: mostly a few points, where a
// search from nothing takes dozens. Where the cores are apart by a gap, a place inside the facet is
// proof enough, since a distance has one minimum only.
// Invariant: what is accepted is the answer of the full search but for TRVI_CARRY_SLACK.
// Based on: Lander 1999 (the plane remembered per pair); van den Bergen 2001 (expanding polytope).
#include "carry.h"

#include "remember.h"

#define CARRIES 0x100u // marks the source of a plane that carries a contact

enum { MAX_CORNERS = 8 }; // of a facet; larger ones are taken by some of their corners

static trvi_dvec3 edge_of(const trvi_view *view, uint32_t edge)
{
    return trvi_dsub(trvi_vertex(view, view->edge_origin[trvi_view_next(view, edge)]),
                     trvi_vertex(view, view->edge_origin[edge]));
}

// The normal of the feature in the cache, from A to B. False where it is none, or has no direction.
static bool feature_normal(const trvi_couple *couple, const trv_plane_cache *cache, trvi_dvec3 *n)
{
    static const trvi_dvec3 none = {0.0, 0.0, 0.0};
    const trvi_view *a = &couple->a, *b = &couple->b;
    switch (cache->source) {
    case CARRIES | TRV_PLANE_FACE_A:
        if (cache->index_a >= a->face_count)
            return false;
        *n = trvi_face_normal(a, cache->index_a);
        return true;
    case CARRIES | TRV_PLANE_FACE_B:
        if (cache->index_b >= b->face_count)
            return false;
        *n = trvi_dnegate(trvi_dmat3_mul(&couple->rotation, trvi_face_normal(b, cache->index_b)));
        return true;
    case CARRIES | TRV_PLANE_EDGES: {
        if (cache->index_a >= a->half_edge_count || cache->index_b >= b->half_edge_count)
            return false;
        trvi_dvec3 along_a = edge_of(a, cache->index_a);
        trvi_dvec3 along_b = trvi_dmat3_mul(&couple->rotation, edge_of(b, cache->index_b));
        trvi_dvec3 across = trvi_dcross(along_a, along_b);
        double lengths = trvi_ddot(along_a, along_a) * trvi_ddot(along_b, along_b);
        if (!(trvi_ddot(across, across) > TRVI_CARRY_SINE * TRVI_CARRY_SINE * lengths))
            return false;
        *n = trvi_dnormalize_or(across, none);
        if (trvi_ddot(*n, trvi_dvec3_from(cache->normal)) < 0.0)
            *n = trvi_dnegate(*n);
        return true;
    }
    default:
        return false;
    }
}

static trvi_simplex_point point_of(const trvi_couple *couple, uint32_t a, uint32_t b)
{
    trvi_simplex_point p = {trvi_dsub(trvi_vertex_of_b(couple, b), trvi_vertex(&couple->a, a)), a,
                            b};
    return p;
}

// The corners, in order, of the facet of B - A that the feature makes.
static uint32_t facet_of(const trvi_couple *couple, const trv_plane_cache *cache,
                         const trvi_axis *axis, trvi_simplex_point *corners)
{
    if (cache->source == (CARRIES | TRV_PLANE_EDGES)) {
        const trvi_view *a = &couple->a, *b = &couple->b;
        uint32_t a0 = a->edge_origin[cache->index_a], b0 = b->edge_origin[cache->index_b];
        uint32_t a1 = a->edge_origin[trvi_view_next(a, cache->index_a)];
        uint32_t b1 = b->edge_origin[trvi_view_next(b, cache->index_b)];
        corners[0] = point_of(couple, a0, b0);
        corners[1] = point_of(couple, a1, b0);
        corners[2] = point_of(couple, a1, b1);
        corners[3] = point_of(couple, a0, b1);
        return 4;
    }
    bool of_a = cache->source == (CARRIES | TRV_PLANE_FACE_A);
    const trvi_view *view = of_a ? &couple->a : &couple->b;
    uint32_t face = of_a ? cache->index_a : cache->index_b, first = view->face_first[face];
    uint32_t sides = view->face_first[face + 1] - first;
    uint32_t count = sides < MAX_CORNERS ? sides : MAX_CORNERS;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertex = view->edge_origin[first + (uint32_t)((uint64_t)i * sides / count)];
        corners[i] = of_a ? point_of(couple, vertex, axis->vertex_b)
                          : point_of(couple, axis->vertex_a, vertex);
    }
    return count;
}

// True where the origin, moved along the normal onto the facet, lies inside of it; and no corner is
// off the facet's plane.
static bool is_inside(const trvi_simplex_point *corners, uint32_t count, const trvi_axis *axis,
                      double slack)
{
    double turn = 0.0; // the sign of the corners' order
    for (uint32_t i = 0; i < count; i++) {
        trvi_dvec3 from = corners[i].w, to = corners[i + 1 < count ? i + 1 : 0].w;
        double side = trvi_ddot(axis->normal, trvi_dcross(from, to));
        if (fabs(trvi_ddot(axis->normal, from) - axis->gap) > slack || !(side * turn >= 0.0))
            return false;
        turn = side != 0.0 ? side : turn;
    }
    return turn != 0.0;
}

bool trvi_carries_on(const trvi_couple *couple, const trv_plane_cache *cache, trvi_axis *axis)
{
    trvi_simplex_point corners[MAX_CORNERS];
    if (!feature_normal(couple, cache, &axis->normal))
        return false;
    axis->vertex_a = cache->vertex_a;
    axis->vertex_b = cache->vertex_b;
    axis->gap = trvi_gap_along(couple, axis->normal, &axis->vertex_a, &axis->vertex_b);
    uint32_t count = facet_of(couple, cache, axis, corners);
    double slack = TRVI_CARRY_SLACK * couple->size;
    if (!is_inside(corners, count, axis, slack))
        return false;
    if (axis->gap > 0.0)
        return trvi_gap_exceeds(couple, axis->normal, axis->gap, 0.0);
    trvi_axis best = *axis;
    return trvi_expand_facet(couple, corners, count, slack, &best) && best.gap <= axis->gap;
}

void trvi_carry(const trvi_couple *couple, trvi_axis *axis, trv_plane_cache *cache)
{
    trv_plane_source source = TRV_PLANE_NONE;
    trvi_remember(axis, false, cache);
    if (couple->a.face_count == 0 || couple->b.face_count == 0)
        return;
    trvi_plane_source(couple, axis, &source, &cache->index_a, &cache->index_b);
    cache->source = CARRIES | (uint32_t)source;
    trvi_axis own = *axis;
    if (!feature_normal(couple, cache, &own.normal))
        return;
    own.gap = trvi_gap_along(couple, own.normal, &own.vertex_a, &own.vertex_b);
    if (own.gap >= axis->gap - TRVI_CARRY_SLACK * couple->size) {
        *axis = own;
        cache->vertex_a = own.vertex_a;
        cache->vertex_b = own.vertex_b;
    }
}
