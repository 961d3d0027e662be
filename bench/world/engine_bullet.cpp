// Bullet, as bench_world sees it: ten iterations and all else as it comes, nothing sleeps.
#include "scene.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace
{

struct Self {
    const world_scene *scene;
    btDefaultCollisionConfiguration config;
    btCollisionDispatcher dispatcher{&config};
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broad, &solver, &config};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    ~Self()
    {
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }
};

btVector3 vector_of(trv_vec3 v)
{
    return btVector3(v.x, v.y, v.z);
}

btCollisionShape *shape_of(const world_solid &solid)
{
    if (solid.kind == WORLD_BOX)
        return new btBoxShape(vector_of(solid.half));
    if (solid.kind == WORLD_BALL)
        return new btSphereShape(solid.radius);
    uint32_t count;
    const trv_vec3 *vertices = trv_hull_vertices(solid.hull, &count);
    auto *hull = new btConvexHullShape;
    for (uint32_t i = 0; i < count; i++)
        hull->addPoint(vector_of(vertices[i]), false);
    hull->recalcLocalAabb(); // the usual margin of 4 cm is added around it
    return hull;
}

float volume_of(const world_solid &solid)
{
    if (solid.kind == WORLD_BOX)
        return 8 * solid.half.x * solid.half.y * solid.half.z;
    if (solid.kind == WORLD_BALL)
        return 4.18879f * solid.radius * solid.radius * solid.radius;
    trv_mass mass;
    trv_hull_mass(solid.hull, 1, &mass);
    return mass.mass;
}

void *create(const world_scene *scene)
{
    auto *s = new Self;
    s->scene = scene;
    s->world.setGravity(btVector3(0, -scene->gravity, 0));
    for (uint32_t i = 0; i < scene->solid_count; i++)
        s->shapes.emplace_back(shape_of(scene->solids[i]));
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const world_body &b = scene->bodies[i];
        btCollisionShape *shape = s->shapes[b.solid].get();
        if (b.solids > 1) {
            auto *compound = new btCompoundShape;
            for (uint32_t k = 0; k < b.solids; k++)
                compound->addChildShape(btTransform::getIdentity(), s->shapes[b.solid + k].get());
            s->shapes.emplace_back(shape = compound);
        }
        float mass = b.kind == TRV_BODY_DYNAMIC ? b.density * volume_of(scene->solids[b.solid]) : 0;
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
            shape->calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_startWorldTransform =
            btTransform(btQuaternion(b.rotation.x, b.rotation.y, b.rotation.z, b.rotation.w),
                        vector_of(b.position));
        info.m_friction = std::sqrt(scene->friction); // a contact's is the product
        auto *body = new btRigidBody(info);
        if (b.kind == TRV_BODY_KINEMATIC)
            body->setCollisionFlags(body->getCollisionFlags() |
                                    btCollisionObject::CF_KINEMATIC_OBJECT);
        body->setLinearVelocity(vector_of(b.velocity));
        body->setAngularVelocity(vector_of(b.spin));
        body->setActivationState(DISABLE_DEACTIVATION);
        s->world.addRigidBody(body);
        s->bodies.emplace_back(body);
    }
    return s;
}

void step(void *self, uint32_t number)
{
    auto *s = static_cast<Self *>(self);
    float dt = s->scene->dt;
    for (uint32_t i = 0; i < s->scene->body_count; i++) {
        const world_body &b = s->scene->bodies[i];
        if (b.kind != TRV_BODY_KINEMATIC)
            continue;
        btRigidBody *body = s->bodies[i].get();
        trv_vec3 velocity = b.velocity;
        if (b.orbit != 0)
            velocity = world_orbit_velocity(s->scene, &b, number);
        btTransform at = body->getWorldTransform();
        btTransform to;
        btTransformUtil::integrateTransform(at, vector_of(velocity), vector_of(b.spin), dt, to);
        body->setWorldTransform(to);
        body->setLinearVelocity(vector_of(velocity));
        body->setAngularVelocity(vector_of(b.spin));
    }
    s->world.stepSimulation(dt, 0);
}

trv_vec3 from_vector(const btVector3 &v)
{
    return trv_make_vec3(v.x(), v.y(), v.z());
}

void get(void *self, world_state *states)
{
    auto *s = static_cast<Self *>(self);
    for (size_t i = 0; i < s->bodies.size(); i++) {
        const btTransform &at = s->bodies[i]->getWorldTransform();
        btQuaternion q = at.getRotation();
        states[i].pose.position = from_vector(at.getOrigin());
        states[i].pose.rotation = trv_quat{q.x(), q.y(), q.z(), q.w()};
        states[i].velocity = from_vector(s->bodies[i]->getLinearVelocity());
        states[i].spin = from_vector(s->bodies[i]->getAngularVelocity());
    }
}

void destroy(void *self)
{
    delete static_cast<Self *>(self);
}

} // namespace

extern "C" const world_engine world_bullet = {"bullet", create, step, get, nullptr, destroy};
