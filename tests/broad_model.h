// The broadphase as its header tells it, by brute force or, where boxes are many, in order of one
// side: what the tests compare with.
#ifndef TRV_TESTS_BROAD_MODEL_H
#define TRV_TESTS_BROAD_MODEL_H

#include <stdlib.h>
#include <string.h>

#include <trivet/broad.h>

// Fails the run where a condition does not hold; who has no cmocka defines it.
#ifndef model_demand
#include "support.h"
#define model_demand(condition) assert_true(condition)
#endif

// What goes through all pairs, of which a fuzzer that watched each step would see little else; and
// what does so in memory of its own.
#if defined(__clang__)
#define MODEL_UNCOUNTED __attribute__((noinline, no_sanitize("coverage")))
#define MODEL_UNWATCHED __attribute__((no_sanitize("address", "coverage")))
#else
#define MODEL_UNCOUNTED
#define MODEL_UNWATCHED
#endif

enum { MODEL_MAX_PROXIES = 4096, MODEL_FEW = 1000, MODEL_MAX_PAIRS = 1 << 18 };

typedef struct model_proxy {
    bool live, touched;
    trv_proxy_id id;
    trv_aabb tight, fat;
    trv_filter filter; // its `reserved` is the owner
    trv_proxy_set set;
    uint64_t user;
} model_proxy;

typedef struct model_pair {
    uint32_t a, b, slot;
    uint64_t user_a, user_b;
} model_pair;

typedef struct model {
    float margin, margin_share;
    uint32_t limit;                              // indices in use are below
    model_proxy proxies[MODEL_MAX_PROXIES];      // by index1
    const model_proxy *order[MODEL_MAX_PROXIES]; // live ones
    trv_aabb boxes[MODEL_MAX_PROXIES];           // theirs
    model_pair *pairs, *next;                    // sorted, MODEL_MAX_PAIRS
    uint64_t *keys;                              // of those that overlap, MODEL_MAX_PAIRS
    uint32_t pair_count;
    bool *slot_used; // MODEL_MAX_PAIRS
    uint64_t hash;   // of all that updates reported
    uint64_t begun, kept, ended;
} model;

// The model that was destroyed last: tests make them by the hundred, and sanitizers take long over
// large memory that comes and goes.
static model *model_spare;

// As it was when it was created.
static inline void model_reset(model *m, float margin)
{
    for (uint32_t i = 0; i < m->pair_count; i++)
        m->slot_used[m->pairs[i].slot] = false;
    memset(m->proxies, 0, m->limit * sizeof *m->proxies);
    m->margin = margin;
    m->margin_share = 0.0f;
    m->limit = 1;
    m->pair_count = 0;
    m->hash = m->begun = m->kept = m->ended = 0;
}

static inline model *model_create(float margin)
{
    model *m = model_spare != NULL ? model_spare : calloc(1, sizeof *m);
    model_demand(m != NULL);
    model_reset(m, margin);
    if (m == model_spare) {
        model_spare = NULL;
        return m;
    }
    m->pairs = calloc(MODEL_MAX_PAIRS, sizeof *m->pairs);
    m->next = calloc(MODEL_MAX_PAIRS, sizeof *m->next);
    m->keys = calloc(MODEL_MAX_PAIRS, sizeof *m->keys);
    m->slot_used = calloc(MODEL_MAX_PAIRS, sizeof *m->slot_used);
    model_demand(m->pairs != NULL && m->next != NULL && m->keys != NULL && m->slot_used != NULL);
    return m;
}

static inline void model_destroy(model *m)
{
    if (model_spare == NULL) {
        model_spare = m;
        return;
    }
    free(m->pairs);
    free(m->next);
    free(m->keys);
    free(m->slot_used);
    free(m);
}

static inline trv_aabb grown(trv_aabb box, float margin)
{
    trv_aabb fat = {{box.lower.x - margin, box.lower.y - margin, box.lower.z - margin},
                    {box.upper.x + margin, box.upper.y + margin, box.upper.z + margin}};
    return fat;
}

