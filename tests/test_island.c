// Sleeping and waking: who sleeps together, and what wakes them.
#include "world_support.h"

static void put_to_rest(trv_world *world, int most_steps)
{
    trv_world_counters counters;
    for (int i = 0; i < most_steps; i++) {
        step_world(world, 1);
        expect_result(trv_world_counters_get(world, &counters), TRV_OK);
        if (world->awake.count == 0)
            return;
    }
    fail_msg("%u bodies are still awake", world->awake.count);
}

static void a_heap_sleeps_and_wakes_together(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id heap[4], other = add_dynamic(world, trv_make_vec3(20, 0.5f, 0), cube(0.5f));
    for (int i = 0; i < 4; i++)
        heap[i] = add_dynamic(world, trv_make_vec3(0, 0.5f + (float)i, 0), cube(0.5f));
    put_to_rest(world, 300);
    expect_result(trv_body_set_awake(world, heap[3], true), TRV_OK);
    for (int i = 0; i < 4; i++)
        assert_true(is_awake(world, heap[i]));
    assert_false(is_awake(world, other));
    trv_world_destroy(world);
}

static void a_hit_wakes_the_heap(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
    trv_body_id top = add_dynamic(world, trv_make_vec3(0, 1.5f, 0), cube(0.5f));
    put_to_rest(world, 300);
    trv_body_id bullet = add_dynamic(world, trv_make_vec3(-3, 0.5f, 0), ball(0.2f));
    trv_vec3 v = {10, 0, 0}, o = {0, 0, 0};
    expect_result(trv_body_set_velocity(world, bullet, v, o), TRV_OK);
    step_world(world, 20);
    assert_true(is_awake(world, box));
    assert_true(is_awake(world, top));
    trv_world_destroy(world);
}

static void what_stood_on_a_destroyed_body_falls(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id support = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    add_shape(world, support, trv_make_box(trv_make_vec3(2, 0.5f, 2)));
    trv_body_id low = add_dynamic(world, trv_make_vec3(0, 1, 0), cube(0.5f));
    trv_body_id high = add_dynamic(world, trv_make_vec3(0, 2, 0), cube(0.5f));
    put_to_rest(world, 300);
    expect_result(trv_body_destroy(world, support), TRV_OK);
    assert_true(is_awake(world, low));
    assert_true(is_awake(world, high));
    step_world(world, 60);
    assert_true(position_of(world, high).y < -1.0f);
    trv_world_destroy(world);
}

static void what_stood_on_a_destroyed_shape_falls(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id support = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    trv_shape_id shape = add_shape(world, support, trv_make_box(trv_make_vec3(2, 0.5f, 2)));
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 1, 0), cube(0.5f));
    put_to_rest(world, 300);
    expect_result(trv_shape_destroy(world, shape), TRV_OK);
    step_world(world, 30);
    assert_true(position_of(world, box).y < 0.5f);
    trv_world_destroy(world);
}

static void a_teleported_support_wakes_its_load(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id support = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    add_shape(world, support, trv_make_box(trv_make_vec3(2, 0.5f, 2)));
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 1, 0), cube(0.5f));
    put_to_rest(world, 300);
    expect_result(trv_body_set_pose(world, support, trv_make_pose(trv_make_vec3(50, 0, 0))),
                  TRV_OK);
    step_world(world, 30);
    assert_true(position_of(world, box).y < 0.5f);
    trv_world_destroy(world);
}

static void a_moving_lift_keeps_its_load_awake(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id lift = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, 0, 0));
    add_shape(world, lift, trv_make_box(trv_make_vec3(2, 0.5f, 2)));
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 1, 0), cube(0.5f));
    for (int i = 0; i < 120; i++)
        step_world(world, 1);
    assert_false(is_awake(world, box)); // a lift that stands still lets its load sleep
    trv_vec3 creep = {0, 0.001f, 0}, o = {0, 0, 0};
    expect_result(trv_body_set_velocity(world, lift, creep, o), TRV_OK);
    step_world(world, 120);
    assert_true(is_awake(world, box));
    trv_world_destroy(world);
}

