// The library's own trigonometry against the C runtime's in long double.
#include "math/trig.h"
#include "support.h"

#include <float.h>

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// The spacing of float32 at `wanted`.
static long double ulp(long double wanted)
{
    int exponent;
    (void)frexpl(wanted, &exponent);
    return ldexpl(1.0L, exponent - 24 < -149 ? -149 : exponent - 24);
}

// Fails above 2 ulp; NaN never passes.
static void expect_within_2_ulp(float got, long double wanted, float angle)
{
    long double error = fabsl((long double)got - wanted) / ulp(wanted);
    if (!(error <= 2.0L)) {
        print_error("at %a: %a, wanted %La, %.2Lf ulp\n", (double)angle, (double)got, wanted,
                    error);
        fail();
    }
}

static void expect_sin_cos(float x)
{
    expect_within_2_ulp(trvi_sin(x), sinl((long double)x), x);
    expect_within_2_ulp(trvi_cos(x), cosl((long double)x), x);
}

static void sine_and_cosine_are_within_2_ulp_over_all_finite_floats(void **state)
{
    (void)state;
    test_random random = {11};
    int large = 0;
    for (int i = 0; i < 400000; ++i) {
        float x = from_bits((uint32_t)random_bits(&random));
        if (!(fabsf(x) <= FLT_MAX))
            continue;
        large += fabsf(x) >= 131072.0f;
        expect_sin_cos(x);
    }
    assert_true(large > 50000); // the long reduction was used
}

static void sine_and_cosine_are_within_2_ulp_on_everyday_angles(void **state)
{
    (void)state;
    test_random random = {12};
    for (int i = 0; i < 200000; ++i)
        expect_sin_cos(random_float(&random, -100.0f, 100.0f));
}

// Near multiples of pi/2 the reduced angle is tiny: this is where digits get lost.
static void sine_and_cosine_are_within_2_ulp_next_to_every_quarter_turn(void **state)
{
    (void)state;
    const long double half_pi = 1.57079632679489661923132169163975144L;
    for (long k = 1; k < 200000; k += k < 2000 ? 1 : 97) {
        float x = (float)((long double)k * half_pi);
        expect_sin_cos(x);
        expect_sin_cos(-x);
        expect_sin_cos(nextafterf(x, 0.0f));
        expect_sin_cos(nextafterf(x, FLT_MAX));
    }
}

static void sine_and_cosine_hold_on_known_hard_angles(void **state)
{
    (void)state;
    // 16367173 * 2^72 is the float32 closest to a multiple of pi/2 (Muller, "Elementary Functions").
    const float hard[] = {0x1.f37c8ap95f, FLT_MAX,    -FLT_MAX,   131072.0f, 131071.99f,
                          FLT_MIN,        0x1p-149f,  0x1p-13f,   0x1p-12f,  0.78539816f,
                          0.7853982f,     1.5707964f, 3.1415927f, 6.2831855f};
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; ++i) {
        expect_sin_cos(hard[i]);
        expect_sin_cos(-hard[i]);
    }
    expect_near(trvi_sin(ldexpf(16367173.0f, 72)), sinl(ldexpl(16367173.0L, 72)), 1e-14);
    for (int e = -149; e < 128; ++e)
        expect_sin_cos(ldexpf(1.0f, e));
}

static void sine_is_odd_and_cosine_even_to_the_bit(void **state)
{
    (void)state;
    test_random random = {13};
    for (int i = 0; i < 100000; ++i) {
        float x = from_bits((uint32_t)random_bits(&random) & 0x7F7FFFFFu);
        assert_true(trvi_sin(-x) == -trvi_sin(x));
        assert_true(trvi_cos(-x) == trvi_cos(x));
    }
    assert_true(signbit(trvi_sin(-0.0f)));
}

static void nan_and_infinity_give_nan(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; ++i) {
        assert_true(isnan(trvi_sin(bad[i])));
        assert_true(isnan(trvi_cos(bad[i])));
    }
}

static void sine_and_cosine_in_double_are_within_a_few_roundings(void **state)
{
    (void)state;
    test_random random = {15};
    for (int i = 0; i < 300000; ++i) {
        float size = i % 3 == 0 ? 7.0f : i % 3 == 1 ? 1.0e4f : 1.0e9f;
        double x = (double)random_float(&random, -size, size) + (double)i * 1.0e-9, sine, cosine;
        double near = i % 3 == 2 ? 1.0e-15 + 0x1p-52 * fabs(x) : 1.0e-15;
        trvi_dsincos(x, &sine, &cosine);
        expect_near(sine, (double)sinl((long double)x), near);
        expect_near(cosine, (double)cosl((long double)x), near);
    }
    double sine, cosine;
    trvi_dsincos(0.0, &sine, &cosine);
    assert_true(sine == 0.0 && cosine == 1.0);
    const double beyond[] = {0x1p31, -1.0e300, INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        trvi_dsincos(beyond[i], &sine, &cosine);
        assert_true(isnan(sine) && isnan(cosine));
    }
}

static void angles_of_vectors_are_within_a_few_roundings(void **state)
{
    (void)state;
    const uint64_t seed = 271;
    print_message("seed %llu\n", (unsigned long long)seed);
    test_random random = {seed};
    for (int i = 0; i < 300000; i++) {
        double length = exp2((double)random_float(&random, -400.0f, 400.0f));
        double x = (double)random_float(&random, -1.0f, 1.0f) * length;
        double y = (double)random_float(&random, -1.0f, 1.0f) * length;
        if (i % 3 == 0) // next to the axes and the diagonals
            y *= exp2((double)random_float(&random, -60.0f, 0.0f));
        else if (i % 3 == 1)
            y = copysign(x, y) * (1.0 + (double)random_float(&random, -1.0e-6f, 1.0e-6f));
        double angle = trvi_dangle(y, x);
        expect_near(angle, (double)atan2l((long double)y, (long double)x), 1.0e-15);
        assert_true(trvi_dangle(-y, x) == -angle || y == 0.0);
    }
    const double pi = 3.14159265358979323846;
    assert_true(trvi_dangle(0.0, 0.0) == 0.0 && trvi_dangle(0.0, 2.0) == 0.0);
    assert_true(trvi_dangle(0.0, -2.0) == pi && trvi_dangle(3.0, 0.0) == 0.5 * pi);
    assert_true(trvi_dangle(-3.0, 0.0) == -0.5 * pi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_are_within_2_ulp_over_all_finite_floats),
        cmocka_unit_test(sine_and_cosine_are_within_2_ulp_on_everyday_angles),
        cmocka_unit_test(sine_and_cosine_are_within_2_ulp_next_to_every_quarter_turn),
        cmocka_unit_test(sine_and_cosine_hold_on_known_hard_angles),
        cmocka_unit_test(sine_is_odd_and_cosine_even_to_the_bit),
        cmocka_unit_test(nan_and_infinity_give_nan),
        cmocka_unit_test(sine_and_cosine_in_double_are_within_a_few_roundings),
        cmocka_unit_test(angles_of_vectors_are_within_a_few_roundings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
