// One column: its entries take over what changed, and are kept in order of their lower sides.
//
// Boxes move little from one update to the next, so that a column is nearly in order already: a few
// entries are shifted past a few others. Where it is not, keys are sorted and all parts dealt anew.
// What arrives comes in order, so that each entry moves once.
//
// Invariant: entries [start, start + fill) are in order of lower side along s, and reaches are
// the largest upper sides so far; the rest of the room is empty (see trvi_columns).
//
// Based on: David Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992, section on
// coherence (insertion sort).
#include "broad_data.h"

enum {
    RUN = 12,             // keys that are sorted by insertion before runs are merged
    SHIFTS_PER_ENTRY = 6, // beyond, keys are sorted instead
    LONG_RUN = 96,        // entries, beyond which they are moved part by part
    SOON = 12,            // entries ahead, whose boxes are brought near
    AT_ONCE = 64          // entries that are looked at before any is changed; bits of a word
};

static uint32_t *tags_of(const trvi_columns *columns)
{
    return columns->tag.items;
}

_Static_assert(TRVI_ITEMS == TRVI_PART_COUNT + 1, "all parts and the tags");

static trvi_items items_of(const trvi_columns *columns)
{
    trvi_items all = {.items = {columns->tag.items}};
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++)
        all.items[k + 1] = columns->part[k].items;
    return all;
}

// Copies an entry.
static inline void copy_one(const trvi_items *all, uint32_t from, uint32_t to)
{
    for (uint32_t k = 0; k < TRVI_ITEMS; k++)
        memcpy(all->items[k] + (size_t)to * TRVI_ITEM, all->items[k] + (size_t)from * TRVI_ITEM,
               TRVI_ITEM);
}

// Copies four entries, all of which are read before any is written.
static inline void copy_four(const trvi_items *all, uint32_t from, uint32_t to)
{
    for (uint32_t k = 0; k < TRVI_ITEMS; k++) {
        char four[TRVI_LANES * TRVI_ITEM];
        memcpy(four, all->items[k] + (size_t)from * TRVI_ITEM, sizeof four);
        memcpy(all->items[k] + (size_t)to * TRVI_ITEM, four, sizeof four);
    }
}

// Moves the entries [first, last) to `to` and what follows.
static void move_entries(const trvi_items *all, uint32_t first, uint32_t last, uint32_t to)
{
    for (uint32_t k = 0; k < TRVI_ITEMS; k++) {
        char *items = all->items[k];
        memmove(items + (size_t)to * TRVI_ITEM, items + (size_t)first * TRVI_ITEM,
                (size_t)(last - first) * TRVI_ITEM);
    }
}

// The same for short runs, four at a time: down, where nothing else is written.
static inline void move_down(const trvi_items *all, uint32_t first, uint32_t last, uint32_t to)
{
    if (last - first > LONG_RUN) {
        move_entries(all, first, last, to);
        return;
    }
    for (; last - first >= TRVI_LANES; first += TRVI_LANES, to += TRVI_LANES)
        copy_four(all, first, to);
    for (; first < last; first++, to++)
        copy_one(all, first, to);
}

static uint32_t *starts_of(const trvi_columns *columns)
{
    return columns->start.items;
}

static uint32_t *fills_of(const trvi_columns *columns)
{
    return columns->fill.items;
}

// Gives the entry this box and tag.
static inline void write_entry(const trvi_items *all, const uint32_t axis[3], uint32_t at,
                               const trv_aabb *box, uint32_t tag)
{
    memcpy(all->items[0] + (size_t)at * TRVI_ITEM, &tag, TRVI_ITEM);
    for (uint32_t k = 0; k < 3; k++) {
        const float lower = trvi_side_of(&box->lower, axis[k]);
        const float upper = trvi_side_of(&box->upper, axis[k]);
        memcpy(all->items[2 * k + 1] + (size_t)at * TRVI_ITEM, &lower, TRVI_ITEM);
        memcpy(all->items[2 * k + 2] + (size_t)at * TRVI_ITEM, &upper, TRVI_ITEM);
    }
}

