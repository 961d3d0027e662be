// Numbers of a broadphase: read into another one they go on alike, and what no calls could have made is
// refused.
#include "broad_support.h"

#include "broad/broad_data.h"

enum { MOST_BYTES = 1 << 18, BOXES = 120 };

typedef struct tape {
    unsigned char bytes[MOST_BYTES];
    size_t at, end;
    bool reads;
} tape;

static void move_numbers(void *context, void *items, uint32_t width, size_t count)
{
    tape *t = context;
    size_t size = width * count;
    if (size == 0)
        return;
    if (!t->reads) {
        assert_true(size <= MOST_BYTES - t->at);
        memcpy(t->bytes + t->at, items, size);
    } else if (size > t->end - t->at) {
        memset(items, 0, size);
        return;
    } else {
        memcpy(items, t->bytes + t->at, size);
    }
    t->at += size;
}

static size_t bytes_left(void *context)
{
    const tape *t = context;
    return t->end - t->at;
}

static trv_result pass(trv_broad *broad, tape *t, bool reads)
{
    trvi_pass by = {reads, move_numbers, bytes_left, t};
    t->reads = reads;
    t->at = 0;
    return trvi_broad_pass(broad, &by);
}

static void write_tape(trv_broad *broad, tape *t)
{
    expect_result(pass(broad, t, false), TRV_OK);
    t->end = t->at;
}

static trv_broad *create_fat(void)
{
    trv_broad_def def = trv_default_broad_def();
    def.margin = 0.1f;
    trv_broad *broad = create_broad(&def);
    trvi_broad_expect_filters(broad);
    return broad;
}

typedef struct crowd {
    trv_broad *broad;
    trv_proxy_id ids[BOXES];
    test_random random;
} crowd;

static void stir(crowd *c)
{
    const trv_proxy_set sets[3] = {TRV_PROXY_STATIC, TRV_PROXY_ASLEEP, TRV_PROXY_AWAKE};
    for (int i = 0; i < 30; i++) {
        uint32_t k = (uint32_t)(random_bits(&c->random) % BOXES), what = i % 5;
        trv_vec3 at = random_vec3(&c->random, 4.0f);
        trv_aabb box = make_box(at.x, at.y, at.z, random_float(&c->random, 0.1f, 0.8f));
        trv_filter filter = trv_default_filter();
        filter.mask = random_bits(&c->random) % 4 == 0 ? 2 : filter.mask;
        if (c->ids[k].index1 == 0)
            expect_result(trv_broad_add(c->broad, box, filter, sets[k % 3], k, &c->ids[k]), TRV_OK);
        else if (what == 0) {
            expect_result(trv_broad_remove(c->broad, c->ids[k]), TRV_OK);
            c->ids[k].index1 = 0;
        } else if (what == 1)
            expect_result(trv_broad_set(c->broad, c->ids[k], sets[random_bits(&c->random) % 3]),
                          TRV_OK);
        else if (what == 2)
            expect_result(trv_broad_filter(c->broad, c->ids[k], filter), TRV_OK);
        else if (what == 3 && k % 4 == 0)
            trvi_broad_own(c->broad, c->ids[k], 1 + k % 3);
        else
            expect_result(trv_broad_move(c->broad, c->ids[k], box), TRV_OK);
    }
}

static crowd make_crowd(uint64_t seed)
{
    crowd c;
    memset(&c, 0, sizeof c);
    c.broad = create_fat();
    c.random.state = seed;
    for (int i = 0; i < 20; i++) {
        stir(&c);
        update(c.broad);
    }
    return c;
}

static void expect_equal_lists(const trv_pair *a, uint32_t a_count, const trv_pair *b,
                               uint32_t b_count)
{
    assert_int_equal(a_count, b_count);
    if (a_count > 0)
        assert_memory_equal(a, b, a_count * sizeof *a);
}

