// The state of a world: arrays joined by indices, never by pointers, so that it can be copied,
// restored and hashed. Private to the world layer.
//
// Invariants (trvi_world_check tests them): a live shape is in the list of its live body; a live
// contact is in the lists of both bodies; the awake list holds exactly the awake bodies that move;
// bodies asleep are linked in rings, one ring for each heap that fell asleep together.
#ifndef TRVI_WORLD_DATA_H
#define TRVI_WORLD_DATA_H

#include "broad/broad.h"
#include "mesh/mesh.h"
#include "parts_data.h"

// A store of things addressed by stable index; freed places are used again, last freed first.
typedef struct trvi_pool {
    trvi_array items;
    trvi_array free; // of uint32_t; its capacity is never less than that of `items`
    uint32_t limit;
} trvi_pool;

typedef enum trvi_resume {
    TRVI_RESUME_NOTHING,
    TRVI_RESUME_PAIRS,   // the broadphase has told its pairs; not all of them are contacts yet
    TRVI_RESUME_CONTACTS // all contacts are tested; what they remember is of this step
} trvi_resume;

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
    float load_time; // s: the sub-step whose impulses contacts remember; 0 before the first
    uint32_t max_contacts;
    trv_pre_solve pre_solve;
    trv_clock clock;
    trv_world_profile profile; // no part of the state
    double marked;             // s by the clock: when the present phase began

    trvi_pool bodies;       // of trvi_body
    trvi_array mobiles;     // of trvi_mobile, without gaps, in no order; the first is TRVI_IMMOBILE
    trvi_pool shapes;       // of trvi_shape
    trvi_pool traits;       // of trvi_trait
    trvi_array trait_lists; // of uint32_t: the first trait of each list, or TRVI_NONE
    trv_broad *broad;
    trvi_array contacts;       // of trvi_contact, by pair slot
    trvi_array spare_contacts; // a restore fills these, and changes them for `contacts`
    uint32_t live_contacts;
    trvi_array awake; // of trvi_entry: bodies that move and are awake
    bool awake_sorted;

    trvi_array begins;        // of trv_touch_event
    trvi_array ends;          // of trv_touch_event; capacity covers every touching contact
    trvi_array hits;          // of trv_hit_event
    trvi_array blow_places;   // of trvi_blow_place, by active contact: of those struck in this step
    trvi_array sensor_begins; // of trv_sensor_event
    trvi_array sensor_ends;   // of trv_sensor_event; capacity covers what has been told
    trvi_array moves;         // of trv_move_event
    trvi_array sleeps;        // of trv_sleep_event; capacity covers every mobile
    trvi_array wakes;         // of trv_sleep_event
    trvi_array quarantines;   // of trv_quarantine_event; capacity covers every awake body
    trvi_array put_to_sleep; // of uint32_t: bodies that calls have put to sleep since the last step
    // Of the last step; what comes after them belongs to the next step.
    uint32_t ends_told, sensor_ends_told;
    uint32_t sensors; // live shapes with TRV_SHAPE_SENSOR

    // References to hulls, see holds.c; not part of the state.
    trvi_array retired;   // of trvi_retired
    uint64_t holds;       // made so far: the last one's name
    uint64_t saved_holds; // up to this one some save may know them
    uint32_t saves;       // made so far
    uint32_t kept_saves;
    uint32_t large_copy;  // bytes of contacts; TRVI_LARGE_COPY, but for what tests set
    uint32_t hull_shapes; // live shapes that are hulls

    // How far a step came that ran out of memory: made again, it goes on from there.
    trvi_resume resume;
    float resume_dt;
    uint32_t resume_substeps;
    trv_pairs pairs; // of the broadphase's last update, for TRVI_RESUME_PAIRS

    // Scratch of one step.
    trvi_array shifts; // of uint32_t, by place in `awake`: what the broadphase is to be told of it
    trvi_array point_steps; // by contact: a trvi_point_step of each of its points
    trvi_array places;      // of uint32_t, by contact: where it is to be moved to, see slots.c
    trvi_array active;      // of trvi_entry: contacts to test and solve, in canonical order
    trvi_array sides;       // of trvi_sides, by active contact
    trvi_array bearings;    // of uint32_t, by body: see seam.c; zero whenever nobody counts
    trvi_array crowds;      // of trvi_crowd: bodies with many contacts, see grounds.c
    trvi_array grounds;     // of trvi_entry: the contacts of each crowd
    trvi_array ground_nodes;
    trvi_array motions;
    trvi_array solver_bodies;
    trvi_array tops;      // of trvi_top
    trvi_array footings;  // see footing.c, as the next
    trvi_array heights;   // of trvi_entry: what stands on something, from the highest on
    trvi_array layers;    // layers.c: of each large island
    uint32_t more_sweeps; // the most of any island that one of them takes beyond one
    trvi_array blocks;
    bool eight_lanes;         // at once, because the processor can; the results are the same
    uint32_t color_runs[33];  // first block of each colour, of the overflow, and of the islands
    trvi_array parents;       // union-find over solver bodies
    bool has_impacts;         // something may bounce or tunnel: what follows is in use
    uint32_t impact_stamp;    // of the sub-step; told apart from those of all others
    uint32_t impact_step;     // of the step: the stamp of its first sub-step
    bool has_neighbors;       // they are listed
    trvi_array neighbors;     // of trvi_neighbor, by solver body
    trvi_array neighbor_ends; // of uint32_t[2], by solver body: ends of those with points, of all
    trvi_array couples;       // of uint32_t[2], by active contact: both solver bodies
    trvi_array advances;      // of trvi_advance, by solver body
    bool advances_changed;    // since all of them were found
    trvi_array flights;       // of trvi_flight, by solver body
    trvi_array meetings;      // of trvi_meeting, by active contact; then by solver body
    trvi_array meeting_heap;  // of uint32_t: those to come in this sub-step, the next one first
    float bounce_time;        // that what rests is given speed in, before it is stopped again, s
    trvi_array bouncers;      // of trvi_bouncer: active contacts with restitution
    trvi_array hastes;        // of float, by solver body: the most that its points may go at, m/s
    trvi_array quick;         // of uint32_t: the active contacts among `bouncers` that may bounce
    trvi_array held;          // of uint32_t: lanes that the solver is to leave alone
    trvi_array waiting;       // of uint32_t: solver bodies that have just begun to wait
    trvi_array strays;        // of trvi_stray
    trvi_array diverted;      // of uint32_t: solver bodies that strays have to be asked about
    trvi_array strike;        // of trvi_strike: one
    trvi_array knots;         // of trvi_knot: where flights of this sub-step were bent
    trvi_array certified;     // of trvi_certified, by solver body
    trvi_array far_bodies;    // of uint8_t, by solver body: 0, or TRVI_FAR ...
    trvi_array guards;        // of trvi_guard, by solver body
    trvi_array guard_queue;   // of uint32_t: solver bodies whose pairs are to be asked
    bool guarded;       // the last step needed the guard; what comes of steps never hangs on it
    bool guard_alert;   // ways have changed that others may have been asked about
    bool guard_strays;  // in this step some left the boxes that contacts were found by
    trvi_array islands; // of trvi_island: those that are solved with care
    trvi_array links;   // what blocks.c knows of the contacts that take part
    trvi_array levels;  // of uint32_t: the runs of the overflow's, see overflow.c
    trvi_array dealt;   // of uint32_t, by lane of all blocks: the link that is in it, or TRVI_NONE
    uint32_t packs; // of islands; as many of these tell by their `turn` in which order to take them
    trvi_array toils;   // of uint8_t, by body: sweeps in a pass of its island, see toil.c
    trvi_array members; // of uint32_t: the links of these islands, one island after the other
    trvi_array trials;  // of trvi_trial: one for each block of these islands
    trv_world_counters counters;
};

