// Separating planes: what made them, that they part the shapes, and how well they are remembered.
#include "support.h"

#include <trivet/collide.h>

#include "hulls.h"

static trv_pose at(float x, float y, float z)
{
    return trv_make_pose((trv_vec3){x, y, z});
}

static double side_of(const trv_plane *plane, trv_pose pose, trv_vec3 local)
{
    trv_vec3 world = trvi_pose_apply(pose, local);
    return trvi_ddot(trvi_dvec3_from(plane->normal), trvi_dvec3_from(world)) +
           (double)plane->offset;
}

static void the_plane_names_the_face_or_the_edges_that_made_it(void **state)
{
    (void)state;
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    trv_separation s;
    trv_pose corner = at(0.0f, 1.5f, 0.0f); // a corner above the face of A, and below that of B
    corner.rotation = trv_quat_about((trv_vec3){1.0f, 0.0f, 1.0f}, 0.9553166f);
    expect_result(trv_separate(&box, at(0, 0, 0), &box, corner, NULL, &s), TRV_OK);
    assert_true(s.apart);
    assert_int_equal(s.source, TRV_PLANE_FACE_A);
    assert_int_equal(s.index_a, 3); // +y
    expect_near(s.plane.normal.y, 1.0, 1.0e-6);
    trv_pose below = corner;
    below.position.y = 0.0f;
    expect_result(trv_separate(&box, below, &box, at(0.0f, 1.5f, 0.0f), NULL, &s), TRV_OK);
    assert_true(s.apart);
    assert_int_equal(s.source, TRV_PLANE_FACE_B);
    assert_int_equal(s.index_b, 2); // -y
    trv_pose lower = at(0, 0, 0), upper = at(0, 1.4142135f + 0.1f, 0);
    lower.rotation = trv_quat_about((trv_vec3){0.0f, 0.0f, 1.0f}, 0.78539816f);
    upper.rotation = trv_quat_about((trv_vec3){1.0f, 0.0f, 0.0f}, 0.78539816f);
    expect_result(trv_separate(&box, lower, &box, upper, NULL, &s), TRV_OK);
    assert_true(s.apart);
    assert_int_equal(s.source, TRV_PLANE_EDGES);
    expect_near(s.gap, 0.1, 1.0e-5);
    trv_shape ball = trv_make_sphere((trv_vec3){0.0f, 0.0f, 0.0f}, 0.5f);
    expect_result(trv_separate(&ball, at(0, 0, 0), &ball, at(1, 1, 1), NULL, &s), TRV_OK);
    assert_int_equal(s.source, TRV_PLANE_VERTICES);
    expect_near(s.gap, 1.7320508 - 1.0, 1.0e-6);
}

static void every_plane_parts_its_shapes_also_far_from_the_origin(void **state)
{
    (void)state;
    test_random random = {51};
    trv_hull *hull = make_globe(7, 9, (trv_vec3){1.0f, 0.6f, 0.8f});
    trv_shape a = trv_make_hull(hull);
    uint32_t apart = 0;
    for (int i = 0; i < 3000; i++) {
        float far_off = i % 3 == 0 ? 1000.0f : 0.0f;
        trv_pose pa = {random_vec3(&random, 1.5f), random_quat(&random)};
        trv_pose pb = {random_vec3(&random, 1.5f), random_quat(&random)};
        pa.position.x += far_off;
        pb.position.x += far_off;
        trv_plane_cache cache;
        memset(&cache, 0, sizeof cache);
        for (int turn = 0; turn < 2; turn++) {
            trv_separation s;
            expect_result(trv_separate(&a, pa, &a, pb, &cache, &s), TRV_OK);
            if (!s.apart || s.gap < 1.0e-3f)
                continue;
            apart++;
            assert_int_equal(s.remembered, turn == 1);
            for (uint32_t v = 0; v < hull->vertex_count; v++) {
                assert_true(side_of(&s.plane, pa, hull->vertices[v]) < 0.0);
                assert_true(side_of(&s.plane, pb, hull->vertices[v]) > 0.0);
            }
        }
    }
    assert_true(apart > 500);
    trvi_convex_release(hull);
}

