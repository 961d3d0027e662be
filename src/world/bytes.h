// A sum over bytes that any damage changes: that of saves and files.
//
// Two running sums in each of four lanes of 64-bit words: no multiplications, so that it costs no
// more than reading. A changed word changes its lane's first sum; words that trade places change the
// second.
//
// Based on: J. G. Fletcher, "An Arithmetic Checksum for Serial Transmissions" (1982).
#ifndef TRVI_BYTES_H
#define TRVI_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TRVI_SUM_LANES = 4, TRVI_SUM_STRIDE = 32 };

typedef struct trvi_sum {
    uint64_t first[TRVI_SUM_LANES], second[TRVI_SUM_LANES];
} trvi_sum;

// Adds whole strides; returns how many bytes that were.
static inline size_t trvi_sum_add(trvi_sum *sum, const char *bytes, size_t size)
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

// Adds the rest, filled up with zeros, and folds.
static inline uint64_t trvi_sum_end(trvi_sum sum, const char *bytes, size_t size)
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

#endif
