// Sweeps: the traps of Gomez' listings 1, 2 and 4, and random motions against sampled overlap.
#include "support.h"
#include <trivet/primitives.h>

static trv_vec3 v3(float x, float y, float z)
{
    return trv_make_vec3(x, y, z);
}

static const trv_plane ground = {{0, 1, 0}, 0};

static void spheres_at_rest_apart_do_not_hit(void **state)
{
    (void)state; // listing 2: both roots are 0 / 0, and it says hit
    float u0, u1;
    trv_vec3 a = v3(0, 0, 0), b = v3(5, 0, 0);
    assert_false(trv_sweep_sphere_sphere(1, a, a, 1, b, b, &u0, &u1));
    // moving together is rest as well
    assert_false(trv_sweep_sphere_sphere(1, a, v3(9, 1, 2), 1, b, v3(14, 1, 2), &u0, &u1));
    assert_true(u0 == 0 && u1 == 0);
}

static void spheres_at_rest_in_touch_overlap_all_the_time(void **state)
{
    (void)state;
    float u0 = -1, u1 = -1;
    trv_vec3 a = v3(0, 0, 0), b = v3(2, 0, 0);
    assert_true(trv_sweep_sphere_sphere(1, a, a, 1, b, b, &u0, &u1));
    assert_true(u0 == 0 && u1 == 1);
}

static void hits_in_the_past_and_after_the_step_do_not_count(void **state)
{
    (void)state; // listing 2 never compares its roots with [0, 1]
    trv_vec3 a = v3(0, 0, 0);
    assert_false(trv_sweep_sphere_sphere(1, a, a, 1, v3(3, 0, 0), v3(9, 0, 0), NULL, NULL));
    assert_false(trv_sweep_sphere_sphere(1, a, a, 1, v3(9, 0, 0), v3(3, 0, 0), NULL, NULL));
    assert_true(trv_sweep_sphere_sphere(1, a, a, 1, v3(9, 0, 0), v3(2, 0, 0), NULL, NULL));
    trv_vec3 e = v3(1, 1, 1);
    assert_false(trv_sweep_aabb_aabb(e, a, a, e, v3(3, 0, 0), v3(9, 0, 0), NULL, NULL, NULL));
    assert_false(trv_sweep_aabb_aabb(e, a, a, e, v3(9, 0, 0), v3(3, 0, 0), NULL, NULL, NULL));
    assert_true(trv_sweep_aabb_aabb(e, a, a, e, v3(9, 0, 0), v3(2, 0, 0), NULL, NULL, NULL));
}

static void the_last_time_of_overlap_is_told_after_an_overlap_at_the_start(void **state)
{
    (void)state; // the listings return u0 = u1 = 0
    float u0 = -1, u1 = -1;
    trv_vec3 a = v3(0, 0, 0);
    assert_true(trv_sweep_sphere_sphere(1, a, a, 1, v3(0, 0, 0), v3(4, 0, 0), &u0, &u1));
    assert_true(u0 == 0 && u1 == 0.5f);
    trv_vec3 e = v3(1, 1, 1);
    uint32_t axes = 9;
    assert_true(trv_sweep_aabb_aabb(e, a, a, e, a, v3(0, 4, 0), &u0, &u1, &axes));
    assert_true(u0 == 0 && u1 == 0.5f && axes == 0);
}

static void the_last_time_is_clipped_to_the_step(void **state)
{
    (void)state;
    float u0 = -1, u1 = -1;
    trv_vec3 a = v3(0, 0, 0), e = v3(1, 1, 1);
    assert_true(trv_sweep_sphere_sphere(1, a, a, 1, v3(4, 0, 0), v3(0, 0, 0), &u0, &u1));
    assert_true(u0 == 0.5f && u1 == 1);
    assert_true(trv_sweep_aabb_aabb(e, a, a, e, v3(4, 0, 0), a, &u0, &u1, NULL));
    assert_true(u0 == 0.5f && u1 == 1);
}

static void an_exact_graze_of_spheres_is_one_instant(void **state)
{
    (void)state;
    float u0 = -1, u1 = -1;
    trv_vec3 a = v3(0, 0, 0);
    assert_true(trv_sweep_sphere_sphere(1, a, a, 1, v3(-4, 2, 0), v3(12, 2, 0), &u0, &u1));
    assert_true(u0 == 0.25f && u1 == 0.25f);
    float above = nextafterf(2, 3);
    assert_false(
        trv_sweep_sphere_sphere(1, a, a, 1, v3(-4, above, 0), v3(12, above, 0), NULL, NULL));
}

