// A mesh once it is read: its arrays, its parts, its end.
#include "mesh_data.h"

void trv_mesh_destroy(trv_mesh *mesh)
{
    if (mesh == NULL)
        return;
    trv_allocator allocator = mesh->allocator;
    trvi_free(&allocator, mesh->vertices, mesh->vertex_count * sizeof(trv_vec3));
    if (mesh->face_first != NULL) {
        size_t corners = mesh->face_first[mesh->face_count];
        trvi_free(&allocator, mesh->corners, corners * sizeof(uint32_t));
        trvi_free(&allocator, mesh->of_corners, corners * sizeof(uint32_t));
        trvi_free(&allocator, mesh->face_first, (mesh->face_count + (size_t)1) * sizeof(uint32_t));
    }
    trvi_free(&allocator, mesh->parts, mesh->part_count * sizeof(trv_mesh_part));
    trvi_free(&allocator, mesh->names, mesh->names_size);
    trvi_free(&allocator, mesh->normals, mesh->normal_count * sizeof(trv_vec3));
    trvi_free(&allocator, mesh, sizeof *mesh);
}

trv_result trvi_mesh_run(const trv_mesh *mesh, uint32_t part, trv_mesh_part *run)
{
    *run = (trv_mesh_part){.face_count = mesh->face_count};
    if (part == TRV_ALL_PARTS)
        return TRV_OK;
    if (part >= mesh->part_count)
        return TRV_ERROR_INDEX;
    *run = mesh->parts[part];
    return TRV_OK;
}

const trv_vec3 *trv_mesh_vertices(const trv_mesh *mesh, uint32_t *count)
{
    if (count)
        *count = mesh ? mesh->vertex_count : 0;
    return mesh ? mesh->vertices : NULL;
}

uint32_t trv_mesh_faces(const trv_mesh *mesh, const uint32_t **first, const uint32_t **corners)
{
    if (first)
        *first = mesh ? mesh->face_first : NULL;
    if (corners)
        *corners = mesh ? mesh->corners : NULL;
    return mesh ? mesh->face_count : 0;
}

const trv_vec3 *trv_mesh_normals(const trv_mesh *mesh, uint32_t *count, const uint32_t **of_corners)
{
    if (count)
        *count = mesh ? mesh->normal_count : 0;
    if (of_corners)
        *of_corners = mesh ? mesh->of_corners : NULL;
    return mesh ? mesh->normals : NULL;
}

uint32_t trv_mesh_part_count(const trv_mesh *mesh)
{
    return mesh ? mesh->part_count : 0;
}

trv_result trv_mesh_part_get(const trv_mesh *mesh, uint32_t part, trv_mesh_part *out)
{
    if (out)
        *out = (trv_mesh_part){0};
    if (mesh == NULL || out == NULL)
        return TRV_ERROR_NULL;
    if (part >= mesh->part_count)
        return TRV_ERROR_INDEX;
    *out = mesh->parts[part];
    return TRV_OK;
}
