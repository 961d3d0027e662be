// From the axis of nearness to contact points.
#ifndef TRVI_MANIFOLD_H
#define TRVI_MANIFOLD_H

#include "clip.h"
#include "nearest.h"

// Contact points of two shapes that are not further apart than `margin`. At least one.
void trvi_manifold_make(const trvi_couple *couple, trvi_nearest *nearest, double margin,
                        trv_manifold *out);

// Fills in one contact point; `point` is in the world.
void trvi_manifold_add(trv_manifold *manifold, trvi_dvec3 point, double separation,
                       uint32_t feature);

// The name of a contact point that is a vertex of A or of B.
uint32_t trvi_vertex_name(uint32_t vertex, bool of_b);

// Place and height, over the plane across a contact's normal, of points of a view's frame:
// u = dot(u, x) + at_u, and so on.
typedef struct trvi_chart {
    trvi_dvec3 u, v, height;
    double at_u, at_v, at_height;
} trvi_chart;

// The corners of a face of `view`, or of all its vertices, where it has no faces.
void trvi_polygon_of_face(const trvi_view *view, uint32_t face, const trvi_chart *chart,
                          trvi_polygon *polygon);

// The vertex that a corner of such a polygon is, unless it was made by a cut.
uint32_t trvi_vertex_of_corner(const trvi_view *view, const trvi_corner *corner);

#endif
