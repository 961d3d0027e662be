// Seams between tiles: what slides over them keeps its speed, and true obstacles still stop it.
#include "world_support.h"

static void add_tile(trv_world *world, float x, float top)
{
    trv_body_id tile = add_body(world, TRV_BODY_STATIC, trv_make_vec3(x, top - 0.5f, 0));
    add_shape_of(world, tile, trv_make_box(trv_make_vec3(0.5f, 0.5f, 2)), 0, 0);
}

static trv_body_id add_slider(trv_world *world, trv_shape shape, float height, float speed)
{
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, height, 0));
    trv_vec3 v = {speed, 0, 0}, o = {0, 0, 0};
    add_shape_of(world, body, shape, 0, 0);
    expect_result(trv_body_set_velocity(world, body, v, o), TRV_OK);
    return body;
}

static void what_slides_over_tiles_keeps_its_speed(void **state)
{
    (void)state;
    const trv_shape shapes[] = {
        cube(0.25f), ball(0.25f),
        trv_make_capsule(trv_make_vec3(0, 0, -0.3f), trv_make_vec3(0, 0, 0.3f), 0.25f)};
    const float speeds[] = {1, 5, 20};
    for (int k = 0; k < 9; k++) {
        trv_world *world = make_world();
        float speed = speeds[k / 3], fastest = 0.0f;
        for (int i = 0; i < 45; i++)
            add_tile(world, (float)i, 0.0f);
        trv_body_id slider = add_slider(world, shapes[k % 3], 0.25f, speed);
        for (int i = 0; i < 120; i++) {
            step_world(world, 1);
            trv_vec3 v = velocity_of(world, slider);
            fastest = fmaxf(fastest, fabsf(v.y));
            expect_near(v.x, speed, 0.001 * speed);
        }
        assert_true(fastest < 0.01f);
        trv_world_destroy(world);
    }
}

// A hundredth of a millimetre up or down: it falls on the lower ones, and is as little thrown up again.
static void a_ball_rolls_over_tiles_that_are_not_quite_level(void **state)
{
    (void)state;
    const float speed = 5, radius = 0.125f, dt = 1.0f / 120.0f;
    trv_world *world = make_world();
    for (int i = 0; i < 150; i++) {
        float top = 1e-5f * (float)(i * 37 % 17 - 8) / 8.0f;
        trv_body_id tile =
            add_body(world, TRV_BODY_STATIC, trv_make_vec3(0.5f * (float)i, top - 0.25f, 0));
        add_shape_of(world, tile, cube(0.25f), 0.6f, 0);
    }
    trv_body_id roller = add_dynamic(world, trv_make_vec3(0, radius, 0), ball(radius));
    trv_vec3 v = {speed, 0, 0}, spin = {0, 0, -speed / radius};
    expect_result(trv_body_set_velocity(world, roller, v, spin), TRV_OK);
    for (int i = 0; i < (int)(70 / (speed * dt)); i++) {
        expect_result(trv_world_step(world, dt, 4), TRV_OK);
        v = velocity_of(world, roller);
        expect_near(v.x, speed, 0.002 * speed);
        expect_near(v.y, 0, 0.1);
    }
    trv_world_destroy(world);
}

static void crates_side_by_side_are_one_floor(void **state)
{
    (void)state;
    const trv_shape shapes[] = {
        cube(0.25f), ball(0.25f),
        trv_make_capsule(trv_make_vec3(0, 0, -0.3f), trv_make_vec3(0, 0, 0.3f), 0.25f)};
    const float speeds[] = {1, 5, 20};
    for (int k = 0; k < 9; k++) {
        trv_world *world = make_world();
        float speed = speeds[k / 3], fastest = 0.0f;
        add_ground(world);
        for (int i = 0; i < 12; i++)
            add_dynamic(world, trv_make_vec3((float)i, 0.5f, 0), cube(0.5f));
        step_world(world, 20);
        trv_body_id slider = add_slider(world, shapes[k % 3], 1.25f, speed);
        for (int i = 0; i < (int)(60 * 10 / speed); i++) {
            step_world(world, 1);
            trv_vec3 v = velocity_of(world, slider);
            fastest = fmaxf(fastest, fabsf(v.y));
            expect_near(v.x, speed, 0.002 * speed);
        }
        assert_true(fastest < 0.02f);
        trv_world_destroy(world);
    }
}