static inline trvi_body *trvi_bodies(const trv_world *world)
{
    return world->bodies.items.items;
}

// A body's own mobile, or the one that stands for all that never move.
static inline const trvi_mobile *trvi_mobile_of(const trv_world *world, const trvi_body *body)
{
    return &((const trvi_mobile *)world->mobiles.items)[body->mobile];
}

// What weight and the forces on a dynamic body make of its speed, m/s^2.
static inline trv_vec3 trvi_acceleration_of(const trv_world *world, const trvi_mobile *mobile)
{
    return trvi_mul_add(trvi_scale(world->gravity, mobile->gravity_scale), mobile->force,
                        mobile->inverse_mass);
}

// Of a body that has its own.
static inline trvi_mobile *trvi_own_mobile(trv_world *world, const trvi_body *body)
{
    TRVI_ASSERT(body->mobile != TRVI_IMMOBILE);
    return &((trvi_mobile *)world->mobiles.items)[body->mobile];
}

// What was to act in the next step only.
static inline void trvi_drop_forces(trvi_mobile *mobile)
{
    mobile->force = mobile->torque = (trv_vec3){0.0f, 0.0f, 0.0f};
}

static inline trvi_shape *trvi_shapes(const trv_world *world)
{
    return world->shapes.items.items;
}

