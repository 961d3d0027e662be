// Saves of a world in memory, for rolling back.
//
// A save is a header, a table, the plain fields, lists of the contacts, the contacts (save_contacts.c),
// the arrays of state, and the broadphase's own save. The arrays are packed: bodies that are alike
// differ in a few words (math/pack.h). The world's workers take chunks of the contacts, one of them
// all else; where each part stands hangs on nothing but the state.
// The header holds a sum over what stands in front of the contacts, the lists there one for each
// chunk, and the table one over the rest but the broadphase's part, which has its own: so a damaged
// save is refused before anything changes, and what passes is what this very program wrote. To read
// the contacts once is enough: they are copied to spare room and summed on the way, and that room
// becomes the world's when all is well.
// What a save cannot vouch for is checked apart: that it is of this world, and that the hulls its
// shapes point to are held still (holds.c).
//
// Invariant: every part begins at a multiple of TRVI_SUM_STRIDE bytes, with zeros in the gaps.
#include "fields.h"
#include "save_contacts.h"

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
    uint64_t sum;    // of what stands in front of the contacts
} save_header;

typedef struct save_table {
    uint64_t world; // its address; never followed
    uint64_t holds; // made before
    uint64_t broad_size;
    uint64_t sum; // of the arrays, and the broadphase's first bytes, which hold its own sum
    uint32_t tag;
    uint32_t hull_shapes;
    uint32_t contacts;
    uint32_t sensors;
    uint32_t counts[COPIED];
    trv_world_counters counters;
} save_table;

enum {
    VERSION = 14,
    CHUNKS_EACH = 4, // to a worker at once: some tens of microseconds

    LAYOUT = (int)(sizeof(trvi_body) + 64 * sizeof(trvi_mobile) + 4096 * sizeof(trvi_shape) +
                   sizeof(trvi_trait)) ^
             (int)(sizeof(trvi_contact) * 65536 + sizeof(trv_world))
};

static save_header begin_header(void)
{
    return (save_header){.name = {'t', 'r', 'v', 'w', 'o', 'r', 'l', 'd'},
                         .version = VERSION,
                         .layout = (uint32_t)LAYOUT};
}

// Shapes are looked at before they are taken, where hulls are among them.
static bool is_packed(uint32_t array, uint32_t hull_shapes)
{
    return array != SHAPES || hull_shapes == 0;
}

static uint64_t sum_of(const char *bytes, size_t size)
{
    trvi_sum sum = {{0}, {0}};
    return trvi_sum_end(sum, bytes, size);
}

// The sum of the arrays, with that of the broadphase's part.
static uint64_t joined(uint64_t own, const char *broad)
{
    return own + 3 * sum_of(broad, TRVI_SUM_STRIDE);
}

// Writing -----------------------------------------------------------------------------------------

// Puts something that is followed by zeros up to where the next part begins.
static void put(trvi_writer *to, const void *bytes, size_t size)
{
    const char *first = to->at;
    trvi_writer_put(to, bytes, size);
    trvi_writer_align(to, first);
}

static const trvi_record_kind plain_records[2] = {TRVI_RECORD_WORLD, TRVI_RECORD_TOLD};

static size_t plain_size(void)
{
    return trvi_save_rounded(trvi_record_of(plain_records[0]).size) +
           trvi_save_rounded(trvi_record_of(plain_records[1]).size);
}

static char *put_record(char *to, trvi_record_kind kind, const trv_world *world)
{
    const trvi_record record = trvi_record_of(kind);
    char *at = to;
    memset(at, 0, trvi_save_rounded(record.size));
    for (uint32_t i = 0; i < record.field_count; i++) {
        const trvi_field *field = &record.fields[i];
        memcpy(at, (const char *)world + field->offset, (size_t)field->width * field->count);
        at += (size_t)field->width * field->count;
    }
    return to + trvi_save_rounded(record.size);
}

