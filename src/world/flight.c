// Flights: where bodies are within a sub-step, exactly as trvi_motion_move would have it at the
// end.
//
// Invariant: a flight that was never turned ends where trvi_motion_move takes the body.
#include "impact_data.h"

// rad in a sub-step, a little less than a turn: beyond, the even turn to the same end is another
// one.
#define WHIRLING 6.0f

static trvi_flight *flights(const trvi_step *step)
{
    return step->world->flights.items;
}

static const trvi_body *body_of(const trvi_step *step, uint32_t solver)
{
    return &trvi_bodies(step->world)[step->bodies[solver].body];
}

// Does its spin change by itself?
static bool spins_freely(const trvi_step *step, uint32_t solver)
{
    const trvi_body *body = body_of(step, solver);
    return body->kind == TRV_BODY_DYNAMIC && !(body->flags & TRVI_BODY_ROUND_INERTIA);
}

// Turns a flight's attitude and spin on by a time.
static trvi_motion turned_on(const trvi_step *step, uint32_t solver, const trvi_flight *flight,
                             float time)
{
    trvi_motion motion = step->motions[solver];
    motion.angular = flight->spin;
    motion.turned = flight->turned;
    trvi_motion_turn(step->world, body_of(step, solver), &motion, time);
    return motion;
}

// Less than a whole turn is taken for an even one; what is faster goes about its axis.
static void plan_turn(const trvi_step *step, uint32_t solver, trvi_flight *flight)
{
    float left = step->h - flight->start;
    float angle = trvi_length(flight->spin) * left;
    flight->rate = flight->spin;
    flight->flags &= ~(uint32_t)TRVI_FLIGHT_KEEPS_AXIS;
    if (!(angle > TRVI_SPIN_STILL) || !spins_freely(step, solver))
        return;
    if (!(angle < WHIRLING)) {
        if (flight->flags & TRVI_FLIGHT_STRUCK)
            flight->flags |= TRVI_FLIGHT_KEEPS_AXIS;
        return;
    }
    trv_quat end = turned_on(step, solver, flight, left).turned;
    trv_quat turn = trvi_quat_mul(end, trvi_quat_conjugate(flight->turned));
    trv_vec3 axis = {turn.x, turn.y, turn.z};
    float sine = trvi_length(axis);
    if (sine > 0.0f)
        flight->rate = trvi_scale(axis, 2.0f * (float)trvi_dangle(sine, turn.w) / (sine * left));
    // A struck body has no end to keep to. Where the two differ much, surfaces would close in by
    // the one and part by the other.
    float off = trvi_length(trvi_sub(flight->rate, flight->spin)) * left;
    if (!(flight->flags & TRVI_FLIGHT_STRUCK) || off <= TRVI_FLIGHT_OFF * angle)
        return;
    flight->rate = flight->spin;
    flight->flags |= TRVI_FLIGHT_KEEPS_AXIS;
}

void trvi_flight_forget(const trvi_step *step, uint32_t solver)
{
    flights(step)[solver].stamp = 0;
}

void trvi_flight_recall(const trvi_step *step, uint32_t solver)
{
    flights(step)[solver].stamp = step->world->impact_stamp;
}

trvi_flight *trvi_flight_of(const trvi_step *step, uint32_t solver)
{
    trvi_flight *flight = &flights(step)[solver];
    if (flight->stamp == step->world->impact_stamp)
        return flight;
    const trvi_motion *motion = &step->motions[solver];
    flight->stamp = step->world->impact_stamp;
    flight->flags = 0;
    flight->blows = flight->knots = 0;
    flight->first_knot = flight->last_knot = TRVI_NONE;
    flight->start = flight->bent = 0.0f;
    flight->moved = motion->moved;
    flight->turned = motion->turned;
    flight->acceleration = (trv_vec3){0.0f, 0.0f, 0.0f};
    if (trvi_flies_freely(step, solver))
        flight->acceleration = step->bodies[solver].acceleration;
    flight->speed = trvi_mul_add(motion->linear, flight->acceleration, -step->h);
    flight->spin = motion->angular;
    plan_turn(step, solver, flight);
    return flight;
}

static trv_vec3 moved_at(const trvi_flight *flight, float time)
{
    float t = time - flight->start;
    trv_vec3 mean = trvi_mul_add(flight->speed, flight->acceleration, 0.5f * t);
    return trvi_mul_add(flight->moved, mean, t);
}

trv_vec3 trvi_flight_way(const trvi_step *step, uint32_t solver, float time)
{
    return moved_at(trvi_flight_of(step, solver), time);
}

