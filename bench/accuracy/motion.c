// Rows 1 to 5: motion that follows from Newton's and Euler's equations alone.
#include "truth.h"

// Row 1. Kinds: 0 falls for `time` seconds (g t^2 / 2); 1 is thrown at 45 degrees (judged where it
// should land, after 2 v sin / g seconds, relative to its range); 2 is pushed by a force in empty
// space; 3 is thrown as 1, and turns.
static void falls(const truth_variant *v, truth_report *report)
{
    bool thrown = v->kind == 1 || v->kind == 3;
    double fast = thrown ? truth_or(v->speed, 30.0f) * sqrt(0.5) : 0;
    trv_world *world = v->kind == 2 ? truth_empty_space() : truth_world();
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = truth_box(0.5, 0.25, 0.125),
                       .velocity = truth_v(fast, fast, 0),
                       .spin = v->kind == 3 ? truth_v(3, 5, 1) : truth_v(0, 0, 0),
                       .density = v->density};
    trv_body_id body = truth_add(world, &part);
    int steps = truth_steps(v, thrown ? 2 * fast / TRUTH_GRAVITY : (double)v->time);
    float mass, inertia[6];
    trv_vec3 center, none = {0, 0, 0};
    truth_ok(trv_body_mass(world, body, &mass, &center, inertia));
    trv_vec3 force = truth_v(0, -3.0 * mass, 0);
    for (int i = 0; i < steps; i++) {
        if (v->kind == 2)
            truth_ok(trv_body_apply_force(world, body, force, truth_position(world, body), none));
        truth_step(v, world);
    }
    double t = steps * (double)truth_dt(v), g = v->kind == 2 ? 3.0 : TRUTH_GRAVITY;
    double way = thrown ? 2 * fast * fast / TRUTH_GRAVITY : 0.5 * g * t * t;
    trv_vec3 at = truth_position(world, body), u = truth_velocity(world, body);
    double error = hypot(at.x - fast * t, at.y - (fast * t - 0.5 * g * t * t)) / way;
    double speed = thrown ? 2 * fast : g * t;
    double slip = hypot(u.x - fast, u.y - (fast - g * t)) / speed;
    trv_world_destroy(world);
    double bound = (double)truth_or(v->bound, 1e-4f);
    truth_claim(report, "error of place, relative", error, -HUGE_VAL, bound, "");
    truth_claim(report, "error of speed, relative", slip, -HUGE_VAL, bound, "");
}

static const truth_variant fall_runs[] = {
    {"main 1 s", .time = 1},
    {"main 10 s", .time = 10, .bound = 1e-5f},
    {"main thrown", .kind = 1},
    {"thrown fast", .kind = 1, .speed = 90},
    {"thrown slowly", .kind = 1, .speed = 3},
    {"thrown and turning", .kind = 3},
    {"pushed 10 s", .kind = 2, .time = 10, .bound = 1e-5f},
    {"10 s at 30/s", .time = 10, .bound = 1e-5f, .rate = 30},
    {"10 s at 240/s", .time = 10, .bound = 1e-5f, .rate = 240},
    {"1 s at 240/s", .time = 1, .rate = 240},
    {"thrown at 30/s", .kind = 1, .rate = 30},
    {"thrown at 240/s", .kind = 1, .rate = 240},
    {"pushed 60 s at 240/s", .kind = 2, .time = 60, .bound = 1e-5f, .rate = 240},
};

// A free body's energy and angular momentum, from what the world tells of it.
static double spin_state(trv_world *world, trv_body_id body, double momentum[3])
{
    float mass, inertia[6];
    trv_vec3 center;
    truth_ok(trv_body_mass(world, body, &mass, &center, inertia));
    trv_quat rotation = truth_pose(world, body).rotation;
    trv_vec3 w = truth_unturn(rotation, truth_spin(world, body));
    trv_vec3 l =
        truth_v((double)inertia[0] * w.x, (double)inertia[1] * w.y, (double)inertia[2] * w.z);
    trv_vec3 turned = trv_rotate(rotation, l);
    momentum[0] = turned.x;
    momentum[1] = turned.y;
    momentum[2] = turned.z;
    return 0.5 * truth_dot(w, l);
}

// How often the spin about x changes sign, and when at first.
typedef struct flips {
    int count;
    double first;
    double before;
} flips;

static void count_flip(flips *f, double spin, double now, double dt)
{
    if (f->before * spin < 0) {
        if (f->count++ == 0)
            f->first = now - dt * spin / (spin - f->before);
    }
    f->before = spin;
}

