// Overlap, containment, separation, closest points, planes and roots against exact vectors.
//
// Boxes come as centre and half extents: they go through the OBB tests with the identity rotation,
// and, where min and max are exact (mm_ok=1), through the min/max tests as well.
#include <float.h>
#include <math.h>

#include "vectors.h"
#include <trivet/primitives.h>

#define EPSILON (1.0 / 16777216.0) // 2^-24

static trv_obb read_box(vector_table *table, const char *center, const char *half)
{
    trv_obb box;
    box.center = vector_vec3(table, center);
    box.half = vector_vec3(table, half);
    box.rotation = trv_identity_quat();
    return box;
}

static trv_obb read_obb(vector_table *table, const char *center, const char *half,
                        const char *rotation)
{
    trv_obb box = read_box(table, center, half);
    box.rotation = vector_quat(table, rotation);
    return box;
}

// min and max of a box whose row says that they are exact.
static trv_aabb bounds_of(trv_obb box)
{
    trv_aabb bounds;
    bounds.lower = trv_make_vec3(box.center.x - box.half.x, box.center.y - box.half.y,
                                 box.center.z - box.half.z);
    bounds.upper = trv_make_vec3(box.center.x + box.half.x, box.center.y + box.half.y,
                                 box.center.z + box.half.z);
    return bounds;
}

static trv_plane read_plane(vector_table *table)
{
    trv_plane plane;
    plane.normal = vector_vec3(table, "n");
    plane.offset = vector_float(table, "D");
    return plane;
}

static float component(trv_vec3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static bool run_point_aabb(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_vec3 point = vector_vec3(table, "p");
        trv_obb box = read_box(table, "c", "e");
        vector_check_verdict(table, score, "inside", trv_obb_contains_point(box, point));
        if (vector_flag(table, "mm_ok")) // comparisons only: exact even in the band
            vector_check(table, score, "min/max form",
                         trv_aabb_contains_point(bounds_of(box), point) ==
                             vector_flag(table, "inside"));
    }
    return !table->failed;
}

static bool run_point_sphere(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_vec3 point = vector_vec3(table, "p");
        trv_sphere sphere = {vector_vec3(table, "c"), vector_float(table, "r")};
        double tolerance = vector_tolerance(table, "dist") * vector_number(table, "scale");
        if (vector_check_verdict(table, score, "inside", trv_sphere_contains_point(sphere, point)))
            vector_check_number(table, score, "dist", trv_point_distance(sphere.center, point),
                                tolerance);
    }
    return !table->failed;
}

static bool run_sphere_sphere(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_sphere a = {vector_vec3(table, "a"), vector_float(table, "ra")};
        trv_sphere b = {vector_vec3(table, "b"), vector_float(table, "rb")};
        double tolerance = vector_tolerance(table, "dist") * vector_number(table, "scale");
        if (vector_check_verdict(table, score, "overlap", trv_sphere_overlaps_sphere(a, b)))
            vector_check_number(table, score, "dist", trv_point_distance(a.center, b.center),
                                tolerance);
    }
    return !table->failed;
}

static bool run_sphere_aabb(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_sphere sphere = {vector_vec3(table, "s"), vector_float(table, "r")};
        trv_obb box = read_box(table, "c", "e");
        double scale = vector_number(table, "scale");
        double point_tolerance = vector_tolerance(table, "p") * scale;
        double dist_tolerance = vector_tolerance(table, "dist") * scale;
        trv_vec3 closest = {0.0f, 0.0f, 0.0f};
        if (vector_check_verdict(table, score, "overlap", trv_sphere_overlaps_obb(sphere, box))) {
            vector_check(table, score, "closest point",
                         trv_obb_closest_point(box, sphere.center, &closest));
            vector_check_vec3(table, score, "p", closest, point_tolerance);
            vector_check_number(table, score, "dist", trv_point_distance(closest, sphere.center),
                                dist_tolerance);
        }
        if (!vector_flag(table, "mm_ok"))
            continue;
        trv_aabb bounds = bounds_of(box);
        if (vector_check_verdict(table, score, "overlap",
                                 trv_sphere_overlaps_aabb(sphere, bounds))) {
            vector_check(table, score, "closest point",
                         trv_aabb_closest_point(bounds, sphere.center, &closest));
            vector_check_vec3(table, score, "p", closest, point_tolerance);
            vector_check_number(table, score, "dist", trv_point_distance(closest, sphere.center),
                                dist_tolerance);
        }
    }
    return !table->failed;
}

