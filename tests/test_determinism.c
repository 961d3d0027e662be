// The same calls give the same bits: whatever the number of workers and the order that they work
// in, whatever else there is far away, and on every machine and with every compiler (.ci/hashes
// runs the same scene in all ways that it can build).
#include "dealt.h"
#include "mixed_scene.h"
#include "world_support.h"

#include "world/solver_data.h"

// After 200 steps of the mixed scene with 40 bodies. It changes with every change of the physics;
// then the test tells the new one.
#define GOLDEN UINT64_C(0xb16492d4e87882dc)

// They go up and down, and turn about x.
enum { LOCKED = TRV_LOCK_ALL - TRV_LOCK_LINEAR_Y - TRV_LOCK_ANGULAR_X };

static uint64_t hash_in(trv_world *world, int steps)
{
    mixed_scene scene;
    mixed_begin_in(&scene, world, trv_make_vec3(0, 0, 0), 40, 11);
    for (int i = 0; i < steps; i++)
        mixed_step(&scene);
    uint64_t hash = trv_world_hash(scene.world);
    mixed_end(&scene);
    return hash;
}

static uint64_t hash_with(uint32_t workers, int steps)
{
    trv_workers dealt = dealt_workers(&workers);
    return hash_in(mixed_world(workers > 0 ? &dealt : NULL, NULL), steps);
}

static void a_long_mixed_scene_ends_in_the_golden_hash(void **state)
{
    (void)state;
    uint64_t hash = hash_with(0, 200);
    if (hash != GOLDEN)
        fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
}

static void any_number_of_workers_gives_the_same_bits(void **state)
{
    (void)state;
    uint64_t wanted = hash_with(0, 25);
    for (uint32_t workers = 1; workers <= 8; workers++)
        if (hash_with(workers, 25) != wanted)
            fail_msg("%u workers differ from one", workers);
}

// Where the processor has no eight, it is four twice.
static void four_lanes_at_once_and_eight_give_the_same_bits(void **state)
{
    (void)state;
    trv_world *with_four = mixed_world(NULL, NULL), *with_eight = mixed_world(NULL, NULL);
    with_four->eight_lanes = false;
    with_eight->eight_lanes = trvi_has_eight();
    assert_true(hash_in(with_four, 100) == hash_in(with_eight, 100));
}

// Boxes that fall on a row of others, which cannot get out of the way of one another: their contacts have no mass
// along their normals.
static uint64_t hash_of_locked_row(bool eight, int steps)
{
    trv_world *world = make_world();
    add_ground_of(world, 0.5f, 0);
    world->eight_lanes = eight;
    test_random random = {2};
    for (int i = 0; i < 48; i++) {
        bool locked = i < 24;
        float side = random_float(&random, 0.2f, 0.3f), spins = locked ? 0.1f : 9;
        trv_vec3 at = {0.45f * (float)(i % 24), locked ? side : 1, 0};
        trv_vec3 spin = {random_float(&random, -spins, spins), random_float(&random, -spins, spins),
                         0};
        trv_body_id body = add_moving(world, trv_make_box(trv_make_vec3(0.25f, side, 0.25f)), at,
                                      trv_make_vec3(0, 0, 0), 0.5f, 0);
        expect_result(trv_body_set_angular_velocity(world, body, spin), TRV_OK);
        if (locked)
            expect_result(trv_body_set_locks(world, body, LOCKED), TRV_OK);
    }
    for (int i = 0; i < steps; i++)
        expect_result(trv_world_step(world, 1.0f / 60, 4), TRV_OK);
    uint64_t hash = trv_world_hash(world);
    trv_world_destroy(world);
    return hash;
}

// Those beside a contact in its block decide when the block is looked at anew.
static void who_shares_a_block_with_the_locked_changes_nothing(void **state)
{
    (void)state;
    for (int steps = 5; steps <= 60; steps += 5)
        if (hash_of_locked_row(false, steps) != hash_of_locked_row(trvi_has_eight(), steps))
            fail_msg("four and eight lanes differ after %d steps", steps);
}

// The bits of all bodies of a scene.
static uint64_t bodies_digest(const mixed_scene *scene)
{
    uint64_t digest = 1;
    for (uint32_t i = 0; i < scene->count; i++) {
        trv_pose pose;
        trv_vec3 v[2];
        uint32_t words[13];
        expect_result(trv_body_pose(scene->world, scene->bodies[i], &pose), TRV_OK);
        expect_result(trv_body_velocity(scene->world, scene->bodies[i], &v[0], &v[1]), TRV_OK);
        memcpy(words, &pose, sizeof pose);
        memcpy(words + 7, v, sizeof v);
        for (int w = 0; w < 13; w++)
            digest = (digest ^ words[w]) * UINT64_C(0x9E3779B97F4A7C15) + (digest >> 32);
    }
    return digest;
}

