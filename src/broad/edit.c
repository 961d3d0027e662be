// Taking changes over into the list of kept pairs, in place: for updates that know which pairs
// change (slide.c), so that no other pair is looked at; and for those in which proxies are removed and
// nothing else happens, which look at the proxies of all pairs and write none that stays.
//
// What began in the last update is kept by now, and is inserted; what ends is cut out; all that
// lies between moves as one piece, by as many places as there were more insertions than cuts before
// it, and stays where that is none. Where each edit is to be is looked for from the one before it
// on, by steps that double.
//
// Invariant: a plan is made first, which may fail and changes nothing that shows.
#include "edit.h"

enum {
    SHORT_RUN = 8,   // pairs that are copied one by one
    SOON = 4,        // changes ahead, near whose likely places pairs are brought near
    SOON_PAIRS = 12, // so many to each side
    AT_ONCE = 64     // pairs whose proxies are looked at before any is dealt with; bits of a word
};

// An edit: in front of which kept pair, and which of the begun ones is inserted, counted from 1; 0
// where that pair is cut out.
static uint64_t edit_at(uint32_t place, uint32_t insert1)
{
    return (uint64_t)place << 32 | insert1;
}

// Looks for keys among sorted pairs, one above the other.
typedef struct finder {
    const trv_pair *pairs;
    uint32_t count, bits;
    uint32_t place, a;     // where the last key was, and its first proxy
    uint64_t passed, over; // so many pairs lie over so many proxies, of late
} finder;

// Where a key may be if pairs lie as evenly as of late, or as all that are left; there are some.
// Pairs have their lower index first, so that they are closer at the beginning where indices say
// nothing of where boxes are.
static uint32_t guess(const finder *f, uint32_t a)
{
    const uint32_t last = f->count - 1;
    uint64_t passed = f->passed, over = f->over;
    uint32_t from = f->a;
    if (over == 0) {
        from = f->pairs[f->place].a;
        passed = last - f->place;
        over = f->pairs[last].a - from;
    }
    if (a <= from || over == 0)
        return f->place;
    uint64_t ahead = (a - from) * passed / over;
    return ahead < last - f->place ? f->place + (uint32_t)ahead : last;
}

// The first of the pairs that does not lie below the key.
static uint32_t find(finder *f, uint64_t key)
{
    enum { LATELY = 8 }; // keys
    const trv_pair *pairs = f->pairs;
    const uint32_t bits = f->bits, a = (uint32_t)(key >> bits);
    uint32_t first = f->place, last = f->count, step = 1;
    if (first == last)
        return last;
    uint32_t at = guess(f, a);
    if (trvi_key_of(&pairs[at], bits) < key) { // it lies in (at, end]
        uint32_t end = ++at;
        while (end < last && trvi_key_of(&pairs[end], bits) < key) {
            at = end + 1;
            end = last - end > step ? end + step : last;
            step *= 2;
        }
        first = at;
        last = end;
    } else { // it lies in [begin, at]
        uint32_t begin = at;
        while (begin > first && trvi_key_of(&pairs[begin], bits) >= key) {
            at = begin;
            begin = begin - first > step ? begin - step : first;
            step *= 2;
        }
        first = begin;
        last = at;
    }
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (trvi_key_of(&pairs[middle], bits) < key)
            first = middle + 1;
        else
            last = middle;
    }
    f->passed += first - f->place - f->passed / LATELY;
    f->over += a - f->a - f->over / LATELY;
    f->place = first;
    f->a = a;
    return first;
}

// Brings near where a key may be, beyond the last one.
static void expect_near(const finder *f, uint32_t a)
{
    enum { PER_LINE = 2 };
    if (f->count - f->place < 2 * SOON_PAIRS)
        return;
    uint32_t at = guess(f, a);
    uint32_t from = at - f->place > SOON_PAIRS ? at - SOON_PAIRS : f->place;
    uint32_t end = f->count - at > SOON_PAIRS ? at + SOON_PAIRS : f->count;
    for (uint32_t i = from; i < end; i += PER_LINE)
        trvi_prefetch(&f->pairs[i]);
}