// sep, axis (unless tied) and dist of two boxes by min and max.
static void check_bounds(vector_table *table, vector_score *score, trv_aabb a, trv_aabb b)
{
    double scale = vector_number(table, "scale");
    trv_axis_separation gap;
    vector_check(table, score, "separation", trv_aabb_separation(a, b, &gap));
    vector_check_number(table, score, "sep", gap.separation,
                        vector_tolerance(table, "sep") * scale);
    if (!vector_flag(table, "tie"))
        vector_check(table, score, "axis", (int)gap.axis == vector_integer(table, "axis"));
    vector_check_number(table, score, "dist", trv_aabb_distance(a, b),
                        vector_tolerance(table, "dist") * scale);
}

static bool run_aabb_overlap(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_obb a = read_box(table, "ca", "ea"), b = read_box(table, "cb", "eb");
        if (vector_check_verdict(table, score, "overlap", trv_obb_overlaps_obb(a, b))) {
            trv_axis_separation gap;
            vector_check(table, score, "separation", trv_obb_separation(a, b, &gap));
            vector_check_number(table, score, "sep", gap.separation,
                                vector_tolerance(table, "sep") * vector_number(table, "scale"));
            if (!vector_flag(table, "tie")) // A's and B's axes are the same
                vector_check(table, score, "axis",
                             (int)(gap.axis % 3) == vector_integer(table, "axis"));
        }
        if (!vector_flag(table, "mm_ok"))
            continue;
        trv_aabb low = bounds_of(a), high = bounds_of(b);
        vector_check(table, score, "min/max form",
                     trv_aabb_overlaps_aabb(low, high) == vector_flag(table, "overlap"));
        if (!vector_in_band(table))
            check_bounds(table, score, low, high);
    }
    return !table->failed;
}

static bool run_aabb_overlap_minmax(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_aabb a = {vector_vec3(table, "amin"), vector_vec3(table, "amax")};
        trv_aabb b = {vector_vec3(table, "bmin"), vector_vec3(table, "bmax")};
        trv_axis_separation gap;
        vector_check_verdict(table, score, "overlap", trv_aabb_overlaps_aabb(a, b));
        vector_check(table, score, "separation", trv_aabb_separation(a, b, &gap));
        double sep = vector_number(table, "sep"); // exact but for its rounding to float32
        vector_check_number(table, score, "sep", gap.separation, EPSILON * fabs(sep) + FLT_MIN);
    }
    return !table->failed;
}

static trv_vec3 unit_axis(uint32_t k)
{
    return trv_make_vec3(k == 0 ? 1.0f : 0.0f, k == 1 ? 1.0f : 0.0f, k == 2 ? 1.0f : 0.0f);
}

// |cosine| of the angle between n and the axis that the index names, computed apart from the
// library's own; 1 for nearly parallel edges, whose cross product float32 cannot tell.
static double named_axis_along(trv_obb a, trv_obb b, uint32_t axis, trv_vec3 n)
{
    uint32_t i = axis < 6 ? axis % 3 : (axis - 6) / 3, j = axis % 3;
    trv_vec3 p = trv_rotate(axis >= 3 && axis < 6 ? b.rotation : a.rotation, unit_axis(i));
    if (axis >= 6) {
        trv_vec3 u = p, v = trv_rotate(b.rotation, unit_axis(j));
        p = trv_make_vec3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
    }
    double length = sqrt((double)p.x * p.x + (double)p.y * p.y + (double)p.z * p.z);
    if (length < 0.1)
        return 1.0;
    return fabs((double)p.x * n.x + (double)p.y * n.y + (double)p.z * n.z) / length;
}

