// The exact predicates against integer arithmetic, and on sets where doubles alone are wrong.
#include "support.h"

#include "math/predicates.h"

#if defined(__SIZEOF_INT128__)
#define HAS_INT128 1
__extension__ typedef __int128 int128;

// Coordinates as multiples of 2^-unit; all are exact, and |coordinate| < 2^40 units.
static int exact_sign(const trv_vec3 p[4], int unit)
{
    int64_t c[4][3];
    for (int i = 0; i < 4; i++) {
        c[i][0] = (int64_t)ldexp(p[i].x, unit);
        c[i][1] = (int64_t)ldexp(p[i].y, unit);
        c[i][2] = (int64_t)ldexp(p[i].z, unit);
    }
    int128 d[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            d[i][k] = c[i + 1][k] - c[0][k];
    int128 det = (d[0][1] * d[1][2] - d[0][2] * d[1][1]) * d[2][0] +
                 (d[0][2] * d[1][0] - d[0][0] * d[1][2]) * d[2][1] +
                 (d[0][0] * d[1][1] - d[0][1] * d[1][0]) * d[2][2];
    return (det > 0) - (det < 0);
}
#else
#define HAS_INT128 0
static int exact_sign(const trv_vec3 p[4], int unit)
{
    (void)p;
    (void)unit;
    return 0;
}
#endif

static int plain_sign(const trv_vec3 p[4])
{
    trvi_dvec3 a = trvi_dvec3_from(p[0]);
    trvi_dvec3 u = trvi_dsub(trvi_dvec3_from(p[1]), a), v = trvi_dsub(trvi_dvec3_from(p[2]), a);
    double det = trvi_ddot(trvi_dcross(u, v), trvi_dsub(trvi_dvec3_from(p[3]), a));
    return (det > 0.0) - (det < 0.0);
}

static int sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

static void expect_sign(const trv_vec3 p[4], int wanted)
{
    assert_int_equal(trvi_orient3d(p[0], p[1], p[2], p[3]), wanted);
    assert_int_equal(trvi_orient3d(p[1], p[2], p[0], p[3]), wanted);
    assert_int_equal(trvi_orient3d(p[1], p[0], p[2], p[3]), -wanted);
    assert_int_equal(trvi_orient3d(p[3], p[1], p[2], p[0]), -wanted);
    assert_int_equal(sign_of(trvi_orient3d_value(p[0], p[1], p[2], p[3])), wanted);
}

// A float that is a multiple of 2^-unit with up to 24 bits, its exponent anywhere up to 2^top.
static float random_scaled(test_random *random, int unit, int top)
{
    int shift = (int)(random_bits(random) % (uint64_t)(unit + top - 23));
    double mantissa = (double)(int64_t)(random_bits(random) >> 40) - 8388608.0;
    return (float)ldexp(mantissa, shift - unit);
}

static void the_side_of_a_simple_point_is_known(void **state)
{
    (void)state;
    trv_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3f, 0.3f, 1.0e-30f}};
    expect_sign(p, 1);
    p[3].z = -1.0e-45f; // the smallest subnormal
    expect_sign(p, -1);
    p[3].z = 0.0f;
    expect_sign(p, 0);
}

static void signs_agree_with_integers_for_mixed_exponents(void **state)
{
    (void)state;
    if (!HAS_INT128)
        skip();
    test_random random = {11};
    for (int round = 0; round < 20000; round++) {
        trv_vec3 p[4];
        for (int i = 0; i < 4; i++)
            p[i] = (trv_vec3){random_scaled(&random, 20, 19), random_scaled(&random, 20, 19),
                              random_scaled(&random, 20, 19)};
        expect_sign(p, exact_sign(p, 20));
    }
}

// d = a + s (b - a) + t (c - a), rounded: within an ulp of the plane.
static void signs_agree_with_integers_next_to_the_plane(void **state)
{
    (void)state;
    if (!HAS_INT128)
        skip();
    test_random random = {12};
    int zeros = 0;
    for (int round = 0; round < 60000; round++) {
        trv_vec3 p[4];
        int bits = 2 + round % 22;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                (&p[i].x)[k] = (float)(int64_t)(random_bits(&random) >> (64 - bits));
        float s = random_float(&random, -2.0f, 2.0f), t = random_float(&random, -2.0f, 2.0f);
        for (int k = 0; k < 3; k++) {
            float a = (&p[0].x)[k], b = (&p[1].x)[k], c = (&p[2].x)[k];
            (&p[3].x)[k] = (float)floor(a + (double)s * (b - a) + (double)t * (c - a));
        }
        if (round & 1) // towards the origin, where floats are finer than the plane's own
            for (int i = 0; i < 4; i++)
                p[i] = trvi_scale(p[i], 1.0f / 1048576.0f);
        int unit = round & 1 ? 20 : 0, wanted = exact_sign(p, unit);
        expect_sign(p, wanted);
        zeros += wanted == 0;
    }
    assert_true(zeros > 100);
}

