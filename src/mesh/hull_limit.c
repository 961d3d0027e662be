// A hull with few vertices inside one with many: which of them to keep.
//
// First the vertices go whose loss costs the least volume, one after the other (hull_thin.c). Then what
// that has come to is bettered by exchange: the vertex that would add most comes in, the one whose loss
// costs least goes, as long as the volume grows. Vertices are numbered in lexicographic order, so
// neither the choice nor a tie depends on how the points were given.
// Invariant: the volume of the hull of what is chosen grows with every exchange.
//
// Based on: Garland and Heckbert 1997, "Surface Simplification Using Quadric Error Metrics" (thinning
// by cost); Fedorov 1972, "Theory of Optimal Experiments" (the exchange).
#include <string.h>

#include "hull_limit.h"
#include "hull_thin.h"
#include "sort.h"

// Each exchange tries so many newcomers before it gives up.
#define MAX_TRIES 12
// Heights that all exchanges together may work out; about a tenth of a second.
#define MAX_HEIGHTS 100000000.0

// --- corners in canonical order ---

static trv_result sort_points(const trv_allocator *allocator, trv_vec3 *points, uint32_t count)
{
    size_t points_size = sizeof(trv_vec3) * count, keys_size = sizeof(uint32_t) * count;
    size_t size = points_size + 3 * keys_size;
    char *block = trvi_allocate(allocator, size);
    if (block == NULL)
        return TRV_ERROR_MEMORY;
    trv_vec3 *sorted = (void *)block;
    uint32_t *keys = (void *)(block + points_size), *order = keys + count, *scratch = order + count;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (int axis = 3; axis-- > 0;) {
        for (uint32_t i = 0; i < count; i++) {
            float value = axis == 0 ? points[i].x : axis == 1 ? points[i].y : points[i].z;
            keys[i] = trvi_sort_key_of_float(value);
        }
        trvi_sort_by_key(order, scratch, count, keys);
    }
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = points[order[i]];
    memcpy(points, sorted, points_size);
    trvi_free(allocator, block, size);
    return TRV_OK;
}

trv_result trvi_hull_corners_find(trvi_hull_corners *found, const trv_allocator *allocator,
                                  const trv_vec3 *points, uint32_t count)
{
    memset(found, 0, sizeof *found);
    found->builder.allocator = *allocator;
    trvi_hull_builder rough;
    trv_hull *merged = NULL;
    trv_result result = trvi_hull_triangulate(&rough, allocator, points, count);
    if (result == TRV_OK)
        result = trvi_hull_merge(&rough, &merged);
    trvi_hull_builder_free(&rough);
    if (result != TRV_OK)
        return result;
    uint32_t corners = merged->vertex_count;
    found->corners = trvi_allocate(allocator, sizeof(trv_vec3) * corners);
    if (found->corners) {
        found->count = corners;
        memcpy(found->corners, merged->vertices, sizeof(trv_vec3) * corners);
    }
    trvi_convex_release(merged);
    if (found->corners == NULL)
        return TRV_ERROR_MEMORY;
    result = sort_points(allocator, found->corners, corners);
    if (result != TRV_OK)
        return result;
    return trvi_hull_triangulate(&found->builder, allocator, found->corners, corners);
}

void trvi_hull_corners_free(trvi_hull_corners *found)
{
    trvi_hull_builder_free(&found->builder);
    trvi_free(&found->builder.allocator, found->corners, sizeof(trv_vec3) * found->count);
}

// --- what a vertex is worth ---

static trvi_dvec3 offset(const trv_vec3 *points, uint32_t from, uint32_t to)
{
    return trvi_dsub(trvi_dvec3_from(points[to]), trvi_dvec3_from(points[from]));
}

// Six times the volume that goes with the vertex: that between it and the patch, which it sees.
static double lost_volume(const trvi_thinner *thinner, const trvi_patch *patch)
{
    double sum = 0.0;
    for (uint32_t t = 0; t < patch->sides - 2; t++) {
        trvi_dvec3 d[3];
        for (uint32_t k = 0; k < 3; k++)
            d[k] = offset(thinner->points, patch->vertex, patch->ring[patch->triangle[t][k]]);
        sum += fabs(trvi_ddot(d[0], trvi_dcross(d[1], d[2])));
    }
    return sum;
}

// --- the exchange ---

typedef struct face_plane {
    trvi_dvec3 normal, origin;
} face_plane;

typedef struct exchange {
    const trvi_hull_corners *all;
    trv_allocator allocator;
    uint32_t most;
    uint32_t chosen_count;
    double heights; // that may still be worked out
    void *block;
    size_t block_size;
    face_plane *planes;   // [2 * most]
    trv_vec3 *points;     // [most + 1] of what is chosen
    uint32_t *chosen;     // [most + 1] numbers, ascending
    unsigned char *state; // [all] see below
} exchange;

