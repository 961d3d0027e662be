// FCL's broadphase managers, as bench_broad sees them.
#include "broad_peers.h"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

namespace
{

struct Self {
    std::unique_ptr<fcl::BroadPhaseCollisionManagerd> manager;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    std::vector<fcl::CollisionObjectd *> waiting; // added since the last update
    std::vector<fcl::CollisionObjectd *> moved;
    bool started = false;
};

template <class Manager> void *create(const bench_room *)
{
    Self *s = new Self;
    s->manager.reset(new Manager);
    return s;
}

void place(fcl::CollisionObjectd *object, trv_aabb box)
{
    object->setTranslation(fcl::Vector3d(0.5 * ((double)box.lower.x + box.upper.x),
                                         0.5 * ((double)box.lower.y + box.upper.y),
                                         0.5 * ((double)box.lower.z + box.upper.z)));
    object->computeAABB();
}

std::unique_ptr<fcl::CollisionObjectd> object_of(trv_aabb box)
{
    auto shape = std::make_shared<fcl::Boxd>((double)box.upper.x - box.lower.x,
                                             (double)box.upper.y - box.lower.y,
                                             (double)box.upper.z - box.lower.z);
    shape->computeLocalAABB();
    std::unique_ptr<fcl::CollisionObjectd> object(new fcl::CollisionObjectd(shape));
    place(object.get(), box);
    return object;
}

void add(void *self, uint32_t index, trv_aabb box, bool)
{
    Self *s = static_cast<Self *>(self);
    s->objects.resize(index);
    s->objects.push_back(object_of(box));
    s->objects[index]->setUserData((void *)(uintptr_t)index);
    s->waiting.push_back(s->objects[index].get());
}

void move(void *self, uint32_t index, trv_aabb box)
{
    Self *s = static_cast<Self *>(self);
    place(s->objects[index].get(), box);
    s->moved.push_back(s->objects[index].get());
}

void remove(void *self, uint32_t index)
{
    Self *s = static_cast<Self *>(self);
    s->manager->unregisterObject(s->objects[index].get());
    s->objects.resize(index);
}

// All at once when all moved: a single one may cost each as much as all.
void update(void *self)
{
    Self *s = static_cast<Self *>(self);
    if (!s->started) {
        s->manager->registerObjects(s->waiting);
        s->manager->setup();
        s->started = true;
    } else {
        for (fcl::CollisionObjectd *object : s->waiting)
            s->manager->registerObject(object);
        if (s->moved.size() * 8 > s->objects.size())
            s->manager->update();
        else if (!s->moved.empty())
            s->manager->update(s->moved);
    }
    s->waiting.clear();
    s->moved.clear();
}

uint32_t index_of(const fcl::CollisionObjectd *object)
{
    return (uint32_t)(uintptr_t)object->getUserData();
}

bool on_pair(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *sink)
{
    bench_put_pair(static_cast<bench_sink *>(sink), index_of(a), index_of(b));
    return false;
}

void pairs(void *self, bench_sink *sink)
{
    static_cast<Self *>(self)->manager->collide(sink, on_pair);
}

bool on_found(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *sink)
{
    const fcl::CollisionObjectd *found = a->getUserData() == (void *)UINTPTR_MAX ? b : a;
    bench_put(static_cast<bench_sink *>(sink), index_of(found));
    return false;
}

void query(void *self, trv_aabb box, bench_sink *sink)
{
    auto object = object_of(box);
    object->setUserData((void *)UINTPTR_MAX);
    static_cast<Self *>(self)->manager->collide(object.get(), sink, on_found);
}

void destroy(void *self)
{
    delete static_cast<Self *>(self);
}

} // namespace

const bench_broad bench_broad_fcl[] = {
    {"fcl-sweep", 1000, false, create<fcl::SaPCollisionManagerd>, add, move, remove, update, pairs,
     nullptr, nullptr, destroy},
    {"fcl-tree", 100000, false, create<fcl::DynamicAABBTreeCollisionManagerd>, add, move, remove,
     update, pairs, query, nullptr, destroy},
    {nullptr, 0, false, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
     nullptr}};
