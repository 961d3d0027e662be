// Every tolerance of the library: value, unit, reason, and what breaks if it moves.
// Lengths are relative to the size of the shapes at hand unless the name ends in a unit.
#ifndef TRVI_TOLERANCE_H
#define TRVI_TOLERANCE_H

#include "tolerance_impacts.h"
#include "tolerance_world.h"

// How far a quaternion's length may be from 1 (no unit). Integrators drift by about 1e-7 a step;
// 1e-3 accepts what was typed with four digits. Larger: sheared poses pass. Smaller: hand-typed
// rotations are refused.
#define TRVI_UNIT_TOLERANCE 1.0e-3

// Primitive tests.

// Sine of the angle below which two edges count as parallel, so that their cross product is no
// separating axis (no unit). Axes are good to 1e-16 in double: above it, a gap measured along the
// cross product is good to 1e-8 of the size; below it, a face axis finds the same gap but for 1e-8
// of the size. Larger: edge-edge gaps of long rods are missed. Smaller: noise separates what
// overlaps.
#define TRVI_PARALLEL_EDGES 1.0e-8

// Two separating axes tie when their gaps differ by less than this (relative to the shapes' shadows
// there): parallel faces of two boxes give one gap twice, rounded differently. Only the axis
// reported depends on it, never the gap. Larger: not the widest axis is named. Smaller: noise names
// one of two.
#define TRVI_AXIS_TIE 1.0e-12

// Sine of the angle to a triangle's plane below which a ray counts as parallel to it (no unit).
// Some 16 roundings of 2^-53. Larger: grazing hits are missed. Smaller: hits by rounding noise.
#define TRVI_PARALLEL_RAY 4.0e-15

// The same for a ray along a capsule's side (no unit): its way in is then through a cap.
#define TRVI_PARALLEL_SIDE 1.0e-12

// Meshes.

// How far a vertex of a convex mesh may stand above a face's plane (of the box's diagonal). Tools
// write five to six digits, which moves vertices by about 1e-6. Larger: dents of more than a
// thousandth of a percent pass as convex. Smaller: files with few digits are refused.
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

// How far outside the bounds of a mesh its centroid may be, as a part of their diagonal (no unit): to
// that a centroid is right. Larger: meshes whose volume is mere rounding get a mass. Smaller: thin
// plates are refused for a rounding.
#define TRVI_CENTROID_SLACK 1.0e-6

// One minus the cosine of the angle to an axis below which a face is cut as seen along the axis and
// not along its normal (no unit): 1/700 radians, so that what leaves the plane is seen to be shifted
// by that part of its height. Larger: triangles of warped faces are turned over. Smaller: faces that
// are flat but for noise are seen in a view that rounds, where edges that lie upon one another cross.
#define TRVI_VIEW_TILT 1.0e-6

// Boxes round hulls.

// What part of a box's volume a turn has to save to be worth another (no unit). Larger: the search
// for a small box stops early. Smaller: it turns to and fro over rounding noise up to its limit.
#define TRVI_BOX_GAIN 1.0e-9

// Broadphase rays, in double.

// By how much of itself a fraction where a ray crosses a side of a box is taken too far outward (no
// unit): the subtraction, the inverse and the product that it comes from are each right within
// 1.2e-16. Larger: boxes are told that a ray misses by so much. Smaller: a ray through an edge may
// miss both boxes that share it.
#define TRVI_RAY_TIME_SLACK 1.0e-15

// By how much the cells on a ray's way are taken larger, relative to the farthest coordinate: a
// place on the ray comes from a fraction, a product and a sum, within 1e-15. Larger: more cells are
// looked through. Smaller: a box that is entered on the border of two cells may be missed.
#define TRVI_RAY_PLACE_SLACK 8.0e-15

// The same in float32, by which boxes are passed over before one is looked at in double: three
// roundings of 6e-8. Larger: more boxes are looked at. Smaller: one that is met may be passed over.
#define TRVI_SLAB_SLACK 4.0e-7f

