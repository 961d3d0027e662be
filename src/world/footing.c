// What stands as the step begins, and was not there before, begins with the loads that it bears, and what
// it stands on with those that it adds.
//
// Impulses are found by sweeps, which carry a load some bodies further each: until the foot of a
// pyramid knows of its top, all of it falls, and sinks into itself by the more the higher it is. So
// where bodies at rest touch for the first time, each hands down what it weighs and bears, from the
// highest to the lowest; those that have stood there before hand down what they come to bear. How much
// of it rests on which point is statics: as much as balances forces and moments, and of all ways to do
// so the one with the least squares, which is a pressure that rises evenly from one end to the other;
// points that would have to pull bear nothing. What friction and sideways thrusts add to that is left
// to the solver, as is all that this is wrong about.
// Invariant: nothing changes but impulses of contacts whose bodies rest on one another, be it on something that
// carries both along. Once more in the same step, it finds nothing to hand down.
// Based on: the straight-line distribution of pressure under rigid footings; K. Terzaghi and R. B. Peck,
// "Soil Mechanics in Engineering Practice" (1948).
#include "impact_data.h"

#include <float.h>

// How often points that would pull are left out.
enum { ROUNDS = 4 };

// A point that one body bears another at.
typedef struct footing {
    uint32_t contact, point;
    uint32_t active;          // the contact's place among the active ones
    uint32_t lower;           // solver body
    uint32_t next;            // of the same upper body, or TRVI_NONE
    float across_1, across_2; // from the upper body's centre of mass, m
    float load;               // N s of a sub-step, downwards
    bool broad;               // of a contact face to face
} footing;

// What a body has to hand down of others' loads: downwards, N s of a sub-step, and their moments along the
// directions across about its centre of mass, N m s. As large as what union-find is going to need of it.
typedef struct burden {
    float load, moment_1, moment_2;
    uint32_t first; // of its footings, TRVI_NONE, or HELD
} burden;

#define HELD (TRVI_NONE - 1u) // it hands nothing down

_Static_assert(sizeof(burden) == 4 * sizeof(uint32_t), "fits into the scratch of blocks.c");

// Up, and two directions across.
typedef struct compass {
    trv_vec3 up, across_1, across_2;
    float h;     // of a sub-step, s
    float gain;  // what weight makes of a speed in one, m/s
    float still; // what is no faster rests, m/s
} compass;

void trvi_footings_init(trv_world *world)
{
    world->footings.stride = sizeof(footing);
    world->heights.stride = sizeof(trvi_entry);
    world->footings.bare = world->heights.bare = true;
}

static footing *footings_of(const trv_world *world)
{
    return world->footings.items;
}

static burden *burdens_of(const trv_world *world)
{
    return world->parents.items;
}

static trv_vec3 center_of(const trv_world *world, uint32_t solver)
{
    return ((const trvi_solver_body *)world->solver_bodies.items)[solver].center;
}

// Does it neither rise, nor sink, nor turn? It may go along with what it stands on.
static bool rests(const trv_world *world, uint32_t body, const compass *to)
{
    const trvi_body *of = &trvi_bodies(world)[body];
    const trvi_mobile *mobile = trvi_mobile_of(world, of);
    return of->kind == TRV_BODY_STATIC ||
           fabsf(trvi_dot(mobile->linear_velocity, to->up)) +
                   trvi_length(mobile->angular_velocity) * of->extent <=
               to->still;
}

static bool go_together(const trv_world *world, const trvi_contact *contact, const compass *to)
{
    const trvi_body *a = &trvi_bodies(world)[contact->body_a];
    const trvi_body *b = &trvi_bodies(world)[contact->body_b];
    return trvi_length(trvi_sub(trvi_mobile_of(world, b)->linear_velocity,
                                trvi_mobile_of(world, a)->linear_velocity)) <= to->still;
}

// Can weight move it?
static bool yields(const trvi_body *body, const compass *to)
{
    trv_vec3 way = trvi_unlocked(to->up, body->locks & 7u);
    return body->kind == TRV_BODY_DYNAMIC && way.x == to->up.x && way.y == to->up.y &&
           way.z == to->up.z;
}

