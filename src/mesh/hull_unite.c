// Nearly coplanar faces of a hull become one: rounding splits what was modelled as one polygon.
//
// Regions of faces grow by pairs across shared edges, the flattest pairs first. A region may be one
// face when, along its normal (the sum of its faces' vector areas, which is Newell's over its rim),
// - nothing of the whole hull is above its lowest vertex by more than the tolerance: all its vertices
//   lie in a slab that thin, also those that get lost, and no point of the hull is above that slab;
// - its faces look the same way, but for slivers, whose normals are noise;
// - it is a disc, and each face keeps three corners in which three faces meet; where that takes the
//   union of more than two regions, they are united together or not at all.
// Every test is of the whole region and never of the step, so that a chain of unions cannot drift.
// Vertices in which only two faces meet any more end up inside an edge and are dropped.
//
// All of it is done on a copy of the hull that is the same for any order of the points (hull_order.c):
// sums, ties and the order of unions follow the coordinates, and only the numbers of the result's
// vertices follow the input. Invariant: the rims of the regions are simple loops of half-edges, and
// each live half-edge's twin is live.
//
// Based on: Kruskal 1956, "On the Shortest Spanning Subtree of a Graph" (the order of unions);
// Tarjan 1975, "Efficiency of a Good But Not Linear Set Union Algorithm".
#include <string.h>

#include "hull_slab.h"
#include "solid.h"
#include "sort.h"

// Each pass over the edges unites something or is the last; what is left after this many stays.
#define MAX_PASSES 32
// How many unions may depend on one another.
#define MAX_JOINTS 4

// The edges that two regions share, in the direction of the first one's rim.
typedef struct seam {
    uint32_t first, last;           // half-edges of region a
    uint32_t first_twin, last_twin; // of region b, whose rim has them the other way round
    uint32_t length;
} seam;

// A union, and what it takes to undo it.
typedef struct joint {
    seam seam;
    uint32_t stays, goes; // roots
    trvi_region_before before;
} joint;

typedef struct uniter {
    trvi_regions regions;     // of the copy's faces
    uint32_t face_count;      // regions left
    uint32_t edge_count;      // edges that may fall
    uint32_t mark;            // of the latest walk
    joint joints[MAX_JOINTS]; // of one attempt
    uint32_t joint_count;

    // Arrays inside one block.
    uint32_t *parent;   // [faces] towards the root of a region
    uint32_t *size;     // [faces] of a root: faces in its region
    uint32_t *next;     // [half-edges] along the rim
    uint32_t *previous; // [half-edges]
    uint32_t *gone;     // [half-edges] 1 inside a region
    uint32_t *edges;    // [half-edges / 2] that may fall, the flattest first
    uint32_t *loops;    // [half-edges] of the result
    uint32_t *flatness; // [half-edges] sort keys
    uint32_t *scratch;  // [half-edges]
    uint32_t *degree;   // [vertices] rims through a vertex
    uint32_t *marks;    // [vertices]
    uint32_t *first;    // [faces + 1] loops of the result
    trv_vec3 *vertices; // [vertices] of the result
    trv_vec3 *normals;  // [faces] of the result
    uint8_t *united;    // [faces] of the result
} uniter;

static size_t lay_out(uniter *unite, char *block)
{
    size_t size = 0;
    size_t faces = unite->regions.hull->face_count, edges = unite->regions.hull->half_edge_count;
    size_t vertices = unite->regions.hull->vertex_count;
#define PLACE(field, count)                                                                        \
    do {                                                                                           \
        unite->field = block ? (void *)(block + size) : NULL;                                      \
        size += sizeof *unite->field * (count);                                                    \
    } while (0)
    PLACE(regions.area, faces);
    PLACE(regions.lift, faces);
    PLACE(parent, faces);
    PLACE(regions.next_face, faces);
    PLACE(regions.span, faces);
    PLACE(size, faces);
    PLACE(regions.corners, faces);
    PLACE(regions.sliver, faces);
    PLACE(next, edges);
    PLACE(previous, edges);
    PLACE(gone, edges);
    PLACE(edges, edges / 2);
    PLACE(loops, edges);
    PLACE(flatness, edges);
    PLACE(scratch, edges);
    PLACE(degree, vertices);
    PLACE(marks, vertices);
    PLACE(first, faces + 1);
    PLACE(vertices, vertices);
    PLACE(normals, faces);
    PLACE(united, faces); // last: it has an alignment of 1
#undef PLACE
    return size;
}

