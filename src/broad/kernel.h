// The innermost loop of a sweep: which later entries of its column does an entry overlap.
#ifndef TRVI_BROAD_KERNEL_H
#define TRVI_BROAD_KERNEL_H

#include "base.h"

// The parts of the entries, side by side; entries behind the last one may be read.
typedef struct trvi_rows {
    const float *lower_s, *upper_s, *lower_u, *upper_u, *lower_v, *upper_v;
    const float *reach; // of blocks
    const uint32_t *tag;
} trvi_rows;

enum { TRVI_HITS = 128, TRVI_WIDEST = 8 };

// Two entries that overlap, by their tags.
typedef struct trvi_hit {
    uint32_t a, b;
} trvi_hit;

// Where a sweep is: entry i, before it is compared with the later entry j.
typedef struct trvi_place {
    uint32_t i, j;
} trvi_place;

// Finds what each of the entries from `place` on and before `last` overlaps among those that follow it
// up to `end`, and has all flags together with. Writes it to `hits`, which has room for TRVI_HITS, and
// the place to go on with; its i is `last` where nothing is left. Returns how many.
typedef uint32_t trvi_kernel(const trvi_rows *rows, trvi_place *place, uint32_t last, uint32_t end,
                             trvi_hit *hits);

// All kernels that run here give the same; kernel 0 always does, the last one is the quickest. NULL
// when there are no more.
trvi_kernel *trvi_kernel_at(uint32_t k);

#endif
