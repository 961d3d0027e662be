// When a face gives a contact its normal, and which of two faces leads.
#ifndef TRVI_FACING_H
#define TRVI_FACING_H

#include "view.h"

// From 1 where `value` is at most `full` to 0 where it is `none`.
static inline double trvi_fade(double value, double full, double none)
{
    return trvi_dmin(trvi_dmax((none - value) / (none - full), 0.0), 1.0);
}

// 1: the face gives the contact its normal, 0: it leans too much to have a say. `leaning` is 1
// minus the cosine between its normal and the axis of nearness, `lost` how much less the gap along
// it is. Two faces that lean against one another take turns as the direction of least overlap:
// where both shapes have faces (`two`), neither is out of reach of the other.
static inline double trvi_facing_weight(double leaning, double lost, double size, bool two)
{
    double full = 1.0 - (two ? TRVI_LEAN_COSINE : TRVI_FACE_COSINE);
    double none = 1.0 - (two ? TRVI_FAR_COSINE : TRVI_LEAN_COSINE);
    if (!(leaning < none))
        return 0.0;
    return trvi_fade(leaning, full, none) *
           trvi_fade(lost, TRVI_FACE_SLACK * size, TRVI_LEAN_SLACK * size);
}

// True where B's face leads: the larger one, and of two that are about as large the one that looks
// against a direction fixed in the world. `out_of_a` is the normal of A's face.
static inline bool trvi_prefer_b(const trvi_couple *couple, double area_a, double area_b,
                                 trvi_dvec3 out_of_a)
{
    static const trvi_dvec3 fixed = {0.36, 0.80, 0.48};
    if (fabs(area_a - area_b) > 1.0e-3 * (area_a + area_b))
        return area_b > area_a;
    return trvi_ddot(trvi_dmat3_mul(&couple->a.rotation, out_of_a), fixed) < 0.0;
}

#endif
