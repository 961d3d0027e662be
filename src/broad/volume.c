// Which boxes meet a convex volume: a turned box, a view frustum, whatever lies below a few planes.
//
// A box is out where one of the planes has it on its upper side, which the corner farthest down the
// plane's normal tells. Rectangles of cells are judged in the same way, halved as long as they are
// in, until single columns are left; the planes also say which stretch of s is in over a rectangle.
// Two convex solids that overlap on all axes of a finite list are not parted by any plane: for a
// turned box the list is given in full, so that its answer is exact but for rounding; what is
// parted from other volumes by none of their own planes is in the answer, too.
//
// A box may have entries in several columns that are looked at. It is told at the first of its
// cells that is; which cells are looked at can be told of a cell by itself, because rounding is
// monotone: the corner of a larger rectangle never comes out higher.
//
// Invariant: nothing is written, so that queries may run together.
//
// Based on: Ulf Assarsson, Tomas Moller, "Optimized View Frustum Culling Algorithms for Bounding
// Boxes", 2000 (the corner to test); Stefan Gottschalk, Ming Lin, Dinesh Manocha, "OBBTree", 1996
// (the axes of two boxes).
#include "query.h"
#include "ring.h"

// Cells to look at, and one for 8 entries, from which on all entries are looked at instead.
enum { CELLS_TO_SCAN = 32 };

trv_result trvi_check_question_obb(trv_obb box)
{
    trv_result result = trvi_check_vec3(box.center);
    if (result == TRV_OK)
        result = trvi_check_vec3(box.half);
    if (result == TRV_OK)
        result = trvi_check_quat(box.rotation);
    if (result != TRV_OK)
        return result;
    bool sized = box.half.x >= 0.0f && box.half.y >= 0.0f && box.half.z >= 0.0f;
    return sized ? TRV_OK : TRV_ERROR_RANGE;
}

trv_result trvi_check_question_planes(const trv_plane *planes, uint32_t count)
{
    if (planes == NULL && count > 0)
        return TRV_ERROR_NULL;
    if (count > TRVI_MAX_HALF_SPACES)
        return TRV_ERROR_RANGE;
    for (uint32_t i = 0; i < count; i++) {
        trv_vec3 n = planes[i].normal;
        trv_result result = trvi_check_vec3(n);
        if (result == TRV_OK && !trvi_is_finite(planes[i].offset))
            result = TRV_ERROR_NUMBER;
        if (result == TRV_OK && n.x == 0.0f && n.y == 0.0f && n.z == 0.0f)
            result = TRV_ERROR_RANGE;
        if (result != TRV_OK)
            return result;
    }
    return TRV_OK;
}

trvi_volume trvi_volume_of_planes(const trv_plane *planes, uint32_t count)
{
    const trvi_interval everywhere = {-HUGE_VAL, HUGE_VAL};
    trvi_volume volume = {.count = count, .coarse = count};
    for (uint32_t k = 0; k < 3; k++)
        volume.bounds[k] = everywhere;
    for (uint32_t i = 0; i < count; i++) {
        trvi_half_space *h = &volume.half_spaces[i];
        for (uint32_t k = 0; k < 3; k++)
            h->normal[k] = (double)trvi_axis_of(planes[i].normal, k);
        h->offset = (double)planes[i].offset;
        h->scale = fabs(h->offset);
    }
    return volume;
}

// Both sides of the box along an axis of any length.
static void add_axis(trvi_volume *volume, trvi_dvec3 axis, trvi_dvec3 center,
                     const trvi_dvec3 arms[3])
{
    double middle = trvi_ddot(axis, center), reach = 0.0;
    for (uint32_t k = 0; k < 3; k++)
        reach += fabs(trvi_ddot(axis, arms[k]));
    double scale =
        reach + fabs(axis.x * center.x) + fabs(axis.y * center.y) + fabs(axis.z * center.z);
    volume->half_spaces[volume->count++] =
        (trvi_half_space){{axis.x, axis.y, axis.z}, -middle - reach, scale};
    volume->half_spaces[volume->count++] =
        (trvi_half_space){{-axis.x, -axis.y, -axis.z}, middle - reach, scale};
}

