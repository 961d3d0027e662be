// How far contacts are looked for: as far as the surfaces may come nearer in a step, and no farther.
#include "world_support.h"

static void set_velocity(trv_world *world, trv_body_id body, trv_vec3 velocity, trv_vec3 spin)
{
    expect_result(trv_body_set_velocity(world, body, velocity, spin), TRV_OK);
}

static trv_vec3 none(void)
{
    return trv_make_vec3(0, 0, 0);
}

// Two cubes with a tenth of a metre between them along x, without weight.
static trv_world *make_two(trv_vec3 velocity_a, trv_vec3 velocity_b)
{
    trv_world *world = make_empty_space();
    trv_body_id a = add_dynamic(world, none(), cube(0.5f));
    trv_body_id b = add_dynamic(world, trv_make_vec3(1.1f, 0, 0), cube(0.5f));
    set_velocity(world, a, velocity_a, none());
    set_velocity(world, b, velocity_b, none());
    step_world(world, 2);
    return world;
}

// Of the only contact that there may be.
static uint32_t points_of(const trv_world *world)
{
    return world->live_contacts > 0 ? trvi_contacts(world)->manifold.count : 0;
}

static void what_flies_side_by_side_has_no_manifold(void **state)
{
    (void)state;
    const trv_vec3 ways[] = {{0, 10, 0}, {4, 0, 0}, {-2, 3, 8}};
    for (int i = 0; i < 3; i++) {
        trv_world *world = make_two(ways[i], ways[i]);
        for (int step = 0; step < 20; step++) {
            step_world(world, 1);
            assert_int_equal(points_of(world), 0);
        }
        trv_world_destroy(world);
    }
}

// Where it is as fast as that, the one behind would be upon the other if this were stopped.
static void what_flies_close_behind_has_a_manifold(void **state)
{
    (void)state;
    const trv_vec3 ways[] = {{10, 0, 0}, {-6, 3, 8}};
    for (int i = 0; i < 2; i++) {
        trv_world *world = make_two(ways[i], ways[i]);
        step_world(world, 1);
        assert_int_equal(points_of(world), 4);
        expect_near(trvi_contacts(world)->manifold.points[0].separation, 0.1, 1e-5);
        trv_world_destroy(world);
    }
}

// As above, but nothing stops what is moved by hand.
static void what_follows_a_mover_has_none(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id mover = add_body(world, TRV_BODY_KINEMATIC, none());
    add_shape(world, mover, cube(0.5f));
    trv_body_id body = add_dynamic(world, trv_make_vec3(-1.1f, 0, 0), cube(0.5f));
    set_velocity(world, mover, trv_make_vec3(-10, 0, 0), none());
    set_velocity(world, body, trv_make_vec3(-10, 0, 0), none());
    step_world(world, 3);
    assert_int_equal(points_of(world), 4); // the body may be stopped
    set_velocity(world, mover, trv_make_vec3(10, 0, 0), none());
    set_velocity(world, body, trv_make_vec3(10, 0, 0), none());
    step_world(world, 3);
    assert_int_equal(points_of(world), 0);
    trv_world_destroy(world);
}

// In the step in which the lowest lands, the others are upon it.
static void what_falls_in_a_column_lands_on_itself(void **state)
{
    (void)state;
    static const struct {
        float gap, height;
        int rate;
    } cases[] = {{0.1f, 5, 30}, {0.02f, 5, 60}, {0.1f, 2, 60}, {0.05f, 1, 20}};
    for (int i = 0; i < 4; i++) {
        trv_body_id bodies[10];
        trv_world *world = make_world();
        add_ground(world);
        for (int k = 0; k < 10; k++)
            bodies[k] = add_dynamic(
                world, trv_make_vec3(0, cases[i].height + 0.5f + (1 + cases[i].gap) * (float)k, 0),
                cube(0.5f));
        for (int step = 0; step < 3 * cases[i].rate; step++) {
            expect_result(trv_world_step(world, 1.0f / (float)cases[i].rate, 4), TRV_OK);
            for (int k = 1; k < 10; k++) {
                float apart = position_of(world, bodies[k]).y - position_of(world, bodies[k - 1]).y;
                if (!(apart > 0.995f))
                    fail_msg("case %d: %g m deep", i, 1.0 - (double)apart);
            }
        }
        expect_near(position_of(world, bodies[9]).y, 9.5, 0.002);
        trv_world_destroy(world);
    }
}

