/// @file
/// Trivet primitives: the classic tests between simple shapes. Values in, a bool or a value out.
///
/// What holds for all of them:
/// - Sets are closed: touching is a hit. Solids are solid: inside is a hit.
/// - A NaN or an infinity anywhere yields "no": false, no hit, zeroed outputs; a call that returns a
///   number yields NaN, which every comparison answers with no. (Infinite bounds of an AABB are
///   allowed where only comparisons are made: overlap and containment of two boxes or a point.)
/// - A shape that is no set says "no" too: negative radius or half extent, lower > upper, a
///   quaternion of zero length. Other quaternions are normalised exactly, however long.
/// - Any finite float32 is a legal coordinate: the evaluation is in double, where sixth powers of
///   every float32 fit; a result beyond float32's range is returned as infinity.
/// - A normal handed in with a plane is taken literally, not renormalised.
/// - Output pointers may be NULL. Constant cost, no memory, any thread.
///
/// Sources: Gomez 1999 = "Simple Intersection Tests for Games", Gamasutra, by listing; MDN = "3D
/// collision detection", MDN Web Docs; Arvo 1990 = "A Simple Method for Box-Sphere Intersection
/// Testing", Graphics Gems; Ericson 2005 = "Real-Time Collision Detection". Each comment names the
/// trap in the published code that the function here avoids.
#ifndef TRIVET_PRIMITIVES_H
#define TRIVET_PRIMITIVES_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Points and boxes along the axes -----------------------------------------------------------------

/// Comparisons only, hence exact. Source: MDN, whose code compares z with the lower bound of y.
TRV_API bool trv_aabb_contains_point(trv_aabb box, trv_vec3 point);

/// Comparisons only, hence exact. Source: Gomez 1999, Listing 3; MDN. Centre and half extents would
/// round: this form does not, so it never disagrees with itself about a touch.
TRV_API bool trv_aabb_overlaps_aabb(trv_aabb a, trv_aabb b);

/// Distance of two points, m. Source: MDN, whose formula lacks the square on z.
TRV_API float trv_point_distance(trv_vec3 a, trv_vec3 b);

/// Euclidean distance of two boxes, m; 0 where they overlap.
TRV_API float trv_aabb_distance(trv_aabb a, trv_aabb b);

// Spheres -----------------------------------------------------------------------------------------

/// Source: MDN, whose code says < where its text says <= (a touch is lost, and a point in a sphere
/// of radius zero), and whose faster variant compares a distance with a squared radius.
TRV_API bool trv_sphere_contains_point(trv_sphere sphere, trv_vec3 point);

/// Source: MDN, whose code says < where its text says <=.
TRV_API bool trv_sphere_overlaps_sphere(trv_sphere a, trv_sphere b);

/// Source: Arvo 1990; Gomez 1999, Listing 5; MDN. Squares in float32 over- and underflow, and r * r
/// hides a negative radius.
TRV_API bool trv_sphere_overlaps_aabb(trv_sphere sphere, trv_aabb box);
TRV_API bool trv_sphere_overlaps_obb(trv_sphere sphere, trv_obb box);

// Oriented boxes ----------------------------------------------------------------------------------

/// An AABB given by centre and half extents is an OBB with the identity rotation, answered without
/// rounding wherever differences and sums of its float32 numbers are exact in double.
TRV_API bool trv_obb_contains_point(trv_obb box, trv_vec3 point);

/// The separating axis test on 15 axes. Source: Gomez 1999, Listing 6 (Gottschalk, Lin and Manocha
/// 1996, "OBBTree"). The listing lets a cross product of parallel edges, pure rounding noise,
/// "separate" overlapping boxes; the usual cure, adding 1e-6 to |R|, misses gaps between long rods.
/// Here axes come from double quaternions, and pairs of edges parallel to TRVI_PARALLEL_EDGES
/// (tolerance.h) are skipped: what they could separate, a face axis separates as well.
TRV_API bool trv_obb_overlaps_obb(trv_obb a, trv_obb b);

/// The axis along which two shapes are furthest apart, or overlap least.
typedef struct trv_axis_separation {
    float separation; ///< m; > 0 apart by at least this; < 0 minus the penetration depth
    uint32_t axis;    ///< which axis, as the function numbers them; the lowest on ties
    trv_vec3 normal;  ///< that axis, unit, from the first shape to the second
} trv_axis_separation;

/// Axes 0..2: x, y, z. Comparisons and differences only. False where trv_aabb_overlaps_aabb's rules
/// say "no" to the arguments, or a bound is infinite. Source: as trv_aabb_overlaps_aabb.
TRV_API bool trv_aabb_separation(trv_aabb a, trv_aabb b, trv_axis_separation *out);

/// Axes 0..2: A's; 3..5: B's; 6 + 3 i + j: A's axis i x B's axis j. `out->separation <= 0` is
/// trv_obb_overlaps_obb. False, zeroed, for arguments that have no answer. Source: as there.
TRV_API bool trv_obb_separation(trv_obb a, trv_obb b, trv_axis_separation *out);

