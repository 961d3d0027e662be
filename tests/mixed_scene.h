// A long scene with something of everything: balls, capsules, boxes, hulls, tops, bodies of several
// shapes, statics, a kinematic sweeper, sleep, and bodies that go and come on the way. All of it
// follows from the frame's number and from random numbers in `random`, so a scene is rolled back by
// copying it.
#ifndef TRV_TESTS_MIXED_SCENE_H
#define TRV_TESTS_MIXED_SCENE_H

#include "world_support.h"

#include <trivet/mesh.h>

enum { MIXED_HULLS = 3, MIXED_BODIES = 160 };

typedef struct mixed_scene {
    trv_world *world;
    trv_hull *hulls[MIXED_HULLS];
    trv_body_id bodies[MIXED_BODIES];
    uint32_t count;
    trv_body_id sweeper;
    trv_vec3 origin;
    test_random random;
    uint32_t frame;
} mixed_scene;

static inline trv_hull *mixed_hull(test_random *random, uint32_t points, trv_allocator allocator)
{
    trv_vec3 cloud[32];
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    def.allocator = allocator;
    for (uint32_t i = 0; i < points; i++) {
        trv_quat turn = random_quat(random);
        cloud[i] = trv_rotate(turn, trv_make_vec3(random_float(random, 0.3f, 0.4f), 0, 0));
    }
    expect_result(trv_hull_create(cloud, points, &def, &hull), TRV_OK);
    return hull;
}

static inline trv_shape mixed_shape(mixed_scene *scene)
{
    test_random *random = &scene->random;
    float size = random_float(random, 0.2f, 0.4f);
    switch (random_bits(random) % 4) {
    case 0:
        return trv_make_sphere(trv_make_vec3(0, 0, 0), size);
    case 1:
        return trv_make_capsule(trv_make_vec3(-size, 0, 0), trv_make_vec3(size, 0.1f, 0),
                                0.5f * size);
    case 2:
        return trv_make_box(trv_make_vec3(size, 0.7f * size, 1.1f * size));
    default:
        return trv_make_hull(scene->hulls[random_bits(random) % MIXED_HULLS]);
    }
}

static inline void mixed_add(mixed_scene *scene, float height)
{
    test_random *random = &scene->random;
    trv_body_def def = trv_default_body_def();
    trv_body_id body;
    trv_vec3 at = random_vec3(random, 2.5f);
    def.kind = TRV_BODY_DYNAMIC;
    def.position = trv_make_vec3(scene->origin.x + at.x, height, scene->origin.z + at.z);
    def.rotation = random_quat(random);
    def.angular_velocity = random_vec3(random, 3.0f);
    def.angular_damping = 0.05f;
    def.user = scene->count;
    if (scene->count == MIXED_BODIES)
        return;
    expect_result(trv_body_create(scene->world, &def, &body), TRV_OK);
    // One in four bounces: each that does costs as much as many that do not.
    float restitution = fmaxf(random_float(random, -1.5f, 0.5f), 0.0f);
    float friction = random_float(random, 0.3f, 0.8f);
    add_shape_of(scene->world, body, mixed_shape(scene), friction, restitution);
    if (random_bits(random) % 4 == 0) { // a dumbbell
        trv_obb arm = {{0.4f, 0, 0}, {0.3f, 0.1f, 0.1f}, {0, 0, 0, 1}};
        trv_vec3 end = {0.7f, 0.1f, 0};
        add_shape(scene->world, body, trv_make_placed_box(arm));
        add_shape(scene->world, body, trv_make_sphere(end, 0.2f));
    }
    scene->bodies[scene->count++] = body;
}

// Beside the pit, so that nothing strikes it.
static inline void mixed_add_top(mixed_scene *scene, float aside, float tilt, float spin)
{
    trv_body_def def = trv_default_body_def();
    trv_hull_def hull_def = trv_default_hull_def();
    trv_vec3 points[9] = {{0, 0, 0}};
    trv_hull *cone;
    trv_body_id body;
    for (int i = 0; i < 8; i++) {
        const float x[8] = {3, 2, 0, -2, -3, -2, 0, 2}, z[8] = {0, 2, 3, 2, 0, -2, -3, -2};
        points[i + 1] = trv_make_vec3(0.06f * x[i], 0.2f, 0.06f * z[i]);
    }
    expect_result(trv_hull_create(points, 9, &hull_def, &cone), TRV_OK);
    def.kind = TRV_BODY_DYNAMIC;
    def.position = trv_make_vec3(scene->origin.x + 5.3f, 0, scene->origin.z + aside);
    def.rotation = trv_quat_about(trv_make_vec3(0.6f, 0, 0.8f), tilt);
    def.angular_velocity = trvi_scale(trv_rotate(def.rotation, trv_make_vec3(0, 1, 0)), spin);
    expect_result(trv_body_create(scene->world, &def, &body), TRV_OK);
    add_shape_of(scene->world, body, trv_make_hull(cone), 0.9f, 0);
    trv_hull_release(cone);
}

// What stands as it is set up: on the other side of the pit, two posts, and a plank over them that bears a
// weight at one end.
static inline void mixed_add_bridge(mixed_scene *scene)
{
    static const trv_vec3 places[4] = {{0, 0.3f, -1}, {0, 0.3f, 1}, {0, 0.7f, 0}, {0, 0.9f, -0.8f}};
    static const trv_vec3 halves[4] = {
        {0.2f, 0.3f, 0.2f}, {0.2f, 0.3f, 0.2f}, {0.2f, 0.1f, 1.3f}, {0.1f, 0.1f, 0.1f}};
    for (int i = 0; i < 4; i++) {
        trv_vec3 at =
            trv_make_vec3(scene->origin.x - 5.3f, places[i].y, scene->origin.z + places[i].z);
        add_dynamic(scene->world, at, trv_make_box(halves[i]));
    }
}

