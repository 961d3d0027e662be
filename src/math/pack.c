// Packing of arrays for saves: like items mostly differ in a few words.
//
// The first items stand as they are. All others are taken as one row of 32-bit words, eight at a
// time: each is compared with the word that lies a fixed way before it, in an earlier item. A mask
// tells which differ, and only those are kept. Masks and words go in blocks, the masks first. What is
// less than eight words at the end stands as it is; then come zeros, no fewer than may be read too
// far.
//
// Invariant: the way back is a multiple of 32 bytes, so that unpacking eight words never waits for
// some of them; the bytes are the same however many words are handled at once.
#include "pack.h"

#include <string.h>

#include "lanes.h"

#if defined(TRVI_CAN_EIGHT)
#include <immintrin.h>
#endif

enum {
    OCT = 8,            // words
    OCTS_IN_BLOCK = 64, // a multiple of four, so that words begin where words may
    OCT_BYTES = 32,
    KEPT = 0x80, // the sign of a place in `spread`
    END = 32     // zeros at least: as far as the eight words reach that begin with the last one
};

static bool can(uint32_t kind)
{
#if defined(TRVI_CAN_EIGHT)
    if (kind == 1)
        return __builtin_cpu_supports("avx2");
    if (kind == 2)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx2");
#endif
    return kind == 0;
}

bool trvi_packing_at(uint32_t kind, trvi_packing *packing)
{
    static const uint32_t at_once[] = {1, 8, 16};
    if (!can(kind))
        return false;
    packing->at_once = at_once[kind];
    for (uint32_t mask = 0; kind > 0 && mask < 256; mask++) {
        uint32_t count = 0;
        memset(packing->packed[mask], 0, OCT);
        for (uint32_t i = 0; i < OCT; i++) {
            bool kept = mask >> i & 1u;
            packing->spread[mask][i] = (uint8_t)(kept ? count | KEPT : 0);
            if (kept)
                packing->packed[mask][count++] = (uint8_t)i;
        }
    }
    return true;
}

void trvi_packing_begin(trvi_packing *packing)
{
    for (uint32_t kind = 2; !trvi_packing_at(kind, packing); kind--) // 0 runs everywhere
        continue;
}

#if defined(TRVI_CAN_EIGHT)

__attribute__((target("avx2,popcnt"))) static char *pack_eight(const trvi_packing *packing,
                                                               uint8_t *masks, char *to,
                                                               const char *words, size_t back,
                                                               uint32_t octs)
{
    for (uint32_t k = 0; k < octs; k++, words += OCT_BYTES) {
        __m256i now = _mm256_loadu_si256((const __m256i *)(const void *)words);
        __m256i before = _mm256_loadu_si256((const __m256i *)(const void *)(words - back));
        __m256i same = _mm256_cmpeq_epi32(now, before);
        uint32_t mask = 255u ^ (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(same));
        __m128i places = _mm_loadl_epi64((const __m128i *)(const void *)packing->packed[mask]);
        now = _mm256_permutevar8x32_epi32(now, _mm256_cvtepu8_epi32(places));
        _mm256_storeu_si256((__m256i *)(void *)to, now);
        masks[k] = (uint8_t)mask;
        to += 4 * (uint32_t)__builtin_popcount(mask);
    }
    return to;
}

__attribute__((target("avx2,popcnt"))) static const char *
unpack_eight(const trvi_packing *packing, const uint8_t *masks, const char *from, char *words,
             size_t back, uint32_t octs)
{
    for (uint32_t k = 0; k < octs; k++, words += OCT_BYTES) {
        uint32_t mask = masks[k];
        __m256 before = _mm256_loadu_ps((const float *)(const void *)(words - back));
        __m256i kept = _mm256_loadu_si256((const __m256i *)(const void *)from);
        __m128i places = _mm_loadl_epi64((const __m128i *)(const void *)packing->spread[mask]);
        __m256i to = _mm256_cvtepi8_epi32(places); // with the sign in all the bits above
        __m256 spread = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(kept, to));
        spread = _mm256_blendv_ps(before, spread, _mm256_castsi256_ps(to));
        _mm256_storeu_ps((float *)(void *)words, spread);
        from += 4 * (uint32_t)__builtin_popcount(mask);
    }
    return from;
}

// Two octs at a time; what is odd goes by eight. Unpacking gains nothing by that: each step waits for
// the count of the one before.
__attribute__((target("avx512f,popcnt"))) static char *pack_sixteen(const trvi_packing *packing,
                                                                    uint8_t *masks, char *to,
                                                                    const char *words, size_t back,
                                                                    uint32_t octs)
{
    uint32_t k = 0;
    for (; k + 2 <= octs; k += 2, words += 2 * OCT_BYTES) {
        trvi_prefetch_ahead(words);
        __m512i now = _mm512_loadu_si512(words);
        __m512i before = _mm512_loadu_si512(words - back);
        uint16_t mask = (uint16_t)_mm512_cmpneq_epi32_mask(now, before);
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(mask, now));
        memcpy(masks + k, &mask, sizeof mask);
        to += 4 * (uint32_t)__builtin_popcount(mask);
    }
    return pack_eight(packing, masks + k, to, words, back, octs - k);
}

