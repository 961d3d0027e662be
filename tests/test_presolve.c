// Conveyors, one-way platforms, and what else a pre-solve function may say.
#include "world_support.h"

static void a_belt_carries_at_its_speed_and_no_faster(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_def def = trv_default_body_def();
    trv_body_id belt;
    def.rotation = trv_quat_about(trv_make_vec3(0, 1, 0), 1.57079633f); // its x is the world's -z
    expect_result(trv_body_create(world, &def, &belt), TRV_OK);
    trv_shape_def shape = trv_default_shape_def();
    shape.material.surface_velocity = trv_make_vec3(2, 0, 0);
    trv_shape_id id = add_shape_with(world, belt, shape, trv_make_box(trv_make_vec3(50, 0.5f, 2)));
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 1.0f, 0), cube(0.5f));
    step_world(world, 10);
    float early = -velocity_of(world, box).z;
    assert_true(early > 0.3f && early < 1.2f); // mu g t = .98
    step_world(world, 110);
    expect_near(velocity_of(world, box).z, -2, 0.01);
    expect_near(velocity_of(world, box).x, 0, 0.01);
    assert_true(is_awake(world, box));
    trv_material material;
    expect_result(trv_shape_material(world, id, &material), TRV_OK);
    material.surface_velocity = trv_make_vec3(0, 0, 0);
    expect_result(trv_shape_set_material(world, id, &material), TRV_OK);
    step_world(world, 120);
    expect_near(velocity_of(world, box).z, 0, 0.001);
    trv_world_destroy(world);
}

// Lets through what comes from below, until it has gone.
static void one_way(void *user, const trv_pre_solve_input *input, trv_pre_solve_output *output)
{
    (void)user;
    bool platform_is_a = input->user_a == 1;
    float sign = platform_is_a ? 1.0f : -1.0f;
    bool rising = sign * input->velocity.y > 0.01f;
    bool deep = input->manifold->points[0].separation < -0.05f;
    bool from_above = sign * input->manifold->normal.y > 0.9f;
    output->enable = input->touched || (from_above && !rising && !deep);
}

static void a_one_way_platform_lets_through_from_below_and_bears_from_above(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_pre_solve hook = {NULL, one_way};
    expect_result(trv_world_set_pre_solve(world, hook), TRV_OK);
    trv_body_id platform = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 2, 0));
    trv_shape_def def = trv_default_shape_def();
    def.user = 1;
    def.pre_solve = true;
    add_shape_with(world, platform, def, trv_make_box(trv_make_vec3(5, 0.1f, 5)));
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.25f));
    expect_result(trv_body_set_linear_velocity(world, body, trv_make_vec3(0, 8, 0)), TRV_OK);
    float highest = 0;
    uint32_t begins = 0, ends = 0;
    for (int i = 0; i < 180; i++) {
        step_world(world, 1);
        highest = fmaxf(highest, position_of(world, body).y);
        begins += trv_world_events(world).begin_count;
        ends += trv_world_events(world).end_count;
    }
    expect_near(highest, 0.5 + 64 / (2 * 9.81), 0.02); // as if nothing were there
    expect_near(position_of(world, body).y, 2.35, 0.005);
    assert_int_equal(begins, 1);
    assert_int_equal(ends, 0);
    trv_world_destroy(world);
}

typedef struct say {
    trv_pre_solve_output output;
    uint32_t calls;
} say;

static void repeat(void *user, const trv_pre_solve_input *input, trv_pre_solve_output *output)
{
    say *what = user;
    (void)input;
    what->calls++;
    *output = what->output;
}

static void friction_restitution_and_surface_follow_the_function(void **state)
{
    (void)state;
    trv_world *world = make_world();
    say what = {{true, 0, 0, {0, 0, 0}}, 0};
    trv_pre_solve hook = {&what, repeat};
    expect_result(trv_world_set_pre_solve(world, hook), TRV_OK);
    add_ground(world);
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.5f, 0));
    trv_shape_def def = trv_default_shape_def();
    trv_shape_id shape = add_shape_with(world, body, def, cube(0.5f));
    trv_vec3 v = {3, 0, 0};
    expect_result(trv_body_set_linear_velocity(world, body, v), TRV_OK);
    expect_result(trv_shape_set_switch(world, shape, TRV_SHAPE_PRE_SOLVE, true), TRV_OK);
    step_world(world, 30);
    assert_true(what.calls >= 30);
    expect_near(velocity_of(world, body).x, 3, 1e-3); // no friction
    what.output.friction = NAN;                       // is ignored: 0.6 it is
    what.output.restitution = 7;
    step_world(world, 10);
    expect_near(velocity_of(world, body).x, 3 - 0.6 * 9.81 / 6, 0.05);
    what.output.friction = 1;
    what.output.surface_velocity = trv_make_vec3(0, 0, 1); // either way round
    step_world(world, 90);
    expect_near(velocity_of(world, body).x, 0, 0.01);
    expect_near(fabsf(velocity_of(world, body).z), 1, 0.01);
    what.output.enable = false;
    step_world(world, 30);
    assert_true(position_of(world, body).y < 0.0f);
    expect_result(trv_shape_set_switch(world, shape, TRV_SHAPE_PRE_SOLVE, false), TRV_OK);
    uint32_t calls = what.calls;
    step_world(world, 30);
    assert_int_equal(what.calls, calls);
    trv_world_destroy(world);
}

