// Compounds as objects: what is refused, who owns what, the tree, bounds, and what walks cost.
#include "compound_support.h"

static const trv_pose HERE = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};

static void bad_parts_are_refused_and_nothing_is_made(void **state)
{
    (void)state;
    trv_compound_def def = trv_default_compound_def();
    trv_compound_part good[2] = {{part_shape(&part_hulls, 2), HERE},
                                 {part_shape(&part_hulls, 4), HERE}};
    trv_compound *inner = compound_of(good, 2);
    struct {
        trv_compound_part part;
        trv_result wanted;
    } rows[] = {
        {{trv_make_half_space((trv_vec3){0, 0, 0}, (trv_vec3){0, 1, 0}), HERE}, TRV_ERROR_KIND},
        {{trv_make_compound(inner), HERE}, TRV_ERROR_KIND},
        {{trv_make_compound(NULL), HERE}, TRV_ERROR_KIND},
        {{{.kind = TRV_SHAPE_NONE}, HERE}, TRV_ERROR_KIND},
        {{{.kind = TRV_SHAPE_KIND_COUNT}, HERE}, TRV_ERROR_KIND},
        {{trv_make_hull(NULL), HERE}, TRV_ERROR_NULL},
        {{trv_make_box((trv_vec3){0, 1, 1}), HERE}, TRV_ERROR_RANGE},
        {{trv_make_box((trv_vec3){NAN, 1, 1}), HERE}, TRV_ERROR_NUMBER},
        {{good[0].shape, {{NAN, 0, 0}, {0, 0, 0, 1}}}, TRV_ERROR_NUMBER},
        {{good[0].shape, {{0, INFINITY, 0}, {0, 0, 0, 1}}}, TRV_ERROR_NUMBER},
        {{good[0].shape, {{0, 0, 2.0e8f}, {0, 0, 0, 1}}}, TRV_ERROR_RANGE},
        {{good[0].shape, {{0, 0, 0}, {0, 0, 0, 2}}}, TRV_ERROR_ROTATION},
        {{good[0].shape, {{0, 0, 0}, {0, NAN, 0, 1}}}, TRV_ERROR_NUMBER},
        {{good[0].shape, {{1.0e8f, 0, 0}, {0, 0, 0, 1}}}, TRV_ERROR_RANGE}, // reaches beyond
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t at = 0; at < 3; at++) {
            trv_compound_part parts[3] = {good[0], good[1], good[0]};
            trv_compound *made = inner;
            parts[at] = rows[i].part;
            expect_result(trv_compound_create(parts, 3, &def, &made), rows[i].wanted);
            assert_null(made);
        }
    }
    trv_compound_release(inner);
}

static void bad_calls_are_refused(void **state)
{
    (void)state;
    trv_compound_def def = trv_default_compound_def(), zeroed, few = def, many = def;
    trv_compound_part parts[3] = {{part_shape(&part_hulls, 2), HERE},
                                  {part_shape(&part_hulls, 4), HERE},
                                  {part_shape(&part_hulls, 0), HERE}};
    trv_compound *made;
    memset(&zeroed, 0, sizeof zeroed);
    few.max_parts = 2;
    many.max_parts = UINT32_MAX;
    expect_result(trv_compound_create(parts, 3, &def, NULL), TRV_ERROR_NULL);
    expect_result(trv_compound_create(NULL, 3, &def, &made), TRV_ERROR_NULL);
    expect_result(trv_compound_create(parts, 3, NULL, &made), TRV_ERROR_NULL);
    expect_result(trv_compound_create(parts, 3, &zeroed, &made), TRV_ERROR_DEF);
    expect_result(trv_compound_create(parts, 3, &few, &made), TRV_ERROR_LIMIT);
    expect_result(trv_compound_create(parts, 3, &many, &made), TRV_ERROR_RANGE);
    expect_result(trv_compound_create(parts, 0, &def, &made), TRV_ERROR_RANGE);
    expect_result(trv_compound_create(parts, UINT32_MAX, &def, &made), TRV_ERROR_LIMIT);
    assert_null(made);
    trv_shape none = trv_make_compound(NULL);
    expect_result(trv_shape_check(&none), TRV_ERROR_NULL);
    assert_int_equal(trv_compound_part_count(NULL), 0);
    assert_true(trv_compound_bounds_local(NULL).upper.x == 0.0f);
    trv_compound_retain(NULL);
    trv_compound_release(NULL);
    trv_compound_part part = parts[0];
    expect_result(trv_compound_part_get(NULL, 0, &part), TRV_ERROR_NULL);
    assert_int_equal(part.shape.kind, TRV_SHAPE_NONE);
    made = compound_of(parts, 3);
    expect_result(trv_compound_part_get(made, 3, &part), TRV_ERROR_INDEX);
    expect_result(trv_compound_part_get(made, 0, NULL), TRV_ERROR_NULL);
    for (uint32_t i = 0; i < 3; i++) {
        expect_result(trv_compound_part_get(made, i, &part), TRV_OK);
        assert_int_equal(part.shape.kind, parts[i].shape.kind);
    }
    trv_compound_release(made);
}

