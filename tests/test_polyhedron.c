// Topology and convexity of surfaces: small solids with one thing wrong each, and random ones
// against a brute-force oracle.
#include "support.h"

#include <trivet/mesh.h>

#include "math/math.h"

// Corner bits: 1 is +x, 2 is +y, 4 is +z; vertex n of the text is corner n - 1.
#define CUBE_POINTS                                                                                \
    "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n"
#define CUBE_SIDES "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\n" // all but +x
#define CUBE       CUBE_POINTS CUBE_SIDES "f 2 4 8 6\n"

static trv_mesh *mesh_of(const char *text)
{
    trv_obj_def def = trv_default_obj_def();
    trv_mesh *mesh;
    trv_obj_report report;
    if (trv_mesh_read_obj_memory(text, strlen(text), &def, &mesh, &report) != TRV_OK) {
        print_error("%u:%u %s\n", report.line, report.column, report.reason);
        fail();
    }
    return mesh;
}

static trv_mesh_topology check_part(const char *text, uint32_t part)
{
    trv_mesh *mesh = mesh_of(text);
    trv_mesh_topology topology;
    expect_result(trv_mesh_check(mesh, part, &topology), TRV_OK);
    trv_mesh_destroy(mesh);
    return topology;
}

typedef struct solid_case {
    const char *name;
    const char *text;
    bool closed, manifold, oriented, convex;
    uint32_t open_face, nonmanifold_face, concave_face, welded, boundary_edges;
} solid_case;

#define NONE TRV_NO_FACE

static const solid_case solids[] = {
    {"a cube", CUBE, true, true, true, true, NONE, NONE, NONE, 0, 0},
    {"a cube and a stray vertex", CUBE "v 9 9 9\n", true, true, true, true, NONE, NONE, NONE, 0, 0},
    {"a cube without its last face", CUBE_POINTS CUBE_SIDES, false, true, true, false, 0, NONE,
     NONE, 0, 4},
    {"a cube with its last face turned", CUBE_POINTS CUBE_SIDES "f 6 8 4 2\n", false, true, false,
     false, 0, NONE, NONE, 0, 0},
    {"a cube inside out",
     CUBE_POINTS "f 2 4 3 1\nf 7 8 6 5\nf 5 6 2 1\nf 4 8 7 3\nf 3 7 5 1\nf 6 8 4 2\n", true, true,
     true, false, NONE, NONE, 0, 0, 0},
    {"a cube with one face as two triangles and a vertex repeated",
     CUBE_POINTS CUBE_SIDES "f 2 4 8\nf 2 2 8 8 6\nf 1 1 2\nf 4 4 4\n", true, true, true, true,
     NONE, NONE, NONE, 0, 0},
    {"a cube with a face twice", CUBE "f 2 4 8 6\n", false, false, false, false, 0, 0, NONE, 0, 0},
    {"a cube with an inner wall", CUBE "f 1 2 8 7\n", false, false, false, false, 0, 0, NONE, 0, 0},
    {"a cube whose faces share no vertex",
     "v -1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv 1 -1 -1\nf -4 -3 -2 -1\n"
     "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nf -4 -3 -2 -1\n"
     "v -1 -1 -1\nv 1 -1 -1\nv 1 -1 1\nv -1 -1 1\nf -4 -3 -2 -1\n"
     "v -1 1 -1\nv -1 1 1\nv 1 1 1\nv 1 1 -1\nf -4 -3 -2 -1\n"
     "v -1 -1 -1\nv -1 -1 1\nv -1 1 1\nv -1 1 -1\nf -4 -3 -2 -1\n"
     "v 1 -1 -1\nv 1 1 -1\nv 1 1 1\nv 1 -1 1\nf -4 -3 -2 -1\n",
     true, true, true, true, NONE, NONE, NONE, 16, 0},
    {"a tetrahedron about zero and minus zero",
     "v 0 0 0\nv 1 -0 0\nv 0 1 -0\nv -0 0 1\nv 0 -0 -0\nv 1 0 -0\n"
     "f 1 3 2\nf 5 2 4\nf 1 4 3\nf 6 3 4\n",
     true, true, true, true, NONE, NONE, NONE, 2, 0},
    {"a square seen from both sides", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 4 3 2 1\n",
     true, true, true, false, NONE, NONE, NONE, 0, 0},
    {"a triangle seen from both sides", "v 0 .1 0\nv 1 0 .3\nv 1 1 .7\nf 1 2 3\nf 3 2 1\n", true,
     true, true, false, NONE, NONE, NONE, 0, 0},
    {"a single triangle", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", false, true, true, false, 0, NONE,
     NONE, 0, 3},
    {"three triangles at one edge",
     "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n", false, false,
     false, false, 0, 0, NONE, 0, 6},
    {"points only", "v 0 0 0\nv 1 0 0\n", false, false, false, false, NONE, NONE, NONE, 0, 0},
    {"faces without area", "v 0 0 0\nv 1 0 0\nv 0 0 0\nf 1 2 3\nf 1 1 2\n", false, false, false,
     false, NONE, NONE, NONE, 1, 0},
};

