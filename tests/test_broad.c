// The broadphase's promises one by one, and what callers get wrong.
#include "broad_support.h"

static void touching_boxes_are_a_pair_and_apart_by_one_ulp_are_not(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        trv_broad *broad = create_default();
        float at[3] = {0, 0, 0};
        at[axis] = 2;
        trv_aabb box = make_box(at[0], at[1], at[2], 1);
        add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 1);
        trv_proxy_id id = add(broad, box, TRV_PROXY_AWAKE, 2);
        expect_counts(update(broad), 1, 0, 0);
        float *lower = axis == 0 ? &box.lower.x : axis == 1 ? &box.lower.y : &box.lower.z;
        *lower = nextafterf(*lower, 2);
        expect_result(trv_broad_move(broad, id, box), TRV_OK);
        expect_counts(update(broad), 0, 0, 1);
        trv_broad_destroy(broad);
    }
}

static void boxes_without_extent_are_a_pair_where_they_coincide(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    add(broad, make_box(0.0f, 1, 2, 0), TRV_PROXY_AWAKE, 1);
    add(broad, make_box(-0.0f, 1, 2, 0), TRV_PROXY_AWAKE, 2);
    add(broad, make_box(1.0e-30f, 1, 2, 0), TRV_PROXY_AWAKE, 3);
    trv_pairs pairs = update(broad);
    expect_counts(pairs, 1, 0, 0);
    assert_true(pairs.begun[0].user_a == 1 && pairs.begun[0].user_b == 2);
    trv_broad_destroy(broad);
}

static void boxes_at_the_ends_of_the_world_work(void **state)
{
    (void)state;
    trv_broad_def def = trv_default_broad_def();
    def.margin = TRV_COORD_MAX;
    trv_broad *broad = create_broad(&def);
    float m = TRV_COORD_MAX;
    for (int i = 0; i < 600; i++) {
        float sign = i % 2 ? 1.0f : -1.0f;
        add(broad, make_box(sign * m, -sign * m, sign * m, 0), TRV_PROXY_AWAKE, 0);
    }
    expect_counts(update(broad), 600 * 599 / 2, 0, 0); // the margins touch in the middle
    trv_broad_destroy(broad);
}

static void two_static_boxes_are_never_a_pair(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_STATIC, 0);
    add(broad, make_box(0, 0, 0, 1), TRV_PROXY_STATIC, 0);
    expect_counts(update(broad), 0, 0, 0);
    expect_result(trv_broad_set(broad, a, TRV_PROXY_ASLEEP), TRV_OK);
    expect_counts(update(broad), 1, 0, 0);
    expect_result(trv_broad_set(broad, a, TRV_PROXY_STATIC), TRV_OK);
    expect_counts(update(broad), 0, 0, 1);
    trv_broad_destroy(broad);
}

