// The columns of a set: its boxes sorted along one axis, in columns over the other two.
//
// Along s, the axis on which the boxes spread most, they are sorted by their lower side; u and v
// are cut into cells of a few mean extents, and each cell is a column of boxes. A box
// has an entry in each column that it meets, a few at most: what meets many cells is a giant, and
// all giants are one more column. Two boxes that share several columns must be found once: in the
// one that holds the lower corner of their overlap, which is the column that is, along u and along
// v, the first of one of the two. So two flags for each entry decide it.
//
// Cells repeat: cell c and cell c + size share a column, which needs no limit on where boxes are.
// Two boxes that overlap lie together in less than 2 * TRVI_MAX_SPAN = 8 <= size cells, so that
// they never meet in one column from two different cells. A walk that spans more than size - 3
// cells along an axis goes through all columns there, and takes an entry at its own first cell.
//
// Cells are powers of two: the cell of a coordinate, and a cell's sides, are exact.
//
// Based on: David Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992 (sweep and
// prune); Fuchang Liu, Takahiro Harada, Youngeun Lee, Young J. Kim, "Real-time Collision Culling
// of a Million Bodies on Graphics Processing Units", 2010 (cells across the sweep).
#include "broad_data.h"

#include <string.h>

// A cell is this many mean extents or up to twice as much. Smaller: more boxes have entries in
// several columns. Larger: more boxes of a column overlap along s alone. Measured: 1.5, 2.5 and 5
// differ little in updates, and rays look through far fewer boxes at 2.5 than at 5.
#define CELL_EXTENTS 2.5

// The axis is changed only for one that spreads this much more: changing it undoes the order.
#define AXIS_HYSTERESIS 1.5

enum {
    MEMBERS_PER_COLUMN = 32,
    PROXIES_PER_MEMBER = 8,
    MIN_SIZE = 2 * TRVI_MAX_SPAN,
    MAX_SIZE = 1 << 14
};

// Puts the members in order of index, so that what follows reads the boxes in the order in which
// they lie, and the stable sort leaves equal lower sides in order of index. Only where a look at all
// proxies is worth it.
static void order_members(trv_broad *broad, trvi_columns *columns, uint32_t set)
{
    if (columns->members.count < broad->proxy_limit / PROXIES_PER_MEMBER)
        return;
    const uint8_t *states = trvi_states(broad);
    uint32_t *members = columns->members.items, *places = trvi_places(broad);
    uint32_t count = 0;
    for (uint32_t index = 1; index < broad->proxy_limit; index++) {
        if ((states[index] & (TRVI_PROXY_LIVE | TRVI_PROXY_SET)) != (TRVI_PROXY_LIVE | set))
            continue;
        places[index] = count;
        members[count++] = index;
    }
    TRVI_ASSERT(count == columns->members.count);
}

// What the grid is chosen by.
typedef struct set_spread {
    trv_aabb bounds;
    double variance[3]; // of the centres (times 4)
    double extent[3];   // mean
} set_spread;

static set_spread measure(const trv_broad *broad, const trvi_columns *columns)
{
    const uint32_t *members = columns->members.items;
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    uint32_t count = columns->members.count;
    double sum[3] = {0}, squares[3] = {0}, extent[3] = {0};
    set_spread result = {.bounds = boxes[members[0]]};
    for (uint32_t i = 0; i < count; i++) {
        trv_aabb box = boxes[members[i]];
        result.bounds = trvi_aabb_union(result.bounds, box);
        double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
        double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
        for (uint32_t k = 0; k < 3; k++) {
            double twice_center = lower[k] + upper[k];
            sum[k] += twice_center;
            squares[k] += twice_center * twice_center;
            extent[k] += upper[k] - lower[k];
        }
    }
    for (uint32_t k = 0; k < 3; k++) {
        double mean = sum[k] / count;
        result.variance[k] = squares[k] / count - mean * mean;
        result.extent[k] = extent[k] / count;
    }
    return result;
}

// Sets how many columns there are along grid axis k (0 u, 1 v), and how wide they are.
static void divide_axis(trvi_grid *grid, uint32_t k, const set_spread *spread)
{
    uint32_t axis = grid->axis[k + 1];
    double lower = trvi_axis_of(spread->bounds.lower, axis);
    double upper = trvi_axis_of(spread->bounds.upper, axis);
    double farthest = fmax(fabs(lower), fabs(upper));
    // The second bound keeps cells countable in 24 bits; boxes of no extent come to it.
    double wanted = fmax(CELL_EXTENTS * spread->extent[axis], farthest * (1.0 / (1 << 22)));
    grid->size[k] = 1;
    grid->inverse_cell[k] = 0.0;
    if (!(wanted > 0.0) || upper - lower < 2.0 * wanted)
        return;
    int exponent;
    (void)frexp(wanted, &exponent); // wanted < 2^exponent <= 2 * wanted
    grid->inverse_cell[k] = ldexp(1.0, -exponent);
    double cells = (upper - lower) * grid->inverse_cell[k];
    uint32_t size = MIN_SIZE;
    while (size < cells && size < MAX_SIZE)
        size *= 2;
    grid->size[k] = size;
}

