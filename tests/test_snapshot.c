// Saves in memory: rolling back and stepping again gives the same bits, whatever happened since; and
// nothing that is handed to a restore can break a world.
#include "mixed_scene.h"

typedef struct save {
    char *bytes;
    size_t size;
    mixed_scene scene;
} save;

static save take_save(mixed_scene *scene)
{
    size_t capacity = trv_world_save_size(scene->world);
    save taken = {malloc(capacity), 0, *scene};
    expect_result(trv_world_save(scene->world, taken.bytes, capacity, &taken.size), TRV_OK);
    assert_true(taken.size <= capacity);
    return taken;
}

static void go_back(mixed_scene *scene, const save *to)
{
    expect_result(trv_world_restore(scene->world, to->bytes, to->size), TRV_OK);
    *scene = to->scene;
    expect_sound(scene->world);
}

enum { FRAMES = 250, FRAMES_APART = 25 };

static void rolling_back_and_stepping_again_gives_the_same_bits(void **state)
{
    (void)state;
    mixed_scene scene;
    uint64_t hashes[FRAMES + 1], events[FRAMES + 1];
    save saves[FRAMES / FRAMES_APART];
    uint32_t asleep_seen = 0;
    mixed_begin(&scene, 20);
    for (uint32_t i = 0; i < FRAMES; i++) {
        if (i % FRAMES_APART == 0)
            saves[i / FRAMES_APART] = take_save(&scene);
        hashes[i] = trv_world_hash(scene.world);
        events[i] = events_digest(scene.world);
        mixed_step(&scene);
        asleep_seen += scene.world->awake.count < scene.count;
    }
    assert_true(asleep_seen > 0);
    // Back from the end and on from each save, out of order too.
    for (uint32_t k = 0; k < 2 * FRAMES / FRAMES_APART; k++) {
        uint32_t which = k * 5 % (FRAMES / FRAMES_APART), from = which * FRAMES_APART;
        uint32_t to = from + 30 < FRAMES ? from + 30 : FRAMES;
        go_back(&scene, &saves[which]);
        for (uint32_t i = from; i < to; i++) {
            if (trv_world_hash(scene.world) != hashes[i])
                fail_msg("frame %u differs after going back to frame %u", i, from);
            assert_true(events_digest(scene.world) == events[i]);
            mixed_step(&scene);
        }
        expect_sound(scene.world);
    }
    for (uint32_t i = 0; i < FRAMES / FRAMES_APART; i++)
        free(saves[i].bytes);
    mixed_end(&scene);
}

// What is not in a save has to be found anew by each step, of contacts that wake in it too.
static void what_a_step_leaves_of_its_points_is_nothing_to_the_next(void **state)
{
    (void)state;
    mixed_scene one, two;
    uint32_t woken = 0;
    mixed_begin(&one, 20);
    mixed_begin(&two, 20);
    for (uint32_t i = 0; i < FRAMES; i++) {
        const trvi_array *points = &two.world->point_steps;
        if (points->capacity > 0)
            memset(points->items, 0xff, (size_t)points->capacity * points->stride);
        mixed_step(&one);
        mixed_step(&two);
        woken += two.world->wakes.count;
        if (trv_world_hash(one.world) != trv_world_hash(two.world))
            fail_msg("frame %u differs", i);
    }
    assert_true(woken > 0);
    mixed_end(&one);
    mixed_end(&two);
}

// Each step made twice, from a save of the frame before: what a game does that predicts.
static void going_back_one_frame_each_frame_changes_nothing(void **state)
{
    (void)state;
    mixed_scene one, two;
    mixed_begin(&one, 15);
    mixed_begin(&two, 15);
    for (uint32_t i = 0; i < 110; i++) {
        save before = take_save(&two);
        mixed_step(&two);
        mixed_step(&two);
        go_back(&two, &before);
        mixed_step(&one);
        mixed_step(&two);
        assert_true(trv_world_hash(one.world) == trv_world_hash(two.world));
        free(before.bytes);
    }
    mixed_end(&one);
    mixed_end(&two);
}

// The first save of a world is empty; going back there and playing again is like a new world.
static void going_back_to_the_empty_world_starts_anew(void **state)
{
    (void)state;
    mixed_scene scene;
    trv_world *world = mixed_world(NULL, NULL);
    char empty[4096];
    size_t size;
    assert_true(trv_world_save_size(world) <= sizeof empty);
    expect_result(trv_world_save(world, empty, sizeof empty, &size), TRV_OK);
    uint64_t hashes[2];
    for (int round = 0; round < 2; round++) {
        mixed_begin_in(&scene, world, trv_make_vec3(0, 0, 0), 40, 3);
        for (int i = 0; i < 60; i++)
            mixed_step(&scene);
        hashes[round] = trv_world_hash(world);
        expect_result(trv_world_restore(world, empty, size), TRV_OK);
        expect_sound(world);
        mixed_release(&scene);
    }
    assert_true(hashes[0] == hashes[1]);
    trv_world_destroy(world);
}

