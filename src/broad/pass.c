// The broadphase's state as a row of numbers, for files: what is read may come from anywhere.
//
// Only what the caller's calls have made is written: proxies, what has changed, and the pairs. The
// columns follow from it, and are built when it is read; so nothing that leads through memory is
// ever taken from a file, and what is read is checked to be a state that calls could have made.
// Pairs come out the same whatever the columns look like.
//
// Invariant: one function for each part, which writes or reads it as the pass goes.
#include "filter.h"

// Of a proxy's state byte; what else it may hold is about entries in columns.
enum {
    KEPT_BITS = TRVI_PROXY_SET | TRVI_PROXY_LIVE | TRVI_PROXY_LISTED | TRVI_PROXY_TOUCHED |
                TRVI_PROXY_PLAIN,
    OWNED = TRVI_PROXY_MOVED, // which is not kept: the owner follows the filter
    LEAST_PROXY_BYTES = 13,
    PAIR_BYTES = 12
};

// What has been met while reading, for each index; and for each slot.
enum { MET_LISTED = 1, MET_FREE = 2, MET_DEAD = 4 };

typedef struct passing {
    trv_broad *broad;
    const trvi_pass *by;
    trv_result result;
} passing;

static void pass_numbers(const passing *p, void *items, uint32_t width, size_t count)
{
    p->by->numbers(p->by->context, items, width, count);
}

// False where it does not hold: then what follows is not to be believed.
static bool expect(passing *p, bool holds)
{
    if (!holds && p->result == TRV_OK)
        p->result = TRV_ERROR_RANGE;
    return p->result == TRV_OK;
}

static bool reserve(passing *p, trvi_array *array, uint32_t count)
{
    if (p->result == TRV_OK && !trvi_array_reserve(&p->broad->allocator, array, count))
        p->result = TRV_ERROR_MEMORY;
    return p->result == TRV_OK;
}

// A count of things of at least `least` bytes each; 0 where there cannot be so many.
static uint32_t pass_count(passing *p, uint32_t count, size_t least)
{
    pass_numbers(p, &count, 4, 1);
    if (p->by->reads && !expect(p, count <= p->by->left(p->by->context) / least))
        return 0;
    return count;
}

static bool is_within(const trv_aabb *box, float most)
{
    return box->lower.x >= -most && box->lower.y >= -most && box->lower.z >= -most &&
           box->upper.x <= most && box->upper.y <= most && box->upper.z <= most;
}

static void pass_boxes(passing *p, uint32_t index)
{
    trv_broad *broad = p->broad;
    trv_aabb *fat = &trvi_fat_boxes(broad)[index], *tight = fat;
    if (broad->margin > 0.0f) {
        tight = &((trv_aabb *)broad->tight.items)[index];
        pass_numbers(p, tight, 4, 6);
    }
    pass_numbers(p, fat, 4, 6);
    // Grown by the margin; the last bit may have been rounded up.
    float most = (TRV_COORD_MAX + broad->margin) * 1.000001f;
    if (p->by->reads)
        expect(p, trvi_check_aabb(*tight) == TRV_OK && trvi_aabb_contains(*fat, *tight) &&
                      is_within(fat, most));
}

static void pass_live(passing *p, uint32_t index, uint8_t state)
{
    trv_broad *broad = p->broad;
    pass_boxes(p, index);
    if (!(state & TRVI_PROXY_PLAIN)) {
        trv_filter *filter = &((trv_filter *)broad->filter.items)[index];
        pass_numbers(p, &filter->category, 8, 1);
        pass_numbers(p, &filter->mask, 8, 1);
        pass_numbers(p, &filter->group, 4, 1);
        if (p->by->reads)
            filter->reserved = 0;
        if (state & OWNED)
            pass_numbers(p, &filter->reserved, 4, 1);
    }
    if (!p->by->reads)
        return;
    expect(p, (state & TRVI_PROXY_SET) <= TRV_PROXY_AWAKE && trvi_generations(broad)[index] != 0);
    broad->live_count++;
    broad->sets[trvi_set_of(state)].member_count++;
}

