// bench_world [--scene TEXT] [--only ENGINE] [--steps N] [--quick] [--list]
//
// Steps the scenes with each engine that there is, each in a process of its own, and prints a line for
// each: ms per step (process time; for several workers wall time), where it went, memory, and how well
// the scene stands at the end. Then, per scene, the ratio of each engine's time to Trivet's.
#define _DEFAULT_SOURCE // fork, rusage
#include "scene.h"

#include "../bench.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct options {
    const char *scene, *only;
    uint32_t steps; // 0: the scene's own
    bool list;
} options;

// What a run tells.
typedef struct figures {
    double mean, median, least, worst; // ms per step
    double phases[TRV_PHASE_COUNT];    // ms per step, mean
    double created;                    // ms
    double megabytes;                  // of the whole process, at most
    uint64_t bytes;                    // that the engine holds, where it tells
    world_quality quality;
    bool told;
} figures;

static const world_engine *const engines[] = {
    &world_trivet,
    &world_trivet_two,
#ifdef BENCH_WORLD_BULLET
    &world_bullet,
#endif
#ifdef BENCH_WORLD_ODE
    &world_ode,
#endif
};

enum { ENGINES = sizeof engines / sizeof *engines };

static bool in_wall_time(const world_engine *engine)
{
    return engine == &world_trivet_two;
}

static double now(const world_engine *engine)
{
    return 1e-6 * (in_wall_time(engine) ? bench_now() : bench_cpu());
}

static void sum_up(double *times, uint32_t steps, figures *out)
{
    for (uint32_t i = 0; i < steps; i++)
        out->mean += times[i] / steps;
    for (int i = 0; i < TRV_PHASE_COUNT; i++)
        out->phases[i] *= 1e3 / steps;
    qsort(times, steps, sizeof *times, bench_compare);
    out->median = times[steps / 2];
    out->least = times[0];
    out->worst = times[steps - 1];
}

static void run(const world_engine *engine, uint32_t index, uint32_t steps, figures *out)
{
    world_scene scene;
    struct rusage usage;
    world_scene_make(index, &scene);
    if (steps == 0 || steps > scene.steps)
        steps = scene.steps;
    double *times = malloc(steps * sizeof *times);
    world_state *states = calloc(scene.body_count, sizeof *states);
    for (uint32_t i = 0; i < scene.body_count; i++)
        states[i].pose = (trv_pose){scene.bodies[i].position, scene.bodies[i].rotation};
    double start = now(engine);
    void *self = engine->create(&scene);
    out->created = now(engine) - start;
    for (uint32_t i = 0; i < steps; i++) {
        double phases[TRV_PHASE_COUNT];
        start = now(engine);
        engine->step(self, i);
        times[i] = now(engine) - start;
        if (engine->tell == NULL)
            continue;
        out->told = true;
        engine->tell(self, phases, &out->bytes);
        for (int p = 0; p < TRV_PHASE_COUNT; p++)
            out->phases[p] += phases[p];
    }
    getrusage(RUSAGE_SELF, &usage);
    out->megabytes = (double)usage.ru_maxrss / 1024;
    sum_up(times, steps, out);
    engine->get(self, states);
    world_judge(&scene, states, &out->quality);
    engine->destroy(self);
    world_scene_free(&scene);
    free(states);
    free(times);
}

// In a process of its own: what breaks there breaks nothing here. False where nothing was told.
static bool run_apart(const world_engine *engine, uint32_t index, uint32_t steps, figures *out)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        return false;
    if (child == 0) {
        figures mine = {0};
        close(ends[0]);
        run(engine, index, steps, &mine);
        bool whole = write(ends[1], &mine, sizeof mine) == (ssize_t)sizeof mine;
        _exit(whole ? 0 : 1);
    }
    close(ends[1]);
    bool whole = read(ends[0], out, sizeof *out) == (ssize_t)sizeof *out;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return whole;
}

static void print_figures(const world_engine *engine, const char *scene, const figures *f)
{
    const world_quality *q = &f->quality;
    printf("{\"scene\": \"%s\", \"engine\": \"%s\", \"ms\": %.4g, \"median\": %.4g, \"min\": %.4g, "
           "\"worst\": %.4g, \"create_ms\": %.4g, \"process_mb\": %.4g, ",
           scene, engine->name, f->mean, f->median, f->least, f->worst, f->created, f->megabytes);
    if (f->told) {
        printf("\"world_mb\": %.4g, \"phases\": {", (double)f->bytes / (1024.0 * 1024.0));
        for (int i = 0; i < TRV_PHASE_COUNT; i++)
            printf("%s\"%s\": %.4g", i > 0 ? ", " : "", trv_phase_text((trv_phase)i), f->phases[i]);
        printf("}, ");
    }
    printf(
        "\"energy\": %.5g, \"fastest\": %.3g, \"deepest\": %.3g, \"aside\": %.3g, \"sunk\": %.3g, "
        "\"lost\": %u}\n",
        q->energy, q->fastest, q->deepest, q->aside, q->sunk, q->lost);
    fflush(stdout);
}

static void run_scene(const options *asked, uint32_t index)
{
    figures of[ENGINES];
    bool told[ENGINES] = {false};
    const char *name = world_scene_name(index);
    for (int e = 0; e < (int)ENGINES; e++) {
        bool ours = engines[e]->tell != NULL;
        if ((asked->only != NULL && strcmp(asked->only, engines[e]->name) != 0) ||
            (!ours && !world_scene_has_peers(index)))
            continue;
        told[e] = run_apart(engines[e], index, asked->steps, &of[e]);
        if (told[e])
            print_figures(engines[e], name, &of[e]);
        else
            fprintf(stderr, "bench: %s broke off in %s\n", engines[e]->name, name);
    }
    for (int e = 1; e < (int)ENGINES; e++)
        if (told[0] && told[e])
            printf("{\"scene\": \"%s\", \"ratio\": \"%s / trivet\", \"of_means\": %.3g}\n", name,
                   engines[e]->name, of[e].mean / of[0].mean);
    fflush(stdout);
}

static bool read_options(int count, char **words, options *asked)
{
    for (int i = 1; i < count; i++) {
        bool more = i + 1 < count;
        if (strcmp(words[i], "--quick") == 0)
            asked->steps = 10;
        else if (strcmp(words[i], "--list") == 0)
            asked->list = true;
        else if (strcmp(words[i], "--scene") == 0 && more)
            asked->scene = words[++i];
        else if (strcmp(words[i], "--only") == 0 && more)
            asked->only = words[++i];
        else if (strcmp(words[i], "--steps") == 0 && more)
            asked->steps = (uint32_t)strtoul(words[++i], NULL, 10);
        else
            return false;
    }
    return true;
}

int main(int count, char **words)
{
    options asked = {0};
    if (!read_options(count, words, &asked)) {
        fprintf(stderr, "usage: bench_world [--scene TEXT] [--only ENGINE] [--steps N] [--quick] "
                        "[--list]\n");
        return 2;
    }
    if (!asked.list)
        bench_print_machine(stdout);
    for (uint32_t i = 0; i < WORLD_SCENES; i++) {
        if (asked.scene != NULL && strstr(world_scene_name(i), asked.scene) == NULL)
            continue;
        if (asked.list)
            puts(world_scene_name(i));
        else
            run_scene(&asked, i);
    }
    return 0;
}
