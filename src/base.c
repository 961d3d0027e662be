// Base: result texts and the hooks' defaults. Everything here is free of state.
#if defined(__linux__)
#define _DEFAULT_SOURCE // madvise
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const result_texts[TRV_RESULT_COUNT] = {
    [TRV_OK] = "success",
    [TRV_ERROR_NULL] = "a required pointer is NULL",
    [TRV_ERROR_DEF] = "the def was not made by its default function",
    [TRV_ERROR_NUMBER] = "a number is NaN or infinite",
    [TRV_ERROR_RANGE] = "a number is out of range, or data is cut short or damaged",
    [TRV_ERROR_ROTATION] = "a quaternion is not of unit length",
    [TRV_ERROR_INDEX] = "an index is out of range",
    [TRV_ERROR_STALE] = "the object does not exist, or no longer",
    [TRV_ERROR_FOREIGN] = "the id or the save belongs to another world",
    [TRV_ERROR_BUSY] = "the world is stepping",
    [TRV_ERROR_KIND] = "the call does not fit this kind of object, or data is of another format",
    [TRV_ERROR_LIMIT] = "a limit of the def is reached, or an array is too short for the answer",
    [TRV_ERROR_MEMORY] = "out of memory",
    [TRV_ERROR_FILE] = "the file cannot be opened, read or written",
    [TRV_ERROR_SYNTAX] = "the text does not follow its format",
    [TRV_ERROR_NO_GEOMETRY] = "there is no vertex",
    [TRV_ERROR_TOO_FEW] = "there are too few points; a hull needs four",
    [TRV_ERROR_COINCIDENT] = "all points coincide",
    [TRV_ERROR_COLLINEAR] = "all points lie on one line",
    [TRV_ERROR_COPLANAR] = "all points lie in one plane",
    [TRV_ERROR_OPEN] = "the mesh is not closed",
    [TRV_ERROR_INVERTED] = "the mesh is inside out",
    [TRV_ERROR_VOLUME] = "the volume, mass or inertia is zero or out of range",
};

const char *trv_result_text(trv_result result)
{
    if ((int)result < 0 || result >= TRV_RESULT_COUNT)
        return "not a result code";
    return result_texts[result];
}

void trv_version(int *major, int *minor, int *patch)
{
    if (major)
        *major = TRV_VERSION_MAJOR;
    if (minor)
        *minor = TRV_VERSION_MINOR;
    if (patch)
        *patch = TRV_VERSION_PATCH;
}

#if defined(TRVI_ASSERTS)
void trvi_assert_failed(const char *text, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, text);
    abort();
}
#endif

void *trvi_allocate(const trv_allocator *allocator, size_t size)
{
    void *block = allocator->reallocate(allocator->user, NULL, 0, size);
    if (block)
        memset(block, 0, size);
    return block;
}

void trvi_free(const trv_allocator *allocator, void *block, size_t size)
{
    if (block)
        allocator->reallocate(allocator->user, block, size, 0);
}

// Bytes: from where on arrays grow by less; of a line of the cache.
enum { LARGE_ARRAY = 1 << 24, LINE = 64 };

// Of the allocation.
static size_t size_of_array(const trvi_array *array, uint64_t capacity)
{
    size_t size = (size_t)capacity * array->stride;
    return array->in_lines && size > 0 ? size + LINE - 1 : size;
}

// What lies before its first line, of an array that is to begin at one.
static size_t bytes_before(const trvi_array *array, const char *block)
{
    return array->in_lines ? (LINE - (uintptr_t)block % LINE) % LINE : 0;
}

static bool grow_array(const trv_allocator *allocator, trvi_array *array, uint64_t wanted)
{
    if (wanted > UINT32_MAX || wanted * array->stride > SIZE_MAX / 2)
        return false;
    size_t old_size = (size_t)array->capacity * array->stride;
    size_t new_size = (size_t)wanted * array->stride;
    size_t held = array->bare ? (size_t)array->count * array->stride : old_size;
    char *block = array->items == NULL ? NULL : (char *)array->items - array->before;
    block = allocator->reallocate(allocator->user, block, size_of_array(array, array->capacity),
                                  size_of_array(array, wanted));
    if (block == NULL)
        return false;
    size_t before = bytes_before(array, block);
    char *items = block + before;
    if (before != array->before && held > 0) // the new place lies otherwise to the lines
        memmove(items, block + array->before, held);
    if (!array->bare)
        memset(items + old_size, 0, new_size - old_size);
    array->items = items;
    array->before = (uint8_t)before;
    array->capacity = (uint32_t)wanted;
    return true;
}

