// What the fuzzers of the mesh layer share: bytes, besides demands and memory.
#ifndef TRV_TESTS_FUZZ_MESH_FUZZ_H
#define TRV_TESTS_FUZZ_MESH_FUZZ_H

#include <trivet/mesh.h>

#include "memory.h"

// Bytes one after the other; those that are missing count as zero.
typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;

static inline uint8_t fuzz_byte(fuzz_bytes *bytes)
{
    return bytes->at < bytes->end ? *bytes->at++ : 0;
}

#endif
