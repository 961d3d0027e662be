// The solver against closed forms: rest, friction, bouncing, stacks.
#include "world_support.h"

static trv_body_id add_on_slope(trv_world *world, float degrees, float friction)
{
    float angle = degrees * 3.14159265f / 180.0f;
    trv_body_def def = trv_default_body_def();
    trv_body_id slope, block;
    def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), angle);
    expect_result(trv_body_create(world, &def, &slope), TRV_OK);
    add_shape_of(world, slope, trv_make_box(trv_make_vec3(50, 1, 5)), friction, 0);
    def.kind = TRV_BODY_DYNAMIC;
    def.position = trv_make_vec3(-1.5f * sinf(angle), 1.5f * cosf(angle), 0);
    expect_result(trv_body_create(world, &def, &block), TRV_OK);
    add_shape_of(world, block, cube(0.5f), friction, 0);
    return block;
}

static void a_box_rests_where_it_stands(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
    step_world(world, 120);
    trv_vec3 p = position_of(world, box);
    expect_near(p.y, 0.5, 0.001);
    expect_near(p.x, 0.0, 1e-4);
    assert_false(is_awake(world, box));
    trv_world_destroy(world);
}

static void every_kind_of_shape_rests_on_every_ground(void **state)
{
    (void)state;
    for (int ground = 0; ground < 2; ground++) {
        trv_world *world = make_world();
        if (ground == 0) {
            add_ground(world);
        } else {
            trv_body_id slab = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0));
            add_shape(world, slab, trv_make_box(trv_make_vec3(50, 1, 50)));
        }
        trv_shape capsule =
            trv_make_capsule(trv_make_vec3(-0.5f, 0, 0), trv_make_vec3(0.5f, 0, 0), 0.25f);
        trv_body_id bodies[3] = {
            add_dynamic(world, trv_make_vec3(-5, 1, 0), ball(0.5f)),
            add_dynamic(world, trv_make_vec3(0, 1, 0), capsule),
            add_dynamic(world, trv_make_vec3(5, 1, 0), cube(0.5f)),
        };
        const float heights[3] = {0.5f, 0.25f, 0.5f};
        step_world(world, 240);
        for (int i = 0; i < 3; i++)
            expect_near(position_of(world, bodies[i]).y, heights[i], 0.002);
        trv_world_destroy(world);
    }
}

// By a = mu g, along a line: the masses that friction sees along its tangents differ where a body is
// turned, and must not send it aside.
static void a_block_brakes_straight_however_it_is_turned(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++)
        for (int kind = 0; kind < 3; kind++) {
            trv_world *world = make_world();
            trv_body_def def = trv_default_body_def();
            trv_body_id body;
            add_ground(world); // friction .6
            def.kind = TRV_BODY_DYNAMIC;
            def.position = trv_make_vec3(0, kind == 2 ? 0.2f : 0.5f, 0);
            def.rotation = trv_quat_about(trv_make_vec3(0, 1, 0), 0.3f * (float)i);
            def.linear_velocity = trv_make_vec3(6.4f, 0, 4.8f);
            expect_result(trv_body_create(world, &def, &body), TRV_OK);
            trv_shape plank = trv_make_box(trv_make_vec3(0.6f, 0.2f, 0.3f));
            if (kind < 2)
                plank = trv_make_box(trv_make_vec3(0.5f, 0.5f, kind == 0 ? 0.5f : 0.9f));
            add_shape_of(world, body, plank, 0.4f, 0);
            step_world(world, 150);
            double mu = sqrt(0.6 * 0.4), way = 64 / (2 * mu * 9.81);
            expect_near(position_of(world, body).x, 0.8 * way, 2e-3 * way);
            expect_near(position_of(world, body).z, 0.6 * way, 2e-3 * way);
            trv_world_destroy(world);
        }
}

