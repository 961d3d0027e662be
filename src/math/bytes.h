// Copies of much memory, and a sum over bytes that any damage changes: that of saves and files.
//
// Two running sums in each of four lanes of 64-bit words: no multiplications, so that it costs no
// more than reading. A changed word changes its lane's first sum; words that trade places change the
// second.
//
// Based on: J. G. Fletcher, "An Arithmetic Checksum for Serial Transmissions" (1982).
#ifndef TRVI_BYTES_H
#define TRVI_BYTES_H

#include "base.h"

enum { TRVI_SUM_LANES = 4, TRVI_SUM_STRIDE = 32 };

// As many bytes are copied past the caches, where the processor can: they hold no more, and would read
// what is to be written over. Larger: saves of larger worlds take up to half as long again. Smaller:
// those that the last cache would hold wait for memory, for two to three times as long where others
// are busy with it, and so does who reads them next.
enum { TRVI_LARGE_COPY = 32 << 20 };

typedef struct trvi_sum {
    uint64_t first[TRVI_SUM_LANES], second[TRVI_SUM_LANES];
} trvi_sum;

// Adds whole strides; returns how many bytes that were.
size_t trvi_sum_add(trvi_sum *sum, const char *bytes, size_t size);

// Adds the rest, filled up with zeros, and folds.
uint64_t trvi_sum_end(trvi_sum sum, const char *bytes, size_t size);

// What data of `size` bytes begin with, `count` of `wanted`: TRV_ERROR_KIND where those that are there are
// others, as of another program or version; else TRV_ERROR_RANGE where there are fewer than `least` bytes,
// as of a file that was cut short, at whatever byte.
trv_result trvi_check_start(const void *bytes, size_t size, const void *wanted, size_t count,
                            size_t least);

// Copies whole strides, and adds them. `large` where they are a part of a large copy: then
// trvi_copy_done comes before another thread may read them.
void trvi_copy_summed(trvi_sum *sum, void *to, const void *from, size_t size, bool large);
void trvi_copy_done(void);

// Bytes that are put one after the other, with the sum over them, which is made while they are at
// hand.
typedef struct trvi_writer {
    char *at;
    char *summed; // up to here, a multiple of the stride from where it began
    trvi_sum sum;
    bool large; // see trvi_copy_summed
} trvi_writer;

trvi_writer trvi_writer_begin(void *to, bool large);
void trvi_writer_put(trvi_writer *to, const void *bytes, size_t size);
// Zeros up to a multiple of the stride from `first`, where it began.
void trvi_writer_align(trvi_writer *to, const char *first);
// Somebody else has written up to `end`.
void trvi_writer_take(trvi_writer *to, char *end);
uint64_t trvi_writer_end(trvi_writer *to);

#endif
