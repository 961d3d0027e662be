// The file form: a written world read anywhere goes on with the same bits, and nothing that a file may
// hold breaks a world.
#include "mixed_scene.h"

#include "math/bytes.h"

typedef struct text {
    uint8_t *bytes;
    size_t size;
} text;

static text write_world(const trv_world *world)
{
    size_t capacity = trv_world_write_size(world);
    text written = {malloc(capacity), 0};
    assert_true(capacity > 0);
    expect_result(trv_world_write(world, written.bytes, capacity, &written.size), TRV_OK);
    assert_int_equal(written.size, capacity);
    return written;
}

static void expect_equal_courses(mixed_scene *one, mixed_scene *two, int steps)
{
    for (int i = 0; i < steps; i++) {
        assert_true(trv_world_hash(one->world) == trv_world_hash(two->world));
        mixed_step(one);
        mixed_step(two);
        assert_true(events_digest(one->world) == events_digest(two->world));
    }
    assert_true(trv_world_hash(one->world) == trv_world_hash(two->world));
    expect_sound(two->world);
}

static void a_new_world_goes_on_as_the_written_one(void **state)
{
    (void)state;
    for (int before = 0; before < 220; before += 73) {
        mixed_scene one, two;
        mixed_begin(&one, 20);
        for (int i = 0; i < before; i++)
            mixed_step(&one);
        text written = write_world(one.world);
        two = one;
        two.world = mixed_world(NULL, NULL);
        expect_result(trv_world_read(two.world, written.bytes, written.size), TRV_OK);
        expect_sound(two.world);
        assert_true(events_digest(one.world) == events_digest(two.world));
        expect_equal_courses(&one, &two, 60);
        free(written.bytes);
        trv_world_destroy(two.world);
        mixed_end(&one);
    }
}

static void an_old_world_is_replaced(void **state)
{
    (void)state;
    mixed_scene one, two;
    mixed_begin(&one, 12);
    mixed_begin_in(&two, mixed_world(NULL, NULL), trv_make_vec3(5, 0, 0), 20, 4);
    for (int i = 0; i < 90; i++) {
        mixed_step(&one);
        mixed_step(&two);
    }
    trv_hull *hulls_of_two[MIXED_HULLS];
    memcpy(hulls_of_two, two.hulls, sizeof hulls_of_two);
    text written = write_world(one.world);
    expect_result(trv_world_read(two.world, written.bytes, written.size), TRV_OK);
    trv_world *world = two.world;
    two = one;
    two.world = world;
    expect_equal_courses(&one, &two, 60);
    free(written.bytes);
    for (int i = 0; i < MIXED_HULLS; i++)
        trv_hull_release(hulls_of_two[i]);
    trv_world_destroy(two.world);
    mixed_end(&one);
}

static void equal_worlds_write_equal_bytes(void **state)
{
    (void)state;
    mixed_scene one, two;
    mixed_begin(&one, 15);
    mixed_begin(&two, 15);
    for (int i = 0; i < 100; i++) {
        mixed_step(&one);
        mixed_step(&two);
    }
    text first = write_world(one.world), second = write_world(two.world);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
    // And once more from a world that was read.
    expect_result(trv_world_read(two.world, first.bytes, first.size), TRV_OK);
    text third = write_world(two.world);
    assert_int_equal(first.size, third.size);
    assert_memory_equal(first.bytes, third.bytes, first.size);
    free(first.bytes);
    free(second.bytes);
    free(third.bytes);
    mixed_end(&one);
    mixed_end(&two);
}

// Everything of a hull but where it lies.
static void expect_equal_hulls(const trv_hull *a, const trv_hull *b)
{
    assert_int_equal(a->block_size, b->block_size);
    size_t from = offsetof(trv_hull, vertex_count), to = offsetof(trv_hull, vertices);
    assert_memory_equal((const char *)a + from, (const char *)b + from, to - from);
    assert_memory_equal(a->vertices, b->vertices, a->block_size - sizeof *a);
}

