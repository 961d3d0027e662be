// Eight lanes against plain C, bit by bit, where the processor has them.
#include "lane_numbers.h"

#include "base.h"

#if defined(TRVI_CAN_EIGHT)

#include <immintrin.h>

TRVI_EIGHT_BEGIN
#define TRVI_LANES_EIGHT
#include "math/lanes.h"

typedef struct eight {
    float v[TRVI_LANES];
} eight;

static eight draw(test_random *random)
{
    eight x;
    for (int i = 0; i < TRVI_LANES; i++)
        x.v[i] = random_lane(random);
    return x;
}

static void expect_lane(trvi_lanes got, int lane, float wanted, const char *what)
{
    eight out;
    trvi_lanes_store(out.v, got);
    expect_same(out.v[lane], wanted, what);
}

static void check_operations(const eight *a, const eight *b, const eight *c)
{
    trvi_lanes x = trvi_lanes_load(a->v), y = trvi_lanes_load(b->v), z = trvi_lanes_load(c->v);
    uint32_t mask = trvi_lanes_at_least(x, y);
    assert_true(mask < 1u << TRVI_LANES);
    for (int i = 0; i < TRVI_LANES; i++) {
        float p = a->v[i], q = b->v[i];
        assert_int_equal(mask >> i & 1u, p >= q);
        expect_lane(trvi_lanes_add(x, y), i, p + q, "add");
        expect_lane(trvi_lanes_sub(x, y), i, p - q, "sub");
        expect_lane(trvi_lanes_mul(x, y), i, p * q, "mul");
        expect_lane(trvi_lanes_div(x, y), i, p / q, "div");
        expect_lane(trvi_lanes_sqrt(x), i, sqrtf(p), "sqrt");
        expect_lane(trvi_lanes_min(x, y), i, p < q ? p : q, "min");
        expect_lane(trvi_lanes_abs(x), i, fabsf(p), "abs");
        expect_lane(trvi_lanes_max(x, y), i, p > q ? p : q, "max");
        expect_lane(trvi_lanes_if_greater(x, y, z, x), i, p > q ? c->v[i] : p, "if_greater");
        expect_lane(trvi_lanes_splat(a->v[1]), i, a->v[1], "splat");
    }
}

static void check_rows(test_random *random)
{
    float rows[TRVI_LANES][4], back[TRVI_LANES][4];
    const float *from[TRVI_LANES];
    float *to[TRVI_LANES];
    trvi_lanes m[4];
    uint32_t which = (uint32_t)random_bits(random) & 255u;
    for (int i = 0; i < TRVI_LANES; i++) {
        for (int j = 0; j < 4; j++) {
            rows[i][j] = random_float(random, -100.0f, 100.0f);
            back[i][j] = -1.0f;
        }
        from[i] = rows[i];
        to[i] = back[i];
    }
    trvi_lanes_load_rows(m, from, 0);
    trvi_lanes_store_rows(to, which, m);
    for (int i = 0; i < TRVI_LANES; i++)
        for (int j = 0; j < 4; j++) {
            expect_lane(m[j], i, rows[i][j], "load_rows");
            assert_true(back[i][j] == (which >> i & 1u ? rows[i][j] : -1.0f));
        }
}

static void check_all(void)
{
    test_random random = {87};
    for (int round = 0; round < 2000; round++) {
        eight a = draw(&random), b = draw(&random), c = draw(&random);
        check_operations(&a, &b, &c);
        check_rows(&random);
    }
}
TRVI_EIGHT_END

static void eight_lanes_equal_scalar_code(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("avx"))
        skip();
    check_all();
}

#else

static void eight_lanes_equal_scalar_code(void **state)
{
    (void)state;
    skip(); // nothing is compiled for eight
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_lanes_equal_scalar_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
