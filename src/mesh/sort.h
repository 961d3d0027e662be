// Sorting indices by 32-bit keys: stable, in linear time, the same on every target.
#ifndef TRVI_MESH_SORT_H
#define TRVI_MESH_SORT_H

#include "base.h"

// Sorts order[0 .. count) by keys[order[i]], ascending; equal keys stay in their order. Sorting by
// several keys: the least significant one first. `scratch` holds count elements.
void trvi_sort_by_key(uint32_t *order, uint32_t *scratch, uint32_t count, const uint32_t *keys);

#endif
