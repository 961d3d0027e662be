// The innermost loop of a sweep, four entries at once, or eight where the processor has AVX2.
//
// Comparisons are all that is done with the numbers, so that any width gives the same hits in the
// same order. What lies behind the column is cut off.
//
// Invariant: a block of entries never makes more hits than TRVI_WIDEST, and the loop stops while
// there is room for one more block.
#include "kernel.h"

#include "broad_data.h"

static uint32_t sweep_four(const trvi_rows *r, trvi_place *place, uint32_t last, uint32_t end,
                           trvi_hit *hits)
{
    uint32_t count = 0, i = place->i, j = place->j;
    while (i < last) {
        trvi_lanes last_s = trvi_lanes_splat(r->upper_s[i]);
        trvi_lanes first_u = trvi_lanes_splat(r->lower_u[i]),
                   last_u = trvi_lanes_splat(r->upper_u[i]);
        trvi_lanes first_v = trvi_lanes_splat(r->lower_v[i]),
                   last_v = trvi_lanes_splat(r->upper_v[i]);
        uint32_t tag = r->tag[i];
        while (j < end) {
            if (count > TRVI_HITS - TRVI_WIDEST) {
                *place = (trvi_place){i, j};
                return count;
            }
            uint32_t in_s = trvi_lanes_at_least(last_s, trvi_lanes_load(r->lower_s + j));
            uint32_t bits = in_s & trvi_lanes_at_least(last_u, trvi_lanes_load(r->lower_u + j)) &
                            trvi_lanes_at_least(trvi_lanes_load(r->upper_u + j), first_u) &
                            trvi_lanes_at_least(last_v, trvi_lanes_load(r->lower_v + j)) &
                            trvi_lanes_at_least(trvi_lanes_load(r->upper_v + j), first_v);
            if (end - j < TRVI_LANES)
                bits &= (1u << (end - j)) - 1;
            for (uint32_t k = j; bits != 0; k++, bits >>= 1) {
                hits[count] = (trvi_hit){tag, r->tag[k]};
                count += bits & (((tag | r->tag[k]) & TRVI_TAG_FLAGS) == TRVI_TAG_FLAGS);
            }
            // Entries are in order: the last one of the block is the first to lie above.
            if (!(in_s >> (TRVI_LANES - 1)) || end - j <= TRVI_LANES)
                break;
            j += TRVI_LANES;
        }
        i++;
        j = i + 1;
    }
    *place = (trvi_place){i, j};
    return count;
}

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && !defined(TRVI_SCALAR_LANES)
#include <immintrin.h>
#define HAS_EIGHT

// The sides and the tag of one entry in all lanes.
typedef struct eight {
    __m256 last_s, first_u, last_u, first_v, last_v;
    __m256i tag;
} eight;

// Bit k of the result is set where entry j + k overlaps the box and has all flags together with it;
// *in_s tells where it begins along s before the box ends.
__attribute__((target("avx2"))) static inline uint32_t
meet_eight(const trvi_rows *r, const eight *box, uint32_t j, uint32_t *in_s)
{
    const __m256i flags = _mm256_set1_epi32(TRVI_TAG_FLAGS);
    __m256 s = _mm256_cmp_ps(_mm256_loadu_ps(r->lower_s + j), box->last_s, _CMP_LE_OQ);
    __m256 u =
        _mm256_and_ps(_mm256_cmp_ps(_mm256_loadu_ps(r->lower_u + j), box->last_u, _CMP_LE_OQ),
                      _mm256_cmp_ps(_mm256_loadu_ps(r->upper_u + j), box->first_u, _CMP_GE_OQ));
    __m256 v =
        _mm256_and_ps(_mm256_cmp_ps(_mm256_loadu_ps(r->lower_v + j), box->last_v, _CMP_LE_OQ),
                      _mm256_cmp_ps(_mm256_loadu_ps(r->upper_v + j), box->first_v, _CMP_GE_OQ));
    __m256i tags = _mm256_loadu_si256((const __m256i *)(const void *)(r->tag + j));
    __m256i both = _mm256_and_si256(_mm256_or_si256(tags, box->tag), flags);
    __m256 all = _mm256_castsi256_ps(_mm256_cmpeq_epi32(both, flags));
    *in_s = (uint32_t)_mm256_movemask_ps(s);
    return (uint32_t)_mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(s, u), _mm256_and_ps(v, all)));
}

// The first hit is written whether there is one or not: most blocks have one or none.
__attribute__((target("avx2"))) static uint32_t
sweep_eight(const trvi_rows *r, trvi_place *place, uint32_t last, uint32_t end, trvi_hit *hits)
{
    uint32_t count = 0, i = place->i, j = place->j;
    while (i < last) {
        uint32_t tag = r->tag[i];
        eight box = {_mm256_set1_ps(r->upper_s[i]), _mm256_set1_ps(r->lower_u[i]),
                     _mm256_set1_ps(r->upper_u[i]), _mm256_set1_ps(r->lower_v[i]),
                     _mm256_set1_ps(r->upper_v[i]), _mm256_set1_epi32((int)tag)};
        while (j < end) {
            if (count > TRVI_HITS - TRVI_WIDEST) {
                *place = (trvi_place){i, j};
                return count;
            }
            uint32_t in_s, bits = meet_eight(r, &box, j, &in_s);
            if (end - j < 8)
                bits &= (1u << (end - j)) - 1;
            hits[count] = (trvi_hit){tag, r->tag[j + (uint32_t)__builtin_ctz(bits | 128)]};
            count += bits != 0;
            for (bits &= bits - 1; bits != 0; bits &= bits - 1)
                hits[count++] = (trvi_hit){tag, r->tag[j + (uint32_t)__builtin_ctz(bits)]};
            if (!(in_s >> 7) || end - j <= 8)
                break;
            j += 8;
        }
        i++;
        j = i + 1;
    }
    *place = (trvi_place){i, j};
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