static trvi_grid choose_grid(trvi_grid old, const set_spread *spread, uint32_t count)
{
    trvi_grid grid;
    uint32_t s = old.axis[0];
    double needed = spread->variance[s] * AXIS_HYSTERESIS;
    for (uint32_t k = 0; k < 3; k++) {
        if (spread->variance[k] > needed) {
            s = k;
            needed = spread->variance[k];
        }
    }
    grid.axis[0] = s;
    grid.axis[1] = (s + 1) % 3;
    grid.axis[2] = (s + 2) % 3;
    divide_axis(&grid, 0, spread);
    divide_axis(&grid, 1, spread);
    while (grid.size[0] * grid.size[1] > 1 + count / MEMBERS_PER_COLUMN) {
        uint32_t larger = grid.size[0] >= grid.size[1] ? 0 : 1;
        grid.size[larger] /= 2;
        if (grid.size[larger] < MIN_SIZE) {
            grid.size[larger] = 1;
            grid.inverse_cell[larger] = 0.0;
        }
    }
    return grid;
}

// Writes a key for each member, lower side and index, and sorts them. Members come in order of
// index, or sorted from the last build, so that boxes with equal lower sides are in order of index
// already, or else are put so by sorting once more.
static const uint64_t *sort_members(trv_broad *broad, const trvi_columns *columns, uint32_t s)
{
    const uint32_t *members = columns->members.items;
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    uint64_t *keys = broad->keys[0].items;
    uint32_t count = columns->members.count;
    for (uint32_t i = 0; i < count; i++) {
        float lower = trvi_axis_of(boxes[members[i]].lower, s);
        keys[i] = (uint64_t)trvi_sort_key_of_float(lower) << 32 | members[i];
    }
    uint64_t *spare = broad->keys[1].items;
    uint64_t *sorted = trvi_sort_bits(keys, spare, count, 32, 32);
    bool in_order = true;
    for (uint32_t i = 1; i < count; i++)
        in_order = in_order && sorted[i - 1] < sorted[i];
    if (in_order)
        return sorted;
    spare = sorted == keys ? spare : keys;
    uint64_t *by_index =
        trvi_sort_bits(sorted, spare, count, 0, trvi_bit_width(broad->proxy_limit));
    return trvi_sort_bits(by_index, by_index == sorted ? spare : sorted, count, 32, 32);
}

// Counts the entries of each column into broad->counts; returns their number.
static uint64_t count_entries(trv_broad *broad, const trvi_columns *columns, const trvi_grid *grid)
{
    const uint32_t *members = columns->members.items;
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    uint32_t *counts = broad->counts.items;
    uint32_t giants = grid->size[0] * grid->size[1];
    uint64_t total = 0;
    memset(counts, 0, (giants + 2) * sizeof *counts);
    for (uint32_t i = 0; i < columns->members.count; i++) {
        trvi_cells cells = trvi_cells_of(grid, boxes[members[i]]);
        if (trvi_is_giant(cells)) {
            counts[giants]++;
            total++;
            continue;
        }
        for (int32_t v = cells.first[1]; v <= cells.last[1]; v++) {
            for (int32_t u = cells.first[0]; u <= cells.last[0]; u++) {
                counts[trvi_column_at(grid, u, v)]++;
                total++;
            }
        }
    }
    return total;
}

static void write_entry(trvi_columns *columns, uint32_t at, trv_aabb box, uint32_t tag)
{
    const uint32_t *axis = columns->grid.axis;
    trvi_part(columns, TRVI_LOWER_S)[at] = trvi_axis_of(box.lower, axis[0]);
    trvi_part(columns, TRVI_UPPER_S)[at] = trvi_axis_of(box.upper, axis[0]);
    trvi_part(columns, TRVI_LOWER_U)[at] = trvi_axis_of(box.lower, axis[1]);
    trvi_part(columns, TRVI_UPPER_U)[at] = trvi_axis_of(box.upper, axis[1]);
    trvi_part(columns, TRVI_LOWER_V)[at] = trvi_axis_of(box.lower, axis[2]);
    trvi_part(columns, TRVI_UPPER_V)[at] = trvi_axis_of(box.upper, axis[2]);
    ((uint32_t *)columns->tag.items)[at] = tag;
}

