// Rows 9, 15, 16, 17: many balls. The scenes are those of the SimBenchmark of the Robotic Systems
// Lab, ETH Zurich ("rolling", "bouncing", "666"), built from their description.
#include "truth.h"

enum { MOST = 512 };

typedef struct balls {
    trv_world *world;
    int count;
    trv_body_id bodies[MOST];
    double radius;
    double energy; // at first, per mass, J/kg
} balls;

static void add_ball(balls *b, const truth_variant *v, trv_vec3 at, float friction, float e)
{
    truth_part part = {.kind = TRV_BODY_DYNAMIC,
                       .shape = truth_ball(b->radius),
                       .position = at,
                       .friction = friction,
                       .restitution = e,
                       .density = v->density};
    b->bodies[b->count++] = truth_add(b->world, &part);
}

// Kinetic and potential, per mass of a ball; 0 for balls at rest on the ground.
static double energy_of(const balls *b)
{
    double sum = 0;
    for (int i = 0; i < b->count; i++) {
        trv_vec3 u = truth_velocity(b->world, b->bodies[i]), w = truth_spin(b->world, b->bodies[i]);
        sum += 0.5 * truth_dot(u, u) + 0.2 * b->radius * b->radius * truth_dot(w, w);
        sum += TRUTH_GRAVITY * ((double)truth_position(b->world, b->bodies[i]).y - b->radius);
    }
    return sum;
}

// Sum over all touching pairs and the ground of the penetration squared, m^2.
static double penetration_of(const balls *b)
{
    double sum = 0;
    trv_vec3 at[MOST];
    for (int i = 0; i < b->count; i++) {
        at[i] = truth_position(b->world, b->bodies[i]);
        double depth = b->radius - at[i].y;
        sum += depth > 0 ? depth * depth : 0;
        for (int j = 0; j < i; j++) {
            double pair = 2 * b->radius - truth_length(truth_minus(at[i], at[j]));
            sum += pair > 0 ? pair * pair : 0;
        }
    }
    return sum;
}

// The root of the mean square of the relative error of the energy over `seconds`.
static double energy_error(balls *b, const truth_variant *v, double seconds)
{
    double first = energy_of(b), sum = 0;
    int steps = truth_steps(v, seconds);
    for (int i = 0; i < steps; i++) {
        truth_step(v, b->world);
        double error = energy_of(b) / first - 1;
        sum += error * error;
    }
    trv_world_destroy(b->world);
    return sqrt(sum / steps);
}

// Row 15. 49 balls, apart, dropped from 3 to 7.8 m: with e = 1 no energy goes.
static void bouncing_balls(const truth_variant *v, truth_report *report)
{
    balls b = {.world = truth_world(), .radius = 0.5 * truth_or(v->scale, 1.0f)};
    truth_ground(b.world, 0.8f, 1, 200);
    for (int i = 0; i < 49; i++)
        add_ball(&b, v,
                 truth_v(4 * b.radius * (i % 7), b.radius + 3 + 0.1 * i, 4 * b.radius * (i / 7)),
                 0.8f, 1);
    truth_claim(report, "energy error, rms", 100 * energy_error(&b, v, 20), -HUGE_VAL, 0.05, "%");
}

static const truth_variant bouncing[] = {
    {"main", .rate = 100},
    {"small", .rate = 100, .scale = 0.2f},
    {"light", .rate = 100, .density = 10},
    {"at 30/s", .rate = 30},
    {"at 60/s", .rate = 60},
    {"at 240/s", .rate = 240},
};

// A cube of 6 x 6 x 6 balls, a tenth of a diameter apart, the lowest a diameter above the ground,
// each moved by up to 2 % of a diameter so that the heap falls over.
static void add_cube(balls *b, const truth_variant *v, float friction, float e)
{
    uint64_t state = 666;
    double pitch = 2.2 * b->radius, noise = 0.04 * b->radius;
    for (int i = 0; i < 216; i++) {
        double x = pitch * (i % 6) + noise * truth_noise(&state);
        double y = pitch * (i / 36) + noise * truth_noise(&state) + 3 * b->radius;
        double z = pitch * (i / 6 % 6) + noise * truth_noise(&state);
        add_ball(b, v, truth_v(x, y, z), friction, e);
    }
}

