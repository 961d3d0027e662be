// Moving pairs of every kind against an oracle that samples the step, and the symmetries of the
// question.
#include "impact_support.h"

#define PI 3.14159265f

// Poses in float32 place shapes of this size to some 1e-6 m.
#define NEAR 4.0e-6

typedef struct tally {
    uint32_t hits, misses, starts, ends; // ends: contacts that end within the step
    uint32_t most;                       // planes looked for
} tally;

// The first time is one of contact, all before it are not, and so on for the last.
static void check_pair(const moving_pair *pair, int samples, tally *sum)
{
    trv_impact_hit hit, again;
    trvi_impact_times times;
    float last = -1.0f;
    expect_result(
        trv_impact_span(&pair->a, &pair->motion_a, &pair->b, &pair->motion_b, &hit, &last), TRV_OK);
    expect_result(trv_impact(&pair->a, &pair->motion_a, &pair->b, &pair->motion_b, &again), TRV_OK);
    assert_memory_equal(&hit, &again, sizeof hit);
    trvi_impact_find(&pair->a, &pair->motion_a, &pair->b, &pair->motion_b, false, &times);
    assert_false(times.ended_by_limit);
    sum->most = times.turns > sum->most ? times.turns : sum->most;
    sum->hits += hit.hit;
    sum->misses += !hit.hit;
    sum->starts += hit.start;
    sum->ends += hit.hit && last < 1.0f;
    double until = hit.hit ? hit.fraction : 2.0;
    for (int i = 0; i <= samples; i++) {
        float t = (float)i / (float)samples;
        double distance = distance_at(pair, t);
        if (t < until)
            assert_true(distance > -NEAR);
        else if (t <= last)
            assert_true(distance < NEAR);
    }
    if (!hit.hit) {
        assert_true(hit.fraction == 0.0f && last == 0.0f && !hit.start);
        return;
    }
    assert_true(last >= hit.fraction && last <= 1.0f);
    assert_int_equal(hit.start, distance_at(pair, 0.0f) <= 0.0);
    expect_near(trvi_length(hit.normal), 1.0, 1.0e-6);
    if (last < 1.0f && last > hit.fraction)
        expect_near(distance_at(pair, last), 0.0, NEAR);
    if (hit.start)
        return;
    expect_near(distance_at(pair, hit.fraction), 0.0, NEAR);
    // The point is on both shapes.
    trv_shape point = trv_make_sphere(hit.point, 1.0e-6f);
    trv_pose here = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
    trv_gap to_a, to_b;
    trv_pose pose_b = trv_motion_at(&pair->motion_b, hit.fraction);
    expect_result(trv_distance(&point, here, &pair->b, pose_b, &to_b), TRV_OK);
    assert_true(to_b.distance < 2.0 * NEAR);
    trv_pose pose_a = trv_motion_at(&pair->motion_a, hit.fraction);
    expect_result(trv_distance(&point, here, &pair->a, pose_a, &to_a), TRV_OK);
    assert_true(to_a.distance < 2.0 * NEAR);
}

static void check_all_kinds(uint64_t seed, float turn, int count, int samples)
{
    test_random random = {seed};
    tally sum = {0, 0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        moving_pair pair = random_pair(&random, i, turn);
        check_pair(&pair, samples, &sum);
    }
    assert_true(sum.hits > (uint32_t)count / 3 && sum.misses > (uint32_t)count / 20);
    assert_true(sum.starts > (uint32_t)count / 40 && sum.ends > (uint32_t)count / 20);
    assert_true(sum.most < 200); // a tenth of the limit
}

static void travelling_shapes_touch_first_and_last_as_samples_say(void **state)
{
    (void)state;
    check_all_kinds(1, 0.0f, 2800, 60);
}

static void turning_shapes_touch_first_and_last_as_samples_say(void **state)
{
    (void)state;
    check_all_kinds(2, 1.5f, 2800, 60);
}

static void spinning_shapes_touch_first_and_last_as_samples_say(void **state)
{
    (void)state;
    check_all_kinds(3, 8.0f * PI, 1400, 300);
}

static void shapes_that_only_turn_touch_as_samples_say(void **state)
{
    (void)state;
    test_random random = {4};
    tally sum = {0, 0, 0, 0, 0};
    for (int i = 0; i < 700; i++) {
        moving_pair pair = random_pair(&random, i, 3.0f);
        pair.motion_a.travel = pair.motion_b.travel = (trv_vec3){0.0f, 0.0f, 0.0f};
        if (i % 2 == 0)
            pair.motion_a.turn = pair.motion_a.travel;
        check_pair(&pair, 60, &sum);
    }
    assert_true(sum.hits > sum.starts + 20 && sum.misses > 50 && sum.ends > 10);
}

static void swapping_a_and_b_mirrors_the_impact(void **state)
{
    (void)state;
    test_random random = {5};
    uint32_t hits = 0;
    for (int i = 0; i < 1400; i++) {
        moving_pair p = random_pair(&random, i, i % 2 == 0 ? 0.0f : 3.0f);
        trv_impact_hit ab, ba;
        float last_ab, last_ba;
        expect_result(trv_impact_span(&p.a, &p.motion_a, &p.b, &p.motion_b, &ab, &last_ab), TRV_OK);
        expect_result(trv_impact_span(&p.b, &p.motion_b, &p.a, &p.motion_a, &ba, &last_ba), TRV_OK);
        assert_int_equal(ab.hit, ba.hit);
        assert_int_equal(ab.start, ba.start);
        if (!ab.hit)
            continue;
        hits++;
        expect_near(ab.fraction, ba.fraction, 1.0e-6);
        expect_near(last_ab, last_ba, 2.0e-5);
        if (!ab.start)
            expect_near(trvi_length(trvi_add(ab.normal, ba.normal)), 0.0, 1.0e-4);
    }
    assert_true(hits > 500);
}

