// Keeps the first of all that a question finds, in room for a fixed number of them, whatever the
// order in which they come.
//
// Invariant: found[0 .. count) is a heap by (at, index): no element comes before those below it. So
// the top is the last one, and what comes before it takes its place.
//
// Based on: J. W. J. Williams, "Algorithm 232: Heapsort", 1964.
#include "query.h"

static bool is_before(const trv_proxy_found *a, const trv_proxy_found *b)
{
    return a->at < b->at || (a->at == b->at && a->proxy.index1 < b->proxy.index1);
}

static void sift_down(trv_proxy_found *heap, uint32_t count)
{
    trv_proxy_found value = heap[0];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(&heap[child], &heap[child + 1]))
            child++;
        if (!is_before(&value, &heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = value;
}

static void sift_up(trv_proxy_found *heap, uint32_t at)
{
    trv_proxy_found value = heap[at];
    for (; at > 0 && is_before(&heap[(at - 1) / 2], &value); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = value;
}

void trvi_best_offer(trvi_best *best, uint32_t index, float at)
{
    trv_proxy_found found = {.proxy = {.index1 = index}, .at = at};
    best->offered++;
    bool full = best->count == best->capacity;
    if (best->capacity == 0 || (full && !is_before(&found, &best->found[0])))
        return;
    found.proxy = trvi_id_of(best->broad, index);
    found.user = trvi_users(best->broad)[index];
    if (full) {
        best->found[0] = found;
        sift_down(best->found, best->count);
    } else {
        best->found[best->count] = found;
        sift_up(best->found, best->count++);
    }
}

void trvi_best_sort(trvi_best *best)
{
    for (uint32_t end = best->count; end > 1; end--) {
        trv_proxy_found last = best->found[0];
        best->found[0] = best->found[end - 1];
        best->found[end - 1] = last;
        sift_down(best->found, end - 1);
    }
}
