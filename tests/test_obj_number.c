// Decimal text to float32: equal to the C library's strtof (exactly rounded in glibc) everywhere.
#include "support.h"

#include <locale.h>

#include "mesh/obj_number.h"

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Reads the whole of `text`; fails unless the reader agrees bit for bit with strtof.
static void expect_as_strtof(const char *text)
{
    float wanted = strtof(text, NULL), value = -1.0f;
    const char *cursor = text, *end = text + strlen(text);
    trv_result result = trvi_obj_number(&cursor, end, &value);
    bool agree = isinf(wanted)
                     ? result == TRV_ERROR_RANGE && bits_of(value) == 0 && cursor == text
                     : result == TRV_OK && bits_of(value) == bits_of(wanted) && cursor == end;
    if (!agree) {
        print_error("\"%.200s\": result %d, %.9g, wanted %.9g\n", text, (int)result, (double)value,
                    (double)wanted);
        fail();
    }
}

static void random_floats_survive_every_number_of_digits(void **state)
{
    (void)state;
    test_random random = {1};
    char text[80];
    for (int i = 0; i < 200000; ++i) {
        uint32_t bits = (uint32_t)random_bits(&random);
        float value = float_of(bits);
        if (isnan(value) || isinf(value))
            continue;
        snprintf(text, sizeof text, "%.*g", 1 + (int)(random_bits(&random) % 20), (double)value);
        expect_as_strtof(text);
        snprintf(text, sizeof text, "%.9g", (double)value);
        expect_as_strtof(text);
        const char *cursor = text;
        float back;
        expect_result(trvi_obj_number(&cursor, text + strlen(text), &back), TRV_OK);
        assert_int_equal(bits_of(back), bits);
    }
}

static void random_digit_strings_round_as_strtof_does(void **state)
{
    (void)state;
    test_random random = {2};
    char text[128];
    for (int i = 0; i < 400000; ++i) {
        int length = 0, whole = (int)(random_bits(&random) % 12);
        int fraction = (int)(random_bits(&random) % 30) + (whole == 0);
        if (random_bits(&random) % 2)
            text[length++] = random_bits(&random) % 2 ? '-' : '+';
        for (int k = 0; k < whole; ++k)
            text[length++] = (char)('0' + random_bits(&random) % 10);
        text[length++] = '.';
        for (int k = 0; k < fraction; ++k)
            text[length++] = (char)('0' + random_bits(&random) % 10);
        text[length] = 0;
        if (random_bits(&random) % 2)
            snprintf(text + length, sizeof text - (size_t)length, "%c%d", i % 2 ? 'e' : 'E',
                     (int)(random_bits(&random) % 120) - 70);
        expect_as_strtof(text);
    }
}

// The middle between two neighbours, exactly, then nudged by one in a far digit to either side.
static void the_middle_between_two_floats_is_decided_exactly(void **state)
{
    (void)state;
    test_random random = {3};
    char text[400];
    for (int i = 0; i < 60000; ++i) {
        uint32_t bits = (uint32_t)random_bits(&random) & 0x7FFFFFFFu;
        if (i % 4 == 0)
            bits &= 0x007FFFFFu; // subnormal
        if (i % 4 == 1)
            bits |= 0x007FFFFFu; // the upper neighbour is a power of two
        if (bits >= 0x7F7FFFFFu)
            continue;
        // A double holds the middle exactly, and %.*f prints all of its digits.
        double middle = ((double)float_of(bits) + (double)float_of(bits + 1)) / 2.0;
        int length = snprintf(text, sizeof text, "%.152f", middle);
        expect_as_strtof(text);
        const char *cursor = text;
        float even;
        expect_result(trvi_obj_number(&cursor, text + length, &even), TRV_OK);
        assert_int_equal(bits_of(even), bits + (bits & 1));
        strcpy(text + length, "0000000000000000000000000000000000000001");
        expect_as_strtof(text);
        cursor = text;
        expect_result(trvi_obj_number(&cursor, text + strlen(text), &even), TRV_OK);
        assert_int_equal(bits_of(even), bits + 1);
        snprintf(text, sizeof text, "%.*e", 16 + (int)(random_bits(&random) % 110), middle);
        expect_as_strtof(text);
    }
}

static void halves_above_two_to_the_24_go_to_the_even_neighbour(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "16777215",
        "16777216",
        "16777217",
        "16777218",
        "16777219",
        "16777220",
        "16777221",
        "16777217.0000000000000000000000000000000000000000000000000000000000001",
        "16777216.9999999999999999999999999999999999999999999999999999999999999",
        "33554434",
        "33554438",
        "9007199791611905",
        "9007199791611904.9999999999999999999",
        "9007199791611905.00000000000000001",
        "1.00000005960464477539062500",
        "1.000000059604644775390625000000000000000001",
        "1.00000017881393432617187499"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        expect_as_strtof(texts[i]);
}

