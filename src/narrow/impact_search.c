// Time of impact: the search for the first and the last time of contact of two convex shapes.
//
// Forward: while a plane parts the shapes, go as far as it proves the way to be free; where there
// is no such plane, they touch. The last time without rotation is the first one of the same motion
// run backward. With rotation contact may end and begin again, so from the first time on the depth
// is followed: shapes that overlap by d cannot part sooner than at d over their speed. Where that
// is a short time they are looked at in small steps instead. Once they have parted, the way back
// from there to the contact is proven free like any other, so that the last time is exact.
// Invariant: at each time that the search stands at, all before it was proven free of contact.
// Based on: see impact_step.c; Gomez 1999, "Simple Intersection Tests for Games" (first and last).
#include "impact.h"

#include <string.h>

// A contact is looked at this often in a step, and as often again for each radian of it up to a
// limit. So none is looked at more often than the product says.
enum { LOOKS = 256, RADIAN_LIMIT = 32, DEPTH_LIMIT = LOOKS * RADIAN_LIMIT + 1 };

typedef struct advance {
    bool hit;
    double time;
    bool has_normal;
    trvi_dvec3 normal; // world, at `time`
    uint32_t turns;
    bool ended_by_limit;
} advance;

typedef enum progress {
    WENT_ON,
    CAME_FREE, // to the end
    STUCK      // the course's time cannot tell what is left
} progress;

// Goes towards `until` as far as the front proves the way free.
static progress stride_on(trvi_course *course, trvi_front *front, double until, advance *out)
{
    trvi_stride stride;
    double left = course->sense * (until - out->time);
    trvi_front_stride(course, front, left, &stride);
    if (stride.free)
        return CAME_FREE;
    double time = stride.length < left ? out->time + course->sense * stride.length : until;
    out->normal = stride.normal;
    out->has_normal = true;
    if (time == out->time)
        return left > 0.0 ? STUCK : CAME_FREE;
    out->time = time;
    trvi_course_place(course, time);
    return WENT_ON;
}

// From the course's time to `until`, which lies in the direction of its sense. After each search
// for a plane the one that was found is turned on and used once more: near contact that is as good
// as a search. Where it leads no farther another plane may.
static void advance_to_contact(trvi_course *course, double until, uint32_t steps, advance *out)
{
    memset(out, 0, sizeof *out);
    out->time = course->time;
    for (uint32_t turn = 0; turn < steps; turn++) {
        trvi_front front;
        out->turns++;
        if (!trvi_front_find(course, out->has_normal ? &out->normal : NULL, &front)) {
            out->hit = true;
            return;
        }
        progress made = stride_on(course, &front, until, out);
        out->hit = made == STUCK;
        if (made != WENT_ON || (trvi_front_follow(course, out->normal, &front) &&
                                stride_on(course, &front, until, out) == CAME_FREE))
            return;
    }
    out->hit = true;
    out->ended_by_limit = true;
}

