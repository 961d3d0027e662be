// Questions to the broadphase: which boxes does a box overlap, which does a ray meet.
//
// Both go through the columns as they were built last, and then through the proxies that have
// changed since, whose entries they pass over: so they are right at any time, and quick when little
// has changed since the last update.
//
// The ray goes from cell to cell, row by row. A box that it meets may have entries in several cells
// of its way; it is told at the cell where the ray enters the box. Cells, rows and stretches of s
// are taken a little too large, by far more than the rounding of what they are computed from, so
// that this cell is on the way.
//
// Invariant: nothing is written, so that queries may run together.
//
// Based on: John Amanatides, Andrew Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987
// (here by rows, for one interval each); Timothy Kay, James Kajiya, "Ray Tracing Complex Scenes",
// 1986 (slabs).
#include "broad_data.h"

enum {
    MAX_HITS = 512,    // proxies that a box query sorts on the stack; beyond, it scans all
    CELLS_TO_SCAN = 32 // a ray through as many cells, and one for 8 entries, scans all entries
};

// A proxy whose entries are to be believed.
static bool is_placed(const trv_broad *broad, uint32_t index)
{
    uint32_t bits = TRVI_PROXY_LIVE | TRVI_PROXY_MOVED;
    return (trvi_states(broad)[index] & bits) == TRVI_PROXY_LIVE;
}

// A live proxy whose entries are not.
static bool is_moved(const trv_broad *broad, uint32_t index)
{
    uint32_t bits = TRVI_PROXY_LIVE | TRVI_PROXY_MOVED;
    return (trvi_states(broad)[index] & bits) == bits;
}

static trv_proxy_id id_of(const trv_broad *broad, uint32_t index)
{
    return (trv_proxy_id){index, trvi_generations(broad)[index]};
}

typedef struct hits {
    uint32_t count;
    bool overflow;
    uint32_t index[MAX_HITS];
} hits;

static void add_hit(const trv_broad *broad, hits *found, uint32_t index, trv_filter filter)
{
    if (!trv_filters_agree(trvi_filter_of(broad, index), filter))
        return;
    found->overflow = found->count == MAX_HITS;
    if (!found->overflow)
        found->index[found->count++] = index;
}

static void collect_in_columns(const trv_broad *broad, const trvi_columns *columns, trv_aabb box,
                               trv_filter filter, hits *found)
{
    const uint32_t *tag = columns->tag.items;
    trvi_walk walk = trvi_walk_begin(columns, box);
    while (trvi_walk_next(&walk)) {
        const float *lower_s = trvi_part(columns, TRVI_LOWER_S);
        for (uint32_t i = walk.entry; i < walk.end && lower_s[i] <= walk.upper[0]; i++) {
            uint32_t index = tag[i] >> TRVI_TAG_BITS;
            if (trvi_walk_meets(&walk, i) && is_placed(broad, index))
                add_hit(broad, found, index, filter);
            if (found->overflow)
                return;
        }
    }
}

static void collect(const trv_broad *broad, trv_aabb box, trv_filter filter, hits *found)
{
    for (uint32_t k = 0; k < TRVI_SET_COUNT && !found->overflow; k++)
        collect_in_columns(broad, &broad->sets[k], box, filter, found);
    const uint32_t *changed = broad->changed.items;
    for (uint32_t i = 0; i < broad->changed.count && !found->overflow; i++) {
        if (is_moved(broad, changed[i]) &&
            trvi_aabb_overlaps(trvi_fat_boxes(broad)[changed[i]], box))
            add_hit(broad, found, changed[i], filter);
    }
}

// Heap sort: in place, and never quadratic.
static void sift_down(uint32_t *heap, uint32_t at, uint32_t count)
{
    uint32_t value = heap[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= value)
            break;
        heap[at] = heap[child];
    }
    heap[at] = value;
}

static void sort_indices(uint32_t *index, uint32_t count)
{
    for (uint32_t i = count / 2; i > 0; i--)
        sift_down(index, i - 1, count);
    for (uint32_t end = count; end > 1; end--) {
        uint32_t largest = index[0];
        index[0] = index[end - 1];
        index[end - 1] = largest;
        sift_down(index, 0, end - 1);
    }
}

