// What stands is damped as it sways; what topples, tilts or rolls is not held up by that.
#include "world_support.h"

// Seconds from rest until a rigid body has tilted by so much over an edge, whose centre of mass is so far
// beyond it and above it, and whose moment of inertia about it, over its mass, is `square`.
static double time_to_tilt(double beyond, double above, double square, double tilt)
{
    const double dt = 1.0e-4;
    double angle = 0, speed = 0, time = 0;
    for (; angle < tilt && time < 100; time += dt) {
        speed += dt * 9.81 * (beyond * cos(angle) + above * sin(angle)) / square;
        angle += dt * speed;
    }
    return time;
}

static double tilt_of(trv_world *world, trv_body_id body)
{
    trv_vec3 up = trv_rotate(pose_of(world, body).rotation, trv_make_vec3(0, 1, 0));
    return atan2(fabs((double)up.x), (double)up.y);
}

// Steps until a body has tilted by so much; the time, or 0 where it does not.
static double step_to_tilt(trv_world *world, trv_body_id body, double tilt, float rate)
{
    for (int i = 1; i <= (int)(20 * rate); i++) {
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        if (tilt_of(world, body) >= tilt)
            return i / (double)rate;
    }
    return 0;
}

static trv_shape box_of(float x, float y, float z)
{
    return trv_make_box(trv_make_vec3(x, y, z));
}

static void columns_topple_as_one_body(void **state)
{
    (void)state;
    const float sizes[] = {1, 0.1f}, parts[] = {0.1f, 0.02f}, rates[] = {60, 120};
    for (int i = 0; i < 32; i++) {
        int count = 2 + i / 8;
        float size = sizes[i & 1], beyond = parts[i >> 1 & 1] * size / 2, rate = rates[i >> 2 & 1];
        trv_world *world = make_world();
        trv_body_id block = add_body(world, TRV_BODY_STATIC, trv_make_vec3(-5 * size, -size, 0));
        add_shape(world, block, box_of(5 * size, size, 5 * size));
        trv_body_id top = {0};
        for (int k = 0; k < count; k++)
            top = add_dynamic(world, trv_make_vec3(beyond, size * ((float)k + 0.5f), 0),
                              box_of(size / 2, size / 2, size / 2));
        double high = (double)size * count, wide = (double)size, over = (double)beyond;
        double square = (wide * wide + high * high) / 12 + over * over + high * high / 4;
        double truth = time_to_tilt(over, high / 2, square, 0.3);
        double time = step_to_tilt(world, top, 0.3, rate);
        if (!(fabs(time / truth - 1) <= 0.1))
            fail_msg("case %d: after %g s, and not %g", i, time, truth);
        trv_world_destroy(world);
    }
}

// On a blunt wedge, with a box on either end, of which one is heavier by a fifth.
static void see_saws_tilt(void **state)
{
    (void)state;
    const float sizes[] = {1, 0.1f};
    for (int i = 0; i < 2; i++) {
        float s = sizes[i];
        trv_world *world = make_world();
        trv_body_id wedge = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0.25f * s, 0));
        add_shape(world, wedge, box_of(0.005f * s, 0.25f * s, 0.3f * s));
        trv_body_id plank =
            add_dynamic(world, trv_make_vec3(0, 0.53f * s, 0), box_of(s, 0.03f * s, 0.3f * s));
        for (int side = -1; side <= 1; side += 2) {
            float half = 0.15f * s, wide = side > 0 ? 1.2f * half : half;
            add_dynamic(world, trv_make_vec3(0.8f * (float)side * s, 0.56f * s + half, 0),
                        box_of(half, half, wide));
        }
        double time = step_to_tilt(world, plank, 0.2, 60);
        if (!(time > 0 && time <= 1.6 * sqrt((double)s)))
            fail_msg("size %g: after %g s", (double)s, time);
        trv_world_destroy(world);
    }
}

// Blocks over the edge of a foot, the k-th from the top over the next by `ratio` times half its length, over k:
// at 1 they just stand. Seconds until the top has fallen by a twentieth of the length; 0 where it does not.
static double time_to_fall(trv_body_kind foot, int count, float size, float ratio, float rate)
{
    trv_world *world = make_world();
    trv_body_id ground = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -size, 0));
    add_shape(world, ground, box_of(20 * size, size, 20 * size));
    trv_body_id below = add_body(world, foot, trv_make_vec3(-2 * size, 0.5f * size, 0));
    add_shape(world, below, box_of(2 * size, 0.5f * size, 2 * size));
    float x = -0.5f * size, y = 0.9f * size;
    trv_body_id top = {0};
    for (int k = count; k >= 1; k--) {
        x += ratio * 0.5f * size / (float)k;
        y += 0.2f * size;
        top = add_dynamic(world, trv_make_vec3(x, y, 0),
                          box_of(0.5f * size, 0.1f * size, 0.25f * size));
    }
    double time = 0;
    for (int i = 1; i <= (int)(10 * rate) && time == 0; i++) {
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        if (pose_of(world, top).position.y < y - 0.05f * size)
            time = i / (double)rate;
    }
    trv_world_destroy(world);
    return time;
}

