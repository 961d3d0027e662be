// Asks the remembered plane straight from the shapes, in float32, before anything else is prepared.
//
// This is where coherent scenes spend their time, so the checks of what the caller handed in are
// folded into it, and whatever is out of the ordinary is left to the slow path, which tells the
// reason. Float32 is enough because the answer is only ever "apart beyond doubt": the doubt covers
// each rounding below (about a dozen of 6e-8, times the lengths that were added up), normals and
// rotations that are a little off unit length, and bumps at which a climb may stop.
// Invariant: true is a proof.
// Based on: Lander 1999, "Crashing into the New Year" (the plane remembered per pair).
#include "quick.h"

#include "math/math.h"

#include <float.h>

// How far a shape reaches along a direction in its own frame, and a bound on its size about there.
typedef struct reach {
    float along;
    float size;
} reach;

static inline float dot(trv_vec3 a, const trv_vec3 *b)
{
    return a.x * b->x + a.y * b->y + a.z * b->z;
}

// The sum of the coordinates' magnitudes: not below the length, and NaN or infinite if any of them is.
static inline float spread(const trv_vec3 *v)
{
    return fabsf(v->x) + fabsf(v->y) + fabsf(v->z);
}

// As good as unit: rounding in a normalisation leaves a tenth of this.
static inline bool is_unit(const trv_quat *q)
{
    float square = (q->x * q->x + q->y * q->y) + (q->z * q->z + q->w * q->w);
    return fabsf(square - 1.0f) <= TRVI_QUICK_UNIT;
}

// Between corners that float32 cannot tell apart; what is left after these is in the doubt.
enum { FINE_STEPS = 16 };

// The highest neighbour of `from` that is higher, or `from`: by the difference of their places, in
// double. Along an edge much shorter than the hull the heights themselves are the same in float32,
// and yet at its other end long edges may lead far up. Where faces were united the hull is convex
// within a tolerance only: over an edge as short as that the way up may lead down at first, and
// `*sure` is then false.
static uint32_t step_finely(const trv_hull *hull, trv_vec3 d, uint32_t from, bool *sure)
{
    trvi_dvec3 fine = trvi_dvec3_from(d), here = trvi_dvec3_from(hull->vertices[from]);
    uint32_t best = from, last = hull->neighbor_first[from + 1];
    double rise = 0.0, brief = hull->united ? TRVI_QUICK_SHORT * hull->radius : 0.0;
    for (uint32_t i = hull->neighbor_first[from]; i < last; i++) {
        trvi_dvec3 way = trvi_dsub(trvi_dvec3_from(hull->vertices[hull->neighbors[i]]), here);
        double r = trvi_ddot(fine, way);
        if (fabs(way.x) + fabs(way.y) + fabs(way.z) < brief)
            *sure = false;
        if (r > rise) {
            rise = r;
            best = hull->neighbors[i];
        }
    }
    return best;
}

// Up the vertex graph from `*vertex` while that leads higher. Heights within `tie` are not certain.
// False where the end is not.
static bool climb(const trv_hull *hull, trv_vec3 d, float tie, uint32_t *vertex, float *top)
{
    const trv_vec3 *vertices = hull->vertices;
    const uint32_t *first = hull->neighbor_first, *neighbors = hull->neighbors;
    uint32_t best = *vertex < hull->vertex_count ? *vertex : 0;
    float height = dot(d, &vertices[best]);
    uint32_t fine = 0;
    bool sure = true;
    for (uint32_t step = 0; step < hull->vertex_count; step++) {
        uint32_t from = best, last = first[from + 1];
        float second = -FLT_MAX;
        for (uint32_t i = first[from]; i < last; i++) {
            float h = dot(d, &vertices[neighbors[i]]);
            if (h > height) {
                height = h;
                best = neighbors[i];
            } else if (h > second) {
                second = h;
            }
        }
        if (best == from && second >= height - tie && fine < FINE_STEPS) {
            best = step_finely(hull, d, from, &sure);
            height = fmaxf(height, dot(d, &vertices[best])); // never back down by rounding
            fine++;
        }
        if (best == from)
            break;
    }
    *vertex = best;
    *top = height;
    return sure;
}

static bool reach_of_box(const trv_obb *box, trv_vec3 d, uint32_t *vertex, reach *out)
{
    const trv_quat *q = &box->rotation;
    out->size = spread(&box->half) + spread(&box->center);
    bool solid = box->half.x > 0.0f && box->half.y > 0.0f && box->half.z > 0.0f;
    if (!solid || !(out->size <= TRV_COORD_MAX) || !is_unit(q))
        return false;
    trv_vec3 in_box = d;
    if (trvi_quat_turns(*q))
        in_box = trvi_rotate_inverse(*q, d);
    float x = box->half.x * fabsf(in_box.x), y = box->half.y * fabsf(in_box.y);
    out->along = dot(d, &box->center) + ((x + y) + box->half.z * fabsf(in_box.z));
    *vertex =
        (in_box.x > 0.0f ? 1u : 0u) | (in_box.y > 0.0f ? 2u : 0u) | (in_box.z > 0.0f ? 4u : 0u);
    return true;
}