// Row 16. Without friction and with e = 1 the heap keeps its energy, whatever way it falls.
static void elastic_cube(const truth_variant *v, truth_report *report)
{
    balls b = {.world = truth_world(), .radius = 0.5 * truth_or(v->scale, 1.0f)};
    truth_ground(b.world, 0, 1, 500);
    add_cube(&b, v, 0, 1);
    truth_claim(report, "energy error, rms", 100 * energy_error(&b, v, 4), -HUGE_VAL, 1, "%");
}

static const truth_variant elastic[] = {
    {.name = "main"},
    {"small", .scale = 0.2f},
    {"large", .scale = 4},
    {"at 30/s", .rate = 30},
    {"at 100/s", .rate = 100},
    {"at 240/s", .rate = 240},
    {"marbles", .scale = 0.05f},
    {"marbles at 30/s", .scale = 0.05f, .rate = 30},
    {"small marbles at 30/s", .scale = 0.03f, .rate = 30},
    {"tiny marbles at 30/s", .scale = 0.02f, .rate = 30},
};

static void add_walls(balls *b, double friction)
{
    double low = -1.3 * b->radius, high = 5 * 2.2 * b->radius + 1.3 * b->radius;
    double middle = 0.5 * (low + high), half = 0.5 * (high - low), thick = 2 * b->radius;
    for (int i = 0; i < 4; i++) {
        double at = i & 1 ? high + thick : low - thick;
        bool across = (i & 2) != 0;
        truth_part wall = {.shape = across ? truth_box(half + 2 * thick, 20 * b->radius, thick)
                                           : truth_box(thick, 20 * b->radius, half + 2 * thick),
                           .position = across ? truth_v(middle, 20 * b->radius, at)
                                              : truth_v(at, 20 * b->radius, middle),
                           .friction = (float)friction};
        truth_add(b->world, &wall);
    }
}

static double mean_speed(const balls *b)
{
    double sum = 0;
    for (int i = 0; i < b->count; i++) {
        trv_vec3 u = truth_velocity(b->world, b->bodies[i]);
        sum += truth_dot(u, u);
    }
    return sqrt(sum / b->count);
}

// Row 17. Rigid balls never share space. On open ground they roll away; between walls (kind 1) the heap
// comes to rest, but for balls that have a way to roll on the ground: nothing resists rolling, so that
// they keep their speed from one blow to the next, and how many are left after 8 s hangs on chance. What must
// not happen is that energy comes back; a ball that is lifted by .01 mm, out of another that it was pressed
// into, gains 1e-4 J/kg.
static void inelastic_cube(const truth_variant *v, truth_report *report)
{
    balls b = {.world = truth_world(), .radius = 0.5 * truth_or(v->scale, 1.0f)};
    float friction = truth_or(v->friction, 0.8f);
    truth_ground(b.world, friction, 0, 500);
    if (v->kind == 1)
        add_walls(&b, friction);
    add_cube(&b, v, friction, 0);
    double most = 0, side = 4 * b.radius * b.radius, gained = 0;
    double first = energy_of(&b), least = first;
    for (int i = 0; i < truth_steps(v, 8); i++) {
        truth_step(v, b.world);
        most = truth_max(most, penetration_of(&b));
        double energy = energy_of(&b);
        gained = truth_max(gained, energy - least);
        least = fmin(least, energy);
    }
    double last = penetration_of(&b), speed = mean_speed(&b);
    trv_world_destroy(b.world);
    truth_claim(report, "most penetration^2, per d^2", most / side, -HUGE_VAL, 1e-4, "");
    truth_claim(report, "the same after 8 s", last / side, -HUGE_VAL, 1e-4, "");
    truth_claim(report, "energy that came back", gained / first, -HUGE_VAL, 1e-4, "of all");
    if (v->kind == 1)
        truth_claim(report, "speed after 8 s, rms", speed, -HUGE_VAL, 0.1, "m/s");
}

