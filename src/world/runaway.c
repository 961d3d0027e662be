// Islands that sweeps lead away from any solution.
//
// Friction can turn a body onto what it slides on: the harder it rubs the harder that presses, and the
// harder it rubs. From a friction of some 4/3 on, that of rods is stronger than what it answers to, and
// each sweep throws the body faster. There is a solution all the same, as where it sticks.
//
// Contacts take energy away, but for what pushes overlap out, and what is moved by hand. An island that
// has several times as much as before they acted, or some more when its sweeps are up, begins anew: first
// as if nothing rubbed, then with friction's largest impulses held at what that has found. Both look for
// the least of a convex energy, which each sweep comes nearer to, and at which friction takes energy away,
// if not by Coulomb's measure.
//
// Based on: P. Painleve, "Sur les lois du frottement de glissement" (1895); J. Haslinger, "Approximation
// of the Signorini problem with friction, obeying the Coulomb law" (1983), for the impulses that are
// held.
#include "solver_data.h"

#include <math.h>
#include <string.h>

static double energy_of(const trvi_step *step, uint32_t solver, trv_vec3 linear, trv_vec3 angular)
{
    const trvi_body *body = &trvi_bodies(step->world)[step->bodies[solver].body];
    const trvi_mobile *mobile = trvi_mobile_of(step->world, body);
    trv_quat rotation = trvi_quat_mul(step->motions[solver].turned, body->rotation);
    trv_vec3 spin = trvi_rotate_inverse(rotation, angular);
    return 0.5 * ((double)mobile->mass * (double)trvi_dot(linear, linear) +
                  (double)trvi_dot(spin, trvi_symmetric_mul(&mobile->inertia, spin)));
}

double trvi_energy_of(const trvi_step *step, const trvi_island *island)
{
    const uint32_t *bodies = trvi_island_bodies(step->world) + island->first_body;
    double energy = 0.0;
    for (uint32_t i = 0; i < island->bodies; i++) {
        const trvi_motion *motion = &step->motions[bodies[i]];
        energy += energy_of(step, bodies[i], motion->linear, motion->angular);
    }
    return energy;
}

// Without contacts, in this sub-step.
static double free_energy_of(const trvi_step *step, const trvi_island *island)
{
    const uint32_t *bodies = trvi_island_bodies(step->world) + island->first_body;
    double energy = 0.0;
    for (uint32_t i = 0; i < island->bodies; i++) {
        const trvi_solver_body *solver = &step->bodies[bodies[i]];
        energy += energy_of(step, bodies[i], solver->free, solver->free_spin);
    }
    return energy;
}

static double mass_of(const trvi_step *step, const trvi_island *island)
{
    const uint32_t *bodies = trvi_island_bodies(step->world) + island->first_body;
    double mass = 0.0;
    for (uint32_t i = 0; i < island->bodies; i++) {
        const trvi_body *body = &trvi_bodies(step->world)[step->bodies[bodies[i]].body];
        mass += (double)trvi_mobile_of(step->world, body)->mass;
    }
    return mass;
}

// How fast a side of the contact goes by that contacts cannot push, at the middle, m/s.
static float driven_by(const trvi_step *step, uint32_t solver, trv_vec3 arm)
{
    const trvi_motion *motion = &step->motions[solver];
    return trvi_length(trvi_add(motion->linear, trvi_cross(motion->angular, arm)));
}

// What pushes out, or goes by, at most, m/s.
static float driven_at(const trvi_step *step, const trvi_block *block, const trvi_trial *trial,
                       int lane)
{
    float driven = 0.0f;
    if (!(block->pushes_a >> lane & 1u))
        driven =
            driven_by(step, block->body_a[lane], trvi_lane_get(&block->middle_a, (uint32_t)lane));
    if (!(block->pushes_b >> lane & 1u))
        driven = trvi_larger(driven, driven_by(step, block->body_b[lane],
                                               trvi_lane_get(&block->middle_b, (uint32_t)lane)));
    if (block->runs)
        driven += fabsf(block->surface_1[lane]) + fabsf(block->surface_2[lane]);
    for (uint32_t p = 0; p < block->points; p++)
        if (block->point[p].normal_mass[lane] > 0.0f)
            driven = trvi_larger(driven, -trial->aims.of[p].bias[lane]);
    return driven;
}

static bool is_of(const trvi_block *block, int lane, uint32_t island)
{
    return block->contact[lane] != TRVI_NONE && block->island[lane] == island;
}

bool trvi_runs_away(const trvi_step *step, const trvi_island *pack, uint32_t island, double times,
                    double begun, const trvi_block *blocks, const trvi_trial *trials)
{
    double has = trvi_energy_of(step, &pack[island]);
    double had = fmax(free_energy_of(step, &pack[island]), begun);
    if (has <= times * had)
        return false;
    float driven = TRVI_RUNAWAY_LEAST;
    for (uint32_t i = 0; i < pack->blocks; i++)
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
            if (is_of(&blocks[i], lane, island))
                driven = trvi_larger(driven, driven_at(step, &blocks[i], &trials[i], lane));
    return has > times * (had + mass_of(step, &pack[island]) * (double)(driven * driven));
}

static void scale_impulses(trvi_block *block, int lane, float scale)
{
    for (uint32_t p = 0; p < block->points; p++) {
        block->point[p].normal[lane] *= scale;
        block->point[p].tangent_1[lane] *= scale;
        block->point[p].tangent_2[lane] *= scale;
    }
    if (!block->rolls)
        return;
    block->rolled.x[lane] *= scale;
    block->rolled.y[lane] *= scale;
    block->rolled.z[lane] *= scale;
}

// Takes back what has been given in this sub-step, by giving the opposite.
static void take_back(const trvi_step *step, uint32_t island, trvi_block *block)
{
    trvi_lane_floats given, solving;
    memcpy(given, block->given, sizeof given);
    memcpy(solving, block->solving, sizeof solving);
    for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
        block->solving[lane] = is_of(block, lane, island) ? 1.0f : 0.0f;
        if (is_of(block, lane, island))
            scale_impulses(block, lane, -1.0f);
    }
    step->passes->warm_start(step, block);
    for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
        if (is_of(block, lane, island))
            scale_impulses(block, lane, 0.0f);
    memcpy(block->given, given, sizeof given);
    memcpy(block->solving, solving, sizeof solving);
}

// At what it is by now; `smooth`: at nothing.
static void hold_friction(uint32_t island, bool smooth, trvi_block *block, trvi_trial *trial)
{
    for (uint32_t p = 0; p < block->points; p++)
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
            float *most = &trial->aims.of[p].most[lane];
            if (is_of(block, lane, island))
                *most = smooth ? 0.0f : block->friction[lane] * block->point[p].normal[lane];
            else if (!block->bound)
                *most = -1.0f;
        }
    block->bound = true;
}

void trvi_take_back(const trvi_step *step, const trvi_island *pack, uint32_t island,
                    trvi_block *blocks)
{
    for (uint32_t i = 0; i < pack->blocks; i++)
        take_back(step, island, &blocks[i]);
}

void trvi_hold_friction(const trvi_island *pack, uint32_t island, bool smooth, trvi_block *blocks,
                        trvi_trial *trials)
{
    for (uint32_t i = 0; i < pack->blocks; i++)
        hold_friction(island, smooth, &blocks[i], &trials[i]);
}

void trvi_free_friction(const trvi_island *pack, trvi_block *blocks)
{
    for (uint32_t i = 0; i < pack->blocks; i++)
        blocks[i].bound = false;
}
