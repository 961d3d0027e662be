// Builds the convex polyhedron's block from vertices and face loops, and owns its reference count.
//
// Twins are found by sorting the half-edges by their undirected edge: in a closed, consistently
// wound surface each edge then stands twice in a row, once in each direction. All is O(n).
#include "convex.h"
#include "bounds.h"
#include "predicates.h"
#include "rounding.h"
#include "tolerance.h"

#include <string.h>

// Stable counting sort of half-edges by a vertex of each: key[e] < key_count. `sums` is scratch of
// key_count + 1 zeros at entry.
static void sort_by_key(const uint32_t *from, uint32_t *to, uint32_t count, const uint32_t *key,
                        uint32_t key_count, uint32_t *sums)
{
    for (uint32_t i = 0; i < count; i++)
        sums[key[from[i]] + 1]++;
    for (uint32_t k = 0; k < key_count; k++)
        sums[k + 1] += sums[k];
    for (uint32_t i = 0; i < count; i++)
        to[sums[key[from[i]]]++] = from[i];
}

// Sub-arrays of the block, in order. The last two have an alignment of 1, the others one of 4.
static size_t lay_out(trv_hull *hull, char *arrays)
{
    size_t size = 0;
    uint32_t nv = hull->vertex_count, nf = hull->face_count, ne = hull->half_edge_count;
    uint32_t leaves = trvi_plane_leaves(nf);
    uint32_t clusters = trvi_cluster_count(nv, hull->seed_grid);
    bool many = nv > TRVI_FAN_VERTICES;
#define PLACE(field, count)                                                                        \
    do {                                                                                           \
        hull->field = arrays ? (void *)(arrays + size) : NULL;                                     \
        size += sizeof *hull->field * (size_t)(count);                                             \
    } while (0)
    PLACE(vertices, nv);
    PLACE(columns, 3 * trvi_column_length(nv));
    PLACE(planes, nf);
    PLACE(face_areas, nf);
    PLACE(face_first, nf + 1);
    PLACE(edge_origin, ne);
    PLACE(edge_twin, ne);
    PLACE(edge_face, ne);
    PLACE(vertex_edge, nv);
    PLACE(vertex_faces, ne);
    PLACE(neighbor_first, nv + 1);
    PLACE(neighbors, ne);
    PLACE(fans, many ? nv : 0);
    PLACE(crowd_first, many ? nv + 1 : 0);
    PLACE(crowds, many ? trvi_crowd_limit(nv, ne) : 0);
    PLACE(seeds, 6 * hull->seed_grid * hull->seed_grid);
    PLACE(clusters, clusters);
    PLACE(cluster_order, clusters > 0 ? nv : 0);
    PLACE(face_order, leaves > 0 ? nf : 0);
    PLACE(plane_bounds, 2 * (size_t)leaves);
    PLACE(face_pieces, nf);
    PLACE(face_united, nf);
#undef PLACE
    return size;
}

// Scratch of find_twins: the two vertices of each half-edge, low < high, and its places in order.
typedef struct edge_sorter {
    uint32_t *low, *high;   // [half_edge_count]
    uint32_t *order, *swap; // [half_edge_count]
    uint32_t *sums;         // [vertex_count + 1]
} edge_sorter;

// Half-edges in ascending order of their undirected edge.
static void sort_edges(const trv_hull *hull, edge_sorter *sorter)
{
    uint32_t count = hull->half_edge_count;
    for (uint32_t e = 0; e < count; e++) {
        uint32_t a = hull->edge_origin[e], b = trvi_edge_end(hull, e);
        sorter->low[e] = a < b ? a : b;
        sorter->high[e] = a < b ? b : a;
        sorter->swap[e] = e;
    }
    size_t sums_size = sizeof *sorter->sums * ((size_t)hull->vertex_count + 1);
    sort_by_key(sorter->swap, sorter->order, count, sorter->high, hull->vertex_count, sorter->sums);
    memset(sorter->sums, 0, sums_size);
    memcpy(sorter->swap, sorter->order, sizeof *sorter->order * count);
    sort_by_key(sorter->swap, sorter->order, count, sorter->low, hull->vertex_count, sorter->sums);
}

