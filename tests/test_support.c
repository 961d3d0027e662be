// The farthest vertex: climbing against looking at every one, also where hulls are not quite
// convex.
#include "support.h"

#include <trivet/mesh.h>

#include "../src/narrow/near.h"
#include "hulls.h"

static trvi_dvec3 random_direction(test_random *random)
{
    trv_vec3 v = random_vec3(random, 1.0f);
    return trvi_dnormalize_or(trvi_dvec3_from(v), (trvi_dvec3){1.0, 0.0, 0.0});
}

// Largest shortfall of a climb, relative to the extent, over random and exact face directions.
static double worst_shortfall(const trv_hull *hull, uint64_t seed)
{
    test_random random = {seed};
    trv_shape shape = trv_make_hull(hull);
    trv_pose pose = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
    trvi_view view;
    trvi_view_set(&view, &shape, pose);
    assert_non_null(view.seeds);
    double worst = 0.0;
    uint32_t warm = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        trvi_dvec3 d = random_direction(&random);
        if (i % 2 == 0) { // hard ones: every vertex of the face ties
            d = trvi_dvec3_from(hull->planes[random_bits(&random) % hull->face_count].normal);
            d = trvi_dmul_add(d, random_direction(&random), i % 4 == 0 ? 0.0 : 1.0e-7);
        }
        double best = trvi_ddot(d, trvi_vertex(&view, trvi_support_every(&view, d)));
        warm = trvi_support(&view, d, warm);
        uint32_t cold = trvi_support(&view, d, TRVI_NO_VERTEX);
        uint32_t elsewhere =
            trvi_support(&view, d, (uint32_t)(random_bits(&random) % view.vertex_count));
        worst = fmax(worst, best - trvi_ddot(d, trvi_vertex(&view, warm)));
        worst = fmax(worst, best - trvi_ddot(d, trvi_vertex(&view, cold)));
        worst = fmax(worst, best - trvi_ddot(d, trvi_vertex(&view, elsewhere)));
        uint32_t near =
            trvi_support_near(&view, &d, (uint32_t)(random_bits(&random) % view.vertex_count));
        worst = fmax(worst, best - trvi_ddot(d, trvi_vertex(&view, near)));
    }
    return worst / view.extent;
}

static void climbs_reach_the_farthest_vertex_of_exact_hulls(void **state)
{
    (void)state;
    hull_pool pool;
    assert_true(hull_pool_read(&pool, TRV_TEST_DATA "/vectors", "hulls_big"));
    for (size_t i = 0; i < pool.count; i++)
        if (pool.hulls[i] != NULL)
            expect_near(worst_shortfall(pool.hulls[i], i + 1), 0.0, TRVI_CLIMB_SLACK);
    hull_pool_free(&pool);
}

static void climbs_reach_the_farthest_vertex_where_quads_are_bent_by_rounding(void **state)
{
    (void)state;
    const trv_vec3 sizes[3] = {{1.0f, 1.0f, 1.0f}, {5.0f, 0.01f, 3.0f}, {0.02f, 4.0f, 0.02f}};
    for (uint32_t i = 0; i < 3; i++) {
        trv_hull *globe = make_globe(24, 36, sizes[i]);
        assert_non_null(globe);
        expect_near(worst_shortfall(globe, i + 100), 0.0, TRVI_CLIMB_SLACK);
        trvi_convex_release(globe);
    }
}

static void climbs_go_round_a_face_of_a_thousand_sides(void **state)
{
    (void)state;
    trv_hull *prism = make_prism(1000, 1.0f, 0.25f);
    expect_near(worst_shortfall(prism, 7), 0.0, TRVI_CLIMB_SLACK);
    trvi_convex_release(prism);
}

static void scans_find_the_very_vertex_that_looking_at_each_finds(void **state)
{
    (void)state;
    const double sizes[4] = {1.0, 1.0e-9, 1.0e9, 1.0e-30};
    test_random random = {13};
    for (uint32_t sides = 4; sides <= 24; sides++) { // 8 to 48 vertices
        trv_hull *prism = make_prism(sides, 1.0f, 0.25f);
        trv_shape shape = trv_make_hull(prism);
        trvi_view view;
        trvi_view_set(&view, &shape, trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f}));
        assert_int_equal(view.columns != NULL, view.vertex_count > TRVI_FEW_VERTICES);
        assert_null(view.seeds);
        for (uint32_t i = 0; i < 600; i++) {
            trvi_dvec3 d = random_direction(&random);
            if (i % 2 == 0) { // all vertices of a face tie, or all but
                d = trvi_dvec3_from(prism->planes[random_bits(&random) % prism->face_count].normal);
                d = trvi_dmul_add(d, random_direction(&random), i % 4 == 0 ? 0.0 : 1.0e-8);
            }
            d = trvi_dscale(d, sizes[i % 4]);
            uint32_t highest = trvi_support_every(&view, d);
            assert_int_equal(trvi_support(&view, d, TRVI_NO_VERTEX), highest);
            uint32_t near = trvi_support_near(&view, &d, (uint32_t)i % view.vertex_count);
            assert_int_equal(near, highest);
        }
        trvi_convex_release(prism);
    }
}

