// Base: result texts, the version, growing arrays, dealing work.
#include "base.h"
#include "support.h"

static void every_result_has_a_text_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < TRV_RESULT_COUNT; i++) {
        assert_true(trv_result_text((trv_result)i)[0] != 0);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(trv_result_text((trv_result)i), trv_result_text((trv_result)k));
    }
}

static void what_is_no_result_has_a_text_too(void **state)
{
    (void)state;
    const int values[] = {-1, TRV_RESULT_COUNT, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_string_equal(trv_result_text((trv_result)values[i]), "not a result code");
}

static void the_version_is_that_of_the_header(void **state)
{
    (void)state;
    int major = -1, minor = -1, patch = -1;
    trv_version(&major, &minor, &patch);
    assert_int_equal(major, TRV_VERSION_MAJOR);
    assert_int_equal(minor, TRV_VERSION_MINOR);
    assert_int_equal(patch, TRV_VERSION_PATCH);
    trv_version(NULL, NULL, NULL);
}

static void an_array_keeps_what_it_holds_and_is_zero_beyond(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_allocator allocator = test_allocator(&memory);
    trvi_array array = {.stride = sizeof(uint32_t)};
    for (uint32_t i = 0; i < 5000; i++) {
        assert_true(trvi_array_reserve(&allocator, &array, i + 1));
        uint32_t *items = array.items;
        assert_int_equal(items[array.capacity - 1], 0);
        items[i] = i + 1;
        array.count = i + 1;
    }
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(((uint32_t *)array.items)[i], i + 1);
    assert_true(memory.calls < 40); // grows by a share of its size
    trvi_array_free(&allocator, &array);
    assert_true(array.items == NULL && array.count == 0 && array.capacity == 0);
    assert_int_equal(memory.live, 0);
    assert_int_equal(memory.bytes, 0);
}

static void a_bare_array_keeps_what_it_counts(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_allocator allocator = test_allocator(&memory);
    trvi_array array = {.stride = sizeof(uint32_t), .bare = true};
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(trvi_array_reserve(&allocator, &array, i + 1));
        ((uint32_t *)array.items)[i] = i + 1;
        array.count = i + 1;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(((uint32_t *)array.items)[i], i + 1);
    memory.fail_at = memory.calls;
    const trvi_array before = array;
    assert_false(trvi_array_reserve(&allocator, &array, array.capacity + 1));
    assert_memory_equal(&array, &before, sizeof array);
    trvi_array_free(&allocator, &array);
    assert_int_equal(memory.live, 0);
    assert_int_equal(memory.bytes, 0);
}

static void an_array_that_cannot_grow_stays_as_it_is(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_allocator allocator = test_allocator(&memory);
    trvi_array array = {.stride = UINT32_MAX};
    assert_true(sizeof(size_t) > 4 || !trvi_array_reserve(&allocator, &array, UINT32_MAX));
    array.stride = 8;
    assert_true(trvi_array_reserve(&allocator, &array, 4));
    trvi_array before = array;
    memory.fail_at = 0;
    assert_false(trvi_array_reserve(&allocator, &array, array.capacity + 1));
    assert_memory_equal(&array, &before, sizeof array);
    // Growth by half would pass the range of the count.
    array.capacity = UINT32_MAX - 1;
    assert_false(trvi_array_reserve(&allocator, &array, UINT32_MAX));
    array = before;
    trvi_array_free(&allocator, &array);
    assert_int_equal(memory.live, 0);
}

static void the_default_memory_keeps_what_it_holds_at_any_size(void **state)
{
    (void)state;
    static const size_t sizes[] = {100,           3 << 20, 5 << 20, 40 << 20,
                                   (4 << 20) + 1, 4 << 20, 70,      6 << 20};
    const trv_allocator allocator = trvi_allocator_or_default((trv_allocator){NULL, NULL});
    unsigned char *block = NULL;
    size_t size = 0, held = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        block = allocator.reallocate(allocator.user, block, size, sizes[i]);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 16, 0);
        size = sizes[i];
        held = held < size ? held : size;
        for (size_t at = 0; at < held; at += 61)
            assert_int_equal(block[at], at % 251);
        for (held = 0; held < size; held++)
            block[held] = (unsigned char)(held % 251);
    }
    assert_null(allocator.reallocate(allocator.user, block, size, 0));
}

