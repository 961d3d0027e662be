// Verdict, plane and signed distance of a pair.
//
// The signed distance is the largest gap over all directions. So the gap along the normal that
// comes with it must be the distance, and no direction may have a larger one.
#include "narrow_checks.h"

#include <string.h>

#include "narrow/nearest.h"
#include "narrow/order.h"
#include "narrow/reference.h"

static bool is_unit(trv_vec3 n)
{
    return within(fabs(trvi_dlength(trvi_dvec3_from(n)) - 1.0), 1.0e-6);
}

// Answers are float32; shapes of some 1e-40 m are measured in its least steps, and a gap of theirs is
// that of two surfaces.
static double rounding(const measured *m, double distance)
{
    return 4.0e-7 * (m->size + fabs(distance)) + m->exact + 2.0 * LEAST_STEP;
}

static trvi_dvec3 about_origin(const measured *m, trv_vec3 point)
{
    return trvi_dsub(trvi_dvec3_from(point), m->origin);
}

trv_gap checked_gap(const measured *m)
{
    const fuzz_scene *s = m->scene;
    trv_gap gap;
    memset(&gap, 0x55, sizeof gap);
    demand(trv_distance(&s->a, s->pose_a, &s->b, s->pose_b, &gap) == TRV_OK);
    demand(is_unit(gap.normal));
    trvi_dvec3 n = trvi_dvec3_from(gap.normal);
    double along = solid_gap(&m->a, &m->b, n), tolerance = rounding(m, gap.distance);
    bool is_near = within(fabs(gap.distance - along), tolerance);
    if (!is_near) {
        scene_note("distance", gap.distance);
        scene_note("gap along its normal", along);
        scene_note("tolerance", tolerance);
    }
    demand(is_near);
    return gap;
}

static void check_closest(const measured *m, const trv_gap *gap)
{
    trvi_dvec3 a = about_origin(m, gap->point_a), b = about_origin(m, gap->point_b);
    trvi_dvec3 n = trvi_dvec3_from(gap->normal);
    trvi_dvec3 miss = trvi_dsub(trvi_dsub(b, a), trvi_dscale(n, gap->distance));
    double tolerance = 3.0 * m->coarse + rounding(m, gap->distance);
    double height_a = solid_height(&m->a, a), height_b = solid_height(&m->b, b);
    bool meet = within(trvi_dlength(miss), tolerance);
    bool are_on = within(height_a, tolerance) && within(height_b, tolerance);
    if (!meet || !are_on) {
        scene_note("distance", gap->distance);
        scene_note("points miss by", trvi_dlength(miss));
        scene_note("height over A", height_a);
        scene_note("height over B", height_b);
        scene_note("tolerance", tolerance);
    }
    demand(meet);
    demand(are_on);
}

// Nor has one across a segment and an edge of the other solid, which is a way between two points of it.
static void check_across(const measured *m, const fuzz_solid *segment, const fuzz_solid *other,
                         double distance)
{
    trvi_dvec3 along = trvi_dsub(segment->points[1], segment->points[0]);
    for (uint32_t i = 0; i < other->count; i++)
        for (uint32_t j = 0; j < i; j++) {
            trvi_dvec3 edge = trvi_dsub(other->points[i], other->points[j]);
            trvi_dvec3 n = trvi_dcross(along, edge);
            double length = trvi_dlength(n);
            if (!(length > 1.0e-6 * trvi_dlength(along) * trvi_dlength(edge)))
                continue; // rounding
            n = trvi_dscale(n, 1.0 / length);
            double gap =
                fmax(solid_gap(&m->a, &m->b, n), solid_gap(&m->a, &m->b, trvi_dscale(n, -1.0)));
            demand(within(gap - distance, rounding(m, distance)));
        }
}

