// The broadphase's life and pairs, against brute force on random histories, and its promises one by
// one: errors, limits, failing memory, workers, slots.
#include "broad_model.h"

#include "broad/broad_data.h"

static trv_aabb make_box(float x, float y, float z, float half)
{
    trv_aabb box = {{x - half, y - half, z - half}, {x + half, y + half, z + half}};
    return box;
}

static trv_broad *create_broad(const trv_broad_def *def)
{
    trv_broad *broad;
    expect_result(trv_broad_create(def, &broad), TRV_OK);
    return broad;
}

static trv_broad *create_default(void)
{
    trv_broad_def def = trv_default_broad_def();
    return create_broad(&def);
}

static trv_proxy_id add(trv_broad *broad, trv_aabb box, trv_proxy_set set, uint64_t user)
{
    trv_proxy_id id;
    expect_result(trv_broad_add(broad, box, trv_default_filter(), set, user, &id), TRV_OK);
    return id;
}

static trv_pairs update(trv_broad *broad)
{
    trv_pairs pairs;
    expect_result(trv_broad_update(broad, &pairs), TRV_OK);
    return pairs;
}

static void expect_counts(trv_pairs pairs, uint32_t begun, uint32_t kept, uint32_t ended)
{
    assert_int_equal(pairs.begun_count, begun);
    assert_int_equal(pairs.kept_count, kept);
    assert_int_equal(pairs.ended_count, ended);
}

// ---- Random histories ----

// What the boxes of a history are like.
typedef struct scene {
    const char *name;
    uint32_t count;               // of proxies, about
    uint32_t rounds;              // updates
    float extent[3];              // positions are within +- this
    float center;                 // + this, on all axes
    float half_lower, half_upper; // half extents, log-uniform between
    float margin;
    bool lattice; // positions and half extents are whole numbers, so that boxes touch
    bool giant;   // the first box is 1e4 times larger
} scene;

static const scene scenes[] = {
    {"few", 12, 60, {2, 2, 2}, 0, .2f, 1, 0, false, false},
    {"cube", 100, 30, {5, 5, 5}, 0, .3f, .8f, 0, false, false},
    {"margin", 100, 30, {5, 5, 5}, 0, .3f, .6f, .1f, false, false},
    {"wide margin", 60, 30, {8, 8, 8}, 0, .1f, .2f, 1, false, false},
    {"lattice", 120, 30, {4, 4, 4}, 0, 1, 1, 0, true, false},
    {"points", 200, 20, {2, 2, 2}, 0, 0, 0, 0, true, false},
    {"line x", 150, 20, {60, 0, 0}, 0, .5f, .5f, 0, false, false},
    {"line y", 150, 20, {0, 60, 0}, 0, .5f, .5f, 0, false, false},
    {"line z", 150, 20, {0, 0, 60}, 0, .5f, .5f, 0, false, false},
    {"one place", 90, 12, {0, 0, 0}, 3, .5f, .5f, 0, false, false},
    {"giant", 150, 20, {20, 20, 20}, 0, .5f, 1, 0, false, true},
    {"far", 150, 20, {8, 8, 8}, 1.0e6f, .5f, 1, .1f, false, false},
    {"divided", 2800, 4, {90, 90, 90}, 0, 1.5f, 3, 0, false, false},
    {"divided level", 2800, 4, {150, 1, 150}, -1.0e3f, 1, 2.5f, .05f, false, false},
    {"divided sizes", 2800, 4, {200, 200, 200}, 0, .1f, 60, 0, false, false},
    {"divided lattice", 2800, 4, {30, 30, 30}, 0, 1, 1, 0, true, false},
    {"divided giant", 2800, 4, {60, 60, 60}, 0, .5f, 2, 0, false, true},
};

