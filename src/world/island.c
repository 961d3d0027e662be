// Islands: what touches sleeps and wakes together.
//
// Islands are bodies joined by touching contacts, found by union-find over the active contacts. One
// falls asleep when every body in it has been still for the world's sleep time, and is linked into
// a ring, so that waking one body finds all. A body that crosses the apex of a throw is never still
// for so long.
#include "world_data.h"

#include <string.h>

uint32_t trvi_island_root(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i) { // halving the path; it gets shorter, so this ends
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

// Roots are the smallest members, whatever the order of the contacts.
void trvi_island_join(uint32_t *parents, uint32_t a, uint32_t b)
{
    uint32_t root_a = trvi_island_root(parents, a), root_b = trvi_island_root(parents, b);
    if (root_a < root_b)
        parents[root_b] = root_a;
    else
        parents[root_a] = root_b;
}

static bool is_moving_kinematic(const trv_world *world, const trvi_body *body)
{
    return body->kind == TRV_BODY_KINEMATIC && trvi_has_speed(world, body);
}

static void stir(trv_world *world, const trvi_body *body)
{
    if (body->mobile != TRVI_IMMOBILE)
        trvi_own_mobile(world, body)->still_time = 0.0f;
}

static bool is_active(const trv_world *world, const trvi_entry *entry)
{
    return (entry->extra & TRVI_ENTRY_NEAR) &&
           (trvi_is_solved(world, entry) || trvi_contacts(world)[entry->value].manifold.count > 0);
}

// Bodies that ride on something that is being moved stay awake.
static void keep_riders_awake(trv_world *world)
{
    const trvi_entry *active = world->active.items;
    const trvi_sides *sides = trvi_sides_of_active(world);
    const trvi_body *bodies = trvi_bodies(world);
    for (uint32_t i = 0; i < world->active.count; i++) {
        if (!is_active(world, &active[i]))
            continue;
        if (is_moving_kinematic(world, &bodies[sides[i].body_a]))
            stir(world, &bodies[sides[i].body_b]);
        if (is_moving_kinematic(world, &bodies[sides[i].body_b]))
            stir(world, &bodies[sides[i].body_a]);
    }
}

static void hold(trv_world *world, const trvi_body *body)
{
    if (body->mobile != TRVI_IMMOBILE)
        trvi_own_mobile(world, body)->loose_time = 0.0f;
}

// Does any loaded point stick?
static bool holds(const trv_world *world, const trvi_entry *entry)
{
    if (trvi_is_solved(world, entry))
        return (entry->extra & TRVI_ENTRY_HELD) != 0;
    const trvi_contact *contact = &trvi_contacts(world)[entry->value];
    for (uint32_t p = 0; p < contact->manifold.count; p++)
        if (contact->impulses[p].normal > 0.0f && !trvi_slides_at(contact, p))
            return true;
    return false;
}

// Friction holds a body where any loaded point sticks.
static void count_held(trv_world *world)
{
    const trvi_entry *active = world->active.items;
    const trvi_sides *sides = trvi_sides_of_active(world);
    for (uint32_t i = 0; i < world->active.count; i++) {
        if (!(active[i].extra & TRVI_ENTRY_NEAR) || !holds(world, &active[i]))
            continue;
        hold(world, &trvi_bodies(world)[sides[i].body_a]);
        hold(world, &trvi_bodies(world)[sides[i].body_b]);
    }
}

// Has it speed that takes it out of its rest ball in no time? It was struck a moment ago.
static bool dashes(const trvi_body *body, const trvi_mobile *mobile, float sleep_time)
{
    return trvi_fastest_of(body, mobile) * sleep_time > TRVI_DASHES * TRVI_STILL_M;
}

// Whether one of a few has not stayed where it was, or is not going to; its rest time then begins
// anew. What turns within that time, slowing down and quickening evenly, may end up where it was: a
// quarter of the way that it would go at its last speed is how far away it has been. Unless it has
// not gone anywhere for much longer than that: then it trembles.
static bool strays(const trvi_body *body, trvi_mobile *mobile, float sleep_time, uint32_t company)
{
    if (company > TRVI_QUICKENS_COMPANY)
        return false;
    float most = trvi_larger(TRVI_STRAYS * body->extent, TRVI_STRAYS_LEAST_M);
    bool left = trvi_rest_way(body, mobile) > most;
    bool turns = 0.25f * sleep_time * trvi_fastest_of(body, mobile) > most &&
                 mobile->rest_age < TRVI_TREMBLES * sleep_time;
    if (!left && !turns)
        return false;
    if (mobile->rest_age < sleep_time)
        mobile->still_time = 0.0f;
    if (left)
        trvi_lay_rest_ball(body, mobile);
    return true;
}

// A body that slides or floats, held by nothing, goes on, however slowly it has begun to, unless it
// is slower by now than it was on average since its rest ball was laid: that comes to rest. So does
// one of a few, which don't jostle one another, that is by now faster than it was on average: it
// has begun to roll or to tip over. Not so one that is held and has been still for long: it trembles.
static bool is_going(const trvi_body *body, const trvi_mobile *mobile, float sleep_time,
                     uint32_t company)
{
    bool trembles = company > 1 && mobile->loose_time < sleep_time &&
                    mobile->still_time >= TRVI_TREMBLES * sleep_time;
    bool few = company <= TRVI_QUICKENS_COMPANY && !trembles;
    if (few && mobile->rest_age < sleep_time) // how it goes on cannot be told yet
        return true;
    float moved = trvi_rest_way(body, mobile);
    if (!(moved > TRVI_LOOSE * body->extent) ||
        (company > TRVI_CREEPS_COMPANY && trvi_creeps(mobile, moved, sleep_time)))
        return false;
    if (mobile->loose_time >= sleep_time && !trvi_is_slower(body, mobile, moved, TRVI_SLOWS))
        return true;
    float quickens = company > 1 ? TRVI_QUICKENS : TRVI_QUICKENS_ALONE;
    return few && !trvi_is_slower(body, mobile, moved, quickens);
}

// restless[root] is set for islands that hold a body which may not sleep yet. It stands behind the
// parents in their array, and behind it how many bodies each island has.
static void find_restless(trv_world *world, uint32_t *parents, uint32_t *restless)
{
    uint32_t *company = restless + world->solver_bodies.count; // bodies, by root
    const trvi_entry *awake = world->awake.items;
    for (uint32_t i = 0; i < world->awake.count; i++)
        company[trvi_island_root(parents, trvi_bodies(world)[awake[i].value].solver)]++;
    for (uint32_t i = 0; i < world->awake.count; i++) {
        const trvi_body *body = &trvi_bodies(world)[awake[i].value];
        trvi_mobile *mobile = trvi_own_mobile(world, body);
        uint32_t root = trvi_island_root(parents, body->solver);
        if (mobile->still_time < 0.0f) // it creeps
            mobile->still_time = company[root] > TRVI_CREEPS_COMPANY ? -mobile->still_time : 0.0f;
        bool stays = body->kind != TRV_BODY_DYNAMIC || (body->flags & TRVI_BODY_NEVER_SLEEPS) ||
                     strays(body, mobile, world->sleep_time, company[root]) ||
                     mobile->still_time < world->sleep_time ||
                     dashes(body, mobile, world->sleep_time) ||
                     is_going(body, mobile, world->sleep_time, company[root]);
        if (stays)
            restless[root] = 1;
    }
}

void trvi_sleep_islands(trv_world *world)
{
    uint32_t count = world->solver_bodies.count;
    uint32_t *parents = world->parents.items, *restless = parents + count;
    memset(restless, 0, 2 * count * sizeof *restless);
    keep_riders_awake(world);
    count_held(world);
    find_restless(world, parents, restless);
    // Link each sleeping island into a ring behind its root; `restless` of a sleeping root turns
    // into the index of its body + 2.
    trvi_body *bodies = trvi_bodies(world);
    const trvi_entry *awake = world->awake.items;
    bool any = false;
    for (uint32_t i = 0; i < world->awake.count; i++) {
        uint32_t index = awake[i].value;
        trvi_body *body = &bodies[index];
        uint32_t root = trvi_island_root(parents, body->solver);
        if (restless[root] == 1)
            continue;
        any = true;
        trvi_fall_asleep(world, index);
        if (restless[root] == 0) {
            restless[root] = index + 2;
            continue;
        }
        trvi_body *first = &bodies[restless[root] - 2];
        body->ring_next = first->ring_next;
        first->ring_next = index;
    }
    if (any)
        trvi_drop_sleepers(world);
}
