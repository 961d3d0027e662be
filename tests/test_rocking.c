// What rocks from one edge to another, and what rolls over its corners, loses what a blow that bounces nothing
// takes where it comes down, and nothing before.
#include "energy_support.h"
#include "hull_support.h"
#include "hulls.h"

// A block on one of its lower edges, in the plane across z.
typedef struct block {
    float half_width, half_height;
} block;

// By such a tilt its centre is right over the edge.
static float balance_of(const block *b)
{
    return atan2f(b->half_width, b->half_height);
}

static trv_body_id add_tilted(trv_world *world, const block *b, bool hull, float tilt)
{
    float c = cosf(tilt), s = sinf(tilt), w = b->half_width, h = b->half_height;
    trv_shape solid = trv_make_box(trv_make_vec3(w, h, 0.3f));
    trv_hull *made = NULL;
    if (hull) {
        trv_vec3 corners[8];
        for (int i = 0; i < 8; i++)
            corners[i] = trv_make_vec3(i & 1 ? w : -w, i & 2 ? h : -h, i & 4 ? 0.3f : -0.3f);
        made = hull_of(corners, 8);
        solid = trv_make_hull(made);
    }
    trv_pose pose = {{w * c - h * s, w * s + h * c, 0},
                     trv_quat_about(trv_make_vec3(0, 0, 1), tilt)};
    trv_body_id body = add_moving(world, solid, pose.position, trv_make_vec3(0, 0, 0), 1, 0);
    expect_result(trv_body_set_pose(world, body, pose), TRV_OK);
    trv_hull_release(made); // the shape keeps it
    return body;
}

// The share of its energy that is left when it has come down on its other edge.
static double share_left(const block *b, bool hull, float lean, float rate)
{
    trv_world *world = make_world();
    add_shape_of(world, add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0)),
                 trv_make_box(trv_make_vec3(10, 1, 10)), 1, 0);
    trv_body_id body = add_tilted(world, b, hull, lean * balance_of(b));
    float mass, inertia[6];
    trv_vec3 center;
    expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
    double rest = 9.81 * mass * b->half_height, share = 0, before = 0;
    int last = (int)(4 * rate) - 1;
    bool met = false;
    for (int i = 0; i <= last; i++) {
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        double now = energy_under_gravity(world, &body, 1) - rest;
        if (!met && now < 0.95 * before) {
            met = true;
            last = i + 2; // for what is still being taken
        }
        if (!met)
            before = now;
        share = now / before;
    }
    trv_world_destroy(world);
    return share;
}

// The angular momentum about the edge that it comes down on is what stays. Source: Housner 1963, "The Behavior of
// Inverted Pendulum Structures during Earthquakes". The blow comes somewhere in a sub-step, in which the block
// weighs on one edge alone.
static void a_block_that_rocks_loses_what_its_edges_take(void **state)
{
    (void)state;
    static const block blocks[] = {{0.1f, 0.5f}, {0.15f, 0.5f}, {0.2f, 0.5f}, {0.3f, 0.5f}};
    static const float rates[] = {30, 60, 120, 240};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
            for (int hull = 0; hull < 2; hull++) {
                double sine = sin((double)balance_of(&blocks[k])), sum = 0;
                double truth = (1 - 1.5 * sine * sine) * (1 - 1.5 * sine * sine);
                for (int i = 0; i < 10; i++)
                    sum += share_left(&blocks[k], hull == 1, 0.3f + 0.06f * (float)i, rates[r]);
                if (!(fabs(0.1 * sum - truth) <= 0.03 * (double)(60 / rates[r])))
                    fail_msg("block %zu at %g/s: %g left of %g", k, (double)rates[r], 0.1 * sum,
                             truth);
            }
}

