// Rows 6, 7, 8, 10, 11: sticking, sliding, rolling and tipping by Coulomb's law.
#include "truth.h"

static double radians(double degrees)
{
    return degrees * TRUTH_PI / 180;
}

// A static slab whose top goes through the origin and falls by `angle` towards +x.
static trv_quat add_slope(trv_world *world, double angle, float friction, double size)
{
    trv_quat turn = trv_quat_about(truth_v(0, 0, 1), (float)-angle);
    truth_part slab = {.shape = truth_box(size, 1, size),
                       .position = trv_rotate(turn, truth_v(0, -1, 0)),
                       .rotation = turn,
                       .friction = friction};
    truth_add(world, &slab);
    return turn;
}

// The way of a body since it was at `start`, in the slope's own axes.
static trv_vec3 way_on(const trv_world *world, trv_body_id body, trv_vec3 start, trv_quat turn)
{
    return truth_unturn(turn, truth_minus(truth_position(world, body), start));
}

static float friction_of(const truth_variant *v, double angle)
{
    return v->ratio != 0.0f ? (float)(v->ratio * tan(angle)) : truth_or(v->friction, 0.6f);
}

// A body of which a side looks down the slope, or, kind 2, half a radian beside it.
static trv_body_id add_on_slope(trv_world *world, const truth_variant *v, trv_shape shape,
                                double height, trv_quat turn, float friction)
{
    trv_quat beside = trv_quat_about(truth_v(0, 1, 0), v->kind == 2 ? 0.5f : 0.0f);
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = shape,
                       .position = trv_rotate(turn, truth_v(0, height, 0)),
                       .rotation = trv_quat_multiply(turn, beside),
                       .friction = friction,
                       .density = v->density};
    return truth_add(world, &part);
}

// Row 6. A block on a slope less steep than the angle of friction does not creep.
static void block_stays(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), angle = radians(truth_or(v->angle, 30.0f));
    float mu = friction_of(v, angle);
    trv_world *world = truth_world();
    trv_quat turn = add_slope(world, angle, mu, 20 * s);
    double height = (v->kind == 1 ? 0.15 : 0.5) * s;
    trv_body_id block =
        add_on_slope(world, v, truth_box(0.5 * s, height, 0.5 * s), height, turn, mu);
    trv_vec3 start = truth_position(world, block);
    double slipped = 0;
    for (int i = 0; i < truth_steps(v, 10); i++) {
        truth_step(v, world);
        trv_vec3 way = way_on(world, block, start, turn);
        slipped = truth_max(slipped, hypot(way.x, way.z));
    }
    trv_world_destroy(world);
    truth_claim(report, "creeps, per block length", slipped / s, -HUGE_VAL, 1e-4, "");
}

static const truth_variant blocks_stay[] = {
    {.name = "main .60"},
    {"main 1.01 tan", .ratio = 1.01f},
    {"small", .ratio = 1.01f, .scale = 0.2f},
    {"large", .ratio = 1.01f, .scale = 5},
    {"flat at 45", .ratio = 1.01f, .angle = 45, .kind = 1},
    {"at 10", .ratio = 1.01f, .angle = 10},
    {"turned", .ratio = 1.01f, .kind = 2},
    {"turned at 10", .ratio = 1.01f, .angle = 10, .kind = 2},
    {"light", .ratio = 1.01f, .density = 1},
    {"at 30/s", .ratio = 1.01f, .rate = 30},
    {"at 120/s", .ratio = 1.01f, .rate = 120},
    {"at 240/s", .ratio = 1.01f, .rate = 240},
};

