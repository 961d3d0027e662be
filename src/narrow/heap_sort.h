// Sorting in place, without memory and with a worst case.
#ifndef TRVI_HEAP_SORT_H
#define TRVI_HEAP_SORT_H

#include "base.h"

typedef bool trvi_less(const void *context, uint32_t i, uint32_t j);
typedef void trvi_swap(void *context, uint32_t i, uint32_t j);

// Items 0 .. count - 1 in ascending order. Equal items end up in any order: let there be none.
// Cost: n log n calls of each.
void trvi_heap_sort(uint32_t count, trvi_less *less, trvi_swap *swap, void *context);

#endif
