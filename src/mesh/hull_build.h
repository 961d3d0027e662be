// The triangulated convex hull while it grows, and what is made of it.
#ifndef TRVI_HULL_BUILD_H
#define TRVI_HULL_BUILD_H

#include <trivet/mesh.h>

#include "base.h"
#include "math/math.h"

#define TRVI_NONE UINT32_MAX

// A triangle of the hull, counter-clockwise from outside. Edge i runs from vertex i to the next.
typedef struct trvi_hull_face {
    uint32_t vertex[3];   // point indices
    uint32_t neighbor[3]; // the face across each edge
    trvi_side_filter filter;
    double height;      // of the conflict list's first point, which is the highest
    uint32_t conflicts; // points above this face, linked by `next_point`; TRVI_NONE ends
    uint32_t mark;      // 2 * round where found visible in that round, one more where found hidden
    uint32_t next_free; // in the list of dead faces
    uint32_t next_queued; // in the queue; a dead face stays there, and may come alive again in it
    bool alive;
    bool queued;
} trvi_hull_face;

// Invariant between rounds: the live faces bound the convex hull of the points added so far, and
// each other point that lies strictly outside is in the conflict list of one face it is above.
typedef struct trvi_hull_builder {
    trv_allocator allocator;
    const trv_vec3 *points;
    uint32_t point_count;
    trvi_dvec3 reach;     // extents of the points' box
    uint32_t *next_point; // [point_count]
    uint32_t *face_at;    // [point_count] scratch: the new face whose outer edge starts there
    trvi_array faces;     // of trvi_hull_face
    trvi_array visible;   // of uint32_t: faces that the new point sees
    trvi_array fresh;     // of uint32_t: faces made for the new point
    trvi_array horizon;   // of horizon_edge (hull_build.c)
    uint32_t free_face;   // list of dead faces to use again
    uint32_t queue_first, queue_last; // faces that may have conflicts
    uint32_t round;
} trvi_hull_builder;

// The hull of `points` as triangles in builder->faces. Every vertex is a point; exactly coplanar
// triangles are not merged yet. TRV_ERROR_COINCIDENT, _COLLINEAR, _COPLANAR, _MEMORY.
// Call trvi_hull_builder_free() whatever the result.
trv_result trvi_hull_triangulate(trvi_hull_builder *builder, const trv_allocator *allocator,
                                 const trv_vec3 *points, uint32_t count);
void trvi_hull_builder_free(trvi_hull_builder *builder);

// Four points that are not coplanar, the first three counter-clockwise seen from outside.
trv_result trvi_hull_find_simplex(const trv_vec3 *points, uint32_t count, trv_aabb box,
                                  uint32_t simplex[4]);

// The polyhedron of the triangulation: exactly coplanar triangles merged into polygons, points that
// are no corner of it dropped. TRV_ERROR_MEMORY.
trv_result trvi_hull_merge(const trvi_hull_builder *builder, trv_hull **hull);

// A copy of `hull` with the same bytes for the same set of points, whatever their order: vertices and
// faces sorted by coordinates. `place` gets where each vertex of `hull` is in it. TRV_ERROR_MEMORY.
trv_result trvi_hull_reorder(const trv_hull *hull, uint32_t *place, trv_hull **ordered);

// Sets the `solid` of `hull`, and makes a new hull with the same one in which nearly coplanar faces are
// one; NULL where nothing changes. TRV_ERROR_VOLUME, TRV_ERROR_MEMORY.
trv_result trvi_hull_unite(trv_hull *hull, trv_hull **united);

#endif
