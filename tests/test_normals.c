// Normals of faces and vertices: closed forms, sums in long double, and the normals of files.
#include "support.h"

#include <trivet/mesh.h>

#include "math/math.h"

#define CUBE_POINTS                                                                                \
    "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n"
#define CUBE CUBE_POINTS "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"

static trv_mesh *read_text(const char *text, bool keep_normals, trv_obj_report *report)
{
    trv_obj_def def = trv_default_obj_def();
    trv_mesh *mesh;
    trv_obj_report own;
    def.keep_normals = keep_normals;
    report = report ? report : &own;
    if (trv_mesh_read_obj_memory(text, strlen(text), &def, &mesh, report) != TRV_OK)
        fail_msg("%u:%u %s", report->line, report->column, report->reason);
    return mesh;
}

static trv_mesh *mesh_of(const char *text)
{
    return read_text(text, false, NULL);
}

// The sides and both ends of a prism whose vertices stand in pairs: below, above. Gives the length.
static size_t write_prism_faces(char *text, int n)
{
    size_t length = 0;
    for (int i = 0; i < n; i++) {
        int a = 2 * i + 1, b = 2 * ((i + 1) % n) + 1;
        length += (size_t)sprintf(text + length, "f %d %d %d %d\n", a, b, b + 1, a + 1);
    }
    for (int cap = 0; cap < 2; cap++) {
        length += (size_t)sprintf(text + length, "f");
        for (int i = 0; i < n; i++)
            length += (size_t)sprintf(text + length, " %d", cap ? 2 * i + 2 : 2 * (n - 1 - i) + 1);
        length += (size_t)sprintf(text + length, "\n");
    }
    return length;
}

static void expect_vector(trv_vec3 v, double x, double y, double z, double tolerance)
{
    expect_near(v.x, x, tolerance);
    expect_near(v.y, y, tolerance);
    expect_near(v.z, z, tolerance);
}

static void expect_direction(trv_vec3 v, trvi_dvec3 wanted, double tolerance)
{
    double scale = 1.0 / trvi_dlength(wanted);
    expect_vector(v, wanted.x * scale, wanted.y * scale, wanted.z * scale, tolerance);
}

static void cubes_have_the_normals_of_their_axes_to_the_bit(void **state)
{
    (void)state;
    static const trv_vec3 axes[6] = {{0, 0, -1}, {0, 0, 1},  {0, -1, 0},
                                     {0, 1, 0},  {-1, 0, 0}, {1, 0, 0}};
    trv_mesh *mesh = mesh_of(CUBE);
    trv_vec3 out[8];
    trv_normal_report report = {9, 9};
    expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_CROSS, out, 6, &report), TRV_OK);
    assert_true(report.zero == 0 && report.replaced == 0);
    for (int f = 0; f < 6; f++)
        expect_vector(out[f], (double)axes[f].x, (double)axes[f].y, (double)axes[f].z, 0.0);
    for (int how = 0; how < 2; how++) {
        expect_result(trv_mesh_vertex_normals(mesh, (trv_vertex_normal)how, out, 8, &report),
                      TRV_OK);
        assert_int_equal(report.zero, 0);
        for (int i = 0; i < 8; i++)
            expect_direction(out[i], (trvi_dvec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1},
                             1.0e-7);
    }
    trv_mesh_destroy(mesh);
}

