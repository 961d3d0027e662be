// The way of a box through the columns that it meets, and the giants' one.
//
// A walk that spans more than size - 3 cells along an axis goes through all columns there, and
// takes an entry at its own first cell: see columns.c for why cells may repeat.
//
// Invariant: each entry that overlaps the box is met once, by trvi_walk_meets.
#include "broad_data.h"

trvi_walk trvi_walk_begin(const trvi_columns *columns, trv_aabb box)
{
    trvi_walk walk = {.columns = columns};
    if (columns->column_count == 0 || !trvi_aabb_overlaps(columns->bounds.outer, box)) {
        walk.next = 1; // beyond the giants of no columns
        return walk;
    }
    const trvi_grid *grid = &columns->grid;
    for (uint32_t k = 0; k < 3; k++) {
        walk.lower[k] = trvi_axis_of(box.lower, grid->axis[k]);
        walk.upper[k] = trvi_axis_of(box.upper, grid->axis[k]);
    }
    if (!trvi_aabb_overlaps(columns->bounds.inner, box))
        return walk; // the giants alone
    for (uint32_t k = 0; k < 2; k++) {
        // What lies outside of the bounds meets nothing, and its cells might not be countable.
        uint32_t axis = grid->axis[k + 1];
        float lower =
            trvi_larger(walk.lower[k + 1], trvi_axis_of(columns->bounds.inner.lower, axis));
        float upper =
            trvi_smaller(walk.upper[k + 1], trvi_axis_of(columns->bounds.inner.upper, axis));
        int32_t first = trvi_cell(lower, grid->inverse_cell[k]);
        uint32_t span = (uint32_t)(trvi_cell(upper, grid->inverse_cell[k]) - first) + 1;
        walk.first[k] = first;
        walk.wide[k] = span + TRVI_MAX_SPAN - 1 > grid->size[k];
        walk.span[k] = walk.wide[k] ? grid->size[k] : span;
    }
    return walk;
}

uint32_t trvi_first_reaching(const trvi_columns *columns, uint32_t first, uint32_t last,
                             double lower)
{
    const float *reach = columns->reach.items;
    uint32_t block = first / TRVI_BLOCK, end = (last + TRVI_BLOCK - 1) / TRVI_BLOCK;
    while (block < end) {
        uint32_t middle = block + (end - block) / 2;
        if (reach[middle] >= lower)
            end = middle;
        else
            block = middle + 1;
    }
    uint32_t entry = block * TRVI_BLOCK;
    return entry < last ? entry : last;
}

bool trvi_walk_next(trvi_walk *walk)
{
    const trvi_columns *columns = walk->columns;
    const uint32_t *start = columns->start.items;
    uint32_t total = walk->span[0] * walk->span[1];
    while (walk->next <= total) {
        uint32_t column = columns->column_count - 1;
        walk->flags = 0;
        if (walk->next < total) {
            uint32_t u = walk->next % walk->span[0], v = walk->next / walk->span[0];
            column = trvi_column_at(&columns->grid, walk->first[0] + (int32_t)u,
                                    walk->first[1] + (int32_t)v);
            walk->flags |= u == 0 && !walk->wide[0] ? TRVI_TAG_FIRST_U : 0;
            walk->flags |= v == 0 && !walk->wide[1] ? TRVI_TAG_FIRST_V : 0;
        }
        walk->next++;
        walk->end = start[column + 1];
        walk->entry = trvi_first_reaching(columns, start[column], walk->end, walk->lower[0]);
        if (walk->entry < walk->end)
            return true;
    }
    return false;
}
