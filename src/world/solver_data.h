// What the solver works on: dense arrays of this step's awake bodies, and contacts in blocks of
// eight lanes; first those that large islands share, then each small island's.
//
// Contacts are coloured: those of one colour share no body that can be pushed, so the lanes of a
// block, and the blocks of a colour, may be solved in any order or at once with the same result.
// What does not fit into the colours is solved after them in a fixed order, see overflow.c.
#ifndef TRVI_SOLVER_DATA_H
#define TRVI_SOLVER_DATA_H

#include "world_data.h"

#include <stddef.h>
#include <string.h>

// Colours are bits of a uint32_t; the last bit stands for "none free". Contacts with bodies that do
// not yield take theirs from TRVI_FIRST_SUPPORT on.
#define TRVI_COLORS        31
#define TRVI_OVERFLOW      TRVI_COLORS
#define TRVI_FIRST_SUPPORT 16

// Solver body 0 stands for everything that does not move.
#define TRVI_UNMOVED 0u

// What trvi_motion.touched says of a body whose way through the sub-step is already gone.
#define TRVI_LANDED 2.0f

// Its inertia is another by now than it was when contacts were prepared; or it left the range of numbers, and
// was stopped.
#define TRVI_TURNED  1.0f
#define TRVI_UNSOUND 2.0f

// The part of a body that sub-steps change: four rows of four words.
typedef struct trvi_motion {
    trv_vec3 linear;  // m/s
    float pushable;   // 1 for bodies that contacts can push, else 0
    trv_vec3 angular; // rad/s
    float touched;    // 1 when any contact may act on the body in this step; or TRVI_LANDED
    trv_vec3 moved;   // of the centre of mass since the beginning of the step
    float odd;        // 0, TRVI_TURNED or TRVI_UNSOUND
    trv_quat turned;  // since the beginning of the step
} trvi_motion;

// Of all contacts that press on the body; the first two not of those with what is moved by hand.
enum {
    TRVI_BEARING_STICKS = 1, // friction holds one, at two points or more
    TRVI_BEARING_SLIDES = 2, // one slides
    TRVI_BEARING_TURNS = 4,  // friction holds one, and neither side is round: it turns about there
    TRVI_BEARING_SLIPS = 8   // one slides, whomever it is with
};

// The part that stays the same for the step. What contacts are prepared from comes first.
typedef struct trvi_solver_body {
    trvi_symmetric inverse_inertia; // world axes
    float inverse_mass;
    trv_vec3 center; // of mass, where the step began
    float extent;    // of the farthest point from there, m
    uint32_t body;
    uint32_t colors;  // bits of the colours that already hold a contact of this body
    uint16_t locks;   // bits of trv_lock
    uint16_t bearing; // TRVI_BEARING_STICKS ...
    // What moves it, so that the sub-steps need not look at the body itself.
    bool pushed;                     // by forces, and by contacts: it is dynamic
    bool plain;                      // it turns by its spin alone, without a torque of its own
    bool mends;                      // it was moved by the speed at the end of the sub-step
    bool stands;                     // in a stack that something holds: its slow swaying is damped
    bool apart;                      // goes through the step by itself, or with its island
    bool alone;                      // no other body is near any part of its way
    uint16_t row_parts;              // what pushes add up to on the way to it, see rows.c
    uint32_t rides;                  // the solver body that the stack stands on
    uint32_t top;                    // in world->tops, where it spins on its tip; or TRVI_NONE
    float slender;                   // the largest moment of inertia over the least, less 1
    float pull, load;                // what weight and forces come to, and in its whole island, N
    float far_way;                   // the guard asks whoever comes farther in a sub-step, m
    float keep_linear, keep_angular; // of its velocities, after damping
    trv_vec3 linear_before;          // the velocity when the sub-step began, m/s
    trv_vec3 rocks;        // the normal that its centre goes to and fro along as it rolls, or 0
    trv_vec3 gain;         // of speed, in the sub-step before that, m/s^2
    trv_vec3 acceleration; // of gravity and forces
    trv_vec3 angular_acceleration; // of torques
    trv_vec3 free, free_spin;      // its velocities before contacts have pushed it in this sub-step
} trvi_solver_body;

// Of a block; and of those that an island's effort is counted in.
#define TRVI_BLOCK_LANES  8
#define TRVI_EFFORT_LANES 4

typedef float trvi_lane_floats[TRVI_BLOCK_LANES];

