/// @file
/// Trivet world: bodies made of shapes, stepped through time. Questions about it are in
/// <trivet/query.h>.
///
/// A step is deterministic: the same calls give the same bits on every machine, with any number of
/// workers. Calls on one world come from one thread at a time; const queries may run together
/// between steps. Ids name parts of a world; {0} is null, and an id outlives its object safely
/// (TRV_ERROR_STALE), until its index has been used 65,536 times anew. Every function below also
/// answers TRV_ERROR_NULL for a NULL world or output, and TRV_ERROR_FOREIGN for an id of another
/// world; what changes the world, saves or reads it answers TRV_ERROR_BUSY during a step. Getters
/// may be called then, by hooks on the step's thread: they tell what the step has come to. Numbers
/// are refused that are not finite (TRV_ERROR_NUMBER) or, where no other range is told, beyond
/// TRV_COORD_MAX in their unit (TRV_ERROR_RANGE): so are forces, impulses, densities.
#ifndef TRIVET_WORLD_H
#define TRIVET_WORLD_H

#include "collide.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bodies, their shapes, and what goes on between them.
typedef struct trv_world trv_world;

/// Names a body: index from 1, the world's tag, and a generation that tells it from earlier users
/// of the index. {0} is null.
typedef struct trv_body_id {
    uint32_t index1;
    uint16_t world;
    uint16_t generation;
} trv_body_id;

/// Names a shape, as trv_body_id does a body.
typedef struct trv_shape_id {
    uint32_t index1;
    uint16_t world;
    uint16_t generation;
} trv_shape_id;

struct trv_pre_solve_input;
struct trv_pre_solve_output;

/// Has a say in each contact of shapes with TRV_SHAPE_PRE_SOLVE, before it is solved: one-way
/// platforms, conveyors, surfaces without grip. See trv_pre_solve_input. Called from workers, for
/// many contacts at once, in no order: it must be a pure function of its input and of what does not
/// change during the step, and call nothing that changes the world.
typedef void trv_pre_solve_fn(void *user, const struct trv_pre_solve_input *input,
                              struct trv_pre_solve_output *output);

/// The pre-solve hook of a world.
typedef struct trv_pre_solve {
    void *user;
    trv_pre_solve_fn *fn; ///< NULL: none
} trv_pre_solve;

/// Clock hook: seconds since some fixed moment. It is asked a dozen times or so in a step, from the
/// thread that made the call, and for trv_world_profile_get alone: nothing else depends on it.
typedef struct trv_clock {
    void *user;
    double (*seconds)(void *user); ///< NULL: none
} trv_clock;

/// How a world is made. Make it with trv_default_world_def().
typedef struct trv_world_def {
    uint32_t cookie;
    /// Stamped into the ids of this world, to tell them from another's. 0: derived from the world's
    /// address, so that two worlds of one process mostly differ; but one made where another was may have
    /// its tag, and take its ids for its own: who keeps ids beyond a world's end gives each world another
    /// value. That makes ids repeat from run to run, too, which saved games may want. Never part of the state.
    uint16_t tag;
    bool sleep;       ///< bodies that stay put fall asleep; default true
    trv_vec3 gravity; ///< m/s^2; default (0, -9.81, 0)
    /// m/s; slower impacts do not bounce. Small bodies bounce from less: where the farthest point of
    /// one of the two is r < 0.2 m from its centre of mass, from sqrt(r / 0.2 m) of this, but not
    /// from less than twice what gravity and forces give in a sub-step, as nothing does. But two that
    /// close in fast enough as a sub-step begins, or whom a blow brings together that were too far apart
    /// for the solver, bounce from half of these speeds. Default 0.5.
    float restitution_threshold;
    float hit_threshold; ///< m/s; slower impacts make no hit event; default 1
    /// m/s; overlap is pushed out no faster than this, and a row of bodies that overlap each with the next
    /// no faster than 2.5 times that in all; default 1
    float push_speed;
    float sleep_time;    ///< s without moving before sleep; default 0.5
    uint32_t max_bodies; ///< >= 1; TRV_ERROR_LIMIT beyond; default 1 << 20
    uint32_t max_shapes; ///< 1 .. 1 << 28; default 1 << 21
    /// Pairs of shapes that are near each other; 1 .. 1 << 30; default 1 << 23.
    uint32_t max_contacts;
    uint32_t kept_saves; ///< a hull whose last shape is gone is kept for this many further calls of
        ///< trv_world_save, so that saves which know it can be restored; default 64
    trv_pre_solve pre_solve; ///< no part of the state
    trv_clock clock;         ///< no part of the state
    trv_allocator allocator;
    trv_log log;
    trv_workers workers;
} trv_world_def;

/// What holds where nothing else is said.
TRV_API trv_world_def trv_default_world_def(void);