static void small_solids_are_judged_as_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof solids / sizeof solids[0]; ++i) {
        const solid_case *c = &solids[i];
        trv_mesh_topology t = check_part(c->text, TRV_ALL_PARTS);
        if (t.closed != c->closed || t.manifold != c->manifold || t.oriented != c->oriented ||
            t.convex != c->convex || t.open_face != c->open_face ||
            t.nonmanifold_face != c->nonmanifold_face || t.concave_face != c->concave_face ||
            t.welded != c->welded || t.boundary_edges != c->boundary_edges) {
            print_error("%s: closed %d manifold %d oriented %d convex %d, faces %d %d %d, welded "
                        "%u, boundary %u\n",
                        c->name, t.closed, t.manifold, t.oriented, t.convex, (int)t.open_face,
                        (int)t.nonmanifold_face, (int)t.concave_face, t.welded, t.boundary_edges);
            fail();
        }
    }
}

// A box from `lower` to `upper` with its own eight vertices, appended to `text`.
static size_t add_box(char *text, size_t length, trv_vec3 lower, trv_vec3 upper)
{
    for (int i = 0; i < 8; ++i)
        length += (size_t)sprintf(
            text + length, "v %.9g %.9g %.9g\n", (double)(i & 1 ? upper.x : lower.x),
            (double)(i & 2 ? upper.y : lower.y), (double)(i & 4 ? upper.z : lower.z));
    length += (size_t)sprintf(text + length,
                              "f -8 -6 -5 -7\nf -4 -3 -1 -2\nf -8 -7 -3 -4\nf -6 -2 -1 -5\n"
                              "f -8 -4 -2 -6\nf -7 -5 -1 -3\n");
    return length;
}

static void cubes_that_meet_in_a_vertex_or_an_edge_are_not_manifold(void **state)
{
    (void)state;
    static const struct {
        trv_vec3 corner; // the second cube's lower one; the first cube is (0, 0, 0) to (1, 1, 1)
        bool closed, manifold;
        uint32_t nonmanifold_face, welded;
    } cases[] = {{{2, 0, 0}, true, true, NONE, 0},
                 {{1, 1, 1}, true, false, 1, 1},  // +z is the first face at that vertex
                 {{1, 1, 0}, false, false, 0, 2}, // -z is the first face at an end of that edge
                 {{0, 0, 0}, false, false, 0, 8}};
    char text[1024];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        trv_vec3 zero = {0, 0, 0}, one = {1, 1, 1}, corner = cases[i].corner;
        size_t length = add_box(text, 0, zero, one);
        add_box(text, length, corner, trv_make_vec3(corner.x + 1, corner.y + 1, corner.z + 1));
        trv_mesh_topology t = check_part(text, TRV_ALL_PARTS);
        assert_int_equal(t.closed, cases[i].closed);
        assert_int_equal(t.manifold, cases[i].manifold);
        assert_int_equal(t.nonmanifold_face, cases[i].nonmanifold_face);
        assert_int_equal(t.welded, cases[i].welded);
        assert_false(t.convex);
    }
}