void trvi_column_write(const trvi_columns *columns, uint32_t at, const trv_aabb *box, uint32_t tag)
{
    const trvi_items all = items_of(columns);
    write_entry(&all, columns->grid.axis, at, box, tag);
}

// Empty blocks reach farthest, so that reaches rise along the whole room; `last` ends a block.
void trvi_column_clear(trvi_columns *columns, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        trvi_part(columns, TRVI_LOWER_S)[i] = HUGE_VALF;
        trvi_part(columns, TRVI_UPPER_S)[i] = -HUGE_VALF;
        trvi_part(columns, TRVI_LOWER_U)[i] = trvi_part(columns, TRVI_LOWER_V)[i] = HUGE_VALF;
        trvi_part(columns, TRVI_UPPER_U)[i] = trvi_part(columns, TRVI_UPPER_V)[i] = -HUGE_VALF;
        tags_of(columns)[i] = 0;
    }
    for (uint32_t i = (first + TRVI_BLOCK - 1) / TRVI_BLOCK; i < last / TRVI_BLOCK; i++)
        ((float *)columns->reach.items)[i] = HUGE_VALF;
}

enum { FOUR_BLOCKS = 4 * TRVI_BLOCK };

_Static_assert(TRVI_BLOCK == 4 && TRVI_LANES == 4, "blocks are transposed");

// The most of each of four blocks.
static inline void write_mosts(const float *upper, float *most)
{
    trvi_lanes m[TRVI_LANES];
    for (uint32_t k = 0; k < TRVI_LANES; k++)
        m[k] = trvi_lanes_load(upper + k * TRVI_BLOCK);
    trvi_lanes_transpose(m);
    trvi_lanes_store(most, trvi_lanes_max(trvi_lanes_max(m[0], m[1]), trvi_lanes_max(m[2], m[3])));
}

// Of all blocks from that of the first entry that changed on, as far as they change.
static void write_reaches(const trvi_columns *columns, uint32_t first, trvi_entries changed,
                          uint32_t last)
{
    const float *upper = trvi_part(columns, TRVI_UPPER_S);
    float *reach = columns->reach.items;
    uint32_t block = changed.first / TRVI_BLOCK;
    float farthest = changed.first - first >= TRVI_BLOCK ? reach[block - 1] : -HUGE_VALF;
    uint32_t i = block * TRVI_BLOCK;
    for (; i < last && last - i >= FOUR_BLOCKS; i += FOUR_BLOCKS) {
        float *four = reach + i / TRVI_BLOCK;
        const float was = four[3];
        write_mosts(upper + i, four);
        for (uint32_t k = 0; k < TRVI_LANES; k++)
            four[k] = farthest = four[k] > farthest ? four[k] : farthest;
        if (i >= changed.last && four[3] == was)
            return;
    }
    for (; i < last; i += TRVI_BLOCK) {
        float a = upper[i] > upper[i + 1] ? upper[i] : upper[i + 1];
        float b = upper[i + 2] > upper[i + 3] ? upper[i + 2] : upper[i + 3];
        float most = a > b ? a : b;
        farthest = most > farthest ? most : farthest;
        if (i >= changed.last && reach[i / TRVI_BLOCK] == farthest)
            return;
        reach[i / TRVI_BLOCK] = farthest;
    }
}

// Moves the entries [from, to) on by one place, and entry `to` to `from`.
static void rotate(const trvi_columns *columns, uint32_t from, uint32_t to)
{
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        float *part = trvi_part(columns, k);
        float moved = part[to];
        for (uint32_t i = to; i > from; i--)
            part[i] = part[i - 1];
        part[from] = moved;
    }
    uint32_t *tag = tags_of(columns), moved = tag[to];
    for (uint32_t i = to; i > from; i--)
        tag[i] = tag[i - 1];
    tag[from] = moved;
}