typedef struct trvi_lane_vec3 {
    trvi_lane_floats x, y, z;
} trvi_lane_vec3;

typedef struct trvi_lane_symmetric {
    trvi_lane_floats xx, yy, zz, xy, xz, yz;
} trvi_lane_symmetric;

// One lane.
static inline trv_vec3 trvi_lane_get(const trvi_lane_vec3 *v, uint32_t lane)
{
    return (trv_vec3){v->x[lane], v->y[lane], v->z[lane]};
}

static inline void trvi_lane_set(trvi_lane_vec3 *to, uint32_t lane, trv_vec3 v)
{
    to->x[lane] = v.x;
    to->y[lane] = v.y;
    to->z[lane] = v.z;
}

// As many lanes as a vector has, from `first` on.
static inline trvi_wide3 trvi_wide_load(const trvi_lane_vec3 *v, uint32_t first)
{
    return (trvi_wide3){trvi_lanes_load(v->x + first), trvi_lanes_load(v->y + first),
                        trvi_lanes_load(v->z + first)};
}

static inline void trvi_wide_store(trvi_lane_vec3 *to, uint32_t first, trvi_wide3 v)
{
    trvi_lanes_store(to->x + first, v.x);
    trvi_lanes_store(to->y + first, v.y);
    trvi_lanes_store(to->z + first, v.z);
}

static inline trvi_wide_symmetric trvi_wide_load_symmetric(const trvi_lane_symmetric *m,
                                                           uint32_t first)
{
    return (trvi_wide_symmetric){trvi_lanes_load(m->xx + first), trvi_lanes_load(m->yy + first),
                                 trvi_lanes_load(m->zz + first), trvi_lanes_load(m->xy + first),
                                 trvi_lanes_load(m->xz + first), trvi_lanes_load(m->yz + first)};
}

static inline void trvi_wide_store_symmetric(trvi_lane_symmetric *to, uint32_t first,
                                             trvi_wide_symmetric m)
{
    trvi_lanes_store(to->xx + first, m.xx);
    trvi_lanes_store(to->yy + first, m.yy);
    trvi_lanes_store(to->zz + first, m.zz);
    trvi_lanes_store(to->xy + first, m.xy);
    trvi_lanes_store(to->xz + first, m.xz);
    trvi_lanes_store(to->yz + first, m.yz);
}

typedef struct trvi_block_point {
    trvi_lane_floats normal, tangent_1, tangent_2; // impulses so far, N s
    trvi_lane_vec3 at; // from the contact's middle, along its normal and tangents, m
    trvi_lane_floats normal_mass, tangent_mass_1, tangent_mass_2;
    trvi_lane_floats largest;        // normal impulse over the sub-steps
    trvi_lane_floats gap;            // separation at the beginning of the step
    trvi_lane_floats held;           // 0, or far more than any gap: then the point does nothing
    trvi_lane_floats slip_1, slip_2; // how far B had been dragged along the tangents by then, less
                                     // what it has slid since
    trvi_lane_floats slid;           // 1 where friction was at its limit two sub-steps ago, else 0
    trvi_lane_floats approach;       // relative normal speed as the step began, m/s
    trvi_lane_floats least;          // what normal may be in this sub-step, N s
} trvi_block_point;

// How the contact's sides give way to each other beyond that: their relative spin by a unit of
// torque at the contact's middle, and by a unit of force there along each axis. In the frame of the
// block.
typedef struct trvi_lane_turning {
    trvi_lane_symmetric spins;
    trvi_lane_vec3 turns[3];
} trvi_lane_turning;

