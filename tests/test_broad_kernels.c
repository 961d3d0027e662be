// The innermost loops of the broadphase: those of any width find what brute force finds, in one order.
#include "broad_support.h"

#include "broad/broad_data.h"

// One entry of a column that ends before `end`; what lies behind is of another.
static void make_entry(float *const part[TRVI_PART_COUNT], uint32_t *tag, uint32_t i, uint32_t end,
                       test_random *random)
{
    tag[i] = i << TRVI_TAG_BITS | (uint32_t)(random_bits(random) % 16);
    part[0][i] = i < end ? (float)(i / 3) : 0;
    part[1][i] = part[0][i] + (float)(random_bits(random) % 40);
    for (uint32_t k = 2; k < TRVI_PART_COUNT; k += 2) {
        part[k][i] = (float)(random_bits(random) % 6);
        part[k + 1][i] = part[k][i] + (float)(random_bits(random) % 3);
    }
}

// All kernels find what brute force finds, in the same order.
static void kernels_of_any_width_find_the_same(void **state)
{
    (void)state;
    enum { COUNT = 150 };
    float part[TRVI_PART_COUNT][COUNT + TRVI_WIDEST];
    uint32_t tag[COUNT + TRVI_WIDEST];
    test_random random = {8};
    float *const parts[TRVI_PART_COUNT] = {part[0], part[1], part[2], part[3], part[4], part[5]};
    const trvi_rows r = {part[0], part[1], part[2], part[3], part[4], part[5], NULL, tag};
    for (uint32_t round = 0; round < 60; round++) {
        uint32_t end = 1 + round * 2; // of the column; what lies behind is of another
        for (uint32_t i = 0; i < COUNT + TRVI_WIDEST; i++) {
            make_entry(parts, tag, i, end, &random);
        }
        static trvi_hit wanted[COUNT * COUNT];
        uint32_t first = (uint32_t)(random_bits(&random) % (end + 1)), count = 0;
        uint32_t last = first + (uint32_t)(random_bits(&random) % (end - first + 1));
        for (uint32_t i = first; i < last; i++) {
            for (uint32_t j = i + 1; j < end; j++) {
                if (part[0][j] <= part[1][i] && part[2][j] <= part[3][i] &&
                    part[2][i] <= part[3][j] && part[4][j] <= part[5][i] &&
                    part[4][i] <= part[5][j] && ((tag[i] | tag[j]) & 7) == 7)
                    wanted[count++] = (trvi_hit){tag[i], tag[j]};
            }
        }
        trvi_kernels kernels;
        for (uint32_t kind = 0; trvi_kernels_at(kind, &kernels); kind++) {
            trvi_hit hits[TRVI_HITS];
            trvi_place place = {first, first + 1};
            uint32_t found = 0;
            while (place.i < last) {
                uint32_t more = kernels.sweep(&r, &place, last, end, hits);
                assert_true(found + more <= count);
                assert_memory_equal(hits, wanted + found, more * sizeof *hits);
                found += more;
            }
            assert_int_equal(found, count);
        }
    }
}

// The same of what goes around listed entries, where blocks reach as far as their entries do.
static void kernels_of_any_width_find_the_same_around(void **state)
{
    (void)state;
    enum { COUNT = 152, FIRST = 8 };
    float part[TRVI_PART_COUNT][COUNT + TRVI_WIDEST], reach[COUNT / TRVI_BLOCK];
    uint32_t tag[COUNT + TRVI_WIDEST], list[COUNT];
    test_random random = {9};
    float *const parts[TRVI_PART_COUNT] = {part[0], part[1], part[2], part[3], part[4], part[5]};
    const trvi_rows r = {part[0], part[1], part[2], part[3], part[4], part[5], reach, tag};
    for (uint32_t round = 0; round < 60; round++) {
        uint32_t end = FIRST + 2 * round, listed = 0, count = 0;
        float farthest = -HUGE_VALF;
        for (uint32_t i = 0; i < COUNT + TRVI_WIDEST; i++) {
            make_entry(parts, tag, i, end, &random);
            farthest = i >= FIRST && part[1][i] > farthest ? part[1][i] : farthest;
            if (i < COUNT)
                reach[i / TRVI_BLOCK] = farthest;
            if (i >= FIRST && i < end && (tag[i] & TRVI_TAG_TOUCHED))
                list[listed++] = i;
        }
        static trvi_hit wanted[COUNT * COUNT];
        for (uint32_t n = 0; n < listed; n++) {
            uint32_t i = list[n];
            for (uint32_t j = FIRST; j < end; j++) {
                bool told = j > i || !(tag[j] & TRVI_TAG_TOUCHED);
                if (told && part[0][j] <= part[1][i] && part[0][i] <= part[1][j] &&
                    part[2][j] <= part[3][i] && part[2][i] <= part[3][j] &&
                    part[4][j] <= part[5][i] && part[4][i] <= part[5][j] &&
                    ((tag[i] | tag[j]) & 7) == 7)
                    wanted[count++] = (trvi_hit){tag[i], tag[j]};
            }
        }
        trvi_kernels kernels;
        for (uint32_t kind = 0; trvi_kernels_at(kind, &kernels); kind++) {
            trvi_hit hits[TRVI_HITS];
            trvi_place place = {0, TRVI_FROM_REACH};
            uint32_t found = 0;
            while (place.i < listed) {
                uint32_t more = kernels.around(&r, &place, list, listed, FIRST, end, hits);
                assert_true(found + more <= count);
                assert_memory_equal(hits, wanted + found, more * sizeof *hits);
                found += more;
            }
            assert_int_equal(found, count);
        }
    }
}

