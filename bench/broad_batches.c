// What Trivet's calls for whole arrays of boxes cost: a tenth of the boxes is taken out in one call and
// put in again in another, with and without the update that follows.
//
// The same tenth each time, or `any`, another one each time, dealt out all over the place. Boxes are
// all awake, or all static, which look for no partners among themselves.
#include "broad_figures.h"

enum { REMOVE, REMOVE_UPDATED, INSERT, INSERT_UPDATED, CALLS };

static const char *const names[2 * CALLS] = {
    "remove array",     "remove array with its update",
    "insert array",     "insert array with its update",
    "remove any array", "remove any array with its update",
    "insert any array", "insert any array with its update"};

typedef struct batches {
    trv_broad *broad;
    trv_proxy_def *defs; // of all boxes, as their ids
    trv_proxy_id *ids;
    uint32_t *order; // of boxes; the first `batch` are taken
    trv_proxy_def *batch_defs;
    trv_proxy_id *batch_ids;
    uint32_t count, batch;
} batches;

static void update(batches *b)
{
    trv_pairs pairs;
    bench_need(trv_broad_update(b->broad, &pairs), "update");
}

static batches create(const broad_scene *s, trv_proxy_set set)
{
    batches b = {.count = s->count, .batch = s->count / 10};
    trv_broad_def def = trv_default_broad_def();
    bench_need(trv_broad_create(&def, &b.broad), "broad");
    b.defs = broad_memory(b.count, sizeof *b.defs);
    b.ids = broad_memory(b.count, sizeof *b.ids);
    b.order = broad_memory(b.count, sizeof *b.order);
    b.batch_defs = broad_memory(b.batch, sizeof *b.batch_defs);
    b.batch_ids = broad_memory(b.batch, sizeof *b.batch_ids);
    for (uint32_t i = 0; i < b.count; i++) {
        b.defs[i] = (trv_proxy_def){s->start[i], set, trv_default_filter(), i};
        b.order[i] = b.count - 1 - i;
    }
    bench_need(trv_broad_add_many(b.broad, b.defs, b.count, b.ids), "add");
    update(&b);
    return b;
}

static void destroy(batches *b)
{
    trv_broad_destroy(b->broad);
    free(b->defs);
    free(b->ids);
    free(b->order);
    free(b->batch_defs);
    free(b->batch_ids);
}

// The batch's boxes, as a caller would have them at hand.
static void gather(batches *b)
{
    for (uint32_t k = 0; k < b->batch; k++) {
        b->batch_defs[k] = b->defs[b->order[k]];
        b->batch_ids[k] = b->ids[b->order[k]];
    }
}

static void play(batches *b, double told[CALLS])
{
    gather(b);
    double start = bench_cpu();
    bench_need(trv_broad_remove_many(b->broad, b->batch_ids, b->batch), "remove");
    told[REMOVE] = (bench_cpu() - start) / b->batch;
    update(b);
    told[REMOVE_UPDATED] = (bench_cpu() - start) / b->batch;
    start = bench_cpu();
    bench_need(trv_broad_add_many(b->broad, b->batch_defs, b->batch, b->batch_ids), "add");
    told[INSERT] = (bench_cpu() - start) / b->batch;
    update(b);
    told[INSERT_UPDATED] = (bench_cpu() - start) / b->batch;
    for (uint32_t k = 0; k < b->batch; k++)
        b->ids[b->order[k]] = b->batch_ids[k];
}

// Pairs of static boxes are none: each is to be found where it is.
static void check(const broad_scene *s, const batches *b, trv_proxy_set set)
{
    bench_sink wanted = {.count = 0}, got = {.count = 0};
    trv_pairs pairs;
    bench_need(trv_broad_update(b->broad, &pairs), "update");
    if (set == TRV_PROXY_AWAKE) {
        broad_scene_pairs(s, s->start, false, &wanted);
        for (uint32_t i = 0; i < pairs.kept_count; i++)
            bench_put_pair(&got, (uint32_t)pairs.kept[i].user_a, (uint32_t)pairs.kept[i].user_b);
    }
    for (uint32_t i = 0; i < b->count; i++) {
        trv_aabb tight, fat;
        bench_need(trv_broad_get(b->broad, b->ids[i], &tight, &fat), "get");
        got.count += memcmp(&tight, &s->start[i], sizeof tight) != 0;
    }
    if (!bench_same(&got, &wanted)) {
        fprintf(stderr, "bench: arrays of boxes are not where they were put\n");
        exit(1);
    }
}

static void bench_set(const broad_scene *s, trv_proxy_set set, const char *contestant, int rounds)
{
    figure figures[2 * CALLS];
    double told[CALLS];
    bench_random random = {10};
    batches b = create(s, set);
    for (int k = 0; k < 2 * CALLS; k++)
        figures[k] =
            (figure){s->name, names[k], contestant, "ns per box", s->count, -1, 0.0, {0.0}, rounds};
    for (int r = -1; r < 2 * rounds; r++) { // the first one warms up
        bool any = r >= rounds;
        if (any)
            broad_deal(b.order, b.count, b.batch, &random);
        play(&b, told);
        for (int k = 0; k < CALLS && r >= 0; k++)
            figures[any ? CALLS + k : k].rounds[r % rounds] = told[k];
    }
    check(s, &b, set);
    destroy(&b);
    for (int k = 0; k < 2 * CALLS; k++)
        bench_print_figure(&figures[k]);
}

void bench_batches_by_array(const broad_scene *s, int rounds)
{
    bench_set(s, TRV_PROXY_AWAKE, "trivet", rounds);
    bench_set(s, TRV_PROXY_STATIC, "trivet-static", rounds);
}
