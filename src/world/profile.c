// Where the time of a step goes, by the clock that the caller lends.
//
// The clock is read at the end of each phase, and the time since the last reading goes to that phase; a
// phase may come several times in a step. Invariant: nothing but trv_world_profile_get reads what is
// written here, so that no time ever reaches the state.
#include "world_data.h"

#include <string.h>

const char *trv_phase_text(trv_phase phase)
{
    static const char *const texts[] = {"ways",    "pairs", "contacts", "prepare", "solve",
                                        "impacts", "place", "events",   "sleep"};
    uint32_t index = (uint32_t)phase;
    return index < sizeof texts / sizeof *texts ? texts[index] : "no phase";
}

static double now(const trv_world *world)
{
    return world->clock.seconds != NULL ? world->clock.seconds(world->clock.user) : 0.0;
}

void trvi_profile_start(trv_world *world)
{
    memset(&world->profile, 0, sizeof world->profile);
    world->marked = now(world);
}

void trvi_profile_mark(trv_world *world, trv_phase phase)
{
    double time = now(world), spent = time - world->marked;
    world->marked = time;
    if (spent > 0.0 && spent < HUGE_VAL)
        world->profile.seconds[phase] += spent;
}

trv_result trv_world_profile_get(const trv_world *world, trv_world_profile *profile)
{
    if (profile == NULL)
        return TRV_ERROR_NULL;
    memset(profile, 0, sizeof *profile);
    if (world == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    *profile = world->profile;
    for (uint32_t i = 0; i < TRV_PHASE_COUNT; i++)
        profile->step += profile->seconds[i];
    return TRV_OK;
}