// Wherever in a step it comes to a stop: friction holds it there, and not where the step, or its last
// sub-step, began; on a half-space as on a box.
static void a_block_that_stops_within_a_step_is_not_pulled_back(void **state)
{
    (void)state;
    for (int i = 0; i < 32; i++) {
        double speed = 0.8 + 0.15 * (i / 2), way = speed * speed / (2 * 0.8 * 9.81), farthest = 0;
        trv_world *world = make_world();
        if (i % 2 == 0)
            add_ground(world); // friction .6
        else
            add_shape_of(world, add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -5, 0)),
                         trv_make_box(trv_make_vec3(500, 5, 500)), 0.6f, 0);
        trv_body_id body = add_moving(world, trv_make_box(trv_make_vec3(0.1f, 0.03f, 0.1f)),
                                      trv_make_vec3(0, 0.03f, 0), trv_make_vec3((float)speed, 0, 0),
                                      0.64f / 0.6f, 0);
        for (int step = 0; step < 40; step++) {
            expect_result(trv_world_step(world, 1.0f / 30.0f, 4), TRV_OK);
            farthest = fmax(farthest, (double)position_of(world, body).x);
        }
        expect_near(position_of(world, body).x, way, 1.5e-3 * way);
        expect_near(position_of(world, body).x, farthest, 1e-5);
        trv_world_destroy(world);
    }
}

// As in a game that happens in a plane: what can neither turn nor move along one axis brakes along the
// others as anything does, by mu times what has been pressed; also in the blow where it lands.
static void what_is_locked_along_an_axis_brakes_along_the_others(void **state)
{
    (void)state;
    const uint32_t turns = TRV_LOCK_ANGULAR_X | TRV_LOCK_ANGULAR_Y | TRV_LOCK_ANGULAR_Z;
    for (int along_z = 0; along_z < 2; along_z++)
        for (int falls = 0; falls < 2; falls++) {
            trv_world *world = make_world();
            add_ground(world);
            trv_vec3 start = {0, falls ? 1.5f : 0.5f, 0};
            trv_vec3 speed = {along_z ? 0.0f : 20.0f, falls ? -20.0f : 0.0f,
                              along_z ? 20.0f : 0.0f};
            trv_body_id block = add_dynamic(world, start, cube(0.5f));
            uint32_t across = along_z ? TRV_LOCK_LINEAR_X : TRV_LOCK_LINEAR_Z;
            expect_result(trv_body_set_locks(world, block, turns | across), TRV_OK);
            expect_result(trv_body_set_linear_velocity(world, block, speed), TRV_OK);
            step_world(world, 30);
            trv_vec3 end = velocity_of(world, block);
            expect_near(along_z ? end.z : end.x, 20 - 0.6 * (9.81 * 0.5 - speed.y), 0.02);
            trv_world_destroy(world);
        }
}

// Its way through the air is bent by nothing but its weight, and on a slope by 5/7 of what pulls it:
// also where it is small and fast enough to be swept.
static void a_small_ball_rolls_as_far_as_a_large_one(void **state)
{
    (void)state;
    for (int small = 0; small < 2; small++) {
        float r = small ? 0.05f : 0.5f, angle = 0.25f;
        trv_world *world = make_world();
        trv_body_def def = trv_default_body_def();
        trv_body_id slope, body;
        def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), -angle);
        expect_result(trv_body_create(world, &def, &slope), TRV_OK);
        trv_vec3 up = {0, 1, 0}, none = {0, 0, 0};
        add_shape_of(world, slope, trv_make_half_space(none, up), 0.8f, 0);
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trv_make_vec3(r * sinf(angle), r * cosf(angle), 0);
        expect_result(trv_body_create(world, &def, &body), TRV_OK);
        add_shape_of(world, body, ball(r), 0.8f, 0);
        trv_vec3 start = position_of(world, body);
        for (int s = 0; s < 90; s++)
            expect_result(trv_world_step(world, 1.0f / 30.0f, 4), TRV_OK);
        trv_vec3 end = position_of(world, body);
        double way = hypot((double)end.x - start.x, (double)end.y - start.y);
        double truth = 0.5 * 9 * 5 / 7 * 9.81 * sin(0.25);
        expect_near(way, truth, 2e-4 * truth);
        trv_world_destroy(world);
    }
}

static void a_block_stays_on_a_slope_below_the_friction_angle(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id block = add_on_slope(world, 25.0f, 0.6f); // tan 25 = .466
    step_world(world, 20);
    trv_vec3 before = position_of(world, block);
    step_world(world, 300);
    trv_vec3 after = position_of(world, block);
    expect_near(after.x, before.x, 0.002);
    expect_near(after.y, before.y, 0.002);
    trv_world_destroy(world);
}

