// How far contacts of a pair are looked for.
#ifndef TRVI_CONTACT_MARGIN_H
#define TRVI_CONTACT_MARGIN_H

#include "solver_data.h"

// The one of the two that the other stands on, as far as that can be told: a manifold is seen from
// there. Where B is, true.
static inline bool trvi_is_seen_from_b(const trvi_body *a, const trvi_body *b)
{
    return b->kind == TRV_BODY_STATIC || (a->kind != TRV_BODY_STATIC && a->extent < b->extent);
}

// What trvi_margin_along goes by where the pair is apart, in A's frame or in the world.
typedef struct trvi_plane_direction {
    trv_vec3 own;
    uint32_t steady, source;
} trvi_plane_direction;

static inline trvi_plane_direction trvi_direction_of(const trv_plane_cache *plane)
{
    return (trvi_plane_direction){plane->steady ? plane->in_world : plane->normal, plane->steady,
                                  plane->source};
}

static inline bool trvi_is_same_plane(const trv_plane_cache *plane,
                                      const trvi_plane_direction *before)
{
    trvi_plane_direction now = trvi_direction_of(plane);
    return now.own.x == before->own.x && now.own.y == before->own.y && now.own.z == before->own.z &&
           now.steady == before->steady && now.source == before->source;
}

// As far as the bodies come in the step, which is `most` (m), and along the direction that is known no
// farther than they come nearer in it, and `sight` (m) beyond.
float trvi_margin_along(const trv_world *world, const trvi_contact *contact, float sight,
                        float most, float dt);

#endif
