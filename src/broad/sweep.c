// Finding the pairs: each column of the awake set is swept against itself, and each awake proxy
// walks through the columns of the two other sets; proxies of those that were touched walk too.
//
// The work is cut into items, one for each awake column (the giants' one last) and one for each
// changed proxy. An item writes to a list of fixed room and, where that ends, is undone and done
// again by the calling thread, which may make more room: so workers need no memory. The pairs are
// sorted at the end, hence the same however the items were dealt.
//
// Invariant: a pair is found once. Two awake ones: see columns.c. Awake and not: by the awake one's
// walk. Two touched ones that are not awake: by the walk of the lower index.
//
// Based on: David Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992 (sweep and
// prune).
#include "broad_data.h"

#include <string.h>

enum { ITEMS_PER_HAND_OVER = 8, LEAST_ROOM = 256 };

typedef struct sink {
    uint64_t *keys;
    uint32_t count, room;
} sink;

// False when there is no room. Pairs whose filters disagree are dropped.
static inline bool put_pair(const trv_broad *broad, sink *out, uint32_t a, uint32_t b)
{
    const trv_filter *filters = trvi_filters(broad);
    if (!trv_filters_agree(filters[a], filters[b]))
        return true;
    if (out->count == out->room)
        return false;
    out->keys[out->count++] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    return true;
}

// The pairs within one column. Boxes that touch count.
static bool sweep_column(const trv_broad *broad, const trvi_columns *columns, uint32_t column,
                         sink *out)
{
    const uint32_t *start = columns->start.items, *tag = columns->tag.items;
    const float *lower_s = trvi_part(columns, TRVI_LOWER_S);
    const float *upper_s = trvi_part(columns, TRVI_UPPER_S);
    const float *lower_u = trvi_part(columns, TRVI_LOWER_U);
    const float *upper_u = trvi_part(columns, TRVI_UPPER_U);
    const float *lower_v = trvi_part(columns, TRVI_LOWER_V);
    const float *upper_v = trvi_part(columns, TRVI_UPPER_V);
    uint32_t end = start[column + 1];
    for (uint32_t i = start[column]; i < end; i++) {
        float last_s = upper_s[i];
        float first_u = lower_u[i], last_u = upper_u[i], first_v = lower_v[i], last_v = upper_v[i];
        for (uint32_t j = i + 1; j < end && lower_s[j] <= last_s; j++) {
            // One branch for all: which of the four comparisons fails cannot be foreseen.
            int apart = (lower_u[j] > last_u) | (upper_u[j] < first_u) | (lower_v[j] > last_v) |
                        (upper_v[j] < first_v);
            if (apart | (((tag[i] | tag[j]) & TRVI_TAG_FIRST) != TRVI_TAG_FIRST))
                continue;
            if (!put_pair(broad, out, tag[i] >> TRVI_TAG_BITS, tag[j] >> TRVI_TAG_BITS))
                return false;
        }
    }
    return true;
}

// The pairs of proxy `self` with a set. `giants_too` is false where those are found elsewhere.
static bool walk_set(const trv_broad *broad, const trvi_columns *columns, uint32_t self,
                     bool giants_too, sink *out)
{
    if (columns->column_count == 0)
        return true;
    const uint32_t *tag = columns->tag.items;
    const float *lower_s = trvi_part(columns, TRVI_LOWER_S);
    const uint8_t *states = trvi_states(broad);
    bool self_awake = (states[self] & TRVI_PROXY_SET) == TRV_PROXY_AWAKE;
    uint32_t giants = ((const uint32_t *)columns->start.items)[columns->column_count - 1];
    trvi_walk walk = trvi_walk_begin(columns, trvi_fat_boxes(broad)[self]);
    while (trvi_walk_next(&walk)) {
        if (walk.entry >= giants && !giants_too)
            break;
        for (uint32_t i = walk.entry; i < walk.end && lower_s[i] <= walk.upper[0]; i++) {
            if (!trvi_walk_meets(&walk, i))
                continue;
            uint32_t other = tag[i] >> TRVI_TAG_BITS;
            bool found_by_other =
                !self_awake && (states[other] & TRVI_PROXY_TOUCHED) && other <= self;
            if (!found_by_other && !put_pair(broad, out, self, other))
                return false;
        }
    }
    return true;
}

// One item of the work; false when `out` has no room, and what it wrote is incomplete.
static bool find_in_column(const trv_broad *broad, uint32_t column, sink *out)
{
    const trvi_columns *awake = &broad->sets[TRV_PROXY_AWAKE];
    if (!sweep_column(broad, awake, column, out))
        return false;
    const uint32_t *start = awake->start.items, *tag = awake->tag.items;
    bool giants = column == awake->column_count - 1;
    for (uint32_t i = start[column]; i < start[column + 1]; i++) {
        if ((tag[i] & TRVI_TAG_FIRST) != TRVI_TAG_FIRST)
            continue;
        uint32_t self = tag[i] >> TRVI_TAG_BITS;
        if (!walk_set(broad, &broad->sets[TRV_PROXY_STATIC], self, true, out) ||
            !walk_set(broad, &broad->sets[TRV_PROXY_ASLEEP], self, true, out) ||
            (giants && !walk_set(broad, awake, self, false, out)))
            return false;
    }
    return true;
}

