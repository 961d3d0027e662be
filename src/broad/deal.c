// Dealing a column of what is not static anew: its boxes in their order, four at a time, with a
// copy of what they were before in the same order.
//
// Keys of the lower sides are sorted, since boxes have moved little by insertion, and everything
// else is written once, where it belongs. So an entry costs the same whether it was moved past
// others or not.
//
// Invariant: nothing outside of the column's room is read or written, since others work there; what
// reads on behind the last entry reads the scratch.
#include "deal.h"

enum {
    SOON = 12, // entries ahead, whose boxes are brought near
    SHIFTS = 6 // for each key, beyond which keys are sorted by merging
};

// Keys of all entries, by their new lower sides and old places; *any and *every: bits that the
// states of any have, and of all.
static void write_keys(const trv_broad *broad, trvi_entries all, uint64_t *keys, uint32_t *any,
                       uint32_t *every)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const uint32_t *tags = (const uint32_t *)columns->tag.items + all.first;
    const uint8_t *states = trvi_states(broad);
    const uint32_t axis = columns->grid.axis[0], count = all.last - all.first;
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    const uint32_t last = broad->proxy_limit > TRVI_MANY_BOXES && count > SOON ? count - SOON : 0;
    *any = 0;
    *every = ~0u;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = tags[i] >> TRVI_TAG_BITS;
        if (i < last)
            trvi_prefetch(&boxes[tags[i + SOON] >> TRVI_TAG_BITS]);
        float lower = trvi_side_of(&boxes[index].lower, axis);
        keys[i] = (uint64_t)trvi_sort_key_of_float(lower) << 32 | i;
        *any |= states[index];
        *every &= states[index];
    }
}

// Drops the keys of what does not stay in the column, and writes tags anew; returns how many are
// left.
static uint32_t take_over(const trv_broad *broad, trvi_entries all, const trvi_scratch *s)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const uint32_t *tags = (const uint32_t *)columns->tag.items + all.first;
    uint32_t stay = 0;
    for (uint32_t i = 0; i < all.last - all.first; i++) {
        uint8_t state = trvi_states(broad)[tags[i] >> TRVI_TAG_BITS];
        uint32_t tag = tags[i] & ~(uint32_t)(TRVI_TAG_TOUCHED | TRVI_TAG_PLAIN);
        tag |= state & TRVI_PROXY_PLAIN ? TRVI_TAG_PLAIN : 0u;
        s->tag[i] = tag | (state & TRVI_PROXY_TOUCHED ? TRVI_TAG_TOUCHED : 0u);
        s->keys[stay] = s->keys[i];
        stay += trvi_entry_stays(state, TRVI_MOBILE_COLUMNS);
    }
    return stay;
}

// The two largest keys of those so far, of which the lesser one stands before the other.
typedef struct two_keys {
    uint64_t lesser, greater;
} two_keys;

static inline two_keys first_two(const uint64_t *keys)
{
    uint64_t lesser = keys[0] < keys[1] ? keys[0] : keys[1];
    return (two_keys){lesser, keys[0] ^ keys[1] ^ lesser};
}

// Takes key i past up to two larger ones. Which ones are cannot be foretold: there is no branch.
static inline void take_past_two(uint64_t *keys, uint32_t i, two_keys *two)
{
    uint64_t key = keys[i], lower = key < two->greater ? key : two->greater;
    two->greater ^= key ^ lower;
    keys[i - 2] = lower < two->lesser ? lower : two->lesser;
    two->lesser ^= lower ^ keys[i - 2];
}

// Takes each key past up to two larger ones that stand before it: as boxes move by less than their
// distance, few are left out of order. Each step waits for the one before: so both halves are
// gone through at once.
static void take_two_steps(uint64_t *keys, uint32_t count)
{
    uint32_t half = count / 2;
    uint64_t *upper = keys + half;
    if (half < 2)
        return;
    two_keys in_lower = first_two(keys), in_upper = first_two(upper);
    for (uint32_t i = 2; i < half; i++) {
        take_past_two(keys, i, &in_lower);
        take_past_two(upper, i, &in_upper);
    }
    keys[half - 2] = in_lower.lesser;
    keys[half - 1] = in_lower.greater;
    upper[half - 2] = in_upper.lesser;
    upper[half - 1] = in_upper.greater;
}

// By insertion, where they are nearly in order.
static void sort_keys(const trvi_scratch *s, uint32_t count)
{
    uint64_t *keys = s->keys;
    uint32_t shifts = count * SHIFTS;
    take_two_steps(keys, count);
    for (uint32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        uint32_t to = i;
        if (keys[i - 1] <= key)
            continue;
        for (; to > 0 && keys[to - 1] > key; to--)
            keys[to] = keys[to - 1];
        keys[to] = key;
        if (i - to > shifts) {
            // Parts are dealt later; those of lower sides lie side by side.
            uint64_t *spare = (uint64_t *)(void *)s->now[0];
            if (trvi_column_sort_keys(keys, spare, count) == spare)
                memcpy(keys, spare, count * sizeof *keys);
            return;
        }
        shifts -= i - to;
    }
}