static char *put_plain(char *to, const trv_world *world)
{
    for (int k = 0; k < 2; k++)
        to = put_record(to, plain_records[k], world);
    return to;
}

static size_t size_of_array(const trvi_array *array)
{
    return (size_t)array->count * array->stride;
}

// What is looked at before it is taken comes first, as it stands.
static void put_arrays(trvi_writer *to, trv_world *world)
{
    trvi_packing packing;
    trvi_packing_begin(&packing);
    for (uint32_t k = 0; k < COPIED; k++)
        if (!is_packed(k, world->hull_shapes))
            put(to, copied_at(world, k)->items, size_of_array(copied_at(world, k)));
    for (uint32_t k = 0; k < COPIED; k++) {
        const trvi_array *array = copied_at(world, k);
        if (is_packed(k, world->hull_shapes))
            trvi_pack(&packing, to, array->items, size_of_array(array), array->stride);
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
    size_t size = sizeof(save_header) + trvi_save_rounded(sizeof(save_table)) + plain_size();
    for (uint32_t k = 0; k < COPIED; k++) {
        const trvi_array *array = copied_at((trv_world *)world, k);
        size += trvi_pack_most((size_t)array->count * array->stride);
    }
    size += trvi_contact_lists_size(world->contacts.count);
    size += trvi_contacts_most(world->contacts.count);
    if (world->resume == TRVI_RESUME_PAIRS) // to save drops it, and all proxies are to be looked at
        size += trvi_broad_live_count(world->broad) * sizeof(uint32_t);
    return size + trv_broad_save_size(world->broad);
}

// A save that is being made.
typedef struct saving {
    trv_world *world;
    trvi_saved_contacts contacts;
    char *arrays;
    const char *end; // of the buffer
    // Of what stands behind the contacts.
    char *broad;
    size_t broad_size;
    uint64_t sum;
    trv_result result;
} saving;

static void put_rest(saving *s)
{
    trvi_writer to = trvi_writer_begin(s->arrays, false);
    put_arrays(&to, s->world);
    uint64_t sum = trvi_writer_end(&to);
    s->broad = to.at;
    s->result =
        trv_broad_save(s->world->broad, s->broad, (size_t)(s->end - s->broad), &s->broad_size);
    if (s->result == TRV_OK)
        s->sum = joined(sum, s->broad);
}

static void measure_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const saving *s = context;
    for (uint32_t i = first; i < last; i++)
        trvi_measure_chunk(s->world, &s->contacts, i);
}

// What stands behind the contacts is as much as many chunks, and comes first.
static void put_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    saving *s = context;
    for (uint32_t i = first; i < last; i++) {
        if (i == 0)
            put_rest(s);
        else
            trvi_put_chunk(s->world, &s->contacts, i - 1);
    }
}

// One worker need not know before how much there is.
static void put_alone(saving *s, uint32_t chunks)
{
    size_t at = 0;
    for (uint32_t i = 0; i < chunks; i++) {
        trvi_place_chunk(&s->contacts, i, at);
        at += trvi_put_chunk(s->world, &s->contacts, i);
    }
    s->arrays = s->contacts.contacts + at;
    put_rest(s);
}

