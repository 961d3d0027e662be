// Islands that are solved with care: as many sweeps as they take to settle.
//
// A sweep over the contacts carries a load one body further. Here the change that a sweep makes
// counts as the slope of an energy, and successive slopes are made conjugate: the foot of a high
// stack learns what it bears in some ten sweeps, and that a body bears a thousand times its weight
// is found in some tens. An island whose impulses of the sub-step before still hold is settled
// after one sweep, as all others are. How many sweeps it takes depends on nothing outside it.
//
// What is jammed, as in a wedge that friction closes, can be pressed as hard as one likes without a
// body moving, and each push presses it harder. So points that press harder than loads and blows can come
// to give way.
//
// Based on: M. Silcowitz-Hansen, S. Niebe, K. Erleben, "A Nonsmooth Nonlinear Conjugate Gradient
// Method for Interactive Contact Force Problems" (2010).
#include "solver_data.h"

#include <float.h>
#include <string.h>

static trvi_block *blocks_of(const trvi_step *step, const trvi_island *islands)
{
    return step->blocks + islands->first_block;
}

static trvi_trial *trials_of(const trvi_step *step, const trvi_island *islands)
{
    trvi_trial *trials = step->world->trials.items;
    return trials + (islands->first_block - step->world->color_runs[TRVI_COLORS + 1]);
}

// Blocks, or bodies where these are fewer: on however many contacts a body bears, it is one.
static float share_of(const trvi_island *island)
{
    float effort = (float)(island->bodies < island->effort ? island->bodies : island->effort);
    float few = trvi_smaller(effort / TRVI_SETTLED_FEW, 1.0f);
    return trvi_smaller(effort / TRVI_SETTLED_BLOCKS, 1.0f) * few * few;
}

// What meets there adds to what the block's islands allow for, and bear. `gravity`: m/s in a sub-step.
static void add_meetings(const trvi_block *block, float gravity, trvi_island *islands)
{
    for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
        trvi_island *island = &islands[block->island[lane]];
        float share = share_of(island);
        float weight = trvi_smaller(share * TRVI_SETTLED_WEIGHT, TRVI_SETTLED_LARGEST) * gravity;
        for (uint32_t p = 0; p < block->points; p++) {
            const trvi_block_point *point = &block->point[p];
            float approach = trvi_smaller(point->approach[lane], 0.0f),
                  mass = point->normal_mass[lane];
            float meeting = share * TRVI_SETTLED_MEETING * approach;
            island->allowed += (double)(mass * (weight * weight + meeting * meeting));
            island->bearable += mass * -approach;
        }
    }
}

// The energies, impulse times change of speed, that a change may have for an island to count as
// settled: of errors of speed that are small beside what weight brings in a sub-step, or beside the
// speeds at which bodies are meeting; smaller still in small islands, where it costs next to
// nothing. And the impulse that its loads and blows may come to at a point.
void trvi_islands_prepare(const trvi_step *step, trvi_island *islands)
{
    const trvi_block *blocks = blocks_of(step, islands);
    for (uint32_t k = 0; k < islands->pack; k++) {
        islands[k].sweeps = 0;
        islands[k].allowed = 0.0;
        islands[k].knotted = false;
        islands[k].bearable = trvi_loads_on(
            step, trvi_island_bodies(step->world) + islands[k].first_body, islands[k].bodies);
    }
    for (uint32_t i = 0; i < islands->blocks; i++)
        add_meetings(&blocks[i], step->weight, islands);
}

static uint32_t most_sweeps(const trvi_island *island)
{
    uint32_t share = TRVI_SWEEP_BLOCKS / island->effort;
    return share > TRVI_SWEEPS_MAX ? TRVI_SWEEPS_MAX
                                   : (share < TRVI_SWEEPS_MIN ? TRVI_SWEEPS_MIN : share);
}

static uint32_t vain_sweeps(const trvi_island *island)
{
    uint32_t share = TRVI_VAIN_BLOCKS / island->effort;
    return share > TRVI_VAIN_SWEEPS ? share : TRVI_VAIN_SWEEPS;
}

static uint32_t knot_sweeps(const trvi_island *island)
{
    uint32_t share = TRVI_KNOT_BLOCKS / island->effort;
    return share > TRVI_KNOT_SWEEPS ? share : TRVI_KNOT_SWEEPS;
}

