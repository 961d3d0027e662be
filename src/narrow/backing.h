// A facet of B - A that is backed by a few points: proof that the shapes overlap least along it.
#ifndef TRVI_BACKING_H
#define TRVI_BACKING_H

#include "nearest.h"

// Corners are told in four bits, and no triangle has the last four.
enum { TRVI_BACKING_POINTS = 16, TRVI_BACKING_FACES = 23 };

// Triangles that are joined to a facet, by the numbers of their corners: those of the facet by their
// order, then the points that back it. Seen from outside they wind counter-clockwise.
typedef struct trvi_triangles {
    uint32_t count;
    uint8_t corner[TRVI_BACKING_FACES + 1][3]; // with the first of a whole surface
} trvi_triangles;

// Tells how the triangles close the surface that begins with the facet of `count` corners; which wind
// clockwise where `turned`; or, where `count` is 0, the whole surface, of which the first three points
// are a triangle, counter-clockwise. Where they do not, or are too many, `known` tells nothing.
TRVI_JOINED void trvi_backing_keep(const trvi_triangles *triangles, uint32_t count, bool turned,
                                   trvi_witnesses *known);

// True where what is known is a whole surface, which backs any facet.
TRVI_JOINED bool trvi_backing_is_whole(const uint32_t faces[3]);

typedef enum trvi_backing {
    TRVI_BACKING_UNSURE, // nothing is told
    TRVI_BACKING_LOST,   // another direction is better
    TRVI_BACKING_HOLDS,
    TRVI_BACKING_MENDED // it holds, with what is `known` now
} trvi_backing;

// Are the facet's corners, in order round it, and the `known` points proof, joined as they were the
// last time, that no direction is better than the axis by more than `slack`? Where they are so no
// more, points are exchanged for others or added, if a few are all it takes. What is known may be
// any numbers.
TRVI_JOINED trvi_backing trvi_backing_holds(const trvi_couple *couple,
                                            const trvi_simplex_point *corners, uint32_t count,
                                            double slack, const trvi_axis *axis,
                                            trvi_witnesses *known);

#endif