static void extremes_round_overflow_and_vanish_as_they_should(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "3.4028234663852886e38",
        "3.4028235677973366e38",
        "3.4028235677973365e38",
        "340282356779733661637539395458142568447.9999",
        "340282356779733661637539395458142568448",
        "340282356779733661637539395458142568447",
        "1e39",
        "1e40",
        "1e41",
        "1e400",
        "1e999999999999999",
        "-1e400",
        "1.17549435e-38",
        "1.1754943508222875e-38",
        "1.17549429e-38",
        "1.17549421e-38",
        "1.4e-45",
        "7.0064923216240854e-46",
        "7.0064923216240853e-46",
        "7.0064923216240862e-46",
        "0.70064923216240861e-45",
        "1e-45",
        "9e-46",
        "1e-46",
        "9.9e-47",
        "1e-400",
        "5e-324",
        "2.2250738585072011e-308",
        "1e-999999999999999",
        "0e999999999999999",
        "-0",
        "0",
        "+0.0e-5",
        "000000000000000000000000000000000000000000001.5",
        "1e00000000000000000000001",
        "1000000000000000000000000000000000000000000000000000000000e-50",
        "0.00000000000000000000000000000000000000000000000000000001e50"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        expect_as_strtof(texts[i]);
}

static void five_thousand_digits_count_to_the_last_one(void **state)
{
    (void)state;
    static char text[12000];
    for (int last = 0; last < 2; ++last) {
        // 1 + 2^-24 exactly, then zeros, then perhaps a one.
        strcpy(text, "1.000000059604644775390625");
        size_t length = strlen(text);
        memset(text + length, '0', 5000);
        strcpy(text + length + 5000, last ? "1" : "0");
        expect_as_strtof(text);
        const char *cursor = text;
        float value;
        expect_result(trvi_obj_number(&cursor, text + strlen(text), &value), TRV_OK);
        assert_int_equal(bits_of(value), 0x3F800000u + (uint32_t)last);
    }
    memset(text, '9', 5000);
    strcpy(text + 5000, "e-4999"); // 9.99..9
    expect_as_strtof(text);
    text[0] = '.';
    memset(text + 1, '0', 5000);
    strcpy(text + 5001, "123e5002"); // 12.3
    expect_as_strtof(text);
}

static void texts_that_are_no_numbers_are_refused_where_they_start(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        trv_result result;
    } cases[] = {
        {"", TRV_ERROR_SYNTAX},      {"-", TRV_ERROR_SYNTAX},         {"+", TRV_ERROR_SYNTAX},
        {".", TRV_ERROR_SYNTAX},     {"-.", TRV_ERROR_SYNTAX},        {"e5", TRV_ERROR_SYNTAX},
        {".e5", TRV_ERROR_SYNTAX},   {"1e", TRV_ERROR_SYNTAX},        {"1e+", TRV_ERROR_SYNTAX},
        {"1.5e-", TRV_ERROR_SYNTAX}, {"--1", TRV_ERROR_SYNTAX},       {"+-1", TRV_ERROR_SYNTAX},
        {"x", TRV_ERROR_SYNTAX},     {" 1", TRV_ERROR_SYNTAX},        {",5", TRV_ERROR_SYNTAX},
        {"na", TRV_ERROR_SYNTAX},    {"nan", TRV_ERROR_NUMBER},       {"-NaN", TRV_ERROR_NUMBER},
        {"inf", TRV_ERROR_NUMBER},   {"+Infinity", TRV_ERROR_NUMBER}, {"1e39", TRV_ERROR_RANGE},
        {"-1e400", TRV_ERROR_RANGE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char *cursor = cases[i].text;
        float value = -1.0f;
        expect_result(trvi_obj_number(&cursor, cursor + strlen(cursor), &value), cases[i].result);
        assert_ptr_equal(cursor, cases[i].text);
        assert_int_equal(bits_of(value), 0);
    }
}

static void a_number_ends_before_the_first_character_that_is_not_its_own(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int length;
        float value;
    } cases[] = {{"0,5", 1, 0.0f},  {"0x1p3", 1, 0.0f}, {"1.2.3", 3, 1.2f},
                 {"1.5f", 3, 1.5f}, {"7/2", 1, 7.0f},   {"1.e2#", 4, 100.0f},
                 {".5 1", 2, 0.5f}, {"1e5e5", 3, 1e5f}, {"12\\", 2, 12.0f}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char *cursor = cases[i].text;
        float value;
        expect_result(trvi_obj_number(&cursor, cursor + strlen(cursor), &value), TRV_OK);
        assert_int_equal(cursor - cases[i].text, cases[i].length);
        assert_int_equal(bits_of(value), bits_of(cases[i].value));
    }
    // The end of the text is the end of the number, whatever lies behind it.
    const char *cursor = "123456";
    float value;
    expect_result(trvi_obj_number(&cursor, cursor + 3, &value), TRV_OK);
    assert_int_equal(bits_of(value), bits_of(123.0f));
}

int main(void)
{
    setlocale(LC_ALL, "C"); // the oracle, unlike the reader, depends on it
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_floats_survive_every_number_of_digits),
        cmocka_unit_test(random_digit_strings_round_as_strtof_does),
        cmocka_unit_test(the_middle_between_two_floats_is_decided_exactly),
        cmocka_unit_test(halves_above_two_to_the_24_go_to_the_even_neighbour),
        cmocka_unit_test(extremes_round_overflow_and_vanish_as_they_should),
        cmocka_unit_test(five_thousand_digits_count_to_the_last_one),
        cmocka_unit_test(texts_that_are_no_numbers_are_refused_where_they_start),
        cmocka_unit_test(a_number_ends_before_the_first_character_that_is_not_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
