// A hull with few vertices inside one with many: which of them to keep.
//
// First the vertices go whose loss costs the least volume, one after the other (hull_thin.c). Then each
// one that is left moves to where it would add most while the others stay, as long as that gains.
// Vertices are numbered in lexicographic order, so neither the choice nor a tie depends on how the points
// were given.
// Invariant: the volume of the hull of what is chosen grows with every move.
//
// Based on: Garland and Heckbert 1997, "Surface Simplification Using Quadric Error Metrics" (thinning
// by cost); Fedorov 1972, "Theory of Optimal Experiments" (the exchange of one for one).
#include <string.h>

#include "hull_limit.h"
#include "hull_thin.h"
#include "sort.h"

// Heights that all moves together may work out: less than a tenth of a second.
#define MAX_HEIGHTS 40000000.0
// What it costs to look at the chosen ones anew, for each of them.
#define HEIGHTS_PER_VERTEX 500.0

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

// --- moving one vertex ---

typedef struct face_plane {
    trvi_dvec3 normal, origin;
} face_plane;

typedef struct exchange {
    const trvi_hull_corners *all;
    trv_allocator allocator;
    uint32_t chosen_count;
    double heights; // that may still be worked out
    void *block;
    size_t block_size;
    face_plane *planes;   // [2 * TRVI_PATCH_RING]
    trv_vec3 *points;     // [chosen_count] of what is chosen
    uint32_t *chosen;     // [chosen_count] numbers, ascending
    unsigned char *taken; // [all] whether it is chosen
} exchange;

static trv_result start(exchange *swap)
{
    size_t planes = sizeof(face_plane) * 2 * TRVI_PATCH_RING;
    size_t points = sizeof(trv_vec3) * swap->chosen_count;
    size_t chosen = sizeof(uint32_t) * swap->chosen_count;
    swap->block_size = planes + points + chosen + swap->all->count;
    char *block = swap->block = trvi_allocate(&swap->allocator, swap->block_size);
    if (block == NULL)
        return TRV_ERROR_MEMORY;
    swap->planes = (void *)block;
    swap->points = (void *)(block + planes);
    swap->chosen = (void *)(block + planes + points);
    swap->taken = (void *)(block + planes + points + chosen);
    return TRV_OK;
}

// The numbers of what is chosen, and their points.
static void list_chosen(exchange *swap)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < swap->all->count; v++)
        if (swap->taken[v]) {
            swap->points[count] = swap->all->corners[v];
            swap->chosen[count++] = v;
        }
}

static void add_plane(exchange *swap, const trvi_thinner *thinner, const uint32_t v[3],
                      uint32_t *count)
{
    const trv_vec3 *p = thinner->points;
    swap->planes[*count].origin = trvi_dvec3_from(p[v[0]]);
    swap->planes[(*count)++].normal = trvi_dcross(offset(p, v[0], v[1]), offset(p, v[0], v[2]));
}

// The best place for a chosen vertex while the others stay, from what a point adds above the patch and
// the faces round it: a little less than all, where it sees more than those. TRVI_NONE where that is not
// more than where it is.
static uint32_t find_place(exchange *swap, const trvi_thinner *thinner, uint32_t vertex)
{
    trvi_patch patch;
    uint32_t count = 0, best = TRVI_NONE;
    if (!trvi_thinner_patch(thinner, vertex, &patch))
        return best;
    for (uint32_t t = 0; t < patch.sides - 2; t++) {
        const uint32_t *k = patch.triangle[t];
        uint32_t v[3] = {patch.ring[k[0]], patch.ring[k[1]], patch.ring[k[2]]};
        add_plane(swap, thinner, v, &count);
    }
    uint32_t inner = count;
    for (uint32_t i = 0; i < patch.sides; i++)
        add_plane(swap, thinner, thinner->faces[patch.outside[i]].vertex, &count);
    double most = thinner->cost[vertex] * (1.0 + TRVI_LIMIT_GAIN);
    for (uint32_t v = 0; v < swap->all->count; v++) {
        trvi_dvec3 point = trvi_dvec3_from(swap->all->corners[v]);
        double sum = 0.0;
        for (uint32_t i = 0; i < count && (i < inner || sum > 0.0); i++) {
            double height =
                trvi_ddot(swap->planes[i].normal, trvi_dsub(point, swap->planes[i].origin));
            sum += height > 0.0 ? height : 0.0;
        }
        if (sum > most && !swap->taken[v])
            best = v, most = sum;
    }
    swap->heights -= (double)swap->all->count * inner;
    return best;
}

