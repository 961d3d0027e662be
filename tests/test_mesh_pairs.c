// Convex pairs of real meshes: the hulls of OBJ files against signed distances found exactly.
#include "table.h"

#include <trivet/collide.h>
#include <trivet/mesh.h>

#define MESHES TRV_SHARED_DATA "/meshes/"

// The hull of a file, scaled about the centre of its box. NULL where the file has none.
static trv_hull *read_hull(const char *name, double scale)
{
    char path[512];
    trv_mesh *mesh;
    trv_obj_report report;
    trv_obj_def obj = trv_default_obj_def();
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    snprintf(path, sizeof path, MESHES "%s", name);
    if (trv_mesh_read_obj_file(path, &obj, &mesh, &report) != TRV_OK)
        return NULL;
    if (trv_hull_create_from_mesh(mesh, TRV_ALL_PARTS, &def, &hull) == TRV_OK) {
        trv_aabb box = trv_hull_bounds(hull);
        float s = (float)scale;
        def.scale = (trv_vec3){s, s, s};
        def.offset.x = (float)(-0.5 * scale * ((double)box.lower.x + box.upper.x));
        def.offset.y = (float)(-0.5 * scale * ((double)box.lower.y + box.upper.y));
        def.offset.z = (float)(-0.5 * scale * ((double)box.lower.z + box.upper.z));
        trv_hull_release(hull);
        if (trv_hull_create_from_mesh(mesh, TRV_ALL_PARTS, &def, &hull) != TRV_OK)
            hull = NULL;
    }
    trv_mesh_destroy(mesh);
    return hull;
}

static double size_of(const trv_hull *hull)
{
    trv_aabb box = trv_hull_bounds(hull);
    double x = box.upper.x - box.lower.x, y = box.upper.y - box.lower.y;
    double z = box.upper.z - box.lower.z;
    return sqrt(x * x + y * y + z * z);
}

typedef struct mesh_pair {
    trv_hull *hull_a, *hull_b;
    trv_shape a, b;
    trv_pose pose_a, pose_b;
    double wanted, size;
    trv_vec3 normal;
    bool touches, normal_counts;
} mesh_pair;

static double number(const test_table *table, const char *name)
{
    return strtod(table_get(table, name), NULL);
}

static bool read_pair(const test_table *table, mesh_pair *pair)
{
    pair->hull_a = read_hull(table_get(table, "file_a"), number(table, "s_a"));
    pair->hull_b = read_hull(table_get(table, "file_b"), number(table, "s_b"));
    if (pair->hull_a == NULL || pair->hull_b == NULL)
        return false;
    pair->a = trv_make_hull(pair->hull_a);
    pair->b = trv_make_hull(pair->hull_b);
    pair->pose_a = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
    pair->pose_b.position = (trv_vec3){(float)number(table, "tx"), (float)number(table, "ty"),
                                       (float)number(table, "tz")};
    pair->pose_b.rotation = (trv_quat){(float)number(table, "qx"), (float)number(table, "qy"),
                                       (float)number(table, "qz"), (float)number(table, "qw")};
    pair->wanted = number(table, "signed_distance");
    pair->size = fmax(size_of(pair->hull_a), size_of(pair->hull_b));
    pair->normal = (trv_vec3){(float)number(table, "nx"), (float)number(table, "ny"),
                              (float)number(table, "nz")};
    pair->touches = strncmp(table_get(table, "class"), "touch_", 6) == 0;
    // Where two directions are equally good either may come out; near touch rounding turns them.
    pair->normal_counts = !pair->touches && number(table, "normal_gap") > 1.0e-3 &&
                          fabs(pair->wanted) > 1.0e-3 * pair->size;
    return true;
}

static void release_pair(mesh_pair *pair)
{
    trv_hull_release(pair->hull_a);
    trv_hull_release(pair->hull_b);
}

// How far a hull reaches along a world direction, in double.
static double reach_along(const trv_hull *hull, trv_pose pose, trv_vec3 direction)
{
    uint32_t count;
    const trv_vec3 *vertices = trv_hull_vertices(hull, &count);
    double most = -HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        trv_vec3 p = trv_pose_apply(pose, vertices[i]);
        most = fmax(most, (double)direction.x * p.x + (double)direction.y * p.y +
                              (double)direction.z * p.z);
    }
    return most;
}

static void expect_distance(const mesh_pair *pair)
{
    trv_gap gap;
    expect_result(trv_distance(&pair->a, pair->pose_a, &pair->b, pair->pose_b, &gap), TRV_OK);
    expect_near(gap.distance, pair->wanted, 1.0e-5 * pair->size);
    if (pair->normal_counts) {
        expect_near(gap.normal.x, pair->normal.x, 1.0e-2);
        expect_near(gap.normal.y, pair->normal.y, 1.0e-2);
        expect_near(gap.normal.z, pair->normal.z, 1.0e-2);
    }
}

// The sign is right, and the plane that is handed out parts all vertices but for float32 rounding.
static void expect_plane(const mesh_pair *pair)
{
    trv_separation s;
    expect_result(trv_separate(&pair->a, pair->pose_a, &pair->b, pair->pose_b, NULL, &s), TRV_OK);
    if (!pair->touches)
        assert_int_equal(s.apart, pair->wanted > 0.0);
    if (!s.apart)
        return;
    double rounding = 1.0e-6 * pair->size;
    trv_vec3 n = s.plane.normal, back = {-n.x, -n.y, -n.z};
    assert_true(reach_along(pair->hull_a, pair->pose_a, n) + s.plane.offset <= rounding);
    assert_true(reach_along(pair->hull_b, pair->pose_b, back) - s.plane.offset <= rounding);
}

static void expect_manifold(const mesh_pair *pair)
{
    trv_manifold m;
    float margin = 0.02f;
    expect_result(trv_collide(&pair->a, pair->pose_a, &pair->b, pair->pose_b, margin, NULL, &m),
                  TRV_OK);
    if (fabs(pair->wanted - margin) > 1.0e-5 * pair->size)
        assert_int_equal(m.count > 0, pair->wanted <= margin);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < m.count; i++)
        least = fmin(least, m.points[i].separation);
    if (m.count > 0)
        assert_true(least <= pair->wanted + 1.1e-2 * fabs(pair->wanted) + 3.0e-3 * pair->size);
}

static void hulls_of_real_meshes_are_as_far_apart_as_exact_arithmetic_says(void **state)
{
    (void)state;
    test_table table;
    uint32_t rows = 0, apart = 0, directions = 0;
    if (!table_open(&table, MESHES "pairs.csv")) {
        print_message("no %spairs.csv: skipped\n", MESHES);
        skip();
    }
    while (table_next(&table)) {
        mesh_pair pair;
        rows++;
        if (!read_pair(&table, &pair)) {
            print_error("row %u: cannot read %s or %s\n", rows, table_get(&table, "file_a"),
                        table_get(&table, "file_b"));
            fail();
        }
        print_message("row %u: %s, %s, %s\n", rows, table_get(&table, "file_a"),
                      table_get(&table, "file_b"), table_get(&table, "class"));
        expect_distance(&pair);
        expect_plane(&pair);
        expect_manifold(&pair);
        apart += pair.wanted > 0.0;
        directions += pair.normal_counts;
        release_pair(&pair);
    }
    assert_true(rows > 60 && apart > 20 && rows - apart > 20 && directions > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_of_real_meshes_are_as_far_apart_as_exact_arithmetic_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
