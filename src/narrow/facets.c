// Depth of overlapping cores by visiting every facet of B - A: nothing is guessed, nothing gives
// up.
//
// The facets of B - A come from the faces of A, the faces of B, and those pairs of edges whose arcs
// on the Gauss map cross. The arc of an edge of A runs from the normal of one of its faces to that
// of the other; sweeping a direction along it, the supporting vertex of B changes exactly where the
// arc crosses an edge of B. So each arc is walked over B's vertex graph from its first supporting
// vertex, and the cost is that of the facets there are, not of all pairs of edges.
// Invariant: every axis that is kept was measured with true supports, so its gap is honest.
// Based on: Gregorius 2013, "The Separating Axis Test between Convex Polyhedra" (Gauss map).
#include "nearest.h"

// Keeps `n` in `axis` where its gap, measured with true supports, is larger.
static void offer(const trvi_couple *couple, trvi_dvec3 n, uint32_t from_a, uint32_t from_b,
                  trvi_axis *axis)
{
    double gap = trvi_gap_along(couple, n, &from_a, &from_b);
    if (gap > axis->gap) {
        axis->normal = n;
        axis->gap = gap;
        axis->vertex_a = from_a;
        axis->vertex_b = from_b;
    }
}

// Offers a direction out of one of the two, in its own frame, where `own` is a corner of it; gives the
// gap.
static double offer_out(const trvi_couple *couple, bool of_b, trvi_dvec3 out, uint32_t own,
                        trvi_axis *axis)
{
    uint32_t other = TRVI_NO_VERTEX, *at_a = of_b ? &other : &own, *at_b = of_b ? &own : &other;
    trvi_dvec3 n = of_b ? trvi_dnegate(trvi_dmat3_mul(&couple->rotation, out)) : out;
    double gap = trvi_gap_along(couple, n, at_a, at_b);
    if (gap > axis->gap)
        *axis = (trvi_axis){n, gap, *at_a, *at_b};
    return gap;
}

// A face of several is flat only within a tolerance: what lies highest over it is a plane through
// three of its corners. Offers those of three that follow one another, and of the first with two.
static void offer_bends(const trvi_couple *couple, bool of_b, uint32_t face, trvi_axis *axis)
{
    const trvi_view *view = of_b ? &couple->b : &couple->a;
    uint32_t first = view->face_first[face], sides = view->face_first[face + 1] - first;
    trvi_dvec3 stored = trvi_face_normal(view, face);
    for (uint32_t i = 0; sides > 3 && i < 2 * sides; i++) {
        uint32_t at = i % sides, before = i < sides ? (at + sides - 1) % sides : 0, corner;
        uint32_t own = view->edge_origin[first + at];
        uint32_t next = view->edge_origin[first + (at + 1) % sides];
        trvi_dvec3 n =
            trvi_triangle_normal(trvi_vertex(view, view->edge_origin[first + before]),
                                 trvi_vertex(view, own), trvi_vertex(view, next), &corner);
        n = trvi_dnormalize_or(n, stored);
        (void)offer_out(couple, of_b, trvi_ddot(n, stored) < 0.0 ? trvi_dnegate(n) : n, own, axis);
    }
}

// Offers the normals of the faces of one of the two. Beside the stored one, which is float32, those
// of the face's own corners, where the rounding of the first may be what it loses by: over a face
// millions of times larger than the other shape that is more than its size.
static void offer_faces(const trvi_couple *couple, bool of_b, trvi_axis *axis)
{
    const trvi_view *view = of_b ? &couple->b : &couple->a;
    double doubt = TRVI_NORMAL_DOUBT * couple->scale;
    for (uint32_t f = 0; f < view->face_count; f++) {
        uint32_t own = view->edge_origin[view->face_first[f]];
        trvi_dvec3 stored = trvi_face_normal(view, f);
        double gap = offer_out(couple, of_b, stored, own, axis);
        if (!(gap > axis->gap - doubt))
            continue;
        trvi_dvec3 exact = trvi_dnormalize_or(trvi_face_spread(view, f), stored);
        (void)offer_out(couple, of_b, exact, own, axis);
        if (view->united && view->face_united[f] != 0)
            offer_bends(couple, of_b, f, axis);
    }
}

