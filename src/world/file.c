// The file form of a world: every field of the lists in fields.c, one after the other, and the
// hulls.
//
// It is a header, counts, the plain fields, bodies, shapes with their hulls, the lists, contacts,
// and the broadphase's numbers. A hull stands with the first shape that has it; later ones name
// that shape. Reading makes a second world, fills it, checks all its invariants, and only then
// trades places: so a file that is refused, for whatever reason, leaves the world as it was.
//
// Invariant: one function for each part, which writes or reads it as its stream goes.
#include "stream.h"

enum { VERSION = 10, HEADER_SIZE = 32 };

// Tells which shapes share a hull: for the shapes with hulls, in order, the first that has it.
typedef struct sharing {
    trvi_entry *entries; // key: shape, value: the first one with its hull
    uint32_t count;
    uint32_t next; // the first that has not been asked for
} sharing;

static trv_result find_sharing(const trv_world *world, sharing *found)
{
    memset(found, 0, sizeof *found);
    if (world->hull_shapes == 0)
        return TRV_OK;
    found->entries = trvi_allocate(&world->allocator, world->hull_shapes * sizeof(trvi_entry));
    if (found->entries == NULL)
        return TRV_ERROR_MEMORY;
    const trvi_shape *shapes = trvi_shapes(world);
    for (uint32_t i = 0; i < world->shapes.items.count; i++)
        if ((shapes[i].flags & TRVI_SHAPE_LIVE) && shapes[i].solid.kind == TRV_SHAPE_HULL)
            found->entries[found->count++] =
                (trvi_entry){(uint64_t)(uintptr_t)shapes[i].solid.as.hull, i, 0};
    trvi_sort_entries(found->entries, found->count);
    for (uint32_t first = 0, end; first < found->count; first = end) {
        uint32_t least = found->entries[first].value;
        for (end = first;
             end < found->count && found->entries[end].key == found->entries[first].key; end++)
            if (found->entries[end].value < least)
                least = found->entries[end].value;
        for (uint32_t i = first; i < end; i++)
            found->entries[i].extra = least;
    }
    for (uint32_t i = 0; i < found->count; i++)
        found->entries[i].key = found->entries[i].value;
    trvi_sort_entries(found->entries, found->count);
    return TRV_OK;
}

// Parts -------------------------------------------------------------------------------------------

// A count of things of at least `least` bytes each; 0 where there cannot be so many.
static uint32_t pass_count(trvi_stream *stream, uint32_t count, size_t least)
{
    trvi_stream_u32(stream, &count);
    if (stream->direction != TRVI_READ)
        return count;
    if (count > trvi_stream_left(stream) / least)
        trvi_stream_fail(stream, TRV_ERROR_RANGE);
    return stream->result == TRV_OK ? count : 0;
}

// Makes an array so long when reading. False where there is nothing to go on with.
static bool pass_length(trvi_stream *stream, const trv_world *world, trvi_array *array,
                        size_t least)
{
    uint32_t count = pass_count(stream, array->count, least);
    if (stream->direction == TRVI_READ && stream->result == TRV_OK) {
        if (trvi_array_reserve(&world->allocator, array, count))
            array->count = count;
        else
            trvi_stream_fail(stream, TRV_ERROR_MEMORY);
    }
    return stream->result == TRV_OK;
}

static void pass_mobile(trvi_stream *stream, trv_world *world, uint32_t index)
{
    const trvi_record record = trvi_record_of(TRVI_RECORD_MOBILE);
    const trvi_body *body = &trvi_bodies(world)[index];
    uint8_t has = body->mobile != TRVI_IMMOBILE;
    trvi_stream_numbers(stream, &has, 1, 1);
    if (has > 1 || (has == 0 && trvi_body_moves(body)))
        trvi_stream_fail(stream, TRV_ERROR_RANGE);
    if (has == 0 || stream->result != TRV_OK)
        return;
    if (stream->direction == TRVI_READ && !trvi_mobile_give(world, index)) {
        trvi_stream_fail(stream, TRV_ERROR_MEMORY);
        return;
    }
    trvi_stream_record(stream, &record, trvi_own_mobile(world, body), 0);
}

