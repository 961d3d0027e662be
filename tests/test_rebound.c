// Hulls that bounce off one another, and spin so that they meet again at once, keep their energy.
#include "energy_support.h"
#include "hulls.h"

enum { PAIRS = 500 };

static trv_hull *make_pebble(test_random *random, float radius)
{
    trv_vec3 corners[PEBBLE_CORNERS];
    uint32_t count = pebble_corners(random, radius, corners);
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(corners, count, &def, &hull), TRV_OK);
    return hull;
}

// What two hulls of that size (m) have left of their energy some time after they met.
static double left_by_pair(test_random *random, float size, float speed, float rate)
{
    trv_world_def world_def = trv_default_world_def();
    world_def.gravity = trv_make_vec3(0, 0, 0);
    world_def.restitution_threshold = 0.001f; // else slow second blows do not bounce
    trv_world *world;
    expect_result(trv_world_create(&world_def, &world), TRV_OK);
    trv_hull *hulls[2];
    trv_body_id bodies[2];
    for (int i = 0; i < 2; i++) {
        hulls[i] = make_pebble(random, 0.5f * size);
        trv_body_def def = trv_default_body_def();
        def.kind = TRV_BODY_DYNAMIC;
        def.position =
            trv_make_vec3(i ? 1.2f * size : 0, i ? random_float(random, -0.3f, 0.3f) * size : 0,
                          i ? random_float(random, -0.3f, 0.3f) * size : 0);
        def.rotation = random_quat(random);
        def.linear_velocity = trv_make_vec3(i ? -speed : random_float(random, 0, speed), 0, 0);
        def.angular_velocity = random_vec3(random, speed / size);
        expect_result(trv_body_create(world, &def, &bodies[i]), TRV_OK);
        add_shape_of(world, bodies[i], trv_make_hull(hulls[i]), 0, 1);
    }
    double before = energy_of(world, bodies, 2);
    for (int s = 0; s < (int)(3 * size / speed * rate) + 10; s++)
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
    double left = energy_of(world, bodies, 2) / before;
    trv_world_destroy(world);
    for (int i = 0; i < 2; i++)
        trv_hull_release(hulls[i]);
    return left;
}

static void hulls_that_meet_again_keep_their_energy(void **state)
{
    (void)state;
    const float rates[] = {60, 120, 240};
    for (int r = 0; r < 3; r++) {
        test_random random = {51};
        int lost = 0;
        double most = 0;
        for (int i = 0; i < PAIRS; i++) {
            double left = left_by_pair(&random, 0.2f, 2, rates[r]);
            lost += left < 0.99;
            most = fmax(most, left);
        }
        assert_int_equal(lost, 0);
        assert_true(most < 1.003);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_that_meet_again_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