static trv_aabb random_box(test_random *random, const scene *s)
{
    float p[3], half[3];
    for (int k = 0; k < 3; k++) {
        p[k] = random_float(random, -s->extent[k], s->extent[k]) + s->center;
        half[k] = s->half_lower;
        if (s->half_upper > s->half_lower)
            half[k] *= powf(s->half_upper / s->half_lower, random_float(random, 0, 1));
        if (s->lattice) {
            p[k] = floorf(p[k]);
            half[k] = floorf(half[k]);
        }
    }
    trv_aabb box = {{p[0] - half[0], p[1] - half[1], p[2] - half[2]},
                    {p[0] + half[0], p[1] + half[1], p[2] + half[2]}};
    return box;
}

static trv_filter random_filter(test_random *random)
{
    trv_filter filter = trv_default_filter();
    uint64_t bits = random_bits(random);
    if (bits % 3 == 0) {
        filter.category = 1u << (bits >> 8) % 3;
        filter.mask = (bits >> 16) % 8;
        filter.group = (int32_t)((bits >> 24) % 4) - 2;
    }
    return filter;
}

// A call that may have been made to fail is made again with memory.
static bool failed_for_memory(trv_result result, test_memory *memory)
{
    if (result != TRV_ERROR_MEMORY)
        return false;
    memory->fail_at = SIZE_MAX;
    return true;
}

// In large scenes most proxies are of one set, so that it is divided along two axes.
static trv_proxy_set random_set(test_random *random, const scene *s, uint64_t seed)
{
    uint64_t bits = random_bits(random);
    if (s->count > 1000 && bits % 16 != 0)
        return seed % 3 == 0   ? TRV_PROXY_STATIC
               : seed % 3 == 1 ? TRV_PROXY_AWAKE
                               : TRV_PROXY_ASLEEP;
    return (trv_proxy_set)((bits >> 8) % 3);
}

static void history_add(trv_broad *broad, model *m, test_memory *memory, test_random *random,
                        const scene *s, uint64_t seed)
{
    trv_aabb box = random_box(random, s);
    if (s->giant && m->limit == 1)
        box = make_box(0, 0, 0, 1.0e4f);
    trv_filter filter = random_filter(random);
    trv_proxy_set set = random_set(random, s, seed);
    uint64_t user = random_bits(random);
    trv_proxy_id id;
    trv_result result = trv_broad_add(broad, box, filter, set, user, &id);
    if (failed_for_memory(result, memory)) {
        assert_int_equal(id.index1, 0);
        result = trv_broad_add(broad, box, filter, set, user, &id);
    }
    expect_result(result, TRV_OK);
    model_add(m, id, box, filter, set, user);
}

static void history_change(trv_broad *broad, model *m, test_random *random, const scene *s,
                           model_proxy *p)
{
    uint64_t kind = random_bits(random) % 16;
    if (kind < 8) {
        trv_vec3 step = random_vec3(random, s->lattice ? 2 : s->half_lower * .5f);
        if (s->lattice)
            step = trv_make_vec3(floorf(step.x), floorf(step.y), floorf(step.z));
        trv_aabb box = {
            {p->tight.lower.x + step.x, p->tight.lower.y + step.y, p->tight.lower.z + step.z},
            {p->tight.upper.x + step.x, p->tight.upper.y + step.y, p->tight.upper.z + step.z}};
        expect_result(trv_broad_move(broad, p->id, box), TRV_OK);
        model_move(p, m->margin, box);
    } else if (kind < 9) {
        trv_aabb box = random_box(random, s);
        expect_result(trv_broad_move(broad, p->id, box), TRV_OK);
        model_move(p, m->margin, box);
    } else if (kind < 13) {
        trv_proxy_set set = (trv_proxy_set)(random_bits(random) % 3);
        expect_result(trv_broad_set(broad, p->id, set), TRV_OK);
        model_set(p, set);
    } else if (kind < 14) {
        p->filter = random_filter(random);
        p->touched = true;
        expect_result(trv_broad_filter(broad, p->id, p->filter), TRV_OK);
    } else if (kind < 15) {
        expect_result(trv_broad_remove(broad, p->id), TRV_OK);
        p->live = false;
        expect_result(trv_broad_remove(broad, p->id), TRV_ERROR_STALE);
    }
}

