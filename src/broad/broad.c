// The broadphase's life: proxies come, change and go; an update brings columns and pairs up to
// date.
//
// Proxies keep their index for life. A removed one waits in the graveyard, with its user value, for
// the update that reports its ended pairs, and only then may its index be used again: so an index
// means one proxy in all that an update compares. All lists that a change of a proxy appends to are
// made large enough when a proxy is added, so that only adding and updating can run out of memory.
// Invariant: see broad_data.h.
#include "filter.h"
#include "place.h"

enum { SOON = 8 }; // proxies ahead, whose boxes are brought near

trv_broad_def trv_default_broad_def(void)
{
    return (trv_broad_def){
        .cookie = TRVI_COOKIE_BROAD, .max_proxies = 1u << 24, .max_pairs = 1u << 26};
}

static trv_result check_def(const trv_broad_def *def)
{
    if (def->cookie != TRVI_COOKIE_BROAD)
        return TRV_ERROR_DEF;
    trv_result result = trvi_check_range(def->margin, 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK)
        result = trvi_check_range(def->margin_share, 0.0f, TRV_COORD_MAX);
    if (result != TRV_OK)
        return result;
    bool in_range = def->max_proxies >= 1 && def->max_proxies <= TRVI_MAX_PROXIES &&
                    def->max_pairs >= 1 && def->max_pairs <= TRVI_MAX_PAIRS &&
                    def->workers.count <= TRVI_MAX_WORKERS;
    return in_range ? TRV_OK : TRV_ERROR_RANGE;
}

trv_result trv_broad_create(const trv_broad_def *def, trv_broad **broad)
{
    if (broad == NULL)
        return TRV_ERROR_NULL;
    *broad = NULL;
    if (def == NULL)
        return TRV_ERROR_NULL;
    trv_result result = check_def(def);
    if (result != TRV_OK)
        return result;
    trv_allocator allocator = trvi_allocator_or_default(def->allocator);
    trv_broad *created = trvi_allocate(&allocator, sizeof *created);
    if (created == NULL)
        return TRV_ERROR_MEMORY;
    created->allocator = allocator;
    created->workers = def->workers;
    for (uint32_t kind = 0; trvi_kernels_at(kind, &created->kernels);)
        kind++;
    created->margin = def->margin;
    created->margin_share = def->margin_share;
    created->max_proxies = def->max_proxies;
    created->max_pairs = def->max_pairs;
    created->proxy_limit = 1;
    trvi_store_begin(created);
    *broad = created;
    return TRV_OK;
}

void trv_broad_destroy(trv_broad *broad)
{
    if (broad == NULL)
        return;
    trv_allocator allocator = broad->allocator;
    trvi_store_end(broad);
    trvi_free(&allocator, broad, sizeof *broad);
}

static void push_index(trvi_array *array, uint32_t index)
{
    TRVI_ASSERT(array->count < array->capacity);
    ((uint32_t *)array->items)[array->count++] = index;
}

// Sets TOUCHED or MOVED (or both) and lists the proxy.
static inline void mark_changed(trv_broad *broad, uint32_t index, uint8_t bits)
{
    uint8_t *state = &trvi_states(broad)[index];
    if (bits == TRVI_PROXY_MOVED &&
        (*state & (TRVI_PROXY_SET | TRVI_PROXY_LISTED)) == TRV_PROXY_AWAKE) { // as below, sooner
        push_index(&broad->changed, index);
        broad->moved_count++;
        *state |= bits | TRVI_PROXY_LISTED;
        return;
    }
    if (bits == TRVI_PROXY_TOUCHED || (*state & TRVI_PROXY_SET) == TRV_PROXY_STATIC)
        broad->only_moves = false;
    if (!(*state & TRVI_PROXY_LISTED)) {
        push_index(&broad->changed, index);
        broad->moved_count += bits == TRVI_PROXY_MOVED;
    }
    *state |= bits | TRVI_PROXY_LISTED;
    if ((bits & TRVI_PROXY_ACTIVE) && (*state & TRVI_PROXY_SET) != TRV_PROXY_AWAKE)
        broad->quiet_stale = true;
}

