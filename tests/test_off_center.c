// What is round and has its weight off the middle keeps its energy as it rolls, rocks, slides and spins.
#include "energy_support.h"
#include "hulls.h"

typedef struct roller {
    const char *name;
    trv_shape shape; // of radius 1, its middle at the origin
    float radius, rate;
    float friction;
    float off;        // by how much of the radius its weight is below the middle
    float long_way;   // its moment of inertia about the vertical, by that about other axes
    float tilt;       // rad, about z
    trv_vec3 angular; // that it begins with, rad/s at a radius of 1 m
    float keeps;      // its energy, but for such a share of what it has above lying still
} roller;

static trv_shape scaled(trv_shape shape, float by)
{
    if (shape.kind == TRV_SHAPE_SPHERE)
        return ball(by);
    return trv_make_capsule(trvi_scale(shape.as.capsule.a, by), trvi_scale(shape.as.capsule.b, by),
                            by);
}

static trv_body_id add_roller(trv_world *world, const roller *r)
{
    float radius = r->radius, low = r->off * radius, spins = 1 / sqrtf(radius);
    trv_body_def def = trv_default_body_def();
    def.kind = TRV_BODY_DYNAMIC;
    def.never_sleeps = true;
    def.position = trv_make_vec3(0, radius, 0);
    def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), r->tilt);
    trv_body_id body;
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape_of(world, body, scaled(r->shape, radius), r->friction, 0);
    float inertia = 0.4f * radius * radius;
    float about[6] = {inertia, inertia * r->long_way, inertia, 0, 0, 0};
    expect_result(trv_body_set_mass(world, body, 1, trv_make_vec3(0, -low, 0), about), TRV_OK);
    trv_vec3 spin = trvi_scale(r->angular, spins);
    trv_vec3 arm = trv_rotate(def.rotation, trv_make_vec3(0, -low, 0));
    trv_vec3 rolls = trvi_cross(spin, trvi_add(arm, trv_make_vec3(0, radius, 0)));
    expect_result(trv_body_set_velocity(world, body, rolls, spin), TRV_OK);
    return body;
}

static void expect_kept(const roller *r)
{
    trv_world *world = make_world();
    add_ground_of(world, r->friction, 0);
    trv_body_id body = add_roller(world, r);
    double least = 9.81 * (double)(r->radius * (1 - r->off));
    double begun = energy_under_gravity(world, &body, 1) - least;
    for (int s = 1; s <= (int)(10 * r->rate); s++) {
        expect_result(trv_world_step(world, 1 / r->rate, 4), TRV_OK);
        double has = energy_under_gravity(world, &body, 1) - least;
        if (!(fabs(has / begun - 1) <= (double)r->keeps))
            fail_msg("%s of %g m at %g/s: %g of its energy after %g s", r->name, (double)r->radius,
                     (double)r->rate, has / begun, s / (double)r->rate);
    }
    trv_world_destroy(world);
}