static void a_compound_keeps_its_hulls_alive_until_the_last_owner_leaves(void **state)
{
    (void)state;
    test_hulls own;
    assert_true(make_test_hulls(&own));
    trv_compound_part parts[2] = {{trv_make_hull(own.globe), HERE},
                                  {trv_make_hull(own.globe), HERE}};
    trv_compound *compound = compound_of(parts, 2);
    assert_int_equal(atomic_load(&own.globe->references), 3);
    free_test_hulls(&own);
    trv_compound_retain(compound);
    trv_compound_release(compound);
    trv_shape shape = trv_make_compound(compound), ball = part_shape(&part_hulls, 0);
    bool overlap = false;
    expect_result(trv_overlap(&shape, HERE, &ball, HERE, &overlap), TRV_OK);
    assert_true(overlap);
    trv_compound_release(compound);
}

static void each_allocation_may_fail_and_leaves_nothing(void **state)
{
    (void)state;
    test_random random = {41};
    trv_compound_part parts[20];
    random_parts(&random, &part_hulls, 2.0f, parts, 20);
    for (uint32_t i = 0; i < 20; i++)
        if (i % 2 == 0)
            parts[i].shape = trv_make_hull(part_hulls.globe);
    unsigned before = atomic_load(&part_hulls.globe->references);
    bool made_one = false;
    for (size_t fail = 0; !made_one; fail++) {
        test_memory memory = {0, fail, 0, 0};
        trv_compound_def def = trv_default_compound_def();
        trv_compound *compound;
        def.allocator = test_allocator(&memory);
        trv_result result = trv_compound_create(parts, 20, &def, &compound);
        made_one = result == TRV_OK;
        if (!made_one) {
            expect_result(result, TRV_ERROR_MEMORY);
            assert_null(compound);
        } else {
            assert_int_equal(fail, 2);
            assert_int_equal(memory.live, 1);
        }
        trv_compound_release(compound);
        assert_int_equal(memory.live, 0);
        assert_int_equal(memory.bytes, 0);
        assert_int_equal(atomic_load(&part_hulls.globe->references), before);
        assert_true(fail < 10);
    }
}

// Counts leaves below a node and checks that boxes hold boxes.
static uint32_t check_node(const trv_compound *compound, uint32_t at, uint32_t depth, uint8_t *seen)
{
    const trvi_node *node = &compound->nodes[at];
    assert_true(depth <= TRVI_TREE_DEPTH);
    if (node->right == 0) {
        trvi_view view;
        const trv_compound_part *part = &compound->parts[node->part];
        assert_int_equal(seen[node->part]++, 0);
        trvi_view_set(&view, &part->shape, part->pose);
        for (uint32_t v = 0; v < view.vertex_count; v++) {
            trvi_dvec3 p = trvi_to_world(&view, trvi_vertex(&view, v));
            assert_true(p.x - view.radius >= node->lower.x && p.x + view.radius <= node->upper.x);
            assert_true(p.y - view.radius >= node->lower.y && p.y + view.radius <= node->upper.y);
            assert_true(p.z - view.radius >= node->lower.z && p.z + view.radius <= node->upper.z);
        }
        return 1;
    }
    const uint32_t children[2] = {at + 1, node->right};
    uint32_t leaves[2];
    for (int c = 0; c < 2; c++) {
        const trvi_node *child = &compound->nodes[children[c]];
        assert_true(trvi_aabb_contains((trv_aabb){node->lower, node->upper},
                                       (trv_aabb){child->lower, child->upper}));
        leaves[c] = check_node(compound, children[c], depth + 1, seen);
    }
    assert_true(leaves[0] - leaves[1] <= 1);
    return leaves[0] + leaves[1];
}

static void the_tree_is_balanced_and_boxes_hold_what_is_below(void **state)
{
    (void)state;
    test_random random = {42};
    for (uint32_t count = 1; count <= 200; count += 1 + count / 9) {
        trv_compound *compound = random_compound(&random, &part_hulls, 4.0f, count);
        uint8_t seen[200] = {0};
        assert_int_equal(check_node(compound, 0, 0, seen), count);
        trv_compound_release(compound);
    }
    // Parts at one place have no order but their numbers'.
    trv_compound_part same[100];
    for (uint32_t i = 0; i < 100; i++)
        same[i] = (trv_compound_part){part_shape(&part_hulls, 2), HERE};
    trv_compound *compound = compound_of(same, 100);
    uint8_t seen[100] = {0};
    assert_int_equal(check_node(compound, 0, 0, seen), 100);
    trv_compound_release(compound);
}

