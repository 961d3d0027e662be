// From one facet of B - A to the next.
#ifndef TRVI_ROLL_H
#define TRVI_ROLL_H

#include "nearest.h"

// A face of A or B and the other's vertex that is farthest against it, or an edge of each.
typedef struct trvi_facet {
    trv_plane_source source;   // TRV_PLANE_FACE_A, _FACE_B or _EDGES
    uint32_t index_a, index_b; // of the face or the half-edges
    uint32_t vertex_a, vertex_b;
    trvi_dvec3 normal; // from A to B, in A's frame, about unit
} trvi_facet;

// Moves on to the facet on the other side of the side over which the contact left this one: `on_a`
// and `on_b` are what the nearest points would be if it carried on. Of a facet of edges the normal is
// then a direction near its own. False where the contact did not leave over a side.
TRVI_JOINED bool trvi_roll_on(const trvi_couple *couple, const trvi_dvec3 *on_a,
                              const trvi_dvec3 *on_b, trvi_facet *facet);

#endif
