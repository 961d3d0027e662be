// Every question about compounds against brute force over all pairs of parts.
//
// On the grid and not turned, a compound's parts are placed without rounding: they then get the
// very answer that they get as shapes of their own.
#include "compound_support.h"

// One scene: a compound and a shape of any kind, in either order.
typedef struct scene {
    trv_compound *compounds[2];
    trv_shape a, b;
    trv_pose pose_a, pose_b;
    bool exact;
} scene;

enum { OPPOSITES = PART_KINDS + 2 };

static trv_pose placed_on_grid(test_random *random, float extent, bool turned)
{
    trv_pose pose = random_pose(random, extent);
    if (!turned)
        pose.rotation = trv_identity_quat();
    return pose;
}

static uint32_t random_count(test_random *random)
{
    uint32_t bits = (uint32_t)random_bits(random);
    return 1 + bits / 16 % (bits % 16 == 0 ? 200 : 40);
}

static scene make_scene(test_random *random, int i)
{
    scene s;
    memset(&s, 0, sizeof s);
    int opposite = i % OPPOSITES;
    float spread = random_float(random, 0.5f, 2.0f);
    float distance = floorf(random_float(random, 0.0f, 3.0f));
    s.exact = i / OPPOSITES % 2 == 0;
    s.compounds[0] = random_compound(random, &part_hulls, spread, random_count(random));
    s.a = trv_make_compound(s.compounds[0]);
    s.pose_a = placed_on_grid(random, 1.0f, !s.exact);
    s.pose_b = placed_on_grid(random, 1.0f, !s.exact);
    s.pose_b.position.y += i % 3 == 0 ? 0.0f : distance;
    if (opposite == PART_KINDS) {
        s.b = trv_make_half_space((trv_vec3){0.0f, -0.25f, 0.0f}, (trv_vec3){0.6f, 0.8f, 0.0f});
        s.pose_b.position.y -= 1.0f + 2.0f * distance;
    } else if (opposite > PART_KINDS) {
        s.compounds[1] = random_compound(random, &part_hulls, spread, random_count(random));
        s.b = trv_make_compound(s.compounds[1]);
    } else {
        s.b = part_shape(&part_hulls, (uint32_t)opposite);
    }
    if (i / (2 * OPPOSITES) % 2 == 1) {
        trv_shape shape = s.a;
        trv_pose pose = s.pose_a;
        s.a = s.b;
        s.pose_a = s.pose_b;
        s.b = shape;
        s.pose_b = pose;
    }
    return s;
}

static void free_scene(scene *s)
{
    trv_compound_release(s->compounds[0]);
    trv_compound_release(s->compounds[1]);
}

static trv_gap gap_of_parts(const scene *s, uint32_t i, uint32_t j)
{
    trv_pose pa, pb;
    trv_shape a = part_alone(&s->a, s->pose_a, i, &pa);
    trv_shape b = part_alone(&s->b, s->pose_b, j, &pb);
    trv_gap gap;
    expect_result(trv_distance(&a, pa, &b, pb, &gap), TRV_OK);
    return gap;
}

static float least_gap(const scene *s)
{
    float least = HUGE_VALF;
    for (uint32_t i = 0; i < parts_in(&s->a); i++)
        for (uint32_t j = 0; j < parts_in(&s->b); j++)
            least = fminf(least, gap_of_parts(s, i, j).distance);
    return least;
}

// But for roundings in double: a box placed in a part is placed once more than alone.
static bool same_vec3(trv_vec3 a, trv_vec3 b)
{
    return trvi_length(trvi_sub(a, b)) <= 1.0e-6f;
}

enum { SCENES = 1280 };