// Without shortcuts, so that a union can be taken back; as the smaller region goes under the larger
// one, the way is at most log2(faces) long.
static uint32_t root_of(const uniter *unite, uint32_t face)
{
    while (unite->parent[face] != face)
        face = unite->parent[face];
    return face;
}

static uint32_t region_at(const uniter *unite, uint32_t edge)
{
    return root_of(unite, unite->regions.hull->edge_face[edge]);
}

static uint32_t region_across(const uniter *unite, uint32_t edge)
{
    return region_at(unite, unite->regions.hull->edge_twin[edge]);
}

// --- the start: each face is a region ---

static void start(uniter *unite)
{
    const trv_hull *hull = unite->regions.hull;
    unite->face_count = hull->face_count;
    for (uint32_t e = 0; e < hull->half_edge_count; e++) {
        unite->next[e] = trvi_edge_next(hull, e);
        unite->previous[e] = trvi_edge_previous(hull, e);
        unite->degree[hull->edge_origin[e]]++;
    }
    for (uint32_t f = 0; f < hull->face_count; f++) {
        unite->parent[f] = f;
        unite->size[f] = 1;
    }
}

// --- whether they are one face ---

// The run of shared edges round `edge`; false where all of a's rim is shared.
static bool find_seam(const uniter *unite, uint32_t edge, seam *s)
{
    uint32_t b = region_across(unite, edge);
    s->first = s->last = edge;
    s->length = 1;
    for (; region_across(unite, unite->previous[s->first]) == b; s->length++) {
        s->first = unite->previous[s->first];
        if (s->first == edge)
            return false;
    }
    for (; region_across(unite, unite->next[s->last]) == b; s->length++)
        s->last = unite->next[s->last];
    s->first_twin = unite->regions.hull->edge_twin[s->first];
    s->last_twin = unite->regions.hull->edge_twin[s->last];
    return true;
}

// The union is a disc when the rims have nothing in common but the seam.
static bool is_only_seam(uniter *unite, const seam *s)
{
    const uint32_t *origin = unite->regions.hull->edge_origin;
    uint32_t mark = ++unite->mark, shared = 0, edge = s->first;
    do {
        unite->marks[origin[edge]] = mark;
        edge = unite->next[edge];
    } while (edge != s->first);
    edge = s->last_twin;
    do {
        shared += unite->marks[origin[edge]] == mark;
        edge = unite->next[edge];
    } while (edge != s->last_twin);
    return shared == s->length + 1;
}

// --- uniting ---

// Unites the regions on both sides of a seam. Its half-edges keep their links for take_back().
static void join(uniter *unite, const seam *s)
{
    const trv_hull *hull = unite->regions.hull;
    uint32_t a = region_at(unite, s->first), b = region_at(unite, s->first_twin);
    uint32_t a_before = unite->previous[s->first], a_after = unite->next[s->last];
    uint32_t b_before = unite->previous[s->last_twin], b_after = unite->next[s->first_twin];
    for (uint32_t e = s->first, i = 0; i < s->length; i++, e = unite->next[e]) {
        uint32_t twin = hull->edge_twin[e];
        unite->degree[hull->edge_origin[e]]--;
        unite->degree[hull->edge_origin[twin]]--;
        unite->gone[e] = unite->gone[twin] = 1;
    }
    unite->next[a_before] = b_after;
    unite->previous[b_after] = a_before;
    unite->next[b_before] = a_after;
    unite->previous[a_after] = b_before;
    bool a_stays = unite->size[a] >= unite->size[b];
    uint32_t stays = a_stays ? a : b, goes = a_stays ? b : a;
    trvi_region_before before = trvi_regions_join(&unite->regions, stays, goes);
    unite->joints[unite->joint_count++] = (joint){*s, stays, goes, before};
    unite->size[stays] += unite->size[goes];
    unite->parent[goes] = stays;
    unite->face_count--;
}

