// Mass of meshes: closed forms, the shared files' exact values, refusals, and hulls from meshes.
#include <trivet/mesh.h>

#include "hull_support.h"
#include "table.h"

static trv_mesh *mesh_of(const char *text)
{
    trv_obj_def def = trv_default_obj_def();
    trv_mesh *mesh;
    expect_result(trv_mesh_read_obj_memory(text, strlen(text), &def, &mesh, NULL), TRV_OK);
    return mesh;
}

#define CORNERS "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 5\n"
#define OUTWARD "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
#define INWARD  "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n"

static void a_closed_mesh_has_the_mass_of_its_solid(void **state)
{
    (void)state;
    trv_mesh *mesh = mesh_of(CORNERS "o solid\n" OUTWARD "o copy\n" OUTWARD);
    trv_mass mass;
    for (uint32_t part = 0; part < 2; part++) {
        expect_result(trv_mesh_mass(mesh, part, 2.0f, &mass), TRV_OK);
        expect_near(mass.mass, 10.0, 1.0e-5);
        expect_near(mass.center.x, 0.5, 1.0e-6);
        expect_near(mass.center.y, 0.75, 1.0e-6);
        expect_near(mass.center.z, 1.25, 1.0e-6);
        expect_near(mass.inertia[0], 3 * 10.0 * (9 + 25) / 80, 1.0e-5);
        expect_near(mass.inertia[3], 10.0 * 6 / 80, 1.0e-5);
    }
    trv_mesh_destroy(mesh);
}

static void meshes_without_an_inside_are_refused_by_name(void **state)
{
    (void)state;
    trv_mass mass;
    trv_mesh *mesh = mesh_of(CORNERS "f 1 3 2\nf 1 2 4\nf 1 4 3\n");
    memset(&mass, 7, sizeof mass);
    expect_result(trv_mesh_mass(mesh, 0, 1.0f, &mass), TRV_ERROR_OPEN);
    expect_near(mass.mass, 0.0, 0.0);
    trv_mesh_destroy(mesh);
    mesh = mesh_of(CORNERS INWARD);
    expect_result(trv_mesh_mass(mesh, 0, 1.0f, &mass), TRV_ERROR_INVERTED);
    trv_mesh_destroy(mesh);
    mesh = mesh_of("v 0 0 0\nv 1 0.1 0\nv 0 1 0.3\nf 1 2 3\nf 1 3 2\n");
    expect_result(trv_mesh_mass(mesh, 0, 1.0f, &mass), TRV_ERROR_VOLUME);
    trv_mesh_destroy(mesh);
    mesh = mesh_of(CORNERS);
    expect_result(trv_mesh_mass(mesh, TRV_ALL_PARTS, 1.0f, &mass), TRV_ERROR_OPEN);
    trv_mesh_destroy(mesh);
}

// A tetrahedron and, turned inside out far beside it, one that is lower by ever more roundings: what
// is left of the volume is exact, but divided by it the centroid is thousands of kilometres away.
static void volumes_that_all_but_cancel_are_refused(void **state)
{
    (void)state;
    float height = 5.0f;
    for (int i = 0; i < 100; i++) {
        height = nextafterf(height, 0.0f);
        char text[512];
        snprintf(text, sizeof text,
                 CORNERS OUTWARD "v 9.1 .3 .7\nv 11.1 .3 .7\nv 9.1 3.3 .7\nv 9.1 .3 %.9g\n"
                                 "f 5 6 7\nf 5 8 6\nf 5 7 8\nf 6 8 7\n",
                 (double)height + 0.7);
        trv_mesh *mesh = mesh_of(text);
        trv_mass mass;
        trv_result result = trv_mesh_mass(mesh, TRV_ALL_PARTS, 1.0f, &mass);
        assert_true(result == TRV_ERROR_VOLUME || result == TRV_ERROR_INVERTED);
        assert_true(mass.mass == 0.0f && mass.center.x == 0.0f);
        trv_mesh_destroy(mesh);
    }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    trv_mesh *mesh = mesh_of(CORNERS OUTWARD);
    trv_mass mass;
    expect_result(trv_mesh_mass(NULL, 0, 1.0f, &mass), TRV_ERROR_NULL);
    expect_result(trv_mesh_mass(mesh, 0, 1.0f, NULL), TRV_ERROR_NULL);
    expect_result(trv_mesh_mass(mesh, 1, 1.0f, &mass), TRV_ERROR_INDEX);
    expect_result(trv_mesh_mass(mesh, 0, NAN, &mass), TRV_ERROR_NUMBER);
    expect_result(trv_mesh_mass(mesh, 0, INFINITY, &mass), TRV_ERROR_NUMBER);
    expect_result(trv_mesh_mass(mesh, 0, 0.0f, &mass), TRV_ERROR_RANGE);
    expect_result(trv_mesh_mass(mesh, 0, -3.0f, &mass), TRV_ERROR_RANGE);
    trv_mesh_destroy(mesh);
}

