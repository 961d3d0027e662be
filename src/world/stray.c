// Strays: bodies that a blow has thrown out of the broadphase boxes that the step was planned in.
//
// Their contacts do not name all that they may meet, so they ask the broadphase, in each sub-step
// and after blows near them; and it is told at once where they are going, for others that ask.
#include "impact_data.h"

typedef struct stray_search {
    const trvi_step *step;
    uint32_t shape; // the stray's
    float from;
    bool found;
    float time;
    uint32_t other;
} stray_search;

// Have two shapes a contact in this step? Active contacts are in the order of their proxies.
static bool share_contact(const trv_world *world, uint32_t a, uint32_t b)
{
    const trvi_entry *active = world->active.items;
    uint32_t proxy_a = trvi_shapes(world)[a].proxy.index1;
    uint32_t proxy_b = trvi_shapes(world)[b].proxy.index1;
    uint64_t lower = proxy_a < proxy_b ? proxy_a : proxy_b;
    uint64_t key = lower << 32 | (proxy_a ^ proxy_b ^ (uint32_t)lower);
    uint32_t first = 0, count = world->active.count;
    while (count > 0) {
        uint32_t half = count / 2;
        bool after = active[first + half].key < key;
        first += after ? half + 1 : 0;
        count = after ? count - half - 1 : half;
    }
    return first < world->active.count && active[first].key == key;
}

trvi_pairing trvi_pairing_of_shapes(const trvi_step *step, uint32_t a, uint32_t b)
{
    const trv_material *of_a = trvi_material_of(step->world, &trvi_shapes(step->world)[a]);
    const trv_material *of_b = trvi_material_of(step->world, &trvi_shapes(step->world)[b]);
    return (trvi_pairing){a,
                          b,
                          trvi_awake_solver(trvi_body_of_shape(step->world, a)),
                          trvi_awake_solver(trvi_body_of_shape(step->world, b)),
                          TRVI_NONE,
                          sqrtf(of_a->friction * of_b->friction),
                          trvi_larger(of_a->restitution, of_b->restitution),
                          true,
                          false,
                          false};
}

// May a stray's shape be struck by another, of which no contact tells?
static bool may_meet(const trv_world *world, uint32_t shape, uint32_t other)
{
    const trvi_body *mine = trvi_body_of_shape(world, shape);
    uint32_t flags = trvi_shapes(world)[shape].flags | trvi_shapes(world)[other].flags;
    return !(flags & TRV_SHAPE_SENSOR) && trvi_body_of_shape(world, other) != mine &&
           !share_contact(world, shape, other);
}

static void ask(stray_search *search, uint32_t shape, uint32_t other)
{
    trvi_pairing pair = trvi_pairing_of_shapes(search->step, shape, other);
    float time, until = search->found ? search->time : search->step->h;
    float room;
    bool touch = false;
    if (trvi_apart_until(search->step, &pair, search->from, &touch, &room) < until &&
        trvi_next_blow(search->step, &pair, search->from, touch, &time) && time < until) {
        search->found = true;
        search->time = time;
        search->shape = shape;
        search->other = other;
    }
}

typedef bool near_fn(void *context, uint32_t shape, uint32_t other);

typedef struct near_visit {
    const trvi_step *step;
    uint32_t solver, shape; // the stray's
    float from;
    trvi_drift mine;
    near_fn *fn; // false: no more
    void *context;
    bool ended;
} near_visit;

// Who is passed by, which is soon told, need not be looked for among those that share a contact.
static bool is_passed(const near_visit *visit, uint32_t shape)
{
    const trvi_step *step = visit->step;
    uint32_t other = trvi_awake_solver(trvi_body_of_shape(step->world, shape));
    if (other == TRVI_UNMOVED)
        return false;
    const trvi_drift drift = trvi_drift_of(step, other, visit->from);
    return trvi_drift_past(step, visit->solver, &visit->mine, other, &drift, visit->from) > 0.0f;
}

static bool visit_near_stray(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    near_visit *visit = context;
    uint32_t other = (uint32_t)user;
    visit->ended = !is_passed(visit, other) && may_meet(visit->step->world, visit->shape, other) &&
                   !visit->fn(visit->context, visit->shape, other);
    return !visit->ended;
}

static float swing_of(const trvi_step *step, uint32_t solver, const trvi_body *body, float time)
{
    return trvi_smaller(trvi_length(step->motions[solver].angular) * time, 2.0f) * body->extent;
}

// A body's flight from a time to the end of the sub-step.
typedef struct stretch {
    const trvi_body *body;
    trv_pose start, end;
    float swing;
} stretch;

static stretch stretch_of(const trvi_step *step, uint32_t solver, float from)
{
    const trvi_body *body = &trvi_bodies(step->world)[step->bodies[solver].body];
    return (stretch){body, trvi_flight_pose(step, body, solver, from),
                     trvi_flight_pose(step, body, solver, step->h),
                     swing_of(step, solver, body, step->h - from)};
}

static trv_aabb way_of(const trvi_shape *shape, const stretch *flown)
{
    return trvi_shape_way(shape, flown->start, flown->end, flown->swing);
}