// What a body that starts from rest with a constant acceleration has done: way and speed against
// a t^2 / 2 and a t after `time` seconds.
static void claim_acceleration(const truth_variant *v, truth_report *report, trv_world *world,
                               trv_body_id body, trv_quat turn, double truth, double bound)
{
    trv_vec3 start = truth_position(world, body);
    double side = 0;
    int steps = truth_steps(v, 2);
    for (int i = 0; i < steps; i++)
        truth_step(v, world);
    double t = steps * (double)truth_dt(v);
    trv_vec3 way = way_on(world, body, start, turn);
    trv_vec3 speed = truth_unturn(turn, truth_velocity(world, body));
    side = fabs(way.z);
    trv_world_destroy(world);
    truth_claim(report, "speed gained / truth", speed.x / (truth * t), 1 - bound, 1 + bound, "");
    truth_claim(report, "way / truth", way.x / (0.5 * truth * t * t), 1 - bound, 1 + bound, "");
    truth_claim(report, "aside", side, -HUGE_VAL, 1e-3 * way.x, "m");
}

// A block of four, side by side, as one compound.
static trv_compound *make_quarters(double half, double height)
{
    trv_compound_part parts[4];
    for (int i = 0; i < 4; i++) {
        parts[i].shape = truth_box(0.5 * half, height, 0.5 * half);
        parts[i].pose.position =
            truth_v((i & 1 ? 0.5 : -0.5) * half, 0, (i & 2 ? 0.5 : -0.5) * half);
        parts[i].pose.rotation = trv_identity_quat();
    }
    trv_compound_def def = trv_default_compound_def();
    trv_compound *quarters;
    truth_ok(trv_compound_create(parts, 4, &def, &quarters));
    return quarters;
}

// Row 7. a = g (sin - mu cos). Kinds: 1 is flat, 2 is turned, 3 is made of four boxes.
static void block_slides(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), angle = radians(truth_or(v->angle, 30.0f));
    trv_world *world = truth_world();
    trv_quat turn = add_slope(world, angle, v->friction, 50 * s);
    double height = (v->kind == 1 ? 0.15 : 0.5) * s;
    trv_compound *quarters = make_quarters(0.5 * s, height);
    trv_shape solid =
        v->kind == 3 ? trv_make_compound(quarters) : truth_box(0.5 * s, height, 0.5 * s);
    trv_body_id block = add_on_slope(world, v, solid, height, turn, v->friction);
    trv_compound_release(quarters);
    double truth = TRUTH_GRAVITY * (sin(angle) - (double)v->friction * cos(angle));
    claim_acceleration(v, report, world, block, turn, truth, v->bound);
}

static const truth_variant blocks_slide[] = {
    {"main .50", .friction = 0.5f, .bound = 0.0005f},
    {"main .57", .friction = 0.57f, .bound = 0.001f},
    {"small", .friction = 0.5f, .bound = 0.0005f, .scale = 0.5f},
    {"large", .friction = 0.5f, .bound = 0.0005f, .scale = 5},
    {"flat .1", .friction = 0.1f, .bound = 0.0005f, .kind = 1},
    {"flat .9 at 45", .friction = 0.9f, .bound = 0.0005f, .angle = 45, .kind = 1},
    {"turned", .friction = 0.4f, .bound = 0.0005f, .kind = 2},
    {"turned .5", .friction = 0.5f, .bound = 0.0005f, .kind = 2},
    {"light", .friction = 0.5f, .bound = 0.0005f, .density = 1},
    {"at 30/s", .friction = 0.5f, .bound = 0.0005f, .rate = 30},
    {"at 240/s", .friction = 0.5f, .bound = 0.0005f, .rate = 240},
    {".57 at 30/s", .friction = 0.57f, .bound = 0.001f, .rate = 30},
    {".57 at 240/s", .friction = 0.57f, .bound = 0.001f, .rate = 240},
    {".57, one sub-step", .friction = 0.57f, .bound = 0.001f, .substeps = 1},
    {".57, two at 30/s", .friction = 0.57f, .bound = 0.001f, .rate = 30, .substeps = 2},
    {".57 of four boxes", .friction = 0.57f, .bound = 0.001f, .kind = 3},
    {".57 of four, small", .friction = 0.57f, .bound = 0.001f, .kind = 3, .scale = 0.2f},
};

