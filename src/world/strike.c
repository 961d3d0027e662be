// Blows: what the velocities of bodies are after two of them met.
//
// Newton's law at each point of the contact: what closed in leaves with the restitution's part of
// that speed, and no point closes in. All points are iterated until they agree, so that a face that
// falls flat leaves flat; those of all the shapes, too, by which the same two bodies meet, or one
// meets what does not yield. Contacts without restitution that touch the bodies pass the blow on in
// the same breath, as between an anvil and the ground, and so do those of whom it would drive into
// something else, as in a stack; those with it come after, one by one, which is what sends only the
// last ball of a cradle away. Only what meets at the same time is one blow: a point that parts from
// what bounces is met anew where the others turn it back, as to hold it there in the same breath
// would give energy.
//
// Where friction turns bodies so that Newton's law would give them energy, only so much of the
// bounce is taken that it does not: of the solutions with and without, which both keep to Coulomb's
// law, a mean. Energy is convex in the impulses, so that the mean has at most the mean energy.
//
// Based on: I. Newton, "Principia" (1687), Scholium to the Laws; T. Kane, "A dynamics puzzle"
// (1984), for the energy.
#include "impact_data.h"

#include <string.h>

// Rounds of a blow, and of a look at whom else it reaches; contacts by which a body passes it on. What is pressed
// from two sides that do not yield has no solution: it changes as much in the second of these rounds as in the first.
// And the most points whose rounds are quickened: more, of others that pass the blow on, would take longer by that.
enum { ROUNDS = 64, FEW_ROUNDS = 4, QUICKENED = 8, NEAREST = 16, MARK_ROUND = 15, VAIN_ROUND = 31 };

// Where a blow ends what lies behind is left to the next one, or to the solver, a little deeper. A blow ends after a
// few contacts where it comes from what has been struck so often in the sub-step: what is crushed has no end of blows,
// and each would reach everybody. So it does where neither is a ball: the contacts of others have more points each,
// and a drum full of boxes would take a fifth longer over its impacts.
enum { FEW_CONTACTS = 32, OFTEN = 3 };

static const trvi_body *body_of(const trvi_step *step, uint32_t solver)
{
    return &trvi_bodies(step->world)[step->bodies[solver].body];
}

// The body's place in the strike; TRVI_NONE where there is no more room.
static uint32_t add_body(const trvi_step *step, trvi_strike *strike, uint32_t solver)
{
    for (uint32_t i = 0; i < strike->body_count; i++)
        if (strike->bodies[i].solver == solver)
            return i;
    if (strike->body_count == TRVI_STRIKE_BODIES)
        return TRVI_NONE;
    trvi_struck *to = &strike->bodies[strike->body_count];
    memset(to, 0, sizeof *to);
    to->solver = solver;
    if (solver != TRVI_UNMOVED) {
        to->linear = to->linear_before = trvi_flight_speed(step, solver, strike->time);
        to->angular = to->angular_before = trvi_flight_spin(step, solver, strike->time);
        if (step->motions[solver].pushable != 0.0f) {
            const trvi_body *body = body_of(step, solver);
            const trvi_mobile *mobile = trvi_mobile_of(step->world, body);
            to->inverse_mass = mobile->inverse_mass;
            to->locks = step->bodies[solver].locks;
            trv_pose pose = trvi_flight_pose(step, body, solver, strike->time);
            to->inverse_inertia = trvi_inverse_inertia_at(mobile, pose.rotation, to->locks);
        }
    }
    return strike->body_count++;
}

static void put(float to[TRVI_LANES], trv_vec3 v)
{
    trvi_lanes_store(to, trvi_lanes_load3(&v.x));
}

static trv_vec3 axis_of(const trvi_strike_row *row)
{
    return (trv_vec3){row->along[0], row->along[1], row->along[2]};
}

static trv_vec3 relative_speed(const trvi_strike *strike, const trvi_strike_point *point)
{
    const trvi_struck *a = &strike->bodies[point->a], *b = &strike->bodies[point->b];
    return trvi_sub(trvi_add(b->linear, trvi_cross(b->angular, point->arm_b)),
                    trvi_add(a->linear, trvi_cross(a->angular, point->arm_a)));
}

