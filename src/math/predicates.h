// Exact geometric predicates on float32 points: the sign is that of exact arithmetic, always.
//
// Range: every finite float32, subnormal ones included. Products of three coordinates are multiples
// of 2^-447 and below 2^390, so no double that the evaluation forms overflows or loses low bits.
#ifndef TRVI_PREDICATES_H
#define TRVI_PREDICATES_H

#include "linear.h"

// The sign (-1, 0, 1) of dot(cross(b - a, c - a), d - a): 1 when d lies on the side from which
// a, b, c turn counter-clockwise, 0 when the four points are coplanar.
int trvi_orient3d(trv_vec3 a, trv_vec3 b, trv_vec3 c, trv_vec3 d);

// That determinant, six times the volume of the tetrahedron, to a relative error of 2^-50; zero
// exactly when the points are coplanar. Costs a few hundred operations.
double trvi_orient3d_value(trv_vec3 a, trv_vec3 b, trv_vec3 c, trv_vec3 d);

// A point of a plane.
typedef struct trvi_spot {
    double x, y;
} trvi_spot;

// 1 where a, b, c turn left (counter-clockwise), -1 where right, 0 where they are in line; exactly,
// while no square of a coordinate over- or underflows.
int trvi_turn(trvi_spot a, trvi_spot b, trvi_spot c);

// cross(b - a, c - a), each component to a relative error of 2^-50 and zero only where it is zero.
trvi_dvec3 trvi_exact_cross(trv_vec3 a, trv_vec3 b, trv_vec3 c);

// True when the three points lie on one line (also when some coincide).
bool trvi_collinear(trv_vec3 a, trv_vec3 b, trv_vec3 c);

static inline bool trvi_coincident(trv_vec3 a, trv_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// A plane through three points that decides the side of most points with three products.
typedef struct trvi_side_filter {
    trvi_dvec3 normal; // cross(b - a, c - a), rounded
    double error;      // beyond +- this, the sign of a height is the exact one
} trvi_side_filter;

// For points p with |p - a| <= reach on each axis.
trvi_side_filter trvi_make_side_filter(trv_vec3 a, trv_vec3 b, trv_vec3 c, trvi_dvec3 reach);

// The height of p above the plane, times the length of the normal; `from_a` is p - a in double.
static inline double trvi_filter_height(const trvi_side_filter *filter, trvi_dvec3 from_a)
{
    return trvi_ddot(filter->normal, from_a);
}

#endif