// Pairs neighbours in the order; false unless each edge is there twice, once in each direction.
static bool pair_edges(trv_hull *hull, const edge_sorter *sorter)
{
    uint32_t count = hull->half_edge_count;
    const uint32_t *order = sorter->order, *low = sorter->low, *high = sorter->high;
    bool closed = count % 2 == 0;
    for (uint32_t i = 0; closed && i < count; i += 2) {
        uint32_t e = order[i], twin = order[i + 1];
        bool pair = low[e] == low[twin] && high[e] == high[twin] && low[e] != high[e];
        bool alone = i + 2 == count || low[order[i + 2]] != low[e] || high[order[i + 2]] != high[e];
        closed = pair && alone && hull->edge_origin[e] != hull->edge_origin[twin];
        hull->edge_twin[e] = twin;
        hull->edge_twin[twin] = e;
    }
    return closed;
}

static trv_result find_twins(const trv_allocator *allocator, trv_hull *hull)
{
    size_t count = hull->half_edge_count;
    size_t size = sizeof(uint32_t) * (4 * count + hull->vertex_count + 1);
    uint32_t *scratch = trvi_allocate(allocator, size);
    if (scratch == NULL)
        return TRV_ERROR_MEMORY;
    edge_sorter sorter = {scratch, scratch + count, scratch + 2 * count, scratch + 3 * count,
                          scratch + 4 * count};
    sort_edges(hull, &sorter);
    bool closed = pair_edges(hull, &sorter);
    trvi_free(allocator, scratch, size);
    return closed ? TRV_OK : TRV_ERROR_OPEN;
}

// The next half-edge that starts at the same vertex.
static uint32_t turn(const trv_hull *hull, uint32_t edge)
{
    return hull->edge_twin[trvi_edge_previous(hull, edge)];
}

// True when one turn round the vertex meets all its half-edges: two fans do not share it.
static bool is_one_fan(const trv_hull *hull, uint32_t vertex)
{
    uint32_t degree = hull->neighbor_first[vertex + 1] - hull->neighbor_first[vertex];
    uint32_t edge = hull->vertex_edge[vertex];
    for (uint32_t count = 1; count <= degree; count++) {
        edge = turn(hull, edge);
        if (edge == hull->vertex_edge[vertex])
            return count == degree;
    }
    return false;
}

static trv_result link_vertices(trv_hull *hull)
{
    memset(hull->vertex_edge, 0xff, sizeof *hull->vertex_edge * hull->vertex_count);
    memset(hull->neighbor_first, 0,
           sizeof *hull->neighbor_first * ((size_t)hull->vertex_count + 1));
    for (uint32_t e = hull->half_edge_count; e-- > 0;) {
        hull->vertex_edge[hull->edge_origin[e]] = e;
        hull->neighbor_first[hull->edge_origin[e] + 1]++;
    }
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        if (hull->neighbor_first[v + 1] < 3)
            return TRV_ERROR_OPEN;
        hull->neighbor_first[v + 1] += hull->neighbor_first[v];
    }
    for (uint32_t v = 0; v < hull->vertex_count; v++)
        if (!is_one_fan(hull, v))
            return TRV_ERROR_OPEN;
    // v goes to the end of each neighbour's list; v ascends, so every list does too. A list's first
    // index moves to its end meanwhile, which is the next one's first: the shift undoes that.
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        uint32_t edge = hull->vertex_edge[v];
        do {
            hull->neighbors[hull->neighbor_first[trvi_edge_end(hull, edge)]++] = v;
            edge = turn(hull, edge);
        } while (edge != hull->vertex_edge[v]);
    }
    memmove(hull->neighbor_first + 1, hull->neighbor_first,
            sizeof *hull->neighbor_first * hull->vertex_count);
    hull->neighbor_first[0] = 0;
    return TRV_OK;
}

static trvi_dvec3 longer(trvi_dvec3 a, trvi_dvec3 b)
{
    return trvi_ddot(b, b) > trvi_ddot(a, a) ? b : a;
}

// The direction of a face whose Newell normal is noise: the exact normal of its widest triangle at
// the first corner.
static trvi_dvec3 sliver_normal(const trv_hull *hull, uint32_t first, uint32_t last)
{
    const trv_vec3 *v = hull->vertices;
    const uint32_t *corner = hull->edge_origin;
    trvi_dvec3 widest = {0.0, 0.0, 0.0};
    for (uint32_t e = first + 1; e + 1 < last; e++)
        widest = longer(widest, trvi_exact_cross(v[corner[first]], v[corner[e]], v[corner[e + 1]]));
    return widest;
}

