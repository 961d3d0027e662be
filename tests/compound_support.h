// Random compounds for tests, and their parts as shapes in the world.
#ifndef TRV_TESTS_COMPOUND_SUPPORT_H
#define TRV_TESTS_COMPOUND_SUPPORT_H

#include "support.h"

#include "hulls.h"
#include "narrow/compound.h"

enum { MAX_TEST_PARTS = 1024, PART_KINDS = 6 };

typedef struct test_hulls {
    trv_hull *globe, *prism;
} test_hulls;

static inline bool make_test_hulls(test_hulls *set)
{
    set->globe = make_globe(6, 6, (trv_vec3){0.25f, 0.3f, 0.2f});
    set->prism = make_prism(5, 0.25f, 0.15f);
    return set->globe != NULL && set->prism != NULL;
}

static inline void free_test_hulls(const test_hulls *set)
{
    trvi_convex_release(set->globe);
    trvi_convex_release(set->prism);
}

// One of each for all tests of a file: make_part_hulls and free_part_hulls stand round the group.
static test_hulls part_hulls;

static inline int make_part_hulls(void **state)
{
    (void)state;
    return make_test_hulls(&part_hulls) ? 0 : -1;
}

static inline int free_part_hulls(void **state)
{
    (void)state;
    free_test_hulls(&part_hulls);
    return 0;
}

static inline trv_shape part_shape(const test_hulls *set, uint32_t kind)
{
    trv_obb placed = {{0.1f, -0.05f, 0.15f}, {0.15f, 0.2f, 0.1f}, {0.5f, 0.5f, 0.5f, 0.5f}};
    switch (kind % PART_KINDS) {
    case 0:
        return trv_make_sphere((trv_vec3){0.05f, 0.1f, 0.0f}, 0.25f);
    case 1:
        return trv_make_capsule((trv_vec3){-0.2f, 0.0f, 0.05f}, (trv_vec3){0.25f, 0.05f, 0.0f},
                                0.125f);
    case 2:
        return trv_make_box((trv_vec3){0.25f, 0.15f, 0.2f});
    case 3:
        return trv_make_placed_box(placed);
    case 4:
        return trv_make_hull(set->globe);
    default:
        return trv_make_hull(set->prism);
    }
}

// Coordinates on a grid of 1/64: sums of them are exact in float32.
static inline trv_vec3 random_grid_vec3(test_random *random, float extent)
{
    trv_vec3 v = random_vec3(random, extent);
    return (trv_vec3){floorf(v.x * 64.0f) / 64.0f, floorf(v.y * 64.0f) / 64.0f,
                      floorf(v.z * 64.0f) / 64.0f};
}

static inline trv_pose random_pose(test_random *random, float extent)
{
    trv_pose pose = {random_grid_vec3(random, extent), random_quat(random)};
    return pose;
}

static inline void random_parts(test_random *random, const test_hulls *set, float extent,
                                trv_compound_part *parts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        parts[i].shape = part_shape(set, (uint32_t)(random_bits(random) % PART_KINDS));
        parts[i].pose = random_pose(random, extent);
    }
}

static inline trv_compound *compound_of(const trv_compound_part *parts, uint32_t count)
{
    trv_compound_def def = trv_default_compound_def();
    trv_compound *compound = NULL;
    expect_result(trv_compound_create(parts, count, &def, &compound), TRV_OK);
    return compound;
}

static inline trv_compound *random_compound(test_random *random, const test_hulls *set,
                                            float extent, uint32_t count)
{
    trv_compound_part parts[MAX_TEST_PARTS];
    random_parts(random, set, extent, parts, count);
    return compound_of(parts, count);
}

// `inner` applied first. Exact where `outer` is not turned and positions are on the grid.
static inline trv_pose pose_after(trv_pose outer, trv_pose inner)
{
    trv_pose pose;
    trv_quat q = outer.rotation;
    pose.position = trv_pose_apply(outer, inner.position);
    pose.rotation = q.x == 0.0f && q.y == 0.0f && q.z == 0.0f
                        ? inner.rotation
                        : trv_quat_multiply(q, inner.rotation);
    return pose;
}

static inline uint32_t parts_in(const trv_shape *shape)
{
    return shape->kind == TRV_SHAPE_COMPOUND ? trv_compound_part_count(shape->as.compound) : 1;
}

// Part `index` of any shape as a shape of its own.
static inline trv_shape part_alone(const trv_shape *shape, trv_pose pose, uint32_t index,
                                   trv_pose *placed)
{
    trv_compound_part part;
    *placed = pose;
    if (shape->kind != TRV_SHAPE_COMPOUND)
        return *shape;
    expect_result(trv_compound_part_get(shape->as.compound, index, &part), TRV_OK);
    *placed = pose_after(pose, part.pose);
    return part.shape;
}

#endif
