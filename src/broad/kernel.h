// The innermost loop of a sweep: which later entries of its column does an entry overlap.
#ifndef TRVI_BROAD_KERNEL_H
#define TRVI_BROAD_KERNEL_H

#include "base.h"

// The parts of the entries, side by side; entries behind the last one may be read.
typedef struct trvi_rows {
    const float *lower_s, *upper_s, *lower_u, *upper_u, *lower_v, *upper_v, *reach;
    const uint32_t *tag;
} trvi_rows;

enum { TRVI_HITS = 64, TRVI_WIDEST = 8 };

// Writes the indices of proxies in entries [*at, end) that overlap entry i, with which they have all
// flags together, to `hits`, which has room for TRVI_HITS; *at becomes the entry to go on with, `end`
// when there are no more. Returns how many.
typedef uint32_t trvi_kernel(const trvi_rows *rows, uint32_t i, uint32_t *at, uint32_t end,
                             uint32_t *hits);

// All kernels that run here give the same; kernel 0 always does, the last one is the quickest. NULL
// when there are no more.
trvi_kernel *trvi_kernel_at(uint32_t k);

#endif
