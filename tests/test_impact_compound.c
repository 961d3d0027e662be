// Time of impact of compounds against brute force over all pairs of parts, and against samples.
#include "compound_support.h"

#include "narrow/impact.h"

#define ORIGIN ((trv_vec3){0.0f, 0.0f, 0.0f})

// A compound and a shape of any kind, in either order, on their ways.
typedef struct moving_scene {
    trv_compound *compounds[2];
    trv_shape a, b;
    trv_motion motion_a, motion_b;
} moving_scene;

enum { OPPOSITES = PART_KINDS + 2 };

static trv_motion random_motion(test_random *random, float extent, float turn)
{
    trv_motion motion = trv_make_motion(random_pose(random, extent));
    motion.travel = random_vec3(random, 0.7f);
    motion.turn = random_vec3(random, turn);
    motion.center_local = random_vec3(random, 0.5f);
    return motion;
}

static moving_scene make_scene(test_random *random, int i, float turn)
{
    moving_scene s;
    memset(&s, 0, sizeof s);
    int opposite = i % OPPOSITES;
    float spread = random_float(random, 0.5f, 2.0f);
    uint32_t most = opposite > PART_KINDS ? 10 : 30;
    s.compounds[0] =
        random_compound(random, &part_hulls, spread, 1 + (uint32_t)(random_bits(random) % most));
    s.a = trv_make_compound(s.compounds[0]);
    s.motion_a = random_motion(random, 1.0f, turn);
    s.motion_b = random_motion(random, 3.0f, turn);
    trv_vec3 way = trvi_sub(s.motion_a.pose.position, s.motion_b.pose.position);
    s.motion_b.travel = trvi_mul_add(s.motion_b.travel, way, random_float(random, 0.0f, 2.5f));
    if (opposite == PART_KINDS) {
        s.b = trv_make_half_space((trv_vec3){0.0f, -1.0f, 0.0f}, (trv_vec3){0.6f, 0.8f, 0.0f});
        s.motion_b.turn = trvi_scale(s.motion_b.turn, 0.2f);
    } else if (opposite > PART_KINDS) {
        s.compounds[1] = random_compound(random, &part_hulls, spread,
                                         1 + (uint32_t)(random_bits(random) % most));
        s.b = trv_make_compound(s.compounds[1]);
    } else {
        s.b = part_shape(&part_hulls, (uint32_t)opposite);
    }
    if (i / OPPOSITES % 2 == 1) {
        trv_shape shape = s.a;
        trv_motion motion = s.motion_a;
        s.a = s.b;
        s.motion_a = s.motion_b;
        s.b = shape;
        s.motion_b = motion;
    }
    return s;
}

static void free_scene(moving_scene *s)
{
    trv_compound_release(s->compounds[0]);
    trv_compound_release(s->compounds[1]);
}

// A part as a shape of its own that goes the way of the whole.
static trv_shape moving_part(const trv_shape *shape, const trv_motion *motion, uint32_t index,
                             trv_motion *own)
{
    *own = *motion;
    trv_shape alone = part_alone(shape, motion->pose, index, &own->pose);
    if (shape->kind == TRV_SHAPE_COMPOUND) {
        trv_compound_part part;
        expect_result(trv_compound_part_get(shape->as.compound, index, &part), TRV_OK);
        own->center_local = trv_pose_apply_inverse(part.pose, motion->center_local);
    }
    return alone;
}

static trv_impact_hit span_of_parts(const moving_scene *s, uint32_t i, uint32_t j, float *last)
{
    trv_motion ma, mb;
    trv_shape a = moving_part(&s->a, &s->motion_a, i, &ma);
    trv_shape b = moving_part(&s->b, &s->motion_b, j, &mb);
    trv_impact_hit hit;
    expect_result(trv_impact_span(&a, &ma, &b, &mb, &hit, last), TRV_OK);
    return hit;
}

static double distance_at(const moving_scene *s, float t)
{
    trv_gap gap;
    expect_result(trv_distance(&s->a, trv_motion_at(&s->motion_a, t), &s->b,
                               trv_motion_at(&s->motion_b, t), &gap),
                  TRV_OK);
    return gap.distance;
}

