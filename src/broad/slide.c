// Where little moves: each box that moved is taken from its place in a column to the next one, and
// tells by that which pairs change.
//
// Boxes are taken one after the other, and all others are where they are then, some moved by now
// and some not yet. The pairs that one makes or breaks on its way are noted: those with entries that
// it overlaps at one of the two places and not at the other. Two boxes that both moved may be noted
// twice, once to begin and once to end; then nothing has changed between them. So a pair changes
// that is noted an odd number of times, and only those are told to the list of pairs (edit.c),
// however many others there are that the boxes keep.
//
// A box that comes to other columns leaves all of its own first, as if it went far away, and then
// arrives like one that is new (arrive.c): its pairs are found anew, and those that end and begin
// cancel out, too.
//
// What sleeps, is static, is a giant or has got another filter is not for this, nor are columns of
// many boxes, in which entries are looked for: then nothing is changed here, and all is done as
// where much moves (columns.c).
//
// Invariant: between the first entry and the end of the update is_torn is set, since columns show
// boxes of which pairs are not known. The work is that of one thread, whatever workers there are:
// entries of equal sides would lie in another order else.
#include "slide.h"

#include "place.h"
#include "sink.h"

enum {
    MOST_ENTRIES = 1000, // of a column
    LEAST_ROOM = 256,
    SOON = 8 // proxies ahead, whose boxes are brought near
};

typedef struct slider {
    trv_broad *broad;
    trvi_columns *columns;
    trvi_rows rows;
    trvi_entries giants;
    trvi_sink out; // to broad->noted
} slider;

// ---- Who moved ----

// One that changed: whether it can be slid. It is leaving where it is new or comes to other columns.
static bool look_at(trv_broad *broad, uint32_t index, trv_aabb *bounds, uint32_t *leaving)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const trv_aabb *box = &trvi_fat_boxes(broad)[index];
    trvi_ring now = {0}, old = trvi_ring_of_proxy(broad, index);
    if (!trvi_ring_of(columns, box, &now) || old.home == columns->column_count - 1)
        return false;
    if (!trvi_aabb_contains(*bounds, *box))
        *bounds = trvi_aabb_union(*bounds, *box);
    if (old.home != TRVI_NO_HOME && trvi_rings_equal(now, old))
        return true;
    trvi_states(broad)[index] |= TRVI_PROXY_LEAVING | TRVI_PROXY_TOUCHED;
    ++*leaving;
    return true;
}

// Counts its entries; false where a column has too many.
static bool count_entries(trv_broad *broad, uint32_t index)
{
    trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    trvi_ring ring = trvi_ring_of_proxy(broad, index);
    uint32_t *counts = broad->counts.items;
    const uint32_t *fill = columns->fill.items;
    bool few = true;
    for (uint32_t v = 0; v <= ring.span_v; v++) {
        for (uint32_t u = 0; u <= ring.span_u; u++) {
            uint32_t column = trvi_ring_column(columns, ring, u, v);
            counts[column]++;
            few = few && fill[column] <= MOST_ENTRIES;
        }
    }
    return few;
}

// A proxy that is new has no entries.
static bool has_entries(const trv_broad *broad, uint32_t index)
{
    return trvi_homes(broad)[index] != TRVI_NO_HOME;
}

// Brings near what is looked at of a proxy.
static void expect(const trv_broad *broad, uint32_t index)
{
    TRVI_FETCH(&trvi_fat_boxes(broad)[index].lower);
    TRVI_FETCH(&trvi_fat_boxes(broad)[index].upper.z); // may be on the next line
    TRVI_FETCH(&trvi_homes(broad)[index]);
}

// Looks at all that changed. Where one cannot be slid, nothing has changed.
static bool look_at_all(trv_broad *broad, trv_aabb *bounds, uint32_t *leaving)
{
    const uint32_t *changed = broad->changed.items;
    uint8_t *states = trvi_states(broad);
    uint32_t i = 0;
    bool slides = true;
    for (; i < broad->changed.count && slides; i++) {
        if (i + SOON < broad->changed.count)
            expect(broad, changed[i + SOON]);
        slides = look_at(broad, changed[i], bounds, leaving);
        if (slides && has_entries(broad, changed[i]))
            slides = count_entries(broad, changed[i]);
    }
    for (uint32_t k = 0; k < i && !slides; k++) {
        states[changed[k]] &= (uint8_t) ~(uint32_t)TRVI_PROXY_LEAVING;
        if (has_entries(broad, changed[k]))
            states[changed[k]] &= (uint8_t) ~(uint32_t)TRVI_PROXY_TOUCHED;
    }
    return slides;
}

// ---- What changes for one of them ----

static bool note(slider *s, uint32_t a, uint32_t b)
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

