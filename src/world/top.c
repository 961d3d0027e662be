// Bodies that spin on their tips.
//
// What spins fast about a line through the only point that it stands on nods and goes round while the
// axis of its spin follows its weight. Of sub-steps that take turns in being pushed at that point and
// turning freely about the centre of mass, only many would show that: meanwhile a disc's axis goes
// round its momentum by as much as the disc spins, and the arm to the tip, by which all is pushed, is
// that of the beginning. So such a body turns about its tip instead, which friction holds: as a free
// body does (spin.c) with its inertia about there, which is exact, and its weight acts half-way. What
// its contact has to give for that follows. Where it would have to pull, the body is off the ground;
// where friction would not have held, it slides from the next step on, and the solver has it again.
// Invariant: none of this depends on what goes on anywhere else.
#include "solver_data.h"

void trvi_tops_init(trv_world *world)
{
    world->tops.stride = sizeof(trvi_top);
}

static trvi_top *top_at(const trv_world *world, uint32_t index)
{
    return &((trvi_top *)world->tops.items)[index];
}

bool trvi_may_be_top(const trv_world *world, const trvi_body *body)
{
    trv_vec3 spin = trvi_mobile_of(world, body)->angular_velocity;
    return trvi_dot(spin, spin) > TRVI_TOP_SPIN * TRVI_TOP_SPIN && body->kind == TRV_BODY_DYNAMIC &&
           body->locks == 0 && trvi_mobile_of(world, body)->moments.x > 0.0f &&
           body->first_contact != TRVI_NONE;
}

static trvi_solver_body *solvers_of(const trv_world *world)
{
    return world->solver_bodies.items;
}

static const trvi_body *body_of(const trv_world *world, const trvi_top *top)
{
    return &trvi_bodies(world)[solvers_of(world)[top->solver].body];
}

// To float32, as everything in the step has it.
static trvi_dquat attitude_of(const trvi_body *body)
{
    const trv_quat none = {0.0f, 0.0f, 0.0f, 0.0f};
    return trvi_dquat_normalize(trvi_dquat_from(body->rotation, none));
}

// One for each body that may be one.
static bool list_candidates(trv_world *world)
{
    trvi_solver_body *bodies = solvers_of(world);
    uint32_t count = 0;
    for (uint32_t i = 1; i < world->solver_bodies.count; i++)
        count += bodies[i].top != TRVI_NONE;
    world->tops.count = 0;
    if (!trvi_array_reserve(&world->allocator, &world->tops, count))
        return false;
    for (uint32_t i = 1; i < world->solver_bodies.count; i++)
        if (bodies[i].top != TRVI_NONE)
            *top_at(world, world->tops.count++) = (trvi_top){.solver = i, .active = TRVI_NONE};
    return true;
}

// The next link of the body's list that is of a contact, and not of a sensor's.
static uint32_t next_contact(const trv_world *world, uint32_t link)
{
    while (link != TRVI_NONE && (trvi_contacts(world)[link / 2].flags & TRVI_CONTACT_SENSOR) != 0)
        link = trvi_contacts(world)[link / 2].next[link % 2];
    return link;
}

// No point of the body is farther from its centre of mass than its extent, however it spins, and that
// goes no farther in the step.
static float way_of(const trv_world *world, const trvi_body *body, float dt)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    float gain = trvi_length(trvi_acceleration_of(world, mobile)) * dt;
    return (trvi_length(mobile->linear_velocity) + gain) * dt;
}

// What is moved by hand, and has no speed in this step, is as good as static.
static bool moves(const trv_world *world, const trvi_body *body)
{
    return trvi_body_moves(body) && (body->kind == TRV_BODY_DYNAMIC || trvi_has_speed(world, body));
}

// May something that moves meet it within the step? Then it is followed as others are.
static bool may_be_struck(const trv_world *world, const trvi_contact *contact, float dt)
{
    const trvi_body *a = &trvi_bodies(world)[contact->body_a];
    const trvi_body *b = &trvi_bodies(world)[contact->body_b];
    if (!moves(world, a) || !moves(world, b))
        return false;
    float reach = a->extent + b->extent + way_of(world, a, dt) + way_of(world, b, dt);
    return contact->manifold.count > 0 || !(trvi_length(trvi_sub(a->center, b->center)) > reach);
}

