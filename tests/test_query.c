// Questions about a world against asking each shape in turn.
#include "world_support.h"

#include <trivet/mesh.h>
#include <trivet/query.h>

enum { THINGS = 60 };

typedef struct scene {
    trv_world *world;
    trv_shape shapes[THINGS];
    trv_pose poses[THINGS];
    trv_shape_id ids[THINGS];
    trv_body_id bodies[THINGS];
    trv_filter filters[THINGS];
    bool sensors[THINGS];
    trv_hull *rock;
} scene;

static void make_things(scene *s, test_random *random, trv_workers workers)
{
    trv_world_def world_def = trv_default_world_def();
    world_def.workers = workers;
    expect_result(trv_world_create(&world_def, &s->world), TRV_OK);
    trv_vec3 points[24];
    for (int i = 0; i < 24; i++)
        points[i] = random_vec3(random, 1.0f);
    trv_hull_def hull = trv_default_hull_def();
    expect_result(trv_hull_create(points, 24, &hull, &s->rock), TRV_OK);
    for (int i = 0; i < THINGS; i++) {
        trv_body_def def = trv_default_body_def();
        trv_shape_def shape = trv_default_shape_def();
        def.kind = (trv_body_kind)(i % 3);
        def.position = random_vec3(random, 4.0f);
        def.rotation = random_quat(random);
        expect_result(trv_body_create(s->world, &def, &s->bodies[i]), TRV_OK);
        expect_result(trv_body_pose(s->world, s->bodies[i], &s->poses[i]), TRV_OK);
        s->shapes[i] =
            i % 4 == 0   ? ball(0.8f)
            : i % 4 == 1 ? trv_make_box(trv_make_vec3(0.7f, 0.3f, 1.1f))
            : i % 4 == 2 ? trv_make_hull(s->rock)
                         : trv_make_capsule(trv_make_vec3(0, -1, 0), trv_make_vec3(0, 1, 0), 0.4f);
        shape.user = (uint64_t)i;
        shape.sensor = s->sensors[i] = i % 7 == 0;
        shape.filter.category = 1u << (i % 5);
        s->filters[i] = shape.filter;
        expect_result(trv_shape_create(s->world, s->bodies[i], &shape, &s->shapes[i], &s->ids[i]),
                      TRV_OK);
    }
}

static void free_things(scene *s)
{
    trv_world_destroy(s->world);
    trv_hull_release(s->rock);
}

static const trv_workers alone = {NULL, 0, NULL};

// What a query of each kind may see; the oracle knows by itself.
static bool even(void *context, trv_shape_id shape, uint64_t user)
{
    (void)shape;
    return user % 2 == *(const uint64_t *)context;
}

static uint64_t parity;

static trv_query random_query(test_random *random)
{
    trv_query query = trv_default_query();
    query.sensors = random_bits(random) % 2 == 0;
    if (random_bits(random) % 2 == 0)
        query.filter.mask = random_bits(random) | 1u << 2;
    if (random_bits(random) % 3 == 0) {
        query.accept = even;
        query.context = &parity;
    }
    return query;
}

static bool may_see(const scene *s, const trv_query *query, int i)
{
    return (query->sensors || !s->sensors[i]) && trv_filters_agree(query->filter, s->filters[i]) &&
           (query->accept == NULL || (uint64_t)i % 2 == parity);
}

static int index_of(const scene *s, trv_shape_id id)
{
    for (int i = 0; i < THINGS; i++)
        if (s->ids[i].index1 == id.index1)
            return i;
    fail_msg("no such shape");
    return -1;
}

static trv_vec3 toward_the_middle(test_random *random, trv_vec3 from)
{
    trv_vec3 off = random_vec3(random, 2.0f);
    return trv_make_vec3(off.x - 1.6f * from.x, off.y - 1.6f * from.y, off.z - 1.6f * from.z);
}