static void bounds_hold_every_point_and_are_tight(void **state)
{
    (void)state;
    test_random random = {43};
    for (int i = 0; i < 600; i++) {
        trv_compound *compound = random_compound(&random, &part_hulls, 3.0f, 1 + (uint32_t)i % 20);
        trv_shape shape =
            i % 7 == 6 ? trv_make_compound(compound) : part_shape(&part_hulls, (uint32_t)i % 7);
        float extent = i % 3 == 0 ? 1.0e6f : 3.0f, margin = i % 2 == 0 ? 0.0f : 0.25f;
        trv_pose pose = random_pose(&random, extent);
        trv_aabb box;
        expect_result(trv_bounds_of_shape(&shape, pose, margin, &box), TRV_OK);
        double top = -HUGE_VAL;
        trvi_parts parts;
        trvi_parts_set(&parts, &shape, pose);
        for (uint32_t part = 0; part < parts_in(&shape); part++) {
            trvi_view view;
            trvi_part_view(&parts, part, &view);
            for (uint32_t v = 0; v < view.vertex_count; v++) {
                trvi_dvec3 p = trvi_to_world(&view, trvi_vertex(&view, v));
                double out = view.radius + (double)margin;
                assert_true(p.x + out <= box.upper.x && p.x - out >= box.lower.x);
                assert_true(p.z + out <= box.upper.z && p.z - out >= box.lower.z);
                top = fmax(top, p.y + out);
                assert_true(p.y - out >= box.lower.y);
            }
        }
        assert_true(top <= box.upper.y);
        expect_near(box.upper.y, top, 2.5e-7 * (double)extent + 1.0e-6);
        if (i % 7 == 6) {
            expect_result(trv_bounds_of_shape(&shape, HERE, 0.0f, &box), TRV_OK);
            trv_aabb local = trv_compound_bounds_local(compound);
            assert_memory_equal(&box, &local, sizeof box);
        }
        trv_compound_release(compound);
    }
}

static void bad_calls_for_bounds_are_refused(void **state)
{
    (void)state;
    trv_shape box = part_shape(&part_hulls, 2), none = {.kind = TRV_SHAPE_NONE};
    trv_shape plane = trv_make_half_space((trv_vec3){0, 0, 0}, (trv_vec3){0, 1, 0});
    trv_pose bad = {{NAN, 0, 0}, {0, 0, 0, 1}};
    trv_aabb out = {{1, 1, 1}, {1, 1, 1}};
    expect_result(trv_bounds_of_shape(&plane, HERE, 0.0f, &out), TRV_ERROR_KIND);
    assert_true(out.lower.x == 0.0f && out.upper.z == 0.0f);
    expect_result(trv_bounds_of_shape(&none, HERE, 0.0f, &out), TRV_ERROR_KIND);
    expect_result(trv_bounds_of_shape(NULL, HERE, 0.0f, &out), TRV_ERROR_NULL);
    expect_result(trv_bounds_of_shape(&box, HERE, 0.0f, NULL), TRV_ERROR_NULL);
    expect_result(trv_bounds_of_shape(&box, bad, 0.0f, &out), TRV_ERROR_NUMBER);
    expect_result(trv_bounds_of_shape(&box, HERE, -1.0f, &out), TRV_ERROR_RANGE);
    expect_result(trv_bounds_of_shape(&box, HERE, NAN, &out), TRV_ERROR_NUMBER);
}

// Every pair that is near enough is walked to, and few others.
static void a_small_box_meets_few_of_a_thousand_parts(void **state)
{
    (void)state;
    test_random random = {44};
    trv_compound *compound = random_compound(&random, &part_hulls, 2.5f, 1000);
    trv_shape a = trv_make_compound(compound), b = trv_make_box((trv_vec3){0.1f, 0.1f, 0.1f});
    uint32_t walked = 0, touching = 0;
    for (int i = 0; i < 100; i++) {
        trv_pose pa = random_pose(&random, 1.0f), pb = random_pose(&random, 2.0f);
        trvi_parts parts_a, parts_b;
        trvi_pair_walk walk;
        uint32_t part_a, part_b, needed;
        uint8_t seen[1000] = {0};
        trvi_parts_set(&parts_a, &a, pa);
        trvi_parts_set(&parts_b, &b, pb);
        trvi_pair_walk_start(&walk, &parts_a, &parts_b);
        while (trvi_pair_walk_next(&walk, 0.0, &part_a, &part_b)) {
            assert_int_equal(part_b, 0);
            assert_int_equal(seen[part_a]++, 0);
            walked++;
        }
        trv_manifold manifolds[64];
        expect_result(trv_collide_all(&a, pa, &b, pb, 0.0f, manifolds, 64, &needed), TRV_OK);
        for (uint32_t k = 0; k < needed; k++)
            assert_int_equal(seen[manifolds[k].part_a], 1);
        touching += needed;
    }
    print_message("%u pairs of 100000 walked to, %u touch\n", walked, touching);
    assert_true(touching > 50);
    assert_true(walked < 100 * 20); // out of 100 * 1000
    trv_compound_release(compound);
}

