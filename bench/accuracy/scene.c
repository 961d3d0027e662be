// Short hands for building and reading scenes. A call that the world refuses ends the program.
#include "truth.h"

void truth_check(trv_result result, const char *call)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "%s: %s\n", call, trv_result_text(result));
    exit(2);
}

static trv_world *make_world(double gravity)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world = NULL;
    def.gravity = truth_v(0, -gravity, 0);
    truth_ok(trv_world_create(&def, &world));
    return world;
}

trv_world *truth_world(void)
{
    return make_world(TRUTH_GRAVITY);
}

trv_world *truth_empty_space(void)
{
    return make_world(0);
}

float truth_dt(const truth_variant *variant)
{
    return 1.0f / truth_or(variant->rate, 60.0f);
}

int truth_steps(const truth_variant *variant, double seconds)
{
    return (int)(seconds * truth_or(variant->rate, 60.0f) + 0.5);
}

void truth_step(const truth_variant *variant, trv_world *world)
{
    uint32_t substeps = variant->substeps != 0 ? (uint32_t)variant->substeps : 4;
    truth_ok(trv_world_step(world, truth_dt(variant), substeps));
}

static void add_shape(trv_world *world, trv_body_id body, trv_shape shape, float friction,
                      float restitution, float density)
{
    trv_shape_def def = trv_default_shape_def();
    trv_shape_id id;
    def.material.friction = friction;
    def.material.restitution = restitution;
    def.material.density = density;
    truth_ok(trv_shape_create(world, body, &def, &shape, &id));
}

trv_body_id truth_add(trv_world *world, const truth_part *part)
{
    trv_body_def def = trv_default_body_def();
    trv_body_id body;
    def.kind = part->kind;
    def.position = part->position;
    trv_quat q = part->rotation;
    if (q.x != 0.0f || q.y != 0.0f || q.z != 0.0f || q.w != 0.0f)
        def.rotation = q;
    def.linear_velocity = part->velocity;
    def.angular_velocity = part->spin;
    truth_ok(trv_body_create(world, &def, &body));
    add_shape(world, body, part->shape, part->friction, part->restitution,
              truth_or(part->density, 1000.0f));
    return body;
}

void truth_add_shape(trv_world *world, trv_body_id body, trv_shape shape, float friction,
                     float density)
{
    add_shape(world, body, shape, friction, 0.0f, density);
}

trv_body_id truth_ground(trv_world *world, float friction, float restitution, float half)
{
    truth_part part = {.shape = truth_box(half, 1, half),
                       .position = truth_v(0, -1, 0),
                       .friction = friction,
                       .restitution = restitution};
    return truth_add(world, &part);
}

trv_shape truth_box(double x, double y, double z)
{
    return trv_make_box(truth_v(x, y, z));
}

trv_shape truth_cube(double half)
{
    return truth_box(half, half, half);
}

trv_shape truth_ball(double radius)
{
    return trv_make_sphere(truth_v(0, 0, 0), (float)radius);
}

trv_pose truth_pose(const trv_world *world, trv_body_id body)
{
    trv_pose pose;
    truth_ok(trv_body_pose(world, body, &pose));
    return pose;
}

trv_vec3 truth_position(const trv_world *world, trv_body_id body)
{
    return truth_pose(world, body).position;
}

trv_vec3 truth_velocity(const trv_world *world, trv_body_id body)
{
    trv_vec3 linear, angular;
    truth_ok(trv_body_velocity(world, body, &linear, &angular));
    return linear;
}

trv_vec3 truth_spin(const trv_world *world, trv_body_id body)
{
    trv_vec3 linear, angular;
    truth_ok(trv_body_velocity(world, body, &linear, &angular));
    return angular;
}

bool truth_awake(const trv_world *world, trv_body_id body)
{
    bool awake;
    truth_ok(trv_body_awake(world, body, &awake));
    return awake;
}

double truth_tilt(const trv_world *world, trv_body_id body, trv_vec3 axis)
{
    trv_vec3 turned = trv_rotate(truth_pose(world, body).rotation, axis);
    double half = 0.5 * truth_length(truth_minus(turned, axis)) / truth_length(axis);
    return 2.0 * asin(half < 1.0 ? half : 1.0);
}

double truth_dot(trv_vec3 a, trv_vec3 b)
{
    return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z;
}

double truth_length(trv_vec3 v)
{
    return sqrt(truth_dot(v, v));
}

trv_vec3 truth_minus(trv_vec3 a, trv_vec3 b)
{
    return trv_make_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

trv_vec3 truth_unturn(trv_quat rotation, trv_vec3 v)
{
    trv_quat back = {-rotation.x, -rotation.y, -rotation.z, rotation.w};
    return trv_rotate(back, v);
}

double truth_noise(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15); // splitmix64
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1.0;
}