static inline bool trvi_is_ball(const trv_world *world, uint32_t shape)
{
    return trvi_shapes(world)[shape].solid.kind == TRV_SHAPE_SPHERE;
}

static inline const trvi_trait *trvi_trait_of(const trv_world *world, const trvi_shape *shape)
{
    return &((const trvi_trait *)world->traits.items.items)[shape->trait];
}

static inline const trv_material *trvi_material_of(const trv_world *world, const trvi_shape *shape)
{
    return &trvi_trait_of(world, shape)->material;
}

// What the caller wants to meet it; while its body is disabled, that counts for nothing.
static inline const trv_filter *trvi_filter_of(const trv_world *world, const trvi_shape *shape)
{
    return &trvi_trait_of(world, shape)->filter;
}

static inline trvi_contact *trvi_contacts(const trv_world *world)
{
    return world->contacts.items;
}

// Of all points that a contact may have.
static inline trvi_point_step *trvi_point_steps(const trv_world *world, uint32_t contact)
{
    return (trvi_point_step *)world->point_steps.items + (size_t)contact * TRV_MANIFOLD_POINTS;
}

static inline trvi_blow_place *trvi_blow_places(const trv_world *world)
{
    return world->blow_places.items;
}

static inline trvi_sides *trvi_sides_of_active(const trv_world *world)
{
    return world->sides.items;
}

// Do the marks of an active entry tell what the solver found for its contact? Where bodies were
// stopped because numbers too large had spoilt them, that was taken back.
static inline bool trvi_is_solved(const trv_world *world, const trvi_entry *entry)
{
    return (entry->extra & TRVI_ENTRY_SOLVED) && world->quarantines.count == 0;
}

// Without its components along axes whose bits (x 1, y 2, z 4) are set.
static inline trv_vec3 trvi_unlocked(trv_vec3 v, uint32_t axes)
{
    return (trv_vec3){axes & 1u ? 0.0f : v.x, axes & 2u ? 0.0f : v.y, axes & 4u ? 0.0f : v.z};
}

// Twice the sine of half the angle of a turn: no point has moved by more than that times its distance from
// the centre.
static inline float trvi_chord_of(trv_quat turn)
{
    return 2.0f * sqrtf(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
}

// The same between two attitudes.
static inline float trvi_chord_of_turn(trv_quat a, trv_quat b)
{
    return trvi_chord_of(trvi_quat_mul(a, trvi_quat_conjugate(b)));
}

static inline bool trvi_has_speed(const trv_world *world, const trvi_body *body)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    return trvi_dot(mobile->linear_velocity, mobile->linear_velocity) > 0.0f ||
           trvi_dot(mobile->angular_velocity, mobile->angular_velocity) > 0.0f;
}