static float mass_along(const trvi_strike *strike, const trvi_strike_point *point, trv_vec3 axis)
{
    const trvi_struck *a = &strike->bodies[point->a], *b = &strike->bodies[point->b];
    float k = trvi_yield_along(a->inverse_mass, &a->inverse_inertia, a->locks, point->arm_a, axis) +
              trvi_yield_along(b->inverse_mass, &b->inverse_inertia, b->locks, point->arm_b, axis);
    return k > 0.0f ? 1.0f / k : 0.0f;
}

static void set_row(const trvi_strike *strike, const trvi_strike_point *point, trv_vec3 axis,
                    trvi_strike_row *row)
{
    const trvi_struck *a = &strike->bodies[point->a], *b = &strike->bodies[point->b];
    trv_vec3 turn_a = trvi_cross(point->arm_a, axis), turn_b = trvi_cross(point->arm_b, axis);
    put(row->along, axis);
    put(row->turn_a, turn_a);
    put(row->turn_b, turn_b);
    put(row->spin_a, trvi_symmetric_mul(&a->inverse_inertia, turn_a));
    put(row->spin_b, trvi_symmetric_mul(&b->inverse_inertia, turn_b));
}

// A point with arms from the bodies' centres of mass.
static void add_point(trvi_strike *strike, uint32_t a, uint32_t b, trv_vec3 arm_a, trv_vec3 arm_b,
                      trv_vec3 normal, float friction)
{
    const trv_vec3 tangent = trvi_tangent_of(normal);
    const trv_vec3 axes[3] = {normal, tangent, trvi_cross(normal, tangent)};
    trvi_strike_point *point = &strike->points[strike->point_count++];
    memset(point, 0, sizeof *point);
    point->a = a;
    point->b = b;
    point->arm_a = arm_a;
    point->arm_b = arm_b;
    point->friction = friction;
    for (int i = 0; i < 3; i++) {
        point->masses[i] = mass_along(strike, point, axes[i]);
        set_row(strike, point, axes[i], &point->rows[i]);
    }
    point->most = -1.0f;
    point->closing = -trvi_dot(relative_speed(strike, point), normal);
}

static trv_vec3 center_of(const trvi_step *step, uint32_t shape, uint32_t solver, float time)
{
    const trvi_body *body = trvi_body_of_shape(step->world, shape);
    if (solver == TRVI_UNMOVED)
        return body->center;
    return trvi_add(body->center, trvi_flight_way(step, solver, time));
}

float trvi_strike_reach(const trv_world *world, const trvi_met *first)
{
    return trvi_nearest_of(&first->manifold) +
           trvi_strike_face(trvi_body_of_shape(world, first->pair.shape_a),
                            trvi_body_of_shape(world, first->pair.shape_b));
}

// Of the speed that they have to leave with, a point takes as much as it has of what they meet with.
static float leave_of_point(const trvi_met *met, const trvi_strike_point *point, float leave)
{
    if (!(met->closing > 0.0f))
        return leave;
    return leave * trvi_smaller(trvi_larger(point->closing / met->closing, 0.0f), 1.0f);
}

// Gives how fast the fastest of its points closes in.
static float add_met(const trvi_step *step, trvi_met *met, float reach, float leave,
                     trvi_strike *strike)
{
    const trvi_pairing *pair = &met->pair;
    uint32_t a = add_body(step, strike, pair->a), b = add_body(step, strike, pair->b);
    trv_vec3 center_a = center_of(step, pair->shape_a, pair->a, strike->time);
    trv_vec3 center_b = center_of(step, pair->shape_b, pair->b, strike->time);
    float threshold = trvi_pairing_threshold(step->world, pair);
    float fastest = 0.0f;
    met->first_point = strike->point_count;
    for (uint32_t i = 0; i < met->manifold.count; i++) {
        const trv_manifold_point *p = &met->manifold.points[i];
        if (p->separation > reach)
            continue;
        add_point(strike, a, b, trvi_sub(p->point, center_a), trvi_sub(p->point, center_b),
                  met->manifold.normal, pair->friction);
        trvi_strike_point *point = &strike->points[strike->point_count - 1];
        if (point->closing > threshold)
            point->wanted = pair->restitution * point->closing;
        if (pair->restitution > 0.0f && met->closing > threshold && point->closing < -threshold) {
            strike->point_count--; // it is off, and is met again where the blow brings it back
            continue;
        }
        point->wanted = trvi_larger(point->wanted, leave_of_point(met, point, leave));
        fastest = trvi_larger(fastest, point->closing);
    }
    met->points = strike->point_count - met->first_point;
    if (pair->contact != TRVI_NONE)
        strike->contacts[strike->contact_count++] = pair->contact;
    return fastest;
}

