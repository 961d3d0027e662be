// The whole-world invariants, for tests: every list leads where it should, and nothing else exists.
#include "world_data.h"

#include <string.h>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            *text = #condition;                                                                    \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static bool are_finite(const void *floats, size_t bytes)
{
    const float *values = floats;
    for (size_t i = 0; i < bytes / sizeof *values; i++)
        if (!trvi_is_finite(values[i]))
            return false;
    return true;
}

// The floats of a struct from one member through another.
#define ARE_FINITE(item, type, first, last)                                                        \
    are_finite(&(item)->first, offsetof(type, last) + sizeof(item)->last - offsetof(type, first))

static bool check_mobile(const trv_world *world, const trvi_body *body, const char **text)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    EXPECT(ARE_FINITE(mobile, trvi_mobile, linear_velocity, moments));
    EXPECT(mobile->covered >= 0.0f);
    EXPECT(trvi_check_vec3(mobile->linear_velocity) == TRV_OK);
    EXPECT(trvi_check_vec3(mobile->angular_velocity) == TRV_OK);
    EXPECT(trvi_check_vec3(mobile->linear_rest) == TRV_OK);
    EXPECT(trvi_check_vec3(mobile->angular_rest) == TRV_OK);
    EXPECT(trvi_check_vec3(mobile->center_rest) == TRV_OK);
    trv_quat rest = mobile->rotation_rest; // a last bit
    EXPECT(fabsf(rest.x) + fabsf(rest.y) + fabsf(rest.z) + fabsf(rest.w) <= 1.0e-6f);
    EXPECT(trvi_check_quat(mobile->principal) == TRV_OK || !(mobile->inverse_mass > 0.0f));
    EXPECT((mobile->moments.x > 0.0f) == (mobile->inverse_mass > 0.0f));
    return true;
}

static bool check_numbers(const trvi_body *body, const char **text)
{
    EXPECT(body->kind <= TRV_BODY_DYNAMIC);
    EXPECT(ARE_FINITE(body, trvi_body, position, thickness));
    EXPECT(body->extent >= 0.0f && body->extent <= 4.0f * TRV_COORD_MAX);
    EXPECT(body->thickness >= 0.0f);
    EXPECT(body->travelled >= 0.0 && body->travelled < HUGE_VAL);
    EXPECT(trvi_check_vec3(body->position) == TRV_OK || !trvi_body_moves(body));
    EXPECT(trvi_check_quat(body->rotation) == TRV_OK);
    return true;
}

static bool check_contact_list(const trv_world *world, uint32_t index, const char **text)
{
    uint32_t before = TRVI_NONE, steps = 0;
    uint32_t link = trvi_bodies(world)[index].first_contact;
    while (link != TRVI_NONE) {
        EXPECT(link / 2 < world->contacts.count);
        const trvi_contact *contact = &trvi_contacts(world)[link / 2];
        EXPECT(contact->flags & TRVI_CONTACT_LIVE);
        EXPECT((link % 2 == 0 ? contact->body_a : contact->body_b) == index);
        EXPECT(contact->previous[link % 2] == before);
        EXPECT(steps++ < world->live_contacts);
        before = link;
        link = contact->next[link % 2];
    }
    return true;
}

// A shape stands for itself, or is one of a compound, whose parts follow one another down to 0.
static bool check_part(const trv_world *world, uint32_t index, const char **text)
{
    const trvi_shape *shape = &trvi_shapes(world)[index];
    EXPECT(shape->lead < world->shapes.items.count);
    EXPECT((shape->part == 0) == (shape->lead == index));
    EXPECT(shape->part == 0 || shape->next < world->shapes.items.count);
    if (shape->part == 0)
        return true;
    const trvi_shape *next = &trvi_shapes(world)[shape->next];
    EXPECT(next->lead == shape->lead && next->part + 1 == shape->part);
    return true;
}

