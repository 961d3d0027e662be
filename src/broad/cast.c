// Casts through the broadphase: which boxes does a ray meet, or a box on its way.
//
// A cast goes from cell to cell, row by row. A box that it meets may have entries in several cells
// of its way; it is told at the cell of one point where the two touch first. Cells, rows and
// stretches of s are taken a little too large, by far more than the rounding of what they are
// computed from, so that this cell is on the way.
//
// Invariant: nothing is written, so that casts may run together.
//
// Based on: John Amanatides, Andrew Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987
// (here by rows, for one interval each); Timothy Kay, James Kajiya, "Ray Tracing Complex Scenes",
// 1986 (slabs).
#include "query.h"
#include "ring.h"

#define LEAST_TRAVEL 1.0e-20 // m; the inverse, and its product with any coordinate, fit in float32
#define LEAST_SLOPE  1.0e-6

enum {
    CELLS_TO_SCAN = 32, // a way through as many cells, and one for 8 entries, scans all entries
    STOPS = 8,          // columns that are on their way together
    EAGER_STOPS = 2,    // as many of a cast that a hit will end or shorten
    HITS = 16           // proxies that are
};

trvi_cast trvi_cast_of(const trv_broad *broad, trv_aabb box, trv_vec3 travel, trv_filter filter)
{
    trvi_cast cast = {.broad = broad, .filter = filter, .limit = 1.0};
    for (uint32_t k = 0; k < 3; k++) {
        cast.line.lower[k] = (double)trvi_axis_of(box.lower, k);
        cast.line.upper[k] = (double)trvi_axis_of(box.upper, k);
        cast.line.travel[k] = (double)trvi_axis_of(travel, k);
        if (cast.line.travel[k] != 0.0)
            cast.line.inverse[k] = 1.0 / cast.line.travel[k];
    }
    return cast;
}

// Cuts `stretch` to where the line meets [lower, upper] on axis k; false when nothing is left. A
// line across the axis is not cut.
static bool cut(const trvi_line *line, uint32_t k, double lower, double upper,
                trvi_interval *stretch)
{
    if (line->travel[k] == 0.0)
        return true;
    double a = (lower - line->upper[k]) * line->inverse[k];
    double b = (upper - line->lower[k]) * line->inverse[k];
    stretch->lower = trvi_most(stretch->lower, trvi_least(a, b));
    stretch->upper = trvi_least(stretch->upper, trvi_most(a, b));
    return stretch->lower <= stretch->upper;
}

// Where the line meets the box, as a part of [0, 1]; false when it misses. Slightly too large: the
// roundings of a stretch are undone by TRVI_RAY_TIME_SLACK.
static bool stretch_in(const trvi_line *line, const trvi_interval box[3], trvi_interval *stretch)
{
    double enter = -HUGE_VAL, leave = HUGE_VAL;
    for (uint32_t k = 0; k < 3; k++) {
        double to_lower = box[k].lower - line->upper[k], to_upper = box[k].upper - line->lower[k];
        if (line->travel[k] == 0.0) {
            if (to_lower > 0.0 || to_upper < 0.0)
                return false;
            continue;
        }
        double a = to_lower * line->inverse[k], b = to_upper * line->inverse[k];
        enter = trvi_most(enter, trvi_least(a, b));
        leave = trvi_least(leave, trvi_most(a, b));
    }
    stretch->lower = trvi_most(0.0, enter * (1.0 - TRVI_RAY_TIME_SLACK));
    stretch->upper = trvi_least(1.0, leave * (1.0 + TRVI_RAY_TIME_SLACK));
    return stretch->lower <= stretch->upper;
}

static void tell(trvi_cast *cast, uint32_t index, double fraction)
{
    double limit = cast->tell(cast->context, index, fraction, cast->limit);
    if (limit < cast->limit)
        cast->limit = limit;
}

// A column to look through during a stretch, for the boxes that are touched first in its cell.
typedef struct stop {
    trvi_stop at;
    int32_t cell[2];
    trvi_interval stretch, piece[3]; // of time; where the line is then
} stop;

