// Links: the contacts that take part in a step, as far as laying them out in blocks has to know them.
// Private to blocks.c and overflow.c.
#ifndef TRVI_LINKS_DATA_H
#define TRVI_LINKS_DATA_H

#include "solver_data.h"

// Contacts of a single point, which are solved by simpler means, share no block with others.
enum { TRVI_SINGLE, TRVI_SEVERAL, TRVI_KINDS };

// Looked up once, as contacts lie far from one another.
typedef struct trvi_link {
    uint32_t contact;
    uint32_t active; // its place among the active ones
    uint32_t a, b;   // solver bodies
    uint32_t slot;   // of its island
    uint32_t lane;   // of all blocks' lanes; before it has one, how many are dealt before it, or
                     // its level, see overflow.c
    uint8_t color;
    uint8_t points;
    uint8_t says;   // of its load, and its sides, see blocks.c
    uint8_t island; // of its pack
} trvi_link;

static inline trvi_link *trvi_links_of(const trv_world *world)
{
    return world->links.items;
}

static inline uint32_t trvi_kind_of(const trvi_link *link)
{
    return link->points > 1 ? TRVI_SEVERAL : TRVI_SINGLE;
}

// Is it solved with care, and not in the blocks that the others share?
static inline bool trvi_is_careful(uint32_t slot)
{
    return slot < TRVI_SLOT_ALONE;
}

// overflow.c
// The level of a link that found no colour, and shares blocks: into its `lane`, one link after the other.
// *levels: how many there are by then, 0 at first.
void trvi_overflow_find_level(const trv_world *world, trvi_link *link, uint32_t *levels);
// Lays these links out in lanes from *block on, which becomes the block after them. False where there is no
// memory for it.
bool trvi_overflow_place(trv_world *world, uint32_t levels, uint32_t *block);

#endif
