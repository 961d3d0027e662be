// What is held back from the solver in a sub-step, as impacts are going to see to it: points that bounce,
// and what is swept and still on its way.
//
// Also points of bodies that turn so far that the inertia they are solved with is not theirs any more, or that the
// ways of their corners are none that the solver knows.
// What touches and bears weight is the solver's all the same: a blow takes speeds away, but what weight
// brings in each sub-step would bring it deeper in each. Invariant: `held` names the lanes of which any
// point is held back, and no others are.
#include "impact_data.h"

// Of a point of a manifold at the beginning of the sub-step.
typedef struct measure {
    float closing; // speed, m/s
    float seen;    // the same by the arms of the step's beginning, which have turned since
    float gap;     // m
} measure;

// Of a contact.
typedef struct measures {
    measure of[TRV_MANIFOLD_POINTS];
    float least_gap; // m
    float gain;      // how much faster weight has it close in by the sub-step's end, m/s
} measures;

static measure measure_point(const trvi_step *step, const trvi_contact *contact,
                             const trv_manifold_point *p, const trv_vec3 round[2])
{
    const uint32_t bodies[2] = {contact->body_a, contact->body_b};
    trv_vec3 n = contact->manifold.normal, speed[2], seen[2], shift[2];
    for (int side = 0; side < 2; side++) {
        const trvi_body *body = &trvi_bodies(step->world)[bodies[side]];
        const trvi_motion *motion = &step->motions[trvi_awake_solver(body)];
        trv_vec3 arm = trvi_sub(p->point, body->center);
        trv_vec3 turned = trvi_turn_arm(motion->turned, arm, round[side]);
        speed[side] = trvi_add(motion->linear, trvi_cross(motion->angular, turned));
        seen[side] = trvi_add(motion->linear, trvi_cross(motion->angular, arm));
        shift[side] = trvi_add(motion->moved, trvi_sub(turned, arm));
    }
    return (measure){trvi_dot(trvi_sub(speed[0], speed[1]), n),
                     trvi_dot(trvi_sub(seen[0], seen[1]), n),
                     p->separation + trvi_dot(trvi_sub(shift[1], shift[0]), n)};
}

static measures measure_contact(const trvi_step *step, const trvi_contact *contact)
{
    const trvi_body *bodies = trvi_bodies(step->world);
    uint32_t a = trvi_awake_solver(&bodies[contact->body_a]),
             b = trvi_awake_solver(&bodies[contact->body_b]);
    trv_vec3 bend = trvi_sub(step->bodies[a].acceleration, step->bodies[b].acceleration);
    const trv_vec3 round[2] = {trvi_round_part(step->world, contact, 0),
                               trvi_round_part(step->world, contact, 1)};
    measures m;
    m.least_gap = TRV_COORD_MAX;
    m.gain = trvi_dot(bend, contact->manifold.normal) * step->h;
    for (uint32_t i = 0; i < contact->manifold.count; i++) {
        m.of[i] = measure_point(step, contact, &contact->manifold.points[i], round);
        m.least_gap = trvi_smaller(m.least_gap, m.of[i].gap);
    }
    return m;
}

// A third of the least principal value, at least, and no more than it.
static double least_of(const trvi_symmetric *m)
{
    double xx = (double)m->xx, yy = (double)m->yy, zz = (double)m->zz;
    double xy = (double)m->xy, xz = (double)m->xz, yz = (double)m->yz;
    double x = yy * zz - yz * yz, y = xx * zz - xz * xz, z = xx * yy - xy * xy;
    double det = xx * x + xy * (xz * yz - xy * zz) + xz * (xy * yz - yy * xz);
    return x + y + z > 0.0 && det > 0.0 ? det / (x + y + z) : 0.0;
}

// How much the entries of an inverse inertia may change. Where a body turns away from where it was
// by an angle, they change by that part of the largest principal value; and that square of it is
// what the axis along which the body yields least would yield more.
static float allowed_change(const trvi_symmetric *inverse)
{
    float trace = inverse->xx + inverse->yy + inverse->zz;
    double slender = TRVI_STALE_YIELD * least_of(inverse) * (double)trace;
    return trvi_smaller(TRVI_STALE_INERTIA * trace, (float)sqrt(slender));
}

// Is its inertia, turned by so much since the step began, another than it was `then`?
static bool has_other_inertia(const trvi_step *step, uint32_t solver, trv_quat turned,
                              const trvi_symmetric *then, float most)
{
    trvi_symmetric now = trvi_inverse_inertia_turned(step, solver, turned);
    return fabsf(now.xx - then->xx) > most || fabsf(now.yy - then->yy) > most ||
           fabsf(now.zz - then->zz) > most || fabsf(now.xy - then->xy) > most ||
           fabsf(now.xz - then->xz) > most || fabsf(now.yz - then->yz) > most;
}

