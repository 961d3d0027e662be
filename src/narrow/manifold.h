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

// The corners of a face of `view` (or of all its vertices, where it has no faces), placed by
// rotation and offset in another frame. The polygon must be empty.
void trvi_polygon_of_face(const trvi_view *view, uint32_t face, const trvi_dmat3 *rotation,
                          trvi_dvec3 offset, trvi_polygon *polygon);

#endif
