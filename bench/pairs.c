// What a pair of convex solids costs trv_separate and trv_collide, by kind of pair.
//
//   bench_pairs [TEXT]     only the rows whose name contains TEXT; single thread
//
// Each row is a scene of coherent motion, played forwards and backwards. Warm calls have the cache
// of the frame before, cold ones have none. Of contacts the shares are told that had their feature
// (face, or edges) kept with the proof that it is the one, proven anew, and another than before.
#include <math.h>
#include <string.h>

#include "bench.h"
#include "scene.h"

#define MARGIN     0.02f  // of trv_collide, m
#define BAND       1.0e-4 // a verdict is wrong only farther than this from touching, m
#define ROUND_TIME 4.0e6  // ns of CPU time that a round takes at least
#define TURNS      2

typedef struct row {
    const char *name;
    uint32_t vertices; // 0: boxes
    uint32_t pairs, frames;
    bool resting; // a box on a box, rocking; else all turn freely
    double middle, swing;
    double warm, cold; // targets, ns
    bool separate;     // the targets hold for trv_separate too
} row;

static const row rows[] = {
    {"boxes apart", 0, 8, 500, false, 0.1, 0.0, 30, 200, true},
    {"boxes touching", 0, 8, 500, true, 0.0, 0.0, 200, 500, false},
    {"boxes deep", 0, 8, 500, false, -0.2, 0.0, 300, 600, false},
    {"32 apart", 32, 8, 500, false, 0.1, 0.0, 40, 400, true},
    {"32 touching", 32, 8, 500, false, -0.005, 0.004, 300, 3000, false},
    {"32 deep", 32, 8, 500, false, -0.2, 0.0, 600, 4000, false},
    {"64 touching", 64, 4, 500, false, -0.005, 0.004, 400, 3000, false},
    {"642 apart", 642, 2, 400, false, 0.1, 0.0, 60, 1500, true},
    {"2562 apart", 2562, 1, 400, false, 0.1, 0.0, 60, 1500, true},
    {"10000 apart", 10000, 1, 400, false, 0.1, 0.0, 60, 1500, true},
};

static const double turns[TURNS] = {0.1, 1.0}; // degrees per frame

// What one play of the scene came to.
typedef struct tally {
    uint32_t calls, apart, remembered, wrong, points;
    uint32_t features, kept, proven; // contacts with a feature, and what the cache was good for
} tally;

// One cube on another, 5 mm deep, that turns on it and rocks by .2 degrees: all corners stay near.
static void rest_boxes(bench_scene *scene, double turn)
{
    bench_random random = {5};
    for (uint32_t i = 0; i < scene->count; i++) {
        trv_quat base = trv_quat_about(bench_direction(&random), 2.0f);
        trv_vec3 tilt = trv_make_vec3(1.0f, 0.0f, bench_float(&random, 1.0f));
        for (uint32_t f = 0; f < scene->frames; f++) {
            bench_frame *frame = &scene->pairs[i].frames[f];
            double angle = turn * f * 3.14159265358979 / 180.0;
            trv_quat spin = trv_quat_about(trv_make_vec3(0, 1, 0), (float)angle);
            trv_quat rock = trv_quat_about(tilt, (float)(0.0035 * sin(2.0 * angle)));
            frame->pose[0] = trv_make_pose(trv_make_vec3(0, 0, 0));
            frame->pose[0].rotation = base;
            frame->pose[1].position = trv_rotate(base, trv_make_vec3(0.1f, 0.995f, 0.05f));
            frame->pose[1].rotation = trv_quat_multiply(base, trv_quat_multiply(rock, spin));
            bench_frame_settle(&scene->pairs[i], frame);
        }
    }
}

// What is asked of a pair in a frame: these alone lie in the order in which they are asked, so that a round
// does not wait for them.
typedef struct question {
    trv_pose pose[2];
    bench_truth truth;
} question;

static question *list_questions(const bench_scene *scene)
{
    question *list = bench_allocate((size_t)scene->frames * scene->count, sizeof *list);
    for (uint32_t f = 0; f < scene->frames; f++)
        for (uint32_t i = 0; i < scene->count; i++) {
            const bench_frame *frame = &scene->pairs[i].frames[f];
            list[f * scene->count + i] = (question){{frame->pose[0], frame->pose[1]}, frame->truth};
        }
    return list;
}

static void count_wrong(tally *sum, const bench_truth *truth, bool overlap)
{
    sum->wrong += overlap ? truth->low > BAND : truth->high < -BAND;
}

static void ask_separate(const bench_pair *pair, const question *of, trv_plane_cache *cache,
                         tally *sum)
{
    trv_separation answer;
    bench_need(trv_separate(&pair->solid[0].shape, of->pose[0], &pair->solid[1].shape, of->pose[1],
                            cache, &answer),
               "separate");
    sum->apart += answer.apart;
    sum->remembered += answer.remembered;
    count_wrong(sum, &of->truth, !answer.apart);
}

