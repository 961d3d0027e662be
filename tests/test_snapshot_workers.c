// Saves made and read by several workers: the same bytes, the same refusals.
#include <trivet/threads.h>

#include "world_support.h"

enum { BALLS = 140, LEVELS = 40, WORKERS_MOST = 5 };

// Balls of which many overlap, and pairs that are near without touching: many chunks of contacts, of
// which all have some of each.
static trv_world *make_crowd(void)
{
    test_random random = {43};
    trv_world *world = make_world();
    for (int i = 0; i < BALLS; i++)
        add_dynamic(world, random_vec3(&random, 0.7f),
                    trv_make_sphere(trv_make_vec3(0, 0, 0), 0.5f));
    for (int i = 0; i < LEVELS; i++)
        add_dynamic(world, trv_make_vec3(5, (float)i * 1.03f, 0), cube(0.5f));
    step_world(world, 2);
    return world;
}

typedef struct crew {
    trv_threads *threads[WORKERS_MOST + 1];
} crew;

static crew begin_crew(void)
{
    crew all;
    for (uint32_t i = 1; i <= WORKERS_MOST; i++) {
        trv_threads_def def = trv_default_threads_def();
        def.count = i;
        expect_result(trv_threads_create(&def, &all.threads[i]), TRV_OK);
    }
    return all;
}

static void end_crew(const crew *all)
{
    for (uint32_t i = 1; i <= WORKERS_MOST; i++)
        trv_threads_destroy(all->threads[i]);
}

static void any_number_of_workers_writes_the_same_save(void **state)
{
    (void)state;
    trv_world *world = make_crowd();
    const crew all = begin_crew();
    uint64_t hash = trv_world_hash(world);
    uint32_t heads = 0, wholes = 0;
    for (uint32_t i = 0; i < world->contacts.count; i++) {
        const trvi_contact *contact = &trvi_contacts(world)[i];
        wholes += (contact->flags & TRVI_CONTACT_LIVE) && contact->manifold.count > 0;
        heads += (contact->flags & TRVI_CONTACT_LIVE) && contact->manifold.count == 0;
    }
    assert_true(heads > 1000 && wholes > 1000);
    size_t capacity = trv_world_save_size(world), size, other_size;
    char *bytes = malloc(capacity), *other = malloc(capacity);
    expect_result(trv_world_save(world, bytes, capacity, &size), TRV_OK);
    for (uint32_t count = 1; count <= WORKERS_MOST; count++) {
        world->workers = trv_threads_workers(all.threads[count]);
        memset(other, 0xa5, capacity);
        expect_result(trv_world_save(world, other, capacity, &other_size), TRV_OK);
        assert_int_equal(other_size, size);
        assert_memory_equal(other, bytes, size);
        step_world(world, 1);
        expect_result(trv_world_restore(world, bytes, size), TRV_OK);
        assert_true(trv_world_hash(world) == hash);
        expect_sound(world);
    }
    trv_world_destroy(world);
    end_crew(&all);
    free(bytes);
    free(other);
}

static void whoever_finds_the_damage_the_save_is_refused(void **state)
{
    (void)state;
    enum { PLACES = 30 };
    trv_world *world = make_crowd();
    const crew all = begin_crew();
    uint64_t hash = trv_world_hash(world);
    size_t capacity = trv_world_save_size(world), size;
    char *bytes = malloc(capacity);
    world->workers = trv_threads_workers(all.threads[WORKERS_MOST]);
    expect_result(trv_world_save(world, bytes, capacity, &size), TRV_OK);
    for (size_t i = 0; i < PLACES; i++) {
        size_t at = i * (size - 1) / (PLACES - 1);
        bytes[at] ^= 0x20;
        assert_true(trv_world_restore(world, bytes, size) != TRV_OK);
        bytes[at] ^= 0x20;
        assert_true(trv_world_restore(world, bytes, at) != TRV_OK);
    }
    assert_true(trv_world_hash(world) == hash);
    expect_result(trv_world_restore(world, bytes, size), TRV_OK);
    trv_world_destroy(world);
    end_crew(&all);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_writes_the_same_save),
        cmocka_unit_test(whoever_finds_the_damage_the_save_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
