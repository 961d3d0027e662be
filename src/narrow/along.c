// Two shapes seen along a direction, in float32 and straight from the shapes.
//
// The checks that the shapes are good are folded in: whatever is out of the ordinary is no answer.
// Float32 is enough because the answer is only ever "apart beyond doubt": the doubt covers each rounding
// below (about a dozen of 6e-8, times the lengths that were added up), directions and rotations that are
// a little off unit length, and bumps at which a climb may stop.
// Invariant: true is a proof.
// Based on: Gilbert, Johnson and Keerthi 1988, "A fast procedure for computing the distance between
// complex objects" (supports); Cameron 1997, "Enhancing GJK" (hill climbing).
#include "along.h"

#include <float.h>

// How far a shape reaches along a direction in its own frame, and a bound on its size about there.
typedef struct reach {
    float along;
    float size;
} reach;

static inline float height_of(const trv_vec3 *d, const trv_vec3 *place)
{
    return d->x * place->x + d->y * place->y + d->z * place->z;
}

// Four at a time, straight through: how many there are is nothing that a processor can foresee.
static inline float highest_neighbor(const trv_hull *hull, const trv_vec3 *d, uint32_t vertex)
{
    const float *four = hull->fans + 12 * (size_t)hull->fan_first[vertex];
    const float *end = hull->fans + 12 * (size_t)hull->fan_first[vertex + 1];
    trvi_wide3 wide = {trvi_lanes_splat(d->x), trvi_lanes_splat(d->y), trvi_lanes_splat(d->z)};
    trvi_lanes most = trvi_lanes_splat(-FLT_MAX);
    for (; four < end; four += 12) {
        trvi_wide3 p = {trvi_lanes_load(four), trvi_lanes_load(four + 4),
                        trvi_lanes_load(four + 8)};
        most = trvi_lanes_max(trvi_wide_dot(wide, p), most);
    }
    return trvi_lanes_highest(most);
}

// Between corners that float32 cannot tell apart; what is left after these is in the doubt.
enum { FINE_STEPS = 16 };