static void nothing_sleeps_at_the_apex_of_a_throw(void **state)
{
    (void)state;
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.gravity = trv_make_vec3(0, -0.5f, 0); // a slow apex
    expect_result(trv_world_create(&def, &world), TRV_OK);
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), ball(0.5f));
    trv_vec3 up = {0, 1, 0}, o = {0, 0, 0};
    expect_result(trv_body_set_velocity(world, body, up, o), TRV_OK);
    for (int i = 0; i < 480; i++) {
        step_world(world, 1);
        assert_true(is_awake(world, body));
    }
    trv_world_destroy(world);
}

static void sleeping_bodies_keep_their_bits(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    for (int i = 0; i < 5; i++)
        add_dynamic(world, trv_make_vec3(0, 0.5f + (float)i, 0), cube(0.5f));
    put_to_rest(world, 300);
    uint64_t hash = trv_world_hash(world);
    step_world(world, 100);
    assert_true(trv_world_hash(world) == hash);
    trv_world_destroy(world);
}

static void a_world_without_sleep_never_sleeps(void **state)
{
    (void)state;
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.sleep = false;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    add_ground(world);
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
    step_world(world, 300);
    assert_true(is_awake(world, body));
    trv_world_destroy(world);
}

static void a_body_that_never_sleeps_keeps_its_heap_awake(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id low = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
    trv_body_def def = trv_default_body_def();
    trv_body_id high;
    def.kind = TRV_BODY_DYNAMIC;
    def.never_sleeps = true;
    def.position = trv_make_vec3(0, 1.5f, 0);
    expect_result(trv_body_create(world, &def, &high), TRV_OK);
    add_shape(world, high, cube(0.5f));
    step_world(world, 300);
    assert_true(is_awake(world, low));
    assert_true(is_awake(world, high));
    trv_world_destroy(world);
}

// A box of half extents .5 x `tall` x .5 on a slope of the given tangent.
static trv_body_id add_on_slope(trv_world *world, float tangent, float tall, float friction)
{
    float cosine = 1.0f / sqrtf(1.0f + tangent * tangent), sine = tangent * cosine;
    trv_body_def def = trv_default_body_def();
    trv_body_id slope, box;
    def.rotation.z = sqrtf(0.5f * (1.0f - cosine));
    def.rotation.w = sqrtf(0.5f * (1.0f + cosine));
    expect_result(trv_body_create(world, &def, &slope), TRV_OK);
    add_shape_of(world, slope, trv_make_box(trv_make_vec3(50, 1, 5)), friction, 0);
    def.kind = TRV_BODY_DYNAMIC;
    def.position = trv_make_vec3(-(1.0f + tall) * sine, (1.0f + tall) * cosine, 0);
    expect_result(trv_body_create(world, &def, &box), TRV_OK);
    add_shape_of(world, box, trv_make_box(trv_make_vec3(0.5f, tall, 0.5f)), friction, 0);
    return box;
}

static void what_begins_to_slide_slowly_does_not_fall_asleep(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id box = add_on_slope(world, 0.5f, 0.5f, 0.4995f); // slides at 4.4 mm/s^2
    trv_vec3 start = position_of(world, box);
    step_world(world, 300);
    trv_vec3 end = position_of(world, box);
    double way = sqrt((double)(end.x - start.x) * (end.x - start.x) +
                      (double)(end.y - start.y) * (end.y - start.y));
    double truth = 0.5 * 9.81 * (0.5 - 0.4995) / sqrt(1.25) * 25.0;
    expect_near(way, truth, 0.05 * truth);
    assert_true(is_awake(world, box));
    trv_world_destroy(world);
}

