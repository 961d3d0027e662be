// Reads motions: at rest, straight, turning a little or for many turns, about centres near and far.
#include "moving.h"

#include "math/math.h"

static trv_motion read_motion(fuzz_bytes *r)
{
    trv_motion motion = {0};
    uint8_t choice = take_byte(r);
    fuzz_style how = take_style(r);
    float size = take_size(r);
    if (choice & 3)
        motion.travel = take_vec3(r, how, size);
    if (choice >= 100) { // up to a radian, a few turns, many
        float turn = choice < 190 ? 0.125f : choice < 240 ? 3.14159265f : 50.0f;
        motion.turn = take_vec3(r, choice < 252 ? EIGHTHS : how, choice < 252 ? turn : size);
    }
    if (choice & 4)
        motion.center_local = take_vec3(r, how, take_byte(r) < 200 ? 0.25f : size);
    return motion;
}

void moving_read(fuzz_moving *moving, fuzz_bytes *r)
{
    moving->motion_a = read_motion(r);
    moving->motion_b = read_motion(r);
    moving->until = (float)take_byte(r) / 255.0f;
}

static void aim(fuzz_moving *moving)
{
    const float shares[4] = {1.0f, 0.5f, 2.0f, 16.0f};
    uint32_t choice = (uint32_t)(moving->until * 255.0f + 0.5f);
    if (choice < 64)
        return;
    trv_vec3 way = trvi_sub(moving->motion_a.pose.position, moving->motion_b.pose.position);
    moving->motion_b.travel = trvi_mul_add(moving->motion_b.travel, way, shares[choice & 3]);
}

double shape_reach(const trv_shape *shape)
{
    trv_aabb box;
    trv_pose here = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
    if (shape->kind == TRV_SHAPE_PLANE)
        return fabs((double)shape->as.plane.offset);
    demand(trv_bounds_of_shape(shape, here, 0.0f, &box) == TRV_OK);
    return trvi_dlength((trvi_dvec3){fmax(-(double)box.lower.x, (double)box.upper.x),
                                     fmax(-(double)box.lower.y, (double)box.upper.y),
                                     fmax(-(double)box.lower.z, (double)box.upper.z)});
}

void moving_ask(fuzz_moving *moving, const trv_shape *a, const trv_shape *b,
                const fuzz_scene *scene)
{
    moving->a = *a;
    moving->b = *b;
    moving->motion_a.pose = scene->pose_a;
    moving->motion_b.pose = scene->pose_b;
    moving->margin = scene->margin;
    moving->cache = scene->cache;
    aim(moving);
    check_moving(moving);
}