static void rays_agree_with_every_shape_in_turn(void **state)
{
    (void)state;
    scene s;
    test_random random = {31};
    make_things(&s, &random, alone);
    int met = 0;
    for (int round = 0; round < 400; round++) {
        trv_ray ray = {random_vec3(&random, 8.0f), {0, 0, 0}};
        ray.travel = toward_the_middle(&random, ray.origin);
        trv_query query = random_query(&random);
        float fractions[THINGS];
        uint32_t wanted = 0, count;
        float first = INFINITY;
        for (int i = 0; i < THINGS; i++) {
            trv_ray_hit hit;
            expect_result(trv_shape_cast_ray(&s.shapes[i], s.poses[i], ray, &hit), TRV_OK);
            fractions[i] = hit.hit && may_see(&s, &query, i) ? hit.fraction : INFINITY;
            wanted += fractions[i] <= 1.0f;
            first = fminf(first, fractions[i]);
        }
        trv_world_hit closest, all[THINGS];
        bool any;
        expect_result(trv_world_ray_closest(s.world, ray, &query, &closest), TRV_OK);
        expect_result(trv_world_ray_any(s.world, ray, &query, &any), TRV_OK);
        expect_result(trv_world_ray_all(s.world, ray, &query, all, THINGS, &count), TRV_OK);
        assert_int_equal(any, wanted > 0);
        assert_int_equal(count, wanted);
        assert_int_equal(closest.hit, wanted > 0);
        for (uint32_t i = 0; i < count; i++) {
            int thing = index_of(&s, all[i].shape);
            expect_near(all[i].fraction, fractions[thing], 0);
            assert_int_equal(all[i].user, thing);
            assert_int_equal(all[i].body.index1, s.bodies[thing].index1);
            assert_true(i == 0 || all[i - 1].fraction <= all[i].fraction);
        }
        if (wanted == 0)
            continue;
        met++;
        expect_near(closest.fraction, first, 0);
        assert_memory_equal(&closest.shape, &all[0].shape, sizeof closest.shape);
        trv_world_hit two[2];
        expect_result(trv_world_ray_all(s.world, ray, &query, two, 2, &count), TRV_OK);
        assert_int_equal(count, wanted);
        for (uint32_t i = 0; i < 2 && i < count; i++)
            assert_memory_equal(&two[i].shape, &all[i].shape, sizeof two[i].shape);
    }
    assert_true(met > 100);
    free_things(&s);
}

static void casts_agree_with_every_shape_in_turn(void **state)
{
    (void)state;
    scene s;
    test_random random = {77};
    make_things(&s, &random, alone);
    int met = 0;
    for (int round = 0; round < 300; round++) {
        trv_shape mover = s.shapes[round % 4];
        trv_motion motion =
            trv_make_motion((trv_pose){random_vec3(&random, 12.0f), random_quat(&random)});
        motion.travel = toward_the_middle(&random, motion.pose.position);
        if (round % 2) {
            motion.turn = random_vec3(&random, 3.0f);
            motion.center_local = random_vec3(&random, 0.5f);
        }
        trv_query query = random_query(&random);
        bool starts_free = true;
        float first = INFINITY;
        uint32_t wanted = 0, count;
        for (int i = 0; i < THINGS; i++) {
            trv_motion rest = trv_make_motion(s.poses[i]);
            trv_impact_hit hit;
            expect_result(trv_impact(&mover, &motion, &s.shapes[i], &rest, &hit), TRV_OK);
            if (!may_see(&s, &query, i) || !hit.hit)
                continue;
            starts_free = starts_free && !hit.start;
            first = fminf(first, hit.fraction);
            wanted++;
        }
        if (!starts_free)
            continue;
        trv_world_hit closest, all[THINGS];
        expect_result(trv_world_cast_closest(s.world, &mover, &motion, &query, &closest), TRV_OK);
        expect_result(trv_world_cast_all(s.world, &mover, &motion, &query, all, THINGS, &count),
                      TRV_OK);
        assert_int_equal(closest.hit, wanted > 0);
        assert_int_equal(count, wanted);
        if (wanted == 0)
            continue;
        met++;
        expect_near(closest.fraction, first, 1e-5);
        expect_near(all[0].fraction, first, 1e-5);
    }
    assert_true(met > 60);
    free_things(&s);
}

