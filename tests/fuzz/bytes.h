// A row of bytes that numbers are taken from, one after the other; bytes that are missing count as
// zero.
#ifndef TRV_TESTS_FUZZ_BYTES_H
#define TRV_TESTS_FUZZ_BYTES_H

#include <trivet/types.h>

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;

// How the numbers of one thing are written.
typedef enum fuzz_style { SNAPPED, EIGHTHS, FINE, RAW, SPECIAL } fuzz_style;

uint8_t take_byte(fuzz_bytes *r);
uint32_t take_word(fuzz_bytes *r);
float take_bits(fuzz_bytes *r); // any float32 there is
float take_special(fuzz_bytes *r);
fuzz_style take_style(fuzz_bytes *r);
float take_number(fuzz_bytes *r, fuzz_style how); // in about -8..8, but for raw and special ones
float take_size(fuzz_bytes *r);                   // 1e-4..1e6
trv_vec3 take_vec3(fuzz_bytes *r, fuzz_style how, float size);
float take_length(fuzz_bytes *r, fuzz_style how, float size); // > 0, but for raw and special ones
trv_quat take_quat(fuzz_bytes *r);                            // unit, mostly

#endif
