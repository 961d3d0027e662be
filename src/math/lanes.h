// Four floats at once: SSE2, NEON (AArch64) or plain C, with the same bits from each. Files that
// ask for it by TRVI_LANES_EIGHT have eight at once instead (lanes_eight.h).
//
// Only operations that IEEE 754 rounds exactly are here (add, subtract, multiply, divide, square
// root), and min and max are defined by one comparison, so lane i of any result is what scalar code
// would give. There are no estimates and no fused operations, and sums across lanes have one order.
#ifndef TRVI_LANES_H
#define TRVI_LANES_H

#include <math.h>

#include "base.h"

#if defined(TRVI_LANES_EIGHT)
#include "lanes_eight.h"
#else
#define TRVI_LANES 4
#endif

#if defined(TRVI_SCALAR_LANES) || TRVI_LANES == 8
// Chosen by the build, to compare.
#elif defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define TRVI_LANES_SSE2
#elif defined(__aarch64__)
#include <arm_neon.h>
#define TRVI_LANES_NEON
#endif

#if TRVI_LANES == 8
// It is all there.
#elif defined(TRVI_LANES_SSE2)

typedef __m128 trvi_lanes;

static inline trvi_lanes trvi_lanes_load(const float *from)
{
    return _mm_loadu_ps(from);
}
static inline void trvi_lanes_store(float *to, trvi_lanes a)
{
    _mm_storeu_ps(to, a);
}
static inline trvi_lanes trvi_lanes_splat(float a)
{
    return _mm_set1_ps(a);
}
static inline trvi_lanes trvi_lanes_add(trvi_lanes a, trvi_lanes b)
{
    return _mm_add_ps(a, b);
}
static inline trvi_lanes trvi_lanes_sub(trvi_lanes a, trvi_lanes b)
{
    return _mm_sub_ps(a, b);
}
static inline trvi_lanes trvi_lanes_mul(trvi_lanes a, trvi_lanes b)
{
    return _mm_mul_ps(a, b);
}
static inline trvi_lanes trvi_lanes_div(trvi_lanes a, trvi_lanes b)
{
    return _mm_div_ps(a, b);
}
static inline trvi_lanes trvi_lanes_sqrt(trvi_lanes a)
{
    return _mm_sqrt_ps(a);
}
static inline trvi_lanes trvi_lanes_min(trvi_lanes a, trvi_lanes b)
{
    return _mm_min_ps(a, b);
}
static inline trvi_lanes trvi_lanes_max(trvi_lanes a, trvi_lanes b)
{
    return _mm_max_ps(a, b);
}
// Per lane: x > y ? a : b
static inline trvi_lanes trvi_lanes_if_greater(trvi_lanes x, trvi_lanes y, trvi_lanes a,
                                               trvi_lanes b)
{
    __m128 mask = _mm_cmpgt_ps(x, y);
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}
// Bit i is set where lane i of a is at least that of b.
static inline uint32_t trvi_lanes_at_least(trvi_lanes a, trvi_lanes b)
{
    return (uint32_t)_mm_movemask_ps(_mm_cmpge_ps(a, b));
}
// The same of sixteen in memory: bit i is set where from[i] is at least `b`, of which all lanes are
// the same.
static inline uint32_t trvi_lanes_at_least_16(const float *from, trvi_lanes b)
{
    __m128i m0 = _mm_castps_si128(_mm_cmple_ps(b, _mm_loadu_ps(from)));
    __m128i m1 = _mm_castps_si128(_mm_cmple_ps(b, _mm_loadu_ps(from + 4)));
    __m128i m2 = _mm_castps_si128(_mm_cmple_ps(b, _mm_loadu_ps(from + 8)));
    __m128i m3 = _mm_castps_si128(_mm_cmple_ps(b, _mm_loadu_ps(from + 12)));
    __m128i bytes = _mm_packs_epi16(_mm_packs_epi32(m0, m1), _mm_packs_epi32(m2, m3));
    return (uint32_t)_mm_movemask_epi8(bytes);
}
static inline trvi_lanes trvi_lanes_abs(trvi_lanes a)
{
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
}
// Three floats, and zero.
static inline trvi_lanes trvi_lanes_load3(const float *from)
{
    const void *two = from;
    return _mm_movelh_ps(_mm_castsi128_ps(_mm_loadl_epi64(two)), _mm_load_ss(from + 2));
}
static inline void trvi_lanes_store3(float *to, trvi_lanes a)
{
    void *two = to;
    _mm_storel_epi64(two, _mm_castps_si128(a));
    _mm_store_ss(to + 2, _mm_movehl_ps(a, a));
}
// Lanes 1, 2, 0, 3.
static inline trvi_lanes trvi_lanes_turn(trvi_lanes a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 0, 2, 1));
}
// Lanes 0 and 1 of `a`, then those of `b`.
static inline trvi_lanes trvi_lanes_pair(trvi_lanes a, trvi_lanes b)
{
    return _mm_movelh_ps(a, b);
}
// One lane in each.
static inline trvi_lanes trvi_lanes_splat_0(trvi_lanes a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(0, 0, 0, 0));
}
static inline trvi_lanes trvi_lanes_splat_1(trvi_lanes a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 1, 1, 1));
}
static inline trvi_lanes trvi_lanes_splat_2(trvi_lanes a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 2, 2, 2));
}
static inline trvi_lanes trvi_lanes_splat_3(trvi_lanes a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 3, 3, 3));
}
// Lane 0.
static inline float trvi_lanes_first(trvi_lanes a)
{
    return _mm_cvtss_f32(a);
}
// The sum of the lanes of `a` in lane 0, of those of `b` in lane 1: (0 + 2) + (1 + 3). The other
// two are not to be used.
static inline trvi_lanes trvi_lanes_sums(trvi_lanes a, trvi_lanes b)
{
    __m128 halves = _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
    return _mm_add_ps(halves, _mm_movehl_ps(halves, halves));
}

