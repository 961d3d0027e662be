// Columns whose boxes mostly stay: brought up to date and swept in one go, for the pairs that
// begin.
//
// Two boxes with entries where they were at the last update, and filters and sets as they were
// then, are a pair when they overlap, and were one when they did then. So pairs that go on are not
// looked for: those that begin are found here, by what a column holds now and a copy of what it
// held a moment ago; those that end are found where all pairs are gone through (pairs.c). What is
// new to a column, or has another filter or set, is touched, and its pairs are looked for by the
// sweep (sweep.c).
//
// Large columns, in which that copy would not stay near, crowds (crowd.c), and giants, which are
// compared with all columns, are left to the sweep: what moves there is touched. Where little
// moves, all of it is (columns.c): few pairs are to be looked for then.
//
// A box that comes to another cell keeps its entries in those that it still meets; pairs with its
// new entries are found by the sweep, those that were there before among them.
//
// The work is cut into items, one for each column. When the room for pairs ends, all that moved is
// touched, and the sweep finds everything: so an update never depends on how much room there was.
//
// Invariant: entries are marked as touched where their proxies are, and those that are new. Between
// the first column and the end of the update is_torn is set, since columns show boxes of which
// pairs are not known.
#include "crowd.h"
#include "deal.h"
#include "place.h"
#include "ring.h"

enum {
    COLUMNS_PER_HAND_OVER = 2, // of some hundred entries each
    LEAST_ROOM = 256,
    MAY_BE_CROWD = 1000 // entries; of fewer, watching costs little in any case
};

typedef struct tracker {
    trv_broad *broad;
    bool walks;    // there are columns or giants beside the column
    bool giants;   // there are
    uint32_t room; // entries for which each worker has scratch
    trvi_fence fence;
    trvi_sink sinks[TRVI_MAX_WORKERS];
    bool overflow[TRVI_MAX_WORKERS];
    trvi_bounds bounds[TRVI_MAX_WORKERS]; // of what lies beyond those of the columns, and of them
} tracker;

// What a worker has for a column.
typedef struct share {
    trvi_scratch s;
    trvi_sink *out;
    trvi_bounds *bounds;
} share;

static trvi_columns *mobile_of(const tracker *t)
{
    return &t->broad->sets[TRVI_MOBILE_COLUMNS];
}

static bool is_touched(const trv_broad *broad, uint32_t tag)
{
    return trvi_states(broad)[tag >> TRVI_TAG_BITS] & TRVI_PROXY_TOUCHED;
}

// A pair that begins; not where the sweep looks for it.
static bool put_begun(const trv_broad *broad, uint32_t a, uint32_t b, trvi_sink *out)
{
    if (is_touched(broad, a) || is_touched(broad, b))
        return true;
    return trvi_put_tags(broad, out, a, b);
}

// ---- What a box meets outside of its column ----

// The static proxies that the entry's box overlaps, and did not overlap before.
static bool walk_still(const trv_broad *broad, uint32_t tag, const trv_aabb *was, trvi_sink *out)
{
    const trvi_columns *still = &broad->sets[TRVI_STILL_COLUMNS];
    if (still->column_count == 0)
        return true;
    const uint32_t *tags = still->tag.items;
    const float *lower_s = trvi_part(still, TRVI_LOWER_S);
    trvi_walk walk = trvi_walk_begin(still, trvi_fat_boxes(broad)[tag >> TRVI_TAG_BITS]);
    while (trvi_walk_next(&walk)) {
        for (uint32_t i = walk.entry; i < walk.end && lower_s[i] <= walk.upper[0]; i++) {
            if (!trvi_walk_meets(&walk, i) ||
                trvi_aabb_overlaps(*was, trvi_fat_boxes(broad)[tags[i] >> TRVI_TAG_BITS]))
                continue;
            if (!put_begun(broad, tag, tags[i], out))
                return false;
        }
    }
    return true;
}

// The same of giants that are not static; those that move are touched.
static bool walk_giants(const trv_broad *broad, uint32_t entry, const trv_aabb *was, trvi_sink *out)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const uint32_t *tags = columns->tag.items;
    const float *lower_s = trvi_part(columns, TRVI_LOWER_S);
    float last_s = trvi_part(columns, TRVI_UPPER_S)[entry];
    trvi_entries giants = trvi_entries_of(columns, columns->column_count - 1);
    uint32_t i = trvi_first_reaching(columns, giants.first, giants.last, (double)lower_s[entry]);
    for (; i < giants.last && lower_s[i] <= last_s; i++) {
        if (!trvi_entries_meet(columns, entry, i) ||
            trvi_aabb_overlaps(*was, trvi_fat_boxes(broad)[tags[i] >> TRVI_TAG_BITS]))
            continue;
        if (!put_begun(broad, tags[entry], tags[i], out))
            return false;
    }
    return true;
}

