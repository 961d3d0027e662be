// Rows 18, 19, 23, 24, 25: heaps of boxes that stand. The truth is that nothing moves: rigid boxes that
// rest on one another exactly touching stay where they are. Distances required are those for boxes of
// one metre, and grow and shrink with the boxes.
#include "truth.h"

enum { MOST = 5050 };

typedef struct heap {
    trv_world *world;
    int count;
    trv_body_id bodies[MOST];
    trv_vec3 start[MOST];
    trv_vec3 home[MOST]; // where each comes to rest, if not there
    double sunk;         // farthest below its start that any box was, m
    double moved;        // farthest from its start, m
    double off;          // farthest from its home now, m
    double nearest;      // that one was over the one before it, m
    double asleep;       // when all slept, s; NaN: they did not
    double fastest;      // m/s
} heap;

static void add(heap *h, const truth_variant *v, trv_shape shape, trv_vec3 at, double density)
{
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = shape,
                       .position = at,
                       .friction = truth_or(v->friction, 0.6f),
                       .density = (float)density};
    h->bodies[h->count] = truth_add(h->world, &part);
    h->start[h->count] = h->home[h->count] = at;
    h->count++;
}

static void add_box(heap *h, const truth_variant *v, double half, trv_vec3 at, double density)
{
    add(h, v, truth_cube(half), at, density);
}

// One that is set up higher by that than where it comes to rest.
static void add_raised(heap *h, const truth_variant *v, double half, trv_vec3 home, double by)
{
    add_box(h, v, half, truth_v(home.x, home.y + by, home.z), v->density);
    h->home[h->count - 1] = home;
}

static void watch(heap *h, double now)
{
    bool all = true;
    double below = -HUGE_VAL;
    h->off = 0;
    for (int i = 0; i < h->count; i++) {
        trv_vec3 at = truth_position(h->world, h->bodies[i]), way = truth_minus(at, h->start[i]);
        h->sunk = truth_max(h->sunk, -way.y);
        h->moved = truth_max(h->moved, truth_length(way));
        h->off = truth_max(h->off, truth_length(truth_minus(at, h->home[i])));
        h->nearest = at.y - below < h->nearest ? at.y - below : h->nearest;
        below = at.y;
        h->fastest = truth_max(h->fastest, truth_length(truth_velocity(h->world, h->bodies[i])));
        all = all && !truth_awake(h->world, h->bodies[i]);
    }
    if (!all)
        h->asleep = NAN;
    else if (isnan(h->asleep))
        h->asleep = now;
}

static void run_heap(heap *h, const truth_variant *v, double seconds)
{
    h->asleep = NAN;
    h->nearest = HUGE_VAL;
    for (int i = 1; i <= truth_steps(v, seconds); i++) {
        truth_step(v, h->world);
        watch(h, i * (double)truth_dt(v));
    }
    trv_world_destroy(h->world);
}

static heap start_heap(const truth_variant *v)
{
    heap h = {.world = truth_world()};
    truth_ground(h.world, truth_or(v->friction, 0.6f), 0, 100.0f * truth_or(v->scale, 1.0f));
    return h;
}

// Row 18, too: boxes with gaps, dropped from some height. In the step in which the lowest lands, those above
// fall by more than the gaps.
static void dropped_stack(const truth_variant *v, truth_report *report)
{
    heap h = start_heap(v);
    double side = truth_or(v->scale, 1.0f), gap = v->gap;
    for (int i = 0; i < v->count; i++)
        add_raised(&h, v, 0.5 * side, truth_v(0, side * (i + 0.5), 0), (double)v->height + gap * i);
    run_heap(&h, v, 10);
    truth_claim(report, "overlap, per box side", 1 - h.nearest / side, -HUGE_VAL, 0.005, "");
    truth_claim(report, "off its place, per box side", h.off / side, -HUGE_VAL, 0.02, "");
    truth_claim(report, "all asleep after", h.asleep, 0, 6, "s");
}