// Room for filters, from the first on that is not plain.
static bool reserve_filters(trv_broad *broad, trv_filter filter)
{
    if (broad->has_filters || trvi_is_default(filter))
        return true;
    broad->has_filters =
        trvi_array_reserve(&broad->allocator, &broad->filter, broad->generation.capacity);
    return broad->has_filters;
}

// Sets or clears TRVI_PROXY_PLAIN.
static void set_filter(trv_broad *broad, uint32_t index, trv_filter filter, uint32_t owner)
{
    uint8_t *state = &trvi_states(broad)[index];
    bool plain = owner == 0 && trvi_is_default(filter);
    filter.reserved = owner;
    *state = (uint8_t)((*state & ~(uint32_t)TRVI_PROXY_PLAIN) | (plain ? TRVI_PROXY_PLAIN : 0u));
    if (!plain)
        ((trv_filter *)broad->filter.items)[index] = filter;
}

static trv_result check_proxy(const trv_broad *broad, trv_proxy_id proxy)
{
    if (broad == NULL)
        return TRV_ERROR_NULL;
    bool live = proxy.index1 != 0 && proxy.index1 < broad->proxy_limit &&
                (trvi_states(broad)[proxy.index1] & TRVI_PROXY_LIVE) &&
                trvi_generations(broad)[proxy.index1] == proxy.generation;
    return live ? TRV_OK : TRV_ERROR_STALE;
}

static bool is_set(trv_proxy_set set)
{
    return set == TRV_PROXY_STATIC || set == TRV_PROXY_ASLEEP || set == TRV_PROXY_AWAKE;
}

// As trvi_check_aabb, which takes longer to tell what is wrong.
static inline trv_result check_box(const trv_aabb *box)
{
    const float most = TRV_COORD_MAX;
    bool right = box->lower.x >= -most && box->lower.x <= box->upper.x && box->upper.x <= most &&
                 box->lower.y >= -most && box->lower.y <= box->upper.y && box->upper.y <= most &&
                 box->lower.z >= -most && box->lower.z <= box->upper.z && box->upper.z <= most;
    return right ? TRV_OK : trvi_check_aabb(*box);
}

// The same of one in an array. One that has only just been written side by side would be waited
// for here.
static inline trv_result check_box_at(const trv_aabb *box)
{
#if defined(TRVI_LANES_SSE2)
    __m128 most = _mm_set1_ps(TRV_COORD_MAX), least = _mm_set1_ps(-TRV_COORD_MAX);
    __m128 lower = trvi_lower_lanes(box), upper = trvi_upper_lanes(box);
    __m128 within = _mm_and_ps(_mm_cmpge_ps(lower, least), _mm_cmple_ps(upper, most));
    if (trvi_on_all_axes(_mm_and_ps(within, _mm_cmple_ps(lower, upper))))
        return TRV_OK;
#endif
    return check_box(box);
}

static inline trv_result check_new(const trv_aabb *box, trv_proxy_set set)
{
    trv_result result = check_box(box);
    return result == TRV_OK && !is_set(set) ? TRV_ERROR_RANGE : result;
}

// Room for `count` more proxies, some of which may have a filter that is not plain.
static trv_result reserve_more(trv_broad *broad, uint32_t count)
{
    if (count > broad->max_proxies - broad->live_count)
        return TRV_ERROR_LIMIT;
    uint64_t fresh = count > broad->free_count ? count - broad->free_count : 0;
    if (broad->proxy_limit + fresh > TRVI_MAX_PROXIES)
        return TRV_ERROR_LIMIT;
    if (broad->proxy_limit + fresh > broad->proxy_room &&
        !trvi_store_reserve(broad, broad->proxy_limit + (uint32_t)fresh))
        return TRV_ERROR_MEMORY;
    return TRV_OK;
}

// How much fatter the box is kept.
static inline float margin_of(const trv_broad *broad, const trv_aabb *box)
{
    float share = broad->margin_share;
    return share > 0.0f ? trvi_smaller(broad->margin, share * trvi_aabb_longest(*box))
                        : broad->margin;
}

