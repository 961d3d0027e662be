// Crowds: columns in which nearly all boxes overlap along the sorted axis, or whose filters forbid the
// pairs. They get the pairs of brute force, and not by comparing all with all.
#include "broad_support.h"

#include "broad/crowd.h"

enum { CROWD = 4600, FRAMES = 3 };

// A wall of grains across the sorted axis, within one column: the large boxes make it wide.
typedef struct wall {
    trv_broad *broad;
    trv_proxy_id ids[CROWD];
    trv_aabb boxes[CROWD];
    trv_filter filters[CROWD];
} wall;

static trv_filter filter_of(test_random *random, uint32_t kinds)
{
    trv_filter filter = trv_default_filter();
    uint64_t kind = random_bits(random) % kinds;
    if (kind > 0) {
        filter.category = UINT64_C(1) << kind;
        filter.mask = random_bits(random) % 2 ? ~filter.category : random_bits(random) | 1;
        filter.group = kind % 5 == 4 ? -(int32_t)(kind / 5) - 1 : 0;
    }
    return filter;
}

static wall *create_wall(uint32_t kinds, const trv_workers *workers)
{
    wall *w = calloc(1, sizeof *w);
    assert_non_null(w);
    test_random random = {kinds};
    trv_broad_def def = trv_default_broad_def();
    if (workers != NULL)
        def.workers = *workers;
    w->broad = create_broad(&def);
    for (uint32_t i = 0; i < CROWD / 2; i++) {
        trv_vec3 at = random_vec3(&random, 500);
        add(w->broad, make_box(at.x + 2000, at.y, at.z, 5), TRV_PROXY_AWAKE, 0);
    }
    for (uint32_t i = 0; i < CROWD; i++) {
        float y = random_float(&random, 1, 4), z = random_float(&random, 1, 4);
        y = i % 7 == 0 ? 2.0f : y; // some in one line, too
        w->boxes[i] = make_box(3, y, z, i % 50 == 0 ? 0.5f : 0.015f);
        w->filters[i] = filter_of(&random, kinds);
        expect_result(
            trv_broad_add(w->broad, w->boxes[i], w->filters[i], TRV_PROXY_AWAKE, i, &w->ids[i]),
            TRV_OK);
    }
    return w;
}

static void destroy_wall(wall *w)
{
    trv_broad_destroy(w->broad);
    free(w);
}

// Moves one in so many grains.
static void move_grains(wall *w, test_random *random, uint32_t one_in)
{
    for (uint32_t i = (uint32_t)(random_bits(random) % one_in); i < CROWD; i += one_in) {
        trv_vec3 by = random_vec3(random, 0.02f);
        w->boxes[i].lower = trv_make_vec3(w->boxes[i].lower.x, w->boxes[i].lower.y + by.y,
                                          w->boxes[i].lower.z + by.z);
        w->boxes[i].upper = trv_make_vec3(w->boxes[i].upper.x, w->boxes[i].upper.y + by.y,
                                          w->boxes[i].upper.z + by.z);
        expect_result(trv_broad_move(w->broad, w->ids[i], w->boxes[i]), TRV_OK);
    }
}

// The grains' pairs are those of brute force.
static void expect_right(const wall *w, trv_pairs pairs)
{
    const trv_pair *lists[2] = {pairs.begun, pairs.kept};
    const uint32_t counts[2] = {pairs.begun_count, pairs.kept_count};
    static bool partner[CROWD];
    uint32_t at[2] = {0, 0}, first = w->ids[0].index1;
    for (uint32_t i = 0; i < CROWD; i++) {
        memset(partner, 0, sizeof partner);
        for (uint32_t k = 0; k < 2; k++) {
            while (at[k] < counts[k] && lists[k][at[k]].a < first + i)
                at[k]++; // pairs of the large boxes come first
            for (; at[k] < counts[k] && lists[k][at[k]].a == first + i; at[k]++) {
                assert_false(partner[lists[k][at[k]].b - first]);
                partner[lists[k][at[k]].b - first] = true;
            }
        }
        for (uint32_t j = i + 1; j < CROWD; j++) {
            bool meet = boxes_meet(&w->boxes[i], &w->boxes[j]) &&
                        trv_filters_agree(w->filters[i], w->filters[j]);
            if (meet != partner[j])
                fail_msg("%u and %u", (unsigned)i, (unsigned)j);
        }
    }
}

// What sweeps along s are asked to do.
static uint64_t swept;
static trvi_sweep_fn *sweep_below;
static trvi_around_fn *around_below;

static uint32_t count_sweep(const trvi_rows *rows, trvi_place *place, uint32_t last, uint32_t end,
                            trvi_hit *hits)
{
    swept += last - place->i;
    return sweep_below(rows, place, last, end, hits);
}

static uint32_t count_around(const trvi_rows *rows, trvi_place *place, const uint32_t *list,
                             uint32_t listed, uint32_t start, uint32_t end, trvi_hit *hits)
{
    swept += (listed - place->i) * (uint64_t)(end - start > CROWD / 2 ? 1 : 0);
    return around_below(rows, place, list, listed, start, end, hits);
}

