// Two shapes seen along a direction, in float32 and straight from the shapes.
//
// This is where coherent scenes spend their time. So the checks of what the caller handed in are
// folded in, and whatever is out of the ordinary is no answer: it is left to the slow path, which
// tells the reason. Vectors are four lanes, of which the last is zero.
// Float32 is enough because the answer is only ever "apart beyond doubt": the doubt covers each
// rounding below (about a dozen of 6e-8, times the lengths that were added up), directions and
// rotations that are a little off unit length, and bumps at which a climb may stop.
// Invariant: true is a proof.
// Based on: Gilbert, Johnson and Keerthi 1988, "A fast procedure for computing the distance between
// complex objects" (supports); Cameron 1997, "Enhancing GJK" (hill climbing).
#ifndef TRVI_ALONG_H
#define TRVI_ALONG_H

#include "reach.h"

// Two shapes seen along the plane that parts them.
typedef struct trvi_quick {
    float normal[TRVI_LANES]; // in world space, about unit; and zero
    float gap;                // between the surfaces
    float middle;             // of the gap, along the normal from A's position
    float doubt;              // how far both may be off
} trvi_quick;

// Two posed shapes, whose poses are good, and where searches for their vertices begin and end.
typedef struct trvi_duo {
    const trv_shape *a, *b;
    trvi_lanes rotation_a, rotation_b, position_a, position_b;
    uint32_t vertex_a, vertex_b;
} trvi_duo;

static inline trvi_duo trvi_duo_of(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                                   const trv_pose *pose_b, const trv_plane_cache *cache)
{
    return (trvi_duo){a,
                      b,
                      trvi_lanes_load(&pose_a->rotation.x),
                      trvi_lanes_load(&pose_b->rotation.x),
                      trvi_lanes_load3(&pose_a->position.x),
                      trvi_lanes_load3(&pose_b->position.x),
                      cache->vertex_a,
                      cache->vertex_b};
}

// Mostly it is the same vertex as the last time.
static inline bool trvi_reach_of_fans(const trv_hull *hull, trvi_lanes d, uint32_t *vertex,
                                      trvi_stretch *out)
{
    const trvi_wide3 wide = trvi_widened(d);
    uint32_t start = *vertex < hull->vertex_count ? *vertex : 0;
    float second, height = trvi_heights_about(hull, &wide, start, &second);
    *vertex = start;
    *out = (trvi_stretch){height, hull->reach};
    if (trvi_is_summit(hull, start, height, second))
        return true;
    bool sure = trvi_climb_fans(hull, d, second, &start, &height);
    *vertex = start;
    out->along = height;
    return sure;
}

// False for a shape that is not good, or not certain.
static inline bool trvi_reach_of(const trv_shape *shape, trvi_lanes d, uint32_t *vertex,
                                 trvi_stretch *out)
{
    static const float upright[TRVI_LANES] = {0.0f, 0.0f, 0.0f, 1.0f};
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    if (shape->kind == TRV_SHAPE_HULL) {
        const trv_hull *hull = shape->as.hull;
        if (hull != NULL && hull->vertex_count > TRVI_FAN_VERTICES)
            return trvi_reach_of_fans(hull, d, vertex, out);
    } else if (shape->kind == TRV_SHAPE_BOX) {
        trvi_lanes q = trvi_lanes_load(&shape->as.box.rotation.x);
        trvi_lanes off = trvi_lanes_abs(trvi_lanes_sub(q, trvi_lanes_load(upright)));
        if (trvi_lanes_at_least(zero, off) == 15u)
            return trvi_reach_of_box(&shape->as.box, d, d, vertex, out); // it is not turned
    }
    uint32_t at = *vertex;
    trvi_stretch found;
    bool sure = trvi_reach_of_rare(shape, d, &at, &found);
    *vertex = at;
    *out = found;
    return sure;
}

// True where the shapes are apart by more than `margin` along `n`, which is `in_world` in A's
// frame, both about unit, beyond all doubt. False tells nothing, and `out` then holds what was
// measured, if anything.
static inline bool trvi_apart_along(trvi_duo *d, trvi_lanes n, trvi_lanes in_world, float margin,
                                    trvi_quick *out)
{
    trvi_stretch reach_a, reach_b;
    trvi_lanes ahead = trvi_lanes_rotate_inverse(d->rotation_b, in_world);
    trvi_lanes back = trvi_lanes_sub(trvi_lanes_splat(0.0f), ahead);
    if (!trvi_reach_of(d->a, n, &d->vertex_a, &reach_a) ||
        !trvi_reach_of(d->b, back, &d->vertex_b, &reach_b))
        return false;
    trvi_lanes between = trvi_lanes_sub(d->position_b, d->position_a);
    trvi_lanes sums = trvi_lanes_sums(trvi_lanes_mul(in_world, between), trvi_lanes_abs(between));
    float along = trvi_lanes_first(sums), spread = trvi_lanes_first(trvi_lanes_splat_1(sums));
    float gap = (along - reach_b.along) - reach_a.along;
    out->doubt = TRVI_QUICK_DOUBT * (spread + reach_a.size + reach_b.size) + TRVI_QUICK_LEAST;
    trvi_lanes_store(out->normal, in_world);
    out->gap = gap;
    out->middle = reach_a.along + 0.5f * gap;
    return gap - margin > out->doubt + TRVI_QUICK_DOUBT * margin;
}