// A regular prism: its sides look outward between two corners, its corners in between their faces.
static void prisms_have_the_normals_that_geometry_gives(void **state)
{
    (void)state;
    for (int n = 3; n < 40; n++) {
        static char text[16000];
        trv_vec3 out[80];
        size_t length = 0;
        const double step = 6.283185307179586 / n;
        for (int i = 0; i < 2 * n; i++)
            length += (size_t)sprintf(text + length, "v %.9g %.9g %d\n", 5.0 * cos(step * (i / 2)),
                                      5.0 * sin(step * (i / 2)), i % 2);
        length += write_prism_faces(text + length, n);
        trv_mesh *mesh = mesh_of(text);
        expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_CROSS, out, 80, NULL), TRV_OK);
        for (int i = 0; i < n; i++)
            expect_vector(out[i], cos(step * (i + 0.5)), sin(step * (i + 0.5)), 0.0, 2.0e-6);
        expect_vector(out[n], 0.0, 0.0, -1.0, 1.0e-7);
        expect_vector(out[n + 1], 0.0, 0.0, 1.0, 1.0e-7);
        // Two right angles of the sides; the cap has pi - step.
        expect_result(trv_mesh_vertex_normals(mesh, TRV_VERTEX_NORMAL_ANGLE, out, 80, NULL),
                      TRV_OK);
        double side = 3.141592653589793 * cos(0.5 * step), cap = 3.141592653589793 - step;
        for (int i = 0; i < 2 * n; i++)
            expect_direction(out[i],
                             (trvi_dvec3){side * cos(step * (i / 2)), side * sin(step * (i / 2)),
                                          i % 2 ? cap : -cap},
                             2.0e-6);
        // Two sides of the same area; the cap's is 12.5 n sin(step).
        expect_result(trv_mesh_vertex_normals(mesh, TRV_VERTEX_NORMAL_AREA, out, 80, NULL), TRV_OK);
        side = 20.0 * sin(0.5 * step) * cos(0.5 * step);
        cap = 12.5 * n * sin(step);
        for (int i = 0; i < 2 * n; i++)
            expect_direction(out[i],
                             (trvi_dvec3){side * cos(step * (i / 2)), side * sin(step * (i / 2)),
                                          i % 2 ? cap : -cap},
                             2.0e-6);
        trv_mesh_destroy(mesh);
    }
}

// A torus of quads that bend: face normals are those of their diagonals, and by the symmetry of its grid
// vertex normals lie in the plane through its axis.
static void tori_have_normals_that_follow_their_surface(void **state)
{
    (void)state;
    enum { N = 24, M = 16 };
    static char text[40000];
    static trv_vec3 out[N * M];
    size_t length = 0;
    for (int i = 0; i < N * M; i++) {
        double u = 6.283185307179586 * (i / M) / N, v = 6.283185307179586 * (i % M) / M;
        length += (size_t)sprintf(text + length, "v %.9g %.9g %.9g\n", (2.0 + cos(v)) * cos(u),
                                  (2.0 + cos(v)) * sin(u), sin(v));
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            int k = (i + 1) % N, l = (j + 1) % M;
            length += (size_t)sprintf(text + length, "f %d %d %d %d\n", i * M + j + 1,
                                      k * M + j + 1, k * M + l + 1, i * M + l + 1);
        }
    trv_mesh *mesh = mesh_of(text);
    const trv_vec3 *p = trv_mesh_vertices(mesh, NULL);
    const uint32_t *corners;
    uint32_t faces = trv_mesh_faces(mesh, NULL, &corners);
    expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_CROSS, out, N * M, NULL), TRV_OK);
    for (uint32_t f = 0; f < faces; f++) {
        const uint32_t *c = corners + 4 * f;
        trvi_dvec3 ac = trvi_dsub(trvi_dvec3_from(p[c[2]]), trvi_dvec3_from(p[c[0]]));
        trvi_dvec3 bd = trvi_dsub(trvi_dvec3_from(p[c[3]]), trvi_dvec3_from(p[c[1]]));
        expect_direction(out[f], trvi_dcross(ac, bd), 1.0e-7);
    }
    for (int how = 0; how < 2; how++) {
        expect_result(trv_mesh_vertex_normals(mesh, (trv_vertex_normal)how, out, N * M, NULL),
                      TRV_OK);
        for (int i = 0; i < N * M; i++) {
            double u = 6.283185307179586 * (i / M) / N, v = 6.283185307179586 * (i % M) / M;
            trvi_dvec3 n = trvi_dvec3_from(out[i]);
            expect_near(n.x * sin(u) - n.y * cos(u), 0.0, 1.0e-6);
            double along = n.x * cos(u) * cos(v) + n.y * sin(u) * cos(v) + n.z * sin(v);
            assert_true(along > (how == TRV_VERTEX_NORMAL_ANGLE ? 0.9995 : 0.99));
        }
    }
    trv_mesh_destroy(mesh);
}

