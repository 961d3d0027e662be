// Seams: a body that slides from one tile to the next does not trip over the edge between them.
//
// Each tile knows only itself: to it, what comes along flush with its top is about to run into its
// side. So where a body bears on a surface, a contact with something else of the same floor is no
// obstacle when that rises nowhere above the surface: all its points lie in the surface's plane, and
// behind them nothing stands out of it, as the other wall of an inner corner does. Such a contact is
// left out of the step, unless the body would sink into it by that. Of two contacts that could each
// say so of the other, the deeper one bears the body, and stays.
//
// A floor is whatever cannot be pushed, as far as its pieces don't rise past one another in the
// step: tiles that rest or are moved together, and belts side by side. A body of several shapes is
// one to what bears on it. What can be pushed is one, too, to who comes along fast over it, as over
// crates side by side: only what is met anew is looked at there, so that heaps cost nothing.
//
// Based on: the internal-edge utility of E. Coumans' Bullet (2010), which knows the neighbours of a
// triangle in its mesh; here the neighbours are whatever the body touches.
#include "grounds.h"

// When contacts are looked at: as the step begins, or at a time of a sub-step.
typedef struct moment {
    const trv_world *world;
    const trvi_step *step; // NULL as the step begins
    float time;
} moment;

// What is counted of each body in world->bearings; from ONE on how many of its contacts bear it, or, where it
// is CROWDED, its place in world->crowds.
enum { BEARS = 1, BEARS_TWICE = 2, BEARS_ON_OTHERS = 4, COMES_UPON = 8, CROWDED = 16, ONE = 32 };

// Fewer are asked about one another sooner than they are listed.
enum { MANY_BEARINGS = 24 };

static uint32_t *bearings_of(const trv_world *world)
{
    return world->bearings.items;
}

static bool yields(const trvi_body *body)
{
    return body->kind == TRV_BODY_DYNAMIC;
}

// A manifold's point on the support's surface.
static trv_vec3 on_support(const trvi_contact *contact, const trvi_bearing *seen, uint32_t i)
{
    const trv_manifold_point *p = &contact->manifold.points[i];
    return trvi_mul_add(p->point, seen->normal, -0.5f * p->separation);
}

static float height_over(const trvi_bearing *on, trv_vec3 point)
{
    return trvi_dot(trvi_sub(point, on->level), on->normal);
}

// What was seen as the step began has gone on with its support.
static void follow(const moment *now, trvi_bearing *seen)
{
    const trvi_body *support = &trvi_bodies(now->world)[seen->support];
    uint32_t solver = trvi_awake_solver(support);
    if (now->step == NULL || solver == TRVI_UNMOVED)
        return;
    trv_vec3 moved;
    trv_quat turned;
    trvi_flight_at(now->step, solver, now->time, &moved, &turned);
    trv_vec3 arm = trvi_rotate(turned, trvi_sub(seen->level, support->center));
    seen->level = trvi_add(trvi_add(support->center, moved), arm);
    seen->normal = trvi_rotate(turned, seen->normal);
}

// How fast one piece of a floor rises past another at a point, m/s.
static float rise_of(const trv_world *world, const trvi_bearing *piece, const trvi_bearing *on,
                     trv_vec3 at)
{
    if (piece->support == on->support)
        return 0.0f;
    trv_vec3 past = trvi_velocity_past(world, piece->support, on->support, at);
    return trvi_larger(trvi_dot(past, on->normal), 0.0f);
}

// Do a contact's points lie in the surface that was seen `on` another piece of the floor, from
// `below` it to a little above? Those that are struck, or all that were seen as the step began.
static bool lies_in(const moment *now, const trvi_contact *contact, const trvi_bearing *at,
                    const trvi_bearing *on, float slack)
{
    const trvi_body *bodies = trvi_bodies(now->world);
    float face = trvi_strike_face(&bodies[contact->body_a], &bodies[contact->body_b]);
    float reach = now->step != NULL ? at->deepest + face : TRV_COORD_MAX;
    float below = slack - trvi_smaller(on->deepest, 0.0f);
    for (uint32_t i = 0; i < contact->manifold.count; i++) {
        trv_vec3 point = on_support(contact, at, i);
        float height = height_over(on, point);
        bool near = contact->manifold.points[i].separation <= reach;
        if (height > slack || (near && height < -below) ||
            height + rise_of(now->world, at, on, point) * now->world->resume_dt > slack)
            return false;
    }
    return true;
}

