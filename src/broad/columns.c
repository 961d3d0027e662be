// The columns of a set: its boxes sorted along one axis, in columns over the other two.
//
// Along s, the axis on which the boxes spread most, they are sorted by their lower side; u and v
// are cut into cells of a few mean extents, and each cell is a column of boxes. A box
// has an entry in each column that it meets, a few at most: what meets many cells is a giant, as is
// what lies far from all others, and all giants are one more column. Two boxes that share several
// columns must be found once: in the one that holds the lower corner of their overlap, which is the
// column that is, along u and along v, the first of one of the two. So two flags for each entry
// decide it.
//
// Cells repeat: cell c and cell c + size share a column, which needs no limit on where boxes are.
// Two boxes that overlap lie together in less than 2 * TRVI_MAX_SPAN = 8 <= size cells, so that
// they never meet in one column from two different cells.
//
// A column may hold any number of boxes: one is compared only with those that it overlaps along s,
// and where boxes are alike, a cell is at most 6 of them wide, so that this is at most some fifty
// times as often as it overlaps one; wider cells are taken only where a sample of the boxes says
// that they cost less (grid.c). Where boxes are not alike, a column may hold a crowd that overlaps
// along s a hundred times as often as that; such a one is cut further for its sweep (crowd.c).
//
// An update goes only to the columns of proxies that changed, which are the dirty ones: first what
// leaves a column is dropped and what stays in it is brought up to date, each column by itself;
// then what is new to a column is inserted, after all columns were moved apart where one has no
// room. All are built anew, with another grid, where much is new, and now and then, since boxes
// spread and grow. Where little has changed, boxes go from place to place instead: slide.c. Where
// much has moved, columns are swept for pairs that begin when they are brought up to date: track.c.
//
// Invariant: a column that holds an entry of a proxy that changed is dirty until the update is
// done, also when it fails in between and is called again.
//
// Based on: David Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992 (sweep and
// prune); Fuchang Liu, Takahiro Harada, Youngeun Lee, Young J. Kim, "Real-time Collision Culling
// of a Million Bodies on Graphics Processing Units", 2010 (cells across the sweep).
#include "broad_data.h"
#include "place.h"
#include "slide.h"

enum {
    PROXIES_PER_MEMBER = 8, // sets of fewer members are not looked for among all proxies
    CHANGES_FOR_ALL = 4,    // one in so many members changed: all columns are dirty
    MOVES_FOR_ALL = 10,     // the same where they moved
    CHANGES_TO_SLIDE = 10,  // one in so many changed, or less: they are slid
    NEAR_TO_SLIDE = 4,      // the same where all lies near
    NEAR_MEMBERS = 1 << 12, // so many do
    COLUMNS_PER_DIRTY = 16, // where one in so many is dirty, they are put in order
    CHANGES_SOON = 8,       // changes ahead, of which is brought near what is read
};

// Marks the columns that a proxy is in, or was in when it was removed, as dirty.
static void mark_columns(trv_broad *broad, uint32_t index)
{
    trvi_ring ring = trvi_ring_of_proxy(broad, index);
    ring.home = trvi_home_of(broad, index);
    if (ring.home == TRVI_NO_HOME)
        return;
    uint32_t set = trvi_spans(broad)[index] >> TRVI_SPAN_SET_SHIFT;
    if (!broad->sets[set].all_dirty)
        trvi_mark_ring(&broad->sets[set], ring);
}

// The same of all columns.
static void mark_all(trvi_columns *columns)
{
    for (uint32_t c = 0; c < columns->column_count && !columns->all_dirty; c++)
        trvi_mark_column(columns, c);
}

// What a look at all changed proxies says of a set, with what it needs of it side by side.
typedef struct changes {
    trvi_grid grid;
    trvi_bounds bounds;
    uint32_t giants; // column
    bool is_built, all_dirty;
    uint32_t arrivals;
} changes;

static changes changes_begin(const trvi_columns *columns)
{
    return (changes){.grid = columns->grid,
                     .bounds = columns->bounds,
                     .giants = columns->column_count - 1,
                     .is_built = columns->column_count > 0,
                     .all_dirty = columns->all_dirty};
}