static void parts_are_judged_apart_and_name_faces_of_the_mesh(void **state)
{
    (void)state;
    char text[2048];
    size_t length = (size_t)sprintf(text, "v 7 7 7\no first\n");
    length = add_box(text, length, trv_make_vec3(0, 0, 0), trv_make_vec3(1, 1, 1));
    length += (size_t)sprintf(text + length, "o second\n");
    length = add_box(text, length, trv_make_vec3(0, 1, 0), trv_make_vec3(1, 2, 1));
    length += (size_t)sprintf(text + length, "f -7 -5 -1 -3\no third\nf 2 3 4\n");
    trv_mesh *mesh = mesh_of(text);
    trv_mesh_topology t;
    expect_result(trv_mesh_check(mesh, 0, &t), TRV_OK);
    assert_true(t.closed && t.convex && t.welded == 0);
    expect_result(trv_mesh_check(mesh, 1, &t), TRV_OK);
    assert_true(!t.closed && !t.manifold && !t.convex && t.welded == 0);
    assert_int_equal(t.open_face, 6); // -z, the first face at an edge of the doubled one
    assert_int_equal(t.nonmanifold_face, 6);
    expect_result(trv_mesh_check(mesh, 2, &t), TRV_OK);
    assert_int_equal(t.open_face, 13);
    assert_int_equal(t.boundary_edges, 3);
    expect_result(trv_mesh_check(mesh, TRV_ALL_PARTS, &t), TRV_OK);
    assert_true(!t.closed && !t.manifold && t.welded == 4);
    expect_result(trv_mesh_check(mesh, 3, &t), TRV_ERROR_INDEX);
    assert_true(!t.closed && t.open_face == 0);
    expect_result(trv_mesh_check(mesh, 0, NULL), TRV_ERROR_NULL);
    expect_result(trv_mesh_check(NULL, 0, &t), TRV_ERROR_NULL);
    trv_mesh_destroy(mesh);
}

// An L-shaped prism: convex nowhere near the inner corner. Its caps are planar concave polygons.
static void an_l_shaped_prism_is_not_convex(void **state)
{
    (void)state;
    static const char text[] =
        "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
        "v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
        "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n"
        "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";
    trv_mesh_topology t = check_part(text, TRV_ALL_PARTS);
    assert_true(t.closed && t.manifold && !t.convex);
    assert_int_equal(t.concave_face, 4); // the first of the two faces at the inner corner
}

// The top of a box cut into an L-shaped polygon and a square: the solid is a box all the same.
static void a_concave_polygon_in_a_convex_side_does_not_matter(void **state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\n"
                               "v 0 0 1\nv 2 0 1\nv 2 2 1\nv 0 2 1\n"
                               "v 1 2 1\nv 1 1 1\nv 2 1 1\n"
                               "f 4 3 2 1\nf 1 2 6 5\nf 2 3 7 11 6\nf 3 4 8 9 7\nf 4 1 5 8\n"
                               "f 5 6 11 10 9 8\nf 11 7 9 10\n";
    trv_mesh_topology t = check_part(text, TRV_ALL_PARTS);
    assert_true(t.closed && t.manifold && t.oriented);
    assert_true(t.convex);
}

