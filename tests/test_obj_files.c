// OBJ files on disk: the project's own meshes, and the shared ones with their tables of truth.
#include "comma_locale.h"
#include "table.h"

#include <time.h>

#include <trivet/mesh.h>

#if defined(_WIN32)
#define popen  _popen
#define pclose _pclose
#else
FILE *popen(const char *command, const char *type); // POSIX
int pclose(FILE *stream);
#endif

static const char *const own_meshes[] = {"anvil",   "arch", "barrel", "boulder", "chair",  "crate",
                                         "d20",     "gear", "gem",    "hammer",  "pillar", "plank",
                                         "pyramid", "rock", "table",  "wedge"};

static char *read_stream(FILE *stream, size_t *size)
{
    size_t capacity = 1 << 16;
    char *bytes = malloc(capacity);
    *size = 0;
    for (size_t got = 1; bytes != NULL && got > 0; *size += got) {
        if (*size == capacity)
            bytes = realloc(bytes, capacity *= 2);
        got = bytes ? fread(bytes + *size, 1, capacity - *size, stream) : 0;
    }
    return bytes;
}

// A test's block of memory that knows the most that was live at once.
typedef struct peak_memory {
    test_memory memory;
    size_t peak;
} peak_memory;

static void *peak_reallocate(void *user, void *block, size_t old_size, size_t new_size)
{
    peak_memory *peak = user;
    // While a block grows both the old and the new one are live.
    size_t during = peak->memory.bytes + new_size;
    if (during > peak->peak)
        peak->peak = during;
    return test_reallocate(&peak->memory, block, old_size, new_size);
}

static void every_own_mesh_loads_and_consists_of_closed_convex_parts(void **state)
{
    (void)state;
    char path[512];
    for (size_t i = 0; i < sizeof own_meshes / sizeof own_meshes[0]; ++i) {
        snprintf(path, sizeof path, "%s/meshes/%s.obj", TRV_TEST_DATA, own_meshes[i]);
        trv_obj_def def = trv_default_obj_def();
        trv_mesh *mesh;
        trv_obj_report report;
        expect_result(trv_mesh_read_obj_file(path, &def, &mesh, &report), TRV_OK);
        assert_int_equal(report.skipped_faces, 0);
        assert_int_equal(report.ignored_indices, 0);
        for (uint32_t part = 0; part < trv_mesh_part_count(mesh); ++part) {
            trv_mesh_topology topology;
            expect_result(trv_mesh_check(mesh, part, &topology), TRV_OK);
            if (!topology.closed || !topology.manifold || !topology.convex ||
                topology.welded != 0) {
                print_error("%s part %u: closed %d manifold %d convex %d welded %u\n",
                            own_meshes[i], part, topology.closed, topology.manifold,
                            topology.convex, topology.welded);
                fail();
            }
        }
        uint32_t count;
        const trv_vec3 *vertices = trv_mesh_vertices(mesh, &count);
        for (uint32_t v = 0; v < count; ++v) // metres, of a size that games use
            assert_true(fabsf(vertices[v].x) <= 2.0f && fabsf(vertices[v].y) <= 2.0f &&
                        fabsf(vertices[v].z) <= 2.0f);
        trv_mesh_destroy(mesh);
    }
}

static void own_meshes_have_the_parts_their_names_promise(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        uint32_t vertices, faces, parts, named;
        const char *name; // of part `named`
    } cases[] = {{"crate", 8, 6, 1, 0, ""},
                 {"barrel", 70, 58, 1, 0, "barrel"},
                 {"chair", 48, 36, 6, 1, "leg 2"},
                 {"gear", 120, 86, 13, 12, "tooth_12"},
                 {"hammer", 38, 27, 4, 3, "claw"},
                 {"arch", 72, 54, 9, 8, "stone_9"},
                 {"boulder", 130, 256, 1, 0, "boulder"},
                 {"table", 48, 34, 5, 0, "top"}};
    char path[512];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        snprintf(path, sizeof path, "%s/meshes/%s.obj", TRV_TEST_DATA, cases[i].file);
        trv_obj_def def = trv_default_obj_def();
        trv_mesh *mesh;
        trv_obj_report report;
        expect_result(trv_mesh_read_obj_file(path, &def, &mesh, &report), TRV_OK);
        assert_int_equal(report.vertices, cases[i].vertices);
        assert_int_equal(report.faces, cases[i].faces);
        assert_int_equal(trv_mesh_part_count(mesh), cases[i].parts);
        trv_mesh_part part;
        expect_result(trv_mesh_part_get(mesh, cases[i].named, &part), TRV_OK);
        assert_string_equal(part.name, cases[i].name);
        trv_mesh_destroy(mesh);
    }
}