static void push(trvi_array *list, trv_pair pair)
{
    TRVI_ASSERT(list->count < list->capacity);
    ((trv_pair *)list->items)[list->count++] = pair;
}

static void push_new(const trv_broad *broad, trvi_array *list, uint64_t key, uint32_t bits)
{
    TRVI_ASSERT(list->count < list->capacity);
    trvi_write_pair((trv_pair *)list->items + list->count++, key, bits, trvi_users(broad));
}

// Where nothing was noted, all that was found is new.
static bool is_all_new(const trv_broad *broad)
{
    return broad->noted.count == 0;
}

// All that was found begins.
static void begin_found(const trv_broad *broad, trvi_pair_lists *to)
{
    const uint64_t *found = broad->found.items;
    const uint32_t bits = trvi_index_bits(broad);
    for (uint32_t i = 0; i < broad->found.count; i++)
        push_new(broad, &to->begun, found[i], bits);
}

// True where no pair changes, and all there are began in the last update: their list becomes that of
// the kept ones as it is.
static bool is_begun_all(const trv_broad *broad)
{
    return broad->found.count == 0 && broad->lists[broad->front].kept.count == 0;
}

// True where so many of the pairs change that to go through all of them is quicker than to look for
// those: where each change is to be cannot be foretold, and costs as much as some pairs.
static bool do_many_change(uint64_t changes, uint64_t pairs)
{
    enum { MANY_SHARE = 16, LEAST = 8 };
    return changes > LEAST && changes > pairs / MANY_SHARE;
}

// True where a proxy of the pair was removed.
static inline bool is_cut(const uint8_t *states, const trv_pair *pair)
{
    return !(states[pair->a] & states[pair->b] & TRVI_PROXY_LIVE);
}

// Where pairs are written that go on, and those that do not; behind the last one of either, anything.
typedef struct sorter {
    const uint8_t *states;
    trv_pair *kept, *ended;
} sorter;

static inline void sort_pair(sorter *s, const trv_pair *pair)
{
    bool cut = is_cut(s->states, pair);
    *s->kept = *s->ended = *pair;
    s->kept += !cut;
    s->ended += cut;
}

// All pairs there are become kept ones, or have ended where a proxy was removed. Which list is next
// cannot be foretold: there is no branch. There is room for everything, and for one more that ended.
static void merge_all(const trv_broad *broad, const trvi_pair_lists *from, trvi_pair_lists *to)
{
    const uint32_t bits = trvi_index_bits(broad);
    // A list that holds nothing may have no memory, to which nothing is added.
    const trv_pair *at = from->kept.items, *end = at, *begun = from->begun.items,
                   *begun_end = begun;
    if (from->kept.count > 0)
        end += from->kept.count;
    if (from->begun.count > 0)
        begun_end += from->begun.count;
    sorter s = {trvi_states(broad), to->kept.items, to->ended.items};
    while (at < end && begun < begun_end) {
        bool first = trvi_key_of(at, bits) < trvi_key_of(begun, bits);
        const trv_pair *next = first ? at : begun;
        at += first;
        begun += !first;
        sort_pair(&s, next);
    }
    for (; at < end; at++)
        sort_pair(&s, at);
    for (; begun < begun_end; begun++)
        sort_pair(&s, begun);
    to->kept.count = (uint32_t)(s.kept - (trv_pair *)to->kept.items);
    to->ended.count = (uint32_t)(s.ended - (trv_pair *)to->ended.items);
}

static void swap_arrays(trvi_array *a, trvi_array *b)
{
    trvi_array swap = *a;
    *a = *b;
    *b = swap;
}

