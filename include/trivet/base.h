/// @file
/// Trivet base: what every call shares. Result codes, the memory, log and worker hooks.
///
/// There is no global state: hooks travel in the def of the object that uses them. A zeroed hook
/// means "the usual one": the C runtime's memory, no log, the calling thread alone.
#ifndef TRIVET_BASE_H
#define TRIVET_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the headers: of the ABI up to 1.0 the minor one, too.
#define TRV_VERSION_MAJOR 0
/// See TRV_VERSION_MAJOR.
#define TRV_VERSION_MINOR 1
/// See TRV_VERSION_MAJOR.
#define TRV_VERSION_PATCH 0

/// @def TRV_API
/// Marks what the library exports.
#if defined(_WIN32) && defined(TRV_SHARED)
#if defined(TRV_BUILDING)
#define TRV_API __declspec(dllexport)
#else
#define TRV_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define TRV_API __attribute__((visibility("default")))
#else
#define TRV_API
#endif

/// What a call came to. Anything but TRV_OK means: nothing was changed, unless the call says otherwise,
/// and the outputs are zeroed.
typedef enum trv_result {
    TRV_OK = 0,
    TRV_ERROR_NULL,        ///< a pointer that must not be NULL is NULL
    TRV_ERROR_DEF,         ///< a def that did not come from its trv_default_..._def()
    TRV_ERROR_NUMBER,      ///< a number is NaN or infinite
    TRV_ERROR_RANGE,       ///< a number is outside its stated range; data is cut short or damaged
    TRV_ERROR_ROTATION,    ///< a quaternion is not of unit length
    TRV_ERROR_INDEX,       ///< an index points past the end of its array
    TRV_ERROR_STALE,       ///< an id whose object is gone or never was; a save whose hull is gone
    TRV_ERROR_FOREIGN,     ///< an id or a save of another world
    TRV_ERROR_BUSY,        ///< a call that changes a world while that world is stepping
    TRV_ERROR_KIND,        ///< the call does not fit this kind of object; data of another format
    TRV_ERROR_LIMIT,       ///< a limit in the def is reached, or an array too short
    TRV_ERROR_MEMORY,      ///< the allocator returned NULL
    TRV_ERROR_FILE,        ///< a file cannot be opened, read or written
    TRV_ERROR_SYNTAX,      ///< text that does not follow its format; the report says where and why
    TRV_ERROR_NO_GEOMETRY, ///< there is not one vertex
    TRV_ERROR_TOO_FEW,     ///< fewer than four points for a hull, or a set of none
    TRV_ERROR_COINCIDENT,  ///< all points are one point
    TRV_ERROR_COLLINEAR,   ///< all points lie on one line
    TRV_ERROR_COPLANAR,    ///< all points lie in one plane
    TRV_ERROR_OPEN,        ///< a mesh is not closed where a solid is needed
    TRV_ERROR_INVERTED,    ///< a mesh is wound inside out where a solid is needed
    TRV_ERROR_VOLUME,      ///< the volume, mass or inertia is zero or cannot be represented
    TRV_RESULT_COUNT
} trv_result;

/// One sentence for a result code, in English, never NULL (also for values that are no code).
TRV_API const char *trv_result_text(trv_result result);

/// The library's version at run time, to compare with TRV_VERSION_... at compile time.
TRV_API void trv_version(int *major, int *minor, int *patch);

/// Memory hook. `block` is NULL to allocate; `new_size` is 0 to free (the return value is ignored);
/// else the block grows or shrinks, and its first min(old_size, new_size) bytes stay. Returns NULL
/// when there is no memory; the old block is then still valid. Blocks are aligned as by malloc, at
/// least to 16 bytes. Called from the thread that made the call, never from workers.
typedef struct trv_allocator {
    void *user;
    void *(*reallocate)(void *user, void *block, size_t old_size, size_t new_size);
} trv_allocator;

/// How much a line of the log matters.
typedef enum trv_log_level { TRV_LOG_INFO, TRV_LOG_WARNING, TRV_LOG_ERROR } trv_log_level;

/// Log hook: one line of UTF-8 text without a line end, valid during the call only. Called from the
/// thread that made the call, never from workers.
typedef struct trv_log {
    void *user;
    void (*write)(void *user, trv_log_level level, const char *text);
} trv_log;

/// Work on the items [first, last). `worker` is in [0, count of trv_workers).
typedef void trv_range_fn(void *context, uint32_t first, uint32_t last, uint32_t worker);

/// Worker hook. `parallel_for` calls `fn` for disjoint ranges that together cover [0, items), from
/// up to `count` threads at once, each with its own worker number, and returns when all are done.
/// `grain` is the smallest range worth a hand-over. Results never depend on how ranges are dealt.
typedef struct trv_workers {
    void *user;
    uint32_t count; ///< how many workers, 1..64; 0 means 1: the calling thread
    void (*parallel_for)(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                         void *context);
} trv_workers;

#ifdef __cplusplus
}
#endif

#endif
