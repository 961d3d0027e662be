// Questions to the broadphase, one at a time.
//
// All go through the columns as they were built last, and then through the proxies that have
// changed since, whose entries they pass over: so they are right at any time, and quick when little
// has changed since the last update. What goes through the columns for which kind of question
// stands in a file of its own; here are the calls.
//
// Invariant: nothing is written, so that questions may be asked together.
#include "query.h"

enum {
    MAX_HITS = 512, // proxies that a box query sorts on the stack; beyond, it scans all
    INSERTION_MAX = 24
};

typedef struct hits {
    uint32_t count;
    bool overflow;
    uint32_t index[MAX_HITS];
} hits;

static bool add_hit(void *context, uint32_t index)
{
    hits *found = context;
    found->overflow = found->count == MAX_HITS;
    if (!found->overflow)
        found->index[found->count++] = index;
    return !found->overflow;
}

static void insertion_sort(uint32_t *index, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t value = index[i], j = i;
        for (; j > 0 && index[j - 1] > value; j--)
            index[j] = index[j - 1];
        index[j] = value;
    }
}

// Heap sort: in place, and never quadratic.
static void sift_down(uint32_t *heap, uint32_t at, uint32_t count)
{
    uint32_t value = heap[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= value)
            break;
        heap[at] = heap[child];
    }
    heap[at] = value;
}

static void sort_indices(uint32_t *index, uint32_t count)
{
    if (count <= INSERTION_MAX) {
        insertion_sort(index, count);
        return;
    }
    for (uint32_t i = count / 2; i > 0; i--)
        sift_down(index, i - 1, count);
    for (uint32_t end = count; end > 1; end--) {
        uint32_t largest = index[0];
        index[0] = index[end - 1];
        index[end - 1] = largest;
        sift_down(index, 0, end - 1);
    }
}

// The same answer from the proxies themselves, for boxes that hold very many.
static void scan_proxies(const trv_broad *broad, trv_aabb box, trv_filter filter,
                         trv_proxy_visitor *visit, void *context)
{
    const trv_aabb *boxes = trvi_fat_boxes(broad);
    for (uint32_t index = 1; index < broad->proxy_limit; index++) {
        bool found = (trvi_states(broad)[index] & TRVI_PROXY_LIVE) &&
                     trvi_aabb_overlaps(boxes[index], box) &&
                     trv_filters_agree(trvi_filter_of(broad, index), filter);
        if (found && !visit(context, trvi_id_of(broad, index), trvi_users(broad)[index]))
            return;
    }
}

trv_result trv_broad_query_aabb(const trv_broad *broad, trv_aabb box, trv_filter filter,
                                trv_proxy_visitor *visit, void *context)
{
    if (broad == NULL || visit == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_aabb(box);
    if (result != TRV_OK)
        return result;
    hits found;
    found.count = 0;
    found.overflow = false;
    trvi_query_aabb(broad, box, filter, add_hit, &found);
    if (found.overflow) {
        scan_proxies(broad, box, filter, visit, context);
        return TRV_OK;
    }
    sort_indices(found.index, found.count);
    for (uint32_t i = 0; i < found.count; i++) {
        uint32_t index = found.index[i];
        if (!visit(context, trvi_id_of(broad, index), trvi_users(broad)[index]))
            break;
    }
    return TRV_OK;
}

trv_result trv_broad_query_point(const trv_broad *broad, trv_vec3 point, trv_filter filter,
                                 trv_proxy_visitor *visit, void *context)
{
    return trv_broad_query_aabb(broad, (trv_aabb){point, point}, filter, visit, context);
}

// A caller's visitor.
typedef struct visitor {
    const trv_broad *broad;
    trv_proxy_visitor *visit;
    void *context;
} visitor;

static bool visit_proxy(void *context, uint32_t index)
{
    const visitor *v = context;
    return v->visit(v->context, trvi_id_of(v->broad, index), trvi_users(v->broad)[index]);
}

trv_result trv_broad_query_obb(const trv_broad *broad, trv_obb box, trv_filter filter,
                               trv_proxy_visitor *visit, void *context)
{
    if (broad == NULL || visit == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_question_obb(box);
    if (result != TRV_OK)
        return result;
    trvi_volume volume = trvi_volume_of_obb(box);
    visitor v = {broad, visit, context};
    trvi_query_volume(broad, &volume, filter, visit_proxy, &v);
    return TRV_OK;
}

trv_result trv_broad_query_planes(const trv_broad *broad, const trv_plane *planes, uint32_t count,
                                  trv_filter filter, trv_proxy_visitor *visit, void *context)
{
    if (broad == NULL || visit == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_question_planes(planes, count);
    if (result != TRV_OK)
        return result;
    trvi_volume volume = trvi_volume_of_planes(planes, count);
    visitor v = {broad, visit, context};
    trvi_query_volume(broad, &volume, filter, visit_proxy, &v);
    return TRV_OK;
}

// A caller's visitor of casts.
typedef struct cast_visitor {
    const trv_broad *broad;
    trv_proxy_ray_visitor *visit;
    void *context;
} cast_visitor;

static double visit_hit(void *context, uint32_t index, double fraction, double limit)
{
    (void)fraction;
    const cast_visitor *v = context;
    float wanted = v->visit(v->context, trvi_id_of(v->broad, index), trvi_users(v->broad)[index],
                            (float)limit);
    return wanted > 0.0f ? (double)wanted : -1.0;
}

trv_result trv_broad_cast_box(const trv_broad *broad, trv_aabb box, trv_vec3 travel,
                              trv_filter filter, trv_proxy_ray_visitor *visit, void *context)
{
    if (broad == NULL || visit == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_aabb(box);
    if (result == TRV_OK)
        result = trvi_check_vec3(travel);
    if (result != TRV_OK)
        return result;
    cast_visitor v = {broad, visit, context};
    trvi_cast cast = trvi_cast_of(broad, box, travel, filter);
    cast.tell = visit_hit;
    cast.context = &v;
    trvi_cast_run(&cast);
    return TRV_OK;
}

trv_result trv_broad_cast_ray(const trv_broad *broad, trv_ray ray, trv_filter filter,
                              trv_proxy_ray_visitor *visit, void *context)
{
    trv_aabb point = {ray.origin, ray.origin};
    return trv_broad_cast_box(broad, point, ray.travel, filter, visit, context);
}