// Each proxy walks from its first column.
static bool walk_from(const tracker *t, uint32_t entry, const trv_aabb *was, trvi_sink *out)
{
    const trv_broad *broad = t->broad;
    uint32_t tag = ((const uint32_t *)mobile_of(t)->tag.items)[entry];
    if ((tag & TRVI_TAG_FIRST) != TRVI_TAG_FIRST || is_touched(broad, tag))
        return true;
    return walk_still(broad, tag, was, out) && (!t->giants || walk_giants(broad, entry, was, out));
}

// ---- A column ----

// A worker's share.
static trvi_scratch scratch_of(const tracker *t, uint32_t worker)
{
    size_t words = (size_t)t->room * TRVI_SCRATCH_WORDS; // an even number
    uint32_t *at = (uint32_t *)t->broad->scratch.items + worker * words;
    trvi_scratch s = {.keys = (uint64_t *)(void *)at};
    s.tag = at + (size_t)t->room * 2;
    float *parts = (float *)t->broad->scratch.items + worker * words + (size_t)t->room * 3;
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        s.now[k] = parts + (size_t)t->room * 2 * k;
        s.was[k] = s.now[k] + t->room;
    }
    return s;
}

// Of parts that stand in the scratch.
static trvi_rows rows_of(float *const part[TRVI_PART_COUNT], const uint32_t *tag)
{
    return (trvi_rows){part[TRVI_LOWER_S],
                       part[TRVI_UPPER_S],
                       part[TRVI_LOWER_U],
                       part[TRVI_UPPER_U],
                       part[TRVI_LOWER_V],
                       part[TRVI_UPPER_V],
                       NULL,
                       tag};
}

static bool watch(const trv_broad *broad, const trvi_rows *now, const trvi_scratch *s,
                  uint32_t count, trvi_sink *out)
{
    const trvi_rows was = rows_of(s->was, NULL);
    uint32_t blocks[TRVI_BLOCKS], row = 0;
    while (row < count) {
        uint32_t found = broad->kernels.watch(now, &was, &row, count, blocks);
        for (uint32_t n = 0; n < found; n++) {
            uint32_t a = now->tag[blocks[n] >> 20], bits = blocks[n] & 0xFF;
            for (uint32_t j = blocks[n] >> 8 & 0xFFF; bits != 0; j++, bits >>= 1) {
                uint32_t b = now->tag[j];
                if ((bits & 1) && ((a | b) & TRVI_TAG_FIRST) == TRVI_TAG_FIRST &&
                    !put_begun(broad, a, b, out))
                    return false;
            }
        }
    }
    return true;
}

// Drops the entries in the list, from all parts.
static uint32_t drop(const trvi_columns *columns, uint32_t first, uint32_t count,
                     const trvi_scratch *s, const uint32_t *list, uint32_t listed)
{
    uint32_t to = list[0];
    for (uint32_t n = 0; n < listed; n++) {
        uint32_t from = list[n] + 1, end = n + 1 < listed ? list[n + 1] : count;
        for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
            memmove(s->now[k] + to, s->now[k] + from, (end - from) * sizeof *s->now[k]);
            memmove(s->was[k] + to, s->was[k] + from, (end - from) * sizeof *s->was[k]);
        }
        uint32_t *tag = (uint32_t *)columns->tag.items + first;
        memmove(tag + to, tag + from, (end - from) * sizeof *tag);
        to += end - from;
    }
    return to;
}

// True when the cells of both together have columns of their own.
static bool are_near(const trvi_grid *grid, const trv_aabb *a, const trv_aabb *b)
{
    trvi_cells cells, others;
    if (!trvi_count_cells(grid, a, &cells) || !trvi_count_cells(grid, b, &others) ||
        trvi_is_giant(cells) || trvi_is_giant(others))
        return false;
    for (uint32_t k = 0; k < 2; k++) {
        int32_t first = cells.first[k] < others.first[k] ? cells.first[k] : others.first[k];
        int32_t last = cells.last[k] > others.last[k] ? cells.last[k] : others.last[k];
        if (last - first >= 2 * TRVI_MAX_SPAN)
            return false;
    }
    return true;
}

