// What the broadphase does at its ends: of memory, of pairs, of proxies, of generations.
#include "broad_support.h"

#include "broad/broad_data.h"

static void boxes_that_change_sets_are_found_while_updates_fail(void **state)
{
    (void)state;
    for (size_t k = 0;; k++) {
        test_memory memory = {.fail_at = SIZE_MAX};
        trv_broad_def def = trv_default_broad_def();
        def.allocator = test_allocator(&memory);
        trv_broad *broad = create_broad(&def);
        trv_proxy_id ids[40];
        for (int i = 0; i < 40; i++)
            ids[i] = add(broad, make_box((float)i, 0, 0, .4f), TRV_PROXY_STATIC, 0);
        update(broad);
        for (int i = 0; i < 20; i++)
            expect_result(trv_broad_set(broad, ids[i], TRV_PROXY_AWAKE), TRV_OK);
        memory.fail_at = memory.calls + k;
        trv_pairs pairs;
        trv_result result = trv_broad_update(broad, &pairs);
        uint32_t found = 0;
        trv_aabb box = make_box(0, 0, 0, 100);
        expect_result(trv_broad_query_aabb(broad, box, trv_default_filter(), count_proxy, &found),
                      TRV_OK);
        assert_int_equal(found, 40);
        trv_broad_destroy(broad);
        if (result == TRV_OK) {
            assert_true(k > 3);
            return;
        }
        expect_result(result, TRV_ERROR_MEMORY);
    }
}

static void updates_in_a_steady_state_allocate_nothing(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_broad_def def = trv_default_broad_def();
    def.allocator = test_allocator(&memory);
    trv_broad *broad = create_broad(&def);
    trv_proxy_id ids[400];
    for (int i = 0; i < 400; i++)
        ids[i] = add(broad, make_box((float)i, 0, 0, .6f), TRV_PROXY_AWAKE, 0);
    size_t calls = 0;
    for (int round = 0; round < 60; round++) {
        if (round == 30) // all repeats after 12 rounds, an even number: the lists alternate
            calls = memory.calls;
        for (int i = 0; i < 400; i++) {
            trv_proxy_set set = i % 3 == round % 3 ? TRV_PROXY_ASLEEP : TRV_PROXY_AWAKE;
            float y = i % 4 == round % 4 ? 5.0f : 0.0f;
            expect_result(trv_broad_move(broad, ids[i], make_box((float)i, y, 0, .6f)), TRV_OK);
            expect_result(trv_broad_set(broad, ids[i], set), TRV_OK);
        }
        trv_pairs pairs = update(broad);
        assert_true(round == 0 || (pairs.begun_count > 50 && pairs.ended_count > 50));
    }
    assert_int_equal(memory.calls, calls);
    trv_broad_destroy(broad);
    assert_int_equal(memory.live, 0);
}

static void too_many_pairs_are_refused_and_nothing_is_lost(void **state)
{
    (void)state;
    trv_broad_def def = trv_default_broad_def();
    def.max_pairs = 1225; // 50 boxes in one place
    static uint32_t two = 2;
    for (int parallel = 0; parallel < 2; parallel++) {
        if (parallel)
            def.workers = (trv_workers){&two, 2, deal_backwards};
        trv_broad *broad = create_broad(&def);
        trv_proxy_id ids[200];
        for (uint64_t i = 0; i < 50; i++)
            ids[i] = add(broad, make_box(1, 2, 3, 1), TRV_PROXY_AWAKE, i);
        expect_counts(update(broad), 1225, 0, 0);
        for (uint64_t i = 50; i < 200; i++)
            ids[i] = add(broad, make_box(1, 2, 3, 1), TRV_PROXY_AWAKE, i);
        trv_pairs pairs;
        for (int k = 0; k < 3; k++) {
            expect_result(trv_broad_update(broad, &pairs), TRV_ERROR_LIMIT);
            assert_true(pairs.kept == NULL && pairs.kept_count == 0);
        }
        for (int i = 51; i < 200; i++)
            expect_result(trv_broad_remove(broad, ids[i]), TRV_OK);
        expect_result(trv_broad_update(broad, &pairs), TRV_ERROR_LIMIT);
        expect_result(trv_broad_remove(broad, ids[10]), TRV_OK);
        expect_counts(update(broad), 49, 1225 - 49, 49);
        trv_broad_destroy(broad);
    }
}

