// The example obj_inspect, from outside: what it prints, how it refuses, what it writes.
#include "table.h"

#include <trivet/mesh.h>

#if defined(_WIN32)
#define popen  _popen
#define pclose _pclose
#else
FILE *popen(const char *command, const char *type); // POSIX
int pclose(FILE *stream);
#endif

#define MESHES "\"" TRV_TEST_DATA "/meshes/"
#define WROTE  "test_obj_inspect_"

enum { OUTPUT_SIZE = 1 << 16 };

// Runs the program in the folder of the project's meshes or, for NULL, in this one. `output` gets
// what it prints, errors too, and a last line "exit N".
static void run(const char *folder, const char *arguments, char *output)
{
    char command[4096];
    snprintf(command, sizeof command, "cd \"%s\" && (\"%s\" %s 2>&1; echo \"exit $?\")",
             folder ? folder : ".", TRV_OBJ_INSPECT, arguments);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    size_t size = fread(output, 1, OUTPUT_SIZE - 1, stream);
    pclose(stream);
    output[size] = 0;
}

// Overwrites the milliseconds, which differ from run to run, in place.
static void mask_times(char *text)
{
    static const char *const names[2] = {"\"ms\": ", "  ms             "};
    for (int i = 0; i < 2; i++) {
        for (char *p = text; (p = strstr(p, names[i])) != NULL;) {
            p += strlen(names[i]);
            size_t length = strspn(p, "0123456789.");
            assert_true(length > 0);
            *p = '*';
            memmove(p + 1, p + length, strlen(p + length) + 1);
        }
    }
}

static void own_meshes_are_told_as_expected(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *expected;
    } cases[] = {
        {"crate.obj hammer.obj boulder.obj", "own.txt"},
        {"--json crate.obj hammer.obj boulder.obj", "own.json"},
        {"../inspect/faults.obj ../inspect/flat.obj ../inspect/points.obj", "faults.txt"},
        {"--json ../inspect/faults.obj ../inspect/flat.obj ../inspect/points.obj", "faults.json"}};
    static char output[OUTPUT_SIZE], wanted[OUTPUT_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, TRV_TEST_DATA "/inspect/%s", cases[i].expected);
        run(TRV_TEST_DATA "/meshes", cases[i].arguments, output);
        mask_times(output);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        wanted[fread(wanted, 1, sizeof wanted - 1, file)] = 0;
        fclose(file);
        assert_string_equal(output, wanted);
    }
}

static void standard_input_reads_as_the_file_does(void **state)
{
    (void)state;
    static char of_file[OUTPUT_SIZE], of_input[OUTPUT_SIZE];
    run(TRV_TEST_DATA "/meshes", "--json gear.obj", of_file);
    run(TRV_TEST_DATA "/meshes", "--json - <gear.obj", of_input);
    mask_times(of_file);
    mask_times(of_input);
    char *after_name = strstr(of_file, ", \"vertices\"");
    assert_non_null(after_name);
    assert_non_null(strstr(of_input, "{\"file\": \"-\", \"vertices\": 120"));
    assert_string_equal(strstr(of_input, ", \"vertices\""), after_name);
}

static void refused_files_are_named_with_place_and_reason(void **state)
{
    (void)state;
    static char output[OUTPUT_SIZE];
    run(TRV_TEST_DATA "/inspect", "refused.obj", output);
    assert_string_equal(output, "refused.obj:5:7: face refers to vertex 9 of 3\nexit 2\n");
    run(TRV_TEST_DATA "/inspect", "--json none.obj", output);
    assert_string_equal(output, "none.obj:0:0: cannot open the file: no such file\nexit 2\n");
    run(TRV_TEST_DATA "/inspect", "- <refused.obj", output);
    assert_non_null(strstr(output, "-:5:7: face"));
    // The others are told all the same.
    run(TRV_TEST_DATA "/inspect", "--json refused.obj flat.obj none.obj points.obj", output);
    assert_non_null(strstr(output, "{\"file\": \"flat.obj\""));
    assert_non_null(strstr(output, "{\"file\": \"points.obj\""));
    assert_non_null(strstr(output, "exit 2\n"));
}

