// Impacts in a sub-step, in the order of their times.
//
// The solver finds speeds for whole sub-steps; what bounces in the middle of one, or is through a
// wall by its end, is not its business. Contacts with restitution that close in faster than the
// threshold are held back from it; they, and all contacts of bodies that move far for their
// thickness, are followed along the bodies' flights. The next meeting of all is taken from a heap,
// the blow is resolved at its own time, and the flights go on from there with new speeds, for which
// meetings are looked for anew. A body that a blow throws out of the broadphase box that its step
// was planned in asks the broadphase itself, once for each sub-step and blow.
//
// Invariant: of two swept bodies the way is proven free up to each blow, so that none passes. A body
// that has had MAX_BLOWS in one sub-step waits for the next one where it is; so do all that are about
// to meet when a sub-step has seen more blows than MAX_BLOWS for every second body.
//
// Based on: B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems" (1996), chapter 2.
#include "impact_data.h"

#include <string.h>

enum { MAX_BLOWS = 32, MAX_TRIES = 64 };

static trvi_meeting *meetings(const trvi_step *step)
{
    return step->world->meetings.items;
}

static uint32_t stray_meeting(const trvi_step *step, uint32_t solver)
{
    return step->world->active.count + solver;
}

static uint32_t solver_of(const trvi_body *body)
{
    return (body->flags & TRVI_BODY_AWAKE) && trvi_body_moves(body) ? body->solver : TRVI_UNMOVED;
}

static const trvi_body *body_of_shape(const trvi_step *step, uint32_t shape)
{
    return &trvi_bodies(step->world)[trvi_shapes(step->world)[shape].body];
}

// The heap: of two meetings at one time the lower number comes first ---------------------------------

static bool is_before(const trvi_step *step, uint32_t a, uint32_t b)
{
    float time_a = meetings(step)[a].time, time_b = meetings(step)[b].time;
    return time_a < time_b || (time_a == time_b && a < b);
}

static void put(const trvi_step *step, uint32_t at, uint32_t meeting)
{
    ((uint32_t *)step->world->meeting_heap.items)[at] = meeting;
    meetings(step)[meeting].place = at;
}

static void sift(const trvi_step *step, uint32_t at, uint32_t meeting)
{
    const uint32_t *heap = step->world->meeting_heap.items;
    uint32_t count = step->world->meeting_heap.count;
    while (at > 0 && is_before(step, meeting, heap[(at - 1) / 2])) {
        put(step, at, heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(step, heap[child + 1], heap[child]))
            child++;
        if (is_before(step, meeting, heap[child]))
            break;
        put(step, at, heap[child]);
    }
    put(step, at, meeting);
}

static void drop(const trvi_step *step, uint32_t meeting)
{
    uint32_t at = meetings(step)[meeting].place;
    if (at == TRVI_NONE)
        return;
    meetings(step)[meeting].place = TRVI_NONE;
    uint32_t *heap = step->world->meeting_heap.items;
    uint32_t last = heap[--step->world->meeting_heap.count];
    if (last != meeting)
        sift(step, at, last);
}

static void expect_at(const trvi_step *step, uint32_t meeting, float time)
{
    trvi_meeting *m = &meetings(step)[meeting];
    m->time = time;
    if (m->place == TRVI_NONE)
        m->place = step->world->meeting_heap.count++;
    sift(step, m->place, meeting);
}

// Meetings of one pair ---------------------------------------------------------------------------

trvi_pairing trvi_pairing_of(const trv_world *world, uint32_t index)
{
    const trvi_contact *contact = &trvi_contacts(world)[index];
    return (trvi_pairing){contact->shape_a,
                          contact->shape_b,
                          solver_of(&trvi_bodies(world)[contact->body_a]),
                          solver_of(&trvi_bodies(world)[contact->body_b]),
                          index,
                          contact->friction,
                          contact->restitution};
}

static bool waits(const trvi_step *step, uint32_t solver)
{
    return solver == TRVI_UNMOVED || (trvi_flight_of(step, solver)->flags & TRVI_FLIGHT_WAITS) != 0;
}

