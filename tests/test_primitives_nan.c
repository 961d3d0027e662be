// Every primitive, with every one of its numbers in turn NaN or infinite: the answer is "no", and
// what it writes is zero.
//
// A probe makes the call from an array of numbers that it says yes to; the loop spoils one at a time.
#include "support.h"
#include <trivet/primitives.h>

typedef struct probe {
    const char *name;
    bool (*yes)(const float *f);
    int count;
    bool compares_only; // infinities are legal
    float base[20];
} probe;

static trv_vec3 vec(const float *f)
{
    return trv_make_vec3(f[0], f[1], f[2]);
}

static trv_sphere sphere(const float *f)
{
    return (trv_sphere){vec(f), f[3]};
}

static trv_aabb aabb(const float *f)
{
    return (trv_aabb){vec(f), vec(f + 3)};
}

static trv_obb obb(const float *f)
{
    return (trv_obb){vec(f), vec(f + 3), {f[6], f[7], f[8], f[9]}};
}

static trv_plane plane(const float *f)
{
    return (trv_plane){vec(f), f[3]};
}

static trv_segment segment(const float *f)
{
    return (trv_segment){vec(f), vec(f + 3)};
}

static trv_capsule capsule(const float *f)
{
    return (trv_capsule){vec(f), vec(f + 3), f[6]};
}

static trv_triangle triangle(const float *f)
{
    return (trv_triangle){vec(f), vec(f + 3), vec(f + 6)};
}

static trv_ray ray(const float *f)
{
    return (trv_ray){vec(f), vec(f + 3)};
}

// The answer passed on; a "no" must come with zeroed outputs.
static bool checked(bool yes, const void *output, size_t size)
{
    const unsigned char *bytes = output;
    for (size_t i = 0; i < size && !yes; ++i)
        assert_int_equal(bytes[i], 0);
    return yes;
}

static bool checked_point(bool yes, trv_vec3 p)
{
    return checked(yes, &p, sizeof p);
}

static bool checked_hit(trv_ray_hit hit)
{
    bool none = hit.fraction == 0 && !hit.inside && hit.point.x == 0 && hit.normal.x == 0;
    assert_true(hit.hit || none);
    return hit.hit;
}

static const trv_vec3 garbage = {9, 9, 9};
static const trv_axis_separation garbage_gap = {9, 9, {9, 9, 9}};

static bool aabb_contains_point(const float *f)
{
    return trv_aabb_contains_point(aabb(f), vec(f + 6));
}

static bool aabb_overlaps_aabb(const float *f)
{
    return trv_aabb_overlaps_aabb(aabb(f), aabb(f + 6));
}

static bool point_distance(const float *f)
{
    return !isnan(trv_point_distance(vec(f), vec(f + 3)));
}

static bool aabb_distance(const float *f)
{
    return !isnan(trv_aabb_distance(aabb(f), aabb(f + 6)));
}

static bool sphere_contains_point(const float *f)
{
    return trv_sphere_contains_point(sphere(f), vec(f + 4));
}

static bool sphere_overlaps_sphere(const float *f)
{
    return trv_sphere_overlaps_sphere(sphere(f), sphere(f + 4));
}

static bool sphere_overlaps_aabb(const float *f)
{
    return trv_sphere_overlaps_aabb(sphere(f), aabb(f + 4));
}

static bool sphere_overlaps_obb(const float *f)
{
    return trv_sphere_overlaps_obb(sphere(f), obb(f + 4));
}

static bool obb_contains_point(const float *f)
{
    return trv_obb_contains_point(obb(f), vec(f + 10));
}

static bool obb_overlaps_obb(const float *f)
{
    return trv_obb_overlaps_obb(obb(f), obb(f + 10));
}

static bool aabb_separation(const float *f)
{
    trv_axis_separation gap = garbage_gap;
    bool yes = trv_aabb_separation(aabb(f), aabb(f + 6), &gap);
    return checked(yes, &gap, sizeof gap);
}

static bool obb_separation(const float *f)
{
    trv_axis_separation gap = garbage_gap;
    bool yes = trv_obb_separation(obb(f), obb(f + 10), &gap);
    return checked(yes, &gap, sizeof gap);
}

