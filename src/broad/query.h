// What the files of questions share: looking at four entries at once, and what is done with what
// they find.
#ifndef TRVI_BROAD_QUERY_H
#define TRVI_BROAD_QUERY_H

#include "filter.h"

// fmin and fmax, which are calls without -ffinite-math; no operand is NaN here.
static inline double trvi_least(double a, double b)
{
    return a < b ? a : b;
}

static inline double trvi_most(double a, double b)
{
    return a > b ? a : b;
}

// A closed stretch of an axis, or of a ray's fractions.
typedef struct trvi_interval {
    double lower, upper;
} trvi_interval;

// A live proxy whose entries do not show it.
static inline bool trvi_is_moved(const trv_broad *broad, uint32_t index)
{
    uint32_t bits = TRVI_PROXY_LIVE | TRVI_PROXY_MOVED;
    return (trvi_states(broad)[index] & bits) == bits;
}

// True when every entry is of a live proxy and shows its box, so that nobody has to look.
static inline bool trvi_is_settled(const trv_broad *broad)
{
    return broad->changed.count == 0;
}

// True where the entry of this tag is of a live proxy, shows its box, and the filter agrees.
static inline bool trvi_is_asked_for(const trv_broad *broad, bool settled, uint32_t tag,
                                     trv_filter filter)
{
    uint32_t bits = TRVI_PROXY_LIVE | TRVI_PROXY_MOVED, index = tag >> TRVI_TAG_BITS;
    if (settled && (tag & TRVI_TAG_PLAIN)) // nothing to read
        return trv_filters_agree(trv_default_filter(), filter);
    return (settled || (trvi_states(broad)[index] & bits) == TRVI_PROXY_LIVE) &&
           trv_filters_agree(trvi_filter_of(broad, index), filter);
}

static inline trv_proxy_id trvi_id_of(const trv_broad *broad, uint32_t index)
{
    return (trv_proxy_id){index, trvi_generations(broad)[index]};
}

// With the room between the columns, which has no tag.
static inline uint32_t trvi_entry_count(const trvi_columns *columns)
{
    return ((const uint32_t *)columns->start.items)[columns->column_count];
}

static inline uint32_t trvi_tag_of(const trvi_columns *columns, uint32_t entry)
{
    return ((const uint32_t *)columns->tag.items)[entry];
}

static inline void trvi_fetch_proxy(const trv_broad *broad, uint32_t tag)
{
    uint32_t index = tag >> TRVI_TAG_BITS;
    trvi_prefetch(&trvi_users(broad)[index]);
    trvi_prefetch(&trvi_generations(broad)[index]);
    if (!(tag & TRVI_TAG_PLAIN))
        trvi_prefetch(&((const trv_filter *)broad->filter.items)[index]);
}

// A column to be looked through from some place along s on. `guess` is where that would be if its
// boxes were spread evenly.
typedef struct trvi_stop {
    uint32_t first, end, guess;
} trvi_stop;

// Only guesses, and asks for what lies there: columns that are looked through one after the other
// are on their way together.
static inline trvi_stop trvi_stop_at(const trvi_columns *columns, uint32_t column,
                                     trvi_interval bounds_s, double lower)
{
    uint32_t first = ((const uint32_t *)columns->start.items)[column];
    uint32_t count = ((const uint32_t *)columns->fill.items)[column];
    trvi_stop stop = {first, first + count, first};
    if (count <= TRVI_LANES || lower <= bounds_s.lower)
        return stop;
    double share = (lower - bounds_s.lower) / (bounds_s.upper - bounds_s.lower);
    stop.guess = first + (uint32_t)(trvi_least(share, 1.0) * (double)(count - 1));
    trvi_prefetch((const float *)columns->reach.items + stop.guess / TRVI_BLOCK);
    trvi_prefetch((const uint32_t *)columns->tag.items + stop.guess);
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++)
        trvi_prefetch(trvi_part(columns, k) + stop.guess);
    return stop;
}

// seek.c: an entry before which none of the column reaches up to `lower` along s, or the end.
uint32_t trvi_stop_seek(const trvi_columns *columns, const trvi_stop *stop, double lower);

// A box along s, u, v that entries are compared with, four at once.
typedef struct trvi_window {
    trvi_lanes lower[3], upper[3];
    const float *part[6]; // of all entries
} trvi_window;

// Rounding to float32 leaves no entry out: it is monotone, and entries are float32.
static inline trvi_window trvi_window_of(const trvi_columns *columns, const trvi_interval box[3])
{
    trvi_window window;
    for (uint32_t k = 0; k < 6; k++)
        window.part[k] = trvi_part(columns, k);
    for (uint32_t k = 0; k < 3; k++) {
        window.lower[k] = trvi_lanes_splat((float)box[k].lower);
        window.upper[k] = trvi_lanes_splat((float)box[k].upper);
    }
    return window;
}

