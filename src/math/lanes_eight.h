// Eight floats at once, by AVX: what lanes.h has for four, as far as the solver needs it. Each lane
// gets the same bits as there.
//
// For files that are compiled for AVX, whatever the rest of the program is compiled for, and whose
// functions run only where the processor has it. Only lanes.h includes this, where such a file has
// defined TRVI_LANES_EIGHT.
#ifndef TRVI_LANES_EIGHT_H
#define TRVI_LANES_EIGHT_H

#include <immintrin.h>
#include <math.h>
#include <stdint.h>

#define TRVI_LANES 8

typedef __m256 trvi_lanes;

static inline trvi_lanes trvi_lanes_load(const float *from)
{
    return _mm256_loadu_ps(from);
}
static inline void trvi_lanes_store(float *to, trvi_lanes a)
{
    _mm256_storeu_ps(to, a);
}
static inline trvi_lanes trvi_lanes_splat(float a)
{
    return _mm256_set1_ps(a);
}
static inline trvi_lanes trvi_lanes_add(trvi_lanes a, trvi_lanes b)
{
    return _mm256_add_ps(a, b);
}
static inline trvi_lanes trvi_lanes_sub(trvi_lanes a, trvi_lanes b)
{
    return _mm256_sub_ps(a, b);
}
static inline trvi_lanes trvi_lanes_mul(trvi_lanes a, trvi_lanes b)
{
    return _mm256_mul_ps(a, b);
}
static inline trvi_lanes trvi_lanes_div(trvi_lanes a, trvi_lanes b)
{
    return _mm256_div_ps(a, b);
}
static inline trvi_lanes trvi_lanes_sqrt(trvi_lanes a)
{
    return _mm256_sqrt_ps(a);
}
static inline trvi_lanes trvi_lanes_min(trvi_lanes a, trvi_lanes b)
{
    return _mm256_min_ps(a, b);
}
static inline trvi_lanes trvi_lanes_max(trvi_lanes a, trvi_lanes b)
{
    return _mm256_max_ps(a, b);
}
static inline trvi_lanes trvi_lanes_abs(trvi_lanes a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
static inline trvi_lanes trvi_lanes_if_greater(trvi_lanes x, trvi_lanes y, trvi_lanes a,
                                               trvi_lanes b)
{
    // Of a blend gcc 12 makes a branch for each lane, where there is AVX alone.
    __m256 mask = _mm256_cmp_ps(x, y, _CMP_GT_OS);
    return _mm256_or_ps(_mm256_and_ps(mask, a), _mm256_andnot_ps(mask, b));
}
static inline uint32_t trvi_lanes_at_least(trvi_lanes a, trvi_lanes b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OS));
}

// Row i of four comes from from[i], so many floats on, and in its upper half from from[i + 4]; then
// lane j of row i of either half goes to lane i of row j.
static inline void trvi_lanes_load_rows(trvi_lanes m[4], const float *const from[TRVI_LANES],
                                        size_t on)
{
    for (int i = 0; i < 4; i++)
        m[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from[i] + on)),
                                    _mm_loadu_ps(from[i + 4] + on), 1);
    __m256 low_01 = _mm256_unpacklo_ps(m[0], m[1]), high_01 = _mm256_unpackhi_ps(m[0], m[1]);
    __m256 low_23 = _mm256_unpacklo_ps(m[2], m[3]), high_23 = _mm256_unpackhi_ps(m[2], m[3]);
    m[0] = _mm256_shuffle_ps(low_01, low_23, _MM_SHUFFLE(1, 0, 1, 0));
    m[1] = _mm256_shuffle_ps(low_01, low_23, _MM_SHUFFLE(3, 2, 3, 2));
    m[2] = _mm256_shuffle_ps(high_01, high_23, _MM_SHUFFLE(1, 0, 1, 0));
    m[3] = _mm256_shuffle_ps(high_01, high_23, _MM_SHUFFLE(3, 2, 3, 2));
}

// The way back, to those whose bit is set in `which`.
static inline void trvi_lanes_store_rows(float *const to[TRVI_LANES], uint32_t which,
                                         const trvi_lanes m[4])
{
    __m256 low_01 = _mm256_unpacklo_ps(m[0], m[1]), high_01 = _mm256_unpackhi_ps(m[0], m[1]);
    __m256 low_23 = _mm256_unpacklo_ps(m[2], m[3]), high_23 = _mm256_unpackhi_ps(m[2], m[3]);
    const __m256 rows[4] = {_mm256_shuffle_ps(low_01, low_23, _MM_SHUFFLE(1, 0, 1, 0)),
                            _mm256_shuffle_ps(low_01, low_23, _MM_SHUFFLE(3, 2, 3, 2)),
                            _mm256_shuffle_ps(high_01, high_23, _MM_SHUFFLE(1, 0, 1, 0)),
                            _mm256_shuffle_ps(high_01, high_23, _MM_SHUFFLE(3, 2, 3, 2))};
    for (int i = 0; i < 4; i++) {
        if (which & 1u << i)
            _mm_storeu_ps(to[i], _mm256_castps256_ps128(rows[i]));
        if (which & 16u << i)
            _mm_storeu_ps(to[i + 4], _mm256_extractf128_ps(rows[i], 1));
    }
}

#endif
