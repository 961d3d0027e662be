// The default allocator: the C library's, and the system's own pages for large blocks where these can be moved.
//
// What a world holds grows by large blocks, in the middle of a step. To move one as a whole, page by page in
// the tables of the system, costs next to nothing; to copy it would cost more than the step itself, and
// memory for both meanwhile. Which of the two holds a block follows from its size alone.
#if defined(__linux__)
#define _GNU_SOURCE // mremap
#include <sys/mman.h>
#endif

#include "base.h"

#include <stdlib.h>
#include <string.h>

// Where the library checks itself, tools that watch the C library's blocks are to see all of them.
#if defined(MREMAP_MAYMOVE) && defined(MADV_HUGEPAGE) && !defined(TRVI_ASSERTS)

// Bytes: of a large page, on most systems that have them; blocks from LARGE on hold at least one as a whole.
enum { PAGE = 2 << 20, LARGE = 2 * PAGE };

static size_t in_pages(size_t size)
{
    return (size + PAGE - 1) / PAGE * PAGE;
}

// Asks for large pages: far fewer places of memory have to be looked up where a step or a save goes
// through all of a large world. No more than advice.
static void *advised(void *block, size_t size)
{
    if (block == MAP_FAILED)
        return NULL;
    (void)madvise(block, in_pages(size), MADV_HUGEPAGE);
    return block;
}

static void *take(size_t size)
{
    if (size < LARGE)
        return malloc(size);
    return advised(
        mmap(NULL, in_pages(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        size);
}

static void give(void *block, size_t size)
{
    if (size < LARGE)
        free(block);
    else
        (void)munmap(block, in_pages(size));
}

static void *runtime_reallocate(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    if (new_size > SIZE_MAX - PAGE)
        return NULL;
    if (block == NULL)
        return new_size > 0 ? take(new_size) : NULL;
    if (new_size == 0) {
        give(block, old_size);
        return NULL;
    }
    if (old_size >= LARGE && new_size >= LARGE)
        return advised(mremap(block, in_pages(old_size), in_pages(new_size), MREMAP_MAYMOVE),
                       new_size);
    if (old_size < LARGE && new_size < LARGE)
        return realloc(block, new_size);
    void *other = take(new_size);
    if (other == NULL)
        return NULL;
    memcpy(other, block, old_size < new_size ? old_size : new_size);
    give(block, old_size);
    return other;
}

#else

static void *runtime_reallocate(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size > 0)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

#endif

trv_allocator trvi_allocator_or_default(trv_allocator allocator)
{
    if (allocator.reallocate == NULL) {
        allocator.user = NULL;
        allocator.reallocate = runtime_reallocate;
    }
    return allocator;
}
