// How a set of columns is divided: which axis is sorted along, and how large the cells are.
//
// The sorted axis is the one on which the boxes spread most. Cells are powers of two, so that the
// cell of a coordinate, and a cell's sides, are exact.
//
// Invariant: what is chosen depends on the boxes and on the axis before, and on nothing else.
#include "broad_data.h"
#include "ring.h"

// A cell is this many mean extents or up to twice as much; or twice that again, where it costs less
// by COARSER_COST. Smaller: more boxes have entries in several columns. Larger: more boxes of a
// column overlap along s alone, and rays look through more of them. Measured: where boxes are alike
// and each meets several others, 5 costs a third more than 2.5; where they are of many sizes, a
// sixth less.
#define CELL_EXTENTS 2.5
#define COARSER_COST 0.95

// An entry costs as much as so many comparisons with another that it overlaps along s. Measured,
// eight at once.
#define COMPARISONS_PER_ENTRY 29.0

// The axis is changed only for one that spreads this much more: changing it undoes the order.
#define AXIS_HYSTERESIS 1.5

enum {
    MIN_SIZE = 2 * TRVI_MAX_SPAN,
    MAX_SIZE = 1 << 14,
    MAX_CELL = 1 << 23, // countable in 24 bits, with room for roundings
    MOST_SAMPLES = 4096 // boxes by which two grids are compared
};

// What the grid is chosen by.
typedef struct set_spread {
    trv_aabb bounds;
    double variance[3]; // of the centres (times 4)
    double extent[3];   // mean
} set_spread;

static set_spread measure(const trv_broad *broad, trvi_members members, uint32_t count)
{
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    double sum[3] = {0}, squares[3] = {0}, extent[3] = {0};
    set_spread result = {.bounds = {{0, 0, 0}, {0, 0, 0}}};
    for (uint32_t i = 0; i < count; i++) {
        trv_aabb box = boxes[trvi_next_member(broad, &members)];
        if (i == 0)
            result.bounds = box;
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

// Sets how many columns there are along grid axis k (0 u, 1 v), and how wide they are: so many mean
// extents.
static void divide_axis(trvi_grid *grid, uint32_t k, const set_spread *spread, double extents)
{
    uint32_t axis = grid->axis[k + 1];
    double lower = trvi_axis_of(spread->bounds.lower, axis);
    double upper = trvi_axis_of(spread->bounds.upper, axis);
    double farthest = fmax(fabs(lower), fabs(upper));
    // The second bound keeps cells countable in 24 bits; boxes of no extent come to it.
    double wanted = fmax(extents * spread->extent[axis], farthest * (1.0 / (1 << 22)));
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

static trvi_grid divide(const set_spread *spread, uint32_t s, uint32_t count, double extents)
{
    trvi_grid grid = {.axis = {s, (s + 1) % 3, (s + 2) % 3}};
    divide_axis(&grid, 0, spread, extents);
    divide_axis(&grid, 1, spread, extents);
    while (grid.size[0] * grid.size[1] > 1 + count / TRVI_MEMBERS_PER_COLUMN) {
        uint32_t larger = grid.size[0] >= grid.size[1] ? 0 : 1;
        grid.size[larger] /= 2;
        if (grid.size[larger] < MIN_SIZE) {
            grid.size[larger] = 1;
            grid.inverse_cell[larger] = 0.0;
        }
    }
    for (uint32_t k = 0; k < 2; k++)
        grid.limit[k] = grid.inverse_cell[k] > 0.0 ? MAX_CELL / grid.inverse_cell[k] : HUGE_VAL;
    return grid;
}

// What an update would cost, in entries: as a sample of the boxes tells, of which two overlap along
// s by chance. Giants are compared with all.
static double cost_of(const trv_broad *broad, const trvi_grid *grid, trvi_members members,
                      uint32_t count, double chance)
{
    const trvi_columns columns = {.grid = *grid, .column_count = grid->size[0] * grid->size[1] + 1};
    uint32_t *counts = broad->counts.items, step = 1 + count / MOST_SAMPLES;
    double entries = 0.0, pairs = 0.0, weight = (double)step;
    memset(counts, 0, columns.column_count * sizeof *counts);
    for (uint32_t i = 0; i < count; i++) {
        trvi_ring ring = {0};
        uint32_t index = trvi_next_member(broad, &members);
        if (i % step != 0)
            continue;
        // Cells can be counted: the grid was made for these boxes.
        (void)trvi_ring_of(&columns, &trvi_fat_boxes(broad)[index], &ring);
        for (uint32_t v = 0; v <= ring.span_v; v++) {
            for (uint32_t u = 0; u <= ring.span_u; u++)
                counts[trvi_ring_column(&columns, ring, u, v)]++;
        }
    }
    for (uint32_t c = 0; c < columns.column_count; c++) {
        double own = (double)counts[c];
        pairs += own * (own - 1.0) + (c + 1 == columns.column_count ? 2.0 * own * entries : 0.0);
        entries += own;
    }
    return weight * entries + weight * weight * pairs * chance / COMPARISONS_PER_ENTRY;
}

trvi_grid trvi_choose_grid(const trv_broad *broad, trvi_grid old, trvi_members members,
                           uint32_t count, trv_aabb *bounds)
{
    set_spread spread = measure(broad, members, count);
    *bounds = spread.bounds;
    uint32_t s = old.axis[0];
    double needed = spread.variance[s] * AXIS_HYSTERESIS;
    for (uint32_t k = 0; k < 3; k++) {
        if (spread.variance[k] > needed) {
            s = k;
            needed = spread.variance[k];
        }
    }
    trvi_grid grid = divide(&spread, s, count, CELL_EXTENTS);
    trvi_grid coarser = divide(&spread, s, count, 2.0 * CELL_EXTENTS);
    double length = sqrt(3.0 * fmax(spread.variance[s], 0.0)); // were they spread evenly
    double chance = length > spread.extent[s] ? spread.extent[s] / length : 1.0;
    double cost = cost_of(broad, &grid, members, count, chance);
    bool pays = cost_of(broad, &coarser, members, count, chance) < COARSER_COST * cost;
    return pays ? coarser : grid;
}
