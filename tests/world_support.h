// Short hands for tests of worlds: they fail the test where a call does.
#ifndef TRV_TESTS_WORLD_SUPPORT_H
#define TRV_TESTS_WORLD_SUPPORT_H

#include "support.h"

#include <trivet/world.h>

#include "world/world_data.h"

static inline trv_world *make_world_with(trv_allocator allocator)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world = NULL;
    def.allocator = allocator;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    return world;
}

static inline trv_world *make_world(void)
{
    trv_allocator usual = {NULL, NULL};
    return make_world_with(usual);
}

// Without gravity.
static inline trv_world *make_empty_space(void)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.gravity = trv_make_vec3(0, 0, 0);
    expect_result(trv_world_create(&def, &world), TRV_OK);
    return world;
}

static inline trv_body_id add_body(trv_world *world, trv_body_kind kind, trv_vec3 position)
{
    trv_body_def def = trv_default_body_def();
    trv_body_id id;
    def.kind = kind;
    def.position = position;
    expect_result(trv_body_create(world, &def, &id), TRV_OK);
    return id;
}

static inline trv_shape_id add_shape(trv_world *world, trv_body_id body, trv_shape shape)
{
    trv_shape_def def = trv_default_shape_def();
    trv_shape_id id;
    expect_result(trv_shape_create(world, body, &def, &shape, &id), TRV_OK);
    return id;
}

static inline trv_shape_id add_shape_with(trv_world *world, trv_body_id body, trv_shape_def def,
                                          trv_shape shape)
{
    trv_shape_id id;
    expect_result(trv_shape_create(world, body, &def, &shape, &id), TRV_OK);
    return id;
}

static inline trv_shape_id add_shape_of(trv_world *world, trv_body_id body, trv_shape shape,
                                        float friction, float restitution)
{
    trv_shape_def def = trv_default_shape_def();
    trv_shape_id id;
    def.material.friction = friction;
    def.material.restitution = restitution;
    expect_result(trv_shape_create(world, body, &def, &shape, &id), TRV_OK);
    return id;
}

static inline trv_shape cube(float half)
{
    return trv_make_box(trv_make_vec3(half, half, half));
}

static inline trv_shape ball(float radius)
{
    return trv_make_sphere(trv_make_vec3(0, 0, 0), radius);
}

static inline trv_body_id add_dynamic(trv_world *world, trv_vec3 position, trv_shape shape)
{
    trv_body_id id = add_body(world, TRV_BODY_DYNAMIC, position);
    add_shape(world, id, shape);
    return id;
}

static inline trv_body_id add_moving(trv_world *world, trv_shape shape, trv_vec3 position,
                                     trv_vec3 speed, float friction, float restitution)
{
    trv_body_id id = add_body(world, TRV_BODY_DYNAMIC, position);
    add_shape_of(world, id, shape, friction, restitution);
    expect_result(trv_body_set_velocity(world, id, speed, trv_make_vec3(0, 0, 0)), TRV_OK);
    return id;
}

// On its way, with turns.
static inline trv_body_id add_thrown(trv_world *world, trv_pose pose, trv_vec3 linear,
                                     trv_vec3 angular)
{
    trv_body_def def = trv_default_body_def();
    trv_body_id id;
    def.kind = TRV_BODY_DYNAMIC;
    def.position = pose.position;
    def.rotation = pose.rotation;
    def.linear_velocity = linear;
    def.angular_velocity = angular;
    expect_result(trv_body_create(world, &def, &id), TRV_OK);
    return id;
}

// A half-space below y = 0.
static inline trv_body_id add_ground(trv_world *world)
{
    trv_body_id id = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    add_shape(world, id, trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0)));
    return id;
}

static inline trv_body_id add_ground_of(trv_world *world, float friction, float restitution)
{
    trv_body_id id = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    trv_shape half = trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0));
    add_shape_of(world, id, half, friction, restitution);
    return id;
}

// The deepest point of all contacts, 0 where none is, m.
static inline float lowest_separation(const trv_world *world)
{
    trv_contact contacts[32];
    uint32_t count;
    float lowest = 0.0f;
    expect_result(trv_world_contacts(world, contacts, 32, &count), TRV_OK);
    assert_true(count <= 32);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < contacts[i].manifold.count; k++)
            lowest = fminf(lowest, contacts[i].manifold.points[k].separation);
    return lowest;
}

static inline void expect_sound(const trv_world *world)
{
    const char *broken;
    if (!trvi_world_check(world, &broken))
        fail_msg("broken invariant: %s", broken);
}

static inline void step_world(trv_world *world, int steps)
{
    for (int i = 0; i < steps; i++)
        expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_OK);
    expect_sound(world);
}

static inline trv_world_counters counters_of(const trv_world *world)
{
    trv_world_counters counters;
    expect_result(trv_world_counters_get(world, &counters), TRV_OK);
    return counters;
}

static inline trv_pose pose_of(const trv_world *world, trv_body_id body)
{
    trv_pose pose;
    expect_result(trv_body_pose(world, body, &pose), TRV_OK);
    return pose;
}

static inline trv_vec3 position_of(trv_world *world, trv_body_id body)
{
    return pose_of(world, body).position;
}

static inline trv_vec3 velocity_of(trv_world *world, trv_body_id body)
{
    trv_vec3 linear, angular;
    expect_result(trv_body_velocity(world, body, &linear, &angular), TRV_OK);
    return linear;
}

static inline bool same_shape(trv_shape_id a, trv_shape_id b)
{
    return a.index1 == b.index1 && a.generation == b.generation && a.world == b.world;
}

static inline bool same_body(trv_body_id a, trv_body_id b)
{
    return a.index1 == b.index1 && a.generation == b.generation && a.world == b.world;
}

static inline bool is_awake(trv_world *world, trv_body_id body)
{
    bool awake;
    expect_result(trv_body_awake(world, body, &awake), TRV_OK);
    return awake;
}

// A parallel_for of three workers that deals ranges last to first and in odd sizes.
static inline void deal_oddly(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                              void *context)
{
    (void)user;
    (void)grain;
    for (uint32_t end = items; end > 0;) {
        uint32_t size = 1 + end * 7u % 13u, first = end > size ? end - size : 0;
        fn(context, first, end, first % 3);
        end = first;
    }
}

#endif
