// The 15 axes of two boxes, in double: six face normals, nine cross products of edges.
//
// Based on: Gottschalk, Lin and Manocha 1996, "OBBTree"; Gomez 1999, "Simple Intersection Tests for
// Games", Listing 6. The published test lets rounding noise of near-parallel edges decide; here
// such a product is normalised in double, where it keeps seven digits, and measured like any other
// axis.
#include "nearest.h"

#include "dfour.h"

// What the 15 tests share: half extents, and B's centre in A's frame. B's axes in A's frame are the
// columns, and `sizes` their magnitudes, a row to four lanes.
typedef struct box_pair {
    const double *a, *b, *t;
    const double (*r)[3];
    trvi_dfour rows[3], sizes[3];
} box_pair;

// The gaps along the products of A's axis i and B's axis j, times the lengths of these, whose squares
// are `squares`. Bit 4 i + j: it may be more than the best of the faces.
typedef struct edge_gaps {
    double gaps[3][4], squares[3][4];
    uint32_t bits;
} edge_gaps;

static inline void set_pair(const trvi_couple *couple, box_pair *p)
{
    p->a = &couple->a.half.x;
    p->b = &couple->b.half.x;
    p->t = &couple->offset.x;
    p->r = couple->rotation.m;
    for (int i = 0; i < 3; i++) {
        p->rows[i] = trvi_dfour_load3(p->r[i]);
        p->sizes[i] = trvi_dfour_abs(p->rows[i]);
    }
}

// The sum of three products.
static inline trvi_dfour sum_of(const double factors[3], const trvi_dfour rows[3])
{
    trvi_dfour sum = trvi_dfour_add(trvi_dfour_mul(trvi_dfour_splat(factors[0]), rows[0]),
                                    trvi_dfour_mul(trvi_dfour_splat(factors[1]), rows[1]));
    return trvi_dfour_add(sum, trvi_dfour_mul(trvi_dfour_splat(factors[2]), rows[2]));
}

static inline trvi_dfour gaps_of(trvi_dfour places, const double half[3], trvi_dfour reaches)
{
    trvi_dfour beyond = trvi_dfour_sub(trvi_dfour_abs(places), trvi_dfour_load3(half));
    return trvi_dfour_sub(beyond, reaches);
}

// The axis is one of A's, or of B's, for B's with its number and 3 more, on the side of the other
// box.
static inline void look_along_face(const box_pair *p, const trvi_box_gaps *gaps, int best,
                                   trvi_axis *axis)
{
    int j = best - 3;
    bool of_b = best >= 3;
    double sign = (of_b ? gaps->place[j] : p->t[best]) < 0.0 ? -1.0 : 1.0;
    if (of_b)
        axis->normal = (trvi_dvec3){sign * p->r[0][j], sign * p->r[1][j], sign * p->r[2][j]};
    else
        axis->normal =
            (trvi_dvec3){best == 0 ? sign : 0.0, best == 1 ? sign : 0.0, best == 2 ? sign : 0.0};
}

// Gaps along the face normals of both, each of which looks from the one box to the other.
static inline void measure_faces(const box_pair *p, trvi_box_gaps *gaps, trvi_axis *axis)
{
    int best = 0;
    trvi_dfour columns[3] = {p->sizes[0], p->sizes[1], p->sizes[2]};
    trvi_dfour_transpose3(columns);
    trvi_dfour places = sum_of(p->t, p->rows);
    trvi_dfour_store(gaps->a, gaps_of(trvi_dfour_load3(p->t), p->a, sum_of(p->b, columns)));
    trvi_dfour_store(gaps->b, gaps_of(places, p->b, sum_of(p->a, p->sizes)));
    trvi_dfour_store(gaps->place, places);
    for (int i = 0; i < 3; i++) {
        best = gaps->a[i] > axis->gap ? i : best;
        axis->gap = trvi_dmax(gaps->a[i], axis->gap);
    }
    for (int j = 0; j < 3; j++) {
        best = gaps->b[j] > axis->gap ? j + 3 : best;
        axis->gap = trvi_dmax(gaps->b[j], axis->gap);
    }
    look_along_face(p, gaps, best, axis);
}

static double reach_along(trvi_dvec3 half, trvi_dvec3 n)
{
    return half.x * fabs(n.x) + half.y * fabs(n.y) + half.z * fabs(n.z);
}

// For an axis that seems to win: products of nearly parallel edges are long after all roundings of
// the rotation, which only its own shadows on both boxes tell.
static void keep_measured(const trvi_couple *couple, trvi_dvec3 n, trvi_axis *axis)
{
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&couple->rotation, n);
    double d = trvi_ddot(couple->offset, n);
    double gap = fabs(d) - reach_along(couple->a.half, n) - reach_along(couple->b.half, in_b);
    if (gap > axis->gap) {
        axis->gap = gap;
        axis->normal = d < 0.0 ? (trvi_dvec3){-1.0 * n.x, -1.0 * n.y, -1.0 * n.z} : n;
    }
}

