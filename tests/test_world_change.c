// Changing a world that lives: gravity, settings, and where its origin is.
#include "world_support.h"

static void gravity_and_settings_come_back(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_vec3 g = {1, 2, 3}, got;
    expect_result(trv_world_set_gravity(world, g), TRV_OK);
    expect_result(trv_world_gravity(world, &got), TRV_OK);
    assert_memory_equal(&g, &got, sizeof g);
    trv_world_settings settings, back;
    expect_result(trv_world_settings_get(world, &settings), TRV_OK);
    expect_near(settings.hit_threshold, 1, 0);
    settings.hit_threshold = 3;
    settings.restitution_threshold = 0.1f;
    settings.push_speed = 5;
    settings.sleep_time = 2;
    settings.sleep = false;
    expect_result(trv_world_set_settings(world, &settings), TRV_OK);
    expect_result(trv_world_settings_get(world, &back), TRV_OK);
    expect_near(back.hit_threshold + back.restitution_threshold, 3.1, 1e-6);
    expect_near(back.push_speed + back.sleep_time, 7, 0);
    assert_false(back.sleep);
    settings.sleep_time = -1;
    settings.hit_threshold = 9;
    expect_result(trv_world_set_settings(world, &settings), TRV_ERROR_RANGE);
    settings.sleep_time = NAN;
    expect_result(trv_world_set_settings(world, &settings), TRV_ERROR_NUMBER);
    expect_result(trv_world_settings_get(world, &back), TRV_OK);
    expect_near(back.hit_threshold, 3, 0);
    g.y = NAN;
    expect_result(trv_world_set_gravity(world, g), TRV_ERROR_NUMBER);
    expect_result(trv_world_set_gravity(NULL, got), TRV_ERROR_NULL);
    expect_result(trv_world_set_settings(world, NULL), TRV_ERROR_NULL);
    trv_world_destroy(world);
}

enum { HEAP = 24 };

static trv_world *make_heap(trv_body_id bodies[HEAP], trv_vec3 at)
{
    trv_world *world = make_world();
    trv_body_id floor = add_body(world, TRV_BODY_STATIC, at);
    add_shape(world, floor, trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0)));
    test_random random = {11};
    for (int i = 0; i < HEAP; i++) {
        trv_vec3 p = {at.x + random_float(&random, -1, 1), at.y + 0.6f + 0.5f * (float)i,
                      at.z + random_float(&random, -1, 1)};
        bodies[i] = add_dynamic(world, p, cube(i % 3 ? 0.4f : 0.3f));
    }
    return world;
}

static void a_shift_by_nothing_changes_no_bit_of_what_follows(void **state)
{
    (void)state;
    trv_body_id one[HEAP], two[HEAP];
    trv_world *still = make_heap(one, trv_make_vec3(0, 0, 0));
    trv_world *shifted = make_heap(two, trv_make_vec3(0, 0, 0));
    trv_vec3 zero = {0, 0, 0};
    for (int s = 0; s < 240; s++) {
        step_world(still, 1);
        step_world(shifted, 1);
        uint64_t before = trv_world_hash(shifted);
        expect_result(trv_world_shift_origin(shifted, zero), TRV_OK);
        assert_true(trv_world_hash(shifted) == before);
    }
    assert_true(trv_world_hash(still) == trv_world_hash(shifted));
    trv_world_destroy(still);
    trv_world_destroy(shifted);
}

