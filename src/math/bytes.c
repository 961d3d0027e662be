// Copies and sums at the speed of memory: 64-bit words, four at once.
//
// What is copied and summed is read once. A large copy is written past the caches: that saves reading
// what is about to be written over, a third of the traffic.
//
// Invariant: the sum is that of the bytes as a row of little-endian words, whatever way they went.
#include "bytes.h"

#include <string.h>

#include "lanes.h"

enum {
    CHUNK = 1 << 13, // bytes that a near cache holds twice
    LINE = 64
};

#if defined(TRVI_LANES_SSE2)

typedef struct sums {
    __m128i first[2], second[2];
} sums;

static inline __m128i load(const void *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

static sums load_sums(const trvi_sum *sum)
{
    return (sums){{load(sum->first), load(sum->first + 2)},
                  {load(sum->second), load(sum->second + 2)}};
}

static void store_sums(trvi_sum *sum, const sums *now)
{
    for (int k = 0; k < 2; k++) {
        _mm_storeu_si128((__m128i *)(void *)(sum->first + 2 * k), now->first[k]);
        _mm_storeu_si128((__m128i *)(void *)(sum->second + 2 * k), now->second[k]);
    }
}

static inline void add_stride(sums *now, __m128i a, __m128i b)
{
    now->first[0] = _mm_add_epi64(now->first[0], a);
    now->first[1] = _mm_add_epi64(now->first[1], b);
    now->second[0] = _mm_add_epi64(now->second[0], now->first[0]);
    now->second[1] = _mm_add_epi64(now->second[1], now->first[1]);
}

size_t trvi_sum_add(trvi_sum *sum, const char *bytes, size_t size)
{
    sums now = load_sums(sum);
    size_t at = 0;
    for (; size - at >= TRVI_SUM_STRIDE; at += TRVI_SUM_STRIDE)
        add_stride(&now, load(bytes + at), load(bytes + at + 16));
    store_sums(sum, &now);
    return at;
}

static inline bool can_stream(const void *to)
{
    return ((uintptr_t)to & 15) == 0;
}

static inline void put(char *to, __m128i words, bool past)
{
    if (past)
        _mm_stream_si128((__m128i *)(void *)to, words);
    else
        _mm_storeu_si128((__m128i *)(void *)to, words);
}

// Copies whole strides, past the caches or not, and adds them.
static inline size_t copy_strides(trvi_sum *sum, char *to, const char *from, size_t size, bool past)
{
    sums now = load_sums(sum);
    size_t at = 0;
    for (; size - at >= TRVI_SUM_STRIDE; at += TRVI_SUM_STRIDE) {
        if (at % LINE == 0)
            trvi_prefetch_ahead(from + at);
        __m128i a = load(from + at), b = load(from + at + 16);
        add_stride(&now, a, b);
        put(to + at, a, past);
        put(to + at + 16, b, past);
    }
    store_sums(sum, &now);
    return at;
}

static size_t copy_summed(trvi_sum *sum, char *to, const char *from, size_t size, bool large)
{
    return large && can_stream(to) ? copy_strides(sum, to, from, size, true)
                                   : copy_strides(sum, to, from, size, false);
}

void trvi_copy_done(void)
{
    _mm_sfence();
}

#else

size_t trvi_sum_add(trvi_sum *sum, const char *bytes, size_t size)
{
    trvi_sum now = *sum;
    size_t at = 0;
    for (; size - at >= TRVI_SUM_STRIDE; at += TRVI_SUM_STRIDE) {
        uint64_t words[TRVI_SUM_LANES];
        memcpy(words, bytes + at, sizeof words);
        for (int k = 0; k < TRVI_SUM_LANES; k++) {
            now.first[k] += words[k];
            now.second[k] += now.first[k];
        }
    }
    *sum = now;
    return at;
}

// There is no way past the caches: what was copied is summed while it is near.
static size_t copy_summed(trvi_sum *sum, char *to, const char *from, size_t size, bool large)
{
    (void)large;
    size_t whole = size / TRVI_SUM_STRIDE * TRVI_SUM_STRIDE;
    for (size_t at = 0, part; at < whole; at += part) {
        part = whole - at < CHUNK ? whole - at : CHUNK;
        memcpy(to + at, from + at, part);
        trvi_sum_add(sum, to + at, part);
    }
    return whole;
}

void trvi_copy_done(void)
{
}

#endif

trv_result trvi_check_start(const void *bytes, size_t size, const void *wanted, size_t count,
                            size_t least)
{
    if (memcmp(bytes, wanted, size < count ? size : count) != 0)
        return TRV_ERROR_KIND;
    return size < least ? TRV_ERROR_RANGE : TRV_OK;
}

uint64_t trvi_sum_end(trvi_sum sum, const char *bytes, size_t size)
{
    char last[TRVI_SUM_STRIDE] = {0};
    size_t done = trvi_sum_add(&sum, bytes, size);
    if (size > done)
        memcpy(last, bytes + done, size - done);
    trvi_sum_add(&sum, last, sizeof last);
    uint64_t folded = 1;
    for (int k = 0; k < TRVI_SUM_LANES; k++) {
        folded = (folded ^ sum.first[k]) * UINT64_C(0x9E3779B97F4A7C15);
        folded = (folded ^ (folded >> 32) ^ sum.second[k]) * UINT64_C(0xD6E8FEB86659FD93);
        folded ^= folded >> 32;
    }
    return folded;
}

void trvi_copy_summed(trvi_sum *sum, void *to, const void *from, size_t size, bool large)
{
    TRVI_ASSERT(size % TRVI_SUM_STRIDE == 0);
    copy_summed(sum, to, from, size, large);
}

trvi_writer trvi_writer_begin(void *to, bool large)
{
    return (trvi_writer){to, to, {{0}, {0}}, large};
}

void trvi_writer_take(trvi_writer *to, char *end)
{
    to->at = end;
    to->summed += trvi_sum_add(&to->sum, to->summed, (size_t)(end - to->summed));
}

void trvi_writer_put(trvi_writer *to, const void *bytes, size_t size)
{
    const char *from = bytes;
    if (size == 0) // there may be no memory
        return;
    if (to->at == to->summed) {
        size_t done = copy_summed(&to->sum, to->at, from, size, to->large);
        to->at = to->summed += done;
        from += done;
        size -= done;
    }
    while (size > 0) {
        size_t part = size < CHUNK ? size : CHUNK;
        memcpy(to->at, from, part);
        trvi_writer_take(to, to->at + part);
        from += part;
        size -= part;
    }
}

void trvi_writer_align(trvi_writer *to, const char *first)
{
    size_t over = (size_t)(to->at - first) % TRVI_SUM_STRIDE;
    size_t gap = over > 0 ? TRVI_SUM_STRIDE - over : 0;
    memset(to->at, 0, gap);
    trvi_writer_take(to, to->at + gap);
}

uint64_t trvi_writer_end(trvi_writer *to)
{
    if (to->large)
        trvi_copy_done();
    return trvi_sum_end(to->sum, to->summed, (size_t)(to->at - to->summed));
}
