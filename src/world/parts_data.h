// What a world is made of: bodies and how they move, shapes, contacts, and what a step knows of the
// contacts that are active. Joined by indices; the arrays that they stand in are in world_data.h.
#ifndef TRVI_PARTS_DATA_H
#define TRVI_PARTS_DATA_H

#include <trivet/query.h>
#include <trivet/world.h>

#include "base.h"
#include "math/math.h"
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
    TRVI_BODY_ROUND_INERTIA = 8, // no gyroscopic torque: the inertia is a multiple of the identity
    TRVI_BODY_DISCRETE = 16      // never swept for its own speed
};

enum {
    TRVI_BODY_DISABLED = 1,
    TRVI_BODY_MASS_SET = 2,     // by the caller, not by the shapes
    TRVI_BODY_TOLD_AWAKE = 4,   // as far as sleep events have told
    TRVI_BODY_BORN_ASLEEP = 8,  // and never woken: what lies about it was put there with it
    TRVI_BODY_PUT_TO_SLEEP = 16 // in that list of the world; stays with the place
};

// What every body has. The rest is of use to few: most bodies of a large world never move.
typedef struct trvi_body {
    uint16_t generation;
    uint8_t kind; // trv_body_kind
    uint8_t flags;
    uint16_t settings;      // TRVI_BODY_DISABLED ...
    uint16_t locks;         // bits of trv_lock
    uint32_t first_shape;   // list through trvi_shape.next
    uint32_t first_contact; // list through trvi_contact.next: contact * 2 + side
    uint32_t ring_next;     // the next body of the same sleeping heap; itself when alone or awake
    uint32_t solver;        // scratch: index into this step's solver bodies
    uint32_t mobile;        // in world->mobiles: its own, or TRVI_IMMOBILE
    union {
        struct {
            trv_vec3 position; // of the frame's origin
            trv_quat rotation;
        };
        trv_pose frame; // both: copied as one
    };
    trv_vec3 center;  // of mass, world space
    float extent;     // of the farthest point from the centre of mass, m
    float thickness;  // radius of a ball that fits into each of its shapes, m
    float reach;      // scratch: of an awake one, trvi_reach in this step
    double travelled; // no point of the body has moved farther since it was made, m
    uint64_t user;
} trvi_body;

// The place of what all bodies without a mobile of their own share: nobody writes to it.
#define TRVI_IMMOBILE 0u

// How a body moves, and what that depends on. Every body that is not static has one of its own, and
// so has a static one with other settings than the usual.
typedef struct trvi_mobile {
    uint32_t body; // whose it is
    trv_vec3 linear_velocity;
    trv_vec3 angular_velocity;
    trv_vec3 force; // for the next step
    trv_vec3 torque;
    float inverse_mass;
    float linear_damping;
    float angular_damping;
    float gravity_scale;
    float covered; // how far its shapes may move and stay in their broadphase boxes, m
    trvi_symmetric inverse_inertia; // about the centre of mass, in the body's frame
    trvi_symmetric inertia;
    float mass;
    trv_vec3 local_center; // of mass, in the body's frame
    // What float32 leaves of the velocities, the centre and the rotation: the truth is the sum of
    // both. Whatever sets these anew may leave it: it is less than their last bit.
    trv_vec3 linear_rest;
    trv_vec3 angular_rest;
    trv_vec3 center_rest;
    trv_quat rotation_rest;
    trv_vec3 gain;        // of speed in the last sub-step, m/s^2: see mend_way in motion.c
    float still_time;     // s since the body last left its rest ball in less than the sleep time;
                          // < 0 within a step where it creeps
    float rest_age;       // s since the rest ball was laid round it
    float loose_time;     // s since friction last held it
    trv_vec3 rest_center; // the middle of that ball
    trv_quat rest_rotation;
    trv_quat principal; // the principal axes of inertia, in the body's frame
    trv_vec3 moments;   // about them; zero without mass
} trvi_mobile;

// Above the bits of trv_shape_switch, which `flags` holds too.
enum { TRVI_SHAPE_LIVE = 256, TRVI_SHAPE_REST_BOX = 512 };

