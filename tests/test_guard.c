// The guard: whatever thin and fast things do to one another and to thin walls, none gets through.
#include "world_support.h"

#include <trivet/mesh.h>

#include "world/world_data.h"

enum { BODIES = 10, KINDS = 6 };

#define HALF 1.5f

static trv_hull *make_tetrahedron(void)
{
    const trv_vec3 corners[] = {
        {0.1f, -0.05f, -0.05f}, {-0.1f, -0.05f, -0.05f}, {0, -0.05f, 0.1f}, {0, 0.12f, 0}};
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(corners, 4, &def, &hull), TRV_OK);
    return hull;
}

static void fill(trv_world *world, trv_body_id body, int kind)
{
    trv_hull *hull;
    switch (kind) {
    case 0: // a board
        add_shape(world, body, trv_make_box(trv_make_vec3(0.3f, 0.005f, 0.05f)));
        break;
    case 1: // a rod
        add_shape(world, body,
                  trv_make_capsule(trv_make_vec3(-0.25f, 0, 0), trv_make_vec3(0.25f, 0, 0), 0.01f));
        break;
    case 2: // a plate of 2 mm
        add_shape(world, body, trv_make_box(trv_make_vec3(0.15f, 0.001f, 0.15f)));
        break;
    case 3:
        hull = make_tetrahedron();
        add_shape(world, body, trv_make_hull(hull));
        trv_hull_release(hull);
        break;
    case 4: // a dumb-bell
        add_shape(world, body, trv_make_box(trv_make_vec3(0.2f, 0.01f, 0.01f)));
        add_shape(world, body, trv_make_sphere(trv_make_vec3(0.2f, 0, 0), 0.05f));
        add_shape(world, body, trv_make_sphere(trv_make_vec3(-0.2f, 0, 0), 0.05f));
        break;
    default:
        add_shape(world, body, ball(0.005f));
    }
}

// A wall across an axis at a distance, all of it on one body or on one of its own.
static void add_wall(trv_world *world, trv_body_id body, int axis, float at, float thin)
{
    float half[3] = {HALF, HALF, HALF}, center[3] = {0, 0, 0};
    half[axis] = thin;
    center[axis] = at;
    trv_shape wall = trv_make_box(trv_make_vec3(half[0], half[1], half[2]));
    wall.as.box.center = trv_make_vec3(center[0], center[1], center[2]);
    add_shape(world, body, wall);
}

// Fast bodies within six thin walls, which stand, or fly with what is in them; counts those that
// leave.
static int count_lost(int kind, trv_body_kind walls, float speed, float thin, uint64_t seed)
{
    test_random random = {seed};
    trv_world *world = make_world();
    trv_body_id box = add_body(world, walls, trv_make_vec3(0, 0, 0)), bodies[BODIES];
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2)
            add_wall(world, box, axis, (HALF + thin) * (float)side, thin);
    for (int i = 0; i < BODIES; i++) {
        trv_body_def def = trv_default_body_def();
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trv_make_vec3(-1 + 0.22f * (float)i, 0.3f * (float)(i % 3), 0);
        def.linear_velocity = random_vec3(&random, speed);
        def.angular_velocity = random_vec3(&random, 50);
        expect_result(trv_body_create(world, &def, &bodies[i]), TRV_OK);
        fill(world, bodies[i], kind < KINDS ? kind : i % KINDS);
    }
    int lost = 0;
    for (int s = 0; s < 20; s++)
        expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_OK);
    trv_pose frame;
    expect_result(trv_body_pose(world, box, &frame), TRV_OK);
    for (int i = 0; i < BODIES; i++) {
        trv_pose pose;
        expect_result(trv_body_pose(world, bodies[i], &pose), TRV_OK);
        trv_vec3 at = trv_pose_apply_inverse(frame, pose.position);
        lost += !(fabsf(at.x) < HALF + 2 * thin && fabsf(at.y) < HALF + 2 * thin &&
                  fabsf(at.z) < HALF + 2 * thin);
    }
    trv_world_destroy(world);
    return lost;
}

static void nothing_leaves_a_box_of_thin_walls(void **state)
{
    (void)state;
    for (int kind = 0; kind <= KINDS; kind++)
        assert_int_equal(count_lost(kind, TRV_BODY_STATIC, 200, 0.0005f, 2), 0);
}

static void nothing_leaves_a_box_that_it_throws_about(void **state)
{
    (void)state;
    for (int kind = 0; kind <= KINDS; kind++)
        assert_int_equal(count_lost(kind, TRV_BODY_DYNAMIC, 800, 0.005f, 3), 0);
}