enum { WATCHED = 140 };

typedef struct sides {
    float part[TRVI_PART_COUNT][WATCHED + TRVI_WIDEST];
} sides;

static trvi_rows rows_of_sides(const sides *s)
{
    return (trvi_rows){s->part[0], s->part[1], s->part[2], s->part[3],
                       s->part[4], s->part[5], NULL,       NULL};
}

static void make_sides(sides *s, test_random *random, bool in_order)
{
    for (uint32_t i = 0; i < WATCHED + TRVI_WIDEST; i++) {
        for (uint32_t k = 0; k < TRVI_PART_COUNT; k += 2) {
            s->part[k][i] = (float)(random_bits(random) % 9) - 4.0f;
            if (k == 0 && in_order)
                s->part[k][i] = (float)(i / 3);
            s->part[k + 1][i] = s->part[k][i] + (float)(random_bits(random) % 30) * 0.25f;
        }
    }
}

static bool sides_meet(const sides *s, uint32_t i, uint32_t j)
{
    bool meet = true;
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k += 2)
        meet = meet && s->part[k][i] <= s->part[k + 1][j] && s->part[k][j] <= s->part[k + 1][i];
    return meet;
}

static void watchers_of_any_width_find_what_begins(void **state)
{
    (void)state;
    test_random random = {9};
    uint32_t begun = 0;
    for (uint32_t round = 0; round < 40; round++) {
        sides now, was;
        uint32_t count = round * 3 + 1;
        make_sides(&now, &random, true);
        make_sides(&was, &random, false);
        for (uint32_t k = 0; k < TRVI_WIDEST; k++)
            now.part[TRVI_LOWER_S][count + k] = HUGE_VALF;
        trvi_rows now_rows = rows_of_sides(&now), was_rows = rows_of_sides(&was);
        trvi_kernels kernels;
        for (uint32_t kind = 0; trvi_kernels_at(kind, &kernels); kind++) {
            static bool found[WATCHED][WATCHED];
            static uint32_t blocks[TRVI_BLOCKS];
            memset(found, 0, sizeof found);
            for (uint32_t row = 0; row < count;) {
                uint32_t more = kernels.watch(&now_rows, &was_rows, &row, count, blocks);
                for (uint32_t m = 0; m < more; m++) {
                    uint32_t i = blocks[m] >> 20, j = blocks[m] >> 8 & 0xFFF;
                    for (uint32_t bits = blocks[m] & 0xFF; bits != 0; bits >>= 1, j++)
                        found[i][j] = found[i][j] || (bits & 1);
                }
            }
            for (uint32_t i = 0; i < count; i++) {
                for (uint32_t j = i + 1; j < count; j++) {
                    bool wanted = sides_meet(&now, i, j) && !sides_meet(&was, i, j);
                    assert_true(found[i][j] == wanted);
                    begun += wanted;
                }
            }
        }
    }
    assert_true(begun > 1000);
}

