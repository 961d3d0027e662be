// Moving pairs: where two shapes are at a time of a step, and how far from there they cannot meet.
#ifndef TRVI_IMPACT_H
#define TRVI_IMPACT_H

#include "nearest.h"

// A time that no step reaches.
#define TRVI_NEVER 2.0

// A convex shape, or a half-space, and how it goes through the step.
typedef struct trvi_actor {
    const trv_shape *shape;
    const trv_pose *place; // of a part in its compound's frame, which is what moves; NULL: no part
    const trv_motion *motion;
} trvi_actor;

// One shape on its way. Vectors have world axes; places are relative to the turning centre, so that
// far from the origin nothing cancels.
typedef struct trvi_mover {
    trvi_dvec3 center; // the turning centre in the world at time 0
    trvi_dvec3 travel; // of the turning centre in the whole step
    trvi_dvec3 turn;   // rotation vector of the whole step; zero for what looks the same turned
    double rate;       // its length, rad
    double reach;      // no core vertex is farther from the turning centre
    double swing;      // ... from the axis through it
    double rise;       // ... from the plane through it across the axis
    trvi_dmat3 start;  // from the view's frame to the world, at time 0
    trvi_dvec3 arm;    // from the turning centre to the view's origin, at time 0
    trvi_dmat3 rotation, turned; // at the course's time: from the view's frame, and since time 0
    trvi_dvec3 origin;           // ... from the turning centre to the view's origin
} trvi_mover;

// Two shapes on their way. Half-spaces have a view of one point on their surface. Holds pointers
// into itself: fill it where it stays.
typedef struct trvi_course {
    trvi_couple couple; // at `time`
    trvi_mover a, b;
    trvi_dvec3 between;           // from A's turning centre to B's at time 0
    trvi_dvec3 travel;            // of B's relative to A's
    trvi_dvec3 apart;             // from A's turning centre to B's at `time`
    double time;                  // 0..1
    double sense;                 // 1: on from there; -1: back
    double radii;                 // and what trvi_course_grow adds
    double noise;                 // lengths below it are rounding of the motion
    double widest;                // extent of the cores that are climbed
    const trvi_mover *half_space; // A, B or NULL
    trvi_dvec3 plane;             // the half-space's normal at time 0, from A to B
} trvi_course;

// A plane that parts the shapes at the course's time, and its search's findings.
typedef struct trvi_front {
    trvi_dvec3 normal; // unit, from A to B, world axes
    double gap;        // between the surfaces along it
    uint32_t vertex_a, vertex_b;
    bool has_simplex;
    trvi_simplex simplex; // nearest features, where a search named them
    bool of_boxes;        // it is one of their axes: of a face of A or of B, or across two edges
    bool face_of_a;
    int edge_a, edge_b; // the axes of the boxes that these edges go along; -1 for a face
} trvi_front;

// What a front proves.
typedef struct trvi_stride {
    double length;     // no contact before time + sense * length
    bool free;         // nor after that, until the end asked about
    trvi_dvec3 normal; // the front's, turned on to where the stride ends
} trvi_stride;

// Of a motion's frame. What does not turn has none: its origin stands for it, as a place far off that
// nothing turns about would only cost accuracy.
static inline trvi_dvec3 trvi_turning_center(const trv_motion *motion)
{
    const trv_vec3 *turn = &motion->turn;
    bool turns = turn->x != 0.0f || turn->y != 0.0f || turn->z != 0.0f;
    return turns ? trvi_dvec3_from(motion->center_local) : (trvi_dvec3){0.0, 0.0, 0.0};
}

// A frame on its way, with nothing in it: no reach, and the arm goes to its origin. `start` and
// `rotation` turn it to the world.
void trvi_mover_set(trvi_mover *m, const trv_motion *motion);

// From A's turning centre to B's at time 0.
trvi_dvec3 trvi_movers_between(const trvi_mover *a, const trv_motion *motion_a, const trvi_mover *b,
                               const trv_motion *motion_b);

