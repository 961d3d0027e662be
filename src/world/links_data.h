// Links: the contacts that take part in a step, as far as laying them out in blocks has to know them.
// Private to links.c, standing.c, blocks.c, overflow.c and solver.c.
#ifndef TRVI_LINKS_DATA_H
#define TRVI_LINKS_DATA_H

#include "solver_data.h"

// Contacts of a single point, which are solved by simpler means, share no block with others.
enum { TRVI_SINGLE, TRVI_SEVERAL, TRVI_KINDS };

// In trvi_link.says: of a contact's load in the step before, and of its sides.
enum {
    TRVI_LINK_STICKS = 1,
    TRVI_LINK_SLIDES = 2,
    TRVI_LINK_ON_STATIC = 4,
    TRVI_LINK_ON_HAND = 8,
    TRVI_LINK_ON_FOOT = 16,
    TRVI_LINK_ON_ROUND = 32,
    TRVI_LINK_TURNS = 64, // one past the other
    TRVI_LINK_UNYIELDING = TRVI_LINK_ON_STATIC | TRVI_LINK_ON_HAND
};

// What is known of an island, or a group of what friction holds together, before it is solved, by root.
enum {
    TRVI_KNOWN_HELD = 1,    // a foot holds it by friction, at rest; a group's may ride along
    TRVI_KNOWN_BY_HAND = 2, // it touches what is moved by hand; a group: not only what it rides on
    TRVI_KNOWN_EDGE = 4,    // it sticks to something that does not move with an edge
    TRVI_KNOWN_BODIES = 8   // times their number; not of groups
};

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
    uint8_t says;   // of its load, and its sides, TRVI_LINK_*
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

// One number for each solver body in each of these, side by side in world->parents.
enum {
    TRVI_COLUMN_PARENTS, // the forest of islands
    TRVI_COLUMN_SLOTS,   // by root: its place in world->islands, or TRVI_SLOT_ALONE or above
    TRVI_COLUMN_EFFORTS, // by root, until islands are chosen: bodies, and contacts of several points
    TRVI_COLUMN_KNOWN,   // by root: TRVI_KNOWN_*
    TRVI_COLUMN_TIERS,   // by root: of how many sweeps it took
    TRVI_COLUMN_GROUPS,  // the forest of what friction holds together
    TRVI_COLUMN_GROUPS_KNOWN, // by root
    TRVI_COLUMN_RIDES,        // by root: the solver body that the group stands on, or TRVI_NONE
    TRVI_COLUMNS
};

static inline uint32_t *trvi_column_of(const trv_world *world, uint32_t column)
{
    return (uint32_t *)world->parents.items + (size_t)column * world->solver_bodies.count;
}

// links.c
// Lists the contacts that take part.
void trvi_list_links(trv_world *world);

// standing.c
// Each body alone is a group.
void trvi_groups_begin(trv_world *world);
// What friction holds to one another is one.
void trvi_groups_join(trv_world *world, const trvi_link *link);
// Adds what a contact says to its bodies, to its group and to what is known of its island, TRVI_KNOWN_*.
void trvi_groups_add(trv_world *world, const trvi_link *link, uint32_t *island);
// Which bodies stand, and on what; `known` of islands, by root. Each learns its island's load, too.
void trvi_find_standing(trv_world *world, const uint32_t *known);

// overflow.c
// The level of a link that found no colour, and shares blocks: into its `lane`, one link after the other.
// *levels: how many there are by then, 0 at first.
void trvi_overflow_find_level(const trv_world *world, trvi_link *link, uint32_t *levels);
// Lays these links out in lanes from *block on, which becomes the block after them. False where there is no
// memory for it.
bool trvi_overflow_place(trv_world *world, uint32_t levels, uint32_t *block);

#endif