static void nothing_leaves_a_thin_box_that_it_moves(void **state)
{
    (void)state;
    for (int kind = 0; kind <= KINDS; kind++)
        assert_int_equal(count_lost(kind, TRV_BODY_DYNAMIC, 50, 0.001f, 5), 0);
}

static trv_body_id add_hand(trv_world *world, trv_vec3 at, trv_vec3 speed)
{
    trv_body_id hand = add_body(world, TRV_BODY_KINEMATIC, at);
    add_shape(world, hand, trv_make_box(trv_make_vec3(0.001f, 2, 2)));
    expect_result(trv_body_set_velocity(world, hand, speed, trv_make_vec3(0, 0, 0)), TRV_OK);
    return hand;
}

static void what_is_moved_by_hand_takes_along_whom_it_meets(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (float speed = 20; speed <= 500; speed *= 5) {
            trv_world *world = make_empty_space();
            trv_body_id hand = add_hand(world, trv_make_vec3(-1, 0, 0), trv_make_vec3(speed, 0, 0));
            trv_body_id met = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
            fill(world, met, kind);
            expect_result(trv_body_set_velocity(world, met, trv_make_vec3(-0.5f * speed, 0, 0),
                                                trv_make_vec3(10, 20, 30)),
                          TRV_OK);
            for (int s = 0; s < 12; s++) {
                expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_OK);
                assert_true(position_of(world, met).x > position_of(world, hand).x);
            }
            trv_world_destroy(world);
        }
}

static void what_is_squeezed_does_not_leave_through_what_stands(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        trv_world *world = make_empty_space();
        trv_body_id wall = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0.5f, 0, 0));
        add_shape(world, wall, trv_make_box(trv_make_vec3(0.001f, 2, 2)));
        add_hand(world, trv_make_vec3(-1, 0, 0), trv_make_vec3(100, 0, 0));
        trv_body_id met = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
        fill(world, met, kind);
        for (int s = 0; s < 12; s++)
            expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_OK);
        assert_true(position_of(world, met).x < 0.5f);
        trv_world_destroy(world);
    }
}

// However it lies and wherever the hand comes from. What slips out sideways is past the wall's edge.
static void what_is_squeezed_stays_however_it_lies(void **state)
{
    (void)state;
    test_random random = {11};
    for (int i = 0; i < 18; i++) {
        trv_world *world = make_empty_space();
        float speed = i % 3 == 0 ? 20.0f : (i % 3 == 1 ? 100.0f : 300.0f);
        trv_body_id wall = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0.5f, 0, 0));
        add_shape(world, wall, trv_make_box(trv_make_vec3(0.001f, 2, 2)));
        float from = -0.8f - random_vec3(&random, 0.2f).x;
        add_hand(world, trv_make_vec3(from, 0, 0), trv_make_vec3(speed, 0, 0));
        trv_body_def def = trv_default_body_def();
        trv_body_id met;
        def.kind = TRV_BODY_DYNAMIC;
        def.rotation = random_turn(&random, 3);
        expect_result(trv_body_create(world, &def, &met), TRV_OK);
        fill(world, met, i / 3 % KINDS);
        for (int s = 0; s < 8 + (int)(300 / speed); s++) {
            expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_OK);
            trv_vec3 at = position_of(world, met);
            if (fabsf(at.y) > 1.8f || fabsf(at.z) > 1.8f)
                break;
            assert_true(at.x < 0.5f);
        }
        trv_world_destroy(world);
    }
}

// A closed box of thin walls, moved by hand.
static trv_body_id add_cup(trv_world *world, float inside, float wall)
{
    trv_body_id cup = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(0, 0, 0));
    for (int side = 0; side < 6; side++) {
        float at = side % 2 == 0 ? inside + wall : -inside - wall, wide = inside + 2 * wall;
        trv_vec3 center = {side / 2 == 0 ? at : 0, side / 2 == 1 ? at : 0, side / 2 == 2 ? at : 0};
        trv_vec3 half = {side / 2 == 0 ? wall : wide, side / 2 == 1 ? wall : wide,
                         side / 2 == 2 ? wall : wide};
        trv_obb box = {center, half, trv_identity_quat()};
        add_shape(world, cup, trv_make_placed_box(box));
    }
    return cup;
}

