// Tops: what spins on its tip nods and goes round as mechanics says, at every rate.
#include "world_support.h"

// A disc whose middle is .2 m over the tip of a cone without mass.
#define WIDE   0.15f
#define MIDDLE 0.2f
// Of a box of half extents (WIDE, .02, WIDE), over its mass: about its axis, and about the tip across.
#define ALONG  (2.0 / 3.0 * 0.15 * 0.15)
#define ACROSS ((0.15 * 0.15 + 0.02 * 0.02) / 3.0 + 0.2 * 0.2)

static trv_hull *make_cone(void)
{
    enum { SIDES = 12 };
    trv_vec3 points[SIDES + 1] = {{0, 0, 0}};
    for (int i = 0; i < SIDES; i++) {
        float a = 6.2831853f * (float)i / SIDES;
        points[i + 1] = trv_make_vec3(0.04f * cosf(a), 0.15f, 0.04f * sinf(a));
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(points, SIDES + 1, &def, &hull), TRV_OK);
    return hull;
}

// Leans by `tilt` from where `up` points, with its tip at `at`.
static trv_body_id add_top(trv_world *world, trv_vec3 at, float tilt, float spin, float friction)
{
    trv_body_def def = trv_default_body_def();
    trv_obb disc = {trv_make_vec3(0, MIDDLE, 0), trv_make_vec3(WIDE, 0.02f, WIDE),
                    trv_identity_quat()};
    trv_shape_def cone_def = trv_default_shape_def();
    trv_body_id body;
    def.kind = TRV_BODY_DYNAMIC;
    def.position = at;
    def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), -tilt);
    trv_vec3 axis = trv_rotate(def.rotation, trv_make_vec3(0, 1, 0));
    def.angular_velocity = trvi_scale(axis, spin);
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape_of(world, body, trv_make_placed_box(disc), friction, 0);
    trv_hull *cone = make_cone();
    cone_def.material.friction = friction;
    cone_def.material.density = 0;
    add_shape_with(world, body, cone_def, trv_make_hull(cone));
    trv_hull_release(cone);
    return body;
}

static trv_vec3 middle_of(trv_world *world, trv_body_id body)
{
    return trv_pose_apply(pose_of(world, body), trv_make_vec3(0, MIDDLE, 0));
}

static double tilt_of(trv_world *world, trv_body_id body)
{
    trv_vec3 axis = trv_rotate(pose_of(world, body).rotation, trv_make_vec3(0, 1, 0));
    return acos((double)axis.y);
}

// The tilt at which a top that is let go turns back: by its energy, and its momenta about the vertical
// and its own axis.
static double nod_of(double tilt, double spin)
{
    double fast = ALONG * spin / ACROSS, weight = 2 * 9.81 * MIDDLE / ACROSS;
    double square = fast * fast, u = cos(tilt);
    return acos((square - sqrt(square * square - 4 * weight * (square * u - weight))) /
                (2 * weight));
}

// m^2/s^2: kinetic and potential, over its mass.
static double energy_of(trv_world *world, trv_body_id body)
{
    trv_vec3 linear, angular;
    trv_quat rotation = pose_of(world, body).rotation;
    expect_result(trv_body_velocity(world, body, &linear, &angular), TRV_OK);
    trv_vec3 own = trvi_rotate_inverse(rotation, angular);
    double across = (0.15 * 0.15 + 0.02 * 0.02) / 3.0;
    double height = (double)middle_of(world, body).y;
    return 0.5 *
               (ALONG * (double)(own.y * own.y) + across * (double)(own.x * own.x + own.z * own.z) +
                (double)trvi_dot(linear, linear)) +
           9.81 * height;
}

