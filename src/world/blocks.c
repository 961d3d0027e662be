// Lays the contacts of a step out in blocks.
//
// Contacts of all but the largest islands go into blocks of their own, pack after pack of islands:
// these are solved with care. All others share the blocks before them, colour by colour. Which of
// the two it is, and in which order an island's contacts are solved, depends on that island alone.
#include "impact_data.h"
#include "links_data.h"

#include <string.h>

// So many are worth waking another worker.
enum { LINKS_EACH = 1024 };

// Contacts of one colour and kind fill blocks [first_block, first_block + blocks).
typedef struct color_run {
    uint32_t contacts;
    uint32_t first_block;
    uint32_t blocks;
} color_run;

typedef struct color_runs {
    color_run of[TRVI_COLORS + 1][TRVI_KINDS];
} color_runs;

static uint32_t *parents_of(const trv_world *world)
{
    return trvi_column_of(world, TRVI_COLUMN_PARENTS);
}

static uint32_t *slots_of(const trv_world *world)
{
    return trvi_column_of(world, TRVI_COLUMN_SLOTS);
}

// Where efforts were.
static uint32_t *island_bodies(const trv_world *world)
{
    return trvi_column_of(world, TRVI_COLUMN_EFFORTS);
}

const uint32_t *trvi_island_bodies(const trv_world *world)
{
    return island_bodies(world);
}

// Sorts the bodies of the careful islands by island.
static void list_island_bodies(trv_world *world)
{
    trvi_island *islands = world->islands.items;
    uint32_t *parents = parents_of(world), *slots = slots_of(world), *list = island_bodies(world);
    uint32_t first = 0;
    for (uint32_t i = 1; i < world->solver_bodies.count; i++) {
        uint32_t slot = slots[trvi_island_root(parents, i)];
        if (trvi_is_careful(slot))
            islands[slot].bodies++;
    }
    for (uint32_t i = 0; i < world->islands.count; i++) {
        islands[i].first_body = first;
        first += islands[i].bodies;
        islands[i].bodies = 0;
    }
    for (uint32_t i = 1; i < world->solver_bodies.count; i++) {
        uint32_t slot = slots[trvi_island_root(parents, i)];
        if (trvi_is_careful(slot))
            list[islands[slot].first_body + islands[slot].bodies++] = i;
    }
}

// Joins what can be pushed to islands. Until these are chosen, a slot is a body of the island; then
// its root.
static void find_islands(trv_world *world)
{
    const trvi_link *links = trvi_links_of(world);
    uint32_t *parents = parents_of(world);
    for (uint32_t i = 0; i < world->solver_bodies.count; i++)
        parents[i] = i;
    trvi_groups_begin(world);
    for (uint32_t i = 0; i < world->links.count; i++) {
        if (links[i].says & TRVI_LINK_UNYIELDING)
            continue;
        trvi_island_join(parents, links[i].a, links[i].b);
        trvi_groups_join(world, &links[i]);
    }
}

// Adds to its island, and to its group, what each contact says.
static void sum_links(trv_world *world, uint32_t *contacts, uint32_t *efforts, uint32_t *known)
{
    for (uint32_t i = 0; i < world->links.count; i++) {
        trvi_link *of = &trvi_links_of(world)[i];
        uint32_t root = trvi_island_root(parents_of(world), of->slot);
        trvi_groups_add(world, of, &known[root]);
        of->slot = root;
        contacts[root]++;
        efforts[root] += of->points > 1;
    }
}

// Not too large, and not of one body that touches with a single point, where one sweep is enough.
// `effort`: bodies, and contacts of several points.
static bool deserves_care(uint32_t contacts, uint32_t effort)
{
    return (effort > 1 || contacts > 1) && contacts > 0 && contacts <= TRVI_CAREFUL_CONTACTS;
}

// Where an island lies among the others, which share packs with their neighbours: first by how many sweeps it
// is likely to take, then by its size; those that have packs of their own come last.
enum {
    SIZES = TRVI_PACK_CONTACTS + 1,
    PLACE_ALONE = TRVI_TOIL_TIERS * SIZES,
    PLACES = PLACE_ALONE + 1
};

