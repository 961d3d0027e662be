// Questions to the broadphase, one at a time.
//
// All go through the columns as they were built last, and then through the proxies that have changed
// since, whose entries they pass over: so they are right at any time, and quick when little has
// changed since the last update. What goes through the columns for which kind of question stands in
// a file of its own; here are the calls, and boxes.
//
// Invariant: nothing is written, so that questions may be asked together.
#include "query.h"

enum {
    MAX_HITS = 512, // proxies that a box query sorts on the stack; beyond, it scans all
    INSERTION_MAX = 24
};

// Gallops from the guess, then halves.
uint32_t trvi_stop_seek(const trvi_columns *columns, const trvi_stop *stop, double lower)
{
    const float *reach = trvi_part(columns, TRVI_REACH);
    uint32_t first = stop->first, end = stop->end, at = stop->guess, step = TRVI_LANES;
    if (first == end)
        return end;
    if ((double)reach[at] >= lower) {
        end = at;
        for (; end - first > step && (double)reach[end - step] >= lower; step *= 2)
            end -= step;
        first = end - first > step ? end - step + 1 : first;
    } else {
        first = at + 1;
        for (; end - first > step && (double)reach[first + step] < lower; step *= 2)
            first += step + 1;
        end = end - first > step ? first + step : end;
    }
    return trvi_first_reaching(columns, first, end, lower);
}

enum { STOPS = 16 }; // columns that are on their way together

// A box query's way through one set.
typedef struct query_way {
    const trv_broad *broad;
    const trvi_columns *columns;
    trv_filter filter;
    trvi_tell_proxy *tell;
    void *context;
    bool settled, stopped;
    float lower_s;
    trvi_window window;
} query_way;

static void query_column(query_way *w, const trvi_stop *stop, uint32_t flags)
{
    uint32_t i = trvi_stop_seek(w->columns, stop, (double)w->lower_s);
    for (bool more = i < stop->end; more; i += TRVI_LANES) {
        uint32_t meets = trvi_window_meets(&w->window, w->columns, i, stop->end, &more);
        for (; meets != 0; meets &= meets - 1) {
            uint32_t tag = trvi_tag_of(w->columns, i + trvi_lowest_of_four(meets));
            if (((tag | flags) & TRVI_TAG_FIRST) != TRVI_TAG_FIRST || w->stopped)
                continue;
            uint32_t index = tag >> TRVI_TAG_BITS;
            if (trvi_is_asked_for(w->broad, w->settled, index, w->filter))
                w->stopped = !w->tell(w->context, index);
        }
    }
}

static void query_columns(query_way *w, trv_aabb box)
{
    const trvi_columns *columns = w->columns;
    trvi_walk walk = trvi_walk_begin(columns, box);
    uint32_t total = walk.span[0] * walk.span[1], flags[STOPS];
    if (columns->column_count == 0 || walk.next > total)
        return;
    trvi_interval sides[3], bounds[3];
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t axis = columns->grid.axis[k];
        sides[k].lower = (double)trvi_axis_of(box.lower, axis);
        sides[k].upper = (double)trvi_axis_of(box.upper, axis);
        bounds[k].lower = (double)trvi_axis_of(columns->bounds.lower, axis);
        bounds[k].upper = (double)trvi_axis_of(columns->bounds.upper, axis);
    }
    w->window = trvi_window_of(sides);
    w->lower_s = walk.lower[0];
    trvi_stop stops[STOPS];
    uint32_t u = 0, v = 0;
    for (uint32_t next = 0; next <= total && !w->stopped;) {
        uint32_t count = 0;
        for (; next <= total && count < STOPS; next++, count++) {
            uint32_t column = columns->column_count - 1; // the giants', at last
            flags[count] = 0;
            if (next < total) {
                column = trvi_column_at(&columns->grid, walk.first[0] + (int32_t)u,
                                        walk.first[1] + (int32_t)v);
                flags[count] |= u == 0 && !walk.wide[0] ? TRVI_TAG_FIRST_U : 0;
                flags[count] |= v == 0 && !walk.wide[1] ? TRVI_TAG_FIRST_V : 0;
                u = u + 1 < walk.span[0] ? u + 1 : 0;
                v += u == 0;
            }
            stops[count] = trvi_stop_at(columns, column, bounds[0], sides[0].lower);
        }
        for (uint32_t i = 0; i < count && !w->stopped; i++)
            query_column(w, &stops[i], flags[i]);
    }
}

void trvi_query_aabb(const trv_broad *broad, trv_aabb box, trv_filter filter, trvi_tell_proxy *tell,
                     void *context)
{
    query_way w = {.broad = broad, .filter = filter, .tell = tell, .context = context};
    w.settled = trvi_is_settled(broad);
    for (uint32_t k = 0; k < TRVI_SET_COUNT; k++) {
        w.columns = &broad->sets[k];
        query_columns(&w, box);
        if (w.stopped)
            return;
    }
    const uint32_t *changed = broad->changed.items;
    for (uint32_t i = 0; i < broad->changed.count; i++) {
        if (trvi_is_moved(broad, changed[i]) &&
            trvi_aabb_overlaps(trvi_fat_boxes(broad)[changed[i]], box) &&
            trv_filters_agree(trvi_filters(broad)[changed[i]], filter) &&
            !tell(context, changed[i]))
            return;
    }
}

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
                     trv_filters_agree(trvi_filters(broad)[index], filter);
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
