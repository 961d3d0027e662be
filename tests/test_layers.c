// Large islands that are many layers high: what falls onto itself stands, and swings on nothing.
#include "dealt.h"
#include "world_support.h"

enum { BASE = 48, STEPS = 45 };

typedef struct wall {
    trv_vec3 places[BASE * (BASE + 1) / 2]; // where each of its cubes belongs
    trv_body_id bodies[BASE * (BASE + 1) / 2];
    int count;
} wall;

// Each cube over the joint of two below, with gaps between the rows.
static void add_wall(trv_world *world, wall *to, float gap, float x)
{
    to->count = 0;
    for (int i = 0; i < BASE; i++)
        for (int j = 0; j < BASE - i; j++) {
            trv_vec3 place = {x + 0.505f * (float)(i + 2 * j), 0.5f + (float)i, 0};
            trv_vec3 at = {place.x, place.y + gap * (float)(i + 1), 0};
            to->places[to->count] = place;
            to->bodies[to->count++] = add_dynamic(world, at, cube(0.5f));
        }
}

static trv_world *make_ground_and(wall *to, float gap)
{
    trv_world *world = make_world();
    add_ground(world);
    add_wall(world, to, gap, 0);
    return world;
}

static bool is_any_awake(const trv_world *world)
{
    for (uint32_t i = 0; i < world->bodies.items.count; i++)
        if (trvi_bodies(world)[i].flags & TRVI_BODY_AWAKE)
            return true;
    return false;
}

static void high_walls_with_gaps_come_to_stand(void **state)
{
    (void)state;
    static const float gaps[] = {0.002f, 0.05f};
    static wall w;
    for (int g = 0; g < 2; g++) {
        trv_world *world = make_ground_and(&w, gaps[g]);
        step_world(world, 210);
        for (int i = 0; i < w.count; i++) {
            float off = trvi_length(trvi_sub(position_of(world, w.bodies[i]), w.places[i]));
            if (!(off < 0.06f))
                fail_msg("gap %g: cube %d is %g m off", (double)gaps[g], i, (double)off);
        }
        assert_false(is_any_awake(world));
        trv_world_destroy(world);
    }
}

static void another_wall_elsewhere_changes_no_bit(void **state)
{
    (void)state;
    static wall w, other;
    static trv_vec3 alone[BASE * (BASE + 1) / 2];
    for (int run = 0; run < 4; run++) {
        bool rests = run >= 2, has_other = run % 2 == 1;
        trv_world *world = make_ground_and(&w, rests ? 0.0f : 0.03f);
        if (has_other)
            add_wall(world, &other, 0.01f, 70);
        step_world(world, STEPS);
        for (int i = 0; i < w.count; i++) {
            trv_vec3 at = position_of(world, w.bodies[i]);
            if (!has_other)
                alone[i] = at;
            else if (memcmp(&at, &alone[i], sizeof at) != 0)
                fail_msg("cube %d of a wall that %s", i, rests ? "rests" : "falls");
        }
        trv_world_destroy(world);
    }
}

static void it_is_the_same_for_any_number_of_workers(void **state)
{
    (void)state;
    static wall w;
    uint64_t hashes[2];
    for (uint32_t k = 0; k < 2; k++) {
        trv_world_def def = trv_default_world_def();
        trv_world *world;
        uint32_t count = 1 + 2 * k;
        def.workers = dealt_workers(&count);
        expect_result(trv_world_create(&def, &world), TRV_OK);
        add_ground(world);
        add_wall(world, &w, 0.02f, 0);
        step_world(world, STEPS);
        hashes[k] = trv_world_hash(world);
        trv_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void what_rests_takes_one_sweep(void **state)
{
    (void)state;
    static wall w;
    trv_world *world = make_ground_and(&w, 0);
    for (int i = 0; i < 10; i++) {
        step_world(world, 1);
        assert_int_equal(world->more_sweeps, 0);
    }
    trv_world_destroy(world);
    uint32_t most = 0;
    world = make_ground_and(&w, 0.01f);
    for (int i = 0; i < 40; i++) {
        step_world(world, 1);
        most = world->more_sweeps > most ? world->more_sweeps : most;
    }
    assert_true(most > 1 && most <= TRVI_MORE_SWEEPS);
    trv_world_destroy(world);
}

static void nor_does_what_flies_take_more(void **state)
{
    (void)state;
    static wall w;
    trv_world *world = make_ground_and(&w, 0);
    for (int i = 0; i < w.count; i++)
        expect_result(trv_body_set_velocity(world, w.bodies[i], trv_make_vec3(3, 20, 0),
                                            trv_make_vec3(0, 0, 0)),
                      TRV_OK);
    for (int i = 0; i < 30; i++) {
        step_world(world, 1);
        assert_int_equal(world->more_sweeps, 0);
    }
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(high_walls_with_gaps_come_to_stand),
        cmocka_unit_test(another_wall_elsewhere_changes_no_bit),
        cmocka_unit_test(it_is_the_same_for_any_number_of_workers),
        cmocka_unit_test(what_rests_takes_one_sweep),
        cmocka_unit_test(nor_does_what_flies_take_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
