// Compounds on bodies, and shapes that change while they live.
#include "world_support.h"

#include <trivet/mesh.h>
#include <trivet/query.h>

static trv_hull *make_rock(test_random *random, trv_allocator allocator)
{
    trv_vec3 points[20];
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    def.allocator = allocator;
    for (int i = 0; i < 20; i++)
        points[i] = random_vec3(random, 0.5f);
    expect_result(trv_hull_create(points, 20, &def, &hull), TRV_OK);
    return hull;
}

// A sphere, a capsule, a box and two hulls, turned and apart.
enum { PARTS = 5 };

static trv_compound *make_compound(trv_hull *rock, trv_compound_part parts[PARTS])
{
    test_random random = {21};
    const trv_shape shapes[PARTS] = {
        trv_make_sphere(trv_make_vec3(0.1f, 0, 0), 0.4f),
        trv_make_capsule(trv_make_vec3(-0.3f, 0, 0), trv_make_vec3(0.3f, 0.1f, 0), 0.2f),
        trv_make_box(trv_make_vec3(0.3f, 0.2f, 0.4f)), trv_make_hull(rock), trv_make_hull(rock)};
    for (int i = 0; i < PARTS; i++) {
        parts[i].shape = shapes[i];
        parts[i].pose =
            (trv_pose){{1.2f * (float)i - 2.4f, 0.1f * (float)i, 0}, random_quat(&random)};
    }
    parts[4].pose = trv_make_pose(trv_make_vec3(0, 0, 0)); // shared as it is
    trv_compound_def def = trv_default_compound_def();
    trv_compound *compound;
    expect_result(trv_compound_create(parts, PARTS, &def, &compound), TRV_OK);
    return compound;
}

static void a_compound_is_one_shape_that_answers_as_its_parts_do(void **state)
{
    (void)state;
    test_random random = {1};
    trv_allocator usual = {NULL, NULL};
    trv_hull *rock = make_rock(&random, usual);
    trv_compound_part parts[PARTS];
    trv_compound *compound = make_compound(rock, parts);
    trv_shape shape = trv_make_compound(compound);
    trv_world *world = make_world();
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(1, 2, 3));
    trv_shape_id before = add_shape(world, body, ball(0.1f)), id = add_shape(world, body, shape);
    trv_shape_id after = add_shape(world, body, ball(0.1f)), ids[4];
    uint32_t count;
    expect_result(trv_body_shapes(world, body, ids, 4, &count), TRV_OK);
    assert_int_equal(count, 3);
    assert_memory_equal(&ids[0], &before, sizeof id);
    assert_memory_equal(&ids[1], &id, sizeof id);
    assert_memory_equal(&ids[2], &after, sizeof id);
    expect_result(trv_shape_part_count(world, id, &count), TRV_OK);
    assert_int_equal(count, PARTS);
    expect_result(trv_shape_part_count(world, after, &count), TRV_OK);
    assert_int_equal(count, 1);
    trv_pose pose;
    expect_result(trv_body_pose(world, body, &pose), TRV_OK);
    trv_aabb box, want;
    expect_result(trv_shape_bounds(world, id, &box), TRV_OK);
    expect_result(trv_bounds_of_shape(&shape, pose, 0, &want), TRV_OK);
    expect_near(box.lower.x, want.lower.x, 1e-5);
    expect_near(box.upper.y, want.upper.y, 1e-5);
    int hits = 0;
    for (int round = 0; round < 500; round++) {
        trv_ray ray = {random_vec3(&random, 8.0f), {0, 0, 0}};
        ray.travel = trv_make_vec3(2 * (pose.position.x - ray.origin.x),
                                   2 * (pose.position.y - ray.origin.y),
                                   2 * (pose.position.z - ray.origin.z));
        trv_ray_hit wanted;
        trv_world_hit hit;
        uint32_t part;
        expect_result(trv_compound_cast_ray(compound, pose, ray, &wanted, &part), TRV_OK);
        expect_result(trv_shape_ray(world, id, ray, &hit), TRV_OK);
        assert_int_equal(hit.hit, wanted.hit);
        hits += hit.hit;
        expect_near(hit.fraction, wanted.fraction, 1e-5);
        assert_int_equal(hit.part, part);
        assert_int_equal(hit.shape.index1, wanted.hit ? id.index1 : 0);
        trv_vec3 point = {pose.position.x + random_float(&random, -3, 3),
                          pose.position.y + random_float(&random, -1, 1),
                          pose.position.z + random_float(&random, -1, 1)};
        trv_shape dust = ball(1e-4f);
        trv_gap gap;
        trv_world_gap found;
        expect_result(trv_distance(&shape, pose, &dust, trv_make_pose(point), &gap), TRV_OK);
        expect_result(trv_shape_closest(world, id, point, &found), TRV_OK);
        if (gap.distance > 0.0f) // of overlaps one is about the deepest part, the other the nearest
            expect_near(found.distance, gap.distance + 1e-4f, 1e-4);
    }
    assert_true(hits > 100);
    trv_shape solid;
    expect_result(trv_shape_part(world, id, 4, &solid), TRV_OK);
    assert_ptr_equal(solid.as.hull, rock);
    expect_result(trv_shape_part(world, id, 5, &solid), TRV_ERROR_INDEX);
    expect_result(trv_shape_set_solid(world, id, &parts[0].shape), TRV_ERROR_KIND);
    expect_result(trv_shape_set_solid(world, after, &shape), TRV_ERROR_KIND);
    expect_result(trv_shape_destroy(world, id), TRV_OK);
    expect_result(trv_shape_alive(world, id), TRV_ERROR_STALE);
    expect_result(trv_body_shapes(world, body, ids, 4, &count), TRV_OK);
    assert_int_equal(count, 2);
    step_world(world, 1);
    trv_world_destroy(world);
    trv_compound_release(compound);
    trv_hull_release(rock);
}

