// Two boxes on one another's faces: the commonest contact of all, without a detour.
//
// The decisions are those of manifold.c, made from the gaps that the 15 axes have told already, and
// the sides of a box cut along the axes of its face. Whatever is not clearly a face contact is left
// to manifold.c.
// Invariant: where it answers, the normal and the deepest separation are what manifold.c gives.
// Based on: Gregorius 2015, "Robust Contact Creation for Physics Simulations".
#include "box_contact.h"

#include "facing.h"
#include "patch.h"

// The face of one box that looks at the other.
typedef struct box_face {
    uint32_t face;
    double area;    // a quarter of it
    double cosine;  // between its normal and the axis
    double weight;  // as in facing.h
    trvi_dvec3 out; // in the box's own frame
} box_face;

// `n` is the axis in the box's frame, pointing out of it; `gaps` are those along its normals, and
// `places` where the other box's centre is along them.
static box_face face_towards(const trvi_view *box, trvi_dvec3 n, const double gaps[3],
                             const double places[3], double gap, double size)
{
    const double c[3] = {n.x, n.y, n.z}, h[3] = {box->half.x, box->half.y, box->half.z};
    uint32_t k = fabs(c[1]) > fabs(c[0]) ? 1 : 0;
    k = fabs(c[2]) > fabs(c[k]) ? 2 : k;
    bool positive = c[k] > 0.0;
    double sign = positive ? 1.0 : -1.0;
    box_face f;
    f.face = 2 * k + (positive ? 1 : 0);
    f.area = h[k == 0 ? 1 : 0] * h[k == 2 ? 1 : 2];
    f.cosine = fabs(c[k]);
    f.out = (trvi_dvec3){k == 0 ? sign : 0.0, k == 1 ? sign : 0.0, k == 2 ? sign : 0.0};
    // Along the normal that looks away from the other's centre the gap is less by twice the way
    // there.
    double along = gaps[k] - (places[k] * sign < 0.0 ? 2.0 * fabs(places[k]) : 0.0);
    f.weight = trvi_facing_weight(1.0 - f.cosine, gap - along, size, true);
    return f;
}

// The cosine between A's face and B's, where they look at one another.
static double flatness(const trvi_couple *couple, const box_face *a, const box_face *b)
{
    double cosine = couple->rotation.m[a->face / 2][b->face / 2];
    return a->face % 2 == b->face % 2 ? -cosine : cosine;
}

bool trvi_box_contact(const trvi_couple *couple, const trvi_box_gaps *gaps, const trvi_axis *axis,
                      double margin, trv_manifold *out)
{
    const double places[2][3] = {{couple->offset.x, couple->offset.y, couple->offset.z},
                                 {-gaps->place[0], -gaps->place[1], -gaps->place[2]}};
    trvi_dvec3 in_b = trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, axis->normal));
    double size = couple->size;
    box_face a = face_towards(&couple->a, axis->normal, gaps->a, places[0], axis->gap, size);
    box_face b = face_towards(&couple->b, in_b, gaps->b, places[1], axis->gap, size);
    bool on_b = trvi_prefer_b(couple, a.area, b.area, a.out);
    const box_face *lead = on_b ? &b : &a, *other = on_b ? &a : &b;
    if (!(lead->weight >= 1.0)) {
        // The other face may carry the contact where the leading one has no say at all.
        if (lead->weight > 0.0 || !(other->weight >= 1.0) ||
            flatness(couple, &a, &b) >= TRVI_PATCH_COSINE)
            return false;
        on_b = !on_b;
        lead = other;
    }
    trvi_patch patch;
    trvi_patch_lay_boxes(couple, places[on_b ? 1 : 0], lead->face, on_b, &patch);
    if (!trvi_patch_shows(couple, axis, &patch))
        return false;
    out->normal = trvi_vec3_from_double(on_b ? trvi_dnegate(patch.world_out) : patch.world_out);
    trvi_patch_points(couple, &patch, margin, out);
    return out->count > 0;
}
