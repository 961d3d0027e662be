// What bodies are told of motion: velocities, pushes, targets, locks, mass, kind.
#include "world_support.h"

static trv_world *make_space(void)
{
    trv_world *world = make_world();
    expect_result(trv_world_set_gravity(world, trv_make_vec3(0, 0, 0)), TRV_OK);
    return world;
}

static trv_vec3 spin_of(trv_world *world, trv_body_id body)
{
    trv_vec3 angular;
    expect_result(trv_body_angular_velocity(world, body, &angular), TRV_OK);
    return angular;
}

static void velocities_are_set_together_and_one_by_one(void **state)
{
    (void)state;
    trv_world *world = make_space();
    trv_body_id body = add_dynamic(world, trv_make_vec3(1, 0, 0), cube(0.5f));
    trv_vec3 v = {1, 2, 3}, w = {0, 0, 2}, at;
    expect_result(trv_body_set_linear_velocity(world, body, v), TRV_OK);
    expect_result(trv_body_set_angular_velocity(world, body, w), TRV_OK);
    expect_near(velocity_of(world, body).z, 3, 0);
    expect_near(spin_of(world, body).z, 2, 0);
    // w x r = (0, 0, 2) x (0, 1, 0) = (-2, 0, 0)
    expect_result(trv_body_velocity_at(world, body, trv_make_vec3(1, 1, 0), &at), TRV_OK);
    expect_near(at.x, -1, 1e-6);
    expect_near(at.y, 2, 1e-6);
    expect_result(trv_body_set_velocity(world, body, w, v), TRV_OK);
    trv_vec3 linear;
    expect_result(trv_body_linear_velocity(world, body, &linear), TRV_OK);
    expect_near(linear.z, 2, 0);
    expect_near(spin_of(world, body).y, 2, 0);
    trv_world_destroy(world);
}

static void pushes_at_the_centre_and_off_it_agree(void **state)
{
    (void)state;
    trv_world *world = make_space();
    trv_body_id one = add_dynamic(world, trv_make_vec3(0, 0, 0), cube(0.5f)); // 1000 kg
    trv_body_id two = add_dynamic(world, trv_make_vec3(9, 0, 0), cube(0.5f));
    trv_vec3 j = {1000, 0, 0}, turn = {0, 0, -500}, point = {0, 0.5f, 0};
    expect_result(trv_body_apply_impulse(world, one, j, point), TRV_OK);
    expect_result(trv_body_apply_impulse_to_center(world, two, j), TRV_OK);
    expect_result(trv_body_apply_angular_impulse(world, two, turn), TRV_OK);
    expect_near(velocity_of(world, one).x, velocity_of(world, two).x, 0);
    expect_near(spin_of(world, one).z, spin_of(world, two).z, 1e-6);
    expect_near(spin_of(world, one).z, -3, 1e-5);
    trv_vec3 o = {0, 0, 0}, force = {0, 60000, 0}, torque = {0, 10000, 0};
    expect_result(trv_body_set_velocity(world, one, o, o), TRV_OK);
    expect_result(trv_body_apply_force_to_center(world, one, force), TRV_OK);
    expect_result(trv_body_apply_torque(world, one, torque), TRV_OK);
    step_world(world, 1);
    expect_near(velocity_of(world, one).y, 1, 1e-5);
    expect_near(spin_of(world, one).y, 1, 1e-5); // 10000 / (1000 / 6) / 60
    trv_world_destroy(world);
}

