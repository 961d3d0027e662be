// Islands that are solved with care: as many sweeps as they take to settle.
//
// A sweep over the contacts carries a load one body further. Here the change that a sweep makes counts
// as the slope of an energy, and successive slopes are made conjugate: the foot of a high stack
// learns what it bears in some ten sweeps, and that a body bears a thousand times its weight is
// found in some tens. An island whose impulses of the sub-step before still hold is settled after
// one sweep, as all others are. How many sweeps it takes depends on nothing outside it.
//
// Based on: M. Silcowitz-Hansen, S. Niebe, K. Erleben, "A Nonsmooth Nonlinear Conjugate Gradient
// Method for Interactive Contact Force Problems" (2010).
#include "solver_data.h"

static trvi_block *blocks_of(const trvi_step *step, const trvi_island *island)
{
    return step->blocks + island->first_block;
}

static trvi_trial *trials_of(const trvi_step *step, const trvi_island *island)
{
    trvi_trial *trials = step->world->trials.items;
    return trials + (island->first_block - step->world->color_runs[TRVI_COLORS + 1]);
}

// The energies, impulse^2 / mass, that a change may have for the island to count as settled: of errors
// of speed that are small beside what weight brings in a sub-step, or beside the speeds at which
// bodies are meeting; smaller still in small islands, where it costs next to nothing.
void trvi_island_set_allowed(const trvi_step *step, trvi_island *island)
{
    const trvi_block *blocks = blocks_of(step, island);
    float share = fminf((float)island->blocks / TRVI_SETTLED_BLOCKS, 1.0f);
    float weight = share * TRVI_SETTLED_WEIGHT * trvi_length(step->world->gravity) * step->h;
    double allowed = 0.0;
    for (uint32_t i = 0; i < island->blocks; i++)
        for (uint32_t p = 0; p < blocks[i].points; p++)
            for (int lane = 0; lane < TRVI_LANES; lane++) {
                const trvi_block_point *point = &blocks[i].point[p];
                float meeting = share * TRVI_SETTLED_MEETING * fminf(point->approach[lane], 0.0f);
                allowed +=
                    (double)(point->normal_mass[lane] * (weight * weight + meeting * meeting));
            }
    island->allowed = allowed;
}

static uint32_t most_sweeps(const trvi_island *island)
{
    uint32_t share = TRVI_SWEEP_BLOCKS / island->blocks;
    return share > TRVI_SWEEPS_MAX ? TRVI_SWEEPS_MAX
                                   : (share < TRVI_SWEEPS_MIN ? TRVI_SWEEPS_MIN : share);
}

// The energies of what has changed since the impulses were remembered, and of the impulses themselves.
static trvi_change change_of(const trvi_step *step, const trvi_island *island)
{
    trvi_block *blocks = blocks_of(step, island);
    trvi_trial *trials = trials_of(step, island);
    trvi_change sum = {0.0, 0.0};
    for (uint32_t i = 0; i < island->blocks; i++) {
        trvi_change change = trvi_block_change(&blocks[i], &trials[i]);
        sum.made += change.made;
        sum.whole += change.whole;
    }
    return sum;
}

static bool is_settled(const trvi_island *island, trvi_change change, double share)
{
    const double rounding = TRVI_SETTLED_ROUNDING * TRVI_SETTLED_ROUNDING;
    return change.made <= share * island->allowed + rounding * change.whole;
}

// One sweep over the blocks in their order, and, unless that was enough, one back: only together are
// they alike in both directions, as conjugate slopes need. False when the island was settled.
static bool sweep(const trvi_step *step, const trvi_island *island, bool push, trvi_change *change)
{
    trvi_block *blocks = blocks_of(step, island);
    trvi_trial *trials = trials_of(step, island);
    for (uint32_t i = 0; i < island->blocks; i++) {
        trvi_block_remember(&blocks[i], &trials[i]);
        trvi_block_solve(step, &blocks[i], push);
    }
    if (is_settled(island, change_of(step, island), TRVI_SETTLED_AT_ONCE))
        return false;
    for (uint32_t i = island->blocks; i-- > 0;)
        trvi_block_solve(step, &blocks[i], push);
    *change = change_of(step, island);
    return !is_settled(island, *change, 1.0);
}

void trvi_settle_island(const trvi_step *step, const trvi_island *island, bool push)
{
    trvi_block *blocks = blocks_of(step, island);
    trvi_trial *trials = trials_of(step, island);
    double before = 0.0;
    uint32_t most = most_sweeps(island);
    for (uint32_t i = 0; i < most; i++) {
        trvi_change change;
        if (!sweep(step, island, push, &change) || i + 1 == most)
            return; // at the bound: as good as it got, and the next sub-step goes on from there
        // Where the slope has grown the way led astray: begin anew along this sweep's change.
        float share = change.made < before ? (float)(change.made / before) : 0.0f;
        before = change.made;
        for (uint32_t b = 0; b < island->blocks; b++)
            trvi_block_go_on(step, &blocks[b], &trials[b], share);
    }
}
