// Convex hulls against reference sets: shared points and meshes, and pools of hulls face by face.
#include "hull_support.h"

static void check_point_set(const char *name, const char *verdict, uint32_t corners, double volume,
                            double tolerance)
{
    char path[2048];
    snprintf(path, sizeof path, "%s/meshes/hull/%s", TRV_SHARED_DATA, name);
    point_set set = read_points(path);
    assert_true(set.count > 0);
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    trv_result result = trv_hull_create(set.points, set.count, &def, &hull);
    if (strcmp(verdict, "hull") == 0) {
        expect_result(result, TRV_OK);
        expect_hull_of(hull, set.points, set.count);
        uint32_t count;
        trv_hull_vertices(hull, &count);
        if (count != corners)
            print_message("%s: %u corners, %u as exact decimals\n", name, count, corners);
        expect_near(volume_of(hull), volume, tolerance * volume);
    } else {
        assert_true(result == TRV_ERROR_TOO_FEW || result == TRV_ERROR_COLLINEAR ||
                    result == TRV_ERROR_COPLANAR);
        assert_null(hull);
    }
    trv_hull_release(hull);
    free(set.points);
}

static void the_shared_point_sets_get_their_verdicts(void **state)
{
    (void)state;
    FILE *file = fopen(TRV_SHARED_DATA "/meshes/hull/expected.csv", "r");
    if (file == NULL) {
        print_message("no shared point sets: skipped\n");
        skip();
    }
    char line[1024], *column[7];
    int rows = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) && split_row(line, column, 7) >= 6) {
        check_point_set(column[0], column[2], (uint32_t)atoi(column[3]), atof(column[4]),
                        atof(column[5]));
        rows++;
    }
    fclose(file);
    assert_true(rows >= 13);
}

static void the_hulls_of_the_shared_meshes_have_their_volume(void **state)
{
    (void)state;
    FILE *file = fopen(TRV_SHARED_DATA "/meshes/truth.csv", "r");
    if (file == NULL) {
        print_message("no shared meshes: skipped\n");
        skip();
    }
    static char line[16384];
    char *column[48];
    int volume_column = -1, rows = 0;
    while (fgets(line, sizeof line, file)) {
        int count = split_row(line, column, 48);
        if (volume_column < 0) {
            for (int i = 0; i < count; i++)
                if (strcmp(column[i], "hull_volume") == 0)
                    volume_column = i;
            assert_true(volume_column > 0);
            continue;
        }
        double volume = atof(column[volume_column]);
        if (volume == 0.0)
            continue;
        char path[2048];
        snprintf(path, sizeof path, "%s/meshes/%s", TRV_SHARED_DATA, column[0]);
        point_set set = read_points(path);
        trv_hull *hull = hull_of(set.points, set.count);
        expect_hull_of(hull, set.points, set.count);
        expect_near(volume_of(hull), volume, 1.0e-4 * volume);
        trv_hull_release(hull);
        free(set.points);
        rows++;
    }
    fclose(file);
    assert_true(rows > 20);
}

// A loop starting at its smallest index, as text.
static void write_loop(char *text, size_t size, const uint32_t *loop, uint32_t count)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++)
        if (loop[i] < loop[least])
            least = i;
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, size - at, "%u ", loop[(least + i) % count]);
}

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct loop_list {
    char **text;
    uint32_t count;
} loop_list;

static void add_loop(loop_list *list, const uint32_t *loop, uint32_t count)
{
    size_t size = 12 * (size_t)count + 1;
    list->text = realloc(list->text, (list->count + 1) * sizeof *list->text);
    list->text[list->count] = malloc(size);
    write_loop(list->text[list->count++], size, loop, count);
}

static loop_list loops_of_text(char *text)
{
    loop_list list = {NULL, 0};
    for (char *face = text; face;) {
        char *next = strchr(face, ';');
        if (next)
            *next++ = '\0';
        uint32_t loop[1024], count = 0;
        for (char *end = face;; face = end) {
            unsigned long value = strtoul(face, &end, 10);
            if (end == face)
                break;
            assert_true(count < 1024);
            loop[count++] = (uint32_t)value;
        }
        add_loop(&list, loop, count);
        face = next;
    }
    qsort(list.text, list.count, sizeof *list.text, compare_text);
    return list;
}

static loop_list loops_of_hull(const trv_hull *hull)
{
    loop_list list = {NULL, 0};
    const uint32_t *first, *corners;
    uint32_t faces = trv_hull_faces(hull, &first, &corners);
    for (uint32_t f = 0; f < faces; f++)
        add_loop(&list, corners + first[f], first[f + 1] - first[f]);
    qsort(list.text, list.count, sizeof *list.text, compare_text);
    return list;
}