static void distance_is_that_of_the_nearest_pair_of_parts(void **state)
{
    (void)state;
    test_random random = {51};
    uint32_t apart = 0, overlapping = 0;
    for (int i = 0; i < SCENES; i++) {
        scene s = make_scene(&random, i);
        trv_gap gap;
        float least = least_gap(&s);
        expect_result(trv_distance(&s.a, s.pose_a, &s.b, s.pose_b, &gap), TRV_OK);
        assert_true(gap.part_a < parts_in(&s.a) && gap.part_b < parts_in(&s.b));
        trv_gap parts = gap_of_parts(&s, gap.part_a, gap.part_b);
        if (s.exact) {
            assert_true(gap.distance == least);
            assert_true(parts.distance == gap.distance);
            assert_true(same_vec3(parts.normal, gap.normal));
            assert_true(same_vec3(parts.point_a, gap.point_a));
            assert_true(same_vec3(parts.point_b, gap.point_b));
        }
        expect_near(gap.distance, least, 1.0e-5);
        expect_near(parts.distance, least, 1.0e-5);
        expect_near(trvi_length(gap.normal), 1.0, 1.0e-5);
        apart += least > 0.0f;
        overlapping += least < 0.0f;
        free_scene(&s);
    }
    print_message("%u apart, %u overlap\n", apart, overlapping);
    assert_true(apart > 200 && overlapping > 200);
}

// How far a part is on the wrong side of a plane: 0 or less where it is on the right one.
static double beyond_plane(const trv_shape *shape, trv_pose pose, uint32_t part, trv_plane plane,
                           bool above)
{
    trv_pose placed;
    trv_shape alone = part_alone(shape, pose, part, &placed);
    trv_shape side = {.kind = TRV_SHAPE_PLANE};
    side.as.plane = plane; // solid below
    if (!above) {
        side.as.plane.normal = trvi_negate(plane.normal);
        side.as.plane.offset = -plane.offset;
    }
    trv_gap gap;
    expect_result(trv_distance(&side, trv_make_pose((trv_vec3){0, 0, 0}), &alone, placed, &gap),
                  TRV_OK);
    return -(double)gap.distance;
}

// The plane of an answer parts the parts that it names, or with `all` everything.
static void check_plane(const scene *s, const trv_separation *out, bool all)
{
    for (uint32_t i = 0; i < parts_in(&s->a); i++)
        if ((all || i == out->part_a) && s->a.kind != TRV_SHAPE_PLANE)
            assert_true(beyond_plane(&s->a, s->pose_a, i, out->plane, false) < 1.0e-5);
    for (uint32_t j = 0; j < parts_in(&s->b); j++)
        if ((all || j == out->part_b) && s->b.kind != TRV_SHAPE_PLANE)
            assert_true(beyond_plane(&s->b, s->pose_b, j, out->plane, true) < 1.0e-5);
}

static void compounds_are_apart_where_all_pairs_of_parts_are(void **state)
{
    (void)state;
    test_random random = {52};
    uint32_t apart = 0, meeting = 0;
    for (int i = 0; i < SCENES; i++) {
        scene s = make_scene(&random, i);
        float least = least_gap(&s);
        trv_separation out;
        bool overlap = false;
        expect_result(trv_separate(&s.a, s.pose_a, &s.b, s.pose_b, NULL, &out), TRV_OK);
        expect_result(trv_overlap(&s.a, s.pose_a, &s.b, s.pose_b, &overlap), TRV_OK);
        assert_int_equal(overlap, !out.apart);
        assert_false(out.remembered);
        if (s.exact || fabsf(least) > 1.0e-4f)
            assert_int_equal(out.apart, least > 0.0f);
        if (out.apart) {
            // The line between the closest points gives the plane: no other leaves more.
            expect_near(out.gap, least, 1.0e-5);
            expect_near(gap_of_parts(&s, out.part_a, out.part_b).distance, least, 1.0e-5);
            assert_true(out.source != TRV_PLANE_NONE);
            check_plane(&s, &out, false);
        } else {
            assert_true(out.gap == 0.0f && out.source == TRV_PLANE_NONE);
            assert_true(out.part_a == 0 && out.part_b == 0);
        }
        apart += out.apart;
        meeting += !out.apart;
        free_scene(&s);
    }
    assert_true(apart > 50 && meeting > 50);
}

