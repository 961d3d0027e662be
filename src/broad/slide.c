// Where little moves: each box that moved is taken from its place in a column to the next one, and
// tells by that which pairs change.
//
// Boxes are taken one after the other, and all others are where they are then, some moved by now
// and some not yet. The pairs that one makes or breaks on its way are noted: those with entries
// that it overlaps at one of the two places and not at the other. Two boxes that both moved may be
// noted twice, once to begin and once to end; then nothing has changed between them. So a pair
// changes that is noted an odd number of times, and only those are told to the list of pairs
// (edit.c), however many others there are that the boxes keep.
//
// A box that is removed leaves its columns, as if it went far away. One that comes to other columns
// does so first, and then arrives like one that is new (arrive.c): its pairs are found anew, and
// those that end and begin cancel out, too.
//
// Giants, which look through all columns, are last, when all others have come to where they stay.
//
// What sleeps, is static or has got another filter is not for this, nor are columns of many boxes,
// in which entries are looked for, unless few change or there are very many proxies, nor many boxes
// that go: then nothing is changed here, and all is done as where more has changed (columns.c).
//
// Invariant: between the first entry and the end of the update is_torn is set, since columns show
// boxes of which pairs are not known. The work is that of one thread, whatever workers there are:
// entries of equal sides would lie in another order else.
#include "slide.h"

#include "place.h"
#include "sink.h"

enum {
    MOST_ENTRIES = 1000, // of a column, or
    MOST_OF_FEW = 4000,  // so many where
    FEW_SHARE = 25,      // one in so many proxies has changed, or less, or
    MANY = 1 << 17,      // there are so many that to go through all of them takes longer
    GONE_SHARE = 32,     // one in so many proxies, and
    MAY_BE_GONE = 8,     // so many more, may go from columns, which takes longest
    // What is removed, in measured time: to take an entry out costs this, and 1 for each entry of
    // its column; to go through all columns costs this for each of theirs.
    TAKE_OUT = 400,
    GO_THROUGH = 6,
    LEAST_ROOM = 256,
    NEAR = 24, // entries to each side of where one is likely to be, among which it is sought first
    LONG_COLUMN = 512, // entries, beyond which not all tags of a column are brought near
    BELOW = 8,         // entries that most boxes are compared with, on both sides of their own
    ABOVE = 8,
    SOON = 12 // proxies ahead, whose boxes are brought near
};

typedef struct slider {
    trv_broad *broad;
    trvi_columns *columns;
    trvi_rows rows[TRVI_SET_COUNT];
    trvi_entries giants;
    trvi_sink out; // to broad->noted
} slider;

// One entry that is to be slid: its column and proxy, and near where it is, if boxes are spread
// evenly.
typedef struct slide_item {
    uint32_t column, index, entry;
} slide_item;

enum { ITEM_WORDS = 3 };

// ---- Who moved ----

// The columns that a proxy had at the last update.
static inline trvi_ring ring_of(const trv_broad *broad, uint32_t index)
{
    trvi_ring ring = trvi_ring_of_proxy(broad, index);
    ring.home = trvi_home_of(broad, index);
    return ring;
}

// A proxy that is new has no entries.
static bool has_entries(trvi_ring ring)
{
    return ring.home != TRVI_NO_HOME;
}

// What a look at all that changed says. Unless all of it slides, nothing has changed.
typedef struct changes {
    trvi_bounds bounds;
    uint32_t arrivals, gone; // that come to columns, and that go from some
    uint64_t cost;           // of taking out what was removed
    uint32_t most;           // entries of a column
    uint32_t items;
    bool slides;
} changes;

// One that changed. It is leaving where it is new or comes to other columns.
static inline void look_at(trv_broad *broad, uint32_t index, trvi_ring old, changes *found)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const trv_aabb *box = &trvi_fat_boxes(broad)[index];
    trvi_ring now = {0};
    if (!(trvi_states(broad)[index] & TRVI_PROXY_LIVE)) {
        found->gone += has_entries(old);
        return;
    }
    const bool within = trvi_holds_box(&found->bounds.inner, box);
    if (has_entries(old) || !within)
        now = trvi_ring_of(columns, box);
    if (!within)
        trvi_bounds_take(&found->bounds, box, trvi_is_among_giants(columns, now));
    if (has_entries(old) && trvi_rings_equal(now, old))
        return;
    trvi_states(broad)[index] |= TRVI_PROXY_LEAVING | TRVI_PROXY_TOUCHED;
    found->arrivals++;
    found->gone += has_entries(old);
}