static const truth_variant inelastic[] = {
    {"main", .rate = 100},
    {"main walled", .rate = 100, .kind = 1},
    {"smooth", .rate = 100, .friction = 0.2f},
    {"small", .rate = 100, .scale = 0.2f},
    {"small walled", .rate = 100, .scale = 0.2f, .kind = 1},
    {"at 30/s", .rate = 30},
    {"half as large at 30/s", .rate = 30, .scale = 0.5f},
    {"a third as large at 30/s", .rate = 30, .scale = 0.35f},
    {"a quarter as large at 30/s", .rate = 30, .scale = 0.25f},
    {"small at 60/s", .rate = 60, .scale = 0.1f},
    {"smaller at 60/s", .rate = 60, .scale = 0.06f},
    {"at 240/s", .rate = 240},
};

// Row 9. A box of 20 x 1 x 20 m and 10 kg with 25 balls of 1 kg on it is pushed over the ground by
// 150 N, 45 degrees off its sides. mu of box and ground .4, of balls and box .8. With a =
// acceleration of the box: a ball that rolls feels f = 2/7 m a and gains 2/7 a (f = m b; a = b + r
// alpha, 2/5 m r^2 alpha = f r), so (M + 25 * 2/7 m) a = F - mu (M + 25 m) g: all in the force's
// direction, because friction is a circular cone. The mean is over steps, bodies and axes. Balls of
// any size go as far over the box, which leaves them the way.
static void rolling_bench(const truth_variant *v, truth_report *report)
{
    double s = truth_or(v->scale, 1.0f), r = 0.5 * s, m = 1, big = 10, force = 150;
    double half = 6 + 4 * s;
    double turn = truth_or(v->angle, 45.0f) * TRUTH_PI / 180, ball = 4.0 / 3 * TRUTH_PI * r * r * r;
    balls b = {.world = truth_world(), .radius = r};
    truth_variant light = *v;
    light.density = (float)(m / ball);
    truth_ground(b.world, 0.2f, 0, (float)(100 * s));
    truth_part box = {.kind = TRV_BODY_DYNAMIC,
                      .shape = truth_box(half, 0.5 * s, half),
                      .position = truth_v(0, 0.5 * s, 0),
                      .friction = 0.8f,
                      .density = (float)(big / (4 * half * half * s))};
    trv_body_id bench = truth_add(b.world, &box);
    for (int i = 0; i < 25; i++)
        add_ball(&b, &light, truth_v(2 * s * (i % 5 - 2), s + r, 2 * s * (i / 5 - 2)), 0.8f, 0);
    double a = (force - 0.4 * (big + 25 * m) * TRUTH_GRAVITY) / (big + 25 * 2.0 / 7 * m);
    double sum = 0;
    int steps = truth_steps(v, 4);
    trv_vec3 push = truth_v(force * cos(turn), 0, force * sin(turn)), none = {0, 0, 0};
    for (int i = 1; i <= steps; i++) {
        truth_ok(trv_body_apply_force(b.world, bench, push, truth_position(b.world, bench), none));
        truth_step(v, b.world);
        double t = i * (double)truth_dt(v);
        for (int k = -1; k < b.count; k++) {
            trv_vec3 u = truth_velocity(b.world, k < 0 ? bench : b.bodies[k]);
            double speed = k < 0 ? a * t : 2.0 / 7 * a * t;
            double x = u.x - speed * cos(turn), z = u.z - speed * sin(turn);
            sum += x * x + z * z + (double)u.y * u.y;
        }
    }
    trv_world_destroy(b.world);
    truth_claim(report, "mean square error of speed", sum / (steps * 26.0 * 3.0), -HUGE_VAL, 1e-7,
                "m^2/s^2");
}

static const truth_variant rolling[] = {
    {"main", .rate = 100},
    {"along a side", .rate = 100, .angle = 1e-30f},
    {"20 degrees off", .rate = 100, .angle = 20},
    {"at 60/s", .rate = 60},
    {"at 240/s", .rate = 240},
};

const truth_row truth_ball_rows[] = {
    TRUTH_ROW(9, "balls roll on a box that is pushed", rolling_bench, rolling),
    TRUTH_ROW(15, "49 balls bounce without loss", bouncing_balls, bouncing),
    TRUTH_ROW(16, "an elastic cube of balls", elastic_cube, elastic),
    TRUTH_ROW(17, "an inelastic cube of balls", inelastic_cube, inelastic),
    {0},
};