// Of the body's matter at a point of the world.
static inline trv_vec3 trvi_velocity_at(const trv_world *world, const trvi_body *body,
                                        trv_vec3 point)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    return trvi_add(mobile->linear_velocity,
                    trvi_cross(mobile->angular_velocity, trvi_sub(point, body->center)));
}

// Of a body's matter over another's at a point of the world.
static inline trv_vec3 trvi_velocity_past(const trv_world *world, uint32_t body, uint32_t other,
                                          trv_vec3 point)
{
    return trvi_sub(trvi_velocity_at(world, &trvi_bodies(world)[body], point),
                    trvi_velocity_at(world, &trvi_bodies(world)[other], point));
}

// How a body goes on from a pose for some time, s, at even speeds.
static inline trv_motion trvi_motion_on(const trv_world *world, const trvi_body *body,
                                        trv_pose pose, trv_vec3 linear, trv_vec3 angular,
                                        float time)
{
    trv_motion motion = trv_make_motion(pose);
    motion.center_local = trvi_mobile_of(world, body)->local_center;
    motion.travel = trvi_scale(linear, time);
    motion.turn = trvi_scale(angular, time);
    return motion;
}

// Can one body bear on the other as on a floor of several pieces? All that cannot be pushed is one,
// and by itself what has several shapes.
static inline bool trvi_is_floor(const trv_world *world, const trvi_body *floor,
                                 const trvi_body *bearer)
{
    return bearer->kind == TRV_BODY_DYNAMIC &&
           (floor->kind != TRV_BODY_DYNAMIC ||
            trvi_shapes(world)[floor->first_shape].next != TRVI_NONE);
}

// Does a body come along in a step by more than what counts as flush, over one that does not? To it
// whatever bears it is a floor.
static inline bool trvi_comes_along(const trvi_body *bearer, const trvi_body *floor)
{
    return bearer->kind == TRV_BODY_DYNAMIC &&
           trvi_found_reach(bearer) > TRVI_SEAM * bearer->extent &&
           !(trvi_found_reach(floor) > TRVI_SEAM * floor->extent);
}

// pool.c
void trvi_pool_init(trvi_pool *pool, uint32_t stride, uint32_t limit);
trv_result trvi_pool_take(const trv_allocator *allocator, trvi_pool *pool, uint32_t *index);
void trvi_pool_give(trvi_pool *pool, uint32_t index);
// As if the place had not been taken; `fresh` where nothing ever was there.
void trvi_pool_untake(trvi_pool *pool, uint32_t index, bool fresh);
void trvi_pool_free(const trv_allocator *allocator, trvi_pool *pool);
void trvi_sort_entries(trvi_entry *entries, uint32_t count);

// holds.c: the world's references to hulls.
typedef struct trvi_retired {
    uint64_t hold;
    const trv_hull *hull;
    uint32_t save; // the last save before it was retired
} trvi_retired;

// Room for so many more; before trvi_hold, which takes over a reference to the shape's hull.
bool trvi_hold_reserve(trv_world *world, uint32_t hulls);
void trvi_hold(trv_world *world, trvi_shape *shape);
// Gives the reference back, or keeps it where a save may ask for it again.
void trvi_let_go(trv_world *world, trvi_shape *shape);
void trvi_holds_saved(trv_world *world);
// May the shapes of a save, as they lie in it, have their hulls? Then moves the references over
// from the present shapes to them; the caller replaces those at once.
bool trvi_holds_known(trv_world *world, const char *shapes, uint32_t count);
void trvi_holds_restore(trv_world *world, const char *shapes, uint32_t count);
// A world that takes another one's place keeps what that one's saves know; nothing of it is left there.
// False for want of memory.
bool trvi_holds_inherit(trv_world *heir, trv_world *old);
void trvi_holds_free(trv_world *world);

