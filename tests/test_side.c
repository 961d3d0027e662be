// Sides in pieces: what stands on several faces that are all but one stands on all of them.
#include "hulls.h"
#include "world_support.h"

enum { SIDES = 6 };

// A plate a metre in radius, whose lower side is uneven by that much, as rounded coordinates are.
static trv_hull *make_plate(test_random *random, float thickness, float uneven)
{
    trv_vec3 points[2 * SIDES];
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    for (int i = 0; i < SIDES; i++) {
        float angle = 6.2831853f * (float)i / SIDES;
        points[2 * i] =
            trv_make_vec3(trvi_cos(angle), random_float(random, 0, uneven), trvi_sin(angle));
        points[2 * i + 1] = trv_make_vec3(trvi_cos(angle), thickness + uneven, trvi_sin(angle));
    }
    expect_result(trv_hull_create(points, 2 * SIDES, &def, &hull), TRV_OK);
    return hull;
}

// The largest area of two triangles that share a diagonal, about the middle, m^2.
static float covered_by(const trv_manifold *m)
{
    float most = 0;
    for (uint32_t i = 0; i < m->count; i++)
        for (uint32_t k = 0; k < m->count; k++) {
            float low = 0, high = 0;
            trv_vec3 way = trvi_sub(m->points[k].point, m->points[i].point);
            for (uint32_t c = 0; c < m->count; c++) {
                float side = trvi_cross(way, trvi_sub(m->points[c].point, m->points[i].point)).y;
                low = fminf(low, side);
                high = fmaxf(high, side);
            }
            most = fmaxf(most, 0.5f * (high - low));
        }
    return most;
}

// Four corners of a regular hexagon cover 1.73 m^2 at most, and its triangles .43 to 1.3.
static void uneven_plates_touch_with_the_corners_of_all_pieces(void **state)
{
    (void)state;
    test_random random = {21};
    const float unevens[] = {1e-6f, 1e-5f, 1e-4f};
    int poor = 0;
    for (int i = 0; i < 900; i++) {
        trv_hull *hull = make_plate(&random, i % 2 ? 0.1f : 0.01f, unevens[i % 3]);
        trv_hull *other = make_plate(&random, 0.05f, unevens[i % 3]);
        const trv_shape plate = trv_make_hull(hull);
        const trv_shape below[3] = {
            trv_make_box(trv_make_vec3(5, 1, 5)),
            trv_make_half_space(trv_make_vec3(0, 1, 0), trv_make_vec3(0, 1, 0)),
            trv_make_hull(other)};
        const int kind = i / 3 % 3;
        trv_pose ground = trv_make_pose(trv_make_vec3(0, 0, 0));
        trv_pose at = trv_make_pose(trv_make_vec3(0, 1.0001f, 0));
        trv_manifold m;
        if (kind == 2) { // upside down, so that both are uneven where they meet
            ground.position.y = 1;
            ground.rotation = trv_quat_about(trv_make_vec3(1, 0, 0), 3.1415927f);
        }
        expect_result(trv_collide(&below[kind], ground, &plate, at, 0.01f, NULL, &m), TRV_OK);
        poor += covered_by(&m) < 1.2f;
        trv_hull_release(hull);
        trv_hull_release(other);
    }
    assert_in_range(poor, 0, 9);
}

static void uneven_plates_lie_still(void **state)
{
    (void)state;
    test_random random = {22};
    const float unevens[] = {1e-5f, 1e-4f};
    for (int i = 0; i < 24; i++) {
        const float uneven = unevens[i % 2];
        trv_hull *hull = make_plate(&random, i % 4 < 2 ? 0.1f : 0.01f, uneven);
        trv_world *world = make_world();
        add_ground(world);
        trv_body_id plate = add_dynamic(world, trv_make_vec3(0, 1e-4f, 0), trv_make_hull(hull));
        step_world(world, 180);
        trv_pose pose = pose_of(world, plate);
        expect_near(trvi_length(trv_make_vec3(pose.rotation.x, 0, pose.rotation.z)), 0, uneven);
        assert_false(is_awake(world, plate));
        trv_world_destroy(world);
        trv_hull_release(hull);
    }
}