static void hulls_are_made_again_to_the_bit(void **state)
{
    (void)state;
    test_random random = {17};
    for (uint32_t points = 4; points < 3000; points = points * 3 / 2) {
        trv_vec3 *cloud = malloc(points * sizeof *cloud);
        for (uint32_t i = 0; i < points; i++) { // on a grid: faces are merged and united
            cloud[i].x = (float)(random_bits(&random) % 23) * 0.1f;
            cloud[i].y = (float)(random_bits(&random) % 19) * 0.1f;
            cloud[i].z = (float)(random_bits(&random) % 21) * 0.1f;
        }
        trv_hull_def def = trv_default_hull_def();
        trv_hull *hull;
        trv_world *one = make_world(), *two = make_world();
        trv_result result = trv_hull_create(cloud, points, &def, &hull);
        free(cloud);
        if (result == TRV_OK) {
            add_dynamic(one, trv_make_vec3(0, 0, 0), trv_make_hull(hull));
            text written = write_world(one);
            expect_result(trv_world_read(two, written.bytes, written.size), TRV_OK);
            expect_equal_hulls(hull, trvi_shapes(two)[0].solid.as.hull);
            free(written.bytes);
            trv_hull_release(hull);
        }
        trv_world_destroy(one);
        trv_world_destroy(two);
    }
}

static void shapes_that_share_a_hull_still_do(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    test_random random = {3};
    trv_allocator usual = {NULL, NULL};
    trv_hull *hulls[2] = {mixed_hull(&random, 9, usual), mixed_hull(&random, 20, usual)};
    trv_world *one = make_world(), *two = make_world_with(test_allocator(&memory));
    for (int i = 0; i < 8; i++)
        add_dynamic(one, trv_make_vec3((float)i, 0, 0), trv_make_hull(hulls[i % 3 == 0]));
    text written = write_world(one);
    expect_result(trv_world_read(two, written.bytes, written.size), TRV_OK);
    const trvi_shape *a = trvi_shapes(one), *b = trvi_shapes(two);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            assert_true((a[i].solid.as.hull == a[j].solid.as.hull) ==
                        (b[i].solid.as.hull == b[j].solid.as.hull));
    free(written.bytes);
    trv_world_destroy(one);
    trv_world_destroy(two);
    assert_int_equal(memory.live, 0);
    trv_hull_release(hulls[0]);
    trv_hull_release(hulls[1]);
}

// A game that is loaded in the middle of a window to roll back over: its hulls are others then.
static void saves_made_before_a_file_is_read_can_still_be_restored(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    test_random random = {4};
    trv_allocator usual = {NULL, NULL};
    trv_hull *hulls[2] = {mixed_hull(&random, 9, usual), mixed_hull(&random, 20, usual)};
    trv_world *world = make_world_with(test_allocator(&memory));
    add_ground(world);
    for (int i = 0; i < 8; i++)
        add_dynamic(world, trv_make_vec3((float)i, 3, 0), trv_make_hull(hulls[i % 2]));
    step_world(world, 30);
    size_t size = trv_world_save_size(world), saved;
    void *save = malloc(size);
    expect_result(trv_world_save(world, save, size, &saved), TRV_OK);
    uint64_t then = trv_world_hash(world);
    step_world(world, 10);
    text written = write_world(world);
    for (int i = 0; i < 3; i++) {
        expect_result(trv_world_read(world, written.bytes, written.size), TRV_OK);
        step_world(world, 10);
        expect_result(trv_world_restore(world, save, saved), TRV_OK);
        assert_true(trv_world_hash(world) == then);
        step_world(world, 10);
    }
    free(save);
    free(written.bytes);
    trv_world_destroy(world);
    assert_int_equal(memory.live, 0);
    trv_hull_release(hulls[0]);
    trv_hull_release(hulls[1]);
}

static text write_small(mixed_scene *scene)
{
    mixed_begin(scene, 3);
    for (int i = 0; i < 40; i++)
        mixed_step(scene);
    return write_world(scene->world);
}

