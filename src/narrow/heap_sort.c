// Heap sort: the greatest item goes to the top of a heap, and from there behind it.
//
// Invariant: items beyond the heap are sorted, and none of them is less than any in it.
// Based on: Williams 1964, "Algorithm 232: Heapsort"; Floyd 1964, "Algorithm 245: Treesort 3".
#include "heap_sort.h"

// Lets the item at `top` sink to where no child is greater.
static void sink(uint32_t top, uint32_t count, trvi_less *less, trvi_swap *swap, void *context)
{
    while (top < count / 2) { // it has a child
        uint32_t child = 2 * top + 1;
        if (child + 1 < count && less(context, child, child + 1))
            child++;
        if (!less(context, top, child))
            return;
        swap(context, top, child);
        top = child;
    }
}

void trvi_heap_sort(uint32_t count, trvi_less *less, trvi_swap *swap, void *context)
{
    for (uint32_t top = count / 2; top-- > 0;)
        sink(top, count, less, swap, context);
    for (uint32_t last = count; last-- > 1;) {
        swap(context, 0, last);
        sink(0, last, less, swap, context);
    }
}