// How far up the columns the proxy is likely to be: 0..1 of their entries. Nothing is known of where
// a removed one was.
static inline float share_of(const trv_broad *broad, uint32_t index)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const uint32_t axis = columns->grid.axis[0];
    const float bottom = trvi_side_of(&columns->bounds.inner.lower, axis);
    const float height = trvi_side_of(&columns->bounds.inner.upper, axis) - bottom;
    if (!(trvi_states(broad)[index] & TRVI_PROXY_LIVE) || !(height > 0.0f))
        return 0.0f;
    float share = (trvi_side_of(&trvi_fat_boxes(broad)[index].lower, axis) - bottom) / height;
    return share > 0.0f ? (share < 1.0f ? share : 1.0f) : 0.0f;
}

// Lists the entries of a proxy that has any, for which there is room; false where a column has too
// many.
static inline bool list_entries(const trv_broad *broad, uint32_t index, trvi_ring ring,
                                slide_item *items, changes *found)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const uint32_t *start = columns->start.items, *fill = columns->fill.items;
    const bool removed = !(trvi_states(broad)[index] & TRVI_PROXY_LIVE);
    const float share = share_of(broad, index);
    bool few = true;
    for (uint32_t v = 0; v <= ring.span_v; v++) {
        for (uint32_t u = 0; u <= ring.span_u; u++) {
            uint32_t column = trvi_ring_column(columns, ring, u, v);
            uint32_t near = start[column] + (uint32_t)(share * (float)fill[column]);
            items[found->items++] = (slide_item){column, index, near};
            found->cost += removed ? TAKE_OUT + fill[column] : 0u;
            few = few && fill[column] <= found->most;
        }
    }
    return few;
}

static bool reserve_items(const trv_broad *broad, trvi_array *words, uint64_t items)
{
    uint64_t wanted = items * ITEM_WORDS;
    return wanted <= words->capacity ||
           (wanted <= UINT32_MAX && trvi_array_reserve(&broad->allocator, words, (uint32_t)wanted));
}

uint32_t trvi_most_slid_out(const trv_broad *broad)
{
    return broad->live_count / GONE_SHARE + MAY_BE_GONE;
}

// Looks at all that changed where all of it is new, so that nothing has entries yet.
static void look_at_new(trv_broad *broad, changes *found)
{
    const uint32_t *changed = broad->changed.items, count = broad->changed.count;
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const bool far = broad->proxy_limit > TRVI_MANY_BOXES;
    for (uint32_t i = 0; i < count; i++) {
        const trv_aabb *box = &trvi_fat_boxes(broad)[changed[i]];
        if (far && i + SOON < count)
            trvi_expect_proxy(broad, changed[i + SOON]);
        trvi_states(broad)[changed[i]] |= TRVI_PROXY_LEAVING;
        if (!trvi_holds_box(&found->bounds.inner, box))
            trvi_bounds_take(&found->bounds, box,
                             trvi_is_among_giants(columns, trvi_ring_of(columns, box)));
    }
    found->arrivals = count;
}

// Lists all items in broad->members.
static trv_result look_at_all(trv_broad *broad, changes *found)
{
    enum { MOST_OF_ONE = TRVI_MAX_SPAN * TRVI_MAX_SPAN };
    const uint32_t *changed = broad->changed.items;
    uint8_t *states = trvi_states(broad);
    trv_result result = TRV_OK;
    uint32_t i = 0, most_gone = trvi_most_slid_out(broad);
    const uint32_t entries = broad->sets[TRVI_MOBILE_COLUMNS].tag.count;
    const uint64_t most_cost = (uint64_t)GO_THROUGH * entries + MAY_BE_GONE * TAKE_OUT;
    for (; i < broad->changed.count && found->slides; i++) {
        if (i + SOON < broad->changed.count)
            trvi_expect_proxy(broad, changed[i + SOON]);
        trvi_ring ring = ring_of(broad, changed[i]);
        if (has_entries(ring) &&
            !reserve_items(broad, &broad->members, (uint64_t)found->items + MOST_OF_ONE))
            result = TRV_ERROR_MEMORY;
        if (result == TRV_OK)
            look_at(broad, changed[i], ring, found);
        found->slides = result == TRV_OK && found->gone <= most_gone &&
                        (!has_entries(ring) ||
                         list_entries(broad, changed[i], ring, broad->members.items, found)) &&
                        found->cost <= most_cost;
    }
    for (uint32_t k = 0; k < i && !found->slides; k++) {
        states[changed[k]] &= (uint8_t) ~(uint32_t)TRVI_PROXY_LEAVING;
        if (has_entries(ring_of(broad, changed[k])))
            states[changed[k]] &= (uint8_t) ~(uint32_t)TRVI_PROXY_TOUCHED;
    }
    return result;
}

