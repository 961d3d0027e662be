// The state of a world: arrays joined by indices, never by pointers, so that it can be copied,
// restored and hashed. Private to the world layer.
//
// Invariants (trvi_world_check tests them): a live shape is in the list of its live body; a live
// contact is in the lists of both bodies; the awake list holds exactly the awake bodies that move;
// bodies asleep are linked in rings, one ring for each heap that fell asleep together.
#ifndef TRVI_WORLD_DATA_H
#define TRVI_WORLD_DATA_H

#include <trivet/world.h>

#include "base.h"
#include "broad/broad.h"
#include "math/math.h"
#include "mesh/mesh.h"
#include "narrow/narrow.h"

#define TRVI_NONE UINT32_MAX

// xx yy zz xy xz yz of a symmetric matrix.
typedef struct trvi_symmetric {
    float xx, yy, zz, xy, xz, yz;
} trvi_symmetric;

static inline trv_vec3 trvi_symmetric_mul(const trvi_symmetric *m, trv_vec3 v)
{
    return (trv_vec3){m->xx * v.x + m->xy * v.y + m->xz * v.z,
                      m->xy * v.x + m->yy * v.y + m->yz * v.z,
                      m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

enum {
    TRVI_BODY_LIVE = 1,
    TRVI_BODY_AWAKE = 2,
    TRVI_BODY_NEVER_SLEEPS = 4,
    TRVI_BODY_ROUND_INERTIA = 8 // no gyroscopic torque: the inertia is a multiple of the identity
};

typedef struct trvi_body {
    uint16_t generation;
    uint8_t kind; // trv_body_kind
    uint8_t flags;
    uint32_t first_shape;   // list through trvi_shape.next
    uint32_t first_contact; // list through trvi_contact.next: contact * 2 + side
    uint32_t ring_next;     // the next body of the same sleeping heap; itself when alone or awake
    uint32_t solver;        // scratch: index into this step's solver bodies
    trv_vec3 position;      // of the frame's origin
    trv_quat rotation;
    trv_vec3 center; // of mass, world space
    trv_vec3 linear_velocity;
    trv_vec3 angular_velocity;
    trv_vec3 force; // for the next step
    trv_vec3 torque;
    trv_vec3 local_center;
    float mass;
    float inverse_mass;
    trvi_symmetric inertia; // about the centre of mass, in the body's frame
    trvi_symmetric inverse_inertia;
    trv_quat principal; // the principal axes of inertia, in the body's frame
    trv_vec3 moments;   // about them; zero without mass
    float extent;       // of the farthest point from the centre of mass, m
    // What float32 leaves of the velocities, the centre and the rotation: the truth is the sum of both.
    // Whatever sets these anew may leave it: it is less than their last bit.
    trv_vec3 linear_rest;
    trv_vec3 angular_rest;
    trv_vec3 center_rest;
    trv_quat rotation_rest;
    double travelled; // no point of the body has moved farther since it was made, m
    float linear_damping;
    float angular_damping;
    float gravity_scale;
    float still_time;     // s since the body last left its rest ball in less than the sleep time
    float rest_age;       // s since the rest ball was laid round it
    float loose_time;     // s since friction last held it
    trv_vec3 rest_center; // the middle of that ball
    trv_quat rest_rotation;
    uint64_t user;
} trvi_body;

enum { TRVI_SHAPE_LIVE = 1, TRVI_SHAPE_HIT_EVENTS = 2, TRVI_SHAPE_REST_BOX = 4 };

typedef struct trvi_shape {
    uint16_t generation;
    uint16_t flags;
    uint32_t body;
    uint32_t next; // in the body's list
    trv_proxy_id proxy;
    trv_shape solid; // a hull's pointer is the only one in the state; the world owns a reference
    trv_obb rest_box;
    trv_aabb bounds; // world space, without margins
    trv_material material;
    trv_filter filter;
    uint64_t user;
} trvi_shape;

enum {
    TRVI_CONTACT_LIVE = 1,
    TRVI_CONTACT_TOUCHING = 2,
    TRVI_CONTACT_ACTIVE = 4,
    TRVI_CONTACT_TESTED = 8 // in this step, or in the attempt at it that memory failed
};

// What the solver found for one manifold point; kept to start the next step from.
typedef struct trvi_impulse {
    float normal;     // N s of one sub-step
    float largest;    // normal, over the sub-steps
    float approach;   // relative normal speed before the step, m/s, < 0 when closing
    float carried;    // `normal`, averaged over the last quarter of a second or so
    trv_vec3 tangent; // N s of one sub-step, world space
    trv_vec3 drift;   // how far B's anchor has been dragged from A's along the surface, m
    uint32_t slides;  // 1 when friction was overcome at the end of the last step
} trvi_impulse;

typedef struct trvi_contact {
    uint32_t shape_a, shape_b;
    uint32_t body_a, body_b;
    uint32_t next[2]; // in the lists of body a and b: contact * 2 + side, or TRVI_NONE
    uint32_t previous[2];
    uint64_t key; // proxy a << 32 | proxy b: the canonical order
    uint32_t flags;
    uint32_t answer; // trvi_answer of the last test
    float friction;
    float restitution;
    float rolling_friction; // m
    trv_plane_cache plane;
    double travelled;      // of both bodies, when the pair was last tested; negative: test it anew
    float margin;          // of that test, m
    trv_vec3 normal_local; // the manifold's, in A's frame
    trv_vec3 anchor_a[TRV_MANIFOLD_POINTS]; // its points on either surface, in the bodies' frames
    trv_vec3 anchor_b[TRV_MANIFOLD_POINTS];
    trv_manifold manifold;
    trvi_impulse impulses[TRV_MANIFOLD_POINTS];
} trvi_contact;

// Something to be sorted by key.
typedef struct trvi_entry {
    uint64_t key;
    uint32_t value;
    uint32_t extra;
} trvi_entry;

// A store of things addressed by stable index; freed places are used again, last freed first.
typedef struct trvi_pool {
    trvi_array items;
    trvi_array free; // of uint32_t; its capacity is never less than that of `items`
    uint32_t limit;
} trvi_pool;

struct trv_world {
    trv_allocator allocator;
    trv_log log;
    trv_workers workers;
    uint16_t tag;
    bool sleep;
    bool stepping;
    trv_vec3 gravity;
    float restitution_threshold;
    float hit_threshold;
    float push_speed;
    float sleep_time;
    uint32_t max_contacts;

    trvi_pool bodies; // of trvi_body
    trvi_pool shapes; // of trvi_shape
    trv_broad *broad;
    trvi_array contacts; // of trvi_contact, by pair slot
    uint32_t live_contacts;
    trvi_array awake; // of trvi_entry: bodies that move and are awake
    bool awake_sorted;

    trvi_array begins;  // of trv_touch_event
    trvi_array ends;    // of trv_touch_event; capacity covers every touching contact
    trvi_array hits;    // of trv_hit_event
    uint32_t ends_told; // ends of the last step; later ones belong to the next step

    // Scratch of one step.
    trvi_array active; // of trvi_entry: contacts to test and solve, in canonical order
    trvi_array motions;
    trvi_array solver_bodies;
    trvi_array blocks;
    uint32_t color_runs[33]; // first block of each colour, of the overflow, and of the islands
    trvi_array parents;      // union-find over solver bodies
    trvi_array islands;      // of trvi_island: those that are solved with care
    trvi_array members; // of uint32_t: the contacts of these islands, one island after the other
    trvi_array trials;  // of trvi_trial: one for each block of these islands
    trv_world_counters counters;
};

static inline trvi_body *trvi_bodies(const trv_world *world)
{
    return world->bodies.items.items;
}

static inline trvi_shape *trvi_shapes(const trv_world *world)
{
    return world->shapes.items.items;
}

static inline trvi_contact *trvi_contacts(const trv_world *world)
{
    return world->contacts.items;
}

static inline bool trvi_body_moves(const trvi_body *body)
{
    return body->kind != TRV_BODY_STATIC;
}

static inline trv_pose trvi_body_frame(const trvi_body *body)
{
    return (trv_pose){body->position, body->rotation};
}

// pool.c
void trvi_pool_init(trvi_pool *pool, uint32_t stride, uint32_t limit);
trv_result trvi_pool_take(const trv_allocator *allocator, trvi_pool *pool, uint32_t *index);
void trvi_pool_give(trvi_pool *pool, uint32_t index);
void trvi_pool_free(const trv_allocator *allocator, trvi_pool *pool);
void trvi_sort_entries(trvi_entry *entries, uint32_t count);

// ids.c: the finders also say TRV_ERROR_NULL, _FOREIGN, _STALE.
trv_body_id trvi_body_id(const trv_world *world, uint32_t body);
trv_shape_id trvi_shape_id(const trv_world *world, uint32_t shape);
trv_result trvi_find_body(const trv_world *world, trv_body_id id, uint32_t *body);
trv_result trvi_find_shape(const trv_world *world, trv_shape_id id, uint32_t *shape);
// The same for calls that change the world: TRV_ERROR_BUSY during a step.
trv_result trvi_find_body_to_change(trv_world *world, trv_body_id id, uint32_t *body);
trv_result trvi_find_shape_to_change(trv_world *world, trv_shape_id id, uint32_t *shape);

// proxies.c
trv_obb trvi_rest_box(const trv_shape *solid);
// Renews the shape's bounds; gives what the broadphase takes, grown by the speculative margin and
// `margin`.
trv_aabb trvi_shape_place(trvi_shape *shape, trv_pose frame, float margin);
void trvi_body_place_shapes(trv_world *world, uint32_t body, float margin);
void trvi_body_set_proxies(trv_world *world, uint32_t body, trv_proxy_set set);
// How far a body may come nearer to others in a step, limited to a share of its size.
float trvi_reach(const trvi_body *body, float dt);

// wake.c
// Wakes a body and all that sleeps in one heap with it.
void trvi_wake(trv_world *world, uint32_t body);
void trvi_wake_neighbors(trv_world *world, uint32_t body);
void trvi_sleep_alone(trv_world *world, uint32_t body);
// Takes the flag, the velocity and the proxies' set; trvi_drop_sleepers renews the awake list.
void trvi_fall_asleep(trv_world *world, uint32_t body);
void trvi_drop_sleepers(trv_world *world);

// mass.c
trv_result trvi_body_update_mass(const trv_world *world, trvi_body *body);

// contact.c
trv_result trvi_update_pairs(trv_world *world);
void trvi_activate(trv_world *world, uint32_t contact);
// What the contacts of a body know of gaps no longer counts: it is going to be placed elsewhere.
void trvi_forget_gaps(trv_world *world, uint32_t body);
void trvi_tell_contacts(trv_world *world);
void trvi_contact_remove(trv_world *world, uint32_t contact);

// motion.c: how far the body, or its farthest point, is from where its rest ball was laid, m.
float trvi_rest_way(const trvi_body *body);

// contact_test.c
void trvi_test_contacts(trv_world *world, float dt);

// seam.c
void trvi_leave_out_seams(trv_world *world);

// shape.c
void trvi_shape_remove(trv_world *world, uint32_t shape);

// island.c
uint32_t trvi_island_root(uint32_t *parents, uint32_t body);
// Finds the islands of this step, as trees over the solver's bodies.
void trvi_find_islands(trv_world *world);
void trvi_sleep_islands(trv_world *world);

// solver.c
void trvi_solver_init(trv_world *world);
trv_result trvi_solver_prepare(trv_world *world);
void trvi_solver_run(trv_world *world, float dt, uint32_t substeps);

// check.c: true, or false with the first broken invariant in `text` (static storage).
bool trvi_world_check(const trv_world *world, const char **text);

#endif