// An entry whose proxy meets other columns than before: its tag in this one; 0 where it is to go.
// What is decided of a proxy is decided alike at each of its entries, and noted at the one that was
// the first.
static uint32_t shift(const tracker *t, uint32_t column, uint32_t tag, const trv_aabb *before,
                      trvi_ring ring)
{
    const trvi_columns *columns = mobile_of(t);
    uint32_t index = tag >> TRVI_TAG_BITS, size_u = columns->grid.size[0];
    bool near = are_near(&columns->grid, &trvi_fat_boxes(t->broad)[index], before);
    if ((tag & TRVI_TAG_FIRST) == TRVI_TAG_FIRST)
        trvi_spans(t->broad)[index] |= near ? TRVI_SPAN_SHIFTED : TRVI_SPAN_GONE;
    if (!near || !trvi_ring_holds(columns, ring, column))
        return 0;
    tag &= ~(uint32_t)TRVI_TAG_FIRST;
    tag |= ((column ^ ring.home) & (size_u - 1)) == 0 ? TRVI_TAG_FIRST_U : 0u;
    return tag | (column / size_u == ring.home / size_u ? TRVI_TAG_FIRST_V : 0u);
}

// Drops what is no longer in this column; returns how many entries stay.
static uint32_t let_go(const tracker *t, uint32_t column, uint32_t count, const share *mine)
{
    const trvi_columns *columns = mobile_of(t);
    const trvi_grid *grid = &columns->grid;
    const trvi_scratch *s = &mine->s;
    uint32_t first = trvi_entries_of(columns, column).first;
    uint32_t *tags = (uint32_t *)columns->tag.items + first;
    trvi_rows now = rows_of(s->now, tags);
    const trvi_rows was = rows_of(s->was, NULL);
    uint32_t *list = (uint32_t *)(void *)s->keys, leaving = 0; // keys were dealt by
    uint32_t listed = t->broad->kernels.fence(&now, &was, &t->fence, count, list);
    for (uint32_t n = 0; n < listed; n++) {
        uint32_t i = list[n];
        const trv_aabb *box = &trvi_fat_boxes(t->broad)[tags[i] >> TRVI_TAG_BITS];
        trv_aabb before = trvi_box_of_sides(s->was[0] + i, 2 * t->room, grid);
        trvi_ring ring = trvi_ring_of(columns, box), old = trvi_ring_of(columns, &before);
        trvi_bounds_take(mine->bounds, box, trvi_is_among_giants(columns, ring));
        if (trvi_rings_equal(ring, old))
            continue;
        uint32_t tag = shift(t, column, tags[i], &before, ring);
        list[leaving] = i;
        leaving += tag == 0;
        tags[i] = tag;
    }
    if (leaving == 0)
        return count;
    uint32_t left = drop(columns, first, count, s, list, leaving);
    trvi_end_dealt(left, s);
    return left;
}

// One column; false when there was no room for its pairs. It is up to date in any case.
static bool track_column(const tracker *t, uint32_t column, const share *mine)
{
    const trvi_scratch *s = &mine->s;
    trvi_sink *out = mine->out;
    const trv_broad *broad = t->broad;
    trvi_columns *columns = mobile_of(t);
    trvi_entries all = trvi_entries_of(columns, column);
    bool touched;
    uint32_t stay = trvi_deal_column(broad, all, s, &touched);
    stay = let_go(t, column, stay, mine);
    trvi_keep_dealt(columns, all.first, stay, s);
    trvi_column_trim(columns, column, stay);
    trvi_column_reach(columns, column);
    if (touched)
        ((uint8_t *)columns->mark.items)[column] |= TRVI_COLUMN_TOUCHED;
    trvi_rows now = rows_of(s->now, (const uint32_t *)columns->tag.items + all.first);
    bool done = watch(broad, &now, s, stay, out);
    for (uint32_t i = 0; i < stay && t->walks && done; i++) {
        trv_aabb box = trvi_box_of_sides(s->was[0] + i, 2 * t->room, &columns->grid);
        done = walk_from(t, all.first + i, &box, out);
    }
    return done;
}

// ---- All columns ----

// Too large to be watched, or a crowd: those are swept.
static bool is_large(const trv_broad *broad, uint32_t column)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    uint32_t count = ((const uint32_t *)columns->fill.items)[column];
    return count > TRVI_WATCHED || column == columns->column_count - 1 ||
           (count > MAY_BE_CROWD &&
            trvi_is_crowd(broad, columns, trvi_entries_of(columns, column), count));
}

