// Trivet as a contestant of bench_broad: with all boxes awake, and with those asleep that do not
// move.
#include "bench.h"
#include "broad_figures.h"

typedef struct self {
    trv_broad *broad;
    trv_proxy_id *ids;
    trv_pairs pairs;
    bool asleep; // boxes that do not move are
    uint32_t answers;
    bench_sink *sink;
} self;

static self *create_trivet(const bench_room *room, bool asleep)
{
    self *s = broad_memory(1, sizeof *s);
    trv_broad_def def = trv_default_broad_def();
    bench_need(trv_broad_create(&def, &s->broad), "broad");
    s->ids = broad_memory(room->most, sizeof *s->ids);
    s->asleep = asleep;
    return s;
}

static void *create_awake(const bench_room *room)
{
    return create_trivet(room, false);
}

static void *create_asleep(const bench_room *room)
{
    return create_trivet(room, true);
}

static void add(void *at, uint32_t index, trv_aabb box, bool moves)
{
    self *s = at;
    trv_proxy_set set = s->asleep && !moves ? TRV_PROXY_ASLEEP : TRV_PROXY_AWAKE;
    bench_need(trv_broad_add(s->broad, box, trv_default_filter(), set, index, &s->ids[index]),
               "add");
}

static void move(void *at, uint32_t index, trv_aabb box)
{
    self *s = at;
    bench_need(trv_broad_move(s->broad, s->ids[index], box), "move");
}

static void remove_one(void *at, uint32_t index)
{
    self *s = at;
    bench_need(trv_broad_remove(s->broad, s->ids[index]), "remove");
}

static void update(void *at)
{
    self *s = at;
    bench_need(trv_broad_update(s->broad, &s->pairs), "update");
}

static void pairs(void *at, bench_sink *sink)
{
    const self *s = at;
    const trv_pair *lists[2] = {s->pairs.begun, s->pairs.kept};
    const uint32_t counts[2] = {s->pairs.begun_count, s->pairs.kept_count};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < counts[k]; i++)
            bench_put_pair(sink, (uint32_t)lists[k][i].user_a, (uint32_t)lists[k][i].user_b);
    }
}

static bool put_found(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    bench_put(context, user);
    return true;
}

static void query(void *at, trv_aabb box, bench_sink *sink)
{
    self *s = at;
    bench_need(trv_broad_query_aabb(s->broad, box, trv_default_filter(), put_found, sink), "query");
}

static float put_hit(void *context, trv_proxy_id proxy, uint64_t user, float limit)
{
    (void)proxy;
    bench_put(context, user);
    return limit;
}

static void cast(void *at, trv_ray ray, bench_sink *sink)
{
    self *s = at;
    bench_need(trv_broad_cast_ray(s->broad, ray, trv_default_filter(), put_hit, sink), "cast");
}

static void destroy(void *at)
{
    self *s = at;
    trv_broad_destroy(s->broad);
    free(s->ids);
    free(s);
}

const bench_broad bench_broad_trivet[] = {
    {"trivet", 0, false, create_awake, add, move, remove_one, update, pairs, query, cast, destroy},
    {"trivet-asleep", 0, true, create_asleep, add, move, NULL, update, pairs, NULL, NULL, destroy},
    {.name = NULL},
};

const trv_broad *bench_broad_of(const void *at)
{
    return ((const self *)at)->broad;
}
