// Edges and neighbours: solids whose edges are known, and random faces against comparing all sides
// with all.
#include "support.h"

#include <trivet/mesh.h>

#define CUBE_POINTS                                                                                \
    "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n"
#define CUBE CUBE_POINTS "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"

static trv_mesh *mesh_of(const char *text)
{
    trv_obj_def def = trv_default_obj_def();
    trv_mesh *mesh;
    trv_obj_report report;
    if (trv_mesh_read_obj_memory(text, strlen(text), &def, &mesh, &report) != TRV_OK)
        fail_msg("%u:%u %s", report.line, report.column, report.reason);
    return mesh;
}

// A mesh, its adjacency, and the arrays of both.
typedef struct subject {
    trv_mesh *mesh;
    trv_adjacency *adjacency;
    const trv_vec3 *vertices;
    const uint32_t *first, *corners;
    const trv_mesh_edge *edges;
    const trv_mesh_side *sides;
    uint32_t faces, edge_count, side_count;
} subject;

static subject open_part(const char *text, uint32_t part)
{
    subject s = {.mesh = mesh_of(text)};
    expect_result(trv_adjacency_create(s.mesh, part, &s.adjacency), TRV_OK);
    s.vertices = trv_mesh_vertices(s.mesh, NULL);
    s.faces = trv_mesh_faces(s.mesh, &s.first, &s.corners);
    s.edges = trv_adjacency_edges(s.adjacency, &s.edge_count);
    s.sides = trv_adjacency_sides(s.adjacency, &s.side_count);
    return s;
}

static void close_subject(subject *s)
{
    trv_mesh_destroy(s->mesh);
    trv_adjacency_destroy(s->adjacency); // it outlives the mesh
}

static bool same(trv_vec3 a, trv_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static uint32_t face_of(const subject *s, uint32_t side)
{
    uint32_t f = 0;
    while (s->first[f + 1] <= side)
        f++;
    return f;
}

static trv_vec3 place(const subject *s, uint32_t corner)
{
    return s->vertices[s->corners[corner]];
}

static uint32_t after(const subject *s, uint32_t side)
{
    uint32_t f = face_of(s, side);
    return side + 1 < s->first[f + 1] ? side + 1 : s->first[f];
}

// Whether a side counts as one of an edge: by the fan of triangles of its face.
static bool is_edge(const subject *s, uint32_t side)
{
    uint32_t f = face_of(s, side), first = s->first[f];
    if (same(place(s, side), place(s, after(s, side))))
        return false;
    for (uint32_t k = first + 1; k + 1 < s->first[f + 1]; k++)
        if (!same(place(s, first), place(s, k)) && !same(place(s, k), place(s, k + 1)) &&
            !same(place(s, first), place(s, k + 1)))
            return true;
    return false;
}

// 1 where two sides run along one another, -1 where against, 0 where they are of different edges.
static int compare(const subject *s, uint32_t i, uint32_t j)
{
    trv_vec3 a = place(s, i), b = place(s, after(s, i));
    trv_vec3 c = place(s, j), d = place(s, after(s, j));
    return same(a, c) && same(b, d) ? 1 : same(a, d) && same(b, c) ? -1 : 0;
}

// Everything that the arrays say, against all pairs of sides.
static void expect_true_adjacency(const subject *s)
{
    assert_int_equal(s->side_count, s->first[s->faces]);
    uint32_t edges = 0;
    for (uint32_t i = 0; i < s->side_count; i++) {
        trv_mesh_side side = s->sides[i];
        if (!is_edge(s, i)) {
            assert_true(side.edge == TRV_NO_EDGE && side.twin == TRV_NO_SIDE && !side.reversed &&
                        side.neighbor == TRV_NO_FACE);
            continue;
        }
        uint32_t leader = i, next = TRV_NO_SIDE, uses = 0, second = TRV_NO_SIDE;
        for (uint32_t j = 0; j < s->side_count; j++) {
            if (!is_edge(s, j) || compare(s, i, j) == 0)
                continue;
            leader = uses == 0 ? j : leader;
            second = uses == 1 ? j : second;
            next = j > i && next == TRV_NO_SIDE ? j : next;
            uses++;
        }
        next = next == TRV_NO_SIDE && uses > 1 ? leader : next;
        assert_int_equal(side.twin, next);
        assert_int_equal(side.neighbor, uses > 1 ? face_of(s, next) : TRV_NO_FACE);
        assert_true(side.reversed == (compare(s, leader, i) < 0));
        if (leader == i) {
            assert_true(edges < s->edge_count);
            trv_mesh_edge edge = s->edges[edges];
            assert_int_equal(edge.vertices[0], s->corners[i]);
            assert_int_equal(edge.vertices[1], s->corners[after(s, i)]);
            assert_int_equal(edge.first_side, i);
            assert_int_equal(edge.side_count, uses);
            assert_int_equal(edge.faces[0], face_of(s, i));
            assert_int_equal(edge.faces[1], uses > 1 ? face_of(s, second) : TRV_NO_FACE);
            assert_int_equal(side.edge, edges++);
        } else {
            assert_int_equal(side.edge, s->sides[leader].edge);
        }
    }
    assert_int_equal(s->edge_count, edges);
}

static uint32_t count_edges(const subject *s, uint32_t side_count)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->edge_count; i++)
        count += s->edges[i].side_count == side_count;
    return count;
}

