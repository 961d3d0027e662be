// The separating axis tests: traps of the published listings, and random boxes against brute force.
#include "support.h"
#include <trivet/primitives.h>

static trv_vec3 v3(float x, float y, float z)
{
    return trv_make_vec3(x, y, z);
}

static trv_obb random_box(test_random *random)
{
    trv_obb box;
    box.center = random_vec3(random, 3.0f);
    box.half.x = random_float(random, 0.05f, 2.0f);
    box.half.y = random_float(random, 0.05f, 2.0f);
    box.half.z = random_float(random, 0.05f, 2.0f);
    box.rotation = random_quat(random);
    return box;
}

// The extent of the box's eight corners along n.
static void extent(trv_obb box, trv_vec3 n, double *least, double *most)
{
    trv_pose pose = {box.center, box.rotation};
    *least = HUGE_VAL;
    *most = -HUGE_VAL;
    for (int i = 0; i < 8; ++i) {
        trv_vec3 p = trv_pose_apply(pose, v3(i & 1 ? box.half.x : -box.half.x,
                                             i & 2 ? box.half.y : -box.half.y,
                                             i & 4 ? box.half.z : -box.half.z));
        double at = (double)p.x * n.x + (double)p.y * n.y + (double)p.z * n.z;
        *least = fmin(*least, at);
        *most = fmax(*most, at);
    }
}

static trv_obb moved(trv_obb box, trv_vec3 n, float by)
{
    box.center = v3(box.center.x + n.x * by, box.center.y + n.y * by, box.center.z + n.z * by);
    return box;
}

static void parallel_edges_do_not_separate_overlapping_boxes(void **state)
{
    (void)state; // the listing lets rounding noise of a cross product do so
    test_random random = {41};
    for (int i = 0; i < 20000; ++i) {
        trv_obb a = random_box(&random), b = a;
        b.center = moved(a, random_vec3(&random, 1.0f), 1.0f).center;
        trv_quat nudge = trv_quat_about(random_vec3(&random, 1.0f),
                                        (float)(i % 3) * 1e-7f); // the same, or an ulp or two off
        b.rotation = trv_quat_multiply(nudge, a.rotation);
        // In A's axes the boxes overlap by what the face axes say.
        trv_pose pose = {a.center, a.rotation};
        trv_vec3 t = trv_pose_apply_inverse(pose, b.center);
        float gap = fmaxf(fmaxf(fabsf(t.x) - 2 * a.half.x, fabsf(t.y) - 2 * a.half.y),
                          fabsf(t.z) - 2 * a.half.z);
        if (fabsf(gap) > 1e-5f)
            assert_true(trv_obb_overlaps_obb(a, b) == (gap < 0));
    }
}

// Whole-number quaternions a third of a turn apart have the same axes in another order, exactly; in
// double their products are 1e-17 off zero, and a cross product of such edges is nothing else.
static void edges_parallel_but_for_rounding_do_not_separate(void **state)
{
    (void)state;
    test_random random = {48};
    int overlaps = 0;
    for (int i = 0; i < 20000; ++i) {
        float q[4];
        for (int k = 0; k < 4; ++k)
            q[k] = (float)(random_bits(&random) % 19) - 9;
        if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
            continue;
        trv_obb a = random_box(&random), b = random_box(&random);
        a.rotation = (trv_quat){q[0], q[1], q[2], q[3]};
        b.rotation = (trv_quat){q[3] + q[0] + q[1] - q[2], q[3] - q[0] + q[1] + q[2],
                                q[3] + q[0] - q[1] + q[2], q[3] - q[0] - q[1] - q[2]};
        b.half.y = b.half.z = b.half.x;
        trv_pose pose = {a.center, trv_quat_multiply(a.rotation, trv_identity_quat())};
        trv_vec3 t = trv_pose_apply_inverse(pose, b.center);
        float gap =
            fmaxf(fmaxf(fabsf(t.x) - a.half.x, fabsf(t.y) - a.half.y), fabsf(t.z) - a.half.z) -
            b.half.x;
        overlaps += gap < -1e-5f;
        if (fabsf(gap) > 1e-5f)
            assert_true(trv_obb_overlaps_obb(a, b) == (gap < 0));
    }
    assert_true(overlaps > 1000);
}

