// Trivet, as bench_world sees it: with default settings, alone or with two workers.
#include "scene.h"

#include <trivet/threads.h>

#include "../bench.h"

typedef struct self {
    const world_scene *scene;
    trv_world *world;
    trv_body_id *bodies;
    trv_threads *threads;
    uint32_t workers;
    uint32_t added;
    uint32_t orbiting; // no body from here on is moved by hand
} self;

// Like the benchmark's own: of the process where one thread works, else of the wall.
static double seconds_now(void *user)
{
    const uint32_t *workers = user;
    return 1e-9 * (*workers > 1 ? bench_now() : bench_cpu());
}

static void add(self *s, uint32_t index)
{
    const world_body *from = &s->scene->bodies[index];
    trv_body_def def = trv_default_body_def();
    def.kind = from->kind;
    def.position = from->position;
    def.rotation = from->rotation;
    def.linear_velocity = from->velocity;
    def.angular_velocity = from->spin;
    def.asleep = from->asleep;
    bench_need(trv_body_create(s->world, &def, &s->bodies[index]), "body");
    for (uint32_t i = 0; i < from->solids; i++) {
        trv_shape_def surface = trv_default_shape_def();
        trv_shape shape = world_shape_of(&s->scene->solids[from->solid + i]);
        trv_shape_id id;
        surface.material.friction = s->scene->friction;
        if (from->density > 0)
            surface.material.density = from->density;
        bench_need(trv_shape_create(s->world, s->bodies[index], &surface, &shape, &id), "shape");
    }
}

static void add_up_to(self *s, uint32_t step)
{
    while (s->added < s->scene->body_count && s->scene->bodies[s->added].from_step <= step)
        add(s, s->added++);
}

static void *create_with(const world_scene *scene, uint32_t workers)
{
    self *s = calloc(1, sizeof *s);
    trv_world_def def = trv_default_world_def();
    s->scene = scene;
    for (uint32_t i = 0; i < scene->body_count; i++)
        s->orbiting = scene->bodies[i].orbit != 0 ? i + 1 : s->orbiting;
    s->bodies = calloc(scene->body_count, sizeof *s->bodies);
    def.gravity = trv_make_vec3(0, -scene->gravity, 0);
    def.sleep = scene->sleep;
    s->workers = workers;
    def.clock.user = &s->workers;
    def.clock.seconds = seconds_now;
    if (workers > 1) {
        trv_threads_def threads_def = trv_default_threads_def();
        threads_def.count = workers;
        bench_need(trv_threads_create(&threads_def, &s->threads), "threads");
        def.workers = trv_threads_workers(s->threads);
    }
    bench_need(trv_world_create(&def, &s->world), "world");
    add_up_to(s, 0);
    return s;
}

static void *create(const world_scene *scene)
{
    return create_with(scene, 1);
}

static void *create_two(const world_scene *scene)
{
    return create_with(scene, 2);
}

static void step(void *self_, uint32_t number)
{
    self *s = self_;
    add_up_to(s, number);
    for (uint32_t i = 0; i < s->added && i < s->orbiting; i++) {
        const world_body *body = &s->scene->bodies[i];
        if (body->orbit != 0) {
            trv_vec3 velocity = world_orbit_velocity(s->scene, body, number);
            bench_need(trv_body_set_velocity(s->world, s->bodies[i], velocity, body->spin), "move");
        }
    }
    bench_need(trv_world_step(s->world, s->scene->dt, 4), "step");
}

static void get(void *self_, world_state *states)
{
    self *s = self_;
    for (uint32_t i = 0; i < s->added; i++) {
        bench_need(trv_body_pose(s->world, s->bodies[i], &states[i].pose), "pose");
        bench_need(trv_body_velocity(s->world, s->bodies[i], &states[i].velocity, &states[i].spin),
                   "get");
    }
}

static void tell(void *self_, double *phases, uint64_t *bytes)
{
    self *s = self_;
    trv_world_profile profile;
    trv_world_counters counters;
    bench_need(trv_world_profile_get(s->world, &profile), "profile");
    bench_need(trv_world_counters_get(s->world, &counters), "counters");
    memcpy(phases, profile.seconds, sizeof profile.seconds);
    *bytes = counters.bytes;
}

static void destroy(void *self_)
{
    self *s = self_;
    trv_world_destroy(s->world);
    trv_threads_destroy(s->threads);
    free(s->bodies);
    free(s);
}

const world_engine world_trivet = {"trivet", create, step, get, tell, destroy};
const world_engine world_trivet_two = {"trivet-2", create_two, step, get, tell, destroy};
