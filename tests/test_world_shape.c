// Shapes of bodies: refusals, mass, bounds by both of Lander's ways, and rays through the world.
#include "world_support.h"

#include <trivet/mesh.h>

static trv_hull *make_rock(test_random *random, uint32_t count)
{
    trv_vec3 points[64];
    for (uint32_t i = 0; i < count; i++)
        points[i] = random_vec3(random, 1.0f);
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(points, count, &def, &hull), TRV_OK);
    return hull;
}

static void bad_shapes_are_refused_and_change_nothing(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
    trv_shape_def def = trv_default_shape_def(), zeroed, sticky = def, bouncy = def, heavy = def;
    trv_shape_id id;
    memset(&zeroed, 0, sizeof zeroed);
    sticky.material.friction = -1.0f;
    bouncy.material.restitution = 2.0f;
    heavy.material.density = NAN;
    trv_shape good = ball(1), none, flat = ball(1), plane;
    memset(&none, 0, sizeof none);
    flat.as.sphere.radius = 0.0f;
    plane = trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0));
    trv_shape null_hull = trv_make_hull(NULL);
    expect_result(trv_shape_create(world, body, &zeroed, &good, &id), TRV_ERROR_DEF);
    expect_result(trv_shape_create(world, body, &sticky, &good, &id), TRV_ERROR_RANGE);
    expect_result(trv_shape_create(world, body, &bouncy, &good, &id), TRV_ERROR_RANGE);
    expect_result(trv_shape_create(world, body, &heavy, &good, &id), TRV_ERROR_NUMBER);
    expect_result(trv_shape_create(world, body, &def, &none, &id), TRV_ERROR_KIND);
    expect_result(trv_shape_create(world, body, &def, &flat, &id), TRV_ERROR_RANGE);
    expect_result(trv_shape_create(world, body, &def, &plane, &id), TRV_ERROR_KIND);
    expect_result(trv_shape_create(world, body, &def, &null_hull, &id), TRV_ERROR_NULL);
    expect_result(trv_shape_create(world, body, NULL, &good, &id), TRV_ERROR_NULL);
    expect_result(trv_shape_create(world, body, &def, NULL, &id), TRV_ERROR_NULL);
    expect_result(trv_shape_create(world, body, &def, &good, NULL), TRV_ERROR_NULL);
    trv_shape dust = ball(1e-15f);
    expect_result(trv_shape_create(world, body, &def, &dust, &id), TRV_ERROR_VOLUME);
    step_world(world, 1);
    assert_int_equal(counters_of(world).shapes, 0);
    trv_world_destroy(world);
}

// A turned chair, as it were, of all kinds of solids: the caller holds the reference.
static trv_compound *make_mixed_compound(test_random *random, trv_hull *rock)
{
    trv_shape solids[4] = {ball(0.4f), cube(0.3f), trv_make_hull(rock)};
    solids[3] = trv_make_capsule(trv_make_vec3(0, -1, 0.5f), trv_make_vec3(0.2f, 1, 0), 0.2f);
    trv_compound_part parts[4];
    for (int i = 0; i < 4; i++)
        parts[i] = (trv_compound_part){solids[i], {random_vec3(random, 2.0f), random_quat(random)}};
    trv_compound_def def = trv_default_compound_def();
    trv_compound *compound;
    expect_result(trv_compound_create(parts, 4, &def, &compound), TRV_OK);
    return compound;
}

