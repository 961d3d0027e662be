// Contact points, and what swapping and moving do to all answers.
#include "narrow_checks.h"

#include <string.h>

static double smaller(const measured *m)
{
    if (m->a.is_plane || m->b.is_plane)
        return m->size;
    return fmin(m->a.extent, m->b.extent);
}

// What the normal of a face may cost that stands in for the axis of least overlap. A contact point is
// half-way between two, and of specks of some 1e-45 m each of the three is rounded to float32's steps.
static double slack(const measured *m, double distance)
{
    return 1.0e-2 * smaller(m) + 5.0e-2 * (fabs(distance) + m->a.radius + m->b.radius) + m->coarse +
           4.0e-7 * m->size + LEAST_STEP;
}

static float deepest(const trv_manifold *manifold)
{
    float least = manifold->points[0].separation;
    for (uint32_t i = 1; i < manifold->count; i++)
        least = fminf(least, manifold->points[i].separation);
    return least;
}

// Whether there is contact is certain only off the border, which this is.
static bool is_border(const measured *m, double distance)
{
    return within(fabs(distance - m->scene->margin), 2.0e-7 * fabs(distance) + m->exact);
}

static void check_manifold(const measured *m, const trv_manifold *manifold, double distance)
{
    double room = slack(m, distance), beside = 6.0e-2 * smaller(m);
    // Corners may stand out over a face by a part of the size; on a needle that is far past its tip.
    if (m->a.thickness < 1.0e-2 * m->a.extent || m->b.thickness < 1.0e-2 * m->b.extent)
        beside = m->size;
    demand(within(fabs(trvi_dlength(trvi_dvec3_from(manifold->normal)) - 1.0), 1.0e-6));
    for (uint32_t i = 0; i < manifold->count; i++) {
        const trv_manifold_point *p = &manifold->points[i];
        for (uint32_t j = 0; j < i; j++)
            demand(manifold->points[j].feature != p->feature);
        trvi_dvec3 point = trvi_dsub(trvi_dvec3_from(p->point), m->origin);
        double top = 0.5 * fabs(p->separation) + room + beside;
        double height_a = solid_height(&m->a, point), height_b = solid_height(&m->b, point);
        bool is_on = within(height_a, top) && within(height_b, top);
        if (!is_on) {
            scene_note("point", i);
            scene_note("separation", p->separation);
            scene_note("height over A", height_a);
            scene_note("height over B", height_b);
            scene_note("slack", room);
        }
        demand(
            within((double)p->separation - m->scene->margin, m->scene->margin * 1.0e-6 + m->exact));
        demand(is_on);
    }
    bool is_deep = within(fabs(deepest(manifold) - distance), room);
    if (!is_deep) {
        scene_note("deepest", deepest(manifold));
        scene_note("distance", distance);
        scene_note("slack", room);
    }
    demand(is_deep);
}

void check_collide(const measured *m)
{
    const fuzz_scene *s = m->scene;
    trv_manifold cold, warm;
    trv_plane_cache caches[2] = {s->cache};
    trv_gap gap = checked_gap(m);
    demand(trv_collide(&s->a, s->pose_a, &s->b, s->pose_b, s->margin, NULL, &cold) == TRV_OK);
    demand(cold.count <= TRV_MANIFOLD_POINTS);
    bool agree = (cold.count > 0) == (gap.distance < s->margin) || is_border(m, gap.distance);
    if (!agree) {
        scene_note("points", cold.count);
        scene_note("distance", gap.distance);
        scene_note("margin", s->margin);
    }
    demand(agree);
    if (cold.count > 0)
        check_manifold(m, &cold, gap.distance);
    for (int i = 0; i < 4; i++) { // each cache twice
        demand(trv_collide(&s->a, s->pose_a, &s->b, s->pose_b, s->margin, &caches[i / 2], &warm) ==
               TRV_OK);
        // Of features that are equally good the remembered one is kept.
        demand((warm.count > 0) == (cold.count > 0) || is_border(m, gap.distance));
        if (warm.count > 0 && memcmp(&warm, &cold, sizeof cold) != 0)
            check_manifold(m, &warm, gap.distance);
    }
}

// The same questions about another placing of the pair give the same verdicts and lengths.
static void compare(const measured *m, const fuzz_scene *other, bool swapped)
{
    const fuzz_scene *s = m->scene;
    trv_gap here = checked_gap(m), there;
    trv_separation apart_here, apart_there;
    trv_manifold contact_here, contact_there;
    trv_separate(&s->a, s->pose_a, &s->b, s->pose_b, NULL, &apart_here);
    trv_collide(&s->a, s->pose_a, &s->b, s->pose_b, s->margin, NULL, &contact_here);
    const trv_shape *a = &other->a, *b = &other->b;
    trv_pose pose_a = other->pose_a, pose_b = other->pose_b;
    demand(trv_distance(a, pose_a, b, pose_b, &there) == TRV_OK);
    demand(trv_separate(a, pose_a, b, pose_b, NULL, &apart_there) == TRV_OK);
    demand(trv_collide(a, pose_a, b, pose_b, s->margin, NULL, &contact_there) == TRV_OK);
    double tolerance = 4.0e-7 * fabs(here.distance) + 1.0e-7 * m->size + m->exact;
    bool is_same = within(fabs(here.distance - there.distance), tolerance);
    if (!is_same) {
        scene_note("distance here", here.distance);
        scene_note("there", there.distance);
        scene_note("tolerance", tolerance);
    }
    demand(is_same);
    // A depth may be off by more than `exact`: one distance near zero is enough for doubt.
    if (apart_here.apart != apart_there.apart)
        demand(within(fmin(fabs(here.distance), fabs(there.distance)), m->exact));
    demand((contact_here.count > 0) == (contact_there.count > 0) || is_border(m, here.distance));
    if (contact_here.count > 0 && contact_there.count > 0)
        demand(within(fabs(deepest(&contact_here) - deepest(&contact_there)),
                      2.0 * slack(m, here.distance)));
    // Nearest points of solids that are apart have one direction.
    if (swapped && here.distance > 1.0e-4 * m->size && here.distance > 1.0e-5 * m->scale) {
        trvi_dvec3 sum = trvi_dadd(trvi_dvec3_from(here.normal), trvi_dvec3_from(there.normal));
        bool is_opposite = within(trvi_dlength(sum), 1.0e-3);
        if (!is_opposite) {
            scene_note("normals differ by", trvi_dlength(sum));
            scene_note("distance", here.distance);
        }
        demand(is_opposite);
    }
}

void check_mirror(const measured *m)
{
    fuzz_scene other = *m->scene;
    other.a = m->scene->b;
    other.b = m->scene->a;
    other.pose_a = m->scene->pose_b;
    other.pose_b = m->scene->pose_a;
    compare(m, &other, true);
}

// A half turn about the x axis: exact in float32.
static trv_pose half_turn(trv_pose pose)
{
    trv_quat q = pose.rotation;
    pose.position.y = -pose.position.y;
    pose.position.z = -pose.position.z;
    pose.rotation = (trv_quat){q.w, -q.z, q.y, -q.x};
    return pose;
}

void check_motion(const measured *m)
{
    fuzz_scene other = *m->scene;
    other.pose_a = half_turn(other.pose_a);
    other.pose_b = half_turn(other.pose_b);
    compare(m, &other, false);
}
