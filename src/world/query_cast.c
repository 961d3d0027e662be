// Casts: what a shape that moves and turns through the world at rest meets.
//
// Touch at the start is no hit by itself: only where the way leads deeper. Of two convex solids one of
// which moves without turning, the depth along the normal of least overlap only falls once it
// falls, so that what is left behind is not met again. A mover that turns may come back: it is
// looked for again from where the first contact ends.
#include "query_data.h"

#include <string.h>

// Looks at the same target again at most so many times; after that, it is not met.
#define RETURNS 8

// Leads the way deeper into what is touched at the start? A mover that stays where it is does not
// leave.
static bool goes_deeper(const trv_motion *motion, const trv_impact_hit *hit)
{
    trv_vec3 center = trvi_pose_apply(motion->pose, motion->center_local);
    trv_vec3 turning = trvi_cross(motion->turn, trvi_sub(hit->point, center));
    trv_vec3 way = trvi_add(motion->travel, turning);
    float length = trvi_length(motion->travel) + trvi_length(turning);
    return !(length > 0.0f) || trvi_dot(way, hit->normal) > TRVI_CAST_SLIDE * length;
}

// The rest of a motion from a fraction on.
static trv_motion rest_of(const trv_motion *motion, float fraction)
{
    trv_motion rest = *motion;
    rest.pose = trv_motion_at(motion, fraction);
    rest.travel = trvi_scale(motion->travel, 1.0f - fraction);
    rest.turn = trvi_scale(motion->turn, 1.0f - fraction);
    return rest;
}

static bool turns(const trv_motion *motion)
{
    return motion->turn.x != 0.0f || motion->turn.y != 0.0f || motion->turn.z != 0.0f;
}

void trvi_cast_at(const trv_shape *mover, const trv_motion *motion, const trv_shape *solid,
                  trv_pose frame, float max_fraction, trv_impact_hit *hit)
{
    const trv_motion still = trv_make_motion(frame);
    float from = 0.0f;
    for (int round = 0; round < RETURNS; round++) {
        trv_motion rest = from > 0.0f ? rest_of(motion, from) : *motion;
        trvi_impact_options options = trvi_default_impact_options();
        options.max_fraction = trvi_smaller((max_fraction - from) / (1.0f - from), 1.0f);
        trvi_impact(mover, &rest, solid, &still, &options, hit);
        if (!hit->hit)
            return;
        if (!hit->start || goes_deeper(&rest, hit)) {
            hit->fraction = from + hit->fraction * (1.0f - from);
            hit->start = hit->start && from == 0.0f;
            return;
        }
        trv_impact_hit first;
        float last = 1.0f;
        if (!turns(motion) || trv_impact_span(mover, &rest, solid, &still, &first, &last) != TRV_OK)
            break;
        from += (last + 1.0f / 512.0f) * (1.0f - from); // clear of where they part
        if (!(from < max_fraction))
            break;
    }
    memset(hit, 0, sizeof *hit);
}

typedef struct cast_search {
    trvi_asked asked;
    const trv_shape *shape;
    const trv_motion *motion;
    trv_world_hit best;
    trvi_hits *all; // or NULL: the closest
} cast_search;

static float visit(void *context, trv_proxy_id proxy, uint64_t user, float limit)
{
    (void)proxy;
    cast_search *search = context;
    const trv_world *world = search->asked.world;
    uint32_t index = (uint32_t)user;
    if (!trvi_may_see(&search->asked, index))
        return limit;
    trv_impact_hit hit;
    trvi_cast_at(search->shape, search->motion, &trvi_shapes(world)[index].solid,
                 trvi_shape_frame(world, index), search->best.hit ? search->best.fraction : 1.0f,
                 &hit);
    if (!hit.hit)
        return limit;
    trv_world_found found = trvi_found(world, index);
    trv_world_hit met = {true,        hit.start,  hit.fraction, hit.point, trvi_negate(hit.normal),
                         found.shape, found.body, found.user,   found.part};
    if (search->all != NULL) {
        trvi_keep_hit(search->all, &met);
        return limit;
    }
    trvi_hits one = {&search->best, 1, search->best.hit, 0};
    trvi_keep_hit(&one, &met);
    return trvi_limit_after(search->best.fraction, search->motion->pose.position,
                            search->motion->travel, limit);
}