static void free_loops(loop_list list)
{
    for (uint32_t i = 0; i < list.count; i++)
        free(list.text[i]);
    free(list.text);
}

// The least thickness of two neighbouring faces along the sum of their normals weighted by area.
static double flattest_edge(const trv_hull *hull)
{
    double least = HUGE_VAL;
    for (uint32_t e = 0; e < hull->half_edge_count; e++) {
        uint32_t face[2] = {hull->edge_face[e], hull->edge_face[hull->edge_twin[e]]};
        trvi_dvec3 sum = {0.0, 0.0, 0.0};
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = 0; k < 2; k++) {
            const uint32_t *c = hull->edge_origin + hull->face_first[face[k]];
            uint32_t count = hull->face_first[face[k] + 1] - hull->face_first[face[k]];
            for (uint32_t i = 1; i + 1 < count; i++)
                sum = trvi_dadd(sum, trvi_exact_cross(hull->vertices[c[0]], hull->vertices[c[i]],
                                                      hull->vertices[c[i + 1]]));
        }
        for (int k = 0; k < 2; k++)
            for (uint32_t i = hull->face_first[face[k]]; i < hull->face_first[face[k] + 1]; i++) {
                trvi_dvec3 v = trvi_dvec3_from(hull->vertices[hull->edge_origin[i]]);
                double height = trvi_ddot(sum, v) / trvi_dlength(sum);
                low = fmin(low, height);
                high = fmax(high, height);
            }
        least = fmin(least, high - low);
    }
    return least;
}

// A pool's hull, rebuilt from its vertices: before nearly coplanar faces are united, all are corners,
// in the same order, and the faces are the exact ones; afterwards the hull is that, united.
static int check_pool(const char *name)
{
    FILE *file = open_vectors(name);
    assert_non_null(file);
    static char line[1 << 17];
    int rows = 0, equal = 0;
    while (fgets(line, sizeof line, file)) {
        char *column[9];
        if (line[0] == '#' || line[0] == 'i' || split_row(line, column, 9) != 9)
            continue;
        uint32_t count = (uint32_t)atoi(column[3]), corners;
        trv_vec3 *points = malloc(count * sizeof *points);
        char *at = column[7];
        for (uint32_t i = 0; i < 3 * count; i++)
            (&points[i / 3].x)[i % 3] = strtof(at, &at);
        trv_hull *hull = hull_of(points, count), *exact = exact_hull_of(points, count);
        trv_hull_vertices(exact, &corners);
        assert_int_equal(corners, count);
        loop_list wanted = loops_of_text(column[8]), got = loops_of_hull(exact);
        if (wanted.count != got.count)
            fail_msg("hull %s of %s: %u faces, not %u", column[0], name, got.count, wanted.count);
        for (uint32_t i = 0; i < got.count; i++)
            assert_string_equal(got.text[i], wanted.text[i]);
        expect_hull_of(hull, points, count);
        if (flattest_edge(exact) > coplanar_slack(points, count))
            assert_int_equal(hull->face_count, exact->face_count);
        if (hull->face_count == exact->face_count) {
            loop_list same = loops_of_hull(hull);
            for (uint32_t i = 0; i < got.count; i++)
                assert_string_equal(same.text[i], wanted.text[i]);
            free_loops(same);
            equal++;
        }
        free_loops(wanted);
        free_loops(got);
        trv_hull_release(hull);
        trv_hull_release(exact);
        free(points);
        rows++;
    }
    fclose(file);
    assert_true(equal > 0);
    return rows;
}

static void the_pools_of_hulls_are_rebuilt_face_by_face(void **state)
{
    (void)state;
    assert_true(check_pool("hulls.csv") > 10);
}

static void the_pool_of_big_hulls_is_rebuilt_face_by_face(void **state)
{
    (void)state;
    FILE *file = fopen(TRV_SHARED_DATA "/vectors/hulls_big.csv", "r");
    if (file == NULL) {
        print_message("no shared vectors: skipped\n");
        skip();
    }
    fclose(file);
    assert_true(check_pool("hulls_big.csv") > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shared_point_sets_get_their_verdicts),
        cmocka_unit_test(the_hulls_of_the_shared_meshes_have_their_volume),
        cmocka_unit_test(the_pools_of_hulls_are_rebuilt_face_by_face),
        cmocka_unit_test(the_pool_of_big_hulls_is_rebuilt_face_by_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
