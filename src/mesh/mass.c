// Mass of meshes and hulls: checks what has to hold for the integrals of solid.c to mean something.
#include <string.h>

#include "mesh_data.h"
#include "solid.h"

static trvi_dvec3 middle_of(const trv_mesh *mesh, const trv_mesh_part *part)
{
    uint32_t begin = mesh->face_first[part->first_face];
    uint32_t end = mesh->face_first[part->first_face + part->face_count];
    trv_vec3 lower = mesh->vertices[mesh->corners[begin]], upper = lower;
    for (uint32_t i = begin + 1; i < end; i++) {
        lower = trvi_min(lower, mesh->vertices[mesh->corners[i]]);
        upper = trvi_max(upper, mesh->vertices[mesh->corners[i]]);
    }
    return trvi_dscale(trvi_dadd(trvi_dvec3_from(lower), trvi_dvec3_from(upper)), 0.5);
}

static trv_result mass_of_faces(const trv_mesh *mesh, const trv_mesh_part *part, float density,
                                trv_mass *out)
{
    trvi_shell shell = {.vertices = mesh->vertices,
                        .first = mesh->face_first,
                        .corners = mesh->corners,
                        .begin = part->first_face,
                        .end = part->first_face + part->face_count};
    double gross;
    trvi_solid solid = trvi_solid_of_shell(&shell, middle_of(mesh, part), &gross);
    if (!(fabs(solid.volume) > TRVI_FLAT_VOLUME * gross))
        return TRV_ERROR_VOLUME;
    if (solid.volume < 0.0)
        return TRV_ERROR_INVERTED;
    return trvi_mass_of_solid(&solid, density, out);
}

trv_result trv_mesh_mass(const trv_mesh *mesh, uint32_t part, float density, trv_mass *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    if (mesh == NULL)
        return TRV_ERROR_NULL;
    if (!trvi_is_finite(density))
        return TRV_ERROR_NUMBER;
    if (!(density > 0.0f))
        return TRV_ERROR_RANGE;
    trv_mesh_part run;
    trv_mesh_topology topology;
    trv_result result = trvi_mesh_run(mesh, part, &run);
    if (result == TRV_OK)
        result = trv_mesh_check(mesh, part, &topology);
    if (result != TRV_OK)
        return result;
    if (!topology.closed || run.face_count == 0)
        return TRV_ERROR_OPEN;
    return mass_of_faces(mesh, &run, density, out);
}
