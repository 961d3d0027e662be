// Separating planes: what made them, that they part the shapes, and how well they are remembered.
#include "support.h"

#include <trivet/collide.h>
#include <trivet/mesh.h>

#include "../src/narrow/carry.h"
#include "../src/narrow/quick.h"
#include "box_hull.h"
#include "hulls.h"

static trv_pose at(float x, float y, float z)
{
    return trv_make_pose((trv_vec3){x, y, z});
}

static double side_of(const trv_plane *plane, trv_pose pose, trv_vec3 local)
{
    trv_vec3 world = trvi_pose_apply(pose, local);
    return trvi_ddot(trvi_dvec3_from(plane->normal), trvi_dvec3_from(world)) +
           (double)plane->offset;
}

static void the_plane_names_the_face_or_the_edges_that_made_it(void **state)
{
    (void)state;
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    trv_separation s;
    trv_pose corner = at(0.0f, 1.5f, 0.0f); // a corner above the face of A, and below that of B
    corner.rotation = trv_quat_about((trv_vec3){1.0f, 0.0f, 1.0f}, 0.9553166f);
    expect_result(trv_separate(&box, at(0, 0, 0), &box, corner, NULL, &s), TRV_OK);
    assert_true(s.apart);
    assert_int_equal(s.source, TRV_PLANE_FACE_A);
    assert_int_equal(s.index_a, 3); // +y
    expect_near(s.plane.normal.y, 1.0, 1.0e-6);
    trv_pose below = corner;
    below.position.y = 0.0f;
    expect_result(trv_separate(&box, below, &box, at(0.0f, 1.5f, 0.0f), NULL, &s), TRV_OK);
    assert_true(s.apart);
    assert_int_equal(s.source, TRV_PLANE_FACE_B);
    assert_int_equal(s.index_b, 2); // -y
    trv_pose lower = at(0, 0, 0), upper = at(0, 1.4142135f + 0.1f, 0);
    lower.rotation = trv_quat_about((trv_vec3){0.0f, 0.0f, 1.0f}, 0.78539816f);
    upper.rotation = trv_quat_about((trv_vec3){1.0f, 0.0f, 0.0f}, 0.78539816f);
    expect_result(trv_separate(&box, lower, &box, upper, NULL, &s), TRV_OK);
    assert_true(s.apart);
    assert_int_equal(s.source, TRV_PLANE_EDGES);
    expect_near(s.gap, 0.1, 1.0e-5);
    trv_shape ball = trv_make_sphere((trv_vec3){0.0f, 0.0f, 0.0f}, 0.5f);
    expect_result(trv_separate(&ball, at(0, 0, 0), &ball, at(1, 1, 1), NULL, &s), TRV_OK);
    assert_int_equal(s.source, TRV_PLANE_VERTICES);
    expect_near(s.gap, 1.7320508 - 1.0, 1.0e-6);
}

// Beside a box, all but over its face: the face's own plane grazes it.
static void what_a_face_all_but_grazes_is_parted_by_another_plane(void **state)
{
    (void)state;
    trv_shape box = trv_make_box((trv_vec3){1, 1, 1}), others[3] = {0};
    others[0] = trv_make_sphere((trv_vec3){0, 0, 0}, 1);
    others[1] = trv_make_capsule((trv_vec3){0, 0, -1}, (trv_vec3){0, 0, 1}, 1);
    others[2] = box;
    trv_hull *hull = NULL;
    const trv_shape of_hull = box_as_hull((trv_vec3){1, 1, 1}, &hull);
    test_random random = {13};
    for (int i = 0; i < 600; i++) {
        const trv_shape *other = &others[i % 3], *first = i % 2 ? &box : &of_hull;
        float over = 2 + random_float(&random, 0.5e-6f, 5.0e-6f), far = (float)(i / 6 % 3) * 5;
        const bool boxes = i % 3 == 2;
        float up =
            boxes ? 2 + random_float(&random, 0.01f, 1) : 1 + random_float(&random, 0.3f, 0.9f);
        trv_pose pose_a = at(far, 0, 0), pose_b = at(far + over, up, 0);
        for (int k = 0; k < 2; k++) {
            trv_separation s;
            trv_plane_cache cache;
            memset(&cache, 0, sizeof cache);
            expect_result(trv_separate(first, pose_a, other, pose_b, k ? &cache : NULL, &s),
                          TRV_OK);
            assert_true(s.apart);
            double n[3] = {(double)s.plane.normal.x, (double)s.plane.normal.y,
                           (double)s.plane.normal.z};
            double of_box = fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
            double reach = boxes ? of_box : 1 + (i % 3 == 1 ? fabs(n[2]) : 0);
            double below = n[0] * (double)pose_a.position.x + of_box + (double)s.plane.offset;
            double above = n[0] * (double)pose_b.position.x + n[1] * (double)up - reach +
                           (double)s.plane.offset;
            if (!(below < 0 && above > 0))
                fail_msg("case %d, %d: %g and %g m", i, k, below, above);
        }
    }
    trv_hull_release(hull);
}

