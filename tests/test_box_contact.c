// Contact points of boxes on one another's faces, against those that are made as for any hulls.
#include "support.h"

#include "../src/narrow/box_contact.h"
#include "../src/narrow/clip.h"
#include "../src/narrow/manifold.h"

enum { KINDS = 8, POSES = 13000 };

// Half extents of two boxes, how far the second is turned and moved from lying on the first, and by
// how much of the smaller one the two overlap at most.
typedef struct box_kind {
    const char *name;
    float size_a, size_b, thin_a, thin_b;
    float tilt, deep;
    bool parallel; // sides too
} box_kind;

static const box_kind kinds[KINDS] = {
    {"alike", 1, 1, 1, 1, 0.05f, 0.05f, false},
    {"on flat faces", 1, 1, 1, 1, 1e-5f, 0.02f, false},
    {"side by side", 1, 0.5f, 1, 1, 1e-6f, 0.02f, true},
    {"deep", 1, 1, 1, 1, 0.3f, 0.7f, false},
    {"huge", 3e4f, 1e4f, 1, 1, 0.02f, 0.05f, false},
    {"tiny", 1e-3f, 2e-3f, 1, 1, 0.02f, 0.05f, true},
    {"thin", 1, 1, 1e-3f, 1e-2f, 0.02f, 0.3f, false},
    {"a grain on a plate", 300, 0.01f, 0.1f, 1, 0.05f, 0.1f, false},
};

static trv_vec3 random_direction(test_random *random)
{
    return trvi_normalize_or(random_vec3(random, 1.0f), trv_make_vec3(0, 1, 0));
}

// Slabs that lie on one another along y, in a frame of their own.
static void place_boxes(test_random *random, const box_kind *k, trv_shape shapes[2],
                        trv_pose poses[2])
{
    trv_vec3 half[2];
    for (int i = 0; i < 2; i++) {
        float size = i == 0 ? k->size_a : k->size_b, thin = i == 0 ? k->thin_a : k->thin_b;
        half[i].x = size * random_float(random, 0.4f, 1.0f);
        half[i].y = thin * size * random_float(random, 0.4f, 1.0f);
        half[i].z = size * random_float(random, 0.4f, 1.0f);
        shapes[i] = trv_make_box(half[i]);
    }
    trv_quat frame = random_quat(random), turn = {0.0f, 0.0f, 0.0f, 1.0f};
    if (!k->parallel)
        turn = trv_quat_about(trv_make_vec3(0, 1, 0), random_float(random, -3.0f, 3.0f));
    trv_vec3 axis = random_direction(random);
    turn = trv_quat_multiply(trv_quat_about(axis, random_float(random, -k->tilt, k->tilt)), turn);
    float least = fminf(half[0].y, half[1].y);
    float reach_x = half[0].x + 0.5f * half[1].x, reach_z = half[0].z + 0.5f * half[1].z;
    trv_vec3 at = {reach_x * random_float(random, -1.0f, 1.0f),
                   half[0].y + half[1].y - random_float(random, 0.0f, k->deep) * least,
                   reach_z * random_float(random, -1.0f, 1.0f)};
    if (k->parallel && random_bits(random) % 2 == 0) // flush
        at.x = half[0].x - half[1].x;
    poses[0].position = trvi_scale(random_direction(random), k->size_a);
    poses[0].rotation = frame;
    poses[1].position = trvi_add(poses[0].position, trv_rotate(frame, at));
    poses[1].rotation = trv_quat_multiply(frame, turn);
}

static float deepest_of(const trv_manifold *m)
{
    float deepest = INFINITY;
    for (uint32_t i = 0; i < m->count; i++)
        deepest = fminf(deepest, m->points[i].separation);
    return deepest;
}

// How many points of both have the same names, and how many of these are in the same places but for
// rounding. The others are at the end of a side that all but lies on one of the other face.
static uint32_t count_same(const trv_manifold *a, const trv_manifold *b, float size, float rounding,
                           uint32_t *exact)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            if (a->points[i].feature != b->points[j].feature)
                continue;
            float off = trvi_length(trvi_sub(a->points[i].point, b->points[j].point));
            off += fabsf(a->points[i].separation - b->points[j].separation);
            expect_near(off, 0.0f, 4.0f * (float)TRVI_SIDE_SLACK * size + rounding);
            *exact += off <= rounding ? 1 : 0;
            same++;
        }
    }
    return same;
}

