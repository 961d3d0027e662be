// The solver's conductor: gathers awake bodies, has their contacts laid out in blocks, and runs the
// sub-steps.
//
// A sub-step is: accelerate, warm start, solve with push-out, impacts at their own times
// (impacts.c), move, let nobody through (guard.c), relax (solve without push-out). Relaxing takes
// back the speed that pushing out has put into the bodies, so that overlap is removed without
// making them jump. In large islands a pass is one sweep over soft contacts, one more to relax in long
// sub-steps, and some more in high ones that move (layers.c); in small ones, which have blocks of their
// own, it is as many over hard contacts as it takes (settle.c).
//
// Based on: E. Catto, "Solver2D" (2024), and his "Soft Contacts" (2023) for the spring form.
#include "block_expect.h"
#include "impact_data.h"
#include "links_data.h"

#include <string.h>

void trvi_solver_init(trv_world *world)
{
    world->motions.stride = sizeof(trvi_motion);
    world->motions.in_lines = true;
    world->solver_bodies.stride = sizeof(trvi_solver_body);
    trvi_tops_init(world);
    trvi_footings_init(world);
    trvi_blocks_init(world);
    world->eight_lanes = trvi_has_eight();
    trvi_impacts_init(world);
    trvi_guard_init(world);
}

// The passes, dealt to workers: no fewer bodies, or blocks, at once than some microseconds are spent
// on; who is done first waits so long for the others, after each of some hundred passes in a step.
enum { BODIES_EACH = 64, BLOCKS_EACH = 8 };

// Of its weight and what else pulls it, N.
static float pull_of(const trv_world *world, const trvi_mobile *mobile)
{
    if (!(mobile->inverse_mass > 0.0f))
        return 0.0f;
    return trvi_length(trvi_acceleration_of(world, mobile)) / mobile->inverse_mass;
}

static void list_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const trv_world *world = context;
    const trvi_entry *awake = world->awake.items;
    trvi_solver_body *bodies = world->solver_bodies.items;
    for (uint32_t i = first; i < last; i++) {
        trvi_body *body = &trvi_bodies(world)[awake[i].value];
        body->solver = i + 1;
        memset(&bodies[i + 1], 0, sizeof *bodies);
        const trvi_mobile *mobile = trvi_mobile_of(world, body);
        bodies[i + 1].body = awake[i].value;
        bodies[i + 1].inverse_mass = mobile->inverse_mass;
        bodies[i + 1].pull = bodies[i + 1].load = pull_of(world, mobile);
        bodies[i + 1].center = body->center;
        bodies[i + 1].extent = body->extent;
        bodies[i + 1].locks = body->kind == TRV_BODY_DYNAMIC ? body->locks : 0;
        bodies[i + 1].alone = body->first_contact == TRVI_NONE;
        bodies[i + 1].top = trvi_may_be_top(world, body) ? 0 : TRVI_NONE;
    }
}

static void list_bodies(trv_world *world)
{
    trvi_solver_body *bodies = world->solver_bodies.items;
    world->solver_bodies.count = world->awake.count + 1;
    world->motions.count = world->awake.count + 1;
    memset(&bodies[TRVI_UNMOVED], 0, sizeof *bodies);
    bodies[TRVI_UNMOVED].body = bodies[TRVI_UNMOVED].top = TRVI_NONE;
    trvi_parallel_for(&world->workers, world->awake.count, BODIES_EACH, list_range, world);
}

static void color_range(const trv_world *world, uint32_t color, uint32_t *first, uint32_t *count)
{
    const uint32_t *runs = world->color_runs;
    *first = runs[color];
    *count = runs[color + 1] - runs[color];
}

// Is any body to be swept that is not alone on its way?
static bool any_swept(const trv_world *world, float dt, uint32_t substeps)
{
    const trvi_entry *awake = world->awake.items;
    for (uint32_t i = 0; i < world->awake.count; i++) {
        const trvi_body *body = &trvi_bodies(world)[awake[i].value];
        if (body->first_contact != TRVI_NONE && trvi_has_to_be_swept(world, body, dt, substeps))
            return true;
    }
    return false;
}

