// trv_separate: which of the short ways a pair of shapes takes.
//
// Coherent scenes spend their time here, most of it between two large hulls. Each way goes on to the
// next where it cannot tell.
// Invariant: "apart" is a proof.
// Based on: Lander 1999, "Crashing into the New Year" (the plane remembered per pair).
#include "carry.h"
#include "quick.h"

static inline bool is_large_hull(const trv_shape *shape)
{
    return shape->kind == TRV_SHAPE_HULL && shape->as.hull != NULL &&
           shape->as.hull->vertex_count > TRVI_FAN_VERTICES;
}

trv_result trv_separate(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                        trv_plane_cache *cache, trv_separation *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    if (a == NULL || b == NULL || cache == NULL)
        return trvi_separate_anew(a, &pose_a, b, &pose_b, cache, out);
    if (!is_large_hull(a) || !is_large_hull(b) || !trvi_is_parting(cache))
        return trvi_separate_any(a, b, cache, out, &pose_a, &pose_b);
#if defined(TRVI_CAN_EIGHT)
    if (__builtin_cpu_supports("avx"))
        return trvi_separate_hulls_eight(a, b, cache, out, &pose_a, &pose_b);
#endif
    return trvi_separate_hulls(a, b, cache, out, &pose_a, &pose_b);
}
