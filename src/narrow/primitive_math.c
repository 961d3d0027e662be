// The shared kernels of the primitive tests: exact cross product, ball entry, closest on a segment.
//
// Based on: Gomez, "Simple Intersection Tests for Games", 1999, Listing 2 (with Lagrange's identity
// for the discriminant); Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
// Geometric Predicates", 1997, sections 2.2 and 2.4 (two-sum, growing expansions).
#include "primitive_math.h"

// The exact sum of six doubles, rounded: grows a non-overlapping expansion, then adds it up from
// its smallest term. Zero only if the exact sum is.
static double sum_of_six(const double terms[6])
{
    double expansion[6] = {0.0};
    for (int count = 0; count < 6; ++count) {
        double carry = terms[count];
        for (int i = 0; i < count; ++i) {
            double sum = carry + expansion[i];
            double part = sum - carry;
            expansion[i] = (carry - (sum - part)) + (expansion[i] - part);
            carry = sum;
        }
        expansion[count] = carry;
    }
    double sum = 0.0;
    for (int i = 0; i < 6; ++i)
        sum += expansion[i];
    return sum;
}

// (bu - au) (cv - av) - (bv - av) (cu - au)
static double exact_minor(double au, double av, double bu, double bv, double cu, double cv)
{
    double left = (bu - au) * (cv - av), right = (bv - av) * (cu - au);
    double plain = left - right;
    // 2^-20: the plain difference still has 30 good bits then; most calls end here.
    if (fabs(plain) > 9.5e-7 * (fabs(left) + fabs(right)))
        return plain;
    // au av cancels. Each product of two float32 numbers is exact.
    const double terms[6] = {bu * cv, -bu * av, -au * cv, -bv * cu, bv * au, av * cu};
    return sum_of_six(terms);
}

trvi_dvec3 trvi_exact_normal(trv_vec3 a, trv_vec3 b, trv_vec3 c)
{
    return (trvi_dvec3){exact_minor(a.y, a.z, b.y, b.z, c.y, c.z),
                        exact_minor(a.z, a.x, b.z, b.x, c.z, c.x),
                        exact_minor(a.x, a.y, b.x, b.y, c.x, c.y)};
}

// |p + u v|^2 = r^2 is s u^2 + 2 h u + e = 0. Its discriminant h h - s e equals s r r - |p x v|^2,
// which does not cancel when p is long, and is exact where its float32 operands are small integers.
// The verdict comes from the ends and from the discriminant, never from a rounded root.
bool trvi_enter_ball(trvi_dvec3 p, trvi_dvec3 v, double r, double *u)
{
    double s = trvi_ddot(v, v), h = trvi_ddot(p, v), e = trvi_ddot(p, p) - r * r;
    if (!(h < 0.0))
        return false;
    trvi_dvec3 end = trvi_dadd(p, v), moment = trvi_dcross(p, v);
    double discriminant = s * (r * r) - trvi_ddot(moment, moment);
    bool ends_inside = trvi_ddot(end, end) <= r * r;
    bool passes = -h <= s && discriminant >= 0.0;
    if (!ends_inside && !passes)
        return false;
    double root = discriminant > 0.0 ? sqrt(discriminant) : 0.0;
    *u = fmin(fmax(e / (root - h), 0.0), 1.0);
    return true;
}

trvi_dvec3 trvi_closest_on_segment(trvi_dvec3 a, trvi_dvec3 b, trvi_dvec3 p)
{
    trvi_dvec3 along = trvi_dsub(b, a);
    double square = trvi_ddot(along, along), reach = trvi_ddot(trvi_dsub(p, a), along);
    if (!(reach > 0.0))
        return a;
    if (!(reach < square))
        return b;
    return trvi_dmul_add(a, along, reach / square);
}
