// quick_hulls.c once more, for processors that have AVX: which one it is shows when the program
// runs.
#include "base.h"

#if defined(TRVI_CAN_EIGHT)

// What the system has is compiled as always.
#include <float.h>
#include <immintrin.h>
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

TRVI_EIGHT_BEGIN
#define TRVI_TWIN_EIGHT
#include "quick_hulls.c"
TRVI_EIGHT_END

#else

typedef int trvi_no_eight; // a file has to hold something

#endif