// A box that is met.
typedef struct hit {
    uint32_t tag;
    double time;
} hit;

// One set's part of a cast.
typedef struct way {
    trvi_cast *cast;
    const trvi_columns *columns;
    bool settled;
    trvi_line line;          // along s, u, v
    double slack;            // m, see TRVI_RAY_PLACE_SLACK
    trvi_interval bounds[3]; // of all but the giants, or of all, along s, u, v
    trvi_rows rows;
    trvi_beam beam;  // but for its window
    int32_t cell[2]; // the present one
    uint32_t stop_count, hit_count;
    stop stops[STOPS];
    hit hits[HITS];
} way;

// Where the line is along axis k during a stretch, kept within the bounds.
static trvi_interval place_of(const way *w, uint32_t k, trvi_interval stretch)
{
    // Which of the two is lower is the direction's, and cannot be foretold: no branch.
    double a = stretch.lower * w->line.travel[k], b = stretch.upper * w->line.travel[k];
    double lower = w->line.lower[k] + trvi_least(a, b);
    double upper = w->line.upper[k] + trvi_most(a, b);
    trvi_interval bounds = w->bounds[k], place = {lower - w->slack, upper + w->slack};
    place.lower = trvi_least(trvi_most(place.lower, bounds.lower), bounds.upper);
    place.upper = trvi_least(trvi_most(place.upper, bounds.lower), bounds.upper);
    return place;
}

// True when the cell is that of the lowest point of the entry's box that is touched first.
static bool touches_in(const way *w, const int32_t cell[2], const trvi_interval box[3], double time)
{
    const trvi_grid *grid = &w->columns->grid;
    for (uint32_t k = 0; k < 2; k++) {
        trvi_interval side = box[k + 1];
        double place = w->line.lower[k + 1] + time * w->line.travel[k + 1];
        place = trvi_least(trvi_most(place, side.lower), side.upper);
        if (trvi_cell(place, grid->inverse_cell[k]) != cell[k])
            return false;
    }
    return true;
}

static void box_of_entry(const trvi_columns *columns, uint32_t entry, trvi_interval box[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        box[k].lower = (double)trvi_part(columns, 2 * k)[entry];
        box[k].upper = (double)trvi_part(columns, 2 * k + 1)[entry];
    }
}

// Tells the hits that wait.
static void tell_hits(way *w)
{
    for (uint32_t i = 0; i < w->hit_count; i++) {
        hit h = w->hits[i];
        if (h.time <= w->cast->limit &&
            trvi_is_asked_for(w->cast->broad, w->settled, h.tag, w->cast->filter))
            tell(w->cast, h.tag >> TRVI_TAG_BITS, h.time);
    }
    w->hit_count = 0;
}

// `cell` is NULL where each entry is looked at once.
static void try_entry(way *w, uint32_t entry, const int32_t cell[2])
{
    trvi_interval box[3], stretch;
    box_of_entry(w->columns, entry, box);
    if (!stretch_in(&w->line, box, &stretch) || stretch.lower > w->cast->limit)
        return;
    if (cell != NULL && !touches_in(w, cell, box, stretch.lower))
        return;
    if (w->hit_count == HITS)
        tell_hits(w);
    uint32_t tag = trvi_tag_of(w->columns, entry);
    trvi_fetch_proxy(w->cast->broad, tag);
    w->hits[w->hit_count++] = (hit){tag, stretch.lower};
}

// The line in float32, along the axes on which it travels far enough. What is left out could
// overflow, and says little.
static void begin_beam(const trvi_line *line, trvi_beam *beam)
{
    double farthest = 0.0;
    beam->count = 0;
    for (uint32_t k = 0; k < 3; k++)
        farthest = trvi_most(farthest, fabs(line->travel[k]));
    for (uint32_t k = 0; k < 3; k++) {
        double travel = fabs(line->travel[k]);
        if (travel < LEAST_TRAVEL || travel < farthest * LEAST_SLOPE)
            continue;
        beam->start_lower[k] = (float)line->lower[k];
        beam->start_upper[k] = (float)line->upper[k];
        beam->inverse[k] = (float)line->inverse[k];
        beam->axis[beam->count++] = k;
    }
}

