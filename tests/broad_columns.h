// What tests of random histories share: whether the columns show what the model has, going on from a
// save, and calls that may fail.
#ifndef TRV_TESTS_BROAD_COLUMNS_H
#define TRV_TESTS_BROAD_COLUMNS_H

#include "broad_model.h"
#include "broad_support.h"

#include "broad/broad_data.h"

// A call that may have been made to fail is made again with memory.
static inline bool failed_for_memory(trv_result result, test_memory *memory)
{
    if (result != TRV_ERROR_MEMORY)
        return false;
    memory->fail_at = SIZE_MAX;
    return true;
}

static inline trv_broad *create_failing(trv_broad_def def, const trv_workers *workers,
                                        test_memory *memory)
{
    trv_broad *broad;
    def.allocator = test_allocator(memory);
    if (workers != NULL)
        def.workers = *workers;
    trv_result result = trv_broad_create(&def, &broad);
    if (failed_for_memory(result, memory)) {
        assert_null(broad);
        result = trv_broad_create(&def, &broad);
    }
    expect_result(result, TRV_OK);
    return broad;
}

static inline void check_boxes(const trv_broad *broad, const model *m)
{
    trv_aabb all = make_box(0, 0, 0, TRV_COORD_MAX);
    trv_filter filter = {~(uint64_t)0, ~(uint64_t)0, 0, 0};
    uint32_t found = 0, wanted = 0;
    expect_result(trv_broad_query_aabb(broad, all, filter, count_proxy, &found), TRV_OK);
    for (uint32_t i = 1; i < m->limit; i++) {
        const model_proxy *p = &m->proxies[i];
        trv_aabb tight, fat;
        expect_result(trv_broad_get(broad, p->id, &tight, &fat),
                      p->live ? TRV_OK : TRV_ERROR_STALE);
        if (!p->live)
            continue;
        assert_memory_equal(&tight, &p->tight, sizeof tight);
        assert_memory_equal(&fat, &p->fat, sizeof fat);
        wanted += trv_filters_agree(filter, p->filter);
    }
    assert_int_equal(found, wanted);
}

// Entries show the boxes of their proxies, and are in order; all other room is empty.
static inline uint32_t check_column(const trv_broad *broad, const trvi_columns *columns,
                                    uint32_t column)
{
    uint32_t first = ((const uint32_t *)columns->start.items)[column];
    uint32_t end = ((const uint32_t *)columns->start.items)[column + 1];
    uint32_t fill = ((const uint32_t *)columns->fill.items)[column], firsts = 0;
    assert_true(first + fill <= end);
    const float *lower = trvi_part(columns, TRVI_LOWER_S),
                *upper = trvi_part(columns, TRVI_UPPER_S);
    float farthest = -INFINITY;
    for (uint32_t i = first; i < end; i++) {
        uint32_t tag = ((const uint32_t *)columns->tag.items)[i];
        if (i >= first + fill) {
            assert_true(tag == 0 && lower[i] == INFINITY && upper[i] == -INFINITY);
            continue;
        }
        trv_aabb box = trvi_fat_boxes(broad)[tag >> TRVI_TAG_BITS];
        assert_true(lower[i] == trvi_axis_of(box.lower, columns->grid.axis[0]));
        assert_true(trvi_part(columns, TRVI_UPPER_V)[i] ==
                    trvi_axis_of(box.upper, columns->grid.axis[2]));
        assert_true(i == first || lower[i - 1] <= lower[i]);
        farthest = fmaxf(farthest, upper[i]);
        if (i % TRVI_BLOCK == TRVI_BLOCK - 1 || i + 1 == first + fill)
            assert_true(((const float *)columns->reach.items)[i / TRVI_BLOCK] == farthest);
        assert_false(tag & TRVI_TAG_TOUCHED);
        firsts += (tag & TRVI_TAG_FIRST) == TRVI_TAG_FIRST;
    }
    return firsts;
}

// After an update, each live proxy is in the columns of its set, once at its first.
static inline void check_order(const trv_broad *broad)
{
    uint32_t total = 0;
    for (int k = 0; k < TRVI_SET_COUNT; k++) {
        const trvi_columns *columns = &broad->sets[k];
        uint32_t firsts = 0;
        for (uint32_t c = 0; c < columns->column_count; c++)
            firsts += check_column(broad, columns, c);
        assert_int_equal(firsts, columns->member_count);
        total += firsts;
    }
    assert_int_equal(total, broad->live_count);
}

// Saves the one and lets the other go on from there, whatever that has seen before.
static inline void hand_over(trv_broad **broad, trv_broad **other)
{
    size_t size = trv_broad_save_size(*broad), written;
    char *bytes = malloc(size);
    assert_non_null(bytes);
    expect_result(trv_broad_save(*broad, bytes, size, &written), TRV_OK);
    assert_int_equal(written, size);
    expect_result(trv_broad_restore(*other, bytes, size), TRV_OK);
    free(bytes);
    trv_broad *swap = *broad;
    *broad = *other;
    *other = swap;
}

#endif