// By how much the planes of a volume are moved out, of the magnitudes that a height above them is
// summed from (no unit): some ten roundings in double, and those of a rotation. Larger: boxes are
// told that miss by so much. Smaller: a box that touches may be left out.
#define TRVI_VOLUME_SLACK 4.0e-15

// By how much the cube in which a point's neighbours are looked for is wider than their distance,
// of the radius and of the point's coordinates (no unit): distances and cubes are rounded to
// float32. Larger: more boxes are looked at. Smaller: a neighbour at just that distance may be left
// out.
#define TRVI_CUBE_SLACK 1.0e-6f

// Convex pairs.

// Heights of vertices in float32 that are within this part of the largest (of the direction's
// summed coordinates times the reach) are compared again in double: four roundings of 2^-24 on
// either side. Smaller: not the farthest vertex is found. Larger: more vertices are looked at
// twice.
#define TRVI_SCAN_SLACK 7.0e-7

// A climb goes on through vertices lower than the best by this part of the extent: float32 places
// vertices to 6e-8 of it, and a merged face may bulge by a few of those. Smaller: a climb may stop
// at a bump. Larger: needless steps.
#define TRVI_CLIMB_SLACK 1.0e-6

// What heights over vertices and over balls that hold them may differ by for rounding in double (no unit: of
// the reach). Smaller: the farthest vertex may be passed over. Larger: more are looked at.
#define TRVI_CLUSTER_ROUNDING 1.0e-14

// A gap found by climbing counts as apart without a second look when it is larger than this part of
// the extents: far more than a bump that passes the slack. Smaller: "apart" may rest on a climb
// that stopped short. Larger: more vertices are counted one by one.
#define TRVI_CLIMB_DOUBT 1.0e-5

// Core distances up to this part of the scale are contact: some hundred roundings in double, and a
// millionth of what float32 input can express. Smaller: shapes that touch exactly come out apart.
#define TRVI_TOUCH 1.0e-12

// Shapes smaller than this part of the scale are taken to be as large as that wherever a tolerance is a
// part of the smaller one's size, of which the least is a millionth: a few roundings in double. Smaller:
// rounding chooses where a speck on a large face has its contact, which may be as far off as its edge.
// Larger: contacts of what is small beside another are as coarse as those of what is not.
#define TRVI_LEAST_SIZE 1.0e-9

// A remembered plane must leave this part of the scale beyond the margin: more than the distance
// search can be off, so that with and without the cache the verdict is the same.
#define TRVI_REMEMBER_SLACK 1.0e-9

// Rotations whose squared length is within this of 1 (no unit) count as unit where the remembered
// plane is asked in float32: a normalisation in float32 leaves 4e-7 at most. Seen along a normal that
// one turned, a vertex is up to twice as far off, of its way from the shape's origin: 1.1e-6, as the
// squared length is itself rounded. A dozen roundings of 6e-8 in the turn and four in the height make
// 2e-6 of it, which trv_separation promises of gaps. Larger: they are not good to that, and the doubt
// below has to grow with it. Smaller: rotations fresh from an integrator take the slow path.
#define TRVI_QUICK_TURN 4.2e-7f

// The same for directions, which may have been turned themselves.
#define TRVI_QUICK_UNIT 1.0e-6f

// ... and a normal is told that has its squared length, formed in float32, within this of 1: it is
// unit within 1e-6. One that was turned may be off by four times what its rotation's is. Larger:
// normals that are told are not unit. Smaller: as above.
#define TRVI_QUICK_NORMAL 1.8e-6f

// What that answer may be off by (of the summed lengths of shapes and offset): 2e-6 from lengths of
// normal and rotations, 1e-6 from roundings, 1e-6 from bumps at which a climb stops. Larger: pairs
// that are close take the slow path. Smaller: "apart" is no proof.
#define TRVI_QUICK_DOUBT 8.0e-6f