// There is room, and all is right.
static inline trv_proxy_id add_one(trv_broad *broad, const trv_aabb *box, trv_filter filter,
                                   trv_proxy_set set, uint64_t user)
{
    bool reused = broad->free_count > 0;
    uint32_t index = reused ? broad->first_free : broad->proxy_limit;
    if (reused) {
        broad->first_free = trvi_homes(broad)[index];
        broad->free_count--;
    } else {
        trvi_generations(broad)[broad->proxy_limit++] = 1;
    }
    trvi_homes(broad)[index] = TRVI_NO_HOME;
    trvi_spans(broad)[index] = 0;
    if (broad->margin > 0.0f)
        ((trv_aabb *)broad->tight.items)[index] = *box;
    trvi_fat_boxes(broad)[index] = trvi_aabb_grown(*box, margin_of(broad, box));
    trvi_users(broad)[index] = user;
    trvi_states(broad)[index] = (uint8_t)(TRVI_PROXY_LIVE | (uint32_t)set);
    set_filter(broad, index, filter, 0);
    broad->live_count++;
    broad->sets[trvi_set_of((uint8_t)set)].member_count++;
    mark_changed(broad, index, TRVI_PROXY_TOUCHED | TRVI_PROXY_MOVED);
    return (trv_proxy_id){index, trvi_generations(broad)[index]};
}

trv_result trv_broad_add_many(trv_broad *broad, const trv_proxy_def *defs, uint32_t count,
                              trv_proxy_id *proxies)
{
    if (proxies == NULL && count > 0)
        return TRV_ERROR_NULL;
    for (uint32_t i = 0; i < count; i++)
        proxies[i] = (trv_proxy_id){0};
    if (broad == NULL || (defs == NULL && count > 0))
        return TRV_ERROR_NULL;
    trv_result result = TRV_OK;
    for (uint32_t i = 0; i < count && result == TRV_OK; i++)
        result = check_new(&defs[i].box, defs[i].set);
    if (result == TRV_OK)
        result = reserve_more(broad, count);
    for (uint32_t i = 0; i < count && result == TRV_OK; i++) {
        if (!reserve_filters(broad, defs[i].filter))
            result = TRV_ERROR_MEMORY;
    }
    uint32_t ahead = broad->first_free, left = 0; // free indices, so many, are still ahead
    if (broad->proxy_limit > TRVI_MANY_BOXES)
        left = broad->free_count;
    for (uint32_t i = 0; i < SOON && left > 0; i++, left--)
        ahead = trvi_homes(broad)[ahead];
    for (uint32_t i = 0; i < count && result == TRV_OK; i++) {
        if (left > 0) {
            trvi_expect_proxy(broad, ahead);
            trvi_prefetch(&trvi_generations(broad)[ahead]);
            trvi_prefetch(&trvi_users(broad)[ahead]);
            trvi_prefetch(&trvi_spans(broad)[ahead]);
            ahead = trvi_homes(broad)[ahead];
            left--;
        }
        proxies[i] = add_one(broad, &defs[i].box, defs[i].filter, defs[i].set, defs[i].user);
    }
    return result;
}

void trvi_broad_expect_filters(trv_broad *broad)
{
    TRVI_ASSERT(broad->live_count == 0);
    broad->has_filters = true;
    broad->proxy_room = 0;
}

trv_result trv_broad_add(trv_broad *broad, trv_aabb box, trv_filter filter, trv_proxy_set set,
                         uint64_t user, trv_proxy_id *proxy)
{
    if (proxy == NULL)
        return TRV_ERROR_NULL;
    *proxy = (trv_proxy_id){0};
    if (broad == NULL)
        return TRV_ERROR_NULL;
    trv_result result = check_new(&box, set);
    if (result == TRV_OK)
        result = reserve_more(broad, 1);
    if (result == TRV_OK && !reserve_filters(broad, filter))
        result = TRV_ERROR_MEMORY;
    if (result == TRV_OK)
        *proxy = add_one(broad, &box, filter, set, user);
    return result;
}

// True when a fat box may stay as it is: where it holds the box and is not much larger, as at the
// end of a long sweep.
static bool fits(const trv_aabb *fat, const trv_aabb *box, float margin)
{
    float slack = 4.0f * margin + trvi_aabb_longest(*box);
    return trvi_aabb_contains(*fat, *box) && trvi_aabb_contains(trvi_aabb_grown(*box, slack), *fat);
}