static void parts_of_a_compound_have_no_ids_of_their_own(void **state)
{
    (void)state;
    trv_compound_part parts[2] = {{ball(1), trv_make_pose(trv_make_vec3(0, 0, 0))},
                                  {ball(1), trv_make_pose(trv_make_vec3(2, 0, 0))}};
    trv_compound_def def = trv_default_compound_def();
    trv_compound *compound;
    expect_result(trv_compound_create(parts, 2, &def, &compound), TRV_OK);
    trv_world *world = make_world();
    trv_body_id body = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    trv_shape_id id = add_shape(world, body, trv_make_compound(compound)), forged = id;
    forged.index1++;
    expect_result(trv_shape_alive(world, id), TRV_OK);
    expect_result(trv_shape_alive(world, forged), TRV_ERROR_STALE);
    expect_result(trv_shape_destroy(world, forged), TRV_ERROR_STALE);
    trv_compound_release(compound);
    trv_world_destroy(world);
}

static void a_compound_falls_lies_and_turns_as_its_parts_in_one_body(void **state)
{
    (void)state;
    test_random random = {1};
    trv_allocator usual = {NULL, NULL};
    trv_hull *rock = make_rock(&random, usual);
    trv_compound_part parts[PARTS];
    trv_compound *compound = make_compound(rock, parts);
    trv_world *worlds[2] = {make_world(), make_world()};
    trv_body_id bodies[2];
    for (int w = 0; w < 2; w++) {
        add_ground(worlds[w]);
        bodies[w] = add_body(worlds[w], TRV_BODY_DYNAMIC, trv_make_vec3(0, 2, 0));
        if (w == 0) {
            add_shape(worlds[w], bodies[w], trv_make_compound(compound));
            continue;
        }
        trv_shape_id id; // what the world made of each part, put on by itself
        uint32_t count;
        expect_result(trv_body_shapes(worlds[0], bodies[0], &id, 1, &count), TRV_OK);
        for (uint32_t p = 0; p < PARTS; p++) {
            trv_shape solid;
            expect_result(trv_shape_part(worlds[0], id, p, &solid), TRV_OK);
            add_shape(worlds[w], bodies[w], solid);
        }
    }
    for (int s = 0; s < 240; s++)
        for (int w = 0; w < 2; w++)
            step_world(worlds[w], 1);
    trv_pose a, b;
    expect_result(trv_body_pose(worlds[0], bodies[0], &a), TRV_OK);
    expect_result(trv_body_pose(worlds[1], bodies[1], &b), TRV_OK);
    assert_memory_equal(&a, &b, sizeof a);
    trv_contact contacts[8];
    uint32_t count;
    expect_result(trv_world_contacts(worlds[0], contacts, 8, &count), TRV_OK);
    assert_true(count >= 2);
    bool several = false;
    for (uint32_t i = 1; i < count; i++)
        several = several || contacts[i].manifold.part_a != contacts[0].manifold.part_a ||
                  contacts[i].manifold.part_b != contacts[0].manifold.part_b;
    assert_true(several);
    trv_world_destroy(worlds[0]);
    trv_world_destroy(worlds[1]);
    trv_compound_release(compound);
    trv_hull_release(rock);
}

