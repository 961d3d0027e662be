// Builds the convex polyhedron's block from vertices and face loops, and owns its reference count.
//
// Twins are found by sorting the half-edges by their undirected edge: in a closed, consistently
// wound surface each edge then stands twice in a row, once in each direction.
#include "convex.h"

#include <string.h>

typedef struct edge_key {
    uint32_t low, high; // the two vertices, low < high
    uint32_t edge;      // half-edge index
} edge_key;

static bool key_less(const edge_key *a, const edge_key *b)
{
    if (a->low != b->low)
        return a->low < b->low;
    if (a->high != b->high)
        return a->high < b->high;
    return a->edge < b->edge;
}

// Restores the heap below `root`; heap sort needs no memory and no recursion.
static void sift_down(edge_key *keys, uint32_t root, uint32_t count)
{
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && key_less(&keys[child], &keys[child + 1]))
            child++;
        if (!key_less(&keys[root], &keys[child]))
            return;
        edge_key swap = keys[root];
        keys[root] = keys[child];
        keys[child] = swap;
        root = child;
    }
}

static void sort_keys(edge_key *keys, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(keys, i, count);
    for (uint32_t end = count; end-- > 1;) {
        edge_key swap = keys[0];
        keys[0] = keys[end];
        keys[end] = swap;
        sift_down(keys, 0, end);
    }
}

// Sub-arrays of the block, in order. Everything in it has an alignment of 4.
static size_t lay_out(trv_hull *hull, char *arrays)
{
    size_t size = 0;
    uint32_t nv = hull->vertex_count, nf = hull->face_count, ne = hull->half_edge_count;
#define PLACE(field, count)                                                                        \
    do {                                                                                           \
        hull->field = (void *)(arrays + size);                                                     \
        size += sizeof *hull->field * (size_t)(count);                                             \
    } while (0)
    PLACE(vertices, nv);
    PLACE(planes, nf);
    PLACE(face_first, nf + 1);
    PLACE(edge_origin, ne);
    PLACE(edge_twin, ne);
    PLACE(edge_face, ne);
    PLACE(vertex_edge, nv);
    PLACE(neighbor_first, nv + 1);
    PLACE(neighbors, ne);
    PLACE(seeds, TRVI_SEED_CELLS);
#undef PLACE
    return size;
}

static trv_result find_twins(const trv_allocator *allocator, trv_hull *hull)
{
    uint32_t count = hull->half_edge_count;
    size_t size = sizeof(edge_key) * count;
    edge_key *keys = trvi_allocate(allocator, size);
    if (keys == NULL)
        return TRV_ERROR_MEMORY;
    for (uint32_t e = 0; e < count; e++) {
        uint32_t a = hull->edge_origin[e], b = trvi_edge_end(hull, e);
        keys[e] = (edge_key){a < b ? a : b, a < b ? b : a, e};
    }
    sort_keys(keys, count);
    bool closed = count % 2 == 0;
    for (uint32_t i = 0; closed && i < count; i += 2) {
        const edge_key *k = &keys[i];
        bool pair = k[0].low == k[1].low && k[0].high == k[1].high && k[0].low != k[0].high;
        bool alone = i + 2 == count || k[2].low != k[0].low || k[2].high != k[0].high;
        bool opposed = hull->edge_origin[k[0].edge] != hull->edge_origin[k[1].edge];
        closed = pair && alone && opposed;
        hull->edge_twin[k[0].edge] = k[1].edge;
        hull->edge_twin[k[1].edge] = k[0].edge;
    }
    trvi_free(allocator, keys, size);
    return closed ? TRV_OK : TRV_ERROR_OPEN;
}

static trv_result link_vertices(trv_hull *hull)
{
    memset(hull->vertex_edge, 0xff, sizeof *hull->vertex_edge * hull->vertex_count);
    for (uint32_t e = hull->half_edge_count; e-- > 0;) {
        hull->vertex_edge[hull->edge_origin[e]] = e;
        hull->neighbor_first[hull->edge_origin[e] + 1]++;
    }
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        if (hull->neighbor_first[v + 1] < 3)
            return TRV_ERROR_OPEN;
        hull->neighbor_first[v + 1] += hull->neighbor_first[v];
    }
    // Appending in ascending order of the end vertex would need a sort; insertion keeps each short
    // list ascending instead.
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        uint32_t *list = hull->neighbors + hull->neighbor_first[v];
        uint32_t degree = hull->neighbor_first[v + 1] - hull->neighbor_first[v];
        uint32_t edge = hull->vertex_edge[v], count = 0;
        do { // one turn round the vertex; more steps than its degree mean two fans share it
            if (count == degree)
                return TRV_ERROR_OPEN;
            uint32_t end = trvi_edge_end(hull, edge), at = count++;
            for (; at > 0 && list[at - 1] > end; at--)
                list[at] = list[at - 1];
            list[at] = end;
            edge = hull->edge_twin[trvi_edge_previous(hull, edge)];
        } while (edge != hull->vertex_edge[v]);
        if (count != degree)
            return TRV_ERROR_OPEN;
    }
    return TRV_OK;
}

