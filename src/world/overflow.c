// The overflow: contacts of large islands for which no colour was free.
//
// They are solved as if one after the other, in canonical order, which is what a body with more contacts
// than there are colours has to be: but only contacts of the same body hang on that order. So a contact
// stands on the level above the highest of those before it that push one of its bodies. Contacts of a
// level share no body that can be pushed, and lie side by side in the lanes of blocks; level after level
// each body meets its own contacts in canonical order, with the same bits.
//
// Where all bodies of a crowd touch one another, a level holds a contact of nearly every second body: the
// lanes are full. Where all touch a single body, each level holds one contact of it.
//
// Islands that are solved with care keep a block for each such contact: what they sum up over their
// blocks is rounded in the order of these.
//
// Based on: E. Anderson, Y. Saad, "Solving Sparse Triangular Linear Systems on Parallel Computers" (1989),
// for the levels.
#include "links_data.h"

#include <string.h>

static bool is_shared_overflow(const trvi_link *link)
{
    return link->color == TRVI_OVERFLOW && !trvi_is_careful(link->slot);
}

// By solver body: the level above its highest contact so far. By now the last part of the scratch is free.
static uint32_t *heights_of(const trv_world *world)
{
    return (uint32_t *)world->parents.items + 3 * (size_t)world->solver_bodies.count;
}

// What cannot be pushed has no part in the order.
static uint32_t height_of(const trv_world *world, uint32_t solver)
{
    const trvi_solver_body *bodies = world->solver_bodies.items;
    return bodies[solver].inverse_mass > 0.0f ? heights_of(world)[solver] : 0;
}

void trvi_overflow_find_level(const trv_world *world, trvi_link *link, uint32_t *levels)
{
    uint32_t *heights = heights_of(world);
    if (*levels == 0) // the first one: mostly there is none
        memset(heights, 0, world->solver_bodies.count * sizeof *heights);
    uint32_t a = height_of(world, link->a), b = height_of(world, link->b);
    link->lane = a > b ? a : b;
    heights[link->a] = heights[link->b] = link->lane + 1;
    *levels = link->lane < *levels ? *levels : link->lane + 1;
}

// While its `lane` is its level.
static uint32_t run_of(const trvi_link *link)
{
    return link->lane * TRVI_KINDS + trvi_kind_of(link);
}

// Counts the links of each run, and deals them out behind one another, as they come.
bool trvi_overflow_place(trv_world *world, uint32_t levels, uint32_t *block)
{
    const uint32_t runs = levels * TRVI_KINDS; // of one level and kind each
    if (levels == 0)
        return true;
    if (!trvi_array_reserve(&world->allocator, &world->levels, runs))
        return false;
    uint32_t *lanes = world->levels.items;
    memset(lanes, 0, runs * sizeof *lanes);
    for (uint32_t i = 0; i < world->links.count; i++)
        if (is_shared_overflow(&trvi_links_of(world)[i]))
            lanes[run_of(&trvi_links_of(world)[i])]++;
    for (uint32_t r = 0; r < runs; r++) {
        uint32_t blocks = (lanes[r] + TRVI_BLOCK_LANES - 1) / TRVI_BLOCK_LANES;
        lanes[r] = *block * TRVI_BLOCK_LANES;
        *block += blocks;
    }
    for (uint32_t i = 0; i < world->links.count; i++) {
        trvi_link *link = &trvi_links_of(world)[i];
        if (is_shared_overflow(link))
            link->lane = lanes[run_of(link)]++;
    }
    return true;
}
