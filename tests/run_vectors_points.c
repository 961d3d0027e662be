// Hulls of one to four points, degenerate ones too, against exact vectors.
#include <math.h>

#include <trivet/collide.h>

#include "math/math.h"
#include "vectors.h"

typedef struct point_set {
    trv_vec3 points[4];
    uint32_t count;
} point_set;

static point_set read_set(vector_table *table, char letter, const char *count)
{
    point_set set = {.count = (uint32_t)vector_integer(table, count)};
    if (set.count < 1 || set.count > 4) {
        vector_fail(table, "%s is not 1..4", count);
        set.count = 1;
    }
    for (uint32_t i = 0; i < set.count; i++) {
        const char digit = (char)('0' + i);
        const char x[] = {letter, 'x', digit, '\0'}, y[] = {letter, 'y', digit, '\0'};
        const char z[] = {letter, 'z', digit, '\0'};
        set.points[i] =
            (trv_vec3){vector_float(table, x), vector_float(table, y), vector_float(table, z)};
    }
    return set;
}

static double segment_distance(trvi_dvec3 a, trvi_dvec3 b)
{
    trvi_dvec3 d = trvi_dsub(b, a);
    double square = trvi_ddot(d, d), share = square > 0.0 ? -trvi_ddot(a, d) / square : 0.0;
    return trvi_dlength(trvi_dmul_add(a, d, fmin(fmax(share, 0.0), 1.0)));
}

// Of the origin from a triangle: from its plane where it is over it, else from its sides.
static double triangle_distance(trvi_dvec3 a, trvi_dvec3 b, trvi_dvec3 c)
{
    double best =
        fmin(segment_distance(a, b), fmin(segment_distance(b, c), segment_distance(c, a)));
    trvi_dvec3 n = trvi_dcross(trvi_dsub(b, a), trvi_dsub(c, a));
    bool over = trvi_ddot(n, trvi_dcross(a, b)) > 0.0 && trvi_ddot(n, trvi_dcross(b, c)) > 0.0 &&
                trvi_ddot(n, trvi_dcross(c, a)) > 0.0;
    return over ? fmin(best, fabs(trvi_ddot(n, a)) / trvi_dlength(n)) : best;
}

// Of a point from the set's hull, whatever its shape: from the nearest of its parts.
static double distance_from(const point_set *set, trv_vec3 point)
{
    trvi_dvec3 v[4];
    double best = HUGE_VAL, sides[4];
    for (uint32_t i = 0; i < set->count; i++) {
        v[i] = trvi_dsub(trvi_dvec3_from(set->points[i]), trvi_dvec3_from(point));
        best = fmin(best, trvi_dlength(v[i]));
        for (uint32_t j = 0; j < i; j++) {
            best = fmin(best, segment_distance(v[i], v[j]));
            for (uint32_t k = 0; k < j; k++)
                best = fmin(best, triangle_distance(v[i], v[j], v[k]));
        }
    }
    if (set->count < 4)
        return best;
    for (int i = 0; i < 4;
         i++) { // inside: with each corner replaced by the origin, one orientation
        trvi_dvec3 w[4] = {v[0], v[1], v[2], v[3]};
        w[i] = (trvi_dvec3){0.0, 0.0, 0.0};
        sides[i] = trvi_ddot(trvi_dcross(trvi_dsub(w[1], w[0]), trvi_dsub(w[2], w[0])),
                             trvi_dsub(w[3], w[0]));
    }
    bool plus = sides[0] > 0.0 && sides[1] > 0.0 && sides[2] > 0.0 && sides[3] > 0.0;
    bool minus = sides[0] < 0.0 && sides[1] < 0.0 && sides[2] < 0.0 && sides[3] < 0.0;
    return plus || minus ? 0.0 : best;
}

// Lowest (sign 1) or highest (sign -1) place of a set along n.
static double lowest(const point_set *set, trvi_dvec3 n, double sign)
{
    double best = HUGE_VAL;
    for (uint32_t i = 0; i < set->count; i++)
        best = fmin(best, sign * trvi_ddot(n, trvi_dvec3_from(set->points[i])));
    return sign * best;
}

static void check_gap(vector_table *table, vector_score *score, const point_set *a,
                      const point_set *b, const trv_gap *gap)
{
    double scale = vector_number(table, "scale"), margin = vector_number(table, "margin");
    double tolerance = vector_tolerance(table, "dist") * scale;
    double dist = vector_number(table, "dist");
    vector_check_near(table, score, "dist", fmax(gap->distance, 0.0), dist, tolerance);
    vector_check_near(table, score, "signed distance", gap->distance, margin, tolerance);
    // What is said holds of the points and the normal that come with it, unique or not.
    trvi_dvec3 n = trvi_dvec3_from(gap->normal);
    trvi_dvec3 between = trvi_dsub(trvi_dvec3_from(gap->point_b), trvi_dvec3_from(gap->point_a));
    double along = lowest(b, n, 1.0) - lowest(a, n, -1.0);
    vector_check_near(table, score, "length of normal", trvi_dlength(n), 1.0, 1.0e-6);
    vector_check_near(table, score, "gap along the normal", along, margin, tolerance);
    vector_check_near(table, score, "points are across", trvi_dlength(between), fabs(margin),
                      tolerance);
    vector_check_near(table, score, "points lie on the normal", trvi_ddot(between, n), margin,
                      tolerance);
    vector_check_near(table, score, "p in A", distance_from(a, gap->point_a), 0.0, tolerance);
    vector_check_near(table, score, "q in B", distance_from(b, gap->point_b), 0.0, tolerance);
    if (vector_flag(table, "unique") && !vector_flag(table, "overlap")) {
        // Where the distance is flat about its least, the points move by the root of an error in it.
        double loose = tolerance + sqrt(2.0 * tolerance * (dist + tolerance));
        vector_check_vec3(table, score, "p", gap->point_a, loose);
        vector_check_vec3(table, score, "q", gap->point_b, loose);
    }
}

static bool run_simplex_dist(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        point_set a = read_set(table, 'a', "na"), b = read_set(table, 'b', "nb");
        trv_pose pose = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
        trv_gap gap, back;
        if (!vector_check(table, score, "trv_distance_points answers",
                          trv_distance_points(a.points, a.count, pose, b.points, b.count, pose,
                                              &gap) == TRV_OK &&
                              trv_distance_points(b.points, b.count, pose, a.points, a.count, pose,
                                                  &back) == TRV_OK))
            continue;
        vector_check_verdict(table, score, "overlap", gap.distance <= 0.0f);
        check_gap(table, score, &a, &b, &gap);
        // Turned round, and in the other order, the answer is mirrored.
        trv_gap mirrored = {.distance = back.distance,
                            .normal = trvi_negate(back.normal),
                            .point_a = back.point_b,
                            .point_b = back.point_a};
        check_gap(table, score, &a, &b, &mirrored);
    }
    return !table->failed;
}

const vector_file points_vector_files[] = {
    {"simplex_dist", run_simplex_dist},
    {NULL, NULL},
};
