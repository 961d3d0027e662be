// Stable indices with reuse, and the sort that gives lists their canonical order.
#include "world_data.h"

#include <string.h>

void trvi_pool_init(trvi_pool *pool, uint32_t stride, uint32_t limit)
{
    memset(pool, 0, sizeof *pool);
    pool->items.stride = stride;
    pool->free.stride = sizeof(uint32_t);
    pool->limit = limit;
}

trv_result trvi_pool_take(const trv_allocator *allocator, trvi_pool *pool, uint32_t *index)
{
    if (pool->free.count > 0) {
        *index = ((uint32_t *)pool->free.items)[--pool->free.count];
        return TRV_OK;
    }
    if (pool->items.count >= pool->limit)
        return TRV_ERROR_LIMIT;
    // The free list grows first, so that giving back never has to allocate.
    if (!trvi_array_reserve(allocator, &pool->free, pool->items.count + 1) ||
        !trvi_array_reserve(allocator, &pool->items, pool->items.count + 1) ||
        !trvi_array_reserve(allocator, &pool->free, pool->items.capacity))
        return TRV_ERROR_MEMORY;
    *index = pool->items.count++;
    return TRV_OK;
}

void trvi_pool_give(trvi_pool *pool, uint32_t index)
{
    TRVI_ASSERT(pool->free.count < pool->free.capacity);
    ((uint32_t *)pool->free.items)[pool->free.count++] = index;
}

void trvi_pool_untake(trvi_pool *pool, uint32_t index, bool fresh)
{
    if (!fresh || index + 1 != pool->items.count) {
        trvi_pool_give(pool, index);
        return;
    }
    pool->items.count--;
    memset((char *)pool->items.items + (size_t)index * pool->items.stride, 0, pool->items.stride);
}

void trvi_pool_free(const trv_allocator *allocator, trvi_pool *pool)
{
    trvi_array_free(allocator, &pool->items);
    trvi_array_free(allocator, &pool->free);
}

static void sift_down(trvi_entry *entries, uint32_t root, uint32_t count)
{
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && entries[child].key < entries[child + 1].key)
            child++;
        if (entries[root].key >= entries[child].key)
            return;
        trvi_entry swap = entries[root];
        entries[root] = entries[child];
        entries[child] = swap;
        root = child;
    }
}

// Ascending by key; keys are unique, so the result does not depend on the method (heap sort).
void trvi_sort_entries(trvi_entry *entries, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(entries, i, count);
    for (uint32_t end = count; end-- > 1;) {
        trvi_entry swap = entries[0];
        entries[0] = entries[end];
        entries[end] = swap;
        sift_down(entries, 0, end);
    }
}
