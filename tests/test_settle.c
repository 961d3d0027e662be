// Islands that are solved with care: they stand exactly, and know nothing of one another.
#include "world_support.h"

#include <trivet/mesh.h>

#include <string.h>

static trv_body_id add_box_of(trv_world *world, trv_vec3 position, trv_vec3 half, float mass)
{
    trv_body_id id = add_body(world, TRV_BODY_DYNAMIC, position);
    trv_shape_def def = trv_default_shape_def();
    trv_shape shape = trv_make_box(half);
    trv_shape_id shape_id;
    def.material.density = mass / (8.0f * half.x * half.y * half.z);
    expect_result(trv_shape_create(world, id, &def, &shape, &shape_id), TRV_OK);
    return id;
}

static trv_body_id add_cube_of(trv_world *world, trv_vec3 position, float mass)
{
    return add_box_of(world, position, trv_make_vec3(0.5f, 0.5f, 0.5f), mass);
}

static void a_stack_of_fifty_stands_from_the_first_step_on(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id top = {0, 0, 0};
    for (int i = 0; i < 50; i++)
        top = add_dynamic(world, trv_make_vec3(0, 0.5f + (float)i, 0), cube(0.5f));
    for (int i = 0; i < 180; i++) {
        step_world(world, 1);
        expect_near(position_of(world, top).y, 49.5, 0.01);
        expect_near(position_of(world, top).x, 0.0, 0.01);
    }
    assert_false(is_awake(world, top));
    trv_world_destroy(world);
}

static void a_thousandfold_weight_rests_on_five_boxes(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    for (int i = 0; i < 5; i++)
        add_cube_of(world, trv_make_vec3(0, 0.5f + (float)i, 0), 1000.0f);
    trv_body_id heavy = add_cube_of(world, trv_make_vec3(0, 5.5f, 0), 1.0e6f);
    for (int i = 0; i < 300; i++) {
        step_world(world, 1);
        expect_near(position_of(world, heavy).y, 5.5, 0.01);
    }
    trv_world_destroy(world);
}

// Gaps of millionths are not fallen through again and again.
static void columns_that_have_landed_do_not_tremble(void **state)
{
    (void)state;
    enum { COLUMNS = 40, ALL = 5 * COLUMNS };
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    trv_body_id boxes[ALL];
    def.sleep = false;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    add_ground(world);
    for (int i = 0; i < ALL; i++) {
        float x = 2.0f * (float)(i % COLUMNS), y = 1.0f + 1.2f * (float)(i / COLUMNS);
        boxes[i] = add_dynamic(world, trv_make_vec3(x, y, 0), cube(0.5f));
    }
    step_world(world, 90);
    for (int n = 0; n < 20; n++) {
        trv_vec3 then[ALL];
        for (int i = 0; i < ALL; i++)
            then[i] = position_of(world, boxes[i]);
        step_world(world, 1);
        for (int i = 0; i < ALL; i++) {
            expect_near(position_of(world, boxes[i]).x, then[i].x, 1.0e-6);
            expect_near(position_of(world, boxes[i]).y, then[i].y, 1.0e-6);
        }
    }
    trv_world_destroy(world);
}

// It turns a thousand times as heavily about its foot as the plate does, and wants to rock on it.
static void a_tall_block_comes_to_rest_on_a_thin_plate(void **state)
{
    (void)state;
    for (float ratio = 75.0f; ratio < 2000.0f; ratio *= 4.0f)
        for (float thin = 0.0015f; thin < 0.02f; thin *= 3.0f) {
            trv_world *world = make_world();
            add_ground(world);
            float mass = 200.0f * thin;
            add_box_of(world, trv_make_vec3(0, thin + 0.002f, 0), trv_make_vec3(0.05f, thin, 0.5f),
                       mass);
            trv_body_id block =
                add_box_of(world, trv_make_vec3(0.003f, 2.0f * thin + 0.41f, 0.002f),
                           trv_make_vec3(0.05f, 0.4f, 0.5f), ratio * mass);
            trv_pose askew = {position_of(world, block),
                              trv_quat_about(trv_make_vec3(0, 0, 1), 0.01f)};
            expect_result(trv_body_set_pose(world, block, askew), TRV_OK);
            step_world(world, 180);
            assert_false(is_awake(world, block));
            expect_near(position_of(world, block).y, 2.0f * thin + 0.4f, 0.001);
            trv_world_destroy(world);
        }
}

