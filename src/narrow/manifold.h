// From the axis of nearness to contact points.
#ifndef TRVI_MANIFOLD_H
#define TRVI_MANIFOLD_H

#include "nearest.h"

// Contact points of two shapes that are not further apart than `margin`. At least one.
TRVI_JOINED void trvi_manifold_make(const trvi_couple *couple, trvi_nearest *nearest, double margin,
                                    trv_manifold *out);

// The best aligned face as trvi_best_face_from finds it, from the best of those round a vertex.
TRVI_JOINED uint32_t trvi_best_face_beyond(const trvi_view *view, const trvi_dvec3 *out,
                                           uint32_t around, uint32_t vertex);

#endif
