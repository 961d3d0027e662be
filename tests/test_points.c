// Distances of sets of points: against hulls of the same points, on flat and doubled sets, in any
// order and place, and what callers may get wrong.
#include "support.h"

#include <trivet/collide.h>
#include <trivet/mesh.h>

#include "hulls.h"

static const trv_vec3 origin = {0.0f, 0.0f, 0.0f};

static trv_pose random_pose(test_random *random, float extent)
{
    trv_pose pose = {random_vec3(random, extent), random_quat(random)};
    return pose;
}

// What must hold of any answer: unit normal, the points across it by the distance, and the sets moved
// apart by it just touch along it.
static void expect_sound(const trv_vec3 *a, uint32_t count_a, trv_pose pose_a, const trv_vec3 *b,
                         uint32_t count_b, trv_pose pose_b, const trv_gap *gap, double slack)
{
    double top = -HUGE_VAL, bottom = HUGE_VAL;
    for (uint32_t i = 0; i < count_a; i++)
        top = fmax(top, trvi_dot(gap->normal, trv_pose_apply(pose_a, a[i])));
    for (uint32_t i = 0; i < count_b; i++)
        bottom = fmin(bottom, trvi_dot(gap->normal, trv_pose_apply(pose_b, b[i])));
    expect_near(trvi_length(gap->normal), 1.0, 1.0e-6);
    expect_near(bottom - top, gap->distance, slack);
    trv_vec3 between = trvi_sub(gap->point_b, gap->point_a);
    expect_near(trvi_dot(between, gap->normal), gap->distance, slack);
    expect_near(trvi_length(between), fabsf(gap->distance), slack);
}

static void points_and_segments_are_as_far_apart_as_by_hand(void **state)
{
    (void)state;
    const trv_vec3 points[] = {{0.0f, 0.0f, 0.0f}, {2.0f, 0.0f, 0.0f}, {1.0f, 3.0f, -1.0f},
                               {1.0f, 3.0f, 1.0f}, {1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 1.0f},
                               {0.0f, 0.0f, 0.0f}, {2.0f, 0.0f, 0.0f}, {1.0f, 0.0f, -1.0f}};
    const struct {
        uint32_t a, count_a, b, count_b;
        float distance;
    } rows[] = {
        {0, 1, 1, 1, 2.0f}, // two points
        {0, 1, 6, 1, 0.0f}, // the same one
        {0, 2, 2, 2, 3.0f}, // segments that cross in the air
        {0, 2, 4, 1, 0.0f}, // a point on a segment
        {0, 2, 4, 2, 0.0f}, // an end on a segment
        {0, 2, 6, 2, 0.0f}, // a segment and itself
        {0, 2, 2, 1, 3.1622777f},
        {5, 4, 2, 1, 3.0f}, // a square in a plane, and a point over its corner
        {5, 4, 4, 1, 0.0f}, // a point in the square
        {5, 4, 2, 2, 3.0f},
    };
    trv_pose pose = trv_make_pose(origin);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const trv_vec3 *a = points + rows[i].a, *b = points + rows[i].b;
        uint32_t na = rows[i].count_a, nb = rows[i].count_b;
        trv_gap gap;
        expect_result(trv_distance_points(a, na, pose, b, nb, pose, &gap), TRV_OK);
        expect_near(gap.distance, rows[i].distance, 1.0e-6);
        expect_sound(a, na, pose, b, nb, pose, &gap, 1.0e-6);
    }
}

static void flat_sets_that_cross_are_at_depth_zero(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 3000; i++) { // about one common point, in one plane or on one line
        trv_vec3 a[6], b[6], u = random_vec3(&random, 1.0f), v = random_vec3(&random, 1.0f);
        uint32_t na = 2 + (uint32_t)(random_bits(&random) % 5), nb = na % 3 + 2;
        if (i % 3 == 0)
            v = trvi_scale(u, 0.5f);
        for (uint32_t k = 0; k < 6; k++) {
            float s = random_float(&random, -1.0f, 1.0f), t = random_float(&random, -1.0f, 1.0f);
            a[k] = trvi_mul_add(trvi_scale(u, s), v, t);
            b[k] = trvi_mul_add(trvi_scale(u, t), v, -s);
        }
        a[0] = trvi_scale(u, 0.5f), a[1] = trvi_negate(a[0]);
        b[0] = trvi_scale(v, 0.5f), b[1] = trvi_negate(b[0]);
        trv_pose pose = random_pose(&random, 3.0f);
        trv_gap gap;
        expect_result(trv_distance_points(a, na, pose, b, nb, pose, &gap), TRV_OK);
        expect_near(gap.distance, 0.0, 5.0e-7);
        expect_sound(a, na, pose, b, nb, pose, &gap, 5.0e-6);
    }
}