static void pass_bodies(trvi_stream *stream, trv_world *world)
{
    const trvi_record record = trvi_record_of(TRVI_RECORD_BODY);
    const trvi_record dead = trvi_record_of(TRVI_RECORD_DEAD_BODY);
    if (!pass_length(stream, world, &world->bodies.items, 1 + dead.size))
        return;
    for (uint32_t i = 0; i < world->bodies.items.count; i++) {
        trvi_body *body = &trvi_bodies(world)[i];
        uint8_t live = (body->flags & TRVI_BODY_LIVE) != 0;
        trvi_stream_numbers(stream, &live, 1, 1);
        if (live == 1) {
            trvi_stream_record(stream, &record, body, 0);
            pass_mobile(stream, world, i);
        } else {
            trvi_stream_record(stream, &dead, body, 0);
        }
        if (live > 1 || (live == 1) != ((body->flags & TRVI_BODY_LIVE) != 0))
            trvi_stream_fail(stream, TRV_ERROR_RANGE);
    }
}

static void read_hull(trvi_stream *stream, trv_world *world, uint32_t index, uint32_t same)
{
    trvi_shape *shape = &trvi_shapes(world)[index];
    const trv_hull *hull = NULL;
    if (same == index) {
        trvi_stream_hull(stream, &world->allocator, &hull);
    } else if (same < index) {
        const trvi_shape *first = &trvi_shapes(world)[same];
        if ((first->flags & TRVI_SHAPE_LIVE) && first->solid.kind == TRV_SHAPE_HULL)
            hull = first->solid.as.hull;
    }
    if (hull != NULL && same != index)
        trv_hull_retain(hull);
    if (hull == NULL || stream->result != TRV_OK || !trvi_hold_reserve(world, 1)) {
        trvi_stream_fail(stream, hull == NULL ? TRV_ERROR_RANGE : TRV_ERROR_MEMORY);
        trv_hull_release(hull);
        shape->solid.kind = TRV_SHAPE_SPHERE; // it has nothing to give back
        return;
    }
    shape->solid.as.hull = hull;
    trvi_hold(world, shape);
}

static void pass_solid(trvi_stream *stream, trv_world *world, uint32_t index, sharing *shared)
{
    trv_shape *solid = &trvi_shapes(world)[index].solid;
    uint32_t kind = (uint32_t)solid->kind;
    trvi_stream_u32(stream, &kind);
    solid->kind = (trv_shape_kind)kind;
    if (kind < TRV_SHAPE_SPHERE || kind > TRV_SHAPE_PLANE) {
        trvi_stream_fail(stream, TRV_ERROR_RANGE);
        solid->kind = TRV_SHAPE_SPHERE;
        return;
    }
    if (kind != TRV_SHAPE_HULL) {
        const trvi_record record = trvi_record_of(trvi_record_of_solid(solid->kind));
        trvi_stream_record(stream, &record, solid, 0);
        return;
    }
    uint32_t same = index;
    if (stream->direction != TRVI_READ)
        same = shared->entries[shared->next++].extra;
    trvi_stream_u32(stream, &same);
    if (stream->direction == TRVI_READ)
        read_hull(stream, world, index, same);
    else if (same == index)
        trvi_stream_hull(stream, &world->allocator, &solid->as.hull);
}

static void pass_trait(trvi_stream *stream, trv_world *world, trvi_shape *shape)
{
    const trvi_record record = trvi_record_of(TRVI_RECORD_TRAIT);
    if (stream->direction != TRVI_READ) {
        trvi_stream_record(stream, &record, (trvi_trait *)trvi_trait_of(world, shape), 0);
        return;
    }
    trvi_trait trait = {0};
    trvi_stream_record(stream, &record, &trait, 0);
    if (!trvi_trait_take(world, &trait.material, &trait.filter, &shape->trait))
        trvi_stream_fail(stream, TRV_ERROR_MEMORY);
}

