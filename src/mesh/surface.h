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
    uint32_t triangle_count;

    uint32_t *corners;       // [corner_count] points round the faces
    trv_vec3 *points;        // [point_count]
    uint32_t *triangles;     // [3 * triangle_count] points; the fans of all faces
    uint32_t *triangle_face; // [triangle_count] from 0 in the part, ascending

    // Work space.
    uint32_t *order;   // [max(corner_count, 3 * triangle_count)]
    uint32_t *scratch; // as `order`
    uint32_t *keys[3]; // each as `order`
} trvi_surface;

// Whether the surface, which must be closed and manifold, bounds a convex solid and faces outward;
// if not, *concave_face is the first face with a point above. TRV_ERROR_MEMORY.
// Overwrites the work space.
trv_result trvi_surface_convexity(const trvi_surface *surface, const trv_allocator *allocator,
                                  bool *convex, uint32_t *concave_face);

#endif
