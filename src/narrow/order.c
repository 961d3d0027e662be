// Orders two posed shapes by what they are and where, never by who came first.
//
// Ties are what this is for: where two directions are as good, or rounding decides, the sums have
// to be the same ones to give the same answer. Equal bits in equal places have no order, and need
// none.
// Invariant: the order of two shapes depends on their numbers alone; for hulls these are counts and
// bounds, then vertices.
#include "order.h"

#include "carry.h"

#include <string.h>

// As unsigned bits: an order that every number has, NaN and both zeros included.
static int compare(const float *a, const float *b, uint32_t count)
{
    uint32_t i = 0;
    while (i + 1 < count && memcmp(&a[i], &b[i], 2 * sizeof *a) == 0) // two at once, while alike
        i += 2;
    for (; i < count; i++) {
        uint32_t x, y;
        memcpy(&x, &a[i], sizeof x);
        memcpy(&y, &b[i], sizeof y);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static int compare_counts(uint32_t a, uint32_t b)
{
    return a == b ? 0 : (a < b ? -1 : 1);
}

static int compare_hulls(const trv_hull *a, const trv_hull *b)
{
    if (a == b)
        return 0;
    int order = compare_counts(a->vertex_count, b->vertex_count);
    if (order == 0)
        order = compare_counts(a->face_count, b->face_count);
    if (order == 0)
        order = compare(&a->bounds.lower.x, &b->bounds.lower.x, 6);
    if (order == 0)
        order = compare(&a->vertices[0].x, &b->vertices[0].x, 3 * a->vertex_count);
    return order;
}

static int compare_shapes(const trv_shape *a, const trv_shape *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    switch (a->kind) {
    case TRV_SHAPE_SPHERE:
        return compare(&a->as.sphere.center.x, &b->as.sphere.center.x, 4);
    case TRV_SHAPE_CAPSULE:
        return compare(&a->as.capsule.a.x, &b->as.capsule.a.x, 7);
    case TRV_SHAPE_BOX:
        return compare(&a->as.box.center.x, &b->as.box.center.x, 10);
    default:
        return compare_hulls(a->as.hull, b->as.hull);
    }
}

bool trvi_is_turned(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                    const trv_pose *pose_b)
{
    int order = compare_shapes(a, b);
    if (order == 0)
        order = compare(&pose_a->position.x, &pose_b->position.x, 7);
    return order > 0;
}

void trvi_couple_in_order(trvi_couple *couple, const trv_shape *a, trv_pose pose_a,
                          const trv_shape *b, trv_pose pose_b)
{
    bool turned = trvi_is_turned(a, &pose_a, b, &pose_b);
    if (turned)
        trvi_couple_set(couple, b, pose_b, a, pose_a);
    else
        trvi_couple_set(couple, a, pose_a, b, pose_b);
    couple->turned = turned;
}

// From the frame in which the cache keeps normals of this shape to the world.
static trv_quat frame_of(const trv_shape *shape, const trv_pose *pose)
{
    trv_quat q = trvi_quat_normalize(pose->rotation);
    if (shape->kind != TRV_SHAPE_BOX)
        return q;
    return trvi_quat_mul(q, trvi_quat_normalize(shape->as.box.rotation));
}

void trvi_turn_cache(const trv_plane_cache *cache, const trv_shape *a, const trv_pose *pose_a,
                     const trv_shape *b, const trv_pose *pose_b, trv_plane_cache *turned)
{
    turned->normal = cache->normal;
    turned->gap = cache->gap;
    turned->steady = cache->steady;
    if (trvi_is_parting(cache)) {
        trv_vec3 none = {0.0f, 0.0f, 0.0f};
        trv_vec3 in_world = trvi_rotate(frame_of(a, pose_a), cache->normal);
        turned->normal = trvi_normalize_or(
            trvi_rotate_inverse(frame_of(b, pose_b), trvi_negate(in_world)), none);
    }
    turned->vertex_a = cache->vertex_b;
    turned->vertex_b = cache->vertex_a;
    turned->index_a = cache->index_b;
    turned->index_b = cache->index_a;
    trvi_turn_meeting(cache, turned);
    turned->source = trvi_turned_source(cache->source);
}

trvi_memory trvi_memory_of(const trv_plane_cache *cache)
{
    return (trvi_memory){{cache->normal.x, cache->normal.y, cache->normal.z},
                         cache->source,
                         cache->index_a,
                         cache->index_b};
}

void trvi_turn_back(const trvi_memory *before, const trv_plane_cache *after, const trv_shape *a,
                    const trv_pose *pose_a, const trv_shape *b, const trv_pose *pose_b,
                    trv_plane_cache *cache)
{
    bool same = compare(&before->normal.x, &after->normal.x, 3) == 0;
    if (same && trvi_is_carried(after) && after->source == before->source &&
        after->index_a == before->index_a && after->index_b == before->index_b) {
        trvi_turn_meeting(after, cache);
        cache->gap = after->gap; // all that goes on changing then
        cache->vertex_a = after->vertex_b;
        cache->vertex_b = after->vertex_a;
        return;
    }
    trv_vec3 normal = cache->normal; // kept to the bit where nothing new was found
    trvi_turn_cache(after, b, pose_b, a, pose_a, cache);
    if (same)
        cache->normal = normal;
}