// The cache's direction as trvi_apart_along wants it: `own`, which stays in the world, or else
// turns with A and is kept in the frame of the box that A may be.
static inline void trvi_along_cached(const trvi_duo *d, trvi_lanes own, bool steady, trvi_lanes *n,
                                     trvi_lanes *in_world)
{
    if (steady) {
        *in_world = own;
        *n = trvi_lanes_rotate_inverse(d->rotation_a, own);
        return;
    }
    if (d->a->kind == TRV_SHAPE_BOX && trvi_quat_turns(d->a->as.box.rotation))
        own = trvi_lanes_rotate(trvi_lanes_load(&d->a->as.box.rotation.x), own);
    *n = own;
    *in_world = trvi_lanes_rotate(d->rotation_a, own);
}

// Where the cache's direction that is to be tried first parts the shapes no more: true where the
// other one does, or where a search from the cache's vertices soon finds a plane that leaves more
// than `margin`; that is then in the cache. False tells nothing.
bool trvi_lead(trvi_duo *duo, float margin, trv_plane_cache *cache, trvi_quick *out);

// The plane leans on the farthest vertices: it is no feature's.
static inline void trvi_name_vertices(const trvi_duo *d, trv_plane_cache *cache)
{
    cache->source = TRV_PLANE_VERTICES;
    cache->index_a = d->a->kind == TRV_SHAPE_SPHERE ? 0 : d->vertex_a;
    cache->index_b = d->b->kind == TRV_SHAPE_SPHERE ? 0 : d->vertex_b;
}

// What was measured along the plane that parts both.
static inline void trvi_keep_measured(const trvi_duo *d, const trvi_quick *found,
                                      trv_plane_cache *cache)
{
    cache->gap = found->gap - found->doubt;
    cache->vertex_a = d->vertex_a;
    cache->vertex_b = d->vertex_b;
}

static inline bool trvi_is_zero(const trv_vec3 *v)
{
    return v->x == 0.0f && v->y == 0.0f && v->z == 0.0f;
}

// In memory only where it is needed there.
static inline bool trvi_lead_on(trvi_duo d, float margin, trv_plane_cache *cache, trvi_quick *out)
{
    return trvi_lead(&d, margin, cache, out);
}

// True where the cache's plane, or one that it `leads` to, leaves more than `margin` between good shapes
// in good poses, beyond all doubt; the cache's vertices are then up to date. False tells nothing: not
// that the shapes are close, nor that they are good. No NaN, infinity or number out of range is ever
// answered with true.
static inline bool trvi_quickly_apart(const trv_shape *a, const trv_pose *pose_a,
                                      const trv_shape *b, const trv_pose *pose_b,
                                      trv_plane_cache *cache, float margin, bool leads,
                                      trvi_quick *out)
{
    // Squared lengths of both rotations and of the direction; the sum of the coordinates'
    // magnitudes.
    static const float wanted[TRVI_LANES] = {1.0f, 1.0f, 1.0f, 0.0f};
    static const float allowed[TRVI_LANES] = {TRVI_QUICK_TURN, TRVI_QUICK_TURN, TRVI_QUICK_UNIT,
                                              TRV_COORD_MAX};
    // Round bodies that turn in place are parted longer by a direction that stays in the world.
    bool steady = cache->steady != 0;
    trvi_lanes own = trvi_lanes_load3(steady ? &cache->in_world.x : &cache->normal.x);
    trvi_duo d = trvi_duo_of(a, pose_a, b, pose_b, cache);
    trvi_lanes spread = trvi_lanes_add(trvi_lanes_abs(d.position_a), trvi_lanes_abs(d.position_b));
    trvi_lanes found = trvi_lanes_pair(trvi_lanes_sums(trvi_lanes_mul(d.rotation_a, d.rotation_a),
                                                       trvi_lanes_mul(d.rotation_b, d.rotation_b)),
                                       trvi_lanes_sums(trvi_lanes_mul(own, own), spread));
    trvi_lanes off = trvi_lanes_abs(trvi_lanes_sub(found, trvi_lanes_load(wanted)));
    uint32_t sound = trvi_lanes_at_least(trvi_lanes_load(allowed), off);
    if ((sound & 11u) != 11u)
        return false;
    if (sound != 15u)
        return leads && trvi_lead_on(d, margin, cache, out);
    trvi_lanes n, in_world;
    trvi_along_cached(&d, own, steady, &n, &in_world);
    if (!trvi_apart_along(&d, n, in_world, margin, out))
        return leads && trvi_lead_on(d, margin, cache, out);
    if (steady)
        trvi_name_vertices(&d, cache);
    else if (trvi_is_zero(&cache->in_world)) // the plane is new
        cache->in_world = (trv_vec3){out->normal[0], out->normal[1], out->normal[2]};
    trvi_keep_measured(&d, out, cache);
    return true;
}

#endif
