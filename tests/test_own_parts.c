// The parts of one body are no pairs, and no places of contacts are kept for them.
#include "world_support.h"

// Boxes of 1 m on a lattice of that width: each overlaps its neighbours.
static trv_compound *make_lattice(uint32_t side)
{
    trv_compound_part parts[512];
    trv_compound_def def = trv_default_compound_def();
    trv_compound *compound;
    uint32_t count = 0;
    for (uint32_t i = 0; i < side; i++)
        for (uint32_t j = 0; j < side; j++)
            for (uint32_t k = 0; k < side; k++) {
                parts[count].shape = cube(0.5f);
                parts[count++].pose = trv_make_pose(trv_make_vec3((float)i, (float)j, (float)k));
            }
    expect_result(trv_compound_create(parts, count, &def, &compound), TRV_OK);
    return compound;
}

static uint32_t kept_places(const trv_world *world)
{
    return trvi_broad_slots(world->broad);
}

static void parts_of_a_compound_take_no_places_of_contacts(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_compound *lattice = make_lattice(6);
    trv_body_id one = add_dynamic(world, trv_make_vec3(0, 0, 0), trv_make_compound(lattice));
    add_dynamic(world, trv_make_vec3(2.5f, 7, 2.5f), ball(0.5f)); // far from it
    step_world(world, 2);
    assert_int_equal(kept_places(world), 0);
    trv_pose there = trv_make_pose(trv_make_vec3(0, 1.4f, 0));
    expect_result(trv_body_set_pose(world, one, there), TRV_OK);
    step_world(world, 1);
    assert_in_range(kept_places(world), 1, 20); // with the ball, which it meets
    trv_compound_release(lattice);
    trv_world_destroy(world);
}

static void shapes_that_come_one_after_the_other_take_none_either(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
    for (int i = 0; i < 40; i++)
        add_shape(world, body, cube(0.5f));
    step_world(world, 1);
    assert_int_equal(kept_places(world), 0);
    for (int i = 0; i < 40; i++) {
        add_shape(world, body, cube(0.5f));
        step_world(world, 1);
    }
    assert_int_equal(kept_places(world), 0);
    trv_world_destroy(world);
}

static void what_comes_to_move_takes_none(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_compound *lattice = make_lattice(4);
    trv_body_id body = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    add_shape(world, body, trv_make_compound(lattice));
    step_world(world, 1);
    expect_result(trv_body_set_kind(world, body, TRV_BODY_DYNAMIC), TRV_OK);
    step_world(world, 1);
    assert_int_equal(kept_places(world), 0);
    trv_compound_release(lattice);
    trv_world_destroy(world);
}

// Read into another world; what is there goes on with the same bits, and without places.
static void a_file_and_a_save_keep_it_so(void **state)
{
    (void)state;
    for (int by_file = 0; by_file < 2; by_file++) {
        trv_world *world = make_world(), *other = make_world();
        trv_compound *lattice = make_lattice(3);
        add_ground(world);
        trv_body_id body =
            add_dynamic(world, trv_make_vec3(0, 1.2f, 0), trv_make_compound(lattice));
        step_world(world, 3);
        size_t room = by_file ? trv_world_write_size(world) : trv_world_save_size(world), size;
        char *bytes = malloc(room);
        assert_non_null(bytes);
        if (by_file) {
            expect_result(trv_world_write(world, bytes, room, &size), TRV_OK);
            expect_result(trv_world_read(other, bytes, size), TRV_OK);
        } else {
            expect_result(trv_world_save(world, bytes, room, &size), TRV_OK);
            step_world(world, 30);
            expect_result(trv_world_restore(world, bytes, size), TRV_OK);
        }
        trv_world *again = by_file ? other : world;
        trv_pose far = trv_make_pose(trv_make_vec3(0, 40, 0));
        body.world = again->tag;
        expect_result(trv_body_set_pose(again, body, far), TRV_OK);
        step_world(again, 2);
        assert_int_equal(again->live_contacts, 0);
        assert_in_range(kept_places(again), 0, 27); // those of the ground, by now free
        free(bytes);
        trv_compound_release(lattice);
        trv_world_destroy(world);
        trv_world_destroy(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_a_compound_take_no_places_of_contacts),
        cmocka_unit_test(shapes_that_come_one_after_the_other_take_none_either),
        cmocka_unit_test(what_comes_to_move_takes_none),
        cmocka_unit_test(a_file_and_a_save_keep_it_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