// How far one island of the pack has come.
typedef struct progress {
    double made;    // of the last sweep
    double whole;   // of the impulses after the last sweep forth, where that was asked for
    double before;  // of the one before it
    double mark;    // `made`, when it had last come down to half of what it had been
    uint32_t since; // sweeps
    uint32_t most;  // sweeps
    float hardest;  // impulse of a point as the pass begins, N s
    float bears;    // so much of it before it gives way, N s
    double begun;   // energy as the pass began where blows have changed it, J
    bool strained;  // it began with more than it bears
    bool smooth;    // nothing rubs, for now
    bool held;      // friction's largest impulses are, see runaway.c
    bool little; // its last sweep made little: judged then, as `whole` is of those alone that go on
    bool settled;
} progress;

// The islands that are solved together.
typedef struct settling {
    const trvi_step *step;
    trvi_island *islands;
    trvi_block *blocks;
    trvi_trial *trials;
    bool push;
    progress of[TRVI_BLOCK_LANES];
    // By these shares of how fast they may they push overlap out, see rows.c.
    float pushes[TRVI_BLOCK_LANES];
} settling;

static bool is_solving(const trvi_block *block)
{
    for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
        if (block->solving[lane] > 0.0f)
            return true;
    return false;
}

static void show_settled(settling *pack)
{
    for (uint32_t i = 0; i < pack->islands->blocks; i++)
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
            pack->blocks[i].solving[lane] =
                pack->of[pack->blocks[i].island[lane]].settled ? 0.0f : 1.0f;
}

// A sweep begins: nothing has changed yet.
static void begin_judging(settling *pack)
{
    for (uint32_t k = 0; k < pack->islands->pack; k++)
        if (!pack->of[k].settled)
            pack->of[k].made = 0.0;
}

typedef enum energy_kind { ENERGY_MADE, ENERGY_WHOLE } energy_kind;

static double *energy_in(progress *of, energy_kind kind)
{
    return kind == ENERGY_MADE ? &of->made : &of->whole;
}

// The energies of a block's lanes go to their islands.
static void add_energies(settling *pack, const trvi_block *block, const trvi_lane_floats energies,
                         energy_kind kind)
{
    if (pack->islands->pack == 1) { // one after the other, too, but in a register
        double *to = energy_in(&pack->of[0], kind), sum = *to;
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
            sum += (double)energies[lane];
        *to = sum;
        return;
    }
    for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
        *energy_in(&pack->of[block->island[lane]], kind) += (double)energies[lane];
}

// What has changed in a block since its impulses were remembered.
static void add_change(settling *pack, uint32_t i)
{
    trvi_lane_floats made;
    pack->step->passes->change(&pack->blocks[i], &pack->trials[i], made);
    add_energies(pack, &pack->blocks[i], made, ENERGY_MADE);
}

// Is what the last sweep made of island k little beside what is allowed, or the rounding of the whole?
static bool is_little(const settling *pack, uint32_t k, double share, double whole)
{
    const double rounding = TRVI_SETTLED_ROUNDING * TRVI_SETTLED_ROUNDING;
    const progress *of = &pack->of[k];
    return !of->smooth && of->made <= share * pack->islands[k].allowed + rounding * whole;
}

// Have all settled, whatever the whole is?
static bool are_settled_anyway(const settling *pack, double share)
{
    for (uint32_t k = 0; k < pack->islands->pack; k++)
        if (!pack->of[k].settled && !is_little(pack, k, share, 0.0))
            return false;
    return true;
}

// What the impulses themselves are, of which rounding leaves a part.
static void weigh(settling *pack)
{
    for (uint32_t k = 0; k < pack->islands->pack; k++)
        pack->of[k].whole = 0.0;
    for (uint32_t i = 0; i < pack->islands->blocks; i++) {
        if (!is_solving(&pack->blocks[i]))
            continue;
        trvi_lane_floats whole;
        pack->step->passes->whole(&pack->blocks[i], whole);
        add_energies(pack, &pack->blocks[i], whole, ENERGY_WHOLE);
    }
}