static void a_shape_by_itself_has_the_mass_that_it_gives_a_body(void **state)
{
    (void)state;
    test_random random = {23};
    trv_world *world = make_world();
    trv_hull *rock = make_rock(&random, 20);
    trv_compound *compound = make_mixed_compound(&random, rock);
    trv_obb placed = {random_vec3(&random, 2.0f), {0.3f, 0.5f, 0.7f}, random_quat(&random)};
    const trv_shape shapes[] = {
        trv_make_sphere(trv_make_vec3(1, 2, 3), 0.7f), trv_make_hull(rock),
        trv_make_capsule(trv_make_vec3(1, 0, 0), trv_make_vec3(1, 2, 1), 0.3f),
        trv_make_placed_box(placed), trv_make_compound(compound)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
        trv_shape_def def = trv_default_shape_def();
        def.material.density = 700.0f;
        add_shape_with(world, body, def, shapes[i]);
        float mass, inertia[6];
        trv_vec3 center;
        trv_mass own;
        expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
        expect_result(trv_mass_of_shape(&shapes[i], 700.0f, &own), TRV_OK);
        expect_near(own.mass, mass, 1.0e-6 * mass);
        expect_near(own.center.x, center.x, 1.0e-6);
        expect_near(own.center.y, center.y, 1.0e-6);
        expect_near(own.center.z, center.z, 1.0e-6);
        double largest = fmax(inertia[0], fmax(inertia[1], inertia[2]));
        for (int e = 0; e < 6; e++)
            expect_near(own.inertia[e], inertia[e], 2.0e-6 * largest);
        expect_result(trv_body_set_mass(world, body, own.mass, own.center, own.inertia), TRV_OK);
    }
    trv_mass mass = {.mass = 5.0f};
    trv_shape ground = trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0)), none;
    memset(&none, 0, sizeof none);
    expect_result(trv_mass_of_shape(&ground, 1.0f, &mass), TRV_ERROR_KIND);
    expect_near(mass.mass, 0.0, 0.0);
    expect_result(trv_mass_of_shape(&none, 1.0f, &mass), TRV_ERROR_KIND);
    expect_result(trv_mass_of_shape(NULL, 1.0f, &mass), TRV_ERROR_NULL);
    expect_result(trv_mass_of_shape(&shapes[0], 1.0f, NULL), TRV_ERROR_NULL);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        expect_result(trv_mass_of_shape(&shapes[i], NAN, &mass), TRV_ERROR_NUMBER);
        expect_result(trv_mass_of_shape(&shapes[i], 0.0f, &mass), TRV_ERROR_RANGE);
    }
    expect_result(trv_mass_of_shape(&shapes[0], 3.0e38f, &mass), TRV_ERROR_VOLUME); // 1.4 m^3
    trv_compound_release(compound);
    trv_hull_release(rock);
    trv_world_destroy(world);
}

static void masses_are_those_of_the_textbook(void **state)
{
    (void)state;
    trv_world *world = make_world();
    float mass, inertia[6];
    trv_vec3 center;
    trv_body_id sphere = add_dynamic(world, trv_make_vec3(0, 0, 0), ball(0.5f));
    expect_result(trv_body_mass(world, sphere, &mass, &center, inertia), TRV_OK);
    expect_near(mass, 1000.0 * 4.0 / 3.0 * 3.14159265 * 0.125, 0.01);
    expect_near(inertia[1], 0.4 * mass * 0.25, 0.01);
    trv_body_id box =
        add_dynamic(world, trv_make_vec3(9, 0, 0), trv_make_box(trv_make_vec3(0.5f, 1.0f, 1.5f)));
    expect_result(trv_body_mass(world, box, &mass, &center, inertia), TRV_OK);
    expect_near(mass, 6000.0, 0.01);
    expect_near(inertia[0], 6000.0 / 12.0 * (4.0 + 9.0), 0.01);
    expect_near(inertia[2], 6000.0 / 12.0 * (1.0 + 4.0), 0.01);
    trv_world_destroy(world);
}

static void a_long_thin_capsule_weighs_like_its_limit(void **state)
{
    (void)state;
    // Against the sum of many thin discs, in double.
    double r = 0.3, half = 0.7, mass = 0, across = 0, along = 0;
    const int slices = 200000;
    for (int i = 0; i < slices; i++) {
        double z = (half + r) * (2.0 * (i + 0.5) / slices - 1.0);
        double beyond = fabs(z) > half ? fabs(z) - half : 0.0;
        double square = r * r - beyond * beyond;
        double m = 3.14159265358979 * square * 2.0 * (half + r) / slices;
        mass += m;
        along += 0.5 * m * square;
        across += m * (0.25 * square + z * z);
    }
    trv_world *world = make_world();
    trv_body_id body =
        add_dynamic(world, trv_make_vec3(0, 0, 0),
                    trv_make_capsule(trv_make_vec3(-0.7f, 0, 0), trv_make_vec3(0.7f, 0, 0), 0.3f));
    float got, inertia[6];
    trv_vec3 center;
    expect_result(trv_body_mass(world, body, &got, &center, inertia), TRV_OK);
    expect_near(got, 1000.0 * mass, 0.01);
    expect_near(inertia[0], 1000.0 * along, 0.01);
    expect_near(inertia[1], 1000.0 * across, 0.01);
    expect_near(inertia[2], 1000.0 * across, 0.01);
    trv_world_destroy(world);
}