static void a_cube_has_twelve_edges_of_two_faces_each(void **state)
{
    (void)state;
    subject s = open_part(CUBE, TRV_ALL_PARTS);
    expect_true_adjacency(&s);
    assert_int_equal(s.edge_count, 12);
    assert_int_equal(count_edges(&s, 2), 12);
    for (uint32_t f = 0; f < 6; f++) { // four different neighbours, of which none is opposite
        uint32_t seen = 0;
        for (uint32_t i = s.first[f]; i < s.first[f + 1]; i++)
            seen |= 1u << s.sides[i].neighbor;
        assert_int_equal(seen, 63u & ~(3u << (f & ~1u)));
    }
    close_subject(&s);
}

// A ring of quads round a ring; with `open` it is slit along and across, and is a sheet.
static size_t write_torus(char *text, int n, int m, bool open)
{
    size_t length = 0;
    int wide = open ? m + 1 : m, high = open ? n + 1 : n;
    for (int i = 0; i < high; i++)
        for (int j = 0; j < wide; j++) {
            double u = 6.283185307179586 * i / n, v = 6.283185307179586 * j / m;
            double x = open ? i : (2.0 + cos(v)) * cos(u), y = open ? j : (2.0 + cos(v)) * sin(u);
            length += (size_t)sprintf(text + length, "v %.9g %.9g %.9g\n", x, y, sin(v));
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int a = i * wide + j, b = (i + 1) % high * wide + j;
            int c = (i + 1) % high * wide + (j + 1) % wide, d = i * wide + (j + 1) % wide;
            length += (size_t)sprintf(text + length, "f %d %d %d %d\n", a + 1, b + 1, c + 1, d + 1);
        }
    return length;
}

static void a_torus_has_two_edges_for_each_face_and_a_sheet_has_a_rim(void **state)
{
    (void)state;
    static char text[60000];
    for (int n = 3; n < 12; n += 4)
        for (int m = 3; m < 14; m += 5) {
            write_torus(text, n, m, false);
            subject s = open_part(text, TRV_ALL_PARTS);
            expect_true_adjacency(&s);
            assert_int_equal(s.edge_count, 2 * n * m); // V - E + F = 0
            assert_int_equal(count_edges(&s, 2), 2 * n * m);
            for (uint32_t i = 0; i < s.side_count; i++) {
                assert_int_equal(s.sides[s.sides[i].twin].twin, i);
                assert_true(s.sides[i].reversed != s.sides[s.sides[i].twin].reversed);
            }
            close_subject(&s);
            write_torus(text, n, m, true);
            s = open_part(text, TRV_ALL_PARTS);
            expect_true_adjacency(&s);
            assert_int_equal(count_edges(&s, 1), 2 * (n + m));
            assert_int_equal(count_edges(&s, 2), 2 * n * m - n - m);
            close_subject(&s);
        }
}