// Of A's axis i; j is the lane. The unit vector i times (e0, e1, e2) is 0 along i, -e2 along i1 and e1
// along i2. Bit j of the answer: that gap may be more than the best.
static inline uint32_t measure_edges(const box_pair *p, int i, trvi_dfour one, trvi_dfour two,
                                     double best, edge_gaps *out)
{
    const trvi_dfour zero = trvi_dfour_splat(0.0);
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    trvi_dfour e1 = p->rows[i1], e2 = p->rows[i2];
    trvi_dfour square = trvi_dfour_add(trvi_dfour_mul(e1, e1), trvi_dfour_mul(e2, e2));
    trvi_dfour gap = trvi_dfour_abs(trvi_dfour_sub(trvi_dfour_mul(trvi_dfour_splat(p->t[i2]), e1),
                                                   trvi_dfour_mul(trvi_dfour_splat(p->t[i1]), e2)));
    gap = trvi_dfour_sub(gap,
                         trvi_dfour_add(trvi_dfour_mul(trvi_dfour_splat(p->a[i1]), p->sizes[i2]),
                                        trvi_dfour_mul(trvi_dfour_splat(p->a[i2]), p->sizes[i1])));
    trvi_dfour own_one = trvi_dfour_turn(p->sizes[i]), own_two = trvi_dfour_turn(own_one);
    gap = trvi_dfour_sub(
        gap, trvi_dfour_add(trvi_dfour_mul(one, own_two), trvi_dfour_mul(two, own_one)));
    trvi_dfour_store(out->gaps[i], gap);
    trvi_dfour_store(out->squares[i], square);
    trvi_dfour least = trvi_dfour_mul(trvi_dfour_splat(best * best), square);
    trvi_dfour gap_square = trvi_dfour_mul(gap, gap);
    uint32_t apart = trvi_dfour_greater(gap, zero);
    return (best > 0.0 ? apart & trvi_dfour_greater(gap_square, least)
                       : apart | trvi_dfour_greater(least, gap_square)) &
           7u;
}

static void keep_edges(const trvi_couple *couple, const box_pair *p, int i, int j, double square,
                       trvi_box_gaps *gaps, trvi_axis *axis)
{
    if (!(square > TRVI_CROSS_LENGTH * TRVI_CROSS_LENGTH))
        return;
    double inverse = 1.0 / sqrt(square), n[3];
    n[i] = 0.0;
    n[(i + 1) % 3] = -p->r[(i + 2) % 3][j] * inverse;
    n[(i + 2) % 3] = p->r[(i + 1) % 3][j] * inverse;
    double best = axis->gap;
    keep_measured(couple, (trvi_dvec3){n[0], n[1], n[2]}, axis);
    if (axis->gap > best) {
        gaps->edge_a = i;
        gaps->edge_b = j;
    }
}

// Offers the product of two edges, where it may win, against the best so far.
static inline void offer_edges(const trvi_couple *couple, const box_pair *p, int i, int j,
                               const edge_gaps *edges, trvi_box_gaps *gaps, trvi_axis *axis)
{
    if ((edges->bits >> (4 * i + j) & 1u) == 0)
        return;
    double gap = edges->gaps[i][j], square = edges->squares[i][j];
    double best = axis->gap * axis->gap * square;
    bool wins =
        gap > 0.0 ? axis->gap <= 0.0 || gap * gap > best : axis->gap <= 0.0 && gap * gap < best;
    if (wins)
        keep_edges(couple, p, i, j, square, gaps, axis);
}

// The same of all. Only what can win is worth a root, and few can against the best of the faces.
static inline void offer_all_edges(const trvi_couple *couple, const box_pair *p,
                                   trvi_box_gaps *gaps, trvi_axis *axis)
{
    edge_gaps edges;
    trvi_dfour one = trvi_dfour_turn(trvi_dfour_load3(p->b)), two = trvi_dfour_turn(one);
    edges.bits = measure_edges(p, 0, one, two, axis->gap, &edges);
    edges.bits |= measure_edges(p, 1, one, two, axis->gap, &edges) << 4;
    edges.bits |= measure_edges(p, 2, one, two, axis->gap, &edges) << 8;
    if (edges.bits == 0)
        return;
    offer_edges(couple, p, 0, 0, &edges, gaps, axis); // written out: the indices are constants then
    offer_edges(couple, p, 0, 1, &edges, gaps, axis);
    offer_edges(couple, p, 0, 2, &edges, gaps, axis);
    offer_edges(couple, p, 1, 0, &edges, gaps, axis);
    offer_edges(couple, p, 1, 1, &edges, gaps, axis);
    offer_edges(couple, p, 1, 2, &edges, gaps, axis);
    offer_edges(couple, p, 2, 0, &edges, gaps, axis);
    offer_edges(couple, p, 2, 1, &edges, gaps, axis);
    offer_edges(couple, p, 2, 2, &edges, gaps, axis);
}