static bool segment_overlaps_aabb(const float *f)
{
    return trv_segment_overlaps_aabb(segment(f), aabb(f + 6));
}

static bool segment_overlaps_obb(const float *f)
{
    return trv_segment_overlaps_obb(segment(f), obb(f + 6));
}

static bool segment_aabb_separation(const float *f)
{
    trv_axis_separation gap = garbage_gap;
    bool yes = trv_segment_aabb_separation(segment(f), aabb(f + 6), &gap);
    return checked(yes, &gap, sizeof gap);
}

static bool segment_obb_separation(const float *f)
{
    trv_axis_separation gap = garbage_gap;
    bool yes = trv_segment_obb_separation(segment(f), obb(f + 6), &gap);
    return checked(yes, &gap, sizeof gap);
}

static bool segment_overlaps_triangle(const float *f)
{
    return trv_segment_overlaps_triangle(segment(f), triangle(f + 6));
}

static bool plane_from_point(const float *f)
{
    trv_plane out = {{9, 9, 9}, 9};
    bool yes = trv_plane_from_point(vec(f), vec(f + 3), &out);
    return checked(yes, &out, sizeof out);
}

static bool plane_from_points(const float *f)
{
    trv_plane out = {{9, 9, 9}, 9};
    bool yes = trv_plane_from_points(vec(f), vec(f + 3), vec(f + 6), &out);
    return checked(yes, &out, sizeof out);
}

static bool plane_distance(const float *f)
{
    return !isnan(trv_plane_distance(plane(f), vec(f + 4)));
}

static bool obb_radius(const float *f)
{
    return !isnan(trv_obb_radius(obb(f), vec(f + 10)));
}

static bool aabb_side(const float *f)
{
    return trv_aabb_side(aabb(f), plane(f + 6)) != TRV_SIDE_NONE;
}

static bool obb_side(const float *f)
{
    return trv_obb_side(obb(f), plane(f + 10)) != TRV_SIDE_NONE;
}

static bool aabb_overlaps_plane(const float *f)
{
    return trv_aabb_overlaps_plane(aabb(f), plane(f + 6));
}

static bool obb_overlaps_plane(const float *f)
{
    return trv_obb_overlaps_plane(obb(f), plane(f + 10));
}

// A box of NaNs, all of it, says no.
static bool is_box(trv_aabb box)
{
    bool nan = isnan(box.lower.x) && isnan(box.lower.y) && isnan(box.lower.z) &&
               isnan(box.upper.x) && isnan(box.upper.y) && isnan(box.upper.z);
    assert_true(nan || (box.lower.x <= box.upper.x && box.lower.y <= box.upper.y &&
                        box.lower.z <= box.upper.z));
    return !nan;
}

static bool obb_bounds(const float *f)
{
    return is_box(trv_obb_bounds(obb(f)));
}

static bool sphere_bounds(const float *f)
{
    return is_box(trv_sphere_bounds(sphere(f)));
}

static bool capsule_bounds(const float *f)
{
    return is_box(trv_capsule_bounds(capsule(f)));
}

static bool segment_bounds(const float *f)
{
    return is_box(trv_segment_bounds(segment(f)));
}

static bool triangle_bounds(const float *f)
{
    return is_box(trv_triangle_bounds(triangle(f)));
}

static bool aabb_closest_point(const float *f)
{
    trv_vec3 p = garbage;
    bool yes = trv_aabb_closest_point(aabb(f), vec(f + 6), &p);
    return checked_point(yes, p);
}

static bool obb_closest_point(const float *f)
{
    trv_vec3 p = garbage;
    bool yes = trv_obb_closest_point(obb(f), vec(f + 10), &p);
    return checked_point(yes, p);
}

static bool segment_closest_point(const float *f)
{
    trv_vec3 p = garbage;
    bool yes = trv_segment_closest_point(segment(f), vec(f + 6), &p);
    return checked_point(yes, p);
}

static bool triangle_closest_point(const float *f)
{
    trv_vec3 p = garbage;
    bool yes = trv_triangle_closest_point(triangle(f), vec(f + 9), &p);
    return checked_point(yes, p);
}