// What many shapes have in common.
typedef struct trvi_trait {
    trv_material material;
    uint32_t users; // shapes; 0 where the place is free
    trv_filter filter;
    uint32_t next; // in its list, see trait.c
} trvi_trait;

typedef struct trvi_shape {
    uint16_t generation;
    uint16_t flags;
    uint32_t body;
    uint32_t next; // in the body's list; the parts of a compound follow one another, last first
    uint32_t lead; // the shape that stands for the compound: its first part; else the shape itself
    uint32_t part;
    trv_proxy_id proxy;
    uint32_t trait;  // in world->traits: its material and filter
    trv_shape solid; // a hull's pointer is the only one in the state; the world owns a reference
    uint64_t hold;   // names that reference as no other of this world, see holds.c; 0: no hull
    trv_aabb bounds; // world space, without margins
    uint64_t user;
} trvi_shape;

enum {
    TRVI_CONTACT_LIVE = 1,
    TRVI_CONTACT_TOUCHING = 2,
    TRVI_CONTACT_ACTIVE = 4,
    TRVI_CONTACT_SENSOR = 8,   // one is a sensor: there is never a manifold
    TRVI_CONTACT_BY_HAND = 16, // neither body can be pushed
    TRVI_CONTACT_ASKS = 32,    // the pre-solve function
    TRVI_CONTACT_SURFACE = 64, // one surface runs over its body
    // What has been told, so that ends pair up: a touch, or that A as a sensor sees B.
    TRVI_CONTACT_TOLD = 128,
    TRVI_CONTACT_TOLD_BACK = 256, // B as a sensor sees A
    // Friction was overcome at its first point at the end of the last step; then one bit for each of
    // the others.
    TRVI_CONTACT_SLIDES = 512,
    TRVI_CONTACT_SLIDES_ALL = 512 * 15,
    // Times the trvi_answer of the last test, of which there are three.
    TRVI_CONTACT_ANSWER = 512 * 16,
    // While it is looked ahead, see ahead.c: a body comes upon it; and it is a seam. Nothing is above.
    TRVI_CONTACT_AHEAD = 1 << 29,
    TRVI_CONTACT_SEAM = 1 << 30
};

// What the solver found for one manifold point; kept to start the next step from.
typedef struct trvi_impulse {
    float normal;     // N s of one sub-step
    trv_vec3 tangent; // N s of one sub-step, world space
    float carried;    // `normal`, averaged over the last quarter of a second or so
} trvi_impulse;

// Where two met that are told of, and how fast.
typedef struct trvi_blow_place {
    trv_vec3 point, normal; // from A to B
    float speed;            // of approach, m/s
    float left; // of that after the step, along the normal that the two have by then, m/s
} trvi_blow_place;

// What a step needs to know of a manifold point, and finds anew.
typedef struct trvi_point_step {
    float largest;  // normal impulse over the sub-steps, N s of one of them
    float approach; // relative normal speed before the step, m/s, < 0 when closing
    trv_vec3 drift; // how far B's anchor has been dragged from A's along the surface, m; until the
                    // solver has taken it over
} trvi_point_step;

typedef struct trvi_contact {
    uint32_t shape_a, shape_b;
    uint32_t body_a, body_b;
    uint32_t next[2]; // in the lists of body a and b: contact * 2 + side, or TRVI_NONE
    uint32_t previous[2];
    double travelled; // of both bodies, when the pair was last tested; negative: test it anew
    uint32_t flags;
    float blow;  // m/s, at the beginning of a blow that is still going on; else 0
    float given; // N s: the normal impulse at all points that such a blow has given so far; else 0
    float friction;
    float restitution;
    float rolling_friction; // m
    trv_vec3 surface;       // velocity of B's surface over A's beyond the bodies', world space, m/s
    float margin;           // of the last test, m
    trv_plane_cache plane;
    // All from here on means something only while the manifold has points, up to their count:
    // snapshots leave it out elsewhere.
    trv_vec3 normal_local;                  // the manifold's, in A's frame
    trv_vec3 anchor_a[TRV_MANIFOLD_POINTS]; // its points on either surface, in the bodies' frames
    trv_vec3 anchor_b[TRV_MANIFOLD_POINTS];
    trv_manifold manifold;
    uint64_t rolled; // rolling friction's torque, in parts of the most that it can be, world space:
                     // along each axis so many bits of two's complement, the first axis lowest
    trvi_impulse impulses[TRV_MANIFOLD_POINTS];
    // How B stood to A when the manifold was made, in A's frame; zero where one is round.
    trv_vec3 between; // from A's centre to B's
    trv_vec3 stance;  // x y z / (1 + w) of its rotation's quaternion whose w is not negative
} trvi_contact;

