// What turns on an edge of something, and comes down on it with another corner within the step.
#include "hull_support.h"
#include "world_support.h"

// Rods and a plate that lie on the edge of a block, and turn about it: by the end of the step a corner of theirs
// would be in the block's top that is far from the edge, and above the plane in which they touch.
static const struct {
    trv_vec3 half, at;
    trv_quat rotation;
    trv_vec3 velocity, spin;
    float wide; // the block's half
} throws[] = {
    {{0.1f, 0.1f, 0.4f},
     {0.1959f, 0.15094f, 0.27862f},
     {-0.329163f, -0.936737f, 0.013932f, 0.11824f},
     {0.0665f, -1.5638f, 0.4363f},
     {-5.262f, 0.307f, 1.537f},
     0.5f},
    {{0.1f, 0.1f, 0.4f},
     {0.91241f, 0.13914f, 0.30697f},
     {0.145753f, 0.419975f, 0.275155f, 0.852447f},
     {1.7733f, -1.0811f, 0.557f},
     {-4.418f, -1.626f, 2.685f},
     1},
    {{0.1f, 0.1f, 0.4f},
     {0.79052f, 0.13417f, -0.84792f},
     {-0.106507f, -0.045908f, 0.846738f, 0.519215f},
     {1.9686f, -1.7247f, -2.4442f},
     {6.907f, -0.605f, -5.59f},
     1},
    {{0.3f, 0.05f, 0.3f},
     {-0.60569f, 0.05645f, -0.86335f},
     {-0.023821f, -0.46502f, 0.013303f, 0.88488f},
     {-1.367f, -1.0073f, -0.8711f},
     {5.539f, -2.006f, 0.374f},
     1},
};

static void what_turns_about_an_edge_comes_down_on_the_face(void **state)
{
    (void)state;
    const float scales[] = {0.04f, 1, 9};
    for (int i = 0; i < 24; i++) {
        float s = scales[i / 4 % 3], root = sqrtf(s);
        trv_world *world = make_world();
        trv_body_id floor = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -s, 0));
        trv_shape level = trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0));
        add_shape_of(world, floor, level, 0.6f, 0);
        trv_body_kind kind = i < 12 ? TRV_BODY_STATIC : TRV_BODY_DYNAMIC;
        float wide = throws[i % 4].wide;
        trv_body_id block = add_body(world, kind, trv_make_vec3(0, -0.5f * s, 0));
        add_shape_of(world, block, trv_make_box(trv_make_vec3(wide * s, 0.5f * s, wide * s)), 0.6f,
                     0);
        trv_pose pose = {throws[i % 4].at, throws[i % 4].rotation};
        trv_vec3 half = throws[i % 4].half, v = throws[i % 4].velocity, w = throws[i % 4].spin;
        pose.position = trvi_scale(pose.position, s);
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, pose.position);
        add_shape_of(world, body, trv_make_box(trvi_scale(half, s)), 0.6f, 0);
        expect_result(trv_body_set_pose(world, body, pose), TRV_OK);
        // As fast as it turns by the same angle in a step that is as long as its size has it.
        expect_result(
            trv_body_set_velocity(world, body, trvi_scale(v, root), trvi_scale(w, 1 / root)),
            TRV_OK);
        for (int f = 0; f < 8; f++) {
            expect_result(trv_world_step(world, root / 60, 4), TRV_OK);
            if (!(lowest_separation(world) > -0.005f * s))
                fail_msg("case %d, step %d: %g of its size deep", i, f,
                         (double)(-lowest_separation(world) / s));
        }
        trv_world_destroy(world);
    }
}

static float lowest_of(const trv_world *world, trv_body_id body, const trv_vec3 *corners,
                       uint32_t count)
{
    const trv_pose pose = pose_of(world, body);
    float lowest = HUGE_VALF;
    for (uint32_t i = 0; i < count; i++)
        lowest = fminf(lowest, trv_pose_apply(pose, corners[i]).y);
    return lowest;
}

// How deep a hull comes into the ground at the end of any step, as it lands and rolls over, in its size.
static float deepest_of_drop(test_random *random, float size)
{
    trv_vec3 corners[PEBBLE_CORNERS];
    uint32_t count = pebble_corners(random, 0.5f * size, corners);
    trv_hull *hull = hull_of(corners, count);
    trv_world *world = make_world();
    add_shape(world, add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0)),
              trv_make_box(trv_make_vec3(50, 1, 50)));
    float speed = sqrtf(9.81f * size);
    trv_pose pose = trv_make_pose(trv_make_vec3(0, random_float(random, size, 4 * size), 0));
    pose.rotation = random_quat(random);
    trv_vec3 linear = random_vec3(random, 2 * speed);
    trv_vec3 angular = random_vec3(random, 3 * speed / size);
    trv_body_id body = add_thrown(world, pose, linear, angular);
    add_shape(world, body, trv_make_hull(hull));
    float deepest = 0;
    for (int f = 0; f < 150; f++) {
        expect_result(trv_world_step(world, 1.0f / 60, 4), TRV_OK);
        deepest = fmaxf(deepest, -lowest_of(world, body, corners, count) / size);
    }
    trv_world_destroy(world);
    trv_hull_release(hull);
    return deepest;
}

