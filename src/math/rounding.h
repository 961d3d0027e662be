// From double to float32 in a chosen direction, for what has to hold as it is told: boxes contain what they
// bound, and times are not late.
#ifndef TRVI_ROUNDING_H
#define TRVI_ROUNDING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// From a float32 that x was rounded to, and that is above it, to the one before; else the same. Its bits
// are a number that grows away from zero, and zero has x's sign.
static inline float trvi_step_down(float rounded, bool steps)
{
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    bits += (uint32_t)steps * (2u * (bits >> 31) - 1u);
    memcpy(&rounded, &bits, sizeof rounded);
    return rounded;
}

// The largest float32 that is not above x.
static inline float trvi_round_down(double x)
{
    float rounded = (float)x;
    return trvi_step_down(rounded, rounded > x);
}

// The smallest float32 that is not below x.
static inline float trvi_round_up(double x)
{
    return -trvi_round_down(-x);
}

#endif
