// Vectors, matrices and quaternions by value, in float32 and, where quantities cancel, in double.
//
// cglm supplies the vector products; they are plain scalar code in every version and on every
// target. Its quaternion and matrix products have SIMD paths that round differently from the scalar
// ones, and its normalise thresholds differ by version, so those are ours.
// Invariant: every function here is a fixed sequence of IEEE operations, hence the same bits
// everywhere (the build forbids contraction).
#ifndef TRVI_LINEAR_H
#define TRVI_LINEAR_H

#include <cglm/struct/vec3.h>
#include <math.h>

#include "base.h"
#include "tolerance.h"

TRVI_LEAF vec3s trvi_to_cglm(trv_vec3 v)
{
    return (vec3s){{v.x, v.y, v.z}};
}

TRVI_LEAF trv_vec3 trvi_from_cglm(vec3s v)
{
    return (trv_vec3){v.x, v.y, v.z};
}

TRVI_LEAF trv_vec3 trvi_vec3(float x, float y, float z)
{
    return (trv_vec3){x, y, z};
}

TRVI_LEAF trv_vec3 trvi_add(trv_vec3 a, trv_vec3 b)
{
    return trvi_from_cglm(glms_vec3_add(trvi_to_cglm(a), trvi_to_cglm(b)));
}

TRVI_LEAF trv_vec3 trvi_sub(trv_vec3 a, trv_vec3 b)
{
    return trvi_from_cglm(glms_vec3_sub(trvi_to_cglm(a), trvi_to_cglm(b)));
}

TRVI_LEAF trv_vec3 trvi_scale(trv_vec3 a, float s)
{
    return trvi_from_cglm(glms_vec3_scale(trvi_to_cglm(a), s));
}

TRVI_LEAF trv_vec3 trvi_negate(trv_vec3 a)
{
    return (trv_vec3){-a.x, -a.y, -a.z};
}

// a + b * s
TRVI_LEAF trv_vec3 trvi_mul_add(trv_vec3 a, trv_vec3 b, float s)
{
    return trvi_add(a, trvi_scale(b, s));
}

TRVI_LEAF float trvi_dot(trv_vec3 a, trv_vec3 b)
{
    return glms_vec3_dot(trvi_to_cglm(a), trvi_to_cglm(b));
}

TRVI_LEAF trv_vec3 trvi_cross(trv_vec3 a, trv_vec3 b)
{
    return trvi_from_cglm(glms_vec3_cross(trvi_to_cglm(a), trvi_to_cglm(b)));
}

static inline float trvi_length(trv_vec3 a)
{
    return sqrtf(trvi_dot(a, a));
}

// Of two numbers; the second where either is NaN, or both are zeros. What the standard library's say of
// zeros is left to it, and it is called for each.
static inline float trvi_smaller(float a, float b)
{
    return a < b ? a : b;
}

static inline float trvi_larger(float a, float b)
{
    return a > b ? a : b;
}

