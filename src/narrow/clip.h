// A convex polygon of bounded size that is cut by half-spaces, and the choice of contact points.
#ifndef TRVI_CLIP_H
#define TRVI_CLIP_H

#include "view.h"

// Faces may have any number of sides: beyond this many corners the least one is dropped, so that
// no face is too large. Four points are chosen in the end.
enum { TRVI_POLYGON_MAX = 48 };

typedef struct trvi_corner {
    trvi_dvec3 point;
    uint32_t feature; // names the corner
    uint32_t edge;    // names the edge from here to the next corner
} trvi_corner;

// `down` is the direction of depth, of any length: the lowest corner is never dropped.
typedef struct trvi_polygon {
    trvi_dvec3 down;
    uint32_t count;
    trvi_corner corners[TRVI_POLYGON_MAX + 1];
} trvi_polygon;

void trvi_polygon_push(trvi_polygon *polygon, trvi_corner corner);

// Keeps what is not above dot(normal, p) = limit by more than `slack` (times the normal's length).
// New corners lie on the plane itself and are named after `side` and the edge that is cut. Two
// corners are a segment.
void trvi_polygon_cut(trvi_polygon *polygon, trvi_dvec3 normal, double limit, double slack,
                      uint32_t side);

// The smallest of -dot(down, corner) - base; infinity without corners.
double trvi_polygon_lowest(const trvi_polygon *polygon, double base);

// Drops corners that lie higher than `top`, that is, keeps -dot(down, p) - base <= top; then chooses
// at most four: those that reach farthest in directions about `axis` that are fixed in the
// polygon's frame, where a corner that is higher than the deepest by more than `even` counts as less
// far out. The deepest is among them, or one that is higher by no more than `even`. The order is
// kept.
void trvi_polygon_choose(trvi_polygon *polygon, trvi_dvec3 axis, double base, double top,
                         double even);

// Drops the corner nearest to a point.
void trvi_polygon_drop_nearest(trvi_polygon *polygon, trvi_dvec3 point);

// A name made of two.
static inline uint32_t trvi_feature(uint32_t a, uint32_t b)
{
    uint32_t h = (a + 1u) * 0x9E3779B1u ^ ((b + 1u) * 0x85EBCA77u + 0x7F4A7C15u);
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    return h ^ (h >> 13);
}

#endif
