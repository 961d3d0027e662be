// Distance and depth of cores: the distance search, the growing polytope, the walk over all facets
// and the boxes' axes, each against the others and against every candidate plane.
#include "support.h"

#include <trivet/mesh.h>

#include <string.h>

#include "../src/narrow/carry.h"
#include "../src/narrow/nearest.h"
#include "../src/narrow/reference.h"
#include "hulls.h"

static hull_pool pool;

static int read_pool(void **state)
{
    (void)state;
    return hull_pool_read(&pool, TRV_TEST_DATA "/vectors", "hulls") ? 0 : -1;
}

static int free_pool(void **state)
{
    (void)state;
    hull_pool_free(&pool);
    return 0;
}

// A hull of at most `limit` vertices and of size about 1.
static const trv_hull *random_hull(test_random *random, uint32_t limit)
{
    for (;;) {
        const trv_hull *hull = pool.hulls[random_bits(random) % pool.count];
        if (hull != NULL && hull->vertex_count <= limit && hull->radius > 0.3f &&
            hull->radius < 3.0f)
            return hull;
    }
}

static trv_pose random_pose(test_random *random, float extent)
{
    trv_pose pose = {random_vec3(random, extent), random_quat(random)};
    return pose;
}

static void couple_at_random(trvi_couple *couple, const trv_shape *a, const trv_shape *b,
                             test_random *random, float extent)
{
    trv_pose pose_a = random_pose(random, extent), pose_b = random_pose(random, extent);
    trvi_couple_set(couple, a, pose_a, b, pose_b);
}

static void the_walk_over_facets_finds_the_depth_that_all_planes_find(void **state)
{
    (void)state;
    test_random random = {21};
    uint32_t overlapping = 0;
    for (int i = 0; i < 120; i++) {
        trv_shape a = trv_make_hull(random_hull(&random, 14));
        trv_shape b = trv_make_hull(random_hull(&random, 14));
        trv_pose pose_a = random_pose(&random, 0.4f), pose_b = random_pose(&random, 0.4f);
        trvi_couple couple;
        trvi_axis walked;
        trv_separation wanted;
        trvi_couple_set(&couple, &a, pose_a, &b, pose_b);
        trvi_walk_facets(&couple, &walked);
        trvi_separate_reference(&a, pose_a, &b, pose_b, &wanted);
        if (wanted.apart)
            continue; // the reference stops at the first stage that parts them
        overlapping++;
        expect_near(walked.gap, wanted.gap, 1.0e-6 * couple.scale);
        expect_near(trvi_gap_along_every(&couple, walked.normal), walked.gap, 1.0e-12);
    }
    assert_true(overlapping > 60);
}

// The foot of the depth: points of the shapes that meet once B has moved out along the axis.
static void expect_foot(const trvi_couple *couple, const trvi_simplex *foot, const trvi_axis *axis)
{
    trvi_dvec3 on_a, on_b;
    trvi_gjk_points(couple, foot, &on_a, &on_b);
    trvi_dvec3 moved = trvi_dmul_add(on_b, axis->normal, -axis->gap);
    expect_near(trvi_dlength(trvi_dsub(moved, on_a)), 0.0, 1.0e-7 * couple->scale);
}

static void the_growing_polytope_agrees_with_the_walk_or_gives_up(void **state)
{
    (void)state;
    test_random random = {22};
    uint32_t agreed = 0, founded = 0;
    for (int i = 0; i < 2000; i++) {
        trv_shape a = trv_make_hull(random_hull(&random, 64));
        trv_shape b = trv_make_hull(random_hull(&random, 64));
        float extent = i % 3 == 0 ? 0.0f : 0.7f;
        trvi_couple couple;
        couple_at_random(&couple, &a, &b, &random, extent);
        trvi_gjk gjk;
        trvi_gjk_run(&couple, (trvi_dvec3){0.0, 0.0, 0.0}, HUGE_VAL, &gjk);
        if (gjk.state != TRVI_GJK_TOUCH)
            continue;
        trvi_axis grown, walked;
        trvi_simplex foot;
        trvi_walk_facets(&couple, &walked);
        if (!trvi_expand(&couple, &gjk.simplex, &grown, &foot))
            continue;
        agreed++;
        expect_near(grown.gap, walked.gap, 1.0e-6 * couple.scale);
        if (foot.count == 0)
            continue;
        expect_foot(&couple, &foot, &grown);
        founded++;
    }
    assert_true(agreed > 500 && founded > agreed * 9 / 10);
}