// Eight contacts. Vectors of fewer lanes go over it in parts. Unused lanes and points have zero
// masses and do nothing. The second tangent is the cross product of the normal and the first one.
// What each pass looks at comes first, then what some do: blocks are read from one end to where the
// pass needs no more, and a step's are more than fit into near caches.
typedef struct trvi_block {
    // As contacts have been dealt, as is what stands last. All is filled as the block is prepared.
    uint32_t points; // largest count of any lane
    uint16_t lanes;  // that are used: the first ones
    bool rolls;      // there is rolling friction
    bool round;      // a side does not turn about the whole of its arm
    // Empty until the block is prepared.
    bool carried;                // a side is turned by hand
    bool locked;                 // a side cannot be pushed along some axis
    bool swings;                 // a side's turning moves what bears on the other
    bool runs;                   // a surface runs over its body
    bool aimed;                  // since the sub-step began
    bool placed;                 // it is known with whom its places go
    bool bound;                  // friction has largest impulses of its own, see trvi_aim.most
    uint8_t balls;               // bits of the lanes of what is round, and passes by
    uint32_t pushes_a, pushes_b; // bits of the lanes whose sides can be pushed
    // Dealt, too.
    bool hard[TRVI_BLOCK_LANES];       // held rigidly, and not by a spring
    uint16_t island[TRVI_BLOCK_LANES]; // of the pack: which one, from its first on
    uint16_t more[TRVI_BLOCK_LANES];   // sweeps than one, of islands that are not solved with care
    // Looked at in each pass.
    uint32_t body_a[TRVI_BLOCK_LANES], body_b[TRVI_BLOCK_LANES]; // solver bodies
    trvi_lane_floats solving; // 1, or 0 while the island has settled
    trvi_lane_floats given;   // normal impulse at all points by the sub-steps that are over, N s
    trvi_lane_floats inverse_mass_a, inverse_mass_b;
    trvi_lane_vec3 normal, tangent_1;
    trvi_lane_vec3 middle_a, middle_b; // the contact's middle from the centres of mass, by now
    trvi_lane_symmetric inverse_inertia_a, inverse_inertia_b;
    // As the contact is solved.
    trvi_lane_floats friction;
    trvi_lane_symmetric speeds; // B's side past A's at the middle, by a unit of force; in the frame
    // As it pushes.
    trvi_lane_floats bias_rate, mass_scale, impulse_scale;
    trvi_lane_floats hold_rate; // for what was dragged along the surface, 1/s
    trvi_lane_floats hold_slop; // and what of that is left alone, m
    trvi_lane_floats slop;      // overlap that is left alone, m
    trvi_lane_floats jammed;    // from 0, not, to 1
    trvi_lane_floats tilts;     // more than 0: friction at one of several points tilts the contact
    trvi_lane_floats borne;     // more than 0: a point bore something as the sub-step began
    trvi_block_point point[TRV_MANIFOLD_POINTS];
    trvi_lane_turning turning; // where there are several
    // What few need; filled where the block says that it does.
    trvi_lane_floats rolling;      // lever arm of rolling friction, m
    trvi_lane_floats rolling_mass; // kg m^2, on the safe side for every axis
    trvi_lane_vec3 rolled;         // impulse of rolling friction in this sub-step, N m s
    trvi_lane_vec3 arm_a, arm_b;   // where `swings`: the arms to the middle as the step began
    trvi_lane_vec3 core_a, core_b; // and what of them turns
    // Where `placed`: the frame as the step began, and what of the two ways past each other the place where
    // they touch goes over A, and over B: all of it over a face, which turns the normal, too;
    // `over_a` is below 0 of what is round, and whose normal follows both; `over_b`, too, between two balls.
    trvi_lane_vec3 normal_then, tangent_then;
    trvi_lane_floats over_a, over_b;
    trvi_lane_floats surface_1, surface_2; // of B's surface over A's along the tangents, m/s
    trvi_lane_vec3 free_a, free_b;         // where `locked`: inverse masses along the world's axes
    trvi_lane_vec3 carrier;                // spin of the side that is moved by hand
    // What it is filled from.
    uint32_t contact[TRVI_BLOCK_LANES];  // TRVI_NONE in unused lanes
    uint32_t active[TRVI_BLOCK_LANES];   // its place among the active ones
    trvi_lane_floats radius_a, radius_b; // of spheres and capsules; else 0
    trvi_lane_floats counts;             // of points
} trvi_block;

// No vector lies across two lines of the cache.
_Static_assert(offsetof(trvi_block, body_a) % sizeof(trvi_lane_floats) == 0 &&
                   sizeof(trvi_block) % sizeof(trvi_lane_floats) == 0,
               "lanes are aligned");

// A block's normal and tangents. Vectors `in` it have their components along these three.
typedef struct trvi_wide_frame {
    trvi_wide3 normal, tangent_1, tangent_2;
} trvi_wide_frame;

static inline trvi_wide_frame trvi_wide_frame_of(trvi_wide3 normal, trvi_wide3 tangent_1)
{
    trvi_wide3 tangent_2 = trvi_wide_unless_less(trvi_wide_cross(normal, tangent_1),
                                                 trvi_lanes_splat(TRVI_RESPONSE_NONE));
    return (trvi_wide_frame){normal, tangent_1, tangent_2};
}

