// A sub-step of a world, as the solver's parts are handed it, for tests that ask one of them.
#ifndef TRV_TESTS_SOLVER_STEP_H
#define TRV_TESTS_SOLVER_STEP_H

#include "world/solver_data.h"

#include <string.h>

// `passes` may be NULL where nobody solves.
static inline trvi_step solver_step_of(trv_world *world, const trvi_passes *passes)
{
    trvi_step step;
    memset(&step, 0, sizeof step);
    step.world = world;
    step.dt = 1.0f / 60.0f;
    step.substeps = 4;
    step.h = step.dt / 4.0f;
    step.inverse_h = 1.0f / step.h;
    step.weight = trvi_length(world->gravity) * step.h;
    step.push_speed = world->push_speed;
    step.motions = world->motions.items;
    step.bodies = world->solver_bodies.items;
    step.blocks = world->blocks.items;
    step.soft = trvi_softness_of(&step, false);
    step.soft_both = trvi_softness_of(&step, true);
    step.passes = passes;
    return step;
}

#endif