static void a_search_from_where_a_contact_was_finds_the_depth_that_the_walk_finds(void **state)
{
    (void)state;
    test_random random = {29};
    uint32_t found = 0, founded = 0, other = 0;
    for (int i = 0; i < 1500; i++) {
        trv_shape a = trv_make_hull(random_hull(&random, 64));
        trv_shape b = trv_make_hull(random_hull(&random, 64));
        trv_pose pose_a = random_pose(&random, 0.6f), pose_b = random_pose(&random, 0.6f);
        trv_plane_cache cache;
        trvi_couple couple;
        trvi_nearest nearest;
        trvi_axis walked;
        memset(&cache, 0, sizeof cache);
        trvi_couple_set(&couple, &a, pose_a, &b, pose_b);
        trvi_nearest_find(&couple, HUGE_VAL, &nearest);
        if (!(nearest.axis.gap < 0.0))
            continue;
        trvi_carry(&couple, &nearest, NULL, &cache);
        trvi_dvec3 before = nearest.axis.normal;
        trv_quat turn = trv_quat_about(random_vec3(&random, 1.0f), i % 2 == 0 ? 0.02f : 0.5f);
        pose_b.rotation = trv_quat_multiply(turn, pose_b.rotation);
        trvi_couple_set(&couple, &a, pose_a, &b, pose_b);
        trvi_witnesses known;
        if (!trvi_grows_on(&couple, &cache, &nearest, &known))
            continue;
        found++;
        trvi_walk_facets(&couple, &walked);
        expect_near(nearest.axis.gap, walked.gap, 1.0e-6 * couple.scale);
        expect_near(trvi_gap_along_every(&couple, nearest.axis.normal), nearest.axis.gap, 1.0e-9);
        other += trvi_ddot(nearest.axis.normal, before) < 0.9;
        if (nearest.has_simplex) {
            expect_foot(&couple, &nearest.simplex, &nearest.axis);
            founded++;
        }
    }
    assert_true(found > 400 && founded > found * 9 / 10 && other > 40);
}

static void globes_about_one_centre_have_a_depth_although_the_polytope_gives_up(void **state)
{
    (void)state;
    trv_hull *globe = make_globe(24, 36, (trv_vec3){1.0f, 1.0f, 1.0f});
    trv_shape shape = trv_make_hull(globe);
    trv_pose here = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f}), turned = here;
    turned.rotation = trv_quat_about((trv_vec3){1.0f, 2.0f, 3.0f}, 0.7f);
    trvi_couple couple;
    trvi_gjk gjk;
    trvi_axis grown;
    trvi_simplex foot;
    trvi_nearest nearest;
    trvi_couple_set(&couple, &shape, here, &shape, turned);
    trvi_gjk_run(&couple, (trvi_dvec3){0.0, 0.0, 0.0}, HUGE_VAL, &gjk);
    assert_int_equal(gjk.state, TRVI_GJK_TOUCH);
    assert_false(trvi_expand(&couple, &gjk.simplex, &grown, &foot));
    trvi_nearest_find(&couple, HUGE_VAL, &nearest);
    expect_near(trvi_gap_along_every(&couple, nearest.axis.normal), nearest.axis.gap, 1.0e-12);
    // No direction has less overlap than the one found.
    test_random random = {26};
    for (int i = 0; i < 3000; i++) {
        trvi_dvec3 d = trvi_dvec3_from(random_vec3(&random, 1.0f));
        d = trvi_dnormalize_or(d, (trvi_dvec3){1.0, 0.0, 0.0});
        assert_true(trvi_gap_along_every(&couple, d) <= nearest.axis.gap + 1.0e-12);
    }
    trvi_convex_release(globe);
}

