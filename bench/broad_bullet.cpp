// Bullet's sweep and its pair of dynamic trees, as bench_broad sees them.
#include "broad_peers.h"

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <vector>

namespace
{

struct Self {
    btBroadphaseInterface *broad;
    std::vector<btBroadphaseProxy *> proxies;
};

btVector3 vector_of(trv_vec3 v)
{
    return btVector3(v.x, v.y, v.z);
}

uint32_t index_of(const btBroadphaseProxy *proxy)
{
    return (uint32_t)(uintptr_t)proxy->m_clientObject - 1;
}

template <bool sweep> void *create(const bench_room *room)
{
    Self *s = new Self;
    btVector3 margin(1, 1, 1);
    if (sweep) // without the second structure that it would keep for rays
        s->broad = new bt32BitAxisSweep3(vector_of(room->bounds.lower) - margin,
                                         vector_of(room->bounds.upper) + margin, room->most + 1,
                                         nullptr, true);
    else
        s->broad = new btDbvtBroadphase;
    return s;
}

void add(void *self, uint32_t index, trv_aabb box, bool)
{
    Self *s = static_cast<Self *>(self);
    s->proxies.resize(index + 1);
    s->proxies[index] =
        s->broad->createProxy(vector_of(box.lower), vector_of(box.upper), BOX_SHAPE_PROXYTYPE,
                              (void *)(uintptr_t)(index + 1), btBroadphaseProxy::DefaultFilter,
                              btBroadphaseProxy::AllFilter, nullptr);
}

void move(void *self, uint32_t index, trv_aabb box)
{
    Self *s = static_cast<Self *>(self);
    s->broad->setAabb(s->proxies[index], vector_of(box.lower), vector_of(box.upper), nullptr);
}

void remove(void *self, uint32_t index)
{
    Self *s = static_cast<Self *>(self);
    s->broad->destroyProxy(s->proxies[index], nullptr);
    s->proxies.resize(index);
}

void update(void *self)
{
    static_cast<Self *>(self)->broad->calculateOverlappingPairs(nullptr);
}

void pairs(void *self, bench_sink *sink)
{
    auto &list =
        static_cast<Self *>(self)->broad->getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < list.size(); i++)
        bench_put_pair(sink, index_of(list[i].m_pProxy0), index_of(list[i].m_pProxy1));
}

// The trees hold the boxes as they were given, or a little larger; what is asked for is looked up.
struct Query : btBroadphaseAabbCallback {
    trv_aabb box;
    bench_sink *sink;
    bool process(const btBroadphaseProxy *proxy) override
    {
        const btVector3 &l = proxy->m_aabbMin, &u = proxy->m_aabbMax;
        trv_aabb of = {{l.x(), l.y(), l.z()}, {u.x(), u.y(), u.z()}};
        if (bench_overlap(of, box))
            bench_put(sink, index_of(proxy));
        return true;
    }
};

void query(void *self, trv_aabb box, bench_sink *sink)
{
    Query callback;
    callback.box = box;
    callback.sink = sink;
    static_cast<Self *>(self)->broad->aabbTest(vector_of(box.lower), vector_of(box.upper),
                                               callback);
}

struct Cast : btBroadphaseRayCallback {
    btVector3 from;
    bench_sink *sink;
    bool process(const btBroadphaseProxy *proxy) override
    {
        btVector3 bounds[2] = {proxy->m_aabbMin, proxy->m_aabbMax};
        btScalar at;
        if (btRayAabb2(from, m_rayDirectionInverse, m_signs, bounds, at, 0, m_lambda_max))
            bench_put(sink, index_of(proxy));
        return true;
    }
};

void cast(void *self, trv_ray ray, bench_sink *sink)
{
    Cast callback;
    btVector3 travel = vector_of(ray.travel), direction = travel.normalized();
    callback.from = vector_of(ray.origin);
    callback.sink = sink;
    for (int k = 0; k < 3; k++) {
        callback.m_rayDirectionInverse[k] =
            direction[k] == 0 ? (btScalar)BT_LARGE_FLOAT : 1 / direction[k];
        callback.m_signs[k] = callback.m_rayDirectionInverse[k] < 0;
    }
    callback.m_lambda_max = travel.length();
    static_cast<Self *>(self)->broad->rayTest(callback.from, callback.from + travel, callback);
}

void destroy(void *self)
{
    Self *s = static_cast<Self *>(self);
    for (btBroadphaseProxy *proxy : s->proxies)
        s->broad->destroyProxy(proxy, nullptr);
    delete s->broad;
    delete s;
}

} // namespace

// The sweep inserts boxes one by one, each through the whole list: minutes for 100,000.
const bench_broad bench_broad_bullet[] = {{"bullet-sweep", 10000, false, create<true>, add, move,
                                           remove, update, pairs, nullptr, nullptr, destroy},
                                          {"bullet-trees", 0, false, create<false>, add, move,
                                           remove, update, pairs, query, cast, destroy},
                                          {nullptr, 0, false, nullptr, nullptr, nullptr, nullptr,
                                           nullptr, nullptr, nullptr, nullptr, nullptr}};