// ... and by this much at least, m: products below 1e-38 are rounded to float32's least step, 1.4e-45.
// A dozen of these are then next to nothing of any gap that is told. Larger: tiny shapes take the
// slow path. Smaller: for shapes of some 1e-40 m "apart" is no proof.
#define TRVI_QUICK_LEAST 1.0e-36f

// Heights in float32 that differ by less than this part of the hull's radius and its distance from
// its own origin may be the other way round: a dozen roundings of 6e-8. They are told apart in
// double. Larger: more vertices are looked at twice. Smaller: a climb stops at a corner that was
// cut off by a hair, and "apart" is no proof.
#define TRVI_QUICK_TIE 8.0e-7f

// Edges of united faces that are shorter than this part of the hull's radius are not climbed over
// in float32: eight times the slab (TRVI_COPLANAR) that its faces lie in, and more. Larger: finely
// divided hulls take the slow path. Smaller: a climb stops before a ridge of such edges, and
// "apart" is no proof.
#define TRVI_QUICK_SHORT 1.0e-4

// The distance search ends when its bounds agree to this part of the squared distance. Larger: the
// normal is off by its square root. Smaller: rounding alone decides.
#define TRVI_GJK_GAP 1.0e-14

// ... and it goes on where lengths differ by no more than this part of the scale: four roundings in
// double. Larger: steps in vain. Smaller: over slivers millions of times larger than the distance
// it stops at a plane that a vertex lies beyond.
#define TRVI_GJK_ROUNDING 1.0e-15

// A normal is that of a box's face where what is across it is no more than this (no unit): a dozen
// roundings. Larger: the nearest points of long boxes are beside each other. Smaller: time.
#define TRVI_FACE_AXIS 2.0e-15

// A search that is only to tell whether shapes are apart ends at a plane whose gap is this part of
// what their distance can still be. Larger: more steps. Smaller: planes that are outlived sooner.
#define TRVI_GOOD_PLANE 0.5

// The origin's foot may miss a facet's triangle by this (share of a corner) and count as on it.
// Smaller: on the seam between two triangles it is searched anew. Larger: points are off by this
// part of the facet's size.
#define TRVI_FOOT_SLACK 1.0e-9

// Where the bounds still differ by this part of the distance when the search ends, which takes
// shapes millions of times smaller than what they are near to, every facet is asked for a larger
// gap. Smaller: rounding sends searches there that have found what there is. Larger: the distance
// is off.
#define TRVI_GJK_LOOSE 1.0e-7

// So they are where it ends at overlap, or next to none, for rounding, and its bounds differ by this
// part of the scale: ten times what counts as contact. Smaller: shapes that touch exactly are looked
// at facet by facet. Larger: boxes beside the edge of a hull 1e8 times as large are said to overlap
// it.
#define TRVI_GJK_UNSURE_BY 1.0e-11

// The penetration depth is settled when its bounds agree to this part of the extents.
#define TRVI_DEPTH_GAP 1.0e-9

// To find where overlapping cores touch first they are moved apart by this part of their extents
// and the scale: more than a climb can have missed, so that they are apart. Larger: where the axis
// of least overlap is off by its tolerance, points slide along rods by as much. Smaller: they
// overlap.
#define TRVI_PART 1.0e-4
// A face's plane is told as what separates two shapes where its gap is at least this part (no unit)
// of the gap found. Larger: edges and vertices are told where faces would do. Smaller: planes that
// soon part the shapes no more.
#define TRVI_FACE_PREFERENCE 0.9

// A gap of less than this (of the scale, and of how far the shapes are from the world's origin) may be closed by how a
// plane is rounded to float32: 16 times the half of a last place. Larger: whoever keeps no plane searches twice. Smaller:
// planes are told that touch a shape.
#define TRVI_NARROW_GAP 1.0e-6

// A feature goes on carrying a contact while no other direction is better by more than this part of
// the smaller shape's size: face normals are float32, which moves a gap along them by 1e-7. Larger:
// depths come out too large by that much. Smaller: features are lost to rounding.
#define TRVI_CARRY_SLACK 1.0e-6

