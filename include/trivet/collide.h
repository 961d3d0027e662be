/// @file
/// Trivet collision questions about two posed shapes, without a world.
///
/// Every call is a pure function of its arguments (and of the caller's cache, which skips work and
/// settles ties): safe from any thread, no memory allocated. Poses place a shape's own frame in the world.
#ifndef TRIVET_COLLIDE_H
#define TRIVET_COLLIDE_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A convex hull, see <trivet/mesh.h>.
typedef struct trv_hull trv_hull;
/// A solid made of convex parts, see trv_compound_create.
typedef struct trv_compound trv_compound;

/// What a shape is.
typedef enum trv_shape_kind {
    TRV_SHAPE_NONE = 0, ///< a zeroed shape: refused everywhere
    TRV_SHAPE_SPHERE,
    TRV_SHAPE_CAPSULE,
    TRV_SHAPE_BOX,
    TRV_SHAPE_HULL,
    TRV_SHAPE_PLANE,    ///< the half-space below the plane; static bodies only
    TRV_SHAPE_COMPOUND, ///< placed parts, see trv_compound_create
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
        const trv_compound *compound; ///< must outlive the calls
    } as;
} trv_shape;

/// In the shape's own frame.
TRV_API trv_shape trv_make_sphere(trv_vec3 center, float radius);
TRV_API trv_shape trv_make_capsule(trv_vec3 a, trv_vec3 b, float radius);
/// Centred, along the axes, by half extents.
TRV_API trv_shape trv_make_box(trv_vec3 half);
TRV_API trv_shape trv_make_placed_box(trv_obb box);
/// No copy: the hull must outlive the shape's use.
TRV_API trv_shape trv_make_hull(const trv_hull *hull);
/// Solid below the plane through `point` with unit normal `normal`.
TRV_API trv_shape trv_make_half_space(trv_vec3 point, trv_vec3 normal);
/// No copy: the compound must outlive the shape's use.
TRV_API trv_shape trv_make_compound(const trv_compound *compound);

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
    TRV_PLANE_VERTICES  ///< none of these; index_a, index_b are the vertices that it leans on
} trv_plane_source;

/// The plane remembered between calls for one pair of shapes: zero-initialise it, hand the same one
/// in each frame, copy or drop it at will. A wrong or stale one costs time, never the answer. Only of
/// features that carry a contact equally well (to a millionth of the size) the remembered one is kept,
/// so that a contact does not go to and fro between them: who needs the same bits again later, as in
/// a rollback, keeps the cache with the rest of the state.
typedef struct trv_plane_cache {
    trv_vec3 normal; ///< from A to B, in A's frame (a placed box's own); zero: nothing remembered
    /// Between the surfaces when last asked, m, rounded down; <= 0 in contact, or where it is not kept
    /// (half-spaces, compounds).
    float gap;
    uint32_t source; ///< trv_plane_source of the remembered plane
    uint32_t index_a;
    uint32_t index_b;
    uint32_t vertex_a; ///< where the last search for the supporting vertices ended
    uint32_t vertex_b;
    union {
        trv_vec3 in_world;   ///< the direction that it had in the world at first
        uint32_t backing[3]; ///< of a face or edges that carry a contact: the proof, with `meeting`
    };
    uint32_t steady; ///< not 0: that direction has served better than one that turns with A
    /// Three vertices of A, then of B, between which both were nearest, or met; where a face or edges
    /// carry a contact, pairs of vertices that prove it.
    uint32_t meeting[6];
} trv_plane_cache;

/// The answer of trv_separate.
typedef struct trv_separation {
    bool apart; ///< a plane with all of A strictly below and all of B strictly above was found
    bool
        remembered; ///< the cache was enough: its plane, one that a few steps from its vertices led
                    ///< to, or vertices between which both meet
    /// What the plane was made of when it was found. Where `remembered` it stays as it is, from A's side or
    /// in the world, while the shapes turn on, and need not be in B's face or beside B's edge any more;
    /// who wants what is in it now asks without a cache.
    trv_plane_source source;
    uint32_t index_a;
    uint32_t index_b;
    /// Between the supporting planes along `plane.normal`, m; 0 where not apart. Where `remembered` it
    /// may be measured in float32: good to 2e-6 of the lengths that go into it, which are how far each
    /// shape reaches from its own origin, and the way between these.
    float gap;
    trv_plane plane; ///< half-way in the gap, normal from A to B, in world space
    uint32_t part_a; ///< the parts of compounds that the plane is between, else 0
    uint32_t part_b;
} trv_separation;