static bool plane_closest_point(const float *f)
{
    trv_vec3 p = garbage;
    bool yes = trv_plane_closest_point(plane(f), vec(f + 4), &p);
    return checked_point(yes, p);
}

typedef bool plane_sweep(float radius, trv_vec3 c0, trv_vec3 c1, trv_plane plane, float *u,
                         trv_vec3 *center);

static bool sweep_plane(plane_sweep *sweep, const float *f)
{
    trv_vec3 center = garbage;
    float u = 9;
    bool yes = sweep(f[0], vec(f + 1), vec(f + 4), plane(f + 7), &u, &center);
    return checked(yes, &u, sizeof u) && checked_point(yes, center);
}

static bool sweep_sphere_plane(const float *f)
{
    return sweep_plane(trv_sweep_sphere_plane, f);
}

static bool sweep_sphere_plane_closed(const float *f)
{
    return sweep_plane(trv_sweep_sphere_plane_closed, f);
}

static bool sweep_sphere_plane_two_sided(const float *f)
{
    return sweep_plane(trv_sweep_sphere_plane_two_sided, f);
}

static bool sweep_sphere_sphere(const float *f)
{
    float u[2] = {9, 9};
    bool yes = trv_sweep_sphere_sphere(f[0], vec(f + 1), vec(f + 4), f[7], vec(f + 8), vec(f + 11),
                                       &u[0], &u[1]);
    return checked(yes, u, sizeof u);
}

static bool sweep_aabb_aabb(const float *f)
{
    float u[2] = {9, 9};
    uint32_t axes = 9;
    bool yes = trv_sweep_aabb_aabb(vec(f), vec(f + 3), vec(f + 6), vec(f + 9), vec(f + 12),
                                   vec(f + 15), &u[0], &u[1], &axes);
    return checked(yes, u, sizeof u) && checked(yes, &axes, sizeof axes);
}

// Of 24 numbers, the first 12 are spoilt here; the other two boxes by the mirrored probe.
static bool sweep_bounds(const float *f)
{
    float u[2] = {9, 9};
    uint32_t axes = 9;
    trv_aabb other = {{-1, -1, -1}, {1, 1, 1}};
    bool yes = trv_sweep_bounds(aabb(f), aabb(f + 6), other, other, &u[0], &u[1], &axes);
    return checked(yes, u, sizeof u) && checked(yes, &axes, sizeof axes);
}

static bool sweep_bounds_mirrored(const float *f)
{
    trv_aabb other = {{-1, -1, -1}, {1, 1, 1}};
    return trv_sweep_bounds(other, other, aabb(f), aabb(f + 6), NULL, NULL, NULL);
}

static bool ray_sphere(const float *f)
{
    return checked_hit(trv_ray_sphere(ray(f), sphere(f + 6)));
}

static bool ray_aabb(const float *f)
{
    return checked_hit(trv_ray_aabb(ray(f), aabb(f + 6)));
}

static bool ray_obb(const float *f)
{
    return checked_hit(trv_ray_obb(ray(f), obb(f + 6)));
}

static bool ray_capsule(const float *f)
{
    return checked_hit(trv_ray_capsule(ray(f), capsule(f + 6)));
}

static bool ray_triangle(const float *f)
{
    return checked_hit(trv_ray_triangle(ray(f), triangle(f + 6)));
}

static bool quadratic_roots(const float *f)
{
    float roots[2] = {9, 9};
    bool yes = trv_quadratic_roots(f[0], f[1], f[2], &roots[0], &roots[1]) > 0;
    return checked(yes, roots, sizeof roots);
}

