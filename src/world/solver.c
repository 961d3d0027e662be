// The solver's conductor: gathers awake bodies and touching contacts, colours the contacts, and runs
// the sub-steps.
//
// A sub-step is: accelerate, warm start, solve with push-out, impacts at their own times (impacts.c),
// move, relax (solve without push-out). Relaxing takes back the speed that pushing out has put into
// the bodies, so that overlap is removed without making them jump.
//
// Based on: E. Catto, "Solver2D" (2024), and his "Soft Contacts" (2023) for the spring form.
#include "impact_data.h"

#include <string.h>

void trvi_solver_init(trv_world *world)
{
    world->motions.stride = sizeof(trvi_motion);
    world->solver_bodies.stride = sizeof(trvi_solver_body);
    world->blocks.stride = sizeof(trvi_block);
    trvi_impacts_init(world);
}

// Contacts of one colour fill blocks [first_block, first_block + blocks).
typedef struct color_run {
    uint32_t contacts;
    uint32_t first_block;
    uint32_t blocks;
} color_run;

static bool lists_body(const trvi_body *body)
{
    return (body->flags & TRVI_BODY_AWAKE) && trvi_body_moves(body);
}

// A contact takes part when it has points and nothing in it is asleep.
static bool takes_part(const trv_world *world, const trvi_contact *contact)
{
    const trvi_body *a = &trvi_bodies(world)[contact->body_a];
    const trvi_body *b = &trvi_bodies(world)[contact->body_b];
    return contact->manifold.count > 0 && (a->kind == TRV_BODY_STATIC || lists_body(a)) &&
           (b->kind == TRV_BODY_STATIC || lists_body(b));
}

// A colour that is free at both bodies; bodies that cannot be pushed don't count. Contacts with such
// bodies come after the others where there is room: what holds a heap up has the last word.
static uint32_t pick_color(trvi_solver_body *a, trvi_solver_body *b)
{
    uint32_t used =
        (a->inverse_mass > 0.0f ? a->colors : 0) | (b->inverse_mass > 0.0f ? b->colors : 0);
    bool both = a->inverse_mass > 0.0f && b->inverse_mass > 0.0f;
    for (uint32_t i = 0; i < TRVI_COLORS; i++) {
        uint32_t color = both ? i : (i + TRVI_FIRST_SUPPORT) % TRVI_COLORS;
        if (used & (1u << color))
            continue;
        a->colors |= 1u << color;
        b->colors |= 1u << color;
        return color;
    }
    a->colors |= 1u << TRVI_OVERFLOW; // colours tell, too, that contacts may act on the body
    b->colors |= 1u << TRVI_OVERFLOW;
    return TRVI_OVERFLOW;
}

// Colours go into the upper bits of `extra` of the active entries; bit 0 stays what it is (tested).
static void color_contacts(trv_world *world, color_run runs[TRVI_COLORS + 1])
{
    trvi_solver_body *bodies = world->solver_bodies.items;
    trvi_entry *active = world->active.items;
    memset(runs, 0, sizeof(color_run) * (TRVI_COLORS + 1));
    for (uint32_t i = 0; i < world->active.count; i++) {
        const trvi_contact *contact = &trvi_contacts(world)[active[i].value];
        active[i].extra &= 1u;
        if (!takes_part(world, contact))
            continue;
        trvi_solver_body *a = &bodies[trvi_solver_index(&trvi_bodies(world)[contact->body_a])];
        trvi_solver_body *b = &bodies[trvi_solver_index(&trvi_bodies(world)[contact->body_b])];
        uint32_t color = pick_color(a, b);
        active[i].extra |= (color + 1) << 1;
        runs[color].contacts++;
    }
    uint32_t next = 0;
    world->counters.colors = 0;
    for (uint32_t c = 0; c <= TRVI_COLORS; c++) {
        uint32_t lanes = c == TRVI_OVERFLOW ? 1 : TRVI_LANES;
        runs[c].first_block = next;
        runs[c].blocks = (runs[c].contacts + lanes - 1) / lanes;
        next += runs[c].blocks;
        world->counters.colors += runs[c].contacts > 0;
    }
}

