// What only bodies that move need, and what shapes have in common: each is there once, where it is
// needed, whatever bodies and shapes become, and nothing is lost when memory runs out.
#include "world_support.h"

enum { BODIES = 40 };

static uint32_t mobiles(const trv_world *world)
{
    return world->mobiles.count - 1; // the first belongs to no body
}

static void only_what_may_move_has_what_moving_takes(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id still = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    assert_int_equal(mobiles(world), 0);
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 5, 0), cube(0.5f));
    add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(9, 0, 0));
    assert_int_equal(mobiles(world), 2);
    expect_result(trv_body_set_gravity_scale(world, still, 1.0f), TRV_OK);
    expect_result(trv_body_set_damping(world, still, 0.0f, 0.0f), TRV_OK);
    assert_int_equal(mobiles(world), 2); // as it was
    expect_result(trv_body_destroy(world, box), TRV_OK);
    assert_int_equal(mobiles(world), 1);
    expect_sound(world);
    trv_world_destroy(world);
}

static void a_static_body_keeps_its_settings_until_it_falls(void **state)
{
    (void)state;
    trv_world *worlds[] = {make_world(), make_world()};
    trv_body_id ids[2];
    for (int w = 0; w < 2; w++) {
        trv_body_def def = trv_default_body_def();
        def.kind = w == 0 ? TRV_BODY_STATIC : TRV_BODY_DYNAMIC;
        def.gravity_scale = 0.25f;
        def.position = trv_make_vec3(0, 50, 0);
        expect_result(trv_body_create(worlds[w], &def, &ids[w]), TRV_OK);
        add_shape(worlds[w], ids[w], cube(0.5f));
        expect_result(trv_body_set_damping(worlds[w], ids[w], 0.5f, 0.75f), TRV_OK);
        expect_sound(worlds[w]);
    }
    float scale, linear, angular;
    expect_result(trv_body_gravity_scale(worlds[0], ids[0], &scale), TRV_OK);
    expect_result(trv_body_damping(worlds[0], ids[0], &linear, &angular), TRV_OK);
    assert_true(scale == 0.25f && linear == 0.5f && angular == 0.75f);
    expect_result(trv_body_set_kind(worlds[0], ids[0], TRV_BODY_DYNAMIC), TRV_OK);
    trv_pose poses[2];
    for (int w = 0; w < 2; w++) {
        step_world(worlds[w], 30);
        expect_result(trv_body_pose(worlds[w], ids[w], &poses[w]), TRV_OK);
        trv_world_destroy(worlds[w]);
    }
    assert_true(poses[0].position.y < 50.0f);
    assert_memory_equal(&poses[0], &poses[1], sizeof *poses);
}

static void each_body_keeps_its_own_speed_when_others_come_and_go(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id ids[BODIES];
    for (int i = 0; i < BODIES; i++) {
        ids[i] = add_dynamic(world, trv_make_vec3(3.0f * (float)i, 0, 0), cube(0.5f));
        trv_vec3 speed = {0, (float)(i + 1), 0}, none = {0, 0, 0};
        expect_result(trv_body_set_velocity(world, ids[i], speed, none), TRV_OK);
    }
    for (int i = 0; i < BODIES; i += 3)
        expect_result(trv_body_destroy(world, ids[i]), TRV_OK);
    for (int i = 1; i < BODIES; i += 3)
        expect_result(trv_body_set_kind(world, ids[i], TRV_BODY_STATIC), TRV_OK);
    step_world(world, 3);
    expect_sound(world);
    for (int i = 0; i < BODIES; i++) {
        trv_vec3 speed;
        if (i % 3 == 0)
            continue;
        expect_result(trv_body_linear_velocity(world, ids[i], &speed), TRV_OK);
        assert_true(speed.y == (i % 3 == 1 ? 0.0f : (float)(i + 1)));
    }
    trv_world_destroy(world);
}

// Was the call refused for want of memory, and left everything as it was?
static bool is_refused(trv_world *world, test_memory *memory, uint64_t hash, trv_result result)
{
    expect_sound(world);
    memory->fail_at = SIZE_MAX;
    if (result == TRV_OK)
        return false;
    expect_result(result, TRV_ERROR_MEMORY);
    assert_true(trv_world_hash(world) == hash);
    return true;
}

// Each allocation that the change of a static body may take fails: then it is as if nobody had
// asked.
static void a_change_without_memory_changes_nothing(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) {
        bool failed = false;
        for (size_t spare = 0;; spare++) {
            test_memory memory = {0, SIZE_MAX, 0, 0};
            trv_world *world = make_world_with(test_allocator(&memory));
            trv_body_id body = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 9, 0));
            add_shape(world, body, cube(0.5f));
            for (int i = 0; i < 15; i++) // there is no room for one more
                add_dynamic(world, trv_make_vec3(4.0f * (float)i, 5, 0), cube(0.5f));
            uint64_t hash = trv_world_hash(world);
            memory.fail_at = memory.calls + spare;
            trv_result result = which == 0   ? trv_body_set_kind(world, body, TRV_BODY_DYNAMIC)
                                : which == 1 ? trv_body_set_damping(world, body, 1.0f, 1.0f)
                                             : trv_body_set_gravity_scale(world, body, 2.0f);
            bool refused = is_refused(world, &memory, hash, result);
            failed = failed || refused;
            trv_world_destroy(world);
            assert_int_equal(memory.live, 0);
            if (!refused)
                break;
        }
        assert_true(failed);
    }
}