/// Also TRV_ERROR_DEF, _NUMBER, _RANGE, _LIMIT (workers.count > 64), _MEMORY.
TRV_API trv_result trv_world_create(const trv_world_def *def, trv_world **world);

/// Frees the world and all that is in it, and its references to hulls. NULL is allowed.
TRV_API void trv_world_destroy(trv_world *world);

/// m/s^2.
TRV_API trv_result trv_world_gravity(const trv_world *world, trv_vec3 *gravity);
/// m/s^2. Where it changes, all bodies that it acts on wake, and the next step finds the points of their
/// contacts anew.
TRV_API trv_result trv_world_set_gravity(trv_world *world, trv_vec3 gravity);

/// What of a world's def can be changed later; the units and ranges are those of trv_world_def.
typedef struct trv_world_settings {
    bool sleep; ///< when it is switched off, all bodies wake
    float restitution_threshold;
    float hit_threshold;
    float push_speed;
    float sleep_time;
} trv_world_settings;

/// What can be changed, as it is now.
TRV_API trv_result trv_world_settings_get(const trv_world *world, trv_world_settings *settings);
/// All of it at once; also TRV_ERROR_NUMBER, _RANGE.
TRV_API trv_result trv_world_set_settings(trv_world *world, const trv_world_settings *settings);
/// Another hook from the next step on. It wakes nobody: what sleeps on something that the hook would let it pass
/// stays there until it is woken.
TRV_API trv_result trv_world_set_pre_solve(trv_world *world, trv_pre_solve pre_solve);

/// Moves the origin to `origin`: subtracts it from every place in the world, each rounded once, so
/// that what is near the new origin is exact where it was far from the old one. Velocities, sleep,
/// contacts and what they remember stay; there are no events. TRV_ERROR_RANGE, and nothing changes,
/// where a body would leave the range of coordinates. Cost: linear in bodies, shapes and contacts.
TRV_API trv_result trv_world_shift_origin(trv_world *world, trv_vec3 origin);

/// What moves a body.
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

/// What a dynamic body cannot do, along or about the axes of the world; joined by |. A body that is
/// locked along an axis is as heavy as the ground there; one that is locked about all axes does not
/// turn.
typedef enum trv_lock {
    TRV_LOCK_LINEAR_X = 1,
    TRV_LOCK_LINEAR_Y = 2,
    TRV_LOCK_LINEAR_Z = 4,
    TRV_LOCK_ANGULAR_X = 8,
    TRV_LOCK_ANGULAR_Y = 16,
    TRV_LOCK_ANGULAR_Z = 32,
    TRV_LOCK_ALL = 63
} trv_lock;

/// How a body is made. Make it with trv_default_body_def().
typedef struct trv_body_def {
    uint32_t cookie;
    trv_body_kind kind; ///< default TRV_BODY_STATIC
    trv_vec3 position;  ///< of the body's origin, m
    trv_quat rotation;  ///< unit
    /// Of the body's origin: there are no shapes yet, m/s. A static body has none, whatever is said here; one
    /// that is made asleep keeps it, and goes on with it when it wakes.
    trv_vec3 linear_velocity;
    trv_vec3 angular_velocity; ///< rad/s; the same holds for it
    float linear_damping;      ///< 1/s, >= 0; default 0
    float angular_damping;     ///< 1/s, >= 0; default 0
    float gravity_scale;       ///< default 1
    uint32_t locks;            ///< of trv_lock; default 0
    bool asleep;               ///< starts asleep; dynamic bodies only
    bool never_sleeps;
    trv_motion_quality motion; ///< default TRV_MOTION_CONTINUOUS: against static and moving bodies
    bool disabled;             ///< see trv_body_set_enabled
    uint64_t user;             ///< comes back in events and queries
} trv_body_def;

/// What holds where nothing else is said.
TRV_API trv_body_def trv_default_body_def(void);

/// Also TRV_ERROR_DEF, _NUMBER, _RANGE, _ROTATION, _KIND, _LIMIT, _MEMORY.
TRV_API trv_result trv_body_create(trv_world *world, const trv_body_def *def, trv_body_id *body);

/// Destroys the body and its shapes; what it touched wakes. Its touching pairs get end events.
TRV_API trv_result trv_body_destroy(trv_world *world, trv_body_id body);

/// TRV_OK while the id names a body of this world.
TRV_API trv_result trv_body_check(const trv_world *world, trv_body_id body);

/// Where the body's origin is, and how the body is turned.
TRV_API trv_result trv_body_pose(const trv_world *world, trv_body_id body, trv_pose *pose);
/// Teleports: no velocity comes of it. Wakes the body and what it touched.
TRV_API trv_result trv_body_set_pose(trv_world *world, trv_body_id body, trv_pose pose);

/// Of the centre of mass, m/s, and rad/s.
TRV_API trv_result trv_body_velocity(const trv_world *world, trv_body_id body, trv_vec3 *linear,
                                     trv_vec3 *angular);