static bool bears(const trvi_contact *contact, uint32_t p)
{
    return contact->manifold.points[p].separation <= TRVI_TOUCH_M ||
           contact->impulses[p].normal > 0.0f;
}

// The only point that bears the body, where nothing that moves is near.
static bool find_tip(const trv_world *world, const trvi_body *body, float dt, trvi_top *top)
{
    uint32_t count = 0;
    for (uint32_t link = next_contact(world, body->first_contact); link != TRVI_NONE;
         link = next_contact(world, trvi_contacts(world)[link / 2].next[link % 2])) {
        const trvi_contact *contact = &trvi_contacts(world)[link / 2];
        if (may_be_struck(world, contact, dt))
            return false;
        for (uint32_t p = 0; p < contact->manifold.count; p++) {
            if (!bears(contact, p))
                continue;
            count++;
            top->contact = link / 2;
            top->point = p;
            top->is_b = link % 2 != 0;
        }
    }
    return count == 1;
}

// May it be a tip: sharp, at rest on what bears it, and not too deep in it?
static bool is_tip(const trv_world *world, const trvi_body *body, const trvi_top *top)
{
    const trvi_contact *contact = &trvi_contacts(world)[top->contact];
    uint32_t shape = top->is_b ? contact->shape_b : contact->shape_a;
    float gap = contact->manifold.points[top->point].separation;
    return (contact->flags & TRVI_CONTACT_SURFACE) == 0 && contact->blow == 0.0f &&
           trvi_radius_of(&trvi_shapes(world)[shape].solid) == 0.0f && gap <= TRVI_TOUCH_M &&
           gap >= -TRVI_TOP_DEEP * body->extent;
}

// On the body's own surface.
static trv_vec3 place_of(const trvi_contact *contact, uint32_t point, bool is_b)
{
    const trv_manifold_point *at = &contact->manifold.points[point];
    float half = 0.5f * at->separation;
    return trvi_mul_add(at->point, contact->manifold.normal, is_b ? half : -half);
}

// About the arm, and fast beside whatever the tip does; nor is that to bounce, or to be told as a hit.
static bool spins_about(const trv_world *world, const trvi_mobile *mobile, trv_vec3 arm,
                        bool bounces)
{
    float fastest = bounces ? trvi_smaller(world->restitution_threshold, world->hit_threshold)
                            : world->hit_threshold;
    trv_vec3 goes_by = trvi_cross(mobile->angular_velocity, arm);
    float slip = trvi_length(trvi_add(mobile->linear_velocity, goes_by));
    float most = trvi_length(mobile->angular_velocity) * trvi_length(arm);
    return trvi_length(goes_by) <= TRVI_TOP_LEAN * most && slip <= TRVI_TOP_SLIP * most &&
           slip <= trvi_larger(fastest, TRVI_TOP_REST * most);
}

// Does a point that is near what bears the body stay off that, as it goes round the axis? `out` is the
// normal out of what bears it.
static bool stays_clear(trv_vec3 axis, trv_vec3 out, trv_vec3 from_tip)
{
    float along = trvi_dot(from_tip, axis), up = trvi_dot(axis, out);
    float aside = trvi_length(trvi_mul_add(from_tip, axis, -along));
    float lowest = along * up - aside * sqrtf(trvi_larger(1.0f - up * up, 0.0f));
    return lowest > TRVI_TOP_CLEAR * trvi_length(from_tip);
}

