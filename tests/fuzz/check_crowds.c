// Compounds against brute force: every pair of parts is asked as two shapes of their own.
#include "crowd.h"
#include "moving.h"
#include "solid.h"

#include <string.h>

enum { PAIRS = CROWD_PARTS * CROWD_PARTS };

typedef struct crowds {
    const fuzz_crowd *a, *b;
    const fuzz_scene *scene;
    float gaps[CROWD_PARTS][CROWD_PARTS]; // of parts, in poses rounded to float32
    double least;                         // of the gaps
    double scale, near;                   // lengths, and how far off gaps may be by that rounding
} crowds;

static double reach_in_world(const fuzz_crowd *crowd, trv_pose pose)
{
    double far_off = trvi_dlength(trvi_dvec3_from(pose.position)), most = 0.0;
    for (uint32_t i = 0; i < crowd->count; i++) {
        const trv_compound_part *part = &crowd->parts[i];
        double reach = shape_reach(&part->shape);
        if (crowd->is_compound)
            reach += trvi_dlength(trvi_dvec3_from(part->pose.position));
        most = fmax(most, reach);
    }
    return far_off + most;
}

static trv_gap gap_of(const crowds *c, uint32_t i, uint32_t j)
{
    trv_gap gap;
    const trv_shape *a = &c->a->parts[i].shape, *b = &c->b->parts[j].shape;
    trv_result result = trv_distance(a, crowd_pose(c->a, c->scene->pose_a, i), b,
                                     crowd_pose(c->b, c->scene->pose_b, j), &gap);
    demand(result == TRV_OK || result == TRV_ERROR_RANGE);
    if (result == TRV_ERROR_RANGE)
        gap.distance = NAN; // beyond the world
    return gap;
}

// False where parts are so far out that they cannot be asked alone.
static bool measure(crowds *c)
{
    const fuzz_scene *s = c->scene;
    c->scale = reach_in_world(c->a, s->pose_a) + reach_in_world(c->b, s->pose_b);
    c->near = 6.0e-7 * c->scale;
    c->least = HUGE_VAL;
    for (uint32_t i = 0; i < c->a->count; i++) {
        for (uint32_t j = 0; j < c->b->count; j++) {
            c->gaps[i][j] = gap_of(c, i, j).distance;
            if (!(fabsf(c->gaps[i][j]) < HUGE_VALF))
                return false;
            c->least = fmin(c->least, c->gaps[i][j]);
        }
    }
    return true;
}

static bool is_pair(const crowds *c, uint32_t i, uint32_t j)
{
    return i < c->a->count && j < c->b->count;
}

static void tell(const crowds *c, const char *name, double value)
{
    scene_note(name, value);
    scene_note("least of parts", c->least);
    scene_note("tolerance", c->near);
}

static void check_gap(const crowds *c)
{
    const fuzz_scene *s = c->scene;
    trv_gap gap;
    memset(&gap, 0x55, sizeof gap);
    demand(trv_distance(&c->a->shape, s->pose_a, &c->b->shape, s->pose_b, &gap) == TRV_OK);
    demand(is_pair(c, gap.part_a, gap.part_b));
    double part = c->gaps[gap.part_a][gap.part_b];
    if (!(fabs(gap.distance - c->least) <= c->near && fabs(part - c->least) <= 2.0 * c->near))
        tell(c, "distance", gap.distance);
    demand(fabs(gap.distance - c->least) <= c->near);
    demand(fabs(part - c->least) <= 2.0 * c->near);
    demand(fabs(trvi_dlength(trvi_dvec3_from(gap.normal)) - 1.0) < 1.0e-5);
    trvi_dvec3 way = trvi_dsub(trvi_dvec3_from(gap.point_b), trvi_dvec3_from(gap.point_a));
    trvi_dvec3 n = trvi_dvec3_from(gap.normal);
    double miss = trvi_dlength(trvi_dsub(way, trvi_dscale(n, gap.distance)));
    if (!(miss <= 2.0 * c->near))
        tell(c, "points miss by", miss);
    demand(miss <= 2.0 * c->near);
}

