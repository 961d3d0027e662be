// A glance along a direction that was kept: a bound on the gap there, whatever was kept.
#include "impact_support.h"

#include "narrow/narrow.h"

// The gap along a direction, by the supports of both, in double. No half-spaces.
static double gap_along(const moving_pair *p, trv_vec3 normal)
{
    trvi_couple couple;
    trvi_couple_set(&couple, &p->a, p->motion_a.pose, &p->b, p->motion_b.pose);
    trvi_dvec3 n = trvi_dvec3_from(normal);
    trvi_dvec3 in_a = trvi_dmat3_mul_transposed(&couple.a.rotation, n);
    uint32_t a = TRVI_NO_VERTEX, b = TRVI_NO_VERTEX;
    return trvi_gap_along(&couple, in_a, &a, &b) - couple.a.radius - couple.b.radius;
}

// Along the same direction in the world, and along another one.
static void expect_same_along(const moving_pair *p, const trv_plane_cache *cache, trv_vec3 normal,
                              float gap)
{
    float along, aside;
    trv_vec3 other = trv_make_vec3(normal.y, normal.z, normal.x);
    assert_true(trvi_glance_along(&p->a, &p->motion_a.pose, &p->b, &p->motion_b.pose, cache, normal,
                                  &along));
    expect_near(along, gap, 2.0e-5);
    assert_true(trvi_glance_along(&p->a, &p->motion_a.pose, &p->b, &p->motion_b.pose, cache, other,
                                  &aside));
    assert_true(aside <= gap_along(p, other));
    expect_near(aside, gap_along(p, other), 1.0e-4);
}

// A pair of shapes, and the plane that parted them some time before, where they were apart.
static moving_pair pair_since_then(test_random *random, int i, trv_plane_cache *cache)
{
    moving_pair p = random_pair(random, i, 1.0f);
    trv_separation found;
    memset(cache, 0, sizeof *cache);
    expect_result(trv_separate(&p.a, p.motion_a.pose, &p.b, p.motion_b.pose, cache, &found),
                  TRV_OK);
    p.motion_a.pose = trv_motion_at(&p.motion_a, 0.2f);
    return p;
}

static void a_gap_that_is_told_is_there(void **state)
{
    (void)state;
    test_random random = {1};
    uint32_t told = 0, apart = 0;
    for (int i = 0; i < 4000; i++) {
        trv_plane_cache cache;
        moving_pair p = pair_since_then(&random, i, &cache);
        if (p.a.kind == TRV_SHAPE_PLANE)
            continue;
        trv_vec3 normal;
        float gap;
        if (!trvi_glance(&p.a, &p.motion_a.pose, &p.b, &p.motion_b.pose, &cache, &normal, &gap))
            continue;
        told++;
        apart += gap > 0.0f;
        double exact = gap_along(&p, normal);
        expect_near(trvi_length(normal), 1.0, 1.0e-5);
        assert_true(gap <= exact);
        expect_near(gap, exact, 1.0e-4);
        if (gap > 0.0f)
            assert_true(distance_at(&p, 0.0f) >= gap);
        expect_same_along(&p, &cache, normal, gap);
    }
    assert_true(told > 1500 && apart > 800);
}

static void nothing_is_told_of_what_has_no_such_gap(void **state)
{
    (void)state;
    const trv_shape cube = trv_make_box((trv_vec3){1.0f, 1.0f, 1.0f});
    const trv_shape ground =
        trv_make_half_space((trv_vec3){0.0f, 0.0f, 0.0f}, (trv_vec3){0.0f, 1.0f, 0.0f});
    const trv_pose here = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
    const trv_pose there = trv_make_pose((trv_vec3){0.0f, 5.0f, 0.0f});
    const float lengths[] = {0.0f, 0.5f, 2.0f, NAN, INFINITY};
    trv_plane_cache cache;
    trv_vec3 normal;
    float gap;
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 5; i++) {
        cache.normal.y = lengths[i];
        assert_false(trvi_glance(&cube, &here, &cube, &there, &cache, &normal, &gap));
        assert_false(trvi_glance_along(&cube, &here, &cube, &there, &cache, cache.normal, &gap));
    }
    cache.normal.y = 1.0f;
    assert_true(trvi_glance(&cube, &here, &cube, &there, &cache, &normal, &gap));
    expect_near(gap, 3.0, 1.0e-4);
    assert_false(trvi_glance(&ground, &here, &cube, &there, &cache, &normal, &gap));
    assert_false(trvi_glance(&cube, &there, &ground, &here, &cache, &normal, &gap));
}

// What a pair is asked first: a gap by which trvi_collide finds it apart at once, and which is kept.
static void the_gap_that_a_plane_leaves_parts_the_pair(void **state)
{
    (void)state;
    test_random random = {2};
    uint32_t left = 0, none = 0;
    for (int i = 0; i < 4000; i++) {
        trv_plane_cache cache, first;
        trv_manifold manifold;
        moving_pair p = pair_since_then(&random, i, &cache);
        first = cache;
        float gap = trvi_gap_left(&p.a, &p.motion_a.pose, &p.b, &p.motion_b.pose, &cache);
        if (!(gap > 0.0f)) {
            none++;
            assert_true(gap == 0.0f);
            assert_memory_equal(&cache, &first, sizeof cache);
            continue;
        }
        left++;
        assert_true(cache.gap == gap && distance_at(&p, 0.0f) >= gap);
        assert_int_equal(trvi_collide(&p.a, p.motion_a.pose, &p.b, p.motion_b.pose, 0.9999f * gap,
                                      &first, NULL, &manifold),
                         TRVI_APART_REMEMBERED);
    }
    assert_true(left > 800 && none > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_that_is_told_is_there),
        cmocka_unit_test(nothing_is_told_of_what_has_no_such_gap),
        cmocka_unit_test(the_gap_that_a_plane_leaves_parts_the_pair),
    };
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
