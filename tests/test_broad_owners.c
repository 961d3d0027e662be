// Owners of proxies: those of one owner are never a pair.
#include "broad_columns.h"

// Where boxes are, and how many of them.
typedef struct scene {
    uint32_t count;
    float extent, half;
    uint32_t owners;
} scene;

static trv_aabb random_box(test_random *random, const scene *s)
{
    trv_vec3 at = random_vec3(random, s->extent);
    return make_box(at.x, at.y, at.z, random_float(random, 0.2f * s->half, s->half));
}

// Some have another one than the default; `reserved` is never looked at by who is given it.
static trv_filter random_filter(test_random *random)
{
    trv_filter filter = trv_default_filter();
    uint64_t bits = random_bits(random);
    filter.mask = bits % 4 == 0 ? 2 : filter.mask;
    filter.category = bits % 8 < 2 ? 2 : 1;
    filter.reserved = (uint32_t)(bits >> 32) % 2;
    return filter;
}

static void own(trv_broad *broad, model_proxy *p, uint32_t owner)
{
    if (p->filter.reserved == owner)
        return;
    p->filter.reserved = owner;
    p->touched = true;
    trvi_broad_own(broad, p->id, owner);
}

static void add_owned(trv_broad *broad, model *m, test_random *random, const scene *s)
{
    trv_aabb box = random_box(random, s);
    trv_filter filter = random_filter(random);
    trv_proxy_set set = (trv_proxy_set)(random_bits(random) % 3);
    trv_proxy_id id;
    expect_result(trv_broad_add(broad, box, filter, set, 0, &id), TRV_OK);
    filter.reserved = 0;
    model_add(m, id, box, filter, set, 0);
    own(broad, &m->proxies[id.index1], (uint32_t)(random_bits(random) % (s->owners + 1)));
}

static void change(trv_broad *broad, model *m, test_random *random, const scene *s, model_proxy *p)
{
    uint64_t kind = random_bits(random) % 16;
    if (kind < 8) {
        trv_aabb box = kind < 4 ? random_box(random, s) : p->tight;
        trv_vec3 by = random_vec3(random, 0.2f * s->half);
        box = (trv_aabb){trvi_add(box.lower, by), trvi_add(box.upper, by)};
        expect_result(trv_broad_move(broad, p->id, box), TRV_OK);
        model_move(p, model_margin(m, box), box);
    } else if (kind < 10) {
        trv_proxy_set set = (trv_proxy_set)(random_bits(random) % 3);
        expect_result(trv_broad_set(broad, p->id, set), TRV_OK);
        model_set(p, set);
    } else if (kind < 12) {
        trv_filter filter = random_filter(random);
        expect_result(trv_broad_filter(broad, p->id, filter), TRV_OK);
        filter.reserved = p->filter.reserved; // it keeps its owner
        p->filter = filter;
        p->touched = true;
    } else if (kind < 14) {
        own(broad, p, (uint32_t)(random_bits(random) % (s->owners + 1)));
    } else if (kind < 15) {
        expect_result(trv_broad_remove(broad, p->id), TRV_OK);
        p->live = false;
    }
}

static trv_broad *create_owning(float margin)
{
    trv_broad_def def = trv_default_broad_def();
    def.margin = margin;
    trv_broad *broad = create_broad(&def);
    trvi_broad_expect_filters(broad);
    return broad;
}

// One of `share` proxies changes in each round.
static void run_history(const scene *s, uint64_t seed, float margin, uint64_t share)
{
    test_random random = {seed};
    trv_broad *broad = create_owning(margin), *other = create_owning(margin);
    model *m = model_create(margin);
    for (uint32_t i = 0; i < s->count; i++)
        add_owned(broad, m, &random, s);
    for (uint32_t round = 0; round < 24; round++) {
        trv_pairs pairs = update(broad);
        model_check_update(m, &pairs);
        check_order(broad);
        if (round % 5 == 4) // to one that was restored
            hand_over(&broad, &other);
        for (uint32_t i = 1; i < m->limit; i++) {
            if (m->proxies[i].live && random_bits(&random) % share == 0)
                change(broad, m, &random, s, &m->proxies[i]);
            else if (!m->proxies[i].live && random_bits(&random) % 8 == 0)
                add_owned(broad, m, &random, s);
        }
    }
    assert_true(m->begun > 0 && m->kept > 0 && m->ended > 0);
    model_destroy(m);
    trv_broad_destroy(broad);
    trv_broad_destroy(other);
}

static void random_histories_pair_all_but_those_of_one_owner(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {12, 1, 0.5f, 1}, {150, 3, 0.6f, 2}, {150, 3, 0.6f, 40}, {1200, 30, 2.5f, 300}};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            print_message("scene %u, seed %u\n", (unsigned)i, (unsigned)seed);
            run_history(&scenes[i], seed, seed % 2 ? 0.1f : 0.0f, seed % 3 ? 4 : 40);
        }
}

static void what_is_alike_but_for_its_owner_is_a_pair(void **state)
{
    (void)state;
    trv_broad *broad = create_owning(0);
    trv_proxy_id ids[4];
    for (uint32_t i = 0; i < 4; i++)
        ids[i] = add(broad, make_box(0, 0, 0, 1), TRV_PROXY_AWAKE, i);
    for (uint32_t i = 0; i < 3; i++)
        trvi_broad_own(broad, ids[i], i == 2 ? 8 : 7);
    expect_counts(update(broad), 5, 0, 0);
    trvi_broad_own(broad, ids[2], 7);
    expect_counts(update(broad), 0, 3, 2);
    trvi_broad_own(broad, ids[0], 0);
    expect_counts(update(broad), 2, 3, 0);
    trv_broad_destroy(broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_histories_pair_all_but_those_of_one_owner),
        cmocka_unit_test(what_is_alike_but_for_its_owner_is_a_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