static void watch_sweeps(trv_broad *broad)
{
    swept = 0;
    sweep_below = broad->kernels.sweep;
    around_below = broad->kernels.around;
    broad->kernels.sweep = count_sweep;
    broad->kernels.around = count_around;
}

static void a_wall_of_grains_gets_its_pairs(void **state)
{
    (void)state;
    static const uint32_t kinds[] = {1, 40}, one_in[FRAMES] = {1, 3, 40};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        test_random random = {k};
        wall *w = create_wall(kinds[k], NULL);
        expect_right(w, update(w->broad));
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            move_grains(w, &random, one_in[frame]);
            expect_right(w, update(w->broad));
        }
        destroy_wall(w);
    }
}

static void move_grain(wall *w, uint32_t i, float y)
{
    w->boxes[i].lower.y += y;
    w->boxes[i].upper.y += y;
    expect_result(trv_broad_move(w->broad, w->ids[i], w->boxes[i]), TRV_OK);
}

// The first box that is static, in the same update, has its columns built.
static void what_leaves_a_wall_is_met_elsewhere(void **state)
{
    (void)state;
    wall *w = create_wall(1, NULL);
    update(w->broad);
    for (uint32_t i = 0; i < CROWD; i += 50)
        move_grain(w, i, 300);
    expect_right(w, update(w->broad));
    for (uint32_t i = 0; i < CROWD; i++)
        move_grain(w, i, i % 50 == 1 ? 300 : 1.0e-3f);
    add(w->broad, make_box(0, 0, 0, 1), TRV_PROXY_STATIC, 0);
    expect_right(w, update(w->broad));
    destroy_wall(w);
}

static void a_wall_of_grains_is_not_swept(void **state)
{
    (void)state;
    wall *w = create_wall(1, NULL);
    test_random random = {1};
    update(w->broad);
    watch_sweeps(w->broad);
    move_grains(w, &random, 1);
    update(w->broad);
    assert_true(swept < CROWD / 4); // by their millions of overlaps along s
    destroy_wall(w);
}

// Hashes what updates report.
static uint64_t run_wall(const trv_workers *workers)
{
    wall *w = create_wall(14, workers);
    test_random random = {14};
    uint64_t hash = 0;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        trv_pairs pairs = update(w->broad);
        for (uint32_t i = 0; i < pairs.begun_count; i++)
            hash = (hash ^ pairs.begun[i].a ^ (uint64_t)pairs.begun[i].b << 20 ^
                    (uint64_t)pairs.begun[i].slot << 40) *
                   UINT64_C(0x9E3779B97F4A7C15);
        hash += (uint64_t)pairs.kept_count << 32 | pairs.ended_count;
        move_grains(w, &random, 1);
    }
    destroy_wall(w);
    return hash;
}

static void any_number_of_workers_gives_the_same_crowd(void **state)
{
    (void)state;
    uint64_t wanted = run_wall(NULL);
    static uint32_t counts[] = {2, 8};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        trv_workers workers = {&counts[k], counts[k], deal_backwards};
        assert_true(run_wall(&workers) == wanted);
    }
}

// Were they compared, this would take minutes: ten frames of hundreds of millions of pairs.
static void a_crowd_that_filters_keep_apart_is_not_compared(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static trv_proxy_id ids[COUNT];
    trv_broad *broad = create_default();
    for (uint32_t i = 0; i < COUNT; i++) {
        trv_filter filter = trv_default_filter();
        filter.category = i % 2 ? 2 : 4;
        filter.mask = 1;
        filter.group = i % 3 == 0 ? -7 : 0;
        trv_aabb box = make_box(0, (float)(i % 100) * 1.0e-3f, 0, 1);
        expect_result(trv_broad_add(broad, box, filter, TRV_PROXY_AWAKE, i, &ids[i]), TRV_OK);
    }
    expect_counts(update(broad), 0, 0, 0);
    watch_sweeps(broad);
    for (uint32_t frame = 1; frame <= 10; frame++) {
        uint32_t one_in = frame % 2 ? 1 : 30;
        for (uint32_t i = 0; i < COUNT; i += one_in)
            expect_result(trv_broad_move(broad, ids[i], make_box((float)frame * 1.0e-3f, 0, 0, 1)),
                          TRV_OK);
        expect_counts(update(broad), 0, 0, 0);
    }
    assert_int_equal(swept, 0);
    trv_proxy_id one = add(broad, make_box(0, 0, 2, 0.1f), TRV_PROXY_AWAKE, 0);
    expect_counts(update(broad), 0, 0, 0);
    expect_result(trv_broad_move(broad, one, make_box(0, 0, 0, 0.1f)), TRV_OK);
    expect_counts(update(broad), COUNT, 0, 0);
    trv_broad_destroy(broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_of_grains_gets_its_pairs),
        cmocka_unit_test(what_leaves_a_wall_is_met_elsewhere),
        cmocka_unit_test(a_wall_of_grains_is_not_swept),
        cmocka_unit_test(any_number_of_workers_gives_the_same_crowd),
        cmocka_unit_test(a_crowd_that_filters_keep_apart_is_not_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