static void a_block_slides_as_coulomb_says_above_it(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id block = add_on_slope(world, 30.0f, 0.3f);
    trv_vec3 start = position_of(world, block);
    step_world(world, 120);
    trv_vec3 end = position_of(world, block);
    double way = sqrt((double)(end.x - start.x) * (end.x - start.x) +
                      (double)(end.y - start.y) * (end.y - start.y));
    double acceleration = 9.81 * (0.5 - 0.3 * 0.8660254);
    expect_near(way, 0.5 * acceleration * 4.0, 0.01 * 0.5 * acceleration * 4.0);
    trv_world_destroy(world);
}

static void friction_is_the_same_in_every_direction(void **state)
{
    (void)state;
    double least = 1e9, most = 0;
    for (int i = 0; i < 8; i++) {
        trv_world *world = make_world();
        add_ground(world);
        trv_body_id box = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
        float angle = 0.4f * (float)i;
        trv_vec3 v = {5 * cosf(angle), 0, 5 * sinf(angle)}, o = {0, 0, 0};
        expect_result(trv_body_set_velocity(world, box, v, o), TRV_OK);
        step_world(world, 200);
        trv_vec3 p = position_of(world, box);
        double way = sqrt((double)p.x * p.x + (double)p.z * p.z);
        least = fmin(least, way);
        most = fmax(most, way);
        trv_world_destroy(world);
    }
    assert_true(least > 1.5); // v^2 / (2 mu g) = 2.1
    assert_true(most < 2.5);
    assert_true(most / least < 1.1);
}

static void a_ball_bounces_to_e_squared_of_its_height(void **state)
{
    (void)state;
    const float es[] = {0.25f, 0.5f, 0.75f};
    for (int k = 0; k < 3; k++) {
        trv_world *world = make_world();
        add_ground(world);
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 5.5f, 0));
        add_shape_of(world, body, ball(0.5f), 0.6f, es[k]);
        bool down = false, bounced = false;
        float peak = 0.0f;
        for (int i = 0; i < 240; i++) {
            step_world(world, 1);
            float v = velocity_of(world, body).y;
            if (down && v > 0.0f)
                bounced = true;
            if (bounced && v < 0.0f)
                break;
            down = v < 0.0f;
            if (bounced)
                peak = fmaxf(peak, position_of(world, body).y - 0.5f);
        }
        assert_true(bounced);
        expect_near(peak, 5.0 * es[k] * es[k], 0.3);
        trv_world_destroy(world);
    }
}

static void a_stack_of_ten_stands_and_sleeps(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id boxes[10];
    for (int i = 0; i < 10; i++)
        boxes[i] = add_dynamic(world, trv_make_vec3(0, 0.5f + (float)i, 0), cube(0.5f));
    step_world(world, 300);
    for (int i = 0; i < 10; i++) {
        expect_near(position_of(world, boxes[i]).y, 0.5 + i, 0.015);
        expect_near(position_of(world, boxes[i]).x, 0.0, 0.01);
        assert_false(is_awake(world, boxes[i]));
    }
    trv_world_destroy(world);
}

static void more_contacts_than_colours_are_solved_all_the_same(void **state)
{
    (void)state;
    // One wide dynamic slab under 100 balls: a body with far more contacts than there are colours.
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id slab =
        add_dynamic(world, trv_make_vec3(0, 0.5f, 0), trv_make_box(trv_make_vec3(10, 0.5f, 10)));
    trv_body_id balls[100];
    for (int i = 0; i < 100; i++)
        balls[i] = add_dynamic(
            world, trv_make_vec3((float)(i % 10) * 2 - 9, 1.5f, (float)(i / 10) * 2 - 9),
            ball(0.5f));
    step_world(world, 60);
    expect_near(position_of(world, slab).y, 0.5, 0.005);
    for (int i = 0; i < 100; i++)
        expect_near(position_of(world, balls[i]).y, 1.5, 0.005);
    trv_world_destroy(world);
}

