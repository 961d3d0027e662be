// The broadphase's pairs against brute force on random histories, also while memory fails and with
// any number of workers.
#include "broad_columns.h"

#include <pthread.h>

// What the boxes of a history are like.
typedef struct scene {
    const char *name;
    uint32_t count;               // of proxies, about
    uint32_t rounds;              // updates
    float extent[3];              // positions are within +- this
    float center;                 // + this, on all axes
    float half_lower, half_upper; // half extents, log-uniform between
    float margin, margin_share;
    bool lattice; // positions and half extents are whole numbers, so that boxes touch
    bool giant;   // the first box is 1e4 times larger
} scene;

static const scene scenes[] = {
    {"few", 12, 60, {2, 2, 2}, 0, .2f, 1, 0, 0, false, false},
    {"cube", 100, 30, {5, 5, 5}, 0, .3f, .8f, 0, 0, false, false},
    {"margin", 100, 30, {5, 5, 5}, 0, .3f, .6f, .1f, 0, false, false},
    {"wide margin", 60, 30, {8, 8, 8}, 0, .1f, .2f, 1, 0, false, false},
    {"margins by size", 100, 30, {5, 5, 5}, 0, .05f, 1, .4f, .25f, false, false},
    {"lattice", 120, 30, {4, 4, 4}, 0, 1, 1, 0, 0, true, false},
    {"points", 200, 20, {2, 2, 2}, 0, 0, 0, 0, 0, true, false},
    {"line x", 150, 20, {60, 0, 0}, 0, .5f, .5f, 0, 0, false, false},
    {"line y", 150, 20, {0, 60, 0}, 0, .5f, .5f, 0, 0, false, false},
    {"line z", 150, 20, {0, 0, 60}, 0, .5f, .5f, 0, 0, false, false},
    {"one place", 90, 12, {0, 0, 0}, 3, .5f, .5f, 0, 0, false, false},
    {"giant", 150, 20, {20, 20, 20}, 0, .5f, 1, 0, 0, false, true},
    {"far", 150, 20, {8, 8, 8}, 1.0e6f, .5f, 1, .1f, 0, false, false},
    {"divided", 2800, 4, {90, 90, 90}, 0, 1.5f, 3, 0, 0, false, false},
    {"divided level", 2800, 4, {150, 1, 150}, -1.0e3f, 1, 2.5f, .05f, 0, false, false},
    {"divided sizes", 2800, 4, {200, 200, 200}, 0, .1f, 60, 0, 0, false, false},
    {"divided lattice", 2800, 4, {30, 30, 30}, 0, 1, 1, 0, 0, true, false},
    {"divided giant", 2800, 4, {60, 60, 60}, 0, .5f, 2, 0, 0, false, true},
};

static trv_aabb random_box(test_random *random, const scene *s)
{
    float p[3], half[3];
    for (int k = 0; k < 3; k++) {
        p[k] = random_float(random, -s->extent[k], s->extent[k]) + s->center;
        half[k] = s->half_lower;
        if (s->half_upper > s->half_lower)
            half[k] *= powf(s->half_upper / s->half_lower, random_float(random, 0, 1));
        if (s->lattice) {
            p[k] = floorf(p[k]);
            half[k] = floorf(half[k]);
        }
    }
    trv_aabb box = {{p[0] - half[0], p[1] - half[1], p[2] - half[2]},
                    {p[0] + half[0], p[1] + half[1], p[2] + half[2]}};
    return box;
}

static trv_filter random_filter(test_random *random)
{
    trv_filter filter = trv_default_filter();
    uint64_t bits = random_bits(random);
    if (bits % 3 == 0) {
        filter.category = 1u << (bits >> 8) % 3;
        filter.mask = (bits >> 16) % 8;
        filter.group = (int32_t)((bits >> 24) % 4) - 2;
    }
    return filter;
}

// In large scenes most proxies are of one set, so that it is divided along two axes.
static trv_proxy_set random_set(test_random *random, const scene *s, uint64_t seed)
{
    uint64_t bits = random_bits(random);
    if (s->count > 1000 && bits % 16 != 0)
        return seed % 3 == 0   ? TRV_PROXY_STATIC
               : seed % 3 == 1 ? TRV_PROXY_AWAKE
                               : TRV_PROXY_ASLEEP;
    return (trv_proxy_set)((bits >> 8) % 3);
}

