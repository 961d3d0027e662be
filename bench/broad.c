// What broadphases cost: frames of moving boxes, questions, insertions and removals, and memory.
//
//   bench_broad [--n N] [--scene TEXT] [--moving PERCENT] [--only TEXT] [--quick] [--part TEXT]
//
// One JSON line for each figure. Contestants take turns in each round, all on the same frames. A
// figure is printed only where the answers agree with the grid's here, which brute force is
// compared with first. Parts: frames, questions, batches.
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "broad_figures.h"

enum { MAX_FRAMES = 200 };

typedef struct options {
    uint32_t n;
    int moving;
    const char *scene, *only, *part;
    bool quick;
} options;

// Bytes of the heap in use; 0 where nobody tells.
static double heap_bytes(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
#else
    return 0.0;
#endif
}

static bench_field field;

static void enter_all(const bench_broad *list, const char *only)
{
    for (; list->name != NULL && field.count < MAX_CONTESTANTS; list++) {
        if (only == NULL || strstr(list->name, only) != NULL)
            field.contestants[field.count++] = list;
    }
}

// ---- Frames ----

static double play(const bench_broad *c, void *it, const broad_scene *s, trv_aabb *const *frames,
                   uint32_t count, bench_sink *last)
{
    double start = bench_cpu();
    for (uint32_t f = 0; f < count; f++) {
        for (uint32_t i = 0; i < s->count; i++) {
            if (s->velocity[i].x != 0.0f)
                c->move(it, i, frames[f][i]);
        }
        c->update(it);
        *last = (bench_sink){.count = 0};
        c->pairs(it, last);
    }
    return (bench_cpu() - start) / count;
}

static uint32_t frames_for(uint32_t count, int moving)
{
    uint32_t frames = count <= 1000 ? 60 : count <= 10000 ? 10 : count <= 100000 ? 3 : 1;
    return moving == 0 ? frames * 3 : frames;
}

static void bench_frames(const broad_scene *s, int rounds)
{
    uint32_t per_round = frames_for(s->count, s->moving);
    trv_aabb *frames[MAX_FRAMES];
    for (uint32_t f = 0; f < per_round; f++)
        frames[f] = broad_memory(s->count, sizeof **frames);
    void *its[MAX_CONTESTANTS] = {NULL};
    figure figures[MAX_CONTESTANTS];
    bench_sink last = {.count = 0};
    for (uint32_t c = 0; c < field.count; c++) {
        figures[c] = (figure){s->name,      "frame",  field.contestants[c]->name,
                              "ns per box", s->count, s->moving,
                              0.0,          {0.0},    rounds};
        if (takes_part(field.contestants[c], s->count))
            its[c] = bench_create_with(field.contestants[c], s);
    }
    for (int r = -1; r < rounds; r++) { // the first one warms up
        for (uint32_t f = 0; f < per_round; f++)
            broad_scene_at(s, (uint32_t)(r + 1) * per_round + f + 1, frames[f]);
        for (uint32_t c = 0; c < field.count; c++) {
            double spent = its[c] != NULL
                               ? play(field.contestants[c], its[c], s, frames, per_round, &last)
                               : 0.0;
            if (r >= 0)
                figures[c].rounds[r] = spent / s->count;
        }
    }
    bench_sink wanted[2] = {{.count = 0}, {.count = 0}};
    broad_scene_pairs(s, frames[per_round - 1], false, &wanted[0]);
    broad_scene_pairs(s, frames[per_round - 1], true, &wanted[1]);
    for (uint32_t c = 0; c < field.count; c++) {
        if (its[c] == NULL)
            continue;
        bench_sink got = {.boxes = frames[per_round - 1]};
        field.contestants[c]->pairs(its[c], &got);
        const bench_sink *right = &wanted[field.contestants[c]->movers_only];
        figures[c].per_item = (double)got.count / s->count;
        if (bench_same(&got, right))
            bench_print_figure(&figures[c]);
        else
            bench_print_wrong(s, "pairs", field.contestants[c], &got, right);
        field.contestants[c]->destroy(its[c]);
    }
    for (uint32_t f = 0; f < per_round; f++)
        free(frames[f]);
}

// ---- Insertions, removals, memory ----