// Row 18. Boxes one on another.
static void stack(const truth_variant *v, truth_report *report)
{
    if (v->kind == 1) {
        dropped_stack(v, report);
        return;
    }
    heap h = start_heap(v);
    double half = 0.5 * truth_or(v->scale, 1.0f);
    for (int i = 0; i < v->count; i++)
        add_box(&h, v, half, truth_v(0, half * (2 * i + 1), 0), v->density);
    run_heap(&h, v, 10);
    double bound = v->count <= 10 ? 0.005 : v->count <= 20 ? 0.02 : 0.10;
    truth_claim(report, "sinks, per box side", h.sunk / (2 * half), -HUGE_VAL, bound, "");
    truth_claim(report, "moves, per box side", h.moved / (2 * half), -HUGE_VAL, 2 * bound, "");
    truth_claim(report, "all asleep after", h.asleep, 0, 3, "s");
}

static const truth_variant stacks[] = {
    {"main 10", .count = 10},
    {"main 20", .count = 20},
    {"main 50", .count = 50},
    {"10 small", .count = 10, .scale = 0.2f},
    {"20 small", .count = 20, .scale = 0.2f},
    {"50 small", .count = 50, .scale = 0.2f},
    {"20 large", .count = 20, .scale = 5},
    {"20 light", .count = 20, .density = 10},
    {"20 heavy", .count = 20, .density = 8000},
    {"20 slippery", .count = 20, .friction = 0.1f},
    {"20 at 30/s", .count = 20, .rate = 30},
    {"10 at 30/s", .count = 10, .rate = 30},
    {"20 at 120/s", .count = 20, .rate = 120},
    {"20 at 240/s", .count = 20, .rate = 240},
    {"50 at 240/s", .count = 50, .rate = 240},
    {"10 dropped", .kind = 1, .count = 10, .gap = 0.1f, .height = 2},
    {"10 dropped at 30/s", .kind = 1, .count = 10, .gap = 0.1f, .height = 5, .rate = 30},
    {"10 dropped at 120/s", .kind = 1, .count = 10, .gap = 0.05f, .height = 5, .rate = 120},
    {"20 dropped", .kind = 1, .count = 20, .gap = 0.02f, .height = 5},
    {"10 dropped small", .kind = 1, .count = 10, .gap = 0.03f, .height = 1, .scale = 0.3f},
};

// Courses of bricks, each one over the joint of two below: none stands over an end.
static void lay_wall(heap *h, const truth_variant *v)
{
    double s = truth_or(v->scale, 1.0f);
    trv_vec3 half = truth_v(0.125 * s, 0.05 * s, 0.06 * s);
    for (int i = 0; i < v->count; i++)
        for (int j = 0; j < 200 - i % 2; j++)
            add(h, v, trv_make_box(half),
                truth_v((0.25 * (j - 100) + 0.125 * (i % 2)) * s, 0.05 * (2 * i + 1) * s, 0),
                v->density);
}

static void lay_pyramid(heap *h, const truth_variant *v, double half)
{
    int base = v->count != 0 ? v->count : 30;
    double apart = v->gap > 0 ? 0.01 * half : 0; // so that falling rows do not rub
    for (int i = 0; i < base; i++)
        for (int j = 0; j < base - i; j++)
            add_raised(h, v, half,
                       truth_v((half + 0.5 * apart) * (i + 2 * j - base), half * (2 * i + 1), 0),
                       (double)v->gap * (i + 1));
}

// Row 19. Rows of cubes, each one over the joint of two below; or a wall. What is set up with a gap below
// each row falls onto itself, and stands as well.
static void pyramid(const truth_variant *v, truth_report *report)
{
    heap h = start_heap(v);
    double side = truth_or(v->scale, 1.0f) * (v->kind == 1 ? 0.1 : 1.0);
    if (v->kind == 1)
        lay_wall(&h, v);
    else
        lay_pyramid(&h, v, 0.5 * side);
    run_heap(&h, v, v->gap > 0 ? 8 : 5);
    if (v->gap > 0) {
        truth_claim(report, "off its place, per box side", h.off / side, -HUGE_VAL, 0.1, "");
        truth_claim(report, "all asleep after", h.asleep, 0, 6, "s");
        return;
    }
    truth_claim(report, "moves, per box side", h.moved / side, -HUGE_VAL, 0.02, "");
    truth_claim(report, "all asleep after", h.asleep, 0, 1.5, "s");
}