// Lane j of vector i goes to lane i of vector j.
static inline void trvi_lanes_transpose(trvi_lanes m[TRVI_LANES])
{
    __m128 low_01 = _mm_unpacklo_ps(m[0], m[1]), high_01 = _mm_unpackhi_ps(m[0], m[1]);
    __m128 low_23 = _mm_unpacklo_ps(m[2], m[3]), high_23 = _mm_unpackhi_ps(m[2], m[3]);
    m[0] = _mm_movelh_ps(low_01, low_23);
    m[1] = _mm_movehl_ps(low_23, low_01);
    m[2] = _mm_movelh_ps(high_01, high_23);
    m[3] = _mm_movehl_ps(high_23, high_01);
}

#elif defined(TRVI_LANES_NEON)

typedef float32x4_t trvi_lanes;

static inline trvi_lanes trvi_lanes_load(const float *from)
{
    return vld1q_f32(from);
}
static inline void trvi_lanes_store(float *to, trvi_lanes a)
{
    vst1q_f32(to, a);
}
static inline trvi_lanes trvi_lanes_splat(float a)
{
    return vdupq_n_f32(a);
}
static inline trvi_lanes trvi_lanes_add(trvi_lanes a, trvi_lanes b)
{
    return vaddq_f32(a, b);
}
static inline trvi_lanes trvi_lanes_sub(trvi_lanes a, trvi_lanes b)
{
    return vsubq_f32(a, b);
}
static inline trvi_lanes trvi_lanes_mul(trvi_lanes a, trvi_lanes b)
{
    return vmulq_f32(a, b);
}
static inline trvi_lanes trvi_lanes_div(trvi_lanes a, trvi_lanes b)
{
    return vdivq_f32(a, b);
}
static inline trvi_lanes trvi_lanes_sqrt(trvi_lanes a)
{
    return vsqrtq_f32(a);
}
static inline trvi_lanes trvi_lanes_if_greater(trvi_lanes x, trvi_lanes y, trvi_lanes a,
                                               trvi_lanes b)
{
    return vbslq_f32(vcgtq_f32(x, y), a, b);
}
static inline trvi_lanes trvi_lanes_min(trvi_lanes a, trvi_lanes b)
{
    return trvi_lanes_if_greater(b, a, a, b);
}
static inline trvi_lanes trvi_lanes_max(trvi_lanes a, trvi_lanes b)
{
    return trvi_lanes_if_greater(a, b, a, b);
}
static inline uint32_t trvi_lanes_at_least(trvi_lanes a, trvi_lanes b)
{
    static const uint32_t bits[TRVI_LANES] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcgeq_f32(a, b), vld1q_u32(bits)));
}
static inline uint32_t trvi_lanes_at_least_16(const float *from, trvi_lanes b)
{
    return trvi_lanes_at_least(vld1q_f32(from), b) |
           trvi_lanes_at_least(vld1q_f32(from + 4), b) << 4 |
           trvi_lanes_at_least(vld1q_f32(from + 8), b) << 8 |
           trvi_lanes_at_least(vld1q_f32(from + 12), b) << 12;
}
static inline trvi_lanes trvi_lanes_abs(trvi_lanes a)
{
    return vabsq_f32(a);
}
static inline trvi_lanes trvi_lanes_load3(const float *from)
{
    return vcombine_f32(vld1_f32(from), vld1_lane_f32(from + 2, vdup_n_f32(0.0f), 0));
}
static inline void trvi_lanes_store3(float *to, trvi_lanes a)
{
    vst1_f32(to, vget_low_f32(a));
    vst1q_lane_f32(to + 2, a, 2);
}
static inline trvi_lanes trvi_lanes_turn(trvi_lanes a)
{
    float32x4_t turned = vextq_f32(a, a, 1);
    return vcombine_f32(vget_low_f32(turned), vrev64_f32(vget_high_f32(turned)));
}
static inline trvi_lanes trvi_lanes_pair(trvi_lanes a, trvi_lanes b)
{
    return vcombine_f32(vget_low_f32(a), vget_low_f32(b));
}
static inline trvi_lanes trvi_lanes_splat_0(trvi_lanes a)
{
    return vdupq_laneq_f32(a, 0);
}
static inline trvi_lanes trvi_lanes_splat_1(trvi_lanes a)
{
    return vdupq_laneq_f32(a, 1);
}
static inline trvi_lanes trvi_lanes_splat_2(trvi_lanes a)
{
    return vdupq_laneq_f32(a, 2);
}
static inline trvi_lanes trvi_lanes_splat_3(trvi_lanes a)
{
    return vdupq_laneq_f32(a, 3);
}
static inline float trvi_lanes_first(trvi_lanes a)
{
    return vgetq_lane_f32(a, 0);
}
static inline trvi_lanes trvi_lanes_sums(trvi_lanes a, trvi_lanes b)
{
    float32x4_t halves = vaddq_f32(vzip1q_f32(a, b), vzip2q_f32(a, b));
    return vaddq_f32(halves, vextq_f32(halves, halves, 2));
}

