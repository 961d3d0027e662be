// What radix sorts need: floats as integers that sort alike, and places from counts.
#ifndef TRVI_SORT_KEY_H
#define TRVI_SORT_KEY_H

#include <string.h>

#include "base.h"

// A key that sorts as the value does; both zeros get the same one. NaN has no place here.
static inline uint32_t trvi_sort_key_of_float(float value)
{
    uint32_t bits;
    value += 0.0f; // -0 becomes +0
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | UINT32_C(0x80000000);
}

static inline float trvi_float_of_sort_key(uint32_t key)
{
    float value;
    uint32_t bits = key >> 31 ? key & UINT32_C(0x7FFFFFFF) : ~key;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// From how many there are of each, where each begins when they lie one after the other. Returns how
// many there are in all, which must fit.
static inline uint32_t trvi_starts_of_counts(uint32_t *counts, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = counts[i];
        counts[i] = sum;
        sum += own;
    }
    return sum;
}

#endif
