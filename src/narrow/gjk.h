// The distance of two cores.
#ifndef TRVI_GJK_H
#define TRVI_GJK_H

#include "view.h"

// A point of the set B - A, and the vertices whose difference it is.
typedef struct trvi_simplex_point {
    trvi_dvec3 w; // vertex b minus vertex a, in A's frame
    uint32_t a, b;
} trvi_simplex_point;

typedef struct trvi_simplex {
    trvi_simplex_point points[4];
    double weights[4]; // of the point nearest the origin; >= 0, sum 1
    uint32_t count;
} trvi_simplex;

typedef enum trvi_gjk_state {
    TRVI_GJK_APART,  // distance > 0: `normal` is its direction
    TRVI_GJK_BEYOND, // further apart than the limit; `distance` is a lower bound
    TRVI_GJK_TOUCH,  // distance 0 within rounding, or overlap: no normal
    TRVI_GJK_UNSURE  // the search ended without a proof of either
} trvi_gjk_state;

// Of the directions that a search went, the one along which the supports left the widest gap: more
// than that of its end where rounding had the last word.
typedef struct trvi_widest {
    trvi_dvec3 along; // of any length
    double gap;
    uint32_t vertex_a, vertex_b;
} trvi_widest;

typedef struct trvi_gjk {
    trvi_gjk_state state;
    double distance;
    double gap; // between the supporting planes along the normal: the distance, but for rounding
    trvi_dvec3 normal; // unit, from A to B, in A's frame
    trvi_simplex simplex;
    uint32_t vertex_a, vertex_b; // supporting along the normal
    trvi_widest widest;          // but where the cores are beyond the limit
} trvi_gjk;

// Distance of the cores with B moved by `shift`. Stops early once the distance exceeds `beyond`
// (infinity: never).
void trvi_gjk_run(const trvi_couple *couple, trvi_dvec3 shift, double beyond, trvi_gjk *out);

// The same from a direction in which the cores may be apart (A's frame, from A to B, any length);
// the supports are searched from `out`'s vertices, which may be TRVI_NO_VERTEX. The nearer the
// direction is to the answer, the fewer steps it takes.
void trvi_gjk_resume(const trvi_couple *couple, trvi_dvec3 shift, trvi_dvec3 along, double beyond,
                     trvi_gjk *out);

// The nearest points of the cores (A's frame, B not shifted) from the weights of the simplex.
void trvi_gjk_points(const trvi_couple *couple, const trvi_simplex *simplex, trvi_dvec3 *on_a,
                     trvi_dvec3 *on_b);

// The normal of the triangle a b c, counter-clockwise, of twice its area's length; `corner` is one
// of its corners (0, 1 or 2). Formed from the two shorter sides at that corner: from the longer
// ones of a sliver it would be noise.
static inline trvi_dvec3 trvi_triangle_normal(trvi_dvec3 a, trvi_dvec3 b, trvi_dvec3 c,
                                              uint32_t *corner)
{
    trvi_dvec3 ab = trvi_dsub(b, a), bc = trvi_dsub(c, b), ca = trvi_dsub(a, c);
    double square_ab = trvi_ddot(ab, ab), square_bc = trvi_ddot(bc, bc);
    double square_ca = trvi_ddot(ca, ca);
    if (square_bc >= square_ab && square_bc >= square_ca) {
        *corner = 0;
        return trvi_dcross(ca, ab);
    }
    if (square_ca >= square_ab) {
        *corner = 1;
        return trvi_dcross(ab, bc);
    }
    *corner = 2;
    return trvi_dcross(bc, ca);
}

// The part of `n` that is at right angles to `side`. A product of two nearly parallel sides leans
// towards them by its rounding, which shows far out along the longer one.
static inline trvi_dvec3 trvi_straightened(trvi_dvec3 n, trvi_dvec3 side)
{
    return trvi_dmul_add(n, side, -trvi_ddot(n, side) / trvi_ddot(side, side));
}

// The simplex's point nearest the origin; drops what it does not need. False where the simplex is a
// tetrahedron that holds the origin.
bool trvi_simplex_nearest(trvi_simplex *simplex, trvi_dvec3 *nearest);

// The different vertices, at most four, that a simplex takes from A or from B; returns how many.
uint32_t trvi_simplex_vertices(const trvi_simplex *simplex, bool of_b, uint32_t *vertices);

#endif
