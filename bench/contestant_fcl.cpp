// FCL: collide with contacts, and distance, on its Convex shape in double with libccd behind it.
#include "contestant.h"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

namespace
{

typedef std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> Transforms;

struct Pair {
    std::shared_ptr<fcl::Convexd> shape[2];
    Transforms at[2];
    fcl::CollisionRequestd collide;
    fcl::DistanceRequestd distance;
};

std::shared_ptr<fcl::Convexd> convex_of(const bench_solid &solid)
{
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (uint32_t i = 0; i < solid.count; i++)
        vertices->emplace_back(solid.points[i][0], solid.points[i][1], solid.points[i][2]);
    for (uint32_t f = 0; f < solid.faces; f++) {
        faces->push_back((int)(solid.first[f + 1] - solid.first[f]));
        for (uint32_t i = solid.first[f]; i < solid.first[f + 1]; i++)
            faces->push_back((int)solid.corners[i]);
    }
    auto convex = std::make_shared<fcl::Convexd>(vertices, (int)solid.faces, faces);
    convex->computeLocalAABB();
    return convex;
}

void *create(const bench_pair *pair, uint32_t frames)
{
    Pair *s = new Pair;
    for (int side = 0; side < 2; side++) {
        s->shape[side] = convex_of(pair->solid[side]);
        for (uint32_t f = 0; f < frames; f++) {
            const bench_place &place = pair->frames[f].place[side];
            fcl::Transform3d t = fcl::Transform3d::Identity();
            t.linear() =
                Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(place.rotation);
            t.translation() = Eigen::Map<const fcl::Vector3d>(place.position);
            s->at[side].push_back(t);
        }
    }
    s->collide.enable_contact = true;
    s->collide.num_max_contacts = 4;
    s->distance.enable_signed_distance = true; // or there is no depth
    return s;
}

void collide(void *self, uint32_t frame, bench_answer *answer)
{
    Pair *s = static_cast<Pair *>(self);
    fcl::CollisionResultd result;
    answer->overlap = fcl::collide(s->shape[0].get(), s->at[0][frame], s->shape[1].get(),
                                   s->at[1][frame], s->collide, result) > 0;
    for (size_t i = 0; i < result.numContacts(); i++) {
        double separation = -result.getContact(i).penetration_depth;
        if (!answer->measured || separation < answer->distance)
            answer->distance = separation;
        answer->measured = true;
        answer->points++;
    }
}

void distance(void *self, uint32_t frame, bench_answer *answer)
{
    Pair *s = static_cast<Pair *>(self);
    fcl::DistanceResultd result;
    answer->distance = fcl::distance(s->shape[0].get(), s->at[0][frame], s->shape[1].get(),
                                     s->at[1][frame], s->distance, result);
    answer->overlap = answer->distance <= 0;
    answer->measured = true;
}

const bench_contestant contestants[] = {
    {"fcl-collide", BENCH_MANIFOLD, false, create, collide},
    {"fcl-distance", BENCH_DISTANCE, false, create, distance},
};

} // namespace

const bench_library *bench_library_get(void)
{
    static const bench_library library = {FCL_VERSION, contestants,
                                          sizeof contestants / sizeof *contestants};
    return &library;
}