static void a_kinematic_body_arrives_where_it_is_sent(void **state)
{
    (void)state;
    trv_world *world = make_space();
    trv_body_id body = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, 0, 0));
    add_shape(world, body, cube(0.5f));
    test_random random = {8};
    const float dt = 1.0f / 60.0f;
    for (int i = 0; i < 300; i++) {
        trv_pose target = {random_vec3(&random, 3.0f), random_quat(&random)}, got;
        if (i % 3 == 0) { // small turns too, and none
            trv_pose now;
            expect_result(trv_body_pose(world, body, &now), TRV_OK);
            trv_quat little = trv_quat_about(random_vec3(&random, 1), i % 2 ? 1e-4f : 0.0f);
            target.rotation = trv_quat_multiply(little, now.rotation);
        }
        expect_result(trv_body_move_to(world, body, target, dt), TRV_OK);
        expect_result(trv_world_step(world, dt, 1 + (uint32_t)i % 8), TRV_OK);
        expect_result(trv_body_pose(world, body, &got), TRV_OK);
        expect_near(got.position.x, target.position.x, 2e-6);
        expect_near(got.position.y, target.position.y, 2e-6);
        expect_near(got.position.z, target.position.z, 2e-6);
        trv_quat q = got.rotation, t = target.rotation;
        expect_near(fabsf(q.x * t.x + q.y * t.y + q.z * t.z + q.w * t.w), 1, 1e-6);
    }
    trv_body_id dynamic = add_dynamic(world, trv_make_vec3(9, 0, 0), ball(1));
    trv_pose far = trv_make_pose(trv_make_vec3(9e7f, 0, 0));
    expect_result(trv_body_move_to(world, dynamic, far, dt), TRV_ERROR_KIND);
    expect_result(trv_body_move_to(world, body, far, 1e-3f), TRV_ERROR_RANGE);
    expect_result(trv_body_move_to(world, body, far, NAN), TRV_ERROR_NUMBER);
    expect_result(trv_body_move_to(world, body, far, 0.0f), TRV_ERROR_RANGE);
    trv_world_destroy(world);
}

static void locked_axes_do_not_move_and_the_others_do(void **state)
{
    (void)state;
    for (uint32_t lock = 0; lock < 6; lock++) {
        trv_world *world = make_world();
        add_ground(world);
        test_random random = {lock + 1};
        trv_body_id bodies[12];
        trv_vec3 starts[12];
        for (int i = 0; i < 12; i++) {
            trv_body_def def = trv_default_body_def();
            def.kind = TRV_BODY_DYNAMIC;
            def.position = starts[i] = random_above(&random, 1, 0.5f + 0.9f * (float)i);
            def.angular_velocity = random_vec3(&random, 3);
            def.locks = 1u << lock;
            expect_result(trv_body_create(world, &def, &bodies[i]), TRV_OK);
            add_shape(world, bodies[i], i % 2 ? cube(0.4f) : ball(0.4f));
        }
        bool others = false;
        for (int s = 0; s < 120; s++) {
            step_world(world, 1);
            for (int i = 0; i < 12; i++) {
                trv_vec3 at = position_of(world, bodies[i]), w = spin_of(world, bodies[i]);
                const float moved[6] = {
                    at.x - starts[i].x, at.y - starts[i].y, at.z - starts[i].z, w.x, w.y, w.z};
                expect_near(moved[lock], 0, 0);
                others = others || fabsf(moved[(lock + 1) % 3]) > 0.1f;
            }
        }
        assert_true(others);
        trv_world_destroy(world);
    }
}

static void a_body_locked_along_an_axis_bears_load_there(void **state)
{
    (void)state;
    // A shelf that cannot fall, a box on it that must not sink in, and friction that drags the shelf.
    trv_world *world = make_world();
    trv_body_id shelf = add_dynamic(world, trv_make_vec3(0, 0, 0), cube(0.5f));
    expect_result(trv_body_set_locks(world, shelf,
                                     TRV_LOCK_LINEAR_Y | TRV_LOCK_ANGULAR_X | TRV_LOCK_ANGULAR_Y |
                                         TRV_LOCK_ANGULAR_Z),
                  TRV_OK);
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 1.0f, 0), cube(0.5f));
    step_world(world, 60);
    expect_near(position_of(world, box).y, 1.0, 0.002);
    expect_near(position_of(world, shelf).y, 0, 0);
    trv_vec3 v = {1, 0, 0}, o = {0, 0, 0};
    expect_result(trv_body_set_velocity(world, box, v, o), TRV_OK);
    step_world(world, 60);
    // Equal masses: momentum along x is kept, and both share it.
    expect_near(velocity_of(world, shelf).x, 0.5, 0.01);
    expect_near(velocity_of(world, box).x, 0.5, 0.01);
    trv_world_destroy(world);
}

