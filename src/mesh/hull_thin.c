// Thins a triangulated convex surface: the vertex that costs the least goes, again and again.
//
// When a vertex of a convex solid goes, only its fan of faces does. What takes its place is the part of
// the neighbours' hull that the vertex sees: none of the other vertices can be in it, as each is a corner
// of the hull still. It is found by wrapping. An edge of the ring, or of a triangle found, has the
// triangle with that neighbour above which there is no other; only neighbours between the edge's ends
// come into question, since the triangles cut the ring's disc. All decisions are exact, so the surface
// is that of the hull of what is left, always; only the costs are rounded.
//
// Based on: Jarvis 1973, "On the Identification of the Convex Hull of a Finite Set of Points in the
// Plane" (wrapping); Williams 1964, "Algorithm 232: Heapsort" (the queue).
#include <string.h>

#include "hull_thin.h"

// --- what a vertex leaves ---

static uint32_t corner_of(const trvi_thin_face *face, uint32_t vertex)
{
    return face->vertex[0] == vertex ? 0 : face->vertex[1] == vertex ? 1 : 2;
}

static uint32_t next_corner(uint32_t k)
{
    return k == 2 ? 0 : k + 1;
}

static uint32_t previous_corner(uint32_t k)
{
    return k == 0 ? 2 : k - 1;
}

// The ring and its faces; false where it is too long.
static bool walk_ring(const trvi_thinner *thinner, uint32_t vertex, trvi_patch *patch)
{
    uint32_t first = thinner->face_at[vertex], f = first;
    patch->vertex = vertex;
    patch->sides = 0;
    do {
        const trvi_thin_face *face = &thinner->faces[f];
        uint32_t k = corner_of(face, vertex), i = patch->sides++;
        if (i == TRVI_PATCH_RING)
            return false;
        patch->ring[i] = face->vertex[next_corner(k)];
        patch->outside[i] = face->neighbor[next_corner(k)];
        patch->fan[i] = f;
        f = face->neighbor[previous_corner(k)];
    } while (f != first);
    return true;
}

// The place between `from` and `to` of the point that no other there is above.
static uint32_t wrap(const trvi_thinner *thinner, const trvi_patch *patch, uint32_t from,
                     uint32_t to)
{
    const trv_vec3 *p = thinner->points;
    const uint32_t *ring = patch->ring;
    uint32_t best = from + 1;
    for (uint32_t i = from + 2; i < to; i++)
        if (trvi_orient3d(p[ring[from]], p[ring[best]], p[ring[to]], p[ring[i]]) > 0)
            best = i;
    return best;
}

bool trvi_thinner_patch(const trvi_thinner *thinner, uint32_t vertex, trvi_patch *patch)
{
    // Runs of the ring that want a triangle over the edge between their ends, and what that edge
    // belongs to. Each one ends in a triangle, so there are sides - 2 in all.
    struct {
        uint32_t from, to, triangle, edge;
    } runs[TRVI_PATCH_RING];
    if (!walk_ring(thinner, vertex, patch))
        return false;
    uint32_t size = 0, count = 0, last = patch->sides - 1;
    runs[size].from = 0, runs[size].to = last, runs[size].triangle = TRVI_NONE;
    runs[size++].edge = 0;
    while (size > 0) {
        size--;
        uint32_t from = runs[size].from, to = runs[size].to, t = count++;
        uint32_t middle = wrap(thinner, patch, from, to);
        uint32_t corners[3] = {from, middle, to};
        memcpy(patch->triangle[t], corners, sizeof corners);
        patch->beside[t][2] = runs[size].triangle;
        if (runs[size].triangle == TRVI_NONE)
            patch->beside[t][2] = TRVI_PATCH_RING + last;
        else
            patch->beside[runs[size].triangle][runs[size].edge] = t;
        for (uint32_t k = 0; k < 2; k++) {
            if (corners[k] + 1 == corners[k + 1]) {
                patch->beside[t][k] = TRVI_PATCH_RING + corners[k];
            } else {
                runs[size].from = corners[k], runs[size].to = corners[k + 1];
                runs[size].triangle = t;
                runs[size++].edge = k;
            }
        }
    }
    return true;
}

// --- the queue ---

static bool comes_before(const trvi_thinner *thinner, uint32_t a, uint32_t b)
{
    if (thinner->cost[a] != thinner->cost[b])
        return thinner->cost[a] < thinner->cost[b];
    return a < b;
}

static void put(trvi_thinner *thinner, uint32_t at, uint32_t vertex)
{
    thinner->heap[at] = vertex;
    thinner->place[vertex] = at;
}

// Moves a vertex to where its cost belongs.
static void settle(trvi_thinner *thinner, uint32_t vertex)
{
    uint32_t at = thinner->place[vertex], count = thinner->vertex_count;
    while (at > 0 && comes_before(thinner, vertex, thinner->heap[(at - 1) / 2])) {
        put(thinner, at, thinner->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    while (2 * at + 1 < count) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < count &&
            comes_before(thinner, thinner->heap[child + 1], thinner->heap[child]))
            child++;
        if (!comes_before(thinner, thinner->heap[child], vertex))
            break;
        put(thinner, at, thinner->heap[child]);
        at = child;
    }
    put(thinner, at, vertex);
}

