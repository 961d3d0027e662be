// Fast bodies: nothing is passed through, what is hit is pushed, and the events tell of it.
#include "energy_support.h"

static trv_body_id add_spinning(trv_world *world, trv_shape shape, trv_vec3 position,
                                trv_vec3 speed, trv_vec3 spin)
{
    trv_body_def def = trv_default_body_def();
    trv_body_id id;
    def.kind = TRV_BODY_DYNAMIC;
    def.position = position;
    def.linear_velocity = speed;
    def.angular_velocity = spin;
    expect_result(trv_body_create(world, &def, &id), TRV_OK);
    add_shape(world, id, shape);
    return id;
}

static trv_vec3 momentum_of(trv_world *world, const trv_body_id *bodies, int count)
{
    trv_vec3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        float mass, inertia[6];
        trv_vec3 center, v = velocity_of(world, bodies[i]);
        expect_result(trv_body_mass(world, bodies[i], &mass, &center, inertia), TRV_OK);
        sum.x += mass * v.x;
        sum.y += mass * v.y;
        sum.z += mass * v.z;
    }
    return sum;
}

static void a_bullet_is_stopped_by_the_first_of_many_walls(void **state)
{
    (void)state;
    for (int ball_shaped = 0; ball_shaped < 2; ball_shaped++)
        for (float speed = 100; speed <= 1000; speed += 300) {
            trv_world *world = make_empty_space();
            for (int i = 0; i < 40; i++) {
                trv_body_id wall =
                    add_body(world, TRV_BODY_STATIC, trv_make_vec3(3.0f + 0.3f * (float)i, 0, 0));
                add_shape(world, wall, trv_make_box(trv_make_vec3(0.0005f, 1, 1)));
            }
            trv_body_id bullet = add_spinning(world, ball_shaped ? ball(0.05f) : cube(0.05f),
                                              trv_make_vec3(0, 0.01f, 0.02f),
                                              trv_make_vec3(speed, 0, 0), trv_make_vec3(0, 0, 0));
            step_world(world, 5);
            assert_true(position_of(world, bullet).x < 3.0f - 0.0499f);
            assert_true(position_of(world, bullet).x > 2.9f);
            trv_world_destroy(world);
        }
}

static void bullets_meet_head_on(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        trv_world *world = make_empty_space();
        trv_body_id pair[2];
        pair[0] = add_spinning(world, ball(0.05f), trv_make_vec3(-7.0f - 0.37f * (float)i, 0, 0),
                               trv_make_vec3(900, 0, 0), trv_make_vec3(0, 0, 0));
        pair[1] = add_spinning(world, i % 2 ? ball(0.05f) : cube(0.05f), trv_make_vec3(9, 0, 0),
                               trv_make_vec3(-1000, 0, 0), trv_make_vec3(0, 0, 0));
        trv_vec3 before = momentum_of(world, pair, 2);
        step_world(world, 10);
        trv_vec3 after = momentum_of(world, pair, 2);
        assert_true(position_of(world, pair[0]).x < position_of(world, pair[1]).x);
        expect_near(after.x, before.x, 0.01);
        trv_world_destroy(world);
    }
}

// What a bullet throws at the next wall is as fast as a bullet, and was planned to stay.
static void plates_that_bullets_throw_do_not_pass_either(void **state)
{
    (void)state;
    for (float gap = 0.05f; gap < 3; gap *= 1.9f) {
        trv_world *world = make_empty_space();
        trv_body_id all[3];
        all[0] = add_spinning(world, cube(0.1f), trv_make_vec3(-6, 0.02f, 0.01f),
                              trv_make_vec3(800, 0, 0), trv_make_vec3(0, 0, 0));
        for (int i = 0; i < 2; i++)
            all[1 + i] = add_dynamic(world, trv_make_vec3(gap * (float)i, 0, 0),
                                     trv_make_box(trv_make_vec3(0.01f, 0.3f, 0.3f)));
        trv_body_id stop = add_body(world, TRV_BODY_STATIC, trv_make_vec3(gap * 2, 0, 0));
        add_shape(world, stop, trv_make_box(trv_make_vec3(0.01f, 5, 5)));
        step_world(world, 20);
        for (int i = 0; i < 3; i++)
            assert_true(position_of(world, all[i]).x < gap * 2);
        trv_world_destroy(world);
    }
}