static inline trv_vec3 trvi_min(trv_vec3 a, trv_vec3 b)
{
    return (trv_vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static inline trv_vec3 trvi_max(trv_vec3 a, trv_vec3 b)
{
    return (trv_vec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

static inline trv_vec3 trvi_abs(trv_vec3 a)
{
    return (trv_vec3){fabsf(a.x), fabsf(a.y), fabsf(a.z)};
}

// `a` at unit length, or `fallback` where `a` is too short to have a direction (or not finite).
static inline trv_vec3 trvi_normalize_or(trv_vec3 a, trv_vec3 fallback)
{
    float biggest = fmaxf(fmaxf(fabsf(a.x), fabsf(a.y)), fabsf(a.z));
    if (!(biggest > TRVI_SQUARABLE) || !(biggest <= 3.4028235e38f))
        return fallback;
    trv_vec3 scaled = {a.x / biggest, a.y / biggest, a.z / biggest};
    return trvi_scale(scaled, 1.0f / trvi_length(scaled));
}

// Row-major 3x3 matrix; as a rotation its columns are the local axes in the outer frame.
typedef struct trvi_mat3 {
    float m[3][3];
} trvi_mat3;

static inline trv_quat trvi_quat_conjugate(trv_quat q)
{
    return (trv_quat){-q.x, -q.y, -q.z, q.w};
}

// Applies b, then a.
static inline trv_quat trvi_quat_mul(trv_quat a, trv_quat b)
{
    return (trv_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// False for the identity alone, of either sign and any length.
static inline bool trvi_quat_turns(trv_quat q)
{
    return q.x != 0.0f || q.y != 0.0f || q.z != 0.0f;
}

// q at unit length; the identity where q is zero or not finite.
static inline trv_quat trvi_quat_normalize(trv_quat q)
{
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(square > 1.0e-30f) || !(square <= 3.4028235e38f))
        return (trv_quat){0.0f, 0.0f, 0.0f, 1.0f};
    float inverse = 1.0f / sqrtf(square);
    return (trv_quat){q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
}

// v turned by unit q: v + 2 w (u x v) + 2 u x (u x v)
static inline trv_vec3 trvi_rotate(trv_quat q, trv_vec3 v)
{
    trv_vec3 u = {q.x, q.y, q.z};
    trv_vec3 t = trvi_scale(trvi_cross(u, v), 2.0f);
    return trvi_add(trvi_add(v, trvi_scale(t, q.w)), trvi_cross(u, t));
}

static inline trv_vec3 trvi_rotate_inverse(trv_quat q, trv_vec3 v)
{
    return trvi_rotate(trvi_quat_conjugate(q), v);
}

static inline trvi_mat3 trvi_mat3_from_quat(trv_quat q)
{
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (trvi_mat3){{{1.0f - (yy + zz), xy - wz, xz + wy},
                        {xy + wz, 1.0f - (xx + zz), yz - wx},
                        {xz - wy, yz + wx, 1.0f - (xx + yy)}}};
}

static inline trv_vec3 trvi_pose_apply(trv_pose pose, trv_vec3 local)
{
    return trvi_add(trvi_rotate(pose.rotation, local), pose.position);
}

static inline trv_vec3 trvi_pose_apply_inverse(trv_pose pose, trv_vec3 world)
{
    return trvi_rotate_inverse(pose.rotation, trvi_sub(world, pose.position));
}

// Double precision, for what cancels: relative positions, cross products of near-parallel edges.
typedef struct trvi_dvec3 {
    double x, y, z;
} trvi_dvec3;

typedef struct trvi_dmat3 {
    double m[3][3];
} trvi_dmat3;

static inline trvi_dvec3 trvi_dvec3_from(trv_vec3 v)
{
    return (trvi_dvec3){v.x, v.y, v.z};
}

static inline trv_vec3 trvi_vec3_from_double(trvi_dvec3 v)
{
    return (trv_vec3){(float)v.x, (float)v.y, (float)v.z};
}

static inline trvi_dvec3 trvi_dadd(trvi_dvec3 a, trvi_dvec3 b)
{
    return (trvi_dvec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline trvi_dvec3 trvi_dsub(trvi_dvec3 a, trvi_dvec3 b)
{
    return (trvi_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline trvi_dvec3 trvi_dscale(trvi_dvec3 a, double s)
{
    return (trvi_dvec3){a.x * s, a.y * s, a.z * s};
}

// a + b * s
static inline trvi_dvec3 trvi_dmul_add(trvi_dvec3 a, trvi_dvec3 b, double s)
{
    return (trvi_dvec3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

static inline double trvi_ddot(trvi_dvec3 a, trvi_dvec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline trvi_dvec3 trvi_dcross(trvi_dvec3 a, trvi_dvec3 b)
{
    return (trvi_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double trvi_dlength(trvi_dvec3 a)
{
    return sqrt(trvi_ddot(a, a));
}

static inline trvi_dvec3 trvi_dmat3_mul(const trvi_dmat3 *a, trvi_dvec3 v)
{
    return (trvi_dvec3){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                        a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                        a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}

// The transpose times v: for a rotation, its inverse.
static inline trvi_dvec3 trvi_dmat3_mul_transposed(const trvi_dmat3 *a, trvi_dvec3 v)
{
    return (trvi_dvec3){a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                        a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                        a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z};
}

static inline trvi_dmat3 trvi_dmat3_product(const trvi_dmat3 *a, const trvi_dmat3 *b)
{
    trvi_dmat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return r;
}

// The rotation of q / |q|, exact to double rounding although q is only rounded to float32.
// A zero or non-finite q gives non-finite entries: check q first.
static inline trvi_dmat3 trvi_dmat3_from_quat(trv_quat q)
{
    double x = q.x, y = q.y, z = q.z, w = q.w;
    double s = 2.0 / (x * x + y * y + z * z + w * w);
    return (trvi_dmat3){{{1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                         {s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)},
                         {s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)}}};
}

#endif