static void what_may_turn_about_one_axis_turns_by_the_inertia_about_it(void **state)
{
    (void)state;
    // A rod across its diagonal: the inertia about the world's z is that of the tensor, whatever the
    // products; two free axes take the inverse of their own block.
    trv_world *world = make_space();
    trv_body_def def = trv_default_body_def();
    trv_body_id body;
    def.kind = TRV_BODY_DYNAMIC;
    def.rotation = trv_quat_about(trv_make_vec3(1, 2, 3), 0.8f);
    def.locks = TRV_LOCK_ANGULAR_X | TRV_LOCK_ANGULAR_Y;
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape(world, body, trv_make_box(trv_make_vec3(1, 0.1f, 0.2f)));
    float mass, i[6];
    trv_vec3 center, torque = {0, 0, 500};
    expect_result(trv_body_mass(world, body, &mass, &center, i), TRV_OK);
    trv_vec3 rows[3];
    const trv_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double about_z = 0;
    for (int a = 0; a < 3; a++)
        rows[a] = trv_rotate(def.rotation, axes[a]);
    const double diagonal[3] = {i[0], i[1], i[2]};
    for (int a = 0; a < 3; a++)
        about_z += diagonal[a] * (double)rows[a].z * rows[a].z;
    expect_result(trv_body_apply_torque(world, body, torque), TRV_OK);
    step_world(world, 1);
    expect_near(spin_of(world, body).z, 500.0 / about_z / 60.0, 1e-4 * 500.0 / about_z);
    expect_near(spin_of(world, body).x, 0, 0);
    float spin = spin_of(world, body).z;
    step_world(world, 300); // and it goes on as it does, unbalanced as it is
    expect_near(spin_of(world, body).z, spin, 1e-5);
    trv_world_destroy(world);
}

static void mass_can_be_set_and_given_back(void **state)
{
    (void)state;
    trv_world *world = make_space();
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), cube(0.5f));
    float mass, got[6], inertia[6] = {2, 3, 4, 0, 0, 0};
    trv_vec3 center = {0, 0.25f, 0}, got_center, j = {10, 0, 0};
    expect_result(trv_body_set_mass(world, body, 10, center, inertia), TRV_OK);
    add_shape(world, body, ball(0.5f)); // what was set stays
    expect_result(trv_body_mass(world, body, &mass, &got_center, got), TRV_OK);
    expect_near(mass, 10, 0);
    expect_near(got_center.y, 0.25, 0);
    expect_near(got[1], 3, 0);
    expect_result(trv_body_apply_impulse(world, body, j, trv_make_vec3(0, 0.25f, 0)), TRV_OK);
    expect_near(velocity_of(world, body).x, 1, 1e-6);
    expect_near(spin_of(world, body).z, 0, 1e-6);
    const float bad[3][6] = {{2, 3, 4, 9, 0, 0}, {0, 1, 1, 0, 0, 0}, {1, 1, NAN, 0, 0, 0}};
    const trv_result wanted[3] = {TRV_ERROR_VOLUME, TRV_ERROR_VOLUME, TRV_ERROR_NUMBER};
    for (int k = 0; k < 3; k++)
        expect_result(trv_body_set_mass(world, body, 1, center, bad[k]), wanted[k]);
    expect_result(trv_body_set_mass(world, body, 0, center, inertia), TRV_ERROR_RANGE);
    expect_result(trv_body_set_mass(world, body, INFINITY, center, inertia), TRV_ERROR_NUMBER);
    expect_result(trv_body_mass(world, body, &mass, &got_center, got), TRV_OK);
    expect_near(mass, 10, 0);
    expect_result(trv_body_reset_mass(world, body), TRV_OK);
    expect_result(trv_body_mass(world, body, &mass, &got_center, got), TRV_OK);
    expect_near(mass, 1000 + 523.6, 0.1);
    trv_world_destroy(world);
}

