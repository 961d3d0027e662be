// The marks of a contact's points: what the step may know of a contact without touching it, and what
// comes of the impulses that were found for it.
#include "world_support.h"

static trvi_contact contact_with(uint32_t points, float separation)
{
    trvi_contact contact;
    memset(&contact, 0, sizeof contact);
    contact.manifold.count = points;
    for (uint32_t i = 0; i < points; i++)
        contact.manifold.points[i].separation = separation;
    return contact;
}

static bool marked(const trvi_contact *contact, uint32_t mark)
{
    return (trvi_marks_of_points(contact) & mark) != 0;
}

static void points_are_close_by_what_begins_a_touch_and_by_what_ends_one(void **state)
{
    (void)state;
    const struct {
        float separation;
        bool begins, goes_on;
    } rows[] = {{-0.1f, true, true},
                {TRVI_TOUCH_M, true, true},
                {TRVI_TOUCH_M * 1.01f, false, true},
                {TRVI_RELEASE_M, false, true},
                {TRVI_RELEASE_M * 1.01f, false, false}};
    assert_true(TRVI_TOUCH_M < TRVI_RELEASE_M);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trvi_contact contact = contact_with(1, rows[i].separation);
        assert_int_equal(marked(&contact, TRVI_ENTRY_CLOSE), rows[i].begins);
        assert_false(marked(&contact, TRVI_ENTRY_TOUCHED));
        contact.flags = TRVI_CONTACT_TOUCHING;
        assert_int_equal(marked(&contact, TRVI_ENTRY_CLOSE), rows[i].goes_on);
        assert_true(marked(&contact, TRVI_ENTRY_TOUCHED));
    }
}

static void any_point_marks_its_contact_and_none_past_the_last_does(void **state)
{
    (void)state;
    for (uint32_t points = 0; points <= TRV_MANIFOLD_POINTS; points++)
        for (uint32_t which = 0; which < TRV_MANIFOLD_POINTS; which++) {
            trvi_contact contact = contact_with(points, 1.0f);
            contact.manifold.points[which].separation = 0.0f;
            contact.impulses[which].normal = 2.0f;
            trvi_set_slides_at(&contact, which, which % 2);
            bool counts = which < points;
            uint32_t held = which % 2 ? TRVI_ENTRY_SLID : TRVI_ENTRY_STUCK;
            uint32_t other = TRVI_ENTRY_SLID + TRVI_ENTRY_STUCK - held;
            trvi_entry entry = {0, 0, trvi_marks_of_points(&contact)};
            assert_int_equal(trvi_points_of(&entry), points);
            assert_int_equal(marked(&contact, TRVI_ENTRY_CLOSE), counts);
            assert_int_equal(marked(&contact, held), counts);
            assert_false(marked(&contact, other));
        }
}

static void a_point_that_bears_nothing_neither_stuck_nor_slid(void **state)
{
    (void)state;
    trvi_contact contact = contact_with(2, 0.0f);
    trvi_set_slides_at(&contact, 0, true);
    assert_false(marked(&contact, TRVI_ENTRY_SLID | TRVI_ENTRY_STUCK));
    contact.impulses[0].normal = contact.impulses[1].normal = 1.0f; // one slides, and one does not
    assert_true(marked(&contact, TRVI_ENTRY_SLID));
    assert_true(marked(&contact, TRVI_ENTRY_STUCK));
}

static void a_surface_runs_in_any_direction(void **state)
{
    (void)state;
    trvi_contact contact = contact_with(1, 0.0f);
    assert_false(marked(&contact, TRVI_ENTRY_RUNS | TRVI_ENTRY_BLOWING));
    contact.surface = trv_make_vec3(0, 0, -1e-3f);
    assert_true(marked(&contact, TRVI_ENTRY_RUNS));
    contact.blow = -3.0f;
    assert_true(marked(&contact, TRVI_ENTRY_BLOWING));
}

// Of the one contact that there is, after a step.
static uint32_t marks_after(trv_world *world, int steps)
{
    step_world(world, steps);
    assert_int_equal(world->active.count, 1);
    return ((const trvi_entry *)world->active.items)[0].extra;
}

// The ground's friction, the box's speed along it and down, and the belt's speed.
static trv_world *make_box_on_ground(float friction, trv_vec3 velocity, float belt)
{
    trv_world *world = make_world();
    trv_body_id ground = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    trv_shape_def def = trv_default_shape_def();
    def.material.friction = friction;
    def.material.surface_velocity = trv_make_vec3(belt, 0, 0);
    add_shape_with(world, ground, def,
                   trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0)));
    trv_body_id box = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
    expect_result(trv_body_set_linear_velocity(world, box, velocity), TRV_OK);
    return world;
}

static void the_solver_marks_what_it_pushed_held_and_struck(void **state)
{
    (void)state;
    const struct {
        float friction;
        trv_vec3 velocity;
        float belt;
        uint32_t with, without; // after ten steps
    } rows[] = {
        {0.6f,
         {0, 0, 0},
         0,
         TRVI_ENTRY_PUSHED | TRVI_ENTRY_HELD | TRVI_ENTRY_STUCK | TRVI_ENTRY_CLOSE,
         TRVI_ENTRY_SLID | TRVI_ENTRY_RUNS | TRVI_ENTRY_STRUCK | TRVI_ENTRY_BLOWING},
        {0.1f,
         {4, 0, 0},
         0,
         TRVI_ENTRY_PUSHED | TRVI_ENTRY_SLID | TRVI_ENTRY_CLOSE,
         TRVI_ENTRY_STUCK | TRVI_ENTRY_HELD | TRVI_ENTRY_RUNS | TRVI_ENTRY_STRUCK},
        {0.6f,
         {0, 0, 0},
         0.5f,
         TRVI_ENTRY_PUSHED | TRVI_ENTRY_RUNS | TRVI_ENTRY_CLOSE,
         TRVI_ENTRY_STRUCK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trv_world *world = make_box_on_ground(rows[i].friction, rows[i].velocity, rows[i].belt);
        uint32_t marks = marks_after(world, 10);
        if ((marks & rows[i].with) != rows[i].with || (marks & rows[i].without) != 0)
            fail_msg("row %zu: marks %#x", i, marks);
        trv_world_destroy(world);
    }
}

static void only_a_blow_beyond_the_threshold_strikes(void **state)
{
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        trv_vec3 down = {0, fast ? -3.0f : -0.5f, 0}; // the threshold is at 1 m/s
        trv_world *world = make_box_on_ground(0.6f, down, 0);
        uint32_t marks = marks_after(world, 1);
        assert_true(marks & TRVI_ENTRY_SOLVED);
        assert_int_equal((marks & TRVI_ENTRY_STRUCK) != 0, fast);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_close_by_what_begins_a_touch_and_by_what_ends_one),
        cmocka_unit_test(any_point_marks_its_contact_and_none_past_the_last_does),
        cmocka_unit_test(a_point_that_bears_nothing_neither_stuck_nor_slid),
        cmocka_unit_test(a_surface_runs_in_any_direction),
        cmocka_unit_test(the_solver_marks_what_it_pushed_held_and_struck),
        cmocka_unit_test(only_a_blow_beyond_the_threshold_strikes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
