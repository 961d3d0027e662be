// Two boxes on one another's faces, or across each other's edges: the commonest contacts of all,
// without a detour.
//
// The decisions are those of manifold.c, made from the gaps that the 15 axes have told already; the
// points are those of box_patch.c. Whatever is not clearly a face contact is left to manifold.c.
// Invariant: where it answers, the normal and the deepest separation are what manifold.c gives.
// Based on: Gregorius 2015, "Robust Contact Creation for Physics Simulations".
#include "box_contact.h"

#include "box_patch.h"
#include "facing.h"
#include "patch.h"

// The face of one box that looks at the other.
typedef struct box_face {
    uint32_t axis;
    double cosine; // between its normal and the axis of nearness
    double sign;   // of its normal in the box's own frame
} box_face;

// `n` is the axis in the box's frame, pointing out of it: three numbers.
static inline box_face face_towards(const double *n)
{
    uint32_t k = fabs(n[1]) > fabs(n[0]) ? 1 : 0;
    k = fabs(n[2]) > fabs(n[k]) ? 2 : k;
    return (box_face){k, fabs(n[k]), n[k] > 0.0 ? 1.0 : -1.0};
}

// A quarter of it.
static inline double area_of(const trvi_view *box, const box_face *f)
{
    const trvi_dvec3 *h = &box->half;
    return f->axis == 0 ? h->y * h->z : f->axis == 1 ? h->x * h->z : h->x * h->y;
}

// As in facing.h. `along` is the gap along the face's normal, or against it, and `place` where the
// other box's centre is.
static inline double weight_of(const box_face *f, double along, double place, double gap,
                               double size)
{
    // Along the normal that looks away from the other's centre the gap is less by twice the way
    // there.
    if (place * f->sign < 0.0)
        along -= 2.0 * fabs(place);
    return trvi_facing_weight(1.0 - f->cosine, gap - along, size, true);
}

// The cosine between A's face and B's, where they look at one another.
static double flatness(const trvi_couple *couple, const box_face *a, const box_face *b)
{
    return -a->sign * b->sign * couple->rotation.m[a->axis][b->axis];
}

bool trvi_box_contact(const trvi_couple *couple, const trvi_box_gaps *gaps, const trvi_axis *axis,
                      double margin, trv_manifold *out)
{
    const double *places_of_b = &couple->offset.x;
    const double places_of_a[3] = {-gaps->place[0], -gaps->place[1], -gaps->place[2]};
    box_face a = face_towards(&axis->normal.x), b = face_towards(&gaps->back.x);
    trvi_dvec3 out_of_a = {a.axis == 0 ? a.sign : 0.0, a.axis == 1 ? a.sign : 0.0,
                           a.axis == 2 ? a.sign : 0.0};
    double size = couple->size, gap = axis->gap;
    double of_a = weight_of(&a, gaps->a[a.axis], places_of_b[a.axis], gap, size);
    double of_b = weight_of(&b, gaps->b[b.axis], places_of_a[b.axis], gap, size);
    bool on_b = trvi_prefer_b(couple, area_of(&couple->a, &a), area_of(&couple->b, &b), out_of_a);
    if (!((on_b ? of_b : of_a) >= 1.0)) {
        // The other face may carry the contact where the leading one has no say at all.
        if ((on_b ? of_b : of_a) > 0.0 || !((on_b ? of_a : of_b) >= 1.0) ||
            flatness(couple, &a, &b) >= TRVI_PATCH_COSINE)
            return false;
        on_b = !on_b;
    }
    const box_face *lead = on_b ? &b : &a;
    uint32_t face = 2 * lead->axis + (lead->sign > 0.0 ? 1 : 0);
    return trvi_box_patch(couple, on_b ? places_of_a : places_of_b, face, on_b, gap, margin, out);
}

// The cosine between a direction, in the frame of a box, and the normal of the box's face that looks
// there.
static inline double cosine_of(trvi_dvec3 d)
{
    return trvi_dmax(trvi_dmax(fabs(d.x), fabs(d.y)), fabs(d.z));
}

// Where both faces lean by so much, the two edges are the only ones at right angles to the axis:
// unless they run side by side, nothing shares more than a point.
bool trvi_box_crossing(const trvi_couple *couple, const trvi_box_gaps *gaps,
                       const trvi_nearest *nearest, trv_manifold *out)
{
    const trvi_axis *axis = &nearest->axis;
    double of_a = cosine_of(axis->normal), of_b = cosine_of(gaps->back), size = couple->size;
    if (gaps->edge_a < 0 || trvi_facing_weight(1.0 - of_a, 0.0, size, true) > 0.0 ||
        trvi_facing_weight(1.0 - of_b, 0.0, size, true) > 0.0 ||
        trvi_dmin(of_a, of_b) >= TRVI_PATCH_COSINE ||
        fabs(couple->rotation.m[gaps->edge_a][gaps->edge_b]) >= TRVI_FACE_COSINE)
        return false;
    trvi_dvec3 middle = trvi_half_way(couple, axis->normal, nearest->on_a, nearest->on_b);
    out->normal = trvi_vec3_from_double(trvi_dmat3_mul(&couple->a.rotation, axis->normal));
    trvi_manifold_add(out, &middle, axis->gap, TRVI_NAME_NONE);
    return true;
}