static void a_sleeping_wall_wakes_and_takes_the_momentum(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id all[4];
    all[0] = add_spinning(world, ball(0.05f), trv_make_vec3(-10, 0, 0), trv_make_vec3(1000, 0, 0),
                          trv_make_vec3(0, 0, 0));
    for (int i = 0; i < 3; i++) {
        all[1 + i] = add_dynamic(world, trv_make_vec3(0.5f * (float)i, 0, 0),
                                 trv_make_box(trv_make_vec3(0.002f, 1, 1)));
        expect_result(trv_body_set_awake(world, all[1 + i], false), TRV_OK);
    }
    trv_vec3 before = momentum_of(world, all, 4);
    step_world(world, 30);
    trv_vec3 after = momentum_of(world, all, 4);
    expect_near(after.x, before.x, 1e-3 * before.x);
    for (int i = 1; i < 4; i++)
        assert_true(velocity_of(world, all[i]).x > 1);
    trv_world_destroy(world);
}

// One plate is above the other, or has slid so far that its middle is beyond the other's edge; and
// neither is stuck in the other.
static void expect_order(const trv_world *world, trv_body_id under, float half_under,
                         trv_body_id over, float half_over)
{
    trv_pose low = pose_of(world, under), high = pose_of(world, over);
    trv_vec3 off = trvi_rotate_inverse(low.rotation, trvi_sub(high.position, low.position));
    off = trvi_scale(off, trvi_rotate(low.rotation, trv_make_vec3(0, 1, 0)).y > 0 ? 1.0f : -1.0f);
    assert_true(off.y > 0 || fabsf(off.x) > 0.5f || fabsf(off.z) > 0.4f);
    trv_shape lower = trv_make_box(trv_make_vec3(0.5f, half_under, 0.4f));
    trv_shape upper = trv_make_box(trv_make_vec3(0.5f, half_over, 0.4f));
    trv_gap gap;
    expect_result(trv_distance(&lower, low, &upper, high, &gap), TRV_OK);
    assert_true(gap.distance > -5.0e-4f);
}

static float half_of_plate(int i)
{
    return i % 2 ? 0.001f : 0.004f;
}

static void check_that_plates_stay_in_order(float least, float most, float each)
{
    for (float speed = least; speed <= most; speed *= each) {
        trv_world *world = make_world();
        trv_body_id plates[6];
        add_ground(world);
        for (int i = 0; i < 6; i++) {
            plates[i] =
                add_spinning(world, trv_make_box(trv_make_vec3(0.5f, half_of_plate(i), 0.4f)),
                             trv_make_vec3(0.03f * (float)i, 0.1f + 0.4f * (float)i, 0),
                             trv_make_vec3(0, -speed, 0), trv_make_vec3(0, 0, 0));
        }
        step_world(world, 180);
        assert_true(position_of(world, plates[0]).y > 0);
        for (int i = 1; i < 6; i++)
            expect_order(world, plates[i - 1], half_of_plate(i - 1), plates[i], half_of_plate(i));
        trv_world_destroy(world);
    }
}

static void thin_plates_that_fall_on_one_another_stay_in_order(void **state)
{
    (void)state;
    check_that_plates_stay_in_order(5, 10, 1.05f);
}

static void thin_plates_that_are_thrown_on_one_another_stay_in_order(void **state)
{
    (void)state;
    check_that_plates_stay_in_order(20, 40, 2.0f);
}

static void a_kinematic_rod_takes_what_it_meets_along(void **state)
{
    (void)state;
    for (float spin = 10; spin <= 80; spin += 23) {
        trv_world *world = make_empty_space();
        trv_body_def def = trv_default_body_def();
        trv_body_id rod;
        def.kind = TRV_BODY_KINEMATIC;
        def.angular_velocity = trv_make_vec3(0, spin, 0);
        expect_result(trv_body_create(world, &def, &rod), TRV_OK);
        add_shape(world, rod, trv_make_box(trv_make_vec3(2, 0.02f, 0.02f)));
        trv_body_id post = add_dynamic(world, trv_make_vec3(0, 0, 1.5f),
                                       trv_make_box(trv_make_vec3(0.02f, 1, 0.02f)));
        step_world(world, 30);
        trv_vec3 v = velocity_of(world, post);
        assert_true(sqrtf(v.x * v.x + v.y * v.y + v.z * v.z) > 0.9f * spin * 1.4f);
        trv_world_destroy(world);
    }
}

