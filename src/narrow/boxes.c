// The 15 axes of two boxes, in double: six face normals, nine cross products of edges.
//
// Based on: Gottschalk, Lin and Manocha 1996, "OBBTree"; Gomez 1999, "Simple Intersection Tests for
// Games", Listing 6. The published test lets rounding noise of near-parallel edges decide; here
// such a product is normalised in double, where it keeps seven digits, and measured like any other
// axis.
#include "nearest.h"

static void keep(trvi_axis *axis, double gap, double sign, double x, double y, double z)
{
    if (gap > axis->gap) {
        axis->gap = gap;
        axis->normal = (trvi_dvec3){sign * x, sign * y, sign * z};
    }
}

// Gaps along the face normals of both, each of which looks from the one box to the other.
static void measure_faces(const trvi_couple *couple, trvi_box_gaps *gaps, trvi_axis *axis)
{
    const double(*r)[3] = couple->rotation.m;
    const double a[3] = {couple->a.half.x, couple->a.half.y, couple->a.half.z};
    const double b[3] = {couple->b.half.x, couple->b.half.y, couple->b.half.z};
    const double t[3] = {couple->offset.x, couple->offset.y, couple->offset.z};
    for (int i = 0; i < 3; i++) {
        double reach = b[0] * fabs(r[i][0]) + b[1] * fabs(r[i][1]) + b[2] * fabs(r[i][2]);
        gaps->a[i] = fabs(t[i]) - a[i] - reach;
        keep(axis, gaps->a[i], t[i] < 0.0 ? -1.0 : 1.0, i == 0, i == 1, i == 2);
    }
    for (int j = 0; j < 3; j++) {
        double reach = a[0] * fabs(r[0][j]) + a[1] * fabs(r[1][j]) + a[2] * fabs(r[2][j]);
        double d = t[0] * r[0][j] + t[1] * r[1][j] + t[2] * r[2][j];
        gaps->place[j] = d;
        gaps->b[j] = fabs(d) - b[j] - reach;
        keep(axis, gaps->b[j], d < 0.0 ? -1.0 : 1.0, r[0][j], r[1][j], r[2][j]);
    }
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
    keep(axis, gap, d < 0.0 ? -1.0 : 1.0, n.x, n.y, n.z);
}

// Gaps along the products of an edge of each.
static void measure_edges(const trvi_couple *couple, trvi_axis *axis)
{
    const double(*r)[3] = couple->rotation.m;
    const double a[3] = {couple->a.half.x, couple->a.half.y, couple->a.half.z};
    const double b[3] = {couple->b.half.x, couple->b.half.y, couple->b.half.z};
    const double t[3] = {couple->offset.x, couple->offset.y, couple->offset.z};
    for (int i = 0; i < 3; i++) {
        int i1 = i < 2 ? i + 1 : 0, i2 = i > 0 ? i - 1 : 2;
        for (int j = 0; j < 3; j++) {
            int j1 = j < 2 ? j + 1 : 0, j2 = j > 0 ? j - 1 : 2;
            // The unit vector i of A times axis j of B is 0 along i, -e2 along i1 and e1 along i2.
            double e1 = r[i1][j], e2 = r[i2][j], square = e1 * e1 + e2 * e2;
            double d = t[i2] * e1 - t[i1] * e2;
            double reach = a[i1] * fabs(e2) + a[i2] * fabs(e1) + b[j1] * fabs(r[i][j2]) +
                           b[j2] * fabs(r[i][j1]);
            double gap = fabs(d) - reach;
            // Only an axis that can win is worth a root: its gap over its length against the best.
            bool loses = gap < 0.0 ? axis->gap > 0.0 || gap * gap >= axis->gap * axis->gap * square
                                   : axis->gap > 0.0 && gap * gap <= axis->gap * axis->gap * square;
            if (loses || !(square > TRVI_CROSS_LENGTH * TRVI_CROSS_LENGTH))
                continue;
            double inverse = 1.0 / sqrt(square), n[3];
            n[i] = 0.0;
            n[i1] = -e2 * inverse;
            n[i2] = e1 * inverse;
            keep_measured(couple, (trvi_dvec3){n[0], n[1], n[2]}, axis);
        }
    }
}

void trvi_box_axes(const trvi_couple *couple, double beyond, trvi_box_gaps *gaps, trvi_axis *axis)
{
    axis->gap = -HUGE_VAL;
    measure_faces(couple, gaps, axis);
    if (axis->gap <= beyond)
        measure_edges(couple, axis);
    axis->vertex_a = trvi_support(&couple->a, axis->normal, 0);
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&couple->rotation, axis->normal);
    axis->vertex_b = trvi_support(&couple->b, trvi_dnegate(in_b), 0);
}