static void look_through(way *w, const stop *s, const int32_t cell[2])
{
    uint32_t i = trvi_stop_seek(w->columns, &s->at, s->piece[0].lower), list[TRVI_LOOKED];
    for (uint32_t k = 0; k < 3; k++) { // rounding leaves no entry out, see trvi_window_of
        w->beam.lower[k] = (float)s->piece[k].lower;
        w->beam.upper[k] = (float)s->piece[k].upper;
    }
    while (i < s->at.end) {
        uint32_t count = w->cast->broad->kernels.look(&w->rows, &w->beam, &i, s->at.end, list);
        for (uint32_t n = 0; n < count; n++)
            try_entry(w, list[n], cell);
    }
}

// Looks through the columns that wait.
static void make_stops(way *w)
{
    for (uint32_t i = 0; i < w->stop_count; i++) {
        if (w->stops[i].stretch.lower <= w->cast->limit)
            look_through(w, &w->stops[i], w->stops[i].cell);
        if (w->cast->eager)
            tell_hits(w);
    }
    w->stop_count = 0;
    tell_hits(w);
}

// False where the column is empty.
static bool begin_stop(const way *w, uint32_t column, trvi_interval stretch, stop *s)
{
    if (((const uint32_t *)w->columns->fill.items)[column] == 0)
        return false;
    s->cell[0] = w->cell[0];
    s->cell[1] = w->cell[1];
    s->stretch = stretch;
    for (uint32_t k = 0; k < 3; k++)
        s->piece[k] = place_of(w, k, stretch);
    s->at = trvi_stop_at(w->columns, column, w->bounds[0], s->piece[0].lower);
    return true;
}

// Every entry once, at its first column.
static void cast_at_all(way *w)
{
    uint32_t end = trvi_entry_count(w->columns);
    for (uint32_t i = 0; i < end && w->cast->limit >= 0.0; i++) {
        if ((trvi_tag_of(w->columns, i) & TRVI_TAG_FIRST) == TRVI_TAG_FIRST)
            try_entry(w, i, NULL);
    }
    tell_hits(w);
}

// Goes through the cells along u (k = 0) that the line meets in a stretch, in its direction, in
// each of them through those along v (k = 1), and in each of those (k = 2) through the column.
// Calls itself twice, never deeper; the caller has bounded the number of cells.
static void cast_along(way *w, uint32_t k, trvi_interval stretch)
{
    const trvi_grid *grid = &w->columns->grid;
    if (k == 2) {
        if (w->stop_count == (w->cast->eager ? EAGER_STOPS : STOPS))
            make_stops(w);
        uint32_t column = trvi_column_at(grid, w->cell[0], w->cell[1]);
        w->stop_count += begin_stop(w, column, stretch, &w->stops[w->stop_count]);
        return;
    }
    w->cell[k] = 0;
    double inverse = grid->inverse_cell[k];
    if (!(inverse > 0.0)) {
        cast_along(w, k + 1, stretch);
        return;
    }
    trvi_interval place = place_of(w, k + 1, stretch);
    int32_t first = trvi_cell(place.lower, inverse), last = trvi_cell(place.upper, inverse);
    bool forward = w->line.travel[k + 1] >= 0.0;
    double width = 1.0 / inverse;
    for (int32_t i = 0; i <= last - first; i++) {
        int32_t cell = forward ? first + i : last - i;
        trvi_interval part = stretch;
        if (!cut(&w->line, k + 1, cell * width - w->slack, (cell + 1) * width + w->slack, &part))
            continue;
        if (part.lower > w->cast->limit)
            return;
        w->cell[k] = cell;
        cast_along(w, k + 1, part);
    }
}