static void a_small_sphere_from_far_away_hits_where_it_should(void **state)
{
    (void)state; // b b - 4 a c cancels here
    float u0 = -1, u1 = -1;
    trv_vec3 a = v3(0, 0, 0);
    assert_true(trv_sweep_sphere_sphere(0.001f, a, a, 0.001f, v3(-16384, 0.0019f, 0),
                                        v3(16384, 0.0019f, 0), &u0, &u1));
    expect_near(u0, 0.5 - 6.2e-4 / 32768, 1e-7);
    assert_false(trv_sweep_sphere_sphere(0.001f, a, a, 0.001f, v3(-16384, 0.0021f, 0),
                                         v3(16384, 0.0021f, 0), &u0, &u1));
}

static void a_sphere_touching_the_plane_at_the_start_hits_even_when_leaving(void **state)
{
    (void)state;
    float u = -1;
    trv_vec3 center;
    assert_true(trv_sweep_sphere_plane(1, v3(0, 1, 0), v3(0, 9, 0), ground, &u, &center));
    assert_true(u == 0 && center.y == 1);
}

static void touching_just_at_the_end_is_left_to_the_next_step(void **state)
{
    (void)state;
    float u = -1;
    trv_vec3 c0 = v3(0, 5, 0), c1 = v3(0, 1, 0);
    assert_false(trv_sweep_sphere_plane(1, c0, c1, ground, &u, NULL));
    assert_true(trv_sweep_sphere_plane_closed(1, c0, c1, ground, &u, NULL) && u == 1);
    assert_true(trv_sweep_sphere_plane_two_sided(1, c0, c1, ground, &u, NULL) && u == 1);
}

static void a_sphere_below_the_plane_hits_two_sided_only(void **state)
{
    (void)state;
    float u = -1;
    trv_vec3 c0 = v3(0, -5, 0), c1 = v3(0, 3, 0), center;
    assert_false(trv_sweep_sphere_plane(1, c0, c1, ground, &u, NULL));
    assert_false(trv_sweep_sphere_plane_closed(1, c0, c1, ground, &u, &center));
    assert_true(u == 0 && center.y == 0); // zeroed
    assert_true(trv_sweep_sphere_plane_two_sided(1, c0, c1, ground, &u, &center));
    assert_true(u == 0.5f && center.y == -1);
}

static void a_fast_sphere_does_not_tunnel_through_the_plane(void **state)
{
    (void)state;
    float u = -1;
    trv_vec3 center;
    assert_true(trv_sweep_sphere_plane(0.5f, v3(0, 100, 0), v3(8, -100, 0), ground, &u, &center));
    expect_near(u, 0.4975, 1e-7);
    expect_near(center.y, 0.5, 1e-6);
}

static void an_axis_apart_and_at_rest_keeps_boxes_apart(void **state)
{
    (void)state; // listing 4 takes it for an overlap of the whole step
    trv_vec3 e = v3(1, 1, 1), a = v3(0, 0, 0);
    assert_false(trv_sweep_aabb_aabb(e, a, a, e, v3(5, 9, 0), v3(-5, 9, 0), NULL, NULL, NULL));
    assert_false(trv_sweep_aabb_aabb(e, a, a, e, v3(5, 0, 0), v3(5, 0, 0), NULL, NULL, NULL));
}

static void an_axis_apart_and_receding_keeps_boxes_apart(void **state)
{
    (void)state;
    trv_vec3 e = v3(1, 1, 1), a = v3(0, 0, 0);
    assert_false(trv_sweep_aabb_aabb(e, a, a, e, v3(5, 3, 0), v3(-5, 4, 0), NULL, NULL, NULL));
}

static void a_touch_at_the_start_that_recedes_ends_at_once(void **state)
{
    (void)state; // listing 4 keeps u1 = 1
    float u0 = -1, u1 = -1;
    uint32_t axes = 9;
    trv_vec3 e = v3(1, 1, 1), a = v3(0, 0, 0);
    assert_true(trv_sweep_aabb_aabb(e, a, a, e, v3(2, 0, 0), v3(9, 0, 0), &u0, &u1, &axes));
    assert_true(u0 == 0 && u1 == 0 && axes == 0);
}

static void boxes_that_all_axes_close_after_the_step_do_not_hit(void **state)
{
    (void)state; // u0 <= u1 is not enough
    trv_vec3 e = v3(1, 1, 1), a = v3(0, 0, 0);
    assert_false(trv_sweep_aabb_aabb(e, a, a, e, v3(9, 9, 9), v3(4, 4, 4), NULL, NULL, NULL));
}