TRV_API trv_result trv_body_linear_velocity(const trv_world *world, trv_body_id body,
                                            trv_vec3 *linear);
TRV_API trv_result trv_body_angular_velocity(const trv_world *world, trv_body_id body,
                                             trv_vec3 *angular);
/// Of the body's point that is now at `point`.
TRV_API trv_result trv_body_velocity_at(const trv_world *world, trv_body_id body, trv_vec3 point,
                                        trv_vec3 *velocity);
/// TRV_ERROR_KIND for static bodies. Wakes the body. What a lock forbids is left out.
TRV_API trv_result trv_body_set_velocity(trv_world *world, trv_body_id body, trv_vec3 linear,
                                         trv_vec3 angular);
TRV_API trv_result trv_body_set_linear_velocity(trv_world *world, trv_body_id body,
                                                trv_vec3 linear);
TRV_API trv_result trv_body_set_angular_velocity(trv_world *world, trv_body_id body,
                                                 trv_vec3 angular);
/// Gives a kinematic body (TRV_ERROR_KIND) the velocities with which one step of `dt` seconds
/// brings it to `target`, to float32 rounding, by the shorter turn. It goes on with them until it
/// is told otherwise. What it pushes is pushed by a motion, not by a jump. Its velocity changes as the
/// step begins, all at once: where that is by more than mu g dt / substeps, what stands on it slips, by
/// the square of the change over 2 mu g. TRV_ERROR_RANGE where that would take more than TRV_COORD_MAX
/// m/s or rad/s.
TRV_API trv_result trv_body_move_to(trv_world *world, trv_body_id body, trv_pose target, float dt);

/// Adds an impulse (N s) at a world point or at the centre of mass, or an angular one (N m s);
/// dynamic bodies only (TRV_ERROR_KIND). Wakes the body. A disabled body is not pushed.
/// TRV_ERROR_RANGE where a velocity would come of it beyond TRV_COORD_MAX.
TRV_API trv_result trv_body_apply_impulse(trv_world *world, trv_body_id body, trv_vec3 impulse,
                                          trv_vec3 point);
TRV_API trv_result trv_body_apply_impulse_to_center(trv_world *world, trv_body_id body,
                                                    trv_vec3 impulse);
TRV_API trv_result trv_body_apply_angular_impulse(trv_world *world, trv_body_id body,
                                                  trv_vec3 impulse);
/// Adds a force (N) at a world point and a torque (N m), for the next step only; dynamic bodies
/// only. Wakes the body; who is disabled or put to sleep before that step loses it. TRV_ERROR_RANGE
/// also where the sum would be more than 1e30.
TRV_API trv_result trv_body_apply_force(trv_world *world, trv_body_id body, trv_vec3 force,
                                        trv_vec3 point, trv_vec3 torque);
TRV_API trv_result trv_body_apply_force_to_center(trv_world *world, trv_body_id body,
                                                  trv_vec3 force);
TRV_API trv_result trv_body_apply_torque(trv_world *world, trv_body_id body, trv_vec3 torque);

/// As in trv_body_def. What changes a body's motion wakes it. A static body is given room for
/// what it has no use for yet: TRV_ERROR_MEMORY where there is none.
TRV_API trv_result trv_body_gravity_scale(const trv_world *world, trv_body_id body, float *scale);
TRV_API trv_result trv_body_set_gravity_scale(trv_world *world, trv_body_id body, float scale);
TRV_API trv_result trv_body_damping(const trv_world *world, trv_body_id body, float *linear,
                                    float *angular);
TRV_API trv_result trv_body_set_damping(trv_world *world, trv_body_id body, float linear,
                                        float angular);
/// Bits of trv_lock (TRV_ERROR_RANGE for others); they bind dynamic bodies only.
TRV_API trv_result trv_body_locks(const trv_world *world, trv_body_id body, uint32_t *locks);
TRV_API trv_result trv_body_set_locks(trv_world *world, trv_body_id body, uint32_t locks);

/// Mass (kg), centre of mass in the body's frame, inertia about it (kg m^2: xx yy zz xy xz yz), of which no
/// principal moment is less than a millionth of the largest: those of thinner sticks are raised to that.
/// Zeros for bodies that are not dynamic.
TRV_API trv_result trv_body_mass(const trv_world *world, trv_body_id body, float *mass,
                                 trv_vec3 *center, float inertia[6]);
/// Says what trv_body_mass tells, whatever the shapes, until trv_body_reset_mass. Dynamic bodies
/// only (TRV_ERROR_KIND); mass > 0 and a positive definite inertia that float32 can invert
/// (TRV_ERROR_VOLUME). The body wakes; its velocity is that of the new centre.
TRV_API trv_result trv_body_set_mass(trv_world *world, trv_body_id body, float mass,
                                     trv_vec3 center, const float inertia[6]);