// Poses in float32 place shapes of this size to some 1e-6 m.
#define NEAR 6.0e-6

typedef struct tally {
    uint32_t hits, misses, starts, ends;
    uint32_t strung; // contacts that parts hand on
    uint32_t parted; // ends after which a sample is apart
} tally;

// The least fraction of all pairs, and where the contact ends that begins with it, from the spans of
// all pairs: exact where nothing turns.
static bool brute_force(const moving_scene *s, float *first, float *last, bool *strung)
{
    static float begin[1024], end[1024];
    uint32_t count = 0;
    *first = 2.0f;
    *strung = false;
    for (uint32_t i = 0; i < parts_in(&s->a); i++) {
        for (uint32_t j = 0; j < parts_in(&s->b); j++) {
            trv_impact_hit hit = span_of_parts(s, i, j, &end[count]);
            begin[count] = hit.fraction;
            if (hit.hit && hit.fraction < *first) {
                *first = hit.fraction;
                *last = end[count];
            }
            count += hit.hit;
        }
    }
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t k = 0; k < count; k++) {
            if (begin[k] <= *last && end[k] > *last) {
                *last = end[k];
                grown = *strung = true;
            }
        }
    }
    return count > 0;
}

static void check_first(const moving_scene *s, const trv_impact_hit *hit, float first)
{
    float last;
    assert_true(hit->part_a < parts_in(&s->a) && hit->part_b < parts_in(&s->b));
    trv_impact_hit parts = span_of_parts(s, hit->part_a, hit->part_b, &last);
    assert_true(parts.hit);
    expect_near(hit->fraction, first, 2.0e-4); // a graze amplifies what rounding moves
    expect_near(parts.fraction, first, 2.0e-4);
    expect_near(distance_at(s, hit->fraction), hit->start ? distance_at(s, 0.0f) : 0.0, NEAR);
    expect_near(trvi_length(hit->normal), 1.0, 1.0e-6);
    if (!hit->start) {
        expect_near(trvi_length(trvi_sub(parts.normal, hit->normal)), 0.0, 2.0e-2);
        expect_near(trvi_dot(trvi_sub(parts.point, hit->point), hit->normal), 0.0, 1.0e-2);
    }
}

static void check_samples(const moving_scene *s, const trv_impact_hit *hit, float last, int samples)
{
    double until = hit->hit ? hit->fraction : 2.0;
    for (int i = 0; i <= samples; i++) {
        float t = (float)i / (float)samples;
        double distance = distance_at(s, t);
        if (t < until)
            assert_true(distance > -NEAR);
        else if (t <= last)
            assert_true(distance < NEAR);
    }
    if (hit->hit && last < 1.0f && last > hit->fraction) {
        expect_near(distance_at(s, last), 0.0, NEAR);
    }
}

// True where the shapes are seen apart soon after a time.
static bool parts_after(const moving_scene *s, float time)
{
    for (float later = 1.0e-5f; later < 2.0e-3f; later *= 2.0f)
        if (time + later <= 1.0f && distance_at(s, time + later) > NEAR)
            return true;
    return false;
}

