// What the public questions about two posed shapes check before they answer.
#include "questions.h"

#include "math/math.h"

trv_result trvi_check_question(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                               trv_pose pose_b)
{
    trv_result result = trv_shape_check(a);
    if (result == TRV_OK)
        result = trv_shape_check(b);
    if (result == TRV_OK)
        result = trvi_check_pose(pose_a);
    if (result == TRV_OK)
        result = trvi_check_pose(pose_b);
    if (result == TRV_OK && a->kind == TRV_SHAPE_PLANE && b->kind == TRV_SHAPE_PLANE)
        result = TRV_ERROR_KIND;
    return result;
}
