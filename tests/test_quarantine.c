// Nothing that a caller can do spoils a world: numbers too large stop one body, which is told, and
// calls from inside a step are refused.
#include "mixed_scene.h"

static void expect_quarantined(trv_world *world, trv_body_id body)
{
    trv_events events = trv_world_events(world);
    assert_int_equal(events.quarantine_count, 1);
    assert_memory_equal(&events.quarantines[0].body, &body, sizeof body);
}

static void a_body_that_leaves_the_coordinates_is_stopped_and_told(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id runaway = add_dynamic(world, trv_make_vec3(0.9999e8f, 0, 0), ball(1.0f));
    trv_vec3 fast = {1.0e8f, 0, 0}, none = {0, 0, 0};
    expect_result(trv_body_set_velocity(world, runaway, fast, none), TRV_OK);
    step_world(world, 1);
    expect_quarantined(world, runaway);
    trv_vec3 at = position_of(world, runaway), speed = velocity_of(world, runaway);
    assert_true(at.x == 0.9999e8f && speed.x == 0.0f);
    step_world(world, 1); // free again, and falls
    assert_int_equal(trv_world_events(world).quarantine_count, 0);
    assert_true(velocity_of(world, runaway).y < 0.0f);
    trv_world_destroy(world);
}

static void the_event_carries_the_user_value(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_def def = trv_default_body_def();
    trv_body_id body;
    def.kind = TRV_BODY_KINEMATIC;
    def.position.y = -1.0e8f;
    def.linear_velocity.y = -10.0f;
    def.linear_velocity.y = -1.0e4f;
    def.user = 77;
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    step_world(world, 1);
    expect_quarantined(world, body);
    assert_true(trv_world_events(world).quarantines[0].user == 77);
    trv_world_destroy(world);
}

// Whatever field is spoilt from within, no other body notices, and the invariants hold.
static void spoilt_numbers_stay_with_their_body(void **state)
{
    (void)state;
    const float spoilt[] = {NAN, INFINITY, -INFINITY, 3.0e38f};
    for (int kind = 0; kind < 4; kind++)
        for (int field = 0; field < 4; field++) {
            trv_world *clean = make_world(), *world = make_world();
            trv_body_id body[2], other[2];
            trv_world *worlds[] = {clean, world};
            for (int w = 0; w < 2; w++) {
                add_ground(worlds[w]);
                other[w] = add_dynamic(worlds[w], trv_make_vec3(50, 3, 0), cube(0.5f));
                body[w] = add_dynamic(worlds[w], trv_make_vec3(0, 0.5f, 0), cube(0.5f));
                step_world(worlds[w], 5);
            }
            trvi_mobile *target = trvi_own_mobile(world, &trvi_bodies(world)[body[1].index1 - 1]);
            float *fields[] = {&target->linear_velocity.x, &target->angular_velocity.y,
                               &target->force.z, &target->torque.x};
            *fields[field] = spoilt[kind];
            expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_OK);
            expect_quarantined(world, body[1]);
            expect_sound(world);
            step_world(world, 20);
            step_world(clean, 21);
            assert_int_equal(trv_world_events(world).quarantine_count, 0);
            trv_vec3 a = position_of(clean, other[0]), b = position_of(world, other[1]);
            assert_memory_equal(&a, &b, sizeof a);
            assert_true(fabsf(position_of(world, body[1]).y - 0.5f) < 0.02f);
            trv_world_destroy(clean);
            trv_world_destroy(world);
        }
}

static void an_impulse_that_no_float_holds_is_refused(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_def def = trv_default_body_def();
    trv_shape_def light = trv_default_shape_def();
    trv_body_id body;
    trv_shape_id shape;
    trv_shape crumb = ball(1.0e-3f);
    light.material.density = 1.0e-15f;
    def.kind = TRV_BODY_DYNAMIC;
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    expect_result(trv_shape_create(world, body, &light, &crumb, &shape), TRV_OK);
    trv_vec3 huge = {1.0e8f, 0, 0}, at = {0, 1.0e8f, 0};
    uint64_t before = trv_world_hash(world);
    expect_result(trv_body_apply_impulse(world, body, huge, at), TRV_ERROR_RANGE);
    assert_true(trv_world_hash(world) == before);
    expect_result(trv_body_apply_force(world, body, huge, at, huge), TRV_OK);
    step_world(world, 1);
    expect_quarantined(world, body);
    trv_world_destroy(world);
}

