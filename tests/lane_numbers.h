// What tests of lanes draw: ordinary numbers, and those at which arithmetic changes its ways.
#ifndef TRV_LANE_NUMBERS_H
#define TRV_LANE_NUMBERS_H

#include "support.h"

static inline float random_lane(test_random *random)
{
    static const float edges[] = {0.0f,     -0.0f,    1.0f,      -1.0f, 1e-40f,   3.4e38f,
                                  -3.4e38f, INFINITY, -INFINITY, NAN,   1.5e-38f, 0.1f};
    uint64_t bits = random_bits(random);
    if (bits % 4 == 0)
        return edges[(bits >> 8) % (sizeof edges / sizeof *edges)];
    return random_float(random, -100.0f, 100.0f);
}

// Bit for bit, but any NaN equals any NaN: IEEE leaves its payload open.
static inline void expect_same(float got, float wanted, const char *what)
{
    if (isnan(got) && isnan(wanted))
        return;
    if (memcmp(&got, &wanted, sizeof got) != 0)
        fail_msg("%s: %.9g, wanted %.9g", what, (double)got, (double)wanted);
}

#endif
