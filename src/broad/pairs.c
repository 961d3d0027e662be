// The life of the pairs: what was found is merged with what there was.
//
// Three sorted lists hold the present pairs: begun and kept of the last update, and quiet ones,
// that have no awake proxy. A pair with a touched proxy is kept where it is found and was there,
// begins where it was not there, and ends where it is not found. Of other pairs only those that
// begin were looked for; one that was there goes on while its boxes overlap: kept where a proxy is
// awake, quiet else. The quiet list is read only when it may have to change, and no list where
// nothing can: so a world that sleeps or rests costs nothing. Where little moves, the pairs that
// change are known, and all others stay where they are: edit.c.
//
// Invariant: each of the lists is sorted by (a, b); a slot belongs to one pair of begun, kept and
// quiet, or is free, or belongs to a pair that the last update reported as ended and is free too.
#include "broad_data.h"
#include "edit.h"

enum {
    SOON = 32,     // pairs ahead, whose boxes are brought near
    AWAKE_BIT = 2, // of the sets, only awake has it
    STRIDE = 8     // slots that a pair may be behind the one before it, and still be near that
};

// Goes through up to three sorted lists as if they were one.
typedef struct merged {
    const trv_pair *at[3], *end[3];
    uint64_t key[3]; // of the pair that comes next; NONE where there is none
    uint32_t bits;   // see trvi_index_bits
} merged;

#define NONE (~(uint64_t)0) // above all keys

static void find_key(merged *lists, uint32_t k)
{
    lists->key[k] = lists->at[k] < lists->end[k] ? trvi_key_of(lists->at[k], lists->bits) : NONE;
}

static void add_list(merged *lists, uint32_t k, const trvi_array *list)
{
    lists->at[k] = list->items;
    lists->end[k] = list->count > 0 ? lists->at[k] + list->count : lists->at[k];
    find_key(lists, k);
}

