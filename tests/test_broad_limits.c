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

// A box turns static while so much is new that both sets of columns are built: it leaves the awake ones,
// of which there are few, and is not to be taken for one of them. `fail_at`: what the first update may
// allocate; false where it did without more.
static bool turn_static_while_all_is_built(size_t fail_at)
{
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_broad_def def = trv_default_broad_def();
    def.allocator = test_allocator(&memory);
    trv_broad *broad = create_broad(&def);
    for (int i = 0; i < 100; i++)
        add(broad, make_box((float)i, 9, 0, .4f), TRV_PROXY_STATIC, 0);
    trv_proxy_id ids[8];
    for (int i = 0; i < 5; i++)
        ids[i] = add(broad, make_box((float)i, 0, 0, .6f), TRV_PROXY_AWAKE, 0);
    expect_counts(update(broad), 4, 0, 0);
    expect_result(trv_broad_set(broad, ids[0], TRV_PROXY_STATIC), TRV_OK);
    for (int i = 0; i < 100; i++)
        add(broad, make_box((float)i, -9, 0, .4f), TRV_PROXY_STATIC, 0);
    for (int i = 5; i < 8; i++)
        ids[i] = add(broad, make_box((float)i, 0, 0, .6f), TRV_PROXY_AWAKE, 0);
    memory.fail_at = fail_at < SIZE_MAX ? memory.calls + fail_at : SIZE_MAX;
    trv_pairs pairs;
    trv_result result = trv_broad_update(broad, &pairs);
    memory.fail_at = SIZE_MAX;
    if (result == TRV_ERROR_MEMORY) { // now less is new than would have all built
        for (int i = 5; i < 8; i++)
            expect_result(trv_broad_remove(broad, ids[i]), TRV_OK);
        pairs = update(broad);
    } else {
        expect_result(result, TRV_OK);
    }
    uint32_t more = result == TRV_OK ? 3 : 0;
    expect_counts(pairs, more, 4, 0);
    // It stays the neighbour of one, and gets another; that one has lost its own.
    expect_result(trv_broad_move(broad, ids[4], make_box(0, .5f, 0, .35f)), TRV_OK);
    expect_counts(update(broad), 1, 3 + more - (more > 0), 1 + (more > 0));
    trv_broad_destroy(broad);
    assert_int_equal(memory.live, 0);
    return result != TRV_OK;
}

