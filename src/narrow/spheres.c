// Contact of two spheres: the line between their middles.
//
// Nothing is searched for, and nothing of it remembered but the gap. In world space throughout, as
// the way from one middle to the other is exact there for most: only a sphere whose own centre is
// not in the origin is turned.
#include "spheres.h"

#include "view.h"

// The middle, as seen from the origin of the frame that the shape is posed in.
static trvi_dvec3 own_middle(const trv_sphere *sphere, const trv_pose *pose)
{
    trvi_dvec3 own = trvi_dvec3_from(sphere->center);
    if (own.x == 0.0 && own.y == 0.0 && own.z == 0.0)
        return own;
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose->rotation);
    return trvi_dmat3_mul(&rotation, own);
}

bool trvi_collide_spheres(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                          const trv_pose *pose_b, double margin, trv_plane_cache *cache,
                          trv_manifold *out, trvi_answer *answer)
{
    const trv_sphere *ball_a = &a->as.sphere, *ball_b = &b->as.sphere;
    trvi_dvec3 own_a = own_middle(ball_a, pose_a), own_b = own_middle(ball_b, pose_b);
    trvi_dvec3 at_a = trvi_dvec3_from(pose_a->position), at_b = trvi_dvec3_from(pose_b->position);
    trvi_dvec3 between = trvi_dsub(at_b, at_a);
    trvi_dvec3 way = trvi_dadd(between, trvi_dsub(own_b, own_a));
    double radius_a = ball_a->radius, radius_b = ball_b->radius, length = trvi_dlength(way);
    // Sums of two of a kind first: these are the same the other way round.
    double radii = radius_a + radius_b, owns = trvi_dlength(own_a) + trvi_dlength(own_b);
    double scale = owns + trvi_dlength(between) + radii;
    if (!(length > TRVI_TOUCH * scale))
        return false;
    double gap = length - radii;
    if (cache != NULL)
        cache->gap = trvi_gap_to_keep(gap, scale);
    *answer = TRVI_APART_REMEMBERED;
    if (gap > margin + TRVI_TOUCH * scale)
        return true;
    *answer = TRVI_CONTACT;
    trvi_dvec3 n = trvi_dscale(way, 1.0 / length);
    trvi_dvec3 on_a = trvi_dmul_add(trvi_dadd(at_a, own_a), n, radius_a);
    trvi_dvec3 on_b = trvi_dmul_add(trvi_dadd(at_b, own_b), n, -radius_b);
    trvi_dvec3 point = trvi_dscale(trvi_dadd(on_a, on_b), 0.5);
    out->normal = trvi_vec3_from_double(n);
    out->count = 1;
    out->points[0] = (trv_manifold_point){trvi_vec3_from_double(point), (float)gap, 1};
    return true;
}