static bool has_left(const sides *now, const sides *was, const trvi_fence *fence, uint32_t i)
{
    bool left = false;
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k++) {
        float x = now->part[k][i];
        left = left || (k % 2 == 0 ? x < fence->lower[k / 2] : x > fence->upper[k / 2]);
        if (k >= 2)
            left = left || trvi_cell((double)x, fence->inverse[k / 2 - 1]) !=
                               trvi_cell((double)was->part[k][i], fence->inverse[k / 2 - 1]);
    }
    return left;
}

static void guards_of_any_width_tell_of_all_that_leaves(void **state)
{
    (void)state;
    test_random random = {10};
    uint32_t left = 0, told = 0;
    for (uint32_t round = 0; round < 40; round++) {
        sides now, was;
        make_sides(&now, &random, false);
        was = now;
        for (uint32_t i = 0; i < WATCHED; i += 5) // from just below 0, where products vanish
            was.part[2 + random_bits(&random) % 4][i] = random_bits(&random) & 1 ? 0.5f : -1.0e-45f;
        trvi_rows now_rows = rows_of_sides(&now), was_rows = rows_of_sides(&was);
        trvi_fence fence = {{0.25, round % 2 ? 0.0 : 0.125}, {-4, -4, -3}, {9, 10, 10}};
        trvi_kernels kernels;
        for (uint32_t kind = 0; trvi_kernels_at(kind, &kernels); kind++) {
            uint32_t list[WATCHED], at = 0;
            uint32_t count = kernels.fence(&now_rows, &was_rows, &fence, WATCHED, list);
            for (uint32_t i = 0; i < WATCHED; i++) {
                bool is_told = at < count && list[at] == i;
                at += is_told;
                assert_true(is_told || !has_left(&now, &was, &fence, i));
                left += has_left(&now, &was, &fence, i);
                told += is_told;
            }
            assert_int_equal(at, count);
        }
    }
    assert_true(left > 500 && told < 3 * left);
}

static bool box_meets(const float box[6], const sides *s, uint32_t j)
{
    bool meet = true;
    for (uint32_t k = 0; k < TRVI_PART_COUNT; k += 2)
        meet = meet && box[k] <= s->part[k + 1][j] && s->part[k][j] <= box[k + 1];
    return meet;
}

static void kernels_of_any_width_tell_what_a_box_meets_at_one_of_two_places(void **state)
{
    (void)state;
    test_random random = {11};
    uint32_t differing = 0, tag[WATCHED + TRVI_WIDEST];
    for (uint32_t round = 0; round < 200; round++) {
        sides s;
        trvi_shift shift = {.tag = (uint32_t)(random_bits(&random) % (WATCHED * 16))};
        make_sides(&s, &random, true);
        trvi_rows rows = rows_of_sides(&s);
        rows.tag = tag;
        for (uint32_t i = 0; i < WATCHED + TRVI_WIDEST; i++)
            tag[i] = i << TRVI_TAG_BITS | (uint32_t)(random_bits(&random) % 16);
        for (uint32_t k = 0; k < TRVI_PART_COUNT; k += 2) {
            shift.was[k] = (float)(random_bits(&random) % (k == 0 ? 30 : 6)) - 4.0f;
            shift.was[k + 1] = shift.was[k] + (float)(random_bits(&random) % 20);
            shift.now[k] = round % 4 ? shift.was[k] + 1.0f : HUGE_VALF;
            shift.now[k + 1] = round % 4 ? shift.was[k + 1] - 1.0f : -HUGE_VALF;
        }
        uint32_t first = round % 50 / TRVI_BLOCK * TRVI_BLOCK, end = WATCHED - round % 9;
        trvi_kernels kernels;
        for (uint32_t kind = 0; trvi_kernels_at(kind, &kernels); kind++) {
            uint32_t list[TRVI_LOOKED], listed = 0, at = 0, entry = first;
            for (uint32_t j = first; j < end; j++) {
                bool wanted = box_meets(shift.was, &s, j) != box_meets(shift.now, &s, j) &&
                              ((tag[j] | shift.tag) & TRVI_TAG_FIRST) == TRVI_TAG_FIRST &&
                              j != shift.tag >> TRVI_TAG_BITS;
                if (at == listed && entry < end && j >= entry) {
                    listed = kernels.differ(&rows, &shift, &entry, end, list);
                    at = 0;
                    while (listed == 0 && entry < end)
                        listed = kernels.differ(&rows, &shift, &entry, end, list);
                }
                bool told = at < listed && list[at] == j;
                at += told;
                assert_true(told == wanted);
                differing += wanted;
            }
            assert_true(at == listed && entry == end);
        }
    }
    assert_true(differing > 500);
}

