// Thinning: after each vertex that goes the surface is that of the hull of what is left.
#include "hull_support.h"

#include "mesh/hull_limit.h"
#include "mesh/hull_thin.h"

// Six times the volume of the patch's tetrahedra, and nothing for vertices that are to stay.
static double cost_of(const trvi_thinner *thinner, const trvi_patch *patch)
{
    const trv_vec3 *p = thinner->points;
    double sum = 0.0;
    if (patch->vertex % 5 == 0)
        return HUGE_VAL;
    for (uint32_t t = 0; t < patch->sides - 2; t++) {
        const uint32_t *k = patch->triangle[t];
        sum += trvi_orient3d_value(p[patch->ring[k[0]]], p[patch->ring[k[1]]], p[patch->ring[k[2]]],
                                   p[patch->vertex]);
    }
    return sum;
}

// Closed by its neighbours, and no point that is left is above any face. Returns six times the volume.
static double expect_hull_of_rest(const trvi_thinner *thinner)
{
    const trv_vec3 *p = thinner->points;
    double volume = 0.0;
    uint32_t faces = 0;
    for (uint32_t f = 0; f < thinner->face_count; f++) {
        const trvi_thin_face *face = &thinner->faces[f];
        const uint32_t *v = face->vertex;
        if (v[0] == TRVI_NONE)
            continue;
        faces++;
        for (uint32_t k = 0; k < 3; k++) {
            const trvi_thin_face *beside = &thinner->faces[face->neighbor[k]];
            uint32_t start = v[k], end = v[k == 2 ? 0 : k + 1];
            bool met = false;
            for (uint32_t i = 0; i < 3; i++)
                met = met ||
                      (beside->vertex[i] == end && beside->vertex[i == 2 ? 0 : i + 1] == start &&
                       beside->neighbor[i] == f);
            assert_true(met);
            assert_int_not_equal(thinner->face_at[v[k]], TRVI_NONE);
        }
        for (uint32_t i = 0; i < thinner->point_count; i++)
            if (thinner->face_at[i] != TRVI_NONE &&
                trvi_orient3d(p[v[0]], p[v[1]], p[v[2]], p[i]) > 0)
                fail_msg("point %u is above face %u", i, f);
        volume -= trvi_orient3d_value(p[v[0]], p[v[1]], p[v[2]], p[0]); // vertex 0 stays
    }
    assert_int_equal(faces, 2 * thinner->vertex_count - 4);
    return volume;
}

static void thin_out(const trv_vec3 *points, uint32_t count)
{
    trv_allocator none = {NULL, NULL}, allocator = trvi_allocator_or_default(none);
    trvi_hull_corners all;
    trvi_thinner thinner;
    expect_result(trvi_hull_corners_find(&all, &allocator, points, count), TRV_OK);
    expect_result(trvi_thinner_start(&thinner, &all.builder, cost_of), TRV_OK);
    assert_int_equal(thinner.vertex_count, all.count);
    double volume = expect_hull_of_rest(&thinner), whole = volume;
    while (thinner.vertex_count > 4) {
        uint32_t before = thinner.vertex_count;
        double cost = thinner.cost[thinner.heap[0]];
        for (uint32_t i = 0; i < before; i++)
            assert_true(thinner.cost[thinner.heap[i]] >= cost);
        trvi_thinner_run(&thinner, before - 1);
        if (thinner.vertex_count == before) {
            assert_true(cost == HUGE_VAL);
            break;
        }
        double left = expect_hull_of_rest(&thinner);
        expect_near(volume - left, cost, 1.0e-12 * whole);
        volume = left;
    }
    uint32_t stay = (all.count + 4) / 5;
    assert_int_equal(thinner.vertex_count, stay < 4 ? 4 : stay);
    trvi_thinner_free(&thinner);
    trvi_hull_corners_free(&all);
}

static void the_surface_is_the_hull_of_what_is_left(void **state)
{
    (void)state;
    trv_vec3 points[220];
    for (uint64_t seed = 0; seed < 40; seed++) {
        test_random random = {seed};
        for (int i = 0; i < 220; i++) {
            trv_vec3 v = random_vec3(&random, 1.0f);
            if (seed % 4 == 1) // coplanar rings
                v = trvi_vec3(floorf(5.0f * v.x), floorf(5.0f * v.y), floorf(5.0f * v.z));
            if (seed % 4 == 2) // on a sphere
                v = trvi_scale(v, 1.0f / trvi_length(v));
            if (seed % 4 == 3) // a plate, nearly flat
                v.z *= 1.0e-5f;
            points[i] = v;
        }
        thin_out(points, 220);
    }
}

static void a_vertex_with_many_neighbours_waits(void **state)
{
    (void)state;
    trv_vec3 points[101];
    points[100] = trvi_vec3(0.0f, 0.0f, 1.0f);
    for (int i = 0; i < 100; i++) {
        trv_quat turn = trv_quat_about(trvi_vec3(0.0f, 0.0f, 1.0f), 0.0628f * (float)i);
        points[i] = trvi_rotate(turn, trvi_vec3(1.0f, 0.0f, 0.0f));
    }
    trv_allocator none = {NULL, NULL}, allocator = trvi_allocator_or_default(none);
    trvi_hull_corners all;
    trvi_thinner thinner;
    trvi_patch patch;
    expect_result(trvi_hull_corners_find(&all, &allocator, points, 101), TRV_OK);
    expect_result(trvi_thinner_start(&thinner, &all.builder, cost_of), TRV_OK);
    uint32_t apex = 0;
    while (all.corners[apex].z != 1.0f)
        apex++;
    assert_false(trvi_thinner_patch(&thinner, apex, &patch));
    assert_true(thinner.cost[apex] == HUGE_VAL);
    trvi_thinner_run(&thinner, 30);
    assert_int_equal(thinner.vertex_count, 30);
    expect_hull_of_rest(&thinner);
    assert_true(trvi_thinner_patch(&thinner, apex, &patch));
    assert_int_equal(patch.sides, 29);
    trvi_thinner_free(&thinner);
    trvi_hull_corners_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_surface_is_the_hull_of_what_is_left),
        cmocka_unit_test(a_vertex_with_many_neighbours_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
