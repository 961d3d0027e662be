// The room of columns in their arrays: each has some beyond its entries, and where one has too
// little, all are moved apart.
//
// Invariant: see trvi_columns; what may fail for want of memory does so before any entry moves.
#include "place.h"

enum {
    ROOM_TO_SPARE = 16, // one in so much may be more than columns need
    GROWTH_SHARE = 128  // one in so many entries more than that, where there are too few
};

// Entries are most of what a proxy takes, so that they grow by little at a time.
bool trvi_reserve_entries(const trv_broad *broad, trvi_columns *columns, uint64_t count,
                          uint32_t column_count)
{
    const trv_allocator *allocator = &broad->allocator;
    uint64_t room = count <= columns->tag.capacity ? count : count + count / GROWTH_SHARE;
    if (room > UINT32_MAX)
        return false;
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        if (!trvi_array_reserve_just(allocator, &columns->part[k], (uint32_t)room))
            return false;
    }
    return trvi_array_reserve_just(allocator, &columns->tag, (uint32_t)room) &&
           trvi_array_reserve_just(allocator, &columns->reach, (uint32_t)room / TRVI_BLOCK) &&
           trvi_array_reserve(allocator, &columns->start, column_count + 1) &&
           trvi_array_reserve(allocator, &columns->mark, column_count) &&
           trvi_array_reserve(allocator, &columns->dirty, column_count);
}

// After the columns end at `sum`.
void trvi_end_entries(trvi_columns *columns, uint32_t sum)
{
    trvi_column_clear(columns, sum, sum + TRVI_TAIL);
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++)
        columns->part[k].count = sum + TRVI_TAIL;
    columns->tag.count = sum + TRVI_TAIL;
    columns->reach.count = (sum + TRVI_TAIL) / TRVI_BLOCK;
    columns->start.count = columns->column_count + 1;
    columns->fill.count = columns->mark.count = columns->column_count;
}

typedef struct rooms {
    uint64_t least,
        most;     // of all columns together, where each has what it needs, or keeps what it has
    bool lacking; // one has too little
} rooms;

// How much room all columns need for what they hold and what is counted.
static rooms add_rooms(const trv_broad *broad, const trvi_columns *columns)
{
    const uint32_t *fill = columns->fill.items, *start = columns->start.items;
    const uint32_t *counts = broad->counts.items;
    rooms all = {.least = TRVI_TAIL, .most = TRVI_TAIL};
    for (uint32_t c = 0; c < columns->column_count; c++) {
        uint32_t has = start[c + 1] - start[c], needs = trvi_room_for(fill[c] + counts[c]);
        all.lacking = all.lacking || fill[c] + counts[c] > has;
        all.least += needs;
        all.most += needs > has ? needs : has;
    }
    return all;
}

static void move_entries(const trvi_columns *columns, uint32_t from, uint32_t to, uint32_t count)
{
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        float *part = trvi_part(columns, k);
        memmove(part + to, part + from, count * sizeof *part);
    }
    uint32_t *tag = columns->tag.items;
    memmove(tag + to, tag + from, count * sizeof *tag);
}

// Moves all entries down, one behind the other.
static void move_down(const trvi_columns *columns)
{
    uint32_t *start = columns->start.items, sum = 0;
    const uint32_t *fill = columns->fill.items;
    for (uint32_t c = 0; c < columns->column_count; c++) {
        move_entries(columns, start[c], sum, fill[c]);
        start[c] = sum;
        sum += fill[c];
    }
}

// Makes room for what arrives, if there is none: moves all entries up, from the last column on, to
// where they have it. No column gives up room, so that none has to be moved down first, unless that
// would leave much of it empty.
trv_result trvi_make_room(trv_broad *broad, uint32_t set)
{
    trvi_columns *columns = &broad->sets[set];
    rooms all = add_rooms(broad, columns);
    if (!all.lacking)
        return TRV_OK;
    bool tight = all.most - all.least > all.least / ROOM_TO_SPARE;
    uint64_t room = tight ? all.least : all.most;
    if (!trvi_reserve_entries(broad, columns, room, columns->column_count))
        return TRV_ERROR_MEMORY;
    if (tight)
        move_down(columns);
    uint32_t *start = columns->start.items;
    const uint32_t *fill = columns->fill.items, *counts = broad->counts.items;
    uint32_t end = (uint32_t)room - TRVI_TAIL, old_end = start[columns->column_count];
    start[columns->column_count] = end;
    for (uint32_t c = columns->column_count; c > 0; c--) {
        uint32_t own = trvi_room_for(fill[c - 1] + counts[c - 1]), had = old_end - start[c - 1];
        old_end = start[c - 1];
        uint32_t to = end - (!tight && had > own ? had : own);
        if (to != start[c - 1])
            move_entries(columns, start[c - 1], to, fill[c - 1]);
        trvi_column_clear(columns, to + fill[c - 1], end);
        start[c - 1] = end = to;
    }
    trvi_end_entries(columns, (uint32_t)room - TRVI_TAIL);
    for (uint32_t c = 0; c < columns->column_count; c++)
        trvi_column_reach(columns, c);
    return TRV_OK;
}
