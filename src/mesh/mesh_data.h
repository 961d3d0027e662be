// What a mesh is inside: the polygons and parts that the OBJ reader found.
//
// Invariant: every array holds exactly its count (so that its size in bytes is known when it is
// freed), corners are < vertex_count, every face has at least three of them, and the parts cover
// the faces in order without gaps. A mesh of points only has one part without faces.
#ifndef TRVI_MESH_DATA_H
#define TRVI_MESH_DATA_H

#include "mesh.h"

struct trv_mesh {
    trv_allocator allocator;

    trv_vec3 *vertices;    // [vertex_count], finite, within TRV_COORD_MAX
    uint32_t *face_first;  // [face_count + 1] into `corners`
    uint32_t *corners;     // [face_first[face_count]], NULL without faces
    trv_mesh_part *parts;  // [part_count]; the names point into `names`
    char *names;           // [names_size] zero-terminated, one after the other
    trv_vec3 *normals;     // [normal_count], finite, of any length; NULL where not kept
    uint32_t *of_corners;  // as `corners`: < normal_count or TRV_NO_NORMAL; NULL without normals
    uint32_t vertex_count; // >= 1
    uint32_t face_count;
    uint32_t part_count; // >= 1
    uint32_t names_size;
    uint32_t normal_count;

    trv_aabb aabb; // of all vertices, whether a face uses them or not
};

// The faces of a part, or of TRV_ALL_PARTS; TRV_ERROR_INDEX past the last part.
trv_result trvi_mesh_run(const trv_mesh *mesh, uint32_t part, trv_mesh_part *run);

#endif