static uint32_t place_of(uint32_t contacts, uint32_t tier)
{
    return contacts < SIZES ? tier * SIZES + contacts : PLACE_ALONE;
}

// Chooses the islands that are solved with care.
static bool choose_islands(trv_world *world, float substep)
{
    trvi_solver_body *bodies = world->solver_bodies.items;
    uint32_t count = world->solver_bodies.count;
    uint32_t *parents = parents_of(world), *slots = slots_of(world);
    uint32_t *efforts = trvi_column_of(world, TRVI_COLUMN_EFFORTS);
    uint32_t *known = trvi_column_of(world, TRVI_COLUMN_KNOWN);
    uint32_t *tiers = trvi_column_of(world, TRVI_COLUMN_TIERS);
    memset(slots, 0, (TRVI_COLUMN_GROUPS - TRVI_COLUMN_SLOTS) * count * sizeof *slots);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t root = trvi_island_root(parents, i), tier = trvi_toil_tier(world, bodies[i].body);
        tiers[root] = tier > tiers[root] ? tier : tiers[root];
        efforts[root]++;
        known[root] += TRVI_KNOWN_BODIES;
        bodies[root].load += root != i ? bodies[i].load : 0.0f;
    }
    sum_links(world, slots, efforts, known);
    trvi_island *islands = world->islands.items;
    uint32_t next[PLACES] = {0};
    for (uint32_t i = 0; i < count; i++)
        if (deserves_care(slots[i], efforts[i]))
            next[place_of(slots[i], tiers[i])]++;
    world->islands.count = trvi_starts_of_counts(next, PLACES);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t contacts = slots[i];
        slots[i] = efforts[i] > 1 ? TRVI_SLOT_LARGE : TRVI_SLOT_ALONE;
        if (deserves_care(contacts, efforts[i])) {
            slots[i] = next[place_of(contacts, tiers[i])]++;
            memset(&islands[slots[i]], 0, sizeof *islands);
            islands[slots[i]].by_hand = (known[i] & TRVI_KNOWN_BY_HAND) != 0;
        }
    }
    trvi_find_standing(world, known);
    list_island_bodies(world);
    return trvi_find_more_sweeps(world, substep, parents, slots, known);
}

static color_run *run_of(color_runs *runs, const trvi_link *of)
{
    bool overflow = of->color == TRVI_OVERFLOW; // there the order counts
    return &runs->of[of->color][overflow ? TRVI_SEVERAL : trvi_kind_of(of)];
}

// A colour that is free at both bodies; bodies that cannot be pushed don't count. Contacts with
// such bodies come after the others where there is room: what holds a heap up has the last word.
static uint8_t pick_color(trvi_solver_body *a, trvi_solver_body *b)
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
        return (uint8_t)color;
    }
    a->colors |= 1u << TRVI_OVERFLOW; // colours tell, too, that contacts may act on the body
    b->colors |= 1u << TRVI_OVERFLOW;
    return TRVI_OVERFLOW;
}

// Counts the contacts of the shared colours, and of the careful islands. Gives how many levels the shared
// overflow has.
static uint32_t color_contacts(trv_world *world, color_runs *shared)
{
    trvi_solver_body *bodies = world->solver_bodies.items;
    trvi_island *islands = world->islands.items;
    const uint32_t *slots = slots_of(world);
    uint32_t used = 0, levels = 0;
    for (uint32_t i = 0; i < world->links.count; i++) {
        trvi_link *of = &trvi_links_of(world)[i];
        of->slot = slots[of->slot];
        of->color = pick_color(&bodies[of->a], &bodies[of->b]);
        used |= 1u << of->color;
        if (trvi_is_careful(of->slot))
            islands[of->slot].contacts++;
        else if (of->color == TRVI_OVERFLOW)
            trvi_overflow_find_level(world, of, &levels);
        else
            of->lane = run_of(shared, of)->contacts++;
    }
    world->counters.colors = 0;
    for (uint32_t c = 0; c <= TRVI_COLORS; c++)
        world->counters.colors += used >> c & 1u;
    return levels;
}

