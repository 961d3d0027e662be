// What a broadphase is made of, in one table: by it the arrays get their strides, grow with the
// proxies, are released, saved and restored.
//
// A saved broadphase is a header, the plain fields, and the items of each array that is state, one
// after the other, as they lie in memory; nothing in them is a pointer. The header holds a sum
// over all that follows it, so that a damaged save is refused before anything changes.
//
// Proxies that are new to a broadphase take room in their first updates, for all of their pairs at
// once, that is hardly ever needed again. Some time later it is given back, once; else arrays only
// grow, so that updates ask for no memory in the long run.
//
// Invariant: each array and each plain field of trv_broad is in the tables, but for the hooks, the
// kernels, what follows from others, when to trim, and what an update expects to find. What an
// update writes before it reads it is scratch, and not saved; nor is the back half of what alternates.
#include "broad_data.h"

#include <string.h>

// How many items of an array are state.
typedef enum item_rule {
    OF_PROXIES, // up to proxy_limit
    OF_MARGIN,  // the same, or none without a margin
    OF_FILTERS, // the same, or none while all filters are plain
    OF_COUNT,   // its count; has room for all proxies
    OF_ENTRIES, // its count
    OF_DIRTY,   // its count; has room for as many as the array in front of it has
    OF_FRONT_0, // its count while lists[0] is in front
    OF_FRONT_1,
    OF_QUIET_0, // its count while quiet[0] is in front
    OF_QUIET_1,
    OF_NOTHING // scratch
} item_rule;

// What an array is held for.
typedef enum item_use { FOR_PROXIES, FOR_COLUMNS, FOR_PAIRS, FOR_WORK, USE_COUNT } item_use;

typedef struct array_row {
    size_t offset;
    uint32_t stride;
    item_rule rule;
    item_use use;
} array_row;

typedef struct field_row {
    size_t offset, size;
} field_row;

#define ARRAY(name, type, rule, use)                                                               \
    {                                                                                              \
        offsetof(trv_broad, name), sizeof(type), rule, use                                         \
    }
#define FIELD(name)                                                                                \
    {                                                                                              \
        offsetof(trv_broad, name), sizeof(((trv_broad *)0)->name)                                  \
    }
#define COLUMNS(name, type, rule) ARRAY(name, type, rule, FOR_COLUMNS)
#define PART(k, part_k)           COLUMNS(sets[k].part[part_k], float, OF_ENTRIES)
#define SET_ARRAYS(k)                                                                              \
    COLUMNS(sets[k].start, uint32_t, OF_ENTRIES), COLUMNS(sets[k].fill, uint32_t, OF_ENTRIES),     \
        PART(k, 0), PART(k, 1), PART(k, 2), PART(k, 3), PART(k, 4), PART(k, 5),                    \
        COLUMNS(sets[k].reach, float, OF_ENTRIES), COLUMNS(sets[k].tag, uint32_t, OF_ENTRIES),     \
        COLUMNS(sets[k].mark, uint8_t, OF_ENTRIES), COLUMNS(sets[k].dirty, uint32_t, OF_DIRTY)
#define SET_FIELDS(k)                                                                              \
    FIELD(sets[k].all_dirty), FIELD(sets[k].column_count), FIELD(sets[k].member_count),            \
        FIELD(sets[k].built_count), FIELD(sets[k].wear), FIELD(sets[k].grid),                      \
        FIELD(sets[k].bounds)