static void check_scenes(uint64_t seed, float turn, int count, int samples)
{
    test_random random = {seed};
    tally sum = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        moving_scene s = make_scene(&random, i, turn);
        trv_impact_hit hit, again;
        float last, first, wanted_last = 0.0f;
        bool strung;
        expect_result(trv_impact_span(&s.a, &s.motion_a, &s.b, &s.motion_b, &hit, &last), TRV_OK);
        expect_result(trv_impact(&s.a, &s.motion_a, &s.b, &s.motion_b, &again), TRV_OK);
        assert_memory_equal(&hit, &again, sizeof hit);
        bool wanted = brute_force(&s, &first, &wanted_last, &strung);
        assert_int_equal(hit.hit, wanted);
        sum.hits += hit.hit;
        sum.misses += !hit.hit;
        sum.starts += hit.start;
        check_samples(&s, &hit, last, samples);
        if (hit.hit) {
            assert_int_equal(hit.start, distance_at(&s, 0.0f) <= 0.0);
            check_first(&s, &hit, first);
            if (turn == 0.0f)
                expect_near(last, wanted_last, 2.0e-4);
            assert_true(last > wanted_last - 2.0e-4f); // where something turns pairs may meet again
            sum.strung += strung;
            sum.ends += last < 1.0f;
            sum.parted += last < 1.0f && parts_after(&s, last);
        } else {
            assert_true(hit.fraction == 0.0f && last == 0.0f && !hit.start);
        }
        free_scene(&s);
    }
    print_message("%u hits (%u at the start, %u strung together, %u end, %u of them seen to), "
                  "%u misses\n",
                  sum.hits, sum.starts, sum.strung, sum.ends, sum.parted, sum.misses);
    assert_true(sum.hits > (uint32_t)count / 3 && sum.misses > (uint32_t)count / 20);
    assert_true(sum.starts > (uint32_t)count / 40 && sum.ends > (uint32_t)count / 20);
    assert_true(sum.strung > (uint32_t)count / 20 && sum.parted > sum.ends * 9 / 10);
}

static void travelling_compounds_meet_when_their_parts_do(void **state)
{
    (void)state;
    check_scenes(11, 0.0f, 240, 60);
}

static void turning_compounds_meet_when_their_parts_do(void **state)
{
    (void)state;
    check_scenes(12, 1.5f, 144, 60);
}

static void spinning_compounds_meet_when_their_parts_do(void **state)
{
    (void)state;
    check_scenes(13, 25.0f, 64, 200);
}

static void swapping_a_and_b_mirrors_the_impact(void **state)
{
    (void)state;
    test_random random = {14};
    uint32_t hits = 0;
    for (int i = 0; i < 320; i++) {
        moving_scene s = make_scene(&random, i, i % 2 == 0 ? 0.0f : 3.0f);
        trv_impact_hit ab, ba;
        float last_ab, last_ba;
        expect_result(trv_impact_span(&s.a, &s.motion_a, &s.b, &s.motion_b, &ab, &last_ab), TRV_OK);
        expect_result(trv_impact_span(&s.b, &s.motion_b, &s.a, &s.motion_a, &ba, &last_ba), TRV_OK);
        assert_int_equal(ab.hit, ba.hit);
        assert_int_equal(ab.start, ba.start);
        if (ab.hit && !ab.start) {
            hits++;
            expect_near(ab.fraction, ba.fraction, 1.0e-6);
            expect_near(trvi_length(trvi_add(ab.normal, ba.normal)), 0.0, 1.0e-3);
            assert_true(ab.part_a == ba.part_b && ab.part_b == ba.part_a);
        }
        free_scene(&s);
    }
    assert_true(hits > 80);
}

static void a_compound_of_one_part_moves_like_the_part(void **state)
{
    (void)state;
    test_random random = {15};
    uint32_t hits = 0;
    for (int i = 0; i < 600; i++) {
        trv_compound_part part = {part_shape(&part_hulls, (uint32_t)i), trv_make_pose(ORIGIN)};
        trv_shape b = part_shape(&part_hulls, (uint32_t)i / PART_KINDS);
        trv_motion ma = random_motion(&random, 1.0f, 3.0f), mb = random_motion(&random, 1.0f, 3.0f);
        mb.travel = trvi_sub(ma.pose.position, mb.pose.position);
        trv_compound *compound = compound_of(&part, 1);
        trv_shape whole = trv_make_compound(compound);
        trv_impact_hit alone, one;
        expect_result(trv_impact(&part.shape, &ma, &b, &mb, &alone), TRV_OK);
        expect_result(trv_impact(&whole, &ma, &b, &mb, &one), TRV_OK);
        assert_int_equal(alone.hit, one.hit);
        expect_near(alone.fraction, one.fraction, 1.0e-6);
        hits += one.hit && !one.start;
        trv_compound_release(compound);
    }
    assert_true(hits > 60);
}

