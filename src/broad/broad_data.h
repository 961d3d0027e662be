// What the files of the broad layer share: the proxies, the columns they lie in, the pairs.
//
// All state is in arrays of plain elements that hold indices, never pointers, so that it can be
// copied as it is. A proxy's index1 indexes the proxy arrays directly; element 0 is unused.
//
// Static proxies lie in columns of their own, since most of them never move; those asleep and awake
// share theirs, so that falling asleep and waking up moves nothing.
//
// Invariants:
// - A live proxy with a home has entries in the columns that home and span name, and in no others.
//   They show its present fat box unless it is TRVI_PROXY_MOVED; then they count for nothing.
// - What is not as the last update left it is in `changed`, once: TRVI_PROXY_LISTED says so.
// - The pairs are the disjoint lists begun, kept (of the last update) and quiet; the proxies of a
//   pair are live, or were removed since the last update.
#ifndef TRVI_BROAD_DATA_H
#define TRVI_BROAD_DATA_H

#include "broad.h"
#include "kernel.h"
#include "math/math.h"

#include <string.h>

enum {
    TRVI_SET_COUNT = 2, // of columns
    TRVI_MAX_WORKERS = 64,
    // Indices share 32 bits with four flags, and sixteen entries of each must be countable.
    TRVI_MAX_PROXIES = 1 << 28,
    TRVI_MAX_PAIRS = 1 << 30
};

// Bits of a proxy's state byte.
enum {
    TRVI_PROXY_SET = 3, // a trv_proxy_set; awake is the only one with bit 1
    TRVI_PROXY_LIVE_BIT = 2,
    TRVI_PROXY_LIVE = 4,     // clear: never used, dead, or free
    TRVI_PROXY_LISTED = 8,   // in `changed`
    TRVI_PROXY_TOUCHED = 16, // all its pairs are to be looked for, whatever its set
    TRVI_PROXY_MOVED = 32,   // its entries do not show its box, or did not before this update
    TRVI_PROXY_ACTIVE = 48,  // one of these two: counts as awake
    TRVI_PROXY_LEAVING = 64, // its entries, if any, are not where they belong
    TRVI_PROXY_PLAIN = 128   // it has no owner, and the default filter, which is not stored
};

// To ask for memory that will be read soon is not worth its while where all boxes lie near.
enum { TRVI_MANY_BOXES = 1 << 14 }; // more than near caches hold in any case

enum { TRVI_STILL_COLUMNS, TRVI_MOBILE_COLUMNS }; // of static proxies, and of all others

// A proxy's home is its first column along u and v, or TRVI_NO_HOME; its span has the number of
// further columns along u and v in two bits each, then the set of columns.
#define TRVI_NO_HOME UINT32_MAX
enum { TRVI_SPAN_U = 3, TRVI_SPAN_V = 12, TRVI_SPAN_V_SHIFT = 2, TRVI_SPAN_SET_SHIFT = 4 };
// During an update also: it meets other columns than these by now, some of the same, or it is far
// from them.
enum { TRVI_SPAN_SHIFTED = 128, TRVI_SPAN_GONE = 64 };

// Bits of an entry's tag below the proxy index: this column is the first of those that the box
// meets, along u and along v; its pairs are to be looked for (during an update only); the filter is
// the default one, without an owner. Room that no entry uses has tag 0.
enum {
    TRVI_TAG_FIRST_U = 1,
    TRVI_TAG_FIRST_V = 2,
    TRVI_TAG_FIRST = 3,
    TRVI_TAG_TOUCHED = 4,
    TRVI_TAG_FLAGS = 7, // two entries that are to be a pair must have these together
    TRVI_TAG_FLAG_BITS = 3,
    TRVI_TAG_PLAIN = 8,
    TRVI_TAG_BITS = 4
};

// Bits of a column's mark: it is in `dirty`; entries of it are of touched proxies (during an update
// only).
enum { TRVI_COLUMN_LISTED = 1, TRVI_COLUMN_TOUCHED = 2 };