// How much smaller than the distance to the nearest plane a hull's inner ball is taken (of the
// hull's radius): united faces bend by up to 8e-6 of it. Larger: contacts are proven the longer
// way. Smaller: the ball may stand out.
#define TRVI_INNER_ALLOWANCE 2.0e-5

// Sine of the angle of two edges below which their product is not kept as a contact's normal: it is
// good to 1e-7 / sine. Larger: searched anew in each frame. Smaller: normals that tremble.
#define TRVI_CARRY_SINE 1.0e-3

// A face within this angle of the direction of least overlap (its cosine, 3 degrees) gives the
// contact its normal; beyond the second angle (6 degrees) it has no say, and between the two the
// normal passes from one to the other. Where both shapes have faces it is from 6 to 12 degrees.
// Smaller: resting faces flip between face and edge contact. Larger: a tilted contact is
// straightened. Closer together: the normal turns fast.
#define TRVI_FACE_COSINE 0.99862953
#define TRVI_LEAN_COSINE 0.99452190
#define TRVI_FAR_COSINE  0.97814760

// ... where the separation along it is within this part of the smaller shape's size of the true
// one; likewise for the second. Larger: depths come out too large by that much. Smaller: contacts
// of nearly parallel faces flip.
#define TRVI_FACE_SLACK 2.0e-3
#define TRVI_LEAN_SLACK 6.0e-3

// Two faces that are both within this angle of the normal (its cosine, 20 degrees) are laid over
// one another for contact points though neither gives the normal. Smaller: tilted boxes stand on
// one point. Larger: work for points that are too far apart to count.
#define TRVI_PATCH_COSINE 0.93969262

// Neighbouring faces within this angle (its cosine, 2 degrees) whose gaps differ by no more than
// the second part of the smaller shape's size are pieces of one side. Smaller: a side that rounding
// bent carries a contact with the wrong piece. Larger: bent sides give a normal that is not theirs.
#define TRVI_PIECE_COSINE 0.99939083
#define TRVI_PIECE_SLACK  5.0e-4

// ... and one such side bears with the corners of all pieces that are no farther from the plane of the one that
// gives the normal than this part of the shape's size (no unit). Larger: round shapes rest on what is not
// flat. Smaller: what stands on a side that is bent by rounding tips over its pieces.
#define TRVI_PIECE_BENT 3.0e-4

// A manifold shows the deepest place when one of its points is as deep but for this part of the
// smaller shape's size, and this share of the depth (by the cosine of the lean). Smaller: rounding
// adds points. Larger: overlaps go unseen.
#define TRVI_DEEPEST_SLACK 1.0e-5
#define TRVI_DEEPEST_SHARE 2.5e-2

// Gaps wider than this (of the largest length in the sums) have their planes put half-way by what
// is known of them, although rounding a normal to float32 changes it by 1e-7 of that. Larger: time.
// Smaller: planes that cut into what they part.
#define TRVI_WIDE_GAP 1.0e-5

// Cross products of unit vectors shorter than this are rounding, and are no axis. Larger: the axis
// of nearly parallel edges is lost, and the face axes must do. Smaller: noise is measured as an
// axis, which costs time only, since every axis is measured honestly.
#define TRVI_CROSS_LENGTH 1.0e-9

// Opposite edges of a box that are less far from one another than this along an axis, of the lengths
// that are summed, are as far: some roundings in double. Larger: two boxes that cross at an edge of
// each are told the edges behind. Smaller: of edges that rounding tells apart the wrong one is told.
#define TRVI_SAME_SIDE 1.0e-15

// The cosine of the angle to back to back (8 degrees) within which two faces meet in the rim of a
// blade: what lies between their normals is then made from the edge. Smaller: float32 normals lead
// past one another, and deep blades seem deeper. Larger: time.
#define TRVI_RIM_COSINE 0.99

// Simplices thinner than this (sine of an angle) have no inside: their edges or faces are searched
// one by one. Smaller: rounding puts the origin inside a flat tetrahedron. Larger: time.
#define TRVI_FLAT 1.0e-13

