// Two shapes on their way through a step: where they are, and how far turning takes their points.
//
// All in double with world axes. Places are kept relative to the turning centres, whose distance is
// formed once; what is far from the origin, or moves far, loses nothing but the rounding of that.
#include "impact.h"

enum { COUNTED_VERTICES = 32 }; // up to here lengths are measured at every vertex

trv_pose trv_motion_at(const trv_motion *motion, float fraction)
{
    trv_pose pose = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    if (motion == NULL)
        return pose;
    trvi_dvec3 turn = trvi_dvec3_from(motion->turn), c = trvi_dvec3_from(motion->center_local);
    trv_quat q = motion->pose.rotation;
    double rate = trvi_dlength(turn), t = fraction, sine, cosine;
    trvi_dsincos(0.5 * rate * t, &sine, &cosine);
    double share = rate > 0.0 ? sine / rate : 0.0;
    double x = turn.x * share, y = turn.y * share, z = turn.z * share, w = cosine;
    double r[4] = {w * q.x + x * q.w + y * q.z - z * q.y, w * q.y - x * q.z + y * q.w + z * q.x,
                   w * q.z + x * q.y - y * q.x + z * q.w, w * q.w - x * q.x - y * q.y - z * q.z};
    double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    if (!(length > 1.0e-30) || !(length < 1.0e30))
        return pose;
    double s = 1.0 / length;
    pose.rotation =
        (trv_quat){(float)(r[0] * s), (float)(r[1] * s), (float)(r[2] * s), (float)(r[3] * s)};
    // The turning centre goes straight; the rounded rotation gives the origin its place about it.
    trvi_dmat3 start = trvi_dmat3_from_quat(q), now = trvi_dmat3_from_quat(pose.rotation);
    trvi_dvec3 p =
        trvi_dmul_add(trvi_dvec3_from(motion->pose.position), trvi_dvec3_from(motion->travel), t);
    p = trvi_dadd(p, trvi_dsub(trvi_dmat3_mul(&start, c), trvi_dmat3_mul(&now, c)));
    double largest = 3.4028235e38;
    if (fabs(p.x) <= largest && fabs(p.y) <= largest && fabs(p.z) <= largest)
        pose.position = trvi_vec3_from_double(p);
    return pose;
}

static trvi_dmat3 turned_by(trvi_dvec3 turn, double rate, double time)
{
    trvi_dmat3 r = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    if (!(rate > 0.0))
        return r;
    double sine, cosine, half_sine, half_cosine;
    trvi_dsincos(rate * time, &sine, &cosine);
    trvi_dsincos(0.5 * rate * time, &half_sine, &half_cosine);
    double versed = 2.0 * half_sine * half_sine; // 1 - cosine, without cancelling
    trvi_dvec3 k = trvi_dscale(turn, 1.0 / rate);
    r = (trvi_dmat3){{{1.0 - versed * (k.y * k.y + k.z * k.z), versed * k.x * k.y - sine * k.z,
                       versed * k.x * k.z + sine * k.y},
                      {versed * k.x * k.y + sine * k.z, 1.0 - versed * (k.x * k.x + k.z * k.z),
                       versed * k.y * k.z - sine * k.x},
                      {versed * k.x * k.z - sine * k.y, versed * k.y * k.z + sine * k.x,
                       1.0 - versed * (k.x * k.x + k.y * k.y)}}};
    return r;
}

// The largest |d . r| over the core, r from the turning centre at time 0.
static double farthest_along(const trvi_mover *m, const trvi_view *view, trvi_dvec3 d)
{
    trvi_dvec3 local = trvi_dmat3_mul_transposed(&m->start, d);
    trvi_dvec3 high = trvi_vertex(view, trvi_support(view, local, TRVI_NO_VERTEX));
    trvi_dvec3 low = trvi_vertex(view, trvi_support(view, trvi_dnegate(local), TRVI_NO_VERTEX));
    double middle = trvi_ddot(d, m->arm), slack = TRVI_CLIMB_SLACK * view->extent;
    return trvi_dmax(fabs(middle + trvi_ddot(local, high)), fabs(middle + trvi_ddot(local, low))) +
           (view->seeds != NULL ? slack : 0.0);
}