static void a_remembered_plane_parts_all_and_changes_no_verdict(void **state)
{
    (void)state;
    test_random random = {53};
    uint32_t hits = 0, apart = 0, meeting = 0;
    for (int i = 0; i < 96; i++) {
        scene s = make_scene(&random, i * 5);
        trv_plane_cache cache;
        memset(&cache, 0, sizeof cache);
        trv_pose start = s.pose_b;
        for (int frame = 0; frame < 60; frame++) {
            float t = (float)frame * 0.02f;
            trv_separation warm, cold;
            s.pose_b.position.y = start.position.y + 3.0f * trvi_sin(t);
            s.pose_b.rotation = trv_quat_multiply(
                trv_quat_about((trv_vec3){0.3f, 1.0f, 0.2f}, 0.5f * t), start.rotation);
            expect_result(trv_separate(&s.a, s.pose_a, &s.b, s.pose_b, &cache, &warm), TRV_OK);
            expect_result(trv_separate(&s.a, s.pose_a, &s.b, s.pose_b, NULL, &cold), TRV_OK);
            assert_int_equal(warm.apart, cold.apart);
            if (warm.remembered && frame % 10 == 0)
                check_plane(&s, &warm, true);
            if (warm.apart)
                assert_true(warm.gap > 0.0f && warm.gap <= cold.gap + 1.0e-5f);
            hits += warm.remembered;
            apart += warm.apart;
            meeting += !warm.apart;
        }
        free_scene(&s);
    }
    print_message("%u of %u apart were remembered, %u meet\n", hits, apart, meeting);
    assert_true(meeting > 500 && hits > 500 && hits * 2 > apart);
}

static void a_cache_that_holds_anything_changes_no_verdict(void **state)
{
    (void)state;
    test_random random = {54};
    for (int i = 0; i < 400; i++) {
        scene s = make_scene(&random, i);
        trv_plane_cache cache;
        trv_separation warm, cold;
        for (size_t k = 0; k < sizeof cache; k++)
            ((unsigned char *)&cache)[k] = (unsigned char)random_bits(&random);
        if (i % 2 == 0)
            cache.normal = trvi_normalize_or(random_vec3(&random, 1.0f), (trv_vec3){1, 0, 0});
        expect_result(trv_separate(&s.a, s.pose_a, &s.b, s.pose_b, &cache, &warm), TRV_OK);
        expect_result(trv_separate(&s.a, s.pose_a, &s.b, s.pose_b, NULL, &cold), TRV_OK);
        assert_int_equal(warm.apart, cold.apart);
        free_scene(&s);
    }
}

static bool same_manifold(const trv_manifold *a, const trv_manifold *b)
{
    bool same = a->count == b->count && same_vec3(a->normal, b->normal);
    for (uint32_t i = 0; same && i < a->count; i++)
        same = fabsf(a->points[i].separation - b->points[i].separation) <= 1.0e-6f &&
               a->points[i].feature == b->points[i].feature &&
               same_vec3(a->points[i].point, b->points[i].point);
    return same;
}

enum { MOST_MANIFOLDS = 20000 };

static void collide_all_gives_one_manifold_for_each_near_pair_in_order(void **state)
{
    (void)state;
    test_random random = {55};
    trv_manifold *got = malloc(MOST_MANIFOLDS * sizeof *got);
    uint32_t total = 0;
    for (int i = 0; i < SCENES; i++) {
        scene s = make_scene(&random, i);
        uint32_t count, at = 0;
        float margin = i % 3 == 0 ? 0.0f : 0.125f;
        expect_result(
            trv_collide_all(&s.a, s.pose_a, &s.b, s.pose_b, margin, got, MOST_MANIFOLDS, &count),
            TRV_OK);
        for (uint32_t pa = 0; pa < parts_in(&s.a); pa++) {
            for (uint32_t pb = 0; pb < parts_in(&s.b); pb++) {
                trv_pose qa, qb;
                trv_shape a = part_alone(&s.a, s.pose_a, pa, &qa);
                trv_shape b = part_alone(&s.b, s.pose_b, pb, &qb);
                trv_manifold wanted;
                trvi_collide(&a, qa, &b, qb, margin, NULL, NULL, &wanted);
                bool listed = at < count && got[at].part_a == pa && got[at].part_b == pb;
                if (s.exact)
                    assert_int_equal(listed, wanted.count > 0);
                else if (listed != (wanted.count > 0))
                    expect_near(gap_of_parts(&s, pa, pb).distance, margin, 1.0e-5);
                if (s.exact && listed)
                    assert_true(same_manifold(&got[at], &wanted));
                at += listed;
            }
        }
        assert_int_equal(at, count);
        total += count;
        free_scene(&s);
    }
    free(got);
    print_message("%u manifolds\n", total);
    assert_true(total > 1000);
}

