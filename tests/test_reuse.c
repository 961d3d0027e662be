// Manifolds are kept while two bodies stay as they are to one another, and no longer.
#include "world_support.h"

// A slab that is moved by hand, with a box on it that has come to rest there.
static trv_world *make_ride(trv_vec3 velocity, trv_vec3 spin, float friction)
{
    trv_world *world = make_world();
    trv_body_id slab = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, -0.5f, 0));
    add_shape_of(world, slab, trv_make_box(trv_make_vec3(4, 0.5f, 4)), friction, 0);
    trv_body_id box = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.5f, 0));
    add_shape_of(world, box, cube(0.5f), friction, 0);
    expect_result(trv_body_set_velocity(world, slab, velocity, spin), TRV_OK);
    step_world(world, 30);
    assert_int_equal(world->live_contacts, 1);
    assert_int_equal(trvi_contacts(world)->manifold.count, 4);
    return world;
}

// In how many of so many steps was the contact's manifold made anew?
static int count_made(trv_world *world, int steps)
{
    int made = 0;
    for (int i = 0; i < steps; i++) {
        trv_vec3 before = trvi_contacts(world)->between;
        step_world(world, 1);
        trv_vec3 after = trvi_contacts(world)->between;
        made += memcmp(&before, &after, sizeof before) != 0;
        assert_true(trvi_contacts(world)->travelled >= 0.0);
    }
    return made;
}

static void a_manifold_is_kept_while_both_go_the_same_way(void **state)
{
    (void)state;
    trv_world *world = make_ride(trv_make_vec3(1, 0, 0.5f), trv_make_vec3(0, 0.5f, 0), 1.0f);
    assert_true(count_made(world, 60) <= 2);
    assert_true(trvi_bodies(world)[1].position.x > 1.0f);
    trv_world_destroy(world);
}

static void a_manifold_is_made_anew_where_one_slides_over_the_other(void **state)
{
    (void)state;
    trv_world *world = make_ride(trv_make_vec3(1, 0, 0), trv_make_vec3(0, 0, 0), 0.0f);
    assert_int_equal(count_made(world, 60), 60);
    trv_world_destroy(world);
}

static void a_manifold_is_made_anew_after_a_while_of_sliding_slowly(void **state)
{
    (void)state;
    trv_world *world = make_ride(trv_make_vec3(0.006f, 0, 0), trv_make_vec3(0, 0, 0), 0.0f);
    // A tenth of a millimetre in a step: once in five of them.
    int made = count_made(world, 60);
    assert_true(made >= 10 && made <= 15);
    trv_world_destroy(world);
}

static void the_normal_of_a_kept_manifold_goes_with_what_it_is_seen_from(void **state)
{
    (void)state;
    trv_world *world = make_ride(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 0, 0.02f), 1.0f);
    assert_true(count_made(world, 60) <= 10);
    const trvi_contact *contact = trvi_contacts(world);
    const trvi_body *slab = &trvi_bodies(world)[0];
    trv_vec3 up = trvi_rotate(slab->rotation, trv_make_vec3(0, 1, 0));
    assert_true(up.x < -0.025f);
    float along = fabsf(trvi_dot(contact->manifold.normal, up));
    assert_true(along > 1.0f - 1.0e-6f);
    trv_world_destroy(world);
}

// A kept normal is as upright as a new one: on smooth ground the box would set off by itself.
static void the_normal_of_a_kept_manifold_stays_upright_under_what_lies_upside_down(void **state)
{
    (void)state;
    for (int i = 0; i < 24; i++) {
        trv_world *world = make_world();
        trv_body_id box = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.5f, 0));
        add_shape_of(world, box, cube(0.5f), 0, 0);
        trv_body_id floor = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -0.5f, 0));
        add_shape_of(world, floor, trv_make_box(trv_make_vec3(4, 0.5f, 4)), 0, 0);
        float heading = 0.11f * (float)i;
        trv_pose pose = {{0, 0.5f, 0}, {cosf(heading), 0, sinf(heading), 0}};
        expect_result(trv_body_set_pose(world, box, pose), TRV_OK);
        step_world(world, 1);
        assert_int_equal(count_made(world, 30), 0);
        const trvi_contact *contact = trvi_contacts(world);
        assert_int_equal(contact->manifold.count, 4);
        expect_near(contact->manifold.normal.x, 0.0f, 1.0e-6f);
        expect_near(contact->manifold.normal.z, 0.0f, 1.0e-6f);
        trv_world_destroy(world);
    }
}

// A ball that rolls is borne right under its middle: else it would quicken or brake by itself.
static void what_rolls_slowly_is_borne_under_its_middle(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id floor = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -0.5f, 0));
    add_shape(world, floor, trv_make_box(trv_make_vec3(4, 0.5f, 4)));
    trv_body_id roller = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), ball(0.5f));
    expect_result(trv_body_set_velocity(world, roller, trv_make_vec3(0.004f, 0, 0),
                                        trv_make_vec3(0, 0, -0.008f)),
                  TRV_OK);
    trvi_bodies(world)[1].flags |= TRVI_BODY_NEVER_SLEEPS;
    float farthest = 0.0f;
    for (int i = 0; i < 240; i++) {
        float middle = position_of(world, roller).x; // where the contact is tested
        step_world(world, 1);
        assert_int_equal(trvi_contacts(world)->manifold.count, 1);
        float point = trvi_contacts(world)->manifold.points[0].point.x;
        farthest = fmaxf(farthest, fabsf(point - middle));
    }
    expect_near(velocity_of(world, roller).x, 0.004f, 1.0e-5f);
    assert_true(farthest <= 1.0e-4f * 0.5f);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_manifold_is_kept_while_both_go_the_same_way),
        cmocka_unit_test(a_manifold_is_made_anew_where_one_slides_over_the_other),
        cmocka_unit_test(a_manifold_is_made_anew_after_a_while_of_sliding_slowly),
        cmocka_unit_test(the_normal_of_a_kept_manifold_goes_with_what_it_is_seen_from),
        cmocka_unit_test(the_normal_of_a_kept_manifold_stays_upright_under_what_lies_upside_down),
        cmocka_unit_test(what_rolls_slowly_is_borne_under_its_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