// A box that meets more cells than this along u or v is a giant and lives in the last column; so does
// one beyond the range of the grid.
enum { TRVI_MAX_SPAN = 4 };

// The parts of an entry, each in an array of its own.
enum {
    TRVI_LOWER_S,
    TRVI_UPPER_S,
    TRVI_LOWER_U,
    TRVI_UPPER_U,
    TRVI_LOWER_V,
    TRVI_UPPER_V,
    TRVI_PART_COUNT
};

// Entries in a block, whose reach is the largest upper s of the column up to its end. Columns start
// at multiples.
enum { TRVI_BLOCK = 4 };

// How a set is divided: sorted along axis s, in columns over u and v.
typedef struct trvi_grid {
    uint32_t axis[3];       // which of x, y, z are s, u, v
    uint32_t size[2];       // columns along u and v: 1, or a power of two >= 8
    uint32_t zero;          // so that saves hold no byte that nobody wrote
    double inverse_cell[2]; // a power of two, 1/m; 0 where size is 1
    trv_aabb range;         // what reaches beyond it is with the giants
} trvi_grid;

// What entries lie within: all but giants, and all.
typedef struct trvi_bounds {
    trv_aabb inner, outer;
} trvi_bounds;

// One set of columns. See columns.c. The room of a column ends where the next one starts; what it
// has beyond its entries is empty: above all along s, below none, and on no side of u and v.
typedef struct trvi_columns {
    trvi_array start; // uint32_t, where the room of each column starts; the giants' one, the end
    trvi_array fill;  // uint32_t, entries of each column
    trvi_array part[TRVI_PART_COUNT]; // float
    trvi_array tag;                   // uint32_t, index << TRVI_TAG_BITS | flags
    trvi_array reach;                 // float, of each block
    trvi_array mark;                  // uint8_t, of each column
    trvi_array dirty;                 // uint32_t, columns that the present update concerns
    bool all_dirty;                   // all are
    uint32_t column_count;            // with the giants' one; 0 before the first build
    uint32_t member_count;            // live proxies that belong here
    uint32_t built_count;             // as many were there at the last build
    uint64_t wear;                    // proxies changed in updates since then
    trvi_grid grid;
    trvi_bounds bounds;
} trvi_columns;

// The pairs as an update reports them.
typedef struct trvi_pair_lists {
    trvi_array begun, kept, ended; // trv_pair
} trvi_pair_lists;

struct trv_broad {
    trv_allocator allocator;
    trv_workers workers;
    trvi_kernels kernels;       // the quickest that run here
    float margin, margin_share; // the share is 0 where it sets no limit
    uint32_t max_proxies;
    uint32_t max_pairs;

    // Proxies.
    trvi_array tight;      // trv_aabb; none without a margin, where the fat box is the tight one
    trvi_array fat;        // trv_aabb
    trvi_array filter;     // trv_filter; none while all are TRVI_PROXY_PLAIN
    trvi_array user;       // uint64_t
    trvi_array generation; // uint32_t
    trvi_array home;       // uint32_t; of a free or dead proxy the next one, 0 at the end
    trvi_array span;       // uint8_t
    trvi_array state;      // uint8_t
    trvi_array changed;    // uint32_t, see TRVI_PROXY_LISTED; may hold dead ones
    uint32_t moved_count;  // of those changed, that were moved first of all
    bool only_moves;       // all in `changed` moved, is new or is removed, no more; none is static
    bool has_filters;      // one is not plain, or has not been
    bool is_torn;          // an update failed: entries may show boxes of which no pairs are known
    uint32_t first_free;   // 0: none
    uint32_t first_dead;   // removed since the last update, the last one first; 0: none
    uint32_t dead_count;   // proxies from first_dead on
    uint32_t free_count;
    uint32_t proxy_limit; // all indices in use are below
    uint32_t live_count;
    trvi_columns sets[TRVI_SET_COUNT];

    // Pairs. The lists alternate: an update writes the back ones and swaps when it cannot fail.
    trvi_pair_lists lists[2];
    trvi_array quiet[2]; // trv_pair, pairs without an awake proxy
    uint32_t front, quiet_front;
    bool quiet_stale; // a proxy of a quiet pair may be active or dead now, or the other way round
    trvi_array free_slots; // uint32_t, last in first out
    uint32_t slot_limit;