static inline uint32_t trvi_answer_of(const trvi_contact *contact)
{
    return contact->flags % TRVI_CONTACT_AHEAD / TRVI_CONTACT_ANSWER;
}

static inline void trvi_set_answer(trvi_contact *contact, uint32_t answer)
{
    contact->flags = contact->flags % TRVI_CONTACT_ANSWER + answer * TRVI_CONTACT_ANSWER;
}

// Was friction overcome at one of its points?
static inline bool trvi_slides_at(const trvi_contact *contact, uint32_t point)
{
    return (contact->flags & (uint32_t)TRVI_CONTACT_SLIDES << point) != 0;
}

static inline void trvi_set_slides_at(trvi_contact *contact, uint32_t point, bool slides)
{
    uint32_t bit = (uint32_t)TRVI_CONTACT_SLIDES << point;
    contact->flags = slides ? contact->flags | bit : contact->flags & ~bit;
}

// Of spheres and capsules; else 0.
static inline float trvi_radius_of(const trv_shape *solid)
{
    if (solid->kind == TRV_SHAPE_SPHERE)
        return solid->as.sphere.radius;
    return solid->kind == TRV_SHAPE_CAPSULE ? solid->as.capsule.radius : 0.0f;
}

// Something to be sorted by key.
typedef struct trvi_entry {
    uint64_t key;
    uint32_t value;
    uint32_t extra;
} trvi_entry;

// Marks in `extra` of an active entry, from the test of its contact to the end of the step: who
// goes through all contacts need not touch those that it has nothing to do with.
enum {
    TRVI_ENTRY_TESTED = 1, // its contact was tested
    TRVI_ENTRY_FRESH = 2,  // there was nothing to go by
    TRVI_ENTRY_GHOST = 4,  // a seam
    TRVI_ENTRY_NEAR = 8,   // it has points or, as a sensor's, overlaps; or something was told of it
    TRVI_ENTRY_FLOOR = 16, // near, and one of the bodies may be a floor to the other, see seam.c
    TRVI_ENTRY_ASLEEP = 32, // one of them sleeps, when the step begins
    TRVI_ENTRY_APART = 64,
    TRVI_ENTRY_REMEMBERED = 128, // apart, and nothing had to be looked for
    // Its contact has restitution. What the pre-solve function says of that at a blow counts there;
    // for who may bounce it counts from the next test on.
    TRVI_ENTRY_BOUNCES = 256,
    TRVI_ENTRY_PASSES = 512,   // nothing is ever pushed by it: a sensor's, or moved by hand only
    TRVI_ENTRY_TOUCHES = 1024, // from here on what is to be told or counted of it, see events.c
    TRVI_ENTRY_BEGINS = 2048,
    TRVI_ENTRY_ENDS = 4096,
    TRVI_ENTRY_BLOWS = 8192,
    // Of its points, when it was tested; and of the step before.
    TRVI_ENTRY_TOUCHED = 1 << 14,
    TRVI_ENTRY_CLOSE = 1 << 15, // near enough to touch without being pushed
    TRVI_ENTRY_STUCK = 1 << 16, // friction held a loaded point
    TRVI_ENTRY_SLID = 1 << 17,  // a loaded point slid
    TRVI_ENTRY_LOADED = TRVI_ENTRY_STUCK | TRVI_ENTRY_SLID,
    TRVI_ENTRY_BLOWING = 1 << 18,
    // Of the impulses that were found for it in this step.
    TRVI_ENTRY_SOLVED = 1 << 19,
    TRVI_ENTRY_PUSHED = 1 << 20,
    TRVI_ENTRY_STRUCK = 1 << 21, // fast enough to be told
    TRVI_ENTRY_HELD = 1 << 22,   // friction holds a loaded point
    TRVI_ENTRY_RUNS = 1 << 23,   // one surface runs over its body
    TRVI_ENTRY_SLIDES = 1 << 24, // one comes along fast over what can be pushed, see seam.c
    TRVI_ENTRY_AHEAD = 1 << 25,  // one comes upon a piece of a floor within the step, see ahead.c
    TRVI_ENTRY_FOOT = 1 << 26,   // more than two of its points are loaded
    TRVI_ENTRY_MET = 1 << 27,    // a blow has told it at what speed it met
    TRVI_ENTRY_POINTS = 1 << 28  // times their number; above it is nothing
};