// Two centimetres higher than the others.
static void a_crate_that_stands_out_of_a_row_of_them_stops_a_box(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    for (int i = 0; i < 5; i++)
        add_dynamic(world, trv_make_vec3((float)i, 0.5f, 0), cube(0.5f));
    add_dynamic(world, trv_make_vec3(5.01f, 0.51f, 0), cube(0.51f));
    step_world(world, 20);
    trv_body_id slider = add_slider(world, cube(0.25f), 1.25f, 2);
    step_world(world, 180);
    assert_true(position_of(world, slider).x < 4.5f);
    trv_world_destroy(world);
}

static trv_body_id add_moving_tile(trv_world *world, trv_body_kind kind, float x, float friction,
                                   trv_vec3 moved)
{
    const trv_vec3 none = {0, 0, 0};
    trv_body_id tile = add_body(world, kind, trv_make_vec3(x, -0.5f, 0));
    add_shape_of(world, tile, trv_make_box(trv_make_vec3(0.5f, 0.5f, 2)), friction, 0);
    expect_result(trv_body_set_velocity(world, tile, moved, none), TRV_OK);
    return tile;
}

// For two seconds, seen from what moves along.
static void expect_sliding(trv_world *world, trv_body_id slider, float speed, trv_vec3 moved)
{
    float fastest = 0.0f;
    for (int i = 0; i < 120; i++) {
        step_world(world, 1);
        trv_vec3 v = velocity_of(world, slider);
        fastest = fmaxf(fastest, fabsf(v.y - moved.y));
        expect_near(v.x - moved.x, speed, 0.001 * speed);
    }
    assert_true(fastest < 0.01f);
}

static void what_slides_over_tiles_that_are_moved_together_keeps_its_speed(void **state)
{
    (void)state;
    const trv_shape shapes[] = {cube(0.25f), ball(0.25f)};
    const trv_vec3 ways[] = {{0, 0, 0}, {-3, 0, 1}, {0, 2, 0}, {1, -1, 0}}, none = {0, 0, 0};
    for (int k = 0; k < 16; k++) {
        trv_world *world = make_world();
        trv_vec3 moved = ways[k / 4];
        float speed = k & 1 ? 5.0f : 16.0f;
        for (int i = 0; i < 40; i++)
            add_moving_tile(world, TRV_BODY_KINEMATIC, (float)i, 0, moved);
        trv_body_id slider = add_slider(world, shapes[k / 2 % 2], 0.25f, 0.0f);
        trv_vec3 v = {moved.x + speed, moved.y, moved.z};
        expect_result(trv_body_set_velocity(world, slider, v, none), TRV_OK);
        expect_sliding(world, slider, speed, moved);
        trv_world_destroy(world);
    }
}

// The second belt of each two runs the other way; none of them carries what has no friction.
static void belts_side_by_side_are_one_floor(void **state)
{
    (void)state;
    const trv_vec3 none = {0, 0, 0};
    trv_world *world = make_world();
    for (int i = 0; i < 40; i++)
        add_moving_tile(world, TRV_BODY_KINEMATIC, (float)i, 0,
                        trv_make_vec3(0, 0, i & 1 ? -0.5f : 0.5f));
    trv_body_id slider = add_slider(world, cube(0.25f), 0.25f, 5);
    expect_sliding(world, slider, 5, none);
    trv_world_destroy(world);
}

static void a_tile_that_rises_out_of_the_floor_is_an_obstacle(void **state)
{
    (void)state;
    const trv_vec3 none = {0, 0, 0};
    trv_world *world = make_world();
    for (int i = 0; i < 10; i++)
        add_moving_tile(world, TRV_BODY_KINEMATIC, (float)i, 0,
                        trv_make_vec3(0, i < 5 ? 0.0f : 0.05f, 0));
    trv_body_id slider = add_slider(world, cube(0.25f), 0.25f, 2);
    step_world(world, 240);
    assert_true(position_of(world, slider).x < 4.5f);
    expect_result(trv_body_set_velocity(world, slider, none, none), TRV_OK);
    trv_world_destroy(world);
}

