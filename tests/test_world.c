// The world as a whole: its life, its ids, what it refuses, and that equal calls give equal bits.
#include "world_support.h"

static void a_def_not_made_by_default_is_refused(void **state)
{
    (void)state;
    trv_world_def def;
    trv_world *world = (trv_world *)&def;
    memset(&def, 0, sizeof def);
    expect_result(trv_world_create(&def, &world), TRV_ERROR_DEF);
    assert_null(world);
    expect_result(trv_world_create(NULL, &world), TRV_ERROR_NULL);
    expect_result(trv_world_create(&def, NULL), TRV_ERROR_NULL);
    trv_world_destroy(NULL);
}

static void bad_numbers_in_a_world_def_are_refused(void **state)
{
    (void)state;
    trv_world_def good = trv_default_world_def();
    trv_world_def bad[6];
    const trv_result wanted[6] = {TRV_ERROR_NUMBER, TRV_ERROR_RANGE, TRV_ERROR_NUMBER,
                                  TRV_ERROR_RANGE,  TRV_ERROR_LIMIT, TRV_ERROR_RANGE};
    for (int i = 0; i < 6; i++)
        bad[i] = good;
    bad[0].gravity.y = NAN;
    bad[1].gravity.x = 1e30f;
    bad[2].push_speed = INFINITY;
    bad[3].sleep_time = -1.0f;
    bad[4].workers.count = 65;
    bad[5].max_bodies = 0;
    for (int i = 0; i < 6; i++) {
        trv_world *world;
        expect_result(trv_world_create(&bad[i], &world), wanted[i]);
        assert_null(world);
    }
}

static void bad_steps_are_refused(void **state)
{
    (void)state;
    trv_world *world = make_world();
    const float bad_dt[] = {0.0f, -1.0f, 1.5f};
    for (int i = 0; i < 3; i++)
        expect_result(trv_world_step(world, bad_dt[i], 4), TRV_ERROR_RANGE);
    expect_result(trv_world_step(world, NAN, 4), TRV_ERROR_NUMBER);
    expect_result(trv_world_step(world, INFINITY, 4), TRV_ERROR_NUMBER);
    expect_result(trv_world_step(world, 0.1f, 0), TRV_ERROR_RANGE);
    expect_result(trv_world_step(world, 0.1f, 65), TRV_ERROR_RANGE);
    expect_result(trv_world_step(NULL, 0.1f, 4), TRV_ERROR_NULL);
    expect_result(trv_world_step(world, 0.1f, 4), TRV_OK);
    trv_world_destroy(world);
}

static void an_id_outlives_its_body_safely(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 1, 0), ball(0.5f));
    trv_shape_id shape = add_shape(world, body, cube(0.5f));
    expect_result(trv_body_destroy(world, body), TRV_OK);
    trv_body_id reused = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
    assert_int_equal(reused.index1, body.index1);
    trv_pose pose;
    trv_vec3 v;
    trv_aabb box;
    trv_body_id owner;
    expect_result(trv_body_check(world, body), TRV_ERROR_STALE);
    expect_result(trv_body_destroy(world, body), TRV_ERROR_STALE);
    expect_result(trv_body_pose(world, body, &pose), TRV_ERROR_STALE);
    expect_result(trv_body_velocity(world, body, &v, &v), TRV_ERROR_STALE);
    expect_result(trv_body_set_velocity(world, body, v, v), TRV_ERROR_STALE);
    expect_result(trv_shape_destroy(world, shape), TRV_ERROR_STALE);
    expect_result(trv_shape_bounds(world, shape, &box), TRV_ERROR_STALE);
    expect_result(trv_shape_body(world, shape, &owner), TRV_ERROR_STALE);
    trv_body_id none = {0, 0, 0}, past = reused;
    past.index1 = 1000;
    expect_result(trv_body_check(world, none), TRV_ERROR_STALE);
    expect_result(trv_body_check(world, past), TRV_ERROR_STALE);
    trv_world_destroy(world);
}

