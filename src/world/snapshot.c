// Saves of a world in memory, for rolling back: arrays are copied as they lie, one copy each way.
//
// A save is a header, the plain fields, the arrays of state, the contacts, and the broadphase's own
// save. Contacts go in runs: those without points leave out all that describes points, which is two
// thirds of them, and those with points are copied as they stand, many at once.
// The header holds a sum over all that follows but the broadphase's part, which has its own: so a
// damaged save is refused before anything changes, and what passes is what this very program wrote.
// What a save cannot vouch for is checked apart: that it is of this world, and that the hulls its
// shapes point to are held still (holds.c).
//
// Invariant: every part begins at a multiple of eight bytes, with zeros in the gaps.
#include "bytes.h"
#include "fields.h"

// The arrays that are copied whole: those of the list of fields, and what bodies and shapes are
// made of.
enum { BODIES = TRVI_STATE_ARRAYS, SHAPES, MOBILES, TRAITS, FREE_TRAITS, TRAIT_LISTS, COPIED };

static trvi_array *copied_at(trv_world *world, uint32_t index)
{
    if (index < TRVI_STATE_ARRAYS)
        return trvi_state_array_at(world, index);
    trvi_array *const arrays[] = {&world->bodies.items, &world->shapes.items, &world->mobiles,
                                  &world->traits.items, &world->traits.free,  &world->trait_lists};
    return arrays[index - TRVI_STATE_ARRAYS];
}

typedef struct save_header {
    char name[8];
    uint32_t version;
    uint32_t layout; // tells programs apart whose structs differ
    uint64_t size;   // of all
    uint64_t sum;    // of what follows, but for the broadphase's part
} save_header;

typedef struct save_table {
    uint64_t world; // its address; never followed
    uint64_t holds; // made before
    uint64_t broad_size;
    uint32_t tag;
    uint32_t hull_shapes;
    uint32_t contacts;
    uint32_t sensors;
    uint32_t counts[COPIED];
    trv_world_counters counters;
} save_table;

// Contacts of one kind that follow one another, and of how much of them.
typedef enum run_kind { RUN_DEAD, RUN_HEADS, RUN_WHOLE } run_kind;

typedef struct contact_run {
    run_kind kind;
    uint32_t count;
} contact_run;

enum {
    VERSION = 4,
    LAYOUT = (int)(sizeof(trvi_body) + 64 * sizeof(trvi_mobile) + 4096 * sizeof(trvi_shape) +
                   sizeof(trvi_trait)) ^
             (int)(sizeof(trvi_contact) * 65536 + sizeof(trv_world)),
    CONTACT_HEAD = offsetof(trvi_contact, normal_local),
    SUM_CHUNK = 1 << 15, // bytes that are summed while the copy has them at hand
    MOST_IN_RUN = SUM_CHUNK / (int)sizeof(trvi_contact)
};

static const char save_name[8] = {'t', 'r', 'v', 'w', 'o', 'r', 'l', 'd'};

static size_t rounded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

// Writing -----------------------------------------------------------------------------------------

typedef struct writer {
    char *at;
    char *summed; // up to here
    trvi_sum sum;
} writer;

static void sum_chunk(writer *to, size_t least)
{
    size_t size = (size_t)(to->at - to->summed);
    if (size >= least)
        to->summed += trvi_sum_add(&to->sum, to->summed, size);
}

static void put(writer *to, const void *items, size_t size)
{
    const char *from = items;
    for (size_t done = 0; done < size;) {
        size_t part = size - done < SUM_CHUNK ? size - done : SUM_CHUNK;
        memcpy(to->at, from + done, part);
        to->at += part;
        done += part;
        sum_chunk(to, SUM_CHUNK);
    }
    size_t gap = rounded(size) - size;
    if (gap > 0)
        memset(to->at, 0, gap);
    to->at += gap;
}

static const trvi_record_kind plain_records[2] = {TRVI_RECORD_WORLD, TRVI_RECORD_TOLD};