// Calls from the hooks during a step --------------------------------------------------------------

typedef struct intruder {
    test_memory memory;
    trv_world *world;
    trv_body_id body;
    trv_shape_id shape;
    uint32_t calls;
} intruder;

static void try_everything(intruder *it)
{
    trv_world *world = it->world;
    if (world == NULL || !world->stepping)
        return;
    char bytes[64];
    size_t size;
    trv_body_def body_def = trv_default_body_def();
    trv_shape_def shape_def = trv_default_shape_def();
    trv_shape solid = ball(1.0f);
    trv_body_id body;
    trv_shape_id shape;
    trv_vec3 v = {1, 2, 3};
    trv_ray_hit hit;
    trv_ray ray = {v, v};
    it->calls++;
    const trv_result results[] = {
        trv_world_step(world, 1.0f / 60.0f, 4),
        trv_body_create(world, &body_def, &body),
        trv_body_destroy(world, it->body),
        trv_shape_create(world, it->body, &shape_def, &solid, &shape),
        trv_shape_destroy(world, it->shape),
        trv_body_set_pose(world, it->body, trv_make_pose(v)),
        trv_body_set_velocity(world, it->body, v, v),
        trv_body_apply_impulse(world, it->body, v, v),
        trv_body_apply_force(world, it->body, v, v, v),
        trv_body_set_awake(world, it->body, true),
        trv_world_cast_ray(world, ray, trv_default_filter(), &shape, &hit),
        trv_world_save(world, bytes, sizeof bytes, &size),
        trv_world_restore(world, bytes, sizeof bytes),
        trv_world_write(world, bytes, sizeof bytes, &size),
        trv_world_read(world, bytes, sizeof bytes),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (results[i] != TRV_ERROR_BUSY)
            fail_msg("call %zu during a step: %s", i, trv_result_text(results[i]));
}

static void *intruding_reallocate(void *user, void *block, size_t old_size, size_t new_size)
{
    intruder *it = user;
    try_everything(it);
    return test_reallocate(&it->memory, block, old_size, new_size);
}

static void intruding_log(void *user, trv_log_level level, const char *text)
{
    (void)level;
    (void)text;
    try_everything(user);
}

static void intruding_for(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                          void *context)
{
    (void)grain;
    try_everything(user);
    fn(context, 0, items, 0);
}

static void calls_from_hooks_during_a_step_are_refused(void **state)
{
    (void)state;
    for (int hook = 0; hook < 3; hook++) {
        intruder it;
        memset(&it, 0, sizeof it);
        it.memory.fail_at = SIZE_MAX;
        trv_world_def def = trv_default_world_def();
        if (hook == 0)
            def.allocator = (trv_allocator){&it, intruding_reallocate};
        if (hook == 1)
            def.log = (trv_log){&it, intruding_log};
        if (hook == 2)
            def.workers = (trv_workers){&it, 4, intruding_for};
        expect_result(trv_world_create(&def, &it.world), TRV_OK);
        add_ground(it.world);
        for (int i = 0; i < 70; i++)
            it.body = add_dynamic(it.world, trv_make_vec3(1.05f * (float)i, 0.4f, 0), cube(0.5f));
        it.shape = add_shape(it.world, it.body, ball(0.2f));
        trv_body_id runaway = add_dynamic(it.world, trv_make_vec3(0.9999e8f, 0, 0), ball(1.0f));
        trv_vec3 fast = {1.0e8f, 0, 0}, none = {0, 0, 0};
        expect_result(trv_body_set_velocity(it.world, runaway, fast, none), TRV_OK);
        step_world(it.world, 3);
        assert_true(it.calls > 0);
        trv_world_destroy(it.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_that_leaves_the_coordinates_is_stopped_and_told),
        cmocka_unit_test(the_event_carries_the_user_value),
        cmocka_unit_test(spoilt_numbers_stay_with_their_body),
        cmocka_unit_test(an_impulse_that_no_float_holds_is_refused),
        cmocka_unit_test(calls_from_hooks_during_a_step_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