static void overlapping_boxes_part_without_a_jump(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id boxes[5];
    for (int i = 0; i < 5; i++)
        boxes[i] = add_dynamic(world, trv_make_vec3(0, 0.5f + 0.8f * (float)i, 0), cube(0.5f));
    float fastest = 0.0f;
    for (int i = 0; i < 300; i++) {
        step_world(world, 1);
        for (int b = 0; b < 5; b++)
            fastest = fmaxf(fastest, fabsf(velocity_of(world, boxes[b]).y));
    }
    assert_true(fastest < 3.5f);
    for (int i = 1; i < 5; i++)
        assert_true(position_of(world, boxes[i]).y > position_of(world, boxes[i - 1]).y + 0.9f);
    trv_world_destroy(world);
}

static void a_heavy_box_rests_on_a_light_one(void **state)
{
    (void)state;
    const float ratios[] = {10.0f, 100.0f, 1000.0f};
    for (int k = 0; k < 3; k++) {
        trv_world *world = make_world();
        add_ground(world);
        add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
        trv_body_id heavy = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 1.5f, 0));
        trv_shape_def def = trv_default_shape_def();
        trv_shape shape = cube(0.5f);
        trv_shape_id id;
        def.material.density *= ratios[k];
        expect_result(trv_shape_create(world, heavy, &def, &shape, &id), TRV_OK);
        for (int i = 0; i < 300; i++) {
            step_world(world, 1);
            expect_near(position_of(world, heavy).y, 1.5, 0.1);
        }
        expect_near(position_of(world, heavy).y, 1.5, 0.005);
        trv_world_destroy(world);
    }
}

static void a_blow_keeps_the_true_masses(void **state)
{
    (void)state;
    // A ball of a hundred times the mass goes on almost unhindered: v (1 - 1/101) after e = 0.
    trv_world_def world_def = trv_default_world_def();
    trv_world *world;
    world_def.gravity = trv_make_vec3(0, 0, 0);
    expect_result(trv_world_create(&world_def, &world), TRV_OK);
    add_dynamic(world, trv_make_vec3(0, 0, 0), ball(0.5f));
    trv_body_id heavy = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(-2, 0, 0));
    trv_shape_def def = trv_default_shape_def();
    trv_shape shape = ball(0.5f);
    trv_shape_id id;
    def.material.density *= 100.0f;
    expect_result(trv_shape_create(world, heavy, &def, &shape, &id), TRV_OK);
    trv_vec3 v = {5, 0, 0}, o = {0, 0, 0};
    expect_result(trv_body_set_velocity(world, heavy, v, o), TRV_OK);
    step_world(world, 60);
    expect_near(velocity_of(world, heavy).x, 5.0 * 100.0 / 101.0, 0.01);
    trv_world_destroy(world);
}

static void rolling_friction_stops_a_ball_that_would_roll_on(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        trv_world *world = make_world();
        add_ground(world);
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.5f, 0));
        trv_shape_def def = trv_default_shape_def();
        trv_shape shape = ball(0.5f);
        trv_shape_id id;
        def.material.rolling_friction = k == 0 ? 0.0f : 0.02f;
        expect_result(trv_shape_create(world, body, &def, &shape, &id), TRV_OK);
        trv_vec3 v = {2, 0, 0}, w = {0, 0, -4};
        expect_result(trv_body_set_velocity(world, body, v, w), TRV_OK);
        step_world(world, 600);
        float way = position_of(world, body).x, speed = velocity_of(world, body).x;
        if (k == 0) {
            expect_near(speed, 2.0, 0.01);
            expect_near(way, 20.0, 0.1);
        } else { // slows down by 5/7 g lever / radius = .28 m/s^2
            expect_near(speed, 0.0, 0.01);
            expect_near(way, 4.0 / (2.0 * 0.2803), 0.5);
        }
        trv_world_destroy(world);
    }
}

// How far a shape of 1 m across comes on a slope in 5 s, after one in which it settles.
static float way_down_a_slope(trv_shape shape, float tan_of_slope, float lever, int rate)
{
    trv_world *world = make_world();
    add_ground(world);
    expect_result(trv_world_set_gravity(world, trv_make_vec3(9.81f * tan_of_slope, -9.81f, 0.0f)),
                  TRV_OK);
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.5f, 0));
    trv_shape_def def = trv_default_shape_def();
    trv_shape_id id;
    def.material.rolling_friction = lever;
    expect_result(trv_shape_create(world, body, &def, &shape, &id), TRV_OK);
    expect_result(trv_body_set_never_sleeps(world, body, true), TRV_OK);
    float start = 0.0f;
    for (int i = 0; i < 6 * rate; i++) {
        if (i == rate)
            start = position_of(world, body).x;
        expect_result(trv_world_step(world, 1.0f / (float)rate, 4), TRV_OK);
    }
    float way = position_of(world, body).x - start;
    trv_world_destroy(world);
    return way;
}