static void a_buffer_needs_no_alignment(void **state)
{
    (void)state;
    mixed_scene scene;
    mixed_begin(&scene, 20);
    for (int i = 0; i < 40; i++)
        mixed_step(&scene);
    size_t capacity = trv_world_save_size(scene.world), size;
    char *bytes = malloc(capacity + 1);
    expect_result(trv_world_save(scene.world, bytes + 1, capacity, &size), TRV_OK);
    uint64_t hash = trv_world_hash(scene.world);
    mixed_step(&scene);
    expect_result(trv_world_restore(scene.world, bytes + 1, size), TRV_OK);
    assert_true(trv_world_hash(scene.world) == hash);
    free(bytes);
    mixed_end(&scene);
}

static uint64_t step_once(trv_world *world)
{
    expect_result(trv_world_step(world, 1.0f / 60.0f, 1), TRV_OK);
    return trv_world_hash(world);
}

// So many contacts that they are copied past the caches: balls that all overlap.
static void a_large_world_rolls_back_to_the_same_bits(void **state)
{
    (void)state;
    enum { BALLS = 60 };
    test_random random = {41};
    trv_world *world = make_world();
    world->large_copy = 1 << 19;
    for (int i = 0; i < BALLS; i++)
        add_dynamic(world, random_vec3(&random, 0.2f),
                    trv_make_sphere(trv_make_vec3(0, 0, 0), 0.5f));
    uint64_t before = step_once(world);
    assert_true(world->contacts.count * sizeof(trvi_contact) >= world->large_copy);
    size_t capacity = trv_world_save_size(world), size;
    char *bytes = malloc(capacity + 8);
    // Both of the ways that a processor may know.
    for (size_t shift = 0; shift <= 8; shift += 8) {
        expect_result(trv_world_save(world, bytes + shift, capacity, &size), TRV_OK);
        uint64_t after = step_once(world);
        assert_true(after != before);
        expect_result(trv_world_restore(world, bytes + shift, size), TRV_OK);
        assert_true(trv_world_hash(world) == before);
        assert_true(step_once(world) == after);
        before = after;
    }
    for (size_t at = 0; at < size; at += size / 20) {
        bytes[8 + at] ^= 4;
        assert_true(trv_world_restore(world, bytes + 8, size) != TRV_OK);
        bytes[8 + at] ^= 4;
    }
    free(bytes);
    trv_world_destroy(world);
}

// A save takes nothing from the world: what follows is as if there had been none.
static void a_save_changes_nothing_that_follows(void **state)
{
    (void)state;
    mixed_scene one, two;
    mixed_begin(&one, 15);
    mixed_begin(&two, 15);
    for (uint32_t i = 0; i < 80; i++) {
        save taken = take_save(&two);
        free(taken.bytes);
        mixed_step(&one);
        mixed_step(&two);
        assert_true(trv_world_hash(one.world) == trv_world_hash(two.world));
        assert_true(events_digest(one.world) == events_digest(two.world));
    }
    mixed_end(&one);
    mixed_end(&two);
}

// A hull is gone, body, shape and all; only the world still has it for the save's sake.
static void a_destroyed_hull_comes_back_with_the_save(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    trv_allocator allocator = test_allocator(&memory);
    test_random random = {5};
    trv_world *world = make_world_with(allocator);
    trv_hull *hull = mixed_hull(&random, 12, allocator);
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 5, 0), trv_make_hull(hull));
    trv_hull_release(hull);
    size_t capacity = trv_world_save_size(world), size;
    char *bytes = malloc(capacity);
    expect_result(trv_world_save(world, bytes, capacity, &size), TRV_OK);
    uint64_t hash = trv_world_hash(world);
    for (int round = 0; round < 3; round++) {
        expect_result(trv_body_destroy(world, body), TRV_OK);
        step_world(world, 2);
        expect_result(trv_world_restore(world, bytes, size), TRV_OK);
        assert_true(trv_world_hash(world) == hash);
        expect_result(trv_body_check(world, body), TRV_OK);
        step_world(world, 5);
    }
    free(bytes);
    trv_world_destroy(world);
    assert_int_equal(memory.live, 0);
}

