// Four doubles at once, to which the same is done: a register where a file is compiled for AVX
// (TRVI_DFOUR_WIDE), two where there is SSE2, else four numbers. Each has the bits that it would have
// alone.
#ifndef TRVI_DFOUR_H
#define TRVI_DFOUR_H

#include "math/math.h"

#if defined(TRVI_DFOUR_WIDE)

typedef __m256d trvi_dfour;

// Three doubles, and zero.
static inline trvi_dfour trvi_dfour_load3(const double *from)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(from)), _mm_load_sd(from + 2),
                                1);
}
static inline trvi_dfour trvi_dfour_set3(double x, double y, double z)
{
    return _mm256_set_pd(0.0, z, y, x);
}
// With another fourth lane.
static inline trvi_dfour trvi_dfour_with_last(trvi_dfour a, double last)
{
    return _mm256_blend_pd(a, _mm256_set1_pd(last), 8);
}
static inline void trvi_dfour_store(double *to, trvi_dfour a)
{
    _mm256_storeu_pd(to, a);
}
// Each lane rounded.
static inline void trvi_dfour_store_floats(float *to, trvi_dfour a)
{
    _mm_storeu_ps(to, _mm256_cvtpd_ps(a));
}
static inline trvi_dfour trvi_dfour_splat(double a)
{
    return _mm256_set1_pd(a);
}
static inline trvi_dfour trvi_dfour_add(trvi_dfour a, trvi_dfour b)
{
    return _mm256_add_pd(a, b);
}
static inline trvi_dfour trvi_dfour_sub(trvi_dfour a, trvi_dfour b)
{
    return _mm256_sub_pd(a, b);
}
static inline trvi_dfour trvi_dfour_mul(trvi_dfour a, trvi_dfour b)
{
    return _mm256_mul_pd(a, b);
}
static inline trvi_dfour trvi_dfour_abs(trvi_dfour a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}
// Bit i is set where lane i of a is more than that of b.
static inline uint32_t trvi_dfour_greater(trvi_dfour a, trvi_dfour b)
{
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GT_OS));
}
// Lanes 1, 2, 0, 3.
static inline trvi_dfour trvi_dfour_turn(trvi_dfour a)
{
    __m256d other = _mm256_permute2f128_pd(a, a, 1);
    return _mm256_blend_pd(_mm256_shuffle_pd(a, other, 1), _mm256_shuffle_pd(other, a, 8), 12);
}
// The columns become rows.
static inline void trvi_dfour_transpose3(trvi_dfour rows[3])
{
    __m256d none = _mm256_setzero_pd();
    __m256d low = _mm256_unpacklo_pd(rows[0], rows[1]), last = _mm256_unpacklo_pd(rows[2], none);
    __m256d high = _mm256_unpackhi_pd(rows[0], rows[1]);
    rows[0] = _mm256_permute2f128_pd(low, last, 0x20);
    rows[1] = _mm256_permute2f128_pd(high, _mm256_unpackhi_pd(rows[2], none), 0x20);
    rows[2] = _mm256_permute2f128_pd(low, last, 0x31);
}

#elif defined(TRVI_LANES_SSE2)

typedef struct trvi_dfour {
    __m128d low, high;
} trvi_dfour;