static inline trvi_wide_frame trvi_block_frame(const trvi_block *block, uint32_t first)
{
    trvi_wide3 normal = trvi_wide_load(&block->normal, first);
    trvi_wide3 tangent = trvi_wide_load(&block->tangent_1, first);
    return trvi_wide_frame_of(normal, tangent);
}

static inline trvi_wide3 trvi_into_frame(const trvi_wide_frame *frame, trvi_wide3 v)
{
    return (trvi_wide3){trvi_wide_dot(frame->normal, v), trvi_wide_dot(frame->tangent_1, v),
                        trvi_wide_dot(frame->tangent_2, v)};
}

static inline trvi_wide3 trvi_out_of_frame(const trvi_wide_frame *frame, trvi_wide3 v)
{
    trvi_wide3 sum = trvi_wide_scale(frame->normal, v.x);
    sum = trvi_wide_mul_add(sum, frame->tangent_1, v.y);
    return trvi_wide_mul_add(sum, frame->tangent_2, v.z);
}

// For a point, as long as the bodies don't move: the speed to aim for along the normal, and against
// what was dragged along the surface, m/s; and how hard: mass, and the share of the impulse that
// leaks.
typedef struct trvi_aim {
    trvi_lane_floats bias, back_1, back_2;
    trvi_lane_floats mass, leak;
    trvi_lane_floats most; // impulse of friction, whatever the normal one, N s; or below 0
} trvi_aim;

typedef struct trvi_aims {
    trvi_aim of[TRV_MANIFOLD_POINTS];
    trvi_lane_floats pushes; // how fast the deepest points are pushed out, m/s
} trvi_aims;

// An island that is solved with care. Small ones are solved side by side, in a pack, so that the
// lanes of their blocks are full; each settles by itself, as if it were alone.
typedef struct trvi_island {
    uint32_t contacts;
    uint32_t first_member; // of world->members
    uint32_t effort;       // blocks of TRVI_EFFORT_LANES that it would take alone
    uint32_t pack; // islands from this one on that are solved together; 0 in all but the first
    uint32_t turn; // the first island of the pack whose turn comes at this place, see world->packs
    uint32_t first_block; // of the pack
    uint32_t blocks;      //
    uint32_t first_body;  // of trvi_island_bodies
    uint32_t bodies;
    uint32_t sweeps; // in all passes of the step so far
    bool by_hand;    // it touches what is moved by hand
    bool apart;      // the pack goes through the step by itself: nothing else moves what it touches
    bool far;        // on which one of its bodies came far: it has to be guarded with all others
    bool knotted;    // much of it is pushed out of one another as fast as may be
    double allowed;  // energy of what a sweep may change when the island is settled, N^2 s^2 / kg
    float bearable;  // impulse of a point below which the island is not jammed, N s
} trvi_island;

// For a block of such an island: what a pass aims at, the impulses before a sweep, normal and
// tangential, and the way along which to go on.
typedef struct trvi_trial {
    trvi_aims aims;
    trvi_lane_floats before[TRV_MANIFOLD_POINTS][3];
    trvi_lane_floats way[TRV_MANIFOLD_POINTS][3];
    trvi_lane_vec3 rolled_before, rolled_way; // where the block rolls
} trvi_trial;

// How a spring gives way.
typedef struct trvi_softness {
    float bias_rate, mass_scale, impulse_scale;
} trvi_softness;

// What the lanes of a block are filled from.
typedef struct trvi_sources {
    const float *contact[TRVI_BLOCK_LANES]; // its words
    const float *points[TRVI_BLOCK_LANES];  // those of its trvi_point_step
    const float *center_a[TRVI_BLOCK_LANES], *center_b[TRVI_BLOCK_LANES]; // of mass
    trvi_lane_floats hard;                                                // 1, or 0
    trvi_lane_floats holds;            // 1, or 0 where what was dragged along is left there
    trvi_lane_floats thinner;          // thickness of the thinner side, m
    trvi_lane_floats no_gap;           // what is no farther apart is not, m
    trvi_lane_floats load;             // that it may have to bear in a sub-step, N s
    trvi_lane_floats share_a, share_b; // of the inverse mass and inertia that counts
    uint32_t moved_a, moved_b;         // bits of the lanes whose sides move
} trvi_sources;