static void what_was_read_goes_on_alike(void **state)
{
    (void)state;
    tape *t = calloc(1, sizeof *t), *again = calloc(1, sizeof *again);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        crowd one = make_crowd(seed);
        if (seed % 2)
            stir(&one); // in the middle of things
        write_tape(one.broad, t);
        crowd two = one;
        two.broad = create_fat();
        expect_result(pass(two.broad, t, true), TRV_OK);
        assert_int_equal(t->at, t->end);
        write_tape(two.broad, again);
        assert_int_equal(t->end, again->end);
        assert_memory_equal(t->bytes, again->bytes, t->end);
        for (int i = 0; i < 15; i++) {
            uint32_t seen[2] = {0, 0};
            trv_aabb half = {{-5, -5, -5}, {0, 5, 5}};
            trv_filter all = trv_default_filter();
            trv_broad_query_aabb(one.broad, half, all, count_proxy, &seen[0]);
            trv_broad_query_aabb(two.broad, half, all, count_proxy, &seen[1]);
            assert_int_equal(seen[0], seen[1]);
            trv_pairs a = update(one.broad), b = update(two.broad);
            expect_equal_lists(a.begun, a.begun_count, b.begun, b.begun_count);
            expect_equal_lists(a.kept, a.kept_count, b.kept, b.kept_count);
            expect_equal_lists(a.ended, a.ended_count, b.ended, b.ended_count);
            assert_int_equal(a.slot_limit, b.slot_limit);
            stir(&one);
            stir(&two);
            assert_memory_equal(one.ids, two.ids, sizeof one.ids);
        }
        trv_broad_destroy(one.broad);
        trv_broad_destroy(two.broad);
    }
    free(t);
    free(again);
}

// Any byte may be another one: what is taken is fit for all that may be asked of it.
static void what_is_forged_is_refused_or_harmless(void **state)
{
    (void)state;
    tape *t = calloc(1, sizeof *t);
    crowd whole = make_crowd(3);
    write_tape(whole.broad, t);
    uint32_t taken = 0, refused = 0;
    test_random random = {8};
    for (size_t at = 0; at < t->end; at += 1 + random_bits(&random) % 9) {
        unsigned char right = t->bytes[at];
        crowd c = whole;
        c.broad = create_fat();
        t->bytes[at] = (unsigned char)random_bits(&random);
        trv_result result = pass(c.broad, t, true);
        t->bytes[at] = right;
        if (result == TRV_OK) {
            taken++;
            update(c.broad);
            for (int i = 0; i < BOXES; i++)
                if (c.ids[i].index1 != 0)
                    trv_broad_remove(c.broad, c.ids[i]); // it may be another one by now
            update(c.broad);
        } else {
            assert_true(result == TRV_ERROR_RANGE || result == TRV_ERROR_LIMIT);
            refused++;
        }
        trv_broad_destroy(c.broad);
    }
    assert_true(taken > 50 && refused > 50);
    size_t whole_size = t->end;
    for (size_t end = 0; end < whole_size; end += 37) { // cut short: zeros from there on
        trv_broad *broad = create_fat();
        t->end = end;
        if (pass(broad, t, true) == TRV_OK)
            update(broad);
        trv_broad_destroy(broad);
    }
    trv_broad_destroy(whole.broad);
    free(t);
}

static void limits_and_another_margin_are_told(void **state)
{
    (void)state;
    tape *t = calloc(1, sizeof *t);
    crowd c = make_crowd(4);
    write_tape(c.broad, t);
    for (int i = 0; i < 3; i++) {
        trv_broad_def def = trv_default_broad_def();
        def.margin = i == 0 ? 0.2f : 0.1f;
        def.max_proxies = i == 1 ? 5 : def.max_proxies;
        def.max_pairs = i == 2 ? 1 : def.max_pairs;
        trv_broad *other = create_broad(&def);
        expect_result(pass(other, t, true), i == 0 ? TRV_ERROR_RANGE : TRV_ERROR_LIMIT);
        trv_broad_destroy(other);
    }
    trv_broad_destroy(c.broad);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_read_goes_on_alike),
        cmocka_unit_test(what_is_forged_is_refused_or_harmless),
        cmocka_unit_test(limits_and_another_margin_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