static void history_add(trv_broad *broad, model *m, test_memory *memory, test_random *random,
                        const scene *s, uint64_t seed)
{
    trv_aabb box = random_box(random, s);
    if (s->giant && m->limit == 1)
        box = make_box(0, 0, 0, 1.0e4f);
    trv_filter filter = random_filter(random);
    trv_proxy_set set = random_set(random, s, seed);
    uint64_t user = random_bits(random);
    trv_proxy_id id;
    trv_result result = trv_broad_add(broad, box, filter, set, user, &id);
    if (failed_for_memory(result, memory)) {
        assert_int_equal(id.index1, 0);
        result = trv_broad_add(broad, box, filter, set, user, &id);
    }
    expect_result(result, TRV_OK);
    model_add(m, id, box, filter, set, user);
}

static void history_change(trv_broad *broad, model *m, test_random *random, const scene *s,
                           model_proxy *p)
{
    uint64_t kind = random_bits(random) % 16;
    if (kind < 8) {
        trv_vec3 step = random_vec3(random, s->lattice ? 2 : s->half_lower * .5f);
        if (s->lattice)
            step = trv_make_vec3(floorf(step.x), floorf(step.y), floorf(step.z));
        trv_aabb box = {
            {p->tight.lower.x + step.x, p->tight.lower.y + step.y, p->tight.lower.z + step.z},
            {p->tight.upper.x + step.x, p->tight.upper.y + step.y, p->tight.upper.z + step.z}};
        expect_result(trv_broad_move(broad, p->id, box), TRV_OK);
        model_move(p, model_margin(m, box), box);
    } else if (kind < 9) {
        trv_aabb box = random_box(random, s);
        expect_result(trv_broad_move(broad, p->id, box), TRV_OK);
        model_move(p, model_margin(m, box), box);
    } else if (kind < 13) {
        trv_proxy_set set = (trv_proxy_set)(random_bits(random) % 3);
        expect_result(trv_broad_set(broad, p->id, set), TRV_OK);
        model_set(p, set);
    } else if (kind < 14) {
        p->filter = random_filter(random);
        p->touched = true;
        expect_result(trv_broad_filter(broad, p->id, p->filter), TRV_OK);
    } else if (kind < 15) {
        expect_result(trv_broad_remove(broad, p->id), TRV_OK);
        p->live = false;
        expect_result(trv_broad_remove(broad, p->id), TRV_ERROR_STALE);
    }
}

// One history; `memory` may be told to fail once. With `relay` it is told by two in turn, each of
// which goes on from what the other saved. Returns the hash of all reports.
static uint64_t run_relay(const scene *s, uint64_t seed, const trv_workers *workers,
                          test_memory *memory, bool relay)
{
    test_random random = {seed};
    trv_broad_def def = trv_default_broad_def();
    def.margin = s->margin;
    def.margin_share = s->margin_share;
    trv_broad *broad = create_failing(def, workers, memory);
    trv_broad *other = relay ? create_default() : NULL;
    model *m = model_create(s->margin);
    m->margin_share = s->margin_share;
    for (uint32_t i = 0; i < s->count; i++)
        history_add(broad, m, memory, &random, s, seed);
    for (uint32_t round = 0; round < s->rounds; round++) {
        trv_pairs pairs;
        trv_result result = trv_broad_update(broad, &pairs);
        if (failed_for_memory(result, memory)) {
            assert_true(pairs.begun == NULL && pairs.slot_limit == 0);
            check_boxes(broad, m);
            result = trv_broad_update(broad, &pairs);
        }
        expect_result(result, TRV_OK);
        model_check_update(m, &pairs);
        check_order(broad);
        if (relay)
            hand_over(&broad, &other);
        bool all_still = random_bits(&random) % 5 == 0;
        for (uint32_t i = 1; i < m->limit && !all_still; i++) {
            if (m->proxies[i].live && random_bits(&random) % 4 == 0)
                history_change(broad, m, &random, s, &m->proxies[i]);
            else if (!m->proxies[i].live && random_bits(&random) % 8 == 0)
                history_add(broad, m, memory, &random, s, seed);
        }
        check_boxes(broad, m);
        if (relay && round % 2 == 0) // in between, too
            hand_over(&broad, &other);
    }
    if (s->rounds > 10)
        assert_true(m->begun > 0 && m->kept > 0 && m->ended > 0);
    uint64_t hash = m->hash;
    model_destroy(m);
    trv_broad_destroy(broad);
    trv_broad_destroy(other);
    assert_int_equal(memory->live, 0);
    assert_int_equal(memory->bytes, 0);
    return hash;
}