static void distances_lie_between_a_gap_that_is_there_and_two_points(void **state)
{
    (void)state;
    test_random random = {23};
    uint32_t apart = 0, meeting = 0;
    for (int i = 0; i < 3000; i++) {
        trv_shape a = trv_make_hull(random_hull(&random, 64));
        trv_shape b = trv_make_hull(random_hull(&random, 64));
        trvi_couple couple;
        couple_at_random(&couple, &a, &b, &random, 1.2f);
        trvi_nearest nearest;
        trvi_dvec3 on_a, on_b;
        trvi_nearest_find(&couple, HUGE_VAL, &nearest);
        trvi_nearest_points(&couple, &nearest, &on_a, &on_b);
        double gap = trvi_gap_along_every(&couple, nearest.axis.normal);
        expect_near(trvi_dlength(nearest.axis.normal), 1.0, 1.0e-12);
        expect_near(gap, nearest.axis.gap, 1.0e-9 * couple.scale);
        expect_near(trvi_dlength(trvi_dsub(on_b, on_a)), fabs(gap), 2.0e-7 * couple.scale);
        apart += gap > 0.0;
        meeting += gap < 0.0;
    }
    assert_true(apart > 300 && meeting > 300);
}

static void a_search_from_any_start_finds_the_same_distance(void **state)
{
    (void)state;
    const trvi_dvec3 unmoved = {0.0, 0.0, 0.0};
    test_random random = {27};
    uint32_t apart = 0;
    for (int i = 0; i < 2000; i++) {
        trv_shape a = trv_make_hull(random_hull(&random, 200));
        trv_shape b = trv_make_hull(random_hull(&random, 200));
        trvi_couple couple;
        couple_at_random(&couple, &a, &b, &random, 1.2f);
        trvi_gjk cold, warm;
        trvi_gjk_run(&couple, unmoved, HUGE_VAL, &cold);
        warm = cold;
        trvi_dvec3 along = i % 3 == 0 ? cold.normal : trvi_dvec3_from(random_vec3(&random, 1.0f));
        trvi_gjk_resume(&couple, unmoved, along, HUGE_VAL, &warm);
        assert_int_equal(warm.state, cold.state);
        if (cold.state != TRVI_GJK_APART)
            continue;
        apart++;
        expect_near(warm.distance, cold.distance, 1.0e-9 * couple.scale);
        // A plane that is only to tell leaves a gap of at least half the distance.
        trvi_nearest nearest;
        assert_true(trvi_nearest_apart(&couple, 0.0, &nearest));
        double gap = trvi_gap_along_every(&couple, nearest.axis.normal);
        assert_true(gap >= 0.5 * cold.distance - 1.0e-9 * couple.scale);
    }
    assert_true(apart > 300);
}

static void fifteen_axes_agree_with_the_walk_and_the_search(void **state)
{
    (void)state;
    test_random random = {24};
    uint32_t apart = 0, meeting = 0;
    for (int i = 0; i < 3000; i++) {
        trv_vec3 ha = random_vec3(&random, 0.5f), hb = random_vec3(&random, 0.5f);
        trv_shape a = trv_make_box((trv_vec3){fabsf(ha.x) + 0.2f, fabsf(ha.y) + 0.2f, 0.4f});
        trv_shape b = trv_make_box((trv_vec3){fabsf(hb.x) + 0.2f, 0.3f, fabsf(hb.z) + 0.2f});
        trv_pose pose_a = random_pose(&random, 0.7f), pose_b = random_pose(&random, 0.7f);
        if (i % 4 == 0) { // edges parallel but for rounding
            pose_b.rotation = pose_a.rotation;
            pose_b.rotation.x += 1.0e-7f;
        }
        trvi_couple couple;
        trvi_axis axes, walked;
        trvi_gjk gjk;
        trvi_box_gaps gaps;
        trvi_couple_set(&couple, &a, pose_a, &b, pose_b);
        trvi_box_axes(&couple, HUGE_VAL, &gaps, &axes);
        expect_near(trvi_gap_along_every(&couple, axes.normal), axes.gap, 1.0e-12);
        trvi_gjk_run(&couple, (trvi_dvec3){0.0, 0.0, 0.0}, HUGE_VAL, &gjk);
        assert_int_equal(axes.gap > 0.0, gjk.state == TRVI_GJK_APART);
        if (axes.gap > 0.0) {
            assert_true(gjk.distance >= axes.gap - 1.0e-9);
            apart++;
            continue;
        }
        trvi_walk_facets(&couple, &walked);
        expect_near(axes.gap, walked.gap, 1.0e-7);
        meeting++;
    }
    assert_true(apart > 300 && meeting > 300);
}