static void every_allocation_of_a_compound_may_fail_and_nothing_has_changed(void **state)
{
    (void)state;
    test_memory memory = {0, SIZE_MAX, 0, 0};
    size_t failures = 0;
    for (size_t k = 0;; k++) {
        test_random random = {1};
        memory.fail_at = SIZE_MAX;
        trv_allocator allocator = test_allocator(&memory);
        trv_hull *rock = make_rock(&random, allocator);
        trv_compound_part parts[PARTS];
        trv_compound *compound = make_compound(rock, parts);
        trv_shape shape = trv_make_compound(compound);
        trv_world *world = make_world_with(allocator);
        world->tag = 1;
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 1, 0));
        uint64_t before = trv_world_hash(world);
        trv_shape_def def = trv_default_shape_def();
        trv_shape_id id;
        const char *broken;
        memory.calls = 0;
        memory.fail_at = k;
        trv_result result = trv_shape_create(world, body, &def, &shape, &id);
        memory.fail_at = SIZE_MAX;
        if (result != TRV_OK) {
            assert_int_equal(result, TRV_ERROR_MEMORY);
            assert_true(trv_world_hash(world) == before);
            assert_int_equal(id.index1, 0);
            failures++;
        }
        if (!trvi_world_check(world, &broken))
            fail_msg("allocation %zu: %s", k, broken);
        step_world(world, 1);
        trv_world_destroy(world);
        trv_compound_release(compound);
        trv_hull_release(rock);
        assert_int_equal(memory.live, 0);
        if (result == TRV_OK)
            break;
        assert_true(k < 10000);
    }
    assert_true(failures > 5);
}