static void shake(trv_world *world, trv_body_id cup, double time, double rate, double way, float dt)
{
    const double pi = 3.14159265358979;
    trv_pose to;
    to.position = trv_make_vec3((float)(way * sin(2 * pi * rate * time)),
                                (float)(way * sin(2 * pi * 1.3 * rate * time)),
                                (float)(way * sin(2 * pi * 0.7 * rate * time)));
    to.rotation =
        trv_quat_about(trv_make_vec3(1, 0.3f, 0.2f), (float)(1.5 * sin(pi * rate * time)));
    expect_result(trv_body_move_to(world, cup, to, dt), TRV_OK);
    expect_result(trv_world_step(world, dt, 4), TRV_OK);
}

// Dice in a cup, among them balls: its walls come by several dice in a step, and turn; dice in a corner, and
// between others and a wall, are taken along by it.
static void nothing_leaves_a_cup_that_is_shaken(void **state)
{
    (void)state;
    enum { DICE = 27, SIDE = 3 };
    static const struct {
        float size, wall, dt;
        double rate, way; // Hz, sizes
    } cases[] = {{0.016f, 0.1f, 1.0f / 60.0f, 5, 4},
                 {0.03f, 0.02f, 1.0f / 60.0f, 4, 4},
                 {0.5f, 0.02f, 1.0f / 60.0f, 6, 6}};
    for (int i = 0; i < 3; i++) {
        test_random random = {(uint64_t)i + 3};
        float size = cases[i].size, inside = 3 * size;
        trv_world *world = make_world();
        trv_body_id cup = add_cup(world, inside, cases[i].wall * size), dice[DICE];
        for (int k = 0; k < DICE; k++) {
            trv_body_def def = trv_default_body_def();
            def.kind = TRV_BODY_DYNAMIC;
            def.position = trv_make_vec3(1.3f * size * ((float)(k % SIDE) - 1),
                                         1.3f * size * ((float)(k / SIDE / SIDE) - 1),
                                         1.3f * size * ((float)(k / SIDE % SIDE) - 1));
            def.rotation = random_turn(&random, 3);
            expect_result(trv_body_create(world, &def, &dice[k]), TRV_OK);
            add_shape(world, dice[k], k % 3 == 0 ? ball(0.4f * size) : cube(0.35f * size));
        }
        for (int s = 1; s <= 40; s++) {
            trv_pose at;
            shake(world, cup, s * (double)cases[i].dt, cases[i].rate, cases[i].way * (double)size,
                  cases[i].dt);
            expect_result(trv_body_pose(world, cup, &at), TRV_OK);
            for (int k = 0; k < DICE; k++) {
                trv_vec3 from = trvi_sub(position_of(world, dice[k]), at.position);
                trv_vec3 in_cup = trvi_rotate_inverse(at.rotation, from);
                expect_near(in_cup.x, 0, (double)inside);
                expect_near(in_cup.y, 0, (double)inside);
                expect_near(in_cup.z, 0, (double)inside);
            }
        }
        trv_world_destroy(world);
    }
}

enum { TOWER = 6, SEEN = TOWER + 2 };

// A heavy ball comes down on the end of a thin board, which is flung up: nothing was fast when the step
// began. A tower stands aside.
static trv_world *make_catapult(trv_body_id bodies[SEEN])
{
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id rest = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0.1f, 0));
    add_shape(world, rest, trv_make_box(trv_make_vec3(0.05f, 0.1f, 0.3f)));
    bodies[0] = add_dynamic(world, trv_make_vec3(0, 0.205f, 0),
                            trv_make_box(trv_make_vec3(1, 0.005f, 0.2f)));
    bodies[1] = add_dynamic(world, trv_make_vec3(0.9f, 0.6f, 0), ball(0.25f));
    for (int i = 0; i < TOWER; i++)
        bodies[2 + i] =
            add_dynamic(world, trv_make_vec3(5, 0.25f + 0.5f * (float)i, 0), cube(0.25f));
    return world;
}

// Two that fly along side by side, far from all else, and so fast that they have to be guarded from one
// another.
static void add_fast_pair(trv_world *world)
{
    for (int i = 0; i < 2; i++) {
        trv_body_id fast =
            add_dynamic(world, trv_make_vec3(-5000, 900, 0.23f * (float)i), ball(0.1f));
        expect_result(trv_body_set_linear_velocity(world, fast, trv_make_vec3(400, 0, 0)), TRV_OK);
    }
}

