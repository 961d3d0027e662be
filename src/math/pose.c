// The value functions of types.h that are worth a call.
#include "linear.h"
#include "trig.h"

trv_quat trv_quat_about(trv_vec3 axis, float angle)
{
    trv_vec3 zero = {0.0f, 0.0f, 0.0f};
    trv_vec3 unit = trvi_normalize_or(axis, zero);
    if (trvi_dot(unit, unit) == 0.0f)
        return trv_identity_quat();
    float s = trvi_sin(0.5f * angle);
    trv_quat q = {unit.x * s, unit.y * s, unit.z * s, trvi_cos(0.5f * angle)};
    return trvi_quat_normalize(q);
}

trv_quat trv_quat_multiply(trv_quat second, trv_quat first)
{
    return trvi_quat_normalize(trvi_quat_mul(second, first));
}

trv_vec3 trv_rotate(trv_quat q, trv_vec3 v)
{
    return trvi_rotate(q, v);
}

trv_vec3 trv_pose_apply(trv_pose pose, trv_vec3 local)
{
    return trvi_pose_apply(pose, local);
}

trv_vec3 trv_pose_apply_inverse(trv_pose pose, trv_vec3 world)
{
    return trvi_pose_apply_inverse(pose, world);
}