static void pass_proxies(passing *p)
{
    trv_broad *broad = p->broad;
    uint32_t count = pass_count(p, broad->proxy_limit - 1, LEAST_PROXY_BYTES);
    if (p->by->reads) {
        if (!expect(p, count < TRVI_MAX_PROXIES))
            return;
        broad->has_filters = true;
        if (count > 0 && !trvi_store_reserve(broad, count + 1))
            p->result = TRV_ERROR_MEMORY;
        if (p->result != TRV_OK)
            return;
        broad->proxy_limit = count + 1;
    }
    for (uint32_t i = 1; i <= count && p->result == TRV_OK; i++) {
        uint8_t state = trvi_states(broad)[i] & KEPT_BITS;
        if (trvi_states(broad)[i] & TRVI_PROXY_MOVED) // in columns that do not show it
            state |= TRVI_PROXY_TOUCHED;
        if (!p->by->reads && (state & TRVI_PROXY_LIVE) && trvi_filter_of(broad, i).reserved != 0)
            state |= OWNED;
        pass_numbers(p, &state, 1, 1);
        pass_numbers(p, &trvi_generations(broad)[i], 4, 1);
        pass_numbers(p, &trvi_users(broad)[i], 8, 1);
        if (p->by->reads) {
            expect(p, !(state & ~(uint32_t)(KEPT_BITS | OWNED)) &&
                          (!(state & TRVI_PROXY_TOUCHED) || (state & TRVI_PROXY_LISTED)));
            trvi_states(broad)[i] = state & KEPT_BITS;
            trvi_homes(broad)[i] = TRVI_NO_HOME;
            trvi_spans(broad)[i] = 0;
            trvi_bury_home(broad, i); // of one that is not live
        }
        if (state & TRVI_PROXY_LIVE)
            pass_live(p, i, state);
    }
}

static uint8_t *marks_of(const passing *p)
{
    return p->broad->unfinished.items;
}

// An index that has not been met so.
static bool meet(passing *p, uint32_t index, uint8_t mark)
{
    if (!expect(p, index > 0 && index < p->broad->proxy_limit) ||
        !expect(p, !(marks_of(p)[index] & mark)))
        return false;
    marks_of(p)[index] |= mark;
    return true;
}

// A chain through the homes of proxies that are not live.
static uint32_t pass_chain(passing *p, uint32_t *first, uint8_t mark)
{
    uint32_t *homes = trvi_homes(p->broad), count = 0;
    if (!p->by->reads)
        for (uint32_t i = *first; i != 0; i = homes[i])
            count++;
    count = pass_count(p, count, 4);
    uint32_t index = *first, *link = first;
    for (uint32_t k = 0; k < count && p->result == TRV_OK; k++) {
        pass_numbers(p, &index, 4, 1);
        if (p->by->reads) {
            if (!meet(p, index, MET_FREE | MET_DEAD) ||
                !expect(p, !(trvi_states(p->broad)[index] & TRVI_PROXY_LIVE)))
                break;
            marks_of(p)[index] &= (uint8_t) ~(uint32_t)(mark ^ (MET_FREE | MET_DEAD));
            *link = index;
        }
        link = &homes[index];
        if (p->by->reads)
            *link = 0;
        index = *link;
    }
    return count;
}

static void pass_changed(passing *p)
{
    trv_broad *broad = p->broad;
    uint32_t count = pass_count(p, broad->changed.count, 4), listed = 0;
    if (!p->by->reads) {
        pass_numbers(p, broad->changed.items, 4, count);
        return;
    }
    if (!expect(p, count < broad->proxy_limit)) // there is room for all proxies
        return;
    uint32_t *changed = broad->changed.items;
    pass_numbers(p, changed, 4, count);
    for (uint32_t i = 0; i < count; i++)
        if (!meet(p, changed[i], MET_LISTED) ||
            !expect(p, trvi_states(broad)[changed[i]] & TRVI_PROXY_LISTED))
            return;
    for (uint32_t i = 1; i < broad->proxy_limit; i++)
        listed += (trvi_states(broad)[i] & TRVI_PROXY_LISTED) != 0;
    if (expect(p, listed == count))
        broad->changed.count = count;
}

// Live, or removed since the last update.
static bool is_known(const passing *p, uint32_t index)
{
    return index > 0 && index < p->broad->proxy_limit &&
           ((trvi_states(p->broad)[index] & TRVI_PROXY_LIVE) || (marks_of(p)[index] & MET_DEAD));
}

static void pass_pairs(passing *p, trvi_array *list)
{
    uint32_t count = pass_count(p, list->count, PAIR_BYTES);
    if (p->by->reads && !reserve(p, list, count))
        return;
    trv_pair *pairs = list->items;
    for (uint32_t i = 0; i < count && p->result == TRV_OK; i++) {
        pass_numbers(p, &pairs[i].a, 4, 1);
        pass_numbers(p, &pairs[i].b, 4, 1);
        pass_numbers(p, &pairs[i].slot, 4, 1);
        if (!p->by->reads)
            continue;
        if (!expect(p,
                    pairs[i].a < pairs[i].b && is_known(p, pairs[i].a) && is_known(p, pairs[i].b)))
            return;
        pairs[i].user_a = trvi_users(p->broad)[pairs[i].a];
        pairs[i].user_b = trvi_users(p->broad)[pairs[i].b];
    }
    if (p->by->reads)
        list->count = count;
}

static void pass_free_slots(passing *p)
{
    trvi_array *slots = &p->broad->free_slots;
    uint32_t count = pass_count(p, slots->count, 4);
    if (p->by->reads && !reserve(p, slots, count))
        return;
    if (count > 0)
        pass_numbers(p, slots->items, 4, count);
    if (p->by->reads)
        slots->count = count;
}

