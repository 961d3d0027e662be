// The whole-world invariants, for tests: every list leads where it should, and nothing else exists.
#include "world_data.h"

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            *text = #condition;                                                                    \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static bool check_numbers(const trvi_body *body, const char **text)
{
    EXPECT(trvi_check_vec3(body->position) == TRV_OK || !trvi_body_moves(body));
    EXPECT(trvi_check_quat(body->rotation) == TRV_OK);
    EXPECT(trvi_check_vec3(body->linear_velocity) == TRV_OK);
    EXPECT(trvi_check_vec3(body->angular_velocity) == TRV_OK);
    EXPECT(trvi_check_vec3(body->linear_rest) == TRV_OK);
    EXPECT(trvi_check_vec3(body->angular_rest) == TRV_OK);
    EXPECT(trvi_check_vec3(body->center_rest) == TRV_OK);
    trv_quat rest = body->rotation_rest; // a last bit
    EXPECT(fabsf(rest.x) + fabsf(rest.y) + fabsf(rest.z) + fabsf(rest.w) <= 1.0e-6f);
    EXPECT(trvi_check_quat(body->principal) == TRV_OK || !(body->inverse_mass > 0.0f));
    EXPECT((body->moments.x > 0.0f) == (body->inverse_mass > 0.0f));
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

static bool check_body(const trv_world *world, uint32_t index, const char **text)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    bool awake = (body->flags & TRVI_BODY_AWAKE) != 0;
    EXPECT(awake ? trvi_body_moves(body) : body->kind != TRV_BODY_KINEMATIC);
    EXPECT(!awake || body->ring_next == index);
    EXPECT(body->ring_next < world->bodies.items.count);
    EXPECT(trvi_bodies(world)[body->ring_next].flags & TRVI_BODY_LIVE);
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        EXPECT(s < world->shapes.items.count);
        EXPECT(trvi_shapes(world)[s].flags & TRVI_SHAPE_LIVE);
        EXPECT(trvi_shapes(world)[s].body == index);
    }
    return check_numbers(body, text) && check_contact_list(world, index, text);
}

static bool check_contact(const trv_world *world, uint32_t index, const char **text)
{
    const trvi_contact *contact = &trvi_contacts(world)[index];
    const trvi_shape *a = &trvi_shapes(world)[contact->shape_a];
    const trvi_shape *b = &trvi_shapes(world)[contact->shape_b];
    EXPECT((a->flags & TRVI_SHAPE_LIVE) && (b->flags & TRVI_SHAPE_LIVE));
    EXPECT(a->body == contact->body_a && b->body == contact->body_b);
    EXPECT(contact->body_a != contact->body_b);
    EXPECT(contact->manifold.count <= TRV_MANIFOLD_POINTS);
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

bool trvi_world_check(const trv_world *world, const char **text)
{
    uint32_t contacts = 0, touching = 0;
    *text = "";
    for (uint32_t i = 0; i < world->bodies.items.count; i++)
        if ((trvi_bodies(world)[i].flags & TRVI_BODY_LIVE) && !check_body(world, i, text))
            return false;
    for (uint32_t i = 0; i < world->contacts.count; i++) {
        if (!(trvi_contacts(world)[i].flags & TRVI_CONTACT_LIVE))
            continue;
        contacts++;
        touching += (trvi_contacts(world)[i].flags & TRVI_CONTACT_TOUCHING) != 0;
        if (!check_contact(world, i, text))
            return false;
    }
    EXPECT(contacts == world->live_contacts);
    EXPECT(world->ends.count + touching <= world->ends.capacity);
    return check_awake_list(world, text);
}