static void what_passes_or_parts_has_no_manifold(void **state)
{
    (void)state;
    const trv_vec3 ways[][2] = {{{0, 5, 0}, {0, -5, 0}}, {{-3, 0, 0}, {3, 0, 0}}};
    for (int i = 0; i < 2; i++) {
        trv_world *world = make_two(ways[i][0], ways[i][1]);
        assert_int_equal(points_of(world), 0);
        trv_world_destroy(world);
    }
}

static void what_closes_in_has_a_manifold_before_it_touches(void **state)
{
    (void)state;
    trv_world *world = make_two(trv_make_vec3(1, 0, 0), trv_make_vec3(-0.5f, 0, 0));
    for (int step = 0; step < 8 && points_of(world) == 0; step++) {
        const trvi_body *bodies = trvi_bodies(world);
        float gap = bodies[1].position.x - bodies[0].position.x - 1.0f;
        assert_true(gap > 0.02f); // so that there is none yet
        step_world(world, 1);
    }
    assert_int_equal(points_of(world), 4);
    assert_true(trvi_contacts(world)->manifold.points[0].separation > 0.0f);
    trv_world_destroy(world);
}

// It is long, and only its ends go fast.
static void what_turns_towards_another_has_a_manifold(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id plank = add_dynamic(world, none(), trv_make_box(trv_make_vec3(2, 0.1f, 0.1f)));
    trv_body_id block = add_dynamic(world, trv_make_vec3(1.9f, 0.35f, 0), cube(0.15f));
    set_velocity(world, block, none(), none());
    step_world(world, 2);
    assert_int_equal(points_of(world), 0);
    set_velocity(world, plank, none(), trv_make_vec3(0, 0, 2)); // 3.8 m/s there, for .1 m
    step_world(world, 1);
    assert_int_equal(points_of(world), 0);
    step_world(world, 1);
    assert_true(points_of(world) > 0);
    assert_true(trvi_contacts(world)->manifold.points[0].separation > 0.0f);
    trv_world_destroy(world);
}

static trv_vec3 random_vector(test_random *random, float most)
{
    float x = random_float(random, -most, most), y = random_float(random, -most, most);
    return trv_make_vec3(x, y, random_float(random, -most, most));
}

// How far apart the two of the world are.
static float distance_between(trv_world *world)
{
    trv_gap gap;
    const trvi_shape *shapes = trvi_shapes(world);
    const trvi_body *bodies = trvi_bodies(world);
    expect_result(
        trv_distance(&shapes[0].solid, bodies[0].frame, &shapes[1].solid, bodies[1].frame, &gap),
        TRV_OK);
    return gap.distance;
}

// Two boxes of any shape near one another, on any way; a placed one among them.
static trv_world *make_encounter(test_random *random)
{
    trv_world *world = make_empty_space();
    for (int i = 0; i < 2; i++) {
        trv_body_def def = trv_default_body_def();
        trv_body_id body;
        trv_vec3 axis = random_vector(random, 1.0f), half = random_vector(random, 0.4f);
        half = trv_make_vec3(0.5f + half.x, 0.5f + half.y, 0.5f + half.z);
        trv_obb box = {none(), half, trv_quat_about(random_vector(random, 1.0f), i == 0)};
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trvi_scale(random_vector(random, 1.0f), i == 0 ? 0.0f : 1.6f);
        def.rotation = trv_quat_about(axis, random_float(random, 0, 3));
        def.linear_velocity = random_vector(random, 6.0f);
        def.angular_velocity = random_vector(random, 3.0f);
        expect_result(trv_body_create(world, &def, &body), TRV_OK);
        add_shape(world, body, trv_make_placed_box(box));
    }
    return world;
}

// What has no points at the beginning of a step flies on in it, and must not have met by its end.
static void nothing_meets_without_a_manifold(void **state)
{
    (void)state;
    test_random random = {11};
    int without = 0, with = 0, near = 0;
    for (int i = 0; i < 3000; i++) {
        trv_world *world = make_encounter(&random);
        bool apart = distance_between(world) > 0.0f;
        for (int step = 0; step < 8 && apart; step++) {
            step_world(world, 1);
            if (world->live_contacts == 0)
                break;
            if (points_of(world) > 0) {
                with++;
                break;
            }
            float distance = distance_between(world);
            assert_true(distance > 0.0f);
            without++;
            near += distance < 0.15f; // either goes farther than that in a step
        }
        trv_world_destroy(world);
    }
    assert_true(without > 1000 && with > 300 && near > 100);
}