/// Are the shapes apart, and what plane keeps them so? Tries the cache's plane first; `cache` may
/// be NULL. Touching shapes are not apart. A plane and a plane are refused (TRV_ERROR_KIND).
/// Compounds are apart where all pairs of their parts are. The plane is then between two parts,
/// which `part_a`, `part_b`, `source` and the indices name. With `remembered` they are the pair of
/// least gap along the remembered normal, and all of A is below the plane and all of B above.
/// Else they are the pair nearest one another, the plane is at right angles to the line between
/// their closest points, and it parts these two: the others each have a plane of their own, and for
/// compounds that embrace one another no plane parts all. Of pairs equally near the one of lowest
/// `part_a`, then `part_b` is told.
/// Source: Lander 1999, "Crashing into the New Year", separating planes remembered per pair.
TRV_API trv_result trv_separate(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                                trv_pose pose_b, trv_plane_cache *cache, trv_separation *out);

/// The answer of trv_distance.
typedef struct trv_gap {
    float distance;   ///< m; >= 0 apart or touching; < 0 minus the penetration depth
    trv_vec3 normal;  ///< unit, from A to B: moving B by -distance * normal makes them just touch
    trv_vec3 point_a; ///< closest points, or the points that touch after that move
    trv_vec3 point_b;
    uint32_t part_a; ///< the parts of compounds that this is about, else 0
    uint32_t part_b;
} trv_gap;

/// Signed distance with the closest points. A plane and a plane are refused (TRV_ERROR_KIND).
/// Of compounds it is that of the nearest pair of parts, or of the pair that overlaps most: the move
/// by -distance then makes these two parts just touch, while others may still overlap.
TRV_API trv_result trv_distance(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                                trv_pose pose_b, trv_gap *out);

/// Signed distance of a point: A is the shape, B the point, so `point_a` is the nearest point of the
/// shape's surface, also from within, `point_b` the point itself, and the point is in the shape where
/// `distance` <= 0. Of compounds it is that of the nearest part, or of the one it is deepest in.
TRV_API trv_result trv_distance_to_point(const trv_shape *shape, trv_pose pose, trv_vec3 point,
                                         trv_gap *out);

/// True in `*overlap` where the shapes share a point (touching counts). A plane and a plane are refused
/// (TRV_ERROR_KIND).
TRV_API trv_result trv_overlap(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                               trv_pose pose_b, bool *overlap);

/// The most points of a manifold: four carry a face as well as more do.
#define TRV_MANIFOLD_POINTS 4

/// A point of a manifold.
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
    uint32_t part_a; ///< the parts of compounds that meet here, else 0
    uint32_t part_b;
} trv_manifold;

/// Contact points of all pairs of surface closer than `margin` (>= 0, m; the speculative margin).
/// Swapping A and B mirrors the answer. A plane and a plane are refused (TRV_ERROR_KIND), and so are
/// compounds, for which one manifold cannot tell all: ask trv_collide_all.
TRV_API trv_result trv_collide(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                               trv_pose pose_b, float margin, trv_plane_cache *cache,
                               trv_manifold *out);

/// First point of the ray in the solid. No hit is TRV_OK with out->hit == false.
TRV_API trv_result trv_shape_cast_ray(const trv_shape *shape, trv_pose pose, trv_ray ray,
                                      trv_ray_hit *out);

// Compounds and bounds ----------------------------------------------------------------------------

/// A part of a compound: a sphere, capsule, box or hull, placed in the compound's frame.
typedef struct trv_compound_part {
    trv_shape shape;
    trv_pose pose;
} trv_compound_part;

/// How to make a compound. Make it with trv_default_compound_def().
typedef struct trv_compound_def {
    uint32_t cookie;
    uint32_t max_parts; ///< TRV_ERROR_LIMIT beyond; at most 1 << 24, default 1 << 20
    trv_allocator allocator;
} trv_compound_def;

/// What holds where nothing else is said.
TRV_API trv_compound_def trv_default_compound_def(void);

