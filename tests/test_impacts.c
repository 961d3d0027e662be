// Bounces: energy and momentum of impacts at their own times.
#include "world_support.h"

static trv_body_id add_bouncer(trv_world *world, trv_shape shape, trv_vec3 position, trv_vec3 speed,
                               float restitution)
{
    return add_moving(world, shape, position, speed, 0.0f, restitution);
}

static void a_ball_bounces_at_any_rate_without_losing_energy(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 100, 240};
    for (int i = 0; i < 4; i++) {
        trv_world *world = make_world();
        add_ground(world);
        trv_body_id body = add_bouncer(world, ball(0.3f), trv_make_vec3(0, 2.3f, 0),
                                       trv_make_vec3(0.5f, 0, 0), 1.0f);
        for (int s = 0; s < (int)(10 * rates[i]); s++) {
            expect_result(trv_world_step(world, 1.0f / rates[i], 4), TRV_OK);
            double v = velocity_of(world, body).y, y = position_of(world, body).y - 0.3;
            expect_near(0.5 * v * v + 9.81 * y, 9.81 * 2, 0.02);
        }
        trv_world_destroy(world);
    }
}

// It meets the ground at .31, and at .2 m/s, which is two and a half times what weight gives it in the longest
// of the sub-steps.
static void a_marble_bounces_as_a_large_ball_does(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 240}, heights[] = {0.005f, 0.002f};
    for (int i = 0; i < 6; i++) {
        trv_world *world = make_world();
        add_ground(world);
        float rate = rates[i / 2], high = heights[i % 2];
        trv_body_id body = add_bouncer(world, ball(0.01f), trv_make_vec3(0, 0.01f + high, 0),
                                       trv_make_vec3(0, 0, 0), 1.0f);
        for (int s = 0; s < (int)(3 * rate); s++) {
            expect_result(trv_world_step(world, 1.0f / rate, 4), TRV_OK);
            double v = velocity_of(world, body).y, y = position_of(world, body).y - 0.01;
            expect_near(0.5 * v * v + 9.81 * y, 9.81 * (double)high, 0.0981 * (double)high);
        }
        trv_world_destroy(world);
    }
}

static void a_ball_bounces_on_a_box_that_stands_on_the_ground(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
    trv_body_id body =
        add_bouncer(world, ball(0.5f), trv_make_vec3(0, 3.5f, 0), trv_make_vec3(0, 0, 0), 0.5f);
    float peak = 0, before = -1;
    for (int s = 0; s < 120; s++) {
        step_world(world, 1);
        float v = velocity_of(world, body).y;
        if (before > 0 && v <= 0)
            peak = fmaxf(peak, position_of(world, body).y);
        before = v;
    }
    expect_near(peak, 1.5 + 0.25 * 2, 0.05);
    trv_world_destroy(world);
}

static void a_blow_goes_through_a_row_of_balls(void **state)
{
    (void)state;
    for (int gap = 0; gap < 2; gap++) {
        trv_world *world = make_empty_space();
        trv_body_id balls[8];
        for (int i = 0; i < 8; i++)
            balls[i] = add_bouncer(
                world, ball(0.5f),
                trv_make_vec3((float)i * (gap ? 1.01f : 1.0f) - (i == 0 ? 1.0f : 0), 0, 0),
                trv_make_vec3(i == 0 ? 4.0f : 0, 0, 0), 1.0f);
        step_world(world, 60);
        for (int i = 0; i < 8; i++)
            expect_near(velocity_of(world, balls[i]).x, i == 7 ? 4 : 0, 0.04);
        trv_world_destroy(world);
    }
}