static const array_row arrays[] = {
    ARRAY(tight, trv_aabb, OF_MARGIN, FOR_PROXIES),
    ARRAY(fat, trv_aabb, OF_PROXIES, FOR_PROXIES),
    ARRAY(filter, trv_filter, OF_FILTERS, FOR_PROXIES),
    ARRAY(user, uint64_t, OF_PROXIES, FOR_PROXIES),
    ARRAY(generation, uint32_t, OF_PROXIES, FOR_PROXIES),
    ARRAY(home, uint32_t, OF_PROXIES, FOR_PROXIES),
    ARRAY(span, uint8_t, OF_PROXIES, FOR_PROXIES),
    ARRAY(state, uint8_t, OF_PROXIES, FOR_PROXIES),
    ARRAY(changed, uint32_t, OF_COUNT, FOR_PROXIES),
    SET_ARRAYS(0),
    SET_ARRAYS(1),
    ARRAY(lists[0].begun, trv_pair, OF_FRONT_0, FOR_PAIRS),
    ARRAY(lists[0].kept, trv_pair, OF_FRONT_0, FOR_PAIRS),
    ARRAY(lists[0].ended, trv_pair, OF_FRONT_0, FOR_PAIRS),
    ARRAY(lists[1].begun, trv_pair, OF_FRONT_1, FOR_PAIRS),
    ARRAY(lists[1].kept, trv_pair, OF_FRONT_1, FOR_PAIRS),
    ARRAY(lists[1].ended, trv_pair, OF_FRONT_1, FOR_PAIRS),
    ARRAY(quiet[0], trv_pair, OF_QUIET_0, FOR_PAIRS),
    ARRAY(quiet[1], trv_pair, OF_QUIET_1, FOR_PAIRS),
    ARRAY(free_slots, uint32_t, OF_ENTRIES, FOR_PAIRS),
    ARRAY(noted, uint64_t, OF_NOTHING, FOR_PAIRS),
    ARRAY(found, uint64_t, OF_NOTHING, FOR_PAIRS),
    ARRAY(keys[0], uint64_t, OF_NOTHING, FOR_PAIRS),
    ARRAY(keys[1], uint64_t, OF_NOTHING, FOR_PAIRS),
    ARRAY(counts, uint32_t, OF_NOTHING, FOR_WORK),
    ARRAY(members, uint32_t, OF_NOTHING, FOR_WORK),
    ARRAY(worker_keys, uint64_t, OF_NOTHING, FOR_PAIRS),
    ARRAY(unfinished, uint8_t, OF_NOTHING, FOR_WORK),
    ARRAY(scratch, uint32_t, OF_NOTHING, FOR_WORK),
};

static const field_row fields[] = {
    FIELD(margin),      FIELD(margin_share), FIELD(max_proxies), FIELD(max_pairs),
    FIELD(proxy_limit), FIELD(live_count),   FIELD(has_filters), FIELD(moved_count),
    FIELD(is_torn),     FIELD(only_moves),   SET_FIELDS(0),      SET_FIELDS(1),
    FIELD(first_free),  FIELD(first_dead),   FIELD(free_count),  FIELD(front),
    FIELD(quiet_front), FIELD(quiet_stale),  FIELD(slot_limit),
};

enum {
    ARRAY_COUNT = sizeof arrays / sizeof *arrays,
    FIELD_COUNT = sizeof fields / sizeof *fields,
    COUNT_COUNT = (ARRAY_COUNT + 7) / 8 * 8, // whole strides of the sum
    SAVE_VERSION = 7
};

static trvi_array *array_at(trv_broad *broad, uint32_t row)
{
    return (trvi_array *)(void *)((char *)broad + arrays[row].offset);
}

static const trvi_array *const_array_at(const trv_broad *broad, uint32_t row)
{
    return (const trvi_array *)(const void *)((const char *)broad + arrays[row].offset);
}

void trvi_store_begin(trv_broad *broad)
{
    for (uint32_t row = 0; row < ARRAY_COUNT; row++)
        array_at(broad, row)->stride = arrays[row].stride;
}

void trvi_store_end(trv_broad *broad)
{
    for (uint32_t row = 0; row < ARRAY_COUNT; row++)
        trvi_array_free(&broad->allocator, array_at(broad, row));
}

bool trvi_store_reserve(trv_broad *broad, uint32_t limit)
{
    uint32_t room = UINT32_MAX;
    for (uint32_t row = 0; row < ARRAY_COUNT; row++) {
        item_rule rule = arrays[row].rule;
        bool grows = rule == OF_PROXIES || rule == OF_COUNT ||
                     (rule == OF_MARGIN && broad->margin > 0.0f) ||
                     (rule == OF_FILTERS && broad->has_filters);
        if (!grows)
            continue;
        if (limit > array_at(broad, row)->capacity)
            broad->since_growth = 1;
        if (!trvi_array_reserve(&broad->allocator, array_at(broad, row), limit))
            return false;
        room = array_at(broad, row)->capacity < room ? array_at(broad, row)->capacity : room;
    }
    broad->proxy_room = room;
    return true;
}

trv_result trv_broad_bytes_get(const trv_broad *broad, trv_broad_bytes *bytes)
{
    if (bytes == NULL)
        return TRV_ERROR_NULL;
    *bytes = (trv_broad_bytes){0};
    if (broad == NULL)
        return TRV_ERROR_NULL;
    size_t sums[USE_COUNT] = {[FOR_PROXIES] = sizeof *broad};
    for (uint32_t row = 0; row < ARRAY_COUNT; row++)
        sums[arrays[row].use] += (size_t)const_array_at(broad, row)->capacity * arrays[row].stride;
    *bytes = (trv_broad_bytes){.proxies = sums[FOR_PROXIES],
                               .columns = sums[FOR_COLUMNS],
                               .pairs = sums[FOR_PAIRS],
                               .work = sums[FOR_WORK]};
    return TRV_OK;
}

