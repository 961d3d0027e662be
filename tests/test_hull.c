// Convex hulls: checked against their input by exact predicates, and as citizens: errors, memory,
// determinism.
#include "hull_support.h"

#include "mesh/mesh_data.h"

// --- random sets ---

enum { SPHERE, BALL, LATTICE, SHEARED, NEAR_PLANE, DUPLICATES, NEEDLE, MIXED, RINGS, FAMILIES };

static trv_vec3 random_member(test_random *random, int family)
{
    trv_vec3 v = random_vec3(random, 1.0f);
    float step = random_float(random, 0.0f, 1.0f);
    switch (family) {
    case SPHERE:
        return unit_vector(random);
    case LATTICE:
        return trvi_vec3(floorf(3.0f * v.x), floorf(3.0f * v.y), floorf(3.0f * v.z));
    case SHEARED: // coplanar in general directions
        v = trvi_vec3(floorf(4.0f * v.x), floorf(4.0f * v.y), floorf(4.0f * v.z));
        return trvi_vec3(3.0f * v.x + v.y, 5.0f * v.y - v.z, 7.0f * v.z + 2.0f * v.x);
    case NEAR_PLANE: // a slab a few ulps thick, in a general direction
        return trvi_vec3(v.x, v.y, 0.3f * v.x + 0.7f * v.y + (step < 0.3f ? 1.0e-7f * v.z : 0.0f));
    case DUPLICATES:
        return trvi_vec3(v.x > 0.0f ? 0.7f : -0.3f, v.y > 0.0f ? 0.1f : 0.4f,
                         v.z > 0.5f    ? 0.9f
                         : v.z > -0.5f ? 0.2f
                                       : -0.0f);
    case NEEDLE:
        return trvi_vec3(v.x, 1.0e-5f * v.y + 0.3f * v.x, 1.0e-5f * v.z - 0.6f * v.x);
    case MIXED: { // coordinates over thirteen powers of ten: differences are not exact in double
        float scale = ldexpf(1.0f, (int)(step * 45.0f) - 40);
        return trvi_scale(v, scale);
    }
    case RINGS: { // cocircular on two caps
        float c = 1.0f / (1.0f + v.x * v.x);
        return trvi_vec3((1.0f - v.x * v.x) * c, 2.0f * v.x * c, v.y > 0.0f ? 1.0f : -1.0f);
    }
    default:
        return v;
    }
}

static void random_sets_get_exact_hulls(void **state)
{
    (void)state;
    static const float scales[] = {1.0f, 1.0e-6f, 1.0e6f};
    int built = 0;
    for (uint64_t seed = 0; seed < 270; seed++) {
        test_random random = {seed};
        int family = (int)(seed % FAMILIES);
        uint32_t count = 4 + (uint32_t)(random_bits(&random) % (seed % 5 == 0 ? 400 : 40));
        float scale = scales[seed / FAMILIES % 3];
        float shift = seed % 2 ? 0.0f : 10.0f * scale;
        trv_vec3 points[404];
        for (uint32_t i = 0; i < count; i++)
            points[i] = trvi_add(trvi_scale(random_member(&random, family), scale),
                                 trvi_vec3(shift, -shift, 3.0f * shift));
        trv_hull_def def = trv_default_hull_def();
        trv_hull *hull;
        trv_result result = trv_hull_create(points, count, &def, &hull);
        if (result == TRV_OK) {
            expect_hull_of(hull, points, count);
            assert_true(volume_of(hull) > 0.0);
            built++;
        } else if (result != TRV_ERROR_COPLANAR && result != TRV_ERROR_COLLINEAR &&
                   result != TRV_ERROR_COINCIDENT) {
            fail_msg("seed %u: %s", (unsigned)seed, trv_result_text(result));
        } else { // right only if every four points are coplanar
            for (uint32_t i = 3; i < count; i++)
                assert_int_equal(trvi_orient3d(points[0], points[1], points[2], points[i]), 0);
        }
        trv_hull_release(hull);
    }
    assert_true(built > 230);
}

static void a_large_sphere_is_all_corners(void **state)
{
    (void)state;
    test_random random = {77};
    uint32_t count = 20000, corners;
    trv_vec3 *points = malloc(count * sizeof *points);
    for (uint32_t i = 0; i < count; i++)
        points[i] = unit_vector(&random);
    trv_hull *hull = hull_of(points, count);
    expect_hull_of(hull, points, count);
    trv_hull_vertices(hull, &corners);
    assert_true(corners > 19900);
    expect_near(volume_of(hull), 4.18879, 0.004);
    trv_hull_release(hull);
    free(points);
}