// The plane's normal: Newell's (exact for planar loops, an average for nearly planar ones).
static trv_vec3 face_normal(const trv_hull *hull, uint32_t first, uint32_t last)
{
    trvi_dvec3 origin = trvi_dvec3_from(hull->vertices[hull->edge_origin[first]]);
    trvi_dvec3 sum = {0.0, 0.0, 0.0};
    double terms = 0.0;
    trvi_dvec3 a = {0.0, 0.0, 0.0};
    for (uint32_t e = first + 1; e < last; e++) {
        trvi_dvec3 b = trvi_dsub(trvi_dvec3_from(hull->vertices[hull->edge_origin[e]]), origin);
        sum = trvi_dadd(sum, trvi_dcross(a, b));
        terms += trvi_dlength(a) * trvi_dlength(b);
        a = b;
    }
    if (!(trvi_dlength(sum) > TRVI_SLIVER * terms))
        sum = sliver_normal(hull, first, last);
    double length = trvi_dlength(sum);
    trv_vec3 normal = {0.0f, 0.0f, 0.0f};
    if (length > 0.0)
        normal = trvi_vec3_from_double(trvi_dscale(sum, 1.0 / length));
    return normal;
}

void trvi_convex_set_plane(trv_hull *hull, uint32_t face, trv_vec3 normal)
{
    double highest = -HUGE_VAL;
    for (uint32_t e = hull->face_first[face]; e < hull->face_first[face + 1]; e++) {
        trvi_dvec3 v = trvi_dvec3_from(hull->vertices[hull->edge_origin[e]]);
        highest = fmax(highest, trvi_ddot(trvi_dvec3_from(normal), v));
    }
    hull->planes[face] = (trv_plane){normal, trvi_round_down(-highest)};
}

static void set_bounds(trv_hull *hull)
{
    trv_aabb box = {hull->vertices[0], hull->vertices[0]};
    for (uint32_t v = 1; v < hull->vertex_count; v++) {
        box.lower = trvi_min(box.lower, hull->vertices[v]);
        box.upper = trvi_max(box.upper, hull->vertices[v]);
    }
    hull->bounds = box;
    hull->center = trvi_aabb_center(box);
    double largest = 0.0;
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        trvi_dvec3 d = trvi_dsub(trvi_dvec3_from(hull->vertices[v]), trvi_dvec3_from(hull->center));
        largest = fmax(largest, trvi_ddot(d, d));
    }
    hull->radius = (float)(sqrt(largest) * (1.0 + 1.0e-6));
}

// The radius of a ball about a point that is inside, rounded down; 0: none. Faces may be flat within a tolerance
// only, and their planes are float32: hence the allowance.
static float ball_about(const trv_hull *hull, trvi_dvec3 center)
{
    double least = hull->radius;
    for (uint32_t f = 0; f < hull->face_count; f++)
        least = fmin(least, -trvi_ddot(trvi_dvec3_from(hull->planes[f].normal), center) -
                                (double)hull->planes[f].offset);
    return (float)fmax(least - TRVI_INNER_ALLOWANCE * hull->radius, 0.0);
}

// The middle of a face's corners.
static trvi_dvec3 face_middle(const trv_hull *hull, uint32_t face)
{
    trvi_dvec3 sum = {0.0, 0.0, 0.0};
    uint32_t first = hull->face_first[face], last = hull->face_first[face + 1];
    for (uint32_t e = first; e < last; e++)
        sum = trvi_dadd(sum, trvi_dvec3_from(hull->vertices[hull->edge_origin[e]]));
    return trvi_dscale(sum, 1.0 / (double)(last - first));
}

// The middle of the bounds of a wedge lies on its slope: there the middle of the surface is far inside.
static void set_inner_balls(trv_hull *hull)
{
    trvi_dvec3 sum = {0.0, 0.0, 0.0};
    double area = 0.0;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        sum = trvi_dmul_add(sum, face_middle(hull, f), (double)hull->face_areas[f]);
        area += (double)hull->face_areas[f];
    }
    hull->inner_radius = hull->thickness = ball_about(hull, trvi_dvec3_from(hull->center));
    if (area > 0.0)
        hull->thickness = fmaxf(hull->thickness, ball_about(hull, trvi_dscale(sum, 1.0 / area)));
}

