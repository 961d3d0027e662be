// Every tolerance of the library: value, unit, reason, and what breaks if it moves.
// Lengths are relative to the size of the shapes at hand unless the name ends in a unit.
#ifndef TRVI_TOLERANCE_H
#define TRVI_TOLERANCE_H

// How far a quaternion's length may be from 1 (no unit). Integrators drift by about 1e-7 a step;
// 1e-3 accepts what was typed with four digits. Larger: sheared poses pass. Smaller: hand-typed
// rotations are refused.
#define TRVI_UNIT_TOLERANCE 1.0e-3

// Primitive tests.

// Sine of the angle below which two edges count as parallel, so that their cross product is no
// separating axis (no unit). Axes are good to 1e-16 in double: above it, a gap measured along the
// cross product is good to 1e-8 of the size; below it, a face axis finds the same gap but for 1e-8 of
// the size. Larger: edge-edge gaps of long rods are missed. Smaller: noise separates what overlaps.
#define TRVI_PARALLEL_EDGES 1.0e-8

// Two separating axes tie when their gaps differ by less than this (relative to the shapes' shadows
// there): parallel faces of two boxes give one gap twice, rounded differently. Only the axis reported
// depends on it, never the gap. Larger: not the widest axis is named. Smaller: noise names one of two.
#define TRVI_AXIS_TIE 1.0e-12

// Sine of the angle to a triangle's plane below which a ray counts as parallel to it (no unit). Some
// 16 roundings of 2^-53. Larger: grazing hits are missed. Smaller: hits by rounding noise.
#define TRVI_PARALLEL_RAY 4.0e-15

// The same for a ray along a capsule's side (no unit): its way in is then through a cap.
#define TRVI_PARALLEL_SIDE 1.0e-12

#endif