// Notes that so much was asked for, and is there.
static bool note_needed(trvi_array *array, uint32_t capacity)
{
    array->needed = capacity > array->needed ? capacity : array->needed;
    return true;
}

bool trvi_array_reserve(const trv_allocator *allocator, trvi_array *array, uint32_t capacity)
{
    if (capacity <= array->capacity)
        return note_needed(array, capacity);
    // What is large grows by less: the room that it does not need is memory, too.
    bool large = (uint64_t)array->capacity * array->stride >= LARGE_ARRAY;
    uint64_t grown = (uint64_t)array->capacity + array->capacity / (large ? 8 : 2);
    uint64_t wanted = grown > capacity ? grown : capacity;
    return grow_array(allocator, array, wanted < 16 ? 16 : wanted) && note_needed(array, capacity);
}

bool trvi_array_reserve_just(const trv_allocator *allocator, trvi_array *array, uint32_t capacity)
{
    return (capacity <= array->capacity || grow_array(allocator, array, capacity)) &&
           note_needed(array, capacity);
}

void trvi_array_shrink(const trv_allocator *allocator, trvi_array *array, uint32_t capacity)
{
    TRVI_ASSERT(array->count <= capacity && !array->in_lines);
    if (capacity >= array->capacity)
        return;
    if (capacity == 0) {
        trvi_array_free(allocator, array);
        return;
    }
    void *items =
        allocator->reallocate(allocator->user, array->items, size_of_array(array, array->capacity),
                              size_of_array(array, capacity));
    if (items == NULL)
        return;
    array->items = items;
    array->capacity = capacity;
}

void trvi_array_free(const trv_allocator *allocator, trvi_array *array)
{
    if (array->items != NULL)
        trvi_free(allocator, (char *)array->items - array->before,
                  size_of_array(array, array->capacity));
    array->items = NULL;
    array->count = 0;
    array->capacity = 0;
    array->before = 0;
}

void trvi_log(const trv_log *log, trv_log_level level, const char *format, ...)
{
    if (log->write == NULL)
        return;
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    log->write(log->user, level, text);
}

// What is handed to the workers, whose threads may be the caller's own.
typedef struct handed {
    trv_range_fn *fn;
    void *context;
} handed;

static void run_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    const handed *job = context;
    uint64_t found = trvi_floating_begin();
    job->fn(job->context, first, last, worker);
    trvi_floating_end(found);
}

void trvi_parallel_for(const trv_workers *workers, uint32_t items, uint32_t grain, trv_range_fn *fn,
                       void *context)
{
    if (items == 0)
        return;
    handed job = {fn, context};
    if (workers->parallel_for == NULL || workers->count <= 1 || items <= grain)
        run_range(&job, 0, items, 0);
    else
        workers->parallel_for(workers->user, items, grain, run_range, &job);
}

uint32_t trvi_share_count(const trv_workers *workers, uint32_t items, uint32_t least)
{
    enum { EACH = 8 }; // so many for a worker: who is done early takes another
    if (items == 0 || workers->parallel_for == NULL || workers->count <= 1)
        return items > 0;
    uint32_t most = workers->count * EACH, shares = items / least;
    most = most < TRVI_SHARES_MAX ? most : TRVI_SHARES_MAX;
    shares = shares < most ? shares : most;
    return shares > 0 ? shares : 1;
}

trvi_share trvi_share_of(uint32_t items, uint32_t shares, uint32_t share)
{
    return (trvi_share){(uint32_t)((uint64_t)items * share / shares),
                        (uint32_t)((uint64_t)items * (share + 1) / shares)};
}

uint32_t trvi_join_shares(void *array, size_t stride, uint32_t items, uint32_t shares,
                          const uint32_t *held)
{
    uint32_t count = 0;
    for (uint32_t share = 0; share < shares; share++) {
        uint32_t first = trvi_share_of(items, shares, share).first;
        if (first != count && held[share] > 0)
            memmove((char *)array + count * stride, (char *)array + first * stride,
                    held[share] * stride);
        count += held[share];
    }
    return count;
}
