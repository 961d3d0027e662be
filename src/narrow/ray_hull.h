// A ray against a hull in the hull's own frame.
#ifndef TRVI_RAY_HULL_H
#define TRVI_RAY_HULL_H

#include "base.h"
#include "math/math.h"
#include "narrow.h"

// What is left of a ray.
typedef struct trvi_span {
    double enter, leave; // of the hull a sliver larger: fractions of the travel
    double fraction;     // of the hull itself, by the face with the least number that gives it
    uint32_t face;       // by which the ray enters; meant where `outside`
    bool outside;        // the origin is outside
} trvi_span;

// True where the ray meets the hull; only then is `span` meant.
bool trvi_ray_hull(const trv_hull *hull, trvi_dvec3 origin, trvi_dvec3 travel, trvi_span *span);

// The same by looking at every face.
bool trvi_ray_hull_every(const trv_hull *hull, trvi_dvec3 origin, trvi_dvec3 travel,
                         trvi_span *span);

#endif
