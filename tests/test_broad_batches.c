// Batches of boxes come and go among others: pairs against brute force, also while memory fails,
// with workers, and where what comes meets statics, giants, or more than there is room for.
#include "broad_columns.h"

#include "broad/ring.h"

// What the boxes of a history are like.
typedef struct scene {
    const char *name;
    uint32_t count, batches;
    float extent[3];              // positions are within +- this
    float half_lower, half_upper; // half extents, log-uniform between
    uint32_t large_one_in;        // boxes, which are 40 times larger; 0: none
    bool mixed, filters;          // some are static, some asleep; some have filters
    bool dense;                   // what comes lies in a tenth of the room
} scene;

static const scene scenes[] = {
    {"few", 40, 40, {3, 3, 3}, .2f, 1, 0, false, false, false},
    {"cube", 500, 16, {9, 9, 9}, .3f, .8f, 0, false, true, false},
    {"mixed", 600, 16, {12, 12, 12}, .4f, 1, 0, true, true, false},
    {"giants", 900, 8, {25, 25, 25}, .3f, .8f, 60, false, false, false},
    {"mixed giants", 900, 8, {25, 25, 25}, .3f, .8f, 60, true, true, false},
    {"line", 400, 16, {0, 90, 0}, .5f, .5f, 0, false, false, false},
    {"dense", 900, 8, {25, 25, 25}, .5f, 1, 0, false, false, true},
    {"uneven", 900, 12, {60, 12, 12}, .2f, 4, 0, false, false, false},
    {"divided", 2800, 5, {60, 60, 60}, 1, 2.5f, 0, false, false, false},
    {"divided, mixed", 2800, 5, {60, 60, 60}, 1, 2.5f, 400, true, false, true},
};
enum { SCENE_COUNT = sizeof scenes / sizeof *scenes };

typedef struct history {
    const scene *s;
    trv_broad *broad;
    model *m;
    test_memory *memory;
    test_random random;
    bool fickle;               // where memory failed, the last one that came goes again
    uint32_t slid, cut, other; // updates after a batch, by how they were done
    uint32_t merged[2];        // where all pairs were gone through: of those slid, of those cut
} history;

static trv_aabb random_box(history *h, bool comes)
{
    const scene *s = h->s;
    float share = s->dense && comes ? .1f : 1, p[3], half[3];
    bool large = s->large_one_in > 0 && random_bits(&h->random) % s->large_one_in == 0;
    for (int k = 0; k < 3; k++) {
        p[k] = random_float(&h->random, -s->extent[k], s->extent[k]) * share;
        half[k] = s->half_lower * (large ? 40 : 1);
        if (s->half_upper > s->half_lower)
            half[k] *= powf(s->half_upper / s->half_lower, random_float(&h->random, 0, 1));
    }
    return (trv_aabb){{p[0] - half[0], p[1] - half[1], p[2] - half[2]},
                      {p[0] + half[0], p[1] + half[1], p[2] + half[2]}};
}

static void come(history *h, uint32_t count, bool first)
{
    for (uint32_t i = 0; i < count; i++) {
        trv_proxy_def def = {.box = random_box(h, !first), .set = TRV_PROXY_AWAKE};
        def.filter = trv_default_filter();
        def.user = random_bits(&h->random);
        if (h->s->filters && random_bits(&h->random) % 3 == 0)
            def.filter.mask = random_bits(&h->random) % 8;
        if (h->s->mixed && first)
            def.set = (trv_proxy_set)(random_bits(&h->random) % 3);
        trv_proxy_id id;
        trv_result result = trv_broad_add_many(h->broad, &def, 1, &id);
        if (failed_for_memory(result, h->memory))
            result = trv_broad_add_many(h->broad, &def, 1, &id);
        expect_result(result, TRV_OK);
        model_add(h->m, id, def.box, def.filter, def.set, def.user);
    }
}