static void too_little_room_is_told_with_the_room_needed(void **state)
{
    (void)state;
    test_random random = {56};
    trv_compound *compound = random_compound(&random, &part_hulls, 0.5f, 12);
    trv_shape a = trv_make_compound(compound), b = part_shape(&part_hulls, 2);
    trv_pose here = trv_make_pose((trv_vec3){0, 0, 0});
    trv_manifold many[12], few[12], zero;
    uint32_t count, again;
    memset(&zero, 0, sizeof zero);
    expect_result(trv_collide_all(&a, here, &b, here, 0.1f, many, 12, &count), TRV_OK);
    assert_true(count >= 4);
    for (uint32_t room = 0; room < count; room++) {
        memset(few, 0xff, sizeof few);
        expect_result(trv_collide_all(&a, here, &b, here, 0.1f, room ? few : NULL, room, &again),
                      TRV_ERROR_LIMIT);
        assert_int_equal(again, count);
        for (uint32_t k = 0; k < room; k++)
            assert_memory_equal(&few[k], &zero, sizeof zero);
        if (room < 12)
            assert_int_equal(few[room].count, UINT32_MAX);
    }
    expect_result(trv_collide_all(&a, here, &b, here, 0.1f, few, count, &again), TRV_OK);
    for (uint32_t k = 0; k < count; k++)
        assert_true(same_manifold(&few[k], &many[k]));
    // Shapes without parts: none or one.
    trv_manifold one, alone;
    trv_pose far = trv_make_pose((trv_vec3){5, 0, 0});
    expect_result(trv_collide_all(&b, here, &b, far, 0.1f, &one, 1, &count), TRV_OK);
    assert_int_equal(count, 0);
    far.position.x = 0.5f;
    expect_result(trv_collide_all(&b, here, &b, far, 0.1f, &one, 1, &count), TRV_OK);
    expect_result(trv_collide(&b, here, &b, far, 0.1f, NULL, &alone), TRV_OK);
    assert_int_equal(count, 1);
    assert_true(alone.count == 4 && same_manifold(&one, &alone));
    assert_true(one.part_a == 0 && one.part_b == 0);
    trv_compound_release(compound);
}

static void rays_hit_the_first_part_in_their_way(void **state)
{
    (void)state;
    test_random random = {57};
    uint32_t hits = 0, inside = 0, misses = 0, grazes = 0;
    for (int i = 0; i < 6000; i++) {
        static trv_compound *compound;
        if (i % 100 == 0)
            compound = random_compound(&random, &part_hulls, 0.9f, 1 + random_count(&random));
        trv_shape shape = trv_make_compound(compound);
        bool exact = i % 2 == 0;
        trv_pose pose = random_pose(&random, 3.0f);
        if (exact)
            pose = trv_make_pose((trv_vec3){0, 0, 0});
        trv_vec3 aim = trvi_add(pose.position, random_vec3(&random, 0.9f));
        trv_ray ray = {random_vec3(&random, 6.0f), {0, 0, 0}};
        if (i % 5 == 0)
            ray.origin = aim;
        ray.travel = trvi_scale(trvi_sub(aim, ray.origin), i % 3 == 0 ? 0.9f : 2.0f);
        trv_ray_hit best, got, plain, alone;
        uint32_t best_part = 0, part = 9999;
        memset(&best, 0, sizeof best);
        for (uint32_t k = 0; k < parts_in(&shape); k++) {
            trv_pose placed;
            trv_shape one = part_alone(&shape, pose, k, &placed);
            expect_result(trv_shape_cast_ray(&one, placed, ray, &alone), TRV_OK);
            bool nearer = alone.hit && (!best.hit || alone.fraction < best.fraction);
            if (nearer)
                best = alone, best_part = k;
        }
        expect_result(trv_compound_cast_ray(compound, pose, ray, &got, &part), TRV_OK);
        expect_result(trv_shape_cast_ray(&shape, pose, ray, &plain), TRV_OK);
        assert_true(plain.hit == got.hit && plain.fraction == got.fraction &&
                    same_vec3(plain.point, got.point));
        if (exact) {
            assert_true(got.hit == best.hit && got.inside == best.inside);
            assert_true(got.fraction == best.fraction && part == best_part);
            assert_true(same_vec3(got.normal, best.normal) && same_vec3(got.point, best.point));
        } else if (got.hit != best.hit || fabsf(got.fraction - best.fraction) > 1.0e-4f) {
            grazes++;
        } else if (got.hit) {
            expect_near(trvi_length(trvi_sub(got.point, best.point)), 0.0, 1.0e-3);
        }
        hits += got.hit && !got.inside;
        inside += got.inside;
        misses += !got.hit;
        if (i % 100 == 99)
            trv_compound_release(compound);
    }
    print_message("%u hit, %u inside, %u miss, %u graze\n", hits, inside, misses, grazes);
    assert_true(hits > 1000 && inside > 100 && misses > 500);
    assert_true(grazes <= 3);
}