static bool reach_of_round(const trv_shape *shape, trv_vec3 d, uint32_t *vertex, reach *out)
{
    const trv_capsule *c = &shape->as.capsule;
    const trv_vec3 *a = shape->kind == TRV_SHAPE_SPHERE ? &shape->as.sphere.center : &c->a;
    const trv_vec3 *b = shape->kind == TRV_SHAPE_SPHERE ? &shape->as.sphere.center : &c->b;
    float radius = shape->kind == TRV_SHAPE_SPHERE ? shape->as.sphere.radius : c->radius;
    out->size = spread(a) + spread(b) + radius;
    if (!(radius > 0.0f) || !(out->size <= TRV_COORD_MAX))
        return false;
    float at_a = dot(d, a), at_b = dot(d, b);
    *vertex = at_b > at_a ? 1 : 0;
    out->along = (at_b > at_a ? at_b : at_a) + radius;
    return true;
}

static inline bool reach_of(const trv_shape *shape, trv_vec3 d, uint32_t *vertex, reach *out)
{
    if (shape->kind == TRV_SHAPE_HULL) {
        const trv_hull *hull = shape->as.hull;
        if (hull == NULL)
            return false;
        out->size = hull->radius + spread(&hull->center);
        float tie = TRVI_QUICK_TIE * out->size;
        if (hull->united)
            tie += 3.0f * (float)TRVI_COPLANAR * hull->radius;
        return climb(hull, d, tie, vertex, &out->along);
    }
    if (shape->kind == TRV_SHAPE_BOX)
        return reach_of_box(&shape->as.box, d, vertex, out);
    if (shape->kind == TRV_SHAPE_SPHERE || shape->kind == TRV_SHAPE_CAPSULE)
        return reach_of_round(shape, d, vertex, out);
    return false;
}

// Two posed shapes, and where searches for their vertices begin and end.
typedef struct duo {
    const trv_shape *a, *b;
    const trv_pose *pose_a, *pose_b;
    uint32_t vertex_a, vertex_b;
} duo;

// True where the shapes are apart along `n`, which is `in_world` in A's frame, both about unit.
static inline bool is_apart_along(duo *d, trv_vec3 n, trv_vec3 in_world, float margin,
                                  trvi_quick *out)
{
    reach reach_a, reach_b;
    trv_vec3 back = trvi_rotate_inverse(d->pose_b->rotation, trvi_negate(in_world));
    if (!reach_of(d->a, n, &d->vertex_a, &reach_a) || !reach_of(d->b, back, &d->vertex_b, &reach_b))
        return false;
    trv_vec3 between = trvi_sub(d->pose_b->position, d->pose_a->position);
    float along = dot(in_world, &between);
    float gap = (along - reach_b.along) - reach_a.along;
    out->doubt = TRVI_QUICK_DOUBT * (spread(&between) + reach_a.size + reach_b.size);
    out->normal = in_world;
    out->gap = gap;
    out->middle = reach_a.along + 0.5f * gap;
    return gap - margin > out->doubt + TRVI_QUICK_DOUBT * margin;
}

static inline bool is_unit_vec3(const trv_vec3 *v)
{
    return fabsf(dot(*v, v) - 1.0f) <= TRVI_QUICK_UNIT;
}

// Along the direction that turns with A.
static bool try_turned(duo *d, float margin, const trv_plane_cache *cache, trvi_quick *out)
{
    trv_vec3 n = cache->normal;
    if (d->a->kind == TRV_SHAPE_BOX &&
        trvi_quat_turns(d->a->as.box.rotation)) // in the box's own frame
        n = trvi_rotate(d->a->as.box.rotation, n);
    return is_apart_along(d, n, trvi_rotate(d->pose_a->rotation, n), margin, out);
}

// Along the direction that stays in the world: round bodies that turn in place are parted longer by it.
static bool try_steady(duo *d, float margin, const trv_plane_cache *cache, trvi_quick *out)
{
    if (!is_unit_vec3(&cache->in_world))
        return false;
    trv_vec3 n = trvi_rotate_inverse(d->pose_a->rotation, cache->in_world);
    return is_apart_along(d, n, cache->in_world, margin, out);
}

// The other of the two directions becomes the one to try first.
static bool try_other(duo *d, float margin, trv_plane_cache *cache, trvi_quick *out)
{
    bool steady = cache->steady == 0;
    if (!(steady ? try_steady(d, margin, cache, out) : try_turned(d, margin, cache, out)))
        return false;
    cache->steady = steady;
    cache->source = TRV_PLANE_VERTICES; // no feature's any more
    cache->index_a = d->a->kind == TRV_SHAPE_SPHERE ? 0 : d->vertex_a;
    cache->index_b = d->b->kind == TRV_SHAPE_SPHERE ? 0 : d->vertex_b;
    return true;
}

bool trvi_quick_apart(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                      const trv_pose *pose_b, trv_plane_cache *cache, float margin, trvi_quick *out)
{
    float places = spread(&pose_a->position) + spread(&pose_b->position);
    if (!is_unit_vec3(&cache->normal) || !is_unit(&pose_a->rotation) ||
        !is_unit(&pose_b->rotation) || !(places <= TRV_COORD_MAX))
        return false;
    duo d = {a, b, pose_a, pose_b, cache->vertex_a, cache->vertex_b};
    bool apart = cache->steady != 0 ? try_steady(&d, margin, cache, out)
                                    : try_turned(&d, margin, cache, out);
    if (!apart && !try_other(&d, margin, cache, out))
        return false;
    if (!is_unit_vec3(&cache->in_world)) // the plane is new
        cache->in_world = out->normal;
    cache->gap = out->gap - out->doubt;
    cache->vertex_a = d.vertex_a;
    cache->vertex_b = d.vertex_b;
    return true;
}