static bool count_proxy(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    (void)user;
    ++*(uint32_t *)context;
    return true;
}

static void check_boxes(const trv_broad *broad, const model *m)
{
    trv_aabb all = make_box(0, 0, 0, TRV_COORD_MAX);
    trv_filter filter = {~(uint64_t)0, ~(uint64_t)0, 0, 0};
    uint32_t found = 0, wanted = 0;
    expect_result(trv_broad_query_aabb(broad, all, filter, count_proxy, &found), TRV_OK);
    for (uint32_t i = 1; i < m->limit; i++) {
        const model_proxy *p = &m->proxies[i];
        trv_aabb tight, fat;
        expect_result(trv_broad_get(broad, p->id, &tight, &fat),
                      p->live ? TRV_OK : TRV_ERROR_STALE);
        if (!p->live)
            continue;
        assert_memory_equal(&tight, &p->tight, sizeof tight);
        assert_memory_equal(&fat, &p->fat, sizeof fat);
        wanted += trv_filters_agree(filter, p->filter);
    }
    assert_int_equal(found, wanted);
}

// After an update, each set is in order of lower side and index, whatever came before.
static void check_order(const trv_broad *broad)
{
    for (int k = 0; k < TRVI_SET_COUNT; k++) {
        const trvi_columns *columns = &broad->sets[k];
        const uint32_t *members = columns->members.items;
        for (uint32_t i = 1; i < columns->members.count; i++) {
            float a =
                trvi_axis_of(trvi_fat_boxes(broad)[members[i - 1]].lower, columns->grid.axis[0]);
            float b = trvi_axis_of(trvi_fat_boxes(broad)[members[i]].lower, columns->grid.axis[0]);
            assert_true(a < b || (!(a > b) && members[i - 1] < members[i]));
        }
    }
}

// One history; `memory` may be told to fail once. Returns the hash of all reports.
static uint64_t run_history(const scene *s, uint64_t seed, const trv_workers *workers,
                            test_memory *memory)
{
    test_random random = {seed};
    trv_broad_def def = trv_default_broad_def();
    def.margin = s->margin;
    def.allocator = test_allocator(memory);
    if (workers)
        def.workers = *workers;
    trv_broad *broad = NULL;
    trv_result result = trv_broad_create(&def, &broad);
    if (failed_for_memory(result, memory)) {
        assert_null(broad);
        result = trv_broad_create(&def, &broad);
    }
    expect_result(result, TRV_OK);
    model *m = model_create(s->margin);
    for (uint32_t i = 0; i < s->count; i++)
        history_add(broad, m, memory, &random, s, seed);
    for (uint32_t round = 0; round < s->rounds; round++) {
        trv_pairs pairs;
        result = trv_broad_update(broad, &pairs);
        if (failed_for_memory(result, memory)) {
            assert_true(pairs.begun == NULL && pairs.slot_limit == 0);
            check_boxes(broad, m);
            result = trv_broad_update(broad, &pairs);
        }
        expect_result(result, TRV_OK);
        model_check_update(m, &pairs);
        check_order(broad);
        bool all_still = random_bits(&random) % 5 == 0;
        for (uint32_t i = 1; i < m->limit && !all_still; i++) {
            if (m->proxies[i].live && random_bits(&random) % 4 == 0)
                history_change(broad, m, &random, s, &m->proxies[i]);
            else if (!m->proxies[i].live && random_bits(&random) % 8 == 0)
                history_add(broad, m, memory, &random, s, seed);
        }
        check_boxes(broad, m);
    }
    if (s->rounds > 10)
        assert_true(m->begun > 0 && m->kept > 0 && m->ended > 0);
    uint64_t hash = m->hash;
    model_destroy(m);
    trv_broad_destroy(broad);
    assert_int_equal(memory->live, 0);
    assert_int_equal(memory->bytes, 0);
    return hash;
}

