// Contact of two spheres.
#ifndef TRVI_SPHERES_H
#define TRVI_SPHERES_H

#include "math/math.h"
#include "narrow.h"

// What a cache keeps of the gap between two surfaces, for those who keep count of how far the
// shapes have moved since: rounded down, and not above zero where they overlap. `scale` is the
// largest length that it was made from.
static inline float trvi_gap_to_keep(double gap, double scale)
{
    return (float)(gap * (1.0 - 1.0e-6) - TRVI_REMEMBER_SLACK * scale);
}

static inline bool trvi_are_spheres(const trv_shape *a, const trv_shape *b)
{
    return (a->kind == TRV_SHAPE_SPHERE) & (b->kind == TRV_SHAPE_SPHERE);
}

// As trvi_collide_good; `cache` may be NULL. The answer is the same, the other way round, with A
// and B exchanged. False where their middles are so near to one another that these tell no
// direction: who asks for order then has to see to it.
bool trvi_collide_spheres(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                          const trv_pose *pose_b, double margin, trv_plane_cache *cache,
                          trv_manifold *out, trvi_answer *answer);

#endif