static bool check_body(const trv_world *world, uint32_t index, const char **text)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    bool awake = (body->flags & TRVI_BODY_AWAKE) != 0;
    EXPECT(awake ? trvi_body_moves(body) && !trvi_is_disabled(body)
                 : body->kind != TRV_BODY_KINEMATIC || trvi_is_disabled(body));
    EXPECT(!trvi_is_disabled(body) || body->first_contact == TRVI_NONE);
    EXPECT(!(body->locks & ~(uint32_t)TRV_LOCK_ALL));
    EXPECT(!awake || body->ring_next == index);
    EXPECT(body->ring_next < world->bodies.items.count);
    EXPECT(body->ring_next == index || body->kind == TRV_BODY_DYNAMIC);
    EXPECT(trvi_bodies(world)[body->ring_next].flags & TRVI_BODY_LIVE);
    uint32_t steps = 0;
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        EXPECT(s < world->shapes.items.count);
        EXPECT(trvi_shapes(world)[s].flags & TRVI_SHAPE_LIVE);
        EXPECT(trvi_shapes(world)[s].body == index);
        EXPECT(steps++ < world->shapes.items.count);
        if (!check_part(world, s, text))
            return false;
    }
    EXPECT(body->mobile < world->mobiles.count);
    EXPECT(body->mobile != TRVI_IMMOBILE || body->kind == TRV_BODY_STATIC);
    EXPECT(body->mobile == TRVI_IMMOBILE || trvi_mobile_of(world, body)->body == index);
    return check_numbers(body, text) && check_mobile(world, body, text) &&
           check_contact_list(world, index, text);
}

static bool check_shape(const trv_world *world, uint32_t index, const char **text)
{
    trvi_shape placed = trvi_shapes(world)[index];
    const trvi_shape *shape = &trvi_shapes(world)[index];
    trv_aabb tight, fat;
    EXPECT(shape->body < world->bodies.items.count);
    const trvi_body *body = &trvi_bodies(world)[shape->body];
    EXPECT(body->flags & TRVI_BODY_LIVE);
    EXPECT(trv_shape_check(&shape->solid) == TRV_OK);
    EXPECT(shape->solid.kind != TRV_SHAPE_COMPOUND);
    EXPECT(shape->solid.kind != TRV_SHAPE_PLANE || body->kind == TRV_BODY_STATIC);
    EXPECT(shape->trait < world->traits.items.count);
    EXPECT(trvi_trait_of(world, shape)->users > 0);
    EXPECT(ARE_FINITE(trvi_trait_of(world, shape), trvi_trait, material, material));
    trvi_shape_place(&placed, body->frame, 0.0f);
    EXPECT(memcmp(&placed.bounds, &shape->bounds, sizeof placed.bounds) == 0);
    EXPECT(trv_broad_get(world->broad, shape->proxy, &tight, &fat) == TRV_OK);
    EXPECT(trvi_broad_user(world->broad, shape->proxy) == index);
    return true;
}

static bool check_contact(const trv_world *world, uint32_t index, const char **text)
{
    const trvi_contact *contact = &trvi_contacts(world)[index];
    EXPECT(contact->shape_a < world->shapes.items.count);
    EXPECT(contact->shape_b < world->shapes.items.count);
    const trvi_shape *a = &trvi_shapes(world)[contact->shape_a];
    const trvi_shape *b = &trvi_shapes(world)[contact->shape_b];
    EXPECT((a->flags & TRVI_SHAPE_LIVE) && (b->flags & TRVI_SHAPE_LIVE));
    EXPECT(a->body == contact->body_a && b->body == contact->body_b);
    EXPECT(contact->body_a != contact->body_b);
    EXPECT(contact->manifold.count <= TRV_MANIFOLD_POINTS);
    EXPECT(ARE_FINITE(contact, trvi_contact, blow, rolling_friction));
    EXPECT(are_finite(&contact->plane.normal, sizeof contact->plane.normal));
    for (uint32_t p = 0; p < contact->manifold.count; p++) {
        const trv_manifold_point *point = &contact->manifold.points[p];
        EXPECT(are_finite(&contact->manifold.normal, sizeof contact->manifold.normal));
        EXPECT(ARE_FINITE(point, trv_manifold_point, point, separation));
        EXPECT(are_finite(&contact->anchor_a[p], sizeof contact->anchor_a[p]));
        EXPECT(are_finite(&contact->anchor_b[p], sizeof contact->anchor_b[p]));
        EXPECT(are_finite(&contact->impulses[p], sizeof contact->impulses[p]));
    }
    EXPECT(!(contact->flags & TRVI_CONTACT_SENSOR) || contact->manifold.count == 0);
    EXPECT(((a->flags | b->flags) & TRV_SHAPE_SENSOR ? true : false) ==
           ((contact->flags & TRVI_CONTACT_SENSOR) != 0));
    EXPECT((contact->flags & TRVI_CONTACT_TOUCHING) ||
           !(contact->flags & (TRVI_CONTACT_TOLD | TRVI_CONTACT_TOLD_BACK)));
    return true;
}

