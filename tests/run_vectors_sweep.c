// Sweeps against exact vectors: verdicts and the first and last times.
#include <math.h>

#include "vectors.h"
#include <trivet/primitives.h>

#define EPSILON (1.0 / 16777216.0) // 2^-24

// |b - a|
static double distance(trv_vec3 a, trv_vec3 b)
{
    double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return sqrt(x * x + y * y + z * z);
}

// A time whose condition is finite and known: N * eps * (scale * condition + 1).
static void check_time(vector_table *table, vector_score *score, const char *column,
                       const char *condition, double got)
{
    double factor = vector_tolerance(table, column), amplified = vector_number(table, condition);
    if (isfinite(amplified))
        vector_check_number(table, score, column, got,
                            factor * (vector_number(table, "scale") * amplified + 1.0));
}

static bool run_sphere_plane(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        float r = vector_float(table, "r"), u = 0.0f, u2 = 0.0f, half_open = 0.0f;
        trv_vec3 c0 = vector_vec3(table, "c0"), c1 = vector_vec3(table, "c1");
        trv_plane plane = {vector_vec3(table, "n"), vector_float(table, "D")};
        trv_vec3 center;
        double scale = vector_number(table, "scale"), condition = vector_number(table, "ucond");
        bool hit = trv_sweep_sphere_plane(r, c0, c1, plane, &half_open, NULL);
        bool closed = trv_sweep_sphere_plane_closed(r, c0, c1, plane, &u, &center);
        bool two_sided = trv_sweep_sphere_plane_two_sided(r, c0, c1, plane, &u2, NULL);
        double near = vector_tolerance(table, "u");
        double tolerance = near * (scale * condition + 1.0);
        if (vector_check_verdict(table, score, "hit", hit)) {
            vector_check(table, score, "hit_closed", closed == vector_flag(table, "hit_closed"));
            if (closed && isfinite(condition)) {
                vector_check_number(table, score, "u", u, tolerance);
                vector_check_vec3(table, score, "ci", center,
                                  vector_tolerance(table, "ci") * scale *
                                      (1.0 + distance(c0, c1) * condition));
            }
            if (hit && isfinite(condition))
                vector_check_number(table, score, "u", half_open, tolerance);
        }
        if (!vector_in_band_of(table, "margin2") &&
            vector_check(table, score, "hit2", two_sided == vector_flag(table, "hit2")) &&
            two_sided) {
            // ucond is of the one-sided hit; for a hit from below it is 1 / |d0 - d1| as well.
            double d0 = vector_number(table, "d0"), d1 = vector_number(table, "d1");
            double own = vector_number(table, "u2") > 0.0 ? 1.0 / fabs(d0 - d1) : condition;
            vector_check_number(table, score, "u2", u2,
                                near * (scale * (isfinite(own) ? own : 0.0) + 1.0));
        }
        double at_plane = 16.0 * EPSILON * scale;
        vector_check_number(table, score, "d0", trv_plane_distance(plane, c0), at_plane);
        vector_check_number(table, score, "d1", trv_plane_distance(plane, c1), at_plane);
    }
    return !table->failed;
}

// Whether shapes touch at the start is a verdict of its own: not asked where u0 is within rounding.
static bool start_is_asked(vector_table *table)
{
    double opens = vector_number(table, "u0"), condition = vector_number(table, "ucond");
    double width = table->band * EPSILON * vector_number(table, "scale") * condition;
    return vector_flag(table, "strict") || condition == 0.0 || opens > width;
}

static bool run_sphere_sphere(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_vec3 a0 = vector_vec3(table, "a0"), a1 = vector_vec3(table, "a1");
        trv_vec3 b0 = vector_vec3(table, "b0"), b1 = vector_vec3(table, "b1");
        float ra = vector_float(table, "ra"), rb = vector_float(table, "rb"), u0 = -1, u1 = -1;
        bool hit = trv_sweep_sphere_sphere(ra, a0, a1, rb, b0, b1, &u0, &u1);
        if (!vector_check_verdict(table, score, "hit", hit) || !hit)
            continue;
        check_time(table, score, "u0", "ucond", u0);
        check_time(table, score, "u1", "econd", u1);
        trv_sphere a = {a0, ra}, b = {b0, rb};
        bool at_start = trv_sphere_overlaps_sphere(a, b);
        if (start_is_asked(table))
            vector_check(table, score, "start_overlap",
                         at_start == vector_flag(table, "start_overlap"));
        vector_check(table, score, "u0 of an overlap at the start", !at_start || u0 == 0.0f);
    }
    return !table->failed;
}

typedef struct box_sweep {
    bool hit;
    float u0, u1;
    uint32_t axes;
} box_sweep;

static void check_box_sweep(vector_table *table, vector_score *score, box_sweep got)
{
    if (!vector_check_verdict(table, score, "hit", got.hit) || !got.hit)
        return;
    check_time(table, score, "u0", "ucond", got.u0);
    check_time(table, score, "u1", "econd", got.u1);
    if (start_is_asked(table))
        vector_check_number(table, score, "axis", got.axes, 0.5);
}

static trv_aabb bounds_of(trv_vec3 center, trv_vec3 half)
{
    trv_aabb bounds;
    bounds.lower = trv_make_vec3(center.x - half.x, center.y - half.y, center.z - half.z);
    bounds.upper = trv_make_vec3(center.x + half.x, center.y + half.y, center.z + half.z);
    return bounds;
}

static bool run_aabb(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        trv_vec3 a0 = vector_vec3(table, "a0"), a1 = vector_vec3(table, "a1");
        trv_vec3 b0 = vector_vec3(table, "b0"), b1 = vector_vec3(table, "b1");
        trv_vec3 ea = vector_vec3(table, "ea"), eb = vector_vec3(table, "eb");
        box_sweep got = {false, -1.0f, -1.0f, 0};
        got.hit = trv_sweep_aabb_aabb(ea, a0, a1, eb, b0, b1, &got.u0, &got.u1, &got.axes);
        check_box_sweep(table, score, got);
        if (!vector_flag(table, "mm_ok"))
            continue;
        trv_aabb start_a = bounds_of(a0, ea), start_b = bounds_of(b0, eb);
        got.hit = trv_sweep_bounds(start_a, bounds_of(a1, ea), start_b, bounds_of(b1, eb), &got.u0,
                                   &got.u1, &got.axes);
        check_box_sweep(table, score, got);
        vector_check(table, score, "start_overlap",
                     trv_aabb_overlaps_aabb(start_a, start_b) ==
                         vector_flag(table, "start_overlap"));
    }
    return !table->failed;
}

const vector_file sweep_vector_files[] = {
    {"sphere_plane_sweep", run_sphere_plane},
    {"sphere_sphere_sweep", run_sphere_sphere},
    {"aabb_sweep", run_aabb},
    {NULL, NULL},
};
