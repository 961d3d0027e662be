// Points, spheres and boxes: the traps of the published code, and properties on random shapes.
#include "support.h"
#include <trivet/primitives.h>

#include <float.h>

static trv_vec3 v3(float x, float y, float z)
{
    return trv_make_vec3(x, y, z);
}

static trv_aabb box_around(trv_vec3 c, trv_vec3 e)
{
    trv_aabb box = {{c.x - e.x, c.y - e.y, c.z - e.z}, {c.x + e.x, c.y + e.y, c.z + e.z}};
    return box;
}

static trv_vec3 random_half(test_random *random)
{
    trv_vec3 half;
    half.x = random_float(random, 0.01f, 3.0f);
    half.y = random_float(random, 0.01f, 3.0f);
    half.z = random_float(random, 0.01f, 3.0f);
    return half;
}

static trv_aabb random_box(test_random *random)
{
    trv_vec3 center = random_vec3(random, 4);
    return box_around(center, random_half(random));
}

static void a_point_below_the_box_in_z_only_is_outside(void **state)
{
    (void)state; // MDN's code compares z with the lower bound of y
    trv_aabb box = {{0, -9, 5}, {1, 1, 6}};
    assert_false(trv_aabb_contains_point(box, v3(0.5f, 0, 0)));
    trv_aabb other = {{0, 5, -9}, {1, 6, 1}};
    assert_true(trv_aabb_contains_point(other, v3(0.5f, 5.5f, 0)));
}

static void points_on_the_boundary_are_inside(void **state)
{
    (void)state;
    trv_aabb box = {{-1, -2, -3}, {1, 2, 3}};
    trv_obb same = {{0, 0, 0}, {1, 2, 3}, trv_identity_quat()};
    for (int i = 0; i < 8; ++i) {
        trv_vec3 corner = {i & 1 ? 1.0f : -1.0f, i & 2 ? 2.0f : -2.0f, i & 4 ? 3.0f : -3.0f};
        assert_true(trv_aabb_contains_point(box, corner));
        assert_true(trv_obb_contains_point(same, corner));
        corner.z = nextafterf(corner.z, corner.z * 2);
        assert_false(trv_aabb_contains_point(box, corner));
        assert_false(trv_obb_contains_point(same, corner));
    }
}

static void spheres_that_just_touch_overlap(void **state)
{
    (void)state; // MDN's code says < where its text says <=
    trv_sphere a = {{0, 0, 0}, 2}, b = {{3, 4, 0}, 3};
    assert_true(trv_sphere_overlaps_sphere(a, b));
    b.center.x = nextafterf(3, 4);
    assert_false(trv_sphere_overlaps_sphere(a, b));
    assert_true(trv_sphere_contains_point(a, v3(0, 2, 0)));
    trv_aabb box = {{2, -1, -1}, {3, 1, 1}};
    assert_true(trv_sphere_overlaps_aabb(a, box));
    trv_obb same = {{2.5f, 0, 0}, {0.5f, 1, 1}, trv_identity_quat()};
    assert_true(trv_sphere_overlaps_obb(a, same));
}

static void a_sphere_of_radius_zero_is_a_point(void **state)
{
    (void)state;
    trv_sphere point = {{1, 1, 1}, 0};
    trv_aabb box = {{0, 0, 0}, {2, 2, 2}};
    trv_obb same = {{1, 1, 1}, {1, 1, 1}, trv_identity_quat()};
    assert_true(trv_sphere_contains_point(point, point.center));
    assert_true(trv_sphere_overlaps_sphere(point, point));
    assert_true(trv_sphere_overlaps_aabb(point, box));
    assert_true(trv_sphere_overlaps_obb(point, same));
}

static void squares_are_compared_with_squares(void **state)
{
    (void)state; // MDN's faster variant compares the distance with r * r
    trv_sphere big = {{0, 0, 0}, 3}, small = {{0, 0, 0}, 0.5f};
    assert_false(trv_sphere_contains_point(big, v3(5, 0, 0)));     // 5 < 9
    assert_true(trv_sphere_contains_point(small, v3(0.4f, 0, 0))); // .4 > .25
}

static void every_axis_counts_in_a_distance(void **state)
{
    (void)state; // MDN's formula lacks the square on z
    expect_near(trv_point_distance(v3(1, 2, 3), v3(1, 2, 8)), 5.0, 0.0);
    expect_near(trv_point_distance(v3(0, 0, 0), v3(2, 3, 6)), 7.0, 0.0);
}