// What all blocks of a step share.
typedef struct trvi_step {
    trv_world *world;
    float dt;
    uint32_t substeps;
    float h;         // of a sub-step, s
    float inverse_h; // 1/s
    float weight;    // of a kilogram in a sub-step, N s; the speed that it makes, m/s
    float push_speed;
    trvi_motion *motions;
    trvi_solver_body *bodies;
    trvi_block *blocks;
    trvi_softness soft, soft_both; // of contacts with one body that can be pushed, and with two
    const struct trvi_passes *passes;
    bool together; // nothing goes through the step by itself
} trvi_step;

static inline uint32_t trvi_solver_index(const trvi_body *body)
{
    return body->kind == TRV_BODY_STATIC ? TRVI_UNMOVED : body->solver;
}

// From the core of a contact's side (0 or 1) to its surface: round shapes touch at the same side,
// however they spin, and only their cores turn.
static inline trv_vec3 trvi_round_part(const trv_world *world, const trvi_contact *contact,
                                       int side)
{
    uint32_t shape = side == 0 ? contact->shape_a : contact->shape_b;
    float radius = trvi_radius_of(&trvi_shapes(world)[shape].solid);
    return trvi_scale(contact->manifold.normal, side == 0 ? radius : -radius);
}

// An arm to a contact point, of which `round` does not turn.
static inline trv_vec3 trvi_turn_arm(trv_quat turned, trv_vec3 arm, trv_vec3 round)
{
    return trvi_add(trvi_rotate(turned, trvi_sub(arm, round)), round);
}

// contact_prepare.c: fills a block from its contacts.
trvi_softness trvi_softness_of(const trvi_step *step, bool both_yield);
void trvi_block_prepare(const trvi_step *step, trvi_block *block);
// contact_place.c: how two shapes of a contact stand to one another.
typedef struct trvi_stand {
    trv_quat rotation_a, rotation_b; // of their bodies
    trv_vec3 normal;                 // from A to B
    const trv_plane_cache *plane;    // what the narrowphase has found there
} trvi_stand;
// 1 where B stands on a face of A, -1 the other way round, else 0. Of two faces it is that of who does not move, or of
// the larger body: what slides takes the place along.
int trvi_carrying_side(const trv_world *world, const trvi_contact *contact,
                       const trvi_stand *stand);
// Finds with whom the places where bodies touch go, and with whom their normals turn.
void trvi_block_place(const trvi_step *step, trvi_block *block);
// blow_place.c: of what was struck in a lane, where it met, if that is to be told. `marks`: of its entry;
// TRVI_ENTRY_STRUCK where its points have closed in as fast.
void trvi_place_blow(const trvi_step *step, const trvi_block *block, uint32_t lane, uint32_t marks);
// contact_meet.c: turns the normal of a lane to what it is when something round meets the other side; the arms go
// to where that is.
void trvi_block_meet(const trvi_step *step, trvi_block *block, uint32_t lane, trvi_lane_vec3 *arm_a,
                     trvi_lane_vec3 *arm_b);
// Where a light body bears a load of many times its own weight, the heavy one that stands on it counts as
// no more than so many times as heavy: the load stays what it is, but the few passes of a sub-step can
// find it. Blows and pushes carry no such load, and keep the true masses. The limit sets in gradually: as
// it lightens the load that is felt, a sudden one would switch itself off and on. Gives what the inverse
// mass of the heavy one is to be multiplied by. `gain` is what weight makes of a speed in a sub-step,
// m/s; then N s, and inverse masses.
float trvi_lightened(float gain, float carried, float heavy, float light);
// A unit vector across n: along the axis that n leans on least, made perpendicular.
trv_vec3 trvi_tangent_of(trv_vec3 n);

// contact_solve.c: what is done to a block, with as many lanes at once as the processor has.
typedef struct trvi_passes {
    // Fills the block from its contacts; stores the impulses back after the step, and tells of them
    // in the marks of the active entries.
    void (*fill)(const trvi_step *step, trvi_block *block, const trvi_sources *from);
    void (*store)(const trvi_step *step, const trvi_block *block);
    // As a sub-step begins, once: where the sides have got to, and how they touch there.
    void (*follow)(const trvi_step *step, trvi_block *block);
    void (*warm_start)(const trvi_step *step, trvi_block *block);
    void (*aim)(const trvi_step *step, trvi_block *block, bool push, trvi_aims *aims);
    // What turns by hand adds to that, by how fast the other side is going: in each sweep anew.
    void (*carry)(const trvi_step *step, const trvi_block *block, bool push, trvi_aims *aims);
    void (*solve)(const trvi_step *step, trvi_block *block, const trvi_aims *aims);
    void (*remember)(const trvi_block *block, trvi_trial *trial);
    // The energies, squares of impulses over masses, of what has changed since they were remembered,
    // and of the impulses themselves, J.
    void (*change)(const trvi_block *block, const trvi_trial *trial, trvi_lane_floats energies);
    void (*whole)(const trvi_block *block, trvi_lane_floats energies);
    // way = share * way + change; the impulses, which hold the change, go on by share * the old
    // way.
    void (*go_on)(const trvi_step *step, trvi_block *block, trvi_trial *trial,
                  const trvi_lane_floats shares);
} trvi_passes;