static void leave(history *h, model_proxy *p)
{
    expect_result(trv_broad_remove(h->broad, p->id), TRV_OK);
    p->live = false;
}

// One in so many of those awake; returns how many.
static uint32_t go(history *h, uint32_t one_in)
{
    uint32_t gone = 0;
    for (uint32_t i = 1; i < h->m->limit; i++) {
        model_proxy *p = &h->m->proxies[i];
        if (!p->live || p->set != TRV_PROXY_AWAKE || random_bits(&h->random) % one_in != 0)
            continue;
        leave(h, p);
        gone++;
    }
    return gone;
}

static void update_all(history *h)
{
    trv_pairs pairs;
    trv_result result = trv_broad_update(h->broad, &pairs);
    if (failed_for_memory(result, h->memory)) {
        uint32_t last = h->m->limit - 1;
        while (last > 0 && !h->m->proxies[last].live)
            last--;
        if (h->fickle && last > 0)
            leave(h, &h->m->proxies[last]);
        check_boxes(h->broad, h->m);
        result = trv_broad_update(h->broad, &pairs);
    }
    expect_result(result, TRV_OK);
    h->slid += h->broad->has_slid;
    h->cut += h->broad->only_removes && !h->broad->has_slid; // of the others
    h->other += !h->broad->has_slid;
    if (!h->broad->has_edits && (h->broad->has_slid || h->broad->only_removes))
        h->merged[h->broad->only_removes]++;
    model_check_update(h->m, &pairs);
    check_order(h->broad);
}

// Returns the hash of all reports.
static uint64_t run(const scene *s, uint64_t seed, const trv_workers *workers, test_memory *memory,
                    bool fickle)
{
    static const uint32_t shares[] = {40, 12, 9, 3}; // the least ones slide
    history h = {.s = s, .m = model_create(0), .memory = memory, .random = {seed}};
    h.fickle = fickle;
    h.broad = create_failing(trv_default_broad_def(), workers, memory);
    come(&h, s->count, true);
    update_all(&h);
    update_all(&h); // all counted as awake in the first
    h.slid = h.cut = h.other = 0;
    for (uint32_t batch = 0; batch < s->batches; batch++) {
        uint32_t gone = go(&h, shares[batch % 4]);
        if (batch % 8 < 6)
            update_all(&h);
        come(&h, gone, false);
        update_all(&h);
        if (batch % 3 == 2) { // what began last stays
            come(&h, gone / 2, false);
            update_all(&h);
        }
    }
    assert_true(h.slid > 0 && h.other > 0 && (h.cut > 0 || s->mixed));
    assert_true(s->mixed || (h.merged[false] > 0 && h.merged[true] > 0));
    assert_true(h.m->begun > 0 && h.m->kept > 0 && h.m->ended > 0);
    uint64_t hash = h.m->hash;
    model_destroy(h.m);
    trv_broad_destroy(h.broad);
    assert_int_equal(memory->live, 0);
    return hash;
}

static uint64_t run_with(const scene *s, uint64_t seed, const trv_workers *workers)
{
    test_memory memory = {.fail_at = SIZE_MAX};
    return run(s, seed, workers, &memory, false);
}

static void batches_that_come_and_go_change_the_pairs_of_brute_force(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        for (uint64_t seed = 1; seed <= (scenes[i].count > 500 ? 1 : 2); seed++) {
            print_message("%s, seed %u\n", scenes[i].name, (unsigned)seed);
            (void)run_with(&scenes[i], seed, NULL);
        }
    }
}

static void workers_tell_the_same_of_batches(void **state)
{
    (void)state;
    uint32_t counts[] = {2, 5};
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        if (scenes[i].count > 1000)
            continue;
        uint64_t wanted = run_with(&scenes[i], 9, NULL);
        for (size_t k = 0; k < 2; k++) {
            trv_workers workers = {&counts[k], counts[k], deal_backwards};
            assert_true(run_with(&scenes[i], 9, &workers) == wanted);
        }
    }
}

