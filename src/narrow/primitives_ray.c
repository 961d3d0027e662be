// Rays against solids and triangles, and a segment against a triangle.
//
// Each shape is moved to the ray's origin, or the ray into the box's axes, in double, and the
// verdict comes from signs that are exact for moderate inputs. An origin in the solid is answered
// first. A segment, both ends of which are given, is told by exact signs from a triangle.
//
// Based on: Kay and Kajiya, "Ray Tracing Complex Scenes", 1986 (slabs); Moeller and Trumbore,
// "Fast, Minimum Storage Ray/Triangle Intersection", 1997; Ericson, "Real-Time Collision
// Detection", 2005, sections 5.3.2, 5.3.3, 5.3.4 and 5.3.7.
#include "primitive_math.h"

static bool good_ray(trv_ray ray)
{
    return trvi_finite_vec3(ray.origin) && trvi_finite_vec3(ray.travel);
}

static trv_ray_hit no_hit(void)
{
    return (trv_ray_hit){.hit = false};
}

static trv_ray_hit hit_inside(trv_ray ray)
{
    return (trv_ray_hit){.hit = true, .inside = true, .point = ray.origin};
}

// `normal` has any length; where it has none, the hit's normal is against the travel.
static trv_ray_hit hit_at(trv_ray ray, double u, trvi_dvec3 normal)
{
    trvi_dvec3 travel = trvi_dvec3_from(ray.travel);
    if (!(trvi_ddot(normal, normal) > 0.0))
        normal = trvi_dscale(travel, -1.0);
    trvi_dvec3 point = trvi_dmul_add(trvi_dvec3_from(ray.origin), travel, u);
    return (trv_ray_hit){.hit = true,
                         .fraction = (float)u,
                         .point = trvi_narrow_vec3(point),
                         .normal = trvi_narrow_vec3(trvi_dunit(normal))};
}

trv_ray_hit trvi_ray_ball(trv_ray ray, trvi_dvec3 center, double r)
{
    trvi_dvec3 p = trvi_dscale(center, -1.0), v = trvi_dvec3_from(ray.travel);
    double u;
    if (trvi_ddot(p, p) <= r * r)
        return hit_inside(ray);
    if (!trvi_enter_ball(p, v, r, &u))
        return no_hit();
    // With r = 0 what is left of p + u v is rounding noise.
    return hit_at(ray, u, r > 0.0 ? trvi_dmul_add(p, v, u) : (trvi_dvec3){0.0, 0.0, 0.0});
}

// From the ray's origin.
static trvi_dvec3 way_to(trv_ray ray, trv_vec3 place)
{
    return trvi_dsub(trvi_dvec3_from(place), trvi_dvec3_from(ray.origin));
}

trv_ray_hit trv_ray_sphere(trv_ray ray, trv_sphere sphere)
{
    if (!good_ray(ray) || !trvi_good_sphere(sphere))
        return no_hit();
    return trvi_ray_ball(ray, way_to(ray, sphere.center), sphere.radius);
}

// The ray inside a box [lower, upper], in the box's axes and relative to the origin of the ray.
typedef struct slabs {
    double lower[3], upper[3], travel[3];
} slabs;

// The first u in [0, 1] and the axis entered through. A direction that lies in a slab (travel 0)
// is inside it always or never, and is not divided by.
static bool enter_slabs(const slabs *s, double *u, int *axis)
{
    double first = -HUGE_VAL, last = HUGE_VAL;
    *axis = 0;
    for (int i = 0; i < 3; ++i) {
        double d = s->travel[i];
        if (d == 0.0) {
            if (s->lower[i] > 0.0 || s->upper[i] < 0.0)
                return false;
            continue;
        }
        double in = (d > 0.0 ? s->lower[i] : s->upper[i]) / d;
        double out = (d > 0.0 ? s->upper[i] : s->lower[i]) / d;
        if (in > first) {
            first = in;
            *axis = i;
        }
        last = fmin(last, out);
    }
    *u = fmax(first, 0.0);
    return first <= last && first <= 1.0 && last >= 0.0;
}

static bool starts_inside(const slabs *s)
{
    return s->lower[0] <= 0.0 && s->upper[0] >= 0.0 && s->lower[1] <= 0.0 && s->upper[1] >= 0.0 &&
           s->lower[2] <= 0.0 && s->upper[2] >= 0.0;
}

trv_ray_hit trv_ray_aabb(trv_ray ray, trv_aabb box)
{
    if (!good_ray(ray) || !trvi_good_aabb(box))
        return no_hit();
    trvi_dvec3 o = trvi_dvec3_from(ray.origin);
    trvi_dvec3 lower = trvi_dsub(trvi_dvec3_from(box.lower), o);
    trvi_dvec3 upper = trvi_dsub(trvi_dvec3_from(box.upper), o);
    slabs s = {{lower.x, lower.y, lower.z},
               {upper.x, upper.y, upper.z},
               {ray.travel.x, ray.travel.y, ray.travel.z}};
    double u;
    int axis;
    if (starts_inside(&s))
        return hit_inside(ray);
    if (!enter_slabs(&s, &u, &axis))
        return no_hit();
    double sign = s.travel[axis] > 0.0 ? -1.0 : 1.0;
    return hit_at(
        ray, u,
        (trvi_dvec3){axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0});
}