// One arc of the Gauss map of `walker`, as directions in the frame of the other view, `graph`.
typedef struct arc {
    const trvi_view *graph;
    trvi_dvec3 first, last; // directions in which `graph` is supported, from one face to the other
    double at;              // how far the walk has come, 0..1
    uint32_t vertex;        // of `graph`, supporting at `at`
} arc;

// To the next vertex of the graph on the way, false at the end of the arc.
static bool walk_on(arc *w)
{
    const trvi_view *g = w->graph;
    trvi_dvec3 here = trvi_vertex(g, w->vertex);
    double best_at = 1.0;
    uint32_t best = TRVI_NO_VERTEX;
    for (uint32_t i = g->neighbor_first[w->vertex]; i < g->neighbor_first[w->vertex + 1]; i++) {
        trvi_dvec3 to = trvi_dsub(trvi_vertex(g, g->neighbors[i]), here);
        double begin = trvi_ddot(w->first, to), end = trvi_ddot(w->last, to);
        if (!(end > 0.0) || !(end > begin))
            continue; // does not overtake on this arc
        double at = trvi_dmax(begin / (begin - end), w->at);
        if (at < best_at) {
            best_at = at;
            best = g->neighbors[i];
        }
    }
    if (best == TRVI_NO_VERTEX)
        return false;
    w->at = best_at;
    w->vertex = best;
    return true;
}

// The unit normal of two edges, on the side of `on_arc`. That one comes from the normals of faces,
// which are float32, and over long edges their rounding shows; it must do where the edges are
// parallel, and what is left of their product is noise.
static trvi_dvec3 normal_across(trvi_dvec3 u, trvi_dvec3 v, trvi_dvec3 on_arc)
{
    trvi_dvec3 n = trvi_dnormalize_or(trvi_dcross(u, v), on_arc);
    double cosine = trvi_ddot(n, on_arc);
    if (!(fabs(cosine) > 0.5))
        return on_arc;
    return cosine < 0.0 ? trvi_dnegate(n) : n;
}

// Walks the arc of A's edge from n0 to n1, less than half a turn, and offers its crossings with arcs of
// B's edges. `*hint` is where the search for the first vertex begins, and then that.
static void walk_arc(const trvi_couple *couple, uint32_t edge, trvi_dvec3 n0, trvi_dvec3 n1,
                     uint32_t *hint, trvi_axis *axis)
{
    const trvi_view *a = &couple->a;
    uint32_t from = a->edge_origin[edge];
    trvi_dvec3 at_edge = trvi_vertex(a, from);
    trvi_dvec3 along = trvi_dsub(trvi_vertex(a, a->edge_origin[a->edge_twin[edge]]), at_edge);
    arc w;
    w.graph = &couple->b;
    w.first = trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, n0));
    w.last = trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, n1));
    w.at = 0.0;
    w.vertex = *hint = trvi_support(w.graph, w.first, *hint);
    for (uint32_t step = 0; step < w.graph->vertex_count; step++) {
        trvi_dvec3 before = trvi_vertex(w.graph, w.vertex);
        if (!walk_on(&w))
            break;
        trvi_dvec3 on_arc = trvi_dmul_add(trvi_dscale(n0, 1.0 - w.at), n1, w.at);
        double length = trvi_dlength(on_arc);
        if (!(length > TRVI_CROSS_LENGTH))
            continue; // an edge without length between faces back to back
        trvi_dvec3 passed = trvi_dsub(trvi_vertex(w.graph, w.vertex), before);
        trvi_dvec3 n = normal_across(along, trvi_dmat3_mul(&couple->rotation, passed),
                                     trvi_dscale(on_arc, 1.0 / length));
        trvi_dvec3 between = trvi_dsub(trvi_vertex_of_b(couple, w.vertex), at_edge);
        if (trvi_ddot(n, between) > axis->gap)
            offer(couple, n, from, w.vertex, axis);
    }
}

