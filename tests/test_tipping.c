// What stands on a face with many corners tips over a side of that face, though four of them bear it.
#include "box_hull.h"
#include "hull_support.h"
#include "world_support.h"

#define RADIUS 0.4f
#define HEIGHT 0.9f // half of it

// A prism about the y axis, and how far from its middle its base ends, downhill, when it is turned.
static trv_hull *prism_of(uint32_t sides)
{
    trv_vec3 corners[128];
    for (uint32_t i = 0; i < sides; i++) {
        double angle = 6.283185307179586 * i / sides;
        float x = (float)((double)RADIUS * cos(angle)), z = (float)((double)RADIUS * sin(angle));
        corners[2 * i] = trv_make_vec3(x, -HEIGHT, z);
        corners[2 * i + 1] = trv_make_vec3(x, HEIGHT, z);
    }
    return hull_of(corners, 2 * sides);
}

static double reach_of_base(uint32_t sides, double turn)
{
    double far = 0.0;
    for (uint32_t i = 0; i < sides; i++) {
        double from = 6.283185307179586 * i / sides - turn, to = from + 6.283185307179586 / sides;
        double at = sin(from) / (sin(from) - sin(to));
        if (sin(from) * sin(to) <= 0.0)
            far = fmax(far, (double)RADIUS * (cos(from) * (1.0 - at) + cos(to) * at));
    }
    return far;
}

// A world that is so steep, and what things stand on there.
static trv_world *make_slope(double steepness, trv_shape ground)
{
    double angle = atan(steepness);
    trv_world_def def = trv_default_world_def();
    def.gravity = trv_make_vec3((float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0);
    trv_world *world;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    trv_body_id floor = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0));
    add_shape_of(world, floor, ground, 2, 0);
    return world;
}

static trv_body_id stand(trv_world *world, trv_shape shape, float turn)
{
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
    trv_pose pose = {{0, HEIGHT, 0}, trv_quat_about(trv_make_vec3(0, 1, 0), turn)};
    expect_result(trv_body_set_pose(world, body, pose), TRV_OK);
    add_shape_of(world, body, shape, 2, 0);
    return body;
}

static double lean_from(trv_quat of, trv_quat ground)
{
    trv_vec3 y = trv_make_vec3(0, 1, 0), up = trv_rotate(of, y), out = trv_rotate(ground, y);
    return (double)trvi_length(trvi_sub(up, out));
}

static void expect_that_it(bool stands, trv_world *world, trv_body_id body, int at)
{
    step_world(world, 240);
    double lean = lean_from(pose_of(world, body).rotation, trv_identity_quat());
    if ((lean < 1.0e-3) != stands)
        fail_msg("case %d leans by %g", at, lean);
    trv_world_destroy(world);
}

static void prisms_tip_over_their_sides(void **state)
{
    (void)state;
    const uint32_t sides[] = {5, 6, 7, 8, 20, 64};
    const trv_vec3 slab = {9, 1, 9}, up = {0, 1, 0};
    test_random random = {3};
    trv_hull *ground;
    const trv_shape grounds[] = {trv_make_box(slab), trv_make_half_space(up, up),
                                 box_as_hull(slab, &ground)};
    for (int i = 0; i < 72; i++) {
        float turn = random_float(&random, 0, 6);
        bool stands = i / 6 % 2 == 0;
        double ratio = reach_of_base(sides[i % 6], (double)turn) / (double)HEIGHT;
        trv_hull *prism = prism_of(sides[i % 6]);
        trv_world *world = make_slope(ratio * (stands ? 0.98 : 1.02), grounds[i % 3]);
        trv_body_id body = stand(world, trv_make_hull(prism), turn);
        trv_hull_release(prism);
        expect_that_it(stands, world, body, i);
    }
    trv_hull_release(ground);
}

// What they share has eight sides, and downhill is one of the lower one's.
static void boxes_tip_over_the_sides_of_what_they_share(void **state)
{
    (void)state;
    const trv_vec3 half = {RADIUS, HEIGHT, RADIUS}, base = {RADIUS, 1, RADIUS};
    for (int i = 0; i < 16; i++) {
        bool stands = i % 2 == 0;
        double ratio = (double)RADIUS / (double)HEIGHT * (stands ? 0.99 : 1.01);
        trv_world *world = make_slope(ratio, trv_make_box(base));
        trv_body_id body = stand(world, trv_make_box(half), 0.1f * (float)(i + 1));
        expect_that_it(stands, world, body, i);
    }
}

// A slab that has tilted so far turns on, and what stands on it with it.
static trv_body_id add_turning(trv_world *world, trv_body_kind kind, trv_shape shape, double tilt,
                               double height, double spin)
{
    trv_body_def def = trv_default_body_def();
    def.kind = kind;
    def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), (float)-tilt);
    def.position = trv_make_vec3((float)(height * sin(tilt)), (float)(height * cos(tilt)), 0);
    def.angular_velocity = trv_make_vec3(0, 0, (float)-spin);
    double speed = spin * (height + 1.0); // round the slab's middle
    def.linear_velocity = trv_make_vec3((float)(speed * cos(tilt)), (float)(-speed * sin(tilt)), 0);
    trv_body_id body;
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape_of(world, body, shape, 2, 0);
    return body;
}

// Neither moves over the other, and yet other points bear it in the end.
static void what_tilts_with_its_ground_stands_until_it_has_to_tip(void **state)
{
    (void)state;
    const uint32_t sides[] = {6, 20, 64};
    for (int i = 0; i < 3; i++) {
        const double spin = 0.02, critical = reach_of_base(sides[i], 0.0) / (double)HEIGHT;
        const double from = atan(0.8 * critical), to = atan(0.97 * critical);
        trv_world *world = make_world();
        trv_hull *prism = prism_of(sides[i]);
        trv_body_id slab = add_turning(world, TRV_BODY_KINEMATIC,
                                       trv_make_box(trv_make_vec3(9, 1, 9)), from, -1.0, spin);
        trv_body_id body =
            add_turning(world, TRV_BODY_DYNAMIC, trv_make_hull(prism), from, (double)HEIGHT, spin);
        trv_hull_release(prism);
        step_world(world, (int)((to - from) / spin * 60.0));
        double lean = lean_from(pose_of(world, body).rotation, pose_of(world, slab).rotation);
        if (lean > 1.0e-3)
            fail_msg("%u sides lean by %g", sides[i], lean);
        trv_world_destroy(world);
    }
}

// What presses comes from elsewhere at once.
static void gravity_that_turns_is_borne_by_other_points(void **state)
{
    (void)state;
    double critical = reach_of_base(64, 0.0) / (double)HEIGHT;
    trv_world *world = make_slope(0.0, trv_make_box(trv_make_vec3(9, 1, 9)));
    trv_hull *prism = prism_of(64);
    trv_body_id body = stand(world, trv_make_hull(prism), 0.0f);
    trv_hull_release(prism);
    step_world(world, 60);
    double angle = atan(0.98 * critical);
    trv_vec3 gravity = {(float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0};
    expect_result(trv_world_set_gravity(world, gravity), TRV_OK);
    expect_that_it(true, world, body, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prisms_tip_over_their_sides),
        cmocka_unit_test(boxes_tip_over_the_sides_of_what_they_share),
        cmocka_unit_test(what_tilts_with_its_ground_stands_until_it_has_to_tip),
        cmocka_unit_test(gravity_that_turns_is_borne_by_other_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