// It holds up to the slope whose tangent is lever / radius.
static void what_rolling_friction_holds_does_not_creep(void **state)
{
    (void)state;
    const trv_shape shapes[2] = {
        ball(0.5f), trv_make_capsule(trv_make_vec3(0, 0, -1), trv_make_vec3(0, 0, 1), 0.5f)};
    for (int rate = 30; rate <= 240; rate *= 2)
        for (int k = 0; k < 2; k++)
            for (float lever = 0.002f; lever < 0.3f; lever *= 5.0f) {
                expect_near(way_down_a_slope(shapes[k], 1.8f * lever, lever, rate), 0.0, 1.0e-5);
                assert_true(way_down_a_slope(shapes[k], 2.2f * lever, lever, rate) > 5.0e-3f);
            }
}

enum { SWAYING = 4 };

// Boxes of half a metre, askew on one another, on a plate that balls lie on, too, side by side: an
// island of so many contacts that it is not solved with care.
static void add_stack_among_many(trv_world *world, trv_body_id stack[SWAYING])
{
    add_ground(world);
    add_dynamic(world, trv_make_vec3(0, 0.25f, 0), trv_make_box(trv_make_vec3(6, 0.25f, 6)));
    for (int i = 0; i < 720; i++)
        add_dynamic(
            world, trv_make_vec3(-1.5f + 0.1f * (float)(i % 30), 0.55f, 1 + 0.1f * (float)(i / 30)),
            ball(0.05f));
    for (int i = 0; i < SWAYING; i++) {
        trv_body_def def = trv_default_body_def();
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trv_make_vec3(0.06f * (float)(i % 2), 0.75f + 0.5f * (float)i,
                                     -2 + 0.06f * (float)(i % 3));
        def.rotation = trv_quat_about(trv_make_vec3(0, 1, 0), 0.4f * (float)i);
        expect_result(trv_body_create(world, &def, &stack[i]), TRV_OK);
        add_shape_of(world, stack[i], cube(0.25f), 0.6f, 0);
    }
}

// What sweeps find late feeds a sway: with one sweep to relax it would never end at this rate.
static void a_stack_among_many_sways_to_rest_in_long_steps(void **state)
{
    (void)state;
    trv_body_id stack[SWAYING];
    trv_world *world = make_world();
    add_stack_among_many(world, stack);
    float fastest = 0.0f;
    for (int i = 0; i < 50; i++) {
        if (i == 4)
            expect_result(trv_body_set_velocity(world, stack[SWAYING - 1],
                                                trv_make_vec3(0.5f, 0, 0.15f),
                                                trv_make_vec3(0, 0, 0)),
                          TRV_OK);
        expect_result(trv_world_step(world, 1.0f / 30.0f, 4), TRV_OK);
        for (int k = 0; k < SWAYING && i >= 42; k++) {
            trv_vec3 v = velocity_of(world, stack[k]);
            fastest = fmaxf(fastest, sqrtf(v.x * v.x + v.y * v.y + v.z * v.z));
        }
    }
    assert_true(fastest < 0.05f);
    trv_world_destroy(world);
}

// The largest impulse of a contact, N s.
static float hardest_contact(trv_world *world)
{
    trv_contact contacts[32];
    uint32_t count;
    float hardest = 0;
    expect_result(trv_world_contacts(world, contacts, 32, &count), TRV_OK);
    assert_true(count <= 32);
    for (uint32_t c = 0; c < count; c++) {
        assert_true(isfinite(contacts[c].impulse));
        hardest = fmaxf(hardest, contacts[c].impulse);
    }
    return hardest;
}

