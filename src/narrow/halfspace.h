// A half-space and a shape of any other kind.
#ifndef TRVI_HALFSPACE_H
#define TRVI_HALFSPACE_H

#include "clip.h"

// The solid is dot(normal, p) <= limit, in the other shape's frame.
typedef struct trvi_halfspace {
    trvi_dvec3 normal;   // unit
    double limit;        // m
    trvi_dvec3 in_world; // the normal in world space
} trvi_halfspace;

void trvi_halfspace_set(trvi_halfspace *half, const trv_plane *plane, trv_pose pose,
                        const trvi_view *other);

// Signed distance of the view from the solid; `vertex` is a start, and then the deepest vertex.
double trvi_halfspace_gap(const trvi_halfspace *half, const trvi_view *view, uint32_t *vertex);

// Contact points nearer than `margin`; the normal points out of the half-space. The view is that of B, where
// `of_b`, else of A.
void trvi_halfspace_manifold(const trvi_halfspace *half, const trvi_view *view, bool of_b,
                             double margin, const trvi_held *held, trv_manifold *out);

#endif