/// Mass follows the shapes again. TRV_ERROR_KIND, _VOLUME.
TRV_API trv_result trv_body_reset_mass(trv_world *world, trv_body_id body);

/// Whether the body is stepped; static bodies never are.
TRV_API trv_result trv_body_awake(const trv_world *world, trv_body_id body, bool *awake);
/// Puts a dynamic body to sleep alone, which takes its velocity, as falling asleep by itself does, or wakes it
/// and all that sleeps in one heap with it. A disabled body is neither. TRV_ERROR_KIND for others: static
/// bodies never are awake, kinematic ones always.
TRV_API trv_result trv_body_set_awake(trv_world *world, trv_body_id body, bool awake);
/// As in trv_body_def.
TRV_API trv_result trv_body_never_sleeps(const trv_world *world, trv_body_id body, bool *never);
TRV_API trv_result trv_body_set_never_sleeps(trv_world *world, trv_body_id body, bool never);

/// A disabled body keeps its place and velocity, and nothing meets or finds it: its touches end. Enabled
/// again it is awake.
TRV_API trv_result trv_body_enabled(const trv_world *world, trv_body_id body, bool *enabled);
TRV_API trv_result trv_body_set_enabled(trv_world *world, trv_body_id body, bool enabled);

/// What moves the body.
TRV_API trv_result trv_body_kind_get(const trv_world *world, trv_body_id body, trv_body_kind *kind);
/// Its touches end and begin anew; what it touched wakes. A static body gives up its velocity. A
/// mass that was set is forgotten. TRV_ERROR_KIND for bodies with half-spaces, which stay static;
/// and TRV_ERROR_VOLUME where the shapes make no mass that float32 can hold. TRV_ERROR_MEMORY: a
/// body that moves takes more room than a static one.
TRV_API trv_result trv_body_set_kind(trv_world *world, trv_body_id body, trv_body_kind kind);
/// The number that comes back in events and queries.
TRV_API trv_result trv_body_user(const trv_world *world, trv_body_id body, uint64_t *user);
TRV_API trv_result trv_body_set_user(trv_world *world, trv_body_id body, uint64_t user);

struct trv_contact;

/// Up to `capacity` of the body's shapes, in the order in which they were made, of its touching
/// contacts, or of all bodies, in the order of their places; `count` gets how many there are.
TRV_API trv_result trv_body_shapes(const trv_world *world, trv_body_id body, trv_shape_id *shapes,
                                   uint32_t capacity, uint32_t *count);
TRV_API trv_result trv_body_contacts(const trv_world *world, trv_body_id body,
                                     struct trv_contact *contacts, uint32_t capacity,
                                     uint32_t *count);
TRV_API trv_result trv_world_bodies(const trv_world *world, trv_body_id *bodies, uint32_t capacity,
                                    uint32_t *count);
/// The box around all shapes of the body, each by its way, in world space; the place of its origin where it
/// has none.
TRV_API trv_result trv_body_bounds(const trv_world *world, trv_body_id body, trv_aabb *bounds);

/// What a surface is made of. Of two surfaces that touch, friction combines as the geometric mean,
/// restitution and rolling friction as the larger one.
typedef struct trv_material {
    float friction;         ///< Coulomb's, >= 0; default 0.6
    float restitution;      ///< 0..1; default 0
    float rolling_friction; ///< lever arm of the torque that resists rolling and spinning, m, >= 0;
                            ///< default 0: balls roll on. A tyre on a road has some millimetres;
                            ///< corners of boxes and hulls that touch alone a hundredth of their
                            ///< extent at least, less the faster they spin above 10 rad/s
    float density;          ///< kg/m^3, >= 0; default 1000; 0 adds no mass, nor does a sensor.
                            ///< Nothing pushes a dynamic body without mass: it falls through all
    /// How the surface runs over the body, in the body's frame, m/s: a conveyor's belt. Where it
    /// presses on another, friction works on the difference. Default 0.
    trv_vec3 surface_velocity;
} trv_material;

/// Which of Lander's two ways keeps a shape's bounding box up to date.
typedef enum trv_bounds_way {
    TRV_BOUNDS_EXACT,   ///< every vertex: tight; cost grows with the vertices
    TRV_BOUNDS_REST_BOX ///< the eight corners of the rest-pose box: looser, cost is constant
} trv_bounds_way;

/// What can be switched for one shape, while it lives.
typedef enum trv_shape_switch {
    /// Sees what overlaps it, in sensor events, and meets nothing: neither contacts nor queries.
    TRV_SHAPE_SENSOR = 1,
    TRV_SHAPE_SEES_SENSORS = 2,   ///< as a sensor it sees other sensors, too
    TRV_SHAPE_TOUCH_EVENTS = 4,   ///< begins and ends are told where both shapes want it
    TRV_SHAPE_HIT_EVENTS = 8,     ///< hits are told where both shapes want it
    TRV_SHAPE_SENSOR_EVENTS = 16, ///< sensors see it
    TRV_SHAPE_PRE_SOLVE = 32,     ///< the world's pre-solve function is asked where either wants it
    /// Has contacts and touch events also with static and kinematic bodies where its own body is
    /// none that can be pushed: for things moved by hand. Nothing is pushed by such contacts.
    TRV_SHAPE_BY_HAND = 64
} trv_shape_switch;

