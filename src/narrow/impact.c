// Time of impact: the public questions about moving shapes, their checks, and the door for the
// world.
//
// Based on: see impact_search.c and impact_compound.c.
#include "impact.h"

#include <string.h>

#include "questions.h"

static void tell(const trvi_impact_times *times, trv_impact_hit *out)
{
    out->hit = times->hit;
    out->start = times->start;
    out->fraction = trvi_round_down(times->first); // never later
    out->normal = trvi_vec3_from_double(times->normal);
    out->point = trvi_vec3_from_double(times->point);
    out->part_a = times->part_a;
    out->part_b = times->part_b;
}

static void find(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                 const trv_motion *motion_b, const trvi_impact_goal *goal, trvi_impact_times *out)
{
    if (trvi_has_compound(a, b)) {
        trvi_impact_compound(a, motion_a, b, motion_b, goal, out);
        return;
    }
    trvi_actor actor_a = {a, NULL, motion_a}, actor_b = {b, NULL, motion_b};
    trvi_impact_pair(&actor_a, &actor_b, goal, out);
}

void trvi_impact_find(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                      const trv_motion *motion_b, bool want_last, trvi_impact_times *out)
{
    trvi_impact_goal goal = {1.0, 0.0, NULL, want_last, false, 0};
    find(a, motion_a, b, motion_b, &goal, out);
}

void trvi_impact(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                 const trv_motion *motion_b, const trvi_impact_options *options,
                 trv_impact_hit *out)
{
    trvi_impact_times times;
    trvi_impact_goal goal = {1.0, 0.0, NULL, false, false, 0};
    memset(out, 0, sizeof *out);
    if (a->kind == TRV_SHAPE_PLANE && b->kind == TRV_SHAPE_PLANE)
        return;
    if (options != NULL) {
        goal.until = options->max_fraction;
        goal.margin = options->margin;
        goal.cache = options->cache;
        goal.times_only = options->times_only;
        goal.steps = options->steps;
    }
    find(a, motion_a, b, motion_b, &goal, &times);
    tell(&times, out);
}

trv_motion trv_make_motion(trv_pose pose)
{
    trv_motion motion;
    memset(&motion, 0, sizeof motion);
    motion.pose = pose;
    return motion;
}

trv_result trvi_check_motion(const trv_motion *motion)
{
    trv_result result = trvi_check_pose(motion->pose);
    if (result == TRV_OK)
        result = trvi_check_vec3(motion->travel);
    if (result == TRV_OK)
        result = trvi_check_vec3(motion->turn);
    if (result == TRV_OK)
        result = trvi_check_vec3(motion->center_local);
    return result;
}

static trv_result check_motions(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                                const trv_motion *motion_b)
{
    if (motion_a == NULL || motion_b == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_question(a, motion_a->pose, b, motion_b->pose);
    if (result == TRV_OK)
        result = trvi_check_motion(motion_a);
    if (result == TRV_OK)
        result = trvi_check_motion(motion_b);
    return result;
}

trv_result trv_impact(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                      const trv_motion *motion_b, trv_impact_hit *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    trv_result result = check_motions(a, motion_a, b, motion_b);
    if (result == TRV_OK)
        trvi_impact(a, motion_a, b, motion_b, NULL, out);
    return result;
}

trv_result trv_impact_span(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                           const trv_motion *motion_b, trv_impact_hit *out, float *last)
{
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (last != NULL)
        *last = 0.0f;
    if (out == NULL || last == NULL)
        return TRV_ERROR_NULL;
    trv_result result = check_motions(a, motion_a, b, motion_b);
    if (result != TRV_OK)
        return result;
    trvi_impact_times times;
    trvi_impact_find(a, motion_a, b, motion_b, true, &times);
    tell(&times, out);
    *last = (float)times.last;
    return TRV_OK;
}

trv_result trv_shape_cast(const trv_shape *shape, trv_pose pose, trv_vec3 travel,
                          const trv_shape *target, trv_pose target_pose, trv_impact_hit *out)
{
    trv_motion moving = trv_make_motion(pose), resting = trv_make_motion(target_pose);
    moving.travel = travel;
    return trv_impact(shape, &moving, target, &resting, out);
}
