// Which bodies the guard has to look at: how far each has come in the sub-step.
#include "guard_data.h"

void trvi_guard_begin(const trvi_step *step, uint32_t solver)
{
    trvi_certified *from = &((trvi_certified *)step->world->certified.items)[solver];
    from->moved = step->motions[solver].moved;
    from->turned = step->motions[solver].turned;
}

void trvi_guard_tell_stray(const trvi_step *step, uint32_t solver)
{
    trv_world *world = step->world;
    trvi_certified *certified = world->certified.items;
    for (uint32_t i = 0; i <= world->awake.count && !world->guard_strays; i++)
        certified[i].astray = false; // of another step
    certified[solver].astray = true;
    world->guard_strays = true;
}

float trvi_guard_way(const trvi_body *body)
{
    return body->flags & TRVI_BODY_DISCRETE ? INFINITY : TRVI_GUARD_WAY * body->thickness;
}

void trvi_guard_end(const trvi_step *step, uint32_t solver)
{
    const trvi_solver_body *body = &step->bodies[solver];
    const trvi_motion *motion = &step->motions[solver];
    const trvi_certified *from = trvi_certified_of(step, solver);
    float way = trvi_length(trvi_sub(motion->moved, from->moved)) +
                trvi_chord_of_turn(motion->turned, from->turned) * body->extent;
    // A turn by more than half of one ends near to where it began.
    float spin = trvi_length(motion->angular) * step->h;
    bool far = way > body->far_way || (spin > 3.0f && spin * body->extent > body->far_way);
    bool alone = far && body->alone &&
                 trvi_is_foreseen(step->world, trvi_guard_body(step, solver), step->dt,
                                  motion->moved, motion->turned);
    trvi_guard_set_far(step, solver, alone ? TRVI_FAR_ALONE : far ? TRVI_FAR : 0);
}
