// The process runner of bench_convex: fork once the scene is there, one child for each contestant,
// which loads its module, answers a byte on one pipe with a round's figures on another, and ends
// with the parent. The parent never loads a module: two builds of one library would meet there.
#define _POSIX_C_SOURCE 200809L
#include "runner.h"

#include <dlfcn.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define BAND       1.0e-4 // of the size: nearer to touching than this, either verdict is right
#define ROUND_TIME 5.0e6  // ns of CPU time that a round takes at least

typedef struct figures {
    double time; // ns per query
    bench_marks marks;
} figures;

typedef struct child {
    pid_t pid; // 0: none
    int ask, answer;
    double times[BENCH_MOST_ROUNDS];
} child;

static bool read_all(int from, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        ssize_t got = read(from, at, size);
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static bool write_all(int to, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t put = write(to, at, size);
        if (put <= 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

static const bench_library *load(const char *path)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = module != NULL ? dlsym(module, "bench_library_get") : NULL;
    bench_library_fn *get;
    if (symbol == NULL) {
        fprintf(stderr, "bench: %s\n", dlerror());
        return NULL;
    }
    memcpy(&get, &symbol, sizeof get); // what POSIX promises and C has no cast for
    return get();
}

// ------------------------------------------------------------------------------- in the child

static void judge(bench_marks *marks, const bench_answer *answer, const bench_truth *truth,
                  double size)
{
    double wrong = fabs(answer->distance - 0.5 * (truth->low + truth->high)) / size;
    bool apart = truth->low > BAND * size, deep = truth->high < -BAND * size;
    marks->queries++;
    marks->overlaps += answer->overlap;
    marks->apart += !answer->overlap;
    marks->remembered += answer->remembered;
    marks->points += answer->points;
    marks->false_overlap += answer->overlap && apart;
    marks->false_apart += !answer->overlap && deep;
    if (!answer->measured)
        return;
    if (apart && !answer->overlap) {
        marks->distances++;
        marks->distance_error = fmax(marks->distance_error, wrong);
    } else if (deep && answer->overlap) {
        marks->depths++;
        marks->depth_error = fmax(marks->depth_error, wrong);
    }
}

// Forwards and backwards through the frames once. Judges where there are `marks`.
static void play(const bench_scene *scene, const bench_contestant *contestant, void **objects,
                 bench_marks *marks, double size)
{
    uint32_t last = scene->frames - 1;
    for (uint32_t step = 0; step < 2 * last; step++) {
        uint32_t frame = step < last ? step : 2 * last - step;
        for (uint32_t i = 0; i < scene->count; i++) {
            bench_answer answer = {0};
            contestant->query(objects[i], frame, &answer);
            if (marks != NULL)
                judge(marks, &answer, &scene->pairs[i].frames[frame].truth, size);
        }
    }
}

// The first round is judged, the others are timed.
static void serve(const bench_scene *scene, double size, const bench_entry *entry, int ask, int to)
{
    const bench_library *library = load(entry->module);
    void **objects = bench_allocate(scene->count, sizeof *objects);
    figures out = {0};
    char byte;
    if (library == NULL)
        return;
    const bench_contestant *contestant = &library->contestants[entry->index];
    for (uint32_t i = 0; i < scene->count; i++)
        objects[i] = contestant->create(&scene->pairs[i], scene->frames);
    while (read_all(ask, &byte, 1)) {
        if (out.marks.queries == 0) {
            play(scene, contestant, objects, &out.marks, size);
            out.marks.points /= out.marks.queries;
        } else {
            double start = bench_cpu(), spent = 0.0;
            uint32_t plays = 0;
            for (; spent < ROUND_TIME; plays++) {
                play(scene, contestant, objects, NULL, size);
                spent = bench_cpu() - start;
            }
            out.time = spent / plays / out.marks.queries;
        }
        if (!write_all(to, &out, sizeof out))
            return;
    }
}

// ------------------------------------------------------------------------------ in the parent

// A child with a pipe each way; true in the child. `others` are the children there are already,
// whose pipes it closes, or they would not see their end.
static bool split(child *made, int *ask, int *to, const child *others, uint32_t count)
{
    int asks[2], answers[2];
    memset(made, 0, sizeof *made);
    if (pipe(asks) != 0 || pipe(answers) != 0) {
        perror("bench: pipe");
        exit(1);
    }
    fflush(NULL);
    made->pid = fork();
    if (made->pid < 0) {
        perror("bench: fork");
        exit(1);
    }
    bool inside = made->pid == 0;
    for (uint32_t i = 0; inside && i < count; i++) {
        if (others[i].pid > 0) {
            close(others[i].ask);
            close(others[i].answer);
        }
    }
    if (inside)
        dup2(2, 1); // what a library prints is no result
    close(inside ? asks[1] : asks[0]);
    close(inside ? answers[0] : answers[1]);
    *ask = asks[0];
    *to = answers[1];
    made->ask = asks[1];
    made->answer = answers[0];
    return inside;
}

// Waits for the child's end. What ended it goes into `note`, where nothing stands there yet.
static void join(child *of, char *note, size_t size)
{
    int status = 0;
    if (of->pid == 0)
        return;
    close(of->ask);
    close(of->answer);
    waitpid(of->pid, &status, 0);
    of->pid = 0;
    if (note[0] == '\0' && WIFSIGNALED(status))
        snprintf(note, size, "ended by signal %d", WTERMSIG(status));
}

bench_entry *bench_list(const char *const *modules, uint32_t count, uint32_t *entries)
{
    bench_entry *list = NULL, entry;
    *entries = 0;
    for (uint32_t m = 0; m < count; m++) {
        child lister;
        int ask, to;
        char note[96] = "";
        if (split(&lister, &ask, &to, NULL, 0)) {
            const bench_library *library = load(modules[m]);
            for (uint32_t i = 0; library != NULL && i < library->count; i++) {
                const bench_contestant *from = &library->contestants[i];
                memset(&entry, 0, sizeof entry);
                snprintf(entry.module, sizeof entry.module, "%s", modules[m]);
                snprintf(entry.name, sizeof entry.name, "%s", from->name);
                snprintf(entry.version, sizeof entry.version, "%s", library->version);
                entry.index = i;
                entry.question = from->question;
                entry.memory = from->memory;
                if (!write_all(to, &entry, sizeof entry))
                    break;
            }
            _exit(0);
        }
        while (read_all(lister.answer, &entry, sizeof entry)) {
            list = realloc(list, (*entries + 1) * sizeof *list);
            if (list == NULL)
                exit(1);
            list[(*entries)++] = entry;
        }
        join(&lister, note, sizeof note);
    }
    return list;
}

static void ask_round(child *of, uint32_t round, double budget, bench_result *result)
{
    struct pollfd wait = {of->answer, POLLIN, 0};
    figures got;
    char byte = 0;
    if (of->pid == 0)
        return;
    bool asked = write_all(of->ask, &byte, 1);
    if (asked && poll(&wait, 1, (int)(budget * 1000.0)) == 0) {
        snprintf(result->note, sizeof result->note, "more than %g s in a round", budget);
        kill(of->pid, SIGKILL);
        asked = false;
    }
    if (!asked || !read_all(of->answer, &got, sizeof got)) {
        join(of, result->note, sizeof result->note);
        if (result->note[0] == '\0')
            snprintf(result->note, sizeof result->note, "gave up");
        result->rounds = 0;
        return;
    }
    result->marks = got.marks;
    if (round > 0)
        of->times[result->rounds++] = got.time;
}

void bench_run(const bench_scene *scene, double size, const bench_entry *entries, uint32_t count,
               uint32_t rounds, double budget, bench_result *results)
{
    child *children = bench_allocate(count, sizeof *children);
    memset(results, 0, count * sizeof *results);
    signal(SIGPIPE, SIG_IGN); // a child that is gone is noticed when it does not answer
    for (uint32_t i = 0; i < count; i++) {
        int ask, to;
        if (split(&children[i], &ask, &to, children, i)) {
            serve(scene, size, &entries[i], ask, to);
            _exit(0);
        }
    }
    for (uint32_t round = 0; round <= rounds; round++)
        for (uint32_t i = 0; i < count; i++)
            ask_round(&children[i], round, budget, &results[i]);
    for (uint32_t i = 0; i < count; i++) {
        join(&children[i], results[i].note, sizeof results[i].note);
        if (results[i].rounds > 0) {
            qsort(children[i].times, results[i].rounds, sizeof(double), bench_compare);
            results[i].min = children[i].times[0];
            results[i].median = children[i].times[results[i].rounds / 2];
        }
    }
    free(children);
}
