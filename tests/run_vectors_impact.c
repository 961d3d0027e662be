// Moving convex hulls against exact vectors: whether, when and with which normal they first touch.
#include <math.h>

#include <trivet/collide.h>

#include "hulls.h"
#include "vectors.h"

#define EPSILON (1.0 / 16777216.0) // 2^-24

typedef struct impact_case {
    trv_shape a, b;
    trv_motion motion_a, motion_b;
} impact_case;

// Whether they touch at the start is a verdict of its own: where the first time is within rounding of
// it, it is not asked; nor where they touch there without overlap, unless the row is strict.
static bool start_is_asked(vector_table *table)
{
    double t = vector_number(table, "t"), condition = vector_number(table, "tcond");
    double width = table->band * EPSILON * (vector_number(table, "scale") * condition + 1.0);
    if (vector_flag(table, "strict") || vector_integer(table, "hit") == 0)
        return true;
    return condition == 0.0 || (isfinite(condition) && t > width);
}

static void check_hit(vector_table *table, vector_score *score, const trv_impact_hit *hit)
{
    double scale = vector_number(table, "scale"), condition = vector_number(table, "tcond");
    if (start_is_asked(table))
        vector_check(table, score, "start", hit->start == vector_flag(table, "start"));
    if (isfinite(condition))
        vector_check_number(table, score, "t", hit->fraction,
                            vector_tolerance(table, "t") * (scale * condition + 1.0));
    trvi_dvec3 wanted = trvi_dvec3_from(vector_vec3(table, "n"));
    trvi_dvec3 n = trvi_dvec3_from(hit->normal);
    vector_check_near(table, score, "length of normal", trvi_dlength(n), 1.0, 1.0e-6);
    if (!isnan(wanted.x) && !hit->start)
        vector_check_near(table, score, "normal", trvi_dlength(trvi_dsub(n, wanted)), 0.0, 1.0e-4);
}

// At the time that was found the shapes are in contact, and along the normal.
static void check_contact(vector_table *table, vector_score *score, const impact_case *c,
                          const trv_impact_hit *hit)
{
    trv_pose pose_a = trv_motion_at(&c->motion_a, hit->fraction);
    trv_pose pose_b = trv_motion_at(&c->motion_b, hit->fraction);
    trv_gap gap;
    double scale = vector_number(table, "scale");
    vector_check(table, score, "trv_distance answers",
                 trv_distance(&c->a, pose_a, &c->b, pose_b, &gap) == TRV_OK);
    double way = trvi_dlength(
        trvi_dsub(trvi_dvec3_from(c->motion_a.travel), trvi_dvec3_from(c->motion_b.travel)));
    if (!hit->start)
        vector_check_near(table, score, "distance at the first time", gap.distance, 0.0,
                          16.0 * EPSILON * (scale + way));
}

static void check_case(vector_table *table, vector_score *score, const impact_case *c)
{
    trv_impact_hit hit, span;
    float last = -1.0f;
    if (!vector_check(table, score, "trv_impact answers",
                      trv_impact(&c->a, &c->motion_a, &c->b, &c->motion_b, &hit) == TRV_OK))
        return;
    if (!vector_check_verdict(table, score, "hit", hit.hit))
        return;
    trv_impact_span(&c->a, &c->motion_a, &c->b, &c->motion_b, &span, &last);
    vector_check(table, score, "the span begins with the impact",
                 span.hit == hit.hit && span.start == hit.start && span.fraction == hit.fraction);
    if (!hit.hit)
        return;
    vector_check(table, score, "the last time follows the first",
                 last >= hit.fraction && last <= 1.0f);
    check_hit(table, score, &hit);
    check_contact(table, score, c, &hit);
}

static bool run(const char *directory, vector_table *table, vector_score *score, bool turns)
{
    hull_pool pool;
    if (!hull_pool_read(&pool, directory, "hulls")) {
        hull_pool_free(&pool);
        return false;
    }
    while (vector_next(table, score)) {
        size_t ha = (size_t)vector_integer(table, "ha"), hb = (size_t)vector_integer(table, "hb");
        if (!vector_check(table, score, "hull ids",
                          ha < pool.count && hb < pool.count && pool.hulls[ha] != NULL &&
                              pool.hulls[hb] != NULL))
            continue;
        impact_case c;
        memset(&c, 0, sizeof c);
        c.a = trv_make_hull(pool.hulls[ha]);
        c.b = trv_make_hull(pool.hulls[hb]);
        c.motion_a.pose = (trv_pose){vector_vec3(table, "pa"), vector_quat(table, "qa")};
        c.motion_b.pose = (trv_pose){vector_vec3(table, "pb"), vector_quat(table, "qb")};
        c.motion_a.travel = vector_vec3(table, "va");
        c.motion_b.travel = vector_vec3(table, "vb");
        if (turns) {
            c.motion_a.turn = vector_vec3(table, "wa");
            c.motion_b.turn = vector_vec3(table, "wb");
        }
        check_case(table, score, &c);
    }
    hull_pool_free(&pool);
    return !table->failed;
}

static bool run_linear(const char *directory, vector_table *table, vector_score *score)
{
    return run(directory, table, score, false);
}

static bool run_rotation(const char *directory, vector_table *table, vector_score *score)
{
    return run(directory, table, score, true);
}

const vector_file impact_vector_files[] = {
    {"toi_linear", run_linear},
    {"toi_rot", run_rotation},
    {NULL, NULL},
};
