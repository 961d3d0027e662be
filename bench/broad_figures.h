// What the parts of bench_broad share: who takes part, and figures as JSON lines.
#ifndef TRV_BENCH_BROAD_FIGURES_H
#define TRV_BENCH_BROAD_FIGURES_H

#include <trivet/broad.h>

#include "bench.h"
#include "broad_scene.h"

enum { MAX_CONTESTANTS = 16 };

typedef struct bench_field {
    const bench_broad *contestants[MAX_CONTESTANTS];
    uint32_t count;
} bench_field;

typedef struct figure {
    const char *scene, *name, *contestant, *unit;
    uint32_t count;
    int moving;      // percent; < 0: none to tell
    double per_item; // answers
    double rounds[BENCH_ROUNDS];
    int round_count;
} figure;

void bench_print_figure(figure *f);
void bench_print_wrong(const broad_scene *s, const char *what, const bench_broad *by,
                       const bench_sink *got, const bench_sink *wanted);

static inline bool takes_part(const bench_broad *c, uint32_t count)
{
    return c->most == 0 || count <= c->most;
}

// A contestant with the boxes of a scene, updated.
void *bench_create_with(const bench_broad *c, const broad_scene *s);

// Deals some of the boxes to the first places, by chance.
void broad_deal(uint32_t *boxes, uint32_t count, uint32_t dealt, bench_random *random);

// broad_trivet.c
extern const bench_broad bench_broad_trivet[];
const trv_broad *bench_broad_of(const void *at);

// broad_questions.c: of all contestants; and those that Trivet answers by the array.
void bench_questions(const bench_field *field, const broad_scene *s, int rounds);
void bench_arrays(const broad_scene *s, int rounds);

// broad_batches.c
void bench_batches_by_array(const broad_scene *s, int rounds);

#endif