// A pit of four walls about `origin`, with a bar that turns in it, three tops beside it, and a bridge.
static inline void mixed_begin_in(mixed_scene *scene, trv_world *world, trv_vec3 origin,
                                  uint32_t count, uint64_t seed)
{
    trv_allocator usual = {NULL, NULL};
    memset(scene, 0, sizeof *scene);
    scene->world = world;
    scene->origin = origin;
    scene->random.state = seed;
    for (uint32_t i = 0; i < MIXED_HULLS; i++)
        scene->hulls[i] = mixed_hull(&scene->random, 6 + 9 * i, usual);
    const trv_obb sides[5] = {{{0, -0.5f, 0}, {6, 0.5f, 6}, {0, 0, 0, 1}},
                              {{-4, 1.5f, 0}, {0.5f, 2, 4}, {0, 0, 0, 1}},
                              {{4, 1.5f, 0}, {0.5f, 2, 4}, {0, 0, 0, 1}},
                              {{0, 1.5f, -4}, {4, 2, 0.5f}, {0, 0, 0, 1}},
                              {{0, 1.5f, 4}, {4, 2, 0.5f}, {0, 0, 0, 1}}};
    trv_body_id pit = add_body(world, TRV_BODY_STATIC, origin);
    for (int i = 0; i < 5; i++)
        add_shape(world, pit, trv_make_placed_box(sides[i]));
    trv_vec3 above = {origin.x, 0.3f, origin.z};
    scene->sweeper = add_body(world, TRV_BODY_KINEMATIC, above);
    add_shape(world, scene->sweeper, trv_make_box(trv_make_vec3(1.5f, 0.1f, 0.1f)));
    for (uint32_t i = 0; i < count; i++)
        mixed_add(scene, 1.0f + 0.25f * (float)i);
    for (int i = 0; i < 3; i++)
        mixed_add_top(scene, 3.0f * (float)(i - 1), 0.1f + 0.1f * (float)i, 60.0f * (float)(i + 1));
    mixed_add_bridge(scene);
}

static inline trv_world *mixed_world(const trv_workers *workers, const trv_allocator *allocator)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.tag = 7;
    if (workers != NULL)
        def.workers = *workers;
    if (allocator != NULL)
        def.allocator = *allocator;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    return world;
}

static inline void mixed_begin(mixed_scene *scene, uint32_t count)
{
    mixed_begin_in(scene, mixed_world(NULL, NULL), trv_make_vec3(0, 0, 0), count, 11);
}

// What a game would do before a step: the bar turns for a while, bodies go, come and are pushed.
static inline void mixed_act(mixed_scene *scene)
{
    uint32_t frame = scene->frame++;
    trv_vec3 still = {0, 0, 0}, spin = {0, frame / 60 % 3 == 0 ? 2.0f : 0.0f, 0};
    if (frame % 60 == 0)
        expect_result(trv_body_set_velocity(scene->world, scene->sweeper, still, spin), TRV_OK);
    if (frame % 37 == 36 && scene->count > 4) {
        uint32_t gone = (uint32_t)(random_bits(&scene->random) % scene->count);
        expect_result(trv_body_destroy(scene->world, scene->bodies[gone]), TRV_OK);
        scene->bodies[gone] = scene->bodies[--scene->count];
    }
    if (frame % 29 == 28)
        mixed_add(scene, 4.0f);
    if (frame % 41 == 40) {
        trv_body_id body = scene->bodies[random_bits(&scene->random) % scene->count];
        trv_pose pose;
        expect_result(trv_body_pose(scene->world, body, &pose), TRV_OK);
        expect_result(trv_body_apply_impulse(scene->world, body, random_vec3(&scene->random, 60.0f),
                                             pose.position),
                      TRV_OK);
    }
}

static inline void mixed_step(mixed_scene *scene)
{
    mixed_act(scene);
    expect_result(trv_world_step(scene->world, 1.0f / 60.0f, 4), TRV_OK);
}

static inline void mixed_release(mixed_scene *scene)
{
    for (uint32_t i = 0; i < MIXED_HULLS; i++)
        trv_hull_release(scene->hulls[i]);
}

static inline void mixed_end(mixed_scene *scene)
{
    trv_world_destroy(scene->world);
    mixed_release(scene);
}

// A digest of the events of the last step, ids with their tags included.
static inline uint64_t events_digest(const trv_world *world)
{
    trv_events events = trv_world_events(world);
    uint64_t digest = 1;
    for (uint32_t i = 0; i < events.begin_count + events.end_count; i++) {
        const trv_touch_event *e =
            i < events.begin_count ? &events.begins[i] : &events.ends[i - events.begin_count];
        const uint64_t words[] = {e->shape_a.index1,     e->shape_b.index1, e->shape_a.generation,
                                  e->shape_b.generation, e->body_a.index1,  e->body_b.generation,
                                  e->shape_a.world,      e->user_a,         e->user_b};
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            digest = (digest ^ words[w]) * UINT64_C(0x9E3779B97F4A7C15) + i;
    }
    for (uint32_t i = 0; i < events.hit_count; i++) {
        uint32_t bits[2];
        memcpy(&bits[0], &events.hits[i].speed, 4);
        memcpy(&bits[1], &events.hits[i].impulse, 4);
        digest = (digest ^ bits[0] ^ (uint64_t)bits[1] << 32) * UINT64_C(0x9E3779B97F4A7C15);
        digest ^= events.hits[i].shape_a.index1;
    }
    return digest;
}

#endif