enum { FREE, CHOSEN, TRIED };

static trv_result start(exchange *swap)
{
    size_t most = swap->most, planes = sizeof(face_plane) * 2 * most;
    size_t points = sizeof(trv_vec3) * (most + 1), chosen = sizeof(uint32_t) * (most + 1);
    swap->block_size = planes + points + chosen + swap->all->count;
    char *block = swap->block = trvi_allocate(&swap->allocator, swap->block_size);
    if (block == NULL)
        return TRV_ERROR_MEMORY;
    swap->planes = (void *)block;
    swap->points = (void *)(block + planes);
    swap->chosen = (void *)(block + planes + points);
    swap->state = (void *)(block + planes + points + chosen);
    return TRV_OK;
}

// The numbers of what is chosen, and their points.
static void list_chosen(exchange *swap)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < swap->all->count; v++)
        if (swap->state[v] == CHOSEN) {
            swap->points[count] = swap->all->corners[v];
            swap->chosen[count++] = v;
        }
    swap->chosen_count = count;
}

// Of the others that were not tried the one that adds most to the hull of what is chosen, or TRVI_NONE;
// its volume, six times, in *gain.
static trv_result find_newcomer(exchange *swap, uint32_t *newcomer, double *gain)
{
    trvi_hull_builder builder;
    const trv_vec3 *p = swap->points;
    trv_result result = trvi_hull_triangulate(&builder, &swap->allocator, p, swap->chosen_count);
    const trvi_hull_face *faces = builder.faces.items;
    uint32_t count = 0;
    for (uint32_t f = 0; result == TRV_OK && f < builder.faces.count; f++)
        if (faces[f].alive) {
            const uint32_t *v = faces[f].vertex;
            swap->planes[count].origin = trvi_dvec3_from(p[v[0]]);
            swap->planes[count++].normal =
                trvi_dcross(offset(p, v[0], v[1]), offset(p, v[0], v[2]));
        }
    trvi_hull_builder_free(&builder);
    *newcomer = TRVI_NONE;
    *gain = 0.0;
    for (uint32_t v = 0; v < swap->all->count; v++) {
        if (swap->state[v] != FREE)
            continue;
        trvi_dvec3 point = trvi_dvec3_from(swap->all->corners[v]);
        double sum = 0.0;
        for (uint32_t i = 0; i < count; i++) {
            double height =
                trvi_ddot(swap->planes[i].normal, trvi_dsub(point, swap->planes[i].origin));
            sum += height > 0.0 ? height : 0.0;
        }
        if (sum > *gain)
            *newcomer = v, *gain = sum;
    }
    swap->heights -= (double)swap->all->count * count;
    return result;
}

// Which of the chosen ones to lose, and six times the volume that goes with it.
static trv_result find_leaver(exchange *swap, uint32_t *leaver, double *loss)
{
    trvi_hull_builder builder;
    trvi_thinner thinner = {.block = NULL};
    trv_result result =
        trvi_hull_triangulate(&builder, &swap->allocator, swap->points, swap->chosen_count);
    if (result == TRV_OK) {
        result = trvi_thinner_start(&thinner, &builder, lost_volume);
        if (result == TRV_OK) {
            *leaver = swap->chosen[thinner.heap[0]];
            *loss = thinner.cost[thinner.heap[0]];
        }
        trvi_thinner_free(&thinner);
    }
    trvi_hull_builder_free(&builder);
    return result;
}

// One exchange that gains, if there is one among the first few newcomers.
static trv_result exchange_one(exchange *swap, bool *better)
{
    *better = false;
    for (int i = 0; i < MAX_TRIES && swap->heights > 0.0; i++) {
        uint32_t newcomer, leaver = 0;
        double gain, loss = 0.0;
        trv_result result = find_newcomer(swap, &newcomer, &gain);
        if (result != TRV_OK || newcomer == TRVI_NONE)
            return result;
        swap->state[newcomer] = CHOSEN;
        list_chosen(swap);
        result = find_leaver(swap, &leaver, &loss);
        if (result != TRV_OK)
            return result;
        *better = leaver != newcomer && loss < gain * (1.0 - TRVI_LIMIT_GAIN);
        swap->state[*better ? leaver : newcomer] = *better ? FREE : TRIED;
        list_chosen(swap);
        if (*better)
            break;
    }
    for (uint32_t v = 0; v < swap->all->count; v++)
        if (swap->state[v] == TRIED)
            swap->state[v] = FREE;
    return TRV_OK;
}