extern const trvi_passes trvi_passes_four;
// contact_eight.c: the same for eight lanes, or four where there are no eight.
const trvi_passes *trvi_passes_eight(void);
bool trvi_has_eight(void);

// blocks.c
void trvi_blocks_init(trv_world *world);
// Solver bodies, island by island.
const uint32_t *trvi_island_bodies(const trv_world *world);
trv_result trvi_lay_out_blocks(trv_world *world, float substep);
// Fills what is known of a block from the contacts that were dealt to it.
void trvi_deal_block(const trv_world *world, trvi_block *block);

// burden.c: for the first island of a pack, and all that go with it, before their blocks are filled.
void trvi_find_burdens(const trvi_step *step, const trvi_island *pack);
// What acts on so many bodies in a sub-step, N s.
float trvi_loads_on(const trvi_step *step, const uint32_t *bodies, uint32_t count);

// toil.c
#define TRVI_TOIL_TIERS 8
void trvi_toils_init(trv_world *world);
bool trvi_toils_reserve(trv_world *world);
// How many sweeps the island of a body is likely to take, from 0, few, to the last tier; 0 of TRVI_NONE.
uint32_t trvi_toil_tier(const trv_world *world, uint32_t body);
// What the islands of a pack took in the step that ends; with their bodies.
void trvi_tell_toils(const trvi_step *step, const trvi_island *pack, const uint32_t *bodies);

// loads.c: contacts remember their loads as impulses of a sub-step of so many seconds from here on.
void trvi_loads_take(trv_world *world, float h);

// settle.c
// For the first island of a pack, and all that go with it.
void trvi_islands_prepare(const trvi_step *step, trvi_island *islands);
void trvi_settle_islands(const trvi_step *step, trvi_island *islands, bool push);

// runaway.c: of the island's motion, J.
double trvi_energy_of(const trvi_step *step, const trvi_island *island);
// Is an island of the pack thrown by its own impulses, to more than so many times its energy? `begun`: what it
// had of that by then, J, where other than contacts have changed it in this sub-step.
bool trvi_runs_away(const trvi_step *step, const trvi_island *pack, uint32_t island, double times,
                    double begun, const trvi_block *blocks, const trvi_trial *trials);
// All that has been given in this sub-step.
void trvi_take_back(const trvi_step *step, const trvi_island *pack, uint32_t island,
                    trvi_block *blocks);
// From now on friction's impulses are no larger than they may be now, or, `smooth`, than nothing; until all
// of the pack are free again.
void trvi_hold_friction(const trvi_island *pack, uint32_t island, bool smooth, trvi_block *blocks,
                        trvi_trial *trials);
void trvi_free_friction(const trvi_island *pack, trvi_block *blocks);

// rows.c: where pushes add up to too much in islands of a pack, all of these are slowed down. Gives each
// island's share of what they were.
void trvi_slow_rows(const trvi_step *step, const trvi_island *pack, const trvi_block *blocks,
                    trvi_trial *trials, float *shares);

// motion.c: bodies in and out of the solver, and their integration.
// The inverse of the inertia of a body, turned so, in world axes; nothing turns it about axes that
// are locked (bits of trv_lock).
trvi_symmetric trvi_inverse_inertia_at(const trvi_mobile *mobile, trv_quat rotation,
                                       uint32_t locks);
// Of a body that has turned by so much since the step began.
trvi_symmetric trvi_inverse_inertia_turned(const trvi_step *step, uint32_t solver, trv_quat turned);
// How a body gives way at `arm` from its centre of mass, along a unit axis there, 1/kg: 0 where its locks
// leave all but nothing of that.
float trvi_yield_along(float inverse_mass, const trvi_symmetric *inverse_inertia, uint32_t locks,
                       trv_vec3 arm, trv_vec3 axis);
