// A pool of threads behind trv_workers.
//
// Each worker has a share of the items of a call, the same part of them in each call: what it has in
// its near cache of the last call's is what the next call's need. It takes its share in pieces, a
// part of what is left at a time, so that the last ones are small; then it helps the others with
// theirs. A call is a round: the caller writes down what to do, opens the round, takes pieces itself,
// closes the round, and waits until nobody is inside any more. A thread that is late finds the round
// closed and has not looked at anything; so nobody waits for a thread that has yet to wake.
//
// Threads look out for a round for a while before they sleep: a step hands over work a hundred times,
// a few microseconds apart, and waking takes longer than that.
//
// Invariant: what a round consists of changes only while it is closed and nobody is inside. A thread
// counts itself in before it looks whether the round is open; the caller closes before it looks whether
// anyone is in. Both orders are sequentially consistent, so one of the two sees the other.
#if !defined(_POSIX_C_SOURCE) && !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L // pthread.h, unistd.h
#endif
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE // _SC_NPROCESSORS_ONLN
#endif
#include "base.h"
#include "threads_os.h"

#include <trivet/threads.h>

#include <string.h>

enum {
    // A piece is one of so many equal parts of what is left of a share, down to the grain. That the
    // first ones are large costs nothing: others may take what is behind them.
    PART = 4,
    // Of a share: after k pieces no more than (3/4)^k of 2^32 items and 3 are left, after 72 of them
    // fewer than 8, each of which may be a piece.
    PIECES_MOST = 80,
    // How often a thread looks for work before it sleeps: some tenths of a millisecond, which is more
    // than most of what a step does on one thread alone between two rounds. Who sleeps comes tens of
    // microseconds late to the next round.
    LOOKS = 10000,
    // How often the caller looks whether the others have ended, before it lets them have its processor.
    PATIENCE = 200
};

#if TRVI_THREADS

typedef struct worker {
    trv_threads *threads;
    uint32_t number; // 0 is the thread that calls
    trvi_thread thread;
} worker;

// What is written often does not share a line of the cache with anything else.
typedef struct portion {
    char apart[60];
    trvi_counter next; // piece
} portion;

struct trv_threads {
    trv_allocator allocator;
    uint32_t count;
    // The round: what is to be done.
    trv_range_fn *fn;
    void *context;
    uint32_t items, shares;
    uint32_t pieces;            // of a share
    uint32_t ends[PIECES_MOST]; // of the pieces, from the beginning of a share
    portion of[TRVI_WORKERS_MAX];
    char apart_1[64];
    trvi_counter inside; // threads that may be looking at the round
    char apart_2[64];
    trvi_counter round;  // odd: open
    trvi_counter asleep; // threads that wait at the gate
    trvi_counter quit;
    trvi_counter taken; // by a caller
    trvi_gate gate;
    worker workers[TRVI_WORKERS_MAX];
};

static void take_share(trv_threads *threads, uint32_t share, uint32_t number)
{
    trvi_counter *next = &threads->of[share].next;
    const trvi_share s = trvi_share_of(threads->items, threads->shares, share);
    uint32_t count = s.last - s.first;
    while (trvi_counter_get(next) < threads->pieces) {
        uint32_t piece = trvi_counter_add(next, 1);
        if (piece >= threads->pieces)
            return;
        uint32_t first = piece > 0 ? threads->ends[piece - 1] : 0, last = threads->ends[piece];
        last = last < count ? last : count; // one less, in some shares
        if (first < last)
            threads->fn(threads->context, s.first + first, s.first + last, number);
    }
}

static void take_pieces(trv_threads *threads, uint32_t number)
{
    for (uint32_t i = 0; i < threads->shares; i++)
        take_share(threads, (number + i) % threads->shares, number);
}

// As many shares as there are workers, or, of few items, as it would take pieces of the grain.
static void deal(trv_threads *threads, uint32_t items, uint32_t grain)
{
    uint32_t most = (items - 1) / grain + 1;
    threads->items = items;
    threads->shares = most < threads->count ? most : threads->count;
    threads->pieces = 0;
    uint32_t count = (items - 1) / threads->shares + 1;
    for (uint32_t end = 0; end < count;) {
        uint32_t left = count - end, size = left / PART > grain ? left / PART : grain;
        end += size < left ? size : left;
        threads->ends[threads->pieces++] = end;
    }
    for (uint32_t i = 0; i < threads->shares; i++)
        trvi_counter_swap(&threads->of[i].next, 0);
}

static bool is_news(trv_threads *threads, uint32_t seen)
{
    uint32_t round = trvi_counter_get(&threads->round);
    return (round % 2 == 1 && round != seen) || trvi_counter_get(&threads->quit) != 0;
}