// Does what a contact shows rise past the surface that was seen `on` another piece of the floor, right
// behind the contact's points? It is as steep there as the contact's normal says.
static bool rises(const moment *now, const trvi_contact *contact, const trvi_bearing *at,
                  const trvi_bearing *on, float slack)
{
    const float high = 2.0f * slack, upward = trvi_dot(at->normal, on->normal);
    const trv_vec3 level = trvi_mul_add(at->normal, on->normal, -upward);
    const float steep = trvi_length(level);
    if (steep <= TRVI_SEAM_FACES)
        return false;
    const float behind = high * (1.0f + trvi_larger(upward, 0.0f) / steep);
    const trvi_body *body = &trvi_bodies(now->world)[at->support];
    const trv_pose pose =
        now->step == NULL ? body->frame
                          : trvi_flight_pose(now->step, body, trvi_awake_solver(body), now->time);
    uint32_t shape = at->support_is_a ? contact->shape_a : contact->shape_b;
    for (uint32_t i = 0; i < contact->manifold.count; i++) {
        trv_vec3 point = on_support(contact, at, i);
        float height = height_over(on, point);
        point = trvi_mul_add(point, on->normal, high - height);
        point = trvi_mul_add(point, level, -behind / steep);
        trv_gap gap;
        if (trv_distance_to_point(&trvi_shapes(now->world)[shape].solid, pose, point, &gap) ==
                TRV_OK &&
            gap.distance <= 0.0f)
            return true;
    }
    return false;
}

// How little a contact is like the surface that bears a body: by how high it is, and by how far the
// body's way in the step leads off it or into it. To who rolls over a seam an edge that stands out by
// rounding is as deep as the tile behind it, but not as level.
static float unlike(const trv_world *world, const trvi_bearing *at, uint32_t bearer)
{
    trv_vec3 past = trvi_velocity_past(world, bearer, at->support, at->level);
    return at->deepest + fabsf(trvi_dot(past, at->normal)) * world->resume_dt;
}

// How far over a surface a body comes in the step with its points of a contact at least, if nothing
// holds it. It turns on its way, and what is round turns under its surface.
static float lowest_way(const trv_world *world, const trvi_contact *contact, const trvi_bearing *at,
                        const trvi_bearing *on, uint32_t bearer)
{
    const trvi_body *body = &trvi_bodies(world)[bearer];
    const trvi_body *floor = &trvi_bodies(world)[at->support];
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    uint32_t shape = at->support_is_a ? contact->shape_b : contact->shape_a;
    float radius = trvi_radius_of(&trvi_shapes(world)[shape].solid);
    float dt = world->resume_dt, lowest = TRV_COORD_MAX;
    trv_quat turned = trvi_turn_by(mobile->angular_velocity, dt);
    for (uint32_t i = 0; i < contact->manifold.count; i++) {
        const trv_manifold_point *p = &contact->manifold.points[i];
        trv_vec3 own = trvi_mul_add(p->point, at->normal, 0.5f * p->separation);
        trv_vec3 core = trvi_mul_add(own, at->normal, radius);
        trv_vec3 arm = trvi_rotate(turned, trvi_sub(core, body->center));
        trv_vec3 past = trvi_sub(mobile->linear_velocity, trvi_velocity_at(world, floor, own));
        trv_vec3 then = trvi_mul_add(trvi_add(body->center, arm), past, dt);
        lowest = trvi_smaller(lowest, height_over(on, then) - radius);
    }
    return lowest;
}

// Would the body sink in the step into what the contact shows, farther than where it is held by what
// bears it?
static bool sinks(const trv_world *world, const trvi_contact *ghost, const trvi_bearing *at,
                  const trvi_contact *ground, const trvi_bearing *on, uint32_t bearer)
{
    const trvi_body *body = &trvi_bodies(world)[bearer];
    float slack = TRVI_SEAM_SINKS * body->extent + TRVI_PLACE_DOUBT * trvi_length(body->center);
    float held =
        trvi_smaller(trvi_smaller(on->deepest, lowest_way(world, ground, on, on, bearer)), 0.0f);
    return lowest_way(world, ghost, at, on, bearer) < held - slack;
}