static void the_walk_finds_the_same_depth_whichever_shape_comes_first(void **state)
{
    (void)state;
    test_random random = {26};
    const trv_vec3 o = {0.0f, 0.0f, 0.0f};
    uint32_t deep = 0;
    for (int i = 0; i < 400; i++) {
        trv_vec3 end = random_vec3(&random, 0.5f);
        trv_shape flat =
            i % 2 == 0 ? trv_make_capsule(trvi_negate(end), end, 0.1f) : trv_make_sphere(o, 0.1f);
        trv_shape solid = i % 3 == 0 ? trv_make_box(trv_make_vec3(0.4f, 0.7f, 1.0f))
                                     : trv_make_hull(random_hull(&random, 64));
        trv_pose pose_flat = random_pose(&random, 0.3f), pose_solid = random_pose(&random, 0.3f);
        trvi_couple forth, back;
        trvi_axis at_forth, at_back;
        trvi_couple_set(&forth, &solid, pose_solid, &flat, pose_flat);
        trvi_couple_set(&back, &flat, pose_flat, &solid, pose_solid);
        trvi_walk_facets(&forth, &at_forth);
        trvi_walk_facets(&back, &at_back);
        expect_near(at_back.gap, at_forth.gap, 1.0e-6 * forth.scale);
        // The vertices and the normal are of the couple that was asked.
        assert_true(at_back.vertex_a < back.a.vertex_count);
        assert_true(at_back.vertex_b < back.b.vertex_count);
        expect_near(trvi_gap_along_every(&back, at_back.normal), at_back.gap, 1.0e-12);
        deep += at_back.gap < -0.1;
    }
    assert_true(deep > 100);
}

static void flat_cores_that_meet_have_a_unit_normal_and_no_depth(void **state)
{
    (void)state;
    const trv_vec3 o = {0.0f, 0.0f, 0.0f}, x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f};
    const trv_vec3 nx = {-1.0f, 0.0f, 0.0f}, ny = {0.0f, -1.0f, 0.0f};
    trv_shape shapes[4] = {trv_make_sphere(o, 0.5f), trv_make_capsule(nx, x, 0.5f),
                           trv_make_capsule(ny, y, 0.5f), trv_make_capsule(x, x, 0.5f)};
    trv_pose pose = trv_make_pose(o);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) {
            trvi_couple couple;
            trvi_nearest nearest;
            trvi_dvec3 on_a, on_b;
            trvi_couple_set(&couple, &shapes[i], pose, &shapes[j], pose);
            trvi_nearest_find(&couple, HUGE_VAL, &nearest);
            trvi_nearest_points(&couple, &nearest, &on_a, &on_b);
            bool touch = i != 3 || j == 1;
            if (touch)
                expect_near(nearest.axis.gap, 0.0, 1.0e-12);
            expect_near(trvi_dlength(nearest.axis.normal), 1.0, 1.0e-12);
            expect_near(trvi_dlength(trvi_dsub(on_b, on_a)), nearest.axis.gap, 1.0e-9);
        }
    }
}

static void the_simplex_point_is_the_nearest_of_all_its_parts(void **state)
{
    (void)state;
    test_random random = {25};
    for (int i = 0; i < 4000; i++) {
        trvi_simplex s;
        s.count = 1 + (uint32_t)(random_bits(&random) % 4);
        trvi_dvec3 points[4], nearest;
        for (uint32_t k = 0; k < s.count; k++) {
            trv_vec3 p = random_vec3(&random, 1.0f);
            if (i % 5 == 0)
                p.y = 0.25f; // flat
            if (i % 7 == 0 && k > 0)
                p = trvi_vec3_from_double(points[0]); // doubled
            p.x += 0.5f;
            points[k] = s.points[k].w = trvi_dvec3_from(p);
            s.points[k].a = s.points[k].b = k;
        }
        uint32_t count = s.count;
        if (!trvi_simplex_nearest(&s, &nearest))
            continue;
        // Optimal exactly when no given point lies nearer than the plane through it.
        double square = trvi_ddot(nearest, nearest), sum = 0.0;
        for (uint32_t k = 0; k < count; k++)
            assert_true(trvi_ddot(nearest, points[k]) >= square - 1.0e-12);
        for (uint32_t k = 0; k < s.count; k++) {
            assert_true(s.weights[k] >= 0.0);
            sum += s.weights[k];
        }
        expect_near(sum, 1.0, 1.0e-12);
    }
}