static void an_id_of_another_world_is_refused(void **state)
{
    (void)state;
    trv_world_def def = trv_default_world_def();
    trv_world *one, *two;
    def.tag = 7;
    expect_result(trv_world_create(&def, &one), TRV_OK);
    def.tag = 8;
    expect_result(trv_world_create(&def, &two), TRV_OK);
    trv_body_id body = add_body(one, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
    assert_int_equal(body.world, 7);
    add_body(two, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
    expect_result(trv_body_check(one, body), TRV_OK);
    expect_result(trv_body_check(two, body), TRV_ERROR_FOREIGN);
    expect_result(trv_body_destroy(two, body), TRV_ERROR_FOREIGN);
    trv_world_destroy(one);
    trv_world_destroy(two);
}

static void limits_are_told_and_nothing_is_lost(void **state)
{
    (void)state;
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.max_bodies = 2;
    def.max_shapes = 1;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    trv_body_id a = add_dynamic(world, trv_make_vec3(0, 0, 0), ball(1.0f));
    trv_body_id b = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(9, 0, 0)), c;
    trv_body_def body = trv_default_body_def();
    expect_result(trv_body_create(world, &body, &c), TRV_ERROR_LIMIT);
    assert_int_equal(c.index1, 0);
    trv_shape_def shape_def = trv_default_shape_def();
    trv_shape shape = ball(1.0f);
    trv_shape_id id;
    expect_result(trv_shape_create(world, b, &shape_def, &shape, &id), TRV_ERROR_LIMIT);
    expect_result(trv_body_destroy(world, a), TRV_OK);
    step_world(world, 1); // the proxy's place is free again after the next step
    expect_result(trv_shape_create(world, b, &shape_def, &shape, &id), TRV_OK);
    trv_world_destroy(world);
}

typedef struct busy_probe {
    trv_world *world;
    trv_body_id body;
    uint32_t tried;
    uint32_t refused;
} busy_probe;

static void probing_parallel_for(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                                 void *context)
{
    busy_probe *probe = user;
    (void)grain;
    trv_vec3 v = {0, 0, 0};
    trv_body_def def = trv_default_body_def();
    trv_body_id id;
    probe->tried += 4;
    probe->refused += trv_body_set_velocity(probe->world, probe->body, v, v) == TRV_ERROR_BUSY;
    probe->refused += trv_body_destroy(probe->world, probe->body) == TRV_ERROR_BUSY;
    probe->refused += trv_body_create(probe->world, &def, &id) == TRV_ERROR_BUSY;
    probe->refused += trv_world_step(probe->world, 0.1f, 1) == TRV_ERROR_BUSY;
    fn(context, 0, items, 0);
}

static void a_stepping_world_refuses_changes(void **state)
{
    (void)state;
    busy_probe probe = {0};
    trv_world_def def = trv_default_world_def();
    def.workers = (trv_workers){&probe, 2, probing_parallel_for};
    expect_result(trv_world_create(&def, &probe.world), TRV_OK);
    add_ground(probe.world);
    for (int i = 0; i < 200; i++)
        probe.body = add_dynamic(probe.world, trv_make_vec3(3.0f * (float)i, 0.5f, 0), ball(0.5f));
    step_world(probe.world, 2);
    assert_true(probe.tried > 0);
    assert_int_equal(probe.tried, probe.refused);
    trv_world_destroy(probe.world);
}

// Deals ranges last to first and in odd sizes, to workers in turn.
static void odd_parallel_for(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                             void *context)
{
    (void)user;
    (void)grain;
    uint32_t worker = 0;
    for (uint32_t end = items; end > 0;) {
        uint32_t size = 1 + (end * 7u) % 13u;
        uint32_t first = end > size ? end - size : 0;
        fn(context, first, end, worker++ % 3);
        end = first;
    }
}

// Boxes, balls and capsules that tumble into one another.
static trv_world *make_mixed_world(trv_workers workers)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.workers = workers;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    add_ground(world);
    test_random random = {99};
    for (int i = 0; i < 36; i++) {
        trv_vec3 at = random_above(&random, 2, 1.0f + 0.4f * (float)i);
        trv_shape shapes[3] = {
            ball(0.3f), trv_make_box(trv_make_vec3(0.4f, 0.2f, 0.3f)),
            trv_make_capsule(trv_make_vec3(0, -0.3f, 0), trv_make_vec3(0, 0.3f, 0), 0.2f)};
        add_dynamic(world, at, shapes[i % 3]);
    }
    return world;
}

