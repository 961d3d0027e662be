// Bringing columns into order: many at once, each by itself, and those too large for that one after
// the other.
//
// Invariant: what may fail for want of memory does so before any column changes.
#include "broad_data.h"

enum { COLUMNS_PER_HAND_OVER = 2 }; // of some hundred entries each

// The parallel part: columns are settled or, after a build, sorted, each by itself.
typedef struct settler {
    trv_broad *broad;
    trvi_columns *columns;
    uint32_t set; // that the columns are of
    bool built;
} settler;

static void settle_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    settler *s = context;
    uint8_t *unfinished = s->broad->unfinished.items;
    const uint32_t *dirty = s->columns->dirty.items;
    for (uint32_t item = first; item < last; item++) {
        uint32_t column = s->columns->all_dirty ? item : dirty[item];
        if (s->built)
            ((uint8_t *)s->columns->mark.items)[column] |= TRVI_COLUMN_TOUCHED;
        bool done = s->built ? trvi_column_sort(s->columns, column)
                             : trvi_column_settle(s->broad, s->set, column);
        unfinished[item] = !done;
    }
}

bool trvi_reserve_sorting(trv_broad *broad, uint32_t entries, uint32_t items)
{
    if (!trvi_array_reserve(&broad->allocator, &broad->unfinished, items))
        return false;
    return entries <= TRVI_SMALL_COLUMN ||
           (trvi_array_reserve(&broad->allocator, &broad->keys[0], entries) &&
            trvi_array_reserve(&broad->allocator, &broad->keys[1], entries));
}

void trvi_sort_unfinished(trv_broad *broad, uint32_t set, uint32_t items)
{
    trvi_columns *columns = &broad->sets[set];
    const uint8_t *unfinished = broad->unfinished.items;
    const uint32_t *dirty = columns->dirty.items;
    for (uint32_t item = 0; item < items; item++) {
        uint32_t column = columns->all_dirty ? item : dirty[item];
        if (unfinished[item])
            trvi_column_sort_large(columns, column, broad->keys[0].items, broad->keys[1].items);
    }
}

trv_result trvi_settle_columns(trv_broad *broad, uint32_t set, bool built)
{
    trvi_columns *columns = &broad->sets[set];
    uint32_t items = columns->all_dirty ? columns->column_count : columns->dirty.count, most = 0;
    const uint32_t *dirty = columns->dirty.items, *fill = columns->fill.items;
    for (uint32_t item = 0; item < items; item++) {
        uint32_t count = fill[columns->all_dirty ? item : dirty[item]];
        most = count > most ? count : most;
    }
    if (!trvi_reserve_sorting(broad, most, items))
        return TRV_ERROR_MEMORY;
    settler s = {broad, columns, set, built};
    trvi_parallel_for(&broad->workers, items, COLUMNS_PER_HAND_OVER, settle_range, &s);
    trvi_sort_unfinished(broad, set, items);
    return TRV_OK;
}