// How far the core's vertices are from the turning centre and its axis: exact for few vertices,
// else bounds from the ball that holds them and from the box along the axis.
static void measure_reach(trvi_mover *m, const trvi_view *view)
{
    trvi_dvec3 axis = {1.0, 0.0, 0.0};
    if (m->rate > 0.0)
        axis = trvi_dscale(m->turn, 1.0 / m->rate);
    if (view->vertex_count <= COUNTED_VERTICES) {
        m->reach = m->swing = m->rise = 0.0;
        for (uint32_t v = 0; v < view->vertex_count; v++) {
            trvi_dvec3 r = trvi_dadd(trvi_dmat3_mul(&m->start, trvi_vertex(view, v)), m->arm);
            trvi_dvec3 across = trvi_dcross(axis, r);
            m->reach = trvi_dmax(m->reach, trvi_ddot(r, r));
            m->swing = trvi_dmax(m->swing, trvi_ddot(across, across));
            m->rise = trvi_dmax(m->rise, fabs(trvi_ddot(axis, r)));
        }
        m->reach = sqrt(m->reach);
        m->swing = sqrt(m->swing);
        return;
    }
    trvi_dvec3 middle = trvi_dadd(trvi_dmat3_mul(&m->start, view->center), m->arm);
    m->reach = trvi_dlength(middle) + view->extent;
    m->swing = m->rise = m->reach;
    if (!(m->rate > 0.0))
        return;
    trvi_dvec3 u = trvi_perpendicular(axis), v = trvi_dcross(axis, u);
    double along_u = farthest_along(m, view, u), along_v = farthest_along(m, view, v);
    m->rise = trvi_dmin(m->reach, farthest_along(m, view, axis));
    m->swing = trvi_dmin(sqrt(along_u * along_u + along_v * along_v),
                         trvi_dlength(trvi_dcross(axis, middle)) + view->extent);
}

void trvi_mover_set(trvi_mover *m, const trv_motion *motion)
{
    m->start = trvi_dmat3_from_quat(motion->pose.rotation);
    trvi_dvec3 pivot = trvi_dmat3_mul(&m->start, trvi_turning_center(motion));
    m->arm = trvi_dnegate(pivot);
    m->center = trvi_dadd(trvi_dvec3_from(motion->pose.position), pivot);
    m->travel = trvi_dvec3_from(motion->travel);
    m->turn = trvi_dvec3_from(motion->turn);
    m->rate = trvi_dlength(m->turn);
    m->reach = m->swing = m->rise = 0.0;
}

trvi_dvec3 trvi_movers_between(const trvi_mover *a, const trv_motion *motion_a, const trvi_mover *b,
                               const trv_motion *motion_b)
{
    trvi_dvec3 at_a = trvi_dvec3_from(motion_a->pose.position);
    trvi_dvec3 at_b = trvi_dvec3_from(motion_b->pose.position);
    trvi_dvec3 pivots = trvi_dsub(trvi_dsub(b->center, at_b), trvi_dsub(a->center, at_a));
    return trvi_dadd(trvi_dsub(at_b, at_a), pivots);
}

static void set_view(trvi_view *view, const trvi_actor *actor, const trvi_dmat3 *rotation)
{
    trv_pose turned = {{0.0f, 0.0f, 0.0f}, actor->motion->pose.rotation};
    if (actor->place == NULL) {
        trvi_view_set(view, actor->shape, turned);
        return;
    }
    trvi_view_set(view, actor->shape, *actor->place);
    trvi_view_nest(view, rotation, (trvi_dvec3){0.0, 0.0, 0.0});
}

static void set_mover(trvi_mover *m, trvi_view *view, const trvi_actor *actor)
{
    const trv_motion *motion = actor->motion;
    trvi_mover_set(m, motion);
    if (actor->shape->kind == TRV_SHAPE_PLANE) {
        // The surface's point nearest the turning centre stands for all of it.
        trv_shape point = trv_make_sphere((trv_vec3){0.0f, 0.0f, 0.0f}, 0.0f);
        trvi_actor surface = {&point, NULL, motion};
        const trv_plane *plane = &actor->shape->as.plane;
        trvi_dvec3 n = trvi_dvec3_from(plane->normal);
        double height = trvi_ddot(n, trvi_turning_center(motion)) + (double)plane->offset;
        set_view(view, &surface, &m->start);
        m->arm = trvi_dscale(trvi_dmat3_mul(&m->start, n), -height / trvi_ddot(n, n));
    } else {
        set_view(view, actor, &m->start);
        m->arm = trvi_dadd(view->position, m->arm);
    }
    m->start = view->rotation;
    measure_reach(m, view);
    if (m->reach == 0.0 && actor->shape->kind != TRV_SHAPE_PLANE) {
        m->rate = 0.0; // a ball about its turning centre
        m->turn = (trvi_dvec3){0.0, 0.0, 0.0};
    }
}