static void a_gap_between_the_edges_of_long_rods_is_seen(void **state)
{
    (void)state; // adding 1e-6 to |R| hides it
    // Two square rods, 2000 m long, crossed at a small angle edge over edge: only the axis across
    // both edges separates them.
    trv_quat on_edge = trv_quat_about(v3(1, 0, 0), 0.78539816f);
    trv_obb a = {{0, 0, 0}, {1000, 1, 1}, on_edge};
    trv_obb b = {{0, 0, 2.8285f}, {1000, 1, 1}, {0, 0, 0, 1}};
    b.rotation = trv_quat_multiply(trv_quat_about(v3(0, 0, 1), 0.01f), on_edge);
    trv_axis_separation gap;
    assert_true(trv_obb_separation(a, b, &gap));
    assert_true(gap.axis >= 6);
    expect_near(gap.separation, 2.8285 - 2.8284271, 1e-5);
    assert_false(trv_obb_overlaps_obb(a, b));
    b.center.z = 2.8283f;
    assert_true(trv_obb_overlaps_obb(a, b));
}

static void exact_touches_of_boxes_along_the_axes_count(void **state)
{
    (void)state;
    const float s = 0.70710678f;
    const trv_quat quarter[] = {
        {0, 0, 0, 1}, {s, 0, 0, s}, {0, s, 0, s}, {0, 0, s, s}, {0.5f, 0.5f, 0.5f, 0.5f},
        {1, 0, 0, 0}};
    for (size_t i = 0; i < 6; ++i) {
        trv_obb a = {{0, 0, 0}, {2, 2, 2}, quarter[i]}, b = {{5, 5, 5}, {3, 3, 3}, quarter[5 - i]};
        assert_true(trv_obb_overlaps_obb(a, b));
        b.center.y = nextafterf(5, 6);
        assert_false(trv_obb_overlaps_obb(a, b));
        trv_axis_separation gap;
        assert_true(trv_obb_separation(a, b, &gap));
        expect_near(gap.normal.y, 1.0, 0.0);
        expect_near(gap.separation, nextafterf(5, 6) - 5.0f, 0.0);
    }
}

static void the_length_of_a_quaternion_does_not_matter(void **state)
{
    (void)state;
    test_random random = {42};
    for (int i = 0; i < 2000; ++i) {
        trv_obb a = random_box(&random), b = random_box(&random), c = b;
        c.rotation =
            (trv_quat){b.rotation.x * 64, b.rotation.y * 64, b.rotation.z * 64, b.rotation.w * 64};
        trv_axis_separation with_b, with_c;
        assert_true(trv_obb_separation(a, b, &with_b) && trv_obb_separation(a, c, &with_c));
        assert_memory_equal(&with_b, &with_c, sizeof with_b);
    }
    trv_obb none = {{0, 0, 0}, {1, 1, 1}, {0, 0, 0, 0}};
    assert_false(trv_obb_overlaps_obb(none, none));
}

static void the_separation_is_the_gap_of_the_corners_along_the_normal(void **state)
{
    (void)state;
    test_random random = {43};
    int by_kind[3] = {0, 0, 0}, apart = 0;
    for (int i = 0; i < 20000; ++i) {
        trv_obb a = random_box(&random), b = random_box(&random);
        trv_axis_separation gap;
        assert_true(trv_obb_separation(a, b, &gap));
        double a_least, a_most, b_least, b_most;
        extent(a, gap.normal, &a_least, &a_most);
        extent(b, gap.normal, &b_least, &b_most);
        expect_near(b_least - a_most, gap.separation, 1e-5);
        assert_true(trv_obb_overlaps_obb(a, b) == (gap.separation <= 0));
        apart += gap.separation > 0;
        by_kind[gap.axis < 3 ? 0 : gap.axis < 6 ? 1 : 2]++;
        if (gap.separation <
            0) { // pushed out along the normal it is free, a bit less and it is not
            assert_false(trv_obb_overlaps_obb(a, moved(b, gap.normal, 1e-4f - gap.separation)));
            assert_true(trv_obb_overlaps_obb(a, moved(b, gap.normal, -0.9f * gap.separation)));
        }
    }
    assert_true(apart > 1000 && by_kind[0] > 1000 && by_kind[1] > 1000 && by_kind[2] > 300);
}