// Merges what changes with what began last, and lists what that does to the kept pairs. There is
// room for everything.
static uint32_t plan(const trv_broad *broad, const trvi_pair_lists *from, trvi_pair_lists *to,
                     uint64_t *edits)
{
    const uint64_t *changed = broad->found.items, none = ~(uint64_t)0;
    const trv_pair *begun = from->begun.items, *kept = from->kept.items;
    const uint32_t bits = trvi_index_bits(broad);
    const bool far = from->kept.count > TRVI_MANY_BOXES;
    finder f = {.pairs = kept, .count = from->kept.count, .bits = bits};
    uint32_t at = 0, b = 0, count = 0;
    if (is_all_new(broad)) {
        begin_found(broad, to);
        at = broad->found.count;
    }
    for (;;) { // each turn takes one from one of the two lists, or from both
        uint64_t change = at < broad->found.count ? changed[at] : none;
        uint64_t was_begun = b < from->begun.count ? trvi_key_of(&begun[b], bits) : none;
        if (change == none && was_begun == none)
            return count;
        if (far && change <= was_begun && at + SOON < broad->found.count)
            expect_near(&f, (uint32_t)(changed[at + SOON] >> bits));
        if (far && was_begun <= change && b + SOON < from->begun.count)
            expect_near(&f, begun[b + SOON].a);
        if (change == was_begun) {
            push(&to->ended, begun[b++]);
            at++;
            continue;
        }
        uint32_t place = find(&f, change < was_begun ? change : was_begun);
        if (was_begun < change) {
            edits[count++] = edit_at(place, ++b);
        } else if (place < from->kept.count && trvi_key_of(&kept[place], bits) == change) {
            push(&to->ended, kept[place]);
            edits[count++] = edit_at(place, 0);
            at++;
        } else {
            push_new(broad, &to->begun, change, bits);
            at++;
        }
    }
}

trv_result trvi_plan_edits(trv_broad *broad)
{
    const trv_allocator *allocator = &broad->allocator;
    trvi_pair_lists *from = &broad->lists[broad->front], *to = &broad->lists[1 - broad->front];
    uint64_t most = (uint64_t)broad->found.count + from->begun.count;
    uint64_t kept = (uint64_t)from->kept.count + from->begun.count;
    uint64_t free_slots = (uint64_t)broad->free_slots.count + broad->found.count;
    to->begun.count = to->ended.count = 0;
    broad->has_edits = true;
    if (is_begun_all(broad))
        return TRV_OK;
    if (most > UINT32_MAX || kept > UINT32_MAX || free_slots > UINT32_MAX ||
        !trvi_array_reserve(allocator, &to->begun, broad->found.count) ||
        !trvi_array_reserve(allocator, &to->ended, broad->found.count + 1) || // see merge_all
        !trvi_array_reserve(allocator, &broad->keys[1], (uint32_t)most) ||
        !trvi_array_reserve(allocator, &broad->free_slots, (uint32_t)free_slots))
        return TRV_ERROR_MEMORY;
    // Where pairs are only to begin, those that began last are merged with the others.
    broad->has_edits = !is_all_new(broad) || !do_many_change(from->begun.count, from->kept.count);
    if (!broad->has_edits) {
        if (kept + broad->found.count + broad->quiet[broad->quiet_front].count > broad->max_pairs)
            return TRV_ERROR_LIMIT;
        if (!trvi_array_reserve(allocator, &to->kept, (uint32_t)kept))
            return TRV_ERROR_MEMORY;
        begin_found(broad, to);
        merge_all(broad, from, to);
        TRVI_ASSERT(to->ended.count == 0); // or it was noted
        return TRV_OK;
    }
    broad->keys[1].count = plan(broad, from, to, broad->keys[1].items);
    uint64_t total = kept + to->begun.count - to->ended.count;
    total += broad->quiet[broad->quiet_front].count;
    if (total > broad->max_pairs)
        return TRV_ERROR_LIMIT;
    // Last: it may move the pairs that the last update told, which hold until this one succeeds.
    return trvi_array_reserve(allocator, &from->kept, (uint32_t)kept) ? TRV_OK : TRV_ERROR_MEMORY;
}

