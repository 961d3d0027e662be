// Exact signs of orientation determinants of float32 points, and of places in a plane in double.
//
// Three stages, each of which answers only what it is sure of. First plain double arithmetic with a
// proven error bound. Then, when the coordinate differences are exact in double (they mostly are:
// float32 has 24 bits, double 53), expansions of those differences. Last, expansions of the
// coordinates themselves: a product of two float32 is exact in double, so this is short too.
//
// The bound: each of the six terms of the determinant passes through at most eight roundings (three
// differences, two products, three sums), each with a relative error of at most u = 2^-53. The
// computed value is thus within ((1 + u)^8 - 1) P < 8.1 u P of the exact one, P being the sum of
// the terms' absolute values, and the computed P is at least (1 - u)^8 P: 16 u P covers both.
//
// Needs IEEE double, round to nearest even, no contraction; the build sees to it.
// Based on: Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
// Predicates", sections 2 (expansions) and 4.3 (orient3d).
#include "predicates.h"

#define FILTER_BOUND (16.0 * 0x1p-53)

// high + low == a + b
static inline void two_sum(double a, double b, double *high, double *low)
{
    double sum = a + b;
    double b_part = sum - a;
    double a_part = sum - b_part;
    *low = (a - a_part) + (b - b_part);
    *high = sum;
}

// a == high + low, each with at most 26 bits
static inline void split(double a, double *high, double *low)
{
    double c = 134217729.0 * a; // 2^27 + 1
    *high = c - (c - a);
    *low = a - *high;
}

// high + low == a * b
static inline void two_product(double a, double b, double *high, double *low)
{
    double product = a * b;
    double ah, al, bh, bl;
    split(a, &ah, &al);
    split(b, &bh, &bl);
    double error = ((product - ah * bh) - al * bh) - ah * bl;
    *low = al * bl - error;
    *high = product;
}

// An expansion is a sum of doubles that do not overlap, in ascending order of magnitude, without
// zeros (but {0} alone). Its sign is that of its last term. Each function returns the new count.

// In place: e + b. Room for count + 1 terms.
static int add_term(double *e, int count, double b)
{
    int kept = 0;
    double carry = b;
    for (int i = 0; i < count; i++) {
        double low;
        two_sum(carry, e[i], &carry, &low);
        if (low != 0.0)
            e[kept++] = low;
    }
    if (carry != 0.0 || kept == 0)
        e[kept++] = carry;
    return kept;
}

// h = e + f. Room for ecount + fcount terms; h is neither e nor f.
static int add_expansions(const double *e, int ecount, const double *f, int fcount, double *h)
{
    int ei = 0, fi = 0, kept = 0;
    double carry = 0.0;
    for (int i = 0; i < ecount + fcount; i++) {
        bool from_e = fi == fcount || (ei < ecount && fabs(e[ei]) < fabs(f[fi]));
        double next = from_e ? e[ei++] : f[fi++], low;
        two_sum(carry, next, &carry, &low);
        if (low != 0.0)
            h[kept++] = low;
    }
    if (carry != 0.0 || kept == 0)
        h[kept++] = carry;
    return kept;
}

// h = e * b. Room for 2 count terms; h is not e.
static int scale_expansion(const double *e, int count, double b, double *h)
{
    int kept = 0;
    double carry, low;
    two_product(e[0], b, &carry, &low);
    if (low != 0.0)
        h[kept++] = low;
    for (int i = 1; i < count; i++) {
        double high, product_low;
        two_product(e[i], b, &high, &product_low);
        two_sum(carry, product_low, &carry, &low);
        if (low != 0.0)
            h[kept++] = low;
        two_sum(high, carry, &carry, &low);
        if (low != 0.0)
            h[kept++] = low;
    }
    if (carry != 0.0 || kept == 0)
        h[kept++] = carry;
    return kept;
}

// Smallest first: the rounding errors stay far below the last term.
static double estimate(const double *e, int count)
{
    double sum = e[0];
    for (int i = 1; i < count; i++)
        sum += e[i];
    return sum;
}

