// From double to float32 in a chosen direction, for boxes that have to contain what they bound.
#ifndef TRVI_ROUNDING_H
#define TRVI_ROUNDING_H

#include "mesh.h"

#include "math/math.h"

// The largest float32 that is not above x.
static inline float trvi_round_down(double x)
{
    float rounded = (float)x;
    return rounded > x ? nextafterf(rounded, -HUGE_VALF) : rounded;
}

// The smallest float32 that is not below x.
static inline float trvi_round_up(double x)
{
    float rounded = (float)x;
    return rounded < x ? nextafterf(rounded, HUGE_VALF) : rounded;
}

#endif
