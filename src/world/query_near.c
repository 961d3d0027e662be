// What overlaps a shape, a point or a box, and what is nearest to them.
//
// The nearest is sought from the box of what is asked about outward, and what cannot be nearer than the
// best so far, by its box, is not measured. What is told does not depend on the order: of those that
// are measured it is the first by distance, then by index, and the others are farther, but for
// TRVI_NEARER_SLACK.
#include "query_data.h"

#include <string.h>

// One search for all: exactly one of `shape` and `point` is what is asked about, or none: a box.
typedef struct near_search {
    trvi_asked asked;
    const trv_shape *shape;
    trv_pose pose;
    const trv_vec3 *point;
    trv_aabb box;
    trv_world_found *found; // overlaps, or
    uint32_t capacity, count;
    float reach; // closest
    float scale; // the largest coordinate that goes into distances, m
    trv_world_gap best;
    uint32_t best_index;
} near_search;

static bool overlaps(const near_search *search, uint32_t index)
{
    const trvi_shape *shape = &trvi_shapes(search->asked.world)[index];
    trv_pose frame = trvi_shape_frame(search->asked.world, index);
    if (search->shape != NULL) {
        bool overlap = false;
        trv_overlap(search->shape, search->pose, &shape->solid, frame, &overlap);
        return overlap;
    }
    if (search->point == NULL)
        return trvi_aabb_overlaps(search->box, shape->bounds);
    trv_gap gap;
    return trv_distance_to_point(&shape->solid, frame, *search->point, &gap) == TRV_OK &&
           gap.distance <= 0.0f;
}

static bool visit_overlap(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    near_search *search = context;
    uint32_t index = (uint32_t)user;
    if (!overlaps(search, index) || !trvi_may_see(&search->asked, index))
        return true;
    if (search->count < search->capacity)
        search->found[search->count] = trvi_found(search->asked.world, index);
    search->count++;
    return true;
}

// Below the distance, by that of the boxes; overlaps may be of any depth.
static double least_distance(const near_search *search, const trvi_shape *shape, trv_pose frame)
{
    double apart = trvi_aabb_distance(search->box, shape->bounds);
    if (!(apart > 0.0))
        return -HUGE_VAL;
    float scale = trvi_larger(trvi_aabb_reach(shape->bounds), trvi_largest_of(frame.position));
    double slack = (double)TRVI_NEARER_SLACK;
    return apart - slack * (apart + (double)scale + (double)search->scale);
}

static void measure(near_search *search, uint32_t index)
{
    const trv_world *world = search->asked.world;
    const trvi_shape *shape = &trvi_shapes(world)[index];
    const trv_world_gap *best = &search->best;
    trv_pose frame = trvi_shape_frame(world, index);
    float limit = best->found ? best->distance : search->reach;
    if (least_distance(search, shape, frame) > (double)limit)
        return;
    trv_gap gap;
    trv_result result = search->point != NULL
                            ? trv_distance_to_point(&shape->solid, frame, *search->point, &gap)
                            : trv_distance(&shape->solid, frame, search->shape, search->pose, &gap);
    if (result != TRV_OK)
        return;
    bool nearer = !best->found || gap.distance < best->distance ||
                  (gap.distance == best->distance && index < search->best_index);
    if (!(gap.distance <= search->reach) || !nearer || !trvi_may_see(&search->asked, index))
        return;
    trv_world_found found = trvi_found(world, index);
    search->best = (trv_world_gap){true,        gap.distance, gap.point_a, gap.point_b, gap.normal,
                                   found.shape, found.body,   found.user,  found.part};
    search->best_index = index;
}

static float visit_closest(void *context, uint64_t user)
{
    near_search *search = context;
    measure(search, (uint32_t)user);
    if (!search->best.found)
        return HUGE_VALF;
    float nearest = trvi_larger(search->best.distance, 0.0f);
    return nearest + TRVI_NEARER_SLACK * (nearest + search->scale);
}