// Hulls are kept for so many saves and no longer; older saves are then refused, not followed.
static void a_save_whose_hull_is_no_longer_kept_is_refused(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    test_random random = {5};
    def.allocator = test_allocator(&memory);
    def.kept_saves = 3;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    char first[16384], later[16384];
    size_t first_size, later_size;
    trv_hull *hull = mixed_hull(&random, 12, def.allocator);
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 5, 0), trv_make_hull(hull));
    trv_hull_release(hull);
    expect_result(trv_world_save(world, first, sizeof first, &first_size), TRV_OK);
    size_t with_hull = memory.live;
    expect_result(trv_body_destroy(world, body), TRV_OK);
    for (int i = 0; i < 3; i++) {
        expect_result(trv_world_save(world, later, sizeof later, &later_size), TRV_OK);
        assert_int_equal(memory.live, with_hull);
    }
    expect_result(trv_world_save(world, later, sizeof later, &later_size), TRV_OK);
    assert_int_equal(memory.live, with_hull - 1);
    uint64_t hash = trv_world_hash(world);
    expect_result(trv_world_restore(world, first, first_size), TRV_ERROR_STALE);
    assert_true(trv_world_hash(world) == hash);
    trv_world_destroy(world);
    assert_int_equal(memory.live, 0);
}

// Never saved: given back at once.
static void a_hull_that_no_save_knows_is_not_kept(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    test_random random = {5};
    trv_world *world = make_world_with(test_allocator(&memory));
    char bytes[4096];
    size_t size;
    expect_result(trv_world_save(world, bytes, sizeof bytes, &size), TRV_OK);
    trv_hull *hull = mixed_hull(&random, 12, test_allocator(&memory));
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 5, 0), trv_make_hull(hull));
    size_t live = memory.live;
    trv_hull_release(hull);
    assert_int_equal(memory.live, live);
    expect_result(trv_body_destroy(world, body), TRV_OK);
    assert_int_equal(memory.live, live - 1);
    trv_world_destroy(world);
    assert_int_equal(memory.live, 0);
}

static void a_save_of_another_world_is_refused(void **state)
{
    (void)state;
    mixed_scene one, two;
    mixed_begin(&one, 10);
    mixed_begin(&two, 10);
    save of_one = take_save(&one);
    uint64_t hash = trv_world_hash(two.world);
    expect_result(trv_world_restore(two.world, of_one.bytes, of_one.size), TRV_ERROR_FOREIGN);
    assert_true(trv_world_hash(two.world) == hash);
    free(of_one.bytes);
    mixed_end(&one);
    mixed_end(&two);
}

static save save_of_small_world(mixed_scene *scene)
{
    mixed_begin(scene, 3);
    for (int i = 0; i < 40; i++)
        mixed_step(scene);
    return take_save(scene);
}

static void a_save_cut_short_anywhere_is_refused(void **state)
{
    (void)state;
    mixed_scene scene;
    save whole = save_of_small_world(&scene);
    uint64_t hash = trv_world_hash(scene.world);
    for (size_t size = 0; size < whole.size; size++) {
        char *part = malloc(size + 1); // of its own, so that a read beyond its end shows
        memcpy(part, whole.bytes, size);
        trv_result result = trv_world_restore(scene.world, part, size);
        expect_result(result, TRV_ERROR_RANGE);
        free(part);
    }
    assert_true(trv_world_hash(scene.world) == hash);
    expect_sound(scene.world);
    free(whole.bytes);
    mixed_end(&scene);
}

static void a_save_with_any_byte_changed_is_refused(void **state)
{
    (void)state;
    mixed_scene scene;
    save whole = save_of_small_world(&scene);
    uint64_t hash = trv_world_hash(scene.world);
    for (size_t at = 0; at < whole.size; at++) {
        whole.bytes[at] ^= (char)(1 << at % 8);
        if (trv_world_restore(scene.world, whole.bytes, whole.size) == TRV_OK)
            fail_msg("byte %zu of %zu was changed, and nobody saw", at, whole.size);
        whole.bytes[at] ^= (char)(1 << at % 8);
    }
    assert_true(trv_world_hash(scene.world) == hash);
    expect_result(trv_world_restore(scene.world, whole.bytes, whole.size), TRV_OK);
    free(whole.bytes);
    mixed_end(&scene);
}

