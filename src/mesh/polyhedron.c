// What a mesh's surface is: closed, manifold, oriented, convex, and where it is not.
//
// Edges are runs of equal pairs among the sorted half-edges of all triangles (surface.c), and the
// triangles at a vertex form one fan when joining them across the edges they share leaves one set of
// corners at it.
// Invariant: all answers depend on positions and the order of faces only, never on how ties sort.
// Based on: Tarjan 1975, "Efficiency of a Good But Not Linear Set Union Algorithm" (the fans).
#include "surface.h"

// The corner after `corner` in its triangle.
static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

// The set that a corner belongs to; halves the path to it.
static uint32_t find_set(uint32_t *parents, uint32_t corner)
{
    while (parents[corner] != corner) { // parents[c] <= c, so this ends
        parents[corner] = parents[parents[corner]];
        corner = parents[corner];
    }
    return corner;
}

static void join_sets(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = find_set(parents, a);
    b = find_set(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}

static void note_face(uint32_t *face, uint32_t candidate)
{
    if (candidate < *face)
        *face = candidate;
}

// One edge: the half-edges order[first .. last). Half-edge h goes from corner h to the next one.
static void judge_edge(const trvi_surface *surface, const uint32_t *order, uint32_t first,
                       uint32_t last, uint32_t *parents, trv_mesh_topology *out)
{
    uint32_t uses = last - first, forward = 0, face = TRV_NO_FACE;
    for (uint32_t i = first; i < last; ++i) {
        uint32_t h = order[i];
        forward += surface->triangles[h] < surface->triangles[next_corner(h)];
        note_face(&face, surface->triangle_face[h / 3]);
    }
    out->boundary_edges += uses == 1;
    if (uses != 2 || forward != 1)
        note_face(&out->open_face, face);
    if (uses > 2)
        note_face(&out->nonmanifold_face, face);
    if (forward > 1 || uses - forward > 1)
        out->oriented = false;
    if (uses == 2) {
        uint32_t a = order[first], b = order[first + 1];
        bool opposite = surface->triangles[a] != surface->triangles[b];
        join_sets(parents, a, opposite ? next_corner(b) : b);
        join_sets(parents, next_corner(a), opposite ? b : next_corner(b));
    }
}

static void judge_edges(trvi_surface *surface, uint32_t *parents, trv_mesh_topology *out)
{
    uint32_t count = 3 * surface->triangle_count;
    for (uint32_t h = 0; h < count; ++h) {
        trvi_surface_set_edge(surface, h, surface->triangles[h],
                              surface->triangles[next_corner(h)]);
        surface->order[h] = parents[h] = h;
    }
    trvi_surface_sort_edges(surface, count);
    for (uint32_t first = 0, last; first < count; first = last) {
        last = trvi_surface_edge_end(surface, first, count);
        judge_edge(surface, surface->order, first, last, parents, out);
    }
}

// Vertices at which more than one fan of triangles meets.
static void judge_vertices(const trvi_surface *surface, uint32_t *parents, trv_mesh_topology *out)
{
    uint32_t count = 3 * surface->triangle_count;
    uint32_t *fans = surface->order;
    for (uint32_t i = 0; i < surface->point_count; ++i)
        fans[i] = 0;
    for (uint32_t c = 0; c < count; ++c)
        fans[surface->triangles[c]] += parents[c] == c;
    for (uint32_t c = 0; c < count; ++c)
        if (fans[surface->triangles[c]] > 1)
            note_face(&out->nonmanifold_face, surface->triangle_face[c / 3]);
}

static trv_result judge(trvi_surface *surface, const trv_mesh *mesh, trv_mesh_topology *out)
{
    out->welded = surface->used_count - surface->point_count;
    if (surface->triangle_count == 0)
        return TRV_OK;
    out->oriented = true;
    uint32_t *parents = surface->keys[2];
    judge_edges(surface, parents, out);
    judge_vertices(surface, parents, out);
    out->closed = out->open_face == TRV_NO_FACE;
    out->manifold = out->nonmanifold_face == TRV_NO_FACE;
    if (!out->closed || !out->manifold)
        return TRV_OK;
    return trvi_surface_convexity(surface, &mesh->allocator, &out->convex, &out->concave_face);
}

static void offset_face(uint32_t *face, uint32_t first)
{
    if (*face != TRV_NO_FACE)
        *face += first;
}

trv_result trv_mesh_check(const trv_mesh *mesh, uint32_t part, trv_mesh_topology *out)
{
    if (out)
        *out = (trv_mesh_topology){0};
    if (mesh == NULL || out == NULL)
        return TRV_ERROR_NULL;
    trv_mesh_part run;
    trv_result result = trvi_mesh_run(mesh, part, &run);
    if (result != TRV_OK)
        return result;
    trv_mesh_topology found = {
        .open_face = TRV_NO_FACE, .nonmanifold_face = TRV_NO_FACE, .concave_face = TRV_NO_FACE};
    if (run.face_count > 0) {
        trvi_surface surface;
        if (!trvi_surface_open(&surface, mesh, run.first_face, run.face_count))
            return TRV_ERROR_MEMORY;
        result = judge(&surface, mesh, &found);
        trvi_surface_close(&surface, mesh);
        if (result != TRV_OK)
            return result;
        offset_face(&found.open_face, run.first_face);
        offset_face(&found.nonmanifold_face, run.first_face);
        offset_face(&found.concave_face, run.first_face);
    }
    *out = found;
    return TRV_OK;
}
