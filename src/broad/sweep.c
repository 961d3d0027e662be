// Finding the pairs of all proxies that were touched: those whose pairs cannot be told by their
// boxes before and now (track.c), and all that changed where that is little.
//
// Each dirty column of what is not static is swept against itself: all of it where many entries
// were touched, else from those alone, up and down. Touched ones walk through the static columns,
// and touched statics through the others. Giants walk through what is not static, and what was
// touched goes through the giants that were not.
//
// The work is cut into items, one for each dirty column (the giants' is one). An item writes to a
// list of fixed room and, where that ends, is undone and done again by the calling thread, which
// may make more room: so workers need no memory. The pairs are sorted at the end, hence the same
// however the items were dealt.
//
// Invariant: a pair is found once. Two in one column: see columns.c. Static and not: by the walk of
// the other, or by that of the static one where the other was not touched.
//
// Based on: David Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992 (sweep and
// prune).
#include "broad_data.h"
#include "crowd.h"

enum {
    ITEMS_PER_HAND_OVER = 2, // columns of some hundred entries
    COLUMNS_SOON = 2,        // columns ahead, whose entries are brought near
    LEAST_ROOM = 256,
    MOST_LISTED = 512,  // touched entries of a column; of more, all are swept
    TOUCHED_FOR_ALL = 3 // where one in so many entries was touched, all are swept
};

// The pairs of the entries [first, last) with later ones. Boxes that touch count.
static bool sweep_up(const trv_broad *broad, const trvi_rows *r, uint32_t first, uint32_t last,
                     uint32_t end, trvi_sink *out)
{
    trvi_hit hits[TRVI_HITS];
    trvi_place place = {first, first + 1};
    while (place.i < last) {
        uint32_t count = broad->kernels.sweep(r, &place, last, end, hits);
        for (uint32_t k = 0; k < count; k++) {
            if (!trvi_put_tags(broad, out, hits[k].a, hits[k].b))
                return false;
        }
    }
    return true;
}

// The pairs of the listed entries, which are touched, with all others of a column.
static bool sweep_around(const trv_broad *broad, const trvi_rows *r, const uint32_t *list,
                         uint32_t listed, trvi_entries all, trvi_sink *out)
{
    trvi_hit hits[TRVI_HITS];
    trvi_place place = {0, TRVI_FROM_REACH};
    while (place.i < listed) {
        uint32_t count = broad->kernels.around(r, &place, list, listed, all.first, all.last, hits);
        for (uint32_t k = 0; k < count; k++) {
            if (!trvi_put_tags(broad, out, hits[k].a, hits[k].b))
                return false;
        }
    }
    return true;
}

// Lists the touched entries of a block, which ends within the column's room; returns how many.
// There is room for TRVI_BLOCK.
static inline uint32_t list_touched(const uint32_t *tag, uint32_t i, uint32_t *list)
{
    uint32_t count = 0;
    if (!((tag[i] | tag[i + 1] | tag[i + 2] | tag[i + 3]) & TRVI_TAG_TOUCHED))
        return 0;
    for (uint32_t k = i; k < i + TRVI_BLOCK; k++) {
        list[count] = k;
        count += (tag[k] & TRVI_TAG_TOUCHED) != 0;
    }
    return count;
}

// False also for a crowd where there is no room for one (NULL).
static bool sweep_column(const trv_broad *broad, const trvi_columns *columns, uint32_t column,
                         const trvi_crowd_room *room, trvi_sink *out)
{
    const trvi_entries all = trvi_entries_of(columns, column);
    trvi_rows r = trvi_rows_of(columns);
    uint32_t list[MOST_LISTED], most = (all.last - all.first) / TOUCHED_FOR_ALL, count = 0;
    most = most < MOST_LISTED - TRVI_BLOCK ? most : MOST_LISTED - TRVI_BLOCK;
    for (uint32_t i = all.first; i < all.last && count <= most; i += TRVI_BLOCK)
        count += list_touched(r.tag, i, list + count);
    bool few = count <= most;
    if (trvi_is_crowd(broad, columns, all, few ? count : all.last - all.first))
        return room != NULL && trvi_sweep_crowd(broad, columns, all, room, out);
    return few ? sweep_around(broad, &r, list, count, all, out)
               : sweep_up(broad, &r, all.first, all.last, all.last, out);
}