void trvi_motion_load(const trvi_step *step, uint32_t first, uint32_t last);
void trvi_motion_accelerate(const trvi_step *step, uint32_t first, uint32_t last);
void trvi_motion_move(const trvi_step *step, uint32_t first, uint32_t last);
void trvi_motion_store(const trvi_step *step, uint32_t first, uint32_t last);
// True where nothing has pushed the body in this sub-step.
bool trvi_flies_freely(const trvi_step *step, uint32_t solver);
// A body that stood for a part of the sub-step, s, though nothing has pushed it back, did not fall:
// it keeps none of the speed that its weight would have given it by that.
void trvi_motion_withhold(const trvi_step *step, uint32_t solver, float stood);
// The rotation by w * h.
trv_quat trvi_turn_by(trv_vec3 w, float h);
// R m R^T for a symmetric m.
trvi_symmetric trvi_turn_symmetric(trv_quat rotation, const trvi_symmetric *m);

// neighbors.c
void trvi_neighbors_init(trv_world *world);
bool trvi_neighbors_reserve(trv_world *world);
// Lists them, once in a step.
void trvi_neighbors_list(trv_world *world);

// bounce.c: the speed above which two bodies bounce, m/s.
float trvi_bounce_threshold(const trv_world *world, uint32_t body_a, uint32_t body_b);

// impacts.c, impact_hold.c: what bounces, and what may pass through others, within a sub-step.
void trvi_impacts_init(trv_world *world);
bool trvi_impacts_reserve(trv_world *world);
void trvi_impacts_list(trv_world *world);
// Takes contacts that are going to be a blow out of the solver's hands, and gives the others back.
void trvi_impacts_hold(const trvi_step *step, bool relaxes);
// Follows the bodies to the end of the sub-step; those that were struck have then been moved.
void trvi_impacts_run(const trvi_step *step);

// advance.c: has a blow sent the body elsewhere in this sub-step? Where there are impacts.
bool trvi_was_struck(const trvi_step *step, uint32_t solver);

// guard.c: no body passes another.
// Where a body was when the sub-step began; as in trvi_motion.
typedef struct trvi_certified {
    trv_vec3 moved;
    trv_quat turned;
    bool astray; // it has left the boxes that contacts were found by; told where `guard_strays`
} trvi_certified;

void trvi_guard_init(trv_world *world);
bool trvi_guard_reserve(trv_world *world);
// Its box in the broadphase is another from now on.
void trvi_guard_tell_stray(const trvi_step *step, uint32_t solver);
// What a body may come in a sub-step without being asked for, m.
float trvi_guard_way(const trvi_body *body);
// Of one body, before and after a sub-step has moved it; of many at once.
void trvi_guard_begin(const trvi_step *step, uint32_t solver);
void trvi_guard_end(const trvi_step *step, uint32_t solver);
// What `far_bodies` says of a body that came far in the sub-step: it may have passed another; or it was
// alone on a way that was foreseen, so that it has not, as long as everyone else is where they were
// foreseen, too.
enum { TRVI_FAR = 1, TRVI_FAR_ALONE = 2 };

// Did the body come so far in the sub-step that it may have passed another?
static inline bool trvi_guard_is_far(const trvi_step *step, uint32_t solver)
{
    return solver != TRVI_UNMOVED && ((const uint8_t *)step->world->far_bodies.items)[solver] != 0;
}

static inline void trvi_guard_set_far(const trvi_step *step, uint32_t solver, uint8_t far)
{
    ((uint8_t *)step->world->far_bodies.items)[solver] = far;
}

// When all have moved: did any? Then the guard is to be run: who would pass another is stopped.
bool trvi_guard_is_needed(const trvi_step *step);
void trvi_guard_run(const trvi_step *step);

// Moves one body by its velocities over h: along a line, and turning as a free body does.
void trvi_motion_turn(const trv_world *world, const trvi_body *body, trvi_motion *motion, float h);
// How its spin changes as it turns by itself, rad/s^2.
trv_vec3 trvi_motion_veers(const trvi_step *step, uint32_t solver);

// spin.c: how free bodies turn, in double.
typedef struct trvi_dquat {
    double x, y, z, w;
} trvi_dquat;

typedef struct trvi_turning {
    trvi_dquat rotation;
    trvi_dvec3 spin; // rad/s, world space
} trvi_turning;

