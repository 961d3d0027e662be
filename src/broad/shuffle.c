// Taking entries out of a column, and opening gaps in it: every part goes through its entries once,
// four at a time, whose lanes are put in order by a table.
//
// Invariant: nothing outside of the blocks of the entries is read or written.
#include "kernel.h"

#include <string.h>

// By memory alone, for processors that cannot put lanes in any order.
uint32_t trvi_squeeze_one(const trvi_items *all, uint32_t from, uint32_t to, uint64_t keep,
                          uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < TRVI_ITEMS; k++) {
        const char *source = all->items[k] + (size_t)from * TRVI_ITEM;
        char *target = all->items[k] + (size_t)to * TRVI_ITEM;
        kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            memmove(target + (size_t)kept * TRVI_ITEM, source + (size_t)i * TRVI_ITEM, TRVI_ITEM);
            kept += (uint32_t)(keep >> i) & 1;
        }
    }
    return kept;
}

void trvi_spread_one(const trvi_items *all, uint32_t end, const uint32_t *gaps, uint32_t count)
{
    for (uint32_t k = 0; k < TRVI_ITEMS; k++) {
        uint32_t last = end;
        for (uint32_t n = count; n > 0; n--) {
            uint32_t first = gaps[n - 1] + 1;
            memmove(all->items[k] + (size_t)first * TRVI_ITEM,
                    all->items[k] + (size_t)(first - n) * TRVI_ITEM,
                    (size_t)(last - first) * TRVI_ITEM);
            last = gaps[n - 1];
        }
    }
}

#if defined(TRVI_CAN_EIGHT)
#include <immintrin.h>

// Of four bits, how many are set.
static const uint8_t bit_counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

// Which lanes are kept, one behind the other, a byte for each; zeros behind them.
static const uint32_t kept_lanes[16] = {
    0x00000000, 0x00000000, 0x00000001, 0x00000100, 0x00000002, 0x00000200, 0x00000201, 0x00020100,
    0x00000003, 0x00000300, 0x00000301, 0x00030100, 0x00000302, 0x00030200, 0x00030201, 0x03020100,
};

// Where lanes come from, one behind the other, between gaps, which have zeros.
static const uint32_t spread_lanes[16] = {
    0x03020100, 0x02010000, 0x02010000, 0x01000000, 0x02000100, 0x01000000, 0x01000000, 0x00000000,
    0x00020100, 0x00010000, 0x00010000, 0x00000000, 0x00000100, 0x00000000, 0x00000000, 0x00000000,
};

// Eight entries, from one place to another, with their lanes in the order of the bytes.
__attribute__((target("avx2"), always_inline)) static inline void
copy_eight(const trvi_items *all, uint32_t from, uint32_t to, uint64_t lanes)
{
    const __m256i order =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)&lanes));
    for (uint32_t k = 0; k < TRVI_ITEMS; k++) {
        const float *source =
            (const float *)(const void *)(all->items[k] + (size_t)from * TRVI_ITEM);
        float *target = (float *)(void *)(all->items[k] + (size_t)to * TRVI_ITEM);
        _mm256_storeu_ps(target, _mm256_permutevar8x32_ps(_mm256_loadu_ps(source), order));
    }
}

// The same of four.
__attribute__((target("avx2"), always_inline)) static inline void
copy_four(const trvi_items *all, uint32_t from, uint32_t to, uint32_t lanes)
{
    const __m128i order = _mm_cvtepu8_epi32(_mm_cvtsi32_si128((int)lanes));
    for (uint32_t k = 0; k < TRVI_ITEMS; k++) {
        const float *source =
            (const float *)(const void *)(all->items[k] + (size_t)from * TRVI_ITEM);
        float *target = (float *)(void *)(all->items[k] + (size_t)to * TRVI_ITEM);
        _mm_storeu_ps(target, _mm_permutevar_ps(_mm_loadu_ps(source), order));
    }
}

__attribute__((target("avx2"))) uint32_t
trvi_squeeze_eight(const trvi_items *all, uint32_t from, uint32_t to, uint64_t keep, uint32_t count)
{
    const trvi_items items = *all; // nobody writes to it
    const uint32_t first = to;
    uint32_t i = 0;
    for (; count - i > TRVI_LANES; i += count - i < 8 ? count - i : 8) {
        uint32_t low = (uint32_t)(keep >> i) & 15, high = (uint32_t)(keep >> (i + 4)) & 15;
        uint64_t upper = kept_lanes[high] + UINT32_C(0x04040404);
        copy_eight(&items, from + i, to, kept_lanes[low] | upper << (8 * bit_counts[low]));
        to += bit_counts[low] + bit_counts[high];
    }
    if (i < count) {
        uint32_t bits = (uint32_t)(keep >> i) & 15;
        copy_four(&items, from + i, to, kept_lanes[bits]);
        to += bit_counts[bits];
    }
    return to - first;
}

// The blocks of a window, of whose gaps there is a list of bits.
enum { WINDOW = 256 };

__attribute__((target("avx2"))) void trvi_spread_eight(const trvi_items *all, uint32_t end,
                                                       const uint32_t *gaps, uint32_t count)
{
    const trvi_items items = *all;
    const uint32_t stop = gaps[0] / TRVI_LANES;
    uint32_t done = (end + TRVI_LANES - 1) / TRVI_LANES; // blocks from here on are
    while (done > stop) {
        uint32_t first = done - stop > WINDOW ? done - WINDOW : stop, listed = count;
        uint8_t window[WINDOW];
        memset(window, 0, done - first);
        for (; listed > 0 && gaps[listed - 1] / TRVI_LANES >= first; listed--)
            window[gaps[listed - 1] / TRVI_LANES - first] |=
                (uint8_t)(1u << gaps[listed - 1] % TRVI_LANES);
        for (; done - first >= 2; done -= 2) {
            uint32_t low = window[done - 2 - first], high = window[done - 1 - first];
            uint32_t stay = TRVI_LANES - bit_counts[low], to = (done - 2) * TRVI_LANES;
            uint64_t upper = spread_lanes[high] + stay * UINT32_C(0x01010101);
            count -= bit_counts[low] + bit_counts[high]; // gaps in front of both blocks
            copy_eight(&items, to - count, to, spread_lanes[low] | upper << 32);
        }
        if (done > first) {
            count -= bit_counts[window[0]];
            done--;
            copy_four(&items, done * TRVI_LANES - count, done * TRVI_LANES,
                      spread_lanes[window[0]]);
        }
    }
}
#endif
