// The signed distance inside, in double, where rounding to float32 hides nothing.
#include "narrow_checks.h"

#include "narrow/nearest.h"

static void find(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                 trvi_couple *couple, trvi_nearest *nearest)
{
    trvi_couple_set(couple, a, pose_a, b, pose_b);
    trvi_nearest_find(couple, HUGE_VAL, nearest);
}

// How far the bounds of the distance search are apart where rounding ended it: lengths agree while
// directions are still off by the square root of that. The answer is anywhere in between.
static double left_open(const trvi_couple *couple)
{
    const trvi_dvec3 unmoved = {0.0, 0.0, 0.0};
    trvi_gjk gjk;
    trvi_gjk_run(couple, unmoved, HUGE_VAL, &gjk);
    return gjk.state == TRVI_GJK_APART ? fmin(gjk.distance - gjk.gap, 1.0e-7 * gjk.distance) : 0.0;
}

void check_core(const measured *m)
{
    const fuzz_scene *s = m->scene;
    trvi_couple couple, turned;
    trvi_nearest nearest, mirrored;
    if (m->a.is_plane || m->b.is_plane)
        return;
    find(&s->a, s->pose_a, &s->b, s->pose_b, &couple, &nearest);
    find(&s->b, s->pose_b, &s->a, s->pose_a, &turned, &mirrored);
    double radii = couple.a.radius + couple.b.radius, gap = nearest.axis.gap;
    trvi_dvec3 n = trvi_dmat3_mul(&couple.a.rotation, nearest.axis.normal);
    double along = solid_gap(&m->a, &m->b, n) + radii;
    // Differences of vertices are rounded relative to the scale; a direction that is made of small
    // ones is off by their size's part of that, and over large ones it shows.
    double noise = 1.0e-15 * m->scale * (m->scale / fmin(m->a.extent, m->b.extent));
    double fine = 1.0e-10 * m->scale + m->exact + noise, settled = 4.0e-9 * m->scale;
    // What touches counts as overlap, also where rounding leaves it a gap. A depth is settled within
    // TRVI_DEPTH_GAP (1e-9) of the radii, which the scale is more than: two of them differ by twice
    // that and the touch (1e-12) at most.
    bool apart = gap > TRVI_TOUCH * couple.scale;
    if (gap > 0.0)
        fine += left_open(&couple) + left_open(&turned);
    bool is_along = within(fabs(along - gap), fine);
    bool is_same = within(fabs(mirrored.axis.gap - gap), apart ? fine : settled);
    if (!is_along || !is_same) {
        scene_note("gap", gap);
        scene_note("along its normal", along);
        scene_note("mirrored", mirrored.axis.gap);
        scene_note("scale", m->scale);
    }
    demand(is_along);
    demand(is_same);
    if (gap <= 0.0)
        return;
    trvi_dvec3 on_a, on_b;
    trvi_nearest_points(&couple, &nearest, &on_a, &on_b);
    double miss =
        trvi_dlength(trvi_dsub(trvi_dsub(on_b, on_a), trvi_dscale(nearest.axis.normal, gap)));
    double near = 1.0e-6 * gap + (apart ? fine : settled);
    bool meet = within(miss, near);
    if (!meet) {
        scene_note("gap", gap);
        scene_note("points miss by", miss);
        scene_note("scale", m->scale);
    }
    demand(meet);
}