/// How a shape is put on a body. Make it with trv_default_shape_def().
typedef struct trv_shape_def {
    uint32_t cookie;
    trv_bounds_way bounds; ///< default TRV_BOUNDS_EXACT
    trv_material material;
    trv_filter filter;
    bool sensor;        ///< TRV_SHAPE_SENSOR; default false
    bool sees_sensors;  ///< TRV_SHAPE_SEES_SENSORS; default false
    bool touch_events;  ///< default true
    bool hit_events;    ///< default true
    bool sensor_events; ///< default true
    bool pre_solve;     ///< default false
    bool by_hand;       ///< default false
    uint64_t user;
} trv_shape_def;

/// What holds where nothing else is said.
TRV_API trv_shape_def trv_default_shape_def(void);

/// Adds a copy of `shape`, given in the body's frame; the body's mass follows. A hull is shared,
/// and the world holds a reference. Half-spaces go on static bodies only (TRV_ERROR_KIND). Also
/// TRV_ERROR_DEF, _NUMBER, _RANGE, _ROTATION, _VOLUME, _LIMIT, _MEMORY.
/// A compound becomes one shape with one id. Inside, each part is on its own in the broadphase: so
/// contacts and touches are told for each pair of parts, max_shapes counts parts, and the compound
/// itself is not kept. Hulls of parts that are turned or moved in the compound are copied, each in
/// its place, and rounded to float32 there.
TRV_API trv_result trv_shape_create(trv_world *world, trv_body_id body, const trv_shape_def *def,
                                    const trv_shape *shape, trv_shape_id *id);
/// The body's mass follows. What the body touched wakes; touches of the shape end.
TRV_API trv_result trv_shape_destroy(trv_world *world, trv_shape_id shape);

/// TRV_OK while the id names a shape of this world.
TRV_API trv_result trv_shape_alive(const trv_world *world, trv_shape_id shape);
/// The body that the shape is on.
TRV_API trv_result trv_shape_body(const trv_world *world, trv_shape_id shape, trv_body_id *body);
/// 1, or the parts of the compound that it was made of.
TRV_API trv_result trv_shape_part_count(const trv_world *world, trv_shape_id shape,
                                        uint32_t *count);
/// The solid itself, in the body's frame; a hull in it lives as long as the shape. Of compounds the
/// first part, or the one asked for: TRV_ERROR_INDEX past the end.
TRV_API trv_result trv_shape_solid(const trv_world *world, trv_shape_id shape, trv_shape *solid);
TRV_API trv_result trv_shape_part(const trv_world *world, trv_shape_id shape, uint32_t part,
                                  trv_shape *solid);
/// Puts another solid in the place of the shape's, with the same errors as trv_shape_create;
/// touches that go on are not told anew. TRV_ERROR_KIND for compounds, on both sides. The body and
/// what it touched wake; mass follows.
TRV_API trv_result trv_shape_set_solid(trv_world *world, trv_shape_id shape,
                                       const trv_shape *solid);
/// Up to `capacity` of the touching contacts of one shape, of all its parts; `count` gets how many there
/// are. See trv_body_contacts. For who is in a sensor see trv_sensor_visitors.
TRV_API trv_result trv_shape_contacts(const trv_world *world, trv_shape_id shape,
                                      struct trv_contact *contacts, uint32_t capacity,
                                      uint32_t *count);
/// The bounding box in world space, by the shape's way; infinite sides are cut at TRV_COORD_MAX.
TRV_API trv_result trv_shape_bounds(const trv_world *world, trv_shape_id shape, trv_aabb *bounds);
/// The number that comes back in events and queries.
TRV_API trv_result trv_shape_user(const trv_world *world, trv_shape_id shape, uint64_t *user);
TRV_API trv_result trv_shape_set_user(trv_world *world, trv_shape_id shape, uint64_t user);
/// What the surface is made of.
TRV_API trv_result trv_shape_material(const trv_world *world, trv_shape_id shape,
                                      trv_material *material);
/// Density is a part of it: mass follows. Wakes the body and what it touches. Shapes that are alike
/// in this and in their filter share both; TRV_ERROR_MEMORY where there is no room for one more
/// kind.
TRV_API trv_result trv_shape_set_material(trv_world *world, trv_shape_id shape,
                                          const trv_material *material);
