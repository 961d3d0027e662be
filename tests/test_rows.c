// What overlaps in rows parts calmly: not as fast as all of the row's pushes together.
#include "world_support.h"

enum { MOST = 40 };

// The largest way of a body in a step, m; the bodies are a stack from the ground up.
static float fastest_way(trv_world *world, const trv_body_id *bodies, int count, int steps)
{
    float most = 0;
    for (int i = 0; i < steps; i++) {
        trv_vec3 before[MOST];
        for (int k = 0; k < count; k++)
            before[k] = position_of(world, bodies[k]);
        step_world(world, 1);
        for (int k = 0; k < count; k++)
            most = fmaxf(most, trvi_length(trvi_sub(position_of(world, bodies[k]), before[k])));
    }
    return most;
}

// Cubes of a metre, each .25 m in the one below it; upwards, or from the top down.
static void add_stack(trv_world *world, int count, bool downwards, trv_body_id *bodies)
{
    for (int i = 0; i < count; i++) {
        int place = downwards ? count - 1 - i : i;
        bodies[place] =
            add_dynamic(world, trv_make_vec3(0, 0.5f + 0.75f * (float)place, 0), cube(0.5f));
    }
}

static void stacks_part_no_faster_than_a_few_of_their_boxes_would(void **state)
{
    (void)state;
    static const int counts[] = {4, 10, 10, MOST};
    for (int i = 0; i < 4; i++) {
        const int count = counts[i];
        trv_body_id bodies[MOST];
        trv_world *world = make_world();
        add_ground(world);
        add_stack(world, count, i == 2, bodies);
        float way = fastest_way(world, bodies, count, count > 10 ? 60 * 5 : 60 * 2);
        expect_near(way * 60.0f, 0, 2.9f); // m/s
        for (int k = 0; k < count; k++) {
            trv_vec3 at = position_of(world, bodies[k]);
            expect_near(at.y, 0.5f + (float)k, 0.02f);
            expect_near(at.x, 0, 0.05f);
            expect_near(at.z, 0, 0.05f);
        }
        trv_world_destroy(world);
    }
}

// The default push speed: a metre a second.
static void two_boxes_part_at_the_push_speed(void **state)
{
    (void)state;
    trv_body_id bodies[2];
    trv_world *world = make_world();
    add_ground(world);
    add_stack(world, 2, false, bodies);
    expect_near(fastest_way(world, bodies, 2, 12) * 60.0f, 1, 0.01f);
    trv_world_destroy(world);
}

// A stack that has long parted beside one that has not, and one far away, which change nothing.
static void others_part_as_they_would_alone(void **state)
{
    (void)state;
    float ways[2];
    for (int i = 0; i < 2; i++) {
        trv_body_id bodies[10], others[4];
        trv_world *world = make_world();
        add_ground(world);
        for (int k = 0; k < 4 && i > 0; k++)
            others[k] = add_dynamic(
                world, trv_make_vec3(5, 0.5f + (k < 2 ? 1.0f : 0.6f) * (float)k, 0), cube(0.5f));
        add_stack(world, 10, false, bodies);
        ways[i] = fastest_way(world, bodies, 10, 30);
        if (i > 0)
            expect_near(position_of(world, others[0]).x, 5, 0.01f);
        trv_world_destroy(world);
    }
    assert_true(ways[0] == ways[1]);
}

// Its lower corner is pushed out as fast as may be, the upper one less.
static void what_lies_aslant_in_another_straightens(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_def def = trv_default_body_def();
    def.kind = TRV_BODY_DYNAMIC;
    def.position = trv_make_vec3(0, 0.1f, 0);
    def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), 0.1f);
    trv_body_id box;
    expect_result(trv_body_create(world, &def, &box), TRV_OK);
    add_shape(world, box, cube(0.5f));
    float lean = 0.1f;
    for (int i = 0; i < 20; i++) {
        step_world(world, 1);
        float now = 2.0f * fabsf(pose_of(world, box).rotation.z);
        expect_near(fmaxf(now - lean, 0), 0, 1e-4f);
        lean = now;
    }
    expect_near(lean, 0, 0.01f);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_part_no_faster_than_a_few_of_their_boxes_would),
        cmocka_unit_test(two_boxes_part_at_the_push_speed),
        cmocka_unit_test(others_part_as_they_would_alone),
        cmocka_unit_test(what_lies_aslant_in_another_straightens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