static void looking_at_every_vertex_finds_the_first_of_the_highest(void **state)
{
    (void)state;
    test_random random = {14};
    for (uint32_t i = 0; i < 2000; i++) {
        trv_vec3 points[9];
        trvi_view view = {.vertices = points, .vertex_count = 1 + i % 9};
        uint32_t first = 0;
        for (uint32_t v = 0; v < view.vertex_count; v++) { // few heights, so that many tie
            points[v] = trv_make_vec3((float)(random_bits(&random) % 3), 0.0f, 0.0f);
            first = points[v].x > points[first].x ? v : first;
        }
        assert_int_equal(trvi_support_every(&view, (trvi_dvec3){1.0, 0.0, 0.0}), first);
    }
}

static uint32_t highest_of_all(const trvi_view *view, trvi_dvec3 d)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < view->vertex_count; v++)
        if (trvi_height_of(view, d, v) > trvi_height_of(view, d, best))
            best = v;
    return best;
}

// Many tie along the normals of a prism's ends, and along nothing.
static void clusters_find_the_very_vertex_that_looking_at_each_finds(void **state)
{
    (void)state;
    const trv_vec3 halves[3] = {{1, 1, 1}, {20, 0.05f, 0.05f}, {1e-3f, 5, 5}};
    test_random random = {15};
    for (int k = 0; k < 6; k++) {
        trv_hull *hull = k < 3    ? make_globe(20 + 12 * (uint32_t)k, 40, halves[k])
                         : k == 3 ? make_prism(127, 1, 0.25f)
                                  : make_prism(k == 4 ? 128 : 700, 3, 0.01f);
        trv_shape shape = trv_make_hull(hull);
        trvi_view view;
        trvi_view_set(&view, &shape, trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f}));
        assert_int_equal(view.many != NULL, view.vertex_count >= TRVI_CLUSTER_VERTICES);
        for (uint32_t i = 0; i < 1200; i++) {
            trvi_dvec3 d = random_direction(&random);
            if (i % 2 == 0) {
                d = trvi_dvec3_from(hull->planes[random_bits(&random) % hull->face_count].normal);
                d = trvi_dmul_add(d, random_direction(&random), i % 4 == 0 ? 0.0 : 1.0e-9);
            }
            d = trvi_dscale(d, i % 3 == 0 ? 1.0e-12 : i == 7 ? 0.0 : 1.0e6);
            assert_int_equal(trvi_support_every(&view, d), highest_of_all(&view, d));
        }
        trvi_convex_release(hull);
    }
}

static void boxes_answer_as_their_vertices_do(void **state)
{
    (void)state;
    test_random random = {11};
    trv_shape shape = trv_make_box((trv_vec3){0.5f, 2.0f, 0.125f});
    trvi_view view;
    trvi_view_set(&view, &shape, trv_make_pose((trv_vec3){1.0f, 2.0f, 3.0f}));
    for (int i = 0; i < 500; i++) {
        trvi_dvec3 d = random_direction(&random);
        double found = trvi_ddot(d, trvi_vertex(&view, trvi_support(&view, d, TRVI_NO_VERTEX)));
        expect_near(found, trvi_ddot(d, trvi_vertex(&view, trvi_support_every(&view, d))), 0.0);
        uint32_t face = trvi_best_face(&view, &d, TRVI_NO_VERTEX);
        for (uint32_t f = 0; f < 6; f++)
            assert_true(trvi_ddot(d, trvi_face_normal(&view, f)) <=
                        trvi_ddot(d, trvi_face_normal(&view, face)));
    }
}

static void the_arrays_of_a_box_are_those_of_a_hull(void **state)
{
    (void)state;
    trv_shape shape = trv_make_box((trv_vec3){1.0f, 2.0f, 3.0f});
    trvi_view view;
    trvi_view_set(&view, &shape, trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f}));
    trv_allocator none = {NULL, NULL}, allocator = trvi_allocator_or_default(none);
    trv_hull *hull = NULL;
    expect_result(trvi_convex_build(&allocator, view.vertices, 8, view.face_first, view.edge_origin,
                                    6, &hull),
                  TRV_OK);
    assert_memory_equal(hull->edge_twin, view.edge_twin, 24 * sizeof(uint32_t));
    for (uint32_t e = 0; e < 24; e++)
        assert_int_equal(trvi_box_edge[e], e < view.edge_twin[e] ? e : view.edge_twin[e]);
    assert_memory_equal(hull->edge_face, view.edge_face, 24 * sizeof(uint32_t));
    assert_memory_equal(hull->vertex_edge, view.vertex_edge, 8 * sizeof(uint32_t));
    assert_memory_equal(hull->neighbor_first, view.neighbor_first, 9 * sizeof(uint32_t));
    assert_memory_equal(hull->neighbors, view.neighbors, 24 * sizeof(uint32_t));
    assert_memory_equal(hull->vertex_faces, view.vertex_faces, 24 * sizeof(uint32_t));
    static const double areas[3] = {24.0, 12.0, 8.0};
    for (uint32_t f = 0; f < 6; f++) {
        expect_near(hull->face_areas[f], areas[f / 2], 0.0);
        assert_int_equal(hull->face_pieces[f], 0);
        expect_near(hull->planes[f].offset, view.planes[f].offset, 0.0);
        expect_near(trvi_dot(hull->planes[f].normal, view.planes[f].normal), 1.0, 0.0);
    }
    trvi_convex_release(hull);
}