static void shapes_of_a_body_that_can_be_pushed_are_one_floor(void **state)
{
    (void)state;
    const trv_vec3 none = {0, 0, 0};
    for (int k = 0; k < 2; k++) {
        trv_world *world = make_world();
        trv_body_id raft = add_moving_tile(world, TRV_BODY_DYNAMIC, 0, 0, none);
        for (int i = 1; i < 40; i++) {
            trv_shape tile = trv_make_box(trv_make_vec3(0.5f, 0.5f, 2));
            tile.as.box.center.x = (float)i;
            add_shape_of(world, raft, tile, 0, 0);
        }
        expect_result(trv_body_set_locks(world, raft, TRV_LOCK_ALL), TRV_OK);
        float speed = k ? 16.0f : 5.0f;
        trv_body_id slider = add_slider(world, cube(0.25f), 0.25f, speed);
        expect_sliding(world, slider, speed, none);
        trv_world_destroy(world);
    }
}

// A prism under half of a square tile, `side` of its diagonal.
static trv_hull *half_a_tile(float half, float height, int side)
{
    trv_vec3 corners[6];
    for (int i = 0; i < 6; i++) {
        float x = i % 3 == 1 ? half : -half, z = i % 3 == 2 ? half : -half;
        corners[i] = trv_make_vec3(side ? -x : x, i < 3 ? -height : height, side ? -z : z);
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(corners, 6, &def, &hull), TRV_OK);
    return hull;
}

// In steps that lead over a tile at once, where edges cross at any angle.
static void what_slides_askew_and_far_in_a_step_keeps_its_speed(void **state)
{
    (void)state;
    trv_vec3 up = {0, 1, 0};
    trv_hull *halves[2] = {half_a_tile(0.2f, 0.1f, 0), half_a_tile(0.2f, 0.1f, 1)};
    trv_quat way = trv_quat_about(up, 0.6f);
    for (int kind = 0; kind < 3; kind++) { // a cube over halves, two cubes over boxes and hulls
        trv_world *world = make_world();
        for (int i = 0; i < 450; i++) {
            trv_vec3 at = {0.4f * ((float)(i % 150) + 0.5f), -0.1f, 0.4f * (float)(i / 150 - 1)};
            trv_body_id tile = add_body(world, TRV_BODY_STATIC, trv_rotate(way, at));
            expect_result(trv_body_set_pose(world, tile, (trv_pose){trv_rotate(way, at), way}),
                          TRV_OK);
            trv_shape box = trv_make_box(trv_make_vec3(0.2f, 0.1f, 0.2f));
            add_shape_of(world, tile, kind == 1 ? box : trv_make_hull(halves[0]), 0, 0);
            if (kind != 1)
                add_shape_of(world, tile, trv_make_hull(halves[1]), 0, 0);
        }
        trv_body_def def = trv_default_body_def();
        trv_body_id body;
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trv_rotate(way, trv_make_vec3(1.62f, 0.3f, 0.052f));
        def.rotation = trv_quat_multiply(way, trv_quat_about(up, 0.2f));
        def.linear_velocity = trv_rotate(way, trv_make_vec3(12, 0, 0));
        expect_result(trv_body_create(world, &def, &body), TRV_OK);
        for (int i = 0; i < (kind ? 2 : 1); i++) {
            trv_shape part = cube(0.3f);
            part.as.box.center.x = kind == 0 ? 0.0f : i == 0 ? -0.36f : 0.36f;
            add_shape_of(world, body, part, 0, 0);
        }
        for (int i = 0; i < 24; i++) {
            expect_result(trv_world_step(world, 1.0f / 60, 1), TRV_OK);
            trv_vec3 v =
                trv_rotate((trv_quat){-way.x, -way.y, -way.z, way.w}, velocity_of(world, body));
            expect_near(v.x, 12, 0.012);
            expect_near(v.y, 0, 0.01);
            expect_near(v.z, 0, 0.012);
        }
        trv_world_destroy(world);
    }
    trv_hull_release(halves[0]);
    trv_hull_release(halves[1]);
}