static bool may_bounce(const trv_world *world)
{
    const trvi_entry *active = world->active.items;
    for (uint32_t i = 0; i < world->active.count; i++)
        if (active[i].extra & TRVI_ENTRY_BOUNCES)
            return true;
    return false;
}

trv_result trvi_solver_prepare(trv_world *world, float dt, uint32_t substeps)
{
    const trv_allocator *allocator = &world->allocator;
    uint32_t bodies = world->awake.count + 1;
    if (!trvi_array_reserve(allocator, &world->solver_bodies, bodies) ||
        !trvi_array_reserve(allocator, &world->motions, bodies) ||
        !trvi_array_reserve(allocator, &world->parents, TRVI_COLUMNS * bodies) ||
        !trvi_array_reserve(allocator, &world->quarantines, bodies) || !trvi_guard_reserve(world))
        return TRV_ERROR_MEMORY;
    world->has_impacts =
        (world->has_impacts && any_swept(world, dt, substeps)) || may_bounce(world);
    if (world->has_impacts && !trvi_impacts_reserve(world))
        return TRV_ERROR_MEMORY;
    list_bodies(world);
    if (!trvi_tops_find(world, dt, substeps) || !trvi_find_footings(world, dt, substeps))
        return TRV_ERROR_MEMORY;
    if (world->has_impacts)
        trvi_impacts_list(world);
    return trvi_lay_out_blocks(world, dt / (float)substeps);
}

typedef struct pass_job {
    const trvi_step *step;
    pass_kind pass;
    uint32_t first_block;
    bool selects;  // among the lanes: those whose islands
    uint32_t more; // take so many more sweeps, at least
} pass_job;

static void solve_block(const trvi_step *step, trvi_block *block, bool push)
{
    trvi_aims aims;
    step->passes->aim(step, block, push, &aims);
    if (block->carried)
        step->passes->carry(step, block, push, &aims);
    step->passes->solve(step, block, &aims);
}

// Deals blocks so early that the vectors which are filled from them need not wait for that.
static void deal_ahead(const trvi_step *step, uint32_t block, uint32_t first, uint32_t last)
{
    uint32_t from = block == first ? first : block + DEALT_AHEAD;
    for (uint32_t i = from; i <= block + DEALT_AHEAD && i < last; i++)
        trvi_deal_block(step->world, &step->blocks[i]);
}

// Lets those lanes take part whose islands take so many more sweeps; true where there are any.
static bool select_lanes(trvi_block *block, uint32_t more)
{
    bool any = false;
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
        block->solving[lane] = block->more[lane] >= more ? 1.0f : 0.0f;
        any = any || block->more[lane] >= more;
    }
    return any;
}

static void run_blocks(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const pass_job *job = context;
    first += job->first_block;
    last += job->first_block;
    for (uint32_t i = first; i < last; i++) {
        trvi_block *block = &job->step->blocks[i];
        if (job->pass == PASS_PREPARE)
            deal_ahead(job->step, i, first, last);
        expect_blocks(job->step, block, last - i - 1, job->pass);
        if (job->selects && !select_lanes(block, job->more))
            continue;
        switch (job->pass) {
        case PASS_PREPARE:
            trvi_block_prepare(job->step, block);
            break;
        case PASS_WARM_START:
            job->step->passes->follow(job->step, block);
            job->step->passes->warm_start(job->step, block);
            break;
        case PASS_PUSH:
            solve_block(job->step, block, true);
            break;
        case PASS_RELAX:
            solve_block(job->step, block, false);
            break;
        case PASS_FINISH:
            solve_block(job->step, block, false);
            job->step->passes->store(job->step, block);
            break;
        case PASS_STORE:
            job->step->passes->store(job->step, block);
            break;
        }
    }
}

typedef void motion_fn(const trvi_step *step, uint32_t first, uint32_t last);

typedef struct motion_job {
    const trvi_step *step;
    motion_fn *run;
    bool all;
} motion_job;