// Far beyond what sweeps find, and what float32 tells apart, it was thrown aside by up to its side.
static void what_bears_ten_thousand_times_its_weight_stands(void **state)
{
    (void)state;
    for (int under = 1; under <= 5; under += 4) {
        trv_world *world = make_world();
        add_ground(world);
        for (int i = 0; i < under; i++)
            add_cube_of(world, trv_make_vec3(0, 0.5f + (float)i, 0), 100.0f);
        float height = 0.5f + (float)under;
        trv_body_id heavy = add_cube_of(world, trv_make_vec3(0, height, 0), 1.0e6f);
        for (int i = 0; i < 300; i++) {
            step_world(world, 1);
            expect_near(position_of(world, heavy).x, 0, 0.01);
            expect_near(position_of(world, heavy).y, height, 0.01);
            expect_near(position_of(world, heavy).z, 0, 0.01);
        }
        trv_world_destroy(world);
    }
}

// A light sled under a heavy load on a slope, by the tangent of which friction is more or less.
static void a_heavy_load_slides_no_sooner_than_a_light_one(void **state)
{
    (void)state;
    for (int slides = 0; slides <= 1; slides++) {
        trv_world *world = make_world();
        trv_body_id ground = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0));
        add_shape_of(world, ground, trv_make_box(trv_make_vec3(50, 1, 50)), 1.0f, 0.0f);
        trv_vec3 slope = {4.905f, -8.4957f, 0.0f}; // 30 degrees
        expect_result(trv_world_set_gravity(world, slope), TRV_OK);
        float friction = slides ? 0.5f : 0.6f; // with the ground's 1
        trv_body_id sled = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.1f, 0));
        add_shape_of(world, sled, trv_make_box(trv_make_vec3(1, 0.1f, 1)), friction * friction, 0);
        trv_body_id load = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.7f, 0));
        trv_shape_def def = trv_default_shape_def();
        trv_shape shape = cube(0.5f);
        trv_shape_id id;
        def.material.density = 8.0e6f; // 10,000 times as heavy as the sled
        def.material.friction = 4.0f;
        expect_result(trv_shape_create(world, load, &def, &shape, &id), TRV_OK);
        step_world(world, 120);
        double truth = slides ? 0.5 * 4.0 * (4.905 - 0.5 * 8.4957) : 0.0;
        expect_near(position_of(world, load).x, truth, 0.05);
        expect_near(position_of(world, sled).x, truth, 0.05);
        trv_world_destroy(world);
    }
}

static void run_with_others(int others, trv_vec3 way[200])
{
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id top = {0, 0, 0};
    for (int i = 0; i < 8; i++)
        top = add_dynamic(world, trv_make_vec3(0.1f * (float)i, 0.6f + 1.05f * (float)i, 0),
                          cube(0.5f));
    for (int i = 0; i < others; i++)
        add_dynamic(world,
                    trv_make_vec3(100.0f + 0.3f * (float)(i % 3), 0.6f + 1.05f * (float)i, 0),
                    i % 2 ? cube(0.5f) : ball(0.5f));
    for (int i = 0; i < 200; i++) {
        step_world(world, 1);
        way[i] = position_of(world, top);
    }
    trv_world_destroy(world);
}

static void an_island_moves_the_same_whatever_else_there_is(void **state)
{
    (void)state;
    trv_vec3 alone[200], among[200];
    run_with_others(0, alone);
    for (int others = 1; others <= 16; others += 5) {
        run_with_others(others, among);
        assert_memory_equal(alone, among, sizeof alone);
    }
}

