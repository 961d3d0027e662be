// Contact of two convex shapes that are placed in one another's frame.
#ifndef TRVI_TOUCH_H
#define TRVI_TOUCH_H

#include "view.h"

// What trvi_collide_couple answers (questions.h).
trvi_answer trvi_touch(trvi_couple *couple, double margin, trv_plane_cache *cache,
                       trv_manifold *out);
#if defined(TRVI_CAN_EIGHT)
// The same, for processors that have AVX.
trvi_answer trvi_touch_eight(trvi_couple *couple, double margin, trv_plane_cache *cache,
                             trv_manifold *out);
#endif

#endif
