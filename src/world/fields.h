// What the state of a world is made of, field by field: one list that the hash, the file form and
// their tests go by, so that none of them can forget what another knows.
#ifndef TRVI_FIELDS_H
#define TRVI_FIELDS_H

#include "world_data.h"

// A run of numbers of one width inside a struct. The run of element i of an array is `stride` bytes
// further on for each i.
typedef struct trvi_field {
    uint32_t offset;
    uint32_t width; // 1, 2, 4 or 8 bytes
    uint32_t count;
    uint32_t stride;
} trvi_field;

typedef struct trvi_record {
    const trvi_field *fields;
    uint32_t field_count;
    uint32_t size; // of the numbers, without padding
} trvi_record;

typedef enum trvi_record_kind {
    TRVI_RECORD_WORLD, // plain fields of the world: settings and where it stands
    TRVI_RECORD_TOLD,  // how much of the events to come has been told
    TRVI_RECORD_BODY,
    TRVI_RECORD_MOBILE,    // what a body has that may move
    TRVI_RECORD_DEAD_BODY, // what counts of one that is gone
    TRVI_RECORD_SHAPE,     // without the solid
    TRVI_RECORD_TRAIT,     // what it shares with others
    TRVI_RECORD_SPHERE,
    TRVI_RECORD_CAPSULE,
    TRVI_RECORD_BOX,
    TRVI_RECORD_PLANE,
    TRVI_RECORD_CONTACT,       // what every contact has, without the flags
    TRVI_RECORD_CONTACT_FACE,  // what one with points has, once
    TRVI_RECORD_CONTACT_POINT, // and for each point
    TRVI_RECORD_TOUCH,
    TRVI_RECORD_HIT,
    TRVI_RECORD_SENSOR,
    TRVI_RECORD_MOVE,
    TRVI_RECORD_SLEEP,
    TRVI_RECORD_QUARANTINE,
    TRVI_RECORD_ENTRY,
    TRVI_RECORD_INDEX,
    TRVI_RECORD_KINDS
} trvi_record_kind;

trvi_record trvi_record_of(trvi_record_kind kind);

// The record of a solid that is no hull.
trvi_record_kind trvi_record_of_solid(trv_shape_kind kind);

// What the future depends on in an array.
typedef enum trvi_array_part {
    TRVI_STATE,   // all of it
    TRVI_PENDING, // events: those that have not been told
    TRVI_TOLD     // events, all told: nothing
} trvi_array_part;

// An array of the world that is saved as it stands, with the record of its elements.
typedef struct trvi_state_array {
    uint32_t offset; // in trv_world
    trvi_record_kind record;
    trvi_array_part part;
    uint32_t told; // where trv_world has how many of the pending ones were told
} trvi_state_array;

// The places of the ends of touches and of what sensors saw, and the count.
enum { TRVI_STATE_ENDS = 3, TRVI_STATE_SENSOR_ENDS = 4, TRVI_STATE_ARRAYS = 13 };
extern const trvi_state_array trvi_state_arrays[TRVI_STATE_ARRAYS];

// Tells hulls apart by their counts, bounds and volume integrals, at a fixed cost.
uint64_t trvi_hull_digest(const trv_hull *hull);

static inline trvi_array *trvi_state_array_at(trv_world *world, uint32_t index)
{
    return (trvi_array *)(void *)((char *)world + trvi_state_arrays[index].offset);
}

static inline const trvi_array *trvi_state_array_in(const trv_world *world, uint32_t index)
{
    return (const trvi_array *)(const void *)((const char *)world +
                                              trvi_state_arrays[index].offset);
}

#endif
