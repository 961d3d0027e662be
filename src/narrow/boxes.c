// The 15 axes of two boxes, in double: six face normals, nine cross products of edges.
//
// Based on: Gottschalk, Lin and Manocha 1996, "OBBTree"; Gomez 1999, "Simple Intersection Tests for
// Games", Listing 6. The published test lets rounding noise of near-parallel edges decide; here
// such a product is normalised in double, where it keeps seven digits, and measured like any other
// axis.
#include "nearest.h"

static double along(trvi_dvec3 h, double x, double y, double z)
{
    return h.x * fabs(x) + h.y * fabs(y) + h.z * fabs(z);
}

static void keep(trvi_axis *axis, double gap, double sign, double x, double y, double z)
{
    if (gap > axis->gap) {
        axis->gap = gap;
        axis->normal = (trvi_dvec3){sign * x, sign * y, sign * z};
    }
}

void trvi_box_axes(const trvi_couple *couple, double beyond, trvi_axis *axis)
{
    const double(*r)[3] = couple->rotation.m;
    trvi_dvec3 a = trvi_dvec3_from(couple->a.own_vertices[7]);
    trvi_dvec3 b = trvi_dvec3_from(couple->b.own_vertices[7]);
    trvi_dvec3 t = couple->offset;
    axis->gap = -HUGE_VAL;
    keep(axis, fabs(t.x) - a.x - along(b, r[0][0], r[0][1], r[0][2]), t.x < 0.0 ? -1.0 : 1.0, 1.0,
         0.0, 0.0);
    keep(axis, fabs(t.y) - a.y - along(b, r[1][0], r[1][1], r[1][2]), t.y < 0.0 ? -1.0 : 1.0, 0.0,
         1.0, 0.0);
    keep(axis, fabs(t.z) - a.z - along(b, r[2][0], r[2][1], r[2][2]), t.z < 0.0 ? -1.0 : 1.0, 0.0,
         0.0, 1.0);
    const double hb[3] = {b.x, b.y, b.z};
    for (int j = 0; j < 3; j++) {
        double d = t.x * r[0][j] + t.y * r[1][j] + t.z * r[2][j];
        keep(axis, fabs(d) - hb[j] - along(a, r[0][j], r[1][j], r[2][j]), d < 0.0 ? -1.0 : 1.0,
             r[0][j], r[1][j], r[2][j]);
    }
    for (int i = 0; i < 3 && axis->gap <= beyond; i++) {
        for (int j = 0; j < 3; j++) {
            trvi_dvec3 e = {r[0][j], r[1][j], r[2][j]}, n;
            if (i == 0)
                n = (trvi_dvec3){0.0, -e.z, e.y};
            else
                n = i == 1 ? (trvi_dvec3){e.z, 0.0, -e.x} : (trvi_dvec3){-e.y, e.x, 0.0};
            double square = trvi_ddot(n, n);
            if (!(square > TRVI_CROSS_LENGTH * TRVI_CROSS_LENGTH))
                continue;
            trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&couple->rotation, n);
            double d = trvi_ddot(t, n);
            double gap = fabs(d) - along(a, n.x, n.y, n.z) - along(b, in_b.x, in_b.y, in_b.z);
            // Only an axis that can win is worth a root: its gap over its length against the best.
            if (gap < 0.0 ? gap * gap > axis->gap * axis->gap * square && axis->gap <= 0.0
                          : axis->gap > 0.0 && gap * gap < axis->gap * axis->gap * square)
                continue;
            double inverse = 1.0 / sqrt(square);
            keep(axis, gap * inverse, d < 0.0 ? -inverse : inverse, n.x, n.y, n.z);
        }
    }
    axis->vertex_a = trvi_support(&couple->a, axis->normal, 0);
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&couple->rotation, axis->normal);
    axis->vertex_b = trvi_support(&couple->b, trvi_dnegate(in_b), 0);
}
