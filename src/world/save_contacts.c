// The contacts of a save. Contacts hardly are alike, and are most of its bytes: they are copied as
// they stand, past the caches where that is much. One without points leaves out all that describes
// points, which is two thirds of it.
//
// So many of them make a chunk, with a sum of its own: any worker may take any chunk, and the bytes
// are the same however many there are. The lists before the chunks tell where each begins.
//
// Invariant: every contact begins at a multiple of TRVI_SUM_STRIDE bytes, with zeros in the gaps.
#include "save_contacts.h"

#include <string.h>

// How much there is of a contact.
typedef enum contact_part { PART_DEAD, PART_HEAD, PART_WHOLE } contact_part;

enum {
    CHUNK = 256, // few enough that no worker waits long for another, many enough to make one row
    RUN = 8,     // that are looked at and then copied: few enough to be at hand still
    CONTACT_HEAD = offsetof(trvi_contact, normal_local)
};

_Static_assert(sizeof(trvi_contact) % TRVI_SUM_STRIDE == 0, "whole contacts stand without gaps");

// In the lists.
typedef struct chunk_record {
    uint64_t at; // from the first chunk on; its size, from when it is measured until it is placed
    uint64_t sum;
} chunk_record;

uint32_t trvi_chunks_of(uint32_t contacts)
{
    return contacts / CHUNK + (contacts % CHUNK > 0);
}

size_t trvi_contact_lists_size(uint32_t contacts)
{
    return trvi_save_rounded(contacts) +
           trvi_save_rounded(trvi_chunks_of(contacts) * sizeof(chunk_record));
}

size_t trvi_contacts_most(uint32_t contacts)
{
    return contacts * trvi_save_rounded(sizeof(trvi_contact));
}

// Are there so many contacts that they are copied past the caches?
static bool are_many(const trv_world *world, uint32_t contacts)
{
    return (uint64_t)contacts * sizeof(trvi_contact) >= world->large_copy;
}

static size_t size_of_part(contact_part part)
{
    static const size_t sizes[] = {0, CONTACT_HEAD, sizeof(trvi_contact)};
    return sizes[part];
}

static uint8_t *parts_of(const trvi_saved_contacts *in)
{
    return (uint8_t *)in->lists;
}

// Saves lie anywhere in memory.
static char *place_of_record(const trvi_saved_contacts *in, uint32_t chunk)
{
    return in->lists + trvi_save_rounded(in->count) + chunk * sizeof(chunk_record);
}

static chunk_record record_of(const trvi_saved_contacts *in, uint32_t chunk)
{
    chunk_record record;
    memcpy(&record, place_of_record(in, chunk), sizeof record);
    return record;
}

static void set_record(const trvi_saved_contacts *in, uint32_t chunk, chunk_record record)
{
    memcpy(place_of_record(in, chunk), &record, sizeof record);
}

static uint32_t end_of_chunk(const trvi_saved_contacts *in, uint32_t chunk)
{
    uint32_t first = chunk * CHUNK;
    return in->count - first < CHUNK ? in->count : first + CHUNK;
}

static size_t size_of_chunk(const trvi_saved_contacts *in, uint32_t chunk)
{
    size_t size = 0;
    for (uint32_t i = chunk * CHUNK; i < end_of_chunk(in, chunk); i++)
        size += trvi_save_rounded(size_of_part((contact_part)parts_of(in)[i]));
    return size;
}

// Writing -----------------------------------------------------------------------------------------

static contact_part part_of(const trvi_contact *contact)
{
    if (!(contact->flags & TRVI_CONTACT_LIVE))
        return PART_DEAD;
    return contact->manifold.count > 0 ? PART_WHOLE : PART_HEAD;
}

// As contacts are restored: none is active. So each is copied as it stands, either way.
static void deactivate(trvi_contact *contact)
{
    if (contact->flags & TRVI_CONTACT_ACTIVE)
        contact->flags &= ~(uint32_t)TRVI_CONTACT_ACTIVE;
}

void trvi_measure_chunk(const trv_world *world, const trvi_saved_contacts *to, uint32_t chunk)
{
    const trvi_contact *contacts = trvi_contacts(world);
    size_t size = 0;
    for (uint32_t i = chunk * CHUNK; i < end_of_chunk(to, chunk); i++)
        size += trvi_save_rounded(size_of_part(part_of(&contacts[i])));
    set_record(to, chunk, (chunk_record){size, 0});
}

