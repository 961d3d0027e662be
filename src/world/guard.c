// The guard: no body passes another in a sub-step.
//
// Everything else that stops bodies, the solver and impacts at their own times, is there to stop
// them well; this is there so that they are stopped for certain, whatever the rest has made of
// their ways. After the bodies have moved, the straight way of each that came far, from where it
// was at the end of the sub-step before, is asked whether it leads deeper into another body than it
// may: by half of the balls that lie inside the two. Who would goes back to where they met, and the
// speed at which they close in is taken there, or thrown back, as restitution has it. Stopped it
// may stand in the way of others, so that its pairs are asked anew, until no answer changes. What
// is moved by hand does not stop: it takes along whom it meets, as if it were a part of it, and so
// whom that meets on its way; where one of them is stopped by something else, it goes on without.
//
// Why nothing passes: for one convex body to get through another, along any way, the depth by which
// they overlap has to grow to the sum of the radii of balls inside of both, R.
// - Of two bodies that came less far than a quarter of their balls in the sub-step, the depth grew
//   by at most R / 4: there the solver is the one to part them.
// - All other pairs end where their ways as they end were asked last: a pair is asked again
//   whenever one of the two ways changes; ways only ever get shorter, so this ends, at the latest
//   with all ways zero. The answer comes from a search that proves each bit of the way before it
//   goes there, with rotation; where it finds no proof it says that they meet. So the depth is R /
//   2 at most, or hardly more than it was.
// - No pair is left out: both bodies stayed in the boxes that the step's contacts were found by, or
//   the broadphase, which has been told of the ways, is asked.
// - Where bodies are is what the guard has left: trvi_motion_store takes it from there, but for the
//   mending of ways, by less than weight moves a body in a sub-step, which the next sub-step's way
//   begins with.
// Left out are pairs that overlapped by nearly R already, that the caller lets through, or whose
// bodies are all swept only for the others' sake (discrete); and whom two things moved by hand
// squeeze.
//
// Based on: B. Mirtich, "Timewarp Rigid Body Simulation" (2000), for going back to the last time
// that was good; conservative advancement as in narrow/impact_step.c.
#include "guard_data.h"

#include <string.h>

static void queue(const trvi_step *step, uint32_t solver)
{
    trvi_array *list = &step->world->guard_queue;
    trvi_guard *g = &trvi_guards(step)[solver];
    if (g->queued || solver == TRVI_UNMOVED)
        return;
    g->queued = true;
    ((uint32_t *)list->items)[list->count++] = solver;
}

static trv_vec3 center_at(const trvi_step *step, uint32_t solver, float time)
{
    trv_vec3 moved;
    trv_quat unused;
    trvi_guard_place(step, solver, time, &moved, &unused);
    return trvi_add(trvi_guard_body(step, solver)->center, moved);
}

// The way of a point that is fixed to a body, from a time to the end.
static trv_vec3 way_of_point(const trvi_step *step, uint32_t solver, float from, trv_vec3 point)
{
    const trvi_guard *g = &trvi_guards(step)[solver];
    trv_vec3 arm = trvi_sub(point, center_at(step, solver, from)); // it is moved by hand: no bends
    trv_vec3 turned = trvi_rotate(trvi_turn_by(g->turn, 1.0f - from), arm);
    return trvi_add(trvi_scale(g->travel, 1.0f - from), trvi_sub(turned, arm));
}

// The earlier end; at the last stop the beginning.
static float ended(trvi_guard *g, float time, float begin)
{
    return ++g->stops > TRVI_GUARD_STOPS ? begin : time;
}

