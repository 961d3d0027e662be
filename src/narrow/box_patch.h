// Contact points of two boxes on the face of one of them.
#ifndef TRVI_BOX_PATCH_H
#define TRVI_BOX_PATCH_H

#include "view.h"

// The face of A, or of B where `on_b`, gives the contact its normal. `places` is the other box's
// centre in its frame, `gap` how deep they are. False where the points do not show that depth:
// `out` then has none.
TRVI_JOINED bool trvi_box_patch(const trvi_couple *couple, const double places[3], uint32_t face,
                                bool on_b, double gap, double margin, trv_manifold *out);

#endif