static void run_motions(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const motion_job *job = context;
    for (uint32_t i = first + 1; i <= last; i++) // body 0 does not move
        if (job->all || !job->step->bodies[i].apart)
            job->run(job->step, i, i + 1);
}

static void for_bodies(const trvi_step *step, motion_fn *run)
{
    motion_job job = {step, run, true};
    trvi_parallel_for(&step->world->workers, step->world->awake.count, BODIES_EACH, run_motions,
                      &job);
}

static bool any_body(const trvi_step *step, bool apart)
{
    for (uint32_t i = 1; i < step->world->solver_bodies.count; i++)
        if (step->bodies[i].apart == apart)
            return true;
    return false;
}

// Those that do not go through the step by themselves.
static void for_bodies_together(const trvi_step *step, motion_fn *run)
{
    motion_job job = {step, run, false};
    trvi_parallel_for(&step->world->workers, step->world->awake.count, BODIES_EACH, run_motions,
                      &job);
}

static void for_pack(const trvi_step *step, const trvi_island *pack, motion_fn *run)
{
    const uint32_t *bodies = trvi_island_bodies(step->world) + pack->first_body;
    for (uint32_t k = 0; k < pack->pack; k++)
        for (uint32_t i = 0; i < pack[k].bodies; i++, bodies++)
            run(step, *bodies, *bodies + 1);
}

static bool is_any_far(const trvi_step *step, const trvi_island *pack)
{
    const uint32_t *bodies = trvi_island_bodies(step->world) + pack->first_body;
    for (uint32_t k = 0; k < pack->pack; k++)
        for (uint32_t i = 0; i < pack[k].bodies; i++)
            if (trvi_guard_is_far(step, *bodies++))
                return true;
    return false;
}

// All of the step for islands that need nothing of the others, while their bodies and blocks are at
// hand.
static void run_apart(const trvi_step *step, trvi_island *pack)
{
    pass_job job = {step, PASS_PREPARE, pack->first_block, false, 0};
    trvi_find_burdens(step, pack);
    run_blocks(&job, 0, pack->blocks, 0);
    trvi_islands_prepare(step, pack);
    pack->far = false;
    for (uint32_t s = 0; s < step->substeps && !pack->far; s++) {
        for_pack(step, pack, trvi_motion_accelerate);
        trvi_settle_islands(step, pack, true);
        for_pack(step, pack, trvi_motion_move);
        trvi_settle_islands(step, pack, false);
        pack->far = is_any_far(step, pack);
    }
}

// A pass over the packs that follow the others from sub-step to sub-step.
static void run_pack(const trvi_step *step, trvi_island *pack, pass_kind pass)
{
    bool finish = pass == PASS_FINISH;
    pass_job job = {step, finish ? PASS_STORE : pass, pack->first_block, false, 0};
    if (pass == PASS_PUSH || pass == PASS_RELAX || finish)
        trvi_settle_islands(step, pack, pass == PASS_PUSH);
    if (pass == PASS_PREPARE)
        trvi_find_burdens(step, pack);
    if (pass == PASS_PREPARE || pass == PASS_STORE || finish)
        run_blocks(&job, 0, pack->blocks, 0);
    if (pass == PASS_STORE || finish)
        trvi_tell_toils(step, pack, trvi_island_bodies(step->world) + pack->first_body);
    if (pass == PASS_PREPARE)
        trvi_islands_prepare(step, pack);
}

typedef struct island_job {
    const trvi_step *step;
    pass_kind pass;
    bool apart;
} island_job;

static void run_islands(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const island_job *job = context;
    trvi_island *islands = job->step->world->islands.items;
    for (uint32_t i = first; i < last; i++) {
        trvi_island *pack = &islands[islands[i].turn];
        if (pack->apart != job->apart)
            continue;
        if (job->apart && job->pass == PASS_PREPARE)
            run_apart(job->step, pack);
        else
            run_pack(job->step, pack, job->pass);
    }
}

static bool any_island(const trv_world *world, bool apart)
{
    const trvi_island *islands = world->islands.items;
    for (uint32_t i = 0; i < world->islands.count; i++)
        if (islands[i].pack > 0 && islands[i].apart == apart)
            return true;
    return false;
}