// That many points take part in the step; a sensor has none.
static inline uint32_t trvi_points_of(const trvi_entry *entry)
{
    return entry->extra / TRVI_ENTRY_POINTS;
}

// What is asked of an active contact and its bodies again and again in a step, as of its test.
typedef struct trvi_sides {
    uint32_t body_a, body_b;
    float inside;             // their thicknesses, together, m
    float thinner;            // the thickness of the thinner one
    float radius_a, radius_b; // of spheres and capsules that have a manifold; else 0, m
    float friction, rolling;  // as of the contact; corners resist rolling a little anyway, m
    float budget; // apart, they cannot meet before they have moved as far as this, m; else negative
} trvi_sides;

// Of a manifold's points; the first of several.
static inline uint32_t trvi_deepest_of(const trv_manifold *manifold)
{
    uint32_t deepest = 0;
    for (uint32_t i = 1; i < manifold->count; i++)
        if (manifold->points[i].separation < manifold->points[deepest].separation)
            deepest = i;
    return deepest;
}

// The least separation of its points, m; more than any where it has none.
static inline float trvi_nearest_of(const trv_manifold *manifold)
{
    float nearest = TRV_COORD_MAX;
    for (uint32_t i = 0; i < manifold->count; i++)
        nearest = trvi_smaller(nearest, manifold->points[i].separation);
    return nearest;
}

// The marks that tell of a contact's points, of which it has some.
static inline uint32_t trvi_marks_of_points(const trvi_contact *contact)
{
    bool touched = (contact->flags & TRVI_CONTACT_TOUCHING) != 0;
    float limit = touched ? TRVI_RELEASE_M : TRVI_TOUCH_M;
    uint32_t marks = contact->manifold.count * TRVI_ENTRY_POINTS;
    if (touched)
        marks |= TRVI_ENTRY_TOUCHED;
    if (contact->blow != 0.0f)
        marks |= TRVI_ENTRY_BLOWING;
    if (trvi_dot(contact->surface, contact->surface) > 0.0f)
        marks |= TRVI_ENTRY_RUNS;
    uint32_t loaded = 0;
    for (uint32_t i = 0; i < contact->manifold.count; i++) {
        loaded += contact->impulses[i].normal > 0.0f;
        if (contact->manifold.points[i].separation <= limit)
            marks |= TRVI_ENTRY_CLOSE;
        if (contact->impulses[i].normal > 0.0f)
            marks |= trvi_slides_at(contact, i) ? TRVI_ENTRY_SLID : TRVI_ENTRY_STUCK;
    }
    if (loaded > 2)
        marks |= TRVI_ENTRY_FOOT;
    return marks;
}

static inline bool trvi_body_moves(const trvi_body *body)
{
    return body->kind != TRV_BODY_STATIC;
}

// Does A as a sensor see B?
static inline bool trvi_sees(const trvi_shape *a, const trvi_shape *b)
{
    return (a->flags & TRV_SHAPE_SENSOR) && (b->flags & TRV_SHAPE_SENSOR_EVENTS) &&
           (!(b->flags & TRV_SHAPE_SENSOR) || (a->flags & TRV_SHAPE_SEES_SENSORS));
}

static inline bool trvi_is_disabled(const trvi_body *body)
{
    return (body->settings & TRVI_BODY_DISABLED) != 0;
}

// What trvi_find_reaches has found for a body; one that sleeps comes nowhere.
static inline float trvi_found_reach(const trvi_body *body)
{
    return body->flags & TRVI_BODY_AWAKE ? body->reach : 0.0f;
}

#endif
