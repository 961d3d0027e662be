// The distance of a point from each kind of shape: by hand, by the planes and points of hulls, and as
// the nearest part of a compound.
#include "support.h"

#include <trivet/collide.h>
#include <trivet/mesh.h>
#include <trivet/primitives.h>

#include "math/math.h"

static const trv_vec3 origin = {0.0f, 0.0f, 0.0f};

static trv_pose random_pose(test_random *random, float extent)
{
    trv_pose pose = {random_vec3(random, extent), random_quat(random)};
    return pose;
}

// `point_b` is the point, and `point_a` is away from it along the normal by the distance.
static void expect_sound(const trv_gap *gap, trv_vec3 point, double slack)
{
    expect_near(trvi_length(gap->normal), 1.0, 1.0e-6);
    expect_near(trvi_length(trvi_sub(gap->point_b, point)), 0.0, slack);
    trv_vec3 back = trvi_mul_add(gap->point_a, gap->normal, gap->distance);
    expect_near(trvi_length(trvi_sub(back, point)), 0.0, slack);
}

static void points_are_as_far_from_simple_shapes_as_by_hand(void **state)
{
    (void)state;
    const trv_obb moved = {{1.0f, 0.0f, 0.0f}, {1.0f, 2.0f, 3.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    const trv_shape ball = trv_make_sphere((trv_vec3){0.0f, 1.0f, 0.0f}, 0.5f);
    const trv_shape pill =
        trv_make_capsule((trv_vec3){-1.0f, 0.0f, 0.0f}, (trv_vec3){1.0f, 0.0f, 0.0f}, 0.5f);
    const trv_shape box = trv_make_placed_box(moved);
    const trv_shape ground = trv_make_half_space(origin, (trv_vec3){0.0f, 1.0f, 0.0f});
    const struct {
        const trv_shape *shape;
        trv_vec3 point;
        float distance;
        trv_vec3 nearest;
        bool one; // there is one nearest point only
    } rows[] = {
        {&ball, {0.0f, 4.0f, 0.0f}, 2.5f, {0.0f, 1.5f, 0.0f}, true},
        {&ball, {0.0f, 1.5f, 0.0f}, 0.0f, {0.0f, 1.5f, 0.0f}, true},
        {&ball, {0.0f, 0.75f, 0.0f}, -0.25f, {0.0f, 0.5f, 0.0f}, true},
        {&ball, {0.0f, 1.0f, 0.0f}, -0.5f, {0.0f, 1.5f, 0.0f}, false}, // its centre
        {&pill, {0.5f, 2.0f, 0.0f}, 1.5f, {0.5f, 0.5f, 0.0f}, true},
        {&pill, {4.0f, 0.0f, 0.0f}, 2.5f, {1.5f, 0.0f, 0.0f}, true},
        {&pill, {0.5f, 0.25f, 0.0f}, -0.25f, {0.5f, 0.5f, 0.0f}, true},
        {&pill, {0.5f, 0.0f, 0.0f}, -0.5f, {0.5f, 0.5f, 0.0f}, false}, // on its axis
        {&box, {1.0f, 0.0f, 5.0f}, 2.0f, {1.0f, 0.0f, 3.0f}, true},
        {&box, {5.0f, 6.0f, 0.0f}, 5.0f, {2.0f, 2.0f, 0.0f}, true},
        {&box, {2.0f, 2.0f, 3.0f}, 0.0f, {2.0f, 2.0f, 3.0f}, true}, // a corner
        {&box, {1.75f, 0.0f, 0.0f}, -0.25f, {2.0f, 0.0f, 0.0f}, true},
        {&box, {1.0f, 0.0f, 0.0f}, -1.0f, {2.0f, 0.0f, 0.0f}, false}, // its middle
        {&ground, {3.0f, 2.0f, 1.0f}, 2.0f, {3.0f, 0.0f, 1.0f}, true},
        {&ground, {3.0f, -2.0f, 1.0f}, -2.0f, {3.0f, 0.0f, 1.0f}, true},
    };
    test_random random = {7};
    for (size_t i = 0; i < 50 * (sizeof rows / sizeof rows[0]); i++) {
        size_t r = i % (sizeof rows / sizeof rows[0]);
        trv_pose pose = i == r ? trv_make_pose(origin) : random_pose(&random, 3.0f);
        double slack = i == r ? 1.0e-6 : 5.0e-6;
        trv_vec3 point = trv_pose_apply(pose, rows[r].point);
        trv_vec3 nearest = trv_pose_apply(pose, rows[r].nearest);
        trv_gap gap;
        expect_result(trv_distance_to_point(rows[r].shape, pose, point, &gap), TRV_OK);
        expect_near(gap.distance, rows[r].distance, slack);
        expect_sound(&gap, point, slack);
        if (rows[r].one)
            expect_near(trvi_length(trvi_sub(gap.point_a, nearest)), 0.0, slack);
    }
}

// Within, the least way out is through a face; without, the distance is that from the set of its points.
static void points_are_as_far_from_hulls_as_from_their_planes_and_corners(void **state)
{
    (void)state;
    static const uint32_t counts[] = {4, 8, 32, 400};
    test_random random = {11};
    uint32_t within = 0, without = 0;
    for (size_t h = 0; h < sizeof counts / sizeof counts[0]; h++) {
        trv_vec3 points[400];
        for (uint32_t i = 0; i < counts[h]; i++) {
            trv_vec3 p = random_vec3(&random, 1.0f);
            points[i] = trvi_scale(p, 1.0f / fmaxf(trvi_length(p), 0.01f));
        }
        trv_hull_def def = trv_default_hull_def();
        trv_hull *hull;
        expect_result(trv_hull_create(points, counts[h], &def, &hull), TRV_OK);
        trv_shape shape = trv_make_hull(hull);
        uint32_t plane_count, count;
        const trv_plane *planes = trv_hull_planes(hull, &plane_count);
        const trv_vec3 *corners = trv_hull_vertices(hull, &count);
        for (int i = 0; i < 1000; i++) {
            trv_pose pose = random_pose(&random, 2.0f);
            trv_vec3 point = trv_pose_apply(pose, random_vec3(&random, 1.2f));
            trv_vec3 local = trv_pose_apply_inverse(pose, point);
            double above = -HUGE_VAL;
            for (uint32_t f = 0; f < plane_count; f++)
                above = fmax(above, trv_plane_distance(planes[f], local));
            trv_gap gap, set;
            trv_pose at = trv_make_pose(point);
            expect_result(trv_distance_to_point(&shape, pose, point, &gap), TRV_OK);
            expect_result(trv_distance_points(corners, count, pose, &origin, 1, at, &set), TRV_OK);
            expect_near(gap.distance, above <= 0.0 ? above : set.distance, 1.0e-5);
            expect_sound(&gap, point, 5.0e-6);
            *(above <= 0.0 ? &within : &without) += 1;
        }
        trv_hull_release(hull);
    }
    assert_true(within > 500 && without > 500);
}

static void points_are_as_far_from_compounds_as_from_the_nearest_part(void **state)
{
    (void)state;
    test_random random = {13};
    trv_compound_part parts[12];
    for (uint32_t p = 0; p < 12; p++) {
        float size = random_float(&random, 0.4f, 1.0f);
        parts[p].shape = p % 2 ? trv_make_sphere(origin, size)
                               : trv_make_box((trv_vec3){size, 0.5f * size, size});
        parts[p].pose = random_pose(&random, 2.0f);
    }
    trv_compound_def def = trv_default_compound_def();
    trv_compound *compound;
    expect_result(trv_compound_create(parts, 12, &def, &compound), TRV_OK);
    trv_shape shape = trv_make_compound(compound);
    uint32_t within = 0;
    for (int i = 0; i < 2000; i++) {
        trv_vec3 point = random_vec3(&random, 2.0f);
        trv_gap gap, one, best = {.distance = INFINITY};
        for (uint32_t p = 0; p < 12; p++) {
            trv_pose pose = parts[p].pose;
            expect_result(trv_distance_to_point(&parts[p].shape, pose, point, &one), TRV_OK);
            if (one.distance < best.distance)
                best = one;
        }
        expect_result(trv_distance_to_point(&shape, trv_make_pose(origin), point, &gap), TRV_OK);
        expect_near(gap.distance, best.distance, 2.0e-6);
        expect_sound(&gap, point, 5.0e-6);
        trv_compound_part part;
        expect_result(trv_compound_part_get(compound, gap.part_a, &part), TRV_OK);
        expect_result(trv_distance_to_point(&part.shape, part.pose, point, &one), TRV_OK);
        expect_near(one.distance, gap.distance, 2.0e-6);
        within += gap.distance < 0.0f;
    }
    assert_true(within > 100 && within < 1900);
    trv_compound_release(compound);
}

static void bad_shapes_poses_and_points_are_refused(void **state)
{
    (void)state;
    const struct {
        float value;
        trv_result result;
    } rows[] = {{NAN, TRV_ERROR_NUMBER}, {-INFINITY, TRV_ERROR_NUMBER}, {1.01e8f, TRV_ERROR_RANGE}};
    trv_shape box = trv_make_box((trv_vec3){1.0f, 1.0f, 1.0f}), none;
    memset(&none, 0, sizeof none);
    trv_shape point_like = trv_make_sphere(origin, 0.0f), empty = trv_make_hull(NULL);
    trv_pose pose = trv_make_pose(origin), bad = pose;
    trv_gap gap = {.distance = 5.0f};
    expect_result(trv_distance_to_point(&box, pose, origin, NULL), TRV_ERROR_NULL);
    expect_result(trv_distance_to_point(NULL, pose, origin, &gap), TRV_ERROR_NULL);
    expect_near(gap.distance, 0.0, 0.0);
    expect_result(trv_distance_to_point(&empty, pose, origin, &gap), TRV_ERROR_NULL);
    expect_result(trv_distance_to_point(&none, pose, origin, &gap), TRV_ERROR_KIND);
    expect_result(trv_distance_to_point(&point_like, pose, origin, &gap), TRV_ERROR_RANGE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        trv_vec3 point = {0.0f, rows[i].value, 0.0f};
        bad.position = point;
        expect_result(trv_distance_to_point(&box, pose, point, &gap), rows[i].result);
        expect_result(trv_distance_to_point(&box, bad, origin, &gap), rows[i].result);
    }
    bad = pose;
    bad.rotation.w = 0.0f;
    expect_result(trv_distance_to_point(&box, bad, origin, &gap), TRV_ERROR_ROTATION);
    trv_vec3 far = {TRV_COORD_MAX, -TRV_COORD_MAX, TRV_COORD_MAX};
    expect_result(trv_distance_to_point(&box, pose, far, &gap), TRV_OK);
    expect_near(gap.distance, 1.7320508e8, 10.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_as_far_from_simple_shapes_as_by_hand),
        cmocka_unit_test(points_are_as_far_from_hulls_as_from_their_planes_and_corners),
        cmocka_unit_test(points_are_as_far_from_compounds_as_from_the_nearest_part),
        cmocka_unit_test(bad_shapes_poses_and_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
