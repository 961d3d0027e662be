// Changing shapes that live: solid, material, filter, switches. What a setter changes it changes
// for all parts of a compound; contacts learn of it at once, the broadphase with the next step.
#include "world_data.h"

#include <string.h>

// The shape changes for what it touches: all of that wakes.
static void stir(trv_world *world, uint32_t lead)
{
    uint32_t body = trvi_shapes(world)[lead].body;
    trvi_wake(world, body);
    trvi_wake_neighbors(world, body);
}

// The contacts of one shape, one after the other: the first one's link, and the one that follows.
static uint32_t own_link(const trv_world *world, uint32_t shape, uint32_t link)
{
    for (; link != TRVI_NONE; link = trvi_contacts(world)[link / 2].next[link % 2]) {
        const trvi_contact *contact = &trvi_contacts(world)[link / 2];
        if ((link % 2 == 0 ? contact->shape_a : contact->shape_b) == shape)
            return link;
    }
    return TRVI_NONE;
}

static uint32_t first_link(const trv_world *world, uint32_t shape)
{
    uint32_t body = trvi_shapes(world)[shape].body;
    return own_link(world, shape, trvi_bodies(world)[body].first_contact);
}

static uint32_t next_link(const trv_world *world, uint32_t shape, uint32_t link)
{
    return own_link(world, shape, trvi_contacts(world)[link / 2].next[link % 2]);
}

trv_result trv_shape_set_user(trv_world *world, trv_shape_id id, uint64_t user)
{
    uint32_t lead;
    trv_result result = trvi_find_shape_to_change(world, id, &lead);
    if (result != TRV_OK)
        return result;
    for (uint32_t s = trvi_first_part(world, lead); s != TRVI_NONE; s = trvi_next_part(world, s))
        trvi_shapes(world)[s].user = user;
    return TRV_OK;
}

trv_result trv_shape_material(const trv_world *world, trv_shape_id id, trv_material *material)
{
    const trvi_shape *shape;
    trv_result result = trvi_ask_shape(world, id, material, sizeof *material, &shape);
    if (result == TRV_OK)
        *material = *trvi_material_of(world, shape);
    return result;
}

static void put_trait(trv_world *world, uint32_t lead, uint32_t trait)
{
    for (uint32_t s = trvi_first_part(world, lead); s != TRVI_NONE; s = trvi_next_part(world, s)) {
        trvi_trait_keep(world, trait);
        trvi_trait_give(world, trvi_shapes(world)[s].trait);
        trvi_shapes(world)[s].trait = trait;
    }
}

// Puts another trait, and the mass that comes of it; fails having changed nothing.
static trv_result change_trait(trv_world *world, uint32_t lead, const trv_material *material,
                               const trv_filter *filter)
{
    const trvi_shape *shape = &trvi_shapes(world)[lead];
    trvi_body *body = &trvi_bodies(world)[shape->body];
    uint32_t trait, before = shape->trait;
    bool weighs = trvi_material_of(world, shape)->density != material->density;
    if (!trvi_trait_take(world, material, filter, &trait))
        return TRV_ERROR_MEMORY;
    trvi_trait_keep(world, before);
    put_trait(world, lead, trait);
    trv_result result = weighs ? trvi_body_update_mass(world, body) : TRV_OK;
    if (result != TRV_OK)
        put_trait(world, lead, before);
    else if (weighs)
        trvi_forget_loads(world, shape->body);
    trvi_trait_give(world, before);
    trvi_trait_give(world, trait);
    return result;
}

trv_result trv_shape_set_material(trv_world *world, trv_shape_id id, const trv_material *material)
{
    uint32_t lead;
    trv_result result = trvi_find_shape_to_change(world, id, &lead);
    if (result == TRV_OK && material == NULL)
        result = TRV_ERROR_NULL;
    if (result == TRV_OK)
        result = trvi_check_material(material);
    if (result != TRV_OK)
        return result;
    trv_filter filter = *trvi_filter_of(world, &trvi_shapes(world)[lead]);
    result = change_trait(world, lead, material, &filter);
    if (result != TRV_OK)
        return result;
    for (uint32_t s = trvi_first_part(world, lead); s != TRVI_NONE; s = trvi_next_part(world, s))
        for (uint32_t l = first_link(world, s); l != TRVI_NONE; l = next_link(world, s, l))
            trvi_contact_take_materials(world, &trvi_contacts(world)[l / 2]);
    stir(world, lead);
    return TRV_OK;
}

