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

// Contacts lie in the order in which they came.
static void expect_contacts(const trvi_step *step, const trvi_block *block)
{
    const trvi_contact *contacts = trvi_contacts(step->world);
    const size_t points = block->points * sizeof(trv_manifold_point);
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
        if (block->contact[lane] == TRVI_NONE)
            continue;
        const trvi_contact *contact = &contacts[block->contact[lane]];
        trvi_prefetch_bytes(&contact->manifold, offsetof(trv_manifold, points) + points);
        trvi_prefetch_bytes(contact->impulses, block->points * sizeof *contact->impulses);
        trvi_prefetch_bytes(trvi_point_steps(step->world, block->contact[lane]),
                            block->points * sizeof(trvi_point_step));
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
        trvi_prefetch_bytes(contacts[block->contact[lane]].impulses,
                            block->points * sizeof(trvi_impulse));
        trvi_prefetch_bytes(trvi_point_steps(step->world, block->contact[lane]),
                            block->points * sizeof(trvi_point_step));
    }
}

// Their bodies.
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

// What every pass looks at, and what tells how much more there is.
enum { BLOCK_BEGINS = 512 };

// A block is longer than what processors expect by themselves, so it is asked for in two parts: a whole solve takes
// a tenth to a seventh longer with the first one alone.
static void expect_beginning(const trvi_block *block, pass_kind pass)
{
    bool written = pass == PASS_PREPARE; // for the first time in the step
    trvi_prefetch_bytes(block, written ? offsetof(trvi_block, point) : BLOCK_BEGINS);
}

static void expect_bytes(const trvi_block *block, size_t from, size_t to)
{
    trvi_prefetch_bytes((const char *)block + from, to - from);
}

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

// What the passes over the blocks behind this one, of which there are `left`, are going to need. Each
// takes less time than its memory does to come: so two are on their way.
static void expect_blocks(const trvi_step *step, const trvi_block *block, uint32_t left,
                          pass_kind pass)
{
    if (left > 1)
        expect_beginning(block + 2, pass);
    if (left > 0 && pass != PASS_PREPARE)
        expect_rest(block + 1);
    if (left > 1 && pass == PASS_PREPARE)
        expect_sides(step, block + 2);
    if (left >= DEALT_AHEAD && pass == PASS_PREPARE)
        expect_contacts(step, block + DEALT_AHEAD);
    if (left > DEALT_AHEAD && pass == PASS_PREPARE)
        expect_dealt(block + DEALT_AHEAD + 1);
    if (left > 3 && (pass == PASS_STORE || pass == PASS_FINISH))
        expect_impulses(step, block + 4);
}

#endif