static inline trvi_dfour trvi_dfour_load3(const double *from)
{
    return (trvi_dfour){_mm_loadu_pd(from), _mm_load_sd(from + 2)};
}
static inline trvi_dfour trvi_dfour_set3(double x, double y, double z)
{
    return (trvi_dfour){_mm_set_pd(y, x), _mm_set_sd(z)};
}
static inline trvi_dfour trvi_dfour_with_last(trvi_dfour a, double last)
{
    return (trvi_dfour){a.low, _mm_unpacklo_pd(a.high, _mm_set_sd(last))};
}
static inline void trvi_dfour_store(double *to, trvi_dfour a)
{
    _mm_storeu_pd(to, a.low);
    _mm_storeu_pd(to + 2, a.high);
}
static inline void trvi_dfour_store_floats(float *to, trvi_dfour a)
{
    _mm_storeu_ps(to, _mm_movelh_ps(_mm_cvtpd_ps(a.low), _mm_cvtpd_ps(a.high)));
}
static inline trvi_dfour trvi_dfour_splat(double a)
{
    return (trvi_dfour){_mm_set1_pd(a), _mm_set1_pd(a)};
}
static inline trvi_dfour trvi_dfour_add(trvi_dfour a, trvi_dfour b)
{
    return (trvi_dfour){_mm_add_pd(a.low, b.low), _mm_add_pd(a.high, b.high)};
}
static inline trvi_dfour trvi_dfour_sub(trvi_dfour a, trvi_dfour b)
{
    return (trvi_dfour){_mm_sub_pd(a.low, b.low), _mm_sub_pd(a.high, b.high)};
}
static inline trvi_dfour trvi_dfour_mul(trvi_dfour a, trvi_dfour b)
{
    return (trvi_dfour){_mm_mul_pd(a.low, b.low), _mm_mul_pd(a.high, b.high)};
}
static inline trvi_dfour trvi_dfour_abs(trvi_dfour a)
{
    __m128d sign = _mm_set1_pd(-0.0);
    return (trvi_dfour){_mm_andnot_pd(sign, a.low), _mm_andnot_pd(sign, a.high)};
}
static inline uint32_t trvi_dfour_greater(trvi_dfour a, trvi_dfour b)
{
    return (uint32_t)_mm_movemask_pd(_mm_cmpgt_pd(a.low, b.low)) |
           (uint32_t)_mm_movemask_pd(_mm_cmpgt_pd(a.high, b.high)) << 2;
}
static inline trvi_dfour trvi_dfour_turn(trvi_dfour a)
{
    return (trvi_dfour){_mm_shuffle_pd(a.low, a.high, 1), _mm_shuffle_pd(a.low, a.high, 2)};
}
static inline void trvi_dfour_transpose3(trvi_dfour rows[3])
{
    trvi_dfour a = rows[0], b = rows[1], c = rows[2];
    __m128d none = _mm_setzero_pd();
    rows[0] = (trvi_dfour){_mm_unpacklo_pd(a.low, b.low), _mm_unpacklo_pd(c.low, none)};
    rows[1] = (trvi_dfour){_mm_unpackhi_pd(a.low, b.low), _mm_unpackhi_pd(c.low, none)};
    rows[2] = (trvi_dfour){_mm_unpacklo_pd(a.high, b.high), _mm_unpacklo_pd(c.high, none)};
}

#else

typedef struct trvi_dfour {
    double lane[4];
} trvi_dfour;

static inline trvi_dfour trvi_dfour_load3(const double *from)
{
    return (trvi_dfour){{from[0], from[1], from[2], 0.0}};
}
static inline trvi_dfour trvi_dfour_set3(double x, double y, double z)
{
    return (trvi_dfour){{x, y, z, 0.0}};
}
static inline trvi_dfour trvi_dfour_with_last(trvi_dfour a, double last)
{
    a.lane[3] = last;
    return a;
}
static inline void trvi_dfour_store(double *to, trvi_dfour a)
{
    for (int i = 0; i < 4; i++)
        to[i] = a.lane[i];
}
static inline void trvi_dfour_store_floats(float *to, trvi_dfour a)
{
    for (int i = 0; i < 4; i++)
        to[i] = (float)a.lane[i];
}
static inline trvi_dfour trvi_dfour_splat(double a)
{
    return (trvi_dfour){{a, a, a, a}};
}
static inline trvi_dfour trvi_dfour_add(trvi_dfour a, trvi_dfour b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] + b.lane[i];
    return a;
}
static inline trvi_dfour trvi_dfour_sub(trvi_dfour a, trvi_dfour b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] - b.lane[i];
    return a;
}
static inline trvi_dfour trvi_dfour_mul(trvi_dfour a, trvi_dfour b)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = a.lane[i] * b.lane[i];
    return a;
}
static inline trvi_dfour trvi_dfour_abs(trvi_dfour a)
{
    for (int i = 0; i < 4; i++)
        a.lane[i] = fabs(a.lane[i]);
    return a;
}
static inline uint32_t trvi_dfour_greater(trvi_dfour a, trvi_dfour b)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= a.lane[i] > b.lane[i] ? 1u << i : 0u;
    return bits;
}
static inline trvi_dfour trvi_dfour_turn(trvi_dfour a)
{
    return (trvi_dfour){{a.lane[1], a.lane[2], a.lane[0], a.lane[3]}};
}
static inline void trvi_dfour_transpose3(trvi_dfour rows[3])
{
    const trvi_dfour a = rows[0], b = rows[1], c = rows[2];
    for (int i = 0; i < 3; i++)
        rows[i] = (trvi_dfour){{a.lane[i], b.lane[i], c.lane[i], 0.0}};
}

#endif

#endif
