// What all workers find out before one of them goes on: the same as if one had done it all.
#include "dealt.h"
#include "world_support.h"

// Small boxes and balls that fly about in a room, so fast that many are swept, strike others, leave
// their boxes in the broadphase, and are guarded.
static trv_world *make_tumult(uint32_t *workers)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.workers = dealt_workers(workers);
    expect_result(trv_world_create(&def, &world), TRV_OK);
    trv_body_id room = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    for (int side = 0; side < 6; side++) {
        float sign = side % 2 ? 1.0f : -1.0f;
        trv_vec3 normal = {side / 2 == 0 ? sign : 0, side / 2 == 1 ? sign : 0,
                           side / 2 == 2 ? sign : 0};
        add_shape(world, room, trv_make_half_space(trvi_scale(normal, -4), normal));
    }
    for (int i = 0; i < 520; i++) {
        trv_vec3 at = {0.8f * (float)(i % 9 - 4), 0.8f * (float)(i / 9 % 9 - 4),
                       0.8f * (float)(i / 81 - 4)};
        trv_shape thin = trv_make_box(trv_make_vec3(0.25f, 0.02f, 0.2f));
        trv_body_id body = add_dynamic(world, at, i % 3 ? thin : ball(0.1f));
        trv_vec3 speed = {(float)(i * 7 % 41 - 20), (float)(i * 11 % 43 - 21),
                          (float)(i * 13 % 37 - 18)};
        expect_result(trv_body_set_velocity(world, body, speed, trvi_scale(speed, -0.7f)), TRV_OK);
    }
    return world;
}

static void a_tumult_is_the_same_for_any_number_of_workers(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (uint32_t count = 1; count <= 3; count += 2) {
        trv_world *world = make_tumult(&count);
        step_world(world, 2);
        assert_true(world->guard_strays);
        if (count == 1)
            expected = trv_world_hash(world);
        assert_true(trv_world_hash(world) == expected);
        trv_world_destroy(world);
    }
}

// What was left of other steps must count for nothing, nor what stamps they had.
static void stamps_of_meetings_begin_anew_before_they_run_out(void **state)
{
    (void)state;
    uint32_t one = 1;
    trv_world *world = make_tumult(&one), *late = make_tumult(&one);
    step_world(world, 1);
    step_world(late, 1);
    late->impact_stamp = UINT32_MAX - 2;
    step_world(world, 1);
    step_world(late, 1);
    assert_true(late->impact_stamp < 100);
    assert_true(trv_world_hash(world) == trv_world_hash(late));
    trv_world_destroy(world);
    trv_world_destroy(late);
}

// As many shapes as a shift has bits, one more, and many more.
static void boxes_follow_a_body_of_any_number_of_shapes(void **state)
{
    (void)state;
    const int counts[] = {1, TRVI_SHIFT_BITS, TRVI_SHIFT_BITS + 1, 3 * TRVI_SHIFT_BITS};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        trv_world *world = make_world();
        trv_body_id floor = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0));
        add_shape(world, floor, trv_make_box(trv_make_vec3(20, 1, 20)));
        trv_body_id rod = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 3, 0));
        for (int i = 0; i < counts[k]; i++)
            add_shape(world, rod, trv_make_sphere(trv_make_vec3(0.1f * (float)i, 0, 0), 0.1f));
        for (int s = 0; s < 9; s++) {
            step_world(world, 10);
            for (uint32_t i = 0; i < world->shapes.items.count; i++) {
                const trvi_shape *shape = &trvi_shapes(world)[i];
                trv_aabb tight, fat;
                expect_result(trv_broad_get(world->broad, shape->proxy, &tight, &fat), TRV_OK);
                assert_true(trvi_aabb_contains(tight, shape->bounds));
            }
        }
        expect_near(position_of(world, rod).y, 0.1, 0.01);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tumult_is_the_same_for_any_number_of_workers),
        cmocka_unit_test(stamps_of_meetings_begin_anew_before_they_run_out),
        cmocka_unit_test(boxes_follow_a_body_of_any_number_of_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