// In less than a step the blow comes to balls that are not awake yet.
static void a_blow_goes_through_a_row_of_sleeping_balls(void **state)
{
    (void)state;
    for (int e = 0; e < 2; e++) {
        trv_world *world = make_empty_space();
        trv_body_id balls[6];
        for (int i = 0; i < 6; i++)
            balls[i] = add_bouncer(world, ball(0.1f), trv_make_vec3(0.23f * (float)i, 0, 0),
                                   trv_make_vec3(0, 0, 0), (float)e);
        step_world(world, 90);
        assert_false(is_awake(world, balls[5]));
        trv_body_id cue = add_bouncer(world, ball(0.1f), trv_make_vec3(-0.5f, 0, 0),
                                      trv_make_vec3(12, 0, 0), (float)e);
        step_world(world, 30);
        double momentum = velocity_of(world, cue).x;
        for (int i = 0; i < 6; i++)
            momentum += velocity_of(world, balls[i]).x;
        expect_near(momentum, 12, 1e-3);
        expect_near(velocity_of(world, balls[5]).x, e == 1 ? 12 : 12.0 / 7, e == 1 ? 0.12 : 0.3);
        trv_world_destroy(world);
    }
}

// Who meets a sleeping ball waits for it to wake, and those who come along behind wait, too.
static void as_many_leave_a_sleeping_row_as_came(void **state)
{
    (void)state;
    const float radii[] = {0.1f, 0.5f, 1, 2, 5}, gaps[] = {0, 0.005f, 0.02f, 0.1f};
    const float speeds[] = {2, 5, 12};
    for (int k = 0; k < 120; k++) {
        float radius = radii[k % 5], gap = gaps[k / 5 % 4], speed = speeds[k / 20 % 3], x = 0;
        int coming = 2 + k / 60;
        trv_world *world = make_empty_space();
        trv_body_id balls[7];
        for (int i = 0; i < 7; i++) {
            balls[i] = add_bouncer(world, ball(radius), trv_make_vec3(x, 0, 0),
                                   trv_make_vec3(i < coming ? speed : 0, 0, 0), 1);
            x += radius * (2 + (i == coming - 1 ? 3 : i < coming ? 0 : gap));
        }
        step_world(world, (int)(5 * radius / speed * 60) + 60);
        for (int i = 0; i < 7; i++)
            if (!(fabsf(velocity_of(world, balls[i]).x - (i < 7 - coming ? 0 : speed)) <=
                  0.01f * speed))
                fail_msg("case %d: ball %d goes at %g of the speed", k, i,
                         (double)(velocity_of(world, balls[i]).x / speed));
        trv_world_destroy(world);
    }
}

// Balls that bounce about in empty space: momentum, and for restitution 1 energy but for the
// impacts that are too slow to bounce.
static void random_balls_keep_momentum_and_energy(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        test_random random = {seed};
        trv_world *world = make_empty_space();
        trv_body_id balls[27];
        double energy[2] = {0, 0}, momentum[2] = {0, 0};
        for (int i = 0; i < 27; i++) {
            trv_vec3 at = trv_make_vec3((float)(i % 3), (float)(i / 3 % 3), (float)(i / 9));
            trv_vec3 in = trv_make_vec3(4 * (1 - at.x), 4 * (1 - at.y), 4 * (1 - at.z));
            trv_vec3 noise = random_vec3(&random, 2);
            in = trv_make_vec3(in.x + noise.x, in.y + noise.y, in.z + noise.z);
            balls[i] = add_bouncer(world, ball(0.3f), at, in, 1.0f);
        }
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 27; i++) {
                trv_vec3 v = velocity_of(world, balls[i]);
                energy[k] += v.x * v.x + v.y * v.y + v.z * v.z;
                momentum[k] += v.x;
            }
            if (k == 0)
                step_world(world, 120);
        }
        expect_near(momentum[1], momentum[0], 1e-3 * sqrt(energy[0]));
        assert_true(energy[1] <= energy[0] * 1.0001);
        assert_true(energy[1] >= energy[0] * 0.98);
        trv_world_destroy(world);
    }
}

static double kinetic_energy(trv_world *world, trv_body_id body)
{
    float mass, i[6];
    trv_vec3 center, v = velocity_of(world, body), w;
    trv_pose pose;
    expect_result(trv_body_mass(world, body, &mass, &center, i), TRV_OK);
    expect_result(trv_body_velocity(world, body, &v, &w), TRV_OK);
    expect_result(trv_body_pose(world, body, &pose), TRV_OK);
    trv_quat back = {-pose.rotation.x, -pose.rotation.y, -pose.rotation.z, pose.rotation.w};
    w = trv_rotate(back, w); // a box's axes are its principal ones
    double turning = (double)(i[0] * w.x * w.x + i[1] * w.y * w.y + i[2] * w.z * w.z);
    return 0.5 * (turning + (double)(mass * (v.x * v.x + v.y * v.y + v.z * v.z)));
}