static bool is_swept(const trvi_step *step, const trvi_pairing *pair)
{
    return (pair->a != TRVI_UNMOVED && trvi_is_fast(step, pair->a)) ||
           (pair->b != TRVI_UNMOVED && trvi_is_fast(step, pair->b));
}

static float margin_of(const trvi_step *step, const trvi_pairing *pair)
{
    float thickness = fminf(body_of_shape(step, pair->shape_a)->thickness,
                            body_of_shape(step, pair->shape_b)->thickness);
    return fminf(TRVI_SWEEP_MARGIN_M, TRVI_SWEEP_MARGIN_SHARE * thickness);
}

// The manifold of the pair at a time.
static bool collide_at(const trvi_step *step, const trvi_pairing *pair, float time, float margin,
                       trv_manifold *out)
{
    const trvi_shape *a = &trvi_shapes(step->world)[pair->shape_a];
    const trvi_shape *b = &trvi_shapes(step->world)[pair->shape_b];
    trv_pose pose_a = trvi_flight_pose(step, &trvi_bodies(step->world)[a->body], pair->a, time);
    trv_pose pose_b = trvi_flight_pose(step, &trvi_bodies(step->world)[b->body], pair->b, time);
    trv_plane_cache cache;
    memset(&cache, 0, sizeof cache);
    trvi_collide(&a->solid, pose_a, &b->solid, pose_b, margin, &cache, out);
    return out->count > 0;
}

static trv_vec3 speed_at(const trvi_step *step, uint32_t shape, uint32_t solver, float time,
                         trv_vec3 point)
{
    if (solver == TRVI_UNMOVED)
        return (trv_vec3){0.0f, 0.0f, 0.0f};
    trv_vec3 moved;
    trv_quat turned;
    trvi_flight_at(step, solver, time, &moved, &turned);
    trv_vec3 arm = trvi_sub(point, trvi_add(body_of_shape(step, shape)->center, moved));
    return trvi_add(trvi_flight_speed(step, solver, time),
                    trvi_cross(trvi_flight_spin(step, solver, time), arm));
}

// How fast the nearest points of the manifold close in, m/s, and how near they are.
static float closing_at(const trvi_step *step, const trvi_pairing *pair,
                        const trv_manifold *manifold, float time, float *nearest)
{
    float fastest = -TRV_COORD_MAX;
    *nearest = TRV_COORD_MAX;
    for (uint32_t i = 0; i < manifold->count; i++)
        *nearest = fminf(*nearest, manifold->points[i].separation);
    for (uint32_t i = 0; i < manifold->count; i++) {
        const trv_manifold_point *p = &manifold->points[i];
        if (p->separation > *nearest + TRVI_STRIKE_FACE_M)
            continue;
        trv_vec3 a = speed_at(step, pair->shape_a, pair->a, time, p->point);
        trv_vec3 b = speed_at(step, pair->shape_b, pair->b, time, p->point);
        fastest = fmaxf(fastest, trvi_dot(trvi_sub(a, b), manifold->normal));
    }
    return fastest;
}

// Is that speed a blow, for this pair?
static bool is_blow(const trvi_step *step, const trvi_pairing *pair, float closing)
{
    if (pair->restitution > 0.0f && closing > step->restitution_threshold)
        return true;
    return closing > TRVI_SWEEP_CLOSING && is_swept(step, pair);
}

static trv_vec3 acceleration_of(const trvi_step *step, uint32_t solver)
{
    if (solver == TRVI_UNMOVED)
        return (trv_vec3){0.0f, 0.0f, 0.0f};
    return trvi_flight_of(step, solver)->acceleration;
}

