// Boxes of posed hulls by climbing, against the boxes of all their vertices.
#include "hull_support.h"

#include <trivet/collide.h>

#include "pillow.h"

// On united hulls what the header allows; elsewhere rounding in double, which shows as one step of
// float32 where it decides.
static void expect_same_box(const trv_hull *hull, trv_aabb box, trv_aabb full)
{
    double slack = hull->united ? 1.01e-6 * (double)hull->radius : 0.0;
    for (int i = 0; i < 3; i++) {
        float lower = (&full.lower.x)[i], upper = (&full.upper.x)[i];
        double step = 1.3e-7 * (fabs((double)lower) + fabs((double)upper) + (double)hull->radius);
        double below = (double)lower - (double)(&box.lower.x)[i];
        double above = (double)(&box.upper.x)[i] - (double)upper;
        if (hull->united) { // contains, and is hardly larger
            assert_true(below >= 0.0 && below <= slack + step);
            assert_true(above >= 0.0 && above <= slack + step);
        } else {
            assert_true(fabs(below) <= 1.0e-3 * step || (&box.lower.x)[i] == lower);
            assert_true(fabs(above) <= 1.0e-3 * step || (&box.upper.x)[i] == upper);
        }
    }
}

static void compare(const trv_hull *hull, trv_pose pose, trv_bounds_cache *cache)
{
    trv_aabb cold, warm;
    expect_result(trv_bounds_of_hull(hull, pose, NULL, &cold), TRV_OK);
    expect_result(trv_bounds_of_hull(hull, pose, cache, &warm), TRV_OK);
    trv_aabb full = trv_bounds_of_vertices(hull->vertices, hull->vertex_count, pose);
    expect_same_box(hull, cold, full);
    expect_same_box(hull, warm, full);
    trv_shape shape = trv_make_hull(hull); // climbs by itself, and is to hold the vertices too
    expect_result(trv_bounds_of_shape(&shape, pose, 0.0f, &warm), TRV_OK);
    for (int i = 0; i < 3; i++) {
        assert_true((&warm.lower.x)[i] <= (&full.lower.x)[i]);
        assert_true((&warm.upper.x)[i] >= (&full.upper.x)[i]);
    }
}

// Points that make a hull of one of several kinds; returns how many.
static uint32_t make_points(test_random *random, int kind, trv_vec3 *points, uint32_t most)
{
    uint32_t count = 4 + (uint32_t)(random_bits(random) % (most - 4));
    trv_quat turn = random_quat(random);
    for (uint32_t i = 0; i < count; i++) {
        trv_vec3 p = trv_rotate(random_quat(random), trvi_vec3(1, 0, 0)); // a ball
        double angle = 6.283185307179586 * (i / 2) / ((count + 1) / 2);
        if (kind == 1) // a plate
            p.y *= 1.0e-5f;
        if (kind == 2) // a needle
            p = trvi_vec3(p.x, 1.0e-4f * p.y, 1.0e-4f * p.z);
        if (kind == 3) // a prism, turned so that its ends are flat only within rounding
            p = trv_rotate(turn,
                           trvi_vec3((float)cos(angle), i % 2 ? 0.3f : -0.3f, (float)sin(angle)));
        if (kind == 4) // a grid
            for (int k = 0; k < 3; k++)
                (&p.x)[k] = (float)(random_bits(random) % 4);
        if (kind == 5) // a ball with corners cut off by a hair
            p = i % 3 == 0 ? p : trvi_add(points[i - 1], random_vec3(random, 1.0e-6f));
        if (kind == 6) // tiny features at places that are not near the origin
            p = trvi_add(trv_rotate(turn, trvi_vec3(i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f,
                                                    i & 4 ? 1.0f : -1.0f)),
                         random_vec3(random, 1.0e-5f));
        points[i] = p;
    }
    return count;
}

static void climbed_boxes_are_the_boxes_of_all_vertices(void **state)
{
    (void)state;
    enum { MOST = 600, KINDS = 7 };
    static trv_vec3 points[MOST];
    int built[KINDS] = {0}, united = 0;
    for (uint64_t seed = 0; seed < 350; seed++) {
        test_random random = {seed};
        int kind = (int)(seed % KINDS);
        uint32_t count = make_points(&random, kind, points, MOST);
        trv_hull_def def = trv_default_hull_def();
        trv_hull *hull;
        if (trv_hull_create(points, count, &def, &hull) != TRV_OK)
            continue;
        trv_bounds_cache cache = {{0}};
        for (int frame = 0; frame < 60; frame++) {
            float far = frame % 3 == 0 ? 1.0e4f : frame % 3 == 1 ? 0.0f : 2.0f;
            trv_pose pose = {random_vec3(&random, far), random_quat(&random)};
            if (frame % 4 == 0) // directions across faces and edges
                pose.rotation = trv_quat_about(trvi_vec3(1, 0, 0), 0.39269908f * (float)frame);
            compare(hull, pose, &cache);
        }
        built[kind]++;
        united += hull->united;
        trv_hull_release(hull);
    }
    for (int kind = 0; kind < KINDS; kind++)
        assert_true(built[kind] >= 30);
    assert_true(united >= 30);
}