static void the_order_of_parts_shows_in_their_numbers_only(void **state)
{
    (void)state;
    test_random random = {58};
    trv_compound_part parts[60], shuffled[60];
    for (int i = 0; i < 200; i++) {
        uint32_t count = 1 + (uint32_t)i % 60, place[60];
        random_parts(&random, &part_hulls, 2.0f, parts, count);
        for (uint32_t k = 0; k < count; k++)
            place[k] = k;
        for (uint32_t k = count; k-- > 1;) {
            uint32_t other = (uint32_t)(random_bits(&random) % (k + 1)), swap = place[k];
            place[k] = place[other];
            place[other] = swap;
        }
        for (uint32_t k = 0; k < count; k++)
            shuffled[k] = parts[place[k]];
        trv_compound *one = compound_of(parts, count), *two = compound_of(shuffled, count);
        trv_shape a = trv_make_compound(one), b = trv_make_compound(two);
        trv_shape other = part_shape(&part_hulls, (uint32_t)i);
        trv_pose pa = random_pose(&random, 1.0f), pb = random_pose(&random, 3.0f);
        trv_gap ga, gb;
        expect_result(trv_distance(&a, pa, &other, pb, &ga), TRV_OK);
        expect_result(trv_distance(&b, pa, &other, pb, &gb), TRV_OK);
        assert_true(ga.distance == gb.distance && same_vec3(ga.normal, gb.normal));
        assert_true(same_vec3(ga.point_a, gb.point_a) && same_vec3(ga.point_b, gb.point_b));
        assert_int_equal(ga.part_a, place[gb.part_a]);
        trv_separation sa, sb;
        expect_result(trv_separate(&a, pa, &other, pb, NULL, &sa), TRV_OK);
        expect_result(trv_separate(&b, pa, &other, pb, NULL, &sb), TRV_OK);
        assert_true(sa.apart == sb.apart && sa.gap == sb.gap);
        trv_compound_release(one);
        trv_compound_release(two);
    }
}

// Two equal parts at equal distance: the lower number is told, whichever comes first in the tree.
static void of_parts_equally_near_the_first_is_told(void **state)
{
    (void)state;
    trv_compound_part parts[4];
    for (uint32_t i = 0; i < 4; i++) {
        float side = i % 2 == 0 ? 1.0f : -1.0f;
        parts[i].shape = trv_make_box((trv_vec3){0.25f, 0.25f, 0.25f});
        parts[i].pose = trv_make_pose((trv_vec3){side, i < 2 ? 0.0f : -3.0f, 0.0f});
    }
    trv_shape ball = trv_make_sphere((trv_vec3){0.0f, 0.0f, 0.0f}, 0.5f);
    trv_pose here = trv_make_pose((trv_vec3){0, 0, 0});
    for (uint32_t first = 0; first < 4; first++) {
        trv_compound_part turned[4];
        for (uint32_t i = 0; i < 4; i++)
            turned[i] = parts[(i + first) % 4];
        trv_compound *compound = compound_of(turned, 4);
        trv_shape a = trv_make_compound(compound);
        trv_gap gap;
        expect_result(trv_distance(&a, here, &ball, here, &gap), TRV_OK);
        expect_near(gap.distance, 0.25, 1.0e-6);
        uint32_t lowest = (4 - first) % 4, other = (5 - first) % 4;
        assert_int_equal(gap.part_a, lowest < other ? lowest : other);
        trv_compound_release(compound);
    }
}