// How fast two surfaces that touch, and do not close in, are about to because they turn, m/s^2: the
// second derivative of the gap between a point of one body and a face of the other. Which has the
// face is not known here: the worse case of the two.
static float bending_of(const trvi_step *step, const trvi_pairing *pair,
                        const trv_manifold *manifold, float time)
{
    trv_vec3 speed[2], spin[2], pull[2];
    const uint32_t solvers[2] = {pair->a, pair->b}, shapes[2] = {pair->shape_a, pair->shape_b};
    float worst = 0.0f;
    for (uint32_t i = 0; i < manifold->count; i++) {
        trv_vec3 n = manifold->normal;
        for (int k = 0; k < 2; k++) {
            speed[k] = speed_at(step, shapes[k], solvers[k], time, manifold->points[i].point);
            spin[k] = step->motions[solvers[k]].angular; // the unmoved one's is zero
            pull[k] = trvi_sub(speed[k], solvers[k] == TRVI_UNMOVED
                                             ? speed[k]
                                             : trvi_flight_speed(step, solvers[k], time));
            pull[k] = trvi_cross(spin[k], pull[k]);
        }
        trv_vec3 slip = trvi_sub(speed[1], speed[0]);
        float straight = trvi_dot(trvi_sub(pull[0], pull[1]), n);
        for (int k = 0; k < 2; k++)
            worst = fmaxf(worst, straight - 2.0f * trvi_dot(trvi_cross(spin[k], n), slip));
    }
    return worst;
}

// At what speed surfaces have to part that touch, do not close in, and get into one another by
// their turning before the sub-step ends; 0 where they do not.
static float parting_of(const trvi_step *step, const trvi_pairing *pair, float from, float gap)
{
    bool turns = trvi_length(step->motions[pair->a].angular) > 0.0f ||
                 trvi_length(step->motions[pair->b].angular) > 0.0f;
    if (!turns || !is_swept(step, pair))
        return 0.0f;
    float margin = margin_of(step, pair), part = 0.125f;
    for (int i = 0; i < 4; i++, part *= 2.0f) {
        trv_manifold manifold;
        float nearest, time = part * (step->h - from);
        if (!collide_at(step, pair, from + time, margin, &manifold))
            continue;
        closing_at(step, pair, &manifold, from, &nearest);
        float lost = fminf(gap, 0.0f) - nearest;
        if (lost > margin)
            return lost / (part * time);
    }
    return 0.0f;
}

// What a blow that does not bounce leaves surfaces with that are swept: nothing at first. Where they
// meet again in the same sub-step, they turn into one another: they part as fast as they met, or as
// keeps them apart until the sub-step's end, so that there is an end of blows.
static float leave_of(const trvi_step *step, const trvi_pairing *pair, const trv_manifold *manifold,
                      float time, float closing, float gap, uint32_t blows)
{
    if (!is_swept(step, pair) || (blows == 0 && closing > TRVI_SWEEP_CLOSING))
        return 0.0f;
    float bend = 0.5f * bending_of(step, pair, manifold, time) * (step->h - time);
    if (closing <= TRVI_SWEEP_CLOSING)
        return fmaxf(bend * (float)(1 + blows), parting_of(step, pair, time, gap));
    return fmaxf(bend * (float)(1 + blows), closing);
}

// The sweep goes along chords and stops a margin short; from there to the touch along the parabola.
// A time after the sub-step's end is the next one's business.
static float refine(const trvi_step *step, const trvi_pairing *pair, float time)
{
    trv_manifold manifold;
    float margin = margin_of(step, pair) + step->h * step->h * TRVI_REFINE_ACCELERATION;
    for (int round = 0; round < 2; round++) {
        if (!collide_at(step, pair, time, 2.0f * margin, &manifold))
            return time;
        float gap, closing = closing_at(step, pair, &manifold, time, &gap);
        trv_vec3 bend = trvi_sub(acceleration_of(step, pair->a), acceleration_of(step, pair->b));
        float square = closing * closing + 2.0f * trvi_dot(bend, manifold.normal) * gap;
        if (!is_blow(step, pair, closing) || !(square > 0.0f))
            return time;
        time = fmaxf(time + 2.0f * gap / (closing + sqrtf(square)), 0.0f);
        if (time >= step->h)
            return time;
    }
    return time;
}