void trvi_flight_at(const trvi_step *step, uint32_t solver, float time, trv_vec3 *moved,
                    trv_quat *turned)
{
    const trvi_flight *flight = trvi_flight_of(step, solver);
    float t = time - flight->start;
    *moved = moved_at(flight, time);
    *turned = flight->turned;
    if (!(flight->flags & TRVI_FLIGHT_WAITS) && t > 0.0f)
        *turned = trvi_quat_normalize(trvi_quat_mul(trvi_turn_by(flight->rate, t), flight->turned));
}

trv_pose trvi_pose_moved(const trvi_step *step, const trvi_body *body, trv_vec3 moved,
                         trv_quat turned)
{
    trv_pose pose;
    trv_vec3 local_center = trvi_mobile_of(step->world, body)->local_center;
    pose.rotation = trvi_quat_normalize(trvi_quat_mul(turned, body->rotation));
    pose.position =
        trvi_sub(trvi_add(body->center, moved), trvi_rotate(pose.rotation, local_center));
    return pose;
}

trv_pose trvi_flight_pose(const trvi_step *step, const trvi_body *body, uint32_t solver, float time)
{
    if (solver == TRVI_UNMOVED)
        return body->frame;
    trv_vec3 moved;
    trv_quat turned;
    trvi_flight_at(step, solver, time, &moved, &turned);
    return trvi_pose_moved(step, body, moved, turned);
}

trv_motion trvi_flight_motion(const trvi_step *step, const trvi_body *body, uint32_t solver,
                              float from)
{
    trv_motion motion = {body->frame,
                         {0.0f, 0.0f, 0.0f},
                         {0.0f, 0.0f, 0.0f},
                         trvi_mobile_of(step->world, body)->local_center};
    if (solver == TRVI_UNMOVED)
        return motion;
    const trvi_flight *flight = trvi_flight_of(step, solver);
    trv_vec3 moved;
    trv_quat turned;
    trvi_flight_at(step, solver, from, &moved, &turned);
    motion.pose = trvi_pose_moved(step, body, moved, turned);
    motion.travel = trvi_sub(moved_at(flight, step->h), moved);
    if (!(flight->flags & TRVI_FLIGHT_WAITS))
        motion.turn = trvi_scale(flight->rate, step->h - from);
    return motion;
}

// Remembers the way up to a time. Where there is no more room, the next knot ends a longer piece.
static void tie_knot(const trvi_step *step, uint32_t solver, float time)
{
    trvi_array *all = &step->world->knots;
    trvi_flight *flight = trvi_flight_of(step, solver);
    if (!(time > flight->start) || flight->knots == TRVI_FLIGHT_KNOTS ||
        all->count >= trvi_most_knots(step->world))
        return;
    trvi_knot *knots = all->items, *knot = &knots[all->count];
    knot->next = TRVI_NONE;
    knot->time = time;
    trvi_flight_at(step, solver, time, &knot->moved, &knot->turned);
    bool waits = (flight->flags & TRVI_FLIGHT_WAITS) != 0;
    knot->turn = trvi_scale(flight->rate, waits ? 0.0f : time - flight->start);
    if (flight->knots++ == 0)
        flight->first_knot = all->count;
    else
        knots[flight->last_knot].next = all->count;
    flight->last_knot = all->count++;
}

const trvi_knot *trvi_flight_knots(const trvi_step *step, uint32_t solver)
{
    if (!step->world->has_impacts)
        return NULL;
    const trvi_flight *flight = trvi_flight_if_known(step, solver);
    if (flight == NULL || flight->knots == 0)
        return NULL;
    return &((const trvi_knot *)step->world->knots.items)[flight->first_knot];
}

trv_vec3 trvi_flight_speed(const trvi_step *step, uint32_t solver, float time)
{
    const trvi_flight *flight = trvi_flight_of(step, solver);
    return trvi_mul_add(step->motions[solver].linear, flight->acceleration, time - step->h);
}

// The even turn is not quite that of the spin on the way: in the body's frame the spin is what it has come to be, and
// with it the energy.
static trv_vec3 spin_at(const trvi_step *step, uint32_t solver, float time)
{
    const trvi_flight *flight = trvi_flight_of(step, solver);
    if (flight->flags & TRVI_FLIGHT_WAITS)
        return flight->spin;
    trvi_motion then = turned_on(step, solver, flight, time - flight->start);
    if (!spins_freely(step, solver))
        return then.angular;
    trv_vec3 moved;
    trv_quat turned;
    trvi_flight_at(step, solver, time, &moved, &turned);
    return trvi_rotate(turned, trvi_rotate_inverse(then.turned, then.angular));
}

