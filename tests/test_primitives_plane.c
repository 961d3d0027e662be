// Planes, bounds and roots: the traps of Gomez' helpers, and properties on random shapes.
#include "support.h"
#include <trivet/primitives.h>

#include <float.h>

static trv_vec3 v3(float x, float y, float z)
{
    return trv_make_vec3(x, y, z);
}

static void the_offset_is_minus_the_distance_to_the_origin(void **state)
{
    (void)state; // the article says plus
    trv_plane plane;
    assert_true(trv_plane_from_point(v3(7, 3, -2), v3(0, 5, 0), &plane));
    assert_true(plane.normal.y == 1 && plane.offset == -3);
    expect_near(trv_plane_distance(plane, v3(0, 0, 0)), -3.0, 0.0);
    assert_true(trv_plane_from_points(v3(0, 3, 0), v3(0, 3, 1), v3(1, 3, 0), &plane));
    assert_true(plane.normal.y == 1 && plane.offset == -3); // counter-clockwise from above
}

static void collinear_points_make_no_plane(void **state)
{
    (void)state; // the article's constructor divides by zero
    trv_plane plane = {{9, 9, 9}, 9};
    assert_false(trv_plane_from_points(v3(1, 2, 3), v3(2, 4, 6), v3(-3, -6, -9), &plane));
    assert_true(plane.normal.x == 0 && plane.normal.y == 0 && plane.offset == 0);
    assert_false(trv_plane_from_points(v3(1, 2, 3), v3(1, 2, 3), v3(4, 5, 6), &plane));
    assert_false(trv_plane_from_point(v3(1, 2, 3), v3(0, 0, 0), &plane));
}

static void points_an_ulp_from_collinear_make_a_plane(void **state)
{
    (void)state;
    trv_plane plane;
    // Far from the origin and nearly collinear, where a plain cross product is all rounding.
    trv_vec3 a = v3(1048576.0f, 1.0f, 0), b = v3(1048577.0f, 2.0f, 0);
    trv_vec3 c = v3(1048578.0f, nextafterf(3.0f, 4.0f), 0);
    assert_true(trv_plane_from_points(a, b, c, &plane));
    expect_near(plane.normal.z, 1.0, 0.0);
    assert_false(trv_plane_from_points(a, b, v3(1048578.0f, 3.0f, 0), &plane));
    // Exponents so far apart that no difference is exact in double.
    trv_vec3 far = v3(1e30f, 0, 0), tiny = v3(0, 1e-30f, 0);
    assert_true(trv_plane_from_points(far, tiny, v3(-1e30f, 0, 0), &plane));
    expect_near(fabsf(plane.normal.z), 1.0, 0.0);
}

static void collinear_points_of_very_different_size_are_told_exactly(void **state)
{
    (void)state; // on y = 3 x, where the differences to the first point round even in double
    test_random random = {65};
    for (int i = 0; i < 2000; ++i) {
        float t = ldexpf((float)(random_bits(&random) % 2000000 + 1), -20);
        float w = ldexpf((float)(random_bits(&random) % 2000000 + 1), -20);
        trv_vec3 a = v3(0x1p40f, 0x3p40f, 0), b = v3(t, 3 * t, 0), c = v3(w, 3 * w, 0);
        assert_false(trv_plane_from_points(a, b, c, NULL));
        assert_false(trv_plane_from_points(b, c, a, NULL));
        c.y = nextafterf(c.y, 1e9f);
        assert_true(trv_plane_from_points(a, b, c, NULL));
    }
}

static void random_collinear_points_are_told_exactly(void **state)
{
    (void)state;
    test_random random = {61};
    for (int i = 0; i < 20000; ++i) {
        // p, p + d, p + k d with few bits each: exact in float32.
        float d[3], p[3];
        for (int k = 0; k < 3; ++k) {
            d[k] = (float)(int)(random_bits(&random) % 2001) - 1000;
            p[k] = (float)(int)(random_bits(&random) % 200001) - 100000;
        }
        float k = (float)(int)(random_bits(&random) % 65) - 32;
        trv_vec3 a = v3(p[0], p[1], p[2]), b = v3(p[0] + d[0], p[1] + d[1], p[2] + d[2]);
        trv_vec3 c = v3(p[0] + k * d[0], p[1] + k * d[1], p[2] + k * d[2]);
        assert_false(trv_plane_from_points(a, b, c, NULL));
        trv_vec3 off = v3(nextafterf(c.x, 1e9f), c.y, c.z);
        if (k != 0 && (d[1] != 0 || d[2] != 0))
            assert_true(trv_plane_from_points(a, b, off, NULL));
    }
}

