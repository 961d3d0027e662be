// From the axis of nearness to contact points.
#ifndef TRVI_MANIFOLD_H
#define TRVI_MANIFOLD_H

#include "nearest.h"

// Contact points of two shapes that are not further apart than `margin`. At least one.
TRVI_JOINED void trvi_manifold_make(const trvi_couple *couple, trvi_nearest *nearest, double margin,
                                    trv_manifold *out);

#endif
