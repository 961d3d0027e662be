// Rows 12, 13, 14: impacts with a coefficient of restitution.
#include "truth.h"

enum { MOST_BOUNCES = 20 };

// Below the default restitution threshold of .5 m/s nothing bounces; a little above, rounding might
// decide.
#define TRUTH_SLOWEST_BOUNCE 0.55

typedef struct drop {
    trv_world *world;
    trv_body_id body;
    double rest;   // height of the centre on the ground, m
    double height; // of the fall, m
    int seen;
    double peaks[MOST_BOUNCES]; // above `rest`, m
    double tilt;                // largest, rad
} drop;

// How many bounces are fast enough, of a fall from `height` with restitution e.
static int count_bounces(double height, double e)
{
    int count = 0;
    double speed = sqrt(2 * TRUTH_GRAVITY * height);
    for (; count < MOST_BOUNCES && speed > TRUTH_SLOWEST_BOUNCE; count++)
        speed *= e;
    return count;
}

static void see_peak(drop *d, int wanted, double height, double speed)
{
    if (d->seen < wanted)
        d->peaks[d->seen++] = height + speed * speed / (2 * TRUTH_GRAVITY);
}

// From anywhere on a flight its peak is at y + v^2 / (2 g). It is seen where the upward speed runs out
// between two steps, or, where a flight is shorter than a step, on its way down.
static void run_drop(drop *d, const truth_variant *v, int wanted, double seconds)
{
    double y = d->height, speed = 0;
    for (int i = 0; i < truth_steps(v, seconds) && d->seen < wanted; i++) {
        truth_step(v, d->world);
        double next = truth_velocity(d->world, d->body).y;
        bool blow = next - speed > -0.5 * TRUTH_GRAVITY * (double)truth_dt(v);
        if (speed > 0 && (next <= 0 || blow))
            see_peak(d, wanted, y, speed);
        speed = next;
        y = truth_position(d->world, d->body).y - d->rest;
        if (blow && speed < 0 && y > 0)
            see_peak(d, wanted, y, speed);
        d->tilt = truth_max(d->tilt, truth_tilt(d->world, d->body, truth_v(0, 1, 0)));
    }
    trv_world_destroy(d->world);
}

// The time of a fall and of `count` flights between bounces, and some more.
static double time_of(double height, double e, int count)
{
    double fall = sqrt(2 * height / TRUTH_GRAVITY), time = fall, flight = 2 * fall;
    for (int i = 0; i < count; i++)
        time += flight *= e;
    return 1.1 * time + 0.5;
}

// A ground of four slabs that meet beside the middle.
static void add_slabs(trv_world *world, float restitution)
{
    for (int i = 0; i < 4; i++) {
        truth_part slab = {.shape = truth_box(50, 1, 50),
                           .position = truth_v(i & 1 ? 49.9 : -50.1, -1, i & 2 ? 49.8 : -50.2),
                           .friction = 0.6f,
                           .restitution = restitution};
        truth_add(world, &slab);
    }
}

static drop start_drop(const truth_variant *v, trv_shape shape, double rest)
{
    drop d = {.world = truth_world(), .rest = rest, .height = truth_or(v->gap, 5.0f)};
    if (v->kind == 2)
        add_slabs(d.world, v->restitution);
    else
        truth_ground(d.world, 0.6f, v->restitution, 100);
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = shape,
                       .position = truth_v(0, d.height + d.rest, 0),
                       .friction = 0.6f,
                       .restitution = v->restitution,
                       .density = v->density};
    d.body = truth_add(d.world, &part);
    return d;
}

// The worst error of a peak, over what is allowed; a peak that never came counts as height 0.
static double worst_peak(const drop *d, double e, int count, double share)
{
    double worst = 0, truth = d->height;
    for (int k = 0; k < count; k++) {
        truth *= e * e;
        double peak = k < d->seen ? d->peaks[k] : 0;
        worst = truth_max(worst, fabs(peak - truth) / fmax(share * truth, e < 1 ? 1e-3 : 0));
    }
    return worst;
}