// Goes along with what is moved by hand as if it were a part of it, so that it meets no more of it, as in a
// corner, nor others that do so, too; with more than one, as each of them asks. As far as its locks let it.
static void carry_on(const trvi_step *step, uint32_t solver, uint32_t other, const trvi_passage *at)
{
    trvi_guard *g = &trvi_guards(step)[solver];
    uint32_t carrier = trvi_guard_pushes(step, other) ? trvi_guards(step)[other].carrier : other;
    bool first = g->carries == 0, again = !first && g->carrier == carrier;
    float from =
        again && ++g->boards > TRVI_GUARD_STOPS ? 0.0f : trvi_smaller(g->carry_from, at->time);
    trv_vec3 center = center_at(step, solver, from);
    uint32_t locks = step->bodies[solver].locks;
    trv_vec3 way = trvi_unlocked(way_of_point(step, carrier, from, center), locks);
    trv_vec3 speed = trvi_scale(way, 1.0f / trvi_larger(1.0f - from, 1.0e-6f));
    g->carry_from = from;
    if (first) {
        g->carrier = carrier;
        g->carry_turn = trvi_unlocked(trvi_guards(step)[carrier].turn, locks / TRV_LOCK_ANGULAR_X);
        g->carry_to = 1.0f;
    }
    if (first || again) {
        g->carry = speed;
    } else {
        float more = fabsf(trvi_dot(trvi_sub(speed, g->carry), at->normal));
        g->carry = trvi_mul_add(g->carry, at->normal, solver == at->pair.a ? -more : more);
    }
    g->carries += !again;
    trvi_guard_set_far(step, solver, TRVI_FAR); // now it may come so
}

static void redirect(const trvi_step *step, uint32_t solver, uint32_t other, const trvi_passage *at,
                     trvi_verdict verdict)
{
    trvi_guard *g = &trvi_guards(step)[solver];
    if (verdict == TRVI_GUARD_LEAVE)
        return;
    g->changed = true;
    if (verdict == TRVI_GUARD_DROP)
        g->carry_to = ended(g, trvi_larger(at->time, g->carry_from), g->carry_from);
    if (verdict == TRVI_GUARD_YIELD)
        g->yields = true;
    if ((verdict == TRVI_GUARD_STOP || verdict == TRVI_GUARD_CARRY) && at->time < g->stop)
        g->stop = ended(g, at->time, 0.0f);
    if (verdict == TRVI_GUARD_CARRY)
        carry_on(step, solver, other, at);
    trvi_guard_renew(step, solver);
}

typedef struct struck_side {
    trv_vec3 arm;
    float inverse_mass;
    trvi_symmetric inverse_inertia;
} struck_side;

static struck_side side_of(const trvi_step *step, uint32_t solver, const trvi_passage *at)
{
    struck_side side;
    memset(&side, 0, sizeof side);
    if (solver == TRVI_UNMOVED)
        return side;
    const trvi_body *body = trvi_guard_body(step, solver);
    side.arm = trvi_sub(at->point, center_at(step, solver, at->time));
    if (!trvi_guard_pushes(step, solver))
        return side;
    // As the spin is of the sub-step's end, so is the inertia: impulses by another would give energy.
    side.inverse_mass = trvi_mobile_of(step->world, body)->inverse_mass;
    side.inverse_inertia = trvi_inverse_inertia_turned(step, solver, step->motions[solver].turned);
    return side;
}

// Takes the speed at which they close in, or throws it back.
static void strike(const trvi_step *step, const trvi_passage *at)
{
    const uint32_t solvers[2] = {at->pair.a, at->pair.b};
    struck_side sides[2];
    trv_vec3 n = at->normal;
    float closing = 0.0f, yield = 0.0f;
    for (int i = 0; i < 2; i++) {
        const trvi_motion *motion = &step->motions[solvers[i]];
        uint32_t locks = solvers[i] == TRVI_UNMOVED ? 0 : step->bodies[solvers[i]].locks;
        sides[i] = side_of(step, solvers[i], at);
        trv_vec3 speed = trvi_add(motion->linear, trvi_cross(motion->angular, sides[i].arm));
        closing += (i == 0 ? 1.0f : -1.0f) * trvi_dot(speed, n);
        yield += trvi_yield_along(sides[i].inverse_mass, &sides[i].inverse_inertia, locks,
                                  sides[i].arm, n);
    }
    if (!(closing > 0.0f) || !(yield > 0.0f))
        return;
    bool bounces = closing > trvi_pairing_threshold(step->world, &at->pair);
    float bounce = bounces ? at->pair.restitution : 0.0f;
    for (int i = 0; i < 2; i++) {
        float impulse = (i == 0 ? -1.0f : 1.0f) * (1.0f + bounce) * closing / yield;
        trvi_motion *motion = &step->motions[solvers[i]];
        if (!(sides[i].inverse_mass > 0.0f))
            continue;
        trv_vec3 along = trvi_unlocked(n, step->bodies[solvers[i]].locks);
        motion->linear = trvi_mul_add(motion->linear, along, impulse * sides[i].inverse_mass);
        trv_vec3 turn = trvi_cross(sides[i].arm, trvi_scale(n, impulse));
        motion->angular =
            trvi_add(motion->angular, trvi_symmetric_mul(&sides[i].inverse_inertia, turn));
    }
}

