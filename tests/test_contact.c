// Contacts and their events: begins and ends pair up, hits are told, filters are kept.
#include "world_support.h"

static void touching_begins_once_and_ends_once(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 1, 0));
    trv_shape_id shape = add_shape(world, body, ball(0.5f));
    uint32_t begins = 0, ends = 0;
    for (int i = 0; i < 120; i++) {
        step_world(world, 1);
        trv_events events = trv_world_events(world);
        begins += events.begin_count;
        ends += events.end_count;
        if (events.begin_count > 0)
            assert_true(same_shape(events.begins[0].shape_b, shape) ||
                        same_shape(events.begins[0].shape_a, shape));
    }
    assert_int_equal(begins, 1);
    assert_int_equal(ends, 0);
    trv_vec3 up = {0, 5, 0}, o = {0, 0, 0};
    expect_result(trv_body_set_velocity(world, body, up, o), TRV_OK);
    for (int i = 0; i < 10; i++) {
        step_world(world, 1);
        ends += trv_world_events(world).end_count;
    }
    assert_int_equal(ends, 1);
    trv_world_destroy(world);
}

static void destroying_a_touching_body_ends_the_touch_in_the_next_step(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_def def = trv_default_body_def();
    trv_shape_def shape_def = trv_default_shape_def();
    trv_shape box = cube(0.5f);
    trv_body_id body;
    trv_shape_id shape;
    def.kind = TRV_BODY_DYNAMIC;
    def.position = trv_make_vec3(0, 0.5f, 0);
    shape_def.user = 42;
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    expect_result(trv_shape_create(world, body, &shape_def, &box, &shape), TRV_OK);
    step_world(world, 10);
    expect_result(trv_body_destroy(world, body), TRV_OK);
    assert_int_equal(trv_world_events(world).end_count, 0);
    step_world(world, 1);
    trv_events events = trv_world_events(world);
    assert_int_equal(events.end_count, 1);
    bool is_b = same_shape(events.ends[0].shape_b, shape);
    assert_true(is_b || same_shape(events.ends[0].shape_a, shape));
    assert_int_equal(is_b ? events.ends[0].user_b : events.ends[0].user_a, 42);
    step_world(world, 1);
    assert_int_equal(trv_world_events(world).end_count, 0);
    trv_world_destroy(world);
}

static void begins_and_ends_pair_up_in_a_long_brawl(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    test_random random = {3};
    trv_body_id bodies[60];
    for (int i = 0; i < 60; i++)
        bodies[i] = add_dynamic(world, random_above(&random, 2, 0.5f + 0.2f * (float)i),
                                i % 2 ? cube(0.3f) : ball(0.3f));
    int64_t open = 0;
    for (int step = 0; step < 400; step++) {
        int which = (int)(random_bits(&random) % 60);
        trv_vec3 v = random_vec3(&random, 6.0f), o = {0, 0, 0};
        if (step % 5 == 0)
            expect_result(trv_body_set_velocity(world, bodies[which], v, o), TRV_OK);
        if (step % 7 == 0)
            expect_result(
                trv_body_set_pose(world, bodies[which], trv_make_pose(trv_make_vec3(v.x, 4, v.z))),
                TRV_OK);
        if (step % 11 == 0) {
            expect_result(trv_body_destroy(world, bodies[which]), TRV_OK);
            bodies[which] = add_dynamic(world, trv_make_vec3(v.x, 5, v.z), cube(0.3f));
        }
        step_world(world, 1);
        trv_events events = trv_world_events(world);
        open += events.begin_count;
        open -= events.end_count;
        uint32_t touching;
        expect_result(trv_world_contacts(world, NULL, 0, &touching), TRV_OK);
        assert_int_equal(open, touching);
    }
    assert_true(open > 0);
    trv_world_destroy(world);
}

static void a_hit_tells_its_speed(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    add_dynamic(world, trv_make_vec3(0, 5.5f, 0), ball(0.5f));
    uint32_t hits = 0;
    for (int i = 0; i < 120; i++) {
        step_world(world, 1);
        trv_events events = trv_world_events(world);
        hits += events.hit_count;
        if (events.hit_count == 0)
            continue;
        expect_near(events.hits[0].speed, sqrt(2.0 * 9.81 * 5.0), 0.5);
        expect_near(fabsf(events.hits[0].normal.y), 1.0, 1e-5);
        assert_true(events.hits[0].impulse > 0.0f);
    }
    assert_int_equal(hits, 1);
    trv_world_destroy(world);
}