static void random_planes_hold_their_points_and_order(void **state)
{
    (void)state;
    test_random random = {62};
    for (int i = 0; i < 10000; ++i) {
        trv_vec3 a = random_vec3(&random, 9), b = random_vec3(&random, 9);
        trv_vec3 c = random_vec3(&random, 9);
        trv_plane plane, flipped;
        assert_true(trv_plane_from_points(a, b, c, &plane));
        assert_true(trv_plane_from_points(a, c, b, &flipped));
        expect_near(trv_plane_distance(plane, a), 0.0, 4e-6);
        expect_near(plane.normal.x, -flipped.normal.x, 1e-7);
        expect_near(plane.offset, -flipped.offset, 1e-6);
        trv_vec3 foot, p = random_vec3(&random, 9);
        assert_true(trv_plane_closest_point(plane, p, &foot));
        expect_near(trv_plane_distance(plane, foot), 0.0, 4e-6);
        expect_near(trv_point_distance(foot, p), fabsf(trv_plane_distance(plane, p)), 4e-6);
    }
}

static void a_plane_normal_need_not_be_unit_to_project(void **state)
{
    (void)state;
    trv_plane plane = {{0, 4, 0}, -8}; // y = 2
    trv_vec3 foot;
    assert_true(trv_plane_closest_point(plane, v3(1, 7, 3), &foot));
    assert_true(foot.x == 1 && foot.y == 2 && foot.z == 3);
}

static void a_box_that_touches_a_plane_is_on_it(void **state)
{
    (void)state;
    trv_plane ground = {{0, 1, 0}, 0};
    trv_aabb box = {{-1, 0, -1}, {1, 2, 1}};
    assert_int_equal(trv_aabb_side(box, ground), TRV_SIDE_ON);
    box.lower.y = 1e-30f;
    assert_int_equal(trv_aabb_side(box, ground), TRV_SIDE_ON); // centre and half in double
    box.lower.y = 1e-6f;
    assert_int_equal(trv_aabb_side(box, ground), TRV_SIDE_ABOVE);
    trv_obb below = {{0, -2, 0}, {1, 1, 1}, trv_identity_quat()};
    assert_int_equal(trv_obb_side(below, ground), TRV_SIDE_BELOW);
    below.half.y = 2;
    assert_true(trv_obb_overlaps_plane(below, ground));
}

static void the_side_of_a_turned_box_is_that_of_its_corners(void **state)
{
    (void)state;
    test_random random = {63};
    int count[4] = {0, 0, 0, 0};
    for (int i = 0; i < 10000; ++i) {
        trv_obb box = {random_vec3(&random, 3), random_vec3(&random, 2), random_quat(&random)};
        box.half = v3(fabsf(box.half.x), fabsf(box.half.y), fabsf(box.half.z));
        trv_plane plane;
        trv_vec3 on = random_vec3(&random, 3), normal = random_vec3(&random, 1);
        assert_true(trv_plane_from_point(on, normal, &plane));
        trv_aabb bounds = trv_obb_bounds(box);
        float least = FLT_MAX, most = -FLT_MAX;
        for (int k = 0; k < 8; ++k) {
            trv_pose pose = {box.center, box.rotation};
            trv_vec3 p = trv_pose_apply(pose, v3(k & 1 ? box.half.x : -box.half.x,
                                                 k & 2 ? box.half.y : -box.half.y,
                                                 k & 4 ? box.half.z : -box.half.z));
            float at = trv_plane_distance(plane, p);
            least = fminf(least, at);
            most = fmaxf(most, at);
            trv_vec3 clamped;
            assert_true(trv_aabb_closest_point(bounds, p, &clamped));
            assert_true(trv_point_distance(p, clamped) < 2e-6f);
        }
        trv_side side = trv_obb_side(box, plane);
        count[side]++;
        if (fabsf(least) > 1e-5f && fabsf(most) > 1e-5f)
            assert_int_equal(side, least > 0  ? TRV_SIDE_ABOVE
                                   : most < 0 ? TRV_SIDE_BELOW
                                              : TRV_SIDE_ON);
        expect_near(trv_obb_radius(box, plane.normal), (most - least) / 2, 1e-5);
    }
    assert_true(count[TRV_SIDE_NONE] == 0 && count[TRV_SIDE_BELOW] > 500 &&
                count[TRV_SIDE_ON] > 500 && count[TRV_SIDE_ABOVE] > 500);
}

static void bounds_never_cut_off_what_they_bound(void **state)
{
    (void)state;
    test_random random = {64};
    for (int i = 0; i < 10000; ++i) {
        trv_vec3 c = random_vec3(&random, 100);
        float r = random_float(&random, 0, 1e-3f);
        trv_aabb box = trv_sphere_bounds((trv_sphere){c, r});
        assert_true((double)box.lower.x <= (double)c.x - r &&
                    (double)c.x - r < (double)box.lower.x + 1e-5);
        assert_true((double)box.upper.x >= (double)c.x + r &&
                    (double)c.x + r > (double)box.upper.x - 1e-5);
        trv_vec3 b = random_vec3(&random, 100), d = random_vec3(&random, 100);
        trv_aabb capsule = trv_capsule_bounds((trv_capsule){c, b, r});
        assert_true(trv_aabb_contains_point(capsule, c) && trv_aabb_contains_point(capsule, b));
        trv_aabb segment = trv_segment_bounds((trv_segment){c, b});
        assert_true(segment.lower.y == fminf(c.y, b.y) && segment.upper.y == fmaxf(c.y, b.y));
        trv_aabb triangle = trv_triangle_bounds((trv_triangle){c, b, d});
        assert_true(triangle.lower.z == fminf(fminf(c.z, b.z), d.z));
        assert_true(triangle.upper.x == fmaxf(fmaxf(c.x, b.x), d.x));
    }
}

