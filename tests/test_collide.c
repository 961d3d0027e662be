// The public questions: all pairs of kinds, symmetry, the cache, and what callers may get wrong.
#include "support.h"

#include <trivet/mesh.h>

#include "../src/narrow/reference.h"
#include "hulls.h"

#define ORIGIN ((trv_vec3){0.0f, 0.0f, 0.0f})

static trv_hull *globe, *prism;

static int make_hulls(void **state)
{
    (void)state;
    globe = make_globe(6, 6, (trv_vec3){0.5f, 0.6f, 0.4f});
    prism = make_prism(5, 0.5f, 0.3f);
    return globe != NULL && prism != NULL ? 0 : -1;
}

static int free_hulls(void **state)
{
    (void)state;
    trvi_convex_release(globe);
    trvi_convex_release(prism);
    return 0;
}

enum { SHAPES = 7 };

static trv_shape shape_number(int i)
{
    trv_obb placed = {{0.2f, -0.1f, 0.3f}, {0.3f, 0.4f, 0.2f}, {0.5f, 0.5f, 0.5f, 0.5f}};
    switch (i) {
    case 0:
        return trv_make_sphere((trv_vec3){0.1f, 0.2f, 0.0f}, 0.5f);
    case 1:
        return trv_make_capsule((trv_vec3){-0.4f, 0.0f, 0.1f}, (trv_vec3){0.5f, 0.1f, 0.0f}, 0.25f);
    case 2:
        return trv_make_box((trv_vec3){0.5f, 0.3f, 0.4f});
    case 3:
        return trv_make_placed_box(placed);
    case 4:
        return trv_make_hull(globe);
    case 5:
        return trv_make_hull(prism);
    default:
        return trv_make_half_space((trv_vec3){0.0f, -0.2f, 0.0f}, (trv_vec3){0.6f, 0.8f, 0.0f});
    }
}

static trv_pose random_pose(test_random *random, float extent)
{
    trv_pose pose = {random_vec3(random, extent), random_quat(random)};
    return pose;
}