// Memory that lies otherwise to the lines of the cache each time it is asked for.
typedef struct skewed_memory {
    uint32_t calls;
    size_t bytes; // that are held
} skewed_memory;

// In front of each block is where it really begins.
static void *reallocate_skewed(void *user, void *block, size_t old_size, size_t new_size)
{
    skewed_memory *memory = user;
    char *whole = new_size > 0 ? malloc(new_size + 192) : NULL;
    char *grown = NULL;
    if (whole != NULL) {
        grown = whole + 128 - (uintptr_t)whole % 64 + 16 * (++memory->calls * 3 % 4);
        memcpy(grown - sizeof whole, &whole, sizeof whole);
        if (block != NULL)
            memcpy(grown, block, old_size < new_size ? old_size : new_size);
    }
    if (block != NULL) {
        memcpy(&whole, (char *)block - sizeof whole, sizeof whole);
        free(whole);
    }
    memory->bytes += new_size - old_size;
    return grown;
}

static void an_array_gives_back_what_is_not_needed(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_allocator allocator = test_allocator(&memory);
    trvi_array array = {.stride = sizeof(uint32_t)};
    assert_true(trvi_array_reserve(&allocator, &array, 100));
    assert_true(trvi_array_reserve_just(&allocator, &array, 40));
    assert_int_equal(array.needed, 100);
    uint32_t *items = array.items;
    for (uint32_t i = 0; i < 100; i++)
        items[i] = i;
    array.count = 40;
    memory.fail_at = 0;
    trvi_array_shrink(&allocator, &array, 40);
    assert_true(array.capacity == 100 && array.items == items);
    memory.fail_at = SIZE_MAX;
    trvi_array_shrink(&allocator, &array, 40);
    trvi_array_shrink(&allocator, &array, 60);
    assert_int_equal(array.capacity, 40);
    assert_int_equal(memory.bytes, 40 * sizeof(uint32_t));
    items = array.items;
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(items[i], i);
    array.count = 0;
    trvi_array_shrink(&allocator, &array, 0);
    assert_true(array.items == NULL && memory.live == 0);
}

// Does the array lie otherwise in its block than before?
static bool reserve_in_lines(const trv_allocator *allocator, trvi_array *array, uint32_t count)
{
    uint8_t before = array->before;
    assert_true(trvi_array_reserve(allocator, array, count));
    assert_int_equal((uintptr_t)array->items % 64, 0);
    return array->before != before;
}

static void an_array_in_lines_begins_at_one_and_keeps_what_it_holds(void **state)
{
    (void)state;
    skewed_memory memory = {0};
    const trv_allocator allocator = {&memory, reallocate_skewed};
    trvi_array array = {.stride = 12, .in_lines = true};
    bool moved = false;
    for (uint32_t i = 0; i < 3000; i++) {
        moved = reserve_in_lines(&allocator, &array, i + 1) || moved;
        uint32_t *items = array.items;
        assert_int_equal(items[3 * array.capacity - 1], 0);
        items[3 * i] = items[3 * i + 2] = i + 1;
    }
    assert_true(moved);
    for (uint32_t i = 0; i < 3000; i++) {
        const uint32_t *item = (const uint32_t *)array.items + 3 * (size_t)i;
        assert_true(item[0] == i + 1 && item[1] == 0 && item[2] == i + 1);
    }
    trvi_array_free(&allocator, &array);
    assert_true(array.items == NULL && array.before == 0 && memory.bytes == 0);
}

static void a_bare_array_in_lines_keeps_what_it_counts(void **state)
{
    (void)state;
    skewed_memory memory = {0};
    const trv_allocator allocator = {&memory, reallocate_skewed};
    trvi_array array = {.stride = 12, .in_lines = true, .bare = true};
    bool moved = false;
    for (uint32_t i = 0; i < 3000; i++) {
        moved = reserve_in_lines(&allocator, &array, i + 1) || moved;
        ((uint32_t *)array.items)[3 * i + 1] = i + 1;
        array.count = i + 1;
    }
    assert_true(moved);
    for (uint32_t i = 0; i < 3000; i++)
        assert_int_equal(((uint32_t *)array.items)[3 * i + 1], i + 1);
    trvi_array_free(&allocator, &array);
    assert_true(array.items == NULL && array.before == 0 && memory.bytes == 0);
}

