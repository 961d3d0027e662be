// Hill climbing that cannot miss: against every vertex, on hulls whose edges are far shorter than
// the hull, whose faces are united or nearly flat, and of any number of vertices; and that a plane
// asked in float32 says "apart" only where the double measure does.
#include "support.h"

#include <trivet/mesh.h>

#include "../src/narrow/along.h"
#include "../src/narrow/view.h"
#include "hull_support.h"
#include "hulls.h"
#include "pillow.h"

static trv_pose at(float x, float y, float z)
{
    return trv_make_pose((trv_vec3){x, y, z});
}

// A cube with every corner cut off, `cut` along each of its edges: 24 vertices, and edges as short
// as that.
static trv_hull *chamfered_cube(float cut)
{
    trv_vec3 points[24];
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t corner = i / 3, axis = i % 3;
        float c[3];
        for (uint32_t k = 0; k < 3; k++)
            c[k] = (corner >> k & 1 ? 1.0f : -1.0f) * (k == axis ? 1.0f - cut : 1.0f);
        points[i] = (trv_vec3){c[0], c[1], c[2]};
    }
    return hull_of(points, 24);
}

// A globe of about `count` vertices, as a caller would have it built.
static trv_hull *round_hull(uint32_t count, trv_vec3 half)
{
    trv_vec3 *points = malloc(count * sizeof *points);
    spiral_corners(count, half, points);
    trv_hull *hull = hull_of(points, count);
    free(points);
    return hull;
}

// Directions that are hard for a climb: random ones, and those that hardly lean from a face's
// normal.
static trvi_dvec3 hard_direction(test_random *random, const trv_hull *hull)
{
    trvi_dvec3 lean = trvi_dvec3_from(random_vec3(random, 1.0f));
    uint32_t choice = (uint32_t)(random_bits(random) % 8);
    if (choice == 0)
        return trvi_dnormalize_or(lean, (trvi_dvec3){1.0, 0.0, 0.0});
    static const double leans[8] = {0.0, 0.0, 1.0e-8, 1.0e-6, 1.0e-4, 1.0e-3, 1.0e-2, 1.0e-1};
    uint32_t face = (uint32_t)(random_bits(random) % hull->face_count);
    trvi_dvec3 n = trvi_dvec3_from(hull->planes[face].normal);
    return trvi_dnormalize_or(trvi_dmul_add(n, lean, leans[choice]), n);
}

// The largest shortfall of climbs from anywhere, relative to the extent.
static double worst_climb(const trv_hull *hull, uint32_t directions, uint64_t seed)
{
    test_random random = {seed};
    trv_shape shape = trv_make_hull(hull);
    trvi_view view;
    trvi_view_set(&view, &shape, at(0, 0, 0));
    double worst = 0.0;
    uint32_t warm = 0;
    for (uint32_t i = 0; i < directions; i++) {
        trvi_dvec3 d = hard_direction(&random, hull);
        double best = trvi_ddot(d, trvi_vertex(&view, trvi_support_every(&view, d)));
        uint32_t from = (uint32_t)(random_bits(&random) % view.vertex_count);
        warm = trvi_support(&view, d, warm);
        worst = fmax(worst, best - trvi_ddot(d, trvi_vertex(&view, warm)));
        worst = fmax(worst, best - trvi_ddot(d, trvi_vertex(&view, trvi_support(&view, d, from))));
    }
    return worst / view.extent;
}

static void climbs_over_the_tiny_faces_of_cut_corners_miss_nothing(void **state)
{
    (void)state;
    for (float cut = 0.1f; cut > 1.0e-7f; cut *= 0.1f) {
        trv_hull *hull = chamfered_cube(cut);
        expect_near(worst_climb(hull, 4000, 21), 0.0, TRVI_CLIMB_SLACK);
        trv_hull_release(hull);
    }
}