// When the pair meets with a blow, from a time on; false: not in this sub-step.
static bool next_blow(const trvi_step *step, const trvi_pairing *pair, float from, float *time)
{
    if (waits(step, pair->a) && waits(step, pair->b))
        return false;
    const trvi_shape *a = &trvi_shapes(step->world)[pair->shape_a];
    const trvi_shape *b = &trvi_shapes(step->world)[pair->shape_b];
    trv_motion motion_a =
        trvi_flight_motion(step, &trvi_bodies(step->world)[a->body], pair->a, from);
    trv_motion motion_b =
        trvi_flight_motion(step, &trvi_bodies(step->world)[b->body], pair->b, from);
    trvi_impact_options options = trvi_default_impact_options();
    options.margin = margin_of(step, pair);
    trv_impact_hit hit;
    trvi_impact(&a->solid, &motion_a, &b->solid, &motion_b, &options, &hit);
    if (!hit.hit)
        return false;
    *time = from + hit.fraction * (step->h - from);
    trv_manifold manifold;
    float gap;
    if (hit.start || hit.fraction <= TRVI_SWEEP_AT_ONCE) {
        *time = from;
        if (!collide_at(step, pair, from, options.margin, &manifold))
            return false;
        float closing = closing_at(step, pair, &manifold, from, &gap);
        return is_blow(step, pair, closing) || parting_of(step, pair, from, gap) > 0.0f;
    }
    if (pair->restitution > 0.0f)
        *time = fmaxf(refine(step, pair, *time), from);
    return *time < step->h;
}

static bool may_blow(const trvi_step *step, const trvi_pairing *pair)
{
    bool pushes =
        step->motions[pair->a].pushable != 0.0f || step->motions[pair->b].pushable != 0.0f;
    return pushes && (pair->restitution > 0.0f || is_swept(step, pair));
}

static trvi_meeting *meeting_of(const trvi_step *step, uint32_t id)
{
    trvi_meeting *meeting = &meetings(step)[id];
    if (meeting->stamp != step->world->impact_stamp) {
        meeting->stamp = step->world->impact_stamp;
        meeting->tries = 0;
        meeting->blows = 0;
        meeting->place = TRVI_NONE;
    }
    return meeting;
}

static void look_for(const trvi_step *step, uint32_t id, const trvi_pairing *pair, float from)
{
    trvi_meeting *meeting = meeting_of(step, id);
    float time;
    if (may_blow(step, pair) && meeting->tries++ < MAX_TRIES && next_blow(step, pair, from, &time))
        expect_at(step, id, time);
    else
        drop(step, id);
}

static void look_for_contact(const trvi_step *step, uint32_t active, float from)
{
    const trvi_entry *entries = step->world->active.items;
    trvi_pairing pair = trvi_pairing_of(step->world, entries[active].value);
    look_for(step, active, &pair, from);
}

static void look_for_body(const trvi_step *step, uint32_t solver, float from, bool once)
{
    const trvi_contact *contacts = trvi_contacts(step->world);
    const trvi_body *body = &trvi_bodies(step->world)[step->bodies[solver].body];
    uint32_t link = body->first_contact;
    for (; link != TRVI_NONE; link = contacts[link / 2].next[link % 2]) {
        const trvi_contact *contact = &contacts[link / 2];
        if (!(contact->flags & TRVI_CONTACT_ACTIVE) ||
            (once && meetings(step)[contact->active].stamp == step->world->impact_stamp))
            continue;
        look_for_contact(step, contact->active, from);
    }
}

// Strays: bodies that a blow has thrown out of their boxes -----------------------------------------

typedef struct stray_search {
    const trvi_step *step;
    uint32_t solver, shape; // the stray's
    float from;
    bool found;
    float time;
    uint32_t other;
} stray_search;

static bool share_contact(const trv_world *world, const trvi_body *body, uint32_t a, uint32_t b)
{
    const trvi_contact *contacts = trvi_contacts(world);
    for (uint32_t link = body->first_contact; link != TRVI_NONE;
         link = contacts[link / 2].next[link % 2]) {
        const trvi_contact *contact = &contacts[link / 2];
        if ((contact->flags & TRVI_CONTACT_ACTIVE) &&
            ((contact->shape_a == a && contact->shape_b == b) ||
             (contact->shape_a == b && contact->shape_b == a)))
            return true;
    }
    return false;
}

static trvi_pairing pairing_of_shapes(const trvi_step *step, uint32_t a, uint32_t b)
{
    const trv_material *of_a = &trvi_shapes(step->world)[a].material;
    const trv_material *of_b = &trvi_shapes(step->world)[b].material;
    return (trvi_pairing){a,
                          b,
                          solver_of(body_of_shape(step, a)),
                          solver_of(body_of_shape(step, b)),
                          TRVI_NONE,
                          sqrtf(of_a->friction * of_b->friction),
                          fmaxf(of_a->restitution, of_b->restitution)};
}