// The contact as it is at the time of the blow, from the manifold of the step's beginning; true
// where it touches and passes blows on.
typedef struct support {
    trvi_pairing pair;
    trv_vec3 arm_a[TRV_MANIFOLD_POINTS], arm_b[TRV_MANIFOLD_POINTS];
    uint32_t points;
} support;

// Where a body's side of a contact is at a time.
typedef struct side {
    trv_vec3 center, round; // of the body before the step; of the contact's arms, see trvi_turn_arm
    trv_vec3 moved;
    trv_quat turned;
    bool moves;
} side;

static side side_at(const trvi_step *step, const trvi_contact *contact, int which, uint32_t solver,
                    float time)
{
    uint32_t body = which == 0 ? contact->body_a : contact->body_b;
    side s = {trvi_bodies(step->world)[body].center,
              {0.0f, 0.0f, 0.0f},
              {0.0f, 0.0f, 0.0f},
              {0.0f, 0.0f, 0.0f, 1.0f},
              solver != TRVI_UNMOVED};
    if (!s.moves)
        return s;
    s.round = trvi_round_part(step->world, contact, which);
    trvi_flight_at(step, solver, time, &s.moved, &s.turned);
    return s;
}

static trv_vec3 arm_at(const side *s, trv_vec3 point, trv_vec3 *shift)
{
    trv_vec3 arm = trvi_sub(point, s->center);
    *shift = (trv_vec3){0.0f, 0.0f, 0.0f};
    if (!s->moves)
        return arm;
    trv_vec3 now = trvi_turn_arm(s->turned, arm, s->round);
    *shift = trvi_add(s->moved, trvi_sub(now, arm));
    return now;
}

// What an earlier blow has left as a manifold is of that time, and its normal tells nothing of now.
static bool may_support(const trvi_contact *contact)
{
    return (contact->flags & TRVI_CONTACT_ACTIVE) && !(contact->restitution > 0.0f) &&
           trvi_answer_of(contact) == TRVI_CONTACT && contact->travelled >= 0.0 &&
           contact->manifold.count > 0;
}

static bool is_support(const trvi_step *step, uint32_t index, float time, support *out)
{
    const trv_world *world = step->world;
    const trvi_contact *contact = &trvi_contacts(world)[index];
    if (!may_support(contact))
        return false;
    out->pair = trvi_pairing_of(world, index);
    side a = side_at(step, contact, 0, out->pair.a, time);
    side b = side_at(step, contact, 1, out->pair.b, time);
    out->points = 0;
    for (uint32_t i = 0; i < contact->manifold.count; i++) {
        const trv_manifold_point *p = &contact->manifold.points[i];
        trv_vec3 shift_a, shift_b;
        trv_vec3 arm_a = arm_at(&a, p->point, &shift_a), arm_b = arm_at(&b, p->point, &shift_b);
        float gap = p->separation + trvi_dot(trvi_sub(shift_b, shift_a), contact->manifold.normal);
        if (gap > TRVI_TOUCH_M)
            continue;
        out->arm_a[out->points] = arm_a;
        out->arm_b[out->points++] = arm_b;
    }
    return out->points > 0;
}

static bool has_contact(const trvi_strike *strike, uint32_t contact)
{
    for (uint32_t i = 0; i < strike->contact_count; i++)
        if (strike->contacts[i] == contact)
            return true;
    return false;
}

// The body's contacts that pass the blow on, those of the lowest keys first, as neighbours lie.
static void add_supports(const trvi_step *step, trvi_strike *strike, uint32_t solver)
{
    const trvi_entry *active = step->world->active.items;
    uint32_t count, found = 0;
    const trvi_neighbor *near = trvi_touching_neighbors_of(step->world, solver, &count);
    for (uint32_t i = 0;
         i < count && found < NEAREST && strike->contact_count < strike->most_contacts; i++) {
        uint32_t contact = active[near[i].active].value;
        support s;
        if (has_contact(strike, contact) || !is_support(step, contact, strike->time, &s))
            continue;
        uint32_t a = add_body(step, strike, s.pair.a), b = add_body(step, strike, s.pair.b);
        if (a == TRVI_NONE || b == TRVI_NONE || strike->point_count + s.points > TRVI_STRIKE_POINTS)
            return;
        found++;
        strike->contacts[strike->contact_count++] = contact;
        trv_vec3 normal = trvi_contacts(step->world)[contact].manifold.normal;
        for (uint32_t p = 0; p < s.points; p++)
            add_point(strike, a, b, s.arm_a[p], s.arm_b[p], normal, s.pair.friction);
    }
}

