// Contact of two shapes that may be compounds: one manifold for each pair of parts that is near.
//
// Pairs come in the order of the walk; what is handed out is sorted by their numbers.
#include <string.h>

#include "compound_search.h"
#include "heap_sort.h"
#include "questions.h"

// The manifolds that trv_collide_all hands out, as far as there is room.
typedef struct collection {
    trv_manifold *manifolds;
    uint32_t capacity;
    uint32_t count;
} collection;

static void collect(collection *to, trv_manifold *manifold, uint32_t part_a, uint32_t part_b)
{
    manifold->part_a = part_a;
    manifold->part_b = part_b;
    if (to->count < to->capacity)
        to->manifolds[to->count] = *manifold;
    to->count += to->count < UINT32_MAX; // more cannot be told, nor is there room for them
}

static void collect_grounded(const trvi_ground *ground, double margin, collection *to)
{
    trvi_ground_walk walk;
    uint32_t part;
    bool plane_is_a = ground->plane_is_a;
    trvi_ground_walk_start(&walk, ground);
    while (trvi_part_walk_next(&walk.walk, margin, &part)) {
        trvi_view view;
        uint32_t vertex = TRVI_NO_VERTEX;
        trv_manifold manifold;
        memset(&manifold, 0, sizeof manifold);
        trvi_part_view(&ground->parts, part, &view);
        if (trvi_collide_half_space(&view, ground->plane, ground->plane_pose, plane_is_a, margin,
                                    NULL, &vertex, &manifold) == TRVI_CONTACT)
            collect(to, &manifold, plane_is_a ? 0 : part, plane_is_a ? part : 0);
    }
}

static void collect_pairs(trvi_duo *duo, double margin, collection *to)
{
    trvi_pair_walk walk;
    uint32_t part_a, part_b;
    trvi_pair_walk_start(&walk, &duo->a, &duo->b);
    while (trvi_pair_walk_next(&walk, margin, &part_a, &part_b)) {
        trv_manifold manifold;
        trv_plane_cache none;
        memset(&manifold, 0, sizeof manifold);
        memset(&none, 0, sizeof none);
        trvi_duo_hold(duo, part_a, part_b);
        if (trvi_collide_couple(&duo->couple, margin, &none, &manifold) == TRVI_CONTACT)
            collect(to, &manifold, part_a, part_b);
    }
}

static bool comes_before(const void *context, uint32_t i, uint32_t j)
{
    const collection *c = context;
    const trv_manifold *a = &c->manifolds[i], *b = &c->manifolds[j];
    return a->part_a < b->part_a || (a->part_a == b->part_a && a->part_b < b->part_b);
}

static void swap_manifolds(void *context, uint32_t i, uint32_t j)
{
    collection *c = context;
    trv_manifold manifold = c->manifolds[i];
    c->manifolds[i] = c->manifolds[j];
    c->manifolds[j] = manifold;
}

trv_result trv_collide_all(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                           float margin, trv_manifold *manifolds, uint32_t capacity,
                           uint32_t *count)
{
    if (count == NULL)
        return TRV_ERROR_NULL;
    *count = 0;
    if (manifolds == NULL && capacity > 0)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_question(a, pose_a, b, pose_b);
    if (result == TRV_OK)
        result = trvi_check_range(margin, 0.0f, TRV_COORD_MAX);
    collection to = {manifolds, capacity, 0};
    if (result == TRV_OK) {
        trvi_ground ground;
        trvi_duo duo;
        if (trvi_ground_set(&ground, a, pose_a, b, pose_b)) {
            collect_grounded(&ground, (double)margin, &to);
        } else {
            trvi_duo_set(&duo, a, pose_a, b, pose_b);
            collect_pairs(&duo, (double)margin, &to);
        }
        *count = to.count;
        result = to.count > capacity ? TRV_ERROR_LIMIT : TRV_OK;
    }
    if (result == TRV_OK)
        trvi_heap_sort(to.count, comes_before, swap_manifolds, &to);
    else if (capacity > 0)
        memset(manifolds, 0, capacity * sizeof *manifolds);
    return result;
}
