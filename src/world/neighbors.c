// Who may meet whom in this step: for each solver body the pairs that it is in, in one run.
//
// Bodies' lists of contacts lead through the contacts themselves, which lie far apart in memory;
// what is asked of nearly all pairs in every sub-step, and mostly answered with "not these two", is
// kept here. Those that the solver has points of come first: in a heap of long things they are few,
// and the others, whose boxes only overlap, are many. Sensors, and pairs that are told of but not
// pushed, are nobody's neighbours; nor are what bears a top, and the top.
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
    return trvi_array_reserve(allocator, &world->neighbor_ends, 2 * (world->awake.count + 1)) &&
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

// Where a contact's part of a body's run ends: the first part is that of contacts with points.
static uint32_t *end_of(const trv_world *world, uint32_t active, uint32_t body)
{
    const trvi_entry *entry = &((const trvi_entry *)world->active.items)[active];
    return (uint32_t *)world->neighbor_ends.items + 2 * body + (trvi_points_of(entry) > 0 ? 0 : 1);
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
        memset(&ends[2 * body], 0, 2 * count * sizeof *ends);
        for (uint32_t i = 0; i < job->world->active.count; i++)
            for (int side = 0; side < 2; side++)
                if (couples_of(job->world)[i][side] - body < count)
                    ++*end_of(job->world, i, couples_of(job->world)[i][side]);
    }
}

static void add_neighbor(const trv_world *world, uint32_t active, int side)
{
    const trvi_entry *entry = &((const trvi_entry *)world->active.items)[active];
    const trvi_sides *sides = &trvi_sides_of_active(world)[active];
    const uint32_t *couple = couples_of(world)[active];
    uint32_t *end = end_of(world, active, couple[side]);
    trvi_neighbor *to = &((trvi_neighbor *)world->neighbors.items)[(*end)++];
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

// Counts, then deals: each part of a run ends where it began to be filled from, plus its count. Nobody asks
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
    ends[TRVI_UNMOVED] = ends[TRVI_UNMOVED + 1] = 0;
    for (uint32_t i = 0; i < 2 * (world->awake.count + 1); i++) {
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

// Of the first parts of a run.
static const trvi_neighbor *run_of(const trv_world *world, uint32_t solver, uint32_t parts,
                                   uint32_t *count)
{
    const uint32_t *ends = (const uint32_t *)world->neighbor_ends.items + 2 * solver;
    uint32_t first = ends[-1];
    *count = ends[parts - 1] - first;
    return *count > 0 ? (const trvi_neighbor *)world->neighbors.items + first : NULL;
}

const trvi_neighbor *trvi_neighbors_of(const trv_world *world, uint32_t solver, uint32_t *count)
{
    return run_of(world, solver, 2, count);
}

const trvi_neighbor *trvi_touching_neighbors_of(const trv_world *world, uint32_t solver,
                                                uint32_t *count)
{
    return run_of(world, solver, 1, count);
}
