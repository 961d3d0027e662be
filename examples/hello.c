// Hello: the smallest world. A cube falls onto the ground, turned a little, and comes to rest.
//
//   hello
//
// Make a def, change what is to be different, create: a world, then bodies, then shapes on them. Then
// step, and ask where things are. Every call answers with a trv_result, and a game looks at each.
#include <stdio.h>
#include <stdlib.h>

#include <trivet/world.h>

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "hello: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

// A body of one shape; defaults for all that is not said.
static trv_body_id add(trv_world *world, trv_body_kind kind, trv_pose pose, trv_shape shape)
{
    trv_body_def body_def = trv_default_body_def();
    trv_shape_def shape_def = trv_default_shape_def();
    trv_body_id body;
    trv_shape_id id;
    body_def.kind = kind;
    body_def.position = pose.position;
    body_def.rotation = pose.rotation;
    stop_if(trv_body_create(world, &body_def, &body), "body");
    stop_if(trv_shape_create(world, body, &shape_def, &shape, &id), "shape");
    return body;
}

int main(void)
{
    trv_world_def def = trv_default_world_def(); // gravity: 9.81 m/s^2 along -y
    trv_world *world;
    stop_if(trv_world_create(&def, &world), "world");

    trv_vec3 zero = trv_make_vec3(0, 0, 0), up = trv_make_vec3(0, 1, 0);
    trv_pose pose = trv_make_pose(zero);
    add(world, TRV_BODY_STATIC, pose, trv_make_half_space(zero, up));

    pose.position.y = 4.0f;
    pose.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), 0.3f);   // radians
    trv_shape cube = trv_make_box(trv_make_vec3(0.5f, 0.5f, 0.5f)); // half extents
    trv_body_id body = add(world, TRV_BODY_DYNAMIC, pose, cube);

    bool awake = true;
    for (int step = 0; step < 600 && awake; step++) {
        if (step % 30 == 0)
            printf("%.1f s  y = %.2f m\n", step / 60.0, (double)pose.position.y);
        stop_if(trv_world_step(world, 1.0f / 60.0f, 4), "step"); // 4 sub-steps
        stop_if(trv_body_pose(world, body, &pose), "pose");
        stop_if(trv_body_awake(world, body, &awake), "awake");
    }
    printf("%s at y = %.2f m\n", awake ? "still moving" : "asleep", (double)pose.position.y);
    trv_world_destroy(world);
    return awake ? 1 : 0;
}