    // Scratch of one update.
    bool only_gone;     // no box changes but of proxies that are gone
    bool only_removes;  // nor does anything else happen, and all of them were awake
    trvi_span gone;     // of only_gone: all of them, where they lie side by side; else none
    bool has_edits;     // the kept pairs are changed in place, see edit.c
    bool has_slid;      // what changes is noted, see slide.c; `found` is of what is new
    trvi_array noted;   // uint64_t, keys of pairs that change, some several times; or that begin
    trvi_array found;   // uint64_t, keys of pairs, some of which may have been there
    trvi_array keys[2]; // uint64_t
    trvi_array members; // uint32_t
    trvi_array counts;  // uint32_t, becomes the `fill` of a set
    trvi_array worker_keys;  // uint64_t, one share for each worker
    trvi_array unfinished;   // uint8_t, per item
    trvi_array scratch;      // uint32_t, one share for each worker
    uint32_t found_lately;   // what the last update found that built no columns
    uint32_t changed_lately; // before the last update, held behind the count; 0: boxes lie near
    uint32_t proxy_room;     // there is room for proxies below; 0: it has to be looked for
    uint32_t since_growth;   // updates, and one, since proxies took more room; 0: trimmed since
};

static inline trv_aabb *trvi_fat_boxes(const trv_broad *broad)
{
    return broad->fat.items;
}

static inline uint8_t *trvi_states(const trv_broad *broad)
{
    return broad->state.items;
}

static inline uint64_t *trvi_users(const trv_broad *broad)
{
    return broad->user.items;
}

static inline uint32_t *trvi_generations(const trv_broad *broad)
{
    return broad->generation.items;
}

static inline uint32_t *trvi_homes(const trv_broad *broad)
{
    return broad->home.items;
}

// The home of one that is being removed stays where its box was: nobody asks for that any more.
static inline void trvi_bury_home(const trv_broad *broad, uint32_t index)
{
    memcpy(&trvi_fat_boxes(broad)[index], &trvi_homes(broad)[index], sizeof(uint32_t));
}

// Also of one that was removed since the last update.
static inline uint32_t trvi_home_of(const trv_broad *broad, uint32_t index)
{
    uint32_t home = trvi_homes(broad)[index];
    if (!(trvi_states(broad)[index] & TRVI_PROXY_LIVE))
        memcpy(&home, &trvi_fat_boxes(broad)[index], sizeof home);
    return home;
}

static inline uint8_t *trvi_spans(const trv_broad *broad)
{
    return broad->span.items;
}

// True when what changed is found more quickly among all proxies than one after the other.
static inline bool trvi_did_most_change(const trv_broad *broad)
{
    enum { CHANGES_FOR_ALL = 4 }; // one in so many
    return broad->changed.count > broad->proxy_limit / CHANGES_FOR_ALL;
}

// True when all that changed is new: where nothing happens but that awake proxies move, come and go.
static inline bool trvi_is_all_new(const trv_broad *broad)
{
    return broad->moved_count == 0 && broad->dead_count == 0;
}

// The set of columns that a proxy in this state belongs to.
static inline uint32_t trvi_set_of(uint8_t state)
{
    return (state & TRVI_PROXY_SET) == TRV_PROXY_STATIC ? TRVI_STILL_COLUMNS : TRVI_MOBILE_COLUMNS;
}

// True when an entry in that set of columns, of a proxy in this state, belongs where it is. A proxy
// that has gone from one set to the other is no longer leaving once it has entries there; those
// that are left behind are told by the set.
static inline bool trvi_entry_stays(uint8_t state, uint32_t set)
{
    return (state & (TRVI_PROXY_LIVE | TRVI_PROXY_LEAVING)) == TRVI_PROXY_LIVE &&
           trvi_set_of(state) == set;
}

static inline float *trvi_part(const trvi_columns *columns, uint32_t part)
{
    return columns->part[part].items;
}