static bool check_awake_list(const trv_world *world, const char **text)
{
    const trvi_entry *awake = world->awake.items;
    uint32_t expected = 0;
    for (uint32_t i = 0; i < world->bodies.items.count; i++)
        expected += (trvi_bodies(world)[i].flags & TRVI_BODY_AWAKE) != 0;
    EXPECT(world->awake.count == expected);
    for (uint32_t i = 0; i < world->awake.count; i++) {
        EXPECT(trvi_bodies(world)[awake[i].value].flags & TRVI_BODY_AWAKE);
        EXPECT(!world->awake_sorted || i == 0 || awake[i - 1].key < awake[i].key);
    }
    return true;
}

// Each shape is in the list of one body, and there is no other.
static bool check_shapes(const trv_world *world, const char **text)
{
    uint32_t listed = 0, live = 0, users = 0;
    const trvi_shape *shapes = trvi_shapes(world);
    for (uint32_t i = 0; i < world->shapes.items.count; i++) {
        if (!(shapes[i].flags & TRVI_SHAPE_LIVE))
            continue;
        live++;
        if (!check_shape(world, i, text))
            return false;
    }
    for (uint32_t i = 0; i < world->bodies.items.count; i++)
        if (trvi_bodies(world)[i].flags & TRVI_BODY_LIVE)
            for (uint32_t s = trvi_bodies(world)[i].first_shape; s != TRVI_NONE; s = shapes[s].next)
                listed++;
    EXPECT(listed == live);
    EXPECT(world->shapes.items.count - world->shapes.free.count == live);
    EXPECT(trvi_broad_live_count(world->broad) == live);
    EXPECT(world->trait_lists.count >= world->traits.items.count);
    const trvi_trait *traits = world->traits.items.items;
    for (uint32_t i = 0; i < world->traits.items.count; i++)
        users += traits[i].users;
    EXPECT(users == live);
    return true;
}

bool trvi_world_check(const trv_world *world, const char **text)
{
    uint32_t contacts = 0, touching = 0, seen = 0, sensors = 0, listed = 0, mobiles = 0;
    *text = "";
    for (uint32_t i = 0; i < world->bodies.items.count; i++) {
        listed += (trvi_bodies(world)[i].settings & TRVI_BODY_PUT_TO_SLEEP) != 0;
        mobiles += trvi_bodies(world)[i].mobile != TRVI_IMMOBILE; // of those that live
        if ((trvi_bodies(world)[i].flags & TRVI_BODY_LIVE) && !check_body(world, i, text))
            return false;
    }
    if (!check_shapes(world, text))
        return false;
    for (uint32_t i = 0; i < world->contacts.count; i++) {
        if (!(trvi_contacts(world)[i].flags & TRVI_CONTACT_LIVE))
            continue;
        contacts++;
        uint32_t flags = trvi_contacts(world)[i].flags;
        bool sensor = (flags & TRVI_CONTACT_SENSOR) != 0;
        touching += (flags & TRVI_CONTACT_TOUCHING) && !sensor;
        seen += sensor && (flags & TRVI_CONTACT_TOLD);
        seen += sensor && (flags & TRVI_CONTACT_TOLD_BACK);
        if (!check_contact(world, i, text))
            return false;
    }
    for (uint32_t i = 0; i < world->shapes.items.count; i++)
        sensors += (trvi_shapes(world)[i].flags & TRVI_SHAPE_LIVE) &&
                   (trvi_shapes(world)[i].flags & TRV_SHAPE_SENSOR);
    EXPECT(contacts == world->live_contacts);
    EXPECT(world->ends_told <= world->ends.count);
    EXPECT(world->sensor_ends_told <= world->sensor_ends.count);
    EXPECT(world->retired.count + world->hull_shapes <= world->retired.capacity);
    EXPECT(world->ends.count + touching <= world->ends.capacity);
    EXPECT(world->sensor_ends.count + seen <= world->sensor_ends.capacity);
    EXPECT(sensors == world->sensors);
    EXPECT(mobiles + 1 == world->mobiles.count);
    EXPECT(world->awake.capacity >= mobiles && world->sleeps.capacity >= mobiles);
    EXPECT(world->put_to_sleep.capacity >= world->bodies.items.count);
    EXPECT(listed == world->put_to_sleep.count);
    return check_awake_list(world, text);
}