static void what_topples_on_a_foot_does_so_in_its_own_time(void **state)
{
    (void)state;
    const float sizes[] = {0.2f, 2, 5}, ratios[] = {1.01f, 1.02f, 1.05f}, rates[] = {60, 120};
    for (int i = 0; i < 18; i++) {
        int count = i < 9 ? 3 : 8;
        float size = sizes[i % 3], ratio = ratios[i / 3 % 3], rate = rates[i % 2];
        double fixed = time_to_fall(TRV_BODY_STATIC, count, size, ratio, rate);
        double movable = time_to_fall(TRV_BODY_DYNAMIC, count, size, ratio, rate);
        if (!(fixed > 0 && fabs(movable / fixed - 1) <= 0.05))
            fail_msg("case %d: after %g s, and on a static foot after %g", i, movable, fixed);
    }
}

// Two rollers with a plank on them go on as fast as they began; on a slope all gather speed.
static void planks_roll_on(void **state)
{
    (void)state;
    const float speeds[] = {0.02f, 0.1f, 0.3f};
    for (int i = 0; i < 3; i++) {
        trv_world *world = make_world();
        add_ground(world);
        trv_shape roller =
            trv_make_capsule(trv_make_vec3(0, 0, -0.5f), trv_make_vec3(0, 0, 0.5f), 0.1f);
        trv_body_id first = {0};
        for (int k = 0; k < 2; k++) {
            trv_body_id id = add_moving(world, roller, trv_make_vec3(0.8f * (float)k, 0.1f, 0),
                                        trv_make_vec3(speeds[i], 0, 0), 0.6f, 0);
            expect_result(trv_body_set_velocity(world, id, trv_make_vec3(speeds[i], 0, 0),
                                                trv_make_vec3(0, 0, -speeds[i] / 0.1f)),
                          TRV_OK);
            first = k == 0 ? id : first;
        }
        add_moving(world, box_of(0.9f, 0.05f, 0.4f), trv_make_vec3(0.4f, 0.25f, 0),
                   trv_make_vec3(2 * speeds[i], 0, 0), 0.6f, 0);
        for (int s = 0; s < 60; s++)
            expect_result(trv_world_step(world, 1.0f / 60, 4), TRV_OK);
        expect_near(velocity_of(world, first).x, speeds[i], 0.02 * (double)speeds[i]);
        trv_world_destroy(world);
    }
}

// So many plates on one another, a fifth as high as wide.
static void add_stack(trv_world *world, trv_body_id *bodies, int count, float size, float friction)
{
    for (int i = 0; i < count; i++) {
        trv_vec3 at = trv_make_vec3(0, size * (0.1f + 0.2f * (float)i), 0);
        bodies[i] = add_body(world, TRV_BODY_DYNAMIC, at);
        add_shape_of(world, bodies[i], box_of(size / 2, size / 10, size / 2), friction, 0);
    }
}

static void stacks_that_are_kicked_slide_as_far_as_friction_says(void **state)
{
    (void)state;
    enum { MOST = 4 };
    for (int i = 0; i < 32; i++) {
        int count = 1 + i % MOST;
        float rate = (float)(30 << i / MOST % 4), size = i < 16 ? 1.0f : 0.1f;
        float speed = 0.45f * sqrtf(size), friction = 0.2f;
        trv_world *world = make_world();
        trv_body_id bodies[MOST];
        add_ground_of(world, friction, 0);
        add_stack(world, bodies, count, size, friction);
        for (int s = 0; s < (int)rate; s++)
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        float began = position_of(world, bodies[0]).x;
        for (int k = 0; k < count; k++)
            expect_result(
                trv_body_set_linear_velocity(world, bodies[k], trv_make_vec3(speed, 0, 0)), TRV_OK);
        for (int s = 0; s < (int)rate; s++)
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        float way = position_of(world, bodies[0]).x - began;
        float truth = speed * speed / (2 * friction * 9.81f);
        if (!(fabsf(way / truth - 1) <= 0.02f))
            fail_msg("%d plates of %g m at %g/s slide %g, and not %g m", count, (double)size,
                     (double)rate, (double)way, (double)truth);
        trv_world_destroy(world);
    }
}

static void the_top_of_a_stack_that_is_thrown_up_rises_as_high_as_alone(void **state)
{
    (void)state;
    enum { MOST = 4 };
    for (int count = 1; count <= MOST; count++) {
        trv_world *world = make_world();
        trv_body_id bodies[MOST], top;
        add_ground_of(world, 0.6f, 0);
        add_stack(world, bodies, count, 1, 0.6f);
        top = bodies[count - 1];
        step_world(world, 60);
        float began = position_of(world, top).y, most = 0;
        expect_result(trv_body_set_linear_velocity(world, top, trv_make_vec3(0, 0.45f, 0)), TRV_OK);
        for (int s = 0; s < 60; s++) {
            step_world(world, 1);
            most = fmaxf(most, position_of(world, top).y - began);
        }
        expect_near(most, 0.45 * 0.45 / 2 / 9.81, 0.0003);
        trv_world_destroy(world);
    }
}

