// ODE's spaces, as bench_broad sees them.
#include "broad_peers.h"

#include <ode/ode.h>

#include <cmath>
#include <vector>

namespace
{

struct Self {
    dSpaceID space;
    std::vector<dGeomID> geoms;
    int y, z; // which axes are ODE's y and z
};

enum Kind { SWEEP, HASH, QUADTREE };

double axis_of(trv_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

template <int kind> void *create(const bench_room *room)
{
    static const int ready = dInitODE2(0);
    (void)ready;
    Self *s = new Self{nullptr, {}, 1, 2};
    if (kind == SWEEP) {
        s->space = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XZY);
    } else if (kind == HASH) {
        s->space = dHashSpaceCreate(nullptr);
        dHashSpaceSetLevels(s->space, (int)std::floor(std::log2(room->small)),
                            (int)std::ceil(std::log2(room->large)));
    } else {
        // It splits over its x and y alone: these are to be the ground.
        s->y = 2;
        s->z = 1;
        dVector3 center = {0, 0, 0, 0}, half = {0, 0, 0, 0};
        for (int k = 0; k < 3; k++) {
            int axis = k == 0 ? 0 : k == 1 ? s->y : s->z;
            double lower = axis_of(room->bounds.lower, axis);
            double upper = axis_of(room->bounds.upper, axis);
            center[k] = 0.5 * (lower + upper);
            half[k] = 0.5 * (upper - lower) + 1;
        }
        int depth = (int)std::floor(std::log2(std::fmax(half[0], half[1])));
        depth = depth < 1 ? 1 : depth > 8 ? 8 : depth; // leaves of two boxes, 4^8 at most
        s->space = dQuadTreeSpaceCreate(nullptr, center, half, depth);
    }
    return s;
}

void place(Self *s, dGeomID geom, trv_aabb box)
{
    dGeomSetPosition(geom, 0.5 * ((double)box.lower.x + box.upper.x),
                     0.5 * (axis_of(box.lower, s->y) + axis_of(box.upper, s->y)),
                     0.5 * (axis_of(box.lower, s->z) + axis_of(box.upper, s->z)));
}

void add(void *self, uint32_t index, trv_aabb box, bool)
{
    Self *s = static_cast<Self *>(self);
    dGeomID geom = dCreateBox(s->space, (double)box.upper.x - box.lower.x,
                              axis_of(box.upper, s->y) - axis_of(box.lower, s->y),
                              axis_of(box.upper, s->z) - axis_of(box.lower, s->z));
    dGeomSetData(geom, (void *)(uintptr_t)index);
    s->geoms.resize(index + 1);
    s->geoms[index] = geom;
    place(s, geom, box);
}

void move(void *self, uint32_t index, trv_aabb box)
{
    Self *s = static_cast<Self *>(self);
    place(s, s->geoms[index], box);
}

void remove(void *self, uint32_t index)
{
    Self *s = static_cast<Self *>(self);
    dGeomDestroy(s->geoms[index]);
    s->geoms.resize(index);
}

void update(void *)
{
}

void on_pair(void *sink, dGeomID a, dGeomID b)
{
    bench_put_pair(static_cast<bench_sink *>(sink), (uint32_t)(uintptr_t)dGeomGetData(a),
                   (uint32_t)(uintptr_t)dGeomGetData(b));
}

void pairs(void *self, bench_sink *sink)
{
    dSpaceCollide(static_cast<Self *>(self)->space, sink, on_pair);
}

void destroy(void *self)
{
    Self *s = static_cast<Self *>(self);
    dSpaceDestroy(s->space); // with what is in it
    delete s;
}

} // namespace

// Its questions are pairs of a geom and a space, all of which it goes through.
const bench_broad bench_broad_ode[] = {{"ode-sweep", 10000, false, create<SWEEP>, add, move, remove,
                                        update, pairs, nullptr, nullptr, destroy},
                                       {"ode-hash", 10000, false, create<HASH>, add, move, remove,
                                        update, pairs, nullptr, nullptr, destroy},
                                       {"ode-quadtree", 10000, false, create<QUADTREE>, add, move,
                                        remove, update, pairs, nullptr, nullptr, destroy},
                                       {nullptr, 0, false, nullptr, nullptr, nullptr, nullptr,
                                        nullptr, nullptr, nullptr, nullptr, nullptr}};