typedef struct tally {
    uint32_t calls, items, worker;
} tally;

static void count_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    tally *sum = context;
    sum->calls++;
    sum->items += last - first;
    sum->worker = worker;
}

static void hand_over(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn, void *context)
{
    (void)user;
    (void)grain;
    fn(context, 0, items, 1);
}

static void work_goes_to_the_hook_only_where_it_is_worth_it(void **state)
{
    (void)state;
    const struct {
        trv_workers workers;
        uint32_t items, calls, worker;
    } rows[] = {{{NULL, 0, NULL}, 100, 1, 0},      {{NULL, 4, NULL}, 100, 1, 0},
                {{NULL, 1, hand_over}, 100, 1, 0}, {{NULL, 4, hand_over}, 10, 1, 0},
                {{NULL, 4, hand_over}, 11, 1, 1},  {{NULL, 4, hand_over}, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tally sum = {0};
        trvi_parallel_for(&rows[i].workers, rows[i].items, 10, count_range, &sum);
        assert_int_equal(sum.calls, rows[i].calls);
        assert_int_equal(sum.items, rows[i].items);
        assert_int_equal(sum.worker, rows[i].worker);
    }
}

static void shares_are_a_list_cut_in_order_and_put_together_again(void **state)
{
    (void)state;
    static const struct {
        uint32_t workers, items, least, shares;
    } rows[] = {{0, 1000, 10, 1}, {1, 1000, 10, 1}, {2, 1000, 10, 16}, {2, 45, 10, 4},
                {2, 9, 10, 1},    {2, 0, 10, 0},    {8, 320, 10, 32},  {64, 9999, 1, 64},
                {2, 11, 1, 11},   {4, 320, 1, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const trv_workers workers = {NULL, rows[i].workers, hand_over};
        uint32_t shares = trvi_share_count(&workers, rows[i].items, rows[i].least);
        assert_int_equal(shares, rows[i].shares);
        uint32_t list[10000], held[TRVI_SHARES_MAX], end = 0, odd = 0;
        for (uint32_t k = 0; k < shares; k++) { // each holds its odd items
            trvi_share share = trvi_share_of(rows[i].items, shares, k);
            assert_int_equal(share.first, end);
            end = share.last;
            held[k] = 0;
            for (uint32_t item = share.first; item < share.last; item++)
                if (item % 2 == 1)
                    list[share.first + held[k]++] = item;
            odd += held[k];
        }
        assert_int_equal(end, rows[i].items);
        assert_int_equal(odd, rows[i].items / 2);
        assert_int_equal(trvi_join_shares(list, sizeof *list, rows[i].items, shares, held), odd);
        for (uint32_t k = 0; k < odd; k++)
            assert_int_equal(list[k], 2 * k + 1);
    }
    // Not cut where nobody is there to take them.
    const trv_workers none = {NULL, 4, NULL};
    assert_int_equal(trvi_share_count(&none, 1000, 10), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_result_has_a_text_of_its_own),
        cmocka_unit_test(what_is_no_result_has_a_text_too),
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(an_array_keeps_what_it_holds_and_is_zero_beyond),
        cmocka_unit_test(a_bare_array_keeps_what_it_counts),
        cmocka_unit_test(an_array_that_cannot_grow_stays_as_it_is),
        cmocka_unit_test(an_array_gives_back_what_is_not_needed),
        cmocka_unit_test(the_default_memory_keeps_what_it_holds_at_any_size),
        cmocka_unit_test(an_array_in_lines_begins_at_one_and_keeps_what_it_holds),
        cmocka_unit_test(a_bare_array_in_lines_keeps_what_it_counts),
        cmocka_unit_test(work_goes_to_the_hook_only_where_it_is_worth_it),
        cmocka_unit_test(shares_are_a_list_cut_in_order_and_put_together_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
