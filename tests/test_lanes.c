// Lanes against plain C, bit by bit: every operation must give in each lane what scalar code gives.
#include "lane_numbers.h"

#include "math/lanes.h"
#include "math/math.h"

typedef struct four {
    float v[TRVI_LANES];
} four;

static four draw(test_random *random)
{
    four x;
    for (int i = 0; i < TRVI_LANES; i++)
        x.v[i] = random_lane(random);
    return x;
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

static void expect_four(trvi_lanes got, float v0, float v1, float v2, float v3, const char *what)
{
    const four out = stored(got), wanted = {{v0, v1, v2, v3}};
    for (int i = 0; i < TRVI_LANES; i++)
        expect_same(out.v[i], wanted.v[i], what);
}

static void lanes_change_places_and_add_up_in_one_order(void **state)
{
    (void)state;
    test_random random = {79};
    for (int round = 0; round < 20000; round++) {
        four a = draw(&random), b = draw(&random);
        const float *p = a.v, *q = b.v;
        trvi_lanes x = trvi_lanes_load(p), y = trvi_lanes_load(q);
        four sums = stored(trvi_lanes_sums(x, y));
        expect_four(trvi_lanes_load3(p), p[0], p[1], p[2], 0.0f, "load3");
        four three = b;
        trvi_lanes_store3(three.v, x);
        expect_four(trvi_lanes_load(three.v), p[0], p[1], p[2], q[3], "store3");
        expect_four(trvi_lanes_turn(x), p[1], p[2], p[0], p[3], "turn");
        expect_four(trvi_lanes_pair(x, y), p[0], p[1], q[0], q[1], "pair");
        expect_four(trvi_lanes_splat_0(x), p[0], p[0], p[0], p[0], "splat_0");
        expect_four(trvi_lanes_splat_1(x), p[1], p[1], p[1], p[1], "splat_1");
        expect_four(trvi_lanes_splat_2(x), p[2], p[2], p[2], p[2], "splat_2");
        expect_four(trvi_lanes_splat_3(x), p[3], p[3], p[3], p[3], "splat_3");
        expect_four(trvi_lanes_abs(x), fabsf(p[0]), fabsf(p[1]), fabsf(p[2]), fabsf(p[3]), "abs");
        expect_same(trvi_lanes_first(x), p[0], "first");
        const four many[4] = {a, b, draw(&random), draw(&random)};
        uint32_t mask = trvi_lanes_at_least_16(many[0].v, trvi_lanes_splat(q[3]));
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(mask >> i & 1u, many[i / 4].v[i % 4] >= q[3]);
        expect_same(sums.v[0], (p[0] + p[2]) + (p[1] + p[3]), "the first sum");
        expect_same(sums.v[1], (q[0] + q[2]) + (q[1] + q[3]), "the second sum");
    }
}

static void lanes_turn_vectors_as_quaternions_do(void **state)
{
    (void)state;
    test_random random = {80};
    for (int round = 0; round < 20000; round++) {
        four a = draw(&random), b = draw(&random);
        trv_quat q = {a.v[0], a.v[1], a.v[2], a.v[3]};
        trv_vec3 v = {b.v[0], b.v[1], b.v[2]};
        trvi_lanes wide_q = trvi_lanes_load(&q.x), wide_v = trvi_lanes_load3(&v.x);
        trv_vec3 there = trvi_rotate(q, v), back = trvi_rotate_inverse(q, v);
        four wide_there = stored(trvi_lanes_rotate(wide_q, wide_v));
        four wide_back = stored(trvi_lanes_rotate_inverse(wide_q, wide_v));
        expect_same(wide_there.v[0] + 0.0f, there.x + 0.0f, "x");
        expect_same(wide_there.v[1] + 0.0f, there.y + 0.0f, "y");
        expect_same(wide_there.v[2] + 0.0f, there.z + 0.0f, "z");
        expect_same(wide_back.v[0] + 0.0f, back.x + 0.0f, "x back"); // zeros of either sign
        expect_same(wide_back.v[1] + 0.0f, back.y + 0.0f, "y back");
        expect_same(wide_back.v[2] + 0.0f, back.z + 0.0f, "z back");
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

static void rows_come_in_as_columns_and_go_back_where_asked(void **state)
{
    (void)state;
    test_random random = {81};
    for (uint32_t which = 0; which < 16; which++) {
        four rows[4], back[4];
        const float *from[4];
        float *to[4];
        trvi_lanes m[4];
        for (int i = 0; i < 4; i++) {
            rows[i] = draw(&random);
            back[i] = (four){{-1.0f, -1.0f, -1.0f, -1.0f}};
            from[i] = rows[i].v;
            to[i] = back[i].v;
        }
        trvi_lanes_load_rows(m, from, 0);
        trvi_lanes_store_rows(to, which, m);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                expect_same(stored(m[j]).v[i], rows[i].v[j], "load_rows");
                expect_same(back[i].v[j], which >> i & 1u ? rows[i].v[j] : -1.0f, "store_rows");
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_equals_scalar_code),
        cmocka_unit_test(lanes_change_places_and_add_up_in_one_order),
        cmocka_unit_test(lanes_turn_vectors_as_quaternions_do),
        cmocka_unit_test(a_transpose_turns_rows_into_columns),
        cmocka_unit_test(rows_come_in_as_columns_and_go_back_where_asked),
        cmocka_unit_test(vectors_and_matrices_add_up_in_a_fixed_order),
        cmocka_unit_test(rounding_to_float_and_back_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