// Its inertia changes many times over with a small turn.
static void slender_sticks_gain_no_energy(void **state)
{
    (void)state;
    for (int k = 0; k < 240; k++) {
        test_random random = {(uint64_t)k + 1};
        trv_world *world = make_empty_space();
        add_ground_of(world, 0, k % 2 ? 0.9f : 0.6f);
        trv_vec3 half = {0.5f, 0.0025f, 0.0025f}, spin = random_vec3(&random, 4);
        float speed = random_float(&random, 1, 20);
        trv_body_id stick = add_bouncer(world, trv_make_box(half), trv_make_vec3(0, 1, 0), spin, 0);
        trv_pose pose = {trv_make_vec3(0, 1, 0), random_quat(&random)};
        expect_result(trv_body_set_pose(world, stick, pose), TRV_OK);
        expect_result(trv_body_set_velocity(world, stick, trv_make_vec3(0, -speed, 0), spin),
                      TRV_OK);
        double first = kinetic_energy(world, stick);
        for (int s = 0; s < (int)(12 + 72 / speed); s++) {
            step_world(world, 1);
            assert_true(kinetic_energy(world, stick) <= 1.005 * first);
        }
        trv_world_destroy(world);
    }
}

// A cube meets a floor with one corner, and turns: another swings down to the floor, or just past it.
static void tumbling_cubes_keep_their_energy(void **state)
{
    (void)state;
    for (int k = 0; k < 120; k++) {
        const float speed = k < 60 ? 10 : 20, pi = 3.14159265f;
        trv_world *world = make_empty_space();
        add_ground_of(world, 0, 1);
        trv_body_id body =
            add_bouncer(world, cube(0.5f), trv_make_vec3(0, 1.5f, 0), trv_make_vec3(0, 0, 0), 1);
        trv_quat lean =
            trv_quat_about(trv_make_vec3(0, 0, 1), (2 + 2.1f * (float)(k % 20)) * pi / 180);
        trv_quat other = trv_quat_about(trv_make_vec3(1, 0, 0), 0.3f * (float)(k / 20 % 3));
        trv_pose pose = {trv_make_vec3(0, 1.5f, 0), trv_quat_multiply(other, lean)};
        trv_vec3 down = trv_make_vec3(0, -speed, 0);
        expect_result(trv_body_set_pose(world, body, pose), TRV_OK);
        expect_result(trv_body_set_velocity(world, body, down, trv_make_vec3(0, 0, 0)), TRV_OK);
        double first = kinetic_energy(world, body);
        step_world(world, 60);
        expect_near(kinetic_energy(world, body), first, 0.005 * first);
        trv_world_destroy(world);
    }
}

// Rods between walls: blows spin them up to several turns in a sub-step.
static void whirling_rods_gain_no_energy(void **state)
{
    (void)state;
    for (int k = 1; k <= 120; k++) {
        test_random random = {(uint64_t)k};
        trv_world *world = make_empty_space();
        trv_body_id rods[6];
        double first = 0;
        for (int side = 0; side < 6; side++) {
            float at = side % 2 ? 1.05f : -1.05f;
            const trv_vec3 places[3] = {{at, 0, 0}, {0, at, 0}, {0, 0, at}};
            const trv_vec3 halves[3] = {{0.05f, 2, 2}, {2, 0.05f, 2}, {2, 2, 0.05f}};
            trv_body_id wall = add_body(world, TRV_BODY_STATIC, places[side / 2]);
            add_shape_of(world, wall, trv_make_box(halves[side / 2]), 0, 1);
        }
        for (int i = 0; i < 6; i++) {
            trv_vec3 half = {0.2f, 0.01f, 0.01f};
            trv_vec3 at = {0.4f * (float)(i % 3 - 1), i < 3 ? -0.5f : 0.5f, 0};
            trv_vec3 v = random_vec3(&random, 30), w = random_vec3(&random, 20);
            rods[i] = add_bouncer(world, trv_make_box(half), at, v, 1.0f);
            expect_result(trv_body_set_velocity(world, rods[i], v, w), TRV_OK);
            first += kinetic_energy(world, rods[i]);
        }
        for (int s = 0; s < 50; s++) {
            double now = 0;
            expect_result(trv_world_step(world, 1.0f / 120, 4), TRV_OK);
            for (int i = 0; i < 6; i++)
                now += kinetic_energy(world, rods[i]);
            if (now > 1.005 * first)
                print_message("seed %d, step %d\n", k, s);
            assert_true(now <= 1.005 * first);
        }
        trv_world_destroy(world);
    }
}

