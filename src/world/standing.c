// Who stands: what friction holds to others, and these in turn, down to a foot that holds them all.
//
// Such groups are found among the bodies of an island by the contacts that stuck in the step before. What stands
// is damped where it sways, beside what it stands on.
#include "links_data.h"

typedef struct groups {
    uint32_t *parents, *known, *rides; // columns
} groups;

static groups groups_of(const trv_world *world)
{
    return (groups){trvi_column_of(world, TRVI_COLUMN_GROUPS),
                    trvi_column_of(world, TRVI_COLUMN_GROUPS_KNOWN),
                    trvi_column_of(world, TRVI_COLUMN_RIDES)};
}

void trvi_groups_begin(trv_world *world)
{
    const groups all = groups_of(world);
    for (uint32_t i = 0; i < world->solver_bodies.count; i++) {
        all.parents[i] = i;
        all.known[i] = 0;
        all.rides[i] = TRVI_NONE;
    }
}

void trvi_groups_join(trv_world *world, const trvi_link *link)
{
    if (link->says & TRVI_LINK_STICKS)
        trvi_island_join(groups_of(world).parents, link->a, link->b);
}

// Marks its bodies; gives what it adds to what is known.
static uint32_t bearing_of(trvi_solver_body *bodies, const trvi_link *of)
{
    bool slips = (of->says & (TRVI_LINK_STICKS | TRVI_LINK_SLIDES)) == TRVI_LINK_SLIDES;
    uint16_t bearing = slips ? TRVI_BEARING_SLIPS : 0;
    if ((of->says & TRVI_LINK_TURNS) && !(of->says & TRVI_LINK_ON_ROUND))
        bearing |= TRVI_BEARING_TURNS;
    if (!(of->says & TRVI_LINK_ON_HAND)) {
        bearing |= (of->says & TRVI_LINK_STICKS) && of->points > 1 ? TRVI_BEARING_STICKS : 0;
        bearing |= slips ? TRVI_BEARING_SLIDES : 0;
    }
    bodies[of->a].bearing |= bearing;
    bodies[of->b].bearing |= bearing;
    if (!(of->says & TRVI_LINK_STICKS) || !(of->says & TRVI_LINK_UNYIELDING) ||
        (of->says & TRVI_LINK_ON_ROUND))
        return 0;
    return of->says & TRVI_LINK_ON_FOOT ? TRVI_KNOWN_HELD : of->points > 1 ? TRVI_KNOWN_EDGE : 0;
}

// What rests on a face does not turn there, nor does what two edges hold, as those of cards. On a single
// edge a column topples, and a see-saw tilts; on something round all rolls.
static void add_bearing(uint32_t *known, uint32_t bearing)
{
    *known |= bearing == TRVI_KNOWN_EDGE && (*known & TRVI_KNOWN_EDGE) ? TRVI_KNOWN_HELD : bearing;
}

// What a contact with something that does not yield adds to a group, of which `foot` tells. It rides on that alone
// which it sticks to, and all of it on the same; what does not move is like what is at rest.
static void add_foot(const trv_world *world, const groups *all, const trvi_link *of, uint32_t foot)
{
    uint32_t root = trvi_island_root(all->parents, of->slot), on = TRVI_UNMOVED;
    if (of->says & TRVI_LINK_ON_HAND) {
        const trvi_solver_body *solvers = world->solver_bodies.items;
        uint32_t hand = of->slot == of->a ? of->b : of->a;
        const trvi_body *body = &trvi_bodies(world)[solvers[hand].body];
        trv_vec3 spin = trvi_mobile_of(world, body)->angular_velocity;
        if (!(of->says & TRVI_LINK_STICKS) || trvi_dot(spin, spin) > 0.0f)
            all->known[root] |= TRVI_KNOWN_BY_HAND;
        on = trvi_has_speed(world, body) ? hand : TRVI_UNMOVED;
    }
    if (foot == 0)
        return;
    if (all->rides[root] != TRVI_NONE && all->rides[root] != on)
        all->known[root] |= TRVI_KNOWN_BY_HAND;
    all->rides[root] = on;
    add_bearing(&all->known[root], foot);
}

void trvi_groups_add(trv_world *world, const trvi_link *link, uint32_t *island)
{
    const groups all = groups_of(world);
    uint32_t foot = bearing_of(world->solver_bodies.items, link);
    if (link->says & TRVI_LINK_UNYIELDING)
        add_foot(world, &all, link, foot);
    add_bearing(island, link->says & TRVI_LINK_ON_HAND ? TRVI_KNOWN_BY_HAND : foot);
}

// One stands that sticks face to face, or edge to face, and slides nowhere.
void trvi_find_standing(trv_world *world, const uint32_t *known)
{
    const uint32_t sticks = TRVI_BEARING_STICKS, slips = TRVI_BEARING_SLIPS;
    const uint32_t by_hand = TRVI_KNOWN_BY_HAND, held = TRVI_KNOWN_HELD;
    uint32_t *islands = trvi_column_of(world, TRVI_COLUMN_PARENTS);
    trvi_solver_body *bodies = world->solver_bodies.items;
    const groups all = groups_of(world);
    for (uint32_t i = 1; i < world->solver_bodies.count; i++) {
        uint32_t island = trvi_island_root(islands, i);
        uint32_t group = trvi_island_root(all.parents, i);
        bodies[i].load = bodies[island].load;
        bodies[i].stands = known[island] >= 3 * TRVI_KNOWN_BODIES &&
                           (bodies[i].bearing & (sticks | slips)) == sticks &&
                           (all.known[group] & (held | by_hand)) == held;
        bodies[i].rides = bodies[i].stands ? all.rides[group] : TRVI_UNMOVED;
    }
}
