// Memory of a world: a steady step allocates nothing, and running out at any point leaks nothing,
// loses nothing and leaves the world fit to go on.
#include "world_support.h"

#include <trivet/mesh.h>

static trv_hull *make_gem(trv_allocator allocator)
{
    const trv_vec3 points[6] = {{0.5f, 0, 0},  {-0.5f, 0, 0}, {0, 0.5f, 0},
                                {0, -0.5f, 0}, {0, 0, 0.5f},  {0, 0, -0.5f}};
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    def.allocator = allocator;
    trv_hull_create(points, 6, &def, &hull);
    return hull;
}

static void a_steady_step_allocates_nothing(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.allocator = test_allocator(&memory);
    def.sleep = false; // everything keeps working
    expect_result(trv_world_create(&def, &world), TRV_OK);
    add_ground(world);
    trv_hull *gem = make_gem(def.allocator);
    for (int i = 0; i < 24; i++)
        add_dynamic(world,
                    trv_make_vec3((float)(i % 4), 0.6f + 0.9f * (float)(i / 4), 0.1f * (float)i),
                    i % 2 ? cube(0.4f) : trv_make_hull(gem));
    step_world(world, 200);
    size_t calls = memory.calls;
    step_world(world, 100);
    assert_int_equal(memory.calls, calls);
    trv_world_destroy(world);
    trv_hull_release(gem);
    assert_int_equal(memory.live, 0);
    assert_int_equal(memory.bytes, 0);
}

// A small history in which every call may fail; those that fail are made again with memory at hand.
// Returns false when any failed at first.
static bool run_history(test_memory *memory, size_t fail_at, uint64_t *hash)
{
    bool all_well = true;
    trv_world_def def = trv_default_world_def();
    trv_world *world = NULL;
    memory->calls = 0;
    memory->fail_at = fail_at;
    def.allocator = test_allocator(memory);
#define RETRY(call)                                                                                \
    do {                                                                                           \
        trv_result first_try = (call);                                                             \
        if (first_try != TRV_OK) {                                                                 \
            expect_result(first_try, TRV_ERROR_MEMORY);                                            \
            all_well = false;                                                                      \
            memory->fail_at = SIZE_MAX;                                                            \
            expect_result((call), TRV_OK);                                                         \
        }                                                                                          \
    } while (0)
    RETRY(trv_world_create(&def, &world));
    trv_hull *gem = make_gem(def.allocator);
    if (gem == NULL) {
        all_well = false;
        memory->fail_at = SIZE_MAX;
        gem = make_gem(def.allocator);
    }
    world->tag = 1;
    for (int i = 0; i < 14; i++) {
        trv_body_def body = trv_default_body_def();
        trv_shape_def shape_def = trv_default_shape_def();
        trv_body_id id;
        trv_shape_id shape_id;
        body.kind = i == 0 ? TRV_BODY_STATIC : TRV_BODY_DYNAMIC;
        body.position = trv_make_vec3(0.01f * (float)i, i == 0 ? -1.0f : 0.9f * (float)i, 0);
        trv_shape shape = i == 0  ? trv_make_box(trv_make_vec3(9, 1, 9))
                          : i % 2 ? trv_make_hull(gem)
                                  : ball(0.4f);
        shape_def.sensor = i % 6 == 5;
        shape_def.sees_sensors = i % 12 == 5;
        shape_def.by_hand = i == 0;
        RETRY(trv_body_create(world, &body, &id));
        RETRY(trv_shape_create(world, id, &shape_def, &shape, &shape_id));
        if (i == 10)
            RETRY(trv_body_destroy(world, id));
    }
    RETRY(trv_world_collide(world));
    for (int i = 0; i < 40; i++)
        RETRY(trv_world_step(world, 1.0f / 60.0f, 4));
#undef RETRY
    const char *broken;
    if (!trvi_world_check(world, &broken))
        fail_msg("allocation %zu failing breaks: %s", fail_at, broken);
    *hash = trv_world_hash(world);
    trv_world_destroy(world);
    trv_hull_release(gem);
    assert_int_equal(memory->live, 0);
    return all_well;
}

static void every_allocation_may_fail_and_the_retry_gives_the_same_bits(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    uint64_t wanted, got;
    assert_true(run_history(&memory, SIZE_MAX, &wanted));
    size_t failures = 0;
    for (size_t k = 0;; k++) {
        bool all_well = run_history(&memory, k, &got);
        assert_true(got == wanted);
        if (all_well)
            break;
        failures++;
        assert_true(k < 100000);
    }
    assert_true(failures > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_step_allocates_nothing),
        cmocka_unit_test(every_allocation_may_fail_and_the_retry_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
