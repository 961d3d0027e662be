// How far shapes reach along a direction, in float32: what along.h has no short way for.
#ifndef TRVI_REACH_H
#define TRVI_REACH_H

#include "math/math.h"
#include "narrow.h"

// How far a shape reaches along a direction in its own frame, and a bound on its size about there.
typedef struct trvi_stretch {
    float along;
    float size;
} trvi_stretch;

// Up the vertex graph from `*vertex`, at the height `*top`, whose highest neighbour is at `second`,
// while that leads higher. Heights within the hull's tie are not certain. False where the end is
// not.
bool trvi_climb_fans(const trv_hull *hull, trvi_lanes along, float second, uint32_t *vertex,
                     float *top);

// Hulls of few vertices, boxes, spheres and capsules; false for any other shape, and for one that
// is not good.
bool trvi_reach_of_rare(const trv_shape *shape, trvi_lanes d, uint32_t *vertex, trvi_stretch *out);

static inline float trvi_float_height(const trv_vec3 *d, const trv_vec3 *point)
{
    return d->x * point->x + d->y * point->y + d->z * point->z;
}

static inline trvi_wide3 trvi_widened(trvi_lanes d)
{
    return (trvi_wide3){trvi_lanes_splat_0(d), trvi_lanes_splat_1(d), trvi_lanes_splat_2(d)};
}

static inline trvi_wide3 trvi_widened_from(trvi_dvec3 d)
{
    return (trvi_wide3){trvi_lanes_splat((float)d.x), trvi_lanes_splat((float)d.y),
                        trvi_lanes_splat((float)d.z)};
}

static inline trv_vec3 trvi_narrowed(trvi_lanes d)
{
    float v[TRVI_LANES];
    trvi_lanes_store(v, d);
    return (trv_vec3){v[0], v[1], v[2]};
}

static inline trvi_lanes trvi_heights_of(const trvi_wide3 *d, const float *four, size_t stride)
{
    trvi_wide3 p = {trvi_lanes_load(four), trvi_lanes_load(four + stride),
                    trvi_lanes_load(four + 2 * stride)};
    return trvi_wide_dot(*d, p);
}

// Of a box, along a direction of its shape's frame that is `in_box` in its own. False for one that
// is not good, but for its rotation.
static inline bool trvi_reach_of_box(const trv_obb *box, trvi_lanes d, trvi_lanes in_box,
                                     uint32_t *vertex, trvi_stretch *out)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes half = trvi_lanes_load3(&box->half.x), center = trvi_lanes_load3(&box->center.x);
    trvi_lanes reaches = trvi_lanes_mul(half, trvi_lanes_abs(in_box));
    trvi_lanes sums = trvi_lanes_sums(trvi_lanes_add(reaches, trvi_lanes_mul(center, d)),
                                      trvi_lanes_add(half, trvi_lanes_abs(center)));
    *out = (trvi_stretch){trvi_lanes_first(sums), trvi_lanes_first(trvi_lanes_splat_1(sums))};
    *vertex = ~trvi_lanes_at_least(zero, in_box) & 7u;
    return (trvi_lanes_at_least(zero, half) & 7u) == 0 && out->size <= TRV_COORD_MAX;
}

static inline trvi_lanes trvi_heights_of_four(const trvi_wide3 *d, const trvi_four *four)
{
    trvi_wide3 p = {trvi_lanes_load(four->x), trvi_lanes_load(four->y), trvi_lanes_load(four->z)};
    return trvi_wide_dot(*d, p);
}

// Is the vertex the highest for certain, by how high its highest neighbour is?
static inline bool trvi_is_summit(const trv_hull *hull, uint32_t vertex, float height, float second)
{
    float tie = hull->fans[vertex].place[3];
    return second < height - (tie == TRVI_FAN_CROWD ? hull->tie : tie);
}

// The vertex's own height, and that of its highest neighbour.
static inline float trvi_heights_about(const trv_hull *hull, const trvi_wide3 *d, uint32_t vertex,
                                       float *second)
{
    const trvi_fan *fan = &hull->fans[vertex];
    trvi_lanes most = trvi_lanes_max(trvi_heights_of_four(d, &fan->near[1]),
                                     trvi_heights_of_four(d, &fan->near[0]));
    if (fan->place[3] >= TRVI_FAN_CROWD) // or there may be one
        for (uint32_t i = hull->crowd_first[vertex]; i < hull->crowd_first[vertex + 1]; i++)
            most = trvi_lanes_max(trvi_heights_of_four(d, &hull->crowds[i]), most);
    *second = trvi_lanes_highest(most);
    return trvi_lanes_first(d->x) * fan->place[0] + trvi_lanes_first(d->y) * fan->place[1] +
           trvi_lanes_first(d->z) * fan->place[2];
}

#endif