// The surface of what is chosen, and what its vertices are worth. Call look_away() whatever the result.
static trv_result look(exchange *swap, trvi_hull_builder *builder, trvi_thinner *thinner)
{
    *thinner = (trvi_thinner){.block = NULL};
    trv_result result =
        trvi_hull_triangulate(builder, &swap->allocator, swap->points, swap->chosen_count);
    if (result == TRV_OK)
        result = trvi_thinner_start(thinner, builder, lost_volume);
    swap->heights -= HEIGHTS_PER_VERTEX * swap->chosen_count;
    return result;
}

static void look_away(trvi_hull_builder *builder, trvi_thinner *thinner)
{
    if (thinner->block)
        trvi_thinner_free(thinner);
    trvi_hull_builder_free(builder);
}

// Moves chosen vertices, each in turn, until none has a better place or the heights run out.
static trv_result move_vertices(exchange *swap)
{
    trvi_hull_builder builder;
    trvi_thinner thinner;
    trv_result result = look(swap, &builder, &thinner);
    uint32_t idle = 0; // vertices in a row that stay
    for (uint32_t k = 0; result == TRV_OK && idle < swap->chosen_count && swap->heights > 0.0;
         k = k + 1 < swap->chosen_count ? k + 1 : 0) {
        uint32_t place = find_place(swap, &thinner, k);
        idle++;
        if (place == TRVI_NONE)
            continue;
        idle = 0;
        swap->taken[swap->chosen[k]] = 0;
        swap->taken[place] = 1;
        list_chosen(swap);
        look_away(&builder, &thinner);
        result = look(swap, &builder, &thinner);
    }
    look_away(&builder, &thinner);
    return result;
}

// From what the thinner left to what is chosen.
static trv_result improve(const trvi_hull_corners *all, const trvi_thinner *thinner,
                          trv_vec3 *chosen)
{
    exchange swap = {.all = all,
                     .allocator = thinner->allocator,
                     .chosen_count = thinner->vertex_count,
                     .heights = MAX_HEIGHTS};
    trv_result result = start(&swap);
    if (result != TRV_OK)
        return result;
    for (uint32_t v = 0; v < all->count; v++)
        swap.taken[v] = thinner->face_at[v] != TRVI_NONE;
    list_chosen(&swap);
    result = move_vertices(&swap);
    memcpy(chosen, swap.points, sizeof *chosen * swap.chosen_count);
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
            *count = thinner.vertex_count;
            result = improve(&all, &thinner, chosen);
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
    trv_aabb box = {points[0], points[0]};
    for (uint32_t i = 0; i < count; i++)
        box = trvi_aabb_union(box, (trv_aabb){points[i], points[i]});
    for (uint32_t i = 0; i < builder->point_count; i++)
        box = trvi_aabb_union(box, (trv_aabb){p[i], p[i]});
    trvi_dvec3 reach = trvi_dsub(trvi_dvec3_from(box.upper), trvi_dvec3_from(box.lower));
    for (uint32_t f = 0; f < builder->faces.count; f++) {
        if (!faces[f].alive)
            continue;
        trv_vec3 a = p[faces[f].vertex[0]], b = p[faces[f].vertex[1]], c = p[faces[f].vertex[2]];
        trvi_side_filter filter = trvi_make_side_filter(a, b, c, reach);
        for (uint32_t i = 0; i < count; i++) {
            trvi_dvec3 from_a = trvi_dsub(trvi_dvec3_from(points[i]), trvi_dvec3_from(a));
            if (!(trvi_filter_height(&filter, from_a) < -filter.error) &&
                trvi_orient3d(a, b, c, points[i]) > 0)
                return false;
        }
    }
    return true;
}