static bool visit_near_stray(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    stray_search *search = context;
    const trvi_step *step = search->step;
    const trvi_body *mine = body_of_shape(step, search->shape);
    if (body_of_shape(step, (uint32_t)user) == mine ||
        share_contact(step->world, mine, search->shape, (uint32_t)user))
        return true;
    trvi_pairing pair = pairing_of_shapes(step, search->shape, (uint32_t)user);
    float time;
    if (next_blow(step, &pair, search->from, &time) && (!search->found || time < search->time)) {
        search->found = true;
        search->time = time;
        search->other = (uint32_t)user;
    }
    return true;
}

static float swing_of(const trvi_step *step, uint32_t solver, const trvi_body *body, float time)
{
    return fminf(trvi_length(step->motions[solver].angular) * time, 2.0f) * body->extent;
}

static void look_for_stray(const trvi_step *step, uint32_t solver, float from)
{
    const trv_world *world = step->world;
    const trvi_body *body = &trvi_bodies(world)[step->bodies[solver].body];
    uint32_t id = stray_meeting(step, solver);
    trvi_meeting *meeting = meeting_of(step, id);
    stray_search search = {step, solver, 0, from, false, step->h, 0};
    trv_pose start = trvi_flight_pose(step, body, solver, from);
    trv_pose end = trvi_flight_pose(step, body, solver, step->h);
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        trv_aabb box =
            trvi_shape_way(shape, start, end, swing_of(step, solver, body, step->h - from));
        float before = search.time;
        bool had = search.found;
        search.shape = s;
        trv_broad_query_aabb(world->broad, box, shape->filter, visit_near_stray, &search);
        if (search.found && (!had || search.time < before)) {
            meeting->shape_a = s;
            meeting->shape_b = search.other;
        }
    }
    if (search.found && meeting->tries++ < MAX_TRIES)
        expect_at(step, id, search.time);
    else
        drop(step, id);
}

static bool is_covered(const trvi_step *step, const trvi_body *body, trv_pose start, trv_pose end,
                       float swing)
{
    const trv_world *world = step->world;
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        trv_aabb tight, fat;
        if (trv_broad_get(world->broad, shape->proxy, &tight, &fat) != TRV_OK ||
            !trvi_aabb_contains(fat, trvi_shape_way(shape, start, end, swing)))
            return false;
    }
    return true;
}

// Room in the broadphase for what is left of the step; a body that leaves its box is a stray. With
// too many of them it waits.
static void follow_stray(const trvi_step *step, trvi_strike *strike, uint32_t solver, float time)
{
    trv_world *world = step->world;
    uint32_t index = step->bodies[solver].body;
    const trvi_body *body = &trvi_bodies(world)[index];
    trvi_flight *flight = trvi_flight_of(step, solver);
    trv_pose start = trvi_flight_pose(step, body, solver, time);
    trv_pose end = trvi_flight_pose(step, body, solver, step->h);
    if (is_covered(step, body, start, end, swing_of(step, solver, body, step->h - time)))
        return;
    if (flight->strayed != world->impact_step) {
        if (strike->stray_count == TRVI_MAX_STRAYS) {
            trvi_flight_wait(step, solver, time);
            return;
        }
        flight->strayed = world->impact_step;
        strike->strays[strike->stray_count++] = solver;
    }
    end.position = trvi_mul_add(start.position, step->motions[solver].linear, step->dt);
    trvi_body_place_between(world, index, start, end, swing_of(step, solver, body, step->dt));
}

// Events -------------------------------------------------------------------------------------------

static uint32_t nearest_point(const trv_manifold *manifold, trv_vec3 to)
{
    uint32_t nearest = 0;
    float least = 0.0f;
    for (uint32_t i = 0; i < manifold->count; i++) {
        trv_vec3 d = trvi_sub(manifold->points[i].point, to);
        if (i > 0 && trvi_dot(d, d) >= least)
            continue;
        least = trvi_dot(d, d);
        nearest = i;
    }
    return nearest;
}

