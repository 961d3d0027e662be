// What a mesh's surface is: closed, manifold, oriented, convex, and where it is not.
//
// Vertices at equal positions are made one by sorting positions; edges are runs of equal pairs
// among the sorted half-edges of all triangles; and the triangles at a vertex form one fan when
// joining them across the edges they share leaves one set of corners at it.
// Invariant: all answers depend on positions and the order of faces only, never on how ties sort.
// Based on: Tarjan 1975, "Efficiency of a Good But Not Linear Set Union Algorithm" (the fans).
#include "sort.h"
#include "surface.h"

// The polygons cut as fans, and how many triangles that makes at most.
static uint32_t count_triangles(const uint32_t *face_first, uint32_t face_count)
{
    return face_first[face_count] - face_first[0] - 2 * face_count;
}

// All arrays in one block; NULL when memory ran out. *words is its size in 4-byte words.
static uint32_t *carve(trvi_surface *surface, const trv_allocator *allocator, size_t *words)
{
    uint32_t corners = surface->corner_count;
    uint32_t triangles = count_triangles(surface->face_first, surface->face_count);
    uint64_t work = corners > 3 * (uint64_t)triangles ? corners : 3 * (uint64_t)triangles;
    uint64_t total = 5 * work + 4 * (uint64_t)corners + 4 * (uint64_t)triangles;
    if (total > SIZE_MAX / sizeof(uint32_t) || work > UINT32_MAX)
        return NULL;
    *words = (size_t)total;
    uint32_t *block = trvi_allocate(allocator, *words * sizeof(uint32_t));
    if (block == NULL)
        return NULL;
    uint32_t *next = block;
    surface->order = next;
    surface->scratch = next += work;
    for (int k = 0; k < 3; ++k)
        surface->keys[k] = next += work;
    surface->corners = next += work;
    surface->points = (trv_vec3 *)(void *)(next += corners);
    surface->triangles = next += 3 * (size_t)corners;
    surface->triangle_face = next + 3 * (size_t)triangles;
    return block;
}

// Numbers the positions in use; fills `corners` and `points`. Returns how many vertices are in use.
static uint32_t weld(trvi_surface *surface, const trv_mesh *mesh)
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
    return used;
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

static void judge_edges(const trvi_surface *surface, uint32_t *parents, trv_mesh_topology *out)
{
    uint32_t count = 3 * surface->triangle_count;
    uint32_t *order = surface->order, *lower = surface->keys[0], *upper = surface->keys[1];
    for (uint32_t h = 0; h < count; ++h) {
        uint32_t a = surface->triangles[h], b = surface->triangles[next_corner(h)];
        lower[h] = a < b ? a : b;
        upper[h] = a < b ? b : a;
        order[h] = parents[h] = h;
    }
    trvi_sort_by_key(order, surface->scratch, count, upper);
    trvi_sort_by_key(order, surface->scratch, count, lower);
    for (uint32_t first = 0, last; first < count; first = last) {
        last = first + 1;
        while (last < count && lower[order[last]] == lower[order[first]] &&
               upper[order[last]] == upper[order[first]])
            ++last;
        judge_edge(surface, order, first, last, parents, out);
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
    out->welded = weld(surface, mesh);
    out->welded -= surface->point_count;
    cut_fans(surface);
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
    if (part != TRV_ALL_PARTS && part >= mesh->part_count)
        return TRV_ERROR_INDEX;
    uint32_t first = part == TRV_ALL_PARTS ? 0 : mesh->parts[part].first_face;
    uint32_t count = part == TRV_ALL_PARTS ? mesh->face_count : mesh->parts[part].face_count;
    trv_mesh_topology found = {
        .open_face = TRV_NO_FACE, .nonmanifold_face = TRV_NO_FACE, .concave_face = TRV_NO_FACE};
    if (count > 0) {
        trvi_surface surface = {.face_first = mesh->face_first + first, .face_count = count};
        surface.corner_count = surface.face_first[count] - surface.face_first[0];
        size_t words = 0;
        uint32_t *block = carve(&surface, &mesh->allocator, &words);
        if (block == NULL)
            return TRV_ERROR_MEMORY;
        trv_result result = judge(&surface, mesh, &found);
        trvi_free(&mesh->allocator, block, words * sizeof(uint32_t));
        if (result != TRV_OK)
            return result;
        offset_face(&found.open_face, first);
        offset_face(&found.nonmanifold_face, first);
        offset_face(&found.concave_face, first);
    }
    *out = found;
    return TRV_OK;
}
