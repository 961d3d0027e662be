// Little moves, among many boxes that rest: pairs against brute force, also while memory fails,
// while there are too many pairs, with workers, and after a restore.
#include "broad_columns.h"

// What the boxes of a history are like.
typedef struct scene {
    const char *name;
    uint32_t count, rounds;
    float extent[3];              // positions are within +- this
    float half_lower, half_upper; // half extents, log-uniform between
    float margin;
    uint32_t change_one_in; // boxes, about, in each round
    bool lattice;           // positions and half extents are whole numbers, so that boxes touch
    bool mixed;             // some are static, some asleep; these rest
    bool filters;
} scene;

static const scene scenes[] = {
    {"few", 40, 80, {3, 3, 3}, .2f, 1, 0, 20, false, false, false},
    {"cube", 300, 40, {6, 6, 6}, .3f, .8f, 0, 30, false, false, true},
    {"margin", 300, 40, {6, 6, 6}, .3f, .8f, .02f, 10, false, true, false},
    {"lattice", 400, 40, {6, 6, 6}, 1, 1, 0, 30, true, true, false},
    {"points", 300, 40, {2, 2, 2}, 0, 0, 0, 30, true, false, false},
    {"line x", 200, 40, {60, 0, 0}, .5f, .5f, 0, 20, false, false, false},
    {"line z", 200, 40, {0, 0, 60}, .5f, .5f, 0, 20, false, true, false},
    {"mixed", 900, 20, {20, 20, 20}, .5f, 2, 0, 30, false, true, true},
    {"sizes", 900, 20, {90, 90, 90}, .1f, 60, 0, 30, false, true, false},
    {"divided", 2800, 8, {70, 70, 70}, 1, 3, 0, 60, false, false, false},
    {"level", 2800, 8, {120, 1, 120}, 1, 2.5f, 0, 25, false, true, false},
    {"one column", 1500, 8, {500, 0, 0}, .4f, .6f, 0, 80, false, false, false},
};
enum { SCENE_COUNT = sizeof scenes / sizeof *scenes };

static trv_aabb random_box(test_random *random, const scene *s)
{
    float p[3], half[3];
    for (int k = 0; k < 3; k++) {
        p[k] = random_float(random, -s->extent[k], s->extent[k]);
        half[k] = s->half_lower;
        if (s->half_upper > s->half_lower)
            half[k] *= powf(s->half_upper / s->half_lower, random_float(random, 0, 1));
        p[k] = s->lattice ? floorf(p[k]) : p[k];
    }
    return (trv_aabb){{p[0] - half[0], p[1] - half[1], p[2] - half[2]},
                      {p[0] + half[0], p[1] + half[1], p[2] + half[2]}};
}

static trv_filter random_filter(test_random *random, const scene *s)
{
    trv_filter filter = trv_default_filter();
    if (s->filters && random_bits(random) % 3 == 0) {
        filter.category = 1u << random_bits(random) % 3;
        filter.mask = random_bits(random) % 8;
    }
    return filter;
}

typedef struct history {
    const scene *s;
    trv_broad *broad, *other;
    model *m;
    test_memory *memory;
    test_random random;
    uint32_t slid; // updates that changed something, and looked at few
} history;

static void history_add(history *h)
{
    trv_aabb box = random_box(&h->random, h->s);
    trv_filter filter = random_filter(&h->random, h->s);
    trv_proxy_set set = TRV_PROXY_AWAKE;
    if (h->s->mixed && h->m->pair_count == 0) // before the first update
        set = (trv_proxy_set)(random_bits(&h->random) % 3);
    uint64_t user = random_bits(&h->random);
    trv_proxy_id id;
    trv_result result = trv_broad_add(h->broad, box, filter, set, user, &id);
    if (failed_for_memory(result, h->memory))
        result = trv_broad_add(h->broad, box, filter, set, user, &id);
    expect_result(result, TRV_OK);
    model_add(h->m, id, box, filter, set, user);
}