// Judges each island by itself. True where any has not settled.
static bool judge(settling *pack, double share)
{
    bool any = false, all = true;
    for (uint32_t k = 0; k < pack->islands->pack; k++) {
        progress *of = &pack->of[k];
        bool was = of->settled;
        of->little = was ? of->little : is_little(pack, k, share, of->whole);
        of->settled = was || of->little;
        any = any || !of->settled;
        all = all && of->settled == was;
    }
    if (!all && any)
        show_settled(pack);
    return any;
}

// What it is aimed at beside what turns by hand holds for all sweeps; that hangs on how fast the other is.
static void solve_carried(const settling *pack, uint32_t i)
{
    trvi_aims aims = pack->trials[i].aims;
    pack->step->passes->carry(pack->step, &pack->blocks[i], pack->push, &aims);
    pack->step->passes->solve(pack->step, &pack->blocks[i], &aims);
}

static void solve_block(settling *pack, uint32_t i)
{
    if (pack->blocks[i].carried)
        solve_carried(pack, i);
    else
        pack->step->passes->solve(pack->step, &pack->blocks[i], &pack->trials[i].aims);
    add_change(pack, i);
}

// One sweep over the blocks in their order, and, unless that was enough, one back: only together
// are they alike in both directions, as conjugate slopes need. False when all islands have settled.
static bool sweep(settling *pack)
{
    begin_judging(pack);
    for (uint32_t k = 0; k < pack->islands->pack; k++)
        pack->islands[k].sweeps += !pack->of[k].settled;
    for (uint32_t i = 0; i < pack->islands->blocks; i++) {
        if (!is_solving(&pack->blocks[i]))
            continue;
        pack->step->passes->remember(&pack->blocks[i], &pack->trials[i]);
        solve_block(pack, i);
    }
    if (!are_settled_anyway(pack, TRVI_SETTLED_AT_ONCE))
        weigh(pack);
    if (!judge(pack, TRVI_SETTLED_AT_ONCE))
        return false;
    begin_judging(pack);
    for (uint32_t i = pack->islands->blocks; i-- > 0;)
        if (is_solving(&pack->blocks[i]))
            solve_block(pack, i);
    return judge(pack, 1.0);
}

// Where the slope has grown by much the way led astray: begin anew along this sweep's change. A
// little it may grow: slopes of hard cases come down in waves.
static void go_on(settling *pack)
{
    float shares[TRVI_BLOCK_LANES];
    for (uint32_t k = 0; k < pack->islands->pack; k++) {
        progress *of = &pack->of[k];
        bool leads = !of->settled && of->made < TRVI_SETTLED_GROWS * of->before;
        shares[k] = leads ? (float)fmin(of->made / of->before, 1.0) : 0.0f;
        of->before = of->made;
    }
    for (uint32_t i = 0; i < pack->islands->blocks; i++) {
        trvi_lane_floats of_lanes;
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
            of_lanes[lane] = shares[pack->blocks[i].island[lane]];
        if (is_solving(&pack->blocks[i]))
            pack->step->passes->go_on(pack->step, &pack->blocks[i], &pack->trials[i], of_lanes);
    }
}

// Gives up islands that have had their sweeps, or that have nearly settled and come no nearer:
// where points take turns in lifting off and sliding, there are no slopes to go along, and to
// insist stirs the island up.
static bool is_worth_it(settling *pack, uint32_t sweeps)
{
    bool any = false;
    for (uint32_t k = 0; k < pack->islands->pack; k++) {
        progress *of = &pack->of[k];
        of->since++;
        if (sweeps == 1 || of->made < 0.5 * of->mark) {
            of->mark = of->made;
            of->since = 0;
        }
        const trvi_island *island = &pack->islands[k];
        bool nearly = of->made < TRVI_SETTLED_NEARLY * island->allowed;
        of->settled = of->settled || sweeps == of->most ||
                      (nearly && of->since >= vain_sweeps(island) && !of->smooth);
        any = any || !of->settled;
    }
    return any;
}

// The largest momentum of one of the island's bodies, N s.
static float largest_momentum(const trvi_step *step, const trvi_island *island)
{
    const uint32_t *bodies = trvi_island_bodies(step->world) + island->first_body;
    float most = 0.0f;
    for (uint32_t i = 0; i < island->bodies; i++)
        most = trvi_larger(most, trvi_length(step->motions[bodies[i]].linear) /
                                     trvi_larger(step->bodies[bodies[i]].inverse_mass, FLT_MIN));
    return most;
}