trvi_volume trvi_volume_of_obb(trv_obb box)
{
    trvi_volume volume = {.count = 0};
    const trvi_dvec3 basis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double half[3] = {(double)box.half.x, (double)box.half.y, (double)box.half.z};
    trvi_dmat3 rotation = trvi_dmat3_from_quat(box.rotation);
    trvi_dvec3 center = trvi_dvec3_from(box.center), axes[3], arms[3];
    for (uint32_t k = 0; k < 3; k++) {
        axes[k] = trvi_dmat3_mul(&rotation, basis[k]);
        arms[k] = trvi_dscale(axes[k], half[k]);
    }
    for (uint32_t k = 0; k < 3; k++)
        add_axis(&volume, axes[k], center, arms);
    volume.coarse = volume.count;
    for (uint32_t k = 0; k < 3; k++) {
        add_axis(&volume, basis[k], center, arms);
        const trvi_half_space *h = &volume.half_spaces[volume.count - 2];
        double slack = h[0].scale * TRVI_VOLUME_SLACK;
        volume.bounds[k] = (trvi_interval){h[1].offset - slack, -h[0].offset + slack};
    }
    for (uint32_t i = 0; i < 9; i++)
        add_axis(&volume, trvi_dcross(basis[i / 3], axes[i % 3]), center, arms);
    TRVI_ASSERT(volume.count <= TRVI_MAX_HALF_SPACES);
    return volume;
}

// The least of dot(normal, p) + offset over the box; monotone in the box's sides.
static double lowest(const trvi_half_space *h, const trvi_interval box[3])
{
    double x = h->normal[0] * (h->normal[0] > 0.0 ? box[0].lower : box[0].upper);
    double y = h->normal[1] * (h->normal[1] > 0.0 ? box[1].lower : box[1].upper);
    double z = h->normal[2] * (h->normal[2] > 0.0 ? box[2].lower : box[2].upper);
    return x + y + z + h->offset;
}

static bool is_in(const trvi_volume *volume, uint32_t count, const trvi_interval box[3])
{
    for (uint32_t i = 0; i < count; i++) {
        if (lowest(&volume->half_spaces[i], box) > 0.0)
            return false;
    }
    return true;
}

// The volume seen from one set: its axes in the order s, u, v, and its planes moved out by more
// than the rounding of heights.
static void turn_for(const trvi_volume *volume, const trvi_grid *grid, trv_aabb bounds,
                     trvi_volume *turned)
{
    turned->count = volume->count;
    turned->coarse = volume->coarse;
    trv_vec3 farthest = trvi_max(trvi_abs(bounds.lower), trvi_abs(bounds.upper));
    for (uint32_t k = 0; k < 3; k++)
        turned->bounds[k] = volume->bounds[grid != NULL ? grid->axis[k] : k];
    for (uint32_t i = 0; i < volume->count; i++) {
        const trvi_half_space *from = &volume->half_spaces[i];
        double scale = from->scale;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t axis = grid != NULL ? grid->axis[k] : k;
            turned->half_spaces[i].normal[k] = from->normal[axis];
            scale += fabs(from->normal[axis]) * (double)trvi_axis_of(farthest, axis);
        }
        turned->half_spaces[i].offset = from->offset - scale * TRVI_VOLUME_SLACK;
        turned->half_spaces[i].scale = scale;
    }
}

// A rectangle of cells.
typedef struct area {
    int32_t first[2], last[2];
} area;

typedef struct search {
    const trv_broad *broad;
    const trvi_columns *columns;
    trv_filter filter;
    trvi_tell_proxy *tell;
    void *context;
    bool settled, stopped;
    trvi_interval bounds[3]; // of the columns and of the volume
    area cells;              // that the bounds meet
    trvi_volume volume;      // along s, u, v
} search;

// The part of the bounds that lies over the cells.
static void box_of_area(const search *s, area cells, trvi_interval box[3])
{
    box[0] = s->bounds[0];
    for (uint32_t k = 0; k < 2; k++) {
        double inverse = s->columns->grid.inverse_cell[k];
        box[k + 1] = s->bounds[k + 1];
        if (!(inverse > 0.0))
            continue;
        double width = 1.0 / inverse; // exact: a power of two
        box[k + 1].lower = trvi_most(box[k + 1].lower, cells.first[k] * width);
        box[k + 1].upper = trvi_least(box[k + 1].upper, (cells.last[k] + 1) * width);
    }
}

// The stretch of s over one cell that the coarse planes leave; empty where lower > upper.
static trvi_interval stretch_of(const search *s, const trvi_interval box[3])
{
    trvi_interval stretch = box[0];
    for (uint32_t i = 0; i < s->volume.coarse; i++) {
        const trvi_half_space *h = &s->volume.half_spaces[i];
        double slope = h->normal[0];
        trvi_half_space across = {{0.0, h->normal[1], h->normal[2]}, h->offset, 0.0};
        double height = lowest(&across, box);
        // Where slope * x + height <= 0; the division's rounding is within the planes' slack.
        if (slope > 0.0)
            stretch.upper = trvi_least(stretch.upper, -height / slope);
        else if (slope < 0.0)
            stretch.lower = trvi_most(stretch.lower, -height / slope);
    }
    return stretch;
}