// However its flat sides are cut, a solid has the same normals by angle, and others by area.
static void normals_by_angle_do_not_depend_on_how_flat_sides_are_cut(void **state)
{
    (void)state;
    static const char *const plans[] = {"0 0 4 0 4 1 1 1 1 3 0 3", // an L, and a star with slits
                                        "0 0 3 2 6 0 4 3 6 6 3 4 0 6 2 3"};
    double most = 0.0;
    for (int round = 0; round < 40; round++) {
        char text[4000];
        const char *plan = plans[round % 2];
        int n = round % 2 ? 8 : 6, used = 0;
        size_t length = 0;
        test_random random = {(uint64_t)round};
        trv_quat turn = random_quat(&random);
        for (int i = 0; i < n; i++) {
            int x, y, read;
            assert_int_equal(sscanf(plan + used, "%d %d%n", &x, &y, &read), 2);
            used += read;
            for (int z = 0; z < 2; z++) {
                trv_vec3 p = trv_rotate(turn, trvi_vec3((float)x, (float)y, (float)(2 * z)));
                length += (size_t)sprintf(text + length, "v %.9g %.9g %.9g\n", (double)p.x,
                                          (double)p.y, (double)p.z);
            }
        }
        size_t points = length;
        length += write_prism_faces(text + length, n);
        trv_mesh *whole = mesh_of(text);
        uint32_t triangles[3 * 64], count;
        expect_result(trv_mesh_triangulate(whole, 0, triangles, 64, &count), TRV_OK);
        length = points;
        for (uint32_t i = 0; i < count; i++)
            length += (size_t)sprintf(text + length, "f %u %u %u\n", triangles[3 * i] + 1,
                                      triangles[3 * i + 1] + 1, triangles[3 * i + 2] + 1);
        trv_mesh *cut = mesh_of(text);
        trv_vec3 a[16], b[16];
        expect_result(trv_mesh_vertex_normals(whole, TRV_VERTEX_NORMAL_ANGLE, a, 16, NULL), TRV_OK);
        expect_result(trv_mesh_vertex_normals(cut, TRV_VERTEX_NORMAL_ANGLE, b, 16, NULL), TRV_OK);
        for (int i = 0; i < 2 * n; i++)
            expect_vector(a[i], (double)b[i].x, (double)b[i].y, (double)b[i].z, 2.0e-6);
        expect_result(trv_mesh_vertex_normals(cut, TRV_VERTEX_NORMAL_AREA, b, 16, NULL), TRV_OK);
        for (int i = 0; i < 2 * n; i++)
            most = fmax(most, fabs((double)(a[i].x - b[i].x)));
        trv_mesh_destroy(whole);
        trv_mesh_destroy(cut);
    }
    assert_true(most > 0.1);
}

