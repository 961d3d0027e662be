// The signed distance of two cores, by whichever method suits them.
#ifndef TRVI_NEAREST_H
#define TRVI_NEAREST_H

#include "gjk.h"

// A direction and how far the cores are apart along it; where they overlap, the best direction
// found is the one of largest (least negative) gap.
typedef struct trvi_axis {
    trvi_dvec3 normal; // unit, from A to B, in A's frame
    double gap;        // between the supporting planes along it
    uint32_t vertex_a, vertex_b;
} trvi_axis;

typedef struct trvi_nearest {
    trvi_axis axis;
    uint32_t face_a, face_b; // of which the axis is the normal, or TRVI_NO_VERTEX
    bool beyond;             // further apart than asked about; the gap is then a lower bound
    bool has_simplex;        // `simplex` names the nearest features
    trvi_simplex simplex;
    bool has_points; // `on_a` and `on_b` are what trvi_nearest_points would give
    trvi_dvec3 on_a, on_b;
} trvi_nearest;

// Signed distance of the cores. Where it exceeds `beyond`, any direction that proves it will do.
void trvi_nearest_find(const trvi_couple *couple, double beyond, trvi_nearest *out);

// True where the cores are further apart than `limit` (>= 0); `out` is then as above, or, for a
// hasty couple, any axis that proves it. Does not look for the depth of those that are not.
bool trvi_nearest_apart(const trvi_couple *couple, double limit, trvi_nearest *out);

// Points of the cores that realise the signed distance, in A's frame: nearest points where apart,
// else points that coincide once B has moved by -gap along the normal.
void trvi_nearest_points(const trvi_couple *couple, trvi_nearest *nearest, trvi_dvec3 *on_a,
                         trvi_dvec3 *on_b);

// Moves B along the axis until the cores are just apart along it. Not far: an axis is right but for
// a hair, and over a long way that would lead elsewhere.
trvi_dvec3 trvi_parting(const trvi_couple *couple, const trvi_axis *axis);

// The axis of least overlap of overlapping cores by expanding a polytope from a simplex of B - A.
// False where it gave up: `axis` is then the best that it measured, with a gap of -infinity for
// none. `foot` is the point of B - A where the origin leaves it along the axis, with a count of 0
// where that is not known.
bool trvi_expand(const trvi_couple *couple, const trvi_simplex *start, trvi_axis *axis,
                 trvi_simplex *foot);

// Corners that facets of B - A are given by, at most.
enum { TRVI_FACET_CORNERS = 8 };

// Pairs of vertices, points of B - A, that were enough to back a facet the last time, up to one that
// is none; any numbers.
enum { TRVI_WITNESSES = 12 };
typedef struct trvi_witnesses {
    uint32_t a[TRVI_WITNESSES], b[TRVI_WITNESSES];
    uint32_t faces[3]; // how they were joined to one another and to the facet (backing.h), or zeros
} trvi_witnesses;

// There are so many pairs.
static inline void trvi_end_witnesses(trvi_witnesses *w, uint32_t count)
{
    if (count < TRVI_WITNESSES)
        w->a[count] = TRVI_NO_VERTEX;
}

// The same from the corners of a facet of B - A, in order round it, whose axis is known: until no
// direction can be better than that by more than `slack`. `axis` is the known one, and then the
// best. Points are `known` ones first, and searched only where these do not do; then the ones that
// did.
bool trvi_expand_facet(const trvi_couple *couple, const trvi_simplex_point *corners, uint32_t count,
                       double slack, trvi_axis *axis, trvi_witnesses *known);

// The same as trvi_expand from the corners of what was a facet of B - A, three at least, and points
// that backed it: it may have ceased to be the one to leave by, or to be one. Where the cores
// overlap along the axis, they do. What is `known` then is proof of the best axis.
bool trvi_expand_again(const trvi_couple *couple, const trvi_simplex_point *corners, uint32_t count,
                       trvi_witnesses *known, trvi_axis *axis, trvi_simplex *foot);

// The axis of largest gap over every facet of B - A. Exact for overlapping cores of any kind.
void trvi_walk_facets(const trvi_couple *couple, trvi_axis *axis);

// Gaps of two boxes along the three normals of each, from the one to the other, and B's centre as
// seen from A's along those of B.
typedef struct trvi_box_gaps {
    double a[4], b[4], place[4]; // the fourth is none
    trvi_dvec3 back;             // the axis in B's frame, from B to A
    int edge_a, edge_b; // the axes of the boxes whose product the axis is; -1 for a face's normal
} trvi_box_gaps;

// The largest gap over the 15 axes of two boxes. Stops at one that exceeds `beyond`. Needs no
// vertices of theirs.
TRVI_JOINED void trvi_box_axes(const trvi_couple *couple, double beyond, trvi_box_gaps *gaps,
                               trvi_axis *axis);

// The nearest of two boxes whose axes are measured, as far as that tells: from one edge to another.
TRVI_JOINED void trvi_box_nearest(const trvi_couple *couple, const trvi_box_gaps *gaps,
                                  const trvi_axis *axis, trvi_nearest *out);

#endif