/// A solid made of convex parts, which may overlap: a chair of boxes, the pieces that an artist cut
/// a shape into. Copies `parts`, keeps a reference to each hull, and sorts the parts into a tree of
/// boxes. Immutable, shared by reference count; the caller holds one reference. Overlaps of parts
/// count once, but a point deep in the union may be shallow in each part: distances below zero are
/// those of single parts.
/// TRV_ERROR_RANGE      no parts; a part's shape or place (trv_shape_check), or one that reaches
///                      beyond TRV_COORD_MAX in the compound's frame
/// TRV_ERROR_KIND       a part that is a half-space, a compound, or no shape
/// TRV_ERROR_NUMBER, _ROTATION, _NULL, _LIMIT, _DEF, _MEMORY
/// Cost: n log^2 n in the parts, and linear in the hulls' vertices. Two blocks of memory, one of
/// which stays.
/// Source: the tree is that of Ericson 2004, "Real-Time Collision Detection", section 6.2.
TRV_API trv_result trv_compound_create(const trv_compound_part *parts, uint32_t count,
                                       const trv_compound_def *def, trv_compound **out);

/// Another owner; every owner calls trv_compound_release once, and the last one frees. Thread-safe.
/// NULL is allowed.
TRV_API void trv_compound_retain(const trv_compound *compound);
TRV_API void trv_compound_release(const trv_compound *compound);

/// 0 for NULL.
TRV_API uint32_t trv_compound_part_count(const trv_compound *compound);
/// Part `index` as it was given. TRV_ERROR_INDEX past the end.
TRV_API trv_result trv_compound_part_get(const trv_compound *compound, uint32_t index,
                                         trv_compound_part *out);
/// Bounds of all parts in the compound's frame, rounded outward; zero for NULL.
TRV_API trv_aabb trv_compound_bounds_local(const trv_compound *compound);

/// trv_shape_cast_ray on a compound, and the part that is hit: where several are hit at the same
/// fraction, the first of them. The ray is rounded to float32 once, in the compound's frame.
TRV_API trv_result trv_compound_cast_ray(const trv_compound *compound, trv_pose pose, trv_ray ray,
                                         trv_ray_hit *out, uint32_t *part);

/// trv_collide for each pair of parts: one manifold for each pair closer than `margin`, ascending by
/// `part_a`, then `part_b`. A shape that is no compound is one part, number 0. `*count` is how many
/// pairs there are; where that is more than `capacity` the result is TRV_ERROR_LIMIT, `*count` is
/// what is needed all the same, and no manifold is given. `manifolds` may be NULL where capacity is 0.
/// There are no caches: a remembered plane pays where shapes are near but apart, and pairs of parts
/// like that change with every move; those that touch gain nothing.
/// Cost: about log n + k pairs of parts are looked at, where the bounds of k come close.
TRV_API trv_result trv_collide_all(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                                   trv_pose pose_b, float margin, trv_manifold *manifolds,
                                   uint32_t capacity, uint32_t *count);

/// World-space bounds of a posed shape, grown by `margin` (>= 0, m) on every side and rounded
/// outward. A half-space has none (TRV_ERROR_KIND). Cost: linear in parts; of a hull with more than 64
/// vertices only the farthest are climbed to, and its box is larger by 1e-6 of its size on each side,
/// or 1e-5 where near-coplanar faces were united.
/// Source: Lander 1999, "When Two Hearts Collide", Listing 1.
TRV_API trv_result trv_bounds_of_shape(const trv_shape *shape, trv_pose pose, float margin,
                                       trv_aabb *out);

// Sets of points ---------------------------------------------------------------------------------

/// trv_distance of the convex hulls of two sets of points, taken as they come: in any order, with
/// doubles, all on one line or in one plane, from one point up. So also of triangles, quads and
/// segments with one another or with a hull's vertices. Points are in their pose's frame.
/// Apart: the distance, and closest points (where many pairs are as close, one of them). Where they
/// meet: minus the penetration depth, which is 0 where they only touch, or lie in one plane. Should
/// both be round and finely divided, the depth of sets of more than eight points may come out too
/// large by a few hundredths of itself; it parts them all the same.
/// TRV_ERROR_NULL, _TOO_FEW (a count of 0), _NUMBER, _RANGE, _ROTATION. Cost: some ten times both
/// counts, apart; a few hundred times where they overlap.
/// Source: Gilbert, Johnson and Keerthi 1988; van den Bergen 2001 (depth).
TRV_API trv_result trv_distance_points(const trv_vec3 *a, uint32_t count_a, trv_pose pose_a,
                                       const trv_vec3 *b, uint32_t count_b, trv_pose pose_b,
                                       trv_gap *out);