// Cubes with gaps of half their size, still or trembling: none is looked at, however small they are.
static void small_things_are_not_pairs_from_afar(void **state)
{
    (void)state;
    enum { SIDE = 4, CUBES = SIDE * SIDE * SIDE };
    const float sizes[] = {1, 0.3f, 0.1f, 0.03f, 0.003f};
    test_random random = {11};
    for (int i = 0; i < 5; i++) {
        float size = sizes[i], pitch = 1.5f * size;
        trv_world *world = make_empty_space();
        trv_body_id cubes[CUBES];
        for (int k = 0; k < CUBES; k++) {
            trv_vec3 at = {pitch * (float)(k % SIDE), pitch * (float)(k / SIDE % SIDE),
                           pitch * (float)(k / SIDE / SIDE)};
            cubes[k] = add_dynamic(world, at, cube(0.5f * size));
        }
        for (int step = 0; step < 20; step++) {
            for (int k = 0; k < CUBES; k++)
                set_velocity(world, cubes[k], random_vec3(&random, 0.1f * size), none());
            step_world(world, 1);
            assert_int_equal(world->live_contacts, 0);
        }
        trv_world_destroy(world);
    }
}

// The direction that is known of a pair is part of the state.
static void a_restored_world_finds_the_same_manifolds(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 100; i++) {
        uint64_t hashes[2];
        uint32_t points[2] = {0, 0};
        trv_world *world = make_encounter(&random);
        step_world(world, 2);
        size_t size, capacity = trv_world_save_size(world);
        void *save = malloc(capacity);
        assert_non_null(save);
        expect_result(trv_world_save(world, save, capacity, &size), TRV_OK);
        for (int run = 0; run < 2; run++) {
            for (int step = 0; step < 6; step++) {
                step_world(world, 1);
                if (world->live_contacts > 0)
                    points[run] = 31 * points[run] + points_of(world);
            }
            hashes[run] = trv_world_hash(world);
            expect_result(trv_world_restore(world, save, size), TRV_OK);
        }
        assert_true(hashes[0] == hashes[1]);
        assert_int_equal(points[0], points[1]);
        free(save);
        trv_world_destroy(world);
    }
}

// Five stand in a row, and the first is hit: each sends the next one on its way within the same step,
// against one that nobody expected it to meet.
static void rows_that_are_hit_do_not_enter_one_another(void **state)
{
    (void)state;
    const float halves[] = {0.05f, 0.15f, 0.5f}, gaps[] = {0.1f, 0.15f, 0.2f, 0.3f};
    const float speeds[] = {30, 60, 100};
    for (int i = 0; i < 36; i++) {
        float half = halves[i / 12], gap = gaps[i / 3 % 4] * half, speed = speeds[i % 3] * half;
        trv_world *world = make_world();
        add_ground(world);
        trv_body_id row[5];
        for (int k = 0; k < 5; k++)
            row[k] =
                add_dynamic(world, trv_make_vec3((float)k * (2 * half + gap), half, 0), cube(half));
        trv_vec3 along = trv_make_vec3(speed, 0, 0), none = trv_make_vec3(0, 0, 0);
        expect_result(trv_body_set_velocity(world, row[0], along, none), TRV_OK);
        for (int s = 0; s < 30; s++) {
            step_world(world, 1);
            for (int k = 0; k < 4; k++) {
                float apart = position_of(world, row[k + 1]).x - position_of(world, row[k]).x;
                assert_true(apart - 2 * half > -0.12f * half);
            }
        }
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_flies_side_by_side_has_no_manifold),
        cmocka_unit_test(what_flies_close_behind_has_a_manifold),
        cmocka_unit_test(what_follows_a_mover_has_none),
        cmocka_unit_test(what_falls_in_a_column_lands_on_itself),
        cmocka_unit_test(what_passes_or_parts_has_no_manifold),
        cmocka_unit_test(what_closes_in_has_a_manifold_before_it_touches),
        cmocka_unit_test(what_turns_towards_another_has_a_manifold),
        cmocka_unit_test(nothing_meets_without_a_manifold),
        cmocka_unit_test(small_things_are_not_pairs_from_afar),
        cmocka_unit_test(a_restored_world_finds_the_same_manifolds),
        cmocka_unit_test(rows_that_are_hit_do_not_enter_one_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