// Three long integer vectors of determinant -1, 0 or 1: row operations on the unit vectors keep the
// determinant while the entries grow to 22 bits. Doubles lose it among products of 66 bits.
static void determinants_of_one_unit_are_seen(void **state)
{
    (void)state;
    test_random random = {15};
    int wrong_in_double = 0;
    for (int round = 0; round < 5000; round++) {
        int wanted = round % 3 - 1;
        int64_t m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, wanted}};
        for (int step = 0; step < 200; step++) {
            int from = (int)(random_bits(&random) % 3);
            int to = (from + 1 + (int)(random_bits(&random) % 2)) % 3;
            int64_t times = (int64_t)(random_bits(&random) % 5) - 2;
            bool rows = random_bits(&random) % 2;
            int64_t sum[3], largest = 0;
            for (int k = 0; k < 3; k++) {
                sum[k] = rows ? m[to][k] + times * m[from][k] : m[k][to] + times * m[k][from];
                largest = llabs(sum[k]) > largest ? llabs(sum[k]) : largest;
            }
            for (int k = 0; k < 3 && largest < 4194304; k++)
                *(rows ? &m[to][k] : &m[k][to]) = sum[k];
        }
        trv_vec3 p[4];
        for (int k = 0; k < 3; k++) {
            int64_t base = (int64_t)(random_bits(&random) % 4194304);
            (&p[0].x)[k] = (float)base;
            for (int i = 0; i < 3; i++)
                (&p[i + 1].x)[k] = (float)(base + m[i][k]);
        }
        expect_sign(p, wanted);
        expect_near(trvi_orient3d_value(p[0], p[1], p[2], p[3]), wanted, 0.0);
        wrong_in_double += wanted != plain_sign(p);
    }
    assert_true(wrong_in_double > 200);
}

// Points on one line through the origin at scales 2^-149 to 2^26, one of them moved by one ulp:
// their differences are not exact in double.
static void differences_that_doubles_cannot_hold_are_decided(void **state)
{
    (void)state;
    trv_vec3 a = {1.0e-40f, 0, 0}, b = {67108864.0f, 1.0e-38f, 0}, c = {0, 67108864.0f, 1.0e-38f};
    // Exactly: det = cross(b - a, c - a) . (d - a) with d = a + (0, 0, z).
    trv_vec3 d = {1.0e-40f, 0, 1.0e-45f};
    assert_int_equal(trvi_orient3d(a, b, c, d), 1);
    d.z = -1.0e-45f;
    assert_int_equal(trvi_orient3d(a, b, c, d), -1);
    d.z = 0.0f;
    assert_int_equal(trvi_orient3d(a, b, c, d), 0);
    // The plane x = 1 holds (1, y, z) whatever y and z are; the next float is above it.
    trv_vec3 p = {1, 1.0e8f, 1.0e-44f}, q = {1, -1.0e-44f, 1.0e8f}, r = {1, -1.0e8f, -1.0e8f};
    trv_vec3 s = {1, 3.0e-39f, 12345.678f};
    assert_int_equal(trvi_orient3d(p, q, r, s), 0);
    s.x = nextafterf(1.0f, 2.0f);
    assert_int_equal(trvi_orient3d(p, q, r, s), 1);
    s.x = nextafterf(1.0f, 0.0f);
    assert_int_equal(trvi_orient3d(p, q, r, s), -1);
}

// (m, m + d) x (m + d, m + 2 d) = -d^2 however large m is, where doubles have products of m only.
static void turns_of_one_unit_are_seen(void **state)
{
    (void)state;
    test_random random = {17};
    int wrong_in_double = 0;
    for (int i = 0; i < 2000; i++) {
        double m = (double)(random_bits(&random) >> 16), d = (double)(i % 4);
        trvi_spot a = {-m, m}, b = {0.0, 2.0 * m + d}, c = {d, 2.0 * m + 2.0 * d};
        int wanted = d > 0.0 ? -1 : 0;
        assert_int_equal(trvi_turn(a, b, c), wanted);
        assert_int_equal(trvi_turn(b, c, a), wanted);
        assert_int_equal(trvi_turn(c, b, a), -wanted);
        double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        wrong_in_double += wanted != sign_of(area);
    }
    assert_true(wrong_in_double > 200);
    trvi_spot p = {1.0, 2.0}, q = {1.0, 5.0};
    assert_int_equal(trvi_turn(p, q, p), 0);
    assert_int_equal(trvi_turn(p, p, q), 0);
}