// Triangles with an angle above this (its sine) have their normal formed at once, from any two
// sides: it is right to 1e-13. Larger: more of them are looked at for their shorter sides. Smaller:
// normals are noise.
#define TRVI_BLUNT 1.0e-3

// Tetrahedra thinner than this (the same) hold no point for certain: shares of their volume would
// be rounding. Smaller: points of flat sets that cross are not where they cross. Larger: thin
// overlaps take the longer way over every facet.
#define TRVI_THIN 1.0e-9

// A plane is a face's where the cosine between the normals is within this of 1 (an angle of 1e-6:
// normals are float32), and holds an edge where the sine between them is within 1e-7. They only
// name what made a plane: smaller, and faces or edges are told as vertices.
#define TRVI_SAME_NORMAL   1.0e-12
#define TRVI_EDGE_IN_PLANE 1.0e-7

// How much farther out a contact point must lie to be worth as much as one that is deeper (no unit:
// length over depth). Smaller: points that touch give way to some that do not. Larger: a contact
// that rocks is held by other points in each frame.
#define TRVI_DEPTH_WORTH 10.0

// Where a shape is low beside its face, too, a depth is worth as much as the way that lies over it once the shape has
// tilted as far as it may in a step, rad: by the margin over the first times its size, but at least the second; and by
// what its depth has beyond the third part of its size, over that size, as it is turned out of that. More tilt: what
// lies on one face is held by others that are near in each frame. Less: what rocks between faces sinks in by turns.
#define TRVI_SPREAD_WORTH 32.0
#define TRVI_SPREAD_LEAST 1.0e-4
#define TRVI_SPREAD_DEEP  0.01

// A contact patch that is narrower than this part of its length has its points chosen as if it were as
// wide as long (no unit). Larger: all patches are measured for it. Smaller: on lens-like bases only
// the tips are held, and what stands on them rocks.
#define TRVI_NARROW_PATCH 0.5

// Points that cover less than the first part of what touches are let go, and others chosen; what tilts by less
// than the second touches (no units). The largest quadrilateral covers two thirds of a disc. A larger part:
// what rocks is held by other points in each frame. Smaller: round bases that come over an edge rock on what
// was of them there first.
#define TRVI_OUTGROWN_TILT  1.0e-3
#define TRVI_OUTGROWN_PATCH 0.5

// Four points of two boxes cover enough where twice their area is this much of the smaller face, or of the
// rectangle round all that touches, or where it is this much of the widest four's (no units). Larger: four are
// looked for among all in vain; what turns is held by other points in each frame. Smaller: a flat box stands
// on a strip of what touches.
#define TRVI_WIDE_PATCH     1.0
#define TRVI_WIDE_OF_WIDEST 0.75

// A load passes well within four points where it would have to go farther by this factor, from their middle, to
// leave what they cover; and what touches is still under it where it is outside by no more than the second
// (no units). Larger and smaller: what stands fast is held by other points. The other way: what is near to
// tipping begins to turn about a line between two points, and is caught later. A pull that leans from the
// contact's normal by more than the third's angle (76 degrees) does not press: its place is chance.
#define TRVI_LOAD_ROOM   1.25
#define TRVI_LOAD_BEYOND 0.8
#define TRVI_LOAD_COSINE 0.25

// Where four of more points are chosen they may miss the deepest by this part of the smaller
// shape's size. Zero: a contact that rocks is held by other points in each frame, and warm starting
// is lost. Larger: overlaps of that depth are seen late.
#define TRVI_EVEN_DEPTH 2.0e-3

// ... and no more than this share of the depth, so that what overlaps never seems apart. Smaller:
// contacts that rock are held by other points.
#define TRVI_EVEN_SHARE 0.5

// Corners may stand out over the sides of the face that carries a contact by this part of the
// smaller shape's size and count as over it. Zero: aligned faces take turns between a corner and a
// crossing, and warm starting is lost. Larger: points beside the face.
#define TRVI_SIDE_SLACK 1.0e-3