static void expect_text(const char *file, const char *what, bool good)
{
    if (!good) {
        print_error("%s: %s\n", file, what);
        fail();
    }
}

// One row of the table of hostile files.
static void judge_hostile(const test_table *table, const char *bytes, size_t size)
{
    const char *file = table_get(table, "file"), *expected = table_get(table, "expected");
    peak_memory peak = {.memory.fail_at = SIZE_MAX};
    trv_obj_def def = trv_default_obj_def();
    def.allocator = (trv_allocator){&peak, peak_reallocate};
    trv_mesh *mesh;
    trv_obj_report report;
    clock_t start = clock();
    trv_result result = trv_mesh_read_obj_memory(bytes, size, &def, &mesh, &report);
    expect_text(file, "time", (double)(clock() - start) / CLOCKS_PER_SEC < 2.0);
    expect_text(file, "memory", peak.peak + size < 16 * size + (1u << 20));
    bool accepted = result == TRV_OK;
    if (strcmp(expected, "either") != 0)
        expect_text(file, expected, accepted == (strcmp(expected, "accept") == 0));
    expect_text(file, "mesh", accepted == (mesh != NULL) && report.result == result);
    if (accepted) {
        expect_text(file, "vertices",
                    report.vertices == (uint32_t)atoi(table_get(table, "vertices")));
        expect_text(file, "faces", report.faces == (uint32_t)atoi(table_get(table, "faces")));
        expect_text(file, "reason", report.reason[0] == 0);
        trv_mesh_topology topology;
        expect_result(trv_mesh_check(mesh, TRV_ALL_PARTS, &topology), TRV_OK);
    } else {
        expect_text(file, "reason", report.reason[0] != 0);
        bool whole = result == TRV_ERROR_NO_GEOMETRY; // everything else has a place
        expect_text(file, "line", (report.line == 0) == whole && (report.column == 0) == whole);
    }
    trv_mesh_destroy(mesh);
    expect_text(file, "leak", peak.memory.live == 0 && peak.memory.bytes == 0);
}

static void every_hostile_file_gets_its_stated_verdict(void **state)
{
    (void)state;
    static test_table table;
    if (!table_open(&table, TRV_SHARED_DATA "/meshes/bad/expected.csv")) {
        print_message("no shared data: skipped\n");
        skip();
    }
    char path[512];
    int rows = 0, unpacked = 0;
    for (; table_next(&table); ++rows) {
        const char *file = table_get(&table, "file");
        size_t length = strlen(file);
        bool packed = length > 3 && strcmp(file + length - 3, ".gz") == 0;
        snprintf(path, sizeof path, packed ? "gzip -dc '%s/meshes/bad/%s'" : "%s/meshes/bad/%s",
                 TRV_SHARED_DATA, file);
        FILE *stream = packed ? popen(path, "r") : fopen(path, "rb");
        assert_non_null(stream);
        size_t size;
        char *bytes = read_stream(stream, &size);
        assert_non_null(bytes);
        int status = packed ? pclose(stream) : fclose(stream);
        if (packed && status != 0) {
            print_message("gzip is missing: %s is skipped\n", file);
        } else {
            unpacked += packed;
            judge_hostile(&table, bytes, size);
        }
        free(bytes);
    }
    print_message("%d files, %d of them unpacked\n", rows, unpacked);
    assert_true(rows >= 90);
}

static void hostile_files_get_the_same_verdict_under_a_decimal_comma(void **state)
{
    comma_begin("test_obj_files_bad");
    every_hostile_file_gets_its_stated_verdict(state);
    comma_end();
}

