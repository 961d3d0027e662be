// Which bodies the guard has to look at: how far each has come in the sub-step.
#include "guard_data.h"

void trvi_guard_begin(const trvi_step *step, uint32_t solver)
{
    trvi_certified *from = &((trvi_certified *)step->world->certified.items)[solver];
    from->moved = step->motions[solver].moved;
    from->turned = step->motions[solver].turned;
}

void trvi_guard_end(const trvi_step *step, uint32_t solver)
{
    const trvi_body *body = trvi_guard_body(step, solver);
    const trvi_motion *motion = &step->motions[solver];
    const trvi_certified *from = trvi_certified_of(step, solver);
    float way = trvi_length(trvi_sub(motion->moved, from->moved)) +
                trvi_chord_of_turn(motion->turned, from->turned) * body->extent;
    bool swept = !(body->flags & TRVI_BODY_DISCRETE);
    // A turn by more than half of one ends near to where it began.
    float spin = trvi_length(motion->angular) * step->h;
    bool far = way > TRVI_GUARD_WAY * body->thickness ||
               (spin > 3.0f && spin * body->extent > TRVI_GUARD_WAY * body->thickness);
    ((uint8_t *)step->world->far_bodies.items)[solver] = swept && far;
}