// ---- What changes for one of them ----

static inline bool note(slider *s, uint32_t a, uint32_t b)
{
    trv_broad *broad = s->broad;
    if (s->out.count == s->out.room) {
        broad->noted.count = s->out.count;
        if (!trvi_array_reserve(&broad->allocator, &broad->noted, s->out.count + LEAST_ROOM))
            return false;
        s->out.keys = broad->noted.items;
        s->out.room = broad->noted.capacity;
    }
    return trvi_put_tags(broad, &s->out, a, b);
}

// What changes with the entries [first, last) of a set.
static inline bool note_differing(slider *s, uint32_t set, const trvi_shift *shift, uint32_t first,
                                  uint32_t last)
{
    uint32_t list[TRVI_LOOKED];
    while (first < last) {
        uint32_t count = s->broad->kernels.differ(&s->rows[set], shift, &first, last, list);
        for (uint32_t n = 0; n < count; n++) {
            if (!note(s, shift->tag, s->rows[set].tag[list[n]]))
                return false;
        }
    }
    return true;
}

// No box, which overlaps nothing.
static const float nowhere[6] = {HUGE_VALF,  -HUGE_VALF, HUGE_VALF,
                                 -HUGE_VALF, HUGE_VALF,  -HUGE_VALF};

static inline void write_sides(const trv_aabb *box, const trvi_grid *grid, float sides[6])
{
    for (uint32_t k = 0; k < 3; k++) {
        sides[2 * k] = trvi_side_of(&box->lower, grid->axis[k]);
        sides[2 * k + 1] = trvi_side_of(&box->upper, grid->axis[k]);
    }
}

// What changes with a set, all of which that does overlaps the box. Each entry is met once, as
// trvi_walk_meets says, which is why the tag has the walk's flags.
static bool note_along(slider *s, uint32_t set, trvi_shift shift, trv_aabb box)
{
    trvi_walk walk = trvi_walk_begin(&s->broad->sets[set], box);
    while (trvi_walk_next(&walk)) {
        shift.tag = (shift.tag & ~(uint32_t)TRVI_TAG_FIRST) | walk.flags;
        if (!note_differing(s, set, &shift, walk.entry, walk.end))
            return false;
    }
    return true;
}

// What changes with any of a set. `now` is NULL where the box goes.
static bool note_across(slider *s, uint32_t set, const trvi_shift *shift, const trv_aabb *now)
{
    const trvi_grid *grid = &s->broad->sets[set].grid;
    trv_aabb was = trvi_box_of_sides(shift->was, 1, &s->columns->grid);
    trvi_shift comes = {.tag = shift->tag}, goes = comes, stays = comes;
    write_sides(&was, grid, stays.was);
    memcpy(goes.was, stays.was, sizeof goes.was);
    memcpy(goes.now, nowhere, sizeof nowhere);
    if (now == NULL)
        return note_along(s, set, goes, was);
    write_sides(now, grid, stays.now);
    if (trvi_aabb_overlaps(was, *now))
        return note_along(s, set, stays, trvi_aabb_union(was, *now));
    memcpy(comes.was, nowhere, sizeof nowhere);
    memcpy(comes.now, stays.now, sizeof comes.now);
    return note_along(s, set, goes, was) && note_along(s, set, comes, *now);
}

// The sides of an entry as it is, and of a box; NULL: nowhere. Written where it is used: a copy
// would have to wait for it.
static inline void write_shift(const trvi_columns *columns, uint32_t i, const trv_aabb *box,
                               trvi_shift *shift)
{
    shift->tag = ((const uint32_t *)columns->tag.items)[i];
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++)
        shift->was[k] = trvi_part(columns, k)[i];
    if (box != NULL)
        write_sides(box, &columns->grid, shift->now);
    else
        memcpy(shift->now, nowhere, sizeof nowhere);
}

