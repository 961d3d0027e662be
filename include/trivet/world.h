/// Trivet world: bodies made of shapes, stepped through time.
///
/// A step is deterministic: the same calls give the same bits on every machine, with any number of
/// workers. Calls on one world come from one thread at a time; const queries may run together
/// between steps. Ids name parts of a world; {0} is null, and an id outlives its object safely
/// (TRV_ERROR_STALE). Every function below also answers TRV_ERROR_NULL for a NULL world or output,
/// TRV_ERROR_FOREIGN for an id of another world, and TRV_ERROR_BUSY during a step.
#ifndef TRIVET_WORLD_H
#define TRIVET_WORLD_H

#include "collide.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trv_world trv_world;

typedef struct trv_body_id {
    uint32_t index1;
    uint16_t world;
    uint16_t generation;
} trv_body_id;

typedef struct trv_shape_id {
    uint32_t index1;
    uint16_t world;
    uint16_t generation;
} trv_shape_id;

/// How a world is made. Make it with trv_default_world_def().
typedef struct trv_world_def {
    uint32_t cookie;
    /// Stamped into the ids of this world, to tell them from another's. 0: derived from the world's
    /// address, so that worlds of one process differ; another value makes ids repeat from run to
    /// run, which saved games may want. Never part of the state.
    uint16_t tag;
    bool sleep;                  ///< bodies that stay put fall asleep; default true
    trv_vec3 gravity;            ///< m/s^2; default (0, -9.81, 0)
    float restitution_threshold; ///< m/s; slower impacts do not bounce; default 0.5
    float hit_threshold;         ///< m/s; slower impacts make no hit event; default 1
    float push_speed;            ///< m/s; overlap is pushed out no faster than this; default 1
    float sleep_time;            ///< s without moving before sleep; default 0.5
    uint32_t max_bodies;         ///< TRV_ERROR_LIMIT beyond; default 1 << 20
    uint32_t max_shapes;         ///< default 1 << 21
    uint32_t max_contacts;       ///< pairs of shapes that are near each other; default 1 << 23
    uint32_t kept_saves; ///< a hull whose last shape is gone is kept for this many further calls of
        ///< trv_world_save, so that saves which know it can be restored; default 64
    trv_allocator allocator;
    trv_log log;
    trv_workers workers;
} trv_world_def;

TRV_API trv_world_def trv_default_world_def(void);

/// Also TRV_ERROR_DEF, _NUMBER, _RANGE, _LIMIT (workers.count > 64), _MEMORY.
TRV_API trv_result trv_world_create(const trv_world_def *def, trv_world **world);

/// Frees the world and all that is in it, and its references to hulls. NULL is allowed.
TRV_API void trv_world_destroy(trv_world *world);

typedef enum trv_body_kind {
    TRV_BODY_STATIC,    ///< never moves by itself
    TRV_BODY_KINEMATIC, ///< moves by its velocity; nothing pushes it
    TRV_BODY_DYNAMIC    ///< moved by forces, impulses and contacts
} trv_body_kind;

/// What keeps a fast body from passing through others.
typedef enum trv_motion_quality {
    TRV_MOTION_CONTINUOUS, ///< swept, with its rotation, wherever it moves far for its thickness
    TRV_MOTION_DISCRETE    ///< looked at where it is at the steps only: cheaper, may tunnel
} trv_motion_quality;

/// How a body is made. Make it with trv_default_body_def().
typedef struct trv_body_def {
    uint32_t cookie;
    trv_body_kind kind;        ///< default TRV_BODY_STATIC
    trv_vec3 position;         ///< of the body's origin, m
    trv_quat rotation;         ///< unit
    trv_vec3 linear_velocity;  ///< of the centre of mass, m/s
    trv_vec3 angular_velocity; ///< rad/s
    float linear_damping;      ///< 1/s, >= 0; default 0
    float angular_damping;     ///< 1/s, >= 0; default 0
    float gravity_scale;       ///< default 1
    bool asleep;               ///< starts asleep; dynamic bodies only
    bool never_sleeps;
    trv_motion_quality motion; ///< default TRV_MOTION_CONTINUOUS: against static and moving bodies
    uint64_t user;             ///< comes back in events and queries
} trv_body_def;

