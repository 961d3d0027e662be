// A few boxes that are far larger than the others, as a ground is, or far away: columns are as if they
// were not there, so that nobody else pays for them, and pairs are those of brute force.
#include "broad_columns.h"

#include "broad/place.h"

enum { SIDE = 60, FIELD = SIDE * SIDE };

// Boxes of 1 m, each 3 m from the next.
static trv_aabb field_box(uint32_t i)
{
    float x = 3.0f * (float)(i % SIDE) - 90.0f, z = 3.0f * (float)(i / SIDE) - 90.0f;
    return make_box(x, 0.5f, z, 0.5f);
}

static void add_field(trv_broad *broad, trv_proxy_set set, bool backwards)
{
    for (uint32_t i = 0; i < FIELD; i++)
        add(broad, field_box(backwards ? FIELD - 1 - i : i), set, i);
}

static const trvi_columns *columns_of(const trv_broad *broad, trv_proxy_set set)
{
    return &broad->sets[set == TRV_PROXY_STATIC ? TRVI_STILL_COLUMNS : TRVI_MOBILE_COLUMNS];
}

static uint32_t giants_in(const trvi_columns *columns)
{
    return ((const uint32_t *)columns->fill.items)[columns->column_count - 1];
}

static uint32_t fullest(const trvi_columns *columns)
{
    const uint32_t *fill = columns->fill.items;
    uint32_t most = 0;
    for (uint32_t c = 0; c + 1 < columns->column_count; c++)
        most = fill[c] > most ? fill[c] : most;
    return most;
}

// The columns of the field with some more boxes are those of the field, and the others are giants.
static void expect_apart(trv_proxy_set set, const trv_aabb *more, uint32_t count, bool backwards)
{
    trv_broad *alone = create_default(), *both = create_default();
    add_field(alone, set, false);
    for (uint32_t i = 0; i < count; i += 2)
        add(both, more[i], set, FIELD + i);
    add_field(both, set, backwards);
    for (uint32_t i = 1; i < count; i += 2)
        add(both, more[i], set, FIELD + i);
    update(alone);
    update(both);
    const trvi_columns *wanted = columns_of(alone, set), *got = columns_of(both, set);
    assert_int_equal(giants_in(wanted), 0);
    assert_int_equal(giants_in(got), count);
    assert_true(wanted->column_count > 8 && got->column_count == wanted->column_count);
    assert_int_equal(fullest(got), fullest(wanted));
    assert_memory_equal(got->grid.axis, wanted->grid.axis, sizeof got->grid.axis);
    assert_memory_equal(got->grid.inverse_cell, wanted->grid.inverse_cell,
                        sizeof got->grid.inverse_cell);
    assert_memory_equal(&got->bounds.inner, &wanted->bounds.inner, sizeof got->bounds.inner);
    check_order(both);
    trv_broad_destroy(alone);
    trv_broad_destroy(both);
}

static const float e = TRV_COORD_MAX;

static void a_ground_has_no_part_in_the_columns_of_others(void **state)
{
    (void)state;
    const trv_aabb grounds[] = {
        {{-e, -e, -e}, {e, 0, e}},               // below a plane
        {{-e, -e, -e}, {0, e, e}},               // behind one
        {{-500, -10, -500}, {500, 0, 500}},      // a kilometre wide
        {{-5000, -100, -5000}, {5000, 0, 5000}}, // ten
    };
    for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++) {
        for (int set = TRV_PROXY_STATIC; set <= TRV_PROXY_AWAKE; set++)
            expect_apart((trv_proxy_set)set, &grounds[i], 1, i % 2);
    }
}

static void what_is_far_away_has_no_part_in_the_columns_of_others(void **state)
{
    (void)state;
    const float far[] = {1.0e4f, 1.0e6f, 0.99e8f};
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 6; axis++) {
            float d = axis < 3 ? far[i] : -far[i];
            trv_aabb box =
                make_box(axis % 3 == 0 ? d : 0, axis % 3 == 1 ? d : 0, axis % 3 == 2 ? d : 0, 0.5f);
            expect_apart(axis % 2 ? TRV_PROXY_STATIC : TRV_PROXY_AWAKE, &box, 1, i % 2);
        }
    }
}

// Each size hides behind the next one.
static void one_in_a_hundred_of_any_size_has_no_part_in_the_columns_of_others(void **state)
{
    (void)state;
    enum { GIANTS = FIELD / 100 };
    trv_aabb giants[GIANTS];
    for (uint32_t i = 0; i < GIANTS; i++) {
        float half = powf(10.0f, 1.5f + (float)(i % 7));
        giants[i] = make_box((float)i - 20.0f, -half, 3.0f * (float)i, half * 0.99f);
    }
    expect_apart(TRV_PROXY_STATIC, giants, GIANTS, false);
    expect_apart(TRV_PROXY_AWAKE, giants, GIANTS, true);
}

static void what_is_no_longer_rare_has_a_part_in_the_choice(void **state)
{
    (void)state;
    trv_broad *broad = create_default();
    add_field(broad, TRV_PROXY_AWAKE, false);
    for (uint32_t i = 0; i < FIELD / 16; i++)
        add(broad, make_box((float)i, 0, 0, 15), TRV_PROXY_AWAKE, i);
    update(broad);
    assert_true(giants_in(columns_of(broad, TRV_PROXY_AWAKE)) < FIELD / 16);
    trv_broad_destroy(broad);
}