static void own_meshes_read_the_same_under_a_decimal_comma(void **state)
{
    (void)state;
    enum { COUNT = sizeof own_meshes / sizeof own_meshes[0] };
    comma_begin("test_obj_files_own"); // skips here, before there is anything to free
    comma_end();
    trv_mesh *before[COUNT], *mesh;
    trv_obj_report reports[COUNT], report;
    trv_obj_def def = trv_default_obj_def();
    char path[512];
    for (int turn = 0; turn < 2; turn++) {
        if (turn == 1)
            comma_begin("test_obj_files_own");
        for (size_t i = 0; i < COUNT; ++i) {
            snprintf(path, sizeof path, "%s/meshes/%s.obj", TRV_TEST_DATA, own_meshes[i]);
            expect_result(trv_mesh_read_obj_file(path, &def, turn ? &mesh : &before[i],
                                                 turn ? &report : &reports[i]),
                          TRV_OK);
            if (turn == 0)
                continue;
            uint32_t count;
            const trv_vec3 *vertices = trv_mesh_vertices(mesh, &count);
            assert_memory_equal(&report, &reports[i], sizeof report);
            assert_memory_equal(vertices, trv_mesh_vertices(before[i], NULL),
                                count * sizeof *vertices);
            trv_mesh_destroy(mesh);
            trv_mesh_destroy(before[i]);
        }
    }
    comma_end();
}

static void expect_vector(const char *file, const char *text, trv_vec3 value)
{
    char *end;
    float x = strtof(text, &end), y = strtof(end, &end), z = strtof(end, &end);
    // The table has twelve digits, which decides the float everywhere but next to a middle.
    bool same = x == value.x && y == value.y && z == value.z;
    if (!same)
        print_error("%s: wanted %s, is %.9g %.9g %.9g\n", file, text, (double)value.x,
                    (double)value.y, (double)value.z);
    assert_true(same);
}

// An empty cell stands for files without faces, where the answer is no.
static void expect_bool(const char *file, const char *what, const char *text, bool value)
{
    expect_text(file, what, strcmp(text[0] ? text : "False", value ? "True" : "False") == 0);
}

static void real_files_have_the_counts_bounds_and_topology_of_the_table(void **state)
{
    (void)state;
    static test_table table;
    if (!table_open(&table, TRV_SHARED_DATA "/meshes/truth.csv")) {
        print_message("no shared data: skipped\n");
        skip();
    }
    char path[512];
    int rows = 0, convex = 0;
    for (; table_next(&table); ++rows) {
        const char *file = table_get(&table, "file");
        snprintf(path, sizeof path, "%s/meshes/%s", TRV_SHARED_DATA, file);
        peak_memory peak = {.memory.fail_at = SIZE_MAX};
        trv_obj_def def = trv_default_obj_def();
        def.allocator = (trv_allocator){&peak, peak_reallocate};
        trv_mesh *mesh;
        trv_obj_report report;
        expect_result(trv_mesh_read_obj_file(path, &def, &mesh, &report), TRV_OK);
        uint32_t count;
        const trv_vec3 *vertices = trv_mesh_vertices(mesh, &count);
        assert_int_equal(count, atoi(table_get(&table, "vertices")));
        assert_int_equal(trv_mesh_faces(mesh, NULL, NULL), atoi(table_get(&table, "faces")));
        trv_aabb box = {vertices[0], vertices[0]};
        for (uint32_t i = 0; i < count; ++i) {
            box.lower.x = fminf(box.lower.x, vertices[i].x);
            box.lower.y = fminf(box.lower.y, vertices[i].y);
            box.lower.z = fminf(box.lower.z, vertices[i].z);
            box.upper.x = fmaxf(box.upper.x, vertices[i].x);
            box.upper.y = fmaxf(box.upper.y, vertices[i].y);
            box.upper.z = fmaxf(box.upper.z, vertices[i].z);
        }
        expect_vector(file, table_get(&table, "aabb_min"), box.lower);
        expect_vector(file, table_get(&table, "aabb_max"), box.upper);
        trv_mesh_topology topology;
        expect_result(trv_mesh_check(mesh, TRV_ALL_PARTS, &topology), TRV_OK);
        expect_bool(file, "closed", table_get(&table, "closed_weld"), topology.closed);
        expect_bool(file, "manifold", table_get(&table, "manifold_weld"), topology.manifold);
        expect_bool(file, "convex", table_get(&table, "convex"), topology.convex);
        const char *boundary = table_get(&table, "boundary_edges_weld");
        assert_int_equal(topology.boundary_edges, atoi(boundary));
        convex += topology.convex;
        trv_mesh_destroy(mesh);
        assert_int_equal(peak.memory.live, 0);
    }
    print_message("%d files, %d of them convex\n", rows, convex);
    assert_true(rows >= 25 && convex >= 5);
}

