// How many sweeps large islands take in a pass: more, the more layers they are high, while they move.
//
// A sweep carries a push some bodies further. What stands in many layers and is hit, or falls onto itself
// by the gaps that it was set up with, is pressed together before its foot has stopped it. What then
// pushes each two bodies apart adds up from layer to layer, and single sweeps take back too little of
// it: the whole swings on its springs, or is thrown up. What rests bears what it bore in the step
// before, and one sweep is enough. How many sweeps an island takes depends on nothing outside it.
#include "solver_data.h"

// Of an island's bodies: with fewer in a pile, most of it flies about.
enum { PART = 4 };

// A large island: of its bodies that press on others face to face, or slide, and are no faster than if
// they had fallen by their own extent. What is faster falls or is flung.
typedef struct pile {
    double squares;       // of speeds, m^2/s^2
    double thick;         // their thicknesses, m
    float low, high;      // of their centres, m
    uint32_t bodies, all; // `all`: however fast they are
} pile;

void trvi_layers_init(trv_world *world)
{
    world->layers.stride = sizeof(pile);
}

// Gives each large island a place.
static uint32_t list_piles(const trv_world *world, const uint32_t *parents, const uint32_t *slots,
                           uint32_t *indices)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->solver_bodies.count; i++)
        if (parents[i] == i && slots[i] == TRVI_SLOT_LARGE)
            indices[i] = count++;
    return count;
}

static void add_body(const trv_world *world, pile *to, const trvi_solver_body *of, trv_vec3 up,
                     float gravity)
{
    const trvi_body *body = &trvi_bodies(world)[of->body];
    float height = trvi_dot(of->center, up);
    trv_vec3 velocity = trvi_mobile_of(world, body)->linear_velocity;
    to->all++;
    if (!(trvi_dot(velocity, velocity) <= 2.0f * gravity * body->extent))
        return;
    to->low = to->bodies == 0 ? height : trvi_smaller(to->low, height);
    to->high = to->bodies == 0 ? height : trvi_larger(to->high, height);
    to->squares += (double)trvi_dot(velocity, velocity);
    to->thick += (double)body->thickness;
    to->bodies++;
}

// A push has to reach the foot of a pile before its bodies have fallen by their own thickness.
static uint32_t more_sweeps(const pile *of, float gravity, float substep)
{
    double bodies = (double)of->bodies, thick = 2.0 * of->thick / bodies;
    double still = (double)(gravity * substep);
    if (!(of->squares > bodies * still * still) || of->bodies < of->all / PART)
        return 0;
    double layers = (double)(of->high - of->low) / thick;
    double more = layers * (double)substep / sqrt(2.0 * thick / (double)gravity);
    more /= (double)TRVI_LAYERS_SWEEP;
    return more < (double)TRVI_MORE_SWEEPS ? (uint32_t)more : TRVI_MORE_SWEEPS;
}

bool trvi_find_more_sweeps(trv_world *world, float substep, uint32_t *parents, uint32_t *slots,
                           uint32_t *indices)
{
    const trvi_solver_body *bodies = world->solver_bodies.items;
    world->more_sweeps = 0;
    uint32_t count = list_piles(world, parents, slots, indices);
    if (count == 0)
        return true;
    if (!trvi_array_reserve(&world->allocator, &world->layers, count))
        return false;
    const trv_vec3 none = {0.0f, 0.0f, 0.0f};
    const trv_vec3 up = trvi_normalize_or(trvi_negate(world->gravity), none);
    const float gravity = trvi_length(world->gravity);
    const uint32_t loaded = TRVI_BEARING_STICKS | TRVI_BEARING_SLIDES;
    pile *piles = world->layers.items;
    for (uint32_t i = 0; i < count; i++)
        piles[i] = (pile){0.0, 0.0, 0.0f, 0.0f, 0, 0};
    for (uint32_t i = 1; i < world->solver_bodies.count; i++) {
        uint32_t root = trvi_island_root(parents, i);
        if (slots[root] == TRVI_SLOT_LARGE && (bodies[i].bearing & loaded) != 0)
            add_body(world, &piles[indices[root]], &bodies[i], up, gravity);
    }
    for (uint32_t i = 0; i < world->solver_bodies.count; i++) {
        if (parents[i] != i || slots[i] != TRVI_SLOT_LARGE)
            continue;
        uint32_t more = more_sweeps(&piles[indices[i]], gravity, substep);
        slots[i] -= more;
        world->more_sweeps = more > world->more_sweeps ? more : world->more_sweeps;
    }
    return true;
}
