// What the files share that give boxes their places in columns: room, and who arrives.
#ifndef TRVI_BROAD_PLACE_H
#define TRVI_BROAD_PLACE_H

#include "broad_data.h"
#include "ring.h"

enum {
    TRVI_SLACK = 3,        // what a column has room for beyond its entries, and
    TRVI_SLACK_SHARE = 32, // one in so many of them more
    TRVI_TAIL = 32         // entries that may be read, not used, behind the last
};

static inline uint32_t trvi_room_for(uint32_t entries)
{
    uint32_t room = entries + entries / TRVI_SLACK_SHARE + TRVI_SLACK;
    return room / TRVI_BLOCK * TRVI_BLOCK;
}

static inline void trvi_mark_column(trvi_columns *columns, uint32_t column)
{
    uint8_t *mark = columns->mark.items;
    if (mark[column] & TRVI_COLUMN_LISTED)
        return;
    mark[column] |= TRVI_COLUMN_LISTED;
    ((uint32_t *)columns->dirty.items)[columns->dirty.count++] = column;
}

static inline void trvi_mark_ring(trvi_columns *columns, trvi_ring ring)
{
    for (uint32_t v = 0; v <= ring.span_v && !columns->all_dirty; v++) {
        for (uint32_t u = 0; u <= ring.span_u; u++)
            trvi_mark_column(columns, trvi_ring_column(columns, ring, u, v));
    }
}

// True when the proxy is to be given entries in the set.
static inline bool trvi_arrives(const trv_broad *broad, uint32_t index, uint32_t set)
{
    uint8_t state = trvi_states(broad)[index], bits = TRVI_PROXY_LIVE | TRVI_PROXY_LEAVING;
    return (state & bits) == bits && trvi_set_of(state) == set;
}

// The same of one that has entries where it is to stay.
static inline bool trvi_is_shifted(const trv_broad *broad, uint32_t index, uint32_t set)
{
    return set == TRVI_MOBILE_COLUMNS && (trvi_spans(broad)[index] & TRVI_SPAN_SHIFTED);
}

// Brings near what is looked at of a proxy.
static inline void trvi_expect_proxy(const trv_broad *broad, uint32_t index)
{
    trvi_prefetch(&trvi_fat_boxes(broad)[index].lower);
    trvi_prefetch(&trvi_fat_boxes(broad)[index].upper.z); // may be on the next line
    trvi_prefetch(&trvi_homes(broad)[index]);
    trvi_prefetch(&trvi_states(broad)[index]);
}

// The first proxy from `index` on that has any of these bits in its state or in its span; the limit
// of all where there is none. Most have not: eight are looked at together.
static inline uint32_t trvi_next_with(const trv_broad *broad, uint32_t index, uint8_t state_bits,
                                      uint8_t span_bits)
{
    const uint8_t *states = trvi_states(broad), *spans = trvi_spans(broad);
    const uint64_t in_each = UINT64_C(0x0101010101010101);
    const uint32_t limit = broad->proxy_limit;
    while (index < limit) {
        uint64_t eight_states = 0, eight_spans = 0;
        if (limit - index >= sizeof eight_states) {
            memcpy(&eight_states, states + index, sizeof eight_states);
            memcpy(&eight_spans, spans + index, sizeof eight_spans);
            if (!((eight_states & state_bits * in_each) | (eight_spans & span_bits * in_each))) {
                index += sizeof eight_states;
                continue;
            }
        }
        if ((states[index] & state_bits) | (spans[index] & span_bits))
            return index;
        index++;
    }
    return limit;
}

// When a set is built anew.
enum {
    TRVI_ARRIVALS_TO_BUILD = 3, // one in so many members is new
    TRVI_WEAR_PER_MEMBER = 64,  // so many changes of each
    TRVI_MEMBERS_PER_GIANT = 2, // one in so many is a giant; after a build, fewer are (grid.c)
    TRVI_LEAST_MEMBERS = 64     // sets of fewer are not built for being few
};

// Decides between taking changes over, of which so many are new to the set, and building.
static inline bool trvi_is_to_build(const trvi_columns *columns, uint32_t arrivals)
{
    uint64_t members = columns->member_count;
    if (members == 0)
        return columns->column_count > 0;
    if (columns->column_count == 0)
        return true;
    return (uint64_t)arrivals * TRVI_ARRIVALS_TO_BUILD > members ||
           (uint64_t)trvi_giant_count(columns) * TRVI_MEMBERS_PER_GIANT > members ||
           columns->wear > members * TRVI_WEAR_PER_MEMBER ||
           members > 2 * (uint64_t)columns->built_count + TRVI_LEAST_MEMBERS ||
           (members < columns->built_count / 4 && columns->built_count > TRVI_LEAST_MEMBERS);
}

// room.c: room for so many entries and columns; what follows when the columns end at `sum`.
bool trvi_reserve_entries(const trv_broad *broad, trvi_columns *columns, uint64_t count,
                          uint32_t column_count);
void trvi_end_entries(trvi_columns *columns, uint32_t sum);
// Room for what arrives in each column, as broad->counts says.
trv_result trvi_make_room(trv_broad *broad, uint32_t set);

// arrive.c: gives all that arrives in a set its entries. Where there is one worker, the columns of
// what is not static are swept, too, as far as there is room.
trv_result trvi_take_arrivals(trv_broad *broad, uint32_t set);

#endif
