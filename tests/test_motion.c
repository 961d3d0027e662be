// Motion without contacts against closed forms.
#include "world_support.h"

static trv_world *make_empty_space(void)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.gravity = trv_make_vec3(0, 0, 0);
    expect_result(trv_world_create(&def, &world), TRV_OK);
    return world;
}

static void free_fall_is_the_exact_parabola(void **state)
{
    (void)state;
    const int rates[] = {30, 60, 240};
    for (int r = 0; r < 3; r++) {
        trv_world *world = make_world();
        trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), ball(0.5f));
        for (int i = 0; i < rates[r]; i++)
            expect_result(trv_world_step(world, 1.0f / (float)rates[r], 4), TRV_OK);
        expect_near(position_of(world, body).y, -4.905, 4.905e-4);
        expect_near(velocity_of(world, body).y, -9.81, 1e-3);
        trv_world_destroy(world);
    }
}

static void a_projectile_lands_where_galileo_says(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), ball(0.5f));
    float speed = 30.0f * 0.70710678f;
    expect_result(
        trv_body_set_velocity(world, body, trv_make_vec3(speed, speed, 0), trv_make_vec3(0, 0, 0)),
        TRV_OK);
    step_world(world, 240);
    expect_near(position_of(world, body).x, speed * 4.0, 0.01);
    expect_near(position_of(world, body).y, speed * 4.0 - 0.5 * 9.81 * 16.0, 0.01);
    trv_world_destroy(world);
}

typedef struct spin {
    double energy;
    double momentum[3];
} spin;

static spin spin_of(trv_world *world, trv_body_id body)
{
    trv_pose pose;
    trv_vec3 linear, w, center;
    float mass, inertia[6];
    expect_result(trv_body_pose(world, body, &pose), TRV_OK);
    expect_result(trv_body_velocity(world, body, &linear, &w), TRV_OK);
    expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
    trv_quat back = {-pose.rotation.x, -pose.rotation.y, -pose.rotation.z, pose.rotation.w};
    trv_vec3 local = trv_rotate(back, w);
    trv_vec3 l = {inertia[0] * local.x, inertia[1] * local.y, inertia[2] * local.z};
    spin s;
    s.energy = 0.5 * ((double)local.x * l.x + (double)local.y * l.y + (double)local.z * l.z);
    trv_vec3 turned = trv_rotate(pose.rotation, l);
    s.momentum[0] = turned.x;
    s.momentum[1] = turned.y;
    s.momentum[2] = turned.z;
    return s;
}

static double momentum_length(spin s)
{
    return sqrt(s.momentum[0] * s.momentum[0] + s.momentum[1] * s.momentum[1] +
                s.momentum[2] * s.momentum[2]);
}

static void a_tumbling_box_keeps_energy_and_momentum(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id body =
        add_dynamic(world, trv_make_vec3(0, 0, 0), trv_make_box(trv_make_vec3(0.2f, 0.5f, 0.1f)));
    expect_result(
        trv_body_set_velocity(world, body, trv_make_vec3(0, 0, 0), trv_make_vec3(5.0f, 0.05f, 0)),
        TRV_OK);
    spin before = spin_of(world, body);
    step_world(world, 600);
    spin after = spin_of(world, body);
    expect_near(after.energy / before.energy, 1.0, 0.005);
    expect_near(momentum_length(after) / momentum_length(before), 1.0, 0.005);
    trv_world_destroy(world);
}

static void absurd_spin_stays_finite(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id body =
        add_dynamic(world, trv_make_vec3(0, 0, 0), trv_make_box(trv_make_vec3(1.0f, 0.1f, 0.02f)));
    const float speeds[] = {100.0f, 1000.0f, 1e5f, 9e7f};
    for (int i = 0; i < 4; i++) {
        expect_result(trv_body_set_velocity(world, body, trv_make_vec3(0, 0, 0),
                                            trv_make_vec3(speeds[i], speeds[i], speeds[i])),
                      TRV_OK);
        step_world(world, 60); // the invariants say that every number is finite
    }
    trv_world_destroy(world);
}

static void count_line(void *user, trv_log_level level, const char *text)
{
    int *lines = user;
    *lines += level == TRV_LOG_WARNING && strstr(text, "range of coordinates") != NULL;
}

static void a_body_that_leaves_the_coordinates_stops_and_the_world_goes_on(void **state)
{
    (void)state;
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    int lines = 0;
    def.gravity = trv_make_vec3(0, 0, 0);
    def.log = (trv_log){&lines, count_line};
    expect_result(trv_world_create(&def, &world), TRV_OK);
    trv_body_id far = add_dynamic(world, trv_make_vec3(9.9e7f, 0, 0), ball(1.0f));
    trv_body_id near = add_dynamic(world, trv_make_vec3(0, 0, 0), ball(1.0f));
    trv_vec3 out = {9e7f, 0, 0}, o = {0, 0, 0}, slow = {1, 0, 0};
    expect_result(trv_body_set_velocity(world, far, out, o), TRV_OK);
    expect_result(trv_body_set_velocity(world, near, slow, o), TRV_OK);
    step_world(world, 60);
    assert_true(position_of(world, far).x <= TRV_COORD_MAX);
    expect_near(velocity_of(world, far).x, 0.0, 0.0);
    assert_int_equal(lines, 1);
    expect_near(position_of(world, near).x, 1.0, 1e-4);
    trv_world_destroy(world);
}

static void damping_follows_its_time_constant(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_def def = trv_default_body_def();
    trv_body_id body;
    def.kind = TRV_BODY_DYNAMIC;
    def.linear_damping = 1.0f;
    def.linear_velocity = trv_make_vec3(10, 0, 0);
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape(world, body, ball(0.5f));
    step_world(world, 60);
    expect_near(velocity_of(world, body).x, 10.0 * exp(-1.0), 0.01);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall_is_the_exact_parabola),
        cmocka_unit_test(a_projectile_lands_where_galileo_says),
        cmocka_unit_test(a_tumbling_box_keeps_energy_and_momentum),
        cmocka_unit_test(absurd_spin_stays_finite),
        cmocka_unit_test(a_body_that_leaves_the_coordinates_stops_and_the_world_goes_on),
        cmocka_unit_test(damping_follows_its_time_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
