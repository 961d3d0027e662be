// Manifolds of shapes that move a little: points and normals stay, and the deepest place is there.
#include "support.h"

#include <trivet/collide.h>
#include <trivet/mesh.h>

#include "../src/narrow/nearest.h"
#include "hulls.h"

#define MARGIN 0.02f

static hull_pool pool;
static trv_hull *hexagon, *globe, *crate;

static trv_hull *read_mesh(const char *path)
{
    trv_mesh *mesh;
    trv_obj_report report;
    trv_obj_def obj = trv_default_obj_def();
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    if (trv_mesh_read_obj_file(path, &obj, &mesh, &report) != TRV_OK)
        return NULL;
    if (trv_hull_create_from_mesh(mesh, TRV_ALL_PARTS, &def, &hull) != TRV_OK)
        hull = NULL;
    trv_mesh_destroy(mesh);
    return hull;
}

static int make_hulls(void **state)
{
    (void)state;
    hexagon = make_prism(6, 0.5f, 0.4f);
    globe = make_globe(6, 6, (trv_vec3){0.5f, 0.5f, 0.5f}); // 32 vertices
    crate = read_mesh(TRV_TEST_DATA "/meshes/crate.obj");
    bool read = hull_pool_read(&pool, TRV_TEST_DATA "/vectors", "hulls");
    return read && hexagon != NULL && globe != NULL && crate != NULL ? 0 : -1;
}

static int free_hulls(void **state)
{
    (void)state;
    hull_pool_free(&pool);
    trvi_convex_release(hexagon);
    trvi_convex_release(globe);
    trv_hull_release(crate);
    return 0;
}

static float least_separation(const trv_manifold *m)
{
    float least = HUGE_VALF;
    for (uint32_t i = 0; i < m->count; i++)
        least = fminf(least, m->points[i].separation);
    return least;
}

static uint32_t sorted_names(const trv_manifold *m, uint32_t names[TRV_MANIFOLD_POINTS])
{
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t at = i, name = m->points[i].feature;
        for (; at > 0 && names[at - 1] > name; at--)
            names[at] = names[at - 1];
        names[at] = name;
    }
    return m->count;
}

static bool same_names(const trv_manifold *a, const trv_manifold *b)
{
    uint32_t names_a[TRV_MANIFOLD_POINTS], names_b[TRV_MANIFOLD_POINTS];
    uint32_t count_a = sorted_names(a, names_a), count_b = sorted_names(b, names_b);
    return count_a == count_b && memcmp(names_a, names_b, count_a * sizeof *names_a) == 0;
}

static trv_quat then(trv_quat first, trv_quat second)
{
    trv_quat a = second, b = first, r;
    r.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    r.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    r.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    r.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    return r;
}

// A stack of two: how B stands on A when nothing stirs it.
typedef struct stack {
    const char *name;
    trv_shape a, b;
    trv_pose rest; // of B; A is at the origin
    float half;    // about how far B reaches to the side, m
} stack;

// B turned so that its face looks down, with the face's first corner over the origin.
static trv_pose stand_on(const trv_hull *hull, uint32_t face, float height)
{
    trv_vec3 n = hull->planes[face].normal, axis = {n.z, 0.0f, -n.x}, sum = {0, 0, 0};
    float sine = sqrtf(n.x * n.x + n.z * n.z);
    trv_pose pose = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
    pose.rotation = trv_quat_about(axis, atan2f(sine, -n.y));
    uint32_t first = hull->face_first[face], count = hull->face_first[face + 1] - first;
    for (uint32_t e = first; e < first + count; e++)
        sum = trvi_add(sum, hull->vertices[hull->edge_origin[e]]);
    trv_vec3 foot = trv_pose_apply(pose, trvi_scale(sum, 1.0f / (float)count));
    pose.position = (trv_vec3){-foot.x, height - foot.y, -foot.z};
    expect_near(trv_pose_apply(pose, trvi_scale(sum, 1.0f / (float)count)).y, height, 1.0e-6);
    return pose;
}

enum { STACKS = 4 };