// Marks the columns that the proxy is in, and finds out whether it stays there. Most that move do.
static inline void note_change(trv_broad *broad, uint32_t index, changes found[TRVI_SET_COUNT])
{
    uint8_t *state = &trvi_states(broad)[index];
    uint32_t set = trvi_set_of(*state), *home = &trvi_homes(broad)[index];
    changes *in = &found[set];
    if (!(*state & TRVI_PROXY_LIVE)) {
        mark_columns(broad, index);
        return;
    }
    if (set == TRVI_MOBILE_COLUMNS && in->all_dirty &&
        (*state & (TRVI_PROXY_ACTIVE | TRVI_PROXY_LEAVING)) == TRVI_PROXY_MOVED)
        return; // is tracked
    bool stays = !(*state & TRVI_PROXY_LEAVING);
    if ((*state & TRVI_PROXY_MOVED) && in->is_built) {
        const trv_aabb *box = &trvi_fat_boxes(broad)[index];
        trvi_ring now = trvi_ring_in(&in->grid, in->giants, box);
        if (!trvi_aabb_contains(in->bounds.inner, *box))
            trvi_bounds_take(&in->bounds, box, now.home == in->giants);
        stays = stays & trvi_rings_equal(now, trvi_ring_of_proxy(broad, index));
    }
    if (*home != TRVI_NO_HOME) {
        mark_columns(broad, index);
        if (!stays || trvi_spans(broad)[index] >> TRVI_SPAN_SET_SHIFT != (int)set)
            *home = TRVI_NO_HOME;
    }
    if (*home == TRVI_NO_HOME) {
        *state |= TRVI_PROXY_LEAVING;
        in->arrivals++;
    }
    // Only what stays in its columns, among others that move, is tracked.
    if ((*state & TRVI_PROXY_MOVED) && (*home == TRVI_NO_HOME || set == TRVI_STILL_COLUMNS))
        *state |= TRVI_PROXY_TOUCHED;
}

// The set's members: from all proxies in order of index, so that what follows reads the boxes in
// the order in which they lie; or, where those are too many to look at, from the entries and what
// is new, listed in broad->members. False when there is no memory.
static bool find_members(trv_broad *broad, const trvi_columns *columns, uint32_t set,
                         trvi_members *members)
{
    *members = (trvi_members){.set = set};
    if (columns->member_count >= broad->proxy_limit / PROXIES_PER_MEMBER)
        return true;
    if (!trvi_array_reserve(&broad->allocator, &broad->members, columns->member_count))
        return false;
    const uint8_t *states = trvi_states(broad);
    const uint32_t *tag = columns->tag.items, *changed = broad->changed.items;
    uint32_t entries = columns->column_count > 0 ? columns->tag.count : 0;
    uint32_t *list = broad->members.items, count = 0;
    for (uint32_t i = 0; i < entries; i++) {
        if ((tag[i] & TRVI_TAG_FIRST) == TRVI_TAG_FIRST &&
            trvi_entry_stays(states[tag[i] >> TRVI_TAG_BITS], set))
            list[count++] = tag[i] >> TRVI_TAG_BITS;
    }
    for (uint32_t i = 0; i < broad->changed.count; i++) {
        if (trvi_arrives(broad, changed[i], set))
            list[count++] = changed[i];
    }
    TRVI_ASSERT(count == columns->member_count);
    members->list = list;
    return true;
}

// Counts the entries of each column into broad->counts; returns how much room they need, and the
// most of one column.
static uint64_t count_entries(trv_broad *broad, const trvi_columns *columns, trvi_members members,
                              uint32_t *most)
{
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    uint32_t *counts = broad->counts.items;
    memset(counts, 0, columns->column_count * sizeof *counts);
    for (uint32_t i = 0; i < columns->member_count; i++) {
        trvi_ring ring = trvi_ring_of(columns, &boxes[trvi_next_member(broad, &members)]);
        for (uint32_t v = 0; v <= ring.span_v; v++) {
            for (uint32_t u = 0; u <= ring.span_u; u++)
                counts[trvi_ring_column(columns, ring, u, v)]++;
        }
    }
    uint64_t total = TRVI_TAIL;
    for (uint32_t c = 0; c < columns->column_count; c++) {
        total += trvi_room_for(counts[c]);
        *most = counts[c] > *most ? counts[c] : *most;
    }
    return total;
}

