// Goes from one facet of B - A to the next, as bodies that roll on one another do.
//
// On the Gauss map a side of a facet is an arc of an edge of one shape, all along which one vertex
// supports the other: from the normal of the facet on the one side to that of the facet on the
// other. There the arc either ends, in the face on that side of the edge, or crosses an arc of the
// other shape: that of the edge over which the support changes first.
// Based on: Gregorius 2013, "The Separating Axis Test between Convex Polyhedra" (Gauss map).
#include "roll.h"

#include "near.h"

// An arc of an edge of one shape, in the frame of the other, as directions out of that.
typedef struct gauss_arc {
    uint32_t edge, face; // of the one shape: the edge, and the face in which the arc ends
    bool of_b;           // ... which is B
    uint32_t vertex;     // of the other, supporting at first
    uint32_t but;        // the end of the edge over which it came to be that; TRVI_NO_VERTEX: none
    trvi_dvec3 first, last;
} gauss_arc;

// A direction of the one's frame that points out of it, in the other's, where it points out of that.
static trvi_dvec3 across_to_other(const trvi_couple *couple, bool of_b, trvi_dvec3 n)
{
    return trvi_dnegate(of_b ? trvi_dmat3_mul(&couple->rotation, n)
                             : trvi_dmat3_mul_transposed(&couple->rotation, n));
}

// The half-edge from the vertex over which the support changes first on the arc, and where; or
// TRVI_NO_VERTEX.
static uint32_t first_edge(const trvi_view *view, const gauss_arc *arc, double *at)
{
    uint32_t first = view->vertex_edge[arc->vertex], edge = first, next = TRVI_NO_VERTEX;
    trvi_dvec3 from = trvi_vertex(view, arc->vertex);
    *at = 1.0;
    for (uint32_t i = 0; i < view->half_edge_count; i++) { // once round the vertex
        uint32_t end = view->edge_origin[trvi_view_next(view, edge)];
        trvi_dvec3 to = trvi_dsub(trvi_vertex(view, end), from);
        double begins = trvi_ddot(arc->first, to), ends = trvi_ddot(arc->last, to);
        if (end != arc->but && ends > 0.0 && ends > begins) {
            double share = trvi_dmax(begins / (begins - ends), 0.0);
            next = share < *at ? edge : next;
            *at = trvi_dmin(share, *at);
        }
        edge = view->edge_twin[trvi_view_previous(view, edge)];
        if (edge == first)
            break;
    }
    return next;
}

// To the facet at the end of the arc, or where another crosses it.
static void follow(const trvi_couple *couple, const gauss_arc *arc, trvi_facet *facet)
{
    double at;
    uint32_t edge = first_edge(arc->of_b ? &couple->a : &couple->b, arc, &at);
    bool is_face = edge == TRVI_NO_VERTEX;
    uint32_t own = is_face ? arc->face : arc->edge, others = is_face ? arc->vertex : edge;
    trvi_dvec3 n = trvi_dadd(trvi_dscale(arc->first, 1.0 - at), trvi_dscale(arc->last, at));
    facet->source = !is_face ? TRV_PLANE_EDGES : arc->of_b ? TRV_PLANE_FACE_B : TRV_PLANE_FACE_A;
    facet->index_a = arc->of_b ? others : own;
    facet->index_b = arc->of_b ? own : others;
    if (arc->of_b)
        facet->vertex_a = arc->vertex;
    else
        facet->vertex_b = arc->vertex;
    facet->normal = arc->of_b ? n : across_to_other(couple, true, n);
}

