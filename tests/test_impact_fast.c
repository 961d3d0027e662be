// Nothing passes through anything: bullets, plates, spinning rods, unequal sizes, long odds.
#include "impact_support.h"

#define ORIGIN ((trv_vec3){0.0f, 0.0f, 0.0f})

static uint32_t planes_looked_for(const moving_pair *pair)
{
    trvi_impact_times times;
    trvi_impact_find(&pair->a, &pair->motion_a, &pair->b, &pair->motion_b, false, &times);
    assert_false(times.ended_by_limit);
    return times.turns;
}

static void bullets_do_not_pass_through_walls(void **state)
{
    (void)state;
    test_random random = {1};
    const float thickness[] = {0.1f, 0.01f, 0.001f};
    for (int i = 0; i < 3000; i++) {
        moving_pair p;
        float half = 0.5f * thickness[i % 3], speed = random_float(&random, 100.0f, 1000.0f);
        p.a = trv_make_box((trv_vec3){half, 2.0f, 2.0f});
        p.b = i % 2 == 0 ? trv_make_sphere(ORIGIN, 0.05f)
                         : trv_make_box((trv_vec3){0.05f, 0.05f, 0.05f});
        p.motion_a = trv_make_motion(trv_make_pose(ORIGIN));
        p.motion_b = trv_make_motion(trv_make_pose(random_vec3(&random, 0.7f)));
        p.motion_b.pose.position.x = -random_float(&random, 0.2f, 0.8f * speed / 60.0f);
        p.motion_b.travel = (trv_vec3){speed / 60.0f, random_float(&random, -1.0f, 1.0f), 0.0f};
        if (i % 4 == 3) {
            p.motion_b.turn = random_vec3(&random, 6.0f);
            p.motion_b.pose.rotation = random_quat(&random);
        }
        trv_impact_hit hit;
        expect_result(trv_impact(&p.a, &p.motion_a, &p.b, &p.motion_b, &hit), TRV_OK);
        assert_true(hit.hit && !hit.start);
        expect_near(hit.normal.x, -1.0, 1.0e-6);
        expect_near(distance_at(&p, hit.fraction), 0.0, 2.0e-6);
        if (i % 4 != 3) {
            double time = ((double)-p.motion_b.pose.position.x - 0.05 - (double)half) /
                          (double)p.motion_b.travel.x;
            expect_near(hit.fraction, time, 2.0e-7);
            assert_true(planes_looked_for(&p) < 10);
        }
    }
}

// Row of the targets: a rod of 4 m about its middle, a post of 4 cm within its reach.
static void spinning_rods_do_not_pass_a_post(void **state)
{
    (void)state;
    test_random random = {2};
    uint32_t most = 0;
    for (int i = 0; i < 1000; i++) {
        moving_pair p;
        float rate = random_float(&random, 10.0f, 100.0f), at = random_float(&random, 0.3f, 1.9f);
        float step = i % 2 == 0 ? 1.0f / 60.0f : 1.0f;
        p.a = trv_make_box((trv_vec3){2.0f, 0.02f, 0.02f});
        p.b = trv_make_box((trv_vec3){0.02f, 1.0f, 0.02f});
        p.motion_a = trv_make_motion(trv_make_pose(ORIGIN));
        p.motion_a.turn.y = rate * step;
        // The post stands where the rod comes by in the middle of the step (or of the first turn).
        float angle = 0.5f * fminf(rate * step, 3.0f);
        trv_vec3 place = {at, 0.0f, 0.0f};
        p.motion_b = trv_make_motion(
            trv_make_pose(trv_rotate(trv_quat_about((trv_vec3){0.0f, 1.0f, 0.0f}, angle), place)));
        double clear = distance_at(&p, 0.0f);
        trv_impact_hit hit;
        expect_result(trv_impact(&p.a, &p.motion_a, &p.b, &p.motion_b, &hit), TRV_OK);
        assert_true(hit.hit);
        assert_int_equal(hit.start, clear <= 0.0);
        assert_true(hit.fraction <= angle / (rate * step));
        if (!hit.start)
            expect_near(distance_at(&p, hit.fraction), 0.0, 2.0e-6);
        uint32_t looked = planes_looked_for(&p);
        most = looked > most ? looked : most;
    }
    assert_true(most < 60);
}

