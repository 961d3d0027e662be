// The solver's conductor: gathers awake bodies, has their contacts laid out in blocks, and runs the
// sub-steps.
//
// A sub-step is: accelerate, warm start, solve with push-out, impacts at their own times (impacts.c),
// move, relax (solve without push-out). Relaxing takes back the speed that pushing out has put into
// the bodies, so that overlap is removed without making them jump. In large islands a pass is one sweep
// over soft contacts; in small ones, which have blocks of their own, it is as many over hard contacts
// as it takes (settle.c).
//
// Based on: E. Catto, "Solver2D" (2024), and his "Soft Contacts" (2023) for the spring form.
#include "impact_data.h"

#include <string.h>

void trvi_solver_init(trv_world *world)
{
    world->motions.stride = sizeof(trvi_motion);
    world->solver_bodies.stride = sizeof(trvi_solver_body);
    world->blocks.stride = sizeof(trvi_block);
    world->islands.stride = sizeof(trvi_island);
    world->members.stride = sizeof(uint32_t);
    world->trials.stride = sizeof(trvi_trial);
    trvi_impacts_init(world);
}

static void list_bodies(trv_world *world)
{
    const trvi_entry *awake = world->awake.items;
    trvi_solver_body *bodies = world->solver_bodies.items;
    world->solver_bodies.count = world->awake.count + 1;
    world->motions.count = world->awake.count + 1;
    memset(&bodies[TRVI_UNMOVED], 0, sizeof *bodies);
    bodies[TRVI_UNMOVED].body = TRVI_NONE;
    for (uint32_t i = 0; i < world->awake.count; i++) {
        trvi_body *body = &trvi_bodies(world)[awake[i].value];
        body->solver = i + 1;
        memset(&bodies[i + 1], 0, sizeof *bodies);
        bodies[i + 1].body = awake[i].value;
        bodies[i + 1].inverse_mass = body->inverse_mass;
        bodies[i + 1].locks = body->kind == TRV_BODY_DYNAMIC ? body->locks : 0;
    }
}

static void color_range(const trv_world *world, uint32_t color, uint32_t *first, uint32_t *count)
{
    const uint32_t *runs = world->color_runs;
    *first = runs[color];
    *count = runs[color + 1] - runs[color];
}

static bool may_impact(const trv_world *world)
{
    const trvi_entry *active = world->active.items;
    for (uint32_t i = 0; i < world->active.count; i++)
        if (trvi_contacts(world)[active[i].value].restitution > 0.0f)
            return true;
    return false;
}

trv_result trvi_solver_prepare(trv_world *world)
{
    const trv_allocator *allocator = &world->allocator;
    uint32_t bodies = world->awake.count + 1;
    if (!trvi_array_reserve(allocator, &world->solver_bodies, bodies) ||
        !trvi_array_reserve(allocator, &world->motions, bodies) ||
        !trvi_array_reserve(allocator, &world->parents, 4 * bodies) ||
        !trvi_array_reserve(allocator, &world->quarantines, bodies))
        return TRV_ERROR_MEMORY;
    world->has_impacts = world->has_impacts || may_impact(world);
    if (world->has_impacts && !trvi_impacts_reserve(world))
        return TRV_ERROR_MEMORY;
    list_bodies(world);
    if (world->has_impacts)
        trvi_impacts_list(world);
    trvi_find_islands(world);
    return trvi_lay_out_blocks(world);
}

// The passes, dealt to workers.
typedef enum pass_kind {
    PASS_PREPARE,
    PASS_WARM_START,
    PASS_PUSH,
    PASS_RELAX,
    PASS_STORE
} pass_kind;

typedef struct pass_job {
    const trvi_step *step;
    pass_kind pass;
    uint32_t first_block;
} pass_job;

static void solve_block(const trvi_step *step, trvi_block *block, bool push)
{
    trvi_aims aims;
    trvi_block_aim(step, block, push, &aims);
    trvi_block_solve(step, block, &aims);
}

static void run_blocks(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const pass_job *job = context;
    for (uint32_t i = job->first_block + first; i < job->first_block + last; i++) {
        trvi_block *block = &job->step->blocks[i];
        switch (job->pass) {
        case PASS_PREPARE:
            trvi_block_prepare(job->step, block);
            break;
        case PASS_WARM_START:
            trvi_block_warm_start(job->step, block);
            break;
        case PASS_PUSH:
            solve_block(job->step, block, true);
            break;
        case PASS_RELAX:
            solve_block(job->step, block, false);
            break;
        case PASS_STORE:
            trvi_block_store(job->step, block);
            break;
        }
    }
}