// Puts the runs one after the other from block `next` on; gives the block after them.
static uint32_t place_runs(color_runs *runs, uint32_t next)
{
    for (uint32_t c = 0; c <= TRVI_COLORS; c++) {
        uint32_t lanes = c == TRVI_OVERFLOW ? 1 : TRVI_BLOCK_LANES;
        for (uint32_t kind = 0; kind < TRVI_KINDS; kind++) {
            color_run *run = &runs->of[c][kind];
            run->first_block = next;
            run->blocks = (run->contacts + lanes - 1) / lanes;
            next += run->blocks;
        }
    }
    return next;
}

// Sorts the contacts of the careful islands by island, in canonical order within each.
static void list_members(trv_world *world)
{
    trvi_island *islands = world->islands.items;
    uint32_t *members = world->members.items, first = 0;
    for (uint32_t i = 0; i < world->islands.count; i++) {
        islands[i].first_member = first;
        first += islands[i].contacts;
        islands[i].contacts = 0;
    }
    for (uint32_t i = 0; i < world->links.count; i++) {
        uint32_t slot = trvi_links_of(world)[i].slot;
        if (trvi_is_careful(slot))
            members[islands[slot].first_member + islands[slot].contacts++] = i;
    }
}

// Gives an island the first colours, in the order of those that it has: blocks are full where islands have
// contacts of the same colour.
static void count_colors_anew(trv_world *world, const trvi_island *island)
{
    const uint32_t *members = (const uint32_t *)world->members.items + island->first_member;
    uint32_t used = 0;
    uint8_t anew[TRVI_COLORS + 1], next = 0;
    for (uint32_t m = 0; m < island->contacts; m++)
        used |= 1u << trvi_links_of(world)[members[m]].color;
    for (uint32_t c = 0; c < TRVI_COLORS; c++)
        anew[c] = used >> c & 1u ? next++ : 0;
    anew[TRVI_OVERFLOW] = TRVI_OVERFLOW;
    for (uint32_t m = 0; m < island->contacts; m++) {
        trvi_link *of = &trvi_links_of(world)[members[m]];
        of->color = anew[of->color];
    }
}

// Adds an island's contacts to the runs of its pack; gives the island's effort.
static uint32_t count_island(trv_world *world, const trvi_island *island, uint32_t place,
                             color_runs *runs)
{
    const uint32_t *members = (const uint32_t *)world->members.items + island->first_member;
    const color_runs before = *runs;
    for (uint32_t m = 0; m < island->contacts; m++) {
        trvi_link *of = &trvi_links_of(world)[members[m]];
        of->lane = run_of(runs, of)->contacts++;
        of->island = (uint8_t)place;
    }
    uint32_t effort = 0;
    for (uint32_t c = 0; c <= TRVI_COLORS; c++) {
        uint32_t lanes = c == TRVI_OVERFLOW ? 1 : TRVI_EFFORT_LANES, contacts = 0;
        for (uint32_t kind = 0; kind < TRVI_KINDS; kind++)
            contacts += runs->of[c][kind].contacts - before.of[c][kind].contacts;
        effort += (contacts + lanes - 1) / lanes;
    }
    return effort;
}

// From its place in its run to that among all lanes.
static void find_lane(color_runs *runs, trvi_link *of)
{
    uint32_t lanes = of->color == TRVI_OVERFLOW ? 1 : TRVI_BLOCK_LANES;
    uint32_t block = run_of(runs, of)->first_block + of->lane / lanes;
    of->lane = block * TRVI_BLOCK_LANES + of->lane % lanes;
}

// Islands share nothing that moves but what is moved by hand, and blows.
static void set_apart(trv_world *world, trvi_island *pack)
{
    trvi_solver_body *bodies = world->solver_bodies.items;
    pack->apart = !world->has_impacts;
    for (uint32_t k = 0; k < pack->pack; k++)
        pack->apart = pack->apart && !pack[k].by_hand;
    for (uint32_t k = 0; k < pack->pack; k++)
        for (uint32_t i = 0; i < pack[k].bodies; i++)
            bodies[trvi_island_bodies(world)[pack[k].first_body + i]].apart = pack->apart;
}