// What changes with the entries [first, last).
static bool note_differing(slider *s, const trvi_shift *shift, uint32_t first, uint32_t last)
{
    uint32_t list[TRVI_LOOKED];
    while (first < last) {
        uint32_t count = s->broad->kernels.differ(&s->rows, shift, &first, last, list);
        for (uint32_t n = 0; n < count; n++) {
            if (!note(s, shift->tag, s->rows.tag[list[n]]))
                return false;
        }
    }
    return true;
}

// The static proxies that `box` overlaps, and not both or none of the other two, if they are given.
static bool walk_still(slider *s, uint32_t tag, const trv_aabb *box, const trv_aabb *was,
                       const trv_aabb *now)
{
    const trv_broad *broad = s->broad;
    const trvi_columns *still = &broad->sets[TRVI_STILL_COLUMNS];
    const uint32_t *tags = still->tag.items;
    const float *lower_s = trvi_part(still, TRVI_LOWER_S);
    trvi_walk walk = trvi_walk_begin(still, *box);
    while (trvi_walk_next(&walk)) {
        for (uint32_t i = walk.entry; i < walk.end && lower_s[i] <= walk.upper[0]; i++) {
            if (!trvi_walk_meets(&walk, i))
                continue;
            const trv_aabb *other = &trvi_fat_boxes(broad)[tags[i] >> TRVI_TAG_BITS];
            if (was != NULL && trvi_aabb_overlaps(*was, *other) == trvi_aabb_overlaps(*now, *other))
                continue;
            if (!note(s, tag, tags[i]))
                return false;
        }
    }
    return true;
}

