// Asks the remembered plane straight from the shapes, in float32, before anything else is prepared.
//
// This is where coherent scenes spend their time, so the checks of what the caller handed in are
// folded into it, and whatever is out of the ordinary is left to the slow path, which tells the
// reason.
// Invariant: true is a proof.
// Based on: Lander 1999, "Crashing into the New Year" (the plane remembered per pair).
#include "quick.h"

#include "lead.h"

static inline bool is_unit_vec3(const trv_vec3 *v)
{
    return fabsf((v->x * v->x + v->y * v->y + v->z * v->z) - 1.0f) <= TRVI_QUICK_UNIT;
}

static inline bool is_zero(const trv_vec3 *v)
{
    return v->x == 0.0f && v->y == 0.0f && v->z == 0.0f;
}

// The direction that turns with A.
static inline trv_vec3 turned_normal(const trv_shape *a, const trv_plane_cache *cache)
{
    if (a->kind == TRV_SHAPE_BOX && trvi_quat_turns(a->as.box.rotation)) // in the box's own frame
        return trvi_rotate(a->as.box.rotation, cache->normal);
    return cache->normal;
}

bool trvi_quick_apart(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                      const trv_pose *pose_b, trv_plane_cache *cache, float margin, trvi_quick *out)
{
    float places = trvi_spread(&pose_a->position) + trvi_spread(&pose_b->position);
    if (!trvi_is_quick_unit(&pose_a->rotation) || !trvi_is_quick_unit(&pose_b->rotation) ||
        !(places <= TRV_COORD_MAX))
        return false;
    trvi_duo d = {a, b, pose_a, pose_b, cache->vertex_a, cache->vertex_b};
    bool steady = cache->steady != 0;
    for (int turn = 0; turn < 2; turn++, steady = !steady) {
        trv_vec3 n, in_world;
        // Round bodies that turn in place are parted longer by a direction that stays in the world.
        if (!is_unit_vec3(steady ? &cache->in_world : &cache->normal))
            continue;
        if (steady) {
            in_world = cache->in_world;
            n = trvi_rotate_inverse(pose_a->rotation, in_world);
        } else {
            n = turned_normal(a, cache);
            in_world = trvi_rotate(pose_a->rotation, n);
        }
        if (!trvi_apart_along(&d, &n, &in_world, margin, out))
            continue;
        if (steady || turn > 0) { // no feature's any more; and the one to try first from now on
            cache->steady = steady;
            cache->source = TRV_PLANE_VERTICES;
            cache->index_a = a->kind == TRV_SHAPE_SPHERE ? 0 : d.vertex_a;
            cache->index_b = b->kind == TRV_SHAPE_SPHERE ? 0 : d.vertex_b;
        }
        if (!steady && is_zero(&cache->in_world)) // the plane is new
            cache->in_world = in_world;
        cache->gap = out->gap - out->doubt;
        cache->vertex_a = d.vertex_a;
        cache->vertex_b = d.vertex_b;
        return true;
    }
    return trvi_lead(&d, margin, cache, out);
}
