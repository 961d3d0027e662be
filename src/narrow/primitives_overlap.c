// Points, spheres and boxes: containment, overlap, distance, closest points.
//
// Everything is a comparison, or a clamp onto the box in its own axes followed by one sum of
// squares in double. Sums of squares are compared with squares, distances with distances, never
// mixed.
//
// Based on: MDN Web Docs, "3D collision detection"; Arvo, "A Simple Method for Box-Sphere
// Intersection Testing", Graphics Gems, 1990; Ericson, "Real-Time Collision Detection", 2005,
// section 5.1.
#include "primitive_math.h"

bool trv_aabb_contains_point(trv_aabb box, trv_vec3 point)
{
    return box.lower.x <= point.x && point.x <= box.upper.x && box.lower.y <= point.y &&
           point.y <= box.upper.y && box.lower.z <= point.z && point.z <= box.upper.z;
}

bool trv_aabb_overlaps_aabb(trv_aabb a, trv_aabb b)
{
    return trvi_aabb_overlaps(a, b) && trvi_ordered_aabb(a) && trvi_ordered_aabb(b);
}

static double square_distance(trv_vec3 a, trv_vec3 b)
{
    trvi_dvec3 d = trvi_dsub(trvi_dvec3_from(b), trvi_dvec3_from(a));
    return trvi_ddot(d, d);
}

float trv_point_distance(trv_vec3 a, trv_vec3 b)
{
    if (!trvi_finite_vec3(a) || !trvi_finite_vec3(b))
        return NAN;
    return trvi_narrow(sqrt(square_distance(a, b)));
}

// How far the intervals are apart, or how little they overlap (negative).
static double interval_gap(float a_lower, float a_upper, float b_lower, float b_upper)
{
    return fmax((double)b_lower - a_upper, (double)a_lower - b_upper);
}

float trv_aabb_distance(trv_aabb a, trv_aabb b)
{
    if (!trvi_good_aabb(a) || !trvi_good_aabb(b))
        return NAN;
    trvi_dvec3 gap = {fmax(interval_gap(a.lower.x, a.upper.x, b.lower.x, b.upper.x), 0.0),
                      fmax(interval_gap(a.lower.y, a.upper.y, b.lower.y, b.upper.y), 0.0),
                      fmax(interval_gap(a.lower.z, a.upper.z, b.lower.z, b.upper.z), 0.0)};
    return trvi_narrow(trvi_dlength(gap));
}

bool trv_aabb_separation(trv_aabb a, trv_aabb b, trv_axis_separation *out)
{
    trv_axis_separation best = {0};
    bool good = trvi_good_aabb(a) && trvi_good_aabb(b);
    if (good) {
        const float al[3] = {a.lower.x, a.lower.y, a.lower.z};
        const float au[3] = {a.upper.x, a.upper.y, a.upper.z};
        const float bl[3] = {b.lower.x, b.lower.y, b.lower.z};
        const float bu[3] = {b.upper.x, b.upper.y, b.upper.z};
        double widest = -HUGE_VAL;
        for (uint32_t i = 0; i < 3; ++i) {
            double gap = interval_gap(al[i], au[i], bl[i], bu[i]);
            if (!(gap > widest))
                continue;
            widest = gap;
            float sign = (double)bl[i] - au[i] >= (double)al[i] - bu[i] ? 1.0f : -1.0f;
            best.axis = i;
            best.normal =
                (trv_vec3){i == 0 ? sign : 0.0f, i == 1 ? sign : 0.0f, i == 2 ? sign : 0.0f};
        }
        best.separation = trvi_narrow(widest);
    }
    if (out != NULL)
        *out = best;
    return good;
}

bool trv_sphere_contains_point(trv_sphere sphere, trv_vec3 point)
{
    return trvi_good_sphere(sphere) && trvi_finite_vec3(point) &&
           square_distance(sphere.center, point) <= (double)sphere.radius * sphere.radius;
}

bool trv_sphere_overlaps_sphere(trv_sphere a, trv_sphere b)
{
    double reach = (double)a.radius + b.radius;
    return trvi_good_sphere(a) && trvi_good_sphere(b) &&
           square_distance(a.center, b.center) <= reach * reach;
}

static double clamp(double x, double lower, double upper)
{
    return x < lower ? lower : x > upper ? upper : x;
}

static trvi_dvec3 clamp_to_aabb(trv_aabb box, trv_vec3 point)
{
    return (trvi_dvec3){clamp(point.x, box.lower.x, box.upper.x),
                        clamp(point.y, box.lower.y, box.upper.y),
                        clamp(point.z, box.lower.z, box.upper.z)};
}

// A point in the box's own axes.
static trvi_dvec3 local_point(const trvi_box_frame *frame, trv_vec3 point)
{
    return trvi_box_local(frame, trvi_dsub(trvi_dvec3_from(point), frame->center));
}

static trvi_dvec3 clamp_to_frame(const trvi_box_frame *frame, trvi_dvec3 local)
{
    return (trvi_dvec3){clamp(local.x, -frame->half[0], frame->half[0]),
                        clamp(local.y, -frame->half[1], frame->half[1]),
                        clamp(local.z, -frame->half[2], frame->half[2])};
}

