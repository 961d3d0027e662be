// ODE, as bench_world sees it: QuickStep with its twenty iterations, a surface layer of 1 mm as its
// manual suggests for stacks, sweep and prune; nothing is disabled.
#include "scene.h"

#include <ode/ode.h>

#include <vector>

namespace
{

struct Convex {
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons;
};

struct Self {
    const world_scene *scene;
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    std::vector<Convex> convex;
    std::vector<dBodyID> bodies;
};

Convex convex_of(const trv_hull *hull)
{
    Convex out;
    uint32_t count, plane_count;
    const trv_vec3 *vertices = trv_hull_vertices(hull, &count);
    const trv_plane *planes = trv_hull_planes(hull, &plane_count);
    const uint32_t *first, *corners;
    trv_hull_faces(hull, &first, &corners);
    for (uint32_t i = 0; i < count; i++)
        for (dReal x : {vertices[i].x, vertices[i].y, vertices[i].z})
            out.points.push_back(x);
    for (uint32_t f = 0; f < plane_count; f++) {
        const trv_vec3 &on = vertices[corners[first[f]]], &n = planes[f].normal;
        for (dReal x : {n.x, n.y, n.z, n.x * on.x + n.y * on.y + n.z * on.z})
            out.planes.push_back(x);
        out.polygons.push_back(first[f + 1] - first[f]);
        for (uint32_t c = first[f]; c < first[f + 1]; c++)
            out.polygons.push_back(corners[c]);
    }
    return out;
}

dGeomID geom_of(Self *s, uint32_t solid)
{
    const world_solid &from = s->scene->solids[solid];
    if (from.kind == WORLD_BOX)
        return dCreateBox(s->space, 2 * from.half.x, 2 * from.half.y, 2 * from.half.z);
    if (from.kind == WORLD_BALL)
        return dCreateSphere(s->space, from.radius);
    Convex &c = s->convex[solid];
    return dCreateConvex(s->space, c.planes.data(), (unsigned)(c.planes.size() / 4),
                         c.points.data(), (unsigned)(c.points.size() / 3), c.polygons.data());
}

void give_mass(dBodyID body, const world_solid &solid, float density)
{
    dMass mass;
    if (solid.kind == WORLD_BOX) {
        dMassSetBox(&mass, density, 2 * solid.half.x, 2 * solid.half.y, 2 * solid.half.z);
    } else if (solid.kind == WORLD_BALL) {
        dMassSetSphere(&mass, density, solid.radius);
    } else {
        trv_mass m;
        trv_hull_mass(solid.hull, density, &m);
        dMassSetParameters(&mass, m.mass, 0, 0, 0, m.inertia[0], m.inertia[1], m.inertia[2],
                           m.inertia[3], m.inertia[4], m.inertia[5]);
    }
    dBodySetMass(body, &mass);
}

void add(Self *s, const world_body &b)
{
    dQuaternion q = {b.rotation.w, b.rotation.x, b.rotation.y, b.rotation.z};
    dBodyID body = nullptr;
    if (b.kind != TRV_BODY_STATIC) {
        body = dBodyCreate(s->world);
        if (b.kind == TRV_BODY_KINEMATIC)
            dBodySetKinematic(body);
        else
            give_mass(body, s->scene->solids[b.solid], b.density);
        dBodySetPosition(body, b.position.x, b.position.y, b.position.z);
        dBodySetQuaternion(body, q);
        dBodySetLinearVel(body, b.velocity.x, b.velocity.y, b.velocity.z);
        dBodySetAngularVel(body, b.spin.x, b.spin.y, b.spin.z);
    }
    for (uint32_t i = 0; i < b.solids; i++) {
        dGeomID geom = geom_of(s, b.solid + i);
        if (body != nullptr) {
            dGeomSetBody(geom, body);
        } else {
            dGeomSetPosition(geom, b.position.x, b.position.y, b.position.z);
            dGeomSetQuaternion(geom, q);
        }
    }
    s->bodies.push_back(body);
}

void *create(const world_scene *scene)
{
    dInitODE2(0);
    dRandSetSeed(1); // QuickStep shuffles what it solves
    auto *s = new Self;
    s->scene = scene;
    s->world = dWorldCreate();
    s->space = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XZY);
    s->contacts = dJointGroupCreate(0);
    dWorldSetGravity(s->world, 0, -scene->gravity, 0);
    dWorldSetQuickStepNumIterations(s->world, 20);
    dWorldSetAutoDisableFlag(s->world, 0);
    dWorldSetContactSurfaceLayer(s->world, 0.001);
    s->convex.resize(scene->solid_count);
    for (uint32_t i = 0; i < scene->solid_count; i++)
        if (scene->solids[i].kind == WORLD_HULL)
            s->convex[i] = convex_of(scene->solids[i].hull);
    for (uint32_t i = 0; i < scene->body_count; i++)
        add(s, scene->bodies[i]);
    return s;
}

void meet(void *self, dGeomID a, dGeomID b)
{
    auto *s = static_cast<Self *>(self);
    dContact contacts[8];
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    bool moves_a = body_a != nullptr && !dBodyIsKinematic(body_a);
    bool moves_b = body_b != nullptr && !dBodyIsKinematic(body_b);
    if (!moves_a && !moves_b)
        return;
    int count = dCollide(a, b, 8, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; i++) {
        contacts[i].surface.mode = dContactApprox1;
        contacts[i].surface.mu = s->scene->friction;
        dJointAttach(dJointCreateContact(s->world, s->contacts, &contacts[i]), body_a, body_b);
    }
}

void step(void *self, uint32_t number)
{
    auto *s = static_cast<Self *>(self);
    for (uint32_t i = 0; i < s->scene->body_count; i++) {
        const world_body &b = s->scene->bodies[i];
        if (b.orbit == 0)
            continue;
        trv_vec3 v = world_orbit_velocity(s->scene, &b, number);
        dBodySetLinearVel(s->bodies[i], v.x, v.y, v.z);
    }
    dSpaceCollide(s->space, s, meet);
    dWorldQuickStep(s->world, s->scene->dt);
    dJointGroupEmpty(s->contacts);
}

trv_vec3 from_reals(const dReal *v)
{
    return trv_make_vec3((float)v[0], (float)v[1], (float)v[2]);
}

void get(void *self, world_state *states)
{
    auto *s = static_cast<Self *>(self);
    for (size_t i = 0; i < s->bodies.size(); i++) {
        dBodyID body = s->bodies[i];
        if (body == nullptr)
            continue;
        const dReal *q = dBodyGetQuaternion(body);
        states[i].pose.position = from_reals(dBodyGetPosition(body));
        states[i].pose.rotation = trv_quat{(float)q[1], (float)q[2], (float)q[3], (float)q[0]};
        states[i].velocity = from_reals(dBodyGetLinearVel(body));
        states[i].spin = from_reals(dBodyGetAngularVel(body));
    }
}

void destroy(void *self)
{
    auto *s = static_cast<Self *>(self);
    dJointGroupDestroy(s->contacts);
    dSpaceDestroy(s->space);
    dWorldDestroy(s->world);
    delete s;
}

} // namespace

extern "C" const world_engine world_ode = {"ode", create, step, get, nullptr, destroy};