// Moves a mover to a time.
void trvi_mover_place(trvi_mover *m, double time);

// When two balls come as near as `sum`, from centre to centre, whose centres are `from` apart and
// go `travel` nearer: TRVI_NEVER where they do not.
double trvi_balls_meet(trvi_dvec3 from, trvi_dvec3 travel, double sum);

// Shapes and motions are known to be good, and not both half-spaces.
void trvi_course_set(trvi_course *course, const trvi_actor *a, const trvi_actor *b);

// From now on, coming as close as `margin` (m) counts as contact.
static inline void trvi_course_grow(trvi_course *course, double margin)
{
    course->radii = course->couple.a.radius + course->couple.b.radius + margin;
}

// Moves the course to a time.
void trvi_course_place(trvi_course *course, double time);

// Lengths up to this are contact.
double trvi_course_touch(const trvi_course *course);

// Until when the balls that the turning shapes stay in cannot meet: 0 where they do at once, more
// than 1 where they never do. Forward only.
double trvi_course_balls(const trvi_course *course);

// Speed of approach or parting, along any direction, that no two points of the shapes exceed (m per
// step).
double trvi_course_speed(const trvi_course *course);

// A plane that parts the shapes at the course's time; `former` is a guess at its normal, or NULL.
// False where there is none that leaves more than trvi_course_touch.
bool trvi_front_find(const trvi_course *course, const trvi_dvec3 *former, trvi_front *front);

// The front with another normal, for a course that went on from it. False where the gap along that
// is not more than trvi_course_touch.
bool trvi_front_follow(const trvi_course *course, trvi_dvec3 normal, trvi_front *front);

// How far from the course's time, at most `end`, the front proves that there is no contact.
void trvi_front_stride(const trvi_course *course, const trvi_front *front, double end,
                       trvi_stride *stride);

// Steps that the proof for a pair is worth; then contact is reported where it has come to.
enum { TRVI_IMPACT_STEPS = 2000 };

// What is asked about a moving pair.
typedef struct trvi_impact_goal {
    double until;                 // nothing after this time, 0..1
    double margin;                // m: see trvi_impact_options
    const trv_plane_cache *cache; // may be NULL
    bool want_last;               // the end of the contact too
    bool times_only;              // of two convex shapes: no normal, point or gap is asked for
    uint32_t steps;               // of the proof, at most; 0: as many as a pair is worth
} trvi_impact_goal;

// A moving pair's answer in double.
typedef struct trvi_impact_times {
    bool hit, start;
    double first, last;  // last: 0 where not asked for
    trvi_dvec3 normal;   // world, at `first`
    trvi_dvec3 point;    // world, at `first`
    double gap;          // between the surfaces at the start, where they touch there; else 0
    uint32_t part_a;     // of compounds
    uint32_t part_b;     //
    uint32_t pairs;      // of convex shapes looked at
    uint32_t turns;      // planes looked for
    bool ended_by_limit; // no decision within the limit: `first` is how far it was proven free
} trvi_impact_times;

// The search for two convex shapes, or one and a half-space. Cost: where a plane of old, or balls,
// part them for all of the time, a few supports.
void trvi_impact_pair(const trvi_actor *a, const trvi_actor *b, const trvi_impact_goal *goal,
                      trvi_impact_times *out);

// True where they touch at a time.
bool trvi_impact_touch(const trvi_actor *a, const trvi_actor *b, double time);

// The end of the contact that there is at time `from`; counts the planes looked for.
double trvi_impact_end(const trvi_actor *a, const trvi_actor *b, double from, uint32_t *turns);

// The search where one of the shapes, at least, is a compound. The goal's cache is not used.
void trvi_impact_compound(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                          const trv_motion *motion_b, const trvi_impact_goal *goal,
                          trvi_impact_times *out);

// The search for any shapes but two half-spaces, up to the end of the step.
void trvi_impact_find(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                      const trv_motion *motion_b, bool want_last, trvi_impact_times *out);

#endif
