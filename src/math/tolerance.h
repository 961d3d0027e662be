// Every tolerance of the library: value, unit, reason, and what breaks if it moves.
// Lengths are relative to the size of the shapes at hand unless the name ends in a unit.
#ifndef TRVI_TOLERANCE_H
#define TRVI_TOLERANCE_H

// How far a quaternion's length may be from 1 (no unit). Integrators drift by about 1e-7 a step;
// 1e-3 accepts what was typed with four digits. Larger: sheared poses pass. Smaller: hand-typed
// rotations are refused.
#define TRVI_UNIT_TOLERANCE 1.0e-3

// Broadphase rays, in double. By how much of itself a fraction where a ray crosses a side of a box
// is taken too far outward (no unit): the subtraction and the division that it comes from are each
// right within 1.2e-16. Larger: boxes are told that a ray misses by so much. Smaller: a ray through
// an edge may miss both boxes that share it.
#define TRVI_RAY_TIME_SLACK 1.0e-15

// By how much the cells on a ray's way are taken larger, relative to the farthest coordinate: a
// place on the ray comes from a fraction, a product and a sum, within 1e-15. Larger: more cells are
// looked through. Smaller: a box that is entered on the border of two cells may be missed.
#define TRVI_RAY_PLACE_SLACK 8.0e-15

#endif
