// Giving what is new to columns its entries there.
//
// What arrives is counted and dealt first, so that each column gets all of its newcomers at once,
// and is gone through once; and it is swept while it is near. It is dealt nearly in order of lower
// sides, by a coarse pass over all, and each column puts its newcomers in order then.
//
// Invariant: what arrives gets its home and span first, and is leaving until its entries are dealt;
// should anything fail before that, it is found to arrive again, and should what follows fail, its
// columns are dirty, and it is found to have changed.
#include "place.h"

// Of each that arrives, times as many as others have on average; what finds more is swept later.
// And how many proxies ahead what is read of them is brought near, and columns ahead their entries.
enum { PAIRS_EXPECTED = 3, SOON = 8, COLUMNS_SOON = 2 };
enum {
    LEAST_SHARES = 64,  // that bounds are divided into along s, to put what arrives nearly in order
    MOST_SHARES = 4096, // as the near cache holds
    SHIFTS = 6          // for each entry of a column, beyond which they are sorted by radix
};
enum { AT_ONCE = 64 }; // changed proxies that are looked at before any is dealt with

// Counts what arrives, or is shifted, in each column, and gives what arrives its ring.
static void count_arrival(const trv_broad *broad, uint32_t set, uint32_t index, uint32_t *counts)
{
    const trvi_columns *columns = &broad->sets[set];
    const bool shifted = trvi_is_shifted(broad, index, set);
    trvi_ring ring = trvi_ring_of(columns, &trvi_fat_boxes(broad)[index]);
    trvi_ring old = trvi_ring_of_proxy(broad, index);
    trvi_corners corners;
    if (!shifted && trvi_corners_of(columns, ring, &corners)) {
        for (uint32_t k = 0; k < 4; k++)
            counts[corners.column[k]] += corners.has[k];
        trvi_ring_set(broad, index, set, ring);
        return;
    }
    for (uint32_t v = 0; v <= ring.span_v; v++) {
        for (uint32_t u = 0; u <= ring.span_u; u++) {
            uint32_t column = trvi_ring_column(columns, ring, u, v);
            counts[column] += !shifted || !trvi_ring_holds(columns, old, column);
        }
    }
    if (!shifted)
        trvi_ring_set(broad, index, set, ring);
}

// Adds those to broad->keys[0], as what arrives, with indices for tags, and counts them; false when
// there is no memory.
static bool add_arrivals(trv_broad *broad, uint32_t set, const uint32_t *list, uint32_t count,
                         uint32_t *listed)
{
    trvi_array *keys = &broad->keys[0];
    const uint32_t axis = broad->sets[set].grid.axis[0];
    if (*listed + count > keys->capacity &&
        !trvi_array_reserve(&broad->allocator, keys, *listed + count))
        return false;
    const uint32_t far = broad->proxy_limit > TRVI_MANY_BOXES ? count : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i + SOON < far) {
            trvi_expect_proxy(broad, list[i + SOON]);
            trvi_prefetch(&trvi_spans(broad)[list[i + SOON]]);
        }
        float lower = trvi_side_of(&trvi_fat_boxes(broad)[list[i]].lower, axis);
        ((uint64_t *)keys->items)[(*listed)++] = trvi_arrival(lower, list[i]);
        count_arrival(broad, set, list[i], broad->counts.items);
    }
    return true;
}

// Lists what arrives in the set, or is shifted, in broad->keys[0], and counts it in each column in
// broad->counts; false when there is no memory.
static bool list_arrivals(trv_broad *broad, uint32_t set, uint32_t *listed)
{
    enum { STATE = TRVI_PROXY_LEAVING, SPAN = TRVI_SPAN_SHIFTED }; // one of them has
    const trvi_columns *columns = &broad->sets[set];
    const uint32_t *changed = broad->changed.items;
    const bool all = trvi_did_most_change(broad);
    const uint32_t last = all ? broad->proxy_limit : broad->changed.count;
    if (!trvi_array_reserve(&broad->allocator, &broad->counts, columns->column_count))
        return false;
    memset(broad->counts.items, 0, columns->column_count * sizeof(uint32_t));
    *listed = 0;
    if (broad->has_slid && trvi_is_all_new(broad)) // so that nobody has to look
        return add_arrivals(broad, set, changed, broad->changed.count, listed);
    for (uint32_t next = all ? trvi_next_with(broad, 1, STATE, SPAN) : 0; next < last;) {
        uint32_t list[AT_ONCE], count = 0;
        for (uint32_t n = 0; n < AT_ONCE && next < last; n++) {
            uint32_t index = all ? next : changed[next];
            uint32_t shifted = trvi_is_shifted(broad, index, set);
            list[count] = index;
            count += shifted | trvi_arrives(broad, index, set);
            next = all ? trvi_next_with(broad, next + 1, STATE, SPAN) : next + 1;
        }
        if (!add_arrivals(broad, set, list, count, listed))
            return false;
    }
    return true;
}

