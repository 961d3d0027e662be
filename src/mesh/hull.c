// Hulls from the caller's side: creating them from points, sharing them, reading them.
//
// The work is in hull_simplex.c (a start), hull_build.c (Quickhull, exact), hull_merge.c (coplanar
// triangles to polygons) and hull_unite.c (nearly coplanar ones too), and where vertices are to be few, in
// hull_limit.c and hull_outer.c; the result is the polyhedron of math/convex.h.
#include <string.h>

#include "hull_build.h"
#include "hull_limit.h"
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
    bool inner = def->limit == TRV_HULL_INNER;
    if ((def->max_vertices > 0 && def->max_vertices < 4) ||
        (!inner && def->limit != TRV_HULL_OUTER))
        return TRV_ERROR_RANGE;
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

// The exact hull of the points, and the one with its flat faces united; both, or neither.
static trv_result build_both(const trv_allocator *allocator, const trv_vec3 *points, uint32_t count,
                             trv_hull **exact, trv_hull **hull)
{
    trvi_hull_builder builder;
    trv_hull *built = NULL, *united;
    *exact = *hull = NULL;
    trv_result result = trvi_hull_triangulate(&builder, allocator, points, count);
    if (result == TRV_OK)
        result = trvi_hull_merge(&builder, &built);
    trvi_hull_builder_free(&builder);
    if (result != TRV_OK)
        return result;
    result = trvi_hull_unite(built, &united);
    if (result != TRV_OK) {
        trvi_convex_release(built);
        return result;
    }
    if (united == NULL)
        trvi_convex_retain(built);
    *exact = built;
    *hull = united ? united : built;
    return TRV_OK;
}

static trv_result limit_inside(const trv_hull *full, const trv_hull *exact, uint32_t most,
                               trv_vec3 *room, trv_hull **limited)
{
    uint32_t count;
    trv_hull *few;
    trvi_hull_builder builder;
    const trv_allocator *allocator = &full->allocator;
    trv_result result = trvi_hull_choose_inner(full, most, room, &count);
    if (result == TRV_OK)
        result = build_both(allocator, room, count, &few, limited);
    if (result != TRV_OK)
        return result;
    trvi_convex_release(few);
    result =
        trvi_hull_triangulate(&builder, allocator, (*limited)->vertices, (*limited)->vertex_count);
    if (result == TRV_OK)
        (*limited)->moved = trvi_hull_farthest(&builder, exact->vertices, exact->vertex_count);
    trvi_hull_builder_free(&builder);
    return result;
}

// Whether the solid of the hull's vertices holds all of the exact one.
static trv_result contains(const trv_hull *hull, const trv_hull *exact, bool *all)
{
    trvi_hull_builder builder;
    trv_result result =
        trvi_hull_triangulate(&builder, &hull->allocator, hull->vertices, hull->vertex_count);
    *all = result == TRV_OK && trvi_hull_holds(&builder, exact->vertices, exact->vertex_count);
    trvi_hull_builder_free(&builder);
    return result;
}

static trv_result limit_outside(const trv_hull *full, const trv_hull *exact, uint32_t most,
                                trv_vec3 *room, trv_hull **limited)
{
    bool found = false;
    trvi_hull_outer outer;
    trvi_hull_builder builder;
    const trv_allocator *allocator = &full->allocator;
    trv_result result = trvi_hull_outer_start(&outer, full, exact, most);
    for (uint32_t i = 0; i < TRVI_OUTER_ATTEMPTS && !found && result == TRV_OK; i++) {
        trv_hull *few = NULL;
        uint32_t count;
        trvi_convex_release(*limited);
        *limited = NULL;
        result = trvi_hull_outer_place(&outer, i, room, &count);
        if (result == TRV_OK)
            result = build_both(allocator, room, count, &few, limited);
        trvi_convex_release(few);
        if (*limited)
            result = contains(*limited, exact, &found);
        else if (result != TRV_ERROR_MEMORY)
            result = TRV_OK; // points that make no solid, or lie too far away
    }
    trvi_hull_outer_free(&outer);
    if (result == TRV_OK && !found)
        result = TRV_ERROR_RANGE;
    if (result != TRV_OK)
        return result;
    result = trvi_hull_triangulate(&builder, allocator, exact->vertices, exact->vertex_count);
    if (result == TRV_OK)
        (*limited)->moved =
            trvi_hull_farthest(&builder, (*limited)->vertices, (*limited)->vertex_count);
    trvi_hull_builder_free(&builder);
    return result;
}

// Puts a hull with few enough vertices in the place of *hull.
static trv_result limit(const trv_hull_def *def, const trv_hull *exact, trv_hull **hull)
{
    trv_allocator allocator = (*hull)->allocator;
    size_t size = sizeof(trv_vec3) * def->max_vertices;
    trv_vec3 *room = trvi_allocate(&allocator, size);
    if (room == NULL)
        return TRV_ERROR_MEMORY;
    trv_hull *limited = NULL;
    trv_result result = def->limit == TRV_HULL_INNER
                            ? limit_inside(*hull, exact, def->max_vertices, room, &limited)
                            : limit_outside(*hull, exact, def->max_vertices, room, &limited);
    trvi_free(&allocator, room, size);
    if (result == TRV_OK) {
        limited->volume_ratio = limited->solid.volume / exact->solid.volume;
        limited->full_vertex_count = (*hull)->vertex_count;
        trvi_convex_release(*hull);
        *hull = limited;
    } else {
        trvi_convex_release(limited);
    }
    return result;
}

// The hull of points that are checked and in place.
static trv_result build(const trv_allocator *allocator, const trv_hull_def *def,
                        const trv_vec3 *points, uint32_t count, trv_hull **hull)
{
    trv_hull *exact, *built;
    trv_result result = build_both(allocator, points, count, &exact, &built);
    if (result != TRV_OK)
        return result;
    built->volume_ratio = 1.0;
    built->full_vertex_count = built->vertex_count;
    if (def->max_vertices > 0 && built->vertex_count > def->max_vertices)
        result = limit(def, exact, &built);
    trvi_convex_release(exact);
    if (result != TRV_OK) {
        trvi_convex_release(built);
        return result;
    }
    trvi_convex_finish(built);
    trvi_plane_tree_build(built);
    *hull = built;
    return TRV_OK;
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
        result = build(&allocator, def, placed, count, hull);
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
    trv_mesh_part run;
    result = trvi_mesh_run(mesh, part, &run);
    if (result != TRV_OK)
        return result;
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

trv_result trv_hull_deviation_get(const trv_hull *hull, trv_hull_deviation *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    if (hull == NULL)
        return TRV_ERROR_NULL;
    out->full_vertex_count = hull->full_vertex_count;
    out->volume_ratio = hull->volume_ratio;
    out->distance = hull->moved;
    return TRV_OK;
}
