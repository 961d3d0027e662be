// Looking through columns from some place along s on, and for what overlaps a box.
//
// The place is guessed as if boxes were spread evenly, and then sought from there. The columns that
// a box meets are told apart and asked for a few at a time, before any of them is looked through.
//
// Invariant: nothing is written.
//
// Based on: Jon Bentley, Andrew Yao, "An Almost Optimal Algorithm for Unbounded Searching", 1976.
#include "query.h"

// Of four bits, how many are set.
static const uint8_t bit_counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

enum { NEAR = 2 * TRVI_LANES }; // blocks around a guess that are looked at together

// The first block of [first, end) that reaches up to `lower`, if it is surely one of those near
// the guess; else `end`. There are as many blocks.
static inline uint32_t seek_near(const float *reach, uint32_t first, uint32_t end, uint32_t guess,
                                 float lower)
{
    const trvi_lanes lowers = trvi_lanes_splat(lower);
    uint32_t from = guess - first > NEAR / 2 ? guess - NEAR / 2 : first;
    from = end - from < NEAR ? end - NEAR : from;
    uint32_t low = trvi_lanes_at_least(trvi_lanes_load(reach + from), lowers);
    uint32_t high = trvi_lanes_at_least(trvi_lanes_load(reach + from + TRVI_LANES), lowers);
    // Reaches rise: those that do are the last ones.
    uint32_t reaching = bit_counts[low] + bit_counts[high];
    bool none = reaching == 0, every = reaching == NEAR && from > first;
    return none || every ? end : from + NEAR - reaching;
}

// Looks near the guess, then gallops from it, by blocks, then halves.
uint32_t trvi_stop_seek(const trvi_columns *columns, const trvi_stop *stop, double lower)
{
    const float *reach = columns->reach.items;
    uint32_t first = stop->first / TRVI_BLOCK, at = stop->guess / TRVI_BLOCK, step = 1;
    uint32_t end = (stop->end + TRVI_BLOCK - 1) / TRVI_BLOCK;
    if (first == end)
        return stop->end;
    if (end - first >= NEAR) {
        // Rounding leaves no block out: it is monotone, and reaches are float32.
        uint32_t block = seek_near(reach, first, end, at, (float)lower);
        if (block != end)
            return block * TRVI_BLOCK;
    }
    if ((double)reach[at] >= lower) {
        end = at;
        for (; end - first > step && (double)reach[end - step] >= lower; step *= 2)
            end -= step;
        first = end - first > step ? end - step + 1 : first;
    } else {
        first = at + 1;
        for (; end - first > step && (double)reach[first + step] < lower; step *= 2)
            first += step + 1;
        end = end - first > step ? first + step : end;
    }
    uint32_t last = end * TRVI_BLOCK < stop->end ? end * TRVI_BLOCK : stop->end;
    return trvi_first_reaching(columns, first * TRVI_BLOCK, last, lower);
}

enum { STOPS = 16 }; // columns that are on their way together

// A box query's way through one set.
typedef struct query_way {
    const trv_broad *broad;
    const trvi_columns *columns;
    trv_filter filter;
    trvi_tell_proxy *tell;
    void *context;
    bool settled, stopped;
    float lower_s;
    trvi_rows rows;
    trvi_beam window; // without slabs
} query_way;

static void query_column(query_way *w, const trvi_stop *stop, uint32_t flags)
{
    uint32_t i = trvi_stop_seek(w->columns, stop, (double)w->lower_s), list[TRVI_LOOKED];
    while (i < stop->end) {
        uint32_t count = w->broad->kernels.look(&w->rows, &w->window, &i, stop->end, list);
        for (uint32_t n = 0; n < count; n++) {
            uint32_t tag = w->rows.tag[list[n]];
            if (((tag | flags) & TRVI_TAG_FIRST) != TRVI_TAG_FIRST || w->stopped)
                continue;
            trvi_fetch_proxy(w->broad, tag);
            if (trvi_is_asked_for(w->broad, w->settled, tag, w->filter))
                w->stopped = !w->tell(w->context, tag >> TRVI_TAG_BITS);
        }
    }
}

static void query_columns(query_way *w, trv_aabb box)
{
    const trvi_columns *columns = w->columns;
    trvi_walk walk = trvi_walk_begin(columns, box);
    uint32_t total = walk.span[0] * walk.span[1], flags[STOPS];
    if (columns->column_count == 0 || walk.next > total)
        return;
    trvi_interval sides[3], bounds[3];
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t axis = columns->grid.axis[k];
        sides[k].lower = (double)trvi_axis_of(box.lower, axis);
        sides[k].upper = (double)trvi_axis_of(box.upper, axis);
        bounds[k].lower = (double)trvi_axis_of(columns->bounds.inner.lower, axis);
        bounds[k].upper = (double)trvi_axis_of(columns->bounds.inner.upper, axis);
    }
    w->rows = trvi_rows_of(columns);
    w->window.count = 0;
    for (uint32_t k = 0; k < 3; k++) {
        w->window.lower[k] = walk.lower[k];
        w->window.upper[k] = walk.upper[k];
    }
    w->lower_s = walk.lower[0];
    trvi_stop stops[STOPS];
    uint32_t u = 0, v = 0;
    for (uint32_t next = 0; next <= total && !w->stopped;) {
        uint32_t count = 0;
        for (; next <= total && count < STOPS; next++, count++) {
            uint32_t column = columns->column_count - 1; // the giants', at last
            flags[count] = 0;
            if (next < total) {
                column = trvi_column_at(&columns->grid, walk.first[0] + (int32_t)u,
                                        walk.first[1] + (int32_t)v);
                flags[count] |= u == 0 && !walk.wide[0] ? TRVI_TAG_FIRST_U : 0;
                flags[count] |= v == 0 && !walk.wide[1] ? TRVI_TAG_FIRST_V : 0;
                u = u + 1 < walk.span[0] ? u + 1 : 0;
                v += u == 0;
            }
            stops[count] = trvi_stop_at(columns, column, bounds[0], sides[0].lower);
        }
        for (uint32_t i = 0; i < count && !w->stopped; i++)
            query_column(w, &stops[i], flags[i]);
    }
}

void trvi_query_aabb(const trv_broad *broad, trv_aabb box, trv_filter filter, trvi_tell_proxy *tell,
                     void *context)
{
    query_way w = {.broad = broad, .filter = filter, .tell = tell, .context = context};
    w.settled = trvi_is_settled(broad);
    for (uint32_t k = 0; k < TRVI_SET_COUNT; k++) {
        w.columns = &broad->sets[k];
        query_columns(&w, box);
        if (w.stopped)
            return;
    }
    const uint32_t *changed = broad->changed.items;
    for (uint32_t i = 0; i < broad->changed.count; i++) {
        if (trvi_is_moved(broad, changed[i]) &&
            trvi_aabb_overlaps(trvi_fat_boxes(broad)[changed[i]], box) &&
            trv_filters_agree(trvi_filter_of(broad, changed[i]), filter) &&
            !tell(context, changed[i]))
            return;
    }
}