// Sets the box; returns whether the fat one is another now. Without a margin it is the box itself,
// bit by bit.
static inline bool take_box(trv_broad *broad, uint32_t index, const trv_aabb *box)
{
    trv_aabb *fat = &trvi_fat_boxes(broad)[index];
    if (!(broad->margin > 0.0f)) {
        bool same = memcmp(fat, box, sizeof *fat) == 0;
        *fat = *box;
        return !same;
    }
    ((trv_aabb *)broad->tight.items)[index] = *box;
    float margin = margin_of(broad, box);
    if (fits(fat, box, margin))
        return false;
    *fat = trvi_aabb_grown(*box, margin);
    return true;
}

// Brings near what is moved some calls from now if what moved last time moves again, in that order.
static inline void expect_move(const trv_broad *broad)
{
    const uint32_t soon = broad->changed.count + SOON;
    if (soon >= broad->changed_lately)
        return;
    const uint32_t index = ((const uint32_t *)broad->changed.items)[soon];
    trvi_prefetch(&trvi_fat_boxes(broad)[index].lower);
    trvi_prefetch(&trvi_fat_boxes(broad)[index].upper.z); // may be on the next line
    trvi_prefetch(&trvi_generations(broad)[index]);
}

// The proxy is live, and the box is right.
static inline void move_one(trv_broad *broad, uint32_t index, const trv_aabb *box)
{
    expect_move(broad);
    if (take_box(broad, index, box))
        mark_changed(broad, index, TRVI_PROXY_MOVED);
}

trv_result trv_broad_move(trv_broad *broad, trv_proxy_id proxy, trv_aabb box)
{
    trv_result result = check_proxy(broad, proxy);
    if (result == TRV_OK)
        result = check_box(&box);
    if (result == TRV_OK)
        move_one(broad, proxy.index1, &box);
    return result;
}

bool trvi_broad_shift(trv_broad *broad, trv_proxy_id proxy, trv_aabb box)
{
    return check_proxy(broad, proxy) == TRV_OK && check_box(&box) == TRV_OK &&
           take_box(broad, proxy.index1, &box);
}

void trvi_broad_shifted(trv_broad *broad, trv_proxy_id proxy)
{
    mark_changed(broad, proxy.index1, TRVI_PROXY_MOVED);
}

trv_result trv_broad_move_many(trv_broad *broad, const trv_proxy_id *proxies, const trv_aabb *boxes,
                               uint32_t count)
{
    if (broad == NULL || (count > 0 && (proxies == NULL || boxes == NULL)))
        return TRV_ERROR_NULL;
    for (uint32_t i = 0; i < count; i++) {
        trv_result result = check_proxy(broad, proxies[i]);
        if (result == TRV_OK)
            result = check_box_at(&boxes[i]);
        if (result != TRV_OK)
            return result;
    }
    for (uint32_t i = 0; i < count; i++)
        move_one(broad, proxies[i].index1, &boxes[i]);
    return TRV_OK;
}

trv_result trv_broad_set(trv_broad *broad, trv_proxy_id proxy, trv_proxy_set set)
{
    trv_result result = check_proxy(broad, proxy);
    if (result == TRV_OK && !is_set(set))
        result = TRV_ERROR_RANGE;
    if (result != TRV_OK)
        return result;
    uint8_t *state = &trvi_states(broad)[proxy.index1];
    trv_proxy_set old = (trv_proxy_set)(*state & TRVI_PROXY_SET);
    if (old == set)
        return TRV_OK;
    broad->only_moves = false;
    broad->sets[trvi_set_of(*state)].member_count--;
    *state = (uint8_t)((*state & ~(uint32_t)TRVI_PROXY_SET) | (uint32_t)set);
    broad->sets[trvi_set_of(*state)].member_count++;
    // Its partners stay the same unless other statics are no partners any more, or are again.
    if (old == TRV_PROXY_STATIC || set == TRV_PROXY_STATIC)
        mark_changed(broad, proxy.index1, TRVI_PROXY_TOUCHED | TRVI_PROXY_MOVED);
    broad->quiet_stale = true;
    return TRV_OK;
}