static inline bool box_contains(trv_aabb outer, trv_aabb inner)
{
    return outer.lower.x <= inner.lower.x && outer.lower.y <= inner.lower.y &&
           outer.lower.z <= inner.lower.z && outer.upper.x >= inner.upper.x &&
           outer.upper.y >= inner.upper.y && outer.upper.z >= inner.upper.z;
}

MODEL_UNWATCHED static inline bool boxes_overlap(trv_aabb a, trv_aabb b)
{
    return (a.lower.x <= b.upper.x) & (b.lower.x <= a.upper.x) & (a.lower.y <= b.upper.y) &
           (b.lower.y <= a.upper.y) & (a.lower.z <= b.upper.z) & (b.lower.z <= a.upper.z);
}

// Proxies of one owner may not.
static inline bool model_may_pair(const model_proxy *a, const model_proxy *b)
{
    bool own = a->filter.reserved != 0 && a->filter.reserved == b->filter.reserved;
    return !own && trv_filters_agree(a->filter, b->filter);
}

// As broad.h says.
static inline float model_margin(const model *m, trv_aabb box)
{
    float longest = fmaxf(fmaxf(box.upper.x - box.lower.x, box.upper.y - box.lower.y),
                          box.upper.z - box.lower.z);
    return m->margin_share > 0.0f ? fminf(m->margin, m->margin_share * longest) : m->margin;
}

static inline void model_add(model *m, trv_proxy_id id, trv_aabb box, trv_filter filter,
                             trv_proxy_set set, uint64_t user)
{
    model_demand(id.index1 > 0 && id.index1 < MODEL_MAX_PROXIES);
    model_proxy *p = &m->proxies[id.index1];
    model_demand(!p->live);
    model_demand(id.generation != p->id.generation);
    *p = (model_proxy){true, true, id, box, grown(box, model_margin(m, box)), filter, set, user};
    if (id.index1 >= m->limit)
        m->limit = id.index1 + 1;
}

static inline void model_move(model_proxy *p, float margin, trv_aabb box)
{
    float longest = fmaxf(fmaxf(box.upper.x - box.lower.x, box.upper.y - box.lower.y),
                          box.upper.z - box.lower.z);
    bool stays = margin > 0.0f ? box_contains(p->fat, box) &&
                                     box_contains(grown(box, 4.0f * margin + longest), p->fat)
                               : memcmp(&p->fat, &box, sizeof box) == 0;
    p->tight = box;
    if (stays)
        return;
    p->fat = grown(box, margin);
    p->touched = true;
}

static inline void model_set(model_proxy *p, trv_proxy_set set)
{
    if (p->set != set && (p->set == TRV_PROXY_STATIC || set == TRV_PROXY_STATIC))
        p->touched = true;
    p->set = set;
}

static inline bool model_active(const model_proxy *p)
{
    return p->touched || p->set == TRV_PROXY_AWAKE;
}

