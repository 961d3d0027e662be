// Polygons cut into triangles: areas add up, no triangle is turned over, none leaves the outline.
#include "support.h"

#include <trivet/mesh.h>

#include "math/math.h"

enum { MOST = 600 };

typedef struct polygon {
    double u[MOST], v[MOST], w[MOST]; // w: out of the plane
    int count;
} polygon;

static trv_mesh *read_text(const char *text)
{
    trv_obj_def def = trv_default_obj_def();
    trv_mesh *mesh;
    trv_obj_report report;
    trv_result result = trv_mesh_read_obj_memory(text, strlen(text), &def, &mesh, &report);
    if (result != TRV_OK)
        fail_msg("%u:%u: %s\n%s", report.line, report.column, report.reason, text);
    return mesh;
}

// The polygon in a plane of space, as OBJ text with nine digits.
static trv_mesh *mesh_of(const polygon *p, trv_pose pose)
{
    static char text[64 * MOST];
    size_t length = 0;
    for (int i = 0; i < p->count; i++) {
        trv_vec3 at =
            trv_pose_apply(pose, trvi_vec3((float)p->u[i], (float)p->v[i], (float)p->w[i]));
        length += (size_t)snprintf(text + length, sizeof text - length, "v %.9g %.9g %.9g\n",
                                   (double)at.x, (double)at.y, (double)at.z);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "f");
    for (int i = 0; i < p->count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %d", i + 1);
    return read_text(text);
}

static double area_of(const polygon *p)
{
    double twice = 0.0;
    for (int i = 0; i < p->count; i++) {
        int j = (i + 1) % p->count;
        twice += p->u[i] * p->v[j] - p->u[j] * p->v[i];
    }
    return 0.5 * twice;
}

static bool holds(const polygon *p, double u, double v)
{
    bool inside = false;
    for (int i = 0; i < p->count; i++) {
        int j = (i + 1) % p->count;
        if ((p->v[i] > v) != (p->v[j] > v) &&
            u < p->u[i] + (v - p->v[i]) / (p->v[j] - p->v[i]) * (p->u[j] - p->u[i]))
            inside = !inside;
    }
    return inside;
}

// Every triangle has its corners the right way round, and its middle inside; so where the areas add
// up, the triangles cover the polygon once.
static void expect_cut(const polygon *p, trv_pose pose, double slack)
{
    trv_mesh *mesh = mesh_of(p, pose);
    static uint32_t triangles[3 * MOST];
    uint32_t count;
    expect_result(trv_mesh_triangulate(mesh, 0, triangles, MOST, &count), TRV_OK);
    assert_int_equal(count, p->count - 2);
    double sum = 0.0, area = area_of(p);
    for (const uint32_t *t = triangles; t < triangles + 3 * (size_t)count; t += 3) {
        polygon cut = {.count = 3};
        for (int i = 0; i < 3; i++) {
            assert_true(t[i] < (uint32_t)p->count);
            cut.u[i] = p->u[t[i]];
            cut.v[i] = p->v[t[i]];
        }
        double part = area_of(&cut) * (area < 0.0 ? -1.0 : 1.0);
        if (!(part >= -slack))
            fail_msg("a triangle of %d corners is turned over: %g", p->count, part);
        sum += part;
        if (part > 1000.0 * slack)
            assert_true(holds(p, (cut.u[0] + cut.u[1] + cut.u[2]) / 3.0,
                              (cut.v[0] + cut.v[1] + cut.v[2]) / 3.0));
    }
    expect_near(sum, fabs(area), slack * p->count);
    trv_mesh_destroy(mesh);
}

// A star: round the middle with any distances, so most of it is concave.
static polygon star(test_random *random, int count)
{
    polygon p = {.count = count};
    for (int i = 0; i < count; i++) {
        double angle = 6.283185307179586 * i / count, r = 0.1 + (double)random_float(random, 0, 1);
        p.u[i] = r * cos(angle);
        p.v[i] = r * sin(angle);
    }
    return p;
}

static polygon comb(int teeth)
{
    polygon p = {.count = 0};
    for (int i = 0; i < teeth; i++) {
        const double u[4] = {i, i + 0.5, i + 0.5, i + 1.0}, v[4] = {0.0, 0.0, 1.0, 1.0};
        for (int k = 0; k < 4; k++, p.count++) {
            p.u[p.count] = u[k];
            p.v[p.count] = v[k];
        }
    }
    p.u[p.count] = teeth;
    p.v[p.count++] = 2.0;
    p.u[p.count] = 0.0;
    p.v[p.count++] = 2.0;
    return p;
}

static polygon spiral(int steps)
{
    polygon p = {.count = 2 * steps};
    for (int i = 0; i < steps; i++) {
        double angle = 0.3 * i, r = 1.0 + 0.1 * i;
        p.u[i] = (r + 0.5) * cos(angle);
        p.v[i] = (r + 0.5) * sin(angle);
        p.u[2 * steps - 1 - i] = r * cos(angle);
        p.v[2 * steps - 1 - i] = r * sin(angle);
    }
    return p;
}

// The same outline from its end to its beginning.
static polygon reversed(const polygon *p)
{
    polygon q = {.count = p->count};
    for (int i = 0; i < p->count; i++) {
        q.u[i] = p->u[p->count - 1 - i];
        q.v[i] = p->v[p->count - 1 - i];
    }
    return q;
}

static void concave_faces_are_cut_inside_their_outline(void **state)
{
    (void)state;
    test_random random = {51};
    for (int round = 0; round < 400; round++) {
        polygon p = round % 4 == 0   ? comb(1 + round % 50)
                    : round % 4 == 1 ? spiral(4 + round % 120)
                                     : star(&random, 4 + (int)(random_bits(&random) % 120));
        if (round % 3 == 0)
            p = reversed(&p);
        trv_pose pose = trv_make_pose(trvi_vec3(0, 0, 0));
        expect_cut(&p, pose, 1.0e-5);
        pose.rotation = random_quat(&random); // corners leave the plane by rounding
        pose.position = random_vec3(&random, 5.0f);
        expect_cut(&p, pose, 1.0e-3);
    }
}

// Corners leave the plane by up to a hundredth of a tooth, and many of them are in line: seen aslant
// they would be shifted to and fro across that line.
static void warped_faces_are_cut_as_seen_along_their_normal(void **state)
{
    (void)state;
    test_random random = {54};
    for (int round = 0; round < 100; round++) {
        polygon p = round % 2 ? comb(10 + round % 50) : spiral(20 + round % 60);
        for (int i = 0; i < p.count; i++)
            p.w[i] = 0.01 * (double)random_float(&random, -1, 1);
        trv_pose pose = {{0, 0, 0}, random_quat(&random)};
        expect_cut(&p, pose, 1.0e-5);
    }
}

// Most corners of it are near any one ear, so that it takes more tests than most faces.
static void a_spiral_of_many_turns_is_cut_inside_its_outline(void **state)
{
    (void)state;
    polygon p = spiral(MOST / 2);
    expect_cut(&p, trv_make_pose(trvi_vec3(0, 0, 0)), 1.0e-4);
}

static void faces_of_grid_points_with_straight_corners_are_cut_exactly(void **state)
{
    (void)state;
    // Outlines of random stacks of unit columns: corners in line, at one height, repeated heights.
    test_random random = {52};
    trv_pose pose = trv_make_pose(trvi_vec3(0, 0, 0));
    for (int round = 0; round < 500; round++) {
        polygon p = {.count = 0};
        int columns = 1 + (int)(random_bits(&random) % 30);
        for (int i = 0; i <= columns; i++, p.count++) { // along the ground, with a corner each
            p.u[p.count] = i;
            p.v[p.count] = 0.0;
        }
        for (int i = columns; i-- > 0;) {
            double height = 1.0 + (double)(random_bits(&random) % 3);
            for (int k = 1; k >= 0; k--, p.count++) {
                p.u[p.count] = i + k;
                p.v[p.count] = height;
            }
        }
        expect_cut(&p, pose, 0.0);
    }
}

static void a_hole_joined_by_a_bridge_stays_a_hole(void **state)
{
    (void)state;
    // Squares in a square; each is reached over a bridge that is passed twice.
    static const double outer[4][2] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}};
    static const double hole[5][2] = {{1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}};
    polygon p = {.count = 0};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 5; i++, p.count++) {
            p.u[p.count] = hole[i][0] + 3.0 * k; // from the origin, there and back
            p.v[p.count] = hole[i][1] + 3.0 * k;
        }
    polygon joined = {.count = 0};
    for (int i = 0; i < 4; i++, joined.count++) {
        joined.u[joined.count] = outer[i][0];
        joined.v[joined.count] = outer[i][1];
    }
    joined.count++; // back at the first corner, which is 0, 0
    for (int i = 0; i < 3; i++, joined.count++) {
        joined.u[joined.count] = p.u[i];
        joined.v[joined.count] = p.v[i];
    }
    for (int i = 5; i < 10;
         i++, joined.count++) { // the second hole from the first one's far corner
        joined.u[joined.count] = p.u[i];
        joined.v[joined.count] = p.v[i];
    }
    for (int i = 2; i < 5; i++, joined.count++) {
        joined.u[joined.count] = p.u[i];
        joined.v[joined.count] = p.v[i];
    }
    expect_near(area_of(&joined), 81.0 - 2.0, 1.0e-12);
    trv_pose pose = trv_make_pose(trvi_vec3(0, 0, 0));
    expect_cut(&joined, pose, 0.0);
    joined = reversed(&joined);
    expect_cut(&joined, pose, 0.0);
}

