// Planes: making them, distances, and on which side a box lies. Bounds of shapes. Quadratic roots.
//
// A box's shadow on the plane's normal has the half length sum of half_k |n . axis_k|; the box
// straddles the plane iff its centre is within that of it.
//
// Based on: Gomez, "Simple Intersection Tests for Games", 1999 (Listing 1, "A Box-Plane
// Intersection Test", "OBB to AABB Conversion", QuadraticFormula); Press et al., "Numerical
// Recipes", section 5.6.
#include "primitive_math.h"

static bool give_plane(bool good, trvi_dvec3 normal, trv_vec3 point, trv_plane *out)
{
    trv_plane plane = {{0.0f, 0.0f, 0.0f}, 0.0f};
    if (good) {
        trvi_dvec3 unit = trvi_dunit(normal);
        plane.normal = trvi_narrow_vec3(unit);
        plane.offset = trvi_narrow(-trvi_ddot(unit, trvi_dvec3_from(point)));
    }
    if (out != NULL)
        *out = plane;
    return good;
}

bool trv_plane_from_point(trv_vec3 point, trv_vec3 normal, trv_plane *out)
{
    trvi_dvec3 n = trvi_dvec3_from(normal);
    bool good = trvi_finite_vec3(point) && trvi_finite_vec3(normal) && trvi_ddot(n, n) > 0.0;
    return give_plane(good, n, point, out);
}

bool trv_plane_from_points(trv_vec3 a, trv_vec3 b, trv_vec3 c, trv_plane *out)
{
    trvi_dvec3 n = trvi_exact_normal(a, b, c);
    bool good =
        trvi_finite_vec3(a) && trvi_finite_vec3(b) && trvi_finite_vec3(c) && trvi_ddot(n, n) > 0.0;
    return give_plane(good, n, a, out);
}

static bool good_plane(trv_plane plane)
{
    return trvi_finite_vec3(plane.normal) && trvi_is_finite(plane.offset);
}

static double plane_distance(trv_plane plane, trvi_dvec3 point)
{
    return trvi_ddot(trvi_dvec3_from(plane.normal), point) + (double)plane.offset;
}

float trv_plane_distance(trv_plane plane, trv_vec3 point)
{
    if (!good_plane(plane) || !trvi_finite_vec3(point))
        return NAN;
    return trvi_narrow(plane_distance(plane, trvi_dvec3_from(point)));
}

bool trv_plane_closest_point(trv_plane plane, trv_vec3 point, trv_vec3 *out)
{
    trvi_dvec3 n = trvi_dvec3_from(plane.normal), p = trvi_dvec3_from(point);
    double square = trvi_ddot(n, n);
    bool good = good_plane(plane) && trvi_finite_vec3(point) && square > 0.0;
    trv_vec3 closest = {0.0f, 0.0f, 0.0f};
    if (good)
        closest = trvi_narrow_vec3(trvi_dmul_add(p, n, -plane_distance(plane, p) / square));
    if (out != NULL)
        *out = closest;
    return good;
}

static double frame_radius(const trvi_box_frame *frame, trvi_dvec3 direction)
{
    trvi_dvec3 local = trvi_box_local(frame, direction);
    return frame->half[0] * fabs(local.x) + frame->half[1] * fabs(local.y) +
           frame->half[2] * fabs(local.z);
}

float trv_obb_radius(trv_obb box, trv_vec3 direction)
{
    trvi_box_frame frame;
    if (!trvi_finite_vec3(direction) || !trvi_box_frame_of(box, &frame))
        return NAN;
    return trvi_narrow(frame_radius(&frame, trvi_dvec3_from(direction)));
}

static trv_side frame_side(const trvi_box_frame *frame, trv_plane plane)
{
    if (!good_plane(plane))
        return TRV_SIDE_NONE;
    double distance = plane_distance(plane, frame->center);
    double radius = frame_radius(frame, trvi_dvec3_from(plane.normal));
    if (fabs(distance) <= radius)
        return TRV_SIDE_ON;
    return distance > 0.0 ? TRV_SIDE_ABOVE : TRV_SIDE_BELOW;
}

trv_side trv_aabb_side(trv_aabb box, trv_plane plane)
{
    trvi_box_frame frame;
    return trvi_box_frame_of_aabb(box, &frame) ? frame_side(&frame, plane) : TRV_SIDE_NONE;
}

trv_side trv_obb_side(trv_obb box, trv_plane plane)
{
    trvi_box_frame frame;
    return trvi_box_frame_of(box, &frame) ? frame_side(&frame, plane) : TRV_SIDE_NONE;
}

