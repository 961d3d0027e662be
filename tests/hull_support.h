// What the tests of hulls share: readers of point files and vector files, the full check of an exact
// hull against its input by exact predicates, and of a hull against the exact one.
#ifndef TRV_TESTS_HULL_SUPPORT_H
#define TRV_TESTS_HULL_SUPPORT_H

#include "support.h"

#include <trivet/mesh.h>

#include "math/math.h"
#include "mesh/hull_build.h"

typedef struct point_set {
    trv_vec3 *points;
    uint32_t count;
} point_set;

// The `v` lines of an OBJ file; NULL points where the file cannot be read.
static inline point_set read_points(const char *path)
{
    point_set set = {NULL, 0};
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return set;
    uint32_t capacity = 0;
    char line[4096];
    while (fgets(line, sizeof line, file)) {
        if (line[0] != 'v' || (line[1] != ' ' && line[1] != '\t'))
            continue;
        if (set.count == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            set.points = realloc(set.points, capacity * sizeof *set.points);
            assert_non_null(set.points);
        }
        char *at = line + 1;
        trv_vec3 *p = &set.points[set.count++];
        p->x = strtof(at, &at);
        p->y = strtof(at, &at);
        p->z = strtof(at, &at);
    }
    fclose(file);
    return set;
}

// One row of a comma-separated file, cut in place. Returns the number of columns.
static inline int split_row(char *line, char **columns, int limit)
{
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at && count < limit;) {
        columns[count++] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = '\0';
    }
    return count;
}

// The shared data's file, or else the project's own subset of it; NULL where there is neither.
static inline FILE *open_vectors(const char *name)
{
    char path[2048];
    snprintf(path, sizeof path, "%s/vectors/%s", TRV_SHARED_DATA, name);
    FILE *file = fopen(path, "r");
    if (file)
        return file;
    print_message("no shared vectors: using the subset of %s\n", name);
    snprintf(path, sizeof path, "%s/vectors/mesh/%s", TRV_TEST_DATA, name);
    return fopen(path, "r");
}

static inline double diagonal_of(const trv_vec3 *points, uint32_t count)
{
    trv_vec3 lower = points[0], upper = points[0];
    for (uint32_t i = 1; i < count; i++) {
        lower = trvi_min(lower, points[i]);
        upper = trvi_max(upper, points[i]);
    }
    return trvi_dlength(trvi_dsub(trvi_dvec3_from(upper), trvi_dvec3_from(lower)));
}

static inline int compare_edges(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Closed: every directed edge once, and its reverse once. Euler characteristic 2.
static inline void expect_closed(const trv_hull *hull)
{
    const uint32_t *first, *corners;
    uint32_t vertex_count, faces = trv_hull_faces(hull, &first, &corners), edges = first[faces];
    trv_hull_vertices(hull, &vertex_count);
    uint64_t *forth = malloc(edges * sizeof *forth), *back = malloc(edges * sizeof *back);
    assert_true(forth && back);
    for (uint32_t f = 0; f < faces; f++) {
        assert_true(first[f + 1] >= first[f] + 3);
        for (uint32_t i = first[f]; i < first[f + 1]; i++) {
            uint64_t a = corners[i], b = corners[i + 1 < first[f + 1] ? i + 1 : first[f]];
            assert_true(a < vertex_count && b < vertex_count && a != b);
            forth[i] = a << 32 | b;
            back[i] = b << 32 | a;
        }
    }
    qsort(forth, edges, sizeof *forth, compare_edges);
    qsort(back, edges, sizeof *back, compare_edges);
    for (uint32_t i = 0; i < edges; i++) {
        assert_true(forth[i] == back[i]);
        assert_true(i == 0 || forth[i] != forth[i - 1]);
    }
    free(forth);
    free(back);
    assert_int_equal((int64_t)vertex_count + faces - edges / 2, 2);
}

// Exactly convex, exactly merged, nothing lost: no input point is above a face, and the vertices in
// a face's plane are the corners of that face. `stride` 1 looks at every point and face.
static inline void expect_exact_faces(const trv_hull *hull, const trv_vec3 *points, uint32_t count,
                                      uint32_t stride)
{
    const uint32_t *first, *corners;
    uint32_t vertex_count, faces = trv_hull_faces(hull, &first, &corners);
    const trv_vec3 *v = trv_hull_vertices(hull, &vertex_count);
    const trv_plane *planes = trv_hull_planes(hull, NULL);
    double slack = 1.0e-5 * diagonal_of(points, count);
    for (uint32_t f = 0; f < faces; f += stride) {
        const uint32_t *c = corners + first[f];
        trvi_dvec3 normal = trvi_dvec3_from(planes[f].normal);
        expect_near(trvi_dlength(normal), 1.0, 1.0e-6);
        for (uint32_t i = 0; i < count; i++) {
            if (trvi_orient3d(v[c[0]], v[c[1]], v[c[2]], points[i]) > 0)
                fail_msg("point %u is above face %u", i, f);
            double height = trvi_ddot(normal, trvi_dvec3_from(points[i])) + planes[f].offset;
            if (!(height <= slack))
                fail_msg("point %u is %g above plane %u", i, height, f);
        }
        uint32_t in_plane = 0;
        for (uint32_t i = 0; i < vertex_count; i++)
            in_plane += trvi_orient3d(v[c[0]], v[c[1]], v[c[2]], v[i]) == 0;
        assert_int_equal(in_plane, first[f + 1] - first[f]);
        for (uint32_t i = first[f]; i < first[f + 1]; i++) {
            double height = trvi_ddot(normal, trvi_dvec3_from(v[corners[i]])) + planes[f].offset;
            assert_true(height <= 0.0 &&
                        height >= -slack - 1.0e-6 * fabs(planes[f].offset) - 1.5e-45);
        }
    }
}

static inline int compare_points(const void *a, const void *b)
{
    const trv_vec3 *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->z < q->z ? -1 : p->z > q->z;
}

// Every vertex is an input point, and none comes twice.
static inline void expect_vertices_from(const trv_hull *hull, const trv_vec3 *points,
                                        uint32_t count)
{
    uint32_t vertex_count;
    const trv_vec3 *v = trv_hull_vertices(hull, &vertex_count);
    trv_vec3 *sorted = malloc(count * sizeof *sorted), *own = malloc(vertex_count * sizeof *own);
    assert_true(sorted && own);
    memcpy(sorted, points, count * sizeof *sorted);
    memcpy(own, v, vertex_count * sizeof *own);
    qsort(sorted, count, sizeof *sorted, compare_points);
    qsort(own, vertex_count, sizeof *own, compare_points);
    for (uint32_t i = 0; i < vertex_count; i++) {
        assert_non_null(bsearch(&own[i], sorted, count, sizeof *sorted, compare_points));
        assert_true(i == 0 || compare_points(&own[i - 1], &own[i]) != 0);
    }
    free(sorted);
    free(own);
}

// On an ellipsoid, evenly, along a spiral.
static inline void spiral_corners(uint32_t count, trv_vec3 half, trv_vec3 *corners)
{
    for (uint32_t i = 0; i < count; i++) {
        double y = 1.0 - 2.0 * (i + 0.5) / count, r = sqrt(1.0 - y * y),
               turn = i * 2.399963229728653;
        corners[i] = (trv_vec3){(float)(half.x * r * cos(turn)), (float)(half.y * y),
                                (float)(half.z * r * sin(turn))};
    }
}

static inline trv_hull *hull_of(const trv_vec3 *points, uint32_t count)
{
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(points, count, &def, &hull), TRV_OK);
    return hull;
}

