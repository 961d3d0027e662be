// Moving shapes for tests: every kind, random motions, and an oracle that samples the step densely.
#ifndef TRV_TESTS_IMPACT_SUPPORT_H
#define TRV_TESTS_IMPACT_SUPPORT_H

#include "support.h"

#include "../src/narrow/impact.h"
#include "hulls.h"

typedef struct impact_hulls {
    trv_hull *globe, *prism, *splinter;
} impact_hulls;

// One of each for all tests of a file: make_hulls and free_hulls stand round the group.
static impact_hulls hulls;

static inline int make_hulls(void **state)
{
    (void)state;
    hulls.globe = make_globe(6, 6, (trv_vec3){0.5f, 0.6f, 0.4f});
    hulls.prism = make_prism(5, 0.5f, 0.3f);
    hulls.splinter = make_prism(3, 0.02f, 0.9f);
    return hulls.globe != NULL && hulls.prism != NULL && hulls.splinter != NULL ? 0 : -1;
}

static inline int free_hulls(void **state)
{
    (void)state;
    trvi_convex_release(hulls.globe);
    trvi_convex_release(hulls.prism);
    trvi_convex_release(hulls.splinter);
    return 0;
}

enum { IMPACT_SHAPES = 8 };

// The half-space is the last.
static inline trv_shape impact_shape(int i)
{
    trv_obb placed = {{0.2f, -0.1f, 0.3f}, {0.3f, 0.4f, 0.01f}, {0.5f, 0.5f, 0.5f, 0.5f}};
    switch (i) {
    case 0:
        return trv_make_sphere((trv_vec3){0.1f, 0.2f, 0.0f}, 0.4f);
    case 1:
        return trv_make_capsule((trv_vec3){-0.4f, 0.0f, 0.1f}, (trv_vec3){0.5f, 0.1f, 0.0f}, 0.2f);
    case 2:
        return trv_make_box((trv_vec3){0.5f, 0.3f, 0.4f});
    case 3:
        return trv_make_placed_box(placed);
    case 4:
        return trv_make_hull(hulls.globe);
    case 5:
        return trv_make_hull(hulls.prism);
    case 6:
        return trv_make_hull(hulls.splinter);
    default:
        return trv_make_half_space((trv_vec3){0.0f, -0.2f, 0.0f}, (trv_vec3){0.6f, 0.8f, 0.0f});
    }
}

typedef struct moving_pair {
    trv_shape a, b;
    trv_motion motion_a, motion_b;
} moving_pair;

// Somewhere near; turns by up to `turn` rad about some point.
static inline trv_motion random_motion(test_random *random, float turn)
{
    trv_motion motion;
    motion.pose.position = random_vec3(random, 1.5f);
    motion.pose.rotation = random_quat(random);
    motion.travel = random_vec3(random, 0.7f);
    motion.turn = random_vec3(random, turn);
    motion.center_local = random_vec3(random, 0.3f);
    return motion;
}

static inline moving_pair random_pair(test_random *random, int number, float turn)
{
    moving_pair pair;
    pair.a = impact_shape(number % IMPACT_SHAPES);
    pair.b = impact_shape(number / IMPACT_SHAPES % (IMPACT_SHAPES - 1));
    pair.motion_a = random_motion(random, turn);
    pair.motion_b = random_motion(random, turn);
    // Mostly towards A, and often past it.
    trv_vec3 way = trvi_sub(pair.motion_a.pose.position, pair.motion_b.pose.position);
    pair.motion_b.travel =
        trvi_mul_add(pair.motion_b.travel, way, random_float(random, 0.0f, 2.5f));
    return pair;
}

static inline double distance_at(const moving_pair *pair, float fraction)
{
    trv_gap gap;
    expect_result(trv_distance(&pair->a, trv_motion_at(&pair->motion_a, fraction), &pair->b,
                               trv_motion_at(&pair->motion_b, fraction), &gap),
                  TRV_OK);
    return gap.distance;
}

#endif
