// A column that is dealt anew, beside what it was.
#ifndef TRVI_BROAD_DEAL_H
#define TRVI_BROAD_DEAL_H

#include "broad_data.h"

// Room for a column as it was, in the order that it had and in the one that it gets; what stands behind
// the last entry of a part may be read.
typedef struct trvi_scratch {
    uint64_t *keys, *spare;
    uint32_t *tag;
    float *from[TRVI_PART_COUNT], *was[TRVI_PART_COUNT];
} trvi_scratch;

enum { TRVI_SCRATCH_WORDS = 5 + 2 * TRVI_PART_COUNT }; // of 4 bytes, for each entry

// The entries take over what changed, and are brought into order; what leaves is dropped. The first of
// them, as many as are returned, stand in the scratch as they were, in the order that they have now; room
// behind them is not cleared, nor are reaches written. *touched: whether any is of a touched proxy.
uint32_t trvi_deal_column(const trv_broad *broad, trvi_entries all, const trvi_scratch *s,
                          bool *touched);

#endif