// How near what bears is by then, along its normal: what lands comes to it within the step.
static float deepest_by_now(const moment *now, const trvi_contact *ground, const trvi_bearing *on)
{
    const trvi_body *a = &trvi_bodies(now->world)[ground->body_a];
    const trvi_body *b = &trvi_bodies(now->world)[ground->body_b];
    const trv_pose pose_a = trvi_flight_pose(now->step, a, trvi_awake_solver(a), now->time);
    const trv_pose pose_b = trvi_flight_pose(now->step, b, trvi_awake_solver(b), now->time);
    trv_vec3 normal = on->support_is_a ? on->normal : trvi_negate(on->normal);
    float gap;
    return trvi_glance_along(&trvi_shapes(now->world)[ground->shape_a].solid, &pose_a,
                             &trvi_shapes(now->world)[ground->shape_b].solid, &pose_b,
                             &ground->plane, normal, &gap)
               ? gap
               : on->deepest;
}

// Does the contact `ghost`, which is seen `at`, show no more than the surface that `ground` shows already?
// What is struck on the way was met a little after the ground was, as near as sweeps lead.
static bool is_flush(const moment *now, const trvi_contact *ghost, const trvi_bearing *at,
                     const trvi_contact *ground, uint32_t bearer)
{
    trvi_bearing on = trvi_see(ground, bearer);
    follow(now, &on);
    trv_vec3 turn = trvi_cross(on.normal, at->normal);
    bool faces = ghost->manifold.count > 2 && ground->manifold.count > 2;
    float doubt = faces ? TRVI_SEAM_FACES : TRVI_SEAM_SINE;
    float slack = TRVI_SEAM * trvi_bodies(now->world)[bearer].extent;
    if (trvi_dot(turn, turn) <= doubt * doubt || !lies_in(now, ghost, at, &on, slack))
        return false;
    if (now->step != NULL)
        return deepest_by_now(now, ground, &on) < at->deepest + TRVI_SWEEP_MARGIN_M &&
               !rises(now, ghost, at, &on, slack);
    return (unlike(now->world, &on, bearer) < unlike(now->world, at, bearer) ||
            !lies_in(now, ground, &on, at, slack)) &&
           !sinks(now->world, ghost, at, ground, &on, bearer) && !rises(now, ghost, at, &on, slack);
}

// Is a contact that one of the bearer's shapes comes close to, without touching, as a part does that is
// carried over a seam?
static bool hangs_over(const trvi_contact *contact, const trvi_body *bearer)
{
    return trvi_nearest_of(&contact->manifold) > TRVI_SEAM * bearer->extent;
}

// A contact of a bearer with a floor, that may be a seam. `own`: where it is among the others.
typedef struct asked {
    const moment *now;
    const trvi_contact *contact, *own;
    uint32_t floor, bearer;
    trvi_bearing at;
    bool hangs;
} asked;

// What one shape of the bearer rests on tells nothing of what bears another: a foot stands on the top of a
// step on whose edge the rest lies.
static bool is_ghost_by(const void *context, uint32_t ground)
{
    const asked *q = context;
    const trvi_body *bodies = trvi_bodies(q->now->world);
    const trvi_contact *other = &trvi_contacts(q->now->world)[ground];
    uint32_t support = other->body_b == q->bearer ? other->body_a : other->body_b;
    return other != q->own && trvi_is_ground(other) &&
           (q->hangs || trvi_shape_in(other, q->bearer) == trvi_shape_in(q->contact, q->bearer)) &&
           (support == q->floor || trvi_comes_along(&bodies[q->bearer], &bodies[q->floor]) ||
            (!yields(&bodies[q->floor]) && !yields(&bodies[support]))) &&
           is_flush(q->now, q->contact, &q->at, other, q->bearer);
}

