// touch.c and what it stands on once more, for processors that have AVX: which one it is shows when
// the program runs. The sums are the same ones; with three operands to an instruction, a good tenth
// of the instructions, which were moves, is not needed.
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

// Nothing else knows of what is joined here, and what is called from one place becomes one with it.
#undef TRVI_JOINED
#define TRVI_JOINED static __attribute__((unused))
#define trvi_touch  trvi_touch_eight
#define TRVI_DFOUR_WIDE

TRVI_EIGHT_BEGIN
#include "backing.c"
#include "box_contact.c"
#include "box_patch.c"
#include "boxes.c"
#include "carry.c"
#include "clip.c"
#include "manifold.c"
#include "patch.c"
#include "roll.c"
#include "side.c"
#include "touch.c"
TRVI_EIGHT_END

#else

typedef int trvi_no_touch_eight; // a file has to hold something

#endif