static void every_plane_parts_its_shapes_also_far_from_the_origin(void **state)
{
    (void)state;
    test_random random = {51};
    trv_hull *hull = make_globe(7, 9, (trv_vec3){1.0f, 0.6f, 0.8f});
    trv_shape a = trv_make_hull(hull);
    uint32_t apart = 0;
    for (int i = 0; i < 3000; i++) {
        float far_off = i % 3 == 0 ? 1000.0f : 0.0f;
        trv_pose pa = {random_vec3(&random, 1.5f), random_quat(&random)};
        trv_pose pb = {random_vec3(&random, 1.5f), random_quat(&random)};
        pa.position.x += far_off;
        pb.position.x += far_off;
        trv_plane_cache cache;
        memset(&cache, 0, sizeof cache);
        for (int turn = 0; turn < 2; turn++) {
            trv_separation s;
            expect_result(trv_separate(&a, pa, &a, pb, &cache, &s), TRV_OK);
            if (!s.apart || s.gap < 1.0e-3f)
                continue;
            apart++;
            assert_int_equal(s.remembered, turn == 1);
            for (uint32_t v = 0; v < hull->vertex_count; v++) {
                assert_true(side_of(&s.plane, pa, hull->vertices[v]) < 0.0);
                assert_true(side_of(&s.plane, pb, hull->vertices[v]) > 0.0);
            }
        }
    }
    assert_true(apart > 500);
    trvi_convex_release(hull);
}

// A vertex of a hull or a corner of a box. False past the last one.
static bool corner_of(const trv_shape *shape, uint32_t v, trv_vec3 *out)
{
    if (shape->kind == TRV_SHAPE_HULL) {
        if (v < shape->as.hull->vertex_count)
            *out = shape->as.hull->vertices[v];
        return v < shape->as.hull->vertex_count;
    }
    if (shape->kind != TRV_SHAPE_BOX || v >= 8)
        return false;
    trv_vec3 h = shape->as.box.half;
    trv_vec3 own = {v & 1 ? h.x : -h.x, v & 2 ? h.y : -h.y, v & 4 ? h.z : -h.z};
    *out = trvi_add(shape->as.box.center, trvi_rotate(shape->as.box.rotation, own));
    return true;
}

// In the shape's frame.
static trv_vec3 face_normal_of(const trv_shape *shape, uint32_t face)
{
    if (shape->kind == TRV_SHAPE_HULL)
        return shape->as.hull->planes[face].normal;
    float n[3] = {0.0f, 0.0f, 0.0f};
    n[face / 2] = face % 2 != 0 ? 1.0f : -1.0f;
    return trvi_rotate(shape->as.box.rotation, (trv_vec3){n[0], n[1], n[2]});
}

// By every way to ask, nearer and nearer, and beyond; and away again.
static void the_cache_keeps_the_gap_and_none_in_contact(void **state)
{
    (void)state;
    static const float places[] = {3,     2.9f, 1.5f, 1.2f, 1.01f, 1.0001f,
                                   0.99f, 0.5f, 0.2f, 0.9f, 1.3f};
    const trv_vec3 half = {0.5f, 0.5f, 0.5f};
    trv_hull *hull;
    const trv_shape shapes[] = {trv_make_box(half), box_as_hull(half, &hull),
                                trv_make_sphere((trv_vec3){0, 0, 0}, 0.5f)};
    for (int k = 0; k < 9; k++) {
        const trv_shape *a = &shapes[k / 3], *b = &shapes[k % 3];
        trv_plane_cache cache = {0};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            trv_separation s;
            double gap = (double)places[i] - 1.0;
            expect_result(trv_separate(a, at(0, 0, 0), b, at(places[i], 0, 0), &cache, &s), TRV_OK);
            assert_true(s.apart == (gap > 0));
            if (gap > 0)
                expect_near((double)cache.gap - gap, -5.0e-5, 5.0e-5); // no more than it is
            else
                assert_true(cache.gap <= 0.0f);
        }
    }
    trv_hull_release(hull);
}

