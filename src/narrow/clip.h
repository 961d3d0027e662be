// A convex polygon of bounded size that is cut by lines, and the choice of contact points.
//
// Polygons live in the plane across a contact's normal: u and v along two unit vectors that make a
// right-handed frame with it, and the height along it over the face that carries the contact.
#ifndef TRVI_CLIP_H
#define TRVI_CLIP_H

#include "view.h"

// Faces may have any number of sides: beyond this many corners the least one is dropped, so that
// no face is too large. Four points are chosen in the end.
enum { TRVI_POLYGON_MAX = 48 };

// An edge that is none: before the first corner of a segment, and after its last.
#define TRVI_NO_EDGE 0x3FFFFFFFu

// `before` and `after` name the edges that meet in the corner; they are the caller's.
typedef struct trvi_corner {
    double u, v, height;
    uint32_t before, after;
} trvi_corner;

// Anywhere in that plane.
typedef struct trvi_place {
    double u, v;
} trvi_place;

// Two corners are a segment.
typedef struct trvi_polygon {
    uint32_t count;
    trvi_corner corners[TRVI_POLYGON_MAX + 1];
} trvi_polygon;

// Drops the corner that spans the least area, but never the deepest.
TRVI_JOINED void trvi_polygon_shrink(trvi_polygon *polygon);

// How many corners a polygon has that was just given its last, while they are counted elsewhere.
static inline uint32_t trvi_polygon_bounded(trvi_polygon *polygon, uint32_t count)
{
    if (count <= TRVI_POLYGON_MAX)
        return count;
    polygon->count = count;
    trvi_polygon_shrink(polygon);
    return polygon->count;
}

// Corners that are `outside` of a line by no more than `allowed` go to `cut`, which is another
// polygon; there are others, which do not. New corners lie on the line itself, and `side` is its
// name.
TRVI_JOINED void trvi_polygon_split(const trvi_polygon *polygon, const double *outside,
                                    double allowed, uint32_t side, trvi_polygon *cut);

// What is not above u nu + v nv = limit by more than `slack` (times the normal's length) goes to
// `cut`. False where nothing is cut away: `cut` is then left as it was.
static inline bool trvi_polygon_cut(const trvi_polygon *polygon, double nu, double nv, double limit,
                                    double slack, uint32_t side, trvi_polygon *cut)
{
    double outside[TRVI_POLYGON_MAX], highest = -HUGE_VAL;
    for (uint32_t i = 0, count = polygon->count; i < count; i++) {
        outside[i] = nu * polygon->corners[i].u + nv * polygon->corners[i].v - limit;
        highest = trvi_dmax(highest, outside[i]);
    }
    if (!(highest > 0.0))
        return false;
    double allowed = slack > 0.0 ? slack * sqrt(nu * nu + nv * nv) : 0.0;
    if (!(highest > allowed))
        return false;
    trvi_polygon_split(polygon, outside, allowed, side, cut);
    return true;
}

// The least height; infinity without corners.
static inline double trvi_polygon_lowest(const trvi_polygon *p)
{
    double lowest = HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++)
        lowest = trvi_dmin(lowest, p->corners[i].height);
    return lowest;
}

// Drops corners higher than `top`.
static inline void trvi_polygon_keep_low(trvi_polygon *p, double top)
{
    uint32_t kept = 0;
    while (kept < p->count && p->corners[kept].height <= top)
        kept++;
    for (uint32_t i = kept + 1; i < p->count; i++)
        if (p->corners[i].height <= top)
            p->corners[kept++] = p->corners[i];
    p->count = kept;
}

static inline bool trvi_is_held(const trvi_held *held, uint32_t feature)
{
    for (uint32_t i = 0; i < held->count; i++)
        if (held->features[i] == feature)
            return true;
    return false;
}

// How corners count that are higher than others.
typedef struct trvi_depths {
    double deep;  // one that is no higher than this is chosen in any case
    double level; // what is no higher than this, or than that, counts in full
    double worth; // what is higher counts as less far out by so many times as much
} trvi_depths;

// Chooses four of more corners: those that are held (bit i: corner i; at most four), and then those
// that reach farthest in fixed directions of u and v. One that is deep is among them, if there is any, else the
// deepest: in place of the nearest one that is not held. Where a load passes near their border, at `load`, which may
// be NULL, the side there of all that touches comes before what is held. The order is kept.
TRVI_JOINED void trvi_polygon_choose_four(trvi_polygon *polygon, const trvi_depths *depths,
                                          uint64_t held, const trvi_place *load);

// Of corners in any order, of which `some` has bits, four or fewer that cover as much as any four, and
// twice the area that they do. The cost is the third power of how many there are.
TRVI_JOINED uint64_t trvi_widest_four(const trvi_corner *corners, uint64_t some, double *area);

// How much of the deepest separation the choice of four may miss, for shapes of this size.
static inline double trvi_even_depth(double deepest, double size)
{
    return trvi_dmin(TRVI_EVEN_DEPTH * size, TRVI_EVEN_SHARE * fabs(deepest));
}

// The deepest corner, the first of several.
TRVI_JOINED uint32_t trvi_polygon_deepest(const trvi_polygon *polygon);

// The corner nearest to a place, of those in `some` (bit i: corner i); 0 where there is none.
TRVI_JOINED uint32_t trvi_polygon_nearest(const trvi_polygon *polygon, double u, double v,
                                          uint64_t some);

// Drops the corner nearest to a place.
TRVI_JOINED void trvi_polygon_drop_nearest(trvi_polygon *polygon, double u, double v);

// A name made of two. Each is mixed before the next joins, so that names of pairs do not meet those
// of vertices, which differ from them in a few high bits only.
static inline uint32_t trvi_feature(uint32_t a, uint32_t b)
{
    uint32_t h = (a ^ 0x7F4A7C15u) * 0x9E3779B1u;
    h = ((h ^ (h >> 15)) + b) * 0x85EBCA77u;
    h = (h ^ (h >> 13)) * 0x2C1B3C6Du;
    return h ^ (h >> 16);
}

#endif
