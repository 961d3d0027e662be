// What a broadphase is made of, in one table: by it the arrays get their strides, grow with the
// proxies, are released, saved and restored.
//
// A saved broadphase is a header, the plain fields, and the items of each array that is state, one
// after the other, as they lie in memory; nothing in them is a pointer. The header holds a sum
// over all that follows it, so that a damaged save is refused before anything changes.
//
// Invariant: each array and each plain field of trv_broad is in the tables, but for the hooks and
// the kernels. What an update writes before it reads it is scratch, and not saved; nor is the back
// half of what alternates.
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

typedef struct array_row {
    size_t offset;
    uint32_t stride;
    item_rule rule;
} array_row;

typedef struct field_row {
    size_t offset, size;
} field_row;

#define ARRAY(name, type, rule)                                                                    \
    {                                                                                              \
        offsetof(trv_broad, name), sizeof(type), rule                                              \
    }
#define FIELD(name)                                                                                \
    {                                                                                              \
        offsetof(trv_broad, name), sizeof(((trv_broad *)0)->name)                                  \
    }
#define PART(k, part_k) ARRAY(sets[k].part[part_k], float, OF_ENTRIES)
#define SET_ARRAYS(k)                                                                              \
    ARRAY(sets[k].start, uint32_t, OF_ENTRIES), ARRAY(sets[k].fill, uint32_t, OF_ENTRIES),         \
        PART(k, 0), PART(k, 1), PART(k, 2), PART(k, 3), PART(k, 4), PART(k, 5),                    \
        ARRAY(sets[k].reach, float, OF_ENTRIES), ARRAY(sets[k].tag, uint32_t, OF_ENTRIES),         \
        ARRAY(sets[k].mark, uint8_t, OF_ENTRIES), ARRAY(sets[k].dirty, uint32_t, OF_DIRTY)
#define SET_FIELDS(k)                                                                              \
    FIELD(sets[k].all_dirty), FIELD(sets[k].column_count), FIELD(sets[k].member_count),            \
        FIELD(sets[k].built_count), FIELD(sets[k].wear), FIELD(sets[k].grid),                      \
        FIELD(sets[k].bounds)

static const array_row arrays[] = {
    ARRAY(tight, trv_aabb, OF_MARGIN),
    ARRAY(fat, trv_aabb, OF_PROXIES),
    ARRAY(filter, trv_filter, OF_FILTERS),
    ARRAY(user, uint64_t, OF_PROXIES),
    ARRAY(generation, uint32_t, OF_PROXIES),
    ARRAY(home, uint32_t, OF_PROXIES),
    ARRAY(span, uint8_t, OF_PROXIES),
    ARRAY(state, uint8_t, OF_PROXIES),
    ARRAY(changed, uint32_t, OF_COUNT),
    SET_ARRAYS(0),
    SET_ARRAYS(1),
    ARRAY(lists[0].begun, trv_pair, OF_FRONT_0),
    ARRAY(lists[0].kept, trv_pair, OF_FRONT_0),
    ARRAY(lists[0].ended, trv_pair, OF_FRONT_0),
    ARRAY(lists[1].begun, trv_pair, OF_FRONT_1),
    ARRAY(lists[1].kept, trv_pair, OF_FRONT_1),
    ARRAY(lists[1].ended, trv_pair, OF_FRONT_1),
    ARRAY(quiet[0], trv_pair, OF_QUIET_0),
    ARRAY(quiet[1], trv_pair, OF_QUIET_1),
    ARRAY(free_slots, uint32_t, OF_ENTRIES),
    ARRAY(noted, uint64_t, OF_NOTHING),
    ARRAY(found, uint64_t, OF_NOTHING),
    ARRAY(keys[0], uint64_t, OF_NOTHING),
    ARRAY(keys[1], uint64_t, OF_NOTHING),
    ARRAY(counts, uint32_t, OF_NOTHING),
    ARRAY(members, uint32_t, OF_NOTHING),
    ARRAY(worker_keys, uint64_t, OF_NOTHING),
    ARRAY(unfinished, uint8_t, OF_NOTHING),
    ARRAY(scratch, uint32_t, OF_NOTHING),
};

static const field_row fields[] = {
    FIELD(margin),      FIELD(max_proxies), FIELD(max_pairs),   FIELD(proxy_limit),
    FIELD(live_count),  FIELD(has_filters), FIELD(moved_count), FIELD(is_torn),
    FIELD(only_moves),  SET_FIELDS(0),      SET_FIELDS(1),      FIELD(first_free),
    FIELD(first_dead),  FIELD(free_count),  FIELD(front),       FIELD(quiet_front),
    FIELD(quiet_stale), FIELD(slot_limit),
};

enum {
    ARRAY_COUNT = sizeof arrays / sizeof *arrays,
    FIELD_COUNT = sizeof fields / sizeof *fields,
    COUNT_COUNT = (ARRAY_COUNT + 7) / 8 * 8, // whole strides of the sum
    SAVE_VERSION = 4
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
    for (uint32_t row = 0; row < ARRAY_COUNT; row++) {
        item_rule rule = arrays[row].rule;
        bool grows = rule == OF_PROXIES || rule == OF_COUNT ||
                     (rule == OF_MARGIN && broad->margin > 0.0f) ||
                     (rule == OF_FILTERS && broad->has_filters);
        if (grows && !trvi_array_reserve(&broad->allocator, array_at(broad, row), limit))
            return false;
    }
    return true;
}

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

static save_header make_header(const trv_broad *broad)
{
    save_header header = {
        .name = {'t', 'r', 'v', 'b', 'r', 'o', 'a', 'd'},
        .version = SAVE_VERSION,
        .order = 0x01020304,
    };
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
    if (size < sizeof *header)
        return TRV_ERROR_KIND;
    memcpy(header, buffer, sizeof *header);
    const save_header wanted = {.name = {'t', 'r', 'v', 'b', 'r', 'o', 'a', 'd'}};
    if (memcmp(header->name, wanted.name, sizeof wanted.name) != 0 ||
        header->version != SAVE_VERSION || header->order != 0x01020304)
        return TRV_ERROR_KIND;
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
    return TRV_OK;
}
