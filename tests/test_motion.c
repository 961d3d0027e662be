// Motion against closed forms: without contacts, and where one just ends it.
#include "world_support.h"

static void free_fall_is_the_exact_parabola(void **state)
{
    (void)state;
    const int rates[] = {30, 60, 240};
    for (int r = 0; r < 3; r++) {
        for (int seconds = 1; seconds <= 20; seconds += 19) {
            trv_world *world = make_world();
            trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), ball(0.5f));
            float dt = 1.0f / (float)rates[r];
            for (int i = 0; i < rates[r] * seconds; i++)
                expect_result(trv_world_step(world, dt, 4), TRV_OK);
            double t = (double)dt * rates[r] * seconds, way = -0.5 * 9.81 * t * t;
            expect_near(position_of(world, body).y, way, -2e-7 * way);
            expect_near(velocity_of(world, body).y, -9.81 * t, 2e-7 * 9.81 * t);
            trv_world_destroy(world);
        }
    }
}

static void a_steady_force_and_torque_accelerate_evenly(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), ball(0.5f));
    float mass, inertia[6];
    trv_vec3 center, linear, angular;
    expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
    for (int i = 0; i < 600; i++) {
        trv_vec3 force = {2.0f * mass, 0, 0}, torque = {0, 0, 0.1f * inertia[2]};
        expect_result(trv_body_apply_force(world, body, force, position_of(world, body), torque),
                      TRV_OK);
        step_world(world, 1);
    }
    expect_near(position_of(world, body).x, 100.0, 1e-3);
    expect_result(trv_body_velocity(world, body, &linear, &angular), TRV_OK);
    expect_near(linear.x, 20.0, 1e-4);
    expect_near(angular.z, 1.0, 1e-5);
    trv_world_destroy(world);
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

// Runs a body; the largest drift of energy and of the vector of angular momentum.
static void follow_spin(trv_world *world, trv_body_id body, int steps, double *energy,
                        double *momentum)
{
    spin before = spin_of(world, body);
    double length = momentum_length(before);
    *energy = *momentum = 0.0;
    for (int i = 0; i < steps; i++) {
        step_world(world, 1);
        spin now = spin_of(world, body), off = now;
        for (int a = 0; a < 3; a++)
            off.momentum[a] -= before.momentum[a];
        *energy = fmax(*energy, fabs(now.energy / before.energy - 1.0));
        *momentum = fmax(*momentum, momentum_length(off) / length);
    }
}

static void a_tumbling_body_keeps_energy_and_momentum(void **state)
{
    (void)state;
    const trv_vec3 halves[] = {{0.2f, 0.5f, 0.1f}, {1.0f, 0.02f, 0.03f}, {0.5f, 0.5f, 0.51f}};
    const trv_vec3 spins[] = {{5.0f, 0.05f, 0}, {0.3f, 20.0f, 1.0f}, {60.0f, 1.0f, 70.0f}};
    for (int h = 0; h < 3; h++) {
        for (int k = 0; k < 3; k++) {
            trv_world *world = make_empty_space();
            trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0, 0), trv_make_box(halves[h]));
            double energy, momentum;
            expect_result(trv_body_set_velocity(world, body, trv_make_vec3(0, 0, 0), spins[k]),
                          TRV_OK);
            follow_spin(world, body, 600, &energy, &momentum);
            expect_near(energy, 0.0, 1e-4);
            expect_near(momentum, 0.0, 3e-5); // float32 of a thin rod's spin times its moments
            trv_world_destroy(world);
        }
    }
}

static void a_body_that_contacts_might_push_tumbles_as_well(void **state)
{
    (void)state;
    const float speeds[] = {1.0f, 4.0f, 6.0f}; // the way of turning depends on it
    for (int k = 0; k < 3; k++) {
        trv_world *world = make_empty_space();
        add_ground(world);
        trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0.57f, 0),
                                       trv_make_box(trv_make_vec3(0.2f, 0.5f, 0.1f)));
        trv_vec3 w = {speeds[k], 0.3f * speeds[k], 0};
        double energy, momentum;
        expect_result(trv_body_set_velocity(world, body, trv_make_vec3(0, 0, 0), w), TRV_OK);
        follow_spin(world, body, 600, &energy, &momentum);
        expect_near(energy, 0.0, 1e-3);
        expect_near(momentum, 0.0, 1e-3);
        trv_world_destroy(world);
    }
}

