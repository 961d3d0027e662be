// Traits: what many shapes have in common, material and filter, kept once for all that are alike.
//
// A table of those in use is found by their numbers, bit by bit, through lists by hash. Which place
// a trait has means nothing, and is neither hashed nor written to files.
//
// Invariant: no two live traits are alike; each counts the shapes that have it; there are at least
// as many lists as places.
#include "world_data.h"

#include <string.h>

static trvi_trait *traits(const trv_world *world)
{
    return world->traits.items.items;
}

// All that tells traits apart, as words without gaps.
enum { MATERIAL = sizeof(trv_material) / sizeof(uint32_t), WORDS = MATERIAL + 5 };

typedef struct trait_words {
    uint32_t words[WORDS];
} trait_words;

static trait_words words_of(const trv_material *material, const trv_filter *filter)
{
    trait_words of;
    uint32_t *rest = of.words + MATERIAL;
    memcpy(of.words, material, sizeof *material);
    memcpy(rest, &filter->category, sizeof filter->category);
    memcpy(rest + 2, &filter->mask, sizeof filter->mask);
    memcpy(rest + 4, &filter->group, sizeof filter->group);
    return of;
}

static uint32_t *list_of(const trv_world *world, const trait_words *of)
{
    uint64_t mixed = 1;
    for (int i = 0; i < WORDS; i++) {
        mixed = (mixed ^ of->words[i]) * UINT64_C(0x9E3779B97F4A7C15);
        mixed ^= mixed >> 32;
    }
    return &((uint32_t *)world->trait_lists.items)[mixed % world->trait_lists.count];
}

static void add_to_list(trv_world *world, uint32_t index)
{
    trvi_trait *trait = &traits(world)[index];
    trait_words of = words_of(&trait->material, &trait->filter);
    uint32_t *list = list_of(world, &of);
    trait->next = *list;
    *list = index;
}

// As many lists as there may be traits without an allocation.
static bool reserve_lists(trv_world *world)
{
    uint32_t wanted = world->traits.items.capacity;
    if (world->trait_lists.count >= wanted)
        return true;
    if (!trvi_array_reserve(&world->allocator, &world->trait_lists, wanted))
        return false;
    world->trait_lists.count = wanted;
    memset(world->trait_lists.items, 0xff, (size_t)wanted * sizeof(uint32_t)); // TRVI_NONE
    for (uint32_t i = 0; i < world->traits.items.count; i++)
        if (traits(world)[i].users > 0)
            add_to_list(world, i);
    return true;
}

bool trvi_trait_take(trv_world *world, const trv_material *material, const trv_filter *filter,
                     uint32_t *index)
{
    trait_words of = words_of(material, filter);
    uint32_t at = world->trait_lists.count > 0 ? *list_of(world, &of) : TRVI_NONE;
    for (; at != TRVI_NONE; at = traits(world)[at].next) {
        trait_words there = words_of(&traits(world)[at].material, &traits(world)[at].filter);
        if (memcmp(&there, &of, sizeof of) != 0)
            continue;
        traits(world)[at].users++;
        *index = at;
        return true;
    }
    bool fresh = world->traits.free.count == 0;
    if (trvi_pool_take(&world->allocator, &world->traits, index) != TRV_OK)
        return false;
    if (!reserve_lists(world)) {
        trvi_pool_untake(&world->traits, *index, fresh);
        return false;
    }
    traits(world)[*index] = (trvi_trait){*material, 1, *filter, TRVI_NONE};
    traits(world)[*index].filter.reserved = 0;
    add_to_list(world, *index);
    return true;
}

void trvi_trait_keep(trv_world *world, uint32_t index)
{
    traits(world)[index].users++;
}

void trvi_trait_give(trv_world *world, uint32_t index)
{
    trvi_trait *trait = &traits(world)[index];
    TRVI_ASSERT(trait->users > 0);
    if (--trait->users > 0)
        return;
    trait_words of = words_of(&trait->material, &trait->filter);
    uint32_t *link = list_of(world, &of);
    while (*link != index)
        link = &traits(world)[*link].next;
    *link = trait->next;
    trvi_pool_give(&world->traits, index);
}
