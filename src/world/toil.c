// How many sweeps islands are likely to take: as many as their bodies took part in, in the last step.
//
// A pack takes as long as the slowest island in it, and the lanes of the others idle: so islands that are
// likely to take as long as one another are put side by side.
// Invariant: nothing but time hangs on it. It is no part of the state, and may be of bodies that are gone.
#include "solver_data.h"

void trvi_toils_init(trv_world *world)
{
    world->toils.stride = sizeof(uint8_t);
}

bool trvi_toils_reserve(trv_world *world)
{
    return trvi_array_reserve(&world->allocator, &world->toils, world->bodies.items.capacity);
}

uint32_t trvi_toil_tier(const trv_world *world, uint32_t body)
{
    static const uint8_t ends[TRVI_TOIL_TIERS - 1] = {2, 4, 6, 9, 13, 20, 35}; // sweeps in a pass
    if (body == TRVI_NONE)
        return 0;
    uint32_t tier = 0, toil = ((const uint8_t *)world->toils.items)[body];
    while (tier < TRVI_TOIL_TIERS - 1 && toil >= ends[tier])
        tier++;
    return tier;
}

void trvi_tell_toils(const trvi_step *step, const trvi_island *pack, const uint32_t *bodies)
{
    _Static_assert(TRVI_SWEEPS_MAX + TRVI_RUNAWAY_MORE <= UINT8_MAX, "no pass takes more");
    uint8_t *toils = step->world->toils.items;
    for (uint32_t k = 0; k < pack->pack; k++) {
        uint32_t toil = pack[k].sweeps / (2 * step->substeps); // to push, and to relax
        for (uint32_t i = 0; i < pack[k].bodies; i++)
            toils[step->bodies[*bodies++].body] = (uint8_t)toil;
    }
}