// The middle of a cell, as a direction.
static trvi_dvec3 cell_direction(uint32_t grid, uint32_t cell)
{
    uint32_t column = cell % grid, row = cell / grid % grid, side = cell / (grid * grid);
    double u = (2.0 * row + 1.0) / grid - 1.0, v = (2.0 * column + 1.0) / grid - 1.0;
    double largest = side % 2 == 0 ? 1.0 : -1.0;
    if (side < 2)
        return (trvi_dvec3){largest, u, v};
    return side < 4 ? (trvi_dvec3){v, largest, u} : (trvi_dvec3){u, v, largest};
}

// Climbs from the last cell's seed: neighbouring cells have neighbouring seeds, so the whole table
// costs little. A climb that a flat spot stops early leaves a seed that is merely less good.
static void set_seeds(trv_hull *hull)
{
    uint32_t best = 0, cells = 6 * hull->seed_grid * hull->seed_grid;
    for (uint32_t cell = 0; cell < cells; cell++) {
        trvi_dvec3 direction = cell_direction(hull->seed_grid, cell);
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

static void set_columns(trv_hull *hull)
{
    uint32_t length = trvi_column_length(hull->vertex_count);
    for (uint32_t i = 0; i < length; i++) {
        trv_vec3 v = hull->vertices[i < hull->vertex_count ? i : 0];
        hull->columns[i] = v.x;
        hull->columns[length + i] = v.y;
        hull->columns[2 * length + i] = v.z;
    }
}

// The normal as the face's corners have it, of twice its area's length.
static trvi_dvec3 spread_of(const trv_hull *hull, uint32_t face)
{
    const uint32_t *corner = hull->edge_origin + hull->face_first[face];
    const uint32_t *last = hull->edge_origin + hull->face_first[face + 1];
    trvi_dvec3 origin = trvi_dvec3_from(hull->vertices[*corner]), sum = {0.0, 0.0, 0.0};
    for (corner++; corner + 1 < last; corner++) {
        trvi_dvec3 a = trvi_dsub(trvi_dvec3_from(hull->vertices[corner[0]]), origin);
        trvi_dvec3 b = trvi_dsub(trvi_dvec3_from(hull->vertices[corner[1]]), origin);
        sum = trvi_dadd(sum, trvi_dcross(a, b));
    }
    return sum;
}

static void set_areas(trv_hull *hull)
{
    for (uint32_t f = 0; f < hull->face_count; f++)
        hull->face_areas[f] = (float)(0.5 * trvi_dlength(spread_of(hull, f)));
}

// Of a face so thin that its corners tell another normal than the faces that it was united of: it
// stands on its edge, and what lies beyond is hidden from its corners.
static bool is_turned(const trv_hull *hull, uint32_t face)
{
    trvi_dvec3 spread = spread_of(hull, face);
    double along = trvi_ddot(spread, trvi_dvec3_from(hull->planes[face].normal));
    return !(along >= TRVI_COPLANAR_COSINE * trvi_dlength(spread)) || along == 0.0;
}

// A face and its corners.
typedef struct outline {
    const trv_hull *hull;
    const uint32_t *corner;
    uint32_t count;
    trvi_dvec3 normal;
} outline;

static trvi_dvec3 corner_at(const outline *o, uint32_t i)
{
    return trvi_dvec3_from(o->hull->vertices[o->corner[i < o->count ? i : i - o->count]]);
}

// Once round, from the end of a side back to its start: true where a corner is beyond the side by
// more than `slack`, or where the way along the side, which is to lead up, down once and up again,
// turns back by as much once more. Sides no longer than that do not count.
static bool is_bent_at(const outline *o, uint32_t side, double slack)
{
    trvi_dvec3 from = corner_at(o, side), along = trvi_dsub(corner_at(o, side + 1), from);
    double length = trvi_dlength(along), top = length, bottom = HUGE_VAL;
    if (!(length > slack))
        return false;
    along = trvi_dscale(along, 1.0 / length);
    trvi_dvec3 out = trvi_dcross(along, o->normal);
    bool down = false, up_again = false;
    for (uint32_t i = 2; i <= o->count; i++) {
        trvi_dvec3 way = trvi_dsub(corner_at(o, side + i), from);
        double here = trvi_ddot(along, way);
        bool falls = here<top - slack, rises = here> bottom + slack;
        if (trvi_ddot(out, way) > slack || (up_again && falls))
            return true;
        up_again = up_again || (down && rises);
        down = down || falls;
        bottom = down ? fmin(here, bottom) : bottom;
        top = down && !up_again ? -HUGE_VAL : fmax(here, top);
    }
    return false;
}

// True where the corners of a face do not run round the hull of themselves, seen along its normal:
// uniting leaves some that turn inward, and folds. Of very many corners it is taken for granted.
static bool has_dents(const trv_hull *hull, uint32_t face, double slack)
{
    enum { MOST = 1024 };
    uint32_t first = hull->face_first[face], count = hull->face_first[face + 1] - first;
    const outline o = {hull, hull->edge_origin + first, count,
                       trvi_dvec3_from(hull->planes[face].normal)};
    if (count <= 3 || count > MOST)
        return count > MOST;
    for (uint32_t i = 0; i < count; i++)
        if (is_bent_at(&o, i, slack))
            return true;
    return false;
}

// How far rounding, and what uniting bent, leave heights in doubt: no less than twice the slab that a
// face may lie in (see near.h).
static void set_tie(trv_hull *hull)
{
    hull->tie = TRVI_QUICK_TIE * hull->reach;
    if (hull->united)
        hull->tie += 4.0f * (2.0f * (float)TRVI_COPLANAR * hull->radius +
                             (float)TRVI_COPLANAR_ROUNDING * hull->reach);
}

// Flat sides often come in pieces that lean by rounding only.
static void set_pieces(trv_hull *hull)
{
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const trv_vec3 *n = &hull->planes[f].normal;
        hull->face_pieces[f] = 0;
        for (uint32_t e = hull->face_first[f]; e < hull->face_first[f + 1]; e++) {
            const trv_vec3 *m = &hull->planes[hull->edge_face[hull->edge_twin[e]]].normal;
            float cosine = n->x * m->x + n->y * m->y + n->z * m->z;
            hull->face_pieces[f] |= cosine > (float)TRVI_PIECE_COSINE - 1.0e-5f;
        }
    }
}

static void set_vertex_faces(trv_hull *hull)
{
    uint32_t *to = hull->vertex_faces;
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        uint32_t edge = hull->vertex_edge[v];
        for (uint32_t i = hull->neighbor_first[v]; i < hull->neighbor_first[v + 1]; i++) {
            *to++ = hull->edge_face[edge];
            edge = turn(hull, edge);
        }
    }
}