static void what_begins_to_tip_over_slowly_does_not_fall_asleep(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) { // 1 per cent below what it can stand, and above
        trv_world *world = make_world();
        trv_body_id box = add_on_slope(world, k == 0 ? 0.495f : 0.505f, 1.0f, 1.5f);
        float height = position_of(world, box).y;
        step_world(world, 600);
        if (k == 0)
            expect_near(position_of(world, box).y, height, 0.005);
        else
            assert_true(position_of(world, box).y < height - 0.2f);
        trv_world_destroy(world);
    }
}

// On ground without friction.
static trv_body_id add_sliding(trv_world *world, float speed, float damping)
{
    trv_body_def def = trv_default_body_def();
    trv_body_id box;
    add_ground(world);
    def.kind = TRV_BODY_DYNAMIC;
    def.position = trv_make_vec3(0, 0.5f, 0);
    def.linear_velocity = trv_make_vec3(speed, 0, 0);
    def.linear_damping = damping;
    expect_result(trv_body_create(world, &def, &box), TRV_OK);
    add_shape_of(world, box, cube(0.5f), 0.0f, 0.0f);
    return box;
}

// Held by nothing, it may be going to slide on, however slowly; when it has stopped it is not.
static void what_has_slid_to_a_stop_falls_asleep(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id box = add_sliding(world, 0.01f, 4.0f);
    put_to_rest(world, 300);
    assert_true(position_of(world, box).x > 0.002f);
    trv_world_destroy(world);
}

static void what_creeps_to_a_halt_falls_asleep_and_what_goes_on_evenly_does_not(void **state)
{
    (void)state;
    for (int slows = 0; slows <= 1; slows++) {
        trv_world *world = make_world();
        trv_body_id box = add_sliding(world, 0.005f, (float)slows);
        step_world(world, 120);
        assert_int_equal(is_awake(world, box), !slows);
        step_world(world, 240);
        assert_int_equal(is_awake(world, box), !slows);
        trv_world_destroy(world);
    }
}

static void check_rolls(float slope_of, float dt, float seconds)
{
    trv_world *world = make_world();
    trv_body_def def = trv_default_body_def();
    trv_body_id slope, body;
    def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), -slope_of);
    expect_result(trv_body_create(world, &def, &slope), TRV_OK);
    add_shape_of(world, slope, trv_make_box(trv_make_vec3(50, 1, 5)), 0.6f, 0.0f);
    body = add_dynamic(world, trv_make_vec3(0, 1.5f, 0), ball(0.5f));
    for (float t = 0; t < seconds - 0.5f * dt; t += dt)
        expect_result(trv_world_step(world, dt, 4), TRV_OK);
    float truth = 5.0f / 7.0f * 9.81f * slope_of / 2.0f * seconds * seconds;
    expect_near(position_of(world, body).x, truth, 0.05f * truth);
    assert_true(is_awake(world, body));
    trv_world_destroy(world);
}

static void what_begins_to_roll_slowly_does_not_fall_asleep(void **state)
{
    (void)state;
    check_rolls(0.002f, 1.0f / 60.0f, 5.0f);
    check_rolls(0.0005f, 1.0f / 60.0f, 10.0f);
    check_rolls(0.0005f, 1.0f / 30.0f, 10.0f);
    check_rolls(0.0005f, 1.0f / 120.0f, 10.0f);
}

// A ball with a weight in its lower half, rolled aside by so much: it swings to and fro.
static trv_body_id add_rocker(trv_world *world, float aside)
{
    trv_body_def def = trv_default_body_def();
    trv_body_id body;
    def.kind = TRV_BODY_DYNAMIC;
    def.position = trv_make_vec3(aside, 1.0f, 0.0f);
    def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), -aside);
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape(world, body, ball(1.0f));
    trv_shape weight = trv_make_sphere(trv_make_vec3(0.0f, -0.6f, 0.0f), 0.3f);
    trv_shape_def heavy = trv_default_shape_def();
    trv_shape_id id;
    heavy.material.density = 8000.0f;
    expect_result(trv_shape_create(world, body, &heavy, &weight, &id), TRV_OK);
    return body;
}

