// Contacts as they are found on processors that have AVX, against those found on all others; the ends
// of edges, against every vertex; faces, against a search from face to face; and what is low beside them, one by
// one.
#include <trivet/mesh.h>

#include "hull_support.h"
#include "hulls.h"
#include "support.h"

#include <string.h>

#include "../src/narrow/carry.h"
#include "../src/narrow/manifold.h"
#include "../src/narrow/patch.h"
#include "../src/narrow/touch.h"

enum { SHAPES = 6, MOTIONS = 60, FRAMES = 60 };

// What was reached, for both ways did the same.
typedef struct reached {
    uint32_t answers[TRVI_CONTACT + 1], points[TRV_MANIFOLD_POINTS + 1], sources[8];
} reached;

static trv_shape random_shape(test_random *random, trv_hull *const hulls[3])
{
    uint32_t kind = (uint32_t)(random_bits(random) % SHAPES);
    trv_vec3 half = {random_float(random, 0.2f, 0.6f), random_float(random, 0.2f, 0.6f),
                     random_float(random, 0.2f, 0.6f)};
    if (kind < 3)
        return trv_make_hull(hulls[kind]);
    if (kind == 3)
        return trv_make_capsule((trv_vec3){-half.x, 0.0f, 0.0f}, (trv_vec3){half.x, 0.0f, 0.0f},
                                half.y);
    return trv_make_box(half);
}

#if defined(TRVI_CAN_EIGHT)
typedef trvi_answer touch_fn(trvi_couple *couple, double margin, trv_plane_cache *cache,
                             trv_manifold *out);

static trvi_answer ask(touch_fn *touch, const trv_shape shapes[2], const trv_pose poses[2],
                       trv_plane_cache *cache, trv_manifold *out)
{
    trvi_couple couple;
    memset(out, 0, sizeof *out);
    trvi_couple_sketch(&couple, &shapes[0], &poses[0], &shapes[1], &poses[1]);
    return touch(&couple, 0.02, cache, out);
}

// Two shapes that turn and pass through one another slowly.
static void move_past(test_random *random, const trv_shape shapes[2], reached *sum)
{
    trv_plane_cache cache = {0}, cache_eight = {0};
    trv_pose poses[2] = {{random_vec3(random, 3.0f), random_quat(random)}};
    trv_quat turn = trv_quat_about(trv_make_vec3(0.0f, 0.6f, 0.8f), 0.005f);
    trv_vec3 way = random_vec3(random, 0.02f), middle = random_vec3(random, 0.7f);
    poses[1].rotation = random_quat(random);
    for (int f = 0; f < FRAMES; f++) {
        trv_manifold manifold, eight;
        float past = (float)(f - FRAMES / 2);
        poses[1].rotation = trv_quat_multiply(turn, poses[1].rotation);
        poses[1].position = trvi_add(poses[0].position, trvi_mul_add(middle, way, past));
        trvi_answer answer = ask(trvi_touch, shapes, poses, &cache, &manifold);
        assert_int_equal(ask(trvi_touch_eight, shapes, poses, &cache_eight, &eight), answer);
        assert_memory_equal(&eight, &manifold, sizeof eight);
        assert_memory_equal(&cache_eight, &cache, sizeof cache);
        sum->answers[answer]++;
        sum->points[manifold.count]++;
        sum->sources[answer == TRVI_CONTACT && trvi_is_carried(&cache) ? cache.source & 7u : 0]++;
    }
}
#endif

static void contacts_have_the_same_bits_with_wider_instructions(void **state)
{
    (void)state;
#if defined(TRVI_CAN_EIGHT)
    if (!__builtin_cpu_supports("avx"))
        skip();
    test_random random = {2026};
    reached sum = {{0}, {0}, {0}};
    trv_hull *hulls[3] = {make_globe(4, 5, (trv_vec3){0.5f, 0.4f, 0.6f}),
                          make_globe(6, 8, (trv_vec3){0.4f, 0.5f, 0.5f}),
                          make_globe(12, 16, (trv_vec3){0.5f, 0.6f, 0.4f})};
    for (int i = 0; i < MOTIONS; i++) {
        trv_shape shapes[2] = {random_shape(&random, hulls), random_shape(&random, hulls)};
        move_past(&random, shapes, &sum);
    }
    for (int i = 0; i < 3; i++)
        trvi_convex_release(hulls[i]);
    assert_true(sum.answers[TRVI_APART_REMEMBERED] > 0 && sum.answers[TRVI_APART_SEARCHED] > 0);
    for (uint32_t i = 1; i <= TRV_MANIFOLD_POINTS; i++)
        assert_true(sum.points[i] > 0);
    assert_true(sum.sources[TRV_PLANE_FACE_A] > 0 && sum.sources[TRV_PLANE_FACE_B] > 0 &&
                sum.sources[TRV_PLANE_EDGES] > 0);
#else
    skip();
#endif
}

