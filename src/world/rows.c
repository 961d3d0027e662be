// Rows of bodies that overlap, each with the next, as in a stack that was put together too tightly.
//
// Each two are pushed apart at the world's push speed, without keeping any speed from it. But the last one
// of a row comes as far in a step as all of these together take it, and is thrown about by the least error.
// So where they add up to more than some push speeds, all that overlaps in that island parts more slowly.
//
// They are added up along three directions, of which weight pulls along one: a contact takes the farther of its
// bodies along by what it pushes, or, where two merely touch, as fast as the nearer one. Of all ways to a
// body the one that adds up to the most counts, as each contact on it may give more than it asks for.
// Bodies are nearer or farther by where their centres are, so that no way comes back to where it was.
#include "solver_data.h"

// Of the push speed; what parts by less than half of one counts as still.
enum { PARTS = 32, MOST_PARTS = 0xFFFF };

// Those of a pack along one direction.
typedef struct rows {
    const trvi_step *step;
    const trvi_block *blocks;
    const trvi_trial *trials;
    uint32_t count;
    const bool *looked_at; // islands
    trv_vec3 along;
} rows;

static bool push_both(const trvi_block *block, int lane)
{
    return (block->pushes_a & block->pushes_b & 1u << lane) != 0;
}

// How fast the contact pushes two bodies apart, in parts.
static float parts_of(const trvi_block *block, const trvi_trial *trial, int lane, float push)
{
    if (!push_both(block, lane))
        return 0.0f;
    return (float)PARTS * trvi_smaller(trial->aims.pushes[lane] / push, 1.0f);
}

static uint32_t whole_parts(float parts)
{
    return (uint32_t)(parts + 0.5f);
}

static bool touch(const trvi_block *block, const trvi_trial *trial, int lane)
{
    for (uint32_t p = 0; p < block->points; p++)
        if (block->point[p].normal_mass[lane] > 0.0f && trial->aims.of[p].bias[lane] <= 0.0f)
            return true;
    return false;
}

static bool is_nearer(const rows *of, uint32_t a, uint32_t b)
{
    float at_a = trvi_dot(of->step->bodies[a].center, of->along);
    float at_b = trvi_dot(of->step->bodies[b].center, of->along);
    return at_a < at_b || (at_a == at_b && a < b);
}

// True where the farther one of the contact's bodies is found to come farther.
static bool take_along(const rows *of, uint32_t i, int lane)
{
    const trvi_block *block = &of->blocks[i];
    trv_vec3 normal = trvi_lane_get(&block->normal, (uint32_t)lane);
    float lies = fabsf(trvi_dot(normal, of->along));
    if (!push_both(block, lane) || lies < TRVI_ROW_LIES || !touch(block, &of->trials[i], lane))
        return false;
    uint32_t near = block->body_a[lane], far = block->body_b[lane];
    if (is_nearer(of, far, near)) {
        near = far;
        far = block->body_a[lane];
    }
    uint32_t parts =
        whole_parts(lies * parts_of(block, &of->trials[i], lane, of->step->push_speed));
    parts += of->step->bodies[near].row_parts;
    parts = parts < MOST_PARTS ? parts : MOST_PARTS;
    if (parts <= of->step->bodies[far].row_parts)
        return false;
    of->step->bodies[far].row_parts = (uint16_t)parts;
    return true;
}

// One way over the contacts, or back.
static bool take_all_along(const rows *of, bool back)
{
    bool any = false;
    for (uint32_t n = 0; n < of->count; n++) {
        uint32_t i = back ? of->count - 1 - n : n;
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
            if (of->looked_at[of->blocks[i].island[lane]] && take_along(of, i, lane))
                any = true;
    }
    return any;
}

// The most that a row of each island that is looked at adds up to along one direction.
static void add_up(const rows *of, const trvi_island *pack, uint32_t *most)
{
    const uint32_t *bodies = trvi_island_bodies(of->step->world) + pack->first_body;
    uint32_t count = 0;
    for (uint32_t k = 0; k < pack->pack; k++)
        count += pack[k].bodies;
    for (uint32_t i = 0; i < count; i++)
        of->step->bodies[bodies[i]].row_parts = 0;
    // Each goes on by a body at least, so that it ends after as many as there are.
    for (uint32_t n = 0; take_all_along(of, n % 2 != 0); n++)
        continue;
    for (uint32_t k = 0; k < pack->pack; k++)
        for (uint32_t i = 0; i < pack[k].bodies; i++, bodies++)
            if (of->step->bodies[*bodies].row_parts > most[k])
                most[k] = of->step->bodies[*bodies].row_parts;
}

// All points of a contact by the same, so that what lies aslant straightens.
static void slow_down(const trvi_block *block, uint32_t lane, float share, trvi_trial *trial)
{
    float less = (1.0f - share) * trial->aims.pushes[lane];
    for (uint32_t p = 0; p < block->points; p++) {
        float *bias = &trial->aims.of[p].bias[lane];
        if (*bias < 0.0f)
            *bias = trvi_smaller(*bias + less, 0.0f);
    }
}

// Could any row of an island of the pack add up to more than `most`?
static bool look_at(const trvi_step *step, const trvi_island *pack, const trvi_block *blocks,
                    const trvi_trial *trials, uint32_t most, bool *looked_at)
{
    uint32_t sums[TRVI_BLOCK_LANES] = {0};
    bool any = false;
    for (uint32_t i = 0; i < pack->blocks; i++)
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
            sums[blocks[i].island[lane]] +=
                whole_parts(parts_of(&blocks[i], &trials[i], lane, step->push_speed));
    for (uint32_t k = 0; k < pack->pack; k++) {
        looked_at[k] = sums[k] > most;
        any = any || looked_at[k];
    }
    return any;
}

void trvi_slow_rows(const trvi_step *step, const trvi_island *pack, const trvi_block *blocks,
                    trvi_trial *trials, float *shares)
{
    const uint32_t most = (uint32_t)(TRVI_ROW_PUSHES * PARTS);
    uint32_t row[TRVI_BLOCK_LANES] = {0};
    bool looked_at[TRVI_BLOCK_LANES] = {false}, slower = false;
    for (uint32_t k = 0; k < TRVI_BLOCK_LANES; k++)
        shares[k] = 1.0f;
    if (!(step->push_speed > 0.0f) || !look_at(step, pack, blocks, trials, most, looked_at))
        return;
    rows of = {step, blocks, trials, pack->blocks, looked_at, {0.0f, 0.0f, 0.0f}};
    const trv_vec3 up = trvi_normalize_or(trvi_negate(step->world->gravity), trvi_vec3(0, 1, 0));
    const trv_vec3 aside = trvi_tangent_of(up), axes[3] = {up, aside, trvi_cross(up, aside)};
    for (int k = 0; k < 3; k++) {
        of.along = axes[k];
        add_up(&of, pack, row);
    }
    for (uint32_t k = 0; k < pack->pack; k++)
        if (row[k] > most) {
            shares[k] = (float)most / (float)row[k];
            slower = true;
        }
    for (uint32_t i = 0; i < pack->blocks && slower; i++)
        for (uint32_t lane = 0; lane < blocks[i].lanes; lane++)
            slow_down(&blocks[i], lane, shares[blocks[i].island[lane]], &trials[i]);
}