// Row 8, kind 0. A ball rolls down a slope with a = 5/7 g sin (a solid sphere: I = 2/5 m r^2), while
// mu > 2/7 tan.
static void ball_rolls(const truth_variant *v, truth_report *report)
{
    double r = 0.5 * truth_or(v->scale, 1.0f), angle = radians(truth_or(v->angle, 30.0f));
    float mu = truth_or(v->friction, 0.6f);
    trv_world *world = truth_world();
    trv_quat turn = add_slope(world, angle, mu, 50);
    trv_body_id ball = add_on_slope(world, v, truth_ball(r), r, turn, mu);
    claim_acceleration(v, report, world, ball, turn, 5.0 / 7.0 * TRUTH_GRAVITY * sin(angle), 5e-4);
}

// Row 8, kind 1. A ball that is thrown sliding rolls at last with 5/7 of its speed, from the time
// 2 v / (7 mu g) on, when it has gone 12 v^2 / (49 mu g).
static void ball_bowls(const truth_variant *v, truth_report *report)
{
    double r = 0.5 * truth_or(v->scale, 1.0f), fast = truth_or(v->speed, 10.0f);
    float mu = truth_or(v->friction, 0.2f);
    trv_world *world = truth_world();
    truth_ground(world, mu, 0, 200);
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = truth_ball(r),
                       .position = truth_v(0, r, 0),
                       .velocity = truth_v(fast, 0, 0),
                       .friction = mu,
                       .density = v->density};
    trv_body_id ball = truth_add(world, &part);
    double until = 2 * fast / (7 * (double)mu * TRUTH_GRAVITY);
    int steps = truth_steps(v, until + 2);
    for (int i = 0; i < steps; i++)
        truth_step(v, world);
    double t = steps * (double)truth_dt(v);
    double way = 12 * fast * fast / (49 * (double)mu * TRUTH_GRAVITY) + 5 * fast / 7 * (t - until);
    double speed = truth_velocity(world, ball).x, gone = truth_position(world, ball).x;
    trv_world_destroy(world);
    truth_claim(report, "speed / (5/7 v)", speed / (5 * fast / 7), 0.9995, 1.0005, "");
    truth_claim(report, "way / truth", gone / way, 0.999, 1.001, "");
}

// Row 8, kind 2. A block brakes to a stop after v^2 / (2 mu g): `ratio` is its height over its width,
// and it is turned by `gap` rad.
static void block_brakes(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), fast = truth_or(v->speed, 10.0f);
    float mu = truth_or(v->friction, 0.5f);
    trv_world *world = truth_world();
    truth_ground(world, mu, 0, 500);
    double high = truth_or(v->ratio, 0.3f) * 0.5 * s, turn = v->gap;
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = truth_box(0.5 * s, high, 0.5 * s),
                       .position = truth_v(0, high, 0),
                       .rotation = trv_quat_about(truth_v(0, 1, 0), (float)turn),
                       .velocity = truth_v(fast * 0.8, 0, fast * 0.6),
                       .friction = mu,
                       .density = v->density};
    trv_body_id block = truth_add(world, &part);
    int steps = truth_steps(v, fast / ((double)mu * TRUTH_GRAVITY) + 1);
    for (int i = 0; i < steps; i++)
        truth_step(v, world);
    trv_vec3 at = truth_position(world, block);
    double truth = fast * fast / (2 * (double)mu * TRUTH_GRAVITY);
    double speed = truth_length(truth_velocity(world, block));
    trv_world_destroy(world);
    truth_claim(report, "way / truth", hypot(at.x, at.z) / truth, 0.999, 1.001, "");
    truth_claim(report, "aside / way", fabs(0.6 * at.x - 0.8 * at.z) / truth, -HUGE_VAL, 1e-3, "");
    truth_claim(report, "speed at the end", speed, -HUGE_VAL, 1e-4, "m/s");
}

static void rolls_and_slides(const truth_variant *v, truth_report *report)
{
    void (*const scenes[])(const truth_variant *, truth_report *) = {ball_rolls, ball_bowls,
                                                                     block_brakes};
    scenes[v->kind](v, report);
}

