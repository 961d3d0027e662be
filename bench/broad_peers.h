// The seam between bench_broad and the broadphases that it measures.
#ifndef TRV_BENCH_BROAD_PEERS_H
#define TRV_BENCH_BROAD_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trivet/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Where answers go: how many there are, a sum that tells which, and, while they are checked, boxes.
typedef struct bench_sink {
    uint64_t count, sum;
    const trv_aabb *boxes; // NULL while the clock runs; else pairs that do not overlap are left out
} bench_sink;

static inline bool bench_overlap(trv_aabb a, trv_aabb b)
{
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

static inline void bench_put(bench_sink *sink, uint64_t key)
{
    uint64_t x = key * UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 29;
    sink->sum += x * UINT64_C(0xBF58476D1CE4E5B9);
    sink->count++;
}

static inline void bench_put_pair(bench_sink *sink, uint32_t a, uint32_t b)
{
    if (sink->boxes != NULL && !bench_overlap(sink->boxes[a], sink->boxes[b]))
        return;
    bench_put(sink, a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);
}

// What is known of a scene beforehand, for those that want to know.
typedef struct bench_room {
    trv_aabb bounds;    // no box ever leaves them
    float small, large; // edges
    uint32_t most;      // boxes, with those that are added later
} bench_room;

typedef struct bench_broad {
    const char *name;
    uint32_t most;    // larger scenes take it minutes; 0: none does
    bool movers_only; // tells pairs of which at least one box moves
    void *(*create)(const bench_room *room);
    // `moves`: whether it is one of those that move.
    void (*add)(void *self, uint32_t index, trv_aabb box, bool moves);
    void (*move)(void *self, uint32_t index, trv_aabb box);
    void (*remove)(void *self, uint32_t index); // in descending order of index; NULL: cannot
    void (*update)(void *self);
    void (*pairs)(void *self, bench_sink *sink);               // every overlapping pair once
    void (*query)(void *self, trv_aabb box, bench_sink *sink); // NULL: cannot
    void (*cast)(void *self, trv_ray ray, bench_sink *sink);   // all hits; NULL: cannot
    void (*destroy)(void *self);
} bench_broad;

// Each ends with an entry without a name.
extern const bench_broad bench_broad_bullet[];
extern const bench_broad bench_broad_ode[];
extern const bench_broad bench_broad_fcl[];

#ifdef __cplusplus
}
#endif

#endif
