// Rays at posed shapes of every kind.
#include "support.h"

#include <trivet/collide.h>
#include <trivet/mesh.h>
#include <trivet/primitives.h>

#include "hulls.h"

static const trv_vec3 origin = {0.0f, 0.0f, 0.0f};

static void rays_from_above_hit_the_top_of_each_kind(void **state)
{
    (void)state;
    trv_hull *prism = make_prism(8, 0.5f, 0.5f);
    trv_obb placed = {{1.0f, 0.0f, 0.0f}, {0.5f, 0.3f, 0.5f}, {0.5f, 0.5f, 0.5f, 0.5f}};
    const struct {
        trv_shape shape;
        float top; // above the pose's position
        float x;   // where the ray comes down, from there
    } rows[] = {
        {trv_make_sphere((trv_vec3){0.0f, 0.25f, 0.0f}, 0.5f), 0.75f, 0.0f},
        {trv_make_capsule((trv_vec3){-1.0f, 0.0f, 0.0f}, (trv_vec3){1.0f, 0.0f, 0.0f}, 0.25f),
         0.25f, 0.5f},
        {trv_make_box((trv_vec3){0.5f, 0.75f, 0.5f}), 0.75f, 0.2f},
        {trv_make_placed_box(placed), 0.5f, 1.1f},
        {trv_make_hull(prism), 0.5f, 0.1f},
        {trv_make_half_space(origin, (trv_vec3){0.0f, 1.0f, 0.0f}), 0.0f, 100.0f},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        trv_pose pose = trv_make_pose((trv_vec3){3.0f, 4.0f, 5.0f});
        trv_ray ray = {{3.0f + rows[i].x, 8.0f, 5.0f}, {0.0f, -8.0f, 0.0f}};
        trv_ray_hit hit;
        expect_result(trv_shape_cast_ray(&rows[i].shape, pose, ray, &hit), TRV_OK);
        assert_true(hit.hit && !hit.inside);
        expect_near(hit.point.y, 4.0 + rows[i].top, 1.0e-5);
        expect_near(hit.fraction, (4.0 - rows[i].top) / 8.0, 1.0e-6);
        expect_near(hit.normal.y, 1.0, 1.0e-5);
        ray.travel.y = -3.0f; // too short
        expect_result(trv_shape_cast_ray(&rows[i].shape, pose, ray, &hit), TRV_OK);
        assert_false(hit.hit);
        ray.travel.y = 8.0f; // the other way
        expect_result(trv_shape_cast_ray(&rows[i].shape, pose, ray, &hit), TRV_OK);
        assert_false(hit.hit);
        ray.origin.y = 3.95f; // from inside
        expect_result(trv_shape_cast_ray(&rows[i].shape, pose, ray, &hit), TRV_OK);
        assert_true(hit.hit && hit.inside);
        expect_near(hit.fraction, 0.0, 0.0);
        expect_near(trvi_length(hit.normal), 0.0, 0.0);
    }
    trvi_convex_release(prism);
}

static void a_turned_half_space_is_met_where_its_plane_is(void **state)
{
    (void)state;
    trv_shape plane =
        trv_make_half_space((trv_vec3){0.0f, 1.0f, 0.0f}, (trv_vec3){0.0f, 1.0f, 0.0f});
    trv_pose pose = trv_make_pose((trv_vec3){2.0f, 0.0f, 0.0f});
    pose.rotation = trv_quat_about((trv_vec3){0.0f, 0.0f, 1.0f}, -1.5707964f); // +y becomes +x
    trv_ray ray = {{7.0f, 9.0f, 0.0f}, {-8.0f, 0.0f, 0.0f}};
    trv_ray_hit hit;
    expect_result(trv_shape_cast_ray(&plane, pose, ray, &hit), TRV_OK);
    assert_true(hit.hit);
    expect_near(hit.point.x, 3.0, 1.0e-5);
    expect_near(hit.normal.x, 1.0, 1.0e-6);
}