static void a_fan_of_faces_at_one_edge_is_a_ring_of_twins(void **state)
{
    (void)state;
    for (int blades = 3; blades < 9; blades++) {
        char text[1024];
        size_t length = (size_t)sprintf(text, "v 0 0 0\nv 0 0 1\n");
        for (int i = 0; i < blades; i++)
            length += (size_t)sprintf(text + length, "v %d %d 0\nf %s -1\n", i + 1, i * i,
                                      i % 2 ? "2 1" : "1 2");
        subject s = open_part(text, TRV_ALL_PARTS);
        expect_true_adjacency(&s);
        assert_int_equal(s.edges[0].side_count, blades);
        assert_true(s.edges[0].faces[0] == 0 && s.edges[0].faces[1] == 1);
        uint32_t side = s.edges[0].first_side;
        for (int i = 0; i < blades; i++) {
            assert_int_equal(face_of(&s, side), i);
            assert_true(s.sides[side].reversed == (i % 2 == 1));
            assert_int_equal(s.sides[side].neighbor, (i + 1) % blades);
            side = s.sides[side].twin;
        }
        assert_int_equal(side, s.edges[0].first_side);
        close_subject(&s);
    }
}

static void random_faces_agree_with_all_pairs_of_sides(void **state)
{
    (void)state;
    const uint64_t seed = 9;
    print_message("seed %llu\n", (unsigned long long)seed);
    test_random random = {seed};
    uint32_t open = 0, inner = 0, more = 0, passed_over = 0;
    for (int round = 0; round < 600; round++) {
        char text[4096];
        size_t length = 0;
        int points = 3 + (int)(random_bits(&random) % 9);
        for (int i = 0; i < points; i++) { // many of them in one place, also at minus zero
            const char *sign = random_bits(&random) % 2 ? "-" : "";
            int x = (int)(random_bits(&random) % 3), y = (int)(random_bits(&random) % 2);
            length += (size_t)sprintf(text + length, "v %s%d %d 0\n", sign, x, y);
        }
        int faces = 1 + (int)(random_bits(&random) % 14);
        for (int f = 0; f < faces; f++) {
            length += (size_t)sprintf(text + length, "f");
            for (int k = 3 + (int)(random_bits(&random) % 4); k > 0; k--)
                length += (size_t)sprintf(text + length, " %d",
                                          1 + (int)(random_bits(&random) % (uint64_t)points));
            length += (size_t)sprintf(text + length, "\n");
        }
        subject s = open_part(text, TRV_ALL_PARTS);
        expect_true_adjacency(&s);
        open += count_edges(&s, 1);
        inner += count_edges(&s, 2);
        more += s.edge_count - count_edges(&s, 1) - count_edges(&s, 2);
        for (uint32_t i = 0; i < s.side_count; i++)
            passed_over += s.sides[i].edge == TRV_NO_EDGE;
        close_subject(&s);
    }
    assert_true(open > 1000 && inner > 500 && more > 500 && passed_over > 500);
}

static void triangles_have_the_rim_that_their_topology_counts(void **state)
{
    (void)state;
    test_random random = {4};
    for (int round = 0; round < 200; round++) {
        char text[2048];
        size_t length = (size_t)sprintf(text, "%s", CUBE_POINTS);
        for (int f = 0; f < 12; f++) {
            int corners[3];
            for (int k = 0; k < 3; k++)
                corners[k] = 1 + (int)(random_bits(&random) % 8);
            length +=
                (size_t)sprintf(text + length, "f %d %d %d\n", corners[0], corners[1], corners[2]);
        }
        subject s = open_part(text, TRV_ALL_PARTS);
        trv_mesh_topology topology;
        expect_result(trv_mesh_check(s.mesh, TRV_ALL_PARTS, &topology), TRV_OK);
        assert_int_equal(count_edges(&s, 1), topology.boundary_edges);
        close_subject(&s);
    }
}

