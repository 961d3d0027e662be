// Bullet, as packaged for float and, compiled once more, for double. Margins are 0: the question is
// about the hulls themselves.
#include "contestant.h"

#include <btBulletCollisionCommon.h>

#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>

#include <cstdio>
#include <vector>

#ifdef BT_USE_DOUBLE_PRECISION
#define NAME(text) "bullet64-" text
#else
#define NAME(text) "bullet-" text
#endif

namespace
{

btTransform transform_of(const bench_place &place)
{
    const double *m = place.rotation, *p = place.position;
    btMatrix3x3 basis((btScalar)m[0], (btScalar)m[1], (btScalar)m[2], (btScalar)m[3],
                      (btScalar)m[4], (btScalar)m[5], (btScalar)m[6], (btScalar)m[7],
                      (btScalar)m[8]);
    return btTransform(basis, btVector3((btScalar)p[0], (btScalar)p[1], (btScalar)p[2]));
}

void fill(btConvexHullShape &shape, const bench_solid &solid)
{
    for (uint32_t i = 0; i < solid.count; i++)
        shape.addPoint(btVector3(solid.vertices[i].x, solid.vertices[i].y, solid.vertices[i].z),
                       false);
    shape.recalcLocalAabb();
    shape.setMargin(0);
}

struct Shapes {
    btConvexHullShape a, b;
    std::vector<btTransform> at_a, at_b;
    Shapes(const bench_pair *pair, uint32_t frames)
    {
        fill(a, pair->solid[0]);
        fill(b, pair->solid[1]);
        for (uint32_t f = 0; f < frames; f++) {
            at_a.push_back(transform_of(pair->frames[f].place[0]));
            at_b.push_back(transform_of(pair->frames[f].place[1]));
        }
    }
};

// ---- GJK with EPA behind it, one pair at a time

struct Pair : Shapes {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btGjkPairDetector detector; // reads the margins when it is made: last
    btVector3 axis;             // from b to a
    bool have_axis;
    Pair(const bench_pair *pair, uint32_t frames)
        : Shapes(pair, frames), detector(&a, &b, &simplex, &depth), axis(1, 0, 0), have_axis(false)
    {
    }
    bool axis_separates(uint32_t frame) const
    {
        const btTransform &ta = at_a[frame], &tb = at_b[frame];
        btVector3 pa = ta(a.localGetSupportVertexWithoutMarginNonVirtual(-axis * ta.getBasis()));
        btVector3 pb = tb(b.localGetSupportVertexWithoutMarginNonVirtual(axis * tb.getBasis()));
        return have_axis && axis.dot(pa - pb) > 0;
    }
};

void *create_pair(const bench_pair *pair, uint32_t frames)
{
    return new Pair(pair, frames);
}

// The detector forgets its separating axis at the start of each query (as of 3.24), so whoever wants
// to keep it tests it outside, as "+axis" does.
template <bool remember> void detect(void *self, uint32_t frame, bench_answer *answer)
{
    Pair *s = static_cast<Pair *>(self);
    if (remember && s->axis_separates(frame)) {
        answer->remembered = true;
        return;
    }
    btGjkPairDetector::ClosestPointInput input;
    btPointCollector result;
    input.m_transformA = s->at_a[frame];
    input.m_transformB = s->at_b[frame];
    s->simplex.reset();
    s->detector.getClosestPoints(input, result, nullptr);
    answer->measured = result.m_hasResult;
    answer->distance = result.m_distance;
    answer->overlap = !result.m_hasResult || result.m_distance <= 0;
    s->have_axis = result.m_hasResult && !answer->overlap;
    s->axis = result.m_normalOnBInWorld;
}

// "+guess": the last direction, in the frame of the first shape, is where the search starts.
template <bool remember> void solve(void *self, uint32_t frame, bench_answer *answer)
{
    Pair *s = static_cast<Pair *>(self);
    const btTransform &ta = s->at_a[frame], &tb = s->at_b[frame];
    btGjkEpaSolver2::sResults result;
    btVector3 guess = (ta.getOrigin() - tb.getOrigin()) * ta.getBasis();
    if (remember && s->have_axis)
        guess = s->axis;
    answer->overlap = !btGjkEpaSolver2::Distance(&s->a, ta, &s->b, tb, guess, result);
    answer->measured = true;
    if (answer->overlap)
        answer->measured = btGjkEpaSolver2::Penetration(&s->a, ta, &s->b, tb, guess, result, false);
    answer->distance = answer->measured ? result.distance : 0;
    // The normal comes in the world from Distance, and in the first shape's frame from Penetration.
    s->axis = answer->overlap ? result.normal : result.normal * ta.getBasis();
    s->have_axis = answer->measured;
}

// ---- contact manifolds, through the dispatcher as in a world

struct Contact : Shapes {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDispatcherInfo info;
    btCollisionObject body_a, body_b;
    btCollisionAlgorithm *algorithm;
    btManifoldArray manifolds;
    Contact(const bench_pair *pair, uint32_t frames)
        : Shapes(pair, frames), dispatcher(&configuration), algorithm(nullptr)
    {
        a.initializePolyhedralFeatures(); // for manifolds of faces, not of single points
        b.initializePolyhedralFeatures();
        body_a.setCollisionShape(&a);
        body_b.setCollisionShape(&b);
    }
};

void *create_contact(const bench_pair *pair, uint32_t frames)
{
    return new Contact(pair, frames);
}

void contact(void *self, uint32_t frame, bench_answer *answer)
{
    Contact *s = static_cast<Contact *>(self);
    s->body_a.setWorldTransform(s->at_a[frame]);
    s->body_b.setWorldTransform(s->at_b[frame]);
    btCollisionObjectWrapper wrap_a(nullptr, &s->a, &s->body_a, s->at_a[frame], -1, -1);
    btCollisionObjectWrapper wrap_b(nullptr, &s->b, &s->body_b, s->at_b[frame], -1, -1);
    if (s->algorithm == nullptr)
        s->algorithm =
            s->dispatcher.findAlgorithm(&wrap_a, &wrap_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    btManifoldResult result(&wrap_a, &wrap_b);
    s->algorithm->processCollision(&wrap_a, &wrap_b, s->info, &result);
    s->manifolds.resize(0);
    s->algorithm->getAllContactManifolds(s->manifolds);
    for (int m = 0; m < s->manifolds.size(); m++) {
        const btPersistentManifold *manifold = s->manifolds[m];
        for (int i = 0; i < manifold->getNumContacts(); i++) {
            double separation = manifold->getContactPoint(i).getDistance();
            if (!answer->measured || separation < answer->distance)
                answer->distance = separation;
            answer->measured = true;
            answer->points++;
        }
    }
    answer->overlap = answer->measured && answer->distance <= 0;
}

const bench_contestant contestants[] = {
    {NAME("gjkpair"), BENCH_DISTANCE, false, create_pair, detect<false>},
    {NAME("gjkpair+axis"), BENCH_DEPTH, true, create_pair, detect<true>},
    {NAME("gjkepa2"), BENCH_DISTANCE, false, create_pair, solve<false>},
    {NAME("gjkepa2+guess"), BENCH_DISTANCE, true, create_pair, solve<true>},
    {NAME("manifold"), BENCH_MANIFOLD, true, create_contact, contact},
};

} // namespace

const bench_library *bench_library_get(void)
{
    static char version[16];
    static bench_library library = {version, contestants, sizeof contestants / sizeof *contestants};
    std::snprintf(version, sizeof version, "%d.%02d", btGetVersion() / 100, btGetVersion() % 100);
    return &library;
}