// Seen along the normals of their sides.
static void no_climb_stops_on_a_plateau_or_in_a_dent(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {193, 1220, 1255, 1490};
    trv_vec3 points[PILLOW_POINTS];
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        make_pillow(seeds[i], points);
        trv_hull *hull = hull_of(points, PILLOW_POINTS);
        test_random random = {seeds[i]};
        trv_bounds_cache cache = {{0}};
        for (uint32_t k = 0; k < 3000; k++) {
            trv_vec3 n = hull->planes[random_bits(&random) % hull->face_count].normal;
            n = trvi_add(n, random_vec3(&random, k % 4 ? 1.0e-4f : 1.0e-6f));
            float square = n.x * n.x + n.y * n.y + n.z * n.z, length = sqrtf(square);
            float w = 1.0f + n.x / length, s = 1.0f / sqrtf(2.0f * w); // turns n to x
            if (!(w > 0.1f))
                continue;
            trv_pose pose = trv_make_pose(trvi_vec3(0, 0, 0));
            pose.rotation = (trv_quat){0.0f, n.z / length * s, -n.y / length * s, w * s};
            compare(hull, pose, &cache);
        }
        trv_hull_release(hull);
    }
}

static trv_hull *globe(uint32_t count)
{
    test_random random = {61};
    trv_vec3 *points = malloc(count * sizeof *points);
    assert_non_null(points);
    for (uint32_t i = 0; i < count; i++)
        points[i] = trv_rotate(random_quat(&random), trvi_vec3(1, 0, 0));
    trv_hull *hull = hull_of(points, count);
    free(points);
    return hull;
}

static void a_large_hull_that_turns_slowly_is_followed(void **state)
{
    (void)state;
    trv_hull *hull = globe(10000);
    trv_bounds_cache cache = {{0}};
    for (int frame = 0; frame < 300; frame++) {
        trv_pose pose = {trvi_vec3(0.01f * (float)frame, 2, 3),
                         trv_quat_about(trvi_vec3(1, 2, 3), 0.01f * (float)frame)};
        compare(hull, pose, &cache);
    }
    trv_hull_release(hull);
}

static void whatever_is_in_the_cache_the_box_is_right(void **state)
{
    (void)state;
    trv_hull *hull = globe(1000);
    test_random random = {62};
    for (int round = 0; round < 200; round++) {
        trv_bounds_cache cache;
        for (int i = 0; i < 6; i++)
            cache.vertex[i] = (uint32_t)random_bits(&random) >> (round % 32);
        trv_pose pose = {random_vec3(&random, 1.0f), random_quat(&random)};
        compare(hull, pose, &cache);
        for (int i = 0; i < 6; i++)
            assert_true(cache.vertex[i] < hull->vertex_count);
    }
    trv_hull_release(hull);
}