static inline void trvi_lanes_transpose(trvi_lanes m[TRVI_LANES])
{
    float32x4x2_t even = vzipq_f32(m[0], m[2]), odd = vzipq_f32(m[1], m[3]);
    float32x4x2_t low = vzipq_f32(even.val[0], odd.val[0]);
    float32x4x2_t high = vzipq_f32(even.val[1], odd.val[1]);
    m[0] = low.val[0];
    m[1] = low.val[1];
    m[2] = high.val[0];
    m[3] = high.val[1];
}

#else

typedef struct trvi_lanes {
    float v[TRVI_LANES];
} trvi_lanes;

#define TRVI_EACH_LANE(expression)                                                                 \
    trvi_lanes r;                                                                                  \
    for (int i = 0; i < TRVI_LANES; i++)                                                           \
        r.v[i] = (expression);                                                                     \
    return r

static inline trvi_lanes trvi_lanes_load(const float *from)
{
    TRVI_EACH_LANE(from[i]);
}
static inline void trvi_lanes_store(float *to, trvi_lanes a)
{
    for (int i = 0; i < TRVI_LANES; i++)
        to[i] = a.v[i];
}
static inline trvi_lanes trvi_lanes_splat(float a)
{
    TRVI_EACH_LANE(a);
}
static inline trvi_lanes trvi_lanes_add(trvi_lanes a, trvi_lanes b)
{
    TRVI_EACH_LANE(a.v[i] + b.v[i]);
}
static inline trvi_lanes trvi_lanes_sub(trvi_lanes a, trvi_lanes b)
{
    TRVI_EACH_LANE(a.v[i] - b.v[i]);
}
static inline trvi_lanes trvi_lanes_mul(trvi_lanes a, trvi_lanes b)
{
    TRVI_EACH_LANE(a.v[i] * b.v[i]);
}
static inline trvi_lanes trvi_lanes_div(trvi_lanes a, trvi_lanes b)
{
    TRVI_EACH_LANE(a.v[i] / b.v[i]);
}
static inline trvi_lanes trvi_lanes_sqrt(trvi_lanes a)
{
    TRVI_EACH_LANE(sqrtf(a.v[i]));
}
static inline trvi_lanes trvi_lanes_min(trvi_lanes a, trvi_lanes b)
{
    TRVI_EACH_LANE(a.v[i] < b.v[i] ? a.v[i] : b.v[i]);
}
static inline trvi_lanes trvi_lanes_max(trvi_lanes a, trvi_lanes b)
{
    TRVI_EACH_LANE(a.v[i] > b.v[i] ? a.v[i] : b.v[i]);
}
static inline trvi_lanes trvi_lanes_if_greater(trvi_lanes x, trvi_lanes y, trvi_lanes a,
                                               trvi_lanes b)
{
    TRVI_EACH_LANE(x.v[i] > y.v[i] ? a.v[i] : b.v[i]);
}
static inline uint32_t trvi_lanes_at_least(trvi_lanes a, trvi_lanes b)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < TRVI_LANES; i++)
        mask |= (uint32_t)(a.v[i] >= b.v[i]) << i;
    return mask;
}
static inline uint32_t trvi_lanes_at_least_16(const float *from, trvi_lanes b)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 16; i++)
        mask |= (uint32_t)(from[i] >= b.v[0]) << i;
    return mask;
}
static inline trvi_lanes trvi_lanes_abs(trvi_lanes a)
{
    TRVI_EACH_LANE(fabsf(a.v[i]));
}
static inline trvi_lanes trvi_lanes_load3(const float *from)
{
    return (trvi_lanes){{from[0], from[1], from[2], 0.0f}};
}
static inline void trvi_lanes_store3(float *to, trvi_lanes a)
{
    for (int i = 0; i < 3; i++)
        to[i] = a.v[i];
}
static inline trvi_lanes trvi_lanes_turn(trvi_lanes a)
{
    return (trvi_lanes){{a.v[1], a.v[2], a.v[0], a.v[3]}};
}
static inline trvi_lanes trvi_lanes_pair(trvi_lanes a, trvi_lanes b)
{
    return (trvi_lanes){{a.v[0], a.v[1], b.v[0], b.v[1]}};
}
static inline trvi_lanes trvi_lanes_splat_0(trvi_lanes a)
{
    TRVI_EACH_LANE(a.v[0]);
}
static inline trvi_lanes trvi_lanes_splat_1(trvi_lanes a)
{
    TRVI_EACH_LANE(a.v[1]);
}
static inline trvi_lanes trvi_lanes_splat_2(trvi_lanes a)
{
    TRVI_EACH_LANE(a.v[2]);
}
static inline trvi_lanes trvi_lanes_splat_3(trvi_lanes a)
{
    TRVI_EACH_LANE(a.v[3]);
}
static inline float trvi_lanes_first(trvi_lanes a)
{
    return a.v[0];
}
static inline trvi_lanes trvi_lanes_sums(trvi_lanes a, trvi_lanes b)
{
    float of_a = (a.v[0] + a.v[2]) + (a.v[1] + a.v[3]);
    float of_b = (b.v[0] + b.v[2]) + (b.v[1] + b.v[3]);
    return (trvi_lanes){{of_a, of_b, of_a, of_b}};
}