static void bounds_of_a_box_along_the_axes_are_exact(void **state)
{
    (void)state;
    trv_obb box = {{1, 2, 3}, {4, 5, 6}, {0.5f, 0.5f, 0.5f, 0.5f}}; // x to y, y to z, z to x
    trv_aabb bounds = trv_obb_bounds(box);
    assert_true(bounds.lower.x == -5 && bounds.lower.y == -2 && bounds.lower.z == -2);
    assert_true(bounds.upper.x == 7 && bounds.upper.y == 6 && bounds.upper.z == 8);
}

static void bounds_without_an_answer_overlap_nothing(void **state)
{
    (void)state;
    trv_aabb all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    trv_obb none = {{0, 0, 0}, {1, 1, 1}, {0, 0, 0, 0}};
    assert_false(trv_aabb_overlaps_aabb(trv_obb_bounds(none), all));
    assert_false(trv_aabb_overlaps_aabb(trv_sphere_bounds((trv_sphere){{0, 0, 0}, -1}), all));
}

static void expect_roots(float a, float b, float c, int count, double low, double high)
{
    float got_low = NAN, got_high = NAN;
    assert_int_equal(trv_quadratic_roots(a, b, c, &got_low, &got_high), count);
    expect_near(got_low, low, 1e-7 * fabs(low));
    expect_near(got_high, high, 1e-7 * fabs(high));
}

static void roots_are_ordered_whatever_the_sign_of_a(void **state)
{
    (void)state; // listing 2: r1 >= r2 only for a > 0
    expect_roots(1, -3, 2, 2, 1, 2);
    expect_roots(-1, 3, -2, 2, 1, 2);
    expect_roots(1, 0, -4, 2, -2, 2);
    expect_roots(2, 6, 0, 2, -3, 0);
}

static void a_linear_equation_has_one_root_and_a_constant_none_or_all(void **state)
{
    (void)state; // listing 2 divides by a = 0
    expect_roots(0, 2, -6, 1, 3, 3);
    expect_roots(0, 0, 5, 0, 0, 0);
    expect_roots(0, 0, 0, -1, 0, 0);
    expect_roots(1, 2, 5, 0, 0, 0);
}

static void a_double_root_is_one(void **state)
{
    (void)state;
    expect_roots(1, -6, 9, 1, 3, 3);
    // An ulp off, in double b b - 4 a c still has the right sign.
    assert_int_equal(trv_quadratic_roots(1, -6, nextafterf(9, 0), NULL, NULL), 2);
    assert_int_equal(trv_quadratic_roots(1, -6, nextafterf(9, 10), NULL, NULL), 0);
}

static void neither_root_cancels(void **state)
{
    (void)state; // -b + sqrt(b b - 4 a c) does
    expect_roots(1, -1e8f, 1, 2, 1e-8, 1e8);
    expect_roots(1, 1e8f, 1, 2, -1e8, -1e-8);
}

static void squares_of_coefficients_neither_overflow_nor_underflow(void **state)
{
    (void)state;
    expect_roots(0x1p100f, -0x3p100f, 0x2p100f, 2, 1, 2);
    expect_roots(0x1p-100f, -0x3p-100f, 0x2p-100f, 2, 1, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_offset_is_minus_the_distance_to_the_origin),
        cmocka_unit_test(collinear_points_make_no_plane),
        cmocka_unit_test(points_an_ulp_from_collinear_make_a_plane),
        cmocka_unit_test(collinear_points_of_very_different_size_are_told_exactly),
        cmocka_unit_test(random_collinear_points_are_told_exactly),
        cmocka_unit_test(random_planes_hold_their_points_and_order),
        cmocka_unit_test(a_plane_normal_need_not_be_unit_to_project),
        cmocka_unit_test(a_box_that_touches_a_plane_is_on_it),
        cmocka_unit_test(the_side_of_a_turned_box_is_that_of_its_corners),
        cmocka_unit_test(bounds_never_cut_off_what_they_bound),
        cmocka_unit_test(bounds_of_a_box_along_the_axes_are_exact),
        cmocka_unit_test(bounds_without_an_answer_overlap_nothing),
        cmocka_unit_test(roots_are_ordered_whatever_the_sign_of_a),
        cmocka_unit_test(a_linear_equation_has_one_root_and_a_constant_none_or_all),
        cmocka_unit_test(a_double_root_is_one),
        cmocka_unit_test(neither_root_cancels),
        cmocka_unit_test(squares_of_coefficients_neither_overflow_nor_underflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