// A prism whose caps are bent by some millionths, which unites what they would fall into.
static trv_hull *bent_prism(test_random *random, uint32_t sides)
{
    trv_vec3 points[64];
    for (uint32_t i = 0; i < 2 * sides; i++) {
        double turn = 6.283185307179586 * (i / 2) / sides;
        float bend = random_float(random, -1.5e-6f, 1.5e-6f);
        points[i] = (trv_vec3){(float)(0.5 * cos(turn)), (i % 2 ? 0.4f : -0.4f) + bend,
                               (float)(0.5 * sin(turn))};
    }
    return hull_of(points, 2 * sides);
}

// Points in a flat box: faces of all sizes, and few of them.
static trv_hull *ragged_hull(test_random *random, uint32_t count)
{
    trv_vec3 points[32];
    for (uint32_t i = 0; i < count; i++) {
        points[i] = random_vec3(random, 0.5f);
        points[i].y *= 0.2f;
    }
    return hull_of(points, count);
}

// Along directions about the arc between the normals of an edge's faces. Returns how many led to one
// of its ends.
static uint32_t look_along_edges(test_random *random, trv_hull *hull, uint32_t *asked)
{
    trv_shape shape = trv_make_hull(hull);
    trvi_view view;
    trvi_view_set(&view, &shape, trv_make_pose(trv_make_vec3(0, 0, 0)));
    uint32_t ends = 0;
    for (uint32_t e = 0; e < view.half_edge_count; e++) {
        uint32_t twin = view.edge_twin[e], from = view.edge_origin[e], to = view.edge_origin[twin];
        trvi_dvec3 along = trvi_dsub(trvi_vertex(&view, to), trvi_vertex(&view, from));
        trvi_dvec3 one = trvi_face_normal(&view, view.edge_face[e]);
        trvi_dvec3 two = trvi_face_normal(&view, view.edge_face[twin]);
        for (int i = 0; i < 20; i++) {
            double share = (double)random_float(random, -0.3f, 1.3f);
            trvi_dvec3 d = trvi_dmul_add(trvi_dscale(one, 1.0 - share), two, share);
            d = trvi_dmul_add(d, along, -trvi_ddot(d, along) / trvi_ddot(along, along));
            d = trvi_dnormalize_or(d, one);
            uint32_t end = trvi_end_of_edge(&view, e, d), best = trvi_support_every(&view, d);
            double height = trvi_ddot(d, trvi_vertex(&view, end));
            double highest = trvi_ddot(d, trvi_vertex(&view, best));
            assert_true(height >= highest - TRVI_CLIMB_SLACK * view.extent);
            ends += end == from || end == to;
            ++*asked;
        }
    }
    return ends;
}

static void the_end_of_an_edge_is_the_highest_vertex_or_another_is(void **state)
{
    (void)state;
    test_random random = {41};
    for (int bent = 0; bent < 2; bent++) {
        uint32_t asked = 0, ends = 0, united = 0;
        for (int i = 0; i < 12; i++) {
            trv_hull *hull = bent ? bent_prism(&random, 8 + (uint32_t)i)
                                  : make_globe(4, 5 + (uint32_t)i, (trv_vec3){0.5f, 0.6f, 0.4f});
            united += hull->united;
            ends += look_along_edges(&random, hull, &asked);
            trvi_convex_release(hull);
        }
        assert_int_equal(united, bent ? 12 : 0);
        assert_true(ends > asked / 2 && ends < asked);
    }
}