// Undoes the latest join.
static void take_back(uniter *unite)
{
    const trv_hull *hull = unite->regions.hull;
    const joint *j = &unite->joints[--unite->joint_count];
    const seam *s = &j->seam;
    for (uint32_t e = s->first, i = 0; i < s->length; i++, e = unite->next[e]) {
        uint32_t twin = hull->edge_twin[e];
        unite->degree[hull->edge_origin[e]]++;
        unite->degree[hull->edge_origin[twin]]++;
        unite->gone[e] = unite->gone[twin] = 0;
    }
    unite->next[unite->previous[s->first]] = s->first;
    unite->previous[unite->next[s->last]] = s->last;
    unite->next[unite->previous[s->last_twin]] = s->last_twin;
    unite->previous[unite->next[s->first_twin]] = s->first_twin;
    trvi_regions_part(&unite->regions, j->stays, j->goes, &j->before);
    unite->size[j->stays] -= unite->size[j->goes];
    unite->parent[j->goes] = j->goes;
    unite->face_count++;
}

// Whether the region along a half-edge has three vertices where three regions meet.
static bool has_corners(const uniter *unite, uint32_t edge)
{
    uint32_t count = 0, e = edge;
    do {
        count += unite->degree[unite->regions.hull->edge_origin[e]] >= 3;
        e = unite->next[e];
    } while (e != edge && count < 3);
    return count >= 3;
}

// Joins what an edge separates where that is one face. Where a region would be left without three
// corners because an end of the seam is none any more, the third region at that end has to join too:
// so three triangles round a vertex become one. `depth` bounds how many more may have to.
static bool try_edge(uniter *unite, uint32_t edge, uint32_t depth)
{
    const trv_hull *hull = unite->regions.hull;
    seam s;
    if (unite->face_count <= 4 ||
        !trvi_is_one_plane(&unite->regions, region_at(unite, edge), region_across(unite, edge)) ||
        !find_seam(unite, edge, &s) || !is_only_seam(unite, &s))
        return false;
    uint32_t side[2] = {unite->previous[s.first], unite->next[s.last]};
    uint32_t end[2] = {hull->edge_origin[s.first], hull->edge_origin[side[1]]};
    uint32_t beside[2] = {hull->edge_twin[side[0]], hull->edge_twin[side[1]]};
    uint32_t joints = unite->joint_count;
    join(unite, &s);
    if (has_corners(unite, side[0]) && has_corners(unite, beside[0]) &&
        has_corners(unite, beside[1]))
        return true;
    for (uint32_t k = 0; depth > 0 && k < 2; k++) {
        if (unite->degree[end[k]] != 2 || !try_edge(unite, side[k], depth - 1))
            continue;
        if (unite->gone[beside[1 - k]] || has_corners(unite, beside[1 - k]))
            return true;
        while (unite->joint_count > joints + 1)
            take_back(unite);
    }
    take_back(unite);
    return false;
}

// The edges between faces that fit into a slab, the thinnest first, then in the order of the copy.
static void find_edges(uniter *unite)
{
    const trv_hull *hull = unite->regions.hull;
    for (uint32_t e = 0; e < hull->half_edge_count; e++) {
        trvi_slab s;
        if (e > hull->edge_twin[e] ||
            !trvi_find_slab(&unite->regions, hull->edge_face[e], region_across(unite, e), &s))
            continue;
        unite->edges[unite->edge_count++] = e;
        unite->flatness[e] = trvi_sort_key_of_float((float)(s.high - s.low));
    }
    trvi_sort_by_key(unite->edges, unite->scratch, unite->edge_count, unite->flatness);
}

static void unite_faces(uniter *unite)
{
    bool changed = true;
    for (uint32_t pass = 0; changed && pass < MAX_PASSES; pass++) {
        uint32_t left = 0;
        changed = false;
        for (uint32_t i = 0; i < unite->edge_count; i++) {
            uint32_t edge = unite->edges[i];
            if (unite->gone[edge])
                continue;
            unite->joint_count = 0;
            if (try_edge(unite, edge, MAX_JOINTS - 1))
                changed = true;
            else
                unite->edges[left++] = edge;
        }
        unite->edge_count = left;
    }
}