static void buffers_too_small_and_null_are_refused(void **state)
{
    (void)state;
    mixed_scene scene;
    mixed_begin(&scene, 5);
    size_t capacity = trv_world_save_size(scene.world), size = 9;
    char *bytes = malloc(capacity);
    expect_result(trv_world_save(scene.world, bytes, capacity - 1, &size), TRV_ERROR_RANGE);
    assert_int_equal(size, 0);
    expect_result(trv_world_save(NULL, bytes, capacity, &size), TRV_ERROR_NULL);
    expect_result(trv_world_save(scene.world, NULL, capacity, &size), TRV_ERROR_NULL);
    expect_result(trv_world_save(scene.world, bytes, capacity, NULL), TRV_ERROR_NULL);
    expect_result(trv_world_restore(NULL, bytes, capacity), TRV_ERROR_NULL);
    expect_result(trv_world_restore(scene.world, NULL, capacity), TRV_ERROR_NULL);
    expect_result(trv_world_restore(scene.world, bytes, 0), TRV_ERROR_RANGE);
    assert_int_equal(trv_world_save_size(NULL), 0);
    free(bytes);
    mixed_end(&scene);
}

static void going_back_again_and_again_allocates_nothing(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    trv_world *world = make_world_with(test_allocator(&memory));
    mixed_scene scene;
    mixed_begin_in(&scene, world, trv_make_vec3(0, 0, 0), 20, 5);
    for (int i = 0; i < 30; i++)
        mixed_step(&scene);
    save before = take_save(&scene);
    size_t calls = 0;
    for (int round = 0; round < 4; round++) {
        go_back(&scene, &before);
        for (int i = 0; i < 3; i++)
            expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_OK);
        if (round == 1) // by then there is room for both of the rows of contacts
            calls = memory.calls;
    }
    assert_true(calls > 0);
    assert_int_equal(memory.calls, calls);
    free(before.bytes);
    trv_world_destroy(world);
    mixed_release(&scene);
    assert_int_equal(memory.live, 0);
}

// What was read of a damaged save is in spare room, and does not come to light later on.
static void a_world_that_refused_a_damaged_save_goes_on_as_if_it_had_not_seen_it(void **state)
{
    (void)state;
    mixed_scene scene;
    mixed_begin(&scene, 5);
    for (int i = 0; i < 30; i++)
        mixed_step(&scene);
    save early = take_save(&scene);
    for (int i = 0; i < 20; i++)
        mixed_step(&scene);
    save late = take_save(&scene);
    size_t broad = trv_broad_save_size(scene.world->broad); // in front of it are contacts
    uint64_t hashes[2];
    for (int round = 0; round < 2; round++) {
        go_back(&scene, &early);
        late.bytes[late.size - broad - 100] ^= 64;
        if (round == 1)
            expect_result(trv_world_restore(scene.world, late.bytes, late.size), TRV_ERROR_RANGE);
        late.bytes[late.size - broad - 100] ^= 64;
        expect_sound(scene.world);
        for (int i = 0; i < 10; i++)
            expect_result(trv_world_step(scene.world, 1.0f / 60.0f, 4), TRV_OK);
        hashes[round] = trv_world_hash(scene.world);
    }
    assert_true(hashes[0] == hashes[1]);
    go_back(&scene, &late);
    free(early.bytes);
    free(late.bytes);
    mixed_end(&scene);
}

// Nor where a contact that was read of it is none, in the save that is taken next.
static void what_a_damaged_save_left_of_a_contact_is_never_read(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id boxes[2];
    add_ground(world);
    for (int i = 0; i < 2; i++)
        boxes[i] = add_dynamic(world, trv_make_vec3(4.0f * (float)i, 0.5f, 0), cube(0.5f));
    step_world(world, 10);
    size_t capacity = trv_world_save_size(world), both, one;
    char *of_both = malloc(capacity), *of_one = malloc(capacity);
    assert_true(of_both != NULL && of_one != NULL);
    expect_result(trv_world_save(world, of_both, capacity, &both), TRV_OK);
    expect_result(trv_body_destroy(world, boxes[0]), TRV_OK);
    step_world(world, 1);
    assert_true(world->contacts.count == 2 && world->live_contacts == 1);
    expect_result(trv_world_save(world, of_one, capacity, &one), TRV_OK);
    uint64_t hashes[2] = {0, 0};
    for (size_t at = 0; at < both; at++) {
        of_both[at] ^= 0x55;
        assert_true(trv_world_restore(world, of_both, both) != TRV_OK);
        of_both[at] ^= 0x55;
        expect_result(trv_world_restore(world, of_one, one), TRV_OK);
        expect_result(trv_world_step(world, 1.0f / 100.0f, 4), TRV_OK); // loads are scaled
        hashes[at > 0] = trv_world_hash(world);
        assert_true(at == 0 || hashes[0] == hashes[1]);
    }
    free(of_both);
    free(of_one);
    trv_world_destroy(world);
}

