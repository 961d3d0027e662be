// The innermost loops over the entries of a column: which later ones does an entry overlap, and
// which of them did it not before; which have left their cells; which may a line or a box meet;
// which does a box overlap at one place and not at another.
#ifndef TRVI_BROAD_KERNEL_H
#define TRVI_BROAD_KERNEL_H

#include "broad.h"
#include "math/math.h"

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

// Finds what each of the entries from `place` on and before `last` overlaps among those that follow
// it up to `end`, and has all flags together with. Writes it to `hits`, which has room for
// TRVI_HITS, and the place to go on with; its i is `last` where nothing is left. Returns how many.
typedef uint32_t trvi_sweep_fn(const trvi_rows *rows, trvi_place *place, uint32_t last,
                               uint32_t end, trvi_hit *hits);

// The same for the listed entries, which are all touched: what each of them overlaps among [start,
// end), but for touched ones before it. The place counts in the list; its j is TRVI_FROM_REACH
// where an entry has not been compared with any.
typedef uint32_t trvi_around_fn(const trvi_rows *rows, trvi_place *place, const uint32_t *list,
                                uint32_t listed, uint32_t start, uint32_t end, trvi_hit *hits);

enum { TRVI_FROM_REACH = 0x7FFFFFFF };

// What runs on columns of up to TRVI_WATCHED entries, beside what they were before: `now` and `was`
// hold the same entries in the same order. For the entries from *row on, the later ones that each
// overlaps now and did not before; flags are not looked at. Behind the last one, TRVI_WIDEST lower
// sides along s are above all. Writes blocks of TRVI_WIDEST: the entry, the first of those that it
// is compared with, and a bit for each of them, as i << 20 | j << 8 | bits; there is room for
// TRVI_BLOCKS. Returns how many, and in *row the entry to go on with.
typedef uint32_t trvi_watch_fn(const trvi_rows *now, const trvi_rows *was, uint32_t *row,
                               uint32_t count, uint32_t *blocks);

enum { TRVI_WATCHED = 4000, TRVI_BLOCKS = 2048 };

// Where boxes may move without anyone having to look: within their cells, and within all bounds.
typedef struct trvi_fence {
    double inverse[2];        // as the grid's
    float lower[3], upper[3]; // along s, u, v
} trvi_fence;

// Lists the entries that may have left a cell, or are beyond the bounds; all that did are among
// them. Returns how many.
typedef uint32_t trvi_fence_fn(const trvi_rows *now, const trvi_rows *was, const trvi_fence *fence,
                               uint32_t count, uint32_t *list);

// What a line, or a box on its way, may meet: what overlaps a window, and all slabs at one time in
// [0, 1].
typedef struct trvi_beam {
    float lower[3], upper[3];                         // the window, along s, u, v
    uint32_t count, axis[3];                          // axes on which it travels far enough
    float start_lower[3], start_upper[3], inverse[3]; // by axis
} trvi_beam;

// Lists the entries that the beam may meet, from *entry up to `end`, or up to where all lie above
// the window; all that it meets are among them. There is room for TRVI_LOOKED. Returns how many,
// and in *entry the one to go on with, `end` where nothing is left.
typedef uint32_t trvi_look_fn(const trvi_rows *rows, const trvi_beam *beam, uint32_t *entry,
                              uint32_t end, uint32_t *list);

enum { TRVI_LOOKED = 64 };

// A box at two places, by the sides of its entries, and the tag that it has in a column.
typedef struct trvi_shift {
    float was[6], now[6];
    uint32_t tag;
} trvi_shift;

// Lists the entries that one of the two overlaps and the other does not, and that have both flags
// of the first column together with it, but for its own: from *entry up to `end`, or up to where
// all lie above both. There is room for TRVI_LOOKED. Returns how many, and in *entry the one to go
// on with, `end` where nothing is left.
typedef uint32_t trvi_differ_fn(const trvi_rows *rows, const trvi_shift *shift, uint32_t *entry,
                                uint32_t end, uint32_t *list);

// The entry of the proxy among [first, end); `end` where it has none.
typedef uint32_t trvi_seek_fn(const uint32_t *tag, uint32_t first, uint32_t end, uint32_t index);