// Two shapes turn beside one another, in frames of a degree, at a gap that comes and goes.
static void pass_by(const trv_shape *a, const trv_shape *b, uint64_t seed, uint32_t *remembered)
{
    test_random random = {seed};
    trv_vec3 axes[3];
    for (int k = 0; k < 3; k++)
        axes[k] = trvi_normalize_or(random_vec3(&random, 1.0f), (trv_vec3){0.0f, 1.0f, 0.0f});
    trv_plane_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int frame = 0; frame < 1000; frame++) {
        float angle = 0.0174533f * (float)frame;
        trv_vec3 across = trvi_cross(axes[2], (trv_vec3){0.36f, 0.8f, 0.48f});
        trv_vec3 way = trvi_rotate(trv_quat_about(axes[2], 0.4f * angle), across);
        trv_pose pa = {{1.0f, -2.0f, 0.5f}, trv_quat_about(axes[0], angle)};
        trv_pose pb = {trvi_mul_add(pa.position, way, 4.0f), trv_quat_about(axes[1], -angle)};
        float wanted = 0.05f + 0.045f * trvi_sin(0.1f * (float)frame);
        for (int i = 0; i < 4; i++) {
            trv_gap gap;
            expect_result(trv_distance(a, pa, b, pb, &gap), TRV_OK);
            pb.position = trvi_mul_add(pb.position, gap.normal, wanted - gap.distance);
        }
        trv_separation s;
        expect_result(trv_separate(a, pa, b, pb, &cache, &s), TRV_OK);
        assert_true(s.apart && s.gap > 0.0f && s.gap <= wanted + 1.0e-4f);
        *remembered += s.remembered;
        for (int of_b = 0; of_b < 2; of_b++) {
            const trv_shape *shape = of_b ? b : a;
            double sign = of_b ? 1.0 : -1.0;
            trv_vec3 corner;
            for (uint32_t v = 0; corner_of(shape, v, &corner); v++)
                assert_true(sign * side_of(&s.plane, of_b ? pb : pa, corner) > 0.0);
        }
        if (s.source == TRV_PLANE_FACE_A) {
            trv_vec3 n = trvi_rotate(pa.rotation, face_normal_of(a, s.index_a));
            assert_true(trvi_dot(n, s.plane.normal) > 0.9999f);
        }
        if (s.source == TRV_PLANE_FACE_B && b->kind == TRV_SHAPE_BOX && !s.remembered) {
            trv_vec3 n = trvi_rotate(pb.rotation, face_normal_of(b, s.index_b));
            assert_true(trvi_dot(n, s.plane.normal) < -0.9999f);
        }
    }
}

static void shapes_that_pass_closely_are_parted_from_memory_all_the_way(void **state)
{
    (void)state;
    trv_hull *hulls[3] = {make_prism(5, 0.7f, 0.6f), make_globe(6, 9, (trv_vec3){1, 0.6f, 0.8f}),
                          make_globe(20, 30, (trv_vec3){0.7f, 1.0f, 0.9f})};
    const trv_shape shapes[6] = {
        trv_make_hull(hulls[0]),
        trv_make_hull(hulls[1]),
        trv_make_hull(hulls[2]),
        trv_make_box((trv_vec3){0.6f, 0.8f, 0.5f}),
        trv_make_placed_box((trv_obb){{0.1f, 0.2f, -0.1f},
                                      {0.5f, 0.7f, 0.6f},
                                      trv_quat_about((trv_vec3){0.6f, 0.0f, 0.8f}, 1.0f)}),
        trv_make_capsule((trv_vec3){0.0f, -0.5f, 0.1f}, (trv_vec3){0.2f, 0.5f, 0.0f}, 0.3f)};
    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t j = 0; j < 6; j++) {
            uint32_t remembered = 0;
            pass_by(&shapes[i], &shapes[j], 60 + 6 * i + j, &remembered);
            if (remembered < 990)
                print_error("shapes %u and %u: %u of 1000\n", i, j, remembered);
            assert_true(remembered >= 990);
        }
    }
    for (int h = 0; h < 3; h++)
        trvi_convex_release(hulls[h]);
}