static void filtered_shapes_pass_through(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id ghost = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 2, 0));
    trv_shape_def def = trv_default_shape_def();
    trv_shape shape = ball(0.5f);
    trv_shape_id id;
    def.filter.mask = 0;
    expect_result(trv_shape_create(world, ghost, &def, &shape, &id), TRV_OK);
    step_world(world, 90);
    assert_true(position_of(world, ghost).y < -2.0f);
    trv_world_destroy(world);
}

static void shapes_of_one_body_never_touch_each_other(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 2, 0));
    for (int i = 0; i < 3; i++)
        add_shape(world, body, trv_make_sphere(trv_make_vec3(0.3f * (float)i, 0, 0), 0.5f));
    step_world(world, 10);
    assert_int_equal(counters_of(world).pairs, 0);
    trv_world_destroy(world);
}

static void contacts_of_a_resting_box_carry_its_weight(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
    step_world(world, 120);
    trv_contact contact;
    uint32_t count;
    expect_result(trv_world_contacts(world, &contact, 1, &count), TRV_OK);
    assert_int_equal(count, 1);
    assert_int_equal(contact.manifold.count, 4);
    // 1000 kg at 9.81 m/s^2 for a sub-step of 1/240 s.
    expect_near(contact.impulse, 9810.0 / 240.0, 0.5);
    assert_true(contact.body_a.index1 == box.index1 || contact.body_b.index1 == box.index1);
    trv_world_destroy(world);
}

// Float32 tells places on such a ground, in its own frame, by some hundredths of a millimetre.
static void crates_rest_far_from_the_middle_of_a_turned_ground(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 12; i++) {
        const float turn = random_float(&random, -3, 3), side = random_float(&random, 40, 60);
        const trv_quat yaw = trv_quat_about(trv_make_vec3(0, 1, 0), turn);
        trv_world *world = make_world();
        trv_body_def def = trv_default_body_def();
        def.kind = TRV_BODY_STATIC;
        def.position = trv_make_vec3(i % 2 ? side : -side, -1, -side);
        def.rotation = yaw;
        trv_body_id ground, crate;
        expect_result(trv_body_create(world, &def, &ground), TRV_OK);
        add_shape(world, ground, trv_make_box(trv_make_vec3(100, 1, 100)));
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trv_make_vec3(0, 0.061f, 0);
        expect_result(trv_body_create(world, &def, &crate), TRV_OK);
        add_shape(world, crate, trv_make_box(trv_make_vec3(0.1f, 0.06f, 0.1f)));
        for (int s = 0; s < 240 * 2; s++)
            expect_result(trv_world_step(world, 1.0f / 240.0f, 4), TRV_OK);
        trv_vec3 at = position_of(world, crate);
        expect_near(trvi_length(trv_make_vec3(at.x, 0, at.z)), 0, 1e-4f);
        assert_false(is_awake(world, crate));
        trv_world_destroy(world);
    }
}

static void the_remembered_plane_answers_bodies_that_stay_near_each_other(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    for (int i = 0; i < 10; i++)
        add_dynamic(world, trv_make_vec3(1.05f * (float)i, 0.5f, 0), cube(0.5f));
    uint64_t apart = 0, remembered = 0;
    for (int i = 0; i < 30; i++) {
        step_world(world, 1);
        trv_world_counters counters = counters_of(world);
        apart += counters.apart;
        remembered += counters.apart_remembered;
    }
    assert_true(apart > 200);
    assert_true(10 * remembered >= 9 * apart);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_begins_once_and_ends_once),
        cmocka_unit_test(destroying_a_touching_body_ends_the_touch_in_the_next_step),
        cmocka_unit_test(begins_and_ends_pair_up_in_a_long_brawl),
        cmocka_unit_test(a_hit_tells_its_speed),
        cmocka_unit_test(filtered_shapes_pass_through),
        cmocka_unit_test(shapes_of_one_body_never_touch_each_other),
        cmocka_unit_test(contacts_of_a_resting_box_carry_its_weight),
        cmocka_unit_test(crates_rest_far_from_the_middle_of_a_turned_ground),
        cmocka_unit_test(the_remembered_plane_answers_bodies_that_stay_near_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