// The list whose pair comes next; *limit: the key that comes next in the others.
static uint32_t next_list(const merged *lists, uint64_t *limit)
{
    const uint64_t *key = lists->key;
    uint32_t next = key[1] < key[0];
    *limit = key[1 - next];
    if (key[2] < key[next]) {
        *limit = key[next];
        return 2;
    }
    *limit = key[2] < *limit ? key[2] : *limit;
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

// As trvi_aabb_overlaps, without a branch.
static inline bool overlap(const trv_aabb *a, const trv_aabb *b)
{
#if defined(TRVI_LANES_SSE2)
    __m128 lower_a = trvi_lower_lanes(a), upper_a = trvi_upper_lanes(a);
    __m128 lower_b = trvi_lower_lanes(b), upper_b = trvi_upper_lanes(b);
    __m128 meets = _mm_and_ps(_mm_cmple_ps(lower_a, upper_b), _mm_cmple_ps(lower_b, upper_a));
    return trvi_on_all_axes(meets);
#else
    return (a->lower.x <= b->upper.x) & (b->lower.x <= a->upper.x) & (a->lower.y <= b->upper.y) &
           (b->lower.y <= a->upper.y) & (a->lower.z <= b->upper.z) & (b->lower.z <= a->upper.z);
#endif
}

// Puts a pair that was there and was not found where it belongs.
static inline bool put_old(const trv_broad *broad, const trv_pair *pair, trvi_pair_lists *to,
                           trvi_array *quiet)
{
    const uint8_t *states = trvi_states(broad);
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    uint32_t a = states[pair->a], b = states[pair->b], either = a | b;
    bool stays = (a & b & TRVI_PROXY_LIVE) && !(either & TRVI_PROXY_TOUCHED);
    if (either & TRVI_PROXY_MOVED)
        stays = stays && overlap(&boxes[pair->a], &boxes[pair->b]);
    if (!stays)
        return push_pair(broad, &to->ended, *pair);
    if (either & (TRVI_PROXY_MOVED | AWAKE_BIT)) {
        TRVI_ASSERT(to->kept.count < to->kept.capacity);
        ((trv_pair *)to->kept.items)[to->kept.count++] = *pair;
        return true;
    }
    TRVI_ASSERT(broad->quiet_stale);
    return push_pair(broad, quiet, *pair);
}

// What is found below `key`, from `found` on, begins; behind the last one stands ~0. Returns the
// next one, or NULL when memory ran out.
static const uint64_t *begin_below(const trv_broad *broad, const uint64_t *found, uint64_t key,
                                   uint32_t bits, trvi_array *begun)
{
    for (; *found < key; found++) {
        if (!push_pair(broad, begun, trvi_new_pair(*found, bits)))
            return NULL;
    }
    return found;
}

// Keeps the pairs up to `stop`, or up to the first with a proxy that has changed, or without an
// awake one. None of them was found: each pair that is found has a proxy that changed.
static const trv_pair *keep_resting(const trv_broad *broad, const trv_pair *at, const trv_pair *end,
                                    uint64_t stop, uint32_t bits, trvi_pair_lists *to)
{
    enum { TOLD_BY = TRVI_PROXY_ACTIVE | AWAKE_BIT, ALIVE = TRVI_PROXY_LIVE };
    const uint8_t *states = trvi_states(broad);
    trv_pair *kept = (trv_pair *)to->kept.items + to->kept.count, *put = kept;
    for (; at < end && trvi_key_of(at, bits) < stop; at++) {
        uint32_t a = states[at->a], b = states[at->b];
        if (((a | b) & TOLD_BY) != AWAKE_BIT || !(a & b & ALIVE))
            break;
        *put++ = *at;
    }
    to->kept.count += (uint32_t)(put - kept);
    return at;
}

// Keeps the pairs up to `stop`, or up to the first that ends, or of which the states of its proxies
// do not tell at once; gives how many. None of them was found. Where boxes are `far`, those of the
// pair SOON ahead are brought near: there are as many behind `end`.
static inline uint32_t keep_moved(const trv_broad *broad, const trv_pair *at, const trv_pair *end,
                                  uint64_t stop, uint32_t bits, bool far, trv_pair *kept)
{
    enum { ONE = TRVI_PROXY_TOUCHED | AWAKE_BIT, BOTH = TRVI_PROXY_LIVE };
    const uint8_t *states = trvi_states(broad);
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    const trv_pair *first = at;
    for (; at < end && trvi_key_of(at, bits) < stop; at++, kept++) {
        uint32_t a = states[at->a], b = states[at->b];
        if ((((a | b) & ONE) | (a & b & BOTH)) != (AWAKE_BIT | BOTH) ||
            !overlap(&boxes[at->a], &boxes[at->b]))
            break;
        if (far) { // boxes of `a` lie one behind the other
            trvi_prefetch(&boxes[at[SOON].b].lower);
            trvi_prefetch(&boxes[at[SOON].b].upper.z); // may be on the next line
        }
        *kept = *at;
    }
    return (uint32_t)(at - first);
}

// Goes through one list up to `limit`, where another one is next, and takes what is found below
// from `found` on. NULL when memory ran out.
static const uint64_t *merge_list(const trv_broad *broad, merged *old, uint32_t list,
                                  uint64_t limit, const uint64_t *found, trvi_pair_lists *to,
                                  trvi_array *quiet)
{
    const trv_pair *at = old->at[list], *end = old->end[list];
    const trv_pair *near =
        end - at > SOON && broad->changed.count > TRVI_MANY_BOXES ? end - SOON : at;
    const bool most_rest = broad->changed.count < broad->live_count / 8;
    while (at < end) {
        uint64_t stop = *found < limit ? *found : limit;
        if (most_rest) {
            at = keep_resting(broad, at, end, stop, old->bits, to);
        } else {
            trv_pair *kept = (trv_pair *)to->kept.items + to->kept.count;
            uint32_t count = at < near ? keep_moved(broad, at, near, stop, old->bits, true, kept)
                                       : keep_moved(broad, at, end, stop, old->bits, false, kept);
            at += count;
            to->kept.count += count;
        }
        uint64_t key = at < end ? trvi_key_of(at, old->bits) : limit;
        if (key >= limit)
            break;
        if (*found < key && (found = begin_below(broad, found, key, old->bits, &to->begun)) == NULL)
            return NULL;
        if (*found == key) {
            ((trv_pair *)to->kept.items)[to->kept.count++] = *at++;
            found++;
        } else if (!put_old(broad, at++, to, quiet)) {
            return NULL;
        }
    }
    old->at[list] = at;
    find_key(old, list);
    return found;
}

static bool merge_lists(const trv_broad *broad, merged *old, trvi_pair_lists *to, trvi_array *quiet)
{
    const uint64_t *found = broad->found.items;
    while (found != NULL) {
        uint64_t limit;
        uint32_t list = next_list(old, &limit);
        if (old->key[list] == NONE)
            return begin_below(broad, found, NONE, old->bits, &to->begun) != NULL;
        found = merge_list(broad, old, list, limit, found, to, quiet);
    }
    return false;
}

trv_result trvi_merge_pairs(trv_broad *broad)
{
    if (broad->has_slid)
        return trvi_plan_edits(broad);
    const trvi_pair_lists *from = &broad->lists[broad->front];
    trvi_pair_lists *to = &broad->lists[1 - broad->front];
    trvi_array *quiet = &broad->quiet[1 - broad->quiet_front];
    const trvi_array none = {0};
    merged old = {.bits = trvi_index_bits(broad)};
    add_list(&old, 0, &from->begun);
    add_list(&old, 1, &from->kept);
    add_list(&old, 2, broad->quiet_stale ? &broad->quiet[broad->quiet_front] : &none);
    to->begun.count = to->kept.count = to->ended.count = quiet->count = 0;
    uint64_t most = (uint64_t)from->begun.count + from->kept.count +
                    (broad->quiet_stale ? broad->quiet[broad->quiet_front].count : 0);
    if (most > UINT32_MAX || !trvi_array_reserve(&broad->allocator, &to->kept, (uint32_t)most))
        return TRV_ERROR_MEMORY;
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
    if (broad->has_slid)
        trvi_apply_edits(broad);
    broad->front = 1 - broad->front;
    if (broad->quiet_stale)
        broad->quiet_front = 1 - broad->quiet_front;
    trvi_pair_lists *lists = &broad->lists[broad->front];
    trvi_array *free_slots = &broad->free_slots;
    uint32_t *slots = free_slots->items;
    const uint64_t *users = trvi_users(broad);
    trv_pair *begun = lists->begun.items;
    for (uint32_t i = 0; i < lists->begun.count; i++) {
        bool reused = free_slots->count > 0;
        begun[i].slot = reused ? slots[--free_slots->count] : broad->slot_limit++;
        begun[i].user_a = users[begun[i].a];
        begun[i].user_b = users[begun[i].b];
    }
    // After the begun pairs, so that none of them has the slot of a pair that ends now.
    const trv_pair *ended = lists->ended.items;
    for (uint32_t i = lists->ended.count; i > 0; i--)
        slots[free_slots->count++] = ended[i - 1].slot;
}

uint32_t trvi_broad_told(const trv_broad *broad, uint32_t *scattered)
{
    const trvi_array *list = &broad->lists[broad->front].kept;
    const trv_pair *kept = list->items;
    *scattered = 0;
    for (uint32_t i = 1; i < list->count; i++)
        *scattered += kept[i].slot - kept[i - 1].slot - 1 >= STRIDE;
    return list->count;
}

uint32_t trvi_broad_slots(const trv_broad *broad)
{
    return broad->slot_limit;
}

uint32_t trvi_broad_order_slots(const trv_broad *broad, uint32_t *to)
{
    const trvi_pair_lists *told = &broad->lists[broad->front];
    const trv_pair *begun = told->begun.items, *kept = told->kept.items;
    const trv_pair *quiet = broad->quiet[broad->quiet_front].items;
    uint32_t bits = trvi_index_bits(broad), next = 0;
    for (uint32_t i = 0; i < broad->slot_limit; i++)
        to[i] = UINT32_MAX;
    for (uint32_t b = 0, k = 0; b < told->begun.count || k < told->kept.count;) {
        bool begins =
            k == told->kept.count ||
            (b < told->begun.count && trvi_key_of(&begun[b], bits) < trvi_key_of(&kept[k], bits));
        to[begins ? begun[b++].slot : kept[k++].slot] = next++;
    }
    for (uint32_t i = 0; i < broad->quiet[broad->quiet_front].count; i++)
        to[quiet[i].slot] = next++;
    uint32_t used = next;
    for (uint32_t i = 0; i < broad->slot_limit; i++)
        if (to[i] == UINT32_MAX)
            to[i] = next++;
    return used;
}

void trvi_broad_move_slots(trv_broad *broad, const uint32_t *to, uint32_t used)
{
    trvi_pair_lists *told = &broad->lists[broad->front];
    const trvi_array *lists[] = {&told->begun, &told->kept, &broad->quiet[broad->quiet_front]};
    for (int k = 0; k < 3; k++) {
        trv_pair *pairs = lists[k]->items;
        for (uint32_t i = 0; i < lists[k]->count; i++)
            pairs[i].slot = to[pairs[i].slot];
    }
    broad->slot_limit = used;
    broad->free_slots.count = 0;
    told->ended.count = 0; // their slots may be those of others now
}