static void a_sleeping_pair_is_silent_and_wakes_with_its_slot(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    add(broad, make_box(-5, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    add(broad, make_box(-5, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trv_proxy_id b = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trv_pairs pairs = update(broad);
    expect_counts(pairs, 2, 0, 0);
    assert_int_equal(pairs.begun[1].a, a.index1);
    uint32_t slot = pairs.begun[1].slot;
    expect_result(trv_broad_set(broad, a, TRV_PROXY_ASLEEP), TRV_OK);
    expect_result(trv_broad_set(broad, b, TRV_PROXY_ASLEEP), TRV_OK);
    for (int i = 0; i < 3; i++)
        expect_counts(update(broad), 0, 1, 0);
    expect_result(trv_broad_set(broad, b, TRV_PROXY_AWAKE), TRV_OK);
    pairs = update(broad);
    expect_counts(pairs, 0, 2, 0);
    assert_int_equal(pairs.kept[1].slot, slot);
    trv_broad_destroy(broad);
}

static void a_static_box_moved_under_a_sleeping_one_begins_a_pair(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    trv_proxy_id ground = add(broad, make_box(0, -9, 0, 1), TRV_PROXY_STATIC, 0);
    add(broad, make_box(0, 0, 0, 1), TRV_PROXY_ASLEEP, 0);
    expect_counts(update(broad), 0, 0, 0);
    expect_result(trv_broad_move(broad, ground, make_box(0, -2, 0, 1)), TRV_OK);
    expect_counts(update(broad), 1, 0, 0);
    expect_counts(update(broad), 0, 0, 0);
    expect_result(trv_broad_move(broad, ground, make_box(0, -9, 0, 1)), TRV_OK);
    expect_counts(update(broad), 0, 0, 1);
    trv_broad_destroy(broad);
}

static void a_new_filter_ends_and_begins_pairs(void **state)
{
    (void)state;
    for (int set = TRV_PROXY_ASLEEP; set <= TRV_PROXY_AWAKE; set++) {
        trv_broad *broad = create_default();
        trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), (trv_proxy_set)set, 0);
        add(broad, make_box(0, 0, 0, 1), TRV_PROXY_STATIC, 0);
        expect_counts(update(broad), 1, 0, 0);
        trv_filter filter = trv_default_filter();
        filter.mask = 2;
        expect_result(trv_broad_filter(broad, a, filter), TRV_OK);
        expect_counts(update(broad), 0, 0, 1);
        expect_result(trv_broad_filter(broad, a, trv_default_filter()), TRV_OK);
        expect_counts(update(broad), 1, 0, 0);
        trv_broad_destroy(broad);
    }
}

static void a_new_filter_ends_a_pair_among_others_that_move(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trv_proxy_id b = add(broad, make_box(1, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trv_proxy_id c = add(broad, make_box(2, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    expect_counts(update(broad), 3, 0, 0);
    expect_counts(update(broad), 0, 3, 0);
    trv_filter filter = trv_default_filter();
    filter.mask = 2;
    expect_result(trv_broad_filter(broad, a, filter), TRV_OK);
    expect_result(trv_broad_move(broad, b, make_box(1, .1f, 0, 1)), TRV_OK);
    expect_result(trv_broad_move(broad, c, make_box(2, .1f, 0, 1)), TRV_OK);
    expect_counts(update(broad), 0, 1, 2);
    trv_broad_destroy(broad);
}

static void a_removed_box_ends_its_pairs_with_its_user_value(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 71);
    add(broad, make_box(0, 0, 0, 1), TRV_PROXY_ASLEEP, 72);
    uint32_t slot = update(broad).begun[0].slot;
    expect_result(trv_broad_remove(broad, a), TRV_OK);
    add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 73);
    trv_pairs pairs = update(broad);
    expect_counts(pairs, 1, 0, 1);
    assert_true(pairs.ended[0].user_a == 71 && pairs.ended[0].user_b == 72);
    assert_int_equal(pairs.ended[0].slot, slot);
    assert_true(pairs.begun[0].slot != slot);
    // Now index and slot are free again.
    trv_proxy_id d = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_STATIC, 74);
    assert_int_equal(d.index1, a.index1);
    assert_true(d.generation != a.generation);
    pairs = update(broad);
    expect_counts(pairs, 2, 1, 0);
    assert_int_equal(pairs.begun[0].slot, slot);
    assert_int_equal(pairs.slot_limit, 3);
    trv_broad_destroy(broad);
}

static void a_move_inside_the_fat_box_leaves_it(void **state)
{
    (void)state;
    trv_broad_def def = trv_default_broad_def();
    def.margin = .25f;
    trv_broad *broad = create_broad(&def);
    trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trv_aabb tight, fat, moved = make_box(.25f, 0, -.25f, 1);
    expect_result(trv_broad_move(broad, a, moved), TRV_OK);
    expect_result(trv_broad_get(broad, a, &tight, &fat), TRV_OK);
    assert_memory_equal(&tight, &moved, sizeof tight);
    expect_near(fat.upper.x, 1.25, 0);
    expect_result(trv_broad_move(broad, a, make_box(.3125f, 0, 0, 1)), TRV_OK);
    expect_result(trv_broad_get(broad, a, &tight, &fat), TRV_OK);
    expect_near(fat.upper.x, 1.5625, 0);
    expect_near(fat.lower.z, -1.25, 0);
    trv_broad_destroy(broad);
}

// Also after a save and a move.
static void a_small_box_has_a_small_margin(void **state)
{
    (void)state;
    trv_broad_def def = trv_default_broad_def();
    def.margin = .25f;
    def.margin_share = .125f; // a limit for boxes that are shorter than 2
    trv_broad *broad = create_broad(&def), *other = create_default();
    const struct {
        float half, margin;
    } rows[] = {{2, .25f}, {1, .25f}, {.5f, .125f}, {.0625f, .015625f}, {0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trv_aabb tight, fat;
        trv_proxy_id a = add(broad, make_box(0, 0, 0, rows[i].half), TRV_PROXY_AWAKE, 0);
        expect_result(trv_broad_get(broad, a, &tight, &fat), TRV_OK);
        expect_near(fat.upper.x, rows[i].half + rows[i].margin, 0);
        expect_near(fat.lower.z, -rows[i].half - rows[i].margin, 0);
        trv_aabb within = make_box(rows[i].margin, 0, 0, rows[i].half), beyond = within;
        expect_result(trv_broad_move(broad, a, within), TRV_OK);
        expect_result(trv_broad_get(broad, a, &tight, &fat), TRV_OK);
        if (rows[i].margin > 0)
            expect_near(fat.lower.x, -rows[i].half - rows[i].margin, 0);
        char bytes[8192];
        size_t size;
        expect_result(trv_broad_save(broad, bytes, sizeof bytes, &size), TRV_OK);
        expect_result(trv_broad_restore(other, bytes, size), TRV_OK);
        beyond.lower.x += 1;
        beyond.upper.x += 1;
        expect_result(trv_broad_move(other, a, beyond), TRV_OK);
        expect_result(trv_broad_get(other, a, &tight, &fat), TRV_OK);
        expect_near(fat.upper.x, beyond.upper.x + rows[i].margin, 0);
    }
    trv_broad_destroy(other);
    trv_broad_destroy(broad);
}

static void a_slab_over_256_tiles_has_256_pairs_at_once(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    for (int i = 0; i < 256; i++)
        add(broad, make_box((float)(i % 16), 0, (float)(i / 16), .5f), TRV_PROXY_STATIC, 0);
    expect_counts(update(broad), 0, 0, 0);
    trv_aabb slab = {{-1, .5f, -1}, {17, 1, 17}};
    add(broad, slab, TRV_PROXY_AWAKE, 0);
    expect_counts(update(broad), 256, 0, 0);
    expect_counts(update(broad), 0, 256, 0);
    trv_broad_destroy(broad);
}

// ---- What callers get wrong ----

static void a_bad_def_is_refused(void **state)
{
    (void)state;
    trv_broad_def good = trv_default_broad_def(), def = good;
    trv_broad *broad = (trv_broad *)&def;
    expect_result(trv_broad_create(NULL, &broad), TRV_ERROR_NULL);
    assert_null(broad);
    expect_result(trv_broad_create(&good, NULL), TRV_ERROR_NULL);
    memset(&def, 0, sizeof def);
    expect_result(trv_broad_create(&def, &broad), TRV_ERROR_DEF);
    const struct {
        float margin;
        uint32_t max_proxies, max_pairs, workers;
        trv_result wanted;
    } rows[] = {{NAN, 1, 1, 1, TRV_ERROR_NUMBER},       {INFINITY, 1, 1, 1, TRV_ERROR_NUMBER},
                {-1, 1, 1, 1, TRV_ERROR_RANGE},         {2e8f, 1, 1, 1, TRV_ERROR_RANGE},
                {0, 0, 1, 1, TRV_ERROR_RANGE},          {0, 1, 0, 1, TRV_ERROR_RANGE},
                {0, UINT32_MAX, 1, 1, TRV_ERROR_RANGE}, {0, 1, UINT32_MAX, 1, TRV_ERROR_RANGE},
                {0, 1, 1, 65, TRV_ERROR_RANGE},         {0, 1, 1, 64, TRV_OK}};
    const float shares[] = {NAN, -1, 2e8f};
    for (int i = 0; i < 3; i++) {
        def = good;
        def.margin_share = shares[i];
        expect_result(trv_broad_create(&def, &broad), i == 0 ? TRV_ERROR_NUMBER : TRV_ERROR_RANGE);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        def = good;
        def.margin = rows[i].margin;
        def.max_proxies = rows[i].max_proxies;
        def.max_pairs = rows[i].max_pairs;
        def.workers.count = rows[i].workers;
        expect_result(trv_broad_create(&def, &broad), rows[i].wanted);
        assert_true((broad != NULL) == (rows[i].wanted == TRV_OK));
        trv_broad_destroy(broad);
    }
    trv_broad_destroy(NULL);
}

static void bad_boxes_are_refused_and_change_nothing(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    trv_proxy_id good = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0), id;
    const struct {
        trv_aabb box;
        trv_result wanted;
    } rows[] = {{{{NAN, 0, 0}, {1, 1, 1}}, TRV_ERROR_NUMBER},
                {{{0, 0, 0}, {1, INFINITY, 1}}, TRV_ERROR_NUMBER},
                {{{0, 0, 2}, {1, 1, 1}}, TRV_ERROR_RANGE},
                {{{0, 0, 0}, {1, 1, 1.1e8f}}, TRV_ERROR_RANGE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        id = good;
        trv_aabb box = rows[i].box;
        uint32_t count = 0;
        expect_result(trv_broad_add(broad, box, trv_default_filter(), TRV_PROXY_AWAKE, 0, &id),
                      rows[i].wanted);
        assert_int_equal(id.index1, 0);
        expect_result(trv_broad_move(broad, good, box), rows[i].wanted);
        expect_result(trv_broad_query_aabb(broad, box, trv_default_filter(), count_proxy, &count),
                      rows[i].wanted);
    }
    trv_aabb tight, fat, box = make_box(0, 0, 0, 1);
    expect_result(trv_broad_add(broad, box, trv_default_filter(), (trv_proxy_set)3, 0, &id),
                  TRV_ERROR_RANGE);
    expect_result(trv_broad_set(broad, good, (trv_proxy_set)3), TRV_ERROR_RANGE);
    expect_result(trv_broad_get(broad, good, &tight, &fat), TRV_OK);
    assert_memory_equal(&tight, &box, sizeof box);
    trv_broad_destroy(broad);
}

static void ids_that_name_nothing_are_stale(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    trv_proxy_id good = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trv_proxy_id gone = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    expect_result(trv_broad_remove(broad, gone), TRV_OK);
    const trv_proxy_id ids[] = {{0, 0},
                                {0, 1},
                                {good.index1, good.generation + 1},
                                gone,
                                {gone.index1, gone.generation + 1},
                                {3, 0},
                                {UINT32_MAX, 1}};
    for (int updated = 0; updated < 2; updated++) {
        for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
            trv_aabb tight = make_box(0, 0, 0, 1), fat = tight;
            expect_result(trv_broad_move(broad, ids[i], tight), TRV_ERROR_STALE);
            expect_result(trv_broad_set(broad, ids[i], TRV_PROXY_AWAKE), TRV_ERROR_STALE);
            expect_result(trv_broad_filter(broad, ids[i], trv_default_filter()), TRV_ERROR_STALE);
            expect_result(trv_broad_remove(broad, ids[i]), TRV_ERROR_STALE);
            expect_result(trv_broad_get(broad, ids[i], &tight, &fat), TRV_ERROR_STALE);
            expect_near(tight.upper.x, 0, 0);
            expect_near(fat.upper.x, 0, 0);
        }
        update(broad);
    }
    trv_broad_destroy(broad);
}

static void a_batch_with_one_error_changes_nothing(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    trv_proxy_def defs[3];
    for (int i = 0; i < 3; i++)
        defs[i] =
            (trv_proxy_def){make_box((float)i, 0, 0, 1), TRV_PROXY_AWAKE, trv_default_filter(), 0};
    defs[2].box.upper.y = NAN;
    trv_proxy_id ids[3] = {{1, 1}, {1, 1}, {1, 1}};
    expect_result(trv_broad_add_many(broad, defs, 3, ids), TRV_ERROR_NUMBER);
    assert_true(ids[0].index1 == 0 && ids[2].index1 == 0);
    defs[2].box.upper.y = 1;
    defs[1].set = (trv_proxy_set)3;
    expect_result(trv_broad_add_many(broad, defs, 3, ids), TRV_ERROR_RANGE);
    defs[1].set = TRV_PROXY_AWAKE;
    expect_result(trv_broad_add_many(broad, defs, 3, ids), TRV_OK);
    assert_int_equal(ids[0].index1, 1);
    expect_counts(update(broad), 3, 0, 0);

    trv_aabb boxes[3] = {make_box(50, 0, 0, 1), make_box(60, 0, 0, 1), make_box(0, INFINITY, 0, 1)};
    expect_result(trv_broad_move_many(broad, ids, boxes, 3), TRV_ERROR_NUMBER);
    trv_proxy_id stale[3] = {ids[0], ids[1], {9, 9}};
    boxes[2] = boxes[0];
    expect_result(trv_broad_move_many(broad, stale, boxes, 3), TRV_ERROR_STALE);
    expect_result(trv_broad_remove_many(broad, stale, 3), TRV_ERROR_STALE);
    expect_counts(update(broad), 0, 3, 0);
    stale[2] = ids[0];
    expect_result(trv_broad_remove_many(broad, stale, 3), TRV_OK);
    expect_counts(update(broad), 0, 0, 3);
    expect_result(trv_broad_add_many(broad, NULL, 0, NULL), TRV_OK);
    expect_result(trv_broad_add_many(broad, NULL, 1, ids), TRV_ERROR_NULL);
    expect_result(trv_broad_add_many(NULL, defs, 1, ids), TRV_ERROR_NULL);
    expect_result(trv_broad_add_many(broad, defs, 1, NULL), TRV_ERROR_NULL);
    expect_result(trv_broad_move_many(broad, ids, NULL, 1), TRV_ERROR_NULL);
    expect_result(trv_broad_move_many(broad, NULL, boxes, 1), TRV_ERROR_NULL);
    expect_result(trv_broad_move_many(NULL, ids, boxes, 1), TRV_ERROR_NULL);
    expect_result(trv_broad_remove_many(broad, NULL, 1), TRV_ERROR_NULL);
    expect_result(trv_broad_remove_many(NULL, ids, 1), TRV_ERROR_NULL);
    trv_broad_destroy(broad);
}

static void null_pointers_are_refused(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    trv_proxy_id id = {1, 1};
    trv_aabb box = make_box(0, 0, 0, 1);
    trv_filter filter = trv_default_filter();
    trv_pairs pairs;
    expect_result(trv_broad_add(NULL, box, filter, TRV_PROXY_AWAKE, 0, &id), TRV_ERROR_NULL);
    assert_int_equal(id.index1, 0);
    expect_result(trv_broad_add(broad, box, filter, TRV_PROXY_AWAKE, 0, NULL), TRV_ERROR_NULL);
    expect_result(trv_broad_move(NULL, id, box), TRV_ERROR_NULL);
    expect_result(trv_broad_set(NULL, id, TRV_PROXY_AWAKE), TRV_ERROR_NULL);
    expect_result(trv_broad_filter(NULL, id, filter), TRV_ERROR_NULL);
    expect_result(trv_broad_remove(NULL, id), TRV_ERROR_NULL);
    expect_result(trv_broad_update(NULL, &pairs), TRV_ERROR_NULL);
    assert_int_equal(pairs.slot_limit, 0);
    expect_result(trv_broad_update(broad, NULL), TRV_ERROR_NULL);
    expect_result(trv_broad_get(NULL, id, &box, &box), TRV_ERROR_NULL);
    expect_result(trv_broad_get(broad, id, NULL, &box), TRV_ERROR_NULL);
    expect_result(trv_broad_get(broad, id, &box, NULL), TRV_ERROR_NULL);
    char bytes[4096];
    size_t size;
    assert_int_equal(trv_broad_save_size(NULL), 0);
    expect_result(trv_broad_save(NULL, bytes, sizeof bytes, &size), TRV_ERROR_NULL);
    expect_result(trv_broad_save(broad, NULL, sizeof bytes, &size), TRV_ERROR_NULL);
    expect_result(trv_broad_save(broad, bytes, sizeof bytes, NULL), TRV_ERROR_NULL);
    expect_result(trv_broad_restore(NULL, bytes, sizeof bytes), TRV_ERROR_NULL);
    expect_result(trv_broad_restore(broad, NULL, sizeof bytes), TRV_ERROR_NULL);
    trv_broad_destroy(broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_boxes_are_a_pair_and_apart_by_one_ulp_are_not),
        cmocka_unit_test(boxes_without_extent_are_a_pair_where_they_coincide),
        cmocka_unit_test(boxes_at_the_ends_of_the_world_work),
        cmocka_unit_test(two_static_boxes_are_never_a_pair),
        cmocka_unit_test(a_sleeping_pair_is_silent_and_wakes_with_its_slot),
        cmocka_unit_test(a_static_box_moved_under_a_sleeping_one_begins_a_pair),
        cmocka_unit_test(a_new_filter_ends_and_begins_pairs),
        cmocka_unit_test(a_new_filter_ends_a_pair_among_others_that_move),
        cmocka_unit_test(a_removed_box_ends_its_pairs_with_its_user_value),
        cmocka_unit_test(a_move_inside_the_fat_box_leaves_it),
        cmocka_unit_test(a_small_box_has_a_small_margin),
        cmocka_unit_test(a_slab_over_256_tiles_has_256_pairs_at_once),
        cmocka_unit_test(a_bad_def_is_refused),
        cmocka_unit_test(bad_boxes_are_refused_and_change_nothing),
        cmocka_unit_test(ids_that_name_nothing_are_stale),
        cmocka_unit_test(a_batch_with_one_error_changes_nothing),
        cmocka_unit_test(null_pointers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
