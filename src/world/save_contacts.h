// The contacts of a save in memory; private to snapshot.c and the file of this name.
#ifndef TRVI_SAVE_CONTACTS_H
#define TRVI_SAVE_CONTACTS_H

#include "world_data.h"

// Where they are in a save, in either direction.
typedef struct trvi_saved_contacts {
    uint32_t count;
    char *lists;    // how much there is of each, then where each chunk is, and its sum
    char *contacts; // the chunks
} trvi_saved_contacts;

static inline size_t trvi_save_rounded(size_t size)
{
    return (size + TRVI_SUM_STRIDE - 1) / TRVI_SUM_STRIDE * TRVI_SUM_STRIDE;
}

uint32_t trvi_chunks_of(uint32_t contacts);
size_t trvi_contact_lists_size(uint32_t contacts);
// The most bytes that the chunks may take.
size_t trvi_contacts_most(uint32_t contacts);

// To save, with zeros in the lists: each chunk is placed, one after the other from 0 on, and put
// there, which also makes its contacts inactive and returns how many bytes they take. To put several
// at once, all are measured first: then placing one gives where the next one begins.
void trvi_measure_chunk(const trv_world *world, const trvi_saved_contacts *to, uint32_t chunk);
size_t trvi_place_chunk(const trvi_saved_contacts *to, uint32_t chunk, size_t at);
size_t trvi_put_chunk(trv_world *world, const trvi_saved_contacts *to, uint32_t chunk);

// To restore, from lists that are sound: all bytes of the chunks, or SIZE_MAX where they do not
// follow one another.
size_t trvi_saved_contacts_size(const trvi_saved_contacts *from);
// Into the spare room, which has their count; false where the chunk is damaged.
bool trvi_get_chunk(trv_world *world, const trvi_saved_contacts *from, uint32_t chunk);

#endif