static void the_axes_that_close_last_are_told(void **state)
{
    (void)state;
    float u0 = -1, u1 = -1;
    uint32_t axes = 0;
    trv_vec3 e = v3(1, 1, 1), a = v3(0, 0, 0);
    assert_true(trv_sweep_aabb_aabb(e, a, a, e, v3(6, 3, 0), v3(-2, 0, 0), &u0, &u1, &axes));
    assert_true(u0 == 0.5f && axes == 1);
    assert_true(trv_sweep_aabb_aabb(e, a, a, e, v3(6, 0, -6), v3(-2, 0, 2), &u0, &u1, &axes));
    assert_true(u0 == 0.5f && axes == 5);
    // past an edge: one instant
    assert_true(trv_sweep_aabb_aabb(e, a, a, e, v3(4, 0, 0), v3(0, 4, 0), &u0, &u1, &axes));
    assert_true(u0 == 0.5f && u1 == 0.5f && axes == 1);
}

static void a_box_can_grow_into_another(void **state)
{
    (void)state;
    float u0 = -1, u1 = -1;
    uint32_t axes = 0;
    trv_aabb a0 = {{0, 0, 0}, {1, 1, 1}}, a1 = {{0, 0, 0}, {5, 1, 1}}, b = {{3, 0, 0}, {4, 1, 1}};
    assert_true(trv_sweep_bounds(a0, a1, b, b, &u0, &u1, &axes));
    assert_true(u0 == 0.5f && u1 == 1 && axes == 1);
}

static trv_vec3 along(trv_vec3 a, trv_vec3 b, float u)
{
    return v3(a.x + (b.x - a.x) * u, a.y + (b.y - a.y) * u, a.z + (b.z - a.z) * u);
}

static void sphere_sweeps_agree_with_overlap_at_every_time(void **state)
{
    (void)state;
    test_random random = {51};
    int hits = 0, misses = 0;
    for (int i = 0; i < 4000; ++i) {
        trv_vec3 a0 = random_vec3(&random, 4), a1 = random_vec3(&random, 4);
        trv_vec3 b0 = random_vec3(&random, 4), b1 = random_vec3(&random, 4);
        float ra = random_float(&random, 0, 2), rb = random_float(&random, 0, 2), u0, u1, v0, v1;
        bool hit = trv_sweep_sphere_sphere(ra, a0, a1, rb, b0, b1, &u0, &u1);
        hits += hit;
        misses += !hit;
        assert_true(trv_sweep_sphere_sphere(rb, b0, b1, ra, a0, a1, &v0, &v1) == hit);
        expect_near(u0, v0, 1e-6);
        expect_near(u1, v1, 1e-6);
        for (int k = 0; k <= 50; ++k) {
            float u = (float)k / 50;
            float gap = trv_point_distance(along(a0, a1, u), along(b0, b1, u)) - (ra + rb);
            if (gap < -1e-4f)
                assert_true(hit && u0 <= u && u <= u1);
            if (gap > 1e-4f)
                assert_true(!hit || u < u0 || u > u1);
        }
    }
    assert_true(hits > 500 && misses > 500);
}

static trv_aabb box_at(trv_vec3 c, trv_vec3 e)
{
    trv_aabb box = {{c.x - e.x, c.y - e.y, c.z - e.z}, {c.x + e.x, c.y + e.y, c.z + e.z}};
    return box;
}

static void box_sweeps_agree_with_overlap_at_every_time(void **state)
{
    (void)state;
    test_random random = {52};
    int hits = 0, misses = 0;
    for (int i = 0; i < 4000; ++i) {
        trv_vec3 a0 = random_vec3(&random, 4), a1 = random_vec3(&random, 4);
        trv_vec3 b0 = random_vec3(&random, 4), b1 = random_vec3(&random, 4);
        float width = random_float(&random, 0, 2), height = random_float(&random, 0, 2);
        trv_vec3 ea = v3(width, height, 1), eb = ea;
        float u0, u1, v0, v1;
        uint32_t axes, by_bounds;
        bool hit = trv_sweep_aabb_aabb(ea, a0, a1, eb, b0, b1, &u0, &u1, &axes);
        hits += hit;
        misses += !hit;
        assert_true((axes != 0) == (hit && u0 > 0));
        assert_true(trv_sweep_aabb_aabb(eb, b0, b1, ea, a0, a1, &v0, &v1, NULL) == hit);
        assert_true(u0 == v0 && u1 == v1);
        if (trv_sweep_bounds(box_at(a0, ea), box_at(a1, ea), box_at(b0, eb), box_at(b1, eb), &v0,
                             &v1, &by_bounds) &&
            hit) {
            expect_near(u0, v0, 1e-5);
            expect_near(u1, v1, 1e-5);
        }
        for (int k = 0; k <= 50; ++k) {
            float u = (float)k / 50;
            trv_axis_separation gap;
            assert_true(trv_aabb_separation(box_at(along(a0, a1, u), ea),
                                            box_at(along(b0, b1, u), eb), &gap));
            if (gap.separation < -1e-4f)
                assert_true(hit && u0 <= u && u <= u1);
            if (gap.separation > 1e-4f)
                assert_true(!hit || u < u0 || u > u1);
        }
    }
    assert_true(hits > 500 && misses > 500);
}