// Which of up to 64 pairs stay, a bit for each; eight are looked at together.
static inline uint64_t staying_of(const uint8_t *states, const trv_pair *pairs, uint32_t count)
{
    uint64_t stay = 0;
    uint32_t i = 0;
    for (; count - i >= 8; i += 8) {
        uint64_t eight = 0;
        for (uint32_t k = 0; k < 8; k++)
            eight |= (uint64_t)(states[pairs[i + k].a] & states[pairs[i + k].b]) << (8 * k);
        stay |= (uint64_t)trvi_bytes_with(eight, TRVI_PROXY_LIVE_BIT) << i;
    }
    for (; i < count; i++)
        stay |= (uint64_t)!is_cut(states, &pairs[i]) << i;
    return stay;
}

// Lists where the kept pairs are that are to be cut out, in broad->members; false when there is no
// memory.
static bool list_cuts(trv_broad *broad, const trvi_array *list, uint32_t *cuts)
{
    const uint8_t *states = trvi_states(broad);
    const trv_pair *kept = list->items;
    const trvi_span gone = broad->gone;
    *cuts = 0;
    for (uint32_t first = 0; first < list->count; first += AT_ONCE) {
        uint32_t in_all = list->count - first < AT_ONCE ? list->count - first : AT_ONCE;
        if (gone.count > 0 && !broad->kernels.within(kept + first, in_all, gone))
            continue;
        uint64_t stay = staying_of(states, kept + first, in_all);
        if (stay == ~(uint64_t)0 >> (AT_ONCE - in_all))
            continue;
        if (!trvi_array_reserve(&broad->allocator, &broad->members, *cuts + in_all))
            return false;
        uint32_t *places = broad->members.items;
        for (uint32_t i = 0; i < in_all; i++) {
            places[*cuts] = first + i;
            *cuts += (uint32_t)(stay >> i & 1) ^ 1;
        }
    }
    return true;
}

// What plan_cuts goes through: where kept pairs are to be cut out.
typedef struct cutter {
    const uint32_t *cuts;
    uint32_t next, count;
    const trv_pair *kept;
    trvi_array *ended;
    uint64_t *edits;
    uint32_t edit_count;
} cutter;

// Cuts out the kept pairs in front of the place.
static void cut_before(cutter *c, uint32_t place)
{
    for (; c->next < c->count && c->cuts[c->next] < place; c->next++) {
        push(c->ended, c->kept[c->cuts[c->next]]);
        c->edits[c->edit_count++] = edit_at(c->cuts[c->next], 0);
    }
}

trv_result trvi_plan_cuts(trv_broad *broad)
{
    const trv_allocator *allocator = &broad->allocator;
    trvi_pair_lists *from = &broad->lists[broad->front], *to = &broad->lists[1 - broad->front];
    const trv_pair *begun = from->begun.items;
    const uint8_t *states = trvi_states(broad);
    const uint32_t bits = trvi_index_bits(broad);
    uint32_t cuts, place = 0, stay = 0;
    finder f = {.pairs = from->kept.items, .count = from->kept.count, .bits = bits};
    to->begun.count = to->ended.count = 0;
    if (!list_cuts(broad, &from->kept, &cuts))
        return TRV_ERROR_MEMORY;
    for (uint32_t b = 0; b < from->begun.count; b++)
        stay += !is_cut(states, &begun[b]);
    broad->has_edits = !do_many_change((uint64_t)cuts + stay, from->kept.count);
    uint64_t most = (uint64_t)cuts + from->begun.count + 1; // see merge_all
    uint64_t kept = (uint64_t)from->kept.count + from->begun.count;
    uint64_t free_slots = broad->free_slots.count + most;
    if (most > UINT32_MAX || kept > UINT32_MAX || free_slots > UINT32_MAX ||
        !trvi_array_reserve(allocator, &to->ended, (uint32_t)most) ||
        !trvi_array_reserve(allocator, &broad->keys[1], (uint32_t)most) ||
        !trvi_array_reserve(allocator, &broad->free_slots, (uint32_t)free_slots))
        return TRV_ERROR_MEMORY;
    if (!broad->has_edits) {
        if (!trvi_array_reserve(allocator, &to->kept, (uint32_t)kept))
            return TRV_ERROR_MEMORY;
        merge_all(broad, from, to);
        return TRV_OK;
    }
    cutter c = {.cuts = broad->members.items,
                .count = cuts,
                .kept = from->kept.items,
                .ended = &to->ended,
                .edits = broad->keys[1].items};
    if (stay == 0 && cuts == 0 && from->begun.count > 0) { // all that began last has ended
        memcpy(to->ended.items, begun, from->begun.count * sizeof *begun);
        to->ended.count = from->begun.count;
        broad->keys[1].count = 0;
        return TRV_OK;
    }
    for (uint32_t b = 0; b < from->begun.count; b++) {
        bool ends = is_cut(states, &begun[b]);
        if (!ends || cuts > 0) {
            place = find(&f, trvi_key_of(&begun[b], bits));
            cut_before(&c, place);
        }
        if (ends)
            push(&to->ended, begun[b]);
        else
            c.edits[c.edit_count++] = edit_at(place, b + 1);
    }
    cut_before(&c, from->kept.count);
    broad->keys[1].count = c.edit_count;
    // Last, as in trvi_plan_edits.
    return trvi_array_reserve(allocator, &from->kept, from->kept.count + stay) ? TRV_OK
                                                                               : TRV_ERROR_MEMORY;
}

