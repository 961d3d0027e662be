// Which contacts with restitution may bounce in a sub-step.
//
// Most of what can bounce lies still. How fast any point of a body goes is bounded by what the body
// does; where the bounds of both sides together stay below the speed from which surfaces bounce,
// nothing has to be looked at in the contact itself. A heap that rests costs next to nothing by
// that, whatever it is made of.
//
// Invariant: what is left out closes in no faster than the threshold up to the sub-step's end,
// unless a blow strikes one of the two: all contacts of what is struck are looked at anyhow.
#include "impact_data.h"

void trvi_bounces_init(trv_world *world)
{
    world->bouncers.stride = sizeof(trvi_bouncer);
    world->hastes.stride = sizeof(float);
    world->quick.stride = sizeof(uint32_t);
}

bool trvi_bounces_reserve(trv_world *world)
{
    const trv_allocator *allocator = &world->allocator;
    return trvi_array_reserve(allocator, &world->bouncers, world->active.count) &&
           trvi_array_reserve(allocator, &world->quick, world->active.count) &&
           trvi_array_reserve(allocator, &world->hastes, world->awake.count + 1);
}

// What pulls at a body, m/s^2.
static float pull_at(const trv_world *world, const trvi_body *body)
{
    return body->kind == TRV_BODY_DYNAMIC
               ? trvi_length(trvi_acceleration_of(world, trvi_mobile_of(world, body)))
               : 0.0f;
}

float trvi_bounce_threshold(const trv_world *world, uint32_t body_a, uint32_t body_b)
{
    const trvi_body *bodies = trvi_bodies(world);
    float extent = trvi_smaller(bodies[body_a].extent, bodies[body_b].extent);
    float share = extent < TRVI_BOUNCE_EXTENT_M ? sqrtf(extent / TRVI_BOUNCE_EXTENT_M) : 1.0f;
    // What weight, or a force, gives to what rests in a sub-step must never be thrown back.
    float pull = trvi_larger(pull_at(world, &bodies[body_a]), pull_at(world, &bodies[body_b]));
    float least = TRVI_BOUNCE_RESTS * pull * world->bounce_time;
    return trvi_larger(share * world->restitution_threshold, least);
}

float trvi_pairing_threshold(const trv_world *world, const trvi_pairing *pair)
{
    const trvi_shape *shapes = trvi_shapes(world);
    float threshold =
        trvi_bounce_threshold(world, shapes[pair->shape_a].body, shapes[pair->shape_b].body);
    return pair->held || pair->unseen ? TRVI_BOUNCE_AWAITED * threshold : threshold;
}

void trvi_bounces_list(trv_world *world)
{
    const trvi_entry *active = world->active.items;
    trvi_bouncer *bouncers = world->bouncers.items;
    world->bouncers.count = world->quick.count = 0;
    for (uint32_t i = 0; i < world->active.count; i++) {
        if (!(active[i].extra & TRVI_ENTRY_BOUNCES))
            continue;
        uint32_t solvers[2];
        trvi_solvers_of_active(world, i, solvers);
        const trvi_sides *sides = &trvi_sides_of_active(world)[i];
        float threshold = trvi_bounce_threshold(world, sides->body_a, sides->body_b);
        bouncers[world->bouncers.count++] = (trvi_bouncer){i, solvers[0], solvers[1], threshold};
    }
}

// By turning, no point of the body goes faster up to the sub-step's end, m/s. Of points within the margin
// at which contacts are seen; a body that turns freely may spin faster by its own spin's square at
// most, as no moment of inertia is larger than the sum of the others.
static float haste_of(const trvi_step *step, uint32_t solver)
{
    const trvi_body *body = &trvi_bodies(step->world)[step->bodies[solver].body];
    float spin = trvi_length(step->motions[solver].angular);
    return spin * (1.0f + spin * step->h) * (body->extent + TRVI_SPECULATIVE_M);
}

// Bodies that fall side by side are not fast to one another.
static bool is_quick(const trvi_step *step, const trvi_bouncer *bouncer)
{
    const float *hastes = step->world->hastes.items;
    const trvi_motion *a = &step->motions[bouncer->a], *b = &step->motions[bouncer->b];
    const trvi_solver_body *body_a = &step->bodies[bouncer->a], *body_b = &step->bodies[bouncer->b];
    float gain = trvi_length(trvi_sub(body_b->acceleration, body_a->acceleration)) * step->h;
    float haste = hastes[bouncer->a] + hastes[bouncer->b];
    return !(trvi_length(trvi_sub(b->linear, a->linear)) + gain + haste <= bouncer->threshold);
}

void trvi_bounces_find(const trvi_step *step)
{
    trv_world *world = step->world;
    const trvi_bouncer *bouncers = world->bouncers.items;
    float *hastes = world->hastes.items;
    uint32_t *quick = world->quick.items;
    world->quick.count = 0;
    if (world->bouncers.count == 0)
        return;
    hastes[TRVI_UNMOVED] = 0.0f;
    for (uint32_t i = 1; i <= world->awake.count; i++)
        hastes[i] = haste_of(step, i);
    for (uint32_t i = 0; i < world->bouncers.count; i++)
        if (is_quick(step, &bouncers[i]))
            quick[world->quick.count++] = bouncers[i].active;
}
