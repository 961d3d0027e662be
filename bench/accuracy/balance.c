// Rows 20, 21, 22: what stands on the edge of falling.
#include "truth.h"

enum { MOST = 64 };

typedef struct build {
    trv_world *world;
    int count;
    trv_body_id bodies[MOST];
    trv_vec3 start[MOST];
} build;

static void add(build *b, const truth_part *part)
{
    b->bodies[b->count] = truth_add(b->world, part);
    b->start[b->count++] = part->position;
}

// The farthest that any part has come down, m.
static double dropped(const build *b)
{
    double most = 0;
    for (int i = 0; i < b->count; i++)
        most = truth_max(most, b->start[i].y - truth_position(b->world, b->bodies[i]).y);
    return most;
}

static double run_build(build *b, const truth_variant *v, double seconds)
{
    double most = 0;
    for (int i = 0; i < truth_steps(v, seconds); i++) {
        truth_step(v, b->world);
        most = truth_max(most, dropped(b));
    }
    trv_world_destroy(b->world);
    return most;
}

static void add_card(build *b, const truth_variant *v, double scale, trv_vec3 at, double degrees)
{
    // Half the thickness is 1 mm, half the length 20 cm, half the width 14 cm.
    truth_part card = {.kind = TRV_BODY_DYNAMIC,
                       .shape = truth_box(0.001 * scale, 0.2 * scale, 0.14 * scale),
                       .position = at,
                       .rotation =
                           trv_quat_about(truth_v(0, 0, 1), (float)(degrees * TRUTH_PI / 180)),
                       .friction = truth_or(v->friction, 0.7f),
                       .density = v->density};
    add(b, &card);
}

// Row 20. Five levels of cards of 2 mm x 40 cm x 28 cm that lean by 25 degrees. A leaning card needs a
// friction of at most tan(25 deg) = .47 at its foot, whatever it bears, so with .7 the house stands.
// The layout is that of the "Card House" sample of Box2D (E. Catto), which begins with gaps and
// overlaps of up to 15 mm and settles. Kind 1 has neither: cards touch at their edges, level cards of
// one storey are 1 mm apart end to end, and the feet of a pair stand on one level card.
static void card_house(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), lean = 25 * TRUTH_PI / 180;
    build b = {.world = truth_world()};
    truth_ground(b.world, truth_or(v->friction, 0.7f), 0, (float)(40 * s));
    bool exact = v->kind == 1;
    double high = 0.2 * cos(lean) + 0.001 * sin(lean); // half of a leaning card's height
    double aside = 0.2 * sin(lean) + 0.001 * cos(lean);
    double pitch = exact ? 0.401 : 0.35, leg = exact ? aside : 0.0875;
    double y = exact ? high : 0.18, storey = exact ? 2 * high + 0.002 : 0.37;
    double level = exact ? high + 0.001 : 0.185;
    for (int floor = 0; floor < 5; floor++, y += storey) {
        double first = (exact ? 0.2005 : 0.175) * floor;
        for (int i = 0; i < 5 - floor; i++) {
            double x = first + pitch * i; // of the pair's middle
            if (i < 4 - floor)
                add_card(&b, v, s,
                         truth_v(s * (x + (exact ? 0.5 * pitch : 0.1625)), s * (y + level), 0), 90);
            add_card(&b, v, s, truth_v(s * (x - leg), s * y, 0), -25);
            add_card(&b, v, s, truth_v(s * (x + leg), s * y, 0), 25);
        }
    }
    double drop = run_build(&b, v, 20);
    truth_claim(report, "drop of any card, per length", drop / (0.4 * s), -HUGE_VAL, 0.1, "");
}

static const truth_variant card_houses[] = {
    {.name = "main"},
    {"main exact", .kind = 1},
    {"exact small", .kind = 1, .scale = 0.5f},
    {"exact tiny at 120/s", .kind = 1, .scale = 0.1f, .rate = 120},
    {"exact tiny at 60/s", .kind = 1, .scale = 0.05f},
    {"exact tiny at 240/s", .kind = 1, .scale = 0.05f, .rate = 240},
    {"exact heavy", .kind = 1, .density = 3000},
    {"exact at 120/s", .kind = 1, .rate = 120},
    {"exact at 240/s", .kind = 1, .rate = 240},
    {"at 240/s", .rate = 240},
};