static void pass_on(const trvi_step *step, trvi_strike *strike, uint32_t body)
{
    strike->bodies[body].passes_on = true;
    if (strike->bodies[body].inverse_mass > 0.0f)
        add_supports(step, strike, strike->bodies[body].solver);
}

// The velocities of the bodies while a blow is solved, and how each yields to an impulse along an axis of the
// world.
typedef struct course {
    trvi_lanes linear[TRVI_STRIKE_BODIES], angular[TRVI_STRIKE_BODIES], yield[TRVI_STRIKE_BODIES];
} course;

// Each lane a part of the point's speed along the row.
static inline trvi_lanes speed_parts(const course *c, const trvi_strike_point *point,
                                     const trvi_strike_row *row)
{
    uint32_t a = point->a, b = point->b;
    trvi_lanes linear =
        trvi_lanes_mul(trvi_lanes_load(row->along), trvi_lanes_sub(c->linear[b], c->linear[a]));
    trvi_lanes turn_a = trvi_lanes_mul(trvi_lanes_load(row->turn_a), c->angular[a]);
    trvi_lanes turn_b = trvi_lanes_mul(trvi_lanes_load(row->turn_b), c->angular[b]);
    return trvi_lanes_add(linear, trvi_lanes_sub(turn_b, turn_a));
}

static inline void push(course *c, const trvi_strike_point *point, const trvi_strike_row *row,
                        float impulse)
{
    uint32_t a = point->a, b = point->b;
    trvi_lanes much = trvi_lanes_splat(impulse);
    trvi_lanes along = trvi_lanes_mul(trvi_lanes_load(row->along), much);
    trvi_lanes spin_a = trvi_lanes_mul(trvi_lanes_load(row->spin_a), much);
    trvi_lanes spin_b = trvi_lanes_mul(trvi_lanes_load(row->spin_b), much);
    c->linear[a] = trvi_lanes_sub(c->linear[a], trvi_lanes_mul(along, c->yield[a]));
    c->linear[b] = trvi_lanes_add(c->linear[b], trvi_lanes_mul(along, c->yield[b]));
    c->angular[a] = trvi_lanes_sub(c->angular[a], spin_a);
    c->angular[b] = trvi_lanes_add(c->angular[b], spin_b);
}

// Gives how much the point's normal speed was changed.
static inline float solve_normal(course *c, trvi_strike_point *point, float wanted)
{
    trvi_lanes parts = speed_parts(c, point, &point->rows[0]);
    float speed = trvi_lanes_first(trvi_lanes_sums(parts, parts));
    float before = point->impulses[0];
    float after = trvi_larger(before + point->masses[0] * (wanted - speed), 0.0f);
    if (after == before)
        return 0.0f;
    point->impulses[0] = after;
    push(c, point, &point->rows[0], after - before);
    return point->masses[0] > 0.0f ? fabsf(after - before) / point->masses[0] : 0.0f;
}

// As in the solver: what slides is pushed straight against the slip, by one mass for both tangents;
// one that is locked has none.
static inline float solve_friction(course *c, trvi_strike_point *point)
{
    float smaller = trvi_smaller(point->masses[1], point->masses[2]);
    float larger = trvi_larger(point->masses[1], point->masses[2]);
    float mass = smaller > 0.0f ? smaller : larger;
    if (!(point->friction > 0.0f) || !(mass > 0.0f) ||
        (point->impulses[0] == 0.0f && point->impulses[1] == 0.0f && point->impulses[2] == 0.0f))
        return 0.0f;
    trvi_lanes sums = trvi_lanes_sums(speed_parts(c, point, &point->rows[1]),
                                      speed_parts(c, point, &point->rows[2]));
    const float slip[2] = {trvi_lanes_first(sums), trvi_lanes_first(trvi_lanes_splat_1(sums))};
    float most = point->most < 0.0f ? point->friction * point->impulses[0] : point->most;
    float changed = 0.0f;
    float masses[2] = {point->masses[1], point->masses[2]}, after[2], length = 0.0f;
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < 2; i++)
            after[i] = point->impulses[i + 1] - masses[i] * slip[i];
        length = sqrtf(after[0] * after[0] + after[1] * after[1]);
        if (length <= most)
            break;
        masses[0] = masses[1] = mass;
    }
    float scale = length > most ? most / length : 1.0f;
    for (int i = 0; i < 2; i++) {
        float change = after[i] * scale - point->impulses[i + 1];
        point->impulses[i + 1] += change;
        push(c, point, &point->rows[i + 1], change);
        changed = trvi_larger(changed, fabsf(change) / mass);
    }
    return changed;
}