// On a table that stands by itself, so that all three are of one island with a foot.
static void cargo_goes_along_with_a_tray_that_slides(void **state)
{
    (void)state;
    const float sizes[] = {0.1f, 1, 10};
    for (int i = 0; i < 3; i++) {
        float s = sizes[i], friction = 0.02f, speed = 0.45f * sqrtf(s);
        const float truth = speed - friction * 9.81f * 0.5f;
        trv_world *world = make_world();
        add_ground_of(world, 0.6f, 0);
        trv_body_id table = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, s / 2, 0));
        add_shape_of(world, table, box_of(8 * s, s / 2, 3 * s), 0.6f, 0);
        trv_body_id tray = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(-4 * s, 1.05f * s, 0));
        add_shape_of(world, tray, box_of(s / 2, s / 20, s / 2), friction * friction / 0.6f, 0);
        trv_body_id cargo = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(-4 * s, 1.35f * s, 0));
        add_shape_of(world, cargo, cube(s / 4), 500, 0);
        trv_vec3 along = trv_make_vec3(speed, 0, 0);
        expect_result(trv_body_set_linear_velocity(world, tray, along), TRV_OK);
        expect_result(trv_body_set_linear_velocity(world, cargo, along), TRV_OK);
        step_world(world, 30);
        expect_near(velocity_of(world, cargo).x, truth, 0.002f * speed);
        expect_near(velocity_of(world, tray).x, truth, 0.002f * speed);
        trv_world_destroy(world);
    }
}

static void stacks_on_a_conveyor_go_as_fast_as_it_runs(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    const float sizes[] = {0.01f, 0.1f, 1, 10};
    for (int i = 0; i < 4; i++) {
        float speed = 0.3f * sqrtf(sizes[i]);
        trv_world *world = make_world();
        trv_body_id belt = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0)), bodies[COUNT];
        trv_shape_def def = trv_default_shape_def();
        def.material.surface_velocity = trv_make_vec3(speed, 0, 0);
        add_shape_with(world, belt, def,
                       trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0)));
        add_stack(world, bodies, COUNT, sizes[i], 0.6f);
        step_world(world, 240);
        trv_vec3 foot = position_of(world, bodies[0]), top = position_of(world, bodies[COUNT - 1]);
        float late = speed / (2 * 0.6f * 9.81f); // s, while friction makes it as fast as the belt
        expect_near(foot.x, speed * (4 - late), 0.002f * speed * 4);
        expect_near(top.x, foot.x, 0.002f * sizes[i]);
        expect_near(velocity_of(world, bodies[0]).x, speed, 0.002f * speed);
        trv_world_destroy(world);
    }
}

// As on the ground: what sways is damped beside what it stands on.
static void stacks_on_a_lift_come_to_rest_on_it(void **state)
{
    (void)state;
    enum { COUNT = 10 };
    const trv_vec3 speeds[] = {{0, 0.3f, 0}, {0, -0.3f, 0}, {0.2f, 0, 0.1f}};
    for (int i = 0; i < 3; i++) {
        trv_world *world = make_world();
        trv_body_id lift = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, -0.1f, 0));
        trv_body_id bodies[COUNT];
        add_shape_of(world, lift, box_of(2, 0.1f, 2), 0.6f, 0);
        for (int k = 0; k < COUNT; k++)
            bodies[k] = add_dynamic(world, trv_make_vec3(0, 0.5f + (float)k, 0), cube(0.5f));
        step_world(world, 60);
        expect_result(trv_body_set_linear_velocity(world, lift, speeds[i]), TRV_OK);
        step_world(world, 300);
        for (int s = 0; s < 120; s++) {
            step_world(world, 1);
            for (int k = 0; k < COUNT; k++)
                expect_near(trvi_length(trvi_sub(velocity_of(world, bodies[k]), speeds[i])), 0,
                            1e-4);
        }
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_topple_as_one_body),
        cmocka_unit_test(see_saws_tilt),
        cmocka_unit_test(what_topples_on_a_foot_does_so_in_its_own_time),
        cmocka_unit_test(planks_roll_on),
        cmocka_unit_test(stacks_that_are_kicked_slide_as_far_as_friction_says),
        cmocka_unit_test(the_top_of_a_stack_that_is_thrown_up_rises_as_high_as_alone),
        cmocka_unit_test(cargo_goes_along_with_a_tray_that_slides),
        cmocka_unit_test(stacks_on_a_conveyor_go_as_fast_as_it_runs),
        cmocka_unit_test(stacks_on_a_lift_come_to_rest_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