// Has the body turned, or is it going to in the sub-step, so far that its inertia is another than at the
// step's beginning, of which what contacts tell is? The solver's impulses would then give energy. What
// comes round to where it was by the sub-step's end has been elsewhere.
static bool is_stale(const trvi_step *step, const trvi_body *body, uint32_t solver)
{
    if ((body->flags & TRVI_BODY_ROUND_INERTIA) || step->motions[solver].pushable == 0.0f)
        return false;
    trvi_motion motion = step->motions[solver];
    const trvi_mobile *mobile = trvi_mobile_of(step->world, body);
    const trvi_symmetric then =
        trvi_inverse_inertia_at(mobile, body->rotation, step->bodies[solver].locks);
    float most = allowed_change(&mobile->inverse_inertia);
    if (has_other_inertia(step, solver, motion.turned, &then, most))
        return true;
    trvi_motion_turn(step->world, body, &motion, step->h);
    return has_other_inertia(step, solver, motion.turned, &then, most);
}

// Is it still on its way to where weight will have made it fast enough to bounce? To relax would
// slow it down to what brings it there by the next sub-step's end. What rests comes no nearer than
// by what weight brings in one.
static bool is_going_to_bounce(const measure *m, float gain, float threshold)
{
    return m->gap > TRVI_TOUCH_M && m->closing > gain && m->closing + gain > threshold;
}

// Would it close in so fast by where it was as the step began, but does not, as it has turned since? What is
// still apart, or parts, needs nobody to stop it: a corner that swings past a surface goes on. Where it
// comes to close in within the sub-step, it is met on its flight.
static bool is_misread(const measure *m, float threshold)
{
    return m->seen > threshold && (m->gap > TRVI_TOUCH_M || m->closing < 0.0f);
}

// Does it bounce, so that the solver would take what is to be left of its speed?
static bool bounces(const measure *m, float gain, float threshold, bool relaxes)
{
    return m->closing > threshold || is_misread(m, threshold) ||
           (relaxes && is_going_to_bounce(m, gain, threshold));
}

// Does it touch, and close in, or part, by no more than weight makes it? However deep it is: what nobody bears
// sinks by what weight brings in each sub-step.
static bool bears(const measure *m, float gain)
{
    float slow = TRVI_SWEEP_CLOSING + 2.0f * trvi_larger(gain, 0.0f);
    return m->gap <= TRVI_TOUCH_M && fabsf(m->closing) <= slow;
}

// What of a contact decides which of its points are held back. What is round, or meets what is, has come to lie by
// another normal as soon as it moves on: where it bounces, and bears nothing, impacts alone know by which.
typedef struct holding {
    bool stale, relaxes, round;
    bool bounces;    // else it is held back only where it is swept
    float threshold; // of what bounces, m/s
} holding;

static bool is_left_to_impacts(const measures *m, const measure *p, const holding *how)
{
    if ((how->stale || (how->round && how->bounces)) && !bears(p, m->gain))
        return true;
    if (how->stale && !how->bounces)
        return false;
    return how->bounces ? bounces(p, m->gain, how->threshold, how->relaxes)
                        : m->least_gap > TRVI_TOUCH_M;
}

static bool has_round(const trvi_step *step, uint32_t lane)
{
    const trvi_block *block = &step->blocks[lane / TRVI_BLOCK_LANES];
    return block->radius_a[lane % TRVI_BLOCK_LANES] > 0.0f ||
           block->radius_b[lane % TRVI_BLOCK_LANES] > 0.0f;
}

static uint32_t bits_to_hold(const trvi_step *step, uint32_t active, uint32_t lane, bool stale,
                             bool relaxes)
{
    const trvi_entry *entries = step->world->active.items;
    const trvi_contact *contact = &trvi_contacts(step->world)[entries[active].value];
    const measures m = measure_contact(step, contact);
    const holding how = {stale, relaxes, has_round(step, lane), contact->restitution > 0.0f,
                         trvi_bounce_threshold(step->world, contact->body_a, contact->body_b)};
    uint32_t bits = 0;
    for (uint32_t i = 0; i < contact->manifold.count; i++)
        bits |= is_left_to_impacts(&m, &m.of[i], &how) ? 1u << i : 0;
    return bits;
}

static void set_held(const trvi_step *step, uint32_t lane, uint32_t bits)
{
    trvi_block *block = &step->blocks[lane / TRVI_BLOCK_LANES];
    for (uint32_t p = 0; p < block->points; p++)
        block->point[p].held[lane % TRVI_BLOCK_LANES] = bits >> p & 1u ? TRVI_HELD_M : 0.0f;
}

