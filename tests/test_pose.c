// Rotations and poses as callers make them: types.h against what it says.
#include "support.h"

static const trv_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};

static void expect_vector(trv_vec3 got, trv_vec3 wanted, double tolerance)
{
    expect_near(got.x, wanted.x, tolerance);
    expect_near(got.y, wanted.y, tolerance);
    expect_near(got.z, wanted.z, tolerance);
}

static void a_quarter_turn_about_an_axis_of_any_length_is_right_handed(void **state)
{
    (void)state;
    const float quarter = 1.57079633f;
    const float lengths[] = {1.0f, 1.0e-15f, 1.0e15f};
    for (size_t i = 0; i < 3; i++) {
        trv_vec3 axis = {0, 0, lengths[i]};
        trv_quat q = trv_quat_about(axis, quarter);
        expect_vector(trv_rotate(q, x), y, 1e-6);
        expect_vector(trv_rotate(q, z), z, 1e-6);
    }
    expect_vector(trv_rotate(trv_quat_about(x, quarter), y), z, 1e-6);
    expect_vector(trv_rotate(trv_quat_about(y, quarter), z), x, 1e-6);
}

static void no_axis_gives_no_turn(void **state)
{
    (void)state;
    const trv_vec3 axes[] = {{0, 0, 0}, {NAN, 0, 0}, {0, INFINITY, 0}};
    trv_quat none = trv_identity_quat();
    for (size_t i = 0; i < 3; i++) {
        trv_quat q = trv_quat_about(axes[i], 1.0f);
        assert_memory_equal(&q, &none, sizeof q);
    }
}

static void a_product_applies_the_second_after_the_first_and_is_of_unit_length(void **state)
{
    (void)state;
    test_random random = {31};
    for (int i = 0; i < 1000; i++) {
        trv_quat first = random_quat(&random), second = random_quat(&random);
        trv_vec3 v = random_vec3(&random, 1.0f);
        trv_quat both = trv_quat_multiply(second, first);
        expect_vector(trv_rotate(both, v), trv_rotate(second, trv_rotate(first, v)), 2e-6);
        first.w *= 3.0f; // renormalised whatever the lengths
        first.x *= 3.0f;
        first.y *= 3.0f;
        first.z *= 3.0f;
        trv_quat longer = trv_quat_multiply(second, first);
        expect_near(longer.x * longer.x + longer.y * longer.y + longer.z * longer.z +
                        longer.w * longer.w,
                    1.0, 1e-6);
        expect_near(longer.w, both.w, 1e-6);
    }
}

static void a_point_comes_back_from_the_world(void **state)
{
    (void)state;
    test_random random = {32};
    for (int i = 0; i < 1000; i++) {
        trv_pose pose;
        pose.position = random_vec3(&random, 10.0f);
        pose.rotation = random_quat(&random);
        trv_vec3 local = random_vec3(&random, 1.0f);
        trv_vec3 world = trv_pose_apply(pose, local);
        expect_vector(trv_pose_apply_inverse(pose, world), local, 1e-5);
        trv_vec3 turned = trv_rotate(pose.rotation, local);
        expect_vector(world,
                      trv_make_vec3(turned.x + pose.position.x, turned.y + pose.position.y,
                                    turned.z + pose.position.z),
                      2e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_turn_about_an_axis_of_any_length_is_right_handed),
        cmocka_unit_test(no_axis_gives_no_turn),
        cmocka_unit_test(a_product_applies_the_second_after_the_first_and_is_of_unit_length),
        cmocka_unit_test(a_point_comes_back_from_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