static void a_compound_of_a_mesh_has_a_hull_for_each_part(void **state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                               "v 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\n"
                               "o one\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
                               "o two\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";
    static const char flat[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 0\n"
                               "o one\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
                               "o two\nf 1 2 5 3\n";
    trv_obj_def obj = trv_default_obj_def();
    trv_mesh *mesh;
    trv_compound *compound;
    uint32_t bad;
    expect_result(trv_mesh_read_obj_memory(text, sizeof text - 1, &obj, &mesh, NULL), TRV_OK);
    expect_result(trv_compound_create_from_mesh(mesh, NULL, NULL, &compound, &bad), TRV_OK);
    assert_int_equal(trv_compound_part_count(compound), 2);
    trv_compound_part part;
    uint32_t count;
    expect_result(trv_compound_part_get(compound, 1, &part), TRV_OK);
    trv_hull_vertices(part.shape.as.hull, &count);
    assert_int_equal(count, 4);
    expect_near(trv_compound_bounds_local(compound).upper.x, 6, 1e-5);
    trv_world *world = make_world();
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0, 0));
    add_shape(world, body, trv_make_compound(compound));
    float mass, inertia[6];
    trv_vec3 center;
    expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
    expect_near(mass, 2000.0 / 6.0, 0.01);
    expect_near(center.x, 2.75, 1e-4);
    trv_world_destroy(world);
    trv_compound_release(compound);
    trv_mesh_destroy(mesh);
    expect_result(trv_mesh_read_obj_memory(flat, sizeof flat - 1, &obj, &mesh, NULL), TRV_OK);
    expect_result(trv_compound_create_from_mesh(mesh, NULL, NULL, &compound, &bad),
                  TRV_ERROR_COPLANAR);
    assert_null(compound);
    assert_int_equal(bad, 1);
    trv_compound_def few = trv_default_compound_def();
    few.max_parts = 1;
    expect_result(trv_compound_create_from_mesh(mesh, NULL, &few, &compound, NULL),
                  TRV_ERROR_LIMIT);
    expect_result(trv_compound_create_from_mesh(NULL, NULL, NULL, &compound, NULL), TRV_ERROR_NULL);
    expect_result(trv_compound_create_from_mesh(mesh, NULL, NULL, NULL, NULL), TRV_ERROR_NULL);
    trv_mesh_destroy(mesh);
}

static void every_allocation_for_a_mesh_of_parts_may_fail(void **state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                               "o one\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
                               "o two\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    trv_obj_def obj = trv_default_obj_def();
    trv_mesh *mesh;
    expect_result(trv_mesh_read_obj_memory(text, sizeof text - 1, &obj, &mesh, NULL), TRV_OK);
    test_memory memory = {0, 0, 0, 0};
    trv_hull_def hull_def = trv_default_hull_def();
    trv_compound_def def = trv_default_compound_def();
    hull_def.allocator = def.allocator = test_allocator(&memory);
    trv_result result = TRV_ERROR_MEMORY;
    for (; result != TRV_OK; memory.fail_at++) {
        trv_compound *compound;
        memory.calls = 0;
        result = trv_compound_create_from_mesh(mesh, &hull_def, &def, &compound, NULL);
        if (result != TRV_OK)
            expect_result(result, TRV_ERROR_MEMORY);
        trv_compound_release(compound);
        assert_int_equal(memory.live, 0);
        assert_true(memory.fail_at < 10000);
    }
    assert_true(memory.fail_at > 4);
    trv_mesh_destroy(mesh);
}

static void another_solid_takes_the_place_of_the_old_one(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.5f, 0));
    trv_shape_id id = add_shape(world, body, cube(0.5f));
    step_world(world, 20);
    test_random random = {3};
    trv_allocator usual = {NULL, NULL};
    trv_hull *rock = make_rock(&random, usual);
    trv_shape low = trv_make_box(trv_make_vec3(1, 0.25f, 1)), hull = trv_make_hull(rock), got;
    trv_shape plane = trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0));
    trv_shape bad = ball(-1), dust = ball(1e-15f);
    uint64_t before = trv_world_hash(world);
    expect_result(trv_shape_set_solid(world, id, &plane), TRV_ERROR_KIND);
    expect_result(trv_shape_set_solid(world, id, &bad), TRV_ERROR_RANGE);
    expect_result(trv_shape_set_solid(world, id, &dust), TRV_ERROR_VOLUME);
    expect_result(trv_shape_set_solid(world, id, NULL), TRV_ERROR_NULL);
    assert_true(trv_world_hash(world) == before);
    expect_result(trv_shape_set_solid(world, id, &low), TRV_OK);
    expect_result(trv_shape_solid(world, id, &got), TRV_OK);
    assert_memory_equal(&got.as.box, &low.as.box, sizeof got.as.box);
    float mass, inertia[6];
    trv_vec3 center;
    expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
    expect_near(mass, 2000, 0.01);
    step_world(world, 90);
    expect_near(position_of(world, body).y, 0.25, 0.002);
    expect_result(trv_shape_set_solid(world, id, &hull), TRV_OK);
    trv_hull_release(rock); // the world has a reference of its own
    step_world(world, 240);
    expect_result(trv_shape_set_solid(world, id, &low), TRV_OK);
    step_world(world, 30);
    trv_world_destroy(world);
}