enum { WIDE = 32 };

// 1024 thin tiles, a wall of them.
static trv_compound *tiled_wall(float thickness)
{
    static trv_compound_part parts[WIDE * WIDE];
    for (int i = 0; i < WIDE * WIDE; i++) {
        trv_vec3 at = {0.0f, (float)(i % WIDE - WIDE / 2), (float)(i / WIDE - WIDE / 2)};
        parts[i].shape = trv_make_box((trv_vec3){0.5f * thickness, 0.5f, 0.5f});
        parts[i].pose = trv_make_pose(at);
    }
    return compound_of(parts, WIDE * WIDE);
}

static void bullets_do_not_pass_through_a_wall_of_thin_tiles(void **state)
{
    (void)state;
    test_random random = {16};
    trv_compound *tiles = tiled_wall(0.001f);
    trv_shape wall = trv_make_compound(tiles), bullet = trv_make_sphere(ORIGIN, 0.004f);
    uint32_t most = 0;
    for (int i = 0; i < 1000; i++) {
        trv_vec3 from = {-40.0f, random_float(&random, -14.0f, 14.0f),
                         random_float(&random, -14.0f, 14.0f)};
        trv_vec3 to = {40.0f, random_float(&random, -14.0f, 14.0f),
                       random_float(&random, -14.0f, 14.0f)};
        trv_motion flies = trv_make_motion(trv_make_pose(from));
        trv_motion wall_moves = trv_make_motion(trv_make_pose(ORIGIN));
        flies.travel = trvi_sub(to, from);
        flies.center_local = (trv_vec3){0.0f, 0.1f, 0.0f};
        flies.turn = random_vec3(&random, 50.0f);
        if (i % 2 == 1)
            wall_moves.turn.x = random_float(&random, -3.0f, 3.0f);
        trvi_impact_times times;
        trvi_impact_find(&bullet, &flies, &wall, &wall_moves, false, &times);
        assert_true(times.hit && !times.start);
        expect_near(times.first, (40.0 - 0.0045) / 80.0, 5.0e-3);
        expect_near(times.normal.x, 1.0, 1.0e-3);
        most = times.pairs > most ? times.pairs : most;
    }
    print_message("at most %u of %d tiles looked at\n", most, WIDE * WIDE);
    assert_true(most <= 12);
    trv_compound_release(tiles);
}

// Two clouds of 400 parts: 160000 pairs.
static void few_pairs_of_parts_are_looked_at(void **state)
{
    (void)state;
    test_random random = {17};
    enum { PARTS = 400, ROUNDS = 60 };
    trv_compound *clouds[2];
    uint32_t most = 0, sum = 0, hits = 0;
    for (int k = 0; k < 2; k++)
        clouds[k] = random_compound(&random, &part_hulls, 6.0f, PARTS);
    trv_shape a = trv_make_compound(clouds[0]), b = trv_make_compound(clouds[1]);
    for (int i = 0; i < ROUNDS; i++) {
        trv_motion ma = random_motion(&random, 1.0f, i % 2 == 0 ? 0.0f : 1.0f);
        trv_motion mb = random_motion(&random, 1.0f, i % 2 == 0 ? 0.0f : 1.0f);
        mb.pose.position.x += 20.0f;
        mb.travel.x -= random_float(&random, 4.0f, 20.0f);
        trvi_impact_times times;
        trvi_impact_find(&a, &ma, &b, &mb, false, &times);
        most = times.pairs > most ? times.pairs : most;
        sum += times.pairs;
        hits += times.hit;
    }
    print_message("%u pairs on average, at most %u, of %d\n", sum / ROUNDS, most, PARTS * PARTS);
    assert_true(hits > 30 && most < PARTS * PARTS / 200 && sum / ROUNDS < PARTS * PARTS / 1000);
    trv_compound_release(clouds[0]);
    trv_compound_release(clouds[1]);
}