static void many_bodies_at_once_get_the_boxes_of_each(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    test_random random = {63};
    trv_hull *own[2] = {globe(60), globe(300)};
    const trv_hull *hulls[COUNT];
    trv_pose poses[COUNT];
    trv_obb rests[COUNT];
    trv_bounds_cache caches[COUNT] = {{{0}}};
    trv_aabb boxes[COUNT], box;
    for (int i = 0; i < COUNT; i++) {
        hulls[i] = own[i % 2];
        poses[i] = (trv_pose){random_vec3(&random, 9.0f), random_quat(&random)};
        rests[i] = (trv_obb){random_vec3(&random, 1.0f), {1, 2, 3}, random_quat(&random)};
    }
    for (int turn = 0; turn < 2; turn++) {
        expect_result(trv_bounds_of_hulls(hulls, poses, COUNT, turn ? caches : NULL, boxes),
                      TRV_OK);
        for (int i = 0; i < COUNT; i++) {
            expect_result(trv_bounds_of_hull(hulls[i], poses[i], NULL, &box), TRV_OK);
            assert_memory_equal(&box, &boxes[i], sizeof box);
        }
    }
    expect_result(trv_bounds_of_boxes(rests, poses, COUNT, boxes), TRV_OK);
    for (int i = 0; i < COUNT; i++) {
        box = trv_bounds_of_box(rests[i], poses[i]);
        assert_memory_equal(&box, &boxes[i], sizeof box);
    }
    trv_hull_release(own[0]);
    trv_hull_release(own[1]);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    trv_hull *hull = globe(20);
    const trv_hull *hulls[2] = {hull, NULL};
    trv_pose here = trv_make_pose(trvi_vec3(0, 0, 0)), poses[2] = {here, here};
    trv_obb rests[2] = {{{0, 0, 0}, {1, 1, 1}, trv_identity_quat()}};
    trv_aabb boxes[2], zero[2] = {{{0, 0, 0}, {0, 0, 0}}};
    memset(boxes, 7, sizeof boxes);
    expect_result(trv_bounds_of_hull(NULL, here, NULL, boxes), TRV_ERROR_NULL);
    expect_result(trv_bounds_of_hull(hull, here, NULL, NULL), TRV_ERROR_NULL);
    expect_result(trv_bounds_of_hulls(hulls, poses, 2, NULL, boxes), TRV_ERROR_NULL);
    assert_memory_equal(boxes, zero, sizeof zero);
    hulls[1] = hull;
    expect_result(trv_bounds_of_hulls(NULL, poses, 2, NULL, boxes), TRV_ERROR_NULL);
    expect_result(trv_bounds_of_hulls(hulls, NULL, 2, NULL, boxes), TRV_ERROR_NULL);
    expect_result(trv_bounds_of_hulls(NULL, NULL, 0, NULL, NULL), TRV_OK);
    poses[1].position.y = NAN;
    expect_result(trv_bounds_of_hulls(hulls, poses, 2, NULL, boxes), TRV_ERROR_NUMBER);
    assert_memory_equal(boxes, zero, sizeof zero);
    poses[1].position.y = 1.0e9f;
    expect_result(trv_bounds_of_hulls(hulls, poses, 2, NULL, boxes), TRV_ERROR_RANGE);
    poses[1] = here;
    poses[1].rotation.w = 0.5f;
    expect_result(trv_bounds_of_hulls(hulls, poses, 2, NULL, boxes), TRV_ERROR_ROTATION);
    memset(boxes, 7, sizeof boxes);
    expect_result(trv_bounds_of_boxes(NULL, poses, 2, boxes), TRV_ERROR_NULL);
    assert_memory_equal(boxes, zero, sizeof zero);
    expect_result(trv_bounds_of_boxes(rests, NULL, 2, boxes), TRV_ERROR_NULL);
    expect_result(trv_bounds_of_boxes(rests, poses, 2, NULL), TRV_ERROR_NULL);
    expect_result(trv_bounds_of_boxes(NULL, NULL, 0, NULL), TRV_OK);
    trv_hull_release(hull);
}

// Points on the sides of a box, which are rough: what uniting makes of them bends within its
// tolerance, and climbs meet corners that are higher than all their neighbours by as much.
static trv_hull *rough_box(uint64_t seed)
{
    enum { COUNT = 500 };
    test_random random = {seed};
    trv_vec3 points[COUNT];
    trv_quat turn = random_quat(&random);
    float rough = 1.0e-5f * powf(30.0f, random_float(&random, 0.0f, 1.0f));
    trv_vec3 half = {random_float(&random, 0.1f, 1.0f), random_float(&random, 0.1f, 1.0f), 1.0f};
    for (uint32_t i = 0; i < COUNT; i++) {
        trv_vec3 p = random_vec3(&random, 1.0f);
        float way = random_float(&random, -1.0f, 1.0f);
        float off = rough * way * random_float(&random, 0.0f, 1.0f);
        (&p.x)[i % 6 / 2] = i % 2 == 0 ? 1.0f + off : -1.0f - off;
        points[i] = trv_rotate(turn, trvi_vec3(half.x * p.x, half.y * p.y, half.z * p.z));
    }
    return hull_of(points, COUNT);
}

static void boxes_of_rough_solids_hold_every_vertex(void **state)
{
    (void)state;
    for (uint64_t seed = 960; seed < 980; seed++) {
        test_random random = {seed};
        trv_hull *hull = rough_box(seed);
        trv_bounds_cache cache = {{0}};
        for (uint32_t i = 0; i < 200; i++) { // a face, or nearly, is the highest place
            trv_vec3 n = hull->planes[i % hull->face_count].normal;
            n = trvi_add(n, random_vec3(&random, i % 2 == 0 ? 1.0e-5f : 1.0e-3f));
            trv_vec3 axis = trvi_cross(n, trvi_vec3(0, 1, 0));
            trv_pose pose = {trvi_vec3(0, 0, 0), trv_quat_about(axis, acosf(fminf(n.y, 1.0f)))};
            compare(hull, pose, &cache);
        }
        trv_hull_release(hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(climbed_boxes_are_the_boxes_of_all_vertices),
        cmocka_unit_test(boxes_of_rough_solids_hold_every_vertex),
        cmocka_unit_test(no_climb_stops_on_a_plateau_or_in_a_dent),
        cmocka_unit_test(a_large_hull_that_turns_slowly_is_followed),
        cmocka_unit_test(whatever_is_in_the_cache_the_box_is_right),
        cmocka_unit_test(many_bodies_at_once_get_the_boxes_of_each),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