// Newell's sum as he has it, over random polygons that bend and cross themselves; and the mean of the
// corners' angles, with the C runtime's arc cosine, over random triangles.
static void random_faces_agree_with_sums_in_long_double(void **state)
{
    (void)state;
    const uint64_t seed = 31;
    print_message("seed %llu\n", (unsigned long long)seed);
    test_random random = {seed};
    for (int round = 0; round < 2000; round++) {
        char text[2000];
        trv_vec3 p[12], out[12];
        int n = round % 2 ? 3 : 3 + (int)(random_bits(&random) % 10);
        float size = exp2f(random_float(&random, -20.0f, 20.0f));
        trv_vec3 place = random_vec3(&random, 10.0f * size);
        size_t length = 0;
        for (int i = 0; i < n; i++) {
            p[i] = trvi_add(random_vec3(&random, size), place);
            length += (size_t)sprintf(text + length, "v %.9g %.9g %.9g\n", (double)p[i].x,
                                      (double)p[i].y, (double)p[i].z);
        }
        length += (size_t)sprintf(text + length, "f");
        for (int i = 0; i < n; i++)
            length += (size_t)sprintf(text + length, " %d", i + 1);
        trv_mesh *mesh = mesh_of(text);
        long double x = 0, y = 0, z = 0;
        for (int i = 0; i < n; i++) {
            trv_vec3 a = p[i], b = p[(i + 1) % n];
            x += ((long double)a.y - b.y) * ((long double)a.z + b.z);
            y += ((long double)a.z - b.z) * ((long double)a.x + b.x);
            z += ((long double)a.x - b.x) * ((long double)a.y + b.y);
        }
        trvi_dvec3 normal = {(double)x, (double)y, (double)z};
        expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_CROSS, out, 12, NULL), TRV_OK);
        expect_direction(out[0], normal, 1.0e-6);
        for (int how = 0; how < 2; how++) { // with one face, all its corners have its normal
            expect_result(trv_mesh_vertex_normals(mesh, (trv_vertex_normal)how, out, 12, NULL),
                          TRV_OK);
            for (int i = 0; i < n && (how == TRV_VERTEX_NORMAL_AREA || n == 3); i++)
                expect_direction(out[i], normal, 1.0e-6);
        }
        trv_mesh_destroy(mesh);
    }
}

static void fans_of_triangles_agree_with_angles_by_arc_cosine(void **state)
{
    (void)state;
    test_random random = {88};
    for (int round = 0; round < 500; round++) {
        char text[2000];
        int n = 1 + (int)(random_bits(&random) % 9);
        trv_vec3 p[11], out[11];
        size_t length = 0;
        for (int i = 0; i < n + 2; i++) {
            p[i] = i == 0 ? random_vec3(&random, 0.1f) : random_vec3(&random, 3.0f);
            p[i].z += i == 0 ? 4.0f : 0.0f;
            length += (size_t)sprintf(text + length, "v %.9g %.9g %.9g\n", (double)p[i].x,
                                      (double)p[i].y, (double)p[i].z);
        }
        trvi_dvec3 sum = {0, 0, 0};
        double gross = 0.0;
        for (int i = 1; i <= n; i++) {
            length += (size_t)sprintf(text + length, "f %d %d 1\n", i + 1, i + 2);
            trvi_dvec3 a = trvi_dsub(trvi_dvec3_from(p[i]), trvi_dvec3_from(p[0]));
            trvi_dvec3 b = trvi_dsub(trvi_dvec3_from(p[i + 1]), trvi_dvec3_from(p[0]));
            trvi_dvec3 cross = trvi_dcross(a, b);
            double angle = acos(trvi_ddot(a, b) / (trvi_dlength(a) * trvi_dlength(b)));
            sum = trvi_dmul_add(sum, cross, angle / trvi_dlength(cross));
            gross += angle;
        }
        trv_mesh *mesh = mesh_of(text);
        expect_result(trv_mesh_vertex_normals(mesh, TRV_VERTEX_NORMAL_ANGLE, out, 11, NULL),
                      TRV_OK);
        expect_direction(out[0], sum, 1.0e-6 * gross / trvi_dlength(sum));
        trv_mesh_destroy(mesh);
    }
}