TRV_API trv_body_def trv_default_body_def(void);

/// Also TRV_ERROR_DEF, _NUMBER, _RANGE, _ROTATION, _KIND, _LIMIT, _MEMORY.
TRV_API trv_result trv_body_create(trv_world *world, const trv_body_def *def, trv_body_id *body);

/// Destroys the body and its shapes; what it touched wakes. Its touching pairs get end events.
TRV_API trv_result trv_body_destroy(trv_world *world, trv_body_id body);

/// TRV_OK while the id names a body of this world.
TRV_API trv_result trv_body_check(const trv_world *world, trv_body_id body);

TRV_API trv_result trv_body_pose(const trv_world *world, trv_body_id body, trv_pose *pose);
/// Teleports: no velocity comes of it. Wakes the body and what it touched.
TRV_API trv_result trv_body_set_pose(trv_world *world, trv_body_id body, trv_pose pose);

TRV_API trv_result trv_body_velocity(const trv_world *world, trv_body_id body, trv_vec3 *linear,
                                     trv_vec3 *angular);
/// TRV_ERROR_KIND for static bodies. Wakes the body.
TRV_API trv_result trv_body_set_velocity(trv_world *world, trv_body_id body, trv_vec3 linear,
                                         trv_vec3 angular);

/// Adds an impulse (N s) at a world point; dynamic bodies only (TRV_ERROR_KIND). Wakes the body.
/// TRV_ERROR_RANGE where a velocity would come of it beyond TRV_COORD_MAX.
TRV_API trv_result trv_body_apply_impulse(trv_world *world, trv_body_id body, trv_vec3 impulse,
                                          trv_vec3 point);
/// Adds a force (N) at a world point and a torque (N m) for the next step only.
TRV_API trv_result trv_body_apply_force(trv_world *world, trv_body_id body, trv_vec3 force,
                                        trv_vec3 point, trv_vec3 torque);

/// Mass (kg), centre of mass in the body's frame, inertia about it (kg m^2: xx yy zz xy xz yz).
/// Zeros for bodies that are not dynamic.
TRV_API trv_result trv_body_mass(const trv_world *world, trv_body_id body, float *mass,
                                 trv_vec3 *center, float inertia[6]);

TRV_API trv_result trv_body_awake(const trv_world *world, trv_body_id body, bool *awake);
/// Puts a dynamic body to sleep alone, or wakes it and all that sleeps in one heap with it.
TRV_API trv_result trv_body_set_awake(trv_world *world, trv_body_id body, bool awake);

TRV_API trv_result trv_body_kind_get(const trv_world *world, trv_body_id body, trv_body_kind *kind);
TRV_API trv_result trv_body_user(const trv_world *world, trv_body_id body, uint64_t *user);

/// What a surface is made of. Of two surfaces that touch, friction combines as the geometric mean,
/// restitution and rolling friction as the larger one.
typedef struct trv_material {
    float friction;         ///< Coulomb's, >= 0; default 0.6
    float restitution;      ///< 0..1; default 0
    float rolling_friction; ///< lever arm of the torque that resists rolling and spinning, m, >= 0;
                            ///< default 0: balls roll on. A tyre on a road has some millimetres
    float density;          ///< kg/m^3, >= 0; default 1000; 0 adds no mass
} trv_material;

/// Which of Lander's two ways keeps a shape's bounding box up to date.
typedef enum trv_bounds_way {
    TRV_BOUNDS_EXACT,   ///< every vertex: tight; cost grows with the vertices
    TRV_BOUNDS_REST_BOX ///< the eight corners of the rest-pose box: looser, cost is constant
} trv_bounds_way;