static void track_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    tracker *t = context;
    trvi_columns *columns = mobile_of(t);
    uint8_t *unfinished = t->broad->unfinished.items;
    trvi_sink out = t->sinks[worker]; // a copy: workers' sinks lie side by side
    bool overflow = t->overflow[worker];
    trvi_bounds bounds = t->bounds[worker];
    share mine = {scratch_of(t, worker), &out, &bounds};
    for (uint32_t column = first; column < last; column++) {
        unfinished[column] = 0;
        if (column == columns->column_count - 1)
            continue; // the giants are in order by now
        if (is_large(t->broad, column)) {
            unfinished[column] = !trvi_column_settle(t->broad, TRVI_MOBILE_COLUMNS, column);
        } else if (!track_column(t, column, &mine)) {
            overflow = true;
        }
    }
    t->sinks[worker] = out;
    t->overflow[worker] = overflow;
    t->bounds[worker] = bounds;
}

// A proxy that moved, and that tracking will not find out about: whether it stays.
static void touch_one(tracker *t, uint32_t index)
{
    const trvi_columns *columns = mobile_of(t);
    uint8_t *state = &trvi_states(t->broad)[index];
    if (!(*state & TRVI_PROXY_MOVED) || !trvi_entry_stays(*state, TRVI_MOBILE_COLUMNS))
        return;
    *state |= TRVI_PROXY_TOUCHED;
    const trv_aabb *box = &trvi_fat_boxes(t->broad)[index];
    trvi_ring ring = trvi_ring_of(columns, box), old = trvi_ring_of_proxy(t->broad, index);
    trvi_bounds_take(&t->bounds[0], box, trvi_is_among_giants(columns, ring));
    if (!trvi_rings_equal(ring, old)) {
        *state |= TRVI_PROXY_LEAVING;
        trvi_spans(t->broad)[index] |= TRVI_SPAN_GONE;
    }
}

// What moved in columns that are too large is touched. Returns the most entries of one of them, and
// of one of the others.
static uint32_t touch_large(tracker *t, uint32_t *most_tracked)
{
    const trvi_columns *columns = mobile_of(t);
    uint32_t most = 0;
    for (uint32_t column = 0; column < columns->column_count; column++) {
        trvi_entries all = trvi_entries_of(columns, column);
        if (!is_large(t->broad, column)) {
            *most_tracked =
                all.last - all.first > *most_tracked ? all.last - all.first : *most_tracked;
            continue;
        }
        most = all.last - all.first > most ? all.last - all.first : most;
        for (uint32_t i = all.first; i < all.last; i++)
            touch_one(t, ((const uint32_t *)columns->tag.items)[i] >> TRVI_TAG_BITS);
    }
    return most;
}

// Of what has gone far, all pairs are to be looked for. Returns how many are to be given other
// columns.
static uint32_t count_shifted(const trv_broad *broad)
{
    enum { EITHER = TRVI_SPAN_SHIFTED | TRVI_SPAN_GONE };
    const uint32_t *changed = broad->changed.items;
    const bool all = trvi_did_most_change(broad);
    const uint32_t last = all ? broad->proxy_limit : broad->changed.count;
    uint32_t count = 0;
    for (uint32_t next = all ? trvi_next_with(broad, 1, 0, EITHER) : 0; next < last;) {
        uint32_t index = all ? next : changed[next];
        uint8_t span = trvi_spans(broad)[index];
        if (span & TRVI_SPAN_GONE)
            trvi_forget_columns(broad, index);
        count += (span & EITHER) != 0;
        next = all ? trvi_next_with(broad, next + 1, 0, EITHER) : next + 1;
    }
    return count;
}

void trvi_forget_columns(const trv_broad *broad, uint32_t index)
{
    trvi_spans(broad)[index] &= (uint8_t) ~(uint32_t)(TRVI_SPAN_SHIFTED | TRVI_SPAN_GONE);
    trvi_homes(broad)[index] = TRVI_NO_HOME;
    trvi_states(broad)[index] |= TRVI_PROXY_TOUCHED | TRVI_PROXY_LEAVING;
}

void trvi_touch_moved(const trv_broad *broad)
{
    const uint32_t *changed = broad->changed.items;
    uint8_t *states = trvi_states(broad);
    for (uint32_t i = 0; i < broad->changed.count; i++) {
        if (states[changed[i]] & TRVI_PROXY_MOVED)
            states[changed[i]] |= TRVI_PROXY_TOUCHED;
    }
}

// The sweep is to find all pairs: all that moved is touched, and so are its entries.
static void give_up(trv_broad *broad)
{
    trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    uint32_t *tag = columns->tag.items;
    trvi_touch_moved(broad);
    for (uint32_t column = 0; column < columns->column_count; column++) {
        trvi_entries all = trvi_entries_of(columns, column);
        ((uint8_t *)columns->mark.items)[column] |= TRVI_COLUMN_TOUCHED;
        for (uint32_t i = all.first; i < all.last; i++)
            tag[i] |= is_touched(broad, tag[i]) ? TRVI_TAG_TOUCHED : 0u;
    }
}