// How many cells the line meets in a stretch, at most: those that a point on it comes to, each with
// those that the box reaches around it.
static double cells_on(const way *w, trvi_interval stretch)
{
    double passed = 1.0, around = 1.0;
    for (uint32_t k = 0; k < 2; k++) {
        double inverse = w->columns->grid.inverse_cell[k];
        trvi_interval place = place_of(w, k + 1, stretch), side = w->bounds[k + 1];
        double extent =
            trvi_least(w->line.upper[k + 1] - w->line.lower[k + 1], side.upper - side.lower);
        passed += (place.upper - place.lower) * inverse + 1.0;
        around *= extent * inverse + 2.0;
    }
    return passed * around;
}

// The line is going to be looked at within these bounds.
static void take_bounds(way *w, trv_aabb bounds)
{
    double farthest = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t axis = w->columns->grid.axis[k];
        w->bounds[k].lower = (double)trvi_axis_of(bounds.lower, axis);
        w->bounds[k].upper = (double)trvi_axis_of(bounds.upper, axis);
        double start = trvi_most(fabs(w->line.lower[k]), fabs(w->line.upper[k]));
        farthest = trvi_most(farthest, start + fabs(w->line.travel[k]));
        farthest = trvi_most(farthest, fabs(w->bounds[k].lower));
        farthest = trvi_most(farthest, fabs(w->bounds[k].upper));
    }
    w->slack = farthest * TRVI_RAY_PLACE_SLACK;
}

static void begin_way(way *w, trvi_cast *cast, const trvi_columns *columns)
{
    w->cast = cast;
    w->columns = columns;
    w->settled = trvi_is_settled(cast->broad);
    w->stop_count = w->hit_count = 0;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t axis = columns->grid.axis[k];
        w->line.lower[k] = cast->line.lower[axis];
        w->line.upper[k] = cast->line.upper[axis];
        w->line.travel[k] = cast->line.travel[axis];
        w->line.inverse[k] = cast->line.inverse[axis];
    }
    take_bounds(w, columns->bounds.inner);
    w->rows = trvi_rows_of(columns);
    begin_beam(&w->line, &w->beam);
}

static void cast_at_giants(way *w)
{
    trvi_interval stretch;
    stop giants;
    take_bounds(w, w->columns->bounds.outer);
    if (stretch_in(&w->line, w->bounds, &stretch) && stretch.lower <= w->cast->limit &&
        begin_stop(w, w->columns->column_count - 1, stretch, &giants))
        look_through(w, &giants, NULL);
    tell_hits(w);
}

static void cast_in_columns(trvi_cast *cast, const trvi_columns *columns)
{
    if (columns->column_count == 0)
        return;
    way w; // not zeroed: most of it is room for what waits
    begin_way(&w, cast, columns);
    trvi_interval stretch;
    if (stretch_in(&w.line, w.bounds, &stretch) && stretch.lower <= cast->limit) {
        if (cells_on(&w, stretch) > CELLS_TO_SCAN + trvi_entry_count(columns) / 8) {
            cast_at_all(&w);
            return;
        }
        cast_along(&w, 0, stretch);
        make_stops(&w);
    }
    if (trvi_giant_count(columns) > 0)
        cast_at_giants(&w);
}

static void cast_at_changed(trvi_cast *cast)
{
    const trv_broad *broad = cast->broad;
    const uint32_t *changed = broad->changed.items;
    for (uint32_t i = 0; i < broad->changed.count && cast->limit >= 0.0; i++) {
        uint32_t index = changed[i];
        if (!trvi_is_moved(broad, index))
            continue;
        trv_aabb fat = trvi_fat_boxes(broad)[index];
        trvi_interval box[3], stretch;
        for (uint32_t k = 0; k < 3; k++) {
            box[k].lower = (double)trvi_axis_of(fat.lower, k);
            box[k].upper = (double)trvi_axis_of(fat.upper, k);
        }
        if (stretch_in(&cast->line, box, &stretch) && stretch.lower <= cast->limit &&
            trv_filters_agree(trvi_filter_of(broad, index), cast->filter))
            tell(cast, index, stretch.lower);
    }
}

void trvi_cast_run(trvi_cast *cast)
{
    for (uint32_t k = 0; k < TRVI_SET_COUNT; k++)
        cast_in_columns(cast, &cast->broad->sets[k]);
    cast_at_changed(cast);
}
