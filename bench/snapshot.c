// Saves, restores and hashes of worlds of ten thousand bodies, beside a plain copy of as many bytes;
// README.md tells how to read it.
//
//   bench_snapshot [STEPS [WORKERS]]
#if defined(__linux__)
#define _DEFAULT_SOURCE // madvise
#include <sys/mman.h>
#endif

#include <trivet/threads.h>
#include <trivet/world.h>

#include "bench.h"

enum { PYRAMIDS = 7, BASE = 55, SIDE = 100, ROUNDS = 41, LEAST_STEPS = 1, FRESH = 64 << 20 };
enum { LARGE_PAGE = 2 << 20 };

static void add_box(trv_world *world, trv_body_kind kind, trv_vec3 at, trv_vec3 half)
{
    trv_body_def body_def = trv_default_body_def();
    trv_shape_def shape_def = trv_default_shape_def();
    trv_shape box = trv_make_box(half);
    trv_body_id body;
    trv_shape_id shape;
    body_def.kind = kind;
    body_def.position = at;
    bench_need(trv_body_create(world, &body_def, &body), "body");
    bench_need(trv_shape_create(world, body, &shape_def, &box, &shape), "shape");
}

static trv_world *make_world(trv_threads *threads)
{
    trv_world_def def = trv_default_world_def();
    def.workers = trv_threads_workers(threads);
    trv_world *world;
    bench_need(trv_world_create(&def, &world), "world");
    return world;
}

static void add_ground(trv_world *world)
{
    add_box(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0), trv_make_vec3(200, 1, 200));
}

// Walls of boxes, each row one shorter than the one below it.
static trv_world *make_pyramids(trv_threads *threads)
{
    trv_world *world = make_world(threads);
    add_ground(world);
    for (int p = 0; p < PYRAMIDS; p++)
        for (int row = 0; row < BASE; row++)
            for (int i = 0; i < BASE - row; i++)
                add_box(world, TRV_BODY_DYNAMIC,
                        trv_make_vec3(1.02f * ((float)i + 0.5f * (float)row), 0.5f + (float)row,
                                      4.0f * (float)p),
                        trv_make_vec3(0.5f, 0.5f, 0.5f));
    return world;
}

static void add_field(trv_world *world, float height)
{
    for (int i = 0; i < SIDE * SIDE; i++)
        add_box(
            world, TRV_BODY_DYNAMIC,
            trv_make_vec3(3.0f * (float)(i % SIDE) - 150, height, 3.0f * (float)(i / SIDE) - 150),
            trv_make_vec3(0.5f, 0.5f, 0.5f));
}

// Each on the ground, and by itself.
static trv_world *make_scattered(trv_threads *threads)
{
    trv_world *world = make_world(threads);
    add_ground(world);
    add_field(world, 0.5f);
    return world;
}

static trv_world *make_flying(trv_threads *threads)
{
    trv_world *world = make_world(threads);
    add_field(world, 1000);
    return world;
}

typedef struct bench_save {
    trv_world *world;
    char *bytes, *copy, *fresh, *large;
    size_t capacity, size;
    uint64_t hash;
} bench_save;

static void save(bench_save *s)
{
    bench_need(trv_world_save(s->world, s->bytes, s->capacity, &s->size), "save");
}

static void restore(bench_save *s)
{
    bench_need(trv_world_restore(s->world, s->bytes, s->size), "restore");
}

static void copy(bench_save *s)
{
    memcpy(s->copy, s->bytes, s->size);
}

static void hash(bench_save *s)
{
    s->hash ^= trv_world_hash(s->world);
}

// As who rolls back in a game finds it: other memory was in use since, and the world has changed.
static void step(bench_save *s)
{
    bench_need(trv_world_step(s->world, 1.0f / 60.0f, 4), "step");
}

static void step_anew(bench_save *s)
{
    restore(s);
    step(s);
}

static void save_beside(bench_save *s)
{
    size_t size;
    bench_need(trv_world_save(s->world, s->copy, s->capacity, &size), "save");
}

