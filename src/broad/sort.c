// Sorting 64-bit keys: by radix from the least significant digit, in time that does not depend on
// the keys, and stably, so that an order that is nearly right already stays so among equal digits.
//
// Based on: Pierre Terdiman, "Radix Sort Revisited", 2000.
#include "broad_data.h"

#include <string.h>

enum {
    MIN_DIGIT_BITS = 9,
    MAX_DIGIT_BITS = 14,
    MANY_KEYS = 1 << 17, // more than near caches hold; writing to too many places takes longer then
    MAX_DIGIT_BITS_OF_MANY = 12,
    INSERTION_COUNT = 48,
    STEPS_PER_KEY = 2 // that insertion may take after upper bits were sorted
};

uint32_t trvi_bit_width(uint32_t value)
{
    uint32_t width = 0;
    for (; value != 0; value >>= 1)
        width++;
    return width;
}

static void insertion_sort(uint64_t *keys, uint32_t count, uint64_t mask)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        uint32_t j = i;
        for (; j > 0 && (keys[j - 1] & mask) > (key & mask); j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

// One pass; false when all keys have the same digit, and nothing was written.
static bool sort_digit(const uint64_t *from, uint64_t *to, uint32_t count, uint32_t shift,
                       uint32_t digit_bits)
{
    uint32_t place[1 << MAX_DIGIT_BITS];
    uint32_t buckets = (uint32_t)1 << digit_bits;
    uint64_t mask = buckets - 1;
    memset(place, 0, buckets * sizeof *place);
    for (uint32_t i = 0; i < count; i++)
        place[(from[i] >> shift) & mask]++;
    if (place[(from[0] >> shift) & mask] == count)
        return false;
    trvi_starts_of_counts(place, buckets);
    for (uint32_t i = 0; i < count; i++)
        to[place[(from[i] >> shift) & mask]++] = from[i];
    return true;
}

// The most bits of a digit. One of as many values as there are keys costs no more than going through
// the keys once more.
static uint32_t digit_bits_of(uint32_t count)
{
    uint32_t most = trvi_bit_width(count) - 1;
    uint32_t limit = count < MANY_KEYS ? MAX_DIGIT_BITS : MAX_DIGIT_BITS_OF_MANY;
    return most < MIN_DIGIT_BITS ? MIN_DIGIT_BITS : most > limit ? limit : most;
}

uint64_t *trvi_sort_bits(uint64_t *keys, uint64_t *spare, uint32_t count, uint32_t first,
                         uint32_t bits)
{
    if (count < 2 || bits == 0)
        return keys;
    if (count <= INSERTION_COUNT) {
        insertion_sort(keys, count,
                       (bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1) << first);
        return keys;
    }
    uint32_t most = digit_bits_of(count), passes = (bits + most - 1) / most;
    uint32_t digit_bits = (bits + passes - 1) / passes;
    for (uint32_t done = 0; done < bits; done += digit_bits) {
        uint32_t width = bits - done < digit_bits ? bits - done : digit_bits;
        if (sort_digit(keys, spare, count, first + done, width)) {
            uint64_t *sorted = spare;
            spare = keys;
            keys = sorted;
        }
    }
    return keys;
}

// By insertion; false where that takes more than so many steps for each key. Then they are in any
// order.
static bool sort_few(uint64_t *keys, uint32_t count)
{
    uint64_t steps = (uint64_t)count * STEPS_PER_KEY;
    for (uint32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        uint32_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
        if (i - j > steps)
            return false;
        steps -= i - j;
    }
    return true;
}

uint64_t *trvi_sort_keys(uint64_t *keys, uint64_t *spare, uint32_t count, uint32_t bits)
{
    // Two digits tell keys apart but for one in as many as there are, were they spread evenly.
    const uint32_t upper = 2 * digit_bits_of(count);
    if (count <= INSERTION_COUNT || upper >= bits)
        return trvi_sort_bits(keys, spare, count, 0, bits);
    uint64_t *sorted = trvi_sort_bits(keys, spare, count, bits - upper, upper);
    if (!sort_few(sorted, count))
        sorted = trvi_sort_bits(sorted, sorted == keys ? spare : keys, count, 0, bits);
    return sorted;
}