static void equal_calls_give_equal_hashes(void **state)
{
    (void)state;
    trv_workers alone = {NULL, 0, NULL};
    trv_world *one = make_mixed_world(alone), *two = make_mixed_world(alone);
    uint64_t start = trv_world_hash(one);
    for (int i = 0; i < 20; i++) {
        step_world(one, 5);
        step_world(two, 5);
        assert_true(trv_world_hash(one) == trv_world_hash(two));
    }
    assert_true(trv_world_hash(one) != start);
    trv_world_destroy(one);
    trv_world_destroy(two);
    assert_true(trv_world_hash(NULL) == 0);
}

static void the_way_work_is_dealt_changes_no_bit(void **state)
{
    (void)state;
    trv_workers alone = {NULL, 0, NULL}, odd = {NULL, 3, odd_parallel_for};
    trv_world *one = make_mixed_world(alone), *two = make_mixed_world(odd);
    for (int i = 0; i < 20; i++) {
        step_world(one, 7);
        step_world(two, 7);
        assert_true(trv_world_hash(one) == trv_world_hash(two));
    }
    trv_world_destroy(one);
    trv_world_destroy(two);
}

enum { HEAP = 12 };

static void a_heap_far_away_changes_no_bit_of_this_one(void **state)
{
    (void)state;
    trv_world *worlds[2] = {make_world(), make_world()};
    trv_body_id bodies[2][HEAP];
    for (int w = 0; w < 2; w++) {
        add_ground(worlds[w]);
        test_random random = {5};
        for (int i = 0; i < HEAP; i++)
            bodies[w][i] = add_dynamic(
                worlds[w], trv_make_vec3(random_float(&random, -1, 1), 0.6f + (float)i, 0),
                cube(0.5f));
    }
    for (int i = 0; i < 8; i++)
        add_dynamic(worlds[1], trv_make_vec3(500.0f, 0.6f + (float)i, 0.1f * (float)i), cube(0.5f));
    for (int s = 0; s < 80; s++) {
        step_world(worlds[0], 1);
        step_world(worlds[1], 1);
        for (int i = 0; i < HEAP; i++) {
            trv_pose a, b;
            expect_result(trv_body_pose(worlds[0], bodies[0][i], &a), TRV_OK);
            expect_result(trv_body_pose(worlds[1], bodies[1][i], &b), TRV_OK);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    trv_world_destroy(worlds[0]);
    trv_world_destroy(worlds[1]);
}

static void queries_of_a_null_world_say_so(void **state)
{
    (void)state;
    trv_world_counters counters;
    uint32_t count = 9;
    expect_result(trv_world_counters_get(NULL, &counters), TRV_ERROR_NULL);
    expect_result(trv_world_contacts(NULL, NULL, 0, &count), TRV_ERROR_NULL);
    assert_int_equal(count, 0);
    trv_events events = trv_world_events(NULL);
    assert_int_equal(events.begin_count + events.end_count + events.hit_count, 0);
    trv_body_id id = {1, 1, 1};
    expect_result(trv_body_check(NULL, id), TRV_ERROR_NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_def_not_made_by_default_is_refused),
        cmocka_unit_test(bad_numbers_in_a_world_def_are_refused),
        cmocka_unit_test(bad_steps_are_refused),
        cmocka_unit_test(an_id_outlives_its_body_safely),
        cmocka_unit_test(an_id_of_another_world_is_refused),
        cmocka_unit_test(limits_are_told_and_nothing_is_lost),
        cmocka_unit_test(a_stepping_world_refuses_changes),
        cmocka_unit_test(equal_calls_give_equal_hashes),
        cmocka_unit_test(the_way_work_is_dealt_changes_no_bit),
        cmocka_unit_test(a_heap_far_away_changes_no_bit_of_this_one),
        cmocka_unit_test(queries_of_a_null_world_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