static uint32_t kinds(const trv_world *world)
{
    return world->traits.items.count - world->traits.free.count;
}

static void alike_shapes_share_what_they_are_made_of(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_shape_id ids[BODIES];
    for (int i = 0; i < BODIES; i++) {
        trv_body_id body = add_body(world, TRV_BODY_STATIC, trv_make_vec3((float)i, 0, 0));
        ids[i] = add_shape(world, body, cube(0.4f));
    }
    assert_int_equal(world->traits.items.count, 1);
    trv_material material;
    expect_result(trv_shape_material(world, ids[0], &material), TRV_OK);
    for (int i = 0; i < BODIES; i++) { // more kinds than there were places for
        material.friction = 0.01f * (float)(i / 2);
        expect_result(trv_shape_set_material(world, ids[i], &material), TRV_OK);
        expect_sound(world);
    }
    for (int i = 0; i < BODIES; i++) {
        expect_result(trv_shape_material(world, ids[i], &material), TRV_OK);
        assert_true(material.friction == 0.01f * (float)(i / 2));
    }
    assert_int_equal(kinds(world), BODIES / 2);
    trv_filter filter = trv_default_filter();
    filter.group = -3;
    expect_result(trv_shape_set_filter(world, ids[7], filter), TRV_OK);
    expect_result(trv_shape_filter(world, ids[6], &filter), TRV_OK); // it was like that one
    assert_int_equal(filter.group, 0);
    for (int i = 0; i < BODIES; i++)
        expect_result(trv_shape_destroy(world, ids[i]), TRV_OK);
    assert_int_equal(kinds(world), 0);
    expect_sound(world);
    trv_world_destroy(world);
}

// So many shapes, no two of one friction.
static void add_kinds(trv_world *world, int count, trv_shape_id *ids)
{
    for (int i = 0; i < count; i++) {
        trv_body_id body = add_body(world, TRV_BODY_STATIC, trv_make_vec3(2.0f * (float)i, 0, 0));
        trv_shape_def def = trv_default_shape_def();
        def.material.friction = 0.01f * (float)i;
        ids[i] = add_shape_with(world, body, def, cube(0.4f));
    }
}

// Two shapes share a kind, and there is no room for one more kind.
static void what_shapes_are_made_of_changes_wholly_or_not_at_all(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        bool failed = false;
        for (size_t spare = 0;; spare++) {
            test_memory memory = {0, SIZE_MAX, 0, 0};
            trv_world *world = make_world_with(test_allocator(&memory));
            trv_shape_id ids[17];
            add_kinds(world, 16, ids);
            trv_material material;
            expect_result(trv_shape_material(world, ids[0], &material), TRV_OK);
            trv_shape_def def = trv_default_shape_def();
            def.material = material;
            trv_body_id body = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 9, 0));
            ids[16] = add_shape_with(world, body, def, cube(0.5f));
            assert_int_equal(world->traits.items.capacity, kinds(world));
            trv_filter filter = trv_default_filter();
            filter.group = 5;
            material.restitution = 0.5f;
            uint64_t hash = trv_world_hash(world);
            memory.fail_at = memory.calls + spare;
            trv_result result = which == 0 ? trv_shape_set_material(world, ids[16], &material)
                                           : trv_shape_set_filter(world, ids[16], filter);
            bool refused = is_refused(world, &memory, hash, result);
            failed = failed || refused;
            if (refused)
                assert_int_equal(kinds(world), 16);
            trv_world_destroy(world);
            assert_int_equal(memory.live, 0);
            if (!refused)
                break;
        }
        assert_true(failed);
    }
}

// What came after the save is more than it had room for: the lists by which kinds are found have
// been laid anew meanwhile.
static void a_save_brings_back_what_shapes_were_made_of(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_shape_id ids[BODIES];
    add_kinds(world, 3, ids);
    size_t size = trv_world_save_size(world);
    void *save = malloc(size);
    assert_non_null(save);
    expect_result(trv_world_save(world, save, size, &size), TRV_OK);
    uint64_t hash = trv_world_hash(world);
    expect_result(trv_shape_destroy(world, ids[1]), TRV_OK);
    add_kinds(world, BODIES, ids);
    assert_true(kinds(world) > 16);
    expect_result(trv_world_restore(world, save, size), TRV_OK);
    assert_true(trv_world_hash(world) == hash);
    assert_int_equal(kinds(world), 3);
    expect_sound(world);
    add_kinds(world, BODIES, ids); // three of which there are
    assert_int_equal(kinds(world), BODIES);
    for (int i = 0; i < BODIES; i++)
        expect_result(trv_shape_destroy(world, ids[i]), TRV_OK);
    assert_int_equal(kinds(world), 3);
    expect_sound(world);
    free(save);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_may_move_has_what_moving_takes),
        cmocka_unit_test(a_static_body_keeps_its_settings_until_it_falls),
        cmocka_unit_test(each_body_keeps_its_own_speed_when_others_come_and_go),
        cmocka_unit_test(a_change_without_memory_changes_nothing),
        cmocka_unit_test(alike_shapes_share_what_they_are_made_of),
        cmocka_unit_test(what_shapes_are_made_of_changes_wholly_or_not_at_all),
        cmocka_unit_test(a_save_brings_back_what_shapes_were_made_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