// The first of the entries [i, last) that lies below the one before it, or one up to TRVI_LANES
// before `last`.
static inline uint32_t skip_order(const float *lower, uint32_t i, uint32_t last)
{
    while (i + TRVI_LANES <= last &&
           trvi_lanes_at_least(trvi_lanes_load(lower + i), trvi_lanes_load(lower + i - 1)) ==
               (1u << TRVI_LANES) - 1)
        i += TRVI_LANES;
    return i;
}

// All entries but those in `changed` are in order; widens it to what was moved. False when they are
// too far from order.
static bool sort_by_shifts(const trvi_columns *columns, uint32_t first, uint32_t last,
                           trvi_entries *changed)
{
    const float *lower = trvi_part(columns, TRVI_LOWER_S);
    uint32_t shifts = (last - first) * SHIFTS_PER_ENTRY, from = changed->first;
    for (uint32_t i = from > first ? from : first + 1; i < last; i++) {
        i = skip_order(lower, i, changed->last < last ? changed->last : last);
        if (i == last || lower[i - 1] <= lower[i]) {
            if (i > changed->last)
                break; // from i - 1 on they are as they were
            continue;
        }
        uint32_t to = i - 1;
        while (to > first && lower[to - 1] > lower[i])
            to--;
        if (i - to > shifts)
            return false;
        shifts -= i - to;
        rotate(columns, to, i);
        changed->first = to < changed->first ? to : changed->first;
        changed->last = i >= changed->last ? i + 1 : changed->last;
    }
    return true;
}

// Sorts runs by insertion, then merges them, from one array to the other and back.
uint64_t *trvi_column_sort_keys(uint64_t *keys, uint64_t *spare, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += RUN) {
        uint32_t last = first + RUN < count ? first + RUN : count;
        for (uint32_t i = first + 1; i < last; i++) {
            uint64_t key = keys[i];
            uint32_t to = i;
            for (; to > first && keys[to - 1] > key; to--)
                keys[to] = keys[to - 1];
            keys[to] = key;
        }
    }
    for (uint32_t width = RUN; width < count; width *= 2) {
        for (uint32_t first = 0; first < count; first += 2 * width) {
            uint32_t middle = first + width < count ? first + width : count;
            uint32_t last = first + 2 * width < count ? first + 2 * width : count;
            uint32_t a = first, b = middle;
            for (uint32_t i = first; i < last; i++) {
                bool take_a = b == last || (a < middle && keys[a] < keys[b]);
                spare[i] = take_a ? keys[a] : keys[b];
                a += take_a;
                b += !take_a;
            }
        }
        uint64_t *swap = keys;
        keys = spare;
        spare = swap;
    }
    return keys;
}

static void write_keys(const trvi_columns *columns, uint32_t first, uint32_t count, uint64_t *keys)
{
    const float *lower = trvi_part(columns, TRVI_LOWER_S) + first;
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)trvi_sort_key_of_float(lower[i]) << 32 | i;
}

// Deals the entries as the low halves of the keys say. `floats` and `tags` have room for as many,
// and may be the same memory.
static void deal(const trvi_columns *columns, uint32_t first, uint32_t count, const uint64_t *keys,
                 float *floats, uint32_t *tags)
{
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        float *part = trvi_part(columns, k) + first;
        memcpy(floats, part, count * sizeof *floats);
        for (uint32_t i = 0; i < count; i++)
            part[i] = floats[(uint32_t)keys[i]];
    }
    uint32_t *tag = tags_of(columns) + first;
    memcpy(tags, tag, count * sizeof *tags);
    for (uint32_t i = 0; i < count; i++)
        tag[i] = tags[(uint32_t)keys[i]];
}