// A grid with normals and texture coordinates, as exporters write it, `side` quads along a side.
static bool write_grid(const char *path, int side, bool attributes)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    fprintf(file, "# a grid\no grid\n");
    for (int i = 0; i <= side; ++i)
        for (int j = 0; j <= side; ++j)
            fprintf(file, "v %.6f %.6f %.6f\n", 0.01 * i, 0.001 * ((7 * i + 11 * j) % 31),
                    0.01 * j);
    for (int i = 0; attributes && i <= side; ++i)
        for (int j = 0; j <= side; ++j)
            fprintf(file, "vt %.6f %.6f\nvn 0.0000 1.0000 0.0000\n", 0.01 * i, 0.01 * j);
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            int a = i * (side + 1) + j + 1, b = a + 1, c = b + side + 1, d = a + side + 1;
            if (attributes)
                fprintf(file, "f %d/%d/%d %d/%d/%d %d/%d/%d %d/%d/%d\n", a, a, a, b, b, b, c, c, c,
                        d, d, d);
            else
                fprintf(file, "f %d %d %d\nf %d %d %d\n", a, b, c, a, c, d);
        }
    return fclose(file) == 0;
}

static void reading_a_file_takes_less_than_twice_its_size(void **state)
{
    (void)state;
    static const char path[] = "test_obj_files_grid.obj";
    for (int attributes = 0; attributes < 2; ++attributes) {
        assert_true(write_grid(path, 250, attributes));
        peak_memory peak = {.memory.fail_at = SIZE_MAX};
        trv_obj_def def = trv_default_obj_def();
        def.allocator = (trv_allocator){&peak, peak_reallocate};
        trv_mesh *mesh;
        trv_obj_report report;
        expect_result(trv_mesh_read_obj_file(path, &def, &mesh, &report), TRV_OK);
        assert_int_equal(report.vertices, 251 * 251);
        FILE *file = fopen(path, "rb");
        assert_true(file != NULL && fseek(file, 0, SEEK_END) == 0);
        long size = ftell(file);
        fclose(file);
        print_message("%ld bytes: at most %.2f of them at once\n", size,
                      (double)peak.peak / (double)size);
        assert_true(peak.peak <= 2 * (size_t)size);
        trv_mesh_destroy(mesh);
        remove(path);
    }
}

static void a_file_that_cannot_be_read_is_a_file_error_with_its_reason(void **state)
{
    (void)state;
    trv_obj_def def = trv_default_obj_def();
    trv_mesh *mesh;
    trv_obj_report report;
    expect_result(trv_mesh_read_obj_file(TRV_TEST_DATA "/meshes/none.obj", &def, &mesh, &report),
                  TRV_ERROR_FILE);
    assert_null(mesh);
    assert_non_null(strstr(report.reason, "no such file"));
    assert_int_equal(report.line, 0);
    expect_result(trv_mesh_read_obj_file(TRV_TEST_DATA, &def, &mesh, &report), TRV_ERROR_FILE);
    assert_null(mesh);
    assert_non_null(strstr(report.reason, "it is a directory"));
}