// clang-format off
#define CUBE  -1, -1, -1, 1, 1, 1
#define BOX   0, 0, 0, 1, 1, 1, 0.1f, 0.2f, 0.3f, 0.9f
#define FLAT  0, -1, -1, 0, 1, -1, 0, 0, 1
static const probe probes[] = {
    {"aabb_contains_point", aabb_contains_point, 9, true, {CUBE, 0, 0, 0}},
    {"aabb_overlaps_aabb", aabb_overlaps_aabb, 12, true, {CUBE, CUBE}},
    {"point_distance", point_distance, 6, false, {0, 0, 0, 1, 1, 1}},
    {"aabb_distance", aabb_distance, 12, false, {CUBE, CUBE}},
    {"sphere_contains_point", sphere_contains_point, 7, false, {0, 0, 0, 1, 0, 0, 0}},
    {"sphere_overlaps_sphere", sphere_overlaps_sphere, 8, false, {0, 0, 0, 1, 0, 0, 0, 1}},
    {"sphere_overlaps_aabb", sphere_overlaps_aabb, 10, false, {0, 0, 0, 1, CUBE}},
    {"sphere_overlaps_obb", sphere_overlaps_obb, 14, false, {0, 0, 0, 1, BOX}},
    {"obb_contains_point", obb_contains_point, 13, false, {BOX, 0, 0, 0}},
    {"obb_overlaps_obb", obb_overlaps_obb, 20, false, {BOX, BOX}},
    {"aabb_separation", aabb_separation, 12, false, {CUBE, CUBE}},
    {"obb_separation", obb_separation, 20, false, {BOX, BOX}},
    {"segment_overlaps_aabb", segment_overlaps_aabb, 12, false, {-2, 0, 0, 2, 0, 0, CUBE}},
    {"segment_overlaps_obb", segment_overlaps_obb, 16, false, {-2, 0, 0, 2, 0, 0, BOX}},
    {"segment_aabb_separation", segment_aabb_separation, 12, false, {-2, 0, 0, 2, 0, 0, CUBE}},
    {"segment_obb_separation", segment_obb_separation, 16, false, {-2, 0, 0, 2, 0, 0, BOX}},
    {"segment_overlaps_triangle", segment_overlaps_triangle, 15, false, {-2, 0, 0, 2, 0, 0, FLAT}},
    {"plane_from_point", plane_from_point, 6, false, {1, 2, 3, 1, 1, 1}},
    {"plane_from_points", plane_from_points, 9, false, {FLAT}},
    {"plane_distance", plane_distance, 7, false, {0, 1, 0, 0, 1, 2, 3}},
    {"obb_radius", obb_radius, 13, false, {BOX, 0, 1, 0}},
    {"aabb_side", aabb_side, 10, false, {CUBE, 0, 1, 0, 5}},
    {"obb_side", obb_side, 14, false, {BOX, 0, 1, 0, 5}},
    {"aabb_overlaps_plane", aabb_overlaps_plane, 10, false, {CUBE, 0, 1, 0, 0}},
    {"obb_overlaps_plane", obb_overlaps_plane, 14, false, {BOX, 0, 1, 0, 0}},
    {"obb_bounds", obb_bounds, 10, false, {BOX}},
    {"sphere_bounds", sphere_bounds, 4, false, {0, 0, 0, 1}},
    {"capsule_bounds", capsule_bounds, 7, false, {0, 0, 0, 1, 1, 1, 1}},
    {"segment_bounds", segment_bounds, 6, false, {0, 0, 0, 1, 1, 1}},
    {"triangle_bounds", triangle_bounds, 9, false, {FLAT}},
    {"aabb_closest_point", aabb_closest_point, 9, false, {CUBE, 2, 2, 2}},
    {"obb_closest_point", obb_closest_point, 13, false, {BOX, 2, 2, 2}},
    {"segment_closest_point", segment_closest_point, 9, false, {-2, 0, 0, 2, 0, 0, 1, 1, 1}},
    {"triangle_closest_point", triangle_closest_point, 12, false, {FLAT, 2, 2, 2}},
    {"plane_closest_point", plane_closest_point, 7, false, {0, 1, 0, 0, 1, 2, 3}},
    {"sweep_sphere_plane", sweep_sphere_plane, 11, false, {1, 0, 3, 0, 0, -3, 0, 0, 1, 0, 0}},
    {"sweep_sphere_plane_closed", sweep_sphere_plane_closed, 11, false,
     {1, 0, 3, 0, 0, -3, 0, 0, 1, 0, 0}},
    {"sweep_sphere_plane_two_sided", sweep_sphere_plane_two_sided, 11, false,
     {1, 0, -3, 0, 0, 3, 0, 0, 1, 0, 0}},
    {"sweep_sphere_sphere", sweep_sphere_sphere, 14, false,
     {1, -3, 0, 0, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0}},
    {"sweep_aabb_aabb", sweep_aabb_aabb, 18, false,
     {1, 1, 1, -3, 0, 0, 3, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0}},
    {"sweep_bounds", sweep_bounds, 12, false, {-5, -1, -1, -4, 1, 1, CUBE}},
    {"sweep_bounds_mirrored", sweep_bounds_mirrored, 12, false, {-5, -1, -1, -4, 1, 1, CUBE}},
    {"ray_sphere", ray_sphere, 10, false, {-3, 0, 0, 6, 0, 0, 0, 0, 0, 1}},
    {"ray_aabb", ray_aabb, 12, false, {-3, 0, 0, 6, 0, 0, CUBE}},
    {"ray_obb", ray_obb, 16, false, {-3, 0, 0, 6, 0, 0, BOX}},
    {"ray_capsule", ray_capsule, 13, false, {-3, 0, 0, 6, 0, 0, 0, -1, 0, 0, 1, 0, 1}},
    {"ray_triangle", ray_triangle, 15, false, {-3, 0, 0, 6, 0, 0, FLAT}},
    {"quadratic_roots", quadratic_roots, 3, false, {1, -3, 2}},
};
// clang-format on

