// Which contacts take part in a step, and what each tells of its sides and its load.
//
// Invariant: links stand in the order of the active contacts, however many workers look them up.
#include "impact_data.h"
#include "links_data.h"

enum { CONTACTS_EACH = 256 }; // so many are worth waking another worker

// Is it pushed, or does nothing move it?
static bool has_part(const trvi_body *body)
{
    return body->kind == TRV_BODY_STATIC || (body->flags & TRVI_BODY_AWAKE);
}

// Have two that friction held to one another been set going since, one past the other?
static bool has_parted(const trv_world *world, float gravity, const trvi_body *a,
                       const trvi_body *b)
{
    const trvi_mobile *of_a = trvi_mobile_of(world, a), *of_b = trvi_mobile_of(world, b);
    trv_vec3 past = trvi_sub(of_b->linear_velocity, of_a->linear_velocity);
    float extent = a->kind == TRV_BODY_STATIC   ? b->extent
                   : b->kind == TRV_BODY_STATIC ? a->extent
                                                : trvi_smaller(a->extent, b->extent);
    float least = TRVI_STICKS_SHARE * TRVI_STICKS_SHARE * gravity * extent;
    if (!(trvi_dot(past, past) > least))
        return false;
    float swing_a = trvi_length(of_a->angular_velocity) * a->extent;
    float swing_b = trvi_length(of_b->angular_velocity) * b->extent;
    return trvi_length(past) > swing_a + swing_b + sqrtf(least);
}

// Does one of them turn, and not as a part of the other, as what lies on a turntable does?
static bool turns_past(const trv_world *world, const trvi_body *a, const trvi_body *b)
{
    trv_vec3 of_a = trvi_mobile_of(world, a)->angular_velocity;
    trv_vec3 of_b = trvi_mobile_of(world, b)->angular_velocity;
    trv_vec3 past = trvi_sub(of_b, of_a);
    float most = trvi_larger(trvi_dot(of_a, of_a), trvi_dot(of_b, of_b));
    return trvi_dot(past, past) > TRVI_TURNS_PAST * TRVI_TURNS_PAST * most;
}

static uint8_t says_of(const trv_world *world, float gravity, const trvi_entry *entry,
                       const trvi_body *a, const trvi_body *b)
{
    uint8_t says = 0;
    bool stuck = (entry->extra & TRVI_ENTRY_STUCK) != 0; // to a belt, too, but not in one place
    bool goes = stuck && ((entry->extra & TRVI_ENTRY_RUNS) || has_parted(world, gravity, a, b));
    if (stuck && !goes)
        says |= TRVI_LINK_STICKS | (turns_past(world, a, b) ? TRVI_LINK_TURNS : 0);
    if (entry->extra & TRVI_ENTRY_FOOT)
        says |= TRVI_LINK_ON_FOOT;
    if ((entry->extra & TRVI_ENTRY_SLID) || goes)
        says |= TRVI_LINK_SLIDES;
    if (a->kind == TRV_BODY_STATIC || b->kind == TRV_BODY_STATIC)
        says |= TRVI_LINK_ON_STATIC;
    if (a->kind == TRV_BODY_KINEMATIC || b->kind == TRV_BODY_KINEMATIC)
        says |= TRVI_LINK_ON_HAND;
    return says;
}

// A contact takes part when it has points and nothing in it is asleep. The contact itself need not
// be looked at. Gives whether it does; only then `seen` says something.
static bool see_link(const trv_world *world, float gravity, uint32_t active, trvi_link *seen)
{
    const trvi_entry *entry = &((const trvi_entry *)world->active.items)[active];
    const trvi_sides *sides = &trvi_sides_of_active(world)[active];
    if (world->has_impacts)
        ((trvi_meeting *)world->meetings.items)[active].lane = TRVI_NONE;
    if (trvi_points_of(entry) == 0 || (entry->extra & TRVI_ENTRY_PASSES))
        return false;
    const trvi_body *a = &trvi_bodies(world)[sides->body_a];
    const trvi_body *b = &trvi_bodies(world)[sides->body_b];
    if (!has_part(a) || !has_part(b) ||
        trvi_bears_top(world, trvi_solver_index(a), trvi_solver_index(b)))
        return false;
    seen->contact = entry->value;
    seen->active = active;
    seen->a = trvi_solver_index(a);
    seen->b = trvi_solver_index(b);
    seen->slot = a->kind == TRV_BODY_DYNAMIC ? seen->a : seen->b;
    seen->points = (uint8_t)trvi_points_of(entry);
    seen->says = says_of(world, gravity, entry, a, b);
    if (sides->radius_a > 0.0f || sides->radius_b > 0.0f)
        seen->says |= TRVI_LINK_ON_ROUND;
    return true;
}

typedef struct seeing {
    const trv_world *world;
    float gravity; // m/s^2
    uint32_t shares;
    uint32_t counts[TRVI_SHARES_MAX]; // of those that take part
} seeing;

// Each share's lie side by side where the share begins.
static void see_links(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    seeing *job = context;
    for (uint32_t share = first; share < last; share++) {
        const trvi_share s = trvi_share_of(job->world->active.count, job->shares, share);
        trvi_link *begin = trvi_links_of(job->world) + s.first, *to = begin;
        for (uint32_t i = s.first; i < s.last; i++)
            to += see_link(job->world, job->gravity, i, to);
        job->counts[share] = (uint32_t)(to - begin);
    }
}

void trvi_list_links(trv_world *world)
{
    seeing job;
    job.world = world;
    job.gravity = trvi_length(world->gravity);
    job.shares = trvi_share_count(&world->workers, world->active.count, CONTACTS_EACH);
    trvi_parallel_for(&world->workers, job.shares, 1, see_links, &job);
    world->links.count = trvi_join_shares(world->links.items, sizeof(trvi_link),
                                          world->active.count, job.shares, job.counts);
}
