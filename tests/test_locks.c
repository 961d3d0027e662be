// Bodies that cannot be moved, or turned, along some axes: what touches them along these.
#include "world_support.h"

static const uint32_t flat = TRV_LOCK_LINEAR_Z | TRV_LOCK_ANGULAR_X | TRV_LOCK_ANGULAR_Y;

// A backdrop behind a game in a plane: it is turned, so that its normal is off the axis by rounding, or
// by more; and the box is in it by some depth.
static trv_body_id add_backdrop(trv_world *world, trv_quat rotation, trv_vec3 half, float depth)
{
    trv_body_id id = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, -1.5f + depth));
    trv_pose pose = pose_of(world, id);
    pose.rotation = rotation;
    expect_result(trv_body_set_pose(world, id, pose), TRV_OK);
    add_shape(world, id, trv_make_box(half));
    return id;
}

// Drops a box in front of it; the fastest that it gets in four seconds, but for falling, m/s.
static float fastest_before(trv_quat rotation, trv_vec3 half, float depth)
{
    trv_world *world = make_world();
    add_ground(world);
    add_backdrop(world, rotation, half, depth);
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
    expect_result(trv_body_set_locks(world, body, flat), TRV_OK);
    float fastest = 0.0f;
    for (int s = 0; s < 240; s++) {
        step_world(world, 1);
        fastest = fmaxf(fastest, trvi_length(velocity_of(world, body)));
        assert_true(trv_world_events(world).quarantine_count == 0);
    }
    trv_world_destroy(world);
    return fastest;
}

static void what_overlaps_along_a_locked_axis_throws_nobody(void **state)
{
    (void)state;
    const trv_vec3 one = {0.57735027f, 0.57735027f, 0.57735027f};
    const float depths[] = {0.0001f, 0.001f, 0.01f, 0.05f};
    for (int i = 0; i < 4; i++) {
        trv_quat half_turn = trv_quat_about(trv_make_vec3(1, 0, 0), 3.14159265f);
        trv_quat third = trv_quat_about(one, 2.0943951f);
        expect_near(fastest_before(half_turn, trv_make_vec3(20, 20, 1), depths[i]), 0, 0.01);
        expect_near(fastest_before(third, trv_make_vec3(20, 1, 20), depths[i]), 0, 0.01);
    }
}

// Where the slant is enough for the locks to leave a way out, it is a slow one.
static void what_is_pushed_out_at_a_slant_is_slow(void **state)
{
    (void)state;
    const float tilts[] = {1e-6f, 1e-4f, 0.005f, 0.02f, 0.05f, 0.2f};
    for (int i = 0; i < 6; i++) {
        trv_quat tilted = trv_quat_about(trv_make_vec3(0, 1, 0), tilts[i]);
        expect_near(fastest_before(tilted, trv_make_vec3(20, 20, 1), 0.1f), 0, 2.0);
    }
}

// It is as heavy as the ground along what is locked, but others still yield.
static void a_locked_light_body_bears_a_heavy_one(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id shelf = add_dynamic(world, trv_make_vec3(0, 0, 0), cube(0.05f));
    expect_result(trv_body_set_locks(world, shelf, TRV_LOCK_ALL), TRV_OK);
    trv_body_id load = add_dynamic(world, trv_make_vec3(0, 1.05f, 0), cube(1));
    step_world(world, 120);
    expect_near(position_of(world, load).y, 1.05, 0.001);
    expect_near(position_of(world, shelf).y, 0, 0);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_overlaps_along_a_locked_axis_throws_nobody),
        cmocka_unit_test(what_is_pushed_out_at_a_slant_is_slow),
        cmocka_unit_test(a_locked_light_body_bears_a_heavy_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
