// A facet of B - A that is backed by a few points: proof that the shapes overlap least along it.
#ifndef TRVI_BACKING_H
#define TRVI_BACKING_H

#include "nearest.h"

// Triangles in 9 bits each, three for each corner, none of which is 0 0 0. One more need not be
// told.
enum { TRVI_BACKING_POINTS = 8, TRVI_BACKING_FACES = 10 };

// True where the facet's corners, in order round it, and the `known` points are proof, joined as
// they were the last time, that no direction is better than the axis by more than `slack`. What is
// known may be any numbers. False tells nothing.
TRVI_JOINED bool trvi_backing_holds(const trvi_couple *couple, const trvi_simplex_point *corners,
                                    uint32_t count, double slack, const trvi_axis *axis,
                                    const trvi_witnesses *known);

// The triangle with that number has these corners: those of the facet by their order, then the
// points that back it.
static inline void trvi_backing_add(trvi_witnesses *known, uint32_t number, uint32_t a, uint32_t b,
                                    uint32_t c)
{
    uint64_t bits = (uint64_t)(a | b << 3 | c << 6);
    if (number < 7) {
        bits <<= 9 * number;
        known->faces[0] |= (uint32_t)bits;
        known->faces[1] |= (uint32_t)(bits >> 32);
    } else {
        known->faces[2] |= (uint32_t)bits << 9 * (number - 7);
    }
}

#endif
