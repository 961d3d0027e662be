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
        shape_def.material.restitution = i % 5 == 4 ? 0.5f : 0.0f; // impacts have arrays, too
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

// A thin plate that comes far for its thickness in one sub-step, and in many does not.
static trv_world *make_shot(test_memory *memory, trv_body_id *plate)
{
    trv_world *world = make_world_with(test_allocator(memory));
    trv_body_id wall = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    add_shape_of(world, wall, trv_make_box(trv_make_vec3(0.05f, 2, 2)), 0.0f, 0.0f);
    *plate = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(-0.075f, 0, 0));
    add_shape_of(world, *plate, trv_make_box(trv_make_vec3(0.01f, 1, 1)), 0.0f, 0.0f);
    trv_vec3 speed = {4, 0, 0}, spin = {0, 0.2f, 0};
    expect_result(trv_body_set_velocity(world, *plate, speed, spin), TRV_OK);
    return world;
}

// A step of other sub-steps is another one: it does not go on with what was found for the first.
static void a_step_that_failed_may_be_made_with_other_substeps(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    trv_body_id plate;
    trv_world *world = make_shot(&memory, &plate);
    expect_result(trv_world_step(world, 1.0f / 60.0f, 1), TRV_OK);
    trv_vec3 wanted = position_of(world, plate), got;
    trv_world_destroy(world);
    size_t failures = 0;
    for (;; failures++) {
        world = make_shot(&memory, &plate);
        memory.fail_at = memory.calls + failures;
        trv_result result = trv_world_step(world, 1.0f / 60.0f, 64);
        memory.fail_at = SIZE_MAX;
        if (result == TRV_OK)
            break;
        expect_result(result, TRV_ERROR_MEMORY);
        expect_result(trv_world_step(world, 1.0f / 60.0f, 1), TRV_OK);
        got = position_of(world, plate);
        assert_memory_equal(&got, &wanted, sizeof got);
        trv_world_destroy(world);
    }
    assert_true(failures > 10);
    trv_world_destroy(world);
}

// A ball, a box, a hull as it is and a hull that is turned.
static trv_compound *make_thing(const trv_hull *gem, trv_allocator allocator)
{
    trv_compound_def def = trv_default_compound_def();
    trv_compound_part parts[4] = {{ball(0.3f), trv_make_pose(trv_make_vec3(1, 0, 0))},
                                  {cube(0.3f), trv_make_pose(trv_make_vec3(0, 1, 0))},
                                  {trv_make_hull(gem), trv_make_pose(trv_make_vec3(0, 0, 0))},
                                  {trv_make_hull(gem), trv_make_pose(trv_make_vec3(0, 0, 1))}};
    trv_compound *thing = NULL;
    def.allocator = allocator;
    expect_result(trv_compound_create(parts, 4, &def, &thing), TRV_OK);
    return thing;
}

typedef struct maker {
    trv_world *world;
    trv_body_id body;
    trv_hull *gem;
    trv_compound *thing;
} maker;

// Two balls have been there, and are not: places are used again, and new ones are needed.
static maker make_maker(test_memory *memory, uint32_t max_shapes)
{
    maker m;
    trv_world_def def = trv_default_world_def();
    memory->fail_at = SIZE_MAX;
    def.allocator = test_allocator(memory);
    def.tag = 1;
    def.max_shapes = max_shapes;
    expect_result(trv_world_create(&def, &m.world), TRV_OK);
    m.gem = make_gem(def.allocator);
    m.thing = make_thing(m.gem, def.allocator);
    m.body = add_dynamic(m.world, trv_make_vec3(0, 3, 0), cube(0.2f));
    trv_shape_id gone[2] = {add_shape(m.world, m.body, ball(0.1f)),
                            add_shape(m.world, m.body, ball(0.2f))};
    for (int i = 0; i < 2; i++)
        expect_result(trv_shape_destroy(m.world, gone[i]), TRV_OK);
    step_world(m.world, 2);
    return m;
}

static trv_result make_shape(const maker *m)
{
    trv_shape_def def = trv_default_shape_def();
    trv_shape solid = trv_make_compound(m->thing);
    trv_shape_id id;
    return trv_shape_create(m->world, m->body, &def, &solid, &id);
}

// What it comes to, ids and pairs of later shapes included.
static uint64_t finish(maker *m)
{
    add_ground(m->world);
    add_dynamic(m->world, trv_make_vec3(0, 4, 0), ball(0.5f));
    step_world(m->world, 10);
    uint64_t hash = trv_world_hash(m->world);
    trv_world_destroy(m->world);
    trv_compound_release(m->thing);
    trv_hull_release(m->gem);
    return hash;
}