static void quiet_pairs_count_for_the_limit(void **state)
{
    (void)state;
    trv_broad_def def = trv_default_broad_def();
    def.max_pairs = 1;
    trv_broad *broad = create_broad(&def);
    trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_ASLEEP, 0);
    add(broad, make_box(0, 0, 0, 1), TRV_PROXY_STATIC, 0);
    expect_counts(update(broad), 1, 0, 0);
    expect_counts(update(broad), 0, 0, 0);
    add(broad, make_box(9, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    add(broad, make_box(9, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trv_pairs pairs;
    expect_result(trv_broad_update(broad, &pairs), TRV_ERROR_LIMIT);
    expect_result(trv_broad_move(broad, a, make_box(-9, 0, 0, 1)), TRV_OK);
    expect_counts(update(broad), 1, 0, 1);
    trv_broad_destroy(broad);
}

static void the_limit_of_proxies_is_of_live_ones(void **state)
{
    (void)state;
    trv_broad_def def = trv_default_broad_def();
    def.max_proxies = 2;
    trv_broad *broad = create_broad(&def);
    trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0), b;
    add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trv_aabb box = make_box(5, 0, 0, 1);
    trv_filter filter = trv_default_filter();
    expect_result(trv_broad_add(broad, box, filter, TRV_PROXY_AWAKE, 0, &b), TRV_ERROR_LIMIT);
    assert_int_equal(b.index1, 0);
    expect_result(trv_broad_remove(broad, a), TRV_OK);
    expect_result(trv_broad_add(broad, box, filter, TRV_PROXY_AWAKE, 0, &b), TRV_OK);
    assert_true(b.index1 != a.index1); // before the update that reports the end
    trv_broad_destroy(broad);
}

static void an_index_whose_generations_are_used_up_is_given_up(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trvi_generations(broad)[a.index1] = a.generation = UINT32_MAX;
    expect_result(trv_broad_remove(broad, a), TRV_OK);
    update(broad);
    trv_proxy_id b = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    assert_true(b.index1 != a.index1);
    trv_broad_destroy(broad);
}

static void damaged_saves_are_refused_and_change_nothing(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_broad_def def = trv_default_broad_def();
    def.allocator = test_allocator(&memory);
    trv_broad *broad = create_broad(&def), *other = create_default();
    for (int i = 0; i < 40; i++)
        add(other, make_box((float)i, 0, 0, .6f), TRV_PROXY_AWAKE, (uint64_t)i);
    expect_counts(update(other), 39, 0, 0);
    size_t size = trv_broad_save_size(other), written = 1;
    unsigned char *bytes = malloc(size), *before = malloc(size);
    assert_true(bytes && before);
    expect_result(trv_broad_save(other, bytes, size - 1, &written), TRV_ERROR_RANGE);
    assert_int_equal(written, 0);
    expect_result(trv_broad_save(other, bytes, size, &written), TRV_OK);

    add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    size_t own_size = trv_broad_save_size(broad);
    assert_true(own_size <= size);
    expect_result(trv_broad_save(broad, before, size, &written), TRV_OK);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 1;
        assert_true(trv_broad_restore(broad, bytes, size) != TRV_OK);
        bytes[i] ^= 1;
        assert_true(trv_broad_restore(broad, bytes, i) != TRV_OK);
    }
    for (size_t k = 0;; k++) {
        memory.fail_at = memory.calls + k;
        trv_result result = trv_broad_restore(broad, bytes, size);
        memory.fail_at = SIZE_MAX;
        if (result == TRV_OK) {
            assert_true(k > 3);
            break;
        }
        expect_result(result, TRV_ERROR_MEMORY);
        unsigned char *after = malloc(own_size);
        assert_non_null(after);
        expect_result(trv_broad_save(broad, after, own_size, &written), TRV_OK);
        assert_memory_equal(before, after, own_size);
        free(after);
    }
    expect_counts(update(broad), 0, 39, 0);
    free(bytes);
    free(before);
    trv_broad_destroy(broad);
    trv_broad_destroy(other);
    assert_int_equal(memory.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_that_change_sets_are_found_while_updates_fail),
        cmocka_unit_test(updates_in_a_steady_state_allocate_nothing),
        cmocka_unit_test(too_many_pairs_are_refused_and_nothing_is_lost),
        cmocka_unit_test(quiet_pairs_count_for_the_limit),
        cmocka_unit_test(the_limit_of_proxies_is_of_live_ones),
        cmocka_unit_test(an_index_whose_generations_are_used_up_is_given_up),
        cmocka_unit_test(damaged_saves_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