static void a_file_cut_short_anywhere_is_refused(void **state)
{
    (void)state;
    mixed_scene scene;
    text whole = write_small(&scene);
    uint64_t hash = trv_world_hash(scene.world);
    for (size_t size = 0; size < whole.size; size++) {
        uint8_t *part = malloc(size + 1);
        memcpy(part, whole.bytes, size);
        trv_result result = trv_world_read(scene.world, part, size);
        expect_result(result, TRV_ERROR_RANGE);
        free(part);
    }
    assert_true(trv_world_hash(scene.world) == hash);
    free(whole.bytes);
    mixed_end(&scene);
}

static void a_file_with_any_byte_changed_is_refused(void **state)
{
    (void)state;
    mixed_scene scene;
    text whole = write_small(&scene);
    uint64_t hash = trv_world_hash(scene.world);
    for (size_t at = 0; at < whole.size; at++) {
        for (int bit = 0; bit < 8; bit += 3) {
            whole.bytes[at] ^= (uint8_t)(1 << bit);
            trv_result result = trv_world_read(scene.world, whole.bytes, whole.size);
            if (result != TRV_ERROR_KIND && result != TRV_ERROR_RANGE)
                fail_msg("byte %zu of %zu was changed: %s", at, whole.size,
                         trv_result_text(result));
            whole.bytes[at] ^= (uint8_t)(1 << bit);
        }
    }
    assert_true(trv_world_hash(scene.world) == hash);
    expect_result(trv_world_read(scene.world, whole.bytes, whole.size), TRV_OK);
    assert_true(trv_world_hash(scene.world) == hash);
    free(whole.bytes);
    mixed_end(&scene);
}

enum { STEP = 9 };

// Whoever changes a file may write the right sum beside: what then passes is a sound world, of other
// numbers, and it can be stepped.
static void a_forged_file_makes_a_sound_world_or_none(void **state)
{
    (void)state;
    mixed_scene scene;
    text whole = write_small(&scene);
    uint8_t *forged = malloc(whole.size);
    trv_world *world = mixed_world(NULL, NULL);
    size_t taken = 0, refused = 0;
    test_random random = {1};
    for (size_t at = 32; at < whole.size; at += 1 + random_bits(&random) % STEP) {
        memcpy(forged, whole.bytes, whole.size);
        forged[at] = (uint8_t)random_bits(&random);
        trvi_sum sum = {{0}, {0}};
        uint64_t right = trvi_sum_end(sum, (char *)forged + 32, whole.size - 32);
        memcpy(forged + 24, &right, sizeof right);
        trv_result result = trv_world_read(world, forged, whole.size);
        if (result == TRV_OK) {
            taken++;
            expect_sound(world);
            for (int i = 0; i < 2; i++)
                expect_result(trv_world_step(world, 1.0f / 60.0f, 2), TRV_OK);
            expect_sound(world);
        } else {
            refused++;
        }
    }
    assert_true(taken > 100 && refused > 100);
    free(forged);
    free(whole.bytes);
    trv_world_destroy(world);
    mixed_end(&scene);
}

static void a_file_too_large_for_the_world_is_refused(void **state)
{
    (void)state;
    mixed_scene scene;
    mixed_begin(&scene, 5);
    mixed_step(&scene);
    text written = write_world(scene.world);
    for (int i = 0; i < 3; i++) {
        trv_world_def def = trv_default_world_def();
        trv_world *small;
        uint32_t *limits[] = {&def.max_bodies, &def.max_shapes, &def.max_contacts};
        *limits[i] = 2;
        expect_result(trv_world_create(&def, &small), TRV_OK);
        uint64_t hash = trv_world_hash(small);
        expect_result(trv_world_read(small, written.bytes, written.size), TRV_ERROR_LIMIT);
        assert_true(trv_world_hash(small) == hash);
        trv_world_destroy(small);
    }
    free(written.bytes);
    mixed_end(&scene);
}

