// What must hold of the answers for any pair: exchanged, moved, scaled, degenerate, and frame by
// frame along motions, with and without what was remembered.
#include "support.h"

#include <trivet/mesh.h>

#include "../src/narrow/reference.h"
#include "../src/narrow/view.h"
#include "hulls.h"

enum { POINTS = 24 };

// A pair of shapes that can be made again at another scale.
typedef struct recipe {
    int kind;       // 0 sphere, 1 capsule, 2 box, 3 hull
    trv_vec3 sides; // factors along the axes: 1e-4 is thin
    float size;
    trv_vec3 points[POINTS];
} recipe;

static recipe random_recipe(test_random *random)
{
    static const float sizes[8] = {1.0f, 1.0f, 1.0e-3f, 1.0e6f, 0.1f, 30.0f, 1.0f, 1.0f};
    static const float thin[4] = {1.0f, 1.0f, 1.0e-2f, 1.0e-4f};
    recipe r;
    r.kind = (int)(random_bits(random) % 4);
    r.size = sizes[random_bits(random) % 8];
    r.sides = (trv_vec3){1.0f, thin[random_bits(random) % 4], thin[random_bits(random) % 3]};
    bool snapped = random_bits(random) % 2 == 0;
    for (int i = 0; i < POINTS; i++) {
        trv_vec3 p = random_vec3(random, 1.0f);
        if (snapped)
            p = (trv_vec3){floorf(p.x * 2.0f + 0.5f) * 0.5f, floorf(p.y * 2.0f + 0.5f) * 0.5f,
                           floorf(p.z * 2.0f + 0.5f) * 0.5f};
        r.points[i] = p;
    }
    return r;
}

// The hull, where there is one, is put in `*owned`.
static trv_shape make_shape(const recipe *r, float scale, trv_hull **owned)
{
    float size = r->size * scale;
    trv_vec3 half = trvi_scale(r->sides, 0.5f * size), points[POINTS];
    *owned = NULL;
    for (int i = 0; i < POINTS; i++)
        points[i] =
            (trv_vec3){r->points[i].x * r->sides.x * size, r->points[i].y * r->sides.y * size,
                       r->points[i].z * r->sides.z * size};
    trv_hull_def def = trv_default_hull_def();
    if (r->kind == 0)
        return trv_make_sphere(points[0], 0.5f * size);
    if (r->kind == 1)
        return trv_make_capsule(points[0], points[1], 0.25f * size);
    if (r->kind == 2 || trv_hull_create(points, POINTS, &def, owned) != TRV_OK)
        return trv_make_box(half);
    return trv_make_hull(*owned);
}

static double size_of(const recipe *r)
{
    return 3.5 * (double)r->size;
}

static trv_pose random_pose(test_random *random, float extent)
{
    trv_pose pose = {random_vec3(random, extent), random_quat(random)};
    return pose;
}

static void exchanged_pairs_of_any_size_give_mirrored_answers(void **state)
{
    (void)state;
    test_random random = {71};
    int apart = 0, meeting = 0;
    for (int i = 0; i < 4000; i++) {
        recipe ra = random_recipe(&random), rb = random_recipe(&random);
        trv_hull *ha, *hb;
        trv_shape a = make_shape(&ra, 1.0f, &ha), b = make_shape(&rb, 1.0f, &hb);
        float extent = 0.7f * fmaxf(ra.size, rb.size);
        trv_pose pa = random_pose(&random, extent), pb = random_pose(&random, extent);
        trv_gap ab, ba;
        bool one, two;
        double size = size_of(&ra) + size_of(&rb), slack = 4.0e-7 * size;
        expect_result(trv_distance(&a, pa, &b, pb, &ab), TRV_OK);
        expect_result(trv_distance(&b, pb, &a, pa, &ba), TRV_OK);
        expect_near(ab.distance, ba.distance, slack);
        expect_result(trv_overlap(&a, pa, &b, pb, &one), TRV_OK);
        expect_result(trv_overlap(&b, pb, &a, pa, &two), TRV_OK);
        if (fabs(ab.distance) > 1.0e-9 * size)
            assert_true(one == two && one == (ab.distance < 0.0f));
        if (ab.distance > 0.01 * size)
            expect_near(trvi_length(trvi_add(ab.normal, ba.normal)), 0.0, 1.0e-4);
        apart += ab.distance > 0.0f;
        meeting += ab.distance < 0.0f;
        trv_hull_release(ha);
        trv_hull_release(hb);
    }
    assert_true(apart > 500 && meeting > 500);
}