// The pit alone, and with another one far off, made before it or after.
static void a_far_island_changes_nothing_here(void **state)
{
    (void)state;
    const trv_vec3 here = {0, 0, 0}, far = {2000, 0, 500};
    mixed_scene alone, first, others[2];
    mixed_begin_in(&alone, mixed_world(NULL, NULL), here, 20, 11);
    trv_world *shared = mixed_world(NULL, NULL), *after = mixed_world(NULL, NULL);
    mixed_scene last;
    mixed_begin_in(&first, shared, here, 20, 11);
    mixed_begin_in(&others[0], shared, far, 12, 5);
    mixed_begin_in(&others[1], after, far, 12, 5);
    mixed_begin_in(&last, after, here, 20, 11);
    for (int i = 0; i < 120; i++) {
        mixed_step(&alone);
        mixed_act(&first);
        mixed_act(&others[0]);
        expect_result(trv_world_step(shared, 1.0f / 60.0f, 4), TRV_OK);
        mixed_act(&others[1]);
        mixed_act(&last);
        expect_result(trv_world_step(after, 1.0f / 60.0f, 4), TRV_OK);
        uint64_t wanted = bodies_digest(&alone);
        if (bodies_digest(&first) != wanted || bodies_digest(&last) != wanted)
            fail_msg("step %d differs", i);
    }
    mixed_release(&others[0]);
    mixed_release(&others[1]);
    mixed_release(&last);
    trv_world_destroy(after);
    mixed_end(&first);
    mixed_end(&alone);
}

enum { THROWN = 60 };

// A closed room in which bodies go about at up to 100 m/s, so that blows throw them where no contact has
// looked for them.
static void begin_turmoil(trv_world *world, trv_vec3 at, uint64_t seed, trv_body_id *bodies)
{
    const trv_vec3 sides[3] = {{5, 0, 0}, {0, 5, 0}, {0, 0, 5}};
    test_random random = {seed};
    for (int i = 0; i < 6; i++) {
        float side = i % 2 == 0 ? 1.0f : -1.0f;
        trv_vec3 out = sides[i / 2],
                 half = {out.x > 0 ? 1 : 6, out.y > 0 ? 1 : 6, out.z > 0 ? 1 : 6};
        trv_vec3 middle = {at.x + side * out.x, at.y + side * out.y, at.z + side * out.z};
        add_shape(world, add_body(world, TRV_BODY_STATIC, middle), trv_make_box(half));
    }
    for (int i = 0; i < THROWN; i++) {
        trv_vec3 from = random_vec3(&random, 3.0f), velocity = random_vec3(&random, 100.0f);
        float size = random_float(&random, 0.2f, 0.4f);
        trv_vec3 place = {at.x + from.x, at.y + from.y, at.z + from.z};
        trv_shape shape = i % 2 == 0 ? ball(size) : cube(size);
        bodies[i] = add_moving(world, shape, place, velocity, 0.6f, 0.5f);
    }
}

static void a_far_turmoil_changes_nothing_here(void **state)
{
    (void)state;
    trv_world *alone = make_world(), *shared = make_world();
    trv_body_id here[THROWN], same[THROWN], far[THROWN];
    begin_turmoil(alone, trv_make_vec3(0, 0, 0), 3, here);
    begin_turmoil(shared, trv_make_vec3(0, 0, 0), 3, same);
    begin_turmoil(shared, trv_make_vec3(2000, 0, 500), 4, far);
    for (int i = 0; i < 12; i++) {
        step_world(alone, 1);
        step_world(shared, 1);
        for (int k = 0; k < THROWN; k++) {
            trv_pose a = pose_of(alone, here[k]), b = pose_of(shared, same[k]);
            if (memcmp(&a, &b, sizeof a) != 0)
                fail_msg("body %d differs after step %d", k, i);
        }
    }
    trv_world_destroy(alone);
    trv_world_destroy(shared);
}

// Boxes of all densities that lie deep in one another, which settle late or not at all, in many small
// islands.
static trv_world *make_hard_heaps(void)
{
    enum { HEAPS = 40, EACH = 4 };
    trv_world *world = make_world();
    test_random random = {1};
    add_ground(world);
    for (int i = 0; i < HEAPS * EACH; i++) {
        trv_body_def def = trv_default_body_def();
        trv_body_id body;
        def.kind = TRV_BODY_DYNAMIC;
        def.position = random_vec3(&random, 0.4f);
        def.position.x += 20.0f * (float)(i / EACH);
        def.rotation = random_quat(&random);
        expect_result(trv_body_create(world, &def, &body), TRV_OK);
        trv_vec3 half = random_vec3(&random, 0.15f);
        half = trv_make_vec3(0.25f + half.x, 0.25f + half.y, 0.25f + half.z);
        trv_shape_def of = trv_default_shape_def();
        of.material.friction = random_float(&random, 0.1f, 1.0f);
        of.material.density = random_bits(&random) % 2 == 0 ? 20000.0f : 1000.0f;
        add_shape_with(world, body, of, trv_make_box(half));
    }
    return world;
}

// How long islands took is no part of the state, but tells which of them are solved side by side.
static void whom_an_island_is_solved_beside_changes_nothing(void **state)
{
    (void)state;
    test_random random = {5};
    trv_world *one = make_hard_heaps(), *other = make_hard_heaps();
    for (int i = 0; i < 26; i++) {
        step_world(one, 1);
        step_world(other, 1);
        uint8_t *toils = other->toils.items;
        for (uint32_t k = 0; k < other->bodies.items.count; k++)
            toils[k] = (uint8_t)(random_bits(&random) % 40);
        if (trv_world_hash(one) != trv_world_hash(other))
            fail_msg("they differ after step %d", i);
    }
    trv_world_destroy(one);
    trv_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_mixed_scene_ends_in_the_golden_hash),
        cmocka_unit_test(any_number_of_workers_gives_the_same_bits),
        cmocka_unit_test(four_lanes_at_once_and_eight_give_the_same_bits),
        cmocka_unit_test(who_shares_a_block_with_the_locked_changes_nothing),
        cmocka_unit_test(a_far_island_changes_nothing_here),
        cmocka_unit_test(a_far_turmoil_changes_nothing_here),
        cmocka_unit_test(whom_an_island_is_solved_beside_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