// A cube whose top is a low roof over (or under) its centre, somewhere and of some size.
static trv_mesh_topology check_roof(double size, double offset, double height)
{
    char text[1024];
    size_t length = 0;
    for (int i = 0; i < 8; ++i)
        length +=
            (size_t)sprintf(text + length, "v %.9g %.9g %.9g\n", offset + size * (i & 1 ? 1 : -1),
                            offset + size * (i & 2 ? 1 : -1), offset + size * (i & 4 ? 1 : -1));
    length += (size_t)sprintf(text + length, "v %.9g %.9g %.9g\n", offset, offset,
                              offset + size * (1 + height));
    sprintf(text + length,
            "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 9\nf 6 8 9\nf 8 7 9\nf 7 "
            "5 9\n");
    return check_part(text, TRV_ALL_PARTS);
}

static void dents_count_from_a_hundred_thousandth_of_the_diagonal(void **state)
{
    (void)state;
    static const double sizes[] = {1e-3, 0.5, 1.0, 40.0, 1e5};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        // A dent of depth d puts the opposite edge 2 d above each of the four sloping faces.
        const double diagonal = 2.0 * sqrt(3.0), tolerance = 1e-5 * diagonal;
        assert_true(check_roof(sizes[i], 0.0, 0.1).convex);
        assert_true(check_roof(sizes[i], 0.0, 0.0).convex);
        assert_true(check_roof(sizes[i], 0.0, -0.45 * tolerance).convex);
        trv_mesh_topology dented = check_roof(sizes[i], 0.0, -0.6 * tolerance);
        assert_true(dented.closed && !dented.convex);
        assert_int_equal(dented.concave_face, 5);
        assert_false(check_roof(sizes[i], 0.0, -0.1).convex);
        // Far from the origin rounding takes a share, and the same dent is a hundred times larger.
        assert_true(check_roof(sizes[i], 300.0 * sizes[i], 0.0).convex);
        assert_false(check_roof(sizes[i], 300.0 * sizes[i], -100.0 * tolerance).convex);
    }
}

// A globe of rings, turned and moved, with fine triangles at its poles; `bulge` moves one vertex.
static size_t write_globe(char *text, uint32_t rings, uint32_t sides, trv_quat turn, trv_vec3 scale,
                          trv_vec3 place, uint32_t moved, float bulge)
{
    size_t length = 0;
    const double pi = 3.14159265358979323846;
    for (uint32_t i = 0; i < rings * sides + 2; ++i) {
        double up = i == 0 ? 0.0 : i == 1 ? pi : pi * (1 + (i - 2) / sides) / (rings + 1);
        double round = 2.0 * pi * ((i - 2) % sides) / sides;
        trv_vec3 p = {(float)(sin(up) * cos(round)), (float)cos(up), (float)(sin(up) * sin(round))};
        float stretch = i == moved ? 1.0f + bulge : 1.0f;
        p = trv_make_vec3(p.x * scale.x * stretch, p.y * scale.y * stretch,
                          p.z * scale.z * stretch);
        p = trv_rotate(turn, p);
        length += (size_t)sprintf(text + length, "v %.9g %.9g %.9g\n", (double)(p.x + place.x),
                                  (double)(p.y + place.y), (double)(p.z + place.z));
    }
    for (uint32_t ring = 0; ring <= rings; ++ring)
        for (uint32_t s = 0; s < sides; ++s) {
            uint32_t a = 3 + (ring - 1) * sides + s, b = 3 + (ring - 1) * sides + (s + 1) % sides;
            if (ring == 0)
                length += (size_t)sprintf(text + length, "f 1 %u %u\n", b + sides, a + sides);
            else if (ring == rings)
                length += (size_t)sprintf(text + length, "f %u %u 2\n", a, b);
            else
                length +=
                    (size_t)sprintf(text + length, "f %u %u %u %u\n", a, b, b + sides, a + sides);
        }
    return length;
}