static bool find_of_changed(const trv_broad *broad, uint32_t self, sink *out)
{
    uint8_t state = trvi_states(broad)[self];
    uint32_t set = state & TRVI_PROXY_SET;
    bool touched = (state & TRVI_PROXY_LIVE) && (state & TRVI_PROXY_TOUCHED);
    if (!touched || set == TRV_PROXY_AWAKE)
        return true;
    if (set == TRV_PROXY_ASLEEP &&
        !walk_set(broad, &broad->sets[TRV_PROXY_STATIC], self, true, out))
        return false;
    return walk_set(broad, &broad->sets[TRV_PROXY_ASLEEP], self, true, out);
}

static bool find_item(const trv_broad *broad, uint32_t item, sink *out)
{
    uint32_t columns = broad->sets[TRV_PROXY_AWAKE].column_count;
    if (item < columns)
        return find_in_column(broad, item, out);
    return find_of_changed(broad, ((const uint32_t *)broad->changed.items)[item - columns], out);
}

// The parallel part.
typedef struct finder {
    const trv_broad *broad;
    sink sinks[TRVI_MAX_WORKERS];
} finder;

static void find_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    finder *f = context;
    uint8_t *unfinished = f->broad->unfinished.items;
    sink out = f->sinks[worker]; // a copy: workers' sinks lie side by side
    for (uint32_t item = first; item < last; item++) {
        uint32_t before = out.count;
        unfinished[item] = !find_item(f->broad, item, &out);
        if (unfinished[item])
            out.count = before;
    }
    f->sinks[worker] = out;
}

// Lets the workers find what has room in their shares, twice the last update's pairs in all, and
// gathers it. Marks the items that are left.
static trv_result find_with_workers(trv_broad *broad, uint32_t items)
{
    uint32_t workers = broad->workers.count;
    uint64_t room = (uint64_t)broad->found.count * 2 / workers + LEAST_ROOM;
    if (room * workers > UINT32_MAX ||
        !trvi_array_reserve(&broad->allocator, &broad->worker_keys, (uint32_t)room * workers))
        return TRV_ERROR_MEMORY;
    room = broad->worker_keys.capacity / workers;
    finder f = {.broad = broad};
    for (uint32_t w = 0; w < workers; w++) {
        f.sinks[w].keys = (uint64_t *)broad->worker_keys.items + w * room;
        f.sinks[w].room = (uint32_t)room;
    }
    trvi_parallel_for(&broad->workers, items, ITEMS_PER_HAND_OVER, find_range, &f);
    uint64_t total = 0;
    for (uint32_t w = 0; w < workers; w++)
        total += f.sinks[w].count;
    if (total > broad->max_pairs)
        return TRV_ERROR_LIMIT;
    if (!trvi_array_reserve(&broad->allocator, &broad->found, (uint32_t)total))
        return TRV_ERROR_MEMORY;
    broad->found.count = 0;
    for (uint32_t w = 0; w < workers; w++) {
        if (f.sinks[w].count == 0)
            continue; // there may be no memory yet
        memcpy((uint64_t *)broad->found.items + broad->found.count, f.sinks[w].keys,
               f.sinks[w].count * sizeof(uint64_t));
        broad->found.count += f.sinks[w].count;
    }
    return TRV_OK;
}

// One item, on the calling thread, with as much room as it takes. Room doubles, so that the work
// done in vain is at most what the last try does; it ends at max_pairs.
static trv_result find_with_growth(trv_broad *broad, uint32_t item)
{
    for (;;) {
        sink out = {broad->found.items, broad->found.count, broad->found.capacity};
        out.room = out.room < broad->max_pairs ? out.room : broad->max_pairs;
        if (find_item(broad, item, &out)) {
            broad->found.count = out.count;
            return TRV_OK;
        }
        if (out.room == broad->max_pairs)
            return TRV_ERROR_LIMIT;
        uint32_t wanted = out.room < LEAST_ROOM ? LEAST_ROOM : out.room * 2;
        if (!trvi_array_reserve(&broad->allocator, &broad->found, wanted))
            return TRV_ERROR_MEMORY;
    }
}

static trv_result sort_found(trv_broad *broad)
{
    uint32_t count = broad->found.count;
    if (!trvi_array_reserve(&broad->allocator, &broad->keys[0], count))
        return TRV_ERROR_MEMORY;
    uint64_t *keys = broad->found.items, *spare = broad->keys[0].items;
    uint32_t bits = trvi_bit_width(broad->proxy_limit);
    uint64_t *sorted = trvi_sort_bits(keys, spare, count, 0, bits);
    sorted = trvi_sort_bits(sorted, sorted == keys ? spare : keys, count, 32, bits);
    if (sorted != keys)
        memcpy(keys, sorted, count * sizeof *keys);
    for (uint32_t i = 1; i < count; i++)
        TRVI_ASSERT(keys[i - 1] < keys[i]);
    return TRV_OK;
}

trv_result trvi_find_pairs(trv_broad *broad)
{
    uint32_t items = broad->sets[TRV_PROXY_AWAKE].column_count + broad->changed.count;
    if (!trvi_array_reserve(&broad->allocator, &broad->unfinished, items))
        return TRV_ERROR_MEMORY;
    uint8_t *unfinished = broad->unfinished.items;
    bool parallel = broad->workers.count > 1 && broad->workers.parallel_for != NULL;
    trv_result result = TRV_OK;
    if (parallel)
        result = find_with_workers(broad, items);
    else
        broad->found.count = 0;
    for (uint32_t item = 0; item < items && result == TRV_OK; item++) {
        if (!parallel || unfinished[item])
            result = find_with_growth(broad, item);
    }
    return result == TRV_OK ? sort_found(broad) : result;
}