static void history_move(history *h, model_proxy *p, trv_aabb box)
{
    expect_result(trv_broad_move(h->broad, p->id, box), TRV_OK);
    model_move(p, h->m->margin, box);
}

// Most go a little way; some go anywhere, or away.
static void history_change(history *h, model_proxy *p)
{
    uint64_t kind = random_bits(&h->random) % 32;
    trv_vec3 step = random_vec3(&h->random, h->s->half_lower * .2f + .01f);
    if (h->s->lattice)
        step = trv_make_vec3(floorf(step.x), floorf(-step.y), floorf(step.z));
    if (kind == 0) {
        history_move(h, p, random_box(&h->random, h->s));
    } else if (kind == 1) {
        expect_result(trv_broad_remove(h->broad, p->id), TRV_OK);
        p->live = false;
    } else if (kind == 2) {
        history_add(h);
    } else {
        trv_aabb box = p->tight;
        box.lower = trv_make_vec3(box.lower.x + step.x, box.lower.y + step.y, box.lower.z + step.z);
        box.upper = trv_make_vec3(box.upper.x + step.x, box.upper.y + step.y, box.upper.z + step.z);
        history_move(h, p, box);
        if (kind == 3) { // and away in the same update
            expect_result(trv_broad_remove(h->broad, p->id), TRV_OK);
            p->live = false;
        }
    }
}

static void history_update(history *h)
{
    trv_pairs pairs;
    bool changed = h->broad->changed.count > 0;
    trv_result result = trv_broad_update(h->broad, &pairs);
    if (failed_for_memory(result, h->memory))
        result = trv_broad_update(h->broad, &pairs);
    expect_result(result, TRV_OK);
    h->slid += changed && h->broad->has_slid;
    model_check_update(h->m, &pairs);
    check_order(h->broad);
}

// Returns the hash of all reports; `relay`: told by two in turn, each of which goes on from what
// the other saved.
static uint64_t run(const scene *s, uint64_t seed, const trv_workers *workers, test_memory *memory,
                    bool relay)
{
    history h = {.s = s, .m = model_create(s->margin), .memory = memory, .random = {seed}};
    trv_broad_def def = trv_default_broad_def();
    def.margin = s->margin;
    h.broad = create_failing(def, workers, memory);
    h.other = relay ? create_default() : NULL;
    for (uint32_t i = 0; i < s->count; i++)
        history_add(&h);
    for (uint32_t round = 0; round < s->rounds; round++) {
        history_update(&h);
        for (uint32_t i = 1; i < h.m->limit; i++) {
            model_proxy *p = &h.m->proxies[i];
            if (p->live && p->set == TRV_PROXY_AWAKE &&
                random_bits(&h.random) % s->change_one_in == 0)
                history_change(&h, p);
        }
        check_boxes(h.broad, h.m);
        if (relay)
            hand_over(&h.broad, &h.other);
    }
    history_update(&h);
    assert_true(h.slid > s->rounds / 3);
    assert_true(h.m->begun > 0 && h.m->kept > 0 && h.m->ended > 0);
    uint64_t hash = h.m->hash;
    model_destroy(h.m);
    trv_broad_destroy(h.broad);
    trv_broad_destroy(h.other);
    assert_int_equal(memory->live, 0);
    return hash;
}

static uint64_t run_with(const scene *s, uint64_t seed, const trv_workers *workers, bool relay)
{
    test_memory memory = {.fail_at = SIZE_MAX};
    return run(s, seed, workers, &memory, relay);
}

static void few_that_move_change_the_pairs_of_brute_force(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        for (uint64_t seed = 1; seed <= (scenes[i].count > 500 ? 1 : 3); seed++) {
            print_message("%s, seed %u\n", scenes[i].name, (unsigned)seed);
            (void)run_with(&scenes[i], seed, NULL, false);
        }
    }
}

