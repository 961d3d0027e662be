// Distances of shapes that are hardly there: capsules without length, boxes as thin as float32 can
// say. Their corners as loose points take another way to the answer.
#include "support.h"

#include <trivet/collide.h>

#include "math/math.h"

static const trv_vec3 origin = {0.0f, 0.0f, 0.0f};

static trv_pose random_pose(test_random *random, float extent)
{
    trv_pose pose = {random_vec3(random, extent), random_quat(random)};
    return pose;
}

static trv_shape other_shape(int i)
{
    switch (i % 4) {
    case 0:
        return trv_make_box((trv_vec3){0.5f, 0.3f, 1.0e-6f});
    case 1:
        return trv_make_capsule(origin, (trv_vec3){1.0e-7f, 0.0f, 0.0f}, 0.2f);
    case 2:
        return trv_make_capsule(origin, origin, 0.2f);
    default:
        return trv_make_sphere(origin, 0.3f);
    }
}

static void a_capsule_without_length_is_a_sphere(void **state)
{
    (void)state;
    test_random random = {21};
    uint32_t meeting = 0, apart = 0;
    for (int i = 0; i < 8000; i++) {
        trv_vec3 center = random_vec3(&random, 1.0f), near_by = center;
        float radius = random_float(&random, 0.1f, 0.5f);
        near_by.x = nextafterf(center.x, 9.0f);
        trv_shape sphere = trv_make_sphere(center, radius), other = other_shape(i);
        trv_shape point = trv_make_capsule(center, center, radius);
        trv_shape speck = trv_make_capsule(center, near_by, radius);
        trv_pose pose = random_pose(&random, 0.5f), pose_other = random_pose(&random, 0.5f);
        trv_gap wanted, gap;
        expect_result(trv_distance(&sphere, pose, &other, pose_other, &wanted), TRV_OK);
        expect_result(trv_distance(&point, pose, &other, pose_other, &gap), TRV_OK);
        assert_memory_equal(&gap, &wanted, sizeof gap);
        expect_result(trv_distance(&speck, pose, &other, pose_other, &gap), TRV_OK);
        expect_near(gap.distance, wanted.distance, 5.0e-7);
        expect_near(trvi_length(gap.normal), 1.0, 1.0e-6);
        meeting += wanted.distance < 0.0f;
        apart += wanted.distance > 0.0f;
    }
    assert_true(meeting > 500 && apart > 1000);
}

static void corners_of(trv_vec3 half, trv_vec3 *corners)
{
    for (uint32_t i = 0; i < 8; i++)
        corners[i] = (trv_vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                i & 4 ? half.z : -half.z};
}

static void thin_boxes_are_as_far_apart_as_their_corners(void **state)
{
    (void)state;
    const float thin[] = {1.0e-2f, 1.0e-4f, 1.0e-6f, 1.0e-9f, 1.0e-20f};
    const trv_vec3 ends[2] = {{-0.5f, 0.0f, 0.0f}, {0.5f, 0.0f, 0.0f}};
    test_random random = {23};
    uint32_t meeting = 0, apart = 0;
    for (int i = 0; i < 10000; i++) {
        float t = thin[i % 5];
        const trv_vec3 other[3] = {{0.8f, t, t}, {t, 0.8f, 0.6f}, {0.8f, 0.5f, 0.6f}};
        trv_vec3 half_a = {1.0f, 0.7f, t}, half_b = other[i % 3], a[8], b[8];
        corners_of(half_a, a);
        corners_of(half_b, b);
        trv_shape box_a = trv_make_box(half_a), box_b = trv_make_box(half_b);
        trv_shape rod = trv_make_capsule(ends[0], ends[1], t);
        trv_pose pose_a = random_pose(&random, 0.7f), pose_b = random_pose(&random, 0.7f);
        if (i % 7 == 0)
            pose_a.rotation = pose_b.rotation;
        trv_gap gap, of_points;
        expect_result(trv_distance(&box_a, pose_a, &box_b, pose_b, &gap), TRV_OK);
        expect_result(trv_distance_points(a, 8, pose_a, b, 8, pose_b, &of_points), TRV_OK);
        expect_near(gap.distance, of_points.distance, 5.0e-7);
        trv_vec3 between = trvi_sub(gap.point_b, gap.point_a);
        expect_near(trvi_length(between), fabsf(gap.distance), 1.0e-6);
        meeting += gap.distance <= 0.0f;
        apart += gap.distance > 0.0f;
        expect_result(trv_distance(&box_a, pose_a, &rod, pose_b, &gap), TRV_OK);
        expect_result(trv_distance_points(a, 8, pose_a, ends, 2, pose_b, &of_points), TRV_OK);
        expect_near(gap.distance, of_points.distance - t, 5.0e-7);
    }
    assert_true(meeting > 1000 && apart > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capsule_without_length_is_a_sphere),
        cmocka_unit_test(thin_boxes_are_as_far_apart_as_their_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