static void pass_shapes(trvi_stream *stream, trv_world *world, sharing *shared)
{
    const trvi_record record = trvi_record_of(TRVI_RECORD_SHAPE);
    if (!pass_length(stream, world, &world->shapes.items, 3))
        return;
    for (uint32_t i = 0; i < world->shapes.items.count; i++) {
        trvi_shape *shape = &trvi_shapes(world)[i];
        uint8_t live = (shape->flags & TRVI_SHAPE_LIVE) != 0;
        trvi_stream_numbers(stream, &live, 1, 1);
        if (live != 1) {
            trvi_stream_numbers(stream, &shape->generation, 2, 1);
            continue;
        }
        trvi_stream_record(stream, &record, shape, 0);
        if (stream->result == TRV_OK && !(shape->flags & TRVI_SHAPE_LIVE))
            trvi_stream_fail(stream, TRV_ERROR_RANGE);
        pass_trait(stream, world, shape);
        if (stream->result != TRV_OK) {
            shape->flags = 0;
            return;
        }
        pass_solid(stream, world, i, shared);
    }
}

static void pass_contact(trvi_stream *stream, const trvi_record records[3], trvi_contact *contact)
{
    uint32_t flags = contact->flags & ~(uint32_t)TRVI_CONTACT_ACTIVE;
    trvi_stream_u32(stream, &flags);
    if (stream->direction == TRVI_READ)
        contact->flags = flags & ~(uint32_t)TRVI_CONTACT_ACTIVE;
    if (!(flags & TRVI_CONTACT_LIVE))
        return;
    trvi_stream_record(stream, &records[0], contact, 0);
    uint8_t count = (uint8_t)contact->manifold.count;
    trvi_stream_numbers(stream, &count, 1, 1);
    if (count > TRV_MANIFOLD_POINTS) {
        trvi_stream_fail(stream, TRV_ERROR_RANGE);
        return;
    }
    if (count > 0)
        trvi_stream_record(stream, &records[1], contact, 0);
    for (uint32_t p = 0; p < count; p++)
        trvi_stream_record(stream, &records[2], contact, p);
    if (contact->manifold.count != count)
        trvi_stream_fail(stream, TRV_ERROR_RANGE);
}

static void pass_contacts(trvi_stream *stream, trv_world *world)
{
    const trvi_record records[3] = {trvi_record_of(TRVI_RECORD_CONTACT),
                                    trvi_record_of(TRVI_RECORD_CONTACT_FACE),
                                    trvi_record_of(TRVI_RECORD_CONTACT_POINT)};
    if (!pass_length(stream, world, &world->contacts, 4))
        return;
    for (uint32_t i = 0; i < world->contacts.count; i++)
        pass_contact(stream, records, &trvi_contacts(world)[i]);
}

static void pass_lists(trvi_stream *stream, trv_world *world)
{
    for (uint32_t k = 0; k < TRVI_STATE_ARRAYS; k++) {
        const trvi_record record = trvi_record_of(trvi_state_arrays[k].record);
        trvi_array *array = trvi_state_array_at(world, k);
        if (!pass_length(stream, world, array, record.size))
            return;
        for (uint32_t i = 0; i < array->count; i++)
            trvi_stream_record(stream, &record, (char *)array->items + (size_t)i * array->stride,
                               0);
    }
    const trvi_record told = trvi_record_of(TRVI_RECORD_TOLD);
    trvi_stream_record(stream, &told, world, 0);
}

static void pass_numbers(void *context, void *items, uint32_t width, size_t count)
{
    trvi_stream_numbers(context, items, width, count);
}

static size_t bytes_left(void *context)
{
    return trvi_stream_left(context);
}

static void pass_broad(trvi_stream *stream, trv_world *world)
{
    const trvi_pass by = {stream->direction == TRVI_READ, pass_numbers, bytes_left, stream};
    if (stream->result != TRV_OK)
        return;
    trv_result result = trvi_broad_pass(world->broad, &by);
    if (result != TRV_OK)
        trvi_stream_fail(stream, result);
}

static void pass_world(trvi_stream *stream, trv_world *world, sharing *shared)
{
    const trvi_record plain = trvi_record_of(TRVI_RECORD_WORLD);
    trvi_stream_record(stream, &plain, world, 0);
    pass_bodies(stream, world);
    pass_shapes(stream, world, shared);
    pass_lists(stream, world);
    pass_contacts(stream, world);
    pass_broad(stream, world);
}

// Writing -----------------------------------------------------------------------------------------

