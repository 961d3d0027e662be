// Runs contestants on a scene, each in a process of its own, and judges their answers.
#ifndef TRV_BENCH_RUNNER_H
#define TRV_BENCH_RUNNER_H

#include "contestant.h"

#define BENCH_MOST_ROUNDS 50

// Of one contestant: what the modules say of it.
typedef struct bench_entry {
    char module[512];
    char name[BENCH_NAME_SIZE];
    char version[16];
    uint32_t index; // in its module
    bench_question question;
    bool memory;
} bench_entry;

// Right and wrong over one play of the scene; lengths relative to the size of the solids.
typedef struct bench_marks {
    uint32_t queries, overlaps;
    uint32_t false_apart, false_overlap; // wrong by more than 1e-4 of the size
    uint32_t apart, remembered;          // of its own verdicts
    uint32_t distances, depths;          // how many were given and compared
    double distance_error, depth_error;  // the worst
    double points;                       // per query
} bench_marks;

typedef struct bench_result {
    uint32_t rounds; // 0: none; `note` says why
    double min, median;
    bench_marks marks;
    char note[96];
} bench_result;

// The contestants of all modules, in order; the caller frees.
bench_entry *bench_list(const char *const *modules, uint32_t count, uint32_t *entries);

// One result for each entry. Asks the contestants in turn for one round each, so that only one works
// at any time and what disturbs the machine disturbs all alike. `size`: of the solids, m.
// A contestant that needs more than `budget` seconds for a round is given up.
void bench_run(const bench_scene *scene, double size, const bench_entry *entries, uint32_t count,
               uint32_t rounds, double budget, bench_result *results);

#endif