// Corners b and c so near that the cross product at a is lost in double; the one at b is not.
static void slivers_have_normals_as_good_as_any(void **state)
{
    (void)state;
    test_random random = {12};
    int lost = 0;
    for (int round = 0; round < 2000; round++) {
        char text[400];
        trv_vec3 out[1], a = random_vec3(&random, 100.0f), b = random_vec3(&random, 1000.0f), c = b;
        b.z = c.z = random_float(&random, 1.0e-5f, 1.0e-4f);
        b.y = c.y = random_float(&random, 1.0e-5f, 1.0e-4f);
        c.z = nextafterf(c.z, 1.0f);
        c.y = nextafterf(c.y, round % 2 ? 1.0f : 0.0f);
        trvi_dvec3 ab = trvi_dsub(trvi_dvec3_from(b), trvi_dvec3_from(a));
        trvi_dvec3 ac = trvi_dsub(trvi_dvec3_from(c), trvi_dvec3_from(a));
        trvi_dvec3 bc = trvi_dsub(trvi_dvec3_from(c), trvi_dvec3_from(b));
        trvi_dvec3 wanted = trvi_dcross(ab, bc), naive = trvi_dcross(ab, ac);
        trvi_dvec3 error = trvi_dsub(wanted, naive);
        lost += trvi_dlength(error) > 1.0e-6 * trvi_dlength(wanted);
        sprintf(text, "v %.9g %.9g %.9g\nv %.9g %.9g %.9g\nv %.9g %.9g %.9g\nf 1 2 3\n",
                (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y, (double)b.z,
                (double)c.x, (double)c.y, (double)c.z);
        trv_mesh *mesh = mesh_of(text);
        expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_CROSS, out, 1, NULL), TRV_OK);
        expect_direction(out[0], wanted, 2.0e-7);
        trv_mesh_destroy(mesh);
    }
    assert_true(lost > 1000);
}

static void faces_without_area_have_none_and_are_counted(void **state)
{
    (void)state;
    trv_mesh *mesh =
        mesh_of("v .1 .2 .3\nv .2 .4 .6\nv .4 .8 1.2\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                "v 7 7 7\nv 1e-38 0 0\nv 0 1e-38 0\n"
                "f 1 2 3\nf 1 1 2\nf 4 4 4\nf 4 6 5 7\nf 4 5 4 5\nf 4 5 6 7\nf 7 7 6 5 5 4 4\n"
                "f 4 9 10\n");
    trv_vec3 out[10];
    trv_normal_report report;
    expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_CROSS, out, 10, &report), TRV_OK);
    assert_int_equal(report.zero, 5); // among them the figure of eight
    for (int f = 0; f < 5; f++)
        expect_vector(out[f], 0.0, 0.0, 0.0, 0.0);
    expect_vector(out[5], 0.0, 0.0, 1.0, 0.0);
    expect_vector(out[6], 0.0, 0.0, -1.0, 0.0);
    expect_vector(out[7], 0.0, 0.0, 1.0, 0.0); // however small
    for (int how = 0; how < 2; how++) {
        expect_result(trv_mesh_vertex_normals(mesh, (trv_vertex_normal)how, out, 10, &report),
                      TRV_OK);
        expect_vector(out[0], 0.0, 0.0, 0.0, 0.0); // of no face with an area
        expect_vector(out[7], 0.0, 0.0, 0.0, 0.0); // of no face
        expect_vector(out[9], 0.0, 0.0, 1.0, 0.0);
    }
    trv_mesh_destroy(mesh);
}

// A sheet seen from both sides has two normals at each vertex, which cancel but for rounding.
static void normals_of_both_sides_of_a_sheet_cancel(void **state)
{
    (void)state;
    test_random random = {61};
    for (int round = 0; round < 300; round++) {
        char text[600];
        size_t length = 0;
        trv_quat turn = random_quat(&random);
        trv_vec3 place = random_vec3(&random, 5.0f);
        for (int i = 0; i < 5; i++) {
            trv_vec3 p = {cosf(1.2566f * (float)i), sinf(1.2566f * (float)i), 0.0f};
            p = trvi_add(trv_rotate(turn, p), place);
            length += (size_t)sprintf(text + length, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y,
                                      (double)p.z);
        }
        strcpy(text + length, "f 1 2 3 4 5\nf 3 2 1 5 4\n");
        trv_mesh *mesh = mesh_of(text);
        trv_normal_report report;
        trv_vec3 out[5];
        for (int how = 0; how < 2; how++) {
            expect_result(trv_mesh_vertex_normals(mesh, (trv_vertex_normal)how, out, 5, &report),
                          TRV_OK);
            assert_int_equal(report.zero, 5);
        }
        trv_mesh_destroy(mesh);
    }
}

