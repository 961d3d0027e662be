// A surface made ready for questions: positions made one, polygons cut as fans, edges sorted.
//
// Vertices at equal positions are made one by sorting positions; edges are runs of equal pairs among
// sorted half-edges, whichever those are: sides of triangles or of polygons.
// Invariant: points are numbered by position, and half-edges of one edge stay in their order, so that
// nothing depends on how ties sort.
#include "surface.h"
#include "sort.h"

// The polygons cut as fans, and how many triangles that makes at most.
static uint32_t count_triangles(const uint32_t *face_first, uint32_t face_count)
{
    return face_first[face_count] - face_first[0] - 2 * face_count;
}

// All arrays in one block. False when memory ran out.
static bool carve(trvi_surface *surface, const trv_allocator *allocator)
{
    uint32_t corners = surface->corner_count;
    uint32_t triangles = count_triangles(surface->face_first, surface->face_count);
    uint64_t work = corners > 3 * (uint64_t)triangles ? corners : 3 * (uint64_t)triangles;
    uint64_t total = 5 * work + 4 * (uint64_t)corners + 4 * (uint64_t)triangles;
    if (total > SIZE_MAX / sizeof(uint32_t) || work > UINT32_MAX)
        return false;
    surface->block_size = (size_t)total * sizeof(uint32_t);
    surface->block = trvi_allocate(allocator, surface->block_size);
    if (surface->block == NULL)
        return false;
    uint32_t *next = surface->block;
    surface->order = next;
    surface->scratch = next += work;
    for (int k = 0; k < 3; ++k)
        surface->keys[k] = next += work;
    surface->corners = next += work;
    surface->points = (trv_vec3 *)(void *)(next += corners);
    surface->triangles = next += 3 * (size_t)corners;
    surface->triangle_face = next + 3 * (size_t)triangles;
    return true;
}

// Numbers the positions in use; fills `corners` and `points`.
static void weld(trvi_surface *surface, const trv_mesh *mesh)
{
    uint32_t count = surface->corner_count, used = 0;
    const uint32_t *corners = mesh->corners + surface->face_first[0];
    uint32_t *order = surface->order, *local = surface->corners;
    for (uint32_t i = 0; i < count; ++i)
        order[i] = i;
    trvi_sort_by_key(order, surface->scratch, count, corners);
    // local: for each corner the number of its vertex among those in use.
    for (uint32_t i = 0; i < count; ++i) {
        trv_vec3 p = mesh->vertices[corners[order[i]]];
        if (i == 0 || corners[order[i]] != corners[order[i - 1]]) {
            surface->keys[0][used] = trvi_sort_key_of_float(p.x);
            surface->keys[1][used] = trvi_sort_key_of_float(p.y);
            surface->keys[2][used] = trvi_sort_key_of_float(p.z);
            ++used;
        }
        local[order[i]] = used - 1;
    }
    for (uint32_t i = 0; i < used; ++i)
        order[i] = i;
    for (int axis = 3; axis-- > 0;)
        trvi_sort_by_key(order, surface->scratch, used, surface->keys[axis]);
    uint32_t *rank = surface->scratch; // of each used vertex among the positions
    uint32_t points = 0;
    for (uint32_t i = 0; i < used; ++i) {
        uint32_t a = order[i], b = order[i > 0 ? i - 1 : 0];
        bool same = i > 0;
        for (int axis = 0; axis < 3; ++axis)
            same = same && surface->keys[axis][a] == surface->keys[axis][b];
        points += !same;
        rank[a] = points - 1;
    }
    for (uint32_t i = 0; i < count; ++i)
        local[i] = rank[local[i]];
    for (uint32_t i = 0; i < count; ++i)
        surface->points[local[i]] = mesh->vertices[corners[i]];
    surface->point_count = points;
    surface->used_count = used;
}

static void cut_fans(trvi_surface *surface)
{
    uint32_t base = surface->face_first[0];
    for (uint32_t face = 0; face < surface->face_count; ++face) {
        const uint32_t *loop = surface->corners + (surface->face_first[face] - base);
        uint32_t sides = surface->face_first[face + 1] - surface->face_first[face];
        for (uint32_t k = 1; k + 1 < sides; ++k) {
            uint32_t a = loop[0], b = loop[k], c = loop[k + 1];
            if (a == b || b == c || c == a)
                continue;
            uint32_t *triangle = surface->triangles + 3 * (size_t)surface->triangle_count;
            triangle[0] = a;
            triangle[1] = b;
            triangle[2] = c;
            surface->triangle_face[surface->triangle_count++] = face;
        }
    }
}

bool trvi_surface_open(trvi_surface *surface, const trv_mesh *mesh, uint32_t first, uint32_t count)
{
    *surface = (trvi_surface){.face_first = mesh->face_first + first, .face_count = count};
    surface->corner_count = surface->face_first[count] - surface->face_first[0];
    if (!carve(surface, &mesh->allocator))
        return false;
    weld(surface, mesh);
    cut_fans(surface);
    return true;
}

void trvi_surface_close(trvi_surface *surface, const trv_mesh *mesh)
{
    trvi_free(&mesh->allocator, surface->block, surface->block_size);
    *surface = (trvi_surface){0};
}

void trvi_surface_sort_edges(trvi_surface *surface, uint32_t count)
{
    trvi_sort_by_key(surface->order, surface->scratch, count, surface->keys[1]);
    trvi_sort_by_key(surface->order, surface->scratch, count, surface->keys[0]);
}

uint32_t trvi_surface_edge_end(const trvi_surface *surface, uint32_t first, uint32_t count)
{
    const uint32_t *order = surface->order, *lower = surface->keys[0], *upper = surface->keys[1];
    uint32_t last = first + 1;
    while (last < count && lower[order[last]] == lower[order[first]] &&
           upper[order[last]] == upper[order[first]])
        ++last;
    return last;
}
