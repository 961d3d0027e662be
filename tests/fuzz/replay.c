// Runs a fuzzer's entry point without a fuzzer: every file of a folder, then inputs made by a seed.
//
//   replay FOLDER COUNT [SEED]     the folder's files, then COUNT random inputs
//   replay FILE                    one file, for instance one that the fuzzer found
//   replay --write FOLDER NUMBER [SEED]   writes random input NUMBER into the folder
//
// Before each random input its number is kept, and told where the run fails.
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 4096 }; // bytes of an input

static const char *current_file = "";
static unsigned long current_number;

// Only what may be done in a handler: no more than writing what is known.
static void tell(int signal_number)
{
    (void)signal_number;
    fprintf(stderr, "replay: failed on %s %lu\n", current_file, current_number);
    _Exit(1);
}

static int run_file(const char *path)
{
    uint8_t data[MOST];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "replay: cannot read %s\n", path);
        return 1;
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    current_file = path;
    LLVMFuzzerTestOneInput(data, size);
    return 0;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Every file in order of name; -1 where the folder cannot be read.
static long run_folder(const char *path)
{
    DIR *folder = opendir(path);
    char **names = NULL, full[4096];
    size_t count = 0;
    int failed = 0;
    if (folder == NULL)
        return -1;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        names = realloc(names, (count + 1) * sizeof *names);
        names[count] = malloc(strlen(entry->d_name) + 1);
        strcpy(names[count++], entry->d_name);
    }
    closedir(folder);
    if (count > 0)
        qsort(names, count, sizeof *names, compare);
    for (size_t i = 0; i < count; i++) {
        snprintf(full, sizeof full, "%s/%s", path, names[i]);
        failed += run_file(full);
        free(names[i]);
    }
    free(names);
    return failed ? -1 : (long)count;
}

static uint64_t next_bits(uint64_t *state) // splitmix64
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static size_t make_input(uint64_t seed, unsigned long number, uint8_t *data)
{
    uint64_t state = seed * UINT64_C(0x100000001B3) + number;
    size_t size = 16 + next_bits(&state) % 600;
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)(next_bits(&state) >> 56);
    return size;
}

static int write_input(const char *folder, unsigned long number, uint64_t seed)
{
    uint8_t data[MOST];
    char path[4096];
    size_t size = make_input(seed, number, data);
    snprintf(path, sizeof path, "%s/random_%lu", folder, number);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        fprintf(stderr, "replay: cannot write %s\n", path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    signal(SIGABRT, tell);
    signal(SIGSEGV, tell);
    signal(SIGFPE, tell);
    signal(SIGILL, tell); // a check of the sanitizers that traps
    if (argc >= 4 && strcmp(argv[1], "--write") == 0)
        return write_input(argv[2], strtoul(argv[3], NULL, 10),
                           argc > 4 ? strtoull(argv[4], NULL, 10) : 1);
    if (argc == 2)
        return run_file(argv[1]);
    if (argc < 3) {
        fprintf(stderr,
                "usage: replay FOLDER COUNT [SEED] | FILE | --write FOLDER NUMBER [SEED]\n");
        return 2;
    }
    long files = run_folder(argv[1]);
    if (files < 0) {
        fprintf(stderr, "replay: cannot read all of %s\n", argv[1]);
        return 2;
    }
    unsigned long count = strtoul(argv[2], NULL, 10);
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    uint8_t data[MOST];
    current_file = "random input";
    for (current_number = 0; current_number < count; current_number++)
        LLVMFuzzerTestOneInput(data, make_input(seed, current_number, data));
    printf("%ld files and %lu random inputs passed (seed %" PRIu64 ")\n", files, count, seed);
    return 0;
}