// Twice the signed area of a triangle in the plane, exactly. `area` has room for 6 terms: each
// product of two float32 has 48 bits and is exact in double.
static int exact_area(float ax, float ay, float bx, float by, float cx, float cy, double *area)
{
    area[0] = (double)ax * by;
    int count = add_term(area, 1, -((double)ay * bx));
    count = add_term(area, count, (double)bx * cy);
    count = add_term(area, count, -((double)by * cx));
    count = add_term(area, count, (double)cx * ay);
    return add_term(area, count, -((double)cy * ax));
}

// The determinant of the rows (1, a), (1, b), (1, c), (1, d), developed along its last column.
static int exact_from_coordinates(trv_vec3 a, trv_vec3 b, trv_vec3 c, trv_vec3 d, double *det)
{
    double area[6], by_a[12], by_b[12], by_c[12], by_d[12], ab[24], cd[24];
    int n = exact_area(b.x, b.y, c.x, c.y, d.x, d.y, area);
    int na = scale_expansion(area, n, -(double)a.z, by_a);
    n = exact_area(a.x, a.y, c.x, c.y, d.x, d.y, area);
    int nb = scale_expansion(area, n, b.z, by_b);
    n = exact_area(a.x, a.y, b.x, b.y, d.x, d.y, area);
    int nc = scale_expansion(area, n, -(double)c.z, by_c);
    n = exact_area(a.x, a.y, b.x, b.y, c.x, c.y, area);
    int nd = scale_expansion(area, n, d.z, by_d);
    int nab = add_expansions(by_a, na, by_b, nb, ab);
    int ncd = add_expansions(by_c, nc, by_d, nd, cd);
    return add_expansions(ab, nab, cd, ncd, det);
}

// h = (a * b - c * d) * e, exactly. Room for 8 terms.
static int exact_minor(double a, double b, double c, double d, double e, double *h)
{
    double ab[2], cd[2], minor[4];
    two_product(a, b, &ab[1], &ab[0]);
    two_product(-c, d, &cd[1], &cd[0]);
    int count = add_expansions(ab, 2, cd, 2, minor);
    return scale_expansion(minor, count, e, h);
}

// dot(cross(u, v), w) where u, v, w are exact.
static int exact_from_differences(trvi_dvec3 u, trvi_dvec3 v, trvi_dvec3 w, double *det)
{
    double x[8], y[8], z[8], xy[16];
    int nx = exact_minor(u.y, v.z, u.z, v.y, w.x, x);
    int ny = exact_minor(u.z, v.x, u.x, v.z, w.y, y);
    int nz = exact_minor(u.x, v.y, u.y, v.x, w.z, z);
    int nxy = add_expansions(x, nx, y, ny, xy);
    return add_expansions(xy, nxy, z, nz, det);
}

static bool difference_is_exact(double a, double b)
{
    double high, low;
    two_sum(a, -b, &high, &low);
    return low == 0.0;
}

static bool differences_are_exact(trv_vec3 a, trv_vec3 b)
{
    return difference_is_exact(a.x, b.x) && difference_is_exact(a.y, b.y) &&
           difference_is_exact(a.z, b.z);
}

// The determinant as an expansion of up to 48 terms.
static int exact_orient3d(trv_vec3 a, trv_vec3 b, trv_vec3 c, trv_vec3 d, double *det)
{
    if (!differences_are_exact(b, a) || !differences_are_exact(c, a) ||
        !differences_are_exact(d, a))
        return exact_from_coordinates(a, b, c, d, det);
    trvi_dvec3 origin = trvi_dvec3_from(a);
    return exact_from_differences(trvi_dsub(trvi_dvec3_from(b), origin),
                                  trvi_dsub(trvi_dvec3_from(c), origin),
                                  trvi_dsub(trvi_dvec3_from(d), origin), det);
}

