// Contacts as they are found on processors that have AVX, against those found on all others.
#include "hulls.h"
#include "support.h"

#include <string.h>

#include "../src/narrow/carry.h"
#include "../src/narrow/touch.h"

enum { SHAPES = 6, MOTIONS = 60, FRAMES = 60 };

// What was reached, for both ways did the same.
typedef struct reached {
    uint32_t answers[TRVI_CONTACT + 1], points[TRV_MANIFOLD_POINTS + 1], sources[8];
} reached;

static trv_shape random_shape(test_random *random, trv_hull *const hulls[3])
{
    uint32_t kind = (uint32_t)(random_bits(random) % SHAPES);
    trv_vec3 half = {random_float(random, 0.2f, 0.6f), random_float(random, 0.2f, 0.6f),
                     random_float(random, 0.2f, 0.6f)};
    if (kind < 3)
        return trv_make_hull(hulls[kind]);
    if (kind == 3)
        return trv_make_capsule((trv_vec3){-half.x, 0.0f, 0.0f}, (trv_vec3){half.x, 0.0f, 0.0f},
                                half.y);
    return trv_make_box(half);
}

#if defined(TRVI_CAN_EIGHT)
typedef trvi_answer touch_fn(trvi_couple *couple, double margin, trv_plane_cache *cache,
                             trv_manifold *out);

static trvi_answer ask(touch_fn *touch, const trv_shape shapes[2], const trv_pose poses[2],
                       trv_plane_cache *cache, trv_manifold *out)
{
    trvi_couple couple;
    memset(out, 0, sizeof *out);
    trvi_couple_sketch(&couple, &shapes[0], &poses[0], &shapes[1], &poses[1]);
    return touch(&couple, 0.02, cache, out);
}

// Two shapes that turn and pass through one another slowly.
static void move_past(test_random *random, const trv_shape shapes[2], reached *sum)
{
    trv_plane_cache cache = {0}, cache_eight = {0};
    trv_pose poses[2] = {{random_vec3(random, 3.0f), random_quat(random)}};
    trv_quat turn = trv_quat_about(trv_make_vec3(0.0f, 0.6f, 0.8f), 0.005f);
    trv_vec3 way = random_vec3(random, 0.02f), middle = random_vec3(random, 0.7f);
    poses[1].rotation = random_quat(random);
    for (int f = 0; f < FRAMES; f++) {
        trv_manifold manifold, eight;
        float past = (float)(f - FRAMES / 2);
        poses[1].rotation = trv_quat_multiply(turn, poses[1].rotation);
        poses[1].position = trvi_add(poses[0].position, trvi_mul_add(middle, way, past));
        trvi_answer answer = ask(trvi_touch, shapes, poses, &cache, &manifold);
        assert_int_equal(ask(trvi_touch_eight, shapes, poses, &cache_eight, &eight), answer);
        assert_memory_equal(&eight, &manifold, sizeof eight);
        assert_memory_equal(&cache_eight, &cache, sizeof cache);
        sum->answers[answer]++;
        sum->points[manifold.count]++;
        sum->sources[answer == TRVI_CONTACT && trvi_is_carried(&cache) ? cache.source & 7u : 0]++;
    }
}
#endif

static void contacts_have_the_same_bits_with_wider_instructions(void **state)
{
    (void)state;
#if defined(TRVI_CAN_EIGHT)
    if (!__builtin_cpu_supports("avx"))
        skip();
    test_random random = {2026};
    reached sum = {{0}, {0}, {0}};
    trv_hull *hulls[3] = {make_globe(4, 5, (trv_vec3){0.5f, 0.4f, 0.6f}),
                          make_globe(6, 8, (trv_vec3){0.4f, 0.5f, 0.5f}),
                          make_globe(12, 16, (trv_vec3){0.5f, 0.6f, 0.4f})};
    for (int i = 0; i < MOTIONS; i++) {
        trv_shape shapes[2] = {random_shape(&random, hulls), random_shape(&random, hulls)};
        move_past(&random, shapes, &sum);
    }
    for (int i = 0; i < 3; i++)
        trvi_convex_release(hulls[i]);
    assert_true(sum.answers[TRVI_APART_REMEMBERED] > 0 && sum.answers[TRVI_APART_SEARCHED] > 0);
    for (uint32_t i = 1; i <= TRV_MANIFOLD_POINTS; i++)
        assert_true(sum.points[i] > 0);
    assert_true(sum.sources[TRV_PLANE_FACE_A] > 0 && sum.sources[TRV_PLANE_FACE_B] > 0 &&
                sum.sources[TRV_PLANE_EDGES] > 0);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_have_the_same_bits_with_wider_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
