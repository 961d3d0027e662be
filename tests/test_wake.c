// Who wakes when: what a sleeping heap rests on, what touches it, and what is asked of it.
#include "world_support.h"

typedef struct heap {
    trv_world *world;
    trv_body_id support; // a static shelf
    trv_shape_id shelf;
    trv_body_id low, high;
    trv_shape_id low_shape;
    trv_body_id lift; // kinematic, at rest at the side
    trv_body_id lone; // asleep elsewhere
} heap;

static heap make_sleeping_heap(void)
{
    heap h;
    h.world = make_world();
    add_ground(h.world);
    h.support = add_body(h.world, TRV_BODY_STATIC, trv_make_vec3(0, 1, 0));
    h.shelf = add_shape(h.world, h.support, cube(0.5f));
    h.low = add_body(h.world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 2, 0));
    h.low_shape = add_shape(h.world, h.low, cube(0.5f));
    h.high = add_dynamic(h.world, trv_make_vec3(0, 3, 0), cube(0.5f));
    h.lift = add_body(h.world, TRV_BODY_KINEMATIC, trv_make_vec3(3, 2, 0));
    add_shape(h.world, h.lift, cube(0.5f));
    h.lone = add_dynamic(h.world, trv_make_vec3(40, 0.5f, 0), cube(0.5f));
    step_world(h.world, 150);
    assert_false(is_awake(h.world, h.low) || is_awake(h.world, h.high) ||
                 is_awake(h.world, h.lone));
    return h;
}

typedef trv_result cause_fn(heap *h);

static trv_result nothing(heap *h)
{
    (void)h;
    return TRV_OK;
}

static trv_result support_destroyed(heap *h)
{
    return trv_body_destroy(h->world, h->support);
}

static trv_result support_shape_destroyed(heap *h)
{
    return trv_shape_destroy(h->world, h->shelf);
}

static trv_result support_teleported_away(heap *h)
{
    return trv_body_set_pose(h->world, h->support, trv_make_pose(trv_make_vec3(9, 1, 9)));
}

static trv_result support_disabled(heap *h)
{
    return trv_body_set_enabled(h->world, h->support, false);
}

static trv_result support_becomes_dynamic(heap *h)
{
    return trv_body_set_kind(h->world, h->support, TRV_BODY_DYNAMIC);
}

static trv_result support_slippery(heap *h)
{
    trv_material material;
    trv_shape_material(h->world, h->shelf, &material);
    material.friction = 0.0f;
    return trv_shape_set_material(h->world, h->shelf, &material);
}

static trv_result support_filtered(heap *h)
{
    trv_filter filter = {2, 2, 0, 0};
    return trv_shape_set_filter(h->world, h->shelf, filter);
}

static trv_result support_smaller(heap *h)
{
    trv_shape solid = cube(0.3f);
    return trv_shape_set_solid(h->world, h->shelf, &solid);
}

static trv_result support_a_sensor(heap *h)
{
    return trv_shape_set_switch(h->world, h->shelf, TRV_SHAPE_SENSOR, true);
}

static trv_result neighbor_destroyed(heap *h)
{
    trv_result result = trv_body_destroy(h->world, h->high);
    h->high = h->low;
    return result;
}

static trv_result shape_added(heap *h)
{
    add_shape(h->world, h->high, ball(0.2f));
    return TRV_OK;
}

static trv_result impulse(heap *h)
{
    return trv_body_apply_impulse_to_center(h->world, h->high, trv_make_vec3(1, 0, 0));
}

static trv_result force(heap *h)
{
    return trv_body_apply_force_to_center(h->world, h->low, trv_make_vec3(1, 0, 0));
}

static trv_result torque(heap *h)
{
    return trv_body_apply_torque(h->world, h->low, trv_make_vec3(1, 0, 0));
}

static trv_result velocity(heap *h)
{
    return trv_body_set_linear_velocity(h->world, h->low, trv_make_vec3(0, 0, 0));
}

static trv_result damping(heap *h)
{
    return trv_body_set_damping(h->world, h->low, 1, 1);
}

static trv_result lift_arrives(heap *h)
{
    trv_result result = trv_body_set_linear_velocity(h->world, h->lift, trv_make_vec3(-20, 0, 0));
    step_world(h->world, 6); // 1 cm apart: within what is looked at
    return result;
}

static trv_result lift_teleported_into_touch(heap *h)
{
    return trv_body_set_pose(h->world, h->lift, trv_make_pose(trv_make_vec3(1, 2, 0)));
}

static trv_result wall_teleported_into_touch(heap *h)
{
    trv_body_id wall = add_body(h->world, TRV_BODY_STATIC, trv_make_vec3(9, 3, 0));
    add_shape(h->world, wall, cube(0.5f));
    step_world(h->world, 1);
    assert_false(is_awake(h->world, h->low));
    return trv_body_set_pose(h->world, wall, trv_make_pose(trv_make_vec3(0.9f, 3, 0)));
}

static trv_result wall_made_in_touch(heap *h)
{
    trv_body_id wall = add_body(h->world, TRV_BODY_STATIC, trv_make_vec3(0.9f, 2, 0));
    add_shape(h->world, wall, cube(0.5f));
    return TRV_OK;
}

static trv_result lone_teleported_into_touch(heap *h)
{
    return trv_body_set_pose(h->world, h->lone, trv_make_pose(trv_make_vec3(0, 4, 0)));
}

static trv_result dropped_upon(heap *h)
{
    add_dynamic(h->world, trv_make_vec3(0, 4.005f, 0), cube(0.5f));
    return TRV_OK;
}

