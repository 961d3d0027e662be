// Arrays of like items with few bytes: of each word that is equal to the same one of an earlier item,
// one bit is left.
#ifndef TRVI_PACK_H
#define TRVI_PACK_H

#include "bytes.h"

// Where the words go that are kept of eight, for each mask of them.
typedef struct trvi_packing {
    uint32_t at_once; // words: 1, 8 or, to pack, 16, as the processor can; all with one result
    uint8_t packed[256][8]; // the places that have their bit in the mask, first of all
    uint8_t spread[256][8]; // for each place, how many such ones are before it, and TRVI_KEPT
} trvi_packing;

// Kind 0 runs everywhere, kinds 1 and 2 where the processor has what they take; false elsewhere.
bool trvi_packing_at(uint32_t kind, trvi_packing *packing);
// The quickest.
void trvi_packing_begin(trvi_packing *packing);

// The most bytes that so many take, a multiple of 32.
size_t trvi_pack_most(size_t size);
// `size` bytes of items of `stride` bytes each, a multiple of four; what is put is a multiple of 32
// bytes.
void trvi_pack(const trvi_packing *packing, trvi_writer *writer, const void *items, size_t size,
               uint32_t stride);
// What it was made from. Returns the end.
const char *trvi_unpack(const trvi_packing *packing, void *items, size_t size, uint32_t stride,
                        const char *from);

#endif
