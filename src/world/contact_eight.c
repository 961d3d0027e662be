// The passes over blocks once more, with eight lanes at once, for processors that have AVX: which
// one it is shows when the program runs.
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && !defined(TRVI_SCALAR_LANES)
#define CAN_EIGHT
#endif

#if defined(CAN_EIGHT)

// What the system has is compiled as always.
#include <immintrin.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx")
#endif
#define TRVI_LANES_EIGHT
#include "contact_solve.c"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

bool trvi_has_eight(void)
{
    return __builtin_cpu_supports("avx") != 0;
}

const trvi_passes *trvi_passes_eight(void)
{
    return &passes_eight;
}

#else

#include "solver_data.h"

bool trvi_has_eight(void)
{
    return false;
}

const trvi_passes *trvi_passes_eight(void)
{
    return &trvi_passes_four;
}

#endif