static stack stack_number(int i)
{
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    trv_pose on_top = trv_make_pose((trv_vec3){0.0f, 1.0f, 0.0f});
    stack s = {"box on box", box, box, on_top, 0.5f};
    if (i == 1) {
        s = (stack){"prism on prism", trv_make_hull(hexagon), trv_make_hull(hexagon), on_top, 0.5f};
        s.rest.position.y = 0.8f;
    } else if (i == 2) {
        trv_aabb bounds = trv_hull_bounds(crate);
        s = (stack){"crate on crate", trv_make_hull(crate), trv_make_hull(crate), on_top, 0.5f};
        s.rest.position.y = bounds.upper.y - bounds.lower.y;
        s.half = 0.5f * (bounds.upper.x - bounds.lower.x);
    } else if (i == 3) {
        s = (stack){"32 vertices on box", box, trv_make_hull(globe), on_top, 0.25f};
        s.rest = stand_on(globe, 13, 0.5f);
    }
    return s;
}

// One step of a random walk between -reach and reach.
static void stroll(test_random *random, float *at, float reach)
{
    *at += random_float(random, -reach / 8.0f, reach / 8.0f);
    *at = fmaxf(fminf(*at, reach), -reach);
}

static void check_rocking(const stack *s, float twist, float reach)
{
    enum { FRAMES = 800 };
    test_random random = {51};
    float walk[6] = {0.0f};
    uint32_t changes = 0;
    trv_manifold m, before;
    trv_pose origin = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int k = 0; k < 6; k++)
            stroll(&random, &walk[k], reach);
        trv_pose pose = s->rest;
        pose.position.x += walk[0];
        pose.position.y += 0.3f * walk[1] - 0.0005f;
        pose.position.z += walk[2];
        trv_vec3 tilt = {walk[3] / s->half, 0.0f, walk[5] / s->half};
        float angle = sqrtf(tilt.x * tilt.x + tilt.z * tilt.z);
        pose.rotation = then(pose.rotation, trv_quat_about((trv_vec3){0, 1, 0}, twist + walk[4]));
        if (angle > 1.0e-9f)
            pose.rotation = then(pose.rotation, trv_quat_about(tilt, angle));
        expect_result(trv_collide(&s->a, origin, &s->b, pose, MARGIN, NULL, &m), TRV_OK);
        assert_true(m.count >= 3);
        assert_true(m.normal.y > 0.99999f); // A's face carries whatever stirs B
        changes += frame > 0 && !same_names(&m, &before);
        before = m;
    }
    if (changes * 100 > FRAMES) {
        print_error("%s, twisted by %g, rocking by %g m: other points in %u of %d frames\n",
                    s->name, (double)twist, (double)reach, changes, FRAMES);
        fail();
    }
}

static void points_stay_the_same_while_a_twisted_stack_rocks(void **state)
{
    (void)state;
    const float twists[] = {0.5236f, 0.6458f, 0.7854f};
    const float reaches[] = {1.0e-4f, 3.0e-4f, 1.0e-3f, 3.0e-3f};
    for (int i = 0; i < STACKS; i++) {
        stack s = stack_number(i);
        for (int t = 0; t < 3; t++)
            for (int r = 0; r < 4; r++)
                check_rocking(&s, twists[t], reaches[r]);
    }
}

// Tilts by 0 to 6 degrees and back while depth swells to 5 % of the size and ebbs twice.
static trv_pose sway(const stack *s, float t, float twist, float aside, float axis)
{
    float tilt = (0.5f - 0.5f * cosf(6.2831853f * t)) * 0.105f;
    float depth = (0.5f - 0.5f * cosf(14.451326f * t)) * 0.1f * s->half;
    trv_pose pose = s->rest;
    pose.rotation = then(pose.rotation, trv_quat_about((trv_vec3){0, 1, 0}, twist));
    pose.rotation =
        then(pose.rotation, trv_quat_about((trv_vec3){cosf(axis), 0.0f, sinf(axis)}, tilt));
    pose.position.x += aside;
    pose.position.y += 0.7f * tilt * s->half - depth;
    pose.position.z += 0.3f * aside;
    return pose;
}

