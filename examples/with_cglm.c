// With cglm: a game whose mathematics are cglm's, and what passes between it and Trivet.
//
//   with_cglm
//
// <trivet/cglm.h> converts vectors, quaternions, matrices, boxes and planes by copying their numbers;
// cglm's types are in no other header. Here a box tumbles: its pose becomes the model matrix that a
// renderer wants. Then the camera's six planes, as cglm has them, ask the broadphase what is in view.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cglm/cglm.h>

#include <trivet/broad.h>
#include <trivet/cglm.h>
#include <trivet/world.h>

enum { POSTS = 12 };

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "with_cglm: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

// A box in free flight for a second; its model matrix at the end.
static void tumble(vec3 start, vec3 axis, float speed, mat4 model)
{
    trv_world_def def = trv_default_world_def();
    trv_body_def body_def = trv_default_body_def();
    trv_shape_def shape_def = trv_default_shape_def();
    trv_shape box = trv_make_box(trv_make_vec3(0.5f, 0.25f, 0.25f));
    trv_world *world;
    trv_body_id body;
    trv_shape_id shape;
    trv_pose pose;
    vec3 spin;
    glm_vec3_scale_as(axis, speed, spin);
    body_def.kind = TRV_BODY_DYNAMIC;
    body_def.position = trv_vec3_from_cglm(start);
    body_def.angular_velocity = trv_vec3_from_cglm(spin);
    stop_if(trv_world_create(&def, &world), "world");
    stop_if(trv_body_create(world, &body_def, &body), "body");
    stop_if(trv_shape_create(world, body, &shape_def, &box, &shape), "shape");
    for (int step = 0; step < 60; step++)
        stop_if(trv_world_step(world, 1.0f / 60.0f, 4), "step");
    stop_if(trv_body_pose(world, body, &pose), "pose");
    trv_world_destroy(world);

    // The same corner by the matrix and by the pose.
    vec3 corner = {0.5f, 0.25f, 0.25f}, moved;
    trv_pose_to_cglm(pose, model);
    glm_mat4_mulv3(model, corner, 1.0f, moved);
    trv_vec3 same = trv_pose_apply(pose, trv_vec3_from_cglm(corner));
    float off =
        fmaxf(fabsf(moved[0] - same.x), fmaxf(fabsf(moved[1] - same.y), fabsf(moved[2] - same.z)));
    printf("the box is at %.2f %.2f %.2f, its corner at %.2f %.2f %.2f\n", (double)model[3][0],
           (double)model[3][1], (double)model[3][2], (double)moved[0], (double)moved[1],
           (double)moved[2]);
    stop_if(off < 1.0e-5f ? TRV_OK : TRV_ERROR_RANGE, "the matrix says something else");
}

static bool tell(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    *(uint32_t *)context += 1;
    printf(" %u", (unsigned)user);
    return true; // go on
}

// Posts in a circle about the camera, like the hours of a clock; it looks towards `hour`.
static uint32_t look(const trv_broad *broad, float hour)
{
    mat4 projection, view, both;
    vec4 cglm_planes[6];
    trv_plane planes[6];
    vec3 eye = {0, 1, 0}, ahead = {0, 0, -1}, up = {0, 1, 0};
    glm_vec3_rotate(ahead, -hour * GLM_PI_2f / 3.0f, up);
    glm_perspective(GLM_PI_2f, 1.0f, 0.1f, 50.0f, projection); // 90 degrees
    glm_look(eye, ahead, up, view);
    glm_mat4_mul(projection, view, both);
    glm_frustum_planes(both, cglm_planes);
    for (int i = 0; i < 6; i++) { // cglm's point inwards; Trivet's volumes lie below their planes
        planes[i] = trv_plane_from_cglm(cglm_planes[i]);
        planes[i].normal =
            trv_make_vec3(-planes[i].normal.x, -planes[i].normal.y, -planes[i].normal.z);
        planes[i].offset = -planes[i].offset;
    }
    uint32_t count = 0;
    printf("towards %2.0f o'clock:", (double)hour);
    stop_if(trv_broad_query_planes(broad, planes, 6, trv_default_filter(), tell, &count), "look");
    printf("\n");
    return count;
}

int main(void)
{
    vec3 start = {0, 6, -3}, axis = {1, 1, 0};
    mat4 model;
    tumble(start, axis, 2.0f, model);

    trv_broad_def def = trv_default_broad_def();
    trv_broad *broad;
    stop_if(trv_broad_create(&def, &broad), "broadphase");
    for (int i = 0; i < POSTS; i++) {
        trv_proxy_id proxy;
        vec3 at = {0, 0, -10}, up = {0, 1, 0}, box[2];
        glm_vec3_rotate(at, (float)-i * GLM_PI_2f / 3.0f, up);
        glm_vec3_sub(at, (vec3){0.2f, 0, 0.2f}, box[0]);
        glm_vec3_add(at, (vec3){0.2f, 2, 0.2f}, box[1]);
        stop_if(trv_broad_add(broad, trv_aabb_from_cglm(box), trv_default_filter(),
                              TRV_PROXY_STATIC, i ? (uint64_t)i : POSTS, &proxy),
                "post");
    }
    trv_pairs none;
    stop_if(trv_broad_update(broad, &none), "update");
    uint32_t seen = look(broad, 12.0f) + look(broad, 4.0f);
    trv_broad_destroy(broad);
    return seen == 6 ? 0 : 1;
}