static void put_all(saving *s)
{
    const trv_workers *workers = &s->world->workers;
    uint32_t chunks = trvi_chunks_of(s->contacts.count);
    if (workers->parallel_for == NULL || workers->count <= 1) {
        put_alone(s, chunks);
        return;
    }
    trvi_parallel_for(workers, chunks, CHUNKS_EACH, measure_range, s);
    size_t at = 0;
    for (uint32_t i = 0; i < chunks; i++)
        at = trvi_place_chunk(&s->contacts, i, at);
    s->arrays = s->contacts.contacts + at;
    trvi_parallel_for(workers, chunks + 1, CHUNKS_EACH, put_range, s);
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
    save_header header = begin_header();
    saving s = {.world = world, .end = (const char *)buffer + capacity};
    uint32_t count = world->contacts.count;
    char *first = (char *)buffer + sizeof header;
    char *lists = put_plain(first + trvi_save_rounded(sizeof(save_table)), world);
    s.contacts = (trvi_saved_contacts){count, lists, lists + trvi_contact_lists_size(count)};
    memset(lists, 0, trvi_contact_lists_size(count));
    put_all(&s);
    world->active.count = 0; // no contact is, now
    if (s.result != TRV_OK)
        return s.result;
    save_table table = make_table(world, s.broad_size);
    table.sum = s.sum;
    memset(first, 0, trvi_save_rounded(sizeof table));
    memcpy(first, &table, sizeof table);
    header.sum = sum_of(first, (size_t)(s.contacts.contacts - first));
    header.size = (uint64_t)(s.broad - (char *)buffer) + s.broad_size;
    memcpy(buffer, &header, sizeof header);
    trvi_holds_saved(world);
    *size = (size_t)header.size;
    return TRV_OK;
}

// Reading -----------------------------------------------------------------------------------------

// Where the parts of a save begin, each after the one before.
typedef struct save_places {
    const char *plain;
    trvi_saved_contacts contacts;
    const char *arrays, *broad;
} save_places;

// False where the parts do not add up to `size`.
static bool find_places(const char *bytes, size_t size, const save_table *table,
                        save_places *places)
{
    places->plain = bytes + sizeof(save_header) + trvi_save_rounded(sizeof *table);
    char *lists = (char *)places->plain + plain_size(); // nothing is written there
    char *contacts = lists + trvi_contact_lists_size(table->contacts);
    places->contacts = (trvi_saved_contacts){table->contacts, lists, contacts};
    places->broad = bytes + size - (size_t)table->broad_size;
    size_t own = (size_t)(places->broad - contacts);
    size_t of_contacts = trvi_saved_contacts_size(&places->contacts);
    if (of_contacts > own || own % TRVI_SUM_STRIDE != 0)
        return false;
    places->arrays = contacts + of_contacts;
    return true;
}

// Up to the contacts; the rest is checked by take_contacts.
static trv_result check_lists(const char *bytes, size_t size, save_table *table,
                              save_places *places)
{
    save_header header = begin_header();
    trv_result result = trvi_check_start(bytes, size, &header, offsetof(save_header, size),
                                         sizeof header + trvi_save_rounded(sizeof *table));
    if (result != TRV_OK)
        return result;
    memcpy(&header, bytes, sizeof header);
    memcpy(table, bytes + sizeof header, sizeof *table);
    size_t lists =
        trvi_save_rounded(sizeof *table) + plain_size() + trvi_contact_lists_size(table->contacts);
    size_t own = size - sizeof header;
    if (header.size != size || lists > own || table->broad_size > own - lists ||
        table->broad_size < TRVI_SUM_STRIDE || sum_of(bytes + sizeof header, lists) != header.sum)
        return TRV_ERROR_RANGE;
    return find_places(bytes, size, table, places) ? TRV_OK : TRV_ERROR_RANGE;
}

// Room for the save, and for all that may come of it without an allocation.
static bool reserve(trv_world *world, const save_table *table)
{
    const trv_allocator *allocator = &world->allocator;
    for (uint32_t k = 0; k < COPIED; k++)
        if (!trvi_array_reserve(allocator, copied_at(world, k), table->counts[k]))
            return false;
    return trvi_world_reserve(world, table->contacts, table->counts[TRVI_STATE_ENDS],
                              table->counts[TRVI_STATE_SENSOR_ENDS], table->sensors) &&
           trvi_array_reserve_just(allocator, &world->spare_contacts, world->contacts.capacity);
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
    return from + trvi_save_rounded(record.size);
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

// A save that is being looked through, chunk by chunk; what a worker has found to be damaged.
typedef struct reading {
    trv_world *world;
    const save_table *table;
    const save_places *places;
    bool damaged[TRVI_WORKERS_MAX];
} reading;

static bool are_arrays_sound(const reading *r)
{
    const save_places *places = r->places;
    size_t size = (size_t)(places->broad - places->arrays);
    return joined(sum_of(places->arrays, size), places->broad) == r->table->sum;
}

static void get_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    reading *r = context;
    for (uint32_t i = first; i < last; i++) {
        bool sound =
            i == 0 ? are_arrays_sound(r) : trvi_get_chunk(r->world, &r->places->contacts, i - 1);
        if (!sound)
            r->damaged[worker] = true;
    }
}