// The contact tells what was felt, as of the solver's own impulses.
static void record(const trvi_step *step, const trvi_strike *strike, uint32_t index,
                   const trv_manifold *manifold, float closing)
{
    trvi_contact *contact = &trvi_contacts(step->world)[index];
    uint32_t lane = meetings(step)[contact->active].lane;
    if (contact->manifold.count == 0) {
        contact->manifold = *manifold;
        memset(contact->impulses, 0, sizeof contact->impulses);
        contact->travelled = -1.0;
    }
    float impulse = 0.0f;
    for (uint32_t i = 0; i < strike->seed_points; i++)
        impulse = fmaxf(impulse, strike->points[i].impulses[0]);
    uint32_t p = nearest_point(&contact->manifold, manifold->points[0].point);
    float *largest = &contact->impulses[p].largest, *approach = &contact->impulses[p].approach;
    if (lane != TRVI_NONE) {
        trvi_block_point *point = &step->blocks[lane / TRVI_LANES].point[p];
        largest = &point->largest[lane % TRVI_LANES];
        approach = &point->approach[lane % TRVI_LANES];
    }
    *approach = *largest > 0.0f ? fminf(*approach, -closing) : -closing;
    *largest = fmaxf(*largest, impulse);
}

static void tell_stray_hit(const trvi_step *step, const trvi_strike *strike,
                           const trvi_pairing *pair, const trv_manifold *manifold, float closing)
{
    trv_world *world = step->world;
    const trvi_shape *a = &trvi_shapes(world)[pair->shape_a];
    const trvi_shape *b = &trvi_shapes(world)[pair->shape_b];
    uint32_t room = world->hits.capacity - world->hits.count;
    if (!(a->flags & b->flags & TRV_SHAPE_HIT_EVENTS) || !(closing > world->hit_threshold) ||
        room <= world->active.count)
        return;
    ((trv_hit_event *)world->hits.items)[world->hits.count++] =
        (trv_hit_event){trvi_shape_id(world, pair->shape_a),
                        trvi_shape_id(world, pair->shape_b),
                        a->user,
                        b->user,
                        manifold->points[0].point,
                        manifold->normal,
                        closing,
                        strike->points[0].impulses[0]};
}

// The sub-step -------------------------------------------------------------------------------------

void trvi_impacts_init(trv_world *world)
{
    world->flights.stride = sizeof(trvi_flight);
    world->meetings.stride = sizeof(trvi_meeting);
    world->meeting_heap.stride = sizeof(uint32_t);
    world->bouncers.stride = sizeof(uint32_t);
    world->held.stride = sizeof(uint32_t);
    world->strike.stride = sizeof(trvi_strike);
}

bool trvi_impacts_reserve(trv_world *world)
{
    const trv_allocator *allocator = &world->allocator;
    uint32_t bodies = world->awake.count + 1, all = world->active.count + bodies;
    if (!trvi_array_reserve(allocator, &world->flights, bodies) ||
        !trvi_array_reserve(allocator, &world->meetings, all) ||
        !trvi_array_reserve(allocator, &world->meeting_heap, all) ||
        !trvi_array_reserve(allocator, &world->bouncers, world->active.count) ||
        !trvi_array_reserve(allocator, &world->held, world->active.count) ||
        !trvi_array_reserve(allocator, &world->hits, world->active.count + bodies) ||
        !trvi_array_reserve(allocator, &world->strike, 1))
        return false;
    memset(world->flights.items, 0, bodies * sizeof(trvi_flight));
    memset(world->meetings.items, 0, all * sizeof(trvi_meeting));
    return true;
}

void trvi_impacts_list(trv_world *world)
{
    const trvi_entry *active = world->active.items;
    uint32_t *bouncers = world->bouncers.items;
    world->bouncers.count = world->held.count = 0;
    world->impact_stamp = world->impact_step = 1;
    ((trvi_strike *)world->strike.items)->stray_count = 0;
    for (uint32_t i = 0; i < world->active.count; i++) {
        trvi_contact *contact = &trvi_contacts(world)[active[i].value];
        contact->active = i;
        if (contact->restitution > 0.0f)
            bouncers[world->bouncers.count++] = i;
    }
}