// Two walls that are nearer to each other than what stands between them is wide: it cannot get out of
// both, and is not pressed harder and harder for that. When one wall is gone, nothing of it is left. What
// its locks hold is a wall as well.
static void what_is_jammed_is_not_pressed_without_end(void **state)
{
    (void)state;
    const float half = 0.25f, tight = 0.003f;
    const float weight = 8 * half * half * half * 1000 * 9.81f / 240, most = 100;
    for (int k = 0; k < 4; k++) {
        const bool turned = k % 2 != 0, locked = k / 2 != 0;
        trv_world *world = make_world();
        const trv_quat turn = {0, 0, turned ? sinf(0.05f) : 0, turned ? cosf(0.05f) : 1};
        trv_body_id walls[2];
        for (int i = 0; i < 2; i++) {
            const trv_vec3 at = {(i == 0 ? -1.0f : 1.0f) * (1 + half - tight), 0, 0};
            walls[i] = add_body(world, locked ? TRV_BODY_DYNAMIC : TRV_BODY_STATIC, at);
            add_shape_of(world, walls[i], cube(1), 1, 0);
            expect_result(trv_body_set_locks(world, walls[i], TRV_LOCK_ALL), TRV_OK);
        }
        expect_result(trv_body_set_pose(world, walls[1],
                                        (trv_pose){trv_make_vec3(1 + half - tight, 0, 0), turn}),
                      TRV_OK);
        trv_body_id jammed = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
        add_shape_of(world, jammed, cube(half), 1, 0);
        for (int i = 0; i < 240; i++) {
            expect_result(trv_body_set_awake(world, jammed, true), TRV_OK);
            step_world(world, 1);
            float hardest = hardest_contact(world);
            assert_true(i <= 10 || hardest < most * weight);
        }
        expect_result(trv_body_destroy(world, walls[1]), TRV_OK);
        for (int i = 1; i < 10; i++) { // it falls
            step_world(world, 1);
            trv_vec3 v = velocity_of(world, jammed);
            assert_true(fabsf(v.x) < 0.2f && v.y < 0.1f && v.y > -9.81f * (float)i / 60 - 0.1f);
        }
        trv_world_destroy(world);
    }
}

// Between the ground and a shelf that nothing lifts there is no room for two boxes by a millimetre; others
// stand on the shelf and beside it.
static void what_is_clamped_does_not_burst(void **state)
{
    (void)state;
    const uint32_t turns = TRV_LOCK_ANGULAR_X | TRV_LOCK_ANGULAR_Y | TRV_LOCK_ANGULAR_Z;
    const uint32_t locks[] = {TRV_LOCK_LINEAR_Y | turns, TRV_LOCK_ALL & ~turns,
                              TRV_LOCK_ALL & ~(uint32_t)TRV_LOCK_ANGULAR_Y};
    for (int k = 0; k < 3; k++) {
        trv_world *world = make_world();
        add_ground(world);
        add_dynamic(world, trv_make_vec3(0.01f, 0.02f, 0),
                    trv_make_box(trv_make_vec3(0.08f, 0.02f, 0.1f)));
        add_dynamic(world, trv_make_vec3(0, 0.09f, 0.01f),
                    trv_make_box(trv_make_vec3(0.05f, 0.05f, 0.09f)));
        trv_body_id shelf = add_dynamic(world, trv_make_vec3(-0.02f, 0.155f, 0),
                                        trv_make_box(trv_make_vec3(0.1f, 0.016f, 0.03f)));
        expect_result(trv_body_set_locks(world, shelf, locks[k]), TRV_OK);
        for (int i = 0; i < 4; i++)
            add_dynamic(world,
                        trv_make_vec3(0.02f * (float)(i % 2), 0.22f + 0.1f * (float)i, 0.01f),
                        cube(0.05f));
        for (int i = 0; i < 300; i++) {
            expect_result(trv_body_set_awake(world, shelf, true), TRV_OK);
            step_world(world, 1);
            assert_true(hardest_contact(world) < 40.0f); // the weight of all is .3
            for (uint32_t body = 0; body < world->bodies.items.count; body++) {
                const trvi_body *of = &trvi_bodies(world)[body];
                if (of->kind == TRV_BODY_DYNAMIC)
                    assert_true(trvi_fastest_of(of, trvi_mobile_of(world, of)) < 4.0f);
            }
        }
        trv_world_destroy(world);
    }
}