static void who_asks_for_it_may_tunnel(void **state)
{
    (void)state;
    for (int quality = 0; quality < 2; quality++) {
        trv_world *world = make_empty_space();
        trv_body_id wall = add_body(world, TRV_BODY_STATIC, trv_make_vec3(5, 0, 0));
        add_shape(world, wall, trv_make_box(trv_make_vec3(0.01f, 1, 1)));
        trv_body_def def = trv_default_body_def();
        trv_body_id bullet;
        def.kind = TRV_BODY_DYNAMIC;
        def.linear_velocity = trv_make_vec3(700, 0, 0);
        def.motion = quality ? TRV_MOTION_DISCRETE : TRV_MOTION_CONTINUOUS;
        expect_result(trv_body_create(world, &def, &bullet), TRV_OK);
        add_shape(world, bullet, ball(0.05f));
        step_world(world, 3);
        assert_int_equal(position_of(world, bullet).x > 5, quality);
        trv_world_destroy(world);
    }
    trv_world *world = make_world();
    trv_body_def def = trv_default_body_def();
    trv_body_id id;
    def.motion = (trv_motion_quality)7;
    expect_result(trv_body_create(world, &def, &id), TRV_ERROR_RANGE);
    trv_world_destroy(world);
}

static void a_blow_in_the_middle_of_a_step_is_told(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id wall = add_body(world, TRV_BODY_STATIC, trv_make_vec3(5, 0, 0));
    add_shape(world, wall, trv_make_box(trv_make_vec3(0.001f, 1, 1)));
    trv_body_id bullet = add_spinning(world, ball(0.05f), trv_make_vec3(0, 0, 0),
                                      trv_make_vec3(400, 0, 0), trv_make_vec3(0, 0, 0));
    float mass, inertia[6];
    trv_vec3 center;
    expect_result(trv_body_mass(world, bullet, &mass, &center, inertia), TRV_OK);
    step_world(world, 1);
    trv_events events = trv_world_events(world);
    assert_int_equal(events.begin_count, 1);
    assert_int_equal(events.hit_count, 1);
    expect_near(events.hits[0].speed, 400, 0.1);
    expect_near(events.hits[0].impulse, 400 * mass, 0.01 * mass * 400);
    expect_near(fabsf(events.hits[0].normal.x), 1, 1e-5);
    expect_near(events.hits[0].point.x, 5, 0.01);
    expect_result(
        trv_body_set_velocity(world, bullet, trv_make_vec3(-30, 0, 0), trv_make_vec3(0, 0, 0)),
        TRV_OK);
    int ends = 0;
    for (int i = 0; i < 3; i++) {
        step_world(world, 1);
        ends += (int)trv_world_events(world).end_count;
        assert_int_equal(trv_world_events(world).begin_count, 0);
    }
    assert_int_equal(ends, 1);
    trv_world_destroy(world);
}

// Bodies of all kinds shot at one another, at all rates: momentum stays, energy never grows, and what
// is in a closed box stays in it.
static void random_shots_keep_momentum_and_gain_no_energy(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        test_random random = {seed};
        trv_world *world = make_empty_space();
        trv_body_id bodies[12];
        for (int i = 0; i < 12; i++) {
            trv_shape shape = i % 3 == 0   ? ball(0.05f)
                              : i % 3 == 1 ? trv_make_box(trv_make_vec3(0.3f, 0.004f, 0.2f))
                                           : trv_make_capsule(trv_make_vec3(0, -0.4f, 0),
                                                              trv_make_vec3(0, 0.4f, 0), 0.02f);
            trv_vec3 at = random_vec3(&random, 3);
            at.x += 7 * (float)(i % 2 ? 1 : -1);
            trv_vec3 v = random_vec3(&random, 20);
            v.x = (i % 2 ? -1.0f : 1.0f) * random_float(&random, 20, 300);
            bodies[i] = add_spinning(world, shape, at, v, random_vec3(&random, 60));
        }
        double dt = 1.0 / (seed % 3 == 0 ? 30 : seed % 3 == 1 ? 60 : 240);
        trv_vec3 before = momentum_of(world, bodies, 12);
        double energy = energy_of(world, bodies, 12), scale = sqrt(energy);
        for (int i = 0; i < 60; i++) {
            expect_result(trv_world_step(world, (float)dt, 4), TRV_OK);
            double now = energy_of(world, bodies, 12);
            if (!(now <= energy * 1.002))
                fail_msg("seed %d step %d: energy %g became %g", (int)seed, i, energy, now);
            energy = now;
        }
        trv_vec3 after = momentum_of(world, bodies, 12);
        expect_near(after.x, before.x, 1e-3 * scale);
        expect_near(after.y, before.y, 1e-3 * scale);
        expect_near(after.z, before.z, 1e-3 * scale);
        trv_world_destroy(world);
    }
}