static void ask_collide(const bench_pair *pair, const question *of, trv_plane_cache *cache,
                        tally *sum)
{
    trv_manifold answer;
    bench_need(trv_collide(&pair->solid[0].shape, of->pose[0], &pair->solid[1].shape, of->pose[1],
                           MARGIN, cache, &answer),
               "collide");
    bool overlap = false;
    for (uint32_t i = 0; i < answer.count; i++)
        overlap = overlap || answer.points[i].separation <= 0.0f;
    sum->points += answer.count;
    count_wrong(sum, &of->truth, overlap);
}

// The same, looking at what becomes of the cache's feature.
static void ask_features(const bench_pair *pair, const question *of, trv_plane_cache *cache,
                         tally *sum)
{
    const trv_plane_cache before = *cache;
    uint32_t points = sum->points;
    ask_collide(pair, of, cache, sum);
    if (sum->points == points || cache->source == TRV_PLANE_NONE)
        return;
    sum->features++;
    if (cache->source != before.source || cache->index_a != before.index_a ||
        cache->index_b != before.index_b)
        return;
    bool same = memcmp(cache->meeting, before.meeting, sizeof before.meeting) == 0 &&
                memcmp(cache->backing, before.backing, sizeof before.backing) == 0;
    sum->kept += same;
    sum->proven += !same;
}

typedef void ask_fn(const bench_pair *pair, const question *of, trv_plane_cache *cache, tally *sum);

// Forwards and backwards once.
static tally play(const bench_scene *scene, const question *questions, ask_fn *ask,
                  trv_plane_cache *caches)
{
    tally sum = {0};
    uint32_t last = scene->frames - 1;
    for (uint32_t step = 0; step < 2 * last; step++) {
        uint32_t frame = step < last ? step : 2 * last - step;
        for (uint32_t i = 0; i < scene->count; i++)
            ask(&scene->pairs[i], &questions[frame * scene->count + i],
                caches != NULL ? &caches[i] : NULL, &sum);
    }
    sum.calls = 2 * last * scene->count;
    return sum;
}

static void measure(const row *at, const bench_scene *scene, double turn, ask_fn *ask, bool warm)
{
    trv_plane_cache *caches = bench_allocate(scene->count, sizeof *caches);
    question *questions = list_questions(scene);
    double rounds[BENCH_ROUNDS];
    tally sum = play(scene, questions, ask, warm ? caches : NULL);
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        double start = bench_cpu(), spent = 0.0;
        uint32_t plays = 0;
        for (; spent < ROUND_TIME; plays++) {
            sum = play(scene, questions, ask, warm ? caches : NULL);
            spent = bench_cpu() - start;
        }
        rounds[r] = spent / plays / sum.calls;
    }
    qsort(rounds, BENCH_ROUNDS, sizeof *rounds, bench_compare);
    char target[16] = "", hits[16] = "", points[16] = "", features[32] = "";
    bool separate = ask == ask_separate;
    if (!separate || at->separate)
        snprintf(target, sizeof target, "%.0f", warm ? at->warm : at->cold);
    if (separate && warm && sum.apart > 0)
        snprintf(hits, sizeof hits, "%.2f", 100.0 * sum.remembered / sum.apart);
    if (!separate)
        snprintf(points, sizeof points, "%.2f", (double)sum.points / sum.calls);
    if (!separate && warm)
        sum = play(scene, questions, ask_features, caches);
    if (sum.features > 0)
        snprintf(features, sizeof features, " %7.2f %7.2f %7.2f", 100.0 * sum.kept / sum.features,
                 100.0 * sum.proven / sum.features,
                 100.0 - 100.0 * (sum.kept + sum.proven) / sum.features);
    printf("%-15s %4.1f  %-8s  %-4s %9.1f %9.1f %7s %7s %7s %6u%s\n", at->name, turn,
           separate ? "separate" : "collide", warm ? "warm" : "cold", rounds[0],
           rounds[BENCH_ROUNDS / 2], target, hits, points, sum.wrong, features);
    fflush(stdout);
    free(questions);
    free(caches);
}

int main(int argc, char **argv)
{
    bench_print_machine(stdout);
    printf("%-15s %4s  %-8s  %-4s %9s %9s %7s %7s %7s %6s %7s %7s %7s\n", "pair", "deg", "call", "",
           "min ns", "median", "target", "hits %", "points", "wrong", "kept %", "proven", "other");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *at = &rows[i];
        if (argc > 1 && strstr(at->name, argv[1]) == NULL)
            continue;
        for (int t = 0; t < TURNS; t++) {
            bench_scene scene =
                bench_scene_create(at->vertices, at->pairs, at->frames, turns[t], turns[t], 7);
            bench_gap gap = {at->name, at->middle, at->swing};
            uint32_t unsure = 0;
            if (at->resting)
                rest_boxes(&scene, turns[t]);
            else
                unsure = bench_scene_place(&scene, gap);
            if (unsure > 0)
                fprintf(stderr, "bench: %u truths of %s are not certain\n", unsure, at->name);
            measure(at, &scene, turns[t], ask_separate, true);
            measure(at, &scene, turns[t], ask_separate, false);
            measure(at, &scene, turns[t], ask_collide, true);
            measure(at, &scene, turns[t], ask_collide, false);
            bench_scene_destroy(&scene);
        }
    }
    return 0;
}
