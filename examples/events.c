// Events: what a step tells, read after it as arrays.
//
//   events
//
// A ball rolls down a ramp, off its end, through a gate that only looks, and onto a plate. Nothing
// calls back: after each step the game reads what has begun and ended, what was hit and how hard, and
// who fell asleep. The user values say which thing is meant. The same on every machine.
#include <stdio.h>
#include <stdlib.h>

#include <trivet/world.h>

enum { RAMP = 1, GATE, PLATE, BALL };

static const char *const names[] = {"?", "ramp", "gate", "plate", "ball"};

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "events: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

typedef struct thing {
    trv_body_kind kind;
    uint64_t user;
    trv_vec3 position;
    float tilt; // about z, rad
    trv_shape shape;
} thing;

static void add(trv_world *world, const thing *what)
{
    trv_body_def body_def = trv_default_body_def();
    body_def.kind = what->kind;
    body_def.position = what->position;
    body_def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), what->tilt);
    body_def.user = what->user;
    trv_shape_def shape_def = trv_default_shape_def();
    shape_def.user = what->user;
    shape_def.sensor = what->user == GATE;
    shape_def.material.rolling_friction = what->user == PLATE ? 0.05f : 0.0f; // a soft mat
    trv_body_id body;
    trv_shape_id shape;
    stop_if(trv_body_create(world, &body_def, &body), "body");
    stop_if(trv_shape_create(world, body, &shape_def, &what->shape, &shape), "shape");
}

// Every begin has its end in the same kind of array, whatever happens to the bodies.
static void report(const trv_world *world)
{
    trv_events events = trv_world_events(world);
    for (uint32_t i = 0; i < events.begin_count; i++)
        printf("%s and %s touch\n", names[events.begins[i].user_a], names[events.begins[i].user_b]);
    for (uint32_t i = 0; i < events.end_count; i++)
        printf("%s and %s part\n", names[events.ends[i].user_a], names[events.ends[i].user_b]);
    for (uint32_t i = 0; i < events.hit_count; i++)
        printf("%s and %s hit at %.0f m/s\n", names[events.hits[i].user_a],
               names[events.hits[i].user_b], (double)events.hits[i].speed);
    for (uint32_t i = 0; i < events.sensor_begin_count; i++)
        printf("%s sees %s\n", names[events.sensor_begins[i].sensor_user],
               names[events.sensor_begins[i].visitor_user]);
    for (uint32_t i = 0; i < events.sensor_end_count; i++)
        printf("%s sees %s no more\n", names[events.sensor_ends[i].sensor_user],
               names[events.sensor_ends[i].visitor_user]);
    for (uint32_t i = 0; i < events.sleep_count; i++)
        printf("%s falls asleep\n", names[events.sleeps[i].user]);
}

int main(void)
{
    const thing things[] = {
        {TRV_BODY_STATIC, RAMP, {0, 3, 0}, -0.3f, trv_make_box(trv_make_vec3(2, 0.1f, 1))},
        {TRV_BODY_STATIC, GATE, {3, 1.6f, 0}, 0, trv_make_box(trv_make_vec3(0.1f, 1, 1))},
        {TRV_BODY_STATIC, PLATE, {4, -0.5f, 0}, 0, trv_make_box(trv_make_vec3(9, 0.5f, 2))},
        {TRV_BODY_DYNAMIC,
         BALL,
         {-1.5f, 4.05f, 0},
         0,
         trv_make_sphere(trv_make_vec3(0, 0, 0), 0.25f)},
    };
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    stop_if(trv_world_create(&def, &world), "world");
    for (size_t i = 0; i < sizeof things / sizeof *things; i++)
        add(world, &things[i]);
    for (int step = 0; step < 600; step++) {
        stop_if(trv_world_step(world, 1.0f / 60.0f, 4), "step");
        report(world);
    }
    trv_world_destroy(world);
    return 0;
}