// Islands go through a step by themselves while nothing is far, and with all others where something is,
// here for the sake of bodies that fly by far away.
static void islands_end_alike_alone_and_with_others(void **state)
{
    (void)state;
    trv_body_id some[SEEN], same[SEEN];
    trv_world *world = make_catapult(some), *other = make_catapult(same);
    add_fast_pair(other);
    int guarded = 0, steps = 60;
    for (int s = 0; s < steps; s++) {
        expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_OK);
        expect_result(trv_world_step(other, 1.0f / 60.0f, 4), TRV_OK);
        guarded += world->guarded;
        assert_true(other->guarded);
        for (int i = 0; i < SEEN; i++) {
            trv_vec3 a = position_of(world, some[i]), b = position_of(other, same[i]);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    assert_in_range(guarded, 1, steps - 1);
    trv_world_destroy(other);
    trv_world_destroy(world);
}

enum { FLIERS = 40 };

static void add_fliers(trv_world *world, trv_body_id bodies[FLIERS])
{
    test_random random = {7};
    for (int i = 0; i < FLIERS; i++) {
        trv_body_def def = trv_default_body_def();
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trv_make_vec3(0, 0, 50.0f * (float)i);
        def.rotation = random_turn(&random, 3);
        def.angular_velocity = random_vec3(&random, i % 4 == 0 ? 40.0f : 4.0f);
        def.linear_damping = i % 5 == 0 ? 0.5f : 0.0f;
        expect_result(trv_body_create(world, &def, &bodies[i]), TRV_OK);
        fill(world, bodies[i], i % KINDS);
        trv_vec3 speed = {0, 8.0f * (float)(i % 3), i % 2 == 0 ? 200.0f : 0.5f};
        if (i % 2 == 0) // out of the others' way
            speed = trv_make_vec3(speed.z, speed.y, 0);
        expect_result(trv_body_set_linear_velocity(world, bodies[i], speed), TRV_OK);
    }
}

// Bodies with nothing near them need no guard however fast they are, nor sub-steps; the others do not
// change that, and it changes nothing for them.
static void who_flies_alone_ends_as_in_company(void **state)
{
    (void)state;
    trv_body_id some[FLIERS], same[FLIERS];
    trv_world *world = make_world(), *other = make_world();
    add_fliers(world, some);
    add_fliers(other, same);
    add_fast_pair(other);
    for (int s = 0; s < 60; s++) {
        expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_OK);
        expect_result(trv_world_step(other, 1.0f / 60.0f, 4), TRV_OK);
        assert_false(world->guarded || world->has_impacts);
        assert_true(other->guarded && other->has_impacts);
        assert_int_equal(trv_world_events(world).move_count, FLIERS);
        assert_int_equal(trv_world_events(other).move_count, FLIERS + 2);
        for (int i = 0; i < FLIERS; i++) {
            trv_pose a, b;
            expect_result(trv_body_pose(world, some[i], &a), TRV_OK);
            expect_result(trv_body_pose(other, same[i], &b), TRV_OK);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    trv_world_destroy(other);
    trv_world_destroy(world);
}

// A wall of two boxes side by side.
static void add_halves(trv_world *world, trv_body_id body, int axis, float at, float thin,
                       float half)
{
    for (int side = -1; side <= 1; side += 2) {
        float halves[3] = {half, half, half}, center[3] = {0, 0, 0};
        halves[axis] = thin;
        halves[(axis + 1) % 3] = half / 2;
        center[axis] = at;
        center[(axis + 1) % 3] = (float)side * half / 2;
        trv_obb box = {.center = {center[0], center[1], center[2]},
                       .half = {halves[0], halves[1], halves[2]},
                       .rotation = trv_identity_quat()};
        add_shape_of(world, body, trv_make_placed_box(box), 0.5f, 1);
    }
}

// Thrown about in a corner of walls that are of several shapes, it may come past the edge of one only by
// passing through another.
static void no_bullet_leaves_a_cage_whose_walls_are_of_parts(void **state)
{
    (void)state;
    const float room = 0.15f, radius = 0.05f, thins[] = {0.0005f, 0.005f, 0.05f};
    test_random random = {3};
    for (int i = 0; i < 300; i++) {
        trv_world *world = make_empty_space();
        trv_body_id cage = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
        float thin = thins[i % 3];
        for (int wall = 0; wall < 6; wall++) {
            float at = (wall % 2 ? 1.0f : -1.0f) * (room + thin);
            trv_body_id body = cage;
            if (i % 2)
                body = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
            add_halves(world, body, wall / 2, at, thin, room + 2 * thin);
        }
        float x = random_float(&random, -0.09f, 0.09f), z = random_float(&random, -0.09f, 0.09f);
        float y = random_float(&random, -0.01f, 0.01f), speed = random_float(&random, 50, 500);
        trv_vec3 at = {x, y, i % 4 < 2 ? z : x};
        trv_body_id bullet =
            add_moving(world, ball(radius), at, trv_make_vec3(speed, 0, speed), 0.5f, 1);
        for (int s = 0; s < 2; s++) {
            step_world(world, 1);
            trv_vec3 p = position_of(world, bullet);
            float far = fmaxf(fmaxf(fabsf(p.x), fabsf(p.y)), fabsf(p.z));
            if (!(far < room + thin)) // it may be deep in a thick wall, but not beyond its middle
                fail_msg("bullet %d is at %g %g %g", i, (double)p.x, (double)p.y, (double)p.z);
        }
        trv_world_destroy(world);
    }
}

// Thin splinters that spin on ice so fast that the solver knows none of their corners' ways: weight is borne all
// the same.
static void what_spins_on_ice_does_not_sink(void **state)
{
    (void)state;
    static const struct {
        trv_vec3 corners[5];
        trv_quat rotation;
        trv_vec3 velocity, spin;
    } throws[] = {
        {{{-0.055638f, 0.022588f, 0.004666f},
          {0.049455f, 0.007059f, -0.007553f},
          {0.086197f, -0.001777f, 0.003181f},
          {0.009199f, 0.018397f, 0.013798f},
          {-0.009199f, -0.018397f, -0.013798f}},
         {0.751422f, -0.116233f, 0.647414f, 0.052047f},
         {1.46529f, 0, 0},
         {-36.9592f, -17.1142f, 44.7983f}},
        {{{0.090586f, -0.018718f, 0.009043f},
          {0.053171f, -0.018093f, 0.011705f},
          {0.085229f, 0.01837f, 0.009591f},
          {0.013628f, 0.027256f, 0.020442f},
          {-0.013628f, -0.027256f, -0.020442f}},
         {0.649934f, -0.132211f, -0.17543f, 0.727551f},
         {1.45832f, 0, 0},
         {52.059f, -5.2534f, -14.6802f}},
    };
    for (int i = 0; i < 12; i++) {
        const float rates[] = {30, 60, 120};
        trv_world *world = make_world();
        trv_body_id floor = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, i < 6 ? 0 : -1, 0));
        trv_shape level = trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0));
        add_shape_of(world, floor, i < 6 ? level : trv_make_box(trv_make_vec3(30, 1, 30)), 0, 0);
        trv_hull_def def = trv_default_hull_def();
        trv_hull *hull;
        expect_result(trv_hull_create(throws[i % 2].corners, 5, &def, &hull), TRV_OK);
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 1, 0));
        add_shape_of(world, body, trv_make_hull(hull), 0, 0);
        trv_hull_release(hull);
        trv_pose pose = {{0, 1, 0}, throws[i % 2].rotation};
        expect_result(trv_body_set_pose(world, body, pose), TRV_OK);
        expect_result(
            trv_body_set_velocity(world, body, throws[i % 2].velocity, throws[i % 2].spin), TRV_OK);
        float rate = rates[i / 2 % 3];
        for (int s = 0; s < (int)(4 * rate); s++)
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        float mass, inertia[6];
        trv_vec3 local;
        expect_result(trv_body_mass(world, body, &mass, &local, inertia), TRV_OK);
        trv_vec3 middle = trv_pose_apply(pose_of(world, body), local);
        if (!(middle.y > 0))
            fail_msg("case %d: its middle is at %g", i, (double)middle.y);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_leaves_a_box_of_thin_walls),
        cmocka_unit_test(nothing_leaves_a_box_that_it_throws_about),
        cmocka_unit_test(nothing_leaves_a_thin_box_that_it_moves),
        cmocka_unit_test(nothing_leaves_a_cup_that_is_shaken),
        cmocka_unit_test(no_bullet_leaves_a_cage_whose_walls_are_of_parts),
        cmocka_unit_test(what_spins_on_ice_does_not_sink),
        cmocka_unit_test(what_is_moved_by_hand_takes_along_whom_it_meets),
        cmocka_unit_test(what_is_squeezed_does_not_leave_through_what_stands),
        cmocka_unit_test(what_is_squeezed_stays_however_it_lies),
        cmocka_unit_test(islands_end_alike_alone_and_with_others),
        cmocka_unit_test(who_flies_alone_ends_as_in_company),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
