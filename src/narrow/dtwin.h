// A double of one shape and one of another, side by side, to which the same is done: a register where
// there is SSE2, else two numbers. Each has the bits that it would have alone.
#ifndef TRVI_DTWIN_H
#define TRVI_DTWIN_H

#include "math/math.h"

#if defined(TRVI_LANES_SSE2)

typedef __m128d trvi_dtwin;

static inline trvi_dtwin trvi_dtwin_splat(double s)
{
    return _mm_set1_pd(s);
}
static inline void trvi_dtwin_store(double *a, double *b, trvi_dtwin t)
{
    _mm_storel_pd(a, t);
    _mm_storeh_pd(b, t);
}
static inline trvi_dtwin trvi_dtwin_add(trvi_dtwin s, trvi_dtwin t)
{
    return _mm_add_pd(s, t);
}
static inline trvi_dtwin trvi_dtwin_sub(trvi_dtwin s, trvi_dtwin t)
{
    return _mm_sub_pd(s, t);
}
static inline trvi_dtwin trvi_dtwin_mul(trvi_dtwin s, trvi_dtwin t)
{
    return _mm_mul_pd(s, t);
}
static inline trvi_dtwin trvi_dtwin_div(trvi_dtwin s, trvi_dtwin t)
{
    return _mm_div_pd(s, t);
}
// Four floats of each.
static inline void trvi_dtwin_load4(trvi_dtwin to[4], const float *a, const float *b)
{
    __m128 of_a = _mm_loadu_ps(a), of_b = _mm_loadu_ps(b);
    __m128 low = _mm_unpacklo_ps(of_a, of_b), high = _mm_unpackhi_ps(of_a, of_b);
    to[0] = _mm_cvtps_pd(low);
    to[1] = _mm_cvtps_pd(_mm_movehl_ps(low, low));
    to[2] = _mm_cvtps_pd(high);
    to[3] = _mm_cvtps_pd(_mm_movehl_ps(high, high));
}

#else

typedef struct trvi_dtwin {
    double a, b;
} trvi_dtwin;

static inline trvi_dtwin trvi_dtwin_splat(double s)
{
    return (trvi_dtwin){s, s};
}
static inline void trvi_dtwin_store(double *a, double *b, trvi_dtwin t)
{
    *a = t.a;
    *b = t.b;
}
static inline trvi_dtwin trvi_dtwin_add(trvi_dtwin s, trvi_dtwin t)
{
    return (trvi_dtwin){s.a + t.a, s.b + t.b};
}
static inline trvi_dtwin trvi_dtwin_sub(trvi_dtwin s, trvi_dtwin t)
{
    return (trvi_dtwin){s.a - t.a, s.b - t.b};
}
static inline trvi_dtwin trvi_dtwin_mul(trvi_dtwin s, trvi_dtwin t)
{
    return (trvi_dtwin){s.a * t.a, s.b * t.b};
}
static inline trvi_dtwin trvi_dtwin_div(trvi_dtwin s, trvi_dtwin t)
{
    return (trvi_dtwin){s.a / t.a, s.b / t.b};
}
static inline void trvi_dtwin_load4(trvi_dtwin to[4], const float *a, const float *b)
{
    for (int i = 0; i < 4; i++)
        to[i] = (trvi_dtwin){a[i], b[i]};
}

#endif

#endif
