// The hash of a world's state: every field of the lists in fields.c, in index order, but for events
// already told, which the future does not depend on. What the broadphase holds follows from the
// same calls, and shows in the contacts.
//
// Based on: G. Fowler, L. C. Noll, K.-P. Vo, FNV-1a (1991), over 64-bit words instead of bytes,
// with the high bits folded back each time; each record, and every other word of a long one, in a
// chain of its own, so that the processor need not wait.
#include "fields.h"

#include <string.h>

#define SEED UINT64_C(0xcbf29ce484222325)

static uint64_t add_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 32);
}

static uint64_t number_at(const char *at, uint32_t width)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t whole;
    switch (width) {
    case 1:
        memcpy(&byte, at, sizeof byte);
        return byte;
    case 2:
        memcpy(&half, at, sizeof half);
        return half;
    case 4:
        memcpy(&word, at, sizeof word);
        return word;
    default:
        memcpy(&whole, at, sizeof whole);
        return whole;
    }
}

// As add_run, in chains of which none waits for another.
static uint64_t add_fours(uint64_t hash, const char *at, uint32_t count)
{
    uint64_t other = SEED;
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4, at += 16) {
        hash = add_word(hash, number_at(at, 4) | number_at(at + 4, 4) << 32);
        other = add_word(other, number_at(at + 8, 4) | number_at(at + 12, 4) << 32);
    }
    if (i > 0)
        hash = add_word(hash, other);
    for (; i + 2 <= count; i += 2, at += 8)
        hash = add_word(hash, number_at(at, 4) | number_at(at + 4, 4) << 32);
    return i < count ? add_word(hash, number_at(at, 4)) : hash;
}

// Two numbers of up to four bytes go into one word, so that the order of bytes does not matter.
static uint64_t add_run(uint64_t hash, const char *at, uint32_t width, uint32_t count)
{
    if (width == 4)
        return add_fours(hash, at, count);
    uint32_t in_word = width == 8 ? 1 : 2;
    for (uint32_t i = 0; i < count; i += in_word) {
        uint64_t word = number_at(at + (size_t)i * width, width);
        if (in_word == 2 && i + 1 < count)
            word |= number_at(at + (size_t)(i + 1) * width, width) << 32;
        hash = add_word(hash, word);
    }
    return hash;
}

// The record of each of the first `elements` elements, which lie one after the other, field by field.
// Each record has a chain of its own, which is then joined: so that one need not wait for another.
static uint64_t add_elements(uint64_t hash, const trvi_record *record, const void *item,
                             uint32_t elements)
{
    uint64_t own = SEED;
    for (uint32_t i = 0; i < record->field_count; i++) {
        const trvi_field *field = &record->fields[i];
        TRVI_ASSERT(elements == 1 || field->stride == field->width * field->count);
        own =
            add_run(own, (const char *)item + field->offset, field->width, field->count * elements);
    }
    return add_word(hash, own);
}

static uint64_t add_record(uint64_t hash, const trvi_record *record, const void *item)
{
    return add_elements(hash, record, item, 1);
}

uint64_t trvi_hull_digest(const trv_hull *hull)
{
    uint64_t hash = add_word(1, hull->vertex_count | (uint64_t)hull->face_count << 32);
    hash = add_word(hash, hull->half_edge_count);
    hash = add_run(hash, (const char *)&hull->bounds, 4, sizeof hull->bounds / 4);
    return add_run(hash, (const char *)&hull->solid, 8, sizeof hull->solid / 8);
}

static uint64_t add_shape(uint64_t hash, const trvi_record records[2], const trv_world *world,
                          const trvi_shape *shape)
{
    hash = add_record(hash, &records[0], shape);
    hash = add_record(hash, &records[1], trvi_trait_of(world, shape));
    hash = add_word(hash, (uint64_t)shape->solid.kind);
    if (shape->solid.kind == TRV_SHAPE_HULL)
        return add_word(hash, trvi_hull_digest(shape->solid.as.hull));
    trvi_record solid = trvi_record_of(trvi_record_of_solid(shape->solid.kind));
    return add_record(hash, &solid, &shape->solid);
}