trv_aabb trvi_stray_way(const trvi_step *step, uint32_t solver, float from)
{
    const trv_world *world = step->world;
    const stretch flown = stretch_of(step, solver, from);
    uint32_t s = flown.body->first_shape;
    trv_aabb way = way_of(&trvi_shapes(world)[s], &flown);
    while ((s = trvi_shapes(world)[s].next) != TRVI_NONE)
        way = trvi_aabb_union(way, way_of(&trvi_shapes(world)[s], &flown));
    return way;
}

static void visit_near(const trvi_step *step, uint32_t solver, float from, near_fn *fn,
                       void *context)
{
    const trv_world *world = step->world;
    const stretch flown = stretch_of(step, solver, from);
    near_visit visit = {step, solver,  0,    from, trvi_drift_of(step, solver, from),
                        fn,   context, false};
    for (uint32_t s = flown.body->first_shape; s != TRVI_NONE && !visit.ended;
         s = trvi_shapes(world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        visit.shape = s;
        trv_broad_query_aabb(world->broad, way_of(shape, &flown), *trvi_filter_of(world, shape),
                             visit_near_stray, &visit);
    }
}

static bool list_near(void *context, uint32_t shape, uint32_t other)
{
    trvi_stray_list *list = context;
    list->full = list->count == TRVI_STRAY_NEAR;
    if (list->full)
        return false;
    list->shapes[list->count][0] = shape;
    list->shapes[list->count++][1] = other;
    return true;
}

void trvi_stray_list_near(const trvi_step *step, float from, trvi_stray_list *list)
{
    trvi_stray *stray = &trvi_strays(step)[list->stray];
    uint32_t solver = stray->solver;
    bool known = trvi_flight_if_known(step, solver) != NULL;
    list->count = 0;
    list->full = false;
    stray->way = trvi_stray_way(step, solver, from);
    visit_near(step, solver, from, list_near, list);
    if (!known)
        trvi_flight_forget(step, solver);
}

static bool ask_near(void *context, uint32_t shape, uint32_t other)
{
    ask(context, shape, other);
    return true;
}

bool trvi_stray_meets(const trvi_step *step, uint32_t solver, float from,
                      const trvi_stray_list *near, trvi_meeting *meeting)
{
    stray_search search = {step, 0, from, false, step->h, 0};
    if (near == NULL || near->full)
        visit_near(step, solver, from, ask_near, &search);
    else
        for (uint32_t i = 0; i < near->count; i++)
            ask(&search, near->shapes[i][0], near->shapes[i][1]);
    if (search.found) {
        meeting->time = search.time;
        meeting->shape_a = search.shape;
        meeting->shape_b = search.other;
    }
    return search.found;
}

// Does the broadphase's box of a shape hold another?
static bool holds(const trv_world *world, const trvi_shape *shape, trv_aabb box)
{
    trv_aabb tight, fat;
    return trv_broad_get(world->broad, shape->proxy, &tight, &fat) == TRV_OK &&
           trvi_aabb_contains(fat, box);
}

bool trvi_is_covered(const trv_world *world, const trvi_body *body, trv_pose start, trv_pose end,
                     float swing)
{
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        if (!holds(world, shape, trvi_shape_way(shape, start, end, swing)))
            return false;
    }
    return true;
}

// Are even the boxes that the body had when the step began, moved on and grown by all that it turns?
static bool is_well_covered(const trvi_step *step, const trvi_body *body, uint32_t solver,
                            float time)
{
    const trv_quat none = {0.0f, 0.0f, 0.0f, 1.0f};
    trv_vec3 start, end = trvi_flight_way(step, solver, step->h);
    trv_quat turned;
    trvi_flight_at(step, solver, time, &start, &turned);
    float swing = trvi_chord_of_turn(turned, none) * body->extent +
                  swing_of(step, solver, body, step->h - time);
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(step->world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(step->world)[s];
        trv_aabb box = {trvi_add(shape->bounds.lower, trvi_min(start, end)),
                        trvi_add(shape->bounds.upper, trvi_max(start, end))};
        if (!holds(step->world, shape, trvi_within_range(box, trvi_sight_of(shape) + swing)))
            return false;
    }
    return true;
}

bool trvi_stray_is_covered(const trvi_step *step, uint32_t solver, float time)
{
    const trvi_body *body = &trvi_bodies(step->world)[step->bodies[solver].body];
    if (is_well_covered(step, body, solver, time))
        return true;
    const stretch flown = stretch_of(step, solver, time);
    return trvi_is_covered(step->world, body, flown.start, flown.end, flown.swing);
}

void trvi_stray_follow(const trvi_step *step, uint32_t solver, float time)
{
    trv_world *world = step->world;
    if (trvi_stray_is_covered(step, solver, time))
        return;
    uint32_t index = step->bodies[solver].body;
    const trvi_body *body = &trvi_bodies(world)[index];
    trvi_flight *flight = trvi_flight_of(step, solver);
    trv_pose start = trvi_flight_pose(step, body, solver, time);
    trv_pose end = trvi_flight_pose(step, body, solver, step->h);
    if (flight->strayed != world->impact_step) { // each gets in once, and there is room for all
        flight->strayed = world->impact_step;
        trvi_strays(step)[world->strays.count++] = (trvi_stray){.solver = solver};
    }
    trvi_guard_tell_stray(step, solver);
    end.position = trvi_mul_add(start.position, step->motions[solver].linear, step->dt);
    trvi_body_place_between(world, index, start, end, swing_of(step, solver, body, step->dt));
}