trv_ray_hit trvi_ray_box(trv_ray ray, const trvi_box_frame *frame, trvi_dvec3 center)
{
    trvi_dvec3 p = trvi_box_local(frame, trvi_dscale(center, -1.0));
    trvi_dvec3 d = trvi_box_local(frame, trvi_dvec3_from(ray.travel));
    slabs s = {{-frame->half[0] - p.x, -frame->half[1] - p.y, -frame->half[2] - p.z},
               {frame->half[0] - p.x, frame->half[1] - p.y, frame->half[2] - p.z},
               {d.x, d.y, d.z}};
    double u;
    int axis;
    if (starts_inside(&s))
        return hit_inside(ray);
    if (!enter_slabs(&s, &u, &axis))
        return no_hit();
    return hit_at(ray, u, trvi_dscale(frame->axis[axis], s.travel[axis] > 0.0 ? -1.0 : 1.0));
}

trv_ray_hit trv_ray_obb(trv_ray ray, trv_obb box)
{
    trvi_box_frame frame;
    if (!good_ray(ray) || !trvi_box_frame_of(box, &frame))
        return no_hit();
    return trvi_ray_box(ray, &frame, way_to(ray, box.center));
}

// The first u at which p + u v enters the side of the cylinder of radius r about the axis w through
// the origin, between the axis' ends; for a start outside. What is across the axis is p x w, v x w,
// |w| times as long; (p x w) x (v x w) = w (w . (p x v)) keeps the discriminant from cancelling.
static bool enter_side(trvi_dvec3 p, trvi_dvec3 v, trvi_dvec3 w, double r, double *u)
{
    trvi_dvec3 pw = trvi_dcross(p, w), vw = trvi_dcross(v, w);
    double ww = trvi_ddot(w, w), across = trvi_ddot(vw, vw), h = trvi_ddot(pw, vw);
    double parallel = TRVI_PARALLEL_SIDE * TRVI_PARALLEL_SIDE * trvi_ddot(v, v) * ww;
    if (!(across > parallel) || !(h < 0.0))
        return false;
    double moment = trvi_ddot(w, trvi_dcross(p, v));
    double discriminant = across * (r * r) - moment * moment;
    double outside = trvi_ddot(pw, pw) - (r * r) * ww;
    if (!(discriminant >= 0.0) || outside < 0.0)
        return false;
    *u = outside / (sqrt(ww) * sqrt(discriminant) - h);
    double along = trvi_ddot(trvi_dmul_add(p, v, *u), w);
    return *u <= 1.0 && along >= 0.0 && along <= ww;
}

// The capsule is the union of two balls and the cylinder between: the first entry into any of them.
trv_ray_hit trvi_ray_rod(trv_ray ray, trvi_dvec3 a, trvi_dvec3 b, double r)
{
    trvi_dvec3 origin = {0.0, 0.0, 0.0}, v = trvi_dvec3_from(ray.travel);
    double u = HUGE_VAL, candidate;
    trvi_dvec3 nearest = trvi_closest_on_segment(a, b, origin);
    if (trvi_ddot(nearest, nearest) <= r * r)
        return hit_inside(ray);
    if (trvi_enter_ball(trvi_dscale(a, -1.0), v, r, &candidate))
        u = candidate;
    if (trvi_enter_ball(trvi_dscale(b, -1.0), v, r, &candidate))
        u = fmin(u, candidate);
    if (enter_side(trvi_dscale(a, -1.0), v, trvi_dsub(b, a), r, &candidate))
        u = fmin(u, candidate);
    if (!(u <= 1.0))
        return no_hit();
    trvi_dvec3 at = trvi_dscale(v, u);
    trvi_dvec3 normal = trvi_dsub(at, trvi_closest_on_segment(a, b, at));
    return hit_at(ray, u, r > 0.0 ? normal : origin);
}

trv_ray_hit trv_ray_capsule(trv_ray ray, trv_capsule capsule)
{
    if (!good_ray(ray) || !trvi_finite_vec3(capsule.b) ||
        !trvi_good_sphere((trv_sphere){capsule.a, capsule.radius}))
        return no_hit();
    return trvi_ray_rod(ray, way_to(ray, capsule.a), way_to(ray, capsule.b), capsule.radius);
}

// A triangle seen from the start of a motion d: corners relative to it, the plane's normal, and how
// the motion crosses the plane.
typedef struct crossing {
    trvi_dvec3 a, b, c;
    trvi_dvec3 normal;
    double height; // normal . a: how far the plane is, times |normal|
    double slope;  // normal . d
    bool parallel; // to rounding, or there is no plane
} crossing;