// Among all contacts of the bearer, one after the other.
static bool is_ghost_by_any(const asked *q)
{
    uint32_t link = trvi_bodies(q->now->world)[q->bearer].first_contact;
    for (; link != TRVI_NONE; link = trvi_contacts(q->now->world)[link / 2].next[link % 2])
        if (is_ghost_by(q, link / 2))
            return true;
    return false;
}

// Among those that are listed: is_flush asks for what is wanted here.
static bool is_ghost_by_listed(const asked *q, const trvi_crowd *crowd)
{
    const trvi_body *bearer = &trvi_bodies(q->now->world)[q->bearer];
    trvi_wanted wanted = {.normal = q->at.normal,
                          .count = q->contact->manifold.count,
                          .slack = TRVI_SEAM * bearer->extent,
                          .shape = q->hangs ? TRVI_NONE : trvi_shape_in(q->contact, q->bearer)};
    for (uint32_t i = 0; i < wanted.count; i++)
        wanted.points[i] = trvi_sub(on_support(q->contact, &q->at, i), bearer->center);
    return trvi_any_ground(q->now->world, crowd, &wanted, is_ghost_by, q);
}

static const trvi_crowd *crowd_of(const moment *now, uint32_t bearer)
{
    uint32_t counted = now->step == NULL ? bearings_of(now->world)[bearer] : 0;
    return counted & CROWDED ? (trvi_crowd *)now->world->crowds.items + counted / ONE : NULL;
}

static bool is_ghost_on(const moment *now, const trvi_contact *contact, const trvi_contact *own,
                        uint32_t floor, uint32_t bearer)
{
    const asked q = {now,
                     contact,
                     own,
                     floor,
                     bearer,
                     trvi_see(contact, bearer),
                     now->step == NULL && hangs_over(contact, &trvi_bodies(now->world)[bearer])};
    const trvi_crowd *crowd = crowd_of(now, bearer);
    return crowd != NULL ? is_ghost_by_listed(&q, crowd) : is_ghost_by_any(&q);
}

static bool may_bear(const trv_world *world, uint32_t floor, uint32_t bearer)
{
    const trvi_body *bodies = trvi_bodies(world);
    return trvi_comes_along(&bodies[bearer], &bodies[floor]) ||
           trvi_is_floor(world, &bodies[floor], &bodies[bearer]);
}

static bool is_ghost(const moment *now, const trvi_contact *contact, const trvi_contact *own)
{
    uint32_t a = contact->body_a, b = contact->body_b;
    return contact->manifold.count > 0 &&
           ((may_bear(now->world, a, b) && is_ghost_on(now, contact, own, a, b)) ||
            (may_bear(now->world, b, a) && is_ghost_on(now, contact, own, b, a)));
}

bool trvi_is_seam(const trvi_step *step, float time, uint32_t contact, const trv_manifold *manifold)
{
    const moment now = {step->world, step, time};
    const trvi_contact *own = &trvi_contacts(step->world)[contact];
    trvi_contact met = *own;
    met.manifold = *manifold;
    return is_ghost(&now, &met, own);
}

bool trvi_seams_reserve(trv_world *world)
{
    return trvi_array_reserve(&world->allocator, &world->bearings, world->bodies.items.capacity);
}

// What is moved by hand trips over nothing, and is told of all that it touches.
static bool is_on_floor(const trvi_entry *entry)
{
    const uint32_t on_floor = TRVI_ENTRY_NEAR | TRVI_ENTRY_FLOOR;
    return (entry->extra & (on_floor | TRVI_ENTRY_PASSES)) == on_floor;
}

enum {
    TOUCHES = TRVI_ENTRY_LOADED | TRVI_ENTRY_CLOSE,
    SLIDES = TRVI_ENTRY_NEAR | TRVI_ENTRY_SLIDES
};

uint32_t trvi_slides(const trv_world *world, const trvi_contact *contact, uint32_t marks)
{
    const trv_manifold *m = &contact->manifold;
    if (marks & TOUCHES)
        return TRVI_ENTRY_SLIDES;
    trv_vec3 past = trvi_velocity_past(world, contact->body_a, contact->body_b, m->points[0].point);
    float closing = 2.0f * trvi_dot(past, m->normal) * world->resume_dt;
    for (uint32_t i = 0; i < m->count; i++)
        if (closing > trvi_larger(m->points[i].separation, 0.0f))
            return TRVI_ENTRY_SLIDES;
    return 0;
}