static void convex_faces_are_fans(void **state)
{
    (void)state;
    trv_mesh *mesh = read_text("v 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nv 1 0 0\n"
                               "f 1 2 3 4 5\nf 5 4 3 2 1\ng next\nf 2 3 4 5\nf 1 6 2 3 4\n");
    static const uint32_t wanted[] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 4, 3, 2, 4, 2, 1, 4, 1,
                                      0, 1, 2, 3, 1, 3, 4, 0, 5, 1, 0, 1, 2, 0, 2, 3};
    uint32_t triangles[33], count;
    expect_result(trv_mesh_triangulate(mesh, TRV_ALL_PARTS, triangles, 11, &count), TRV_OK);
    assert_int_equal(count, 11);
    assert_memory_equal(triangles, wanted, sizeof wanted);
    expect_result(trv_mesh_triangulate(mesh, 1, triangles, 11, &count), TRV_OK);
    assert_int_equal(count, 5);
    assert_memory_equal(triangles, wanted + 18, 15 * sizeof *wanted);
    trv_mesh_destroy(mesh);
}

static void a_concave_quad_is_cut_at_its_notch(void **state)
{
    (void)state;
    // The notch is each corner in turn; every cut must go through it.
    for (int notch = 0; notch < 4; notch++) {
        static const char *const places[4] = {"v 1 1 0\n", "v 4 0 0\n", "v 0 0 0\n", "v 0 4 0\n"};
        char text[256];
        snprintf(text, sizeof text, "%s%s%s%sf 1 2 3 4\n", places[(4 - notch) % 4],
                 places[(5 - notch) % 4], places[(6 - notch) % 4], places[(7 - notch) % 4]);
        trv_mesh *mesh = read_text(text);
        uint32_t triangles[6], count;
        expect_result(trv_mesh_triangulate(mesh, 0, triangles, 2, &count), TRV_OK);
        for (int t = 0; t < 2; t++) {
            bool found = false;
            for (int i = 0; i < 3; i++)
                found = found || triangles[3 * t + i] == (uint32_t)notch;
            assert_true(found);
        }
        trv_mesh_destroy(mesh);
    }
}

