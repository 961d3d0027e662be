// A radix sort, least significant byte first.
//
// Invariant: each pass is stable, so after pass k the order is by the low k bytes of the key.
// Based on: Knuth 1998, "The Art of Computer Programming", volume 3, section 5.2.5.
#include "sort.h"

#include <string.h>

#include "math/math.h"

// One pass over the byte at `shift`; false where all keys agree in it and nothing moved.
static bool sort_byte(const uint32_t *order, uint32_t *sorted, uint32_t count, const uint32_t *keys,
                      uint32_t shift)
{
    uint32_t starts[256] = {0};
    for (uint32_t i = 0; i < count; ++i)
        starts[keys[order[i]] >> shift & 255]++;
    if (starts[keys[order[0]] >> shift & 255] == count)
        return false;
    trvi_starts_of_counts(starts, 256);
    for (uint32_t i = 0; i < count; ++i)
        sorted[starts[keys[order[i]] >> shift & 255]++] = order[i];
    return true;
}

void trvi_sort_by_key(uint32_t *order, uint32_t *scratch, uint32_t count, const uint32_t *keys)
{
    if (count < 2)
        return;
    uint32_t *from = order, *to = scratch;
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        if (sort_byte(from, to, count, keys, shift)) {
            uint32_t *swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != order)
        memcpy(order, from, count * sizeof *order);
}