// The highest neighbour of `from` that is higher, or `from`: by the difference of their places, in
// double. Along an edge much shorter than the hull the heights themselves are the same in float32,
// and yet at its other end long edges may lead far up. Where faces were united the hull is convex
// within a tolerance only: over an edge as short as that the way up may lead down at first, and
// `*sure` is then false.
static uint32_t step_finely(const trv_hull *hull, const trv_vec3 *d, uint32_t from, bool *sure)
{
    trvi_dvec3 fine = trvi_dvec3_from(*d), here = trvi_dvec3_from(hull->vertices[from]);
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

// The neighbour that is so high.
static uint32_t neighbor_at(const trv_hull *hull, const trv_vec3 *d, float height, uint32_t from)
{
    for (uint32_t i = hull->neighbor_first[from]; i < hull->neighbor_first[from + 1]; i++)
        if (height_of(d, &hull->vertices[hull->neighbors[i]]) == height)
            return hull->neighbors[i];
    return from;
}

// Up the vertex graph from `*vertex`, at the height `*top`, whose highest neighbour is at `second`,
// while that leads higher. Heights within `tie` are not certain. False where the end is not.
static bool climb(const trv_hull *hull, const trv_vec3 *d, float tie, float second,
                  uint32_t *vertex, float *top)
{
    uint32_t best = *vertex, fine = 0;
    float height = *top;
    bool sure = true;
    for (uint32_t step = 0; step < hull->vertex_count; step++) {
        uint32_t from = best;
        if (second < height - tie)
            break;
        if (second > height) {
            best = neighbor_at(hull, d, second, from);
            height = second;
        } else if (fine < FINE_STEPS) {
            best = step_finely(hull, d, from, &sure);
            height =
                fmaxf(height, height_of(d, &hull->vertices[best])); // never back down by rounding
            fine++;
        }
        if (best == from)
            break;
        second = highest_neighbor(hull, d, best);
    }
    *vertex = best;
    *top = height;
    return sure;
}

// The vertex that is as high as the highest.
static uint32_t find_at(const trv_hull *hull, const trv_vec3 *d, float top)
{
    for (uint32_t v = 0; v < hull->vertex_count; v++)
        if (height_of(d, &hull->vertices[v]) == top)
            return v;
    return 0; // numbers that are none
}

// Every vertex, four at a time.
static inline float scan(const trv_hull *hull, const trv_vec3 *d, uint32_t *vertex)
{
    uint32_t length = trvi_column_length(hull->vertex_count);
    const float *x = hull->columns, *y = x + length, *z = y + length;
    trvi_wide3 wide = {trvi_lanes_splat(d->x), trvi_lanes_splat(d->y), trvi_lanes_splat(d->z)};
    trvi_lanes most = trvi_lanes_splat(-FLT_MAX);
    for (uint32_t i = 0; i < length; i += TRVI_LANES) {
        trvi_wide3 p = {trvi_lanes_load(x + i), trvi_lanes_load(y + i), trvi_lanes_load(z + i)};
        most = trvi_lanes_max(trvi_wide_dot(wide, p), most);
    }
    float top = trvi_lanes_highest(most);
    if (*vertex >= hull->vertex_count || height_of(d, &hull->vertices[*vertex]) != top)
        *vertex = find_at(hull, d, top);
    return top;
}

static inline bool reach_of_hull(const trv_hull *hull, const trv_vec3 *d, uint32_t *vertex,
                                 reach *out)
{
    out->size = hull->radius + trvi_spread(&hull->center);
    if (hull->vertex_count <= TRVI_SCAN_VERTICES) {
        out->along = scan(hull, d, vertex);
        return true;
    }
    float tie = TRVI_QUICK_TIE * out->size;
    if (hull->united)
        tie += 3.0f * (float)TRVI_COPLANAR * hull->radius;
    // Mostly it is the same one as the last time.
    uint32_t start = *vertex < hull->vertex_count ? *vertex : 0;
    float height = height_of(d, &hull->vertices[start]);
    float second = highest_neighbor(hull, d, start);
    *vertex = start;
    out->along = height;
    return second < height - tie || climb(hull, d, tie, second, vertex, &out->along);
}

static bool reach_of_box(const trv_obb *box, const trv_vec3 *d, uint32_t *vertex, reach *out)
{
    const trv_quat *q = &box->rotation;
    out->size = trvi_spread(&box->half) + trvi_spread(&box->center);
    bool solid = box->half.x > 0.0f && box->half.y > 0.0f && box->half.z > 0.0f;
    if (!solid || !(out->size <= TRV_COORD_MAX) || !trvi_is_quick_unit(q))
        return false;
    trv_vec3 in_box = {d->x, d->y, d->z};
    if (trvi_quat_turns(*q))
        in_box = trvi_rotate_inverse(*q, in_box);
    float x = box->half.x * fabsf(in_box.x), y = box->half.y * fabsf(in_box.y);
    out->along = height_of(d, &box->center) + ((x + y) + box->half.z * fabsf(in_box.z));
    *vertex =
        (in_box.x > 0.0f ? 1u : 0u) | (in_box.y > 0.0f ? 2u : 0u) | (in_box.z > 0.0f ? 4u : 0u);
    return true;
}

static bool reach_of_round(const trv_shape *shape, const trv_vec3 *d, uint32_t *vertex, reach *out)
{
    const trv_capsule *c = &shape->as.capsule;
    const trv_vec3 *a = shape->kind == TRV_SHAPE_SPHERE ? &shape->as.sphere.center : &c->a;
    const trv_vec3 *b = shape->kind == TRV_SHAPE_SPHERE ? &shape->as.sphere.center : &c->b;
    float radius = shape->kind == TRV_SHAPE_SPHERE ? shape->as.sphere.radius : c->radius;
    out->size = trvi_spread(a) + trvi_spread(b) + radius;
    if (!(radius > 0.0f) || !(out->size <= TRV_COORD_MAX))
        return false;
    float at_a = height_of(d, a), at_b = height_of(d, b);
    *vertex = at_b > at_a ? 1 : 0;
    out->along = (at_b > at_a ? at_b : at_a) + radius;
    return true;
}

static bool reach_of_few(const trv_shape *shape, const trv_vec3 *d, uint32_t *vertex, reach *out)
{
    if (shape->kind == TRV_SHAPE_BOX)
        return reach_of_box(&shape->as.box, d, vertex, out);
    if (shape->kind == TRV_SHAPE_SPHERE || shape->kind == TRV_SHAPE_CAPSULE)
        return reach_of_round(shape, d, vertex, out);
    return false;
}

// False for a shape that is not good, or not certain.
static inline bool reach_of(const trv_shape *shape, const trv_vec3 *d, uint32_t *vertex, reach *out)
{
    if (shape->kind == TRV_SHAPE_HULL)
        return shape->as.hull != NULL && reach_of_hull(shape->as.hull, d, vertex, out);
    return reach_of_few(shape, d, vertex, out);
}

// Vectors go by address: handed over by value they are copied in pairs right after they were written
// one by one, which processors wait for.
bool trvi_apart_along(trvi_duo *d, const trv_vec3 *n, const trv_vec3 *in_world, float margin,
                      trvi_quick *out)
{
    reach reach_a, reach_b;
    trv_vec3 down = {-in_world->x, -in_world->y, -in_world->z};
    trv_vec3 back = trvi_rotate_inverse(d->pose_b->rotation, down);
    if (!reach_of(d->a, n, &d->vertex_a, &reach_a) ||
        !reach_of(d->b, &back, &d->vertex_b, &reach_b))
        return false;
    trv_vec3 between = trvi_sub(d->pose_b->position, d->pose_a->position);
    float along = in_world->x * between.x + in_world->y * between.y + in_world->z * between.z;
    float gap = (along - reach_b.along) - reach_a.along;
    out->doubt = TRVI_QUICK_DOUBT * (trvi_spread(&between) + reach_a.size + reach_b.size);
    out->normal.x = in_world->x;
    out->normal.y = in_world->y;
    out->normal.z = in_world->z;
    out->gap = gap;
    out->middle = reach_a.along + 0.5f * gap;
    return gap - margin > out->doubt + TRVI_QUICK_DOUBT * margin;
}