/// Whom the shape meets.
TRV_API trv_result trv_shape_filter(const trv_world *world, trv_shape_id shape, trv_filter *filter);
/// Touches that it forbids end, and others may begin, in the next step. Wakes the body and what it
/// touches. TRV_ERROR_MEMORY as for materials.
TRV_API trv_result trv_shape_set_filter(trv_world *world, trv_shape_id shape, trv_filter filter);
/// One switch; TRV_ERROR_RANGE for what is none. Events that are switched off leave no end without
/// its begin, nor a begin without its end; a touch that goes on when they are switched on is not
/// told, only the next one.
TRV_API trv_result trv_shape_switched(const trv_world *world, trv_shape_id shape,
                                      trv_shape_switch which, bool *on);
TRV_API trv_result trv_shape_set_switch(trv_world *world, trv_shape_id shape,
                                        trv_shape_switch which, bool on);

/// Advances by `dt` seconds (1e-6 .. 1) in `substeps` (1..64) equal sub-steps. Also
/// TRV_ERROR_MEMORY and _LIMIT: the bodies have then not moved, and the step may be tried again; what
/// was found of their contacts by then is kept, and counts in the state's hash.
/// Allocates only while something grows. Source: Catto 2024, "Solver2D": soft contacts, relaxed per
/// sub-step.
TRV_API trv_result trv_world_step(trv_world *world, float dt, uint32_t substeps);

/// Finds pairs, contacts, touches and sensor events as trv_world_step does, for everything as it
/// stands, and moves nothing: for worlds whose bodies are moved by hand. There are no hits.
TRV_API trv_result trv_world_collide(trv_world *world);

/// What the pre-solve function is told of a contact.
typedef struct trv_pre_solve_input {
    trv_shape_id shape_a, shape_b;
    trv_body_id body_a, body_b;
    uint64_t user_a, user_b; ///< of the shapes
    const trv_manifold *manifold;
    trv_vec3 velocity; ///< of B relative to A at the manifold's deepest point, before the step, m/s
    bool touched;      ///< in the step before
} trv_pre_solve_input;

/// What it may say, for this step; filled in with what holds otherwise. Numbers that make no sense
/// (not finite, friction or restitution out of range) are ignored.
typedef struct trv_pre_solve_output {
    bool enable;               ///< false: as if they were apart
    float friction;            ///< Coulomb's, >= 0
    float restitution;         ///< 0..1
    trv_vec3 surface_velocity; ///< of B's surface over A's, beyond that of the bodies; world, m/s
} trv_pre_solve_output;

/// Two shapes began or ceased to touch. The ids of an end may be of shapes that are gone. Each
/// begin has one end, also when a body is destroyed, disabled, teleported, or asleep. So that what rests
/// does not begin and end in turn, a touch begins with a gap of up to half a millimetre, and ends with one
/// of more than two. A dynamic body that stands on a surface has no touch with what shows it no more than that
/// surface: with the next tile of a floor until that bears it, nor with what lies under the surface.
typedef struct trv_touch_event {
    trv_shape_id shape_a, shape_b;
    trv_body_id body_a, body_b;
    uint64_t user_a, user_b; ///< of the shapes
    uint32_t part_a, part_b; ///< of compounds, else 0
} trv_touch_event;

/// A shape began or ceased to overlap a sensor, as of the beginning of the step: of any kind of
/// body, also when neither moves. Touching counts. Begins and ends pair up as those of touches do.
typedef struct trv_sensor_event {
    trv_shape_id sensor, visitor;
    trv_body_id sensor_body, visitor_body;
    uint64_t sensor_user, visitor_user; ///< of the shapes
    uint32_t sensor_part, visitor_part; ///< of compounds, else 0
} trv_sensor_event;

/// Two shapes met faster than the world's hit threshold. Told once for each blow, in the step in
/// which it is over: at most a step later than the touch began.
typedef struct trv_hit_event {
    trv_shape_id shape_a, shape_b;
    trv_body_id body_a, body_b;
    uint64_t user_a, user_b; ///< of the shapes
    uint32_t part_a, part_b; ///< of compounds, else 0
    trv_vec3 point;
    trv_vec3 normal; ///< unit, from A to B
    float speed;     ///< of approach along the normal as they met, m/s
    /// Normal, N s: all that the blow gave at all points, in all sub-steps, with what weight pressed
    /// on in the one or two steps that it took.
    float impulse;
} trv_hit_event;

/// A body that numbers too large had spoilt, or that left the range of coordinates: it was stopped
/// where it was before the step, at rest, and the rest of the world went on.
typedef struct trv_quarantine_event {
    trv_body_id body;
    uint64_t user; ///< of the body
} trv_quarantine_event;

/// Where the step brought a body that moved. Those that rest awake are left out.
typedef struct trv_move_event {
    trv_body_id body;
    uint64_t user; ///< of the body
    trv_pose pose;
    bool fell_asleep; ///< its last one until it wakes
} trv_move_event;