// Points of a lattice: doubles, and many on one line or in one plane.
static uint32_t lattice_points(test_random *random, trv_vec3 *points, uint32_t most)
{
    uint32_t count = 4 + (uint32_t)(random_bits(random) % (most - 3));
    for (uint32_t i = 0; i < count; i++) {
        trv_vec3 p = random_vec3(random, 2.5f);
        points[i] = (trv_vec3){rintf(p.x), rintf(p.y), rintf(p.z)};
    }
    return count;
}

static void sets_are_as_far_apart_as_their_hulls(void **state)
{
    (void)state;
    test_random random = {5};
    uint32_t apart = 0, meeting = 0, touching = 0;
    for (int i = 0; i < 6000; i++) {
        trv_vec3 a[20], b[20];
        uint32_t most = i % 2 ? 8 : 20, na = lattice_points(&random, a, most);
        uint32_t nb = lattice_points(&random, b, most);
        trv_pose pose_a = trv_make_pose(origin), pose_b = pose_a;
        trv_vec3 by = random_vec3(&random, i % 3 ? 2.0f : 5.0f);
        pose_b.position = (trv_vec3){rintf(by.x), rintf(by.y), rintf(by.z)};
        if (i % 4 == 0) {
            pose_a = random_pose(&random, 2.0f);
            pose_b = random_pose(&random, 3.0f);
        }
        trv_hull_def def = trv_default_hull_def();
        trv_hull *hull_a, *hull_b = NULL;
        if (trv_hull_create(a, na, &def, &hull_a) == TRV_OK &&
            trv_hull_create(b, nb, &def, &hull_b) == TRV_OK) {
            trv_shape shape_a = trv_make_hull(hull_a), shape_b = trv_make_hull(hull_b);
            trv_gap wanted, gap;
            expect_result(trv_distance(&shape_a, pose_a, &shape_b, pose_b, &wanted), TRV_OK);
            expect_result(trv_distance_points(a, na, pose_a, b, nb, pose_b, &gap), TRV_OK);
            expect_near(gap.distance, wanted.distance, 1.0e-6);
            expect_sound(a, na, pose_a, b, nb, pose_b, &gap, 1.0e-5);
            apart += gap.distance > 0.0f;
            touching += gap.distance == 0.0f;
            meeting += gap.distance < 0.0f;
        }
        trv_hull_release(hull_a);
        trv_hull_release(hull_b);
    }
    assert_true(apart > 500 && meeting > 1000 && touching > 30);
}

static void triangles_are_as_far_from_a_box_as_from_its_corners(void **state)
{
    (void)state;
    test_random random = {9};
    trv_vec3 corners[8];
    for (uint32_t i = 0; i < 8; i++)
        corners[i] = (trv_vec3){i & 1 ? 1.0f : -1.0f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.7f : -0.7f};
    trv_shape box = trv_make_box((trv_vec3){1.0f, 0.5f, 0.7f});
    for (int i = 0; i < 4000; i++) {
        trv_pose pose = random_pose(&random, 2.0f), unmoved = trv_make_pose(origin);
        trv_vec3 triangle[3] = {random_vec3(&random, 2.0f), random_vec3(&random, 2.0f),
                                random_vec3(&random, 2.0f)};
        trv_gap gap, at_corner;
        expect_result(trv_distance_points(corners, 8, pose, triangle, 3, unmoved, &gap), TRV_OK);
        expect_sound(corners, 8, pose, triangle, 3, unmoved, &gap, 1.0e-5);
        trv_shape corner = trv_make_sphere(triangle[0], 1.0e-3f); // is in the triangle
        expect_result(trv_distance(&box, pose, &corner, unmoved, &at_corner), TRV_OK);
        assert_true(gap.distance <= at_corner.distance + 1.0e-3f + 1.0e-5f);
        trv_vec3 same[3] = {triangle[0], triangle[0], triangle[0]};
        expect_result(trv_distance_points(corners, 8, pose, same, 3, unmoved, &gap), TRV_OK);
        if (gap.distance > 1.0e-5f)
            expect_near(gap.distance, at_corner.distance + 1.0e-3f, 1.0e-5);
    }
}

