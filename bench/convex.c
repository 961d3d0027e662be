// Pairs of convex hulls in coherent motion, Trivet beside its peers; README.md tells how to read
// it.
//
//   bench_convex [--n N] [--scene NAME] [--only NAME] [--rounds R] [--budget S] [--quick] [--table]
//
// Prints a JSON line for each size, scene and contestant, then a table; --table prints that alone.
#include <math.h>
#include <string.h>

#include "bench.h"
#include "runner.h"

#define SIZE 2.0 // of the solids, m: errors and the band are relative to it

typedef struct options {
    uint32_t n, rounds;
    const char *scene, *only;
    double budget;
    bool quick, table;
} options;

typedef struct line {
    uint32_t n;
    const char *scene;
    bench_entry entry;
    bench_result result;
    double ratio; // its min over that of the fastest of Trivet's that answer the question; or NaN
} line;

typedef struct report {
    line *lines;
    uint32_t count;
} report;

static const char *const modules[] = {BENCH_MODULES};
static const char *const question_names[BENCH_QUESTIONS] = {"verdict", "depth", "distance",
                                                            "manifold"};

static const bench_gap gaps[] = {
    {"near-miss", 0.055, 0.045}, // a gap of .5 to 5 % of the size
    {"touching", -0.12, 0.12},   // an overlap of 0 to 12 %
    {"mixed", 0.0, 0.12},
};

static const uint32_t sizes[] = {8, 32, 128, 512, 2048, 10000};

static void usage(void)
{
    fprintf(stderr, "usage: bench_convex [--n N] [--scene NAME] [--only NAME] [--rounds R]\n"
                    "                    [--budget SECONDS] [--quick] [--table]\n");
    exit(2);
}

static options parse(int argc, char **argv)
{
    options o = {0, 5, "", "", 20.0, false, false};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--quick") == 0)
            o.quick = true;
        else if (strcmp(argv[i], "--table") == 0)
            o.table = true;
        else if (value == NULL)
            usage();
        else if (strcmp(argv[i], "--n") == 0)
            o.n = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--rounds") == 0)
            o.rounds = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--budget") == 0)
            o.budget = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--scene") == 0)
            o.scene = argv[++i];
        else if (strcmp(argv[i], "--only") == 0)
            o.only = argv[++i];
        else
            usage();
    }
    if (o.rounds < 1 || o.rounds > BENCH_MOST_ROUNDS || !(o.budget > 0.0))
        usage();
    return o;
}

// A number, or null where there is none.
static void print_field(const char *name, double value, bool given)
{
    if (given)
        printf(", \"%s\": %.4g", name, value);
    else
        printf(", \"%s\": null", name);
}

static void print_json(const line *l)
{
    const bench_marks *m = &l->result.marks;
    bool ran = l->result.rounds > 0;
    printf("{\"bench\": \"convex\", \"scene\": \"%s\", \"n\": %u, \"contestant\": \"%s\", "
           "\"version\": \"%s\", \"question\": \"%s\", \"unit\": \"ns/query\"",
           l->scene, l->n, l->entry.name, l->entry.version, question_names[l->entry.question]);
    print_field("median", l->result.median, ran);
    print_field("min", l->result.min, ran);
    print_field("ratio", l->ratio, ran && !isnan(l->ratio));
    print_field("queries", m->queries, ran);
    print_field("overlaps", m->overlaps, ran);
    print_field("false_apart", m->false_apart, ran);
    print_field("false_overlap", m->false_overlap, ran);
    print_field("dist_err", m->distance_error, m->distances > 0);
    print_field("depth_err", m->depth_error, m->depths > 0);
    print_field("hit_rate", (double)m->remembered / m->apart, l->entry.memory && m->remembered > 0);
    print_field("points", m->points, l->entry.question == BENCH_MANIFOLD && ran);
    if (l->result.note[0] != '\0')
        printf(", \"note\": \"%s\"", l->result.note);
    printf("}\n");
    fflush(stdout);
}

static void cell(double value, bool given, int width, const char *format)
{
    char text[32] = "-";
    if (given)
        snprintf(text, sizeof text, format, value);
    printf(" %*s", width, text);
}