trv_result trv_shape_filter(const trv_world *world, trv_shape_id id, trv_filter *filter)
{
    const trvi_shape *shape;
    trv_result result = trvi_ask_shape(world, id, filter, sizeof *filter, &shape);
    if (result == TRV_OK)
        *filter = *trvi_filter_of(world, shape);
    return result;
}

trv_result trv_shape_set_filter(trv_world *world, trv_shape_id id, trv_filter filter)
{
    uint32_t lead;
    trv_result result = trvi_find_shape_to_change(world, id, &lead);
    if (result != TRV_OK)
        return result;
    trv_material material = *trvi_material_of(world, &trvi_shapes(world)[lead]);
    result = change_trait(world, lead, &material, &filter);
    if (result != TRV_OK)
        return result;
    stir(world, lead);
    const trvi_body *body = &trvi_bodies(world)[trvi_shapes(world)[lead].body];
    for (uint32_t s = trvi_first_part(world, lead); s != TRVI_NONE; s = trvi_next_part(world, s)) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        trv_broad_filter(world->broad, shape->proxy, trvi_shape_filter(world, body, shape));
    }
    return TRV_OK;
}

static bool is_switch(trv_shape_switch which)
{
    uint32_t bits = (uint32_t)which;
    return bits != 0 && bits <= TRV_SHAPE_BY_HAND && (bits & (bits - 1)) == 0;
}

trv_result trv_shape_switched(const trv_world *world, trv_shape_id id, trv_shape_switch which,
                              bool *on)
{
    if (on == NULL)
        return TRV_ERROR_NULL;
    *on = false;
    uint32_t lead;
    trv_result result = trvi_find_shape(world, id, &lead);
    if (result == TRV_OK && !is_switch(which))
        result = TRV_ERROR_RANGE;
    if (result == TRV_OK)
        *on = (trvi_shapes(world)[lead].flags & (uint32_t)which) != 0;
    return result;
}

// Which contacts the shape has, and of which kind, is another matter now: those that the switch
// bears on are made anew. Sensors have contacts of their own kind alone.
static void renew_contacts(trv_world *world, uint32_t shape, uint32_t which)
{
    uint32_t kind = which == TRV_SHAPE_SENSOR    ? TRVI_CONTACT_LIVE
                    : which == TRV_SHAPE_BY_HAND ? TRVI_CONTACT_BY_HAND
                                                 : TRVI_CONTACT_SENSOR;
    uint32_t link = first_link(world, shape);
    while (link != TRVI_NONE) {
        uint32_t following = next_link(world, shape, link);
        if (trvi_contacts(world)[link / 2].flags & kind)
            trvi_contact_remove(world, link / 2);
        link = following;
    }
}

static void put_switch(trv_world *world, uint32_t lead, uint32_t which, bool on)
{
    for (uint32_t s = trvi_first_part(world, lead); s != TRVI_NONE; s = trvi_next_part(world, s)) {
        trvi_shape *shape = &trvi_shapes(world)[s];
        shape->flags = (uint16_t)(on ? shape->flags | which : shape->flags & ~which);
        if (which == TRV_SHAPE_SENSOR)
            world->sensors += on ? 1u : UINT32_MAX; // one more or one less
    }
}

// What the switch means to contacts and to the broadphase.
static void apply_switch(trv_world *world, uint32_t lead, uint32_t which)
{
    const trvi_body *body = &trvi_bodies(world)[trvi_shapes(world)[lead].body];
    const uint32_t events = TRV_SHAPE_TOUCH_EVENTS | TRV_SHAPE_HIT_EVENTS;
    if (which & events)
        return;
    for (uint32_t s = trvi_first_part(world, lead); s != TRVI_NONE; s = trvi_next_part(world, s)) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        if (which == TRV_SHAPE_PRE_SOLVE) {
            for (uint32_t l = first_link(world, s); l != TRVI_NONE; l = next_link(world, s, l))
                trvi_contact_take_materials(world, &trvi_contacts(world)[l / 2]);
            continue;
        }
        renew_contacts(world, s, which);
        trv_broad_set(world->broad, shape->proxy, trvi_shape_set(body, shape));
        trv_broad_filter(world->broad, shape->proxy, trvi_shape_filter(world, body, shape));
    }
}