static inline void model_hash(model *m, const trv_pair *pair)
{
    const uint64_t words[] = {pair->a, pair->b, pair->slot, pair->user_a, pair->user_b};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        m->hash = (m->hash ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

// The next pair of a reported list must be (a, b) with the right users; returns its slot.
static inline uint32_t model_expect(model *m, const trv_pair *list, uint32_t count, uint32_t *next,
                                    model_pair wanted)
{
    model_demand(*next < count);
    const trv_pair *pair = &list[(*next)++];
    model_demand(pair->a == wanted.a);
    model_demand(pair->b == wanted.b);
    model_demand(pair->user_a == wanted.user_a && pair->user_b == wanted.user_b);
    model_demand(pair->slot < MODEL_MAX_PAIRS);
    model_hash(m, pair);
    return pair->slot;
}

static inline int model_compare_sides(const void *a, const void *b)
{
    float x = (*(const model_proxy *const *)a)->fat.lower.x;
    float y = (*(const model_proxy *const *)b)->fat.lower.x;
    return (x > y) - (x < y);
}

static inline int model_compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

MODEL_UNWATCHED static inline void model_put_key(model *m, uint32_t *count, uint32_t a, uint32_t b)
{
    model_demand(*count < MODEL_MAX_PAIRS);
    m->keys[(*count)++] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// All live boxes that overlap, sorted, to m->keys: among all pairs where boxes are few and may all
// overlap.
MODEL_UNWATCHED static inline uint32_t model_list_few(model *m)
{
    uint32_t live = 0, count = 0;
    for (uint32_t i = 1; i < m->limit; i++) {
        m->order[live] = &m->proxies[i];
        m->boxes[live] = m->proxies[i].fat;
        live += m->proxies[i].live;
    }
    for (uint32_t a = 0; a < live; a++) {
        trv_aabb box = m->boxes[a];
        for (uint32_t b = a + 1; b < live; b++) {
            if (boxes_overlap(box, m->boxes[b]))
                model_put_key(m, &count, m->order[a]->id.index1, m->order[b]->id.index1);
        }
    }
    return count;
}

// The same where they are many, by the side that they begin at.
static inline uint32_t model_list_many(model *m)
{
    uint32_t live = 0, count = 0;
    for (uint32_t i = 1; i < m->limit; i++) {
        if (m->proxies[i].live)
            m->order[live++] = &m->proxies[i];
    }
    if (live > 0)
        qsort(m->order, live, sizeof *m->order, model_compare_sides);
    for (uint32_t i = 0; i < live; i++) {
        const model_proxy *p = m->order[i];
        for (uint32_t j = i + 1; j < live && m->order[j]->fat.lower.x <= p->fat.upper.x; j++) {
            if (boxes_overlap(p->fat, m->order[j]->fat))
                model_put_key(m, &count, p->id.index1, m->order[j]->id.index1);
        }
    }
    if (count > 0)
        qsort(m->keys, count, sizeof *m->keys, model_compare_keys);
    return count;
}

// Checks an update's report against what should be in it, pair by pair, and takes it over.
MODEL_UNCOUNTED static inline void model_check_update(model *m, const trv_pairs *got)
{
    uint32_t begun = 0, kept = 0, ended = 0, old = 0, count = 0, next = 0;
    uint32_t listed = m->limit <= MODEL_FEW ? model_list_few(m) : model_list_many(m);
    while (next < listed || old < m->pair_count) {
        // The next one of those that overlap, and of those that there were.
        uint64_t key = next < listed ? m->keys[next] : UINT64_MAX;
        if (old < m->pair_count) {
            uint64_t old_key = (uint64_t)m->pairs[old].a << 32 | m->pairs[old].b;
            key = old_key < key ? old_key : key;
        }
        next += next < listed && m->keys[next] == key;
        uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
        const model_proxy *p = &m->proxies[a], *q = &m->proxies[b];
        bool was = old < m->pair_count && m->pairs[old].a == a && m->pairs[old].b == b;
        bool live = p->live && q->live;
        bool looked_for = !live || model_active(p) || model_active(q);
        bool is = was;
        if (looked_for)
            is = live && (p->set != TRV_PROXY_STATIC || q->set != TRV_PROXY_STATIC) &&
                 boxes_overlap(p->fat, q->fat) && model_may_pair(p, q);
        if (!was && !is)
            continue;
        model_pair pair = {a, b, 0, p->user, q->user};
        if (was)
            pair = m->pairs[old++];
        if (was && is && looked_for) {
            model_demand(model_expect(m, got->kept, got->kept_count, &kept, pair) == pair.slot);
        } else if (was && !is) {
            model_demand(model_expect(m, got->ended, got->ended_count, &ended, pair) == pair.slot);
        } else if (!was) {
            pair.slot = model_expect(m, got->begun, got->begun_count, &begun, pair);
            model_demand(!m->slot_used[pair.slot]);
            m->slot_used[pair.slot] = true;
        }
        if (is) {
            model_demand(pair.slot < got->slot_limit);
            model_demand(count < MODEL_MAX_PAIRS);
            m->next[count++] = pair;
        }
    }
    model_demand(begun == got->begun_count);
    model_demand(kept == got->kept_count);
    model_demand(ended == got->ended_count);
    for (uint32_t i = 0; i < ended; i++)
        m->slot_used[got->ended[i].slot] = false;
    for (uint32_t i = 1; i < m->limit; i++)
        m->proxies[i].touched = false;
    model_pair *swap = m->pairs;
    m->pairs = m->next;
    m->next = swap;
    m->pair_count = count;
    m->begun += begun;
    m->kept += kept;
    m->ended += ended;
}

#endif
