// The radix sort: ordered, stable, a permutation; float keys follow the floats.
#include "support.h"

#include "math/sort_key.h"
#include "mesh/sort.h"

static void random_keys_come_out_ordered_and_stable(void **state)
{
    (void)state;
    enum { LARGEST = 3000 };
    static uint32_t keys[LARGEST], order[LARGEST], scratch[LARGEST];
    static const uint32_t masks[] = {0xFFFFFFFFu, 0xFFu, 0xFF00FF00u, 0x3u, 0u, 0x80000001u};
    test_random random = {5};
    for (uint32_t round = 0; round < 120; ++round) {
        uint32_t count = round < 4 ? round : (uint32_t)(random_bits(&random) % LARGEST);
        for (uint32_t i = 0; i < count; ++i) {
            keys[i] = (uint32_t)random_bits(&random) & masks[round % 6];
            order[i] = i;
        }
        trvi_sort_by_key(order, scratch, count, keys);
        uint64_t sum = 0;
        for (uint32_t i = 0; i < count; ++i) {
            assert_true(order[i] < count);
            sum += order[i];
            // Strictly increasing (key, index) pairs: ordered, stable, and all different.
            if (i > 0)
                assert_true(keys[order[i - 1]] < keys[order[i]] ||
                            (keys[order[i - 1]] == keys[order[i]] && order[i - 1] < order[i]));
        }
        assert_true(sum == (uint64_t)count * (count - (count > 0)) / 2);
    }
}

static void float_keys_sort_as_floats_and_join_the_zeros(void **state)
{
    (void)state;
    static const float rising[] = {-3e38f, -1.0f,  -1e-38f, -1e-45f,    0.0f,
                                   1e-45f, 1e-38f, 1.0f,    1.0000001f, 3e38f};
    for (size_t i = 1; i < sizeof rising / sizeof rising[0]; ++i)
        assert_true(trvi_sort_key_of_float(rising[i - 1]) < trvi_sort_key_of_float(rising[i]));
    assert_int_equal(trvi_sort_key_of_float(-0.0f), trvi_sort_key_of_float(0.0f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_keys_come_out_ordered_and_stable),
        cmocka_unit_test(float_keys_sort_as_floats_and_join_the_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
