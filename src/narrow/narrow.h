// The narrow layer's door: what the world needs beside the public questions of <trivet/collide.h>.
#ifndef TRVI_NARROW_H
#define TRVI_NARROW_H

#include <trivet/collide.h>

#include "base.h"

// How a pair was answered.
typedef enum trvi_answer {
    TRVI_APART_REMEMBERED, // further apart than the margin, by the cache's plane alone
    TRVI_APART_SEARCHED,   // further apart than the margin, after a search
    TRVI_CONTACT           // closer than the margin: the manifold has points
} trvi_answer;

// trv_collide for shapes and poses that are known to be good (shapes checked, poses finite). Where
// several features carry a contact equally well (to TRVI_CARRY_SLACK), the one in the cache goes on:
// caches are part of a world's state. A half-space is its own separating plane: apart
// from one is TRVI_APART_REMEMBERED. Two half-spaces are never in contact.
trvi_answer trvi_collide(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                         float margin, trv_plane_cache *cache, trv_manifold *out);

// trv_impact for shapes and motions that are known to be good. Two half-spaces never meet.
void trvi_impact(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                 const trv_motion *motion_b, trv_impact_hit *out);

#endif