static void a_cast_that_starts_in_touch_hits_only_where_it_goes_deeper(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id wall = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    add_shape(world, wall, trv_make_box(trv_make_vec3(50, 1, 50)));
    const float gaps[] = {0.0f, 1e-6f, 1e-4f, 0.005f, 0.019f, -1e-4f, -0.2f};
    const trv_shape movers[] = {
        ball(0.5f), cube(0.5f),
        trv_make_capsule(trv_make_vec3(-1, 0, 0), trv_make_vec3(1, 0, 0), 0.5f)};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (int m = 0; m < 3; m++) {
            const struct {
                trv_vec3 travel, turn;
                bool hit;
            } cases[] = {
                {{0, 5, 0}, {0, 0, 0}, false},       {{5, 5, 5}, {0, 0, 0}, false},
                {{20, 0.001f, 0}, {0, 0, 0}, false}, {{20, 0, 0}, {0, 0, 0}, gaps[g] > 0 && false},
                {{0, -5, 0}, {0, 0, 0}, true},       {{5, -5, 5}, {0, 0, 0}, true},
                {{0, 5, 0}, {0, 0.5f, 0}, false},    {{0, -5, 0}, {0, 0.5f, 0}, true},
            };
            for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
                trv_motion motion =
                    trv_make_motion(trv_make_pose(trv_make_vec3(0, 1.5f + gaps[g], 0)));
                motion.travel = cases[c].travel;
                motion.turn = cases[c].turn;
                trv_world_hit hit;
                expect_result(trv_world_cast_closest(world, &movers[m], &motion, NULL, &hit),
                              TRV_OK);
                if (hit.hit != cases[c].hit)
                    fail_msg("gap %g, mover %d, case %zu: hit %d", (double)gaps[g], m, c, hit.hit);
                if (hit.hit) {
                    expect_near(hit.fraction, fmaxf(gaps[g], 0) / 5, 1e-4);
                    expect_near(hit.normal.y, 1, 1e-4);
                    assert_int_equal(hit.start, gaps[g] <= 0 || hit.fraction == 0.0f);
                }
            }
        }
    trv_world_destroy(world);
}

static void what_turns_away_and_comes_back_is_met(void **state)
{
    (void)state;
    // A rod whose one end lies on a block is turned about its middle: away from it, and with the other
    // end from below against the block's side.
    trv_world *world = make_world();
    trv_body_id floor = add_body(world, TRV_BODY_STATIC, trv_make_vec3(1.5f, -1, 0));
    add_shape(world, floor, cube(1)); // under the rod's one end only
    trv_shape rod = trv_make_box(trv_make_vec3(1.5f, 0.1f, 0.1f));
    trv_motion motion = trv_make_motion(trv_make_pose(trv_make_vec3(0, 0.1f, 0)));
    trv_world_hit hit;
    motion.turn = trv_make_vec3(0, 0, 1.7f);
    expect_result(trv_world_cast_closest(world, &rod, &motion, NULL, &hit), TRV_OK);
    assert_false(hit.hit);
    motion.turn = trv_make_vec3(0, 0, 6.0f);
    expect_result(trv_world_cast_closest(world, &rod, &motion, NULL, &hit), TRV_OK);
    assert_true(hit.hit && !hit.start);
    expect_near(hit.fraction * 6, 1.843, 0.01); // the edge at (-1.5, 0) comes to x = .5
    expect_near(hit.point.x, 0.5, 1e-4);
    motion.turn = trv_make_vec3(0, 0, -1.0f); // down at once
    expect_result(trv_world_cast_closest(world, &rod, &motion, NULL, &hit), TRV_OK);
    assert_true(hit.hit);
    expect_near(hit.fraction, 0, 1e-3);
    trv_world_destroy(world);
}