static void slow_impacts_do_not_bounce(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id wall = add_body(world, TRV_BODY_STATIC, trv_make_vec3(2, 0, 0));
    add_shape_of(world, wall, cube(0.5f), 0, 1);
    trv_body_id slow =
        add_bouncer(world, ball(0.2f), trv_make_vec3(1, 0, 0), trv_make_vec3(0.4f, 0, 0), 1.0f);
    step_world(world, 120);
    expect_near(velocity_of(world, slow).x, 0, 1e-3);
    trv_world_destroy(world);
}

// What could bounce, and lies still, is not looked at, until something fast is among it.
static void what_lies_still_is_not_looked_at_for_bounces(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    for (int i = 0; i < 3; i++) {
        trv_body_id box = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.5f + (float)i, 0));
        add_shape_of(world, box, cube(0.5f), 0.6f, 0.5f);
    }
    step_world(world, 10);
    assert_true(world->bouncers.count > 0);
    assert_int_equal(world->quick.count, 0);
    trv_body_id fast = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 3.55f, 0));
    add_shape_of(world, fast, cube(0.5f), 0.6f, 0.5f);
    expect_result(trv_body_set_linear_velocity(world, fast, trv_make_vec3(0, -3, 0)), TRV_OK);
    step_world(world, 2);
    assert_true(velocity_of(world, fast).y > 0.0f);
    trv_world_destroy(world);
}

// A body of two cubes, or of four balls, on one ground or on four slabs that meet under it.
static void what_lands_on_several_surfaces_at_once_stays_level(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; kind++) {
        trv_world *world = make_world();
        bool balls = kind & 1, slabs = kind & 2;
        float e = kind & 4 ? 1.0f : 0.5f;
        for (int i = 0; i < (slabs ? 4 : 1); i++) {
            trv_vec3 at = trv_make_vec3(i & 1 ? 4.9f : -5.1f, -1, i & 2 ? 4.8f : -5.2f);
            trv_body_id slab = add_body(world, TRV_BODY_STATIC, slabs ? at : (trv_vec3){0, -1, 0});
            add_shape_of(world, slab, trv_make_box(trv_make_vec3(5, 1, 5)), 0.6f, e);
        }
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 2.3f, 0));
        for (int i = 0; i < (balls ? 4 : 2); i++) {
            trv_shape part = balls ? ball(0.3f) : cube(0.3f);
            trv_vec3 at = trv_make_vec3(i & 1 ? 0.5f : -0.5f, 0, i & 2 ? 0.5f : -0.5f);
            if (balls)
                part.as.sphere.center = at;
            else
                part.as.box.center = at;
            add_shape_of(world, body, part, 0.6f, e);
        }
        double peak = 0;
        bool up = false;
        for (int s = 0; s < 90; s++) {
            step_world(world, 1);
            up = up || velocity_of(world, body).y > 0;
            peak = up ? fmax(peak, position_of(world, body).y - 0.3) : peak;
            trv_pose pose;
            expect_result(trv_body_pose(world, body, &pose), TRV_OK);
            assert_true(fabsf(pose.rotation.x) + fabsf(pose.rotation.z) < 1e-3f);
        }
        expect_near(peak, 2 * e * e, 0.02);
        trv_world_destroy(world);
    }
}