// What was found of it and of its neighbours no longer holds; of others, too, where some have left
// the boxes that neighbours were found by.
static void forget_quiet(const trvi_step *step, uint32_t solver)
{
    uint32_t count;
    if (solver == TRVI_UNMOVED)
        return;
    const trvi_neighbor *near = trvi_neighbors_of(step->world, solver, &count);
    trvi_guards(step)[solver].quiet = false;
    for (uint32_t i = 0; i < count; i++)
        trvi_guards(step)[near[i].other].quiet = false;
}

static void stop(const trvi_step *step, const trvi_passage *at)
{
    uint32_t a = at->pair.a, b = at->pair.b;
    trvi_verdict of_a = trvi_guard_judge(step, a, b, at->time);
    trvi_verdict of_b = trvi_guard_judge(step, b, a, at->time);
    redirect(step, a, b, at, of_a);
    redirect(step, b, a, at, of_b);
    strike(step, at);
    forget_quiet(step, a);
    forget_quiet(step, b);
    step->world->guard_alert = step->world->guard_alert || step->world->guard_strays;
    queue(step, a);
    queue(step, b);
}

// Where the guard has it end. In another attitude it spins as it did in its own frame: else its spin
// would meet another inertia there, and be worth more.
static void place(const trvi_step *step, uint32_t solver)
{
    trvi_motion *motion = &step->motions[solver];
    trv_quat end = motion->turned;
    trvi_guard_place(step, solver, 1.0f, &motion->moved, &motion->turned);
    if (!step->bodies[solver].plain)
        motion->angular = trvi_rotate(motion->turned, trvi_rotate_inverse(end, motion->angular));
}

bool trvi_guard_is_needed(const trvi_step *step)
{
    const trv_world *world = step->world;
    const uint8_t *far = world->far_bodies.items;
    uint32_t count = world->awake.count;
    return count > 0 && (memchr(far + 1, TRVI_FAR, count) != NULL ||
                         (world->guard_strays && memchr(far + 1, TRVI_FAR_ALONE, count) != NULL));
}

static void plan(const trvi_step *step, uint32_t solver)
{
    trvi_guard_plan(step, solver);
    trvi_guard_look_for_cover(step, solver);
}

// Most pass nobody, which all workers find out before the others are asked one after the other.
static void listen(const trvi_step *step, uint32_t solver)
{
    trvi_guards(step)[solver].quiet =
        trvi_guard_is_far(step, solver) && trvi_guard_is_quiet(step, solver);
}

void trvi_guard_run(const trvi_step *step)
{
    trv_world *world = step->world;
    world->guard_queue.count = 0;
    world->guard_alert = false;
    trvi_neighbors_list(world);
    trvi_for_solvers(step, plan);
    trvi_guard_cover(step);
    trvi_for_solvers(step, listen);
    for (uint32_t i = world->awake.count; i >= 1; i--)
        if (trvi_guard_is_far(step, i))
            queue(step, i);
    while (world->guard_queue.count > 0) {
        trvi_passage first;
        uint32_t solver = ((uint32_t *)world->guard_queue.items)[--world->guard_queue.count];
        trvi_guards(step)[solver].queued = false;
        if (trvi_guards(step)[solver].quiet && !world->guard_alert)
            continue;
        if (trvi_guard_find(step, solver, &first))
            stop(step, &first);
    }
    for (uint32_t i = 1; i <= world->awake.count; i++) {
        trvi_motion *motion = &step->motions[i];
        if (!trvi_guards(step)[i].changed)
            continue;
        place(step, i);
        motion->touched = 1.0f;
        if (trvi_guards(step)[i].carries == 0)
            trvi_motion_withhold(step, i, (1.0f - trvi_guards(step)[i].stop) * step->h);
        step->bodies[i].mends = false;
    }
}