// Whatever the face, n - 2 triangles whose areas as vectors add up to the face's.
static void any_face_keeps_its_vector_area(void **state)
{
    (void)state;
    test_random random = {53};
    for (int round = 0; round < 3000; round++) {
        char text[2048];
        trv_vec3 points[12];
        size_t length = 0;
        int count = 3 + (int)(random_bits(&random) % 30), range = 1 + round % 4;
        for (int i = 0; i < 12; i++) {
            trv_vec3 p = random_vec3(&random, (float)range);
            points[i] = trvi_vec3(roundf(p.x), roundf(p.y), round % 2 ? 0.0f : roundf(p.z));
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "v %g %g %g\n",
                                 (double)points[i].x, (double)points[i].y, (double)points[i].z);
        }
        trvi_dvec3 wanted = {0, 0, 0}, sum = {0, 0, 0};
        int corners[40];
        length += (size_t)snprintf(text + length, sizeof text - length, "f");
        for (int i = 0; i < count; i++) {
            corners[i] = (int)(random_bits(&random) % 12);
            length += (size_t)snprintf(text + length, sizeof text - length, " %d", corners[i] + 1);
        }
        for (int i = 0; i < count; i++)
            wanted =
                trvi_dadd(wanted, trvi_dcross(trvi_dvec3_from(points[corners[i]]),
                                              trvi_dvec3_from(points[corners[(i + 1) % count]])));
        trv_mesh *mesh = read_text(text);
        uint32_t triangles[3 * 40], made;
        expect_result(trv_mesh_triangulate(mesh, 0, triangles, 40, &made), TRV_OK);
        assert_int_equal(made, count - 2);
        for (uint32_t i = 0; i < made; i++) {
            trvi_dvec3 a = trvi_dvec3_from(points[triangles[3 * i]]);
            trvi_dvec3 ab = trvi_dsub(trvi_dvec3_from(points[triangles[3 * i + 1]]), a);
            trvi_dvec3 ac = trvi_dsub(trvi_dvec3_from(points[triangles[3 * i + 2]]), a);
            sum = trvi_dadd(sum, trvi_dcross(ab, ac));
        }
        assert_true(sum.x == wanted.x && sum.y == wanted.y && sum.z == wanted.z);
        trv_mesh_destroy(mesh);
    }
}

