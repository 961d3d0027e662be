// Rows 26, 27, 28: fast things meet thin ones, and slide over joints.
#include "truth.h"

// A point in a body's frame.
static trv_vec3 seen_from(const trv_world *world, trv_body_id body, trv_vec3 point)
{
    return trv_pose_apply_inverse(truth_pose(world, body), point);
}

// The pose that a body had some time ago, if nothing has touched it since.
static trv_pose pose_before(const trv_world *world, trv_body_id body, double time)
{
    trv_pose pose = truth_pose(world, body);
    trv_vec3 u = truth_velocity(world, body), w = truth_spin(world, body);
    double turn = truth_length(w) * time;
    pose.position = truth_minus(pose.position, truth_v(u.x * time, u.y * time, u.z * time));
    if (turn > 0)
        pose.rotation = trv_quat_multiply(trv_quat_about(w, (float)-turn), pose.rotation);
    return pose;
}

// Where a body that has changed sides in the last step crossed the plane of a wall: true where that
// is inside the wall. A wall that is hit beside its middle turns more than once in some steps, and
// then the bullet flies past its edge.
static bool crosses_inside(const truth_variant *v, const trv_world *world, trv_body_id wall,
                           trv_body_id body, double half)
{
    enum { LOOKS = 64 };
    for (int i = 0; i <= LOOKS; i++) {
        double time = (double)truth_dt(v) * i / LOOKS;
        trv_vec3 at = trv_pose_apply_inverse(pose_before(world, wall, time),
                                             pose_before(world, body, time).position);
        if (at.x < 0 || i == LOOKS)
            return fabs(at.y) < half && fabs(at.z) < half;
    }
    return true;
}

// One bullet at one wall, which is 2 x 2 m and lies across x. True when the bullet's middle came
// through it.
static bool passes(const truth_variant *v, double speed, double thick, bool ball, bool loose,
                   int phase)
{
    double s = truth_or(v->scale, 1.0f), r = 0.05 * s;
    trv_world *world = truth_empty_space();
    truth_part wall = {.kind = loose ? TRV_BODY_DYNAMIC : TRV_BODY_STATIC,
                       .shape = truth_box(0.5 * thick, s, s),
                       .friction = 0.6f,
                       .density = v->density};
    trv_body_id target = truth_add(world, &wall);
    // Begins at any part of a step's way from the wall, and hits beside its middle.
    double away = 0.5 * thick + 1.5 * r + speed * (double)truth_dt(v) * (1 + 0.19 * phase);
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = ball ? truth_ball(r) : truth_cube(r),
                       .position = truth_v(-away, 0.1 * s * phase, 0.05 * s),
                       .velocity = truth_v(speed, 0, 0),
                       .friction = 0.6f,
                       .density = v->density};
    trv_body_id bullet = truth_add(world, &part);
    bool through = false;
    double before = -1;
    for (int i = 0; i < truth_steps(v, 0.5); i++) {
        truth_step(v, world);
        trv_vec3 at = seen_from(world, target, truth_position(world, bullet));
        through =
            through || (before < 0 && at.x >= 0 && crosses_inside(v, world, target, bullet, s));
        before = at.x;
    }
    trv_world_destroy(world);
    return through;
}

// How far a bullet gets into a ground of 10 m, in its radii.
static double sinks(const truth_variant *v, double speed, bool ball, int phase)
{
    double s = truth_or(v->scale, 1.0f), r = 0.05 * s, deepest = 0;
    trv_world *world = truth_empty_space();
    truth_part ground = {.shape = truth_box(50, 5, 50), .position = truth_v(0, -5, 0)};
    truth_add(world, &ground);
    double away = 1.05 * r + speed * (double)truth_dt(v) * (1 + 0.19 * phase);
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = ball ? truth_ball(r) : truth_cube(r),
                       .position = truth_v(0, away, 0),
                       .velocity = truth_v(0.3 * speed, -speed, 0),
                       .density = v->density};
    trv_body_id bullet = truth_add(world, &part);
    for (int i = 0; i < 8; i++) {
        truth_step(v, world);
        deepest = truth_max(deepest, 1 - (double)truth_position(world, bullet).y / r);
    }
    trv_world_destroy(world);
    return deepest;
}

// Row 26, kind 1. Thick ground stops bullets no deeper than walls do; `ratio` is that of the speeds.
static void bullets_at_ground(const truth_variant *v, truth_report *report)
{
    double worst = 0, ratio = v->ratio > 1 ? (double)v->ratio : 2;
    for (double speed = 5; speed < 1000; speed *= ratio)
        for (int k = 0; k < 10; k++)
            worst = truth_max(worst, sinks(v, speed, k & 1, k / 2));
    truth_claim(report, "deepest, in radii", worst, -HUGE_VAL, 0.2, "");
}