static void put_in_lane(const trv_hull *hull, uint32_t vertex, trvi_four *four, uint32_t lane)
{
    const trv_vec3 *p = &hull->vertices[vertex];
    four->x[lane] = p->x;
    four->y[lane] = p->y;
    four->z[lane] = p->z;
    four->vertex[lane] = vertex;
}

static void set_fan(const trv_hull *hull, uint32_t vertex, trvi_fan *fan)
{
    const trv_vec3 *p = &hull->vertices[vertex];
    const uint32_t *neighbors = hull->neighbors + hull->neighbor_first[vertex];
    uint32_t degree = hull->neighbor_first[vertex + 1] - hull->neighbor_first[vertex];
    for (uint32_t i = 0; i < TRVI_FAN_NEIGHBORS; i++)
        put_in_lane(hull, neighbors[i < degree ? i : degree - 1], &fan->near[i / 4], i % 4);
    fan->place[0] = p->x;
    fan->place[1] = p->y;
    fan->place[2] = p->z;
    bool whole = trvi_is_whole(hull->neighbor_first, hull->vertex_faces, hull->face_united, vertex);
    float tie = whole ? TRVI_QUICK_TIE * hull->reach : hull->tie;
    fan->place[3] = degree > TRVI_FAN_NEIGHBORS ? TRVI_FAN_CROWD : tie;
}

// Crowds that are not needed are zero.
static void set_fans(trv_hull *hull)
{
    uint32_t count = hull->vertex_count > TRVI_FAN_VERTICES ? hull->vertex_count : 0, four = 0;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t first = hull->neighbor_first[v], last = hull->neighbor_first[v + 1];
        set_fan(hull, v, &hull->fans[v]);
        hull->crowd_first[v] = four;
        for (uint32_t i = first + TRVI_FAN_NEIGHBORS; i < last; i += 4, four++)
            for (uint32_t lane = 0; lane < 4; lane++)
                put_in_lane(hull, hull->neighbors[i + lane < last ? i + lane : last - 1],
                            &hull->crowds[four], lane);
    }
    if (count == 0)
        return;
    hull->crowd_first[count] = four;
    uint32_t limit = trvi_crowd_limit(count, hull->half_edge_count);
    if (four < limit)
        memset(hull->crowds + four, 0, sizeof *hull->crowds * (limit - four));
}

