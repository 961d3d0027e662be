/// @file
/// Trivet queries: what is where in a world. Rays, casts of shapes, overlaps, closest points.
///
/// All of these are const and may run together between steps (TRV_ERROR_BUSY during one). They see
/// each body where it is now, also when it was placed since the last step. Disabled bodies are not
/// seen. A compound is told with the part that was met. Results come in an order that depends on the
/// world's state alone. Every function answers TRV_ERROR_NULL, and TRV_ERROR_NUMBER, _RANGE and
/// _ROTATION for bad numbers; outputs are then zero.
#ifndef TRIVET_QUERY_H
#define TRIVET_QUERY_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether a query may see a shape. Batches call it from workers, many at once.
typedef bool trv_shape_predicate(void *context, trv_shape_id shape, uint64_t user);

/// What a query sees. Make it with trv_default_query(), or give NULL for just that.
typedef struct trv_query {
    uint32_t cookie;
    bool sensors;                ///< sees sensors, too; default false
    trv_filter filter;           ///< agrees with those of the shapes to see
    trv_shape_predicate *accept; ///< NULL: everything that the filter lets through
    void *context;               ///< for `accept`
} trv_query;

/// Everything but sensors, in category 1.
TRV_API trv_query trv_default_query(void);

/// Where a ray or a moving shape met a shape of the world.
typedef struct trv_world_hit {
    bool hit;
    bool start;     ///< it began inside, or in touch
    float fraction; ///< of the way, 0..1
    trv_vec3 point;
    trv_vec3 normal; ///< unit, out of the shape that was met; zero for rays that begin inside
    trv_shape_id shape;
    trv_body_id body;
    uint64_t user; ///< of the shape
    uint32_t part; ///< of a compound, else 0
} trv_world_hit;

/// The first shape on a ray; of those at one fraction that of lowest index. No hit is TRV_OK with
/// hit->hit == false. Cost grows with the boxes along the ray.
TRV_API trv_result trv_world_ray_closest(const trv_world *world, trv_ray ray,
                                         const trv_query *query, trv_world_hit *hit);
/// Whether there is any: cheaper, where it does not matter which.
TRV_API trv_result trv_world_ray_any(const trv_world *world, trv_ray ray, const trv_query *query,
                                     bool *any);
/// All of them, each where the ray enters it, ascending by fraction, then by index. Each part of a
/// compound that is met is a hit of its own. `*count` is how many there are; the first `capacity` are
/// given.
TRV_API trv_result trv_world_ray_all(const trv_world *world, trv_ray ray, const trv_query *query,
                                     trv_world_hit *hits, uint32_t capacity, uint32_t *count);
/// trv_world_ray_closest for many rays, dealt to the world's workers.
TRV_API trv_result trv_world_rays(const trv_world *world, const trv_ray *rays, uint32_t count,
                                  const trv_query *query, trv_world_hit *hits);

/// The first shape that a moving one meets, on its way and turn through `motion`. What it touches or
/// overlaps at the start is met at fraction 0 where the way leads deeper into it; where it leads away or
/// along it, it is met only where the way comes back to it after they were apart. A half-space cannot be cast (TRV_ERROR_KIND). Cost: that of trv_impact
/// for each shape near the way.
TRV_API trv_result trv_world_cast_closest(const trv_world *world, const trv_shape *shape,
                                          const trv_motion *motion, const trv_query *query,
                                          trv_world_hit *hit);
TRV_API trv_result trv_world_cast_all(const trv_world *world, const trv_shape *shape,
                                      const trv_motion *motion, const trv_query *query,
                                      trv_world_hit *hits, uint32_t capacity, uint32_t *count);

/// One of many casts.
typedef struct trv_world_cast {
    const trv_shape *shape;
    trv_motion motion;
} trv_world_cast;

/// trv_world_cast_closest for many, dealt to the world's workers.
TRV_API trv_result trv_world_casts(const trv_world *world, const trv_world_cast *casts,
                                   uint32_t count, const trv_query *query, trv_world_hit *hits);

