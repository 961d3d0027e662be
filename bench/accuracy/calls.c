// Row 31: whatever is called in whatever order, with NaN, infinities, stale ids and no memory, is
// refused or done, and the world stays sound. Memory errors are for a build with sanitizers to find.
#include "truth.h"

#include "fuzz_world.h"

enum { MOST_BYTES = 1600 };

static void random_calls(const truth_variant *v, truth_report *report)
{
    uint8_t data[MOST_BYTES];
    uint64_t state = 31;
    uint32_t calls = 0;
    while (calls < (uint32_t)v->count) {
        for (int i = 0; i < MOST_BYTES; i++)
            data[i] = (uint8_t)(128 * (1 + truth_noise(&state)));
        calls += fuzz_world_calls(data, sizeof data); // does not come back from a broken world
    }
    truth_claim(report, "calls, all refused or done", calls, v->count, HUGE_VAL, "");
}

static const truth_variant sequences[] = {
    {.name = "main", .count = 1000000},
    {.name = "short", .count = 20000},
};

const truth_row truth_call_rows[] = {
    TRUTH_ROW(31, "random calls", random_calls, sequences),
    {0},
};