// Faces that go along a path and back have no area, though the sum of their triangles rounds.
static void faces_that_go_there_and_back_have_no_normal(void **state)
{
    (void)state;
    test_random random = {62};
    for (int round = 0; round < 300; round++) {
        char text[600];
        size_t length = 0;
        for (int i = 0; i < 6; i++) {
            trv_vec3 p = random_vec3(&random, exp2f(random_float(&random, -12.0f, 4.0f)));
            length += (size_t)sprintf(text + length, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y,
                                      (double)p.z);
        }
        strcpy(text + length, "f 1 2 3 4 5 6 5 4 3 2\n");
        trv_mesh *mesh = mesh_of(text);
        trv_vec3 out[1];
        expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_CROSS, out, 1, NULL), TRV_OK);
        expect_vector(out[0], 0.0, 0.0, 0.0, 0.0);
        trv_mesh_destroy(mesh);
    }
}

static void corners_that_are_repeated_change_nothing(void **state)
{
    (void)state;
    trv_mesh *plain = mesh_of("v 0 0 0\nv 3 0 0\nv 2 2 1\nv 0 1 4\nf 1 2 3\nf 1 3 4\nf 2 4 3\n");
    trv_mesh *repeated = mesh_of("v 0 0 0\nv 3 0 0\nv 2 2 1\nv 0 1 4\n"
                                 "f 1 1 1 2 2 3\nf 4 1 1 3 3 4 4\nf 2 4 3 3\n");
    trv_vec3 a[4], b[4];
    expect_result(trv_mesh_face_normals(plain, TRV_FACE_NORMAL_CROSS, a, 4, NULL), TRV_OK);
    expect_result(trv_mesh_face_normals(repeated, TRV_FACE_NORMAL_CROSS, b, 4, NULL), TRV_OK);
    for (int i = 0; i < 3; i++)
        expect_vector(a[i], (double)b[i].x, (double)b[i].y, (double)b[i].z, 1.0e-7);
    expect_result(trv_mesh_vertex_normals(plain, TRV_VERTEX_NORMAL_ANGLE, a, 4, NULL), TRV_OK);
    expect_result(trv_mesh_vertex_normals(repeated, TRV_VERTEX_NORMAL_ANGLE, b, 4, NULL), TRV_OK);
    for (int i = 0; i < 4; i++)
        expect_vector(a[i], (double)b[i].x, (double)b[i].y, (double)b[i].z, 2.0e-7);
    trv_mesh_destroy(plain);
    trv_mesh_destroy(repeated);
}

// All faces lie in z = 0; what the file says of them is what the mean is, or they get their own.
static void averages_follow_the_file_and_not_the_face(void **state)
{
    (void)state;
    trv_vec3 out[8];
    trv_normal_report report;
    static const char text[] =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvn 0 0 5\nvn 3 0 0\nvn 0 .1 0\nvn 0 0 0\nvn 0 0 -2\n"
        "f 1//1 2//2 3//3\n"      // of any length, each counts once
        "f 1//1 2//1 4//1 3//2\n" // not perpendicular
        "f 1 2//2 3//3\nf 1//4 2//2 3//3\nf 1//1 2//5 4//1 3//5\nf 1//9 2//1 3//1\nf 1 1//1 2//1\n"
        "f 1//1 1//1 1//1\n";
    trv_mesh *mesh = read_text(text, true, NULL);
    expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_AVERAGE, out, 8, &report), TRV_OK);
    expect_direction(out[0], (trvi_dvec3){1, 1, 1}, 1.0e-7);
    expect_direction(out[1], (trvi_dvec3){1, 0, 3}, 1.0e-7);
    for (int f = 2; f < 6;
         f++) // one without, one of no length, two that cancel, one that is not there
        expect_vector(out[f], 0.0, 0.0, 1.0, 0.0);
    expect_vector(out[6], 0.0, 0.0, 0.0, 0.0); // neither has it
    expect_vector(out[7], 0.0, 0.0, 1.0, 0.0); // no area, but normals
    assert_int_equal(report.replaced, 5);
    assert_int_equal(report.zero, 1);
    trv_mesh_destroy(mesh);
    mesh = mesh_of(text); // not kept
    expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_AVERAGE, out, 8, &report), TRV_OK);
    assert_int_equal(report.replaced, 8);
    expect_vector(out[0], 0.0, 0.0, 1.0, 0.0);
    trv_mesh_destroy(mesh);
}