// Plates that fall on plates turn into one another many times in a sub-step. Nobody is left hanging
// in the air by that, with a speed that grows.
static void check_that_a_heap_gains_no_energy(float rate)
{
    test_random random = {5};
    trv_world *world = make_world();
    trv_body_id ground = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0)), bodies[27];
    add_shape_of(world, ground, trv_make_box(trv_make_vec3(50, 1, 50)), 0, 0);
    for (int i = 0; i < 27; i++) {
        trv_body_def def = trv_default_body_def();
        trv_vec3 off = random_vec3(&random, 0.04f);
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trv_make_vec3(1.25f * (float)(i % 3), 1.5f + 1.25f * (float)(i / 9),
                                     1.25f * (float)(i / 3 % 3));
        def.position = trvi_add(def.position, off);
        def.rotation = trv_quat_about(trv_make_vec3(1, 2, 3), random_float(&random, -1.0f, 1.0f));
        expect_result(trv_body_create(world, &def, &bodies[i]), TRV_OK);
        add_shape_of(world, bodies[i], trv_make_box(trv_make_vec3(0.5f, 0.1f, 0.3f)), 0, 0);
    }
    double most = energy_under_gravity(world, bodies, 27);
    for (int i = 0; i < (int)(2.5f * rate); i++) {
        expect_result(trv_world_step(world, 1.0f / rate, 4), TRV_OK);
        assert_true(energy_under_gravity(world, bodies, 27) <= 1.001 * most);
    }
    for (int i = 0; i < 27; i++)
        assert_true(fabsf(velocity_of(world, bodies[i]).y) < 3);
    trv_world_destroy(world);
}

static void plates_that_fall_in_a_heap_gain_no_energy(void **state)
{
    (void)state;
    check_that_a_heap_gains_no_energy(60);
}

static void plates_that_fall_in_long_steps_gain_no_energy(void **state)
{
    (void)state;
    check_that_a_heap_gains_no_energy(30);
}

// The walls of odd seeds throw back what hits them.
static void check_that_nothing_leaves_a_box(uint64_t from)
{
    for (uint64_t seed = from; seed <= 10; seed += 2) {
        test_random random = {seed};
        trv_world *world = make_world();
        const float half = 1.5f, thin = 0.002f;
        for (int axis = 0; axis < 3; axis++)
            for (int side = -1; side <= 1; side += 2) {
                float h[3] = {half, half, half}, at[3] = {0, 0, 0};
                h[axis] = thin;
                at[axis] = (half + thin) * (float)side;
                trv_body_id wall =
                    add_body(world, TRV_BODY_STATIC, trv_make_vec3(at[0], at[1], at[2]));
                add_shape_of(world, wall, trv_make_box(trv_make_vec3(h[0], h[1], h[2])), 0.3f,
                             seed % 2 ? 0.9f : 0.0f);
            }
        trv_body_id bodies[10];
        for (int i = 0; i < 10; i++) {
            trv_vec3 first = random_vec3(&random, 1), second = random_vec3(&random, 1);
            trv_vec3 spin = trvi_scale(seed % 4 < 2 ? first : second, 50);
            trv_vec3 velocity = trvi_scale(seed % 4 < 2 ? second : first, seed % 3 ? 200 : 600);
            bodies[i] = add_spinning(
                world, i % 2 ? cube(0.06f) : trv_make_box(trv_make_vec3(0.3f, 0.005f, 0.05f)),
                trv_make_vec3(-1.0f + 0.22f * (float)i, 0.3f * (float)(i % 3), 0), velocity, spin);
        }
        step_world(world, 60);
        for (int i = 0; i < 10; i++) {
            trv_vec3 p = position_of(world, bodies[i]);
            float far = fmaxf(fmaxf(fabsf(p.x), fabsf(p.y)), fabsf(p.z));
            if (!(far <= half))
                fail_msg("seed %d: body %d is at %g %g %g", (int)seed, i, p.x, p.y, p.z);
        }
        trv_world_destroy(world);
    }
}

