// Bodies: what is refused, and that getters give back what was set.
#include "world_support.h"

static void bad_body_defs_are_refused(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_def good = trv_default_body_def(), bad[8];
    const trv_result wanted[8] = {TRV_ERROR_DEF,    TRV_ERROR_NUMBER,   TRV_ERROR_RANGE,
                                  TRV_ERROR_NUMBER, TRV_ERROR_ROTATION, TRV_ERROR_RANGE,
                                  TRV_ERROR_KIND,   TRV_ERROR_NUMBER};
    for (int i = 0; i < 8; i++)
        bad[i] = good;
    bad[0].cookie = 0;
    bad[1].position.z = NAN;
    bad[2].position.x = 2e8f;
    bad[3].angular_velocity.y = INFINITY;
    bad[4].rotation.w = 0.0f;
    bad[5].linear_damping = -1.0f;
    bad[6].kind = (trv_body_kind)3;
    bad[7].gravity_scale = NAN;
    for (int i = 0; i < 8; i++) {
        trv_body_id id = {5, 5, 5};
        expect_result(trv_body_create(world, &bad[i], &id), wanted[i]);
        assert_int_equal(id.index1, 0);
    }
    trv_body_id id;
    expect_result(trv_body_create(NULL, &good, &id), TRV_ERROR_NULL);
    expect_result(trv_body_create(world, NULL, &id), TRV_ERROR_NULL);
    expect_result(trv_body_create(world, &good, NULL), TRV_ERROR_NULL);
    trv_world_destroy(world);
}

static void pose_and_velocity_come_back(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id body = add_dynamic(world, trv_make_vec3(1, 2, 3), cube(0.5f));
    trv_pose pose = {{4, 5, 6}, trv_quat_about(trv_make_vec3(0, 1, 0), 1.0f)}, got;
    trv_vec3 v = {1, 2, 3}, w = {4, 5, 6}, got_v, got_w;
    expect_result(trv_body_set_pose(world, body, pose), TRV_OK);
    expect_result(trv_body_pose(world, body, &got), TRV_OK);
    expect_near(got.position.y, 5, 0);
    expect_near(got.rotation.y, pose.rotation.y, 1e-6);
    expect_result(trv_body_set_velocity(world, body, v, w), TRV_OK);
    expect_result(trv_body_velocity(world, body, &got_v, &got_w), TRV_OK);
    expect_near(got_v.z, 3, 0);
    expect_near(got_w.x, 4, 0);
    trv_pose nan_pose = pose;
    nan_pose.position.x = NAN;
    expect_result(trv_body_set_pose(world, body, nan_pose), TRV_ERROR_NUMBER);
    nan_pose = pose;
    nan_pose.rotation = (trv_quat){0, 0, 0, 0};
    expect_result(trv_body_set_pose(world, body, nan_pose), TRV_ERROR_ROTATION);
    v.x = NAN;
    expect_result(trv_body_set_velocity(world, body, v, w), TRV_ERROR_NUMBER);
    expect_result(trv_body_pose(world, body, &got), TRV_OK);
    expect_near(got.position.x, 4, 0);
    trv_world_destroy(world);
}

static void static_bodies_cannot_be_pushed(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id fixed = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    trv_body_id driven = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, 0, 0));
    trv_vec3 v = {1, 0, 0}, o = {0, 0, 0};
    expect_result(trv_body_set_velocity(world, fixed, v, o), TRV_ERROR_KIND);
    expect_result(trv_body_apply_impulse(world, fixed, v, o), TRV_ERROR_KIND);
    expect_result(trv_body_apply_impulse(world, driven, v, o), TRV_ERROR_KIND);
    expect_result(trv_body_apply_force(world, driven, v, o, o), TRV_ERROR_KIND);
    expect_result(trv_body_set_awake(world, fixed, false), TRV_ERROR_KIND);
    expect_result(trv_body_set_velocity(world, driven, v, o), TRV_OK);
    trv_world_destroy(world);
}

static void what_is_made_asleep_keeps_its_velocity_and_what_is_put_to_sleep_does_not(void **state)
{
    (void)state;
    trv_world_def world_def = trv_default_world_def();
    world_def.gravity = trv_make_vec3(0, 0, 0);
    trv_world *world;
    expect_result(trv_world_create(&world_def, &world), TRV_OK);
    trv_body_def def = trv_default_body_def();
    trv_body_id made, still;
    trv_vec3 linear, angular;
    def.linear_velocity = trv_make_vec3(1, 0, 0);
    expect_result(trv_body_create(world, &def, &still), TRV_OK);
    def.kind = TRV_BODY_DYNAMIC;
    def.asleep = true;
    expect_result(trv_body_create(world, &def, &made), TRV_OK);
    add_shape(world, made, trv_make_sphere(trv_make_vec3(0, 0, 0), 0.5f));
    expect_result(trv_body_velocity(world, still, &linear, &angular), TRV_OK);
    expect_near(linear.x, 0, 0); // it is static
    trv_pose pose;
    expect_result(trv_world_step(world, 0.5f, 1), TRV_OK);
    expect_result(trv_body_pose(world, made, &pose), TRV_OK);
    expect_near(pose.position.x, 0, 0);
    expect_result(trv_body_set_awake(world, made, true), TRV_OK);
    expect_result(trv_world_step(world, 0.5f, 1), TRV_OK);
    expect_result(trv_body_pose(world, made, &pose), TRV_OK);
    expect_near(pose.position.x, 0.5, 1e-6);
    expect_result(trv_body_set_awake(world, made, false), TRV_OK);
    expect_result(trv_body_velocity(world, made, &linear, &angular), TRV_OK);
    expect_near(linear.x, 0, 0);
    expect_result(trv_body_set_awake(world, still, true), TRV_ERROR_KIND);
    trv_world_destroy(world);
}

