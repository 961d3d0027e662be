// Contacts that find no colour: laid out by levels, they are solved as if one came after the other.
#include "dealt.h"
#include "world_support.h"

#include "world/solver_data.h"

// Boxes and balls about one point, each in all others; `sprawl` m to each side.
static void add_crowd(trv_world *world, int count, trv_vec3 middle, float sprawl, uint64_t seed,
                      trv_body_id *ids)
{
    test_random random = {seed};
    for (int i = 0; i < count; i++) {
        trv_vec3 off = random_vec3(&random, sprawl);
        ids[i] = add_dynamic(world, trvi_add(middle, off), i % 3 == 0 ? ball(0.4f) : cube(0.4f));
    }
}

enum { CROWD = 90 };

static trv_world *make_crowd(trv_body_id *ids)
{
    trv_world *world = make_world();
    add_ground(world);
    add_crowd(world, CROWD, trv_make_vec3(0, 0.7f, 0), 0.1f, 7, ids);
    return world;
}

typedef struct overflow {
    const trv_world *world;
    const trvi_block *blocks;
    uint32_t count;
} overflow;

static overflow overflow_of(const trv_world *world)
{
    const trvi_block *blocks = world->blocks.items;
    const uint32_t *runs = world->color_runs;
    return (overflow){world, blocks + runs[TRVI_OVERFLOW],
                      runs[TRVI_OVERFLOW + 1] - runs[TRVI_OVERFLOW]};
}

static bool is_pushed(const overflow *of, uint32_t solver)
{
    return ((const trvi_solver_body *)of->world->solver_bodies.items)[solver].inverse_mass > 0.0f;
}

// The solver bodies of a lane.
static void sides_of(const trvi_block *block, uint32_t lane, uint32_t sides[2])
{
    sides[0] = block->body_a[lane];
    sides[1] = block->body_b[lane];
}

static void each_body_meets_its_contacts_in_canonical_order(void **state)
{
    (void)state;
    trv_body_id ids[CROWD];
    trv_world *world = make_crowd(ids);
    step_world(world, 1);
    overflow of = overflow_of(world);
    uint32_t next[CROWD + 1] = {0}, contacts = 0, sides[2];
    for (uint32_t i = 0; i < of.count; i++)
        for (uint32_t lane = 0; lane < of.blocks[i].lanes; lane++) {
            sides_of(&of.blocks[i], lane, sides);
            for (int side = 0; side < 2; side++) {
                assert_in_range(sides[side], 0, CROWD);
                if (is_pushed(&of, sides[side]))
                    assert_true(of.blocks[i].active[lane] >= next[sides[side]]);
                next[sides[side]] = of.blocks[i].active[lane] + 1;
            }
            contacts++;
        }
    assert_true(contacts > 1000);
    trv_world_destroy(world);
}

static void no_body_is_pushed_twice_in_a_block(void **state)
{
    (void)state;
    trv_body_id ids[CROWD];
    trv_world *world = make_crowd(ids);
    step_world(world, 1);
    overflow of = overflow_of(world);
    uint32_t last[CROWD + 1] = {0}, sides[2]; // the block that it was met in, and 1
    for (uint32_t i = 0; i < of.count; i++)
        for (uint32_t lane = 0; lane < of.blocks[i].lanes; lane++) {
            sides_of(&of.blocks[i], lane, sides);
            for (int side = 0; side < 2; side++) {
                assert_true(!is_pushed(&of, sides[side]) || last[sides[side]] != i + 1);
                last[sides[side]] = i + 1;
            }
        }
    assert_true(of.count > 100);
    trv_world_destroy(world);
}

static uint32_t points_of(const trv_world *world, const trvi_block *block, uint32_t lane)
{
    return trvi_points_of((const trvi_entry *)world->active.items + block->active[lane]);
}

static void single_points_are_among_themselves(void **state)
{
    (void)state;
    trv_body_id ids[CROWD];
    trv_world *world = make_crowd(ids);
    step_world(world, 1);
    overflow of = overflow_of(world);
    uint32_t singles = 0, others = 0;
    for (uint32_t i = 0; i < of.count; i++)
        for (uint32_t lane = 0; lane < of.blocks[i].lanes; lane++) {
            bool single = points_of(world, &of.blocks[i], lane) == 1;
            assert_int_equal(single, of.blocks[i].points == 1);
            singles += single;
            others += !single;
        }
    assert_true(singles > 100 && others > 100);
    trv_world_destroy(world);
}

static void the_lanes_of_a_crowd_are_mostly_full(void **state)
{
    (void)state;
    trv_body_id ids[CROWD];
    trv_world *world = make_crowd(ids);
    step_world(world, 1);
    overflow of = overflow_of(world);
    uint32_t contacts = 0;
    for (uint32_t i = 0; i < of.count; i++)
        contacts += of.blocks[i].lanes;
    assert_true(contacts > of.count * TRVI_BLOCK_LANES / 2);
    trv_world_destroy(world);
}

static void expect_same_crowd(trv_world *a, const trv_body_id *of_a, trv_world *b,
                              const trv_body_id *of_b)
{
    for (int i = 0; i < CROWD; i++) {
        trv_pose one = pose_of(a, of_a[i]), two = pose_of(b, of_b[i]);
        assert_memory_equal(&one, &two, sizeof one);
    }
}

static void another_crowd_elsewhere_changes_no_bit(void **state)
{
    (void)state;
    trv_body_id ids[CROWD], same[CROWD], others[CROWD];
    trv_world *alone = make_crowd(ids), *beside = make_world();
    add_ground(beside);
    add_crowd(beside, CROWD, trv_make_vec3(40, 0.7f, 3), 0.2f, 8, others); // first of all
    add_crowd(beside, CROWD, trv_make_vec3(0, 0.7f, 0), 0.1f, 7, same);
    for (int i = 0; i < 8; i++) {
        step_world(alone, 1);
        step_world(beside, 1);
        expect_same_crowd(alone, ids, beside, same);
    }
    trv_world_destroy(alone);
    trv_world_destroy(beside);
}

static void a_crowd_is_the_same_for_any_number_of_workers_and_lanes(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (uint32_t k = 0; k < 3; k++) {
        trv_world_def def = trv_default_world_def();
        trv_world *world;
        trv_body_id ids[CROWD];
        uint32_t count = 1 + k;
        def.workers = dealt_workers(&count);
        expect_result(trv_world_create(&def, &world), TRV_OK);
        world->eight_lanes = world->eight_lanes && k != 1;
        add_ground(world);
        add_crowd(world, CROWD, trv_make_vec3(0, 0.7f, 0), 0.1f, 7, ids);
        step_world(world, 8);
        hashes[k] = trv_world_hash(world);
        trv_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_body_meets_its_contacts_in_canonical_order),
        cmocka_unit_test(no_body_is_pushed_twice_in_a_block),
        cmocka_unit_test(single_points_are_among_themselves),
        cmocka_unit_test(the_lanes_of_a_crowd_are_mostly_full),
        cmocka_unit_test(another_crowd_elsewhere_changes_no_bit),
        cmocka_unit_test(a_crowd_is_the_same_for_any_number_of_workers_and_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
