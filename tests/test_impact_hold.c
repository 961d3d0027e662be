// What impacts take from the solver, and what they must leave to it: no contact is nobody's.
#include "energy_support.h"
#include "hulls.h"

static float depth_in(trv_world *world, const trv_shape *floor, trv_pose at, trv_body_id body,
                      const trv_shape *shape)
{
    trv_gap gap;
    expect_result(trv_distance(floor, at, shape, pose_of(world, body), &gap), TRV_OK);
    return -gap.distance;
}

static float depth_in_ground(trv_world *world, trv_body_id body, const trv_shape *shape)
{
    const trv_shape ground = trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0));
    return depth_in(world, &ground, trv_make_pose(trv_make_vec3(0, 0, 0)), body, shape);
}

// How deep it gets into the ground in three seconds, m.
static float deepest_of(trv_world *world, trv_body_id body, const trv_shape *shape)
{
    float deepest = 0.0f;
    for (int s = 0; s < 180; s++) {
        step_world(world, 1);
        deepest = fmaxf(deepest, depth_in_ground(world, body, shape));
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

// However hard it is pressed on: what weight, or a force, gives it in a sub-step is not thrown back.
static void what_is_pressed_hard_does_not_sink_for_bouncing(void **state)
{
    (void)state;
    const struct {
        float gravity_scale, threshold, force;
        int rate;
        uint32_t substeps;
    } cases[] = {{1, 0, 0, 60, 4},     {1, 0.1f, 0, 60, 1}, {10, 0.5f, 0, 60, 2},
                 {10, 0.5f, 0, 60, 4}, {1, 0.5f, 9, 60, 4}, {1, 0.5f, 20, 60, 4}};
    const trv_shape shapes[] = {cube(0.5f), ball(0.5f)};
    for (int i = 0; i < 12; i++) {
        trv_world_def def = trv_default_world_def();
        trv_world *world;
        def.restitution_threshold = cases[i / 2].threshold;
        expect_result(trv_world_create(&def, &world), TRV_OK);
        add_ground(world);
        trv_body_id body = add_moving(world, shapes[i % 2], trv_make_vec3(0, 0.6f, 0),
                                      trv_make_vec3(0, 0, 0), 0.6f, 0.3f);
        expect_result(trv_body_set_gravity_scale(world, body, cases[i / 2].gravity_scale), TRV_OK);
        float mass, inertia[6];
        trv_vec3 center;
        expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
        for (int s = 0; s < 4 * cases[i / 2].rate; s++) {
            trv_vec3 down = {0, -9.81f * mass * cases[i / 2].force, 0};
            expect_result(trv_body_apply_force_to_center(world, body, down), TRV_OK);
            expect_result(
                trv_world_step(world, 1.0f / (float)cases[i / 2].rate, cases[i / 2].substeps),
                TRV_OK);
            expect_shallow(i, depth_in_ground(world, body, &shapes[i % 2]), 0.01f);
        }
        trv_world_destroy(world);
    }
}

// A blow at one end makes a stick spin within the sub-step, which is no reason to take back what bears the
// other end; nor may that swing into the floor unseen.
static void sticks_that_fall_stay_above_the_floor(void **state)
{
    (void)state;
    const trv_shape slab = trv_make_box(trv_make_vec3(50, 1, 50));
    const trv_pose below = trv_make_pose(trv_make_vec3(0, -1, 0));
    test_random random = {9};
    for (int i = 0; i < 600; i++) {
        trv_world *world = make_world();
        trv_body_id floor = add_body(world, TRV_BODY_STATIC, below.position);
        add_shape(world, floor, slab);
        float length = random_float(&random, 0.2f, 2),
              thin = length * random_float(&random, 0.05f, 0.4f);
        float wide = i % 2 ? thin : length * random_float(&random, 0.2f, 1);
        int rate = i % 4 < 2 ? 30 : 60;
        const trv_shape box = trv_make_box(trv_make_vec3(length, thin, wide));
        float height = 1.5f * length + random_float(&random, 0, 10);
        trv_body_id body = add_moving(world, box, trv_make_vec3(0, height, 0),
                                      random_vec3(&random, 5), i % 3 ? 0.6f : 0.0f, 0.0f);
        trv_pose pose = pose_of(world, body);
        pose.rotation = random_quat(&random);
        expect_result(trv_body_set_pose(world, body, pose), TRV_OK);
        for (int s = 0; s < 2 * rate; s++) {
            expect_result(trv_world_step(world, 1.0f / (float)rate, 4), TRV_OK);
            expect_shallow(i, depth_in(world, &slab, below, body, &box), 0.3f * thin + 0.01f);
        }
        trv_world_destroy(world);
    }
}

// A corner that leaves at 24 m/s looks to the solver, by where it was when the step began, as if it came.
static void spinning_sticks_that_meet_gain_no_energy(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 300; i++) {
        trv_world *world = make_empty_space();
        trv_body_id sticks[2];
        for (int k = 0; k < 2; k++) {
            float side = k == 0 ? 1.0f : -1.0f;
            trv_vec3 speed = {4 * side, random_float(&random, -0.3f, 0.3f),
                              random_float(&random, -0.3f, 0.3f)};
            trv_vec3 spin = random_vec3(&random, 1);
            sticks[k] = add_moving(world, trv_make_box(trv_make_vec3(0.5f, 0.08f, 0.08f)),
                                   trv_make_vec3(-1.5f * side, 0, 0), speed, 0.5f, 0.0f);
            spin = trvi_scale(spin, (i % 2 ? 100.0f : 50.0f) / trvi_length(spin));
            expect_result(trv_body_set_velocity(world, sticks[k], speed, spin), TRV_OK);
        }
        double first = energy_of(world, sticks, 2);
        for (int s = 0; s < 60; s++) {
            step_world(world, 1);
            double now = energy_of(world, sticks, 2);
            if (!(now <= 1.01 * first))
                fail_msg("case %d: %g times the energy in step %d", i, now / first, s);
        }
        trv_world_destroy(world);
    }
}

// It turns over some of its sides in a step, so that what bears it as that begins has come off the ground
// when it is relaxed.
static void wheels_that_roll_fast_are_borne_in_every_step(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const float radius = 0.05f, speed = i ? 0.49f : 2.1f;
        trv_hull *hull = make_wheel(i ? 64 : 128, radius, 0.02f);
        trv_world *world = make_world();
        trv_body_id floor = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0));
        add_shape(world, floor, trv_make_box(trv_make_vec3(20, 1, 20)));
        trv_body_id wheel = add_dynamic(world, trv_make_vec3(0, radius, 0), trv_make_hull(hull));
        expect_result(trv_body_set_velocity(world, wheel, trv_make_vec3(speed, 0, 0),
                                            trv_make_vec3(0, 0, -speed / radius)),
                      TRV_OK);
        double begun = energy_under_gravity(world, &wheel, 1), before = begun;
        for (int s = 0; s < 240; s++) {
            expect_result(trv_world_step(world, i ? 1.0f / 60.0f : 1.0f / 240.0f, 1), TRV_OK);
            double now = energy_under_gravity(world, &wheel, 1);
            if (!(now <= before + 0.02 * begun))
                fail_msg("case %d: from %g J to %g J in step %d", i, before, now, s);
            before = now;
        }
        trv_world_destroy(world);
        trv_hull_release(hull);
    }
}