static inline void trvi_lanes_transpose(trvi_lanes m[TRVI_LANES])
{
    for (int i = 0; i < TRVI_LANES; i++)
        for (int j = 0; j < i; j++) {
            float swap = m[i].v[j];
            m[i].v[j] = m[j].v[i];
            m[j].v[i] = swap;
        }
}

#endif

// The place of the lowest bit that is set; one is. Source: Leiserson, Prokop and Randall 1998,
// "Using de Bruijn sequences to index a 1 in a computer word".
static inline uint32_t trvi_lowest_bit(uint64_t bits)
{
    static const uint8_t places[64] = {
        0,  1,  2,  53, 3,  7,  54, 27, 4,  38, 41, 8,  34, 55, 48, 28, 62, 5,  39, 46, 44, 42,
        22, 9,  24, 35, 59, 56, 49, 18, 29, 11, 63, 52, 6,  26, 37, 40, 33, 47, 61, 45, 43, 21,
        23, 58, 17, 10, 51, 25, 36, 32, 60, 20, 57, 16, 50, 31, 19, 15, 30, 14, 13, 12};
    return places[((bits & (~bits + 1)) * UINT64_C(0x022fdd63cc95386d)) >> 58];
}

// Tells the processor that what lies at `from` is wanted soon; where it cannot be told, nothing
// happens.
static inline void trvi_prefetch(const void *from)
{
#if defined(TRVI_LANES_SSE2) && defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    // To gcc 12 a function that only asks by _mm_prefetch does nothing: it leaves out the calls.
    __asm__ volatile("prefetcht0 %a0" : : "r"(from));
#elif defined(TRVI_LANES_SSE2)
    _mm_prefetch((const char *)from, _MM_HINT_T0);
#else
    (void)from;
#endif
}