size_t trvi_place_chunk(const trvi_saved_contacts *to, uint32_t chunk, size_t at)
{
    size_t size = (size_t)record_of(to, chunk).at;
    set_record(to, chunk, (chunk_record){at, 0});
    return at + size;
}

// Notes what is there of a contact, and of those after it while they are whole as it is; returns where
// they end. All of them are one row.
static uint32_t note_run(trvi_contact *contacts, uint8_t *parts, uint32_t first, uint32_t end)
{
    contact_part part = part_of(&contacts[first]);
    uint32_t last = end - first < RUN || part != PART_WHOLE ? first + 1 : first + RUN, i = first;
    do {
        parts[i] = (uint8_t)part;
        deactivate(&contacts[i]);
        i++;
    } while (i < last && part_of(&contacts[i]) == part);
    return i;
}

size_t trvi_put_chunk(trv_world *world, const trvi_saved_contacts *to, uint32_t chunk)
{
    trvi_contact *contacts = trvi_contacts(world);
    chunk_record record = record_of(to, chunk);
    char *begin = to->contacts + record.at;
    trvi_writer writer = trvi_writer_begin(begin, are_many(world, to->count));
    uint32_t end = end_of_chunk(to, chunk);
    for (uint32_t i = chunk * CHUNK, next; i < end; i = next) {
        const char *first = writer.at;
        next = note_run(contacts, parts_of(to), i, end);
        trvi_writer_put(&writer, &contacts[i],
                        (next - i) * size_of_part((contact_part)parts_of(to)[i]));
        trvi_writer_align(&writer, first);
    }
    record.sum = trvi_writer_end(&writer);
    set_record(to, chunk, record);
    return (size_t)(writer.at - begin);
}

// Reading -----------------------------------------------------------------------------------------

size_t trvi_saved_contacts_size(const trvi_saved_contacts *from)
{
    size_t size = 0;
    for (uint32_t chunk = 0; chunk < trvi_chunks_of(from->count); chunk++) {
        if (record_of(from, chunk).at != size)
            return SIZE_MAX;
        size += size_of_chunk(from, chunk);
    }
    return size;
}

// What is read of a chunk, with the sum over it.
typedef struct chunk_reader {
    const char *at;
    trvi_sum sum;
} chunk_reader;

static void get(chunk_reader *from, void *to, size_t size, bool large)
{
    size_t whole = size / TRVI_SUM_STRIDE * TRVI_SUM_STRIDE;
    trvi_copy_summed(&from->sum, to, from->at, whole, large);
    memcpy((char *)to + whole, from->at + whole, size - whole);
    trvi_sum_add(&from->sum, from->at + whole, trvi_save_rounded(size) - whole);
    from->at += trvi_save_rounded(size);
}

static void get_head(chunk_reader *from, trvi_contact *contact)
{
#if defined(TRVI_ASSERTS)
    memset(contact, 0xff, sizeof *contact); // NaN in all that nothing may read
#endif
    get(from, contact, CONTACT_HEAD, false);
    contact->manifold.count = 0;
}

bool trvi_get_chunk(trv_world *world, const trvi_saved_contacts *from, uint32_t chunk)
{
    trvi_contact *contacts = world->spare_contacts.items;
    const chunk_record record = record_of(from, chunk);
    chunk_reader reader = {from->contacts + record.at, {{0}, {0}}};
    bool large = are_many(world, from->count);
    uint32_t end = end_of_chunk(from, chunk);
    for (uint32_t i = chunk * CHUNK, next; i < end; i = next) {
        next = i + 1;
        if (parts_of(from)[i] == PART_WHOLE) {
            for (; next < end && parts_of(from)[next] == PART_WHOLE; next++)
                continue;
            get(&reader, &contacts[i], (next - i) * sizeof *contacts, large);
        } else if (parts_of(from)[i] == PART_HEAD) {
            get_head(&reader, &contacts[i]);
        } else {
            contacts[i].flags = 0;
        }
    }
    if (large)
        trvi_copy_done();
    return trvi_sum_end(reader.sum, reader.at, 0) == record.sum;
}