static void swapping_the_boxes_flips_the_normal(void **state)
{
    (void)state;
    test_random random = {44};
    for (int i = 0; i < 10000; ++i) {
        trv_obb a = random_box(&random), b = random_box(&random);
        trv_axis_separation ab, ba;
        assert_true(trv_obb_separation(a, b, &ab) && trv_obb_separation(b, a, &ba));
        expect_near(ab.separation, ba.separation, 1e-6);
        assert_true(trv_obb_overlaps_obb(a, b) == trv_obb_overlaps_obb(b, a));
        float dot =
            ab.normal.x * ba.normal.x + ab.normal.y * ba.normal.y + ab.normal.z * ba.normal.z;
        expect_near(dot, -1.0, 1e-5);
    }
}

static void moving_both_boxes_rigidly_keeps_the_separation(void **state)
{
    (void)state;
    test_random random = {45};
    for (int i = 0; i < 10000; ++i) {
        trv_obb a = random_box(&random), b = random_box(&random);
        trv_pose pose = {random_vec3(&random, 10), random_quat(&random)};
        trv_obb c = {trv_pose_apply(pose, a.center), a.half,
                     trv_quat_multiply(pose.rotation, a.rotation)};
        trv_obb d = {trv_pose_apply(pose, b.center), b.half,
                     trv_quat_multiply(pose.rotation, b.rotation)};
        trv_axis_separation before, after;
        assert_true(trv_obb_separation(a, b, &before) && trv_obb_separation(c, d, &after));
        expect_near(before.separation, after.separation, 2e-5);
    }
}

static void boxes_of_1e30_metres_are_answered(void **state)
{
    (void)state;
    trv_obb a = {{0, 0, 0}, {1e30f, 1e30f, 1e30f}, trv_identity_quat()};
    trv_obb b = {{2.5e30f, 0, 0}, {1e30f, 1e30f, 1e30f}, {0.5f, 0.5f, 0.5f, 0.5f}};
    trv_axis_separation gap;
    assert_true(trv_obb_separation(a, b, &gap));
    expect_near(gap.separation / 5e29f, 1.0, 1e-6);
    b.center.x = 1.9e30f;
    assert_true(trv_obb_overlaps_obb(a, b));
}

static void a_segment_within_the_box_overlaps(void **state)
{
    (void)state;
    trv_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    trv_segment s = {{-0.5f, 0, 0}, {0.5f, 0.1f, 0}};
    assert_true(trv_segment_overlaps_aabb(s, box));
}

static void a_segment_of_no_length_is_a_point(void **state)
{
    (void)state;
    trv_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    trv_segment on = {{1, 1, 1}, {1, 1, 1}}, off = {{1.0001f, 1, 1}, {1.0001f, 1, 1}};
    assert_true(trv_segment_overlaps_aabb(on, box));
    assert_false(trv_segment_overlaps_aabb(off, box));
}

static void a_segment_that_touches_an_edge_overlaps(void **state)
{
    (void)state; // a unit direction rounds such touches away; the half vector does not
    trv_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    trv_segment s = {{0, 2, 0.3f}, {2, 0, 0.3f}}; // through (1, 1)
    assert_true(trv_segment_overlaps_aabb(s, box));
    trv_segment corner = {{-1, 3, 5}, {3, -1, -3}}; // through (1, 1, 1)
    assert_true(trv_segment_overlaps_aabb(corner, box));
    s.a.y = nextafterf(2, 3);
    assert_false(trv_segment_overlaps_aabb(s, box));
}