// The world has grown small again since: restoring allocates, and may fail at each allocation.
static void a_restore_that_runs_out_of_memory_changes_nothing(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    trv_world *world = make_world_with(test_allocator(&memory));
    char empty[4096];
    size_t empty_size, size;
    expect_result(trv_world_save(world, empty, sizeof empty, &empty_size), TRV_OK);
    mixed_scene scene;
    mixed_begin_in(&scene, world, trv_make_vec3(0, 0, 0), 20, 5);
    for (int i = 0; i < 30; i++)
        mixed_step(&scene);
    size_t capacity = trv_world_save_size(world);
    char *bytes = malloc(capacity);
    expect_result(trv_world_save(world, bytes, capacity, &size), TRV_OK);
    uint64_t hash = trv_world_hash(world);
    // A world at the same address, as it were: everything it has is given back first.
    size_t failures = 0;
    for (size_t k = 0;; k++) {
        expect_result(trv_world_restore(world, empty, empty_size), TRV_OK);
        for (uint32_t i = 0; i < 3; i++) { // arrays that are as short as they can be
            trvi_array *arrays[] = {&world->contacts, &world->awake, &world->ends};
            trvi_array_free(&world->allocator, arrays[i]);
        }
        uint64_t before = trv_world_hash(world);
        memory.calls = 0;
        memory.fail_at = k;
        trv_result result = trv_world_restore(world, bytes, size);
        memory.fail_at = SIZE_MAX;
        if (result == TRV_OK)
            break;
        failures++;
        expect_result(result, TRV_ERROR_MEMORY);
        assert_true(trv_world_hash(world) == before);
        expect_sound(world);
    }
    assert_true(failures >= 3);
    assert_true(trv_world_hash(world) == hash);
    free(bytes);
    trv_world_destroy(world);
    mixed_release(&scene);
    assert_int_equal(memory.live, 0);
}

// Each part is sound, and yet they do not belong together.
static void a_save_with_the_broadphase_of_another_frame_is_refused(void **state)
{
    (void)state;
    mixed_scene scene;
    uint32_t tried = 0;
    mixed_begin(&scene, 3);
    for (uint32_t i = 0; i < 60; i++) {
        save one = take_save(&scene);
        size_t size = trv_broad_save_size(scene.world->broad);
        mixed_step(&scene);
        save two = take_save(&scene);
        char *last = one.bytes + one.size - size, *other = two.bytes + two.size - size;
        if (trv_broad_save_size(scene.world->broad) == size && memcmp(last, other, size) != 0) {
            memcpy(last, other, size);
            expect_result(trv_world_restore(scene.world, one.bytes, one.size), TRV_ERROR_RANGE);
            tried++;
        }
        free(one.bytes);
        free(two.bytes);
    }
    assert_true(tried > 0);
    mixed_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolling_back_and_stepping_again_gives_the_same_bits),
        cmocka_unit_test(a_save_with_the_broadphase_of_another_frame_is_refused),
        cmocka_unit_test(what_a_step_leaves_of_its_points_is_nothing_to_the_next),
        cmocka_unit_test(going_back_one_frame_each_frame_changes_nothing),
        cmocka_unit_test(going_back_to_the_empty_world_starts_anew),
        cmocka_unit_test(a_buffer_needs_no_alignment),
        cmocka_unit_test(a_large_world_rolls_back_to_the_same_bits),
        cmocka_unit_test(a_save_changes_nothing_that_follows),
        cmocka_unit_test(a_destroyed_hull_comes_back_with_the_save),
        cmocka_unit_test(a_save_whose_hull_is_no_longer_kept_is_refused),
        cmocka_unit_test(a_hull_that_no_save_knows_is_not_kept),
        cmocka_unit_test(a_save_of_another_world_is_refused),
        cmocka_unit_test(a_save_cut_short_anywhere_is_refused),
        cmocka_unit_test(a_save_with_any_byte_changed_is_refused),
        cmocka_unit_test(buffers_too_small_and_null_are_refused),
        cmocka_unit_test(going_back_again_and_again_allocates_nothing),
        cmocka_unit_test(a_world_that_refused_a_damaged_save_goes_on_as_if_it_had_not_seen_it),
        cmocka_unit_test(what_a_damaged_save_left_of_a_contact_is_never_read),
        cmocka_unit_test(a_restore_that_runs_out_of_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