static inline trvi_rows trvi_rows_of(const trvi_columns *columns)
{
    return (trvi_rows){trvi_part(columns, TRVI_LOWER_S),
                       trvi_part(columns, TRVI_UPPER_S),
                       trvi_part(columns, TRVI_LOWER_U),
                       trvi_part(columns, TRVI_UPPER_U),
                       trvi_part(columns, TRVI_LOWER_V),
                       trvi_part(columns, TRVI_UPPER_V),
                       columns->reach.items,
                       columns->tag.items};
}

// Of eight bytes, the first of them lowest, those that have the bit, as the lowest bits of a number.
static inline uint32_t trvi_bytes_with(uint64_t eight, uint32_t bit)
{
    const uint64_t in_each = UINT64_C(0x0101010101010101);
    // Byte k is multiplied by 2^(56 - 7 k), among others; no two of the products meet.
    return (uint32_t)(((eight >> bit & in_each) * UINT64_C(0x0102040810204080)) >> 56);
}

// The touched and plain flags of a proxy's tags.
static inline uint32_t trvi_tag_flags(uint8_t state)
{
    return (state & TRVI_PROXY_ACTIVE ? TRVI_TAG_TOUCHED : 0u) |
           (state & TRVI_PROXY_PLAIN ? TRVI_TAG_PLAIN : 0u);
}

static inline float trvi_axis_of(trv_vec3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// The same of one in memory, without a branch.
static inline float trvi_side_of(const trv_vec3 *v, uint32_t axis)
{
    float side;
    memcpy(&side, (const char *)v + axis * sizeof side, sizeof side);
    return side;
}

#if defined(TRVI_LANES_SSE2)
// The lower corner in the first three lanes, and the upper one; nothing beyond the box is read.
static inline __m128 trvi_lower_lanes(const trv_aabb *box)
{
    return _mm_loadu_ps(&box->lower.x);
}

static inline __m128 trvi_upper_lanes(const trv_aabb *box)
{
    __m128 from_z = _mm_loadu_ps(&box->lower.z);
    return _mm_shuffle_ps(from_z, from_z, _MM_SHUFFLE(0, 3, 2, 1));
}

// True when that holds for all three axes.
static inline bool trvi_on_all_axes(__m128 mask)
{
    return (~_mm_movemask_ps(mask) & 7) == 0;
}
#endif

// As trvi_aabb_contains, without a branch.
static inline bool trvi_holds_box(const trv_aabb *bounds, const trv_aabb *box)
{
#if defined(TRVI_LANES_SSE2)
    __m128 lower = _mm_cmple_ps(trvi_lower_lanes(bounds), trvi_lower_lanes(box));
    __m128 upper = _mm_cmple_ps(trvi_upper_lanes(box), trvi_upper_lanes(bounds));
    return trvi_on_all_axes(_mm_and_ps(lower, upper));
#else
    return trvi_aabb_contains(*bounds, *box);
#endif
}

static inline uint32_t trvi_giant_count(const trvi_columns *columns)
{
    return ((const uint32_t *)columns->fill.items)[columns->column_count - 1];
}

// Takes in a box that may be a giant.
static inline void trvi_bounds_take(trvi_bounds *bounds, const trv_aabb *box, bool giant)
{
    bounds->outer = trvi_aabb_union(bounds->outer, *box);
    if (!giant)
        bounds->inner = trvi_aabb_union(bounds->inner, *box);
}

// The cell that x lies in; monotone in x. The range of the grid keeps |x * inverse_cell| below 2^24.
static inline int32_t trvi_cell(double x, double inverse_cell)
{
    double c = x * inverse_cell;
    int32_t cell = (int32_t)c;
    return cell - (c < (double)cell);
}

// Cells repeat with the grid's size, so that any number of them shares a bounded number of columns.
static inline uint32_t trvi_column_at(const trvi_grid *grid, int32_t u, int32_t v)
{
    uint32_t column_u = (uint32_t)u & (grid->size[0] - 1);
    uint32_t column_v = (uint32_t)v & (grid->size[1] - 1);
    return column_v * grid->size[0] + column_u;
}

// The cells that a box meets.
typedef struct trvi_cells {
    int32_t first[2], last[2];
} trvi_cells;

static inline trvi_cells trvi_cells_of(const trvi_grid *grid, const trv_aabb *box)
{
    trvi_cells cells;
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t axis = grid->axis[k + 1];
        cells.first[k] = trvi_cell(trvi_side_of(&box->lower, axis), grid->inverse_cell[k]);
        cells.last[k] = trvi_cell(trvi_side_of(&box->upper, axis), grid->inverse_cell[k]);
    }
    return cells;
}

