// What other engines drop, crash on, or forget to tell: each case is one that a program has met.
#include "world_support.h"

#include <trivet/mesh.h>
#include <trivet/query.h>

static uint32_t contacts_of(trv_world *world)
{
    uint32_t count;
    expect_result(trv_world_contacts(world, NULL, 0, &count), TRV_OK);
    return count;
}

static void a_slab_on_256_tiles_touches_256_tiles_at_once(void **state)
{
    (void)state;
    for (int bodies = 0; bodies < 2; bodies++) { // tiles of one body, or a body each
        trv_world *world = make_world();
        trv_body_id all = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
        for (int i = 0; i < 256; i++) {
            trv_vec3 at = {(float)(i % 16) - 7.5f, -0.5f, (float)(i / 16) - 7.5f};
            trv_obb tile = {at, {0.49f, 0.5f, 0.49f}, trv_identity_quat()};
            trv_body_id body = bodies ? add_body(world, TRV_BODY_STATIC, at) : all;
            add_shape(world, body, bodies ? cube(0.49f) : trv_make_placed_box(tile));
        }
        trv_body_id slab = add_dynamic(world, trv_make_vec3(0, bodies ? 0.49f : 0.5f, 0),
                                       trv_make_box(trv_make_vec3(8, 0.5f, 8)));
        step_world(world, 1);
        assert_int_equal(trv_world_events(world).begin_count, 256);
        assert_int_equal(contacts_of(world), 256);
        step_world(world, 60);
        assert_int_equal(contacts_of(world), 256);
        expect_near(position_of(world, slab).y, bodies ? 0.49 : 0.5, 0.002);
        expect_result(trv_body_destroy(world, slab), TRV_OK);
        step_world(world, 1);
        assert_int_equal(trv_world_events(world).end_count, 256);
        trv_world_destroy(world);
    }
}

static trv_hull *make_prism_of(int sides, float twist)
{
    static trv_vec3 points[2048];
    for (int i = 0; i < sides; i++) {
        double angle = 2.0 * 3.14159265358979 * ((double)i + twist) / sides;
        points[2 * i] = trv_make_vec3((float)cos(angle), -0.5f, (float)sin(angle));
        points[2 * i + 1] = points[2 * i];
        points[2 * i + 1].y = 0.5f;
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(points, 2 * (uint32_t)sides, &def, &hull), TRV_OK);
    return hull;
}

static void prisms_of_any_number_of_sides_half_a_step_twisted_stack(void **state)
{
    (void)state;
    const int sides[] = {32, 33, 63, 64, 65, 200, 1000};
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        trv_world *world = make_world();
        trv_hull *straight = make_prism_of(sides[s], 0.0f),
                 *twisted = make_prism_of(sides[s], 0.5f);
        add_ground(world);
        trv_body_id low = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), trv_make_hull(straight));
        trv_body_id high = add_dynamic(world, trv_make_vec3(0, 1.5f, 0), trv_make_hull(twisted));
        step_world(world, 90);
        expect_near(position_of(world, low).y, 0.5, 0.003);
        expect_near(position_of(world, high).y, 1.5, 0.005);
        expect_near(position_of(world, high).x, 0, 0.01);
        trv_contact contacts[2];
        uint32_t count;
        expect_result(trv_world_contacts(world, contacts, 2, &count), TRV_OK);
        assert_int_equal(count, 2);
        for (int c = 0; c < 2; c++) {
            expect_near(fabsf(contacts[c].manifold.normal.y), 1, 1e-3);
            assert_true(contacts[c].manifold.count >= 3);
        }
        trv_hull_release(straight);
        trv_hull_release(twisted);
        trv_world_destroy(world);
    }
}

