// Time of impact: the public questions about moving shapes, and the search for the first and the last
// time of contact.
//
// Forward: while a plane parts the shapes, go as far as it proves the way to be free; where there is
// no such plane, they touch. The last time without rotation is the first one of the same motion run
// backward. With rotation contact may end and begin again, so from the first time on the depth is
// followed: shapes that overlap by d cannot part sooner than at d over their speed. Where that is a
// short time they are looked at in small steps instead. Once they have parted, the way back from there
// to the contact is proven free like any other, so that the last time is exact.
// Invariant: at each time that the search stands at, all before it was proven free of contact.
// Based on: see impact_step.c; Gomez 1999, "Simple Intersection Tests for Games" (first and last).
#include "impact.h"

#include <string.h>

#include "questions.h"

// Steps after which contact is reported where the search stands.
enum { STEP_LIMIT = 2000 };

// A contact is looked at this often in a step, and as often again for each radian of it up to a limit.
// So none is looked at more often than the product says.
enum { LOOKS = 256, RADIAN_LIMIT = 32, DEPTH_LIMIT = LOOKS * RADIAN_LIMIT + 1 };

typedef struct advance {
    bool hit;
    double time;
    bool has_normal;
    trvi_dvec3 normal; // world, at `time`
    uint32_t turns;
    bool ended_by_limit;
} advance;

// Goes towards `until` as far as the front proves the way free. False where the search is over: the
// course came free to its end, or its time cannot tell what is left.
static bool stride_on(trvi_course *course, trvi_front *front, double until, advance *out)
{
    trvi_stride stride;
    double left = course->sense * (until - out->time);
    trvi_front_stride(course, front, left, &stride);
    if (stride.free)
        return false;
    double time = stride.length < left ? out->time + course->sense * stride.length : until;
    out->normal = stride.normal;
    out->has_normal = true;
    if (time == out->time) {
        out->hit = left > 0.0;
        return false;
    }
    out->time = time;
    trvi_course_place(course, time);
    return true;
}

// From the course's time to `until`, which lies in the direction of its sense. After each search for a
// plane the one that was found is turned on and used once more: near contact that is as good as a
// search.
static void advance_to_contact(trvi_course *course, double until, advance *out)
{
    memset(out, 0, sizeof *out);
    out->time = course->time;
    for (uint32_t turn = 0; turn < STEP_LIMIT; turn++) {
        trvi_front front;
        out->turns++;
        if (!trvi_front_find(course, out->has_normal ? &out->normal : NULL, &front)) {
            out->hit = true;
            return;
        }
        if (!stride_on(course, &front, until, out))
            return;
        if (trvi_front_follow(course, out->normal, &front) &&
            !stride_on(course, &front, until, out))
            return;
    }
    out->hit = true;
    out->ended_by_limit = true;
}

// Signed distance at the course's time.
static void find_depth(const trvi_course *course, trvi_axis *axis)
{
    if (course->half_space != NULL) {
        trvi_front front;
        trvi_front_find(course, NULL, &front);
        axis->normal = trvi_dmat3_mul_transposed(&course->a.rotation, front.normal);
        axis->gap = front.gap + course->radii;
        axis->vertex_a = front.vertex_a;
        axis->vertex_b = front.vertex_b;
        return;
    }
    trvi_nearest nearest;
    trvi_nearest_find(&course->couple, HUGE_VAL, &nearest);
    *axis = nearest.axis;
}

// Where the shapes touch at the course's time: half-way between the surfaces along the normal.
static trvi_dvec3 contact_point(trvi_course *course, trvi_dvec3 normal, double gap)
{
    trvi_nearest nearest;
    const trvi_couple *couple = &course->couple;
    trvi_dvec3 n = trvi_dmat3_mul_transposed(&course->a.rotation, normal), on_a, on_b;
    if (course->half_space != NULL) {
        bool plane_is_a = course->half_space == &course->a;
        const trvi_mover *m = plane_is_a ? &course->b : &course->a;
        const trvi_view *view = plane_is_a ? &couple->b : &couple->a;
        trvi_dvec3 down = plane_is_a ? trvi_dnegate(normal) : normal;
        uint32_t v =
            trvi_support(view, trvi_dmat3_mul_transposed(&m->rotation, down), TRVI_NO_VERTEX);
        trvi_dvec3 r = trvi_dadd(trvi_dmat3_mul(&m->rotation, trvi_vertex(view, v)), m->origin);
        r = trvi_dmul_add(r, down, view->radius + 0.5 * (gap - course->radii));
        return trvi_dadd(r, trvi_dmul_add(m->center, m->travel, course->time));
    }
    nearest.has_simplex = false;
    nearest.beyond = false;
    nearest.axis.normal = n;
    nearest.axis.gap = gap;
    nearest.axis.vertex_a = nearest.axis.vertex_b = TRVI_NO_VERTEX;
    trvi_nearest_points(couple, &nearest, &on_a, &on_b);
    on_a = trvi_dmul_add(on_a, n, couple->a.radius);
    on_b = trvi_dmul_add(on_b, n, -couple->b.radius);
    trvi_dvec3 middle = trvi_dscale(trvi_dadd(on_a, on_b), 0.5);
    trvi_dvec3 r = trvi_dadd(trvi_dmat3_mul(&course->a.rotation, middle), course->a.origin);
    return trvi_dadd(r, trvi_dmul_add(course->a.center, course->a.travel, course->time));
}

