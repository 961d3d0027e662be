// What fuzzers demand, and an allocator that counts.
#ifndef TRV_TESTS_FUZZ_MEMORY_H
#define TRV_TESTS_FUZZ_MEMORY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Fails the run, and names the line, unless `condition` holds. Also in builds without assertions.
#define demand(condition)                                                                          \
    ((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__, __func__))

static inline _Noreturn void fuzz_fail(const char *condition, const char *file, int line,
                                       const char *function)
{
    fprintf(stderr, "%s:%d: %s: not so: %s\n", file, line, function, condition);
    abort();
}

// Counts what is live, the most there was, and fails at call number `fail_at`.
typedef struct fuzz_memory {
    size_t live, most, calls, fail_at;
} fuzz_memory;

static inline void *fuzz_reallocate(void *user, void *block, size_t old_size, size_t new_size)
{
    fuzz_memory *memory = user;
    if (new_size == 0) {
        demand(memory->live >= old_size);
        memory->live -= old_size;
        free(block);
        return NULL;
    }
    if (memory->calls++ == memory->fail_at)
        return NULL;
    if (memory->live + new_size > memory->most) // both blocks are there for a moment
        memory->most = memory->live + new_size;
    void *grown = malloc(new_size);
    demand(grown != NULL);
    if (block != NULL) {
        memcpy(grown, block, old_size < new_size ? old_size : new_size);
        free(block);
    }
    memory->live += new_size - old_size;
    return grown;
}

#endif
