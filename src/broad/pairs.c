// The life of the pairs: what was found is merged with what there was.
//
// Three sorted lists hold the present pairs: begun and kept of the last update, and quiet ones,
// that have no awake proxy. A pair with a touched proxy is kept where it is found and was there,
// begins where it was not there, and ends where it is not found. Of other pairs only those that
// begin were looked for, and noted apart, since they are not among those that were there; one that
// was there goes on while its boxes overlap: kept where a proxy is awake, quiet else. The quiet
// list is read only when it may have to change, and no list where nothing can: so a world that
// sleeps or rests costs nothing. Where little moves, the pairs that change are known, and all
// others stay where they are: edit.c.
//
// Invariant: each of the lists is sorted by (a, b); a slot belongs to one pair of begun, kept and
// quiet, or is free, or belongs to a pair that the last update reported as ended and is free too.
#include "broad_data.h"
#include "edit.h"

enum {
    SOON = 32,        // pairs ahead, whose boxes are brought near
    AWAKE_BIT = 2,    // of the sets, only awake has it
    STRIDE = 8,       // slots that a pair may be behind the one before it, and still be near that
    PAIRS_EACH = 4096 // are worth waking another worker
};

// Goes through up to three sorted lists as if they were one, and through what was found.
typedef struct merger {
    const trv_pair *at[3], *end[3];
    uint64_t key[3];       // of the pair that comes next; NONE where there is none
    const uint64_t *found; // behind the last one stands NONE
    const uint64_t *noted; // none of which was there; as well
    uint32_t bits;         // see trvi_index_bits
    bool most_rest;        // few proxies have changed
    bool all_stay;         // see do_all_stay
    bool far;              // boxes do not lie near
    trvi_pair_lists *to;
    trvi_array *quiet;
} merger;

#define NONE (~(uint64_t)0) // above all keys

static void find_key(merger *m, uint32_t list)
{
    const trv_pair *at = m->at[list];
    m->key[list] = at < m->end[list] ? trvi_key_of(at, m->bits) : NONE;
}

static void add_list(merger *m, uint32_t k, const trvi_array *list)
{
    m->at[k] = list->items;
    m->end[k] = list->count > 0 ? m->at[k] + list->count : m->at[k];
    find_key(m, k);
}