// Edges that cross at a few degrees touch where they are aside from one another by no more than this part of a ball's
// radius that is inside the thinner shape, or by what they overlap. Larger: points that are on one of two rods only.
// Smaller: boxes that stand on edges in a heap rock about one point, and it takes seconds more to come to rest.
#define TRVI_SIDE_ASIDE 0.2

// ... where one of them is round, than this part of the radii. Larger: points in the air. Smaller: rods that lie on one
// another all but side by side rock.
#define TRVI_SIDE_ROUND 0.25

// ... and by no more than this part of the face's width. What is that near to both sides of a tip
// is past it by at most twice this part of the face's length. Larger: points beside narrow faces,
// and past the tips of slivers. Smaller: as above, on such faces.
#define TRVI_SIDE_SHARE 0.1

// Rays may pass a hull's planes at this part of the scale: float32 plane normals are that rough.
// Smaller: rays at a vertex or along an edge slip through.
#define TRVI_RAY_SLACK 2.4e-7

// Hulls with an inner ball smaller than this part of their outer one (no unit) may have tips and
// edges so sharp that planes which are that rough meet ten times as far outside, and more: rays are
// asked about once more there. Larger: that takes time for more hulls. Smaller: rays hit beside
// sharp tips.
#define TRVI_RAY_THIN 0.1

// The stored normal of a face, float32, may put its plane off by this part of the scale at its far
// end. Smaller: tiny shapes near to huge ones overlap that do not. Larger: more normals are formed
// anew.
#define TRVI_NORMAL_DOUBT 2.4e-7

// Faces of hulls that count as one.

// How thick a slab may be that holds a face's vertices and the whole hull's highest points along
// its normal (of the bounding box's diagonal). Six decimals on a shape of size 1 bend a square by
// up to 2e-6. Larger: points lie outside a plane by more than 1e-5, and finely divided round shapes
// lose vertices. Smaller: the squares of text files fall into triangles, and contacts that
// clip against one face lose points.
#define TRVI_COPLANAR 4.0e-6

// What is added for rounding to float32 (of the largest coordinate): four times TRVI_MESH_ROUNDING.
// Smaller: hulls far from the origin keep the triangles that rounding made.
#define TRVI_COPLANAR_ROUNDING 4.8e-7

// The most that slab may take of a hull's thickness (of volume over surface, which is half the
// thickness of a plate). Larger: the rims of thin plates melt into their faces. Smaller: the faces
// of rounded planks stay split.
#define TRVI_COPLANAR_THIN 1.0e-3

// ... and in no slab thicker than this part of the square root of its area: small faces of round
// shapes are not flat, only small. Larger: united faces are bent so much that climbing over their
// edges stops short. Smaller: small flat sides stay in pieces.
#define TRVI_COPLANAR_SLOPE 3.0e-4

// The cosine of the largest angle between a face and what it becomes a part of (no unit): 2.6
// degrees. Slivers narrower than the slab are exempt. Larger: rounding keeps narrow faces split.
// Smaller: narrow bevels and fine fillets melt.
#define TRVI_COPLANAR_COSINE 0.999f

// How far the hull may stand above the highest vertex of a face along the face's normal (of the
// slab's thickness). Larger: vertices beside a face stand above its plane. Smaller: noise in the
// normals of narrow faces keeps them split.
#define TRVI_COPLANAR_OUTSIDE 0.125

// What a face's area vector may be off by for each corner, of the products of sides that are summed, and
// heights over the centre, of the lengths (no unit): three dozen roundings in double. Larger: hulls are
// climbed from faces where that is not needed. Smaller: "nothing is higher" is no proof.
#define TRVI_AREA_ROUNDING 4.0e-15

// What uniting may change of the volume (no unit); where it would be more, nothing is united.
// Larger: plates get bent. Smaller: rounded plates stay split.
#define TRVI_COPLANAR_VOLUME 1.0e-4