trv_result trv_shape_set_switch(trv_world *world, trv_shape_id id, trv_shape_switch which, bool on)
{
    uint32_t lead;
    trv_result result = trvi_find_shape_to_change(world, id, &lead);
    if (result == TRV_OK && !is_switch(which))
        result = TRV_ERROR_RANGE;
    if (result != TRV_OK)
        return result;
    uint32_t bit = (uint32_t)which;
    if (((trvi_shapes(world)[lead].flags & bit) != 0) == on)
        return TRV_OK;
    uint32_t body = trvi_shapes(world)[lead].body;
    bool sensor = which == TRV_SHAPE_SENSOR;
    put_switch(world, lead, bit, on);
    if (sensor) // what is no sensor any more has mass
        result = trvi_body_update_mass(world, &trvi_bodies(world)[body]);
    if (result != TRV_OK && !on) {
        put_switch(world, lead, bit, true);
        return result;
    }
    if (result != TRV_OK)
        trvi_body_lose_mass(world, &trvi_bodies(world)[body]);
    if (sensor)
        trvi_forget_loads(world, body);
    if (sensor || which == TRV_SHAPE_PRE_SOLVE)
        stir(world, lead);
    apply_switch(world, lead, bit);
    return TRV_OK;
}

// What a contact knows of the solid that was there: nothing of it holds. It stays told as it is.
static void forget_solid(trvi_contact *contact)
{
    memset(&contact->plane, 0, sizeof contact->plane);
    memset(contact->impulses, 0, sizeof contact->impulses);
    contact->flags &= ~(uint32_t)TRVI_CONTACT_SLIDES_ALL;
    memset(&contact->manifold, 0, sizeof contact->manifold);
    trvi_set_answer(contact, TRVI_APART_SEARCHED);
    contact->travelled = -1.0;
}

static void put_solid(trvi_shape *shape, const trv_shape *solid, bool by_rest_box)
{
    trvi_copy_solid(&shape->solid, solid);
    shape->flags &= (uint16_t)~TRVI_SHAPE_REST_BOX;
    if (by_rest_box && solid->kind != TRV_SHAPE_PLANE)
        shape->flags |= TRVI_SHAPE_REST_BOX;
}

static trv_result check_new_solid(const trv_world *world, uint32_t index, const trv_shape *solid)
{
    if (solid == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trv_shape_check(solid);
    if (result != TRV_OK)
        return result;
    const trvi_shape *shape = &trvi_shapes(world)[index];
    bool fixed = trvi_bodies(world)[shape->body].kind == TRV_BODY_STATIC;
    bool compound = solid->kind == TRV_SHAPE_COMPOUND || trvi_first_part(world, index) != index;
    return compound || (solid->kind == TRV_SHAPE_PLANE && !fixed) ? TRV_ERROR_KIND : TRV_OK;
}

trv_result trv_shape_set_solid(trv_world *world, trv_shape_id id, const trv_shape *solid)
{
    uint32_t index;
    trv_result result = trvi_find_shape_to_change(world, id, &index);
    if (result == TRV_OK)
        result = check_new_solid(world, index, solid);
    if (result != TRV_OK)
        return result;
    if (solid->kind == TRV_SHAPE_HULL && !trvi_hold_reserve(world, 1))
        return TRV_ERROR_MEMORY;
    trvi_shape *shape = &trvi_shapes(world)[index];
    trvi_body *body = &trvi_bodies(world)[shape->body];
    trvi_shape before = *shape;
    bool by_rest_box = (shape->flags & TRVI_SHAPE_REST_BOX) != 0;
    put_solid(shape, solid, by_rest_box);
    result = trvi_body_update_mass(world, body);
    if (result != TRV_OK) {
        put_solid(shape, &before.solid, by_rest_box);
        return result;
    }
    if (solid->kind == TRV_SHAPE_HULL)
        trv_hull_retain(solid->as.hull);
    trvi_let_go(world, &before);
    trvi_hold(world, shape);
    stir(world, index);
    trvi_forget_loads(world, shape->body);
    for (uint32_t l = first_link(world, index); l != TRVI_NONE; l = next_link(world, index, l))
        forget_solid(&trvi_contacts(world)[l / 2]);
    trv_aabb box = trvi_shape_place(shape, body->frame, 0.0f);
    trv_broad_move(world->broad, shape->proxy, box);
    trv_broad_filter(world->broad, shape->proxy, trvi_shape_filter(world, body, shape));
    return TRV_OK;
}