// Row 26. 100 .. 1000 m/s, walls of 10 cm .. 1 mm: 10 speeds x 5 walls x ball and box x static and
// dynamic x 5 places = 1000 bullets.
static void bullets(const truth_variant *v, truth_report *report)
{
    static const double walls[] = {0.1, 0.03, 0.01, 0.003, 0.001};
    if (v->kind == 1) {
        bullets_at_ground(v, report);
        return;
    }
    int lost[4] = {0};
    for (int speed = 100; speed <= 1000; speed += 100)
        for (int w = 0; w < 5; w++)
            for (int kind = 0; kind < 4; kind++)
                for (int phase = 0; phase < 5; phase++)
                    lost[kind] += passes(v, speed, walls[w], kind & 1, kind & 2, phase);
    truth_claim(report, "boxes through static walls", lost[0], 0, 0, "of 250");
    truth_claim(report, "balls through static walls", lost[1], 0, 0, "of 250");
    truth_claim(report, "boxes through dynamic walls", lost[2], 0, 0, "of 250");
    truth_claim(report, "balls through dynamic walls", lost[3], 0, 0, "of 250");
}

static const truth_variant bullet_runs[] = {
    {.name = "main"},
    {"small", .scale = 0.2f},
    {"large", .scale = 4},
    {"light", .density = 50},
    {"at 30/s", .rate = 30},
    {"at 240/s", .rate = 240},
    {"ground", .kind = 1},
    {"ground, large", .kind = 1, .ratio = 1.03f, .scale = 12, .rate = 87},
    {"ground at 30/s", .kind = 1, .rate = 30},
    {"ground at 240/s", .kind = 1, .rate = 240},
};

// The angle less whole turns, in [-1.5 pi, pi / 2): what a rod that turns forth by up to 270 degrees
// per step, and back by less than 90, has turned.
static double unwound(double angle)
{
    while (angle >= 0.5 * TRUTH_PI)
        angle -= 2 * TRUTH_PI;
    while (angle < -1.5 * TRUTH_PI)
        angle += 2 * TRUTH_PI;
    return angle;
}

// A rod along x, 4 m x 4 cm x 4 cm, of one box or of `parts` in a row.
static trv_body_id add_rod(const truth_variant *v, trv_world *world, double spin, int parts)
{
    double s = truth_or(v->scale, 1.0f), half = 2 * s / parts;
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = truth_box(half, 0.02 * s, 0.02 * s),
                       .spin = truth_v(0, spin, 0),
                       .friction = 0.6f,
                       .density = v->density};
    trv_body_id rod = {0};
    for (int i = 0; i < parts; i++) {
        part.shape.as.box.center = truth_v((2 * i + 1) * half - 2 * s, 0, 0);
        if (i == 0)
            rod = truth_add(world, &part);
        else
            truth_add_shape(world, rod, part.shape, 0.6f, (float)truth_or(v->density, 1000));
    }
    return rod;
}

// Where a post that stands up is from a rod: along it, and on which side of it, x and z; however
// the rod has rolled about its axis. False where it is past the rod's end, or the rod past the
// post's, and where the rod stands up, too: it may go round.
static bool is_beside(const trv_world *world, trv_body_id rod, trv_vec3 post, double size,
                      trv_vec3 *at)
{
    trv_pose pose = truth_pose(world, rod);
    trv_vec3 axis = trv_rotate(pose.rotation, truth_v(1, 0, 0));
    trv_vec3 to = truth_minus(post, pose.position);
    double level = hypot(axis.x, axis.z);
    if (level < 0.1)
        return false;
    double along = (to.x * axis.x + to.z * axis.z) / level;
    *at = truth_v(along, 0, (to.z * axis.x - to.x * axis.z) / level);
    return hypot(at->x, at->z) <= 1.96 * size * level &&
           fabs(pose.position.y + along / level * axis.y) <= 0.98 * size;
}