static void overlaps_agree_with_every_shape_in_turn(void **state)
{
    (void)state;
    scene s;
    test_random random = {13};
    make_things(&s, &random, alone);
    uint32_t in_all = 0;
    for (int round = 0; round < 300; round++) {
        trv_query query = random_query(&random);
        trv_shape asked = s.shapes[round % 4];
        trv_pose pose = {random_vec3(&random, 4.5f), random_quat(&random)};
        trv_aabb box = {pose.position, pose.position};
        box.upper.x += 2;
        box.upper.z += 1;
        trv_world_found found[3][THINGS];
        uint32_t counts[3], wanted[3] = {0, 0, 0};
        expect_result(
            trv_world_overlap_shape(s.world, &asked, pose, &query, found[0], THINGS, &counts[0]),
            TRV_OK);
        expect_result(
            trv_world_overlap_point(s.world, pose.position, &query, found[1], THINGS, &counts[1]),
            TRV_OK);
        expect_result(trv_world_overlap_aabb(s.world, box, &query, found[2], THINGS, &counts[2]),
                      TRV_OK);
        for (int i = 0; i < THINGS; i++) {
            trv_aabb bounds;
            bool overlap[3], inside;
            expect_result(trv_shape_bounds(s.world, s.ids[i], &bounds), TRV_OK);
            expect_result(trv_overlap(&asked, pose, &s.shapes[i], s.poses[i], &overlap[0]), TRV_OK);
            expect_result(trv_shape_contains(s.world, s.ids[i], pose.position, &inside), TRV_OK);
            trv_shape dust = ball(1e-5f);
            expect_result(trv_overlap(&dust, pose, &s.shapes[i], s.poses[i], &overlap[1]), TRV_OK);
            assert_int_equal(inside, overlap[1]);
            overlap[2] = box.lower.x <= bounds.upper.x && bounds.lower.x <= box.upper.x &&
                         box.lower.y <= bounds.upper.y && bounds.lower.y <= box.upper.y &&
                         box.lower.z <= bounds.upper.z && bounds.lower.z <= box.upper.z;
            for (int k = 0; k < 3; k++)
                wanted[k] += overlap[k] && may_see(&s, &query, i);
        }
        for (int k = 0; k < 3; k++) {
            assert_int_equal(counts[k], wanted[k]);
            in_all += wanted[k];
        }
        expect_result(trv_world_overlap_aabb(s.world, box, &query, NULL, 0, &counts[2]), TRV_OK);
        assert_int_equal(counts[2], wanted[2]);
    }
    assert_true(in_all > 300);
    free_things(&s);
}

static void the_closest_agrees_with_every_shape_in_turn(void **state)
{
    (void)state;
    scene s;
    test_random random = {5};
    make_things(&s, &random, alone);
    int found = 0, none = 0;
    for (int round = 0; round < 300; round++) {
        trv_query query = random_query(&random);
        trv_vec3 point = random_vec3(&random, 9.0f);
        float reach = random_float(&random, 0.0f, 4.0f);
        trv_shape asked = s.shapes[round % 4];
        trv_pose pose = {point, random_quat(&random)};
        double least[2] = {INFINITY, INFINITY};
        for (int i = 0; i < THINGS; i++) {
            trv_world_gap one;
            trv_gap gap;
            trv_shape dust = ball(1e-4f);
            expect_result(trv_shape_closest(s.world, s.ids[i], point, &one), TRV_OK);
            expect_result(trv_distance(&s.shapes[i], s.poses[i], &dust, pose, &gap), TRV_OK);
            expect_near(one.distance, gap.distance + 1e-4f, 2e-5);
            expect_near(one.normal.x, gap.normal.x, one.distance > 0.01 ? 1e-3 : 2);
            if (!may_see(&s, &query, i))
                continue;
            least[0] = fmin(least[0], one.distance);
            expect_result(trv_distance(&s.shapes[i], s.poses[i], &asked, pose, &gap), TRV_OK);
            least[1] = fmin(least[1], gap.distance);
        }
        trv_world_gap gaps[2];
        expect_result(trv_world_closest_to_point(s.world, point, reach, &query, &gaps[0]), TRV_OK);
        expect_result(trv_world_closest_to_shape(s.world, &asked, pose, reach, &query, &gaps[1]),
                      TRV_OK);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(gaps[k].found, least[k] <= reach);
            found += gaps[k].found;
            none += !gaps[k].found;
            if (!gaps[k].found)
                continue;
            expect_near(gaps[k].distance, least[k], 1e-6);
            trv_vec3 d = {gaps[k].point_asked.x - gaps[k].point.x,
                          gaps[k].point_asked.y - gaps[k].point.y,
                          gaps[k].point_asked.z - gaps[k].point.z};
            expect_near(d.x * gaps[k].normal.x + d.y * gaps[k].normal.y + d.z * gaps[k].normal.z,
                        gaps[k].distance, 1e-4);
        }
    }
    assert_true(found > 100 && none > 20);
    free_things(&s);
}

