// Regions of a hull's faces, and whether two of them lie in one thin slab.
#ifndef TRVI_HULL_SLAB_H
#define TRVI_HULL_SLAB_H

#include "hull_build.h"

// The vertices of a region that are outermost along x, y and z, to either side.
typedef struct trvi_span {
    uint32_t vertex[6];
} trvi_span;

// Each region goes by the number of one of its faces, its root; the arrays are the caller's.
typedef struct trvi_regions {
    const trv_hull *hull;
    double tolerance; // how thick a slab may be, m
    double far;       // of the hull's vertices, the farthest from its centre, m
    trvi_dvec3 *area; // [faces] twice the vector area of a root's region
    double *lift;     // [faces] of a root's region: no vertex of the hull has a larger product with
                      // `area`, from the hull's centre
    trvi_span *span;  // [faces] of a root's region
    uint32_t *corners;   // [faces] of all faces of a root's region
    uint32_t *next_face; // [faces] ring of a region's faces
    uint32_t *sliver;    // [faces] 1 where the normal is noise
} trvi_regions;

// Where a region lies along a normal.
typedef struct trvi_slab {
    trv_vec3 normal;
    double low, high; // heights over the hull's centre
    uint32_t top;     // vertex at `high`
    double limit;     // thickness allowed, m
} trvi_slab;

// What it takes to undo a union.
typedef struct trvi_region_before {
    trvi_dvec3 area;
    double lift;
    trvi_span span;
} trvi_region_before;

// Makes each face a region, and sets the tolerance.
void trvi_regions_start(trvi_regions *regions);
// The region `goes` becomes a part of `stays`; and parts from it again, if nothing has come between.
trvi_region_before trvi_regions_join(trvi_regions *regions, uint32_t stays, uint32_t goes);
void trvi_regions_part(trvi_regions *regions, uint32_t stays, uint32_t goes,
                       const trvi_region_before *before);

// The slab of two regions along their common normal; false where it is thicker than it may be.
bool trvi_find_slab(const trvi_regions *regions, uint32_t a, uint32_t b, trvi_slab *slab);
// Whether two regions may be one face, as far as the places of vertices and the normals tell.
bool trvi_is_one_plane(const trvi_regions *regions, uint32_t a, uint32_t b);

#endif