// A few in each update, so that none of them has the columns built for being many.
static void all_that_leave_the_range_have_columns_where_they_come_to(void **state)
{
    (void)state;
    enum { IN_EACH = 100 };
    trv_broad *broad = create_default();
    static trv_proxy_id ids[FIELD];
    for (uint32_t i = 0; i < FIELD; i++)
        ids[i] = add(broad, field_box(i), TRV_PROXY_AWAKE, i);
    add(broad, (trv_aabb){{-e, -e, -e}, {e, 0, e}}, TRV_PROXY_ASLEEP, FIELD);
    expect_counts(update(broad), FIELD, 0, 0);
    const trvi_columns *columns = columns_of(broad, TRV_PROXY_AWAKE);
    uint32_t most = 0;
    for (uint32_t i = 0; i < FIELD; i += IN_EACH) {
        for (uint32_t k = i; k < i + IN_EACH; k++) {
            trv_aabb box = field_box(k);
            box.lower.x += 1.0e5f;
            box.upper.x += 1.0e5f;
            expect_result(trv_broad_move(broad, ids[k], box), TRV_OK);
        }
        expect_counts(update(broad), 0, FIELD, 0);
        most = giants_in(columns) > most ? giants_in(columns) : most;
    }
    assert_true(most > IN_EACH && most <= FIELD / TRVI_MEMBERS_PER_GIANT + IN_EACH);
    assert_true(giants_in(columns) < FIELD / 4);
    check_order(broad);
    trv_broad_destroy(broad);
}

// ---- Against brute force ----

// One in 40 is a ground, a long box or far away.
static trv_aabb random_box(test_random *random)
{
    float x = random_float(random, -60, 60), z = random_float(random, -60, 60);
    float y = random_float(random, 0, 3), half = random_float(random, 0.2f, 1);
    trv_aabb box = make_box(x, y, z, half);
    float far = random_bits(random) % 2 ? 1.0e6f : -0.9e8f;
    if (random_bits(random) % 40 != 0)
        return box;
    switch (random_bits(random) % 5) {
    case 0:
        return (trv_aabb){{-e, -e, -e}, {e, z * 0.02f, e}};
    case 1:
        return make_box(x, -500, z, 501);
    case 2:
        return (trv_aabb){{x, 0, -4000}, {x + 0.1f, 2, 4000}};
    case 3:
        return make_box(x, far, z, 0.5f);
    default:
        return make_box(far, 0, z, 0.5f);
    }
}

static void change(trv_broad *broad, model *m, test_random *random, uint32_t one_in)
{
    for (uint32_t i = 1; i < m->limit; i++) {
        model_proxy *p = &m->proxies[i];
        if (!p->live || random_bits(random) % one_in != 0)
            continue;
        trv_aabb box = random_box(random);
        if (random_bits(random) % 4 != 0) { // stays near
            float step = random_float(random, -0.5f, 0.5f);
            box = p->tight;
            box.lower.x = fmaxf(box.lower.x + step, -e);
            box.upper.x = fminf(box.upper.x + step, e);
        }
        expect_result(trv_broad_move(broad, p->id, box), TRV_OK);
        model_move(p, m->margin, box);
    }
}

static uint64_t run(const trv_workers *workers, uint64_t seed, uint32_t one_in, float margin)
{
    enum { COUNT = 1500, ROUNDS = 12 };
    trv_broad_def def = trv_default_broad_def();
    def.margin = margin;
    if (workers != NULL)
        def.workers = *workers;
    trv_broad *broad = create_broad(&def), *other = create_broad(&def);
    model *m = model_create(margin);
    test_random random = {seed};
    uint32_t giants = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        trv_proxy_set set = random_bits(&random) % 4 ? TRV_PROXY_AWAKE : TRV_PROXY_STATIC;
        trv_aabb box = random_box(&random);
        trv_proxy_id id = add(broad, box, set, i);
        model_add(m, id, box, trv_default_filter(), set, i);
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        trv_pairs pairs = update(broad);
        model_check_update(m, &pairs);
        check_order(broad);
        check_boxes(broad, m);
        giants += giants_in(columns_of(broad, TRV_PROXY_AWAKE));
        if (round == ROUNDS / 2)
            hand_over(&broad, &other);
        change(broad, m, &random, one_in);
    }
    uint64_t hash = m->hash;
    assert_true(giants > ROUNDS && m->begun > COUNT && m->ended > 0);
    model_destroy(m);
    trv_broad_destroy(broad);
    trv_broad_destroy(other);
    return hash;
}

static void pairs_with_giants_and_outliers_are_those_of_brute_force(void **state)
{
    (void)state;
    static uint32_t workers = 3;
    trv_workers three = {&workers, workers, deal_backwards};
    const uint32_t one_in[] = {1, 8, 60}; // all are tracked; some; few slide
    for (int k = 0; k < 3; k++) {
        for (int fat = 0; fat < 2; fat++) {
            uint64_t seed = 70 + (uint64_t)k;
            print_message("seed %u\n", (unsigned)seed);
            uint64_t hash = run(NULL, seed, one_in[k], 0.1f * (float)fat);
            assert_true(run(&three, seed, one_in[k], 0.1f * (float)fat) == hash);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ground_has_no_part_in_the_columns_of_others),
        cmocka_unit_test(what_is_far_away_has_no_part_in_the_columns_of_others),
        cmocka_unit_test(one_in_a_hundred_of_any_size_has_no_part_in_the_columns_of_others),
        cmocka_unit_test(what_is_no_longer_rare_has_a_part_in_the_choice),
        cmocka_unit_test(all_that_leave_the_range_have_columns_where_they_come_to),
        cmocka_unit_test(pairs_with_giants_and_outliers_are_those_of_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