// Newell's normal (exact for planar loops, an average for nearly planar ones), and the highest
// vertex of the face, so that no vertex of it lies above its plane.
static void set_plane(trv_hull *hull, uint32_t face)
{
    uint32_t first = hull->face_first[face], last = hull->face_first[face + 1];
    trvi_dvec3 origin = trvi_dvec3_from(hull->vertices[hull->edge_origin[first]]);
    trvi_dvec3 sum = {0.0, 0.0, 0.0};
    for (uint32_t e = first; e < last; e++) {
        trvi_dvec3 a = trvi_dsub(trvi_dvec3_from(hull->vertices[hull->edge_origin[e]]), origin);
        trvi_dvec3 b = trvi_dsub(trvi_dvec3_from(hull->vertices[trvi_edge_end(hull, e)]), origin);
        sum = trvi_dadd(sum, trvi_dcross(a, b));
    }
    double length = trvi_dlength(sum);
    trv_vec3 normal = {0.0f, 0.0f, 0.0f};
    if (length > 0.0)
        normal = trvi_vec3_from_double(trvi_dscale(sum, 1.0 / length));
    double highest = -HUGE_VAL;
    for (uint32_t e = first; e < last; e++) {
        trvi_dvec3 v = trvi_dvec3_from(hull->vertices[hull->edge_origin[e]]);
        double height = trvi_ddot(trvi_dvec3_from(normal), v);
        if (height > highest)
            highest = height;
    }
    hull->planes[face] = (trv_plane){normal, (float)-highest};
}

static void set_bounds(trv_hull *hull)
{
    trv_aabb box = {hull->vertices[0], hull->vertices[0]};
    for (uint32_t v = 1; v < hull->vertex_count; v++) {
        box.lower = trvi_min(box.lower, hull->vertices[v]);
        box.upper = trvi_max(box.upper, hull->vertices[v]);
    }
    hull->bounds = box;
    hull->center = trvi_scale(trvi_add(box.lower, box.upper), 0.5f);
    double largest = 0.0;
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        trvi_dvec3 d = trvi_dsub(trvi_dvec3_from(hull->vertices[v]), trvi_dvec3_from(hull->center));
        largest = fmax(largest, trvi_ddot(d, d));
    }
    hull->radius = (float)(sqrt(largest) * (1.0 + 1.0e-6));
}

static uint32_t grid_place(double ratio)
{
    double place = (ratio + 1.0) * (0.5 * TRVI_SEED_GRID);
    if (!(place > 0.0))
        return 0;
    return place < TRVI_SEED_GRID ? (uint32_t)place : TRVI_SEED_GRID - 1;
}

uint32_t trvi_seed_cell(trvi_dvec3 d)
{
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    uint32_t side;
    double largest, u, v;
    if (x >= y && x >= z) {
        side = d.x < 0.0 ? 1 : 0, largest = x, u = d.y, v = d.z;
    } else if (y >= z) {
        side = d.y < 0.0 ? 3 : 2, largest = y, u = d.z, v = d.x;
    } else {
        side = d.z < 0.0 ? 5 : 4, largest = z, u = d.x, v = d.y;
    }
    double inverse = largest > 0.0 ? 1.0 / largest : 0.0;
    uint32_t row = grid_place(u * inverse), column = grid_place(v * inverse);
    return (side * TRVI_SEED_GRID + row) * TRVI_SEED_GRID + column;
}

// The middle of a cell, as a direction.
static trvi_dvec3 cell_direction(uint32_t cell)
{
    uint32_t column = cell % TRVI_SEED_GRID, row = cell / TRVI_SEED_GRID % TRVI_SEED_GRID;
    uint32_t side = cell / (TRVI_SEED_GRID * TRVI_SEED_GRID);
    double u = (2.0 * row + 1.0) / TRVI_SEED_GRID - 1.0;
    double v = (2.0 * column + 1.0) / TRVI_SEED_GRID - 1.0;
    double largest = side % 2 == 0 ? 1.0 : -1.0;
    if (side < 2)
        return (trvi_dvec3){largest, u, v};
    return side < 4 ? (trvi_dvec3){v, largest, u} : (trvi_dvec3){u, v, largest};
}