// A globe's vertices in disorder, with doubles and points inside among them.
static uint32_t scatter(const trv_hull *hull, test_random *random, trv_vec3 *points)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        points[count++] = hull->vertices[i];
        if (i % 3 == 0)
            points[count++] = trvi_scale(hull->vertices[i], random_float(random, 0.0f, 1.0f));
        if (i % 5 == 0)
            points[count++] = hull->vertices[i];
    }
    for (uint32_t i = count; i-- > 1;) {
        uint32_t k = (uint32_t)(random_bits(random) % (i + 1));
        trv_vec3 swap = points[i];
        points[i] = points[k];
        points[k] = swap;
    }
    return count;
}

static void many_points_in_any_order_are_as_far_apart_as_their_hulls(void **state)
{
    (void)state;
    test_random random = {11};
    trv_hull *hull_a = make_globe(12, 16, (trv_vec3){1.0f, 0.6f, 0.8f});
    trv_hull *hull_b = make_globe(9, 11, (trv_vec3){0.5f, 0.9f, 0.7f});
    trv_shape shape_a = trv_make_hull(hull_a), shape_b = trv_make_hull(hull_b);
    static trv_vec3 a[600], b[600];
    uint32_t na = scatter(hull_a, &random, a), nb = scatter(hull_b, &random, b);
    uint32_t apart = 0, meeting = 0;
    for (int i = 0; i < 400; i++) {
        trv_pose pose_a = random_pose(&random, 1.0f), pose_b = random_pose(&random, 1.0f);
        trv_gap wanted, gap;
        expect_result(trv_distance(&shape_a, pose_a, &shape_b, pose_b, &wanted), TRV_OK);
        expect_result(trv_distance_points(a, na, pose_a, b, nb, pose_b, &gap), TRV_OK);
        expect_sound(a, na, pose_a, b, nb, pose_b, &gap, 1.0e-5);
        if (wanted.distance > 0.0f)
            expect_near(gap.distance, wanted.distance, 1.0e-5);
        else // may be too deep by a little, never too shallow
            assert_true(gap.distance <= wanted.distance + 1.0e-5f &&
                        gap.distance >= 1.01f * wanted.distance - 1.0e-5f);
        apart += wanted.distance > 0.0f;
        meeting += wanted.distance < 0.0f;
    }
    assert_true(apart > 30 && meeting > 100);
    trvi_convex_release(hull_a);
    trvi_convex_release(hull_b);
}

static void answers_scale_with_the_sets_and_mirror_with_their_order(void **state)
{
    (void)state;
    test_random random = {13};
    const float sizes[] = {1.0e-3f, 1.0f, 1.0e6f};
    for (int i = 0; i < 3000; i++) {
        float size = sizes[i % 3];
        trv_vec3 a[5], b[5];
        uint32_t na = 1 + (uint32_t)(random_bits(&random) % 5);
        uint32_t nb = 1 + (uint32_t)(random_bits(&random) % 5);
        for (uint32_t k = 0; k < 5; k++) {
            a[k] = random_vec3(&random, size);
            b[k] = random_vec3(&random, size);
        }
        trv_pose pose_a = random_pose(&random, size), pose_b = random_pose(&random, size);
        trv_gap gap, back;
        expect_result(trv_distance_points(a, na, pose_a, b, nb, pose_b, &gap), TRV_OK);
        expect_result(trv_distance_points(b, nb, pose_b, a, na, pose_a, &back), TRV_OK);
        expect_near(gap.distance, back.distance, 1.0e-6 * size);
        expect_sound(a, na, pose_a, b, nb, pose_b, &gap, 5.0e-6 * size);
        expect_sound(b, nb, pose_b, a, na, pose_a, &back, 5.0e-6 * size);
    }
}