// Entry after entry of one proxy; `put` has the place of the next one of each column.
static void put_entries(const trv_broad *broad, trvi_columns *columns, uint32_t set, uint32_t index,
                        uint32_t *put)
{
    const trv_aabb *box = &trvi_fat_boxes(broad)[index];
    uint8_t *state = &trvi_states(broad)[index];
    trvi_ring ring = trvi_ring_of(columns, box);
    uint32_t tag = index << TRVI_TAG_BITS | trvi_tag_flags(*state);
    trvi_ring_set(broad, index, set, ring);
    *state &= (uint8_t) ~(uint32_t)TRVI_PROXY_LEAVING;
    for (uint32_t v = 0; v <= ring.span_v; v++) {
        for (uint32_t u = 0; u <= ring.span_u; u++) {
            uint32_t flags = (u == 0 ? TRVI_TAG_FIRST_U : 0) | (v == 0 ? TRVI_TAG_FIRST_V : 0);
            uint32_t column = trvi_ring_column(columns, ring, u, v);
            trvi_column_write(columns, put[column]++, box, tag | flags);
        }
    }
}

// The counts of the last column count become the starts, and the fills by dealing.
static void write_entries(trv_broad *broad, trvi_columns *columns, trvi_members members)
{
    uint32_t *start = columns->start.items, *put = columns->fill.items;
    uint32_t sum = 0;
    for (uint32_t c = 0; c < columns->column_count; c++) {
        uint32_t count = put[c];
        start[c] = put[c] = sum;
        sum += trvi_room_for(count);
    }
    start[columns->column_count] = sum;
    for (uint32_t i = 0; i < columns->member_count; i++)
        put_entries(broad, columns, members.set, trvi_next_member(broad, &members), put);
    for (uint32_t c = 0; c < columns->column_count; c++) {
        trvi_column_clear(columns, put[c], start[c + 1]);
        put[c] -= start[c];
    }
    trvi_end_entries(columns, sum);
}

// The bounds of all members but giants, of which there are some; not all are (grid.c).
static trv_aabb bounds_without_giants(const trv_broad *broad, const trvi_columns *columns,
                                      trvi_members members)
{
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    trv_aabb bounds = columns->bounds.outer;
    bool begun = false;
    for (uint32_t i = 0; i < columns->member_count; i++) {
        const trv_aabb *box = &boxes[trvi_next_member(broad, &members)];
        if (trvi_is_among_giants(columns, trvi_ring_of(columns, box)))
            continue;
        bounds = begun ? trvi_aabb_union(bounds, *box) : *box;
        begun = true;
    }
    TRVI_ASSERT(begun);
    return bounds;
}

static trv_result build(trv_broad *broad, uint32_t set)
{
    trvi_columns *columns = &broad->sets[set];
    uint32_t most_columns = 2 + columns->member_count / TRVI_MEMBERS_PER_COLUMN;
    trvi_members members;
    if (!find_members(broad, columns, set, &members) ||
        !trvi_array_reserve(&broad->allocator, &broad->counts, most_columns))
        return TRV_ERROR_MEMORY;
    trvi_columns built = *columns;
    if (columns->member_count > 0) {
        built.grid = trvi_choose_grid(broad, columns->grid, members, columns->member_count,
                                      &built.bounds.outer);
        built.bounds.inner = built.bounds.outer;
        built.column_count = built.grid.size[0] * built.grid.size[1] + 1;
        uint32_t most = 0;
        uint64_t room = count_entries(broad, &built, members, &most);
        if (((const uint32_t *)broad->counts.items)[built.column_count - 1] > 0)
            built.bounds.inner = bounds_without_giants(broad, &built, members);
        if (!trvi_reserve_entries(broad, columns, room, built.column_count) ||
            !trvi_reserve_sorting(broad, most, built.column_count))
            return TRV_ERROR_MEMORY;
    } else {
        built.column_count = 0;
    }
    // Nothing fails from here on.
    columns->grid = built.grid;
    columns->bounds = built.bounds;
    columns->column_count = built.column_count;
    columns->built_count = columns->member_count;
    columns->wear = 0;
    columns->all_dirty = true;
    columns->dirty.count = 0;
    trvi_array counts = broad->counts;
    broad->counts = columns->fill;
    columns->fill = counts;
    if (columns->column_count == 0)
        return TRV_OK;
    write_entries(broad, columns, members);
    memset(columns->mark.items, 0, columns->column_count);
    return trvi_settle_columns(broad, set, true);
}

