// What a body with many contacts bears on, for seam.c: of which of them is one contact to be asked whether it
// is a seam of their surface?
#ifndef TRVI_GROUNDS_H
#define TRVI_GROUNDS_H

#include "impact_data.h"

// One contact as seen from the body that bears on the other side.
typedef struct trvi_bearing {
    trv_vec3 normal; // away from the support
    trv_vec3 level;  // its deepest point, on the support's surface
    float deepest;
    uint32_t support;
    bool support_is_a;
} trvi_bearing;

static inline trvi_bearing trvi_see(const trvi_contact *contact, uint32_t bearer)
{
    const trv_manifold *m = &contact->manifold;
    bool support_is_a = contact->body_b == bearer;
    const trv_manifold_point *p = &m->points[trvi_deepest_of(m)];
    trvi_bearing seen = {.normal = support_is_a ? m->normal : trvi_negate(m->normal),
                         .deepest = p->separation,
                         .support = support_is_a ? contact->body_a : contact->body_b,
                         .support_is_a = support_is_a};
    seen.level = trvi_mul_add(p->point, seen.normal, -0.5f * p->separation);
    return seen;
}

// The shape of a body that has part in a contact of it.
static inline uint32_t trvi_shape_in(const trvi_contact *contact, uint32_t body)
{
    return contact->body_a == body ? contact->shape_a : contact->shape_b;
}

// Can it show a surface that bears somebody?
static inline bool trvi_is_ground(const trvi_contact *contact)
{
    return (contact->flags & TRVI_CONTACT_ACTIVE) && contact->manifold.count > 0;
}

// What another contact has to be like to show the surface that one, which is asked about, lies in.
typedef struct trvi_wanted {
    trv_vec3 normal;                      // of the one that is asked about: not parallel to this
    trv_vec3 points[TRV_MANIFOLD_POINTS]; // all of these lie in it, from its centre of mass; m
    uint32_t count;
    float slack;    // so high over it, m; and so far below it, beyond its depth
    uint32_t shape; // of the bearer, or TRVI_NONE: any
} trvi_wanted;

// A body whose grounds are listed.
typedef struct trvi_crowd {
    uint32_t body;
    uint32_t first, count;       // of world->grounds
    uint32_t first_node, leaves; // of world->ground_nodes
    float far;                   // none is farther from its centre of mass, m
} trvi_crowd;

// Lists those of the bodies in world->crowds. False where there
// is no memory for it.
bool trvi_grounds_list(trv_world *world);

// True stops the search.
typedef bool trvi_ground_fn(const void *context, uint32_t contact);

// Calls the function for all contacts of the body that are as wanted, and maybe for others of it, until it
// says true; and says what it did last.
bool trvi_any_ground(const trv_world *world, const trvi_crowd *crowd, const trvi_wanted *wanted,
                     trvi_ground_fn *fn, const void *context);

#endif