// As trvi_column_sort, where all entries but those in `changed` are in order.
static bool sort_changed(trvi_columns *columns, uint32_t column, trvi_entries changed)
{
    uint32_t first = starts_of(columns)[column], count = fills_of(columns)[column];
    if (!sort_by_shifts(columns, first, first + count, &changed)) {
        uint64_t keys[TRVI_SMALL_COLUMN], spare[TRVI_SMALL_COLUMN];
        float floats[TRVI_SMALL_COLUMN];
        uint32_t tags[TRVI_SMALL_COLUMN];
        if (count > TRVI_SMALL_COLUMN)
            return false;
        write_keys(columns, first, count, keys);
        deal(columns, first, count, trvi_column_sort_keys(keys, spare, count), floats, tags);
        changed = (trvi_entries){first, first + count};
    }
    write_reaches(columns, first, changed, first + count);
    return true;
}

bool trvi_column_sort(trvi_columns *columns, uint32_t column)
{
    return sort_changed(columns, column, trvi_entries_of(columns, column));
}

void trvi_column_sort_large(trvi_columns *columns, uint32_t column, uint64_t *keys, uint64_t *spare)
{
    uint32_t first = starts_of(columns)[column], count = fills_of(columns)[column];
    write_keys(columns, first, count, keys);
    uint64_t *sorted = trvi_sort_bits(keys, spare, count, 32, 32);
    void *room = sorted == keys ? spare : keys;
    deal(columns, first, count, sorted, room, room);
    trvi_column_reach(columns, column);
}

void trvi_column_reach(trvi_columns *columns, uint32_t column)
{
    trvi_entries all = trvi_entries_of(columns, column);
    write_reaches(columns, all.first, all, all.last);
}

// Entry i, of a proxy that changed, takes over what is new, at place `to` <= i; false where it is
// to go. Adds the states of those that stay to `states`.
static inline bool take_entry(const trv_broad *broad, uint32_t set, uint32_t i, uint32_t to,
                              uint8_t *states)
{
    const trvi_columns *columns = &broad->sets[set];
    uint32_t *tag = tags_of(columns), index = tag[i] >> TRVI_TAG_BITS;
    uint8_t state = trvi_states(broad)[index];
    if (!trvi_entry_stays(state, set))
        return false;
    *states |= state;
    uint32_t kept = tag[i] & ~(uint32_t)(TRVI_TAG_TOUCHED | TRVI_TAG_PLAIN);
    kept |= trvi_tag_flags(state);
    if (state & TRVI_PROXY_MOVED) {
        trvi_column_write(columns, to, &trvi_fat_boxes(broad)[index], kept);
        return true;
    }
    for (uint32_t k = 0; k < TRVI_PART_COUNT && to != i; k++)
        trvi_part(columns, k)[to] = trvi_part(columns, k)[i];
    tag[to] = kept;
    return true;
}

// Drops the entries [first, last) that are not to stay, loads the boxes of those that moved, and
// sets the touched flags anew. Returns how many stay.
static uint32_t take_over_all(const trv_broad *broad, uint32_t set, trvi_entries entries,
                              uint8_t *stay)
{
    uint32_t first = entries.first, last = entries.last;
    const uint32_t *tag = tags_of(&broad->sets[set]);
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    uint32_t to = first;
    for (uint32_t i = first; i < last; i++) {
        uint32_t soon = i + SOON < last ? i + SOON : i;
        trvi_prefetch(&boxes[tag[soon] >> TRVI_TAG_BITS]);
        to += take_entry(broad, set, i, to, stay);
    }
    return to - first;
}