// Tiles side by side with gaps of a hand's breadth: a ball narrower than the gap leaves each one, a wider
// one is handed on to the last.
static void contact_lasts_while_any_part_touches(void **state)
{
    (void)state;
    trv_compound_part parts[20];
    for (int i = 0; i < 20; i++) {
        parts[i].shape = trv_make_box((trv_vec3){0.4f, 0.1f, 1.0f});
        parts[i].pose = trv_make_pose((trv_vec3){(float)i, 0.0f, 0.0f});
    }
    trv_compound *planks = compound_of(parts, 20);
    trv_shape jetty = trv_make_compound(planks);
    trv_motion rests = trv_make_motion(trv_make_pose(ORIGIN));
    trv_motion rolls = trv_make_motion(trv_make_pose((trv_vec3){-5.0f, 0.0f, 0.0f}));
    trv_impact_hit hit;
    float last;
    rolls.travel.x = 40.0f;
    for (int turns = 0; turns < 2; turns++) {
        rolls.turn.z = turns == 0 ? 0.0f : 3.0f;
        rolls.center_local.y = turns == 0 ? 0.0f : 0.001f;
        trv_shape small = trv_make_sphere(ORIGIN, 0.09f), large = trv_make_sphere(ORIGIN, 0.11f);
        expect_result(trv_impact_span(&small, &rolls, &jetty, &rests, &hit, &last), TRV_OK);
        expect_near(hit.fraction, (4.6 - 0.09) / 40.0, 1.0e-4);
        expect_near(last, (5.4 + 0.09) / 40.0, 1.0e-4);
        assert_int_equal(hit.part_b, 0);
        expect_result(trv_impact_span(&large, &rolls, &jetty, &rests, &hit, &last), TRV_OK);
        expect_near(hit.fraction, (4.6 - 0.11) / 40.0, 1.0e-4);
        expect_near(last, (24.4 + 0.11) / 40.0, 1.0e-4);
    }
    trv_compound_release(planks);
}

static void at_the_start_the_parts_that_overlap_most_are_told(void **state)
{
    (void)state;
    test_random random = {18};
    uint32_t starts = 0;
    for (int i = 0; i < 400; i++) {
        moving_scene s = make_scene(&random, i, 1.0f);
        s.motion_b.pose.position = trvi_scale(s.motion_b.pose.position, 0.25f);
        trv_impact_hit hit;
        trv_gap gap;
        expect_result(trv_impact(&s.a, &s.motion_a, &s.b, &s.motion_b, &hit), TRV_OK);
        expect_result(trv_distance(&s.a, s.motion_a.pose, &s.b, s.motion_b.pose, &gap), TRV_OK);
        assert_int_equal(hit.start, gap.distance <= 0.0f);
        if (hit.start) {
            starts++;
            assert_true(hit.hit && hit.fraction == 0.0f);
            assert_int_equal(hit.part_a, gap.part_a);
            assert_int_equal(hit.part_b, gap.part_b);
            expect_near(trvi_length(trvi_sub(hit.normal, gap.normal)), 0.0, 1.0e-4);
        }
        free_scene(&s);
    }
    assert_true(starts > 60);
}

static void spinning_within_one_another_ends_within_the_limit(void **state)
{
    (void)state;
    test_random random = {20};
    trv_compound *clouds[2];
    for (int k = 0; k < 2; k++)
        clouds[k] = random_compound(&random, &part_hulls, 3.0f, 100);
    trv_shape a = trv_make_compound(clouds[0]), b = trv_make_compound(clouds[1]);
    trv_motion spins = trv_make_motion(trv_make_pose(ORIGIN));
    trv_motion rests = trv_make_motion(trv_make_pose((trv_vec3){0.2f, 0.1f, 0.0f}));
    spins.turn = (trv_vec3){1.0e8f, -5.0e7f, 2.0e7f};
    trvi_impact_times times;
    trvi_impact_find(&a, &spins, &b, &rests, true, &times);
    assert_true(times.hit && times.start && times.last >= 0.0 && times.last <= 1.0);
    assert_true(times.pairs + times.turns < 150000);
    trv_compound_release(clouds[0]);
    trv_compound_release(clouds[1]);
}