static bool has_corner(const trv_hull *hull, uint32_t face, uint32_t vertex)
{
    for (uint32_t e = hull->face_first[face]; e < hull->face_first[face + 1]; e++)
        if (hull->edge_origin[e] == vertex)
            return true;
    return false;
}

static void the_faces_round_a_vertex_are_those_that_have_it_as_a_corner(void **state)
{
    (void)state;
    trv_hull *hull = make_globe(12, 9, (trv_vec3){1.0f, 0.8f, 0.6f});
    uint32_t found = 0;
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        for (uint32_t i = hull->neighbor_first[v]; i < hull->neighbor_first[v + 1]; i++) {
            assert_true(has_corner(hull, hull->vertex_faces[i], v));
            for (uint32_t k = hull->neighbor_first[v]; k < i; k++)
                assert_int_not_equal(hull->vertex_faces[i], hull->vertex_faces[k]);
            found++;
        }
    }
    assert_int_equal(found, hull->half_edge_count);
    trvi_convex_release(hull);
}

static void the_best_face_of_a_hull_has_the_best_aligned_normal(void **state)
{
    (void)state;
    test_random random = {12};
    trv_hull *globe = make_globe(9, 14, (trv_vec3){1.0f, 1.0f, 1.0f});
    trv_shape shape = trv_make_hull(globe);
    trvi_view view;
    trvi_view_set(&view, &shape, trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f}));
    for (int i = 0; i < 500; i++) {
        trvi_dvec3 d = random_direction(&random);
        double found = trvi_ddot(d, trvi_face_normal(&view, trvi_best_face(&view, &d, 0))),
               best = -2;
        for (uint32_t f = 0; f < view.face_count; f++)
            best = fmax(best, trvi_ddot(d, trvi_face_normal(&view, f)));
        expect_near(found, best, 1.0e-6);
    }
    trvi_convex_release(globe);
}

// A globe of rings and meridians: near the poles its faces are so small that uniting them by the
// tolerance for flat sides would bend them, and leave corners that a climb does not get away from.
static void climbs_do_not_stop_at_the_poles_of_a_fine_globe(void **state)
{
    (void)state;
    enum { rings = 70, meridians = 140 };
    trv_vec3 *points = calloc((rings - 1) * meridians + 2, sizeof *points);
    uint32_t count = 0;
    assert_non_null(points);
    points[count++] = trv_make_vec3(0, 0.5f, 0);
    points[count++] = trv_make_vec3(0, -0.5f, 0);
    for (int r = 1; r < rings; r++)
        for (int m = 0; m < meridians; m++) {
            double polar = 3.14159265358979 * r / rings, turn = 6.28318530717959 * m / meridians;
            points[count++] =
                trv_make_vec3((float)(0.5 * sin(polar) * cos(turn)), (float)(0.5 * cos(polar)),
                              (float)(0.5 * sin(polar) * sin(turn)));
        }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(points, count, &def, &hull), TRV_OK);
    assert_true(hull->united);
    assert_true(worst_shortfall(hull, 7) <= TRVI_CLIMB_DOUBT);
    trv_hull_release(hull);
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(climbs_reach_the_farthest_vertex_of_exact_hulls),
        cmocka_unit_test(climbs_reach_the_farthest_vertex_where_quads_are_bent_by_rounding),
        cmocka_unit_test(climbs_go_round_a_face_of_a_thousand_sides),
        cmocka_unit_test(climbs_do_not_stop_at_the_poles_of_a_fine_globe),
        cmocka_unit_test(scans_find_the_very_vertex_that_looking_at_each_finds),
        cmocka_unit_test(looking_at_every_vertex_finds_the_first_of_the_highest),
        cmocka_unit_test(clusters_find_the_very_vertex_that_looking_at_each_finds),
        cmocka_unit_test(boxes_answer_as_their_vertices_do),
        cmocka_unit_test(the_arrays_of_a_box_are_those_of_a_hull),
        cmocka_unit_test(the_faces_round_a_vertex_are_those_that_have_it_as_a_corner),
        cmocka_unit_test(the_best_face_of_a_hull_has_the_best_aligned_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