// Giving back what is not needed ------------------------------------------------------------------

enum {
    FIRST_UPDATES = 8,     // after proxies came for which there was no room; these need most
    TRIM_AFTER = 128,      // updates, in which what is needed later shows; all is built meanwhile
    LEAST_BYTES = 1 << 15, // of an array: to give back less is not worth a call of the allocator
    SPARE_SHARE = 32,      // one in so many elements may be there and not be needed
    SPARE_LEFT_SHARE = 128 // one in so many is left
};

static uint32_t need_of(const trv_broad *broad, uint32_t row)
{
    const trvi_array *array = const_array_at(broad, row);
    switch (arrays[row].rule) {
    case OF_PROXIES:
    case OF_MARGIN:
    case OF_FILTERS:
    case OF_COUNT:
        return broad->proxy_limit;
    case OF_NOTHING:
        return array->needed;
    case OF_DIRTY:
        return const_array_at(broad, row - 1)->count;
    default:
        return array->needed > array->count ? array->needed : array->count;
    }
}

// Lists that alternate are to be as large as either had to be.
static void share_needs(trvi_array *a, trvi_array *b)
{
    uint32_t needs[] = {b->needed, a->count, b->count};
    for (uint32_t k = 0; k < 3; k++)
        a->needed = needs[k] > a->needed ? needs[k] : a->needed;
    b->needed = a->needed;
}

// What is needed is noted anew. What is not in front holds nothing between two updates.
static void forget_needs(trv_broad *broad)
{
    trvi_pair_lists *back = &broad->lists[1 - broad->front];
    back->begun.count = back->kept.count = back->ended.count = 0;
    broad->quiet[1 - broad->quiet_front].count = 0;
    for (uint32_t row = 0; row < ARRAY_COUNT; row++) {
        array_at(broad, row)->needed = 0;
        if (arrays[row].rule == OF_NOTHING)
            array_at(broad, row)->count = 0;
    }
}

static void trim(trv_broad *broad)
{
    broad->proxy_room = 0;
    share_needs(&broad->lists[0].begun, &broad->lists[1].begun);
    share_needs(&broad->lists[0].ended, &broad->lists[1].ended);
    for (uint32_t row = 0; row < ARRAY_COUNT; row++) {
        trvi_array *array = array_at(broad, row);
        uint32_t need = need_of(broad, row);
        array->count = array->count < need ? array->count : need; // of scratch
        if ((size_t)array->capacity * array->stride >= LEAST_BYTES &&
            array->capacity - need > need / SPARE_SHARE)
            trvi_array_shrink(&broad->allocator, array, need + need / SPARE_LEFT_SHARE);
    }
}

void trvi_store_trim(trv_broad *broad)
{
    if (broad->since_growth == 0)
        return;
    broad->since_growth++;
    if (broad->since_growth == 1 + FIRST_UPDATES)
        forget_needs(broad);
    if (broad->since_growth == 1 + TRIM_AFTER) {
        trim(broad);
        broad->since_growth = 0;
    }
}

// Saves -------------------------------------------------------------------------------------------

// What comes first in a save.
typedef struct save_header {
    char name[8];
    uint32_t version;
    uint32_t order; // tells the order of bytes
    uint64_t size;  // of all
    uint64_t sum;   // of what follows
    uint32_t counts[COUNT_COUNT];
} save_header;

static uint32_t count_of(const trv_broad *broad, uint32_t row)
{
    uint32_t count = const_array_at(broad, row)->count;
    uint32_t proxies =
        broad->proxy_limit > 1 ? broad->proxy_limit : 0; // before the first: no memory
    switch (arrays[row].rule) {
    case OF_PROXIES:
        return proxies;
    case OF_MARGIN:
        return broad->margin > 0.0f ? proxies : 0;
    case OF_FILTERS:
        return broad->has_filters ? proxies : 0;
    case OF_COUNT:
    case OF_ENTRIES:
    case OF_DIRTY:
        return count;
    case OF_FRONT_0:
    case OF_FRONT_1:
        return broad->front == (uint32_t)(arrays[row].rule - OF_FRONT_0) ? count : 0;
    case OF_QUIET_0:
    case OF_QUIET_1:
        return broad->quiet_front == (uint32_t)(arrays[row].rule - OF_QUIET_0) ? count : 0;
    case OF_NOTHING:
        break;
    }
    return 0;
}

static uint64_t size_of_counts(const uint32_t counts[COUNT_COUNT])
{
    uint64_t size = sizeof(save_header);
    for (uint32_t i = 0; i < FIELD_COUNT; i++)
        size += fields[i].size;
    for (uint32_t row = 0; row < ARRAY_COUNT; row++)
        size += (uint64_t)counts[row] * arrays[row].stride;
    return size;
}