static void memory_may_fail_while_batches_come_and_go(void **state)
{
    (void)state;
    static const scene failing_scenes[] = {
        {"mixed", 70, 8, {3, 3, 3}, .2f, .6f, 30, true, true, true},
        {"awake", 90, 9, {3, 3, 3}, .3f, .7f, 0, false, true, false},
    };
    for (size_t i = 0; i < 2; i++) {
        const scene *s = &failing_scenes[i];
        test_memory memory = {.fail_at = SIZE_MAX};
        uint64_t wanted = run(s, 3, NULL, &memory, false);
        size_t calls = memory.calls;
        for (size_t k = 0; k < calls; k++) {
            test_memory failing = {.fail_at = k}, again = {.fail_at = k};
            assert_true(run(s, 3, NULL, &failing, false) == wanted);
            assert_true(failing.fail_at == SIZE_MAX); // it did fail
            (void)run(s, 3, NULL, &again, true);
        }
    }
}

// All from one index up to another.
static void go_side_by_side(history *h, uint32_t first, uint32_t last)
{
    for (uint32_t i = last; i >= first; i--)
        leave(h, &h->m->proxies[i]);
}

// What is removed lies side by side, as what was added together does: all of what came last, whose
// pairs end as they began, part of it, and others.
static void boxes_side_by_side_that_go_end_the_pairs_of_brute_force(void **state)
{
    (void)state;
    enum { GONE = 60 };
    static const uint32_t firsts[] = {1, 1, 30, 200, 250, 250, 340};
    uint32_t two = 2;
    trv_workers workers = {&two, two, deal_backwards};
    for (size_t k = 0; k < 2 * SCENE_COUNT; k++) {
        const scene *s = &scenes[k / 2];
        if (s->mixed || s->count < 400)
            continue;
        test_memory memory = {.fail_at = SIZE_MAX};
        history h = {.s = s, .m = model_create(0), .memory = &memory, .random = {k + 1}};
        h.broad = create_failing(trv_default_broad_def(), k % 2 ? &workers : NULL, &memory);
        come(&h, s->count, true);
        update_all(&h);
        update_all(&h);
        h.cut = 0;
        for (uint32_t n = 0; n < 7; n++) {
            go_side_by_side(&h, firsts[n], firsts[n] + GONE - 1);
            update_all(&h);
            assert_true(h.broad->gone.first == firsts[n] && h.broad->gone.count == GONE);
            come(&h, GONE, false);
            update_all(&h);
        }
        leave(&h, &h.m->proxies[7]); // not side by side
        go_side_by_side(&h, 9, 8 + GONE);
        update_all(&h);
        assert_int_equal(h.broad->gone.count, 0);
        assert_int_equal(h.cut, 8);
        model_destroy(h.m);
        trv_broad_destroy(h.broad);
        assert_int_equal(memory.live, 0);
    }
}

// Pairs apart from all others, in a row from there on.
static void add_pairs(trv_broad *broad, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < 2 * count; i++)
        (void)add(broad, make_box((float)(4 * (first + i / 2)), 0, (float)(i & 1), .6f),
                  TRV_PROXY_AWAKE, i);
}