static void euler(const double inverse_i[3], const double i[3], const double w[3], double out[3])
{
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        out[a] = (i[b] - i[c]) * w[b] * w[c] * inverse_i[a];
    }
}

// The truth: Euler's equations in the body's frame by the classical Runge-Kutta method in double, at
// steps of at most a five-thousandth of a radian.
static flips true_flips(trv_vec3 half, trv_vec3 spin, double seconds)
{
    double i[3] = {(double)half.y * half.y + (double)half.z * half.z,
                   (double)half.x * half.x + (double)half.z * half.z,
                   (double)half.x * half.x + (double)half.y * half.y};
    double inverse[3] = {1 / i[0], 1 / i[1], 1 / i[2]}, w[3] = {spin.x, spin.y, spin.z};
    long steps = (long)(seconds * truth_length(spin) * 5000) + 1;
    double h = seconds / (double)steps;
    flips f = {.before = w[0]};
    for (long s = 1; s <= steps; s++) {
        static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
        double k[3] = {0, 0, 0}, sum[3] = {0, 0, 0};
        for (int stage = 0; stage < 4; stage++) {
            double at[3];
            for (int a = 0; a < 3; a++)
                at[a] = w[a] + part[stage] * h * k[a];
            euler(inverse, i, at, k);
            for (int a = 0; a < 3; a++)
                sum[a] += weight[stage] * k[a];
        }
        for (int a = 0; a < 3; a++)
            w[a] += h / 6 * sum[a];
        count_flip(&f, w[0], (double)s * h, h);
    }
    return f;
}

// Rows 2 and 3. A box spinning about its middle axis, .01 off it, turns over again and again (the
// tennis racket theorem), and keeps energy and angular momentum.
static void tumbles(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), seconds = truth_or(v->time, 60.0f);
    trv_world *world = truth_empty_space();
    trv_vec3 half = truth_v(0.2 * s, 0.5 * s, 0.1 * s);
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = trv_make_box(half),
                       .spin = truth_v(v->speed, 0.01 * (double)v->speed, 0),
                       .density = v->density};
    if (v->kind == 1) { // begins turned, far away and on the move
        part.rotation = trv_quat_about(truth_v(1, 2, 3), 1.0f);
        part.spin = trv_rotate(part.rotation, part.spin);
        part.velocity = truth_v(20, 0, 1);
    }
    trv_body_id body = truth_add(world, &part);
    double first[3], now[3], energy = spin_state(world, body, first), worst_e = 0, worst_l = 0;
    double length = sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
    flips seen = {.before = (double)v->speed};
    for (int i = 1; i <= truth_steps(v, seconds); i++) {
        truth_step(v, world);
        double e = spin_state(world, body, now), off = 0;
        for (int a = 0; a < 3; a++)
            off += (now[a] - first[a]) * (now[a] - first[a]);
        worst_e = truth_max(worst_e, fabs(e / energy - 1));
        worst_l = truth_max(worst_l, sqrt(off) / length);
        trv_vec3 w = truth_unturn(truth_pose(world, body).rotation, truth_spin(world, body));
        count_flip(&seen, w.x, i * (double)truth_dt(v), (double)truth_dt(v));
    }
    trv_world_destroy(world);
    flips truth = true_flips(half, truth_v(v->speed, 0.01 * (double)v->speed, 0), seconds);
    double bound = v->speed > 5 ? 0.3 : 0.2;
    truth_claim(report, "energy drifts", 100 * worst_e, -HUGE_VAL, bound, "%");
    truth_claim(report, "angular momentum drifts", 100 * worst_l, -HUGE_VAL, 0.1, "%");
    truth_claim(report, "flips", seen.count, truth.count, truth.count, "");
    truth_claim(report, "first flip", seen.first, truth.first - 0.005, truth.first + 0.005, "s");
}

static const truth_variant slow_tumbles[] = {
    {"main", .speed = 5},
    {"small", .speed = 5, .scale = 0.2f},
    {"large", .speed = 5, .scale = 5, .density = 50},
    {"turned and moving", .speed = 5, .kind = 1},
    {"slow", .speed = 0.5f, .time = 120},
    {"at 30/s", .speed = 5, .rate = 30},
    {"at 240/s", .speed = 5, .rate = 240},
};

static const truth_variant fast_tumbles[] = {
    {"main", .speed = 20},
    {"faster", .speed = 60, .time = 10},
    {"turned and moving", .speed = 20, .kind = 1},
    {"at 30/s", .speed = 20, .rate = 30},
    {"at 240/s", .speed = 20, .rate = 240},
};