// ids.c: the finders also say TRV_ERROR_NULL, _FOREIGN, _STALE.
trv_body_id trvi_body_id(const trv_world *world, uint32_t body);
trv_shape_id trvi_shape_id(const trv_world *world, uint32_t shape);
trv_result trvi_find_body(const trv_world *world, trv_body_id id, uint32_t *body);
trv_result trvi_find_shape(const trv_world *world, trv_shape_id id, uint32_t *shape);
// For questions about one of them: empties the answer first; TRV_ERROR_NULL where there is no place
// for it.
trv_result trvi_ask_body(const trv_world *world, trv_body_id id, void *answer, size_t size,
                         const trvi_body **body);
trv_result trvi_ask_shape(const trv_world *world, trv_shape_id id, void *answer, size_t size,
                          const trvi_shape **shape);
// The same where the answer is a count, and a list with room for `capacity`.
trv_result trvi_ask_body_list(const trv_world *world, trv_body_id id, const void *out,
                              uint32_t capacity, uint32_t *count, const trvi_body **body);
trv_result trvi_ask_shape_list(const trv_world *world, trv_shape_id id, const void *out,
                               uint32_t capacity, uint32_t *count, const trvi_shape **shape);
// The same for calls that change the world: TRV_ERROR_BUSY during a step.
trv_result trvi_find_body_to_change(trv_world *world, trv_body_id id, uint32_t *body);
trv_result trvi_find_shape_to_change(trv_world *world, trv_shape_id id, uint32_t *shape);

// Parts of a compound: the first one in the body's list, and the following one, or TRVI_NONE.
uint32_t trvi_first_part(const trv_world *world, uint32_t lead);
uint32_t trvi_next_part(const trv_world *world, uint32_t shape);

// proxies.c
// The box grown by the margin, as far as the broadphase may take it: within the largest coordinate.
trv_aabb trvi_within_range(trv_aabb box, float margin);
trv_obb trvi_rest_box(const trv_shape *solid);
// How near another surface must come to be looked at, m; of two shapes the lesser counts.
static inline float trvi_sight_within(trv_aabb bounds)
{
    return trvi_smaller(TRVI_SPECULATIVE_M, TRVI_SPECULATIVE_SIZE * trvi_aabb_longest(bounds));
}
static inline float trvi_sight_of(const trvi_shape *shape)
{
    return trvi_sight_within(shape->bounds);
}
static inline float trvi_sight_between(const trvi_shape *a, const trvi_shape *b)
{
    return trvi_smaller(trvi_sight_of(a), trvi_sight_of(b));
}
// The boxes of the body's shapes have been grown by that much at least, however it was turned then.
float trvi_least_sight(const trv_world *world, const trvi_body *body);
// Renews the shape's bounds; gives what the broadphase takes, grown by what it sees and `margin`.
trv_aabb trvi_shape_place(trvi_shape *shape, trv_pose frame, float margin);
// A box that holds the shape all the way, as trvi_body_place_between.
trv_aabb trvi_shape_way(const trvi_shape *shape, trv_pose from, trv_pose to, float swing);
// The bounds of a body's shapes where it is; for many bodies at once.
void trvi_body_bound_shapes(trv_world *world, uint32_t body);
// Boxes in the broadphase for bounds that are as they should be; the margin holds a way as long as
// it.
void trvi_body_move_proxies(trv_world *world, uint32_t body, float margin);
// Both.
void trvi_body_place_shapes(trv_world *world, uint32_t body, float margin);
// The same for a body that goes straight on, and turns so that no point moves more than `swing`.
void trvi_body_place_between(trv_world *world, uint32_t body, trv_pose from, trv_pose to,
                             float swing);