// Nothing is in a list of indices twice: each place says where it stands in the list, and only one
// place can be right.
static bool check_free(trv_world *world, const char **text)
{
    const uint32_t *bodies = world->bodies.free.items, *shapes = world->shapes.free.items;
    for (uint32_t i = 0; i < world->bodies.free.count; i++) {
        EXPECT(bodies[i] < world->bodies.items.count);
        EXPECT(!(trvi_bodies(world)[bodies[i]].flags & TRVI_BODY_LIVE));
        trvi_bodies(world)[bodies[i]].solver = i;
    }
    for (uint32_t i = 0; i < world->bodies.free.count; i++)
        EXPECT(trvi_bodies(world)[bodies[i]].solver == i);
    for (uint32_t i = 0; i < world->shapes.free.count; i++) {
        EXPECT(shapes[i] < world->shapes.items.count);
        EXPECT(!(trvi_shapes(world)[shapes[i]].flags & TRVI_SHAPE_LIVE));
        trvi_shapes(world)[shapes[i]].next = i;
    }
    for (uint32_t i = 0; i < world->shapes.free.count; i++)
        EXPECT(trvi_shapes(world)[shapes[i]].next == i);
    return true;
}

static bool check_rings(trv_world *world, const char **text)
{
    trvi_body *bodies = trvi_bodies(world);
    uint32_t live = 0;
    for (uint32_t i = 0; i < world->bodies.items.count; i++) {
        if (!(bodies[i].flags & TRVI_BODY_LIVE))
            continue;
        live++;
        EXPECT(bodies[i].ring_next < world->bodies.items.count);
        bodies[bodies[i].ring_next].solver = i;
    }
    for (uint32_t i = 0; i < world->bodies.items.count; i++)
        if (bodies[i].flags & TRVI_BODY_LIVE)
            EXPECT(bodies[bodies[i].ring_next].solver == i);
    EXPECT(world->bodies.items.count - world->bodies.free.count == live);
    return true;
}

// The bytes of a bool from a file may be anything.
static bool is_bool(const bool *value)
{
    uint8_t byte;
    memcpy(&byte, value, sizeof byte);
    return byte <= 1;
}

bool trvi_links_check(trv_world *world, const char **text)
{
    const trvi_entry *awake = world->awake.items;
    const trv_move_event *moves = world->moves.items;
    trvi_body *bodies = trvi_bodies(world);
    *text = "";
    EXPECT(is_bool(&world->sleep) && is_bool(&world->awake_sorted));
    EXPECT(world->load_time >= 0.0f && world->load_time <= 1.0f);
    for (uint32_t i = 0; i < world->moves.count; i++)
        EXPECT(is_bool(&moves[i].fell_asleep));
    if (!check_free(world, text) || !check_rings(world, text))
        return false;
    for (uint32_t i = 0; i < world->awake.count; i++) {
        EXPECT(awake[i].value < world->bodies.items.count);
        EXPECT(awake[i].key == awake[i].value);
        bodies[awake[i].value].solver = i;
    }
    for (uint32_t i = 0; i < world->awake.count; i++)
        EXPECT(bodies[awake[i].value].solver == i);
    const uint32_t *sleepers = world->put_to_sleep.items;
    for (uint32_t i = 0; i < world->put_to_sleep.count; i++) {
        EXPECT(sleepers[i] < world->bodies.items.count);
        EXPECT(bodies[sleepers[i]].settings & TRVI_BODY_PUT_TO_SLEEP);
        bodies[sleepers[i]].solver = i;
    }
    for (uint32_t i = 0; i < world->put_to_sleep.count; i++)
        EXPECT(bodies[sleepers[i]].solver == i);
    return true;
}
