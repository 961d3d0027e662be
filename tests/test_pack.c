// Packed arrays come back as they were, from the same bytes whatever the processor; copies and sums
// are the same whichever way the bytes go.
#include "support.h"

#include "math/bytes.h"
#include "math/pack.h"

enum { MOST_BYTES = 20000, SPARE = 64 };

// Items that are alike in so many of a hundred words.
static void fill(test_random *random, uint8_t *items, size_t size, uint32_t stride, uint32_t alike)
{
    for (size_t at = 0; at < size; at++)
        items[at] = (uint8_t)random_bits(random);
    for (size_t at = stride; at + 4 <= size; at += 4)
        if (random_bits(random) % 100 < alike)
            memcpy(items + at, items + at - stride, 4);
}

typedef struct packed {
    char bytes[2 * MOST_BYTES];
    size_t size;
} packed;

static void pack_with(uint32_t kind, packed *out, const uint8_t *items, size_t size,
                      uint32_t stride)
{
    trvi_packing packing;
    assert_true(trvi_packing_at(kind, &packing));
    memset(out->bytes, 0x5a, sizeof out->bytes);
    trvi_writer writer = trvi_writer_begin(out->bytes, false);
    trvi_pack(&packing, &writer, items, size, stride);
    out->size = (size_t)(writer.at - out->bytes);
    assert_true(out->size <= trvi_pack_most(size) && out->size % 32 == 0);
    const trvi_sum none = {{0}, {0}};
    assert_true(trvi_writer_end(&writer) == trvi_sum_end(none, out->bytes, out->size));
    for (size_t at = trvi_pack_most(size); at < sizeof out->bytes; at++)
        assert_int_equal(out->bytes[at], 0x5a);
}

// Out of memory that ends where the packed bytes do, so that reading too far shows.
static void expect_back(uint32_t kind, const packed *in, const uint8_t *items, size_t size,
                        uint32_t stride)
{
    trvi_packing packing;
    uint8_t *back = malloc(size + SPARE);
    char *bytes = malloc(in->size + 1);
    assert_true(trvi_packing_at(kind, &packing));
    memcpy(bytes, in->bytes, in->size);
    memset(back, 0xa5, size + SPARE);
    assert_true(trvi_unpack(&packing, back, size, stride, bytes) == bytes + in->size);
    assert_memory_equal(back, items, size);
    for (size_t at = size; at < size + SPARE; at++)
        assert_int_equal(back[at], 0xa5);
    free(bytes);
    free(back);
}

static void packed_items_come_back_on_every_processor(void **state)
{
    (void)state;
    static const uint32_t strides[] = {4, 12, 16, 48, 56, 64, 96, 120, 252, 256};
    static uint8_t items[MOST_BYTES];
    static packed one, many;
    trvi_packing packing;
    test_random random = {17};
    for (uint32_t i = 0; i < 40 * sizeof strides / sizeof *strides; i++) {
        uint32_t stride = strides[i % (sizeof strides / sizeof *strides)];
        size_t size = random_bits(&random) % (MOST_BYTES / stride) * stride;
        if (i < 2 * sizeof strides / sizeof *strides)
            size = i % 3 * stride; // few items
        fill(&random, items, size, stride, (uint32_t)(random_bits(&random) % 101));
        pack_with(0, &one, items, size, stride);
        expect_back(0, &one, items, size, stride);
        for (uint32_t kind = 1; kind <= 2; kind++) {
            if (!trvi_packing_at(kind, &packing))
                continue;
            pack_with(kind, &many, items, size, stride);
            assert_int_equal(one.size, many.size);
            assert_memory_equal(one.bytes, many.bytes, one.size);
            expect_back(kind, &one, items, size, stride);
        }
    }
}

