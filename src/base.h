// What every layer stands on: allocation through the caller's hook, logging, workers, assertions.
#ifndef TRVI_BASE_H
#define TRVI_BASE_H

#include <trivet/base.h>
#include <trivet/types.h>

#ifdef __FAST_MATH__
#error "trivet is to be built without -ffast-math: it tells numbers from NaN, and has equal bits"
#endif

// An assertion states what our own code promises; data from callers is checked with result codes.
#if defined(TRVI_ASSERTS)
void trvi_assert_failed(const char *text, const char *file, int line);
#define TRVI_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : trvi_assert_failed(#condition, __FILE__, __LINE__))
#else
#define TRVI_ASSERT(condition) ((void)0)
#endif

// Functions for processors that have AVX or AVX2, beside those for all: whether the compiler can
// make them. Whoever calls them asks first whether the processor has it.
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && !defined(TRVI_SCALAR_LANES)
#define TRVI_CAN_EIGHT
#endif

// What stands between the two is compiled for AVX; headers of the system have no place there.
#if defined(TRVI_CAN_EIGHT) && defined(__clang__)
#define TRVI_EIGHT_BEGIN                                                                           \
    _Pragma("clang attribute push(__attribute__((target(\"avx\"))), apply_to = function)")
#define TRVI_EIGHT_END _Pragma("clang attribute pop")
#elif defined(TRVI_CAN_EIGHT)
#define TRVI_EIGHT_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx\")")
#define TRVI_EIGHT_END   _Pragma("GCC pop_options")
#endif

// The smallest functions, of an operation or two, are one with their callers even where nothing is
// optimised: builds for debuggers run a quarter quicker by it.
#if defined(__GNUC__)
#define TRVI_LEAF static inline __attribute__((always_inline))
#else
#define TRVI_LEAF static inline
#endif

// Functions that are seldom needed are not written out where they are called: what is needed always
// has the registers for itself.
#if defined(__GNUC__)
#define TRVI_RARE __attribute__((noinline))
#else
#define TRVI_RARE
#endif

// Functions of files that others join to one file (touch_eight.c): there they are that one's own.
#define TRVI_JOINED

// The value that trv_default_..._def() puts into `cookie`, different for each def.
#define TRVI_COOKIE(number) (0x54565400u + (number))
enum {
    TRVI_COOKIE_HULL = TRVI_COOKIE(1),
    TRVI_COOKIE_OBJ = TRVI_COOKIE(2),
    TRVI_COOKIE_BROAD = TRVI_COOKIE(3),
    TRVI_COOKIE_WORLD = TRVI_COOKIE(4),
    TRVI_COOKIE_BODY = TRVI_COOKIE(5),
    TRVI_COOKIE_SHAPE = TRVI_COOKIE(6),
    TRVI_COOKIE_COMPOUND = TRVI_COOKIE(7),
    TRVI_COOKIE_QUERY = TRVI_COOKIE(8),
    TRVI_COOKIE_THREADS = TRVI_COOKIE(9),
    TRVI_COOKIE_DRAW = TRVI_COOKIE(16)
};

// The hook to use for a def's allocator: the C runtime's where the caller gave none.
trv_allocator trvi_allocator_or_default(trv_allocator allocator);

// Zeroed memory, or NULL. size > 0.
void *trvi_allocate(const trv_allocator *allocator, size_t size);

// NULL is allowed and does nothing.
void trvi_free(const trv_allocator *allocator, void *block, size_t size);

// An array that grows. `items` is valid for `capacity` elements, all zero until written. Of a bare one
// only the first `count` are kept as it grows, and the others are anything: memory that is only held in
// reserve is then never touched.
// Invariant: count <= capacity, and capacity * stride is what was allocated, but for `before`.
typedef struct trvi_array {
    void *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t stride;
    uint32_t needed; // the most elements that were asked for since somebody set it to 0
    bool bare;       // set before anything is reserved
    bool in_lines;   // `items` begins at a line of the cache; set before anything is reserved
    uint8_t before;  // bytes of the allocation that lie before it then
} trvi_array;

// Room for at least `capacity` elements; grows by a half at least, and what is large by an eighth,
// so that appending costs O(1).
// False when memory ran out; the array is then unchanged.
bool trvi_array_reserve(const trv_allocator *allocator, trvi_array *array, uint32_t capacity);
// The same for what seldom grows: by no more than is asked for.
bool trvi_array_reserve_just(const trv_allocator *allocator, trvi_array *array, uint32_t capacity);
// Gives back the room beyond `capacity` elements, >= count, of an array that is not in lines; where
// the hook refuses, the array stays as it is.
void trvi_array_shrink(const trv_allocator *allocator, trvi_array *array, uint32_t capacity);
void trvi_array_free(const trv_allocator *allocator, trvi_array *array);

// One formatted line to the log hook, cut at 255 bytes; nothing without a hook.
void trvi_log(const trv_log *log, trv_log_level level, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

enum { TRVI_WORKERS_MAX = 64 }; // that a trv_workers may have

// floating.c: from the first to the second call this thread rounds as usual, and flushes nothing to zero.
// The second gets what the first gave.
uint64_t trvi_floating_begin(void);
void trvi_floating_end(uint64_t found);

// Runs fn over [0, items) through the hook, or on this thread where there is none; each thread rounds as
// usual meanwhile.
void trvi_parallel_for(const trv_workers *workers, uint32_t items, uint32_t grain, trv_range_fn *fn,
                       void *context);

// Shares of a list, a few for each worker: what is found in each is put together one after the other, and so
// in the list's own order.
enum { TRVI_SHARES_MAX = 64 };

typedef struct trvi_share {
    uint32_t first, last; // items [first, last)
} trvi_share;

// Into how many shares, at least one where there is anything; each of `least` items or more where there are
// several.
uint32_t trvi_share_count(const trv_workers *workers, uint32_t items, uint32_t least);
trvi_share trvi_share_of(uint32_t items, uint32_t shares, uint32_t share);
// Moves together what shares of an array of `items` hold, each so many from where it begins; gives how many
// that is in all.
uint32_t trvi_join_shares(void *array, size_t stride, uint32_t items, uint32_t shares,
                          const uint32_t *held);

#endif