static uint64_t run_history(const scene *s, uint64_t seed, const trv_workers *workers,
                            test_memory *memory)
{
    return run_relay(s, seed, workers, memory, false);
}

static void random_histories_give_the_pairs_of_brute_force(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        uint64_t seeds = scenes[i].count > 1000 ? 3 : 12;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            test_memory memory = {.fail_at = SIZE_MAX};
            print_message("%s, seed %u\n", scenes[i].name, (unsigned)seed);
            run_history(&scenes[i], seed, NULL, &memory);
        }
    }
}

static void large_sets_are_divided_and_giants_apart(void **state)
{
    (void)state;
    test_random random = {5};
    scene s = {.extent = {90, 90, 90}, .half_lower = 1, .half_upper = 2};
    trv_broad *broad = create_default();
    for (uint64_t i = 0; i < 2600; i++)
        add(broad, random_box(&random, &s), TRV_PROXY_AWAKE, i);
    add(broad, make_box(0, 0, 0, 80), TRV_PROXY_AWAKE, 0);
    update(broad);
    const trvi_columns *awake = &broad->sets[TRVI_MOBILE_COLUMNS];
    const uint32_t *fill = awake->fill.items;
    assert_int_equal(awake->column_count, 65);
    assert_int_equal(fill[64], 1);
    trv_broad_destroy(broad);
}

static void any_allocation_may_fail_and_the_call_be_repeated(void **state)
{
    (void)state;
    const scene s = {"failing", 50, 8, {2, 2, 2}, 0, .2f, .5f, 0, 0, false, false};
    static uint32_t two = 2;
    const trv_workers ways[] = {{0}, {&two, 2, deal_backwards}};
    for (size_t w = 0; w < 2; w++) {
        test_memory memory = {.fail_at = SIZE_MAX};
        uint64_t wanted = run_history(&s, 7, &ways[w], &memory);
        size_t calls = memory.calls;
        assert_true(calls > 50);
        for (size_t k = 0; k < calls; k++) {
            test_memory failing = {.fail_at = k};
            assert_true(run_history(&s, 7, &ways[w], &failing) == wanted);
            assert_true(failing.fail_at == SIZE_MAX); // it did fail
        }
    }
}

// Many at once are as many one after the other.
static void batches_give_what_single_calls_give(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    test_random random = {9};
    const scene s = {.extent = {6, 6, 6}, .half_lower = .3f, .half_upper = .8f};
    trv_broad *one = create_default(), *many = create_default();
    trv_proxy_id ids[COUNT], all[COUNT];
    trv_aabb boxes[COUNT];
    for (uint32_t round = 0; round < 12; round++) {
        trv_proxy_def defs[COUNT];
        for (uint32_t i = 0; i < COUNT; i++) {
            trv_proxy_set set = (trv_proxy_set)(random_bits(&random) % 3);
            defs[i] = (trv_proxy_def){random_box(&random, &s), set, random_filter(&random), i};
            expect_result(trv_broad_add(one, defs[i].box, defs[i].filter, set, i, &ids[i]), TRV_OK);
        }
        expect_result(trv_broad_add_many(many, defs, COUNT, all), TRV_OK);
        assert_memory_equal(ids, all, sizeof ids);
        for (int step = 0; step < 3; step++) {
            trv_pairs a = update(one), b = update(many);
            expect_counts(a, b.begun_count, b.kept_count, b.ended_count);
            if (a.kept_count > 0)
                assert_memory_equal(a.kept, b.kept, a.kept_count * sizeof *a.kept);
            for (uint32_t i = 0; i < COUNT; i++) {
                boxes[i] = random_box(&random, &s);
                expect_result(trv_broad_move(one, ids[i], boxes[i]), TRV_OK);
            }
            expect_result(trv_broad_move_many(many, all, boxes, COUNT), TRV_OK);
        }
        for (uint32_t i = 0; i < COUNT - 1; i++)
            expect_result(trv_broad_remove(one, ids[i]), TRV_OK);
        expect_result(trv_broad_remove(one, ids[COUNT - 1]), TRV_OK);
        expect_result(trv_broad_remove_many(many, all, COUNT), TRV_OK);
    }
    trv_broad_destroy(one);
    trv_broad_destroy(many);
}