// Lists the dirty columns in the order in which they lie, where there are so many that it costs
// little.
static void order_dirty(trvi_columns *columns)
{
    const uint8_t *mark = columns->mark.items;
    uint32_t *dirty = columns->dirty.items, count = 0;
    if (columns->dirty.count < columns->column_count / COLUMNS_PER_DIRTY)
        return;
    for (uint32_t c = 0; c < columns->column_count && count < columns->dirty.count; c++) {
        dirty[count] = c;
        count += mark[c] & TRVI_COLUMN_LISTED;
    }
}

// What still lacks some of its entries is to lose the others, too.
static void forget_shifted(trv_broad *broad)
{
    const uint32_t *changed = broad->changed.items;
    for (uint32_t i = 0; i < broad->changed.count; i++) {
        if (trvi_is_shifted(broad, changed[i], TRVI_MOBILE_COLUMNS)) {
            trvi_spans(broad)[changed[i]] &= (uint8_t) ~(uint32_t)TRVI_SPAN_SHIFTED;
            mark_columns(broad, changed[i]);
            trvi_forget_columns(broad, changed[i]);
        }
    }
}

// Nothing has been found in this update.
static void forget_found(trv_broad *broad)
{
    broad->found.count = broad->noted.count = 0;
}

// Brings the columns of a set up to date, and gives what arrives its entries.
static trv_result place_in(trv_broad *broad, uint32_t set, changes *found)
{
    trvi_columns *columns = &broad->sets[set];
    columns->bounds = found->bounds;
    order_dirty(columns);
    if (trvi_is_to_build(columns, found->arrivals)) {
        if (set == TRVI_MOBILE_COLUMNS) { // what the boxes were is lost; static ones are touched
            trvi_touch_moved(broad);
            forget_found(broad);
        }
        return build(broad, set);
    }
    if (set == TRVI_STILL_COLUMNS) {
        trv_result result = trvi_settle_columns(broad, set, false);
        return result == TRV_OK && found->arrivals > 0 ? trvi_take_arrivals(broad, set) : result;
    }
    if (columns->column_count == 0) { // and nobody to be in them
        forget_found(broad);
        return TRV_OK;
    }
    if (!columns->all_dirty) { // few pairs are looked for
        bool parallel = trvi_has_workers(broad);
        trvi_touch_moved(broad);
        trv_result result =
            parallel ? trvi_settle_columns(broad, set, false) : trvi_sweep_few(broad);
        broad->found.count = parallel ? 0 : broad->found.count;
        broad->noted.count = 0;
        return result == TRV_OK && found->arrivals > 0 ? trvi_take_arrivals(broad, set) : result;
    }
    uint32_t shifted = 0;
    trv_result result = trvi_track_columns(broad, &shifted);
    found->arrivals += shifted;
    if (result == TRV_OK && trvi_is_to_build(columns, found->arrivals)) {
        trvi_touch_moved(broad);
        forget_shifted(broad);
        forget_found(broad);
        return build(broad, set);
    }
    if (result == TRV_OK && found->arrivals > 0)
        result = trvi_take_arrivals(broad, set);
    if (result != TRV_OK)
        forget_shifted(broad);
    return result;
}

// True when nothing changed but boxes of awake proxies, some of which are new or removed.
static bool do_only_boxes_change(const trv_broad *broad)
{
    return broad->only_moves && !broad->quiet_stale && !broad->is_torn;
}

// True when what changes can be told by those that moved.
static bool may_slide(const trv_broad *broad)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    uint64_t share = columns->member_count <= NEAR_MEMBERS ? NEAR_TO_SLIDE : CHANGES_TO_SLIDE;
    return do_only_boxes_change(broad) && broad->changed.count * share <= columns->member_count &&
           broad->dead_count <= trvi_most_slid_out(broad);
}

// All that changed, where it lies side by side, as what was added together does; else none.
static trvi_span span_of_changed(const trv_broad *broad)
{
    const uint32_t *changed = broad->changed.items, count = broad->changed.count;
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        least = changed[i] < least ? changed[i] : least;
        most = changed[i] > most ? changed[i] : most;
    }
    return count > 0 && most - least < count ? (trvi_span){least, count} : (trvi_span){0, 0};
}