// From memory, where a plane is told without a root: the rotations are as far from unit as
// rounding leaves them, and farther.
static void every_plane_has_a_unit_normal_whatever_rounding_leaves_of_a_rotation(void **state)
{
    (void)state;
    test_random random = {71};
    trv_hull *hull = make_globe(6, 9, (trv_vec3){1, 0.6f, 0.8f});
    trv_shape shapes[2] = {trv_make_box((trv_vec3){0.5f, 0.7f, 0.6f}), trv_make_hull(hull)};
    for (int i = 0; i < 5000; i++) {
        const trv_shape *shape = &shapes[i % 2];
        float longer = 1.0f + (float)(i % 81 - 40) * 0.5f * FLT_EPSILON;
        trv_pose a = at(0, 0, 0), b = at(2.5f, 2.5f, -2.5f);
        trv_quat q = i % 3 == 0 ? random_quat(&random) : (trv_quat){0.8f, 0.0f, 0.6f, 0.0f};
        a.rotation = (trv_quat){q.x * longer, q.y * longer, q.z * longer, q.w * longer};
        trv_plane_cache cache = {0};
        trv_separation s;
        for (int turn = 0; turn < 3; turn++) {
            expect_result(trv_separate(shape, a, shape, b, &cache, &s), TRV_OK);
            assert_true(s.apart);
            expect_near(trvi_dlength(trvi_dvec3_from(s.plane.normal)), 1.0, 1.0e-6);
        }
    }
    trvi_convex_release(hull);
}

// Balls that are far from their own origins, of which one is near the other's place in the world.
static void
a_remembered_gap_is_good_to_a_millionth_whatever_rounding_leaves_of_a_rotation(void **state)
{
    (void)state;
    test_random random = {72};
    for (int i = 0; i < 5000; i++) {
        trv_vec3 center = trvi_scale(random_vec3(&random, 1.0f), 100.0f);
        float longer = 1.0f + (float)(i % 21 - 10) * 0.5f * FLT_EPSILON;
        trv_shape a = trv_make_sphere(center, 1.0f), b = trv_make_sphere(trvi_vec3(0, 0, 0), 1.0f);
        trv_quat q = i % 3 == 0 ? random_quat(&random) : (trv_quat){0.8f, 0.0f, 0.6f, 0.0f};
        trv_pose pa = {trvi_vec3(0, 0, 0),
                       {q.x * longer, q.y * longer, q.z * longer, q.w * longer}};
        trv_pose pb = trv_make_pose(trvi_add(trv_rotate(q, center), random_vec3(&random, 20.0f)));
        trv_plane_cache cache = {0};
        trv_separation s;
        trvi_dmat3 turn = trvi_dmat3_from_quat(pa.rotation);
        trvi_dvec3 between =
            trvi_dsub(trvi_dvec3_from(pb.position), trvi_dmat3_mul(&turn, trvi_dvec3_from(center)));
        for (int again = 0; again < 3; again++) {
            expect_result(trv_separate(&a, pa, &b, pb, &cache, &s), TRV_OK);
            if (!s.apart)
                continue;
            double gap = trvi_ddot(trvi_dvec3_from(s.plane.normal), between) - 2.0;
            expect_near(s.gap, gap, 1.2e-6 * (double)trvi_length(center));
        }
    }
}

static void half_spaces_part_from_shapes_above_them(void **state)
{
    (void)state;
    trv_shape plane =
        trv_make_half_space((trv_vec3){0.0f, 1.0f, 0.0f}, (trv_vec3){0.0f, 1.0f, 0.0f});
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    trv_separation s;
    expect_result(trv_separate(&plane, at(0, 0, 0), &box, at(5, 2, 0), NULL, &s), TRV_OK);
    assert_true(s.apart);
    assert_int_equal(s.source, TRV_PLANE_FACE_A);
    expect_near(s.gap, 0.5, 1.0e-6);
    expect_near(s.plane.normal.y, 1.0, 1.0e-6);
    expect_near(s.plane.offset, -1.25, 1.0e-6);
    expect_result(trv_separate(&box, at(5, 2, 0), &plane, at(0, 0, 0), NULL, &s), TRV_OK);
    assert_int_equal(s.source, TRV_PLANE_FACE_B);
    expect_near(s.plane.normal.y, -1.0, 1.0e-6);
    expect_near(s.plane.offset, 1.25, 1.0e-6);
    expect_result(trv_separate(&plane, at(0, 0, 0), &box, at(5, 1.4f, 0), NULL, &s), TRV_OK);
    assert_false(s.apart);
    assert_int_equal(s.source, TRV_PLANE_NONE);
}

