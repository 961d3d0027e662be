// Looks for scenes that fuzz_narrow's checks fail on, by climbing.
//
//   drive_narrow SECONDS FOLDER SEED ...    so many for each seed; what fails goes into the folder
//
// Each turn makes a scene (plan.c) and picks one of the comparisons that it meets. Then it changes
// number after number, and keeps what brings that comparison nearer to its allowance. What fails is
// written as it is, to be replayed, and kept. Told in the end: how near to its allowance each
// comparison came in what did not fail.
#define _POSIX_C_SOURCE 200809L // siglongjmp, alarm
#include "plan.h"
#include "scene.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// How long a run may take, s; what is written of a seed.
enum { LONGEST = 10, MOST_FAILED = 20 };

typedef struct drive {
    const char *folder;
    uint64_t seed;
    unsigned long runs, failed;
    double most[SCENE_SHARES]; // by the place of the comparison
} drive;

static sigjmp_buf left;

static void leave(int number)
{
    siglongjmp(left, number);
}

static void keep_failed(const drive *d, const uint8_t *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/seed_%" PRIu64 "_run_%lu", d->folder, d->seed, d->runs);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        fprintf(stderr, "drive_narrow: cannot write %s\n", path);
    else
        printf("%s\n", path);
    fflush(stdout);
}

// False where the checks fail, or the run ends by a signal or does not end.
static bool run(drive *d, const fuzz_plan *plan)
{
    static uint8_t bytes[PLAN_BYTES]; // kept over the jump, as is the next
    static size_t size;
    size = plan_write(plan, bytes);
    d->runs++;
    scene_forget_shares();
    int number = sigsetjmp(left, 1);
    if (number == 0) {
        alarm(LONGEST);
        (void)LLVMFuzzerTestOneInput(bytes, size);
    }
    alarm(0);
    if (number == 0)
        return true;
    fprintf(stderr, "  signal %d\n", number);
    if (d->failed++ < MOST_FAILED)
        keep_failed(d, bytes, size);
    return false;
}

// Notes what the last run came to; returns the share at the place.
static double note(drive *d, uint32_t place)
{
    const scene_share *shares;
    uint32_t count = scene_shares(&shares);
    for (uint32_t i = 0; i < count; i++)
        d->most[i] = fmax(d->most[i], shares[i].share);
    return place < count ? shares[place].share : 0.0;
}

// Any of the comparisons of the last run; those that it was not near to may be raised, too.
static uint32_t pick(void)
{
    const scene_share *shares;
    uint32_t count = scene_shares(&shares), place = 0;
    for (int i = 0; i < 8 && count > 0; i++) {
        place = (uint32_t)(plan_bits() % count);
        if (shares[place].share > 0.0)
            break;
    }
    return place;
}

static void climb(drive *d)
{
    fuzz_plan best, plan;
    plan_scene(&best);
    if (!run(d, &best))
        return;
    uint32_t place = pick();
    double share = note(d, place);
    int patience = 10 << plan_bits() % 6; // most scenes lead nowhere, and some far
    for (int vain = 0; vain < patience; vain++) {
        plan = best;
        do
            plan_change(&plan);
        while (plan_bits() % 3 == 0);
        if (!run(d, &plan))
            return;
        double reached = note(d, place);
        if (!(reached >= share))
            continue;
        if (reached > share)
            vain = 0;
        share = reached;
        best = plan;
    }
}

static void tell(const drive *d)
{
    const scene_share *shares;
    uint32_t count = scene_shares(&shares);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = strrchr(shares[i].file, '/');
        printf("%6.3f %s:%d\n", d->most[i], name != NULL ? name + 1 : shares[i].file,
               shares[i].line);
    }
    printf("seed %" PRIu64 ": %lu runs, %lu failed\n", d->seed, d->runs, d->failed);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS, SIGALRM};
    unsigned long failed = 0;
    if (argc < 4) {
        fprintf(stderr, "usage: drive_narrow SECONDS FOLDER SEED ...\n");
        return 2;
    }
    struct sigaction action = {.sa_handler = leave};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
    for (int i = 3; i < argc; i++) {
        static drive d;
        memset(&d, 0, sizeof d);
        d.folder = argv[2];
        d.seed = strtoull(argv[i], NULL, 10);
        plan_seed(d.seed);
        time_t end = time(NULL) + (time_t)strtoul(argv[1], NULL, 10);
        while (time(NULL) < end)
            climb(&d);
        tell(&d);
        failed += d.failed;
    }
    return failed > 0;
}