static void half_spaces_part_from_shapes_above_them(void **state)
{
    (void)state;
    trv_shape plane =
        trv_make_half_space((trv_vec3){0.0f, 1.0f, 0.0f}, (trv_vec3){0.0f, 1.0f, 0.0f});
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    trv_separation s;
    expect_result(trv_separate(&plane, at(0, 0, 0), &box, at(5, 2, 0), NULL, &s), TRV_OK);
    assert_true(s.apart);
    assert_int_equal(s.source, TRV_PLANE_FACE_A);
    expect_near(s.gap, 0.5, 1.0e-6);
    expect_near(s.plane.normal.y, 1.0, 1.0e-6);
    expect_near(s.plane.offset, -1.25, 1.0e-6);
    expect_result(trv_separate(&box, at(5, 2, 0), &plane, at(0, 0, 0), NULL, &s), TRV_OK);
    assert_int_equal(s.source, TRV_PLANE_FACE_B);
    expect_near(s.plane.normal.y, -1.0, 1.0e-6);
    expect_near(s.plane.offset, 1.25, 1.0e-6);
    expect_result(trv_separate(&plane, at(0, 0, 0), &box, at(5, 1.4f, 0), NULL, &s), TRV_OK);
    assert_false(s.apart);
    assert_int_equal(s.source, TRV_PLANE_NONE);
}

static void a_gap_of_a_millionth_is_apart_and_an_overlap_of_one_is_not(void **state)
{
    (void)state;
    test_random random = {52};
    trv_hull *hull = make_globe(12, 16, (trv_vec3){1.0f, 1.0f, 1.0f});
    trv_shape a = trv_make_hull(hull);
    for (int i = 0; i < 500; i++) {
        trv_pose pa = at(0, 0, 0), pb = {random_vec3(&random, 1.0f), random_quat(&random)};
        trv_gap gap;
        expect_result(trv_distance(&a, pa, &a, pb, &gap), TRV_OK);
        for (int turn = 0; turn < 2; turn++) {
            float wanted = turn == 0 ? 8.0e-6f : -8.0e-6f;
            trv_pose moved = pb;
            moved.position = trvi_mul_add(pb.position, gap.normal, wanted - gap.distance);
            trv_separation s;
            expect_result(trv_separate(&a, pa, &a, moved, NULL, &s), TRV_OK);
            assert_int_equal(s.apart, turn == 0);
        }
    }
    trvi_convex_release(hull);
}

// The far pose and the box's own place in its shape round differently when they are added up.
static void boxes_beside_their_origins_touch_far_out_where_they_do(void **state)
{
    (void)state;
    const trv_vec3 half = {0.01875f, 0.01875f, 0.01875f};
    test_random random = {17};
    for (int i = 0; i < 2000; i++) {
        float far_off = random_float(&random, 1.0e3f, 1.0e6f), aside = random_float(&random, -1, 1);
        trv_vec3 lower = {-half.x, aside * half.y, aside}, upper = {half.x, -half.y, aside};
        trv_shape a = trv_make_placed_box((trv_obb){lower, half, trv_identity_quat()});
        trv_shape b = trv_make_placed_box((trv_obb){upper, half, trv_identity_quat()});
        trv_pose pose = at(far_off, -far_off, 0.5f * far_off); // of both
        pose.rotation = random_quat(&random);
        trv_separation s;
        bool overlap;
        expect_result(trv_separate(&a, pose, &b, pose, NULL, &s), TRV_OK);
        expect_result(trv_overlap(&a, pose, &b, pose, &overlap), TRV_OK);
        assert_false(s.apart);
        assert_true(overlap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plane_names_the_face_or_the_edges_that_made_it),
        cmocka_unit_test(every_plane_parts_its_shapes_also_far_from_the_origin),
        cmocka_unit_test(half_spaces_part_from_shapes_above_them),
        cmocka_unit_test(a_gap_of_a_millionth_is_apart_and_an_overlap_of_one_is_not),
        cmocka_unit_test(boxes_beside_their_origins_touch_far_out_where_they_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
