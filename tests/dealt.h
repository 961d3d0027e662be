// Workers that are none: ranges are dealt to any number of workers, in an order that no thread would
// take, on the calling thread. What comes of it must be the same bits.
#ifndef TRV_TESTS_DEALT_H
#define TRV_TESTS_DEALT_H

#include <trivet/base.h>

static inline void deal_ranges(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                               void *context)
{
    uint32_t workers = *(const uint32_t *)user;
    uint32_t pieces = (items + grain - 1) / grain;
    for (uint32_t i = pieces; i-- > 0;) { // the last first, and the odd ones before the even ones
        uint32_t piece = i < pieces / 2 ? 2 * i + 1 : 2 * (i - pieces / 2);
        uint32_t first = piece * grain, last = first + grain < items ? first + grain : items;
        fn(context, first, last, piece % workers);
    }
}

static inline trv_workers dealt_workers(uint32_t *count)
{
    trv_workers workers = {count, *count, deal_ranges};
    return workers;
}

#endif
