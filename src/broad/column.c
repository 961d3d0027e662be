// One column: its entries take over what changed, and are kept in order of their lower sides.
//
// Boxes move little from one update to the next, so that a column is nearly in order already: a few
// entries are shifted past a few others. Where it is not, keys are sorted and all parts dealt anew.
// What arrives is appended, sorted by itself, and merged from the end on, so that each entry moves
// once.
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
    MOST_MERGED = 128,    // new entries; beyond, all are sorted
    FEW_MOVED = 24,       // entries for each new one, up to which they are not moved by runs
    SOON = 12,            // entries ahead, whose boxes are brought near
    AT_ONCE = 64          // entries that are looked at before any is changed
};

static uint32_t *tags_of(const trvi_columns *columns)
{
    return columns->tag.items;
}

static uint32_t *starts_of(const trvi_columns *columns)
{
    return columns->start.items;
}

static uint32_t *fills_of(const trvi_columns *columns)
{
    return columns->fill.items;
}

void trvi_column_write(const trvi_columns *columns, uint32_t at, const trv_aabb *box, uint32_t tag)
{
    const uint32_t *axis = columns->grid.axis;
    trvi_part(columns, TRVI_LOWER_S)[at] = trvi_side_of(&box->lower, axis[0]);
    trvi_part(columns, TRVI_UPPER_S)[at] = trvi_side_of(&box->upper, axis[0]);
    trvi_part(columns, TRVI_LOWER_U)[at] = trvi_side_of(&box->lower, axis[1]);
    trvi_part(columns, TRVI_UPPER_U)[at] = trvi_side_of(&box->upper, axis[1]);
    trvi_part(columns, TRVI_LOWER_V)[at] = trvi_side_of(&box->lower, axis[2]);
    trvi_part(columns, TRVI_UPPER_V)[at] = trvi_side_of(&box->upper, axis[2]);
    tags_of(columns)[at] = tag;
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

// Of all blocks from that of the first entry that changed on, as far as they change.
static void write_reaches(const trvi_columns *columns, uint32_t first, trvi_entries changed,
                          uint32_t last)
{
    const float *upper = trvi_part(columns, TRVI_UPPER_S);
    float *reach = columns->reach.items;
    uint32_t block = changed.first / TRVI_BLOCK;
    float farthest = changed.first - first >= TRVI_BLOCK ? reach[block - 1] : -HUGE_VALF;
    for (uint32_t i = block * TRVI_BLOCK; i < last; i += TRVI_BLOCK) {
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

static trvi_entries entries_of(const trvi_columns *columns, uint32_t column)
{
    uint32_t first = starts_of(columns)[column];
    return (trvi_entries){first, first + fills_of(columns)[column]};
}

bool trvi_column_sort(trvi_columns *columns, uint32_t column)
{
    return sort_changed(columns, column, entries_of(columns, column));
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
    trvi_entries all = entries_of(columns, column);
    write_reaches(columns, all.first, all, all.last);
}

// Moves the entries [from, last) down to `to`.
static void move_entries(const trvi_columns *columns, uint32_t from, uint32_t last, uint32_t to)
{
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        float *part = trvi_part(columns, k);
        memmove(part + to, part + from, (last - from) * sizeof *part);
    }
    uint32_t *tag = tags_of(columns);
    memmove(tag + to, tag + from, (last - from) * sizeof *tag);
}

// Entry i, of a proxy that changed, takes over what is new, at place `to` <= i; false where it is
// to go.
static inline bool take_entry(const trv_broad *broad, uint32_t set, uint32_t i, uint32_t to)
{
    const trvi_columns *columns = &broad->sets[set];
    uint32_t *tag = tags_of(columns), index = tag[i] >> TRVI_TAG_BITS;
    uint8_t state = trvi_states(broad)[index];
    if (!trvi_entry_stays(state, set))
        return false;
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
static uint32_t take_over_all(const trv_broad *broad, uint32_t set, trvi_entries entries)
{
    uint32_t first = entries.first, last = entries.last;
    const uint32_t *tag = tags_of(&broad->sets[set]);
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    uint32_t to = first;
    for (uint32_t i = first; i < last; i++) {
        uint32_t soon = i + SOON < last ? i + SOON : i;
        TRVI_FETCH(&boxes[tag[soon] >> TRVI_TAG_BITS]);
        to += take_entry(broad, set, i, to);
    }
    return to - first;
}

// The same where most are of proxies that did not change: looks for the others before it goes to
// their boxes, which lie anywhere. Leaves in `entries` those that are not as they were.
static uint32_t take_over_some(const trv_broad *broad, uint32_t set, trvi_entries *entries)
{
    const trvi_columns *columns = &broad->sets[set];
    uint32_t first = entries->first, last = entries->last;
    const uint8_t *states = trvi_states(broad);
    const uint32_t *tag = tags_of(columns);
    uint32_t to = first, list[AT_ONCE];
    *entries = (trvi_entries){last, first};
    for (uint32_t i = first; i < last;) {
        uint32_t end = last - i < AT_ONCE ? last : i + AT_ONCE, count = 0;
        for (uint32_t k = i; k < end; k++) {
            list[count] = k;
            count += (states[tag[k] >> TRVI_TAG_BITS] & TRVI_PROXY_LISTED) != 0;
        }
        for (uint32_t k = 0; k < count; k++)
            TRVI_FETCH(&trvi_fat_boxes(broad)[tag[list[k]] >> TRVI_TAG_BITS]);
        for (uint32_t k = 0; k <= count; k++) {
            uint32_t next = k < count ? list[k] : end;
            if (to != i && next > i)
                move_entries(columns, i, next, to);
            to += next - i;
            i = next;
            if (k < count) {
                entries->first = to < entries->first ? to : entries->first;
                to += take_entry(broad, set, i++, to);
                entries->last = to;
            }
        }
    }
    if (to < last) // all behind the first one that is gone were moved
        entries->last = to;
    return to - first;
}

void trvi_column_untouch(const trvi_columns *columns, uint32_t column)
{
    trvi_entries all = entries_of(columns, column);
    uint32_t *tag = tags_of(columns);
    for (uint32_t i = all.first; i < all.last; i++)
        tag[i] &= ~(uint32_t)TRVI_TAG_TOUCHED;
    ((uint8_t *)columns->mark.items)[column] &= (uint8_t) ~(uint32_t)TRVI_COLUMN_TOUCHED;
}

void trvi_column_trim(trvi_columns *columns, uint32_t column, uint32_t count)
{
    trvi_entries old = entries_of(columns, column);
    uint32_t end = (old.last + TRVI_BLOCK - 1) / TRVI_BLOCK * TRVI_BLOCK;
    trvi_column_clear(columns, old.first + count, end);
    fills_of(columns)[column] = count;
}

bool trvi_column_settle(trv_broad *broad, uint32_t set, uint32_t column)
{
    trvi_columns *columns = &broad->sets[set];
    trvi_entries changed = entries_of(columns, column);
    uint32_t first = changed.first, count;
    count = columns->all_dirty ? take_over_all(broad, set, changed)
                               : take_over_some(broad, set, &changed);
    if (columns->all_dirty)
        changed.last = first + count;
    trvi_column_trim(columns, column, count);
    return sort_changed(columns, column, changed);
}

// Puts the items of 4 bytes behind `last` where `at` says, in the order of the low halves of the
// keys.
static void merge_items(void *items, uint32_t last, uint32_t added, const uint64_t *sorted,
                        const uint32_t *at)
{
    enum { SIZE = 4 };
    char *bytes = items, moved[MOST_MERGED * SIZE];
    memcpy(moved, bytes + (size_t)last * SIZE, (size_t)added * SIZE);
    for (uint32_t t = added; t > 0; t--) {
        char *to = bytes + (size_t)at[t - 1] * SIZE;
        memmove(to + (size_t)t * SIZE, to, (size_t)(last - at[t - 1]) * SIZE);
        last = at[t - 1];
        memcpy(to + (size_t)(t - 1) * SIZE, moved + (uint32_t)sorted[t - 1] * (size_t)SIZE, SIZE);
    }
}

void trvi_column_append(trvi_columns *columns, uint32_t column, const trv_aabb *box, uint32_t tag)
{
    uint32_t last = starts_of(columns)[column] + fills_of(columns)[column]++;
    trvi_column_write(columns, last, box, tag);
}

// The first of the entries [first, last), which are in order, that lies above `key`; `last` if
// none.
static uint32_t first_above(const float *lower, uint32_t first, uint32_t last, float key)
{
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (lower[middle] <= key)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

// Puts the entries behind `last` where `at` says, all parts by one order: quicker where many
// entries are moved by a few each.
static void merge_by_order(const trvi_columns *columns, uint32_t last, uint32_t added,
                           const uint64_t *sorted, const uint32_t *at)
{
    uint32_t order[TRVI_SMALL_COLUMN], first = at[0], count = last + added - first, to = 0;
    float floats[TRVI_SMALL_COLUMN];
    uint32_t tags[TRVI_SMALL_COLUMN];
    for (uint32_t t = 0; t < added; t++) {
        uint32_t end = t + 1 < added ? at[t + 1] : last;
        order[to++] = last - first + (uint32_t)sorted[t];
        for (uint32_t i = at[t]; i < end; i++)
            order[to++] = i - first;
    }
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        float *part = trvi_part(columns, k) + first;
        memcpy(floats, part, count * sizeof *floats);
        for (uint32_t i = 0; i < count; i++)
            part[i] = floats[order[i]];
    }
    uint32_t *tag = tags_of(columns) + first;
    memcpy(tags, tag, count * sizeof *tags);
    for (uint32_t i = 0; i < count; i++)
        tag[i] = tags[order[i]];
}

bool trvi_column_merge(trvi_columns *columns, uint32_t column, uint32_t added)
{
    uint32_t first = starts_of(columns)[column], end = first + fills_of(columns)[column];
    if (added > MOST_MERGED)
        return trvi_column_sort(columns, column);
    uint64_t keys[MOST_MERGED], spare[MOST_MERGED];
    uint32_t last = end - added, at[MOST_MERGED];
    write_keys(columns, last, added, keys);
    const uint64_t *sorted = trvi_column_sort_keys(keys, spare, added);
    const float *lower = trvi_part(columns, TRVI_LOWER_S);
    for (uint32_t t = added; t > 0; t--) {
        uint32_t below = t == added ? last : at[t];
        at[t - 1] = first_above(lower, first, below, lower[last + (uint32_t)sorted[t - 1]]);
    }
    if (end - at[0] <= TRVI_SMALL_COLUMN && end - at[0] <= added * FEW_MOVED) {
        merge_by_order(columns, last, added, sorted, at);
    } else {
        for (uint32_t k = 0; k < TRVI_PART_COUNT; k++)
            merge_items(trvi_part(columns, k), last, added, sorted, at);
        merge_items(tags_of(columns), last, added, sorted, at);
    }
    write_reaches(columns, first, (trvi_entries){at[0], end}, end);
    return true;
}