static void swapping_mirrors_and_moving_both_moves_the_answer(void **state)
{
    (void)state;
    test_random random = {59};
    for (int i = 0; i < SCENES; i++) {
        scene s = make_scene(&random, i);
        trv_pose motion = random_pose(&random, 4.0f);
        trv_gap gap, swapped, moved;
        expect_result(trv_distance(&s.a, s.pose_a, &s.b, s.pose_b, &gap), TRV_OK);
        expect_result(trv_distance(&s.b, s.pose_b, &s.a, s.pose_a, &swapped), TRV_OK);
        expect_result(trv_distance(&s.a, pose_after(motion, s.pose_a), &s.b,
                                   pose_after(motion, s.pose_b), &moved),
                      TRV_OK);
        expect_near(gap.distance, swapped.distance, 1.0e-6);
        expect_near(gap.distance, moved.distance, 1.0e-5);
        if (gap.distance > 0.01f && gap.part_a == swapped.part_b && gap.part_b == swapped.part_a)
            expect_near(trvi_dot(gap.normal, swapped.normal), -1.0, 1.0e-3);
        trv_manifold one[512], two[512];
        uint32_t count, mirrored;
        trv_result result =
            trv_collide_all(&s.a, s.pose_a, &s.b, s.pose_b, 0.01f, one, 512, &count);
        expect_result(trv_collide_all(&s.b, s.pose_b, &s.a, s.pose_a, 0.01f, two, 512, &mirrored),
                      result);
        assert_int_equal(count, mirrored);
        free_scene(&s);
    }
}

static void far_from_the_origin_parts_are_still_placed_exactly(void **state)
{
    (void)state;
    // 1e8 m out, where float32 is 8 m coarse: places within a compound are not rounded to that.
    trv_compound_part parts[2];
    for (uint32_t i = 0; i < 2; i++) {
        parts[i].shape = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
        parts[i].pose = trv_make_pose((trv_vec3){i == 0 ? -1.5f : 1.5f, 0.0f, 0.0f});
    }
    trv_compound *compound = compound_of(parts, 2);
    trv_shape a = trv_make_compound(compound), b = trv_make_box((trv_vec3){0.25f, 0.5f, 0.5f});
    trv_pose out = trv_make_pose((trv_vec3){9.0e7f, -9.0e7f, 9.0e7f});
    trv_gap gap;
    bool overlap = true;
    expect_result(trv_distance(&a, out, &b, out, &gap), TRV_OK);
    expect_near(gap.distance, 0.75, 1.0e-6);
    expect_result(trv_overlap(&a, out, &b, out, &overlap), TRV_OK);
    assert_false(overlap);
    b = trv_make_box((trv_vec3){1.0f, 0.5f, 0.5f}); // touches both
    expect_result(trv_overlap(&a, out, &b, out, &overlap), TRV_OK);
    assert_true(overlap);
    trv_compound_release(compound);
}

// A length of any order between a tenth of a millimetre and a thousand kilometres.
static float random_size(test_random *random)
{
    static const float sizes[] = {1.0e-4f, 1.0e-3f, 0.1f, 1.0f, 30.0f, 1.0e3f, 1.0e6f};
    return sizes[random_bits(random) % 7] * random_float(random, 0.5f, 1.0f);
}

