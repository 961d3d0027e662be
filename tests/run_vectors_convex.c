// Convex hulls against exact vectors: pairs (verdict, distance, depth, planes) and rays.
#include <math.h>

#include <trivet/collide.h>

#include "hulls.h"
#include "vectors.h"

#define EPS (1.0 / 16777216.0)

static trvi_dvec3 placed(const trv_hull *hull, uint32_t vertex, trv_pose pose)
{
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    return trvi_dadd(trvi_dmat3_mul(&rotation, trvi_dvec3_from(hull->vertices[vertex])),
                     trvi_dvec3_from(pose.position));
}

// Lowest (sign 1) or highest (sign -1) place of a hull along n.
static double lowest(const trv_hull *hull, trv_pose pose, trvi_dvec3 n, double sign)
{
    double best = HUGE_VAL;
    for (uint32_t v = 0; v < hull->vertex_count; v++)
        best = fmin(best, sign * trvi_ddot(n, placed(hull, v, pose)));
    return sign * best;
}

// How far a point is from a hull's surface planes: 0 inside, else a lower bound on the distance.
static double outside_by(const trv_hull *hull, trv_pose pose, trv_vec3 point)
{
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    trvi_dvec3 local = trvi_dmat3_mul_transposed(
        &rotation, trvi_dsub(trvi_dvec3_from(point), trvi_dvec3_from(pose.position)));
    double most = 0.0;
    for (uint32_t f = 0; f < hull->face_count; f++)
        most = fmax(most, trvi_ddot(trvi_dvec3_from(hull->planes[f].normal), local) +
                              (double)hull->planes[f].offset);
    return most;
}

typedef struct pair_case {
    const trv_hull *a, *b;
    trv_pose pose_a, pose_b;
    double scale;
    int state;
} pair_case;

static void check_gap(vector_table *table, vector_score *score, const pair_case *c)
{
    trv_shape a = trv_make_hull(c->a), b = trv_make_hull(c->b);
    trv_gap gap;
    if (!vector_check(table, score, "trv_distance answers",
                      trv_distance(&a, c->pose_a, &b, c->pose_b, &gap) == TRV_OK))
        return;
    bool apart = c->state == 1;
    double tolerance = vector_tolerance(table, "dist") * c->scale;
    double depth = vector_number(table, "depth");
    double wanted = apart ? vector_number(table, "dist") : -depth;
    if (!isnan(wanted))
        vector_check_near(table, score, "distance", gap.distance, wanted, tolerance);
    trvi_dvec3 n = trvi_dvec3_from(gap.normal);
    vector_check_near(table, score, "length of normal", trvi_dlength(n), 1.0, 1.0e-5);
    if (isnan(wanted))
        return;
    // Along the normal the hulls are as far apart as was said, whether it is unique or not.
    double along = lowest(c->b, c->pose_b, n, 1.0) - lowest(c->a, c->pose_a, n, -1.0);
    vector_check_near(table, score, "gap along the normal", along, wanted, 2.0 * tolerance);
    trvi_dvec3 between = trvi_dsub(trvi_dvec3_from(gap.point_b), trvi_dvec3_from(gap.point_a));
    vector_check_near(table, score, "points lie on the normal", trvi_ddot(between, n), wanted,
                      2.0 * tolerance);
    vector_check_near(table, score, "points are across", trvi_dlength(between), fabs(wanted),
                      2.0 * tolerance);
    vector_check_near(table, score, "point_a in A", outside_by(c->a, c->pose_a, gap.point_a), 0.0,
                      2.0 * tolerance);
    vector_check_near(table, score, "point_b in B", outside_by(c->b, c->pose_b, gap.point_b), 0.0,
                      2.0 * tolerance);
    if (apart && vector_flag(table, "unique")) {
        // Nearest points on flat features move by the root of an error in the distance.
        double loose = tolerance + sqrt(2.0 * tolerance * (wanted + c->scale * EPS));
        vector_check_vec3(table, score, "a", gap.point_a, loose);
        vector_check_vec3(table, score, "b", gap.point_b, loose);
    }
}

static void check_plane(vector_table *table, vector_score *score, const pair_case *c)
{
    trv_shape a = trv_make_hull(c->a), b = trv_make_hull(c->b);
    trv_separation s;
    trv_plane_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int turn = 0; turn < 3; turn++) { // cold, then remembered, and where nobody remembers
        trv_separate(&a, c->pose_a, &b, c->pose_b, turn < 2 ? &cache : NULL, &s);
        vector_check(table, score, "apart as the verdict says", s.apart == (c->state == 1));
        if (!s.apart || c->state != 1)
            continue;
        trvi_dvec3 n = trvi_dvec3_from(s.plane.normal);
        double below = lowest(c->a, c->pose_a, n, -1.0) + (double)s.plane.offset;
        double above = lowest(c->b, c->pose_b, n, 1.0) + (double)s.plane.offset;
        vector_check(table, score, "the plane separates", below < 0.0 && above > 0.0);
        vector_check(table, score, "the plane has a source", s.source != TRV_PLANE_NONE);
    }
}

