// Rows of bodies that overlap, each with the next, as in a stack that was put together too tightly.
//
// Each two are pushed apart at the world's push speed, without keeping any speed from it. But the last one
// of a row comes as far in a step as all of these together take it, and is thrown about by the least error.
// So where they add up to more than some push speeds, all that overlaps in that island parts more slowly.
//
// What they add up to is counted from the lowest body of each row, to which weight holds the others; of all
// ways to a body by the one that adds up to the least. Without weight it is counted from any, where half as
// much might do.
#include "solver_data.h"

// Of the push speed; what parts by less than half of one counts as still.
enum { PARTS = 32, MOST_PARTS = 0xFFFF };

// How fast the contact pushes two bodies apart, in parts.
static uint32_t parts_of(const trvi_block *block, const trvi_trial *trial, int lane, float push)
{
    if (!(block->pushes_a & block->pushes_b & 1u << lane))
        return 0;
    return (uint32_t)((float)PARTS * trvi_smaller(trial->aims.pushes[lane] / push, 1.0f) + 0.5f);
}

static bool is_lower(const trvi_step *step, uint32_t a, uint32_t b)
{
    const trv_vec3 down = step->world->gravity;
    float low_a = trvi_dot(step->bodies[a].center, down);
    float low_b = trvi_dot(step->bodies[b].center, down);
    return low_a > low_b || (low_a == low_b && a < b);
}

static bool follow(trvi_solver_body *body, uint32_t foot, uint32_t parts)
{
    parts = parts < MOST_PARTS ? parts : MOST_PARTS;
    if (body->row_foot == foot && body->row_parts <= parts)
        return false;
    body->row_foot = foot;
    body->row_parts = (uint16_t)parts;
    return true;
}

// True where either now knows better from where it is pushed.
static bool join(const trvi_step *step, uint32_t a, uint32_t b, uint32_t parts)
{
    trvi_solver_body *one = &step->bodies[a], *two = &step->bodies[b];
    if (one->row_foot != two->row_foot && is_lower(step, two->row_foot, one->row_foot))
        return follow(one, two->row_foot, two->row_parts + parts);
    if (one->row_foot != two->row_foot)
        return follow(two, one->row_foot, one->row_parts + parts);
    return follow(two, one->row_foot, one->row_parts + parts) ||
           follow(one, two->row_foot, two->row_parts + parts);
}

// One way over the pack's contacts, or back.
static bool join_all(const trvi_step *step, const trvi_island *pack, const trvi_block *blocks,
                     const trvi_trial *trials, const bool *looked_at, bool back)
{
    bool any = false;
    for (uint32_t n = 0; n < pack->blocks; n++) {
        uint32_t i = back ? pack->blocks - 1 - n : n;
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
            if (!looked_at[blocks[i].island[lane]])
                continue;
            uint32_t parts = parts_of(&blocks[i], &trials[i], lane, step->push_speed);
            if (parts > 0 && join(step, blocks[i].body_a[lane], blocks[i].body_b[lane], parts))
                any = true;
        }
    }
    return any;
}

// The most that a row adds up to in an island that was looked at.
static uint32_t longest_row(const trvi_step *step, const trvi_island *island)
{
    const uint32_t *bodies = trvi_island_bodies(step->world) + island->first_body;
    uint32_t most = 0;
    for (uint32_t i = 0; i < island->bodies; i++)
        most = step->bodies[bodies[i]].row_parts > most ? step->bodies[bodies[i]].row_parts : most;
    return most;
}

// All points of a contact by the same, so that what lies aslant straightens.
static void slow_down(const trvi_block *block, int lane, float share, trvi_trial *trial)
{
    float less = (1.0f - share) * trial->aims.pushes[lane];
    for (uint32_t p = 0; p < block->points; p++) {
        float *bias = &trial->aims.of[p].bias[lane];
        if (*bias < 0.0f)
            *bias = trvi_smaller(*bias + less, 0.0f);
    }
}

// Could any row of an island of the pack add up to more than `most`? Who is in such an island is counted anew.
static bool look_at(const trvi_step *step, const trvi_island *pack, const trvi_block *blocks,
                    const trvi_trial *trials, uint32_t most, bool *looked_at)
{
    uint32_t sums[TRVI_BLOCK_LANES] = {0};
    bool any = false;
    for (uint32_t i = 0; i < pack->blocks; i++)
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
            sums[blocks[i].island[lane]] +=
                parts_of(&blocks[i], &trials[i], lane, step->push_speed);
    for (uint32_t k = 0; k < pack->pack; k++) {
        looked_at[k] = sums[k] > most;
        any = any || looked_at[k];
        const uint32_t *bodies = trvi_island_bodies(step->world) + pack[k].first_body;
        for (uint32_t i = 0; i < pack[k].bodies && looked_at[k]; i++) {
            step->bodies[bodies[i]].row_foot = bodies[i];
            step->bodies[bodies[i]].row_parts = 0;
        }
    }
    return any;
}

void trvi_slow_rows(const trvi_step *step, const trvi_island *pack, const trvi_block *blocks,
                    trvi_trial *trials, float *shares)
{
    const uint32_t most = (uint32_t)(TRVI_ROW_PUSHES * PARTS);
    bool looked_at[TRVI_BLOCK_LANES] = {false}, slower = false;
    for (uint32_t k = 0; k < TRVI_BLOCK_LANES; k++)
        shares[k] = 1.0f;
    if (!(step->push_speed > 0.0f) || !look_at(step, pack, blocks, trials, most, looked_at))
        return;
    // Each goes on by a body at least, so that it ends after as many as there are.
    for (uint32_t n = 0; join_all(step, pack, blocks, trials, looked_at, n % 2 != 0); n++)
        continue;
    for (uint32_t k = 0; k < pack->pack; k++) {
        uint32_t row = looked_at[k] ? longest_row(step, &pack[k]) : 0;
        if (row > most) {
            shares[k] = (float)most / (float)row;
            slower = true;
        }
    }
    for (uint32_t i = 0; i < pack->blocks && slower; i++)
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
            slow_down(&blocks[i], lane, shares[blocks[i].island[lane]], &trials[i]);
}
