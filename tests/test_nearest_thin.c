// Distances of shapes that are hardly there: capsules without length, boxes as thin as float32 can
// say, whose corners as loose points take another way to the answer; blades and needles.
#include "support.h"

#include <trivet/collide.h>
#include <trivet/mesh.h>

#include "../src/narrow/nearest.h"
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
    for (int i = 0; i < 8; i++)
        corners[i] = corner_of_box(half, i);
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

// Flat but for a part of its length that is next to nothing: any points of a plane, nearly; the last
// kind is a segment.
static trv_shape make_blade(test_random *random, bool is_segment, float length, trv_hull **hull)
{
    float wide = length * powf(10.0f, random_float(random, -3.0f, 0.0f));
    float thin = length * powf(10.0f, random_float(random, -14.0f, -9.0f));
    trv_vec3 points[8];
    trv_hull_def def = trv_default_hull_def();
    uint32_t count = 4 + (uint32_t)(random_bits(random) % 5);
    for (uint32_t i = 0; i < count; i++)
        points[i] =
            (trv_vec3){random_float(random, -length, length), random_float(random, -wide, wide),
                       random_float(random, -thin, thin)};
    *hull = NULL;
    if (is_segment)
        return trv_make_capsule(points[0], points[1], thin);
    expect_result(trv_hull_create(points, count, &def, hull), TRV_OK);
    return trv_make_hull(*hull);
}

// The largest gap along products of ways between any two vertices of either, of which their edges are.
static double largest_product(const trvi_couple *c)
{
    double largest = -HUGE_VAL;
    for (uint32_t i = 0; i < c->a.vertex_count; i++)
        for (uint32_t j = 0; j < i; j++)
            for (uint32_t k = 0; k < c->b.vertex_count; k++)
                for (uint32_t l = 0; l < k; l++) {
                    trvi_dvec3 u = trvi_dsub(trvi_vertex(&c->a, i), trvi_vertex(&c->a, j));
                    trvi_dvec3 v = trvi_dsub(trvi_vertex_of_b(c, k), trvi_vertex_of_b(c, l));
                    trvi_dvec3 n = trvi_dcross(u, v);
                    double length = trvi_dlength(n);
                    if (!(length > 1.0e-4 * trvi_dlength(u) * trvi_dlength(v)))
                        continue; // rounding
                    n = trvi_dscale(n, 1.0 / length);
                    largest = fmax(largest, trvi_gap_along_every(c, n));
                    largest = fmax(largest, trvi_gap_along_every(c, trvi_dnegate(n)));
                }
    return largest;
}

// Round a blade's rim faces are back to back, and their normals, which are float32, lead past what the
// edges there tell.
static void blades_are_no_deeper_than_along_any_product_of_their_edges(void **state)
{
    (void)state;
    test_random random = {29};
    uint32_t deep = 0;
    for (int i = 0; i < 4000; i++) {
        float length = powf(10.0f, random_float(&random, -2.0f, 6.0f));
        trv_hull *hulls[2];
        trv_shape a = make_blade(&random, false, length, &hulls[0]);
        trv_shape b = make_blade(&random, i % 2 == 0, length, &hulls[1]);
        trv_pose pose_a = {origin, random_quat(&random)}, pose_b = {origin, random_quat(&random)};
        trvi_couple couple;
        trvi_axis axis;
        trvi_couple_set(&couple, &a, pose_a, &b, pose_b);
        double largest = largest_product(&couple);
        trvi_walk_facets(&couple, &axis);
        if (largest < 0.0) {
            expect_near(axis.gap, trvi_gap_along_every(&couple, axis.normal), 1.0e-12 * length);
            assert_true(axis.gap >= largest - 1.0e-7 * length);
            trv_gap gap;
            expect_result(trv_distance(&a, pose_a, &b, pose_b, &gap), TRV_OK);
            assert_true(gap.distance >= largest - 1.0e-6 * length);
            deep++;
        }
        trv_hull_release(hulls[0]);
        trv_hull_release(hulls[1]);
    }
    assert_true(deep > 1000);
}

// A box, its corners, or a rim of four corners with a point over and one under the middle.
static trv_shape make_needle(int kind, trv_vec3 half, trv_hull **hull)
{
    trv_vec3 points[8] = {{half.x, half.y, 0.0f},   {-half.x, half.y, 0.0f},
                          {-half.x, -half.y, 0.0f}, {half.x, -half.y, 0.0f},
                          {0.0f, 0.0f, half.z},     {0.0f, 0.0f, -half.z}};
    trv_hull_def def = trv_default_hull_def();
    *hull = NULL;
    if (kind == 0)
        return trv_make_box(half);
    if (kind == 1)
        corners_of(half, points);
    expect_result(trv_hull_create(points, kind == 1 ? 8 : 6, &def, hull), TRV_OK);
    return trv_make_hull(*hull);
}

// Needles are as deep in one another as they are thick.
static void needles_that_cross_are_as_deep_as_they_are_thick(void **state)
{
    (void)state;
    test_random random = {31};
    for (int i = 0; i < 6000; i++) {
        double length = pow(10.0, random_float(&random, -2.0f, 6.0f));
        trv_hull *hulls[2];
        trv_shape shapes[2];
        double thick = 0.0;
        for (int k = 0; k < 2; k++) {
            double thin = length * pow(10.0, random_float(&random, -14.0f, -9.0f));
            trv_vec3 half = {(float)length, (float)thin, (float)thin};
            shapes[k] = make_needle(k == 0 ? i % 3 : i / 3 % 3, half, &hulls[k]);
            thick += 3.0 * thin;
        }
        trv_pose pose_a = {origin, random_quat(&random)}, pose_b = {origin, random_quat(&random)};
        if (i % 4 == 0) // at small angles
            pose_b.rotation = trv_quat_multiply(
                pose_a.rotation,
                (trv_quat){0.0f, 0.0f, powf(10.0f, random_float(&random, -4.0f, 0.0f)), 1.0f});
        trv_gap gap;
        expect_result(trv_distance(&shapes[0], pose_a, &shapes[1], pose_b, &gap), TRV_OK);
        assert_true(gap.distance <= 0.0f);
        expect_near(gap.distance, 0.0, thick + 1.0e-9 * length);
        trv_hull_release(hulls[0]);
        trv_hull_release(hulls[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capsule_without_length_is_a_sphere),
        cmocka_unit_test(thin_boxes_are_as_far_apart_as_their_corners),
        cmocka_unit_test(blades_are_no_deeper_than_along_any_product_of_their_edges),
        cmocka_unit_test(needles_that_cross_are_as_deep_as_they_are_thick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