// Which entries a walk reports.
typedef enum walk_kind {
    WALK_STILL,     // a static one that is touched finds those that are not
    WALK_UNTOUCHED, // others walk themselves
    WALK_NO_GIANTS  // those are found elsewhere
} walk_kind;

// The pairs of proxy `self` with a set.
static bool walk_set(const trv_broad *broad, const trvi_columns *columns, uint32_t self,
                     walk_kind kind, trvi_sink *out)
{
    if (columns->column_count == 0)
        return true;
    const uint32_t *tag = columns->tag.items;
    const float *lower_s = trvi_part(columns, TRVI_LOWER_S);
    bool touched = trvi_states(broad)[self] & TRVI_PROXY_TOUCHED;
    uint32_t giants = ((const uint32_t *)columns->start.items)[columns->column_count - 1];
    trvi_walk walk = trvi_walk_begin(columns, trvi_fat_boxes(broad)[self]);
    while (trvi_walk_next(&walk)) {
        if (walk.entry >= giants && kind == WALK_NO_GIANTS)
            break;
        for (uint32_t i = walk.entry; i < walk.end && lower_s[i] <= walk.upper[0]; i++) {
            uint8_t other = trvi_states(broad)[tag[i] >> TRVI_TAG_BITS];
            if (!trvi_walk_meets(&walk, i) ||
                (kind == WALK_UNTOUCHED && (other & TRVI_PROXY_TOUCHED)) ||
                (kind == WALK_STILL && !touched && (other & TRVI_PROXY_TOUCHED)))
                continue;
            if (!trvi_put_pair(broad, out, self, tag[i] >> TRVI_TAG_BITS))
                return false;
        }
    }
    return true;
}

// The pairs of entry i, of another column, with giants that were not touched.
static bool sweep_giants(const trv_broad *broad, const trvi_columns *columns, uint32_t i,
                         trvi_sink *out)
{
    uint32_t column = columns->column_count - 1;
    uint32_t start = ((const uint32_t *)columns->start.items)[column];
    uint32_t end = start + ((const uint32_t *)columns->fill.items)[column];
    trvi_rows r = trvi_rows_of(columns);
    uint32_t j = trvi_first_reaching(columns, start, end, r.lower_s[i]);
    for (; j < end && r.lower_s[j] <= r.upper_s[i]; j++) {
        if (!(r.tag[j] & TRVI_TAG_TOUCHED) && trvi_entries_meet(columns, i, j) &&
            !trvi_put_pair(broad, out, r.tag[i] >> TRVI_TAG_BITS, r.tag[j] >> TRVI_TAG_BITS))
            return false;
    }
    return true;
}

// Where what was touched in a set looks beyond its column.
typedef struct walker {
    const trv_broad *broad;
    uint32_t set;
    bool walks, giants; // anywhere at all; the column is that of giants
} walker;

static walker walker_of(const trv_broad *broad, uint32_t set, uint32_t column)
{
    const trvi_columns *still = &broad->sets[TRVI_STILL_COLUMNS];
    const trvi_columns *mobile = &broad->sets[TRVI_MOBILE_COLUMNS];
    bool meets_giants = set == TRVI_MOBILE_COLUMNS && trvi_giant_count(mobile) > 0;
    return (walker){broad, set,
                    set == TRVI_STILL_COLUMNS || still->column_count > 0 || meets_giants,
                    column == broad->sets[set].column_count - 1};
}

// What entry i finds outside of its column, if it was touched. Each proxy walks from its first one.
static bool walk_from(const walker *w, uint32_t i, trvi_sink *out)
{
    const trv_broad *broad = w->broad;
    const trvi_columns *mobile = &broad->sets[TRVI_MOBILE_COLUMNS];
    uint32_t tag = ((const uint32_t *)broad->sets[w->set].tag.items)[i];
    uint32_t self = tag >> TRVI_TAG_BITS;
    if ((tag & TRVI_TAG_FLAGS) != TRVI_TAG_FLAGS)
        return true;
    if (w->set == TRVI_STILL_COLUMNS)
        return walk_set(broad, mobile, self, WALK_UNTOUCHED, out);
    return walk_set(broad, &broad->sets[TRVI_STILL_COLUMNS], self, WALK_STILL, out) &&
           (w->giants ? walk_set(broad, mobile, self, WALK_NO_GIANTS, out)
                      : sweep_giants(broad, mobile, i, out));
}