static void a_gap_of_a_millionth_is_apart_and_an_overlap_of_one_is_not(void **state)
{
    (void)state;
    test_random random = {52};
    trv_hull *hull = make_globe(12, 16, (trv_vec3){1.0f, 1.0f, 1.0f});
    trv_shape a = trv_make_hull(hull);
    for (int i = 0; i < 500; i++) {
        trv_pose pa = at(0, 0, 0), pb = {random_vec3(&random, 1.0f), random_quat(&random)};
        trv_gap gap;
        expect_result(trv_distance(&a, pa, &a, pb, &gap), TRV_OK);
        for (int turn = 0; turn < 2; turn++) {
            float wanted = turn == 0 ? 8.0e-6f : -8.0e-6f;
            trv_pose moved = pb;
            moved.position = trvi_mul_add(pb.position, gap.normal, wanted - gap.distance);
            trv_separation s;
            expect_result(trv_separate(&a, pa, &a, moved, NULL, &s), TRV_OK);
            assert_int_equal(s.apart, turn == 0);
        }
    }
    trvi_convex_release(hull);
}

// The far pose and the box's own place in its shape round differently when they are added up.
static void boxes_beside_their_origins_touch_far_out_where_they_do(void **state)
{
    (void)state;
    const trv_vec3 half = {0.01875f, 0.01875f, 0.01875f};
    test_random random = {17};
    for (int i = 0; i < 2000; i++) {
        float far_off = random_float(&random, 1.0e3f, 1.0e6f), aside = random_float(&random, -1, 1);
        trv_vec3 lower = {-half.x, aside * half.y, aside}, upper = {half.x, -half.y, aside};
        trv_shape a = trv_make_placed_box((trv_obb){lower, half, trv_identity_quat()});
        trv_shape b = trv_make_placed_box((trv_obb){upper, half, trv_identity_quat()});
        trv_pose pose = at(far_off, -far_off, 0.5f * far_off); // of both
        pose.rotation = random_quat(&random);
        trv_separation s;
        bool overlap;
        expect_result(trv_separate(&a, pose, &b, pose, NULL, &s), TRV_OK);
        expect_result(trv_overlap(&a, pose, &b, pose, &overlap), TRV_OK);
        assert_false(s.apart);
        assert_true(overlap);
    }
}

// One step of a slow motion, and back again after the last.
static trv_pose slow_pose(trv_vec3 axis, float turn, float x, float far_off)
{
    trv_pose pose = at(far_off + x, 0.01f * turn, 0.0f);
    pose.rotation = trv_quat_about(axis, 0.01f * turn);
    return pose;
}

// How often the cache was enough, and its direction one that stays in the world.
typedef struct tally {
    uint32_t remembered, steady, turning;
} tally;

// Asks in three ways in turn, of which the first two have the same bits.
static void part_alike(const trv_shape *a, const trv_shape *b, float far_off, test_random *random,
                       tally *sum)
{
    trv_vec3 axis_a = trvi_normalize_or(random_vec3(random, 1.0f), (trv_vec3){0, 1, 0}),
             axis_b = trvi_normalize_or(random_vec3(random, 1.0f), (trv_vec3){0, 1, 0});
    trv_plane_cache cache = {0};
    for (int frame = 0; frame < 200; frame++) {
        trv_pose pa = slow_pose(axis_a, (float)frame, 0.0f, far_off);
        trv_pose pb = slow_pose(axis_b, -(float)frame, 1.75f, far_off);
        trv_plane_cache four = cache, any = cache;
        trv_separation s, by_four, by_any;
        memset(&s, 0, sizeof s);
        memset(&by_four, 0, sizeof by_four);
        expect_result(trv_separate(a, pa, b, pb, &cache, &s), TRV_OK);
        if (!trvi_is_parting(&four))
            continue;
        expect_result(trvi_separate_four(a, b, &four, &by_four, &pa, &pb), TRV_OK);
        assert_memory_equal(&by_four, &s, sizeof s);
        assert_memory_equal(&four, &cache, sizeof cache);
        expect_result(trvi_separate_any(a, b, &any, &by_any, &pa, &pb), TRV_OK);
        assert_int_equal(by_any.apart, s.apart);
        assert_int_equal(any.vertex_a, cache.vertex_a);
        assert_int_equal(any.vertex_b, cache.vertex_b);
        expect_near(by_any.gap, s.gap, 0.0);
        expect_near(by_any.plane.offset, s.plane.offset, 1.0e-6 * (1.0f + far_off));
        sum->remembered += s.remembered;
        sum->steady += s.remembered && cache.steady != 0;
        sum->turning += s.remembered && cache.steady == 0;
    }
}