// Writing changes nothing, though it goes the same way as reading.
static trv_result write_world(trvi_stream *stream, const trv_world *world)
{
    sharing shared;
    trv_result result = find_sharing(world, &shared);
    if (result != TRV_OK)
        return result;
    pass_world(stream, (trv_world *)world, &shared);
    trvi_free(&world->allocator, shared.entries, world->hull_shapes * sizeof(trvi_entry));
    return stream->result;
}

size_t trv_world_write_size(const trv_world *world)
{
    if (world == NULL || world->stepping)
        return 0;
    trvi_stream stream = {TRVI_MEASURE, TRV_OK, NULL, 0, 0};
    return write_world(&stream, world) == TRV_OK ? stream.at + HEADER_SIZE : 0;
}

// The numbers, size and sum, come last.
static void write_header(uint8_t bytes[HEADER_SIZE], uint64_t numbers[2])
{
    char name[8] = {'t', 'r', 'v', 'w', 'f', 'i', 'l', 'e'};
    uint32_t version = VERSION, reserved = 0;
    trvi_stream stream = {TRVI_WRITE, TRV_OK, bytes, 0, HEADER_SIZE};
    trvi_stream_bytes(&stream, name, sizeof name);
    trvi_stream_u32(&stream, &version);
    trvi_stream_u32(&stream, &reserved);
    trvi_stream_numbers(&stream, numbers, 8, 2);
}

// The sum of what follows the header, as if it were one row of little-endian words.
static uint64_t sum_of(const uint8_t *bytes, size_t size)
{
    trvi_sum sum = {{0}, {0}};
    return trvi_sum_end(sum, (const char *)bytes, size);
}

