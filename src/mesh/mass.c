// Mass of meshes and hulls: checks what has to hold for the integrals of solid.c to mean something.
#include <string.h>

#include "mesh_data.h"
#include "solid.h"

static trv_aabb bounds_of(const trv_mesh *mesh, const trv_mesh_part *part)
{
    uint32_t begin = mesh->face_first[part->first_face];
    uint32_t end = mesh->face_first[part->first_face + part->face_count];
    trv_aabb box = {mesh->vertices[mesh->corners[begin]], mesh->vertices[mesh->corners[begin]]};
    for (uint32_t i = begin + 1; i < end; i++) {
        box.lower = trvi_min(box.lower, mesh->vertices[mesh->corners[i]]);
        box.upper = trvi_max(box.upper, mesh->vertices[mesh->corners[i]]);
    }
    return box;
}

// A solid's centroid is within its bounds. Where surfaces run through one another and what counts
// as negative all but cancels the rest, the quotient of the two may be anywhere.
static bool is_within(trvi_dvec3 centroid, trvi_dvec3 lower, trvi_dvec3 upper)
{
    double slack = TRVI_CENTROID_SLACK * trvi_dlength(trvi_dsub(upper, lower));
    return centroid.x >= lower.x - slack && centroid.x <= upper.x + slack &&
           centroid.y >= lower.y - slack && centroid.y <= upper.y + slack &&
           centroid.z >= lower.z - slack && centroid.z <= upper.z + slack;
}

static trv_result mass_of_faces(const trv_mesh *mesh, const trv_mesh_part *part, float density,
                                trv_mass *out)
{
    trvi_shell shell = {.vertices = mesh->vertices,
                        .first = mesh->face_first,
                        .corners = mesh->corners,
                        .begin = part->first_face,
                        .end = part->first_face + part->face_count};
    trv_aabb box = bounds_of(mesh, part);
    trvi_dvec3 lower = trvi_dvec3_from(box.lower), upper = trvi_dvec3_from(box.upper);
    double gross;
    trvi_solid solid =
        trvi_solid_of_shell(&shell, trvi_dscale(trvi_dadd(lower, upper), 0.5), &gross);
    if (!(fabs(solid.volume) > TRVI_FLAT_VOLUME * gross))
        return TRV_ERROR_VOLUME;
    if (solid.volume < 0.0)
        return TRV_ERROR_INVERTED;
    if (!is_within(solid.centroid, lower, upper))
        return TRV_ERROR_VOLUME;
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