// Gives how much the speed of any point was changed.
static float solve_round(trvi_strike *strike, course *c, bool bounce)
{
    float changed = 0.0f;
    for (uint32_t i = 0; i < strike->point_count; i++) {
        trvi_strike_point *point = &strike->points[i];
        changed = trvi_larger(changed, solve_normal(c, point, bounce ? point->wanted : 0.0f));
    }
    for (uint32_t i = strike->point_count; i-- > 0;) { // back, so that no corner is favoured
        trvi_strike_point *point = &strike->points[i];
        changed = trvi_larger(changed, solve_normal(c, point, bounce ? point->wanted : 0.0f));
    }
    for (uint32_t i = 0; i < strike->point_count; i++)
        changed = trvi_larger(changed, solve_friction(c, &strike->points[i]));
    return changed;
}

// What no change of speed may be more than for the blow to be solved.
static float allowed_change(const trvi_strike *strike, bool bounce)
{
    float fastest = 0.0f,
          least = strike->point_count > strike->seed_points ? TRVI_STRIKE_REST : 0.0f;
    bool wants = false;
    for (uint32_t i = 0; i < strike->point_count; i++) {
        const trvi_strike_point *point = &strike->points[i];
        fastest = trvi_larger(fastest, point->closing);
        wants = wants || (bounce && point->wanted > 0.0f);
    }
    if (!wants)
        least = TRVI_STRIKE_REST;
    return trvi_larger(TRVI_STRIKE_DONE * fastest, least);
}

// As it was before the blow.
static void begin(trvi_strike *strike)
{
    for (uint32_t i = 0; i < strike->body_count; i++) {
        trvi_struck *body = &strike->bodies[i];
        body->linear = body->linear_before;
        body->angular = body->angular_before;
    }
    for (uint32_t i = 0; i < strike->point_count; i++)
        memset(strike->points[i].impulses, 0, sizeof strike->points[i].impulses);
}

// Normal impulses of a few points some rounds ago, and as many before that, N s.
typedef struct pace {
    float last[QUICKENED], before[QUICKENED];
} pace;

// Takes all at once what rounds come nearer by an even part each time, as of points side by side: to where they lead.
// Based on: A. C. Aitken, "On Bernoulli's numerical solution of algebraic equations" (1926).
static void go_on_evenly(trvi_strike *strike, course *c, const pace *p)
{
    float along = 0.0f, square = 0.0f;
    for (uint32_t i = 0; i < strike->point_count; i++) {
        float then = p->last[i] - p->before[i];
        along += (strike->points[i].impulses[0] - p->last[i]) * then;
        square += then * then;
    }
    if (!(along > 0.0f && along < TRVI_STRIKE_EVENLY * square))
        return;
    float more = along / (square - along);
    for (uint32_t i = 0; i < strike->point_count; i++) {
        trvi_strike_point *point = &strike->points[i];
        float now = point->impulses[0];
        point->impulses[0] = trvi_larger(now + more * (now - p->last[i]), 0.0f);
        push(c, point, &point->rows[0], point->impulses[0] - now);
    }
}

// After every few rounds; every third time there are two paces to go by.
static void quicken(trvi_strike *strike, course *c, pace *p, int time)
{
    if (time % 3 == 2)
        go_on_evenly(strike, c, p);
    for (uint32_t i = 0; i < strike->point_count; i++) {
        p->before[i] = p->last[i];
        p->last[i] = strike->points[i].impulses[0];
    }
}

