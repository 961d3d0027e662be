// Proves that a facet of B - A is the one to leave by, by a surface that was kept.
//
// The facet and some points of B - A behind it are the corners of a closed surface of triangles.
// Where each of these, seen from the origin, is turned the same way, the surface goes round the
// origin, and where none is nearer than the facet, it goes round the ball that touches the facet.
// That ball is then within the hull of the points, and so within B - A: no direction leaves it
// sooner. The surface need not be convex, so it holds while the points move, and how its triangles
// are joined is all that is to be known: nothing is built.
// What is remembered may be anything. It is measured: that each edge has one triangle on either
// side, and where the triangles are. The last triangle is not remembered where the others leave a
// gap of three edges.
// Invariant: true is a proof.
// Based on: van den Bergen 2001 (the polytope that grows in expand.c); the winding number of a
// closed surface, which is that of all points that it does not pass.
#include "backing.h"

// Bit 8 a + b: an edge from corner a to corner b.
static inline uint64_t edges_of(uint32_t a, uint32_t b, uint32_t c)
{
    return UINT64_C(1) << (8 * a + b) | UINT64_C(1) << (8 * b + c) | UINT64_C(1) << (8 * c + a);
}

// Each edge the other way round. Source: Warren 2002, "Hacker's Delight", section 7-3.
static inline uint64_t reversed(uint64_t x)
{
    uint64_t t = (x ^ x >> 7) & UINT64_C(0x00AA00AA00AA00AA);
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & UINT64_C(0x0000CCCC0000CCCC);
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & UINT64_C(0x00000000F0F0F0F0);
    return x ^ t ^ t << 28;
}

// The facet in triangles that all look the same way, which is the way out. False where they do not.
static bool add_facet(const trvi_dvec3 *w, uint32_t count, const trvi_axis *axis, uint64_t *edges)
{
    double turn = 0.0;
    for (uint32_t i = 2; i < count; i++) {
        trvi_dvec3 across = trvi_dcross(trvi_dsub(w[i - 1], w[0]), trvi_dsub(w[i], w[0]));
        double out = -trvi_ddot(axis->normal, across);
        if (!(i == 2 ? out != 0.0 : out * turn > 0.0))
            return false;
        turn = out;
        *edges |= out > 0.0 ? edges_of(0, i - 1, i) : edges_of(0, i, i - 1);
    }
    return true;
}

// True where the origin is behind the triangle, by more than the root of `square` at least. One that
// is too thin to tell is not.
static inline bool is_in_front(trvi_dvec3 a, trvi_dvec3 b, trvi_dvec3 c, double square)
{
    trvi_dvec3 ab = trvi_dsub(b, a), ac = trvi_dsub(c, a), n = trvi_dcross(ab, ac);
    double lengths = trvi_ddot(ab, ab) * trvi_ddot(ac, ac), out = trvi_ddot(n, a);
    double of_normal = trvi_ddot(n, n);
    return of_normal > TRVI_BLUNT * TRVI_BLUNT * lengths && out > 0.0 &&
           out * out >= square * of_normal;
}

// The points that are known, up to one that is none. Returns how many there are, with the facet's.
static uint32_t place_points(const trvi_couple *couple, const trvi_simplex_point *corners,
                             uint32_t count, const trvi_witnesses *known, trvi_dvec3 *w)
{
    for (uint32_t i = 0; i < count; i++)
        w[i] = corners[i].w;
    for (uint32_t i = 0; i < TRVI_WITNESSES && count < TRVI_BACKING_POINTS; i++) {
        uint32_t a = known->a[i], b = known->b[i];
        if (a >= couple->a.vertex_count || b >= couple->b.vertex_count)
            break;
        w[count++] = trvi_dsub(trvi_vertex_of_b(couple, b), trvi_vertex(&couple->a, a));
    }
    return count;
}

// True where the edges that are missing are those of one triangle, which is as far out as the others
// have to be.
static bool closes(const trvi_dvec3 *w, uint64_t missing, double square)
{
    uint32_t edge = trvi_lowest_bit(missing), a = edge / 8, b = edge % 8;
    uint64_t from_b = missing >> 8 * b & 255u;
    if (from_b == 0)
        return false;
    uint32_t c = trvi_lowest_bit(from_b);
    return missing == edges_of(a, b, c) && is_in_front(w[a], w[b], w[c], square);
}

bool trvi_backing_holds(const trvi_couple *couple, const trvi_simplex_point *corners,
                        uint32_t count, double slack, const trvi_axis *axis,
                        const trvi_witnesses *known)
{
    trvi_dvec3 w[TRVI_BACKING_POINTS];
    double least = -axis->gap - slack;
    uint64_t edges = 0, bits = known->faces[0] | (uint64_t)known->faces[1] << 32;
    if (bits == 0 || count >= TRVI_BACKING_POINTS || !(least > 0.0))
        return false;
    uint32_t points = place_points(couple, corners, count, known, w);
    if (!add_facet(w, count, axis, &edges))
        return false;
    for (uint32_t i = 0; i < TRVI_BACKING_FACES; i++, bits >>= 9) {
        if (i == 7)
            bits = known->faces[2];
        if ((bits & 511u) == 0)
            break;
        uint32_t a = bits & 7u, b = bits >> 3 & 7u, c = bits >> 6 & 7u;
        if (a >= points || b >= points || c >= points)
            return false;
        uint64_t sides = edges_of(a, b, c);
        if ((edges & sides) != 0 || !is_in_front(w[a], w[b], w[c], least * least))
            return false;
        edges |= sides;
    }
    uint64_t missing = reversed(edges) & ~edges;
    return missing == 0 || closes(w, missing, least * least);
}
