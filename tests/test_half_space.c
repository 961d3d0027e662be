// A half-space is a floor like any other: however large what is on it, it has no end.
#include "world_support.h"

static void add_floor_of(trv_world *world, bool endless, float friction, float restitution)
{
    trv_body_id floor =
        add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, endless ? 0.0f : -5.0f, 0));
    trv_shape shape = endless ? trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0))
                              : trv_make_box(trv_make_vec3(500, 5, 500));
    add_shape_of(world, floor, shape, friction, restitution);
}

// At 20 m/s float32 lays its four corners out of level by more than a hundredth of a millimetre.
static void what_falls_flat_from_high_leaves_flat(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        const float height = i % 3 == 0 ? 20.0f : i % 3 == 1 ? 50.0f : 100.0f;
        trv_world *world = make_world();
        add_floor_of(world, i < 6, 0, 1);
        trv_body_id box = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(3, height + 0.5f, -7));
        trv_shape shape =
            i % 2 ? trv_make_capsule(trv_make_vec3(-1, 0, 0), trv_make_vec3(1, 0, 0), 0.5f)
                  : trv_make_box(trv_make_vec3(0.5f, 0.5f, 0.5f));
        add_shape_of(world, box, shape, 0, 1);
        for (int s = 0; s < 60 * 60; s++) {
            step_world(world, 1);
            trv_vec3 linear, spin;
            expect_result(trv_body_velocity(world, box, &linear, &spin), TRV_OK);
            if (!(trvi_length(spin) <= 0.001f))
                fail_msg("case %d turns by %g rad/s after %d steps", i, (double)trvi_length(spin),
                         s);
        }
        trv_world_destroy(world);
    }
}

// The default is half a metre a second.
static void slow_balls_stay_on_either(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int fast = 0; fast < 2; fast++) {
            trv_world *world = make_world();
            add_floor_of(world, i == 0, 0, 0.8f);
            trv_vec3 speed = {0, fast ? -0.6f : -0.4f, 0};
            trv_body_id body =
                add_moving(world, ball(0.5f), trv_make_vec3(0, 0.501f, 0), speed, 0, 0.8f);
            step_world(world, 1);
            assert_int_equal(velocity_of(world, body).y > 0.05f, fast);
            trv_world_destroy(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_falls_flat_from_high_leaves_flat),
        cmocka_unit_test(slow_balls_stay_on_either),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