static void for_islands(const trvi_step *step, pass_kind pass, bool apart)
{
    if (!any_island(step->world, apart)) // to wake workers costs more than to look
        return;
    island_job job = {step, pass, apart};
    trvi_parallel_for(&step->world->workers, step->world->packs, 1, run_islands, &job);
}

// All blocks but those of what goes apart, in any order.
static void prepare_blocks(const trvi_step *step)
{
    pass_job job = {step, PASS_PREPARE, 0, false, 0};
    uint32_t count = step->world->color_runs[TRVI_COLORS + 1];
    trvi_parallel_for(&step->world->workers, count, BLOCKS_EACH, run_blocks, &job);
    for_islands(step, PASS_PREPARE, false);
}

// One pass over what large islands share, colour by colour; the overflow goes last, one block after
// the other.
static void run_shared_pass(const trvi_step *step, pass_kind pass, uint32_t more)
{
    for (uint32_t c = 0; c <= TRVI_COLORS; c++) {
        uint32_t first, count;
        color_range(step->world, c, &first, &count);
        pass_job job = {step, pass, first, step->world->more_sweeps > 0, more};
        if (c == TRVI_OVERFLOW)
            run_blocks(&job, 0, count, 0);
        else
            trvi_parallel_for(&step->world->workers, count, BLOCKS_EACH, run_blocks, &job);
    }
}

// In islands that take more than one sweep, all but the last.
static void run_more_sweeps(const trvi_step *step, pass_kind pass)
{
    for (uint32_t more = step->world->more_sweeps; more > 0; more--)
        run_shared_pass(step, pass, more);
}

// The islands that have blocks of their own share no body with the others or with each other.
static void run_pass(const trvi_step *step, pass_kind pass)
{
    run_shared_pass(step, pass, 0);
    if (pass != PASS_WARM_START) // that comes with the push, while their blocks are at hand
        for_islands(step, pass, false);
}

// A single sweep leaves in stacks some of what the push has put in, and their loads come late: that
// feeds a sway, the more the longer a sub-step is.
static void relax(const trvi_step *step, bool last)
{
    if (step->h > TRVI_LONG_SUBSTEP_S)
        run_shared_pass(step, PASS_RELAX, 0);
    run_more_sweeps(step, PASS_RELAX);
    run_pass(step, last ? PASS_FINISH : PASS_RELAX);
}

static void clear_unmoved(const trvi_step *step)
{
    trvi_motion *unmoved = &step->motions[TRVI_UNMOVED];
    memset(unmoved, 0, sizeof *unmoved);
    unmoved->turned = trv_identity_quat();
}

// Beside a shift: the body was stopped.
#define UNSOUND (1u << 31)

static void bound_bodies(const trvi_step *step, uint32_t first, uint32_t last)
{
    const trvi_entry *awake = step->world->awake.items;
    uint32_t *shifts = step->world->shifts.items;
    for (uint32_t i = first; i < last; i++) {
        trvi_body *body = &trvi_bodies(step->world)[awake[i - 1].value];
        body->reach = trvi_reach(step->world, body, step->dt);
        trvi_body_bound_shapes(step->world, awake[i - 1].value);
        shifts[i - 1] = trvi_body_shift_proxies(step->world, awake[i - 1].value, body->reach);
        if (step->motions[i].odd == TRVI_UNSOUND)
            shifts[i - 1] |= UNSOUND;
    }
}

// The broadphase's lists change in order, on one thread.
static void place_bodies(const trvi_step *step)
{
    trv_world *world = step->world;
    const trvi_entry *awake = world->awake.items;
    const uint32_t *shifts = world->shifts.items;
    for (uint32_t i = 0; i < world->awake.count; i++) {
        uint32_t body = awake[i].value;
        if (shifts[i] & TRVI_SHIFT_LATER)
            trvi_body_move_proxies(world, body, trvi_bodies(world)[body].reach);
        else if (shifts[i] & ~UNSOUND)
            trvi_body_tell_shifted(world, body, shifts[i] & ~UNSOUND);
        if (shifts[i] & UNSOUND)
            trvi_quarantine(world, body);
    }
}

