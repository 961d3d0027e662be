// The lists of fields that are state. What is left out is scratch of a step, or follows from the
// rest: pointers, tags, flags of the active list, a body's place among the solver's bodies.
//
// Whoever adds a field that a later step reads adds it here; test_hash.c finds what is missing by
// changing each byte.
#include "fields.h"

#define RUN(type, first, last, width)                                                              \
    {                                                                                              \
        offsetof(type, first), width,                                                              \
            (offsetof(type, last) + sizeof(((type *)0)->last) - offsetof(type, first)) / (width),  \
            0                                                                                      \
    }
#define ONE(type, member, width) RUN(type, member, member, width)
// One element of an array member.
#define EACH(type, array, width)                                                                   \
    {                                                                                              \
        offsetof(type, array), width, sizeof(((type *)0)->array[0]) / (width),                     \
            sizeof(((type *)0)->array[0])                                                          \
    }

static const trvi_field world_fields[] = {
    ONE(trv_world, sleep, 1),         RUN(trv_world, gravity, load_time, 4),
    ONE(trv_world, live_contacts, 4), ONE(trv_world, awake_sorted, 1),
    ONE(trv_world, sensors, 4),
};

static const trvi_field told_fields[] = {RUN(trv_world, ends_told, sensor_ends_told, 4)};

static const trvi_field body_fields[] = {
    ONE(trvi_body, generation, 2),
    RUN(trvi_body, kind, flags, 1),
    RUN(trvi_body, settings, locks, 2),
    RUN(trvi_body, first_shape, ring_next, 4),
    RUN(trvi_body, position, thickness, 4),
    ONE(trvi_body, travelled, 8),
    ONE(trvi_body, user, 8),
};

static const trvi_field mobile_fields[] = {RUN(trvi_mobile, linear_velocity, moments, 4)};

static const trvi_field dead_fields[] = {
    ONE(trvi_body, generation, 2),
    ONE(trvi_body, settings, 2),
};

static const trvi_field shape_fields[] = {
    RUN(trvi_shape, generation, flags, 2),
    RUN(trvi_shape, body, proxy, 4),
    ONE(trvi_shape, bounds, 4),
    ONE(trvi_shape, user, 8),
};

static const trvi_field trait_fields[] = {
    ONE(trvi_trait, material, 4),
    RUN(trvi_trait, filter.category, filter.mask, 8),
    ONE(trvi_trait, filter.group, 4),
};

static const trvi_field sphere_fields[] = {ONE(trv_shape, as.sphere, 4)};
static const trvi_field capsule_fields[] = {ONE(trv_shape, as.capsule, 4)};
static const trvi_field box_fields[] = {ONE(trv_shape, as.box, 4)};
static const trvi_field plane_fields[] = {ONE(trv_shape, as.plane, 4)};

static const trvi_field contact_fields[] = {
    RUN(trvi_contact, shape_a, previous, 4),
    ONE(trvi_contact, travelled, 8),
    RUN(trvi_contact, blow, plane, 4),
};

static const trvi_field face_fields[] = {
    ONE(trvi_contact, normal_local, 4),
    RUN(trvi_contact, between, stance, 4),
    ONE(trvi_contact, rolled, 8),
    RUN(trvi_contact, manifold.normal, manifold.count, 4),
    RUN(trvi_contact, manifold.part_a, manifold.part_b, 4),
};

static const trvi_field point_fields[] = {
    EACH(trvi_contact, anchor_a, 4),
    EACH(trvi_contact, anchor_b, 4),
    EACH(trvi_contact, manifold.points, 4),
    EACH(trvi_contact, impulses, 4),
};

#define ID(type, member) ONE(type, member.index1, 4), ONE(type, member.generation, 2)

// Two shapes and their bodies, in the words of the event.
#define SIDES(type, a, b, body_a, body_b, user_a, user_b, part_a, part_b)                          \
    ID(type, a), ID(type, b), ID(type, body_a), ID(type, body_b), RUN(type, user_a, user_b, 8),    \
        RUN(type, part_a, part_b, 4)

static const trvi_field touch_fields[] = {
    SIDES(trv_touch_event, shape_a, shape_b, body_a, body_b, user_a, user_b, part_a, part_b)};

static const trvi_field sensor_fields[] = {SIDES(trv_sensor_event, sensor, visitor, sensor_body,
                                                 visitor_body, sensor_user, visitor_user,
                                                 sensor_part, visitor_part)};

static const trvi_field hit_fields[] = {
    SIDES(trv_hit_event, shape_a, shape_b, body_a, body_b, user_a, user_b, part_a, part_b),
    RUN(trv_hit_event, point, impulse, 4),
};

static const trvi_field move_fields[] = {
    ID(trv_move_event, body),
    ONE(trv_move_event, user, 8),
    ONE(trv_move_event, pose, 4),
    ONE(trv_move_event, fell_asleep, 1),
};