// Bars that spin, side by side, past as many that rest: each corner goes by at a hair, thousands of
// times.
static void parts_that_pass_by_a_hair_share_the_steps_of_the_proof(void **state)
{
    (void)state;
    enum { PARTS = 12 };
    trv_compound_part bars[PARTS], posts[PARTS];
    for (uint32_t i = 0; i < PARTS; i++) {
        float z = 0.5f * (float)i;
        bars[i] = (trv_compound_part){trv_make_box((trv_vec3){0.3f, 0.4f, 0.1f}),
                                      trv_make_pose((trv_vec3){0.0f, 0.0f, z})};
        posts[i] = (trv_compound_part){trv_make_box((trv_vec3){0.1f, 0.1f, 0.1f}),
                                       trv_make_pose((trv_vec3){0.60005f, 0.0f, z})};
    }
    trv_compound *spinner = compound_of(bars, PARTS), *fence = compound_of(posts, PARTS);
    trv_shape a = trv_make_compound(spinner), b = trv_make_compound(fence);
    trv_motion spins = trv_make_motion(trv_make_pose(ORIGIN)), rests = spins;
    spins.turn = (trv_vec3){0.0f, 0.0f, 1.0e4f};
    trvi_impact_times times, alone;
    rests.pose = posts[0].pose;
    trvi_impact_find(&bars[0].shape, &spins, &posts[0].shape, &rests, false, &alone);
    assert_true(alone.hit && alone.ended_by_limit && alone.first > 0.0);
    rests.pose = trv_make_pose(ORIGIN);
    trvi_impact_find(&a, &spins, &b, &rests, false, &times);
    assert_true(times.hit && times.ended_by_limit && times.first > 0.0);
    assert_true(times.first <= alone.first);
    assert_true(times.turns <= 5 * TRVI_IMPACT_STEPS);
    trv_compound_release(spinner);
    trv_compound_release(fence);
}

static void casts_of_compounds_stop_at_compounds(void **state)
{
    (void)state;
    trv_compound_part fork[2] = {
        {trv_make_box((trv_vec3){1.0f, 0.1f, 0.1f}), {{0.0f, 1.0f, 0.0f}, {0, 0, 0, 1}}},
        {trv_make_box((trv_vec3){1.5f, 0.1f, 0.1f}), {{0.0f, -1.0f, 0.0f}, {0, 0, 0, 1}}}};
    trv_compound *compound = compound_of(fork, 2);
    trv_shape shape = trv_make_compound(compound);
    trv_impact_hit hit;
    expect_result(trv_shape_cast(&shape, trv_make_pose(ORIGIN), (trv_vec3){4.0f, 0.0f, 0.0f},
                                 &shape, trv_make_pose((trv_vec3){5.0f, 0.0f, 0.0f}), &hit),
                  TRV_OK);
    assert_true(hit.hit && !hit.start && hit.part_a == 1 && hit.part_b == 1);
    expect_near(hit.fraction, 0.5, 1.0e-6);
    expect_near(hit.normal.x, 1.0, 1.0e-6);
    // Between the prongs of the other there is room.
    expect_result(trv_shape_cast(&shape, trv_make_pose(ORIGIN), (trv_vec3){9.0f, 0.0f, 0.0f},
                                 &shape, trv_make_pose((trv_vec3){5.0f, 1.0f, 0.0f}), &hit),
                  TRV_OK);
    assert_false(hit.hit);
    trv_compound_release(compound);
}

