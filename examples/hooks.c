// Hooks: a game's own memory and its own threads.
//
//   hooks
//
// A world asks for memory and hands out work through two functions of its def. Here the memory hook
// counts, and gives what it is asked for from malloc; the workers are a pool of four threads
// (threads.h; who has a job system fills trv_workers by hand). A wall of boxes is built and hit by a ball, once on one thread and once on four: the
// worlds end in the same state, to the bit. While nothing grows, a step asks for no memory at all.
#include <stdio.h>
#include <stdlib.h>

#include <trivet/threads.h>
#include <trivet/world.h>

enum { STEPS = 300, GROWN = 240 }; // after so many steps nothing grows any more

typedef struct meter {
    size_t bytes, most; // in use now, and at most
    uint64_t calls;
} meter;

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "hooks: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

// A new size of 0 frees; sizes come back, so that blocks need no headers to be counted.
static void *count_bytes(void *user, void *block, size_t old_size, size_t new_size)
{
    meter *m = user;
    m->calls++;
    if (new_size == 0) {
        m->bytes -= old_size;
        free(block);
        return NULL;
    }
    void *moved = realloc(block, new_size);
    if (moved == NULL)
        return NULL; // the old block is still there: nothing changes
    m->bytes += new_size - (block ? old_size : 0);
    m->most = m->bytes > m->most ? m->bytes : m->most;
    return moved;
}

static trv_body_id add(trv_world *world, trv_body_kind kind, trv_vec3 position, trv_shape shape)
{
    trv_body_def body_def = trv_default_body_def();
    trv_shape_def shape_def = trv_default_shape_def();
    trv_body_id body;
    trv_shape_id id;
    body_def.kind = kind;
    body_def.position = position;
    stop_if(trv_body_create(world, &body_def, &body), "body");
    stop_if(trv_shape_create(world, body, &shape_def, &shape, &id), "shape");
    return body;
}

static void build(trv_world *world)
{
    trv_vec3 zero = trv_make_vec3(0, 0, 0);
    add(world, TRV_BODY_STATIC, zero, trv_make_half_space(zero, trv_make_vec3(0, 1, 0)));
    for (int row = 0; row < 6; row++)
        for (int i = 0; i < 12; i++)
            add(world, TRV_BODY_DYNAMIC,
                trv_make_vec3(0, 0.25f + 0.5f * (float)row,
                              0.5f * (float)i + (row % 2 ? 0.25f : 0.0f) - 3.0f),
                trv_make_box(trv_make_vec3(0.25f, 0.25f, 0.25f)));
    trv_body_id ball =
        add(world, TRV_BODY_DYNAMIC, trv_make_vec3(-6, 1.2f, 0), trv_make_sphere(zero, 0.4f));
    stop_if(trv_body_set_linear_velocity(world, ball, trv_make_vec3(15, 2, 0)), "ball");
}

// The hash of the world at the end, and how often it asked for memory once it had grown.
static uint64_t run(uint32_t workers, meter *memory, uint64_t *late_calls)
{
    trv_threads_def threads_def = trv_default_threads_def();
    trv_threads *threads;
    threads_def.count = workers;
    stop_if(trv_threads_create(&threads_def, &threads), "threads");
    trv_world_def def = trv_default_world_def();
    def.allocator.user = memory;
    def.allocator.reallocate = count_bytes;
    def.workers = trv_threads_workers(threads);
    trv_world *world;
    stop_if(trv_world_create(&def, &world), "world");
    build(world);
    uint64_t before = 0;
    for (int step = 0; step < STEPS; step++) {
        if (step == GROWN)
            before = memory->calls;
        stop_if(trv_world_step(world, 1.0f / 60.0f, 4), "step");
    }
    *late_calls = memory->calls - before;
    printf("%s: %u calls of the memory hook in the last %d steps\n",
           workers > 1 ? "four workers" : "one worker", (unsigned)*late_calls, STEPS - GROWN);
    uint64_t hash = trv_world_hash(world);
    trv_world_destroy(world);
    trv_threads_destroy(threads);
    return hash;
}

int main(void)
{
    meter one = {0, 0, 0}, four = {0, 0, 0};
    uint64_t late_one, late_four;
    uint64_t hash_one = run(1, &one, &late_one), hash_four = run(4, &four, &late_four);
    bool same = hash_one == hash_four;
    bool all_back = one.bytes == 0 && four.bytes == 0;
    printf(same ? "the same state, to the bit\n" : "another state\n");
    printf("%s; at most less than %u MB\n", all_back ? "all memory came back" : "memory is lost",
           (unsigned)(one.most >> 20) + 1);
    return same && all_back && late_one == 0 && late_four == 0 ? 0 : 1;
}