static void set_half_space(trvi_course *course, const trv_plane *plane, bool is_a)
{
    const trvi_view *other = is_a ? &course->couple.b : &course->couple.a;
    trvi_dvec3 n = trvi_dvec3_from(plane->normal);
    course->half_space = is_a ? &course->a : &course->b;
    course->couple.size = other->extent + other->radius;
    course->plane = trvi_dnormalize_or(trvi_dmat3_mul(&course->half_space->start, n), n);
    if (!is_a)
        course->plane = trvi_dnegate(course->plane);
}

void trvi_course_set(trvi_course *course, const trvi_actor *a, const trvi_actor *b)
{
    set_mover(&course->a, &course->couple.a, a);
    set_mover(&course->b, &course->couple.b, b);
    const trvi_mover *ma = &course->a, *mb = &course->b;
    const trvi_view *view_a = &course->couple.a, *view_b = &course->couple.b;
    course->between = trvi_movers_between(ma, a->motion, mb, b->motion);
    course->travel = trvi_dsub(mb->travel, ma->travel);
    course->couple.size =
        trvi_dmin(view_a->extent + view_a->radius, view_b->extent + view_b->radius);
    course->radii = view_a->radius + view_b->radius;
    course->widest = (view_a->seeds != NULL ? view_a->extent : 0.0) +
                     (view_b->seeds != NULL ? view_b->extent : 0.0);
    course->noise =
        TRVI_MOTION_ROUNDING *
        (trvi_dlength(course->between) + trvi_dlength(ma->travel) + trvi_dlength(mb->travel) +
         (1.0 + ma->rate) * ma->reach + (1.0 + mb->rate) * mb->reach);
    course->sense = 1.0;
    course->half_space = NULL;
    course->plane = (trvi_dvec3){0.0, 1.0, 0.0};
    if (a->shape->kind == TRV_SHAPE_PLANE)
        set_half_space(course, &a->shape->as.plane, true);
    else if (b->shape->kind == TRV_SHAPE_PLANE)
        set_half_space(course, &b->shape->as.plane, false);
    trvi_course_place(course, 0.0);
}

void trvi_mover_place(trvi_mover *m, double time)
{
    m->turned = turned_by(m->turn, m->rate, time);
    m->rotation = m->rate > 0.0 ? trvi_dmat3_product(&m->turned, &m->start) : m->start;
    m->origin = m->rate > 0.0 ? trvi_dmat3_mul(&m->turned, m->arm) : m->arm;
}

void trvi_course_place(trvi_course *course, double time)
{
    trvi_mover *a = &course->a, *b = &course->b;
    course->time = time;
    course->apart = trvi_dmul_add(course->between, course->travel, time);
    trvi_mover_place(a, time);
    trvi_mover_place(b, time);
    trvi_dvec3 offset = trvi_dadd(course->apart, trvi_dsub(b->origin, a->origin));
    trvi_couple_place(&course->couple, &a->rotation, &b->rotation, &offset);
}

double trvi_course_touch(const trvi_course *course)
{
    return TRVI_TOUCH * course->couple.scale + course->noise;
}

double trvi_balls_meet(trvi_dvec3 from, trvi_dvec3 travel, double sum)
{
    double distance = trvi_dlength(from), square = trvi_ddot(travel, travel);
    if (!(distance > sum))
        return 0.0;
    double along = -trvi_ddot(from, travel);
    if (!(along > 0.0))
        return TRVI_NEVER;
    // At the closest approach, as accurate as can be: the part of `from` across the travel.
    trvi_dvec3 across = trvi_dcross(from, trvi_dscale(travel, 1.0 / sqrt(square)));
    double inside = sum * sum - trvi_ddot(across, across);
    if (!(inside >= 0.0))
        return TRVI_NEVER;
    // along^2 - square * (|from|^2 - sum^2), by its factors; the smaller root without cancelling
    return (distance - sum) * (distance + sum) / (along + sqrt(square * inside));
}

double trvi_course_balls(const trvi_course *course)
{
    if (course->half_space != NULL)
        return 0.0;
    double sum = course->a.reach + course->b.reach + course->radii;
    double slack = TRVI_TOUCH * (trvi_dlength(course->between) + sum) + course->noise;
    return trvi_balls_meet(course->between, course->travel, sum + slack);
}

double trvi_course_speed(const trvi_course *course)
{
    const trvi_mover *a = &course->a, *b = &course->b;
    double speed = trvi_dlength(course->travel) + a->rate * a->swing + b->rate * b->swing;
    // A half-space's surface goes on for ever: it sweeps the other as fast as that is away.
    if (course->half_space != NULL)
        speed += course->half_space->rate * (trvi_dlength(course->between) +
                                             trvi_dlength(course->travel) + a->reach + b->reach);
    return speed;
}
