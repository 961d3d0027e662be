// Sweeps: when do two shapes in linear motion first touch, and when last?
//
// Only the motion relative to each other counts; it is formed once, in double. Verdicts come from
// predicates on the inputs; times from the form of the root that does not cancel.
// Invariant: a hit has 0 <= u0 <= u1 <= 1.
//
// Based on: Gomez, "Simple Intersection Tests for Games", 1999, Listings 1, 2 and 4, with the
// meaning of their text where the code differs.
#include "primitive_math.h"

typedef enum plane_rule { HALF_OPEN, CLOSED, TWO_SIDED } plane_rule;

// The first u by the rule; d0 and d1 are the signed distances of the centre.
static bool plane_time(double d0, double d1, double r, plane_rule rule, double *u)
{
    *u = 0.0;
    if (fabs(d0) <= r)
        return true;
    if (d0 > r && (rule == HALF_OPEN ? d1 < r : d1 <= r)) {
        *u = (d0 - r) / (d0 - d1);
        return true;
    }
    if (rule == TWO_SIDED && d0 < -r && d1 >= -r) {
        *u = (d0 + r) / (d0 - d1);
        return true;
    }
    return false;
}

static bool sweep_plane(float radius, trv_vec3 c0, trv_vec3 c1, trv_plane plane, plane_rule rule,
                        float *u, trv_vec3 *center)
{
    trvi_dvec3 n = trvi_dvec3_from(plane.normal);
    trvi_dvec3 from = trvi_dvec3_from(c0), to = trvi_dvec3_from(c1);
    double d0 = trvi_ddot(n, from) + (double)plane.offset;
    double d1 = trvi_ddot(n, to) + (double)plane.offset;
    double time = 0.0;
    bool good = radius >= 0.0f && trvi_is_finite(radius) && trvi_finite_vec3(c0) &&
                trvi_finite_vec3(c1) && trvi_finite_vec3(plane.normal) &&
                trvi_is_finite(plane.offset);
    bool hit = good && plane_time(d0, d1, radius, rule, &time);
    trvi_dvec3 at = hit ? trvi_dmul_add(from, trvi_dsub(to, from), time) : (trvi_dvec3){0, 0, 0};
    if (u != NULL)
        *u = (float)time;
    if (center != NULL)
        *center = trvi_narrow_vec3(at);
    return hit;
}

bool trv_sweep_sphere_plane(float radius, trv_vec3 c0, trv_vec3 c1, trv_plane plane, float *u,
                            trv_vec3 *center)
{
    return sweep_plane(radius, c0, c1, plane, HALF_OPEN, u, center);
}

bool trv_sweep_sphere_plane_closed(float radius, trv_vec3 c0, trv_vec3 c1, trv_plane plane,
                                   float *u, trv_vec3 *center)
{
    return sweep_plane(radius, c0, c1, plane, CLOSED, u, center);
}

bool trv_sweep_sphere_plane_two_sided(float radius, trv_vec3 c0, trv_vec3 c1, trv_plane plane,
                                      float *u, trv_vec3 *center)
{
    return sweep_plane(radius, c0, c1, plane, TWO_SIDED, u, center);
}

static bool give_times(bool hit, double first, double last, float *u0, float *u1)
{
    if (u0 != NULL)
        *u0 = hit ? (float)first : 0.0f;
    if (u1 != NULL)
        *u1 = hit ? (float)last : 0.0f;
    return hit;
}

// The last u in [0, 1] at which |p + u v| <= r, for a motion that is within r at some u.
// The larger root of s u u + 2 h u + e: (root - h) / s where h < 0, else -e / (h + root).
static double leave_ball(trvi_dvec3 p, trvi_dvec3 v, double r)
{
    trvi_dvec3 end = trvi_dadd(p, v), moment = trvi_dcross(p, v);
    double s = trvi_ddot(v, v), h = trvi_ddot(p, v), e = trvi_ddot(p, p) - r * r;
    if (s == 0.0 || trvi_ddot(end, end) <= r * r)
        return 1.0;
    double root = sqrt(fmax(s * (r * r) - trvi_ddot(moment, moment), 0.0));
    double u = h < 0.0 ? (root - h) / s : h + root > 0.0 ? -e / (h + root) : 0.0;
    return fmin(fmax(u, 0.0), 1.0);
}