// trvi_body_move_proxies and trvi_body_place_between in two parts, of which the first may be run for
// several bodies at once. It gives bits of the shapes that have left their boxes, which go to the
// second; or has done nothing, as the body has too many.
#define TRVI_SHIFT_BITS  29
#define TRVI_SHIFT_LATER (1u << TRVI_SHIFT_BITS)
uint32_t trvi_body_shift_proxies(trv_world *world, uint32_t body, float margin);
uint32_t trvi_body_shift_between(trv_world *world, uint32_t body, trv_pose from, trv_pose to,
                                 float swing);
void trvi_body_tell_shifted(trv_world *world, uint32_t body, uint32_t shifted);
// Where the shape's proxy belongs, as its body is, and the filter that it has there.
trv_proxy_set trvi_shape_set(const trvi_body *body, const trvi_shape *shape);
trv_filter trvi_shape_filter(const trv_world *world, const trvi_body *body,
                             const trvi_shape *shape);
// Renews the sets of the body's proxies.
void trvi_body_set_proxies(trv_world *world, uint32_t body);
// From now on the broadphase makes no pairs of a body's own shapes, where these are many. It has been told so
// of those from `told` on in its list, or of none, TRVI_NONE.
void trvi_body_own_proxies(trv_world *world, uint32_t body, uint32_t told);
// Has the pairs of the body's shapes looked at in the next step, whatever sleeps.
void trvi_body_renew_pairs(trv_world *world, uint32_t body);
// Another call comes between a step that failed and the same step made again.
void trvi_resume_drop(trv_world *world);
// How far a body may come nearer to others in a step, limited to a share of its size.
float trvi_reach(const trv_world *world, const trvi_body *body, float dt);
// Of all that are awake, once for the many contacts of each.
void trvi_find_reaches(trv_world *world, float dt);

// wake.c
// Wakes a body and all that sleeps in one heap with it.
void trvi_wake(trv_world *world, uint32_t body);
void trvi_wake_neighbors(trv_world *world, uint32_t body);
void trvi_sleep_alone(trv_world *world, uint32_t body);
// Takes the flag, the velocity and the proxies' set; trvi_drop_sleepers renews the awake list.
void trvi_fall_asleep(trv_world *world, uint32_t body);
void trvi_drop_sleepers(trv_world *world);
void trvi_leave_awake_list(trv_world *world, uint32_t body);

// body_motion.c
// A body's velocity, less what its locks forbid.
void trvi_body_give_velocity(const trvi_body *body, trvi_mobile *mobile, trv_vec3 linear,
                             trv_vec3 angular);

// mobile.c
// The place of TRVI_IMMOBILE; false where there is no memory for it.
bool trvi_mobiles_init(trv_world *world);
// A body gets a mobile of its own, at rest, unless it has one; false where there is no memory for
// it.
bool trvi_mobile_give(trv_world *world, uint32_t body);
// Its rest ball is laid where the body is: stillness is counted anew.
void trvi_mobile_rests(trvi_mobile *mobile, const trvi_body *body);
void trvi_mobile_drop(trv_world *world, uint32_t body);

// trait.c
// The trait with that material and filter, for one more shape; false where there is no memory for
// it.
bool trvi_trait_take(trv_world *world, const trv_material *material, const trv_filter *filter,
                     uint32_t *trait);
// One shape more, or less, has it.
void trvi_trait_keep(trv_world *world, uint32_t trait);
void trvi_trait_give(trv_world *world, uint32_t trait);

// mass.c
// The principal moments and axes of inertia become those about a point from which the centre of mass
// is that way off, in the body's frame.
void trvi_move_inertia(trvi_mobile *mobile, trvi_dvec3 way);
// The mobile is the body's own; where it has none, its mass is none.
trv_result trvi_mass_update(const trv_world *world, trvi_body *body, trvi_mobile *mobile);
trv_result trvi_body_update_mass(trv_world *world, trvi_body *body);
void trvi_body_lose_mass(trv_world *world, trvi_body *body);
trv_result trvi_body_take_mass(trv_world *world, trvi_body *body, float mass, trv_vec3 center,
                               const float inertia[6]);