static trv_result improve(const trvi_hull_corners *all, const trvi_thinner *thinner, uint32_t most,
                          trv_vec3 *chosen, uint32_t *count)
{
    exchange swap = {
        .all = all, .allocator = thinner->allocator, .most = most, .heights = MAX_HEIGHTS};
    trv_result result = start(&swap);
    for (uint32_t v = 0; result == TRV_OK && v < all->count; v++)
        swap.state[v] = thinner->face_at[v] != TRVI_NONE ? CHOSEN : FREE;
    if (result == TRV_OK)
        list_chosen(&swap);
    bool better = swap.chosen_count == most;
    while (result == TRV_OK && better && swap.heights > 0.0) // the heights run out
        result = exchange_one(&swap, &better);
    if (result == TRV_OK) {
        memcpy(chosen, swap.points, sizeof *chosen * swap.chosen_count);
        *count = swap.chosen_count;
    }
    trvi_free(&swap.allocator, swap.block, swap.block_size);
    return result;
}

trv_result trvi_hull_choose_inner(const trv_hull *full, uint32_t most, trv_vec3 *chosen,
                                  uint32_t *count)
{
    trvi_hull_corners all;
    trvi_thinner thinner = {.block = NULL};
    trv_result result =
        trvi_hull_corners_find(&all, &full->allocator, full->vertices, full->vertex_count);
    if (result == TRV_OK) {
        result = trvi_thinner_start(&thinner, &all.builder, lost_volume);
        if (result == TRV_OK) {
            trvi_thinner_run(&thinner, most);
            result = improve(&all, &thinner, most, chosen, count);
        }
        trvi_thinner_free(&thinner);
    }
    trvi_hull_corners_free(&all);
    return result;
}

// --- how far the result is from the points ---

// The place of the triangle a, b, c that is nearest to the origin, as its squared distance.
static double square_to_triangle(trvi_dvec3 a, trvi_dvec3 b, trvi_dvec3 c)
{
    const trvi_dvec3 corner[3] = {a, b, c};
    trvi_dvec3 normal = trvi_dcross(trvi_dsub(b, a), trvi_dsub(c, a));
    double least = HUGE_VAL;
    bool inside = true;
    for (uint32_t k = 0; k < 3; k++) { // the sides
        trvi_dvec3 p = corner[k], side = trvi_dsub(corner[k == 2 ? 0 : k + 1], p);
        inside = inside && trvi_ddot(trvi_dcross(normal, side), p) <= 0.0;
        double along = -trvi_ddot(p, side), square = trvi_ddot(side, side);
        double part = !(along > 0.0) ? 0.0 : along < square ? along / square : 1.0;
        trvi_dvec3 nearest = trvi_dmul_add(p, side, part);
        least = fmin(least, trvi_ddot(nearest, nearest));
    }
    double height = trvi_ddot(normal, a), area = trvi_ddot(normal, normal);
    return inside && area > 0.0 ? fmin(least, height * height / area) : least;
}

double trvi_hull_farthest(const trvi_hull_builder *builder, const trv_vec3 *points, uint32_t count)
{
    const trvi_hull_face *faces = builder->faces.items;
    double farthest = 0.0; // squared
    for (uint32_t i = 0; i < count; i++) {
        double nearest = HUGE_VAL;
        trvi_dvec3 point = trvi_dvec3_from(points[i]);
        for (uint32_t f = 0; f < builder->faces.count; f++) {
            if (!faces[f].alive)
                continue;
            trvi_dvec3 a = trvi_dvec3_from(builder->points[faces[f].vertex[0]]);
            if (!(trvi_filter_height(&faces[f].filter, trvi_dsub(point, a)) > 0.0))
                continue; // the nearest place is on a face that the point sees
            trvi_dvec3 b = trvi_dvec3_from(builder->points[faces[f].vertex[1]]);
            trvi_dvec3 c = trvi_dvec3_from(builder->points[faces[f].vertex[2]]);
            nearest = fmin(nearest, square_to_triangle(trvi_dsub(a, point), trvi_dsub(b, point),
                                                       trvi_dsub(c, point)));
        }
        if (nearest < HUGE_VAL)
            farthest = fmax(farthest, nearest);
    }
    return sqrt(farthest);
}

bool trvi_hull_holds(const trvi_hull_builder *builder, const trv_vec3 *points, uint32_t count)
{
    const trvi_hull_face *faces = builder->faces.items;
    const trv_vec3 *p = builder->points;
    for (uint32_t f = 0; f < builder->faces.count; f++) {
        const uint32_t *v = faces[f].vertex;
        for (uint32_t i = 0; i < count && faces[f].alive; i++)
            if (trvi_orient3d(p[v[0]], p[v[1]], p[v[2]], points[i]) > 0)
                return false;
    }
    return true;
}
