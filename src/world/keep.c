// Points that carry load stay in a contact's manifold.
//
// Where two faces share an outline of more corners than a manifold has room for, the narrowphase
// chooses four by where the shapes are. What trembles would be held by others in each step: the
// corner that is left out sinks in until it is chosen, another one is left out instead, the tremor
// feeds on that, and friction lets go with each exchange. So a point at which friction held, and at
// which both surfaces still are together, joins the new choice; the highest one goes for it.
//
// Invariant: a new point is left out only where none of those that stay is higher by more than
// TRVI_KEEP of the smaller extent.
//
// Based on: the lasting manifolds of Bullet's collision detection, E. Coumans (2005).
#include "world_data.h"

static bool has_feature(const trv_manifold *manifold, uint32_t feature)
{
    for (uint32_t i = 0; i < manifold->count; i++)
        if (manifold->points[i].feature == feature)
            return true;
    return false;
}

// What goes by another name now is there already.
static bool has_point_near(const trv_manifold *manifold, trv_vec3 point, float reach)
{
    for (uint32_t i = 0; i < manifold->count; i++) {
        trv_vec3 d = trvi_sub(manifold->points[i].point, point);
        if (trvi_dot(d, d) <= reach * reach)
            return true;
    }
    return false;
}

static bool was_loaded(const trvi_contact *contact, const trv_manifold *before, uint32_t feature)
{
    for (uint32_t i = 0; i < before->count; i++)
        if (before->points[i].feature == feature)
            return contact->impulses[i].normal > 0.0f;
    return false;
}

// What is missed least without it: the highest, where those that carry load count as lower by
// `keep`.
static uint32_t least_worth(const trvi_contact *contact, const trv_manifold *before, float keep,
                            float *height)
{
    const trv_manifold *now = &contact->manifold;
    uint32_t least = 0;
    *height = -HUGE_VALF;
    for (uint32_t i = 0; i < now->count; i++) {
        const trv_manifold_point *point = &now->points[i];
        float at = point->separation;
        if (was_loaded(contact, before, point->feature))
            at -= keep;
        if (!(at > *height))
            continue;
        *height = at;
        least = i;
    }
    return least;
}

static void join(trvi_contact *contact, const trv_manifold *before, const trv_manifold_point *point,
                 float keep)
{
    trv_manifold *now = &contact->manifold;
    if (now->count < TRV_MANIFOLD_POINTS) {
        now->points[now->count++] = *point;
        return;
    }
    float height;
    uint32_t least = least_worth(contact, before, keep, &height);
    if (height > point->separation - keep)
        now->points[least] = *point;
}

void trvi_keep_points(trvi_contact *contact, const trvi_point_step *points,
                      const trv_manifold *before, float extent)
{
    trv_manifold *now = &contact->manifold;
    float reach = TRVI_ANCHOR_REACH * extent, keep = TRVI_KEEP * extent;
    if (now->count < 2 || (contact->flags & TRVI_CONTACT_SURFACE))
        return;
    for (uint32_t j = 0; j < before->count; j++) {
        trv_vec3 drift = points[j].drift;
        trv_manifold_point point = before->points[j];
        point.separation = trvi_dot(drift, now->normal);
        trv_vec3 aside = trvi_mul_add(drift, now->normal, -point.separation);
        if (!(contact->impulses[j].normal > 0.0f) || trvi_slides_at(contact, j) ||
            point.separation > keep || trvi_dot(aside, aside) > reach * reach ||
            has_feature(now, point.feature) || has_point_near(now, point.point, reach))
            continue;
        join(contact, before, &point, keep);
    }
}