static void batches_are_what_single_questions_are(void **state)
{
    (void)state;
    scene s;
    test_random random = {99};
    trv_workers odd = {NULL, 3, deal_oddly};
    make_things(&s, &random, odd);
    enum { MANY = 100 };
    static trv_ray rays[MANY];
    static trv_world_cast casts[MANY];
    static trv_vec3 points[MANY];
    static trv_world_hit ray_hits[MANY], cast_hits[MANY];
    static trv_world_gap gaps[MANY];
    for (int i = 0; i < MANY; i++) {
        rays[i] = (trv_ray){random_vec3(&random, 8.0f), random_vec3(&random, 20.0f)};
        casts[i].shape = &s.shapes[i % 4];
        casts[i].motion = trv_make_motion(trv_make_pose(random_vec3(&random, 8.0f)));
        casts[i].motion.travel = random_vec3(&random, 10.0f);
        points[i] = random_vec3(&random, 8.0f);
    }
    expect_result(trv_world_rays(s.world, rays, MANY, NULL, ray_hits), TRV_OK);
    expect_result(trv_world_casts(s.world, casts, MANY, NULL, cast_hits), TRV_OK);
    expect_result(trv_world_closest_to_points(s.world, points, MANY, 2, NULL, gaps), TRV_OK);
    for (int i = 0; i < MANY; i++) {
        trv_world_hit hit;
        trv_world_gap gap;
        expect_result(trv_world_ray_closest(s.world, rays[i], NULL, &hit), TRV_OK);
        assert_int_equal(hit.shape.index1, ray_hits[i].shape.index1);
        expect_near(hit.fraction, ray_hits[i].fraction, 0);
        expect_result(trv_world_cast_closest(s.world, casts[i].shape, &casts[i].motion, NULL, &hit),
                      TRV_OK);
        assert_int_equal(hit.shape.index1, cast_hits[i].shape.index1);
        expect_near(hit.fraction, cast_hits[i].fraction, 0);
        expect_result(trv_world_closest_to_point(s.world, points[i], 2, NULL, &gap), TRV_OK);
        assert_int_equal(gap.shape.index1, gaps[i].shape.index1);
    }
    rays[7].travel.x = NAN;
    casts[7].shape = NULL;
    points[7].y = INFINITY;
    expect_result(trv_world_rays(s.world, rays, MANY, NULL, ray_hits), TRV_ERROR_NUMBER);
    expect_result(trv_world_casts(s.world, casts, MANY, NULL, cast_hits), TRV_ERROR_NULL);
    expect_result(trv_world_closest_to_points(s.world, points, MANY, 2, NULL, gaps),
                  TRV_ERROR_NUMBER);
    for (int i = 0; i < MANY; i++)
        assert_false(ray_hits[i].hit || cast_hits[i].hit || gaps[i].found);
    free_things(&s);
}