// The shortest of the cross products of the segment's half with the box's edges: a rounding of the
// ends turns these axes by its size over that length.
static double shortest_cross(trv_segment s)
{
    double x = 0.5 * ((double)s.b.x - s.a.x), y = 0.5 * ((double)s.b.y - s.a.y),
           z = 0.5 * ((double)s.b.z - s.a.z);
    return fmin(fmin(hypot(y, z), hypot(z, x)), hypot(x, y));
}

static void a_segment_meets_a_turned_box_as_it_meets_the_box_at_rest(void **state)
{
    (void)state; // the listing's title says OBB, its code wants box space
    test_random random = {46};
    int overlaps = 0, by_cross = 0;
    for (int i = 0; i < 20000; ++i) {
        trv_obb box = random_box(&random);
        trv_segment s;
        s.a = random_vec3(&random, 4);
        s.b = random_vec3(&random, 4);
        trv_pose pose = {box.center, box.rotation};
        trv_segment local = {trv_pose_apply_inverse(pose, s.a), trv_pose_apply_inverse(pose, s.b)};
        trv_aabb rest = {v3(-box.half.x, -box.half.y, -box.half.z), box.half};
        trv_axis_separation in_world, at_rest;
        assert_true(trv_segment_obb_separation(s, box, &in_world));
        assert_true(trv_segment_aabb_separation(local, rest, &at_rest));
        double rounding = 6e-6 * (1 + 1 / shortest_cross(local));
        expect_near(in_world.separation, at_rest.separation, rounding);
        if (fabsf(at_rest.separation) > rounding)
            assert_true(trv_segment_overlaps_obb(s, box) == trv_segment_overlaps_aabb(local, rest));
        overlaps += at_rest.separation <= 0;
        by_cross += at_rest.axis >= 3;
        // From the segment to the box: along the normal the segment ends before the box begins.
        double least, most;
        extent(box, in_world.normal, &least, &most);
        trv_vec3 n = in_world.normal;
        double a = (double)s.a.x * n.x + (double)s.a.y * n.y + (double)s.a.z * n.z;
        double b = (double)s.b.x * n.x + (double)s.b.y * n.y + (double)s.b.z * n.z;
        expect_near(least - fmax(a, b), in_world.separation, 1e-5);
    }
    assert_true(overlaps > 1000 && by_cross > 1000);
}

static void a_segment_overlaps_iff_its_ray_hits(void **state)
{
    (void)state;
    test_random random = {47};
    for (int i = 0; i < 20000; ++i) {
        trv_obb box = random_box(&random);
        trv_ray ray = {random_vec3(&random, 4), random_vec3(&random, 8)};
        trv_segment s = {ray.origin, v3(ray.origin.x + ray.travel.x, ray.origin.y + ray.travel.y,
                                        ray.origin.z + ray.travel.z)};
        trv_axis_separation gap;
        assert_true(trv_segment_obb_separation(s, box, &gap));
        if (fabsf(gap.separation) > 1e-5f)
            assert_true(trv_ray_obb(ray, box).hit == trv_segment_overlaps_obb(s, box));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_edges_do_not_separate_overlapping_boxes),
        cmocka_unit_test(edges_parallel_but_for_rounding_do_not_separate),
        cmocka_unit_test(a_gap_between_the_edges_of_long_rods_is_seen),
        cmocka_unit_test(exact_touches_of_boxes_along_the_axes_count),
        cmocka_unit_test(the_length_of_a_quaternion_does_not_matter),
        cmocka_unit_test(the_separation_is_the_gap_of_the_corners_along_the_normal),
        cmocka_unit_test(swapping_the_boxes_flips_the_normal),
        cmocka_unit_test(moving_both_boxes_rigidly_keeps_the_separation),
        cmocka_unit_test(boxes_of_1e30_metres_are_answered),
        cmocka_unit_test(a_segment_within_the_box_overlaps),
        cmocka_unit_test(a_segment_of_no_length_is_a_point),
        cmocka_unit_test(a_segment_that_touches_an_edge_overlaps),
        cmocka_unit_test(a_segment_meets_a_turned_box_as_it_meets_the_box_at_rest),
        cmocka_unit_test(a_segment_overlaps_iff_its_ray_hits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
