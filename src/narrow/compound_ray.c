// Rays against compounds: the ray is brought into the compound's frame once, and parts are asked in
// the order in which it enters their boxes.
//
// Based on: Williams, Barrus, Morley and Shirley 2005, "An efficient and robust ray-box
// intersection algorithm"; boxes are a sliver larger, since parts may be hit by a sliver more than
// they have.
#include <string.h>

#include "questions.h"

typedef struct local_ray {
    double origin[3];
    double travel[3];
    double slack;
} local_ray;

// Where the ray enters the box; infinite where it passes by.
static double entry_to_box(const void *context, const trvi_node *node)
{
    const local_ray *ray = context;
    const double low[3] = {node->lower.x, node->lower.y, node->lower.z};
    const double high[3] = {node->upper.x, node->upper.y, node->upper.z};
    double enter = 0.0, leave = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        double to_low = low[axis] - ray->slack - ray->origin[axis];
        double to_high = high[axis] + ray->slack - ray->origin[axis];
        if (ray->travel[axis] == 0.0) {
            if (to_low > 0.0 || to_high < 0.0)
                return HUGE_VAL;
            continue;
        }
        double first = to_low / ray->travel[axis], last = to_high / ray->travel[axis];
        enter = trvi_dmax(enter, trvi_dmin(first, last));
        leave = trvi_dmin(leave, trvi_dmax(first, last));
    }
    return enter <= leave ? enter : HUGE_VAL;
}

static local_ray local_ray_of(const trvi_parts *parts, trv_ray ray)
{
    trvi_dvec3 o = trvi_dvec3_from(ray.origin), t = trvi_dvec3_from(ray.travel);
    double size = parts->reach + trvi_dlength(o) + trvi_dlength(t);
    return (local_ray){{o.x, o.y, o.z}, {t.x, t.y, t.z}, TRVI_RAY_BOUND_SLACK * size};
}

// Ties go to the lower number.
static bool is_better(const trv_ray_hit *best, uint32_t best_part, const trv_ray_hit *hit,
                      uint32_t part)
{
    if (!hit->hit || !best->hit)
        return hit->hit;
    if (hit->fraction != best->fraction)
        return hit->fraction < best->fraction;
    return part < best_part;
}

void trvi_compound_ray(const trv_compound *compound, trv_pose pose, trv_ray ray,
                       trvi_cast_ray_fn *cast, trv_ray_hit *out, uint32_t *part)
{
    trvi_parts parts;
    trv_shape shape = trv_make_compound(compound);
    trvi_parts_set(&parts, &shape, pose);
    trvi_dvec3 from = trvi_dsub(trvi_dvec3_from(ray.origin), parts.position);
    trv_ray local;
    local.origin = trvi_vec3_from_double(trvi_dmat3_mul_transposed(&parts.rotation, from));
    local.travel = trvi_vec3_from_double(
        trvi_dmat3_mul_transposed(&parts.rotation, trvi_dvec3_from(ray.travel)));
    local_ray context = local_ray_of(&parts, local);
    double limit = 1.0;
    uint32_t next;
    trvi_part_walk walk;
    memset(out, 0, sizeof *out);
    *part = 0;
    trvi_part_walk_start(&walk, &parts, entry_to_box, &context);
    while (trvi_part_walk_next(&walk, limit, &next)) {
        trv_ray_hit hit;
        memset(&hit, 0, sizeof hit);
        cast(&parts.parts[next].shape, parts.parts[next].pose, local, &hit);
        if (!is_better(out, *part, &hit, next))
            continue;
        *out = hit;
        *part = next;
        limit = hit.fraction;
    }
    if (!out->hit)
        return;
    trvi_dvec3 point = trvi_dmat3_mul(&parts.rotation, trvi_dvec3_from(out->point));
    out->point = trvi_vec3_from_double(trvi_dadd(point, parts.position));
    out->normal =
        trvi_vec3_from_double(trvi_dmat3_mul(&parts.rotation, trvi_dvec3_from(out->normal)));
    if (out->inside)
        out->point = ray.origin;
}