// As trvi_support has it.
static inline uint32_t corner_towards(trvi_dvec3 d)
{
    return (d.x > 0.0 ? 1u : 0u) | (d.y > 0.0 ? 2u : 0u) | (d.z > 0.0 ? 4u : 0u);
}

void trvi_box_axes(const trvi_couple *couple, double beyond, trvi_box_gaps *gaps, trvi_axis *axis)
{
    box_pair p;
    set_pair(couple, &p);
    axis->gap = -HUGE_VAL;
    gaps->edge_a = gaps->edge_b = -1;
    measure_faces(&p, gaps, axis);
    if (axis->gap <= beyond)
        offer_all_edges(couple, &p, gaps, axis);
    gaps->back = trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, axis->normal));
    axis->vertex_a = corner_towards(axis->normal);
    axis->vertex_b = corner_towards(gaps->back);
}

// Of two edges that lie on either side of the middle, the one farther along `d`, or, where that is
// rounding, the one nearer to the other box.
static double side_towards(double half, double d, double other, double rounding)
{
    double sign = fabs(d * half) <= rounding ? other : d;
    return sign > 0.0 ? half : -half;
}

// The middle of the edge along `axis` that lies farthest in the direction `d` of the box's frame, where
// the middle of the other box is `other`.
static trvi_dvec3 edge_towards(trvi_dvec3 half, int axis, trvi_dvec3 d, trvi_dvec3 other,
                               double rounding)
{
    return (trvi_dvec3){axis == 0 ? 0.0 : side_towards(half.x, d.x, other.x, rounding),
                        axis == 1 ? 0.0 : side_towards(half.y, d.y, other.y, rounding),
                        axis == 2 ? 0.0 : side_towards(half.z, d.z, other.z, rounding)};
}

static double component(trvi_dvec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double within(double value, double reach)
{
    return trvi_dmax(-reach, trvi_dmin(value, reach));
}

// Keeps the places where edges cross, from their middles, on both: the more parallel they are, the more
// they are rounded. The one on the longer edge is the foot of that on the shorter.
static void keep_on_edges(trvi_dvec3 between, trvi_dvec3 along_a, trvi_dvec3 along_b, double half_a,
                          double half_b, double *of_a, double *of_b)
{
    double cosine = trvi_ddot(along_a, along_b);
    if (half_a < half_b) {
        *of_a = within(*of_a, half_a);
        *of_b = within(cosine * *of_a - trvi_ddot(along_b, between), half_b);
    } else {
        *of_b = within(*of_b, half_b);
        *of_a = within(cosine * *of_b + trvi_ddot(along_a, between), half_a);
    }
}

void trvi_box_nearest(const trvi_couple *couple, const trvi_box_gaps *gaps, const trvi_axis *axis,
                      trvi_nearest *out)
{
    out->axis = *axis;
    out->face_a = out->face_b = TRVI_NO_VERTEX;
    out->beyond = out->has_simplex = false;
    out->has_points = gaps->edge_a >= 0;
    if (!out->has_points)
        return;
    int i = gaps->edge_a, j = gaps->edge_b;
    const trvi_dmat3 *r = &couple->rotation;
    trvi_dvec3 along_a = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
    trvi_dvec3 along_b = {r->m[0][j], r->m[1][j], r->m[2][j]};
    double rounding = TRVI_SAME_SIDE * couple->scale;
    const trvi_dvec3 to_a = {-gaps->place[0], -gaps->place[1], -gaps->place[2]};
    trvi_dvec3 a = edge_towards(couple->a.half, i, axis->normal, couple->offset, rounding);
    trvi_dvec3 b = edge_towards(couple->b.half, j, gaps->back, to_a, rounding);
    b = trvi_dadd(trvi_dmat3_mul(r, b), couple->offset);
    double of_a, of_b;
    trvi_nearest_shares(a, along_a, b, along_b, &of_a, &of_b);
    keep_on_edges(trvi_dsub(b, a), along_a, along_b, component(couple->a.half, i),
                  component(couple->b.half, j), &of_a, &of_b);
    out->on_a = trvi_dmul_add(a, along_a, of_a);
    out->on_b = trvi_dmul_add(b, along_b, of_b);
}
