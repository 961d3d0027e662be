// A small pool of threads behind trv_workers: what a game that has no job system of its own may copy.
//
// The threads sleep until parallel_for hands them work; ranges are taken from a shared counter.
// Where there are no POSIX threads, everything runs on the calling thread.
#ifndef EXAMPLE_WORKERS_H
#define EXAMPLE_WORKERS_H

#include <trivet/base.h>

#if !defined(_WIN32)

#include <pthread.h>

#define WORKERS_MAX 64

typedef struct worker_pool worker_pool;

typedef struct worker {
    worker_pool *pool;
    uint32_t number; // 0 is the thread that calls parallel_for
    pthread_t thread;
} worker;

struct worker_pool {
    pthread_mutex_t lock;
    pthread_cond_t work_waits, work_done;
    uint32_t count;
    uint32_t busy;  // threads still on this round
    uint64_t round; // counts the calls of parallel_for
    bool quit;
    uint32_t next, items, chunk; // the next item to take, of how many, how many at once
    trv_range_fn *fn;
    void *context;
    worker workers[WORKERS_MAX];
};

static void workers_run(worker_pool *pool, uint32_t number)
{
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        uint32_t first = pool->next, left = pool->items - first;
        uint32_t last = first + (left < pool->chunk ? left : pool->chunk);
        pool->next = last;
        pthread_mutex_unlock(&pool->lock);
        if (first == last)
            return;
        pool->fn(pool->context, first, last, number);
    }
}

static void *workers_main(void *argument)
{
    worker *self = argument;
    worker_pool *pool = self->pool;
    uint64_t seen = 0;
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        while (pool->round == seen && !pool->quit)
            pthread_cond_wait(&pool->work_waits, &pool->lock);
        seen = pool->round;
        bool quit = pool->quit;
        pthread_mutex_unlock(&pool->lock);
        if (quit)
            return NULL;
        workers_run(pool, self->number);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->work_done);
        pthread_mutex_unlock(&pool->lock);
    }
}

static void workers_parallel_for(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                                 void *context)
{
    worker_pool *pool = user;
    uint32_t share = items / (4 * pool->count) + 1;
    pthread_mutex_lock(&pool->lock);
    pool->next = 0;
    pool->items = items;
    pool->chunk = share > grain ? share : grain;
    pool->fn = fn;
    pool->context = context;
    pool->busy = pool->count - 1;
    pool->round++;
    pthread_cond_broadcast(&pool->work_waits);
    pthread_mutex_unlock(&pool->lock);
    workers_run(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->work_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

// Starts `count` workers, the calling thread among them. Fewer than asked for where threads run out.
static void workers_start(worker_pool *pool, uint32_t count)
{
    pool->count = 1;
    pool->round = 0;
    pool->quit = false;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_waits, NULL);
    pthread_cond_init(&pool->work_done, NULL);
    for (uint32_t i = 1; i < count && i < WORKERS_MAX; i++) {
        worker *w = &pool->workers[i];
        w->pool = pool;
        w->number = i;
        if (pthread_create(&w->thread, NULL, workers_main, w) != 0)
            return;
        pool->count++;
    }
}

static void workers_stop(worker_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work_waits);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 1; i < pool->count; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->work_done);
    pthread_cond_destroy(&pool->work_waits);
    pthread_mutex_destroy(&pool->lock);
}

static trv_workers workers_hook(worker_pool *pool)
{
    trv_workers hook = {pool, pool->count, pool->count > 1 ? workers_parallel_for : NULL};
    return hook;
}

#else

typedef struct worker_pool {
    uint32_t count;
} worker_pool;

static void workers_start(worker_pool *pool, uint32_t count)
{
    (void)count;
    pool->count = 1;
}

static void workers_stop(worker_pool *pool)
{
    pool->count = 0;
}

static trv_workers workers_hook(worker_pool *pool)
{
    trv_workers hook = {pool, 1, NULL};
    return hook;
}

#endif

#endif
