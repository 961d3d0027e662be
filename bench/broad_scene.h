// Scenes of moving boxes, and which pairs of them are right.
#ifndef TRV_BENCH_BROAD_SCENE_H
#define TRV_BENCH_BROAD_SCENE_H

#include "broad_peers.h"

// clustered: clouds of 250. flat: on a level. uneven: each tenth box is 4 to 8 times as large.
enum { UNIFORM, CLUSTERED, FLAT, UNEVEN, BROAD_SCENES };
extern const char *const broad_scene_names[];

typedef struct broad_scene {
    const char *name;
    uint32_t count;
    int moving; // percent
    trv_aabb *start;
    trv_vec3 *velocity; // per frame; 0 of those that do not move
    bench_room room;
} broad_scene;

// Zeroed memory, or the end of the program.
void *broad_memory(size_t count, size_t size);

broad_scene broad_scene_make(int kind, uint32_t count, int moving);
void broad_scene_free(broad_scene *s);
bool broad_scene_moves(const broad_scene *s, uint32_t i);
void broad_scene_at(const broad_scene *s, uint32_t frame, trv_aabb *boxes);

// All overlapping pairs, or those of which one moves.
void broad_scene_pairs(const broad_scene *s, const trv_aabb *boxes, bool movers_only,
                       bench_sink *sink);

// Ends the program where these pairs are not those of brute force on small scenes.
void broad_scene_check(void);

static inline bool bench_same(const bench_sink *a, const bench_sink *b)
{
    return a->count == b->count && a->sum == b->sum;
}

#endif
