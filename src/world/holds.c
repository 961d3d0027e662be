// The world's references to hulls, and how long it keeps them for the sake of saves.
//
// A save holds pointers to hulls, not the hulls. So a reference that some save may know is not
// given back with its shape: it retires, and is given back when `kept_saves` further saves have
// been made. Each reference has a name, the hold: a number that the world gives out once only,
// joined with a digest of the hull. A save is restored only where every hold in it is held still,
// by the same shape or retired, with the same pointer; nothing that an old save points to is ever
// looked at.
//
// Invariant: `retired` has room for itself and for all live shapes that are hulls.
#include "fields.h"

#include <string.h>

static bool is_held(const trvi_shape *shape)
{
    return (shape->flags & TRVI_SHAPE_LIVE) && shape->solid.kind == TRV_SHAPE_HULL;
}

bool trvi_hold_reserve(trv_world *world, uint32_t hulls)
{
    return trvi_array_reserve(&world->allocator, &world->retired,
                              world->retired.count + world->hull_shapes + hulls);
}

void trvi_hold(trv_world *world, trvi_shape *shape)
{
    shape->hold = 0;
    if (shape->solid.kind != TRV_SHAPE_HULL)
        return;
    world->holds++;
    shape->hold = world->holds << 24 | (trvi_hull_digest(shape->solid.as.hull) & 0xffffffu);
    world->hull_shapes++;
}

static void retire(trv_world *world, const trvi_shape *shape)
{
    if (shape->hold >> 24 > world->saved_holds) {
        trv_hull_release(shape->solid.as.hull);
        return;
    }
    TRVI_ASSERT(world->retired.count < world->retired.capacity);
    trvi_retired *retired = world->retired.items;
    retired[world->retired.count++] =
        (trvi_retired){shape->hold, shape->solid.as.hull, world->saves};
}

void trvi_let_go(trv_world *world, trvi_shape *shape)
{
    if (shape->solid.kind != TRV_SHAPE_HULL)
        return;
    retire(world, shape);
    shape->hold = 0;
    world->hull_shapes--;
}

void trvi_holds_saved(trv_world *world)
{
    trvi_retired *retired = world->retired.items;
    uint32_t kept = 0;
    world->saves++;
    world->saved_holds = world->holds;
    for (uint32_t i = 0; i < world->retired.count; i++) {
        if (world->saves - retired[i].save > world->kept_saves)
            trv_hull_release(retired[i].hull);
        else
            retired[kept++] = retired[i];
    }
    world->retired.count = kept;
}

// Shell's sort with Knuth's gaps; holds are unique.
static void sort_retired(trv_world *world)
{
    static const uint32_t gaps[] = {29524, 9841, 3280, 1093, 364, 121, 40, 13, 4, 1};
    trvi_retired *retired = world->retired.items;
    for (uint32_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (uint32_t i = gaps[g]; i < world->retired.count; i++) {
            trvi_retired moved = retired[i];
            uint32_t at = i;
            for (; at >= gaps[g] && retired[at - gaps[g]].hold > moved.hold; at -= gaps[g])
                retired[at] = retired[at - gaps[g]];
            retired[at] = moved;
        }
}

// The place of a hold among the sorted retired ones; TRVI_NONE where it is not there.
static uint32_t find_retired(const trv_world *world, uint64_t hold)
{
    const trvi_retired *retired = world->retired.items;
    uint32_t first = 0, last = world->retired.count;
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (retired[middle].hold < hold)
            first = middle + 1;
        else
            last = middle;
    }
    return first < world->retired.count && retired[first].hold == hold ? first : TRVI_NONE;
}

// Shape i of a save, which lies there without alignment.
static trvi_shape shape_at(const char *shapes, uint32_t i)
{
    trvi_shape shape;
    memcpy(&shape, shapes + (size_t)i * sizeof shape, sizeof shape);
    return shape;
}

// Does shape i have the saved hull now?
static bool has_now(const trv_world *world, const trvi_shape *saved, uint32_t i)
{
    if (i >= world->shapes.items.count)
        return false;
    const trvi_shape *now = &trvi_shapes(world)[i];
    return is_held(now) && now->hold == saved->hold && now->solid.as.hull == saved->solid.as.hull;
}

bool trvi_holds_known(trv_world *world, const char *shapes, uint32_t count)
{
    const trvi_retired *retired = world->retired.items;
    sort_retired(world);
    for (uint32_t i = 0; i < count; i++) {
        trvi_shape saved = shape_at(shapes, i);
        if (!is_held(&saved) || has_now(world, &saved, i))
            continue;
        uint32_t place = find_retired(world, saved.hold);
        if (place == TRVI_NONE || retired[place].hull != saved.solid.as.hull)
            return false;
    }
    return true;
}

void trvi_holds_restore(trv_world *world, const char *shapes, uint32_t count)
{
    trvi_retired *retired = world->retired.items;
    uint32_t sorted = world->retired.count, kept = 0;
    world->hull_shapes = 0;
    // What comes back leaves the retired ones...
    for (uint32_t i = 0; i < count; i++) {
        trvi_shape saved = shape_at(shapes, i);
        world->hull_shapes += is_held(&saved);
        if (is_held(&saved) && !has_now(world, &saved, i))
            retired[find_retired(world, saved.hold)].hull = NULL;
    }
    for (uint32_t i = 0; i < sorted; i++)
        if (retired[i].hull != NULL)
            retired[kept++] = retired[i];
    world->retired.count = kept;
    // ...and what is not in the save joins them.
    for (uint32_t i = 0; i < world->shapes.items.count; i++) {
        const trvi_shape *now = &trvi_shapes(world)[i];
        if (!is_held(now))
            continue;
        trvi_shape saved = {0};
        if (i < count)
            saved = shape_at(shapes, i);
        if (!is_held(&saved) || saved.hold != now->hold)
            retire(world, now);
    }
}

bool trvi_holds_inherit(trv_world *heir, trv_world *old)
{
    if (!trvi_hold_reserve(heir, old->retired.count + old->hull_shapes))
        return false;
    trvi_retired *retired = heir->retired.items;
    const trvi_retired *before = old->retired.items;
    for (uint32_t i = 0; i < old->retired.count; i++)
        retired[heir->retired.count++] = before[i];
    old->retired.count = 0;
    for (uint32_t i = 0; i < old->shapes.items.count; i++) {
        trvi_shape *shape = &trvi_shapes(old)[i];
        if (!is_held(shape))
            continue;
        retire(heir, shape);
        shape->flags &= (uint16_t)~TRVI_SHAPE_LIVE;
    }
    return true;
}

void trvi_holds_free(trv_world *world)
{
    const trvi_shape *shapes = trvi_shapes(world);
    const trvi_retired *retired = world->retired.items;
    for (uint32_t i = 0; i < world->shapes.items.count; i++)
        if (is_held(&shapes[i]))
            trv_hull_release(shapes[i].solid.as.hull);
    for (uint32_t i = 0; i < world->retired.count; i++)
        trv_hull_release(retired[i].hull);
}
