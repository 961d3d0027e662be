// accuracy [--json] [--list] [--variant NAME] [--except NAME] [--vary SEED] [row ...]
//
// Builds the scenes of the table of truths and says, claim by claim, what is asked, what came out, and
// whether it holds; then, row by row, which pass. Without a row all of them run. --variant takes a
// variant's name, or "main" or "other" for all variants whose name begins with "main" or does not;
// --except leaves one out and may be given again; --vary gives each variant another size (up to twice),
// density (up to four times) and, where it has none of its own, rate, by chance; --json prints a line for
// each claim and each row.
// Exit code 0 when all claims hold, 1 when one does not, 2 when nothing could be measured.
#include "truth.h"

enum { EXCEPTIONS = 64, ROWS = 31 };

struct truth_report {
    const truth_row *row;
    const truth_variant *variant;
    bool json;
    int claims[ROWS + 1];
    int broken[ROWS + 1];
};

typedef struct options {
    bool rows[ROWS + 1];
    bool some; // rows are named
    const char *variant;
    const char *except[EXCEPTIONS];
    int exceptions;
    uint32_t vary; // seed; 0: not at all
    bool list;
} options;

static const truth_row *const files[] = {
    truth_motion_rows, truth_slope_rows, truth_stack_rows, truth_balance_rows, truth_bounce_rows,
    truth_ball_rows,   truth_fast_rows,  truth_heap_rows,  truth_state_rows,   truth_call_rows,
};

enum { FILES = sizeof files / sizeof *files };

static void print_asked(const truth_report *report, double least, double most, const char *unit)
{
    char text[80];
    if (least == -HUGE_VAL)
        snprintf(text, sizeof text, "<= %.6g %s", most, unit);
    else if (most == HUGE_VAL)
        snprintf(text, sizeof text, ">= %.6g %s", least, unit);
    else
        snprintf(text, sizeof text, "%.6g .. %.6g %s", least, most, unit);
    printf(report->json ? "\"%s\"" : "%-28s", text);
}

void truth_claim(truth_report *report, const char *claim, double measured, double least,
                 double most, const char *unit)
{
    bool holds = measured >= least && measured <= most;
    report->claims[report->row->number]++;
    report->broken[report->row->number] += !holds;
    if (report->json) {
        printf("{\"row\": %d, \"scene\": \"%s\", \"variant\": \"%s\", \"claim\": \"%s\", ",
               report->row->number, report->row->scene, report->variant->name, claim);
        printf("\"asked\": ");
        print_asked(report, least, most, unit);
        if (isfinite(measured))
            printf(", \"measured\": %.9g, \"holds\": %s}\n", measured, holds ? "true" : "false");
        else
            printf(", \"measured\": null, \"holds\": false}\n");
    } else {
        printf("%2d  %-24s %-32s asked ", report->row->number, report->variant->name, claim);
        print_asked(report, least, most, unit);
        printf(" measured %-12.6g %s\n", measured, holds ? "holds" : "DOES NOT HOLD");
    }
    fflush(stdout);
}

static bool is_main(const char *name)
{
    return strncmp(name, "main", 4) == 0;
}

static bool is_asked(const options *asked, const char *name)
{
    for (int i = 0; i < asked->exceptions; i++)
        if (strcmp(asked->except[i], name) == 0)
            return false;
    if (asked->variant == NULL || strcmp(asked->variant, name) == 0)
        return true;
    return (strcmp(asked->variant, "main") == 0 && is_main(name)) ||
           (strcmp(asked->variant, "other") == 0 && !is_main(name));
}