// Twice what was found lately, and a part of what there is.
static uint64_t room_for_pairs(const trv_broad *broad, uint32_t workers)
{
    uint64_t kept = broad->lists[broad->front].kept.count;
    return ((uint64_t)broad->found_lately * 2 + kept / 4) / workers + LEAST_ROOM;
}

static trv_result gather(trv_broad *broad, const tracker *t, uint32_t workers)
{
    trvi_array *noted = &broad->noted;
    bool overflow = false;
    uint64_t total = 0;
    for (uint32_t w = 0; w < workers; w++) {
        overflow = overflow || t->overflow[w];
        total += t->sinks[w].count;
    }
    broad->found.count = noted->count = 0;
    if (overflow || total > broad->max_pairs) {
        give_up(broad);
        return TRV_OK;
    }
    if (!trvi_array_reserve(&broad->allocator, noted, (uint32_t)total + 1))
        return TRV_ERROR_MEMORY;
    for (uint32_t w = 0; w < workers; w++) {
        if (t->sinks[w].count > 0)
            memcpy((uint64_t *)noted->items + noted->count, t->sinks[w].keys,
                   t->sinks[w].count * sizeof(uint64_t));
        noted->count += t->sinks[w].count;
    }
    return TRV_OK;
}

// What the workers need; false when there is no memory.
static bool begin(tracker *t, uint32_t workers)
{
    trv_broad *broad = t->broad;
    const trvi_columns *columns = mobile_of(t);
    for (uint32_t w = 0; w < workers; w++)
        t->bounds[w] = columns->bounds;
    uint64_t room = room_for_pairs(broad, workers);
    uint32_t most_tracked = 0, most = touch_large(t, &most_tracked);
    t->room = (most_tracked + 2 * TRVI_WIDEST) / 2 * 2;
    if (room * workers > UINT32_MAX ||
        !trvi_array_reserve(&broad->allocator, &broad->scratch,
                            t->room * TRVI_SCRATCH_WORDS * workers) ||
        !trvi_array_reserve(&broad->allocator, &broad->worker_keys, (uint32_t)room * workers) ||
        !trvi_reserve_sorting(broad, most, columns->column_count))
        return false;
    room = broad->worker_keys.capacity / workers;
    for (uint32_t w = 0; w < workers; w++)
        t->sinks[w] = (trvi_sink){(uint64_t *)broad->worker_keys.items + w * room, 0,
                                  (uint32_t)room, trvi_index_bits(broad)};
    t->giants = trvi_giant_count(columns) > 0;
    t->walks = t->giants || broad->sets[TRVI_STILL_COLUMNS].column_count > 0;
    for (uint32_t k = 0; k < 3; k++) {
        t->fence.lower[k] = trvi_axis_of(columns->bounds.inner.lower, columns->grid.axis[k]);
        t->fence.upper[k] = trvi_axis_of(columns->bounds.inner.upper, columns->grid.axis[k]);
    }
    memcpy(t->fence.inverse, columns->grid.inverse_cell, sizeof t->fence.inverse);
    return true;
}

// Before all others, which go through them: what was removed is gone then, and the rest in order.
static void settle_giants(trv_broad *broad)
{
    trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    uint32_t column = columns->column_count - 1;
    if (!trvi_column_settle(broad, TRVI_MOBILE_COLUMNS, column))
        trvi_column_sort_large(columns, column, broad->keys[0].items, broad->keys[1].items);
}

trv_result trvi_track_columns(trv_broad *broad, uint32_t *shifted)
{
    trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    uint32_t workers = trvi_has_workers(broad) ? broad->workers.count : 1;
    tracker t = {.broad = broad};
    broad->is_torn = true;
    bool begun = begin(&t, workers);
    if (begun) {
        settle_giants(broad);
        trvi_parallel_for(&broad->workers, columns->column_count, COLUMNS_PER_HAND_OVER,
                          track_range, &t);
        trvi_sort_unfinished(broad, TRVI_MOBILE_COLUMNS, columns->column_count);
    }
    *shifted = count_shifted(broad);
    for (uint32_t w = 0; w < workers; w++) {
        trvi_bounds *bounds = &columns->bounds;
        bounds->inner = trvi_aabb_union(bounds->inner, t.bounds[w].inner);
        bounds->outer = trvi_aabb_union(bounds->outer, t.bounds[w].outer);
    }
    return begun ? gather(broad, &t, workers) : TRV_ERROR_MEMORY;
}