// Of a contact's manifold at the beginning of the sub-step: the largest speed at which a point closes
// in, and the least gap.
static void measure_contact(const trvi_step *step, const trvi_contact *contact, float *closing,
                            float *gap)
{
    const uint32_t bodies[2] = {contact->body_a, contact->body_b};
    trv_vec3 n = contact->manifold.normal;
    *closing = -TRV_COORD_MAX;
    *gap = TRV_COORD_MAX;
    for (uint32_t i = 0; i < contact->manifold.count; i++) {
        const trv_manifold_point *p = &contact->manifold.points[i];
        trv_vec3 speed[2], shift[2];
        for (int side = 0; side < 2; side++) {
            const trvi_body *body = &trvi_bodies(step->world)[bodies[side]];
            const trvi_motion *motion = &step->motions[solver_of(body)];
            trv_vec3 arm = trvi_sub(p->point, body->center);
            trv_vec3 turned = trvi_rotate(motion->turned, arm);
            speed[side] = trvi_add(motion->linear, trvi_cross(motion->angular, turned));
            shift[side] = trvi_add(motion->moved, trvi_sub(turned, arm));
        }
        *closing = fmaxf(*closing, trvi_dot(trvi_sub(speed[0], speed[1]), n));
        *gap = fminf(*gap, p->separation + trvi_dot(trvi_sub(shift[1], shift[0]), n));
    }
}

static void hold(const trvi_step *step, uint32_t active)
{
    trvi_array *held = &step->world->held;
    uint32_t lane = meetings(step)[active].lane;
    if (lane == TRVI_NONE)
        return;
    const trvi_entry *entries = step->world->active.items;
    const trvi_contact *contact = &trvi_contacts(step->world)[entries[active].value];
    float *to = &step->blocks[lane / TRVI_LANES].held[lane % TRVI_LANES];
    if (*to > 0.0f)
        return;
    float closing, gap;
    measure_contact(step, contact, &closing, &gap);
    if (contact->restitution > 0.0f ? closing <= step->restitution_threshold : gap <= TRVI_TOUCH_M)
        return;
    *to = TRVI_HELD_M;
    ((uint32_t *)held->items)[held->count++] = lane;
}

// What bounces, or is swept and still on its way.
void trvi_impacts_hold(const trvi_step *step)
{
    trv_world *world = step->world;
    const uint32_t *bouncers = world->bouncers.items, *held = world->held.items;
    const trvi_contact *contacts = trvi_contacts(world);
    for (uint32_t i = 0; i < world->held.count; i++)
        step->blocks[held[i] / TRVI_LANES].held[held[i] % TRVI_LANES] = 0.0f;
    world->held.count = 0;
    for (uint32_t i = 0; i < world->bouncers.count; i++)
        hold(step, bouncers[i]);
    for (uint32_t i = 1; i <= world->awake.count; i++) {
        if (!trvi_is_fast(step, i))
            continue;
        uint32_t link = trvi_bodies(world)[step->bodies[i].body].first_contact;
        for (; link != TRVI_NONE; link = contacts[link / 2].next[link % 2])
            if ((contacts[link / 2].flags & TRVI_CONTACT_ACTIVE) &&
                contacts[link / 2].restitution == 0.0f)
                hold(step, contacts[link / 2].active);
    }
}

static void look_for_all(const trvi_step *step)
{
    const trv_world *world = step->world;
    const uint32_t *bouncers = world->bouncers.items;
    for (uint32_t i = 0; i < world->bouncers.count; i++) {
        uint32_t lane = meetings(step)[bouncers[i]].lane;
        if (lane == TRVI_NONE || step->blocks[lane / TRVI_LANES].held[lane % TRVI_LANES] > 0.0f)
            look_for_contact(step, bouncers[i], 0.0f);
    }
    for (uint32_t i = 1; i <= world->awake.count; i++)
        if (trvi_is_fast(step, i))
            look_for_body(step, i, 0.0f, true);
    const trvi_strike *strike = world->strike.items;
    for (uint32_t i = 0; i < strike->stray_count; i++)
        look_for_stray(step, strike->strays[i], 0.0f);
}

