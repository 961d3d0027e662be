// Every tolerance of the library: value, unit, reason, and what breaks if it moves.
// Lengths are relative to the size of the shapes at hand unless the name ends in a unit.
#ifndef TRVI_TOLERANCE_H
#define TRVI_TOLERANCE_H

// How far a quaternion's length may be from 1 (no unit). Integrators drift by about 1e-7 a step;
// 1e-3 accepts what was typed with four digits. Larger: sheared poses pass. Smaller: hand-typed
// rotations are refused.
#define TRVI_UNIT_TOLERANCE 1.0e-3

// Convex pairs.

// Up to this many vertices (count) a search looks at each one; beyond, it climbs the vertex graph.
// Larger: linear cost where a climb is shorter. Smaller: the climb's overhead shows. No answer
// moves.
#define TRVI_CLIMB_VERTICES 12

// A climb goes on through vertices lower than the best by this part of the extent: float32 places
// vertices to 6e-8 of it, and a merged face may bulge by a few of those. Smaller: a climb may stop
// at a bump. Larger: needless steps.
#define TRVI_CLIMB_SLACK 1.0e-6

// A gap found by climbing counts as apart without a second look when it is larger than this part of
// the extents: far more than a bump that passes the slack. Smaller: "apart" may rest on a climb
// that stopped short. Larger: more vertices are counted one by one.
#define TRVI_CLIMB_DOUBT 1.0e-5

// Core distances up to this part of the scale are contact: some hundred roundings in double, and a
// millionth of what float32 input can express. Smaller: shapes that touch exactly come out apart.
#define TRVI_TOUCH 1.0e-12

// A remembered plane must leave this part of the scale beyond the margin: more than the distance
// search can be off, so that with and without the cache the verdict is the same.
#define TRVI_REMEMBER_SLACK 1.0e-9

// The distance search ends when its bounds agree to this part of the squared distance. Larger: the
// normal is off by its square root. Smaller: rounding alone decides.
#define TRVI_GJK_GAP 1.0e-14

// The penetration depth is settled when its bounds agree to this part of the scale.
#define TRVI_DEPTH_GAP 1.0e-9

// A face within this angle of the direction of least overlap (its cosine, 3 degrees) may give the
// contact its normal. Smaller: resting faces flip between face and edge contact. Larger: a tilted
// contact is straightened.
#define TRVI_FACE_COSINE 0.99862953

// ... where the separation along it is within this part of the smaller shape's size of the true
// one. Larger: depths come out too large by that much. Smaller: contacts of nearly parallel faces
// flip.
#define TRVI_FACE_SLACK 2.0e-3

// Cross products of unit vectors shorter than this are rounding, and are no axis. Larger: the axis
// of nearly parallel edges is lost, and the face axes must do. Smaller: noise is measured as an
// axis, which costs time only, since every axis is measured honestly.
#define TRVI_CROSS_LENGTH 1.0e-9

// Simplices thinner than this (sine of an angle) have no inside: their edges or faces are searched
// one by one. Smaller: rounding puts the origin inside a flat tetrahedron. Larger: time.
#define TRVI_FLAT 1.0e-13

// A plane is a face's where the cosine between the normals is within this of 1 (an angle of 1e-6:
// normals are float32), and holds an edge where the sine between them is within 1e-7. They only
// name what made a plane: smaller, and faces or edges are told as vertices.
#define TRVI_SAME_NORMAL 1.0e-12
#define TRVI_EDGE_IN_PLANE 1.0e-7

// Contact points whose depths differ by this part of the smaller shape's size are equally deep when
// four are chosen. Zero: rounding picks others in each frame, and warm starting is lost.
#define TRVI_EVEN_DEPTH 1.0e-3

// Corners may stand out over the sides of the face that carries a contact by this part of the
// smaller shape's size and count as over it. Zero: aligned faces take turns between a corner and a
// crossing, and warm starting is lost. Larger: points beside the face.
#define TRVI_SIDE_SLACK 1.0e-3

// Rays may pass a hull's planes at this part of the scale: float32 plane normals are that rough.
// Smaller: rays at a vertex or along an edge slip through.
#define TRVI_RAY_SLACK 2.4e-7

#endif