// Bit j is set where entry i + j, before `end`, overlaps the window. i < end; what is read behind
// the last entry of all is room that is kept for it. *more: entries from i + 4 on may do so, too,
// as far as s tells.
static inline uint32_t trvi_window_meets(const trvi_window *window, uint32_t i, uint32_t end,
                                         bool *more)
{
    trvi_lanes lower_s = trvi_lanes_load(window->part[TRVI_LOWER_S] + i);
    trvi_lanes upper_s = trvi_lanes_load(window->part[TRVI_UPPER_S] + i);
    trvi_lanes lower_u = trvi_lanes_load(window->part[TRVI_LOWER_U] + i);
    trvi_lanes upper_u = trvi_lanes_load(window->part[TRVI_UPPER_U] + i);
    trvi_lanes lower_v = trvi_lanes_load(window->part[TRVI_LOWER_V] + i);
    trvi_lanes upper_v = trvi_lanes_load(window->part[TRVI_UPPER_V] + i);
    uint32_t starts = trvi_lanes_at_least(window->upper[0], lower_s);
    uint32_t meets = starts & trvi_lanes_at_least(upper_s, window->lower[0]) &
                     trvi_lanes_at_least(window->upper[1], lower_u) &
                     trvi_lanes_at_least(upper_u, window->lower[1]) &
                     trvi_lanes_at_least(window->upper[2], lower_v) &
                     trvi_lanes_at_least(upper_v, window->lower[2]);
    *more = i + TRVI_LANES < end && (starts & 1u << (TRVI_LANES - 1)) != 0;
    return end - i < TRVI_LANES ? meets & ((1u << (end - i)) - 1) : meets;
}

// The lowest bit of a mask of four that is not 0.
static inline uint32_t trvi_lowest_of_four(uint32_t mask)
{
    return mask & 1 ? 0 : mask & 2 ? 1 : mask & 4 ? 2 : 3;
}

// volume.c: what is wrong with a question, or TRV_OK.
trv_result trvi_check_question_obb(trv_obb box);
trv_result trvi_check_question_planes(const trv_plane *planes, uint32_t count);

// Told of each proxy found, once; false stops the search.
typedef bool trvi_tell_proxy(void *context, uint32_t index);

// seek.c: every proxy whose fat box overlaps `box`, in no order to rely on.
void trvi_query_aabb(const trv_broad *broad, trv_aabb box, trv_filter filter, trvi_tell_proxy *tell,
                     void *context);

// Told of each proxy that a cast meets, and at what fraction; returns the new limit of fractions, <
// 0 to stop.
typedef double trvi_tell_hit(void *context, uint32_t index, double fraction, double limit);

// A box, or with no extent a point, on its way along a straight line.
typedef struct trvi_line {
    double lower[3], upper[3]; // where it begins, along x, y, z or s, u, v
    double travel[3], inverse[3];
} trvi_line;

typedef struct trvi_cast {
    const trv_broad *broad;
    trvi_line line; // along x, y, z
    trv_filter filter;
    double limit; // of fractions; < 0 after a stop
    bool eager;   // a hit is likely to end it or to shorten it much
    trvi_tell_hit *tell;
    void *context;
} trvi_cast;

// cast.c: a cast of valid numbers, ready but for the teller; and its run.
trvi_cast trvi_cast_of(const trv_broad *broad, trv_aabb box, trv_vec3 travel, trv_filter filter);
void trvi_cast_run(trvi_cast *cast);

enum { TRVI_MAX_HALF_SPACES = 32 };

// The points p with dot(normal, p) + offset <= 0.
typedef struct trvi_half_space {
    double normal[3], offset; // along x, y, z or s, u, v
    double scale;             // sum of the magnitudes that the offset was computed from
} trvi_half_space;

// The points of all half-spaces. Columns are judged by the first `coarse` of them, boxes by all.
typedef struct trvi_volume {
    uint32_t count, coarse;
    trvi_interval bounds[3]; // all of it lies within
    trvi_half_space half_spaces[TRVI_MAX_HALF_SPACES];
} trvi_volume;

// volume.c: volumes of valid numbers, and every proxy whose fat box none of a volume's planes parts
// from it.
trvi_volume trvi_volume_of_planes(const trv_plane *planes, uint32_t count);
trvi_volume trvi_volume_of_obb(trv_obb box);
void trvi_query_volume(const trv_broad *broad, const trvi_volume *volume, trv_filter filter,
                       trvi_tell_proxy *tell, void *context);

// The first of all that is found, by `at` and then by index. While they come it is a heap in the
// caller's memory, with the last one on top.
typedef struct trvi_best {
    const trv_broad *broad;
    trv_proxy_found *found;
    uint32_t capacity, count;
    uint32_t offered; // how many there were
} trvi_best;

// best.c
void trvi_best_offer(trvi_best *best, uint32_t index, float at);
void trvi_best_sort(trvi_best *best);

// nearest.c: the nearest proxies within `reach` of the point, as many as there is room for.
void trvi_seek_nearest(const trv_broad *broad, trv_vec3 point, float reach, trv_filter filter,
                       trvi_best *best);

#endif
