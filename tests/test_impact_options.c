// The inner entry for worlds: the cap, the margin, the plane that is tried first, and bodies that
// turn about a centre of mass that is not their origin.
#include "impact_support.h"

#include "compound_support.h"
#include "narrow/narrow.h"

#define ORIGIN ((trv_vec3){0.0f, 0.0f, 0.0f})
#define NEAR   4.0e-6

static trv_impact_hit ask(const moving_pair *p, const trvi_impact_options *options)
{
    trv_impact_hit hit;
    memset(&hit, 0xff, sizeof hit);
    trvi_impact(&p->a, &p->motion_a, &p->b, &p->motion_b, options, &hit);
    return hit;
}

static void the_default_options_change_nothing(void **state)
{
    (void)state;
    test_random random = {1};
    trvi_impact_options options = trvi_default_impact_options();
    for (int i = 0; i < 400; i++) {
        moving_pair p = random_pair(&random, i, 3.0f);
        trv_impact_hit without = ask(&p, NULL), with = ask(&p, &options), outer;
        expect_result(trv_impact(&p.a, &p.motion_a, &p.b, &p.motion_b, &outer), TRV_OK);
        assert_memory_equal(&without, &with, sizeof with);
        assert_memory_equal(&without, &outer, sizeof outer);
    }
}

static void contacts_after_the_cap_are_not_told(void **state)
{
    (void)state;
    test_random random = {2};
    uint32_t kept = 0, cut = 0;
    for (int i = 0; i < 2000; i++) {
        moving_pair p = random_pair(&random, i, i % 2 == 0 ? 0.0f : 3.0f);
        trvi_impact_options options = trvi_default_impact_options();
        options.max_fraction = i % 10 == 0 ? 0.0f : random_float(&random, 0.0f, 1.0f);
        trv_impact_hit all = ask(&p, NULL), some = ask(&p, &options);
        if (all.hit && fabsf(all.fraction - options.max_fraction) < 1.0e-6f)
            continue;
        bool wanted = all.hit && all.fraction <= options.max_fraction;
        assert_int_equal(some.hit, wanted);
        kept += wanted && !all.start;
        cut += all.hit && !wanted;
        if (!wanted)
            assert_true(some.fraction == 0.0f && !some.start);
        else
            expect_near(some.fraction, all.fraction, 1.0e-6);
    }
    assert_true(kept > 200 && cut > 200);
}

static void shapes_stop_a_margin_before_contact(void **state)
{
    (void)state;
    test_random random = {3};
    uint32_t hits = 0, misses = 0;
    trvi_impact_options options = trvi_default_impact_options();
    for (int i = 0; i < 1400; i++) {
        moving_pair p = random_pair(&random, i, i % 2 == 0 ? 0.0f : 3.0f);
        options.margin = i % 3 == 0 ? 0.2f : 0.01f;
        if (!(distance_at(&p, 0.0f) > 2.0f * options.margin))
            continue;
        trv_impact_hit hit = ask(&p, &options);
        hits += hit.hit;
        misses += !hit.hit;
        double until = hit.hit ? hit.fraction : 1.0;
        for (int k = 0; k <= 40; k++)
            assert_true(distance_at(&p, (float)(until * k / 40.0)) > options.margin - NEAR);
        if (!hit.hit)
            continue;
        assert_false(hit.start);
        double left = distance_at(&p, hit.fraction);
        expect_near(left, options.margin, NEAR);
        // The point is half-way between the two.
        trv_shape point = trv_make_sphere(hit.point, 1.0e-6f);
        trv_gap to_a, to_b;
        trv_pose pose_a = trv_motion_at(&p.motion_a, hit.fraction);
        trv_pose pose_b = trv_motion_at(&p.motion_b, hit.fraction);
        expect_result(trv_distance(&point, trv_make_pose(ORIGIN), &p.a, pose_a, &to_a), TRV_OK);
        expect_result(trv_distance(&point, trv_make_pose(ORIGIN), &p.b, pose_b, &to_b), TRV_OK);
        expect_near(to_a.distance, 0.5 * options.margin, 2.0 * NEAR);
        expect_near(to_b.distance, 0.5 * options.margin, 2.0 * NEAR);
    }
    assert_true(hits > 300 && misses > 100);
}