static void check_manifold(vector_table *table, vector_score *score, const pair_case *c)
{
    trv_shape a = trv_make_hull(c->a), b = trv_make_hull(c->b);
    trv_manifold m;
    vector_check(table, score, "trv_collide answers",
                 trv_collide(&a, c->pose_a, &b, c->pose_b, 0.0f, NULL, &m) == TRV_OK);
    vector_check(table, score, "contact where they meet", (m.count > 0) == (c->state <= 0));
    // Points lie half-way between surfaces that are as far apart as the contact says.
    for (uint32_t i = 0; i < m.count; i++) {
        double near_by = 0.01 * c->scale + fabs((double)m.points[i].separation);
        vector_check(table, score, "a contact is near both",
                     m.points[i].separation <= EPS * c->scale &&
                         outside_by(c->a, c->pose_a, m.points[i].point) <= near_by &&
                         outside_by(c->b, c->pose_b, m.points[i].point) <= near_by);
    }
}

static bool run_pairs(const char *directory, const char *pool_name, vector_table *table,
                      vector_score *score)
{
    hull_pool pool;
    if (!hull_pool_read(&pool, directory, pool_name)) {
        hull_pool_free(&pool);
        return false;
    }
    while (vector_next(table, score)) {
        size_t ha = (size_t)vector_integer(table, "ha"), hb = (size_t)vector_integer(table, "hb");
        if (ha >= pool.count || hb >= pool.count || !pool.hulls[ha] || !pool.hulls[hb]) {
            vector_check(table, score, "hull ids", false);
            continue;
        }
        pair_case c = {pool.hulls[ha],
                       pool.hulls[hb],
                       {vector_vec3(table, "pa"), vector_quat(table, "qa")},
                       {vector_vec3(table, "pb"), vector_quat(table, "qb")},
                       vector_number(table, "scale"),
                       vector_integer(table, "state")};
        trv_shape a = trv_make_hull(c.a), b = trv_make_hull(c.b);
        bool overlap = false;
        trv_overlap(&a, c.pose_a, &b, c.pose_b, &overlap);
        if (!vector_in_band(table)) {
            if (!vector_check(table, score, "verdict", overlap == (c.state <= 0)))
                continue;
            check_plane(table, score, &c);
            check_manifold(table, score, &c);
        } else {
            score->in_band++;
        }
        check_gap(table, score, &c);
    }
    hull_pool_free(&pool);
    return !table->failed;
}

static bool run_hull_pairs(const char *directory, vector_table *table, vector_score *score)
{
    return run_pairs(directory, "hulls", table, score);
}

static bool run_hull_pairs_big(const char *directory, vector_table *table, vector_score *score)
{
    return run_pairs(directory, "hulls_big", table, score);
}

// The ray's direction times its length: a power of two where the vectors' ray has no end.
static trv_ray read_ray(vector_table *table, double *length)
{
    double end = vector_number(table, "tmax");
    trv_vec3 d = vector_vec3(table, "d");
    *length = end;
    if (isinf(end)) {
        double reach = 16.0 * vector_number(table, "scale") / trvi_dlength(trvi_dvec3_from(d));
        *length = 1.0;
        while (*length < reach)
            *length *= 2.0;
        while (*length > 2.0 * reach)
            *length *= 0.5;
    }
    trv_vec3 travel = trvi_vec3_from_double(trvi_dscale(trvi_dvec3_from(d), *length));
    return (trv_ray){vector_vec3(table, "o"), travel};
}

static void check_ray(vector_table *table, vector_score *score, const trv_hull *hull)
{
    trv_pose pose = {vector_vec3(table, "p"), vector_quat(table, "q")};
    trv_shape shape = trv_make_hull(hull);
    double length, scale = vector_number(table, "scale"), cond = vector_number(table, "tcond");
    trv_ray ray = read_ray(table, &length);
    trv_ray_hit hit;
    if (!vector_check(table, score, "trv_shape_cast_ray answers",
                      trv_shape_cast_ray(&shape, pose, ray, &hit) == TRV_OK))
        return;
    if (!vector_check_verdict(table, score, "hit", hit.hit) || !hit.hit || isinf(cond))
        return;
    double t = vector_number(table, "t");
    vector_check_near(table, score, "t", hit.fraction * length, t,
                      vector_tolerance(table, "t") * (scale * cond + t));
    vector_check_verdict(table, score, "inside", hit.inside);
    if (!hit.inside && !isnan(vector_number(table, "nx"))) {
        trvi_dvec3 n = trvi_dvec3_from(vector_vec3(table, "n"));
        double cosine = trvi_ddot(n, trvi_dvec3_from(hit.normal));
        vector_check(table, score, "normal", cosine > 0.999);
    }
}

static bool run_ray_hull(const char *directory, vector_table *table, vector_score *score)
{
    hull_pool pool;
    if (!hull_pool_read(&pool, directory, "hulls")) {
        hull_pool_free(&pool);
        return false;
    }
    while (vector_next(table, score)) {
        size_t h = (size_t)vector_integer(table, "h");
        if (vector_check(table, score, "hull id", h < pool.count && pool.hulls[h] != NULL))
            check_ray(table, score, pool.hulls[h]);
    }
    hull_pool_free(&pool);
    return !table->failed;
}

const vector_file convex_vector_files[] = {
    {"hull_pairs", run_hull_pairs},
    {"hull_pairs_big", run_hull_pairs_big},
    {"ray_hull", run_ray_hull},
    {NULL, NULL},
};
