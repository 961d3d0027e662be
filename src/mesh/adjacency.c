// Which faces meet at which edges.
//
// The sides of the faces are half-edges; those of one edge are a run once they are sorted by their ends
// (surface.c), and are linked into a ring.
// Invariant: a ring ascends by side but for the step from its last to its first, and edges ascend by
// their first sides, so that nothing depends on how ties sort.
// Based on: Weiler 1988, "The Radial Edge Structure: A Topological Representation for Non-Manifold
// Geometric Boundary Modeling".
#include "surface.h"

struct trv_adjacency {
    trv_allocator allocator;
    trv_mesh_edge *edges; // [edge_count], NULL where there are none
    trv_mesh_side *sides; // [side_count], NULL where there are none
    uint32_t edge_count;
    uint32_t side_count;
};

// The side after `side` in its face, whose sides are [first, last).
static uint32_t next_side(uint32_t side, uint32_t first, uint32_t last)
{
    return side + 1 < last ? side + 1 : first;
}

// Puts the sides that are edges into `order`, and each side's face into `neighbor`. Returns how many.
static uint32_t gather_sides(trvi_surface *surface, trv_mesh_side *sides)
{
    uint32_t base = surface->face_first[0], count = 0, triangle = 0;
    for (uint32_t f = 0; f < surface->face_count; f++) {
        uint32_t first = surface->face_first[f] - base, last = surface->face_first[f + 1] - base;
        bool passed_over =
            triangle == surface->triangle_count || surface->triangle_face[triangle] != f;
        while (triangle < surface->triangle_count && surface->triangle_face[triangle] == f)
            triangle++;
        for (uint32_t i = first; i < last; i++) {
            uint32_t a = surface->corners[i], b = surface->corners[next_side(i, first, last)];
            sides[i] = (trv_mesh_side){TRV_NO_EDGE, TRV_NO_SIDE, f, a > b};
            if (passed_over || a == b)
                continue;
            trvi_surface_set_edge(surface, i, a, b);
            surface->order[count++] = i;
        }
    }
    return count;
}

// Links the sides order[0 .. count) into rings. Returns how many edges there are.
static uint32_t link_sides(trvi_surface *surface, uint32_t count, trv_mesh_side *sides)
{
    uint32_t edges = 0;
    trvi_surface_sort_edges(surface, count);
    for (uint32_t first = 0, last; first < count; first = last, edges++) {
        last = trvi_surface_edge_end(surface, first, count);
        for (uint32_t i = first; i < last; i++)
            sides[surface->order[i]].twin = surface->order[i + 1 < last ? i + 1 : first];
    }
    return edges;
}

// Numbers the edges by their first sides, and describes them. `faces` has the face of each side.
static void list_edges(trv_adjacency *to, const trvi_surface *surface, const trv_mesh *mesh,
                       uint32_t first_face, const uint32_t *faces)
{
    uint32_t base = surface->face_first[0], edge = 0;
    for (uint32_t i = 0; i < to->side_count; i++) {
        trv_mesh_side *side = &to->sides[i];
        if (side->twin == TRV_NO_SIDE || side->edge != TRV_NO_EDGE)
            continue;
        const uint32_t *ends = surface->face_first + faces[i];
        uint32_t after = next_side(i, ends[0] - base, ends[1] - base);
        bool turned = side->reversed;
        trv_mesh_edge found = {{mesh->corners[base + i], mesh->corners[base + after]},
                               {faces[i] + first_face, TRV_NO_FACE},
                               i,
                               0};
        uint32_t at = i;
        do { // once round the ring
            to->sides[at].edge = edge;
            to->sides[at].reversed = to->sides[at].reversed != turned;
            if (++found.side_count == 2)
                found.faces[1] = faces[at] + first_face;
            at = to->sides[at].twin;
        } while (at != i);
        to->edges[edge++] = found;
    }
    for (uint32_t i = 0; i < to->side_count; i++) {
        trv_mesh_side *side = &to->sides[i];
        if (side->twin == i) // alone
            side->twin = TRV_NO_SIDE;
        side->neighbor = side->twin == TRV_NO_SIDE ? TRV_NO_FACE : faces[side->twin] + first_face;
        side->reversed = side->edge != TRV_NO_EDGE && side->reversed;
    }
}

static void *allocate_items(const trv_allocator *allocator, uint32_t count, size_t size)
{
    return count <= SIZE_MAX / size ? trvi_allocate(allocator, count * size) : NULL;
}

// Fills `to`, whose destruction frees it, with the faces [first, first + count).
static trv_result fill(trv_adjacency *to, const trv_mesh *mesh, uint32_t first, uint32_t count)
{
    trvi_surface surface;
    uint32_t corners = mesh->face_first[first + count] - mesh->face_first[first];
    to->sides = allocate_items(&to->allocator, corners, sizeof *to->sides);
    if (to->sides == NULL)
        return TRV_ERROR_MEMORY;
    to->side_count = corners;
    if (!trvi_surface_open(&surface, mesh, first, count))
        return TRV_ERROR_MEMORY;
    uint32_t used = gather_sides(&surface, to->sides);
    uint32_t edges = link_sides(&surface, used, to->sides);
    uint32_t *faces = surface.keys[2];
    for (uint32_t i = 0; i < corners; i++)
        faces[i] = to->sides[i].neighbor;
    if (edges > 0)
        to->edges = allocate_items(&to->allocator, edges, sizeof *to->edges);
    to->edge_count = to->edges ? edges : 0;
    bool whole = to->edge_count == edges;
    if (whole)
        list_edges(to, &surface, mesh, first, faces);
    trvi_surface_close(&surface, mesh);
    return whole ? TRV_OK : TRV_ERROR_MEMORY;
}

trv_result trv_adjacency_create(const trv_mesh *mesh, uint32_t part, trv_adjacency **out)
{
    if (out)
        *out = NULL;
    if (mesh == NULL || out == NULL)
        return TRV_ERROR_NULL;
    trv_mesh_part run;
    trv_result result = trvi_mesh_run(mesh, part, &run);
    if (result != TRV_OK)
        return result;
    trv_adjacency *made = trvi_allocate(&mesh->allocator, sizeof *made);
    if (made == NULL)
        return TRV_ERROR_MEMORY;
    made->allocator = mesh->allocator;
    if (run.face_count > 0) {
        result = fill(made, mesh, run.first_face, run.face_count);
        if (result != TRV_OK) {
            trv_adjacency_destroy(made);
            return result;
        }
    }
    *out = made;
    return TRV_OK;
}

void trv_adjacency_destroy(trv_adjacency *adjacency)
{
    if (adjacency == NULL)
        return;
    trv_allocator allocator = adjacency->allocator;
    trvi_free(&allocator, adjacency->edges, adjacency->edge_count * sizeof *adjacency->edges);
    trvi_free(&allocator, adjacency->sides, adjacency->side_count * sizeof *adjacency->sides);
    trvi_free(&allocator, adjacency, sizeof *adjacency);
}

const trv_mesh_edge *trv_adjacency_edges(const trv_adjacency *adjacency, uint32_t *count)
{
    if (count)
        *count = adjacency ? adjacency->edge_count : 0;
    return adjacency ? adjacency->edges : NULL;
}

const trv_mesh_side *trv_adjacency_sides(const trv_adjacency *adjacency, uint32_t *count)
{
    if (count)
        *count = adjacency ? adjacency->side_count : 0;
    return adjacency ? adjacency->sides : NULL;
}