static void items_that_are_alike_take_a_bit_for_each_word(void **state)
{
    (void)state;
    static uint8_t items[MOST_BYTES];
    static packed out;
    test_random random = {3};
    fill(&random, items, 100 * 64, 64, 100);
    pack_with(0, &out, items, 100 * 64, 64);
    assert_true(out.size <= 64 + 99 * 16 / 8 + 2 * 32 + 4);
}

static void there_are_no_other_kinds_of_packing(void **state)
{
    (void)state;
    trvi_packing packing;
    assert_true(trvi_packing_at(0, &packing));
    assert_false(trvi_packing_at(3, &packing));
}

enum { LENGTH = 5000 };

static uint64_t sum_of(const char *bytes, size_t size)
{
    trvi_sum sum = {{0}, {0}};
    return trvi_sum_end(sum, bytes, size);
}

// Large or not, aligned or not, in pieces of any size.
static void what_is_written_is_a_copy_and_its_sum(void **state)
{
    (void)state;
    test_random random = {29};
    char *from = malloc(LENGTH), *to = malloc(LENGTH + SPARE);
    for (uint32_t round = 0; round < 200; round++) {
        size_t shift = random_bits(&random) % 33, size = random_bits(&random) % (LENGTH - SPARE);
        fill(&random, (uint8_t *)from, LENGTH, 4, 0);
        memset(to, 0, LENGTH + SPARE);
        trvi_writer writer = trvi_writer_begin(to + shift, round % 2 == 0);
        for (size_t done = 0, part; done < size; done += part) {
            part = random_bits(&random) % 3 == 0 ? random_bits(&random) % 700 : 64;
            part = part < size - done ? part : size - done;
            trvi_writer_put(&writer, from + done, part);
        }
        uint64_t sum = trvi_writer_end(&writer);
        assert_memory_equal(to + shift, from, size);
        assert_true(sum == sum_of(from, size));
        for (size_t at = shift + size; at < LENGTH + SPARE; at++)
            assert_int_equal(to[at], 0);
    }
    free(from);
    free(to);
}

static void a_large_copy_is_a_copy_and_sums(void **state)
{
    (void)state;
    test_random random = {31};
    char *from = malloc(LENGTH), *to = malloc(LENGTH);
    fill(&random, (uint8_t *)from, LENGTH, 4, 0);
    for (size_t shift = 0; shift < 40; shift++)
        for (size_t size = 0; size < 300; size += TRVI_SUM_STRIDE) {
            trvi_sum sum = {{0}, {0}};
            memset(to, 0, LENGTH);
            trvi_copy_summed(&sum, to + shift, from + 3, size, true);
            trvi_copy_done();
            assert_memory_equal(to + shift, from + 3, size);
            assert_true(trvi_sum_end(sum, from, 0) == sum_of(from + 3, size));
            assert_int_equal(to[shift + size], 0);
        }
    free(from);
    free(to);
}

// Of any bit, and of words that trade places.
static void a_sum_tells_of_any_change(void **state)
{
    (void)state;
    test_random random = {37};
    char bytes[333];
    fill(&random, (uint8_t *)bytes, sizeof bytes, 4, 0);
    uint64_t sum = sum_of(bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        assert_true(sum_of(bytes, sizeof bytes) != sum);
        bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t a = 0; a + 8 <= sizeof bytes; a += 8)
        for (size_t b = a + 8; b + 8 <= sizeof bytes; b += 8) {
            char other[sizeof bytes];
            memcpy(other, bytes, sizeof bytes);
            memcpy(other + a, bytes + b, 8);
            memcpy(other + b, bytes + a, 8);
            assert_true(sum_of(other, sizeof bytes) != sum);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_items_come_back_on_every_processor),
        cmocka_unit_test(items_that_are_alike_take_a_bit_for_each_word),
        cmocka_unit_test(there_are_no_other_kinds_of_packing),
        cmocka_unit_test(what_is_written_is_a_copy_and_its_sum),
        cmocka_unit_test(a_large_copy_is_a_copy_and_sums),
        cmocka_unit_test(a_sum_tells_of_any_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