// Deals the entries of a proxy to the columns: `put` has the place of the next one of each in
// `entries`, where one more than there are may be read.
static inline void deal_entries(trv_broad *broad, uint64_t key, uint64_t *entries, uint32_t *put)
{
    const uint32_t index = (uint32_t)key;
    uint8_t *state = &trvi_states(broad)[index];
    const uint32_t set = trvi_set_of(*state);
    const trvi_columns *columns = &broad->sets[set];
    const trvi_ring old = trvi_ring_of_proxy(broad, index);
    const bool shifted = trvi_is_shifted(broad, index, set);
    const uint32_t tag = index << TRVI_TAG_BITS | trvi_tag_flags(*state);
    const uint64_t entry = (key & ~(uint64_t)UINT32_MAX) | tag;
    *state &= (uint8_t) ~(uint32_t)TRVI_PROXY_LEAVING;
    trvi_corners corners;
    if (!shifted && trvi_corners_of(columns, old, &corners)) {
        for (uint32_t k = 0; k < 4; k++) { // what it has not stays as it is
            uint64_t *to = &entries[put[corners.column[k]]];
            *to ^= (*to ^ (entry | (TRVI_TAG_FIRST & ~k))) & (0 - (uint64_t)corners.has[k]);
            put[corners.column[k]] += corners.has[k];
        }
        return;
    }
    trvi_ring ring = old;
    if (shifted)
        ring = trvi_ring_of(columns, &trvi_fat_boxes(broad)[index]);
    for (uint32_t v = 0; v <= ring.span_v; v++) {
        for (uint32_t u = 0; u <= ring.span_u; u++) {
            uint32_t flags = (u == 0 ? TRVI_TAG_FIRST_U : 0) | (v == 0 ? TRVI_TAG_FIRST_V : 0);
            uint32_t column = trvi_ring_column(columns, ring, u, v);
            if (!shifted || !trvi_ring_holds(columns, old, column))
                entries[put[column]++] = entry | flags;
        }
    }
    if (shifted)
        trvi_ring_set(broad, index, set, ring);
}

_Static_assert(TRVI_TAG_FIRST_U == 1 && TRVI_TAG_FIRST_V == 2, "corner k lacks the flags k");

// Where along s a lower side lies, of so many shares of the bounds; never more for a lesser side.
static inline uint32_t share_of(float lower, float bottom, float scale, float last)
{
    float share = (lower - bottom) * scale;
    return (uint32_t)(share > 0.0f ? (share < last ? share : last) : 0.0f);
}

// What was listed, nearly in order of lower sides: by the shares of the bounds that they lie in, one
// pass, which leaves few of a column out of order. In broad->keys[1].
static const uint64_t *order_arrivals(const trv_broad *broad, const trvi_columns *columns,
                                      uint32_t count)
{
    const uint32_t axis = columns->grid.axis[0];
    const float bottom = trvi_side_of(&columns->bounds.inner.lower, axis);
    const float height = trvi_side_of(&columns->bounds.inner.upper, axis) - bottom;
    uint32_t place[MOST_SHARES], shares = LEAST_SHARES;
    while (shares < count && shares < MOST_SHARES)
        shares *= 2;
    const float scale = (float)shares / height, last = (float)(shares - 1);
    const uint64_t *keys = broad->keys[0].items;
    uint64_t *ordered = broad->keys[1].items;
    memset(place, 0, shares * sizeof *place);
    for (uint32_t i = 0; i < count; i++)
        place[share_of(trvi_side_of_arrival(keys[i]), bottom, scale, last)]++;
    (void)trvi_starts_of_counts(place, shares);
    for (uint32_t i = 0; i < count; i++) {
        float lower = trvi_side_of_arrival(keys[i]);
        ordered[place[share_of(lower, bottom, scale, last)]++] = keys[i];
    }
    return ordered;
}

// What is dealt: the entries of each column up to an end; and room for those of one column, and for
// their places.
typedef struct dealt {
    trv_broad *broad;
    trvi_columns *columns;
    uint64_t *entries, *spare;
    const uint32_t *end;
    uint32_t *places; // those of the column before stay, too
    uint32_t most;    // of a column
} dealt;