// For what is read in a row, from `from` on by now: processors by themselves look ahead no farther than
// to the end of a page of 4096 bytes. A tenth or so quicker than without; harmless past the end.
static inline void trvi_prefetch_ahead(const void *from)
{
    trvi_prefetch((const void *)((uintptr_t)from + 4096));
}

// All lines of the cache that `size` bytes from there on lie in; of 64 bytes each, as most are.
static inline void trvi_prefetch_bytes(const void *from, size_t size)
{
    for (size_t at = 0; at < size; at += 64)
        trvi_prefetch((const char *)from + at);
    trvi_prefetch((const char *)from + size - 1);
}

#if TRVI_LANES == 4

// Row i of four comes from from[i], so many floats on; then lane j of row i goes to lane i of row j.
static inline void trvi_lanes_load_rows(trvi_lanes m[4], const float *const from[TRVI_LANES],
                                        size_t on)
{
    for (int i = 0; i < TRVI_LANES; i++)
        m[i] = trvi_lanes_load(from[i] + on);
    trvi_lanes_transpose(m);
}

// The way back, to those whose bit is set in `which`.
static inline void trvi_lanes_store_rows(float *const to[TRVI_LANES], uint32_t which,
                                         const trvi_lanes m[4])
{
    trvi_lanes rows[TRVI_LANES] = {m[0], m[1], m[2], m[3]};
    trvi_lanes_transpose(rows);
    for (int i = 0; i < TRVI_LANES; i++)
        if (which & 1u << i)
            trvi_lanes_store(to[i], rows[i]);
}

// The largest of the four; any of them where one is NaN.
static inline float trvi_lanes_highest(trvi_lanes a)
{
#if defined(TRVI_LANES_SSE2)
    __m128 pairs = _mm_max_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_max_ss(pairs, _mm_shuffle_ps(pairs, pairs, 1)));
#else
    float v[TRVI_LANES];
    trvi_lanes_store(v, a);
    float low = v[0] > v[2] ? v[0] : v[2], high = v[1] > v[3] ? v[1] : v[3];
    return low > high ? low : high;
#endif
}

// The cross product of lanes 0 to 2. Lane 3 is zero where both are finite.
static inline trvi_lanes trvi_lanes_cross(trvi_lanes a, trvi_lanes b)
{
    return trvi_lanes_turn(trvi_lanes_sub(trvi_lanes_mul(a, trvi_lanes_turn(b)),
                                          trvi_lanes_mul(trvi_lanes_turn(a), b)));
}

// trvi_rotate of lanes 0 to 2 of `v`, lane 3 of which is zero.
static inline trvi_lanes trvi_lanes_rotate(trvi_lanes q, trvi_lanes v)
{
    trvi_lanes t = trvi_lanes_cross(q, v);
    t = trvi_lanes_add(t, t);
    trvi_lanes turned = trvi_lanes_add(v, trvi_lanes_mul(t, trvi_lanes_splat_3(q)));
    return trvi_lanes_add(turned, trvi_lanes_cross(q, t));
}