static void climbs_over_large_and_flat_hulls_miss_nothing(void **state)
{
    (void)state;
    const struct {
        uint32_t vertices, directions;
        trv_vec3 half;
    } cases[] = {{128, 20000, {1.0f, 1.0f, 1.0f}},    {512, 10000, {1.0f, 1.0e-3f, 1.0f}},
                 {2048, 4000, {1.0f, 1.0f, 1.0f}},    {2048, 4000, {1.0f, 0.02f, 3.0f}},
                 {10000, 1000, {1.0f, 1.0f, 1.0f}},   {10000, 1000, {1.0f, 1.0e-2f, 1.0f}},
                 {500, 10000, {1.0e6f, 1.0f, 1.0e6f}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        trv_hull *hull = round_hull(cases[i].vertices, cases[i].half);
        double worst = worst_climb(hull, cases[i].directions, i + 1);
        if (!(worst <= TRVI_CLIMB_DOUBT))
            print_error("case %zu, %u vertices: %g\n", i, hull->vertex_count, worst);
        assert_true(worst <= TRVI_CLIMB_DOUBT);
        trv_hull_release(hull);
    }
}

// A box whose sides bulge by hardly more than rounding, in places of a grid: uniting leaves pieces of
// them that are thinner than what it takes for flat.
static trv_hull *bulging_box(uint64_t seed, float bulge)
{
    enum { COUNT = 1300 };
    trv_vec3 points[COUNT];
    test_random random = {seed};
    for (uint32_t i = 0; i < COUNT; i++) {
        float v[3];
        for (uint32_t k = 0; k < 3; k++)
            v[k] = ((float)(random_bits(&random) % 9) - 4.0f) * 0.25f;
        uint32_t axis = (uint32_t)(random_bits(&random) % 3);
        float left = v[(axis + 1) % 3], right = v[(axis + 2) % 3];
        float out = 1.0f + bulge * (2.0f - left * left - right * right);
        v[axis] = random_bits(&random) & 1 ? out : -out;
        points[i] = (trv_vec3){v[0], v[1], v[2]};
    }
    return hull_of(points, COUNT);
}

static void climbs_over_sides_that_bulge_by_a_hair_miss_nothing(void **state)
{
    (void)state;
    const struct {
        uint64_t seed;
        float bulge;
    } cases[] = {{2506, 6.65417e-6f}, {2629, 1.46192e-5f}, {1, 2.0e-6f}, {2, 8.0e-6f}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        trv_hull *hull = bulging_box(cases[i].seed, cases[i].bulge);
        double worst = worst_climb(hull, 40000, i + 1);
        if (!(worst <= TRVI_CLIMB_DOUBT))
            print_error("case %zu, %u vertices: %g\n", i, hull->vertex_count, worst);
        assert_true(worst <= TRVI_CLIMB_DOUBT);
        trv_hull_release(hull);
    }
}

// Of what climbs in float32 are sure of, the largest shortfall, relative to the reach.
static double worst_sure_reach(const trv_hull *hull, uint32_t directions, uint64_t seed)
{
    test_random random = {seed};
    trv_shape shape = trv_make_hull(hull);
    trvi_view view;
    trvi_view_set(&view, &shape, at(0, 0, 0));
    double worst = 0.0;
    uint32_t sure = 0;
    for (uint32_t i = 0; i < directions; i++) {
        trvi_dvec3 d = hard_direction(&random, hull);
        double best = trvi_ddot(d, trvi_vertex(&view, trvi_support_every(&view, d)));
        trv_vec3 along = trvi_vec3_from_double(d);
        uint32_t from = (uint32_t)(random_bits(&random) % view.vertex_count);
        trvi_stretch found;
        if (!trvi_reach_of(&shape, trvi_lanes_load3(&along.x), &from, &found))
            continue;
        worst = fmax(worst, best - (double)found.along);
        sure++;
    }
    assert_true(sure > directions / 4);
    return worst / (double)hull->reach;
}

static void climbs_over_plateaus_of_united_faces_miss_nothing(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {25, 614, 623, 828, 936, 1645, 2525, 2859};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        trv_vec3 points[PILLOW_POINTS];
        make_pillow(seeds[i], points);
        trv_hull *hull = hull_of(points, PILLOW_POINTS);
        expect_near(worst_climb(hull, 4000, seeds[i]), 0.0, TRVI_CLIMB_SLACK);
        expect_near(worst_sure_reach(hull, 4000, seeds[i]), 0.0, 2.0e-6);
        trv_hull_release(hull);
    }
}

