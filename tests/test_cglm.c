// The converters to and from cglm: nothing lost, nothing turned over, no alignment assumed.
#include <cglm/cglm.h>

#include "support.h"
#include <trivet/cglm.h>

static trv_pose random_pose(test_random *random)
{
    trv_pose pose = {random_vec3(random, 100.0f), random_quat(random)};
    return pose;
}

static void vectors_and_quaternions_survive_the_round_trip_to_the_bit(void **state)
{
    (void)state;
    test_random random = {21};
    for (int i = 0; i < 1000; ++i) {
        trv_pose pose = random_pose(&random);
        vec3 v;
        versor q;
        trv_vec3_to_cglm(pose.position, v);
        trv_quat_to_cglm(pose.rotation, q);
        trv_vec3 position = trv_vec3_from_cglm(v);
        trv_quat rotation = trv_quat_from_cglm(q);
        assert_memory_equal(&position, &pose.position, sizeof position);
        assert_memory_equal(&rotation, &pose.rotation, sizeof rotation);
        assert_true(q[3] == pose.rotation.w);
    }
}

static void odd_addresses_convert_as_well(void **state)
{
    (void)state;
    float storage[4 * 8 + 4];
    test_random random = {22};
    for (int offset = 0; offset < 4; ++offset) { // 4-byte steps: no 16-byte alignment for three
        trv_quat *q = (trv_quat *)(void *)(storage + offset);
        *q = random_quat(&random);
        versor out;
        trv_quat_to_cglm(*q, out);
        trv_quat back = trv_quat_from_cglm(storage + offset);
        assert_memory_equal(&back, q, sizeof back);
        assert_true(out[0] == q->x && out[3] == q->w);
    }
}

static void a_quaternion_turns_a_vector_the_same_way_in_both(void **state)
{
    (void)state;
    test_random random = {23};
    for (int i = 0; i < 1000; ++i) {
        trv_pose pose = random_pose(&random);
        trv_vec3 ours = trv_rotate(pose.rotation, pose.position);
        versor q;
        vec3 v, theirs;
        trv_quat_to_cglm(pose.rotation, q);
        trv_vec3_to_cglm(pose.position, v);
        glm_quat_rotatev(q, v, theirs);
        expect_near(theirs[0], ours.x, 1e-4);
        expect_near(theirs[1], ours.y, 1e-4);
        expect_near(theirs[2], ours.z, 1e-4);
    }
}

static void a_pose_and_its_matrix_place_points_alike(void **state)
{
    (void)state;
    test_random random = {24};
    for (int i = 0; i < 1000; ++i) {
        trv_pose pose = random_pose(&random);
        trv_vec3 local = random_vec3(&random, 10.0f), world = trv_pose_apply(pose, local);
        mat4 m;
        vec3 v, out;
        trv_pose_to_cglm(pose, m);
        trv_vec3_to_cglm(local, v);
        glm_mat4_mulv3(m, v, 1.0f, out);
        expect_near(out[0], world.x, 1e-4);
        expect_near(out[1], world.y, 1e-4);
        expect_near(out[2], world.z, 1e-4);
        assert_true(m[0][3] == 0.0f && m[1][3] == 0.0f && m[2][3] == 0.0f && m[3][3] == 1.0f);
    }
}

static void expect_same_rotation(trv_quat a, trv_quat b)
{
    float same = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; // q and -q are one rotation
    float sign = same < 0.0f ? -1.0f : 1.0f;
    expect_near(a.x, sign * b.x, 2e-6);
    expect_near(a.y, sign * b.y, 2e-6);
    expect_near(a.z, sign * b.z, 2e-6);
    expect_near(a.w, sign * b.w, 2e-6);
}

static void poses_survive_the_round_trip_through_a_matrix(void **state)
{
    (void)state;
    test_random random = {25};
    int smallest_w = 0;
    for (int i = 0; i < 2000; ++i) {
        trv_pose pose = random_pose(&random);
        smallest_w += fabsf(pose.rotation.w) < 0.3f;
        mat4 m;
        trv_pose_to_cglm(pose, m);
        trv_pose back = trv_pose_from_cglm(m);
        assert_memory_equal(&back.position, &pose.position, sizeof back.position);
        expect_same_rotation(back.rotation, pose.rotation);
    }
    assert_true(smallest_w > 100); // all four branches
}

static void half_turns_survive_the_round_trip_through_a_matrix(void **state)
{
    (void)state;
    const trv_quat turns[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (size_t i = 0; i < 4; ++i) {
        trv_pose pose = trv_make_pose(trv_make_vec3(1, 2, 3));
        pose.rotation = turns[i];
        mat4 m;
        trv_pose_to_cglm(pose, m);
        expect_same_rotation(trv_pose_from_cglm(m).rotation, turns[i]);
    }
}

static void boxes_and_planes_keep_the_meaning_of_their_numbers(void **state)
{
    (void)state;
    trv_aabb box = {{-1, -2, -3}, {4, 5, 6}};
    vec3 bounds[2];
    trv_aabb_to_cglm(box, bounds);
    vec3 center;
    glm_aabb_center(bounds, center);
    expect_near(center[2], 1.5, 0.0);
    trv_aabb box_back = trv_aabb_from_cglm(bounds);
    assert_memory_equal(&box_back, &box, sizeof box);

    trv_plane plane = {{0, 1, 0}, -3}; // y = 3
    vec4 equation;
    trv_plane_to_cglm(plane, equation);
    expect_near(equation[1] * 3.0f + equation[3], 0.0, 0.0);
    trv_plane plane_back = trv_plane_from_cglm(equation);
    assert_memory_equal(&plane_back, &plane, sizeof plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_and_quaternions_survive_the_round_trip_to_the_bit),
        cmocka_unit_test(odd_addresses_convert_as_well),
        cmocka_unit_test(a_quaternion_turns_a_vector_the_same_way_in_both),
        cmocka_unit_test(a_pose_and_its_matrix_place_points_alike),
        cmocka_unit_test(poses_survive_the_round_trip_through_a_matrix),
        cmocka_unit_test(half_turns_survive_the_round_trip_through_a_matrix),
        cmocka_unit_test(boxes_and_planes_keep_the_meaning_of_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