// Returns when there is a round that this thread has not seen, or the pool ends.
static void wait_for_news(trv_threads *threads, uint32_t seen)
{
    for (int look = 0; look < LOOKS; look++) {
        if (is_news(threads, seen))
            return;
        trvi_pause();
    }
    trvi_gate_lock(&threads->gate);
    trvi_counter_add(&threads->asleep, 1);
    while (!is_news(threads, seen))
        trvi_gate_wait(&threads->gate);
    trvi_counter_add(&threads->asleep, UINT32_MAX);
    trvi_gate_unlock(&threads->gate);
}

static trvi_thread_result TRVI_THREAD_CALL run_worker(void *argument)
{
    const worker *self = argument;
    trv_threads *threads = self->threads;
    for (uint32_t seen = 0;;) {
        wait_for_news(threads, seen);
        if (trvi_counter_get(&threads->quit) != 0)
            return 0;
        trvi_counter_add(&threads->inside, 1);
        seen = trvi_counter_get(&threads->round);
        if (seen % 2 == 1)
            take_pieces(threads, self->number);
        trvi_counter_add(&threads->inside, UINT32_MAX);
    }
}

static void wake(trv_threads *threads)
{
    if (trvi_counter_get(&threads->asleep) == 0)
        return;
    trvi_gate_lock(&threads->gate);
    trvi_gate_wake_all(&threads->gate);
    trvi_gate_unlock(&threads->gate);
}

static void parallel_for(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                         void *context)
{
    trv_threads *threads = user;
    if (items == 0)
        return;
    grain = grain > 0 ? grain : 1;
    if (items <= grain || trvi_counter_swap(&threads->taken, 1) != 0) {
        fn(context, 0, items, 0);
        return;
    }
    threads->fn = fn;
    threads->context = context;
    deal(threads, items, grain);
    trvi_counter_add(&threads->round, 1);
    wake(threads);
    take_pieces(threads, 0);
    trvi_counter_add(&threads->round, 1);
    for (int looks = 0; trvi_counter_get(&threads->inside) != 0; looks++) {
        if (looks % PATIENCE == PATIENCE - 1)
            trvi_yield();
        else
            trvi_pause();
    }
    trvi_counter_swap(&threads->taken, 0);
}

static void start(trv_threads *threads, uint32_t count)
{
    trvi_gate_init(&threads->gate);
    for (threads->count = 1; threads->count < count; threads->count++) {
        worker *w = &threads->workers[threads->count];
        w->threads = threads;
        w->number = threads->count;
        if (!trvi_thread_start(&w->thread, run_worker, w))
            return;
    }
}

static void stop(trv_threads *threads)
{
    trvi_counter_swap(&threads->quit, 1);
    wake(threads);
    for (uint32_t i = 1; i < threads->count; i++)
        trvi_thread_join(threads->workers[i].thread);
    trvi_gate_end(&threads->gate);
}

#else

struct trv_threads {
    trv_allocator allocator;
    uint32_t count;
};

static uint32_t trvi_processors(void)
{
    return 1;
}

static void parallel_for(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                         void *context)
{
    (void)user;
    (void)grain;
    if (items > 0)
        fn(context, 0, items, 0);
}

static void start(trv_threads *threads, uint32_t count)
{
    (void)count;
    threads->count = 1;
}

static void stop(trv_threads *threads)
{
    (void)threads;
}

#endif

trv_threads_def trv_default_threads_def(void)
{
    trv_threads_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TRVI_COOKIE_THREADS;
    return def;
}

trv_result trv_threads_create(const trv_threads_def *def, trv_threads **threads)
{
    if (threads == NULL)
        return TRV_ERROR_NULL;
    *threads = NULL;
    if (def == NULL)
        return TRV_ERROR_NULL;
    if (def->cookie != TRVI_COOKIE_THREADS)
        return TRV_ERROR_DEF;
    if (def->count > TRVI_WORKERS_MAX)
        return TRV_ERROR_RANGE;
    trv_allocator allocator = trvi_allocator_or_default(def->allocator);
    trv_threads *pool = trvi_allocate(&allocator, sizeof *pool);
    if (pool == NULL)
        return TRV_ERROR_MEMORY;
    pool->allocator = allocator;
    uint32_t count = def->count > 0 ? def->count : trvi_processors();
    start(pool, count < TRVI_WORKERS_MAX ? count : TRVI_WORKERS_MAX);
    *threads = pool;
    return TRV_OK;
}

void trv_threads_destroy(trv_threads *threads)
{
    if (threads == NULL)
        return;
    stop(threads);
    trv_allocator allocator = threads->allocator;
    trvi_free(&allocator, threads, sizeof *threads);
}

trv_workers trv_threads_workers(trv_threads *threads)
{
    trv_workers workers = {NULL, 1, NULL};
    if (threads != NULL && threads->count > 1) {
        workers.user = threads;
        workers.count = threads->count;
        workers.parallel_for = parallel_for;
    }
    return workers;
}
