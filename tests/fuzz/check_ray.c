// Rays against one shape: a hit lies on the surface, and nothing before it lies inside.
#include "narrow_checks.h"

#include <string.h>

// The corners of a hull's face may lie so far below its plane, and with them what the ray meets
// (trv_hull_create).
static double slab_of(const trv_shape *shape)
{
    if (shape->kind != TRV_SHAPE_HULL)
        return 0.0;
    uint32_t count;
    const trv_vec3 *v = trv_hull_vertices(shape->as.hull, &count);
    double largest = 0.0;
    trvi_dvec3 lower = trvi_dvec3_from(v[0]), upper = lower;
    for (uint32_t i = 0; i < count; i++) {
        trvi_dvec3 p = trvi_dvec3_from(v[i]);
        lower = (trvi_dvec3){fmin(lower.x, p.x), fmin(lower.y, p.y), fmin(lower.z, p.z)};
        upper = (trvi_dvec3){fmax(upper.x, p.x), fmax(upper.y, p.y), fmax(upper.z, p.z)};
        largest = fmax(largest, fmax(fmax(fabs(p.x), fabs(p.y)), fabs(p.z)));
    }
    return 4.0e-6 * trvi_dlength(trvi_dsub(upper, lower)) + 4.8e-7 * largest;
}

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
    double slab = slab_of(shape);
    memset(&hit, 0x55, sizeof hit);
    demand(trv_shape_cast_ray(shape, pose, ray, &hit) == TRV_OK);
    trvi_dvec3 start = {0.0, 0.0, 0.0};
    demand(hit.fraction >= 0.0f && hit.fraction <= 1.0f);
    double until = hit.hit ? hit.fraction : 1.0;
    for (int i = 0; i <= 16 && !hit.inside; i++) {
        double height = solid_height(&solid, trvi_dscale(travel, until * i / 16.0));
        bool is_out = within(-height, room + slab);
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
