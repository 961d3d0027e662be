// Volume integrals of closed surfaces.
#ifndef TRVI_SOLID_H
#define TRVI_SOLID_H

#include "mesh.h"

// A run of polygons: face f of [begin, end) has the corners corners[first[f] .. first[f + 1]).
typedef struct trvi_shell {
    const trv_vec3 *vertices;
    const uint32_t *first;
    const uint32_t *corners;
    uint32_t begin, end;
} trvi_shell;

// Volume, centroid and inertia at unit density of what a closed, outward surface bounds; polygons
// are cut as fans from their first corner. `center` is a point near the middle, that of the bounds.
// `gross`, where not NULL, gets the sum of the magnitudes of all parts of the volume: a volume
// that is tiny beside it is rounding noise.
// The volume is negative where the surface is inside out; nothing but it is set unless it is > 0.
trvi_solid trvi_solid_of_shell(const trvi_shell *shell, trvi_dvec3 center, double *gross);

// The same for the hull, accurate however flat it is, because no part of it is then negative.
trvi_solid trvi_solid_of_hull(const trv_hull *hull);
double trvi_volume_of_hull(const trv_hull *hull); // alone, at a fifth of the cost

#endif