static void a_block_on_a_turntable_goes_round_with_it(void **state)
{
    (void)state;
    const float share = 0.95f, radius = 2.0f; // of what friction can hold
    float spin = sqrtf(share * 0.6f * 9.81f / radius);
    trv_world *world = make_world();
    trv_vec3 o = {0, 0, 0}, turn = {0, spin, 0}, v = {0, 0, -spin * radius};
    trv_body_id table = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, -1, 0));
    add_shape(world, table, trv_make_box(trv_make_vec3(5, 1, 5)));
    trv_body_id block = add_dynamic(world, trv_make_vec3(radius, 0.25f, 0), cube(0.25f));
    expect_result(trv_body_set_velocity(world, table, o, turn), TRV_OK);
    expect_result(trv_body_set_velocity(world, block, v, turn), TRV_OK);
    for (int i = 0; i < 600; i++) {
        step_world(world, 1);
        trv_vec3 p = position_of(world, block);
        expect_near(sqrt((double)p.x * p.x + (double)p.z * p.z), radius, 0.02);
    }
    trv_world_destroy(world);
}

// A plate with two weights below it, balanced on the tip of a spike.
static trv_body_id add_balance(trv_world *world, const trv_hull *spike)
{
    trv_body_id post = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    add_shape(world, post, trv_make_hull(spike));
    trv_body_id balance = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 1.05f, 0));
    add_shape(world, balance, trv_make_box(trv_make_vec3(0.5f, 0.05f, 0.5f)));
    for (int side = -1; side <= 1; side += 2) {
        trv_obb weight = {trv_make_vec3(0.4f * (float)side, -0.4f, 0),
                          trv_make_vec3(0.1f, 0.1f, 0.1f), trv_identity_quat()};
        add_shape(world, balance, trv_make_placed_box(weight));
    }
    return balance;
}

static void what_spins_and_swings_on_a_tip_comes_to_rest_on_it(void **state)
{
    (void)state;
    const trv_vec3 points[5] = {{0.1f, 0.5f, 0.1f},
                                {-0.1f, 0.5f, 0.1f},
                                {0.1f, 0.5f, -0.1f},
                                {-0.1f, 0.5f, -0.1f},
                                {0, 1, 0}};
    trv_hull_def def = trv_default_hull_def();
    trv_hull *spike = NULL;
    expect_result(trv_hull_create(points, 5, &def, &spike), TRV_OK);
    trv_world *world = make_world();
    trv_body_id balance = add_balance(world, spike);
    expect_result(
        trv_body_set_velocity(world, balance, trv_make_vec3(0, 0, 0), trv_make_vec3(0.05f, 1, 0)),
        TRV_OK);
    step_world(world, 10);
    trv_vec3 linear, spin;
    expect_result(trv_body_velocity(world, balance, &linear, &spin), TRV_OK);
    assert_true(spin.y > 0.8f); // the tip is nearly sharp: it does not stop at once
    step_world(world, 600);
    assert_false(is_awake(world, balance));
    expect_near(position_of(world, balance).y, 1.05, 0.005);
    trv_world_destroy(world);
    trv_hull_release(spike);
}

// Towers of cubes that are pushed against one another: what sweeps leave out must not make them sway.
static void check_towers_come_to_rest(int towers, int height, float pitch, float dt)
{
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id top = {0, 0, 0};
    for (int i = 0; i < towers * height; i++) {
        int tower = i / height, level = i % height;
        float share = ((float)level + 0.5f) / (float)height; // of the push, and it turns them
        float push = tower % 2 ? -0.5f : 0.5f, aside = 0.25f * (float)(tower % 3 - 1);
        top = add_dynamic(world, trv_make_vec3(pitch * (float)tower, (float)level + 0.5f, 0),
                          cube(0.5f));
        float turn = 0.1f * (float)((tower + level) % 3 - 1);
        trv_pose pose = {position_of(world, top), trv_quat_about(trv_make_vec3(0, 1, 0), turn)};
        expect_result(trv_body_set_pose(world, top, pose), TRV_OK);
        expect_result(trv_body_set_velocity(world, top,
                                            trv_make_vec3(push * share, 0, aside * share),
                                            trv_make_vec3(0, 0, 0)),
                      TRV_OK);
    }
    for (float t = 0; t < 2.0f; t += dt)
        expect_result(trv_world_step(world, dt, 4), TRV_OK);
    assert_int_equal(counters_of(world).awake_bodies, 0);
    expect_near(position_of(world, top).y, (float)height - 0.5f, 0.01);
    trv_world_destroy(world);
}