// At 300 m float32 lays tiles out of level by some hundredths of a millimetre, and in each step the
// ball comes over three of them: what it has met of one says nothing of the next.
static void a_ball_rolls_on_over_tiles_far_from_the_origin(void **state)
{
    (void)state;
    const trv_vec3 axis = {0.3f, 0.5f, -0.8f}, pull = {0, -9.81f, 0};
    const trv_quat way = trv_quat_about(axis, 1.1f);
    const float radius = 0.075f, speed = 20.0f;
    trv_world_def world_def = trv_default_world_def();
    world_def.gravity = trv_rotate(way, pull);
    trv_world *world;
    expect_result(trv_world_create(&world_def, &world), TRV_OK);
    trv_body_def def = trv_default_body_def();
    def.position = trv_make_vec3(300, 0, 210);
    def.rotation = way;
    trv_body_id floor, body;
    expect_result(trv_body_create(world, &def, &floor), TRV_OK);
    for (int i = 0; i < 60; i++) {
        trv_shape tile = trv_make_box(trv_make_vec3(0.15f, 0.075f, 0.15f));
        tile.as.box.center = trv_make_vec3(0.3f * ((float)i + 0.5f), -0.075f, 0);
        add_shape_of(world, floor, tile, 0.6f, 0);
    }
    trv_vec3 at = trv_rotate(way, trv_make_vec3(0.75f, radius, 0));
    def.kind = TRV_BODY_DYNAMIC;
    def.position = trv_make_vec3(300 + at.x, at.y, 210 + at.z);
    def.linear_velocity = trv_rotate(way, trv_make_vec3(speed, 0, 0));
    def.angular_velocity = trv_rotate(way, trv_make_vec3(0, 0, -speed / radius));
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape_of(world, body, ball(radius), 0.6f, 0);
    for (int i = 0; i < 24; i++) {
        expect_result(trv_world_step(world, 1.0f / 30, 4), TRV_OK);
        trv_vec3 v =
            trv_rotate((trv_quat){-way.x, -way.y, -way.z, way.w}, velocity_of(world, body));
        expect_near(v.x, speed, 0.001 * speed);
        expect_near(v.y, 0, 0.05);
    }
    trv_world_destroy(world);
}

static void a_kerb_of_two_centimetres_stops_a_box(void **state)
{
    (void)state;
    trv_world *world = make_world();
    for (int i = 0; i < 10; i++)
        add_tile(world, (float)i, i < 5 ? 0.0f : 0.02f);
    trv_body_id slider = add_slider(world, cube(0.25f), 0.25f, 2);
    float least = 2.0f;
    for (int i = 0; i < 240; i++) {
        step_world(world, 1);
        least = fminf(least, velocity_of(world, slider).x);
    }
    assert_true(least < 1.0f);
    trv_world_destroy(world);
}

static void a_wall_on_the_tiles_stops_a_ball(void **state)
{
    (void)state;
    trv_world *world = make_world();
    for (int i = 0; i < 10; i++)
        add_tile(world, (float)i, i == 5 ? 0.9f : 0.0f);
    trv_body_id slider = add_slider(world, ball(0.25f), 0.25f, 2);
    step_world(world, 240);
    expect_near(position_of(world, slider).x, 4.25, 0.05);
    trv_world_destroy(world);
}

static void a_box_across_a_seam_rests_on_both_tiles(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_tile(world, -0.5f, 0.0f);
    add_tile(world, 0.5f, 0.0f);
    trv_body_id box = add_dynamic(world, trv_make_vec3(0.1f, 0.25f, 0), cube(0.25f));
    step_world(world, 120);
    expect_near(position_of(world, box).y, 0.25, 1e-3);
    expect_near(position_of(world, box).x, 0.1, 1e-3);
    assert_false(is_awake(world, box));
    trv_world_destroy(world);
}

