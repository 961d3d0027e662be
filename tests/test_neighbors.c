// What bodies, shapes and sensors tell of what is about them: their boxes, their contacts, and who is in.
#include "world_support.h"

static void the_box_of_a_body_is_that_of_all_its_shapes(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(10, 20, 30));
    trv_aabb box;
    expect_result(trv_body_bounds(world, body, &box), TRV_OK);
    assert_memory_equal(&box.lower, (&(trv_vec3){10, 20, 30}), sizeof box.lower);
    assert_memory_equal(&box.upper, &box.lower, sizeof box.lower);
    add_shape(world, body, trv_make_sphere(trv_make_vec3(-3, 0, 0), 1));
    add_shape(world, body, trv_make_sphere(trv_make_vec3(5, 2, 0), 0.5f));
    expect_result(trv_body_bounds(world, body, &box), TRV_OK);
    const trv_aabb wanted = {{6, 19, 29}, {15.5f, 22.5f, 31}};
    expect_near(trvi_length(trvi_sub(box.lower, wanted.lower)), 0, 1e-5);
    expect_near(trvi_length(trvi_sub(box.upper, wanted.upper)), 0, 1e-5);
    trv_world_destroy(world);
}

static void each_shape_of_a_body_has_contacts_of_its_own(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id ground = add_ground(world),
                table = add_body(world, TRV_BODY_DYNAMIC, (trv_vec3){0});
    trv_shape_id legs[3], floor;
    uint32_t count;
    for (int i = 0; i < 3; i++) { // the last one does not reach the ground
        trv_obb leg = {{(float)i - 1.0f, i < 2 ? 0.5f : 0.6f, 0}, {0.1f, 0.5f, 0.5f}, {0, 0, 0, 1}};
        legs[i] = add_shape(world, table, trv_make_placed_box(leg));
    }
    expect_result(trv_body_shapes(world, ground, &floor, 1, &count), TRV_OK);
    step_world(world, 1);
    trv_contact contacts[4];
    for (int i = 0; i < 3; i++) {
        expect_result(trv_shape_contacts(world, legs[i], contacts, 4, &count), TRV_OK);
        assert_int_equal(count, i < 2);
        if (count > 0)
            assert_true(same_shape(contacts[0].shape_a, legs[i]) ||
                        same_shape(contacts[0].shape_b, legs[i]));
    }
    expect_result(trv_body_contacts(world, table, contacts, 4, &count), TRV_OK);
    assert_int_equal(count, 2);
    expect_result(trv_shape_contacts(world, floor, contacts, 1, &count), TRV_OK);
    assert_int_equal(count, 2); // one of them is given
    assert_true(same_shape(contacts[0].shape_a, floor) || same_shape(contacts[0].shape_b, floor));
    trv_world_destroy(world);
}

// A gate at the origin, on a body with a wall beside it, and two balls that fly through the gate.
typedef struct gate {
    trv_world *world;
    trv_shape_id sensor;
    trv_shape_id balls[2];
    trv_body_id bodies[2];
} gate;