static void nothing_leaves_a_box_of_thin_walls(void **state)
{
    (void)state;
    check_that_nothing_leaves_a_box(2);
}

static void nothing_leaves_a_box_whose_walls_throw_back(void **state)
{
    (void)state;
    check_that_nothing_leaves_a_box(1);
}

// However thick the ground is, what hits it is stopped at its surface, and not a few radii below.
static void thick_ground_stops_at_its_surface(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (float speed = 5; speed <= 160; speed *= 4)
            for (int phase = 0; phase < 4; phase += 3) {
                trv_world *world = make_world();
                trv_body_id ground = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
                trv_shape slab = trv_make_box(trv_make_vec3(50, 10, 50));
                slab.as.box.center = trv_make_vec3(0, -10, 0);
                trv_vec3 up = {0, 1, 0}, none = {0, 0, 0};
                add_shape(world, ground, kind & 1 ? slab : trv_make_half_space(none, up));
                float way = speed / 60.0f * (1.0f + 0.19f * (float)phase);
                trv_body_id body = add_spinning(
                    world, kind & 2 ? ball(0.05f) : cube(0.05f), trv_make_vec3(0, 0.0525f + way, 0),
                    trv_make_vec3(0.3f * speed, -speed, 0), trv_make_vec3(0, 0, 0));
                for (int s = 0; s < 10; s++) {
                    step_world(world, 1);
                    assert_true(position_of(world, body).y > 0.045f);
                }
                trv_world_destroy(world);
            }
}

// What grazes a surface, or passes along it, is not held up by being looked at again and again.
static void what_slides_fast_over_tiles_keeps_its_speed(void **state)
{
    (void)state;
    for (int s = 0; s < 3; s++) {
        float speed = s == 0 ? 50.0f : 20.0f, rate = s == 0 ? 120.0f : 60.0f;
        trv_world *world = make_world();
        for (int i = 0; i < 150; i++) {
            trv_body_id tile =
                add_body(world, TRV_BODY_STATIC, trv_make_vec3((float)i + 0.5f, -0.25f, 0));
            add_shape_of(world, tile, trv_make_box(trv_make_vec3(0.5f, 0.25f, 0.5f)), 0, 0);
        }
        float r = s == 2 ? 0.1f : 0.25f;
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(3.3f + r, r, 0));
        trv_shape capsule = trv_make_capsule(trv_make_vec3(-r, 0, 0), trv_make_vec3(r, 0, 0), r);
        add_shape_of(world, body, capsule, 0, 0);
        expect_result(trv_body_set_linear_velocity(world, body, trv_make_vec3(speed, 0, 0)),
                      TRV_OK);
        for (int i = 0; i < (int)(139 / speed * rate); i++) {
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
            expect_near(velocity_of(world, body).x, speed, 1e-3 * speed);
        }
        trv_world_destroy(world);
    }
}

// Tiles that are moved together, as shapes of one body: what glides over them within the margin of
// sweeps is not asked so often that it has to wait.
static void what_slides_fast_over_moved_tiles_keeps_its_speed(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id floor = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, 0, 0));
    trv_vec3 moved = {-3, 1.5f, 0.5f};
    expect_result(trv_body_set_linear_velocity(world, floor, moved), TRV_OK);
    for (int i = 0; i < 150; i++) {
        trv_shape tile = trv_make_box(trv_make_vec3(0.5f, 0.25f, 0.5f));
        tile.as.box.center = trv_make_vec3((float)i + 0.5f, -0.25f, 0);
        add_shape_of(world, floor, tile, 0, 0);
    }
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0.5f, 0.25f, 0));
    add_shape_of(world, body,
                 trv_make_capsule(trv_make_vec3(-0.25f, 0, 0), trv_make_vec3(0.25f, 0, 0), 0.25f),
                 0, 0);
    trv_vec3 speed = {50.0f + moved.x, moved.y, moved.z};
    expect_result(trv_body_set_linear_velocity(world, body, speed), TRV_OK);
    for (int i = 0; i < 170; i++) {
        expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_OK);
        trv_vec3 v = velocity_of(world, body);
        expect_near(v.x, speed.x, 0.05);
        expect_near(v.y, speed.y, 0.01);
    }
    trv_world_destroy(world);
}