/// How a shape is put on a body. Make it with trv_default_shape_def().
typedef struct trv_shape_def {
    uint32_t cookie;
    trv_bounds_way bounds; ///< default TRV_BOUNDS_EXACT
    trv_material material;
    trv_filter filter;
    bool hit_events; ///< default true
    uint64_t user;
} trv_shape_def;

TRV_API trv_shape_def trv_default_shape_def(void);

/// Adds a copy of `shape`, given in the body's frame; the body's mass follows. A hull is shared, and
/// the world holds a reference. Half-spaces go on static bodies only, and compounds on none: each
/// part is a shape of its own on the body (TRV_ERROR_KIND, and a line in the log). Also
/// TRV_ERROR_DEF, _NUMBER, _RANGE, _ROTATION, _VOLUME, _LIMIT, _MEMORY.
TRV_API trv_result trv_shape_create(trv_world *world, trv_body_id body, const trv_shape_def *def,
                                    const trv_shape *shape, trv_shape_id *id);
TRV_API trv_result trv_shape_destroy(trv_world *world, trv_shape_id shape);

TRV_API trv_result trv_shape_body(const trv_world *world, trv_shape_id shape, trv_body_id *body);
/// The solid itself, in the body's frame; a hull in it lives as long as the shape.
TRV_API trv_result trv_shape_solid(const trv_world *world, trv_shape_id shape, trv_shape *solid);
/// The bounding box in world space, by the shape's way; infinite sides are cut at TRV_COORD_MAX.
TRV_API trv_result trv_shape_bounds(const trv_world *world, trv_shape_id shape, trv_aabb *bounds);
TRV_API trv_result trv_shape_user(const trv_world *world, trv_shape_id shape, uint64_t *user);

/// Advances by `dt` seconds (> 0, <= 1) in `substeps` (1..64) equal sub-steps. Also TRV_ERROR_MEMORY
/// and _LIMIT: the bodies have then not moved, and the step may be tried again. Allocates only
/// while something grows. Source: Catto 2024, "Solver2D": soft contacts, relaxed per sub-step.
TRV_API trv_result trv_world_step(trv_world *world, float dt, uint32_t substeps);

/// Two shapes began or ceased to touch. The ids of an end may be of shapes that are gone.
typedef struct trv_touch_event {
    trv_shape_id shape_a, shape_b;
    trv_body_id body_a, body_b;
    uint64_t user_a, user_b; ///< of the shapes
} trv_touch_event;

/// Two shapes met faster than the world's hit threshold.
typedef struct trv_hit_event {
    trv_shape_id shape_a, shape_b;
    uint64_t user_a, user_b;
    trv_vec3 point;
    trv_vec3 normal; ///< unit, from A to B
    float speed;     ///< of approach along the normal, m/s
    float impulse;   ///< largest in the step, N s
} trv_hit_event;

/// A body that numbers too large had spoilt, or that left the range of coordinates: it was stopped
/// where it was before the step, at rest, and the rest of the world went on.
typedef struct trv_quarantine_event {
    trv_body_id body;
    uint64_t user; ///< of the body
} trv_quarantine_event;

/// What the last step brought, in an order that depends on nothing but the world's state. Ends of
/// shapes destroyed since the step before are among its ends. Valid until the next step.
typedef struct trv_events {
    const trv_touch_event *begins;
    const trv_touch_event *ends;
    const trv_hit_event *hits;
    const trv_quarantine_event *quarantines;
    uint32_t begin_count;
    uint32_t end_count;
    uint32_t hit_count;
    uint32_t quarantine_count;
} trv_events;

/// Empty for a NULL world.
TRV_API trv_events trv_world_events(const trv_world *world);

/// A pair of shapes that touched in the last step.
typedef struct trv_contact {
    trv_shape_id shape_a, shape_b;
    trv_body_id body_a, body_b;
    trv_manifold manifold; ///< as of the beginning of the step
    float impulse;         ///< normal, summed over the points, of the last sub-step, N s
} trv_contact;

