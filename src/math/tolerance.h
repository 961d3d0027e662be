// Every tolerance of the library: value, unit, reason, and what breaks if it moves.
// Lengths are relative to the size of the shapes at hand unless the name ends in a unit.
#ifndef TRVI_TOLERANCE_H
#define TRVI_TOLERANCE_H

// How far a quaternion's length may be from 1 (no unit). Integrators drift by about 1e-7 a step;
// 1e-3 accepts what was typed with four digits. Larger: sheared poses pass. Smaller: hand-typed
// rotations are refused.
#define TRVI_UNIT_TOLERANCE 1.0e-3

// How far a vertex of a convex mesh may stand above a face's plane (of the box's diagonal). Tools
// write five to six digits, which moves vertices by about 1e-6. Larger: dents of more than a
// thousandth of a percent pass as convex. Smaller: files with few digits are refused.
#define TRVI_MESH_CONVEX_TOLERANCE 1.0e-5

// How far rounding to float32 may move a point, in units of its largest coordinate: half an ulp is
// 2^-24 per coordinate, and the diagonal of that cube is below 2^-23. A face of height h then tilts
// by up to four such steps in h. Smaller: finely divided spheres and thin plates turn concave.
#define TRVI_MESH_ROUNDING 1.1920929e-7

#endif
