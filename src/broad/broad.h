// The broad layer's door.
#ifndef TRVI_BROAD_H
#define TRVI_BROAD_H

#include <trivet/broad.h>

#include "base.h"

// For a broadphase without proxies: there is going to be room for filters with every proxy, so that
// trv_broad_filter cannot fail for want of memory.
void trvi_broad_expect_filters(trv_broad *broad);

// How numbers go to a file or come from one: `numbers` writes `count` of them, `width` bytes each,
// or replaces them by those that were written, zeros where there are none left.
typedef struct trvi_pass {
    bool reads;
    void (*numbers)(void *context, void *items, uint32_t width, size_t count);
    size_t (*left)(void *context); // bytes, when reading
    void *context;
} trvi_pass;

// The whole state, in or out. Writing changes nothing. Reading is for a broadphase without proxies:
// TRV_ERROR_RANGE where what was read is no state that calls could have made, TRV_ERROR_LIMIT,
// TRV_ERROR_MEMORY; the broadphase is then fit for being destroyed only.
trv_result trvi_broad_pass(trv_broad *broad, const trvi_pass *by);

uint32_t trvi_broad_live_count(const trv_broad *broad);
// Of a proxy that there is.
uint64_t trvi_broad_user(const trv_broad *broad, trv_proxy_id proxy);

#endif