// A block of an arch: between two radii, over `wide` radians from `from`; the middle of its corners is
// the body's origin.
static trv_hull *make_voussoir(double inner, double outer, double from, double wide, double half,
                               trv_vec3 *middle)
{
    double mid = 0.5 * (inner + outer), at = from + 0.5 * wide;
    *middle = truth_v(mid * cos(at), mid * sin(at), 0);
    trv_vec3 corners[8];
    for (int i = 0; i < 8; i++) {
        double r = i & 1 ? outer : inner, a = i & 2 ? from + wide : from;
        corners[i] = truth_v(r * cos(a) - middle->x, r * sin(a) - middle->y, i & 4 ? half : -half);
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    truth_ok(trv_hull_create(corners, 8, &def, &hull));
    return hull;
}

// Row 21. A semicircular arch under its own weight stands while the line of thrust fits inside it:
// thickness over mean radius > .1075 (M. Milankovitch 1907, "Theorie der Druckkurven"; friction 1 is
// more than it needs). The hinges of 31 blocks come near enough to the best places that .12 stands and
// .09 falls. The springing joints lie flat on the ground.
static void arch(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), radius = 10 * s, thick = radius * v->ratio;
    int count = v->count != 0 ? v->count : 31;
    build b = {.world = truth_world()};
    truth_ground(b.world, truth_or(v->friction, 1.0f), 0, (float)(40 * s));
    double wide = TRUTH_PI / count;
    for (int i = 0; i < count; i++) {
        trv_vec3 middle;
        trv_hull *hull = make_voussoir(radius - 0.5 * thick, radius + 0.5 * thick, wide * i, wide,
                                       0.5 * s, &middle);
        truth_part part = {.kind = TRV_BODY_DYNAMIC,
                           .shape = trv_make_hull(hull),
                           .position = middle,
                           .friction = truth_or(v->friction, 1.0f),
                           .density = v->density};
        add(&b, &part);
        trv_hull_release(hull);
    }
    double drop = run_build(&b, v, 15) / radius;
    if (v->kind == 1)
        truth_claim(report, "falls: drop, per radius", drop, 0.5, HUGE_VAL, "");
    else
        truth_claim(report, "stands: drop, per radius", drop, -HUGE_VAL, 0.01, "");
}

static const truth_variant arches[] = {
    {"main .12", .ratio = 0.12f},
    {"main .09", .ratio = 0.09f, .kind = 1},
    {".14", .ratio = 0.14f},
    {".07", .ratio = 0.07f, .kind = 1},
    {".12 small", .ratio = 0.12f, .scale = 0.2f},
    {".09 small", .ratio = 0.09f, .scale = 0.2f, .kind = 1},
    {".12 large", .ratio = 0.12f, .scale = 5},
    {".12 heavy", .ratio = 0.12f, .density = 2500},
    {".12 of 21", .ratio = 0.12f, .count = 21},
    {".12 at 30/s", .ratio = 0.12f, .rate = 30},
    {".12 at 240/s", .ratio = 0.12f, .rate = 240},
    {".09 at 240/s", .ratio = 0.09f, .kind = 1, .rate = 240},
};

// Row 22. Blocks of length L over the edge of a table: the k-th from the top may stick out by L / (2k)
// over the next (the harmonic series). With each step `ratio` times that, the centre of mass of the
// upper k is (ratio - 1) L / 2 beyond the edge below them, for every k.
static void overhang(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), half = 0.5 * s, thick = 0.1 * s;
    int count = v->count != 0 ? v->count : 5;
    build b = {.world = truth_world()};
    truth_part table = {.shape = truth_box(2 * s, 0.5 * s, 2 * s),
                        .position = truth_v(-2 * s, 2.5 * s, 0),
                        .friction = truth_or(v->friction, 0.6f)};
    truth_add(b.world, &table);
    truth_ground(b.world, 0.6f, 0, (float)(20 * s));
    double x = -half;
    for (int k = count; k >= 1; k--) { // from below
        x += v->ratio * half / k;
        truth_part block = {.kind = TRV_BODY_DYNAMIC,
                            .shape = truth_box(half, thick, 0.25 * s),
                            .position = truth_v(x, 3 * s + thick * (2 * (count - k) + 1), 0),
                            .friction = truth_or(v->friction, 0.6f),
                            .density = v->density};
        add(&b, &block);
    }
    double drop = run_build(&b, v, 15) / s;
    if (v->ratio > 1)
        truth_claim(report, "falls: drop, per length", drop, 1, HUGE_VAL, "");
    else
        truth_claim(report, "stands: drop, per length", drop, -HUGE_VAL, 0.01, "");
}

static const truth_variant overhangs[] = {
    {"main .98", .ratio = 0.98f},
    {"main 1.02", .ratio = 1.02f},
    {".98 small", .ratio = 0.98f, .scale = 0.2f},
    {"1.02 small", .ratio = 1.02f, .scale = 0.2f},
    {".98 large", .ratio = 0.98f, .scale = 5},
    {"1.02 large", .ratio = 1.02f, .scale = 5},
    {".98 of 10", .ratio = 0.98f, .count = 10},
    {"1.02 of 3", .ratio = 1.02f, .count = 3},
    {".98 at 30/s", .ratio = 0.98f, .rate = 30},
    {"1.02 at 30/s", .ratio = 1.02f, .rate = 30},
    {".98 at 240/s", .ratio = 0.98f, .rate = 240},
    {"1.02 at 240/s", .ratio = 1.02f, .rate = 240},
};

const truth_row truth_balance_rows[] = {
    TRUTH_ROW(20, "a card house stands", card_house, card_houses),
    TRUTH_ROW(21, "a voussoir arch", arch, arches),
    TRUTH_ROW(22, "an overhang of blocks", overhang, overhangs),
    {0},
};
