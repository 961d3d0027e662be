// Decimal text to float32, exactly rounded and independent of the locale.
//
// The digits give an integer and a power of ten, hence a double that is off by a few units in its
// last place at most. A float32 keeps 29 bits fewer, so the double settles the rounding unless it
// lies that close to the middle between two floats; only then the decimal is compared with that
// middle in exact integer arithmetic.
// Invariant: a rounding decision is taken either from a double that is further from the middle than
// its error bound, or exactly.
// Based on: Clinger 1990, "How to read floating point numbers accurately" (fast path, and the exact
// comparison with the middle that AlgorithmR comes down to).
#include "obj_number.h"

#include <math.h>
#include <string.h>

// The middle between two floats is an odd number of at most 25 bits times a power of two not below
// 2^-150, which has at most 113 significant digits. Digits beyond MAX_DIGITS can therefore only
// break a tie, and one extra digit 1 stands for all of them.
enum { MAX_DIGITS = 120, FAST_DIGITS = 19, BIG_WORDS = 32 };

// An exact non-negative integer, least significant word first. 1024 bits: the largest value built
// is 121 digits (402 bits) times 2^150, or 25 bits times 10^168 (559 bits) times 2^104.
typedef struct big {
    uint32_t words[BIG_WORDS];
    uint32_t count;
} big;

static void big_mul_add(big *a, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (uint32_t i = 0; i < a->count; ++i) {
        carry += (uint64_t)a->words[i] * factor;
        a->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0 && a->count < BIG_WORDS)
        a->words[a->count++] = (uint32_t)carry;
}

static void big_mul_power(big *a, uint32_t base, int64_t exponent)
{
    for (int64_t i = 0; i < exponent; ++i) // at most 168 rounds
        big_mul_add(a, base, 0);
}

static int big_compare(const big *a, const big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (uint32_t i = a->count; i-- > 0;)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

// The significant digits of a decimal: value = 0.d1 d2 d3 ... * 10^point, d1 != 0.
typedef struct decimal {
    const char *first; // d1; a decimal point may stand among the digits
    const char *last;  // one past the last digit of the mantissa
    int64_t point;
} decimal;

// The sign of (decimal - middle * 2^exponent2), exactly.
static int compare_with_middle(const decimal *number, uint32_t middle, int exponent2)
{
    big left = {{0}, 0}, right = {{middle}, 1};
    int64_t digits = 0;
    bool more = false;
    for (const char *p = number->first; p < number->last; ++p) {
        if (*p == '.')
            continue;
        if (digits < MAX_DIGITS) {
            big_mul_add(&left, 10, (uint32_t)(*p - '0'));
            ++digits;
        } else if (*p != '0') {
            more = true;
            break;
        }
    }
    if (more) {
        big_mul_add(&left, 10, 1);
        ++digits;
    }
    int64_t exponent10 = number->point - digits;
    big_mul_power(&left, 10, exponent10);
    big_mul_power(&right, 10, -exponent10);
    big_mul_power(&left, 2, -(int64_t)exponent2);
    big_mul_power(&right, 2, exponent2);
    return big_compare(&left, &right);
}

// The float nearest to the decimal, given a double that is within 1e-14 of it, relatively.
// Both are within [1e-46, 1e40]. Infinity where it rounds beyond the largest float.
static float round_to_float(const decimal *number, double approximate)
{
    int exponent = 0;
    (void)frexp(approximate, &exponent);
    // Half a unit in the last place of the floats around: 2^half.
    int half = exponent - 25 > -150 ? exponent - 25 : -150;
    double scaled = ldexp(approximate, -half); // < 2^25, exact
    uint32_t below = (uint32_t)scaled & ~(uint32_t)1;
    double beyond = scaled - ((double)below + 1.0); // exact: both are multiples of the same ulp
    int side;
    if (fabs(beyond) > scaled * 1.0e-14)
        side = beyond > 0.0 ? 1 : -1;
    else
        side = compare_with_middle(number, below + 1, half);
    if (side > 0 || (side == 0 && (below & 2) != 0))
        below += 2;
    double rounded = ldexp((double)below, half);
    return rounded > 3.4028234663852886e38 ? INFINITY : (float)rounded;
}

static const double powers_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// mantissa * 10^exponent for |exponent| <= 88: at most 1 + 4 roundings, so within 1e-15.
static double scale_by_ten(uint64_t mantissa, int64_t exponent)
{
    double value = (double)mantissa;
    for (; exponent > 22; exponent -= 22) // at most three rounds
        value *= powers_of_ten[22];
    for (; exponent < -22; exponent += 22)
        value /= powers_of_ten[22];
    return exponent < 0 ? value / powers_of_ten[-exponent] : value * powers_of_ten[exponent];
}

// Decides what cannot be decided by the fast path. mantissa: the first digits, up to FAST_DIGITS.
static float round_slowly(const decimal *number, uint64_t mantissa, int64_t mantissa_digits)
{
    if (number->point > 40) // >= 1e40
        return INFINITY;
    if (number->point < -45) // < 1e-45.. below half of the least subnormal, 7.006e-46
        return 0.0f;
    return round_to_float(number, scale_by_ten(mantissa, number->point - mantissa_digits));
}

// NaN and infinity as printf spells them: a finite number was meant to be here.
static trv_result refuse(const char *p, const char *end)
{
    static const char *const words[] = {"nan", "inf"};
    if (p < end && (*p == '+' || *p == '-'))
        ++p;
    for (int w = 0; w < 2 && end - p >= 3; ++w) {
        int same = 0;
        while (same < 3 && (p[same] | 0x20) == words[w][same])
            ++same;
        if (same == 3)
            return TRV_ERROR_NUMBER;
    }
    return TRV_ERROR_SYNTAX;
}

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

// [(e|E) [+-] digits] at *cursor; saturated far beyond anything that matters. False when the sign
// or the letter has no digits.
static bool read_exponent(const char **cursor, const char *end, int64_t *exponent)
{
    const char *p = *cursor;
    *exponent = 0;
    if (p == end || (*p != 'e' && *p != 'E'))
        return true;
    ++p;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '+' || *p == '-'))
        ++p;
    if (p == end || !is_digit(*p))
        return false;
    int64_t value = 0;
    for (; p < end && is_digit(*p); ++p)
        if (value < INT64_C(1000000000000))
            value = value * 10 + (*p - '0');
    *exponent = negative ? -value : value;
    *cursor = p;
    return true;
}

