// Questions to the broadphase by the array, and those whose answer is one thing: each answer goes
// to a place of its own, and depends on its question alone.
//
// Answers are the first of all that is found, by what they are asked for (a fraction, a distance)
// and by index, whatever the order in which they are found. So they are the same however the
// questions are dealt to workers, and whatever the columns looked like.
#include "query.h"

enum { QUESTIONS_PER_HAND_OVER = 8 };

static trv_result check_reach(float reach)
{
    if (!trvi_is_finite(reach))
        return TRV_ERROR_NUMBER;
    return reach >= 0.0f ? TRV_OK : TRV_ERROR_RANGE;
}

static trv_result check_question(const trv_question *question)
{
    trv_result result = TRV_ERROR_RANGE;
    switch (question->kind) {
    case TRV_ASK_AABB:
        return trvi_check_aabb(question->as.aabb);
    case TRV_ASK_OBB:
        return trvi_check_question_obb(question->as.obb);
    case TRV_ASK_PLANES:
        return trvi_check_question_planes(question->as.volume.planes, question->as.volume.count);
    case TRV_ASK_RAY:
    case TRV_ASK_RAY_ANY:
        result = trvi_check_vec3(question->as.ray.origin);
        return result == TRV_OK ? trvi_check_vec3(question->as.ray.travel) : result;
    case TRV_ASK_SWEEP:
        result = trvi_check_aabb(question->as.sweep.box);
        return result == TRV_OK ? trvi_check_vec3(question->as.sweep.travel) : result;
    case TRV_ASK_NEAREST:
        result = trvi_check_vec3(question->as.ball.center);
        return result == TRV_OK ? check_reach(question->as.ball.radius) : result;
    }
    return result;
}

static bool offer_proxy(void *context, uint32_t index)
{
    trvi_best_offer(context, index, 0.0f);
    return true;
}

// Once there is no room left, what comes later than the last answer is not looked for. Fractions
// that round to that one's are: the index decides.
static double offer_hit(void *context, uint32_t index, double fraction, double limit)
{
    trvi_best *best = context;
    trvi_best_offer(best, index, (float)fraction);
    if (best->count < best->capacity)
        return limit;
    return best->capacity > 0 ? (double)nextafterf(best->found[0].at, 2.0f) : -1.0;
}

static double offer_any(void *context, uint32_t index, double fraction, double limit)
{
    (void)limit;
    trvi_best_offer(context, index, (float)fraction);
    return -1.0;
}

static void cast_for(trvi_best *best, trv_aabb box, trv_vec3 travel, trv_filter filter,
                     trvi_tell_hit *tell)
{
    trvi_cast cast = trvi_cast_of(best->broad, box, travel, filter);
    cast.tell = tell;
    cast.context = best;
    cast.eager = best->capacity == 1 || tell == offer_any;
    trvi_cast_run(&cast);
    trvi_best_sort(best);
}

static void query_for(trvi_best *best, const trvi_volume *volume, trv_filter filter)
{
    trvi_query_volume(best->broad, volume, filter, offer_proxy, best);
    trvi_best_sort(best);
}

// Returns how many there are of those that are counted to the end, and how many were found of the
// others.
static uint32_t answer(const trv_broad *broad, const trv_question *question, uint32_t capacity,
                       trv_proxy_found *found)
{
    trvi_best best = {.broad = broad, .found = found, .capacity = capacity};
    trv_ray ray;
    trvi_volume volume;
    switch (question->kind) {
    case TRV_ASK_AABB:
        trvi_query_aabb(broad, question->as.aabb, question->filter, offer_proxy, &best);
        trvi_best_sort(&best);
        return best.offered;
    case TRV_ASK_OBB:
        volume = trvi_volume_of_obb(question->as.obb);
        query_for(&best, &volume, question->filter);
        return best.offered;
    case TRV_ASK_PLANES:
        volume = trvi_volume_of_planes(question->as.volume.planes, question->as.volume.count);
        query_for(&best, &volume, question->filter);
        return best.offered;
    case TRV_ASK_RAY:
        ray = question->as.ray;
        cast_for(&best, (trv_aabb){ray.origin, ray.origin}, ray.travel, question->filter,
                 offer_hit);
        break;
    case TRV_ASK_RAY_ANY:
        ray = question->as.ray;
        cast_for(&best, (trv_aabb){ray.origin, ray.origin}, ray.travel, question->filter,
                 offer_any);
        break;
    case TRV_ASK_SWEEP:
        cast_for(&best, question->as.sweep.box, question->as.sweep.travel, question->filter,
                 offer_hit);
        break;
    case TRV_ASK_NEAREST:
        trvi_seek_nearest(broad, question->as.ball.center, question->as.ball.radius,
                          question->filter, &best);
        break;
    }
    return best.count;
}