static bool walk_from_column(const trv_broad *broad, uint32_t set, uint32_t column, trvi_sink *out)
{
    const trvi_entries all = trvi_entries_of(&broad->sets[set], column);
    const walker w = walker_of(broad, set, column);
    for (uint32_t i = all.first; i < all.last && w.walks; i++) {
        if (!walk_from(&w, i, out))
            return false;
    }
    return true;
}

static uint32_t items_of(const trvi_columns *columns)
{
    return columns->all_dirty ? columns->column_count : columns->dirty.count;
}

// All that the touched entries of a column find; false when `out` has no room, and what it wrote is
// incomplete.
static bool find_in(const trv_broad *broad, uint32_t set, uint32_t column,
                    const trvi_crowd_room *room, trvi_sink *out)
{
    const trvi_columns *columns = &broad->sets[set];
    if (!(((const uint8_t *)columns->mark.items)[column] & TRVI_COLUMN_TOUCHED))
        return true;
    if (set == TRVI_MOBILE_COLUMNS && !sweep_column(broad, columns, column, room, out))
        return false;
    return walk_from_column(broad, set, column, out);
}

// One item of the work: a column.
typedef struct item_place {
    uint32_t set, column;
} item_place;

static item_place place_of(const trv_broad *broad, uint32_t item)
{
    uint32_t set = TRVI_MOBILE_COLUMNS, mobile_items = items_of(&broad->sets[set]);
    if (item >= mobile_items) {
        item -= mobile_items;
        set = TRVI_STILL_COLUMNS;
    }
    const trvi_columns *columns = &broad->sets[set];
    return (item_place){set,
                        columns->all_dirty ? item : ((const uint32_t *)columns->dirty.items)[item]};
}

// The parallel part.
typedef struct finder {
    trv_broad *broad;
    trvi_sink sinks[TRVI_MAX_WORKERS];
} finder;

static void find_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    finder *f = context;
    uint8_t *unfinished = f->broad->unfinished.items;
    trvi_sink out = f->sinks[worker]; // a copy: workers' sinks lie side by side
    for (uint32_t item = first; item < last; item++) {
        uint32_t before = out.count;
        item_place at = place_of(f->broad, item);
        unfinished[item] = !find_in(f->broad, at.set, at.column, NULL, &out);
        if (unfinished[item])
            out.count = before;
    }
    f->sinks[worker] = out;
}

// Gives each worker a share of room for the expected pairs; false when there is no memory.
static bool begin_finding(trv_broad *broad, uint64_t expected, uint32_t workers, finder *f)
{
    uint64_t room = expected / workers + LEAST_ROOM;
    if (room * workers > UINT32_MAX ||
        !trvi_array_reserve(&broad->allocator, &broad->worker_keys, (uint32_t)room * workers))
        return false;
    room = broad->worker_keys.capacity / workers;
    for (uint32_t w = 0; w < workers; w++)
        f->sinks[w] = (trvi_sink){(uint64_t *)broad->worker_keys.items + w * room, 0,
                                  (uint32_t)room, trvi_index_bits(broad)};
    return true;
}

// Adds what the workers found to what there is.
static trv_result gather(trv_broad *broad, uint32_t workers, const finder *f)
{
    uint64_t total = broad->found.count;
    for (uint32_t w = 0; w < workers; w++)
        total += f->sinks[w].count;
    if (total > broad->max_pairs)
        return TRV_ERROR_LIMIT;
    if (!trvi_array_reserve(&broad->allocator, &broad->found, (uint32_t)total + 1))
        return TRV_ERROR_MEMORY;
    for (uint32_t w = 0; w < workers; w++) {
        if (f->sinks[w].count == 0)
            continue; // there may be no memory yet
        memcpy((uint64_t *)broad->found.items + broad->found.count, f->sinks[w].keys,
               f->sinks[w].count * sizeof(uint64_t));
        broad->found.count += f->sinks[w].count;
    }
    return TRV_OK;
}

