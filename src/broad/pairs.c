// The life of the pairs: what was found is merged with what there was.
//
// Three sorted lists hold the present pairs: begun and kept of the last update, and quiet ones,
// that have no awake proxy. Only pairs with a touched proxy are looked for. Such a one is kept where
// it is found and was there, begins where it was not there, and ends where it is not found. All
// others stay: kept where a proxy is awake, quiet else. The quiet list is read only when it may have
// to change, and no list where nothing can: so a world that sleeps or rests costs nothing.
//
// Invariant: each of the lists is sorted by (a, b); a slot belongs to one pair of begun, kept and
// quiet, or is free, or belongs to a pair that the last update reported as ended and is free too.
#include "broad_data.h"

static uint64_t key_of(const trv_pair *pair, uint32_t bits)
{
    return (uint64_t)pair->a << bits | pair->b;
}

// Goes through up to three sorted lists as if they were one.
typedef struct merged {
    const trv_pair *at[3], *end[3];
    uint32_t bits; // see trvi_index_bits
} merged;

static void add_list(merged *lists, uint32_t k, const trvi_array *list)
{
    lists->at[k] = list->items;
    lists->end[k] = list->count > 0 ? lists->at[k] + list->count : lists->at[k];
}

// The list whose pair comes next, with that pair's key, and the key that comes next in the others;
// ~0 where there is none.
static uint32_t next_list(const merged *lists, uint64_t *key, uint64_t *limit)
{
    uint32_t next = 0;
    *key = *limit = ~(uint64_t)0;
    for (uint32_t k = 0; k < 3; k++) {
        if (lists->at[k] == lists->end[k])
            continue;
        uint64_t candidate = key_of(lists->at[k], lists->bits);
        if (candidate < *key) {
            *limit = *key;
            *key = candidate;
            next = k;
        } else if (candidate < *limit) {
            *limit = candidate;
        }
    }
    return next;
}

// Room for one more.
static bool reserve_one(const trv_broad *broad, trvi_array *list)
{
    return list->count < list->capacity ||
           trvi_array_reserve(&broad->allocator, list, list->count + 1);
}

static bool push_pair(const trv_broad *broad, trvi_array *list, trv_pair pair)
{
    if (!reserve_one(broad, list))
        return false;
    ((trv_pair *)list->items)[list->count++] = pair;
    return true;
}

static trv_pair new_pair(const trv_broad *broad, uint64_t key)
{
    uint32_t bits = trvi_index_bits(broad);
    uint32_t a = (uint32_t)(key >> bits), b = (uint32_t)key & (((uint32_t)1 << bits) - 1);
    const uint64_t *users = trvi_users(broad);
    return (trv_pair){.a = a, .b = b, .user_a = users[a], .user_b = users[b]};
}

// What becomes of a pair that was there, was not found, and is not kept.
static trvi_array *list_for(const trv_broad *broad, const trv_pair *pair, trvi_pair_lists *to,
                            trvi_array *quiet)
{
    const uint8_t *states = trvi_states(broad);
    uint8_t a = states[pair->a], b = states[pair->b];
    if (!(a & b & TRVI_PROXY_LIVE) || ((a | b) & TRVI_PROXY_TOUCHED))
        return &to->ended;
    TRVI_ASSERT(broad->quiet_stale && ((a | b) & TRV_PROXY_AWAKE) == 0);
    return quiet;
}

// Pairs of one list that stay as they are, one after the other: most are.
typedef struct run {
    const trv_pair *from;
    trv_pair *to;
    uint32_t most;  // pairs, and room for them
    uint64_t limit; // the next pair of the other lists
    uint32_t bits;
} run;

static run run_begin(const merged *old, uint32_t list, uint64_t limit, const trvi_array *kept)
{
    uint64_t count = (uint64_t)(old->end[list] - old->at[list]);
    uint32_t room = kept->capacity - kept->count;
    return (run){.from = old->at[list],
                 .to = (trv_pair *)kept->items + kept->count,
                 .most = count < room ? (uint32_t)count : room,
                 .limit = limit,
                 .bits = old->bits};
}

// Takes pairs over while they are found; returns how many.
static uint32_t keep_found(run r, const uint64_t *found, uint32_t found_count)
{
    uint32_t count = 0, most = r.most < found_count ? r.most : found_count;
    for (; count < most && found[count] < r.limit && key_of(&r.from[count], r.bits) == found[count];
         count++)
        r.to[count] = r.from[count];
    return count;
}