static void misuse_gets_a_result_code_and_the_world_goes_on(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f)), id;
    trv_shape_def def = trv_default_shape_def(), zero_shape, heavy = def;
    trv_body_def zero_body, bad_body = trv_default_body_def();
    trv_world_def zero_world;
    trv_shape null_hull = trv_make_hull(NULL), shrunk = ball(-1), good = ball(1), no_shape;
    trv_shape null_compound = trv_make_compound(NULL), wild = good;
    trv_shape_id shape;
    trv_world *other;
    trv_compound_part part;
    memset(&zero_shape, 0, sizeof zero_shape);
    memset(&zero_body, 0, sizeof zero_body);
    memset(&zero_world, 0, sizeof zero_world);
    memset(&no_shape, 0, sizeof no_shape);
    wild.kind = (trv_shape_kind)77;
    heavy.material.density = -1;
    bad_body.position.x = NAN;
    expect_result(trv_shape_create(world, body, &def, &null_hull, &shape), TRV_ERROR_NULL);
    expect_result(trv_shape_create(world, body, &def, &null_compound, &shape), TRV_ERROR_NULL);
    expect_result(trv_shape_create(world, body, &def, &shrunk, &shape), TRV_ERROR_RANGE);
    expect_result(trv_shape_create(world, body, &def, &no_shape, &shape), TRV_ERROR_KIND);
    expect_result(trv_shape_create(world, body, &def, &wild, &shape), TRV_ERROR_KIND);
    expect_result(trv_shape_create(world, body, &heavy, &good, &shape), TRV_ERROR_RANGE);
    expect_result(trv_shape_create(world, body, &zero_shape, &good, &shape), TRV_ERROR_DEF);
    expect_result(trv_body_create(world, &zero_body, &id), TRV_ERROR_DEF);
    expect_result(trv_body_create(world, &bad_body, &id), TRV_ERROR_NUMBER);
    expect_result(trv_world_create(&zero_world, &other), TRV_ERROR_DEF);
    trv_pose nowhere = trv_make_pose(trv_make_vec3(0, NAN, 0));
    expect_result(trv_body_set_pose(world, body, nowhere), TRV_ERROR_NUMBER);
    expect_result(trv_compound_part_get(NULL, 0, &part), TRV_ERROR_NULL);
    step_world(world, 10);
    expect_near(position_of(world, body).y, 0.5, 0.002);
    expect_result(trv_body_destroy(world, body), TRV_OK);
    expect_result(trv_body_destroy(world, body), TRV_ERROR_STALE);
    expect_result(trv_shape_create(world, body, &def, &good, &shape), TRV_ERROR_STALE);
    step_world(world, 10);
    trv_world_destroy(world);
}

// Dynamics left out: everything is placed by hand.
static void things_moved_by_hand_have_contacts_and_events(void **state)
{
    (void)state;
    const trv_body_kind kinds[] = {TRV_BODY_STATIC, TRV_BODY_KINEMATIC};
    for (int asked = 0; asked < 2; asked++)
        for (int stepped = 0; stepped < 2; stepped++)
            for (int pair = 0; pair < 3; pair++) {
                trv_world *world = make_world();
                trv_body_id a = add_body(world, kinds[pair > 0], trv_make_vec3(0, 0, 0));
                trv_body_id b = add_body(world, kinds[pair > 1], trv_make_vec3(9, 0, 0));
                trv_shape_def def = trv_default_shape_def();
                trv_shape shape = cube(0.5f);
                trv_shape_id id;
                def.by_hand = asked != 0;
                expect_result(trv_shape_create(world, a, &def, &shape, &id), TRV_OK);
                add_shape(world, b, shape);
                uint32_t begins = 0, ends = 0;
                for (int i = 0; i < 40; i++) {
                    float x = 2.0f - 0.1f * (float)i; // through A, from one side to the other
                    expect_result(
                        trv_body_set_pose(world, b, trv_make_pose(trv_make_vec3(x, 0, 0.1f))),
                        TRV_OK);
                    expect_result(stepped ? trv_world_step(world, 1.0f / 60.0f, 4)
                                          : trv_world_collide(world),
                                  TRV_OK);
                    begins += trv_world_events(world).begin_count;
                    ends += trv_world_events(world).end_count;
                    trv_contact contact;
                    uint32_t count, of_body;
                    expect_result(trv_world_contacts(world, &contact, 1, &count), TRV_OK);
                    expect_result(trv_body_contacts(world, a, NULL, 0, &of_body), TRV_OK);
                    assert_int_equal(count, asked && fabsf(x) < 1.0001f);
                    assert_int_equal(of_body, count);
                    if (count > 0 && fabsf(x) > 0.5f)
                        expect_near(contact.manifold.points[0].separation, fabsf(x) - 1, 1e-5);
                    expect_near(position_of(world, b).x, x, 0);
                }
                assert_int_equal(begins, asked);
                assert_int_equal(ends, asked);
                trv_world_destroy(world);
            }
}

