// trv_separate, which is asked more often than anything else: which of two ways the processor has.
#include "quick.h"

trv_result trv_separate(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                        trv_plane_cache *cache, trv_separation *out)
{
#if defined(TRVI_CAN_EIGHT)
    if (__builtin_cpu_supports("avx"))
        return trvi_separate_eight(a, b, cache, out, &pose_a, &pose_b);
#endif
    return trvi_separate_four(a, b, cache, out, &pose_a, &pose_b);
}
