// Bounding boxes of posed vertices and boxes, and boxes fitted around hulls.
//
// Worked out in double from the exactly normalised quaternion and rounded outwards to float32: each
// result contains what exact arithmetic gives for the pose, up to a few units of double rounding.
// The box of corners comes as centre and extents, h_i = sum_k |M_ik| e_k, and not from the eight
// corners one by one.
//
// Based on: Lander 1999, "When Two Hearts Collide: Axis-Aligned Bounding Boxes", listings 1 and 2.
// Principal axes by Jacobi 1846, in the form of Golub and Van Loan, "Matrix Computations", 8.5.
#include <string.h>

#include "mesh.h"

#include "math/math.h"

// The float32 next to x on the lower / upper side, or x itself.
static float round_down(double x)
{
    float rounded = (float)x;
    return rounded > x ? nextafterf(rounded, -HUGE_VALF) : rounded;
}

static float round_up(double x)
{
    float rounded = (float)x;
    return rounded < x ? nextafterf(rounded, HUGE_VALF) : rounded;
}

static trv_aabb round_outwards(trvi_dvec3 lower, trvi_dvec3 upper)
{
    trv_aabb box = {{round_down(lower.x), round_down(lower.y), round_down(lower.z)},
                    {round_up(upper.x), round_up(upper.y), round_up(upper.z)}};
    return box;
}

trv_aabb trv_bounds_of_vertices(const trv_vec3 *points, uint32_t count, trv_pose pose)
{
    if (points == NULL || count == 0)
        return (trv_aabb){pose.position, pose.position};
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    trvi_dvec3 lower = trvi_dmat3_mul(&rotation, trvi_dvec3_from(points[0])), upper = lower;
    double poison = 0.0; // NaN once a coordinate is not finite; comparisons alone would lose it
    for (uint32_t i = 1; i < count; i++) {
        trvi_dvec3 p = trvi_dmat3_mul(&rotation, trvi_dvec3_from(points[i]));
        lower.x = p.x < lower.x ? p.x : lower.x;
        lower.y = p.y < lower.y ? p.y : lower.y;
        lower.z = p.z < lower.z ? p.z : lower.z;
        upper.x = p.x > upper.x ? p.x : upper.x;
        upper.y = p.y > upper.y ? p.y : upper.y;
        upper.z = p.z > upper.z ? p.z : upper.z;
        poison += 0.0 * (p.x + p.y + p.z);
    }
    trvi_dvec3 shift = trvi_dvec3_from(pose.position);
    shift = trvi_dadd(shift, (trvi_dvec3){poison, poison, poison});
    return round_outwards(trvi_dadd(lower, shift), trvi_dadd(upper, shift));
}

trv_aabb trv_bounds_of_box(trv_obb rest, trv_pose pose)
{
    trvi_dmat3 outer = trvi_dmat3_from_quat(pose.rotation);
    trvi_dmat3 inner = trvi_dmat3_from_quat(rest.rotation);
    double half[3] = {rest.half.x, rest.half.y, rest.half.z}, extent[3];
    for (int i = 0; i < 3; i++) {
        extent[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            double axis = outer.m[i][0] * inner.m[0][k] + outer.m[i][1] * inner.m[1][k] +
                          outer.m[i][2] * inner.m[2][k];
            extent[i] += fabs(axis) * half[k];
        }
    }
    trvi_dvec3 center = trvi_dmat3_mul(&outer, trvi_dvec3_from(rest.center));
    center = trvi_dadd(center, trvi_dvec3_from(pose.position));
    trvi_dvec3 reach = {extent[0], extent[1], extent[2]};
    return round_outwards(trvi_dsub(center, reach), trvi_dadd(center, reach));
}

// Turns rows and columns p and q of the symmetric `a` so that a[p][q] vanishes; `axes` collects the
// turns in its columns.
static void turn(double a[3][3], trvi_dmat3 *axes, int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    int r = 3 - p - q;
    double apr = a[p][r], aqr = a[q][r];
    a[p][p] -= t * a[p][q];
    a[q][q] += t * a[p][q];
    a[p][q] = a[q][p] = 0.0;
    a[p][r] = a[r][p] = c * apr - s * aqr;
    a[q][r] = a[r][q] = s * apr + c * aqr;
    for (int i = 0; i < 3; i++) {
        double ip = axes->m[i][p], iq = axes->m[i][q];
        axes->m[i][p] = c * ip - s * iq;
        axes->m[i][q] = s * ip + c * iq;
    }
}

