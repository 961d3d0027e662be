/// @file
/// Trivet types: plain values that every header shares, and the conventions, stated once.
///
/// Metres, kilograms, seconds, radians. Right-handed axes; no direction is "up" (the examples use
/// +Y). Column vectors: world = rotate(rotation, local) + position. Unit quaternions x, y, z, w.
/// Counter-clockwise triangles face outward. Boxes by half extents. Normals are unit and point from
/// A to B. Separation < 0 is overlap. A ray is origin + fraction * travel, fraction in [0, 1].
/// World space unless a name says `_local`. Sets are closed: touching counts as touching.
///
/// All types are plain old data with the alignment of float, in the byte order of cglm's vec3 and
/// versor; <trivet/cglm.h> converts.
#ifndef TRIVET_TYPES_H
#define TRIVET_TYPES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The largest coordinate or length that calls with a result code accept, in metres: float32 is
/// 8 m coarse out there, and fourth powers of it stay finite.
#define TRV_COORD_MAX 1.0e8f

/// A point, or a vector.
typedef struct trv_vec3 {
    float x, y, z;
} trv_vec3;

/// Unit quaternion: (x, y, z) = axis * sin(angle / 2), w = cos(angle / 2). Calls with a result code
/// accept a length within 1 +- 1e-3 (accumulated rounding) and normalise it.
typedef struct trv_quat {
    float x, y, z, w;
} trv_quat;

/// A rigid placement: world = rotate(rotation, local) + position.
typedef struct trv_pose {
    trv_vec3 position;
    trv_quat rotation;
} trv_pose;

/// Axis-aligned bounding box. Valid when lower <= upper on every axis.
typedef struct trv_aabb {
    trv_vec3 lower, upper;
} trv_aabb;

/// Oriented bounding box: centre, half extents along its own axes (>= 0), orientation.
typedef struct trv_obb {
    trv_vec3 center;
    trv_vec3 half;
    trv_quat rotation;
} trv_obb;

/// The points p with dot(normal, p) + offset = 0; positive on the side that the normal points to.
/// As a solid it is the half-space dot(normal, p) + offset <= 0.
typedef struct trv_plane {
    trv_vec3 normal;
    float offset;
} trv_plane;

/// All points within `radius` of the centre.
typedef struct trv_sphere {
    trv_vec3 center;
    float radius;
} trv_sphere;

/// All points within `radius` of the segment a b.
typedef struct trv_capsule {
    trv_vec3 a, b;
    float radius;
} trv_capsule;

/// All points between a and b.
typedef struct trv_segment {
    trv_vec3 a, b;
} trv_segment;

/// Counter-clockwise seen from the side that the normal points to.
typedef struct trv_triangle {
    trv_vec3 a, b, c;
} trv_triangle;

/// origin + fraction * travel, fraction in [0, 1]: travel has the ray's length, it is no direction.
typedef struct trv_ray {
    trv_vec3 origin;
    trv_vec3 travel;
} trv_ray;

/// Where a ray met a solid. `fraction` 0 and `inside` when the origin lies in it (then no normal).
typedef struct trv_ray_hit {
    bool hit;
    bool inside;
    float fraction;
    trv_vec3 point;
    trv_vec3 normal; ///< unit, out of the solid; zero when `inside`
} trv_ray_hit;

/// Who meets whom: two filters agree when each one's `category` has a bit in the other's `mask`.
/// A shared `group` other than 0 overrules that: positive always, negative never.
typedef struct trv_filter {
    uint64_t category;
    uint64_t mask;
    int32_t group;
    uint32_t reserved; ///< zero; keeps the size free of padding
} trv_filter;

/// In category 1, and meets everything.
static inline trv_filter trv_default_filter(void)
{
    trv_filter filter;
    filter.category = 1u;
    filter.mask = ~UINT64_C(0);
    filter.group = 0;
    filter.reserved = 0;
    return filter;
}

/// True when the filters agree that their owners meet.
static inline bool trv_filters_agree(trv_filter a, trv_filter b)
{
    if (a.group != 0 && a.group == b.group)
        return a.group > 0;
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

/// The vector (x, y, z).
static inline trv_vec3 trv_make_vec3(float x, float y, float z)
{
    trv_vec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/// The rotation by no angle.
static inline trv_quat trv_identity_quat(void)
{
    trv_quat q;
    q.x = 0.0f;
    q.y = 0.0f;
    q.z = 0.0f;
    q.w = 1.0f;
    return q;
}

/// At `position`, not turned.
static inline trv_pose trv_make_pose(trv_vec3 position)
{
    trv_pose pose;
    pose.position = position;
    pose.rotation = trv_identity_quat();
    return pose;
}

/// The rotation by `angle` radians about `axis` (any length but zero). Zero, NaN and infinities yield the
/// identity.
/// Own trigonometry: the same bits on every target.
TRV_API trv_quat trv_quat_about(trv_vec3 axis, float angle);

/// The rotation that applies `second` after `first`; renormalised. The identity where it has no length, or
/// is not finite.
TRV_API trv_quat trv_quat_multiply(trv_quat second, trv_quat first);

/// `v` turned by the unit quaternion `q`.
TRV_API trv_vec3 trv_rotate(trv_quat q, trv_vec3 v);

/// A local point in world space, and back.
TRV_API trv_vec3 trv_pose_apply(trv_pose pose, trv_vec3 local);
TRV_API trv_vec3 trv_pose_apply_inverse(trv_pose pose, trv_vec3 world);

#ifdef __cplusplus
}
#endif

#endif
