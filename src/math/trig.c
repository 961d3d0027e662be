// Sine and cosine of float32, and angles in double, the same bits on every target.
//
// The angle is reduced to [-pi/4, pi/4] and a quadrant in double, and short Taylor series give the
// rest: the result is the exact one rounded, within 1 ulp. Up to 2^17 the reduction subtracts a
// multiple of pi/2 in two parts; beyond, it multiplies the integer significand by the bits of 2/pi
// that matter, in integers, so that the largest float is as good as the smallest.
// Invariant: the reduced angle is good to 2^-50 of its own size, or 2^-60 of a quadrant if larger.
//
// Based on: Payne and Hanek, "Radian Reduction for Trigonometric Functions", SIGNUM 1983; Cody and
// Waite, "Software Manual for the Elementary Functions", 1980.
#include "trig.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// 2/pi after the binary point, behind 32 zero bits.
static const uint32_t two_over_pi[8] = {0x00000000u, 0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u,
                                        0xF534DDC0u, 0xDB629599u, 0x3C439041u, 0xFE5163ABu};

static const double half_pi = 1.57079632679489661923;

// pi/2 = high + low; high has 33 bits, so that a product with a quadrant below 2^17 is exact.
static const double half_pi_high = 0x1.921fb544p+0;
static const double half_pi_low = 0x1.0b4611a626331p-34;

// The low part in two, of which the first has 33 bits again.
static const double half_pi_middle = 0x1.0b4611a6p-34;
static const double half_pi_last = 0x1.3198a2e037073p-69;

// 32 bits of the table from bit `at` on; bit 0 is the first of the leading zeros.
static uint32_t table_bits(int at)
{
    int word = at / 32, shift = at % 32;
    if (shift == 0)
        return two_over_pi[word];
    return two_over_pi[word] << shift | two_over_pi[word + 1] >> (32 - shift);
}

// |angle| >= 2^17, finite. angle = m 2^e with a 24-bit integer m. Bits of 2/pi of weight 2^(2-e) and
// more contribute multiples of 4 quadrants: the product starts behind them, is kept modulo 2^96, and
// has 2 bits before the point. Its top 64 bits are cut, so the angle is good to 2^-61 quadrants; no
// float comes closer than 2^-30 quadrants to a whole number of them.
static double reduce_large(float angle, unsigned *quadrant)
{
    uint32_t bits;
    memcpy(&bits, &angle, sizeof bits);
    uint64_t m = (bits & 0x7FFFFFu) | 0x800000u;
    int e = (int)(bits >> 23 & 0xFFu) - 150;
    int at = e + 30; // the bit of weight 2^(1-e), behind the 32 zeros
    uint64_t high = m * table_bits(at), middle = m * table_bits(at + 32);
    uint64_t low = m * table_bits(at + 64);
    uint64_t turn = (high << 32) + middle + (low >> 32); // in 2^-62 quadrants, modulo 4 quadrants
    uint64_t rounded = turn + (UINT64_C(1) << 61);
    *quadrant = (unsigned)(rounded >> 62);
    uint64_t rest = turn - ((uint64_t)*quadrant << 62);
    double signed_rest = rest >> 63 != 0 ? -(double)(UINT64_MAX - rest + 1u) : (double)rest;
    double reduced = signed_rest * (half_pi * 0x1p-62);
    if (bits >> 31 == 0)
        return reduced;
    *quadrant = (4u - *quadrant) & 3u;
    return -reduced;
}

// angle = quadrant * pi/2 + result, |result| <= pi/4 to rounding; the quadrant modulo 4.
static double reduce(float angle, unsigned *quadrant)
{
    if (fabsf(angle) >= 131072.0f)
        return reduce_large(angle, quadrant);
    double count = floor((double)angle * (1.0 / half_pi) + 0.5);
    *quadrant = (unsigned)(int32_t)count & 3u;
    return ((double)angle - count * half_pi_high) - count * half_pi_low;
}

