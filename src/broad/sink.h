// Where a sweep puts the pairs that it finds, as keys: see trvi_index_bits.
#ifndef TRVI_BROAD_SINK_H
#define TRVI_BROAD_SINK_H

#include "filter.h"

typedef struct trvi_sink {
    uint64_t *keys;
    uint32_t count, room;
    uint32_t bits;
} trvi_sink;

// False when there is no room.
static inline bool trvi_put_key(trvi_sink *out, uint32_t a, uint32_t b)
{
    if (out->count == out->room)
        return false;
    uint32_t lower = a < b ? a : b; // which one it is cannot be foretold: no branch
    out->keys[out->count++] = (uint64_t)lower << out->bits | (a ^ b ^ lower);
    return true;
}

// Pairs whose filters disagree are dropped, and those of one owner.
static inline bool trvi_put_pair(const trv_broad *broad, trvi_sink *out, uint32_t a, uint32_t b)
{
    if (broad->has_filters && !trvi_may_pair(trvi_filter_of(broad, a), trvi_filter_of(broad, b)))
        return true;
    return trvi_put_key(out, a, b);
}

// Of two entries by their tags.
static inline bool trvi_put_tags(const trv_broad *broad, trvi_sink *out, uint32_t a, uint32_t b)
{
    bool plain = a & b & TRVI_TAG_PLAIN;
    a >>= TRVI_TAG_BITS;
    b >>= TRVI_TAG_BITS;
    return plain ? trvi_put_key(out, a, b) : trvi_put_pair(broad, out, a, b);
}

#endif