/// A shape of the world that was found.
typedef struct trv_world_found {
    trv_shape_id shape;
    trv_body_id body;
    uint64_t user; ///< of the shape
    uint32_t part; ///< of a compound, else 0
} trv_world_found;

/// What overlaps a shape (no half-space: TRV_ERROR_KIND), holds a point, or has a bounding box that
/// overlaps a box; touching counts. `*count` is how many there are; up to `capacity` are given.
TRV_API trv_result trv_world_overlap_shape(const trv_world *world, const trv_shape *shape,
                                           trv_pose pose, const trv_query *query,
                                           trv_world_found *found, uint32_t capacity,
                                           uint32_t *count);
TRV_API trv_result trv_world_overlap_point(const trv_world *world, trv_vec3 point,
                                           const trv_query *query, trv_world_found *found,
                                           uint32_t capacity, uint32_t *count);
TRV_API trv_result trv_world_overlap_aabb(const trv_world *world, trv_aabb box,
                                          const trv_query *query, trv_world_found *found,
                                          uint32_t capacity, uint32_t *count);

/// Who is in a sensor (TRV_ERROR_KIND for other shapes), as the events so far have told: whose begin has had
/// no end yet. So after a rollback or in a saved game, too, where nobody has read those events. `*count` is
/// how many there are; up to `capacity` are given. Where either is a compound, each pair of parts counts.
TRV_API trv_result trv_sensor_visitors(const trv_world *world, trv_shape_id sensor,
                                       trv_world_found *found, uint32_t capacity, uint32_t *count);

/// What is nearest to a point or a shape.
typedef struct trv_world_gap {
    bool found;
    float distance;       ///< m; below zero minus the depth of the overlap
    trv_vec3 point;       ///< on the shape that was found
    trv_vec3 point_asked; ///< the point asked for, or the nearest one on the shape asked for
    trv_vec3 normal;      ///< unit, from the shape that was found
    trv_shape_id shape;
    trv_body_id body;
    uint64_t user; ///< of the shape
    uint32_t part; ///< of a compound, else 0
} trv_world_gap;

/// The nearest shape within `reach` (>= 0, m) of a point or of a shape (no half-space:
/// TRV_ERROR_KIND); of those equally near that of lowest index. None is TRV_OK with
/// gap->found == false. Cost: a distance for each shape whose box is about as near as what is found,
/// whatever the reach; `accept` is asked of those that are nearer than all before, in no order to rely on.
TRV_API trv_result trv_world_closest_to_point(const trv_world *world, trv_vec3 point, float reach,
                                              const trv_query *query, trv_world_gap *gap);
TRV_API trv_result trv_world_closest_to_shape(const trv_world *world, const trv_shape *shape,
                                              trv_pose pose, float reach, const trv_query *query,
                                              trv_world_gap *gap);
/// trv_world_closest_to_point for many points, dealt to the world's workers.
TRV_API trv_result trv_world_closest_to_points(const trv_world *world, const trv_vec3 *points,
                                               uint32_t count, float reach, const trv_query *query,
                                               trv_world_gap *gaps);

/// One shape alone, whatever its filter, also of a disabled body: the first point of a ray in it; the
/// point of it nearest to `point`, which from within is the nearest on the surface, and the distance,
/// negative within; whether `point` is in it. Compounds: of the nearest part.
TRV_API trv_result trv_shape_ray(const trv_world *world, trv_shape_id shape, trv_ray ray,
                                 trv_world_hit *hit);
TRV_API trv_result trv_shape_closest(const trv_world *world, trv_shape_id shape, trv_vec3 point,
                                     trv_world_gap *gap);
TRV_API trv_result trv_shape_contains(const trv_world *world, trv_shape_id shape, trv_vec3 point,
                                      bool *inside);

#ifdef __cplusplus
}
#endif

#endif