static void a_file_that_does_not_tell_its_size_is_read_up_to_the_limit(void **state)
{
    (void)state;
    FILE *endless = fopen("/dev/zero", "rb");
    if (endless == NULL) {
        print_message("no /dev/zero: skipped\n");
        skip();
    }
    fclose(endless);
    trv_obj_def def = trv_default_obj_def();
    def.max_bytes = 300000;
    trv_mesh *mesh;
    trv_obj_report report;
    expect_result(trv_mesh_read_obj_file("/dev/zero", &def, &mesh, &report), TRV_ERROR_LIMIT);
    assert_null(mesh);
    assert_non_null(strstr(report.reason, "larger than 300000 bytes"));
}

static void a_file_reads_as_its_bytes_in_memory_do(void **state)
{
    (void)state;
    const char *path = TRV_TEST_DATA "/meshes/barrel.obj";
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    size_t size;
    char *bytes = read_stream(stream, &size);
    fclose(stream);
    assert_non_null(memchr(bytes, '\r', size)); // this file has CR LF
    trv_obj_def def = trv_default_obj_def();
    trv_mesh *a, *b;
    trv_obj_report of_file, of_memory;
    expect_result(trv_mesh_read_obj_file(path, &def, &a, &of_file), TRV_OK);
    expect_result(trv_mesh_read_obj_memory(bytes, size, &def, &b, &of_memory), TRV_OK);
    assert_memory_equal(&of_file, &of_memory, sizeof of_file);
    uint32_t count;
    const trv_vec3 *vertices = trv_mesh_vertices(a, &count);
    assert_memory_equal(vertices, trv_mesh_vertices(b, NULL), count * sizeof *vertices);
    trv_mesh_destroy(a);
    trv_mesh_destroy(b);

    // Exactly at the limit of size it reads; one byte below it does not.
    def.max_bytes = (uint32_t)size;
    expect_result(trv_mesh_read_obj_file(path, &def, &a, NULL), TRV_OK);
    trv_mesh_destroy(a);
    def.max_bytes = (uint32_t)size - 1;
    expect_result(trv_mesh_read_obj_file(path, &def, &a, NULL), TRV_ERROR_LIMIT);
    expect_result(trv_mesh_read_obj_memory(bytes, size, &def, &a, NULL), TRV_ERROR_LIMIT);
    def.max_bytes = 0;
    expect_result(trv_mesh_read_obj_file(path, &def, &a, NULL), TRV_ERROR_LIMIT);
    free(bytes);
}

static void every_failing_allocation_of_reading_a_file_leaves_nothing(void **state)
{
    (void)state;
    test_memory memory = {0};
    trv_obj_def def = trv_default_obj_def();
    def.allocator = test_allocator(&memory);
    trv_mesh *mesh = NULL;
    trv_obj_report report;
    size_t k = 0;
    for (;; ++k) {
        memory.calls = 0;
        memory.fail_at = k;
        trv_result result =
            trv_mesh_read_obj_file(TRV_TEST_DATA "/meshes/gear.obj", &def, &mesh, &report);
        if (result == TRV_OK)
            break;
        expect_result(result, TRV_ERROR_MEMORY);
        assert_null(mesh);
        assert_true(report.reason[0] != 0);
        assert_int_equal(memory.live, 0);
    }
    assert_true(k >= 6);
    trv_mesh_destroy(mesh);
    assert_int_equal(memory.live, 0);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_own_mesh_loads_and_consists_of_closed_convex_parts),
        cmocka_unit_test(own_meshes_have_the_parts_their_names_promise),
        cmocka_unit_test(every_hostile_file_gets_its_stated_verdict),
        cmocka_unit_test(hostile_files_get_the_same_verdict_under_a_decimal_comma),
        cmocka_unit_test(own_meshes_read_the_same_under_a_decimal_comma),
        cmocka_unit_test(real_files_have_the_counts_bounds_and_topology_of_the_table),
        cmocka_unit_test(reading_a_file_takes_less_than_twice_its_size),
        cmocka_unit_test(a_file_that_cannot_be_read_is_a_file_error_with_its_reason),
        cmocka_unit_test(a_file_that_does_not_tell_its_size_is_read_up_to_the_limit),
        cmocka_unit_test(a_file_reads_as_its_bytes_in_memory_do),
        cmocka_unit_test(every_failing_allocation_of_reading_a_file_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