trvi_side_filter trvi_make_side_filter(trv_vec3 a, trv_vec3 b, trv_vec3 c, trvi_dvec3 reach)
{
    trvi_dvec3 origin = trvi_dvec3_from(a);
    trvi_dvec3 u = trvi_dsub(trvi_dvec3_from(b), origin);
    trvi_dvec3 v = trvi_dsub(trvi_dvec3_from(c), origin);
    double px = fabs(u.y * v.z) + fabs(u.z * v.y);
    double py = fabs(u.z * v.x) + fabs(u.x * v.z);
    double pz = fabs(u.x * v.y) + fabs(u.y * v.x);
    double permanent = px * reach.x + py * reach.y + pz * reach.z;
    return (trvi_side_filter){trvi_dcross(u, v), FILTER_BOUND * permanent};
}

int trvi_orient3d(trv_vec3 a, trv_vec3 b, trv_vec3 c, trv_vec3 d)
{
    trvi_dvec3 w = trvi_dsub(trvi_dvec3_from(d), trvi_dvec3_from(a));
    trvi_dvec3 reach = {fabs(w.x), fabs(w.y), fabs(w.z)};
    trvi_side_filter filter = trvi_make_side_filter(a, b, c, reach);
    double det = trvi_filter_height(&filter, w);
    if (det > filter.error)
        return 1;
    if (det < -filter.error)
        return -1;
    if (filter.error == 0.0) // every term is zero: nothing here underflows
        return 0;
    double exact[48];
    int count = exact_orient3d(a, b, c, d, exact);
    double largest = exact[count - 1];
    return (largest > 0.0) - (largest < 0.0);
}

double trvi_orient3d_value(trv_vec3 a, trv_vec3 b, trv_vec3 c, trv_vec3 d)
{
    double exact[48];
    int count = exact_orient3d(a, b, c, d, exact);
    return estimate(exact, count);
}

trvi_dvec3 trvi_exact_cross(trv_vec3 a, trv_vec3 b, trv_vec3 c)
{
    double area[6];
    trvi_dvec3 cross;
    cross.x = estimate(area, exact_area(a.y, a.z, b.y, b.z, c.y, c.z, area));
    cross.y = estimate(area, exact_area(a.z, a.x, b.z, b.x, c.z, c.x, area));
    cross.z = estimate(area, exact_area(a.x, a.y, b.x, b.y, c.x, c.y, area));
    return cross;
}

// a * b - c * d as an expansion of up to 4 terms.
static int exact_difference(double a, double b, double c, double d, double *h)
{
    double ab[2], cd[2];
    two_product(a, b, &ab[1], &ab[0]);
    two_product(-c, d, &cd[1], &cd[0]);
    return add_expansions(ab, 2, cd, 2, h);
}

static int exact_turn(trvi_spot a, trvi_spot b, trvi_spot c)
{
    double ab[4], bc[4], ca[4], sum[8], area[12];
    int nab = exact_difference(a.x, b.y, a.y, b.x, ab);
    int nbc = exact_difference(b.x, c.y, b.y, c.x, bc);
    int nca = exact_difference(c.x, a.y, c.y, a.x, ca);
    int count = add_expansions(ab, nab, bc, nbc, sum);
    count = add_expansions(sum, count, ca, nca, area);
    double largest = area[count - 1];
    return (largest > 0.0) - (largest < 0.0);
}

// The products differ by more than the roundings: two of each difference, one of each product and
// one of their difference, so 16 of 2^-53 are more than enough. Equal places, and places in line
// with an axis, are told without expansions.
int trvi_turn(trvi_spot a, trvi_spot b, trvi_spot c)
{
    double left = (b.x - a.x) * (c.y - a.y), right = (b.y - a.y) * (c.x - a.x);
    double area = left - right;
    if (fabs(area) > FILTER_BOUND * (fabs(left) + fabs(right)))
        return area > 0.0 ? 1 : -1;
    return left == 0.0 && right == 0.0 ? 0 : exact_turn(a, b, c);
}

bool trvi_collinear(trv_vec3 a, trv_vec3 b, trv_vec3 c)
{
    trvi_dvec3 cross = trvi_exact_cross(a, b, c);
    return cross.x == 0.0 && cross.y == 0.0 && cross.z == 0.0;
}