static trv_result lone_woken(heap *h)
{
    return trv_body_set_awake(h->world, h->lone, true);
}

static trv_result gravity_changed(heap *h)
{
    return trv_world_set_gravity(h->world, trv_make_vec3(0, -9, 0));
}

static trv_result gravity_set_to_the_same(heap *h)
{
    return trv_world_set_gravity(h->world, trv_make_vec3(0, -9.81f, 0));
}

static trv_result sleep_switched_off(heap *h)
{
    trv_world_settings settings;
    trv_world_settings_get(h->world, &settings);
    settings.sleep = false;
    return trv_world_set_settings(h->world, &settings);
}

static trv_result far_wall_moved(heap *h)
{
    trv_body_id wall = add_body(h->world, TRV_BODY_STATIC, trv_make_vec3(20, 3, 0));
    add_shape(h->world, wall, cube(0.5f));
    return trv_body_set_pose(h->world, wall, trv_make_pose(trv_make_vec3(22, 3, 0)));
}

static trv_result origin_shifted(heap *h)
{
    return trv_world_shift_origin(h->world, trv_make_vec3(5, -1, 2));
}

static void each_cause_wakes_whom_it_should(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        cause_fn *cause;
        bool heap, lone; // are to be awake after the next step
    } cases[] = {
        {"nothing", nothing, false, false},
        {"support destroyed", support_destroyed, true, false},
        {"support's shape destroyed", support_shape_destroyed, true, false},
        {"support teleported away", support_teleported_away, true, false},
        {"support disabled", support_disabled, true, false},
        {"support becomes dynamic", support_becomes_dynamic, true, false},
        {"support slippery", support_slippery, true, false},
        {"support filtered", support_filtered, true, false},
        {"support smaller", support_smaller, true, false},
        {"support a sensor", support_a_sensor, true, false},
        {"neighbour destroyed", neighbor_destroyed, true, false},
        {"shape added", shape_added, true, false},
        {"impulse", impulse, true, false},
        {"force", force, true, false},
        {"torque", torque, true, false},
        {"velocity", velocity, true, false},
        {"damping", damping, true, false},
        {"lift arrives", lift_arrives, true, false},
        {"lift teleported into touch", lift_teleported_into_touch, true, false},
        {"wall teleported into touch", wall_teleported_into_touch, true, false},
        {"wall made in touch", wall_made_in_touch, true, false},
        {"lone teleported into touch", lone_teleported_into_touch, true, true},
        {"dropped upon", dropped_upon, true, false},
        {"lone woken", lone_woken, false, true},
        {"gravity changed", gravity_changed, true, true},
        {"gravity set to the same", gravity_set_to_the_same, false, false},
        {"sleep switched off", sleep_switched_off, true, true},
        {"far wall moved", far_wall_moved, false, false},
        {"origin shifted", origin_shifted, false, false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        heap h = make_sleeping_heap();
        expect_result(cases[c].cause(&h), TRV_OK);
        step_world(h.world, 1);
        bool right = is_awake(h.world, h.low) == cases[c].heap &&
                     is_awake(h.world, h.high) == cases[c].heap &&
                     is_awake(h.world, h.lone) == cases[c].lone;
        if (!right)
            fail_msg("%s: low %d, high %d, lone %d", cases[c].name, is_awake(h.world, h.low),
                     is_awake(h.world, h.high), is_awake(h.world, h.lone));
        trv_world_destroy(h.world);
    }
}

static void a_lift_that_starts_wakes_what_sleeps_on_it(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id lift = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, 0, 0));
    add_shape(world, lift, cube(0.5f));
    trv_body_id rider = add_dynamic(world, trv_make_vec3(0, 1, 0), cube(0.5f));
    step_world(world, 120);
    assert_false(is_awake(world, rider));
    expect_result(trv_body_set_linear_velocity(world, lift, trv_make_vec3(0, 0.01f, 0)), TRV_OK);
    step_world(world, 1);
    assert_true(is_awake(world, rider));
    trv_world_destroy(world);
}

static void a_level_that_is_made_asleep_stays_asleep(void **state)
{
    (void)state;
    for (int statics_last = 0; statics_last < 2; statics_last++) {
        trv_world *world = make_world();
        trv_body_id bodies[5];
        trv_body_def def = trv_default_body_def();
        if (!statics_last)
            add_ground(world);
        for (int i = 0; i < 5; i++) {
            def.kind = TRV_BODY_DYNAMIC;
            def.asleep = true;
            def.position = trv_make_vec3(0, 0.5f + (float)i, 0);
            expect_result(trv_body_create(world, &def, &bodies[i]), TRV_OK);
            add_shape(world, bodies[i], cube(0.5f));
        }
        if (statics_last)
            add_ground(world);
        step_world(world, 3);
        for (int i = 0; i < 5; i++)
            assert_false(is_awake(world, bodies[i]));
        uint32_t count;
        expect_result(trv_world_contacts(world, NULL, 0, &count), TRV_OK);
        assert_int_equal(count, 5); // they are known to touch all the same
        expect_result(trv_body_set_linear_velocity(world, bodies[4], trv_make_vec3(0, 0, 0)),
                      TRV_OK);
        step_world(world, 1);
        for (int i = 0; i < 5; i++)
            assert_int_equal(is_awake(world, bodies[i]), i >= 3); // each wakes the next
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cause_wakes_whom_it_should),
        cmocka_unit_test(a_lift_that_starts_wakes_what_sleeps_on_it),
        cmocka_unit_test(a_level_that_is_made_asleep_stays_asleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
