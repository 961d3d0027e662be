// What the benchmarks share: a clock, random numbers, and figures as JSON lines.
//
// A figure is measured in rounds of equal work; its median and minimum over the rounds are printed.
#ifndef TRV_BENCH_H
#define TRV_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <trivet/types.h>

#define BENCH_ROUNDS 7
#ifndef BENCH_FLAGS
#define BENCH_FLAGS "flags unknown"
#endif

// Nanoseconds of wall time; the minimum over the rounds is what a quiet machine would show.
static inline double bench_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1.0e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

// Nanoseconds of this process's CPU time, to a microsecond: others on the machine disturb it less.
static inline double bench_cpu(void)
{
    return (double)clock() * (1.0e9 / (double)CLOCKS_PER_SEC);
}

typedef struct bench_random {
    uint64_t state;
} bench_random;

// Uniform in [-extent, extent) (splitmix64).
static inline float bench_float(bench_random *random, float extent)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return extent * ((float)(z >> 40) * (2.0f / 16777216.0f) - 1.0f);
}

static inline trv_vec3 bench_vec3(bench_random *random, float extent)
{
    float x = bench_float(random, extent), y = bench_float(random, extent);
    return trv_make_vec3(x, y, bench_float(random, extent));
}

// A point on the unit sphere.
static inline trv_vec3 bench_direction(bench_random *random)
{
    for (;;) {
        trv_vec3 v = bench_vec3(random, 1.0f);
        float square = v.x * v.x + v.y * v.y + v.z * v.z;
        if (square > 0.01f && square <= 1.0f) {
            trv_quat turn = trv_quat_about(v, 3.0f * square);
            return trv_rotate(turn, trv_make_vec3(1, 0, 0));
        }
    }
}

static inline void bench_need(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "bench: %s: %s\n", what, trv_result_text(result));
    exit(1);
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// What was measured where: the first line of a report.
static inline void bench_print_machine(FILE *to)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    const char *model = "unknown processor";
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            colon[strcspn(colon, "\n")] = '\0';
            model = colon + 2;
            break;
        }
    }
    if (file != NULL)
        fclose(file);
    fprintf(to, "# %s; compiled with %s\n", model, BENCH_FLAGS);
}

// One figure: `rounds` holds what each round took.
static inline void bench_print(const char *name, const char *unit, double *rounds, int count)
{
    qsort(rounds, (size_t)count, sizeof *rounds, bench_compare);
    printf("{\"name\": \"%s\", \"unit\": \"%s\", \"median\": %.4g, \"min\": %.4g}\n", name, unit,
           rounds[count / 2], rounds[0]);
    fflush(stdout);
}

#endif
