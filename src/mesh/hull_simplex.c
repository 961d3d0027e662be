// The first tetrahedron of a convex hull: four points far apart, or exactly why there are none.
//
// Points are ranked in double, which decides only how good the start is. Whether they are
// coincident, collinear or coplanar is decided exactly: where the highest-ranked point fails the
// exact test, every point gets it.
// Based on: Barber, Dobkin and Huhdanpaa 1996, "The Quickhull algorithm for convex hulls".
#include "hull_build.h"

static double coordinate(trv_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// The two points furthest apart along the longest side of the box.
static void find_ends(const trv_vec3 *points, uint32_t count, trv_aabb box, uint32_t ends[2])
{
    int axis = 0;
    double widest = -1.0;
    for (int i = 0; i < 3; i++) {
        double width = coordinate(box.upper, i) - coordinate(box.lower, i);
        if (width > widest) {
            widest = width;
            axis = i;
        }
    }
    ends[0] = ends[1] = 0;
    for (uint32_t i = 1; i < count; i++) {
        double x = coordinate(points[i], axis);
        if (x < coordinate(points[ends[0]], axis))
            ends[0] = i;
        if (x > coordinate(points[ends[1]], axis))
            ends[1] = i;
    }
}

// A point off the line of a and b, or TRVI_NONE.
static uint32_t find_off_line(const trv_vec3 *points, uint32_t count, trv_vec3 a, trv_vec3 b)
{
    trvi_dvec3 origin = trvi_dvec3_from(a);
    trvi_dvec3 line = trvi_dsub(trvi_dvec3_from(b), origin);
    uint32_t best = 0;
    double furthest = -1.0;
    for (uint32_t i = 0; i < count; i++) {
        trvi_dvec3 cross = trvi_dcross(line, trvi_dsub(trvi_dvec3_from(points[i]), origin));
        double square = trvi_ddot(cross, cross);
        if (square > furthest) {
            furthest = square;
            best = i;
        }
    }
    if (!trvi_collinear(a, b, points[best]))
        return best;
    for (uint32_t i = 0; i < count; i++)
        if (!trvi_collinear(a, b, points[i]))
            return i;
    return TRVI_NONE;
}

// A point off the plane of a, b and c, or TRVI_NONE.
static uint32_t find_off_plane(const trv_vec3 *points, uint32_t count, trv_vec3 a, trv_vec3 b,
                               trv_vec3 c)
{
    trvi_dvec3 origin = trvi_dvec3_from(a), normal = trvi_exact_cross(a, b, c);
    uint32_t best = 0;
    double furthest = -1.0;
    for (uint32_t i = 0; i < count; i++) {
        double height = fabs(trvi_ddot(normal, trvi_dsub(trvi_dvec3_from(points[i]), origin)));
        if (height > furthest) {
            furthest = height;
            best = i;
        }
    }
    if (trvi_orient3d(a, b, c, points[best]) != 0)
        return best;
    for (uint32_t i = 0; i < count; i++)
        if (trvi_orient3d(a, b, c, points[i]) != 0)
            return i;
    return TRVI_NONE;
}

trv_result trvi_hull_find_simplex(const trv_vec3 *points, uint32_t count, trv_aabb box,
                                  uint32_t simplex[4])
{
    if (trvi_coincident(box.lower, box.upper))
        return TRV_ERROR_COINCIDENT;
    find_ends(points, count, box, simplex);
    trv_vec3 a = points[simplex[0]], b = points[simplex[1]];
    simplex[2] = find_off_line(points, count, a, b);
    if (simplex[2] == TRVI_NONE)
        return TRV_ERROR_COLLINEAR;
    trv_vec3 c = points[simplex[2]];
    simplex[3] = find_off_plane(points, count, a, b, c);
    if (simplex[3] == TRVI_NONE)
        return TRV_ERROR_COPLANAR;
    if (trvi_orient3d(a, b, c, points[simplex[3]]) > 0) { // the fourth has to be below
        uint32_t swap = simplex[0];
        simplex[0] = simplex[1];
        simplex[1] = swap;
    }
    return TRV_OK;
}