static bool all_stay_clear(const trv_world *world, const trvi_body *body, const trvi_top *top,
                           trv_vec3 tip)
{
    const trv_vec3 up = {0.0f, 1.0f, 0.0f};
    trv_vec3 axis = trvi_normalize_or(trvi_mobile_of(world, body)->angular_velocity, up);
    for (uint32_t link = next_contact(world, body->first_contact); link != TRVI_NONE;
         link = next_contact(world, trvi_contacts(world)[link / 2].next[link % 2])) {
        const trvi_contact *contact = &trvi_contacts(world)[link / 2];
        trv_vec3 out = trvi_scale(contact->manifold.normal, link % 2 == 0 ? -1.0f : 1.0f);
        for (uint32_t p = 0; p < contact->manifold.count; p++) {
            trv_vec3 way = trvi_sub(place_of(contact, p, link % 2 != 0), tip);
            bool is_itself = link / 2 == top->contact && p == top->point;
            if (!is_itself && !stays_clear(axis, out, way))
                return false;
        }
    }
    return true;
}

// How it spins, and where its centre of mass goes.
typedef struct spinning {
    trvi_turning turning;
    trvi_dvec3 speed;
} spinning;

// What turns it, and for how long.
typedef struct pulls {
    const trvi_mobile *mobile;
    trv_vec3 acceleration;
    double keep; // of its spin, after damping
    double h;    // s
} pulls;

// About its tip. What it has of momentum there is all that is left of it. Returns the impulse that this
// takes at the tip, N s.
static trvi_dvec3 turn_about_tip(const trvi_top *top, const pulls *by, spinning *s)
{
    const trvi_mobile *mobile = by->mobile, *about = &top->about;
    const trvi_turn_way half = {{0.0, 0.0, 0.0}, 0.5 * by->h, 1};
    const double mass = (double)mobile->mass;
    trvi_turning *turning = &s->turning;
    trvi_dvec3 pull = trvi_dvec3_from(by->acceleration);
    trvi_dvec3 from = trvi_dquat_rotate(turning->rotation, top->way);
    trvi_dvec3 momentum = trvi_momentum_of(mobile, turning->rotation, turning->spin);
    momentum = trvi_dadd(momentum, trvi_dscale(trvi_dcross(from, s->speed), mass));
    turning->spin = trvi_spin_of(about, turning->rotation, momentum);
    trvi_turn_freely(about, turning, &half);
    trvi_dvec3 middle = trvi_dquat_rotate(turning->rotation, top->way);
    trvi_dvec3 torque = trvi_dscale(trvi_dcross(middle, pull), mass);
    torque = trvi_dadd(torque, trvi_dvec3_from(mobile->torque));
    momentum = trvi_momentum_of(about, turning->rotation, turning->spin);
    momentum = trvi_dscale(trvi_dmul_add(momentum, torque, by->h), by->keep);
    turning->spin = trvi_spin_of(about, turning->rotation, momentum);
    trvi_turn_freely(about, turning, &half);
    trvi_dvec3 before = trvi_dmul_add(s->speed, pull, by->h);
    s->speed = trvi_dcross(turning->spin, trvi_dquat_rotate(turning->rotation, top->way));
    return trvi_dscale(trvi_dsub(s->speed, before), mass);
}

// On B's side of the contact.
static trvi_dvec3 impulse_on_b(const trvi_top *top, trvi_dvec3 given)
{
    return trvi_dscale(given, top->is_b ? 1.0 : -1.0);
}

// What presses of an impulse, N s: <= 0, or NaN, where the ground would have to pull. Would friction
// hold what goes along the ground?
static double pressed_by(const trv_world *world, const trvi_top *top, trvi_dvec3 given, bool *holds)
{
    const trvi_contact *contact = &trvi_contacts(world)[top->contact];
    trvi_dvec3 n = trvi_dvec3_from(contact->manifold.normal), on_b = impulse_on_b(top, given);
    double pressed = trvi_ddot(n, on_b);
    double along = trvi_dlength(trvi_dmul_add(on_b, n, -pressed));
    *holds = along <= (double)contact->friction * pressed;
    return pressed;
}

// Would it be held for the first sub-step?
static bool is_held(const trv_world *world, const trvi_body *body, const trvi_top *top, float h)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    pulls by = {mobile, trvi_acceleration_of(world, mobile), 1.0, (double)h};
    spinning s = {{attitude_of(body), trvi_dvec3_from(mobile->angular_velocity)},
                  trvi_dvec3_from(mobile->linear_velocity)};
    bool holds;
    return pressed_by(world, top, turn_about_tip(top, &by, &s), &holds) > 0.0 && holds;
}