// A face of very many corners costs no more than its stated share of tests for each.
static void a_face_of_very_many_corners_ends(void **state)
{
    (void)state;
    enum { CORNERS = 20000 };
    char *text = malloc(64 * CORNERS);
    uint32_t *triangles = malloc(3 * sizeof *triangles * CORNERS), count;
    assert_true(text != NULL && triangles != NULL);
    size_t length = 0;
    for (int i = 0; i < CORNERS; i++) // a zigzag: no corner is an ear but the outermost
        length += (size_t)sprintf(text + length, "v %d %d 0\n", i % 2 ? CORNERS : i / 2, i);
    length += (size_t)sprintf(text + length, "f");
    for (int i = 0; i < CORNERS; i++)
        length += (size_t)sprintf(text + length, " %d", i + 1);
    trv_mesh *mesh = read_text(text);
    expect_result(trv_mesh_triangulate(mesh, 0, triangles, CORNERS, &count), TRV_OK);
    assert_int_equal(count, CORNERS - 2);
    trv_mesh_destroy(mesh);
    free(text);
    free(triangles);
}

// No corner is an ear, and each is on the sides of every triangle: faces get a share of the time.
static void faces_that_repeat_their_corners_end(void **state)
{
    (void)state;
    enum { CORNERS = 3000, FACES = 3 };
    static char text[8 * CORNERS * FACES];
    static uint32_t triangles[3 * CORNERS * FACES];
    size_t length = (size_t)sprintf(text, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (int f = 0; f < FACES; f++) {
        length += (size_t)sprintf(text + length, "f");
        for (int i = 0; i < CORNERS / 3; i++)
            length += (size_t)sprintf(text + length, " 1 2 3");
        length += (size_t)sprintf(text + length, "\n");
    }
    trv_mesh *mesh = read_text(text);
    uint32_t count;
    expect_result(trv_mesh_triangulate(mesh, 0, triangles, CORNERS * FACES, &count), TRV_OK);
    assert_int_equal(count, (CORNERS - 2) * FACES);
    trv_mesh_destroy(mesh);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_obj_def def = trv_default_obj_def();
    def.allocator = test_allocator(&memory);
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv .1 .1 0\nf 1 2 4 3\n";
    trv_mesh *mesh;
    uint32_t triangles[6], count = 7;
    expect_result(trv_mesh_read_obj_memory(text, sizeof text - 1, &def, &mesh, NULL), TRV_OK);
    expect_result(trv_mesh_triangulate(mesh, 0, triangles, 2, NULL), TRV_ERROR_NULL);
    expect_result(trv_mesh_triangulate(NULL, 0, triangles, 2, &count), TRV_ERROR_NULL);
    assert_int_equal(count, 0);
    expect_result(trv_mesh_triangulate(mesh, 0, NULL, 2, &count), TRV_ERROR_NULL);
    expect_result(trv_mesh_triangulate(mesh, 1, triangles, 2, &count), TRV_ERROR_INDEX);
    expect_result(trv_mesh_triangulate(mesh, 0, triangles, 1, &count), TRV_ERROR_LIMIT);
    assert_int_equal(count, 0);
    expect_result(trv_mesh_triangulate(mesh, 0, NULL, 0, &count), TRV_OK);
    assert_int_equal(count, 2);
    memory.fail_at = memory.calls;
    expect_result(trv_mesh_triangulate(mesh, 0, triangles, 2, &count), TRV_ERROR_MEMORY);
    assert_int_equal(count, 0);
    trv_mesh_destroy(mesh);
    assert_int_equal(memory.live, 0);
    mesh = read_text("v 0 0 0\n"); // no face
    expect_result(trv_mesh_triangulate(mesh, 0, triangles, 2, &count), TRV_OK);
    assert_int_equal(count, 0);
    trv_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concave_faces_are_cut_inside_their_outline),
        cmocka_unit_test(warped_faces_are_cut_as_seen_along_their_normal),
        cmocka_unit_test(a_spiral_of_many_turns_is_cut_inside_its_outline),
        cmocka_unit_test(faces_of_grid_points_with_straight_corners_are_cut_exactly),
        cmocka_unit_test(a_hole_joined_by_a_bridge_stays_a_hole),
        cmocka_unit_test(convex_faces_are_fans),
        cmocka_unit_test(a_concave_quad_is_cut_at_its_notch),
        cmocka_unit_test(any_face_keeps_its_vector_area),
        cmocka_unit_test(a_face_of_very_many_corners_ends),
        cmocka_unit_test(faces_that_repeat_their_corners_end),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
