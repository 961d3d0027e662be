// How much is left to the solver of bodies that are struck again and again.
//
// Thin bodies that tumble in a heap are all swept, and there is no end of blows among them: each sends
// its body against the next one. So who has been struck often in a sub-step may get a little into others
// that move, as what is not swept may: the solver has contacts of those, and parts them. Who has not been
// struck may get in by what is little beside its length. All other first blows are as hard as ever, and so
// are those against what does not yield, and those that bounce. Blows of balls cost less, so that these are
// left to it later, and by how often they have been struck alone.
//
// Invariant: what is let be is no deeper than its leeway a whole sub-step later, however little is left
// of this one; so nobody fast is let be.
#include "impact_data.h"

float trvi_leeway_of(const trvi_step *step, const trvi_pairing *pair)
{
    if (pair->contact == TRVI_NONE || pair->unseen || step->motions[pair->a].pushable == 0.0f ||
        step->motions[pair->b].pushable == 0.0f)
        return 0.0f;
    const trvi_flight *a = trvi_flight_of(step, pair->a), *b = trvi_flight_of(step, pair->b);
    uint32_t blows = a->blows > b->blows ? a->blows : b->blows;
    float share = trvi_smaller((float)blows / TRVI_LEEWAY_BLOWS, 1.0f);
    float most = TRVI_SWEEP_SHARE * trvi_thinner_of(step, pair);
    if (trvi_has_ball(step->world, pair->contact))
        return share * share * most;
    float small = trvi_smaller(step->bodies[pair->a].extent, step->bodies[pair->b].extent);
    return trvi_larger(share * most, trvi_smaller(TRVI_LEEWAY_EXTENT * small, most));
}

// Both as they go on from a time for a whole sub-step.
typedef struct courses {
    const trv_shape *a, *b;
    const trv_plane_cache *plane;
    trv_motion on_a, on_b;
    float leeway; // less what their turning may add between both ends, m
    float bulge;  // that, m
} courses;

static trv_motion onward(const trvi_step *step, const trvi_body *body, uint32_t solver, float from)
{
    trv_motion motion = trvi_flight_motion(step, body, solver, from);
    const trvi_flight *flight = trvi_flight_of(step, solver);
    if (flight->flags & TRVI_FLIGHT_WAITS)
        return motion;
    motion.travel = trvi_mul_add(flight->speed, flight->acceleration, from - flight->start);
    motion.travel = trvi_scale(motion.travel, step->h);
    motion.turn = trvi_scale(flight->rate, step->h);
    return motion;
}

// No point's way along a direction leaves its chord by more, as it turns evenly, m.
static float bulge_of(const trv_motion *motion, const trvi_body *body)
{
    return 0.125f * trvi_dot(motion->turn, motion->turn) * body->extent;
}

// False where nothing is left to the solver.
static bool set_courses(const trvi_step *step, const trvi_pairing *pair, float from, courses *c)
{
    c->leeway = pair->restitution > 0.0f ? 0.0f : trvi_leeway_of(step, pair);
    if (c->leeway == 0.0f)
        return false;
    const trvi_body *body_a = trvi_body_of_shape(step->world, pair->shape_a);
    const trvi_body *body_b = trvi_body_of_shape(step->world, pair->shape_b);
    c->a = &trvi_shapes(step->world)[pair->shape_a].solid;
    c->b = &trvi_shapes(step->world)[pair->shape_b].solid;
    c->plane = &trvi_contacts(step->world)[pair->contact].plane;
    c->on_a = onward(step, body_a, pair->a, from);
    c->on_b = onward(step, body_b, pair->b, from);
    c->bulge = bulge_of(&c->on_a, body_a) + bulge_of(&c->on_b, body_b);
    c->leeway -= c->bulge;
    return c->leeway > 0.0f;
}

// How much deeper they may be there, m: no more than nothing where that cannot be said.
static float room_at(const courses *c, float fraction, trv_vec3 normal)
{
    trv_pose a = trv_motion_at(&c->on_a, fraction), b = trv_motion_at(&c->on_b, fraction);
    float gap;
    return trvi_glance_along(c->a, &a, c->b, &b, c->plane, normal, &gap) ? gap + c->leeway : 0.0f;
}

// At both ends.
static float room_along(const courses *c, trv_vec3 normal)
{
    float room = room_at(c, 0.0f, normal);
    return room > 0.0f ? trvi_smaller(room, room_at(c, 1.0f, normal)) : 0.0f;
}

bool trvi_stays_shallow_along(const trvi_step *step, const trvi_pairing *pair, float from,
                              trv_vec3 normal, float *depth)
{
    courses c;
    *depth = 0.0f;
    if (!set_courses(step, pair, from, &c))
        return false;
    *depth = trvi_larger(c.leeway - 4.0f * c.bulge, 0.0f); // the direction turns, too
    return room_along(&c, normal) > 0.0f;
}

float trvi_shallow_room(const trvi_step *step, const trvi_pairing *pair, float from)
{
    courses c;
    trv_vec3 normal;
    float gap, room = 0.0f;
    if (!set_courses(step, pair, from, &c))
        return 0.0f;
    const trvi_contact *contact = &trvi_contacts(step->world)[pair->contact];
    if (trvi_glance(c.a, &c.on_a.pose, c.b, &c.on_b.pose, c.plane, &normal, &gap) &&
        gap > -c.leeway)
        room = trvi_smaller(gap + c.leeway, room_at(&c, 1.0f, normal));
    if (!(room > 0.0f) && contact->manifold.count > 0)
        room = room_along(&c, contact->manifold.normal);
    return room;
}
