// A turned box whose sides bulge by hardly more than what is flat: the tops of its united sides are
// plateaus of several faces, and some of these have dents.
#ifndef TEST_PILLOW_H
#define TEST_PILLOW_H

#include "support.h"

enum { PILLOW_POINTS = 900 };

static inline void make_pillow(uint64_t seed, trv_vec3 *points)
{
    test_random random = {seed};
    trv_quat turn = random_quat(&random);
    float bulge = random_float(&random, 0.8e-5f, 4.0e-5f);
    for (uint32_t i = 0; i < PILLOW_POINTS; i++) {
        float left = random_float(&random, -1.0f, 1.0f), right = random_float(&random, -1.0f, 1.0f);
        float v[3], out = 1.0f - bulge * (left * left + right * right);
        v[i % 3] = i % 6 < 3 ? out : -out;
        v[(i + 1) % 3] = left;
        v[(i + 2) % 3] = right;
        points[i] = trv_rotate(turn, (trv_vec3){v[0], v[1], v[2]});
    }
}

#endif