// Half-spaces are the last kind; depths are told to about the square root of rounding where two
// round things overlap deeply.
static void shapes_may_overlap_by_as_much_as_is_asked(void **state)
{
    (void)state;
    test_random random = {13};
    uint32_t hits = 0, misses = 0, starts = 0;
    trvi_impact_options options = trvi_default_impact_options();
    for (int i = 0; i < 1400; i++) {
        moving_pair p = random_pair(&random, i, i % 2 == 0 ? 0.0f : 3.0f);
        options.margin = i % 3 == 0 ? -0.05f : -0.01f;
        double begin = distance_at(&p, 0.0f);
        trv_impact_hit hit = ask(&p, &options);
        if (fabs(begin - (double)options.margin) < NEAR)
            continue;
        assert_int_equal(hit.start, begin < (double)options.margin);
        starts += hit.start;
        hits += hit.hit && !hit.start;
        misses += !hit.hit;
        if (hit.start)
            continue;
        double until = hit.hit ? hit.fraction : 1.0;
        for (int k = 0; k <= 40; k++)
            assert_true(distance_at(&p, (float)(until * k / 40.0)) > options.margin - NEAR);
        if (hit.hit)
            expect_near(distance_at(&p, hit.fraction), options.margin, NEAR);
    }
    assert_true(hits > 300 && misses > 100 && starts > 30);
}

static void within_the_margin_only_what_closes_in_hits(void **state)
{
    (void)state;
    test_random random = {4};
    uint32_t asked = 0;
    trvi_impact_options options = trvi_default_impact_options();
    options.margin = 0.01f;
    for (int i = 0; i < 1400; i++) {
        moving_pair p = random_pair(&random, i, 0.0f);
        trv_gap gap;
        p.motion_a.travel = p.motion_a.turn = p.motion_b.turn = ORIGIN;
        float begin = random_float(&random, 0.0005f, 0.0095f);
        expect_result(trv_distance(&p.a, p.motion_a.pose, &p.b, p.motion_b.pose, &gap), TRV_OK);
        p.motion_b.pose.position =
            trvi_mul_add(p.motion_b.pose.position, gap.normal, begin - gap.distance);
        double start = distance_at(&p, 0.0f);
        expect_result(trv_distance(&p.a, p.motion_a.pose, &p.b, p.motion_b.pose, &gap), TRV_OK);
        if (!(start > 0.0004)) // what overlapped is not parted by one move along its axis of then
            continue;
        asked++;
        trv_vec3 side = random_vec3(&random, 1.0f);
        side = trvi_mul_add(side, gap.normal, -trvi_dot(side, gap.normal));
        p.motion_b.travel = trvi_mul_add(side, gap.normal, 0.01f); // recedes, and slides mostly
        assert_false(ask(&p, &options).hit);
        p.motion_b.travel = trvi_mul_add(ORIGIN, gap.normal, -1.0f);
        trv_impact_hit hit = ask(&p, &options);
        assert_true(hit.hit && !hit.start && hit.fraction > 0.0f);
        double left = distance_at(&p, hit.fraction);
        assert_true(left > -NEAR + 0.0001 && left < 0.51 * start + NEAR);
    }
    assert_true(asked > 900);
}

static void what_touches_at_the_start_is_told_whatever_the_margin(void **state)
{
    (void)state;
    test_random random = {5};
    uint32_t starts = 0;
    trvi_impact_options options = trvi_default_impact_options();
    options.margin = 0.05f;
    for (int i = 0; i < 800; i++) {
        moving_pair p = random_pair(&random, i, 1.0f);
        trv_impact_hit plain = ask(&p, NULL), hit = ask(&p, &options);
        assert_int_equal(plain.start, hit.start);
        starts += hit.start;
        if (plain.start)
            assert_memory_equal(&plain, &hit, sizeof hit);
    }
    assert_true(starts > 80);
}