// What follows the counts, with the sum over these as its beginning.
static trvi_writer begin_summed(const save_header *header, char *first)
{
    trvi_writer to = trvi_writer_begin(first, false);
    trvi_sum_add(&to.sum, (const char *)header->counts, sizeof header->counts);
    return to;
}

static uint64_t sum_save(const save_header *header, const char *first)
{
    trvi_sum sum = {{0}, {0}};
    trvi_sum_add(&sum, (const char *)header->counts, sizeof header->counts);
    return trvi_sum_end(sum, first, (size_t)header->size - sizeof *header);
}

static save_header begin_header(void)
{
    return (save_header){.name = {'t', 'r', 'v', 'b', 'r', 'o', 'a', 'd'},
                         .version = SAVE_VERSION,
                         .order = 0x01020304};
}

static save_header make_header(const trv_broad *broad)
{
    save_header header = begin_header();
    for (uint32_t row = 0; row < ARRAY_COUNT; row++)
        header.counts[row] = count_of(broad, row);
    header.size = size_of_counts(header.counts);
    return header;
}

size_t trv_broad_save_size(const trv_broad *broad)
{
    return broad == NULL ? 0 : (size_t)make_header(broad).size;
}

trv_result trv_broad_save(const trv_broad *broad, void *buffer, size_t capacity, size_t *size)
{
    if (size == NULL)
        return TRV_ERROR_NULL;
    *size = 0;
    if (broad == NULL || buffer == NULL)
        return TRV_ERROR_NULL;
    save_header header = make_header(broad);
    if (capacity < header.size)
        return TRV_ERROR_RANGE;
    trvi_writer to = begin_summed(&header, (char *)buffer + sizeof header);
    for (uint32_t i = 0; i < FIELD_COUNT; i++)
        trvi_writer_put(&to, (const char *)broad + fields[i].offset, fields[i].size);
    for (uint32_t row = 0; row < ARRAY_COUNT; row++)
        trvi_writer_put(&to, const_array_at(broad, row)->items,
                        (size_t)header.counts[row] * arrays[row].stride);
    header.sum = trvi_writer_end(&to);
    memcpy(buffer, &header, sizeof header);
    *size = (size_t)header.size;
    return TRV_OK;
}

static trv_result check_save(const void *buffer, size_t size, save_header *header)
{
    const save_header wanted = begin_header();
    trv_result result =
        trvi_check_start(buffer, size, &wanted, offsetof(save_header, size), sizeof *header);
    if (result != TRV_OK)
        return result;
    memcpy(header, buffer, sizeof *header);
    if (header->size != size || size_of_counts(header->counts) != size ||
        sum_save(header, (const char *)buffer + sizeof *header) != header->sum)
        return TRV_ERROR_RANGE;
    return TRV_OK;
}

// Room for the save, and for all that can happen to its proxies.
static bool reserve_saved(trv_broad *broad, const save_header *header)
{
    uint32_t limit = 0;
    for (uint32_t row = 0; row < ARRAY_COUNT; row++) {
        if (arrays[row].rule == OF_PROXIES)
            limit = header->counts[row];
        uint32_t room = header->counts[arrays[row].rule == OF_DIRTY ? row - 1 : row];
        if (!trvi_array_reserve(&broad->allocator, array_at(broad, row), room))
            return false;
    }
    return trvi_store_reserve(broad, limit);
}

trv_result trv_broad_restore(trv_broad *broad, const void *buffer, size_t size)
{
    if (broad == NULL || buffer == NULL)
        return TRV_ERROR_NULL;
    save_header header;
    trv_result result = check_save(buffer, size, &header);
    if (result != TRV_OK)
        return result;
    if (!reserve_saved(broad, &header))
        return TRV_ERROR_MEMORY;
    const char *from = (const char *)buffer + sizeof header;
    for (uint32_t i = 0; i < FIELD_COUNT; i++) {
        memcpy((char *)broad + fields[i].offset, from, fields[i].size);
        from += fields[i].size;
    }
    for (uint32_t row = 0; row < ARRAY_COUNT; row++) {
        trvi_array *array = array_at(broad, row);
        size_t bytes = (size_t)header.counts[row] * arrays[row].stride;
        if (bytes > 0)
            memcpy(array->items, from, bytes);
        array->count = header.counts[row];
        from += bytes;
    }
    broad->proxy_room = broad->dead_count = broad->changed_lately = 0;
    for (uint32_t dead = broad->first_dead; dead != 0; dead = trvi_homes(broad)[dead])
        broad->dead_count++;
    return TRV_OK;
}