static void the_face_beyond_those_round_a_vertex_is_that_of_a_search_over_sides(void **state)
{
    (void)state;
    test_random random = {43};
    uint32_t stayed = 0, moved = 0;
    for (uint32_t i = 0; i < 12; i++) {
        trv_hull *hull = i % 3 == 0 ? bent_prism(&random, 8 + i) : ragged_hull(&random, 6 + i);
        trv_shape shape = trv_make_hull(hull);
        trvi_view view;
        trvi_view_set(&view, &shape, trv_make_pose(trv_make_vec3(0, 0, 0)));
        for (int k = 0; k < 2000; k++) {
            trvi_dvec3 d = trvi_dvec3_from(random_vec3(&random, 1.0f));
            uint32_t vertex = trvi_support(&view, d, TRVI_NO_VERTEX);
            uint32_t around = trvi_face_around(&view, &d, vertex);
            uint32_t face = trvi_best_face_beyond(&view, &d, around, vertex);
            assert_int_equal(face, trvi_best_face_from(&view, &d, around));
            stayed += face == around;
            moved += face != around;
        }
        trvi_convex_release(hull);
    }
    assert_true(stayed > 1000 && moved > 200);
}

// Of random points on a ball about a place.
static trv_hull *make_ball(test_random *random, uint32_t count, float radius, trv_vec3 place)
{
    trv_vec3 points[80];
    for (uint32_t i = 0; i < count; i++)
        points[i] = trvi_add(place, trv_rotate(random_quat(random), trv_make_vec3(radius, 0, 0)));
    return hull_of(points, count);
}

// A face that is sunk into a plane by any depth, or just over it, with the columns of the hull and without.
static void expect_same_side(test_random *random, trvi_view *view, uint32_t face, float size)
{
    trvi_polygon plain, at_once;
    trvi_depths of_plain, of_once;
    const float *columns = view->columns;
    double depth = (double)random_float(random, -0.02f * size, 0.4f * size);
    trvi_dvec3 out = trvi_face_normal(view, face);
    trvi_chart chart = {.height = trvi_dnegate(out)};
    chart.u = trvi_perpendicular(out);
    chart.v = trvi_dcross(chart.height, chart.u);
    chart.at_height = trvi_face_base(view, face) - depth;
    trvi_polygon_of_face(view, face, &chart, 0.02 * (double)size, &at_once, &of_once);
    view->columns = NULL;
    trvi_polygon_of_face(view, face, &chart, 0.02 * (double)size, &plain, &of_plain);
    view->columns = columns;
    assert_int_equal(at_once.count, plain.count);
    assert_memory_equal(at_once.corners, plain.corners, plain.count * sizeof *plain.corners);
    assert_memory_equal(&of_once, &of_plain, sizeof of_plain);
}

static void what_is_low_beside_a_face_is_the_same_however_it_is_found(void **state)
{
    (void)state;
    test_random random = {33};
    const uint32_t counts[] = {12, 13, 16, 17, 32, 47, 48, 49, 56, 63, 64, 65, 80};
    uint32_t in_columns = 0;
    for (uint32_t i = 0; i < 260; i++) {
        float size = i % 3 == 0 ? 0.001f : i % 3 == 1 ? 1.0f : 100.0f;
        float off = i % 2 == 0 ? 0.0f : 30.0f * size;
        trv_hull *hull = make_ball(&random, counts[i % 13], size, (trv_vec3){off, -off, 0.0f});
        const trv_shape shape = trv_make_hull(hull);
        trvi_view view;
        trvi_view_set(&view, &shape, trv_make_pose(trv_make_vec3(0, 0, 0)));
        in_columns += view.columns != NULL;
        for (uint32_t face = 0; face < view.face_count; face++)
            expect_same_side(&random, &view, face, size);
        trv_hull_release(hull);
    }
    assert_in_range(in_columns, 180, 220);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_have_the_same_bits_with_wider_instructions),
        cmocka_unit_test(the_end_of_an_edge_is_the_highest_vertex_or_another_is),
        cmocka_unit_test(the_face_beyond_those_round_a_vertex_is_that_of_a_search_over_sides),
        cmocka_unit_test(what_is_low_beside_a_face_is_the_same_however_it_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