// Of the same kind; `name` says what is different.
static truth_variant vary(const truth_variant *variant, uint64_t state, char *name, size_t room)
{
    static const float rates[] = {30, 40, 50, 60, 75, 90, 100, 120, 144, 165, 200, 240};
    truth_variant other = *variant;
    double larger = pow(2, truth_noise(&state)), denser = pow(4, truth_noise(&state));
    int rate = (int)((truth_noise(&state) + 1) / 2 * (sizeof rates / sizeof *rates));
    other.scale = truth_or(variant->scale, 1) * (float)larger;
    other.density = truth_or(variant->density, 1000) * (float)denser;
    other.rate = truth_or(variant->rate, rates[rate]);
    snprintf(name, room, "%s, x %.3f, %g/s, %.0f kg/m^3", variant->name, other.scale, other.rate,
             other.density);
    other.name = name;
    return other;
}

static void run_row(const options *asked, const truth_row *row, truth_report *report)
{
    if (asked->some && !asked->rows[row->number])
        return;
    for (int v = 0; v < row->count; v++) {
        const truth_variant *variant = &row->variants[v];
        if (!is_asked(asked, variant->name))
            continue;
        char name[120];
        truth_variant other;
        if (asked->vary != 0) {
            uint64_t state =
                ((uint64_t)asked->vary << 32) + (uint64_t)row->number * 1000 + (uint64_t)v;
            other = vary(variant, state, name, sizeof name);
            variant = &other;
        }
        report->row = row;
        report->variant = variant;
        if (asked->list)
            printf("%2d  %-24s %s\n", row->number, variant->name, row->scene);
        else
            row->run(variant, report);
        report->claims[row->number] += asked->list;
    }
}

static int usage(void)
{
    fprintf(stderr,
            "usage: accuracy [--json] [--list] [--variant NAME] [--except NAME] [--vary SEED] "
            "[row ...]\n");
    return 2;
}

static bool read_row(const char *word, options *asked)
{
    char *end;
    long row = strtol(word, &end, 10);
    if (end == word || *end != '\0' || row < 1 || row > ROWS)
        return false;
    asked->rows[row] = asked->some = true;
    return true;
}

static bool read_options(int count, char **words, options *asked, truth_report *report)
{
    for (int i = 1; i < count; i++) {
        bool more = i + 1 < count;
        if (strcmp(words[i], "--json") == 0)
            report->json = true;
        else if (strcmp(words[i], "--list") == 0)
            asked->list = true;
        else if (strcmp(words[i], "--variant") == 0 && more)
            asked->variant = words[++i];
        else if (strcmp(words[i], "--except") == 0 && more && asked->exceptions < EXCEPTIONS)
            asked->except[asked->exceptions++] = words[++i];
        else if (strcmp(words[i], "--vary") == 0 && more) {
            asked->vary = (uint32_t)strtoul(words[++i], NULL, 10);
            if (asked->vary == 0) // no number, too
                return false;
        } else if (!read_row(words[i], asked))
            return false;
    }
    return true;
}

static void print_rows(const truth_report *report, int claims, int broken)
{
    for (int number = 1; number <= ROWS; number++) {
        if (report->claims[number] == 0)
            continue;
        const char *verdict = report->broken[number] == 0 ? "pass" : "FAIL";
        if (report->json)
            printf("{\"row\": %d, \"claims\": %d, \"broken\": %d, \"verdict\": \"%s\"}\n", number,
                   report->claims[number], report->broken[number], verdict);
        else
            printf("row %2d  %s  %d of %d claims hold\n", number, verdict,
                   report->claims[number] - report->broken[number], report->claims[number]);
    }
    if (!report->json)
        printf("%d claims, %d do not hold\n", claims, broken);
}

int main(int count, char **words)
{
    options asked = {0};
    truth_report report = {0};
    if (!read_options(count, words, &asked, &report))
        return usage();
    for (int number = 1; number <= ROWS; number++)
        for (int f = 0; f < FILES; f++)
            for (const truth_row *row = files[f]; row->scene != NULL; row++)
                if (row->number == number)
                    run_row(&asked, row, &report);
    int claims = 0, broken = 0;
    for (int number = 1; number <= ROWS; number++) {
        claims += report.claims[number];
        broken += report.broken[number];
    }
    if (claims == 0)
        return usage();
    if (!asked.list)
        print_rows(&report, claims, broken);
    return broken > 0 ? 1 : 0;
}