static void box_of_entry(const trvi_columns *columns, uint32_t entry, trvi_interval box[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        box[k].lower = (double)trvi_part(columns, 2 * k)[entry];
        box[k].upper = (double)trvi_part(columns, 2 * k + 1)[entry];
    }
}

// True when the search comes to the box in this cell, too.
static bool is_looked_at(const search *s, int32_t u, int32_t v, const trvi_interval box[3])
{
    trvi_interval cell[3];
    if (u < s->cells.first[0] || u > s->cells.last[0] || v < s->cells.first[1] ||
        v > s->cells.last[1])
        return false;
    box_of_area(s, (area){{u, v}, {u, v}}, cell);
    if (!is_in(&s->volume, s->volume.coarse, cell))
        return false;
    trvi_interval stretch = stretch_of(s, cell);
    return stretch.lower <= stretch.upper && box[0].lower <= stretch.upper &&
           box[0].upper >= stretch.lower;
}

// True when `u`, `v` is the first of the box's cells that the search comes to.
static bool is_told_here(const search *s, int32_t u, int32_t v, const trvi_interval box[3])
{
    const double *inverse = s->columns->grid.inverse_cell;
    int32_t first_u = trvi_cell(box[1].lower, inverse[0]);
    int32_t last_u = trvi_cell(box[1].upper, inverse[0]);
    int32_t first_v = trvi_cell(box[2].lower, inverse[1]);
    int32_t last_v = trvi_cell(box[2].upper, inverse[1]);
    // Cells of other places share the column.
    if (u < first_u || u > last_u || v < first_v || v > last_v)
        return false;
    for (int32_t y = first_v; y <= v; y++) {
        for (int32_t x = first_u; x <= (y < v ? last_u : u - 1); x++) {
            if (is_looked_at(s, x, y, box))
                return false;
        }
    }
    return true;
}

static void tell(search *s, uint32_t tag)
{
    if (!s->stopped && trvi_is_asked_for(s->broad, s->settled, tag, s->filter))
        s->stopped = !s->tell(s->context, tag >> TRVI_TAG_BITS);
}

static void search_column(search *s, uint32_t column, trvi_interval stretch, const area *cell)
{
    const trvi_columns *columns = s->columns;
    const trvi_interval piece[3] = {stretch, s->bounds[1], s->bounds[2]};
    trvi_window window = trvi_window_of(columns, piece);
    trvi_stop stop = trvi_stop_at(columns, column, s->bounds[0], stretch.lower);
    uint32_t i = trvi_stop_seek(columns, &stop, stretch.lower);
    for (bool more = i < stop.end; more; i += TRVI_LANES) {
        uint32_t meets = trvi_window_meets(&window, i, stop.end, &more);
        for (; meets != 0 && !s->stopped; meets &= meets - 1) {
            uint32_t entry = i + trvi_lowest_of_four(meets);
            trvi_interval box[3];
            box_of_entry(columns, entry, box);
            // The window is rounded; which cells are looked at is not.
            if (box[0].lower <= stretch.upper && box[0].upper >= stretch.lower &&
                is_in(&s->volume, s->volume.count, box) &&
                (cell == NULL || is_told_here(s, cell->first[0], cell->first[1], box)))
                tell(s, trvi_tag_of(columns, entry));
        }
    }
}

// All but giants.
static void search_all(search *s)
{
    uint32_t end = trvi_entries_of(s->columns, s->columns->column_count - 1).first;
    for (uint32_t i = 0; i < end && !s->stopped; i++) {
        uint32_t tag = trvi_tag_of(s->columns, i);
        trvi_interval box[3];
        if ((tag & TRVI_TAG_FIRST) != TRVI_TAG_FIRST)
            continue;
        box_of_entry(s->columns, i, box);
        if (is_in(&s->volume, s->volume.count, box))
            tell(s, tag);
    }
}

// Halves the area along its longer side.
static void split(area cells, area *low, area *high)
{
    int32_t lengths[2] = {cells.last[0] - cells.first[0], cells.last[1] - cells.first[1]};
    uint32_t k = lengths[1] > lengths[0];
    *low = *high = cells;
    low->last[k] = cells.first[k] + lengths[k] / 2;
    high->first[k] = low->last[k] + 1;
}