static bool same_place(trv_vec3 a, trv_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool mirrors_gap(const trv_gap *a, const trv_gap *b)
{
    return a->distance == b->distance && same_place(a->normal, trvi_negate(b->normal)) &&
           same_place(a->point_a, b->point_b) && same_place(a->point_b, b->point_a);
}

// To the last bit, but for the names, which tell whose vertices and edges they are.
static bool mirrors_manifold(const trv_manifold *a, const trv_manifold *b)
{
    bool same = a->count == b->count && same_place(a->normal, trvi_negate(b->normal));
    for (uint32_t i = 0; same && i < a->count; i++)
        same = a->points[i].separation == b->points[i].separation &&
               same_place(a->points[i].point, b->points[i].point);
    return same;
}

static void swapping_a_and_b_mirrors_every_answer(void **state)
{
    (void)state;
    test_random random = {31};
    uint32_t meeting = 0, apart = 0;
    for (int i = 0; i < 40 * SHAPES * SHAPES; i++) {
        int ka = i % SHAPES, kb = i / SHAPES % SHAPES;
        if (ka == SHAPES - 1 && kb == SHAPES - 1)
            continue;
        trv_shape a = shape_number(ka), b = shape_number(kb);
        trv_pose pa = random_pose(&random, 0.8f), pb = random_pose(&random, 0.8f);
        trv_gap ab, ba;
        trv_manifold mab, mba;
        trv_separation sab, sba;
        expect_result(trv_distance(&a, pa, &b, pb, &ab), TRV_OK);
        expect_result(trv_distance(&b, pb, &a, pa, &ba), TRV_OK);
        assert_true(mirrors_gap(&ab, &ba));
        expect_near(trvi_length(ab.normal), 1.0, 1.0e-5);
        expect_result(trv_separate(&a, pa, &b, pb, NULL, &sab), TRV_OK);
        expect_result(trv_separate(&b, pb, &a, pa, NULL, &sba), TRV_OK);
        assert_int_equal(sab.apart, sba.apart);
        assert_int_equal(sab.apart, ab.distance > 0.0f);
        expect_result(trv_collide(&a, pa, &b, pb, 0.1f, NULL, &mab), TRV_OK);
        expect_result(trv_collide(&b, pb, &a, pa, 0.1f, NULL, &mba), TRV_OK);
        assert_int_equal(mab.count > 0, ab.distance <= 0.1f);
        assert_true(mirrors_manifold(&mab, &mba));
        meeting += mab.count > 0;
        apart += mab.count == 0;
    }
    assert_true(meeting > 400 && apart > 200);
}

static void answers_agree_with_the_enumeration_of_planes(void **state)
{
    (void)state;
    test_random random = {32};
    uint32_t apart = 0, meeting = 0;
    for (int i = 0; i < 150; i++) {
        trv_shape a = shape_number(2 + i % 4), b = shape_number(2 + i / 4 % 4);
        trv_pose pa = random_pose(&random, 0.6f), pb = random_pose(&random, 0.6f);
        trv_separation wanted, got;
        bool overlap = true;
        trvi_separate_reference(&a, pa, &b, pb, &wanted);
        expect_result(trv_separate(&a, pa, &b, pb, NULL, &got), TRV_OK);
        expect_result(trv_overlap(&a, pa, &b, pb, &overlap), TRV_OK);
        assert_int_equal(got.apart, wanted.apart);
        assert_int_equal(overlap, !wanted.apart);
        apart += wanted.apart;
        meeting += !wanted.apart;
        if (!wanted.apart) {
            trv_gap gap;
            expect_result(trv_distance(&a, pa, &b, pb, &gap), TRV_OK);
            expect_near(gap.distance, wanted.gap, 1.0e-5);
        }
    }
    assert_true(apart > 20 && meeting > 20);
}

static void a_rigid_motion_of_both_moves_the_answer(void **state)
{
    (void)state;
    test_random random = {33};
    for (int i = 0; i < 1000; i++) {
        trv_shape a = shape_number(i % SHAPES), b = shape_number(i / SHAPES % (SHAPES - 1));
        trv_pose pa = random_pose(&random, 0.8f), pb = random_pose(&random, 0.8f);
        trv_pose motion = random_pose(&random, 4.0f), qa = pa, qb = pb;
        qa.position = trvi_pose_apply(motion, pa.position);
        qb.position = trvi_pose_apply(motion, pb.position);
        qa.rotation = trv_quat_multiply(motion.rotation, pa.rotation);
        qb.rotation = trv_quat_multiply(motion.rotation, pb.rotation);
        trv_gap before, after;
        expect_result(trv_distance(&a, pa, &b, pb, &before), TRV_OK);
        expect_result(trv_distance(&a, qa, &b, qb, &after), TRV_OK);
        expect_near(before.distance, after.distance, 1.0e-5);
    }
}

static bool same_manifold(const trv_manifold *a, const trv_manifold *b)
{
    bool same = a->count == b->count && trvi_length(trvi_sub(a->normal, b->normal)) == 0.0f;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = a->points[i].separation == b->points[i].separation &&
               a->points[i].feature == b->points[i].feature &&
               trvi_length(trvi_sub(a->points[i].point, b->points[i].point)) == 0.0f;
    return same;
}

// Turns and drifts through contact and out again, 1000 frames.
static trv_pose drifting(int frame, float reach)
{
    float t = (float)frame * 0.01f;
    trv_pose pose;
    pose.position = (trv_vec3){reach * trvi_cos(t), 0.3f * trvi_sin(1.7f * t), 0.2f * trvi_sin(t)};
    pose.rotation = trv_quat_about((trv_vec3){1.0f, 0.5f, -0.25f}, 0.8f * t);
    return pose;
}

static void cached_and_cold_answers_are_the_same_in_every_frame(void **state)
{
    (void)state;
    uint32_t hits = 0, apart = 0, contacts = 0;
    for (int pair = 0; pair < SHAPES * (SHAPES - 1); pair++) {
        trv_shape a = shape_number(pair % SHAPES), b = shape_number(pair / SHAPES);
        trv_pose pa = trv_make_pose(ORIGIN);
        trv_plane_cache cache, plane;
        memset(&cache, 0, sizeof cache);
        memset(&plane, 0, sizeof plane);
        for (int frame = 0; frame < 1000; frame++) {
            trv_pose pb = drifting(frame, 1.1f);
            trv_manifold warm, cold;
            trv_separation remembered, searched;
            trvi_answer answer = trvi_collide(&a, pa, &b, pb, 0.02f, &cache, NULL, &warm);
            trvi_collide(&a, pa, &b, pb, 0.02f, NULL, NULL, &cold);
            assert_true(same_manifold(&warm, &cold));
            assert_int_equal(answer == TRVI_CONTACT, warm.count > 0);
            expect_result(trv_separate(&a, pa, &b, pb, &plane, &remembered), TRV_OK);
            expect_result(trv_separate(&a, pa, &b, pb, NULL, &searched), TRV_OK);
            assert_int_equal(remembered.apart, searched.apart);
            hits += answer == TRVI_APART_REMEMBERED;
            apart += answer != TRVI_CONTACT;
            contacts += answer == TRVI_CONTACT;
        }
    }
    assert_true(apart > 1000 && contacts > 1000);
    assert_true((double)hits >= 0.95 * apart);
}

// What is remembered is turned round with the shapes, and is of use whichever way they are given.
static void a_cache_serves_shapes_that_change_places_in_every_frame(void **state)
{
    (void)state;
    uint32_t contacts = 0;
    for (int pair = 0; pair < 4; pair++) {
        trv_shape a = trv_make_hull(pair % 2 ? globe : prism);
        trv_shape b = trv_make_hull(pair / 2 ? globe : prism);
        trv_pose pa = trv_make_pose(ORIGIN);
        trv_plane_cache cache;
        memset(&cache, 0, sizeof cache);
        for (int frame = 0; frame < 1500; frame++) {
            trv_pose pb = drifting(frame, 0.7f);
            trv_manifold warm, cold;
            if (frame % 2 == 0) {
                expect_result(trv_collide(&a, pa, &b, pb, 0.02f, &cache, &warm), TRV_OK);
                expect_result(trv_collide(&a, pa, &b, pb, 0.02f, NULL, &cold), TRV_OK);
            } else {
                expect_result(trv_collide(&b, pb, &a, pa, 0.02f, &cache, &warm), TRV_OK);
                expect_result(trv_collide(&b, pb, &a, pa, 0.02f, NULL, &cold), TRV_OK);
            }
            assert_true(same_manifold(&warm, &cold));
            contacts += warm.count > 0;
        }
    }
    assert_true(contacts > 1000);
}

// Of faces that were united within a tolerance the polytope finds halves, which are nobody's face.
static void halves_of_bent_faces_carry_a_contact_as_well(void **state)
{
    (void)state;
    test_random random = {36};
    uint32_t carried = 0;
    for (int pair = 0; pair < 12; pair++) {
        trv_vec3 points[8];
        for (int i = 0; i < 8; i++) {
            float side = i == 7 ? 0.500002f : 0.5f;
            points[i] =
                (trv_vec3){i & 1 ? side : -side, i & 2 ? side : -side, i & 4 ? side : -side};
        }
        trv_hull_def def = trv_default_hull_def();
        trv_hull *bent;
        expect_result(trv_hull_create(points, 8, &def, &bent), TRV_OK);
        assert_int_equal(bent->face_count, 6);
        trv_shape a = trv_make_hull(bent), b = trv_make_hull(globe);
        trv_vec3 side = random_vec3(&random, 0.3f), axis = random_vec3(&random, 1.0f);
        trv_quat base = random_quat(&random);
        float tops[3] = {0.98f, 1.08f, 0.88f};
        side.x = pair % 3 == 0 ? tops[0] : side.x;
        side.y = pair % 3 == 1 ? tops[1] : side.y;
        side.z = pair % 3 == 2 ? tops[2] : side.z;
        trv_plane_cache cache;
        memset(&cache, 0, sizeof cache);
        for (int frame = 0; frame < 600; frame++) {
            trv_pose pa = trv_make_pose(ORIGIN), pb;
            pb.position = side;
            pb.rotation = trv_quat_multiply(trv_quat_about(axis, 0.002f * (float)frame), base);
            trv_manifold warm, cold;
            uint32_t before = cache.source;
            expect_result(trv_collide(&a, pa, &b, pb, 0.02f, &cache, &warm), TRV_OK);
            expect_result(trv_collide(&a, pa, &b, pb, 0.02f, NULL, &cold), TRV_OK);
            bool by_corners = (cache.source & 0xFFu) == TRV_PLANE_VERTICES &&
                              cache.source == before && warm.count > 0;
            carried += by_corners;
            if (!by_corners) {
                assert_true(same_manifold(&warm, &cold));
                continue;
            }
            float least = HUGE_VALF, wanted = HUGE_VALF;
            for (uint32_t i = 0; i < warm.count; i++)
                least = fminf(least, warm.points[i].separation);
            for (uint32_t i = 0; i < cold.count; i++)
                wanted = fminf(wanted, cold.points[i].separation);
            expect_near(least, wanted, 2.0e-6);
            assert_true(trvi_dot(warm.normal, cold.normal) > 0.9999f);
        }
        trv_hull_release(bent);
    }
    assert_true(carried > 500);
}

static void a_cache_that_holds_anything_changes_no_answer(void **state)
{
    (void)state;
    test_random random = {34};
    for (int i = 0; i < 4000; i++) {
        trv_shape a = shape_number(i % SHAPES), b = shape_number(i / SHAPES % (SHAPES - 1));
        trv_pose pa = random_pose(&random, 0.7f), pb = random_pose(&random, 0.7f);
        trv_plane_cache cache;
        for (size_t k = 0; k < sizeof cache; k++)
            ((unsigned char *)&cache)[k] = (unsigned char)random_bits(&random);
        if (i % 2 == 0)
            cache.normal = trvi_normalize_or(random_vec3(&random, 1.0f), (trv_vec3){1, 0, 0});
        trv_plane_cache other = cache;
        trv_manifold dirty, clean;
        trv_separation with, without;
        expect_result(trv_collide(&a, pa, &b, pb, 0.05f, &cache, &dirty), TRV_OK);
        expect_result(trv_collide(&a, pa, &b, pb, 0.05f, NULL, &clean), TRV_OK);
        assert_true(same_manifold(&dirty, &clean));
        expect_result(trv_separate(&a, pa, &b, pb, &other, &with), TRV_OK);
        expect_result(trv_separate(&a, pa, &b, pb, NULL, &without), TRV_OK);
        assert_int_equal(with.apart, without.apart);
    }
}

// A slot of caches that is used again, or a shape that was exchanged: what was kept for one pair is
// handed in with another one.
static void a_cache_of_another_pair_changes_no_answer(void **state)
{
    (void)state;
    test_random random = {47};
    uint32_t meeting = 0;
    for (int i = 0; i < 60 * SHAPES * SHAPES; i++) {
        int kb = i % SHAPES, kc = i / SHAPES % SHAPES;
        trv_shape a = shape_number(2 + (int)(random_bits(&random) % 4)), b = shape_number(kb);
        trv_shape c = shape_number(kc), d = shape_number((int)(random_bits(&random) % SHAPES));
        if (kc == SHAPES - 1 && d.kind == TRV_SHAPE_PLANE)
            continue;
        trv_plane_cache cache;
        memset(&cache, 0, sizeof cache);
        trv_pose pa = random_pose(&random, 0.4f), pb = random_pose(&random, 0.4f);
        trv_manifold warm, cold;
        expect_result(trv_collide(&a, pa, &b, pb, 0.02f, &cache, &warm), TRV_OK);
        expect_result(trv_collide(&c, pa, &d, pb, 0.02f, NULL, &cold), TRV_OK);
        expect_result(trv_collide(&c, pa, &d, pb, 0.02f, &cache, &warm), TRV_OK);
        assert_int_equal(warm.count > 0, cold.count > 0);
        meeting += cold.count > 0;
    }
    assert_true(meeting > 1000);
}

static void nested_and_concentric_shapes_have_a_finite_unit_normal(void **state)
{
    (void)state;
    trv_pose pose = trv_make_pose(ORIGIN);
    for (int i = 0; i < SHAPES * (SHAPES - 1); i++) {
        trv_shape a = shape_number(i % SHAPES), b = shape_number(i / SHAPES);
        if (b.kind == TRV_SHAPE_SPHERE)
            b.as.sphere.center = ORIGIN;
        if (a.kind == TRV_SHAPE_SPHERE)
            a.as.sphere.center = ORIGIN;
        trv_gap gap;
        trv_manifold m;
        expect_result(trv_distance(&a, pose, &b, pose, &gap), TRV_OK);
        expect_near(trvi_length(gap.normal), 1.0, 1.0e-5);
        assert_true(gap.distance < 0.0f);
        expect_result(trv_collide(&a, pose, &b, pose, 0.0f, NULL, &m), TRV_OK);
        assert_true(m.count > 0);
        expect_near(trvi_length(m.normal), 1.0, 1.0e-5);
        // Moving B out along the normal by the depth makes them just touch.
        trv_pose out = pose;
        out.position = trvi_scale(gap.normal, -gap.distance);
        trv_gap after;
        expect_result(trv_distance(&a, pose, &b, out, &after), TRV_OK);
        expect_near(after.distance, 0.0, 2.0e-5);
    }
}

static void exact_touch_counts_as_touching(void **state)
{
    (void)state;
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    trv_shape ball = trv_make_sphere(ORIGIN, 0.5f), floor_ = shape_number(SHAPES - 1);
    floor_.as.plane = (trv_plane){{0.0f, 1.0f, 0.0f}, 0.0f};
    const struct {
        trv_shape a, b;
        trv_vec3 at;
    } rows[] = {
        {box, box, {1.0f, 0.0f, 0.0f}},     {box, box, {1.0f, 1.0f, 0.0f}},
        {box, box, {1.0f, 1.0f, 1.0f}},     {box, ball, {0.0f, 1.0f, 0.25f}},
        {ball, ball, {0.0f, 0.0f, 1.0f}},   {floor_, box, {3.0f, 0.5f, 1.0f}},
        {floor_, ball, {3.0f, 0.5f, 1.0f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        trv_pose pa = trv_make_pose(ORIGIN), pb = trv_make_pose(rows[i].at);
        trv_manifold m;
        bool overlap = false;
        expect_result(trv_overlap(&rows[i].a, pa, &rows[i].b, pb, &overlap), TRV_OK);
        assert_true(overlap);
        expect_result(trv_collide(&rows[i].a, pa, &rows[i].b, pb, 0.0f, NULL, &m), TRV_OK);
        assert_true(m.count > 0);
        // Backwards by a thousandth, they are apart by just that.
        pb.position = trvi_scale(rows[i].at, 1.001f);
        trv_separation s;
        expect_result(trv_separate(&rows[i].a, pa, &rows[i].b, pb, NULL, &s), TRV_OK);
        assert_true(s.apart && s.gap > 0.0f && s.gap < 0.002f);
    }
}

// The distance, which is searched for, tells where they meet; the contact of spheres is not.
static void spheres_meet_on_the_line_between_their_middles(void **state)
{
    (void)state;
    test_random random = {70};
    uint32_t met = 0, apart = 0;
    for (int round = 0; round < 2000; round++) {
        trv_vec3 own = round % 2 == 0 ? ORIGIN : random_vec3(&random, 0.5f);
        trv_shape a = trv_make_sphere(own, 0.5f), b = trv_make_sphere(ORIGIN, 0.75f);
        trv_pose pa = random_pose(&random, 1.0f), pb = random_pose(&random, 1.0f);
        trv_manifold m, back;
        trv_gap gap;
        trv_plane_cache cache = {0};
        expect_result(trv_distance(&a, pa, &b, pb, &gap), TRV_OK);
        expect_result(trv_collide(&a, pa, &b, pb, 0.1f, &cache, &m), TRV_OK);
        expect_result(trv_collide(&b, pb, &a, pa, 0.1f, NULL, &back), TRV_OK);
        if (fabsf(gap.distance - 0.1f) > 1.0e-5f)
            assert_int_equal(m.count, gap.distance < 0.1f);
        assert_int_equal(m.count, back.count);
        if (gap.distance > 0.0f)
            assert_true(cache.gap <= gap.distance && cache.gap > gap.distance - 1.0e-5f);
        else
            assert_true(cache.gap <= 0.0f);
        apart += m.count == 0;
        if (m.count == 0)
            continue;
        met++;
        trv_vec3 middle = trvi_scale(trvi_add(gap.point_a, gap.point_b), 0.5f);
        expect_near(m.points[0].separation, gap.distance, 1.0e-6);
        expect_near(trvi_length(trvi_sub(m.normal, gap.normal)), 0.0, 1.0e-6);
        expect_near(trvi_length(trvi_sub(m.points[0].point, middle)), 0.0, 2.0e-6);
        assert_true(same_place(m.normal, trvi_negate(back.normal)));
        assert_true(same_place(m.points[0].point, back.points[0].point));
        assert_true(m.points[0].separation == back.points[0].separation);
    }
    assert_true(met > 100 && apart > 100);
}

// Both ways round, with and without a cache.
static trv_manifold contact_of(const trv_shape *a, trv_pose pa, const trv_shape *b, trv_pose pb,
                               float margin, trv_plane_cache *cache)
{
    trv_manifold m, back, cold;
    memset(cache, 0, sizeof *cache);
    expect_result(trv_collide(a, pa, b, pb, margin, cache, &m), TRV_OK);
    expect_result(trv_collide(a, pa, b, pb, margin, NULL, &cold), TRV_OK);
    expect_result(trv_collide(b, pb, a, pa, margin, NULL, &back), TRV_OK);
    assert_true(mirrors_manifold(&m, &back));
    assert_true(mirrors_manifold(&cold, &back));
    return m;
}

// There is no way from one middle to the other that could tell a normal.
static void spheres_with_one_middle_mirror_their_contact(void **state)
{
    (void)state;
    test_random random = {71};
    for (int round = 0; round < 400; round++) {
        float radius = round % 3 == 0 ? 0.75f : random_float(&random, 0.1f, 2.0f);
        trv_vec3 own = round % 2 == 0 ? ORIGIN : random_vec3(&random, 0.5f);
        trv_shape a = trv_make_sphere(own, radius), b = trv_make_sphere(own, 0.75f);
        trv_pose pa = random_pose(&random, 10.0f), pb = {pa.position, random_quat(&random)};
        if (round % 2 == 1)
            pb.rotation = pa.rotation;
        if (round % 6 == 3)
            continue; // one and the same: either way round
        trv_plane_cache cache;
        trv_manifold m = contact_of(&a, pa, &b, pb, 0.0f, &cache);
        assert_int_equal(m.count, 1);
        expect_near(trvi_length(m.normal), 1.0, 1.0e-6);
        expect_near(m.points[0].separation, -radius - 0.75f, 1.0e-6);
    }
}

// Specks and giants, far out: what the distance tells, to the rounding of the lengths in its sums.
static void extreme_spheres_meet_where_their_distance_says(void **state)
{
    (void)state;
    static const float sizes[] = {1.0e-6f, 1.0e-3f, 1.0f, 1.0e3f, 1.0e6f};
    static const float places[] = {0.0f, 1.0f, 1.0e3f, 1.0e6f, 9.0e7f};
    test_random random = {72};
    uint32_t met = 0, apart = 0;
    for (int round = 0; round < 5000; round++) {
        float ra = sizes[round % 5], rb = sizes[round / 5 % 5], place = places[round / 25 % 5];
        trv_vec3 own = round % 2 == 0 ? ORIGIN : random_vec3(&random, ra);
        trv_shape a = trv_make_sphere(own, ra), b = trv_make_sphere(ORIGIN, rb);
        trv_pose pa = random_pose(&random, place), pb = {ORIGIN, random_quat(&random)};
        pb.position = trvi_add(pa.position, random_vec3(&random, ra + rb));
        float margin = round % 3 == 0 ? 0.0f : 0.1f * ra;
        trv_plane_cache cache;
        trv_gap gap;
        expect_result(trv_distance(&a, pa, &b, pb, &gap), TRV_OK);
        trv_manifold m = contact_of(&a, pa, &b, pb, margin, &cache);
        double near_by = (double)ra + (double)rb + (double)trvi_length(own),
               doubt = 1.0e-6 * near_by;
        double distance = (double)gap.distance;
        if (fabs(distance - (double)margin) > doubt)
            assert_int_equal(m.count, distance < (double)margin);
        assert_true((double)cache.gap <= fmax(distance, 0.0));
        met += m.count;
        apart += m.count == 0;
        if (m.count == 0)
            continue;
        trv_vec3 middle = trvi_scale(trvi_add(gap.point_a, gap.point_b), 0.5f);
        expect_near(m.points[0].separation, gap.distance, doubt);
        expect_near(trvi_length(trvi_sub(m.normal, gap.normal)), 0.0, 1.0e-6);
        expect_near(trvi_length(trvi_sub(m.points[0].point, middle)), 0.0,
                    4.0e-7 * (near_by + (double)place));
    }
    assert_true(met > 1000 && apart > 300);
}

static void bad_arguments_are_refused_and_outputs_zeroed(void **state)
{
    (void)state;
    trv_shape good = trv_make_sphere(ORIGIN, 1.0f);
    trv_pose pose = trv_make_pose(ORIGIN);
    trv_manifold m;
    trv_gap gap;
    trv_separation s;
    bool overlap;
    const struct {
        trv_shape shape;
        trv_result result;
    } rows[] = {
        {{.kind = TRV_SHAPE_NONE}, TRV_ERROR_KIND},
        {{.kind = TRV_SHAPE_KIND_COUNT}, TRV_ERROR_KIND},
        {trv_make_sphere(ORIGIN, 0.0f), TRV_ERROR_RANGE},
        {trv_make_sphere(ORIGIN, -1.0f), TRV_ERROR_RANGE},
        {trv_make_sphere(ORIGIN, NAN), TRV_ERROR_NUMBER},
        {trv_make_sphere(ORIGIN, 2.0e8f), TRV_ERROR_RANGE},
        {trv_make_sphere((trv_vec3){INFINITY, 0.0f, 0.0f}, 1.0f), TRV_ERROR_NUMBER},
        {trv_make_capsule(ORIGIN, (trv_vec3){0.0f, NAN, 0.0f}, 1.0f), TRV_ERROR_NUMBER},
        {trv_make_capsule(ORIGIN, ORIGIN, -1.0f), TRV_ERROR_RANGE},
        {trv_make_box((trv_vec3){1.0f, 0.0f, 1.0f}), TRV_ERROR_RANGE},
        {trv_make_box((trv_vec3){1.0f, INFINITY, 1.0f}), TRV_ERROR_NUMBER},
        {trv_make_placed_box((trv_obb){ORIGIN, {1, 1, 1}, {0, 0, 0, 2}}), TRV_ERROR_ROTATION},
        {trv_make_hull(NULL), TRV_ERROR_NULL},
        {trv_make_half_space(ORIGIN, (trv_vec3){0.0f, 2.0f, 0.0f}), TRV_ERROR_RANGE},
        {trv_make_half_space(ORIGIN, (trv_vec3){0.0f, NAN, 0.0f}), TRV_ERROR_NUMBER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const trv_shape *bad = &rows[i].shape;
        expect_result(trv_shape_check(bad), rows[i].result);
        m.count = 9;
        expect_result(trv_collide(bad, pose, &good, pose, 0.0f, NULL, &m), rows[i].result);
        assert_int_equal(m.count, 0);
        expect_result(trv_collide(&good, pose, bad, pose, 0.0f, NULL, &m), rows[i].result);
        gap.distance = 9.0f;
        expect_result(trv_distance(bad, pose, &good, pose, &gap), rows[i].result);
        expect_near(gap.distance, 0.0, 0.0);
        s.apart = true;
        expect_result(trv_separate(&good, pose, bad, pose, NULL, &s), rows[i].result);
        assert_false(s.apart);
        overlap = true;
        expect_result(trv_overlap(&good, pose, bad, pose, &overlap), rows[i].result);
        assert_false(overlap);
    }
}

static void missing_arguments_and_bad_poses_are_refused(void **state)
{
    (void)state;
    trv_shape good = trv_make_sphere(ORIGIN, 1.0f), plane = shape_number(SHAPES - 1);
    trv_pose pose = trv_make_pose(ORIGIN), bad_pose = pose;
    trv_manifold m;
    trv_gap gap;
    expect_result(trv_shape_check(NULL), TRV_ERROR_NULL);
    expect_result(trv_distance(NULL, pose, &good, pose, &gap), TRV_ERROR_NULL);
    expect_result(trv_distance(&good, pose, NULL, pose, &gap), TRV_ERROR_NULL);
    expect_result(trv_distance(&good, pose, &good, pose, NULL), TRV_ERROR_NULL);
    expect_result(trv_overlap(&good, pose, &good, pose, NULL), TRV_ERROR_NULL);
    expect_result(trv_separate(&good, pose, &good, pose, NULL, NULL), TRV_ERROR_NULL);
    expect_result(trv_collide(&good, pose, &good, pose, 0.0f, NULL, NULL), TRV_ERROR_NULL);
    expect_result(trv_collide(&good, pose, &good, pose, -1.0f, NULL, &m), TRV_ERROR_RANGE);
    expect_result(trv_collide(&good, pose, &good, pose, NAN, NULL, &m), TRV_ERROR_NUMBER);
    expect_result(trv_collide(&plane, pose, &plane, pose, 0.0f, NULL, &m), TRV_ERROR_KIND);
    expect_result(trv_distance(&plane, pose, &plane, pose, &gap), TRV_ERROR_KIND);
    bad_pose.position.y = NAN;
    expect_result(trv_distance(&good, pose, &good, bad_pose, &gap), TRV_ERROR_NUMBER);
    bad_pose = pose;
    bad_pose.rotation.w = 0.5f;
    expect_result(trv_distance(&good, bad_pose, &good, pose, &gap), TRV_ERROR_ROTATION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swapping_a_and_b_mirrors_every_answer),
        cmocka_unit_test(answers_agree_with_the_enumeration_of_planes),
        cmocka_unit_test(a_rigid_motion_of_both_moves_the_answer),
        cmocka_unit_test(cached_and_cold_answers_are_the_same_in_every_frame),
        cmocka_unit_test(a_cache_serves_shapes_that_change_places_in_every_frame),
        cmocka_unit_test(halves_of_bent_faces_carry_a_contact_as_well),
        cmocka_unit_test(a_cache_that_holds_anything_changes_no_answer),
        cmocka_unit_test(a_cache_of_another_pair_changes_no_answer),
        cmocka_unit_test(nested_and_concentric_shapes_have_a_finite_unit_normal),
        cmocka_unit_test(exact_touch_counts_as_touching),
        cmocka_unit_test(spheres_meet_on_the_line_between_their_middles),
        cmocka_unit_test(spheres_with_one_middle_mirror_their_contact),
        cmocka_unit_test(extreme_spheres_meet_where_their_distance_says),
        cmocka_unit_test(bad_arguments_are_refused_and_outputs_zeroed),
        cmocka_unit_test(missing_arguments_and_bad_poses_are_refused),
    };
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}