static void points_on_faces_of_boxes_are_those_of_any_hulls(void **state)
{
    (void)state;
    test_random random = {77};
    for (int kind = 0; kind < KINDS; kind++) {
        const box_kind *k = &kinds[kind];
        uint32_t made = 0, points = 0, same = 0, exact = 0, full = 0;
        for (int i = 0; i < POSES; i++) {
            trv_shape shapes[2];
            trv_pose poses[2];
            trvi_couple couple;
            trvi_box_gaps gaps;
            trvi_axis axis;
            trvi_nearest nearest;
            trv_manifold ours = {0}, theirs = {0};
            place_boxes(&random, k, shapes, poses);
            trvi_couple_set(&couple, &shapes[i % 2], poses[i % 2], &shapes[1 - i % 2],
                            poses[1 - i % 2]);
            double margin = 0.01 * couple.size;
            trvi_box_axes(&couple, margin, &gaps, &axis);
            if (axis.gap > 0.0 || !trvi_box_contact(&couple, &gaps, &axis, margin, &ours))
                continue;
            trvi_box_nearest(&couple, &gaps, &axis, &nearest);
            trvi_manifold_make(&couple, &nearest, margin, &theirs);
            float size = (float)couple.size, far = trvi_length(poses[0].position);
            trv_vec3 turned = trvi_sub(ours.normal, theirs.normal);
            expect_near(trvi_length(turned), 0.0f, 1.0e-6f);
            // Where sides all but lie on one another either of two crossings may be taken.
            double even = trvi_even_depth((double)deepest_of(&theirs), couple.size);
            expect_near(deepest_of(&ours), deepest_of(&theirs), even + 1.0e-3 * couple.size);
            same += count_same(&ours, &theirs, size, 1.0e-6f * (size + far), &exact);
            points += theirs.count;
            full += ours.count == TRV_MANIFOLD_POINTS;
            made++;
        }
        assert_true(made > POSES / 20 && full > 0);
        assert_true(same >= points - points / 50);
        assert_true(exact >= same - same / 50);
    }
}

static bool is_between(float x, float low, float high)
{
    return x >= low && x <= high; // false for NaN
}

// Boxes whose sides run along the axes, one half over the edge of the other, and to the side over
// it by about as much as counts as flush, where rounding makes five corners of four. Sides do not
// run across the strip between two of the other box then, and meet it nowhere.
static void points_of_boxes_that_are_not_turned_are_over_both(void **state)
{
    (void)state;
    static const float sizes[4] = {1.0e-3f, 1.0f, 1.0e5f, 1.7e6f};
    for (int i = 0; i < 4000; i++) {
        float size = sizes[i % 4], over = (float)TRVI_SIDE_SLACK * 3.0f * size;
        float rounding = (float)(i / 16 - 125) * 0.0625f * FLT_EPSILON;
        trv_vec3 half_a = {2.0f * size, 2.0f * size, 2.0f * size};
        trv_vec3 half_b = {2.0f * size, size, 2.0f * size};
        trv_vec3 way = {2.0f * size, 2.0f * size, over * (1.0f + rounding)};
        way.x = i / 4 % 2 == 0 ? way.x : -way.x;
        way.z = i / 8 % 2 == 0 ? way.z : -way.z;
        trv_shape a = trv_make_box(half_a), b = trv_make_box(half_b);
        trv_pose middle = trv_make_pose(trv_make_vec3(0, 0, 0));
        trv_manifold m;
        assert_int_equal(trv_collide(&a, middle, &b, trv_make_pose(way), 0.0f, NULL, &m), TRV_OK);
        assert_true(m.count > 0);
        for (uint32_t p = 0; p < m.count; p++) {
            trv_vec3 at = m.points[p].point;
            assert_true(is_between(at.x, -half_a.x - 2.0f * over, half_a.x + 2.0f * over));
            assert_true(is_between(at.z, -half_a.z - 2.0f * over, half_a.z + 2.0f * over));
        }
    }
}

