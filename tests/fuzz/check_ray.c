// Rays against one shape: a hit lies on the surface, and nothing before it lies inside.
#include "narrow_checks.h"

#include <string.h>

static void check_one(const measured *m, const trv_shape *shape, trv_pose pose)
{
    trv_ray ray = m->scene->ray;
    fuzz_solid solid;
    trv_ray_hit hit;
    trvi_dvec3 travel = trvi_dvec3_from(ray.travel);
    solid_set(&solid, shape, pose, trvi_dvec3_from(ray.origin));
    // Rounding of the place of the hit, and what the rays' own tolerance is relative to.
    double room = 2.0e-6 * (solid.reach + solid.extent + trvi_dlength(travel)) +
                  2.0e-7 * trvi_dlength(trvi_dvec3_from(ray.origin));
    memset(&hit, 0x55, sizeof hit);
    demand(trv_shape_cast_ray(shape, pose, ray, &hit) == TRV_OK);
    trvi_dvec3 start = {0.0, 0.0, 0.0};
    demand(hit.fraction >= 0.0f && hit.fraction <= 1.0f);
    double until = hit.hit ? hit.fraction : 1.0;
    for (int i = 0; i <= 16 && !hit.inside; i++) {
        double height = solid_height(&solid, trvi_dscale(travel, until * i / 16.0));
        bool is_out = within(-height, room);
        if (!is_out) {
            scene_note("kind", shape->kind);
            scene_note("share of the way", i / 16.0);
            scene_note("hit", hit.hit);
            scene_note("fraction", hit.fraction);
            scene_note("height", height);
            scene_note("tolerance", room);
        }
        demand(is_out);
    }
    if (!hit.hit)
        return;
    trvi_dvec3 point = trvi_dsub(trvi_dvec3_from(hit.point), trvi_dvec3_from(ray.origin));
    double height = solid_height(&solid, point), normal = trvi_dlength(trvi_dvec3_from(hit.normal));
    trvi_dvec3 miss = trvi_dsub(point, trvi_dscale(travel, hit.fraction));
    bool is_hit = within(height, room) && within(trvi_dlength(miss), room);
    if (!is_hit) {
        scene_note("kind", shape->kind);
        scene_note("height", height);
        scene_note("off the ray", trvi_dlength(miss));
        scene_note("tolerance", room);
    }
    demand(is_hit);
    if (hit.inside) {
        demand(hit.fraction == 0.0f && normal == 0.0);
        demand(within(solid_height(&solid, start), room));
    } else {
        demand(within(fabs(normal - 1.0), 1.0e-5));
    }
}

void check_ray(const measured *m)
{
    check_one(m, &m->scene->a, m->scene->pose_a);
    check_one(m, &m->scene->b, m->scene->pose_b);
}