// Marks the columns of all that changed, which are gone. Where as many are gone as there are columns,
// few columns have lost none.
static void mark_gone(trv_broad *broad)
{
    const uint32_t *changed = broad->changed.items;
    uint32_t gone[TRVI_SET_COUNT] = {0};
    bool few[TRVI_SET_COUNT];
    gone[TRVI_MOBILE_COLUMNS] = broad->only_removes ? broad->dead_count : 0;
    for (uint32_t i = 0; i < broad->changed.count && !broad->only_removes; i++)
        gone[trvi_spans(broad)[changed[i]] >> TRVI_SPAN_SET_SHIFT]++;
    for (uint32_t set = 0; set < TRVI_SET_COUNT; set++) {
        few[set] = gone[set] < broad->sets[set].column_count;
        if (!few[set] && gone[set] > 0)
            mark_all(&broad->sets[set]);
    }
    if (broad->only_removes && !few[TRVI_MOBILE_COLUMNS])
        return;
    for (uint32_t i = 0; i < broad->changed.count; i++) {
        if (few[trvi_spans(broad)[changed[i]] >> TRVI_SPAN_SET_SHIFT])
            mark_columns(broad, changed[i]);
    }
}

trv_result trvi_place_changed(trv_broad *broad)
{
    broad->has_slid = false;
    broad->only_gone = !broad->is_torn && broad->changed.count == broad->dead_count;
    broad->only_removes = broad->only_gone && do_only_boxes_change(broad);
    broad->gone = broad->only_gone ? span_of_changed(broad) : (trvi_span){0, 0};
    broad->found.count = 0;
    if (may_slide(broad)) {
        uint32_t arrivals;
        trv_result result = trvi_slide(broad, &arrivals, &broad->has_slid);
        if (result == TRV_OK && arrivals > 0 && broad->has_slid)
            result = trvi_take_arrivals(broad, TRVI_MOBILE_COLUMNS);
        if (result != TRV_OK || broad->has_slid)
            return result;
    }
    changes found[TRVI_SET_COUNT];
    const uint32_t *changed = broad->changed.items;
    if (broad->is_torn)
        trvi_touch_moved(broad);
    for (uint32_t set = 0; set < TRVI_SET_COUNT; set++) {
        trvi_columns *columns = &broad->sets[set];
        uint64_t members = columns->member_count;
        if (columns->column_count > 0 &&
            ((uint64_t)broad->changed.count * CHANGES_FOR_ALL > members ||
             (uint64_t)broad->moved_count * MOVES_FOR_ALL > members))
            columns->all_dirty = true;
        found[set] = changes_begin(columns);
    }
    // What is tracked is not looked at before. Should this fail, more has happened to it by then.
    bool only_moved = broad->moved_count == broad->changed.count && broad->first_dead == 0;
    bool all_tracked =
        broad->only_moves && only_moved && broad->sets[TRVI_MOBILE_COLUMNS].all_dirty;
    broad->only_moves = false;
    if (broad->only_gone)
        mark_gone(broad);
    const uint32_t noted = all_tracked || broad->only_gone ? 0 : broad->changed.count;
    const uint32_t far = broad->proxy_limit > TRVI_MANY_BOXES ? noted : 0;
    for (uint32_t i = 0; i < noted; i++) {
        if (i + CHANGES_SOON < far) {
            trvi_expect_proxy(broad, changed[i + CHANGES_SOON]);
            trvi_prefetch(&trvi_spans(broad)[changed[i + CHANGES_SOON]]);
        }
        note_change(broad, changed[i], found);
    }
    // What moves is compared with static proxies, which are in their places then.
    trv_result result = place_in(broad, TRVI_STILL_COLUMNS, &found[TRVI_STILL_COLUMNS]);
    if (result == TRV_OK)
        result = place_in(broad, TRVI_MOBILE_COLUMNS, &found[TRVI_MOBILE_COLUMNS]);
    return result;
}

void trvi_commit_columns(trv_broad *broad)
{
    for (uint32_t set = 0; set < TRVI_SET_COUNT; set++) {
        trvi_columns *columns = &broad->sets[set];
        const uint32_t *dirty = columns->dirty.items;
        uint32_t count = columns->all_dirty ? columns->column_count : columns->dirty.count;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t column = columns->all_dirty ? k : dirty[k];
            uint8_t *mark = (uint8_t *)columns->mark.items + column;
            if (*mark & TRVI_COLUMN_TOUCHED)
                trvi_column_untouch(columns, column);
            *mark = 0;
        }
        columns->dirty.count = 0;
        columns->all_dirty = false;
    }
}