// Corners of faces with dents are never certain by their neighbours. All others are: whether a vertex
// is the highest hangs on the faces round it alone.
static void set_dents(trv_hull *hull)
{
    bool has_fans = hull->vertex_count > TRVI_FAN_VERTICES;
    hull->dented = false;
    for (uint32_t f = 0; hull->united && f < hull->face_count; f++) {
        if (!hull->face_united[f] ||
            !(is_turned(hull, f) || has_dents(hull, f, 0.5 * (double)hull->tie)))
            continue;
        hull->dented = true;
        hull->face_united[f] |= TRVI_FACE_DENTED;
        for (uint32_t e = hull->face_first[f]; has_fans && e < hull->face_first[f + 1]; e++)
            hull->fans[hull->edge_origin[e]].place[3] = TRVI_FAN_DENT;
    }
}

void trvi_convex_finish(trv_hull *hull)
{
    const trv_vec3 *c = &hull->center;
    hull->reach = hull->radius + (fabsf(c->x) + fabsf(c->y) + fabsf(c->z));
    set_tie(hull);
    set_areas(hull);
    set_inner_balls(hull);
    set_pieces(hull);
    set_vertex_faces(hull);
    set_columns(hull);
    set_fans(hull);
    set_dents(hull);
    set_seeds(hull);
    trvi_clusters_build(hull);
}

static trv_result fill(const trv_allocator *allocator, const trv_vec3 *normals, trv_hull *hull)
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
        trvi_convex_set_plane(
            hull, f,
            normals ? normals[f] : face_normal(hull, hull->face_first[f], hull->face_first[f + 1]));
    set_bounds(hull);
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

trv_result trvi_convex_build_bare(const trv_allocator *allocator, const trv_vec3 *vertices,
                                  uint32_t vertex_count, const uint32_t *face_first,
                                  const uint32_t *loops, uint32_t face_count,
                                  const trv_vec3 *normals, trv_hull **out)
{
    *out = NULL;
    trv_result result = check_loops(vertex_count, face_first, loops, face_count);
    if (result != TRV_OK)
        return result;
    uint32_t seed_grid = 2;
    while (seed_grid < TRVI_SEED_GRID_MAX && 6 * seed_grid * seed_grid < vertex_count)
        seed_grid++;
    trv_hull sizes = {.vertex_count = vertex_count,
                      .seed_grid = seed_grid,
                      .face_count = face_count,
                      .half_edge_count = face_first[face_count]};
    size_t size = sizeof(trv_hull) + lay_out(&sizes, NULL);
    // What only a finished hull has is not touched before: most hulls are built on the way to another.
    trv_hull *hull = allocator->reallocate(allocator->user, NULL, 0, size);
    if (hull == NULL)
        return TRV_ERROR_MEMORY;
    memset(hull, 0, sizeof *hull);
    hull->allocator = *allocator;
    hull->block_size = size;
    atomic_init(&hull->references, 1u);
    hull->vertex_count = vertex_count;
    hull->seed_grid = seed_grid;
    hull->face_count = face_count;
    hull->half_edge_count = face_first[face_count];
    hull->plane_leaves = 0;
    lay_out(hull, (char *)(hull + 1));
    memcpy(hull->vertices, vertices, sizeof *vertices * vertex_count);
    memcpy(hull->face_first, face_first, sizeof *face_first * ((size_t)face_count + 1));
    memcpy(hull->edge_origin, loops, sizeof *loops * hull->half_edge_count);
    memset(hull->face_united, 0, face_count);
    result = fill(allocator, normals, hull);
    if (result != TRV_OK) {
        trvi_convex_release(hull);
        return result;
    }
    *out = hull;
    return TRV_OK;
}

trv_result trvi_convex_build(const trv_allocator *allocator, const trv_vec3 *vertices,
                             uint32_t vertex_count, const uint32_t *face_first,
                             const uint32_t *loops, uint32_t face_count, trv_hull **hull)
{
    trv_result result = trvi_convex_build_bare(allocator, vertices, vertex_count, face_first, loops,
                                               face_count, NULL, hull);
    if (result == TRV_OK)
        trvi_convex_finish(*hull);
    return result;
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