static void globes_are_convex_until_a_vertex_is_pushed_in(void **state)
{
    (void)state;
    static char text[400000];
    const uint64_t seed = 77;
    print_message("seed %llu\n", (unsigned long long)seed);
    test_random random = {seed};
    for (int round = 0; round < 150; ++round) {
        uint32_t rings = 2 + (uint32_t)(random_bits(&random) % 30);
        uint32_t sides = 3 + (uint32_t)(random_bits(&random) % 60);
        float size = exp2f(random_float(&random, -8.0f, 12.0f));
        trv_vec3 scale = {size * random_float(&random, 0.3f, 1.0f), size,
                          size * random_float(&random, 0.3f, 1.0f)};
        trv_vec3 place = random_vec3(&random, 2.0f * size);
        trv_quat turn = random_quat(&random);
        write_globe(text, rings, sides, turn, scale, place, 0, 0.0f);
        trv_mesh_topology t = check_part(text, TRV_ALL_PARTS);
        if (!t.closed || !t.manifold || !t.convex) {
            print_error("round %d: closed %d manifold %d convex %d at face %d\n", round, t.closed,
                        t.manifold, t.convex, (int)t.concave_face);
            fail();
        }
        // Pushed far in, the vertex leaves its neighbours above the faces round it.
        uint32_t moved = (uint32_t)(random_bits(&random) % (rings * sides + 2));
        write_globe(text, rings, sides, turn, scale, place, moved, -0.7f);
        t = check_part(text, TRV_ALL_PARTS);
        assert_true(t.closed && t.manifold && !t.convex);
        assert_true(t.concave_face != NONE);
    }
}

// A narrow strip across one side of a cube: rounding its corners tilts it by far more than the
// tolerance allows, against a neighbour in the same plane.
static void a_narrow_strip_in_a_flat_side_is_convex_however_it_is_turned(void **state)
{
    (void)state;
    const uint64_t seed = 13;
    print_message("seed %llu\n", (unsigned long long)seed);
    test_random random = {seed};
    char text[1024];
    for (int round = 0; round < 400; ++round) {
        float width = exp2f(random_float(&random, -15.0f, -4.0f));
        trv_quat turn = random_quat(&random);
        trv_vec3 place = random_vec3(&random, 1.0f);
        size_t length = 0;
        for (int i = 0; i < 12; ++i) {
            trv_vec3 p = {i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f};
            if (i >= 8) // the strip, from y = -1 to y = 1 on the side +z
                p = trv_make_vec3(i & 1 ? width : 0.0f, p.y, 1.0f);
            p = trv_rotate(turn, p);
            length += (size_t)sprintf(text + length, "v %.9g %.9g %.9g\n", (double)(p.x + place.x),
                                      (double)(p.y + place.y), (double)(p.z + place.z));
        }
        strcpy(text + length, "f 1 3 4 2\nf 1 5 7 3\nf 2 4 8 6\nf 1 2 6 10 9 5\nf 3 7 11 12 8 4\n"
                              "f 5 9 11 7\nf 9 10 12 11\nf 10 6 8 12\n");
        trv_mesh_topology t = check_part(text, TRV_ALL_PARTS);
        if (!t.closed || !t.convex) {
            print_error("round %d, width %g: closed %d, face %d\n", round, (double)width, t.closed,
                        (int)t.concave_face);
            fail();
        }
    }
}

// The greatest height of a vertex above a triangle's plane, by trying all; triangles only.
static double height_by_force(const trv_mesh *mesh)
{
    uint32_t count;
    const uint32_t *first, *corners;
    const trv_vec3 *v = trv_mesh_vertices(mesh, &count);
    uint32_t faces = trv_mesh_faces(mesh, &first, &corners);
    double highest = 0.0;
    for (uint32_t f = 0; f < faces; ++f) {
        trv_vec3 a = v[corners[first[f]]], b = v[corners[first[f] + 1]],
                 c = v[corners[first[f] + 2]];
        double ux = (double)b.x - a.x, uy = (double)b.y - a.y, uz = (double)b.z - a.z;
        double wx = (double)c.x - a.x, wy = (double)c.y - a.y, wz = (double)c.z - a.z;
        double nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
        double length = sqrt(nx * nx + ny * ny + nz * nz);
        for (uint32_t i = 0; i < count; ++i) {
            double h = nx * ((double)v[i].x - a.x) + ny * ((double)v[i].y - a.y) +
                       nz * ((double)v[i].z - a.z);
            highest = fmax(highest, h / length);
        }
    }
    return highest;
}