// Parts do not see one another, and name faces of the mesh.
static void parts_have_their_own_edges(void **state)
{
    (void)state;
    subject s = open_part(CUBE "o roof\nf 5 6 8 7\nf 6 5 1\n", 1);
    assert_int_equal(s.side_count, 7);
    assert_int_equal(s.edge_count, 6);
    assert_int_equal(s.edges[0].faces[0], 6);
    assert_int_equal(s.edges[0].faces[1], 7);
    assert_true(s.edges[0].vertices[0] == 4 && s.edges[0].vertices[1] == 5);
    assert_true(s.sides[0].twin == 4 && s.sides[0].neighbor == 7);
    assert_true(s.sides[4].twin == 0 && s.sides[4].neighbor == 6 && s.sides[4].reversed);
    assert_int_equal(count_edges(&s, 1), 5);
    close_subject(&s);
}

static void bad_requests_and_empty_parts_are_told(void **state)
{
    (void)state;
    trv_mesh *mesh = mesh_of(CUBE);
    trv_adjacency *adjacency = (trv_adjacency *)(void *)mesh;
    uint32_t count = 5;
    expect_result(trv_adjacency_create(mesh, 0, NULL), TRV_ERROR_NULL);
    expect_result(trv_adjacency_create(NULL, 0, &adjacency), TRV_ERROR_NULL);
    assert_null(adjacency);
    expect_result(trv_adjacency_create(mesh, 1, &adjacency), TRV_ERROR_INDEX);
    assert_null(adjacency);
    trv_adjacency_destroy(NULL);
    assert_null(trv_adjacency_edges(NULL, &count));
    assert_int_equal(count, 0);
    count = 5;
    assert_null(trv_adjacency_sides(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(trv_adjacency_edges(NULL, NULL));
    assert_null(trv_adjacency_sides(NULL, NULL));
    trv_mesh_destroy(mesh);
    subject s = open_part("v 0 0 0\n", 0);
    assert_true(s.edges == NULL && s.sides == NULL && s.edge_count == 0 && s.side_count == 0);
    close_subject(&s);
    s = open_part("v 0 0 0\nv 1 0 0\nf 1 2 1\n", 0); // no triangle
    assert_true(s.edges == NULL && s.edge_count == 0 && s.side_count == 3);
    expect_true_adjacency(&s);
    close_subject(&s);
}

static void every_failing_allocation_leaves_nothing(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_obj_def def = trv_default_obj_def();
    def.allocator = test_allocator(&memory);
    trv_mesh *mesh;
    trv_adjacency *adjacency;
    expect_result(trv_mesh_read_obj_memory(CUBE, sizeof CUBE - 1, &def, &mesh, NULL), TRV_OK);
    size_t before = memory.live, calls = memory.calls, failures = 0;
    for (;; failures++) {
        memory.fail_at = calls + failures;
        memory.calls = calls;
        trv_result result = trv_adjacency_create(mesh, 0, &adjacency);
        if (result == TRV_OK)
            break;
        expect_result(result, TRV_ERROR_MEMORY);
        assert_null(adjacency);
        assert_int_equal(memory.live, before);
    }
    assert_int_equal(failures, 4);
    trv_adjacency_destroy(adjacency);
    assert_int_equal(memory.live, before);
    trv_mesh_destroy(mesh);
    assert_int_equal(memory.live, 0);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_has_twelve_edges_of_two_faces_each),
        cmocka_unit_test(a_torus_has_two_edges_for_each_face_and_a_sheet_has_a_rim),
        cmocka_unit_test(a_fan_of_faces_at_one_edge_is_a_ring_of_twins),
        cmocka_unit_test(random_faces_agree_with_all_pairs_of_sides),
        cmocka_unit_test(triangles_have_the_rim_that_their_topology_counts),
        cmocka_unit_test(parts_have_their_own_edges),
        cmocka_unit_test(bad_requests_and_empty_parts_are_told),
        cmocka_unit_test(every_failing_allocation_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