// As they are made by edges of vast shapes that nearly are in one line.
static void the_shares_of_a_long_sliver_make_the_point_that_it_is_said_to(void **state)
{
    (void)state;
    test_random random = {26};
    uint32_t inside = 0;
    for (int i = 0; i < 4000; i++) {
        trvi_simplex s;
        trvi_dvec3 nearest, made = {0.0, 0.0, 0.0};
        s.count = 3;
        for (uint32_t k = 0; k < 3; k++) {
            double along = (k == 0 ? -1.0 : 1.0) * random_float(&random, 1.0e7f, 1.0e8f);
            trvi_dvec3 p = trvi_dvec3_from(random_vec3(&random, 1.0f));
            s.points[k].w = (trvi_dvec3){along + p.x, along + p.y, along + p.z};
            s.points[k].a = s.points[k].b = k;
        }
        assert_true(trvi_simplex_nearest(&s, &nearest));
        for (uint32_t k = 0; k < s.count; k++)
            made = trvi_dmul_add(made, s.points[k].w, s.weights[k]);
        expect_near(trvi_dlength(trvi_dsub(made, nearest)), 0.0, 1.0e-6);
        inside += s.count == 3;
    }
    assert_true(inside > 100);
}

// The normals of its faces are stored in float32, which puts their planes off by metres out there.
static void the_face_of_a_hull_as_large_as_a_planet_is_told_from_its_corners(void **state)
{
    (void)state;
    const trv_vec3 corners[4] = {
        {0, 0, 0}, {0, 9e7f, 7.3e7f}, {9e7f, 6.1e7f, 8.9e7f}, {0, 0, 9e7f}};
    trvi_dvec3 one = trvi_dvec3_from(corners[1]), two = trvi_dvec3_from(corners[2]);
    trvi_dvec3 out = trvi_dcross(two, one); // of the face of the first three
    out = trvi_dscale(out, (out.z < 0.0 ? 1.0 : -1.0) / trvi_dlength(out));
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(corners, 4, &def, &hull), TRV_OK);
    trv_shape planet = trv_make_hull(hull), box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    test_random random = {23};
    for (int i = 0; i < 300; i++) {
        double along = random_float(&random, 5e-8f, 2e-7f), height = random_float(&random, 0, 3);
        trvi_dvec3 place = trvi_dscale(trvi_dadd(one, two), along);
        place = trvi_dmul_add(place, out, height);
        trv_pose at = trv_make_pose(trvi_vec3_from_double(place));
        trvi_couple couple;
        trvi_axis axis;
        at.rotation = random_quat(&random);
        trvi_couple_set(&couple, &planet, trv_make_pose((trv_vec3){0, 0, 0}), &box, at);
        trvi_walk_facets(&couple, &axis);
        assert_true(axis.gap >= trvi_gap_along_every(&couple, out) - 1.0e-6);
    }
    trv_hull_release(hull);
}

// A side of it is bent by a metre over a hundred million: from beside a long edge both its parts are
// equally far but for one rounding, and a corner lies beyond the plane of one.
static void points_beside_an_edge_of_a_bent_side_as_large_are_as_far_as_their_gap(void **state)
{
    (void)state;
    const trv_vec3 corners[7] = {{90000016, 90000016, 90000016}, {90000016, 0, 90000016},
                                 {0, 90000016, 90000016},        {90000016, -0.900000036f, 0},
                                 {0, -90000008, -90000008},      {-90000008, -90000008, -90000008},
                                 {-90000008, 0, 90000008}};
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(corners, 7, &def, &hull), TRV_OK);
    trv_shape planet = trv_make_hull(hull), speck = trv_make_sphere((trv_vec3){0, 0, 0}, 0.01f);
    test_random random = {29};
    uint32_t apart = 0;
    for (int i = 0; i < 2000; i++) {
        float along = random_float(&random, -1000, 1000);
        trv_vec3 place = random_vec3(&random, 1.0f), on_edge = {along, along, along};
        trv_pose at = trv_make_pose(trvi_add(on_edge, place));
        trvi_couple couple;
        trvi_nearest nearest;
        trvi_dvec3 on_a, on_b;
        trvi_couple_set(&couple, &planet, trv_make_pose((trv_vec3){0, 0, 0}), &speck, at);
        trvi_nearest_find(&couple, HUGE_VAL, &nearest);
        if (!(nearest.axis.gap > 0.0))
            continue;
        apart++;
        trvi_nearest_points(&couple, &nearest, &on_a, &on_b);
        trvi_dvec3 way = trvi_dscale(nearest.axis.normal, nearest.axis.gap);
        double miss = trvi_dlength(trvi_dsub(trvi_dsub(on_b, on_a), way));
        expect_near(miss, 0.0, 1.0e-13 * couple.scale);
    }
    assert_true(apart > 500);
    trv_hull_release(hull);
}