static void kernels_of_any_width_find_the_entry_of_a_proxy(void **state)
{
    (void)state;
    enum { COUNT = 150 };
    uint32_t tag[COUNT + TRVI_WIDEST];
    for (uint32_t i = 0; i < COUNT + TRVI_WIDEST; i++)
        tag[i] = (1000 + i) << TRVI_TAG_BITS | i % 16;
    trvi_kernels kernels;
    for (uint32_t kind = 0; trvi_kernels_at(kind, &kernels); kind++) {
        for (uint32_t first = 0; first < 12; first += TRVI_BLOCK) {
            for (uint32_t end = first; end <= COUNT; end++) {
                for (uint32_t i = 0; i < COUNT + TRVI_WIDEST; i++) {
                    uint32_t wanted = i >= first && i < end ? i : end;
                    assert_int_equal(kernels.seek(tag, first, end, 1000 + i), wanted);
                }
            }
        }
    }
}

// Entries of some column among others, and what is to be left where it is.
enum { ROOM = 3000 };
typedef struct items_room {
    uint32_t items[TRVI_ITEMS][ROOM];
} items_room;

static trvi_items fill_room(items_room *room)
{
    trvi_items all;
    for (uint32_t k = 0; k < TRVI_ITEMS; k++) {
        for (uint32_t i = 0; i < ROOM; i++)
            room->items[k][i] = k << 16 | i;
        all.items[k] = (char *)room->items[k];
    }
    return all;
}

static void entries_that_are_kept_are_squeezed_together(void **state)
{
    (void)state;
    static items_room room;
    test_random random = {12};
    trvi_kernels kernels;
    for (uint32_t kind = 0; trvi_kernels_at(kind, &kernels); kind++) {
        for (uint32_t round = 0; round < 2000; round++) {
            const trvi_items all = fill_room(&room);
            uint32_t count = 1 + (uint32_t)(random_bits(&random) % 64), kept = 0;
            uint32_t from = 400, to = from - (uint32_t)(random_bits(&random) % 100);
            uint32_t end = (from + count + TRVI_BLOCK - 1) / TRVI_BLOCK * TRVI_BLOCK;
            uint64_t keep = random_bits(&random);
            keep = round % 3 == 0 ? ~(uint64_t)0 : round % 3 == 1 ? keep : keep | keep >> 20;
            keep &= ~(uint64_t)0 >> (64 - count);
            uint32_t moved = kernels.squeeze(&all, from, to, keep, count);
            for (uint32_t i = 0; i < count; i++) {
                if (!(keep >> i & 1))
                    continue;
                for (uint32_t k = 0; k < TRVI_ITEMS; k++)
                    assert_int_equal(room.items[k][to + kept], k << 16 | (from + i));
                kept++;
            }
            assert_int_equal(moved, kept);
            for (uint32_t k = 0; k < TRVI_ITEMS; k++) {
                for (uint32_t i = 0; i < ROOM; i++)
                    assert_true(room.items[k][i] == (k << 16 | i) || (i >= to && i < end));
            }
        }
    }
}

static void gaps_are_opened_between_entries(void **state)
{
    (void)state;
    static items_room room;
    test_random random = {13};
    trvi_kernels kernels;
    for (uint32_t kind = 0; trvi_kernels_at(kind, &kernels); kind++) {
        for (uint32_t round = 0; round < 1000; round++) {
            const trvi_items all = fill_room(&room);
            uint32_t first = 4 * (uint32_t)(random_bits(&random) % 9), gaps[ROOM], count = 0;
            uint32_t most = round % 10 == 0 ? ROOM - 100 : 60;
            uint32_t end = first + 1 + (uint32_t)(random_bits(&random) % most);
            uint32_t one_in = 1 + (uint32_t)(random_bits(&random) % 30);
            gaps[count++] = first + (uint32_t)(random_bits(&random) % (end - first));
            for (uint32_t i = gaps[0] + 1; i < end; i++) {
                gaps[count] = i;
                count += random_bits(&random) % one_in == 0;
            }
            kernels.spread(&all, end, gaps, count);
            uint32_t block_end = (end + TRVI_BLOCK - 1) / TRVI_BLOCK * TRVI_BLOCK, gap = 0;
            for (uint32_t i = 0; i < ROOM; i++) {
                bool is_gap = gap < count && gaps[gap] == i;
                uint32_t own = i < end ? i - gap : i;
                for (uint32_t k = 0; k < TRVI_ITEMS && !is_gap; k++)
                    assert_true(room.items[k][i] == (k << 16 | own) || (i >= end && i < block_end));
                gap += is_gap;
            }
        }
    }
}