// Offers the crossings of A's edges' arcs with those of B's. Round the rim of a blade faces are back to
// back: what lies between their normals only the edge tells, so the arc is walked by way of what is at
// right angles to both.
static void offer_edges(const trvi_couple *couple, trvi_axis *axis)
{
    const trvi_view *a = &couple->a;
    uint32_t hint = TRVI_NO_VERTEX;
    for (uint32_t e = 0; e < a->half_edge_count; e++) {
        uint32_t twin = a->edge_twin[e];
        if (twin < e)
            continue;
        trvi_dvec3 n0 = trvi_dvec3_from(a->planes[a->edge_face[e]].normal);
        trvi_dvec3 n1 = trvi_dvec3_from(a->planes[a->edge_face[twin]].normal);
        if (trvi_ddot(n0, n1) > -TRVI_RIM_COSINE) {
            walk_arc(couple, e, n0, n1, &hint, axis);
            continue;
        }
        trvi_dvec3 along =
            trvi_dsub(trvi_vertex(a, a->edge_origin[twin]), trvi_vertex(a, a->edge_origin[e]));
        trvi_dvec3 out = trvi_dnormalize_or(trvi_dcross(along, trvi_dsub(n0, n1)), n0);
        walk_arc(couple, e, n0, out, &hint, axis);
        walk_arc(couple, e, out, n1, &hint, axis);
    }
}

// Two points, a point and a segment, or two segments that meet: the depth is 0.
static void choose_flat(const trvi_couple *couple, trvi_axis *axis)
{
    const trvi_view *a = &couple->a, *b = &couple->b;
    trvi_dvec3 zero = {0.0, 0.0, 0.0}, up = {0.0, 1.0, 0.0};
    trvi_dvec3 along_a = zero, along_b = zero;
    if (a->vertex_count == 2)
        along_a = trvi_dnormalize_or(trvi_dsub(trvi_vertex(a, 1), trvi_vertex(a, 0)), up);
    if (b->vertex_count == 2)
        along_b = trvi_dnormalize_or(
            trvi_dsub(trvi_vertex_of_b(couple, 1), trvi_vertex_of_b(couple, 0)), up);
    trvi_dvec3 across = trvi_dcross(along_a, along_b);
    trvi_dvec3 n = up;
    if (trvi_ddot(across, across) > TRVI_CROSS_LENGTH * TRVI_CROSS_LENGTH)
        n = trvi_dnormalize_or(trvi_straightened(across, along_a), up);
    else if (a->vertex_count == 2)
        n = trvi_perpendicular(along_a);
    else if (b->vertex_count == 2)
        n = trvi_perpendicular(along_b);
    offer(couple, n, 0, 0, axis);
    offer(couple, trvi_dnegate(n), 0, 0, axis);
}

// The same couple with A and B exchanged: B's frame, and B's arrays first.
static void turn_round(const trvi_couple *couple, trvi_couple *turned)
{
    *turned = *couple;
    turned->a = couple->b;
    turned->b = couple->a;
    if (couple->b.vertices == couple->b.own_vertices)
        turned->a.vertices = turned->a.own_vertices;
    if (couple->a.vertices == couple->a.own_vertices)
        turned->b.vertices = turned->b.own_vertices;
    if (couple->b.planes == couple->b.own_planes)
        turned->a.planes = turned->a.own_planes;
    if (couple->a.planes == couple->a.own_planes)
        turned->b.planes = turned->b.own_planes;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned->rotation.m[i][j] = couple->rotation.m[j][i];
    turned->offset = trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, couple->offset));
}

// An axis of the turned couple as one of the couple itself.
static void turn_back(const trvi_couple *couple, trvi_axis *axis)
{
    axis->normal = trvi_dnegate(trvi_dmat3_mul(&couple->rotation, axis->normal));
    uint32_t vertex = axis->vertex_a;
    axis->vertex_a = axis->vertex_b;
    axis->vertex_b = vertex;
}

// Edges are walked for both: the arcs of one are those of the other but for rounding, which turns
// the normals of slivers so far that a crossing is seen from one side only.
void trvi_walk_facets(const trvi_couple *couple, trvi_axis *axis)
{
    axis->gap = -HUGE_VAL;
    if (couple->a.face_count == 0 && couple->b.face_count == 0) {
        choose_flat(couple, axis);
        return;
    }
    trvi_couple turned;
    turn_round(couple, &turned);
    if (couple->a.face_count == 0) {
        trvi_walk_facets(&turned, axis); // once: the turned couple's A has faces
        turn_back(couple, axis);
        return;
    }
    offer_faces(couple, false, axis);
    offer_faces(couple, true, axis);
    offer_edges(couple, axis);
    trvi_axis other = *axis;
    offer_edges(&turned, &other);
    if (other.gap > axis->gap) {
        *axis = other;
        turn_back(couple, axis);
    }
}