// Taylor series; on [-pi/4, pi/4] the first term left out is below 2^-36 of the sum.
static double sine_near_zero(double x)
{
    double s = x * x;
    double tail = s * (-1.0 / 5040.0 + s * (1.0 / 362880.0 - s * (1.0 / 39916800.0)));
    return x + x * s * (-1.0 / 6.0 + s * (1.0 / 120.0 + tail));
}

static double cosine_near_zero(double x)
{
    double s = x * x;
    double tail = s * (1.0 / 40320.0 + s * (-1.0 / 3628800.0 + s * (1.0 / 479001600.0)));
    return 1.0 + s * (-0.5 + s * (1.0 / 24.0 + s * (-1.0 / 720.0 + tail)));
}

// sin(angle + shift quarter turns)
static float sine_shifted(float angle, unsigned shift)
{
    if (!(fabsf(angle) <= 3.4028235e38f))
        return NAN;
    unsigned quadrant;
    double x = reduce(angle, &quadrant);
    quadrant += shift;
    double value = (quadrant & 1u) != 0 ? cosine_near_zero(x) : sine_near_zero(x);
    return (float)((quadrant & 2u) != 0 ? -value : value);
}

float trvi_sin(float angle)
{
    return fabsf(angle) < 0x1p-13f ? angle : sine_shifted(angle, 0); // keeps -0 and subnormals
}

float trvi_cos(float angle)
{
    return sine_shifted(angle, 1);
}

// The same in double: the reduction subtracts pi/2 in three parts, of which two multiply exactly.
void trvi_dsincos(double angle, double *sine, double *cosine)
{
    if (!(fabs(angle) <= 0x1p30)) {
        *sine = *cosine = NAN;
        return;
    }
    double count = floor(angle * (1.0 / half_pi) + 0.5);
    double x = ((angle - count * half_pi_high) - count * half_pi_middle) - count * half_pi_last;
    double s = x * x, tail;
    tail = 1.0 / 6227020800.0 + s * (-1.0 / 1307674368000.0 + s * (1.0 / 355687428096000.0));
    tail = 1.0 / 362880.0 + s * (-1.0 / 39916800.0 + s * tail);
    double odd = x + x * s * (-1.0 / 6.0 + s * (1.0 / 120.0 + s * (-1.0 / 5040.0 + s * tail)));
    tail = -1.0 / 87178291200.0 + s * (1.0 / 20922789888000.0 - s * (1.0 / 6402373705728000.0));
    tail = 1.0 / 40320.0 + s * (-1.0 / 3628800.0 + s * (1.0 / 479001600.0 + s * tail));
    double even = 1.0 + s * (-0.5 + s * (1.0 / 24.0 + s * (-1.0 / 720.0 + s * tail)));
    double turns = count - 4.0 * floor(count * 0.25);
    int quadrant = (int)turns;
    double first = (quadrant & 1) != 0 ? even : odd, second = (quadrant & 1) != 0 ? odd : even;
    *sine = quadrant >= 2 ? -first : first;
    *cosine = quadrant == 1 || quadrant == 2 ? -second : second;
}

// A guess within .004, corrected twice: the vector turned back by the angle so far has the sine of the
// error, which differs from the error by the sixth of its cube.
double trvi_dangle(double sine, double cosine)
{
    double length = sqrt(sine * sine + cosine * cosine);
    if (!(length > 0.0))
        return 0.0;
    double y = fabs(sine) / length, x = fabs(cosine) / length;
    double t = y < x ? y / x : x / y;
    double angle = t * (0.5 * half_pi + 0.273 * (1.0 - t));
    if (y >= x)
        angle = half_pi - angle;
    for (int step = 0; step < 2; step++) {
        double s, c;
        trvi_dsincos(angle, &s, &c);
        angle += y * c - x * s;
    }
    if (cosine < 0.0)
        angle = 2.0 * half_pi - angle;
    return sine < 0.0 ? -angle : angle;
}