static void print_table(const report *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        const line *l = &all->lines[i];
        const bench_marks *m = &l->result.marks;
        bool ran = l->result.rounds > 0;
        if (i == 0 || l->n != l[-1].n || strcmp(l->scene, l[-1].scene) != 0)
            printf("\n%s, %u vertices\n%-24s %-8s %9s %9s %7s %7s %7s %8s %8s %6s %6s\n", l->scene,
                   l->n, "", "answers", "min ns", "median", "ratio", "f.apart", "f.over",
                   "dist err", "depth er", "hits %", "points");
        printf("%-24s %-8s", l->entry.name, question_names[l->entry.question]);
        cell(l->result.min, ran, 9, "%.1f");
        cell(l->result.median, ran, 9, "%.1f");
        cell(l->ratio, ran && !isnan(l->ratio), 7, "%.2f");
        cell(m->false_apart, ran, 7, "%.0f");
        cell(m->false_overlap, ran, 7, "%.0f");
        cell(m->distance_error, m->distances > 0, 8, "%.1e");
        cell(m->depth_error, m->depths > 0, 8, "%.1e");
        cell(100.0 * m->remembered / m->apart, l->entry.memory && m->remembered > 0, 6, "%.2f");
        cell(m->points, ran && l->entry.question == BENCH_MANIFOLD, 6, "%.2f");
        printf("%s%s\n", l->result.note[0] != '\0' ? "  " : "", l->result.note);
    }
}

static bool is_ours(const line *l)
{
    return strncmp(l->entry.name, "trivet-", 7) == 0;
}

static void compare(line *lines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double ours = NAN;
        for (uint32_t k = 0; k < count; k++)
            if (is_ours(&lines[k]) && lines[k].entry.question == lines[i].entry.question &&
                lines[k].result.rounds > 0)
                ours = fmin(ours, lines[k].result.min); // fmin passes NaN over
        lines[i].ratio = lines[i].result.min / ours;
    }
}

static void run_scene(const options *o, bench_scene *scene, uint32_t n, bench_gap gap,
                      const bench_entry *entries, uint32_t count, report *all)
{
    bench_result *results = bench_allocate(count, sizeof *results);
    uint32_t unsure = bench_scene_place(scene, gap);
    if (unsure > 0)
        fprintf(stderr, "bench: %u truths of %s, %u vertices, are not certain\n", unsure, gap.name,
                n);
    if (o->table)
        fprintf(stderr, "bench: %s, %u vertices\n", gap.name, n);
    bench_run(scene, SIZE, entries, count, o->rounds, o->budget, results);
    all->lines = realloc(all->lines, (all->count + count) * sizeof *all->lines);
    if (all->lines == NULL)
        exit(1);
    line *lines = all->lines + all->count;
    for (uint32_t i = 0; i < count; i++) {
        line l = {n, gap.name, entries[i], results[i], NAN};
        lines[i] = l;
    }
    compare(lines, count);
    for (uint32_t i = 0; i < count && !o->table; i++)
        print_json(&lines[i]);
    all->count += count;
    free(results);
}

int main(int argc, char **argv)
{
    options o = parse(argc, argv);
    report all = {NULL, 0};
    uint32_t found, count = 0;
    bench_entry *entries = bench_list(modules, sizeof modules / sizeof *modules, &found);
    for (uint32_t i = 0; i < found; i++)
        if (strstr(entries[i].name, o.only) != NULL)
            entries[count++] = entries[i];
    bench_print_machine(stdout);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint32_t n = sizes[s], pairs = n <= 128 ? 4 : n <= 512 ? 2 : 1;
        if ((o.n != 0 && o.n != n) || (o.quick && o.n == 0 && n > 128) || count == 0)
            continue;
        bench_scene scene = bench_scene_create(n, pairs, o.quick ? 200 : 1000, 0.2, 1.0, 42);
        for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
            if (strstr(gaps[g].name, o.scene) != NULL)
                run_scene(&o, &scene, n, gaps[g], entries, count, &all);
        bench_scene_destroy(&scene);
    }
    print_table(&all);
    free(all.lines);
    free(entries);
    return 0;
}