static void nothing_overlaps_a_shape_that_is_no_set(void **state)
{
    (void)state; // r * r hides a negative radius
    trv_sphere inside_out = {{0, 0, 0}, -1};
    trv_sphere unit = {{0, 0, 0}, 1};
    trv_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    trv_aabb swapped = {{1, -1, -1}, {-1, 1, 1}};
    trv_obb negative = {{0, 0, 0}, {1, -1, 1}, trv_identity_quat()};
    assert_false(trv_sphere_contains_point(inside_out, v3(0, 0, 0)));
    assert_false(trv_sphere_overlaps_sphere(inside_out, unit));
    assert_false(trv_sphere_overlaps_aabb(inside_out, box));
    assert_false(trv_aabb_overlaps_aabb(box, swapped));
    assert_false(trv_aabb_overlaps_aabb(swapped, box));
    assert_false(trv_sphere_overlaps_aabb(unit, swapped));
    assert_false(trv_sphere_overlaps_obb(unit, negative));
    assert_false(trv_obb_contains_point(negative, v3(0, 0, 0)));
}

static void squares_neither_overflow_nor_underflow(void **state)
{
    (void)state;
    trv_sphere huge = {{1e30f, 0, 0}, 1e30f}, far = {{-2e30f, 0, 0}, 1e30f};
    assert_true(trv_sphere_contains_point(huge, v3(0, 0, 0)));
    assert_false(trv_sphere_overlaps_sphere(huge, far));
    expect_near(trv_point_distance(huge.center, far.center) / 3e30f, 1.0, 1e-6);
    trv_sphere tiny = {{1e-30f, 0, 0}, 1e-30f}, apart = {{4e-30f, 0, 0}, 1e-30f};
    assert_false(trv_sphere_overlaps_sphere(tiny, apart));
    assert_true(isinf(trv_point_distance(v3(FLT_MAX, 0, 0), v3(-FLT_MAX, 0, 0))));
}

static void bounds_may_be_infinite_where_they_are_only_compared(void **state)
{
    (void)state;
    trv_aabb everything = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    trv_aabb box = {{1, 1, 1}, {2, 2, 2}};
    assert_true(trv_aabb_overlaps_aabb(everything, box));
    assert_true(trv_aabb_contains_point(everything, v3(FLT_MAX, 0, 0)));
}

static void boxes_one_grid_step_apart_do_not_touch(void **state)
{
    (void)state;
    trv_aabb a = {{0, 0, 0}, {1, 1, 1}}, b = {{1, 1, 1}, {2, 2, 2}};
    assert_true(trv_aabb_overlaps_aabb(a, b)); // in a corner
    expect_near(trv_aabb_distance(a, b), 0.0, 0.0);
    b.lower.y = nextafterf(1, 2);
    assert_false(trv_aabb_overlaps_aabb(a, b));
    trv_axis_separation gap;
    assert_true(trv_aabb_separation(a, b, &gap));
    assert_int_equal(gap.axis, 1);
    expect_near(gap.normal.y, 1.0, 0.0);
    expect_near(gap.separation, nextafterf(1, 2) - 1.0f, 0.0);
}

static void overlap_is_symmetric(void **state)
{
    (void)state;
    test_random random = {31};
    int overlaps = 0;
    for (int i = 0; i < 20000; ++i) {
        trv_aabb a = random_box(&random), b = random_box(&random);
        trv_sphere s = {random_vec3(&random, 4), random_float(&random, 0, 3)};
        trv_sphere t = {random_vec3(&random, 4), random_float(&random, 0, 3)};
        trv_axis_separation ab, ba;
        overlaps += trv_aabb_overlaps_aabb(a, b);
        assert_true(trv_aabb_overlaps_aabb(a, b) == trv_aabb_overlaps_aabb(b, a));
        assert_true(trv_sphere_overlaps_sphere(s, t) == trv_sphere_overlaps_sphere(t, s));
        assert_true(trv_aabb_separation(a, b, &ab) && trv_aabb_separation(b, a, &ba));
        assert_true(ab.separation == ba.separation && ab.axis == ba.axis);
        assert_true(ab.normal.x == -ba.normal.x && ab.normal.y == -ba.normal.y);
        assert_true((ab.separation <= 0) == trv_aabb_overlaps_aabb(a, b));
        assert_true((trv_aabb_distance(a, b) == 0) == trv_aabb_overlaps_aabb(a, b));
    }
    assert_true(overlaps > 1000 && overlaps < 19000);
}