bool trv_aabb_overlaps_plane(trv_aabb box, trv_plane plane)
{
    return trv_aabb_side(box, plane) == TRV_SIDE_ON;
}

bool trv_obb_overlaps_plane(trv_obb box, trv_plane plane)
{
    return trv_obb_side(box, plane) == TRV_SIDE_ON;
}

// Rounded towards minus infinity, so that a bound never cuts off what it bounds.
static float round_down(double x)
{
    float nearest = trvi_narrow(x);
    return trvi_step_down(nearest, (double)nearest > x);
}

static trv_aabb outward(bool good, trvi_dvec3 lower, trvi_dvec3 upper)
{
    if (!good)
        return (trv_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    return (trv_aabb){{round_down(lower.x), round_down(lower.y), round_down(lower.z)},
                      {-round_down(-upper.x), -round_down(-upper.y), -round_down(-upper.z)}};
}

trv_aabb trv_obb_bounds(trv_obb box)
{
    trvi_box_frame frame;
    trvi_dvec3 zero = {0.0, 0.0, 0.0};
    if (!trvi_box_frame_of(box, &frame))
        return outward(false, zero, zero);
    trvi_dvec3 half = {frame_radius(&frame, (trvi_dvec3){1.0, 0.0, 0.0}),
                       frame_radius(&frame, (trvi_dvec3){0.0, 1.0, 0.0}),
                       frame_radius(&frame, (trvi_dvec3){0.0, 0.0, 1.0})};
    return outward(true, trvi_dsub(frame.center, half), trvi_dadd(frame.center, half));
}

trv_aabb trv_capsule_bounds(trv_capsule capsule)
{
    bool good = trvi_finite_vec3(capsule.a) && trvi_finite_vec3(capsule.b) &&
                capsule.radius >= 0.0f && trvi_is_finite(capsule.radius);
    trvi_dvec3 r = {capsule.radius, capsule.radius, capsule.radius};
    return outward(good, trvi_dsub(trvi_dvec3_from(trvi_min(capsule.a, capsule.b)), r),
                   trvi_dadd(trvi_dvec3_from(trvi_max(capsule.a, capsule.b)), r));
}

trv_aabb trv_sphere_bounds(trv_sphere sphere)
{
    return trv_capsule_bounds((trv_capsule){sphere.center, sphere.center, sphere.radius});
}

trv_aabb trv_segment_bounds(trv_segment segment)
{
    return trv_capsule_bounds((trv_capsule){segment.a, segment.b, 0.0f});
}

trv_aabb trv_triangle_bounds(trv_triangle triangle)
{
    bool good = trvi_finite_vec3(triangle.a) && trvi_finite_vec3(triangle.b) &&
                trvi_finite_vec3(triangle.c);
    trv_vec3 lower = trvi_min(trvi_min(triangle.a, triangle.b), triangle.c);
    trv_vec3 upper = trvi_max(trvi_max(triangle.a, triangle.b), triangle.c);
    return outward(good, trvi_dvec3_from(lower), trvi_dvec3_from(upper));
}

static int give_roots(int count, double low, double high, float *out_low, float *out_high)
{
    if (out_low != NULL)
        *out_low = trvi_narrow(low);
    if (out_high != NULL)
        *out_high = trvi_narrow(high);
    return count;
}

int trv_quadratic_roots(float a, float b, float c, float *low, float *high)
{
    if (!trvi_is_finite(a) || !trvi_is_finite(b) || !trvi_is_finite(c))
        return give_roots(0, 0.0, 0.0, low, high);
    if (a == 0.0f && b == 0.0f)
        return give_roots(c == 0.0f ? -1 : 0, 0.0, 0.0, low, high);
    if (a == 0.0f) {
        double root = -(double)c / b;
        return give_roots(1, root, root, low, high);
    }
    double discriminant = (double)b * b - 4.0 * ((double)a * c);
    if (discriminant < 0.0)
        return give_roots(0, 0.0, 0.0, low, high);
    if (discriminant == 0.0) {
        double root = -(double)b / (2.0 * a);
        return give_roots(1, root, root, low, high);
    }
    double root = sqrt(discriminant);
    double q = b < 0.0f ? 0.5 * (root - b) : -0.5 * (root + b); // both terms of one sign
    double r0 = q / a, r1 = c / q;
    return give_roots(2, fmin(r0, r1), fmax(r0, r1), low, high);
}
