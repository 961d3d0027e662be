// What impacts take from the solver, and what they must leave to it: no contact is nobody's.
#include "world_support.h"

static trv_body_id add_moving(trv_world *world, trv_shape shape, trv_vec3 position, trv_vec3 speed,
                              float friction, float restitution)
{
    trv_body_id id = add_body(world, TRV_BODY_DYNAMIC, position);
    add_shape_of(world, id, shape, friction, restitution);
    expect_result(trv_body_set_velocity(world, id, speed, trv_make_vec3(0, 0, 0)), TRV_OK);
    return id;
}

// How deep it gets into the ground in three seconds, m.
static float deepest_of(trv_world *world, trv_body_id body, const trv_shape *shape)
{
    const trv_shape floor = trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0));
    const trv_pose unmoved = trv_make_pose(trv_make_vec3(0, 0, 0));
    float deepest = 0.0f;
    for (int s = 0; s < 180; s++) {
        trv_gap gap;
        step_world(world, 1);
        expect_result(trv_distance(&floor, unmoved, shape, pose_of(world, body), &gap), TRV_OK);
        deepest = fmaxf(deepest, -gap.distance);
    }
    return deepest;
}

static void expect_shallow(int i, float deepest, float most)
{
    if (!(deepest <= most))
        fail_msg("case %d is %g m deep", i, (double)deepest);
}

// Whatever its inertia is like when nothing turns it: the solver has to carry it.
static void locked_bodies_that_slide_fast_stay_on_the_floor(void **state)
{
    (void)state;
    const trv_shape shapes[] = {
        trv_make_capsule(trv_make_vec3(0, -0.5f, 0), trv_make_vec3(0, 0.5f, 0), 0.4f),
        trv_make_box(trv_make_vec3(0.1f, 0.2f, 0.1f)),
        trv_make_box(trv_make_vec3(0.03f, 0.09f, 0.03f))};
    const float rests[] = {0.9f, 0.2f, 0.09f};
    const uint32_t locks[] = {TRV_LOCK_ANGULAR_X | TRV_LOCK_ANGULAR_Y | TRV_LOCK_ANGULAR_Z,
                              TRV_LOCK_LINEAR_Z | TRV_LOCK_ANGULAR_X | TRV_LOCK_ANGULAR_Y,
                              TRV_LOCK_ANGULAR_X};
    for (int i = 0; i < 27; i++) {
        trv_world *world = make_world();
        add_ground(world);
        trv_body_id body =
            add_moving(world, shapes[i % 3], trv_make_vec3(0, rests[i % 3], 0),
                       trv_make_vec3(i < 18 ? 30 : 6, 0, 0), i / 9 % 2 ? 0.6f : 0.0f, 0.0f);
        expect_result(trv_body_set_locks(world, body, locks[i / 3 % 3]), TRV_OK);
        expect_shallow(i, deepest_of(world, body, &shapes[i % 3]), 0.002f);
        trv_world_destroy(world);
    }
}

// They turn by a radian in a step, so that the solver's inertia is not theirs.
static void boxes_that_spin_flat_on_ice_do_not_sink(void **state)
{
    (void)state;
    const trv_vec3 halves[] = {{0.1f, 0.2f, 0.3f}, {0.3f, 0.1f, 0.05f}, {0.5f, 0.05f, 0.1f}};
    const float spins[] = {30, 60, 100};
    for (int i = 0; i < 18; i++) {
        trv_world *world = make_world();
        add_ground(world);
        trv_vec3 half = halves[i % 3], spin = {0, spins[i / 3 % 3], 0};
        const trv_shape box = trv_make_box(half);
        trv_body_id body = add_moving(world, box, trv_make_vec3(0, half.y, 0),
                                      trv_make_vec3(0, 0, 0), 0.0f, i < 9 ? 0.0f : 0.5f);
        expect_result(trv_body_set_velocity(world, body, trv_make_vec3(0, 0, 0), spin), TRV_OK);
        expect_shallow(i, deepest_of(world, body, &box), 0.002f);
        trv_vec3 linear, angular;
        expect_result(trv_body_velocity(world, body, &linear, &angular), TRV_OK);
        expect_near(angular.y, spin.y, 0.01 * (double)spin.y);
        trv_world_destroy(world);
    }
}

// One corner rests while another comes down fast enough to bounce: the first is the solver's, the other
// is met on its way. The less inertia for its mass, the more of that.
static void what_bounces_on_its_corners_does_not_sink(void **state)
{
    (void)state;
    const float shares[] = {1.0f, 0.1f, 0.03f}, bounces[] = {0.1f, 0.3f, 0.6f};
    const trv_shape box = trv_make_box(trv_make_vec3(0.1f, 0.15f, 0.08f));
    test_random random = {5};
    for (int i = 0; i < 90; i++) {
        trv_world *world = make_world();
        add_ground(world);
        trv_body_id body = add_moving(world, box, trv_make_vec3(0, 2, 0), random_vec3(&random, 2),
                                      0.6f, bounces[i / 3 % 3]);
        float mass, inertia[6];
        trv_vec3 center;
        expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
        for (int k = 0; k < 6; k++)
            inertia[k] *= shares[i % 3];
        expect_result(trv_body_set_mass(world, body, mass, center, inertia), TRV_OK);
        trv_pose pose = pose_of(world, body);
        pose.rotation = random_quat(&random);
        expect_result(trv_body_set_pose(world, body, pose), TRV_OK);
        expect_shallow(i, deepest_of(world, body, &box), 0.008f);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locked_bodies_that_slide_fast_stay_on_the_floor),
        cmocka_unit_test(boxes_that_spin_flat_on_ice_do_not_sink),
        cmocka_unit_test(what_bounces_on_its_corners_does_not_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