static void an_impulse_changes_momentum_by_itself(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), cube(0.5f)); // 1000 kg
    trv_vec3 impulse = {2000, 0, 0}, point = {0, 0.5f, 0}, v, w;
    expect_result(trv_body_apply_impulse(world, body, impulse, point), TRV_OK);
    expect_result(trv_body_velocity(world, body, &v, &w), TRV_OK);
    expect_near(v.x, 2.0, 1e-6);
    // Inertia of a unit cube is m / 6: w = r x J / I = (0, 0, -1000) / 166.7.
    expect_near(w.z, -6.0, 1e-4);
    trv_world_destroy(world);
}

static void a_force_lasts_one_step(void **state)
{
    (void)state;
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.gravity = trv_make_vec3(0, 0, 0);
    expect_result(trv_world_create(&def, &world), TRV_OK);
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), cube(0.5f));
    trv_vec3 force = {60000, 0, 0}, o = {0, 0, 0};
    expect_result(trv_body_apply_force(world, body, force, o, o), TRV_OK);
    step_world(world, 1);
    expect_near(velocity_of(world, body).x, 1.0, 1e-5);
    step_world(world, 1);
    expect_near(velocity_of(world, body).x, 1.0, 1e-5);
    trv_world_destroy(world);
}

static void a_force_does_not_outlive_the_next_step_asleep_or_disabled(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        trv_world *world = make_empty_space();
        trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), cube(0.5f));
        expect_result(trv_body_apply_force_to_center(world, body, trv_make_vec3(60000, 0, 0)),
                      TRV_OK);
        expect_result(way == 0 ? trv_body_set_enabled(world, body, false)
                               : trv_body_set_awake(world, body, false),
                      TRV_OK);
        step_world(world, 2);
        expect_result(way == 0 ? trv_body_set_enabled(world, body, true)
                               : trv_body_set_awake(world, body, true),
                      TRV_OK);
        step_world(world, 1);
        expect_near(velocity_of(world, body).x, 0, 0);
        trv_world_destroy(world);
    }
}

static void a_kinematic_body_follows_its_velocity_and_carries(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id lift = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, 0, 0));
    add_shape(world, lift, trv_make_box(trv_make_vec3(2, 0.25f, 2)));
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 0.75f, 0), cube(0.5f));
    trv_vec3 v = {0.5f, 1.0f, 0}, o = {0, 0, 0};
    step_world(world, 10);
    expect_result(trv_body_set_velocity(world, lift, v, o), TRV_OK);
    step_world(world, 60);
    expect_near(position_of(world, lift).y, 1.0, 1e-4);
    expect_near(position_of(world, box).y, 1.75, 0.01);
    expect_near(position_of(world, box).x, 0.5, 0.05);
    assert_true(is_awake(world, box));
    trv_world_destroy(world);
}

static void outputs_that_are_null_are_refused(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id body = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    float mass, inertia[6];
    trv_vec3 center;
    expect_result(trv_body_pose(world, body, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_velocity(world, body, NULL, &center), TRV_ERROR_NULL);
    expect_result(trv_body_mass(world, body, NULL, &center, inertia), TRV_ERROR_NULL);
    expect_result(trv_body_mass(world, body, &mass, &center, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_awake(world, body, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_kind_get(world, body, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_user(world, body, NULL), TRV_ERROR_NULL);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_body_defs_are_refused),
        cmocka_unit_test(pose_and_velocity_come_back),
        cmocka_unit_test(static_bodies_cannot_be_pushed),
        cmocka_unit_test(what_is_made_asleep_keeps_its_velocity_and_what_is_put_to_sleep_does_not),
        cmocka_unit_test(an_impulse_changes_momentum_by_itself),
        cmocka_unit_test(a_force_lasts_one_step),
        cmocka_unit_test(a_force_does_not_outlive_the_next_step_asleep_or_disabled),
        cmocka_unit_test(a_kinematic_body_follows_its_velocity_and_carries),
        cmocka_unit_test(outputs_that_are_null_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
