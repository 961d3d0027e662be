// Forces act where bodies have got to within a step: what rocks on something round neither gains nor loses,
// whatever the rate and the sub-steps, and what hits something else acts on it where it is hit.
#include "energy_support.h"

// A ball whose centre of mass lies lower by a third of its radius, tilted.
static trv_body_id add_weeble(trv_world *world, float radius, float tilt)
{
    trv_body_def def = trv_default_body_def();
    def.kind = TRV_BODY_DYNAMIC;
    def.never_sleeps = true;
    def.position = trv_make_vec3(0, radius, 0);
    def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), tilt);
    trv_body_id body;
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape_of(world, body, ball(radius), 0.6f, 0);
    float mass = 4000 * radius * radius * radius, inertia = 0.3f * mass * radius * radius;
    float about[6] = {inertia, inertia, inertia, 0, 0, 0};
    expect_result(trv_body_set_mass(world, body, mass, trv_make_vec3(0, -radius / 3, 0), about),
                  TRV_OK);
    return body;
}

static float tilt_of(const trv_world *world, trv_body_id body)
{
    trv_vec3 up = trv_rotate(pose_of(world, body).rotation, trv_make_vec3(0, 1, 0));
    return atan2f(-up.x, up.y);
}

// The largest tilt of the last second of so many.
static float swing_after(float radius, float tilt, float rate, uint32_t substeps, float seconds)
{
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id body = add_weeble(world, radius, tilt);
    float most = 0;
    for (int i = 0; i < (int)(seconds * rate); i++) {
        expect_result(trv_world_step(world, 1 / rate, substeps), TRV_OK);
        if ((float)i >= (seconds - 2) * rate)
            most = fmaxf(most, fabsf(tilt_of(world, body)));
    }
    trv_world_destroy(world);
    return most;
}