static void what_began_last_is_kept_where_nothing_is_found(void **state)
{
    (void)state;
    enum { OLD = 100, NEW = 20 };
    trv_broad *broad = create_default();
    add_pairs(broad, 0, OLD);
    expect_counts(update(broad), OLD, 0, 0);
    expect_counts(update(broad), 0, OLD, 0);
    add_pairs(broad, OLD, NEW);
    expect_counts(update(broad), NEW, OLD, 0);
    (void)add(broad, make_box(-9, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    expect_counts(update(broad), 0, OLD + NEW, 0);
    assert_true(broad->has_slid && !broad->has_edits);
    trv_broad_destroy(broad);
}

// More pairs with one that comes than anyone expected are found all the same.
static void one_that_comes_may_meet_all_others(void **state)
{
    (void)state;
    enum { COUNT = 3000, LINE = 60 };
    trv_broad *broad = create_default();
    for (uint32_t i = 0; i < COUNT; i++)
        add(broad, make_box((float)(2 * (i % LINE)), (float)(2 * (i / LINE)), 0, .4f),
            TRV_PROXY_AWAKE, i);
    expect_counts(update(broad), 0, 0, 0);
    for (uint32_t round = 0; round < 3; round++) {
        trv_proxy_id id = add(broad, make_box(60, 50, 0, 200), TRV_PROXY_AWAKE, COUNT);
        expect_counts(update(broad), COUNT, 0, 0);
        trv_proxy_id part = add(broad, make_box(60, 50, 0, 3.5f), TRV_PROXY_AWAKE, COUNT + 1);
        trv_pairs pairs = update(broad);
        assert_true(pairs.begun_count == 10 && pairs.kept_count == COUNT);
        assert_true(broad->has_slid);
        expect_result(trv_broad_remove(broad, id), TRV_OK);
        expect_result(trv_broad_remove(broad, part), TRV_OK);
        expect_counts(update(broad), 0, 0, COUNT + 10);
        check_order(broad);
    }
    trv_broad_destroy(broad);
}

// Two far boxes make one share of the bounds of all others, so that what comes is in no order: few
// of them, and more than are put in order step by step.
static void batches_in_a_small_part_of_the_bounds_change_the_pairs_of_brute_force(void **state)
{
    (void)state;
    static const scene small = {"small part", 3000, 0, {9, 2, 2}, .2f, .4f, 0, false, false, false};
    static const uint32_t batches[] = {9, 60, 290};
    test_memory memory = {.fail_at = SIZE_MAX};
    history h = {.s = &small, .m = model_create(0), .memory = &memory, .random = {7}};
    h.broad = create_failing(trv_default_broad_def(), NULL, &memory);
    for (int k = 0; k < 2; k++) {
        trv_aabb box = make_box(k == 0 ? -1e5f : 1e5f, 0, 0, 1);
        trv_proxy_id id = add(h.broad, box, TRV_PROXY_AWAKE, 0);
        model_add(h.m, id, box, trv_default_filter(), TRV_PROXY_AWAKE, 0);
    }
    come(&h, small.count, true);
    update_all(&h);
    update_all(&h);
    h.slid = 0;
    for (uint32_t k = 0; k < 3; k++) {
        come(&h, batches[k], false);
        update_all(&h);
    }
    assert_int_equal(h.slid, 3);
    model_destroy(h.m);
    trv_broad_destroy(h.broad);
    assert_int_equal(memory.live, 0);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Also where most are alike in the bits that are sorted first.
static void keys_of_pairs_come_out_in_order(void **state)
{
    (void)state;
    enum { MOST = 5000 };
    static const uint32_t counts[] = {0, 1, 2, 47, 49, 300, MOST},
                          random_bit_counts[] = {40, 34, 9, 0};
    static uint64_t keys[MOST], spare[MOST], wanted[MOST];
    test_random random = {11};
    for (uint32_t n = 0; n < 28; n++) {
        const uint32_t count = counts[n % 7], bits = random_bit_counts[n / 7];
        for (uint32_t i = 0; i < count; i++)
            wanted[i] = keys[i] = random_bits(&random) & (((uint64_t)1 << bits) - 1);
        qsort(wanted, count, sizeof *wanted, compare_keys);
        const uint64_t *sorted = trvi_sort_keys(keys, spare, count, 40);
        assert_true(sorted == keys || sorted == spare);
        assert_memory_equal(sorted, wanted, count * sizeof *wanted);
    }
}

// All four are columns, of the giants' ring, too; and those that a ring has are its columns.
static void corners_of_any_ring_are_columns(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 8, 32};
    uint32_t looked = 0;
    for (uint32_t k = 0; k < 9; k++) {
        trvi_columns columns = {.grid.size = {sizes[k % 3], sizes[k / 3]}};
        const uint32_t giants = columns.grid.size[0] * columns.grid.size[1];
        columns.column_count = giants + 1;
        for (uint32_t n = 0; n < 4 * columns.column_count; n++) {
            trvi_ring ring = {n / 4, n & 1, n >> 1 & 1};
            if (ring.home == giants || columns.grid.size[0] == 1)
                ring.span_u = 0;
            if (ring.home == giants || columns.grid.size[1] == 1)
                ring.span_v = 0;
            trvi_corners corners;
            assert_true(trvi_corners_of(&columns, ring, &corners));
            for (uint32_t c = 0; c < 4; c++) {
                uint32_t u = c & 1, v = c >> 1;
                assert_true(corners.column[c] < columns.column_count);
                assert_int_equal(corners.has[c], u <= ring.span_u && v <= ring.span_v);
                if (corners.has[c])
                    assert_int_equal(corners.column[c], trvi_ring_column(&columns, ring, u, v));
                looked++;
            }
            ring.span_v = 2;
            assert_false(trvi_corners_of(&columns, ring, &corners));
        }
    }
    assert_true(looked > 10000);
}

// Each number of a box in an array is looked at.
static void an_array_with_one_wrong_box_moves_nothing(void **state)
{
    (void)state;
    const float wrong[] = {NAN, INFINITY, -INFINITY, 2 * TRV_COORD_MAX, -2 * TRV_COORD_MAX};
    trv_broad *broad = create_default();
    trv_proxy_id ids[2];
    for (uint32_t i = 0; i < 2; i++)
        ids[i] = add(broad, make_box((float)(9 * i), 0, 0, 1), TRV_PROXY_AWAKE, i);
    expect_counts(update(broad), 0, 0, 0);
    for (uint32_t side = 0; side < 6; side++) {
        for (uint32_t k = 0; k < 6; k++) {
            trv_aabb boxes[2] = {make_box(9, 0, 0, 1), make_box(9, 0, 0, 1)};
            float number = k < 5 ? wrong[k] : side < 3 ? 11 : -11; // the last is inverted
            memcpy((char *)&boxes[1] + side * sizeof number, &number, sizeof number);
            trv_result result = trv_broad_move_many(broad, ids, boxes, 2);
            assert_true(result != TRV_OK && result == trv_broad_move(broad, ids[1], boxes[1]));
            expect_counts(update(broad), 0, 0, 0);
        }
    }
    trv_aabb most = {{-TRV_COORD_MAX, -TRV_COORD_MAX, -TRV_COORD_MAX},
                     {TRV_COORD_MAX, TRV_COORD_MAX, TRV_COORD_MAX}};
    expect_result(trv_broad_move_many(broad, ids, &most, 1), TRV_OK);
    expect_counts(update(broad), 1, 0, 0);
    trv_broad_destroy(broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_that_come_and_go_change_the_pairs_of_brute_force),
        cmocka_unit_test(workers_tell_the_same_of_batches),
        cmocka_unit_test(memory_may_fail_while_batches_come_and_go),
        cmocka_unit_test(boxes_side_by_side_that_go_end_the_pairs_of_brute_force),
        cmocka_unit_test(what_began_last_is_kept_where_nothing_is_found),
        cmocka_unit_test(one_that_comes_may_meet_all_others),
        cmocka_unit_test(batches_in_a_small_part_of_the_bounds_change_the_pairs_of_brute_force),
        cmocka_unit_test(keys_of_pairs_come_out_in_order),
        cmocka_unit_test(corners_of_any_ring_are_columns),
        cmocka_unit_test(an_array_with_one_wrong_box_moves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