// Moving shapes: the first time in a step at which they touch -------------------------------------

/// How a shape moves through a step, at constant velocities; `t` is the fraction of it, 0..1:
/// world(t) = Rot(turn * t) (R x - R c) + R c + p + travel * t, where R and p are those of `pose` and
/// c is `center_local`. Zeros for a shape that rests.
typedef struct trv_motion {
    trv_pose pose;         ///< at fraction 0
    trv_vec3 travel;       ///< of the turning centre in the whole step, m
    trv_vec3 turn;         ///< rotation vector of the whole step: world axis times angle in rad
    trv_vec3 center_local; ///< turning centre, in the shape's frame; zero: its origin
} trv_motion;

/// At rest in `pose`.
TRV_API trv_motion trv_make_motion(trv_pose pose);

/// The pose at a fraction of the step, the rotation normalised. Always finite: no motion (NULL) and
/// NaN, infinite or absurd numbers give the origin, not turned. Own trigonometry: the same bits on
/// every target.
TRV_API trv_pose trv_motion_at(const trv_motion *motion, float fraction);

/// Where two moving shapes first touch.
typedef struct trv_impact_hit {
    bool hit;        ///< they touch at some fraction in [0, 1]
    bool start;      ///< they touch or overlap at 0: `fraction` is 0
    float fraction;  ///< of the step; rounded down, so that at it they do not yet overlap
    trv_vec3 normal; ///< unit, from A to B, at that time; of least overlap where they overlap
    trv_vec3 point;  ///< where they touch, world space; half-way where they overlap
    uint32_t part_a; ///< the parts of compounds that touch, else 0
    uint32_t part_b;
} trv_impact_hit;

/// First contact of two moving shapes, translation and rotation of both; touching counts, at both
/// ends of the step too. No hit is TRV_OK with out->hit == false. No contact is stepped over, however
/// thin the shapes and fast the motion: the way up to the fraction is proven free. Should that proof
/// take more than some thousand steps (shapes that roll past one another by a hair, for many turns),
/// the answer is a hit where it had come to. A plane and a plane are refused (TRV_ERROR_KIND);
/// travel, turn and center_local are within +- TRV_COORD_MAX. Cost: about one distance search for a
/// miss, three to eight for a hit. The thousands are those of all pairs of parts together.
/// Compounds meet where the first of their parts do; of pairs that touch at one time that of lowest
/// `part_a`, then `part_b`, is told, and at 0 the pair that overlaps most. Cost: of n pairs of parts
/// some log n are looked at, or as many as touch at the start.
/// Source: Mirtich 1996, conservative advancement, with a bound of second order; src/narrow.
TRV_API trv_result trv_impact(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                              const trv_motion *motion_b, trv_impact_hit *out);

/// The same, and in `*last` the fraction at which the contact that begins at out->fraction ends,
/// 1 where it does not within the step. Where something turns, contact may end and begin again; a
/// parting is then overlooked that is narrower than a millionth of the smaller shape's size, or
/// shorter than 1/256 of the step and of a radian of turning (1/8192 of the step for fast spins).
/// Zero without a hit.
/// Of compounds it is the first moment after out->fraction when no parts touch: where contact of one
/// pair ends while another pair touches, it goes on. Should that take more than some hundred
/// thousand looks (many parts that spin within one another), it is where it had come to.
/// Source: Gomez 1999, whose u1 this is.
TRV_API trv_result trv_impact_span(const trv_shape *a, const trv_motion *motion_a,
                                   const trv_shape *b, const trv_motion *motion_b,
                                   trv_impact_hit *out, float *last);

/// First contact of a shape that travels through a world at rest. Casts that start close to the
/// target and move away do not hit; those that start touching do. The normal is from the shape to
/// the target.
TRV_API trv_result trv_shape_cast(const trv_shape *shape, trv_pose pose, trv_vec3 travel,
                                  const trv_shape *target, trv_pose target_pose,
                                  trv_impact_hit *out);

#ifdef __cplusplus
}
#endif

#endif