static void check_swaying(const stack *s, float twist, float aside, float axis)
{
    enum { FRAMES = 1500 };
    trv_pose origin = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
    trv_manifold m, before;
    uint32_t changes = 0, seen = 0;
    before.count = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        trv_pose pose = sway(s, (float)frame / FRAMES, twist, aside, axis);
        trv_gap gap;
        expect_result(trv_collide(&s->a, origin, &s->b, pose, MARGIN, NULL, &m), TRV_OK);
        expect_result(trv_distance(&s->a, origin, &s->b, pose, &gap), TRV_OK);
        if (m.count > 0) {
            float size = s->half, depth = fabsf(gap.distance);
            assert_true(least_separation(&m) <= gap.distance + 1.1e-2f * depth + 5.0e-3f * size);
        }
        if (m.count > 0 && before.count > 0) {
            seen++;
            changes += !same_names(&m, &before);
            // 0.1 degrees, a good ten times what the body turns in a frame.
            float turn = trvi_length(trvi_sub(m.normal, before.normal));
            if (!(turn < 1.75e-3f)) {
                print_error("%s, twist %g, aside %g, axis %g, frame %d: normal turns by %g\n",
                            s->name, (double)twist, (double)aside, (double)axis, frame,
                            (double)turn);
                fail();
            }
        }
        before = m;
    }
    assert_true(seen > FRAMES / 2);
    if (changes * 50 > seen) {
        print_error("%s, twist %g, aside %g, axis %g: other points in %u of %u frames\n", s->name,
                    (double)twist, (double)aside, (double)axis, changes, seen);
        fail();
    }
}

static void normals_never_jump_while_a_stack_tilts_and_sinks(void **state)
{
    (void)state;
    for (int i = 0; i < STACKS; i++) {
        stack s = stack_number(i);
        for (int k = 0; k < 8; k++)
            check_swaying(&s, k & 1 ? 0.6f : 0.0f, k & 2 ? 0.31f : 0.0f, k & 4 ? 1.2f : 0.3f);
    }
}

static const trv_hull *random_hull(test_random *random)
{
    for (;;) {
        const trv_hull *hull = pool.hulls[random_bits(random) % pool.count];
        if (hull != NULL && hull->radius > 0.3f && hull->radius < 3.0f)
            return hull;
    }
}

static trv_shape random_shape(test_random *random)
{
    switch (random_bits(random) % 4) {
    case 0:
        return trv_make_box(trvi_add(random_vec3(random, 0.2f), (trv_vec3){0.4f, 0.4f, 0.4f}));
    case 1:
        return trv_make_hull(globe);
    case 2:
        return trv_make_capsule((trv_vec3){-0.4f, 0.0f, 0.0f}, (trv_vec3){0.4f, 0.1f, 0.0f}, 0.2f);
    default:
        return trv_make_hull(random_hull(random));
    }
}

// Along the normal nothing is closer than the gap there, and nothing true goes unseen but for a
// share of the size where four of more points are chosen.
static void the_deepest_place_is_among_the_points(void **state)
{
    (void)state;
    test_random random = {52};
    trv_pose pose_a = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
    uint32_t overlapping = 0, several = 0;
    for (int i = 0; i < 6000; i++) {
        trv_shape a = random_shape(&random), b = random_shape(&random);
        trv_pose pose_b = {random_vec3(&random, 1.0f), random_quat(&random)};
        trv_gap gap;
        trv_manifold m;
        // To a depth of 0..5 %: as bodies meet.
        expect_result(trv_distance(&a, pose_a, &b, pose_b, &gap), TRV_OK);
        float move = -gap.distance - random_float(&random, -0.01f, 0.05f);
        pose_b.position = trvi_add(pose_b.position, trvi_scale(gap.normal, move));
        expect_result(trv_distance(&a, pose_a, &b, pose_b, &gap), TRV_OK);
        expect_result(trv_collide(&a, pose_a, &b, pose_b, MARGIN, NULL, &m), TRV_OK);
        if (m.count == 0)
            continue;
        trvi_couple couple;
        trvi_couple_set(&couple, &a, pose_a, &b, pose_b);
        trvi_dvec3 n = trvi_dvec3_from(m.normal);
        n = trvi_dscale(n, 1.0 / trvi_dlength(n));
        double along = trvi_gap_along_every(&couple, n) - couple.a.radius - couple.b.radius;
        double least = least_separation(&m), tiny = 1.0e-5 * couple.scale;
        // Corners may stand out over a face that leans, by the slack.
        along -= 0.37 * TRVI_SIDE_SLACK * couple.size;
        double missed =
            TRVI_DEEPEST_SHARE * fabs((double)gap.distance + couple.a.radius + couple.b.radius);
        if (m.count == TRV_MANIFOLD_POINTS)
            missed += TRVI_EVEN_DEPTH * couple.size;
        if (!(least >= along - tiny) || !(least <= gap.distance + missed + tiny)) {
            print_error("seed 52, pair %d: gap along the normal %.9g, least %.9g, true %.9g\n", i,
                        along, least, (double)gap.distance);
            fail();
        }
        overlapping += gap.distance < 0.0f;
        several += m.count > 1;
    }
    assert_true(overlapping > 2000 && several > 1000);
}