static void wrong_use_is_told_and_exits_with_one(void **state)
{
    (void)state;
    static const char *const lines[] = {"", "--json", "--hull", "--nothing " MESHES "crate.obj\"",
                                        "--hull a.obj " MESHES "crate.obj\" " MESHES "gear.obj\""};
    static char output[OUTPUT_SIZE];
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        run(NULL, lines[i], output);
        assert_non_null(strstr(output, "usage: obj_inspect"));
        assert_non_null(strstr(output, "exit 1\n"));
    }
    run(NULL, "--hull " WROTE "none/none.obj " MESHES "crate.obj\"", output);
    assert_non_null(strstr(output, "cannot write"));
    assert_non_null(strstr(output, "exit 1\n"));
    run(TRV_TEST_DATA "/inspect", "--hull none.obj flat.obj", output);
    assert_non_null(strstr(output, "flat.obj has no hull"));
    assert_non_null(strstr(output, "exit 1\n"));
}

static trv_mesh *read_mesh(const char *path)
{
    trv_obj_def def = trv_default_obj_def();
    trv_obj_report report;
    trv_mesh *mesh;
    expect_result(trv_mesh_read_obj_file(path, &def, &mesh, &report), TRV_OK);
    return mesh;
}

// A file that the program wrote: a closed convex solid, which holds every vertex of `mesh`.
static trv_mesh *read_solid_around(const trv_mesh *mesh, const char *path)
{
    trv_mesh *solid = read_mesh(path);
    trv_mesh_topology topology;
    expect_result(trv_mesh_check(solid, TRV_ALL_PARTS, &topology), TRV_OK);
    assert_true(topology.closed && topology.manifold && topology.convex && topology.welded == 0);
    uint32_t count, plane_count;
    const trv_vec3 *vertices = trv_mesh_vertices(mesh, &count);
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create_from_mesh(solid, TRV_ALL_PARTS, &def, &hull), TRV_OK);
    const trv_plane *planes = trv_hull_planes(hull, &plane_count);
    for (uint32_t p = 0; p < plane_count; p++)
        for (uint32_t v = 0; v < count; v++) {
            trv_vec3 n = planes[p].normal, at = vertices[v];
            double height = (double)n.x * at.x + (double)n.y * at.y + (double)n.z * at.z;
            assert_true(height + planes[p].offset <= 1.0e-6);
        }
    trv_hull_release(hull);
    remove(path);
    return solid;
}

static void hulls_and_boxes_are_written_so_that_they_read_back(void **state)
{
    (void)state;
    static const char *const names[] = {"chair", "rock", "gear", "d20"};
    static char output[OUTPUT_SIZE];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "--hull " WROTE "hull.obj --box " WROTE "box.obj " MESHES "%s.obj\"", names[i]);
        run(NULL, text, output);
        assert_non_null(strstr(output, "exit 0\n"));
        snprintf(text, sizeof text, TRV_TEST_DATA "/meshes/%s.obj", names[i]);
        trv_mesh *mesh = read_mesh(text);
        trv_mesh *hull = read_solid_around(mesh, WROTE "hull.obj");
        trv_mesh *box = read_solid_around(mesh, WROTE "box.obj");
        // Vertices of a hull are points of the file: they come back bit by bit.
        trv_hull_def def = trv_default_hull_def();
        trv_hull *own;
        expect_result(trv_hull_create_from_mesh(mesh, TRV_ALL_PARTS, &def, &own), TRV_OK);
        uint32_t count, own_count;
        const trv_vec3 *vertices = trv_mesh_vertices(hull, &count);
        const trv_vec3 *own_vertices = trv_hull_vertices(own, &own_count);
        assert_int_equal(count, own_count);
        for (uint32_t v = 0; v < count; v++)
            assert_true(vertices[v].x == own_vertices[v].x && vertices[v].y == own_vertices[v].y &&
                        vertices[v].z == own_vertices[v].z);
        assert_int_equal(trv_mesh_faces(hull, NULL, NULL), trv_hull_faces(own, NULL, NULL));
        assert_int_equal(trv_mesh_faces(box, NULL, NULL), 6);
        trv_hull_release(own);
        trv_mesh_destroy(mesh);
        trv_mesh_destroy(hull);
        trv_mesh_destroy(box);
    }
}

// The text of a member's value; fails where there is no such key.
static const char *member(const char *json, const char *key)
{
    char name[64];
    snprintf(name, sizeof name, "\"%s\": ", key);
    const char *at = strstr(json, name);
    if (at == NULL)
        fail_msg("no key %s in %s", key, json);
    return at ? at + strlen(name) : "";
}

// Numbers of the table against those of the program, which may stand in brackets.
static void expect_numbers(const test_table *table, const char *key, const char *json, int count,
                           double tolerance)
{
    const char *wanted = table_get(table, key), *is = member(json, key);
    for (int i = 0; i < count; i++) {
        char *end;
        double a = strtod(wanted, &end);
        wanted = end;
        is += strspn(is, "[, ");
        double b = strtod(is, &end);
        if (end == is || !(fabs(a - b) <= tolerance))
            fail_msg("%s, %s: %.12g is %.12g, more than %g off", table_get(table, "file"), key, a,
                     b, tolerance);
        is = end;
    }
}