// Four boxes to the lanes of the parts at `to`.
static inline void deal_boxes(float *const part[TRVI_PART_COUNT], const uint32_t axis[3],
                              uint32_t to, const trv_aabb *const box[TRVI_LANES])
{
#if defined(TRVI_LANES_SSE2)
    __m128 low[4], high[4];
    for (uint32_t n = 0; n < 4; n++) {
        low[n] = _mm_loadu_ps(&box[n]->lower.x);  // lower x, y, z, upper x
        high[n] = _mm_loadu_ps(&box[n]->lower.z); // lower z, upper x, y, z
    }
    _MM_TRANSPOSE4_PS(low[0], low[1], low[2], low[3]);
    _MM_TRANSPOSE4_PS(high[0], high[1], high[2], high[3]);
    for (uint32_t k = 0; k < 3; k++) {
        _mm_storeu_ps(part[2 * k] + to, low[axis[k]]);
        _mm_storeu_ps(part[2 * k + 1] + to, high[axis[k] + 1]);
    }
#else
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t n = 0; n < TRVI_LANES; n++) {
            part[2 * k][to + n] = trvi_side_of(&box[n]->lower, axis[k]);
            part[2 * k + 1][to + n] = trvi_side_of(&box[n]->upper, axis[k]);
        }
    }
#endif
}

// Deals the entries in the order of the keys: their boxes now, and before, by whole blocks, of
// which the last one repeats the last entry.
static void deal(const trv_broad *broad, trvi_entries all, uint64_t *keys, uint32_t count,
                 const trvi_scratch *s)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    const uint32_t axis[3] = {columns->grid.axis[0], columns->grid.axis[1], columns->grid.axis[2]};
    uint32_t *tags = (uint32_t *)columns->tag.items + all.first;
    const float *part[TRVI_PART_COUNT];
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++)
        part[k] = trvi_part(columns, k) + all.first;
    for (uint32_t n = count; n % TRVI_LANES != 0; n++)
        keys[n] = keys[count - 1];
    for (uint32_t i = 0; i < count; i += TRVI_LANES) {
        uint32_t at[TRVI_LANES];
        const trv_aabb *box[TRVI_LANES];
        for (uint32_t n = 0; n < TRVI_LANES; n++) {
            at[n] = (uint32_t)keys[i + n];
            tags[i + n] = s->tag[at[n]];
            box[n] = &boxes[tags[i + n] >> TRVI_TAG_BITS];
        }
        deal_boxes(s->now, axis, i, box);
        bool run = at[1] == at[0] + 1 && at[2] == at[0] + 2 && at[3] == at[0] + 3;
        for (uint32_t k = 0; k < TRVI_PART_COUNT && run; k++)
            trvi_lanes_store(s->was[k] + i, trvi_lanes_load(part[k] + at[0]));
        for (uint32_t k = 0; k < TRVI_PART_COUNT && !run; k++) {
            for (uint32_t n = 0; n < TRVI_LANES; n++)
                s->was[k][i + n] = part[k][at[n]];
        }
    }
}

// What may be read behind the last entry lies above all.
void trvi_end_dealt(uint32_t count, const trvi_scratch *s)
{
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        for (uint32_t i = 0; i < TRVI_WIDEST + TRVI_LANES; i += TRVI_LANES) {
            trvi_lanes_store(s->now[k] + count + i, trvi_lanes_splat(HUGE_VALF));
            trvi_lanes_store(s->was[k] + count + i, trvi_lanes_splat(HUGE_VALF));
        }
    }
}

uint32_t trvi_deal_column(const trv_broad *broad, trvi_entries all, const trvi_scratch *s,
                          bool *touched)
{
    enum { LEAVES = TRVI_PROXY_TOUCHED | TRVI_PROXY_LEAVING }; // what is removed is dead
    const uint32_t *tags = (const uint32_t *)broad->sets[TRVI_MOBILE_COLUMNS].tag.items;
    uint32_t any, every, stay = all.last - all.first;
    write_keys(broad, all, s->keys, &any, &every);
    // Filters and sets change with a touch only.
    if ((any & LEAVES) || !(every & TRVI_PROXY_LIVE))
        stay = take_over(broad, all, s);
    else
        memcpy(s->tag, tags + all.first, stay * sizeof *tags);
    *touched = (any & TRVI_PROXY_TOUCHED) != 0;
    sort_keys(s, stay);
    deal(broad, all, s->keys, stay, s);
    trvi_end_dealt(stay, s);
    return stay;
}

void trvi_keep_dealt(const trvi_columns *columns, uint32_t first, uint32_t count,
                     const trvi_scratch *s)
{
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        float *part = trvi_part(columns, k) + first;
        for (uint32_t i = 0; i < count; i += TRVI_LANES)
            trvi_lanes_store(part + i, trvi_lanes_load(s->now[k] + i));
    }
}
