// Hits name who met: shapes, bodies, user values and the parts of compounds, also after a rollback and
// in a world that was read from a file.
#include "world_support.h"

// Above a wall that is thinner than the way of a step: two balls, 2 m apart, of which the second comes
// down on it.
static trv_world *make_fall(float speed, trv_body_id *wall, trv_body_id *body)
{
    trv_world *world = make_world();
    expect_result(trv_world_set_gravity(world, trv_make_vec3(0, 0, 0)), TRV_OK);
    *wall = add_body(world, TRV_BODY_STATIC, trv_make_vec3(1, 0, 0));
    trv_shape_def def = trv_default_shape_def();
    def.user = 3;
    add_shape_with(world, *wall, def, trv_make_box(trv_make_vec3(0.5f, 0.05f, 0.5f)));
    trv_compound_part parts[2] = {
        {ball(0.25f), trv_make_pose(trv_make_vec3(-1, 0, 0))},
        {ball(0.25f), trv_make_pose(trv_make_vec3(1, 0, 0))},
    };
    trv_compound_def compound_def = trv_default_compound_def();
    trv_compound *compound;
    expect_result(trv_compound_create(parts, 2, &compound_def, &compound), TRV_OK);
    *body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 1.0f, 0));
    def.user = 5;
    add_shape_with(world, *body, def, trv_make_compound(compound));
    trv_compound_release(compound);
    expect_result(trv_body_set_linear_velocity(world, *body, trv_make_vec3(0, -speed, 0)), TRV_OK);
    return world;
}

static void expect_blow(const trv_world *world, trv_body_id wall, trv_body_id body)
{
    trv_events events = trv_world_events(world);
    assert_int_equal(events.hit_count, 1);
    const trv_hit_event *hit = &events.hits[0];
    bool wall_is_a = same_body(hit->body_a, wall);
    assert_true(same_body(wall_is_a ? hit->body_b : hit->body_a, body));
    assert_true(same_body(wall_is_a ? hit->body_a : hit->body_b, wall));
    assert_int_equal(wall_is_a ? hit->user_a : hit->user_b, 3);
    assert_int_equal(wall_is_a ? hit->user_b : hit->user_a, 5);
    assert_int_equal(wall_is_a ? hit->part_a : hit->part_b, 0);
    assert_int_equal(wall_is_a ? hit->part_b : hit->part_a, 1);
    trv_body_id on;
    expect_result(trv_shape_body(world, hit->shape_a, &on), TRV_OK);
    assert_true(same_body(on, hit->body_a));
}

static void a_hit_names_bodies_and_parts_also_after_a_rollback_and_from_a_file(void **state)
{
    (void)state;
    const float speeds[] = {
        6, 400}; // it comes to rest on the wall; it would pass it within a sub-step
    for (int s = 0; s < 2; s++) {
        trv_body_id wall, body;
        trv_world *world = make_fall(speeds[s], &wall, &body), *other = make_world();
        for (int i = 0; i < 30 && trv_world_events(world).hit_count == 0; i++)
            step_world(world, 1);
        expect_blow(world, wall, body);

        size_t size, capacity = trv_world_save_size(world);
        void *save = malloc(capacity);
        expect_result(trv_world_save(world, save, capacity, &size), TRV_OK);
        step_world(world, 1);
        assert_int_equal(trv_world_events(world).hit_count, 0);
        expect_result(trv_world_restore(world, save, size), TRV_OK);
        expect_blow(world, wall, body);
        free(save);

        size_t length = trv_world_write_size(world);
        void *file = malloc(length);
        expect_result(trv_world_write(world, file, length, &length), TRV_OK);
        expect_result(trv_world_read(other, file, length), TRV_OK);
        trv_body_id read[2];
        uint32_t count;
        expect_result(trv_world_bodies(other, read, 2, &count), TRV_OK);
        assert_int_equal(count, 2);
        expect_blow(other, read[0], read[1]);
        free(file);
        trv_world_destroy(other);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_names_bodies_and_parts_also_after_a_rollback_and_from_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