// The normal where it is unique: not tied with an axis of another direction; and of concentric
// boxes, where it may point either way. Parallel axes share it: the index may name any of them.
static void check_axis(vector_table *table, vector_score *score, trv_obb a, trv_obb b,
                       trv_axis_separation gap)
{
    double slack = 256.0 * EPSILON * vector_number(table, "scale");
    if (!(vector_number(table, "gap2") > slack))
        return;
    trv_vec3 n = vector_vec3(table, "n"), got = gap.normal;
    double along = (double)got.x * n.x + (double)got.y * n.y + (double)got.z * n.z;
    double way = ((double)b.center.x - a.center.x) * n.x + ((double)b.center.y - a.center.y) * n.y +
                 ((double)b.center.z - a.center.z) * n.z;
    double wanted = fabs(way) <= slack && along < 0.0 ? -1.0 : 1.0;
    vector_check_near(table, score, "n", along, wanted, 64.0 * EPSILON);
    if ((int)gap.axis != vector_integer(table, "axis"))
        vector_check_near(table, score, "axis", named_axis_along(a, b, gap.axis, n), 1.0, 1.0e-4);
}

static bool run_obb_obb(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_obb a = read_obb(table, "ca", "ea", "qa"), b = read_obb(table, "cb", "eb", "qb");
        trv_axis_separation gap;
        bool overlap = trv_obb_overlaps_obb(a, b);
        vector_check(table, score, "separation", trv_obb_separation(a, b, &gap));
        vector_check(table, score, "one predicate", overlap == (gap.separation <= 0.0f));
        if (!vector_check_verdict(table, score, "overlap", overlap))
            continue;
        vector_check_number(table, score, "sep", gap.separation,
                            vector_tolerance(table, "sep") * vector_number(table, "scale"));
        check_axis(table, score, a, b, gap);
    }
    return !table->failed;
}

static bool run_segment_aabb(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_segment segment = {vector_vec3(table, "p0"), vector_vec3(table, "p1")};
        trv_obb box = read_box(table, "c", "e");
        double tolerance = vector_tolerance(table, "sep") * vector_number(table, "scale");
        trv_axis_separation gap;
        bool overlap = trv_segment_overlaps_obb(segment, box);
        if (vector_check_verdict(table, score, "overlap", overlap)) {
            vector_check(table, score, "separation",
                         trv_segment_obb_separation(segment, box, &gap));
            vector_check_number(table, score, "sep", gap.separation, tolerance);
        }
        if (!vector_flag(table, "mm_ok"))
            continue;
        trv_aabb bounds = bounds_of(box);
        overlap = trv_segment_overlaps_aabb(segment, bounds);
        if (vector_check_verdict(table, score, "overlap", overlap)) {
            vector_check(table, score, "separation",
                         trv_segment_aabb_separation(segment, bounds, &gap));
            vector_check_number(table, score, "sep", gap.separation, tolerance);
        }
    }
    return !table->failed;
}

static bool run_obb_to_aabb(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_obb box = read_obb(table, "c", "e", "q");
        trv_aabb bounds = trv_obb_bounds(box);
        trv_vec3 half = {trv_obb_radius(box, trv_make_vec3(1.0f, 0.0f, 0.0f)),
                         trv_obb_radius(box, trv_make_vec3(0.0f, 1.0f, 0.0f)),
                         trv_obb_radius(box, trv_make_vec3(0.0f, 0.0f, 1.0f))};
        double scale = vector_number(table, "scale");
        vector_check_vec3(table, score, "h", half, vector_tolerance(table, "h") * scale);
        vector_check_vec3(table, score, "min", bounds.lower,
                          vector_tolerance(table, "min") * scale);
        vector_check_vec3(table, score, "max", bounds.upper,
                          vector_tolerance(table, "max") * scale);
        trv_vec3 lower = bounds.lower, upper = bounds.upper;
        double slack = 1e-12 * scale; // rounded outward, never in
        vector_check(table, score, "rounded outward",
                     lower.x <= vector_number(table, "minx") + slack &&
                         lower.y <= vector_number(table, "miny") + slack &&
                         lower.z <= vector_number(table, "minz") + slack &&
                         upper.x >= vector_number(table, "maxx") - slack &&
                         upper.y >= vector_number(table, "maxy") - slack &&
                         upper.z >= vector_number(table, "maxz") - slack);
    }
    return !table->failed;
}