trv_vec3 trvi_flight_spin(const trvi_step *step, uint32_t solver, float time)
{
    const trvi_flight *flight = trvi_flight_of(step, solver);
    return flight->flags & TRVI_FLIGHT_KEEPS_AXIS ? flight->spin : spin_at(step, solver, time);
}

// The way on from a time, m/s and rad/s.
typedef struct course {
    trv_vec3 speed, rate;
} course;

static course course_at(const trvi_flight *flight, float time)
{
    course c = {trvi_mul_add(flight->speed, flight->acceleration, time - flight->start),
                flight->rate};
    if (flight->flags & TRVI_FLIGHT_WAITS)
        c.rate = (trv_vec3){0.0f, 0.0f, 0.0f};
    return c;
}

// By what it goes elsewhere than on the course that it had when it started where it starts now.
static void add_bend(const trvi_step *step, uint32_t solver, trvi_flight *flight, const course *had)
{
    const course has = course_at(flight, flight->start);
    float speed = trvi_length(trvi_sub(has.speed, had->speed));
    float turn = trvi_length(trvi_sub(has.rate, had->rate)) * step->bodies[solver].extent;
    flight->bent += (speed + turn) * (step->h - flight->start);
}

void trvi_flight_turn(const trvi_step *step, uint32_t solver, float time, trv_vec3 linear,
                      trv_vec3 angular)
{
    trvi_flight *flight = trvi_flight_of(step, solver);
    trvi_motion *motion = &step->motions[solver];
    const course had = course_at(flight, time);
    tie_knot(step, solver, time);
    trvi_flight_at(step, solver, time, &flight->moved, &flight->turned);
    flight->start = time;
    flight->flags |= TRVI_FLIGHT_STRUCK;
    motion->linear = trvi_mul_add(linear, flight->acceleration, step->h - time);
    motion->angular = flight->spin = angular;
    if (!(flight->flags & TRVI_FLIGHT_WAITS)) {
        flight->speed = linear;
        plan_turn(step, solver, flight);
    }
    add_bend(step, solver, flight, &had);
    trvi_advance_renew(step, solver);
}

bool trvi_flight_commit(const trvi_step *step, uint32_t solver, float time)
{
    if (solver == TRVI_UNMOVED)
        return false;
    trvi_flight *flight = trvi_flight_of(step, solver);
    if ((flight->flags & TRVI_FLIGHT_STRUCK) || !spins_freely(step, solver))
        return false;
    trvi_flight_turn(step, solver, time, trvi_flight_speed(step, solver, time),
                     trvi_flight_spin(step, solver, time));
    return true;
}

bool trvi_flight_is_whirling(const trvi_step *step, uint32_t solver)
{
    return solver != TRVI_UNMOVED &&
           !(trvi_length(trvi_flight_of(step, solver)->spin) * step->h < WHIRLING);
}

void trvi_flight_wait(const trvi_step *step, uint32_t solver, float time)
{
    trvi_flight *flight = trvi_flight_of(step, solver);
    step->motions[solver].angular = flight->spin = trvi_flight_spin(step, solver, time);
    trvi_own_mobile(step->world, body_of(step, solver))->still_time = 0.0f; // it means to go on
    course had = course_at(flight, time);
    had.speed =
        trvi_mul_add(had.speed, flight->acceleration, 0.5f * (step->h - time)); // on average
    tie_knot(step, solver, time);
    trvi_flight_at(step, solver, time, &flight->moved, &flight->turned);
    flight->start = time;
    flight->flags |= TRVI_FLIGHT_STRUCK | TRVI_FLIGHT_WAITS;
    flight->speed = (trv_vec3){0.0f, 0.0f, 0.0f};
    flight->acceleration = (trv_vec3){0.0f, 0.0f, 0.0f};
    add_bend(step, solver, flight, &had);
    trvi_motion_withhold(step, solver, step->h - time);
    trvi_advance_renew(step, solver);
}

void trvi_flight_land(const trvi_step *step, uint32_t solver)
{
    trvi_motion *motion = &step->motions[solver];
    const trvi_flight *flight = trvi_flight_of(step, solver);
    trv_vec3 moved;
    trv_quat turned;
    // A straight way went by the speed at its end, as in trvi_motion_move.
    step->bodies[solver].mends = !(flight->flags & TRVI_FLIGHT_WAITS) &&
                                 trvi_dot(flight->acceleration, flight->acceleration) == 0.0f;
    trvi_flight_at(step, solver, step->h, &moved, &turned);
    motion->angular = spin_at(step, solver, step->h);
    motion->moved = moved;
    motion->turned = turned;
    motion->touched = TRVI_LANDED;
}