// A triangle a hundred thousand times smaller than what it is in: the difference of the sets has facets
// too thin for the growing polytope.
static void a_speck_deep_inside_leaves_by_the_nearest_way_and_touches_there(void **state)
{
    (void)state;
    static const int lattice[16][3] = {{-3, -3, -3}, {4, -3, -2}, {2, -3, -3}, {-3, -3, 3},
                                       {-2, 4, 4},   {2, -3, 0},  {2, 4, -1},  {-2, 2, -2},
                                       {1, 3, -3},   {4, 1, 3},   {1, -1, 4},  {4, 0, -1},
                                       {-3, 2, 2},   {2, 2, -3},  {-3, 3, 0},  {-1, 1, 4}};
    static const trv_vec3 speck[3] = {
        {-9.0e-7f, -1.2f, -1.2f}, {9.0e-7f, -1.2f, -1.2f}, {-9.0e-7f, 1.2f, -1.2f}};
    static const trv_pose pose_b = {{0x1.b73f44p+13f, 0x1.29d618p+12f, -0x1.b7ef0cp+13f},
                                    {1.0f, 0.0f, 0.0f, 0.0f}};
    test_random random = {21};
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    trv_vec3 around[16];
    for (uint32_t i = 0; i < 16; i++)
        around[i] = (trv_vec3){1.0e5f * (float)lattice[i][0], 1.0e5f * (float)lattice[i][1],
                               1.0e5f * (float)lattice[i][2]};
    expect_result(trv_hull_create(around, 16, &def, &hull), TRV_OK);
    for (int i = 0; i < 200; i++) {
        trv_pose pose_a = {{10000.0f, -20.0f, -9960.0f},
                           {-0x1.63777p-2f, 0x1.c8738ep-1f, 0x1.f4e27cp-3f, -0x1.4326c4p-3f}};
        if (i > 0)
            pose_a = random_pose(&random, 2.0e4f);
        trv_vec3 inside = trv_pose_apply_inverse(pose_a, trv_pose_apply(pose_b, speck[0]));
        uint32_t count;
        const trv_plane *planes = trv_hull_planes(hull, &count);
        double way = HUGE_VAL;
        for (uint32_t f = 0; f < count; f++)
            way = fmin(way, -trvi_dot(planes[f].normal, inside) - planes[f].offset);
        trv_gap gap;
        expect_result(trv_distance_points(around, 16, pose_a, speck, 3, pose_b, &gap), TRV_OK);
        expect_near(gap.distance, -way, 5.0);
        expect_sound(around, 16, pose_a, speck, 3, pose_b, &gap, 1.0);
    }
    trv_hull_release(hull);
}

static void bad_points_are_refused(void **state)
{
    (void)state;
    const trv_vec3 good[2] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    const struct {
        float value;
        trv_result result;
    } rows[] = {{NAN, TRV_ERROR_NUMBER},
                {INFINITY, TRV_ERROR_NUMBER},
                {-INFINITY, TRV_ERROR_NUMBER},
                {1.01e8f, TRV_ERROR_RANGE},
                {3.0e38f, TRV_ERROR_RANGE}};
    trv_pose pose = trv_make_pose(origin), bad_pose = pose;
    trv_gap gap = {.distance = 5.0f};
    expect_result(trv_distance_points(good, 2, pose, good, 2, pose, NULL), TRV_ERROR_NULL);
    expect_result(trv_distance_points(NULL, 2, pose, good, 2, pose, &gap), TRV_ERROR_NULL);
    expect_near(gap.distance, 0.0, 0.0);
    expect_result(trv_distance_points(good, 2, pose, NULL, 2, pose, &gap), TRV_ERROR_NULL);
    expect_result(trv_distance_points(good, 0, pose, good, 2, pose, &gap), TRV_ERROR_TOO_FEW);
    expect_result(trv_distance_points(good, 2, pose, good, 0, pose, &gap), TRV_ERROR_TOO_FEW);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        trv_vec3 bad[2] = {good[0], good[1]};
        bad[1].z = rows[i].value;
        expect_result(trv_distance_points(bad, 2, pose, good, 2, pose, &gap), rows[i].result);
        expect_result(trv_distance_points(good, 2, pose, bad, 2, pose, &gap), rows[i].result);
        bad_pose.position = bad[1];
        expect_result(trv_distance_points(good, 2, bad_pose, good, 2, pose, &gap), rows[i].result);
        expect_result(trv_distance_points(good, 2, pose, good, 2, bad_pose, &gap), rows[i].result);
        expect_near(gap.distance, 0.0, 0.0);
    }
    bad_pose = pose;
    bad_pose.rotation.w = 0.0f;
    expect_result(trv_distance_points(good, 2, pose, good, 2, bad_pose, &gap), TRV_ERROR_ROTATION);
    const trv_vec3 far[2] = {{TRV_COORD_MAX, TRV_COORD_MAX, TRV_COORD_MAX},
                             {-TRV_COORD_MAX, -TRV_COORD_MAX, -TRV_COORD_MAX}};
    expect_result(trv_distance_points(far, 2, pose, good, 2, pose, &gap), TRV_OK);
    expect_near(gap.distance, 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_segments_are_as_far_apart_as_by_hand),
        cmocka_unit_test(flat_sets_that_cross_are_at_depth_zero),
        cmocka_unit_test(sets_are_as_far_apart_as_their_hulls),
        cmocka_unit_test(triangles_are_as_far_from_a_box_as_from_its_corners),
        cmocka_unit_test(many_points_in_any_order_are_as_far_apart_as_their_hulls),
        cmocka_unit_test(answers_scale_with_the_sets_and_mirror_with_their_order),
        cmocka_unit_test(a_speck_deep_inside_leaves_by_the_nearest_way_and_touches_there),
        cmocka_unit_test(bad_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
