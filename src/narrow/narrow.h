// The narrow layer's door: what the world needs beside the public questions of <trivet/collide.h>.
//
// A pair is answered by the first of these that can:
// - a motion budget: what was apart by a gap, and has not moved that far since
//   (world/contact_test.c);
// - the remembered plane, in float32 straight from the shapes (along.h; two hulls or boxes side by
//   side where only it is asked, quick_hulls.c), or one that it leads to (lead.c); then in double
//   (remember.c);
//   vertices between which both were seen to meet; the feature that carries their contact
//   (carry.c);
// - boxes by their 15 axes (boxes.c, box_contact.c), all else by the distance search (gjk.c);
// - where they overlap, the growing polytope (expand.c), and as last resort every facet (facets.c);
// - contact points: faces laid over one another (patch.c, manifold.c), or the manifold of the step
//   before while both bodies all but stay (world/contact_test.c).
// Lander's own enumeration of planes (reference.c) is what the tests compare all this with.
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

// What presses on one of two bodies: its centre of mass in the world, and what gravity and forces make of
// its speed, m/s^2; zero where it is not moved.
typedef struct trvi_load {
    trv_vec3 center, pull;
} trvi_load;

// Points that stay in a manifold while the shapes still make them, and more than it has room for: their
// features. What trembles, or slides, would else be held by others in each step: the corner that is
// left out sinks in until it is chosen, another one is left out instead, and the tremor feeds on that.
typedef struct trvi_held {
    uint32_t count;
    uint32_t features[TRV_MANIFOLD_POINTS];
    trvi_load loads
        [2]; // on A, and on B: of more points than there is room for, those are told that bear them
} trvi_held;

// trv_collide for shapes and poses that are known to be good (shapes checked, poses finite). Where
// several features carry a contact equally well (to TRVI_CARRY_SLACK), the one in the cache goes
// on: caches are part of a world's state. A half-space is its own separating plane: apart
// from one is TRVI_APART_REMEMBERED. Two half-spaces are never in contact. `held` may be NULL.
trvi_answer trvi_collide(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                         float margin, trv_plane_cache *cache, const trvi_held *held,
                         trv_manifold *out);

// Does the load on four points, all in one frame, pass well within them? Then no others are better. `out` is the
// unit normal towards the body that it presses on them. True, too, where it does not press.
bool trvi_is_well_borne(const trv_vec3 points[TRV_MANIFOLD_POINTS], trv_vec3 out,
                        const trvi_load *load);

// The first that is asked of good shapes in good poses: how much the cache's plane leaves between them by
// now, m, rounded down, which the cache then keeps. 0 where it parts them no more, or that is not to be told at
// once.
float trvi_gap_left(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                    const trv_pose *pose_b, trv_plane_cache *cache);

// Whose face carries the contact of two hulls that a cache remembers: 1 for A, -1 for B, else 0.
int trvi_carrying_face(const trv_plane_cache *cache);

// The gap between two shapes along the direction that a cache has kept, m, rounded down, and negative
// where they overlap along it; `normal` is it in the world, from A to B. False where that is not to
// be told at once: of half-spaces and compounds, and where nothing was kept.
bool trvi_glance(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                 const trv_pose *pose_b, const trv_plane_cache *cache, trv_vec3 *normal,
                 float *gap);
// The same along a unit direction in the world; of the cache only the vertices are asked for, where
// searches begin.
bool trvi_glance_along(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                       const trv_pose *pose_b, const trv_plane_cache *cache, trv_vec3 normal,
                       float *gap);

// What a caller of trvi_impact may ask for beyond trv_impact.
typedef struct trvi_impact_options {
    float max_fraction; // contacts after it are of no interest, 0..1: most searches end sooner
    // Contact is where the shapes come as close as this (>= 0, m), or as half the distance that
    // they start at, where that is less. So shapes within the margin that recede, or slide past, do
    // not hit, and a hit leaves some way to contact. For two convex shapes it may be < 0: then
    // contact is where they overlap by more than that, and `start` that they do so at fraction 0.
    float margin;
    // A plane to try first, as trv_separate remembers them for the pair as it is at fraction 0; may
    // be NULL. It is only used to prove that the shapes do not meet: the answer is the same
    // without.
    const trv_plane_cache *cache;
    // So much is the proof worth for two convex shapes, in planes looked for; after that contact is told
    // of where it has come to. 0: as much as it is for trv_impact.
    uint32_t steps;
    // Where they meet is not asked for: of convex shapes `hit->point` and `hit->normal` stay zero.
    bool times_only;
} trvi_impact_options;

// All of the step, to contact, no plane known.
static inline trvi_impact_options trvi_default_impact_options(void)
{
    trvi_impact_options options = {1.0f, 0.0f, NULL, 0, false};
    return options;
}

// Is this a motion that questions may be asked of? TRV_ERROR_NUMBER, _RANGE or _ROTATION where not.
trv_result trvi_check_motion(const trv_motion *motion);

// trv_impact for shapes and motions that are known to be good; `options` may be NULL. Two
// half-spaces never meet. `hit->start` is told of shapes that touch, not of those within the
// margin.
void trvi_impact(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                 const trv_motion *motion_b, const trvi_impact_options *options,
                 trv_impact_hit *hit);

#endif