// Does it show something that bears who comes along, and can be pushed?
static bool carries(const trvi_entry *entry)
{
    return (entry->extra & (SLIDES | TRVI_ENTRY_FLOOR)) == SLIDES && (entry->extra & TOUCHES);
}

typedef void count_fn(uint32_t *count, uint32_t on);

static void count_one(uint32_t *count, uint32_t on)
{
    *count |= on == BEARS && (*count & BEARS) ? BEARS_TWICE : on;
    *count += ONE;
}

static void count_none(uint32_t *count, uint32_t on)
{
    (void)on;
    *count = 0;
}

// For each body, whether it bears on one piece of a floor, or more, and on what can be pushed.
static void for_bearers(trv_world *world, count_fn *count)
{
    const trvi_entry *active = world->active.items;
    const trvi_sides *sides = trvi_sides_of_active(world);
    uint32_t *bearings = bearings_of(world);
    for (uint32_t i = 0; i < world->active.count; i++) {
        uint32_t on = is_on_floor(&active[i]) ? BEARS : carries(&active[i]) ? BEARS_ON_OTHERS : 0;
        if (on == 0)
            continue;
        count(&bearings[sides[i].body_a], on);
        count(&bearings[sides[i].body_b], on);
    }
}

static bool is_crowd(const trv_world *world, uint32_t body)
{
    return bearings_of(world)[body] / ONE >= MANY_BEARINGS && yields(&trvi_bodies(world)[body]);
}

// Lists what bears those that much bears. Where there is no memory for it, it takes only longer.
static void list_crowds(trv_world *world)
{
    const trvi_entry *awake = world->awake.items;
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->awake.count; i++)
        count += is_crowd(world, awake[i].value);
    world->crowds.count = 0;
    if (count == 0 || !trvi_array_reserve(&world->allocator, &world->crowds, count))
        return;
    trvi_crowd *crowds = world->crowds.items;
    for (uint32_t i = 0; i < world->awake.count; i++)
        if (is_crowd(world, awake[i].value))
            crowds[world->crowds.count++].body = awake[i].value;
    if (!trvi_grounds_list(world))
        return;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *counted = &bearings_of(world)[crowds[i].body];
        *counted = *counted % CROWDED + CROWDED + i * ONE;
    }
}

// It takes two for one of them to be a seam.
static bool bears_twice(const trv_world *world, uint32_t active)
{
    const trvi_sides *sides = &trvi_sides_of_active(world)[active];
    const trvi_body *bodies = trvi_bodies(world);
    const uint32_t *bearings = bearings_of(world);
    return (yields(&bodies[sides->body_a]) && (bearings[sides->body_a] & BEARS_TWICE)) ||
           (yields(&bodies[sides->body_b]) && (bearings[sides->body_b] & BEARS_TWICE));
}

// Does one body come along on something else, towards a surface of the other that may be flat, and
// can one of these two be pushed?
static bool comes_along_to(const trv_world *world, uint32_t body, uint32_t other, float radius,
                           bool on_floor)
{
    const trvi_body *bodies = trvi_bodies(world);
    const uint32_t on = bearings_of(world)[body] % CROWDED;
    return (on_floor ? on & BEARS_ON_OTHERS : on) != 0 && radius == 0.0f &&
           trvi_comes_along(&bodies[body], &bodies[other]);
}

// Does a body come along from or to one that can be pushed, and not yet bear on the contact's other
// one?
static bool slides_on(const trv_world *world, uint32_t active)
{
    const trvi_entry *entry = &((const trvi_entry *)world->active.items)[active];
    const trvi_sides *sides = &trvi_sides_of_active(world)[active];
    bool on_floor = (entry->extra & TRVI_ENTRY_FLOOR) != 0;
    return (entry->extra & (SLIDES | TRVI_ENTRY_LOADED)) == SLIDES &&
           (comes_along_to(world, sides->body_a, sides->body_b, sides->radius_b, on_floor) ||
            comes_along_to(world, sides->body_b, sides->body_a, sides->radius_a, on_floor));
}

// What each worker has marked.
typedef struct ghost_job {
    trv_world *world;
    uint32_t marks[TRVI_WORKERS_MAX];
} ghost_job;

