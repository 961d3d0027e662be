// Boxes too large for columns, among many small ones that move: what meets them is found whatever
// happens to the others of them in the same update, and in whatever order columns are dealt.
#include "broad_support.h"

// A floor of boxes below rods that reach over half of it; every tenth rod sleeps. More rods than are
// sorted without memory.
enum { SIDE = 200, BOXES = SIDE * SIDE, RODS = 600, SLEEPER = 5, ROWS = 25 };

typedef struct floor_of_boxes {
    trv_broad *broad;
    trv_proxy_id ids[BOXES + RODS];
    trv_aabb boxes[BOXES + RODS];
} floor_of_boxes;

static bool sleeps(uint32_t rod)
{
    return rod % 10 == SLEEPER;
}

static trv_aabb make_rod(uint32_t place)
{
    float x = (float)place - 0.5f * RODS;
    return (trv_aabb){{x - 0.1f, -50, 0.5f}, {x + 0.1f, 50, 0.7f}};
}

static floor_of_boxes *create_floor(const trv_workers *workers)
{
    floor_of_boxes *f = calloc(1, sizeof *f);
    assert_non_null(f);
    trv_broad_def def = trv_default_broad_def();
    if (workers != NULL)
        def.workers = *workers;
    f->broad = create_broad(&def);
    for (uint32_t i = 0; i < BOXES + RODS; i++) {
        float x = 3.0f * (float)(i % SIDE) - 300.0f, y = (float)(i / SIDE) - 100.0f;
        bool asleep = i >= BOXES && sleeps(i - BOXES);
        f->boxes[i] = i < BOXES ? make_box(x, y, 0, 0.25f) : make_rod(i - BOXES);
        f->ids[i] = add(f->broad, f->boxes[i], asleep ? TRV_PROXY_ASLEEP : TRV_PROXY_AWAKE, i);
    }
    expect_counts(update(f->broad), 0, 0, 0);
    return f;
}

static void destroy_floor(floor_of_boxes *f)
{
    trv_broad_destroy(f->broad);
    free(f);
}

// Some rows of boxes rise to the rods, and those of these that are awake change places.
static void rise(floor_of_boxes *f)
{
    for (uint32_t i = 0; i < BOXES + RODS; i++) {
        if (i >= BOXES && sleeps(i - BOXES))
            continue;
        float up = i / SIDE % ROWS == 0 ? 0.5f : 0.01f;
        f->boxes[i].lower.z += up;
        f->boxes[i].upper.z += up;
        if (i >= BOXES)
            f->boxes[i] = make_rod(RODS - 1 - (i - BOXES));
        expect_result(trv_broad_move(f->broad, f->ids[i], f->boxes[i]), TRV_OK);
    }
}

// How many pairs rods are in, by brute force; with those that sleep or without.
static uint32_t count_pairs(const floor_of_boxes *f, bool sleepers)
{
    uint32_t count = 0;
    for (uint32_t rod = BOXES; rod < BOXES + RODS; rod++) {
        for (uint32_t i = 0; i < rod && (sleepers || !sleeps(rod - BOXES)); i++) {
            bool there = i < BOXES || sleepers || !sleeps(i - BOXES);
            count += there && boxes_meet(&f->boxes[rod], &f->boxes[i]);
        }
    }
    return count;
}

static void giants_change_places_while_others_come_to_them(void **state)
{
    (void)state;
    static uint32_t counts[] = {1, 2, 8};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        trv_workers workers = {&counts[k], counts[k], deal_backwards};
        floor_of_boxes *f = create_floor(&workers);
        rise(f);
        expect_counts(update(f->broad), count_pairs(f, true), 0, 0);
        destroy_floor(f);
    }
}

static void what_comes_to_a_giant_that_is_removed_meets_nothing(void **state)
{
    (void)state;
    floor_of_boxes *f = create_floor(NULL);
    rise(f);
    for (uint32_t rod = 0; rod < RODS; rod++) {
        if (sleeps(rod))
            expect_result(trv_broad_remove(f->broad, f->ids[BOXES + rod]), TRV_OK);
    }
    expect_counts(update(f->broad), count_pairs(f, false), 0, 0);
    destroy_floor(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(giants_change_places_while_others_come_to_them),
        cmocka_unit_test(what_comes_to_a_giant_that_is_removed_meets_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