// Segments ----------------------------------------------------------------------------------------

/// The separating axis test on 6 axes. A segment inside the box overlaps; a segment of no length is
/// a point. Source: Gomez 1999, Listing 7, with the half vector in place of a unit direction, whose
/// rounding loses exact touches; the listing's title says OBB, its code wants box space.
TRV_API bool trv_segment_overlaps_aabb(trv_segment segment, trv_aabb box);
TRV_API bool trv_segment_overlaps_obb(trv_segment segment, trv_obb box);

/// Axes 0..2: the box's; 3..5: the segment x the box's axes. A is the segment, B the box.
TRV_API bool trv_segment_aabb_separation(trv_segment segment, trv_aabb box,
                                         trv_axis_separation *out);
TRV_API bool trv_segment_obb_separation(trv_segment segment, trv_obb box, trv_axis_separation *out);

/// From either side; edges, corners and a segment lying in the triangle's plane count. A triangle
/// without area has no plane: "no". Exact. Source: Ericson 2005, section 5.3.4 (signed volumes), by
/// the signs of Shewchuk 1997.
TRV_API bool trv_segment_overlaps_triangle(trv_segment segment, trv_triangle triangle);

// Planes ------------------------------------------------------------------------------------------

/// The plane through `point` across `normal` (any length but zero). False, zeroed, without one.
/// Source: Gomez 1999, Listing 1. The offset is minus the distance from the plane to the origin,
/// where the article says plus.
TRV_API bool trv_plane_from_point(trv_vec3 point, trv_vec3 normal, trv_plane *out);

/// The plane through three points, counter-clockwise seen from the side its normal points to. False,
/// zeroed, exactly where the points are collinear: the cross product is summed without error.
/// Source: Gomez 1999, Listing 1, which divides by zero there; Shewchuk 1997, "Adaptive Precision
/// Floating-Point Arithmetic", for the sum.
TRV_API bool trv_plane_from_points(trv_vec3 a, trv_vec3 b, trv_vec3 c, trv_plane *out);

/// dot(normal, point) + offset, m where the normal is unit.
TRV_API float trv_plane_distance(trv_plane plane, trv_vec3 point);

/// Half the length of the box's shadow on a line along `direction`, times |direction|:
/// sum over k of half_k |dot(direction, axis_k)|. NaN where the box is no set.
/// Source: Gomez 1999, "A Box-Plane Intersection Test".
TRV_API float trv_obb_radius(trv_obb box, trv_vec3 direction);

/// On which side of a plane a box lies.
typedef enum trv_side {
    TRV_SIDE_NONE = 0, ///< no answer: NaN, or no set
    TRV_SIDE_BELOW,    ///< wholly where the plane is negative
    TRV_SIDE_ON,       ///< on both sides, or touching
    TRV_SIDE_ABOVE     ///< wholly where the plane is positive
} trv_side;

/// Where a box lies. Source: Gomez 1999, "A Box-Plane Intersection Test" (formulas as images).
TRV_API trv_side trv_aabb_side(trv_aabb box, trv_plane plane);
TRV_API trv_side trv_obb_side(trv_obb box, trv_plane plane);
TRV_API bool trv_aabb_overlaps_plane(trv_aabb box, trv_plane plane);
TRV_API bool trv_obb_overlaps_plane(trv_obb box, trv_plane plane);

// Bounds ------------------------------------------------------------------------------------------

/// The smallest AABB around a shape, rounded outward to float32. Arguments without an answer yield a
/// box of NaNs, which overlaps nothing. Source for OBBs: Gomez 1999, "OBB to AABB conversion".
TRV_API trv_aabb trv_obb_bounds(trv_obb box);
TRV_API trv_aabb trv_sphere_bounds(trv_sphere sphere);
TRV_API trv_aabb trv_capsule_bounds(trv_capsule capsule);
TRV_API trv_aabb trv_segment_bounds(trv_segment segment);
TRV_API trv_aabb trv_triangle_bounds(trv_triangle triangle);

// Closest points ----------------------------------------------------------------------------------

/// The point of the (solid) shape that is closest to `point`: `point` itself when inside. False,
/// zeroed, for arguments without an answer. Triangles may be degenerate, segments may be points.
/// Source: Arvo 1990 for boxes; Ericson 2005, sections 5.1.1 to 5.1.5. The plane is the surface
/// here, not the half-space; its normal need not be unit.
TRV_API bool trv_aabb_closest_point(trv_aabb box, trv_vec3 point, trv_vec3 *out);
TRV_API bool trv_obb_closest_point(trv_obb box, trv_vec3 point, trv_vec3 *out);
TRV_API bool trv_segment_closest_point(trv_segment segment, trv_vec3 point, trv_vec3 *out);
TRV_API bool trv_triangle_closest_point(trv_triangle triangle, trv_vec3 point, trv_vec3 *out);
TRV_API bool trv_plane_closest_point(trv_plane plane, trv_vec3 point, trv_vec3 *out);

