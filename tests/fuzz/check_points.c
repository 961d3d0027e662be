// The vertices of the shapes as sets of points that nothing is known of.
#include "narrow_checks.h"

#include <string.h>

// In the shape's frame; a sphere's and a capsule's are those of its core.
static uint32_t own_points(const trv_shape *shape, trv_vec3 *points)
{
    uint32_t count = 0;
    const trv_obb *box = &shape->as.box;
    trvi_dmat3 rotation;
    switch (shape->kind) {
    case TRV_SHAPE_SPHERE:
        points[count++] = shape->as.sphere.center;
        break;
    case TRV_SHAPE_CAPSULE:
        points[count++] = shape->as.capsule.a;
        points[count++] = shape->as.capsule.b;
        break;
    case TRV_SHAPE_BOX:
        rotation = trvi_dmat3_from_quat(box->rotation);
        for (int i = 0; i < 8; i++) {
            trv_vec3 corner = {i & 1 ? box->half.x : -box->half.x,
                               i & 2 ? box->half.y : -box->half.y,
                               i & 4 ? box->half.z : -box->half.z};
            trvi_dvec3 turned = trvi_dmat3_mul(&rotation, trvi_dvec3_from(corner));
            points[count++] =
                trvi_vec3_from_double(trvi_dadd(turned, trvi_dvec3_from(box->center)));
        }
        break;
    case TRV_SHAPE_HULL: {
        const trv_vec3 *vertices = trv_hull_vertices(shape->as.hull, &count);
        memcpy(points, vertices, count * sizeof *points);
        break;
    }
    default:
        break;
    }
    return count;
}

static double along(const trv_vec3 *points, uint32_t count, trv_pose pose, trvi_dvec3 n,
                    trvi_dvec3 origin)
{
    double most = -HUGE_VAL;
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    trvi_dvec3 offset = trvi_dsub(trvi_dvec3_from(pose.position), origin);
    for (uint32_t i = 0; i < count; i++) {
        trvi_dvec3 p = trvi_dadd(trvi_dmat3_mul(&rotation, trvi_dvec3_from(points[i])), offset);
        most = fmax(most, trvi_ddot(n, p));
    }
    return most;
}

// A box's corners may be out of range where its center is not.
static bool fit(const trv_vec3 *points, uint32_t count)
{
    bool all = true;
    for (uint32_t i = 0; i < count; i++)
        all = all && fabsf(points[i].x) <= TRV_COORD_MAX && fabsf(points[i].y) <= TRV_COORD_MAX &&
              fabsf(points[i].z) <= TRV_COORD_MAX;
    return all;
}

// The distance, which must be the gap along its normal.
static double ask(const measured *m, const trv_vec3 *a, uint32_t count_a, const trv_vec3 *b,
                  uint32_t count_b)
{
    const fuzz_scene *s = m->scene;
    trv_gap gap;
    memset(&gap, 0x55, sizeof gap);
    demand(trv_distance_points(a, count_a, s->pose_a, b, count_b, s->pose_b, &gap) == TRV_OK);
    trvi_dvec3 n = trvi_dvec3_from(gap.normal);
    double tolerance = 4.0e-7 * m->scale + m->coarse + m->exact;
    demand(within(fabs(trvi_dlength(n) - 1.0), 1.0e-6));
    double apart = -along(b, count_b, s->pose_b, trvi_dscale(n, -1.0), m->origin) -
                   along(a, count_a, s->pose_a, n, m->origin);
    trvi_dvec3 ends = trvi_dsub(trvi_dvec3_from(gap.point_b), trvi_dvec3_from(gap.point_a));
    double miss = trvi_dlength(trvi_dsub(ends, trvi_dscale(n, gap.distance)));
    bool is_near = within(fabs(apart - gap.distance), tolerance);
    bool meet = within(miss, 3.0 * tolerance);
    if (!is_near || !meet) {
        scene_note("distance of points", gap.distance);
        scene_note("gap along its normal", apart);
        scene_note("points miss by", miss);
        scene_note("tolerance", tolerance);
    }
    demand(is_near && meet);
    return gap.distance;
}

void check_points(const measured *m)
{
    const fuzz_scene *s = m->scene;
    trv_vec3 a[SCENE_POINTS + 4], b[SCENE_POINTS + 4];
    if (m->a.is_plane || m->b.is_plane)
        return;
    uint32_t count_a = own_points(&s->a, a), count_b = own_points(&s->b, b);
    if (!fit(a, count_a) || !fit(b, count_b))
        return;
    double wanted = checked_gap(m).distance + m->a.radius + m->b.radius;
    // Corners of boxes are rounded to float32 here: each shape's by up to its least step more.
    double tolerance = 4.0e-7 * (m->scale + fabs(wanted)) + m->coarse + m->exact + 2.0 * LEAST_STEP;
    double all = ask(m, a, count_a, b, count_b);
    // Of round cores an overlap has another answer: a point has no depth, and a solid has.
    bool solid = m->a.face_count > 0 && m->b.face_count > 0;
    double too_deep = count_a > 8 || count_b > 8 ? 0.1 * fabs(all) : 0.0;
    if (wanted > tolerance || solid) {
        bool is_same = within(all - wanted, tolerance) &&
                       within(wanted - all, tolerance + (all < 0.0 ? too_deep : 0.0));
        if (!is_same) {
            scene_note("distance of points", all);
            scene_note("of shapes", wanted);
            scene_note("tolerance", tolerance);
        }
        demand(is_same);
    }
    // Fewer points, flat sets, and one of them twice.
    uint32_t few_a = 1 + s->cache.vertex_a % count_a, few_b = 1 + s->cache.vertex_b % count_b;
    double fewer = ask(m, a, few_a, b, few_b);
    if (all > tolerance)
        demand(within(all - fewer, tolerance));
    a[count_a] = a[few_a - 1];
    b[count_b] = b[few_b - 1];
    double twice = ask(m, a, count_a + 1, b, count_b + 1);
    demand(within(fabs(twice - all), tolerance + (twice < 0.0 ? 0.1 * fabs(all) : 0.0)));
}