// Whatever axis the parts lie along, and in whatever order they come.
static void a_row_of_parts_is_cut_along_its_length(void **state)
{
    (void)state;
    trv_compound_part parts[1000];
    trv_shape b = trv_make_box((trv_vec3){0.1f, 0.1f, 0.1f});
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < 1000; i++) {
            float at[3] = {0.0f, 0.0f, 0.0f};
            at[axis] = (float)(i * 7919 % 1000);
            parts[i].shape = trv_make_box((trv_vec3){0.4f, 0.4f, 0.4f});
            parts[i].pose = trv_make_pose((trv_vec3){at[0], at[1], at[2]});
        }
        trv_compound *compound = compound_of(parts, 1000);
        for (uint32_t n = 0; n < 2 * 1000 - 1; n++) {
            const trvi_node *node = &compound->nodes[n];
            if (node->right == 0)
                continue;
            const trvi_node *left = node + 1, *right = &compound->nodes[node->right];
            assert_false(trvi_aabb_overlaps((trv_aabb){left->lower, left->upper},
                                            (trv_aabb){right->lower, right->upper}));
        }
        trv_shape a = trv_make_compound(compound);
        trv_manifold manifold;
        uint32_t count;
        trv_pose pose = HERE;
        for (uint32_t i = 0; i < 1000; i += 37) {
            pose.position = parts[i].pose.position;
            expect_result(trv_collide_all(&a, HERE, &b, pose, 0.0f, &manifold, 1, &count), TRV_OK);
            assert_int_equal(count, 1);
            assert_int_equal(manifold.part_a, i);
        }
        trv_compound_release(compound);
    }
}

// How many pairs the search for the nearest has to look at, with the limit that each one sets.
static void the_nearest_of_a_million_pairs_is_found_by_looking_at_few(void **state)
{
    (void)state;
    test_random random = {45};
    trv_compound *one = random_compound(&random, &part_hulls, 5.0f, 1000);
    trv_compound *two = random_compound(&random, &part_hulls, 5.0f, 1000);
    trv_shape a = trv_make_compound(one), b = trv_make_compound(two);
    uint32_t walked = 0;
    for (int i = 0; i < 10; i++) {
        trv_pose pa = random_pose(&random, 1.0f), pb = random_pose(&random, 1.0f);
        pb.position.x += 20.0f;
        trvi_parts parts_a, parts_b;
        trvi_pair_walk walk;
        uint32_t part_a, part_b;
        double limit = HUGE_VAL;
        trvi_parts_set(&parts_a, &a, pa);
        trvi_parts_set(&parts_b, &b, pb);
        trvi_pair_walk_start(&walk, &parts_a, &parts_b);
        while (trvi_pair_walk_next(&walk, limit, &part_a, &part_b)) {
            trv_pose qa, qb;
            trv_shape sa = part_alone(&a, pa, part_a, &qa), sb = part_alone(&b, pb, part_b, &qb);
            trv_gap gap;
            expect_result(trv_distance(&sa, qa, &sb, qb, &gap), TRV_OK);
            limit = fmin(limit, (double)gap.distance);
            walked++;
        }
    }
    assert_true(walked < 10 * 100); // out of 10 * 1000000
    trv_compound_release(one);
    trv_compound_release(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_parts_are_refused_and_nothing_is_made),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(a_compound_keeps_its_hulls_alive_until_the_last_owner_leaves),
        cmocka_unit_test(each_allocation_may_fail_and_leaves_nothing),
        cmocka_unit_test(the_tree_is_balanced_and_boxes_hold_what_is_below),
        cmocka_unit_test(bounds_hold_every_point_and_are_tight),
        cmocka_unit_test(bad_calls_for_bounds_are_refused),
        cmocka_unit_test(a_small_box_meets_few_of_a_thousand_parts),
        cmocka_unit_test(a_row_of_parts_is_cut_along_its_length),
        cmocka_unit_test(the_nearest_of_a_million_pairs_is_found_by_looking_at_few),
    };
    return cmocka_run_group_tests(tests, make_part_hulls, free_part_hulls);
}