static float hardest_of(const trvi_block *block, int lane)
{
    float hardest = 0.0f;
    for (uint32_t p = 0; p < block->points; p++)
        hardest = trvi_larger(hardest, block->point[p].normal[lane]);
    return hardest;
}

// Lets what is jammed give way: what has been for long, and where the impulses of the sub-step before, which
// act again by now, hold one another. Those of a blow that is over throw somebody, and are taken back.
static void give_way(settling *pack)
{
    for (uint32_t k = 0; k < pack->islands->pack; k++)
        pack->of[k].hardest = 0.0f;
    for (uint32_t i = 0; i < pack->islands->blocks; i++)
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
            progress *of = &pack->of[pack->blocks[i].island[lane]];
            of->hardest = trvi_larger(of->hardest, hardest_of(&pack->blocks[i], lane));
            pack->blocks[i].impulse_scale[lane] = pack->blocks[i].jammed[lane] * TRVI_JAM_LEAK;
        }
    bool any = false;
    for (uint32_t k = 0; k < pack->islands->pack; k++) {
        progress *of = &pack->of[k];
        of->bears = TRVI_STRAIN * pack->islands[k].bearable;
        of->strained = of->hardest > of->bears;
        if (of->hardest > of->bears && of->hardest <= TRVI_STRAIN * TRVI_STRAIN * of->bears &&
            TRVI_JAM_HELD * of->hardest < largest_momentum(pack->step, &pack->islands[k]))
            of->bears = FLT_MAX;
        any = any || of->hardest > of->bears;
    }
    for (uint32_t i = 0; i < pack->islands->blocks && any; i++)
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
            trvi_block *block = &pack->blocks[i];
            if (hardest_of(block, lane) > pack->of[block->island[lane]].bears)
                block->impulse_scale[lane] = TRVI_JAM_LEAK;
        }
}

// What is pushed out of one another at the largest speed pushes into others in turn: no speeds are right
// for all, and none are to be found however long they are looked for. Where that goes for a good part of an
// island's points, it gets no more than a few sweeps, until it is loose.
static void look_for_knots(settling *pack)
{
    const float fast = -0.99f * pack->step->push_speed;
    uint32_t pushed[TRVI_BLOCK_LANES] = {0}, all[TRVI_BLOCK_LANES] = {0};
    for (uint32_t i = 0; i < pack->islands->blocks; i++)
        for (int lane = 0; lane < TRVI_BLOCK_LANES; lane++)
            for (uint32_t p = 0; p < pack->blocks[i].points; p++) {
                if (!(pack->blocks[i].point[p].normal_mass[lane] > 0.0f))
                    continue;
                all[pack->blocks[i].island[lane]]++;
                pushed[pack->blocks[i].island[lane]] +=
                    pack->trials[i].aims.of[p].bias[lane] <=
                    fast * pack->pushes[pack->blocks[i].island[lane]];
            }
    for (uint32_t k = 0; k < pack->islands->pack; k++)
        if (!pack->of[k].settled) // else alone it would not be looked at
            pack->islands[k].knotted = (float)pushed[k] > TRVI_KNOT_SHARE * (float)all[k];
}

static void give_up_knots(settling *pack, uint32_t sweeps)
{
    if (pack->push && sweeps == TRVI_SWEEPS_MIN)
        look_for_knots(pack);
    for (uint32_t k = 0; k < pack->islands->pack; k++)
        if (pack->islands[k].knotted && sweeps >= knot_sweeps(&pack->islands[k]))
            pack->of[k].settled = true;
}

static void begin_anew(settling *pack, uint32_t k, bool smooth)
{
    progress *of = &pack->of[k];
    trvi_take_back(pack->step, pack->islands, k, pack->blocks);
    if (smooth)
        trvi_hold_friction(pack->islands, k, true, pack->blocks, pack->trials);
    of->smooth = smooth;
    of->before = of->made = 0.0; // there is no way to go on along
}

static void hold(settling *pack, uint32_t k)
{
    progress *of = &pack->of[k];
    trvi_hold_friction(pack->islands, k, false, pack->blocks, pack->trials);
    of->smooth = false;
    of->held = true;
    of->before = of->made = 0.0;
}