// Deals the contacts to the lanes of their colour's blocks, in canonical order.
static void deal_contacts(trv_world *world, const color_run runs[TRVI_COLORS + 1])
{
    uint32_t dealt[TRVI_COLORS + 1] = {0};
    trvi_block *blocks = world->blocks.items;
    for (uint32_t i = 0; i < world->blocks.count; i++) {
        memset(&blocks[i], 0, sizeof blocks[i]);
        for (int lane = 0; lane < TRVI_LANES; lane++)
            blocks[i].contact[lane] = TRVI_NONE;
    }
    const trvi_entry *active = world->active.items;
    trvi_meeting *meetings = world->meetings.items;
    for (uint32_t i = 0; i < world->active.count; i++) {
        uint32_t color = active[i].extra >> 1;
        if (world->has_impacts)
            meetings[i].lane = TRVI_NONE;
        if (color == 0)
            continue;
        color--;
        uint32_t lanes = color == TRVI_OVERFLOW ? 1 : TRVI_LANES;
        uint32_t place = dealt[color]++;
        uint32_t block = runs[color].first_block + place / lanes;
        blocks[block].contact[place % lanes] = active[i].value;
        if (world->has_impacts)
            meetings[i].lane = block * TRVI_LANES + place % lanes;
    }
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
        !trvi_array_reserve(allocator, &world->parents, 2 * bodies))
        return TRV_ERROR_MEMORY;
    world->has_impacts = world->has_impacts || may_impact(world);
    if (world->has_impacts && !trvi_impacts_reserve(world))
        return TRV_ERROR_MEMORY;
    list_bodies(world);
    if (world->has_impacts)
        trvi_impacts_list(world);
    color_run runs[TRVI_COLORS + 1];
    color_contacts(world, runs);
    uint32_t blocks = runs[TRVI_OVERFLOW].first_block + runs[TRVI_OVERFLOW].blocks;
    if (!trvi_array_reserve(allocator, &world->blocks, blocks))
        return TRV_ERROR_MEMORY;
    world->blocks.count = blocks;
    deal_contacts(world, runs);
    for (uint32_t c = 0; c <= TRVI_COLORS; c++)
        world->color_runs[c] = runs[c].first_block;
    world->color_runs[TRVI_COLORS + 1] = blocks;
    return TRV_OK;
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

static void prepare_block(const trvi_step *step, trvi_block *block)
{
    for (uint32_t lane = 0; lane < TRVI_LANES; lane++)
        if (block->contact[lane] != TRVI_NONE)
            trvi_lane_prepare(step, block, lane, block->contact[lane]);
}

static void store_block(const trvi_step *step, const trvi_block *block)
{
    for (uint32_t lane = 0; lane < TRVI_LANES; lane++)
        if (block->contact[lane] != TRVI_NONE)
            trvi_lane_store(step, block, lane);
}

static void run_blocks(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const pass_job *job = context;
    for (uint32_t i = job->first_block + first; i < job->first_block + last; i++) {
        trvi_block *block = &job->step->blocks[i];
        switch (job->pass) {
        case PASS_PREPARE:
            prepare_block(job->step, block);
            break;
        case PASS_WARM_START:
            trvi_block_warm_start(job->step, block);
            break;
        case PASS_PUSH:
            trvi_block_solve(job->step, block, true);
            break;
        case PASS_RELAX:
            trvi_block_solve(job->step, block, false);
            break;
        case PASS_STORE:
            store_block(job->step, block);
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

// One pass, colour by colour; the overflow goes last, one contact after the other.
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
            trvi_log(&world->log, TRV_LOG_WARNING,
                     "body %u left the range of coordinates and was stopped where it was",
                     awake[i].value + 1);
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
    for (uint32_t s = 0; s < substeps; s++) {
        for_bodies(&step, trvi_motion_accelerate);
        if (world->has_impacts)
            trvi_impacts_hold(&step);
        run_pass(&step, PASS_WARM_START);
        run_pass(&step, PASS_PUSH);
        if (world->has_impacts)
            trvi_impacts_run(&step);
        for_bodies(&step, trvi_motion_move);
        run_pass(&step, PASS_RELAX);
    }
    run_pass_at_once(&step, PASS_STORE);
    for_bodies(&step, trvi_motion_store);
    place_bodies(&step);
}
