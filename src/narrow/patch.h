// Two faces laid over one another, and the contact points that this gives.
#ifndef TRVI_PATCH_H
#define TRVI_PATCH_H

#include "clip.h"
#include "nearest.h"

// The polygon is in the plane across the normal.
typedef struct trvi_patch {
    const trvi_view *reference, *incident;
    bool reference_is_b;
    bool turned; // names take B for A
    uint32_t face, other_face;
    trvi_dvec3 one, two, out; // of the reference's frame; `out` is the normal, pointing out of it
    trvi_dvec3 world_one, world_two, world_out;
    double base, slope_u, slope_v; // the reference face: along `out`, base - u slope_u - v slope_v
    trvi_polygon polygons[2];
    trvi_polygon *polygon; // one of these
    double lowest;         // of its heights
    trvi_depths depths;    // but for `deep`
} trvi_patch;

// By how much corners may stand out over a face of that width, where shapes have this size.
static inline double trvi_side_slack(double width, double size)
{
    return trvi_dmin(TRVI_SIDE_SLACK * size, TRVI_SIDE_SHARE * width);
}

// A face, and its normal in A's frame, from A to B.
typedef struct trvi_patch_face {
    uint32_t face;
    trvi_dvec3 normal;
} trvi_patch_face;

// Along unit `n` (A's frame, from A to B), on the face of A or B that is given. `around` is the
// face that looks along the axis most, of those around the other's deepest vertex; TRVI_NO_VERTEX
// where it is not known. What is no farther than `margin` counts.
TRVI_JOINED void trvi_patch_lay(const trvi_couple *couple, const trvi_axis *axis,
                                const trvi_dvec3 *n, const trvi_patch_face *reference, bool on_b,
                                uint32_t around, double margin, trvi_patch *patch);

// True where something as high as that shows how deep shapes of this size are.
static inline bool trvi_shows_depth(double lowest, double gap, double size)
{
    return lowest <= gap + TRVI_DEEPEST_SLACK * size + TRVI_DEEPEST_SHARE * fabs(gap);
}

// True where a corner of the patch is as deep as the axis says.
TRVI_JOINED bool trvi_patch_shows(const trvi_couple *couple, const trvi_axis *axis,
                                  const trvi_patch *patch);

// At most four of the corners that are no higher than `margin`, as contact points.
TRVI_JOINED void trvi_patch_points(const trvi_couple *couple, trvi_patch *patch, double margin,
                                   trv_manifold *out);

// Fills in one contact point; `point` is in the world.
static inline void trvi_manifold_set(trv_manifold_point *p, const trvi_dvec3 *point,
                                     double separation, uint32_t feature)
{
    p->point.x = (float)point->x;
    p->point.y = (float)point->y;
    p->point.z = (float)point->z;
    p->separation = (float)separation;
    p->feature = feature;
}

static inline void trvi_manifold_add(trv_manifold *manifold, const trvi_dvec3 *point,
                                     double separation, uint32_t feature)
{
    trvi_manifold_set(&manifold->points[manifold->count++], point, separation, feature);
}

// Half-way between the surfaces at places of both cores that are nearest along `n`; in the world.
static inline trvi_dvec3 trvi_half_way(const trvi_couple *couple, trvi_dvec3 n, trvi_dvec3 on_a,
                                       trvi_dvec3 on_b)
{
    trvi_dvec3 surface_a = trvi_dmul_add(on_a, n, couple->a.radius);
    trvi_dvec3 surface_b = trvi_dmul_add(on_b, n, -couple->b.radius);
    return trvi_to_world(&couple->a, trvi_dscale(trvi_dadd(surface_a, surface_b), 0.5));
}

#define TRVI_NAME_BALL 1u // a rolling ball has one contact, and it is the same one wherever it is
#define TRVI_NAME_NONE 2u // places that are no vertex share it
#define TRVI_NAME_OF_B 0x40000000u // marks names of B's vertices and edges
#define TRVI_NAME_ONE  0xFFFFFFFFu // the second part of a vertex's name: no edge has this number

// The name of a contact point that is a vertex of A or of B.
static inline uint32_t trvi_vertex_name(uint32_t vertex, bool of_b)
{
    return trvi_feature(vertex | (of_b ? TRVI_NAME_OF_B : 0), TRVI_NAME_ONE);
}

// The same where an edge crosses one of the other shape; the first is B's where `b`. An edge is the
// lower one of its half-edges.
static inline uint32_t trvi_crossing_name(uint32_t edge, uint32_t other, bool b)
{
    return trvi_feature(b ? other : edge, (b ? edge : other) | TRVI_NAME_OF_B);
}

// Place and height, over the plane across a contact's normal, of points of a view's frame:
// u = dot(u, x) + at_u, and so on.
typedef struct trvi_chart {
    trvi_dvec3 u, v, height;
    double at_u, at_v, at_height;
} trvi_chart;

// A vertex as a corner between two edges.
static inline void trvi_corner_place(const trvi_view *view, uint32_t vertex,
                                     const trvi_chart *chart, uint32_t before, uint32_t after,
                                     trvi_corner *corner)
{
    trvi_dvec3 x = trvi_vertex(view, vertex);
    corner->u = trvi_ddot(chart->u, x) + chart->at_u;
    corner->v = trvi_ddot(chart->v, x) + chart->at_v;
    corner->height = trvi_ddot(chart->height, x) + chart->at_height;
    corner->before = before;
    corner->after = after;
}

// May the face be one of several pieces of a side?
static inline bool trvi_may_be_piece(const trvi_view *view, uint32_t face)
{
    return !view->is_box && view->face_pieces[face] != 0;
}

// side.c: the outline of all pieces of the side that such a face is one of. False, and nothing filled in, where
// it is none.
TRVI_JOINED bool trvi_side_outline(const trvi_view *view, uint32_t face, const trvi_chart *chart,
                                   bool clockwise, trvi_polygon *polygon);

// To the corners of a face of `view`, or of its side, clockwise, those vertices about them that are no farther than
// `margin`: what is bent by a few degrees stands on other faces, too. Then depths tell how they are to be chosen from.
TRVI_JOINED void trvi_side_spread(const trvi_view *view, const trvi_chart *chart, double margin,
                                  trvi_polygon *polygon, trvi_depths *depths);

// The corners of a face of `view` that looks against the chart's height, or of the side that it is a piece of;
// or of all its vertices, where it has no faces; and of what else is no farther than `margin`. Fills in all but how deep
// they are.
TRVI_JOINED void trvi_polygon_of_face(const trvi_view *view, uint32_t face, const trvi_chart *chart,
                                      double margin, trvi_polygon *polygon, trvi_depths *depths);

// The vertex that a corner of such a polygon is, unless it was made by a cut.
TRVI_JOINED uint32_t trvi_vertex_of_corner(const trvi_view *view, const trvi_corner *corner);

#endif
