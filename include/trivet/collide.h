/// Trivet collision questions about two posed shapes, without a world.
///
/// Every call is a pure function of its arguments (and of the caller's cache, which only skips
/// work): safe from any thread, no memory allocated. Poses place a shape's own frame in the world.
#ifndef TRIVET_COLLIDE_H
#define TRIVET_COLLIDE_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trv_hull trv_hull;

typedef enum trv_shape_kind {
    TRV_SHAPE_NONE = 0, ///< a zeroed shape: refused everywhere
    TRV_SHAPE_SPHERE,
    TRV_SHAPE_CAPSULE,
    TRV_SHAPE_BOX,
    TRV_SHAPE_HULL,
    TRV_SHAPE_PLANE, ///< the half-space below the plane; static bodies only
    TRV_SHAPE_KIND_COUNT
} trv_shape_kind;

/// A solid in its own frame. Make it with the functions below, which check nothing: the calls that
/// take a shape do (radius and half extents > 0 and <= TRV_COORD_MAX, unit normal and rotation).
typedef struct trv_shape {
    trv_shape_kind kind;
    union {
        trv_sphere sphere;
        trv_capsule capsule;
        trv_obb box;
        trv_plane plane;
        const trv_hull *hull; ///< must outlive the calls; worlds keep a reference of their own
    } as;
} trv_shape;

TRV_API trv_shape trv_make_sphere(trv_vec3 center, float radius);
TRV_API trv_shape trv_make_capsule(trv_vec3 a, trv_vec3 b, float radius);
/// Centred, along the axes, by half extents.
TRV_API trv_shape trv_make_box(trv_vec3 half);
TRV_API trv_shape trv_make_placed_box(trv_obb box);
TRV_API trv_shape trv_make_hull(const trv_hull *hull);
/// Solid below the plane through `point` with unit normal `normal`.
TRV_API trv_shape trv_make_half_space(trv_vec3 point, trv_vec3 normal);

/// TRV_OK for a shape that the calls here accept; else what is wrong with it.
TRV_API trv_result trv_shape_check(const trv_shape *shape);

/// What made a separating plane.
typedef enum trv_plane_source {
    TRV_PLANE_NONE = 0, ///< the shapes are not apart
    TRV_PLANE_FACE_A,   ///< a face of A: index_a is the face, index_b the nearest vertex of B
    TRV_PLANE_FACE_B,   ///< a face of B: index_b is the face, index_a the nearest vertex of A
    TRV_PLANE_EDGES,    ///< an edge of each, parallel to both: index_a, index_b are half-edges
    TRV_PLANE_EDGE_A,   ///< an edge of A and a vertex of B: index_a is a half-edge
    TRV_PLANE_EDGE_B,   ///< a vertex of A and an edge of B: index_b is a half-edge
    TRV_PLANE_VERTICES  ///< at right angles to the line between two vertices
} trv_plane_source;

/// The plane remembered between calls for one pair of shapes: zero-initialise it, hand the same one
/// in each frame, copy or drop it at will. A wrong or stale one costs time, never the answer.
typedef struct trv_plane_cache {
    trv_vec3 normal;   ///< from A to B, in A's frame (a placed box's own); zero: nothing remembered
    uint32_t vertex_a; ///< where the last search for the supporting vertices ended
    uint32_t vertex_b;
    uint32_t source; ///< trv_plane_source of the remembered plane
    uint32_t index_a;
    uint32_t index_b;
} trv_plane_cache;

/// The answer of trv_separate.
typedef struct trv_separation {
    bool apart;      ///< a plane with all of A strictly below and all of B strictly above was found
    bool remembered; ///< the cache's plane was enough
    trv_plane_source source;
    uint32_t index_a;
    uint32_t index_b;
    float gap;       ///< between the supporting planes along `plane.normal`, m; 0 where not apart
    trv_plane plane; ///< half-way in the gap, normal from A to B, in world space
} trv_separation;

/// Are the shapes apart, and what plane keeps them so? Tries the cache's plane first; `cache` may
/// be NULL. Touching shapes are not apart.
/// Source: Lander 1999, "Crashing into the New Year", separating planes remembered per pair.
TRV_API trv_result trv_separate(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                                trv_pose pose_b, trv_plane_cache *cache, trv_separation *out);

/// The answer of trv_distance.
typedef struct trv_gap {
    float distance;   ///< m; >= 0 apart or touching; < 0 minus the penetration depth
    trv_vec3 normal;  ///< unit, from A to B: moving B by -distance * normal makes them just touch
    trv_vec3 point_a; ///< closest points, or the points that touch after that move
    trv_vec3 point_b;
} trv_gap;

/// Signed distance with the closest points. A plane and a plane are refused (TRV_ERROR_KIND).
TRV_API trv_result trv_distance(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                                trv_pose pose_b, trv_gap *out);

/// True in `*overlap` where the shapes share a point (touching counts).
TRV_API trv_result trv_overlap(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                               trv_pose pose_b, bool *overlap);

#define TRV_MANIFOLD_POINTS 4

typedef struct trv_manifold_point {
    trv_vec3 point;   ///< half-way between the two surfaces, world space
    float separation; ///< along the normal, m; < 0 overlaps
    uint32_t feature; ///< names the features that made the point; stable while they do
} trv_manifold_point;

/// Where two shapes touch, or come closer than the margin asked for.
typedef struct trv_manifold {
    trv_vec3 normal; ///< unit, from A to B
    uint32_t count;  ///< 0..TRV_MANIFOLD_POINTS
    trv_manifold_point points[TRV_MANIFOLD_POINTS];
} trv_manifold;

/// Contact points of all pairs of surface closer than `margin` (>= 0, m; the speculative margin).
/// Swapping A and B mirrors the answer. A plane and a plane are refused (TRV_ERROR_KIND).
TRV_API trv_result trv_collide(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                               trv_pose pose_b, float margin, trv_plane_cache *cache,
                               trv_manifold *out);

/// First point of the ray in the solid. No hit is TRV_OK with out->hit == false.
TRV_API trv_result trv_shape_cast_ray(const trv_shape *shape, trv_pose pose, trv_ray ray,
                                      trv_ray_hit *out);

#ifdef __cplusplus
}
#endif

#endif