static void random_histories_give_the_pairs_of_brute_force(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        uint64_t seeds = scenes[i].count > 1000 ? 3 : 12;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            test_memory memory = {.fail_at = SIZE_MAX};
            print_message("%s, seed %u\n", scenes[i].name, (unsigned)seed);
            run_history(&scenes[i], seed, NULL, &memory);
        }
    }
}

static void large_sets_are_divided_and_giants_apart(void **state)
{
    (void)state;
    test_random random = {5};
    scene s = {.extent = {90, 90, 90}, .half_lower = 1, .half_upper = 2};
    trv_broad *broad = create_default();
    for (uint64_t i = 0; i < 2600; i++)
        add(broad, random_box(&random, &s), TRV_PROXY_AWAKE, i);
    add(broad, make_box(0, 0, 0, 80), TRV_PROXY_AWAKE, 0);
    update(broad);
    const trvi_columns *awake = &broad->sets[TRV_PROXY_AWAKE];
    const uint32_t *start = awake->start.items;
    assert_int_equal(awake->column_count, 65);
    assert_int_equal(start[65] - start[64], 1);
    trv_broad_destroy(broad);
}

// ---- Memory ----

static void any_allocation_may_fail_and_the_call_be_repeated(void **state)
{
    (void)state;
    const scene s = {"failing", 50, 8, {2, 2, 2}, 0, .2f, .5f, 0, false, false};
    trv_workers none = {0};
    test_memory memory = {.fail_at = SIZE_MAX};
    uint64_t wanted = run_history(&s, 7, &none, &memory);
    size_t calls = memory.calls;
    assert_true(calls > 50);
    for (size_t k = 0; k < calls; k++) {
        test_memory failing = {.fail_at = k};
        assert_true(run_history(&s, 7, &none, &failing) == wanted);
        assert_true(failing.fail_at == SIZE_MAX); // it did fail
    }
}

static void boxes_that_change_sets_are_found_while_updates_fail(void **state)
{
    (void)state;
    for (size_t k = 0;; k++) {
        test_memory memory = {.fail_at = SIZE_MAX};
        trv_broad_def def = trv_default_broad_def();
        def.allocator = test_allocator(&memory);
        trv_broad *broad = create_broad(&def);
        trv_proxy_id ids[40];
        for (int i = 0; i < 40; i++)
            ids[i] = add(broad, make_box((float)i, 0, 0, .4f), TRV_PROXY_ASLEEP, 0);
        update(broad);
        for (int i = 0; i < 20; i++)
            expect_result(trv_broad_set(broad, ids[i], TRV_PROXY_AWAKE), TRV_OK);
        memory.fail_at = memory.calls + k;
        trv_pairs pairs;
        trv_result result = trv_broad_update(broad, &pairs);
        uint32_t found = 0;
        trv_aabb box = make_box(0, 0, 0, 100);
        expect_result(trv_broad_query_aabb(broad, box, trv_default_filter(), count_proxy, &found),
                      TRV_OK);
        assert_int_equal(found, 40);
        trv_broad_destroy(broad);
        if (result == TRV_OK) {
            assert_true(k > 3);
            return;
        }
        expect_result(result, TRV_ERROR_MEMORY);
    }
}