/// A body fell asleep or woke. One that did both between two steps is not told of.
typedef struct trv_sleep_event {
    trv_body_id body;
    uint64_t user; ///< of the body
} trv_sleep_event;

/// What the last step (or trv_world_collide) brought, in an order that depends on nothing but the
/// world's state. What calls between steps ended is among its ends. Valid until the next step.
typedef struct trv_events {
    const trv_touch_event *begins;
    const trv_touch_event *ends;
    const trv_hit_event *hits;
    const trv_sensor_event *sensor_begins;
    const trv_sensor_event *sensor_ends;
    const trv_move_event *moves;
    const trv_sleep_event *sleeps; ///< bodies that fell asleep
    const trv_sleep_event *wakes;
    const trv_quarantine_event *quarantines;
    uint32_t begin_count;
    uint32_t end_count;
    uint32_t hit_count;
    uint32_t sensor_begin_count;
    uint32_t sensor_end_count;
    uint32_t move_count;
    uint32_t sleep_count;
    uint32_t wake_count;
    uint32_t quarantine_count;
} trv_events;

/// Empty for a NULL world.
TRV_API trv_events trv_world_events(const trv_world *world);

/// A pair of shapes that touched in the last step.
typedef struct trv_contact {
    trv_shape_id shape_a, shape_b;
    trv_body_id body_a, body_b;
    trv_manifold manifold; ///< as of the beginning of the step
    float impulse; ///< normal, summed over the points, of the last sub-step, N s; in a small
                   ///< heap that is jammed, no more than some hundred times what it bears
} trv_contact;

/// Copies up to `capacity` touching contacts, in a fixed order, sleeping ones included; `count`
/// gets how many there are. What is no touch (trv_touch_event) is not among them.
TRV_API trv_result trv_world_contacts(const trv_world *world, trv_contact *contacts,
                                      uint32_t capacity, uint32_t *count);

/// First shape that a ray meets. No hit is TRV_OK with hit->hit == false, and then a null id.
/// Sensors are not met. Cost grows with the boxes along the ray. Safe from many threads between
/// steps.
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
    uint32_t islands;          ///< of touching bodies that are solved until each has settled
    uint32_t sweeps;           ///< over their contacts: for each two or more in a sub-step
    uint64_t bytes;            ///< memory that the world holds, but for its broadphase and hulls
} trv_world_counters;

/// TRV_ERROR_NULL.
TRV_API trv_result trv_world_counters_get(const trv_world *world, trv_world_counters *counters);

/// What a step does, in its order.
typedef enum trv_phase {
    TRV_PHASE_WAYS,     ///< boxes are stretched over the way of what is fast
    TRV_PHASE_PAIRS,    ///< the broadphase; contacts come and go
    TRV_PHASE_CONTACTS, ///< the narrowphase: manifolds; what is touched wakes
    TRV_PHASE_PREPARE,  ///< islands are found, contacts dealt into batches
    TRV_PHASE_SOLVE,    ///< the sub-steps, but for:
    TRV_PHASE_IMPACTS,  ///< what bounces or may tunnel is followed through the sub-steps
    TRV_PHASE_PLACE,    ///< bodies and their boxes are put where they have come to
    TRV_PHASE_EVENTS,   ///< what happened is written down
    TRV_PHASE_SLEEP,    ///< what rests falls asleep
    TRV_PHASE_COUNT
} trv_phase;

/// One or two words, never NULL (also for values that are none).
TRV_API const char *trv_phase_text(trv_phase phase);

/// Where the time of the last step (or trv_world_collide) went. No part of the state: neither hash
/// nor saves hold it.
typedef struct trv_world_profile {
    double seconds[TRV_PHASE_COUNT]; ///< by trv_phase; >= 0
    double step;                     ///< all of it, s: the sum of these
} trv_world_profile;

/// Zeros where the world has no clock (trv_world_def.clock), or has made no step. A clock that goes
/// back, or says NaN, counts as one that stood still.
TRV_API trv_result trv_world_profile_get(const trv_world *world, trv_world_profile *profile);

/// A hash of the whole state: poses, velocities, sleep, contacts and their impulses. Equal hashes
/// on two machines mean that the worlds run in step. 0 for a NULL world.
TRV_API uint64_t trv_world_hash(const trv_world *world);

struct trv_mesh;
struct trv_mass;
struct trv_hull_def;

/// Mass, centre of mass and inertia of a shape by itself, in its own frame, at `density` kg/m^3 (> 0):
/// for bodies that you move yourself, and for trv_body_set_mass. As on a body, what parts of a compound
/// have in common counts for each of them. TRV_ERROR_KIND for half-spaces, TRV_ERROR_VOLUME where float32
/// cannot hold it, and what trv_shape_check says. Needs no world; trv_mass is in <trivet/mesh.h>.
TRV_API trv_result trv_mass_of_shape(const trv_shape *shape, float density, struct trv_mass *out);

