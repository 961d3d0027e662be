// Hulls with few vertices in the place of hulls with many.
#ifndef TRVI_HULL_LIMIT_H
#define TRVI_HULL_LIMIT_H

#include "hull_build.h"

// Chooses vertices for a hull inside the full one, `most` (>= 4) of its own. Writes up to `most`
// to `chosen`, in no order that matters. TRV_ERROR_MEMORY.
trv_result trvi_hull_choose_inner(const trv_hull *full, uint32_t most, trv_vec3 *chosen,
                                  uint32_t *count);

// Choosing vertices for a hull round the full one.
typedef struct trvi_outer_plane {
    trvi_dvec3 normal;
    double distance; // from the centre, of the point farthest out
} trvi_outer_plane;

typedef struct trvi_hull_outer {
    trv_allocator allocator;
    const trv_hull *full;
    trvi_dvec3 center, half; // a point inside; half extents
    uint32_t most;
    uint32_t corner_count;
    double step; // m, by which planes are moved out at first
    trvi_outer_plane *planes;
    uint32_t *corners; // [3 * corner_count] planes that meet
    void *block;
    size_t block_size;
} trvi_hull_outer;

// So often the corners may be placed; the last attempts do without the planes.
enum { TRVI_OUTER_ATTEMPTS = 40 };

// Finds the planes for a hull with up to `most` (>= 4) vertices that holds `exact`, the hull of the points;
// `full` is that with its flat faces united. TRV_ERROR_MEMORY. Call trvi_hull_outer_free() whatever the
// result.
trv_result trvi_hull_outer_start(trvi_hull_outer *outer, const trv_hull *full,
                                 const trv_hull *exact, uint32_t most);
void trvi_hull_outer_free(trvi_hull_outer *outer);

// Places vertices, farther out with each attempt; up to `most` of them. It is for the caller to find out
// whether their hull holds all points (trvi_hull_holds). TRV_ERROR_MEMORY; TRV_ERROR_RANGE where this
// attempt comes to nothing.
trv_result trvi_hull_outer_place(const trvi_hull_outer *outer, uint32_t attempt, trv_vec3 *placed,
                                 uint32_t *count);

// A builder with the hull of those of the points that are its corners, in lexicographic order, which
// `corners` holds afterwards: what comes of it does not depend on the order of the points.
// Call trvi_hull_corners_free() whatever the result. Errors as trvi_hull_triangulate().
typedef struct trvi_hull_corners {
    trvi_hull_builder builder;
    trv_vec3 *corners; // [count]
    uint32_t count;
} trvi_hull_corners;

trv_result trvi_hull_corners_find(trvi_hull_corners *found, const trv_allocator *allocator,
                                  const trv_vec3 *points, uint32_t count);
void trvi_hull_corners_free(trvi_hull_corners *found);

// The largest distance, in metres, of any of the points from the solid that the builder's faces bound; 0
// for points inside.
double trvi_hull_farthest(const trvi_hull_builder *builder, const trv_vec3 *points, uint32_t count);

// Whether the solid holds every one of the points, exactly.
bool trvi_hull_holds(const trvi_hull_builder *builder, const trv_vec3 *points, uint32_t count);

#endif