// Rounding has tilted it by .6 mm from side to side.
static void a_house_that_falls_flat_leaves_flat_at_any_rate(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 240};
    for (int i = 0; i < 6; i++) {
        trv_world *world = make_world();
        for (int slab = 0; slab < (i < 3 ? 1 : 2); slab++) {
            float at = i < 3 ? 0.0f : slab == 0 ? -30.0f : 30.0f;
            trv_body_id ground = add_body(world, TRV_BODY_STATIC, trv_make_vec3(at, -1, 0));
            add_shape_of(world, ground, trv_make_box(trv_make_vec3(30, 1, 30)), 0.6f, 1);
        }
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 11, 0));
        add_shape_of(world, body, cube(10), 0.6f, 1);
        trv_pose pose = {trv_make_vec3(0, 11, 0), trv_quat_about(trv_make_vec3(0, 0, 1), 3e-5f)};
        expect_result(trv_body_set_pose(world, body, pose), TRV_OK);
        trv_vec3 down = trv_make_vec3(0, -30, 0), none = trv_make_vec3(0, 0, 0), linear, spin;
        expect_result(trv_body_set_velocity(world, body, down, none), TRV_OK);
        for (int s = 0; s < (int)(0.1f * rates[i % 3]); s++)
            expect_result(trv_world_step(world, 1 / rates[i % 3], 4), TRV_OK);
        expect_result(trv_body_velocity(world, body, &linear, &spin), TRV_OK);
        assert_true(linear.y > 29);
        expect_near(spin.z, 0, 1e-2);
        trv_world_destroy(world);
    }
}

// Equal blows at one instant: none of them is first.
static void a_break_leaves_both_sides_of_the_rack_alike(void **state)
{
    (void)state;
    enum { ROWS = 5, BALLS = ROWS * (ROWS + 1) / 2 };
    const float r = 0.03f, fast = 3, gaps[] = {0, 1e-4f, 0.1f};
    for (int i = 0; i < 6; i++) {
        const float e = i % 2 ? 1 : 0.9f, pitch = r * (1 + gaps[i / 2]);
        trv_world *world = make_empty_space();
        trv_body_id balls[BALLS];
        add_moving(world, ball(r), trv_make_vec3(-10 * r, 0, 0), trv_make_vec3(fast, 0, 0), 0, e);
        for (int row = 0, n = 0; row < ROWS; row++)
            for (int k = 0; k <= row; k++, n++)
                balls[n] = add_moving(
                    world, ball(r),
                    trv_make_vec3(1.7320508f * pitch * (float)row, 0, pitch * (float)(2 * k - row)),
                    trv_make_vec3(0, 0, 0), 0, e);
        step_world(world, 12);
        for (int row = 0, n = 0; row < ROWS; n += ++row)
            for (int k = 0; k <= row; k++) {
                trv_vec3 here = velocity_of(world, balls[n + k]);
                trv_vec3 there = velocity_of(world, balls[n + row - k]);
                expect_near(here.x, there.x, 0.005f * fast);
                expect_near(here.z, -there.z, 0.005f * fast);
            }
        assert_true(velocity_of(world, balls[BALLS - 1]).z > 0.2f * fast);
        trv_world_destroy(world);
    }
}

// Boxes of .3 m, `rest` of which stand on the ground, one on the other, as `fall` more come down on them at
// 10 m/s, from `above` their way in a step. How deep any of them gets into what is below it at most, m.
static float deepest_under(int rest, int fall, float rate, float above)
{
    trv_world *world = make_world();
    trv_body_id bodies[8];
    const float side = 0.3f, speed = 10.0f;
    float deepest = 0.0f;
    add_ground(world);
    for (int i = 0; i < rest + fall; i++) {
        bool falls = i >= rest;
        trv_vec3 at = {0.0f, side * ((float)i + 0.5f), 0.0f};
        at.y += falls ? above * speed / rate : 0.0f;
        bodies[i] = add_moving(world, cube(0.5f * side), at,
                               trv_make_vec3(0, falls ? -speed : 0.0f, 0), 0.6f, 0.0f);
    }
    for (int s = 0; s < 6; s++) {
        expect_result(trv_world_step(world, 1.0f / rate, 4), TRV_OK);
        float below = -0.5f * side;
        for (int i = 0; i < rest + fall; i++) {
            float height = position_of(world, bodies[i]).y;
            deepest = fmaxf(deepest, below + side - height);
            below = height;
        }
    }
    trv_world_destroy(world);
    return deepest;
}