// Is it one?
static bool set_up(const trv_world *world, trvi_top *top, float dt, uint32_t substeps)
{
    const trvi_body *body = body_of(world, top);
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    if (!find_tip(world, body, dt, top) || !is_tip(world, body, top))
        return false;
    const trvi_contact *contact = &trvi_contacts(world)[top->contact];
    trv_vec3 tip = place_of(contact, top->point, top->is_b), arm = trvi_sub(tip, body->center);
    if (!spins_about(world, mobile, arm, contact->restitution > 0.0f) ||
        !all_stay_clear(world, body, top, tip))
        return false;
    top->way =
        trvi_dquat_rotate_inverse(attitude_of(body), trvi_dscale(trvi_dvec3_from(arm), -1.0));
    top->about = *mobile;
    top->about.angular_damping = 0.0f;
    trvi_move_inertia(&top->about, top->way);
    return is_held(world, body, top, dt / (float)substeps);
}

static void note_active(trv_world *world, uint32_t active, uint32_t body)
{
    const trvi_body *of = &trvi_bodies(world)[body];
    if (!(of->flags & TRVI_BODY_AWAKE) || !trvi_body_moves(of))
        return;
    uint32_t index = solvers_of(world)[of->solver].top;
    uint32_t contact = ((const trvi_entry *)world->active.items)[active].value;
    if (index != TRVI_NONE && top_at(world, index)->contact == contact)
        top_at(world, index)->active = active;
}

// Where among the active contacts those are that bear tops.
static void find_active(trv_world *world)
{
    const trvi_entry *active = world->active.items;
    const trvi_sides *sides = trvi_sides_of_active(world);
    for (uint32_t i = 0; i < world->active.count; i++) {
        if (trvi_points_of(&active[i]) == 0)
            continue;
        note_active(world, i, sides[i].body_a);
        note_active(world, i, sides[i].body_b);
    }
}

bool trvi_tops_find(trv_world *world, float dt, uint32_t substeps)
{
    if (!list_candidates(world))
        return false;
    bool any = false;
    for (uint32_t i = 0; i < world->tops.count; i++) {
        bool is_one = set_up(world, top_at(world, i), dt, substeps);
        solvers_of(world)[top_at(world, i)->solver].top = is_one ? i : TRVI_NONE;
        any = any || is_one;
    }
    if (any)
        find_active(world);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->tops.count; i++) {
        const trvi_top *top = top_at(world, i);
        bool stays = top->active != TRVI_NONE;
        solvers_of(world)[top->solver].top = stays ? kept : TRVI_NONE;
        if (stays)
            *top_at(world, kept++) = *top;
    }
    world->tops.count = kept;
    return true;
}

bool trvi_bears_top(const trv_world *world, uint32_t solver_a, uint32_t solver_b)
{
    const trvi_solver_body *bodies = solvers_of(world);
    return world->tops.count > 0 &&
           (bodies[solver_a].top != TRVI_NONE || bodies[solver_b].top != TRVI_NONE);
}

void trvi_top_load(const trvi_step *step, uint32_t solver)
{
    trvi_top *top = top_at(step->world, step->bodies[solver].top);
    top->given = (trvi_dvec3){0.0, 0.0, 0.0};
    top->off = top->slid = false;
    step->motions[solver].touched = 1.0f;
}

void trvi_top_leave(const trvi_step *step, uint32_t solver)
{
    if (step->bodies[solver].top != TRVI_NONE)
        top_at(step->world, step->bodies[solver].top)->off = true;
}

// The blunt tip resists the spin, as it does where the solver has it.
static double keep_of(const trvi_step *step, const trvi_top *top, const trvi_turning *end,
                      double pressed)
{
    double lever = (double)trvi_sides_of_active(step->world)[top->active].rolling;
    double momentum = trvi_dlength(trvi_momentum_of(&top->about, end->rotation, end->spin));
    return momentum > 0.0 ? fmax(1.0 - lever * pressed / momentum, 0.0) : 1.0;
}