// Of pebble_corners.
static inline trv_hull *pebble_of(test_random *random, float radius)
{
    trv_vec3 corners[PEBBLE_CORNERS];
    uint32_t count = pebble_corners(random, radius, corners);
    return hull_of(corners, count);
}

static inline double volume_of(const trv_hull *hull)
{
    return hull->solid.volume;
}

// The hull in which only exactly coplanar triangles are one face; NULL where there is none.
static inline trv_hull *exact_hull_of(const trv_vec3 *points, uint32_t count)
{
    trv_allocator none = {NULL, NULL}, allocator = trvi_allocator_or_default(none);
    trvi_hull_builder builder;
    trv_hull *hull = NULL;
    if (trvi_hull_triangulate(&builder, &allocator, points, count) == TRV_OK)
        expect_result(trvi_hull_merge(&builder, &hull), TRV_OK);
    trvi_hull_builder_free(&builder);
    return hull;
}

static inline double largest_coordinate(const trv_vec3 *points, uint32_t count)
{
    float largest = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        trv_vec3 p = trvi_abs(points[i]);
        largest = fmaxf(largest, fmaxf(p.x, fmaxf(p.y, p.z)));
    }
    return largest;
}

static inline double height_over(trv_plane plane, trv_vec3 p)
{
    return trvi_ddot(trvi_dvec3_from(plane.normal), trvi_dvec3_from(p)) + plane.offset;
}

// What trv_hull_create() promises of every plane: how far a point may be above, and a corner below.
// The last term is the rounding of the plane itself.
static inline double coplanar_slack(const trv_vec3 *points, uint32_t count)
{
    return 4.0e-6 * diagonal_of(points, count) + 6.0e-7 * largest_coordinate(points, count) +
           1.5e-45;
}

static inline void expect_near_planes(const trv_hull *hull, const trv_vec3 *points, uint32_t count,
                                      uint32_t stride)
{
    double slack = coplanar_slack(points, count);
    double outside =
        1.0e-6 * diagonal_of(points, count) + 2.0e-7 * largest_coordinate(points, count) + 1.5e-45;
    for (uint32_t f = 0; f < hull->face_count; f += stride) {
        trv_plane plane = hull->planes[f];
        expect_near(trvi_dlength(trvi_dvec3_from(plane.normal)), 1.0, 1.0e-6);
        for (uint32_t i = 0; i < count; i++)
            if (!(height_over(plane, points[i]) <= slack))
                fail_msg("point %u is %g above plane %u", i, height_over(plane, points[i]), f);
        for (uint32_t v = 0; v < hull->vertex_count; v++)
            if (!(height_over(plane, hull->vertices[v]) <= outside))
                fail_msg("vertex %u is above plane %u", v, f);
        for (uint32_t e = hull->face_first[f]; e < hull->face_first[f + 1]; e++) {
            double height = height_over(plane, hull->vertices[hull->edge_origin[e]]);
            assert_true(height <= 0.0 && height >= -slack);
        }
    }
}