// The same where most are of proxies that did not change: looks for the others before it goes to
// their boxes, which lie anywhere. Leaves in `entries` those that are not as they were.
static uint32_t take_over_some(const trv_broad *broad, uint32_t set, trvi_entries *entries,
                               uint8_t *stay)
{
    const trvi_columns *columns = &broad->sets[set];
    const uint32_t first = entries->first, last = entries->last;
    const uint8_t *states = trvi_states(broad);
    const uint32_t *tag = tags_of(columns);
    const trvi_items all = items_of(columns);
    uint32_t to = first, list[AT_ONCE];
    *entries = (trvi_entries){last, first};
    for (uint32_t i = first; i < last; i += AT_ONCE) {
        uint32_t end = last - i < AT_ONCE ? last : i + AT_ONCE, count = 0, gone = 0;
        uint64_t keep = ~(uint64_t)0 >> (AT_ONCE - (end - i));
        for (uint32_t k = i; k < end; k++) {
            list[count] = k;
            count += (states[tag[k] >> TRVI_TAG_BITS] & TRVI_PROXY_LISTED) != 0;
        }
        for (uint32_t k = 0; k < count; k++)
            trvi_prefetch(&trvi_fat_boxes(broad)[tag[list[k]] >> TRVI_TAG_BITS]);
        for (uint32_t k = 0; k < count; k++) {
            bool stays = take_entry(broad, set, list[k], list[k], stay);
            uint32_t place = to + (list[k] - i) - gone;
            entries->first = place < entries->first ? place : entries->first;
            entries->last = place + stays;
            keep &= ~((uint64_t)!stays << (list[k] - i));
            gone += !stays;
        }
        if (to != i || gone > 0)
            to += broad->kernels.squeeze(&all, i, to, keep, end - i);
        else
            to += end - i;
    }
    if (to < last) // all behind the first one that is gone were moved
        entries->last = to;
    return to - first;
}

// Which of up to 64 entries are of live proxies, a bit for each; eight are looked at together.
static inline uint64_t live_of(const uint8_t *states, const uint32_t *tag, uint32_t count)
{
    uint64_t live = 0;
    uint32_t i = 0;
    for (; count - i >= 8; i += 8) {
        uint64_t eight = 0;
        for (uint32_t k = 0; k < 8; k++)
            eight |= (uint64_t)states[tag[i + k] >> TRVI_TAG_BITS] << (8 * k);
        live |= (uint64_t)trvi_bytes_with(eight, TRVI_PROXY_LIVE_BIT) << i;
    }
    for (; i < count; i++)
        live |= (uint64_t)(states[tag[i] >> TRVI_TAG_BITS] >> TRVI_PROXY_LIVE_BIT & 1) << i;
    return live;
}

// The same where all that changed are gone.
static uint32_t take_over_live(const trv_broad *broad, uint32_t set, trvi_entries *entries)
{
    const trvi_span gone = broad->gone;
    const trvi_columns *columns = &broad->sets[set];
    const uint32_t first = entries->first, last = entries->last;
    const uint32_t *tag = tags_of(columns);
    const trvi_items all = items_of(columns);
    uint32_t to = first;
    *entries = (trvi_entries){last, first};
    for (uint32_t i = first; i < last; i += AT_ONCE) {
        const uint32_t count = last - i < AT_ONCE ? last - i : AT_ONCE;
        const uint64_t every = ~(uint64_t)0 >> (AT_ONCE - count);
        uint64_t keep = gone.count > 0 ? broad->kernels.outside(tag + i, count, gone)
                                       : live_of(trvi_states(broad), tag + i, count);
        if (to == i && keep == every) {
            to += count;
            continue;
        }
        if (to == i)
            entries->first = i;
        to += broad->kernels.squeeze(&all, i, to, keep, count);
    }
    entries->last = to;
    return to - first;
}

void trvi_column_untouch(const trvi_columns *columns, uint32_t column)
{
    trvi_entries all = trvi_entries_of(columns, column);
    uint32_t *tag = tags_of(columns);
    for (uint32_t i = all.first; i < all.last; i++)
        tag[i] &= ~(uint32_t)TRVI_TAG_TOUCHED;
    ((uint8_t *)columns->mark.items)[column] &= (uint8_t) ~(uint32_t)TRVI_COLUMN_TOUCHED;
}