static void bad_questions_are_refused_with_empty_answers(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_shape good = ball(1), flat = ball(0),
              plane = trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0));
    trv_motion motion = trv_make_motion(trv_make_pose(trv_make_vec3(0, 1, 0))), bad = motion;
    trv_pose pose = motion.pose, turned = pose;
    trv_vec3 point = {0, 0, 0}, nan = {0, NAN, 0};
    trv_aabb inverted = {{1, 1, 1}, {0, 0, 0}};
    trv_query zeroed;
    memset(&zeroed, 0, sizeof zeroed);
    bad.turn.x = INFINITY;
    turned.rotation.w = 3;
    trv_world_hit hit;
    trv_world_gap gap;
    uint32_t count = 5;
    bool any = true;
    trv_ray ray = {point, nan};
    memset(&hit, 1, sizeof hit);
    expect_result(trv_world_ray_closest(world, ray, NULL, &hit), TRV_ERROR_NUMBER);
    assert_false(hit.hit);
    expect_result(trv_world_ray_any(world, ray, NULL, &any), TRV_ERROR_NUMBER);
    assert_false(any);
    expect_result(trv_world_ray_all(world, ray, NULL, &hit, 1, &count), TRV_ERROR_NUMBER);
    assert_int_equal(count, 0);
    ray.travel = point;
    expect_result(trv_world_ray_closest(world, ray, &zeroed, &hit), TRV_ERROR_DEF);
    expect_result(trv_world_ray_closest(NULL, ray, NULL, &hit), TRV_ERROR_NULL);
    expect_result(trv_world_ray_closest(world, ray, NULL, NULL), TRV_ERROR_NULL);
    expect_result(trv_world_ray_all(world, ray, NULL, NULL, 1, &count), TRV_ERROR_NULL);
    expect_result(trv_world_cast_closest(world, NULL, &motion, NULL, &hit), TRV_ERROR_NULL);
    expect_result(trv_world_cast_closest(world, &good, NULL, NULL, &hit), TRV_ERROR_NULL);
    expect_result(trv_world_cast_closest(world, &good, &bad, NULL, &hit), TRV_ERROR_NUMBER);
    expect_result(trv_world_cast_closest(world, &flat, &motion, NULL, &hit), TRV_ERROR_RANGE);
    expect_result(trv_world_cast_closest(world, &plane, &motion, NULL, &hit), TRV_ERROR_KIND);
    expect_result(trv_world_overlap_shape(world, &plane, pose, NULL, NULL, 0, &count),
                  TRV_ERROR_KIND);
    expect_result(trv_world_overlap_shape(world, &good, turned, NULL, NULL, 0, &count),
                  TRV_ERROR_ROTATION);
    expect_result(trv_world_overlap_shape(world, NULL, pose, NULL, NULL, 0, &count),
                  TRV_ERROR_NULL);
    expect_result(trv_world_overlap_point(world, nan, NULL, NULL, 0, &count), TRV_ERROR_NUMBER);
    expect_result(trv_world_overlap_aabb(world, inverted, NULL, NULL, 0, &count), TRV_ERROR_RANGE);
    expect_result(trv_world_overlap_aabb(world, inverted, NULL, NULL, 0, NULL), TRV_ERROR_NULL);
    expect_result(trv_world_closest_to_point(world, nan, 1, NULL, &gap), TRV_ERROR_NUMBER);
    expect_result(trv_world_closest_to_point(world, point, -1, NULL, &gap), TRV_ERROR_RANGE);
    expect_result(trv_world_closest_to_point(world, point, NAN, NULL, &gap), TRV_ERROR_NUMBER);
    expect_result(trv_world_closest_to_shape(world, &plane, pose, 1, NULL, &gap), TRV_ERROR_KIND);
    expect_result(trv_world_closest_to_shape(world, &good, pose, 1, NULL, NULL), TRV_ERROR_NULL);
    trv_shape_id stale = {0, 0, 0};
    expect_result(trv_shape_ray(world, stale, ray, &hit), TRV_ERROR_STALE);
    expect_result(trv_shape_closest(world, stale, point, &gap), TRV_ERROR_STALE);
    expect_result(trv_shape_contains(world, stale, point, &any), TRV_ERROR_STALE);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_agree_with_every_shape_in_turn),
        cmocka_unit_test(casts_agree_with_every_shape_in_turn),
        cmocka_unit_test(a_cast_that_starts_in_touch_hits_only_where_it_goes_deeper),
        cmocka_unit_test(what_turns_away_and_comes_back_is_met),
        cmocka_unit_test(overlaps_agree_with_every_shape_in_turn),
        cmocka_unit_test(the_closest_agrees_with_every_shape_in_turn),
        cmocka_unit_test(batches_are_what_single_questions_are),
        cmocka_unit_test(bad_questions_are_refused_with_empty_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