static void check_verdict(const crowds *c)
{
    const fuzz_scene *s = c->scene;
    trv_plane_cache caches[2] = {s->cache};
    trv_separation cold, warm;
    bool overlap;
    const trv_shape *a = &c->a->shape, *b = &c->b->shape;
    demand(trv_separate(a, s->pose_a, b, s->pose_b, NULL, &cold) == TRV_OK);
    demand(trv_overlap(a, s->pose_a, b, s->pose_b, &overlap) == TRV_OK);
    bool certain = fabs(c->least) > 1.0e-4 * c->near; // exact but for rounding in double ...
    if (certain || !c->a->is_compound || !c->b->is_compound)
        demand(overlap == !cold.apart);
    if (fabs(c->least) > c->near && cold.apart != (c->least > 0.0))
        tell(c, "apart", cold.apart);
    if (fabs(c->least) > c->near) // ... and of the parts placed in float32
        demand(cold.apart == (c->least > 0.0));
    if (cold.apart) {
        demand(is_pair(c, cold.part_a, cold.part_b) && cold.gap > 0.0f);
        if (!(cold.gap <= c->least + c->near))
            tell(c, "gap", cold.gap);
        demand(cold.gap <= c->least + c->near);
    }
    for (int i = 0; i < 4; i++) { // each cache twice
        demand(trv_separate(a, s->pose_a, b, s->pose_b, &caches[i / 2], &warm) == TRV_OK);
        demand(warm.apart == cold.apart || !certain);
        if (warm.apart && !(warm.gap > 0.0f && warm.gap <= c->least + c->near))
            tell(c, "gap of the plane remembered", warm.gap);
        if (warm.apart)
            demand(warm.gap > 0.0f && warm.gap <= c->least + c->near);
    }
}

// How many pairs of parts are surely, or may be, closer than the margin.
static uint32_t count_near(const crowds *c, double slack)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->a->count; i++)
        for (uint32_t j = 0; j < c->b->count; j++)
            count += (double)c->gaps[i][j] < (double)c->scene->margin + slack;
    return count;
}

static void check_manifolds(const crowds *c)
{
    const fuzz_scene *s = c->scene;
    const trv_shape *a = &c->a->shape, *b = &c->b->shape;
    trv_manifold manifolds[PAIRS + 1], single;
    uint32_t needed, count;
    trv_result result = trv_collide_all(a, s->pose_a, b, s->pose_b, s->margin, NULL, 0, &needed);
    demand(result == (needed > 0 ? TRV_ERROR_LIMIT : TRV_OK));
    if (!(needed >= count_near(c, -c->near) && needed <= count_near(c, c->near))) {
        tell(c, "pairs", needed);
        scene_note("at least", count_near(c, -c->near));
        scene_note("at most", count_near(c, c->near));
    }
    demand(needed >= count_near(c, -c->near) && needed <= count_near(c, c->near));
    result = trv_collide_all(a, s->pose_a, b, s->pose_b, s->margin, manifolds, needed, &count);
    demand(result == TRV_OK && count == needed);
    for (uint32_t i = 0; i < count; i++) {
        const trv_manifold *m = &manifolds[i];
        demand(is_pair(c, m->part_a, m->part_b) && m->count > 0);
        demand(m->count <= TRV_MANIFOLD_POINTS);
        demand(c->gaps[m->part_a][m->part_b] <= s->margin + c->near);
        if (i > 0)
            demand(m[-1].part_a < m->part_a ||
                   (m[-1].part_a == m->part_a && m[-1].part_b < m->part_b));
        for (uint32_t k = 0; k < m->count; k++)
            demand(fabsf(m->points[k].separation) < HUGE_VALF &&
                   trvi_dlength(trvi_dvec3_from(m->points[k].point)) < HUGE_VAL);
    }
    result = trv_collide(a, s->pose_a, b, s->pose_b, s->margin, NULL, &single);
    demand(result == (c->a->is_compound || c->b->is_compound ? TRV_ERROR_KIND : TRV_OK));
    if (needed < 2)
        return;
    memset(manifolds, 0x55, sizeof manifolds);
    result = trv_collide_all(a, s->pose_a, b, s->pose_b, s->margin, manifolds, needed - 1, &count);
    demand(result == TRV_ERROR_LIMIT && count == needed && manifolds[0].count == 0);
}

