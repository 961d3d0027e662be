// touch.c and what it stands on once more, for processors that have AVX: which one it is shows when
// the program runs. The sums are the same ones; with three operands to an instruction, a good tenth
// of the instructions, which were moves, is not needed.
#include "base.h"

#if defined(TRVI_CAN_EIGHT)

// What the system has is compiled as always.
#include <immintrin.h>
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Names of their own for what other files know.
#define trvi_backing_holds        trvi_backing_holds_eight
#define trvi_box_axes             trvi_box_axes_eight
#define trvi_box_contact          trvi_box_contact_eight
#define trvi_box_crossing         trvi_box_crossing_eight
#define trvi_box_nearest          trvi_box_nearest_eight
#define trvi_box_patch            trvi_box_patch_eight
#define trvi_carries_on           trvi_carries_on_eight
#define trvi_grows_on             trvi_grows_on_eight
#define trvi_carry                trvi_carry_eight
#define trvi_turn_meeting         trvi_turn_meeting_eight
#define trvi_turned_source        trvi_turned_source_eight
#define trvi_is_carried           trvi_is_carried_eight
#define trvi_manifold_make        trvi_manifold_make_eight
#define trvi_patch_lay            trvi_patch_lay_eight
#define trvi_patch_points         trvi_patch_points_eight
#define trvi_patch_shows          trvi_patch_shows_eight
#define trvi_polygon_choose_four  trvi_polygon_choose_four_eight
#define trvi_polygon_drop_nearest trvi_polygon_drop_nearest_eight
#define trvi_polygon_of_face      trvi_polygon_of_face_eight
#define trvi_polygon_shrink       trvi_polygon_shrink_eight
#define trvi_polygon_split        trvi_polygon_split_eight
#define trvi_vertex_of_corner     trvi_vertex_of_corner_eight
#define trvi_touch                trvi_touch_eight

TRVI_EIGHT_BEGIN
#include "backing.c"
#include "box_contact.c"
#include "box_patch.c"
#include "boxes.c"
#include "carry.c"
#include "clip.c"
#include "manifold.c"
#include "patch.c"
#include "touch.c"
TRVI_EIGHT_END

#else

typedef int trvi_no_touch_eight; // a file has to hold something

#endif