static gate make_gate(void)
{
    gate g = {.world = make_world()};
    expect_result(trv_world_set_gravity(g.world, trv_make_vec3(0, 0, 0)), TRV_OK);
    trv_body_id post = add_body(g.world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    trv_shape_def def = trv_default_shape_def();
    def.sensor = true;
    g.sensor = add_shape_with(g.world, post, def, cube(1));
    add_shape(g.world, post, trv_make_sphere(trv_make_vec3(0, 1.5f, 0), 0.5f));
    for (int i = 0; i < 2; i++) {
        g.bodies[i] = add_body(g.world, TRV_BODY_DYNAMIC,
                               trv_make_vec3(-2.0f - (float)i, 0.0f, 0.4f - 0.8f * (float)i));
        trv_shape_def ball_def = trv_default_shape_def();
        ball_def.user = 40 + (uint64_t)i;
        g.balls[i] = add_shape_with(g.world, g.bodies[i], ball_def, ball(0.25f));
        expect_result(trv_body_set_linear_velocity(g.world, g.bodies[i], trv_make_vec3(6, 0, 0)),
                      TRV_OK);
    }
    return g;
}

static bool is_visitor(const gate *g, const trv_world *world, trv_shape_id sensor, int ball)
{
    trv_world_found found[3];
    uint32_t count;
    expect_result(trv_sensor_visitors(world, sensor, found, 3, &count), TRV_OK);
    assert_true(count <= 2);
    for (uint32_t i = 0; i < count; i++)
        if (found[i].user == 40 + (uint64_t)ball) {
            assert_int_equal(found[i].shape.index1, g->balls[ball].index1);
            assert_int_equal(found[i].body.index1, g->bodies[ball].index1);
            return true;
        }
    return false;
}

static void who_is_in_a_sensor_is_who_came_and_has_not_gone(void **state)
{
    (void)state;
    gate g = make_gate();
    bool in[2] = {false, false};
    uint32_t both = 0, events = 0;
    for (int i = 0; i < 90; i++) {
        step_world(g.world, 1);
        trv_events e = trv_world_events(g.world);
        for (uint32_t k = 0; k < e.sensor_begin_count; k++)
            in[e.sensor_begins[k].visitor_user - 40] = true;
        for (uint32_t k = 0; k < e.sensor_end_count; k++)
            in[e.sensor_ends[k].visitor_user - 40] = false;
        events += e.sensor_begin_count + e.sensor_end_count;
        for (int b = 0; b < 2; b++)
            assert_int_equal(is_visitor(&g, g.world, g.sensor, b), in[b]);
        both += in[0] && in[1];
    }
    assert_int_equal(events, 4);
    assert_true(both > 0);
    trv_world_destroy(g.world);
}

static void visitors_are_known_after_a_rollback_and_from_a_file(void **state)
{
    (void)state;
    gate g = make_gate();
    trv_world *other = make_world();
    for (int i = 0; i < 60 && !is_visitor(&g, g.world, g.sensor, 1); i++)
        step_world(g.world, 1);
    assert_true(is_visitor(&g, g.world, g.sensor, 0));
    size_t size, capacity = trv_world_save_size(g.world), length = trv_world_write_size(g.world);
    void *save = malloc(capacity), *file = malloc(length);
    expect_result(trv_world_save(g.world, save, capacity, &size), TRV_OK);
    expect_result(trv_world_write(g.world, file, length, &length), TRV_OK);
    step_world(g.world, 60);
    assert_false(is_visitor(&g, g.world, g.sensor, 0) || is_visitor(&g, g.world, g.sensor, 1));
    expect_result(trv_world_restore(g.world, save, size), TRV_OK);
    assert_true(is_visitor(&g, g.world, g.sensor, 0) && is_visitor(&g, g.world, g.sensor, 1));
    expect_result(trv_world_read(other, file, length), TRV_OK);
    trv_body_id post;
    trv_shape_id sensor;
    uint32_t count;
    expect_result(trv_world_bodies(other, &post, 1, &count), TRV_OK);
    expect_result(trv_body_shapes(other, post, &sensor, 1, &count), TRV_OK);
    assert_true(is_visitor(&g, other, sensor, 0) && is_visitor(&g, other, sensor, 1));
    expect_result(trv_body_destroy(g.world, g.bodies[0]), TRV_OK);
    assert_false(is_visitor(&g, g.world, g.sensor, 0));
    free(save);
    free(file);
    trv_world_destroy(other);
    trv_world_destroy(g.world);
}

static void only_sensors_have_visitors_and_two_that_see_sensors_visit_one_another(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_shape_id sensors[2];
    trv_world_found found[2];
    uint32_t count;
    for (int i = 0; i < 2; i++) {
        trv_body_id body = add_body(world, TRV_BODY_STATIC, trv_make_vec3((float)i, 0, 0));
        trv_shape_def def = trv_default_shape_def();
        def.sensor = true;
        def.sees_sensors = i == 0;
        sensors[i] = add_shape_with(world, body, def, cube(1));
    }
    step_world(world, 1);
    for (int i = 0; i < 2; i++) {
        expect_result(trv_sensor_visitors(world, sensors[i], found, 2, &count), TRV_OK);
        assert_int_equal(count, i == 0);
    }
    expect_result(trv_shape_set_switch(world, sensors[1], TRV_SHAPE_SEES_SENSORS, true), TRV_OK);
    step_world(world, 1);
    for (int i = 0; i < 2; i++) {
        expect_result(trv_sensor_visitors(world, sensors[i], found, 2, &count), TRV_OK);
        assert_int_equal(count, 1);
        assert_true(same_shape(found[0].shape, sensors[1 - i]));
    }
    trv_shape_id solid = add_shape(world, add_ground(world), cube(1));
    expect_result(trv_sensor_visitors(world, solid, found, 2, &count), TRV_ERROR_KIND);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_box_of_a_body_is_that_of_all_its_shapes),
        cmocka_unit_test(each_shape_of_a_body_has_contacts_of_its_own),
        cmocka_unit_test(who_is_in_a_sensor_is_who_came_and_has_not_gone),
        cmocka_unit_test(visitors_are_known_after_a_rollback_and_from_a_file),
        cmocka_unit_test(only_sensors_have_visitors_and_two_that_see_sensors_visit_one_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