// The same answer from the proxies themselves, for boxes that hold very many.
static void scan_proxies(const trv_broad *broad, trv_aabb box, trv_filter filter,
                         trv_proxy_visitor *visit, void *context)
{
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    for (uint32_t index = 1; index < broad->proxy_limit; index++) {
        bool found = (trvi_states(broad)[index] & TRVI_PROXY_LIVE) &&
                     trvi_aabb_overlaps(boxes[index], box) &&
                     trv_filters_agree(trvi_filter_of(broad, index), filter);
        if (found && !visit(context, id_of(broad, index), trvi_users(broad)[index]))
            return;
    }
}

trv_result trv_broad_query_aabb(const trv_broad *broad, trv_aabb box, trv_filter filter,
                                trv_proxy_visitor *visit, void *context)
{
    if (broad == NULL || visit == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_aabb(box);
    if (result != TRV_OK)
        return result;
    hits found;
    found.count = 0;
    found.overflow = false;
    collect(broad, box, filter, &found);
    if (found.overflow) {
        scan_proxies(broad, box, filter, visit, context);
        return TRV_OK;
    }
    sort_indices(found.index, found.count);
    for (uint32_t i = 0; i < found.count; i++) {
        uint32_t index = found.index[i];
        if (!visit(context, id_of(broad, index), trvi_users(broad)[index]))
            break;
    }
    return TRV_OK;
}

// fmin and fmax, which are calls without -ffinite-math; no operand is NaN here.
static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

// A stretch of the ray, or of an axis.
typedef struct interval {
    double lower, upper;
} interval;

typedef struct cast {
    const trv_broad *broad;
    double origin[3], travel[3];
    trv_filter filter;
    trv_proxy_ray_visitor *visit;
    void *context;
    float limit; // < 0 after the visitor's stop
} cast;

// Cuts `stretch` to where the ray is between lower and upper on an axis; false when nothing is
// left. A ray across the axis is not cut.
static bool cut(const cast *ray, uint32_t axis, double lower, double upper, interval *stretch)
{
    double origin = ray->origin[axis], travel = ray->travel[axis];
    if (travel == 0.0)
        return true;
    double a = (lower - origin) / travel, b = (upper - origin) / travel;
    stretch->lower = most(stretch->lower, least(a, b));
    stretch->upper = least(stretch->upper, most(a, b));
    return stretch->lower <= stretch->upper;
}

// Where the ray is in the box, as a part of [0, 1]; false when it misses. Slightly too large: the
// roundings of a stretch are undone by TRVI_RAY_TIME_SLACK.
static bool stretch_in(const cast *ray, trv_aabb box, interval *stretch)
{
    double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
    double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
    interval inside = {-HUGE_VAL, HUGE_VAL};
    for (uint32_t k = 0; k < 3; k++) {
        double origin = ray->origin[k], travel = ray->travel[k];
        if (travel == 0.0) {
            if (origin < lower[k] || origin > upper[k])
                return false;
            continue;
        }
        double a = (lower[k] - origin) / travel, b = (upper[k] - origin) / travel;
        inside.lower = most(inside.lower, least(a, b));
        inside.upper = least(inside.upper, most(a, b));
    }
    stretch->lower = most(0.0, inside.lower * (1.0 - TRVI_RAY_TIME_SLACK));
    stretch->upper = least(1.0, inside.upper * (1.0 + TRVI_RAY_TIME_SLACK));
    return stretch->lower <= stretch->upper;
}

static void tell(cast *ray, uint32_t index)
{
    const trv_broad *broad = ray->broad;
    float limit =
        ray->visit(ray->context, id_of(broad, index), trvi_users(broad)[index], ray->limit);
    if (!(limit > 0.0f))
        ray->limit = -1.0f;
    else if (limit < ray->limit)
        ray->limit = limit;
}

// The proxy's stretch, if the ray meets it before the limit and the filter agrees.
static bool meets(const cast *ray, uint32_t index, interval *stretch)
{
    return stretch_in(ray, trvi_fat_boxes(ray->broad)[index], stretch) &&
           stretch->lower <= (double)ray->limit &&
           trv_filters_agree(trvi_filter_of(ray->broad, index), ray->filter);
}

// One set's part of a cast.
typedef struct cast_way {
    cast *ray;
    const trvi_columns *columns;
    double slack;       // m, see TRVI_RAY_PLACE_SLACK
    interval bounds[3]; // of the columns, along s, u, v
    interval piece[3];  // where the ray is in the present cell
    int32_t cell[2];    // the present one
} cast_way;

// Where the ray is along the columns' axis k during a stretch, kept within the bounds.
static interval place_of(const cast_way *way, uint32_t k, interval stretch)
{
    uint32_t axis = way->columns->grid.axis[k];
    double a = way->ray->origin[axis] + stretch.lower * way->ray->travel[axis];
    double b = way->ray->origin[axis] + stretch.upper * way->ray->travel[axis];
    interval bounds = way->bounds[k];
    interval place = {least(a, b) - way->slack, most(a, b) + way->slack};
    place.lower = least(most(place.lower, bounds.lower), bounds.upper);
    place.upper = least(most(place.upper, bounds.lower), bounds.upper);
    return place;
}

// True when the ray enters the proxy's box in the present cell.
static bool enters_here(const cast_way *way, uint32_t index, double time)
{
    const trvi_grid *grid = &way->columns->grid;
    trvi_cells cells = trvi_cells_of(grid, trvi_fat_boxes(way->ray->broad)[index]);
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t axis = grid->axis[k + 1];
        double place = way->ray->origin[axis] + time * way->ray->travel[axis];
        place = least(most(place, way->bounds[k + 1].lower), way->bounds[k + 1].upper);
        int32_t cell = trvi_cell(place, grid->inverse_cell[k]);
        cell = cell < cells.first[k] ? cells.first[k] : cell;
        cell = cell > cells.last[k] ? cells.last[k] : cell;
        if (cell != way->cell[k])
            return false;
    }
    return true;
}