static uint64_t add_contact(uint64_t hash, const trvi_record records[3],
                            const trvi_contact *contact)
{
    hash = add_word(hash, contact->flags & ~(uint32_t)TRVI_CONTACT_ACTIVE);
    hash = add_record(hash, &records[0], contact);
    if (contact->manifold.count == 0)
        return hash;
    hash = add_record(hash, &records[1], contact);
    return add_elements(hash, &records[2], contact, contact->manifold.count);
}

static uint64_t add_bodies(uint64_t hash, const trv_world *world)
{
    const trvi_body *bodies = trvi_bodies(world);
    const trvi_record record = trvi_record_of(TRVI_RECORD_BODY);
    const trvi_record mobile = trvi_record_of(TRVI_RECORD_MOBILE);
    for (uint32_t i = 0; i < world->bodies.items.count; i++) {
        if (bodies[i].flags & TRVI_BODY_LIVE) {
            hash = add_record(hash, &record, &bodies[i]);
            if (bodies[i].mobile != TRVI_IMMOBILE)
                hash = add_record(hash, &mobile, trvi_mobile_of(world, &bodies[i]));
        } else // for the ids of what will be made here, and for what events will tell
            hash = add_word(hash, bodies[i].generation | (uint64_t)bodies[i].settings << 16);
    }
    return hash;
}

static uint64_t add_shapes(uint64_t hash, const trv_world *world)
{
    const trvi_shape *shapes = trvi_shapes(world);
    const trvi_record records[2] = {trvi_record_of(TRVI_RECORD_SHAPE),
                                    trvi_record_of(TRVI_RECORD_TRAIT)};
    for (uint32_t i = 0; i < world->shapes.items.count; i++) {
        if (shapes[i].flags & TRVI_SHAPE_LIVE)
            hash = add_shape(hash, records, world, &shapes[i]);
        else
            hash = add_word(hash, shapes[i].generation);
    }
    return hash;
}

static uint64_t add_contacts(uint64_t hash, const trv_world *world)
{
    const trvi_contact *contacts = trvi_contacts(world);
    const trvi_record records[3] = {trvi_record_of(TRVI_RECORD_CONTACT),
                                    trvi_record_of(TRVI_RECORD_CONTACT_FACE),
                                    trvi_record_of(TRVI_RECORD_CONTACT_POINT)};
    for (uint32_t i = 0; i < world->contacts.count; i++) {
        if (!(contacts[i].flags & TRVI_CONTACT_LIVE))
            continue;
        hash = add_word(hash, i);
        hash = add_contact(hash, records, &contacts[i]);
    }
    return hash;
}

static uint64_t add_items(uint64_t hash, const trvi_array *array, trvi_record_kind kind,
                          uint32_t first)
{
    const trvi_record record = trvi_record_of(kind);
    hash = add_word(hash, array->count - first);
    for (uint32_t i = first; i < array->count; i++)
        hash = add_record(hash, &record, (const char *)array->items + (size_t)i * array->stride);
    return hash;
}

uint64_t trv_world_hash(const trv_world *world)
{
    if (world == NULL)
        return 0;
    const trvi_record plain = trvi_record_of(TRVI_RECORD_WORLD);
    uint64_t hash = add_record(SEED, &plain, world);
    hash = add_bodies(hash, world);
    hash = add_shapes(hash, world);
    hash = add_contacts(hash, world);
    for (uint32_t k = 0; k < TRVI_STATE_ARRAYS; k++) {
        const trvi_state_array *state = &trvi_state_arrays[k];
        uint32_t told = 0;
        if (state->part == TRVI_TOLD)
            continue;
        if (state->part == TRVI_PENDING)
            memcpy(&told, (const char *)world + state->told, sizeof told);
        hash = add_items(hash, trvi_state_array_in(world, k), state->record, told);
    }
    hash *= UINT64_C(0xd6e8feb86659fd93);
    return hash ^ (hash >> 32);
}