// N s of a sub-step, downwards.
static float weight_of(const trv_world *world, const trvi_body *body, const compass *to)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    float pull = -trvi_dot(trvi_acceleration_of(world, mobile), to->up);
    return to->h * trvi_larger(pull, 0.0f) / mobile->inverse_mass;
}

// Who moves hands nothing down, nor does what does not yield. The weight of those that bear loads already
// is among these.
static void begin_burdens(const trv_world *world, const compass *to)
{
    const trvi_entry *active = world->active.items, *awake = world->awake.items;
    burden *burdens = burdens_of(world);
    for (uint32_t i = 0; i < world->solver_bodies.count; i++)
        burdens[i] = (burden){0.0f, 0.0f, 0.0f, HELD};
    for (uint32_t i = 0; i < world->awake.count; i++) {
        const trvi_body *body = &trvi_bodies(world)[awake[i].value];
        if (yields(body, to) && rests(world, awake[i].value, to))
            burdens[i + 1] = (burden){weight_of(world, body, to), 0.0f, 0.0f, TRVI_NONE};
    }
    for (uint32_t i = 0; i < world->active.count; i++) {
        uint32_t solvers[2];
        if (!(active[i].extra & TRVI_ENTRY_LOADED))
            continue;
        trvi_solvers_of_active(world, i, solvers);
        burdens[solvers[0]].load = burdens[solvers[1]].load = 0.0f;
    }
}

// Do its points spread over more than a line?
static bool is_broad(const trv_manifold *manifold)
{
    float area = 0.0f, longest = 0.0f;
    for (uint32_t i = 1; i < manifold->count; i++) {
        trv_vec3 from = trvi_sub(manifold->points[i - 1].point, manifold->points[0].point);
        trv_vec3 to = trvi_sub(manifold->points[i].point, manifold->points[0].point);
        area = trvi_larger(area, trvi_length(trvi_cross(from, to)));
        longest = trvi_larger(longest, trvi_dot(to, to));
    }
    return area > TRVI_FOOTING_WIDTH * longest;
}

// Do the marks of a contact allow for one? It is fresh or bears something, and touches.
static bool may_be_footing(const trvi_entry *entry)
{
    return (entry->extra & (TRVI_ENTRY_FRESH | TRVI_ENTRY_LOADED)) &&
           (entry->extra & TRVI_ENTRY_CLOSE) && !(entry->extra & TRVI_ENTRY_PASSES);
}

// Does one of its bodies stand on the other, and both rest?
static bool is_footing(const trv_world *world, const trvi_entry *entry, const compass *to)
{
    if (!may_be_footing(entry))
        return false;
    const trvi_contact *contact = &trvi_contacts(world)[entry->value];
    return fabsf(trvi_dot(contact->manifold.normal, to->up)) >= TRVI_FOOTING_COSINE &&
           rests(world, contact->body_a, to) && rests(world, contact->body_b, to) &&
           go_together(world, contact, to);
}

// Lists the points of such a contact.
static void list_footings(trv_world *world, uint32_t active, const compass *to)
{
    const trvi_entry *entry = &((const trvi_entry *)world->active.items)[active];
    const trvi_contact *contact = &trvi_contacts(world)[entry->value];
    uint32_t solvers[2];
    trvi_solvers_of_active(world, active, solvers);
    bool b_stands = trvi_dot(contact->manifold.normal, to->up) > 0.0f;
    uint32_t upper = solvers[b_stands], lower = solvers[!b_stands];
    burden *of = &burdens_of(world)[upper];
    if (of->first == HELD)
        return;
    bool broad = is_broad(&contact->manifold);
    trv_vec3 center = center_of(world, upper);
    for (uint32_t i = 0; i < contact->manifold.count; i++) {
        const trv_manifold_point *p = &contact->manifold.points[i];
        if (!(p->separation <= TRVI_TOUCH_M))
            continue;
        trv_vec3 arm = trvi_sub(p->point, center);
        footings_of(world)[world->footings.count] =
            (footing){.contact = entry->value,
                      .point = i,
                      .active = active,
                      .lower = lower,
                      .next = of->first,
                      .across_1 = trvi_dot(arm, to->across_1),
                      .across_2 = trvi_dot(arm, to->across_2),
                      .broad = broad};
        of->first = world->footings.count++;
    }
}

