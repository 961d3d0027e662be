// truth [--row N] [--variant NAME] [--except NAME] [--json] [--list]
//
// Builds the scenes of the table of truths and says, claim by claim, what was asked, what came out,
// and whether it holds. --variant takes a variant's name, or "main" or "other" for all variants whose
// name begins with "main" or does not; --except leaves one out and may be given again. Exit code 0
// when all claims hold, 1 when one does not, 2 when nothing could be measured.
#include "truth.h"

enum { EXCEPTIONS = 64 };

struct truth_report {
    const truth_row *row;
    const truth_variant *variant;
    bool json;
    int claims;
    int broken;
};

typedef struct options {
    int row; // 0: all
    const char *variant;
    const char *except[EXCEPTIONS];
    int exceptions;
    bool list;
} options;

static const truth_row *const files[] = {
    truth_motion_rows, truth_slope_rows, truth_stack_rows, truth_balance_rows,
    truth_bounce_rows, truth_ball_rows,  truth_fast_rows,  truth_heap_rows,
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
    report->claims++;
    report->broken += !holds;
    if (report->json) {
        printf("%s\n  {\"row\": %d, \"variant\": \"%s\", \"claim\": \"%s\", \"asked\": ",
               report->claims > 1 ? "," : "", report->row->number, report->variant->name, claim);
        print_asked(report, least, most, unit);
        if (isfinite(measured))
            printf(", \"measured\": %.9g, \"holds\": %s}", measured, holds ? "true" : "false");
        else
            printf(", \"measured\": null, \"holds\": false}");
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

static void run_row(const options *asked, const truth_row *row, truth_report *report)
{
    if (asked->row != 0 && asked->row != row->number)
        return;
    for (int v = 0; v < row->count; v++) {
        const truth_variant *variant = &row->variants[v];
        if (!is_asked(asked, variant->name))
            continue;
        report->row = row;
        report->variant = variant;
        if (asked->list)
            printf("%2d  %-24s %s\n", row->number, variant->name, row->scene);
        else
            row->run(variant, report);
        report->claims += asked->list;
    }
}

static int usage(void)
{
    fprintf(stderr, "usage: truth [--row N] [--variant NAME] [--except NAME] [--json] [--list]\n");
    return 2;
}

static bool read_options(int count, char **words, options *asked, truth_report *report)
{
    for (int i = 1; i < count; i++) {
        bool more = i + 1 < count;
        if (strcmp(words[i], "--json") == 0)
            report->json = true;
        else if (strcmp(words[i], "--list") == 0)
            asked->list = true;
        else if (strcmp(words[i], "--row") == 0 && more)
            asked->row = atoi(words[++i]);
        else if (strcmp(words[i], "--variant") == 0 && more)
            asked->variant = words[++i];
        else if (strcmp(words[i], "--except") == 0 && more && asked->exceptions < EXCEPTIONS)
            asked->except[asked->exceptions++] = words[++i];
        else
            return false;
    }
    return true;
}

int main(int count, char **words)
{
    options asked = {0};
    truth_report report = {0};
    if (!read_options(count, words, &asked, &report))
        return usage();
    if (report.json && !asked.list)
        printf("[");
    for (int number = 1; number <= 31; number++)
        for (int f = 0; f < FILES; f++)
            for (const truth_row *row = files[f]; row->scene != NULL; row++)
                if (row->number == number)
                    run_row(&asked, row, &report);
    if (report.json && !asked.list)
        printf("\n]\n");
    else if (!asked.list)
        printf("%d claims, %d do not hold\n", report.claims, report.broken);
    if (report.claims == 0)
        return usage();
    return report.broken > 0 ? 1 : 0;
}