static void cast_in_column(const cast_way *way, uint32_t column, bool giants)
{
    const trvi_columns *columns = way->columns;
    const uint32_t *start = columns->start.items, *tag = columns->tag.items;
    const float *lower_s = trvi_part(columns, TRVI_LOWER_S);
    const float *upper_s = trvi_part(columns, TRVI_UPPER_S);
    const float *lower_u = trvi_part(columns, TRVI_LOWER_U);
    const float *upper_u = trvi_part(columns, TRVI_UPPER_U);
    const float *lower_v = trvi_part(columns, TRVI_LOWER_V);
    const float *upper_v = trvi_part(columns, TRVI_UPPER_V);
    interval s = way->piece[0], u = way->piece[1], v = way->piece[2];
    uint32_t end = start[column + 1];
    uint32_t i = trvi_first_reaching(columns, start[column], end, s.lower);
    for (; i < end && lower_s[i] <= s.upper; i++) {
        if (upper_s[i] < s.lower || lower_u[i] > u.upper || upper_u[i] < u.lower ||
            lower_v[i] > v.upper || upper_v[i] < v.lower)
            continue;
        uint32_t index = tag[i] >> TRVI_TAG_BITS;
        interval stretch;
        if (is_placed(way->ray->broad, index) && meets(way->ray, index, &stretch) &&
            (giants || enters_here(way, index, stretch.lower)))
            tell(way->ray, index);
    }
}

// Every entry once, at its first column.
static void cast_at_all(const cast_way *way)
{
    const trvi_columns *columns = way->columns;
    const uint32_t *tag = columns->tag.items;
    uint32_t end = ((const uint32_t *)columns->start.items)[columns->column_count];
    for (uint32_t i = 0; i < end; i++) {
        uint32_t index = tag[i] >> TRVI_TAG_BITS;
        interval stretch;
        if ((tag[i] & TRVI_TAG_FIRST) == TRVI_TAG_FIRST && is_placed(way->ray->broad, index) &&
            meets(way->ray, index, &stretch))
            tell(way->ray, index);
    }
}