static void tiny_thin_and_huge_parts_get_the_verdict_of_brute_force(void **state)
{
    (void)state;
    test_random random = {61};
    uint32_t apart = 0, meeting = 0;
    for (int i = 0; i < 1500; i++) {
        trv_compound_part parts[2][8];
        scene s;
        memset(&s, 0, sizeof s);
        for (int side = 0; side < 2; side++) {
            float spread = random_size(&random) + 1.0f;
            uint32_t count = 1 + (uint32_t)(random_bits(&random) % 8);
            for (uint32_t k = 0; k < count; k++) {
                trv_vec3 half = {random_size(&random), random_size(&random), random_size(&random)};
                trv_vec3 to = {half.y, 0.0f, half.z}, from = {0.0f, half.z, 0.0f};
                uint32_t kind = (uint32_t)(random_bits(&random) % 3);
                parts[side][k].shape = kind == 0   ? trv_make_box(half)
                                       : kind == 1 ? trv_make_capsule(from, to, half.x)
                                                   : trv_make_sphere((trv_vec3){0, 0, 0}, half.x);
                parts[side][k].pose = random_pose(&random, fminf(spread, 1.0e5f));
            }
            s.compounds[side] = compound_of(parts[side], count);
        }
        s.a = trv_make_compound(s.compounds[0]);
        s.b = trv_make_compound(s.compounds[1]);
        s.pose_a = placed_on_grid(&random, 10.0f, false);
        s.pose_b = placed_on_grid(&random, fminf(1.0e5f, 10.0f * random_size(&random)), false);
        bool wanted = true;
        for (uint32_t k = 0; k < parts_in(&s.a) * parts_in(&s.b) && wanted; k++) {
            trv_pose pa, pb;
            trv_shape a = part_alone(&s.a, s.pose_a, k % parts_in(&s.a), &pa);
            trv_shape b = part_alone(&s.b, s.pose_b, k / parts_in(&s.a), &pb);
            trv_separation of_parts;
            expect_result(trv_separate(&a, pa, &b, pb, NULL, &of_parts), TRV_OK);
            wanted = of_parts.apart;
        }
        trv_separation got;
        trv_gap gap;
        bool overlap;
        trv_manifold manifolds[64];
        uint32_t count;
        expect_result(trv_separate(&s.a, s.pose_a, &s.b, s.pose_b, NULL, &got), TRV_OK);
        expect_result(trv_overlap(&s.a, s.pose_a, &s.b, s.pose_b, &overlap), TRV_OK);
        expect_result(trv_distance(&s.a, s.pose_a, &s.b, s.pose_b, &gap), TRV_OK);
        expect_result(trv_collide_all(&s.a, s.pose_a, &s.b, s.pose_b, 0.0f, manifolds, 64, &count),
                      TRV_OK);
        assert_true(got.apart == wanted && overlap == !wanted);
        assert_true(wanted ? gap.distance > 0.0f : count > 0);
        expect_near(trvi_length(gap.normal), 1.0, 1.0e-5);
        for (uint32_t k = 0; k < count; k++)
            expect_near(trvi_length(manifolds[k].normal), 1.0, 1.0e-5);
        apart += wanted;
        meeting += !wanted;
        free_scene(&s);
    }
    print_message("%u apart, %u meet\n", apart, meeting);
    assert_true(apart > 100 && meeting > 100);
}