// Where its corners come down beyond the edge between two blocks, that is no seam to slide over.
static void what_tumbles_over_the_edge_between_two_blocks_sinks_into_neither(void **state)
{
    (void)state;
    static const struct {
        float x, z;
        trv_quat rotation;
        trv_vec3 spin;
    } throws[] = {
        {-0.0418f, -0.0932f, {-0.347939f, 0.268992f, 0.47758f, 0.760591f}, {0.81f, -0.9f, 0.69f}},
        {-0.0099f, 0.1081f, {-0.963426f, -0.031136f, 0.167098f, 0.20717f}, {0, 0.5f, 0.92f}},
        {0.1353f, -0.0498f, {0.671991f, 0.145948f, 0.018592f, 0.725797f}, {-0.67f, -0.87f, -0.69f}},
        {-0.1133f,
         0.0416f,
         {-0.323421f, -0.300411f, 0.127977f, 0.888129f},
         {-0.2f, -0.54f, -0.69f}},
    };
    for (int k = 0; k < 8; k++) {
        trv_world *world = make_world();
        if (k < 4)
            add_ground(world);
        for (int i = 0; i < 2; i++) {
            trv_body_kind kind = k < 4 ? TRV_BODY_DYNAMIC : TRV_BODY_STATIC;
            trv_body_id block = add_body(world, kind, trv_make_vec3((float)i - 0.5f, 0.5f, 0));
            add_shape_of(world, block, cube(0.5f), 0.6f, 0);
        }
        trv_vec3 at = {throws[k % 4].x, 1.45f, throws[k % 4].z};
        trv_pose pose = {at, throws[k % 4].rotation};
        trv_body_id box = add_body(world, TRV_BODY_DYNAMIC, at);
        add_shape_of(world, box, cube(0.25f), 0.6f, 0);
        expect_result(trv_body_set_pose(world, box, pose), TRV_OK);
        expect_result(trv_body_set_velocity(world, box, trv_make_vec3(0, 0, 0), throws[k % 4].spin),
                      TRV_OK);
        for (int i = 0; i < 180; i++) {
            step_world(world, 1);
            assert_true(lowest_separation(world) > -3e-3f); // as a seam it would by a centimetre
        }
        trv_world_destroy(world);
    }
}

// Its foremost corner lies in one wall of an inner corner, just where the other wall begins: that wall is
// no seam of the first, though it touches nothing but a point of the first one's plane.
static void what_is_deep_in_an_inner_corner_comes_out(void **state)
{
    (void)state;
    const trv_vec3 walls[] = {{-3, 0, 0}, {0, -3, 0}, {0, 0, -3}};
    // Pairs of axes; which wall is there first; which way it leans.
    for (int k = 0; k < 24; k++) {
        trv_world *world = make_world();
        expect_result(trv_world_set_gravity(world, trv_make_vec3(0, 0, 0)), TRV_OK);
        const int flush = k % 3, deep = (flush + 1 + k / 3 % 2) % 3;
        const int first = k / 6 % 2 == 0 ? flush : deep, axes[2] = {first, flush + deep - first};
        for (int i = 0; i < 2; i++) {
            trv_body_id wall = add_body(world, TRV_BODY_STATIC, walls[axes[i]]);
            add_shape_of(world, wall, cube(3), 0.6f, 0);
        }
        // An octahedron's point, leaning into the corner between the two, or along it.
        const bool along = k >= 12;
        float in[3] = {0, 0, 0};
        in[flush] = in[along ? 3 - flush - deep : deep] = -0.2f;
        trv_vec3 points[7];
        for (int i = 0; i < 6; i++) {
            float at[3] = {0, 0, 0};
            at[i / 2] = i % 2 == 0 ? -0.1f : 0.1f;
            points[i] = trv_make_vec3(at[0], at[1], at[2]);
        }
        points[6] = trv_make_vec3(in[0], in[1], in[2]);
        trv_hull_def def = trv_default_hull_def();
        trv_hull *hull = NULL;
        expect_result(trv_hull_create(points, 7, &def, &hull), TRV_OK);
        float at[3] = {0, 0, 0};
        // Its point is flush with one wall, and .05 m deep in the other, or its middle is.
        at[flush] = 0.2f;
        at[deep] = along ? 0.0f : 0.15f;
        trv_body_id body =
            add_dynamic(world, trv_make_vec3(at[0], at[1], at[2]), trv_make_hull(hull));
        step_world(world, 60);
        trv_shape side = cube(3);
        trv_shape shape = trv_make_hull(hull);
        trv_pose pose;
        expect_result(trv_body_pose(world, body, &pose), TRV_OK);
        for (int i = 0; i < 2; i++) {
            trv_gap gap;
            trv_pose wall = {walls[axes[i]], trv_identity_quat()};
            expect_result(trv_distance(&side, wall, &shape, pose, &gap), TRV_OK);
            assert_true(fabsf(gap.distance) < 0.003f); // nor is it thrown out
        }
        trv_world_destroy(world);
        trv_hull_release(hull);
    }
}

