// Every tolerance of the library: value, unit, reason, and what breaks if it moves.
// Lengths are relative to the size of the shapes at hand unless the name ends in a unit.
#ifndef TRVI_TOLERANCE_H
#define TRVI_TOLERANCE_H

// How far a quaternion's length may be from 1 (no unit). Integrators drift by about 1e-7 a step;
// 1e-3 accepts what was typed with four digits. Larger: sheared poses pass. Smaller: hand-typed
// rotations are refused.
#define TRVI_UNIT_TOLERANCE 1.0e-3

// How far a vertex of a convex mesh may stand above a face's plane (of the bounding box's diagonal).
// Modelling tools write five to six digits, which moves vertices by about 1e-6. Larger: dents of
// more than a hundredth of a percent pass as convex. Smaller: files with few digits are refused.
#define TRVI_MESH_CONVEX_TOLERANCE 1.0e-5

// How far rounding to float32 may move a point, in units of its largest coordinate: half an ulp is
// 2^-24 per coordinate, and the diagonal of that cube is below 2^-23. A face of height h then tilts
// by up to four such steps in h. Smaller: finely divided spheres and thin plates turn concave.
#define TRVI_MESH_ROUNDING 1.1920929e-7

// Planes of polyhedra, and mass properties.

// A face's normal in double is taken for rounding noise when shorter than this part of the summed
// products of its sides (no unit). Its error is then at most about 1e-16 / 1e-6 of its length.
// Larger: more faces get the slower exact normal. Smaller: the planes of slivers lean.
#define TRVI_SLIVER 1.0e-6

// A volume below this part of the summed magnitudes of its tetrahedra (no unit) is taken for
// rounding noise. Sums of n terms in double carry about n * 1e-16; 1e-9 leaves six digits of a
// volume over meshes of a million faces, which the accuracy of 1e-6 needs. Larger: thin closed
// meshes are refused as flat. Smaller: closed surfaces without inside get a random mass.
#define TRVI_FLAT_VOLUME 1.0e-9

// What part of a box's volume a turn has to save to be worth another (no unit). Larger: the search
// for a small box stops early. Smaller: it turns to and fro over rounding noise up to its limit.
#define TRVI_BOX_GAIN 1.0e-9

// Faces of hulls that count as one.

// How thick a slab may be that holds a face's vertices and the whole hull's highest points along its
// normal (of the bounding box's diagonal). Six decimals on a shape of size 1 bend a square by up to
// 2e-6. Larger: points lie outside a plane by more than 1e-5, and finely divided round shapes lose
// vertices. Smaller: the squares of text files fall into triangles, and contacts that
// clip against one face lose points.
#define TRVI_COPLANAR 4.0e-6

// What is added for rounding to float32 (of the largest coordinate): four times TRVI_MESH_ROUNDING.
// Smaller: hulls far from the origin keep the triangles that rounding made.
#define TRVI_COPLANAR_ROUNDING 4.8e-7

// The most that slab may take of a hull's thickness (of volume over surface, which is half the
// thickness of a plate). Larger: the rims of thin plates melt into their faces. Smaller: the faces
// of rounded planks stay split.
#define TRVI_COPLANAR_THIN 1.0e-3

// The cosine of the largest angle between a face and what it becomes a part of (no unit): 2.6
// degrees. Slivers narrower than the slab are exempt. Larger: rounding keeps narrow faces split.
// Smaller: narrow bevels and fine fillets melt.
#define TRVI_COPLANAR_COSINE 0.999f

// How far the hull may stand above the highest vertex of a face along the face's normal (of the
// slab's thickness). Larger: vertices beside a face stand above its plane. Smaller: noise in the
// normals of narrow faces keeps them split.
#define TRVI_COPLANAR_OUTSIDE 0.125

// What uniting may change of the volume (no unit); where it would be more, nothing is united.
// Larger: plates get bent. Smaller: rounded plates stay split.
#define TRVI_COPLANAR_VOLUME 1.0e-4

#endif