void trvi_column_trim(trvi_columns *columns, uint32_t column, uint32_t count)
{
    trvi_entries old = trvi_entries_of(columns, column);
    uint32_t end = (old.last + TRVI_BLOCK - 1) / TRVI_BLOCK * TRVI_BLOCK;
    trvi_column_clear(columns, old.first + count, end);
    fills_of(columns)[column] = count;
}

bool trvi_column_settle(trv_broad *broad, uint32_t set, uint32_t column)
{
    trvi_columns *columns = &broad->sets[set];
    trvi_entries changed = trvi_entries_of(columns, column);
    uint32_t first = changed.first, count;
    uint8_t states = 0; // of proxies that changed and stay
    if (columns->all_dirty)
        count = take_over_all(broad, set, changed, &states);
    else if (broad->only_gone)
        count = take_over_live(broad, set, &changed);
    else
        count = take_over_some(broad, set, &changed, &states);
    if (columns->all_dirty)
        changed.last = first + count;
    trvi_column_trim(columns, column, count);
    if (states & TRVI_PROXY_ACTIVE)
        ((uint8_t *)columns->mark.items)[column] |= TRVI_COLUMN_TOUCHED;
    if (states & TRVI_PROXY_MOVED)
        return sort_changed(columns, column, changed);
    write_reaches(columns, first, changed, first + count); // those that are left are in order
    return true;
}

// Moves the entries [first, last) down by one place.
static void close_gap(const trvi_columns *columns, uint32_t first, uint32_t last)
{
    const trvi_items all = items_of(columns);
    move_down(&all, first, last, first - 1);
}

void trvi_column_shift(trvi_columns *columns, uint32_t column, uint32_t i, const trv_aabb *box)
{
    const trvi_entries all = trvi_entries_of(columns, column);
    const float *lower = trvi_part(columns, TRVI_LOWER_S);
    const float side = trvi_side_of(&box->lower, columns->grid.axis[0]);
    uint32_t to = i, tag = tags_of(columns)[i];
    while (to > all.first && lower[to - 1] > side)
        to--;
    if (to == i) {
        while (to + 1 < all.last && lower[to + 1] < side)
            to++;
    }
    if (to < i)
        rotate(columns, to, i);
    else if (to > i)
        close_gap(columns, i + 1, to + 1);
    trvi_column_write(columns, to, box, tag);
    trvi_entries changed = {to < i ? to : i, (to > i ? to : i) + 1};
    write_reaches(columns, all.first, changed, all.last);
}

void trvi_column_drop(trvi_columns *columns, uint32_t column, uint32_t i)
{
    const trvi_entries all = trvi_entries_of(columns, column);
    close_gap(columns, i + 1, all.last);
    trvi_column_trim(columns, column, all.last - all.first - 1);
    write_reaches(columns, all.first, (trvi_entries){i, all.last - 1}, all.last - 1);
}

void trvi_column_insert(const trv_broad *broad, trvi_columns *columns, uint32_t column,
                        const uint64_t *arrivals, uint32_t added, uint32_t *places)
{
    const trvi_items all = items_of(columns);
    const float *lower = trvi_part(columns, TRVI_LOWER_S);
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    const trvi_entries old = trvi_entries_of(columns, column);
    const uint32_t end = old.last + added;
    const uint32_t axis[3] = {columns->grid.axis[0], columns->grid.axis[1], columns->grid.axis[2]};
    broad->kernels.count(lower + old.first, old.last - old.first, arrivals, added, places);
    for (uint32_t n = 0; n < added; n++)
        places[n] += old.first + n;
    broad->kernels.spread(&all, end, places, added);
    for (uint32_t n = 0; n < added; n++) {
        uint32_t tag = (uint32_t)arrivals[n];
        write_entry(&all, axis, places[n], &boxes[tag >> TRVI_TAG_BITS], tag);
    }
    fills_of(columns)[column] += added;
    write_reaches(columns, old.first, (trvi_entries){places[0], end}, end);
}