static size_t plain_size(void)
{
    return rounded(trvi_record_of(plain_records[0]).size) +
           rounded(trvi_record_of(plain_records[1]).size);
}

static char *put_record(char *to, trvi_record_kind kind, const trv_world *world)
{
    const trvi_record record = trvi_record_of(kind);
    char *at = to;
    memset(at, 0, rounded(record.size));
    for (uint32_t i = 0; i < record.field_count; i++) {
        const trvi_field *field = &record.fields[i];
        memcpy(at, (const char *)world + field->offset, (size_t)field->width * field->count);
        at += (size_t)field->width * field->count;
    }
    return to + rounded(record.size);
}

static void put_plain(writer *to, const trv_world *world)
{
    for (int k = 0; k < 2; k++)
        to->at = put_record(to->at, plain_records[k], world);
}

static run_kind kind_of(const trvi_contact *contact)
{
    if (!(contact->flags & TRVI_CONTACT_LIVE))
        return RUN_DEAD;
    return contact->manifold.count > 0 ? RUN_WHOLE : RUN_HEADS;
}

static size_t size_of_run(contact_run run)
{
    const size_t each[] = {0, CONTACT_HEAD, sizeof(trvi_contact)};
    return rounded(run.count * each[run.kind]);
}

// The run that begins with a contact.
static contact_run find_run(const trvi_contact *first, uint32_t left)
{
    contact_run run = {kind_of(first), 1};
    uint32_t most = left < MOST_IN_RUN ? left : MOST_IN_RUN;
    while (run.count < most && kind_of(&first[run.count]) == run.kind)
        run.count++;
    return run;
}

static void put_contacts(writer *to, const trv_world *world)
{
    const trvi_contact *contacts = trvi_contacts(world);
    contact_run run;
    for (uint32_t i = 0; i < world->contacts.count; i += run.count) {
        run = find_run(&contacts[i], world->contacts.count - i);
        memcpy(to->at, &run, sizeof run);
        char *at = to->at + sizeof run;
        to->at = at + size_of_run(run);
        if (run.kind == RUN_WHOLE) // with the marks of the last step's active ones
            memcpy(at, &contacts[i], run.count * sizeof(trvi_contact));
        if (run.kind == RUN_HEADS) {
            for (uint32_t k = 0; k < run.count; k++)
                memcpy(at + (size_t)k * CONTACT_HEAD, &contacts[i + k], CONTACT_HEAD);
            memset(at + (size_t)run.count * CONTACT_HEAD, 0,
                   size_of_run(run) - (size_t)run.count * CONTACT_HEAD);
        }
        sum_chunk(to, SUM_CHUNK);
    }
}

static save_table make_table(const trv_world *world, size_t broad_size)
{
    save_table table;
    memset(&table, 0, sizeof table);
    table.world = (uint64_t)(uintptr_t)world;
    table.holds = world->holds;
    table.broad_size = broad_size;
    table.tag = world->tag;
    table.hull_shapes = world->hull_shapes;
    table.contacts = world->contacts.count;
    table.sensors = world->sensors;
    for (uint32_t k = 0; k < COPIED; k++)
        table.counts[k] = copied_at((trv_world *)world, k)->count;
    table.counters = world->counters;
    return table;
}

size_t trv_world_save_size(const trv_world *world)
{
    if (world == NULL)
        return 0;
    size_t size = sizeof(save_header) + rounded(sizeof(save_table)) + plain_size();
    for (uint32_t k = 0; k < COPIED; k++) {
        const trvi_array *array = copied_at((trv_world *)world, k);
        size += rounded((size_t)array->count * array->stride);
    }
    size += world->contacts.count * (sizeof(contact_run) + rounded(sizeof(trvi_contact)));
    return size + trv_broad_save_size(world->broad);
}

