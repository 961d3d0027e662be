// The passes over blocks once more, with eight lanes at once, for processors that have AVX: which
// one it is shows when the program runs.
#include "base.h"

#if defined(TRVI_CAN_EIGHT)

// What the system has is compiled as always.
#include <immintrin.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TRVI_EIGHT_BEGIN
#define TRVI_LANES_EIGHT
#include "contact_solve.c"
TRVI_EIGHT_END

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