// Takes pairs over while nothing is told of them and a proxy is awake.
static uint32_t keep_untouched(run r, const uint8_t *states)
{
    uint32_t count = 0;
    for (; count < r.most && key_of(&r.from[count], r.bits) < r.limit; count++) {
        uint8_t a = states[r.from[count].a], b = states[r.from[count].b];
        if (!(a & b & TRVI_PROXY_LIVE) ||
            ((a | b) & (TRVI_PROXY_TOUCHED | TRV_PROXY_AWAKE)) != TRV_PROXY_AWAKE)
            break;
        r.to[count] = r.from[count];
    }
    return count;
}

static bool merge_lists(const trv_broad *broad, merged *old, trvi_pair_lists *to, trvi_array *quiet)
{
    const uint64_t *found = broad->found.items;
    uint32_t found_count = broad->found.count, next_found = 0;
    for (;;) {
        uint64_t old_key, limit;
        uint32_t list = next_list(old, &old_key, &limit);
        uint64_t found_key = next_found < found_count ? found[next_found] : ~(uint64_t)0;
        if (old_key == ~(uint64_t)0 && found_key == ~(uint64_t)0)
            return true;
        if (found_key < old_key) {
            if (!push_pair(broad, &to->begun, new_pair(broad, found_key)))
                return false;
            next_found++;
            continue;
        }
        if (!reserve_one(broad, &to->kept))
            return false;
        run r = run_begin(old, list, limit, &to->kept);
        uint32_t kept;
        if (found_key == old_key) {
            kept = keep_found(r, found + next_found, found_count - next_found);
            next_found += kept;
        } else {
            r.limit = found_key < limit ? found_key : limit;
            kept = keep_untouched(r, trvi_states(broad));
        }
        to->kept.count += kept;
        old->at[list] += kept;
        if (kept == 0) {
            const trv_pair *pair = old->at[list]++;
            if (!push_pair(broad, list_for(broad, pair, to, quiet), *pair))
                return false;
        }
    }
}

trv_result trvi_merge_pairs(trv_broad *broad)
{
    const trvi_pair_lists *from = &broad->lists[broad->front];
    trvi_pair_lists *to = &broad->lists[1 - broad->front];
    trvi_array *quiet = &broad->quiet[1 - broad->quiet_front];
    const trvi_array none = {0};
    merged old = {.bits = trvi_index_bits(broad)};
    add_list(&old, 0, &from->begun);
    add_list(&old, 1, &from->kept);
    add_list(&old, 2, broad->quiet_stale ? &broad->quiet[broad->quiet_front] : &none);
    to->begun.count = to->kept.count = to->ended.count = quiet->count = 0;
    if (!merge_lists(broad, &old, to, quiet))
        return TRV_ERROR_MEMORY;

    const trvi_array *quiet_after = broad->quiet_stale ? quiet : &broad->quiet[broad->quiet_front];
    uint64_t total = (uint64_t)to->begun.count + to->kept.count + quiet_after->count;
    if (total > broad->max_pairs)
        return TRV_ERROR_LIMIT;
    uint64_t free_slots = (uint64_t)broad->free_slots.count + to->ended.count;
    if (free_slots > UINT32_MAX ||
        !trvi_array_reserve(&broad->allocator, &broad->free_slots, (uint32_t)free_slots))
        return TRV_ERROR_MEMORY;
    return TRV_OK;
}

void trvi_commit_pairs(trv_broad *broad)
{
    broad->front = 1 - broad->front;
    if (broad->quiet_stale)
        broad->quiet_front = 1 - broad->quiet_front;
    trvi_pair_lists *lists = &broad->lists[broad->front];
    trvi_array *free_slots = &broad->free_slots;
    uint32_t *slots = free_slots->items;
    trv_pair *begun = lists->begun.items;
    for (uint32_t i = 0; i < lists->begun.count; i++) {
        bool reused = free_slots->count > 0;
        begun[i].slot = reused ? slots[--free_slots->count] : broad->slot_limit++;
    }
    // After the begun pairs, so that none of them has the slot of a pair that ends now.
    const trv_pair *ended = lists->ended.items;
    for (uint32_t i = lists->ended.count; i > 0; i--)
        slots[free_slots->count++] = ended[i - 1].slot;
}
