// Tiles under other things than boxes: what has parts above, what is round, and what rolls far from the
// origin.
#include "box_hull.h"
#include "world_support.h"

static void add_tiles(trv_world *world, float from, float half, int count, float friction)
{
    for (int i = 0; i < count; i++) {
        float x = from + (float)(2 * i + 1) * half;
        trv_body_id tile = add_body(world, TRV_BODY_STATIC, trv_make_vec3(x, -0.25f, 0));
        add_shape_of(world, tile, trv_make_box(trv_make_vec3(half, 0.25f, 2)), friction, 0);
    }
}

// Keeps to .999 of its speed, and to a centimetre a second up and down.
static void expect_even_way(trv_world *world, trv_body_id body, float speed, float rate, float way,
                            int i)
{
    for (int s = 0; s < (int)(way / speed * rate); s++) {
        expect_result(trv_world_step(world, 1.0f / rate, 4), TRV_OK);
        trv_vec3 v = velocity_of(world, body);
        if (!(fabsf(v.x / speed - 1.0f) <= 0.001f && fabsf(v.y) <= 0.01f))
            fail_msg("case %d: %g of the speed, %g m/s up at %g m", i, (double)(v.x / speed),
                     (double)v.y, (double)position_of(world, body).x);
    }
}

// The upper parts rest on nothing, and come over each edge at a slant.
static void what_has_parts_above_slides_over_seams(void **state)
{
    (void)state;
    const float sizes[] = {0.02f, 0.05f, 0.1f, 0.25f, 0.5f}, rates[] = {30, 60, 120};
    test_random random = {7};
    for (int i = 0; i < 60; i++) {
        float half = sizes[i % 5], high = half * random_float(&random, 0.3f, 1.0f);
        float speed = random_float(&random, 1, 20), yaw = random_float(&random, 0, 0.78f);
        trv_world *world = make_world();
        add_tiles(world, 0, 0.5f, 30, 0);
        trv_body_def def = trv_default_body_def();
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trv_make_vec3(1.5f, high, 0);
        def.rotation = trv_quat_about(trv_make_vec3(0, 1, 0), i % 2 ? yaw : 0.0f);
        def.linear_velocity = trv_make_vec3(speed, 0, 0);
        trv_body_id body;
        expect_result(trv_body_create(world, &def, &body), TRV_OK);
        for (int k = 0; k < 8; k++) {
            trv_obb part = {.half = {half / 2, high / 2, half / 2},
                            .rotation = trv_identity_quat()};
            part.center = trv_make_vec3(k & 1 ? half / 2 : -half / 2, k & 2 ? high / 2 : -high / 2,
                                        k & 4 ? half / 2 : -half / 2);
            add_shape_of(world, body, trv_make_placed_box(part), 0, 0);
        }
        expect_even_way(world, body, speed, rates[i % 3], 26, i);
        trv_world_destroy(world);
    }
}

// Of a round base only a little is over the edge at first: the points that bear it there are not those
// that bear it when all of it has come over.
static void round_bases_slide_over_seams(void **state)
{
    (void)state;
    const int sides[] = {8, 12, 16, 24, 32, 64};
    const float rates[] = {30, 60, 120};
    for (int i = 0; i < 18; i++) {
        trv_vec3 points[128];
        for (int k = 0; k < sides[i % 6]; k++) {
            float angle = 6.2831853f * (float)k / (float)sides[i % 6];
            points[2 * k] = trv_make_vec3(0.5f * cosf(angle), -0.25f, 0.5f * sinf(angle));
            points[2 * k + 1] = trv_make_vec3(0.5f * cosf(angle), 0.25f, 0.5f * sinf(angle));
        }
        trv_hull_def def = trv_default_hull_def();
        trv_hull *hull;
        expect_result(trv_hull_create(points, 2 * (uint32_t)sides[i % 6], &def, &hull), TRV_OK);
        trv_world *world = make_world();
        add_tiles(world, 0, 1, 60, 0);
        trv_body_id body = add_moving(world, trv_make_hull(hull), trv_make_vec3(1.65f, 0.25f, 0),
                                      trv_make_vec3(5, 0, 0), 0, 0);
        expect_even_way(world, body, 5, rates[i / 6], 110, i);
        trv_world_destroy(world);
        trv_hull_release(hull);
    }
}