// The list whose pair comes next; *limit: the key that comes next in the others.
static inline uint32_t next_list(const merger *m, uint64_t *limit)
{
    const uint64_t *key = m->key;
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

static bool push_new(const trv_broad *broad, trvi_array *list, uint64_t key, uint32_t bits)
{
    if (!reserve_one(broad, list))
        return false;
    trvi_write_pair((trv_pair *)list->items + list->count++, key, bits, trvi_users(broad));
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

// Keeps the pairs up to `stop`, or up to the first with a proxy that has changed, or without an
// awake one; returns where that is. None of them was found: each pair that is found has a proxy
// that changed.
static inline const trv_pair *keep_resting(const trv_broad *broad, const merger *m,
                                           const trv_pair *at, const trv_pair *end, uint64_t stop)
{
    enum { TOLD_BY = TRVI_PROXY_ACTIVE | AWAKE_BIT, ALIVE = TRVI_PROXY_LIVE };
    const uint8_t *states = trvi_states(broad);
    trv_pair *first = (trv_pair *)m->to->kept.items + m->to->kept.count, *kept = first;
    for (; at < end && trvi_key_of(at, m->bits) < stop; at++) {
        uint32_t a = states[at->a], b = states[at->b];
        if (((a | b) & TOLD_BY) != AWAKE_BIT || !(a & b & ALIVE))
            break;
        *kept++ = *at;
    }
    m->to->kept.count += (uint32_t)(kept - first);
    return at;
}

// Keeps or ends the pairs up to `stop`, or up to the first that the states of its proxies do not
// decide at once, or that there is no room for; returns where that is. None of them was found.
// Where boxes are `far`, those of the pair SOON ahead are brought near: there are as many behind
// `end`.
static inline const trv_pair *keep_moved(const trv_broad *broad, const merger *m,
                                         const trv_pair *at, const trv_pair *end, uint64_t stop,
                                         bool all_stay, bool far)
{
    enum { ONE = TRVI_PROXY_TOUCHED | AWAKE_BIT, BOTH = TRVI_PROXY_LIVE };
    const uint8_t *states = trvi_states(broad);
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    const uint32_t bits = m->bits;
    trvi_array *all_kept = &m->to->kept, *all_ended = &m->to->ended;
    trv_pair *kept = (trv_pair *)all_kept->items + all_kept->count;
    trv_pair *const first = kept;
    for (; at < end && trvi_key_of(at, bits) < stop; at++) {
        uint32_t a = states[at->a], b = states[at->b];
        if (!all_stay && (((a | b) & ONE) | (a & b & BOTH)) != (AWAKE_BIT | BOTH))
            break;
        if (far) { // boxes of `a` lie one behind the other
            trvi_prefetch(&boxes[at[SOON].b].lower);
            trvi_prefetch(&boxes[at[SOON].b].upper.z); // may be on the next line
        }
        if (overlap(&boxes[at->a], &boxes[at->b]))
            *kept++ = *at;
        else if (all_ended->count < all_ended->capacity)
            ((trv_pair *)all_ended->items)[all_ended->count++] = *at;
        else
            break;
    }
    all_kept->count += (uint32_t)(kept - first);
    return at;
}

// Takes the pairs of a list up to `stop`, or as far as that is told quickly.
static inline void take_run(const trv_broad *broad, merger *m, uint32_t list, uint64_t stop)
{
    const trv_pair *at = m->at[list], *end = m->end[list];
    const bool far = m->far && end - at > SOON;
    const trv_pair *last = far ? end - SOON : end;
    if (m->most_rest)
        at = keep_resting(broad, m, at, end, stop);
    else if (m->all_stay)
        at = far ? keep_moved(broad, m, at, last, stop, true, true)
                 : keep_moved(broad, m, at, last, stop, true, false);
    else
        at = far ? keep_moved(broad, m, at, last, stop, false, true)
                 : keep_moved(broad, m, at, last, stop, false, false);
    m->at[list] = at;
    find_key(m, list);
}

// True when pairs go on while their boxes overlap, whatever the states of their proxies: nothing is
// touched, was removed or falls quiet.
static bool do_all_stay(const trv_broad *broad)
{
    const uint8_t *states = trvi_states(broad);
    uint32_t any = 0;
    if (broad->quiet_stale || broad->first_dead != 0)
        return false;
    for (uint32_t i = 1; i < broad->proxy_limit; i++)
        any |= states[i];
    return !(any & TRVI_PROXY_TOUCHED);
}

// What was noted below the key begins. False when memory ran out.
static bool begin_below(const trv_broad *broad, merger *m, uint64_t key)
{
    for (; *m->noted < key; m->noted++) {
        if (!push_new(broad, &m->to->begun, *m->noted, m->bits))
            return false;
    }
    return true;
}

// False when memory ran out.
static bool merge_lists(const trv_broad *broad, merger *m)
{
    for (;;) {
        uint64_t limit, found = *m->found;
        uint32_t list = next_list(m, &limit);
        uint64_t stop = found < limit ? found : limit;
        if (m->key[list] < stop) { // was not found
            take_run(broad, m, list, stop);
            if (m->key[list] < stop) {
                if (!put_old(broad, m->at[list]++, m->to, m->quiet))
                    return false;
                find_key(m, list);
            }
            continue;
        }
        if (found == NONE)
            return begin_below(broad, m, NONE);
        m->found++;
        if (found == m->key[list]) {
            ((trv_pair *)m->to->kept.items)[m->to->kept.count++] = *m->at[list]++;
            find_key(m, list);
        } else if (!begin_below(broad, m, found) ||
                   !push_new(broad, &m->to->begun, found, m->bits)) {
            return false;
        }
    }
}

trv_result trvi_merge_pairs(trv_broad *broad)
{
    broad->has_edits = false;
    if (broad->has_slid)
        return trvi_plan_edits(broad);
    broad->only_removes = broad->only_removes && broad->found.count == 0 && broad->noted.count == 0;
    if (broad->only_removes)
        return trvi_plan_cuts(broad);
    const trvi_pair_lists *from = &broad->lists[broad->front];
    trvi_pair_lists *to = &broad->lists[1 - broad->front];
    trvi_array *quiet = &broad->quiet[1 - broad->quiet_front];
    const trvi_array none = {0};
    const bool most_rest = broad->changed.count < broad->live_count / 8;
    merger m = {.found = broad->found.items,
                .noted = broad->noted.items,
                .bits = trvi_index_bits(broad),
                .most_rest = most_rest,
                .all_stay = !most_rest && do_all_stay(broad),
                .far = broad->changed.count > TRVI_MANY_BOXES,
                .to = to,
                .quiet = quiet};
    add_list(&m, 0, &from->begun);
    add_list(&m, 1, &from->kept);
    add_list(&m, 2, broad->quiet_stale ? &broad->quiet[broad->quiet_front] : &none);
    to->begun.count = to->kept.count = to->ended.count = quiet->count = 0;
    uint64_t most = (uint64_t)from->begun.count + from->kept.count +
                    (broad->quiet_stale ? broad->quiet[broad->quiet_front].count : 0);
    if (most > UINT32_MAX || !trvi_array_reserve(&broad->allocator, &to->kept, (uint32_t)most))
        return TRV_ERROR_MEMORY;
    if (!merge_lists(broad, &m))
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
    if (broad->has_edits)
        trvi_apply_edits(broad);
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

typedef struct telling {
    const trv_broad *broad;
    uint32_t shares;
    uint32_t scattered[TRVI_SHARES_MAX];
} telling;

static void count_scattered(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    telling *job = context;
    const trvi_array *list = &job->broad->lists[job->broad->front].kept;
    const trv_pair *kept = list->items;
    for (uint32_t share = first; share < last; share++) {
        const trvi_share s = trvi_share_of(list->count, job->shares, share);
        uint32_t scattered = 0;
        for (uint32_t i = s.first > 0 ? s.first : 1; i < s.last; i++)
            scattered += kept[i].slot - kept[i - 1].slot - 1 >= STRIDE;
        job->scattered[share] = scattered;
    }
}

uint32_t trvi_broad_told(const trv_broad *broad, uint32_t *scattered)
{
    const trvi_array *list = &broad->lists[broad->front].kept;
    telling job;
    job.broad = broad;
    job.shares = trvi_share_count(&broad->workers, list->count, PAIRS_EACH);
    trvi_parallel_for(&broad->workers, job.shares, 1, count_scattered, &job);
    *scattered = 0;
    for (uint32_t share = 0; share < job.shares; share++)
        *scattered += job.scattered[share];
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