// What was apart follows the others, from sub-step to sub-step.
static void join_islands(trvi_step *step)
{
    step->together = true;
    trvi_island *islands = step->world->islands.items;
    for (uint32_t i = 0; i < step->world->islands.count; i++)
        islands[i].apart = false;
    for (uint32_t i = 1; i < step->world->solver_bodies.count; i++)
        step->bodies[i].apart = false;
}

static bool any_pack_far(const trv_world *world)
{
    const trvi_island *islands = world->islands.items;
    for (uint32_t i = 0; i < world->islands.count; i++)
        if (islands[i].pack > 0 && islands[i].apart && islands[i].far)
            return true;
    return false;
}

// All sub-steps, which leave what they found in motions, and in contacts; of what goes apart, in
// blocks. False where a body came far while islands were apart: the guard looks at all bodies as
// they are at one time.
static bool run_substeps(const trvi_step *step)
{
    trv_world *world = step->world;
    clear_unmoved(step);
    for_bodies(step, trvi_motion_load);
    prepare_blocks(step);
    for_islands(step, PASS_PREPARE, true);
    world->guarded = world->guarded || any_pack_far(world);
    bool apart = any_body(step, true), together = any_body(step, false);
    if (world->guarded && apart)
        return false;
    for (uint32_t s = 0; s < step->substeps; s++) {
        if (together)
            for_bodies_together(step, trvi_motion_accelerate);
        if (world->has_impacts)
            trvi_impacts_hold(step, false);
        run_pass(step, PASS_WARM_START);
        run_more_sweeps(step, PASS_PUSH);
        run_pass(step, PASS_PUSH);
        if (world->has_impacts) {
            trvi_profile_mark(world, TRV_PHASE_SOLVE);
            trvi_impacts_run(step);
            trvi_profile_mark(world, TRV_PHASE_IMPACTS);
        }
        if (together)
            for_bodies_together(step, trvi_motion_move);
        if (trvi_guard_is_needed(step)) {
            world->guarded = true;
            if (apart)
                return false;
            trvi_guard_run(step);
        }
        if (world->has_impacts) // what a blow has sent on its way is not stopped as it is relaxed
            trvi_impacts_hold(step, true);
        relax(step, s + 1 == step->substeps);
    }
    return true;
}

static void count_sweeps(trv_world *world)
{
    const trvi_island *islands = world->islands.items;
    world->counters.islands = world->islands.count;
    world->counters.sweeps = 0;
    for (uint32_t i = 0; i < world->islands.count; i++)
        world->counters.sweeps += islands[i].sweeps;
}

void trvi_solver_run(trv_world *world, float dt, uint32_t substeps)
{
    float h = dt / (float)substeps;
    trvi_step step = {world,
                      dt,
                      substeps,
                      h,
                      1.0f / h,
                      trvi_length(world->gravity) * h,
                      world->push_speed,
                      world->motions.items,
                      world->solver_bodies.items,
                      world->blocks.items,
                      {0.0f, 0.0f, 0.0f},
                      {0.0f, 0.0f, 0.0f},
                      world->eight_lanes ? trvi_passes_eight() : &trvi_passes_four,
                      false};
    step.soft = trvi_softness_of(&step, false);
    step.soft_both = trvi_softness_of(&step, true);
    trvi_loads_take(world, h);
    world->counters.awake_bodies = world->awake.count;
    if (world->guarded) // in the last step, so very likely in this one; only time hangs on it
        join_islands(&step);
    world->guarded = false;
    if (!run_substeps(&step)) { // from its beginning: bodies and contacts are as they were
        join_islands(&step);
        run_substeps(&step);
    }
    for_islands(&step, PASS_STORE, true);
    count_sweeps(world);
    trvi_profile_mark(world, TRV_PHASE_SOLVE);
    for_bodies(&step, trvi_motion_store);
    for_bodies(&step, bound_bodies);
    place_bodies(&step);
}