static const truth_variant rolling[] = {
    {"main rolls", .kind = 0},
    {"main bowls", .kind = 1},
    {"main brakes", .kind = 2},
    {"rolls small", .kind = 0, .scale = 0.2f},
    {"rolls tiny at 15", .kind = 0, .scale = 0.1f, .angle = 15, .rate = 30},
    {"rolls large", .kind = 0, .scale = 5},
    {"rolls at 10", .kind = 0, .angle = 10},
    {"rolls at 30/s", .kind = 0, .rate = 30},
    {"rolls at 240/s", .kind = 0, .rate = 240},
    {"bowls small", .kind = 1, .scale = 0.2f},
    {"bowls fast", .kind = 1, .speed = 20},
    {"bowls at 30/s", .kind = 1, .rate = 30},
    {"bowls at 240/s", .kind = 1, .rate = 240},
    {"brakes small", .kind = 2, .scale = 0.2f},
    {"brakes fast", .kind = 2, .speed = 30},
    {"brakes slow", .kind = 2, .speed = 3},
    {"brakes turned", .kind = 2, .gap = 0.4f},
    {"a cube brakes turned", .kind = 2, .gap = 0.2f, .ratio = 1},
    {"brakes at 30/s", .kind = 2, .rate = 30},
    {"brakes at 240/s", .kind = 2, .rate = 240},
    {"brakes slow, rough", .kind = 2, .speed = 3, .friction = 0.8f},
    {"the same at 30/s", .kind = 2, .speed = 3, .friction = 0.8f, .rate = 30},
};

// An upright prism of so many sides, one of which looks downhill, as far from the middle as `half`.
static trv_hull *make_prism(int sides, double half, double half_height)
{
    trv_vec3 corners[2 * 64];
    double radius = half / cos(TRUTH_PI / sides);
    for (int i = 0; i < sides; i++) {
        double angle = (2 * i + 1) * TRUTH_PI / sides;
        for (int end = 0; end < 2; end++)
            corners[2 * i + end] =
                truth_v(radius * cos(angle), end ? half_height : -half_height, radius * sin(angle));
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    truth_ok(trv_hull_create(corners, (uint32_t)(2 * sides), &def, &hull));
    return hull;
}

// Row 10. A block of 1 x 2 on a slope tips over its lower edge when tan(angle) > 1/2, the ratio of its
// half width and half height; friction 1.5 keeps it from sliding. `ratio` is that of the tangents. Of kind
// 3 and above it is a prism of so many sides.
static void block_tips(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), angle = atan(0.5 * (double)v->ratio);
    trv_world *world = truth_world();
    float mu = truth_or(v->friction, 1.5f);
    trv_quat turn = add_slope(world, angle, mu, 20 * s);
    trv_hull *prism = v->kind >= 3 ? make_prism(v->kind, 0.5 * s, s) : NULL;
    trv_shape shape = prism != NULL ? trv_make_hull(prism) : truth_box(0.5 * s, s, 0.5 * s);
    trv_body_id block = add_on_slope(world, v, shape, s, turn, mu);
    trv_hull_release(prism);
    trv_vec3 up = trv_rotate(turn, truth_v(0, 1, 0));
    double most = 0;
    for (int i = 0; i < truth_steps(v, 20); i++) {
        truth_step(v, world);
        trv_pose pose = truth_pose(world, block);
        double lean = truth_dot(trv_rotate(pose.rotation, truth_v(0, 1, 0)), up);
        most = truth_max(most, acos(fmin(1, lean)) * 180 / TRUTH_PI);
    }
    trv_world_destroy(world);
    if (v->ratio > 1)
        truth_claim(report, "tips", most, 30, HUGE_VAL, "deg");
    else
        truth_claim(report, "stays", most, -HUGE_VAL, 0.5, "deg");
}