// Bits of the points that the solver has pushed in this sub-step. To hold them back as they are relaxed would
// take that away: where a blow at one end of a body has made it stale, of what bears its other end; where it
// has rolled on, of what has borne it, which is off the ground by then.
static uint32_t bits_of_pushed(const trvi_step *step, uint32_t lane)
{
    const trvi_block *block = &step->blocks[lane / TRVI_BLOCK_LANES];
    uint32_t bits = 0;
    for (uint32_t p = 0; p < block->points; p++)
        bits |= block->point[p].normal[lane % TRVI_BLOCK_LANES] > 0.0f ? 1u << p : 0;
    return bits;
}

static void hold(const trvi_step *step, uint32_t active, bool stale, bool relaxes)
{
    trvi_array *held = &step->world->held;
    uint32_t lane = trvi_meetings(step)[active].lane;
    if (lane == TRVI_NONE || trvi_is_held_back(step, lane))
        return;
    const trvi_entry *entries = step->world->active.items;
    uint32_t bits = bits_to_hold(step, active, lane, stale, relaxes);
    if (relaxes && (stale || !(entries[active].extra & TRVI_ENTRY_BOUNCES)))
        bits &= ~bits_of_pushed(step, lane);
    if (bits == 0)
        return;
    set_held(step, lane, bits);
    ((uint32_t *)held->items)[held->count++] = lane;
}

static void look_for_stale(const trvi_step *step, uint32_t solver)
{
    trvi_advance *advance = &trvi_advances(step)[solver];
    const trvi_body *body = &trvi_bodies(step->world)[step->bodies[solver].body];
    advance->stale = advance->fast && is_stale(step, body, solver);
}

static bool may_hold(const trvi_step *step, uint32_t solver, const trvi_neighbor *n)
{
    return trvi_advances(step)[solver].stale ||
           (!n->bounces && trvi_is_neighbor_swept(step, solver, n));
}

// Its neighbours are known to be stale or not by now. Of others than the solver has there is nothing to hold.
static void look_at_hold(const trvi_step *step, uint32_t solver)
{
    trvi_advance *advance = &trvi_advances(step)[solver];
    uint32_t count;
    const trvi_neighbor *near = trvi_touching_neighbors_of(step->world, solver, &count);
    advance->meets = false;
    for (uint32_t i = 0; i < count && advance->fast && !advance->meets; i++)
        advance->meets = may_hold(step, solver, &near[i]);
}

// Is it not to be bounced off by what the solver knows of it: stale, or will it have turned too far since the step
// began by the sub-step's end?
static bool is_beyond_solver(const trvi_step *step, const trvi_body *body)
{
    uint32_t solver = trvi_awake_solver(body);
    if (solver == TRVI_UNMOVED)
        return false;
    const trvi_motion *motion = &step->motions[solver];
    float turn = trvi_chord_of(motion->turned) + step->h * trvi_length(motion->angular);
    return trvi_advances(step)[solver].stale || turn > TRVI_STALE_TURN;
}

static bool is_either_beyond_solver(const trvi_step *step, uint32_t active)
{
    const trvi_sides *sides = &trvi_sides_of_active(step->world)[active];
    const trvi_body *bodies = trvi_bodies(step->world);
    return is_beyond_solver(step, &bodies[sides->body_a]) ||
           is_beyond_solver(step, &bodies[sides->body_b]);
}

// What bounces, or is swept and still on its way.
void trvi_impacts_hold(const trvi_step *step, bool relaxes)
{
    trv_world *world = step->world;
    const uint32_t *quick = world->quick.items, *held = world->held.items;
    if (!relaxes)
        world->impact_stamp++; // of this sub-step: the blows of the one before are over
    trvi_advances_take(step, false);
    for (uint32_t i = 0; i < world->held.count; i++)
        set_held(step, held[i], 0);
    world->held.count = 0;
    trvi_for_solvers(step, look_for_stale);
    trvi_bounces_find(step);
    for (uint32_t i = 0; i < world->quick.count; i++)
        hold(step, quick[i], is_either_beyond_solver(step, quick[i]), relaxes);
    trvi_for_solvers(step, look_at_hold);
    for (uint32_t i = 1; i <= world->awake.count; i++) {
        const trvi_advance *advance = &trvi_advances(step)[i];
        if (!advance->fast || !advance->meets)
            continue;
        uint32_t count;
        const trvi_neighbor *near = trvi_touching_neighbors_of(world, i, &count);
        for (uint32_t k = 0; k < count; k++)
            if (may_hold(step, i, &near[k]))
                hold(step, near[k].active, advance->stale, relaxes);
    }
}
