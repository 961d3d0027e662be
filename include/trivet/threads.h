/// @file
/// A small pool of threads, for games that have no job system of their own: it makes a trv_workers for
/// the defs of worlds and broadphases. Who has one fills trv_workers by hand and needs none of this.
#ifndef TRIVET_THREADS_H
#define TRIVET_THREADS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A pool: opaque.
typedef struct trv_threads trv_threads;

/// Make it with trv_default_threads_def().
typedef struct trv_threads_def {
    uint32_t cookie;
    uint32_t count; ///< workers, the calling thread among them; 0 .. 64; default 0: as many as the
                    ///< machine has processors
    trv_allocator allocator;
} trv_threads_def;

/// What holds where nothing else is said.
TRV_API trv_threads_def trv_default_threads_def(void);

/// Starts `count` - 1 threads. Where the system gives fewer, the pool has fewer; where a program is built
/// without threads, it has the calling one alone: trv_threads_workers().count tells.
/// TRV_ERROR_NULL, _DEF, _RANGE, _MEMORY.
TRV_API trv_result trv_threads_create(const trv_threads_def *def, trv_threads **threads);

/// Waits for the threads and ends them. No call of the hook may be going on, and none may follow. NULL is
/// allowed.
TRV_API void trv_threads_destroy(trv_threads *threads);

/// The hook, for any number of worlds and broadphases; valid as long as the pool. NULL gives the
/// calling thread. Threads that find no work for some tenths of a millisecond sleep until there is some.
/// Where two threads call the hook at once, or work itself calls it, the later call is done by its own
/// thread alone.
TRV_API trv_workers trv_threads_workers(trv_threads *threads);

#ifdef __cplusplus
}
#endif

#endif