// A heavy box upon a light one has no room below such a shelf: they do not count as heavier for what that
// presses them with, which would press them the harder.
static void what_is_clamped_is_no_burden(void **state)
{
    (void)state;
    const uint32_t turns = TRV_LOCK_ANGULAR_X | TRV_LOCK_ANGULAR_Y | TRV_LOCK_ANGULAR_Z;
    // The third and the fourth are capsules along x.
    static const struct {
        trv_vec3 at, half;
        float density;
    } of[] = {{{0.014651f, 0.018510f, -0.007075f}, {0.082664f, 0.018510f, 0.099702f}, 252.55f},
              {{0.019845f, 0.083509f, 0.002851f}, {0.045356f, 0.047554f, 0.092923f}, 6225.68f},
              {{-0.019237f, 0.146998f, -0.005946f}, {0.095045f, 0.015936f, 0}, 366.56f},
              {{-0.014334f, 0.183603f, -0.001102f}, {0.030408f, 0.020669f, 0}, 5249.97f},
              {{-0.013257f, 0.267960f, -0.007351f}, {0.052991f, 0.063259f, 0.105857f}, 1672.02f},
              {{0.011027f, 0.359930f, -0.000864f}, {0.043853f, 0.028711f, 0.074860f}, 350.67f},
              {{-0.006207f, 0.415573f, 0.003496f}, {0.076677f, 0.026932f, 0.098118f}, 157.07f},
              {{-0.002719f, 0.458821f, -0.006937f}, {0.103115f, 0.016315f, 0.040845f}, 304.60f}};
    trv_world *world = make_world();
    add_ground(world);
    for (int i = 0; i < 8; i++) {
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, of[i].at);
        trv_vec3 half = of[i].half, end = trv_make_vec3(half.x, 0, 0);
        trv_shape solid =
            i == 2 || i == 3 ? trv_make_capsule(trvi_negate(end), end, half.y) : trv_make_box(half);
        trv_shape_def def = trv_default_shape_def();
        trv_shape_id shape;
        def.material.density = of[i].density;
        expect_result(trv_shape_create(world, body, &def, &solid, &shape), TRV_OK);
        if (i == 2)
            expect_result(trv_body_set_locks(world, body, TRV_LOCK_LINEAR_Y | turns), TRV_OK);
    }
    float most = 0;
    for (int i = 0; i < 120; i++) {
        step_world(world, 1);
        most = fmaxf(most, hardest_contact(world));
    }
    assert_true(most < 1000.0f); // what weighs comes to .8
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_rests_where_it_stands),
        cmocka_unit_test(every_kind_of_shape_rests_on_every_ground),
        cmocka_unit_test(a_block_brakes_straight_however_it_is_turned),
        cmocka_unit_test(a_block_that_stops_within_a_step_is_not_pulled_back),
        cmocka_unit_test(what_is_locked_along_an_axis_brakes_along_the_others),
        cmocka_unit_test(a_small_ball_rolls_as_far_as_a_large_one),
        cmocka_unit_test(a_block_stays_on_a_slope_below_the_friction_angle),
        cmocka_unit_test(a_block_slides_as_coulomb_says_above_it),
        cmocka_unit_test(friction_is_the_same_in_every_direction),
        cmocka_unit_test(a_ball_bounces_to_e_squared_of_its_height),
        cmocka_unit_test(a_stack_of_ten_stands_and_sleeps),
        cmocka_unit_test(more_contacts_than_colours_are_solved_all_the_same),
        cmocka_unit_test(a_heavy_box_rests_on_a_light_one),
        cmocka_unit_test(a_blow_keeps_the_true_masses),
        cmocka_unit_test(rolling_friction_stops_a_ball_that_would_roll_on),
        cmocka_unit_test(what_rolling_friction_holds_does_not_creep),
        cmocka_unit_test(a_stack_among_many_sways_to_rest_in_long_steps),
        cmocka_unit_test(overlapping_boxes_part_without_a_jump),
        cmocka_unit_test(what_is_jammed_is_not_pressed_without_end),
        cmocka_unit_test(what_is_clamped_does_not_burst),
        cmocka_unit_test(what_is_clamped_is_no_burden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