// Goes through the cells along u (k = 0) that the ray passes in a stretch, in its direction, in each
// of them through those along v (k = 1), and in each of those (k = 2) through the column. Calls
// itself twice, never deeper; the caller has bounded the number of cells.
static void cast_along(cast_way *way, uint32_t k, interval stretch)
{
    const trvi_grid *grid = &way->columns->grid;
    if (k == 2) {
        way->piece[0] = place_of(way, 0, stretch);
        cast_in_column(way, trvi_column_at(grid, way->cell[0], way->cell[1]), false);
        return;
    }
    uint32_t axis = grid->axis[k + 1];
    interval place = place_of(way, k + 1, stretch);
    double inverse = grid->inverse_cell[k];
    int32_t first = trvi_cell(place.lower, inverse), last = trvi_cell(place.upper, inverse);
    bool forward = way->ray->travel[axis] >= 0.0;
    for (int32_t i = 0; i <= last - first; i++) {
        int32_t cell = forward ? first + i : last - i;
        interval part = stretch;
        if (inverse > 0.0) {
            double width = 1.0 / inverse;
            if (!cut(way->ray, axis, cell * width - way->slack, (cell + 1) * width + way->slack,
                     &part))
                continue;
        }
        if (part.lower > (double)way->ray->limit)
            return;
        way->cell[k] = cell;
        way->piece[k + 1] = place_of(way, k + 1, part);
        cast_along(way, k + 1, part);
    }
}

// How many cells the ray passes in a stretch, at most.
static double cells_on(const cast_way *way, interval stretch)
{
    double cells = 1.0;
    for (uint32_t k = 0; k < 2; k++) {
        interval place = place_of(way, k + 1, stretch);
        cells += 2.0 * (place.upper - place.lower) * way->columns->grid.inverse_cell[k] + 2.0;
    }
    return cells;
}

static void cast_in_columns(cast *ray, const trvi_columns *columns)
{
    interval stretch;
    if (columns->column_count == 0 || !stretch_in(ray, columns->bounds, &stretch))
        return;
    cast_way way = {.ray = ray, .columns = columns};
    double farthest = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t axis = columns->grid.axis[k];
        way.bounds[k].lower = trvi_axis_of(columns->bounds.lower, axis);
        way.bounds[k].upper = trvi_axis_of(columns->bounds.upper, axis);
        farthest = most(farthest, fabs(ray->origin[axis]) + fabs(ray->travel[axis]));
        farthest = most(farthest, most(fabs(way.bounds[k].lower), fabs(way.bounds[k].upper)));
    }
    way.slack = farthest * TRVI_RAY_PLACE_SLACK;
    uint32_t entries = ((const uint32_t *)columns->start.items)[columns->column_count];
    if (cells_on(&way, stretch) > CELLS_TO_SCAN + entries / 8) {
        cast_at_all(&way);
        return;
    }
    cast_along(&way, 0, stretch);
    for (uint32_t k = 0; k < 3; k++)
        way.piece[k] = place_of(&way, k, stretch);
    cast_in_column(&way, columns->column_count - 1, true);
}

trv_result trv_broad_cast_ray(const trv_broad *broad, trv_ray ray, trv_filter filter,
                              trv_proxy_ray_visitor *visit, void *context)
{
    if (broad == NULL || visit == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_vec3(ray.origin);
    if (result == TRV_OK)
        result = trvi_check_vec3(ray.travel);
    if (result != TRV_OK)
        return result;
    cast way = {.broad = broad,
                .origin = {ray.origin.x, ray.origin.y, ray.origin.z},
                .travel = {ray.travel.x, ray.travel.y, ray.travel.z},
                .filter = filter,
                .visit = visit,
                .context = context,
                .limit = 1.0f};
    for (uint32_t k = 0; k < TRVI_SET_COUNT; k++)
        cast_in_columns(&way, &broad->sets[k]);
    const uint32_t *changed = broad->changed.items;
    for (uint32_t i = 0; i < broad->changed.count; i++) {
        interval stretch;
        if (is_moved(broad, changed[i]) && meets(&way, changed[i], &stretch))
            tell(&way, changed[i]);
    }
    return TRV_OK;
}