static void pairs_moved_together_keep_their_distance(void **state)
{
    (void)state;
    test_random random = {72};
    for (int i = 0; i < 2000; i++) {
        recipe ra = random_recipe(&random), rb = random_recipe(&random);
        trv_hull *ha, *hb;
        trv_shape a = make_shape(&ra, 1.0f, &ha), b = make_shape(&rb, 1.0f, &hb);
        float extent = fmaxf(ra.size, rb.size);
        trv_pose pa = random_pose(&random, extent), pb = random_pose(&random, extent);
        trv_pose motion = random_pose(&random, 10.0f * extent), qa, qb;
        qa.position = trv_pose_apply(motion, pa.position);
        qb.position = trv_pose_apply(motion, pb.position);
        qa.rotation = trv_quat_multiply(motion.rotation, pa.rotation);
        qb.rotation = trv_quat_multiply(motion.rotation, pb.rotation);
        trv_gap here, there;
        expect_result(trv_distance(&a, pa, &b, pb, &here), TRV_OK);
        expect_result(trv_distance(&a, qa, &b, qb, &there), TRV_OK);
        // Positions are rounded at ten times the extent, rotations at the size.
        expect_near(here.distance, there.distance, 1.0e-5 * (extent + size_of(&ra) + size_of(&rb)));
        trv_hull_release(ha);
        trv_hull_release(hb);
    }
}

static trv_pose scaled(trv_pose pose, float scale)
{
    pose.position = trvi_scale(pose.position, scale);
    return pose;
}

// Every tolerance is relative to the shapes: a power of two changes exponents, and no other bit.
static void scaling_by_a_power_of_two_scales_each_answer_to_the_bit(void **state)
{
    (void)state;
    test_random random = {73};
    int contacts = 0;
    for (int i = 0; i < 3000; i++) {
        recipe ra = random_recipe(&random), rb = random_recipe(&random);
        trv_hull *hulls[4];
        float scale = i % 2 == 0 ? 0.0078125f : 16.0f, extent = 0.6f * fmaxf(ra.size, rb.size);
        trv_shape a = make_shape(&ra, 1.0f, &hulls[0]), b = make_shape(&rb, 1.0f, &hulls[1]);
        trv_shape c = make_shape(&ra, scale, &hulls[2]), d = make_shape(&rb, scale, &hulls[3]);
        trv_pose pa = random_pose(&random, extent), pb = random_pose(&random, extent);
        trv_pose pc = scaled(pa, scale), pd = scaled(pb, scale);
        trv_gap g, h;
        trv_manifold m, n;
        expect_result(trv_distance(&a, pa, &b, pb, &g), TRV_OK);
        expect_result(trv_distance(&c, pc, &d, pd, &h), TRV_OK);
        expect_near(h.distance, g.distance * scale, 0.0);
        expect_near(trvi_length(trvi_sub(h.normal, g.normal)), 0.0, 0.0);
        expect_near(h.point_a.x, g.point_a.x * scale, 0.0);
        float margin = 0.125f * extent;
        expect_result(trv_collide(&a, pa, &b, pb, margin, NULL, &m), TRV_OK);
        expect_result(trv_collide(&c, pc, &d, pd, margin * scale, NULL, &n), TRV_OK);
        assert_int_equal(m.count, n.count);
        for (uint32_t p = 0; p < m.count; p++) {
            expect_near(n.points[p].separation, m.points[p].separation * scale, 0.0);
            assert_int_equal(n.points[p].feature, m.points[p].feature);
        }
        contacts += m.count > 0;
        for (int k = 0; k < 4; k++)
            trv_hull_release(hulls[k]);
    }
    assert_true(contacts > 500);
}