static inline trvi_lanes trvi_lanes_rotate_inverse(trvi_lanes q, trvi_lanes v)
{
    trvi_lanes t = trvi_lanes_cross(v, q);
    t = trvi_lanes_add(t, t);
    trvi_lanes turned = trvi_lanes_add(v, trvi_lanes_mul(t, trvi_lanes_splat_3(q)));
    return trvi_lanes_add(turned, trvi_lanes_cross(t, q));
}

#endif

// Per lane: 0 where it is closer to that than `least`, else itself, as is what is not a number.
static inline trvi_lanes trvi_lanes_unless_less(trvi_lanes a, trvi_lanes least)
{
    return trvi_lanes_if_greater(least, trvi_lanes_abs(a), trvi_lanes_splat(0.0f), a);
}

// As many vectors at once as there are lanes.
typedef struct trvi_wide3 {
    trvi_lanes x, y, z;
} trvi_wide3;

static inline trvi_wide3 trvi_wide_add(trvi_wide3 a, trvi_wide3 b)
{
    return (trvi_wide3){trvi_lanes_add(a.x, b.x), trvi_lanes_add(a.y, b.y),
                        trvi_lanes_add(a.z, b.z)};
}

static inline trvi_wide3 trvi_wide_sub(trvi_wide3 a, trvi_wide3 b)
{
    return (trvi_wide3){trvi_lanes_sub(a.x, b.x), trvi_lanes_sub(a.y, b.y),
                        trvi_lanes_sub(a.z, b.z)};
}

// Component by component.
static inline trvi_wide3 trvi_wide_mul(trvi_wide3 a, trvi_wide3 b)
{
    return (trvi_wide3){trvi_lanes_mul(a.x, b.x), trvi_lanes_mul(a.y, b.y),
                        trvi_lanes_mul(a.z, b.z)};
}

static inline trvi_wide3 trvi_wide_scale(trvi_wide3 a, trvi_lanes s)
{
    return (trvi_wide3){trvi_lanes_mul(a.x, s), trvi_lanes_mul(a.y, s), trvi_lanes_mul(a.z, s)};
}

// a + b * s
static inline trvi_wide3 trvi_wide_mul_add(trvi_wide3 a, trvi_wide3 b, trvi_lanes s)
{
    return trvi_wide_add(a, trvi_wide_scale(b, s));
}

// a - b * s
static inline trvi_wide3 trvi_wide_mul_sub(trvi_wide3 a, trvi_wide3 b, trvi_lanes s)
{
    return trvi_wide_sub(a, trvi_wide_scale(b, s));
}

static inline trvi_lanes trvi_wide_dot(trvi_wide3 a, trvi_wide3 b)
{
    return trvi_lanes_add(trvi_lanes_add(trvi_lanes_mul(a.x, b.x), trvi_lanes_mul(a.y, b.y)),
                          trvi_lanes_mul(a.z, b.z));
}

static inline trvi_wide3 trvi_wide_cross(trvi_wide3 a, trvi_wide3 b)
{
    return (trvi_wide3){trvi_lanes_sub(trvi_lanes_mul(a.y, b.z), trvi_lanes_mul(a.z, b.y)),
                        trvi_lanes_sub(trvi_lanes_mul(a.z, b.x), trvi_lanes_mul(a.x, b.z)),
                        trvi_lanes_sub(trvi_lanes_mul(a.x, b.y), trvi_lanes_mul(a.y, b.x))};
}

static inline trvi_wide3 trvi_wide_unless_less(trvi_wide3 a, trvi_lanes least)
{
    return (trvi_wide3){trvi_lanes_unless_less(a.x, least), trvi_lanes_unless_less(a.y, least),
                        trvi_lanes_unless_less(a.z, least)};
}

// A symmetric 3x3 matrix per lane.
typedef struct trvi_wide_symmetric {
    trvi_lanes xx, yy, zz, xy, xz, yz;
} trvi_wide_symmetric;

static inline trvi_wide3 trvi_wide_symmetric_mul(const trvi_wide_symmetric *m, trvi_wide3 v)
{
    trvi_wide3 row_x = {m->xx, m->xy, m->xz};
    trvi_wide3 row_y = {m->xy, m->yy, m->yz};
    trvi_wide3 row_z = {m->xz, m->yz, m->zz};
    return (trvi_wide3){trvi_wide_dot(row_x, v), trvi_wide_dot(row_y, v), trvi_wide_dot(row_z, v)};
}

#endif
