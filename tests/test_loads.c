// The loads that contacts remember, when sub-steps become longer or shorter.
#include "world_support.h"

enum { WIDE = 40, BOXES = WIDE * (WIDE + 1) / 2 };

// Of more contacts than are solved with care.
static void build_pyramid(trv_world *world, trv_body_id boxes[BOXES])
{
    int count = 0;
    add_ground(world);
    for (int row = 0; row < WIDE; row++)
        for (int i = 0; i < WIDE - row; i++) {
            trv_vec3 at = {0.5f * (float)i + 0.25f * (float)row, 0.25f + 0.5f * (float)row, 0};
            boxes[count++] = add_dynamic(world, at, cube(0.25f));
        }
}

static void run(trv_world *world, float seconds, float rate, uint32_t substeps)
{
    for (int i = 0; i < (int)(seconds * rate + 0.5f); i++)
        expect_result(trv_world_step(world, 1.0f / rate, substeps), TRV_OK);
}

static void note_places(trv_world *world, const trv_body_id boxes[BOXES], trv_vec3 at[BOXES])
{
    for (int i = 0; i < BOXES; i++)
        at[i] = position_of(world, boxes[i]);
}

// Within so many metres of where they were.
static void expect_kept(trv_world *world, const trv_body_id boxes[BOXES], const trv_vec3 at[BOXES],
                        double most)
{
    for (int i = 0; i < BOXES; i++) {
        trv_vec3 p = position_of(world, boxes[i]);
        expect_near(p.x, at[i].x, most);
        expect_near(p.y, at[i].y, most);
        expect_near(p.z, at[i].z, most);
    }
}

// Loads that are taken as blows throw it up, or drop it, by as much as half a metre.
static void a_pyramid_stays_where_it_is_as_steps_change(void **state)
{
    (void)state;
    static const float rates[][2] = {{480, 8}, {60, 2}, {60, 4}, {240, 4}, {30, 4}};
    static trv_body_id boxes[BOXES];
    static trv_vec3 at[BOXES];
    trv_world *world = make_world();
    build_pyramid(world, boxes);
    for (int i = 0; i < BOXES; i++)
        expect_result(trv_body_set_never_sleeps(world, boxes[i], true), TRV_OK);
    run(world, 2.0f, 60, 4);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        note_places(world, boxes, at);
        run(world, 0.25f, rates[i][0], (uint32_t)rates[i][1]);
        expect_kept(world, boxes, at, 0.02);
    }
    trv_world_destroy(world);
}

static void what_sleeps_wakes_to_another_step_and_stays(void **state)
{
    (void)state;
    static trv_body_id boxes[BOXES];
    static trv_vec3 at[BOXES];
    trv_world *world = make_world();
    build_pyramid(world, boxes);
    run(world, 3.0f, 60, 4);
    assert_false(is_awake(world, boxes[0]));
    note_places(world, boxes, at);
    run(world, 0.1f, 480, 8);
    expect_result(trv_body_set_awake(world, boxes[0], true), TRV_OK);
    run(world, 0.25f, 480, 8);
    assert_true(is_awake(world, boxes[0]));
    expect_kept(world, boxes, at, 0.02);
    trv_world_destroy(world);
}

// What a contact tells is of the sub-step's length, too.
static void a_contact_bears_the_weight_in_every_step(void **state)
{
    (void)state;
    static const float rates[][2] = {{60, 4}, {240, 4}, {60, 1}, {120, 2}};
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
    expect_result(trv_body_set_never_sleeps(world, box, true), TRV_OK);
    run(world, 1.0f, 60, 4);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        trv_contact contact;
        uint32_t count;
        run(world, 1.0f / rates[i][0], rates[i][0], (uint32_t)rates[i][1]);
        expect_result(trv_world_contacts(world, &contact, 1, &count), TRV_OK);
        assert_int_equal(count, 1);
        expect_near(contact.impulse * rates[i][0] * rates[i][1], 9810.0, 20.0);
    }
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pyramid_stays_where_it_is_as_steps_change),
        cmocka_unit_test(what_sleeps_wakes_to_another_step_and_stays),
        cmocka_unit_test(a_contact_bears_the_weight_in_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
