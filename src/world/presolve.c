// What holds for a contact in this step alone: how the surfaces run over their bodies, and what the
// caller's pre-solve function has to say.
//
// A contact that is switched off loses its points for the step: to all that follows, waking,
// solving, islands and touching, the shapes are then apart.
#include "world_data.h"

static bool holds(float value, float most)
{
    return value >= 0.0f && value <= most;
}

// False where the contact is to do nothing.
static bool ask(const trv_world *world, trvi_contact *contact, trv_manifold manifold)
{
    const trvi_shape *a = &trvi_shapes(world)[contact->shape_a];
    const trvi_shape *b = &trvi_shapes(world)[contact->shape_b];
    manifold.part_a = a->part;
    manifold.part_b = b->part;
    trv_vec3 at = manifold.points[trvi_deepest_of(&manifold)].point;
    const trv_pre_solve_input input = {trvi_shape_id(world, contact->shape_a),
                                       trvi_shape_id(world, contact->shape_b),
                                       trvi_body_id(world, contact->body_a),
                                       trvi_body_id(world, contact->body_b),
                                       a->user,
                                       b->user,
                                       &manifold,
                                       trvi_velocity_past(world, b->body, a->body, at),
                                       (contact->flags & TRVI_CONTACT_TOUCHING) != 0};
    trv_pre_solve_output output = {true, contact->friction, contact->restitution, contact->surface};
    world->pre_solve.fn(world->pre_solve.user, &input, &output);
    if (holds(output.friction, TRV_COORD_MAX))
        contact->friction = output.friction;
    if (holds(output.restitution, 1.0f))
        contact->restitution = output.restitution;
    if (trvi_check_vec3(output.surface_velocity) == TRV_OK)
        contact->surface = output.surface_velocity;
    return output.enable;
}

bool trvi_pre_solve_blow(const trv_world *world, trvi_contact *contact,
                         const trv_manifold *manifold)
{
    return !(contact->flags & TRVI_CONTACT_ASKS) || world->pre_solve.fn == NULL ||
           ask(world, contact, *manifold);
}

void trvi_pre_solve(const trv_world *world, trvi_contact *contact)
{
    if (contact->manifold.count == 0)
        return;
    const trvi_shape *a = &trvi_shapes(world)[contact->shape_a];
    const trvi_shape *b = &trvi_shapes(world)[contact->shape_b];
    trvi_contact_take_materials(world, contact);
    contact->surface = trvi_sub(trvi_rotate(trvi_bodies(world)[b->body].rotation,
                                            trvi_material_of(world, b)->surface_velocity),
                                trvi_rotate(trvi_bodies(world)[a->body].rotation,
                                            trvi_material_of(world, a)->surface_velocity));
    if (!(contact->flags & TRVI_CONTACT_ASKS) || world->pre_solve.fn == NULL ||
        ask(world, contact, contact->manifold))
        return;
    contact->manifold.count = 0;
    contact->travelled = -1.0; // there is nothing to go on with
}
