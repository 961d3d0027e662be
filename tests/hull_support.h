// What the tests of hulls share: readers of point files and vector files, and the full check of a
// hull against its input by exact predicates.
#ifndef TRV_TESTS_HULL_SUPPORT_H
#define TRV_TESTS_HULL_SUPPORT_H

#include "support.h"

#include <trivet/mesh.h>

#include "math/math.h"

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

// All of the above; big hulls have a part of their faces looked at.
static inline void expect_hull_of(const trv_hull *hull, const trv_vec3 *points, uint32_t count)
{
    assert_non_null(hull);
    expect_closed(hull);
    expect_vertices_from(hull, points, count);
    uint64_t work = (uint64_t)count * trv_hull_faces(hull, NULL, NULL);
    expect_exact_faces(hull, points, count, (uint32_t)(1 + work / 2000000));
}

#endif