static void a_sphere_overlaps_a_box_iff_the_closest_point_is_in_it(void **state)
{
    (void)state;
    test_random random = {32};
    int overlaps = 0, inside = 0;
    for (int i = 0; i < 20000; ++i) {
        trv_obb box = {random_vec3(&random, 4), random_half(&random), random_quat(&random)};
        trv_sphere sphere = {random_vec3(&random, 4), random_float(&random, 0, 3)};
        trv_vec3 closest;
        assert_true(trv_obb_closest_point(box, sphere.center, &closest));
        float distance = trv_point_distance(closest, sphere.center);
        if (fabsf(distance - sphere.radius) > 1e-5f)
            assert_true(trv_sphere_overlaps_obb(sphere, box) == (distance <= sphere.radius));
        assert_true(trv_obb_contains_point(box, sphere.center) == (distance == 0));
        overlaps += distance <= sphere.radius;
        inside += distance == 0;
        // No point of the box is closer.
        trv_pose pose = {box.center, box.rotation};
        for (int k = 0; k < 20; ++k) {
            trv_vec3 local = {random_float(&random, -box.half.x, box.half.x),
                              random_float(&random, -box.half.y, box.half.y),
                              random_float(&random, -box.half.z, box.half.z)};
            trv_vec3 other = trv_pose_apply(pose, local);
            assert_true(trv_point_distance(other, sphere.center) >= distance - 1e-5f);
        }
    }
    assert_true(overlaps > 1000 && overlaps < 19000 && inside > 100);
}

static void the_closest_point_of_an_aabb_is_the_point_clamped(void **state)
{
    (void)state;
    trv_aabb box = {{-1, -2, -3}, {1, 2, 3}};
    trv_vec3 p;
    assert_true(trv_aabb_closest_point(box, v3(5, 0.5f, -9), &p));
    assert_true(p.x == 1 && p.y == 0.5f && p.z == -3);
    assert_true(trv_aabb_closest_point(box, v3(0.25f, 0.5f, 0.75f), &p));
    assert_true(p.x == 0.25f && p.y == 0.5f && p.z == 0.75f);
}

static trv_vec3 mix(trv_triangle t, float u, float v)
{
    float w = 1 - u - v;
    return v3(w * t.a.x + u * t.b.x + v * t.c.x, w * t.a.y + u * t.b.y + v * t.c.y,
              w * t.a.z + u * t.b.z + v * t.c.z);
}

static void no_point_of_a_triangle_is_closer_than_the_closest(void **state)
{
    (void)state;
    test_random random = {33};
    for (int i = 0; i < 5000; ++i) {
        trv_triangle t = {random_vec3(&random, 3), random_vec3(&random, 3),
                          random_vec3(&random, 3)};
        if (i % 4 == 1)
            t.c = t.a; // a segment
        if (i % 4 == 2)
            t.b = t.c = t.a; // a point
        trv_vec3 p = random_vec3(&random, 5), closest, again;
        assert_true(trv_triangle_closest_point(t, p, &closest));
        float distance = trv_point_distance(closest, p);
        for (int j = 0; j <= 10; ++j)
            for (int k = 0; j + k <= 10; ++k) {
                trv_vec3 other = mix(t, (float)j * 0.1f, (float)k * 0.1f);
                assert_true(trv_point_distance(other, p) >= distance - 1e-5f);
            }
        assert_true(trv_triangle_closest_point(t, closest, &again)); // it is on the triangle
        assert_true(trv_point_distance(closest, again) < 2e-6f);
    }
}

static void the_closest_point_of_a_segment_is_an_end_or_a_foot(void **state)
{
    (void)state;
    trv_segment s = {{0, 0, 0}, {4, 0, 0}};
    trv_vec3 p;
    assert_true(trv_segment_closest_point(s, v3(-1, 1, 0), &p) && p.x == 0);
    assert_true(trv_segment_closest_point(s, v3(9, 1, 0), &p) && p.x == 4);
    assert_true(trv_segment_closest_point(s, v3(1, 1, 7), &p) && p.x == 1 && p.z == 0);
    s.b = s.a;
    assert_true(trv_segment_closest_point(s, v3(1, 1, 7), &p) && p.x == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_below_the_box_in_z_only_is_outside),
        cmocka_unit_test(points_on_the_boundary_are_inside),
        cmocka_unit_test(spheres_that_just_touch_overlap),
        cmocka_unit_test(a_sphere_of_radius_zero_is_a_point),
        cmocka_unit_test(squares_are_compared_with_squares),
        cmocka_unit_test(every_axis_counts_in_a_distance),
        cmocka_unit_test(nothing_overlaps_a_shape_that_is_no_set),
        cmocka_unit_test(squares_neither_overflow_nor_underflow),
        cmocka_unit_test(bounds_may_be_infinite_where_they_are_only_compared),
        cmocka_unit_test(boxes_one_grid_step_apart_do_not_touch),
        cmocka_unit_test(overlap_is_symmetric),
        cmocka_unit_test(a_sphere_overlaps_a_box_iff_the_closest_point_is_in_it),
        cmocka_unit_test(the_closest_point_of_an_aabb_is_the_point_clamped),
        cmocka_unit_test(no_point_of_a_triangle_is_closer_than_the_closest),
        cmocka_unit_test(the_closest_point_of_a_segment_is_an_end_or_a_foot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
