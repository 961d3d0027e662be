// Shapes: the constructors, and what makes one acceptable.
#include "narrow.h"

#include "math/math.h"

trv_shape trv_make_sphere(trv_vec3 center, float radius)
{
    trv_shape shape = {.kind = TRV_SHAPE_SPHERE};
    shape.as.sphere = (trv_sphere){center, radius};
    return shape;
}

trv_shape trv_make_capsule(trv_vec3 a, trv_vec3 b, float radius)
{
    trv_shape shape = {.kind = TRV_SHAPE_CAPSULE};
    shape.as.capsule = (trv_capsule){a, b, radius};
    return shape;
}

trv_shape trv_make_box(trv_vec3 half)
{
    trv_obb box = {{0.0f, 0.0f, 0.0f}, half, trv_identity_quat()};
    return trv_make_placed_box(box);
}

trv_shape trv_make_placed_box(trv_obb box)
{
    trv_shape shape = {.kind = TRV_SHAPE_BOX};
    shape.as.box = box;
    return shape;
}

trv_shape trv_make_hull(const trv_hull *hull)
{
    trv_shape shape = {.kind = TRV_SHAPE_HULL};
    shape.as.hull = hull;
    return shape;
}

trv_shape trv_make_half_space(trv_vec3 point, trv_vec3 normal)
{
    trv_shape shape = {.kind = TRV_SHAPE_PLANE};
    double offset = -trvi_ddot(trvi_dvec3_from(normal), trvi_dvec3_from(point));
    shape.as.plane = (trv_plane){normal, (float)offset};
    return shape;
}

trv_shape trv_make_compound(const trv_compound *compound)
{
    trv_shape shape = {.kind = TRV_SHAPE_COMPOUND};
    shape.as.compound = compound;
    return shape;
}

// > 0 and <= TRV_COORD_MAX.
static trv_result check_size(float size)
{
    trv_result result = trvi_check_coordinate(size);
    if (result != TRV_OK)
        return result;
    return size > 0.0f ? TRV_OK : TRV_ERROR_RANGE;
}

static trv_result first_error(trv_result a, trv_result b)
{
    return a != TRV_OK ? a : b;
}

static trv_result check_box(const trv_obb *box)
{
    // Sound boxes by far outnumber others: no need to ask what is wrong, number by number.
    float half = box->half.x + box->half.y + box->half.z;
    float place = fabsf(box->center.x) + fabsf(box->center.y) + fabsf(box->center.z);
    if (box->half.x > 0.0f && box->half.y > 0.0f && box->half.z > 0.0f &&
        half + place <= TRV_COORD_MAX)
        return trvi_check_quat(box->rotation);
    trv_result result = trvi_check_vec3(box->center);
    result = first_error(result, check_size(box->half.x));
    result = first_error(result, check_size(box->half.y));
    result = first_error(result, check_size(box->half.z));
    return first_error(result, trvi_check_quat(box->rotation));
}

static trv_result check_plane(const trv_plane *plane)
{
    trv_result result = trvi_check_vec3(plane->normal);
    result = first_error(result, trvi_check_coordinate(plane->offset));
    if (result != TRV_OK)
        return result;
    double length = trvi_dlength(trvi_dvec3_from(plane->normal));
    return fabs(length - 1.0) <= TRVI_UNIT_TOLERANCE ? TRV_OK : TRV_ERROR_RANGE;
}

trv_result trv_shape_check(const trv_shape *shape)
{
    if (shape == NULL)
        return TRV_ERROR_NULL;
    switch (shape->kind) {
    case TRV_SHAPE_SPHERE:
        return first_error(trvi_check_vec3(shape->as.sphere.center),
                           check_size(shape->as.sphere.radius));
    case TRV_SHAPE_CAPSULE:
        return first_error(
            first_error(trvi_check_vec3(shape->as.capsule.a), trvi_check_vec3(shape->as.capsule.b)),
            check_size(shape->as.capsule.radius));
    case TRV_SHAPE_BOX:
        return check_box(&shape->as.box);
    case TRV_SHAPE_HULL:
        return shape->as.hull != NULL ? TRV_OK : TRV_ERROR_NULL;
    case TRV_SHAPE_PLANE:
        return check_plane(&shape->as.plane);
    case TRV_SHAPE_COMPOUND:
        return shape->as.compound != NULL ? TRV_OK : TRV_ERROR_NULL;
    default:
        return TRV_ERROR_KIND;
    }
}