static inline bool trvi_is_giant(trvi_cells cells)
{
    return cells.last[0] - cells.first[0] >= TRVI_MAX_SPAN ||
           cells.last[1] - cells.first[1] >= TRVI_MAX_SPAN;
}

// store.c: all arrays get their strides; are released; have room for all that can happen to the
// proxies below `limit`.
void trvi_store_begin(trv_broad *broad);
void trvi_store_end(trv_broad *broad);
bool trvi_store_reserve(trv_broad *broad, uint32_t limit);
// At the end of each update: gives back, some updates after proxies took more room, what was needed
// in the first of these alone.
void trvi_store_trim(trv_broad *broad);

// sort.c: sorts `keys` by the bits [first, first + bits), stably, with `spare` of the same size;
// returns the one of the two that holds the result.
uint64_t *trvi_sort_bits(uint64_t *keys, uint64_t *spare, uint32_t count, uint32_t first,
                         uint32_t bits);
// The same of all their bits: quicker where few keys are alike in the upper ones.
uint64_t *trvi_sort_keys(uint64_t *keys, uint64_t *spare, uint32_t count, uint32_t bits);
uint32_t trvi_bit_width(uint32_t value);

// The key of a pair is a << bits | b, for as many bits as an index may have.
static inline uint32_t trvi_index_bits(const trv_broad *broad)
{
    return trvi_bit_width(broad->proxy_limit);
}

// Goes through the members of a set: those listed, or else all proxies that belong there.
typedef struct trvi_members {
    const uint32_t *list; // NULL: there is none
    uint32_t set, next;
} trvi_members;

// The index of the next one, of which there is one.
static inline uint32_t trvi_next_member(const trv_broad *broad, trvi_members *members)
{
    if (members->list != NULL)
        return members->list[members->next++];
    const uint8_t *states = trvi_states(broad);
    do {
        members->next++;
        TRVI_ASSERT(members->next < broad->proxy_limit);
    } while (!(states[members->next] & TRVI_PROXY_LIVE) ||
             trvi_set_of(states[members->next]) != members->set);
    return members->next;
}

// grid.c: how to divide so many members (> 0), and the bounds of all. There is room for as many
// columns, and one, in broad->counts.
enum { TRVI_MEMBERS_PER_COLUMN = 32 }; // at least, but for the first
trvi_grid trvi_choose_grid(const trv_broad *broad, trvi_grid old, trvi_members members,
                           uint32_t count, trv_aabb *bounds);

// A column of more entries needs memory to be sorted.
enum { TRVI_SMALL_COLUMN = 512 };

// Entries [first, last).
typedef struct trvi_entries {
    uint32_t first, last;
} trvi_entries;

static inline trvi_entries trvi_entries_of(const trvi_columns *columns, uint32_t column)
{
    uint32_t first = ((const uint32_t *)columns->start.items)[column];
    return (trvi_entries){first, first + ((const uint32_t *)columns->fill.items)[column]};
}

// Brings the entries of a column near.
static inline void trvi_expect_column(const trvi_columns *columns, uint32_t column)
{
    enum { PER_LINE = 16 };
    const trvi_entries all = trvi_entries_of(columns, column);
    for (uint32_t i = all.first; i < all.last; i += PER_LINE) {
        trvi_prefetch((const uint32_t *)columns->tag.items + i);
        for (uint32_t k = 0; k < TRVI_PART_COUNT; k++)
            trvi_prefetch(trvi_part(columns, k) + i);
    }
}