static void large_hulls_are_parted_alike_side_by_side_and_one_by_one(void **state)
{
    (void)state;
    test_random random = {57};
    tally sum = {0, 0, 0};
    for (int pair = 0; pair < 24; pair++) {
        uint32_t rings = 3 + (uint32_t)pair % 8;
        trv_hull *one = make_globe(rings, 6 + rings, (trv_vec3){1.0f, 0.6f, 0.8f});
        trv_hull *other = make_globe(rings + 2, 5, (trv_vec3){0.7f, 0.9f, 0.5f});
        trv_shape a = trv_make_hull(one), b = trv_make_hull(other);
        part_alike(&a, &b, pair % 3 == 0 ? 300.0f : 0.0f, &random, &sum);
        trv_hull_release(one);
        trv_hull_release(other);
    }
    assert_true(sum.remembered > 1000 && sum.steady > 100);
}

// Columns of eight beside eight, of eight beside sixteen, and of few beside many.
static void small_hulls_are_parted_alike_side_by_side_and_one_by_one(void **state)
{
    (void)state;
    static const uint32_t rings[4] = {2, 3, 4, 5};
    test_random random = {58};
    tally sum = {0, 0, 0};
    for (int pair = 0; pair < 32; pair++) {
        uint32_t ring_a = rings[pair % 4], ring_b = rings[pair / 4 % 4];
        trv_hull *one = make_globe(ring_a, 3 + (uint32_t)pair % 2, (trv_vec3){1.0f, 0.6f, 0.8f});
        trv_hull *other = make_globe(ring_b, 4, (trv_vec3){0.7f, 0.9f, 0.5f});
        trv_shape a = trv_make_hull(one), b = trv_make_hull(other);
        part_alike(&a, &b, pair % 3 == 0 ? 300.0f : 0.0f, &random, &sum);
        trv_hull_release(one);
        trv_hull_release(other);
    }
    assert_true(sum.remembered > 1000 && sum.steady > 100 && sum.turning > 100);
}

static void boxes_are_parted_alike_side_by_side_and_one_by_one(void **state)
{
    (void)state;
    test_random random = {59};
    tally sum = {0, 0, 0};
    for (int pair = 0; pair < 32; pair++) {
        trv_obb one = {random_vec3(&random, 0.2f), {0.9f, 0.4f, 0.5f}, trv_identity_quat()};
        trv_obb other = {{0.0f, 0.1f, 0.0f}, {0.4f, 0.6f, 0.5f}, trv_identity_quat()};
        if (pair % 4 == 0)
            other.rotation = random_quat(&random);
        trv_shape a = trv_make_placed_box(one), b = trv_make_placed_box(other);
        part_alike(&a, &b, pair % 3 == 0 ? 300.0f : 0.0f, &random, &sum);
    }
    assert_true(sum.remembered > 1000 && sum.steady > 100 && sum.turning > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plane_names_the_face_or_the_edges_that_made_it),
        cmocka_unit_test(what_a_face_all_but_grazes_is_parted_by_another_plane),
        cmocka_unit_test(every_plane_parts_its_shapes_also_far_from_the_origin),
        cmocka_unit_test(shapes_that_pass_closely_are_parted_from_memory_all_the_way),
        cmocka_unit_test(every_plane_has_a_unit_normal_whatever_rounding_leaves_of_a_rotation),
        cmocka_unit_test(
            a_remembered_gap_is_good_to_a_millionth_whatever_rounding_leaves_of_a_rotation),
        cmocka_unit_test(half_spaces_part_from_shapes_above_them),
        cmocka_unit_test(a_gap_of_a_millionth_is_apart_and_an_overlap_of_one_is_not),
        cmocka_unit_test(boxes_beside_their_origins_touch_far_out_where_they_do),
        cmocka_unit_test(the_cache_keeps_the_gap_and_none_in_contact),
        cmocka_unit_test(large_hulls_are_parted_alike_side_by_side_and_one_by_one),
        cmocka_unit_test(small_hulls_are_parted_alike_side_by_side_and_one_by_one),
        cmocka_unit_test(boxes_are_parted_alike_side_by_side_and_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
