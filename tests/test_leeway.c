// Heaps of thin bodies: what is struck again and again in a sub-step is left to the solver a little sooner,
// and that is all that it is.
#include "energy_support.h"

enum { HEAP = 40 };

typedef struct heap {
    trv_world *world;
    trv_shape shape;
    trv_body_id bodies[HEAP];
} heap;

// Long thin bodies crosswise, one above the other.
static heap make_heap(trv_shape shape, float apart)
{
    heap made = {make_world(), shape, {{0, 0, 0}}};
    test_random random = {7};
    add_ground(made.world);
    for (int i = 0; i < HEAP; i++) {
        trv_body_def def = trv_default_body_def();
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trv_make_vec3(random_float(&random, -0.3f, 0.3f), 0.2f + apart * (float)i,
                                     random_float(&random, -0.3f, 0.3f));
        def.rotation = trv_quat_about(trv_make_vec3(0, 1, 0), random_float(&random, -3, 3));
        expect_result(trv_body_create(made.world, &def, &made.bodies[i]), TRV_OK);
        add_shape_of(made.world, made.bodies[i], shape, 0.6f, 0);
    }
    return made;
}

// Of any two.
static float deepest_in(const heap *h)
{
    float deepest = 0;
    for (int i = 0; i < HEAP; i++)
        for (int k = 0; k < i; k++) {
            trv_gap gap;
            expect_result(trv_distance(&h->shape, pose_of(h->world, h->bodies[i]), &h->shape,
                                       pose_of(h->world, h->bodies[k]), &gap),
                          TRV_OK);
            deepest = fmaxf(deepest, -gap.distance);
        }
    return deepest;
}

static float highest_in(const heap *h)
{
    float highest = 0;
    for (int i = 0; i < HEAP; i++)
        highest = fmaxf(highest, position_of(h->world, h->bodies[i]).y);
    return highest;
}

// None is thrown up, and none is through another one.
static void expect_calm_heap(trv_shape shape, float thin, float apart)
{
    heap h = make_heap(shape, apart);
    float deepest = 0, top = highest_in(&h);
    for (int s = 0; s < 150; s++) {
        step_world(h.world, 1);
        deepest = fmaxf(deepest, deepest_in(&h));
        assert_true(highest_in(&h) <= top + 0.05f);
    }
    if (!(deepest <= 0.5f * thin))
        fail_msg("%g deep of %g", (double)deepest, (double)thin);
    trv_world_destroy(h.world);
}

static void planks_that_fall_in_a_heap_stay_out_of_one_another(void **state)
{
    (void)state;
    expect_calm_heap(trv_make_box(trv_make_vec3(1, 0.02f, 0.1f)), 0.02f, 0.1f);
}

static void rods_that_fall_in_a_heap_stay_out_of_one_another(void **state)
{
    (void)state;
    expect_calm_heap(trv_make_capsule(trv_make_vec3(-1, 0, 0), trv_make_vec3(1, 0, 0), 0.02f),
                     0.02f, 0.1f);
    expect_calm_heap(trv_make_box(trv_make_vec3(1, 0.02f, 0.02f)), 0.02f, 0.1f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planks_that_fall_in_a_heap_stay_out_of_one_another),
        cmocka_unit_test(rods_that_fall_in_a_heap_stay_out_of_one_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