static void who_asks_for_times_alone_gets_the_same(void **state)
{
    (void)state;
    const trv_vec3 none = {0.0f, 0.0f, 0.0f};
    test_random random = {8};
    uint32_t hits = 0, starts = 0;
    for (int i = 0; i < 1500; i++) {
        moving_pair p = random_pair(&random, i, i % 2 == 0 ? 0.0f : 1.0f);
        trvi_impact_options options = trvi_default_impact_options();
        options.margin = i % 3 == 0 ? 0.0f : 0.02f;
        trv_impact_hit whole = ask(&p, &options);
        options.times_only = true;
        trv_impact_hit times = ask(&p, &options);
        assert_int_equal(times.hit, whole.hit);
        assert_int_equal(times.start, whole.start);
        assert_true(times.fraction == whole.fraction);
        assert_memory_equal(&times.point, &none, sizeof none);
        assert_memory_equal(&times.normal, &none, sizeof none);
        hits += whole.hit && !whole.start;
        starts += whole.start;
    }
    assert_true(hits > 200 && starts > 100);
}

static void a_plane_known_before_saves_the_search_and_changes_no_answer(void **state)
{
    (void)state;
    test_random random = {6};
    uint32_t misses = 0, saved = 0;
    for (int i = 0; i < 2000; i++) {
        moving_pair p = random_pair(&random, i, i % 2 == 0 ? 0.0f : 0.5f);
        trv_plane_cache cache;
        trv_separation separation;
        memset(&cache, 0, sizeof cache);
        p.motion_a.travel = trvi_scale(p.motion_a.travel, 0.1f);
        p.motion_b.travel = trvi_scale(p.motion_b.travel, i % 3 == 0 ? 1.0f : 0.1f);
        expect_result(
            trv_separate(&p.a, p.motion_a.pose, &p.b, p.motion_b.pose, &cache, &separation),
            TRV_OK);
        if (i % 5 == 4) // somebody else's
            cache.normal = random_vec3(&random, 1.2f);
        if (i % 50 == 9)
            cache.normal.x = NAN;
        trvi_impact_options options = trvi_default_impact_options();
        options.margin = i % 4 == 0 ? 0.01f : 0.0f;
        trv_impact_hit without = ask(&p, &options);
        options.cache = &cache;
        trv_impact_hit with = ask(&p, &options);
        assert_memory_equal(&without, &with, sizeof with);
        if (with.hit || i % 5 == 4 || i % 50 == 9 || p.a.kind == TRV_SHAPE_PLANE)
            continue;
        trvi_impact_times times;
        trvi_impact_goal goal = {1.0, (double)options.margin, &cache, false, false, 0};
        trvi_actor a = {&p.a, NULL, &p.motion_a}, b = {&p.b, NULL, &p.motion_b};
        trvi_impact_pair(&a, &b, &goal, &times);
        misses++;
        saved += times.turns == 0;
    }
    print_message("%u of %u misses without a search\n", saved, misses);
    assert_true(misses > 500 && saved > misses * 8 / 10);
}

// A body's shapes are placed about its origin; it turns about its centre of mass. Told with the
// origin in the centre of mass the same motion gives the same answer.
// Things that turn hundreds of times: it ends where it has come to, which is free up to there.
static void a_proof_that_is_cut_short_tells_contact_too_soon_and_never_too_late(void **state)
{
    (void)state;
    test_random random = {8};
    uint32_t cut = 0, met = 0;
    trvi_impact_options options = trvi_default_impact_options();
    options.steps = 8;
    for (int i = 0; i < 500; i++) {
        moving_pair p = random_pair(&random, i, i % 2 == 0 ? 3.0f : 300.0f);
        trv_impact_hit all = ask(&p, NULL), some = ask(&p, &options);
        assert_int_equal(some.start, all.start);
        if (all.hit)
            assert_true(some.hit && some.fraction <= all.fraction + 1.0e-6f);
        met += all.hit && !all.start;
        cut += some.hit && (!all.hit || some.fraction < all.fraction - 1.0e-4f);
    }
    assert_true(met > 200 && cut > 50);
}