// Everything about such a contact is the same to the bit, so that none changes by its way.
static void boxes_that_cross_at_an_edge_of_each_touch_as_any_hulls_do(void **state)
{
    (void)state;
    enum { PAIRS = 20000 };
    test_random random = {78};
    uint32_t made = 0, parallel = 0, faces = 0;
    for (int i = 0; i < PAIRS; i++) {
        trv_shape shapes[2];
        trv_pose poses[2];
        for (int k = 0; k < 2; k++) {
            trv_vec3 half = {random_float(&random, 0.01f, 1.0f), random_float(&random, 0.01f, 1.0f),
                             random_float(&random, 0.01f, 1.0f)};
            shapes[k] = trv_make_box(half);
            poses[k].position = random_vec3(&random, k == 0 ? 5.0f : 1.2f);
            poses[k].rotation = random_quat(&random);
        }
        poses[1].position = trvi_add(poses[0].position, poses[1].position);
        if (i % 4 == 0) { // rods, all but in line, edge against edge
            trv_quat turn = trv_quat_about(trv_make_vec3(1, 0, 0), 0.785f), tilt;
            tilt = trv_quat_about(trv_make_vec3(0, 1, 0), random_float(&random, -0.1f, 0.1f));
            shapes[0] = shapes[1] = trv_make_box(trv_make_vec3(1.0f, 0.1f, 0.1f));
            poses[0].rotation = turn;
            poses[1].rotation = trv_quat_multiply(tilt, turn);
            poses[1].position = trv_make_vec3(0.0f, random_float(&random, 0.27f, 0.282f), 0.0f);
            poses[1].position = trvi_add(poses[0].position, poses[1].position);
        }
        trvi_couple couple;
        trvi_box_gaps gaps;
        trvi_axis axis;
        trvi_nearest nearest;
        trv_manifold ours = {0}, theirs = {0};
        trvi_couple_set(&couple, &shapes[0], poses[0], &shapes[1], poses[1]);
        double margin = 0.01 * couple.size;
        trvi_box_axes(&couple, margin, &gaps, &axis);
        if (axis.gap > 0.0 || trvi_box_contact(&couple, &gaps, &axis, margin, &ours))
            continue;
        trvi_box_nearest(&couple, &gaps, &axis, &nearest);
        bool crossing = trvi_box_crossing(&couple, &gaps, &nearest, &ours);
        trvi_manifold_make(&couple, &nearest, margin, &theirs);
        if (crossing)
            assert_memory_equal(&ours, &theirs, sizeof ours);
        made += crossing;
        faces += !crossing && theirs.count > 1;
        parallel += !crossing && gaps.edge_a >= 0 &&
                    fabs(couple.rotation.m[gaps.edge_a][gaps.edge_b]) >= TRVI_FACE_COSINE;
    }
    assert_true(made > 2000 && faces > 500 && parallel > 500);
}

// A small box whose edge lies along that of a vast one: the place where they cross is lost to
// rounding, but not that it is on both.
static void edges_side_by_side_cross_within_both(void **state)
{
    (void)state;
    test_random random = {0x51DE};
    for (int i = 0; i < 2000; i++) {
        float sizes[] = {random_float(&random, 1.0e5f, 2.0e6f),
                         random_float(&random, 0.001f, 0.01f)};
        trv_shape shapes[2];
        trv_pose poses[2];
        for (int k = 0; k < 2; k++)
            shapes[k] = trv_make_box(trv_make_vec3(sizes[k], sizes[k], sizes[k]));
        trv_quat attitude = random_quat(&random), eighth, skew;
        eighth = trv_quat_about(trv_make_vec3(1, 0, 0), 0.78539816f);
        skew = trv_quat_about(trv_make_vec3(0, 0, 1), random_float(&random, 1.0e-6f, 5.0e-6f));
        poses[0].rotation = trv_quat_multiply(attitude, eighth);
        poses[1].rotation = trv_quat_multiply(trv_quat_multiply(attitude, skew), eighth);
        float x = random_float(&random, -0.9f, 0.9f) * sizes[0], up = sizes[0] * 1.41421356f;
        poses[0].position = trv_rotate(attitude, trv_make_vec3(x, 0.0f, -up));
        poses[1].position = trv_make_vec3(0, 0, 0);
        bool swapped = i % 2 == 1;
        trvi_couple couple;
        trvi_couple_set(&couple, &shapes[swapped], poses[swapped], &shapes[!swapped],
                        poses[!swapped]);
        trvi_axis axis = {.normal = {0.0, couple.offset.y, couple.offset.z}};
        axis.normal = trvi_dnormalize_or(axis.normal, axis.normal);
        trvi_box_gaps gaps = {.edge_a = 0, .edge_b = 0};
        gaps.back = trvi_dnegate(trvi_dmat3_mul_transposed(&couple.rotation, axis.normal));
        trvi_nearest nearest;
        trvi_box_nearest(&couple, &gaps, &axis, &nearest);
        trvi_dvec3 on_b = trvi_dsub(nearest.on_b, couple.offset);
        on_b = trvi_dmat3_mul_transposed(&couple.rotation, on_b);
        const double rounded = 1.0e-9 * (double)sizes[0];
        assert_true(fabs(nearest.on_a.x) <= (double)sizes[swapped] + rounded);
        assert_true(fabs(on_b.x) <= (double)sizes[!swapped] + rounded);
        // As near to one another along the edges as they can be.
        double along = trvi_dsub(nearest.on_b, nearest.on_a).x;
        assert_true(fabs(along) <= 1.0e-4 + rounded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_on_faces_of_boxes_are_those_of_any_hulls),
        cmocka_unit_test(points_of_boxes_that_are_not_turned_are_over_both),
        cmocka_unit_test(boxes_that_cross_at_an_edge_of_each_touch_as_any_hulls_do),
        cmocka_unit_test(edges_side_by_side_cross_within_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