static void weigh(trvi_thinner *thinner, uint32_t vertex)
{
    trvi_patch patch;
    bool small = trvi_thinner_patch(thinner, vertex, &patch);
    thinner->cost[vertex] = small ? thinner->cost_of(thinner, &patch) : HUGE_VAL;
    settle(thinner, vertex);
}

static void leave_queue(trvi_thinner *thinner, uint32_t vertex)
{
    uint32_t at = thinner->place[vertex], last = thinner->heap[--thinner->vertex_count];
    if (last != vertex) {
        put(thinner, at, last);
        settle(thinner, last);
    }
}

// --- taking vertices away ---

// Puts the patch in the place of its vertex; the last two faces of the fan stay empty.
static void apply(trvi_thinner *thinner, const trvi_patch *patch)
{
    trvi_thin_face *faces = thinner->faces;
    for (uint32_t t = 0; t < patch->sides - 2; t++) {
        uint32_t index = patch->fan[t];
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t beside = patch->beside[t][k], vertex = patch->ring[patch->triangle[t][k]];
            faces[index].vertex[k] = vertex;
            thinner->face_at[vertex] = index;
            if (beside < TRVI_PATCH_RING) {
                faces[index].neighbor[k] = patch->fan[beside];
                continue;
            }
            uint32_t side = beside - TRVI_PATCH_RING, outside = patch->outside[side];
            uint32_t end = patch->ring[side + 1 < patch->sides ? side + 1 : 0];
            faces[index].neighbor[k] = outside;
            faces[outside].neighbor[corner_of(&faces[outside], end)] = index;
        }
    }
    for (uint32_t i = patch->sides - 2; i < patch->sides; i++)
        faces[patch->fan[i]].vertex[0] = TRVI_NONE;
    thinner->face_at[patch->vertex] = TRVI_NONE;
}

void trvi_thinner_run(trvi_thinner *thinner, uint32_t most)
{
    most = most < 4 ? 4 : most;
    while (thinner->vertex_count > most) { // one vertex goes in each turn
        trvi_patch patch;
        uint32_t vertex = thinner->heap[0];
        if (!(thinner->cost[vertex] < HUGE_VAL) || !trvi_thinner_patch(thinner, vertex, &patch))
            return;
        leave_queue(thinner, vertex);
        apply(thinner, &patch);
        for (uint32_t i = 0; i < patch.sides; i++)
            weigh(thinner, patch.ring[i]);
    }
}

// --- start and end ---

// Sub-arrays of one block; sizes without a block. The doubles come first.
static size_t lay_out(trvi_thinner *thinner, char *block)
{
    size_t size = 0, points = thinner->point_count;
#define PLACE(field, count)                                                                        \
    do {                                                                                           \
        thinner->field = block ? (void *)(block + size) : NULL;                                    \
        size += sizeof *thinner->field * (count);                                                  \
    } while (0)
    PLACE(cost, points);
    PLACE(faces, thinner->face_count);
    PLACE(face_at, points);
    PLACE(heap, points);
    PLACE(place, points);
#undef PLACE
    return size;
}

trv_result trvi_thinner_start(trvi_thinner *thinner, const trvi_hull_builder *builder,
                              trvi_patch_cost *cost_of)
{
    *thinner = (trvi_thinner){.points = builder->points,
                              .point_count = builder->point_count,
                              .face_count = builder->faces.count,
                              .cost_of = cost_of,
                              .allocator = builder->allocator};
    thinner->block_size = lay_out(thinner, NULL);
    thinner->block = trvi_allocate(&thinner->allocator, thinner->block_size);
    if (thinner->block == NULL)
        return TRV_ERROR_MEMORY;
    lay_out(thinner, thinner->block);
    const trvi_hull_face *faces = builder->faces.items;
    memset(thinner->face_at, 0xff, sizeof *thinner->face_at * thinner->point_count);
    for (uint32_t f = 0; f < thinner->face_count; f++) {
        thinner->faces[f].vertex[0] = TRVI_NONE;
        for (uint32_t k = 0; k < 3 && faces[f].alive; k++) {
            thinner->faces[f].vertex[k] = faces[f].vertex[k];
            thinner->faces[f].neighbor[k] = faces[f].neighbor[k];
            thinner->face_at[faces[f].vertex[k]] = f;
        }
    }
    for (uint32_t v = 0; v < thinner->point_count; v++)
        if (thinner->face_at[v] != TRVI_NONE) {
            thinner->cost[v] = HUGE_VAL;
            put(thinner, thinner->vertex_count++, v);
        }
    for (uint32_t v = 0; v < thinner->point_count; v++)
        if (thinner->face_at[v] != TRVI_NONE)
            weigh(thinner, v);
    return TRV_OK;
}

void trvi_thinner_free(trvi_thinner *thinner)
{
    trvi_free(&thinner->allocator, thinner->block, thinner->block_size);
}
