// Floats as integers that sort alike, for radix sorts.
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

#endif
