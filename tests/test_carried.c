// What moves under a body carries it by friction alone: against closed forms.
#include "world_support.h"

static trv_body_id add_carrier(trv_world *world, float friction)
{
    trv_body_id body = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, -0.5f, 0));
    add_shape_of(world, body, trv_make_box(trv_make_vec3(10, 0.5f, 10)), friction, 0);
    return body;
}

// On a table that turns, a ball that rolls goes round in circles, at 2/7 of the table's spin, wherever it is. Source:
// Weltner 1979, "Stable circular orbits of freely moving balls on rotating discs".
static void a_ball_on_a_turntable_goes_in_circles(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 120}, radius = 0.1f, spin = 2, speed = 0.3f;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        trv_world *world = make_world();
        trv_body_id table = add_carrier(world, 1);
        expect_result(
            trv_body_set_velocity(world, table, trv_make_vec3(0, 0, 0), trv_make_vec3(0, spin, 0)),
            TRV_OK);
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(1, radius, 0));
        add_shape_of(world, body, ball(radius), 1, 0);
        expect_result(trv_body_set_velocity(world, body, trv_make_vec3(speed, 0, 0),
                                            trv_make_vec3(spin / radius, 0, -speed / radius)),
                      TRV_OK);
        const int steps = (int)(10 * rates[i]);
        for (int s = 0; s < steps; s++)
            expect_result(trv_world_step(world, 1 / rates[i], 4), TRV_OK);
        double round = 2.0 / 7 * (double)spin, angle = 10 * round;
        trv_vec3 at = position_of(world, body), v = velocity_of(world, body);
        expect_near(at.x, 1 + (double)speed / round * sin(angle), 1e-3);
        expect_near(at.z, -(double)speed / round * (1 - cos(angle)), 1e-3);
        expect_near(v.x, (double)speed * cos(angle), 1e-3);
        expect_near(v.z, -(double)speed * sin(angle), 1e-3);
        trv_world_destroy(world);
    }
}

// A platform goes to and fro faster than friction can follow, at another speed in each step: the box under
// Coulomb's law, step by step.
static void a_box_on_a_shuttling_platform_slides_as_friction_lets_it(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 120};
    const double most = 0.3 * 9.81;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        trv_world *world = make_world();
        trv_body_id platform = add_carrier(world, 0.3f);
        trv_body_id body = add_moving(world, cube(0.2f), trv_make_vec3(0, 0.2f, 0),
                                      trv_make_vec3(0, 0, 0), 0.3f, 0);
        double dt = 1 / (double)rates[i], x = 0, v = 0;
        for (int s = 0; s < (int)(4 * rates[i]); s++) {
            double to = (sin(3 * (s + 1) * dt) - sin(3 * s * dt)) / dt;
            expect_result(trv_body_set_velocity(world, platform, trv_make_vec3((float)to, 0, 0),
                                                trv_make_vec3(0, 0, 0)),
                          TRV_OK);
            expect_result(trv_world_step(world, 1 / rates[i], 4), TRV_OK);
            double slides = fmin(fabs(to - v) / most, dt), gain = to > v ? most : -most;
            x += v * slides + 0.5 * gain * slides * slides;
            v += gain * slides;
            x += v * (dt - slides);
        }
        expect_near(position_of(world, body).x, x, 2e-3);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_on_a_turntable_goes_in_circles),
        cmocka_unit_test(a_box_on_a_shuttling_platform_slides_as_friction_lets_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