static void expect_word(const test_table *table, const char *key, const char *json)
{
    // An empty cell stands for files without triangles, where the answer is no.
    const char *wanted = strcmp(table_get(table, key), "True") == 0 ? "true" : "false";
    if (strncmp(member(json, key), wanted, strlen(wanted)) != 0)
        fail_msg("%s: %s is not %s", table_get(table, "file"), key, wanted);
}

static void compare_row(const test_table *table, const char *json)
{
    static const char *const counts[] = {"vertices", "used_vertices",       "distinct_positions",
                                         "faces",    "boundary_edges_weld", "triangles"};
    static const char *const words[] = {"closed_weld", "manifold_weld", "convex"};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        expect_numbers(table, counts[i], json, 1, 0.0);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        expect_word(table, words[i], json);
    double square = 0.0, lower[3], upper[3];
    const char *keys[2] = {"aabb_min", "aabb_max"};
    for (int side = 0; side < 2; side++) {
        char *end = (char *)table_get(table, keys[side]);
        const char *is = member(json, keys[side]);
        for (int i = 0; i < 3; i++) {
            double wanted = strtod(end, &end);
            (side ? upper : lower)[i] = wanted;
            is += strspn(is, "[, ");
            assert_true(strtof(is, (char **)&is) == (float)wanted); // exact
        }
    }
    for (int i = 0; i < 3; i++)
        square += (upper[i] - lower[i]) * (upper[i] - lower[i]);
    double diagonal = sqrt(square), volume = atof(table_get(table, "volume_signed"));
    if (strcmp(table_get(table, "concave_polygons"), "0") == 0) {
        double area = atof(table_get(table, "area")),
               warp = atof(table_get(table, "polygon_warp_rel"));
        expect_numbers(table, "area", json, 1, area * (1.0e-6 + warp));
    }
    double cut = fabs(volume - atof(table_get(table, "volume_fan_alt"))); // of warped polygons
    bool closed = strcmp(table_get(table, "closed_weld"), "True") == 0;
    if (closed) {
        double scale = cut / fabs(volume);
        expect_numbers(table, "volume_signed", json, 1, 1.0e-6 * fabs(volume) + 2.0 * cut);
        if (volume > 0.0 && table_get(table, "mesh_centroid")[0] != 0) {
            double inertia = 0.0;
            char *end = (char *)table_get(table, "mesh_inertia");
            for (int i = 0; i < 3; i++)
                inertia = fmax(inertia, strtod(end, &end));
            expect_numbers(table, "mesh_centroid", json, 3, (1.0e-6 + scale) * diagonal);
            expect_numbers(table, "mesh_inertia", json, 6, (1.0e-5 + 4.0 * scale) * inertia);
        }
    }
    double hull_volume = atof(table_get(table, "hull_volume"));
    if (hull_volume > 0.0) {
        expect_numbers(table, "hull_volume", json, 1, 1.0e-4 * hull_volume);
        expect_numbers(table, "hull_centroid", json, 3, 1.0e-5 * diagonal);
        double best = atof(table_get(table, "obb_min_volume"));
        assert_true(atof(member(json, "obb_min_volume")) <= 1.02 * best);
    } else {
        assert_true(strncmp(member(json, "hull_vertices"), "null", 4) == 0);
    }
}

static void real_files_are_told_as_the_table_has_them(void **state)
{
    (void)state;
    static test_table table;
    static char output[OUTPUT_SIZE];
    if (!table_open(&table, TRV_SHARED_DATA "/meshes/truth.csv")) {
        print_message("no shared data: skipped\n");
        skip();
    }
    int rows = 0;
    for (; table_next(&table); rows++) {
        char text[1024];
        snprintf(text, sizeof text, "--json \"%s/meshes/%s\"", TRV_SHARED_DATA,
                 table_get(&table, "file"));
        run(NULL, text, output);
        assert_non_null(strstr(output, "exit 0\n"));
        compare_row(&table, output);
    }
    assert_true(rows >= 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_meshes_are_told_as_expected),
        cmocka_unit_test(standard_input_reads_as_the_file_does),
        cmocka_unit_test(refused_files_are_named_with_place_and_reason),
        cmocka_unit_test(wrong_use_is_told_and_exits_with_one),
        cmocka_unit_test(hulls_and_boxes_are_written_so_that_they_read_back),
        cmocka_unit_test(real_files_are_told_as_the_table_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