// Whether the face's plane holds all corners of a face of another hull.
static inline bool is_in_plane(trv_plane plane, const trv_hull *exact, uint32_t face, double slack)
{
    for (uint32_t e = exact->face_first[face]; e < exact->face_first[face + 1]; e++)
        if (!(fabs(height_over(plane, exact->vertices[exact->edge_origin[e]])) <= slack))
            return false;
    return true;
}

// Whether one face at a vertex holds the two faces of the exact hull at an edge that is gone.
static inline bool is_swallowed(const trv_hull *hull, uint32_t vertex, const trv_hull *exact,
                                uint32_t edge, double slack)
{
    for (uint32_t e = 0; e < hull->half_edge_count; e++) {
        trv_plane plane = hull->planes[hull->edge_face[e]];
        if (hull->edge_origin[e] == vertex &&
            is_in_plane(plane, exact, exact->edge_face[edge], slack) &&
            is_in_plane(plane, exact, exact->edge_face[exact->edge_twin[edge]], slack))
            return true;
    }
    return false;
}

static inline bool has_edge(const trv_hull *hull, uint32_t a, uint32_t b)
{
    for (uint32_t i = hull->neighbor_first[a]; i < hull->neighbor_first[a + 1]; i++)
        if (hull->neighbors[i] == b)
            return true;
    return false;
}

// The hull is the exact one less edges between faces that share a plane within the tolerance, and
// less vertices in such planes. Returns how many edges between corners are gone.
static inline uint32_t expect_united(const trv_hull *hull, const trv_hull *exact, double slack)
{
    uint32_t *number = malloc(exact->vertex_count * sizeof *number), kept = 0;
    uint32_t gone = 0, looked = 0;
    assert_non_null(number);
    for (uint32_t v = 0; v < exact->vertex_count; v++) {
        bool same =
            kept < hull->vertex_count && trvi_coincident(exact->vertices[v], hull->vertices[kept]);
        number[v] = same ? kept++ : UINT32_MAX;
        bool in_plane = same;
        for (uint32_t f = 0; f < hull->face_count && !in_plane; f++)
            in_plane = fabs(height_over(hull->planes[f], exact->vertices[v])) <= slack;
        assert_true(in_plane);
    }
    assert_int_equal(kept, hull->vertex_count);
    for (uint32_t e = 0; e < exact->half_edge_count; e++) {
        uint32_t a = number[exact->edge_origin[e]], b = number[trvi_edge_end(exact, e)];
        if (e > exact->edge_twin[e] || a == UINT32_MAX || b == UINT32_MAX || has_edge(hull, a, b))
            continue;
        gone++;
        if (looked++ < 300 && !is_swallowed(hull, a, exact, e, slack))
            fail_msg("the edge from %u to %u is gone, and no face holds both sides", a, b);
    }
    free(number);
    return gone;
}

// All of the above; big hulls have a part of their faces looked at.
static inline void expect_hull_of(const trv_hull *hull, const trv_vec3 *points, uint32_t count)
{
    assert_non_null(hull);
    trv_hull *exact = exact_hull_of(points, count);
    assert_non_null(exact);
    uint64_t work = (uint64_t)count * exact->face_count;
    uint32_t stride = (uint32_t)(1 + work / 2000000);
    expect_closed(exact);
    expect_vertices_from(exact, points, count);
    expect_exact_faces(exact, points, count, stride);
    expect_closed(hull);
    expect_near_planes(hull, points, count, stride);
    expect_united(hull, exact, coplanar_slack(points, count));
    trv_hull_release(exact);
}

static inline trv_vec3 unit_vector(test_random *random)
{
    for (;;) {
        trv_vec3 v = random_vec3(random, 1.0f);
        float square = trvi_dot(v, v);
        if (square > 0.01f && square <= 1.0f)
            return trvi_scale(v, 1.0f / sqrtf(square));
    }
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return hash;
}

// The same for equal faces whatever their order: a sum over loops that start at their least corner.
static inline uint64_t hash_as_set(const trv_hull *hull)
{
    uint64_t sum = hull->vertex_count;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const uint32_t *c = hull->edge_origin + hull->face_first[f];
        uint32_t count = hull->face_first[f + 1] - hull->face_first[f], least = 0;
        for (uint32_t i = 1; i < count; i++)
            if (compare_points(&hull->vertices[c[i]], &hull->vertices[c[least]]) < 0)
                least = i;
        uint64_t hash = UINT64_C(14695981039346656037);
        for (uint32_t i = 0; i < count; i++)
            hash = hash_bytes(hash, &hull->vertices[c[(least + i) % count]], sizeof(trv_vec3));
        sum += hash;
    }
    return sum;
}

#endif