static void a_pure_function_gives_the_same_bits_however_work_is_dealt(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int w = 0; w < 2; w++) {
        trv_world_def def = trv_default_world_def();
        trv_world *world;
        def.pre_solve.fn = one_way;
        if (w == 1)
            def.workers = (trv_workers){NULL, 3, deal_oddly};
        expect_result(trv_world_create(&def, &world), TRV_OK);
        trv_body_id ground = add_ground(world);
        (void)ground;
        test_random random = {5};
        for (int i = 0; i < 60; i++) {
            trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, random_vec3(&random, 2));
            trv_shape_def shape = trv_default_shape_def();
            shape.pre_solve = i % 3 == 0;
            shape.user = (uint64_t)(i % 2);
            shape.material.surface_velocity = random_vec3(&random, i % 5 == 0 ? 2.0f : 0.0f);
            add_shape_with(world, body, shape, i % 2 ? cube(0.3f) : ball(0.3f));
        }
        step_world(world, 50);
        hashes[w] = trv_world_hash(world);
        trv_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

// Of A, which rests, and B.
static void expect_velocity_of_the_deepest(void *user, const trv_pre_solve_input *input,
                                           trv_pre_solve_output *output)
{
    (void)output;
    trv_body_id *box = ((trv_body_id **)user)[0];
    trv_world **world = ((trv_world ***)user)[1];
    uint32_t *others = ((uint32_t **)user)[2], deepest = 0;
    trv_vec3 v, sign = {1, 1, 1};
    for (uint32_t i = 1; i < input->manifold->count; i++)
        if (input->manifold->points[i].separation < input->manifold->points[deepest].separation)
            deepest = i;
    expect_result(trv_body_velocity_at(*world, *box, input->manifold->points[deepest].point, &v),
                  TRV_OK);
    if (same_body(input->body_a, *box))
        sign = trv_make_vec3(-1, -1, -1);
    expect_near(input->velocity.x, sign.x * v.x, 1e-5);
    expect_near(input->velocity.y, sign.y * v.y, 1e-5);
    expect_near(input->velocity.z, sign.z * v.z, 1e-5);
    *others += deepest != 0;
}

// A tilted box that turns: one corner may rise while another sinks in.
static void the_function_is_told_how_the_deepest_point_moves(void **state)
{
    (void)state;
    uint32_t others = 0;
    for (int i = 0; i < 20; i++) {
        trv_world *world = make_world();
        trv_body_id platform = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0)), box;
        trv_shape_def shape = trv_default_shape_def();
        shape.pre_solve = true;
        add_shape_with(world, platform, shape, trv_make_box(trv_make_vec3(5, 0.1f, 5)));
        trv_body_def def = trv_default_body_def();
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trv_make_vec3(0, 0.11f + 0.25f, 0);
        def.rotation = trv_quat_about(trv_make_vec3(sinf((float)i), 0, cosf((float)i)), 0.04f);
        def.angular_velocity = trv_make_vec3(cosf(2 * (float)i), 0.3f, sinf(3 * (float)i));
        expect_result(trv_body_create(world, &def, &box), TRV_OK);
        add_shape(world, box, cube(0.25f));
        void *told[] = {&box, &world, &others};
        trv_pre_solve hook = {told, expect_velocity_of_the_deepest};
        expect_result(trv_world_set_pre_solve(world, hook), TRV_OK);
        expect_result(trv_world_collide(world), TRV_OK);
        trv_world_destroy(world);
    }
    assert_true(others > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_carries_at_its_speed_and_no_faster),
        cmocka_unit_test(a_one_way_platform_lets_through_from_below_and_bears_from_above),
        cmocka_unit_test(the_function_is_told_how_the_deepest_point_moves),
        cmocka_unit_test(friction_restitution_and_surface_follow_the_function),
        cmocka_unit_test(a_pure_function_gives_the_same_bits_however_work_is_dealt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
