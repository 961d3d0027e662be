// Rounding in a chosen direction: the float32 next to a double on that side.
#include "support.h"

#include "math/math.h"

static void expect_rounded(double x)
{
    float down = trvi_round_down(x), up = trvi_round_up(x);
    assert_true((double)down <= x && x <= (double)up);
    assert_true((double)down == x || (double)nextafterf(down, HUGE_VALF) > x);
    assert_true((double)up == x || (double)nextafterf(up, -HUGE_VALF) < x);
}

static void rounding_goes_to_the_nearest_float_on_that_side(void **state)
{
    (void)state;
    static const double least = 1.401298464324817e-45, most = 3.4028234663852886e38;
    static const double some[] = {0.0,
                                  0.25,
                                  1.0,
                                  1.0 - 0x1p-40,
                                  1.0 + 0x1p-40,
                                  1e-60,
                                  0.5 * 0x1p-149,
                                  0x1p-126 - 0x1p-160,
                                  3.1,
                                  1e6 + 1e-6};
    for (int k = 0; k < (int)(sizeof some / sizeof *some); k++) {
        expect_rounded(some[k]);
        expect_rounded(-some[k]);
    }
    expect_rounded(least);
    expect_rounded(-most);
    assert_true(trvi_round_down(1e39) == (float)most && isinf(trvi_round_up(1e39)));
    assert_true(trvi_round_up(-1e39) == -(float)most && isinf(trvi_round_down(-1e39)));
    assert_true(isinf(trvi_round_down((double)INFINITY)) && isnan(trvi_round_up((double)NAN)));
    test_random random = {7};
    for (int i = 0; i < 20000; i++)
        expect_rounded((double)random_float(&random, -1.0f, 1.0f) *
                       ldexp(1.0 + 1e-9 * i, i % 200 - 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_goes_to_the_nearest_float_on_that_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