// True where the shapes share a point at time 0, as trv_overlap would say.
static bool touch_at_start(const trvi_course *course)
{
    trvi_front front;
    trvi_nearest nearest;
    if (course->half_space != NULL)
        return !trvi_front_find(course, NULL, &front);
    return !trvi_nearest_apart(&course->couple, course->radii + TRVI_TOUCH * course->couple.scale,
                               &nearest);
}

// The end of the contact that is there at `first`, where something turns.
static double follow_contact(trvi_course *course, double first, uint32_t *turns)
{
    double speed = trvi_course_speed(course), time = first;
    double part = TRVI_IMPACT_PART * course->couple.size + trvi_course_touch(course);
    double looks = LOOKS * trvi_dmin(1.0 + course->a.rate + course->b.rate, RADIAN_LIMIT);
    if (!(speed > 0.0))
        return 1.0;
    for (uint32_t turn = 0; turn < DEPTH_LIMIT; turn++) {
        trvi_axis axis;
        advance back;
        trvi_course_place(course, time);
        find_depth(course, &axis);
        (*turns)++;
        double gap = axis.gap - course->radii;
        if (gap > 0.5 * part) { // they have parted: back to where they still touched
            course->sense = -1.0;
            advance_to_contact(course, first, &back);
            course->sense = 1.0;
            *turns += back.turns;
            return back.hit ? back.time : first;
        }
        if (!(time < 1.0))
            return 1.0;
        time = trvi_dmin(time + trvi_dmax((part - gap) / speed, 1.0 / looks), 1.0);
    }
    return 1.0;
}

static double find_last(trvi_course *course, double first, uint32_t *turns)
{
    if (course->a.rate > 0.0 || course->b.rate > 0.0)
        return follow_contact(course, first, turns);
    advance back;
    trvi_course_place(course, 1.0);
    course->sense = -1.0;
    advance_to_contact(course, first, &back);
    course->sense = 1.0;
    *turns += back.turns;
    return back.hit ? trvi_dmax(back.time, first) : first;
}

void trvi_impact_find(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                      const trv_motion *motion_b, bool want_last, trvi_impact_times *out)
{
    trvi_course course;
    advance way;
    memset(out, 0, sizeof *out);
    trvi_course_set(&course, a, motion_a, b, motion_b);
    double from = trvi_course_balls(&course);
    if (from > 1.0)
        return;
    memset(&way, 0, sizeof way);
    out->start = !(from > 0.0) && touch_at_start(&course);
    if (!out->start) {
        trvi_course_place(&course, from);
        advance_to_contact(&course, 1.0, &way);
        out->turns = way.turns;
        out->ended_by_limit = way.ended_by_limit;
        if (!way.hit)
            return;
    }
    out->hit = true;
    out->first = way.time;
    double gap = course.radii;
    if (!way.has_normal) {
        trvi_axis axis;
        find_depth(&course, &axis);
        way.normal = trvi_dmat3_mul(&course.a.rotation, axis.normal);
        gap = axis.gap;
    }
    out->normal = way.normal;
    out->point = contact_point(&course, way.normal, gap);
    if (want_last)
        out->last = find_last(&course, out->first, &out->turns);
}

// To float32, never later.
static float round_down(double time)
{
    float fraction = (float)time;
    return (double)fraction > time ? nextafterf(fraction, 0.0f) : fraction;
}

static void tell(const trvi_impact_times *times, trv_impact_hit *out)
{
    out->hit = times->hit;
    out->start = times->start;
    out->fraction = round_down(times->first);
    out->normal = trvi_vec3_from_double(times->normal);
    out->point = trvi_vec3_from_double(times->point);
}

void trvi_impact(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                 const trv_motion *motion_b, trv_impact_hit *out)
{
    trvi_impact_times times;
    memset(out, 0, sizeof *out);
    if (a->kind == TRV_SHAPE_PLANE && b->kind == TRV_SHAPE_PLANE)
        return;
    trvi_impact_find(a, motion_a, b, motion_b, false, &times);
    tell(&times, out);
}

trv_motion trv_make_motion(trv_pose pose)
{
    trv_motion motion;
    memset(&motion, 0, sizeof motion);
    motion.pose = pose;
    return motion;
}

static trv_result check_velocities(const trv_motion *motion)
{
    trv_result result = trvi_check_vec3(motion->travel);
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
        result = check_velocities(motion_a);
    if (result == TRV_OK)
        result = check_velocities(motion_b);
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
        trvi_impact(a, motion_a, b, motion_b, out);
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