static trv_result bounds_of_asked(near_search *search)
{
    if (search->shape != NULL) {
        trv_result result = trv_shape_check(search->shape);
        if (result == TRV_OK)
            result = trvi_check_pose(search->pose);
        return result == TRV_OK
                   ? trv_bounds_of_shape(search->shape, search->pose, 0.0f, &search->box)
                   : result;
    }
    if (search->point == NULL)
        return trvi_check_aabb(search->box);
    search->box = (trv_aabb){*search->point, *search->point};
    return trvi_check_vec3(*search->point);
}

static trv_result begin_search(const trv_world *world, const trv_query *query, trv_query *usual,
                               near_search *search)
{
    trv_result result = trvi_ask(world, query, usual, &search->asked);
    if (result == TRV_OK)
        result = bounds_of_asked(search);
    if (result == TRV_OK)
        result = trvi_check_range(search->reach, 0.0f, TRV_COORD_MAX);
    return result;
}

static trv_result find_overlaps(const trv_world *world, const trv_query *query, near_search *search,
                                uint32_t *count)
{
    if (count == NULL)
        return TRV_ERROR_NULL;
    *count = 0;
    if (search->found == NULL && search->capacity > 0)
        return TRV_ERROR_NULL;
    trv_query usual;
    trv_result result = begin_search(world, query, &usual, search);
    if (result == TRV_OK)
        result = trv_broad_query_aabb(world->broad, trvi_within_range(search->box, 0.0f),
                                      search->asked.query->filter, visit_overlap, search);
    if (result == TRV_OK)
        *count = search->count;
    return result;
}

trv_result trv_world_overlap_shape(const trv_world *world, const trv_shape *shape, trv_pose pose,
                                   const trv_query *query, trv_world_found *found,
                                   uint32_t capacity, uint32_t *count)
{
    near_search search = {.shape = shape, .pose = pose, .found = found, .capacity = capacity};
    if (count != NULL)
        *count = 0;
    return shape == NULL ? TRV_ERROR_NULL : find_overlaps(world, query, &search, count);
}

trv_result trv_world_overlap_point(const trv_world *world, trv_vec3 point, const trv_query *query,
                                   trv_world_found *found, uint32_t capacity, uint32_t *count)
{
    near_search search = {.point = &point, .found = found, .capacity = capacity};
    return find_overlaps(world, query, &search, count);
}

trv_result trv_world_overlap_aabb(const trv_world *world, trv_aabb box, const trv_query *query,
                                  trv_world_found *found, uint32_t capacity, uint32_t *count)
{
    near_search search = {.box = box, .found = found, .capacity = capacity};
    return find_overlaps(world, query, &search, count);
}

// Sensors' contacts are no contacts to the outside: what was told of them is what is known.
trv_result trv_sensor_visitors(const trv_world *world, trv_shape_id id, trv_world_found *found,
                               uint32_t capacity, uint32_t *count)
{
    const trvi_shape *sensor;
    trv_result result = trvi_ask_shape_list(world, id, found, capacity, count, &sensor);
    if (result == TRV_OK && world->stepping)
        result = TRV_ERROR_BUSY;
    if (result == TRV_OK && !(sensor->flags & TRV_SHAPE_SENSOR))
        result = TRV_ERROR_KIND;
    if (result != TRV_OK)
        return result;
    uint32_t link = trvi_bodies(world)[sensor->body].first_contact;
    while (link != TRVI_NONE) {
        const trvi_contact *contact = &trvi_contacts(world)[link / 2];
        bool back = link % 2; // the sensor's body is B
        uint32_t own = back ? contact->shape_b : contact->shape_a;
        uint32_t other = back ? contact->shape_a : contact->shape_b;
        uint32_t told = back ? TRVI_CONTACT_TOLD_BACK : TRVI_CONTACT_TOLD;
        link = contact->next[link % 2];
        if (!(contact->flags & TRVI_CONTACT_SENSOR) || !(contact->flags & told) ||
            trvi_shapes(world)[own].lead != sensor->lead)
            continue;
        if (*count < capacity)
            found[*count] = trvi_found(world, other);
        (*count)++;
    }
    return TRV_OK;
}