static trv_hull *build(const trv_vec3 *vertices, uint32_t vertex_count, const uint32_t *first,
                       const uint32_t *loops, uint32_t face_count)
{
    trv_hull *hull = NULL;
    trv_allocator none = {NULL, NULL}, allocator = trvi_allocator_or_default(none);
    expect_result(
        trvi_convex_build(&allocator, vertices, vertex_count, first, loops, face_count, &hull),
        TRV_OK);
    return hull;
}

static void a_side_in_two_pieces_carries_what_stands_on_either(void **state)
{
    (void)state;
    // A unit cube whose top is bent along a diagonal by a hair.
    const float h = 0.5f, up = 0.49999f;
    const trv_vec3 v[] = {{-h, -h, -h}, {h, -h, -h}, {h, -h, h}, {-h, -h, h},
                          {-h, h, -h},  {h, up, -h}, {h, h, h},  {-h, up, h}};
    const uint32_t loops[] = {0, 1, 2, 3, 0, 4, 5, 1, 1, 5, 6, 2, 2,
                              6, 7, 3, 3, 7, 4, 0, 4, 6, 5, 4, 7, 6};
    const uint32_t first[] = {0, 4, 8, 12, 16, 20, 23, 26};
    trv_hull *bent = build(v, 8, first, loops, 7);
    trv_shape lower = trv_make_hull(bent), upper = trv_make_box((trv_vec3){0.1f, 0.1f, 0.1f});
    const float places[][2] = {{0.3f, -0.3f}, {-0.3f, 0.3f}, {0.05f, 0.0f}, {-0.05f, 0.0f}};
    for (int i = 0; i < 4; i++) {
        trv_pose pose = trv_make_pose((trv_vec3){places[i][0], 0.58f, places[i][1]});
        trv_manifold m;
        trv_gap gap;
        pose.rotation = trv_quat_about((trv_vec3){0.6f, 0.0f, -0.8f}, 0.01f);
        trv_pose origin = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
        expect_result(trv_collide(&lower, origin, &upper, pose, MARGIN, NULL, &m), TRV_OK);
        expect_result(trv_distance(&lower, origin, &upper, pose, &gap), TRV_OK);
        expect_near(least_separation(&m), gap.distance, 2.0e-5);
        assert_true(m.count >= 3 && m.normal.y > 0.9999f);
    }
    trvi_convex_release(bent);
}

// No point is farther than so much from either.
static void expect_on_both(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                           const trv_manifold *m, float near)
{
    for (uint32_t i = 0; i < m->count; i++) {
        trv_gap gaps[2];
        expect_result(trv_distance_to_point(a, pose_a, m->points[i].point, &gaps[0]), TRV_OK);
        expect_result(trv_distance_to_point(b, pose_b, m->points[i].point, &gaps[1]), TRV_OK);
        if (!(gaps[0].distance <= near && gaps[1].distance <= near))
            fail_msg("%g and %g m", (double)gaps[0].distance, (double)gaps[1].distance);
    }
}

// A capsule does so at the ends of what they share while it is all but side by side with a ridge, else about where they
// cross; that may be a third point.
static void ridges_side_by_side_touch_at_two_points(void **state)
{
    (void)state;
    const float turn = 0.78539816f, ridge = 1.41421356f;
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 1.0f});
    trv_shape capsule =
        trv_make_capsule((trv_vec3){0.0f, 0.0f, -0.6f}, (trv_vec3){0.0f, 0.0f, 0.6f}, 0.1f);
    trv_pose lower = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f}), upper = lower;
    lower.rotation = trv_quat_about((trv_vec3){0.0f, 0.0f, 1.0f}, turn);
    for (int i = 0; i < 5; i++) {
        const float skews[] = {0.0f, 1.0e-7f, 1.0e-4f, 0.01f, 0.03f};
        const bool along = skews[i] < 0.001f;
        trv_manifold m;
        upper.position = (trv_vec3){0.0f, ridge + 0.005f, 0.5f};
        upper.rotation =
            then(lower.rotation, trv_quat_about((trv_vec3){0.0f, 1.0f, 0.0f}, skews[i]));
        expect_result(trv_collide(&box, lower, &box, upper, MARGIN, NULL, &m), TRV_OK);
        assert_int_equal(m.count, 2);
        expect_near(m.normal.y, 1.0, 1.0e-4);
        expect_near(least_separation(&m), 0.005, 2.0e-4);
        expect_near(fabsf(m.points[0].point.z - m.points[1].point.z), 1.5, 2.0e-2);
        expect_on_both(&box, lower, &box, upper, &m, 0.024f);
        upper.position = (trv_vec3){0.0f, 0.5f * ridge + 0.095f, 0.0f};
        upper.rotation = trv_quat_about((trv_vec3){0.0f, 1.0f, 0.0f}, skews[i]);
        expect_result(trv_collide(&box, lower, &capsule, upper, MARGIN, NULL, &m), TRV_OK);
        expect_near(m.normal.y, 1.0, 1.0e-4);
        expect_near(least_separation(&m), -0.005, 2.0e-4);
        assert_true(m.count == 2 || (m.count == 3 && !along));
        float apart = fabsf(m.points[0].point.z - m.points[1].point.z);
        if (along)
            expect_near(apart, 1.2, 2.0e-2);
        assert_true(apart <= 1.22f);
        expect_on_both(&box, lower, &capsule, upper, &m, 0.004f);
    }
}

