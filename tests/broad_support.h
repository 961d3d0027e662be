// What the tests of the broadphase share: boxes, calls that must succeed, and workers.
#ifndef TRV_TESTS_BROAD_SUPPORT_H
#define TRV_TESTS_BROAD_SUPPORT_H

#include "support.h"

#include <trivet/broad.h>

static inline trv_aabb make_box(float x, float y, float z, float half)
{
    trv_aabb box = {{x - half, y - half, z - half}, {x + half, y + half, z + half}};
    return box;
}

// Those that touch, too.
static inline bool boxes_meet(const trv_aabb *a, const trv_aabb *b)
{
    return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
           b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

static inline trv_broad *create_broad(const trv_broad_def *def)
{
    trv_broad *broad;
    expect_result(trv_broad_create(def, &broad), TRV_OK);
    return broad;
}

static inline trv_broad *create_default(void)
{
    trv_broad_def def = trv_default_broad_def();
    return create_broad(&def);
}

static inline trv_proxy_id add(trv_broad *broad, trv_aabb box, trv_proxy_set set, uint64_t user)
{
    trv_proxy_id id;
    expect_result(trv_broad_add(broad, box, trv_default_filter(), set, user, &id), TRV_OK);
    return id;
}

static inline trv_pairs update(trv_broad *broad)
{
    trv_pairs pairs;
    expect_result(trv_broad_update(broad, &pairs), TRV_OK);
    return pairs;
}

static inline void expect_counts(trv_pairs pairs, uint32_t begun, uint32_t kept, uint32_t ended)
{
    assert_int_equal(pairs.begun_count, begun);
    assert_int_equal(pairs.kept_count, kept);
    assert_int_equal(pairs.ended_count, ended);
}

static inline bool count_proxy(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    (void)user;
    ++*(uint32_t *)context;
    return true;
}

// Deals ranges of `grain` items from the last to the first, to workers in turn.
static inline void deal_backwards(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                                  void *context)
{
    uint32_t count = *(const uint32_t *)user, ranges = (items + grain - 1) / grain;
    for (uint32_t i = ranges; i > 0; i--) {
        uint32_t first = (i - 1) * grain;
        fn(context, first, first + grain < items ? first + grain : items, i % count);
    }
}

#endif
