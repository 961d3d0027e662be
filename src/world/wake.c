// Waking and putting to sleep: the awake list, the rings of sleepers, and the proxies' sets.
//
// The list has room for every body that may move, so that waking never allocates.
#include "world_data.h"

#include <string.h>

static void add_awake(trv_world *world, uint32_t body)
{
    TRVI_ASSERT(world->awake.count < world->awake.capacity);
    trvi_entry *awake = world->awake.items;
    awake[world->awake.count++] = (trvi_entry){body, body, 0};
    world->awake_sorted = false;
}

void trvi_wake(trv_world *world, uint32_t first)
{
    trvi_body *bodies = trvi_bodies(world);
    if (!trvi_body_moves(&bodies[first]) || trvi_is_disabled(&bodies[first]))
        return;
    uint32_t body = first;
    do { // the ring is finite: every body is in one ring only
        uint32_t following = bodies[body].ring_next;
        bodies[body].ring_next = body;
        trvi_mobile *mobile = trvi_own_mobile(world, &bodies[body]);
        mobile->still_time = 0.0f;
        mobile->rest_age = 0.0f;
        if (!(bodies[body].flags & TRVI_BODY_AWAKE)) {
            bodies[body].flags |= TRVI_BODY_AWAKE;
            bodies[body].settings &= (uint16_t)~TRVI_BODY_BORN_ASLEEP;
            add_awake(world, body);
            trvi_body_set_proxies(world, body);
        }
        body = following;
    } while (body != first);
}

void trvi_wake_neighbors(trv_world *world, uint32_t body)
{
    uint32_t link = trvi_bodies(world)[body].first_contact;
    while (link != TRVI_NONE) {
        const trvi_contact *contact = &trvi_contacts(world)[link / 2];
        if ((contact->flags & TRVI_CONTACT_TOUCHING) && !(contact->flags & TRVI_CONTACT_SENSOR))
            trvi_wake(world, link % 2 == 0 ? contact->body_b : contact->body_a);
        link = contact->next[link % 2];
    }
}

void trvi_fall_asleep(trv_world *world, uint32_t index)
{
    trvi_body *body = &trvi_bodies(world)[index];
    trvi_tell_sleep(world, index);
    body->flags &= (uint8_t)~TRVI_BODY_AWAKE;
    body->reach = 0.0f; // that of one that is woken in the middle of a step
    trvi_mobile *mobile = trvi_own_mobile(world, body);
    mobile->linear_velocity = (trv_vec3){0.0f, 0.0f, 0.0f};
    mobile->angular_velocity = (trv_vec3){0.0f, 0.0f, 0.0f};
    trvi_drop_forces(mobile);
    trvi_body_set_proxies(world, index);
}

void trvi_drop_sleepers(trv_world *world)
{
    trvi_entry *awake = world->awake.items;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->awake.count; i++)
        if (trvi_bodies(world)[awake[i].value].flags & TRVI_BODY_AWAKE)
            awake[kept++] = awake[i];
    world->awake.count = kept;
}

void trvi_leave_awake_list(trv_world *world, uint32_t body)
{
    trvi_entry *awake = world->awake.items;
    for (uint32_t i = 0; i < world->awake.count; i++) {
        if (awake[i].value != body)
            continue;
        memmove(&awake[i], &awake[i + 1], (world->awake.count - i - 1) * sizeof *awake);
        world->awake.count--;
        return;
    }
}

void trvi_sleep_alone(trv_world *world, uint32_t body)
{
    if (!(trvi_bodies(world)[body].flags & TRVI_BODY_AWAKE))
        return;
    trvi_fall_asleep(world, body);
    trvi_drop_sleepers(world);
}