// Row 12. Each peak is e^2 times the one before.
static void ball_bounces(const truth_variant *v, truth_report *report)
{
    double r = 0.5 * truth_or(v->scale, 1.0f), e = v->restitution;
    drop d = start_drop(v, truth_ball(r), r);
    int count = count_bounces(d.height, e);
    run_drop(&d, v, count, time_of(d.height, e, count));
    double share = e < 1 ? 0.01 : 0.001;
    truth_claim(report, e < 1 ? "worst peak, of 1 % or 1 mm" : "worst peak, of .1 %",
                worst_peak(&d, e, count, share), -HUGE_VAL, 1, "");
    truth_claim(report, "peaks", d.seen, count, count, "");
}

static const truth_variant ball_drops[] = {
    {"main .25", .restitution = 0.25f},
    {"main .50", .restitution = 0.5f},
    {"main .75", .restitution = 0.75f},
    {"main .90", .restitution = 0.9f},
    {"main 1", .restitution = 1},
    {"small .75", .restitution = 0.75f, .scale = 0.1f},
    {"large .75", .restitution = 0.75f, .scale = 5},
    {"low .90", .restitution = 0.9f, .gap = 0.5f},
    {"high .50", .restitution = 0.5f, .gap = 50},
    {"high 1", .restitution = 1, .gap = 50},
    {"low 1", .restitution = 1, .gap = 0.3f},
    {"light .90", .restitution = 0.9f, .density = 10},
    {".25 at 30/s", .restitution = 0.25f, .rate = 30},
    {".75 at 30/s", .restitution = 0.75f, .rate = 30},
    {"1 at 30/s", .restitution = 1, .rate = 30},
    {".75 at 240/s", .restitution = 0.75f, .rate = 240},
    {"1 at 240/s", .restitution = 1, .rate = 240},
    {".75, two at 30/s", .restitution = 0.75f, .rate = 30, .substeps = 2},
    {".75, one at 50/s", .restitution = 0.75f, .rate = 50, .substeps = 1},
    {".25, one at 40/s", .restitution = 0.25f, .rate = 40, .substeps = 1},
    {".90, one", .restitution = 0.9f, .substeps = 1},
    {".90, eight", .restitution = 0.9f, .substeps = 8},
};

// Two boxes side by side, as one compound.
static trv_compound *make_twins(double half)
{
    trv_compound_part parts[2];
    for (int i = 0; i < 2; i++) {
        parts[i].shape = truth_cube(half);
        parts[i].pose.position = truth_v((i == 0 ? -1.5 : 1.5) * half, 0, 0);
        parts[i].pose.rotation = trv_identity_quat();
    }
    trv_compound_def def = trv_default_compound_def();
    trv_compound *twins;
    truth_ok(trv_compound_create(parts, 2, &def, &twins));
    return twins;
}

// Row 13. A box that lands flat bounces like a ball, and stays level. Kinds: 1 a plate, 2 on a ground
// of four slabs, 3 a body of two boxes.
static void box_bounces(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), e = v->restitution;
    double high = (v->kind == 1 ? 0.1 : 0.5) * s, wide = (v->kind == 1 ? 1.0 : 0.5) * s;
    trv_compound *twins = make_twins(high);
    trv_shape solid = v->kind == 3 ? trv_make_compound(twins) : truth_box(wide, high, wide);
    drop d = start_drop(v, solid, high);
    trv_compound_release(twins);
    int count = count_bounces(d.height, e);
    run_drop(&d, v, count, time_of(d.height, e, count));
    truth_claim(report, "worst peak, of 1 % or 1 mm", worst_peak(&d, e, count, 0.01), -HUGE_VAL, 1,
                "");
    truth_claim(report, "tilt", d.tilt * 180 / TRUTH_PI, -HUGE_VAL, 0.1, "deg");
}

