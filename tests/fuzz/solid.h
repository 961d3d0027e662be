// A shape measured by brute force: every vertex, in double, about a given origin.
#ifndef TRV_TESTS_FUZZ_SOLID_H
#define TRV_TESTS_FUZZ_SOLID_H

#include "scene.h"

#include "math/math.h"

typedef struct fuzz_solid {
    bool is_plane;
    uint32_t count;
    trvi_dvec3 points[SCENE_POINTS]; // of the core
    double radius;
    uint32_t face_count;
    trvi_dvec3 normals[2 * SCENE_POINTS]; // unit; of the faces, or of the half-space
    double limits[2 * SCENE_POINTS];      // how far the core reaches along them
    double extent;                        // diameter of the solid; 0 for a half-space
    double thickness; // least width across faces; the extent where there are none
    double uneven;    // how far corners of a face lie below it, where a hull's have more than three
    double reach;     // farthest from the origin; the limit of a half-space
} fuzz_solid;

// `origin` is in the world. The shape and the pose must be good.
void solid_set(fuzz_solid *solid, const trv_shape *shape, trv_pose pose, trvi_dvec3 origin);

// The gap between the supporting planes along `n`, from A to B. Half-spaces are measured along
// their own normal, which `n` must be but for rounding.
double solid_gap(const fuzz_solid *a, const fuzz_solid *b, trvi_dvec3 n);

// How far `p` is outside of the solid at least; inside, minus its depth.
double solid_height(const fuzz_solid *solid, trvi_dvec3 p);

#endif
