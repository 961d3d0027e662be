// Hulls from the caller's side: creating them from points, sharing them, reading them.
//
// The work is in hull_simplex.c (a start), hull_build.c (Quickhull, exact), hull_merge.c (coplanar
// triangles to polygons) and hull_unite.c (nearly coplanar ones too); the result is the polyhedron of
// math/convex.h.
#include <string.h>

#include "hull_build.h"
#include "mesh_data.h"
#include "solid.h"

// Three half-edges for each of at most 2 * points + rim triangles have to be counted in 32 bits.
#define MAX_POINTS (1u << 28)

trv_hull_def trv_default_hull_def(void)
{
    trv_hull_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TRVI_COOKIE_HULL;
    def.max_points = 1u << 26;
    def.scale = trv_make_vec3(1.0f, 1.0f, 1.0f);
    return def;
}

static trv_result check_def(const trv_hull_def *def)
{
    if (def == NULL)
        return TRV_ERROR_NULL;
    if (def->cookie != TRVI_COOKIE_HULL)
        return TRV_ERROR_DEF;
    if (def->max_points > MAX_POINTS)
        return TRV_ERROR_RANGE;
    trv_result result = trvi_check_vec3(def->scale);
    if (result == TRV_OK)
        result = trvi_check_vec3(def->offset);
    if (result != TRV_OK)
        return result;
    bool flat = def->scale.x == 0.0f || def->scale.y == 0.0f || def->scale.z == 0.0f;
    return flat ? TRV_ERROR_RANGE : TRV_OK;
}

// Scales and moves one point; both are rounded to float32, and -0 becomes 0.
static trv_result place_point(const trv_hull_def *def, trv_vec3 point, trv_vec3 *placed)
{
    trv_result result = trvi_check_vec3(point);
    if (result != TRV_OK)
        return result;
    placed->x = point.x * def->scale.x + def->offset.x + 0.0f;
    placed->y = point.y * def->scale.y + def->offset.y + 0.0f;
    placed->z = point.z * def->scale.z + def->offset.z + 0.0f;
    return trvi_check_vec3(*placed);
}

// The hull of points that are checked and in place.
static trv_result build(const trv_allocator *allocator, const trv_vec3 *points, uint32_t count,
                        trv_hull **hull)
{
    trvi_hull_builder builder;
    trv_hull *built = NULL;
    trv_result result = trvi_hull_triangulate(&builder, allocator, points, count);
    if (result == TRV_OK)
        result = trvi_hull_merge(&builder, &built);
    trvi_hull_builder_free(&builder);
    if (result != TRV_OK)
        return result;
    built->solid = trvi_solid_of_hull(built);
    if (!(built->solid.volume > 0.0)) {
        trvi_convex_release(built);
        return TRV_ERROR_VOLUME;
    }
    trv_hull *united;
    result = trvi_hull_unite(built, &united);
    if (result != TRV_OK || united != NULL) {
        trvi_convex_release(built);
        built = united;
    }
    if (result == TRV_OK)
        trvi_plane_tree_build(built);
    *hull = built;
    return result;
}

// `used`, where not NULL, flags the points to take; `count` of them are flagged.
static trv_result create(const trv_vec3 *points, const unsigned char *used, uint32_t count,
                         const trv_hull_def *def, trv_hull **hull)
{
    if (count > def->max_points)
        return TRV_ERROR_LIMIT;
    if (count < 4)
        return TRV_ERROR_TOO_FEW;
    trv_allocator allocator = trvi_allocator_or_default(def->allocator);
    size_t size = sizeof(trv_vec3) * count;
    trv_vec3 *placed = trvi_allocate(&allocator, size);
    if (placed == NULL)
        return TRV_ERROR_MEMORY;
    trv_result result = TRV_OK;
    for (uint32_t from = 0, to = 0; to < count && result == TRV_OK; from++)
        if (used == NULL || used[from])
            result = place_point(def, points[from], &placed[to++]);
    if (result == TRV_OK)
        result = build(&allocator, placed, count, hull);
    trvi_free(&allocator, placed, size);
    return result;
}

trv_result trv_hull_create(const trv_vec3 *points, uint32_t count, const trv_hull_def *def,
                           trv_hull **hull)
{
    if (hull == NULL)
        return TRV_ERROR_NULL;
    *hull = NULL;
    trv_result result = check_def(def);
    if (result != TRV_OK)
        return result;
    if (points == NULL)
        return TRV_ERROR_NULL;
    return create(points, NULL, count, def, hull);
}

trv_result trv_hull_create_from_mesh(const trv_mesh *mesh, uint32_t part, const trv_hull_def *def,
                                     trv_hull **hull)
{
    if (hull == NULL)
        return TRV_ERROR_NULL;
    *hull = NULL;
    trv_result result = check_def(def);
    if (result != TRV_OK)
        return result;
    if (mesh == NULL)
        return TRV_ERROR_NULL;
    if (part != TRV_ALL_PARTS && part >= mesh->part_count)
        return TRV_ERROR_INDEX;
    trv_mesh_part run = {.face_count = mesh->face_count};
    if (part != TRV_ALL_PARTS)
        run = mesh->parts[part];
    if (run.face_count == 0)
        return create(mesh->vertices, NULL, mesh->vertex_count, def, hull);
    trv_allocator allocator = trvi_allocator_or_default(def->allocator);
    unsigned char *used = trvi_allocate(&allocator, mesh->vertex_count);
    if (used == NULL)
        return TRV_ERROR_MEMORY;
    uint32_t count = 0;
    uint32_t end = mesh->face_first[run.first_face + run.face_count];
    for (uint32_t i = mesh->face_first[run.first_face]; i < end; i++) {
        count += !used[mesh->corners[i]];
        used[mesh->corners[i]] = 1;
    }
    result = create(mesh->vertices, used, count, def, hull);
    trvi_free(&allocator, used, mesh->vertex_count);
    return result;
}

void trv_hull_retain(const trv_hull *hull)
{
    if (hull)
        trvi_convex_retain(hull);
}

void trv_hull_release(const trv_hull *hull)
{
    trvi_convex_release(hull);
}

const trv_vec3 *trv_hull_vertices(const trv_hull *hull, uint32_t *count)
{
    if (count)
        *count = hull ? hull->vertex_count : 0;
    return hull ? hull->vertices : NULL;
}

uint32_t trv_hull_faces(const trv_hull *hull, const uint32_t **first, const uint32_t **corners)
{
    if (first)
        *first = hull ? hull->face_first : NULL;
    if (corners)
        *corners = hull ? hull->edge_origin : NULL;
    return hull ? hull->face_count : 0;
}

const trv_plane *trv_hull_planes(const trv_hull *hull, uint32_t *count)
{
    if (count)
        *count = hull ? hull->face_count : 0;
    return hull ? hull->planes : NULL;
}

trv_aabb trv_hull_bounds(const trv_hull *hull)
{
    trv_aabb none = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    return hull ? hull->bounds : none;
}

trv_result trv_hull_mass(const trv_hull *hull, float density, trv_mass *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    if (hull == NULL)
        return TRV_ERROR_NULL;
    return trvi_mass_of_solid(&hull->solid, density, out);
}
