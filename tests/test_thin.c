// Sticks so thin that float32 cannot hold how easily they turn about themselves gain no energy all the same.
#include "energy_support.h"

// A metre long, `half` half as thick, about any axis, .6 m over the ground at a speed by chance.
static double gained_by_stick(test_random *random, float half)
{
    trv_world *world = make_world();
    add_ground(world);
    trv_pose pose = {trv_make_vec3(0, 0.6f, 0), random_quat(random)};
    trv_vec3 linear = random_vec3(random, 2), angular = random_vec3(random, 2);
    trv_body_id stick = add_thrown(world, pose, linear, angular);
    add_shape(world, stick, trv_make_box(trv_make_vec3(half, 0.5f, half)));
    double first = energy_under_gravity(world, &stick, 1), most = 0;
    for (int i = 0; i < 90; i++) {
        expect_result(trv_world_step(world, 1.0f / 60, 4), TRV_OK);
        most = fmax(most, energy_under_gravity(world, &stick, 1) / first);
    }
    trv_world_destroy(world);
    return most;
}

static void sticks_gain_nothing_as_they_land(void **state)
{
    (void)state;
    test_random random = {31};
    for (int i = 0; i < 32; i++) {
        double gained = gained_by_stick(&random, i % 2 ? 3e-5f : 1e-4f);
        assert_true(gained < 1.02);
    }
}

static void least_moments_are_told_as_they_are_used(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
    trv_vec3 center;
    float mass, inertia[6];
    add_shape(world, body, trv_make_box(trv_make_vec3(1e-5f, 0.5f, 1e-5f)));
    expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
    expect_near(inertia[1] / inertia[0], 1e-6, 1e-12);
    const float given[6] = {1, 3e-9f, 1, 0, 0, 0};
    expect_result(trv_body_set_mass(world, body, 1, center, given), TRV_OK);
    expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
    expect_near(inertia[1], 1e-6, 1e-12);
    expect_near(inertia[0], 1, 0);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticks_gain_nothing_as_they_land),
        cmocka_unit_test(least_moments_are_told_as_they_are_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