// The first of the sides [first, last), which are in order, that lies above `key`; `last` if none.
static inline uint32_t trvi_first_above(const float *sides, uint32_t first, uint32_t last,
                                        float key)
{
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (sides[middle] <= key)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static inline bool trvi_has_workers(const trv_broad *broad)
{
    return broad->workers.count > 1 && broad->workers.parallel_for != NULL;
}

// column.c: takes the changes of proxies over into one column of a set, which is marked as touched
// where it has entries of such; false when it is too large to be sorted without memory, and is left
// for trvi_column_sort_large.
bool trvi_column_settle(trv_broad *broad, uint32_t set, uint32_t column);
bool trvi_column_sort(trvi_columns *columns, uint32_t column);
void trvi_column_reach(trvi_columns *columns, uint32_t column); // after it was moved
// `keys` and `spare` have room for all entries of the column.
void trvi_column_sort_large(trvi_columns *columns, uint32_t column, uint64_t *keys,
                            uint64_t *spare);
// Sorts up to TRVI_SMALL_COLUMN keys; returns the one of the two arrays that holds the result.
uint64_t *trvi_column_sort_keys(uint64_t *keys, uint64_t *spare, uint32_t count);
void trvi_column_write(const trvi_columns *columns, uint32_t at, const trv_aabb *box, uint32_t tag);
void trvi_column_clear(trvi_columns *columns, uint32_t first, uint32_t last);
// Nothing in it is touched any more.
void trvi_column_untouch(const trvi_columns *columns, uint32_t column);
// Drops all entries but the first `count`.
void trvi_column_trim(trvi_columns *columns, uint32_t column, uint32_t count);
// What is to be inserted: the key of its box's lower side along s above its tag.
static inline uint64_t trvi_arrival(float lower, uint32_t tag)
{
    return (uint64_t)trvi_sort_key_of_float(lower) << 32 | tag;
}

static inline float trvi_side_of_arrival(uint64_t arrival)
{
    return trvi_float_of_sort_key((uint32_t)(arrival >> 32));
}

// Inserts `added` (> 0) entries, for which there is room, in order of their lower sides. Gives where
// they are then.
void trvi_column_insert(const trv_broad *broad, trvi_columns *columns, uint32_t column,
                        const uint64_t *arrivals, uint32_t added, uint32_t *places);
// Gives entry i its box, and the place that it has with that; takes it out.
void trvi_column_shift(trvi_columns *columns, uint32_t column, uint32_t i, const trv_aabb *box);
void trvi_column_drop(trvi_columns *columns, uint32_t column, uint32_t i);

// columns.c: brings all columns up to date with `changed`. TRV_ERROR_MEMORY: to be called again.
trv_result trvi_place_changed(trv_broad *broad);
// Nothing is dirty any more.
void trvi_commit_columns(trv_broad *broad);
// settle.c: brings all dirty columns into order, or sorts those that were built; TRV_ERROR_MEMORY
// before anything has changed.
trv_result trvi_settle_columns(trv_broad *broad, uint32_t set, bool built);
// Room to sort a column of as many entries, and a mark for each of the first `items` dirty columns,
// in broad->unfinished; and sorting those that are marked.
bool trvi_reserve_sorting(trv_broad *broad, uint32_t entries, uint32_t items);
void trvi_sort_unfinished(trv_broad *broad, uint32_t set, uint32_t items);

// track.c: brings all columns of what is not static up to date, but for what is new to them, and
// notes the pairs that begin between boxes that were not touched. What goes to other
// columns is leaving or TRVI_SPAN_SHIFTED then, and counted.
trv_result trvi_track_columns(trv_broad *broad, uint32_t *shifted);
// What moved is touched.
void trvi_touch_moved(const trv_broad *broad);
// Whatever entries the proxy has are not where they belong.
void trvi_forget_columns(const trv_broad *broad, uint32_t index);

// walk.c: the way through the columns that a box meets.
typedef struct trvi_walk {
    const trvi_columns *columns;
    float lower[3], upper[3]; // of the box, along s, u, v
    int32_t first[2];         // cell of the first column
    uint32_t span[2];         // columns along u and v
    bool wide[2];             // all columns are met, so that cells are not told apart
    uint32_t next;            // of span[0] * span[1], then the giants
    uint32_t entry, end;      // entries of the present column that may overlap along s
    uint32_t flags;           // TRVI_TAG_FIRST_... of the box in the present column
} trvi_walk;

trvi_walk trvi_walk_begin(const trvi_columns *columns, trv_aabb box);
bool trvi_walk_next(trvi_walk *walk);

// None of the entries [first, last) of one column that lie before the returned one reaches up to
// `lower` along s.
uint32_t trvi_first_reaching(const trvi_columns *columns, uint32_t first, uint32_t last,
                             double lower);

// True when entry i overlaps the box and this column is the one to say so.
static inline bool trvi_walk_meets(const trvi_walk *walk, uint32_t i)
{
    const trvi_columns *columns = walk->columns;
    uint32_t tag = ((const uint32_t *)columns->tag.items)[i];
    return trvi_part(columns, TRVI_UPPER_S)[i] >= walk->lower[0] &&
           trvi_part(columns, TRVI_LOWER_U)[i] <= walk->upper[1] &&
           trvi_part(columns, TRVI_UPPER_U)[i] >= walk->lower[1] &&
           trvi_part(columns, TRVI_LOWER_V)[i] <= walk->upper[2] &&
           trvi_part(columns, TRVI_UPPER_V)[i] >= walk->lower[2] &&
           ((tag | walk->flags) & TRVI_TAG_FIRST) == TRVI_TAG_FIRST;
}

// True when two entries of a set overlap.
static inline bool trvi_entries_meet(const trvi_columns *columns, uint32_t i, uint32_t j)
{
    bool meets = true;
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k += 2) {
        const float *lower = trvi_part(columns, k), *upper = trvi_part(columns, k + 1);
        meets = meets & (lower[i] <= upper[j]) & (lower[j] <= upper[i]);
    }
    return meets;
}