static void bodies_turn_about_their_centre_of_mass(void **state)
{
    (void)state;
    test_random random = {7};
    uint32_t hits = 0;
    for (int i = 0; i < 1000; i++) {
        trv_obb box = {random_vec3(&random, 0.5f), {0.5f, 0.2f, 0.1f}, random_quat(&random)};
        trv_vec3 center = random_vec3(&random, 0.5f);
        moving_pair body = random_pair(&random, i, 3.0f), about = body;
        body.b = trv_make_placed_box(box);
        body.motion_b.center_local = center;
        box.center = trvi_sub(box.center, center);
        about.b = trv_make_placed_box(box);
        about.motion_b.pose.position = trv_pose_apply(body.motion_b.pose, center);
        about.motion_b.center_local = ORIGIN;
        trv_impact_hit first = ask(&body, NULL), second = ask(&about, NULL);
        if (first.hit != second.hit) { // by a hair
            float t = first.hit ? first.fraction : second.fraction;
            expect_near(distance_at(&body, t), 0.0, NEAR);
            continue;
        }
        hits += first.hit && !first.start;
        expect_near(first.fraction, second.fraction, 2.0e-4);
    }
    assert_true(hits > 200);
}

static void compounds_take_the_cap_and_the_margin_too(void **state)
{
    (void)state;
    trv_compound_part parts[2] = {
        {trv_make_sphere(ORIGIN, 0.5f), {{0.0f, 1.0f, 0.0f}, {0, 0, 0, 1}}},
        {trv_make_sphere(ORIGIN, 0.5f), {{0.5f, -1.0f, 0.0f}, {0, 0, 0, 1}}}};
    trv_compound *compound = compound_of(parts, 2);
    moving_pair p;
    p.a = trv_make_compound(compound);
    p.b = trv_make_half_space(ORIGIN, (trv_vec3){-1.0f, 0.0f, 0.0f});
    p.motion_a = trv_make_motion(trv_make_pose((trv_vec3){-3.0f, 0.0f, 0.0f}));
    p.motion_b = trv_make_motion(trv_make_pose(ORIGIN));
    p.motion_a.travel.x = 4.0f;
    trvi_impact_options options = trvi_default_impact_options();
    trv_impact_hit hit = ask(&p, &options);
    assert_true(hit.hit && hit.part_a == 1 && hit.part_b == 0);
    expect_near(hit.fraction, 0.5, 1.0e-6);
    options.margin = 0.2f;
    hit = ask(&p, &options);
    assert_true(hit.hit && hit.part_a == 1);
    expect_near(hit.fraction, 0.45, 1.0e-6);
    expect_near(hit.point.x, -0.1, 1.0e-6);
    options.max_fraction = 0.44f;
    assert_false(ask(&p, &options).hit);
    trv_compound_release(compound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_options_change_nothing),
        cmocka_unit_test(contacts_after_the_cap_are_not_told),
        cmocka_unit_test(shapes_stop_a_margin_before_contact),
        cmocka_unit_test(shapes_may_overlap_by_as_much_as_is_asked),
        cmocka_unit_test(within_the_margin_only_what_closes_in_hits),
        cmocka_unit_test(what_touches_at_the_start_is_told_whatever_the_margin),
        cmocka_unit_test(who_asks_for_times_alone_gets_the_same),
        cmocka_unit_test(a_plane_known_before_saves_the_search_and_changes_no_answer),
        cmocka_unit_test(a_proof_that_is_cut_short_tells_contact_too_soon_and_never_too_late),
        cmocka_unit_test(bodies_turn_about_their_centre_of_mass),
        cmocka_unit_test(compounds_take_the_cap_and_the_margin_too),
    };
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