// Half of all is removed and as much added in each update, and what stays is somewhere else, or all
// stays and all is somewhere else.
static void all_may_teleport_and_half_be_replaced_in_every_update(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    for (int replaced = 0; replaced < 2; replaced++) {
        test_random random = {21};
        const scene s = {.extent = {40, 40, 40}, .half_lower = .5f, .half_upper = 3};
        trv_broad *broad = create_default();
        model *m = model_create(0);
        test_memory memory = {.fail_at = SIZE_MAX};
        for (uint32_t i = 0; i < COUNT; i++)
            history_add(broad, m, &memory, &random, &s, 0);
        for (uint32_t round = 0; round < 6; round++) {
            trv_pairs pairs = update(broad);
            model_check_update(m, &pairs);
            check_order(broad);
            uint32_t limit = m->limit, removed = 0;
            for (uint32_t i = 1; i < limit; i++) {
                model_proxy *p = &m->proxies[i];
                if (p->live && replaced && i % 2 == round % 2) {
                    expect_result(trv_broad_remove(broad, p->id), TRV_OK);
                    p->live = false;
                    removed++;
                } else if (p->live) {
                    trv_aabb box = random_box(&random, &s);
                    expect_result(trv_broad_move(broad, p->id, box), TRV_OK);
                    model_move(p, 0, box);
                }
            }
            for (uint32_t i = 0; i < removed && m->limit < MODEL_MAX_PROXIES; i++)
                history_add(broad, m, &memory, &random, &s, 0);
        }
        model_destroy(m);
        trv_broad_destroy(broad);
    }
}

static void any_number_of_workers_gives_the_same_pairs(void **state)
{
    (void)state;
    static const char *const names[] = {"cube", "divided", "divided sizes", "one place"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        size_t i = 0;
        while (strcmp(scenes[i].name, names[n]) != 0)
            i++;
        test_memory memory = {.fail_at = SIZE_MAX};
        uint64_t wanted = run_history(&scenes[i], 3, NULL, &memory);
        static uint32_t counts[] = {2, 3, 64};
        for (size_t k = 0; k < 3; k++) {
            trv_workers workers = {&counts[k], counts[k], deal_backwards};
            assert_true(run_history(&scenes[i], 3, &workers, &memory) == wanted);
        }
    }
}

// Real threads: each takes every `count`-th range.
typedef struct thread_share {
    uint32_t items, grain, worker, count;
    trv_range_fn *fn;
    void *context;
} thread_share;

static void *run_share(void *argument)
{
    const thread_share *share = argument;
    uint64_t step = (uint64_t)share->grain * share->count;
    for (uint64_t first = (uint64_t)share->grain * share->worker; first < share->items;
         first += step) {
        uint64_t last = first + share->grain;
        last = last < share->items ? last : share->items;
        share->fn(share->context, (uint32_t)first, (uint32_t)last, share->worker);
    }
    return NULL;
}

static void deal_to_threads(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                            void *context)
{
    uint32_t count = *(const uint32_t *)user;
    pthread_t threads[8];
    thread_share shares[8];
    for (uint32_t i = 0; i < count; i++) {
        shares[i] = (thread_share){items, grain, i, count, fn, context};
        assert_int_equal(pthread_create(&threads[i], NULL, run_share, &shares[i]), 0);
    }
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void threads_give_the_same_pairs(void **state)
{
    (void)state;
    const scene s = {"threads", 2800, 3, {40, 40, 40}, 0, .8f, 2, 0, 0, false, false};
    test_memory memory = {.fail_at = SIZE_MAX};
    uint64_t wanted = run_history(&s, 4, NULL, &memory);
    static uint32_t counts[] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        trv_workers workers = {&counts[k], counts[k], deal_to_threads};
        assert_true(run_history(&s, 4, &workers, &memory) == wanted);
    }
}

static void a_restored_one_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        test_memory memory = {.fail_at = SIZE_MAX};
        uint64_t wanted = run_history(&scenes[i], 5, NULL, &memory);
        assert_true(run_relay(&scenes[i], 5, NULL, &memory, true) == wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_histories_give_the_pairs_of_brute_force),
        cmocka_unit_test(large_sets_are_divided_and_giants_apart),
        cmocka_unit_test(any_allocation_may_fail_and_the_call_be_repeated),
        cmocka_unit_test(batches_give_what_single_calls_give),
        cmocka_unit_test(all_may_teleport_and_half_be_replaced_in_every_update),
        cmocka_unit_test(any_number_of_workers_gives_the_same_pairs),
        cmocka_unit_test(threads_give_the_same_pairs),
        cmocka_unit_test(a_restored_one_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