// One ulp above a face is a corner of the exact hull, and part of the face of the other one.
static void a_point_one_ulp_above_a_face_is_a_corner_until_faces_are_united(void **state)
{
    (void)state;
    trv_vec3 points[9] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},     {-1, -1, 1},
                          {1, -1, 1},   {-1, 1, 1},  {1, 1, 1},   {0.2f, 0.3f, 1}};
    const float heights[3] = {1.0f, nextafterf(1.0f, 2.0f), 1.0001f};
    const uint32_t exact_faces[3] = {6, 9, 9}, faces[3] = {6, 6, 9};
    for (int k = 0; k < 3; k++) {
        points[8].z = heights[k];
        trv_hull *hull = hull_of(points, 9), *exact = exact_hull_of(points, 9);
        assert_int_equal(exact->face_count, exact_faces[k]);
        assert_int_equal(exact->vertex_count, exact_faces[k] == 6 ? 8 : 9);
        assert_int_equal(hull->face_count, faces[k]);
        assert_int_equal(hull->vertex_count, faces[k] == 6 ? 8 : 9);
        expect_hull_of(hull, points, 9);
        trv_hull_release(hull);
        trv_hull_release(exact);
    }
}

// The smallest tetrahedra that float32 can hold, and one of a volume of 2^-70 of its size.
static void slivers_have_volume_and_unit_normals(void **state)
{
    (void)state;
    float tiny = 1.0e-45f;
    trv_vec3 subnormal[4] = {{0, 0, 0}, {tiny, 0, 0}, {0, tiny, 0}, {0, 0, tiny}};
    trv_hull *hull = hull_of(subnormal, 4);
    expect_hull_of(hull, subnormal, 4);
    trv_hull_release(hull);
    // Integers whose determinant is 1 among products of 60 bits.
    trv_vec3 flat[4] = {{0, 0, 0}, {1048576, 1048577, 0}, {1048575, 1048576, 0}, {1048576, 0, 1}};
    hull = hull_of(flat, 4);
    expect_hull_of(hull, flat, 4);
    expect_near(volume_of(hull), 1.0 / 6.0, 1.0e-12);
    trv_hull_release(hull);
}

// --- determinism ---

static uint64_t hash_as_stored(const trv_hull *hull)
{
    const char *arrays = (const char *)(hull + 1);
    return hash_bytes(1, arrays, hull->block_size - sizeof *hull);
}

static void the_order_of_points_does_not_change_the_hull(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 45; seed++) {
        test_random random = {1000 + seed};
        trv_vec3 points[150];
        for (uint32_t i = 0; i < 150; i++)
            points[i] = random_member(&random, (int)(seed % FAMILIES));
        trv_hull_def def = trv_default_hull_def();
        trv_hull *hull, *again;
        trv_result result = trv_hull_create(points, 150, &def, &hull);
        assert_int_equal(trv_hull_create(points, 150, &def, &again), result);
        if (result != TRV_OK)
            continue;
        assert_true(hash_as_stored(hull) == hash_as_stored(again));
        trv_hull_release(again);
        for (uint32_t i = 150; i-- > 1;) {
            uint32_t k = (uint32_t)(random_bits(&random) % (i + 1));
            trv_vec3 swap = points[i];
            points[i] = points[k];
            points[k] = swap;
        }
        again = hull_of(points, 150);
        assert_true(hash_as_set(hull) == hash_as_set(again));
        trv_hull_release(hull);
        trv_hull_release(again);
    }
}

// --- errors ---

static void flat_input_is_refused_by_name(void **state)
{
    (void)state;
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = (trv_hull *)&def;
    trv_vec3 points[50];
    for (int i = 0; i < 50; i++)
        points[i] = trvi_vec3(0.1f, 0.2f, i % 2 ? 0.0f : -0.0f);
    expect_result(trv_hull_create(points, 3, &def, &hull), TRV_ERROR_TOO_FEW);
    assert_null(hull);
    expect_result(trv_hull_create(points, 0, &def, &hull), TRV_ERROR_TOO_FEW);
    expect_result(trv_hull_create(points, 50, &def, &hull), TRV_ERROR_COINCIDENT);
    points[17].z = 1.0e-45f;
    expect_result(trv_hull_create(points, 50, &def, &hull), TRV_ERROR_COLLINEAR);
    for (int i = 0; i < 50; i++) // (1, 3, -5) i: exact in float32
        points[i] = trvi_vec3((float)i, (float)(3 * i), (float)(-5 * i));
    expect_result(trv_hull_create(points, 50, &def, &hull), TRV_ERROR_COLLINEAR);
    points[23].y += 1.0e-5f;
    expect_result(trv_hull_create(points, 50, &def, &hull), TRV_ERROR_COPLANAR);
    points[31].z = nextafterf(points[31].z, 0.0f);
    expect_result(trv_hull_create(points, 50, &def, &hull), TRV_OK);
    expect_hull_of(hull, points, 50);
    trv_hull_release(hull);
    test_random random = {5};
    for (int i = 0; i < 50; i++) { // the plane x + 2 y - 4 z = 8
        float y = (float)(random_bits(&random) % 1000), z = (float)(random_bits(&random) % 1000);
        points[i] = trvi_vec3(8.0f - 2.0f * y + 4.0f * z, y, z);
    }
    expect_result(trv_hull_create(points, 50, &def, &hull), TRV_ERROR_COPLANAR);
    assert_null(hull);
}

