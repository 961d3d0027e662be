// Forces act where bodies have got to within a step: what rocks on something round neither gains nor loses,
// whatever the rate and the sub-steps.
#include "world_support.h"

// A ball whose centre of mass lies lower by a third of its radius, tilted.
static trv_body_id add_weeble(trv_world *world, float radius, float tilt)
{
    trv_body_def def = trv_default_body_def();
    def.kind = TRV_BODY_DYNAMIC;
    def.never_sleeps = true;
    def.position = trv_make_vec3(0, radius, 0);
    def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), tilt);
    trv_body_id body;
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape_of(world, body, ball(radius), 0.6f, 0);
    float mass = 4000 * radius * radius * radius, inertia = 0.3f * mass * radius * radius;
    float about[6] = {inertia, inertia, inertia, 0, 0, 0};
    expect_result(trv_body_set_mass(world, body, mass, trv_make_vec3(0, -radius / 3, 0), about),
                  TRV_OK);
    return body;
}

static float tilt_of(const trv_world *world, trv_body_id body)
{
    trv_vec3 up = trv_rotate(pose_of(world, body).rotation, trv_make_vec3(0, 1, 0));
    return atan2f(-up.x, up.y);
}

// The largest tilt of the last second of so many.
static float swing_after(float radius, float tilt, float rate, uint32_t substeps, float seconds)
{
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id body = add_weeble(world, radius, tilt);
    float most = 0;
    for (int i = 0; i < (int)(seconds * rate); i++) {
        expect_result(trv_world_step(world, 1 / rate, substeps), TRV_OK);
        if ((float)i >= (seconds - 2) * rate)
            most = fmaxf(most, fabsf(tilt_of(world, body)));
    }
    trv_world_destroy(world);
    return most;
}

static void what_rocks_on_a_round_base_swings_on(void **state)
{
    (void)state;
    const struct {
        float radius, tilt, rate;
        uint32_t substeps;
    } cases[] = {{0.3f, 0.1f, 60, 4},   {0.3f, 0.1f, 60, 1},  {0.3f, 0.1f, 60, 8},
                 {0.3f, 0.1f, 30, 4},   {0.3f, 0.1f, 120, 4}, {0.03f, 0.1f, 60, 4},
                 {0.03f, 0.01f, 60, 4}, {1, 0.5f, 60, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float swing =
            swing_after(cases[i].radius, cases[i].tilt, cases[i].rate, cases[i].substeps, 12);
        if (!(fabsf(swing / cases[i].tilt - 1) <= 0.02f))
            fail_msg("case %zu: %g of %g", i, (double)swing, (double)cases[i].tilt);
    }
}

// It is slower as its middle rises, and faster as that comes down again.
static void what_rolls_unevenly_keeps_its_energy(void **state)
{
    (void)state;
    const float speeds[] = {1.2f, 1.5f, 3}, rates[] = {60, 120};
    for (int i = 0; i < 6; i++) {
        trv_world *world = make_world();
        add_ground(world);
        const float radius = 0.3f, low = radius / 3;
        trv_body_id body = add_weeble(world, radius, 0);
        float speed = speeds[i % 3], spin = speed / radius, rate = rates[i / 3];
        expect_result(trv_body_set_velocity(world, body, trv_make_vec3(spin * (radius - low), 0, 0),
                                            trv_make_vec3(0, 0, -spin)),
                      TRV_OK);
        float begun = 0, most = 0, has = 0;
        for (int s = 0; s <= (int)(6 * rate); s++) {
            trv_vec3 v, w;
            expect_result(trv_body_velocity(world, body, &v, &w), TRV_OK);
            float high = low * (1 - cosf(tilt_of(world, body)));
            has = 0.5f * trvi_dot(v, v) + 0.15f * radius * radius * trvi_dot(w, w) + 9.81f * high;
            begun = s == 0 ? has : begun;
            most = fmaxf(most, has);
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        }
        if (!(most <= 1.01f * begun && has >= 0.95f * begun))
            fail_msg("case %d: %g to %g of %g J/kg", i, (double)has, (double)most, (double)begun);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rocks_on_a_round_base_swings_on),
        cmocka_unit_test(what_rolls_unevenly_keeps_its_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
