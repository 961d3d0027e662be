// What many that come or go are looked for by: where arrivals are to be in a column, and which entries
// and pairs are of proxies that are gone, where those lie side by side.
//
// Invariant: see kernel.c; any width leads to the same answers.
#include "broad_data.h"

void trvi_count_one(const float *lower, uint32_t count, const uint64_t *arrivals, uint32_t added,
                    uint32_t *counts)
{
    uint32_t at = 0;
    for (uint32_t n = 0; n < added; n++)
        counts[n] = at = trvi_first_above(lower, at, count, trvi_side_of_arrival(arrivals[n]));
}

static inline bool is_in_span(uint32_t index, trvi_span span)
{
    return index - span.first < span.count;
}

uint64_t trvi_outside_one(const uint32_t *tag, uint32_t count, trvi_span span)
{
    uint64_t outside = 0;
    for (uint32_t i = 0; i < count; i++)
        outside |= (uint64_t)!is_in_span(tag[i] >> TRVI_TAG_BITS, span) << i;
    return outside;
}

bool trvi_within_one(const trv_pair *pairs, uint32_t count, trvi_span span)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++)
        any = any || is_in_span(pairs[i].a, span) || is_in_span(pairs[i].b, span);
    return any;
}

#if defined(TRVI_CAN_EIGHT)
#include <immintrin.h>

#define EIGHT    __attribute__((target("avx2"), always_inline)) static inline
#define FUNCTION __attribute__((target("avx2")))

enum { COUNTED = 64 }; // sides that are counted together

// How many of 64 sides lie up to another.
EIGHT uint32_t count_together(const float *sides, __m256 most)
{
    __m256i below = _mm256_setzero_si256(); // each that does subtracts -1
    for (uint32_t k = 0; k < COUNTED; k += 8) {
        __m256 does = _mm256_cmp_ps(_mm256_loadu_ps(sides + k), most, _CMP_LE_OQ);
        below = _mm256_sub_epi32(below, _mm256_castps_si256(does));
    }
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(below), _mm256_extracti128_si256(below, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(1, 0, 3, 2)));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(2, 3, 0, 1)));
    return (uint32_t)_mm_cvtsi128_si32(sum);
}

// Which sides those are cannot be foretold: some are told apart by halves, without a branch, but each
// time waiting for the one before; so the last 64 are counted together.
FUNCTION void trvi_count_eight(const float *lower, uint32_t count, const uint64_t *arrivals,
                               uint32_t added, uint32_t *counts)
{
    if (count < COUNTED) {
        trvi_count_one(lower, count, arrivals, added, counts);
        return;
    }
    for (uint32_t n = 0; n < added; n++) {
        const float side = trvi_side_of_arrival(arrivals[n]);
        uint32_t first = 0, left = count;
        while (left > COUNTED) {
            uint32_t half = left - left / 2;
            first += half & (0 - (uint32_t)(lower[first + half - 1] <= side));
            left -= half;
        }
        // All before it lie up to the side, wherever it is.
        first = first < count - COUNTED ? first : count - COUNTED;
        counts[n] = first + count_together(lower + first, _mm256_set1_ps(side));
    }
}

// Lanes whose indices are of the span.
EIGHT __m256i in_span_eight(__m256i index, trvi_span span)
{
    index = _mm256_sub_epi32(index, _mm256_set1_epi32((int)span.first));
    __m256i last = _mm256_set1_epi32((int)(span.count - 1));
    return _mm256_cmpeq_epi32(_mm256_min_epu32(index, last), index);
}

FUNCTION uint64_t trvi_outside_eight(const uint32_t *tag, uint32_t count, trvi_span span)
{
    uint64_t outside = 0;
    uint32_t i = 0;
    for (; count - i >= 8; i += 8) {
        __m256i tags = _mm256_loadu_si256((const __m256i *)(const void *)(tag + i));
        __m256i inside = in_span_eight(_mm256_srli_epi32(tags, TRVI_TAG_BITS), span);
        outside |= (uint64_t)(~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(inside)) & 255)
                   << i;
    }
    return i < count ? outside | trvi_outside_one(tag + i, count - i, span) << i : outside;
}

// The proxies of two pairs, side by side.
EIGHT __m128i proxies_of_two(const trv_pair *pairs)
{
    return _mm_unpacklo_epi64(_mm_loadu_si128((const __m128i *)(const void *)pairs),
                              _mm_loadu_si128((const __m128i *)(const void *)(pairs + 1)));
}

FUNCTION bool trvi_within_eight(const trv_pair *pairs, uint32_t count, trvi_span span)
{
    __m256i any = _mm256_setzero_si256();
    uint32_t i = 0;
    for (; count - i >= 4; i += 4) {
        __m256i lower = _mm256_castsi128_si256(proxies_of_two(pairs + i));
        __m256i four = _mm256_inserti128_si256(lower, proxies_of_two(pairs + i + 2), 1);
        any = _mm256_or_si256(any, in_span_eight(four, span));
    }
    return _mm256_movemask_ps(_mm256_castsi256_ps(any)) != 0 ||
           trvi_within_one(pairs + i, count - i, span);
}
#endif