// Deals the members, in sorted order, to the columns. start[c] runs from the first entry of column
// c to that of the next one, and is put back at the end.
static void write_entries(trv_broad *broad, trvi_columns *columns, const uint64_t *sorted)
{
    const trvi_grid *grid = &columns->grid;
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    uint32_t *members = columns->members.items, *start = columns->start.items;
    uint32_t *places = trvi_places(broad);
    uint32_t giants = columns->column_count - 1;
    for (uint32_t i = 0; i < columns->members.count; i++) {
        uint32_t index = (uint32_t)sorted[i];
        trv_aabb box = boxes[index];
        members[i] = index;
        places[index] = i;
        trvi_cells cells = trvi_cells_of(grid, box);
        if (trvi_is_giant(cells)) {
            write_entry(columns, start[giants]++, box, index << TRVI_TAG_BITS | TRVI_TAG_FIRST);
            continue;
        }
        for (int32_t v = cells.first[1]; v <= cells.last[1]; v++) {
            for (int32_t u = cells.first[0]; u <= cells.last[0]; u++) {
                uint32_t tag = index << TRVI_TAG_BITS;
                tag |= u == cells.first[0] ? TRVI_TAG_FIRST_U : 0;
                tag |= v == cells.first[1] ? TRVI_TAG_FIRST_V : 0;
                write_entry(columns, start[trvi_column_at(grid, u, v)]++, box, tag);
            }
        }
    }
    memmove(start + 1, start, columns->column_count * sizeof *start);
    start[0] = 0;
}

static void write_reaches(trvi_columns *columns)
{
    const uint32_t *start = columns->start.items;
    const float *upper = trvi_part(columns, TRVI_UPPER_S);
    float *reach = trvi_part(columns, TRVI_REACH);
    for (uint32_t c = 0; c < columns->column_count; c++) {
        float farthest = start[c] < start[c + 1] ? upper[start[c]] : 0.0f;
        for (uint32_t i = start[c]; i < start[c + 1]; i++) {
            farthest = upper[i] > farthest ? upper[i] : farthest;
            reach[i] = farthest;
        }
    }
}

static bool reserve_entries(const trv_broad *broad, trvi_columns *columns, uint64_t count)
{
    if (count > UINT32_MAX)
        return false;
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        if (!trvi_array_reserve(&broad->allocator, &columns->part[k], (uint32_t)count))
            return false;
    }
    return trvi_array_reserve(&broad->allocator, &columns->tag, (uint32_t)count);
}

// What a save goes by.
static void set_counts(trvi_columns *columns, uint32_t entries)
{
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++)
        columns->part[k].count = entries;
    columns->tag.count = entries;
    columns->start.count = columns->column_count > 0 ? columns->column_count + 1 : 0;
}

trv_result trvi_columns_build(trv_broad *broad, uint32_t set)
{
    trvi_columns *columns = &broad->sets[set];
    uint32_t count = columns->members.count;
    if (count == 0) {
        columns->column_count = 0;
        set_counts(columns, 0);
        columns->dirty = false;
        return TRV_OK;
    }
    order_members(broad, columns, set);
    set_spread spread = measure(broad, columns);
    trvi_grid grid = choose_grid(columns->grid, &spread, count);
    uint32_t column_count = grid.size[0] * grid.size[1] + 1;
    if (!trvi_array_reserve(&broad->allocator, &broad->keys[0], count) ||
        !trvi_array_reserve(&broad->allocator, &broad->keys[1], count) ||
        !trvi_array_reserve(&broad->allocator, &broad->counts, column_count + 1))
        return TRV_ERROR_MEMORY;
    uint64_t entries = count_entries(broad, columns, &grid);
    if (!reserve_entries(broad, columns, entries))
        return TRV_ERROR_MEMORY;

    // Nothing fails from here on.
    uint32_t *counts = broad->counts.items;
    uint32_t sum = 0;
    for (uint32_t c = 0; c <= column_count; c++) {
        uint32_t size = counts[c];
        counts[c] = sum;
        sum += size;
    }
    trvi_array old_start = columns->start;
    columns->start = broad->counts;
    broad->counts = old_start;
    columns->grid = grid;
    columns->column_count = column_count;
    columns->bounds = spread.bounds;
    columns->dirty = false;
    set_counts(columns, (uint32_t)entries);
    write_entries(broad, columns, sort_members(broad, columns, grid.axis[0]));
    write_reaches(columns);
    return TRV_OK;
}

trvi_walk trvi_walk_begin(const trvi_columns *columns, trv_aabb box)
{
    trvi_walk walk = {.columns = columns};
    if (columns->column_count == 0 || !trvi_aabb_overlaps(columns->bounds, box)) {
        walk.next = 1; // beyond the giants of no columns
        return walk;
    }
    const trvi_grid *grid = &columns->grid;
    for (uint32_t k = 0; k < 3; k++) {
        walk.lower[k] = trvi_axis_of(box.lower, grid->axis[k]);
        walk.upper[k] = trvi_axis_of(box.upper, grid->axis[k]);
    }
    for (uint32_t k = 0; k < 2; k++) {
        // What lies outside of the bounds meets nothing, and its cells might not be countable.
        uint32_t axis = grid->axis[k + 1];
        float lower = fmaxf(walk.lower[k + 1], trvi_axis_of(columns->bounds.lower, axis));
        float upper = fminf(walk.upper[k + 1], trvi_axis_of(columns->bounds.upper, axis));
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
    const float *reach = trvi_part(columns, TRVI_REACH);
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (reach[middle] >= lower)
            last = middle;
        else
            first = middle + 1;
    }
    return first;
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