static void spoil_all(float bad, bool infinite)
{
    for (size_t i = 0; i < sizeof probes / sizeof probes[0]; ++i) {
        const probe *p = &probes[i];
        if (!p->yes(p->base)) {
            print_error("%s should say yes to its base\n", p->name);
            fail();
        }
        if (infinite && p->compares_only)
            continue;
        for (int k = 0; k < p->count; ++k) {
            float f[20];
            memcpy(f, p->base, sizeof f);
            f[k] = bad;
            if (p->yes(f)) {
                print_error("%s says yes with %g as number %d\n", p->name, (double)bad, k);
                fail();
            }
        }
    }
}

static void nan_anywhere_says_no(void **state)
{
    (void)state;
    spoil_all(NAN, false);
}

static void infinity_anywhere_says_no(void **state)
{
    (void)state;
    spoil_all(INFINITY, true);
    spoil_all(-INFINITY, true);
}

static void outputs_may_be_null(void **state)
{
    (void)state;
    trv_vec3 a = {-3, 0, 0}, b = {3, 0, 0}, half = {1, 1, 1};
    trv_plane ground = {{1, 0, 0}, 0};
    trv_obb box = {{0, 0, 0}, {1, 1, 1}, trv_identity_quat()};
    trv_aabb bounds = {{-1, -1, -1}, {1, 1, 1}};
    trv_segment line = {a, b};
    trv_triangle corner = {a, b, half};
    assert_true(trv_aabb_separation(bounds, bounds, NULL) && trv_obb_separation(box, box, NULL));
    assert_true(trv_segment_aabb_separation(line, bounds, NULL));
    assert_true(trv_segment_obb_separation(line, box, NULL));
    assert_true(trv_plane_from_point(a, b, NULL) && trv_plane_from_points(a, b, half, NULL));
    assert_true(trv_aabb_closest_point(bounds, a, NULL) && trv_obb_closest_point(box, a, NULL));
    assert_true(trv_segment_closest_point(line, a, NULL));
    assert_true(trv_triangle_closest_point(corner, a, NULL));
    assert_true(trv_plane_closest_point(ground, a, NULL));
    assert_true(trv_sweep_sphere_plane(1, b, a, ground, NULL, NULL));
    assert_true(trv_sweep_sphere_sphere(1, a, b, 1, b, a, NULL, NULL));
    assert_true(trv_sweep_aabb_aabb(half, a, b, half, b, a, NULL, NULL, NULL));
    assert_int_equal(trv_quadratic_roots(1, -3, 2, NULL, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nan_anywhere_says_no),
        cmocka_unit_test(infinity_anywhere_says_no),
        cmocka_unit_test(outputs_may_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