// A tenth of the boxes is removed, and added again; each with the update.
static void bench_batches(const broad_scene *s, int rounds)
{
    uint32_t batch = s->count / 10;
    for (uint32_t c = 0; c < field.count; c++) {
        const bench_broad *by = field.contestants[c];
        if (!takes_part(by, s->count) || by->remove == NULL)
            continue;
        figure in = {s->name, "insert", by->name, "ns per box", s->count, -1, 0, {0.0}, rounds};
        figure out = in, whole = in, memory = in;
        out.name = "remove";
        whole.name = "insert with its update";
        memory.name = "memory";
        memory.unit = "bytes per box";
        memory.round_count = 1;
        double before = heap_bytes();
        void *it = bench_create_with(by, s);
        memory.rounds[0] = (heap_bytes() - before) / s->count;
        for (int r = 0; r < rounds; r++) {
            double start = bench_cpu();
            for (uint32_t i = s->count; i > s->count - batch; i--)
                by->remove(it, i - 1);
            out.rounds[r] = (bench_cpu() - start) / batch;
            by->update(it);
            start = bench_cpu();
            for (uint32_t i = s->count - batch; i < s->count; i++)
                by->add(it, i, s->start[i], broad_scene_moves(s, i));
            in.rounds[r] = (bench_cpu() - start) / batch;
            by->update(it);
            whole.rounds[r] = (bench_cpu() - start) / batch;
        }
        bench_sink wanted = {.count = 0}, got = {.boxes = s->start};
        broad_scene_pairs(s, s->start, false, &wanted);
        by->pairs(it, &got);
        if (bench_same(&got, &wanted)) {
            in.per_item = out.per_item = whole.per_item = memory.per_item =
                (double)got.count / s->count;
            bench_print_figure(&in);
            bench_print_figure(&whole);
            bench_print_figure(&out);
            if (before > 0.0)
                bench_print_figure(&memory);
        } else {
            bench_print_wrong(s, "pairs after insertions", by, &got, &wanted);
        }
        by->destroy(it);
    }
}

static options read_options(int argc, char **argv)
{
    options o = {.moving = -1};
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--quick") == 0)
            o.quick = true;
        else if (strcmp(argv[i], "--n") == 0)
            o.n = (uint32_t)strtoul(next, NULL, 10), i++;
        else if (strcmp(argv[i], "--moving") == 0)
            o.moving = (int)strtol(next, NULL, 10), i++;
        else if (strcmp(argv[i], "--scene") == 0)
            o.scene = next, i++;
        else if (strcmp(argv[i], "--only") == 0)
            o.only = next, i++;
        else if (strcmp(argv[i], "--part") == 0)
            o.part = next, i++;
        else {
            fprintf(stderr, "bench: what is %s?\n", argv[i]);
            exit(2);
        }
    }
    return o;
}

static bool is_wanted(const char *text, const char *name)
{
    return text == NULL || strstr(name, text) != NULL;
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {1000, 10000, 100000, 1000000};
    static const int movings[] = {0, 1, 5, 20, 100};
    options o = read_options(argc, argv);
    enter_all(bench_broad_trivet, o.only);
#if defined(BENCH_BROAD_BULLET)
    enter_all(bench_broad_bullet, o.only);
#endif
#if defined(BENCH_BROAD_ODE)
    enter_all(bench_broad_ode, o.only);
#endif
#if defined(BENCH_BROAD_FCL)
    enter_all(bench_broad_fcl, o.only);
#endif
    bench_print_machine(stdout);
    broad_scene_check();
    for (int k = 0; k < 4; k++) {
        uint32_t n = sizes[k];
        if ((o.n != 0 && n != o.n) || (o.quick && n > 1000))
            continue;
        int rounds = o.quick || n > 100000 ? 3 : BENCH_ROUNDS;
        for (int kind = 0; kind < BROAD_SCENES; kind++) {
            if (!is_wanted(o.scene, broad_scene_names[kind]))
                continue;
            for (int m = 0; m < 5; m++) {
                if (o.moving >= 0 && o.moving != movings[m])
                    continue;
                broad_scene s = broad_scene_make(kind, n, movings[m]);
                if (is_wanted(o.part, "frames"))
                    bench_frames(&s, rounds);
                broad_scene_free(&s);
            }
            broad_scene still = broad_scene_make(kind, n, 0);
            if (is_wanted(o.part, "questions")) {
                bench_questions(&field, &still, rounds);
                if (is_wanted(o.only, "trivet"))
                    bench_arrays(&still, rounds);
            }
            if (is_wanted(o.part, "batches"))
                bench_batches(&still, rounds);
            broad_scene_free(&still);
        }
    }
    return 0;
}
