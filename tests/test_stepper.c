// Steps of one length from frames of any, and poses between two of them.
#include "support.h"

#include <trivet/world.h>

static void frames_of_one_step_make_one_step_each(void **state)
{
    (void)state;
    trv_stepper stepper = trv_make_stepper(1.0f / 60.0f, 4);
    for (int i = 0; i < 100000; i++)
        assert_int_equal(trv_stepper_advance(&stepper, (double)(1.0f / 60.0f)), 1);
}

static void time_is_neither_lost_nor_made(void **state)
{
    (void)state;
    trv_stepper stepper = trv_make_stepper(0.01f, 100);
    test_random random = {4};
    double total = 0;
    uint64_t steps = 0;
    for (int i = 0; i < 20000; i++) {
        double frame = random_float(&random, 0.0f, 0.05f);
        total += frame;
        steps += trv_stepper_advance(&stepper, frame);
        assert_true(stepper.alpha >= 0.0f && stepper.alpha < 1.00001f);
        double step = stepper.step;
        expect_near((double)steps * step + stepper.left, total, 1e-3 * step);
        expect_near(stepper.alpha, stepper.left / step, 1e-6);
    }
}

static void a_slow_frame_makes_no_more_than_the_limit_and_the_rest_is_dropped(void **state)
{
    (void)state;
    trv_stepper stepper = trv_make_stepper(0.01f, 3);
    assert_int_equal(trv_stepper_advance(&stepper, 1e9), 3);
    assert_int_equal(trv_stepper_advance(&stepper, 0.0), 0);
    assert_true(stepper.alpha <= 1.0f);
    assert_int_equal(trv_stepper_advance(&stepper, (double)INFINITY), 3);
    assert_int_equal(trv_stepper_advance(&stepper, 0.005), 0);
}

static void nonsense_counts_as_no_time(void **state)
{
    (void)state;
    trv_stepper stepper = trv_make_stepper(NAN, 0);
    expect_near(stepper.step, 1.0 / 60.0, 1e-7);
    assert_int_equal(stepper.max_steps, 1);
    assert_int_equal(trv_stepper_advance(&stepper, NAN), 0);
    assert_int_equal(trv_stepper_advance(&stepper, -5.0), 0);
    assert_int_equal(trv_stepper_advance(NULL, 1.0), 0);
    trv_stepper zeroed = {0};
    assert_true(trv_stepper_advance(&zeroed, 1.0) <= 1);
    stepper.left = NAN;
    assert_int_equal(trv_stepper_advance(&stepper, 0.02), 1);
    assert_true(isfinite(stepper.left));
}

static void poses_between_are_on_the_way_by_the_shorter_turn(void **state)
{
    (void)state;
    test_random random = {6};
    for (int i = 0; i < 1000; i++) {
        trv_vec3 axis = random_vec3(&random, 1.0f);
        float angle = random_float(&random, -0.9f, 0.9f), t = random_float(&random, 0.0f, 1.0f);
        trv_pose a = {random_vec3(&random, 5.0f), random_quat(&random)}, b, got;
        b.position = random_vec3(&random, 5.0f);
        b.rotation = trv_quat_multiply(trv_quat_about(axis, angle), a.rotation);
        if (i % 2) // the same rotation, other sign
            b.rotation = (trv_quat){-b.rotation.x, -b.rotation.y, -b.rotation.z, -b.rotation.w};
        got = trv_pose_between(a, b, t);
        expect_near(got.position.x, a.position.x + t * (b.position.x - a.position.x), 1e-5);
        trv_quat want = trv_quat_multiply(trv_quat_about(axis, angle * t), a.rotation);
        float dot = want.x * got.rotation.x + want.y * got.rotation.y + want.z * got.rotation.z +
                    want.w * got.rotation.w;
        expect_near(fabsf(dot), 1.0, 1e-4);
        trv_pose end = trv_pose_between(a, b, 7.0f), start = trv_pose_between(a, b, NAN);
        expect_near(end.position.y, b.position.y, 1e-5);
        expect_near(start.position.y, a.position.y, 1e-5);
    }
}

// By the bound that is promised.
static void poses_between_are_near_where_an_even_turn_would_be(void **state)
{
    (void)state;
    test_random random = {8};
    double worst = 0;
    for (int i = 0; i < 20000; i++) {
        trv_vec3 axis = random_vec3(&random, 1.0f);
        float angle = random_float(&random, 0.01f, 3.1f), t = random_float(&random, 0.0f, 1.0f);
        trv_pose a = {{0, 0, 0}, random_quat(&random)}, b = a;
        b.rotation = trv_quat_multiply(trv_quat_about(axis, angle), a.rotation);
        trv_quat want = trv_quat_multiply(trv_quat_about(axis, angle * t), a.rotation);
        trv_quat back = {-want.x, -want.y, -want.z, want.w};
        trv_quat off = trv_quat_multiply(trv_pose_between(a, b, t).rotation, back);
        double sine = sqrt((double)(off.x * off.x + off.y * off.y + off.z * off.z));
        double apart = 2 * asin(fmin(sine, 1)), cube = (double)angle * angle * angle;
        assert_true(apart < cube / 200 + 1e-6);
        worst = angle > 0.5f ? fmax(worst, apart / cube) : worst;
    }
    assert_true(worst > 1 / 250.0); // and it is not worth a better one
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_one_step_make_one_step_each),
        cmocka_unit_test(time_is_neither_lost_nor_made),
        cmocka_unit_test(a_slow_frame_makes_no_more_than_the_limit_and_the_rest_is_dropped),
        cmocka_unit_test(nonsense_counts_as_no_time),
        cmocka_unit_test(poses_between_are_on_the_way_by_the_shorter_turn),
        cmocka_unit_test(poses_between_are_near_where_an_even_turn_would_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