// Lets the workers find what has room in their shares. Marks the items that are left.
static trv_result find_with_workers(trv_broad *broad, uint32_t items)
{
    finder f = {.broad = broad};
    // Twice the last update's, or what was noted.
    uint64_t expected = ((uint64_t)broad->found.count + broad->noted.count) * 2;
    if (!begin_finding(broad, expected, broad->workers.count, &f))
        return TRV_ERROR_MEMORY;
    trvi_parallel_for(&broad->workers, items, ITEMS_PER_HAND_OVER, find_range, &f);
    return gather(broad, broad->workers.count, &f);
}

// Large columns may take memory to be sorted, and all others are compared with giants.
static bool comes_first(const trvi_columns *columns, uint32_t column)
{
    return ((const uint32_t *)columns->fill.items)[column] > TRVI_SMALL_COLUMN ||
           column == columns->column_count - 1;
}

// Not by several workers, since a sweep reads on behind the column. Where there is no room, it is
// left to be swept later.
static void sweep_settled(const trv_broad *broad, uint32_t column, trvi_sink *out)
{
    uint32_t before = out->count;
    const uint8_t *mark = broad->sets[TRVI_MOBILE_COLUMNS].mark.items;
    if (!(mark[column] & TRVI_COLUMN_TOUCHED))
        return;
    if (find_in(broad, TRVI_MOBILE_COLUMNS, column, NULL, out))
        trvi_column_untouch(&broad->sets[TRVI_MOBILE_COLUMNS], column);
    else
        out->count = before;
}

// Each column is settled and swept while it is near.
static void settle_and_sweep(finder *f, uint32_t items)
{
    const trvi_columns *columns = &f->broad->sets[TRVI_MOBILE_COLUMNS];
    const uint32_t *dirty = columns->dirty.items;
    const bool far = f->broad->proxy_limit > TRVI_MANY_BOXES;
    for (uint32_t item = 0; item < items; item++) {
        if (far && item + COLUMNS_SOON < items)
            trvi_expect_column(columns, dirty[item + COLUMNS_SOON]);
        if (comes_first(columns, dirty[item]))
            continue;
        (void)trvi_column_settle(f->broad, TRVI_MOBILE_COLUMNS, dirty[item]); // small: it is sorted
        sweep_settled(f->broad, dirty[item], &f->sinks[0]);
    }
}

trv_result trvi_sweep_few(trv_broad *broad)
{
    trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const uint32_t *dirty = columns->dirty.items, *fill = columns->fill.items;
    uint32_t most = 0, items = columns->dirty.count;
    for (uint32_t item = 0; item < items; item++)
        most = fill[dirty[item]] > most ? fill[dirty[item]] : most;
    finder f = {.broad = broad};
    if (!trvi_reserve_sorting(broad, most, items) ||
        !begin_finding(broad, (uint64_t)broad->found_lately * 2, 1, &f))
        return TRV_ERROR_MEMORY;
    uint8_t *unfinished = broad->unfinished.items;
    for (uint32_t item = 0; item < items; item++) {
        unfinished[item] = 0;
        if (!comes_first(columns, dirty[item]))
            continue;
        unfinished[item] = !trvi_column_settle(broad, TRVI_MOBILE_COLUMNS, dirty[item]);
    }
    trvi_sort_unfinished(broad, TRVI_MOBILE_COLUMNS, items);
    settle_and_sweep(&f, items);
    return gather(broad, 1, &f);
}

bool trvi_reserve_sweep(trv_broad *broad, uint64_t expected)
{
    finder f;
    return begin_finding(broad, expected, 1, &f);
}