// One rod spinning about y beside a static post of 4 cm, `away` from its middle. Seen from the rod
// the post goes round; true when it comes through the rod.
static bool rod_passes(const truth_variant *v, double spin, double away, int phase)
{
    double s = truth_or(v->scale, 1.0f), start = TRUTH_PI * (0.2 + 0.15 * phase);
    trv_world *world = truth_empty_space();
    truth_part post = {.shape = v->kind == 1 ? truth_box(0.02 * s, s, 0.02 * s)
                                             : trv_make_capsule(truth_v(0, -s, 0), truth_v(0, s, 0),
                                                                (float)(0.02 * s)),
                       .position = truth_v(away * s * cos(start), 0, -away * s * sin(start)),
                       .friction = 0.6f};
    truth_add(world, &post);
    trv_body_id rod = add_rod(v, world, spin, v->count > 1 ? v->count : 1);
    double angle = start;
    bool through = false;
    for (int i = 0; i < truth_steps(v, 1) && !through; i++) {
        truth_step(v, world);
        trv_vec3 at;
        if (!is_beside(world, rod, post.position, s, &at))
            break;
        double next = angle + unwound(atan2(-at.z, at.x) - angle);
        through = floor(next / TRUTH_PI) != floor(angle / TRUTH_PI);
        angle = next;
    }
    trv_world_destroy(world);
    return through;
}

// Row 27. 10 .. 100 rad/s, posts .5 .. 1.9 m from the middle, five places of the post: 200 rods.
static void rods(const truth_variant *v, truth_report *report)
{
    static const double places[] = {0.5, 1.0, 1.5, 1.9};
    int lost = 0;
    for (int spin = 10; spin <= 100; spin += 10)
        for (int p = 0; p < 4; p++)
            for (int phase = 0; phase < 5; phase++)
                lost += rod_passes(v, spin, places[p], phase);
    truth_claim(report, "rods through posts", lost, 0, 0, "of 200");
}

static const truth_variant rod_runs[] = {
    {.name = "main"},
    {"main square post", .kind = 1},
    {"small", .scale = 0.2f},
    {"large", .scale = 3},
    {"light", .density = 50},
    {"at 120/s", .rate = 120},
    {"at 240/s", .rate = 240},
    {"eight boxes", .count = 8},
    {"eight boxes, square post", .count = 8, .kind = 1},
    {"eight boxes at 240/s", .count = 8, .rate = 240},
};

// Of row 28, `count`: what the tiles are.
enum { TILES_STATIC, TILES_MOVED, TILES_ONE_BODY };

// 150 coplanar tiles of 1 m, in one row or two: static bodies, bodies that are moved together by
// hand, or shapes of one such body. They lie as level as numbers let them, or, `gap`, somewhat less,
// as where a level is turned about: rounding is a part of how far it reaches.
static void lay_tiles(const truth_variant *v, trv_world *world, float friction, trv_vec3 moved)
{
    double s = truth_or(v->scale, 1.0f);
    truth_part tile = {.kind = v->count == TILES_STATIC ? TRV_BODY_STATIC : TRV_BODY_KINEMATIC,
                       .shape = truth_box(0.5 * s, 0.25 * s, 0.5 * s),
                       .velocity = moved,
                       .friction = friction};
    trv_body_id one = {0};
    uint64_t state = 28;
    for (int i = 0; i < 150; i++)
        for (int row = 0; row < (v->kind == 2 ? 2 : 1); row++) {
            double off = s * v->gap * truth_noise(&state);
            trv_vec3 at =
                truth_v(s * (i + 0.5), off - 0.25 * s, v->kind == 2 ? s * (row - 0.5) : 0);
            bool more = v->count == TILES_ONE_BODY && i + row > 0;
            tile.position = v->count == TILES_ONE_BODY ? truth_v(0, 0, 0) : at;
            if (v->count == TILES_ONE_BODY)
                tile.shape.as.box.center = at;
            if (more)
                truth_add_shape(world, one, tile.shape, friction, 1000);
            else
                one = truth_add(world, &tile);
        }
}

// Row 28. Without friction nothing changes the speed over the tiles. Kinds: 0 a box, 1 a ball, 2 a
// box over the seam of two rows, 3 a ball that rolls with friction, 4 a capsule along its way.
static void tiles(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), half = 0.25 * s, fast = v->speed;
    float mu = v->kind == 3 ? 0.6f : 0.0f;
    bool rides = v->count == TILES_MOVED || v->count == TILES_ONE_BODY;
    trv_vec3 moved = rides ? truth_v(-3, 1.5, 0.5) : truth_v(0, 0, 0);
    trv_world *world = truth_world();
    lay_tiles(v, world, mu, moved);
    bool ball = v->kind == 1 || v->kind == 3;
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = v->kind == 4 ? trv_make_capsule(truth_v(-half, 0, 0),
                                                                truth_v(half, 0, 0), (float)half)
                                : ball       ? truth_ball(half)
                                             : truth_cube(half),
                       .position = truth_v(0.5 * s, half, 0),
                       .velocity = truth_v(fast + moved.x, moved.y, moved.z),
                       .spin = truth_v(0, 0, v->kind == 3 ? -fast / half : 0),
                       .friction = mu,
                       .density = v->density};
    trv_body_id body = truth_add(world, &part);
    double vertical = 0, least = fast, most = fast, aside = 0;
    for (int i = 0; i < truth_steps(v, 148 * s / fast); i++) {
        truth_step(v, world);
        trv_vec3 u = truth_minus(truth_velocity(world, body), moved);
        vertical = truth_max(vertical, fabs(u.y));
        aside = truth_max(aside, fabs(u.z));
        least = u.x < least || u.x != u.x ? u.x : least;
        most = truth_max(most, u.x);
    }
    trv_world_destroy(world);
    truth_claim(report, "least speed / v", least / fast, 0.999, 1.001, "");
    truth_claim(report, "most speed / v", most / fast, 0.999, 1.001, "");
    truth_claim(report, "vertical", vertical, -HUGE_VAL, 0.01, "m/s");
    truth_claim(report, "aside", aside, -HUGE_VAL, 0.01, "m/s");
}