static bool leave_face(const trvi_couple *couple, bool of_b, const trvi_dvec3 *on_a,
                       const trvi_dvec3 *on_b, trvi_facet *facet)
{
    const trvi_view *view = of_b ? &couple->b : &couple->a;
    uint32_t face = of_b ? facet->index_b : facet->index_a;
    trvi_dvec3 point = *on_b;
    if (of_b)
        point = trvi_dmat3_mul_transposed(&couple->rotation, trvi_dsub(*on_a, couple->offset));
    gauss_arc arc;
    arc.edge = trvi_side_beyond(view, face, point, 0.0);
    if (arc.edge == TRVI_NO_VERTEX)
        return false;
    arc.face = view->edge_face[view->edge_twin[arc.edge]];
    arc.of_b = of_b;
    arc.vertex = of_b ? facet->vertex_a : facet->vertex_b;
    arc.but = TRVI_NO_VERTEX;
    arc.first = across_to_other(couple, of_b, trvi_face_normal(view, face));
    arc.last = across_to_other(couple, of_b, trvi_face_normal(view, arc.face));
    follow(couple, &arc, facet);
    return true;
}

// How far the point is beyond an end of the edge, and which one that is: of the half-edge or of its
// twin the origin. All in one frame.
static double past_end(const trvi_view *view, uint32_t edge, trvi_dvec3 point, uint32_t *half)
{
    uint32_t twin = view->edge_twin[edge];
    trvi_dvec3 from = trvi_vertex(view, view->edge_origin[edge]);
    trvi_dvec3 along = trvi_dsub(trvi_vertex(view, view->edge_origin[twin]), from);
    double length = trvi_dlength(along), way = trvi_ddot(trvi_dsub(point, from), along) / length;
    *half = way < 0.0 ? edge : twin;
    return way < 0.0 ? -way : way - length;
}

// Past an end of one edge the other's arc goes on, towards the face where that end is the farther.
static bool leave_edges(const trvi_couple *couple, const trvi_dvec3 *on_a, const trvi_dvec3 *on_b,
                        trvi_facet *facet)
{
    uint32_t half_a, half_b;
    trvi_dvec3 in_b =
        trvi_dmat3_mul_transposed(&couple->rotation, trvi_dsub(*on_b, couple->offset));
    double past_a = past_end(&couple->a, facet->index_a, *on_a, &half_a);
    double past_b = past_end(&couple->b, facet->index_b, in_b, &half_b);
    if (!(trvi_dmax(past_a, past_b) > 0.0))
        return false;
    gauss_arc arc;
    arc.of_b = past_a >= past_b; // whose edge goes on
    const trvi_view *view = arc.of_b ? &couple->b : &couple->a;
    const trvi_view *other = arc.of_b ? &couple->a : &couple->b;
    uint32_t half = arc.of_b ? half_a : half_b;
    arc.edge = arc.of_b ? facet->index_b : facet->index_a;
    arc.vertex = other->edge_origin[half];
    arc.but = other->edge_origin[other->edge_twin[half]];
    arc.first = arc.of_b ? facet->normal : across_to_other(couple, false, facet->normal);
    trvi_dvec3 out = trvi_dsub(trvi_vertex(other, arc.vertex), trvi_vertex(other, arc.but));
    uint32_t left = view->edge_face[arc.edge], right = view->edge_face[view->edge_twin[arc.edge]];
    trvi_dvec3 to_left = across_to_other(couple, arc.of_b, trvi_face_normal(view, left));
    trvi_dvec3 to_right = across_to_other(couple, arc.of_b, trvi_face_normal(view, right));
    bool goes_left = trvi_ddot(to_left, out) > trvi_ddot(to_right, out);
    arc.face = goes_left ? left : right;
    arc.last = goes_left ? to_left : to_right;
    follow(couple, &arc, facet);
    return true;
}

bool trvi_roll_on(const trvi_couple *couple, const trvi_dvec3 *on_a, const trvi_dvec3 *on_b,
                  trvi_facet *facet)
{
    if (facet->source == TRV_PLANE_EDGES)
        return leave_edges(couple, on_a, on_b, facet);
    return leave_face(couple, facet->source == TRV_PLANE_FACE_B, on_a, on_b, facet);
}