// All that stand on something, in the order of their centres, from the highest on.
static void list_heights(trv_world *world, const compass *to)
{
    trvi_entry *heights = world->heights.items;
    world->heights.count = 0;
    for (uint32_t i = 1; i < world->solver_bodies.count; i++) {
        if (burdens_of(world)[i].first >= HELD)
            continue;
        uint64_t depth = trvi_sort_key_of_float(-trvi_dot(center_of(world, i), to->up));
        heights[world->heights.count++] = (trvi_entry){depth << 32 | i, i, 0};
    }
    trvi_sort_entries(heights, world->heights.count);
}

// A pressure that rises evenly: `mean` in the middle, and so much more for each metre across.
typedef struct pressure {
    float middle_1, middle_2, mean, rise_1, rise_2;
} pressure;

// What balances the burden at the points that bear. Along what these do not spread over nothing can
// be balanced.
static pressure balance(const trv_world *world, const burden *of)
{
    float count = 0.0f, sum_1 = 0.0f, sum_2 = 0.0f;
    for (uint32_t f = of->first; f != TRVI_NONE; f = footings_of(world)[f].next) {
        const footing *at = &footings_of(world)[f];
        if (!(at->load > 0.0f))
            continue;
        count += 1.0f;
        sum_1 += at->across_1;
        sum_2 += at->across_2;
    }
    pressure p = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    if (!(count > 0.0f))
        return p;
    p = (pressure){sum_1 / count, sum_2 / count, of->load / count, 0.0f, 0.0f};
    float square_1 = 0.0f, square_2 = 0.0f, both = 0.0f;
    for (uint32_t f = of->first; f != TRVI_NONE; f = footings_of(world)[f].next) {
        const footing *at = &footings_of(world)[f];
        float off_1 = at->across_1 - p.middle_1, off_2 = at->across_2 - p.middle_2;
        if (!(at->load > 0.0f))
            continue;
        square_1 += off_1 * off_1;
        square_2 += off_2 * off_2;
        both += off_1 * off_2;
    }
    float moment_1 = of->moment_1 - of->load * p.middle_1;
    float moment_2 = of->moment_2 - of->load * p.middle_2;
    float area = square_1 * square_2 - both * both, trace = square_1 + square_2;
    if (area > TRVI_FOOTING_LINE * trace * trace) {
        p.rise_1 = (square_2 * moment_1 - both * moment_2) / area;
        p.rise_2 = (square_1 * moment_2 - both * moment_1) / area;
    } else if (trace > 0.0f) { // all in one line
        p.rise_1 = (square_1 * moment_1 + both * moment_2) / (trace * trace);
        p.rise_2 = (both * moment_1 + square_2 * moment_2) / (trace * trace);
    }
    return p;
}

// Shares the burden out among the points that it stands on, or those of them in broad contacts. False
// where these alone cannot balance it.
static bool share_out(const trv_world *world, const burden *of, bool broad)
{
    for (uint32_t f = of->first; f != TRVI_NONE; f = footings_of(world)[f].next)
        footings_of(world)[f].load = footings_of(world)[f].broad || !broad ? 1.0f : 0.0f;
    bool balanced = false;
    for (int round = 0; round < ROUNDS && !balanced; round++) {
        const pressure p = balance(world, of);
        balanced = p.mean > 0.0f;
        for (uint32_t f = of->first; f != TRVI_NONE; f = footings_of(world)[f].next) {
            footing *at = &footings_of(world)[f];
            if (!(at->load > 0.0f))
                continue;
            at->load = p.mean + p.rise_1 * (at->across_1 - p.middle_1) +
                       p.rise_2 * (at->across_2 - p.middle_2);
            balanced = balanced && at->load > 0.0f;
        }
    }
    return balanced;
}