// The float for a double that is off by less than 4 units in its last place; false when that does
// not settle the rounding, or when the result is not a normal float.
static bool round_quickly(double approximate, float *value)
{
    uint64_t bits;
    memcpy(&bits, &approximate, sizeof bits);
    uint64_t low = bits & ((UINT64_C(1) << 29) - 1);
    uint64_t middle = UINT64_C(1) << 28;
    bool clear = low + 8 < middle || low > middle + 8;
    if (!clear || !(approximate >= 1.2e-38) || !(approximate <= 3.4e38))
        return false;
    *value = (float)approximate;
    return true;
}

trv_result trvi_obj_number(const char **cursor, const char *end, float *value)
{
    const char *p = *cursor;
    *value = 0.0f;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        ++p;

    // Only digits from the first non-zero one on count; of these the first 19 fit the mantissa.
    const char *start = p;
    uint64_t mantissa = 0;
    while (p < end && *p == '0')
        ++p;
    const char *first = p;
    while (p < end && is_digit(*p)) {
        if (p - first < FAST_DIGITS)
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        ++p;
    }
    int64_t digits = p - first; // significant ones so far
    int64_t point = digits;
    bool any = p > start;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        if (digits == 0) {
            while (p < end && *p == '0')
                ++p;
            point = -(p - fraction);
            first = p;
        }
        for (; p < end && is_digit(*p); ++p, ++digits)
            if (digits < FAST_DIGITS)
                mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        any = any || p > fraction;
    }
    decimal number = {first, p, point};
    int64_t exponent;
    if (!any || !read_exponent(&p, end, &exponent))
        return refuse(*cursor, end);

    float magnitude = 0.0f;
    if (mantissa != 0) {
        number.point += exponent;
        int64_t kept = digits < FAST_DIGITS ? digits : FAST_DIGITS;
        int64_t scale = number.point - kept;
        bool small = scale >= -22 && scale <= 22;
        if (!small || !round_quickly(scale_by_ten(mantissa, scale), &magnitude))
            magnitude = round_slowly(&number, mantissa, kept);
        if (magnitude > 3.4028235e38f)
            return TRV_ERROR_RANGE;
    }
    *value = negative ? -magnitude : magnitude;
    *cursor = p;
    return TRV_OK;
}