static void read_numbers(const char *text, double *values, int count)
{
    char *at = (char *)text;
    for (int i = 0; i < count; i++)
        values[i] = strtod(at, &at);
}

// Volume to 1e-6, centroid to 1e-6 of the diagonal, inertia to 1e-5 of its largest entry.
static void compare(const trv_mesh *mesh, const test_table *table)
{
    double centroid[3], inertia[6], volume = atof(table_get(table, "volume_signed"));
    read_numbers(table_get(table, "mesh_centroid"), centroid, 3);
    read_numbers(table_get(table, "mesh_inertia"), inertia, 6);
    uint32_t count;
    const trv_vec3 *points = trv_mesh_vertices(mesh, &count);
    double diagonal = diagonal_of(points, count);
    double largest = fmax(inertia[0], fmax(inertia[1], inertia[2]));
    trv_mass mass;
    expect_result(trv_mesh_mass(mesh, TRV_ALL_PARTS, 1.0f, &mass), TRV_OK);
    expect_near(mass.mass, volume, 1.0e-6 * volume);
    for (int i = 0; i < 3; i++)
        expect_near((&mass.center.x)[i], centroid[i], 1.0e-6 * diagonal);
    for (int i = 0; i < 6; i++)
        expect_near(mass.inertia[i], inertia[i], 1.0e-5 * largest);
}

static void closed_shared_meshes_have_their_exact_mass(void **state)
{
    (void)state;
    static test_table table;
    if (!table_open(&table, TRV_SHARED_DATA "/meshes/truth.csv")) {
        print_message("no shared meshes: skipped\n");
        skip();
    }
    int closed = 0, hulls = 0;
    while (table_next(&table)) {
        char path[2048];
        snprintf(path, sizeof path, "%s/meshes/%s", TRV_SHARED_DATA, table_get(&table, "file"));
        trv_obj_def def = trv_default_obj_def();
        trv_mesh *mesh;
        expect_result(trv_mesh_read_obj_file(path, &def, &mesh, NULL), TRV_OK);
        double volume = atof(table_get(&table, "volume_signed"));
        trv_mass mass;
        if (strcmp(table_get(&table, "closed_weld"), "True") != 0) {
            expect_result(trv_mesh_mass(mesh, TRV_ALL_PARTS, 1.0f, &mass), TRV_ERROR_OPEN);
        } else if (volume > 0.0) {
            compare(mesh, &table);
            closed++;
        }
        double hull_volume = atof(table_get(&table, "hull_volume"));
        trv_hull_def hull_def = trv_default_hull_def();
        trv_hull *hull;
        trv_result result = trv_hull_create_from_mesh(mesh, TRV_ALL_PARTS, &hull_def, &hull);
        if (hull_volume > 0.0 && result == TRV_OK) {
            expect_closed(hull);
            expect_near(hull->solid.volume, hull_volume, 1.0e-4 * hull_volume);
            hulls++;
        } else {
            expect_result(result, TRV_ERROR_COPLANAR);
        }
        trv_hull_release(hull);
        trv_mesh_destroy(mesh);
    }
    assert_true(closed >= 10 && hulls > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_mesh_has_the_mass_of_its_solid),
        cmocka_unit_test(meshes_without_an_inside_are_refused_by_name),
        cmocka_unit_test(volumes_that_all_but_cancel_are_refused),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(closed_shared_meshes_have_their_exact_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