static void check_swings(float aside, float dt, float seconds)
{
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id body = add_rocker(world, aside);
    int turns = 0;
    float before = position_of(world, body).x, speed = 0.0f;
    for (float t = 0.0f; t < seconds; t += dt) {
        expect_result(trv_world_step(world, dt, 4), TRV_OK);
        float now = position_of(world, body).x, v = now - before;
        turns += v * speed < 0.0f;
        speed = v;
        before = now;
        assert_true(is_awake(world, body));
    }
    assert_true(turns >= 4);
    trv_world_destroy(world);
}

static void nothing_sleeps_at_the_turning_point_of_a_swing(void **state)
{
    (void)state;
    check_swings(0.1f, 1.0f / 60.0f, 20.0f);
    check_swings(0.05f, 1.0f / 60.0f, 20.0f);
    check_swings(0.03f, 1.0f / 30.0f, 20.0f);
    check_swings(0.03f, 1.0f / 60.0f, 40.0f);
    check_swings(0.03f, 1.0f / 240.0f, 20.0f);
}

// A plank with boxes on it, and one without friction that slides over it for ever.
static bool do_boxes_sleep_beside(int boxes, float speed)
{
    trv_world *world = make_world();
    trv_vec3 v = {speed, 0, 0}, o = {0, 0, 0};
    add_ground(world);
    add_dynamic(world, trv_make_vec3(0, 0.1f, 0), trv_make_box(trv_make_vec3(50, 0.1f, 1)));
    for (int i = 0; i < boxes; i++)
        add_dynamic(world, trv_make_vec3((float)i - 40.0f, 0.4f, 0), cube(0.2f));
    trv_body_id slider = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(45, 0.4f, 0));
    add_shape_of(world, slider, cube(0.2f), 0, 0);
    expect_result(trv_body_set_velocity(world, slider, v, o), TRV_OK);
    step_world(world, 180);
    bool sleeps = !is_awake(world, slider);
    trv_world_destroy(world);
    return sleeps;
}

// In a heap something always creeps, but what slides in earnest is not stopped by its company.
static void what_creeps_keeps_only_few_others_awake(void **state)
{
    (void)state;
    assert_false(do_boxes_sleep_beside(0, 0.002f));
    assert_false(do_boxes_sleep_beside(20, 0.002f));
    assert_true(do_boxes_sleep_beside(80, 0.002f));
    assert_false(do_boxes_sleep_beside(80, 0.008f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heap_sleeps_and_wakes_together),
        cmocka_unit_test(a_hit_wakes_the_heap),
        cmocka_unit_test(what_stood_on_a_destroyed_body_falls),
        cmocka_unit_test(what_stood_on_a_destroyed_shape_falls),
        cmocka_unit_test(a_teleported_support_wakes_its_load),
        cmocka_unit_test(a_moving_lift_keeps_its_load_awake),
        cmocka_unit_test(nothing_sleeps_at_the_apex_of_a_throw),
        cmocka_unit_test(sleeping_bodies_keep_their_bits),
        cmocka_unit_test(a_world_without_sleep_never_sleeps),
        cmocka_unit_test(a_body_that_never_sleeps_keeps_its_heap_awake),
        cmocka_unit_test(what_begins_to_slide_slowly_does_not_fall_asleep),
        cmocka_unit_test(what_begins_to_tip_over_slowly_does_not_fall_asleep),
        cmocka_unit_test(what_has_slid_to_a_stop_falls_asleep),
        cmocka_unit_test(what_begins_to_roll_slowly_does_not_fall_asleep),
        cmocka_unit_test(nothing_sleeps_at_the_turning_point_of_a_swing),
        cmocka_unit_test(what_creeps_keeps_only_few_others_awake),
        cmocka_unit_test(what_creeps_to_a_halt_falls_asleep_and_what_goes_on_evenly_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