static void find_ghosts(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    ghost_job *job = context;
    const moment now = {job->world, NULL, 0.0f};
    trvi_entry *active = now.world->active.items;
    uint32_t marks = 0;
    for (uint32_t i = first; i < last; i++) {
        const trvi_contact *contact = &trvi_contacts(now.world)[active[i].value];
        bool on_floor = is_on_floor(&active[i]) && bears_twice(now.world, i);
        bool ghost = (on_floor || slides_on(now.world, i)) && is_ghost(&now, contact, contact);
        if (ghost)
            active[i].extra |= TRVI_ENTRY_GHOST;
        if ((on_floor || ghost) && trvi_comes_upon(now.world, contact, ghost))
            active[i].extra |= TRVI_ENTRY_AHEAD;
        marks |= active[i].extra & (TRVI_ENTRY_GHOST | TRVI_ENTRY_AHEAD);
    }
    job->marks[worker] |= marks;
}

// From the entry to the contact, and to who comes upon it.
static void mark_ahead(trv_world *world, const trvi_entry *entry)
{
    trvi_contact *contact = &trvi_contacts(world)[entry->value];
    contact->flags |= TRVI_CONTACT_AHEAD;
    if (entry->extra & TRVI_ENTRY_GHOST)
        contact->flags |= TRVI_CONTACT_SEAM;
    bearings_of(world)[trvi_who_comes_upon(world, contact)] = COMES_UPON;
}

// What is shown now has been made anew.
static void unmark_ahead(trv_world *world, trvi_entry *entry)
{
    trvi_contact *contact = &trvi_contacts(world)[entry->value];
    contact->flags %= TRVI_CONTACT_AHEAD;
    bearings_of(world)[trvi_who_comes_upon(world, contact)] = 0;
    if (contact->travelled >= 0.0)
        return;
    entry->extra &= ~(uint32_t)TRVI_ENTRY_GHOST;
    entry->extra = entry->extra % TRVI_ENTRY_POINTS + contact->manifold.count * TRVI_ENTRY_POINTS;
}

static void look_ahead(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    trv_world *world = context;
    const trvi_entry *awake = world->awake.items;
    const uint32_t *bearings = bearings_of(world);
    for (uint32_t i = first; i < last; i++)
        if (bearings[awake[i].value] == COMES_UPON)
            trvi_look_ahead(world, awake[i].value);
}

// Who comes upon something sees it as it will be met.
static void look_ahead_all(trv_world *world)
{
    trvi_entry *active = world->active.items;
    for (uint32_t i = 0; i < world->active.count; i++)
        if (active[i].extra & TRVI_ENTRY_AHEAD)
            mark_ahead(world, &active[i]);
    trvi_parallel_for(&world->workers, world->awake.count, 64, look_ahead, world);
    for (uint32_t i = 0; i < world->active.count; i++)
        if (active[i].extra & TRVI_ENTRY_AHEAD)
            unmark_ahead(world, &active[i]);
}

static void leave_out(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    trv_world *world = context;
    trvi_entry *active = world->active.items;
    for (uint32_t i = first; i < last; i++)
        if (active[i].extra & TRVI_ENTRY_GHOST) {
            trvi_contacts(world)[active[i].value].manifold.count = 0;
            active[i].extra %= TRVI_ENTRY_POINTS;
        }
}

// All are found before any is left out, or shown otherwise: that hangs on one another's points.
void trvi_leave_out_seams(trv_world *world)
{
    ghost_job job;
    memset(&job, 0, sizeof job);
    job.world = world;
    for_bearers(world, count_one);
    list_crowds(world);
    trvi_parallel_for(&world->workers, world->active.count, 256, find_ghosts, &job);
    for_bearers(world, count_none);
    uint32_t marks = 0;
    for (uint32_t w = 0; w < TRVI_WORKERS_MAX; w++)
        marks |= job.marks[w];
    if (marks & TRVI_ENTRY_AHEAD)
        look_ahead_all(world);
    if (marks & TRVI_ENTRY_GHOST)
        trvi_parallel_for(&world->workers, world->active.count, 1024, leave_out, world);
}
