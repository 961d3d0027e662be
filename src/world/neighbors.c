// Who may meet whom in this step: for each solver body the pairs that it is in, in one run.
//
// Bodies' lists of contacts lead through the contacts themselves, which lie far apart in memory;
// what is asked of nearly all pairs in every sub-step, and mostly answered with "not these two", is
// kept here. Sensors, and pairs that are told of but not pushed, are nobody's neighbours.
#include "impact_data.h"

#include <string.h>

void trvi_neighbors_init(trv_world *world)
{
    world->neighbors.stride = sizeof(trvi_neighbor);
    world->neighbor_ends.stride = sizeof(uint32_t);
}

bool trvi_neighbors_reserve(trv_world *world)
{
    const trv_allocator *allocator = &world->allocator;
    world->has_neighbors = false;
    return trvi_array_reserve(allocator, &world->neighbor_ends, world->awake.count + 1) &&
           trvi_array_reserve(allocator, &world->neighbors, 2 * world->active.count);
}

static bool is_met(const trvi_entry *entry)
{
    return !(entry->extra & TRVI_ENTRY_PASSES);
}

// Counts, then deals: each run ends where it began to be filled from, plus its count.
void trvi_neighbors_list(trv_world *world)
{
    const trvi_entry *active = world->active.items;
    uint32_t *ends = world->neighbor_ends.items, solvers[2], first = 0;
    if (world->has_neighbors)
        return;
    world->has_neighbors = true;
    memset(ends, 0, (world->awake.count + 1) * sizeof *ends);
    for (uint32_t i = 0; i < world->active.count; i++) {
        if (!is_met(&active[i]))
            continue;
        trvi_solvers_of_active(world, i, solvers);
        ends[solvers[0]]++;
        ends[solvers[1]]++;
    }
    ends[TRVI_UNMOVED] = 0; // nobody asks for those
    for (uint32_t i = 0; i <= world->awake.count; i++) {
        uint32_t count = ends[i];
        ends[i] = first;
        first += count;
    }
    for (uint32_t i = 0; i < world->active.count; i++) {
        if (!is_met(&active[i]))
            continue;
        const trvi_sides *sides = &trvi_sides_of_active(world)[i];
        trvi_solvers_of_active(world, i, solvers);
        for (int side = 0; side < 2; side++) {
            if (solvers[side] == TRVI_UNMOVED)
                continue;
            trvi_neighbor *to = &((trvi_neighbor *)world->neighbors.items)[ends[solvers[side]]++];
            to->active = i;
            to->other = solvers[1 - side];
            to->inside = sides->inside;
            to->thinner = sides->thinner;
            to->budget = sides->budget;
            to->bounces = (active[i].extra & TRVI_ENTRY_BOUNCES) != 0;
        }
    }
}

const trvi_neighbor *trvi_neighbors_of(const trv_world *world, uint32_t solver, uint32_t *count)
{
    const uint32_t *ends = world->neighbor_ends.items;
    uint32_t first = ends[solver - 1];
    *count = ends[solver] - first;
    return *count > 0 ? (const trvi_neighbor *)world->neighbors.items + first : NULL;
}
