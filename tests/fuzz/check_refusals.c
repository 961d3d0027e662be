// Every question refuses the same scenes by the same code, and leaves zeros.
#include "narrow_checks.h"

#include <math.h>
#include <string.h>

static bool is_zero(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        if (at[i] != 0)
            return false;
    return true;
}

static bool fits(float x)
{
    return fabsf(x) <= TRV_COORD_MAX; // false for NaN
}

static bool fits_vec3(trv_vec3 v)
{
    return fits(v.x) && fits(v.y) && fits(v.z);
}

// Written down again from the public comments; rotations on the border of what is accepted are
// left to the library.
static bool is_plainly_bad(const trv_shape *shape, trv_pose pose)
{
    if (!fits_vec3(pose.position))
        return true;
    switch (shape->kind) {
    case TRV_SHAPE_SPHERE:
        return !fits_vec3(shape->as.sphere.center) || !fits(shape->as.sphere.radius) ||
               shape->as.sphere.radius <= 0.0f;
    case TRV_SHAPE_CAPSULE:
        return !fits_vec3(shape->as.capsule.a) || !fits_vec3(shape->as.capsule.b) ||
               !fits(shape->as.capsule.radius) || shape->as.capsule.radius <= 0.0f;
    case TRV_SHAPE_BOX:
        return !fits_vec3(shape->as.box.center) || !fits_vec3(shape->as.box.half) ||
               shape->as.box.half.x <= 0.0f || shape->as.box.half.y <= 0.0f ||
               shape->as.box.half.z <= 0.0f;
    case TRV_SHAPE_HULL:
        return shape->as.hull == NULL;
    case TRV_SHAPE_PLANE:
        return !fits_vec3(shape->as.plane.normal) || !fits(shape->as.plane.offset);
    default:
        return true;
    }
}

static void check_pair(const fuzz_scene *s, trv_result *code)
{
    trv_separation separation;
    trv_gap gap;
    trv_manifold manifold;
    trv_plane_cache cache = s->cache;
    bool overlap = true;
    memset(&separation, 0x55, sizeof separation);
    memset(&gap, 0x55, sizeof gap);
    memset(&manifold, 0x55, sizeof manifold);
    *code = trv_separate(&s->a, s->pose_a, &s->b, s->pose_b, &cache, &separation);
    demand(*code == trv_overlap(&s->a, s->pose_a, &s->b, s->pose_b, &overlap));
    demand(*code == trv_distance(&s->a, s->pose_a, &s->b, s->pose_b, &gap));
    trv_result collide =
        trv_collide(&s->a, s->pose_a, &s->b, s->pose_b, s->margin, &cache, &manifold);
    bool good_margin = s->margin >= 0.0f && s->margin <= TRV_COORD_MAX;
    if (*code != TRV_OK) {
        demand(collide == *code);
        demand(!overlap && is_zero(&separation, sizeof separation) && is_zero(&gap, sizeof gap));
    } else {
        demand((collide == TRV_OK) == good_margin);
    }
    if (collide != TRV_OK)
        demand(is_zero(&manifold, sizeof manifold));
}

bool check_refusals(const fuzz_scene *s)
{
    trv_result code;
    check_pair(s, &code);
    trv_result shape_a = trv_shape_check(&s->a), shape_b = trv_shape_check(&s->b);
    if (shape_a != TRV_OK || shape_b != TRV_OK)
        demand(code == (shape_a != TRV_OK ? shape_a : shape_b));
    if (is_plainly_bad(&s->a, s->pose_a) || is_plainly_bad(&s->b, s->pose_b))
        demand(code != TRV_OK);
    trv_ray_hit hit;
    memset(&hit, 0x55, sizeof hit);
    trv_result ray = trv_shape_cast_ray(&s->a, s->pose_a, s->ray, &hit);
    bool good_ray = fits_vec3(s->ray.origin) && fits_vec3(s->ray.travel);
    if (code == TRV_OK)
        demand((ray == TRV_OK) == good_ray);
    if (shape_a != TRV_OK)
        demand(ray == shape_a);
    if (ray != TRV_OK)
        demand(is_zero(&hit, sizeof hit));
    return code == TRV_OK && s->margin >= 0.0f && s->margin <= TRV_COORD_MAX && good_ray;
}
