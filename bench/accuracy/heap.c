// Row 29: a heap comes to rest, and then costs nothing.
#include "truth.h"

#include <time.h>

enum { MOST = 3000, ROUNDS = 5, ROUND_STEPS = 200 };

static double now_us(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// The quickest of some rounds of steps: what else the machine does only adds to it.
static double cost_asleep(const truth_variant *v, trv_world *world)
{
    double least = HUGE_VAL;
    for (int r = 0; r < ROUNDS; r++) {
        double start = now_us();
        for (int i = 0; i < ROUND_STEPS; i++)
            truth_step(v, world);
        least = fmin(least, (now_us() - start) / ROUND_STEPS);
    }
    return least;
}

// How 3000 cubes hang in the air before they drop, by `kind`: so many side by side in each layer, half
// their edge and the pitch (m), up to how far they are off it (m), and turned (in half turns).
typedef struct layout {
    int wide, deep;
    double half, pitch, aside, turned;
} layout;

static const layout layouts[] = {
    {25, 24, 0.25, 1, 0, 1},       // 5 layers of cubes of half a metre, turned at random
    {12, 10, 0.25, 1, 0, 1},       // 25 layers
    {20, 15, 0.5, 1.1, 0.04, 0},   // 10 layers of cubes of a metre, upright
    {10, 10, 0.5, 1.2, 0.05, 0},   // 30 layers
    {20, 15, 0.5, 1.25, 0.1, .05}, // 10 layers, turned by up to 9 degrees
    {55, 55, 0.5, 1.5, 0.2, 1},    // one layer
};

// The lowest layer is a metre above the ground.
static void heap(const truth_variant *v, truth_report *report)
{
    static trv_body_id bodies[MOST];
    const layout *of = &layouts[v->kind];
    double s = truth_or(v->scale, 1.0f), pitch = s * of->pitch;
    uint64_t state = 29;
    trv_world *world = truth_world();
    truth_ground(world, 0.6f, 0, (float)(200 * s));
    for (int i = 0; i < MOST; i++) {
        int layer = i / (of->wide * of->deep), place = i % (of->wide * of->deep);
        double about[3];
        for (int k = 0; k < 3; k++)
            about[k] = truth_noise(&state);
        double turn = of->turned * TRUTH_PI * truth_noise(&state);
        double x = pitch * (place % of->wide), z = pitch * (place / of->wide);
        if (of->aside > 0) { // else the noise goes to the turns alone
            x += s * of->aside * truth_noise(&state);
            z += s * of->aside * truth_noise(&state);
        }
        truth_part part = {.kind = TRV_BODY_DYNAMIC,
                           .shape = truth_cube(of->half * s),
                           .position = truth_v(x, s + pitch * layer, z),
                           .rotation =
                               trv_quat_about(truth_v(about[0], about[1], about[2]), (float)turn),
                           .friction = 0.6f,
                           .density = v->density};
        bodies[i] = truth_add(world, &part);
    }
    double asleep = NAN, most = truth_or(v->time, 6.0f);
    for (int i = 1; i <= truth_steps(v, 3 * most) && isnan(asleep); i++) {
        truth_step(v, world);
        int awake = 0;
        for (int k = 0; k < MOST; k++)
            awake += truth_awake(world, bodies[k]);
        if (awake == 0)
            asleep = i * (double)truth_dt(v);
    }
    double lowest = HUGE_VAL;
    for (int k = 0; k < MOST; k++)
        lowest = fmin(lowest, truth_position(world, bodies[k]).y / s);
    double cost = isnan(asleep) ? NAN : cost_asleep(v, world);
    trv_world_destroy(world);
    truth_claim(report, "all asleep after", asleep, 0, most, "s");
    truth_claim(report, "lowest middle", lowest, 0.98 * of->half, HUGE_VAL, "");
    truth_claim(report, "a step asleep", cost, -HUGE_VAL, 20, "us");
}

static const truth_variant heaps[] = {
    {.name = "main"},
    {"high", .kind = 1, .time = 12},
    {"small", .scale = 0.4f},
    {"at 30/s", .rate = 30},
    {"at 120/s", .rate = 120},
    {"upright", .kind = 2},
    {"upright, 30 layers", .kind = 3},
    {"hardly turned", .kind = 4},
    {"one layer, turned", .kind = 5},
};

const truth_row truth_heap_rows[] = {
    TRUTH_ROW(29, "3000 boxes fall asleep", heap, heaps),
    {0},
};