static void updates_in_a_steady_state_allocate_nothing(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_broad_def def = trv_default_broad_def();
    def.allocator = test_allocator(&memory);
    trv_broad *broad = create_broad(&def);
    trv_proxy_id ids[400];
    for (int i = 0; i < 400; i++)
        ids[i] = add(broad, make_box((float)i, 0, 0, .6f), TRV_PROXY_AWAKE, 0);
    size_t calls = 0;
    for (int round = 0; round < 60; round++) {
        if (round == 30) // all repeats after 12 rounds, an even number: the lists alternate
            calls = memory.calls;
        for (int i = 0; i < 400; i++) {
            trv_proxy_set set = i % 3 == round % 3 ? TRV_PROXY_ASLEEP : TRV_PROXY_AWAKE;
            float y = i % 4 == round % 4 ? 5.0f : 0.0f;
            expect_result(trv_broad_move(broad, ids[i], make_box((float)i, y, 0, .6f)), TRV_OK);
            expect_result(trv_broad_set(broad, ids[i], set), TRV_OK);
        }
        trv_pairs pairs = update(broad);
        assert_true(round == 0 || (pairs.begun_count > 50 && pairs.ended_count > 50));
    }
    assert_int_equal(memory.calls, calls);
    trv_broad_destroy(broad);
    assert_int_equal(memory.live, 0);
}

// ---- Workers ----

// Deals ranges of `grain` items from the last to the first, to workers in turn.
static void deal_backwards(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                           void *context)
{
    uint32_t count = *(const uint32_t *)user, ranges = (items + grain - 1) / grain;
    for (uint32_t i = ranges; i > 0; i--) {
        uint32_t first = (i - 1) * grain;
        fn(context, first, first + grain < items ? first + grain : items, i % count);
    }
}

static void any_number_of_workers_gives_the_same_pairs(void **state)
{
    (void)state;
    static const char *const names[] = {"cube", "divided", "divided sizes", "one place"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        size_t i = 0;
        while (strcmp(scenes[i].name, names[n]) != 0)
            i++;
        test_memory memory = {.fail_at = SIZE_MAX};
        uint64_t wanted = run_history(&scenes[i], 3, NULL, &memory);
        static uint32_t counts[] = {2, 3, 64};
        for (size_t k = 0; k < 3; k++) {
            trv_workers workers = {&counts[k], counts[k], deal_backwards};
            assert_true(run_history(&scenes[i], 3, &workers, &memory) == wanted);
        }
    }
}

// ---- Limits ----

static void too_many_pairs_are_refused_and_nothing_is_lost(void **state)
{
    (void)state;
    trv_broad_def def = trv_default_broad_def();
    def.max_pairs = 1225; // 50 boxes in one place
    static uint32_t two = 2;
    for (int parallel = 0; parallel < 2; parallel++) {
        if (parallel)
            def.workers = (trv_workers){&two, 2, deal_backwards};
        trv_broad *broad = create_broad(&def);
        trv_proxy_id ids[200];
        for (uint64_t i = 0; i < 50; i++)
            ids[i] = add(broad, make_box(1, 2, 3, 1), TRV_PROXY_AWAKE, i);
        expect_counts(update(broad), 1225, 0, 0);
        for (uint64_t i = 50; i < 200; i++)
            ids[i] = add(broad, make_box(1, 2, 3, 1), TRV_PROXY_AWAKE, i);
        trv_pairs pairs;
        for (int k = 0; k < 3; k++) {
            expect_result(trv_broad_update(broad, &pairs), TRV_ERROR_LIMIT);
            assert_true(pairs.kept == NULL && pairs.kept_count == 0);
        }
        for (int i = 51; i < 200; i++)
            expect_result(trv_broad_remove(broad, ids[i]), TRV_OK);
        expect_result(trv_broad_update(broad, &pairs), TRV_ERROR_LIMIT);
        expect_result(trv_broad_remove(broad, ids[10]), TRV_OK);
        expect_counts(update(broad), 49, 1225 - 49, 49);
        trv_broad_destroy(broad);
    }
}

