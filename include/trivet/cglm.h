/// @file
/// Trivet and cglm: inline converters. The only public header that needs cglm; nothing of cglm is in
/// Trivet's ABI, since the size and alignment of its types follow the flags of whoever compiles.
///
/// Everything is copied element by element: a trv_vec3 or trv_quat has the alignment of float, and a
/// versor or mat4 may need 16 or 32 bytes. Quaternions are x, y, z, w on both sides. Matrices are
/// cglm's: column-major, m[column][row].
#ifndef TRIVET_CGLM_H
#define TRIVET_CGLM_H

#include <cglm/types.h>

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Three numbers.
static inline void trv_vec3_to_cglm(trv_vec3 v, vec3 out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/// Three numbers.
static inline trv_vec3 trv_vec3_from_cglm(const float v[3])
{
    return trv_make_vec3(v[0], v[1], v[2]);
}

/// Four numbers, x, y, z, w on both sides.
static inline void trv_quat_to_cglm(trv_quat q, versor out)
{
    out[0] = q.x;
    out[1] = q.y;
    out[2] = q.z;
    out[3] = q.w;
}

/// Four numbers, x, y, z, w on both sides.
static inline trv_quat trv_quat_from_cglm(const float q[4])
{
    trv_quat out;
    out.x = q[0];
    out.y = q[1];
    out.z = q[2];
    out.w = q[3];
    return out;
}

/// The matrix that takes local to world coordinates: what a renderer calls the model matrix.
/// Needs a unit quaternion.
static inline void trv_pose_to_cglm(trv_pose pose, mat4 out)
{
    trv_quat q = pose.rotation;
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    out[0][0] = 1.0f - (yy + zz);
    out[0][1] = xy + wz;
    out[0][2] = xz - wy;
    out[0][3] = 0.0f;
    out[1][0] = xy - wz;
    out[1][1] = 1.0f - (xx + zz);
    out[1][2] = yz + wx;
    out[1][3] = 0.0f;
    out[2][0] = xz + wy;
    out[2][1] = yz - wx;
    out[2][2] = 1.0f - (xx + yy);
    out[2][3] = 0.0f;
    trv_vec3_to_cglm(pose.position, out[3]);
    out[3][3] = 1.0f;
}

/// The pose of a rigid matrix: rotation and translation, no scale, shear or mirror. The quaternion
/// comes from the largest of its four squares, so no half turn loses digits, and is renormalised by
/// trv_quat_multiply. Source: Shepperd 1978, "Quaternion from Rotation Matrix".
static inline trv_pose trv_pose_from_cglm(mat4 m)
{
    float trace = m[0][0] + m[1][1] + m[2][2];
    trv_quat q;
    if (trace >= m[0][0] && trace >= m[1][1] && trace >= m[2][2]) {
        q.w = 1.0f + trace;
        q.x = m[1][2] - m[2][1];
        q.y = m[2][0] - m[0][2];
        q.z = m[0][1] - m[1][0];
    } else if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2]) {
        q.x = 1.0f + m[0][0] - m[1][1] - m[2][2];
        q.y = m[0][1] + m[1][0];
        q.z = m[2][0] + m[0][2];
        q.w = m[1][2] - m[2][1];
    } else if (m[1][1] >= m[2][2]) {
        q.y = 1.0f - m[0][0] + m[1][1] - m[2][2];
        q.x = m[0][1] + m[1][0];
        q.z = m[1][2] + m[2][1];
        q.w = m[2][0] - m[0][2];
    } else {
        q.z = 1.0f - m[0][0] - m[1][1] + m[2][2];
        q.x = m[2][0] + m[0][2];
        q.y = m[1][2] + m[2][1];
        q.w = m[0][1] - m[1][0];
    }
    trv_pose pose;
    pose.position = trv_vec3_from_cglm(m[3]);
    pose.rotation = trv_quat_multiply(q, trv_identity_quat());
    return pose;
}

/// cglm's boxes are vec3[2]: minimum, maximum.
static inline void trv_aabb_to_cglm(trv_aabb box, vec3 out[2])
{
    trv_vec3_to_cglm(box.lower, out[0]);
    trv_vec3_to_cglm(box.upper, out[1]);
}

/// See trv_aabb_to_cglm.
static inline trv_aabb trv_aabb_from_cglm(vec3 box[2])
{
    trv_aabb out;
    out.lower = trv_vec3_from_cglm(box[0]);
    out.upper = trv_vec3_from_cglm(box[1]);
    return out;
}

/// cglm's planes a x + b y + c z + d = 0 are a vec4, and Trivet's with the same sign of the offset.
static inline void trv_plane_to_cglm(trv_plane plane, vec4 out)
{
    trv_vec3_to_cglm(plane.normal, out);
    out[3] = plane.offset;
}

/// See trv_plane_to_cglm.
static inline trv_plane trv_plane_from_cglm(const float plane[4])
{
    trv_plane out;
    out.normal = trv_vec3_from_cglm(plane);
    out.offset = plane[3];
    return out;
}

#ifdef __cplusplus
}
#endif

#endif