static void a_body_turns_the_same_whatever_frame_it_is_given_in(void **state)
{
    (void)state;
    // The same box, turned within its body, and the body turned back: inertia with products.
    trv_quat turn = trv_quat_about(trv_make_vec3(1, 2, 3), 1.0f);
    trv_quat back = {-turn.x, -turn.y, -turn.z, turn.w};
    trv_world *world = make_empty_space();
    trv_obb box = {{0, 0, 0}, {0.2f, 0.5f, 0.1f}, turn};
    trv_body_def def = trv_default_body_def();
    trv_body_id bodies[2];
    def.kind = TRV_BODY_DYNAMIC;
    def.angular_velocity = trv_make_vec3(5.0f, 0.5f, 1.0f);
    for (int k = 0; k < 2; k++) {
        def.position.x = 5.0f * (float)k;
        def.rotation = k == 0 ? trv_identity_quat() : back;
        expect_result(trv_body_create(world, &def, &bodies[k]), TRV_OK);
        add_shape(world, bodies[k], k == 0 ? trv_make_box(box.half) : trv_make_placed_box(box));
    }
    step_world(world, 300);
    trv_pose poses[2];
    trv_vec3 linear, spins[2];
    for (int k = 0; k < 2; k++) {
        expect_result(trv_body_pose(world, bodies[k], &poses[k]), TRV_OK);
        expect_result(trv_body_velocity(world, bodies[k], &linear, &spins[k]), TRV_OK);
    }
    trv_quat same = trv_quat_multiply(poses[1].rotation, turn), other = poses[0].rotation;
    double cosine = (double)same.x * other.x + (double)same.y * other.y + (double)same.z * other.z +
                    (double)same.w * other.w;
    expect_near(fabs(cosine), 1.0, 1e-6);
    expect_near(spins[1].x, spins[0].x, 1e-3);
    expect_near(spins[1].y, spins[0].y, 1e-3);
    expect_near(spins[1].z, spins[0].z, 1e-3);
    trv_world_destroy(world);
}

static void a_disc_precesses_by_its_momentum_over_its_moment(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id body =
        add_dynamic(world, trv_make_vec3(0, 0, 0), trv_make_box(trv_make_vec3(0.5f, 0.1f, 0.5f)));
    trv_vec3 w = {2, 20, 0};
    expect_result(trv_body_set_velocity(world, body, trv_make_vec3(0, 0, 0), w), TRV_OK);
    const double rate = sqrt(4.0 + (0.5 / 0.26 * 20.0) * (0.5 / 0.26 * 20.0));
    trv_vec3 about = {0.26f * 2, 0.5f * 20, 0};
    for (int i = 1; i <= 600; i++) {
        step_world(world, 1);
        trv_pose pose;
        expect_result(trv_body_pose(world, body, &pose), TRV_OK);
        trv_vec3 axis = trv_rotate(pose.rotation, trv_make_vec3(0, 1, 0));
        double angle = remainder(rate * i * (double)(1.0f / 60.0f), 2.0 * 3.14159265358979);
        trv_vec3 truth = trv_rotate(trv_quat_about(about, (float)angle), trv_make_vec3(0, 1, 0));
        expect_near(axis.x, truth.x, 1e-4);
        expect_near(axis.z, truth.z, 1e-4);
    }
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

// It is no faster than weight makes it in two sub-steps when it gets there: as slow as what slides or rolls
// becomes within one, but it is stopped.
static void what_comes_down_gently_is_not_in_the_ground(void **state)
{
    (void)state;
    const float radius = 0.05f;
    for (int i = 0; i < 40; i++) {
        float high = 2e-4f + 6e-5f * (float)(i / 2), deepest = 0;
        trv_world *world = make_world();
        add_ground(world);
        trv_shape shape = i % 2 == 0 ? ball(radius) : cube(radius);
        trv_body_id body = add_dynamic(world, trv_make_vec3(0, radius + high, 0), shape);
        for (int s = 0; s < 15; s++) {
            expect_result(trv_world_step(world, 1.0f / 30, 4), TRV_OK);
            deepest = fmaxf(deepest, radius - position_of(world, body).y);
        }
        if (!(deepest <= 2e-3f * radius))
            fail_msg("from %g m: %g of the radius deep", (double)high, (double)(deepest / radius));
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall_is_the_exact_parabola),
        cmocka_unit_test(a_projectile_lands_where_galileo_says),
        cmocka_unit_test(a_steady_force_and_torque_accelerate_evenly),
        cmocka_unit_test(a_tumbling_body_keeps_energy_and_momentum),
        cmocka_unit_test(a_body_that_contacts_might_push_tumbles_as_well),
        cmocka_unit_test(a_body_turns_the_same_whatever_frame_it_is_given_in),
        cmocka_unit_test(a_disc_precesses_by_its_momentum_over_its_moment),
        cmocka_unit_test(absurd_spin_stays_finite),
        cmocka_unit_test(a_body_that_leaves_the_coordinates_stops_and_the_world_goes_on),
        cmocka_unit_test(damping_follows_its_time_constant),
        cmocka_unit_test(what_comes_down_gently_is_not_in_the_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