// Joins islands to packs, each as many small ones as a block has lanes; lays out their blocks from
// `next` on, and gives the block after them. Who is in a pack with whom changes nothing but the
// time it takes.
static uint32_t place_packs(trv_world *world, uint32_t next)
{
    trvi_island *islands = world->islands.items;
    const uint32_t *members = world->members.items;
    for (uint32_t i = 0, count; i < world->islands.count; i += count) {
        color_runs runs;
        memset(&runs, 0, sizeof runs);
        for (count = 0; i + count < world->islands.count && count < TRVI_BLOCK_LANES; count++) {
            trvi_island *island = &islands[i + count];
            if (count > 0 &&
                (island->contacts > TRVI_PACK_CONTACTS || islands[i].contacts > TRVI_PACK_CONTACTS))
                break;
            count_colors_anew(world, island);
            island->effort = count_island(world, island, count, &runs);
        }
        islands[i].pack = count;
        islands[i].first_block = next;
        next = place_runs(&runs, next);
        islands[i].blocks = next - islands[i].first_block;
        for (uint32_t k = 0; k < count; k++)
            for (uint32_t m = 0; m < islands[i + k].contacts; m++)
                find_lane(&runs, &trvi_links_of(world)[*members++]);
        set_apart(world, &islands[i]);
    }
    return next;
}

// In which order workers take the packs: as they lie, but for large ones, which come first in the
// parts that all are cut into, and the largest first of all. Else one could be left for the end,
// when nobody else has anything to do. `blocks`: of all packs.
static void order_packs(trv_world *world, uint32_t blocks)
{
    enum { SMALL_PART = 32 }; // of the blocks: so much can be left for the end
    trvi_island *islands = world->islands.items;
    uint32_t large = 0, packs = 0, most = 0, at = 0;
    for (uint32_t i = 0; i < world->islands.count; i += islands[i].pack) {
        large += islands[i].blocks > blocks / SMALL_PART;
        packs++;
    }
    world->packs = packs;
    uint32_t begun = 0, passed = 0, next = 0; // parts: that have their large one, or were reached
    for (uint32_t i = 0; i < world->islands.count; i += islands[i].pack) {
        bool is_large = islands[i].blocks > blocks / SMALL_PART;
        for (; !is_large && passed < large && next == passed * packs / large; passed++)
            next++;
        // There are fewer than SMALL_PART large ones, so that this is no large product.
        uint32_t place = is_large ? begun++ * packs / large : next++;
        islands[place].turn = i;
        if (islands[i].blocks > most) {
            most = islands[i].blocks;
            at = place;
        }
    }
    if (packs > 0) {
        uint32_t largest = islands[at].turn;
        islands[at].turn = islands[0].turn;
        islands[0].turn = largest;
    }
}

static void clear_lane(trvi_block *block, uint32_t lane)
{
    block->contact[lane] = TRVI_NONE;
    block->body_a[lane] = block->body_b[lane] = TRVI_UNMOVED;
    block->radius_a[lane] = block->radius_b[lane] = block->counts[lane] = 0.0f;
    block->friction[lane] = block->rolling[lane] = 0.0f;
    block->island[lane] = 0;
    block->hard[lane] = false;
    block->more[lane] = 0;
}

static void deal(const trv_world *world, const trvi_link *dealt, trvi_block *block, uint32_t lane)
{
    const trvi_sides *sides = &trvi_sides_of_active(world)[dealt->active];
    block->contact[lane] = dealt->contact;
    block->active[lane] = dealt->active;
    block->body_a[lane] = dealt->a;
    block->body_b[lane] = dealt->b;
    block->radius_a[lane] = sides->radius_a;
    block->radius_b[lane] = sides->radius_b;
    block->friction[lane] = sides->friction;
    block->rolling[lane] = sides->rolling;
    block->rolls = block->rolls || sides->rolling > 0.0f;
    block->round = block->round || sides->radius_a > 0.0f || sides->radius_b > 0.0f;
    block->counts[lane] = (float)dealt->points;
    block->island[lane] = dealt->island;
    block->hard[lane] = dealt->slot <= TRVI_SLOT_ALONE;
    block->more[lane] = block->hard[lane] ? 0 : (uint16_t)(TRVI_SLOT_LARGE - dealt->slot);
    block->points = dealt->points > block->points ? dealt->points : block->points;
    block->lanes = (uint16_t)(lane + 1);
}