// Seen as side by side, but for a few degrees, they touch nobody at their ends.
static void thin_rods_that_cross_at_few_degrees_touch_where_they_cross(void **state)
{
    (void)state;
    const float degree = 0.01745329f;
    const trv_vec3 up = {0.0f, 1.0f, 0.0f}, along = {1.0f, 0.0f, 0.0f};
    trv_shape rod = trv_make_capsule(trv_make_vec3(-1, 0, 0), trv_make_vec3(1, 0, 0), 0.01f);
    trv_shape bar = trv_make_box((trv_vec3){1.0f, 0.005f, 0.005f});
    for (int i = 1; i < 9; i++) {
        trv_manifold m;
        trv_quat turn = trv_quat_about(up, 0.5f * (float)i * degree);
        trv_pose lower = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f}), upper = lower;
        upper.position.y = 0.019f;
        upper.rotation = turn;
        expect_result(trv_collide(&rod, lower, &rod, upper, 0, NULL, &m), TRV_OK);
        assert_true(m.count > 0);
        expect_on_both(&rod, lower, &rod, upper, &m, 0.0f);
        lower.rotation = trv_quat_about(along, 45.0f * degree);
        upper.rotation = trv_quat_multiply(turn, lower.rotation);
        upper.position.y = 0.014f;
        expect_result(trv_collide(&bar, lower, &bar, upper, 0, NULL, &m), TRV_OK);
        assert_true(m.count > 0);
        expect_on_both(&bar, lower, &bar, upper, &m, 0.001f);
    }
}

static void points_keep_their_names_when_the_other_shape_leads(void **state)
{
    (void)state;
    // The larger face leads: a hair of size exchanges the roles.
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    trv_manifold m, before = {0};
    for (int i = 0; i < 2; i++) {
        float half = i == 0 ? 0.495f : 0.505f;
        trv_shape other = trv_make_box((trv_vec3){half, 0.5f, half});
        trv_pose pose = trv_make_pose((trv_vec3){0.01f, 0.999f, 0.02f});
        pose.rotation = trv_quat_about((trv_vec3){0.0f, 1.0f, 0.0f}, 0.6f);
        trv_pose origin = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
        expect_result(trv_collide(&box, origin, &other, pose, MARGIN, NULL, &m), TRV_OK);
        assert_int_equal(m.count, 4);
        if (i > 0) {
            uint32_t shared = 0;
            for (uint32_t p = 0; p < 4; p++)
                for (uint32_t q = 0; q < 4; q++)
                    shared += m.points[p].feature == before.points[q].feature;
            assert_true(shared >= 2);
        }
        before = m;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_stay_the_same_while_a_twisted_stack_rocks),
        cmocka_unit_test(normals_never_jump_while_a_stack_tilts_and_sinks),
        cmocka_unit_test(the_deepest_place_is_among_the_points),
        cmocka_unit_test(a_side_in_two_pieces_carries_what_stands_on_either),
        cmocka_unit_test(ridges_side_by_side_touch_at_two_points),
        cmocka_unit_test(thin_rods_that_cross_at_few_degrees_touch_where_they_cross),
        cmocka_unit_test(points_keep_their_names_when_the_other_shape_leads),
    };
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