bool trv_sphere_overlaps_aabb(trv_sphere sphere, trv_aabb box)
{
    if (!trvi_good_sphere(sphere) || !trvi_good_aabb(box))
        return false;
    trvi_dvec3 outside =
        trvi_dsub(trvi_dvec3_from(sphere.center), clamp_to_aabb(box, sphere.center));
    return trvi_ddot(outside, outside) <= (double)sphere.radius * sphere.radius;
}

bool trv_sphere_overlaps_obb(trv_sphere sphere, trv_obb box)
{
    trvi_box_frame frame;
    if (!trvi_good_sphere(sphere) || !trvi_box_frame_of(box, &frame))
        return false;
    trvi_dvec3 local = local_point(&frame, sphere.center);
    trvi_dvec3 outside = trvi_dsub(local, clamp_to_frame(&frame, local));
    return trvi_ddot(outside, outside) <= (double)sphere.radius * sphere.radius;
}

bool trv_obb_contains_point(trv_obb box, trv_vec3 point)
{
    trvi_box_frame frame;
    if (!trvi_finite_vec3(point) || !trvi_box_frame_of(box, &frame))
        return false;
    trvi_dvec3 local = local_point(&frame, point);
    return fabs(local.x) <= frame.half[0] && fabs(local.y) <= frame.half[1] &&
           fabs(local.z) <= frame.half[2];
}

static bool give_point(bool good, trv_vec3 point, trv_vec3 *out)
{
    if (out != NULL)
        *out = good ? point : (trv_vec3){0.0f, 0.0f, 0.0f};
    return good;
}

bool trv_aabb_closest_point(trv_aabb box, trv_vec3 point, trv_vec3 *out)
{
    bool good = trvi_good_aabb(box) && trvi_finite_vec3(point);
    return give_point(good, trvi_narrow_vec3(clamp_to_aabb(box, point)), out);
}

bool trv_obb_closest_point(trv_obb box, trv_vec3 point, trv_vec3 *out)
{
    trvi_box_frame frame;
    if (!trvi_finite_vec3(point) || !trvi_box_frame_of(box, &frame))
        return give_point(false, point, out);
    if (trv_obb_contains_point(box, point))
        return give_point(true, point, out);
    trvi_dvec3 inside = clamp_to_frame(&frame, local_point(&frame, point));
    trvi_dvec3 world = trvi_dadd(frame.center, trvi_box_world(&frame, inside));
    return give_point(true, trvi_narrow_vec3(world), out);
}

bool trv_segment_closest_point(trv_segment segment, trv_vec3 point, trv_vec3 *out)
{
    if (!trvi_finite_vec3(segment.a) || !trvi_finite_vec3(segment.b) || !trvi_finite_vec3(point))
        return give_point(false, point, out);
    trvi_dvec3 closest = trvi_closest_on_segment(
        trvi_dvec3_from(segment.a), trvi_dvec3_from(segment.b), trvi_dvec3_from(point));
    return give_point(true, trvi_narrow_vec3(closest), out);
}

// Over the three edges: the answer when the point does not project into the triangle.
static trvi_dvec3 closest_on_edges(const trvi_dvec3 corner[3], trvi_dvec3 p)
{
    trvi_dvec3 best = corner[0];
    double least = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        trvi_dvec3 candidate = trvi_closest_on_segment(corner[i], corner[(i + 1) % 3], p);
        trvi_dvec3 d = trvi_dsub(p, candidate);
        double square = trvi_ddot(d, d);
        if (square < least) {
            least = square;
            best = candidate;
        }
    }
    return best;
}

bool trv_triangle_closest_point(trv_triangle triangle, trv_vec3 point, trv_vec3 *out)
{
    if (!trvi_finite_vec3(triangle.a) || !trvi_finite_vec3(triangle.b) ||
        !trvi_finite_vec3(triangle.c) || !trvi_finite_vec3(point))
        return give_point(false, point, out);
    const trvi_dvec3 corner[3] = {trvi_dvec3_from(triangle.a), trvi_dvec3_from(triangle.b),
                                  trvi_dvec3_from(triangle.c)};
    trvi_dvec3 p = trvi_dvec3_from(point);
    trvi_dvec3 normal = trvi_exact_normal(triangle.a, triangle.b, triangle.c);
    double square = trvi_ddot(normal, normal);
    bool over = square > 0.0;
    for (int i = 0; i < 3 && over; ++i) {
        trvi_dvec3 edge = trvi_dsub(corner[(i + 1) % 3], corner[i]);
        over = trvi_ddot(trvi_dcross(normal, edge), trvi_dsub(p, corner[i])) >= 0.0;
    }
    trvi_dvec3 closest;
    if (over) {
        double height = trvi_ddot(normal, trvi_dsub(p, corner[0])) / square;
        closest = trvi_dmul_add(p, normal, -height);
    } else {
        closest = closest_on_edges(corner, p);
    }
    return give_point(true, trvi_narrow_vec3(closest), out);
}
