// Lanes against plain C, bit by bit: every operation must give in each lane what scalar code gives.
#include "support.h"

#include "math/lanes.h"
#include "math/math.h"

typedef struct four {
    float v[TRVI_LANES];
} four;

static const float edges[] = {0.0f,     -0.0f,    1.0f,      -1.0f, 1e-40f,   3.4e38f,
                              -3.4e38f, INFINITY, -INFINITY, NAN,   1.5e-38f, 0.1f};

static four draw(test_random *random)
{
    four x;
    for (int i = 0; i < TRVI_LANES; i++) {
        uint64_t bits = random_bits(random);
        if (bits % 4 == 0)
            x.v[i] = edges[(bits >> 8) % (sizeof edges / sizeof *edges)];
        else
            x.v[i] = random_float(random, -100.0f, 100.0f);
    }
    return x;
}

// Bit for bit, but any NaN equals any NaN: IEEE leaves its payload open.
static void expect_same(float got, float wanted, const char *what)
{
    if (isnan(got) && isnan(wanted))
        return;
    if (memcmp(&got, &wanted, sizeof got) != 0)
        fail_msg("%s: %.9g, wanted %.9g", what, (double)got, (double)wanted);
}

static four stored(trvi_lanes x)
{
    four out;
    trvi_lanes_store(out.v, x);
    return out;
}

static void every_operation_equals_scalar_code(void **state)
{
    (void)state;
    test_random random = {77};
    for (int round = 0; round < 20000; round++) {
        four a = draw(&random), b = draw(&random), c = draw(&random);
        trvi_lanes x = trvi_lanes_load(a.v), y = trvi_lanes_load(b.v), z = trvi_lanes_load(c.v);
        four add = stored(trvi_lanes_add(x, y)), sub = stored(trvi_lanes_sub(x, y));
        four mul = stored(trvi_lanes_mul(x, y)), quotient = stored(trvi_lanes_div(x, y));
        four root = stored(trvi_lanes_sqrt(x));
        four low = stored(trvi_lanes_min(x, y)), high = stored(trvi_lanes_max(x, y));
        four choice = stored(trvi_lanes_if_greater(x, y, z, x));
        four splat = stored(trvi_lanes_splat(a.v[1]));
        uint32_t mask = trvi_lanes_at_least(x, y);
        assert_true(mask < 1u << TRVI_LANES);
        for (int i = 0; i < TRVI_LANES; i++) {
            float p = a.v[i], q = b.v[i];
            assert_int_equal(mask >> i & 1u, p >= q);
            expect_same(add.v[i], p + q, "add");
            expect_same(sub.v[i], p - q, "sub");
            expect_same(mul.v[i], p * q, "mul");
            expect_same(quotient.v[i], p / q, "div");
            expect_same(root.v[i], sqrtf(p), "sqrt");
            expect_same(low.v[i], p < q ? p : q, "min");
            expect_same(high.v[i], p > q ? p : q, "max");
            expect_same(choice.v[i], p > q ? c.v[i] : p, "if_greater");
            expect_same(splat.v[i], a.v[1], "splat");
        }
    }
}

static void vectors_and_matrices_add_up_in_a_fixed_order(void **state)
{
    (void)state;
    test_random random = {78};
    for (int round = 0; round < 5000; round++) {
        float a[3][TRVI_LANES], b[3][TRVI_LANES], m[6][TRVI_LANES];
        for (int i = 0; i < TRVI_LANES; i++) {
            for (int k = 0; k < 3; k++) {
                a[k][i] = random_float(&random, -9, 9);
                b[k][i] = random_float(&random, -9, 9);
            }
            for (int k = 0; k < 6; k++)
                m[k][i] = random_float(&random, -9, 9);
        }
        trvi_wide3 u = {trvi_lanes_load(a[0]), trvi_lanes_load(a[1]), trvi_lanes_load(a[2])};
        trvi_wide3 v = {trvi_lanes_load(b[0]), trvi_lanes_load(b[1]), trvi_lanes_load(b[2])};
        trvi_wide_symmetric s = {trvi_lanes_load(m[0]), trvi_lanes_load(m[1]),
                                 trvi_lanes_load(m[2]), trvi_lanes_load(m[3]),
                                 trvi_lanes_load(m[4]), trvi_lanes_load(m[5])};
        four dot = stored(trvi_wide_dot(u, v)), cross = stored(trvi_wide_cross(u, v).y);
        four product = stored(trvi_wide_symmetric_mul(&s, u).z);
        for (int i = 0; i < TRVI_LANES; i++) {
            expect_same(dot.v[i], a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i], "dot");
            expect_same(cross.v[i], a[2][i] * b[0][i] - a[0][i] * b[2][i], "cross");
            expect_same(product.v[i], m[4][i] * a[0][i] + m[5][i] * a[1][i] + m[2][i] * a[2][i],
                        "product");
        }
    }
}

static void round_trip(trvi_dvec3 *to, const trvi_dvec3 *from)
{
    *to = trvi_dvec3_from(trvi_vec3_from_double(*from));
}

// A compiler that takes the way there and back for nothing breaks every hash.
static void rounding_to_float_and_back_is_done(void **state)
{
    (void)state;
    void (*volatile opaque)(trvi_dvec3 *, const trvi_dvec3 *) = round_trip;
    trvi_dvec3 v = {1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0}, rounded;
    volatile float x = (float)v.x, y = (float)v.y, z = (float)v.z;
    opaque(&rounded, &v);
    assert_true(rounded.x == (double)x && rounded.y == (double)y && rounded.z == (double)z);
}

static void a_transpose_turns_rows_into_columns(void **state)
{
    (void)state;
    test_random random = {78};
    four rows[TRVI_LANES];
    trvi_lanes m[TRVI_LANES];
    for (int i = 0; i < TRVI_LANES; i++) {
        rows[i] = draw(&random);
        m[i] = trvi_lanes_load(rows[i].v);
    }
    trvi_lanes_transpose(m);
    for (int i = 0; i < TRVI_LANES; i++) {
        four column = stored(m[i]);
        for (int j = 0; j < TRVI_LANES; j++)
            expect_same(column.v[j], rows[j].v[i], "transpose");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_equals_scalar_code),
        cmocka_unit_test(a_transpose_turns_rows_into_columns),
        cmocka_unit_test(vectors_and_matrices_add_up_in_a_fixed_order),
        cmocka_unit_test(rounding_to_float_and_back_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