static void contacts_of_dynamic_bodies_can_be_had_without_a_step(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id bodies[10];
    for (int i = 0; i < 10; i++)
        bodies[i] = add_dynamic(world, trv_make_vec3(0, 0.5f + (float)i, 0), cube(0.5f));
    expect_result(trv_body_set_linear_velocity(world, bodies[3], trv_make_vec3(0, -50, 0)), TRV_OK);
    expect_result(trv_world_collide(world), TRV_OK);
    assert_int_equal(contacts_of(world), 10);
    assert_int_equal(trv_world_events(world).begin_count, 10);
    expect_result(trv_world_collide(world), TRV_OK);
    trv_events events = trv_world_events(world);
    assert_int_equal(events.begin_count + events.end_count + events.hit_count, 0);
    assert_int_equal(events.move_count, 0);
    for (int i = 0; i < 10; i++)
        expect_near(position_of(world, bodies[i]).y, 0.5f + (float)i, 0);
    expect_near(velocity_of(world, bodies[3]).y, -50, 0);
    expect_result(trv_body_set_pose(world, bodies[9], trv_make_pose(trv_make_vec3(5, 9, 0))),
                  TRV_OK);
    expect_result(trv_world_collide(world), TRV_OK);
    assert_int_equal(trv_world_events(world).end_count, 1);
    trv_world_destroy(world);
}

static void casts_that_start_close_and_move_away_do_not_hit(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id floor = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0));
    add_shape(world, floor, trv_make_box(trv_make_vec3(100, 1, 100)));
    add_ground(world);
    test_random random = {12};
    int hits = 0;
    for (int i = 0; i < 500; i++) {
        trv_shape mover = i % 2 ? ball(0.5f) : cube(0.5f);
        float gap = powf(10.0f, random_float(&random, -7, -1)) * (i % 5 ? 1.0f : 0.0f);
        trv_motion motion = trv_make_motion(
            trv_make_pose(trv_make_vec3(random_float(&random, -9, 9), 0.5f + gap, 0)));
        motion.travel = random_vec3(&random, 10.0f);
        trv_world_hit hit;
        motion.travel.y = fabsf(motion.travel.y) + 0.01f;
        expect_result(trv_world_cast_closest(world, &mover, &motion, NULL, &hit), TRV_OK);
        assert_false(hit.hit);
        motion.travel.y = -motion.travel.y - gap;
        expect_result(trv_world_cast_closest(world, &mover, &motion, NULL, &hit), TRV_OK);
        hits += hit.hit;
    }
    assert_int_equal(hits, 500);
    trv_world_destroy(world);
}

static void nothing_runs_out_silently(void **state)
{
    (void)state;
    // More pairs than the world may hold: the step says so, nothing moves, and fewer bodies go on.
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    trv_body_id bodies[20];
    def.max_contacts = 64;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    for (int i = 0; i < 20; i++)
        bodies[i] = add_dynamic(world, trv_make_vec3(0.01f * (float)i, 0, 0), ball(0.5f));
    expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_ERROR_LIMIT);
    expect_result(trv_world_collide(world), TRV_ERROR_LIMIT);
    expect_near(position_of(world, bodies[3]).x, 0.03, 1e-6);
    for (int i = 8; i < 20; i++)
        expect_result(trv_body_destroy(world, bodies[i]), TRV_OK);
    step_world(world, 1);
    assert_int_equal(contacts_of(world), 28);
    trv_world_destroy(world);
}

static void a_thousand_parts_in_one_compound_are_all_there(void **state)
{
    (void)state;
    static trv_compound_part parts[1024];
    for (int i = 0; i < 1024; i++)
        parts[i] = (trv_compound_part){
            ball(0.5f), trv_make_pose(trv_make_vec3((float)(i % 32), 0, (float)(i / 32)))};
    trv_compound_def def = trv_default_compound_def();
    trv_compound *compound;
    expect_result(trv_compound_create(parts, 1024, &def, &compound), TRV_OK);
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.5f, 0));
    add_shape(world, body, trv_make_compound(compound));
    trv_compound_release(compound);
    step_world(world, 1);
    assert_int_equal(contacts_of(world), 1024);
    expect_result(trv_body_destroy(world, body), TRV_OK);
    step_world(world, 1);
    assert_int_equal(trv_world_events(world).end_count, 1024);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slab_on_256_tiles_touches_256_tiles_at_once),
        cmocka_unit_test(prisms_of_any_number_of_sides_half_a_step_twisted_stack),
        cmocka_unit_test(misuse_gets_a_result_code_and_the_world_goes_on),
        cmocka_unit_test(things_moved_by_hand_have_contacts_and_events),
        cmocka_unit_test(contacts_of_dynamic_bodies_can_be_had_without_a_step),
        cmocka_unit_test(casts_that_start_close_and_move_away_do_not_hit),
        cmocka_unit_test(nothing_runs_out_silently),
        cmocka_unit_test(a_thousand_parts_in_one_compound_are_all_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