// Its points lie one after the other.
static float load_of_contact(const trv_world *world, uint32_t first)
{
    const footing *footings = footings_of(world);
    float load = 0.0f;
    for (uint32_t f = first; f != TRVI_NONE && footings[f].contact == footings[first].contact;
         f = footings[f].next)
        load += trvi_larger(footings[f].load, 0.0f);
    return load;
}

// Gives a point its load, and that to what it stands on.
static void load_point(trv_world *world, const footing *at, float load, trv_vec3 center,
                       const compass *to)
{
    trvi_contact *contact = &trvi_contacts(world)[at->contact];
    trvi_impulse *impulse = &contact->impulses[at->point];
    float pressed = load * fabsf(trvi_dot(contact->manifold.normal, to->up));
    impulse->normal += pressed;
    impulse->carried += pressed;
    ((trvi_entry *)world->active.items)[at->active].extra |= TRVI_ENTRY_STUCK;
    burden *lower = &burdens_of(world)[at->lower];
    trv_vec3 way = trvi_sub(center, center_of(world, at->lower));
    lower->load += load;
    lower->moment_1 += load * (at->across_1 + trvi_dot(way, to->across_1));
    lower->moment_2 += load * (at->across_2 + trvi_dot(way, to->across_2));
}

// What counts as lighter on something light than it is presses on that by as much less.
static void hand_down(trv_world *world, uint32_t upper, const compass *to)
{
    const trvi_solver_body *bodies = world->solver_bodies.items;
    float counts = 1.0f;
    uint32_t contact = TRVI_NONE;
    for (uint32_t f = burdens_of(world)[upper].first; f != TRVI_NONE;
         f = footings_of(world)[f].next) {
        const footing *at = &footings_of(world)[f];
        if (at->contact != contact)
            counts = trvi_lightened(to->gain, load_of_contact(world, f), bodies[upper].inverse_mass,
                                    bodies[at->lower].inverse_mass);
        contact = at->contact;
        float load = at->load / counts;
        if (load > 0.0f && load <= FLT_MAX) // masses and weights may be beyond what floats hold
            load_point(world, at, load, bodies[upper].center, to);
    }
}

// The burdens of all that stand on something, from the highest on.
static void hand_all_down(trv_world *world, const compass *to)
{
    const trvi_entry *heights = world->heights.items;
    for (uint32_t i = 0; i < world->heights.count; i++) {
        burden *of = &burdens_of(world)[heights[i].value];
        if (!(of->load > 0.0f))
            continue;
        // Where edges only meet in a line, as those of towers side by side, that bears nothing.
        if (!share_out(world, of, true))
            (void)share_out(world, of, false);
        hand_down(world, heights[i].value, to);
    }
}

static compass find_compass(const trv_world *world, float dt, float h)
{
    const trv_vec3 none = {0.0f, 0.0f, 0.0f};
    float gravity = trvi_length(world->gravity);
    compass to = {.up = trvi_normalize_or(trvi_negate(world->gravity), none),
                  .h = h,
                  .gain = gravity * h,
                  .still = TRVI_FOOTING_FALLS * gravity * dt};
    to.across_1 = trvi_tangent_of(to.up);
    to.across_2 = trvi_cross(to.up, to.across_1);
    return to;
}

bool trvi_find_footings(trv_world *world, float dt, uint32_t substeps)
{
    const trvi_entry *active = world->active.items;
    const compass to = find_compass(world, dt, dt / (float)substeps);
    bool fresh = false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->active.count && !fresh; i++)
        fresh = (active[i].extra & TRVI_ENTRY_FRESH) && is_footing(world, &active[i], &to);
    if (!fresh)
        return true;
    for (uint32_t i = 0; i < world->active.count; i++)
        count += may_be_footing(&active[i]);
    if (!trvi_array_reserve(&world->allocator, &world->footings, TRV_MANIFOLD_POINTS * count) ||
        !trvi_array_reserve(&world->allocator, &world->heights, world->awake.count))
        return false;
    begin_burdens(world, &to);
    world->footings.count = 0;
    for (uint32_t i = 0; i < world->active.count; i++)
        if (is_footing(world, &active[i], &to))
            list_footings(world, i, &to);
    list_heights(world, &to);
    hand_all_down(world, &to);
    return true;
}