static crossing see_triangle(trv_triangle triangle, trv_vec3 from, trvi_dvec3 d)
{
    crossing x;
    trvi_dvec3 o = trvi_dvec3_from(from);
    x.a = trvi_dsub(trvi_dvec3_from(triangle.a), o);
    x.b = trvi_dsub(trvi_dvec3_from(triangle.b), o);
    x.c = trvi_dsub(trvi_dvec3_from(triangle.c), o);
    x.normal = trvi_exact_normal(triangle.a, triangle.b, triangle.c);
    x.height = trvi_ddot(x.normal, x.a);
    x.slope = trvi_ddot(x.normal, d);
    double size = fabs(x.normal.x * d.x) + fabs(x.normal.y * d.y) + fabs(x.normal.z * d.z);
    x.parallel = !(fabs(x.slope) > TRVI_PARALLEL_RAY * size);
    return x;
}

// The line along d through the start meets the triangle iff the volumes it spans with the edges
// have one sign; the plane is met within [0, 1] iff 0 <= height / slope <= 1. Both without
// dividing.
static bool crosses(const crossing *x, trvi_dvec3 d)
{
    double ab = trvi_ddot(d, trvi_dcross(x->a, x->b));
    double bc = trvi_ddot(d, trvi_dcross(x->b, x->c));
    double ca = trvi_ddot(d, trvi_dcross(x->c, x->a));
    bool through = (ab >= 0.0 && bc >= 0.0 && ca >= 0.0) || (ab <= 0.0 && bc <= 0.0 && ca <= 0.0);
    bool within = x->slope > 0.0 ? x->height >= 0.0 && x->height <= x->slope
                                 : x->height <= 0.0 && x->height >= x->slope;
    return !x->parallel && through && within;
}

static bool good_triangle(trv_triangle triangle)
{
    return trvi_finite_vec3(triangle.a) && trvi_finite_vec3(triangle.b) &&
           trvi_finite_vec3(triangle.c);
}

trv_ray_hit trv_ray_triangle(trv_ray ray, trv_triangle triangle)
{
    if (!good_ray(ray) || !good_triangle(triangle))
        return no_hit();
    trvi_dvec3 d = trvi_dvec3_from(ray.travel);
    crossing x = see_triangle(triangle, ray.origin, d);
    if (!crosses(&x, d))
        return no_hit();
    return hit_at(ray, x.height / x.slope, trvi_dscale(x.normal, x.slope > 0.0 ? -1.0 : 1.0));
}

// 1 where a, b, c turn left as seen along axis w of space, -1 where right, 0 where they are in line.
static int turn_in_plane(trv_vec3 a, trv_vec3 b, trv_vec3 c, int w)
{
    trvi_dvec3 cross = trvi_exact_cross(a, b, c);
    double area = (&cross.x)[w];
    return (area > 0.0) - (area < 0.0);
}

// A segment in the plane of the triangle. Separating axes there: the outward normals of the sides,
// and those of the segment.
static bool overlaps_in_plane(trv_segment s, trv_triangle triangle)
{
    const trv_vec3 corner[3] = {triangle.a, triangle.b, triangle.c};
    trvi_dvec3 n = trvi_exact_cross(triangle.a, triangle.b, triangle.c);
    int w = n.x != 0.0 ? 0 : n.y != 0.0 ? 1 : 2; // a view in which the triangle has area will do
    int around = (&n.x)[w] > 0.0 ? 1 : -1, left = 0, right = 0;
    for (int i = 0; i < 3; ++i) {
        trv_vec3 from = corner[i], to = corner[(i + 1) % 3];
        if (turn_in_plane(from, to, s.a, w) * around < 0 &&
            turn_in_plane(from, to, s.b, w) * around < 0)
            return false;
        int side = turn_in_plane(s.a, s.b, from, w);
        left += side > 0;
        right += side < 0;
    }
    return left < 3 && right < 3;
}

// The signs of determinants are exact, so it depends neither on the direction of the segment nor on
// the corner begun with, and an end that is a corner, or on a side, touches.
bool trv_segment_overlaps_triangle(trv_segment segment, trv_triangle triangle)
{
    if (!trvi_finite_vec3(segment.a) || !trvi_finite_vec3(segment.b) || !good_triangle(triangle))
        return false;
    trv_vec3 a = triangle.a, b = triangle.b, c = triangle.c, p = segment.a, q = segment.b;
    int start = trvi_orient3d(a, b, c, p), end = trvi_orient3d(a, b, c, q);
    if (start * end > 0)
        return false;
    if (start == 0 && end == 0)
        return !trvi_collinear(a, b, c) && overlaps_in_plane(segment, triangle);
    // The line through p and q meets the triangle iff it passes all sides alike.
    int ab = trvi_orient3d(p, q, a, b), bc = trvi_orient3d(p, q, b, c);
    if (ab * bc < 0)
        return false;
    int ca = trvi_orient3d(p, q, c, a);
    return ab * ca >= 0 && bc * ca >= 0;
}
