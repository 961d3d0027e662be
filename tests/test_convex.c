// The block of a convex polyhedron: what it links, and the loops of faces that it refuses.
#include "math/convex.h"
#include "support.h"

static const trv_vec3 corners[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                    {4, 0, 0}, {5, 0, 0}, {4, 1, 0}, {4, 0, 1}};

// Tetrahedra: the second is apart from the first, the third shares its corner 0, in which the first
// and a copy behind it meet.
static const uint32_t loops_of_one[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
static const uint32_t loops_of_two[24] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3,
                                          4, 6, 5, 4, 5, 7, 5, 6, 7, 6, 4, 7};
static const uint32_t loops_of_touching[24] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3,
                                               0, 6, 5, 0, 5, 7, 5, 6, 7, 6, 0, 7};
static const uint32_t triangles[9] = {0, 3, 6, 9, 12, 15, 18, 21, 24};

static trv_result build(test_memory *memory, uint32_t vertices, const uint32_t *first,
                        const uint32_t *loops, uint32_t faces, trv_hull **hull)
{
    trv_allocator allocator = test_allocator(memory);
    return trvi_convex_build(&allocator, corners, vertices, first, loops, faces, hull);
}

static void a_tetrahedron_is_linked_with_its_twins_and_neighbours(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_hull *hull;
    expect_result(build(&memory, 4, triangles, loops_of_one, 4, &hull), TRV_OK);
    assert_int_equal(hull->half_edge_count, 12);
    for (uint32_t e = 0; e < 12; e++) {
        uint32_t twin = hull->edge_twin[e];
        assert_int_equal(hull->edge_twin[twin], e);
        assert_int_equal(hull->edge_origin[twin], trvi_edge_end(hull, e));
        assert_int_equal(trvi_edge_previous(hull, trvi_edge_next(hull, e)), e);
    }
    for (uint32_t v = 0; v < 4; v++)
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(hull->neighbors[hull->neighbor_first[v] + i], i + (i >= v));
    trvi_convex_retain(hull);
    trvi_convex_release(hull);
    assert_true(memory.live > 0);
    trvi_convex_release(hull);
    trvi_convex_release(NULL);
    assert_int_equal(memory.live, 0);
    assert_int_equal(memory.bytes, 0);
}

static void what_is_no_closed_surface_of_one_piece_is_refused(void **state)
{
    (void)state;
    static const uint32_t late[5] = {1, 3, 6, 9, 12};     // the first face starts too late
    static const uint32_t narrow[5] = {0, 2, 6, 9, 12};   // a face of two corners
    static const uint32_t backward[5] = {0, 6, 3, 9, 12}; // a face ends before it starts
    static const uint32_t turned[12] = {0, 1, 2, 0, 1, 3, 1, 2, 3, 2, 0, 3}; // one face inside out
    static const uint32_t beyond[12] = {0, 2, 1, 0, 1, 4, 1, 2, 3, 2, 0, 3};
    const struct {
        uint32_t vertices, faces;
        const uint32_t *first, *loops;
        trv_result wanted;
    } rows[] = {
        {3, 4, triangles, loops_of_one, TRV_ERROR_OPEN},
        {4, 3, triangles, loops_of_one, TRV_ERROR_OPEN},
        {4, 4, late, loops_of_one, TRV_ERROR_OPEN},
        {4, 4, narrow, loops_of_one, TRV_ERROR_OPEN},
        {4, 4, backward, loops_of_one, TRV_ERROR_OPEN},
        {4, 4, triangles, turned, TRV_ERROR_OPEN},
        {4, 4, triangles, beyond, TRV_ERROR_INDEX},
        {5, 4, triangles, loops_of_one, TRV_ERROR_OPEN},      // a vertex without edges
        {8, 8, triangles, loops_of_two, TRV_ERROR_OPEN},      // two pieces
        {8, 8, triangles, loops_of_touching, TRV_ERROR_OPEN}, // a vertex 4 without edges
        {4, 4, triangles, loops_of_one, TRV_OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_memory memory = {.fail_at = SIZE_MAX};
        trv_hull *hull;
        expect_result(
            build(&memory, rows[i].vertices, rows[i].first, rows[i].loops, rows[i].faces, &hull),
            rows[i].wanted);
        assert_true((hull != NULL) == (rows[i].wanted == TRV_OK));
        trvi_convex_release(hull);
        assert_int_equal(memory.live, 0);
    }
}

static void two_pieces_that_share_a_vertex_are_refused(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    uint32_t loops[24];
    for (int i = 0; i < 24; i++) // 5, 6, 7 become 4, 5, 6: no vertex is left over
        loops[i] = loops_of_touching[i] - (loops_of_touching[i] > 4);
    trv_hull *hull;
    expect_result(build(&memory, 7, triangles, loops, 8, &hull), TRV_ERROR_OPEN);
    assert_null(hull);
    assert_int_equal(memory.live, 0);
}

static void every_failing_allocation_leaves_nothing(void **state)
{
    (void)state;
    trv_hull *hull = NULL;
    for (size_t k = 0;; k++) {
        test_memory memory = {.fail_at = k};
        trv_result result = build(&memory, 4, triangles, loops_of_one, 4, &hull);
        if (result == TRV_OK) {
            assert_true(k >= 1);
            trvi_convex_release(hull);
            return;
        }
        expect_result(result, TRV_ERROR_MEMORY);
        assert_null(hull);
        assert_int_equal(memory.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tetrahedron_is_linked_with_its_twins_and_neighbours),
        cmocka_unit_test(what_is_no_closed_surface_of_one_piece_is_refused),
        cmocka_unit_test(two_pieces_that_share_a_vertex_are_refused),
        cmocka_unit_test(every_failing_allocation_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