static void sweeps_are_counted_and_few_for_what_rests(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    for (int i = 0; i < 3; i++)
        add_cube_of(world, trv_make_vec3(4.0f * (float)i, 0.5f, 0), 1.0f);
    add_cube_of(world, trv_make_vec3(0, 1.5f, 0), 1000.0f);
    step_world(world, 1);
    trv_world_counters first = counters_of(world), later;
    assert_int_equal(first.islands, 3);
    assert_true(first.sweeps > 3 * 8);
    step_world(world, 15);
    later = counters_of(world);
    assert_int_equal(later.islands, 3);
    assert_true(later.sweeps >= 3 * 8 && later.sweeps < first.sweeps);
    step_world(world, 120);
    later = counters_of(world);
    assert_int_equal(later.awake_bodies, 0);
    assert_int_equal(later.islands, 0);
    assert_int_equal(later.sweeps, 0);
    trv_world_destroy(world);
}

static void towers_that_lean_on_one_another_come_to_rest(void **state)
{
    (void)state;
    check_towers_come_to_rest(2, 20, 1.05f, 1.0f / 60.0f);
    check_towers_come_to_rest(2, 12, 1.05f, 1.0f / 30.0f);
}

// Eight corners of the faces that lie on one another carry it by turns, each for a step, unless those
// that carry stay, which slide: then it creeps for ten seconds.
static void a_box_that_leans_on_two_others_does_not_creep(void **state)
{
    (void)state;
    static const trv_pose poses[3] = {
        {{0.020319f, 0.684803f, -0.410297f},
         {0.169205636f, 0.618953645f, 0.202255875f, 0.739836752f}},
        {{0.013466f, 1.480679f, 0.217201f},
         {-0.731487632f, 0.623461008f, 0.257469237f, 0.0996584743f}},
        {{0.272493f, 0.499963f, 1.102955f},
         {0.191410258f, 0.191422597f, 0.680680752f, 0.680729926f}},
    };
    trv_world *world = make_world();
    trv_body_id boxes[3];
    add_ground(world);
    for (int i = 0; i < 3; i++) {
        boxes[i] = add_dynamic(world, poses[i].position, cube(0.5f));
        expect_result(trv_body_set_pose(world, boxes[i], poses[i]), TRV_OK);
    }
    step_world(world, 120);
    for (int i = 0; i < 3; i++) {
        assert_false(is_awake(world, boxes[i]));
        trv_vec3 moved = trvi_sub(position_of(world, boxes[i]), poses[i].position);
        assert_true(trvi_length(moved) < 0.002f);
    }
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_of_fifty_stands_from_the_first_step_on),
        cmocka_unit_test(a_thousandfold_weight_rests_on_five_boxes),
        cmocka_unit_test(columns_that_have_landed_do_not_tremble),
        cmocka_unit_test(a_tall_block_comes_to_rest_on_a_thin_plate),
        cmocka_unit_test(what_bears_ten_thousand_times_its_weight_stands),
        cmocka_unit_test(a_heavy_load_slides_no_sooner_than_a_light_one),
        cmocka_unit_test(an_island_moves_the_same_whatever_else_there_is),
        cmocka_unit_test(a_block_on_a_turntable_goes_round_with_it),
        cmocka_unit_test(what_spins_and_swings_on_a_tip_comes_to_rest_on_it),
        cmocka_unit_test(sweeps_are_counted_and_few_for_what_rests),
        cmocka_unit_test(towers_that_lean_on_one_another_come_to_rest),
        cmocka_unit_test(a_box_that_leans_on_two_others_does_not_creep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