// From the axis of a rod along its x to that of a post that stands along y, seen from above; negative
// where the post is beside the rod no more.
static float beside_rod(trv_world *world, trv_body_id rod, trv_vec3 post)
{
    trv_pose pose;
    expect_result(trv_body_pose(world, rod, &pose), TRV_OK);
    trv_vec3 axis = trv_rotate(pose.rotation, trv_make_vec3(1, 0, 0));
    float x = post.x - pose.position.x, z = post.z - pose.position.z;
    return fabsf(x * axis.x + z * axis.z) < 1.95f ? fabsf(z * axis.x - x * axis.z) : -1.0f;
}

// A rod of eight boxes whirls into a post and slips along it, from one box to the next: none is taken
// for a seam while the post gets into it.
static void a_rod_of_boxes_does_not_sink_into_a_post(void **state)
{
    (void)state;
    for (int k = 0; k < 24; k++) {
        trv_world *world = make_empty_space();
        float angle = 0.63f + 0.07f * (float)k, away = k % 2 ? 0.35f : 0.25f;
        trv_vec3 at = {away * cosf(angle), 0, -away * sinf(angle)};
        trv_body_id post = add_body(world, TRV_BODY_STATIC, at);
        add_shape(world, post,
                  trv_make_capsule(trv_make_vec3(0, -1, 0), trv_make_vec3(0, 1, 0), 0.02f));
        trv_body_def def = trv_default_body_def();
        trv_body_id rod;
        def.kind = TRV_BODY_DYNAMIC;
        def.angular_velocity = trv_make_vec3(0, 40, 0);
        def.locks = TRV_LOCK_LINEAR_Y | TRV_LOCK_ANGULAR_X | TRV_LOCK_ANGULAR_Z;
        expect_result(trv_body_create(world, &def, &rod), TRV_OK);
        for (int i = 0; i < 8; i++) {
            trv_shape part = trv_make_box(trv_make_vec3(0.25f, 0.02f, 0.02f));
            part.as.box.center = trv_make_vec3(-1.75f + 0.5f * (float)i, 0, 0);
            add_shape(world, rod, part);
        }
        for (int s = 0; s < 30; s++) {
            step_world(world, 1);
            float beside = beside_rod(world, rod, at);
            if (beside < 0)
                break;
            if (beside < 0.038f)
                fail_msg("run %d, step %d: the axes are %g m from one another", k, s,
                         (double)beside);
        }
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bullet_is_stopped_by_the_first_of_many_walls),
        cmocka_unit_test(thick_ground_stops_at_its_surface),
        cmocka_unit_test(what_slides_fast_over_tiles_keeps_its_speed),
        cmocka_unit_test(what_slides_fast_over_moved_tiles_keeps_its_speed),
        cmocka_unit_test(a_rod_of_boxes_does_not_sink_into_a_post),
        cmocka_unit_test(bullets_meet_head_on),
        cmocka_unit_test(plates_that_bullets_throw_do_not_pass_either),
        cmocka_unit_test(a_sleeping_wall_wakes_and_takes_the_momentum),
        cmocka_unit_test(thin_plates_that_fall_on_one_another_stay_in_order),
        cmocka_unit_test(thin_plates_that_are_thrown_on_one_another_stay_in_order),
        cmocka_unit_test(a_kinematic_rod_takes_what_it_meets_along),
        cmocka_unit_test(who_asks_for_it_may_tunnel),
        cmocka_unit_test(a_blow_in_the_middle_of_a_step_is_told),
        cmocka_unit_test(random_shots_keep_momentum_and_gain_no_energy),
        cmocka_unit_test(plates_that_fall_in_a_heap_gain_no_energy),
        cmocka_unit_test(plates_that_fall_in_long_steps_gain_no_energy),
        cmocka_unit_test(nothing_leaves_a_box_of_thin_walls),
        cmocka_unit_test(nothing_leaves_a_box_whose_walls_throw_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