static void places_of_arrivals_are_counted_by_any_width(void **state)
{
    (void)state;
    enum { MOST = 700, ADDED = 90 };
    static float lower[MOST];
    test_random random = {14};
    trvi_kernels kernels;
    for (uint32_t kind = 0; trvi_kernels_at(kind, &kernels); kind++) {
        for (uint32_t round = 0; round < 400; round++) {
            uint64_t arrivals[ADDED];
            uint32_t count = (uint32_t)(random_bits(&random) % (round % 2 ? MOST : 140));
            uint32_t added = 1 + (uint32_t)(random_bits(&random) % ADDED), counts[ADDED];
            const uint32_t one_in = 1 + (uint32_t)(random_bits(&random) % 5); // else equal ones
            float side = -20;
            for (uint32_t i = 0; i < count; i++)
                lower[i] = side += random_bits(&random) % one_in == 0 ? 0.25f : 0.0f;
            for (uint32_t n = 0; n < added; n++)
                arrivals[n] = trvi_arrival((float)n * 0.25f * (float)(count / 40) - 21, n);
            kernels.count(lower, count, arrivals, added, counts);
            for (uint32_t n = 0; n < added; n++) {
                uint32_t wanted = 0;
                while (wanted < count && lower[wanted] <= trvi_side_of_arrival(arrivals[n]))
                    wanted++;
                assert_int_equal(counts[n], wanted);
            }
        }
    }
}

static void entries_and_pairs_of_a_span_are_told_by_any_width(void **state)
{
    (void)state;
    enum { MOST = 64 };
    test_random random = {15};
    uint32_t within = 0, in_all = 0;
    trvi_kernels kernels;
    for (uint32_t kind = 0; trvi_kernels_at(kind, &kernels); kind++) {
        for (uint32_t round = 0; round < 3000; round++) {
            uint32_t tag[MOST], count = 1 + (uint32_t)(random_bits(&random) % MOST);
            trv_pair pairs[MOST] = {{0}};
            trvi_span span = {1 + (uint32_t)(random_bits(&random) % 500),
                              1 + (uint32_t)(random_bits(&random) % (round % 2 ? 4 : 400))};
            if (round % 5 == 0)
                span.first = TRVI_MAX_PROXIES - 1000; // the highest there are
            uint64_t outside = 0;
            bool any = false;
            for (uint32_t i = 0; i < count; i++) {
                uint32_t a = (round % 5 == 0 ? TRVI_MAX_PROXIES - 1000 : 0) +
                             (uint32_t)(random_bits(&random) % 900);
                uint32_t b = a + 1 + (uint32_t)(random_bits(&random) % 90);
                bool has_a = a >= span.first && a < span.first + span.count;
                bool has_b = b >= span.first && b < span.first + span.count;
                tag[i] = a << TRVI_TAG_BITS | (uint32_t)(random_bits(&random) % 16);
                pairs[i] = (trv_pair){.a = a, .b = b, .slot = span.first, .reserved = span.first};
                outside |= (uint64_t)!has_a << i;
                any = any || has_a || has_b;
            }
            assert_true(kernels.outside(tag, count, span) == outside);
            assert_true(kernels.within(pairs, count, span) == any);
            within += any;
            in_all++;
        }
    }
    assert_true(within > in_all / 4 && within < in_all / 4 * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_any_width_find_the_same),
        cmocka_unit_test(kernels_of_any_width_find_the_same_around),
        cmocka_unit_test(watchers_of_any_width_find_what_begins),
        cmocka_unit_test(guards_of_any_width_tell_of_all_that_leaves),
        cmocka_unit_test(kernels_of_any_width_tell_what_a_box_meets_at_one_of_two_places),
        cmocka_unit_test(kernels_of_any_width_find_the_entry_of_a_proxy),
        cmocka_unit_test(entries_that_are_kept_are_squeezed_together),
        cmocka_unit_test(gaps_are_opened_between_entries),
        cmocka_unit_test(places_of_arrivals_are_counted_by_any_width),
        cmocka_unit_test(entries_and_pairs_of_a_span_are_told_by_any_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
