// Hits: blows that are to be told, when they are over.
#include "solver_data.h"

#include <trivet/collide.h>

bool trvi_wants_hits(const trv_world *world, uint32_t shape_a, uint32_t shape_b)
{
    uint32_t both = trvi_shapes(world)[shape_a].flags & trvi_shapes(world)[shape_b].flags;
    return (both & TRV_SHAPE_HIT_EVENTS) != 0;
}

// How the two stand after the step.
static bool find_gap(const trv_world *world, const trvi_contact *contact, trv_gap *gap)
{
    const trvi_shape *a = &trvi_shapes(world)[contact->shape_a];
    const trvi_shape *b = &trvi_shapes(world)[contact->shape_b];
    return trv_distance(&a->solid, trvi_bodies(world)[a->body].frame, &b->solid,
                        trvi_bodies(world)[b->body].frame, gap) == TRV_OK;
}

static trv_vec3 middle_of(const trv_gap *gap)
{
    return trvi_scale(trvi_add(gap->point_a, gap->point_b), 0.5f);
}

// How fast they come nearer to one another after the step, or, where they overlap, what the step left of that.
static float closing_now(const trv_world *world, const trvi_contact *contact, float left)
{
    trv_gap gap;
    if (!find_gap(world, contact, &gap) || !(gap.distance > 0.0f))
        return left;
    trv_vec3 past = trvi_velocity_past(world, contact->body_a, contact->body_b, middle_of(&gap));
    return trvi_dot(past, gap.normal);
}

// Is a blow still going on? Bodies that are caught on the last bit of the way, before they meet, are
// slowed in one step and stopped in the next. That is one blow: it is told when it is over, with the
// speed that it began with. What is left after two steps is a blow only where it is fast enough to be
// one. What bounces is struck at once.
static bool goes_on(const trv_world *world, const trvi_contact *contact,
                    const trvi_blow_place *place)
{
    if (contact->restitution > 0.0f &&
        place->speed > trvi_bounce_threshold(world, contact->body_a, contact->body_b))
        return false;
    float least = contact->blow > 0.0f ? world->hit_threshold : TRVI_BLOW_OVER * place->speed;
    return place->left > least && closing_now(world, contact, place->left) > least;
}

// What the step found of a blow, or, of one that has gone on in it and is not found anew, how the two are.
static trvi_blow_place place_of(const trv_world *world, uint32_t active)
{
    const trvi_entry *entry = &((const trvi_entry *)world->active.items)[active];
    const trvi_contact *contact = &trvi_contacts(world)[entry->value];
    trvi_blow_place place = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.0f, 0.0f};
    trv_gap gap;
    if (entry->extra & (TRVI_ENTRY_STRUCK | TRVI_ENTRY_MET)) {
        place = trvi_blow_places(world)[active];
    } else if (contact->manifold.count > 0) {
        place.point = contact->manifold.points[0].point;
        place.normal = contact->manifold.normal;
        place.left = trvi_dot(
            trvi_velocity_past(world, contact->body_a, contact->body_b, place.point), place.normal);
    } else if (find_gap(world, contact, &gap)) {
        place.point = middle_of(&gap);
        place.normal = gap.normal;
    }
    place.speed = trvi_larger(place.speed, contact->blow); // it is that of the first step
    return place;
}

void trvi_tell_hit(trv_world *world, uint32_t shape_a, uint32_t shape_b,
                   const trvi_blow_place *place, float impulse)
{
    const trvi_shape *a = &trvi_shapes(world)[shape_a];
    const trvi_shape *b = &trvi_shapes(world)[shape_b];
    TRVI_ASSERT(world->hits.count < world->hits.capacity);
    trv_hit_event *items = world->hits.items;
    items[world->hits.count++] = (trv_hit_event){.shape_a = trvi_shape_id(world, shape_a),
                                                 .shape_b = trvi_shape_id(world, shape_b),
                                                 .body_a = trvi_body_id(world, a->body),
                                                 .body_b = trvi_body_id(world, b->body),
                                                 .user_a = a->user,
                                                 .user_b = b->user,
                                                 .part_a = a->part,
                                                 .part_b = b->part,
                                                 .point = place->point,
                                                 .normal = place->normal,
                                                 .speed = place->speed,
                                                 .impulse = impulse};
}

void trvi_tell_contact_hit(trv_world *world, uint32_t active)
{
    trvi_contact *contact =
        &trvi_contacts(world)[((const trvi_entry *)world->active.items)[active].value];
    if (trvi_wants_hits(world, contact->shape_a, contact->shape_b)) {
        const trvi_blow_place place = place_of(world, active);
        bool counts = contact->blow > 0.0f || place.speed > world->hit_threshold;
        if (counts && goes_on(world, contact, &place)) {
            contact->blow = place.speed;
            return;
        }
        if (counts)
            trvi_tell_hit(world, contact->shape_a, contact->shape_b, &place, contact->given);
    }
    contact->blow = contact->given = 0.0f;
}