// What goes on while a body turns: equal sub-steps of h seconds under a constant torque.
typedef struct trvi_turn_way {
    trvi_dvec3 torque; // N m, world space
    double h;
    uint32_t substeps;
} trvi_turn_way;

trvi_dquat trvi_dquat_from(trv_quat q, trv_quat rest);
trvi_dquat trvi_dquat_mul(trvi_dquat a, trvi_dquat b);
trvi_dquat trvi_dquat_conjugate(trvi_dquat q);
trvi_dquat trvi_dquat_normalize(trvi_dquat q);
trvi_dvec3 trvi_dquat_rotate(trvi_dquat q, trvi_dvec3 v);
trvi_dvec3 trvi_dquat_rotate_inverse(trvi_dquat q, trvi_dvec3 v);
// The momentum of a spin, and the spin of a momentum, of a body that is turned so.
trvi_dvec3 trvi_momentum_of(const trvi_mobile *mobile, trvi_dquat rotation, trvi_dvec3 spin);
trvi_dvec3 trvi_spin_of(const trvi_mobile *mobile, trvi_dquat rotation, trvi_dvec3 momentum);
// How a spin, in the body's frame, changes as the body turns by itself, rad/s^2.
trv_vec3 trvi_spin_veers(const trvi_mobile *mobile, trv_vec3 spin);
// A body that turns by less than TRVI_SPIN_GENTLE rad in h, by the midpoint rule: cheaper, and as
// good.
void trvi_turn_gently(const trvi_body *body, const trvi_mobile *mobile, trvi_motion *motion,
                      float h);
// With the body's damping. Numbers too large come out infinite or NaN.
void trvi_turn_freely(const trvi_mobile *mobile, trvi_turning *turning, const trvi_turn_way *way);

// What an island is that is not solved with care, by the slot of its root: one body alone, or large. Those
// in the last slot take one sweep in each pass, those in any before it one more than in the next.
#define TRVI_SLOT_LARGE TRVI_NONE
#define TRVI_SLOT_ALONE (TRVI_SLOT_LARGE - TRVI_MORE_SWEEPS - 1u)

// layers.c: puts large islands, all in the last slot so far, where they take as many sweeps as they are
// worth. `substep` in s; `indices` is scratch, for each solver body. False where there is no memory.
void trvi_layers_init(trv_world *world);
bool trvi_find_more_sweeps(trv_world *world, float substep, uint32_t *parents, uint32_t *slots,
                           uint32_t *indices);

// footing.c: gives what stands anew, and what that stands on, the loads that they bear. False where there
// is no memory for it; uses the scratch of parents.
void trvi_footings_init(trv_world *world);
bool trvi_find_footings(trv_world *world, float dt, uint32_t substeps);

// top.c: what spins on its tip.
typedef struct trvi_top {
    uint32_t solver;
    uint32_t contact, active, point; // that bears it
    bool is_b;                       // of that contact
    bool off;          // the ground: from there on in the step it is a body like others
    bool slid;         // friction would not have held it
    trvi_dvec3 way;    // from the tip to the centre of mass, in the body's frame
    trvi_dvec3 given;  // to the body, by the sub-steps that are over, N s
    trvi_mobile about; // the body's, with moments and axes of inertia about the tip
} trvi_top;

void trvi_tops_init(trv_world *world);
// May it be one, by itself?
bool trvi_may_be_top(const trv_world *world, const trvi_body *body);
// Keeps those of the solver bodies marked so that are; false where memory ran out.
bool trvi_tops_find(trv_world *world, float dt, uint32_t substeps);
// Is one of them a top, whose contacts are not for the solver?
bool trvi_bears_top(const trv_world *world, uint32_t solver_a, uint32_t solver_b);
// As the step begins, for a body that is one.
void trvi_top_load(const trvi_step *step, uint32_t solver);
// Is it one, and was not thrown off within the step?
static inline bool trvi_is_top(const trvi_step *step, uint32_t solver)
{
    uint32_t top = step->bodies[solver].top;
    return top != TRVI_NONE && !((const trvi_top *)step->world->tops.items)[top].off;
}

// Something else has moved it.
void trvi_top_leave(const trvi_step *step, uint32_t solver);
// Through a sub-step; false, and nothing is done, where it leaves the ground.
bool trvi_top_move(const trvi_step *step, uint32_t solver);
// What its contact has given goes where the solver puts it.
void trvi_top_store(const trvi_step *step, uint32_t solver);

#endif