static void a_body_can_change_its_kind(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id ground = add_ground(world);
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
    trv_body_id top = add_dynamic(world, trv_make_vec3(0, 1.5f, 0), cube(0.5f));
    step_world(world, 120);
    assert_false(is_awake(world, top));
    expect_result(trv_body_set_kind(world, ground, TRV_BODY_DYNAMIC), TRV_ERROR_KIND);
    expect_result(trv_body_set_kind(world, box, (trv_body_kind)9), TRV_ERROR_KIND);
    expect_result(trv_body_set_kind(world, box, TRV_BODY_STATIC), TRV_OK);
    assert_true(is_awake(world, top));
    step_world(world, 1);
    assert_int_equal(trv_world_events(world).end_count, 2); // with the ground, and with the top
    assert_int_equal(trv_world_events(world).begin_count, 1);
    step_world(world, 120);
    expect_near(position_of(world, top).y, 1.5, 0.002);
    trv_body_kind kind;
    expect_result(trv_body_kind_get(world, box, &kind), TRV_OK);
    assert_int_equal(kind, TRV_BODY_STATIC);
    expect_result(trv_body_set_kind(world, box, TRV_BODY_KINEMATIC), TRV_OK);
    expect_result(trv_body_set_linear_velocity(world, box, trv_make_vec3(0, 1, 0)), TRV_OK);
    step_world(world, 60);
    expect_near(position_of(world, top).y, 2.5, 0.01);
    expect_result(trv_body_set_kind(world, box, TRV_BODY_DYNAMIC), TRV_OK);
    step_world(world, 180);
    expect_near(position_of(world, box).y, 0.5, 0.002);
    expect_near(position_of(world, top).y, 1.5, 0.003);
    trv_world_destroy(world);
}

static void a_disabled_body_is_not_there(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id shelf = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 2, 0));
    add_shape(world, shelf, cube(0.5f));
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 3.0f, 0), cube(0.5f));
    step_world(world, 120);
    assert_false(is_awake(world, box));
    expect_result(trv_body_set_enabled(world, shelf, false), TRV_OK);
    bool enabled;
    expect_result(trv_body_enabled(world, shelf, &enabled), TRV_OK);
    assert_false(enabled);
    step_world(world, 1);
    assert_int_equal(trv_world_events(world).end_count, 1);
    step_world(world, 120);
    expect_near(position_of(world, box).y, 0.5, 0.002);
    trv_vec3 at = position_of(world, box);
    expect_result(trv_body_set_enabled(world, box, false), TRV_OK);
    expect_result(trv_body_set_awake(world, box, true), TRV_OK);
    trv_vec3 j = {100, 100, 100};
    expect_result(trv_body_apply_impulse_to_center(world, box, j), TRV_OK);
    step_world(world, 60);
    assert_false(is_awake(world, box));
    expect_near(position_of(world, box).y, at.y, 0);
    expect_result(trv_body_set_enabled(world, box, true), TRV_OK);
    expect_result(trv_body_set_pose(world, box, trv_make_pose(trv_make_vec3(0, 4, 0))), TRV_OK);
    expect_result(trv_body_set_enabled(world, shelf, true), TRV_OK);
    step_world(world, 120);
    expect_near(position_of(world, box).y, 3, 0.002);
    trv_world_destroy(world);
}