static void a_compound_that_cannot_be_made_is_as_if_nobody_had_tried(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    maker m = make_maker(&memory, 100);
    expect_result(make_shape(&m), TRV_OK);
    uint64_t wanted = finish(&m);
    size_t failures = 0;
    for (trv_result result = TRV_ERROR_MEMORY; result != TRV_OK; failures++) {
        m = make_maker(&memory, 100);
        uint64_t before = trv_world_hash(m.world);
        size_t live = memory.live;
        memory.calls = 0;
        memory.fail_at = failures;
        result = make_shape(&m);
        memory.fail_at = SIZE_MAX;
        if (result != TRV_OK) {
            expect_result(result, TRV_ERROR_MEMORY);
            assert_true(trv_world_hash(m.world) == before);
            assert_true(memory.live <= live + 16); // arrays that have grown stay; hulls do not
            expect_result(make_shape(&m), TRV_OK);
        }
        assert_true(finish(&m) == wanted);
        assert_int_equal(memory.live, 0);
    }
    assert_true(failures > 4);
    // One place too few for all four parts.
    m = make_maker(&memory, 4);
    uint64_t before = trv_world_hash(m.world);
    expect_result(make_shape(&m), TRV_ERROR_LIMIT);
    assert_true(trv_world_hash(m.world) == before);
    trv_shape_id next = add_shape(m.world, m.body, ball(0.1f));
    assert_int_equal(next.generation, 2); // the place that was given back last
    step_world(m.world, 5);
    trv_world_destroy(m.world);
    trv_compound_release(m.thing);
    trv_hull_release(m.gem);
    assert_int_equal(memory.live, 0);
}

// What ten thousand of them take is a promise; whoever grows one of them says so here.
static void bodies_shapes_and_contacts_keep_to_their_sizes(void **state)
{
    (void)state;
    if (sizeof(void *) != 8)
        skip();
    assert_true(sizeof(trvi_body) <= 96);
    assert_true(sizeof(trvi_mobile) <= 272);
    assert_true(sizeof(trvi_shape) <= 128);
    assert_true(sizeof(trvi_contact) <= 576);
    // In a save: a free body with a shape, and a pair that touches. All move in ways of their own, as
    // what is alike takes less.
    size_t sizes[2];
    test_random random = {11};
    for (int touching = 0; touching < 2; touching++) {
        trv_world *world = make_world();
        for (int i = 0; i < 64; i++) {
            bool on_top = touching && i % 2 == 1;
            trv_vec3 at = {4.0f * (float)(on_top ? i - 1 : i), on_top ? 5.99f : 5.0f, 0};
            trv_body_id body = add_dynamic(world, at, cube(0.5f));
            trv_vec3 linear = random_vec3(&random, 0.1f), angular = random_vec3(&random, 0.1f);
            expect_result(trv_body_set_velocity(world, body, linear, angular), TRV_OK);
        }
        step_world(world, 1);
        assert_int_equal(world->live_contacts, touching ? 32 : 0);
        size_t capacity = trv_world_save_size(world);
        char *bytes = malloc(capacity);
        expect_result(trv_world_save(world, bytes, capacity, &sizes[touching]), TRV_OK);
        free(bytes);
        trv_world_destroy(world);
    }
    print_message("a save takes %zu bytes for a body with a box, %zu more for a touching pair\n",
                  sizes[0] / 64, (sizes[1] - sizes[0]) / 32);
    assert_true(sizes[0] <= 64 * 500);
    assert_true(sizes[1] - sizes[0] <= 32 * 680);
}

static void a_world_whose_step_failed_is_saved_in_the_room_that_it_asks_for(void **state)
{
    (void)state;
    bool waited = false, done = false;
    for (size_t k = 0; !done; k++) {
        test_memory memory = {.fail_at = SIZE_MAX};
        trv_world *world = make_world_with(test_allocator(&memory));
        add_ground(world);
        for (int i = 0; i < 30; i++)
            add_dynamic(world, trv_make_vec3(0.9f * (float)(i % 6), 0.5f, 0.9f * (float)(i / 6)),
                        ball(0.5f));
        memory.fail_at = memory.calls + k;
        done = trv_world_step(world, 1.0f / 60.0f, 4) == TRV_OK;
        waited = waited || world->resume == TRVI_RESUME_PAIRS;
        memory.fail_at = SIZE_MAX;
        size_t size = trv_world_save_size(world);
        void *save = malloc(size);
        assert_non_null(save);
        expect_result(trv_world_save(world, save, size, &size), TRV_OK);
        step_world(world, 1);
        expect_result(trv_world_restore(world, save, size), TRV_OK);
        step_world(world, 1);
        free(save);
        trv_world_destroy(world);
        assert_int_equal(memory.live, 0);
    }
    assert_true(waited);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_step_allocates_nothing),
        cmocka_unit_test(every_allocation_may_fail_and_the_retry_gives_the_same_bits),
        cmocka_unit_test(a_step_that_failed_may_be_made_with_other_substeps),
        cmocka_unit_test(a_compound_that_cannot_be_made_is_as_if_nobody_had_tried),
        cmocka_unit_test(bodies_shapes_and_contacts_keep_to_their_sizes),
        cmocka_unit_test(a_world_whose_step_failed_is_saved_in_the_room_that_it_asks_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
