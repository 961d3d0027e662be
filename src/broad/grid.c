// How a set of columns is divided: which axis is sorted along, and how large the cells are.
//
// The sorted axis is the one on which the boxes spread most. Cells are powers of two, so that the
// cell of a coordinate, and a cell's sides, are exact.
//
// Invariant: what is chosen depends on the boxes and on the axis before, and on nothing else.
#include "broad_data.h"

// A cell is this many mean extents or up to twice as much. Smaller: more boxes have entries in
// several columns. Larger: more boxes of a column overlap along s alone. Measured: 1.5, 2.5 and 5
// differ little in updates, and rays look through far fewer boxes at 2.5 than at 5.
#define CELL_EXTENTS 2.5

// The axis is changed only for one that spreads this much more: changing it undoes the order.
#define AXIS_HYSTERESIS 1.5

enum {
    MEMBERS_PER_COLUMN = 32,
    MIN_SIZE = 2 * TRVI_MAX_SPAN,
    MAX_SIZE = 1 << 14,
    MAX_CELL = 1 << 23 // countable in 24 bits, with room for roundings
};

// What the grid is chosen by.
typedef struct set_spread {
    trv_aabb bounds;
    double variance[3]; // of the centres (times 4)
    double extent[3];   // mean
} set_spread;

static set_spread measure(const trv_broad *broad, const uint32_t *members, uint32_t count)
{
    const trv_aabb *boxes = trvi_fat_boxes(broad);
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

trvi_grid trvi_choose_grid(const trv_broad *broad, trvi_grid old, const uint32_t *members,
                           uint32_t count, trv_aabb *bounds)
{
    set_spread spread = measure(broad, members, count);
    *bounds = spread.bounds;
    trvi_grid grid = {.zero = 0};
    uint32_t s = old.axis[0];
    double needed = spread.variance[s] * AXIS_HYSTERESIS;
    for (uint32_t k = 0; k < 3; k++) {
        if (spread.variance[k] > needed) {
            s = k;
            needed = spread.variance[k];
        }
    }
    grid.axis[0] = s;
    grid.axis[1] = (s + 1) % 3;
    grid.axis[2] = (s + 2) % 3;
    divide_axis(&grid, 0, &spread);
    divide_axis(&grid, 1, &spread);
    while (grid.size[0] * grid.size[1] > 1 + count / MEMBERS_PER_COLUMN) {
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
