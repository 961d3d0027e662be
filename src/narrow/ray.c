// Rays against posed shapes: each kind has its own test, hulls that of ray_hull.c, and half-spaces
// the one here.
#include <trivet/primitives.h>

#include <string.h>

#include "math/math.h"
#include "primitive_math.h"
#include "questions.h"
#include "ray_thin.h"

static void cast_at_half_space(const trv_plane *plane, trv_pose pose, trv_ray ray, trv_ray_hit *out)
{
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    trvi_dvec3 n = trvi_dmat3_mul(&rotation, trvi_dvec3_from(plane->normal));
    trvi_dvec3 from = trvi_dsub(trvi_dvec3_from(ray.origin), trvi_dvec3_from(pose.position));
    double height = trvi_ddot(n, from) + (double)plane->offset;
    double rise = trvi_ddot(n, trvi_dvec3_from(ray.travel));
    if (height <= 0.0) {
        out->hit = out->inside = true;
        out->point = ray.origin;
        return;
    }
    if (!(height + rise <= 0.0))
        return;
    double fraction = height / -rise;
    out->hit = true;
    out->fraction = (float)fraction;
    out->point = trvi_vec3_from_double(
        trvi_dmul_add(trvi_dvec3_from(ray.origin), trvi_dvec3_from(ray.travel), fraction));
    out->normal = trvi_vec3_from_double(trvi_dscale(n, 1.0 / trvi_dlength(n)));
}

static void cast_at_hull(const trv_hull *hull, trv_pose pose, trv_ray ray, trv_ray_hit *out)
{
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    trvi_dvec3 from = trvi_dsub(trvi_dvec3_from(ray.origin), trvi_dvec3_from(pose.position));
    trvi_dvec3 origin = trvi_dmat3_mul_transposed(&rotation, from);
    trvi_dvec3 travel = trvi_dmat3_mul_transposed(&rotation, trvi_dvec3_from(ray.travel));
    trvi_span span;
    if (!trvi_ray_hull(hull, origin, travel, &span) ||
        !trvi_ray_settle(hull, origin, travel, &span))
        return;
    out->hit = true;
    out->inside = !span.outside;
    out->point = ray.origin;
    if (out->inside)
        return;
    // A ray that grazes a face within the sliver comes to its plane past the end of the hull. No face
    // by which it leaves before that was passed over: the place there is above its plane.
    double fraction = fmin(span.fraction, span.leave);
    out->fraction = (float)fraction;
    out->point = trvi_vec3_from_double(
        trvi_dmul_add(trvi_dvec3_from(ray.origin), trvi_dvec3_from(ray.travel), fraction));
    trvi_dvec3 n = trvi_dmat3_mul(&rotation, trvi_dvec3_from(hull->planes[span.face].normal));
    out->normal = trvi_vec3_from_double(trvi_dscale(n, 1.0 / trvi_dlength(n)));
}

// A place of the shape, from the ray's origin; nothing is rounded on the way, however far that is from the
// world's.
static trvi_dvec3 way_to(const trv_ray *ray, trv_pose pose, trv_vec3 local)
{
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    trvi_dvec3 turned = trvi_dmat3_mul(&rotation, trvi_dvec3_from(local));
    trvi_dvec3 from = trvi_dsub(trvi_dvec3_from(pose.position), trvi_dvec3_from(ray->origin));
    return trvi_dadd(turned, from);
}

static void cast_at_box(trv_obb box, trv_pose pose, trv_ray ray, trv_ray_hit *out)
{
    trvi_dvec3 center = way_to(&ray, pose, box.center);
    trvi_box_frame frame;
    box.rotation = trvi_quat_turns(box.rotation)
                       ? trvi_quat_normalize(trvi_quat_mul(pose.rotation, box.rotation))
                       : pose.rotation;
    if (trvi_box_frame_of(box, &frame))
        *out = trvi_ray_box(ray, &frame, center);
}

static void cast(const trv_shape *shape, trv_pose pose, trv_ray ray, trv_ray_hit *out)
{
    const trv_sphere *sphere = &shape->as.sphere;
    const trv_capsule *capsule = &shape->as.capsule;
    uint32_t part;
    switch (shape->kind) {
    case TRV_SHAPE_SPHERE:
        *out = trvi_ray_ball(ray, way_to(&ray, pose, sphere->center), sphere->radius);
        break;
    case TRV_SHAPE_CAPSULE:
        *out = trvi_ray_rod(ray, way_to(&ray, pose, capsule->a), way_to(&ray, pose, capsule->b),
                            capsule->radius);
        break;
    case TRV_SHAPE_BOX:
        cast_at_box(shape->as.box, pose, ray, out);
        break;
    case TRV_SHAPE_HULL:
        cast_at_hull(shape->as.hull, pose, ray, out);
        break;
    case TRV_SHAPE_COMPOUND:
        trvi_compound_ray(shape->as.compound, pose, ray, cast, out, &part);
        break;
    default:
        cast_at_half_space(&shape->as.plane, pose, ray, out);
        break;
    }
}

trv_result trv_shape_cast_ray(const trv_shape *shape, trv_pose pose, trv_ray ray, trv_ray_hit *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    trv_result result = trv_shape_check(shape);
    if (result == TRV_OK)
        result = trvi_check_pose(pose);
    if (result == TRV_OK)
        result = trvi_check_vec3(ray.origin);
    if (result == TRV_OK)
        result = trvi_check_vec3(ray.travel);
    if (result == TRV_OK)
        cast(shape, pose, ray, out);
    return result;
}

trv_result trv_compound_cast_ray(const trv_compound *compound, trv_pose pose, trv_ray ray,
                                 trv_ray_hit *out, uint32_t *part)
{
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (part != NULL)
        *part = 0;
    if (compound == NULL || out == NULL || part == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_pose(pose);
    if (result == TRV_OK)
        result = trvi_check_vec3(ray.origin);
    if (result == TRV_OK)
        result = trvi_check_vec3(ray.travel);
    if (result == TRV_OK)
        trvi_compound_ray(compound, pose, ray, cast, out, part);
    return result;
}