// A round hull of so many vertices; a cube of eight.
static trv_hull *hull_of(uint32_t count)
{
    trv_vec3 *points = malloc(count * sizeof *points);
    for (uint32_t i = 0; i < count; i++) {
        double y = 1.0 - 2.0 * (i + 0.5) / count, r = sqrt(1.0 - y * y), t = i * 2.399963229728653;
        points[i] = (trv_vec3){(float)(r * cos(t)), (float)(0.7 * y), (float)(1.2 * r * sin(t))};
        if (count == 8)
            points[i] =
                (trv_vec3){i & 1 ? 0.9f : -0.9f, i & 2 ? 0.7f : -0.7f, i & 4 ? 1.0f : -1.0f};
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    expect_result(trv_hull_create(points, count, &def, &hull), TRV_OK);
    free(points);
    return hull;
}

// One tumbles past the other, 60 frames to a second, closer and farther by turns about `middle`.
static void place_frame(int frame, float middle, trv_pose *pa, trv_pose *pb)
{
    float time = (float)frame / 60.0f, away = middle + 0.6f * trvi_sin(0.7f * time);
    *pa =
        (trv_pose){{10.0f, -3.0f, 5.0f}, trv_quat_about((trv_vec3){1.0f, 2.0f, 0.5f}, 0.2f * time)};
    trv_vec3 way = {trvi_cos(0.2f * time), 0.2f, trvi_sin(0.2f * time)};
    *pb = (trv_pose){trvi_mul_add(pa->position, way, away),
                     trv_quat_about((trv_vec3){-1.0f, 0.3f, 1.0f}, 0.3f * time)};
}

typedef struct ride {
    uint32_t apart, meeting, remembered;
} ride;

static ride follow(const trv_hull *hull, bool enumerate)
{
    trv_shape a = trv_make_hull(hull);
    trv_plane_cache cache;
    ride r = {0, 0, 0};
    memset(&cache, 0, sizeof cache);
    for (int frame = 0; frame < 1000; frame++) {
        trv_pose pa, pb;
        trv_separation cached, cold;
        trv_gap gap;
        place_frame(frame, hull->vertex_count == 8 ? 2.5f : 2.1f, &pa, &pb);
        expect_result(trv_separate(&a, pa, &a, pb, &cache, &cached), TRV_OK);
        expect_result(trv_separate(&a, pa, &a, pb, NULL, &cold), TRV_OK);
        assert_true(cached.apart == cold.apart);
        r.apart += cached.apart;
        r.meeting += !cached.apart;
        r.remembered += cached.remembered;
        if (cached.apart) { // by every vertex, along the plane that is said to part them
            trvi_couple couple;
            trvi_couple_set(&couple, &a, pa, &a, pb);
            trvi_dvec3 n =
                trvi_dmat3_mul_transposed(&couple.a.rotation, trvi_dvec3_from(cached.plane.normal));
            n = trvi_dnormalize_or(n, n);
            double measured = trvi_gap_along_every(&couple, n);
            expect_near(measured, cached.gap, 1.0e-5);
            assert_true(measured > -1.0e-6);
        } else if (frame % 10 == 0) {
            expect_result(trv_distance(&a, pa, &a, pb, &gap), TRV_OK);
            assert_true(gap.distance <= 0.0f);
        }
        if (enumerate) {
            trv_separation all;
            trvi_separate_reference(&a, pa, &a, pb, &all);
            if (fabsf(all.gap) > 1.0e-6f)
                assert_true(all.apart == cached.apart);
        }
    }
    return r;
}

static void cached_cold_and_counted_verdicts_agree_on_every_frame(void **state)
{
    (void)state;
    const uint32_t counts[] = {8, 32, 128, 512, 2048, 10000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        trv_hull *hull = hull_of(counts[i]);
        ride r = follow(hull, counts[i] == 8);
        if (getenv("SHOW") ||
            !(r.apart > 200 && r.meeting > 50 && r.remembered * 100 >= r.apart * 97))
            print_error("%u vertices: apart %u, meeting %u, remembered %u\n", counts[i], r.apart,
                        r.meeting, r.remembered);
        assert_true(r.apart > 200 && r.meeting > 50);
        assert_true(r.remembered * 100 >= r.apart * 97);
        trv_hull_release(hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanged_pairs_of_any_size_give_mirrored_answers),
        cmocka_unit_test(pairs_moved_together_keep_their_distance),
        cmocka_unit_test(scaling_by_a_power_of_two_scales_each_answer_to_the_bit),
        cmocka_unit_test(cached_cold_and_counted_verdicts_agree_on_every_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