static const truth_variant box_drops[] = {
    {"main .50", .restitution = 0.5f},
    {"main 1", .restitution = 1},
    {"main plate .50", .restitution = 0.5f, .kind = 1},
    {"main plate 1", .restitution = 1, .kind = 1},
    {"small .75", .restitution = 0.75f, .scale = 0.2f},
    {"large .75", .restitution = 0.75f, .scale = 5},
    {"tiny 1", .restitution = 1, .scale = 0.05f},
    {"huge 1", .restitution = 1, .scale = 8, .gap = 30},
    {"low .90", .restitution = 0.9f, .gap = 0.5f},
    {"high .50", .restitution = 0.5f, .gap = 50},
    {"high 1", .restitution = 1, .gap = 40},
    {"house 1 at 240/s", .restitution = 1, .scale = 20, .gap = 100, .rate = 240},
    {"on four slabs .50", .restitution = 0.5f, .kind = 2},
    {"on four slabs 1", .restitution = 1, .kind = 2},
    {"huge on four slabs 1", .restitution = 1, .kind = 2, .scale = 5, .gap = 15},
    {"two boxes .75", .restitution = 0.75f, .kind = 3},
    {"two boxes 1", .restitution = 1, .kind = 3},
    {".50 at 30/s", .restitution = 0.5f, .rate = 30},
    {"1 at 30/s", .restitution = 1, .rate = 30},
    {".50 at 240/s", .restitution = 0.5f, .rate = 240},
    {"1 at 240/s", .restitution = 1, .rate = 240},
};

// Row 14. A ball hits the first of a row of balls at rest, all of equal mass, e = 1, no friction: each
// hands its speed on, the last leaves with it and the others stay. Without gravity; kind 1 lies on the
// ground.
static void cradle(const truth_variant *v, truth_report *report)
{
    enum { MOST_BALLS = 12 };
    int count = v->count != 0 ? v->count : 5;
    double r = 0.5 * truth_or(v->scale, 1.0f), speed = truth_or(v->speed, 5.0f);
    trv_world *world = v->kind == 1 ? truth_world() : truth_empty_space();
    if (v->kind == 1)
        truth_ground(world, 0, 0, 200);
    trv_body_id balls[MOST_BALLS];
    double x = 0;
    for (int i = 0; i < count; i++) {
        truth_part part = {.kind = TRV_BODY_DYNAMIC,
                           .shape = truth_ball(r),
                           .position = truth_v(x, r, 0),
                           .velocity = truth_v(i == 0 ? speed : 0, 0, 0),
                           .restitution = 1,
                           .density = v->density};
        balls[i] = truth_add(world, &part);
        x += 2 * r + (i == 0 ? 3 * r : (double)v->gap);
    }
    double before = 3 * r + (double)v->gap * (count - 2);
    for (int i = 0; i < truth_steps(v, 2 * before / speed + 0.5); i++)
        truth_step(v, world);
    double energy = 0, last = truth_velocity(world, balls[count - 1]).x / speed;
    for (int i = 0; i < count; i++) {
        trv_vec3 w = truth_spin(world, balls[i]), u = truth_velocity(world, balls[i]);
        energy += (truth_dot(u, u) + 0.4 * r * r * truth_dot(w, w)) / (speed * speed);
    }
    trv_world_destroy(world);
    truth_claim(report, "last leaves with, per v", last, v->gap > 0 ? 0.99 : 0.95, 1.01, "");
    truth_claim(report, "energy / energy at first", energy, 0.9, 1.001, "");
}

static const truth_variant cradles[] = {
    {"main gap 1 cm", .gap = 0.01f},
    {.name = "main gap 0"},
    {"small gap 2 mm", .gap = 0.002f, .scale = 0.2f},
    {"small gap 0", .scale = 0.2f},
    {"fast gap 1 cm", .gap = 0.01f, .speed = 20},
    {"fast gap 0", .speed = 20},
    {"slow gap 0", .speed = 1},
    {"ten gap 0", .count = 10},
    {"on the ground gap 1 cm", .gap = 0.01f, .kind = 1},
    {"on the ground gap 0", .kind = 1},
    {"gap 1 cm at 30/s", .gap = 0.01f, .rate = 30},
    {"gap 0 at 30/s", .rate = 30},
    {"gap 0 at 240/s", .rate = 240},
    {"twelve gap 2.5 cm", .gap = 0.025f, .scale = 0.5f, .speed = 2, .count = 12},
    {"twelve on the ground", .gap = 0.025f, .scale = 0.5f, .speed = 2, .count = 12, .kind = 1},
};

const truth_row truth_bounce_rows[] = {
    TRUTH_ROW(12, "a ball bounces", ball_bounces, ball_drops),
    TRUTH_ROW(13, "a level box bounces", box_bounces, box_drops),
    TRUTH_ROW(14, "a cradle of balls", cradle, cradles),
    {0},
};