// Sweeps: linear motion over one step, u = 0 at its start and 1 at its end ------------------------

/// A sphere from c0 to c1 against a plane, from above: `*u` the first time of touch and `*center`
/// the sphere's centre then. Touching at the start counts (u = 0, also when leaving); touching just
/// at the end does not, the next step reports it; a sphere wholly below never hits.
/// Source: Gomez 1999, Listing 1, in its one-sided, half-open meaning.
TRV_API bool trv_sweep_sphere_plane(float radius, trv_vec3 c0, trv_vec3 c1, trv_plane plane,
                                    float *u, trv_vec3 *center);
/// The same, but touching at the end counts.
TRV_API bool trv_sweep_sphere_plane_closed(float radius, trv_vec3 c0, trv_vec3 c1, trv_plane plane,
                                           float *u, trv_vec3 *center);
/// Closed, and from below as well.
TRV_API bool trv_sweep_sphere_plane_two_sided(float radius, trv_vec3 c0, trv_vec3 c1,
                                              trv_plane plane, float *u, trv_vec3 *center);

/// Spheres from a0 to a1 and from b0 to b1. `*u0` is the first and `*u1` the last time in [0, 1] at
/// which they overlap; u0 = 0 when they do at the start, u1 = 1 when they still do at the end.
/// Source: Gomez 1999, Listing 2, which reports hits before 0, after 1, and of two spheres at rest
/// apart (0 / 0), and sets u1 = 0 after an overlap at the start. Roots come from |P x v|, not from
/// b b - 4 a c, which cancels near a graze.
TRV_API bool trv_sweep_sphere_sphere(float radius_a, trv_vec3 a0, trv_vec3 a1, float radius_b,
                                     trv_vec3 b0, trv_vec3 b1, float *u0, float *u1);

/// Boxes along the axes, centre moving from a0 to a1 and from b0 to b1; times as above. `*axes` is a
/// mask (1 x, 2 y, 4 z) of the axes that close last, at u0: the contact's axis; 0 when they overlap
/// at the start. Source: Gomez 1999, Listing 4, which takes an axis that is apart and stays or moves
/// apart for one that overlaps all the time, accepts u0 > 1, and loses a touch at the start that
/// recedes.
TRV_API bool trv_sweep_aabb_aabb(trv_vec3 half_a, trv_vec3 a0, trv_vec3 a1, trv_vec3 half_b,
                                 trv_vec3 b0, trv_vec3 b1, float *u0, float *u1, uint32_t *axes);

/// The same by bounds at the start and at the end; each face moves linearly, so the boxes may also
/// grow or shrink.
TRV_API bool trv_sweep_bounds(trv_aabb a0, trv_aabb a1, trv_aabb b0, trv_aabb b1, float *u0,
                              float *u1, uint32_t *axes);

// Rays: the first point of a solid on origin + fraction * travel ----------------------------------

/// A ray without length is a point. Where the entry has no normal of its own (a sphere or capsule of
/// radius zero) it is opposite to the travel. A box entered at an edge gives the lowest axis.
/// Source: the sphere as trv_sweep_sphere_sphere; boxes by slabs, Kay and Kajiya 1986, "Ray Tracing
/// Complex Scenes", where a direction within a slab must not become 0 * infinity.
TRV_API trv_ray_hit trv_ray_sphere(trv_ray ray, trv_sphere sphere);
TRV_API trv_ray_hit trv_ray_aabb(trv_ray ray, trv_aabb box);
TRV_API trv_ray_hit trv_ray_obb(trv_ray ray, trv_obb box);
TRV_API trv_ray_hit trv_ray_capsule(trv_ray ray, trv_capsule capsule);

/// From either side, edges and corners included; the normal is on the side the ray came from. A ray
/// in or parallel to the plane does not hit, nor does any hit a triangle without area. Never
/// `inside`. Source: Moeller and Trumbore 1997, by signed volumes about the ray's origin.
TRV_API trv_ray_hit trv_ray_triangle(trv_ray ray, trv_triangle triangle);

// Roots -------------------------------------------------------------------------------------------

/// Real roots of a u u + b u + c = 0, `*low <= *high`: 2, 1 (both equal; also a linear equation), 0,
/// or -1 where every u is one (a = b = c = 0). The number is exact, since b b - 4 a c of float32
/// rounds once in double. Source: Gomez 1999, Listing 2, which orders roots for a > 0 only, divides
/// by a = 0, and cancels in -b + sqrt; the other root comes from c / q (Press et al., "Numerical
/// Recipes", section 5.6).
TRV_API int trv_quadratic_roots(float a, float b, float c, float *low, float *high);

#ifdef __cplusplus
}
#endif

#endif