// Where float32 places the contact off the ball's axis, and its roll turns that downwards.
static void balls_roll_over_seams_far_from_the_origin(void **state)
{
    (void)state;
    const float places[] = {0, 64, 128, 256, 512, 1024, 2048, 4096};
    const float radii[] = {0.03f, 0.05f, 0.1f, 0.2f, 0.25f, 0.5f, 1};
    test_random random = {11};
    for (int i = 0; i < 112; i++) {
        float from = places[i % 8], radius = radii[i / 8 % 7], speed = random_float(&random, 3, 20);
        trv_world *world = make_world();
        add_tiles(world, from, 0.5f, 40, 0.6f);
        trv_vec3 at = {from + 0.7f + radius, radius, random_float(&random, -0.15f, 0.15f)};
        trv_body_id body = add_moving(world, ball(radius), at, trv_make_vec3(speed, 0, 0), 0.6f, 0);
        expect_result(trv_body_set_velocity(world, body, trv_make_vec3(speed, 0, 0),
                                            trv_make_vec3(0, 0, -speed / radius)),
                      TRV_OK);
        expect_even_way(world, body, speed, 60, 36 - 2 * radius, i);
        trv_world_destroy(world);
    }
}

// What is round stands on the face of a hull as on that of a box, and goes on as level beyond its edge.
static void balls_and_capsules_pass_over_tiles_that_are_hulls(void **state)
{
    (void)state;
    const struct {
        float half, speed, rate;
    } rows[] = {{0.5f, 20, 30}, {0.5f, 8, 60}, {0.5f, 20, 240}, {0.05f, 1, 60}, {0.025f, 1, 60}};
    for (int i = 0; i < 10; i++) {
        float half = rows[i / 2].half, radius = half / 2;
        trv_hull *hull;
        trv_shape solid = box_as_hull((trv_vec3){half, half / 2, half}, &hull);
        trv_world *world = make_world();
        for (int k = 0; k < 60; k++) {
            trv_vec3 at = {(float)(2 * k + 1) * half, -half / 2, 0};
            trv_body_id tile = add_body(world, TRV_BODY_STATIC, at);
            add_shape_of(world, tile, solid, 0, 0);
        }
        trv_vec3 aside = {i % 2 == 0 ? 0.0f : radius, 0, 0};
        trv_shape shape = trv_make_capsule(trvi_negate(aside), aside, radius);
        trv_body_id body = add_moving(world, i % 2 == 0 ? ball(radius) : shape,
                                      trv_make_vec3(2.1f * half, radius, 0.2f * half),
                                      trv_make_vec3(rows[i / 2].speed, 0, 0), 0, 0);
        expect_even_way(world, body, rows[i / 2].speed, rows[i / 2].rate, 112 * half, i);
        trv_world_destroy(world);
        trv_hull_release(hull);
    }
}

// Of two faces the place where they touch goes with what slides, whichever of them is larger, and whatever
// they are made of: else it stays behind with the tile, and what goes on over several in a step tips over.
static void boxes_slide_fast_over_tiles_that_are_hulls(void **state)
{
    (void)state;
    const struct {
        float half, tile, thick, speed;
    } rows[] = {{0.05f, 0.03f, 0.03f, 6},
                {0.15f, 0.12f, 0.1f, 20},
                {0.2f, 0.12f, 0.1f, 20},
                {0.025f, 0.02f, 0.02f, 10},
                {0.5f, 0.3f, 0.2f, 60}};
    for (int i = 0; i < 20; i++) {
        float half = rows[i % 5].half, tile = rows[i % 5].tile, thick = rows[i % 5].thick;
        trv_hull *of_tile, *of_own;
        trv_shape tiles = box_as_hull((trv_vec3){tile, thick, 1.2f * half}, &of_tile);
        trv_shape own = box_as_hull((trv_vec3){half, half, half}, &of_own);
        trv_world *world = make_world();
        trv_vec3 at = {0, half, 0}, speed = {rows[i % 5].speed, 0, 0};
        trv_body_id body = {0};
        if (i % 10 < 5) // it is A of its contacts, else B
            body = add_moving(world, i < 10 ? cube(half) : own, at, speed, 0, 0);
        for (int k = -8; k < 100; k++) {
            trv_vec3 place = {(2.0f * (float)k + 0.11f) * tile, -thick, 0};
            add_shape_of(world, add_body(world, TRV_BODY_STATIC, place), tiles, 0, 0);
        }
        if (i % 10 >= 5)
            body = add_moving(world, i < 10 ? cube(half) : own, at, speed, 0, 0);
        expect_even_way(world, body, speed.x, 60, 150 * tile, i);
        trv_world_destroy(world);
        trv_hull_release(of_tile);
        trv_hull_release(of_own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_parts_above_slides_over_seams),
        cmocka_unit_test(round_bases_slide_over_seams),
        cmocka_unit_test(balls_roll_over_seams_far_from_the_origin),
        cmocka_unit_test(boxes_slide_fast_over_tiles_that_are_hulls),
        cmocka_unit_test(balls_and_capsules_pass_over_tiles_that_are_hulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
