// The innermost loop of a sweep, four entries at once, or eight where the processor has AVX2.
//
// Comparisons are all that is done with the numbers, so that any width gives the same hits in the
// same order. What lies behind the column is cut off.
//
// Invariant: a block of entries never makes more hits than TRVI_WIDEST, and the loop stops while
// there is room for one more block.
#include "kernel.h"

#include "broad_data.h"

static uint32_t sweep_four(const trvi_rows *r, uint32_t i, uint32_t *at, uint32_t end,
                           uint32_t *hits)
{
    trvi_lanes last_s = trvi_lanes_splat(r->upper_s[i]);
    trvi_lanes first_u = trvi_lanes_splat(r->lower_u[i]), last_u = trvi_lanes_splat(r->upper_u[i]);
    trvi_lanes first_v = trvi_lanes_splat(r->lower_v[i]), last_v = trvi_lanes_splat(r->upper_v[i]);
    uint32_t tag = r->tag[i], count = 0, j = *at;
    while (j < end && count <= TRVI_HITS - TRVI_WIDEST) {
        uint32_t in_s = trvi_lanes_at_least(last_s, trvi_lanes_load(r->lower_s + j));
        uint32_t bits = in_s & trvi_lanes_at_least(last_u, trvi_lanes_load(r->lower_u + j)) &
                        trvi_lanes_at_least(trvi_lanes_load(r->upper_u + j), first_u) &
                        trvi_lanes_at_least(last_v, trvi_lanes_load(r->lower_v + j)) &
                        trvi_lanes_at_least(trvi_lanes_load(r->upper_v + j), first_v);
        if (end - j < TRVI_LANES)
            bits &= (1u << (end - j)) - 1;
        for (uint32_t k = j; bits != 0; k++, bits >>= 1) {
            hits[count] = r->tag[k] >> TRVI_TAG_BITS;
            count += bits & (((tag | r->tag[k]) & TRVI_TAG_FLAGS) == TRVI_TAG_FLAGS);
        }
        // Entries are in order: the last one of the block is the first to lie above.
        j = in_s >> (TRVI_LANES - 1) && end - j > TRVI_LANES ? j + TRVI_LANES : end;
    }
    *at = j;
    return count;
}

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && !defined(TRVI_SCALAR_LANES)
#include <immintrin.h>
#define HAS_EIGHT

__attribute__((target("avx2"))) static uint32_t
sweep_eight(const trvi_rows *r, uint32_t i, uint32_t *at, uint32_t end, uint32_t *hits)
{
    const __m256 last_s = _mm256_set1_ps(r->upper_s[i]);
    const __m256 first_u = _mm256_set1_ps(r->lower_u[i]), last_u = _mm256_set1_ps(r->upper_u[i]);
    const __m256 first_v = _mm256_set1_ps(r->lower_v[i]), last_v = _mm256_set1_ps(r->upper_v[i]);
    const __m256i tag = _mm256_set1_epi32((int)r->tag[i]);
    const __m256i flags = _mm256_set1_epi32(TRVI_TAG_FLAGS);
    uint32_t count = 0, j = *at;
    while (j < end && count <= TRVI_HITS - TRVI_WIDEST) {
        __m256 in_s = _mm256_cmp_ps(_mm256_loadu_ps(r->lower_s + j), last_s, _CMP_LE_OQ);
        __m256 in_u =
            _mm256_and_ps(_mm256_cmp_ps(_mm256_loadu_ps(r->lower_u + j), last_u, _CMP_LE_OQ),
                          _mm256_cmp_ps(_mm256_loadu_ps(r->upper_u + j), first_u, _CMP_GE_OQ));
        __m256 in_v =
            _mm256_and_ps(_mm256_cmp_ps(_mm256_loadu_ps(r->lower_v + j), last_v, _CMP_LE_OQ),
                          _mm256_cmp_ps(_mm256_loadu_ps(r->upper_v + j), first_v, _CMP_GE_OQ));
        __m256i tags = _mm256_loadu_si256((const __m256i *)(const void *)(r->tag + j));
        __m256i both = _mm256_and_si256(_mm256_or_si256(tags, tag), flags);
        __m256 all = _mm256_castsi256_ps(_mm256_cmpeq_epi32(both, flags));
        __m256 meets = _mm256_and_ps(_mm256_and_ps(in_s, in_u), _mm256_and_ps(in_v, all));
        uint32_t bits = (uint32_t)_mm256_movemask_ps(meets);
        if (end - j < 8)
            bits &= (1u << (end - j)) - 1;
        for (; bits != 0; bits &= bits - 1)
            hits[count++] = r->tag[j + (uint32_t)__builtin_ctz(bits)] >> TRVI_TAG_BITS;
        bool goes_on = (uint32_t)_mm256_movemask_ps(in_s) >> 7 && end - j > 8;
        j = goes_on ? j + 8 : end;
    }
    *at = j;
    return count;
}
#endif

trvi_kernel *trvi_kernel_at(uint32_t k)
{
    if (k == 0)
        return sweep_four;
#if defined(HAS_EIGHT)
    if (k == 1 && __builtin_cpu_supports("avx2"))
        return sweep_eight;
#endif
    return NULL;
}