// Turns of a direction about an axis, added up from step to step.
typedef struct azimuth {
    trv_vec3 x, y; // across the axis
    double last;
    double sum;
} azimuth;

static azimuth start_azimuth(trv_vec3 axis, trv_vec3 direction)
{
    azimuth a = {.sum = 0};
    double n = truth_length(axis), along = truth_dot(axis, direction) / (n * n);
    trv_vec3 x = truth_v((double)direction.x - along * axis.x, (double)direction.y - along * axis.y,
                         (double)direction.z - along * axis.z);
    double m = truth_length(x);
    a.x = truth_v(x.x / m, x.y / m, x.z / m);
    a.y = truth_v(((double)axis.y * a.x.z - (double)axis.z * a.x.y) / n,
                  ((double)axis.z * a.x.x - (double)axis.x * a.x.z) / n,
                  ((double)axis.x * a.x.y - (double)axis.y * a.x.x) / n);
    return a;
}

static void follow(azimuth *a, trv_vec3 direction)
{
    double now = atan2(truth_dot(direction, a->y), truth_dot(direction, a->x));
    a->sum += remainder(now - a->last, 2 * TRUTH_PI);
    a->last = now;
}

// Row 4. A free disc's axis goes round its angular momentum L with |L| / I1, I1 the moment across.
static void precesses(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), fast = truth_or(v->speed, 20.0f);
    trv_world *world = truth_empty_space();
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = truth_box(0.5 * s, 0.1 * s, 0.5 * s),
                       .spin = truth_v(0.1 * fast, fast, 0),
                       .density = v->density};
    trv_body_id body = truth_add(world, &part);
    double across = 0.26, along = 0.5; // of the moments, for half = (.5, .1, .5)
    double truth = hypot(across * 0.1 * fast, along * fast) / across;
    trv_vec3 momentum = truth_v(across * 0.1 * fast, along * fast, 0), up = truth_v(0, 1, 0);
    azimuth a = start_azimuth(momentum, up);
    int steps = truth_steps(v, 10);
    for (int i = 0; i < steps; i++) {
        truth_step(v, world);
        follow(&a, trv_rotate(truth_pose(world, body).rotation, up));
    }
    trv_world_destroy(world);
    double rate = a.sum / (steps * (double)truth_dt(v));
    truth_claim(report, "precession", rate, 0.99 * truth, 1.01 * truth, "rad/s");
}

static const truth_variant discs[] = {
    {.name = "main"},        {"small", .scale = 0.2f},  {"slow", .speed = 1},
    {"at 30/s", .rate = 30}, {"at 120/s", .rate = 120}, {"at 240/s", .rate = 240},
};