// slots.c, while no contact is active.
// Contact i becomes contact to[i], where the first `used` are all that there are; `to` is used up.
void trvi_move_contacts(trv_world *world, uint32_t *to, uint32_t used);
// Are too many of them not where they are wanted, one after the other? Then moves them there.
bool trvi_are_contacts_scattered(const trv_world *world);
void trvi_sort_contacts(trv_world *world);

// contact.c
trv_result trvi_update_pairs(trv_world *world);
void trvi_activate(trv_world *world, uint32_t contact);
// What the contacts of a body know of gaps no longer counts: it is going to be placed elsewhere.
void trvi_forget_gaps(trv_world *world, uint32_t body);
// Something else presses the body, or elsewhere: its manifolds are made anew in the next step.
void trvi_forget_loads(trv_world *world, uint32_t body);
void trvi_contact_remove(trv_world *world, uint32_t contact);
void trvi_body_remove_contacts(trv_world *world, uint32_t body);
// Materials of the shapes, and whether to ask the pre-solve function.
void trvi_contact_take_materials(const trv_world *world, trvi_contact *contact);

// motion.c: how far the body, or its farthest point, is from where its rest ball was laid, m.
float trvi_rest_way(const trvi_body *body, const trvi_mobile *mobile);
// Lays it anew, where the body is now.
void trvi_lay_rest_ball(const trvi_body *body, trvi_mobile *mobile);
// No point of the body goes faster, m/s.
float trvi_fastest_of(const trvi_body *body, const trvi_mobile *mobile);
// Is it, having moved so far since then, no faster than so many times its average since then?
bool trvi_is_slower(const trvi_body *body, const trvi_mobile *mobile, float moved, float share);
// Has it left its rest ball only by so little in the time since that was laid?
bool trvi_creeps(const trvi_mobile *mobile, float moved, float sleep_time);

// profile.c: the time since the start, or since the last mark, goes to the phase.
void trvi_profile_start(trv_world *world);
void trvi_profile_mark(trv_world *world, trv_phase phase);

// contact_test.c
void trvi_test_contacts(trv_world *world, float dt);

// presolve.c
void trvi_pre_solve(const trv_world *world, trvi_contact *contact);
// For a contact that is met on the way; false where it is to be let through.
bool trvi_pre_solve_blow(const trv_world *world, trvi_contact *contact,
                         const trv_manifold *manifold);

// events.c
void trvi_events_init(trv_world *world);
void trvi_events_start(trv_world *world);
void trvi_events_finish(trv_world *world);
bool trvi_events_reserve_bodies(trv_world *world);
bool trvi_events_reserve_contacts(trv_world *world, uint32_t contacts);
bool trvi_events_reserve_step(trv_world *world);
// Of the active contacts; after a step of so many seconds, or, where nothing was solved, 0.
void trvi_tell_contacts(trv_world *world, float dt);
void trvi_tell_end(trv_world *world, trvi_contact *contact);
void trvi_tell_moves(trv_world *world);
void trvi_tell_sleep(trv_world *world, uint32_t body);
void trvi_tell_wakes(trv_world *world);
void trvi_copy_contact(const trv_world *world, const trvi_contact *contact, trv_contact *to);
// ahead.c
// Will two that do not touch yet be in one another within the step, by the plane that was seen between them?
// What is a `seam` may be touched.
bool trvi_comes_upon(const trv_world *world, const trvi_contact *contact, bool seam);
// The one of the two that comes along.
uint32_t trvi_who_comes_upon(const trv_world *world, const trvi_contact *contact);
// Shows the contacts of a body that are TRVI_CONTACT_AHEAD as they will be met; those that are seams only
// where they rise. The others are left as they are.
void trvi_look_ahead(trv_world *world, uint32_t body);
// seam.c
bool trvi_seams_reserve(trv_world *world);
// Of a contact with points, of which one body comes along, by its other marks: TRVI_ENTRY_SLIDES where
// it may bear that, or be met as a seam by it in this step or the next; or none.
uint32_t trvi_slides(const trv_world *world, const trvi_contact *contact, uint32_t marks);
void trvi_leave_out_seams(trv_world *world);
// grounds.c
void trvi_grounds_init(trv_world *world);