// Two that glance off one another meet along another normal than they had as the step began: what closes in fast
// enough to bounce by the one, and not by the other, has to be stopped by somebody. What is stopped by no more than
// weight would do in two sub-steps comes to lie by up to half of its last way too far, as all such motion is smoothed.
static void marbles_that_barely_bounce_do_not_get_into_one_another(void **state)
{
    (void)state;
    const float radius = 0.0125f, e[] = {1.0f, 0.5f};
    test_random random = {9};
    const trv_shape marble = trv_make_sphere(trv_make_vec3(0, 0, 0), radius);
    for (int i = 0; i < 300; i++) {
        trv_world *world = make_world();
        float closing = random_float(&random, 0.2f, 0.3f), past = random_float(&random, 0.0f, 0.8f);
        float gap = random_float(&random, 0.0f, 0.004f), deepest = 0.0f;
        const trv_vec3 at[2] = {{0, 5, 0}, {2.0f * radius + gap, 5, 0}};
        trv_body_id a =
            add_moving(world, marble, at[0], trv_make_vec3(closing, past, 0), 0, e[i % 2]);
        trv_body_id b = add_moving(world, marble, at[1], trv_make_vec3(0, 0, 0), 0, e[i % 2]);
        for (int s = 0; s < 6; s++) {
            expect_result(trv_world_step(world, 1.0f / 30.0f, 4), TRV_OK);
            deepest = fmaxf(deepest, depth_in(world, &marble, pose_of(world, a), b, &marble));
        }
        expect_shallow(i, deepest, 0.06f * radius);
        trv_world_destroy(world);
    }
}

// They roll on an end, and their corners go round by more than a radian in a sub-step: the solver would stop
// them where they do not go, and take that back where they are by then.
static void rods_that_clatter_keep_their_energy(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 240};
    for (int i = 0; i < 30; i++) {
        test_random random = {(uint64_t)i + 1};
        trv_world *world = make_world();
        add_ground_of(world, 0, 1);
        trv_body_id rod = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 3, 0));
        trv_pose pose = {{0, 3, 0}, random_quat(&random)};
        expect_result(trv_body_set_pose(world, rod, pose), TRV_OK);
        add_shape_of(world, rod, trv_make_box(trv_make_vec3(0.5f, 0.02f, 0.02f)), 0, 1);
        trv_vec3 spin = random_vec3(&random, 2);
        expect_result(trv_body_set_velocity(world, rod, trv_make_vec3(0, 0, 0), spin), TRV_OK);
        double first = energy_under_gravity(world, &rod, 1);
        for (int s = 0; s < (int)(10 * rates[i % 3]); s++)
            expect_result(trv_world_step(world, 1.0f / rates[i % 3], 4), TRV_OK);
        double kept = energy_under_gravity(world, &rod, 1) / first;
        if (fabs(kept - 1.0) > 0.002)
            fail_msg("rod %d keeps %g of its energy", i, kept);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locked_bodies_that_slide_fast_stay_on_the_floor),
        cmocka_unit_test(boxes_that_spin_flat_on_ice_do_not_sink),
        cmocka_unit_test(what_bounces_on_its_corners_does_not_sink),
        cmocka_unit_test(what_is_pressed_hard_does_not_sink_for_bouncing),
        cmocka_unit_test(sticks_that_fall_stay_above_the_floor),
        cmocka_unit_test(spinning_sticks_that_meet_gain_no_energy),
        cmocka_unit_test(wheels_that_roll_fast_are_borne_in_every_step),
        cmocka_unit_test(marbles_that_barely_bounce_do_not_get_into_one_another),
        cmocka_unit_test(rods_that_clatter_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
