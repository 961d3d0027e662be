// A copy of a hull in an order of its own: whatever the order of the points, it has the same bytes.
//
// Sums that are rounded, ties and whatever is walked in some order come out of such a copy the same for
// any order of the input, so what is decided on it needs no proof of that. Vertices are sorted by x,
// then y, then z. A face's loop starts at its first vertex, and faces are sorted by that one and the
// one after it: a half-edge belongs to one face, so there are no ties.
//
// Invariant: the set of vertices and the cyclic loops of the faces are those of the hull.
#include "hull_build.h"
#include "sort.h"

// Arrays inside one block; `order`, `swap` and `keys` have room for vertices and for faces.
typedef struct orderer {
    const trv_hull *hull;
    uint32_t *place;    // [vertices] of the hull in the copy
    uint32_t *order;    // indices to be sorted
    uint32_t *swap;     // scratch of the sort
    uint32_t *keys;     // to sort by
    uint32_t *start;    // [faces] half-edge with which the loop begins
    uint32_t *first;    // [faces + 1] loops of the copy
    uint32_t *loops;    // [half-edges]
    trv_vec3 *vertices; // [vertices] of the copy
} orderer;

static size_t lay_out(orderer *sorter, char *block)
{
    size_t size = 0;
    size_t vertices = sorter->hull->vertex_count, faces = sorter->hull->face_count;
    size_t most = vertices > faces ? vertices : faces;
#define PLACE(field, count)                                                                        \
    do {                                                                                           \
        sorter->field = block ? (void *)(block + size) : NULL;                                     \
        size += sizeof *sorter->field * (count);                                                   \
    } while (0)
    PLACE(order, most);
    PLACE(swap, most);
    PLACE(keys, most);
    PLACE(start, faces);
    PLACE(first, faces + 1);
    PLACE(loops, sorter->hull->half_edge_count);
    PLACE(vertices, vertices);
#undef PLACE
    return size;
}

static void count_up(uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
}

static void order_vertices(orderer *sorter)
{
    const trv_hull *hull = sorter->hull;
    uint32_t count = hull->vertex_count;
    count_up(sorter->order, count);
    for (uint32_t axis = 3; axis-- > 0;) {
        for (uint32_t v = 0; v < count; v++) {
            const trv_vec3 *p = &hull->vertices[v];
            float value = axis == 0 ? p->x : axis == 1 ? p->y : p->z;
            sorter->keys[v] = trvi_sort_key_of_float(value);
        }
        trvi_sort_by_key(sorter->order, sorter->swap, count, sorter->keys);
    }
    for (uint32_t i = 0; i < count; i++) {
        sorter->place[sorter->order[i]] = i;
        sorter->vertices[i] = hull->vertices[sorter->order[i]];
    }
}

static uint32_t place_of(const orderer *sorter, uint32_t edge)
{
    return sorter->place[sorter->hull->edge_origin[edge]];
}

static void order_faces(orderer *sorter)
{
    const trv_hull *hull = sorter->hull;
    uint32_t count = hull->face_count;
    for (uint32_t f = 0; f < count; f++) {
        uint32_t least = hull->face_first[f];
        for (uint32_t e = least + 1; e < hull->face_first[f + 1]; e++)
            if (place_of(sorter, e) < place_of(sorter, least))
                least = e;
        sorter->start[f] = least;
        sorter->keys[f] = place_of(sorter, trvi_edge_next(hull, least));
    }
    count_up(sorter->order, count);
    trvi_sort_by_key(sorter->order, sorter->swap, count, sorter->keys);
    for (uint32_t f = 0; f < count; f++)
        sorter->keys[f] = place_of(sorter, sorter->start[f]);
    trvi_sort_by_key(sorter->order, sorter->swap, count, sorter->keys);
}

static void write_loops(orderer *sorter)
{
    const trv_hull *hull = sorter->hull;
    uint32_t kept = 0;
    sorter->first[0] = 0;
    for (uint32_t i = 0; i < hull->face_count; i++) {
        uint32_t face = sorter->order[i], e = sorter->start[face];
        for (uint32_t left = hull->face_first[face + 1] - hull->face_first[face]; left > 0;
             left--) {
            sorter->loops[kept++] = place_of(sorter, e);
            e = trvi_edge_next(hull, e);
        }
        sorter->first[i + 1] = kept;
    }
}

trv_result trvi_hull_reorder(const trv_hull *hull, uint32_t *place, trv_hull **ordered)
{
    *ordered = NULL;
    orderer sorter = {.hull = hull, .place = place};
    size_t size = lay_out(&sorter, NULL);
    char *block = trvi_allocate(&hull->allocator, size);
    if (block == NULL)
        return TRV_ERROR_MEMORY;
    lay_out(&sorter, block);
    order_vertices(&sorter);
    order_faces(&sorter);
    write_loops(&sorter);
    trv_result result =
        trvi_convex_build_bare(&hull->allocator, sorter.vertices, hull->vertex_count, sorter.first,
                               sorter.loops, hull->face_count, NULL, ordered);
    trvi_free(&hull->allocator, block, size);
    return result;
}