// What the impulses of the sub-step before throw begins without them. What is thrown by its sweeps begins
// as if nothing rubbed, and then holds friction.
static void look_for_runaways(settling *pack, uint32_t sweeps)
{
    bool due = sweeps > 0 && sweeps % TRVI_RUNAWAY_SWEEPS == 0;
    for (uint32_t k = 0; k < pack->islands->pack; k++) {
        const progress *of = &pack->of[k];
        const bool over = sweeps >= of->most; // alone it would not be asked
        if (of->settled || of->held || over || !(due || (of->strained && !of->smooth)))
            continue;
        if (of->smooth)
            hold(pack, k);
        else if (trvi_runs_away(pack->step, pack->islands, k, TRVI_RUNAWAY, of->begun, pack->blocks,
                                pack->trials))
            begin_anew(pack, k, sweeps > 0);
    }
}

// What has not found its impulses when it has had its sweeps, and has got energy by them, begins anew, too, but for
// islands that are too large to get more.
static bool begin_last(settling *pack)
{
    bool any = false;
    for (uint32_t k = 0; k < pack->islands->pack; k++) {
        progress *of = &pack->of[k];
        of->settled = of->held || pack->islands[k].knotted || of->most < TRVI_RUNAWAY_MORE ||
                      of->little ||
                      !trvi_runs_away(pack->step, pack->islands, k, TRVI_RUNAWAY_LAST, of->begun,
                                      pack->blocks, pack->trials);
        if (!of->settled)
            begin_anew(pack, k, true);
        any = any || !of->settled;
    }
    return any;
}

static void end_runaways(settling *pack)
{
    if (!begin_last(pack))
        return;
    show_settled(pack);
    for (uint32_t i = 1; sweep(pack) && i < TRVI_RUNAWAY_MORE; i++) {
        look_for_runaways(pack, i);
        show_settled(pack);
        go_on(pack);
    }
}

// Did blows change its energy in this sub-step?
static bool was_any_struck(const trvi_step *step, const trvi_island *island)
{
    const uint32_t *bodies = trvi_island_bodies(step->world) + island->first_body;
    for (uint32_t i = 0; i < island->bodies && step->world->has_impacts; i++)
        if (trvi_was_struck(step, bodies[i]))
            return true;
    return false;
}

void trvi_settle_islands(const trvi_step *step, trvi_island *islands, bool push)
{
    settling together, *pack = &together;
    uint32_t most = 0;
    memset(pack, 0, sizeof *pack);
    pack->step = step;
    pack->islands = islands;
    pack->blocks = blocks_of(step, islands);
    pack->trials = trials_of(step, islands);
    pack->push = push;
    for (uint32_t k = 0; k < islands->pack; k++) {
        pack->of[k].most = most_sweeps(&islands[k]);
        most = pack->of[k].most > most ? pack->of[k].most : most;
        islands[k].knotted = islands[k].knotted && !push;
        if (!push && was_any_struck(step, &islands[k]))
            pack->of[k].begun = trvi_energy_of(step, &islands[k]);
    }
    show_settled(pack);
    for (uint32_t i = 0; i < islands->blocks && push; i++) {
        step->passes->follow(step, &pack->blocks[i]);
        step->passes->warm_start(step, &pack->blocks[i]);
    }
    if (push)
        give_way(pack);
    for (uint32_t i = 0; i < islands->blocks; i++)
        step->passes->aim(step, &pack->blocks[i], push, &pack->trials[i].aims);
    if (push) {
        trvi_slow_rows(step, islands, pack->blocks, pack->trials, pack->pushes);
        look_for_runaways(pack, 0);
    }
    // At the bound: as good as it got, and the next sub-step goes on from there.
    for (uint32_t i = 1; sweep(pack) && i < most; i++) {
        give_up_knots(pack, i);
        look_for_runaways(pack, i);
        if (!is_worth_it(pack, i))
            break;
        show_settled(pack);
        go_on(pack);
    }
    end_runaways(pack);
    for (uint32_t k = 0; k < islands->pack; k++) {
        pack->of[k].settled = false;
        if (pack->of[k].smooth || pack->of[k].held)
            trvi_free_friction(islands, pack->blocks);
    }
    show_settled(pack);
}