trv_result trv_world_save(trv_world *world, void *buffer, size_t capacity, size_t *size)
{
    if (size == NULL)
        return TRV_ERROR_NULL;
    *size = 0;
    if (world == NULL || buffer == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    trvi_resume_drop(world);
    if (capacity < trv_world_save_size(world))
        return TRV_ERROR_RANGE;
    save_header header = {.version = VERSION, .layout = LAYOUT};
    memcpy(header.name, save_name, sizeof save_name);
    char *first = (char *)buffer + sizeof header;
    writer to = {first, first, {{0}, {0}}};
    save_table table = make_table(world, trv_broad_save_size(world->broad));
    put(&to, &table, sizeof table);
    put_plain(&to, world);
    for (uint32_t k = 0; k < COPIED; k++) {
        const trvi_array *array = copied_at(world, k);
        put(&to, array->items, (size_t)array->count * array->stride);
    }
    put_contacts(&to, world);
    header.sum = trvi_sum_end(to.sum, to.summed, (size_t)(to.at - to.summed));
    size_t broad_size;
    trv_result result = trv_broad_save(world->broad, to.at,
                                       capacity - (size_t)(to.at - (char *)buffer), &broad_size);
    if (result != TRV_OK)
        return result;
    header.size = (uint64_t)(to.at - (char *)buffer) + broad_size;
    memcpy(buffer, &header, sizeof header);
    trvi_holds_saved(world);
    *size = (size_t)header.size;
    return TRV_OK;
}

// Reading -----------------------------------------------------------------------------------------

// Where the parts of a save lie.
typedef struct save_parts {
    const char *plain;
    const char *items[COPIED];
    const char *contacts;
    const char *broad;
} save_parts;

static uint64_t sum_of(const char *bytes, size_t size)
{
    trvi_sum sum = {{0}, {0}};
    return trvi_sum_end(sum, bytes, size);
}

// The sum as it was made: the last stride begins where the last chunk that was summed ended, which
// is at a multiple of the stride in any case.
static trv_result check_bytes(const char *bytes, size_t size, save_table *table)
{
    save_header header;
    if (size < sizeof header + rounded(sizeof *table))
        return TRV_ERROR_KIND;
    memcpy(&header, bytes, sizeof header);
    if (memcmp(header.name, save_name, sizeof save_name) != 0 || header.version != VERSION ||
        header.layout != (uint32_t)LAYOUT)
        return TRV_ERROR_KIND;
    memcpy(table, bytes + sizeof header, sizeof *table);
    if (header.size != size || table->broad_size > size - sizeof header - sizeof *table)
        return TRV_ERROR_RANGE;
    size_t own = size - sizeof header - (size_t)table->broad_size;
    return sum_of(bytes + sizeof header, own) == header.sum ? TRV_OK : TRV_ERROR_RANGE;
}

static save_parts find_parts(const trv_world *world, const char *bytes, size_t size,
                             const save_table *table)
{
    save_parts parts;
    parts.plain = bytes + sizeof(save_header) + rounded(sizeof *table);
    const char *at = parts.plain + plain_size();
    for (uint32_t k = 0; k < COPIED; k++) {
        parts.items[k] = at;
        at += rounded((size_t)table->counts[k] * copied_at((trv_world *)world, k)->stride);
    }
    parts.contacts = at;
    parts.broad = bytes + size - table->broad_size;
    return parts;
}

// Room for the save, and for all that may come of it without an allocation.
static bool reserve(trv_world *world, const save_table *table)
{
    const trv_allocator *allocator = &world->allocator;
    for (uint32_t k = 0; k < COPIED; k++)
        if (!trvi_array_reserve(allocator, copied_at(world, k), table->counts[k]))
            return false;
    return trvi_world_reserve(world, table->contacts, table->counts[TRVI_STATE_ENDS],
                              table->counts[TRVI_STATE_SENSOR_ENDS], table->sensors);
}

static const char *get_record(trv_world *world, trvi_record_kind kind, const char *from)
{
    const trvi_record record = trvi_record_of(kind);
    const char *at = from;
    for (uint32_t i = 0; i < record.field_count; i++) {
        const trvi_field *field = &record.fields[i];
        memcpy((char *)world + field->offset, at, (size_t)field->width * field->count);
        at += (size_t)field->width * field->count;
    }
    return from + rounded(record.size);
}

static void get_plain(trv_world *world, const char *from)
{
    for (int k = 0; k < 2; k++)
        from = get_record(world, plain_records[k], from);
}

// Places beyond the new count are zero, as if they had never been used.
static void set_count(trvi_array *array, uint32_t count)
{
    if (count < array->count)
        memset((char *)array->items + (size_t)count * array->stride, 0,
               (size_t)(array->count - count) * array->stride);
    array->count = count;
}

static void get_head(trvi_contact *contact, const char *from)
{
#if defined(TRVI_ASSERTS)
    memset(contact, 0xff, sizeof *contact); // NaN in all that nothing may read
#endif
    memcpy(contact, from, CONTACT_HEAD);
    contact->manifold.count = 0;
}

static void get_contacts(trv_world *world, const char *from, uint32_t count)
{
    set_count(&world->contacts, count);
    contact_run run;
    for (uint32_t i = 0; i < count; i += run.count) {
        trvi_contact *first = trvi_contacts(world) + i;
        memcpy(&run, from, sizeof run);
        from += sizeof run;
        if (run.kind == RUN_WHOLE)
            memcpy(first, from, run.count * sizeof *first);
        for (uint32_t k = 0; k < run.count; k++) {
            if (run.kind == RUN_HEADS)
                get_head(&first[k], from + (size_t)k * CONTACT_HEAD);
            else if (run.kind == RUN_DEAD)
                first[k].flags = 0;
            first[k].flags &= ~(uint32_t)TRVI_CONTACT_ACTIVE;
        }
        from += size_of_run(run);
    }
}

// Everything that may be wrong with a save, and all that may fail, before anything changes.
static trv_result check_save(trv_world *world, const char *bytes, size_t size, save_table *table)
{
    trv_result result = check_bytes(bytes, size, table);
    if (result != TRV_OK)
        return result;
    if (table->world != (uint64_t)(uintptr_t)world || table->tag != world->tag ||
        table->holds > world->holds)
        return TRV_ERROR_FOREIGN;
    if (table->counts[BODIES] > world->bodies.limit || table->counts[SHAPES] > world->shapes.limit)
        return TRV_ERROR_LIMIT;
    save_parts parts = find_parts(world, bytes, size, table);
    if (table->hull_shapes > 0 &&
        !trvi_holds_known(world, parts.items[SHAPES], table->counts[SHAPES]))
        return TRV_ERROR_STALE;
    return reserve(world, table) ? TRV_OK : TRV_ERROR_MEMORY;
}

trv_result trv_world_restore(trv_world *world, const void *buffer, size_t size)
{
    if (world == NULL || buffer == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    save_table table;
    trv_result result = check_save(world, buffer, size, &table);
    if (result != TRV_OK)
        return result;
    save_parts parts = find_parts(world, buffer, size, &table);
    result = trv_broad_restore(world->broad, parts.broad, (size_t)table.broad_size);
    if (result != TRV_OK)
        return result;
    // From here on nothing fails.
    if (table.hull_shapes > 0 || world->hull_shapes > 0)
        trvi_holds_restore(world, parts.items[SHAPES], table.counts[SHAPES]);
    get_plain(world, parts.plain);
    for (uint32_t k = 0; k < COPIED; k++) {
        trvi_array *array = copied_at(world, k);
        set_count(array, table.counts[k]);
        if (table.counts[k] > 0)
            memcpy(array->items, parts.items[k], (size_t)table.counts[k] * array->stride);
    }
    get_contacts(world, parts.contacts, table.contacts);
    world->active.count = 0;
    world->resume = TRVI_RESUME_NOTHING;
    world->counters = table.counters;
    return TRV_OK;
}