// hits.c
// Are hits of the two to be told?
bool trvi_wants_hits(const trv_world *world, uint32_t shape_a, uint32_t shape_b);
// Two shapes met, and the blow gave an impulse. There is room.
void trvi_tell_hit(trv_world *world, uint32_t shape_a, uint32_t shape_b,
                   const trvi_blow_place *place, float impulse);
// Of a contact that was struck, or of one whose blow was going on. `active`: its place among the active ones.
void trvi_tell_contact_hit(trv_world *world, uint32_t active);

// shape.c
void trvi_shape_remove(trv_world *world, uint32_t shape);
// Only what the kind has: the rest of the union may be anything, and would be saved.
void trvi_copy_solid(trv_shape *to, const trv_shape *from);
trv_result trvi_check_material(const trv_material *material);

// sweep.c: what moves far in a step, before it moves.
// Boxes that hold the way of the coming step; true where a body may have to be swept.
bool trvi_cover_ways(trv_world *world, float dt, uint32_t substeps);
// May it have to be, this body?
bool trvi_has_to_be_swept(const trv_world *world, const trvi_body *body, float dt,
                          uint32_t substeps);
// Is where the body has got to in the step on the way that its boxes were made for?
bool trvi_is_foreseen(const trv_world *world, const trvi_body *body, float dt, trv_vec3 moved,
                      trv_quat turned);
// Will it be there all the way, if nothing touches it?
bool trvi_stays_foreseen(const trv_world *world, const trvi_body *body, float dt);
// What a body may move by in a sub-step and be sure to tunnel through nothing, m.
float trvi_tunnel_way(const trvi_body *body);
// True where the contact's shapes may bounce or tunnel, and are going to meet before the step's
// end.
bool trvi_may_meet(const trv_world *world, const trvi_contact *contact, float dt);
// trvi_impact; no hit where a motion's numbers are spoilt or absurd: that body is stopped at the
// end of the step.
void trvi_sweep(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                const trv_motion *motion_b, float margin, trv_impact_hit *hit);
// The same where a plane is known that may keep them apart; NULL for none. Tells when convex shapes
// meet, and not where.
void trvi_sweep_past(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                     const trv_motion *motion_b, float margin, const trv_plane_cache *plane,
                     trv_impact_hit *hit);

// quarantine.c: tells of a body that was stopped because its numbers were spoilt, and takes from
// its contacts the impulses that spoilt it.
void trvi_quarantine(trv_world *world, uint32_t body);

// island.c
uint32_t trvi_island_root(uint32_t *parents, uint32_t body);
void trvi_island_join(uint32_t *parents, uint32_t a, uint32_t b);
void trvi_sleep_islands(trv_world *world);

// solver.c
void trvi_solver_init(trv_world *world);
trv_result trvi_solver_prepare(trv_world *world, float dt, uint32_t substeps);
void trvi_solver_run(trv_world *world, float dt, uint32_t substeps);

// world.c: room in every array that is promised room, for the bodies and shapes that the pools have
// room for, so many contacts, so many ends told or to be told, and sensors.
bool trvi_world_reserve(trv_world *world, uint32_t contacts, uint32_t ends, uint32_t sensor_ends,
                        uint32_t sensors);

// check.c: true, or false with the first broken invariant in `text` (static storage).
bool trvi_world_check(const trv_world *world, const char **text);
// The same for what a file says before anything follows its links: no list joins another or itself,
// nothing is free twice. Uses the scratch of bodies.
bool trvi_links_check(trv_world *world, const char **text);

#endif