static void a_top_nods_as_far_as_its_energy_says(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 120, 240}, spins[] = {100, 200, 300},
                tilts[] = {0.1f, 0.35f, 0.6f};
    for (int k = 0; k < 4 * 3 * 3; k++) {
        float rate = rates[k / 9], spin = spins[k / 3 % 3], tilt = tilts[k % 3];
        if (spin < 150 && tilt > 0.5f) // its disc would come down to the ground
            continue;
        for (uint32_t substeps = 2; substeps <= 4; substeps += 2) {
            trv_world *world = make_world();
            add_ground(world);
            trv_body_id top = add_top(world, trv_make_vec3(0, 0, 0), tilt, spin, 1);
            double least = 9, most = 0, before = energy_of(world, top);
            for (int i = 0; i < (int)rate; i++) {
                expect_result(trv_world_step(world, 1 / rate, substeps), TRV_OK);
                least = fmin(least, tilt_of(world, top));
                most = fmax(most, tilt_of(world, top));
            }
            expect_sound(world);
            expect_near(least, tilt, 0.002);
            expect_near(most, nod_of((double)tilt, (double)spin), 0.002);
            expect_near(energy_of(world, top) / before, 1, 0.005); // its tip is a little blunt
            trv_world_destroy(world);
        }
    }
}

// A top of 200 rad/s that was let go at .35.
static void expect_to_nod_at(trv_world *world, trv_body_id top, float rate)
{
    double most = 0;
    for (int i = 0; i < (int)rate; i++) {
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        most = fmax(most, tilt_of(world, top));
    }
    expect_near(most, nod_of(0.35, 200), 0.002);
}

static void expect_to_nod(trv_world *world, trv_body_id top)
{
    expect_to_nod_at(world, top, 60);
}

// ... whichever of the two was there first, however the ground slopes, and though it may be moved by hand.
static void the_ground_may_slope_and_come_later(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        trv_world *world = make_world();
        trv_body_id ground, top;
        if (k % 2 == 1)
            top = add_top(world, trv_make_vec3(0, 0, 0), 0.35f, 200, 1);
        ground =
            add_body(world, k < 2 ? TRV_BODY_STATIC : TRV_BODY_KINEMATIC, trv_make_vec3(0, 0, 0));
        trv_vec3 out = trvi_normalize_or(trv_make_vec3(0.2f, 0.95f, 0.1f), trv_make_vec3(0, 1, 0));
        trv_vec3 about = {out.z, 0, -out.x}; // from straight up to there
        trv_obb block = {.center = trvi_scale(out, -5), .half = {5, 5, 5}};
        block.rotation = trv_quat_about(about, (float)acos((double)out.y));
        trv_shape level = trv_make_half_space(trv_make_vec3(0, 0, 0), out);
        add_shape_of(world, ground, k < 2 ? level : trv_make_placed_box(block), 1, 0);
        if (k % 2 == 0)
            top = add_top(world, trv_make_vec3(0, 0, 0), 0.35f, 200, 1);
        expect_to_nod_at(world, top, k < 2 ? 60 : 30);
        trv_world_destroy(world);
    }
}

static void every_touch_may_be_told_as_a_hit(void **state)
{
    (void)state;
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.hit_threshold = 0;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    add_ground(world);
    trv_body_id top = add_top(world, trv_make_vec3(0, 0, 0), 0.35f, 200, 1);
    expect_to_nod(world, top);
    trv_world_destroy(world);
}

static void throw(trv_world * world, trv_shape shape, trv_vec3 from, trv_vec3 velocity)
{
    const trv_vec3 none = {0, 0, 0};
    trv_body_id body = add_dynamic(world, from, shape);
    expect_result(trv_body_set_velocity(world, body, velocity, none), TRV_OK);
}

// Bullets and what bounces have the solver look for impacts, and follow all bodies together.
static void nothing_elsewhere_changes_it(void **state)
{
    (void)state;
    trv_pose ends[3];
    for (int k = 0; k < 3; k++) {
        trv_world *world = make_world();
        add_ground(world);
        trv_body_id top = add_top(world, trv_make_vec3(0, 0, 0), 0.35f, 200, 1);
        if (k == 1) {
            trv_body_id bouncer = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(20, 2, 0));
            add_shape_of(world, bouncer, ball(0.2f), 0.5f, 0.9f);
        }
        if (k == 2) {
            throw(world, ball(0.05f), trv_make_vec3(-80, 3, 30), trv_make_vec3(200, 0, 0));
            trv_body_id wall = add_body(world, TRV_BODY_STATIC, trv_make_vec3(40, 3, 30));
            add_shape(world, wall, cube(3));
        }
        step_world(world, 90);
        ends[k] = pose_of(world, top);
        trv_world_destroy(world);
    }
    assert_memory_equal(&ends[0], &ends[1], sizeof ends[0]);
    assert_memory_equal(&ends[0], &ends[2], sizeof ends[0]);
}

