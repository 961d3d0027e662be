// Bounding boxes of posed vertices and posed boxes.
//
// Worked out in double from the exactly normalised quaternion and rounded outwards to float32: each
// result contains what exact arithmetic gives for the pose, up to a few units of double rounding.
// The box of corners comes as centre and extents, h_i = sum_k |M_ik| e_k, and not from the eight
// corners one by one.
//
// Based on: Lander 1999, "When Two Hearts Collide: Axis-Aligned Bounding Boxes", listings 1 and 2.
#include "mesh.h"

static trv_aabb round_outwards(trvi_dvec3 lower, trvi_dvec3 upper)
{
    trv_aabb box = {{trvi_round_down(lower.x), trvi_round_down(lower.y), trvi_round_down(lower.z)},
                    {trvi_round_up(upper.x), trvi_round_up(upper.y), trvi_round_up(upper.z)}};
    return box;
}

trv_aabb trv_bounds_of_vertices(const trv_vec3 *points, uint32_t count, trv_pose pose)
{
    if (points == NULL || count == 0)
        return (trv_aabb){pose.position, pose.position};
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    trvi_dvec3 lower = trvi_dmat3_mul(&rotation, trvi_dvec3_from(points[0])), upper = lower;
    trvi_dvec3 shift = trvi_dvec3_from(pose.position);
    // NaN once a coordinate is not finite; comparisons alone would lose it.
    double poison = 0.0 * (shift.x + shift.y + shift.z);
    for (uint32_t i = 0; i < count; i++) {
        trvi_dvec3 p = trvi_dmat3_mul(&rotation, trvi_dvec3_from(points[i]));
        lower.x = p.x < lower.x ? p.x : lower.x;
        lower.y = p.y < lower.y ? p.y : lower.y;
        lower.z = p.z < lower.z ? p.z : lower.z;
        upper.x = p.x > upper.x ? p.x : upper.x;
        upper.y = p.y > upper.y ? p.y : upper.y;
        upper.z = p.z > upper.z ? p.z : upper.z;
        poison += 0.0 * (p.x + p.y + p.z);
    }
    shift = trvi_dadd(shift, (trvi_dvec3){poison, poison, poison});
    return round_outwards(trvi_dadd(lower, shift), trvi_dadd(upper, shift));
}

trv_aabb trv_bounds_of_box(trv_obb rest, trv_pose pose)
{
    trvi_dmat3 outer = trvi_dmat3_from_quat(pose.rotation), axes = outer;
    if (trvi_quat_turns(rest.rotation) || rest.rotation.w != 1.0f) { // mostly it is not turned
        trvi_dmat3 inner = trvi_dmat3_from_quat(rest.rotation);
        axes = trvi_dmat3_product(&outer, &inner);
    }
    double half[3] = {rest.half.x, rest.half.y, rest.half.z}, extent[3];
    for (int i = 0; i < 3; i++)
        extent[i] = fabs(axes.m[i][0]) * half[0] + fabs(axes.m[i][1]) * half[1] +
                    fabs(axes.m[i][2]) * half[2];
    trvi_dvec3 center = trvi_dmat3_mul(&outer, trvi_dvec3_from(rest.center));
    center = trvi_dadd(center, trvi_dvec3_from(pose.position));
    trvi_dvec3 reach = {extent[0], extent[1], extent[2]};
    return round_outwards(trvi_dsub(center, reach), trvi_dadd(center, reach));
}
