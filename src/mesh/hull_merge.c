// From the triangles of a hull to its polygons: what is exactly coplanar becomes one face.
//
// An edge between two coplanar triangles is no edge of the solid. The others bound the polygons: a
// loop is walked by turning round each vertex until the next such edge. The triangles of one face
// are connected and the face is convex, so each face has one loop and a vertex is in it once.
// A point that lies inside a face or inside an edge is in fewer than three loops and is no corner;
// a corner of a convex solid is in three or more. All of it is exact, so what comes out is the
// face lattice of the hull: closed, of Euler characteristic 2, and the same for any input order.
#include "hull_build.h"

// Working arrays; a half-edge of the triangulation is 3 * face + edge.
typedef struct merger {
    const trvi_hull_builder *builder;
    const trvi_hull_face *faces;
    uint32_t half_edges;
    unsigned char *flat; // [half_edges] 1 inside a polygon or already walked
    uint32_t *degree;    // [point_count] loops through a point; later its vertex number
    uint32_t *first;     // [faces + 1] loops
    uint32_t *corners;   // [half_edges]
    trv_vec3 *vertices;  // [vertex_count]
    uint32_t face_count;
    uint32_t vertex_count;
} merger;

static uint32_t next_in_face(uint32_t edge)
{
    return edge % 3 == 2 ? edge - 2 : edge + 1;
}

static uint32_t origin_of(const merger *merge, uint32_t edge)
{
    return merge->faces[edge / 3].vertex[edge % 3];
}

// The half-edge back, in the neighbouring face.
static uint32_t twin_of(const merger *merge, uint32_t edge)
{
    uint32_t across = merge->faces[edge / 3].neighbor[edge % 3];
    uint32_t end = origin_of(merge, next_in_face(edge));
    const uint32_t *v = merge->faces[across].vertex;
    return 3 * across + (v[0] == end ? 0 : v[1] == end ? 1 : 2);
}

// Whether the faces on both sides of an edge lie in one plane.
static bool is_flat(const merger *merge, uint32_t edge, uint32_t twin)
{
    const trvi_hull_face *face = &merge->faces[edge / 3];
    const trv_vec3 *p = merge->builder->points;
    uint32_t apex = origin_of(merge, next_in_face(next_in_face(twin)));
    trvi_dvec3 a = trvi_dvec3_from(p[face->vertex[0]]);
    double height = trvi_filter_height(&face->filter, trvi_dsub(trvi_dvec3_from(p[apex]), a));
    if (fabs(height) > face->filter.error)
        return false;
    return trvi_orient3d(p[face->vertex[0]], p[face->vertex[1]], p[face->vertex[2]], p[apex]) == 0;
}

static void mark_flat_edges(merger *merge)
{
    for (uint32_t e = 0; e < merge->half_edges; e++) {
        if (!merge->faces[e / 3].alive)
            continue;
        uint32_t twin = twin_of(merge, e);
        if (e < twin && is_flat(merge, e, twin))
            merge->flat[e] = merge->flat[twin] = 1;
    }
}

// The edge of the polygon that follows `edge`. Ends: an edge of the polygon enters the vertex, so
// one leaves it.
static uint32_t next_in_polygon(const merger *merge, uint32_t edge, uint32_t start)
{
    uint32_t next = next_in_face(edge);
    while (next != start && merge->flat[next])
        next = next_in_face(twin_of(merge, next));
    return next;
}

// Every loop, with all the points on it. Each polygon edge is walked once.
static void walk_loops(merger *merge)
{
    uint32_t count = 0;
    for (uint32_t start = 0; start < merge->half_edges; start++) {
        if (!merge->faces[start / 3].alive || merge->flat[start])
            continue;
        uint32_t edge = start;
        do {
            uint32_t point = origin_of(merge, edge);
            merge->corners[count++] = point;
            merge->degree[point]++;
            merge->flat[edge] = 1;
            edge = next_in_polygon(merge, edge, start);
        } while (edge != start);
        merge->first[++merge->face_count] = count;
    }
}

// Corners get numbers in the order of the points; everything else leaves the loops.
static void number_corners(merger *merge)
{
    for (uint32_t p = 0; p < merge->builder->point_count; p++)
        merge->degree[p] = merge->degree[p] >= 3 ? merge->vertex_count++ : TRVI_NONE;
    uint32_t kept = 0, from = 0;
    for (uint32_t f = 0; f < merge->face_count; f++) {
        uint32_t end = merge->first[f + 1];
        for (; from < end; from++)
            if (merge->degree[merge->corners[from]] != TRVI_NONE)
                merge->corners[kept++] = merge->degree[merge->corners[from]];
        merge->first[f + 1] = kept;
    }
}

static trv_result build(merger *merge, trv_hull **hull)
{
    const trv_allocator *allocator = &merge->builder->allocator;
    merge->vertices = trvi_allocate(allocator, sizeof(trv_vec3) * merge->vertex_count);
    if (merge->vertices == NULL)
        return TRV_ERROR_MEMORY;
    for (uint32_t p = 0; p < merge->builder->point_count; p++)
        if (merge->degree[p] != TRVI_NONE)
            merge->vertices[merge->degree[p]] = merge->builder->points[p];
    return trvi_convex_build_bare(allocator, merge->vertices, merge->vertex_count, merge->first,
                                  merge->corners, merge->face_count, NULL, hull);
}

trv_result trvi_hull_merge(const trvi_hull_builder *builder, trv_hull **hull)
{
    const trv_allocator *allocator = &builder->allocator;
    uint32_t faces = builder->faces.count;
    merger merge = {.builder = builder, .faces = builder->faces.items, .half_edges = 3 * faces};
    size_t first_size = sizeof(uint32_t) * ((size_t)faces + 1);
    size_t corners_size = sizeof(uint32_t) * merge.half_edges;
    size_t degree_size = sizeof(uint32_t) * builder->point_count;
    merge.flat = trvi_allocate(allocator, merge.half_edges);
    merge.degree = trvi_allocate(allocator, degree_size);
    merge.first = trvi_allocate(allocator, first_size);
    merge.corners = trvi_allocate(allocator, corners_size);
    trv_result result = TRV_ERROR_MEMORY;
    if (merge.flat && merge.degree && merge.first && merge.corners) {
        mark_flat_edges(&merge);
        walk_loops(&merge);
        number_corners(&merge);
        result = build(&merge, hull);
    }
    trvi_free(allocator, merge.vertices, sizeof(trv_vec3) * merge.vertex_count);
    trvi_free(allocator, merge.flat, merge.half_edges);
    trvi_free(allocator, merge.degree, degree_size);
    trvi_free(allocator, merge.first, first_size);
    trvi_free(allocator, merge.corners, corners_size);
    return result;
}