bool trv_sweep_sphere_sphere(float radius_a, trv_vec3 a0, trv_vec3 a1, float radius_b, trv_vec3 b0,
                             trv_vec3 b1, float *u0, float *u1)
{
    bool good = trvi_good_sphere((trv_sphere){a0, radius_a}) && trvi_finite_vec3(a1) &&
                trvi_good_sphere((trv_sphere){b0, radius_b}) && trvi_finite_vec3(b1);
    if (!good)
        return give_times(false, 0.0, 0.0, u0, u1);
    trvi_dvec3 p = trvi_dsub(trvi_dvec3_from(b0), trvi_dvec3_from(a0));
    trvi_dvec3 v = trvi_dsub(trvi_dsub(trvi_dvec3_from(b1), trvi_dvec3_from(b0)),
                             trvi_dsub(trvi_dvec3_from(a1), trvi_dvec3_from(a0)));
    double r = (double)radius_a + radius_b, first = 0.0;
    if (trvi_ddot(p, p) > r * r && !trvi_enter_ball(p, v, r, &first))
        return give_times(false, 0.0, 0.0, u0, u1);
    return give_times(true, first, fmax(first, leave_ball(p, v, r)), u0, u1);
}

// The times at which all of some linear functions are <= 0.
typedef struct interval {
    double first, last;
    uint32_t axes; // of the functions that become <= 0 at `first`
} interval;

// Keeps the times at which f0 + u (f1 - f0) <= 0. Equal rationals divide to equal doubles, so an
// exact graze of an edge keeps its one instant.
static void keep_below(interval *times, double f0, double f1, uint32_t axis)
{
    double slope = f1 - f0;
    if (slope == 0.0) {
        if (f0 > 0.0)
            times->first = HUGE_VAL; // never
        return;
    }
    double zero = f0 / (f0 - f1);
    if (slope > 0.0) {
        times->last = fmin(times->last, zero);
    } else if (zero > times->first) {
        times->first = zero;
        times->axes = axis;
    } else if (zero == times->first) {
        times->axes |= axis;
    }
}

static bool give_interval(interval times, float *u0, float *u1, uint32_t *axes)
{
    bool hit = times.first <= times.last && times.first <= 1.0 && times.last >= 0.0;
    bool at_start = times.first <= 0.0;
    if (axes != NULL)
        *axes = hit && !at_start ? times.axes : 0;
    return give_times(hit, fmax(times.first, 0.0), fmin(times.last, 1.0), u0, u1);
}

bool trv_sweep_aabb_aabb(trv_vec3 half_a, trv_vec3 a0, trv_vec3 a1, trv_vec3 half_b, trv_vec3 b0,
                         trv_vec3 b1, float *u0, float *u1, uint32_t *axes)
{
    interval times = {-HUGE_VAL, HUGE_VAL, 0};
    const double half[3] = {(double)half_a.x + half_b.x, (double)half_a.y + half_b.y,
                            (double)half_a.z + half_b.z};
    const double start[3] = {(double)b0.x - a0.x, (double)b0.y - a0.y, (double)b0.z - a0.z};
    const double end[3] = {(double)b1.x - a1.x, (double)b1.y - a1.y, (double)b1.z - a1.z};
    bool good = trvi_finite_vec3(half_a) && trvi_finite_vec3(half_b) && trvi_finite_vec3(a0) &&
                trvi_finite_vec3(a1) && trvi_finite_vec3(b0) && trvi_finite_vec3(b1) &&
                half_a.x >= 0.0f && half_a.y >= 0.0f && half_a.z >= 0.0f && half_b.x >= 0.0f &&
                half_b.y >= 0.0f && half_b.z >= 0.0f;
    if (!good)
        times.first = HUGE_VAL;
    for (int i = 0; i < 3 && good; ++i) {
        keep_below(&times, start[i] - half[i], end[i] - half[i], 1u << i);
        keep_below(&times, -start[i] - half[i], -end[i] - half[i], 1u << i);
    }
    return give_interval(times, u0, u1, axes);
}

bool trv_sweep_bounds(trv_aabb a0, trv_aabb a1, trv_aabb b0, trv_aabb b1, float *u0, float *u1,
                      uint32_t *axes)
{
    interval times = {-HUGE_VAL, HUGE_VAL, 0};
    if (!trvi_good_aabb(a0) || !trvi_good_aabb(a1) || !trvi_good_aabb(b0) || !trvi_good_aabb(b1))
        times.first = HUGE_VAL;
    else {
        keep_below(&times, (double)b0.lower.x - a0.upper.x, (double)b1.lower.x - a1.upper.x, 1u);
        keep_below(&times, (double)a0.lower.x - b0.upper.x, (double)a1.lower.x - b1.upper.x, 1u);
        keep_below(&times, (double)b0.lower.y - a0.upper.y, (double)b1.lower.y - a1.upper.y, 2u);
        keep_below(&times, (double)a0.lower.y - b0.upper.y, (double)a1.lower.y - b1.upper.y, 2u);
        keep_below(&times, (double)b0.lower.z - a0.upper.z, (double)b1.lower.z - a1.upper.z, 4u);
        keep_below(&times, (double)a0.lower.z - b0.upper.z, (double)a1.lower.z - b1.upper.z, 4u);
    }
    return give_interval(times, u0, u1, axes);
}