// sweep.c: adds all pairs with a touched proxy to broad->found, and sorts it and what was noted;
// each pair is in one of them, once, and ~0 behind the last of each. Where boxes have slid, those
// found are the pairs that change.
trv_result trvi_find_pairs(trv_broad *broad);
// Brings the dirty columns of what is not static up to date, all that changed being touched, and
// finds the pairs that are not with what is new to a column or with giants. What is left is found
// later.
trv_result trvi_sweep_few(trv_broad *broad);
// Has each column of what is not static filled, and swept where that adds entries, as far as there
// is room for pairs; for a single worker. Before anything is filled, room is to be reserved. A fill
// adds touched entries to a column, gives how many, and lists in order where they are.
typedef uint32_t trvi_fill(void *context, uint32_t column, const uint32_t **added);
bool trvi_reserve_sweep(trv_broad *broad, uint64_t expected);
trv_result trvi_sweep_filled(trv_broad *broad, trvi_fill *fill, void *context);

// See trvi_index_bits.
static inline uint64_t trvi_key_of(const trv_pair *pair, uint32_t bits)
{
    return (uint64_t)pair->a << bits | pair->b;
}

// Writes a pair without its slot. Written where it is to be: a copy would have to wait for it.
static inline void trvi_write_pair(trv_pair *pair, uint64_t key, uint32_t bits,
                                   const uint64_t *users)
{
    uint32_t a = (uint32_t)(key >> bits), b = (uint32_t)key & (((uint32_t)1 << bits) - 1);
    pair->a = a;
    pair->b = b;
    pair->slot = pair->reserved = 0;
    pair->user_a = users[a];
    pair->user_b = users[b];
}

// pairs.c: merges broad->found with the present pairs into the back lists. Nothing that shows is
// changed before trvi_commit_pairs, which cannot fail.
trv_result trvi_merge_pairs(trv_broad *broad);
void trvi_commit_pairs(trv_broad *broad);

#endif