static void random_octahedra_agree_with_brute_force(void **state)
{
    (void)state;
    static const char faces[] = "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\n"
                                "f 1 4 6\n";
    const uint64_t seed = 9;
    print_message("seed %llu\n", (unsigned long long)seed);
    test_random random = {seed};
    int convex = 0, concave = 0;
    char text[1024];
    for (int round = 0; round < 3000; ++round) {
        size_t length = 0;
        for (int i = 0; i < 6; ++i) {
            trv_vec3 p = random_vec3(&random, 0.45f);
            float d = i % 2 ? -1.0f : 1.0f;
            length += (size_t)sprintf(
                text + length, "v %.9g %.9g %.9g\n", (double)(p.x + (i / 2 == 0 ? d : 0.0f)),
                (double)(p.y + (i / 2 == 1 ? d : 0.0f)), (double)(p.z + (i / 2 == 2 ? d : 0.0f)));
        }
        strcpy(text + length, faces);
        trv_mesh *mesh = mesh_of(text);
        double highest = height_by_force(mesh);
        trv_mesh_topology t;
        expect_result(trv_mesh_check(mesh, TRV_ALL_PARTS, &t), TRV_OK);
        trv_mesh_destroy(mesh);
        assert_true(t.closed && t.manifold);
        if (highest > 1e-3)
            assert_false(t.convex);
        else if (highest < 1e-5)
            assert_true(t.convex);
        convex += t.convex;
        concave += !t.convex;
    }
    assert_true(convex > 100 && concave > 100);
}

// A cube whose sides are grids of n x n squares, turned, so that rounding tilts every little triangle;
// one point near the middle of the last side is moved along the side's normal by `rise`.
static trv_mesh *divided_cube(int n, float rise)
{
    size_t size = 6 * (size_t)(n + 1) * (size_t)(n + 1) * 64 + 12 * (size_t)n * (size_t)n * 40;
    char *text = malloc(size);
    assert_non_null(text);
    trv_quat turn = trv_quat_about(trv_make_vec3(1.0f, 2.0f, 3.0f), 1.0f);
    size_t at = 0;
    for (int side = 0; side < 6; side++) {
        float sign = side % 2 ? -1.0f : 1.0f;
        for (int i = 0; i <= n; i++)
            for (int k = 0; k <= n; k++) {
                float p[3];
                bool moved = side == 5 && i == n / 2 && k == n / 2;
                p[side / 2] = sign * (1.0f + (moved ? rise : 0.0f));
                p[(side / 2 + 1) % 3] = sign * (2.0f * (float)i / (float)n - 1.0f);
                p[(side / 2 + 2) % 3] = 2.0f * (float)k / (float)n - 1.0f;
                trv_vec3 v = trv_rotate(turn, trv_make_vec3(p[0], p[1], p[2]));
                at += (size_t)snprintf(text + at, size - at, "v %.9g %.9g %.9g\n", (double)v.x,
                                       (double)v.y, (double)v.z);
            }
    }
    for (int side = 0; side < 6; side++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) {
                int a = side * (n + 1) * (n + 1) + i * (n + 1) + k + 1, b = a + n + 1;
                at += (size_t)snprintf(text + at, size - at, "f %d %d %d\nf %d %d %d\n", a, b,
                                       b + 1, a, b + 1, a + 1);
            }
    trv_mesh *mesh = mesh_of(text);
    free(text);
    return mesh;
}