static void workers_and_restored_ones_tell_the_same_of_few_that_move(void **state)
{
    (void)state;
    uint32_t counts[] = {1, 3, 8};
    for (size_t i = 0; i < SCENE_COUNT; i++) {
        if (scenes[i].count > 1500)
            continue;
        uint64_t wanted = run_with(&scenes[i], 9, NULL, false);
        assert_true(run_with(&scenes[i], 9, NULL, true) == wanted);
        for (size_t k = 0; k < 3; k++) {
            trv_workers workers = {&counts[k], counts[k], deal_backwards};
            assert_true(run_with(&scenes[i], 9, &workers, false) == wanted);
        }
    }
}

static void memory_may_fail_while_few_move(void **state)
{
    (void)state;
    const scene s = {"failing", 60, 30, {2, 2, 2}, .2f, .5f, 0, 15, false, true, true};
    test_memory memory = {.fail_at = SIZE_MAX};
    uint64_t wanted = run(&s, 3, NULL, &memory, false);
    size_t calls = memory.calls;
    for (size_t k = 0; k < calls; k++) {
        test_memory failing = {.fail_at = k};
        assert_true(run(&s, 3, NULL, &failing, false) == wanted);
        assert_true(failing.fail_at == SIZE_MAX); // it did fail
    }
}

// One box comes to many that there is no room for pairs with, and goes back.
static void too_many_pairs_of_one_that_moves_are_refused_and_nothing_is_lost(void **state)
{
    (void)state;
    enum { COUNT = 100, MOST = 20 };
    trv_broad_def def = trv_default_broad_def();
    def.max_pairs = MOST;
    trv_broad *broad = create_broad(&def);
    for (uint32_t i = 0; i < COUNT; i++)
        add(broad, make_box((float)i, 0, 0, .4f), TRV_PROXY_AWAKE, i);
    trv_aabb away = make_box(0, 9, 0, 1), wide = {{-200, -1, -1}, {200, 1, 1}};
    trv_proxy_id id = add(broad, away, TRV_PROXY_AWAKE, 0);
    expect_counts(update(broad), 0, 0, 0);
    trv_pairs pairs;
    for (int round = 0; round < 3; round++) {
        expect_result(trv_broad_move(broad, id, wide), TRV_OK);
        expect_result(trv_broad_update(broad, &pairs), TRV_ERROR_LIMIT);
        expect_result(trv_broad_update(broad, &pairs), TRV_ERROR_LIMIT);
        expect_result(trv_broad_move(broad, id, make_box(5, 0, 0, 2)), TRV_OK);
        expect_counts(update(broad), 5, 0, 0);
        expect_result(trv_broad_move(broad, id, make_box(5.2f, 0, 0, 2)), TRV_OK);
        expect_counts(update(broad), 0, 5, 0);
        assert_true(broad->has_slid);
        expect_result(trv_broad_move(broad, id, away), TRV_OK);
        expect_counts(update(broad), 0, 0, 5);
        assert_true(broad->has_slid);
    }
    trv_broad_destroy(broad);
}

// What an update told may be read until the next one succeeds.
static void a_refused_update_leaves_what_was_told_where_it_is(void **state)
{
    (void)state;
    enum { COUPLES = 30, MOST = 40 };
    trv_broad_def def = trv_default_broad_def();
    def.max_pairs = MOST;
    trv_broad *broad = create_broad(&def);
    for (uint32_t i = 0; i < COUPLES; i++) {
        add(broad, make_box((float)(3 * i), 0, 0, .6f), TRV_PROXY_AWAKE, i);
        add(broad, make_box((float)(3 * i) + 1, 0, 0, .6f), TRV_PROXY_AWAKE, i);
    }
    trv_proxy_id id = add(broad, make_box(0, 9, 0, 1), TRV_PROXY_AWAKE, 0);
    expect_counts(update(broad), COUPLES, 0, 0);
    expect_counts(update(broad), 0, COUPLES, 0);
    expect_result(trv_broad_move(broad, id, make_box(.5f, 0, 0, .6f)), TRV_OK);
    const trv_pairs told = update(broad);
    expect_counts(told, 2, COUPLES, 0);
    assert_true(broad->has_slid);
    trv_pair kept[COUPLES];
    memcpy(kept, told.kept, sizeof kept);
    trv_pairs pairs;
    expect_result(trv_broad_move(broad, id, make_box(0, 0, 0, 200)), TRV_OK);
    expect_result(trv_broad_update(broad, &pairs), TRV_ERROR_LIMIT);
    assert_ptr_equal(broad->lists[broad->front].kept.items, told.kept);
    assert_memory_equal(told.kept, kept, sizeof kept);
    trv_broad_destroy(broad);
}