static void what_tumbles_comes_down_on_the_ground(void **state)
{
    (void)state;
    test_random random = {41};
    const float sizes[] = {0.02f, 0.2f}, means[] = {0.0016f, 0.0011f};
    for (int s = 0; s < 2; s++) {
        int deep = 0;
        float sum = 0;
        for (int i = 0; i < 300; i++) {
            float depth = deepest_of_drop(&random, sizes[s]);
            sum += depth;
            deep += depth > 0.02f;
        }
        assert_true(sum / 300 < means[s]);
        assert_in_range(deep, 0, 4);
    }
}

// How deep two hulls that turn get into one another, as they meet in flight, at the end of any step, in their size.
static float deepest_of_meeting(test_random *random, float size, float rate)
{
    const float speed = 10 * size;
    trv_hull *hulls[2];
    trv_body_id bodies[2];
    trv_world *world = make_empty_space();
    for (int i = 0; i < 2; i++)
        hulls[i] = pebble_of(random, 0.5f * size);
    for (int i = 0; i < 2; i++) {
        trv_pose pose = trv_make_pose(random_vec3(random, 0.3f * size));
        pose.rotation = random_quat(random);
        pose.position.x = i == 0 ? 0 : 1.2f * size;
        float v = i == 0 ? random_float(random, 0, speed) : -speed;
        bodies[i] =
            add_thrown(world, pose, trv_make_vec3(v, 0, 0), random_vec3(random, speed / size));
        add_shape(world, bodies[i], trv_make_hull(hulls[i]));
    }
    float deepest = 0;
    for (int f = 0; f < (int)(0.4f * rate); f++) {
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        trv_shape a = trv_make_hull(hulls[0]), b = trv_make_hull(hulls[1]);
        trv_gap gap;
        expect_result(
            trv_distance(&a, pose_of(world, bodies[0]), &b, pose_of(world, bodies[1]), &gap),
            TRV_OK);
        deepest = fmaxf(deepest, -gap.distance / size);
    }
    trv_world_destroy(world);
    trv_hull_release(hulls[0]);
    trv_hull_release(hulls[1]);
    return deepest;
}

static void what_turns_and_meets_in_flight_is_not_in_one_another(void **state)
{
    (void)state;
    test_random random = {43};
    const float rates[] = {30, 60, 120}, means[] = {0.0002f, 0.0008f, 0.0012f};
    for (int r = 0; r < 3; r++) {
        int deep = 0;
        float sum = 0;
        for (int i = 0; i < 500; i++) {
            float depth = deepest_of_meeting(&random, 0.2f, rates[r]);
            sum += depth;
            deep += depth > 0.02f;
        }
        assert_true(sum / 500 < means[r]);
        assert_in_range(deep, 0, 3);
    }
}

enum { BALL_CORNERS = 500 };

// How high a ball of many faces gets off the level that it rolls on, m.
static float hop_of(test_random *random, float radius, float speed, float rate)
{
    trv_vec3 corners[BALL_CORNERS];
    spiral_corners(BALL_CORNERS, trv_make_vec3(radius, radius, radius), corners);
    trv_hull *hull = hull_of(corners, BALL_CORNERS);
    trv_world *world = make_world();
    add_ground(world);
    trv_pose pose = {trv_make_vec3(0, radius, 0), random_quat(random)};
    trv_body_id body =
        add_thrown(world, pose, trv_make_vec3(speed, 0, 0), trv_make_vec3(0, 0, -speed / radius));
    add_shape(world, body, trv_make_hull(hull));
    float hop = 0;
    for (int f = 0; f < 4 * (int)rate; f++) {
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        hop = fmaxf(hop, lowest_of(world, body, corners, BALL_CORNERS));
    }
    trv_world_destroy(world);
    trv_hull_release(hull);
    return hop;
}

// From one corner to the next it turns by .16 rad, which throws it up by 3 mm.
static void what_rolls_on_many_corners_hardly_hops(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 120};
    for (int r = 0; r < 3; r++) {
        test_random random = {43};
        float sum = 0;
        for (int i = 0; i < 12; i++)
            sum += hop_of(&random, 0.1f, 3, rates[r]);
        assert_true(sum / 12 < 0.008f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rolls_on_many_corners_hardly_hops),
        cmocka_unit_test(what_tumbles_comes_down_on_the_ground),
        cmocka_unit_test(what_turns_and_meets_in_flight_is_not_in_one_another),
        cmocka_unit_test(what_turns_about_an_edge_comes_down_on_the_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