// From what is solved of it. `bounce`: with the speeds that restitution wants. Where nothing bounces, or others
// pass the blow on, what is left of errors is slower than a blow: the solver sees to it.
static void solve(trvi_strike *strike, bool bounce, int rounds)
{
    course c;
    float done = allowed_change(strike, bounce);
    for (uint32_t i = 0; i < strike->body_count; i++) {
        const trvi_struck *body = &strike->bodies[i];
        const trv_vec3 all = {body->inverse_mass, body->inverse_mass, body->inverse_mass};
        trv_vec3 yields = trvi_unlocked(all, body->locks);
        c.linear[i] = trvi_lanes_load3(&body->linear.x);
        c.angular[i] = trvi_lanes_load3(&body->angular.x);
        c.yield[i] = trvi_lanes_load3(&yields.x);
    }
    float mark = 0.0f;
    pace p = {{0.0f}, {0.0f}};
    for (int round = 0; round < rounds; round++) {
        float changed = solve_round(strike, &c, bounce);
        bool vain = round == VAIN_ROUND && changed > TRVI_STRIKE_VAIN * mark;
        if (changed <= done || vain)
            break;
        mark = round == MARK_ROUND ? changed : mark;
        if (strike->point_count <= QUICKENED && (round + 1) % FEW_ROUNDS == 0)
            quicken(strike, &c, &p, round / FEW_ROUNDS);
    }
    for (uint32_t i = 0; i < strike->body_count; i++) {
        trvi_lanes_store3(&strike->bodies[i].linear.x, c.linear[i]);
        trvi_lanes_store3(&strike->bodies[i].angular.x, c.angular[i]);
    }
}

static void solve_anew(trvi_strike *strike)
{
    begin(strike);
    solve(strike, false, ROUNDS);
}

// The kinetic energy that the impulses have brought, J: each does work on the mean of the speeds
// before and after.
static double energy_brought(const trvi_strike *strike)
{
    double energy = 0.0;
    for (uint32_t i = 0; i < strike->point_count; i++) {
        const trvi_strike_point *point = &strike->points[i];
        trv_vec3 after = relative_speed(strike, point);
        const trvi_struck *a = &strike->bodies[point->a], *b = &strike->bodies[point->b];
        trv_vec3 before =
            trvi_sub(trvi_add(b->linear_before, trvi_cross(b->angular_before, point->arm_b)),
                     trvi_add(a->linear_before, trvi_cross(a->angular_before, point->arm_a)));
        trv_vec3 sum = trvi_add(before, after);
        for (int k = 0; k < 3; k++)
            energy +=
                0.5 * (double)point->impulses[k] * (double)trvi_dot(sum, axis_of(&point->rows[k]));
    }
    return energy;
}

// Takes `share` of the solution that is held in the points, and the rest of the one in `other`.
static void blend(trvi_strike *strike, const trvi_struck *other, float share)
{
    for (uint32_t i = 0; i < strike->body_count; i++) {
        trvi_struck *body = &strike->bodies[i];
        trv_vec3 linear = trvi_sub(other[i].linear, body->linear);
        trv_vec3 angular = trvi_sub(other[i].angular, body->angular);
        body->linear = trvi_mul_add(body->linear, linear, share);
        body->angular = trvi_mul_add(body->angular, angular, share);
    }
}

// The energy that the impulses have brought, if that is more than rounding; else 0.
static double energy_gained(const trvi_strike *strike)
{
    double most = 0.0, brought = energy_brought(strike);
    for (uint32_t i = 0; i < strike->seed_points; i++)
        most += (double)(strike->points[i].impulses[0] * strike->points[i].closing);
    return brought > 1.0e-6 * most ? brought : 0.0;
}

// With the largest impulses of friction held, at what they are where nothing rubs. See runaway.c.
static void solve_bound(trvi_strike *strike)
{
    for (uint32_t i = 0; i < strike->point_count; i++)
        strike->points[i].most = 0.0f;
    solve_anew(strike);
    for (uint32_t i = 0; i < strike->point_count; i++)
        strike->points[i].most = strike->points[i].friction * strike->points[i].impulses[0];
    solve_anew(strike);
}