// On ice the tip goes round, and the centre of mass stays over its place.
static void nothing_holds_it_on_ice(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id ground = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    add_shape_of(world, ground, trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0)),
                 0, 0);
    trv_body_id top = add_top(world, trv_make_vec3(0, 0, 0), 0.35f, 200, 0);
    trv_vec3 before = middle_of(world, top);
    step_world(world, 60);
    trv_vec3 after = middle_of(world, top);
    expect_near(after.x, before.x, 1e-3);
    expect_near(after.z, before.z, 1e-3);
    trv_world_destroy(world);
}

// Struck it is a body like others, and comes to rest at last.
static void a_blow_knocks_it_over(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id top = add_top(world, trv_make_vec3(0, 0, 0), 0.1f, 100, 0.6f);
    step_world(world, 30);
    throw(world, cube(0.1f), trv_make_vec3(-2, 0.25f, 0.05f), trv_make_vec3(12, 1, 0));
    step_world(world, 60);
    assert_true(trvi_length(position_of(world, top)) > 0.1f);
    step_world(world, 1800);
    assert_false(is_awake(world, top));
    trv_world_destroy(world);
}

static void a_blow_from_above_does_not_drive_it_in(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id top = add_top(world, trv_make_vec3(0, 0, 0), 0.05f, 200, 0.6f);
    step_world(world, 30);
    throw(world, cube(0.2f), trv_make_vec3(0.02f, 1, 0), trv_make_vec3(0, -8, 0));
    for (int i = 0; i < 120; i++) {
        step_world(world, 1);
        assert_true(position_of(world, top).y > -0.02f);
    }
    trv_world_destroy(world);
}

// A lever arm of rolling friction takes the spin down evenly, by lever * m g of momentum a second.
static void rolling_friction_slows_it_down(void **state)
{
    (void)state;
    const float lever = 0.005f;
    trv_world *world = make_world();
    trv_body_id ground = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    trv_shape_def def = trv_default_shape_def();
    def.material.rolling_friction = lever;
    def.material.friction = 1;
    add_shape_with(world, ground, def,
                   trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0)));
    trv_body_id top = add_top(world, trv_make_vec3(0, 0, 0), 0.05f, 200, 1);
    step_world(world, 120);
    trv_vec3 linear, angular;
    expect_result(trv_body_velocity(world, top, &linear, &angular), TRV_OK);
    expect_near(trvi_length(angular), 200 - 2 * lever * 9.81 / ALONG, 0.15);
    trv_world_destroy(world);
}

// It touches as long as it stands, and a restored world goes on with the same bits.
static void it_is_told_of_and_saved_like_others(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id top = add_top(world, trv_make_vec3(0, 0, 0), 0.35f, 200, 1);
    uint32_t begins = 0, ends = 0;
    for (int i = 0; i < 90; i++) {
        step_world(world, 1);
        trv_events events = trv_world_events(world);
        begins += events.begin_count;
        ends += events.end_count;
    }
    assert_int_equal(begins, 1);
    assert_int_equal(ends, 0);
    size_t size = trv_world_save_size(world);
    void *saved = malloc(size);
    expect_result(trv_world_save(world, saved, size, &size), TRV_OK);
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        if (k == 1)
            expect_result(trv_world_restore(world, saved, size), TRV_OK);
        step_world(world, 30);
        hashes[k] = trv_world_hash(world);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(tilt_of(world, top) < 0.5);
    free(saved);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_top_nods_as_far_as_its_energy_says),
        cmocka_unit_test(the_ground_may_slope_and_come_later),
        cmocka_unit_test(every_touch_may_be_told_as_a_hit),
        cmocka_unit_test(nothing_elsewhere_changes_it),
        cmocka_unit_test(nothing_holds_it_on_ice),
        cmocka_unit_test(a_blow_knocks_it_over),
        cmocka_unit_test(a_blow_from_above_does_not_drive_it_in),
        cmocka_unit_test(rolling_friction_slows_it_down),
        cmocka_unit_test(it_is_told_of_and_saved_like_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