static void every_allocation_of_reading_and_writing_may_fail(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    trv_allocator allocator = test_allocator(&memory);
    mixed_scene scene;
    trv_world *world = mixed_world(NULL, &allocator);
    mixed_begin_in(&scene, world, trv_make_vec3(0, 0, 0), 8, 2);
    for (int i = 0; i < 50; i++)
        mixed_step(&scene);
    text written = write_world(world);
    uint64_t then = trv_world_hash(world);
    mixed_step(&scene);
    uint64_t now = trv_world_hash(world);
    size_t failures = 0;
    for (size_t k = 0;; k++, failures++) {
        memory.calls = 0;
        memory.fail_at = k;
        trv_result result = trv_world_read(world, written.bytes, written.size);
        memory.fail_at = SIZE_MAX;
        if (result == TRV_OK)
            break;
        expect_result(result, TRV_ERROR_MEMORY);
        assert_true(trv_world_hash(world) == now);
    }
    assert_true(failures > 20);
    assert_true(trv_world_hash(world) == then);
    memory.calls = 0;
    memory.fail_at = 0;
    size_t size;
    assert_int_equal(trv_world_write_size(world), 0);
    expect_result(trv_world_write(world, written.bytes, written.size, &size), TRV_ERROR_MEMORY);
    memory.fail_at = SIZE_MAX;
    free(written.bytes);
    mixed_end(&scene);
    assert_int_equal(memory.live, 0);
}

static void buffers_too_small_and_null_are_refused(void **state)
{
    (void)state;
    trv_world *world = make_world();
    uint8_t bytes[4096];
    size_t size = 7, needed = trv_world_write_size(world);
    assert_true(needed <= sizeof bytes);
    for (size_t capacity = 0; capacity < needed; capacity++) {
        expect_result(trv_world_write(world, bytes, capacity, &size), TRV_ERROR_RANGE);
        assert_int_equal(size, 0);
    }
    expect_result(trv_world_write(world, NULL, needed, &size), TRV_ERROR_NULL);
    expect_result(trv_world_write(NULL, bytes, needed, &size), TRV_ERROR_NULL);
    expect_result(trv_world_write(world, bytes, needed, NULL), TRV_ERROR_NULL);
    expect_result(trv_world_read(NULL, bytes, needed), TRV_ERROR_NULL);
    expect_result(trv_world_read(world, NULL, needed), TRV_ERROR_NULL);
    assert_int_equal(trv_world_write_size(NULL), 0);
    // What begins otherwise is none, however short it is.
    for (size_t i = 1; i < 64; i++) {
        uint8_t other[64] = {0};
        expect_result(trv_world_read(world, other, i), TRV_ERROR_KIND);
        expect_result(trv_world_restore(world, other, i), TRV_ERROR_KIND);
    }
    // A save in memory is no file, and the other way round.
    expect_result(trv_world_save(world, bytes, sizeof bytes, &size), TRV_OK);
    expect_result(trv_world_read(world, bytes, size), TRV_ERROR_KIND);
    expect_result(trv_world_write(world, bytes, sizeof bytes, &size), TRV_OK);
    expect_result(trv_world_restore(world, bytes, size), TRV_ERROR_KIND);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_world_goes_on_as_the_written_one),
        cmocka_unit_test(an_old_world_is_replaced),
        cmocka_unit_test(equal_worlds_write_equal_bytes),
        cmocka_unit_test(hulls_are_made_again_to_the_bit),
        cmocka_unit_test(shapes_that_share_a_hull_still_do),
        cmocka_unit_test(saves_made_before_a_file_is_read_can_still_be_restored),
        cmocka_unit_test(a_file_cut_short_anywhere_is_refused),
        cmocka_unit_test(a_file_with_any_byte_changed_is_refused),
        cmocka_unit_test(a_forged_file_makes_a_sound_world_or_none),
        cmocka_unit_test(a_file_too_large_for_the_world_is_refused),
        cmocka_unit_test(every_allocation_of_reading_and_writing_may_fail),
        cmocka_unit_test(buffers_too_small_and_null_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