static void nothing_overflows_or_underflows(void **state)
{
    (void)state;
    float big = 3.4028235e38f, small = 1.0e-45f;
    trv_vec3 huge[4] = {{-big, -big, -big}, {big, 0, 0}, {0, big, 0}, {0, 0, big}};
    expect_sign(huge, 1);
    assert_true(isfinite(trvi_orient3d_value(huge[0], huge[1], huge[2], huge[3])));
    trv_vec3 tiny[4] = {{0, 0, 0}, {small, 0, 0}, {0, small, 0}, {0, 0, small}};
    expect_sign(tiny, 1);
    assert_true(trvi_orient3d_value(tiny[0], tiny[1], tiny[2], tiny[3]) == ldexp(1.0, -447));
    trv_vec3 mixed[4] = {{big, big, big}, {small, 0, 0}, {0, small, 0}, {0, 0, small}};
    expect_sign(mixed, -1); // as for the corner (4, 4, 4) and the unit points: det(I - 4 J) = -11
}

static void values_are_accurate(void **state)
{
    (void)state;
    test_random random = {13};
    for (int round = 0; round < 2000; round++) {
        trv_vec3 p[4];
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++)
                (&p[i].x)[k] = (float)((int64_t)(random_bits(&random) >> 48) - 32768);
        // With 17-bit differences every product is exact in double.
        trvi_dvec3 a = trvi_dvec3_from(p[0]);
        trvi_dvec3 cross =
            trvi_dcross(trvi_dsub(trvi_dvec3_from(p[1]), a), trvi_dsub(trvi_dvec3_from(p[2]), a));
        double det = trvi_ddot(cross, trvi_dsub(trvi_dvec3_from(p[3]), a));
        expect_near(trvi_orient3d_value(p[0], p[1], p[2], p[3]), det, 0.0);
        trvi_dvec3 exact = trvi_exact_cross(p[0], p[1], p[2]);
        assert_true(exact.x == cross.x && exact.y == cross.y && exact.z == cross.z);
    }
}

static void collinear_means_exactly_collinear(void **state)
{
    (void)state;
    trv_vec3 a = {0.1f, 0.2f, 0.3f}, b = {0.2f, 0.4f, 0.6f}, zero = {0, 0, 0};
    assert_true(trvi_collinear(zero, a, b)); // doubling is exact, 0.1f + 0.2f would not be
    assert_true(trvi_collinear(a, a, b));
    assert_true(trvi_collinear(a, b, a));
    b.y = nextafterf(b.y, 1.0f);
    assert_false(trvi_collinear(zero, a, b));
    trv_vec3 far = {1.0e8f, 1.0e8f, 1.0e8f}, near = {1.0e-8f, 1.0e-8f, 1.0e-8f};
    assert_true(trvi_collinear(zero, near, far));
    near.z = nextafterf(near.z, 1.0f);
    assert_false(trvi_collinear(zero, near, far));
    assert_true(trvi_coincident(zero, (trv_vec3){-0.0f, 0.0f, -0.0f}));
    assert_false(trvi_coincident(zero, (trv_vec3){0.0f, 0.0f, 1.0e-45f}));
}

// What the filter is sure of has the exact sign, for every point in reach.
static void a_side_filter_never_lies(void **state)
{
    (void)state;
    test_random random = {14};
    int sure = 0;
    for (int round = 0; round < 20000; round++) {
        float flat = round % 3 == 0 ? 1.0f : round % 3 == 1 ? 1.0e-6f : 1.0e-12f;
        trv_vec3 p[4];
        for (int i = 0; i < 4; i++) {
            p[i] = random_vec3(&random, 1.0f);
            p[i].z = p[i].x + p[i].y + p[i].z * flat;
        }
        trvi_dvec3 reach = {2.0, 2.0, 6.0};
        trvi_side_filter filter = trvi_make_side_filter(p[0], p[1], p[2], reach);
        double height =
            trvi_filter_height(&filter, trvi_dsub(trvi_dvec3_from(p[3]), trvi_dvec3_from(p[0])));
        if (fabs(height) <= filter.error)
            continue;
        sure++;
        assert_int_equal(sign_of(height), sign_of(trvi_orient3d_value(p[0], p[1], p[2], p[3])));
    }
    assert_true(sure > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_side_of_a_simple_point_is_known),
        cmocka_unit_test(signs_agree_with_integers_for_mixed_exponents),
        cmocka_unit_test(signs_agree_with_integers_next_to_the_plane),
        cmocka_unit_test(determinants_of_one_unit_are_seen),
        cmocka_unit_test(differences_that_doubles_cannot_hold_are_decided),
        cmocka_unit_test(turns_of_one_unit_are_seen),
        cmocka_unit_test(nothing_overflows_or_underflows),
        cmocka_unit_test(values_are_accurate),
        cmocka_unit_test(collinear_means_exactly_collinear),
        cmocka_unit_test(a_side_filter_never_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