static void plates_of_a_tenth_of_a_millimetre_stop_one_another(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 1500; i++) {
        moving_pair p;
        p.a = trv_make_box((trv_vec3){1.0f, 5.0e-5f, 1.0f});
        p.b = i % 3 == 0 ? trv_make_hull(hulls.splinter) : p.a;
        p.motion_a = trv_make_motion(trv_make_pose(ORIGIN));
        p.motion_b = trv_make_motion((trv_pose){{0.0f, 5.0f, 0.0f}, random_quat(&random)});
        p.motion_b.travel =
            (trv_vec3){random_float(&random, -0.3f, 0.3f), -10.0f * (1.0f + (float)(i % 40)),
                       random_float(&random, -0.3f, 0.3f)};
        p.motion_b.turn = random_vec3(&random, (float)(i % 20));
        p.motion_a.turn = random_vec3(&random, 0.05f * (float)(i % 7));
        trv_impact_hit hit;
        expect_result(trv_impact(&p.a, &p.motion_a, &p.b, &p.motion_b, &hit), TRV_OK);
        assert_true(hit.hit);
        expect_near(distance_at(&p, hit.fraction), 0.0, 3.0e-5); // float32 fractions of 400 m
        assert_true(planes_looked_for(&p) < 150);
    }
}

static void a_grain_meets_a_mountain_that_turns(void **state)
{
    (void)state;
    test_random random = {4};
    uint32_t most = 0;
    for (int i = 0; i < 400; i++) {
        moving_pair p;
        p.a = trv_make_box((trv_vec3){1.0e3f, 1.0e3f, 1.0e3f});
        p.b = i % 2 == 0 ? trv_make_box((trv_vec3){1.0e-3f, 1.0e-3f, 1.0e-3f})
                         : trv_make_capsule(ORIGIN, (trv_vec3){2.0e-3f, 0.0f, 0.0f}, 1.0e-3f);
        p.motion_a = trv_make_motion(trv_make_pose(ORIGIN));
        p.motion_a.turn = random_vec3(&random, i % 4 < 2 ? 1.0e-2f : 1.0f);
        p.motion_b = trv_make_motion(trv_make_pose(random_vec3(&random, 400.0f)));
        p.motion_b.pose.position.y = 2000.0f;
        p.motion_b.pose.rotation = random_quat(&random);
        p.motion_b.travel = (trv_vec3){0.0f, -2000.0f, 0.0f};
        p.motion_b.turn = random_vec3(&random, 30.0f);
        trv_impact_hit hit;
        expect_result(trv_impact(&p.a, &p.motion_a, &p.b, &p.motion_b, &hit), TRV_OK);
        assert_true(hit.hit && !hit.start);
        expect_near(distance_at(&p, hit.fraction), 0.0, 5.0e-4); // float32 at 1000 m
        uint32_t looked = planes_looked_for(&p);
        most = looked > most ? looked : most;
    }
    assert_true(most < 100);
}

// A blade that turns many times over a floor, clear of it by less and less.
static void spinning_close_to_a_surface_ends_within_the_limit(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        float clear = i == 0   ? 0.1f
                      : i == 1 ? 0.01f
                      : i == 2 ? 1.0e-3f
                      : i == 3 ? 1.0e-4f
                               : 1.0e-5f;
        moving_pair p;
        p.a = trv_make_box((trv_vec3){5.0f, 1.0f, 5.0f});
        p.b = trv_make_box((trv_vec3){1.0f, 0.1f, 0.05f});
        if (i == 5)
            p.a = trv_make_half_space((trv_vec3){0.0f, 1.0f, 0.0f}, (trv_vec3){0.0f, 1.0f, 0.0f});
        p.motion_a = trv_make_motion(trv_make_pose(ORIGIN));
        p.motion_b = trv_make_motion(trv_make_pose((trv_vec3){0.0f, 2.00498756f + clear, 0.0f}));
        p.motion_b.turn.z = 6.2831853f * 4.0f;
        trv_impact_hit hit;
        expect_result(trv_impact(&p.a, &p.motion_a, &p.b, &p.motion_b, &hit), TRV_OK);
        assert_false(hit.hit);
        assert_true(planes_looked_for(&p) < 1000);
        p.motion_b.travel.y = -2.0f * clear; // in the last turns it strikes
        expect_result(trv_impact(&p.a, &p.motion_a, &p.b, &p.motion_b, &hit), TRV_OK);
        assert_true(hit.hit && hit.fraction > 0.4f);
        expect_near(distance_at(&p, hit.fraction), 0.0, 2.0e-6);
        assert_true(planes_looked_for(&p) < 1000);
    }
}

