// Hulls that bounce off one another, and spin so that they meet again at once, keep their energy.
#include "energy_support.h"
#include "hull_support.h"

enum { PAIRS = 500 };

// On its way to the other, which comes the other way, beside it.
static trv_body_id throw_one(trv_world *world, test_random *random, bool other, float size,
                             float speed)
{
    trv_pose pose = trv_make_pose(trv_make_vec3(0, 0, 0));
    if (other) {
        pose.position.x = 1.2f * size;
        pose.position.z = random_float(random, -0.3f, 0.3f) * size;
        pose.position.y = random_float(random, -0.3f, 0.3f) * size;
    }
    pose.rotation = random_quat(random);
    trv_vec3 linear = trv_make_vec3(other ? -speed : random_float(random, 0, speed), 0, 0);
    return add_thrown(world, pose, linear, random_vec3(random, speed / size));
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
        hulls[i] = pebble_of(random, 0.5f * size);
        bodies[i] = throw_one(world, random, i == 1, size, speed);
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
