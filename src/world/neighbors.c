// Who may meet whom in this step: for each solver body the pairs that it is in, in one run.
//
// Bodies' lists of contacts lead through the contacts themselves, which lie far apart in memory;
// what is asked of nearly all pairs in every sub-step, and mostly answered with "not these two", is
// kept here. Sensors, and pairs that are told of but not pushed, are nobody's neighbours;
// nor are what bears a top, and the top.
#include "impact_data.h"

#include <string.h>

// So many are worth waking another worker.
enum { CONTACTS_EACH = 1024, BODIES_EACH = 128 };

void trvi_neighbors_init(trv_world *world)
{
    world->neighbors.stride = sizeof(trvi_neighbor);
    world->neighbor_ends.stride = sizeof(uint32_t);
    world->couples.stride = sizeof(uint32_t[2]);
    world->neighbors.bare = world->couples.bare = true;
}

bool trvi_neighbors_reserve(trv_world *world)
{
    const trv_allocator *allocator = &world->allocator;
    world->has_neighbors = false;
    return trvi_array_reserve(allocator, &world->neighbor_ends, world->awake.count + 1) &&
           trvi_array_reserve(allocator, &world->couples, world->active.count) &&
           trvi_array_reserve(allocator, &world->neighbors, 2 * world->active.count);
}

static bool is_met(const trvi_entry *entry)
{
    return !(entry->extra & TRVI_ENTRY_PASSES);
}

static uint32_t (*couples_of(const trv_world *world))[2]
{
    return world->couples.items;
}

// Both solver bodies of each contact; none of those that are nobody's.
static void find_couples(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const trv_world *world = context;
    const trvi_entry *active = world->active.items;
    for (uint32_t i = first; i < last; i++) {
        uint32_t *couple = couples_of(world)[i];
        couple[0] = couple[1] = TRVI_UNMOVED;
        if (is_met(&active[i]))
            trvi_solvers_of_active(world, i, couple);
        if (trvi_points_of(&active[i]) > 0 && trvi_bears_top(world, couple[0], couple[1]))
            couple[0] = couple[1] = TRVI_UNMOVED;
    }
}

// A share of the bodies, whose runs are counted, or filled, by one worker: it looks at all contacts,
// and takes those of its bodies.
typedef struct share_job {
    trv_world *world;
    uint32_t shares;
} share_job;

static void bodies_of_share(const share_job *job, uint32_t share, uint32_t *first, uint32_t *count)
{
    const trvi_share s = trvi_share_of(job->world->awake.count, job->shares, share);
    *first = 1 + s.first;
    *count = s.last - s.first;
}

static void count_share(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const share_job *job = context;
    uint32_t *ends = job->world->neighbor_ends.items, body, count;
    for (uint32_t share = first; share < last; share++) {
        bodies_of_share(job, share, &body, &count);
        memset(&ends[body], 0, count * sizeof *ends);
        for (uint32_t i = 0; i < job->world->active.count; i++)
            for (int side = 0; side < 2; side++)
                if (couples_of(job->world)[i][side] - body < count)
                    ends[couples_of(job->world)[i][side]]++;
    }
}

static void add_neighbor(const trv_world *world, uint32_t active, int side)
{
    const trvi_entry *entry = &((const trvi_entry *)world->active.items)[active];
    const trvi_sides *sides = &trvi_sides_of_active(world)[active];
    const uint32_t *couple = couples_of(world)[active];
    uint32_t *ends = world->neighbor_ends.items;
    trvi_neighbor *to = &((trvi_neighbor *)world->neighbors.items)[ends[couple[side]]++];
    to->active = active;
    to->other = couple[1 - side];
    to->inside = sides->inside;
    to->thinner = sides->thinner;
    to->budget = sides->budget;
    to->bounces = (entry->extra & TRVI_ENTRY_BOUNCES) != 0;
}

static void fill_share(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const share_job *job = context;
    uint32_t body, count;
    for (uint32_t share = first; share < last; share++) {
        bodies_of_share(job, share, &body, &count);
        for (uint32_t i = 0; i < job->world->active.count; i++)
            for (int side = 0; side < 2; side++)
                if (couples_of(job->world)[i][side] - body < count)
                    add_neighbor(job->world, i, side);
    }
}

// Counts, then deals: each run ends where it began to be filled from, plus its count. Nobody asks
// for those of what does not move.
void trvi_neighbors_list(trv_world *world)
{
    uint32_t *ends = world->neighbor_ends.items, first = 0;
    if (world->has_neighbors)
        return;
    world->has_neighbors = true;
    trvi_parallel_for(&world->workers, world->active.count, CONTACTS_EACH, find_couples, world);
    share_job job = {world, world->workers.count > 1 ? world->workers.count : 1};
    trvi_parallel_for(&world->workers, job.shares, 1, count_share, &job);
    ends[TRVI_UNMOVED] = 0;
    for (uint32_t i = 0; i <= world->awake.count; i++) {
        uint32_t count = ends[i];
        ends[i] = first;
        first += count;
    }
    trvi_parallel_for(&world->workers, job.shares, 1, fill_share, &job);
}

typedef struct solvers_job {
    const trvi_step *step;
    trvi_solver_fn *fn;
} solvers_job;

static void run_solvers(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const solvers_job *job = context;
    for (uint32_t i = first + 1; i <= last; i++)
        job->fn(job->step, i);
}

void trvi_for_solvers(const trvi_step *step, trvi_solver_fn *fn)
{
    solvers_job job = {step, fn};
    trvi_parallel_for(&step->world->workers, step->world->awake.count, BODIES_EACH, run_solvers,
                      &job);
}

const trvi_neighbor *trvi_neighbors_of(const trv_world *world, uint32_t solver, uint32_t *count)
{
    const uint32_t *ends = world->neighbor_ends.items;
    uint32_t first = ends[solver - 1];
    *count = ends[solver] - first;
    return *count > 0 ? (const trvi_neighbor *)world->neighbors.items + first : NULL;
}
