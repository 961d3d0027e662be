// The hash of a world's state: every field that can influence the future, in index order, without
// pointers, tags or scratch.
//
// Based on: G. Fowler, L. C. Noll, K.-P. Vo, FNV-1a (1991), over 32-bit words instead of bytes.
#include "world_data.h"

#include <string.h>

static uint64_t add_word(uint64_t hash, uint32_t word)
{
    return (hash ^ word) * UINT64_C(0x100000001b3);
}

static uint64_t add_floats(uint64_t hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash = add_word(hash, bits);
    }
    return hash;
}

static uint64_t add_vec3(uint64_t hash, trv_vec3 v)
{
    const float values[3] = {v.x, v.y, v.z};
    return add_floats(hash, values, 3);
}

static uint64_t add_quat(uint64_t hash, trv_quat q)
{
    const float values[4] = {q.x, q.y, q.z, q.w};
    return add_floats(hash, values, 4);
}

static uint64_t add_body(uint64_t hash, uint32_t index, const trvi_body *body)
{
    hash = add_word(hash, index);
    hash = add_word(hash, (uint32_t)body->flags << 8 | body->kind);
    hash = add_word(hash, body->ring_next);
    hash = add_vec3(hash, body->position);
    hash = add_quat(hash, body->rotation);
    hash = add_vec3(hash, body->center);
    hash = add_vec3(hash, body->linear_velocity);
    hash = add_vec3(hash, body->angular_velocity);
    hash = add_vec3(hash, body->linear_rest);
    hash = add_vec3(hash, body->angular_rest);
    hash = add_vec3(hash, body->center_rest);
    hash = add_quat(hash, body->rotation_rest);
    hash = add_vec3(hash, body->force);
    hash = add_vec3(hash, body->torque);
    hash = add_vec3(hash, body->rest_center);
    hash = add_quat(hash, body->rest_rotation);
    const float values[] = {body->still_time, body->rest_age, body->loose_time, body->inverse_mass};
    return add_floats(hash, values, 4);
}

static uint64_t add_contact(uint64_t hash, uint32_t index, const trvi_contact *contact)
{
    hash = add_word(hash, index);
    hash = add_word(hash, contact->shape_a);
    hash = add_word(hash, contact->shape_b);
    hash = add_word(hash, contact->flags & TRVI_CONTACT_TOUCHING);
    hash = add_word(hash, contact->plane.source); // a feature that carries a contact goes on
    hash = add_word(hash, contact->plane.index_a);
    hash = add_word(hash, contact->plane.index_b);
    hash = add_vec3(hash, contact->manifold.normal);
    for (uint32_t p = 0; p < contact->manifold.count; p++) {
        hash = add_word(hash, contact->manifold.points[p].feature);
        hash = add_vec3(hash, contact->manifold.points[p].point);
        const float values[] = {contact->manifold.points[p].separation, contact->impulses[p].normal,
                                contact->impulses[p].carried};
        hash = add_floats(hash, values, 3);
        hash = add_vec3(hash, contact->impulses[p].tangent);
        hash = add_vec3(hash, contact->impulses[p].drift);
        hash = add_word(hash, contact->impulses[p].slides);
    }
    return hash;
}

uint64_t trv_world_hash(const trv_world *world)
{
    if (world == NULL)
        return 0;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const trvi_body *bodies = trvi_bodies(world);
    for (uint32_t i = 0; i < world->bodies.items.count; i++)
        if (bodies[i].flags & TRVI_BODY_LIVE)
            hash = add_body(hash, i, &bodies[i]);
    const trvi_contact *contacts = trvi_contacts(world);
    for (uint32_t i = 0; i < world->contacts.count; i++)
        if (contacts[i].flags & TRVI_CONTACT_LIVE)
            hash = add_contact(hash, i, &contacts[i]);
    // FNV mixes upwards only: fold the high bits back.
    hash ^= hash >> 32;
    hash *= UINT64_C(0xd6e8feb86659fd93);
    return hash ^ (hash >> 32);
}