static void rays_meet_a_hull_where_points_of_it_begin(void **state)
{
    (void)state;
    test_random random = {61};
    trv_hull *hull = make_globe(7, 9, (trv_vec3){1.0f, 0.5f, 0.7f});
    trv_shape shape = trv_make_hull(hull), point = trv_make_sphere(origin, 1.0e-3f);
    uint32_t hits = 0, misses = 0;
    for (int i = 0; i < 2000; i++) {
        trv_pose pose = {random_vec3(&random, 0.5f), random_quat(&random)};
        trv_ray ray = {random_vec3(&random, 1.2f), random_vec3(&random, 3.0f)};
        trv_ray_hit hit;
        expect_result(trv_shape_cast_ray(&shape, pose, ray, &hit), TRV_OK);
        if (!hit.hit) {
            misses++;
            for (int k = 0; k <= 20; k++) { // no place on the way is inside
                trv_vec3 p = trvi_mul_add(ray.origin, ray.travel, (float)k / 20.0f);
                trv_gap gap;
                expect_result(trv_distance(&shape, pose, &point, trv_make_pose(p), &gap), TRV_OK);
                assert_true(gap.distance > -1.1e-3f);
            }
            continue;
        }
        hits++;
        trv_gap gap;
        expect_result(trv_distance(&shape, pose, &point, trv_make_pose(hit.point), &gap), TRV_OK);
        if (hit.inside)
            assert_true(gap.distance <= -0.9e-3f);
        else
            expect_near(gap.distance, -1.0e-3, 1.0e-5);
    }
    assert_true(hits > 150 && misses > 300);
    trvi_convex_release(hull);
}

// Ten thousand points of a sphere: its hull is the sphere but for 2e-3.
static void rays_meet_a_big_hull_where_they_meet_its_sphere(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    static trv_vec3 points[COUNT];
    test_random random = {67};
    for (uint32_t i = 0; i < COUNT; i++)
        points[i] = trv_rotate(random_quat(&random), (trv_vec3){1.0f, 0.0f, 0.0f});
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(points, COUNT, &def, &hull), TRV_OK);
    trv_shape shape = trv_make_hull(hull);
    uint32_t hits = 0, misses = 0, inside = 0;
    for (int i = 0; i < 20000; i++) {
        trv_pose pose = {random_vec3(&random, 5.0f), random_quat(&random)};
        trv_ray ray = {trvi_add(pose.position, random_vec3(&random, 2.0f)),
                       random_vec3(&random, 4.0f)};
        trv_sphere around = {pose.position, 1.0f + 1.0e-5f}, within = {pose.position, 0.995f};
        trv_ray_hit first = trv_ray_sphere(ray, around), last = trv_ray_sphere(ray, within), hit;
        expect_result(trv_shape_cast_ray(&shape, pose, ray, &hit), TRV_OK);
        misses += !hit.hit;
        if (!hit.hit) {
            assert_false(last.hit);
            continue;
        }
        assert_true(first.hit && first.fraction <= hit.fraction);
        if (last.hit)
            assert_true(hit.fraction <= last.fraction && (hit.inside || !last.inside));
        inside += hit.inside;
        if (hit.inside)
            continue;
        hits++;
        trv_vec3 out = trvi_sub(hit.point, pose.position);
        expect_near(trvi_length(out), 1.0, 5.0e-3);
        assert_true(trvi_dot(out, hit.normal) > 0.99f);
        assert_true(trvi_dot(ray.travel, hit.normal) < 0.0f);
    }
    assert_true(hits > 1000 && misses > 1000 && inside > 1000);
    trv_hull_release(hull);
}

// The segment's distance from the core, asked for as that of two sets of points.
static double clear_of(trv_shape shape, trv_pose pose, trv_ray ray)
{
    const trv_vec3 way[2] = {{0, 0, 0}, ray.travel}, *core = &shape.as.capsule.a;
    trv_vec3 corners[8];
    trv_gap gap;
    uint32_t count = shape.kind == TRV_SHAPE_CAPSULE ? 2 : shape.kind == TRV_SHAPE_SPHERE ? 1 : 8;
    float radius = shape.kind == TRV_SHAPE_CAPSULE  ? shape.as.capsule.radius
                   : shape.kind == TRV_SHAPE_SPHERE ? shape.as.sphere.radius
                                                    : 0.0f;
    if (shape.kind == TRV_SHAPE_SPHERE)
        core = &shape.as.sphere.center;
    if (shape.kind == TRV_SHAPE_BOX) {
        for (int i = 0; i < 8; i++)
            corners[i] = trvi_add(shape.as.box.center, corner_of_box(shape.as.box.half, i));
        core = corners;
    }
    expect_result(trv_distance_points(core, count, pose, way, 2, trv_make_pose(ray.origin), &gap),
                  TRV_OK);
    return (double)gap.distance - (double)radius;
}

