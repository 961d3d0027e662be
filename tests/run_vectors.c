// run_vectors DIRECTORY: puts every known file of exact vectors in it to the test.
//
// One line per file on standard output, details of wrong rows on standard error. Exit code: 0 all
// right, 1 something is wrong, 2 the directory holds no known file, or one that is malformed.
#include <stdio.h>

#include "vectors.h"

static const vector_file *const themes[] = {overlap_vector_files, sweep_vector_files,
                                            ray_vector_files,     convex_vector_files,
                                            points_vector_files,  impact_vector_files};

typedef struct totals {
    size_t files;
    size_t wrong;
} totals;

// False, with a message, when the file is there and malformed.
static bool run_file(const char *directory, const vector_file *file, totals *sum)
{
    vector_table table;
    bool absent = false;
    bool good = vector_table_read(&table, directory, file->name, &absent);
    if (good) {
        vector_score score = {0};
        good = file->run(directory, &table, &score) && !table.failed;
        if (good) {
            printf("%s cases=%zu wrong=%zu in_band=%zu worst=%.3f\n", file->name, score.cases,
                   score.wrong, score.in_band, score.worst);
            sum->files++;
            sum->wrong += score.wrong;
        }
    }
    if (!good && !absent)
        fprintf(stderr, "%s\n", table.message);
    vector_table_free(&table);
    return good || absent;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: run_vectors DIRECTORY\n");
        return 2;
    }
    totals sum = {0, 0};
    for (size_t i = 0; i < sizeof themes / sizeof themes[0]; ++i)
        for (const vector_file *file = themes[i]; file->name != NULL; ++file)
            if (!run_file(argv[1], file, &sum))
                return 2;
    if (sum.files == 0) {
        fprintf(stderr, "%s: no known file of vectors\n", argv[1]);
        return 2;
    }
    return sum.wrong > 0 ? 1 : 0;
}