void trvi_deal_block(const trv_world *world, trvi_block *block)
{
    size_t index = (size_t)(block - (const trvi_block *)world->blocks.items);
    const uint32_t *dealt = (const uint32_t *)world->dealt.items + index * TRVI_BLOCK_LANES;
    block->points = block->lanes = 0;
    block->rolls = block->round = false;
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
        if (dealt[lane] == TRVI_NONE)
            clear_lane(block, lane);
        else
            deal(world, &trvi_links_of(world)[dealt[lane]], block, lane);
    }
}

typedef struct dealing {
    trv_world *world;
    color_runs *shared;
} dealing;

// Each link has a lane of its own, and nothing else is written.
static void deal_links(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const dealing *job = context;
    const trv_world *world = job->world;
    uint32_t *dealt = world->dealt.items;
    for (uint32_t i = first; i < last; i++) {
        trvi_link *of = &trvi_links_of(world)[i];
        if (!trvi_is_careful(of->slot) && of->color != TRVI_OVERFLOW)
            find_lane(job->shared, of);
        dealt[of->lane] = i;
        if (world->has_impacts)
            ((trvi_meeting *)world->meetings.items)[of->active].lane = of->lane;
    }
}

// Deals the contacts to the lanes of their colour's blocks, in canonical order. The blocks
// themselves are filled as they are prepared: each has to be fetched only once by that.
static void deal_contacts(trv_world *world, color_runs *shared)
{
    uint32_t *dealt = world->dealt.items;
    dealing job = {world, shared};
    if (world->blocks.count > 0) // else there is no array either
        memset(dealt, 0xFF, (size_t)world->blocks.count * TRVI_BLOCK_LANES * sizeof *dealt);
    trvi_parallel_for(&world->workers, world->links.count, LINKS_EACH, deal_links, &job);
}

void trvi_blocks_init(trv_world *world)
{
    world->blocks.stride = sizeof(trvi_block);
    world->blocks.in_lines = world->blocks.bare = true;
    world->islands.stride = sizeof(trvi_island);
    world->members.stride = sizeof(uint32_t);
    world->links.stride = sizeof(trvi_link);
    world->links.bare = true;
    world->dealt.stride = sizeof(uint32_t);
    world->trials.stride = sizeof(trvi_trial);
    world->trials.bare = true;
    world->levels.stride = sizeof(uint32_t);
    trvi_layers_init(world);
    trvi_toils_init(world);
}

trv_result trvi_lay_out_blocks(trv_world *world, float substep)
{
    const trv_allocator *allocator = &world->allocator;
    if (!trvi_toils_reserve(world) ||
        !trvi_array_reserve(allocator, &world->islands, world->solver_bodies.count) ||
        !trvi_array_reserve(allocator, &world->members, world->active.count) ||
        !trvi_array_reserve(allocator, &world->links, world->active.count))
        return TRV_ERROR_MEMORY;
    trvi_list_links(world);
    find_islands(world);
    if (!choose_islands(world, substep))
        return TRV_ERROR_MEMORY;
    color_runs shared;
    memset(&shared, 0, sizeof shared);
    uint32_t levels = color_contacts(world, &shared);
    uint32_t first_overflow = place_runs(&shared, 0), first_careful = first_overflow;
    if (!trvi_overflow_place(world, levels, &first_careful))
        return TRV_ERROR_MEMORY;
    list_members(world);
    uint32_t blocks = place_packs(world, first_careful);
    order_packs(world, blocks - first_careful);
    world->blocks.count = 0; // what they held of the last step is over
    if (!trvi_array_reserve(allocator, &world->blocks, blocks) ||
        !trvi_array_reserve(allocator, &world->dealt, blocks * TRVI_BLOCK_LANES) ||
        !trvi_array_reserve(allocator, &world->trials, blocks - first_careful))
        return TRV_ERROR_MEMORY;
    world->blocks.count = blocks;
    for (uint32_t c = 0; c <= TRVI_COLORS; c++)
        world->color_runs[c] = shared.of[c][TRVI_SINGLE].first_block;
    world->color_runs[TRVI_COLORS + 1] = first_careful;
    deal_contacts(world, &shared);
    return TRV_OK;
}