// Moves the pairs [first, last) by so many places.
static void move_run(trv_pair *pairs, uint32_t first, uint32_t last, int64_t by)
{
    trv_pair *to = pairs + ((int64_t)first + by);
    if (last - first > SHORT_RUN) {
        memmove(to, pairs + first, (last - first) * sizeof *pairs);
        return;
    }
    for (uint32_t i = 0; i < last - first && by < 0; i++)
        to[i] = pairs[first + i];
    for (uint32_t i = last - first; i > 0 && by > 0; i--)
        to[i - 1] = pairs[first + i - 1];
}

// What moves down moves from the first on, then what moves up from the last on: so nothing is
// written that has yet to be read.
void trvi_apply_edits(trv_broad *broad)
{
    trvi_pair_lists *from = &broad->lists[broad->front], *to = &broad->lists[1 - broad->front];
    const trv_pair *begun = from->begun.items;
    const uint64_t *edits = broad->keys[1].items;
    if (broad->has_slid && is_begun_all(broad)) {
        swap_arrays(&from->begun, &from->kept);
        swap_arrays(&from->kept, &to->kept);
        return;
    }
    trv_pair *pairs = from->kept.items;
    const uint32_t count = broad->keys[1].count, kept = from->kept.count;
    int64_t by = 0;
    for (uint32_t n = 0; n < count; n++) {
        bool inserts = (uint32_t)edits[n] != 0;
        uint32_t first = (uint32_t)(edits[n] >> 32) + !inserts;
        uint32_t last = n + 1 < count ? (uint32_t)(edits[n + 1] >> 32) : kept;
        by += inserts ? 1 : -1;
        if (by < 0)
            move_run(pairs, first, last, by);
    }
    from->kept.count = (uint32_t)(kept + by);
    uint32_t last = kept;
    for (uint32_t n = count; n > 0; n--) {
        bool inserts = (uint32_t)edits[n - 1] != 0;
        uint32_t place = (uint32_t)(edits[n - 1] >> 32);
        if (by > 0)
            move_run(pairs, place + !inserts, last, by);
        by -= inserts ? 1 : -1;
        last = place;
    }
    for (uint32_t n = 0; n < count; n++) { // all that stays is in its place
        uint32_t insert1 = (uint32_t)edits[n];
        if (insert1 != 0)
            pairs[(int64_t)(edits[n] >> 32) + by] = begun[insert1 - 1];
        by += insert1 != 0 ? 1 : -1;
    }
    swap_arrays(&from->kept, &to->kept);
    from->kept.count = 0;
    broad->keys[1].count = 0;
}