// Out of what bears it, where it is in that, m: a share of the way in each step.
static trv_vec3 way_out(const trvi_step *step, const trvi_top *top)
{
    const trvi_contact *contact = &trvi_contacts(step->world)[top->contact];
    float deep = -contact->manifold.points[top->point].separation - 0.5f * TRVI_TOUCH_M;
    float way = trvi_larger(deep, 0.0f) * TRVI_TOP_RISE / (float)step->substeps;
    return trvi_scale(contact->manifold.normal, top->is_b ? way : -way);
}

bool trvi_top_move(const trvi_step *step, uint32_t solver)
{
    trvi_motion *motion = &step->motions[solver];
    const trvi_solver_body *of = &step->bodies[solver];
    const trvi_body *body = &trvi_bodies(step->world)[of->body];
    trvi_top *top = top_at(step->world, of->top);
    const trv_quat none = {0.0f, 0.0f, 0.0f, 0.0f};
    pulls by = {trvi_mobile_of(step->world, body), of->acceleration, (double)of->keep_angular,
                (double)step->h};
    trvi_dquat before = attitude_of(body);
    spinning s = {{trvi_dquat_mul(trvi_dquat_from(motion->turned, none), before),
                   trvi_dvec3_from(motion->angular)},
                  trvi_dvec3_from(motion->linear)};
    trvi_dvec3 from = trvi_dquat_rotate(s.turning.rotation, top->way);
    trvi_dvec3 given = turn_about_tip(top, &by, &s);
    bool holds;
    double pressed = pressed_by(step->world, top, given, &holds);
    if (!(pressed > 0.0)) {
        top->off = true;
        return false;
    }
    top->slid = top->slid || !holds;
    top->given = trvi_dadd(top->given, given);
    double keep = keep_of(step, top, &s.turning, pressed);
    trvi_dvec3 way = trvi_dsub(trvi_dquat_rotate(s.turning.rotation, top->way), from);
    motion->angular = trvi_vec3_from_double(trvi_dscale(s.turning.spin, keep));
    motion->linear = trvi_vec3_from_double(trvi_dscale(s.speed, keep));
    motion->moved = trvi_add(motion->moved, trvi_vec3_from_double(way));
    motion->moved = trvi_add(motion->moved, way_out(step, top));
    trvi_dquat turned = trvi_dquat_mul(s.turning.rotation, trvi_dquat_conjugate(before));
    motion->turned = trvi_quat_normalize(
        (trv_quat){(float)turned.x, (float)turned.y, (float)turned.z, (float)turned.w});
    return true;
}

void trvi_top_store(const trvi_step *step, uint32_t solver)
{
    const trvi_top *top = top_at(step->world, step->bodies[solver].top);
    trvi_entry *entry = &((trvi_entry *)step->world->active.items)[top->active];
    trvi_contact *contact = &trvi_contacts(step->world)[top->contact];
    trvi_dvec3 n = trvi_dvec3_from(contact->manifold.normal);
    trvi_dvec3 on_b = trvi_dscale(impulse_on_b(top, top->given), 1.0 / (double)step->substeps);
    double normal = trvi_ddot(n, on_b);
    for (uint32_t p = 0; p < contact->manifold.count; p++) {
        trvi_impulse *impulse = &contact->impulses[p];
        double share = p == top->point ? 1.0 : 0.0;
        impulse->normal = (float)(share * normal);
        impulse->tangent =
            trvi_vec3_from_double(trvi_dscale(trvi_dmul_add(on_b, n, -normal), share));
        impulse->carried +=
            trvi_smaller(step->dt / TRVI_SAG_TIME_S, 1.0f) * (impulse->normal - impulse->carried);
        trvi_point_steps(step->world, top->contact)[p] =
            (trvi_point_step){.largest = impulse->normal};
        trvi_set_slides_at(contact, p, p == top->point && top->slid);
    }
    contact->rolled = 0;
    bool held = !top->slid && !top->off;
    entry->extra |=
        TRVI_ENTRY_SOLVED | (normal > 0.0 ? TRVI_ENTRY_PUSHED : 0) | (held ? TRVI_ENTRY_HELD : 0);
}