static trv_result find_closest(const trv_world *world, const trv_query *query, near_search *search,
                               trv_world_gap *gap)
{
    trv_query usual;
    trv_result result = begin_search(world, query, &usual, search);
    if (result != TRV_OK)
        return result;
    search->scale =
        trvi_larger(trvi_aabb_reach(search->box), trvi_largest_of(search->pose.position));
    trvi_broad_seek(world->broad, trvi_within_range(search->box, 0.0f),
                    trvi_within_range(search->box, search->reach), search->asked.query->filter,
                    visit_closest, search);
    *gap = search->best;
    return TRV_OK;
}

trv_result trv_world_closest_to_point(const trv_world *world, trv_vec3 point, float reach,
                                      const trv_query *query, trv_world_gap *gap)
{
    if (gap == NULL)
        return TRV_ERROR_NULL;
    memset(gap, 0, sizeof *gap);
    near_search search = {.point = &point, .reach = reach};
    return find_closest(world, query, &search, gap);
}

trv_result trv_world_closest_to_shape(const trv_world *world, const trv_shape *shape, trv_pose pose,
                                      float reach, const trv_query *query, trv_world_gap *gap)
{
    if (gap == NULL)
        return TRV_ERROR_NULL;
    memset(gap, 0, sizeof *gap);
    near_search search = {.shape = shape, .pose = pose, .reach = reach};
    return shape == NULL ? TRV_ERROR_NULL : find_closest(world, query, &search, gap);
}

typedef struct point_job {
    const trv_world *world;
    const trv_vec3 *points;
    float reach;
    const trv_query *query;
    trv_world_gap *gaps;
} point_job;

static void find_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const point_job *job = context;
    for (uint32_t i = first; i < last; i++)
        trv_world_closest_to_point(job->world, job->points[i], job->reach, job->query,
                                   &job->gaps[i]);
}

trv_result trv_world_closest_to_points(const trv_world *world, const trv_vec3 *points,
                                       uint32_t count, float reach, const trv_query *query,
                                       trv_world_gap *gaps)
{
    if (gaps == NULL || points == NULL)
        return count == 0 && world != NULL ? TRV_OK : TRV_ERROR_NULL;
    memset(gaps, 0, count * sizeof *gaps);
    trv_query usual;
    trvi_asked asked;
    trv_result result = trvi_ask(world, query, &usual, &asked);
    if (result == TRV_OK)
        result = trvi_check_range(reach, 0.0f, TRV_COORD_MAX);
    for (uint32_t i = 0; i < count && result == TRV_OK; i++)
        result = trvi_check_vec3(points[i]);
    if (result != TRV_OK)
        return result;
    point_job job = {world, points, reach, query, gaps};
    trvi_parallel_for(&world->workers, count, 8, find_range, &job);
    return TRV_OK;
}

trv_result trv_shape_closest(const trv_world *world, trv_shape_id id, trv_vec3 point,
                             trv_world_gap *gap)
{
    if (gap == NULL)
        return TRV_ERROR_NULL;
    memset(gap, 0, sizeof *gap);
    uint32_t lead;
    trv_result result = trvi_find_shape(world, id, &lead);
    if (result == TRV_OK && world->stepping)
        result = TRV_ERROR_BUSY;
    if (result == TRV_OK)
        result = trvi_check_vec3(point);
    if (result != TRV_OK)
        return result;
    trv_query query = trv_default_query();
    query.sensors = true;
    near_search search = {.asked = {world, &query}, .point = &point, .reach = INFINITY};
    search.box = (trv_aabb){point, point};
    search.scale = trvi_largest_of(point);
    for (uint32_t s = trvi_first_part(world, lead); s != TRVI_NONE; s = trvi_next_part(world, s))
        measure(&search, s);
    *gap = search.best;
    return TRV_OK;
}

trv_result trv_shape_contains(const trv_world *world, trv_shape_id id, trv_vec3 point, bool *inside)
{
    if (inside == NULL)
        return TRV_ERROR_NULL;
    trv_world_gap gap;
    trv_result result = trv_shape_closest(world, id, point, &gap);
    *inside = result == TRV_OK && gap.distance <= 0.0f;
    return result;
}