// The box that holds the mover all the way, as it goes along: where it turns, that of the ball about
// its turning centre.
static trv_result moving_box(const trv_shape *shape, const trv_motion *motion, trv_aabb *box)
{
    trv_result result = trv_bounds_of_shape(shape, motion->pose, 0.0f, box);
    if (result != TRV_OK)
        return result;
    if (turns(motion)) {
        trv_vec3 center = trvi_pose_apply(motion->pose, motion->center_local);
        trv_vec3 far = trvi_max(trvi_abs(trvi_sub(box->lower, center)),
                                trvi_abs(trvi_sub(box->upper, center)));
        *box = trvi_aabb_grown((trv_aabb){center, center}, trvi_length(far) * 1.00001f);
    }
    *box = trvi_within_range(*box, 0.0f);
    return TRV_OK;
}

static trv_result check_cast(const trv_shape *shape, const trv_motion *motion)
{
    if (shape == NULL || motion == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trv_shape_check(shape);
    if (result == TRV_OK)
        result = trvi_check_pose(motion->pose);
    const trv_vec3 *vectors[] = {&motion->travel, &motion->turn, &motion->center_local};
    for (int i = 0; i < 3 && result == TRV_OK; i++)
        result = trvi_check_vec3(*vectors[i]);
    return result == TRV_OK && shape->kind == TRV_SHAPE_PLANE ? TRV_ERROR_KIND : result;
}

static trv_result cast(const trv_world *world, const trv_query *query, cast_search *search)
{
    trv_query usual;
    trv_aabb box;
    trv_result result = trvi_ask(world, query, &usual, &search->asked);
    if (result == TRV_OK)
        result = check_cast(search->shape, search->motion);
    if (result == TRV_OK)
        result = moving_box(search->shape, search->motion, &box);
    if (result != TRV_OK)
        return result;
    return trv_broad_cast_box(world->broad, box, search->motion->travel,
                              search->asked.query->filter, visit, search);
}

trv_result trv_world_cast_closest(const trv_world *world, const trv_shape *shape,
                                  const trv_motion *motion, const trv_query *query,
                                  trv_world_hit *hit)
{
    if (hit == NULL)
        return TRV_ERROR_NULL;
    memset(hit, 0, sizeof *hit);
    cast_search search = {.shape = shape, .motion = motion};
    trv_result result = cast(world, query, &search);
    if (result == TRV_OK)
        *hit = search.best;
    return result;
}

trv_result trv_world_cast_all(const trv_world *world, const trv_shape *shape,
                              const trv_motion *motion, const trv_query *query, trv_world_hit *hits,
                              uint32_t capacity, uint32_t *count)
{
    if (count == NULL)
        return TRV_ERROR_NULL;
    *count = 0;
    if (hits == NULL && capacity > 0)
        return TRV_ERROR_NULL;
    trvi_hits all = {hits, capacity, 0, 0};
    cast_search search = {.shape = shape, .motion = motion, .all = &all};
    trv_result result = cast(world, query, &search);
    if (result == TRV_OK)
        *count = all.count;
    return result;
}

typedef struct cast_job {
    const trv_world *world;
    const trv_world_cast *casts;
    const trv_query *query;
    trv_world_hit *hits;
} cast_job;

static void cast_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const cast_job *job = context;
    for (uint32_t i = first; i < last; i++)
        trv_world_cast_closest(job->world, job->casts[i].shape, &job->casts[i].motion, job->query,
                               &job->hits[i]);
}

trv_result trv_world_casts(const trv_world *world, const trv_world_cast *casts, uint32_t count,
                           const trv_query *query, trv_world_hit *hits)
{
    if (hits == NULL || casts == NULL)
        return count == 0 && world != NULL ? TRV_OK : TRV_ERROR_NULL;
    memset(hits, 0, count * sizeof *hits);
    trv_query usual;
    trvi_asked asked;
    trv_result result = trvi_ask(world, query, &usual, &asked);
    for (uint32_t i = 0; i < count && result == TRV_OK; i++)
        result = check_cast(casts[i].shape, &casts[i].motion);
    if (result != TRV_OK)
        return result;
    cast_job job = {world, casts, query, hits};
    trvi_parallel_for(&world->workers, count, 4, cast_range, &job);
    return TRV_OK;
}
