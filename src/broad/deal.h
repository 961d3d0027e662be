// A column that is dealt anew, beside what it was.
#ifndef TRVI_BROAD_DEAL_H
#define TRVI_BROAD_DEAL_H

#include "broad_data.h"

// Room for a column as it gets, and for the same entries as they were; what stands behind the last
// entry of a part may be read.
typedef struct trvi_scratch {
    uint64_t *keys;
    uint32_t *tag;
    float *now[TRVI_PART_COUNT], *was[TRVI_PART_COUNT];
} trvi_scratch;

enum { TRVI_SCRATCH_WORDS = 3 + 2 * TRVI_PART_COUNT }; // of 4 bytes, for each entry

// Deals what stays in a column to the scratch, in order, and its tags to the column. Returns how
// many entries that are. *touched: whether any is of a touched proxy.
uint32_t trvi_deal_column(const trv_broad *broad, trvi_entries all, const trvi_scratch *s,
                          bool *touched);
// So many entries are left.
void trvi_end_dealt(uint32_t count, const trvi_scratch *s);
// Writes as many entries, as they are now, to the column that starts at `first`.
void trvi_keep_dealt(const trvi_columns *columns, uint32_t first, uint32_t count,
                     const trvi_scratch *s);

#endif