static trv_side wanted_side(vector_table *table)
{
    int side = vector_integer(table, "side");
    return side > 0 ? TRV_SIDE_ABOVE : side < 0 ? TRV_SIDE_BELOW : TRV_SIDE_ON;
}

static bool run_box_plane(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_obb box = read_obb(table, "c", "e", "q");
        trv_plane plane = read_plane(table);
        if (!vector_check_verdict(table, score, "overlap", trv_obb_overlaps_plane(box, plane)))
            continue;
        double scale = vector_number(table, "scale");
        vector_check(table, score, "side", trv_obb_side(box, plane) == wanted_side(table));
        vector_check_number(table, score, "s", trv_plane_distance(plane, box.center),
                            vector_tolerance(table, "s") * scale);
        vector_check_number(table, score, "r", trv_obb_radius(box, plane.normal),
                            vector_tolerance(table, "r") * scale);
        bool turned = box.rotation.x != 0.0f || box.rotation.y != 0.0f || box.rotation.z != 0.0f;
        trv_aabb bounds = bounds_of(box);
        bool exact = !turned;
        for (uint32_t i = 0; i < 3; ++i)
            exact = exact &&
                    (double)component(bounds.lower, i) ==
                        (double)component(box.center, i) - component(box.half, i) &&
                    (double)component(bounds.upper, i) ==
                        (double)component(box.center, i) + component(box.half, i);
        if (exact)
            vector_check(table, score, "side by min/max",
                         trv_aabb_side(bounds, plane) == wanted_side(table));
    }
    return !table->failed;
}

static bool run_plane_from_points(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_plane plane;
        bool made = trv_plane_from_points(vector_vec3(table, "p0"), vector_vec3(table, "p1"),
                                          vector_vec3(table, "p2"), &plane);
        bool degenerate = vector_flag(table, "degenerate");
        if (!vector_check(table, score, "degenerate", made != degenerate) || degenerate)
            continue;
        double spread = 1.0 + vector_number(table, "ncond");
        double tolerance = vector_tolerance(table, "n") * spread;
        if (tolerance > 0.05)
            continue;
        vector_check_vec3(table, score, "n", plane.normal, tolerance);
        vector_check_number(table, score, "D", plane.offset,
                            vector_tolerance(table, "D") * vector_number(table, "scale") * spread);
    }
    return !table->failed;
}

static bool run_quadratic(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        float low, high;
        int count = trv_quadratic_roots(vector_float(table, "a"), vector_float(table, "b"),
                                        vector_float(table, "c"), &low, &high);
        // The number is exact here whatever the condition, which the file does not ask for.
        int wanted = vector_integer(table, "nroots");
        if (!vector_check(table, score, "nroots", count == wanted) || wanted < 1)
            continue;
        double relative = vector_tolerance(table, "roots");
        double condition = vector_number(table, "cond");
        if (isfinite(condition)) // NaN and infinity: the plain tolerance
            relative *= fmax(1.0, condition);
        vector_check_number(table, score, "r_lo", low,
                            relative * fabs(vector_number(table, "r_lo")));
        vector_check_number(table, score, "r_hi", high,
                            relative * fabs(vector_number(table, "r_hi")));
    }
    return !table->failed;
}

const vector_file overlap_vector_files[] = {
    {"point_aabb", run_point_aabb},
    {"point_sphere", run_point_sphere},
    {"sphere_sphere", run_sphere_sphere},
    {"sphere_aabb", run_sphere_aabb},
    {"aabb_overlap", run_aabb_overlap},
    {"aabb_overlap_minmax", run_aabb_overlap_minmax},
    {"obb_obb", run_obb_obb},
    {"segment_aabb", run_segment_aabb},
    {"obb_to_aabb", run_obb_to_aabb},
    {"box_plane", run_box_plane},
    {"plane_from_points", run_plane_from_points},
    {"quadratic", run_quadratic},
    {NULL, NULL},
};