typedef struct batch {
    const trv_broad *broad;
    const trv_question *questions;
    uint32_t capacity;
    trv_proxy_found *found;
    uint32_t *counts;
} batch;

static void answer_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const batch *b = context;
    for (uint32_t i = first; i < last; i++) {
        trv_proxy_found *found = b->capacity > 0 ? b->found + (size_t)i * b->capacity : NULL;
        b->counts[i] = answer(b->broad, &b->questions[i], b->capacity, found);
    }
}

trv_result trv_broad_ask(const trv_broad *broad, const trv_question *questions, uint32_t count,
                         uint32_t capacity, trv_proxy_found *found, uint32_t *counts)
{
    if (count == 0)
        return broad == NULL ? TRV_ERROR_NULL : TRV_OK;
    if (counts == NULL)
        return TRV_ERROR_NULL;
    for (uint32_t i = 0; i < count; i++)
        counts[i] = 0;
    if (broad == NULL || questions == NULL || (found == NULL && capacity > 0))
        return TRV_ERROR_NULL;
    for (uint32_t i = 0; i < count; i++) {
        trv_result result = check_question(&questions[i]);
        if (result != TRV_OK)
            return result;
    }
    batch b = {broad, questions, capacity, found, counts};
    trvi_parallel_for(&broad->workers, count, QUESTIONS_PER_HAND_OVER, answer_range, &b);
    return TRV_OK;
}

// One question on the calling thread, with room for `capacity` answers.
static trv_result ask_one(const trv_broad *broad, const trv_question *question, uint32_t capacity,
                          trv_proxy_found *found, uint32_t *count)
{
    if (broad == NULL)
        return TRV_ERROR_NULL;
    trv_result result = check_question(question);
    if (result == TRV_OK)
        *count = answer(broad, question, capacity, found);
    return result;
}

trv_result trv_broad_cast_closest(const trv_broad *broad, trv_ray ray, trv_filter filter,
                                  trv_proxy_found *closest)
{
    if (closest == NULL)
        return TRV_ERROR_NULL;
    *closest = (trv_proxy_found){.at = 0.0f};
    uint32_t count = 0;
    trv_question question = {.kind = TRV_ASK_RAY, .filter = filter, .as.ray = ray};
    return ask_one(broad, &question, 1, closest, &count);
}

trv_result trv_broad_cast_any(const trv_broad *broad, trv_ray ray, trv_filter filter, bool *met)
{
    if (met == NULL)
        return TRV_ERROR_NULL;
    *met = false;
    uint32_t count = 0;
    trv_proxy_found found;
    trv_question question = {.kind = TRV_ASK_RAY_ANY, .filter = filter, .as.ray = ray};
    trv_result result = ask_one(broad, &question, 1, &found, &count);
    *met = count > 0;
    return result;
}

trv_result trv_broad_find_nearest(const trv_broad *broad, trv_vec3 point, float reach,
                                  trv_filter filter, uint32_t capacity, trv_proxy_found *found,
                                  uint32_t *count)
{
    if (count == NULL)
        return TRV_ERROR_NULL;
    *count = 0;
    if (found == NULL && capacity > 0)
        return TRV_ERROR_NULL;
    trv_question question = {.kind = TRV_ASK_NEAREST, .filter = filter};
    question.as.ball = (trv_sphere){point, reach};
    return ask_one(broad, &question, capacity, found, count);
}