/// Copies up to `capacity` touching contacts, in a fixed order, sleeping ones included; `count`
/// gets how many there are.
TRV_API trv_result trv_world_contacts(const trv_world *world, trv_contact *contacts,
                                      uint32_t capacity, uint32_t *count);

/// First shape that a ray meets. No hit is TRV_OK with hit->hit == false, and then a null id.
/// Cost grows with the boxes along the ray. Safe from many threads between steps.
TRV_API trv_result trv_world_cast_ray(const trv_world *world, trv_ray ray, trv_filter filter,
                                      trv_shape_id *shape, trv_ray_hit *hit);

/// Counts of the last step.
typedef struct trv_world_counters {
    uint32_t bodies;
    uint32_t awake_bodies; ///< dynamic and kinematic bodies that were stepped
    uint32_t shapes;
    uint32_t pairs;            ///< pairs of near bounds with one side awake
    uint32_t touching;         ///< contacts of awake bodies that touch
    uint32_t convex_tests;     ///< pairs given to the narrowphase
    uint32_t apart;            ///< of these, found apart
    uint32_t apart_remembered; ///< of these, by the plane remembered from an earlier step alone
    uint32_t colors;           ///< batches of contacts that share no body
    uint64_t bytes;            ///< memory that the world holds
} trv_world_counters;

TRV_API trv_result trv_world_counters_get(const trv_world *world, trv_world_counters *counters);

/// A hash of the whole state: poses, velocities, sleep, contacts and their impulses. Equal hashes
/// on two machines mean that the worlds run in step. 0 for a NULL world.
TRV_API uint64_t trv_world_hash(const trv_world *world);

// Snapshots and files ----------------------------------------------------------------------------

/// Rolling back. A save is a flat copy of the state, contacts, caches, sleep and events included, for
/// trv_world_restore of the same world in the same process: stepping on from it gives the same bits
/// again, ids name the same objects again. Hulls are not copied: the world keeps those that a save
/// knows, see trv_world_def.kept_saves. `buffer` needs no alignment. TRV_ERROR_RANGE where `capacity`
/// is less than trv_world_save_size, which is an upper bound; `*size` is what was written.
TRV_API size_t trv_world_save_size(const trv_world *world); ///< 0 for NULL
TRV_API trv_result trv_world_save(trv_world *world, void *buffer, size_t capacity, size_t *size);

/// Makes the world what it was when it was saved. The world is unchanged on TRV_ERROR_KIND (no save of
/// this version), TRV_ERROR_RANGE (cut short or damaged), TRV_ERROR_FOREIGN (of another world),
/// TRV_ERROR_STALE (a hull of it is no longer kept), TRV_ERROR_LIMIT, TRV_ERROR_MEMORY. Allocates
/// only where the world has to grow. Ids made since the save may name other objects later on.
TRV_API trv_result trv_world_restore(trv_world *world, const void *buffer, size_t size);

/// The file form, for saved games: as trv_world_save, but on its own, hulls included, and for every
/// machine whose numbers are little-endian. `write_size` is exact; it and `write` look for shapes that
/// share a hull, and allocate for that (0, TRV_ERROR_MEMORY).
TRV_API size_t trv_world_write_size(const trv_world *world);
TRV_API trv_result trv_world_write(const trv_world *world, void *buffer, size_t capacity,
                                   size_t *size);

/// Makes the world, new or not, what the written one was: equal hashes, and the same bits from then
/// on. Hooks, tag, limits and kept_saves stay the world's own; ids keep their index and generation.
/// Everything is checked before anything changes, at a cost of some milliseconds for each 1000 bodies.
/// TRV_ERROR_KIND: no file of this version. TRV_ERROR_RANGE: cut short, damaged, or contradicting
/// itself. TRV_ERROR_LIMIT: more than the world may hold. TRV_ERROR_MEMORY.
TRV_API trv_result trv_world_read(trv_world *world, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