static void bad_arguments_are_refused_and_outputs_zeroed(void **state)
{
    (void)state;
    test_random random = {60};
    trv_compound *compound = random_compound(&random, &part_hulls, 1.0f, 5);
    trv_shape a = trv_make_compound(compound), none = trv_make_compound(NULL);
    trv_shape ball = part_shape(&part_hulls, 0);
    trv_pose here = trv_make_pose((trv_vec3){0, 0, 0}), bad = here;
    bad.rotation.w = 2.0f;
    trv_gap gap;
    trv_separation separation;
    trv_manifold manifold, zero;
    trv_ray_hit hit;
    bool overlap;
    uint32_t count, part;
    memset(&zero, 0, sizeof zero);
    expect_result(trv_distance(&a, here, &none, here, &gap), TRV_ERROR_NULL);
    expect_result(trv_distance(&a, bad, &ball, here, &gap), TRV_ERROR_ROTATION);
    expect_result(trv_distance(NULL, here, &a, here, &gap), TRV_ERROR_NULL);
    assert_true(gap.distance == 0.0f && gap.normal.x == 0.0f);
    expect_result(trv_separate(&none, here, &a, here, NULL, &separation), TRV_ERROR_NULL);
    expect_result(trv_separate(&a, here, &ball, bad, NULL, &separation), TRV_ERROR_ROTATION);
    expect_result(trv_overlap(&a, here, NULL, here, &overlap), TRV_ERROR_NULL);
    expect_result(trv_overlap(NULL, here, &a, here, &overlap), TRV_ERROR_NULL);
    expect_result(trv_overlap(&a, bad, &a, here, &overlap), TRV_ERROR_ROTATION);
    memset(&manifold, 0xff, sizeof manifold);
    expect_result(trv_collide(&a, here, &ball, here, 0.1f, NULL, &manifold), TRV_ERROR_KIND);
    assert_memory_equal(&manifold, &zero, sizeof zero);
    expect_result(trv_collide(&ball, here, &a, here, 0.1f, NULL, &manifold), TRV_ERROR_KIND);
    expect_result(trv_collide_all(&a, here, &ball, here, 0.1f, NULL, 1, &count), TRV_ERROR_NULL);
    expect_result(trv_collide_all(&a, here, &ball, here, 0.1f, &manifold, 1, NULL), TRV_ERROR_NULL);
    memset(&manifold, 0xff, sizeof manifold);
    count = 7;
    expect_result(trv_collide_all(&a, here, &ball, here, NAN, &manifold, 1, &count),
                  TRV_ERROR_NUMBER);
    assert_int_equal(count, 0);
    assert_memory_equal(&manifold, &zero, sizeof zero);
    expect_result(trv_collide_all(&a, here, &ball, here, -0.1f, &manifold, 1, &count),
                  TRV_ERROR_RANGE);
    expect_result(trv_collide_all(&a, bad, &ball, here, 0.0f, &manifold, 1, &count),
                  TRV_ERROR_ROTATION);
    trv_shape plane = trv_make_half_space((trv_vec3){0, 0, 0}, (trv_vec3){0, 1, 0});
    expect_result(trv_collide_all(&plane, here, &plane, here, 0.0f, &manifold, 1, &count),
                  TRV_ERROR_KIND);
    trv_ray ray = {{0, 5, 0}, {0, -9, 0}}, broken = {{0, NAN, 0}, {0, 0, 0}};
    expect_result(trv_compound_cast_ray(NULL, here, ray, &hit, &part), TRV_ERROR_NULL);
    expect_result(trv_compound_cast_ray(compound, here, ray, NULL, &part), TRV_ERROR_NULL);
    expect_result(trv_compound_cast_ray(compound, here, ray, &hit, NULL), TRV_ERROR_NULL);
    expect_result(trv_compound_cast_ray(compound, bad, ray, &hit, &part), TRV_ERROR_ROTATION);
    expect_result(trv_compound_cast_ray(compound, here, broken, &hit, &part), TRV_ERROR_NUMBER);
    broken = (trv_ray){{0, 0, 0}, {0, INFINITY, 0}};
    expect_result(trv_compound_cast_ray(compound, here, broken, &hit, &part), TRV_ERROR_NUMBER);
    assert_false(hit.hit);
    trv_compound_release(compound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_is_that_of_the_nearest_pair_of_parts),
        cmocka_unit_test(compounds_are_apart_where_all_pairs_of_parts_are),
        cmocka_unit_test(a_remembered_plane_parts_all_and_changes_no_verdict),
        cmocka_unit_test(a_cache_that_holds_anything_changes_no_verdict),
        cmocka_unit_test(collide_all_gives_one_manifold_for_each_near_pair_in_order),
        cmocka_unit_test(too_little_room_is_told_with_the_room_needed),
        cmocka_unit_test(rays_hit_the_first_part_in_their_way),
        cmocka_unit_test(the_order_of_parts_shows_in_their_numbers_only),
        cmocka_unit_test(of_parts_equally_near_the_first_is_told),
        cmocka_unit_test(swapping_mirrors_and_moving_both_moves_the_answer),
        cmocka_unit_test(far_from_the_origin_parts_are_still_placed_exactly),
        cmocka_unit_test(tiny_thin_and_huge_parts_get_the_verdict_of_brute_force),
        cmocka_unit_test(bad_arguments_are_refused_and_outputs_zeroed),
    };
    return cmocka_run_group_tests(tests, make_part_hulls, free_part_hulls);
}