trv_result trv_world_write(const trv_world *world, void *buffer, size_t capacity, size_t *size)
{
    if (size == NULL)
        return TRV_ERROR_NULL;
    *size = 0;
    if (world == NULL || buffer == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    if (capacity < HEADER_SIZE)
        return TRV_ERROR_RANGE;
    uint8_t *bytes = buffer;
    trvi_stream stream = {TRVI_WRITE, TRV_OK, bytes + HEADER_SIZE, 0, capacity - HEADER_SIZE};
    trv_result result = write_world(&stream, world);
    if (result != TRV_OK)
        return result;
    uint64_t numbers[2] = {stream.at + HEADER_SIZE, sum_of(bytes + HEADER_SIZE, stream.at)};
    write_header(bytes, numbers);
    *size = stream.at + HEADER_SIZE;
    return TRV_OK;
}

// Reading -----------------------------------------------------------------------------------------

// An empty world with the hooks, the tag and the limits of another.
static trv_result make_twin(const trv_world *world, trv_world **twin)
{
    trv_world_def def = trv_default_world_def();
    def.tag = world->tag;
    def.max_bodies = world->bodies.limit;
    def.max_shapes = world->shapes.limit;
    def.max_contacts = world->max_contacts;
    def.kept_saves = world->kept_saves;
    def.pre_solve = world->pre_solve;
    def.clock = world->clock;
    def.allocator = world->allocator;
    def.log = world->log;
    def.workers = world->workers;
    trv_result result = trv_world_create(&def, twin);
    if (result != TRV_OK)
        return result;
    (*twin)->holds = world->holds; // names of references are never used again
    (*twin)->saves = world->saves;
    (*twin)->saved_holds = world->saved_holds;
    return TRV_OK;
}

// Ids in events are of this world from now on.
static void stamp_touches(trvi_array *events, uint16_t tag)
{
    trv_touch_event *items = events->items;
    for (uint32_t i = 0; i < events->count; i++) {
        items[i].shape_a.world = items[i].shape_b.world = tag;
        items[i].body_a.world = items[i].body_b.world = tag;
    }
}

static void stamp_sensors(trvi_array *events, uint16_t tag)
{
    trv_sensor_event *items = events->items;
    for (uint32_t i = 0; i < events->count; i++) {
        items[i].sensor.world = items[i].visitor.world = tag;
        items[i].sensor_body.world = items[i].visitor_body.world = tag;
    }
}

static void stamp_sleeps(trvi_array *events, uint16_t tag)
{
    trv_sleep_event *items = events->items;
    for (uint32_t i = 0; i < events->count; i++)
        items[i].body.world = tag;
}

static void stamp_events(trv_world *world)
{
    stamp_touches(&world->begins, world->tag);
    stamp_touches(&world->ends, world->tag);
    stamp_sensors(&world->sensor_begins, world->tag);
    stamp_sensors(&world->sensor_ends, world->tag);
    stamp_sleeps(&world->sleeps, world->tag);
    stamp_sleeps(&world->wakes, world->tag);
    trv_hit_event *hits = world->hits.items;
    for (uint32_t i = 0; i < world->hits.count; i++) {
        hits[i].shape_a.world = hits[i].shape_b.world = world->tag;
        hits[i].body_a.world = hits[i].body_b.world = world->tag;
    }
    trv_move_event *moves = world->moves.items;
    for (uint32_t i = 0; i < world->moves.count; i++)
        moves[i].body.world = world->tag;
    trv_quarantine_event *quarantines = world->quarantines.items;
    for (uint32_t i = 0; i < world->quarantines.count; i++)
        quarantines[i].body.world = world->tag;
}

static trv_result fill_twin(trv_world *twin, trvi_stream *stream)
{
    const char *broken;
    sharing none = {NULL, 0, 0};
    pass_world(stream, twin, &none);
    if (stream->result == TRV_OK && trvi_stream_left(stream) > 0)
        trvi_stream_fail(stream, TRV_ERROR_RANGE);
    if (stream->result != TRV_OK)
        return stream->result;
    if (twin->bodies.items.count > twin->bodies.limit ||
        twin->shapes.items.count > twin->shapes.limit || twin->contacts.count > twin->max_contacts)
        return TRV_ERROR_LIMIT;
    if (!trvi_world_reserve(twin, twin->contacts.count, twin->ends.count, twin->sensor_ends.count,
                            twin->sensors))
        return TRV_ERROR_MEMORY;
    stamp_events(twin);
    if (!trvi_links_check(twin, &broken) || !trvi_world_check(twin, &broken)) {
        trvi_log(&twin->log, TRV_LOG_ERROR, "the file contradicts itself: %s", broken);
        return TRV_ERROR_RANGE;
    }
    return TRV_OK;
}

static trv_result check_header(const uint8_t *bytes, size_t size)
{
    uint8_t wanted[HEADER_SIZE];
    uint64_t numbers[2] = {0, 0};
    write_header(wanted, numbers);
    trv_result result =
        trvi_check_start(bytes, size, wanted, HEADER_SIZE - sizeof numbers, HEADER_SIZE);
    if (result != TRV_OK)
        return result;
    trvi_stream stream = {TRVI_READ, TRV_OK, (uint8_t *)bytes, HEADER_SIZE - sizeof numbers,
                          HEADER_SIZE};
    trvi_stream_numbers(&stream, numbers, 8, 2);
    if (numbers[0] != size || sum_of(bytes + HEADER_SIZE, size - HEADER_SIZE) != numbers[1])
        return TRV_ERROR_RANGE;
    return TRV_OK;
}

static trv_result read_world(trv_world *world, const uint8_t *bytes, size_t size)
{
    trv_result result = check_header(bytes, size);
    if (result != TRV_OK)
        return result;
    trv_world *twin;
    world->stepping = true; // for what the hooks may call meanwhile
    result = make_twin(world, &twin);
    world->stepping = result == TRV_OK;
    if (result != TRV_OK)
        return result;
    trvi_stream stream = {TRVI_READ, TRV_OK, (uint8_t *)bytes + HEADER_SIZE, 0, size - HEADER_SIZE};
    result = fill_twin(twin, &stream);
    if (result == TRV_OK && !trvi_holds_inherit(twin, world))
        result = TRV_ERROR_MEMORY;
    world->stepping = false;
    if (result == TRV_OK) {
        trv_world old = *world;
        *world = *twin;
        *twin = old;
    }
    trv_world_destroy(twin);
    return result;
}

trv_result trv_world_read(trv_world *world, const void *buffer, size_t size)
{
    if (world == NULL || buffer == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    uint64_t found = trvi_floating_begin();
    trv_result result = read_world(world, buffer, size);
    trvi_floating_end(found);
    return result;
}