// No direction that is easily thought of has a larger gap.
static void check_largest(const measured *m, double distance)
{
    double tolerance = rounding(m, distance);
    if (m->a.is_plane || m->b.is_plane)
        return;
    for (uint32_t f = 0; f < m->a.face_count; f++)
        demand(within(solid_gap(&m->a, &m->b, m->a.normals[f]) - distance, tolerance));
    for (uint32_t f = 0; f < m->b.face_count; f++)
        demand(within(solid_gap(&m->a, &m->b, trvi_dscale(m->b.normals[f], -1.0)) - distance,
                      tolerance));
    for (uint32_t i = 0; i < m->a.count; i++) {
        trvi_dvec3 n = trvi_dsub(m->b.points[i % m->b.count], m->a.points[i]);
        double length = trvi_dlength(n);
        if (length > 0.0)
            demand(within(solid_gap(&m->a, &m->b, trvi_dscale(n, 1.0 / length)) - distance,
                          tolerance));
    }
    if (m->a.count == 2)
        check_across(m, &m->a, &m->b, distance);
    if (m->b.count == 2)
        check_across(m, &m->b, &m->a, distance);
}

// By every plane there is, for solids of few faces. Where a face is not even the exact hull has planes
// that it does not: a gap of their kind may be missed, but none may be made up.
static void check_reference(const measured *m, const trv_gap *gap, bool apart)
{
    const fuzz_scene *s = m->scene;
    trv_separation wanted;
    if (m->a.face_count == 0 || m->b.face_count == 0 || m->a.count * m->b.count > 110)
        return;
    trvi_separate_reference(&s->a, s->pose_a, &s->b, s->pose_b, &wanted);
    double missed = wanted.apart ? 0.0 : m->a.uneven + m->b.uneven;
    if (wanted.apart != apart)
        demand(within(fmin(fabs(wanted.gap), fabs(gap->distance)), m->exact + missed));
    bool is_largest = within((double)wanted.gap - gap->distance, rounding(m, gap->distance));
    if (!is_largest) {
        scene_note("largest gap of all planes", wanted.gap);
        scene_note("distance", gap->distance);
    }
    demand(is_largest);
}

void check_distance(const measured *m)
{
    const fuzz_scene *s = m->scene;
    trv_gap gap = checked_gap(m);
    trv_separation separation;
    check_closest(m, &gap);
    check_largest(m, gap.distance);
    trv_separate(&s->a, s->pose_a, &s->b, s->pose_b, NULL, &separation);
    bool agree = separation.apart == (gap.distance > 0.0f) || within(fabs(gap.distance), m->exact);
    if (!agree) {
        scene_note("distance", gap.distance);
        scene_note("apart", separation.apart);
        scene_note("sign is certain beyond", m->exact);
    }
    demand(agree);
    check_reference(m, &gap, separation.apart);
}

// By how much the solid reaches farther from its own origin than it would if it were in its middle.
static double eccentric(const fuzz_solid *s, trvi_dvec3 own_origin)
{
    double most = 0.0;
    for (uint32_t i = 0; i < s->count; i++)
        most = fmax(most, trvi_dlength(trvi_dsub(s->points[i], own_origin)));
    return fmax(most + s->radius - 0.5 * s->extent, 0.0);
}

// A remembered plane's gap is good to 2e-6 of what the shapes reach from their own origins
// (trv_separation); far from these it shows.
static double remembered_rounding(const measured *m)
{
    trvi_dvec3 of_a = {0.0, 0.0, 0.0}, of_b = about_origin(m, m->scene->pose_b.position);
    return 2.0e-6 * (eccentric(&m->a, of_a) + eccentric(&m->b, of_b));
}