static void what_has_its_weight_off_the_middle_keeps_its_energy(void **state)
{
    (void)state;
    const trv_shape round = ball(1);
    const trv_shape tall = trv_make_capsule((trv_vec3){0, 0, 0}, (trv_vec3){0, 1.2f, 0}, 1);
    const trv_shape lies = trv_make_capsule((trv_vec3){0, 0, -2}, (trv_vec3){0, 0, 2}, 1);
    const trv_vec3 none = {0, 0, 0}, rolls = {0, 0, -4}, whirls = {1, 2, 0};
    const roller rollers[] = {
        {"ball", round, 1, 60, 1.5f, 0.4f, 1, 1, none, 0.01f},
        {"small ball", round, 0.025f, 60, 1.5f, 0.4f, 1, 1, none, 0.05f},
        {"small ball", round, 0.025f, 240, 1.5f, 0.4f, 1, 1, none, 0.015f},
        {"ball on ice", round, 0.15f, 60, 0, 0.4f, 1, 1, none, 0.025f},
        {"small ball on ice", round, 0.025f, 60, 0, 0.4f, 1, 1, none, 0.06f},
        {"wheel", round, 0.5f, 60, 0.9f, 0.2f, 1, 0, rolls, 0.01f},
        {"wheel", round, 0.5f, 30, 0.9f, 0.2f, 1, 0, rolls, 0.02f},
        {"tall capsule", tall, 0.15f, 60, 1.5f, 0.4f, 0.7f, 1, none, 0.02f},
        {"tall capsule", tall, 0.025f, 60, 1.5f, 0.4f, 0.7f, 1, none, 0.05f},
        {"lying capsule", lies, 0.15f, 60, 1.5f, 0.4f, 1, 1, none, 0.02f},
        {"lying capsule", lies, 0.025f, 60, 1.5f, 0.4f, 1, 1, none, 0.05f},
        {"whirling ball", round, 0.15f, 60, 0, 0.4f, 1, 1, whirls, 0.03f},
        {"flat whirling ball", round, 0.15f, 60, 0.8f, 0.4f, 0.8f, 1, whirls, 0.05f},
        {"flat whirling ball", round, 1, 60, 0.8f, 0.4f, 0.8f, 1, whirls, 0.015f},
    };
    for (size_t i = 0; i < sizeof rollers / sizeof *rollers; i++)
        expect_kept(&rollers[i]);
}

// An L that lies flat on ice: what bears it has no moment about the vertical, however it lies to its axes.
static void what_spins_flat_on_ice_spins_no_faster(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 240}, spins[] = {2, 5}, scales[] = {0.1f, 1};
    for (int i = 0; i < 12; i++) {
        float rate = rates[i % 3], spin = spins[i / 3 % 2], s = scales[i / 6];
        trv_world *world = make_world();
        add_ground_of(world, 0, 0);
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
        trv_obb parts[2] = {
            {.center = {0, 0.1f * s, 0}, .half = {0.5f * s, 0.1f * s, 0.3f * s}},
            {.center = {0.4f * s, 0.45f * s, 0}, .half = {0.1f * s, 0.25f * s, 0.3f * s}}};
        for (int k = 0; k < 2; k++) {
            parts[k].rotation = trv_identity_quat();
            add_shape_of(world, body, trv_make_placed_box(parts[k]), 0, 0);
        }
        trv_vec3 linear, angular = {0, spin, 0};
        expect_result(trv_body_set_velocity(world, body, trv_make_vec3(0, 0, 0), angular), TRV_OK);
        for (int k = 0; k < (int)(4 * rate); k++)
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        expect_result(trv_body_velocity(world, body, &linear, &angular), TRV_OK);
        expect_near(angular.y, spin, 0.004 * (double)spin);
        trv_world_destroy(world);
    }
}

// The middle of a wedge's bounds lies on its slope: it is as thick as others all the same. At 20 rad/s it tips a
// little, and goes on.
static void wedges_that_spin_on_ice_keep_their_spin(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 120, 240}, spins[] = {5, 10, 20};
    trv_hull *wedge = make_wedge(0.5f);
    assert_non_null(wedge);
    for (int i = 0; i < 12; i++) {
        float rate = rates[i % 4], spin = spins[i / 4];
        trv_world *world = make_world();
        add_ground_of(world, 0, 0);
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
        add_shape_of(world, body, trv_make_hull(wedge), 0, 0);
        trv_vec3 linear, angular = {0, spin, 0};
        expect_result(trv_body_set_velocity(world, body, trv_make_vec3(0, 0, 0), angular), TRV_OK);
        for (int k = 0; k < (int)(4 * rate); k++)
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        expect_result(trv_body_velocity(world, body, &linear, &angular), TRV_OK);
        expect_near(angular.y, spin, (spin > 10 ? 0.03 : 0.002) * (double)spin);
        trv_world_destroy(world);
    }
    trv_hull_release(wedge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_its_weight_off_the_middle_keeps_its_energy),
        cmocka_unit_test(what_spins_flat_on_ice_spins_no_faster),
        cmocka_unit_test(wedges_that_spin_on_ice_keep_their_spin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