// What changes with the others of its column, for entry i.
static inline bool note_inside(slider *s, uint32_t column, uint32_t i, const trvi_shift *shift)
{
    const trvi_entries all = trvi_entries_of(s->columns, column);
    const float *reach = s->rows[TRVI_MOBILE_COLUMNS].reach;
    float lower = shift->was[0] < shift->now[0] ? shift->was[0] : shift->now[0];
    uint32_t first = i / TRVI_BLOCK, start = all.first / TRVI_BLOCK;
    while (first > start && reach[first - 1] >= lower)
        first--;
    return note_differing(s, TRVI_MOBILE_COLUMNS, shift, first * TRVI_BLOCK, all.last);
}

// What changes for the entry in all. Each proxy looks outside of the column from its first one;
// giants look through all columns, when all others are where they stay.
static inline bool note_changes(slider *s, uint32_t column, uint32_t i, const trvi_shift *shift,
                                const trv_aabb *now)
{
    bool giant = column == s->columns->column_count - 1;
    if (giant && !note_across(s, TRVI_MOBILE_COLUMNS, shift, now))
        return false;
    if (!giant && !note_inside(s, column, i, shift))
        return false;
    if ((shift->tag & TRVI_TAG_FIRST) != TRVI_TAG_FIRST)
        return true;
    if (!giant && !note_differing(s, TRVI_MOBILE_COLUMNS, shift, s->giants.first, s->giants.last))
        return false;
    return s->broad->sets[TRVI_STILL_COLUMNS].column_count == 0 ||
           note_across(s, TRVI_STILL_COLUMNS, shift, now);
}

// Where the item's entry is: sought among those that lie near where it is likely to be, then above
// and below these.
static inline uint32_t seek_entry(const slider *s, slide_item item)
{
    const uint32_t *tag = s->rows[TRVI_MOBILE_COLUMNS].tag;
    const trvi_entries all = trvi_entries_of(s->columns, item.column);
    trvi_seek_fn *seek = s->broad->kernels.seek;
    uint32_t first = item.entry - all.first > NEAR ? item.entry - NEAR : all.first;
    first = first < all.last ? first : all.last;
    uint32_t last = all.last - first > 2 * NEAR ? first + 2 * NEAR : all.last;
    uint32_t i = seek(tag, first, last, item.index);
    if (i == last)
        i = seek(tag, last, all.last, item.index);
    if (i == all.last) {
        i = seek(tag, all.first, first, item.index);
        i = i < first ? i : all.last;
    }
    return i;
}

// Takes the entry of one proxy in a column to its new place, or out.
static inline bool slide_one(slider *s, slide_item item)
{
    trv_broad *broad = s->broad;
    const uint32_t column = item.column, index = item.index;
    const trvi_entries all = trvi_entries_of(s->columns, column);
    uint32_t i = item.entry;
    if (i >= all.last ||
        s->rows[TRVI_MOBILE_COLUMNS].tag[i] >> TRVI_TAG_BITS != index) // another one has moved it
        i = seek_entry(s, item);
    TRVI_ASSERT(i < all.last);
    bool leaves = !trvi_entry_stays(trvi_states(broad)[index], TRVI_MOBILE_COLUMNS);
    const trv_aabb *now = leaves ? NULL : &trvi_fat_boxes(broad)[index];
    trvi_shift shift;
    write_shift(s->columns, i, now, &shift);
    if (!note_changes(s, column, i, &shift, now))
        return false;
    if (leaves)
        trvi_column_drop(s->columns, column, i);
    else
        trvi_column_shift(s->columns, column, i, now);
    return true;
}

// ---- All of them ----

// Deals the items to `to` in order of their columns, where `counts` has room for each of these.
static void deal(const slide_item *items, uint32_t count, slide_item *to, uint32_t *counts,
                 uint32_t column_count)
{
    memset(counts, 0, column_count * sizeof *counts);
    for (uint32_t i = 0; i < count; i++)
        counts[items[i].column]++;
    trvi_starts_of_counts(counts, column_count);
    for (uint32_t i = 0; i < count; i++)
        to[counts[items[i].column]++] = items[i];
}

