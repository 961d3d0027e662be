// Keeps the contacts that a step goes through close together in memory, in the order that it goes
// through them.
//
// A pair that begins gets any place that is free, so that neighbours in the list of pairs come to
// lie farther and farther apart, and each of the many looks at a contact waits for memory. When too
// many do, all contacts are moved at once, and whatever refers to them follows: pairs, and the lists
// of bodies. That hangs on the present pairs and places alone, which are part of the state; nothing
// that a step finds out hangs on places.
//
// Invariant: contact `i` is that of the pair with slot `i`, before and after.
#include "world_data.h"

// Fewer contacts than LEAST stay in a processor's own cache wherever they are. To move one costs as
// much as some ten steps lose by a contact that is not where it is expected; a pair that begins makes
// two of them: itself and the next one.
enum { LEAST = 1024, SHARE = 4 };

static uint32_t moved_link(const uint32_t *to, uint32_t link)
{
    return link == TRVI_NONE ? TRVI_NONE : to[link / 2] * 2 + link % 2;
}

static void move_links(trv_world *world, const uint32_t *to)
{
    trvi_contact *contacts = trvi_contacts(world);
    trvi_body *bodies = trvi_bodies(world);
    for (uint32_t i = 0; i < world->contacts.count; i++)
        for (int side = 0; side < 2 && (contacts[i].flags & TRVI_CONTACT_LIVE); side++) {
            contacts[i].next[side] = moved_link(to, contacts[i].next[side]);
            contacts[i].previous[side] = moved_link(to, contacts[i].previous[side]);
        }
    for (uint32_t i = 0; i < world->bodies.items.count; i++)
        if (bodies[i].flags & TRVI_BODY_LIVE)
            bodies[i].first_contact = moved_link(to, bodies[i].first_contact);
}

// Each contact goes to its place, and the one that is there on to its own: every move brings one
// home.
static void bring_home(trvi_contact *contacts, uint32_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        while (to[i] != i) {
            uint32_t place = to[i], beyond = to[place];
            trvi_prefetch_bytes(&contacts[beyond], sizeof *contacts);
            trvi_contact homeless = contacts[place];
            contacts[place] = contacts[i];
            contacts[i] = homeless;
            to[i] = beyond;
            to[place] = place;
        }
    }
}

void trvi_move_contacts(trv_world *world, uint32_t *to, uint32_t used)
{
    trvi_broad_move_slots(world->broad, to, used);
    move_links(world, to);
    bring_home(trvi_contacts(world), to, world->contacts.count);
    world->contacts.count = used;
}

bool trvi_are_contacts_scattered(const trv_world *world)
{
    uint32_t scattered, told = trvi_broad_told(world->broad, &scattered);
    uint32_t count = trvi_broad_slots(world->broad);
    if (told < LEAST || scattered < told / SHARE)
        return false;
    // Else memory ran out in the step before: not all pairs have their places.
    return count <= world->places.capacity && count == world->contacts.count;
}

void trvi_sort_contacts(trv_world *world)
{
    uint32_t *to = world->places.items;
    trvi_move_contacts(world, to, trvi_broad_order_slots(world->broad, to));
}