// How many of the lower sides lie up to that of each arrival, see trvi_arrival; both are in order.
typedef void trvi_count_fn(const float *lower, uint32_t count, const uint64_t *arrivals,
                           uint32_t added, uint32_t *counts);

// So many proxies side by side, by their indices.
typedef struct trvi_span {
    uint32_t first, count; // > 0
} trvi_span;

// Which of up to 64 entries, by their tags, are not of the span, a bit for each.
typedef uint64_t trvi_outside_fn(const uint32_t *tag, uint32_t count, trvi_span span);
// True where any of the pairs has a proxy of the span.
typedef bool trvi_within_fn(const trv_pair *pairs, uint32_t count, trvi_span span);

// All that is moved of entries, in arrays of items of 4 bytes: the parts and the tags.
enum { TRVI_ITEMS = 7, TRVI_ITEM = 4 }; // arrays, and bytes of an item
typedef struct trvi_items {
    char *items[TRVI_ITEMS];
} trvi_items;

// Moves those of up to 64 entries from `from` on, where a block begins, whose bits are set, as no
// others are, to `to` and what follows, which is not behind them. What is left up to the end of the
// last block may be anything. Returns how many were moved.
typedef uint32_t trvi_squeeze_fn(const trvi_items *all, uint32_t from, uint32_t to, uint64_t keep,
                                 uint32_t count);

// Moves entries up by as many places as there are gaps in front of them, up to `end`, where the last
// one has come then. Gaps, > 0 of them, are told by where they are then, in order; what they hold may
// be anything. Entries behind the last one come behind it, up to the end of its block.
typedef void trvi_spread_fn(const trvi_items *all, uint32_t end, const uint32_t *gaps,
                            uint32_t count);

// shuffle.c
trvi_squeeze_fn trvi_squeeze_one, trvi_squeeze_eight;
trvi_spread_fn trvi_spread_one, trvi_spread_eight;

// batch.c
trvi_count_fn trvi_count_one, trvi_count_eight;
trvi_outside_fn trvi_outside_one, trvi_outside_eight;
trvi_within_fn trvi_within_one, trvi_within_eight;

// sixteen.c
trvi_around_fn trvi_around_sixteen;

typedef struct trvi_kernels {
    trvi_sweep_fn *sweep;
    trvi_around_fn *around;
    trvi_watch_fn *watch;
    trvi_fence_fn *fence;
    trvi_look_fn *look;
    trvi_differ_fn *differ;
    trvi_seek_fn *seek;
    trvi_count_fn *count;
    trvi_squeeze_fn *squeeze;
    trvi_spread_fn *spread;
    trvi_outside_fn *outside;
    trvi_within_fn *within;
} trvi_kernels;

// All kinds that run here give the same; kind 0 always does, the last one is the quickest. False
// when there are no more.
bool trvi_kernels_at(uint32_t kind, trvi_kernels *kernels);

// The sides of one entry in all lanes.
typedef struct trvi_wide_box {
    trvi_lanes lower_s, upper_s, lower_u, upper_u, lower_v, upper_v;
} trvi_wide_box;

static inline trvi_wide_box trvi_widen(const trvi_rows *r, uint32_t i)
{
    return (trvi_wide_box){trvi_lanes_splat(r->lower_s[i]), trvi_lanes_splat(r->upper_s[i]),
                           trvi_lanes_splat(r->lower_u[i]), trvi_lanes_splat(r->upper_u[i]),
                           trvi_lanes_splat(r->lower_v[i]), trvi_lanes_splat(r->upper_v[i])};
}

// Bit k is set where entry j + k overlaps the box along u and v.
static inline uint32_t trvi_meets_across(const trvi_rows *r, const trvi_wide_box *box, uint32_t j)
{
    return trvi_lanes_at_least(box->upper_u, trvi_lanes_load(r->lower_u + j)) &
           trvi_lanes_at_least(trvi_lanes_load(r->upper_u + j), box->lower_u) &
           trvi_lanes_at_least(box->upper_v, trvi_lanes_load(r->lower_v + j)) &
           trvi_lanes_at_least(trvi_lanes_load(r->upper_v + j), box->lower_v);
}

// Those bits that are of the entries left.
static inline uint32_t trvi_cut(uint32_t bits, uint32_t left)
{
    return left < TRVI_WIDEST ? bits & ((1u << left) - 1) : bits;
}

#endif