trv_result trv_broad_filter(trv_broad *broad, trv_proxy_id proxy, trv_filter filter)
{
    trv_result result = check_proxy(broad, proxy);
    if (result != TRV_OK)
        return result;
    if (!reserve_filters(broad, filter))
        return TRV_ERROR_MEMORY;
    set_filter(broad, proxy.index1, filter, trvi_filter_of(broad, proxy.index1).reserved);
    mark_changed(broad, proxy.index1, TRVI_PROXY_TOUCHED);
    return TRV_OK;
}

void trvi_broad_own(trv_broad *broad, trv_proxy_id proxy, uint32_t owner)
{
    trv_filter filter = trvi_filter_of(broad, proxy.index1);
    TRVI_ASSERT(broad->has_filters);
    if (filter.reserved == owner)
        return;
    set_filter(broad, proxy.index1, filter, owner);
    if (!(trvi_states(broad)[proxy.index1] & TRVI_PROXY_TOUCHED)) // new ones are
        mark_changed(broad, proxy.index1, TRVI_PROXY_TOUCHED);
}

static void remove_one(trv_broad *broad, uint32_t index)
{
    uint8_t *state = &trvi_states(broad)[index];
    if ((*state & TRVI_PROXY_SET) != TRV_PROXY_AWAKE)
        broad->quiet_stale = true;
    mark_changed(broad, index, 0);
    broad->sets[trvi_set_of(*state)].member_count--;
    *state &= (uint8_t) ~(uint32_t)TRVI_PROXY_LIVE;
    trvi_generations(broad)[index]++;
    broad->live_count--;
    trvi_bury_home(broad, index);
    trvi_homes(broad)[index] = broad->first_dead;
    broad->first_dead = index;
    broad->dead_count++;
}

trv_result trv_broad_remove(trv_broad *broad, trv_proxy_id proxy)
{
    trv_result result = check_proxy(broad, proxy);
    if (result == TRV_OK)
        remove_one(broad, proxy.index1);
    return result;
}

trv_result trv_broad_remove_many(trv_broad *broad, const trv_proxy_id *proxies, uint32_t count)
{
    if (broad == NULL || (count > 0 && proxies == NULL))
        return TRV_ERROR_NULL;
    enum { REMOVED_SOON = 16 };
    const uint32_t far = broad->proxy_limit > TRVI_MANY_BOXES ? count : 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t soon = i + REMOVED_SOON < far ? proxies[i + REMOVED_SOON].index1 : 0;
        if (soon != 0 && soon < broad->proxy_limit) {
            trvi_expect_proxy(broad, soon);
            trvi_prefetch(&trvi_generations(broad)[soon]);
        }
        trv_result result = check_proxy(broad, proxies[i]);
        if (result != TRV_OK)
            return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (check_proxy(broad, proxies[i]) == TRV_OK) // not given twice
            remove_one(broad, proxies[i].index1);
    }
    return TRV_OK;
}

// True when nothing has happened that could concern a pair: all that was kept is kept.
static bool is_idle(const trv_broad *broad)
{
    return broad->changed.count == 0 && !broad->quiet_stale &&
           broad->lists[broad->front].begun.count == 0;
}

// What has changed is as this update leaves it. Returns how much of it is static; *stale: whether
// pairs were looked for as those of an awake one are, and may turn quiet next time.
static uint32_t settle_states(trv_broad *broad, bool *stale)
{
    enum { KEPT = TRVI_PROXY_SET | TRVI_PROXY_LIVE | TRVI_PROXY_PLAIN };
    uint8_t *states = trvi_states(broad);
    const uint32_t *changed = broad->changed.items;
    uint32_t count = broad->changed.count, limit = broad->proxy_limit, still = 0, sleeping = 0;
    bool most = trvi_did_most_change(broad);
    if (most) {
        for (uint32_t i = 1; i < limit; i++) {
            uint8_t state = states[i];
            bool active = state & TRVI_PROXY_ACTIVE, listed = state & TRVI_PROXY_LISTED;
            still += listed & ((state & TRVI_PROXY_SET) == TRV_PROXY_STATIC);
            sleeping |= active & ((state & TRVI_PROXY_SET) != TRV_PROXY_AWAKE);
            states[i] = state & KEPT;
        }
    }
    for (uint32_t i = 0; i < count && !most; i++) {
        uint8_t state = states[changed[i]];
        still += (state & TRVI_PROXY_SET) == TRV_PROXY_STATIC;
        sleeping |= (state & TRVI_PROXY_ACTIVE) && (state & TRVI_PROXY_SET) != TRV_PROXY_AWAKE;
        states[changed[i]] = state & KEPT;
    }
    *stale = sleeping != 0;
    return still;
}