static trv_aabb box_of_sides(const float sides[6], const trvi_grid *grid)
{
    float lower[3], upper[3];
    for (uint32_t k = 0; k < 3; k++) {
        lower[grid->axis[k]] = sides[2 * k];
        upper[grid->axis[k]] = sides[2 * k + 1];
    }
    return (trv_aabb){{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
}

// What changes outside of the column, for the entry in the proxy's first one. `now` is NULL where it
// leaves.
static bool note_outside(slider *s, const trvi_shift *shift, const trv_aabb *now)
{
    if (!note_differing(s, shift, s->giants.first, s->giants.last))
        return false;
    if (s->broad->sets[TRVI_STILL_COLUMNS].column_count == 0)
        return true;
    trv_aabb was = box_of_sides(shift->was, &s->columns->grid);
    if (now == NULL)
        return walk_still(s, shift->tag, &was, NULL, NULL);
    if (!trvi_aabb_overlaps(was, *now))
        return walk_still(s, shift->tag, &was, NULL, NULL) &&
               walk_still(s, shift->tag, now, NULL, NULL);
    trv_aabb both = trvi_aabb_union(was, *now);
    return walk_still(s, shift->tag, &both, &was, now);
}

// The sides of an entry as it is, and of a box, which overlaps nothing where there is none.
static trvi_shift shift_of(const trvi_columns *columns, uint32_t i, const trv_aabb *box)
{
    trvi_shift shift = {.tag = ((const uint32_t *)columns->tag.items)[i]};
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t axis = columns->grid.axis[k];
        shift.was[2 * k] = trvi_part(columns, 2 * k)[i];
        shift.was[2 * k + 1] = trvi_part(columns, 2 * k + 1)[i];
        shift.now[2 * k] = box != NULL ? trvi_side_of(&box->lower, axis) : HUGE_VALF;
        shift.now[2 * k + 1] = box != NULL ? trvi_side_of(&box->upper, axis) : -HUGE_VALF;
    }
    return shift;
}

// One entry that is to be slid: a proxy, and where its entry was when it was looked for.
typedef struct slide_item {
    uint32_t index, entry;
} slide_item;

// Takes the entry of one proxy in a column to its new place, or out.
static bool slide_one(slider *s, uint32_t column, slide_item item)
{
    trv_broad *broad = s->broad;
    const trvi_entries all = trvi_entries_of(s->columns, column);
    const uint32_t index = item.index;
    uint32_t i = item.entry;
    if (i >= all.last || s->rows.tag[i] >> TRVI_TAG_BITS != index) // another one has moved it
        i = broad->kernels.seek(s->rows.tag, all.first, all.last, index);
    TRVI_ASSERT(i < all.last);
    bool leaves = trvi_states(broad)[index] & TRVI_PROXY_LEAVING;
    const trv_aabb *now = leaves ? NULL : &trvi_fat_boxes(broad)[index];
    const trvi_shift shift = shift_of(s->columns, i, now);
    float lower = shift.was[0] < shift.now[0] ? shift.was[0] : shift.now[0];
    uint32_t first = i / TRVI_BLOCK, start = all.first / TRVI_BLOCK;
    while (first > start && s->rows.reach[first - 1] >= lower)
        first--;
    if (!note_differing(s, &shift, first * TRVI_BLOCK, all.last))
        return false;
    if ((shift.tag & TRVI_TAG_FIRST) == TRVI_TAG_FIRST && !note_outside(s, &shift, now))
        return false;
    if (leaves)
        trvi_column_drop(s->columns, column, i);
    else
        trvi_column_shift(s->columns, column, i, now);
    return true;
}

// ---- All columns ----

// Deals those that have entries to the dirty columns; broad->counts has then where each one's end.
static void deal(trv_broad *broad, slide_item *items)
{
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    const uint32_t *changed = broad->changed.items;
    uint32_t *put = broad->counts.items, sum = 0;
    for (uint32_t c = 0; c < columns->column_count; c++) {
        uint32_t count = put[c];
        put[c] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < broad->changed.count; i++) {
        if (!has_entries(broad, changed[i]))
            continue;
        trvi_ring ring = trvi_ring_of_proxy(broad, changed[i]);
        for (uint32_t v = 0; v <= ring.span_v; v++) {
            for (uint32_t u = 0; u <= ring.span_u; u++)
                items[put[trvi_ring_column(columns, ring, u, v)]++].index = changed[i];
        }
    }
}

// Looks for the entries of the items [first, last) of a column, and brings near what is read there.
static void seek_items(const slider *s, uint32_t column, slide_item *items, uint32_t first,
                       uint32_t last)
{
    const trvi_entries all = trvi_entries_of(s->columns, column);
    for (uint32_t n = first; n < last; n++) {
        uint32_t index = items[n].index;
        uint32_t i = s->broad->kernels.seek(s->rows.tag, all.first, all.last, index);
        items[n].entry = i;
        expect(s->broad, index);
        for (uint32_t k = 0; k < TRVI_PART_COUNT; k++)
            TRVI_FETCH(trvi_part(s->columns, k) + i);
        TRVI_FETCH(s->rows.reach + i / TRVI_BLOCK);
    }
}

// Each column's entries are looked for before those of the column in front of it are slid.
static bool slide_all(slider *s, slide_item *items)
{
    const uint32_t *end = s->broad->counts.items, columns = s->columns->column_count;
    uint32_t i = 0, column = 0, next = 0;
    while (next < columns && end[next] == 0)
        next++;
    if (next < columns)
        seek_items(s, next, items, 0, end[next]);
    while (next < columns) {
        column = next++;
        while (next < columns && end[next] == end[column])
            next++;
        if (next < columns)
            seek_items(s, next, items, end[column], end[next]);
        for (; i < end[column]; i++) {
            if (!slide_one(s, column, items[i]))
                return false;
        }
    }
    return true;
}

static uint64_t sum_of(const trvi_array *counts, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += ((const uint32_t *)counts->items)[i];
    return sum;
}

static bool reserve(trv_broad *broad, uint64_t entries)
{
    uint64_t pairs = broad->lists[broad->front].kept.count;
    return entries <= UINT32_MAX / 2 &&
           trvi_array_reserve(&broad->allocator, &broad->members, (uint32_t)entries * 2) &&
           trvi_array_reserve(&broad->allocator, &broad->noted,
                              (uint32_t)(pairs / 16) + broad->moved_count + LEAST_ROOM);
}

trv_result trvi_slide(trv_broad *broad, uint32_t *arrivals, bool *done)
{
    trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    *done = false;
    *arrivals = 0;
    if (broad->changed.count == 0) {
        *done = true;
        return TRV_OK;
    }
    if (columns->column_count == 0)
        return TRV_OK;
    if (!trvi_array_reserve(&broad->allocator, &broad->counts, columns->column_count))
        return TRV_ERROR_MEMORY;
    memset(broad->counts.items, 0, columns->column_count * sizeof(uint32_t));
    trv_aabb bounds = columns->bounds;
    if (!look_at_all(broad, &bounds, arrivals))
        return TRV_OK;
    broad->only_moves = false; // until the update is done
    if (trvi_is_to_build(columns, *arrivals))
        return TRV_OK;
    if (!reserve(broad, sum_of(&broad->counts, columns->column_count)))
        return TRV_ERROR_MEMORY;
    *done = true;
    broad->is_torn = true;
    columns->bounds = bounds;
    slide_item *items = broad->members.items;
    deal(broad, items);
    slider s = {.broad = broad,
                .columns = columns,
                .rows = trvi_rows_of(columns),
                .giants = trvi_entries_of(columns, columns->column_count - 1),
                .out = {broad->noted.items, 0, broad->noted.capacity, trvi_index_bits(broad)}};
    bool slid = slide_all(&s, items);
    broad->noted.count = s.out.count;
    return slid ? TRV_OK : TRV_ERROR_MEMORY;
}