// As many boxes as do not lie near, which are compared with those of another broadphase, into which
// they are put anew.
enum { MANY = 17000, MANY_ROUNDS = 4 };

static void expect_same_pairs(trv_pairs pairs, trv_pairs fresh)
{
    assert_int_equal(pairs.begun_count + pairs.kept_count, fresh.begun_count);
    uint32_t b = 0, k = 0;
    for (uint32_t i = 0; i < fresh.begun_count; i++) {
        const trv_pair *wanted = &fresh.begun[i], *got = NULL;
        if (b < pairs.begun_count && pairs.begun[b].a == wanted->a && pairs.begun[b].b == wanted->b)
            got = &pairs.begun[b++];
        else if (k < pairs.kept_count)
            got = &pairs.kept[k++];
        assert_non_null(got);
        assert_true(got->a == wanted->a && got->b == wanted->b);
        assert_true(got->user_a == wanted->user_a && got->user_b == wanted->user_b);
    }
}

static void few_of_many_that_move_change_the_pairs_of_all_put_in_anew(void **state)
{
    (void)state;
    static trv_aabb boxes[MANY];
    static trv_proxy_id ids[MANY];
    test_random random = {4};
    trv_broad *broad = create_default();
    for (uint32_t i = 0; i < MANY; i++) {
        trv_vec3 p = random_vec3(&random, 20);
        boxes[i] = make_box(p.x, p.y, p.z, i % 100 == 0 ? 3 : .5f);
        ids[i] = add(broad, boxes[i], i % 7 ? TRV_PROXY_AWAKE : TRV_PROXY_STATIC, i);
    }
    update(broad);
    update(broad); // static ones count as awake in the first
    for (uint32_t round = 0; round < MANY_ROUNDS; round++) {
        uint32_t one_in = round % 2 ? 400 : 20; // fewer or more than there are columns
        for (uint32_t i = 0; i < MANY; i++) {
            if (i % 7 == 0 || random_bits(&random) % one_in != 0)
                continue;
            trv_vec3 p = random_vec3(&random, random_bits(&random) % 50 ? .05f : 8);
            boxes[i].lower = trv_make_vec3(boxes[i].lower.x + p.x, boxes[i].lower.y + p.y,
                                           boxes[i].lower.z + p.z);
            boxes[i].upper = trv_make_vec3(boxes[i].upper.x + p.x, boxes[i].upper.y + p.y,
                                           boxes[i].upper.z + p.z);
            expect_result(trv_broad_move(broad, ids[i], boxes[i]), TRV_OK);
        }
        trv_pairs pairs = update(broad);
        assert_true(broad->has_slid && pairs.ended_count > 0);
        trv_broad *fresh = create_default();
        for (uint32_t i = 0; i < MANY; i++)
            add(fresh, boxes[i], i % 7 ? TRV_PROXY_AWAKE : TRV_PROXY_STATIC, i);
        expect_same_pairs(pairs, update(fresh));
        check_order(broad);
        trv_broad_destroy(fresh);
    }
    trv_broad_destroy(broad);
}

