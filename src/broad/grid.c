// How a set of columns is divided: which axis is sorted along, and how large the cells are.
//
// The sorted axis is the one on which the boxes spread most. Cells are powers of two, so that the
// cell of a coordinate, and a cell's sides, are exact. A few boxes that are far larger than the
// others, or far away, have no part in the choice: a single ground would make it for all.
//
// Invariant: what is chosen depends on the boxes and on the axis before, and on nothing else. Less
// than a third of them are giants: a box that is one for its size is longer than 3 cells, which are
// more than 7.5 mean extents, and so long along u or v are at most two in 7.5 of those that have a
// part in the choice. The range holds all of these, and others are one in BOXES_PER_OUTLIER at most.
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

// A box is left out of what a grid is chosen by where a side of it is so many times the mean one, or
// where it lies beyond so many deviations and twice as many mean sides: a ground, or what fell off
// it. By then it meets more cells than TRVI_MAX_SPAN in most grids that its size has no part in; and
// at most one in 8 * 8 lies as far out (Chebyshev). Less would leave out what cells may fit; more
// hides outliers, since one of n shifts the mean by a share of 1/n of itself.
#define OUTLIER 8.0

// Left out are one in so many, at most: what is no longer rare has a part in the choice.
enum { BOXES_PER_OUTLIER = 32 };

// Outliers hide behind larger ones, which have to be left out before: so many times, at most. What
// is hidden then has a part in the choice, too. Sizes differ by up to OUTLIER^9 or so.
enum { MOST_ROUNDS = 8 };

// Where some were left out, columns go so many times as far beyond the others as those reach. What
// lies beyond is with the giants, since bounds with it in would say little.
#define FAR 8.0

// What the grid is chosen by.
typedef struct set_spread {
    trv_aabb bounds;
    uint32_t count;
    double middle[3];   // mean of the centres, twice
    double variance[3]; // of the centres (times 4)
    double extent[3];   // mean
    double largest[3];  // extent
} set_spread;

// How far from the middle, twice, a box may lie.
static double reach_of(const set_spread *spread, uint32_t k)
{
    return OUTLIER * (sqrt(fmax(spread->variance[k], 0.0)) + 2.0 * spread->extent[k]);
}

static bool is_outlier(const set_spread *spread, const double reach[3], const trv_aabb *box)
{
    for (uint32_t k = 0; k < 3; k++) {
        double lower = trvi_side_of(&box->lower, k), upper = trvi_side_of(&box->upper, k);
        if (upper - lower > OUTLIER * spread->extent[k] ||
            fabs(lower + upper - spread->middle[k]) > reach[k])
            return true;
    }
    return false;
}

// False where there is surely none.
static bool may_have_outliers(const set_spread *spread)
{
    for (uint32_t k = 0; k < 3; k++) {
        double lower = 2.0 * (double)trvi_axis_of(spread->bounds.lower, k);
        double upper = 2.0 * (double)trvi_axis_of(spread->bounds.upper, k);
        double farthest = fmax(spread->middle[k] - lower, upper - spread->middle[k]);
        if (spread->largest[k] > OUTLIER * spread->extent[k] || farthest > reach_of(spread, k))
            return true;
    }
    return false;
}

// Of all members, or but for those that are outliers `among` these.
static set_spread measure(const trv_broad *broad, trvi_members members, uint32_t count,
                          const set_spread *among)
{
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    double sum[3] = {0}, squares[3] = {0}, extent[3] = {0}, reach[3] = {0};
    set_spread result = {.bounds = {{0, 0, 0}, {0, 0, 0}}};
    for (uint32_t k = 0; k < 3 && among != NULL; k++)
        reach[k] = reach_of(among, k);
    for (uint32_t i = 0; i < count; i++) {
        trv_aabb box = boxes[trvi_next_member(broad, &members)];
        if (among != NULL && is_outlier(among, reach, &box))
            continue;
        if (result.count++ == 0)
            result.bounds = box;
        result.bounds = trvi_aabb_union(result.bounds, box);
        double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
        double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
        for (uint32_t k = 0; k < 3; k++) {
            double twice_center = lower[k] + upper[k], side = upper[k] - lower[k];
            sum[k] += twice_center;
            squares[k] += twice_center * twice_center;
            extent[k] += side;
            result.largest[k] = side > result.largest[k] ? side : result.largest[k];
        }
    }
    for (uint32_t k = 0; k < 3 && result.count > 0; k++) {
        result.middle[k] = sum[k] / result.count;
        result.variance[k] = squares[k] / result.count - result.middle[k] * result.middle[k];
        result.extent[k] = extent[k] / result.count;
    }
    return result;
}

