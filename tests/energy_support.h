// What bodies have of energy, by what the world tells of them.
#ifndef TRV_TESTS_ENERGY_SUPPORT_H
#define TRV_TESTS_ENERGY_SUPPORT_H

#include "world_support.h"

// Of their motion, J.
static inline double energy_of(trv_world *world, const trv_body_id *bodies, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        float mass, in[6];
        trv_vec3 center, v, w;
        expect_result(trv_body_mass(world, bodies[i], &mass, &center, in), TRV_OK);
        expect_result(trv_body_velocity(world, bodies[i], &v, &w), TRV_OK);
        w = trvi_rotate_inverse(pose_of(world, bodies[i]).rotation, w);
        sum += 0.5 * mass * (v.x * v.x + v.y * v.y + v.z * v.z);
        sum += 0.5 * (in[0] * w.x * w.x + in[1] * w.y * w.y + in[2] * w.z * w.z) +
               in[3] * w.x * w.y + in[4] * w.x * w.z + in[5] * w.y * w.z;
    }
    return sum;
}

// Their angular momentum about the origin, kg m^2/s.
static inline trvi_dvec3 angular_momentum_of(trv_world *world, const trv_body_id *bodies, int count)
{
    trvi_dvec3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        float mass, in[6];
        trv_vec3 center, v, w;
        expect_result(trv_body_mass(world, bodies[i], &mass, &center, in), TRV_OK);
        expect_result(trv_body_velocity(world, bodies[i], &v, &w), TRV_OK);
        trv_pose pose = pose_of(world, bodies[i]);
        w = trvi_rotate_inverse(pose.rotation, w);
        trv_vec3 own = {in[0] * w.x + in[3] * w.y + in[4] * w.z,
                        in[3] * w.x + in[1] * w.y + in[5] * w.z,
                        in[4] * w.x + in[5] * w.y + in[2] * w.z};
        trvi_dvec3 arm = trvi_dvec3_from(trv_pose_apply(pose, center));
        sum = trvi_dadd(sum, trvi_dvec3_from(trv_rotate(pose.rotation, own)));
        sum = trvi_dadd(sum, trvi_dscale(trvi_dcross(arm, trvi_dvec3_from(v)), (double)mass));
    }
    return sum;
}

// And of their heights above y = 0, in the default world.
static inline double energy_under_gravity(trv_world *world, const trv_body_id *bodies, int count)
{
    double sum = energy_of(world, bodies, count);
    for (int i = 0; i < count; i++) {
        float mass, inertia[6];
        trv_vec3 center;
        expect_result(trv_body_mass(world, bodies[i], &mass, &center, inertia), TRV_OK);
        sum += 9.81 * mass * trv_pose_apply(pose_of(world, bodies[i]), center).y;
    }
    return sum;
}

#endif