// A build is followed by a sweep for all pairs, which says nothing of the next update.
static void note_found(trv_broad *broad)
{
    bool built = false;
    for (uint32_t set = 0; set < TRVI_SET_COUNT; set++)
        built = built || (broad->sets[set].column_count > 0 && broad->sets[set].wear == 0);
    if (!built)
        broad->found_lately = broad->found.count + broad->noted.count;
}

// The part of an update that cannot fail.
static void commit_update(trv_broad *broad)
{
    trvi_commit_pairs(broad);
    trvi_commit_columns(broad);
    note_found(broad);
    uint32_t still = settle_states(broad, &broad->quiet_stale);
    broad->sets[TRVI_STILL_COLUMNS].wear += still;
    broad->sets[TRVI_MOBILE_COLUMNS].wear += broad->changed.count - still;
    broad->is_torn = false;
    broad->only_moves = true;
    broad->changed_lately = broad->proxy_limit > TRVI_MANY_BOXES ? broad->changed.count : 0;
    // What was removed last comes first. Most of it stands in the list of changes the other way round,
    // and can be brought near by that: one tells of the next.
    const uint32_t *listed = broad->changed.items;
    uint32_t left = broad->changed.count;
    broad->changed.count = broad->moved_count = 0;
    for (uint32_t dead = broad->first_dead; dead != 0;) {
        uint32_t next = trvi_homes(broad)[dead];
        if (left > SOON) {
            left--;
            trvi_prefetch(&trvi_homes(broad)[listed[left - SOON]]);
            trvi_prefetch(&trvi_generations(broad)[listed[left - SOON]]);
        }
        // An index whose generations are used up is never used again.
        if (trvi_generations(broad)[dead] != 0) {
            trvi_homes(broad)[dead] = broad->first_free;
            broad->first_free = dead;
            broad->free_count++;
        }
        dead = next;
    }
    broad->first_dead = 0;
    broad->dead_count = 0;
}

static trv_result update_pairs(trv_broad *broad)
{
    trv_result result = trvi_place_changed(broad);
    if (result == TRV_OK)
        result = trvi_find_pairs(broad);
    if (result == TRV_OK)
        result = trvi_merge_pairs(broad);
    if (result == TRV_OK)
        commit_update(broad);
    return result;
}

trv_result trv_broad_update(trv_broad *broad, trv_pairs *pairs)
{
    if (pairs == NULL)
        return TRV_ERROR_NULL;
    *pairs = (trv_pairs){0};
    if (broad == NULL)
        return TRV_ERROR_NULL;
    if (is_idle(broad)) {
        broad->lists[broad->front].ended.count = 0;
    } else {
        trv_result result = update_pairs(broad);
        if (result != TRV_OK)
            return result;
    }
    trvi_store_trim(broad); // may move the lists
    const trvi_pair_lists *lists = &broad->lists[broad->front];
    *pairs = (trv_pairs){.begun = lists->begun.items,
                         .kept = lists->kept.items,
                         .ended = lists->ended.items,
                         .begun_count = lists->begun.count,
                         .kept_count = lists->kept.count,
                         .ended_count = lists->ended.count,
                         .slot_limit = broad->slot_limit};
    return TRV_OK;
}

trv_result trv_broad_get(const trv_broad *broad, trv_proxy_id proxy, trv_aabb *tight, trv_aabb *fat)
{
    if (tight == NULL || fat == NULL)
        return TRV_ERROR_NULL;
    *tight = *fat = (trv_aabb){0};
    trv_result result = check_proxy(broad, proxy);
    if (result != TRV_OK)
        return result;
    *fat = trvi_fat_boxes(broad)[proxy.index1];
    *tight = broad->margin > 0.0f ? ((const trv_aabb *)broad->tight.items)[proxy.index1] : *fat;
    return TRV_OK;
}
