// Scenes of two solids by their numbers, where random bytes seldom lead, and as the bytes that
// scene_read takes.
#ifndef TRV_TESTS_FUZZ_PLAN_H
#define TRV_TESTS_FUZZ_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLAN_POINTS = 16, PLAN_TAIL = 80, PLAN_BYTES = 1000 };

typedef enum fuzz_plan_kind {
    PLAN_HULL,
    PLAN_BOX,
    PLAN_CAPSULE,
    PLAN_SPHERE,
    PLAN_KINDS
} fuzz_plan_kind;

typedef struct fuzz_plan_solid {
    fuzz_plan_kind kind;
    uint32_t count; // a hull's points; a box's half extents and center; a segment's ends; a center
    float points[PLAN_POINTS][3];
    float turn[4], radius; // the turn is a box's own
    float position[3], rotation[4];
} fuzz_plan_solid;

typedef struct fuzz_plan {
    fuzz_plan_solid a, b;
    uint8_t tail[PLAN_TAIL]; // margin, ray and cache
} fuzz_plan;

// The random numbers that all below is made of.
void plan_seed(uint64_t seed);
uint64_t plan_bits(void);

void plan_scene(fuzz_plan *plan);
void plan_change(fuzz_plan *plan); // one thing

// Returns how many bytes, of PLAN_BYTES at most.
size_t plan_write(const fuzz_plan *plan, uint8_t *bytes);

#endif