static const trvi_field sleep_fields[] = {
    ID(trv_sleep_event, body),
    ONE(trv_sleep_event, user, 8),
};

static const trvi_field quarantine_fields[] = {
    ID(trv_quarantine_event, body),
    ONE(trv_quarantine_event, user, 8),
};

static const trvi_field entry_fields[] = {
    ONE(trvi_entry, key, 8),
    RUN(trvi_entry, value, extra, 4),
};

static const trvi_field index_fields[] = {{0, 4, 1, 0}};

#define RECORD(fields)                                                                             \
    {                                                                                              \
        fields, sizeof(fields) / sizeof(fields)[0], 0                                              \
    }

trvi_record trvi_record_of(trvi_record_kind kind)
{
    static const trvi_record records[TRVI_RECORD_KINDS] = {
        [TRVI_RECORD_WORLD] = RECORD(world_fields),
        [TRVI_RECORD_TOLD] = RECORD(told_fields),
        [TRVI_RECORD_BODY] = RECORD(body_fields),
        [TRVI_RECORD_MOBILE] = RECORD(mobile_fields),
        [TRVI_RECORD_DEAD_BODY] = RECORD(dead_fields),
        [TRVI_RECORD_SHAPE] = RECORD(shape_fields),
        [TRVI_RECORD_TRAIT] = RECORD(trait_fields),
        [TRVI_RECORD_SPHERE] = RECORD(sphere_fields),
        [TRVI_RECORD_CAPSULE] = RECORD(capsule_fields),
        [TRVI_RECORD_BOX] = RECORD(box_fields),
        [TRVI_RECORD_PLANE] = RECORD(plane_fields),
        [TRVI_RECORD_CONTACT] = RECORD(contact_fields),
        [TRVI_RECORD_CONTACT_FACE] = RECORD(face_fields),
        [TRVI_RECORD_CONTACT_POINT] = RECORD(point_fields),
        [TRVI_RECORD_TOUCH] = RECORD(touch_fields),
        [TRVI_RECORD_HIT] = RECORD(hit_fields),
        [TRVI_RECORD_SENSOR] = RECORD(sensor_fields),
        [TRVI_RECORD_MOVE] = RECORD(move_fields),
        [TRVI_RECORD_SLEEP] = RECORD(sleep_fields),
        [TRVI_RECORD_QUARANTINE] = RECORD(quarantine_fields),
        [TRVI_RECORD_ENTRY] = RECORD(entry_fields),
        [TRVI_RECORD_INDEX] = RECORD(index_fields),
    };
    trvi_record record = records[kind];
    for (uint32_t i = 0; i < record.field_count; i++)
        record.size += record.fields[i].width * record.fields[i].count;
    return record;
}

trvi_record_kind trvi_record_of_solid(trv_shape_kind kind)
{
    switch (kind) {
    case TRV_SHAPE_SPHERE:
        return TRVI_RECORD_SPHERE;
    case TRV_SHAPE_CAPSULE:
        return TRVI_RECORD_CAPSULE;
    case TRV_SHAPE_BOX:
        return TRVI_RECORD_BOX;
    default:
        return TRVI_RECORD_PLANE;
    }
}

#define STATE(array, record)                                                                       \
    {                                                                                              \
        offsetof(trv_world, array), record, TRVI_STATE, 0                                          \
    }
#define EVENTS(array, record)                                                                      \
    {                                                                                              \
        offsetof(trv_world, array), record, TRVI_TOLD, 0                                           \
    }
#define PENDING(array, record, told)                                                               \
    {                                                                                              \
        offsetof(trv_world, array), record, TRVI_PENDING, offsetof(trv_world, told)                \
    }

const trvi_state_array trvi_state_arrays[TRVI_STATE_ARRAYS] = {
    STATE(bodies.free, TRVI_RECORD_INDEX),
    STATE(shapes.free, TRVI_RECORD_INDEX),
    STATE(awake, TRVI_RECORD_ENTRY),
    PENDING(ends, TRVI_RECORD_TOUCH, ends_told),
    PENDING(sensor_ends, TRVI_RECORD_SENSOR, sensor_ends_told),
    STATE(put_to_sleep, TRVI_RECORD_INDEX),
    EVENTS(sleeps, TRVI_RECORD_SLEEP),
    EVENTS(begins, TRVI_RECORD_TOUCH),
    EVENTS(hits, TRVI_RECORD_HIT),
    EVENTS(sensor_begins, TRVI_RECORD_SENSOR),
    EVENTS(moves, TRVI_RECORD_MOVE),
    EVENTS(wakes, TRVI_RECORD_SLEEP),
    EVENTS(quarantines, TRVI_RECORD_QUARANTINE),
};