// The first triangle above whose plane some point is by so much that no rounding explains it.
static uint32_t concave_by_force(const trv_mesh *mesh)
{
    const trv_vec3 *v = trv_mesh_vertices(mesh, NULL);
    const uint32_t *first, *corners;
    uint32_t faces = trv_mesh_faces(mesh, &first, &corners), count;
    trv_mesh_vertices(mesh, &count);
    for (uint32_t f = 0; f < faces; f++) {
        trvi_dvec3 a = trvi_dvec3_from(v[corners[first[f]]]);
        trvi_dvec3 b = trvi_dsub(trvi_dvec3_from(v[corners[first[f] + 1]]), a);
        trvi_dvec3 c = trvi_dsub(trvi_dvec3_from(v[corners[first[f] + 2]]), a);
        trvi_dvec3 normal = trvi_dcross(b, c);
        normal = trvi_dscale(normal, 1.0 / trvi_dlength(normal));
        for (uint32_t i = 0; i < count; i++)
            if (trvi_ddot(normal, trvi_dsub(trvi_dvec3_from(v[i]), a)) > 1.0e-3)
                return f;
    }
    return TRV_NO_FACE;
}

static void a_finely_divided_cube_is_convex_until_a_point_is_moved(void **state)
{
    (void)state;
    static const float rises[] = {0.0f, -0.02f, 0.02f};
    for (int large = 0; large < 2; large++)
        for (int i = 0; i < 3; i++) {
            trv_mesh *mesh = divided_cube(large ? 128 : 16, rises[i]);
            trv_mesh_topology topology;
            expect_result(trv_mesh_check(mesh, TRV_ALL_PARTS, &topology), TRV_OK);
            assert_true(topology.closed && topology.manifold);
            assert_true(topology.convex == (rises[i] == 0.0f));
            assert_true((topology.concave_face == TRV_NO_FACE) == topology.convex);
            if (!large)
                assert_int_equal(topology.concave_face, concave_by_force(mesh));
            trv_mesh_destroy(mesh);
        }
}

static void every_failing_allocation_of_a_check_leaves_nothing(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_obj_def def = trv_default_obj_def();
    def.allocator = test_allocator(&memory);
    trv_mesh *mesh;
    expect_result(trv_mesh_read_obj_memory(CUBE, strlen(CUBE), &def, &mesh, NULL), TRV_OK);
    size_t live = memory.live, k = 0;
    for (;; ++k) {
        memory.calls = 0;
        memory.fail_at = k;
        trv_mesh_topology t;
        trv_result result = trv_mesh_check(mesh, TRV_ALL_PARTS, &t);
        assert_int_equal(memory.live, live);
        if (result == TRV_OK) {
            assert_true(t.convex);
            break;
        }
        expect_result(result, TRV_ERROR_MEMORY);
        assert_true(!t.closed && t.open_face == 0);
    }
    assert_int_equal(k, 2);
    trv_mesh_destroy(mesh);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_solids_are_judged_as_they_are),
        cmocka_unit_test(cubes_that_meet_in_a_vertex_or_an_edge_are_not_manifold),
        cmocka_unit_test(parts_are_judged_apart_and_name_faces_of_the_mesh),
        cmocka_unit_test(an_l_shaped_prism_is_not_convex),
        cmocka_unit_test(a_concave_polygon_in_a_convex_side_does_not_matter),
        cmocka_unit_test(dents_count_from_a_hundred_thousandth_of_the_diagonal),
        cmocka_unit_test(globes_are_convex_until_a_vertex_is_pushed_in),
        cmocka_unit_test(a_narrow_strip_in_a_flat_side_is_convex_however_it_is_turned),
        cmocka_unit_test(random_octahedra_agree_with_brute_force),
        cmocka_unit_test(a_finely_divided_cube_is_convex_until_a_point_is_moved),
        cmocka_unit_test(every_failing_allocation_of_a_check_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
