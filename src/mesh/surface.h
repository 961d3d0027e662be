// A surface under examination: the faces of one part, with vertices at equal positions made one.
#ifndef TRVI_MESH_SURFACE_H
#define TRVI_MESH_SURFACE_H

#include "math/math.h"
#include "mesh_data.h"

// Invariant: points are distinct, sorted by x, y, z, and each is in use.
typedef struct trvi_surface {
    const uint32_t *face_first; // [face_count + 1] into `corners`
    uint32_t face_count;
    uint32_t corner_count;
    uint32_t point_count;
    uint32_t used_count; // vertices in use, of which those at equal positions are one point
    uint32_t triangle_count;

    uint32_t *corners;       // [corner_count] points round the faces
    trv_vec3 *points;        // [point_count]
    uint32_t *triangles;     // [3 * triangle_count] points; the fans of all faces
    uint32_t *triangle_face; // [triangle_count] from 0 in the part, ascending

    // Work space.
    uint32_t *order;   // [max(corner_count, 3 * triangle_count)]
    uint32_t *scratch; // as `order`
    uint32_t *keys[3]; // each as `order`

    void *block; // that holds all arrays
    size_t block_size;
} trvi_surface;

// The faces [first, first + count) of a mesh, count > 0. False when memory of the mesh's allocator ran
// out; else trvi_surface_close frees.
bool trvi_surface_open(trvi_surface *surface, const trv_mesh *mesh, uint32_t first, uint32_t count);
void trvi_surface_close(trvi_surface *surface, const trv_mesh *mesh);

// Half-edge h joins points a and b. Half-edges are numbered as whoever asks likes, below the size of
// `order`, and put into `order` ascending.
static inline void trvi_surface_set_edge(trvi_surface *surface, uint32_t h, uint32_t a, uint32_t b)
{
    surface->keys[0][h] = a < b ? a : b;
    surface->keys[1][h] = a < b ? b : a;
}

// Sorts order[0 .. count), so that the half-edges of each edge follow one another, ascending.
void trvi_surface_sort_edges(trvi_surface *surface, uint32_t count);

// The end of the run of half-edges in `order` that begins at `first`.
uint32_t trvi_surface_edge_end(const trvi_surface *surface, uint32_t first, uint32_t count);

// Whether the surface, which must be closed and manifold, bounds a convex solid and faces outward;
// if not, *concave_face is the first face with a point above. TRV_ERROR_MEMORY.
// Overwrites the work space.
trv_result trvi_surface_convexity(const trvi_surface *surface, const trv_allocator *allocator,
                                  bool *convex, uint32_t *concave_face);

#endif
