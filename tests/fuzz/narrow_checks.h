// What must hold of the answers about any scene. A question is one more function in the table of
// fuzz_narrow.c.
#ifndef TRV_TESTS_FUZZ_NARROW_CHECKS_H
#define TRV_TESTS_FUZZ_NARROW_CHECKS_H

#include "solid.h"

// Between two numbers of float32, at least.
#define LEAST_STEP 1.4e-45

// What a scene of good shapes and poses measures.
typedef struct measured {
    const fuzz_scene *scene;
    fuzz_solid a, b;   // about A's position
    trvi_dvec3 origin; // A's position
    double scale;      // largest length in the sums: rounding in double is relative to it
    double size;       // of both: rounding of float32 normals shows relative to it
    double coarse;     // how far rounding to float32 moves a point of the world
    double exact;      // gaps nearer to zero than this have no certain sign
} measured;

// Refusals agree, and leave zeros. True where the scene is good.
bool check_refusals(const fuzz_scene *scene);

void check_separate(const measured *m);
void check_distance(const measured *m);
void check_collide(const measured *m);
void check_mirror(const measured *m);
void check_motion(const measured *m);
void check_core(const measured *m);
void check_ray(const measured *m);
void check_bounds(const measured *m);
void check_points(const measured *m);

// The signed distance with all that makes it right; it is what the others are compared with.
trv_gap checked_gap(const measured *m);

#endif
