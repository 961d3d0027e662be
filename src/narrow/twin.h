// Four floats of one shape and four of another, side by side, to which the same is done: a register
// where a file is compiled for AVX (TRVI_TWIN_EIGHT), else two. The bits are those of lanes.h.
#ifndef TRVI_TWIN_H
#define TRVI_TWIN_H

#include "math/math.h"

#if defined(TRVI_TWIN_EIGHT)

typedef __m256 trvi_twin;

static inline trvi_twin trvi_twin_of(trvi_lanes a, trvi_lanes b)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1);
}
static inline trvi_lanes trvi_twin_a(trvi_twin t)
{
    return _mm256_castps256_ps128(t);
}
static inline trvi_lanes trvi_twin_b(trvi_twin t)
{
    return _mm256_extractf128_ps(t, 1);
}
static inline trvi_twin trvi_twin_add(trvi_twin s, trvi_twin t)
{
    return _mm256_add_ps(s, t);
}
static inline trvi_twin trvi_twin_sub(trvi_twin s, trvi_twin t)
{
    return _mm256_sub_ps(s, t);
}
static inline trvi_twin trvi_twin_mul(trvi_twin s, trvi_twin t)
{
    return _mm256_mul_ps(s, t);
}
static inline trvi_twin trvi_twin_max(trvi_twin s, trvi_twin t)
{
    return _mm256_max_ps(s, t);
}
// Lanes 1, 2, 0, 3.
static inline trvi_twin trvi_twin_turn(trvi_twin t)
{
    return _mm256_permute_ps(t, _MM_SHUFFLE(3, 0, 2, 1));
}
// One lane in each.
static inline trvi_twin trvi_twin_splat_0(trvi_twin t)
{
    return _mm256_permute_ps(t, _MM_SHUFFLE(0, 0, 0, 0));
}
static inline trvi_twin trvi_twin_splat_1(trvi_twin t)
{
    return _mm256_permute_ps(t, _MM_SHUFFLE(1, 1, 1, 1));
}
static inline trvi_twin trvi_twin_splat_2(trvi_twin t)
{
    return _mm256_permute_ps(t, _MM_SHUFFLE(2, 2, 2, 2));
}
static inline trvi_twin trvi_twin_splat_3(trvi_twin t)
{
    return _mm256_permute_ps(t, _MM_SHUFFLE(3, 3, 3, 3));
}
// Of the second the other way round.
static inline trvi_twin trvi_twin_against(trvi_twin t)
{
    return _mm256_xor_ps(t, _mm256_set_ps(-0.0f, -0.0f, -0.0f, -0.0f, 0.0f, 0.0f, 0.0f, 0.0f));
}
static inline trvi_twin trvi_twin_abs(trvi_twin t)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), t);
}
// trvi_lanes_sums of each.
static inline trvi_twin trvi_twin_sums(trvi_twin s, trvi_twin t)
{
    __m256 halves = _mm256_add_ps(_mm256_unpacklo_ps(s, t), _mm256_unpackhi_ps(s, t));
    return _mm256_add_ps(halves, _mm256_permute_ps(halves, _MM_SHUFFLE(3, 2, 3, 2)));
}
// Bit i is set where lane i of `s` is at least that of `t`, bits 4 to 7 for the second.
static inline uint32_t trvi_twin_at_least(trvi_twin s, trvi_twin t)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(s, t, _CMP_GE_OS));
}
// Eight floats.
static inline trvi_twin trvi_twin_load_both(const float *from)
{
    return _mm256_loadu_ps(from);
}
// In all lanes of each the largest of its four; any of them where one is NaN.
static inline trvi_twin trvi_twin_highest(trvi_twin t)
{
    __m256 pairs = _mm256_max_ps(t, _mm256_permute_ps(t, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm256_max_ps(pairs, _mm256_permute_ps(pairs, _MM_SHUFFLE(2, 3, 0, 1)));
}

#else

typedef struct trvi_twin {
    trvi_lanes a, b;
} trvi_twin;

static inline trvi_twin trvi_twin_of(trvi_lanes a, trvi_lanes b)
{
    return (trvi_twin){a, b};
}
static inline trvi_lanes trvi_twin_a(trvi_twin t)
{
    return t.a;
}
static inline trvi_lanes trvi_twin_b(trvi_twin t)
{
    return t.b;
}
static inline trvi_twin trvi_twin_add(trvi_twin s, trvi_twin t)
{
    return (trvi_twin){trvi_lanes_add(s.a, t.a), trvi_lanes_add(s.b, t.b)};
}
static inline trvi_twin trvi_twin_sub(trvi_twin s, trvi_twin t)
{
    return (trvi_twin){trvi_lanes_sub(s.a, t.a), trvi_lanes_sub(s.b, t.b)};
}
static inline trvi_twin trvi_twin_mul(trvi_twin s, trvi_twin t)
{
    return (trvi_twin){trvi_lanes_mul(s.a, t.a), trvi_lanes_mul(s.b, t.b)};
}
static inline trvi_twin trvi_twin_max(trvi_twin s, trvi_twin t)
{
    return (trvi_twin){trvi_lanes_max(s.a, t.a), trvi_lanes_max(s.b, t.b)};
}
static inline trvi_twin trvi_twin_turn(trvi_twin t)
{
    return (trvi_twin){trvi_lanes_turn(t.a), trvi_lanes_turn(t.b)};
}
static inline trvi_twin trvi_twin_splat_0(trvi_twin t)
{
    return (trvi_twin){trvi_lanes_splat_0(t.a), trvi_lanes_splat_0(t.b)};
}
static inline trvi_twin trvi_twin_splat_1(trvi_twin t)
{
    return (trvi_twin){trvi_lanes_splat_1(t.a), trvi_lanes_splat_1(t.b)};
}
static inline trvi_twin trvi_twin_splat_2(trvi_twin t)
{
    return (trvi_twin){trvi_lanes_splat_2(t.a), trvi_lanes_splat_2(t.b)};
}
static inline trvi_twin trvi_twin_splat_3(trvi_twin t)
{
    return (trvi_twin){trvi_lanes_splat_3(t.a), trvi_lanes_splat_3(t.b)};
}
static inline trvi_twin trvi_twin_against(trvi_twin t)
{
    return (trvi_twin){t.a, trvi_lanes_mul(t.b, trvi_lanes_splat(-1.0f))};
}
static inline trvi_twin trvi_twin_abs(trvi_twin t)
{
    return (trvi_twin){trvi_lanes_abs(t.a), trvi_lanes_abs(t.b)};
}
static inline trvi_twin trvi_twin_sums(trvi_twin s, trvi_twin t)
{
    return (trvi_twin){trvi_lanes_sums(s.a, t.a), trvi_lanes_sums(s.b, t.b)};
}
static inline uint32_t trvi_twin_at_least(trvi_twin s, trvi_twin t)
{
    return trvi_lanes_at_least(s.a, t.a) | trvi_lanes_at_least(s.b, t.b) << 4;
}
static inline trvi_twin trvi_twin_load_both(const float *from)
{
    return (trvi_twin){trvi_lanes_load(from), trvi_lanes_load(from + 4)};
}
static inline trvi_twin trvi_twin_highest(trvi_twin t)
{
    return (trvi_twin){trvi_lanes_splat(trvi_lanes_highest(t.a)),
                       trvi_lanes_splat(trvi_lanes_highest(t.b))};
}

#endif

static inline trvi_twin trvi_twin_load(const float *a, const float *b)
{
    return trvi_twin_of(trvi_lanes_load(a), trvi_lanes_load(b));
}

// Three floats each, and zero.
static inline trvi_twin trvi_twin_load3(const float *a, const float *b)
{
    return trvi_twin_of(trvi_lanes_load3(a), trvi_lanes_load3(b));
}

static inline trvi_twin trvi_twin_cross(trvi_twin s, trvi_twin t)
{
    return trvi_twin_turn(
        trvi_twin_sub(trvi_twin_mul(s, trvi_twin_turn(t)), trvi_twin_mul(trvi_twin_turn(s), t)));
}

// trvi_lanes_rotate_inverse
static inline trvi_twin trvi_twin_rotate_inverse(trvi_twin q, trvi_twin v)
{
    trvi_twin t = trvi_twin_cross(v, q);
    t = trvi_twin_add(t, t);
    trvi_twin turned = trvi_twin_add(v, trvi_twin_mul(t, trvi_twin_splat_3(q)));
    return trvi_twin_add(turned, trvi_twin_cross(t, q));
}

#endif