// The mean spin, rad/s, of a prism of radius 1/2 m that rolls down a slope, when it has come to its pace.
static double pace(uint32_t sides, float slope, float rate)
{
    trv_world_def def = trv_default_world_def();
    def.gravity = trv_make_vec3(9.81f * sinf(slope), -9.81f * cosf(slope), 0);
    trv_world *world;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    add_shape_of(world, add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0)),
                 trv_make_box(trv_make_vec3(200, 1, 10)), 1.5f, 0);
    trv_hull *hull = make_wheel(sides, 0.5f, 0.3f);
    trv_vec3 start = {-100, 0.5f * cosf(3.14159265f / (float)sides), 0};
    trv_vec3 speed = {1.5f, 0, 0}, spin = {0, 0, -3};
    trv_body_id body = add_moving(world, trv_make_hull(hull), start, speed, 1.5f, 0);
    expect_result(trv_body_set_velocity(world, body, speed, spin), TRV_OK);
    double sum = 0;
    const int steps = (int)(12 * rate), count = (int)(5 * rate);
    for (int i = 0; i < steps; i++) {
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        expect_result(trv_body_angular_velocity(world, body, &spin), TRV_OK);
        sum += i >= steps - count ? -(double)spin.z / count : 0;
    }
    trv_world_destroy(world);
    trv_hull_release(hull);
    return sum;
}

// From corner to corner it is a pendulum on its head; each corner that comes down takes its part. Source: McGeer
// 1990, "Passive Dynamic Walking", the rimless wheel.
static double pace_of_wheel(uint32_t sides, double slope)
{
    const double r = 0.5, part = 3.14159265358979 / sides, g = 9.81;
    double inertia = 0.5 * r * r * (1 - 2.0 / 3 * sin(part) * sin(part)), about = inertia + r * r;
    double kept = (inertia + r * r * cos(2 * part)) / about;
    double gain = 4 * g * r * sin(part) * sin(slope) / about;
    double spin = kept * sqrt(gain / (1 - kept * kept)), angle = -part, time = 0;
    const double tick = 1e-5;
    for (; angle < part && time < 5; time += tick) {
        spin += g * r * sin(angle + slope) / about * tick;
        angle += spin * tick;
    }
    return 2 * part / time;
}

static void a_prism_rolls_as_its_corners_let_it(void **state)
{
    (void)state;
    static const struct {
        uint32_t sides;
        float rate;
    } cases[] = {{8, 30}, {8, 60}, {8, 120}, {12, 30}, {12, 60}, {12, 120}, {16, 60}};
    const float slope = 0.14f;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double is = pace(cases[i].sides, slope, cases[i].rate);
        double truth = pace_of_wheel(cases[i].sides, (double)slope);
        if (!(fabs(is / truth - 1) <= 0.045 * (double)(60 / cases[i].rate)))
            fail_msg("%u sides at %g/s: %g of %g rad/s", cases[i].sides, (double)cases[i].rate, is,
                     truth);
    }
}

// A wedge that stands on its edge, with a weight on either side that hangs lower: a pendulum.
static trv_body_id add_pendulum(trv_world *world, float size, float tilt)
{
    trv_vec3 points[6];
    for (int i = 0; i < 6; i++)
        points[i] = trv_make_vec3(size * 0.1f * (float)(i % 3 - 1), size * (i % 3 == 1 ? 0 : 0.2f),
                                  size * (i < 3 ? -0.2f : 0.2f));
    trv_hull *wedge = hull_of(points, 6);
    trv_body_def def = trv_default_body_def();
    def.kind = TRV_BODY_DYNAMIC;
    def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), tilt);
    trv_body_id body;
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape_of(world, body, trv_make_hull(wedge), 1.5f, 0);
    for (int side = -1; side <= 1; side += 2) {
        trv_obb weight = {{0.6f * size * (float)side, -0.3f * size, 0},
                          {0.05f * size, 0.15f * size, 0.1f * size},
                          {0, 0, 0, 1}};
        add_shape_of(world, body, trv_make_placed_box(weight), 1.5f, 0);
    }
    trv_hull_release(wedge);
    return body;
}