static void a_box_that_turns_static_is_in_one_set_whatever_is_built(void **state)
{
    (void)state;
    assert_false(turn_static_while_all_is_built(SIZE_MAX));
    size_t k = 0;
    while (turn_static_while_all_is_built(k))
        k++;
    assert_true(k > 3);
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

// What the first updates took is given back, once, and no more than that is held.
static void memory_is_given_back_some_time_after_many_came(void **state)
{
    (void)state;
    enum { COUNT = 5000, UPDATES = 150 };
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_broad_def def = trv_default_broad_def();
    def.allocator = test_allocator(&memory);
    for (int moving = 0; moving < 2; moving++) {
        trv_broad *broad = create_broad(&def);
        static trv_proxy_id ids[COUNT];
        for (int i = 0; i < COUNT; i++) // each overlaps one or two
            ids[i] = add(broad, make_box((float)(i % 70), 0, (float)(i / 70) * 1.5f, .6f),
                         TRV_PROXY_AWAKE, 0);
        size_t calls = 0;
        trv_broad_bytes bytes = {0};
        for (int round = 0; round < 2 * UPDATES; round++) {
            for (int i = 0; i < COUNT && moving; i++)
                expect_result(trv_broad_move(broad, ids[i],
                                             make_box((float)(i % 70) + (float)(round % 4) * .01f,
                                                      0, (float)(i / 70) * 1.5f, .6f)),
                              TRV_OK);
            trv_pairs pairs = update(broad);
            assert_true(pairs.begun_count + pairs.kept_count > COUNT * 9 / 10);
            expect_result(trv_broad_bytes_get(broad, &bytes), TRV_OK);
            assert_true(bytes.proxies + bytes.columns + bytes.pairs + bytes.work == memory.bytes);
            if (round == 0)
                assert_true(memory.bytes > 150 * COUNT);
            if (round == UPDATES)
                calls = memory.calls;
        }
        assert_int_equal(memory.calls, calls); // once
        assert_true(bytes.proxies + bytes.columns + bytes.work <= 100 * COUNT);
        assert_true(bytes.pairs <= (moving ? 90 : 34) * COUNT);
        trv_broad_destroy(broad);
        assert_int_equal(memory.live, 0);
    }
    trv_broad_bytes bytes = {1, 1, 1, 1};
    expect_result(trv_broad_bytes_get(NULL, &bytes), TRV_ERROR_NULL);
    assert_true(bytes.proxies + bytes.columns + bytes.pairs + bytes.work == 0);
    trv_broad *broad = create_broad(&def);
    expect_result(trv_broad_bytes_get(broad, NULL), TRV_ERROR_NULL);
    trv_broad_destroy(broad);
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

// Would take minutes where all pairs along an axis, or all columns of a giant, were looked at.
static void crowds_on_a_line_and_below_a_giant_are_no_burden(void **state)
{
    (void)state;
    enum { COUNT = 30000 };
    for (int axis = 0; axis < 3; axis++) {
        trv_broad *broad = create_default();
        for (int i = 0; i < COUNT; i++) {
            float at[3] = {0, 0, 0};
            at[axis] = (float)(i * 7919 % COUNT); // far from order
            add(broad, make_box(at[0], at[1], at[2], .75f), TRV_PROXY_AWAKE, 0);
        }
        expect_counts(update(broad), COUNT - 1, 0, 0);
        trv_proxy_id giant = add(broad, make_box(0, 0, 0, 7500), TRV_PROXY_AWAKE, 0);
        expect_counts(update(broad), 7501, COUNT - 1, 0);
        expect_result(trv_broad_remove(broad, giant), TRV_OK);
        expect_counts(update(broad), 0, COUNT - 1, 7501);
        trv_broad_destroy(broad);
    }
}

static void a_crowd_in_one_place_is_refused_and_may_part(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_broad_def def = trv_default_broad_def();
    def.allocator = test_allocator(&memory);
    def.max_pairs = 100000;
    trv_broad *broad = create_broad(&def);
    static trv_proxy_id ids[COUNT];
    for (int i = 0; i < COUNT; i++)
        ids[i] = add(broad, make_box(1, 2, 3, 1), TRV_PROXY_AWAKE, 0);
    trv_pairs pairs;
    expect_result(trv_broad_update(broad, &pairs), TRV_ERROR_LIMIT);
    assert_true(memory.bytes < (size_t)COUNT * 400); // not what all the pairs would take
    for (int i = 0; i < COUNT; i++)
        expect_result(trv_broad_move(broad, ids[i], make_box((float)i, 2, 3, .25f)), TRV_OK);
    expect_counts(update(broad), 0, 0, 0);
    trv_broad_destroy(broad);
    assert_int_equal(memory.live, 0);
}

// Boxes that never meet, at rest and while all of them move: then what they take is of proxies alone.
static void a_proxy_takes_less_than_a_hundred_bytes(void **state)
{
    (void)state;
    enum { SIDE = 28, COUNT = SIDE * SIDE * SIDE, FRAMES = 16 };
    static trv_proxy_def defs[COUNT];
    static trv_proxy_id ids[COUNT];
    for (int moving = 0; moving < 2; moving++) {
        test_memory memory = {.fail_at = SIZE_MAX};
        test_random random = {3};
        trv_broad_def def = trv_default_broad_def();
        def.allocator = test_allocator(&memory);
        trv_broad *broad = create_broad(&def);
        for (int i = 0; i < COUNT; i++) {
            trv_vec3 at = random_vec3(&random, 0.24f); // apart by 0.5 m without
            at.x += 1.5f * (float)(i % SIDE);
            at.y += 1.5f * (float)(i / SIDE % SIDE);
            at.z += 1.5f * (float)(i / SIDE / SIDE);
            trv_aabb box = make_box(at.x, at.y, at.z, 0.5f);
            trv_proxy_set set = moving ? TRV_PROXY_AWAKE : TRV_PROXY_STATIC;
            defs[i] = (trv_proxy_def){box, set, trv_default_filter(), 0};
        }
        expect_result(trv_broad_add_many(broad, defs, COUNT, ids), TRV_OK);
        expect_counts(update(broad), 0, 0, 0);
        size_t most = memory.bytes;
        for (int frame = 0; frame < FRAMES && moving; frame++) {
            for (int i = 0; i < COUNT; i++) {
                float by = frame < FRAMES / 2 ? 0.03f : -0.03f;
                trv_aabb box = defs[i].box;
                box.lower.x += by, box.lower.z -= by, box.upper.x += by, box.upper.z -= by;
                defs[i].box = box;
                expect_result(trv_broad_move(broad, ids[i], box), TRV_OK);
            }
            expect_counts(update(broad), 0, 0, 0);
            most = memory.bytes > most ? memory.bytes : most;
        }
        print_message("%.1f bytes\n", (double)most / COUNT);
        assert_true(most < (size_t)COUNT * 100);
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
        expect_result(trv_broad_restore(broad, bytes, i), TRV_ERROR_RANGE);
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

enum { COUPLES = 900 };

// Two boxes each, `gap` apart, on a lattice that is shifted along.
static void place_couples(trv_broad *broad, const trv_proxy_id ids[2 * COUPLES], float gap,
                          float shift)
{
    trv_aabb boxes[2 * COUPLES];
    for (uint32_t i = 0; i < 2 * COUPLES; i++) {
        uint32_t couple = i / 2;
        float x = 4.0f * (float)(couple % 30) + shift + (i % 2 ? 1.0f + gap : 0.0f);
        boxes[i] = make_box(x, 3.0f * (float)(couple / 30), 0.0f, 0.5f);
    }
    expect_result(trv_broad_move_many(broad, ids, boxes, 2 * COUPLES), TRV_OK);
}

static void all_pairs_may_begin_and_end_at_once_where_boxes_stay(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 3; count += 2) {
        trv_broad_def def = trv_default_broad_def();
        def.workers = (trv_workers){&count, count, deal_backwards};
        trv_broad *broad = create_broad(&def);
        trv_proxy_id ids[2 * COUPLES];
        for (uint32_t i = 0; i < 2 * COUPLES; i++)
            ids[i] = add(broad, make_box(0, 0, 0, 0.5f), TRV_PROXY_AWAKE, i);
        place_couples(broad, ids, 0.01f, 0.0f);
        expect_counts(update(broad), 0, 0, 0);
        for (uint32_t round = 0; round < 6; round++) { // more than there is room for, then fewer
            float shift = 0.01f * (float)round;
            place_couples(broad, ids, 0.01f, shift);
            expect_counts(update(broad), 0, 0, 0);
            place_couples(broad, ids, -0.01f, shift);
            trv_pairs pairs = update(broad);
            expect_counts(pairs, COUPLES, 0, 0);
            for (uint32_t i = 0; i < COUPLES; i++)
                assert_true(pairs.begun[i].user_a == 2 * (uint64_t)i &&
                            pairs.begun[i].user_b == 2 * (uint64_t)i + 1);
            place_couples(broad, ids, -0.01f, shift + 0.005f);
            expect_counts(update(broad), 0, COUPLES, 0);
            place_couples(broad, ids, 0.01f, shift);
            expect_counts(update(broad), 0, 0, COUPLES);
        }
        trv_broad_destroy(broad);
    }
}

static void a_crowd_whose_filters_disagree_needs_no_room_for_pairs(void **state)
{
    (void)state;
    enum { CROWD = 1500 };
    trv_broad_def def = trv_default_broad_def();
    def.max_pairs = 8;
    trv_broad *broad = create_broad(&def);
    static trv_proxy_id ids[CROWD];
    trv_filter alone = trv_default_filter();
    alone.mask = 0;
    for (uint32_t i = 0; i < CROWD; i++)
        expect_result(
            trv_broad_add(broad, make_box(0, 0, 0, 1), alone, TRV_PROXY_AWAKE, i, &ids[i]), TRV_OK);
    for (uint32_t round = 0; round < 4; round++) {
        expect_counts(update(broad), 0, 0, 0);
        for (uint32_t i = 0; i < CROWD; i++)
            expect_result(trv_broad_move(broad, ids[i], make_box(0.001f * (float)round, 0, 0, 1)),
                          TRV_OK);
    }
    trv_broad_destroy(broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_that_change_sets_are_found_while_updates_fail),
        cmocka_unit_test(a_box_that_turns_static_is_in_one_set_whatever_is_built),
        cmocka_unit_test(memory_is_given_back_some_time_after_many_came),
        cmocka_unit_test(updates_in_a_steady_state_allocate_nothing),
        cmocka_unit_test(too_many_pairs_are_refused_and_nothing_is_lost),
        cmocka_unit_test(crowds_on_a_line_and_below_a_giant_are_no_burden),
        cmocka_unit_test(a_crowd_in_one_place_is_refused_and_may_part),
        cmocka_unit_test(all_pairs_may_begin_and_end_at_once_where_boxes_stay),
        cmocka_unit_test(a_crowd_whose_filters_disagree_needs_no_room_for_pairs),
        cmocka_unit_test(a_proxy_takes_less_than_a_hundred_bytes),
        cmocka_unit_test(quiet_pairs_count_for_the_limit),
        cmocka_unit_test(the_limit_of_proxies_is_of_live_ones),
        cmocka_unit_test(an_index_whose_generations_are_used_up_is_given_up),
        cmocka_unit_test(damaged_saves_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