// Removes so many of the boxes in a shuffled order; whether they were slid.
static bool removal_slides(float extent_u, uint32_t removed, uint32_t *most)
{
    enum { COUNT = 3000, STEP = 1237 };
    static trv_proxy_id ids[COUNT];
    test_random random = {6};
    trv_broad *broad = create_default();
    for (uint32_t i = 0; i < COUNT; i++) {
        trv_vec3 p = random_vec3(&random, extent_u);
        ids[i] = add(broad, make_box(random_float(&random, -400, 400), p.y, p.z, .5f),
                     TRV_PROXY_AWAKE, i);
    }
    update(broad);
    const trvi_columns *columns = &broad->sets[TRVI_MOBILE_COLUMNS];
    *most = 0;
    for (uint32_t c = 0; c < columns->column_count; c++) {
        uint32_t fill = ((const uint32_t *)columns->fill.items)[c];
        *most = fill > *most ? fill : *most;
    }
    for (uint32_t i = 0; i < removed; i++)
        expect_result(trv_broad_remove(broad, ids[i * STEP % COUNT]), TRV_OK);
    update(broad);
    bool slides = broad->has_slid;
    check_order(broad);
    trv_broad_destroy(broad);
    return slides;
}

static void removals_slide_where_that_costs_less_than_to_go_through_all_columns(void **state)
{
    (void)state;
    uint32_t most;
    assert_true(removal_slides(20, 10, &most));
    assert_true(most < 1000);
    assert_false(removal_slides(20, 90, &most));
    assert_true(removal_slides(1, 5, &most));
    assert_true(most > 1000 && most < 4000); // one by one, longer than the others
    assert_false(removal_slides(1, 30, &most));
}

// All that is awake moves, and the first static boxes come: pairs that go on are not looked for.
static void static_boxes_that_come_leave_what_moves_alone(void **state)
{
    (void)state;
    enum { COUNT = 3000, STILL = 300 };
    static trv_aabb boxes[COUNT + STILL];
    static trv_proxy_id ids[COUNT];
    test_random random = {5};
    trv_broad *broad = create_default(), *fresh = create_default();
    for (uint32_t i = 0; i < COUNT + STILL; i++) {
        trv_vec3 p = random_vec3(&random, 12);
        boxes[i] = make_box(p.x, p.y, p.z, .6f);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        ids[i] = add(broad, boxes[i], TRV_PROXY_AWAKE, i);
    update(broad);
    for (uint32_t i = 0; i < COUNT; i++) {
        trv_vec3 p = random_vec3(&random, .01f), q = boxes[i].lower, r = boxes[i].upper;
        boxes[i] = (trv_aabb){{q.x + p.x, q.y + p.y, q.z + p.z}, {r.x + p.x, r.y + p.y, r.z + p.z}};
        expect_result(trv_broad_move(broad, ids[i], boxes[i]), TRV_OK);
    }
    for (uint32_t i = COUNT; i < COUNT + STILL; i++)
        add(broad, boxes[i], TRV_PROXY_STATIC, i);
    trv_pairs pairs = update(broad);
    assert_true(pairs.kept_count > 1000 && broad->found.count < pairs.kept_count);
    for (uint32_t i = 0; i < COUNT + STILL; i++)
        add(fresh, boxes[i], i < COUNT ? TRV_PROXY_AWAKE : TRV_PROXY_STATIC, i);
    expect_same_pairs(pairs, update(fresh));
    trv_broad_destroy(broad);
    trv_broad_destroy(fresh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_that_move_change_the_pairs_of_brute_force),
        cmocka_unit_test(workers_and_restored_ones_tell_the_same_of_few_that_move),
        cmocka_unit_test(memory_may_fail_while_few_move),
        cmocka_unit_test(too_many_pairs_of_one_that_moves_are_refused_and_nothing_is_lost),
        cmocka_unit_test(a_refused_update_leaves_what_was_told_where_it_is),
        cmocka_unit_test(few_of_many_that_move_change_the_pairs_of_all_put_in_anew),
        cmocka_unit_test(static_boxes_that_come_leave_what_moves_alone),
        cmocka_unit_test(removals_slide_where_that_costs_less_than_to_go_through_all_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