// Listings 3 and 4 decide the same boxes by different predicates, and in float32 they disagree.
static void boxes_at_rest_sweep_into_overlap_iff_they_overlap(void **state)
{
    (void)state;
    test_random random = {53};
    int touching = 0;
    for (int i = 0; i < 20000; ++i) {
        // On a grid of quarters, so that exact touches abound.
        trv_vec3 a = v3((float)(random_bits(&random) % 16) / 4, 0, 0), e = v3(0.5f, 0.5f, 0.5f);
        trv_vec3 b = v3((float)(random_bits(&random) % 16) / 4, 0, 0);
        b.y = (float)(random_bits(&random) % 8) / 4;
        bool overlap = trv_aabb_overlaps_aabb(box_at(a, e), box_at(b, e));
        trv_obb oa = {a, e, trv_identity_quat()}, ob = {b, e, trv_identity_quat()};
        assert_true(trv_sweep_aabb_aabb(e, a, a, e, b, b, NULL, NULL, NULL) == overlap);
        assert_true(trv_obb_overlaps_obb(oa, ob) == overlap);
        trv_axis_separation gap;
        assert_true(trv_aabb_separation(box_at(a, e), box_at(b, e), &gap));
        touching += gap.separation == 0;
    }
    assert_true(touching > 500);
}

static void sweeps_at_1e30_metres_are_answered(void **state)
{
    (void)state;
    float u0 = -1, u1 = -1;
    trv_vec3 a = v3(0, 0, 0);
    assert_true(
        trv_sweep_sphere_sphere(1e30f, a, a, 1e30f, v3(4e30f, 0, 0), v3(-4e30f, 0, 0), &u0, &u1));
    expect_near(u0, 0.25, 1e-6);
    expect_near(u1, 0.75, 1e-6);
    assert_true(trv_sweep_sphere_plane(1e-30f, v3(0, 3e-30f, 0), a, ground, &u0, NULL));
    expect_near(u0, 2.0 / 3.0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_at_rest_apart_do_not_hit),
        cmocka_unit_test(spheres_at_rest_in_touch_overlap_all_the_time),
        cmocka_unit_test(hits_in_the_past_and_after_the_step_do_not_count),
        cmocka_unit_test(the_last_time_of_overlap_is_told_after_an_overlap_at_the_start),
        cmocka_unit_test(the_last_time_is_clipped_to_the_step),
        cmocka_unit_test(an_exact_graze_of_spheres_is_one_instant),
        cmocka_unit_test(a_small_sphere_from_far_away_hits_where_it_should),
        cmocka_unit_test(a_sphere_touching_the_plane_at_the_start_hits_even_when_leaving),
        cmocka_unit_test(touching_just_at_the_end_is_left_to_the_next_step),
        cmocka_unit_test(a_sphere_below_the_plane_hits_two_sided_only),
        cmocka_unit_test(a_fast_sphere_does_not_tunnel_through_the_plane),
        cmocka_unit_test(an_axis_apart_and_at_rest_keeps_boxes_apart),
        cmocka_unit_test(an_axis_apart_and_receding_keeps_boxes_apart),
        cmocka_unit_test(a_touch_at_the_start_that_recedes_ends_at_once),
        cmocka_unit_test(boxes_that_all_axes_close_after_the_step_do_not_hit),
        cmocka_unit_test(the_axes_that_close_last_are_told),
        cmocka_unit_test(a_box_can_grow_into_another),
        cmocka_unit_test(sphere_sweeps_agree_with_overlap_at_every_time),
        cmocka_unit_test(box_sweeps_agree_with_overlap_at_every_time),
        cmocka_unit_test(boxes_at_rest_sweep_into_overlap_iff_they_overlap),
        cmocka_unit_test(sweeps_at_1e30_metres_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
