// From a mesh of convex pieces to a compound: joins the mesh layer's hulls to the narrow layer's
// compounds.
#include "world_data.h"

#include <string.h>

static trv_result hull_parts(const trv_mesh *mesh, const trv_hull_def *def,
                             trv_compound_part *parts, uint32_t count, uint32_t *made)
{
    for (*made = 0; *made < count; (*made)++) {
        trv_hull *hull;
        trv_result result = trv_hull_create_from_mesh(mesh, *made, def, &hull);
        if (result != TRV_OK)
            return result;
        parts[*made].shape = trv_make_hull(hull);
        parts[*made].pose = trv_make_pose(trvi_vec3(0.0f, 0.0f, 0.0f));
    }
    return TRV_OK;
}

trv_result trv_compound_create_from_mesh(const trv_mesh *mesh, const trv_hull_def *hull_def,
                                         const trv_compound_def *compound_def, trv_compound **out,
                                         uint32_t *bad_part)
{
    if (bad_part != NULL)
        *bad_part = 0;
    if (out == NULL)
        return TRV_ERROR_NULL;
    *out = NULL;
    if (mesh == NULL)
        return TRV_ERROR_NULL;
    trv_hull_def usual_hull = trv_default_hull_def();
    trv_compound_def usual = trv_default_compound_def();
    if (compound_def == NULL)
        compound_def = &usual;
    uint32_t count = trv_mesh_part_count(mesh), made;
    if (count == 0)
        return TRV_ERROR_NO_GEOMETRY;
    if (count > compound_def->max_parts)
        return TRV_ERROR_LIMIT;
    trv_allocator allocator = trvi_allocator_or_default(compound_def->allocator);
    size_t size = count * sizeof(trv_compound_part);
    trv_compound_part *parts = trvi_allocate(&allocator, size);
    if (parts == NULL)
        return TRV_ERROR_MEMORY;
    trv_result result =
        hull_parts(mesh, hull_def != NULL ? hull_def : &usual_hull, parts, count, &made);
    if (result != TRV_OK && bad_part != NULL)
        *bad_part = made;
    if (result == TRV_OK)
        result = trv_compound_create(parts, count, compound_def, out);
    for (uint32_t i = 0; i < made; i++) // the compound has references of its own
        trv_hull_release(parts[i].shape.as.hull);
    trvi_free(&allocator, parts, size);
    return result;
}