// More than an allocator keeps back, so that the system has to hand out every page anew.
static void take_fresh(bench_save *s)
{
    free(s->fresh);
    s->fresh = malloc(s->capacity + FRESH);
    if (s->fresh == NULL)
        exit(1);
}

static void save_fresh(bench_save *s)
{
    size_t size;
    bench_need(trv_world_save(s->world, s->fresh, s->capacity, &size), "save");
}

// A buffer that its owner has laid in large pages, where the system has them.
static void take_large(bench_save *s)
{
    size_t size = s->capacity / LARGE_PAGE * LARGE_PAGE + LARGE_PAGE;
    s->large = aligned_alloc(LARGE_PAGE, size);
    if (s->large == NULL)
        exit(1);
#if defined(MADV_HUGEPAGE)
    (void)madvise(s->large, size, MADV_HUGEPAGE);
#endif
    memset(s->large, 0, size);
}

static void save_large(bench_save *s)
{
    bench_need(trv_world_save(s->world, s->large, s->capacity, &s->size), "save");
}

static void restore_large(bench_save *s)
{
    bench_need(trv_world_restore(s->world, s->large, s->size), "restore");
}

static void measure(const char *scene, const char *what, void (*before)(bench_save *),
                    void (*work)(bench_save *), bench_save *s)
{
    double rounds[ROUNDS];
    char name[64];
    for (int i = 0; i < ROUNDS; i++) {
        if (before != NULL)
            before(s);
        double start = bench_now();
        work(s);
        rounds[i] = (bench_now() - start) * 1.0e-6;
    }
    snprintf(name, sizeof name, "snapshot/%s/%s", scene, what);
    bench_print(name, "ms", rounds, ROUNDS);
}

static void measure_scene(const char *scene, trv_world *world, int steps)
{
    bench_save s = {.world = world};
    for (int i = 0; i < steps || i < LEAST_STEPS; i++)
        bench_need(trv_world_step(world, 1.0f / 60.0f, 4), "step");
    s.capacity = trv_world_save_size(world) * 5 / 4; // a step later there may be more
    s.bytes = malloc(s.capacity);
    s.copy = malloc(s.capacity);
    if (s.bytes == NULL || s.copy == NULL)
        exit(1);
    memset(s.bytes, 0, s.capacity);
    memset(s.copy, 0, s.capacity);
    trv_world_counters counters;
    bench_need(trv_world_counters_get(world, &counters), "counters");
    save(&s);
    printf("{\"name\": \"snapshot/%s/world\", \"bodies\": %u, \"pairs\": %u, \"bytes\": %zu}\n",
           scene, counters.bodies, counters.pairs, s.size);
    measure(scene, "copy", NULL, copy, &s);
    measure(scene, "save", NULL, save, &s);
    measure(scene, "restore", NULL, restore, &s);
    measure(scene, "hash", NULL, hash, &s);
    measure(scene, "restore_after_step", step, restore, &s);
    measure(scene, "save_after_step", step_anew, save_beside, &s);
    measure(scene, "save_fresh_memory", take_fresh, save_fresh, &s);
    take_large(&s);
    measure(scene, "save_large_pages", NULL, save_large, &s);
    measure(scene, "restore_large_pages", NULL, restore_large, &s);
    fprintf(stderr, "state hash 0x%016llx\n", (unsigned long long)s.hash);
    free(s.bytes);
    free(s.copy);
    free(s.fresh);
    free(s.large);
    trv_world_destroy(world);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 20;
    trv_threads_def def = trv_default_threads_def();
    trv_threads *threads;
    def.count = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    bench_need(trv_threads_create(&def, &threads), "threads");
    bench_print_machine(stdout);
    measure_scene("stacked", make_pyramids(threads), steps);
    measure_scene("scattered", make_scattered(threads), steps);
    measure_scene("flying", make_flying(threads), steps);
    trv_threads_destroy(threads);
    return 0;
}