static void material_filter_and_user_come_back_and_act(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id floor = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    trv_shape_id ground = add_shape(
        world, floor,
        trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0.19866933f, 0.98006658f, 0)));
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.5f, 0));
    trv_shape_id id = add_shape(world, body, cube(0.5f));
    step_world(world, 60);
    trv_material material, got;
    expect_result(trv_shape_material(world, id, &material), TRV_OK);
    material.friction = 0;
    material.density = 500;
    expect_result(trv_shape_set_material(world, id, &material), TRV_OK);
    expect_result(trv_shape_material(world, id, &got), TRV_OK);
    assert_memory_equal(&got, &material, sizeof got);
    float mass, inertia[6], start = velocity_of(world, body).x;
    trv_vec3 center;
    expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
    expect_near(mass, 500, 0.01);
    step_world(world, 30);
    assert_true(fabsf(velocity_of(world, body).x - start) > 0.5f); // it slides
    trv_filter nothing = {0, 0, 0, 0}, back;
    expect_result(trv_shape_set_filter(world, ground, nothing), TRV_OK);
    expect_result(trv_shape_filter(world, ground, &back), TRV_OK);
    assert_memory_equal(&back, &nothing, sizeof back);
    step_world(world, 60);
    assert_true(velocity_of(world, body).y < -5.0f);
    uint64_t user;
    expect_result(trv_shape_set_user(world, id, 77), TRV_OK);
    expect_result(trv_shape_user(world, id, &user), TRV_OK);
    assert_int_equal(user, 77);
    material.friction = NAN;
    expect_result(trv_shape_set_material(world, id, &material), TRV_ERROR_NUMBER);
    material.friction = 1;
    material.surface_velocity.x = INFINITY;
    expect_result(trv_shape_set_material(world, id, &material), TRV_ERROR_NUMBER);
    expect_result(trv_shape_set_material(world, id, NULL), TRV_ERROR_NULL);
    bool on;
    const int none[] = {0, 3, 128, -1};
    for (int i = 0; i < 4; i++) {
        expect_result(trv_shape_set_switch(world, id, (trv_shape_switch)none[i], true),
                      TRV_ERROR_RANGE);
        expect_result(trv_shape_switched(world, id, (trv_shape_switch)none[i], &on),
                      TRV_ERROR_RANGE);
    }
    for (uint32_t bit = 1; bit <= TRV_SHAPE_BY_HAND; bit *= 2)
        for (int want = 0; want < 2; want++) {
            expect_result(trv_shape_set_switch(world, id, (trv_shape_switch)bit, want != 0),
                          TRV_OK);
            expect_result(trv_shape_switched(world, id, (trv_shape_switch)bit, &on), TRV_OK);
            assert_int_equal(on, want);
        }
    trv_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_compound_is_one_shape_that_answers_as_its_parts_do),
        cmocka_unit_test(parts_of_a_compound_have_no_ids_of_their_own),
        cmocka_unit_test(a_compound_falls_lies_and_turns_as_its_parts_in_one_body),
        cmocka_unit_test(every_allocation_of_a_compound_may_fail_and_nothing_has_changed),
        cmocka_unit_test(a_compound_of_a_mesh_has_a_hull_for_each_part),
        cmocka_unit_test(every_allocation_for_a_mesh_of_parts_may_fail),
        cmocka_unit_test(another_solid_takes_the_place_of_the_old_one),
        cmocka_unit_test(material_filter_and_user_come_back_and_act),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