// At 100 km float32 tells places in the world by 8 mm: no shape is placed there by that.
static void rays_meet_what_is_far_off_as_they_do_nearby(void **state)
{
    (void)state;
    test_random random = {5};
    const float half = 0.02f;
    trv_shape shapes[3] = {
        trv_make_capsule(trv_make_vec3(0, -half, 0), trv_make_vec3(0, half, 0), 0.25f * half),
        trv_make_sphere(trv_make_vec3(0, 0.5f * half, 0), 0.5f * half),
        trv_make_box(trv_make_vec3(0.25f * half, half, 0.25f * half))};
    shapes[2].as.box.center.y = 0.5f * half;
    for (int i = 0; i < 3000; i++) {
        const trv_shape *shape = &shapes[i % 3];
        trv_pose pose = {random_vec3(&random, 1e5f), random_quat(&random)};
        trv_vec3 side = random_vec3(&random, half), along = random_vec3(&random, 1);
        trv_ray ray = {trvi_mul_add(trvi_add(pose.position, side), along, -3 * half),
                       trvi_scale(along, 6 * half)};
        trv_ray_hit hit;
        expect_result(trv_shape_cast_ray(shape, pose, ray, &hit), TRV_OK);
        double clear = clear_of(*shape, pose, ray);
        if (fabs(clear) > 1e-6)
            assert_true(hit.hit == (clear < 0));
    }
}

// From an edge, and a hair beside it, the ray is within the slack of all planes, or just outside.
static void rays_from_the_edges_of_a_sheet_hit_what_they_go_into(void **state)
{
    (void)state;
    enum { SIDES = 6 };
    test_random random = {9};
    trv_hull *hull = make_prism(SIDES, 1, 2e-4f);
    const trv_vec3 *top = hull->vertices + SIDES;
    trv_shape sheet = trv_make_hull(hull);
    int hits = 0;
    for (int i = 0; i < 20000; i++) {
        trv_pose pose = {random_vec3(&random, 30), random_quat(&random)};
        int k = i % SIDES, next = (k + 1) % SIDES;
        float share = random_float(&random, 0, 1);
        trv_vec3 on = trvi_add(trvi_scale(top[k], 1 - share), trvi_scale(top[next], share));
        trv_ray ray = {trv_pose_apply(pose, on), random_vec3(&random, 1)};
        trv_ray_hit hit;
        expect_result(trv_shape_cast_ray(&sheet, pose, ray, &hit), TRV_OK);
        if (!hit.hit || hit.inside)
            continue;
        assert_true(trvi_dot(hit.normal, ray.travel) <= 1e-3f);
        hits++;
    }
    assert_true(hits > 1000);
    trv_hull_release(hull);
}

static void bad_rays_are_refused(void **state)
{
    (void)state;
    trv_shape box = trv_make_box((trv_vec3){1.0f, 1.0f, 1.0f}), none = {.kind = TRV_SHAPE_NONE};
    trv_pose pose = trv_make_pose(origin), bad_pose = pose;
    trv_ray ray = {{0.0f, 5.0f, 0.0f}, {0.0f, -9.0f, 0.0f}}, bad = ray;
    trv_ray_hit hit = {.hit = true};
    expect_result(trv_shape_cast_ray(NULL, pose, ray, &hit), TRV_ERROR_NULL);
    assert_false(hit.hit);
    expect_result(trv_shape_cast_ray(&box, pose, ray, NULL), TRV_ERROR_NULL);
    expect_result(trv_shape_cast_ray(&none, pose, ray, &hit), TRV_ERROR_KIND);
    bad.travel.x = NAN;
    expect_result(trv_shape_cast_ray(&box, pose, bad, &hit), TRV_ERROR_NUMBER);
    bad = ray;
    bad.origin.x = 2.0e8f;
    expect_result(trv_shape_cast_ray(&box, pose, bad, &hit), TRV_ERROR_RANGE);
    bad_pose.rotation.w = 0.0f;
    expect_result(trv_shape_cast_ray(&box, bad_pose, ray, &hit), TRV_ERROR_ROTATION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_from_above_hit_the_top_of_each_kind),
        cmocka_unit_test(a_turned_half_space_is_met_where_its_plane_is),
        cmocka_unit_test(rays_meet_a_hull_where_points_of_it_begin),
        cmocka_unit_test(rays_meet_a_big_hull_where_they_meet_its_sphere),
        cmocka_unit_test(rays_meet_what_is_far_off_as_they_do_nearby),
        cmocka_unit_test(rays_from_the_edges_of_a_sheet_hit_what_they_go_into),
        cmocka_unit_test(bad_rays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