// Looks at the columns of the area's cells (`look`), or counts the cells, as long as there are at
// most `most`; returns how many there are then. Halving ends 50 calls deep: cells fit in 25 bits.
static uint32_t search_area(search *s, area cells, bool look, uint32_t most)
{
    trvi_interval box[3];
    box_of_area(s, cells, box);
    if (s->stopped || !is_in(&s->volume, s->volume.coarse, box))
        return 0;
    trvi_interval stretch = stretch_of(s, box);
    if (stretch.lower > stretch.upper)
        return 0;
    if (cells.first[0] == cells.last[0] && cells.first[1] == cells.last[1]) {
        uint32_t column = trvi_column_at(&s->columns->grid, cells.first[0], cells.first[1]);
        if (look)
            search_column(s, column, stretch, &cells);
        return 1;
    }
    area low, high;
    split(cells, &low, &high);
    uint32_t count = search_area(s, low, look, most);
    if (count <= most)
        count += search_area(s, high, look, most - count);
    return count;
}

// Turns to what lies within the bounds; false where none of that can meet the volume.
static bool turn_to(search *s, const trvi_volume *volume, trv_aabb bounds)
{
    const trvi_grid *grid = &s->columns->grid;
    bool meets = true;
    turn_for(volume, grid, bounds, &s->volume);
    for (uint32_t k = 0; k < 3; k++) {
        double lower = (double)trvi_axis_of(bounds.lower, grid->axis[k]);
        double upper = (double)trvi_axis_of(bounds.upper, grid->axis[k]);
        s->bounds[k].lower = trvi_most(lower, s->volume.bounds[k].lower);
        s->bounds[k].upper = trvi_least(upper, s->volume.bounds[k].upper);
        meets = meets && s->bounds[k].lower <= s->bounds[k].upper;
    }
    return meets && is_in(&s->volume, s->volume.coarse, s->bounds);
}

static void search_columns(search *s)
{
    const trvi_columns *columns = s->columns;
    area *cells = &s->cells;
    for (uint32_t k = 0; k < 2; k++) {
        cells->first[k] = trvi_cell(s->bounds[k + 1].lower, columns->grid.inverse_cell[k]);
        cells->last[k] = trvi_cell(s->bounds[k + 1].upper, columns->grid.inverse_cell[k]);
    }
    uint32_t most = CELLS_TO_SCAN + trvi_entry_count(columns) / 8;
    if (search_area(s, *cells, false, most) > most)
        search_all(s);
    else
        search_area(s, *cells, true, most);
}

static void search_set(search *s, const trvi_volume *volume)
{
    if (s->columns->column_count == 0)
        return;
    if (turn_to(s, volume, s->columns->bounds.inner))
        search_columns(s);
    if (trvi_giant_count(s->columns) > 0 && !s->stopped &&
        turn_to(s, volume, s->columns->bounds.outer))
        search_column(s, s->columns->column_count - 1, s->bounds[0], NULL);
}

static void search_changed(search *s, const trvi_volume *volume)
{
    const uint32_t *changed = s->broad->changed.items;
    for (uint32_t i = 0; i < s->broad->changed.count && !s->stopped; i++) {
        if (!trvi_is_moved(s->broad, changed[i]))
            continue;
        trv_aabb fat = trvi_fat_boxes(s->broad)[changed[i]];
        trvi_volume turned; // not zeroed: most of it is room
        turn_for(volume, NULL, fat, &turned);
        trvi_interval box[3];
        for (uint32_t k = 0; k < 3; k++) {
            box[k].lower = (double)trvi_axis_of(fat.lower, k);
            box[k].upper = (double)trvi_axis_of(fat.upper, k);
        }
        if (is_in(&turned, turned.count, box) &&
            trv_filters_agree(trvi_filter_of(s->broad, changed[i]), s->filter))
            s->stopped = !s->tell(s->context, changed[i]);
    }
}

void trvi_query_volume(const trv_broad *broad, const trvi_volume *volume, trv_filter filter,
                       trvi_tell_proxy *tell_found, void *context)
{
    search s = {.broad = broad, .filter = filter, .tell = tell_found, .context = context};
    s.settled = trvi_is_settled(broad);
    for (uint32_t set = 0; set < TRVI_SET_COUNT && !s.stopped; set++) {
        s.columns = &broad->sets[set];
        search_set(&s, volume);
    }
    search_changed(&s, volume);
}
