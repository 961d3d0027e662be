// The broad layer's door.
#ifndef TRVI_BROAD_H
#define TRVI_BROAD_H

#include <trivet/broad.h>

#include "base.h"

// For a broadphase without proxies: there is going to be room for filters with every proxy, so that
// trv_broad_filter cannot fail for want of memory.
void trvi_broad_expect_filters(trv_broad *broad);

// Proxies of one owner, a number other than 0, are never a pair, whatever their filters say. As with a filter
// that is given, the proxy counts as awake in the next update, but for one that has this owner. There has to be
// room for filters, see above.
void trvi_broad_own(trv_broad *broad, trv_proxy_id proxy, uint32_t owner);

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

// The number of pairs that the last update kept; of these, `scattered` have slots that do not follow
// closely on that of the pair before.
uint32_t trvi_broad_told(const trv_broad *broad, uint32_t *scattered);
// All slots are below this.
uint32_t trvi_broad_slots(const trv_broad *broad);
// Between two updates: the slots that pairs would have in the order in which they were told last,
// from 0 on, then the quiet ones; `to` gets that of each slot. Those that are free come last. Gives
// how many are in use.
uint32_t trvi_broad_order_slots(const trv_broad *broad, uint32_t *to);
// The pairs get these slots, or others in any order; those that are not in use are forgotten.
void trvi_broad_move_slots(trv_broad *broad, const uint32_t *to, uint32_t used);

// trv_broad_move in two parts. The first may be run for several proxies at once; where it gives true,
// the second has to follow before any other call, one proxy after the other.
bool trvi_broad_shift(trv_broad *broad, trv_proxy_id proxy, trv_aabb box);
void trvi_broad_shifted(trv_broad *broad, trv_proxy_id proxy);

// Told of a proxy by its user; gives how far from the box another may be, at most, to be of any interest
// still, m.
typedef float trvi_near_visitor(void *context, uint64_t user);
// Tells of the proxies whose fat boxes meet `within`, which holds `box`: those about the box, then in
// rounds, each twice as far out, the others; each once, within a round in no order to rely on. Once the
// visitor has given a limit, those that are farther along any axis are left out. So the cost follows what
// is near.
void trvi_broad_seek(const trv_broad *broad, trv_aabb box, trv_aabb within, trv_filter filter,
                     trvi_near_visitor *visit, void *context);

uint32_t trvi_broad_live_count(const trv_broad *broad);
// Of a proxy that there is.
uint64_t trvi_broad_user(const trv_broad *broad, trv_proxy_id proxy);

#endif
