// What every test file shares: cmocka with its prerequisites, and comparisons that NaN fails.
#ifndef TRV_TESTS_SUPPORT_H
#define TRV_TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <trivet/types.h>

// Fails unless |value - wanted| <= tolerance; a NaN on any side fails.
#define expect_near(value, wanted, tolerance)                                                      \
    expect_near_at((double)(value), (double)(wanted), (double)(tolerance), #value, __FILE__,       \
                   __LINE__)

static inline void expect_near_at(double value, double wanted, double tolerance, const char *text,
                                  const char *file, int line)
{
    if (!(fabs(value - wanted) <= tolerance)) {
        print_error("%s = %.17g, wanted %.17g within %g\n", text, value, wanted, tolerance);
        _fail(file, line);
    }
}

// Fails unless the result code is the wanted one, and names both.
#define expect_result(call, wanted) expect_result_at((call), (wanted), #call, __FILE__, __LINE__)

static inline void expect_result_at(trv_result result, trv_result wanted, const char *text,
                                    const char *file, int line)
{
    if (result != wanted) {
        print_error("%s: '%s', wanted '%s'\n", text, trv_result_text(result),
                    trv_result_text(wanted));
        _fail(file, line);
    }
}

// Deterministic random numbers (splitmix64); print the seed of a test that fails. A call takes one of
// them at most for its arguments: compilers choose in which order they are worked out, and a test that
// fails with one should be seen to fail with all.
typedef struct test_random {
    uint64_t state;
} test_random;

static inline uint64_t random_bits(test_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

// Uniform in [lower, upper).
static inline float random_float(test_random *random, float lower, float upper)
{
    return lower + (upper - lower) * (float)(random_bits(random) >> 40) * (1.0f / 16777216.0f);
}

static inline trv_vec3 random_vec3(test_random *random, float extent)
{
    trv_vec3 v;
    v.x = random_float(random, -extent, extent);
    v.y = random_float(random, -extent, extent);
    v.z = random_float(random, -extent, extent);
    return v;
}

// A point at a height, aside by up to `extent` along x and z.
static inline trv_vec3 random_above(test_random *random, float extent, float height)
{
    trv_vec3 v = {random_float(random, -extent, extent), height, 0.0f};
    v.z = random_float(random, -extent, extent);
    return v;
}

// Bit k of its number: the upper side along axis k.
static inline trv_vec3 corner_of_box(trv_vec3 half, int i)
{
    return (trv_vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
}

// Uniform over all rotations: a point in the 4-ball, normalised.
static inline trv_quat random_quat(test_random *random)
{
    for (;;) {
        float x = random_float(random, -1.0f, 1.0f), y = random_float(random, -1.0f, 1.0f);
        float z = random_float(random, -1.0f, 1.0f), w = random_float(random, -1.0f, 1.0f);
        float square = x * x + y * y + z * z + w * w;
        if (square > 0.01f && square <= 1.0f) {
            float s = 1.0f / sqrtf(square);
            trv_quat q = {x * s, y * s, z * s, w * s};
            return q;
        }
    }
}

// About any axis, by up to `most` rad either way; axes along a cube's corners are likelier.
static inline trv_quat random_turn(test_random *random, float most)
{
    trv_vec3 axis = random_vec3(random, 1.0f);
    return trv_quat_about(axis, random_float(random, -most, most));
}

enum { PEBBLE_CORNERS = 20 }; // at most

// Corners by chance on a ball that is pressed flat along two axes; gives how many.
static inline uint32_t pebble_corners(test_random *random, float radius, trv_vec3 *corners)
{
    uint32_t count = 6 + (uint32_t)(random_bits(random) % (PEBBLE_CORNERS - 6));
    float y = random_float(random, 0.3f, 1), z = random_float(random, 0.3f, 1);
    for (uint32_t i = 0; i < count; i++) {
        trv_vec3 at = trv_rotate(random_quat(random), trv_make_vec3(radius, 0, 0));
        corners[i] = trv_make_vec3(at.x, at.y * y, at.z * z);
    }
    return count;
}

// An allocator that counts live blocks and can be told to fail: it fails the call number `fail_at`
// (from 0; SIZE_MAX never) and every later one.
typedef struct test_memory {
    size_t calls; // allocations and growths so far
    size_t fail_at;
    size_t live;  // blocks not freed
    size_t bytes; // in live blocks
} test_memory;

static inline void *test_reallocate(void *user, void *block, size_t old_size, size_t new_size)
{
    test_memory *memory = user;
    if (new_size == 0) {
        memory->live -= block != NULL;
        memory->bytes -= old_size;
        free(block);
        return NULL;
    }
    if (memory->calls++ >= memory->fail_at)
        return NULL;
    void *grown = malloc(new_size); // always moves, so that stale pointers show up
    if (grown == NULL)
        return NULL;
    if (block != NULL) {
        memcpy(grown, block, old_size < new_size ? old_size : new_size);
        free(block);
        memory->live--;
    }
    memory->live++;
    memory->bytes += new_size - old_size;
    return grown;
}

static inline trv_allocator test_allocator(test_memory *memory)
{
    trv_allocator allocator = {memory, test_reallocate};
    return allocator;
}

#endif
