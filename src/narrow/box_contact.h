// Contact points of two boxes, where one of their faces carries the contact.
#ifndef TRVI_BOX_CONTACT_H
#define TRVI_BOX_CONTACT_H

#include "nearest.h"

// What trvi_manifold_make gives for two boxes, straight from their half extents (the couple need
// not be filled). False where no face alone gives the normal: `out` then has no points.
TRVI_JOINED bool trvi_box_contact(const trvi_couple *couple, const trvi_box_gaps *gaps,
                                  const trvi_axis *axis, double margin, trv_manifold *out);

// The same where edges carry the contact, whose nearest points are `nearest`, and no face has a say
// in it: one point between them. False where a face may have.
TRVI_JOINED bool trvi_box_crossing(const trvi_couple *couple, const trvi_box_gaps *gaps,
                                   const trvi_nearest *nearest, trv_manifold *out);

#endif