static void a_pendulum_on_an_edge_does_not_swing_farther(void **state)
{
    (void)state;
    const float sizes[] = {0.1f, 0.3f, 1}, tilt = 0.3f;
    for (int i = 0; i < 24; i++) {
        trv_body_kind kind = i < 12 ? TRV_BODY_STATIC : TRV_BODY_KINEMATIC;
        float size = sizes[i / 4 % 3], rate = (float)(30 << i % 4);
        trv_world *world = make_world();
        trv_body_id table = add_body(world, kind, trv_make_vec3(0, -0.5f * size, 0));
        add_shape_of(world, table,
                     trv_make_box(trv_make_vec3(0.2f * size, 0.5f * size, 0.3f * size)), 1.5f, 0);
        trv_body_id body = add_pendulum(world, size, tilt);
        float mass, inertia[6];
        trv_vec3 center;
        expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
        double low = 9.81 * mass * center.y, begun = energy_under_gravity(world, &body, 1) - low;
        for (int s = 0; s < (int)(20 * rate); s++) {
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
            double has = energy_under_gravity(world, &body, 1) - low;
            if (!(has >= 0.9 * begun && has <= 1.03 * begun))
                fail_msg("of %g m at %g/s: %g of its energy after %g s", (double)size, (double)rate,
                         has / begun, s / (double)rate);
        }
        trv_world_destroy(world);
    }
}

// Friction leads it round, at .95 of what it can: nothing about it turns past the table, and its middle goes by the
// mean of its speeds, or it would come nearer to the axis in each step.
static void what_lies_on_a_turntable_keeps_its_distance(void **state)
{
    (void)state;
    const float radii[] = {0.1f, 0.2f, 1},
                flat[][2] = {{0.05f, 0.05f}, {0.15f, 0.025f}, {0.02f, 0.02f}};
    for (int i = 0; i < 18; i++) {
        float r = radii[i % 3], wide = flat[i / 3 % 3][0] * r, high = flat[i / 3 % 3][1] * r;
        float rate = i < 9 || r < 0.2f ? 60.0f : 30.0f, w = sqrtf(0.95f * 0.6f * 9.81f / r);
        trv_world *world = make_world();
        trv_body_id table = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, -0.2f * r, 0));
        add_shape_of(world, table, trv_make_box(trv_make_vec3(3 * r, 0.2f * r, 3 * r)), 0.6f, 0);
        trv_vec3 spin = {0, w, 0};
        expect_result(trv_body_set_velocity(world, table, trv_make_vec3(0, 0, 0), spin), TRV_OK);
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(r, high, 0));
        add_shape_of(world, body, trv_make_box(trv_make_vec3(wide, high, wide)), 0.6f, 0);
        expect_result(trv_body_set_velocity(world, body, trv_make_vec3(0, 0, -w * r), spin),
                      TRV_OK);
        for (int s = 0; s < (int)(5 * rate); s++)
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        trv_vec3 p = position_of(world, body);
        if (!(fabsf(hypotf(p.x, p.z) / r - 1) <= 0.02f))
            fail_msg("case %d: at %g of its distance", i, (double)(hypotf(p.x, p.z) / r));
        trv_world_destroy(world);
    }
}

// What bears a ball is right below its middle, however slowly it rolls: from behind it would be driven on.
static void what_rolls_slowly_rolls_no_faster(void **state)
{
    (void)state;
    const float radii[] = {0.05f, 0.5f, 2}, rates[] = {30, 60, 240};
    for (int i = 0; i < 36; i++) {
        float r = radii[i % 3], rate = rates[i / 3 % 3], speed = (i / 9 % 2 ? 0.002f : 0.0002f) * r;
        trv_world *world = make_world();
        add_ground_of(world, 0.6f, 0);
        trv_shape rod = trv_make_capsule(trv_make_vec3(0, 0, -r), trv_make_vec3(0, 0, r), r);
        trv_body_id body = add_moving(world, i < 18 ? ball(r) : rod, trv_make_vec3(0, r, 0),
                                      trv_make_vec3(speed, 0, 0), 0.6f, 0);
        expect_result(trv_body_set_velocity(world, body, trv_make_vec3(speed, 0, 0),
                                            trv_make_vec3(0, 0, -speed / r)),
                      TRV_OK);
        for (int s = 0; s < (int)(6 * rate); s++) {
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
            trv_vec3 v = velocity_of(world, body);
            if (!(v.x <= 1.02f * speed + 1e-5f * r))
                fail_msg("case %d: %g of its speed", i, (double)(v.x / speed));
        }
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_that_rocks_loses_what_its_edges_take),
        cmocka_unit_test(a_prism_rolls_as_its_corners_let_it),
        cmocka_unit_test(a_pendulum_on_an_edge_does_not_swing_farther),
        cmocka_unit_test(what_lies_on_a_turntable_keeps_its_distance),
        cmocka_unit_test(what_rolls_slowly_rolls_no_faster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