static const truth_variant pyramids[] = {
    {.name = "main"},
    {"base 10", .count = 10},
    {"small", .scale = 0.2f},
    {"large", .scale = 5},
    {"light", .density = 100},
    {"slippery", .friction = 0.3f, .count = 20},
    {"at 30/s", .rate = 30},
    {"at 240/s", .rate = 240},
    {"base 50", .count = 50},
    {"base 100", .count = 100},
    {"base 60 small", .count = 60, .scale = 0.1f},
    {"tiny", .scale = 0.03f},
    {"wall", .kind = 1, .count = 12},
    {"wall small", .kind = 1, .count = 12, .scale = 0.3f},
    {"wall high", .kind = 1, .count = 25, .scale = 2},
    {"with gaps", .gap = 0.05f},
    {"gaps at 30/s", .gap = 0.05f, .rate = 30},
    {"gaps base 60", .gap = 0.01f, .count = 60},
    {"gaps base 60 wide", .gap = 0.05f, .count = 60},
    {"gaps base 60 at 240/s", .gap = 0.05f, .count = 60, .rate = 240},
    {"gaps base 100", .gap = 0.001f, .count = 100},
    {"gaps base 100 wide", .gap = 0.05f, .count = 100},
};

// Rows 23 and 24. A heavy box on `kind` light ones of the same size; for "big" ones of the same
// density, heavy because it is larger.
static void burden(const truth_variant *v, truth_report *report)
{
    heap h = start_heap(v);
    double half = 0.5 * truth_or(v->scale, 1.0f), top = 2 * half * v->kind, upper = half;
    double light = truth_or(v->density, 100.0f), heavy = light * v->ratio;
    if (v->count == 1) {
        upper = half * cbrt(v->ratio);
        heavy = light;
    }
    for (int i = 0; i < v->kind; i++)
        add_box(&h, v, half, truth_v(0, half * (2 * i + 1), 0), light);
    add_box(&h, v, upper, truth_v(0, top + upper, 0), heavy);
    run_heap(&h, v, 10);
    truth_claim(report, "sinks, per box side", h.sunk / (2 * half), -HUGE_VAL, v->bound, "");
    truth_claim(report, "moves, per box side", h.moved / (2 * half), -HUGE_VAL, 2 * v->bound, "");
}

static const truth_variant on_one[] = {
    {"main 1:100", .kind = 1, .ratio = 100, .bound = 0.005f},
    {"main 1:1000", .kind = 1, .ratio = 1000, .bound = 0.02f},
    {"small 1:100", .kind = 1, .ratio = 100, .bound = 0.005f, .scale = 0.2f},
    {"large 1:1000", .kind = 1, .ratio = 1000, .bound = 0.02f, .scale = 5},
    {"big 1:100", .kind = 1, .ratio = 100, .bound = 0.005f, .count = 1},
    {"big 1:1000", .kind = 1, .ratio = 1000, .bound = 0.02f, .count = 1},
    {"big 1:1000 small", .kind = 1, .ratio = 1000, .bound = 0.02f, .scale = 0.2f, .count = 1},
    {"1:10,000", .kind = 1, .ratio = 10000, .bound = 0.02f},
    {"1:10,000 small", .kind = 1, .ratio = 10000, .bound = 0.02f, .scale = 0.2f},
    {"1:1000 slippery", .kind = 1, .ratio = 1000, .bound = 0.02f, .friction = 0.1f},
    {"1:1000 at 30/s", .kind = 1, .ratio = 1000, .bound = 0.02f, .rate = 30},
    {"1:1000 at 240/s", .kind = 1, .ratio = 1000, .bound = 0.02f, .rate = 240},
};