// Sweeps a column in which the listed entries alone were touched, and they are few; false where it
// is left to be swept later.
static bool sweep_added(const trv_broad *broad, uint32_t column, const uint32_t *list,
                        uint32_t listed, trvi_sink *out)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const trvi_entries all = trvi_entries_of(columns, column);
    const walker w = walker_of(broad, TRVI_MOBILE_COLUMNS, column);
    const trvi_rows r = trvi_rows_of(columns);
    uint32_t before = out->count, *tag = columns->tag.items;
    bool done = !trvi_is_crowd(broad, columns, all, listed) &&
                sweep_around(broad, &r, list, listed, all, out);
    for (uint32_t n = 0; n < listed && w.walks && done; n++)
        done = walk_from(&w, list[n], out);
    if (!done) {
        out->count = before;
        return false;
    }
    for (uint32_t n = 0; n < listed; n++)
        tag[list[n]] &= ~(uint32_t)TRVI_TAG_TOUCHED;
    ((uint8_t *)columns->mark.items)[column] &= (uint8_t) ~(uint32_t)TRVI_COLUMN_TOUCHED;
    return true;
}

// A column that was filled.
typedef struct filled {
    uint32_t column, count; // of entries that were added
    const uint32_t *added;
    bool touched; // others were, before
} filled;

static void sweep_filled(const trv_broad *broad, const filled *f, trvi_sink *out)
{
    if (f->count == 0)
        return;
    const trvi_entries all = trvi_entries_of(&broad->sets[TRVI_MOBILE_COLUMNS], f->column);
    if (f->touched || f->count > (all.last - all.first) / TOUCHED_FOR_ALL)
        sweep_settled(broad, f->column, out);
    else
        (void)sweep_added(broad, f->column, f->added, f->count, out);
}

// Each column is swept when the next one was filled: what was only just written in pieces would be
// waited for.
trv_result trvi_sweep_filled(trv_broad *broad, trvi_fill *fill, void *context)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const uint8_t *mark = columns->mark.items;
    const uint32_t *added, giants = columns->column_count - 1;
    finder f = {.broad = broad};
    if (!begin_finding(broad, 0, 1, &f))
        return TRV_ERROR_MEMORY; // never: there is room
    filled before = {0, 0, NULL, false};
    for (uint32_t column = 0; column < giants; column++) {
        filled now = {column, 0, NULL, mark[column] & TRVI_COLUMN_TOUCHED};
        now.count = fill(context, column, &now.added);
        sweep_filled(broad, &before, &f.sinks[0]);
        before = now;
    }
    sweep_filled(broad, &before, &f.sinks[0]);
    (void)fill(context, giants, &added); // these are compared with all others
    return gather(broad, 1, &f);
}

// Room for the sweep of a column, should it be a crowd; false when there is no memory.
static bool reserve_crowd(trv_broad *broad, item_place at, trvi_crowd_room *room)
{
    const trvi_columns *columns = &broad->sets[at.set];
    trvi_entries all = trvi_entries_of(columns, at.column);
    uint64_t count = all.last - all.first;
    *room = (trvi_crowd_room){NULL, NULL, NULL};
    bool swept = at.set == TRVI_MOBILE_COLUMNS &&
                 (((const uint8_t *)columns->mark.items)[at.column] & TRVI_COLUMN_TOUCHED);
    if (!swept || !trvi_is_crowd(broad, columns, all, (uint32_t)count))
        return true;
    if (count * TRVI_CROWD_WORDS > UINT32_MAX ||
        !trvi_array_reserve(&broad->allocator, &broad->scratch,
                            (uint32_t)count * TRVI_CROWD_WORDS) ||
        !trvi_array_reserve(&broad->allocator, &broad->keys[0], (uint32_t)count) ||
        !trvi_array_reserve(&broad->allocator, &broad->keys[1], (uint32_t)count))
        return false;
    *room = (trvi_crowd_room){broad->scratch.items, broad->keys[0].items, broad->keys[1].items};
    return true;
}

