// The pool of threads: every item is done once, by a worker whose number is its own, however small the
// work, however often it is handed over, and whoever calls.
#include <stdatomic.h>

#include <trivet/threads.h>

#include "base.h"
#include "support.h"
#include "threads_os.h"

enum { ITEMS = 5000, WORKERS = 5 };

typedef struct tally {
    _Atomic uint32_t times[ITEMS];
    _Atomic uint32_t at_work[64]; // by worker: how many of this number are inside at once
    _Atomic uint32_t clashes;
    uint32_t workers;
} tally;

static void count_items(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    tally *t = context;
    t->clashes += worker >= t->workers || t->at_work[worker]++ != 0;
    for (uint32_t i = first; i < last; i++)
        t->times[i]++;
    t->at_work[worker]--;
}

static trv_threads *start_threads(uint32_t count)
{
    trv_threads_def def = trv_default_threads_def();
    trv_threads *threads;
    def.count = count;
    expect_result(trv_threads_create(&def, &threads), TRV_OK);
    return threads;
}

static void expect_each_once(tally *t, uint32_t items)
{
    assert_int_equal(t->clashes, 0);
    for (uint32_t i = 0; i < ITEMS; i++)
        assert_int_equal(t->times[i], i < items);
}

static void every_item_is_done_once(void **state)
{
    (void)state;
    static tally t;
    const uint32_t items[] = {0, 1, 2, 3, 39, 40, 41, 1000, ITEMS};
    const uint32_t grains[] = {0, 1, 7, 100, UINT32_MAX};
    trv_threads *threads = start_threads(WORKERS);
    trv_workers workers = trv_threads_workers(threads);
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
            memset(&t, 0, sizeof t);
            t.workers = workers.count;
            if (workers.parallel_for != NULL)
                workers.parallel_for(workers.user, items[i], grains[g], count_items, &t);
            else
                trvi_parallel_for(&workers, items[i], grains[g], count_items, &t);
            expect_each_once(&t, items[i]);
        }
    trv_threads_destroy(threads);
}

typedef struct volume {
    _Atomic uint64_t items;
    _Atomic uint32_t pieces;
} volume;

static void measure(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    volume *v = context;
    v->items += last - first;
    v->pieces++;
}

static void the_most_items_are_dealt_in_few_pieces(void **state)
{
    (void)state;
    trv_threads *threads = start_threads(2);
    trv_workers workers = trv_threads_workers(threads);
    volume v = {0, 0};
    trvi_parallel_for(&workers, UINT32_MAX, 1, measure, &v);
    assert_true(v.items == UINT32_MAX);
    assert_in_range(v.pieces, 1, 2 * 80);
    trv_threads_destroy(threads);
}

static void add_up(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    _Atomic uint32_t *sum = context;
    for (uint32_t i = first; i < last; i++)
        *sum += i;
}

// One after the other, with and without a rest in which the threads fall asleep.
static void many_calls_in_a_row_lose_nothing(void **state)
{
    (void)state;
    trv_threads *threads = start_threads(3);
    trv_workers workers = trv_threads_workers(threads);
    for (uint32_t call = 0; call < 5000; call++) {
        _Atomic uint32_t sum = 0;
        uint32_t items = 2 + call % 40;
        trvi_parallel_for(&workers, items, 1, add_up, &sum);
        assert_int_equal(sum, items * (items - 1) / 2);
        for (volatile uint32_t rest = 0; call % 500 == 0 && rest < 300000;)
            rest = rest + 1;
    }
    trv_threads_destroy(threads);
}

typedef struct nest {
    trv_workers workers;
    _Atomic uint32_t sum;
} nest;

static void hand_on(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    nest *n = context;
    for (uint32_t i = first; i < last; i++)
        trvi_parallel_for(&n->workers, 10, 1, add_up, &n->sum);
}

static void work_may_hand_over_work(void **state)
{
    (void)state;
    trv_threads *threads = start_threads(4);
    nest n = {.workers = trv_threads_workers(threads)};
    trvi_parallel_for(&n.workers, 100, 1, hand_on, &n);
    assert_int_equal(n.sum, 100 * 45);
    trv_threads_destroy(threads);
}

#if TRVI_THREADS
static trvi_thread_result TRVI_THREAD_CALL call_often(void *argument)
{
    nest *n = argument;
    for (int i = 0; i < 1000; i++)
        trvi_parallel_for(&n->workers, 10, 1, add_up, &n->sum);
    return 0;
}

static void two_threads_may_share_a_pool(void **state)
{
    (void)state;
    trv_threads *threads = start_threads(3);
    nest one = {.workers = trv_threads_workers(threads)}, two = {.workers = one.workers};
    trvi_thread thread;
    assert_true(trvi_thread_start(&thread, call_often, &two));
    call_often(&one);
    trvi_thread_join(thread);
    assert_int_equal(one.sum, 1000 * 45);
    assert_int_equal(two.sum, 1000 * 45);
    trv_threads_destroy(threads);
}

static void there_are_as_many_workers_as_asked_for(void **state)
{
    (void)state;
    const uint32_t counts[] = {1, 2, 64};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        trv_threads *threads = start_threads(counts[i]);
        trv_workers workers = trv_threads_workers(threads);
        assert_int_equal(workers.count, counts[i]);
        assert_int_equal(workers.parallel_for != NULL, counts[i] > 1);
        trv_threads_destroy(threads);
    }
}
#endif

static void by_default_there_is_a_worker_for_each_processor(void **state)
{
    (void)state;
    trv_threads *threads = start_threads(0);
    trv_workers workers = trv_threads_workers(threads);
    assert_true(workers.count >= 1 && workers.count <= 64);
#if TRVI_THREADS
    uint32_t processors = trvi_processors();
    assert_int_equal(workers.count, processors < 64 ? processors : 64);
#endif
    trv_threads_destroy(threads);
}

static void no_pool_is_the_calling_thread(void **state)
{
    (void)state;
    trv_workers workers = trv_threads_workers(NULL);
    assert_int_equal(workers.count, 1);
    assert_null(workers.parallel_for);
    trv_threads_destroy(NULL);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    trv_threads_def def = trv_default_threads_def(), zero = {0};
    trv_threads *threads = (trv_threads *)&def;
    expect_result(trv_threads_create(&def, NULL), TRV_ERROR_NULL);
    expect_result(trv_threads_create(NULL, &threads), TRV_ERROR_NULL);
    assert_null(threads);
    expect_result(trv_threads_create(&zero, &threads), TRV_ERROR_DEF);
    def.count = 65;
    expect_result(trv_threads_create(&def, &threads), TRV_ERROR_RANGE);
    test_memory memory = {.fail_at = 0};
    def.count = 2;
    def.allocator = test_allocator(&memory);
    expect_result(trv_threads_create(&def, &threads), TRV_ERROR_MEMORY);
    assert_null(threads);
    memory.fail_at = SIZE_MAX;
    expect_result(trv_threads_create(&def, &threads), TRV_OK);
    trv_threads_destroy(threads);
    assert_int_equal(memory.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_once),
        cmocka_unit_test(the_most_items_are_dealt_in_few_pieces),
        cmocka_unit_test(many_calls_in_a_row_lose_nothing),
        cmocka_unit_test(work_may_hand_over_work),
#if TRVI_THREADS
        cmocka_unit_test(two_threads_may_share_a_pool),
        cmocka_unit_test(there_are_as_many_workers_as_asked_for),
#endif
        cmocka_unit_test(by_default_there_is_a_worker_for_each_processor),
        cmocka_unit_test(no_pool_is_the_calling_thread),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