static const truth_variant on_five[] = {
    {"main 1:100", .kind = 5, .ratio = 100, .bound = 0.02f},
    {"main 1:1000", .kind = 5, .ratio = 1000, .bound = 0.05f},
    {"small 1:100", .kind = 5, .ratio = 100, .bound = 0.02f, .scale = 0.2f},
    {"large 1:1000", .kind = 5, .ratio = 1000, .bound = 0.05f, .scale = 5},
    {"small 1:1000 at 30/s", .kind = 5, .ratio = 1000, .bound = 0.05f, .scale = 0.3f, .rate = 30},
    {"tiny 1:1000", .kind = 5, .ratio = 1000, .bound = 0.05f, .scale = 0.08f},
    {"tiny 1:100 at 30/s", .kind = 5, .ratio = 100, .bound = 0.02f, .scale = 0.05f, .rate = 30},
    {"1:10,000", .kind = 5, .ratio = 10000, .bound = 0.05f},
    {"1:100 at 30/s", .kind = 5, .ratio = 100, .bound = 0.02f, .rate = 30},
    {"1:1000 at 240/s", .kind = 5, .ratio = 1000, .bound = 0.05f, .rate = 240},
};

// Row 25. A stack whose boxes begin overlapped: they separate without a bang and stay a stack. How fast they
// are is told by their velocities, and by where they get to in a step.
static void overlapped(const truth_variant *v, truth_report *report)
{
    heap h = start_heap(v);
    double half = 0.5 * truth_or(v->scale, 1.0f);
    double share = truth_or(v->ratio, 0.25f), fastest_way = 0;
    int count = v->count > 0 ? v->count : 10;
    for (int i = 0; i < count; i++)
        add_box(&h, v, half, truth_v(0, half + 2 * half * (1 - share) * i, 0), v->density);
    trv_world *world = h.world;
    h.asleep = NAN;
    double rise = 2 * half * share * (count - 1); // of the topmost, at 3 m/s at most
    for (int i = 1; i <= truth_steps(v, truth_max(10, 5 + rise / 2)); i++) {
        trv_vec3 before[MOST];
        for (int k = 0; k < count; k++)
            before[k] = truth_position(world, h.bodies[k]);
        truth_step(v, world);
        watch(&h, i * (double)truth_dt(v));
        for (int k = 0; k < count; k++) {
            trv_vec3 way = truth_minus(truth_position(world, h.bodies[k]), before[k]);
            fastest_way = truth_max(fastest_way, truth_length(way));
        }
    }
    double order = HUGE_VAL, aside = 0;
    for (int i = 0; i < count; i++) {
        trv_vec3 at = truth_position(world, h.bodies[i]);
        aside = truth_max(aside, hypot(at.x, at.z));
        if (i > 0)
            order = fmin(order, at.y - truth_position(world, h.bodies[i - 1]).y);
    }
    trv_world_destroy(world);
    truth_claim(report, "fastest", h.fastest, -HUGE_VAL, 3, "m/s");
    truth_claim(report, "fastest, by place", fastest_way / (double)truth_dt(v), -HUGE_VAL, 3,
                "m/s");
    truth_claim(report, "least pitch, per box side", order / (2 * half), 0.98, 1.02, "");
    truth_claim(report, "aside, per box side", aside / (2 * half), -HUGE_VAL, 0.25, "");
}

static const truth_variant overlaps[] = {
    {.name = "main"},
    {"small", .scale = 0.2f},
    {"by half", .ratio = 0.5f},
    {"light", .density = 10},
    {"at 30/s", .rate = 30},
    {"at 240/s", .rate = 240},
    {"30 boxes", .count = 30},
    {"50 boxes, small", .count = 50, .scale = 0.5f},
    {"by .6", .ratio = 0.6f},
    {"by .75, small", .ratio = 0.75f, .scale = 0.3f},
    {"30 large boxes at 165/s", .count = 30, .scale = 3, .rate = 165},
    {"30 boxes by half at 240/s", .count = 30, .ratio = 0.5f, .rate = 240},
};

const truth_row truth_stack_rows[] = {
    TRUTH_ROW(18, "a stack of boxes does not sink", stack, stacks),
    TRUTH_ROW(19, "a pyramid stands", pyramid, pyramids),
    TRUTH_ROW(23, "a heavy box on a light one", burden, on_one),
    TRUTH_ROW(24, "a heavy box on five light ones", burden, on_five),
    TRUTH_ROW(25, "ten overlapped boxes separate calmly", overlapped, overlaps),
    {0},
};