// Of all but outliers; the bounds of all go to `bounds`.
static set_spread measure_most(const trv_broad *broad, trvi_members members, uint32_t count,
                               trv_aabb *bounds)
{
    set_spread most = measure(broad, members, count, NULL);
    *bounds = most.bounds;
    for (uint32_t round = 0; round < MOST_ROUNDS && may_have_outliers(&most); round++) {
        set_spread fewer = measure(broad, members, count, &most);
        if (fewer.count >= most.count || count - fewer.count > count / BOXES_PER_OUTLIER)
            break;
        most = fewer;
    }
    return most;
}

// Sets how many columns there are along grid axis k (0 u, 1 v), and how wide they are, but for
// rounding up to a power of two, which is returned: so many mean extents.
static double divide_axis(trvi_grid *grid, uint32_t k, const set_spread *spread, double extents)
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
        return wanted;
    int exponent;
    (void)frexp(wanted, &exponent); // wanted < 2^exponent <= 2 * wanted
    grid->inverse_cell[k] = ldexp(1.0, -exponent);
    double cells = (upper - lower) * grid->inverse_cell[k];
    uint32_t size = MIN_SIZE;
    while (size < cells && size < MAX_SIZE)
        size *= 2;
    grid->size[k] = size;
    return wanted;
}

// How far beyond the bounds columns go along grid axis k (0 s, 1 u, 2 v), where boxes were left out.
// Where u or v is not divided, no box meets many cells on it: so what is as large as a giant is told
// by how far it reaches.
static double beyond(const trvi_grid *grid, uint32_t k, const set_spread *spread, double wanted)
{
    uint32_t axis = grid->axis[k];
    if (k > 0 && !(grid->inverse_cell[k - 1] > 0.0))
        return 2 * TRVI_MAX_SPAN * wanted;
    return FAR * ((double)trvi_axis_of(spread->bounds.upper, axis) -
                  (double)trvi_axis_of(spread->bounds.lower, axis));
}

// How far columns go: cells can be counted, and what the grid was chosen by lies within.
static trv_aabb range_of(const trvi_grid *grid, const set_spread *spread, bool outliers,
                         const double wanted[2])
{
    float lower[3], upper[3];
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t axis = grid->axis[k];
        double inverse = k > 0 ? grid->inverse_cell[k - 1] : 0.0;
        double most = inverse > 0.0 ? MAX_CELL / inverse : HUGE_VAL;
        double more = outliers ? beyond(grid, k, spread, k > 0 ? wanted[k - 1] : 0.0) : HUGE_VAL;
        lower[axis] = (float)fmax((double)trvi_axis_of(spread->bounds.lower, axis) - more, -most);
        upper[axis] = (float)fmin((double)trvi_axis_of(spread->bounds.upper, axis) + more, most);
    }
    return (trv_aabb){{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
}

// Of `count` members, of which the spread may leave some out.
static trvi_grid divide(const set_spread *spread, uint32_t s, uint32_t count, double extents)
{
    trvi_grid grid = {.axis = {s, (s + 1) % 3, (s + 2) % 3}};
    double wanted[2];
    for (uint32_t k = 0; k < 2; k++)
        wanted[k] = divide_axis(&grid, k, spread, extents);
    while (grid.size[0] * grid.size[1] > 1 + count / TRVI_MEMBERS_PER_COLUMN) {
        uint32_t larger = grid.size[0] >= grid.size[1] ? 0 : 1;
        grid.size[larger] /= 2;
        if (grid.size[larger] < MIN_SIZE) {
            grid.size[larger] = 1;
            grid.inverse_cell[larger] = 0.0;
        }
    }
    grid.range = range_of(&grid, spread, spread->count < count, wanted);
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
        uint32_t index = trvi_next_member(broad, &members);
        if (i % step != 0)
            continue;
        trvi_ring ring = trvi_ring_of(&columns, &trvi_fat_boxes(broad)[index]);
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
    set_spread spread = measure_most(broad, members, count, bounds);
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
