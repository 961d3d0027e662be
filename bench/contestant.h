// The seam between bench_convex and what it measures.
//
// A library is a module (a shared object) that exports bench_library_get. Each of its contestants
// runs in a process of its own, forked once the scene is there, so that crashes are contained, two
// builds of one library do not meet, and nothing has to be freed.
#ifndef TRV_BENCH_CONTESTANT_H
#define TRV_BENCH_CONTESTANT_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_NAME_SIZE 40
#define BENCH_MARGIN    0.02f // manifolds are asked for within this distance, m: Bullet's default

// What is asked. Those who answer the same question are compared.
typedef enum bench_question {
    BENCH_VERDICT,  // do they overlap?
    BENCH_DEPTH,    // and how deep where they do
    BENCH_DISTANCE, // how far apart, or how deep
    BENCH_MANIFOLD, // contact points, with normal and depth
    BENCH_QUESTIONS
} bench_question;

typedef struct bench_answer {
    bool overlap;
    bool measured;   // `distance` is an answer
    bool remembered; // what was remembered of the frame before was enough
    double distance; // < 0: minus the depth
    uint32_t points;
} bench_answer;

typedef struct bench_contestant {
    char name[BENCH_NAME_SIZE];
    bench_question question;
    bool memory; // keeps something from one frame to the next
    // Not timed: one object for each pair. Puts the frames into the form that the library likes.
    void *(*create)(const bench_pair *pair, uint32_t frames);
    // Timed. `answer` is zeroed.
    void (*query)(void *self, uint32_t frame, bench_answer *answer);
} bench_contestant;

typedef struct bench_library {
    const char *version;
    const bench_contestant *contestants;
    uint32_t count;
} bench_library;

typedef const bench_library *bench_library_fn(void);
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const bench_library *
bench_library_get(void);

#ifdef __cplusplus
}
#endif

#endif