// Climbs from the last cell's seed: neighbouring cells have neighbouring seeds, so the whole table
// costs little. A climb that a flat spot stops early leaves a seed that is merely less good.
static void set_seeds(trv_hull *hull)
{
    uint32_t best = 0;
    for (uint32_t cell = 0; cell < TRVI_SEED_CELLS; cell++) {
        trvi_dvec3 direction = cell_direction(cell);
        double height = trvi_ddot(direction, trvi_dvec3_from(hull->vertices[best]));
        for (uint32_t step = 0; step < hull->vertex_count; step++) {
            uint32_t from = best;
            for (uint32_t i = hull->neighbor_first[from]; i < hull->neighbor_first[from + 1]; i++) {
                uint32_t v = hull->neighbors[i];
                double h = trvi_ddot(direction, trvi_dvec3_from(hull->vertices[v]));
                if (h > height)
                    best = v, height = h;
            }
            if (best == from)
                break;
        }
        hull->seeds[cell] = best;
    }
}

static trv_result fill(const trv_allocator *allocator, trv_hull *hull)
{
    for (uint32_t f = 0; f < hull->face_count; f++)
        for (uint32_t e = hull->face_first[f]; e < hull->face_first[f + 1]; e++)
            hull->edge_face[e] = f;
    trv_result result = find_twins(allocator, hull);
    if (result == TRV_OK)
        result = link_vertices(hull);
    if (result != TRV_OK)
        return result;
    int64_t euler = (int64_t)hull->vertex_count + hull->face_count - hull->half_edge_count / 2;
    if (euler != 2)
        return TRV_ERROR_OPEN;
    for (uint32_t f = 0; f < hull->face_count; f++)
        set_plane(hull, f);
    set_bounds(hull);
    set_seeds(hull);
    return TRV_OK;
}

static trv_result check_loops(uint32_t vertex_count, const uint32_t *face_first,
                              const uint32_t *loops, uint32_t face_count)
{
    if (vertex_count < 4 || face_count < 4 || face_first[0] != 0)
        return TRV_ERROR_OPEN;
    for (uint32_t f = 0; f < face_count; f++)
        if (face_first[f + 1] < face_first[f] || face_first[f + 1] - face_first[f] < 3)
            return TRV_ERROR_OPEN;
    for (uint32_t e = 0; e < face_first[face_count]; e++)
        if (loops[e] >= vertex_count)
            return TRV_ERROR_INDEX;
    return TRV_OK;
}

trv_result trvi_convex_build(const trv_allocator *allocator, const trv_vec3 *vertices,
                             uint32_t vertex_count, const uint32_t *face_first,
                             const uint32_t *loops, uint32_t face_count, trv_hull **out)
{
    *out = NULL;
    trv_result result = check_loops(vertex_count, face_first, loops, face_count);
    if (result != TRV_OK)
        return result;
    trv_hull sizes = {.vertex_count = vertex_count,
                      .face_count = face_count,
                      .half_edge_count = face_first[face_count]};
    size_t size = sizeof(trv_hull) + lay_out(&sizes, NULL);
    trv_hull *hull = trvi_allocate(allocator, size);
    if (hull == NULL)
        return TRV_ERROR_MEMORY;
    hull->allocator = *allocator;
    hull->block_size = size;
    atomic_init(&hull->references, 1u);
    hull->vertex_count = vertex_count;
    hull->face_count = face_count;
    hull->half_edge_count = face_first[face_count];
    lay_out(hull, (char *)(hull + 1));
    memcpy(hull->vertices, vertices, sizeof *vertices * vertex_count);
    memcpy(hull->face_first, face_first, sizeof *face_first * ((size_t)face_count + 1));
    memcpy(hull->edge_origin, loops, sizeof *loops * hull->half_edge_count);
    result = fill(allocator, hull);
    if (result != TRV_OK) {
        trvi_convex_release(hull);
        return result;
    }
    *out = hull;
    return TRV_OK;
}

void trvi_convex_retain(const trv_hull *hull)
{
    atomic_fetch_add_explicit(&((trv_hull *)hull)->references, 1u, memory_order_relaxed);
}

void trvi_convex_release(const trv_hull *hull)
{
    trv_hull *own = (trv_hull *)hull;
    if (own == NULL || atomic_fetch_sub_explicit(&own->references, 1u, memory_order_acq_rel) != 1u)
        return;
    trv_allocator allocator = own->allocator;
    trvi_free(&allocator, own, own->block_size);
}
