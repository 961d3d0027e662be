// Steps, saves and files give the same bits whatever modes of rounding and flushing the program around
// them has set for its threads, and leave those as they were.
#include "mixed_scene.h"

#include <trivet/threads.h>

#if defined(__SSE__) && !defined(__wasm__)
#include <xmmintrin.h>

// Upward, denormal results and operands to zero; all exceptions stay masked.
enum { USUAL = 0x1F80, STRANGE = 0x1F80 | 0x4000 | 0x8000 | 0x0040, MODES = 0xFFC0 };

static void set_modes(uint32_t modes)
{
    _mm_setcsr(modes);
}

static uint32_t get_modes(void)
{
    return _mm_getcsr() & MODES;
}

#elif defined(__aarch64__)

enum { USUAL = 0, STRANGE = 1 << 22 | 1 << 24 }; // upward, flushed

static void set_modes(uint32_t modes)
{
    uint64_t word = modes;
    __asm__ volatile("msr fpcr, %0" : : "r"(word) : "memory");
}

static uint32_t get_modes(void)
{
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return (uint32_t)word;
}

#else

enum { USUAL = 0, STRANGE = 0 };

static void set_modes(uint32_t modes)
{
    (void)modes;
}

static uint32_t get_modes(void)
{
    return USUAL;
}

#endif

static void need_modes(void)
{
    if (STRANGE == USUAL)
        skip();
}

// The sum of the first reciprocals, and what is left of a number below the least normal one.
static void compute(float out[2])
{
    volatile float one = 1.0f, least = 1.0e-38f;
    out[0] = 0.0f;
    for (int i = 1; i < 30; i++)
        out[0] += one / (float)i;
    out[1] = least / 4.0f;
}

// So that a test which sees no difference is not one in which there is nothing to see.
static void the_modes_change_what_is_computed(void **state)
{
    (void)state;
    need_modes();
    // Compilers know nothing of modes, and would move it.
    void (*volatile run)(float out[2]) = compute;
    float usual[2], strange[2];
    run(usual);
    set_modes(STRANGE);
    run(strange);
    set_modes(USUAL);
    assert_true(usual[0] < strange[0] && usual[1] > 0.0f);
    assert_true(strange[1] == 0.0f);
}

static void step_in(mixed_scene *scene, uint32_t modes)
{
    mixed_act(scene);
    set_modes(modes);
    trv_result result = trv_world_step(scene->world, 1.0f / 60.0f, 4);
    uint32_t left = get_modes();
    set_modes(USUAL);
    expect_result(result, TRV_OK);
    assert_int_equal(left, modes);
}

static void steps_in_any_modes_give_the_same_bits(void **state)
{
    (void)state;
    need_modes();
    for (uint32_t count = 1; count <= 3; count += 2) {
        trv_threads_def def = trv_default_threads_def();
        trv_threads *threads = NULL;
        def.count = count;
        set_modes(STRANGE); // which new threads may take over from the one that makes them
        trv_result result = trv_threads_create(&def, &threads);
        set_modes(USUAL);
        expect_result(result, TRV_OK);
        trv_workers workers = trv_threads_workers(threads);
        mixed_scene usual, strange;
        mixed_begin_in(&usual, mixed_world(NULL, NULL), trv_make_vec3(0, 0, 0), 40, 11);
        mixed_begin_in(&strange, mixed_world(&workers, NULL), trv_make_vec3(0, 0, 0), 40, 11);
        for (int i = 0; i < 60; i++) {
            step_in(&usual, USUAL);
            step_in(&strange, STRANGE);
            if (trv_world_hash(usual.world) != trv_world_hash(strange.world))
                fail_msg("step %d with %u workers differs", i, count);
        }
        mixed_end(&usual);
        mixed_end(&strange);
        trv_threads_destroy(threads);
    }
}

static void what_is_restored_and_read_in_any_modes_is_the_same(void **state)
{
    (void)state;
    need_modes();
    mixed_scene scene;
    mixed_begin(&scene, 7);
    for (int i = 0; i < 40; i++)
        mixed_step(&scene);
    uint64_t hash = trv_world_hash(scene.world);
    size_t capacity = trv_world_save_size(scene.world), size[2];
    size_t file_size = trv_world_write_size(scene.world);
    void *save = malloc(capacity), *file = malloc(file_size);
    set_modes(STRANGE);
    trv_result results[4] = {trv_world_save(scene.world, save, capacity, &size[0]),
                             trv_world_write(scene.world, file, file_size, &size[1])};
    set_modes(USUAL);
    for (int i = 0; i < 5; i++)
        mixed_step(&scene);
    assert_true(trv_world_hash(scene.world) != hash);
    set_modes(STRANGE);
    results[2] = trv_world_restore(scene.world, save, size[0]);
    uint64_t restored = trv_world_hash(scene.world);
    results[3] = trv_world_read(scene.world, file, size[1]);
    uint64_t read = trv_world_hash(scene.world);
    uint32_t left = get_modes();
    set_modes(USUAL);
    for (int i = 0; i < 4; i++)
        expect_result(results[i], TRV_OK);
    assert_true(restored == hash && read == hash);
    assert_int_equal(left, STRANGE);
    free(save);
    free(file);
    mixed_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_modes_change_what_is_computed),
        cmocka_unit_test(steps_in_any_modes_give_the_same_bits),
        cmocka_unit_test(what_is_restored_and_read_in_any_modes_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
