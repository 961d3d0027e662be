// What is round passes others by little, or hits them aslant: by the normal of when it is there.
#include "energy_support.h"
#include <trivet/mesh.h>

static void fill(trv_world *world, trv_body_id body, int kind, float restitution)
{
    trv_shape other = ball(0.3f);
    if (kind == 1)
        other = trv_make_capsule(trv_make_vec3(0, 0, -1), trv_make_vec3(0, 0, 1), 0.3f);
    if (kind == 2)
        other = trv_make_box(trv_make_vec3(0.3f, 0.002f, 1)); // its edge
    add_shape_of(world, body, other, 0.5f, restitution);
}

// With friction, so that the least touch would show.
static void what_is_missed_by_little_is_not_touched(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 120}, speeds[] = {1, 4, 8, 14}, gaps[] = {0.002f, 0.005f};
    test_random random = {17};
    for (int i = 0; i < 144; i++) {
        float rate = rates[i % 3], speed = speeds[i / 3 % 4], gap = gaps[i / 12 % 2];
        int kind = i / 24 % 3;
        trv_world *world = make_empty_space();
        trv_vec3 at = {0, 2 + random_float(&random, 0, speed / rate), 0}, way = {0, -speed, 0};
        trv_body_id body = add_moving(world, ball(0.5f), at, way, 0.5f, i < 72 ? 1 : 0.1f);
        trv_body_id post = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0.8f + gap, 0, 0));
        fill(world, post, kind, 0);
        for (int s = 0; s < (int)(4 / speed * rate); s++) {
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
            trv_vec3 v = velocity_of(world, body);
            if (!(fabsf(v.x) <= 1e-4f * speed && fabsf(v.y + speed) <= 1e-4f * speed))
                fail_msg("case %d: %g %g m/s at %g", i, (double)v.x, (double)v.y,
                         (double)position_of(world, body).y);
        }
        trv_world_destroy(world);
    }
}

// Of a smooth ball that hits a fixed one: along the normal of where they met it comes back by so much of its
// speed, and keeps what it has beside that.
static void balls_that_hardly_bounce_go_off_as_they_met(void **state)
{
    (void)state;
    const float bounces[] = {0.05f, 0.1f, 0.3f, 0.5f, 0.8f}, rates[] = {60, 120, 240};
    test_random random = {5};
    for (int i = 0; i < 150; i++) {
        const double e = (double)bounces[i % 5], speed = 6, sine = i % 2 ? 0.9 : 0.5;
        const float rate = rates[i / 5 % 3];
        const double cosine = sqrt(1 - sine * sine), r = 0.2;
        trv_world *world = make_empty_space();
        trv_body_id post = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
        add_shape_of(world, post, ball((float)r), 0, 0);
        trv_vec3 at = {(float)(2 * r * sine), 1 + random_float(&random, 0, 6 / rate), 0};
        trv_body_id body =
            add_moving(world, ball((float)r), at, trv_make_vec3(0, -(float)speed, 0), 0, (float)e);
        for (int s = 0; s < (int)(0.4f * rate); s++)
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        trv_vec3 v = velocity_of(world, body);
        double back = (1 + e) * speed * cosine; // along the normal, which is (sine, cosine, 0)
        if (!(fabs((double)v.x - back * sine) <= 0.005 * speed &&
              fabs((double)v.y - (back * cosine - speed)) <= 0.005 * speed))
            fail_msg("case %d: %g %g m/s, not %g %g", i, (double)v.x, (double)v.y, back * sine,
                     back * cosine - speed);
        trv_world_destroy(world);
    }
}

// A corner that has been struck comes round, and an edge or another corner meets the same ball, by normals that no step
// began with.
static void corners_that_swing_into_what_is_round_keep_their_energy(void **state)
{
    (void)state;
    const trv_vec3 points[] = {
        {0.3f, 0, 0.3f}, {-0.3f, 0, 0.3f}, {0.3f, 0, -0.3f}, {-0.3f, 0, -0.3f}, {0, -0.6f, 0}};
    const float rates[] = {30, 60, 120};
    trv_hull_def def = trv_default_hull_def();
    trv_hull *pyramid = NULL;
    expect_result(trv_hull_create(points, 5, &def, &pyramid), TRV_OK);
    test_random random = {11};
    for (int i = 0; i < 150; i++) {
        float rate = rates[i % 3], speed = random_float(&random, 3, 10);
        trv_world *world = make_empty_space();
        trv_body_id post = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
        trv_shape round =
            i % 2 ? trv_make_capsule(trv_make_vec3(-0.3f, 0, 0), trv_make_vec3(0.3f, 0, 0), 0.4f)
                  : ball(0.5f);
        add_shape_of(world, post, round, 0, 1);
        float x = random_float(&random, -0.4f, 0.4f), z = random_float(&random, -0.4f, 0.4f);
        trv_body_id body = add_moving(world, trv_make_hull(pyramid), trv_make_vec3(x, 1.3f, z),
                                      trv_make_vec3(0, -speed, 0), 0, 1);
        double before = energy_of(world, &body, 1);
        for (int s = 0; s < (int)(0.6f * rate); s++)
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        double kept = energy_of(world, &body, 1) / before;
        if (!(fabs(kept - 1) <= 0.005))
            fail_msg("case %d: %g of its energy", i, kept);
        trv_world_destroy(world);
    }
    trv_hull_release(pyramid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missed_by_little_is_not_touched),
        cmocka_unit_test(balls_that_hardly_bounce_go_off_as_they_met),
        cmocka_unit_test(corners_that_swing_into_what_is_round_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