// A ball of many faces is no side, however little each leans from the next.
static void fine_balls_stand_on_what_is_flat(void **state)
{
    (void)state;
    test_random random = {23};
    enum { POINTS = 3000 };
    static trv_vec3 points[POINTS];
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    for (int i = 0; i < POINTS; i++)
        points[i] = trvi_normalize_or(random_vec3(&random, 1), trv_make_vec3(1, 0, 0));
    expect_result(trv_hull_create(points, POINTS, &def, &hull), TRV_OK);
    const trv_shape ball = trv_make_hull(hull), ground = trv_make_box(trv_make_vec3(5, 1, 5));
    for (int i = 0; i < 200; i++) {
        trv_pose at = {trv_make_vec3(0, 1.999f, 0), random_quat(&random)};
        trv_manifold m;
        expect_result(
            trv_collide(&ground, trv_make_pose(trv_make_vec3(0, 0, 0)), &ball, at, 0.01f, NULL, &m),
            TRV_OK);
        assert_true(m.count > 0);
        // What lies .01 of the radius above the lowest is that far out.
        for (uint32_t p = 0; p < m.count; p++)
            expect_near(hypotf(m.points[p].point.x, m.points[p].point.z), 0, 0.15f);
    }
    trv_hull_release(hull);
}

static void wheels_of_many_sides_stand_on_one(void **state)
{
    (void)state;
    for (uint32_t sides = 180; sides <= 720; sides += 180) {
        trv_hull *hull = make_wheel(sides, 1, 0.3f);
        assert_non_null(hull);
        const trv_shape wheel = trv_make_hull(hull), ground = trv_make_box(trv_make_vec3(5, 1, 5));
        trv_manifold m;
        expect_result(trv_collide(&ground, trv_make_pose(trv_make_vec3(0, 0, 0)), &wheel,
                                  trv_make_pose(trv_make_vec3(0, 1.9999f, 0)), 0.01f, NULL, &m),
                      TRV_OK);
        for (uint32_t p = 0; p < m.count; p++)
            expect_near(m.points[p].point.x, 0, 3.2f / (float)sides);
        trv_hull_release(hull);
    }
}

// A plate of `count` corners below and as many above, whose lower side is bent like a bowl, by so much at its rim.
static trv_hull *make_bowl(test_random *random, uint32_t count, float s, float bent)
{
    enum { MOST = 48 };
    trv_vec3 points[2 * MOST];
    for (uint32_t i = 0; i < count; i++) {
        float angle = random_float(random, 0, 6.2831853f);
        float r = sqrtf(random_float(random, 0.1f, 1));
        float x = s * r * trvi_cos(angle), z = s * r * trvi_sin(angle);
        points[2 * i] = trv_make_vec3(x, s * bent * r * r, z);
        points[2 * i + 1] = trv_make_vec3(x, s * 0.3f, z);
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    expect_result(trv_hull_create(points, 2 * count, &def, &hull), TRV_OK);
    return hull;
}

// How deep its lowest corner is.
static float depth_of(trv_world *world, trv_body_id body, const trv_hull *hull)
{
    uint32_t count;
    const trv_vec3 *vertices = trv_hull_vertices(hull, &count);
    trv_pose pose = pose_of(world, body);
    float depth = 0;
    for (uint32_t i = 0; i < count; i++)
        depth = fmaxf(depth, -trv_pose_apply(pose, vertices[i]).y);
    return depth;
}

// What is bent by a degree or two rocks on its corners at first, but not for ever, and sinks in with none.
static void shallow_bowls_come_to_rest(void **state)
{
    (void)state;
    test_random random = {31};
    const float sizes[] = {0.02f, 0.1f, 0.5f};
    int awake = 0;
    for (uint32_t i = 0; i < 144; i++) {
        const float s = sizes[i % 3], rate = i / 3 % 2 ? 120 : 60;
        trv_hull *hull = make_bowl(&random, 12 + i % 5 * 9, s, i / 6 % 2 ? 0.03f : 0.01f);
        trv_world *world = make_world();
        add_ground(world);
        trv_body_id bowl =
            add_dynamic(world, trv_make_vec3(0, 3 * s + 0.2f, 0), trv_make_hull(hull));
        expect_result(
            trv_body_set_pose(world, bowl,
                              (trv_pose){trv_make_vec3(0, 3 * s + 0.2f, 0), random_quat(&random)}),
            TRV_OK);
        for (int k = 0; k < (int)(10 * rate); k++)
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        awake += is_awake(world, bowl);
        for (int k = 0; k < 4; k++) {
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
            float depth = depth_of(world, bowl, hull);
            if (!(depth <= 0.03f * s))
                fail_msg("%u: %g m deep, of %g", i, (double)depth, (double)s);
        }
        trv_world_destroy(world);
        trv_hull_release(hull);
    }
    assert_in_range(awake, 0, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uneven_plates_touch_with_the_corners_of_all_pieces),
        cmocka_unit_test(uneven_plates_lie_still),
        cmocka_unit_test(fine_balls_stand_on_what_is_flat),
        cmocka_unit_test(wheels_of_many_sides_stand_on_one),
        cmocka_unit_test(shallow_bowls_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