// Reading -----------------------------------------------------------------------------------------

// Each list is in order, and no pair is in two of them.
static bool are_sorted(const trvi_array *const lists[3])
{
    const trv_pair *last = NULL;
    uint32_t at[3] = {0, 0, 0};
    for (;;) {
        const trv_pair *least = NULL;
        uint32_t from = 0;
        for (uint32_t k = 0; k < 3; k++) {
            if (at[k] == lists[k]->count)
                continue;
            const trv_pair *pair = (const trv_pair *)lists[k]->items + at[k];
            if (least == NULL || pair->a < least->a ||
                (pair->a == least->a && pair->b < least->b)) {
                least = pair;
                from = k;
            }
        }
        if (least == NULL)
            return true;
        if (last != NULL && (least->a < last->a || (least->a == last->a && least->b <= last->b)))
            return false;
        last = least;
        at[from]++;
    }
}

static bool take_slot(passing *p, uint32_t slot)
{
    if (!expect(p, slot < p->broad->slot_limit) || !expect(p, marks_of(p)[slot] == 0))
        return false;
    marks_of(p)[slot] = 1;
    return true;
}

// Each slot belongs to one pair, or is free: so their number follows.
static void check_pairs(passing *p)
{
    trv_broad *broad = p->broad;
    const trvi_array *const lists[3] = {&broad->lists[0].begun, &broad->lists[0].kept,
                                        &broad->quiet[0]};
    uint64_t pairs = (uint64_t)lists[0]->count + lists[1]->count + lists[2]->count;
    if (!expect(p, are_sorted(lists) && pairs + broad->free_slots.count < UINT32_MAX))
        return;
    if (pairs > broad->max_pairs || broad->live_count > broad->max_proxies)
        p->result = TRV_ERROR_LIMIT;
    broad->slot_limit = (uint32_t)pairs + broad->free_slots.count;
    if (!reserve(p, &broad->unfinished, broad->slot_limit) || broad->slot_limit == 0)
        return;
    memset(broad->unfinished.items, 0, broad->slot_limit);
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < lists[k]->count; i++)
            if (!take_slot(p, ((const trv_pair *)lists[k]->items)[i].slot))
                return;
    for (uint32_t i = 0; i < broad->free_slots.count; i++)
        if (!take_slot(p, ((const uint32_t *)broad->free_slots.items)[i]))
            return;
}

// Gives all live proxies their entries: for once, all of them have changed.
static trv_result build_columns(trv_broad *broad)
{
    uint32_t *changed = broad->changed.items, listed = broad->changed.count;
    uint8_t *states = trvi_states(broad);
    for (uint32_t i = 1; i < broad->proxy_limit; i++)
        if ((states[i] & (TRVI_PROXY_LIVE | TRVI_PROXY_LISTED)) == TRVI_PROXY_LIVE)
            changed[broad->changed.count++] = i;
    trv_result result = trvi_place_changed(broad);
    if (result != TRV_OK)
        return result;
    trvi_commit_columns(broad);
    broad->changed.count = listed;
    for (uint32_t i = 1; i < broad->proxy_limit; i++)
        states[i] &= KEPT_BITS;
    return TRV_OK;
}

trv_result trvi_broad_pass(trv_broad *broad, const trvi_pass *by)
{
    passing p = {broad, by, TRV_OK};
    float margin = broad->margin;
    pass_numbers(&p, &margin, 4, 1);
    if (!expect(&p, !(margin < broad->margin) && !(margin > broad->margin)))
        return p.result;
    pass_proxies(&p);
    if (by->reads && reserve(&p, &broad->unfinished, broad->proxy_limit))
        memset(broad->unfinished.items, 0, broad->proxy_limit);
    if (p.result == TRV_OK)
        broad->free_count = pass_chain(&p, &broad->first_free, MET_FREE);
    if (p.result == TRV_OK)
        broad->dead_count = pass_chain(&p, &broad->first_dead, MET_DEAD);
    if (p.result == TRV_OK)
        pass_changed(&p);
    if (p.result == TRV_OK)
        pass_pairs(&p, &broad->lists[broad->front].begun);
    if (p.result == TRV_OK)
        pass_pairs(&p, &broad->lists[broad->front].kept);
    if (p.result == TRV_OK)
        pass_pairs(&p, &broad->quiet[broad->quiet_front]);
    if (p.result == TRV_OK)
        pass_free_slots(&p);
    if (p.result != TRV_OK || !by->reads)
        return p.result;
    check_pairs(&p);
    broad->quiet_stale = true; // whatever it was: they are looked at in any case
    broad->only_moves = false;
    return p.result == TRV_OK ? build_columns(broad) : p.result;
}

uint32_t trvi_broad_live_count(const trv_broad *broad)
{
    return broad->live_count;
}

uint64_t trvi_broad_user(const trv_broad *broad, trv_proxy_id proxy)
{
    return trvi_users(broad)[proxy.index1];
}