static void two_half_boxes_weigh_like_the_whole(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_quat turn = trv_quat_about(trv_make_vec3(1, 2, 3), 0.7f);
    trv_vec3 x = trv_rotate(turn, trv_make_vec3(0.5f, 0, 0));
    trv_obb whole = {{0, 0, 0}, {1, 0.5f, 0.25f}, turn};
    trv_obb left = {{-x.x, -x.y, -x.z}, {0.5f, 0.5f, 0.25f}, turn};
    trv_obb right = {x, {0.5f, 0.5f, 0.25f}, turn};
    trv_body_id one = add_dynamic(world, trv_make_vec3(0, 0, 0), trv_make_placed_box(whole));
    trv_body_id two = add_dynamic(world, trv_make_vec3(9, 0, 0), trv_make_placed_box(left));
    add_shape(world, two, trv_make_placed_box(right));
    float mass_1, mass_2, inertia_1[6], inertia_2[6];
    trv_vec3 c;
    expect_result(trv_body_mass(world, one, &mass_1, &c, inertia_1), TRV_OK);
    expect_result(trv_body_mass(world, two, &mass_2, &c, inertia_2), TRV_OK);
    expect_near(mass_1, mass_2, 0.01);
    expect_near(c.x, 0, 1e-6);
    for (int e = 0; e < 6; e++)
        expect_near(inertia_1[e], inertia_2[e], 0.001);
    trv_world_destroy(world);
}

static void exact_bounds_are_those_of_all_vertices_and_rest_box_bounds_hold_them(void **state)
{
    (void)state;
    trv_world *world = make_world();
    test_random random = {17};
    int looser = 0;
    for (int round = 0; round < 20; round++) {
        trv_hull *rock = make_rock(&random, 20);
        trv_body_id body = add_body(world, TRV_BODY_STATIC, random_vec3(&random, 10.0f));
        trv_pose pose = {random_vec3(&random, 10.0f), random_quat(&random)};
        trv_shape_def def = trv_default_shape_def();
        trv_shape shape = trv_make_hull(rock);
        trv_shape_id tight_id, loose_id;
        trv_aabb tight, loose;
        expect_result(trv_shape_create(world, body, &def, &shape, &tight_id), TRV_OK);
        def.bounds = TRV_BOUNDS_REST_BOX;
        expect_result(trv_shape_create(world, body, &def, &shape, &loose_id), TRV_OK);
        expect_result(trv_body_set_pose(world, body, pose), TRV_OK);
        expect_result(trv_shape_bounds(world, tight_id, &tight), TRV_OK);
        expect_result(trv_shape_bounds(world, loose_id, &loose), TRV_OK);
        uint32_t count;
        const trv_vec3 *vertices = trv_hull_vertices(rock, &count);
        float low = INFINITY, high = -INFINITY;
        for (uint32_t v = 0; v < count; v++) {
            float x = trv_pose_apply(pose, vertices[v]).x;
            low = fminf(low, x);
            high = fmaxf(high, x);
        }
        expect_near(tight.lower.x, low, 1e-5);
        expect_near(tight.upper.x, high, 1e-5);
        assert_true(loose.lower.x <= tight.lower.x + 1e-5f);
        assert_true(loose.upper.y >= tight.upper.y - 1e-5f);
        looser += loose.upper.z - loose.lower.z > 1.05f * (tight.upper.z - tight.lower.z);
        trv_hull_release(rock); // the world holds references of its own
    }
    assert_true(looser > 5);
    trv_world_destroy(world);
}