// One pass over all blocks that may run in any order.
static void run_pass_at_once(const trvi_step *step, pass_kind pass)
{
    pass_job job = {step, pass, 0};
    trvi_parallel_for(&step->world->workers, step->world->blocks.count, 32, run_blocks, &job);
}

typedef struct island_job {
    const trvi_step *step;
    pass_kind pass;
} island_job;

static void run_pack(const trvi_step *step, trvi_island *island, pass_kind pass, uint32_t worker)
{
    pass_job job = {step, pass, island->first_block};
    if (pass == PASS_WARM_START) // not yet: with the push, while its blocks are at hand
        return;
    if (pass == PASS_PUSH) {
        job.pass = PASS_WARM_START;
        run_blocks(&job, 0, island->blocks, worker);
    }
    trvi_settle_islands(step, island, pass == PASS_PUSH);
}

static void run_islands(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    const island_job *job = context;
    trvi_island *islands = job->step->world->islands.items;
    for (uint32_t i = first; i < last; i++)
        if (islands[i].pack > 0)
            run_pack(job->step, &islands[i], job->pass, worker);
}

// One pass, colour by colour; the overflow goes last, one contact after the other. The islands that
// have blocks of their own share no body with these or with each other.
static void run_pass(const trvi_step *step, pass_kind pass)
{
    for (uint32_t c = 0; c <= TRVI_COLORS; c++) {
        uint32_t first, count;
        color_range(step->world, c, &first, &count);
        pass_job job = {step, pass, first};
        if (c == TRVI_OVERFLOW)
            run_blocks(&job, 0, count, 0);
        else
            trvi_parallel_for(&step->world->workers, count, 16, run_blocks, &job);
    }
    island_job job = {step, pass};
    trvi_parallel_for(&step->world->workers, step->world->islands.count, 1, run_islands, &job);
}

typedef void motion_fn(const trvi_step *step, uint32_t first, uint32_t last);

typedef struct motion_job {
    const trvi_step *step;
    motion_fn *run;
} motion_job;

static void run_motions(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const motion_job *job = context;
    job->run(job->step, first + 1, last + 1); // body 0 does not move
}

static void for_bodies(const trvi_step *step, motion_fn *run)
{
    motion_job job = {step, run};
    trvi_parallel_for(&step->world->workers, step->world->awake.count, 64, run_motions, &job);
}

static void clear_unmoved(const trvi_step *step)
{
    trvi_motion *unmoved = &step->motions[TRVI_UNMOVED];
    memset(unmoved, 0, sizeof *unmoved);
    unmoved->turned = trv_identity_quat();
}

// The proxies follow in order, on one thread: the broadphase is changed.
static void place_bodies(const trvi_step *step)
{
    trv_world *world = step->world;
    const trvi_entry *awake = world->awake.items;
    for (uint32_t i = 0; i < world->awake.count; i++) {
        const trvi_body *body = &trvi_bodies(world)[awake[i].value];
        trvi_body_place_shapes(world, awake[i].value, trvi_reach(body, step->dt));
        if (step->motions[i + 1].unsound != 0.0f)
            trvi_quarantine(world, awake[i].value);
    }
}

void trvi_solver_run(trv_world *world, float dt, uint32_t substeps)
{
    float h = dt / (float)substeps;
    trvi_step step = {world,
                      dt,
                      substeps,
                      h,
                      1.0f / h,
                      world->push_speed,
                      world->restitution_threshold,
                      world->motions.items,
                      world->solver_bodies.items,
                      world->blocks.items};
    world->counters.awake_bodies = world->awake.count;
    clear_unmoved(&step);
    for_bodies(&step, trvi_motion_load);
    run_pass_at_once(&step, PASS_PREPARE);
    trvi_island *islands = world->islands.items;
    for (uint32_t i = 0; i < world->islands.count; i++)
        if (islands[i].pack > 0)
            trvi_islands_set_allowed(&step, &islands[i]);
    for (uint32_t s = 0; s < substeps; s++) {
        for_bodies(&step, trvi_motion_accelerate);
        if (world->has_impacts)
            trvi_impacts_hold(&step);
        run_pass(&step, PASS_WARM_START);
        run_pass(&step, PASS_PUSH);
        if (world->has_impacts) {
            trvi_profile_mark(world, TRV_PHASE_SOLVE);
            trvi_impacts_run(&step);
            trvi_profile_mark(world, TRV_PHASE_IMPACTS);
        }
        for_bodies(&step, trvi_motion_move);
        run_pass(&step, PASS_RELAX);
    }
    run_pass_at_once(&step, PASS_STORE);
    trvi_profile_mark(world, TRV_PHASE_SOLVE);
    for_bodies(&step, trvi_motion_store);
    place_bodies(&step);
}