// Puts what was dealt to a column in order of lower sides, of which few are out of it; what is equal
// stays as it was.
static const uint64_t *sort_dealt(uint64_t *keys, uint64_t *spare, uint32_t count)
{
    uint32_t shifts = count * SHIFTS;
    for (uint32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        uint32_t to = i;
        for (; to > 0 && keys[to - 1] >> 32 > key >> 32; to--)
            keys[to] = keys[to - 1];
        keys[to] = key;
        if (i - to > shifts)
            return trvi_sort_bits(keys, spare, count, 32, 32);
        shifts -= i - to;
    }
    return keys;
}

// Inserts what was dealt to a column. As trvi_fill.
static uint32_t insert_dealt(void *context, uint32_t column, const uint32_t **places)
{
    const dealt *d = context;
    uint32_t first = column > 0 ? d->end[column - 1] : 0, added = d->end[column] - first;
    uint32_t *to = d->places + (column % 2 == 0 ? 0 : d->most);
    *places = to;
    if (column + COLUMNS_SOON < d->columns->column_count &&
        d->end[column + COLUMNS_SOON] > d->end[column + COLUMNS_SOON - 1] &&
        d->broad->proxy_limit > TRVI_MANY_BOXES)
        trvi_expect_column(d->columns, column + COLUMNS_SOON);
    const uint32_t next_end = column + 1 < d->columns->column_count ? d->end[column + 1] : 0;
    for (uint32_t i = first + added; i < next_end; i++)
        trvi_prefetch(&trvi_fat_boxes(d->broad)[(uint32_t)d->entries[i] >> TRVI_TAG_BITS]);
    if (added == 0)
        return 0;
    if (!d->columns->all_dirty)
        trvi_mark_column(d->columns, column);
    ((uint8_t *)d->columns->mark.items)[column] |= TRVI_COLUMN_TOUCHED;
    const uint64_t *sorted = sort_dealt(d->entries + first, d->spare, added);
    trvi_column_insert(d->broad, d->columns, column, sorted, added, to);
    return added;
}

static uint32_t most_of(const uint32_t *counts, uint32_t count)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = counts[i] > most ? counts[i] : most;
    return most;
}

static uint64_t expected_pairs(const trv_broad *broad, uint32_t arrivals)
{
    const trvi_pair_lists *lists = &broad->lists[broad->front];
    uint64_t pairs = (uint64_t)lists->begun.count + lists->kept.count;
    return pairs * PAIRS_EXPECTED * arrivals / ((uint64_t)broad->live_count + 1);
}

trv_result trvi_take_arrivals(trv_broad *broad, uint32_t set)
{
    trvi_columns *columns = &broad->sets[set];
    uint32_t arrivals;
    if (!list_arrivals(broad, set, &arrivals))
        return TRV_ERROR_MEMORY;
    trv_result result = trvi_make_room(broad, set);
    if (result != TRV_OK)
        return result;
    const uint32_t most = most_of(broad->counts.items, columns->column_count);
    // Where each column's entries are to be dealt to; they can be counted, see trvi_make_room. Where there
    // are none, there is memory all the same, which places are counted from.
    uint32_t sum = trvi_starts_of_counts(broad->counts.items, columns->column_count);
    if (!trvi_array_reserve(&broad->allocator, &broad->members, 2 * most + 1) ||
        !trvi_array_reserve(&broad->allocator, &broad->keys[0], sum + 1) ||
        !trvi_array_reserve(&broad->allocator, &broad->keys[1],
                            arrivals > most ? arrivals : most) ||
        !trvi_reserve_sweep(broad, expected_pairs(broad, arrivals)))
        return TRV_ERROR_MEMORY;
    const uint64_t *ordered = order_arrivals(broad, columns, arrivals);
    dealt d = {broad,
               columns,
               broad->keys[0].items,
               broad->keys[1].items,
               broad->counts.items,
               broad->members.items,
               most};
    const bool far = broad->proxy_limit > TRVI_MANY_BOXES;
    for (uint32_t i = 0; i < arrivals; i++) {
        if (far && i + SOON < arrivals) {
            trvi_prefetch(&trvi_homes(broad)[(uint32_t)ordered[i + SOON]]);
            trvi_prefetch(&trvi_spans(broad)[(uint32_t)ordered[i + SOON]]);
            trvi_prefetch(&trvi_states(broad)[(uint32_t)ordered[i + SOON]]);
        }
        deal_entries(broad, ordered[i], d.entries, broad->counts.items);
    }
    if (set == TRVI_MOBILE_COLUMNS && !trvi_has_workers(broad))
        return trvi_sweep_filled(broad, insert_dealt, &d);
    const uint32_t *places;
    for (uint32_t c = 0; c < columns->column_count; c++)
        (void)insert_dealt(&d, c, &places);
    return TRV_OK;
}
