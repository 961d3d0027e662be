// What rests, or hardly moves, is computed with normal numbers: below the least of them some processors take a
// hundred times as long for each operation.
#include "world_support.h"

#include <fenv.h>

static trv_body_id add_awake(trv_world *world, trv_vec3 position, trv_shape shape)
{
    trv_body_id body = add_dynamic(world, position, shape);
    expect_result(trv_body_set_never_sleeps(world, body, true), TRV_OK);
    return body;
}

static void add_box(trv_world *world)
{
    add_awake(world, trv_make_vec3(0.1f, 0.5f, 0.2f), cube(0.5f));
}

static void add_balls(trv_world *world)
{
    for (int i = 0; i < 5; i++)
        add_awake(world, trv_make_vec3(2.0f * (float)i, 0.5f, 0), ball(0.5f));
}

static void add_roller(trv_world *world)
{
    trv_body_id body = add_awake(world, trv_make_vec3(0, 0.5f, 0), ball(0.5f));
    expect_result(trv_body_set_linear_velocity(world, body, trv_make_vec3(1, 0, 0.2f)), TRV_OK);
}

static void add_tower(trv_world *world)
{
    for (int i = 0; i < 8; i++)
        add_awake(world, trv_make_vec3(0.01f * (float)i, 0.5f + (float)i, 0.013f * (float)i),
                  cube(0.5f));
}

// Clang computes ahead of conditions what is then not used, which leaves its marks, too.
#if defined(FE_UNDERFLOW) && defined(__GNUC__) && !defined(__clang__)

// Steps of twenty seconds in which something did not come to a normal number.
static int underflows_of(void (*add)(trv_world *world))
{
    trv_world *world = make_world();
    add_shape(world, add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -0.5f, 0)),
              trv_make_box(trv_make_vec3(60, 0.5f, 60)));
    add(world);
    int count = 0;
    for (int i = 0; i < 1200; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        step_world(world, 1);
        count += fetestexcept(FE_UNDERFLOW) != 0;
    }
    trv_world_destroy(world);
    return count;
}

#else // this is not to be seen here

static int underflows_of(void (*add)(trv_world *world))
{
    (void)add;
    skip();
    return 0;
}

#endif

static void nothing_underflows_where_a_box_rests(void **state)
{
    (void)state;
    assert_int_equal(underflows_of(add_box), 0);
}

static void nothing_underflows_where_balls_rest_or_roll(void **state)
{
    (void)state;
    assert_int_equal(underflows_of(add_balls), 0);
    assert_int_equal(underflows_of(add_roller), 0);
}

// What bears loads goes on to round them; a few products of that are tiny.
static void little_underflows_where_a_tower_stands(void **state)
{
    (void)state;
    int count = underflows_of(add_tower);
    if (count > 120)
        fail_msg("in %d steps", count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_underflows_where_a_box_rests),
        cmocka_unit_test(nothing_underflows_where_balls_rest_or_roll),
        cmocka_unit_test(little_underflows_where_a_tower_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