static void several_shapes_make_one_body(void **state)
{
    (void)state;
    // A dumbbell on its two balls: it rests on both, and its parts stay in place.
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.6f, 0));
    add_shape(world, body, trv_make_sphere(trv_make_vec3(-1, 0, 0), 0.5f));
    add_shape(world, body, trv_make_sphere(trv_make_vec3(1, 0, 0), 0.5f));
    add_shape(world, body, trv_make_capsule(trv_make_vec3(-1, 0, 0), trv_make_vec3(1, 0, 0), 0.1f));
    step_world(world, 200);
    expect_near(position_of(world, body).y, 0.5, 0.002);
    uint32_t count;
    expect_result(trv_world_contacts(world, NULL, 0, &count), TRV_OK);
    assert_int_equal(count, 2);
    trv_world_destroy(world);
}

static void a_ray_finds_the_nearest_of_all_shapes(void **state)
{
    (void)state;
    trv_world *world = make_world();
    test_random random = {23};
    trv_shape shapes[80];
    trv_pose poses[80];
    trv_shape_id ids[80];
    trv_hull *rock = make_rock(&random, 24);
    for (int i = 0; i < 80; i++) {
        trv_body_def def = trv_default_body_def();
        trv_body_id body;
        poses[i] = (trv_pose){random_vec3(&random, 7.0f), random_quat(&random)};
        def.position = poses[i].position;
        def.rotation = poses[i].rotation;
        expect_result(trv_body_create(world, &def, &body), TRV_OK);
        expect_result(trv_body_pose(world, body, &poses[i]), TRV_OK);
        shapes[i] = i % 4 == 0   ? ball(0.8f)
                    : i % 4 == 1 ? cube(0.7f)
                    : i % 4 == 2
                        ? trv_make_hull(rock)
                        : trv_make_capsule(trv_make_vec3(0, -1, 0), trv_make_vec3(0, 1, 0), 0.4f);
        ids[i] = add_shape(world, body, shapes[i]);
    }
    int hits = 0;
    for (int round = 0; round < 300; round++) {
        trv_ray ray = {random_vec3(&random, 10.0f), random_vec3(&random, 30.0f)};
        int best = -1;
        trv_ray_hit wanted = {0}, hit;
        for (int i = 0; i < 80; i++) {
            trv_ray_hit one;
            expect_result(trv_shape_cast_ray(&shapes[i], poses[i], ray, &one), TRV_OK);
            if (one.hit && (best < 0 || one.fraction < wanted.fraction)) {
                wanted = one;
                best = i;
            }
        }
        trv_shape_id found;
        expect_result(trv_world_cast_ray(world, ray, trv_default_filter(), &found, &hit), TRV_OK);
        assert_int_equal(hit.hit, best >= 0);
        if (best < 0)
            continue;
        hits++;
        assert_int_equal(found.index1, ids[best].index1);
        expect_near(hit.fraction, wanted.fraction, 0);
    }

    assert_true(hits > 50);
    trv_ray bad = {{NAN, 0, 0}, {1, 0, 0}};
    trv_shape_id found;
    trv_ray_hit hit;
    expect_result(trv_world_cast_ray(world, bad, trv_default_filter(), &found, &hit),
                  TRV_ERROR_NUMBER);
    trv_filter nothing = trv_default_filter();
    nothing.mask = 0;
    trv_ray across = {{-20, 0, 0}, {40, 0, 0}};
    expect_result(trv_world_cast_ray(world, across, nothing, &found, &hit), TRV_OK);
    assert_false(hit.hit);
    trv_hull_release(rock);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_shapes_are_refused_and_change_nothing),
        cmocka_unit_test(masses_are_those_of_the_textbook),
        cmocka_unit_test(a_shape_by_itself_has_the_mass_that_it_gives_a_body),
        cmocka_unit_test(a_long_thin_capsule_weighs_like_its_limit),
        cmocka_unit_test(two_half_boxes_weigh_like_the_whole),
        cmocka_unit_test(exact_bounds_are_those_of_all_vertices_and_rest_box_bounds_hold_them),
        cmocka_unit_test(several_shapes_make_one_body),
        cmocka_unit_test(a_ray_finds_the_nearest_of_all_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