static void normals_of_a_file_are_kept_on_request_only(void **state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 1 2 3\n"
                               "f 1//1 2//1\nf 1//-1 2/7/2 3//3\nvn 1 2 # short\nvn 1e99 0 0\n"
                               "vn 1 nan 0\nvn -1 0 .5 extra\nf 1//5 2//4 3\nf 1//6 2//0 3//-6\n"
                               "f 1//99999999999 2/1 3/1/1\n";
    static const uint32_t wanted[] = {0,
                                      1,
                                      2,
                                      4,
                                      3,
                                      TRV_NO_NORMAL,
                                      TRV_NO_NORMAL,
                                      TRV_NO_NORMAL,
                                      TRV_NO_NORMAL,
                                      TRV_NO_NORMAL,
                                      TRV_NO_NORMAL,
                                      0};
    trv_obj_report kept, skipped;
    trv_mesh *mesh = read_text(text, true, &kept);
    uint32_t count;
    const uint32_t *of_corners;
    const trv_vec3 *normals = trv_mesh_normals(mesh, &count, &of_corners);
    assert_int_equal(count, 5);
    expect_vector(normals[0], 1.0, 2.0, 3.0, 0.0);
    for (int i = 1; i < 4; i++)
        expect_vector(normals[i], 0.0, 0.0, 0.0, 0.0);
    expect_vector(normals[4], -1.0, 0.0, 0.5, 0.0);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        assert_int_equal(of_corners[i], wanted[i]);
    assert_int_equal(kept.ignored_lines, 3);
    trv_mesh_destroy(mesh);
    mesh = read_text(text, false, &skipped);
    of_corners = wanted;
    assert_null(trv_mesh_normals(mesh, &count, &of_corners));
    assert_true(count == 0 && of_corners == NULL);
    assert_int_equal(skipped.ignored_lines, 5);
    assert_int_equal(skipped.ignored_indices, kept.ignored_indices);
    trv_mesh_destroy(mesh);
    mesh = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2//1 3//1\n", true, NULL);
    assert_null(trv_mesh_normals(mesh, &count, &of_corners));
    assert_true(count == 0 && of_corners == NULL);
    trv_mesh_destroy(mesh);
    assert_null(trv_mesh_normals(NULL, &count, NULL));
    trv_obj_def def = trv_default_obj_def();
    assert_false(def.keep_normals);
    def.keep_normals = true;
    def.max_vertices = 4;
    expect_result(trv_mesh_read_obj_memory(text, sizeof text - 1, &def, &mesh, &kept),
                  TRV_ERROR_LIMIT);
    assert_int_equal(kept.line, 10);
    assert_null(mesh);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    trv_mesh *mesh = mesh_of(CUBE);
    trv_vec3 out[8] = {{1, 1, 1}, {1, 1, 1}};
    trv_normal_report report = {7, 7};
    expect_result(trv_mesh_face_normals(NULL, TRV_FACE_NORMAL_CROSS, out, 2, &report),
                  TRV_ERROR_NULL);
    assert_true(report.zero == 0 && report.replaced == 0);
    expect_vector(out[1], 0.0, 0.0, 0.0, 0.0);
    expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_CROSS, NULL, 6, NULL),
                  TRV_ERROR_NULL);
    expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_CROSS, NULL, 0, NULL),
                  TRV_ERROR_LIMIT);
    expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_CROSS, out, 5, NULL),
                  TRV_ERROR_LIMIT);
    expect_result(trv_mesh_face_normals(mesh, (trv_face_normal)2, out, 6, NULL), TRV_ERROR_RANGE);
    report = (trv_normal_report){7, 7};
    out[1].x = 1.0f;
    expect_result(trv_mesh_vertex_normals(NULL, TRV_VERTEX_NORMAL_AREA, out, 2, &report),
                  TRV_ERROR_NULL);
    assert_true(report.zero == 0 && report.replaced == 0 && out[1].x == 0.0f);
    expect_result(trv_mesh_vertex_normals(mesh, TRV_VERTEX_NORMAL_AREA, NULL, 8, NULL),
                  TRV_ERROR_NULL);
    out[6].x = 1.0f;
    expect_result(trv_mesh_vertex_normals(mesh, TRV_VERTEX_NORMAL_AREA, out, 7, NULL),
                  TRV_ERROR_LIMIT);
    assert_true(out[6].x == 0.0f);
    expect_result(trv_mesh_vertex_normals(mesh, (trv_vertex_normal)2, out, 8, NULL),
                  TRV_ERROR_RANGE);
    trv_mesh_destroy(mesh);
    mesh = mesh_of("v 0 0 0\n"); // no face
    expect_result(trv_mesh_face_normals(mesh, TRV_FACE_NORMAL_CROSS, NULL, 0, &report), TRV_OK);
    expect_result(trv_mesh_vertex_normals(mesh, TRV_VERTEX_NORMAL_ANGLE, out, 1, &report), TRV_OK);
    assert_int_equal(report.zero, 1);
    trv_mesh_destroy(mesh);
}

