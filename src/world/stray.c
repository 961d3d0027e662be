// Strays: bodies that a blow has thrown out of the broadphase boxes that the step was planned in.
//
// Their contacts do not name all that they may meet, so they ask the broadphase, in each sub-step
// and after each blow; and it is told at once where they are going, for others that ask.
#include "impact_data.h"

typedef struct stray_search {
    const trvi_step *step;
    uint32_t solver, shape; // the stray's
    float from;
    bool found;
    float time;
    uint32_t other;
} stray_search;

// Have the body's shape a and another one b a contact in this step?
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
                          fmaxf(of_a->restitution, of_b->restitution)};
}

static bool visit_near_stray(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    stray_search *search = context;
    const trvi_step *step = search->step;
    const trvi_body *mine = trvi_body_of_shape(step->world, search->shape);
    uint32_t flags = trvi_shapes(step->world)[search->shape].flags |
                     trvi_shapes(step->world)[(uint32_t)user].flags;
    if ((flags & TRV_SHAPE_SENSOR) || trvi_body_of_shape(step->world, (uint32_t)user) == mine ||
        share_contact(step->world, mine, search->shape, (uint32_t)user))
        return true;
    trvi_pairing pair = trvi_pairing_of_shapes(step, search->shape, (uint32_t)user);
    float time;
    if (trvi_next_blow(step, &pair, search->from, &time) &&
        (!search->found || time < search->time)) {
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

bool trvi_stray_meets(const trvi_step *step, uint32_t solver, float from, trvi_meeting *meeting)
{
    const trv_world *world = step->world;
    const trvi_body *body = &trvi_bodies(world)[step->bodies[solver].body];
    stray_search search = {step, solver, 0, from, false, step->h, 0};
    trv_pose start = trvi_flight_pose(step, body, solver, from);
    trv_pose end = trvi_flight_pose(step, body, solver, step->h);
    float swing = swing_of(step, solver, body, step->h - from);
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        float before = search.time;
        bool had = search.found;
        search.shape = s;
        trv_broad_query_aabb(world->broad, trvi_shape_way(shape, start, end, swing),
                             *trvi_filter_of(world, shape), visit_near_stray, &search);
        if (search.found && (!had || search.time < before)) {
            meeting->time = search.time;
            meeting->shape_a = s;
            meeting->shape_b = search.other;
        }
    }
    return search.found;
}

bool trvi_is_covered(const trv_world *world, const trvi_body *body, trv_pose start, trv_pose end,
                     float swing)
{
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        trv_aabb tight, fat;
        if (trv_broad_get(world->broad, shape->proxy, &tight, &fat) != TRV_OK ||
            !trvi_aabb_contains(fat, trvi_shape_way(shape, start, end, swing)))
            return false;
    }
    return true;
}

bool trvi_stray_is_covered(const trvi_step *step, uint32_t solver, float time)
{
    const trvi_body *body = &trvi_bodies(step->world)[step->bodies[solver].body];
    trv_pose start = trvi_flight_pose(step, body, solver, time);
    trv_pose end = trvi_flight_pose(step, body, solver, step->h);
    return trvi_is_covered(step->world, body, start, end,
                           swing_of(step, solver, body, step->h - time));
}

void trvi_stray_follow(const trvi_step *step, trvi_strike *strike, uint32_t solver, float time)
{
    trv_world *world = step->world;
    if (trvi_stray_is_covered(step, solver, time))
        return;
    uint32_t index = step->bodies[solver].body;
    const trvi_body *body = &trvi_bodies(world)[index];
    trvi_flight *flight = trvi_flight_of(step, solver);
    trv_pose start = trvi_flight_pose(step, body, solver, time);
    trv_pose end = trvi_flight_pose(step, body, solver, step->h);
    if (flight->strayed != world->impact_step) {
        if (strike->stray_count == TRVI_MAX_STRAYS) {
            trvi_flight_wait(step, solver, time);
            return;
        }
        flight->strayed = world->impact_step;
        strike->strays[strike->stray_count++] = solver;
    }
    world->guard_strays = true;
    end.position = trvi_mul_add(start.position, step->motions[solver].linear, step->dt);
    trvi_body_place_between(world, index, start, end, swing_of(step, solver, body, step->dt));
}