// The principal axes of a solid as the columns of a rotation. Ten sweeps: the method converges
// quadratically, and three-by-three matrices need four or five.
static trvi_dmat3 principal_axes(const trvi_solid *solid)
{
    const double *m = solid->inertia;
    double scale = fmax(m[0], fmax(m[1], m[2]));
    double a[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    for (int i = 0; i < 9; i++) // moments of tiny solids would square to nothing
        a[i / 3][i % 3] /= scale;
    trvi_dmat3 axes = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    for (int sweep = 0; sweep < 10; sweep++) {
        turn(a, &axes, 0, 1);
        turn(a, &axes, 0, 2);
        turn(a, &axes, 1, 2);
    }
    return axes;
}

// The quaternion of a rotation matrix, from the largest of its four components.
// Based on: Shepperd 1978, "Quaternion from Rotation Matrix".
static trv_quat quat_from(const trvi_dmat3 *r)
{
    double trace = r->m[0][0] + r->m[1][1] + r->m[2][2];
    int i = r->m[1][1] > r->m[0][0] ? 1 : 0;
    if (r->m[2][2] > r->m[i][i])
        i = 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double q[4]; // x y z w
    if (trace > r->m[i][i]) {
        q[3] = 1.0 + trace;
        q[0] = r->m[2][1] - r->m[1][2];
        q[1] = r->m[0][2] - r->m[2][0];
        q[2] = r->m[1][0] - r->m[0][1];
    } else {
        q[i] = 1.0 + r->m[i][i] - r->m[j][j] - r->m[k][k];
        q[j] = r->m[j][i] + r->m[i][j];
        q[k] = r->m[k][i] + r->m[i][k];
        q[3] = r->m[k][j] - r->m[j][k];
    }
    double s = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (trv_quat){(float)(q[0] * s), (float)(q[1] * s), (float)(q[2] * s), (float)(q[3] * s)};
}

// The smallest box of that orientation: its centre is rounded first, then the half extents reach
// every vertex from there.
static trv_obb box_along(const trv_hull *hull, trv_quat rotation)
{
    trvi_dmat3 axes = trvi_dmat3_from_quat(rotation);
    trvi_dvec3 near = trvi_dvec3_from(hull->vertices[0]); // heights are relative to it
    trvi_dvec3 lower = {0.0, 0.0, 0.0}, upper = lower;
    for (uint32_t v = 1; v < hull->vertex_count; v++) {
        trvi_dvec3 d = trvi_dsub(trvi_dvec3_from(hull->vertices[v]), near);
        trvi_dvec3 h = trvi_dmat3_mul_transposed(&axes, d);
        lower = (trvi_dvec3){fmin(lower.x, h.x), fmin(lower.y, h.y), fmin(lower.z, h.z)};
        upper = (trvi_dvec3){fmax(upper.x, h.x), fmax(upper.y, h.y), fmax(upper.z, h.z)};
    }
    trvi_dvec3 middle = trvi_dmat3_mul(&axes, trvi_dscale(trvi_dadd(lower, upper), 0.5));
    trv_vec3 center = trvi_vec3_from_double(trvi_dadd(near, middle));
    trvi_dvec3 off = trvi_dsub(near, trvi_dvec3_from(center));
    off = trvi_dmat3_mul_transposed(&axes, off);
    trv_vec3 half = {round_up(fmax(upper.x + off.x, -(lower.x + off.x))),
                     round_up(fmax(upper.y + off.y, -(lower.y + off.y))),
                     round_up(fmax(upper.z + off.z, -(lower.z + off.z)))};
    return (trv_obb){center, half, rotation};
}

trv_result trv_hull_fit_box(const trv_hull *hull, trv_box_fit fit, trv_obb *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    if (hull == NULL)
        return TRV_ERROR_NULL;
    if (fit == TRV_BOX_FIT_AXES) {
        *out = box_along(hull, trv_identity_quat());
        return TRV_OK;
    }
    if (fit != TRV_BOX_FIT_PCA)
        return TRV_ERROR_RANGE;
    trvi_dmat3 axes = principal_axes(&hull->solid);
    *out = box_along(hull, quat_from(&axes));
    return TRV_OK;
}