static void check_bounds(const crowds *c, const fuzz_crowd *crowd, trv_pose pose)
{
    trv_aabb all, sum = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}}, one;
    float margin = c->scene->margin, near = (float)c->near + 1.0e-6f * margin;
    trv_result result = trv_bounds_of_shape(&crowd->shape, pose, margin, &all);
    if (crowd->shape.kind == TRV_SHAPE_PLANE) {
        demand(result == TRV_ERROR_KIND);
        return;
    }
    demand(result == TRV_OK);
    for (uint32_t i = 0; i < crowd->count; i++) {
        demand(trv_bounds_of_shape(&crowd->parts[i].shape, crowd_pose(crowd, pose, i), margin,
                                   &one) == TRV_OK);
        sum = i == 0 ? one : trvi_aabb_union(sum, one);
    }
    trv_vec3 low = trvi_sub(all.lower, sum.lower), high = trvi_sub(all.upper, sum.upper);
    demand(fabsf(low.x) <= near && fabsf(low.y) <= near && fabsf(low.z) <= near);
    demand(fabsf(high.x) <= near && fabsf(high.y) <= near && fabsf(high.z) <= near);
}

// The nearest of what the parts say, but for rays that graze.
static void check_ray(const crowds *c, const fuzz_crowd *crowd, trv_pose pose)
{
    trv_ray ray = c->scene->ray;
    trv_ray_hit hit, one;
    uint32_t part = UINT32_MAX;
    memset(&hit, 0x55, sizeof hit);
    trv_result result = trv_compound_cast_ray(crowd->compound, pose, ray, &hit, &part);
    if (!crowd->is_compound) {
        demand(result == TRV_ERROR_NULL && !hit.hit);
        return;
    }
    demand(trv_shape_cast_ray(&crowd->shape, pose, ray, &one) == result);
    demand(one.hit == hit.hit && one.fraction == hit.fraction);
    if (result != TRV_OK || !hit.hit)
        return;
    demand(part < crowd->count && hit.fraction >= 0.0f && hit.fraction <= 1.0f);
    demand(!hit.inside || hit.fraction == 0.0f);
    // The point is on the part that is told.
    double way = trvi_dlength(trvi_dvec3_from(ray.travel));
    double room = 8.0e-6 * (c->scale + way + trvi_dlength(trvi_dvec3_from(ray.origin)));
    fuzz_solid solid;
    trv_pose placed = crowd_pose(crowd, pose, part);
    solid_set(&solid, &crowd->parts[part].shape, placed, trvi_dvec3_from(pose.position));
    if (!(solid.thickness > 0.0))
        return; // too small for double to measure
    trv_shape point = trv_make_sphere((trv_vec3){0.0f, 0.0f, 0.0f}, 1.0e-6f);
    trv_gap gap;
    if (trv_distance(&point, trv_make_pose(hit.point), &crowd->parts[part].shape, placed, &gap) !=
        TRV_OK)
        return;
    if (!(gap.distance <= room)) {
        scene_note("hit off the part by", gap.distance);
        scene_note("tolerance", room);
    }
    demand(gap.distance <= room);
}

static bool check_refused(const crowds *c)
{
    static const trv_gap no_gap;
    static const trv_separation no_plane;
    const fuzz_scene *s = c->scene;
    const trv_shape *a = &c->a->shape, *b = &c->b->shape;
    trv_gap gap;
    trv_separation apart;
    trv_plane_cache cache = s->cache;
    trv_manifold manifold;
    uint32_t count;
    bool overlap = true, good_margin = s->margin >= 0.0f && s->margin <= TRV_COORD_MAX;
    memset(&gap, 0x55, sizeof gap);
    memset(&apart, 0x55, sizeof apart);
    trv_result result = trv_distance(a, s->pose_a, b, s->pose_b, &gap);
    demand(trv_overlap(a, s->pose_a, b, s->pose_b, &overlap) == result);
    demand(trv_separate(a, s->pose_a, b, s->pose_b, &cache, &apart) == result);
    trv_result all = trv_collide_all(a, s->pose_a, b, s->pose_b, s->margin, &manifold, 1, &count);
    demand(all == TRV_OK || all == TRV_ERROR_LIMIT || (all == result || !good_margin));
    if (result == TRV_OK)
        return good_margin;
    demand(memcmp(&gap, &no_gap, sizeof gap) == 0 && !overlap && count == 0);
    demand(memcmp(&apart, &no_plane, sizeof apart) == 0);
    return false;
}

bool check_crowds(const fuzz_crowd *a, const fuzz_crowd *b, const fuzz_scene *scene)
{
    crowds c = {.a = a, .b = b, .scene = scene};
    if (!check_refused(&c))
        return false;
    if (!measure(&c))
        return true;
    check_gap(&c);
    check_verdict(&c);
    check_manifolds(&c);
    check_bounds(&c, a, scene->pose_a);
    check_bounds(&c, b, scene->pose_b);
    check_ray(&c, a, scene->pose_a);
    check_ray(&c, b, scene->pose_b);
    return true;
}