// Looks for an item's entry, and brings near what is read there.
static void seek_item(const slider *s, slide_item *item)
{
    uint32_t i = seek_entry(s, *item);
    item->entry = i;
    trvi_expect_proxy(s->broad, item->index);
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        trvi_prefetch(trvi_part(s->columns, k) + (i > BELOW ? i - BELOW : 0));
        trvi_prefetch(trvi_part(s->columns, k) + i + ABOVE);
    }
    trvi_prefetch(s->rows[TRVI_MOBILE_COLUMNS].reach + i / TRVI_BLOCK);
}

// Brings near where an item's entry is looked for first: all of a column, for the first item there,
// unless it is long.
static inline void expect_tags(const slider *s, const slide_item *item)
{
    enum { PER_LINE = 16 };
    const uint32_t *tag = s->rows[TRVI_MOBILE_COLUMNS].tag;
    trvi_entries all = trvi_entries_of(s->columns, item->column);
    if (all.last - all.first > LONG_COLUMN) {
        all.first = item->entry - all.first > NEAR ? item->entry - NEAR : all.first;
        all.last = all.last - all.first > 2 * NEAR ? all.first + 2 * NEAR : all.last;
    } else if (item[0].column == item[-1].column) {
        return;
    }
    for (uint32_t i = all.first; i < all.last; i += PER_LINE)
        trvi_prefetch(tag + i);
}

// All items but giants. Where boxes do not lie near, entries are looked for some time before they
// are slid, and tags are brought near before that; sides only then, as most of a column's are not
// read.
static bool slide_items(slider *s, slide_item *items, uint32_t count, bool far)
{
    for (uint32_t i = 0; i < SOON && i < count && far; i++)
        seek_item(s, &items[i]);
    for (uint32_t i = 0; i < count; i++) {
        if (far && i + 2 * SOON < count)
            expect_tags(s, &items[i + 2 * SOON]);
        if (far && i + SOON < count)
            seek_item(s, &items[i + SOON]);
        if (items[i].column != s->columns->column_count - 1 && !slide_one(s, items[i]))
            return false;
    }
    return true;
}

// Column by column where there are about as many items as those, and giants at the end.
static trv_result slide_all(slider *s, uint32_t count)
{
    trv_broad *broad = s->broad;
    const uint32_t columns = s->columns->column_count;
    trvi_array *words = &broad->members;
    const bool far = broad->proxy_limit > TRVI_MANY_BOXES, dealt = far && count > columns / 4;
    if (dealt && (!reserve_items(broad, words, 2 * (uint64_t)count) ||
                  !trvi_array_reserve(&broad->allocator, &broad->counts, columns)))
        return TRV_ERROR_MEMORY;
    slide_item *items = words->items;
    if (dealt) {
        deal(items, count, items + count, broad->counts.items, columns);
        items += count;
    }
    if (!slide_items(s, items, count, far))
        return TRV_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].column == columns - 1 && !slide_one(s, items[i]))
            return TRV_ERROR_MEMORY;
    }
    return TRV_OK;
}

trv_result trvi_slide(trv_broad *broad, uint32_t *arrivals, bool *done)
{
    trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    *arrivals = 0;
    broad->noted.count = 0;
    *done = broad->changed.count == 0;
    if (*done || columns->column_count == 0)
        return TRV_OK;
    bool few = (uint64_t)broad->changed.count * FEW_SHARE <= columns->member_count ||
               columns->member_count > MANY;
    changes found = {
        .bounds = columns->bounds, .slides = true, .most = few ? MOST_OF_FEW : MOST_ENTRIES};
    trv_result result = TRV_OK;
    if (trvi_is_all_new(broad))
        look_at_new(broad, &found);
    else
        result = look_at_all(broad, &found);
    if (!found.slides)
        return result;
    broad->only_moves = false; // until the update is done
    if (trvi_is_to_build(columns, found.arrivals))
        return TRV_OK;
    *done = true;
    broad->is_torn = true;
    columns->bounds = found.bounds;
    slider s = {.broad = broad,
                .columns = columns,
                .rows = {trvi_rows_of(&broad->sets[0]), trvi_rows_of(&broad->sets[1])},
                .giants = trvi_entries_of(columns, columns->column_count - 1),
                .out = {broad->noted.items, 0, broad->noted.capacity, trvi_index_bits(broad)}};
    result = slide_all(&s, found.items);
    broad->noted.count = s.out.count;
    *arrivals = found.arrivals;
    return result;
}