#endif

// As pack_eight, in plain C.
static char *pack_one(uint8_t *masks, char *to, const char *words, size_t back, uint32_t octs)
{
    for (uint32_t k = 0; k < octs; k++) {
        uint32_t mask = 0;
        for (uint32_t i = 0; i < OCT; i++, words += 4) {
            uint32_t now, before;
            memcpy(&now, words, 4);
            memcpy(&before, words - back, 4);
            memcpy(to, &now, 4);
            to += now != before ? 4 : 0;
            mask |= (uint32_t)(now != before) << i;
        }
        masks[k] = (uint8_t)mask;
    }
    return to;
}

static const char *unpack_one(const uint8_t *masks, const char *from, char *words, size_t back,
                              uint32_t octs)
{
    for (uint32_t k = 0; k < octs; k++) {
        for (uint32_t i = 0; i < OCT; i++, words += 4) {
            bool kept = masks[k] >> i & 1u;
            memmove(words, kept ? from : words - back, 4);
            from += kept ? 4 : 0;
        }
    }
    return from;
}

// Bytes from a word back to the one it is compared with.
static size_t way_back(uint32_t stride)
{
    size_t back = stride;
    for (int i = 0; i < 3 && back % OCT_BYTES != 0; i++) // 32 is eight times four
        back *= 2;
    return back;
}

_Static_assert((int)END == (int)TRVI_SUM_STRIDE, "aligned parts are rounded");

static size_t rounded(size_t size)
{
    return (size + END - 1) / END * END;
}

size_t trvi_pack_most(size_t size)
{
    size_t masks = size / OCT_BYTES + sizeof(uint32_t);
    return rounded(size + masks) + END;
}

// The masks of a block, filled up to whole words.
static uint32_t mask_bytes(uint32_t octs)
{
    return (octs + 3) / 4 * 4;
}

static uint32_t octs_at(size_t left)
{
    return left / OCT_BYTES < OCTS_IN_BLOCK ? (uint32_t)(left / OCT_BYTES) : OCTS_IN_BLOCK;
}

// As many words at once as the processor can.
static char *pack_octs(const trvi_packing *packing, uint8_t *masks, char *to, const char *words,
                       size_t back, uint32_t octs)
{
    (void)packing;
#if defined(TRVI_CAN_EIGHT)
    if (packing->at_once > OCT)
        return pack_sixteen(packing, masks, to, words, back, octs);
    if (packing->at_once == OCT)
        return pack_eight(packing, masks, to, words, back, octs);
#endif
    return pack_one(masks, to, words, back, octs);
}

void trvi_pack(const trvi_packing *packing, trvi_writer *writer, const void *items, size_t size,
               uint32_t stride)
{
    static const char zeros[END] = {0};
    const char *words = items, *first = writer->at;
    TRVI_ASSERT(stride > 0 && stride % 4 == 0);
    size_t back = way_back(stride), at = size < back ? size : back;
    if (size == 0)
        return;
    trvi_writer_put(writer, words, at);
    for (uint32_t octs; (octs = octs_at(size - at)) > 0; at += (size_t)octs * OCT_BYTES) {
        char *to = writer->at;
        uint8_t *masks = (uint8_t *)to;
        to += mask_bytes(octs);
        memset(to - 4, 0, 4);
        trvi_writer_take(writer, pack_octs(packing, masks, to, words + at, back, octs));
    }
    trvi_writer_put(writer, words + at, size - at);
    trvi_writer_align(writer, first);
    trvi_writer_put(writer, zeros, END);
}

const char *trvi_unpack(const trvi_packing *packing, void *items, size_t size, uint32_t stride,
                        const char *from)
{
    const char *first = from;
    char *words = items;
    (void)packing;
    size_t back = way_back(stride), at = size < back ? size : back;
    if (size == 0)
        return from;
    memcpy(words, from, at);
    from += at;
    for (uint32_t octs; (octs = octs_at(size - at)) > 0; at += (size_t)octs * OCT_BYTES) {
        const uint8_t *masks = (const uint8_t *)from;
        from += mask_bytes(octs);
#if defined(TRVI_CAN_EIGHT)
        if (packing->at_once >= OCT) {
            from = unpack_eight(packing, masks, from, words + at, back, octs);
            continue;
        }
#endif
        from = unpack_one(masks, from, words + at, back, octs);
    }
    memcpy(words + at, from, size - at);
    from += size - at;
    return first + rounded((size_t)(from - first)) + END;
}