// Rays at hulls of many faces.

// The rounding of a plane's height at a place on a ray, relative to the lengths that go into it (no
// unit): some 90 roundings of 2^-53, of which there are fewer than 30. Larger: more planes are
// looked at. Smaller: one that decides the last bit is passed over.
#define TRVI_RAY_NOISE 1.0e-14
// Moving pairs.

// Lengths that a motion through a step is rounded by, as a part of the way and of the distances (no
// unit): some ten roundings in double. Smaller: small shapes that travel far never come to touch.
#define TRVI_MOTION_ROUNDING 2.0e-15

// The search for the end of a contact that turns takes gaps up to this part of the smaller shape's
// size for contact. Larger: narrow partings go unseen. Smaller: touching surfaces part by rounding.
#define TRVI_IMPACT_PART 1.0e-6
// Compounds.

// By how much boxes of parts are taken nearer to one another than they come out (of the largest
// length in the sums): more than TRVI_TOUCH, so that what counts as touching is always looked at.
// Larger: more pairs of parts to look at. Smaller: a pair that touches may be passed by.
#define TRVI_BOUND_SLACK 4.0e-12

// ... and of the distances from the world's origin, where parts are placed in double: some twenty
// roundings. Larger or smaller: as above, for what is far away.
#define TRVI_PLACE_SLACK 4.0e-15

// By how much boxes of parts are larger for rays (of the lengths in the sums): rays hit what they
// miss by TRVI_RAY_SLACK. Larger: more parts to look at. Smaller: grazing hits are lost.
#define TRVI_RAY_BOUND_SLACK 1.0e-6

// Hulls with a limited number of vertices.

// What part of the volume that a vertex adds an exchange has to gain (no unit). Larger: the choice
// of vertices ends sooner. Smaller: it goes to and fro over rounding noise until its time is up.
#define TRVI_LIMIT_GAIN 1.0e-9

// How far from the middle planes of an outer hull may meet, in half extents of the solid. Larger:
// spikes in the place of boxes. Smaller: boxes in the place of hulls of a few slanted planes.
#define TRVI_LIMIT_REACH 16.0

// By how much the planes of an outer hull are moved out at first (of how thick a face may be);
// doubled until all points are inside. Larger: thin plates get thicker. Smaller: time.
#define TRVI_LIMIT_STEP 0.015625

// Planes nearer to the middle of a solid than one part in this many of its extents are none that an
// outer hull can be made of: float32 places nothing as exactly. Smaller: thin plates get boxes.
#define TRVI_LIMIT_FLAT 1.0e7

// Finely divided meshes.

// The cosine of the angle (.8 degrees) within which faces may be pieces of one flat side. Only time
// depends on it. Larger: the noise of small faces leaves some of them out of the mean. Smaller:
// bent surfaces are taken for sides, in vain.
#define TRVI_MESH_SIDE_COSINE 0.9999

// Normals of meshes.

// Triangles whose vector area is below this part of the product of two sides have it computed
// exactly (no unit: about the sine of their angle). Larger: time. Smaller: cancellation turns the
// normals of slivers by more than float32 shows.
#define TRVI_NORMAL_SLIVER 1.0e-8

// The rounding of a polygon's vector area, of the sum of its triangles' areas and for each corner
// (no unit): some eight roundings. Larger: polygons whose triangles nearly cancel have no normal.
// Smaller: that of a figure of eight is noise.
#define TRVI_NORMAL_NOISE 1.0e-15

// Normals whose sum is no longer than this part of their lengths cancel (no unit). Larger: sharp
// ridges have no normal. Smaller: rounding decides on which side of a sheet it is.
#define TRVI_NORMAL_CANCEL 1.0e-6

// A corner that turns back by an angle below this, in radians, has no width: whether it is a spike
// or a slit is rounding. Larger: narrow slits weigh nothing. Smaller: a spike weighs a full turn.
#define TRVI_NORMAL_SPIKE 1.0e-9

#endif