// "Apart" may be said only with a plane that has all of A below and all of B above.
static void check_proof(const measured *m, const trv_separation *s)
{
    // Along a normal that is not that of the nearest points, its rounding shows over all the way.
    double rounded = rounding(m, s->gap) + 2.0e-7 * m->scale;
    if (s->remembered)
        rounded += remembered_rounding(m);
    trvi_dvec3 n = trvi_dvec3_from(s->plane.normal);
    demand(is_unit(s->plane.normal) && s->gap > 0.0f);
    double gap = solid_gap(&m->a, &m->b, n);
    bool is_near = within(fabs(gap - s->gap), rounded);
    if (!is_near) {
        scene_note("stated gap", s->gap);
        scene_note("measured", gap);
    }
    demand(is_near);
    // The plane lies between: A is below by half the gap, and B above.
    double level = -(double)s->plane.offset - trvi_ddot(n, m->origin);
    double coarse = 2.0e-7 * (fabs((double)s->plane.offset) + trvi_dlength(m->origin)) + rounded;
    const fuzz_solid *a = &m->a, *b = &m->b;
    for (uint32_t i = 0; i < a->count; i++)
        demand(within(trvi_ddot(n, a->points[i]) + a->radius - level, coarse));
    for (uint32_t i = 0; i < b->count; i++)
        demand(within(level - trvi_ddot(n, b->points[i]) + b->radius, coarse));
    if (gap > rounded || a->is_plane || b->is_plane)
        return;
    // A hair's breadth: the plane is too coarse to prove it, the axis that it came from is not.
    trvi_couple couple;
    trvi_nearest nearest;
    trvi_couple_in_order(&couple, &m->scene->a, m->scene->pose_a, &m->scene->b, m->scene->pose_b);
    double limit = couple.a.radius + couple.b.radius + TRVI_TOUCH * couple.scale;
    if (!trvi_nearest_apart(&couple, limit, &nearest)) { // another way has found more
        demand(within(s->gap, m->exact));
        return;
    }
    n = trvi_dmat3_mul(&couple.a.rotation, nearest.axis.normal);
    double along = solid_gap(a, b, couple.turned ? trvi_dnegate(n) : n);
    double least = -4.0e-16 * m->scale; // what the solids' own places are rounded by
    if (!(along > least)) {
        scene_note("gap along the axis", along);
        scene_note("gap as found", nearest.axis.gap - couple.a.radius - couple.b.radius);
        scene_note("apart beyond", limit);
    }
    demand(along > least);
}

static bool names_something(const measured *m, const trv_separation *s)
{
    const fuzz_solid *a = &m->a, *b = &m->b;
    switch (s->source) {
    case TRV_PLANE_FACE_A:
        return a->is_plane || s->index_a < a->face_count;
    case TRV_PLANE_FACE_B:
        return b->is_plane || s->index_b < b->face_count;
    case TRV_PLANE_EDGES:
        return a->face_count > 0 && b->face_count > 0;
    case TRV_PLANE_EDGE_A:
        return a->face_count > 0 && s->index_b < b->count;
    case TRV_PLANE_EDGE_B:
        return b->face_count > 0 && s->index_a < a->count;
    case TRV_PLANE_VERTICES:
        return s->index_a < a->count && s->index_b < b->count;
    default:
        return false;
    }
}

void check_separate(const measured *m)
{
    const fuzz_scene *s = m->scene;
    trv_plane_cache caches[2] = {s->cache};
    trv_separation cold, warm;
    bool overlap;
    demand(trv_separate(&s->a, s->pose_a, &s->b, s->pose_b, NULL, &cold) == TRV_OK);
    demand(trv_overlap(&s->a, s->pose_a, &s->b, s->pose_b, &overlap) == TRV_OK);
    demand(overlap == !cold.apart);
    if (cold.apart) {
        check_proof(m, &cold);
        demand(names_something(m, &cold));
    } else {
        demand(cold.gap == 0.0f);
    }
    for (int i = 0; i < 4; i++) { // each cache twice
        demand(trv_separate(&s->a, s->pose_a, &s->b, s->pose_b, &caches[i / 2], &warm) == TRV_OK);
        if (warm.apart != cold.apart) // one of them has found more, where rounding hides the sign
            demand(within(warm.apart ? warm.gap : cold.gap, m->exact));
        if (!warm.apart)
            continue;
        check_proof(m, &warm);
        demand(names_something(m, &warm));
        // What is told apart is so by one of float32's least steps at least, which may be all of it.
        bool clear =
            cold.gap > 1.0e-5 * m->scale + 2.0 * LEAST_STEP && !m->a.is_plane && !m->b.is_plane;
        if (i == 3 && clear)
            demand(warm.remembered);
    }
}
