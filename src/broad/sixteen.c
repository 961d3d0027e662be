// What goes around listed entries, sixteen others at once, for processors that have AVX-512: how far
// it goes and how many are met, which cannot be foretold, costs hardly a branch there, as hits are
// put together by masks.
//
// Invariant: see kernel.c; it tells the same in the same order.
#include "broad_data.h"

#if defined(TRVI_CAN_EIGHT)
#include <immintrin.h>

#define SIXTEEN  __attribute__((target("avx512f"), always_inline)) static inline
#define FUNCTION __attribute__((target("avx512f")))

enum { LANES = 16, ALL_LANES = 0xFFFF };

SIXTEEN uint32_t bits_of(__mmask16 mask)
{
    return (uint32_t)mask;
}

SIXTEEN uint32_t count_of(uint32_t bits)
{
    return (uint32_t)__builtin_popcount(bits);
}

// The first so many lanes, up to all.
SIXTEEN __mmask16 first_lanes(uint32_t count)
{
    return (__mmask16)((1u << (count < LANES ? count : LANES)) - 1);
}

SIXTEEN __m512i load_of(const char *items, uint32_t at)
{
    return _mm512_loadu_si512(items + (size_t)at * TRVI_ITEM);
}

// The sides of one entry in all lanes.
typedef struct wide {
    __m512 lower_s, upper_s, lower_u, upper_u, lower_v, upper_v;
} wide;

SIXTEEN wide widen(const trvi_rows *r, uint32_t i)
{
    return (wide){_mm512_set1_ps(r->lower_s[i]), _mm512_set1_ps(r->upper_s[i]),
                  _mm512_set1_ps(r->lower_u[i]), _mm512_set1_ps(r->upper_u[i]),
                  _mm512_set1_ps(r->lower_v[i]), _mm512_set1_ps(r->upper_v[i])};
}

// The lanes of `among` whose sides are up to `most`; that are not below `least`.
SIXTEEN __mmask16 at_most(__mmask16 among, const float *sides, __m512 most)
{
    return _mm512_mask_cmp_ps_mask(among, _mm512_loadu_ps(sides), most, _CMP_LE_OQ);
}

SIXTEEN __mmask16 at_least(__mmask16 among, const float *sides, __m512 least)
{
    return _mm512_mask_cmp_ps_mask(among, _mm512_loadu_ps(sides), least, _CMP_GE_OQ);
}

// The first block of [start, end) that reaches up to the lower side of entry i, or one before it.
SIXTEEN uint32_t reach_back(const trvi_rows *r, uint32_t i, uint32_t start)
{
    const float lower = r->lower_s[i];
    const uint32_t first = start / TRVI_BLOCK; // where a column starts
    uint32_t block = i / TRVI_BLOCK;
    if (block >= LANES) {
        __mmask16 reaching = at_least(ALL_LANES, r->reach + block - LANES, _mm512_set1_ps(lower));
        // Above a bit that stands for what lies below.
        uint32_t others = (~bits_of(reaching) & ALL_LANES) << 1 | 1;
        uint32_t back = (uint32_t)__builtin_clz(others) - (31 - LANES), most = block - first;
        block -= back < most ? back : most;
        if (back < LANES)
            return block * TRVI_BLOCK;
    }
    while (block > first && r->reach[block - 1] >= lower)
        block--;
    return block * TRVI_BLOCK;
}

// Writes the hits with those of sixteen entries whose bits are set, and others behind them.
SIXTEEN trvi_hit *put_hits(trvi_hit *hit, __m512i own, __m512i tags, __mmask16 bits)
{
    const __m512i lower = _mm512_set_epi32(23, 0, 22, 0, 21, 0, 20, 0, 19, 0, 18, 0, 17, 0, 16, 0);
    const __m512i upper = _mm512_set_epi32(31, 0, 30, 0, 29, 0, 28, 0, 27, 0, 26, 0, 25, 0, 24, 0);
    const uint32_t count = count_of(bits_of(bits));
    const __m512i others = _mm512_maskz_compress_epi32(bits, tags);
    _mm512_storeu_si512(hit, _mm512_permutex2var_epi32(own, lower, others));
    if (count > LANES / 2)
        _mm512_storeu_si512(hit + LANES / 2, _mm512_permutex2var_epi32(own, upper, others));
    return hit + count;
}

// Tells the hits of the listed entry i with the sixteen from j on, of which so many count; returns
// behind the last one. *more: whether there may be others behind them.
SIXTEEN trvi_hit *around_lanes(const trvi_rows *r, const wide *box, uint32_t i, uint32_t j,
                               uint32_t left, trvi_hit *hit, uint32_t *more)
{
    const __m512i own = _mm512_set1_epi32((int)r->tag[i]), tags = load_of((const char *)r->tag, j);
    const __m512i lacking = _mm512_andnot_si512(own, _mm512_set1_epi32(TRVI_TAG_FLAGS));
    const __mmask16 in_s = at_most(first_lanes(left), r->lower_s + j, box->upper_s);
    __mmask16 meets = at_least(in_s, r->upper_s + j, box->lower_s);
    meets = at_most(meets, r->lower_u + j, box->upper_u);
    meets = at_least(meets, r->upper_u + j, box->lower_u);
    meets = at_most(meets, r->lower_v + j, box->upper_v);
    meets = at_least(meets, r->upper_v + j, box->lower_v);
    meets = _mm512_mask_cmpeq_epi32_mask(meets, _mm512_and_si512(tags, lacking), lacking);
    const __mmask16 touched = _mm512_test_epi32_mask(tags, _mm512_set1_epi32(TRVI_TAG_TOUCHED));
    const __mmask16 before = first_lanes(i < j ? 0 : i - j + 1);
    *more = bits_of(in_s) >> (LANES - 1);
    return put_hits(hit, own, tags, (__mmask16)(meets & ~(touched & before)));
}

// Most entries need no more than the first 32.
FUNCTION uint32_t trvi_around_sixteen(const trvi_rows *rows, trvi_place *place,
                                      const uint32_t *list, uint32_t listed, uint32_t start,
                                      uint32_t end, trvi_hit *hits)
{
    const trvi_rows r = *rows; // nobody writes to it
    trvi_hit *hit = hits, *full = hits + (TRVI_HITS - 2 * LANES);
    uint32_t at = place->i, j = place->j;
    for (; at < listed; at++, j = TRVI_FROM_REACH) {
        const uint32_t i = list[at];
        const wide box = widen(&r, i);
        uint32_t more = 1;
        for (j = j == TRVI_FROM_REACH ? reach_back(&r, i, start) : j; j < end && more;
             j += 2 * LANES) {
            if (hit > full) {
                *place = (trvi_place){at, j};
                return (uint32_t)(hit - hits);
            }
            const uint32_t left = end - j;
            hit = around_lanes(&r, &box, i, j, left, hit, &more);
            hit = around_lanes(&r, &box, i, j + LANES, left > LANES ? left - LANES : 0, hit, &more);
        }
    }
    *place = (trvi_place){at, j};
    return (uint32_t)(hit - hits);
}
#endif