static void what_rocks_on_a_round_base_swings_on(void **state)
{
    (void)state;
    const struct {
        float radius, tilt, rate;
        uint32_t substeps;
    } cases[] = {{0.3f, 0.1f, 60, 4},   {0.3f, 0.1f, 60, 1},  {0.3f, 0.1f, 60, 8},
                 {0.3f, 0.1f, 30, 4},   {0.3f, 0.1f, 120, 4}, {0.03f, 0.1f, 60, 4},
                 {0.03f, 0.01f, 60, 4}, {1, 0.5f, 60, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float swing =
            swing_after(cases[i].radius, cases[i].tilt, cases[i].rate, cases[i].substeps, 12);
        if (!(fabsf(swing / cases[i].tilt - 1) <= 0.02f))
            fail_msg("case %zu: %g of %g", i, (double)swing, (double)cases[i].tilt);
    }
}

// It is slower as its middle rises, and faster as that comes down again.
static void what_rolls_unevenly_keeps_its_energy(void **state)
{
    (void)state;
    const float speeds[] = {1.2f, 1.5f, 3}, rates[] = {60, 120};
    for (int i = 0; i < 6; i++) {
        trv_world *world = make_world();
        add_ground(world);
        const float radius = 0.3f, low = radius / 3;
        trv_body_id body = add_weeble(world, radius, 0);
        float speed = speeds[i % 3], spin = speed / radius, rate = rates[i / 3];
        expect_result(trv_body_set_velocity(world, body, trv_make_vec3(spin * (radius - low), 0, 0),
                                            trv_make_vec3(0, 0, -spin)),
                      TRV_OK);
        float begun = 0, most = 0, has = 0;
        for (int s = 0; s <= (int)(6 * rate); s++) {
            trv_vec3 v, w;
            expect_result(trv_body_velocity(world, body, &v, &w), TRV_OK);
            float high = low * (1 - cosf(tilt_of(world, body)));
            has = 0.5f * trvi_dot(v, v) + 0.15f * radius * radius * trvi_dot(w, w) + 9.81f * high;
            begun = s == 0 ? has : begun;
            most = fmaxf(most, has);
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        }
        if (!(most <= 1.01f * begun && has >= 0.95f * begun))
            fail_msg("case %d: %g to %g of %g J/kg", i, (double)has, (double)most, (double)begun);
        trv_world_destroy(world);
    }
}

// The energy of a plank that has rocked on a round log for some time, as a part of what it began with.
static double rocked(float radius, float rate, uint32_t substeps)
{
    const float tilt = 0.2f;
    const trv_vec3 half = {2 * radius, 0.1f * radius, 0.4f * radius};
    trv_world_def def = trv_default_world_def();
    def.sleep = false;
    trv_world *world = NULL;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    trv_body_id log = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    add_shape_of(
        world, log,
        trv_make_capsule(trv_make_vec3(0, 0, -4 * radius), trv_make_vec3(0, 0, 4 * radius), radius),
        2, 0);
    // It has rolled off its middle.
    trv_quat turned = trv_quat_about(trv_make_vec3(0, 0, 1), tilt);
    trv_vec3 at = trv_rotate(turned, trv_make_vec3(radius * tilt, radius + half.y, 0));
    trv_body_id plank = add_body(world, TRV_BODY_DYNAMIC, at);
    add_shape_of(world, plank, trv_make_box(half), 2, 0);
    expect_result(trv_body_set_pose(world, plank, (trv_pose){at, turned}), TRV_OK);
    float mass, inertia[6];
    trv_vec3 center;
    expect_result(trv_body_mass(world, plank, &mass, &center, inertia), TRV_OK);
    double least = 9.81 * (double)(mass * (radius + half.y));
    double first = energy_under_gravity(world, &plank, 1) - least;
    for (int i = 0; i < (int)(15 * rate); i++)
        expect_result(trv_world_step(world, 1 / rate, substeps), TRV_OK);
    double last = energy_under_gravity(world, &plank, 1) - least;
    trv_world_destroy(world);
    return last / first;
}

static void planks_that_rock_on_logs_do_not_swing_farther(void **state)
{
    (void)state;
    const struct {
        float radius, rate;
        uint32_t substeps;
        double least;
    } cases[] = {{0.5f, 60, 4, 0.85},
                 {0.5f, 60, 1, 0.7},
                 {0.5f, 60, 8, 0.85},
                 {0.5f, 240, 4, 0.95},
                 {0.1f, 60, 4, 0.7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double has = rocked(cases[i].radius, cases[i].rate, cases[i].substeps);
        if (!(has >= cases[i].least && has <= 1.02))
            fail_msg("case %zu: %g", i, has);
    }
}

typedef struct moment {
    double x, y, z;
} moment;

static moment add_cross(moment sum, trv_vec3 a, trv_vec3 b)
{
    sum.x += (double)a.y * (double)b.z - (double)a.z * (double)b.y;
    sum.y += (double)a.z * (double)b.x - (double)a.x * (double)b.z;
    sum.z += (double)a.x * (double)b.y - (double)a.y * (double)b.x;
    return sum;
}

// About the origin.
static moment angular_momentum(trv_world *world, const trv_body_id *bodies, int count)
{
    moment sum = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        float mass, in[6];
        trv_vec3 center, v, w;
        trv_pose pose = pose_of(world, bodies[i]);
        expect_result(trv_body_mass(world, bodies[i], &mass, &center, in), TRV_OK);
        expect_result(trv_body_velocity(world, bodies[i], &v, &w), TRV_OK);
        w = trvi_rotate_inverse(pose.rotation, w);
        trv_vec3 own = {in[0] * w.x + in[3] * w.y + in[4] * w.z,
                        in[3] * w.x + in[1] * w.y + in[5] * w.z,
                        in[4] * w.x + in[5] * w.y + in[2] * w.z};
        own = trv_rotate(pose.rotation, own);
        sum.x += (double)own.x;
        sum.y += (double)own.y;
        sum.z += (double)own.z;
        sum = add_cross(sum, trv_pose_apply(pose, center), trvi_scale(v, mass));
    }
    return sum;
}

static double size_of(moment m)
{
    return sqrt(m.x * m.x + m.y * m.y + m.z * m.z);
}

// Boxes that fly at one another, turning.
static void dull_hits_keep_the_angular_momentum(void **state)
{
    (void)state;
    enum { HITS = 200 };
    double sum = 0, most = 0;
    for (int k = 0; k < HITS; k++) {
        test_random random = {(uint64_t)k + 1};
        trv_world *world = make_empty_space();
        trv_body_id boxes[2];
        double whole = 0;
        float speed = random_float(&random, 0.5f, 2.5f);
        for (int i = 0; i < 2; i++) {
            trv_vec3 half = {random_float(&random, 0.1f, 0.5f), random_float(&random, 0.1f, 0.5f),
                             random_float(&random, 0.1f, 0.5f)};
            trv_vec3 aside = random_vec3(&random, 0.1f);
            trv_vec3 at = {aside.x, aside.y, i == 0 ? 0.0f : 2.2f};
            boxes[i] =
                add_moving(world, trv_make_box(half), at,
                           trv_make_vec3(0, 0, i == 0 ? speed : -speed), k % 2 ? 0.5f : 0.0f, 0);
            trv_pose pose = {at, random_quat(&random)};
            expect_result(trv_body_set_pose(world, boxes[i], pose), TRV_OK);
            expect_result(trv_body_set_velocity(world, boxes[i], velocity_of(world, boxes[i]),
                                                random_vec3(&random, 2)),
                          TRV_OK);
            whole += size_of(angular_momentum(world, &boxes[i], 1));
        }
        moment before = angular_momentum(world, boxes, 2);
        step_world(world, 60);
        moment after = angular_momentum(world, boxes, 2);
        moment off = {after.x - before.x, after.y - before.y, after.z - before.z};
        sum += size_of(off) / whole;
        most = fmax(most, size_of(off) / whole);
        trv_world_destroy(world);
    }
    if (!(sum <= 0.012 * HITS && most <= 0.1))
        fail_msg("%g on average, %g at most", sum / HITS, most);
}

// A ball that flies at another one and hits it `off` diameters beside its middle, the `phase`-th part of a step
// later: the velocity that the other one gets.
static trv_vec3 hit_beside(float radius, float speed, float off, float rate, float phase)
{
    trv_world *world = make_empty_space();
    float way = 6 * radius + speed / rate * phase;
    add_moving(world, ball(radius), trv_make_vec3(-way, 0, 0), trv_make_vec3(speed, 0, 0), 0, 0);
    trv_body_id other = add_moving(world, ball(radius), trv_make_vec3(0, 2 * radius * off, 0),
                                   trv_make_vec3(0, 0, 0), 0, 0);
    for (int i = 0; i < (int)((way + 4 * radius) / speed * rate); i++)
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
    trv_vec3 velocity = velocity_of(world, other);
    trv_world_destroy(world);
    return velocity;
}

// They do not part again but by what they have along their surfaces: half of what goes from centre to centre as
// they meet is handed on, along that.
static void balls_are_hit_along_the_line_of_centres(void **state)
{
    (void)state;
    const struct {
        float radius, speed, off, rate;
    } cases[] = {{0.5f, 5, 0, 60},    {0.5f, 5, 0.5f, 60},  {0.5f, 5, 0.9f, 60},
                 {0.1f, 2, 0.5f, 60}, {0.1f, 2, 0.9f, 60},  {0.1f, 2, 0.5f, 30},
                 {1, 10, 0.5f, 60},   {0.1f, 2, 0.5f, 240}, {0.03f, 1, 0.5f, 60}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int phase = 0; phase < 10; phase++) {
            trv_vec3 v = hit_beside(cases[i].radius, cases[i].speed, cases[i].off, cases[i].rate,
                                    0.1f * (float)phase);
            float off = cases[i].off, cosine = sqrtf(1 - off * off);
            float along = (v.x * cosine + v.y * off) / (0.5f * cases[i].speed * cosine);
            float aside = atan2f(v.y * cosine - v.x * off, v.x * cosine + v.y * off);
            float most = 0.006f; // rad: what is left alone, see TRVI_BALLS_LEFT
            if (!(fabsf(aside) <= most && fabsf(along - 1) <= 0.001f + most * off / cosine))
                fail_msg("case %zu, phase %d: %g of the speed, %g rad aside", i, phase,
                         (double)along, (double)aside);
        }
}

// What a ball, or a capsule that lies along an edge, comes upon: its edge, its corner or its middle is at the origin,
// and it does not move.
typedef enum obstacle { AN_EDGE, AN_EDGE_OF_A_HULL, A_CORNER, A_CAPSULE, A_CAPSULES_END } obstacle;

static trv_shape shape_of(obstacle kind, float radius)
{
    static const trv_vec3 cube[8] = {{0, 0, -3}, {6, 0, -3}, {0, -6, -3}, {6, -6, -3},
                                     {0, 0, 3},  {6, 0, 3},  {0, -6, 3},  {6, -6, 3}};
    trv_obb box = {{3, -3, kind == A_CORNER ? -3 : 0}, {3, 3, 3}, {0, 0, 0, 1}};
    float end = kind == A_CAPSULE ? 3 : 0;
    trv_hull *hull;
    trv_hull_def def = trv_default_hull_def();
    switch (kind) {
    case AN_EDGE_OF_A_HULL:
        expect_result(trv_hull_create(cube, 8, &def, &hull), TRV_OK);
        return trv_make_hull(hull);
    case A_CAPSULE:
    case A_CAPSULES_END:
        return trv_make_capsule(trv_make_vec3(0, 0, -3), trv_make_vec3(0, 0, end), radius);
    default:
        return trv_make_placed_box(box);
    }
}

// What is round flies along x, `off` of the least distance beside the origin, along y and, at ends and corners,
// along z: past an edge it goes on along what closes in on nobody.
static void expect_turned(obstacle kind, bool lies, float speed, float off, float rate, float phase)
{
    const float radius = 0.1f;
    bool end = kind == A_CORNER || kind == A_CAPSULES_END;
    float rim = kind == A_CAPSULE || kind == A_CAPSULES_END ? 0.2f : 0.1f;
    trv_vec3 side = {0, off * rim * (end ? 0.8f : 1), off * rim * (end ? 0.6f : 0)};
    float ahead = sqrtf(rim * rim - trvi_dot(side, side));
    float way = ahead + 2 * radius + speed / rate * phase;
    trv_world *world = make_empty_space();
    trv_body_id still = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    trv_shape solid = shape_of(kind, 0.1f);
    add_shape_of(world, still, solid, 0, 0);
    if (kind == AN_EDGE_OF_A_HULL)
        trv_hull_release(solid.as.hull);
    trv_shape own =
        lies ? trv_make_capsule(trv_make_vec3(0, 0, -radius), trv_make_vec3(0, 0, radius), radius)
             : ball(radius);
    trv_body_id body = add_moving(world, own, trv_make_vec3(-way, side.y, side.z),
                                  trv_make_vec3(speed, 0, 0), 0, 0);
    for (int i = 0; i < (int)((way + ahead) / speed * rate) + 2; i++)
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
    trv_vec3 normal = trvi_scale(trv_make_vec3(ahead, -side.y, -side.z), 1 / rim);
    trv_vec3 truth = trvi_mul_add(trv_make_vec3(speed, 0, 0), normal, -speed * normal.x);
    trv_vec3 error = trvi_sub(velocity_of(world, body), truth);
    if (!(trvi_length(error) <= 0.015f * speed)) // see TRVI_BALLS_LEFT
        fail_msg("kind %d, %g m/s, off %g at %g/s, phase %g: by %g of the speed", (int)kind,
                 (double)speed, (double)off, (double)rate, (double)phase,
                 (double)(trvi_length(error) / speed));
    trv_world_destroy(world);
}

// As the normal is when they meet, and not as the step began.
static void what_is_round_goes_round_edges_and_corners(void **state)
{
    (void)state;
    const float speeds[] = {1, 3}, offs[] = {0.3f, 0.7f, 0.9f}, rates[] = {60, 30, 120};
    for (int i = 0; i < 18; i++)
        for (int phase = 0; phase < 4; phase++) {
            float part = 0.23f * (float)phase + 0.05f;
            for (int kind = AN_EDGE; kind <= A_CAPSULES_END; kind++)
                for (int lies = 0; lies < (kind == A_CORNER || kind == A_CAPSULES_END ? 1 : 2);
                     lies++)
                    expect_turned((obstacle)kind, lies != 0, speeds[i % 2], offs[i / 2 % 3],
                                  rates[i / 6], part);
        }
}

static void balls_that_just_pass_leave_one_another_alone(void **state)
{
    (void)state;
    for (int phase = 0; phase < 40; phase++) {
        float part = 0.025f * (float)phase;
        trv_vec3 v = hit_beside(0.5f, 5, 1.02f, phase % 2 ? 60.0f : 30.0f, part);
        expect_near(trvi_length(v), 0, 0);
        v = hit_beside(0.1f, 2, 1.02f, 60, part);
        expect_near(trvi_length(v), 0, 0);
    }
}

// Whatever height it falls from: friction acts on it where it touches, so that what it has about there, it keeps.
static void balls_that_land_spinning_roll_on_with_what_they_had(void **state)
{
    (void)state;
    const float radius = 0.5f, speed = 2, spin = -20;
    const float truth = (speed - 0.4f * radius * spin) / 1.4f;
    const float rates[] = {60, 120, 240};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 10; k++) {
            trv_world *world = make_world();
            add_ground(world);
            trv_body_id body =
                add_moving(world, ball(radius), trv_make_vec3(0, 1 + 0.07f * (float)k, 0),
                           trv_make_vec3(speed, -3, 0), 0.6f, 0);
            expect_result(trv_body_set_velocity(world, body, trv_make_vec3(speed, -3, 0),
                                                trv_make_vec3(0, 0, spin)),
                          TRV_OK);
            for (int s = 0; s < (int)rates[i]; s++)
                expect_result(trv_world_step(world, 1 / rates[i], 4), TRV_OK);
            expect_near(velocity_of(world, body).x, truth, 0.002f * truth);
            trv_world_destroy(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rocks_on_a_round_base_swings_on),
        cmocka_unit_test(what_rolls_unevenly_keeps_its_energy),
        cmocka_unit_test(planks_that_rock_on_logs_do_not_swing_farther),
        cmocka_unit_test(dull_hits_keep_the_angular_momentum),
        cmocka_unit_test(balls_are_hit_along_the_line_of_centres),
        cmocka_unit_test(what_is_round_goes_round_edges_and_corners),
        cmocka_unit_test(balls_that_just_pass_leave_one_another_alone),
        cmocka_unit_test(balls_that_land_spinning_roll_on_with_what_they_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
