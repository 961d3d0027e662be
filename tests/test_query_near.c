// What is nearest in a world, and what is met at once: the same whatever the reach and the order, and
// what is far is not looked at.
#include "world_support.h"

#include <trivet/query.h>

// Cubes of 80 cm in the corners of a grid, 1 m apart, from far to near; and a floor that is everywhere.
enum { FIELD_SIDE = 12, FIELD = FIELD_SIDE * FIELD_SIDE * FIELD_SIDE };

static trv_world *make_field(trv_shape_id *ids, bool floor, int steps)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    trv_shape cube = trv_make_box(trv_make_vec3(.4f, .4f, .4f));
    trv_shape all = trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0));
    trv_shape_def shape = trv_default_shape_def();
    for (int i = 0; i < FIELD + floor; i++) {
        trv_body_def at = trv_default_body_def();
        trv_body_id body;
        at.kind = i % 2 == 0 ? TRV_BODY_STATIC : TRV_BODY_KINEMATIC;
        at.position = trv_make_vec3((float)(FIELD_SIDE - 1 - i % FIELD_SIDE),
                                    (float)(FIELD_SIDE - i / FIELD_SIDE % FIELD_SIDE),
                                    (float)(FIELD_SIDE - 1 - i / (FIELD_SIDE * FIELD_SIDE)));
        if (i == FIELD)
            at.position = trv_make_vec3(0, -1, 0);
        expect_result(trv_body_create(world, &at, &body), TRV_OK);
        expect_result(trv_shape_create(world, body, &shape, i == FIELD ? &all : &cube, &ids[i]),
                      TRV_OK);
    }
    for (int i = 0; i < steps; i++)
        expect_result(trv_world_step(world, 1.0f / 60.0f, 1), TRV_OK);
    return world;
}

static void of_many_equally_near_the_lowest_is_told_from_however_far(void **state)
{
    (void)state;
    static trv_shape_id ids[FIELD + 1];
    test_random random = {17};
    for (int kind = 0; kind < 4; kind++) {
        int count = FIELD + kind % 2, inside = 0;
        trv_world *world = make_field(ids, kind % 2 == 1, kind / 2);
        for (int round = 0; round < 60; round++) {
            float half = 0.5f * (float)(random_bits(&random) % 5);
            trv_vec3 point = {(float)(int)random_float(&random, -3, 15) + half, half,
                              (float)(int)random_float(&random, -3, 15)};
            float nearest = INFINITY;
            int lowest = -1;
            for (int i = 0; i < count; i++) {
                trv_world_gap one;
                expect_result(trv_shape_closest(world, ids[i], point, &one), TRV_OK);
                if (one.distance < nearest) {
                    nearest = one.distance;
                    lowest = i;
                }
            }
            inside += nearest < 0.0f;
            const float reaches[] = {nearest, nearest + 0.3f, 20.0f, 1.0e4f, TRV_COORD_MAX};
            for (int k = 0; k < 5; k++) {
                trv_world_gap gap;
                float reach = fmaxf(reaches[k], 0.0f);
                expect_result(trv_world_closest_to_point(world, point, reach, NULL, &gap), TRV_OK);
                assert_true(gap.found);
                expect_near(gap.distance, nearest, 0);
                assert_int_equal(gap.shape.index1, ids[lowest].index1);
            }
        }
        assert_true(inside > 3);
        trv_world_destroy(world);
    }
}

static bool count_asked(void *context, trv_shape_id shape, uint64_t user)
{
    (void)shape;
    (void)user;
    (*(int *)context)++;
    return true;
}

static void what_is_near_is_looked_at_before_what_is_far(void **state)
{
    (void)state;
    static trv_shape_id ids[FIELD + 1];
    for (int floor = 0; floor < 2; floor++) {
        trv_world *world = make_field(ids, floor == 1, 1);
        trv_query query = trv_default_query();
        int asked = 0;
        query.accept = count_asked;
        query.context = &asked;
        trv_world_gap gap;
        trv_vec3 corner = {-0.7f, 0.3f, -0.7f};
        expect_result(trv_world_closest_to_point(world, corner, 1.0e4f, &query, &gap), TRV_OK);
        // In the order of their numbers it would be one of each layer, row and column, and more.
        assert_in_range(asked, 1, 8);
        trv_world_destroy(world);
    }
}

static void a_ray_and_a_cast_that_start_inside_several_tell_the_lowest(void **state)
{
    (void)state;
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    trv_shape_def shape = trv_default_shape_def();
    trv_shape_id first = {0, 0, 0};
    for (int i = 0; i < 40; i++) { // the first ten hold the start, the others are on the way
        trv_body_def at = trv_default_body_def();
        trv_body_id body;
        trv_shape_id id;
        trv_shape solid = ball(1.0f);
        at.kind = TRV_BODY_STATIC;
        at.position =
            trv_make_vec3(1000.0f + (i < 10 ? 0.05f * (float)(9 - i) : 3.0f * (float)i), 0, 0);
        expect_result(trv_body_create(world, &at, &body), TRV_OK);
        expect_result(trv_shape_create(world, body, &shape, &solid, &id), TRV_OK);
        first = i == 0 ? id : first;
    }
    for (int stepped = 0; stepped < 2; stepped++) {
        trv_world_hit hit;
        trv_vec3 start = {1000, 0, 0}, far = {500, 0, 0}, nowhere = {0, 0, 0};
        for (int moves = 0; moves < 2; moves++) {
            trv_ray ray = {start, moves ? far : nowhere};
            expect_result(trv_world_ray_closest(world, ray, NULL, &hit), TRV_OK);
            assert_true(hit.hit && hit.start && hit.fraction == 0.0f);
            assert_int_equal(hit.shape.index1, first.index1);
            trv_shape mover = ball(0.25f);
            trv_motion motion = trv_make_motion(trv_make_pose(start));
            motion.travel = ray.travel;
            expect_result(trv_world_cast_closest(world, &mover, &motion, NULL, &hit), TRV_OK);
            assert_true(hit.hit && hit.start && hit.fraction == 0.0f);
            assert_int_equal(hit.shape.index1, first.index1);
        }
        expect_result(trv_world_step(world, 1.0f / 60.0f, 1), TRV_OK);
    }
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_many_equally_near_the_lowest_is_told_from_however_far),
        cmocka_unit_test(what_is_near_is_looked_at_before_what_is_far),
        cmocka_unit_test(a_ray_and_a_cast_that_start_inside_several_tell_the_lowest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