static const truth_variant tile_runs[] = {
    {"main box 5 m/s", .speed = 5},
    {"main box 20 m/s", .speed = 20},
    {"main ball 5 m/s", .speed = 5, .kind = 1},
    {"main ball 20 m/s", .speed = 20, .kind = 1},
    {"box over a seam 5 m/s", .speed = 5, .kind = 2},
    {"box over a seam 20 m/s", .speed = 20, .kind = 2},
    {"ball rolls 5 m/s", .speed = 5, .kind = 3},
    {"ball rolls 20 m/s", .speed = 20, .kind = 3},
    {"small box 5 m/s", .speed = 5, .scale = 0.2f},
    {"large ball 20 m/s", .speed = 20, .scale = 5, .kind = 1},
    {"light box 20 m/s", .speed = 20, .density = 20},
    {"capsule 20 m/s", .speed = 20, .kind = 4},
    {"capsule 50 m/s at 120/s", .speed = 50, .kind = 4, .rate = 120},
    {"small capsule 12 m/s at 30/s", .speed = 12, .kind = 4, .scale = 0.4f, .rate = 30},
    {"box 20 m/s at 30/s", .speed = 20, .rate = 30},
    {"ball 20 m/s at 30/s", .speed = 20, .rate = 30, .kind = 1},
    {"box 20 m/s at 240/s", .speed = 20, .rate = 240},
    {"ball 20 m/s at 240/s", .speed = 20, .rate = 240, .kind = 1},
    {"box, moved tiles", .speed = 5, .count = TILES_MOVED},
    {"box 20 m/s, moved tiles", .speed = 20, .count = TILES_MOVED},
    {"ball, moved tiles", .speed = 20, .kind = 1, .count = TILES_MOVED},
    {"ball rolls, moved tiles", .speed = 5, .kind = 3, .count = TILES_MOVED},
    {"capsule, moved tiles, 30/s", .speed = 12, .kind = 4, .scale = 0.4f, .rate = 30,
     .count = TILES_MOVED},
    {"capsule 20 m/s, moved tiles", .speed = 20, .kind = 4, .scale = 0.3f, .rate = 30,
     .count = TILES_MOVED},
    {"ball, tiles rounded", .speed = 5, .kind = 1, .gap = 1.2e-5f},
    {"ball 20 m/s, tiles rounded", .speed = 20, .kind = 1, .gap = 1.2e-5f},
    {"ball rolls, tiles rounded", .speed = 5, .kind = 3, .gap = 1.2e-5f},
    {"box, tiles rounded", .speed = 20, .gap = 1.2e-5f},
    {"capsule, tiles rounded", .speed = 20, .kind = 4, .gap = 1.2e-5f},
    {"box, tiles of one body", .speed = 5, .kind = 2, .count = TILES_ONE_BODY},
    {"ball, tiles of one body", .speed = 5, .kind = 1, .count = TILES_ONE_BODY},
    {"capsule 50 m/s, tiles of one body", .speed = 50, .kind = 4, .count = TILES_ONE_BODY},
    {"ball rolls 60 m/s", .speed = 60, .kind = 3},
    {"ball rolls 40 m/s, moved tiles", .speed = 40, .kind = 3, .count = TILES_MOVED},
    {"ball rolls 60 m/s, tiles of one body", .speed = 60, .kind = 3, .count = TILES_ONE_BODY},
};

const truth_row truth_fast_rows[] = {
    TRUTH_ROW(26, "bullets at walls", bullets, bullet_runs),
    TRUTH_ROW(27, "a spinning rod at a post", rods, rod_runs),
    TRUTH_ROW(28, "sliding over tiles", tiles, tile_runs),
    {0},
};