static const trv_vec3 cube[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                 {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    trv_hull_def def = trv_default_hull_def(), bad = def;
    trv_hull *hull = NULL;
    expect_result(trv_hull_create(cube, 8, &def, NULL), TRV_ERROR_NULL);
    expect_result(trv_hull_create(NULL, 8, &def, &hull), TRV_ERROR_NULL);
    expect_result(trv_hull_create(cube, 8, NULL, &hull), TRV_ERROR_NULL);
    expect_result(trv_hull_create_from_mesh(NULL, 0, &def, &hull), TRV_ERROR_NULL);
    memset(&bad, 0, sizeof bad);
    expect_result(trv_hull_create(cube, 8, &bad, &hull), TRV_ERROR_DEF);
    bad = def;
    bad.max_points = 7;
    expect_result(trv_hull_create(cube, 8, &bad, &hull), TRV_ERROR_LIMIT);
    bad.max_points = UINT32_MAX;
    expect_result(trv_hull_create(cube, 8, &bad, &hull), TRV_ERROR_RANGE);
    const float numbers[] = {NAN, INFINITY, -INFINITY, 1.1e8f, -3.0e38f};
    for (int i = 0; i < 5; i++) {
        trv_result wanted = i < 3 ? TRV_ERROR_NUMBER : TRV_ERROR_RANGE;
        for (int k = 0; k < 3; k++) {
            trv_vec3 points[8];
            memcpy(points, cube, sizeof points);
            (&points[7].x)[k] = numbers[i];
            expect_result(trv_hull_create(points, 8, &def, &hull), wanted);
            assert_null(hull);
            bad = def;
            (&bad.scale.x)[k] = numbers[i];
            expect_result(trv_hull_create(cube, 8, &bad, &hull), wanted);
            bad = def;
            (&bad.offset.x)[k] = numbers[i];
            expect_result(trv_hull_create(cube, 8, &bad, &hull), wanted);
        }
    }
    bad = def;
    bad.scale.y = 0.0f;
    expect_result(trv_hull_create(cube, 8, &bad, &hull), TRV_ERROR_RANGE);
    bad.scale.y = 1.0e8f;
    bad.offset.y = 1.0e8f;
    expect_result(trv_hull_create(cube, 8, &bad, &hull), TRV_ERROR_RANGE);
    assert_null(hull);
}

static void nothing_can_be_read_from_no_hull(void **state)
{
    (void)state;
    uint32_t count = 5;
    const uint32_t *first = &count, *corners = &count;
    trv_hull_retain(NULL);
    trv_hull_release(NULL);
    assert_null(trv_hull_vertices(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(trv_hull_vertices(NULL, NULL));
    assert_int_equal(trv_hull_faces(NULL, &first, &corners), 0);
    assert_true(first == NULL && corners == NULL);
    assert_null(trv_hull_planes(NULL, &count));
    trv_aabb box = trv_hull_bounds(NULL);
    assert_true(box.lower.x == 0.0f && box.upper.z == 0.0f);
}

static void the_largest_coordinates_are_accepted(void **state)
{
    (void)state;
    trv_hull_def def = trv_default_hull_def();
    def.scale = trvi_vec3(1.0e8f, -1.0e8f, 1.0e8f); // a mirrored one still faces outward
    trv_hull *hull;
    expect_result(trv_hull_create(cube, 8, &def, &hull), TRV_OK);
    assert_int_equal(trv_hull_faces(hull, NULL, NULL), 6);
    expect_near(volume_of(hull), 8.0e24, 1.0e18);
    assert_true(trv_hull_bounds(hull).upper.y == 1.0e8f);
    trv_hull_release(hull);
}

static void scale_comes_before_offset(void **state)
{
    (void)state;
    trv_hull_def def = trv_default_hull_def();
    def.scale = trvi_vec3(2.0f, 3.0f, -4.0f);
    def.offset = trvi_vec3(10.0f, 20.0f, 30.0f);
    trv_hull *hull;
    expect_result(trv_hull_create(cube, 8, &def, &hull), TRV_OK);
    trv_aabb box = trv_hull_bounds(hull);
    assert_true(box.lower.x == 8.0f && box.lower.y == 17.0f && box.lower.z == 26.0f);
    assert_true(box.upper.x == 12.0f && box.upper.y == 23.0f && box.upper.z == 34.0f);
    expect_closed(hull);
    trv_hull_release(hull);
}

// --- memory and ownership ---

static void the_last_owner_frees(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    trv_hull_def def = trv_default_hull_def();
    def.allocator = test_allocator(&memory);
    trv_hull *hull;
    expect_result(trv_hull_create(cube, 8, &def, &hull), TRV_OK);
    assert_int_equal(memory.live, 1);
    trv_hull_retain(hull);
    trv_hull_release(hull);
    assert_int_equal(memory.live, 1);
    trv_hull_release(hull);
    assert_int_equal(memory.live, 0);
    assert_int_equal(memory.bytes, 0);
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    test_random random = {9};
    trv_vec3 points[300];
    for (int i = 0; i < 300; i++)
        points[i] = unit_vector(&random);
    size_t failures = 0;
    for (size_t k = 0;; k++) {
        test_memory memory = {0, k, 0, 0};
        trv_hull_def def = trv_default_hull_def();
        def.allocator = test_allocator(&memory);
        trv_hull *hull;
        trv_result result = trv_hull_create(points, 300, &def, &hull);
        if (result == TRV_OK) {
            trv_hull_release(hull);
            assert_int_equal(memory.live, 0);
            break;
        }
        expect_result(result, TRV_ERROR_MEMORY);
        assert_null(hull);
        assert_int_equal(memory.live, 0);
        assert_int_equal(memory.bytes, 0);
        failures++;
    }
    assert_true(failures > 15);
}

// --- from meshes ---

static void a_mesh_part_gets_the_hull_of_the_vertices_it_uses(void **state)
{
    (void)state;
    trv_vec3 vertices[10];
    memcpy(vertices, cube, sizeof cube);
    vertices[8] = trvi_vec3(5.0f, 0.0f, 0.0f); // only the second part uses it
    vertices[9] = trvi_vec3(0.0f, 9.0f, 0.0f); // no face uses it
    uint32_t first[5] = {0, 4, 8, 11, 14};
    uint32_t corners[14] = {0, 1, 3, 2, 4, 5, 7, 6, 1, 3, 8, 5, 7, 8};
    trv_mesh_part parts[3] = {{"cube", 0, 2}, {"wedge", 2, 2}, {"", 4, 0}};
    trv_mesh mesh = {.vertices = vertices,
                     .face_first = first,
                     .corners = corners,
                     .parts = parts,
                     .vertex_count = 10,
                     .face_count = 4,
                     .part_count = 3};
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    const double volumes[3] = {8.0, 16.0 / 3.0, 0.0};
    for (uint32_t part = 0; part < 2; part++) {
        expect_result(trv_hull_create_from_mesh(&mesh, part, &def, &hull), TRV_OK);
        expect_near(volume_of(hull), volumes[part], 1.0e-9);
        trv_hull_release(hull);
    }
    expect_result(trv_hull_create_from_mesh(&mesh, TRV_ALL_PARTS, &def, &hull), TRV_OK);
    expect_near(volume_of(hull), 8.0 + 16.0 / 3.0, 1.0e-9);
    trv_hull_release(hull);
    mesh.face_count = 0; // points only: all of them
    expect_result(trv_hull_create_from_mesh(&mesh, TRV_ALL_PARTS, &def, &hull), TRV_OK);
    assert_true(trv_hull_bounds(hull).upper.y == 9.0f);
    trv_hull_release(hull);
    expect_result(trv_hull_create_from_mesh(&mesh, 3, &def, &hull), TRV_ERROR_INDEX);
    assert_null(hull);
    mesh.face_count = 4;
    for (size_t k = 0; k < 3; k++) {
        test_memory memory = {0, k, 0, 0};
        def.allocator = test_allocator(&memory);
        expect_result(trv_hull_create_from_mesh(&mesh, 0, &def, &hull), TRV_ERROR_MEMORY);
        assert_int_equal(memory.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sets_get_exact_hulls),
        cmocka_unit_test(a_large_sphere_is_all_corners),
        cmocka_unit_test(a_point_one_ulp_above_a_face_is_a_corner_until_faces_are_united),
        cmocka_unit_test(slivers_have_volume_and_unit_normals),
        cmocka_unit_test(the_order_of_points_does_not_change_the_hull),
        cmocka_unit_test(flat_input_is_refused_by_name),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(nothing_can_be_read_from_no_hull),
        cmocka_unit_test(the_largest_coordinates_are_accepted),
        cmocka_unit_test(scale_comes_before_offset),
        cmocka_unit_test(the_last_owner_frees),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
        cmocka_unit_test(a_mesh_part_gets_the_hull_of_the_vertices_it_uses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