// Neither those through which the blow goes on, nor who has met them before the solver knows of it.
static void what_falls_on_a_stack_leaves_all_of_it_apart(void **state)
{
    (void)state;
    static const int stacks[4][2] = {{1, 1}, {2, 1}, {5, 1}, {2, 3}};
    static const float rates[3] = {30.0f, 60.0f, 120.0f};
    for (int k = 0; k < 12; k++)
        for (int phase = 0; phase < 20; phase++) {
            const int *stack = stacks[k / 3];
            float above = 1.0f + 0.05f * (float)phase;
            float deepest = deepest_under(stack[0], stack[1], rates[k % 3], above);
            if (!(deepest < 0.003f))
                fail_msg("%d on %d at %g/s, %g steps above: %g m deep", stack[1], stack[0],
                         (double)rates[k % 3], (double)above, (double)deepest);
        }
}

// The last leans on a wall: what comes at the other end is stopped by all of them at once.
static void a_blow_goes_through_a_long_row_to_the_wall_behind_it(void **state)
{
    (void)state;
    enum { ROW = 100 };
    const float rates[] = {30, 60};
    for (int k = 0; k < 2; k++) {
        trv_world *world = make_empty_space();
        trv_body_id balls[ROW];
        add_shape_of(world, add_body(world, TRV_BODY_STATIC, trv_make_vec3(-0.15f, 0, 0)),
                     cube(0.1f), 0.6f, 0);
        for (int i = 0; i < ROW; i++) {
            bool cue = i == ROW - 1;
            balls[i] = add_bouncer(world, ball(0.05f),
                                   trv_make_vec3(0.1f * (float)i + (cue ? 0.1f : 0), 0, 0),
                                   trv_make_vec3(cue ? -20 : 0, 0, 0), 0);
        }
        float deepest = 0;
        for (int s = 0; s < 5; s++) {
            expect_result(trv_world_step(world, 1.0f / rates[k], 4), TRV_OK);
            float before = -0.1f;
            for (int i = 0; i < ROW; i++) {
                float at = position_of(world, balls[i]).x;
                deepest = fmaxf(deepest, before + 0.1f - at);
                before = at;
            }
        }
        if (!(deepest < 0.0005f))
            fail_msg("at %g/s: %g m deep", (double)rates[k], (double)deepest);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_at_any_rate_without_losing_energy),
        cmocka_unit_test(a_house_that_falls_flat_leaves_flat_at_any_rate),
        cmocka_unit_test(a_marble_bounces_as_a_large_ball_does),
        cmocka_unit_test(a_ball_bounces_on_a_box_that_stands_on_the_ground),
        cmocka_unit_test(a_blow_goes_through_a_row_of_balls),
        cmocka_unit_test(a_blow_goes_through_a_long_row_to_the_wall_behind_it),
        cmocka_unit_test(a_blow_goes_through_a_row_of_sleeping_balls),
        cmocka_unit_test(as_many_leave_a_sleeping_row_as_came),
        cmocka_unit_test(a_break_leaves_both_sides_of_the_rack_alike),
        cmocka_unit_test(random_balls_keep_momentum_and_energy),
        cmocka_unit_test(slow_impacts_do_not_bounce),
        cmocka_unit_test(slender_sticks_gain_no_energy),
        cmocka_unit_test(tumbling_cubes_keep_their_energy),
        cmocka_unit_test(whirling_rods_gain_no_energy),
        cmocka_unit_test(what_lands_on_several_surfaces_at_once_stays_level),
        cmocka_unit_test(what_lies_still_is_not_looked_at_for_bounces),
        cmocka_unit_test(what_falls_on_a_stack_leaves_all_of_it_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