// Nothing pushes it, so that there is nothing to trip over: both tiles are told, also that of whose
// side it shows no more than the top.
static void what_is_moved_by_hand_touches_both_tiles(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_shape_def def = trv_default_shape_def();
    uint32_t count;
    add_tile(world, -0.5f, 0);
    add_tile(world, 0.5f, 0);
    def.by_hand = true;
    trv_body_id body = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(-0.29f, 0.28f, 0));
    add_shape_with(world, body, def, cube(0.3f)); // .02 m deep in one, .01 m in the other
    expect_result(trv_world_collide(world), TRV_OK);
    assert_int_equal(trv_world_events(world).begin_count, 2);
    expect_result(trv_body_contacts(world, body, NULL, 0, &count), TRV_OK);
    assert_int_equal(count, 2);
    trv_world_destroy(world);
}

// A slab that stands with a foot on a box, or with two balls, and lies on the edge of the same box's top:
// that the edge rises nowhere above what the foot stands on makes it no seam.
static void a_slab_with_a_foot_rests_on_the_edge_too(void **state)
{
    (void)state;
    const float scales[] = {1, 0.1f, 10}, rates[] = {30, 60, 120, 240};
    for (int i = 0; i < 24; i++) {
        float scale = scales[i / 4 % 3], rate = rates[i % 4], foot = 0.015f * scale;
        trv_world *world = make_world();
        trv_body_id box =
            add_body(world, TRV_BODY_STATIC, trv_make_vec3(-0.5f * scale, -0.5f * scale, 0));
        add_shape(world, box, cube(0.5f * scale));
        trv_body_id slab =
            add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(-0.15f * scale, 0.025f * scale, 0));
        trv_obb plate = {{0, 0.02f * scale, 0},
                         {0.3f * scale, 0.02f * scale, 0.1f * scale},
                         trv_identity_quat()};
        add_shape(world, slab, trv_make_placed_box(plate));
        if (i < 12) {
            trv_obb leg = {{-0.18f * scale, -foot, 0},
                           {0.02f * scale, foot, 0.1f * scale},
                           trv_identity_quat()};
            add_shape(world, slab, trv_make_placed_box(leg));
        }
        for (int k = 0; k < 2 && i >= 12; k++) {
            trv_vec3 at = {-0.18f * scale, -0.02f * scale, 0.08f * scale * (float)k};
            add_shape(world, slab, trv_make_sphere(at, 0.03f * scale));
        }
        for (int s = 0; s < (int)(3 * rate); s++)
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        assert_false(is_awake(world, slab));
        expect_near(position_of(world, slab).x, -0.15 * (double)scale, 0.01 * (double)scale);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_slides_over_tiles_keeps_its_speed),
        cmocka_unit_test(a_ball_rolls_over_tiles_that_are_not_quite_level),
        cmocka_unit_test(crates_side_by_side_are_one_floor),
        cmocka_unit_test(a_crate_that_stands_out_of_a_row_of_them_stops_a_box),
        cmocka_unit_test(what_slides_over_tiles_that_are_moved_together_keeps_its_speed),
        cmocka_unit_test(belts_side_by_side_are_one_floor),
        cmocka_unit_test(a_tile_that_rises_out_of_the_floor_is_an_obstacle),
        cmocka_unit_test(shapes_of_a_body_that_can_be_pushed_are_one_floor),
        cmocka_unit_test(what_slides_askew_and_far_in_a_step_keeps_its_speed),
        cmocka_unit_test(a_ball_rolls_on_over_tiles_far_from_the_origin),
        cmocka_unit_test(a_kerb_of_two_centimetres_stops_a_box),
        cmocka_unit_test(a_wall_on_the_tiles_stops_a_ball),
        cmocka_unit_test(a_box_across_a_seam_rests_on_both_tiles),
        cmocka_unit_test(what_tumbles_over_the_edge_between_two_blocks_sinks_into_neither),
        cmocka_unit_test(what_is_deep_in_an_inner_corner_comes_out),
        cmocka_unit_test(what_is_moved_by_hand_touches_both_tiles),
        cmocka_unit_test(a_slab_with_a_foot_rests_on_the_edge_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