// One item, on the calling thread, with as much room as it takes. Room doubles, so that the work
// done in vain is at most what the last try does; it ends at max_pairs.
static trv_result find_with_growth(trv_broad *broad, uint32_t item)
{
    item_place at = place_of(broad, item);
    trvi_crowd_room room;
    if (!reserve_crowd(broad, at, &room))
        return TRV_ERROR_MEMORY;
    for (;;) {
        trvi_sink out = {broad->found.items, broad->found.count, broad->found.capacity,
                         trvi_index_bits(broad)};
        out.room -= out.room > 0; // one more stands behind the last pair
        out.room = out.room < broad->max_pairs ? out.room : broad->max_pairs;
        if (find_in(broad, at.set, at.column, &room, &out)) {
            broad->found.count = out.count;
            return TRV_OK;
        }
        if (out.room == broad->max_pairs)
            return TRV_ERROR_LIMIT;
        uint32_t wanted = out.room < LEAST_ROOM ? LEAST_ROOM : out.room * 2;
        if (!trvi_array_reserve(&broad->allocator, &broad->found, wanted + 1))
            return TRV_ERROR_MEMORY;
    }
}

// Drops keys that are there twice, both of them.
static uint32_t cancel(uint64_t *keys, uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && keys[i] == keys[i + 1])
            i++;
        else
            keys[left++] = keys[i];
    }
    return left;
}

// Adds what was noted to what was found: a pair that is new is one that changes.
static bool add_noted(trv_broad *broad)
{
    const trvi_array *noted = &broad->noted;
    uint64_t total = (uint64_t)broad->found.count + noted->count;
    if (total >= UINT32_MAX ||
        !trvi_array_reserve(&broad->allocator, &broad->found, (uint32_t)total + 1))
        return false;
    if (noted->count > 0)
        memcpy((uint64_t *)broad->found.items + broad->found.count, noted->items,
               noted->count * sizeof(uint64_t));
    broad->found.count = (uint32_t)total;
    return true;
}

// Sorts keys, and puts ~0 behind them; false when there is no memory.
static bool sort_keys(trv_broad *broad, trvi_array *list)
{
    uint32_t count = list->count;
    if (!trvi_array_reserve(&broad->allocator, list, count + 1) ||
        !trvi_array_reserve(&broad->allocator, &broad->keys[0], count + 1))
        return false;
    uint64_t *keys = list->items, *spare = broad->keys[0].items;
    uint64_t *sorted = trvi_sort_keys(keys, spare, count, 2 * trvi_index_bits(broad));
    if (sorted != keys) {
        trvi_array swap = *list;
        *list = broad->keys[0];
        broad->keys[0] = swap;
        list->count = count;
    }
    sorted[count] = ~(uint64_t)0;
    return true;
}

// Sorts what was found, and what was noted.
static trv_result sort_found(trv_broad *broad)
{
    trvi_array *found = &broad->found;
    if (broad->has_slid && !add_noted(broad))
        return TRV_ERROR_MEMORY;
    if (!sort_keys(broad, found) || (!broad->has_slid && !sort_keys(broad, &broad->noted)))
        return TRV_ERROR_MEMORY;
    uint64_t *keys = found->items;
    if (broad->has_slid && broad->noted.count > 0) {
        found->count = cancel(keys, found->count);
        keys[found->count] = ~(uint64_t)0;
    }
    for (uint32_t i = 1; i < found->count; i++)
        TRVI_ASSERT(keys[i - 1] < keys[i]);
    return TRV_OK;
}

// Most columns have been swept when they were brought up to date.
static inline bool is_to_find(const trv_broad *broad, uint32_t item)
{
    const item_place at = place_of(broad, item);
    return ((const uint8_t *)broad->sets[at.set].mark.items)[at.column] & TRVI_COLUMN_TOUCHED;
}

trv_result trvi_find_pairs(trv_broad *broad)
{
    uint32_t items = items_of(&broad->sets[0]) + items_of(&broad->sets[1]);
    if (!trvi_array_reserve(&broad->allocator, &broad->unfinished, items))
        return TRV_ERROR_MEMORY;
    uint8_t *unfinished = broad->unfinished.items;
    bool parallel = trvi_has_workers(broad);
    trv_result result = TRV_OK;
    if (parallel)
        result = find_with_workers(broad, items);
    for (uint32_t item = 0; item < items && result == TRV_OK; item++) {
        if (parallel ? unfinished[item] : is_to_find(broad, item))
            result = find_with_growth(broad, item);
    }
    return result == TRV_OK ? sort_found(broad) : result;
}