// --- the result ---

// Numbers the corners in the order of the input, which `place` tells, and writes the loops: their ends
// to `first`, their corners to `loops`, and which are not as they were to `united`.
static uint32_t write_loops(uniter *unite, const uint32_t *place)
{
    const trv_hull *hull = unite->regions.hull;
    uint32_t vertex_count = 0, face_count = 0, count = 0, *number = unite->marks;
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        uint32_t v = place[i];
        number[v] = TRVI_NONE;
        if (unite->degree[v] < 3)
            continue;
        unite->vertices[vertex_count] = hull->vertices[v];
        number[v] = vertex_count++;
    }
    for (uint32_t start_edge = 0; start_edge < hull->half_edge_count; start_edge++) {
        if (unite->gone[start_edge])
            continue;
        uint32_t root = region_at(unite, start_edge);
        trvi_dvec3 area = unite->regions.area[root];
        bool alone = unite->regions.next_face[root] == root, whole = alone;
        unite->normals[face_count] =
            alone ? hull->planes[root].normal
                  : trvi_vec3_from_double(trvi_dscale(area, 1.0 / trvi_dlength(area)));
        for (uint32_t e = start_edge; !unite->gone[e]; e = unite->next[e]) {
            unite->gone[e] = 1;
            if (number[hull->edge_origin[e]] != TRVI_NONE)
                unite->loops[count++] = number[hull->edge_origin[e]];
            else
                whole = false;
        }
        unite->united[face_count] = !whole;
        unite->first[++face_count] = count;
    }
    TRVI_ASSERT(face_count == unite->face_count);
    return vertex_count;
}

static trv_result build(uniter *unite, const uint32_t *place, trv_hull **united)
{
    const trv_hull *hull = unite->regions.hull;
    uint32_t vertex_count = write_loops(unite, place);
    trv_hull *built;
    trv_result result =
        trvi_convex_build_bare(&hull->allocator, unite->vertices, vertex_count, unite->first,
                               unite->loops, unite->face_count, unite->normals, &built);
    if (result != TRV_OK)
        return result == TRV_ERROR_OPEN ? TRV_OK : result; // two faces met twice
    double volume = trvi_volume_of_hull(built);
    if (!(fabs(volume - hull->solid.volume) <= TRVI_COPLANAR_VOLUME * hull->solid.volume)) {
        trvi_convex_release(built);
        return TRV_OK;
    }
    built->solid = hull->solid;
    built->united = true;
    memcpy(built->face_united, unite->united, built->face_count);
    *united = built;
    return TRV_OK;
}

static trv_result unite_copy(const trv_hull *copy, const uint32_t *place, trv_hull **united)
{
    uniter unite = {.regions = {.hull = copy}};
    size_t size = lay_out(&unite, NULL);
    char *block = trvi_allocate(&copy->allocator, size);
    if (block == NULL)
        return TRV_ERROR_MEMORY;
    lay_out(&unite, block);
    trvi_regions_start(&unite.regions);
    start(&unite);
    find_edges(&unite);
    unite_faces(&unite);
    trv_result result = TRV_OK;
    if (unite.face_count < copy->face_count)
        result = build(&unite, place, united);
    trvi_free(&copy->allocator, block, size);
    return result;
}

trv_result trvi_hull_unite(trv_hull *hull, trv_hull **united)
{
    *united = NULL;
    trv_hull *copy;
    size_t size = sizeof(uint32_t) * hull->vertex_count;
    uint32_t *place = trvi_allocate(&hull->allocator, size);
    if (place == NULL)
        return TRV_ERROR_MEMORY;
    trv_result result = trvi_hull_reorder(hull, place, &copy);
    if (result == TRV_OK) {
        hull->solid = copy->solid = trvi_solid_of_hull(copy);
        result = copy->solid.volume > 0.0 ? unite_copy(copy, place, united) : TRV_ERROR_VOLUME;
        trvi_convex_release(copy);
    }
    trvi_free(&hull->allocator, place, size);
    return result;
}
