// Where contacts lie in memory: they are moved together, and nothing but time hangs on it.
#include "world_support.h"

// Balls and cubes by turns, a little apart, that fall in a heap.
enum { SIDE = 8, BODIES = SIDE * SIDE * SIDE };

static void add_heap(trv_world *world, trv_body_id bodies[BODIES])
{
    add_ground(world);
    for (int i = 0; i < BODIES; i++) {
        float x = (float)(i % SIDE), y = (float)(i / SIDE % SIDE), z = (float)(i / SIDE / SIDE);
        trv_vec3 at = trv_make_vec3(1.01f * x + 0.03f * y, 0.5f + 1.01f * y, 1.01f * z);
        bodies[i] = add_dynamic(world, at, i % 3 == 0 ? cube(0.45f) : ball(0.5f));
    }
}

static uint32_t count_scattered(const trv_world *world)
{
    uint32_t scattered;
    trvi_broad_told(world->broad, &scattered);
    return scattered;
}

// As after a long life, in which places were left and taken again.
static void scatter(trv_world *world, uint64_t seed)
{
    uint32_t *to = world->places.items, used = trvi_broad_order_slots(world->broad, to);
    uint32_t *by_order = malloc(used * sizeof *by_order);
    assert_non_null(by_order);
    for (uint32_t i = 0; i < used; i++)
        by_order[i] = i;
    for (uint32_t i = used; i > 1; i--) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t other = (uint32_t)(seed >> 33) % i, last = by_order[i - 1];
        by_order[i - 1] = by_order[other];
        by_order[other] = last;
    }
    for (uint32_t i = 0; i < world->contacts.count; i++)
        if (to[i] < used)
            to[i] = by_order[to[i]];
    free(by_order);
    for (uint32_t i = 0; i < world->contacts.count; i++)
        trvi_contacts(world)[i].flags &= ~(uint32_t)TRVI_CONTACT_ACTIVE;
    world->active.count = 0;
    trvi_move_contacts(world, to, used);
    expect_sound(world);
}

static void expect_same_motion(trv_world *a, trv_world *b, const trv_body_id of_a[BODIES],
                               const trv_body_id of_b[BODIES])
{
    for (int i = 0; i < BODIES; i++) {
        trv_pose pose_a, pose_b;
        trv_vec3 speed_a = velocity_of(a, of_a[i]), speed_b = velocity_of(b, of_b[i]);
        expect_result(trv_body_pose(a, of_a[i], &pose_a), TRV_OK);
        expect_result(trv_body_pose(b, of_b[i], &pose_b), TRV_OK);
        assert_memory_equal(&pose_a, &pose_b, sizeof pose_a);
        assert_memory_equal(&speed_a, &speed_b, sizeof speed_a);
        trv_contact at_a[16], at_b[16];
        uint32_t count_a, count_b;
        expect_result(trv_body_contacts(a, of_a[i], at_a, 16, &count_a), TRV_OK);
        expect_result(trv_body_contacts(b, of_b[i], at_b, 16, &count_b), TRV_OK);
        assert_int_equal(count_a, count_b);
        for (uint32_t k = 0; k < count_a && k < 16; k++) {
            assert_int_equal(at_a[k].body_b.index1, at_b[k].body_b.index1);
            assert_memory_equal(&at_a[k].impulse, &at_b[k].impulse, sizeof(float));
        }
    }
}

static void places_and_workers_change_no_motion_and_no_list(void **state)
{
    (void)state;
    static trv_body_id of_a[BODIES], of_b[BODIES];
    trv_world_def def = trv_default_world_def();
    def.workers = (trv_workers){NULL, 3, deal_oddly};
    trv_world *a = make_world(), *b;
    expect_result(trv_world_create(&def, &b), TRV_OK);
    add_heap(a, of_a);
    add_heap(b, of_b);
    for (int i = 0; i < 10; i++) {
        step_world(a, 1);
        step_world(b, 1);
        expect_same_motion(a, b, of_a, of_b);
        if (i % 3 == 0)
            scatter(b, (uint64_t)i + 1);
    }
    trv_world_destroy(a);
    trv_world_destroy(b);
}

static void scattered_contacts_are_brought_together(void **state)
{
    (void)state;
    static trv_body_id bodies[BODIES];
    trv_world *world = make_world();
    add_heap(world, bodies);
    step_world(world, 3);
    scatter(world, 7);
    uint32_t told = world->pairs.kept_count + world->pairs.begun_count, live = world->live_contacts;
    assert_true(told >= 1024); // or they would stay
    assert_true(count_scattered(world) > told * 9 / 10);
    step_world(world, 1);
    assert_true(count_scattered(world) < told / 10);
    assert_true(world->live_contacts >= live - live / 10);
    // Free places are left behind.
    assert_true(trvi_broad_slots(world->broad) <= world->pairs.begun_count + told);
    trv_world_destroy(world);
}

static void few_contacts_stay_where_they_are(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    for (int i = 0; i < 64; i++)
        add_dynamic(world, trv_make_vec3((float)(i % 8), 0.5f, (float)(i / 8)), ball(0.5f));
    step_world(world, 2);
    scatter(world, 3);
    uint32_t before = count_scattered(world);
    assert_true(before > 16);
    step_world(world, 1);
    assert_int_equal(count_scattered(world), before);
    trv_world_destroy(world);
}

static void a_save_before_a_move_goes_on_as_the_world_did(void **state)
{
    (void)state;
    static trv_body_id bodies[BODIES];
    trv_world *world = make_world();
    add_heap(world, bodies);
    step_world(world, 3);
    scatter(world, 11);
    size_t size = trv_world_save_size(world);
    void *save = malloc(size);
    assert_non_null(save);
    expect_result(trv_world_save(world, save, size, &size), TRV_OK);
    step_world(world, 1);
    assert_true(count_scattered(world) < 100);
    step_world(world, 4);
    uint64_t after = trv_world_hash(world);
    expect_result(trv_world_restore(world, save, size), TRV_OK);
    expect_sound(world);
    assert_true(count_scattered(world) > 1000);
    step_world(world, 5);
    assert_true(trv_world_hash(world) == after);
    free(save);
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_workers_change_no_motion_and_no_list),
        cmocka_unit_test(scattered_contacts_are_brought_together),
        cmocka_unit_test(few_contacts_stay_where_they_are),
        cmocka_unit_test(a_save_before_a_move_goes_on_as_the_world_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