static void every_failing_allocation_leaves_nothing(void **state)
{
    (void)state;
    static const char text[] = "f 1//1 2//1 3//2\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nvn 0 1 0\n"
                               "f 1//1 2//1 3//2 1//1 2//2 3//1\n";
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_obj_def def = trv_default_obj_def();
    def.allocator = test_allocator(&memory);
    def.keep_normals = true;
    trv_mesh *mesh = NULL;
    size_t failures = 0;
    for (;; failures++) {
        memory.calls = 0;
        memory.fail_at = failures;
        trv_result result = trv_mesh_read_obj_memory(text, sizeof text - 1, &def, &mesh, NULL);
        if (result == TRV_OK)
            break;
        expect_result(result, TRV_ERROR_MEMORY);
        assert_true(mesh == NULL && memory.live == 0 && memory.bytes == 0);
    }
    assert_true(failures > 8);
    trv_vec3 out[3] = {{1, 1, 1}};
    size_t live = memory.live;
    memory.fail_at = memory.calls;
    expect_result(trv_mesh_vertex_normals(mesh, TRV_VERTEX_NORMAL_ANGLE, out, 3, NULL),
                  TRV_ERROR_MEMORY);
    expect_vector(out[0], 0.0, 0.0, 0.0, 0.0);
    assert_int_equal(memory.live, live);
    trv_mesh_destroy(mesh);
    assert_true(memory.live == 0 && memory.bytes == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_have_the_normals_of_their_axes_to_the_bit),
        cmocka_unit_test(prisms_have_the_normals_that_geometry_gives),
        cmocka_unit_test(tori_have_normals_that_follow_their_surface),
        cmocka_unit_test(normals_by_angle_do_not_depend_on_how_flat_sides_are_cut),
        cmocka_unit_test(random_faces_agree_with_sums_in_long_double),
        cmocka_unit_test(fans_of_triangles_agree_with_angles_by_arc_cosine),
        cmocka_unit_test(slivers_have_normals_as_good_as_any),
        cmocka_unit_test(faces_without_area_have_none_and_are_counted),
        cmocka_unit_test(normals_of_both_sides_of_a_sheet_cancel),
        cmocka_unit_test(faces_that_go_there_and_back_have_no_normal),
        cmocka_unit_test(corners_that_are_repeated_change_nothing),
        cmocka_unit_test(averages_follow_the_file_and_not_the_face),
        cmocka_unit_test(normals_of_a_file_are_kept_on_request_only),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(every_failing_allocation_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