// There, too, no search may end with less than it found on its way.
static void a_speck_at_a_bent_side_as_large_is_apart_with_and_without_a_cache(void **state)
{
    (void)state;
    const trv_vec3 corners[7] = {
        {90000016, 90000016, 90000016},   {0, 90000008, 90000016}, {0, 90000016, 0},
        {90000016, 90000016, 0},          {0, 0, 90000016},        {-0.900000036f, 0, -90000008},
        {-90000008, -90000008, -90000008}};
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(corners, 7, &def, &hull), TRV_OK);
    trv_shape planet = trv_make_hull(hull);
    trv_shape speck = trv_make_capsule((trv_vec3){-0.003f, -0.003f, -0.003f},
                                       (trv_vec3){-0.003f, 0.001f, 0.001f}, 5.0e-5f);
    trv_pose still = trv_make_pose((trv_vec3){0, 0, 0});
    test_random random = {31};
    uint32_t apart = 0;
    for (int i = 0; i < 4000; i++) {
        trv_pose at = random_pose(&random, 0.01f);
        trv_plane_cache cache = {0};
        trv_separation alone, cached;
        expect_result(trv_separate(&planet, still, &speck, at, NULL, &alone), TRV_OK);
        expect_result(trv_separate(&planet, still, &speck, at, &cache, &cached), TRV_OK);
        assert_int_equal(alone.apart, cached.apart);
        assert_true(!alone.apart || (alone.gap > 0.0f && cached.gap > 0.0f));
        apart += alone.apart;
    }
    assert_true(apart > 500);
    trv_hull_release(hull);
}

static void views_of_a_couple_are_turned_as_each_alone(void **state)
{
    (void)state;
    test_random random = {77};
    trv_shape box = trv_make_box((trv_vec3){1.0f, 2.0f, 3.0f});
    for (uint32_t i = 0; i < 1000; i++) {
        trv_pose a = random_pose(&random, 2.0f), b = random_pose(&random, 2.0f);
        trvi_couple couple;
        trvi_couple_set(&couple, &box, a, &box, b);
        trvi_dmat3 of_a = trvi_dmat3_from_quat(a.rotation), of_b = trvi_dmat3_from_quat(b.rotation);
        assert_memory_equal(&couple.a.rotation, &of_a, sizeof of_a);
        assert_memory_equal(&couple.b.rotation, &of_b, sizeof of_b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_of_a_couple_are_turned_as_each_alone),
        cmocka_unit_test(the_walk_over_facets_finds_the_depth_that_all_planes_find),
        cmocka_unit_test(the_growing_polytope_agrees_with_the_walk_or_gives_up),
        cmocka_unit_test(a_search_from_where_a_contact_was_finds_the_depth_that_the_walk_finds),
        cmocka_unit_test(globes_about_one_centre_have_a_depth_although_the_polytope_gives_up),
        cmocka_unit_test(distances_lie_between_a_gap_that_is_there_and_two_points),
        cmocka_unit_test(a_search_from_any_start_finds_the_same_distance),
        cmocka_unit_test(fifteen_axes_agree_with_the_walk_and_the_search),
        cmocka_unit_test(the_walk_finds_the_same_depth_whichever_shape_comes_first),
        cmocka_unit_test(flat_cores_that_meet_have_a_unit_normal_and_no_depth),
        cmocka_unit_test(the_simplex_point_is_the_nearest_of_all_its_parts),
        cmocka_unit_test(the_shares_of_a_long_sliver_make_the_point_that_it_is_said_to),
        cmocka_unit_test(the_face_of_a_hull_as_large_as_a_planet_is_told_from_its_corners),
        cmocka_unit_test(points_beside_an_edge_of_a_bent_side_as_large_are_as_far_as_their_gap),
        cmocka_unit_test(a_speck_at_a_bent_side_as_large_is_apart_with_and_without_a_cache),
    };
    return cmocka_run_group_tests(tests, read_pool, free_pool);
}