/// A compound of a mesh whose parts (the file's objects or groups) are convex pieces: the hull of
/// each part, in order. `hull_def` and `compound_def` may be NULL for the usual ones. All or
/// nothing: where the hull of a part fails, `*bad_part` (which may be NULL) is its number, and the
/// result its error (TRV_ERROR_COPLANAR and such). Put it on a body with trv_make_compound and
/// trv_shape_create.
TRV_API trv_result trv_compound_create_from_mesh(const struct trv_mesh *mesh,
                                                 const struct trv_hull_def *hull_def,
                                                 const trv_compound_def *compound_def,
                                                 trv_compound **compound, uint32_t *bad_part);

/// Turns the uneven time of frames into steps of one length. A plain value; zero-initialising it
/// and setting `step` and `max_steps` is enough.
typedef struct trv_stepper {
    float step;         ///< s, of one step
    uint32_t max_steps; ///< in one frame: time beyond it is dropped, so that slow frames end
    double left;        ///< s, not stepped yet
    float alpha;        ///< 0..1: how far the frame is on the way to the step after the last one
} trv_stepper;

/// `step` within 1e-6 .. 1 s, `max_steps` at least 1; others are moved there (NaN: 1/60 s).
TRV_API trv_stepper trv_make_stepper(float step, uint32_t max_steps);
/// Takes the seconds since the last frame (NaN and negative ones count as none); says how many
/// steps to make now, and sets `alpha`. 0 for NULL.
TRV_API uint32_t trv_stepper_advance(trv_stepper *stepper, double seconds);
/// Between the poses before and after the last step: what to draw at `alpha`, which is cut to 0..1. Places are
/// mixed linearly; so are the quaternions, the shorter way round, and brought back to unit length. That is on
/// the way of an even turn, about the same axis, but not always where it would be by then: for a turn of r
/// radians in all it is ahead or behind by less than r^3 / 200, so 0.005 radians for a turn of one.
TRV_API trv_pose trv_pose_between(trv_pose before, trv_pose after, float alpha);

// Snapshots and files ----------------------------------------------------------------------------

/// Rolling back. A save is a copy of the state, contacts, caches, sleep and events included,
/// for trv_world_restore of the same world in the same process: stepping on from it gives the same
/// bits again, ids name the same objects again. Hulls are not copied: the world keeps those that a
/// save knows, see trv_world_def.kept_saves. `buffer` needs no alignment; one of many megabytes is
/// quicker where it lies in large pages. TRV_ERROR_RANGE where `capacity` is less than
/// trv_world_save_size, which is an upper bound; `*size` is what was written. A save takes marks of
/// the last step off, which nothing tells; but no question may be asked of the world meanwhile, by
/// another thread. The world's workers take part in both, and any number of them writes the same
/// bytes.
TRV_API size_t trv_world_save_size(const trv_world *world); ///< 0 for NULL
TRV_API trv_result trv_world_save(trv_world *world, void *buffer, size_t capacity, size_t *size);

/// Makes the world what it was when it was saved. The world is unchanged on TRV_ERROR_KIND (begins
/// otherwise than saves of this version and program), TRV_ERROR_RANGE (damaged, or cut short, at whatever
/// byte: no bytes at all are a save cut short), TRV_ERROR_FOREIGN (of another world),
/// TRV_ERROR_STALE (a hull of it is no longer kept), TRV_ERROR_LIMIT, TRV_ERROR_MEMORY. Allocates
/// only where the world has to grow, and at first room for as many contacts as it has: they are
/// taken over when all of them are found to be sound. Ids made since the save may name other objects
/// later on.
TRV_API trv_result trv_world_restore(trv_world *world, const void *buffer, size_t size);

/// The file form, for saved games: as trv_world_save, but on its own, hulls included, and for every
/// machine whose numbers are little-endian. `write_size` is exact; it and `write` look for shapes
/// that share a hull, and allocate for that (0, TRV_ERROR_MEMORY).
TRV_API size_t trv_world_write_size(const trv_world *world);
TRV_API trv_result trv_world_write(const trv_world *world, void *buffer, size_t capacity,
                                   size_t *size);

/// Makes the world, new or not, what the written one was: equal hashes, and the same bits from then
/// on. Hooks, tag, limits and kept_saves stay the world's own, and saves that it made before can still be
/// restored; ids keep their index and generation.
/// Everything is checked before anything changes, at a cost of some milliseconds for each 1000
/// bodies. TRV_ERROR_KIND: begins otherwise than files of this version. TRV_ERROR_RANGE: cut short, at
/// whatever byte, damaged, or contradicting itself. TRV_ERROR_LIMIT: more than the world may hold.
/// TRV_ERROR_MEMORY.
TRV_API trv_result trv_world_read(trv_world *world, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
