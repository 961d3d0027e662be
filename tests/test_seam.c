// Seams between tiles: what slides over them keeps its speed, and true obstacles still stop it.
#include "world_support.h"

static void add_tile(trv_world *world, float x, float top)
{
    trv_body_id tile = add_body(world, TRV_BODY_STATIC, trv_make_vec3(x, top - 0.5f, 0));
    add_shape_of(world, tile, trv_make_box(trv_make_vec3(0.5f, 0.5f, 2)), 0, 0);
}

static trv_body_id add_slider(trv_world *world, trv_shape shape, float height, float speed)
{
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, height, 0));
    trv_vec3 v = {speed, 0, 0}, o = {0, 0, 0};
    add_shape_of(world, body, shape, 0, 0);
    expect_result(trv_body_set_velocity(world, body, v, o), TRV_OK);
    return body;
}

static void what_slides_over_tiles_keeps_its_speed(void **state)
{
    (void)state;
    const trv_shape shapes[] = {
        cube(0.25f), ball(0.25f),
        trv_make_capsule(trv_make_vec3(0, 0, -0.3f), trv_make_vec3(0, 0, 0.3f), 0.25f)};
    const float speeds[] = {1, 5, 20};
    for (int k = 0; k < 9; k++) {
        trv_world *world = make_world();
        float speed = speeds[k / 3], fastest = 0.0f;
        for (int i = 0; i < 45; i++)
            add_tile(world, (float)i, 0.0f);
        trv_body_id slider = add_slider(world, shapes[k % 3], 0.25f, speed);
        for (int i = 0; i < 120; i++) {
            step_world(world, 1);
            trv_vec3 v = velocity_of(world, slider);
            fastest = fmaxf(fastest, fabsf(v.y));
            expect_near(v.x, speed, 0.001 * speed);
        }
        assert_true(fastest < 0.01f);
        trv_world_destroy(world);
    }
}

static void a_kerb_of_two_centimetres_stops_a_box(void **state)
{
    (void)state;
    trv_world *world = make_world();
    for (int i = 0; i < 10; i++)
        add_tile(world, (float)i, i < 5 ? 0.0f : 0.02f);
    trv_body_id slider = add_slider(world, cube(0.25f), 0.25f, 2);
    float least = 2.0f;
    for (int i = 0; i < 240; i++) {
        step_world(world, 1);
        least = fminf(least, velocity_of(world, slider).x);
    }
    assert_true(least < 1.0f);
    trv_world_destroy(world);
}

static void a_wall_on_the_tiles_stops_a_ball(void **state)
{
    (void)state;
    trv_world *world = make_world();
    for (int i = 0; i < 10; i++)
        add_tile(world, (float)i, i == 5 ? 0.9f : 0.0f);
    trv_body_id slider = add_slider(world, ball(0.25f), 0.25f, 2);
    step_world(world, 240);
    expect_near(position_of(world, slider).x, 4.25, 0.05);
    trv_world_destroy(world);
}

static void a_box_across_a_seam_rests_on_both_tiles(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_tile(world, -0.5f, 0.0f);
    add_tile(world, 0.5f, 0.0f);
    trv_body_id box = add_dynamic(world, trv_make_vec3(0.1f, 0.25f, 0), cube(0.25f));
    step_world(world, 120);
    expect_near(position_of(world, box).y, 0.25, 1e-3);
    expect_near(position_of(world, box).x, 0.1, 1e-3);
    assert_false(is_awake(world, box));
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_slides_over_tiles_keeps_its_speed),
        cmocka_unit_test(a_kerb_of_two_centimetres_stops_a_box),
        cmocka_unit_test(a_wall_on_the_tiles_stops_a_ball),
        cmocka_unit_test(a_box_across_a_seam_rests_on_both_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
