// What broadphases cost: frames of moving boxes, questions, insertions and removals, and memory.
//
//   bench_broad [--n N] [--scene TEXT] [--moving PERCENT] [--only TEXT] [--quick] [--part TEXT]
//
// One JSON line for each figure. Contestants take turns in each round, all on the same frames. A
// figure is printed only where the answers agree with the grid's here, which brute force is
// compared with first. Parts: frames, questions, batches, memory.
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

// The boxes that move, as a game would have them at hand.
typedef struct movers {
    uint32_t *index;
    uint32_t count;
} movers;

static movers find_movers(const broad_scene *s)
{
    movers m = {broad_memory(s->count, sizeof *m.index), 0};
    for (uint32_t i = 0; i < s->count; i++) {
        m.index[m.count] = i;
        m.count += broad_scene_moves(s, i);
    }
    return m;
}

static double play(const bench_broad *c, void *it, const movers *m, trv_aabb *const *frames,
                   uint32_t count, bench_sink *last)
{
    double start = bench_cpu();
    for (uint32_t f = 0; f < count; f++) {
        for (uint32_t k = 0; k < m->count; k++)
            c->move(it, m->index[k], frames[f][k]);
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

// Who has them all right after these frames has a figure.
static void print_frames(const broad_scene *s, const trv_aabb *boxes, void *const *its,
                         figure *figures)
{
    bench_sink wanted[2] = {{.count = 0}, {.count = 0}};
    broad_scene_pairs(s, boxes, false, &wanted[0]);
    broad_scene_pairs(s, boxes, true, &wanted[1]);
    for (uint32_t c = 0; c < field.count; c++) {
        if (its[c] == NULL)
            continue;
        bench_sink got = {.boxes = boxes};
        field.contestants[c]->pairs(its[c], &got);
        const bench_sink *right = &wanted[field.contestants[c]->movers_only];
        figures[c].per_item = (double)got.count / s->count;
        if (bench_same(&got, right))
            bench_print_figure(&figures[c]);
        else
            bench_print_wrong(s, "pairs", field.contestants[c], &got, right);
    }
}

static void bench_frames(const broad_scene *s, int rounds)
{
    uint32_t per_round = frames_for(s->count, s->moving);
    movers m = find_movers(s);
    trv_aabb *frames[MAX_FRAMES], *all = broad_memory(s->count, sizeof *all);
    for (uint32_t f = 0; f < per_round; f++)
        frames[f] = broad_memory(m.count, sizeof **frames);
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
        for (uint32_t f = 0; f < per_round; f++) {
            broad_scene_at(s, (uint32_t)(r + 1) * per_round + f + 1, all);
            for (uint32_t k = 0; k < m.count; k++)
                frames[f][k] = all[m.index[k]];
        }
        for (uint32_t c = 0; c < field.count; c++) {
            double spent = its[c] != NULL
                               ? play(field.contestants[c], its[c], &m, frames, per_round, &last)
                               : 0.0;
            if (r >= 0)
                figures[c].rounds[r] = spent / s->count;
        }
    }
    print_frames(s, all, its, figures);
    for (uint32_t c = 0; c < field.count; c++)
        if (its[c] != NULL)
            field.contestants[c]->destroy(its[c]);
    for (uint32_t f = 0; f < per_round; f++)
        free(frames[f]);
    free(all);
    free(m.index);
}

// ---- Insertions, removals, memory ----

// What is told of a batch: the calls alone, with the update that follows, and with a visit of every
// pair after that. What a broadphase leaves to later differs: some look for pairs in the call, some
// in the update, some when they are asked for them.
//
// The same tenth each time is what arrays and branch predictors get used to; `any` is another one each
// time, all over the place.
enum { STAGES = 3 }; // call, update, pairs
enum {
    INSERT,
    REMOVE = INSERT + STAGES,
    ANY = REMOVE + STAGES, // the same again
    BATCH_FIGURES = 2 * ANY
};

static const char *const batch_names[BATCH_FIGURES] = {
    "insert",     "insert with its update",     "insert with its pairs",
    "remove",     "remove with its update",     "remove with its pairs",
    "insert any", "insert any with its update", "insert any with its pairs",
    "remove any", "remove any with its update", "remove any with its pairs"};

// Times the update and the visit after calls that began at `start`.
static void end_batch(const bench_broad *by, void *it, double start, uint32_t batch,
                      double told[STAGES])
{
    bench_sink last = {.count = 0};
    told[0] = (bench_cpu() - start) / batch;
    by->update(it);
    told[1] = (bench_cpu() - start) / batch;
    by->pairs(it, &last);
    told[2] = (bench_cpu() - start) / batch;
}

static void play_batch(const bench_broad *by, void *it, const broad_scene *s, const uint32_t *boxes,
                       uint32_t batch, double told[ANY])
{
    double start = bench_cpu();
    for (uint32_t k = batch; k-- > 0;)
        by->remove(it, boxes[k]);
    end_batch(by, it, start, batch, told + REMOVE);
    start = bench_cpu();
    for (uint32_t k = 0; k < batch; k++)
        by->add(it, boxes[k], s->start[boxes[k]], broad_scene_moves(s, boxes[k]));
    end_batch(by, it, start, batch, told + INSERT);
}

// Both kinds of batches, of a tenth of the boxes.
static void play_batches(const bench_broad *by, void *it, const broad_scene *s, int rounds,
                         figure figures[BATCH_FIGURES])
{
    uint32_t batch = s->count / 10, *boxes = broad_memory(s->count, sizeof *boxes);
    double told[ANY];
    bench_random random = {10};
    for (uint32_t i = 0; i < s->count; i++)
        boxes[i] = i;
    for (int r = 0; r < 2 * rounds; r++) { // not in turns: who is dealt out moves on in the arrays
        bool any = r >= rounds;
        if (any)
            broad_deal(boxes, s->count, batch, &random);
        play_batch(by, it, s, any ? boxes : boxes + s->count - batch, batch, told);
        for (int k = 0; k < ANY; k++)
            figures[any ? ANY + k : k].rounds[r % rounds] = told[k];
    }
    free(boxes);
}

// The quickest of the others, and Trivet.
typedef struct batch_race {
    double ours[BATCH_FIGURES], theirs[BATCH_FIGURES];
    const char *best[BATCH_FIGURES];
} batch_race;

static void enter_race(batch_race *race, int k, const figure *f)
{
    if (strcmp(f->contestant, "trivet") == 0) {
        race->ours[k] = f->rounds[0];
    } else if (race->best[k] == NULL || f->rounds[0] < race->theirs[k]) {
        race->theirs[k] = f->rounds[0];
        race->best[k] = f->contestant;
    }
}

static void print_race(const broad_scene *s, const batch_race *race)
{
    for (int k = 0; k < BATCH_FIGURES; k++) {
        if (race->best[k] != NULL && race->ours[k] > 0.0)
            printf("{\"bench\": \"broad\", \"name\": \"%s\", \"scene\": \"%s\", \"n\": %u, "
                   "\"ratio\": \"%s / trivet\", \"of_mins\": %.3g}\n",
                   batch_names[k], s->name, s->count, race->best[k],
                   race->theirs[k] / race->ours[k]);
    }
}

// A tenth of the boxes is removed, and added again.
static void bench_batches_of(const bench_broad *by, const broad_scene *s, int rounds,
                             batch_race *race)
{
    double before = heap_bytes();
    void *it = bench_create_with(by, s);
    double memory = (heap_bytes() - before) / s->count;
    figure figures[BATCH_FIGURES];
    for (int k = 0; k < BATCH_FIGURES; k++)
        figures[k] = (figure){s->name, batch_names[k], by->name, "ns per box", s->count, -1,
                              0.0,     {0.0},          rounds};
    play_batches(by, it, s, rounds, figures);
    bench_sink wanted = {.count = 0}, got = {.boxes = s->start};
    broad_scene_pairs(s, s->start, false, &wanted);
    by->pairs(it, &got);
    by->destroy(it);
    if (!bench_same(&got, &wanted)) {
        bench_print_wrong(s, "pairs after insertions", by, &got, &wanted);
        return;
    }
    for (int k = 0; k < BATCH_FIGURES; k++) {
        figures[k].per_item = (double)got.count / s->count;
        bench_print_figure(&figures[k]);
        enter_race(race, k, &figures[k]);
    }
    figure f = {s->name, "memory", by->name, "bytes per box", s->count, -1, 0.0, {memory}, 1};
    f.per_item = (double)got.count / s->count;
    if (before > 0.0)
        bench_print_figure(&f);
}

static void bench_batches(const broad_scene *s, int rounds)
{
    batch_race race = {.ours = {0.0}};
    for (uint32_t c = 0; c < field.count; c++) {
        if (takes_part(field.contestants[c], s->count) && field.contestants[c]->remove != NULL)
            bench_batches_of(field.contestants[c], s, rounds, &race);
    }
    print_race(s, &race);
}

// ---- Memory of Trivet's, by what it is for ----

static void *age_at_rest(const bench_broad *by, const broad_scene *s, uint32_t updates)
{
    void *it = bench_create_with(by, s);
    for (uint32_t i = 0; i < updates; i++)
        by->update(it);
    return it;
}

static void *age_moving(const bench_broad *by, const broad_scene *s, uint32_t updates)
{
    void *it = bench_create_with(by, s);
    trv_aabb *boxes = broad_memory(s->count, sizeof *boxes);
    for (uint32_t f = 1; f <= updates; f++) {
        broad_scene_at(s, f, boxes);
        for (uint32_t i = 0; i < s->count; i++)
            by->move(it, i, boxes[i]);
        by->update(it);
    }
    free(boxes);
    return it;
}

static void print_bytes(const broad_scene *s, const char *name, const bench_broad *by, void *it)
{
    trv_broad_bytes bytes;
    bench_need(trv_broad_bytes_get(bench_broad_of(it), &bytes), "bytes");
    double n = (double)s->count, own = (double)(bytes.proxies + bytes.columns + bytes.work) / n;
    printf("{\"bench\": \"broad\", \"name\": \"%s\", \"scene\": \"%s\", \"n\": %u, "
           "\"contestant\": \"%s\", \"unit\": \"bytes per box\", \"proxies\": %.1f, "
           "\"columns\": %.1f, \"work\": %.1f, \"these\": %.1f, \"pairs\": %.1f}\n",
           name, s->name, s->count, by->name, (double)bytes.proxies / n, (double)bytes.columns / n,
           (double)bytes.work / n, own, (double)bytes.pairs / n);
    by->destroy(it);
}

// As it is in the long run.
static void bench_memory(int kind, uint32_t n)
{
    enum { UPDATES = 150 };
    const bench_broad *trivet = &bench_broad_trivet[0];
    broad_scene s = broad_scene_make(kind, n, 100);
    print_bytes(&s, "memory at rest", trivet, age_at_rest(trivet, &s, UPDATES));
    print_bytes(&s, "memory, all moving", trivet, age_moving(trivet, &s, UPDATES));
    broad_scene_free(&s);
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
            if (is_wanted(o.part, "batches")) {
                bench_batches(&still, rounds);
                if (is_wanted(o.only, "trivet"))
                    bench_batches_by_array(&still, rounds);
            }
            if (is_wanted(o.part, "memory") && is_wanted(o.only, "trivet"))
                bench_memory(kind, n);
            broad_scene_free(&still);
        }
    }
    return 0;
}