// Into the spare room; false where the save is damaged.
static bool take_contacts(trv_world *world, const save_table *table, const save_places *places)
{
    reading r = {.world = world, .table = table, .places = places};
    set_count(&world->spare_contacts, table->contacts);
    trvi_parallel_for(&world->workers, trvi_chunks_of(table->contacts) + 1, CHUNKS_EACH, get_range,
                      &r);
    for (uint32_t i = 0; i < TRVI_WORKERS_MAX; i++)
        if (r.damaged[i])
            return false;
    return true;
}

static void use_contacts(trv_world *world)
{
    trvi_array before = world->contacts;
    world->contacts = world->spare_contacts;
    world->spare_contacts = before;
    world->active.count = 0;
}

static void get_arrays(trv_world *world, const save_table *table, const char *from)
{
    trvi_packing packing;
    trvi_packing_begin(&packing);
    for (uint32_t k = 0; k < COPIED; k++) {
        trvi_array *array = copied_at(world, k);
        set_count(array, table->counts[k]);
        if (is_packed(k, table->hull_shapes))
            continue;
        memcpy(array->items, from, size_of_array(array));
        from += trvi_save_rounded(size_of_array(array));
    }
    for (uint32_t k = 0; k < COPIED; k++) {
        const trvi_array *array = copied_at(world, k);
        if (is_packed(k, table->hull_shapes))
            from = trvi_unpack(&packing, array->items, size_of_array(array), array->stride, from);
    }
}

// Everything that may be wrong with a save, and all that may fail, before anything changes. Shapes
// with hulls among them stand first of the arrays.
static trv_result check_save(trv_world *world, const char *bytes, size_t size, save_table *table,
                             save_places *places)
{
    trv_result result = check_lists(bytes, size, table, places);
    if (result != TRV_OK)
        return result;
    if (table->world != (uint64_t)(uintptr_t)world || table->tag != world->tag ||
        table->holds > world->holds)
        return TRV_ERROR_FOREIGN;
    if (table->counts[BODIES] > world->bodies.limit || table->counts[SHAPES] > world->shapes.limit)
        return TRV_ERROR_LIMIT;
    if (!reserve(world, table))
        return TRV_ERROR_MEMORY;
    if (!take_contacts(world, table, places))
        return TRV_ERROR_RANGE;
    if (table->hull_shapes > 0 && !trvi_holds_known(world, places->arrays, table->counts[SHAPES]))
        return TRV_ERROR_STALE;
    return trv_broad_restore(world->broad, places->broad, (size_t)table->broad_size);
}

static trv_result restore(trv_world *world, const char *bytes, size_t size)
{
    save_table table;
    save_places places;
    trv_result result = check_save(world, bytes, size, &table, &places);
    if (result != TRV_OK)
        return result;
    // From here on nothing fails.
    if (table.hull_shapes > 0 || world->hull_shapes > 0)
        trvi_holds_restore(world, places.arrays, table.hull_shapes > 0 ? table.counts[SHAPES] : 0);
    get_plain(world, places.plain);
    get_arrays(world, &table, places.arrays);
    use_contacts(world);
    world->resume = TRVI_RESUME_NOTHING;
    world->counters = table.counters;
    return TRV_OK;
}

trv_result trv_world_restore(trv_world *world, const void *buffer, size_t size)
{
    if (world == NULL || buffer == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    uint64_t found = trvi_floating_begin();
    trv_result result = restore(world, buffer, size);
    trvi_floating_end(found);
    return result;
}