// The tip of a top: a cone, point down, without mass.
static trv_hull *make_cone(double height, double radius)
{
    enum { SIDES = 12 };
    trv_vec3 points[SIDES + 1] = {{0, 0, 0}};
    for (int i = 0; i < SIDES; i++) {
        double a = 2 * TRUTH_PI * i / SIDES;
        points[i + 1] = truth_v(radius * cos(a), height, radius * sin(a));
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    truth_ok(trv_hull_create(points, SIDES + 1, &def, &hull));
    return hull;
}

// How far a top that is let go without going round nods, as a cosine: where, with its energy and its
// momenta about the vertical and its own axis as they were, it no longer does. `fast` is I3 w / I1,
// `weight` 2 m g l / I1.
static double lowest_nod(double cosine, double fast, double weight)
{
    double square = fast * fast;
    double under = square * square - 4 * weight * (square * cosine - weight);
    return (square - sqrt(fmax(under, 0.0))) / (2 * weight);
}

// How fast such a top goes round, rad/s: the mean over a nod. With u the cosine, between u0 and `lowest`, u1,
// u'^2 = (u0 - u) (weight (1 - u^2) - fast^2 (u0 - u)) = weight (u0 - u) (u - u1) (u2 - u), and it goes round with
// fast (u0 - u) / (1 - u^2). As u goes between both like the cosine of an angle, the sums over that angle converge
// faster than any power of their number.
static double mean_precession(double cosine, double lowest, double fast, double weight)
{
    enum { SUMMANDS = 64 };
    double other = fast * fast / weight - lowest, time = 0, round = 0;
    for (int i = 0; i < SUMMANDS; i++) {
        double along = cos(TRUTH_PI * (i + 0.5) / SUMMANDS);
        double u = 0.5 * (cosine + lowest) + 0.5 * (cosine - lowest) * along;
        double share = 1 / sqrt(weight * (other - u));
        time += share;
        round += share * fast * (cosine - u) / (1 - u * u);
    }
    return round / time;
}

// Row 5. A top: a disc of half extents (.15, .02, .15) with its middle .2 m above the tip, a point that
// friction holds. It goes round with m g l / (I3 w), as Euler has it of a fast top, to 1 %; what is slower goes
// round as is exact. It keeps its spin, and nods between its tilt and what that makes of it.
static void top(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), fast = truth_or(v->speed, 200.0f), l = 0.2 * s;
    trv_world *world = truth_world();
    truth_ground(world, 1, 0, 50);
    trv_quat lean =
        trv_quat_about(truth_v(0, 0, 1), (float)(-truth_or(v->angle, 20.0f) * TRUTH_PI / 180));
    trv_vec3 up = truth_v(0, 1, 0), axis = trv_rotate(lean, up);
    trv_obb disc = {truth_v(0, l, 0), truth_v(0.15 * s, 0.02 * s, 0.15 * s), trv_identity_quat()};
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = trv_make_placed_box(disc),
                       .rotation = lean,
                       .spin = truth_v(fast * axis.x, fast * axis.y, fast * axis.z),
                       .friction = 1,
                       .density = v->density};
    trv_body_id body = truth_add(world, &part);
    trv_hull *cone = make_cone(0.15 * s, 0.04 * s);
    truth_add_shape(world, body, trv_make_hull(cone), 1, 0);
    trv_hull_release(cone);
    azimuth a = start_azimuth(up, axis);
    int steps = truth_steps(v, 5);
    double least = 90, most = 0;
    for (int i = 0; i < steps; i++) {
        truth_step(v, world);
        double tilt = truth_tilt(world, body, up) * 180 / TRUTH_PI;
        least = fmin(least, tilt);
        most = truth_max(most, tilt);
        follow(&a, trv_rotate(truth_pose(world, body).rotation, up));
    }
    axis = trv_rotate(truth_pose(world, body).rotation, up);
    double spin = truth_dot(truth_spin(world, body), axis) / fast;
    trv_world_destroy(world);
    double rate = fabs(a.sum) / (steps * (double)truth_dt(v));
    double along = 0.015 * s * s,
           across = 0.0476 * s * s; // I3 / m = 2/3 .15^2; I1 / m about the tip
    double tilt = truth_or(v->angle, 20.0f), cosine = cos(tilt * TRUTH_PI / 180);
    double turning = along * fast / across, weight = 2 * TRUTH_GRAVITY * l / across;
    double nod = lowest_nod(cosine, turning, weight), euler = TRUTH_GRAVITY * l / (along * fast);
    double exact = mean_precession(cosine, nod, turning, weight);
    double truth = exact <= 1.015 * euler ? euler : exact;
    truth_claim(report, "precession", rate, 0.95 * truth, 1.05 * truth, "rad/s");
    truth_claim(report, "spin kept", spin, 0.95, 1.05, "");
    double furthest = acos(nod) * 180 / TRUTH_PI;
    truth_claim(report, "least tilt", least, tilt - 0.5, tilt + 0.5, "degrees");
    truth_claim(report, "most tilt", most, furthest - 0.5, furthest + 0.5, "degrees");
}

static const truth_variant tops[] = {
    {.name = "main"},
    {"100 rad/s", .speed = 100},
    {"300 rad/s", .speed = 300},
    {"at 35 degrees", .angle = 35}, // from 39 on the corners of the disc would nod into the ground
    {"small", .scale = 0.5f, .speed = 300},
    {"light", .density = 100},
    {"at 120/s", .rate = 120},
    {"at 240/s", .rate = 240},
    {"100 rad/s at 240/s", .speed = 100, .rate = 240},
    {"at 30/s", .rate = 30},
    {"300 rad/s at 30/s", .speed = 300, .rate = 30},
    {"at 35 degrees, 30/s", .angle = 35, .rate = 30},
    {"small at 30/s", .scale = 0.25f, .speed = 300, .rate = 30},
    {"slow and small", .scale = 0.25f, .speed = 150},
};

const truth_row truth_motion_rows[] = {
    TRUTH_ROW(1, "free fall and throws", falls, fall_runs),
    TRUTH_ROW(2, "a free box tumbles, 5 rad/s", tumbles, slow_tumbles),
    TRUTH_ROW(3, "a free box tumbles, 20 rad/s", tumbles, fast_tumbles),
    TRUTH_ROW(4, "a free disc precesses", precesses, discs),
    TRUTH_ROW(5, "a fast top precesses", top, tops),
    {0},
};
