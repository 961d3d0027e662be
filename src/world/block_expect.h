// What the passes over blocks are going to need, fetched in time.
//
// A step's blocks, and what they are filled from and stored to, are more than fits into near caches, and lie
// anywhere: passes that came upon them unawares would mostly wait. Invariant: nothing but time hangs on it.
//
// Private to solver.c.
#ifndef TRVI_BLOCK_EXPECT_H
#define TRVI_BLOCK_EXPECT_H

#include "solver_data.h"

// So many blocks before they are prepared, what they are prepared from is known.
enum { DEALT_AHEAD = 4 };

typedef enum pass_kind {
    PASS_PREPARE,
    PASS_WARM_START,
    PASS_PUSH,
    PASS_RELAX,
    PASS_STORE,
    PASS_FINISH // relax for the last time, and store
} pass_kind;

// What the solver found for a contact by the step before, or is to keep for the next.
static void expect_found(const trvi_step *step, const trvi_block *block, uint32_t lane)
{
    const trvi_contact *contact = &trvi_contacts(step->world)[block->contact[lane]];
    trvi_prefetch_bytes(contact->impulses, block->points * sizeof *contact->impulses);
    trvi_prefetch_bytes(trvi_point_steps(step->world, block->contact[lane]),
                        block->points * sizeof(trvi_point_step));
}

// Contacts lie in the order in which they came.
static void expect_contacts(const trvi_step *step, const trvi_block *block)
{
    const trvi_contact *contacts = trvi_contacts(step->world);
    const size_t points = block->points * sizeof(trv_manifold_point);
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
        if (block->contact[lane] == TRVI_NONE)
            continue;
        trvi_prefetch_bytes(&contacts[block->contact[lane]].manifold,
                            offsetof(trv_manifold, points) + points);
        expect_found(step, block, lane);
    }
}

static void expect_impulses(const trvi_step *step, const trvi_block *block)
{
    const trvi_contact *contacts = trvi_contacts(step->world);
    const trvi_entry *active = step->world->active.items;
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
        if (block->contact[lane] == TRVI_NONE)
            continue;
        trvi_prefetch(&active[block->active[lane]]);
        trvi_prefetch(&contacts[block->contact[lane]].flags);
        expect_found(step, block, lane);
    }
}

// The bodies of its contacts.
static void expect_sides(const trvi_step *step, const trvi_block *block)
{
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
        const uint32_t sides[2] = {block->body_a[lane], block->body_b[lane]};
        for (int side = 0; side < 2 && block->contact[lane] != TRVI_NONE; side++) {
            trvi_prefetch(&step->motions[sides[side]]);
            trvi_prefetch_bytes(&step->bodies[sides[side]], offsetof(trvi_solver_body, pushed));
        }
    }
}

static void expect_bytes(const trvi_block *block, size_t from, size_t to)
{
    trvi_prefetch_bytes((const char *)block + from, to - from);
}

// What every pass looks at, and what tells how much more there is. A block is longer than what processors expect by
// themselves, so it is asked for in two parts: a whole solve takes a tenth to a seventh longer with the first one
// alone.
enum { BLOCK_BEGINS = 512 };

static void expect_rest(const trvi_block *block)
{
    size_t end_of_points = offsetof(trvi_block, point) + block->points * sizeof *block->point;
    expect_bytes(block, BLOCK_BEGINS, end_of_points);
    if (block->points > 1)
        trvi_prefetch_bytes(&block->turning, sizeof block->turning);
    if (block->swings)
        expect_bytes(block, offsetof(trvi_block, arm_a), offsetof(trvi_block, normal_then));
    if (block->placed)
        expect_bytes(block, offsetof(trvi_block, normal_then), offsetof(trvi_block, surface_1));
}

// About to be written, as the block is dealt.
static void expect_dealt(const trvi_block *block)
{
    trvi_prefetch_bytes(block, offsetof(trvi_block, solving));
    trvi_prefetch_bytes(&block->friction, sizeof block->friction);
    trvi_prefetch_bytes(&block->rolling, sizeof block->rolling);
    trvi_prefetch_bytes(block->contact, sizeof *block - offsetof(trvi_block, contact));
}

// For blocks that are written for the first time in the step.
static void expect_to_prepare(const trvi_step *step, const trvi_block *block, uint32_t left)
{
    if (left > 1) {
        expect_bytes(block + 2, 0, offsetof(trvi_block, point));
        expect_sides(step, block + 2);
    }
    if (left >= DEALT_AHEAD)
        expect_contacts(step, block + DEALT_AHEAD);
    if (left > DEALT_AHEAD)
        expect_dealt(block + DEALT_AHEAD + 1);
}

// What the passes over the blocks behind this one, of which there are `left`, are going to need. Each
// takes less time than its memory does to come: so two are on their way.
static void expect_blocks(const trvi_step *step, const trvi_block *block, uint32_t left,
                          pass_kind pass)
{
    if (pass == PASS_PREPARE) {
        expect_to_prepare(step, block, left);
        return;
    }
    if (left > 1)
        expect_bytes(block + 2, 0, BLOCK_BEGINS);
    if (left > 0)
        expect_rest(block + 1);
    if (left > 3 && (pass == PASS_STORE || pass == PASS_FINISH))
        expect_impulses(step, block + 4);
}

#endif