static void quiet_pairs_count_for_the_limit(void **state)
{
    (void)state;
    trv_broad_def def = trv_default_broad_def();
    def.max_pairs = 1;
    trv_broad *broad = create_broad(&def);
    trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_ASLEEP, 0);
    add(broad, make_box(0, 0, 0, 1), TRV_PROXY_STATIC, 0);
    expect_counts(update(broad), 1, 0, 0);
    expect_counts(update(broad), 0, 0, 0);
    add(broad, make_box(9, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    add(broad, make_box(9, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trv_pairs pairs;
    expect_result(trv_broad_update(broad, &pairs), TRV_ERROR_LIMIT);
    expect_result(trv_broad_move(broad, a, make_box(-9, 0, 0, 1)), TRV_OK);
    expect_counts(update(broad), 1, 0, 1);
    trv_broad_destroy(broad);
}

static void the_limit_of_proxies_is_of_live_ones(void **state)
{
    (void)state;
    trv_broad_def def = trv_default_broad_def();
    def.max_proxies = 2;
    trv_broad *broad = create_broad(&def);
    trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0), b;
    add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trv_aabb box = make_box(5, 0, 0, 1);
    trv_filter filter = trv_default_filter();
    expect_result(trv_broad_add(broad, box, filter, TRV_PROXY_AWAKE, 0, &b), TRV_ERROR_LIMIT);
    assert_int_equal(b.index1, 0);
    expect_result(trv_broad_remove(broad, a), TRV_OK);
    expect_result(trv_broad_add(broad, box, filter, TRV_PROXY_AWAKE, 0, &b), TRV_OK);
    assert_true(b.index1 != a.index1); // before the update that reports the end
    trv_broad_destroy(broad);
}

// ---- One promise at a time ----

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

static void an_index_whose_generations_are_used_up_is_given_up(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    trv_proxy_id a = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    trvi_generations(broad)[a.index1] = a.generation = UINT32_MAX;
    expect_result(trv_broad_remove(broad, a), TRV_OK);
    update(broad);
    trv_proxy_id b = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, 0);
    assert_true(b.index1 != a.index1);
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
    trv_broad_destroy(broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_histories_give_the_pairs_of_brute_force),
        cmocka_unit_test(large_sets_are_divided_and_giants_apart),
        cmocka_unit_test(any_allocation_may_fail_and_the_call_be_repeated),
        cmocka_unit_test(boxes_that_change_sets_are_found_while_updates_fail),
        cmocka_unit_test(updates_in_a_steady_state_allocate_nothing),
        cmocka_unit_test(any_number_of_workers_gives_the_same_pairs),
        cmocka_unit_test(too_many_pairs_are_refused_and_nothing_is_lost),
        cmocka_unit_test(quiet_pairs_count_for_the_limit),
        cmocka_unit_test(the_limit_of_proxies_is_of_live_ones),
        cmocka_unit_test(touching_boxes_are_a_pair_and_apart_by_one_ulp_are_not),
        cmocka_unit_test(boxes_without_extent_are_a_pair_where_they_coincide),
        cmocka_unit_test(boxes_at_the_ends_of_the_world_work),
        cmocka_unit_test(two_static_boxes_are_never_a_pair),
        cmocka_unit_test(a_sleeping_pair_is_silent_and_wakes_with_its_slot),
        cmocka_unit_test(a_static_box_moved_under_a_sleeping_one_begins_a_pair),
        cmocka_unit_test(a_new_filter_ends_and_begins_pairs),
        cmocka_unit_test(a_removed_box_ends_its_pairs_with_its_user_value),
        cmocka_unit_test(a_move_inside_the_fat_box_leaves_it),
        cmocka_unit_test(a_slab_over_256_tiles_has_256_pairs_at_once),
        cmocka_unit_test(a_bad_def_is_refused),
        cmocka_unit_test(bad_boxes_are_refused_and_change_nothing),
        cmocka_unit_test(ids_that_name_nothing_are_stale),
        cmocka_unit_test(an_index_whose_generations_are_used_up_is_given_up),
        cmocka_unit_test(null_pointers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
