// Points that carry load stay in a contact's manifold.
#include "world_support.h"

enum { OLD = 100, NEW = 200 };

// A manifold of four corners of a square of 1 m: their names and heights.
static trv_manifold manifold_of(uint32_t name, const float heights[4])
{
    trv_manifold manifold = {.normal = {0, 1, 0}, .count = 4};
    for (uint32_t i = 0; i < 4; i++) {
        manifold.points[i].point = trv_make_vec3(i & 1 ? 0.5f : -0.5f, 0, i & 2 ? 0.5f : -0.5f);
        manifold.points[i].separation = heights[i];
        manifold.points[i].feature = name + i;
    }
    return manifold;
}

// The first point was at x = 0 and carried a load; now corners are chosen that leave it out.
static trvi_contact let_choose_anew(const float heights[4], bool slid)
{
    trvi_contact contact = {0};
    const trvi_point_step points[TRV_MANIFOLD_POINTS] = {{0}};
    trv_manifold before = manifold_of(OLD, (const float[4]){0, 0, 0, 0});
    before.count = 1;
    before.points[0].point.x = 0;
    contact.impulses[0].normal = 1.0f;
    trvi_set_slides_at(&contact, 0, slid);
    contact.manifold = manifold_of(NEW, heights);
    trvi_keep_points(&contact, points, &before, 1.0f);
    return contact;
}

static bool has(const trvi_contact *contact, uint32_t feature)
{
    for (uint32_t i = 0; i < contact->manifold.count; i++)
        if (contact->manifold.points[i].feature == feature)
            return true;
    return false;
}

static void a_loaded_point_stays_for_the_highest(void **state)
{
    (void)state;
    trvi_contact contact = let_choose_anew((const float[4]){-0.001f, 0, 0.02f, 0.01f}, false);
    assert_int_equal(contact.manifold.count, 4);
    assert_true(has(&contact, OLD));
    assert_false(has(&contact, NEW + 2));
}

static void what_lies_deeper_is_never_left_out(void **state)
{
    (void)state;
    float deep = -2.0f * TRVI_KEEP;
    trvi_contact contact = let_choose_anew((const float[4]){deep, deep, deep, deep}, false);
    assert_false(has(&contact, OLD));
}

static void a_point_that_slid_is_let_go(void **state)
{
    (void)state;
    trvi_contact contact = let_choose_anew((const float[4]){0, 0, 0.02f, 0.01f}, true);
    assert_false(has(&contact, OLD));
    assert_true(has(&contact, NEW + 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_point_stays_for_the_highest),
        cmocka_unit_test(what_lies_deeper_is_never_left_out),
        cmocka_unit_test(a_point_that_slid_is_let_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