// From what is solved of it. False where the velocities are not what the impulses make, or friction is held.
static bool solve_within_energy(trvi_strike *strike)
{
    solve(strike, true, ROUNDS);
    double brought = energy_gained(strike);
    if (!(brought > 0.0))
        return true;
    trvi_struck bounced[TRVI_STRIKE_BODIES];
    memcpy(bounced, strike->bodies, strike->body_count * sizeof *bounced);
    solve_anew(strike);
    if (energy_gained(strike) > 0.0) { // without a bounce, too: friction has run away
        solve_bound(strike);
        return false;
    }
    double lost = -energy_brought(strike);
    float share = lost > 0.0 ? (float)(lost / (lost + brought)) : 0.0f;
    blend(strike, bounced, share);
    return false;
}

// Has the blow changed how fast one of its own points closes in, by more than rounding? Not where
// parting as wanted would take energy that nobody has.
static bool has_changed(const trvi_strike *strike)
{
    for (uint32_t i = 0; i < strike->seed_points; i++) {
        const trvi_strike_point *point = &strike->points[i];
        float closing = -trvi_dot(relative_speed(strike, point), axis_of(&point->rows[0]));
        if (fabsf(closing - point->closing) > TRVI_STRIKE_REST)
            return true;
    }
    return false;
}

// Would a body be driven into what is behind it, before the solver sees that?
static bool is_driven(const trvi_step *step, const trvi_struck *body, float left)
{
    const trvi_body *of = body_of(step, body->solver);
    float change = trvi_length(trvi_sub(body->linear, body->linear_before)) +
                   trvi_length(trvi_sub(body->angular, body->angular_before)) * of->extent;
    bool ball = trvi_is_ball(step->world, of->first_shape);
    return change * left > (ball ? TRVI_STRIKE_DRIVES_BALLS : TRVI_STRIKE_DRIVES) * of->thickness;
}

// Who is driven passes the blow on, too. True where that changes it; each time a body does that has not.
static bool goes_on(const trvi_step *step, trvi_strike *strike)
{
    uint32_t points = strike->point_count, bodies = strike->body_count;
    for (uint32_t i = 0; i < bodies; i++) {
        const trvi_struck *body = &strike->bodies[i];
        if (!body->passes_on && body->inverse_mass > 0.0f &&
            is_driven(step, body, step->h - strike->time))
            pass_on(step, strike, i);
    }
    return strike->point_count > points;
}

// Who else the blow goes on through shows in a few rounds, or when it is solved.
static void solve_with_others(const trvi_step *step, trvi_strike *strike)
{
    for (;;) { // as often as there is room for another contact, at most
        do
            solve(strike, true, FEW_ROUNDS);
        while (goes_on(step, strike));
        bool goes_by_impulses = solve_within_energy(strike);
        if (!goes_on(step, strike))
            return;
        if (!goes_by_impulses)
            begin(strike);
    }
}

static uint32_t most_contacts_of(const trvi_step *step, const trvi_strike *strike)
{
    if (!trvi_has_ball(step->world, strike->met[0].pair.contact))
        return FEW_CONTACTS;
    for (uint32_t i = 0; i < strike->body_count; i++) {
        const trvi_flight *flight = trvi_flight_if_known(step, strike->bodies[i].solver);
        if (flight != NULL && flight->blows >= OFTEN)
            return FEW_CONTACTS;
    }
    return TRVI_STRIKE_CONTACTS;
}

bool trvi_strike_solve(const trvi_step *step, float time, float leave, trvi_strike *strike)
{
    strike->time = time;
    strike->body_count = strike->point_count = strike->contact_count = 0;
    float reach = trvi_strike_reach(step->world, &strike->met[0]);
    if (!(add_met(step, &strike->met[0], reach, leave, strike) > -leave))
        return false;
    for (uint32_t i = 1; i < strike->met_count; i++)
        add_met(step, &strike->met[i], reach, 0.0f, strike);
    strike->seed_points = strike->point_count;
    strike->most_contacts = most_contacts_of(step, strike);
    uint32_t seeds = strike->body_count;
    for (uint32_t i = 0; i < seeds; i++)
        pass_on(step, strike, i);
    solve_with_others(step, strike);
    if (!has_changed(strike))
        return false;
    for (uint32_t i = 0; i < strike->body_count; i++) {
        const trvi_struck *body = &strike->bodies[i];
        if (body->inverse_mass > 0.0f)
            trvi_flight_turn(step, body->solver, time, body->linear, body->angular);
    }
    return true;
}