// A quarter of a turn and whole steps are exact.
static trv_pose moved(trv_pose motion, trv_pose pose)
{
    pose.position = trvi_pose_apply(motion, pose.position);
    pose.rotation = trv_quat_multiply(motion.rotation, pose.rotation);
    return pose;
}

static trv_motion moved_motion(trv_pose by, trv_motion motion)
{
    motion.pose = moved(by, motion.pose);
    motion.travel = trv_rotate(by.rotation, motion.travel);
    motion.turn = trv_rotate(by.rotation, motion.turn);
    return motion;
}

static void a_rigid_motion_of_both_moves_the_impact(void **state)
{
    (void)state;
    test_random random = {6};
    uint32_t hits = 0;
    for (int i = 0; i < 1000; i++) {
        moving_pair p = random_pair(&random, i, i % 2 == 0 ? 0.0f : 3.0f);
        trv_pose by = {random_vec3(&random, 4.0f), random_quat(&random)};
        trv_motion a = moved_motion(by, p.motion_a), b = moved_motion(by, p.motion_b);
        trv_impact_hit before, after;
        expect_result(trv_impact(&p.a, &p.motion_a, &p.b, &p.motion_b, &before), TRV_OK);
        expect_result(trv_impact(&p.a, &a, &p.b, &b, &after), TRV_OK);
        assert_int_equal(before.hit, after.hit);
        if (!before.hit || before.start)
            continue;
        hits++;
        trvi_dvec3 n = trvi_dvec3_from(before.normal);
        expect_near(before.fraction, after.fraction,
                    2.0e-4); // a graze amplifies what rounding moves
        expect_near(
            trvi_dlength(trvi_dsub(
                n, trvi_dvec3_from(trv_rotate(trvi_quat_conjugate(by.rotation), after.normal)))),
            0.0, 1.0e-2);
    }
    assert_true(hits > 200);
}

static trv_motion reversed(const trv_motion *motion)
{
    trv_motion back = *motion;
    back.pose = trv_motion_at(motion, 1.0f);
    back.travel = trvi_negate(motion->travel);
    back.turn = trvi_negate(motion->turn);
    return back;
}

static void time_run_backward_turns_last_into_first(void **state)
{
    (void)state;
    test_random random = {7};
    uint32_t ended = 0;
    for (int i = 0; i < 1400; i++) {
        moving_pair p = random_pair(&random, i, 0.0f);
        trv_motion a = reversed(&p.motion_a), b = reversed(&p.motion_b);
        trv_impact_hit on, back;
        float last_on, last_back;
        expect_result(trv_impact_span(&p.a, &p.motion_a, &p.b, &p.motion_b, &on, &last_on), TRV_OK);
        expect_result(trv_impact_span(&p.a, &a, &p.b, &b, &back, &last_back), TRV_OK);
        assert_int_equal(on.hit, back.hit);
        if (!on.hit || last_on >= 1.0f || on.start)
            continue;
        ended++;
        // Where the contact is short both times move much when rounding moves the shapes.
        double near = last_on - on.fraction > 0.02f ? 1.0e-4 : 2.0e-2;
        expect_near(back.fraction, 1.0f - last_on, near);
        expect_near(last_back, 1.0f - on.fraction, near);
    }
    assert_true(ended > 150);
}

static void what_moves_with_the_other_shape_keeps_its_distance(void **state)
{
    (void)state;
    test_random random = {8};
    uint32_t hits = 0, misses = 0;
    for (int i = 0; i < 400; i++) {
        moving_pair p = random_pair(&random, i, 1.5f);
        // Both turn about one point of the world, as one body.
        p.motion_a.center_local = p.motion_b.center_local = (trv_vec3){0.0f, 0.0f, 0.0f};
        p.motion_b.travel = p.motion_a.travel;
        p.motion_b.turn = p.motion_a.turn = (trv_vec3){0.0f, 0.0f, 0.0f};
        trv_impact_hit hit;
        float last;
        expect_result(trv_impact_span(&p.a, &p.motion_a, &p.b, &p.motion_b, &hit, &last), TRV_OK);
        assert_int_equal(hit.hit, distance_at(&p, 0.0f) <= 0.0);
        assert_int_equal(hit.hit, hit.start);
        assert_true(last == (hit.hit ? 1.0f : 0.0f));
        hits += hit.hit;
        misses += !hit.hit;
    }
    assert_true(hits > 40 && misses > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(travelling_shapes_touch_first_and_last_as_samples_say),
        cmocka_unit_test(turning_shapes_touch_first_and_last_as_samples_say),
        cmocka_unit_test(spinning_shapes_touch_first_and_last_as_samples_say),
        cmocka_unit_test(shapes_that_only_turn_touch_as_samples_say),
        cmocka_unit_test(swapping_a_and_b_mirrors_the_impact),
        cmocka_unit_test(a_rigid_motion_of_both_moves_the_impact),
        cmocka_unit_test(time_run_backward_turns_last_into_first),
        cmocka_unit_test(what_moves_with_the_other_shape_keeps_its_distance),
    };
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