static void what_is_wrong_with_the_arguments_is_told(void **state)
{
    (void)state;
    trv_compound_part part = {trv_make_sphere(ORIGIN, 1.0f), trv_make_pose(ORIGIN)};
    trv_compound *compound = compound_of(&part, 1);
    trv_shape good = trv_make_compound(compound), none = trv_make_compound(NULL);
    trv_motion rests = trv_make_motion(trv_make_pose(ORIGIN)), bad = rests;
    trv_impact_hit hit, zero;
    float last;
    memset(&zero, 0, sizeof zero);
    expect_result(trv_impact(&good, &rests, &none, &rests, &hit), trv_shape_check(&none));
    assert_true(trv_shape_check(&none) != TRV_OK);
    const float numbers[] = {NAN, INFINITY, 1.1e8f};
    for (int i = 0; i < 3; i++) {
        trv_result wanted = i == 2 ? TRV_ERROR_RANGE : TRV_ERROR_NUMBER;
        bad = rests;
        bad.turn.y = numbers[i];
        memset(&hit, 0xff, sizeof hit);
        expect_result(trv_impact(&good, &bad, &good, &rests, &hit), wanted);
        assert_memory_equal(&hit, &zero, sizeof hit);
        expect_result(trv_impact_span(&good, &rests, &good, &bad, &hit, &last), wanted);
        expect_result(trv_shape_cast(&good, rests.pose, bad.turn, &good, rests.pose, &hit), wanted);
    }
    expect_result(trv_impact(&good, &rests, &good, NULL, &hit), TRV_ERROR_NULL);
    expect_result(trv_impact_span(&good, &rests, &good, &rests, NULL, &last), TRV_ERROR_NULL);
    trv_compound_release(compound);
}

static void answers_at_the_limits_are_finite(void **state)
{
    (void)state;
    test_random random = {19};
    const float sizes[] = {1.0e-30f, 1.0e-3f, 1.0f, 1.0e6f, TRV_COORD_MAX};
    uint32_t hits = 0, misses = 0;
    for (int i = 0; i < 400; i++) {
        moving_scene s = make_scene(&random, i, 0.0f);
        trv_motion *m[2] = {&s.motion_a, &s.motion_b};
        for (int k = 0; k < 2; k++) {
            m[k]->pose.position = random_vec3(&random, sizes[random_bits(&random) % 5]);
            m[k]->travel = random_vec3(&random, sizes[random_bits(&random) % 5]);
            m[k]->turn = random_vec3(&random, sizes[random_bits(&random) % 4]);
            m[k]->center_local = random_vec3(&random, sizes[random_bits(&random) % 5]);
        }
        trv_impact_hit hit;
        float last;
        expect_result(trv_impact_span(&s.a, &s.motion_a, &s.b, &s.motion_b, &hit, &last), TRV_OK);
        assert_true(hit.fraction >= 0.0f && hit.fraction <= 1.0f);
        assert_true(last >= 0.0f && last <= 1.0f);
        assert_true(fabsf(hit.point.x) <= 1.0e10f && fabsf(hit.point.y) <= 1.0e10f);
        expect_near(trvi_length(hit.normal), hit.hit ? 1.0 : 0.0, 1.0e-5);
        hits += hit.hit;
        misses += !hit.hit;
        free_scene(&s);
    }
    assert_true(hits > 50 && misses > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(travelling_compounds_meet_when_their_parts_do),
        cmocka_unit_test(turning_compounds_meet_when_their_parts_do),
        cmocka_unit_test(spinning_compounds_meet_when_their_parts_do),
        cmocka_unit_test(swapping_a_and_b_mirrors_the_impact),
        cmocka_unit_test(a_compound_of_one_part_moves_like_the_part),
        cmocka_unit_test(bullets_do_not_pass_through_a_wall_of_thin_tiles),
        cmocka_unit_test(few_pairs_of_parts_are_looked_at),
        cmocka_unit_test(contact_lasts_while_any_part_touches),
        cmocka_unit_test(at_the_start_the_parts_that_overlap_most_are_told),
        cmocka_unit_test(spinning_within_one_another_ends_within_the_limit),
        cmocka_unit_test(parts_that_pass_by_a_hair_share_the_steps_of_the_proof),
        cmocka_unit_test(casts_of_compounds_stop_at_compounds),
        cmocka_unit_test(what_is_wrong_with_the_arguments_is_told),
        cmocka_unit_test(answers_at_the_limits_are_finite),
    };
    return cmocka_run_group_tests(tests, make_part_hulls, free_part_hulls);
}
