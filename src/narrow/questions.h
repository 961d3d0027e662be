// The checks that the public questions about two shapes share.
#ifndef TRVI_QUESTIONS_H
#define TRVI_QUESTIONS_H

#include "compound.h"

// TRV_OK where both shapes and poses are good; two half-spaces are TRV_ERROR_KIND.
trv_result trvi_check_question(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                               trv_pose pose_b);

// One branch that shapes without parts pass by.
static inline bool trvi_has_compound(const trv_shape *a, const trv_shape *b)
{
    return (a->kind == TRV_SHAPE_COMPOUND) | (b->kind == TRV_SHAPE_COMPOUND);
}

// How two convex shapes are answered, whose views may be parts'. Half-spaces are asked from the
// view of the other shape; `plane_is_a` turns the answer round. Outputs are zeroed at entry.
typedef struct trvi_separators {
    // `known`: the cache's source and indices are of this pair
    void (*couple)(const trvi_couple *couple, trv_plane_cache *cache, bool known,
                   trv_separation *out);
    void (*half_space)(const trvi_view *view, const trv_plane *plane, trv_pose plane_pose,
                       bool plane_is_a, trv_separation *out);
} trvi_separators;

typedef struct trvi_measures {
    void (*couple)(const trvi_couple *couple, trv_gap *out);
    void (*half_space)(const trvi_view *view, const trv_plane *plane, trv_pose plane_pose,
                       bool plane_is_a, trv_gap *out);
} trvi_measures;

typedef void trvi_cast_ray_fn(const trv_shape *shape, trv_pose pose, trv_ray ray, trv_ray_hit *out);

// The public questions for shapes and poses that are known to be good, one of which is a compound,
// by way of the answers for convex shapes. Outputs are zeroed at entry.
void trvi_compound_separate(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                            trv_pose pose_b, const trvi_separators *ways, trv_plane_cache *cache,
                            trv_separation *out);
void trvi_compound_distance(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                            trv_pose pose_b, const trvi_measures *ways, trv_gap *out);
// Neither is a half-space.
bool trvi_compound_overlap(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                           trv_pose pose_b);
void trvi_compound_ray(const trv_compound *compound, trv_pose pose, trv_ray ray,
                       trvi_cast_ray_fn *cast, trv_ray_hit *out, uint32_t *part);

// Contact of two convex shapes; the couple need not be filled. `vertex` is a start for the climb,
// `held` may be NULL.
trvi_answer trvi_collide_couple(trvi_couple *couple, double margin, trv_plane_cache *cache,
                                trv_manifold *out);
trvi_answer trvi_collide_half_space(const trvi_view *view, const trv_plane *plane,
                                    trv_pose plane_pose, bool plane_is_a, double margin,
                                    const trvi_held *held, uint32_t *vertex, trv_manifold *out);

#endif