static void after_blow(const trvi_step *step, trvi_strike *strike, float time)
{
    for (uint32_t i = 0; i < strike->body_count; i++) {
        uint32_t solver = strike->bodies[i].solver;
        if (!(strike->bodies[i].inverse_mass > 0.0f))
            continue;
        trvi_flight *flight = trvi_flight_of(step, solver);
        flight->shaken = step->world->impact_step;
        if (++flight->blows >= MAX_BLOWS)
            trvi_flight_wait(step, solver, time);
        follow_stray(step, strike, solver, time);
    }
    for (uint32_t i = 0; i < strike->body_count; i++)
        if (strike->bodies[i].inverse_mass > 0.0f)
            look_for_body(step, strike->bodies[i].solver, time, false);
    for (uint32_t i = 0; i < strike->stray_count; i++)
        look_for_stray(step, strike->strays[i], time);
}

static trvi_pairing pairing_of_meeting(const trvi_step *step, uint32_t id)
{
    const trvi_entry *active = step->world->active.items;
    if (id < step->world->active.count)
        return trvi_pairing_of(step->world, active[id].value);
    return pairing_of_shapes(step, meetings(step)[id].shape_a, meetings(step)[id].shape_b);
}

static void meet(const trvi_step *step, uint32_t id)
{
    trvi_strike *strike = step->world->strike.items;
    trvi_pairing pair = pairing_of_meeting(step, id);
    float time = meetings(step)[id].time;
    float margin = margin_of(step, &pair) + step->h * step->h * TRVI_REFINE_ACCELERATION;
    trv_manifold manifold;
    float gap, closing = 0.0f;
    bool blow = collide_at(step, &pair, time, 2.0f * margin, &manifold);
    if (blow) {
        closing = closing_at(step, &pair, &manifold, time, &gap);
        float leave =
            leave_of(step, &pair, &manifold, time, closing, gap, meetings(step)[id].blows);
        blow = (is_blow(step, &pair, closing) || (leave > 0.0f && closing > -leave)) &&
               trvi_strike_solve(step, &pair, &manifold, time, leave, strike);
        meetings(step)[id].blows++;
    }
    if (!blow) { // sliding past: look on from here
        if (id >= step->world->active.count)
            look_for_stray(step, id - step->world->active.count, time);
        else
            look_for(step, id, &pair, time);
        return;
    }
    if (pair.contact != TRVI_NONE)
        record(step, strike, pair.contact, &manifold, closing);
    else
        tell_stray_hit(step, strike, &pair, &manifold, closing);
    after_blow(step, strike, time);
}

static void wait_all(const trvi_step *step)
{
    const uint32_t *heap = step->world->meeting_heap.items;
    for (uint32_t i = 0; i < step->world->meeting_heap.count; i++) {
        trvi_pairing pair = pairing_of_meeting(step, heap[i]);
        const uint32_t solvers[2] = {pair.a, pair.b};
        for (int side = 0; side < 2; side++)
            if (step->motions[solvers[side]].pushable != 0.0f && !waits(step, solvers[side]))
                trvi_flight_wait(step, solvers[side], trvi_flight_of(step, solvers[side])->start);
    }
}

void trvi_impacts_run(const trvi_step *step)
{
    trv_world *world = step->world;
    world->impact_stamp++;
    world->meeting_heap.count = 0;
    look_for_all(step);
    uint64_t left = (uint64_t)(MAX_BLOWS / 2) * (world->awake.count + 1);
    while (world->meeting_heap.count > 0 && left-- > 0) {
        uint32_t id = ((const uint32_t *)world->meeting_heap.items)[0];
        drop(step, id);
        meet(step, id);
    }
    wait_all(step);
    const trvi_flight *flights = world->flights.items;
    for (uint32_t i = 1; i <= world->awake.count; i++)
        if (flights[i].stamp == world->impact_stamp && (flights[i].flags & TRVI_FLIGHT_STRUCK))
            trvi_flight_land(step, i);
    trvi_impacts_hold(
        step); // what a blow has sent on its way is not to be stopped as it is relaxed
}
