// Every candidate for a separating plane of two convex polyhedra, one after the other.
//
// Slow, and simple enough to be believed: a plane is only a direction here, and both solids are
// measured along it vertex by vertex. The published rules are kept where they are right: a vertex
// on the plane does not disqualify it, and a vertex in line with an edge makes no plane (it is
// skipped; the article takes it for a collision).
// Based on: Lander 1999, "Crashing into the New Year".
#include "reference.h"

#include <string.h>

#include "view.h"

typedef struct search {
    const trvi_couple *couple;
    trvi_dvec3 normal;
    double gap;
    trv_plane_source source;
    uint32_t index_a, index_b;
} search;

static void offer(search *s, trvi_dvec3 n, trv_plane_source source, uint32_t a, uint32_t b)
{
    double gap = trvi_gap_along_every(s->couple, n);
    if (gap > s->gap) {
        s->normal = n;
        s->gap = gap;
        s->source = source;
        s->index_a = a;
        s->index_b = b;
    }
}

// Both sides of the plane spanned by two directions; none where they are in line.
static void offer_cross(search *s, trvi_dvec3 u, trvi_dvec3 v, trv_plane_source source, uint32_t a,
                        uint32_t b)
{
    trvi_dvec3 n = trvi_dcross(u, v);
    double length = trvi_dlength(n);
    if (!(length > TRVI_CROSS_LENGTH * trvi_dlength(u) * trvi_dlength(v)))
        return;
    n = trvi_dscale(n, 1.0 / length);
    offer(s, n, source, a, b);
    offer(s, trvi_dnegate(n), source, a, b);
}

// The stored normal, which is float32, and that of the face's corners: over a face a million times
// larger than the other solid rounding of the first is more than that is large.
static void try_faces(search *s)
{
    const trvi_couple *c = s->couple;
    for (uint32_t f = 0; f < c->a.face_count; f++) {
        trvi_dvec3 stored = trvi_face_normal(&c->a, f);
        offer(s, stored, TRV_PLANE_FACE_A, f, 0);
        offer(s, trvi_dnormalize_or(trvi_face_spread(&c->a, f), stored), TRV_PLANE_FACE_A, f, 0);
    }
    for (uint32_t f = 0; f < c->b.face_count; f++) {
        trvi_dvec3 stored = trvi_face_normal(&c->b, f);
        trvi_dvec3 exact = trvi_dnormalize_or(trvi_face_spread(&c->b, f), stored);
        offer(s, trvi_dnegate(trvi_dmat3_mul(&c->rotation, stored)), TRV_PLANE_FACE_B, 0, f);
        offer(s, trvi_dnegate(trvi_dmat3_mul(&c->rotation, exact)), TRV_PLANE_FACE_B, 0, f);
    }
}

// The ends of a half-edge in A's frame.
static void edge_ends(const trvi_couple *c, bool of_b, uint32_t edge, trvi_dvec3 *from,
                      trvi_dvec3 *along)
{
    const trvi_view *view = of_b ? &c->b : &c->a;
    uint32_t begin = view->edge_origin[edge], end = view->edge_origin[trvi_view_next(view, edge)];
    *from = of_b ? trvi_vertex_of_b(c, begin) : trvi_vertex(view, begin);
    trvi_dvec3 to = of_b ? trvi_vertex_of_b(c, end) : trvi_vertex(view, end);
    *along = trvi_dsub(to, *from);
}

static void try_edges_with_vertices(search *s, bool edges_of_b)
{
    const trvi_couple *c = s->couple;
    const trvi_view *owner = edges_of_b ? &c->b : &c->a, *other = edges_of_b ? &c->a : &c->b;
    for (uint32_t e = 0; e < owner->half_edge_count; e++) {
        if (owner->edge_twin[e] < e)
            continue;
        trvi_dvec3 from, along;
        edge_ends(c, edges_of_b, e, &from, &along);
        for (uint32_t v = 0; v < other->vertex_count; v++) {
            trvi_dvec3 vertex = edges_of_b ? trvi_vertex(other, v) : trvi_vertex_of_b(c, v);
            offer_cross(s, along, trvi_dsub(vertex, from), TRV_PLANE_VERTICES,
                        edges_of_b ? v : owner->edge_origin[e],
                        edges_of_b ? owner->edge_origin[e] : v);
        }
    }
}

static void try_edges_with_edges(search *s)
{
    const trvi_couple *c = s->couple;
    for (uint32_t e = 0; e < c->a.half_edge_count; e++) {
        if (c->a.edge_twin[e] < e)
            continue;
        trvi_dvec3 from, along_a, along_b;
        edge_ends(c, false, e, &from, &along_a);
        for (uint32_t g = 0; g < c->b.half_edge_count; g++) {
            if (c->b.edge_twin[g] < g)
                continue;
            edge_ends(c, true, g, &from, &along_b);
            offer_cross(s, along_a, along_b, TRV_PLANE_EDGES, e, g);
        }
    }
}

void trvi_separate_reference(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                             trv_pose pose_b, trv_separation *out)
{
    trvi_couple couple;
    trvi_couple_set(&couple, a, pose_a, b, pose_b);
    search s = {&couple, {0.0, 1.0, 0.0}, -HUGE_VAL, TRV_PLANE_NONE, 0, 0};
    double touch = TRVI_TOUCH * couple.scale;
    try_faces(&s);
    if (!(s.gap > touch)) {
        try_edges_with_vertices(&s, false);
        try_edges_with_vertices(&s, true);
    }
    if (!(s.gap > touch))
        try_edges_with_edges(&s);
    memset(out, 0, sizeof *out);
    out->apart = s.gap > touch;
    out->gap = (float)s.gap;
    out->source = out->apart ? s.source : TRV_PLANE_NONE;
    out->index_a = s.index_a;
    out->index_b = s.index_b;
    // Half-way between the supports.
    trvi_dvec3 top = trvi_vertex(&couple.a, trvi_support_every(&couple.a, s.normal));
    trvi_dvec3 point = trvi_to_world(&couple.a, trvi_dmul_add(top, s.normal, 0.5 * s.gap));
    out->plane.normal = trvi_vec3_from_double(trvi_dmat3_mul(&couple.a.rotation, s.normal));
    out->plane.offset = (float)-trvi_ddot(trvi_dvec3_from(out->plane.normal), point);
}
