// A user of trivet in C++11: a ball that falls for half a second.
#include <cstdio>

#include <trivet/world.h>

int main()
{
    trv_world_def world_def = trv_default_world_def();
    trv_world *world = nullptr;
    trv_body_def body_def = trv_default_body_def();
    body_def.kind = TRV_BODY_DYNAMIC;
    trv_body_id body;
    trv_shape_def shape_def = trv_default_shape_def();
    trv_shape ball = trv_make_sphere(trv_make_vec3(0.0f, 0.0f, 0.0f), 0.5f);
    trv_shape_id shape;
    trv_pose pose;

    bool good = trv_world_create(&world_def, &world) == TRV_OK &&
                trv_body_create(world, &body_def, &body) == TRV_OK &&
                trv_shape_create(world, body, &shape_def, &ball, &shape) == TRV_OK;
    for (int i = 0; good && i < 30; i++)
        good = trv_world_step(world, 1.0f / 60.0f, 4) == TRV_OK;
    good = good && trv_body_pose(world, body, &pose) == TRV_OK;
    if (good)
        std::printf("C++: fell to %g m\n", static_cast<double>(pose.position.y));
    trv_world_destroy(world);

    // g t^2 / 2 = 1.226 m, give or take what the step's rule adds to it.
    return !(good && pose.position.y < -1.1f && pose.position.y > -1.4f);
}