static const truth_variant tipping[] = {
    {"main .99", .ratio = 0.99f},
    {"main 1.01", .ratio = 1.01f},
    {".99 small", .ratio = 0.99f, .scale = 0.2f},
    {"1.01 small", .ratio = 1.01f, .scale = 0.2f},
    {".99 large", .ratio = 0.99f, .scale = 5},
    {"1.01 large", .ratio = 1.01f, .scale = 5},
    {".99 at 30/s", .ratio = 0.99f, .rate = 30},
    {"1.01 at 30/s", .ratio = 1.01f, .rate = 30},
    {".99 at 240/s", .ratio = 0.99f, .rate = 240},
    {"1.01 at 240/s", .ratio = 1.01f, .rate = 240},
    {"five sides .99", .ratio = 0.99f, .kind = 5},
    {"five sides 1.01", .ratio = 1.01f, .kind = 5},
    {"six sides .99", .ratio = 0.99f, .kind = 6},
    {"six sides 1.01", .ratio = 1.01f, .kind = 6},
    {"64 sides .99", .ratio = 0.99f, .kind = 64},
    {"64 sides 1.01", .ratio = 1.01f, .kind = 64},
    {"64 sides .99 small at 30/s", .ratio = 0.99f, .kind = 64, .scale = 0.2f, .rate = 30},
    {"64 sides .99 large at 240/s", .ratio = 0.99f, .kind = 64, .scale = 5, .rate = 240},
};

// Row 11. A block that turns with a table at r = 2 m stays there while w^2 r < mu g; `ratio` is
// w / sqrt(mu g / r). A flat block, so that tipping does not come in.
static void turntable(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), r = 2 * s;
    float mu = truth_or(v->friction, 0.5f);
    double w = (double)v->ratio * sqrt((double)mu * TRUTH_GRAVITY / r);
    trv_world *world = truth_world();
    truth_part table = {.kind = TRV_BODY_KINEMATIC,
                        .shape = truth_box(20 * s, s, 20 * s),
                        .position = truth_v(0, -s, 0),
                        .spin = truth_v(0, w, 0),
                        .friction = mu};
    truth_add(world, &table);
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = truth_box(0.1 * s, 0.05 * s, 0.1 * s),
                       .position = truth_v(r, 0.05 * s, 0),
                       .velocity = truth_v(0, 0, -w * r),
                       .spin = truth_v(0, w, 0),
                       .friction = mu,
                       .density = v->density};
    trv_body_id block = truth_add(world, &part);
    double least = r, most = r;
    for (int i = 0; i < truth_steps(v, 10); i++) {
        truth_step(v, world);
        trv_vec3 at = truth_position(world, block);
        least = fmin(least, hypot(at.x, at.z));
        most = truth_max(most, hypot(at.x, at.z));
    }
    trv_world_destroy(world);
    if (v->ratio > 1) {
        truth_claim(report, "slides: r / r at first", most / r, 1.5, HUGE_VAL, "");
    } else {
        truth_claim(report, "stays: least r / r at first", least / r, 0.99, 1.01, "");
        truth_claim(report, "stays: most r / r at first", most / r, 0.99, 1.01, "");
    }
}

static const truth_variant turntables[] = {
    {"main .90", .ratio = 0.9f},
    {"main .95", .ratio = 0.95f},
    {"main 1.03", .ratio = 1.03f},
    {".95 small", .ratio = 0.95f, .scale = 0.2f},
    {"1.03 small", .ratio = 1.03f, .scale = 0.2f},
    {".95 large", .ratio = 0.95f, .scale = 5},
    {".95 rough", .ratio = 0.95f, .friction = 1},
    {".95 at 30/s", .ratio = 0.95f, .rate = 30},
    {"1.03 at 30/s", .ratio = 1.03f, .rate = 30},
    {".95 at 240/s", .ratio = 0.95f, .rate = 240},
    {"1.03 at 240/s", .ratio = 1.03f, .rate = 240},
};

const truth_row truth_slope_rows[] = {
    TRUTH_ROW(6, "a block on a slope stays", block_stays, blocks_stay),
    TRUTH_ROW(7, "a block slides down a slope", block_slides, blocks_slide),
    TRUTH_ROW(8, "balls roll, a block brakes", rolls_and_slides, rolling),
    TRUTH_ROW(10, "a tall block on a slope tips", block_tips, tipping),
    TRUTH_ROW(11, "a block on a turntable", turntable, turntables),
    {0},
};