// A million turns past a post by a micrometre take more steps than there are: contact is reported, and
// the way up to there was free of it.
static void where_the_proof_is_too_long_contact_is_reported_where_it_stands(void **state)
{
    (void)state;
    moving_pair p;
    p.a = trv_make_box((trv_vec3){1.0f, 0.1f, 0.1f});
    p.b = trv_make_box((trv_vec3){0.1f, 0.1f, 0.1f});
    p.motion_a = trv_make_motion(trv_make_pose(ORIGIN));
    p.motion_b = trv_make_motion(trv_make_pose((trv_vec3){1.104988f, 0.0f, 0.0f}));
    p.motion_a.turn.z = 6.0e6f;
    trvi_impact_times times;
    trvi_impact_find(&p.a, &p.motion_a, &p.b, &p.motion_b, false, &times);
    assert_true(times.ended_by_limit && times.hit && !times.start);
    assert_true(times.first > 0.0 && times.first < 1.0);
    expect_near(trvi_dlength(times.normal), 1.0, 1.0e-9);
    p.motion_a.turn.z = 6.0f; // one turn is no trouble
    trvi_impact_find(&p.a, &p.motion_a, &p.b, &p.motion_b, false, &times);
    assert_false(times.ended_by_limit || times.hit);
}

static void shapes_travel_ten_thousand_times_their_size(void **state)
{
    (void)state;
    test_random random = {5};
    uint32_t hits = 0, misses = 0;
    for (int i = 0; i < 2000; i++) {
        moving_pair p = random_pair(&random, i, i % 2 == 0 ? 0.0f : 20.0f);
        if (p.a.kind == TRV_SHAPE_PLANE)
            continue;
        trv_vec3 way = random_vec3(&random, 1.0f);
        way = trvi_scale(way, 1.0e4f / trvi_length(way));
        p.motion_b.pose.position = trvi_mul_add(random_vec3(&random, 0.6f), way, -0.5f);
        p.motion_b.travel = way;
        p.motion_a.pose.position = p.motion_a.travel = ORIGIN;
        trv_impact_hit hit;
        expect_result(trv_impact(&p.a, &p.motion_a, &p.b, &p.motion_b, &hit), TRV_OK);
        hits += hit.hit;
        misses += !hit.hit;
        assert_true(planes_looked_for(&p) < 200);
        for (int k = -40; k <= 40 && !hit.hit; k++) // within 2 m of the middle
            assert_true(distance_at(&p, 0.5f + (float)k * 5.0e-6f) > -2.0e-3);
        if (hit.hit) // float32 fractions are 6e-4 m of the way
            expect_near(distance_at(&p, hit.fraction), 0.0, 2.0e-3);
    }
    assert_true(hits > 300 && misses > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bullets_do_not_pass_through_walls),
        cmocka_unit_test(spinning_rods_do_not_pass_a_post),
        cmocka_unit_test(plates_of_a_tenth_of_a_millimetre_stop_one_another),
        cmocka_unit_test(a_grain_meets_a_mountain_that_turns),
        cmocka_unit_test(spinning_close_to_a_surface_ends_within_the_limit),
        cmocka_unit_test(where_the_proof_is_too_long_contact_is_reported_where_it_stands),
        cmocka_unit_test(shapes_travel_ten_thousand_times_their_size),
    };
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