static void gravity_scale_and_damping_come_back_and_act(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), ball(0.5f));
    float scale, linear, angular;
    uint32_t locks;
    expect_result(trv_body_set_gravity_scale(world, body, -2), TRV_OK);
    expect_result(trv_body_gravity_scale(world, body, &scale), TRV_OK);
    expect_near(scale, -2, 0);
    step_world(world, 60);
    expect_near(velocity_of(world, body).y, 19.62, 1e-3);
    expect_result(trv_body_set_gravity_scale(world, body, 0), TRV_OK);
    expect_result(trv_body_set_damping(world, body, 1, 2), TRV_OK);
    expect_result(trv_body_damping(world, body, &linear, &angular), TRV_OK);
    expect_near(linear + 10 * angular, 21, 0);
    step_world(world, 60);
    expect_near(velocity_of(world, body).y, 19.62 * exp(-1), 0.1);
    expect_result(trv_body_set_damping(world, body, -1, 0), TRV_ERROR_RANGE);
    expect_result(trv_body_set_gravity_scale(world, body, NAN), TRV_ERROR_NUMBER);
    expect_result(trv_body_set_locks(world, body, 64), TRV_ERROR_RANGE);
    expect_result(trv_body_set_locks(world, body, TRV_LOCK_ALL), TRV_OK);
    expect_result(trv_body_locks(world, body, &locks), TRV_OK);
    assert_int_equal(locks, TRV_LOCK_ALL);
    expect_near(velocity_of(world, body).y, 0, 0);
    trv_world_destroy(world);
}

static void pushes_without_measure_are_refused(void **state)
{
    (void)state;
    trv_world *world = make_space();
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), ball(0.01f)); // grams
    trv_vec3 huge = {9e7f, 0, 0};
    expect_result(trv_body_apply_impulse_to_center(world, body, huge), TRV_ERROR_RANGE);
    expect_near(velocity_of(world, body).x, 0, 0);
    expect_result(trv_body_apply_force_to_center(world, body, huge), TRV_OK);
    step_world(world, 1);
    assert_true(isfinite(position_of(world, body).x));
    trv_world_destroy(world);
}

static void shapes_contacts_and_bodies_are_listed(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id ground = add_ground(world), bodies[4];
    trv_body_id box = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.5f, 0));
    trv_shape_id made[3], got[3];
    for (int i = 0; i < 3; i++)
        made[i] = add_shape(world, box, cube(0.5f));
    step_world(world, 5);
    uint32_t count;
    expect_result(trv_body_shapes(world, box, got, 3, &count), TRV_OK);
    assert_int_equal(count, 3);
    assert_memory_equal(made, got, sizeof made);
    expect_result(trv_body_shapes(world, box, got, 1, &count), TRV_OK);
    assert_int_equal(count, 3);
    assert_memory_equal(made, got, sizeof *made);
    trv_contact contacts[3];
    expect_result(trv_body_contacts(world, ground, contacts, 3, &count), TRV_OK);
    assert_int_equal(count, 3);
    assert_true(contacts[0].manifold.count == 4);
    expect_result(trv_body_destroy(world, ground), TRV_OK);
    trv_body_id other = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    expect_result(trv_world_bodies(world, bodies, 4, &count), TRV_OK);
    assert_int_equal(count, 2);
    assert_memory_equal(&bodies[0], &other, sizeof other);
    assert_memory_equal(&bodies[1], &box, sizeof box);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_set_together_and_one_by_one),
        cmocka_unit_test(pushes_at_the_centre_and_off_it_agree),
        cmocka_unit_test(a_kinematic_body_arrives_where_it_is_sent),
        cmocka_unit_test(locked_axes_do_not_move_and_the_others_do),
        cmocka_unit_test(a_body_locked_along_an_axis_bears_load_there),
        cmocka_unit_test(what_may_turn_about_one_axis_turns_by_the_inertia_about_it),
        cmocka_unit_test(mass_can_be_set_and_given_back),
        cmocka_unit_test(a_body_can_change_its_kind),
        cmocka_unit_test(a_disabled_body_is_not_there),
        cmocka_unit_test(gravity_scale_and_damping_come_back_and_act),
        cmocka_unit_test(pushes_without_measure_are_refused),
        cmocka_unit_test(shapes_contacts_and_bodies_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