// Signed distance at the course's time; where it exceeds `beyond`, any gap that does, too.
static void find_depth(const trvi_course *course, double beyond, trvi_axis *axis)
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
    trvi_nearest_find(&course->couple, beyond, &nearest);
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
        r = trvi_dmul_add(r, down, view->radius + 0.5 * (gap - view->radius));
        return trvi_dadd(r, trvi_dmul_add(m->center, m->travel, course->time));
    }
    nearest.has_simplex = nearest.has_points = false;
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
static bool touch_at_start(trvi_course *course)
{
    trvi_front front;
    trvi_nearest nearest;
    if (course->half_space != NULL) {
        double noise = course->noise;
        course->noise = 0.0; // of the motion: nothing has moved yet
        bool apart = trvi_front_find(course, NULL, &front);
        course->noise = noise;
        return !apart;
    }
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
        find_depth(course, HUGE_VAL, &axis);
        (*turns)++;
        double gap = axis.gap - course->radii;
        if (gap > 0.5 * part) { // they have parted: back to where they still touched
            course->sense = -1.0;
            advance_to_contact(course, first, TRVI_IMPACT_STEPS, &back);
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
    advance_to_contact(course, first, TRVI_IMPACT_STEPS, &back);
    course->sense = 1.0;
    *turns += back.turns;
    return back.hit ? trvi_dmax(back.time, first) : first;
}

bool trvi_impact_touch(const trvi_actor *a, const trvi_actor *b, double time)
{
    trvi_course course;
    trvi_front front;
    trvi_course_set(&course, a, b);
    trvi_course_place(&course, time);
    return !trvi_front_find(&course, NULL, &front);
}

double trvi_impact_end(const trvi_actor *a, const trvi_actor *b, double from, uint32_t *turns)
{
    trvi_course course;
    trvi_course_set(&course, a, b);
    return find_last(&course, from, turns);
}

// True where a plane of old, turned on with what moves, parts the shapes from the course's time to
// the end. It says nothing else: with or without it the answer is the same.
static bool cache_proves(trvi_course *course, const trv_plane_cache *cache, double until)
{
    if (cache == NULL || course->half_space != NULL)
        return false;
    trvi_dvec3 n = trvi_dvec3_from(cache->normal);
    double square = trvi_ddot(n, n);
    if (!(square > 0.5) || !(square < 2.0)) // also NaN
        return false;
    trvi_front front;
    memset(&front, 0, sizeof front);
    front.vertex_a = front.vertex_b = TRVI_NO_VERTEX;
    n = trvi_dmat3_mul(&course->a.rotation, trvi_dscale(n, 1.0 / sqrt(square)));
    if (!trvi_front_follow(course, n, &front))
        return false;
    trvi_stride stride;
    trvi_front_stride(course, &front, until - course->time, &stride);
    return stride.free;
}

// The margin for shapes that are apart at time 0: no more than half of their distance. They are not
// grown by one yet.
static double fitting_margin(const trvi_course *course, double margin)
{
    trvi_axis axis;
    if (!(margin > 0.0))
        return 0.0;
    find_depth(course, course->radii + 2.0 * margin, &axis);
    return trvi_dmin(margin, trvi_dmax(0.5 * (axis.gap - course->radii), 0.0));
}

static uint32_t steps_of(const trvi_impact_goal *goal)
{
    return goal->steps != 0 ? goal->steps : TRVI_IMPACT_STEPS;
}

// The first time at which they overlap by more than -margin; false where there is none.
static bool find_overlap(trvi_course *course, const trvi_impact_goal *goal, advance *way,
                         trvi_impact_times *out)
{
    trvi_course_grow(course, goal->margin);
    double from = trvi_course_balls(course);
    if (from > goal->until || cache_proves(course, goal->cache, goal->until))
        return false;
    trvi_course_place(course, from);
    advance_to_contact(course, goal->until, steps_of(goal), way);
    out->start = way->hit && way->time == 0.0;
    out->turns = way->turns;
    out->ended_by_limit = way->ended_by_limit;
    return way->hit;
}

// The first time; false where there is none.
static bool find_first(trvi_course *course, const trvi_impact_goal *goal, advance *way,
                       trvi_impact_times *out)
{
    memset(way, 0, sizeof *way);
    if (goal->margin < 0.0)
        return find_overlap(course, goal, way, out);
    trvi_course_grow(course, 2.0 * goal->margin);
    double from = trvi_course_balls(course), margin = goal->margin;
    if (from > goal->until)
        return false;
    trvi_course_grow(course, margin);
    if (cache_proves(course, goal->cache, goal->until))
        return false;
    if (!(from > 0.0)) {
        trvi_course_grow(course, 0.0);
        out->start = touch_at_start(course);
        if (out->start)
            return true;
        margin = fitting_margin(course, margin);
        trvi_course_grow(course, margin);
    }
    trvi_course_place(course, from);
    advance_to_contact(course, goal->until, steps_of(goal), way);
    out->turns = way->turns;
    out->ended_by_limit = way->ended_by_limit;
    return way->hit;
}

void trvi_impact_pair(const trvi_actor *a, const trvi_actor *b, const trvi_impact_goal *goal,
                      trvi_impact_times *out)
{
    trvi_course course;
    advance way;
    memset(out, 0, sizeof *out);
    out->pairs = 1;
    trvi_course_set(&course, a, b);
    if (!find_first(&course, goal, &way, out))
        return;
    out->hit = true;
    out->first = way.time;
    double gap = course.radii;
    if (goal->times_only)
        return;
    if (!way.has_normal) {
        trvi_axis axis;
        find_depth(&course, HUGE_VAL, &axis);
        way.normal = trvi_dmat3_mul(&course.a.rotation, axis.normal);
        gap = axis.gap;
    }
    if (out->start)
        out->gap = gap - course.radii;
    out->normal = way.normal;
    out->point = contact_point(&course, way.normal, gap);
    trvi_course_grow(&course, 0.0);
    if (goal->want_last)
        out->last = find_last(&course, out->first, &out->turns);
}