// Round a vertex whose faces are those of the exact hull nothing is in doubt, whatever was united
// elsewhere: above its neighbours by more than rounding, it is above all others.
static void vertices_that_no_uniting_touched_are_the_farthest_by_their_neighbours(void **state)
{
    (void)state;
    uint32_t whole = 0, other = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        trv_hull *hull = seed < 4
                             ? bulging_box(seed, 4.0e-6f)
                             : round_hull(3000, (trv_vec3){1.0f, seed < 5 ? 0.01f : 0.8f, 1.0f});
        test_random random = {seed};
        trv_shape shape = trv_make_hull(hull);
        trvi_view view;
        trvi_view_set(&view, &shape, at(0, 0, 0));
        for (uint32_t i = 0; i < 300; i++) {
            trvi_dvec3 d = hard_direction(&random, hull);
            double top = trvi_ddot(d, trvi_vertex(&view, trvi_support_every(&view, d)));
            for (uint32_t v = 0; v < hull->vertex_count; v++) {
                bool highest = true;
                double height = trvi_ddot(d, trvi_vertex(&view, v));
                for (uint32_t k = hull->neighbor_first[v]; k < hull->neighbor_first[v + 1]; k++)
                    highest =
                        highest && trvi_ddot(d, trvi_vertex(&view, hull->neighbors[k])) < height;
                if (!highest)
                    continue;
                bool sure =
                    trvi_is_whole(hull->neighbor_first, hull->vertex_faces, hull->face_united, v);
                *(sure ? &whole : &other) += 1;
                if (sure)
                    expect_near(height, top, 1.0e-14);
            }
        }
        trv_hull_release(hull);
    }
    assert_true(whole > 500 && other > 100);
}

// A ball that reaches into the hull by a little at the farthest place along `d`: they overlap, so
// no plane that a cache may hold parts them, wherever the climb begins.
static void expect_overlap_whatever_is_remembered(const trv_hull *hull, trvi_dvec3 d, double depth,
                                                  test_random *random)
{
    trv_shape a = trv_make_hull(hull), b;
    trvi_view view;
    trvi_view_set(&view, &a, at(0, 0, 0));
    trvi_dvec3 top = trvi_vertex(&view, trvi_support_every(&view, d));
    trvi_dvec3 toward = trvi_dnormalize_or(trvi_dsub(view.center, top), d);
    trvi_dvec3 place = trvi_dmul_add(top, toward, depth);
    b = trv_make_sphere(trvi_vec3_from_double(trvi_dmul_add(place, d, 0.01)), 0.01f);
    for (uint32_t i = 0; i < 6; i++) {
        trv_plane_cache cache;
        trv_separation s;
        trv_manifold m;
        memset(&cache, 0, sizeof cache);
        cache.normal = trvi_vec3_from_double(d);
        cache.source = TRV_PLANE_VERTICES;
        cache.vertex_a = (uint32_t)(random_bits(random) % hull->vertex_count);
        for (uint32_t k = 0; k < 3; k++) // and whatever a search is led on from
            cache.meeting[k] = (uint32_t)(random_bits(random) % (hull->vertex_count + 2));
        trv_plane_cache copy = cache;
        expect_result(trv_separate(&a, at(0, 0, 0), &b, at(0, 0, 0), &cache, &s), TRV_OK);
        assert_false(s.apart);
        expect_result(trv_collide(&a, at(0, 0, 0), &b, at(0, 0, 0), 0.0f, &copy, &m), TRV_OK);
        assert_true(m.count > 0);
    }
}

static void no_climb_that_stops_short_calls_overlapping_shapes_apart(void **state)
{
    (void)state;
    test_random random = {22};
    for (float cut = 0.01f; cut > 1.0e-7f; cut *= 0.1f) {
        trv_hull *hull = chamfered_cube(cut);
        for (int i = 0; i < 1500; i++) {
            trvi_dvec3 d = hard_direction(&random, hull);
            expect_overlap_whatever_is_remembered(hull, d, 1.0e-4, &random);
        }
        trv_hull_release(hull);
    }
    const trv_vec3 halves[3] = {{1.0f, 1.0f, 1.0f}, {1.0f, 0.01f, 1.0f}, {3.0f, 0.1f, 1.0f}};
    for (int h = 0; h < 3; h++) {
        trv_hull *hull = round_hull(1000, halves[h]);
        for (int i = 0; i < 1500; i++)
            expect_overlap_whatever_is_remembered(hull, hard_direction(&random, hull), 1.0e-4,
                                                  &random);
        trv_hull_release(hull);
    }
}