static void a_shift_moves_places_and_nothing_else(void **state)
{
    (void)state;
    trv_body_id bodies[HEAP], others[HEAP];
    trv_world *world = make_heap(bodies, trv_make_vec3(0, 0, 0));
    trv_world *still = make_heap(others, trv_make_vec3(0, 0, 0));
    step_world(world, 150);
    step_world(still, 150);
    trv_vec3 before[HEAP], origin = {1024, -512, 2048};
    bool awake[HEAP];
    for (int i = 0; i < HEAP; i++) {
        before[i] = position_of(world, bodies[i]);
        awake[i] = is_awake(world, bodies[i]);
    }
    uint32_t contacts, after;
    expect_result(trv_world_contacts(world, NULL, 0, &contacts), TRV_OK);
    assert_true(contacts > 20);
    expect_result(trv_world_shift_origin(world, origin), TRV_OK);
    expect_result(trv_world_contacts(world, NULL, 0, &after), TRV_OK);
    assert_int_equal(after, contacts);
    for (int i = 0; i < HEAP; i++) {
        trv_vec3 now = position_of(world, bodies[i]);
        expect_near(now.x, before[i].x - origin.x, 0);
        expect_near(now.y, before[i].y - origin.y, 0);
        assert_int_equal(is_awake(world, bodies[i]), awake[i]);
    }
    trv_ray ray = {{before[0].x - origin.x, before[0].y + 100 - origin.y, before[0].z - origin.z},
                   {0, -200, 0}};
    trv_shape_id shape;
    trv_ray_hit hit;
    expect_result(trv_world_cast_ray(world, ray, trv_default_filter(), &shape, &hit), TRV_OK);
    assert_true(hit.hit);
    step_world(world, 1);
    step_world(still, 1);
    trv_events events = trv_world_events(world), others_events = trv_world_events(still);
    assert_int_equal(events.begin_count, others_events.begin_count);
    assert_int_equal(events.end_count, others_events.end_count);
    step_world(world, 240);
    for (int i = 0; i < HEAP; i++)
        assert_false(is_awake(world, bodies[i])); // it comes to rest there as well
    trv_world_destroy(world);
    trv_world_destroy(still);
}

// What leans on others there is pushed by how its place is rounded, a hair in each step.
static void a_heap_far_from_the_origin_does_not_creep(void **state)
{
    (void)state;
    trv_body_id bodies[HEAP];
    trv_world *world = make_heap(bodies, trv_make_vec3(0, 0, 0));
    for (int i = 0; i < HEAP; i++)
        expect_result(trv_body_set_never_sleeps(world, bodies[i], true), TRV_OK);
    step_world(world, 150);
    expect_result(trv_world_shift_origin(world, trv_make_vec3(2048, -1024, 4096)), TRV_OK);
    step_world(world, 480);
    trv_vec3 before[HEAP];
    for (int i = 0; i < HEAP; i++)
        before[i] = position_of(world, bodies[i]);
    step_world(world, 240);
    for (int i = 0; i < HEAP; i++) {
        trv_vec3 now = position_of(world, bodies[i]);
        expect_near(now.x, before[i].x, 0.001);
        expect_near(now.y, before[i].y, 0.001);
        expect_near(now.z, before[i].z, 0.001);
    }
    trv_world_destroy(world);
}

static void a_sleeping_world_sleeps_on_through_a_shift(void **state)
{
    (void)state;
    trv_body_id bodies[HEAP];
    trv_world *world = make_heap(bodies, trv_make_vec3(0, 0, 0));
    step_world(world, 600);
    expect_result(trv_world_shift_origin(world, trv_make_vec3(0.37f, -12.1f, 3)), TRV_OK);
    for (int s = 0; s < 5; s++) {
        step_world(world, 1);
        trv_events events = trv_world_events(world);
        assert_int_equal(events.begin_count + events.end_count + events.wake_count, 0);
    }
    for (int i = 0; i < HEAP; i++)
        assert_false(is_awake(world, bodies[i]));
    trv_world_destroy(world);
}

static void a_shift_beyond_the_range_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    trv_body_id bodies[HEAP];
    trv_world *world = make_heap(bodies, trv_make_vec3(1000, 0, 0));
    uint64_t before = trv_world_hash(world);
    expect_result(trv_world_shift_origin(world, trv_make_vec3(-1e8f, 0, 0)), TRV_ERROR_RANGE);
    expect_result(trv_world_shift_origin(world, trv_make_vec3(NAN, 0, 0)), TRV_ERROR_NUMBER);
    expect_result(trv_world_shift_origin(NULL, trv_make_vec3(0, 0, 0)), TRV_ERROR_NULL);
    assert_true(trv_world_hash(world) == before);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gravity_and_settings_come_back),
        cmocka_unit_test(a_shift_by_nothing_changes_no_bit_of_what_follows),
        cmocka_unit_test(a_shift_moves_places_and_nothing_else),
        cmocka_unit_test(a_heap_far_from_the_origin_does_not_creep),
        cmocka_unit_test(a_sleeping_world_sleeps_on_through_a_shift),
        cmocka_unit_test(a_shift_beyond_the_range_is_refused_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