// Vertices closer to one another than a double can tell at the hull's size: only the difference of
// their places says which is higher. Found by fuzz_narrow.
static void twin_vertices_that_differ_by_nothing_do_not_stop_a_climb(void **state)
{
    (void)state;
    static const trv_vec3 points[11] = {{1.44937789e-4f, 1.0e5f, 0.0f},
                                        {-1.42094776e-21f, -99996.3984f, 848.045959f},
                                        {2.52603331e-13f, 2.53905209e-21f, 1.0e5f},
                                        {-1.09987843e-12f, 1.40891788e-13f, 1.0e5f},
                                        {-1.03597991e-36f, -1.0e5f, -3.09380231e-27f},
                                        {3.51372056e-11f, -99831.6719f, 5799.81787f},
                                        {-38018.7734f, -92490.9297f, 1.94383456e-33f},
                                        {-1.18353668e-36f, 2.92838613e-17f, -1.0e5f},
                                        {87641.3203f, 3.27332898e-21f, 48155.9844f},
                                        {1.0e5f, 0.0f, -6.6500358e-27f},
                                        {4.55198578e-25f, 1.0e5f, 8.51989466e-38f}};
    trv_hull *hull = hull_of(points, 11);
    trv_shape a = trv_make_hull(hull), ball = trv_make_sphere((trv_vec3){-3, -3, -3}, 3.0f);
    trv_pose pose_a = {{4.0f, -2.0f, 2.0f}, {0.5f, 0.5f, 0.5f, 0.5f}};
    trv_pose pose_b = at(278.515625f, -662.597656f, -573.217773f);
    for (uint32_t start = 0; start < hull->vertex_count; start++) {
        trv_plane_cache cache;
        trv_separation s;
        memset(&cache, 0, sizeof cache);
        cache.normal = (trv_vec3){-0.57735027f, -0.57735027f, -0.57735027f};
        cache.source = TRV_PLANE_VERTICES;
        cache.vertex_a = start;
        expect_result(trv_separate(&a, pose_a, &ball, pose_b, &cache, &s), TRV_OK);
        assert_false(s.apart);
    }
    trv_hull_release(hull);
}

// A slab with a ridge of points along a line but for some hundredths of a millimetre, far from its
// frame's origin. Uniting makes faces of it that are narrower than the slab that they lie in, and
// leaves folds in some: three corners go forth, back and forth again, and the one in the middle is
// higher than both its neighbours.
static trv_hull *ridged_slab(uint64_t seed)
{
    enum { COUNT = 300 };
    test_random random = {seed};
    trv_vec3 points[COUNT];
    trv_quat turn = random_quat(&random);
    float thin = random_float(&random, 0.02f, 0.1f), narrow = random_float(&random, 0.1f, 0.6f);
    for (uint32_t i = 0; i < COUNT; i++) {
        float off = random_float(&random, -6.0e-4f, 6.0e-4f), along = random_float(&random, -1, 1);
        trv_vec3 p = {off, 1.0f - 0.5f * off * off, along};
        if (i < 8)
            p = (trv_vec3){i & 1 ? 1.0f : -1.0f, i & 2 ? -1.0f : 0.2f, i & 4 ? 1.0f : -1.0f};
        p = trv_rotate(turn, (trv_vec3){thin * p.x, narrow * p.y, p.z});
        points[i] = (trv_vec3){p.x + 36.0f, p.y, p.z};
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(points, COUNT, &def, &hull), TRV_OK);
    return hull;
}

static void no_climb_stops_in_the_fold_of_a_face(void **state)
{
    (void)state;
    test_random random = {91};
    for (uint64_t seed = 520; seed < 560; seed++) {
        trv_hull *hull = ridged_slab(seed);
        for (uint32_t i = 0; i < 100; i++) {
            trvi_dvec3 d = trvi_dvec3_from(hull->planes[i % hull->face_count].normal);
            trvi_dvec3 aside = trvi_dvec3_from(random_vec3(&random, i % 2 == 0 ? 0.001f : 0.02f));
            expect_overlap_whatever_is_remembered(hull, trvi_dnormalize_or(trvi_dadd(d, aside), d),
                                                  1.0e-3, &random);
        }
        trv_hull_release(hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(climbs_over_the_tiny_faces_of_cut_corners_miss_nothing),
        cmocka_unit_test(climbs_over_large_and_flat_hulls_miss_nothing),
        cmocka_unit_test(climbs_over_sides_that_bulge_by_a_hair_miss_nothing),
        cmocka_unit_test(climbs_over_plateaus_of_united_faces_miss_nothing),
        cmocka_unit_test(vertices_that_no_uniting_touched_are_the_farthest_by_their_neighbours),
        cmocka_unit_test(no_climb_that_stops_short_calls_overlapping_shapes_apart),
        cmocka_unit_test(twin_vertices_that_differ_by_nothing_do_not_stop_a_climb),
        cmocka_unit_test(no_climb_stops_in_the_fold_of_a_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
